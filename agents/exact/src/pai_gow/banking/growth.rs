//! Derives the result distribution for a bank or a bet, and how large a bankroll it requires.

use crate::Ratio;
use crate::pai_gow::outcomes::{DealCounts, OutcomeWeights, Payoff};
use houseway_env::money::Rate;
use houseway_env::money::{Chips, commission};
use houseway_env::pai_gow::table::{TableRules, UncoveredBets};
use std::collections::BTreeMap;

/// A distribution of results in chips. Each result is weighted by a number of deals or samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    results: BTreeMap<Chips, u64>,
}

impl FromIterator<(Chips, u64)> for Distribution {
    /// Collects results and their weights. Equal results are merged, and results with a weight of 0 are dropped.
    fn from_iter<T: IntoIterator<Item = (Chips, u64)>>(results: T) -> Distribution {
        let mut distribution = Distribution::default();
        results.into_iter().for_each(|(chips, weight)| distribution.add(chips, weight));
        distribution
    }
}

impl Distribution {
    /// Increases the weight of a result.
    pub fn add(&mut self, chips: Chips, weight: u64) {
        if weight > 0 {
            *self.results.entry(chips).or_default() += weight;
        }
    }

    /// Iterates over the results and their weights, in ascending order of results.
    pub fn results(&self) -> impl Iterator<Item = (Chips, u64)> + '_ {
        self.results.iter().map(|(&chips, &weight)| (chips, weight))
    }

    /// Returns the total weight.
    pub fn weight(&self) -> u64 {
        self.results.values().sum()
    }

    /// Returns the probability of a result.
    ///
    /// # Panics
    /// Panics if the distribution is empty.
    pub fn chance(&self, chips: Chips) -> Ratio {
        Ratio::new(self.results.get(&chips).copied().unwrap_or(0).into(), self.weight().into())
    }

    /// Returns the mean, in chips.
    ///
    /// # Panics
    /// Panics if the distribution is empty.
    pub fn mean(&self) -> Ratio {
        let sum = self.results().map(|(chips, weight)| i128::from(chips) * i128::from(weight)).sum();
        Ratio::new(sum, self.weight().into())
    }

    /// Returns the variance, in squared chips.
    ///
    /// # Panics
    /// Panics if the distribution is empty.
    pub fn variance(&self) -> f64 {
        let mean = self.mean().value();
        let sum: f64 = self.results().map(|(chips, weight)| (chips as f64 - mean).powi(2) * weight as f64).sum();
        sum / self.weight() as f64
    }

    /// Returns the expected log growth of a bankroll. This is negative infinity if the entire bankroll can be lost.
    pub fn log_growth(&self, bankroll: Chips) -> f64 {
        let growth = |(chips, weight): (Chips, u64)| {
            let factor = 1.0 + chips as f64 / bankroll as f64;
            if factor <= 0.0 { f64::NEG_INFINITY } else { weight as f64 * factor.ln() }
        };
        self.results().map(growth).sum::<f64>() / self.weight() as f64
    }

    /// Returns the Kelly size: the multiple of this bet that maximizes the expected log growth of a bankroll. It's 0 if
    /// the mean isn't positive, and infinite if no result is a loss. Otherwise, it's found by bisection in 100 steps.
    pub fn kelly_size(&self, bankroll: Chips) -> f64 {
        let worst = self.results().next().map_or(0, |(chips, _)| chips);
        if self.results.is_empty() || self.mean() <= Ratio::ZERO {
            return 0.0;
        }
        if worst >= 0 {
            return f64::INFINITY;
        }
        let slope = |size: f64| -> f64 {
            let part = |(chips, weight): (Chips, u64)| {
                let share = chips as f64 / bankroll as f64;
                weight as f64 * share / (1.0 + size * share)
            };
            self.results().map(part).sum()
        };
        let (mut low, mut high) = (0.0, bankroll as f64 / -worst as f64);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        }
        low
    }
}

/// Returns the exact distribution of the results when a player banks against a single opponent, under the table's stake
/// and commission rules. The counts are the bank's.
pub fn single_bet(rules: &TableRules, bet: Chips, stake: Chips, counts: &DealCounts) -> Distribution {
    let covered = bet.min(stake);
    let won = match rules.uncovered_bets {
        UncoveredBets::Push => covered,
        UncoveredBets::Lose => bet,
    };
    let (taken, fee) = (commission(rules.commission_on_one_bet(), won), rules.bank_collection.fee(bet));
    let results = [(won - taken, counts.wins), (0, counts.pushes), (-covered, counts.losses)];
    results.into_iter().map(|(chips, weight)| (chips - fee, weight)).collect()
}

/// Returns the Kelly fraction: the fraction of a bankroll that maximizes the expected log growth if it's bet, or staked
/// as the banker against one bet. If W deals win w each and L deals lose l each per unit, the fraction is (W w - L l) /
/// (w l (W + L)), or 0 if that isn't positive, such as when the commission takes every win. The counts and the payoff
/// must belong to the same side.
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

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::rules::RuleSet;

    const COUNTS: DealCounts = DealCounts { wins: 36, pushes: 34, losses: 30, copies_front: 0, copies_back: 0 };

    #[test]
    fn one_opponent_by_hand() {
        let rules = TableRules::default();
        let full = single_bet(&rules, 100, 100, &COUNTS);
        assert_eq!(full.results().collect::<Vec<_>>(), [(-100, 30), (0, 34), (95, 36)]);
        assert_eq!((full.mean(), full.chance(95)), (Ratio::new(36 * 95 - 3_000, 100), Ratio::new(9, 25)));
        let variance = 0.36 * 95.0f64.powi(2) + 0.30 * 100.0f64.powi(2) - 4.2f64.powi(2);
        assert!((full.variance() - variance).abs() < 1e-9);
        // A stake that covers only part of the bet, under both readings.
        let part = single_bet(&rules, 100, 40, &COUNTS);
        assert_eq!(part.results().collect::<Vec<_>>(), [(-40, 30), (0, 34), (38, 36)]);
        let lose = rules.with("uncovered-bets=lose").unwrap().with("commission-on-banker=none").unwrap();
        let lose = single_bet(&lose, 100, 40, &COUNTS);
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
            single_bet(&TableRules::default(), bet, bet, &COUNTS).log_growth(bankroll)
        };
        let best = growth(fraction.value());
        for step in 1..50 {
            let away = f64::from(step) * 0.001;
            assert!(growth(fraction.value() + away) < best);
            assert!(growth((fraction.value() - away).max(0.0)) < best);
        }
        // A numerical search finds the same size. It also supports several opponents.
        let bet = single_bet(&TableRules::default(), 1_000, 1_000, &COUNTS);
        let size = bet.kelly_size(bankroll);
        assert!((size * 1_000.0 / bankroll as f64 - fraction.value()).abs() < 1e-9, "{size}");
        let lost = DealCounts { wins: 30, losses: 36, ..COUNTS };
        assert_eq!(kelly(lost, Payoff::with_commission(five)), Ratio::ZERO);
        assert_eq!(kelly(COUNTS, Payoff::with_commission("1".parse().unwrap())), Ratio::ZERO);
        assert_eq!(kelly(OutcomeWeights::default(), Payoff::with_commission(five)), Ratio::ZERO);
        assert_eq!(single_bet(&TableRules::default(), 20, 20, &lost).kelly_size(1_000), 0.0);
        assert_eq!(bet.log_growth(1_000), f64::NEG_INFINITY);
        assert_eq!([(5, 1)].into_iter().collect::<Distribution>().kelly_size(10), f64::INFINITY);
    }
}
