//! Parameters and readings of the game, as plain data.
//!
//! Readings that belong to a house way stand in its file; those of the table with banking will stand with the table.

use crate::rank::{FiveRules, JokerInFlush, WheelStraightFlush};
use crate::rules::{RuleReading, RuleSet, RulesError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A share of money, exact to a millionth: `"0.05"`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "RateText", into = "f64")]
pub struct Rate(u32);

/// What is wrong with a rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no rate; write a decimal from 0 to 1 with at most six places, like 0.05")]
pub struct RateError(String);

impl Rate {
    /// Parts in a whole.
    pub const WHOLE: u32 = 1_000_000;

    /// A number of millionths, at most [`Rate::WHOLE`].
    pub const fn from_millionths(millionths: u32) -> Option<Rate> {
        if millionths <= Self::WHOLE { Some(Rate(millionths)) } else { None }
    }

    /// The rate in millionths.
    pub const fn millionths(self) -> u32 {
        self.0
    }

    /// The rate as a number from 0 to 1.
    pub fn value(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WHOLE)
    }
}

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Rate, RateError> {
        let error = || RateError(text.to_owned());
        let (whole, places) = text.split_once('.').unwrap_or((text, ""));
        if places.len() > 6 || !text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return Err(error());
        }
        let whole: u32 = whole.parse().map_err(|_| error())?;
        let places: u32 = format!("{places:0<6}").parse().map_err(|_| error())?;
        let millionths = whole.checked_mul(Self::WHOLE).and_then(|whole| whole.checked_add(places));
        millionths.and_then(Rate::from_millionths).ok_or_else(error)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.value().to_string())
    }
}

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl From<Rate> for f64 {
    fn from(rate: Rate) -> f64 {
        rate.value()
    }
}

/// A rate as files write it: a number, or a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum RateText {
    Number(f64),
    Text(String),
}

impl TryFrom<RateText> for Rate {
    type Error = RateError;

    fn try_from(text: RateText) -> Result<Rate, RateError> {
        match text {
            // The shortest decimal that means the number is the one that was written.
            RateText::Number(number) => number.to_string().parse(),
            RateText::Text(text) => text.parse(),
        }
    }
}

/// Whether a setting whose front equals the like part of its back is legal; **[reading: equal-setting]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EqualSetting {
    /// "The two-card hand may not be higher."
    #[default]
    Legal,
    /// "The five-card hand must be stronger."
    Foul,
}

/// What "the best hand" of the side bet is; **[reading: side-bet-best]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideBetBest {
    /// Of the rows that the seven cards meet, the one that pays most.
    #[default]
    BestPaid,
    /// The row of the highest-ranking hand.
    BestRank,
}

/// Rules of the one-player game: parameters and readings. Every field has the default of the specification, and unknown
/// fields are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rules {
    /// Share of the stake that the house keeps of a won bet. 0.05 by default.
    pub commission: Rate,
    /// Where A-2-3-4-5 of one suit stands among straight flushes.
    pub wheel_straight_flush: WheelStraightFlush,
    /// What the joker stands for in a flush.
    pub joker_in_flush: JokerInFlush,
    /// Whether the front may equal the like part of the back.
    pub equal_setting: EqualSetting,
    /// What the side bet calls the best hand.
    pub side_bet_best: SideBetBest,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            commission: Rate(50_000),
            wheel_straight_flush: WheelStraightFlush::default(),
            joker_in_flush: JokerInFlush::default(),
            equal_setting: EqualSetting::default(),
            side_bet_best: SideBetBest::default(),
        }
    }
}

/// The readings among the fields of [`Rules`].
pub const READINGS: &[RuleReading] = &[
    ("wheel-straight-flush", &["second", "lowest"]),
    ("joker-in-flush", &["highest_missing", "ace"]),
    ("equal-setting", &["legal", "foul"]),
    ("side-bet-best", &["best_paid", "best_rank"]),
];

impl RuleSet for Rules {
    const READINGS: &'static [RuleReading] = READINGS;
}

impl Rules {
    /// These rules with `key=value` changed, the value as in a rules file but without quotation marks: `commission=0.04`,
    /// `equal-setting=foul`.
    ///
    /// # Errors
    /// If there is no such rule, or no such option of it.
    pub fn with(self, assignment: &str) -> Result<Rules, RulesError> {
        RuleSet::with(self, assignment)
    }

    /// The readings that decide which five cards beat which.
    pub fn five(self) -> FiveRules {
        FiveRules { wheel_straight_flush: self.wheel_straight_flush, joker_in_flush: self.joker_in_flush }
    }

    /// A stable name of these rules: the first 16 hex digits of the SHA-256 of their JSON form.
    pub fn hash(self) -> String {
        RuleSet::hash(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_exact() {
        for (text, millionths) in [("0.05", 50_000), ("0", 0), ("1", 1_000_000), ("0.000001", 1), (".5", u32::MAX)] {
            assert_eq!(text.parse::<Rate>().map_or(u32::MAX, Rate::millionths), millionths, "{text}");
        }
        for text in ["", "1.1", "-0.1", "0.0000001", "5%", "99999999999", "1.000001", "4294.967296"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    #[test]
    fn rules_round_trip_through_toml_and_refuse_typos() {
        let rules: Rules = toml::from_str("commission = 0.04\nequal-setting = \"foul\"").unwrap();
        assert_eq!((rules.commission.millionths(), rules.equal_setting), (40_000, EqualSetting::Foul));
        assert_eq!(toml::from_str::<Rules>(&toml::to_string(&rules).unwrap()).unwrap(), rules);
        let error = toml::from_str::<Rules>("comission = 0.04").unwrap_err().to_string();
        assert!(error.contains("comission") && error.contains("expected one of"), "{error}");
    }

    #[test]
    fn single_rules_are_set_by_text() {
        let rules = Rules::default().with("joker-in-flush=ace").unwrap().with("commission=0").unwrap();
        assert_eq!((rules.joker_in_flush, rules.commission.millionths()), (JokerInFlush::Ace, 0));
        for (text, part) in [("commission", "key=value"), ("joker=ace", "joker"), ("equal-setting=maybe", "legal")] {
            let error = Rules::default().with(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_list_of_readings_is_that_of_the_fields() {
        let fields = toml::Table::try_from(Rules::default()).unwrap();
        assert_eq!(fields.len(), READINGS.len() + 1, "every field but the commission is a reading");
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
    fn the_hash_is_stable() {
        // Committed results carry this hash: a change of it must be meant.
        assert_eq!(Rules::default().hash(), "9adcfb12d8db2a82");
        assert_ne!(Rules::default().hash(), Rules::default().with("commission=0").unwrap().hash());
    }
}
