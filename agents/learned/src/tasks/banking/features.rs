//! The features that a banker's network reads, either derived from all bets together or raw.

use super::{ANSWERS, BankOffer, BankingTable, MAX_OTHERS};
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::TableRules;

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
            OfferFeatures::Derived => row_len(table),
            OfferFeatures::Raw => RAW_ROW,
        }
    }

    /// Returns the number of context features, which don't depend on the answer.
    pub(super) fn context_len(self, table: &BankingTable) -> usize {
        match self {
            OfferFeatures::Derived => CONTEXT,
            OfferFeatures::Raw => raw_context_len(table),
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
                write_context(situation, context);
                (0..ANSWERS).for_each(|answer| write_row(table, situation, answer, rows));
            }
            OfferFeatures::Raw => {
                write_raw_context(table, situation, context);
                (0..ANSWERS).for_each(|answer| write_raw_row(answer, rows));
            }
        }
    }
}

/// The number of features for passing. The functions `full` and `part` return the numbers for covering all bets and for
/// covering part of them.
const PASS: usize = 4;
const fn full(ways: usize) -> usize {
    5 + ways
}
const fn part(ways: usize) -> usize {
    7 + 2 * ways
}

/// Returns the number of features per answer (see [`write_row`]).
fn row_len(table: &BankingTable) -> usize {
    PASS + full(table.others) + part(table.others)
}

/// The number of context features, which don't depend on the answer. The first is the fraction of seats with a bet. The
/// second is the sum of all bets divided by that sum plus the funds.
const CONTEXT: usize = 2;

fn write_context(situation: &BankOffer, out: &mut Vec<f32>) {
    let (count, money) = (situation.others.iter().flatten().count() as f32, situation.money() as f32);
    out.extend([count / MAX_OTHERS as f32, money / (money + situation.funds as f32)]);
}

/// Appends the features for an answer. There are three kinds of answers with separate features. For any answer, the
/// features of the other two kinds are 0.
///
/// - Passing: the constant 1, the seat's own bet as a fraction of all bets and of its bet plus funds, and its risk.
/// - Covering all bets: the constant 1, the stake as a fraction of stake plus funds, the sum of the squared bets
///   divided by the square of all bets, the risk of the separate bets and of all bets together, and each strategy's
///   share of the bets.
/// - Covering part of the bets: the constant 1, the stake as a fraction of stake plus funds, the sum of squares, the
///   fraction covered, the risk of the separate bets times the square of the fraction covered, the risk of the stake,
///   the risk of the separate bets times the fraction covered, and each strategy's share of the covered bets and of all
///   bets.
///
/// The profit from passing and from covering all bets is linear in these features. A *risk* is the square of a sum
/// divided by both the funds and all bets. As long as results are small, the growth lost to their variance is linear in
/// the risk.
fn write_row(table: &BankingTable, situation: &BankOffer, answer: usize, out: &mut Vec<f32>) {
    let (first, money, ways) = (out.len(), situation.money() as f32, table.others);
    out.resize(first + row_len(table), 0.0);
    let (pass, rest) = out[first..].split_at_mut(PASS);
    let (full, part) = rest.split_at_mut(full(ways));
    let over_funds = |sum: Chips| sum as f32 / (sum + situation.funds) as f32;
    let leverage = money / situation.funds as f32;
    if answer == 0 {
        let share = situation.own as f32 / money;
        pass.copy_from_slice(&[1.0, share, over_funds(situation.own), leverage * share * share]);
        return;
    }
    let (stake, against) = (situation.stake(&table.rules, answer), situation.against());
    let shares = || situation.others.iter().flatten().map(|other| (other.way, other.bet as f32 / money));
    let squares: f32 = shares().map(|(_, share)| share * share).sum();
    let square = |share: f32| share * share;
    let together = leverage * square(against as f32 / money);
    if stake >= against {
        full[..5].copy_from_slice(&[1.0, over_funds(stake), squares, leverage * squares, together]);
        shares().for_each(|(way, share)| full[5 + way] += share);
        return;
    }
    let covered = stake as f32 / against as f32;
    let (by_bet, by_stake) = (leverage * squares * square(covered), leverage * square(stake as f32 / money));
    part[..7].copy_from_slice(&[
        1.0,
        over_funds(stake),
        squares,
        covered,
        by_bet,
        by_stake,
        leverage * squares * covered,
    ]);
    for (way, share) in shares() {
        part[7 + way] += share * covered;
        part[7 + ways + way] += share;
    }
}

/// The number of features for an amount of chips (see [`amount`]).
const AMOUNT: usize = 2;

/// The number of features per answer, a one-hot vector of the answers.
const RAW_ROW: usize = ANSWERS;

/// Returns the number of context features (see [`write_raw_context`]).
fn raw_context_len(table: &BankingTable) -> usize {
    2 * AMOUNT + MAX_OTHERS * (AMOUNT + table.others)
}

/// Appends the features of a situation: the own bet, the funds, and for each of the other seats in clockwise order, its
/// bet and a one-hot vector of its strategy. The features of a seat without a bet are 0.
fn write_raw_context(table: &BankingTable, situation: &BankOffer, out: &mut Vec<f32>) {
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
fn write_raw_row(answer: usize, out: &mut Vec<f32>) {
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
    use super::super::{OtherBet, TAKE_ALL};
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
                prop_assert_eq!(rows[answer * RAW_ROW..][..RAW_ROW].iter().position(|&set| set == 1.0), Some(answer));
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
        let row_len = row_len(table());
        let (rows, _) = derived(situation);
        assert_ne!(rows[TAKE_ALL * row_len..], rows[(TAKE_ALL - 1) * row_len..TAKE_ALL * row_len]);
    }
}
