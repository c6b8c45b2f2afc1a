//! The rules of Joker Seven, consisting of parameters and readings.

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
}
