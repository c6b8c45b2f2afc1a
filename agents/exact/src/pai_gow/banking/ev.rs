//! Compares the EV of banking with the EV of betting against a bank, and derives the result distribution for a bank or a
//! bet, and how large a bankroll it requires.

use crate::Ratio;
use crate::net::NetResults;
use crate::pai_gow::outcomes::{OutcomeWeights, Payoff};
use houseway_env::money::{Chips, Rate, commission};
use houseway_env::pai_gow::Rules;
use houseway_env::pai_gow::table::{CommissionOnBanker, TableRules, UncoveredBets};

/// A bet against a bank, with the *bank's* outcome counts over all deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankedBet {
    /// The bet, in chips.
    pub bet: Chips,
    /// The outcome counts over all deals.
    pub counts: OutcomeWeights,
}

/// A bank's EV per round in chips, either exact or with exact bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankEv {
    /// The EV before commission.
    pub gross: Ratio,
    /// A lower and an upper bound on the mean commission, including the fee for the round. The two differ only if the
    /// commission is charged on the net win from several bets, since it's otherwise linear in the bets. See [`bank_ev`].
    pub commission: (Ratio, Ratio),
}

impl BankEv {
    /// Returns the EV if it's known exactly.
    pub fn exact(&self) -> Option<Ratio> {
        (self.commission.0 == self.commission.1).then(|| self.gross - self.commission.0)
    }

    /// Returns a lower and an upper bound on the EV.
    pub fn bounds(&self) -> (Ratio, Ratio) {
        (self.gross - self.commission.1, self.gross - self.commission.0)
    }
}

/// Returns the mean when `chips` are won in the given fraction of all deals.
fn mean(chips: Chips, deals: u128, counts: &OutcomeWeights) -> Ratio {
    Ratio::new(i128::from(chips) * deals as i128, counts.all() as i128)
}

/// Returns the EV of a bank that covers all of the bets.
///
/// Bets have correlated results, but their EVs still add up. So do commissions that are charged per bet, which are
/// rounded to chips as they are at the table.
///
/// A commission on the *net* win from several bets doesn't add up. By Jensen's inequality, its mean is at least the
/// commission on the mean net win, and it's at most the commission on all winning bets. Rounding shifts each bound by
/// at most half a chip.
pub fn bank_ev(rules: &TableRules, bets: &[BankedBet]) -> BankEv {
    let sum = |part: &dyn Fn(&BankedBet) -> Ratio| bets.iter().map(part).sum::<Ratio>();
    let gross = sum(&|bet| mean(bet.bet, bet.counts.wins, &bet.counts) - mean(bet.bet, bet.counts.losses, &bet.counts));
    let rate = rules.bank_commission;
    let per_bet = sum(&|bet| mean(commission(rate, bet.bet), bet.counts.wins, &bet.counts));
    let commission = match rules.commission_on_banker {
        CommissionOnBanker::None => (Ratio::ZERO, Ratio::ZERO),
        CommissionOnBanker::NetWin if bets.len() > 1 && rate.millionths() > 0 => net_win_bounds(rate, gross, bets),
        CommissionOnBanker::PerBet | CommissionOnBanker::NetWin => (per_bet, per_bet),
    };
    let fee = Ratio::new(rules.bank_collection.fee(bets.iter().map(|bet| bet.bet).sum()).into(), 1);
    BankEv { gross, commission: (commission.0 + fee, commission.1 + fee) }
}

fn net_win_bounds(rate: Rate, gross: Ratio, bets: &[BankedBet]) -> (Ratio, Ratio) {
    let part = |chips: Ratio| {
        let whole = i128::from(Rate::WHOLE);
        let up = chips.numerator().checked_mul(rate.millionths().into());
        // It's safe to round a bound down to a multiple of 10^-12.
        match up {
            Some(up) => Ratio::new(up, chips.denominator() * whole),
            None => Ratio::new((chips.value() * rate.value() * 1e12).floor() as i128, 1_000_000_000_000),
        }
    };
    let half = Ratio::new(1, 2);
    let won = bets.iter().map(|bet| mean(bet.bet, bet.counts.wins, &bet.counts)).sum::<Ratio>();
    let low = part(gross) - half;
    (low.max(Ratio::ZERO), part(won) + half)
}

