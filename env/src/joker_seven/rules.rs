//! Rules of Joker Seven: parameters and readings.

/// Maximum number of chips per player in an episode, and per wager.
pub const MAX_CHIPS: u32 = 100;

crate::rules! {
    /// Rules of Joker Seven.
    #[derive(Copy, Hash)]
    pub struct Rules {
        /// Minimum number of chips on a wager; 1 by default.
        parameter minimum: u32 = 1;
        /// Maximum number of chips on a wager; 100 by default.
        parameter maximum: u32 = 100;

        /// Hands that settle the wagers. This does not affect the probability of any wager, only how the results of
        /// several players are correlated.
        reading common_hand: CommonHand {
            /// One hand for all players.
            OneHandForTheTable,
            /// A hand for every player, all from one pack, as in New Jersey.
            OneHandPerPlayer,
        }

        /// Colour of a colour wager.
        reading colour: Colour {
            /// The player names it, so black and red are two spots.
            OneNamedColour,
            /// There is one spot, which wins on either colour.
            EitherColour,
        }

        /// Treatment of two jokers as a pair.
        reading joker_pair: JokerPair {
            /// They are a pair: the wager on no pair loses with them, and the wager on two pairs includes them.
            Yes,
            /// They are not a pair.
            No,
        }

        /// Hands on which the wager on no pair wins.
        reading no_pair: NoPair {
            /// No two cards share a rank.
            NoTwoOfARank,
            /// No rank occurs exactly twice; three or four of a kind is not a pair.
            NoRankExactlyTwice,
            /// No two cards share a rank, and there is no joker.
            AnyJokerLoses,
        }

        /// Hands on which the wager on three of a kind wins.
        reading three_of_a_kind: ThreeOfAKind {
            /// Three or four of a rank.
            AtLeastThree,
            /// Exactly three of a rank, whatever the other cards.
            ExactlyThree,
            /// Exactly three of a rank, and no two of any other rank.
            ExactlyThreeAlone,
            /// Three or four of a rank, including jokers.
            JokerWild,
        }

        /// Hands on which the wager on two pairs wins.
        reading two_pairs: TwoPairs {
            /// Two pairs or more.
            AtLeastTwo,
            /// Exactly two pairs.
            ExactlyTwo,
        }

        /// Treatment of three of a kind as a pair for the wager on two pairs.
        reading trips_hold_a_pair: TripsHoldAPair {
            /// It includes a pair.
            Yes,
            /// It does not.
            No,
        }

        /// Hands on which the wager on one joker wins.
        reading one_joker: OneJoker {
            /// Exactly one joker; two are a separate wager.
            ExactlyOne,
            /// One or two jokers.
            AtLeastOne,
        }

        /// Hands on which a wager on a specific pair wins.
        reading specific_pair: SpecificPair {
            /// Two or more cards of the rank.
            AtLeastTwo,
            /// Exactly two cards of the rank.
            ExactlyTwo,
        }
    }
}

impl Rules {
    /// Checks the wager limits.
    ///
    /// # Errors
    /// Returns an error if the minimum is 0 or above the maximum, or if the maximum is above [`MAX_CHIPS`].
    pub fn check(&self) -> Result<(), String> {
        let Rules { minimum, maximum, .. } = self;
        if *minimum == 0 || minimum > maximum || *maximum > MAX_CHIPS {
            return Err(format!(
                "invalid wager limits, {minimum} to {maximum} chips: write a minimum from 1 and a maximum from it to {MAX_CHIPS}"
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
            assert!(rules(setting).check().unwrap_err().contains("invalid wager limits"), "{setting}");
        }
        // Committed results contain this hash, so change it only deliberately.
        assert_eq!(Rules::default().hash(), "01c4bbda3abe956f");
        assert_ne!(Rules::default().hash(), rules("minimum=5").hash());
    }
}
