//! Number formatting for answers, reports, and terminals.

use crate::Ratio;
use houseway_env::money::Rate;
pub use houseway_env::money::grouped;

/// Formats a rate as a percentage with all of its digits.
pub fn rate_text(rate: Rate) -> String {
    // One percent is 10,000 millionths.
    format!("{}%", f64::from(rate.millionths()) / 10_000.0)
}

/// Formats a fraction as a percentage with the given number of decimal places.
pub fn percent(fraction: f64, places: usize) -> String {
    unsigned_zero(format!("{:.places$}%", 100.0 * fraction))
}

/// Removes the sign of a formatted number if all of its digits are zeros.
pub fn unsigned_zero(text: String) -> String {
    match text.strip_prefix(['+', '-']) {
        Some(digits) if digits.chars().all(|c| matches!(c, '0' | '.' | '%')) => digits.to_owned(),
        _ => text,
    }
}

/// Formats both bounds of an EV in percent. The lower one is rounded down and the upper one up, so that they stay
/// bounds.
pub fn percent_bounds([lower, upper]: [Ratio; 2], places: u32) -> [String; 2] {
    let units = 10i128.pow(places + 2);
    let format = |bound: Ratio, up: bool| {
        let (numerator, denominator) = (bound.numerator(), bound.denominator());
        let scaled = numerator.checked_mul(units).map(|scaled| {
            (scaled.div_euclid(denominator) + i128::from(up && scaled.rem_euclid(denominator) > 0)) as f64
        });
        let rounded = scaled.unwrap_or_else(|| {
            let scaled = bound.value() * units as f64;
            if up { scaled.ceil() } else { scaled.floor() }
        });
        percent(rounded / units as f64, places as usize)
    };
    [format(lower, false), format(upper, true)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        let texts = [0.0, -0.0, -1e-9, 1e-9, -1e-6].map(|fraction| percent(fraction, 4));
        assert_eq!(texts, ["0.0000%", "0.0000%", "0.0000%", "0.0000%", "-0.0001%"]);
    }

    #[test]
    fn thousands_are_grouped() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (8_250_459_031_214_400, "8,250,459,031,214,400")]
        {
            assert_eq!(grouped(count), text);
        }
        assert_eq!((percent(0.98355, 2), percent(-0.5, 0)), ("98.36%".to_owned(), "-50%".to_owned()));
    }

    #[test]
    fn bounds_are_rounded_outwards() {
        let bounds = |lower, upper, denominator| {
            percent_bounds([lower, upper].map(|numerator| Ratio::new(numerator, denominator)), 2)
        };
        assert_eq!(bounds(-27_354, -27_353, 1_000_000), ["-2.74%", "-2.73%"]);
        assert_eq!(bounds(-27_300, 27_300, 1_000_000), ["-2.73%", "2.73%"]);
        assert_eq!(bounds(1, 2, 30_000), ["0.00%", "0.01%"]);
        assert_eq!(bounds(-i128::MAX / 3, i128::MAX / 3, i128::MAX), ["-33.34%", "33.34%"]);
    }
}
