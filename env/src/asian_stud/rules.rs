//! Parameters and readings of Asian Stud, as plain data.

use crate::pai_gow::Rate;
use crate::rank::{FiveRules, JokerUse};
use crate::rules::{RuleReading, RuleSet};
use serde::{Deserialize, Serialize};

/// How many points the joker counts in the main game; **[reading: joker]**. Where its holder chooses, he takes what gives
/// his hand the highest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JokerPoints {
    /// One.
    #[default]
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

impl JokerPoints {
    /// All options, the default first.
    pub const ALL: [JokerPoints; 6] = {
        use JokerPoints::*;
        [One, None, Ten, OneOrTen, ThreeSixNine, Wild]
    };

    /// The points that it may count.
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

    /// Cards in the pack.
    pub const fn cards(self) -> usize {
        match self {
            JokerPoints::None => 52,
            _ => 53,
        }
    }
}

/// What happens to a hand without a set that raised against a dealer's set; **[reading: no-set-against-set]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoSetAgainstSet {
    /// Ante and raise lose, as the published rules say.
    #[default]
    BothLose,
    /// Ante and raise are returned.
    BothReturned,
}

/// Which bets a higher value pays by the odds; **[reading: odds-on]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OddsOn {
    /// The raise; the ante wins 1 to 1.
    #[default]
    Raise,
    /// Ante and raise.
    Both,
    /// The ante; the raise is returned.
    AnteOnly,
}

/// Of which winnings the commission is taken; **[reading: commission]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Commission {
    /// Of all, the ante won from a dealer without a set among them.
    #[default]
    Both,
    /// Of none: the source as it stands.
    None,
    /// Of what the ante wins.
    Ante,
    /// Of what the raise wins.
    Raise,
    /// Of all except the ante won from a dealer without a set.
    BothExceptDealerNoSet,
}

/// What the joker stands for in the side bet; **[reading: joker-semiwild]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JokerSemiwild {
    /// An ace, or what completes a straight, a flush, a straight flush or a royal flush.
    #[default]
    Semiwild,
    /// Any card.
    Wild,
}

impl JokerSemiwild {
    /// The same in the words of the order of hands.
    pub const fn joker_use(self) -> JokerUse {
        match self {
            JokerSemiwild::Semiwild => JokerUse::HalfWild,
            JokerSemiwild::Wild => JokerUse::Wild,
        }
    }
}

/// What happens to the side bet of a player who folds; **[reading: side-bet-on-fold]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideBetOnFold {
    /// It is settled like any other.
    #[default]
    Settled,
    /// It is lost.
    Lost,
}

/// Rules of Asian Stud: parameters and readings. Every field has the default of the specification, and unknown fields are
/// refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rules {
    /// Share of winnings that the house keeps. 0.05 by default.
    pub commission_rate: Rate,
    /// How many points the joker counts.
    pub joker: JokerPoints,
    /// A raised hand without a set against a set.
    pub no_set_against_set: NoSetAgainstSet,
    /// Which bets win at the odds.
    pub odds_on: OddsOn,
    /// Of which winnings the commission is taken.
    pub commission: Commission,
    /// What the joker stands for in the side bet.
    pub joker_semiwild: JokerSemiwild,
    /// The side bet of a player who folds.
    pub side_bet_on_fold: SideBetOnFold,
}

/// Parts in a million of the winnings, by default.
const COMMISSION_RATE: u32 = 50_000;

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            commission_rate: Rate::from_millionths(COMMISSION_RATE).expect("the rate is below one"),
            joker: JokerPoints::default(),
            no_set_against_set: NoSetAgainstSet::default(),
            odds_on: OddsOn::default(),
            commission: Commission::default(),
            joker_semiwild: JokerSemiwild::default(),
            side_bet_on_fold: SideBetOnFold::default(),
        }
    }
}

/// The readings among the fields of [`Rules`].
pub const READINGS: &[RuleReading] = &[
    ("joker", &["one", "none", "ten", "one_or_ten", "three_six_nine", "wild"]),
    ("no-set-against-set", &["both_lose", "both_returned"]),
    ("odds-on", &["raise", "both", "ante_only"]),
    ("commission", &["both", "none", "ante", "raise", "both_except_dealer_no_set"]),
    ("joker-semiwild", &["semiwild", "wild"]),
    ("side-bet-on-fold", &["settled", "lost"]),
];

impl RuleSet for Rules {
    const READINGS: &'static [RuleReading] = READINGS;
}

impl Rules {
    /// The readings on which the poker hands of the side bet depend.
    pub fn five(self) -> FiveRules {
        FiveRules { joker: self.joker_semiwild.joker_use(), ..FiveRules::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_readings_is_that_of_the_fields() {
        let fields = Rules::defaults();
        assert_eq!(fields.len(), READINGS.len() + 1, "every field but the rate is a reading");
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
    fn parameters_are_set_by_text_and_the_hash_is_stable() {
        let rules = Rules::default().with("commission-rate=0.04").unwrap();
        assert_eq!(rules.commission_rate.millionths(), 40_000);
        assert!(Rules::default().with("commission-rate=2").is_err());
        // Committed results carry this hash: a change of it must be meant.
        assert_eq!(Rules::default().hash(), "629513c2b4a60e5c");
        assert_ne!(Rules::default().hash(), rules.hash());
    }
}
