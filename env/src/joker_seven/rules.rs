//! Parameters and readings of Joker Seven, as plain data.

use crate::rules::{RuleReading, RuleSet};
use serde::{Deserialize, Serialize};

/// A reading of two options or more, the default first.
macro_rules! reading {
    ($(#[$doc:meta])* $name:ident { $(#[$first_doc:meta])* $first:ident, $($(#[$other_doc:meta])* $other:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $(#[$first_doc])*
            #[default]
            $first,
            $($(#[$other_doc])* $other,)+
        }
    };
}

reading! {
    /// Whose hand settles the wagers; **[reading: common-hand]**. It changes no wager's chance, only how the results of
    /// several players hang together.
    CommonHand {
        /// One hand for all players.
        OneHandForTheTable,
        /// A hand for every player, from one pack, as in New Jersey.
        OneHandPerPlayer,
    }
}
reading! {
    /// Who names the colour of a colour wager; **[reading: colour]**.
    Colour {
        /// The player: black and red are two spots.
        OneNamedColour,
        /// Nobody: there is one spot, which wins whichever colour has the number.
        EitherColour,
    }
}
reading! {
    /// Whether two jokers are a pair; **[reading: joker-pair]**.
    JokerPair {
        /// They are one: no pair loses on them, and two pairs counts them.
        Yes,
        /// They are not.
        No,
    }
}
reading! {
    /// When no pair wins; **[reading: no-pair]**.
    NoPair {
        /// If no two cards share a rank.
        NoTwoOfARank,
        /// If no rank is there exactly twice: three or four of a kind are no pair.
        NoRankExactlyTwice,
        /// As the first, and no joker.
        AnyJokerLoses,
    }
}
reading! {
    /// When three of a kind wins; **[reading: three-of-a-kind]**.
    ThreeOfAKind {
        /// With three or four of a rank.
        AtLeastThree,
        /// With exactly three of a rank, whatever stands beside them.
        ExactlyThree,
        /// With exactly three of a rank, and no two of any other.
        ExactlyThreeAlone,
        /// With three or four of a rank, jokers counted to it.
        JokerWild,
    }
}
reading! {
    /// When two pairs wins; **[reading: two-pairs]**.
    TwoPairs {
        /// With two pairs or more.
        AtLeastTwo,
        /// With exactly two.
        ExactlyTwo,
    }
}
reading! {
    /// Whether three of a kind hold a pair for the wager on two pairs; **[reading: trips-hold-a-pair]**.
    TripsHoldAPair {
        /// They do.
        Yes,
        /// They do not.
        No,
    }
}
reading! {
    /// When one joker wins; **[reading: one-joker]**.
    OneJoker {
        /// With exactly one: the other is a wager of its own.
        ExactlyOne,
        /// With one or two.
        AtLeastOne,
    }
}
reading! {
    /// When a specific pair wins; **[reading: specific-pair]**.
    SpecificPair {
        /// With two cards of the rank or more.
        AtLeastTwo,
        /// With exactly two.
        ExactlyTwo,
    }
}

/// Rules of Joker Seven: parameters and readings. Every field has the default of the specification, and unknown fields are
/// refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rules {
    /// The fewest chips that a wager takes. 1 by default.
    pub minimum: u32,
    /// The most chips that a wager takes. 100 by default.
    pub maximum: u32,
    /// Whose hand settles the wagers.
    pub common_hand: CommonHand,
    /// Who names the colour.
    pub colour: Colour,
    /// Two jokers as a pair.
    pub joker_pair: JokerPair,
    /// The wager on no pair.
    pub no_pair: NoPair,
    /// The wager on three of a kind.
    pub three_of_a_kind: ThreeOfAKind,
    /// The wager on two pairs.
    pub two_pairs: TwoPairs,
    /// Three of a kind in the wager on two pairs.
    pub trips_hold_a_pair: TripsHoldAPair,
    /// The wager on one joker.
    pub one_joker: OneJoker,
    /// The wagers on specific pairs.
    pub specific_pair: SpecificPair,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            minimum: 1,
            maximum: 100,
            common_hand: CommonHand::default(),
            colour: Colour::default(),
            joker_pair: JokerPair::default(),
            no_pair: NoPair::default(),
            three_of_a_kind: ThreeOfAKind::default(),
            two_pairs: TwoPairs::default(),
            trips_hold_a_pair: TripsHoldAPair::default(),
            one_joker: OneJoker::default(),
            specific_pair: SpecificPair::default(),
        }
    }
}

/// The readings among the fields of [`Rules`].
pub const READINGS: &[RuleReading] = &[
    ("common-hand", &["one_hand_for_the_table", "one_hand_per_player"]),
    ("colour", &["one_named_colour", "either_colour"]),
    ("joker-pair", &["yes", "no"]),
    ("no-pair", &["no_two_of_a_rank", "no_rank_exactly_twice", "any_joker_loses"]),
    ("three-of-a-kind", &["at_least_three", "exactly_three", "exactly_three_alone", "joker_wild"]),
    ("two-pairs", &["at_least_two", "exactly_two"]),
    ("trips-hold-a-pair", &["yes", "no"]),
    ("one-joker", &["exactly_one", "at_least_one"]),
    ("specific-pair", &["at_least_two", "exactly_two"]),
];

impl RuleSet for Rules {
    const READINGS: &'static [RuleReading] = READINGS;
}

impl Rules {
    /// Says what cannot be played with, and what to write instead.
    ///
    /// # Errors
    /// If the minimum is 0 or above the maximum, or the maximum above
    /// [`HIGHEST_CHIPS`](super::HIGHEST_CHIPS).
    pub fn check(&self) -> Result<(), String> {
        let Rules { minimum, maximum, .. } = self;
        if *minimum == 0 || minimum > maximum || *maximum > super::HIGHEST_CHIPS {
            let highest = super::HIGHEST_CHIPS;
            return Err(format!(
                "a wager of {minimum} to {maximum} chips cannot be; write a minimum from 1 on and a maximum from it to {highest}"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_readings_is_that_of_the_fields() {
        let fields = Rules::defaults();
        assert_eq!(fields.len(), READINGS.len() + 2, "every field but minimum and maximum is a reading");
        for (name, options) in READINGS {
            assert_eq!(fields[*name].as_str(), Some(options[0]), "the default stands first");
            for option in *options {
                assert!(Rules::default().with(&format!("{name}={option}")).is_ok(), "{name}={option}");
            }
            let error = Rules::default().with(&format!("{name}=nonsense")).unwrap_err().to_string();
            assert!(options.iter().all(|option| error.contains(option)), "{error}");
        }
    }

    #[test]
    fn parameters_are_checked_and_the_hash_is_stable() {
        let rules = |setting| Rules::default().with(setting).unwrap();
        assert_eq!(rules("minimum=5").check(), Ok(()));
        for setting in ["minimum=0", "minimum=101", "maximum=0", "maximum=101"] {
            assert!(rules(setting).check().unwrap_err().contains("chips cannot be"), "{setting}");
        }
        // Committed results carry this hash: a change of it must be meant.
        assert_eq!(Rules::default().hash(), "01c4bbda3abe956f");
        assert_ne!(Rules::default().hash(), rules("minimum=5").hash());
    }
}
