//! Exact fractions.

use num_traits::{CheckedAdd, CheckedMul};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};

/// An exact fraction in lowest terms.
///
/// Fractions come from counts, so numerators and denominators stay far below 127 bits even for full games. Arithmetic
/// panics on overflow and never wraps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ratio(num_rational::Ratio<i128>);

impl Ratio {
    /// Zero.
    pub const ZERO: Ratio = Ratio(num_rational::Ratio::new_raw(0, 1));

    /// Creates the fraction `numerator / denominator`.
    ///
    /// # Panics
    /// Panics if the denominator isn't positive.
    pub fn new(numerator: i128, denominator: i128) -> Ratio {
        assert!(denominator > 0, "the denominator must be positive, not {denominator}");
        Ratio(num_rational::Ratio::new(numerator, denominator))
    }

    /// Returns the numerator in lowest terms, with the fraction's sign.
    pub const fn numerator(self) -> i128 {
        *self.0.numer()
    }

    /// Returns the denominator in lowest terms, which is always positive.
    pub const fn denominator(self) -> i128 {
        *self.0.denom()
    }

    /// Returns the value as a float, accurate to one unit in the last place.
    pub fn value(self) -> f64 {
        // Convert the integral part separately, so that both roundings apply to small numbers.
        self.0.to_integer() as f64 + *self.0.fract().numer() as f64 / self.denominator() as f64
    }

    /// Returns a JSON object that has `numerator` and `denominator` as strings and `value` as a float.
    pub fn to_json(self) -> serde_json::Value {
        serde_json::json!({
            "numerator": self.numerator().to_string(),
            "denominator": self.denominator().to_string(),
            "value": self.value(),
        })
    }
}

impl Add for Ratio {
    type Output = Ratio;

    fn add(self, other: Ratio) -> Ratio {
        Ratio(self.0.checked_add(&other.0).expect("the sum of two ratios needs more than 127 bits"))
    }
}

impl Neg for Ratio {
    type Output = Ratio;

    fn neg(self) -> Ratio {
        Ratio(-self.0)
    }
}

impl Sub for Ratio {
    type Output = Ratio;

    fn sub(self, other: Ratio) -> Ratio {
        self + -other
    }
}

impl Mul for Ratio {
    type Output = Ratio;

    fn mul(self, other: Ratio) -> Ratio {
        Ratio(self.0.checked_mul(&other.0).expect("the product of two ratios needs more than 127 bits"))
    }
}

impl Sum for Ratio {
    fn sum<I: Iterator<Item = Ratio>>(ratios: I) -> Ratio {
        ratios.fold(Ratio::ZERO, Ratio::add)
    }
}

impl fmt::Display for Ratio {
    /// Formats the value as a decimal number. Use `{:.6}` to set the number of decimal places.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value(), f)
    }
}

impl fmt::Debug for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator(), self.denominator())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lowest_terms_and_signs() {
        let ratio = Ratio::new(-6, 4);
        assert_eq!((ratio.numerator(), ratio.denominator(), ratio.value()), (-3, 2, -1.5));
        assert_eq!(Ratio::new(0, 7), Ratio::ZERO);
        assert_eq!(format!("{:.3} {ratio:?}", Ratio::new(2, 3)), "0.667 -3/2");
        let huge = i128::MAX / 2;
        assert_eq!(Ratio::new(huge, huge), Ratio::new(1, 1));
    }

    #[test]
    fn huge_ratios_are_compared_without_overflow() {
        let huge = i128::MAX;
        assert!(Ratio::new(huge - 1, huge) < Ratio::new(huge, huge - 1));
        assert!(Ratio::new(1 - huge, huge) > Ratio::new(-huge, huge - 1));
    }

    #[test]
    #[should_panic(expected = "more than 127 bits")]
    fn sums_do_not_wrap() {
        let _ = Ratio::new(1, i128::MAX) + Ratio::new(1, i128::MAX - 1);
    }

    proptest! {
        #[test]
        fn order_and_sums_match_cross_products(a in -999i128..999, b in 1i128..999, c in -999i128..999, d in 1i128..999) {
            let (left, right) = (Ratio::new(a, b), Ratio::new(c, d));
            prop_assert_eq!(left.cmp(&right), (a * d).cmp(&(c * b)));
            prop_assert_eq!(left + right, Ratio::new(a * d + c * b, b * d));
            prop_assert_eq!(left - right + right, left);
        }
    }
}
