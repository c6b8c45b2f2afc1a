//! The rules of Pai Gow Poker, consisting of the commission, readings and variants.
//!
//! The readings of a house way are stored in its file. The readings for player banking are in
//! [`TableRules`](super::table::TableRules).

use crate::cards::Rank;
use crate::money::{Collection, CommissionBet, Rate};
use crate::names::InvalidText;
use crate::rank::{FiveRules, JokerInFlush, JokerUse, WheelStraight, WheelStraightFlush};
use crate::rules::RuleSet;
use serde::{Deserialize, Deserializer, de};

/// The maximum commission. Higher values are rejected because they were probably meant as percentages.
const MAX_COMMISSION: Rate = Rate::from_millionths(100_000).unwrap();

fn commission<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rate, D::Error> {
    let range =
        format!("the commission must be a decimal from 0 to {MAX_COMMISSION} with at most six places, such as 0.05");
    match Rate::deserialize(deserializer) {
        Ok(rate) if rate <= MAX_COMMISSION => Ok(rate),
        Ok(rate) => Err(de::Error::custom(format!("invalid rate '{rate}': {range}"))),
        Err(error) => {
            // A rate can be larger than a commission, so its own range would be misleading.
            let text = error.to_string();
            let invalid = text.split(": expected").next().unwrap_or_default();
            Err(de::Error::custom(format!("{invalid}: {range}")))
        }
    }
}

crate::rules! {
    /// The rules of the single-player game, consisting of the commission, readings and variants.
    #[derive(Copy, Hash)]
    pub struct Rules {
        /// The fraction of a winning stake that the house keeps, from 0 to 0.1. Defaults to 0.05.
        parameter commission: Rate = Rate::FIVE_PERCENT, deserialize_with "commission";

        /// The rank of a suited A-2-3-4-5 among straight flushes.
        reading wheel_straight_flush: WheelStraightFlush;

        /// The rank that the joker takes in a flush.
        reading joker_in_flush: JokerInFlush;

        /// The legality of a setting whose front equals the corresponding part of its back.
        reading equal_setting: EqualSetting {
            /// The setting is legal, as in "The two-card hand may not be higher."
            Legal,
            /// The setting is a foul, as in "The five-card hand must be stronger." Four of a kind can't be split into two
            /// pairs then. Most built-in house ways have no rule for some of these hands and are refused; `houseway-4` sets
            /// all hands.
            Foul,
        }

        /// The meaning of "the best hand" in the side bet.
        reading side_bet_best: SideBetBest {
            /// Of all rows that the seven cards qualify for, the side bet pays the one with the highest odds.
            BestPaid,
            /// The side bet pays the row for the highest-ranking hand.
            BestRank,
        }

        /// The winner of a copy. A copy is a tie between the backs or the fronts.
        variant copies: Copies {
            /// The banker wins copies, as in every casino's rules.
            Banker,
            /// The player wins copies.
            Player,
            /// Nobody wins copies, so the other comparison decides. A copy with a win is a win, a copy with a loss is a
            /// loss, and two copies are a push. A primer for players describes the commission-free game in Washington's
            /// card rooms this way: "If one hand ties, the winner of the other hand wins". It expects two ties to be a
            /// push (ruleslawyer.blogspot.com, "Pai gow primer", 2007).
            Pushed,
        }

        /// The rank of an unsuited A-2-3-4-5 among straights.
        variant wheel_straight: WheelStraight;

        /// The cards that the joker can stand for.
        variant joker: JokerUse;

        /// The banker hands against which every bet pushes, no matter who banks and what the player holds. Casinos with
        /// such a rule don't charge a commission. This variant doesn't change `commission`, so set it as well.
        variant bank_pushes: BankPushes {
            /// No banker hand pushes all bets.
            None,
            /// All bets push if the front has two different ranks, the higher of which is an eight, regardless of the
            /// back.
            EightHighFront,
            /// All bets push if the front has two different ranks, the higher of which is a nine, regardless of the
            /// back ("Fortune Commission Free Pai Gow Poker").
            NineHighFront,
            /// All bets push if the front has two different ranks, the higher of which is a ten.
            TenHighFront,
            /// All bets push if the front has two different ranks, the higher of which is a jack.
            JackHighFront,
            /// All bets push if the front has two different ranks, the higher of which is a queen.
            QueenHighFront,
            /// All bets push if the front has two different ranks, the higher of which is a king.
            KingHighFront,
            /// All bets push if the front has two different ranks, the higher of which is an ace, or the joker unless it is
            /// wild.
            AceHighFront,
            /// All bets push against a nine-high "pai gow", where the best five of the seven cards are high cards led
            /// by a nine.
            NineHighPaiGow,
            /// All bets push against a "pai gow" led by a ten, where the best five of the seven cards are high cards.
            TenHighPaiGow,
            /// All bets push against a "pai gow" led by a jack, where the best five of the seven cards are high cards.
            JackHighPaiGow,
            /// All bets push against a queen-high "pai gow", where the best five of the seven cards are high cards led
            /// by a queen. The seven cards then contain no pair, straight, flush or joker, no matter how the banker
            /// sets them ("EZ Pai Gow Poker").
            QueenHighPaiGow,
            /// All bets push against a "pai gow" led by a king, where the best five of the seven cards are high cards.
            KingHighPaiGow,
            /// All bets push against an ace-high "pai gow", where the best five of the seven cards are high cards led
            /// by an ace or the joker ("Face Up Pai Gow Poker").
            AceHighPaiGow,
        }

        /// The fee that a player pays for each hand, win or lose, as in California's card rooms: `none`, or a list such as
        /// `1/100,2/200` for one chip up to a bet of 100 chips, and two for larger bets. At a table, the fee depends on
        /// the bet. Anywhere else, EVs and rewards per unit staked are those for the largest bet in the list, so
        /// `1/100` costs 0.01. Rooms with such a fee don't charge a commission. This variant doesn't change
        /// `commission`, so set it as well.
        variant collection: Collection = Collection::NONE, options &Collection::NAMES;

        /// The bet in chips for which EVs and rewards per unit staked round the commission on a win to a whole chip, half
        /// a chip up: `none`, or a bet that divides a million. With `50`, the 2.5 chips of 5% are 3 chips, so a win pays
        /// 47. A table rounds the commission on every bet, whatever this variant says.
        variant commission_bet: CommissionBet = CommissionBet::NONE, options &CommissionBet::NAMES;
    }
}