/// Returns a player's EV for a bet against a bank, in chips and after the commission and the fee for the hand. The counts
/// are the *bank's*.
pub fn player_ev(rules: &Rules, bet: &BankedBet) -> Ratio {
    // Nobody pays the fee for a hand without a bet.
    if bet.bet == 0 {
        return Ratio::ZERO;
    }
    let win = bet.bet - commission(rules.commission, bet.bet);
    let fee = Ratio::new(rules.collection.fee(bet.bet).into(), 1);
    mean(win, bet.counts.losses, &bet.counts) - mean(bet.bet, bet.counts.wins, &bet.counts) - fee
}

/// Returns bounds on the cost of passing the bank, in chips. This is the EV of banking minus the EV of the seat's own
/// bet against the player who banks instead. Banking is better if it's positive.
pub fn price_of_passing(
    rules: &TableRules,
    game_rules: &Rules,
    against: &[BankedBet],
    own: &BankedBet,
) -> (Ratio, Ratio) {
    let (take, pass) = (bank_ev(rules, against).bounds(), player_ev(game_rules, own));
    (take.0 - pass, take.1 - pass)
}

/// Returns the exact distribution of the results when a player banks against a single opponent, under the table's stake
/// and commission rules. The counts are the bank's.
pub fn single_bet(rules: &TableRules, bet: Chips, stake: Chips, counts: impl Into<OutcomeWeights>) -> NetResults {
    let counts = counts.into();
    let covered = bet.min(stake);
    let won = match rules.uncovered_bets {
        UncoveredBets::Push => covered,
        UncoveredBets::Lose => bet,
    };
    let (taken, fee) = (commission(rules.commission_on_one_bet(), won), rules.bank_collection.fee(bet));
    let results = [(won - taken, counts.wins), (0, counts.pushes), (-covered, counts.losses)];
    results.into_iter().map(|(chips, deals)| (chips - fee, deals)).collect()
}

/// Returns the Kelly fraction: the fraction of a bankroll that maximizes the expected log growth if it's bet, or staked
/// as the banker against one bet. If W deals win w each and L deals lose l each per unit, the fraction is (W w - L l) /
/// (w l (W + L)), or 0 if that isn't positive, such as when the commission takes every win. The counts and the payoff
/// must belong to the same side, and the payoff must be without a fee, which doesn't depend on the fraction.
///
/// # Panics
/// Panics if the EV is positive and losses cost nothing.
pub fn kelly(counts: impl Into<OutcomeWeights>, payoff: Payoff) -> Ratio {
    let counts = counts.into();
    let [wins, losses] = [counts.wins, counts.losses].map(|weight| weight as i128);
    let [win, loss] = [payoff.win_millionths(), payoff.loss_millionths()].map(i128::from);
    let edge = (wins * win - losses * loss).max(0);
    if edge == 0 { Ratio::ZERO } else { Ratio::new(edge * i128::from(Rate::WHOLE), win * loss * (wins + losses)) }
}

