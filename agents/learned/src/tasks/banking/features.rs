//! The choice of features that a banker's network reads.

use super::{ANSWERS, BankOffer, BankingTable, raw, rows};

/// The features that describe an offer of the bank to the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OfferFeatures {
    /// Features derived from all bets together, such as each strategy's share of the bets. The profit from passing and
    /// from covering all bets is linear in them.
    #[default]
    Derived,
    /// The bets and strategies at the other seats one by one, the own bet and the funds, as they are seen at the table.
    Raw,
}

impl OfferFeatures {
    /// Returns the number of features per answer.
    pub(super) fn row_len(self, table: &BankingTable) -> usize {
        match self {
            OfferFeatures::Derived => rows::row_len(table),
            OfferFeatures::Raw => raw::ROW,
        }
    }

    /// Returns the number of context features, which don't depend on the answer.
    pub(super) fn context_len(self, table: &BankingTable) -> usize {
        match self {
            OfferFeatures::Derived => rows::CONTEXT,
            OfferFeatures::Raw => raw::context_len(table),
        }
    }

    /// Appends the features of all answers to `rows` and the context features to `context`.
    pub(super) fn write(
        self,
        table: &BankingTable,
        situation: &BankOffer,
        rows: &mut Vec<f32>,
        context: &mut Vec<f32>,
    ) {
        match self {
            OfferFeatures::Derived => {
                rows::write_context(situation, context);
                (0..ANSWERS).for_each(|answer| rows::write_row(table, situation, answer, rows));
            }
            OfferFeatures::Raw => {
                raw::write_context(table, situation, context);
                (0..ANSWERS).for_each(|answer| raw::write_row(answer, rows));
            }
        }
    }
}
