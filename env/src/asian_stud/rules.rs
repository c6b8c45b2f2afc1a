//! Rules of Asian Stud: parameters and readings.

use crate::money::Rate;
use crate::rank::{FiveRules, JokerUse};

crate::rules! {
    /// Rules of Asian Stud.
    #[derive(Copy, Hash)]
    pub struct Rules {
        /// Fraction of winnings that the house keeps; 0.05 by default.
        parameter commission_rate: Rate = Rate::FIVE_PERCENT;

        /// Points of the joker in the main game. If its holder chooses, the points are those that give the hand the
        /// highest value.
        reading joker: JokerPoints {
            /// One.
            One,
            /// There is no joker in the pack.
            None,
            /// Ten.
            Ten,
            /// One or ten, as its holder chooses.
            OneOrTen,
            /// Three, six or nine, as its holder chooses.
            ThreeSixNine,
            /// One to ten, as its holder chooses.
            Wild,
        }

        /// Result of a raised hand without a set against a dealer's set.
        reading no_set_against_set: NoSetAgainstSet {
            /// Ante and raise lose, as the published rules say.
            BothLose,
            /// Ante and raise are returned.
            BothReturned,
        }

        /// Bets to which the odds for a higher value apply.
        reading odds_on: OddsOn {
            /// The raise; the ante wins 1 to 1.
            Raise,
            /// Ante and raise.
            Both,
            /// The ante; the raise is returned.
            AnteOnly,
        }

        /// Winnings that are subject to commission.
        reading commission: Commission {
            /// All, including the ante won from a dealer without a set.
            Both,
            /// None, which follows the source literally.
            None,
            /// Winnings of the ante.
            Ante,
            /// Winnings of the raise.
            Raise,
            /// All except the ante won from a dealer without a set.
            BothExceptDealerNoSet,
        }

        /// Cards that the joker can represent in the side bet.
        reading joker_semiwild: JokerSemiwild {
            /// An ace, or the card that completes a straight, a flush, a straight flush or a royal flush.
            Semiwild,
            /// Any card.
            Wild,
        }

        /// Side bet of a player who folds.
        reading side_bet_on_fold: SideBetOnFold {
            /// It is settled like any other.
            Settled,
            /// It is lost.
            Lost,
        }
    }
}

impl JokerPoints {
    /// Returns the points that the joker may have.
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

impl JokerSemiwild {
    /// Returns the corresponding option for the ranking of hands.
    pub const fn joker_use(self) -> JokerUse {
        match self {
            JokerSemiwild::Semiwild => JokerUse::HalfWild,
            JokerSemiwild::Wild => JokerUse::Wild,
        }
    }
}

impl Rules {
    /// Returns the rules for ranking the poker hands of the side bet.
    pub fn five(self) -> FiveRules {
        FiveRules { joker: self.joker_semiwild.joker_use(), ..FiveRules::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn parameters_are_set_by_text_and_the_hash_is_stable() {
        let rules = Rules::default().with("commission-rate=0.04").unwrap();
        assert_eq!(rules.commission_rate.millionths(), 40_000);
        assert!(Rules::default().with("commission-rate=2").is_err());
        // Committed results contain this hash, so change it only deliberately.
        assert_eq!(Rules::default().hash(), "629513c2b4a60e5c");
        assert_ne!(Rules::default().hash(), rules.hash());
    }
}
