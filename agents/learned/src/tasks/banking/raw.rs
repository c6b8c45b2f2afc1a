//! Raw features of situations, without any quantities derived from several bets.

use super::{ANSWERS, BankOffer, BankingTable, MAX_OTHERS};
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::TableRules;

/// The number of features for an amount of chips (see [`amount`]).
const AMOUNT: usize = 2;

/// The number of features per answer, a one-hot vector of the answers.
pub(super) const ROW: usize = ANSWERS;

/// Returns the number of context features (see [`write_context`]).
pub(super) fn context_len(table: &BankingTable) -> usize {
    2 * AMOUNT + MAX_OTHERS * (AMOUNT + table.others)
}

/// Appends the features of a situation: the own bet, the funds, and for each of the other seats in clockwise order, its
/// bet and a one-hot vector of its strategy. The features of a seat without a bet are 0.
pub(super) fn write_context(table: &BankingTable, situation: &BankOffer, out: &mut Vec<f32>) {
    out.extend(amount(&table.rules, situation.own));
    out.extend(amount(&table.rules, situation.funds));
    for other in situation.others {
        let Some(other) = other else {
            out.resize(out.len() + AMOUNT + table.others, 0.0);
            continue;
        };
        out.extend(amount(&table.rules, other.bet));
        out.extend((0..table.others).map(|way| f32::from(u8::from(way == other.way))));
    }
}

/// Appends the features of an answer.
pub(super) fn write_row(answer: usize, out: &mut Vec<f32>) {
    out.extend((0..ANSWERS).map(|other| f32::from(u8::from(other == answer))));
}

/// Returns the features for an amount of chips: its fraction of the maximum bet, and the logarithm of its multiple of
/// the minimum bet, which is 1 for the maximum bet.
fn amount(rules: &TableRules, chips: Chips) -> [f32; AMOUNT] {
    let log = |chips: Chips| (chips.max(1) as f64 / rules.bet_minimum as f64).ln();
    [(chips as f64 / rules.bet_maximum as f64) as f32, (log(chips) / log(rules.bet_maximum).max(1.0)) as f32]
}

#[cfg(test)]
mod tests {
    use super::super::tests::table;
    use super::super::{OfferFeatures, OtherBet, TAKE_ALL, rows};
    use super::*;
    use houseway_env::gym::stream;
    use proptest::prelude::*;

    fn encode(features: OfferFeatures, situation: &BankOffer) -> (Vec<f32>, Vec<f32>) {
        let (mut rows, mut context) = (vec![], vec![]);
        features.write(table(), situation, &mut rows, &mut context);
        (rows, context)
    }

    /// Decodes the situation, with the funds rounded to a chip.
    fn decode(context: &[f32]) -> BankOffer {
        let table = table();
        let whole = |amount: &[f32]| (f64::from(amount[0]) * table.rules.bet_maximum as f64).round() as Chips;
        let (own, others) = context.split_at(2 * AMOUNT);
        let mut seats = others.chunks_exact(AMOUNT + table.others);
        let others = std::array::from_fn(|_| {
            let (bet, ways) = seats.next().expect("there are five other seats").split_at(AMOUNT);
            let way = ways.iter().position(|&set| set == 1.0)?;
            assert!(ways.iter().sum::<f32>() == 1.0, "{ways:?}");
            Some(OtherBet { way, bet: whole(bet) })
        });
        assert!(seats.next().is_none());
        BankOffer { own: whole(own), funds: whole(&own[AMOUNT..]), others }
    }

    proptest! {
        #[test]
        fn raw_features_are_complete(seed: u64) {
            let table = table();
            let situation = BankOffer::draw(table, &mut stream(seed.into()));
            let (rows, context) = encode(OfferFeatures::Raw, &situation);
            prop_assert_eq!(rows.len(), ANSWERS * OfferFeatures::Raw.row_len(table));
            prop_assert_eq!(context.len(), OfferFeatures::Raw.context_len(table));
            let decoded = decode(&context);
            prop_assert_eq!(decoded, situation);
            for answer in 0..ANSWERS {
                prop_assert_eq!(rows[answer * ROW..][..ROW].iter().position(|&set| set == 1.0), Some(answer));
            }
            prop_assert_eq!(encode(OfferFeatures::Derived, &decoded), encode(OfferFeatures::Derived, &situation));
        }
    }

    #[test]
    fn amounts_are_scaled_by_the_limits() {
        let rules = TableRules { bet_minimum: 20, bet_maximum: 2_000, ..TableRules::default() };
        let close = |chips, [fraction, log]: [f32; AMOUNT]| {
            let found = amount(&rules, chips);
            (found[0] - fraction).abs() < 1e-6 && (found[1] - log).abs() < 1e-6
        };
        assert!(close(20, [0.01, 0.0]) && close(200, [0.1, 0.5]) && close(2_000, [1.0, 1.0]));
        assert!(close(200_000, [100.0, 2.0]));
        let same = TableRules { bet_maximum: 20, ..rules };
        assert!(amount(&same, 20) == [1.0, 0.0] && amount(&same, 0)[1].is_finite());
    }

    #[test]
    fn features_keep_seats_apart_that_derived_ones_do_not() {
        let bet = |way, bet| Some(OtherBet { way, bet });
        let situation = BankOffer { own: 100, funds: 5_000, others: [bet(0, 400), bet(1, 60), None, None, None] };
        let swapped = BankOffer { others: [bet(1, 60), bet(0, 400), None, None, None], ..situation };
        let moved = BankOffer { others: [bet(0, 400), None, bet(1, 60), None, None], ..situation };
        let other_way = BankOffer { others: [bet(1, 400), bet(1, 60), None, None, None], ..situation };
        let raw = [situation, swapped, moved, other_way].map(|situation| encode(OfferFeatures::Raw, &situation).1);
        assert!((0..raw.len()).all(|i| raw[..i].iter().all(|other| *other != raw[i])));
        let derived = |situation| encode(OfferFeatures::Derived, &situation);
        assert_eq!(derived(situation), derived(moved));
        // Covering all bets has other features than covering half of them.
        let row_len = rows::row_len(table());
        let (rows, _) = derived(situation);
        assert_ne!(rows[TAKE_ALL * row_len..], rows[(TAKE_ALL - 1) * row_len..TAKE_ALL * row_len]);
    }
}
