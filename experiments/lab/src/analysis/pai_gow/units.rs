//! Formatting EVs and fractions for reports.

use houseway_exact::Ratio;
use houseway_exact::format::percent;

/// Formats a change as a signed percentage of the stake.
pub(crate) fn change(ev: Ratio, places: usize) -> String {
    signed(100.0 * ev.value(), places) + "%"
}

/// Formats an EV as a percentage of the stake.
pub(crate) fn share_of_stake(ev: Ratio, places: usize) -> String {
    percent(ev.value(), places)
}

/// Formats both bounds of an EV in percent. The lower one is rounded down and the upper one up, so that they stay
/// bounds.
pub(crate) fn percent_bounds([lower, upper]: [Ratio; 2], places: u32) -> [String; 2] {
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

/// Formats an EV in units per 1,000 games.
pub(crate) fn per_thousand(ev: Ratio) -> String {
    let value = 1e3 * ev.value();
    format!("{value:.places$}", places = places(value))
}

/// Formats a change in units per 1,000 games, with its sign.
pub(crate) fn change_per_thousand(ev: Ratio) -> String {
    let value = 1e3 * ev.value();
    signed(value, places(value))
}

/// Returns the number of decimal places for a value. This is four, or eight if the value would otherwise be displayed
/// as zero.
fn places(value: f64) -> usize {
    if value != 0.0 && value.abs() < 5e-5 { 8 } else { 4 }
}

/// Formats a number with its sign, unless it is zero.
fn signed(value: f64, places: usize) -> String {
    let text = format!("{value:+.places$}");
    let is_zero = text.chars().all(|c| !c.is_ascii_digit() || c == '0');
    if is_zero { text.trim_start_matches(['+', '-']).to_owned() } else { text }
}

/// Formats a fraction as a percentage.
pub(crate) fn part(count: u64, of: u64, places: usize) -> String {
    percent(count as f64 / of.max(1) as f64, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(change(Ratio::ZERO, 4), "0.0000%");
        assert_eq!(change(Ratio::new(-1, 1_000_000_000), 4), "0.0000%");
        assert_eq!(change(Ratio::new(1, 800), 4), "+0.1250%");
        assert_eq!(change_per_thousand(Ratio::new(-1, 800)), "-1.2500");
        assert_eq!(change_per_thousand(Ratio::new(-1, 100_000_000)), "-0.00001000");
        assert_eq!((change_per_thousand(Ratio::ZERO), per_thousand(Ratio::ZERO)), ("0.0000".into(), "0.0000".into()));
        assert_eq!((per_thousand(Ratio::new(1, 800)), part(1, 8, 1)), ("1.2500".to_owned(), "12.5%".to_owned()));
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
