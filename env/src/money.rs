//! Chips, rates, and the commission on winnings.

use crate::files::NumberText;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// An amount in whole chips. Debts and losses are negative.
pub type Chips = i64;

/// Returns the commission on winnings, rounded to the nearest whole chip. Half a chip is rounded up. At 5%, no rounding
/// is needed if the winnings are a multiple of 20 chips. No commission is charged on losses.
#[inline]
pub const fn commission(rate: Rate, winnings: Chips) -> Chips {
    let whole = Rate::WHOLE as Chips;
    if winnings <= 0 { 0 } else { (winnings * rate.millionths() as Chips + whole / 2) / whole }
}

/// A fraction of an amount of money, from 0 to 1 in steps of a millionth. It is written as a decimal such as `"0.05"`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "NumberText", into = "f64")]
pub struct Rate(u32);

/// An error for a string that isn't a valid rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid rate '{0}': expected a decimal from 0 to 1 with at most six decimal places, such as 0.05")]
pub struct RateError(String);

impl Rate {
    /// The number of millionths in a rate of 1.
    pub const WHOLE: u32 = 1_000_000;
    /// A rate of 0.
    pub const ZERO: Rate = Rate(0);
    /// The commission usually charged by casinos.
    pub const FIVE_PERCENT: Rate = Rate(50_000);

    /// Creates a rate from millionths. Returns `None` if `millionths` is greater than [`Rate::WHOLE`].
    pub const fn from_millionths(millionths: u32) -> Option<Rate> {
        if millionths <= Self::WHOLE { Some(Rate(millionths)) } else { None }
    }

    /// Returns the rate in millionths.
    pub const fn millionths(self) -> u32 {
        self.0
    }

    /// Returns the rate as a floating-point number from 0 to 1.
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

impl TryFrom<NumberText> for Rate {
    type Error = RateError;

    fn try_from(text: NumberText) -> Result<Rate, RateError> {
        String::from(text).parse()
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
    fn commissions_round_to_the_nearest_chip() {
        let cases = [(0, 0), (-100, 0), (1, 0), (9, 0), (10, 1), (20, 1), (29, 1), (30, 2), (1_000, 50)];
        for (winnings, expected) in cases {
            assert_eq!(commission(Rate::FIVE_PERCENT, winnings), expected, "{winnings}");
        }
        assert_eq!(commission(Rate::ZERO, 1_000), 0);
        assert_eq!(commission("1".parse().unwrap(), 1_000_000_000_000), 1_000_000_000_000);
    }
}
