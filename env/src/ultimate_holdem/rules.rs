//! Parameters and readings of the game, as plain data.

use super::Paytable;
use crate::rules::{RuleReading, RuleSet};
use serde::{Deserialize, Serialize};

/// How much may be played before the flop; **[reading: preflop-play]**. The source lost the digit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PreflopPlay {
    /// Four antes.
    #[default]
    Four,
    /// Three antes.
    Three,
    /// Three or four antes, as the player likes.
    ThreeOrFour,
}

/// What happens when the dealer has less than a pair; **[reading: dealer-unqualified]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DealerUnqualified {
    /// The Ante pushes; Play and Blind are settled by the hands.
    #[default]
    AntePushes,
    /// "If the Croupier wins, the Ante, Play and Blind bets are collected": the Ante pushes only if the player's hand is
    /// not the lower one.
    AnteLostIfDealerWins,
    /// There is no qualification: the Ante is always in play.
    NoQualification,
    /// The hands are not compared: the Ante wins, Play and Blind are returned.
    CasinoHoldem,
}

/// What a fold does to the Trips bet; **[reading: trips-on-fold]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TripsOnFold {
    /// It is settled by its table all the same.
    #[default]
    Settled,
    /// "Fold closing all the bets they have placed": it is lost.
    Lost,
}

/// How half antes are paid; **[reading: rounding]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// To the half ante.
    #[default]
    Exact,
    /// Down to whole antes: the ante is the table's smallest chip.
    Down,
}

/// Rules of the game. Every field has the default of the specification, and unknown fields are refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rules {
    /// How much may be played before the flop.
    pub preflop_play: PreflopPlay,
    /// What happens when the dealer has less than a pair.
    pub dealer_unqualified: DealerUnqualified,
    /// What a fold does to the Trips bet.
    pub trips_on_fold: TripsOnFold,
    /// How half antes are paid.
    pub rounding: Rounding,
    /// What the Blind wins; **[reading: blind-table]**. A hand without a row has its stake returned.
    pub blind_table: Paytable,
    /// What Trips wins; **[reading: trips-table]**. A hand without a row loses.
    pub trips_table: Paytable,
}

impl Default for Rules {
    fn default() -> Rules {
        let named = |name| Paytable::named(name).expect("a test reads the paytables of the crate");
        Rules {
            preflop_play: PreflopPlay::default(),
            dealer_unqualified: DealerUnqualified::default(),
            trips_on_fold: TripsOnFold::default(),
            rounding: Rounding::default(),
            blind_table: named("ultimate-blind"),
            trips_table: named("ultimate-trips-30-8-7-4-3"),
        }
    }
}

/// The readings among the fields of [`Rules`]. Paytables can be files too.
pub const READINGS: &[RuleReading] = &[
    ("preflop-play", &["four", "three", "three_or_four"]),
    ("dealer-unqualified", &["ante_pushes", "ante_lost_if_dealer_wins", "no_qualification", "casino_holdem"]),
    ("trips-on-fold", &["settled", "lost"]),
    ("rounding", &["exact", "down"]),
    ("blind-table", &["ultimate-blind"]),
    (
        "trips-table",
        &[
            "ultimate-trips-30-8-7-4-3",
            "ultimate-trips-30-9-7-4-3",
            "ultimate-trips-30-8-6-5-3",
            "ultimate-trips-20-7-6-5-3",
        ],
    ),
];

impl RuleSet for Rules {
    const READINGS: &'static [RuleReading] = READINGS;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_readings_is_that_of_the_fields() {
        assert_eq!(Rules::defaults().len(), READINGS.len(), "every field is a reading");
        for (name, options) in READINGS {
            let with = |option: &str| Rules::default().with(&format!("{name}={option}"));
            assert_eq!(with(options[0]).unwrap(), Rules::default(), "the default stands first");
            for option in &options[1..] {
                assert_ne!(with(option).unwrap(), Rules::default(), "{name}={option}");
            }
            let error = with("nonsense").unwrap_err().to_string();
            assert!(error.contains(options[0]), "{error}");
        }
    }

    #[test]
    fn rules_round_trip_and_refuse_typos() {
        let rules = Rules::default().with("trips-table=ultimate-trips-20-7-6-5-3").unwrap();
        let read: Rules = toml::from_str(&toml::to_string(&rules).unwrap()).unwrap();
        assert_eq!(read.hash(), rules.hash());
        assert_ne!(rules.hash(), Rules::default().hash());
        let text = "blind-table = { name = 'odd', row = [{ hand = 'flush', odds = 2 }] }";
        assert_eq!(toml::from_str::<Rules>(text).unwrap().blind_table.halves(crate::rank::Category::Flush), Some(4));
        assert!(toml::from_str::<Rules>("blind = 'ultimate-blind'").is_err());
    }

    #[test]
    fn the_hash_is_stable() {
        // Committed results carry this hash: a change of it must be meant.
        assert_eq!(Rules::default().hash(), "14bf20c0b0ccbe01");
    }
}
