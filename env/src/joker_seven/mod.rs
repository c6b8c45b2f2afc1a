//! Joker Seven, in which players wager on the contents of a seven-card hand.
//!
#![doc = include_str!("rules.md")]
//!
//! - [`Rules`] has a field for each parameter and reading. [`Paytable`]s are data and have a row for each
//!   [`WagerKind`].
//! - [`Wager`] is one of the 28 spots on the layout, and [`Wins`] is the set of wagers that win on a hand.
//! - [`Game`] is the compiled form of the rules and a paytable. It returns the result of every wager on a hand.
//! - [`JokerSeven`] is the environment `JokerSeven-v0`, and [`Observation`] lists its observation encodings.

mod env;
mod game;

pub use env::{DEAL, GAME, ID, JokerSeven, JokerSevenOptions, MAX_PLAYERS, Observation, State};
pub use game::{CARDS, Game, Wins};

use crate::cards::Rank;
use crate::files::{self, NamedText};
use crate::paytable::{self, Bet};

/// The maximum number of chips that a player can bet in an episode, and the highest possible maximum for a wager.
pub const MAX_CHIPS: u32 = 100;

crate::rules! {
    /// The rules of Joker Seven.
    #[derive(Copy, Hash)]
    pub struct Rules {
        /// The minimum number of chips on a wager. Defaults to 1.
        parameter minimum: u32 = 1;
        /// The maximum number of chips on a wager. Defaults to 100.
        parameter maximum: u32 = 100;

        /// The hands that settle the wagers. This does not affect the probability of winning any wager, but it
        /// determines how the players' results are correlated.
        reading common_hand: CommonHand {
            /// A single hand settles the wagers of all players.
            OneHandForTheTable,
            /// Each player's wagers are settled by a separate hand from the same pack, as in New Jersey.
            OneHandPerPlayer,
        }

        /// The color on which a color wager wins.
        reading colour: Colour {
            /// The player names the color, so black and red are two different spots.
            OneNamedColour,
            /// A single spot wins with either color.
            EitherColour,
        }

        /// The treatment of two jokers as a pair.
        reading joker_pair: JokerPair {
            /// Two jokers count as a pair. The wager on no pair loses with them, and they count toward the wager on two
            /// pairs.
            Yes,
            /// Two jokers do not count as a pair.
            No,
        }

        /// The hands that win the wager on no pair.
        reading no_pair: NoPair {
            /// No two cards share a rank.
            NoTwoOfARank,
            /// No rank occurs exactly twice. Three or four of a kind does not count as a pair.
            NoRankExactlyTwice,
            /// No two cards share a rank, and the hand contains no joker.
            AnyJokerLoses,
        }

        /// The hands that win the wager on three of a kind.
        reading three_of_a_kind: ThreeOfAKind {
            /// Three or four cards share a rank.
            AtLeastThree,
            /// Exactly three cards share a rank. The other cards don't matter.
            ExactlyThree,
            /// Exactly three cards share a rank, and no other two cards do.
            ExactlyThreeAlone,
            /// Three or four cards share a rank, where jokers can stand for any rank.
            JokerWild,
        }

        /// The hands that win the wager on two pairs.
        reading two_pairs: TwoPairs {
            /// The hand contains two or more pairs.
            AtLeastTwo,
            /// The hand contains exactly two pairs.
            ExactlyTwo,
        }

        /// The treatment of three of a kind as a pair in the wager on two pairs.
        reading trips_hold_a_pair: TripsHoldAPair {
            /// Three of a kind counts as a pair.
            Yes,
            /// Three of a kind does not count as a pair.
            No,
        }

        /// The hands that win the wager on one joker.
        reading one_joker: OneJoker {
            /// The hand contains exactly one joker. Two jokers are a separate wager.
            ExactlyOne,
            /// The hand contains one or two jokers.
            AtLeastOne,
        }

        /// The hands that win a wager on a specific pair.
        reading specific_pair: SpecificPair {
            /// Two or more cards have the rank.
            AtLeastTwo,
            /// Exactly two cards have the rank.
            ExactlyTwo,
        }
    }
}

impl Rules {
    /// Checks the limits for wagers.
    ///
    /// # Errors
    /// Returns an error if the minimum is 0 or exceeds the maximum, or if the maximum exceeds [`MAX_CHIPS`].
    pub fn check(&self) -> Result<(), String> {
        let Rules { minimum, maximum, .. } = self;
        if *minimum == 0 || minimum > maximum || *maximum > MAX_CHIPS {
            return Err(format!(
                "invalid wager limits, {minimum} to {maximum} chips: the minimum must be at least 1, the maximum at \
                 least the minimum and at most {MAX_CHIPS}"
            ));
        }
        Ok(())
    }
}

/// The names and contents of the bundled paytables. The first one is the default.
pub const PAYTABLES: [NamedText; 2] = files::built_in!("paytables/joker-seven": "source", "new-jersey");

crate::named_enum! {
    /// A kind of wager. Kinds correspond to rows in the paytable. Wagers of the same kind differ only in color or
    /// rank.
    #[derive(PartialOrd, Ord)]
    #[allow(missing_docs)]
    pub enum WagerKind: kebab_case {
        FourOrMoreOfAColour,
        FourOfAColour,
        FiveOfAColour,
        SixOfAColour,
        SevenOfAColour,
        NoPair,
        TwoPairs,
        ThreeOfAKind,
        OneJoker,
        TwoJokers,
        SpecificPair,
    }
}

