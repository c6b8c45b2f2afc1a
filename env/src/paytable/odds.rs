//! Odds as exact fractions.

use crate::files::impl_number_text;
use crate::names::InvalidText;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The amount won per unit staked, not including the stake itself. It's stored as an exact fraction in lowest terms and
/// is at most [`Odds::MAX`].
///
/// In files, odds are written as a number (`3`, `1.5`) or as a string (`"3/2"`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "crate::files::NumberText")]
pub struct Odds {
    numerator: u32,
    denominator: u32,
}

impl Odds {
    /// Odds that only return the stake.
    pub const ZERO: Odds = Odds::whole(0);
    /// The maximum odds.
    pub const MAX: u32 = 1_000_000;
    /// The maximum number of decimal places accepted by [`FromStr`].
    const PLACES: usize = 4;

    /// Creates odds from a whole number.
    ///
    /// # Panics
    /// Panics if `odds` is greater than [`Odds::MAX`].
    pub const fn whole(odds: u32) -> Odds {
        assert!(odds <= Odds::MAX, "odds must not exceed a million");
        Odds { numerator: odds, denominator: 1 }
    }

    /// Creates odds of `numerator` to `denominator`. Returns `None` if the odds are greater than [`Odds::MAX`], if the
    /// denominator is 0, or if it is greater than 10,000 in lowest terms.
    pub fn new(numerator: u64, denominator: u64) -> Option<Odds> {
        let max = u64::from(Odds::MAX).checked_mul(denominator)?;
        if denominator == 0 || numerator > max {
            return None;
        }
        let (mut divisor, mut rest) = (denominator, numerator);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let denominator = u32::try_from(denominator / divisor).ok().filter(|&denominator| denominator <= 10_000)?;
        Some(Odds { numerator: u32::try_from(numerator / divisor).ok()?, denominator })
    }

    /// Returns the odds in units of `1 / per_stake` of the stake, rounded down. Odds in a paytable are always a whole
    /// number of [`Bet::UNITS`](super::Bet::UNITS).
    #[inline]
    pub const fn units(self, per_stake: u32) -> u32 {
        (self.numerator as u64 * per_stake as u64 / self.denominator as u64) as u32
    }

    /// Returns `true` if the odds are a multiple of `1 / per_stake` of the stake.
    pub const fn is_multiple(self, per_stake: u32) -> bool {
        per_stake.is_multiple_of(self.denominator)
    }

    /// Returns the numerator and the denominator in lowest terms.
    pub const fn fraction(self) -> (u32, u32) {
        (self.numerator, self.denominator)
    }

    /// Returns `true` if the odds only return the stake.
    pub const fn is_zero(&self) -> bool {
        self.numerator == 0
    }

    /// Returns the odds as a floating-point number.
    #[inline]
    pub fn value(self) -> f64 {
        let numerator = f64::from(self.numerator);
        if self.denominator == 1 { numerator } else { numerator / f64::from(self.denominator) }
    }

    /// Returns `true` if the odds have an exact representation with [`Odds::PLACES`] decimal places.
    const fn is_decimal(self) -> bool {
        10_u32.pow(Odds::PLACES as u32).is_multiple_of(self.denominator)
    }
}

impl FromStr for Odds {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Odds, InvalidText> {
        let range = format!("from 0 to {}, such as 3, 1.5 or 3/2; a higher prize is a share of a meter", Odds::MAX);
        let error = || InvalidText(format!("invalid odds '{text}': expected a number or a fraction {range}"));
        let number = |digits: &str| digits.parse::<u64>().ok().filter(|_| !digits.starts_with('+'));
        let parsed = if let Some((numerator, denominator)) = text.split_once('/') {
            number(numerator).zip(number(denominator))
        } else {
            let (whole, places) = text.split_once('.').unwrap_or((text, ""));
            let digits = Some(format!("{whole}{places}")).filter(|_| places.len() <= Odds::PLACES && !whole.is_empty());
            digits.and_then(|digits| number(&digits)).zip(10_u64.checked_pow(places.len() as u32))
        };
        parsed.and_then(|(numerator, denominator)| Odds::new(numerator, denominator)).ok_or_else(error)
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_decimal() {
            f.pad(&self.value().to_string())
        } else {
            f.pad(&format!("{}/{}", self.numerator, self.denominator))
        }
    }
}

impl Default for Odds {
    fn default() -> Odds {
        Odds::ZERO
    }
}

/// Serializes whole odds as an integer. Other odds are serialized as a decimal if it's exact, and as a string
/// otherwise.
impl Serialize for Odds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Odds { numerator, denominator: 1 } => serializer.serialize_u32(*numerator),
            odds if odds.is_decimal() => serializer.serialize_f64(odds.value()),
            odds => serializer.collect_str(odds),
        }
    }
}

impl_number_text!(Odds);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_are_exact_fractions_in_lowest_terms() {
        let odds = |text: &str| text.parse::<Odds>().unwrap();
        for (text, numerator, denominator) in
            [("3", 3, 1), ("0", 0, 1), ("1.5", 3, 2), ("3/2", 3, 2), ("6/4", 3, 2), ("2/3", 2, 3), ("0.0125", 1, 80)]
        {
            assert_eq!(odds(text), Odds { numerator, denominator }, "{text}");
            assert_eq!(odds(&odds(text).to_string()), odds(text));
        }
        assert_eq!(odds("1000000"), Odds::whole(Odds::MAX));
        for text in ["", "-1", "+1", "1000000.5", "1000001", "1/0", "1.00001", "3:2", "one", ".5", "1/20000", "NaN"] {
            assert!(text.parse::<Odds>().unwrap_err().to_string().contains("3/2"), "{text}");
        }
        assert_eq!((odds("1.5").units(2), odds("1.5").units(1), odds("40").units(2)), (3, 1, 80));
        assert!(odds("1.5").is_multiple(2) && !odds("1.5").is_multiple(1) && !odds("2/3").is_multiple(2));
        assert_eq!((odds("1.5").value(), odds("2/3").to_string().as_str()), (1.5, "2/3"));
    }

    #[test]
    fn serialized_odds_read_back() {
        for (text, json) in [("3", "3"), ("1.5", "1.5"), ("2/3", "\"2/3\"")] {
            let odds: Odds = text.parse().unwrap();
            assert_eq!(serde_json::to_string(&odds).unwrap(), json);
            assert_eq!(serde_json::from_str::<Odds>(json).unwrap(), odds);
        }
    }
}
