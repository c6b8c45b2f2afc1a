//! Rules of Joker Seven: parameters and readings.

/// Maximum chips of a player in an episode, and of a wager.
pub const MAX_CHIPS: u32 = 100;

crate::rules! {
    /// Rules of Joker Seven.
    #[derive(Copy, Hash)]
    pub struct Rules {
        /// Minimum chips of a wager. 1 by default.
        parameter minimum: u32 = 1;
        /// Maximum chips of a wager. 100 by default.
        parameter maximum: u32 = 100;

        /// Hands that settle the wagers. Changes no wager's probability, only how the results of several players are
        /// correlated.
        reading common_hand: CommonHand {
            /// One hand for all players.
            OneHandForTheTable,
            /// A hand for every player, from one pack, as in New Jersey.
            OneHandPerPlayer,
        }

        /// Colour of a colour wager.
        reading colour: Colour {
            /// The player names it: black and red are two spots.
            OneNamedColour,
            /// There is one spot, which wins on either colour.
            EitherColour,
        }

        /// Two jokers as a pair.
        reading joker_pair: JokerPair {
            /// They are a pair: no pair loses on them, and two pairs counts them.
            Yes,
            /// They are not.
            No,
        }

        /// Hands on which no pair wins.
        reading no_pair: NoPair {
            /// No two cards share a rank.
            NoTwoOfARank,
            /// No rank occurs exactly twice: three or four of a kind are no pair.
            NoRankExactlyTwice,
            /// As the first, and no joker.
            AnyJokerLoses,
        }

        /// Hands on which three of a kind wins.
        reading three_of_a_kind: ThreeOfAKind {
            /// Three or four of a rank.
            AtLeastThree,
            /// Exactly three of a rank, whatever the other cards are.
            ExactlyThree,
            /// Exactly three of a rank, and no two of any other.
            ExactlyThreeAlone,
            /// Three or four of a rank, jokers included.
            JokerWild,
        }

        /// Hands on which two pairs wins.
        reading two_pairs: TwoPairs {
            /// Two pairs or more.
            AtLeastTwo,
            /// Exactly two.
            ExactlyTwo,
        }

        /// Three of a kind as a pair for the wager on two pairs.
        reading trips_hold_a_pair: TripsHoldAPair {
            /// They hold a pair.
            Yes,
            /// They do not.
            No,
        }

        /// Hands on which one joker wins.
        reading one_joker: OneJoker {
            /// Exactly one joker; two are a separate wager.
            ExactlyOne,
            /// One or two jokers.
            AtLeastOne,
        }

        /// Hands on which a specific pair wins.
        reading specific_pair: SpecificPair {
            /// Two cards of the rank or more.
            AtLeastTwo,
            /// Exactly two.
            ExactlyTwo,
        }
    }
}

impl Rules {
    /// Checks the limits of wagers.
    ///
    /// # Errors
    /// Returns an error if the minimum is 0 or above the maximum, or the maximum above [`MAX_CHIPS`].
    pub fn check(&self) -> Result<(), String> {
        let Rules { minimum, maximum, .. } = self;
        if *minimum == 0 || minimum > maximum || *maximum > MAX_CHIPS {
            return Err(format!(
                "invalid limits of wagers, {minimum} to {maximum} chips: write a minimum from 1 and a maximum from it to {MAX_CHIPS}"
            ));
        }
        Ok(())
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
            assert!(rules(setting).check().unwrap_err().contains("invalid limits"), "{setting}");
        }
        // Committed results carry this hash: a change of it must be meant.
        assert_eq!(Rules::default().hash(), "01c4bbda3abe956f");
        assert_ne!(Rules::default().hash(), rules("minimum=5").hash());
    }
}