/// Returns the stake of a banker against one bet that makes a bankroll grow most, or `None` if it grows most without
/// banking. This is the Kelly fraction if there is no fee and uncovered bets push. The counts are the bank's.
pub fn kelly_stake(
    rules: &TableRules,
    bet: Chips,
    counts: impl Into<OutcomeWeights>,
    bankroll: Chips,
) -> Option<Chips> {
    let (counts, fee) = (counts.into(), rules.bank_collection.fee(bet));
    // The whole bet can be won with the lowest stake if uncovered bets lose.
    let mut stake = rules.bank_minimum;
    if rules.uncovered_bets == UncoveredBets::Push {
        let share = kelly(counts, Payoff::with_commission(rules.commission_on_one_bet()));
        // The fee is lost in any case, so it is as if the bankroll were smaller.
        stake = ((share.value() * (bankroll - fee) as f64).floor() as Chips).min(bet);
        if fee == 0 {
            return (share > Ratio::ZERO).then_some(stake);
        }
    }
    let growth = single_bet(rules, bet, stake, counts).log_growth(bankroll as f64);
    (growth > 0.0).then_some(stake)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::outcomes::DealCounts;
    use houseway_env::rules::RuleSet;

    fn counts(wins: u128, pushes: u128, losses: u128) -> OutcomeWeights {
        OutcomeWeights { wins, pushes, losses, ..OutcomeWeights::default() }
    }

    fn rules(reading: &str) -> TableRules {
        TableRules::default().with(&format!("commission-on-banker={reading}")).unwrap()
    }

    #[test]
    fn one_bet_by_hand() {
        // The bank wins 5 out of 10 deals, pushes 3 and loses 2. The bet is 100.
        let bet = BankedBet { bet: 100, counts: counts(5, 3, 2) };
        for (reading, ev) in [("none", (30, 1)), ("per_bet", (55, 2)), ("net_win", (55, 2))] {
            assert_eq!(bank_ev(&rules(reading), &[bet]).exact(), Some(Ratio::new(ev.0, ev.1)), "{reading}");
        }
        // The player wins 95 in 2 out of 10 deals and loses 100 in 5.
        let game_rules = Rules::default();
        assert_eq!(player_ev(&game_rules, &bet), Ratio::new(190 - 500, 10));
        // Compare banking against that bet with betting 20 against such a bank.
        let own = BankedBet { bet: 20, ..bet };
        assert_eq!(player_ev(&game_rules, &BankedBet { bet: 0, ..bet }), Ratio::ZERO);
        let price = price_of_passing(&rules("none"), &game_rules, &[bet], &own);
        assert_eq!(price, (Ratio::new(300 + 62, 10), Ratio::new(300 + 62, 10)));
        // Odd amounts are rounded as they are at the table, so 5% of 29 chips is 1 chip.
        let odd = BankedBet { bet: 29, ..bet };
        assert_eq!(player_ev(&game_rules, &odd), Ratio::new(28 * 2 - 29 * 5, 10));
    }

    #[test]
    fn fees_are_paid_for_every_hand() {
        let bets = [100, 300].map(|bet| BankedBet { bet, counts: counts(5, 3, 2) });
        let free = Rules::default().with("commission=0").unwrap();
        // A player pays 1 chip on 100 and 2 chips on 300. The bank pays 3 for a round with 400 chips against it.
        let with_fees = free.with("collection=1/100,2/300").unwrap();
        let fees = bets.map(|bet| player_ev(&free, &bet) - player_ev(&with_fees, &bet));
        assert_eq!(fees, [1, 2].map(|fee| Ratio::new(fee, 1)));
        let bank = rules("none").with("bank-collection=2/300,3/600").unwrap();
        assert_eq!(bank_ev(&bank, &bets).exact(), Some(Ratio::new(30 + 90 - 3, 1)));
    }

    #[test]
    fn several_bets_add_up_and_net_win_is_bounded() {
        let bets = [
            BankedBet { bet: 100, counts: counts(5, 3, 2) },
            BankedBet { bet: 60, counts: counts(3, 4, 3) },
            BankedBet { bet: 40, counts: counts(1, 1, 3) },
        ];
        let exact = |reading| bank_ev(&rules(reading), &bets).exact();
        assert_eq!(exact("none"), Some(Ratio::new(30 - 16, 1)));
        assert_eq!(exact("per_bet"), Some(Ratio::new(140, 10) - Ratio::new(25 + 9, 10) - Ratio::new(2, 5)));
        let net_win = bank_ev(&rules("net_win"), &bets);
        assert_eq!(net_win.exact(), None);
        // Enumerate every combination, treating the three results as independent.
        let mut mean = Ratio::ZERO;
        for (i, a) in [(1, 5), (0, 3), (-1, 2)] {
            for (j, b) in [(1, 3), (0, 4), (-1, 3)] {
                for (k, c) in [(1, 1), (0, 1), (-1, 3)] {
                    let taken = commission("0.05".parse().unwrap(), 100 * i + 60 * j + 40 * k);
                    mean = mean + Ratio::new(i128::from(taken * a * b * c), 10 * 10 * 5);
                }
            }
        }
        let (low, high) = net_win.commission;
        assert!(low <= mean && mean <= high, "{low} {mean} {high}");
        let (worst, best) = net_win.bounds();
        assert!(worst < best && best <= bank_ev(&rules("none"), &bets).gross);
    }

    const COUNTS: DealCounts = DealCounts { wins: 36, pushes: 34, losses: 30, copies_front: 0, copies_back: 0 };

    #[test]
    fn one_opponent_by_hand() {
        let rules = TableRules::default();
        let full = single_bet(&rules, 100, 100, COUNTS);
        assert_eq!(full.results().collect::<Vec<_>>(), [(-100, 30), (0, 34), (95, 36)]);
        assert_eq!(full.ev(), Ratio::new(36 * 95 - 3_000, 100));
        let variance = 0.36 * 95.0f64.powi(2) + 0.30 * 100.0f64.powi(2) - 4.2f64.powi(2);
        assert!((full.variance() - variance).abs() < 1e-9);
        // A stake that covers only part of the bet, under both readings.
        let part = single_bet(&rules, 100, 40, COUNTS);
        assert_eq!(part.results().collect::<Vec<_>>(), [(-40, 30), (0, 34), (38, 36)]);
        let lose = rules.with("uncovered-bets=lose").unwrap().with("commission-on-banker=none").unwrap();
        let lose = single_bet(&lose, 100, 40, COUNTS);
        assert_eq!(lose.results().collect::<Vec<_>>(), [(-40, 30), (0, 34), (100, 36)]);
    }

    #[test]
    fn the_kelly_fraction_maximizes_growth() {
        let five: Rate = "0.05".parse().unwrap();
        let fraction = kelly(COUNTS, Payoff::with_commission(five));
        // p/l - q/w over all decided deals, which is 36/66 - 30/(66 * 0.95).
        assert!((fraction.value() - (36.0 / 66.0 - 30.0 / (66.0 * 0.95))).abs() < 1e-12, "{fraction}");
        let bankroll = 1_000_000;
        let growth = |share: f64| {
            let bet = (share * bankroll as f64) as Chips / 20 * 20;
            single_bet(&TableRules::default(), bet, bet, COUNTS).log_growth(bankroll as f64)
        };
        let best = growth(fraction.value());
        for step in 1..50 {
            let away = f64::from(step) * 0.001;
            assert!(growth(fraction.value() + away) < best);
            assert!(growth((fraction.value() - away).max(0.0)) < best);
        }
        // A numerical search finds the same size. It also supports several opponents.
        let bet = single_bet(&TableRules::default(), 1_000, 1_000, COUNTS);
        let size = bet.kelly_size(bankroll);
        assert!((size * 1_000.0 / bankroll as f64 - fraction.value()).abs() < 1e-9, "{size}");
        let lost = DealCounts { wins: 30, losses: 36, ..COUNTS };
        assert_eq!(kelly(lost, Payoff::with_commission(five)), Ratio::ZERO);
        assert_eq!(kelly(COUNTS, Payoff::with_commission("1".parse().unwrap())), Ratio::ZERO);
        assert_eq!(kelly(OutcomeWeights::default(), Payoff::with_commission(five)), Ratio::ZERO);
        assert_eq!(single_bet(&TableRules::default(), 20, 20, lost).kelly_size(1_000), 0.0);
        assert_eq!(bet.log_growth(1_000.0), f64::NEG_INFINITY);
        assert_eq!([(5, 1)].into_iter().collect::<NetResults>().kelly_size(10), f64::INFINITY);
    }
}
