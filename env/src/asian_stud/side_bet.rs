//! The poker side bet and its paytables.
//!
//! The payouts vary between casinos and aren't part of the published rules, so the bundled paytables are labeled as
//! examples. A hand is paid according to the row for its category and loses if there is none.

use super::{Hand, Rules};
use crate::cards::Rank;
use crate::files::{self, NamedText};
use crate::paytable::{self, Bet};
use crate::rank::{Category, Ranking};

/// The names and contents of the bundled paytables. The first one is the default.
pub const PAYTABLES: [NamedText; 2] =
    files::built_in!("paytables/asian-stud": "example-three-of-a-kind", "example-pair");

/// The poker side bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PokerBet;

impl Bet for PokerBet {
    type Hand = Category;
    const PAYTABLES: &'static [NamedText] = &PAYTABLES;
}

/// A row in the side bet's paytable.
pub type PayRow = paytable::PayRow<Category>;

/// A paytable for the side bet.
pub type Paytable = paytable::Paytable<PokerBet>;

/// The side bet with its paytable and the ranking of poker hands.
#[derive(Clone)]
pub struct SideBet {
    paytable: Paytable,
    ranking: &'static Ranking,
}

impl SideBet {
    /// Creates a side bet. The first time in each process, this takes a few milliseconds to build the ranking.
    pub fn new(paytable: Paytable, rules: &Rules) -> SideBet {
        SideBet { paytable, ranking: Ranking::shared(rules.five()) }
    }

    /// Returns the paytable.
    pub fn paytable(&self) -> &Paytable {
        &self.paytable
    }

    /// Returns the poker hand that five cards make. Only aces can make five of a kind. With four of any other rank, a
    /// wild joker counts as an unrelated fifth card.
    #[inline]
    pub fn category(&self, hand: Hand) -> Category {
        let category = self.ranking.category(self.ranking.five(hand.set()));
        let aces = || hand.set().iter().filter(|card| card.rank() == Some(Rank::Ace)).count();
        if category == Category::FiveAces && aces() < 4 { Category::FourOfAKind } else { category }
    }

    /// Returns the net result per unit staked. This is the odds if the bet wins and -1 otherwise.
    pub fn net(&self, hand: Hand) -> i64 {
        self.paytable.units(self.category(hand)).map_or(-1, i64::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn hands_are_paid_by_their_category() {
        let semiwild = SideBet::new(Paytable::default(), &Rules::default());
        let wild = SideBet::new(Paytable::default(), &Rules::default().with("joker-semiwild=wild").unwrap());
        let categories = |hand: &str| {
            let hand = hand.parse().unwrap();
            (semiwild.category(hand).name(), wild.category(hand).name())
        };
        assert_eq!(categories("Jk As Ah Ad Ac"), ("five aces", "five aces"));
        assert_eq!(categories("Jk Ks Qs Js Ts"), ("royal flush", "royal flush"));
        assert_eq!(categories("Jk 5s 4s 3s 2s"), ("straight flush", "straight flush"));
        assert_eq!(categories("Jk 9s 9h 9d Kc"), ("three of a kind", "four of a kind"));
        assert_eq!(categories("Jk 9s 9h 9d 9c"), ("four of a kind", "four of a kind"));
        assert_eq!(categories("Jk 9s 9h Kd Kc"), ("two pairs", "full house"));
        assert_eq!(categories("Jk 9s 9h 4d Kc"), ("one pair", "three of a kind"));
        assert_eq!(categories("Jk 9s 7h 4d Kc"), ("high card", "one pair"));
        assert_eq!(categories("5s 4h 3d 2c As"), ("straight", "straight"));
        assert_eq!(semiwild.net("Jk As Ah Ad Ac".parse().unwrap()), 1_000);
        assert_eq!(semiwild.net("Ks Kh 3d 3c 9s".parse().unwrap()), -1);
    }
}
