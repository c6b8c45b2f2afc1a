//! Face Up Pai Gow Poker, in which the dealer's hand is shown and set before the player's.
//!
#![doc = include_str!("rules.md")]
//!
//! - [`Rules`] contains the readings and variants.
//! - [`FaceUpGame`] is the game under given rules. [`FaceUpPaiGow`] is the environment `FaceUpPaiGow-v0`.
//! - [`Observation`] lists its observation encodings.

mod env;

pub use env::{FaceUpGame, FaceUpPaiGow, GAME, ID, Observation};

use crate::money::Rate;
use crate::pai_gow::{self, BankPushes, EqualSetting};
use crate::rank::{JokerInFlush, WheelStraight, WheelStraightFlush};

crate::rules! {
    /// The rules of Face Up Pai Gow Poker.
    #[derive(Copy, Hash)]
    pub struct Rules {
        /// The rank of a suited A-2-3-4-5 among straight flushes.
        reading wheel_straight_flush: WheelStraightFlush;

        /// The rank that the joker takes in a flush.
        reading joker_in_flush: JokerInFlush;

        /// The legality of a setting whose front equals the corresponding part of its back.
        reading equal_setting: EqualSetting;

        /// The rank of an unsuited A-2-3-4-5 among straights.
        variant wheel_straight: WheelStraight;

        /// The dealer hands against which every bet pushes.
        variant dealer_pushes: DealerPushes {
            /// An ace-high pai gow. The ace may be the joker.
            AceHighPaiGow,
            /// No dealer hand pushes all bets.
            None,
        }
    }
}

impl Rules {
    /// Returns the Pai Gow Poker rules that determine how hands are set and compared.
    pub fn pai_gow(self) -> pai_gow::Rules {
        pai_gow::Rules {
            commission: Rate::ZERO,
            wheel_straight_flush: self.wheel_straight_flush,
            joker_in_flush: self.joker_in_flush,
            equal_setting: self.equal_setting,
            wheel_straight: self.wheel_straight,
            bank_pushes: match self.dealer_pushes {
                DealerPushes::AceHighPaiGow => BankPushes::AceHighPaiGow,
                DealerPushes::None => BankPushes::None,
            },
            ..pai_gow::Rules::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn the_rules_are_those_of_pai_gow_poker_without_commission() {
        let rules = Rules::default().pai_gow();
        assert_eq!(rules.changes(), ["bank-pushes=ace_high_pai_gow", "commission=0.0"]);
        let other = Rules::default().with("dealer-pushes=none").unwrap().with("equal-setting=foul").unwrap();
        assert_eq!(other.pai_gow().changes(), ["commission=0.0", "equal-setting=foul"]);
    }
}
