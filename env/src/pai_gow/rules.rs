//! Parameters and readings of the game, as plain data.
//!
//! Readings that belong to a house way stand in its file; those of the table with banking will stand with the table.

use crate::rank::{FiveRules, JokerInFlush, JokerUse, WheelStraight, WheelStraightFlush};
use crate::rules::{RuleReading, RuleSet, RulesError};
use serde::{Deserialize, Deserializer, Serialize, de};
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
    /// Nothing.
    pub const ZERO: Rate = Rate(0);

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

/// Who wins a copy, a tie of the backs or of the fronts; **[variant: copies]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Copies {
    /// The banker, as in every casino's rules.
    #[default]
    Banker,
    /// The player.
    Player,
    /// Nobody: the other hand decides. A copy beside a won hand is a win, beside a lost hand a loss; two copies are a push.
    /// So a player's primer describes the commission-free game of Washington's card rooms: "If one hand ties, the winner of
    /// the other hand wins", and for two ties it expects a push (ruleslawyer.blogspot.com, "Pai gow primer", 2007).
    Pushed,
}

/// Hands of the banker against which every bet is a push, whatever the player holds, whoever banks; **[variant:
/// bank-pushes]**. Casinos that offer this charge no commission: that is `commission`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BankPushes {
    /// None.
    #[default]
    None,
    /// A front of two different ranks of which the higher is a nine, whatever the back is ("Fortune Commission Free Pai Gow
    /// Poker").
    NineHighFront,
    /// A queen-high "pai gow": the best five of the seven cards are high cards with a queen on top. So there is no pair, no
    /// straight, no flush and no joker among the seven, however the banker sets them ("EZ Pai Gow Poker").
    QueenHighPaiGow,
}

/// Whether a field has its default; such fields of variants are not written, so that the rules that were there before the
/// variants keep their JSON and their hash.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The highest commission that the rules allow: ten percent. What is above is a percentage written as a share.
const HIGHEST_COMMISSION: Rate = Rate(100_000);

fn commission<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rate, D::Error> {
    let rate = Rate::deserialize(deserializer)?;
    if rate <= HIGHEST_COMMISSION {
        return Ok(rate);
    }
    let text = format!("a commission of {rate} is too high; write a share from 0 to {HIGHEST_COMMISSION}, like 0.05");
    Err(de::Error::custom(text))
}

/// Rules of the one-player game: parameters, readings and variants. Every field has the default of the specification, and
/// unknown fields are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rules {
    /// Share of the stake that the house keeps of a won bet. 0.05 by default; files and options may say 0 to 0.1.
    #[serde(deserialize_with = "commission")]
    pub commission: Rate,
    /// Where A-2-3-4-5 of one suit stands among straight flushes.
    pub wheel_straight_flush: WheelStraightFlush,
    /// What the joker stands for in a flush.
    pub joker_in_flush: JokerInFlush,
    /// Whether the front may equal the like part of the back.
    pub equal_setting: EqualSetting,
    /// What the side bet calls the best hand.
    pub side_bet_best: SideBetBest,
    /// Who wins a copy.
    #[serde(skip_serializing_if = "is_default")]
    pub copies: Copies,
    /// Where A-2-3-4-5 of several suits stands among straights.
    #[serde(skip_serializing_if = "is_default")]
    pub wheel_straight: WheelStraight,
    /// What the joker may stand for.
    #[serde(skip_serializing_if = "is_default")]
    pub joker: JokerUse,
    /// Hands of the banker against which every bet is a push.
    #[serde(skip_serializing_if = "is_default")]
    pub bank_pushes: BankPushes,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            commission: Rate(50_000),
            wheel_straight_flush: WheelStraightFlush::default(),
            joker_in_flush: JokerInFlush::default(),
            equal_setting: EqualSetting::default(),
            side_bet_best: SideBetBest::default(),
            copies: Copies::default(),
            wheel_straight: WheelStraight::default(),
            joker: JokerUse::default(),
            bank_pushes: BankPushes::default(),
        }
    }
}

/// The readings among the fields of [`Rules`]: ways to understand the source.
pub const READINGS: &[RuleReading] = &[
    ("wheel-straight-flush", &["second", "lowest"]),
    ("joker-in-flush", &["highest_missing", "ace"]),
    ("equal-setting", &["legal", "foul"]),
    ("side-bet-best", &["best_paid", "best_rank"]),
];

/// The variants among the fields of [`Rules`]: other rules than the source's. With the readings, all but the commission.
pub const VARIANTS: &[RuleReading] = &[
    ("copies", &["banker", "player", "pushed"]),
    ("wheel-straight", &["second", "lowest"]),
    ("joker", &["half_wild", "wild"]),
    ("bank-pushes", &["none", "nine_high_front", "queen_high_pai_gow"]),
];

impl RuleSet for Rules {
    const READINGS: &'static [RuleReading] = READINGS;
    const VARIANTS: &'static [RuleReading] = VARIANTS;
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

    /// The readings and variants that decide which cards beat which.
    pub fn five(self) -> FiveRules {
        FiveRules {
            joker: self.joker,
            wheel_straight: self.wheel_straight,
            wheel_straight_flush: self.wheel_straight_flush,
            joker_in_flush: self.joker_in_flush,
        }
    }

    /// The rules that are not the default, as `key=value` in alphabetical order.
    pub fn changes(self) -> Vec<String> {
        RuleSet::changes(&self)
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
    fn the_lists_of_readings_and_variants_are_that_of_the_fields() {
        // Where no field has its default, all are written.
        let all = || READINGS.iter().chain(VARIANTS);
        let changed = all().map(|(name, options)| format!("{name}={}", options[1]));
        let changed = changed.fold(Rules::default(), |rules, change| rules.with(&change).unwrap());
        let fields = toml::Table::try_from(changed).unwrap();
        assert_eq!(fields.len(), all().count() + 1, "every field but the commission is a reading or a variant");
        for (name, options) in all() {
            assert_eq!(fields[*name].as_str(), Some(options[1]));
            assert_eq!(Rules::default().with(&format!("{name}={}", options[0])).unwrap(), Rules::default());
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
        let mut hashes = vec![Rules::default().hash(), Rules::default().with("commission=0").unwrap().hash()];
        for (name, options) in READINGS.iter().chain(VARIANTS) {
            let changed = options[1..].iter().map(|option| Rules::default().with(&format!("{name}={option}")).unwrap());
            hashes.extend(changed.map(Rules::hash));
        }
        let distinct: std::collections::HashSet<_> = hashes.iter().collect();
        assert_eq!(distinct.len(), hashes.len());
    }

    #[test]
    fn a_commission_above_ten_percent_is_refused() {
        assert_eq!(Rules::default().with("commission=0.1").unwrap().commission, HIGHEST_COMMISSION);
        for text in ["commission=0.100001", "commission=0.5", "commission=1"] {
            let error = Rules::default().with(text).unwrap_err().to_string();
            assert!(error.contains("0 to 0.1"), "{error}");
        }
        assert!(Rules::default().with("commission=5").unwrap_err().to_string().contains("'5' is no rate"));
    }

    #[test]
    fn changes_are_named() {
        let rules = Rules::default().with("copies=player").unwrap().with("commission=0.045").unwrap();
        assert_eq!(rules.changes(), ["commission=0.045", "copies=player"]);
        assert_eq!(Rules::default().changes(), Vec::<String>::new());
    }
}