impl BankPushes {
    /// Returns the higher of the two different ranks of a front with which all bets push.
    pub(super) const fn front(self) -> Option<Rank> {
        match self {
            BankPushes::EightHighFront => Some(Rank::Eight),
            BankPushes::NineHighFront => Some(Rank::Nine),
            BankPushes::TenHighFront => Some(Rank::Ten),
            BankPushes::JackHighFront => Some(Rank::Jack),
            BankPushes::QueenHighFront => Some(Rank::Queen),
            BankPushes::KingHighFront => Some(Rank::King),
            BankPushes::AceHighFront => Some(Rank::Ace),
            _ => None,
        }
    }

    /// Returns the highest rank of a "pai gow" with which all bets push.
    pub(super) const fn pai_gow(self) -> Option<Rank> {
        match self {
            BankPushes::NineHighPaiGow => Some(Rank::Nine),
            BankPushes::TenHighPaiGow => Some(Rank::Ten),
            BankPushes::JackHighPaiGow => Some(Rank::Jack),
            BankPushes::QueenHighPaiGow => Some(Rank::Queen),
            BankPushes::KingHighPaiGow => Some(Rank::King),
            BankPushes::AceHighPaiGow => Some(Rank::Ace),
            _ => None,
        }
    }
}

impl Rules {
    /// Returns these rules with one `key=value` change, such as `commission=0.04` or `equal-setting=foul`. Values are
    /// written as in a rules file but without quotation marks.
    ///
    /// # Errors
    /// Returns an error if the rule or option does not exist.
    pub fn with(self, assignment: &str) -> Result<Rules, InvalidText> {
        RuleSet::with(self, assignment)
    }

    /// Returns the readings and variants that determine how hands rank.
    pub fn five(self) -> FiveRules {
        FiveRules {
            joker: self.joker,
            wheel_straight: self.wheel_straight,
            wheel_straight_flush: self.wheel_straight_flush,
            joker_in_flush: self.joker_in_flush,
        }
    }

    /// Returns the commission on a win per unit staked, rounded to a chip if the rules say so.
    pub const fn commission_on_win(self) -> Rate {
        self.commission_bet.rounded(self.commission)
    }

    /// Returns the rules that differ from their defaults as `key=value`, in alphabetical order.
    pub fn changes(self) -> Vec<String> {
        RuleSet::changes(&self)
    }

    /// Returns a stable identifier for these rules: the first 16 hex digits of the SHA-256 of their JSON form.
    pub fn hash(self) -> String {
        RuleSet::hash(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleReading;

    #[test]
    fn the_hash_is_stable() {
        // Committed results contain this hash, so only change it deliberately.
        assert_eq!(Rules::default().hash(), "9adcfb12d8db2a82");
        let mut hashes = vec![Rules::default().hash(), Rules::default().with("commission=0").unwrap().hash()];
        for RuleReading { name, options, .. } in Rules::READINGS.iter().chain(Rules::VARIANTS) {
            let changed = options[1..].iter().map(|option| Rules::default().with(&format!("{name}={option}")).unwrap());
            hashes.extend(changed.map(Rules::hash));
        }
        let distinct: std::collections::HashSet<_> = hashes.iter().collect();
        assert_eq!(distinct.len(), hashes.len());
    }

    #[test]
    fn a_commission_above_ten_percent_is_refused() {
        assert_eq!(Rules::default().with("commission=0.1").unwrap().commission, MAX_COMMISSION);
        for text in ["commission=0.100001", "commission=0.5", "commission=1", "commission=5", "commission=5%"] {
            let error = Rules::default().with(text).unwrap_err().to_string();
            let value = text.trim_start_matches("commission=");
            let range = "the commission must be a decimal from 0 to 0.1 with at most six places, such as 0.05";
            assert_eq!(error, format!("cannot set the rule '{text}': invalid rate '{value}': {range}"));
        }
    }
}
