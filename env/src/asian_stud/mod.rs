//! Asian Stud, in which five cards are split into three and two and compared with the dealer's.
//!
#![doc = include_str!("rules.md")]
//!
//! - [`Rules`] has a field for each parameter and reading.
//! - [`Game`] is the compiled form of the rules. It returns the [`Value`] of a hand and its net result in millionths of
//!   the ante. It also settles the poker side bet, whose [`Paytable`]s are data.
//! - [`AsianStud`] is the environment `AsianStud-v0`, and [`Observation`] lists its observation encodings.

mod env;
mod game;

pub use env::{AsianStud, AsianStudOptions, FOLD, GAME, ID, MAX_PLAYERS, Observation, RAISE, State};
pub use game::{FOLDED, Game, Hand, Points, UNIT, Value};

use crate::files::{self, NamedText};
use crate::money::Rate;
use crate::paytable::{self, Bet};
use crate::rank::{Category, FiveRules, JokerUse};

crate::rules! {
    /// The rules of Asian Stud.
    #[derive(Copy, Hash)]
    pub struct Rules {
        /// The fraction of winnings that the house keeps. Defaults to 0.05.
        parameter commission_rate: Rate = Rate::FIVE_PERCENT;

        /// The number of points the joker is worth in the main game. If the holder may choose, the joker counts as
        /// whatever gives the hand its highest value.
        reading joker: JokerPoints {
            /// The joker is worth one point.
            One,
            /// The pack contains no joker.
            None,
            /// The joker is worth ten points.
            Ten,
            /// The holder may count the joker as one or ten points.
            OneOrTen,
            /// The holder may count the joker as three, six or nine points.
            ThreeSixNine,
            /// The holder may count the joker as any number of points from one to ten.
            Wild,
        }

        /// The result when a player raises without a set and the dealer has one.
        reading no_set_against_set: NoSetAgainstSet {
            /// The ante and the raise both lose, as in the published rules.
            BothLose,
            /// The ante and the raise are both returned.
            BothReturned,
        }

        /// The bets that are paid at the odds for a higher value.
        reading odds_on: OddsOn {
            /// The odds apply to the raise, and the ante pays 1 to 1.
            Raise,
            /// The odds apply to both the ante and the raise.
            Both,
            /// The odds apply to the ante, and the raise is returned.
            AnteOnly,
        }

        /// The winnings that are subject to commission.
        reading commission: Commission {
            /// Commission is charged on all winnings, including an ante won because the dealer has no set.
            Both,
            /// No commission is charged. This follows the source literally.
            None,
            /// Commission is charged only on what the ante wins.
            Ante,
            /// Commission is charged only on what the raise wins.
            Raise,
            /// Commission is charged on all winnings except an ante won because the dealer has no set.
            BothExceptDealerNoSet,
        }

        /// The cards that the joker can stand for in the side bet.
        reading joker_semiwild: JokerSemiwild {
            /// The joker stands for an ace, or for a card that completes a straight, a flush, a straight flush or a
            /// royal flush.
            Semiwild,
            /// The joker stands for any card.
            Wild,
        }

        /// The result of the side bet when its player folds.
        reading side_bet_on_fold: SideBetOnFold {
            /// The side bet is settled as usual.
            Settled,
            /// The side bet loses.
            Lost,
        }
    }
}

impl JokerPoints {
    /// Returns the point values that the joker's holder can choose from.
    pub const fn choices(self) -> &'static [u8] {
        match self {
            JokerPoints::One => &[1],
            JokerPoints::None => &[],
            JokerPoints::Ten => &[10],
            JokerPoints::OneOrTen => &[1, 10],
            JokerPoints::ThreeSixNine => &[3, 6, 9],
            JokerPoints::Wild => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        }
    }

    /// Returns the number of cards in the pack.
    pub const fn cards(self) -> usize {
        match self {
            JokerPoints::None => 52,
            _ => 53,
        }
    }
}

impl Rules {
    /// Returns the rules for ranking the side bet's poker hands.
    pub fn five(self) -> FiveRules {
        let joker = match self.joker_semiwild {
            JokerSemiwild::Semiwild => JokerUse::HalfWild,
            JokerSemiwild::Wild => JokerUse::Wild,
        };
        FiveRules { joker, ..FiveRules::default() }
    }
}

/// The names and contents of the bundled paytables. The first one is the default. The payouts vary between casinos and
/// aren't part of the published rules, so the bundled paytables are labeled as examples. A hand is paid by the
/// row with the highest odds among those for its category and for the categories that it contains: a straight flush is
/// also a flush and a straight, and a full house is also three of a kind. It loses if there is no such row.
pub const PAYTABLES: [NamedText; 2] =
    files::built_in!("paytables/asian-stud": "example-three-of-a-kind", "example-pair");

/// The poker side bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PokerBet;

impl Bet for PokerBet {
    type Hand = Category;
    const PAYTABLES: &'static [NamedText] = &PAYTABLES;
    const PLAYERS: u32 = MAX_PLAYERS as u32;

    fn pays(row: Category, hand: Category) -> bool {
        hand.is_also(row)
    }
}

/// A row in the side bet's paytable.
pub type PayRow = paytable::PayRow<Category>;

/// A paytable for the side bet.
pub type Paytable = paytable::Paytable<PokerBet>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn parameters_are_set_by_text_and_the_hash_is_stable() {
        let rules = Rules::default().with("commission-rate=0.04").unwrap();
        assert_eq!(rules.commission_rate.millionths(), 40_000);
        assert!(Rules::default().with("commission-rate=2").is_err());
        // Committed results contain this hash, so only change it deliberately.
        assert_eq!(Rules::default().hash(), "629513c2b4a60e5c");
        assert_ne!(Rules::default().hash(), rules.hash());
    }

    #[test]
    fn hands_are_paid_by_their_category() {
        let semiwild = Game::new(Rules::default());
        let wild = Game::new(Rules::default().with("joker-semiwild=wild").unwrap());
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
        assert_eq!(semiwild.side_net("Jk As Ah Ad Ac".parse().unwrap()), 1_000);
        assert_eq!(semiwild.side_net("Ks Kh 3d 3c 9s".parse().unwrap()), -1);
    }
}