/// The wagers on the layout.
impl Bet for WagerKind {
    type Hand = WagerKind;
    const PAYTABLES: &'static [NamedText] = &PAYTABLES;
}

/// A row in a paytable.
pub type PayRow = paytable::PayRow<WagerKind>;

/// The odds for each kind of wager. A wager without a row is not on the layout. The default is the source's paytable.
pub type Paytable = paytable::Paytable<WagerKind>;

/// A spot on the layout.
///
/// | index | wager |
/// |---|---|
/// | 0 to 4 | four or more, four, five, six or seven black cards, or cards of either color if there is a single spot for both |
/// | 5 to 9 | the same for red cards; not on the layout if there is a single spot for both colors |
/// | 10 to 14 | no pair, two pairs, three of a kind, one joker, two jokers |
/// | 15 to 27 | a pair of aces, kings, ... or twos |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wager(u8);

impl Wager {
    /// The number of wagers.
    pub const COUNT: usize = 28;
    /// The index of the first wager on red.
    const RED: usize = 5;
    /// The index of the first wager that does not depend on color.
    const PLAIN: usize = 10;
    /// The index of the first wager on a specific pair.
    const PAIRS: usize = 15;

    /// Returns all wagers in layout order.
    pub fn all() -> impl ExactSizeIterator<Item = Wager> + Clone {
        (0..Self::COUNT as u8).map(Wager)
    }

    /// Returns the wager with this index from 0 to 27, or `None` if the index is out of range.
    pub const fn from_index(index: usize) -> Option<Wager> {
        if index < Self::COUNT { Some(Wager(index as u8)) } else { None }
    }

    /// Returns the index, from 0 to 27.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the kind of wager. This determines the row in the paytable.
    pub const fn kind(self) -> WagerKind {
        match self.index() {
            index @ 0..Self::PLAIN => WagerKind::ALL[index % Self::RED],
            index @ Self::PLAIN..Self::PAIRS => WagerKind::ALL[index - Self::RED],
            _ => WagerKind::SpecificPair,
        }
    }

    /// Returns the rank of a wager on a specific pair, or `None` for all other wagers.
    pub fn rank(self) -> Option<Rank> {
        self.index().checked_sub(Self::PAIRS).map(|place| Rank::from_index(12 - place))
    }

    /// Returns `true` if the wager is on the layout. If there is a single spot for both colors, the wagers on red are
    /// not.
    pub fn is_on_layout(self, rules: &Rules) -> bool {
        rules.colour == Colour::OneNamedColour || !(Self::RED..Self::PLAIN).contains(&self.index())
    }

    /// Returns the name of the wager, such as `4+-black`, `4-red`, `no-pair` or `pair-A`. With a single spot for both
    /// colors, the color reads `either`, as in `4+-either`.
    pub fn name(self, rules: &Rules) -> String {
        if let Some(rank) = self.rank() {
            return format!("pair-{rank}");
        }
        if self.index() >= Self::PLAIN {
            return self.kind().name().to_owned();
        }
        let number = ["4+", "4", "5", "6", "7"][self.index() % Self::RED];
        let colour = match rules.colour {
            Colour::EitherColour => "either",
            Colour::OneNamedColour if self.index() < Self::RED => "black",
            Colour::OneNamedColour => "red",
        };
        format!("{number}-{colour}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn parameters_are_checked_and_the_hash_is_stable() {
        let rules = |setting| Rules::default().with(setting).unwrap();
        assert_eq!(rules("minimum=5").check(), Ok(()));
        for setting in ["minimum=0", "minimum=101", "maximum=0", "maximum=101"] {
            assert!(rules(setting).check().unwrap_err().contains("invalid wager limits"), "{setting}");
        }
        // Committed results contain this hash, so only change it deliberately.
        assert_eq!(Rules::default().hash(), "01c4bbda3abe956f");
        assert_ne!(Rules::default().hash(), rules("minimum=5").hash());
    }

    #[test]
    fn names_are_those_of_the_layout() {
        let rules = Rules::default();
        let names: Vec<String> = Wager::all().map(|wager| wager.name(&rules)).collect();
        assert_eq!(
            names.join(" "),
            "4+-black 4-black 5-black 6-black 7-black 4+-red 4-red 5-red 6-red 7-red no-pair two-pairs three-of-a-kind \
             one-joker two-jokers pair-A pair-K pair-Q pair-J pair-T pair-9 pair-8 pair-7 pair-6 pair-5 pair-4 pair-3 pair-2"
        );
        let either = rules.with("colour=either_colour").unwrap();
        let on: Vec<Wager> = Wager::all().filter(|wager| wager.is_on_layout(&either)).collect();
        assert_eq!((on.len(), on[4].name(&either).as_str()), (23, "7-either"));
        for (index, wager) in Wager::all().enumerate() {
            assert_eq!(Wager::from_index(index), Some(wager));
        }
        assert_eq!(Wager::from_index(28), None);
    }

    #[test]
    fn the_paytables_are_the_columns_of_the_specification() {
        let odds = |name: &str| {
            let table = Paytable::load(name).unwrap();
            WagerKind::ALL.map(|kind| table.units(kind).unwrap())
        };
        assert_eq!(odds("source"), [1, 2, 5, 20, 40, 3, 3, 12, 3, 20, 10]);
        assert_eq!(odds("new-jersey"), [1, 2, 5, 15, 25, 3, 3, 12, 3, 20, 9]);
    }
}
