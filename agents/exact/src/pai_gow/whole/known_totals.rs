//! The value of a known card, as totals over all hands and known cards.

use super::known_card::{HANDS_BESIDE_CARD, KnownCardCounts, KnownCardGame};
use super::payoff::Payoff;
use super::run::Run;
use super::totals::DealCounts;
use crate::Ratio;
use crate::solver::Cancelled;
use houseway_env::cards::Rank;
use houseway_env::money::Rate;
use houseway_env::pai_gow::Setting;

/// Totals over pairs of a player's hand and a known card. Each pair stands for 45,379,620 deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownCardTotals {
    /// The number of pairs of a hand and a known card.
    pub pairs: u64,
    /// The number of pairs for which another setting is better than the best one without the known card.
    pub changed: u64,
    /// The outcome counts for the settings that are best without the known card. Copies aren't counted.
    pub without: DealCounts,
    /// The outcome counts for the best settings given the known card. Copies aren't counted.
    pub with: DealCounts,
}

/// The totals for each known card, up to its suit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownCardValues {
    ranks: [KnownCardTotals; Rank::ALL.len()],
    joker: KnownCardTotals,
}

impl KnownCardTotals {
    /// Adds two totals.
    #[must_use]
    pub const fn plus(self, more: KnownCardTotals) -> KnownCardTotals {
        KnownCardTotals {
            pairs: self.pairs + more.pairs,
            changed: self.changed + more.changed,
            without: self.without.plus(more.without),
            with: self.with.plus(more.with),
        }
    }

    /// Returns the value of the known card, i.e. the difference between the EVs with and without it, per unit staked.
    ///
    /// # Panics
    /// Panics if there are no pairs.
    pub fn gain(&self, payoff: Payoff) -> Ratio {
        // Each number of deals fits in an `i64`.
        let gained = |with: u64, without: u64| i128::from(with) - i128::from(without);
        let wins = gained(self.with.wins, self.without.wins) * i128::from(payoff.win);
        let losses = gained(self.with.losses, self.without.losses) * i128::from(payoff.loss);
        Ratio::new(wins - losses, i128::from(self.with.deals()) * i128::from(Rate::WHOLE))
    }

    /// Returns the fraction of pairs for which another setting is better because of the known card.
    ///
    /// # Panics
    /// Panics if there are no pairs.
    pub fn changed_fraction(&self) -> Ratio {
        Ratio::new(self.changed.into(), self.pairs.into())
    }

    fn add(&mut self, counts: &KnownCardCounts<'_>, payoff: Payoff) {
        let without = counts.class.best(payoff);
        let best = counts.class.legal_settings().map(|setting| counts.gain(setting, payoff)).max();
        let best = best.expect("every hand has a legal setting");
        let is_best = |setting: Setting| counts.gain(setting, payoff) == best;
        let with = if is_best(without) {
            without
        } else {
            counts.class.legal_settings().find(|&setting| is_best(setting)).expect("one of the settings is the best")
        };
        let orbit = u64::from(counts.class.orbit);
        self.pairs += orbit;
        self.changed += if with == without { 0 } else { orbit };
        for (totals, setting) in [(&mut self.without, without), (&mut self.with, with)] {
            let [wins, losses] = [counts.wins, counts.losses].map(|numbers| u64::from(numbers[setting.index()]));
            totals.wins += orbit * wins;
            totals.losses += orbit * losses;
            totals.pushes += orbit * (HANDS_BESIDE_CARD - wins - losses);
        }
    }
}

impl KnownCardValues {
    /// Returns the totals for all cards of a rank, or for the joker if there is no rank.
    pub fn of(&self, rank: Option<Rank>) -> &KnownCardTotals {
        rank.map_or(&self.joker, |rank| &self.ranks[rank.index()])
    }

    /// Returns the totals for all known cards together.
    pub fn all(&self) -> KnownCardTotals {
        self.ranks.iter().copied().fold(self.joker, KnownCardTotals::plus)
    }

    fn add(&mut self, counts: &KnownCardCounts<'_>, payoff: Payoff) {
        let totals = counts.card.rank().map_or(&mut self.joker, |rank| &mut self.ranks[rank.index()]);
        totals.add(counts, payoff);
    }

    fn plus(mut self, more: KnownCardValues) -> KnownCardValues {
        self.ranks.iter_mut().zip(more.ranks).for_each(|(totals, more)| *totals = totals.plus(more));
        self.joker = self.joker.plus(more.joker);
        self
    }
}

impl KnownCardGame<'_> {
    /// Computes the value of a known card over all hands in the run and all other cards. The whole game takes minutes.
    ///
    /// If several settings are equally good without the known card, the one with the lowest index is chosen. Leaving out
    /// dominated settings doesn't affect the value. If a dominated setting is as good as the one that dominates it, both
    /// have the same result against every banker hand, and hence with every known card.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn count(&self, run: &Run<'_>) -> Result<KnownCardValues, Cancelled> {
        let payoff = Payoff::player(self.game().rules().commission);
        let visit = |values: &mut KnownCardValues, counts: &KnownCardCounts<'_>| values.add(counts, payoff);
        self.fold(run, KnownCardValues::default, visit, KnownCardValues::plus)
    }
}
