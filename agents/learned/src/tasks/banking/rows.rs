//! The features of situations and answers.

use super::{BankOffer, BankingTable, MAX_OTHERS};
use houseway_env::money::Chips;

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
pub(super) fn row_len(table: &BankingTable) -> usize {
    PASS + full(table.others) + part(table.others)
}

/// The number of context features, which don't depend on the answer. The first is the fraction of seats with a bet. The
/// second is the sum of all bets divided by that sum plus the funds.
pub(super) const CONTEXT: usize = 2;

pub(super) fn write_context(situation: &BankOffer, out: &mut Vec<f32>) {
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
pub(super) fn write_row(table: &BankingTable, situation: &BankOffer, answer: usize, out: &mut Vec<f32>) {
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
