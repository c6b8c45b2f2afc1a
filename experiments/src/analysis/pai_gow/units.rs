//! EVs and fractions in the units of reports.

use houseway_exact::Ratio;
use houseway_exact::format::percent;

/// Per cent of the stake, with its sign where it is a change.
pub(crate) fn change(ev: Ratio, places: usize) -> String {
    signed(100.0 * ev.value(), places) + "%"
}

/// Per cent of the stake.
pub(crate) fn share_of_stake(ev: Ratio, places: usize) -> String {
    percent(ev.value(), places)
}

/// Units in 1,000 games of one unit.
pub(crate) fn per_thousand(ev: Ratio) -> String {
    let value = 1e3 * ev.value();
    format!("{value:.places$}", places = places(value))
}

/// The same with a sign.
pub(crate) fn change_per_thousand(ev: Ratio) -> String {
    let value = 1e3 * ev.value();
    signed(value, places(value))
}

/// Places after the point: four, but more for what would look like nothing and is something.
fn places(value: f64) -> usize {
    if value != 0.0 && value.abs() < 5e-5 { 8 } else { 4 }
}

/// A number with its sign, unless it is zero.
fn signed(value: f64, places: usize) -> String {
    let text = format!("{value:+.places$}");
    let is_zero = text.chars().all(|c| !c.is_ascii_digit() || c == '0');
    if is_zero { text.trim_start_matches(['+', '-']).to_owned() } else { text }
}

/// A part of a whole, in per cent.
pub(crate) fn part(count: u64, of: u64, places: usize) -> String {
    percent(count as f64 / of.max(1) as f64, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(change(Ratio::ZERO, 4), "0.0000%");
        assert_eq!(change(Ratio::new(-1, 1_000_000_000), 4), "0.0000%");
        assert_eq!(change(Ratio::new(1, 800), 4), "+0.1250%");
        assert_eq!(change_per_thousand(Ratio::new(-1, 800)), "-1.2500");
        assert_eq!(change_per_thousand(Ratio::new(-1, 100_000_000)), "-0.00001000");
        assert_eq!((change_per_thousand(Ratio::ZERO), per_thousand(Ratio::ZERO)), ("0.0000".into(), "0.0000".into()));
        assert_eq!((per_thousand(Ratio::new(1, 800)), part(1, 8, 1)), ("1.2500".to_owned(), "12.5%".to_owned()));
    }
}
