//! Amounts of money, which are exact to a millionth of a chip.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// An amount of money in chips. Stakes are whole numbers of chips, but commissions and odds can lead to fractions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub struct Amount(i64);

/// The number of units per chip.
const UNITS: i64 = 1_000_000;

impl Amount {
    /// An amount of zero chips.
    pub const ZERO: Amount = Amount(0);

    /// Creates an amount from a whole number of chips.
    pub const fn whole(chips: i64) -> Amount {
        Amount(chips * UNITS)
    }

    /// Returns the amount in chips.
    pub fn value(self) -> f64 {
        self.0 as f64 / UNITS as f64
    }

    /// Formats the amount with an explicit sign, e.g. `+5.00`.
    pub fn signed(self) -> String {
        if self.0 < 0 { self.to_string() } else { format!("+{self}") }
    }

    /// Returns the amount multiplied by `factor`.
    #[must_use]
    pub const fn times(self, factor: i64) -> Amount {
        Amount(self.0.saturating_mul(factor))
    }
}

impl From<f64> for Amount {
    /// Rounds to the nearest millionth of a chip.
    fn from(chips: f64) -> Amount {
        Amount((chips * UNITS as f64).round() as i64)
    }
}

impl From<Amount> for f64 {
    fn from(amount: Amount) -> f64 {
        amount.value()
    }
}

impl Add for Amount {
    type Output = Amount;

    fn add(self, other: Amount) -> Amount {
        Amount(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        *self = *self + other;
    }
}

impl Sub for Amount {
    type Output = Amount;

    fn sub(self, other: Amount) -> Amount {
        Amount(self.0.saturating_sub(other.0))
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(amounts: I) -> Amount {
        amounts.fold(Amount::ZERO, Add::add)
    }
}

impl fmt::Display for Amount {
    /// Writes the amount with at least two decimal places, and with as many as it needs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, places) = (self.0.unsigned_abs() / UNITS as u64, self.0.unsigned_abs() % UNITS as u64);
        let places = format!("{places:06}");
        let (shown, rest) = places.split_at(2);
        let sign = if self.0 < 0 { "-" } else { "" };
        f.pad(&format!("{sign}{whole}.{shown}{}", rest.trim_end_matches('0')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact_and_readable() {
        let tenths: Amount = std::iter::repeat_n(Amount::from(0.1), 10).sum();
        assert_eq!(tenths, Amount::whole(1));
        for (chips, text, signed) in [
            (23.75, "23.75", "+23.75"),
            (-1.0, "-1.00", "-1.00"),
            (0.0, "0.00", "+0.00"),
            (0.0625, "0.0625", "+0.0625"),
        ] {
            assert_eq!(
                (Amount::from(chips).to_string(), Amount::from(chips).signed()),
                (text.to_owned(), signed.to_owned())
            );
        }
        let amount: Amount = serde_json::from_str("-12.5").unwrap();
        assert_eq!((amount, serde_json::to_string(&amount).unwrap()), (Amount::from(-12.5), "-12.5".to_owned()));
        assert_eq!(Amount::whole(5).times(2) - Amount::whole(1), Amount::whole(9));
    }
}
