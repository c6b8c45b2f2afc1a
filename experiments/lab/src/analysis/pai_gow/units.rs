//! Formatting EVs and fractions for reports.

use houseway_exact::Ratio;
use houseway_exact::format::{percent, unsigned_zero};
use houseway_exact::pai_gow::whole::OutcomeWeights;

/// Formats a change as a signed percentage of the stake.
pub(crate) fn change(ev: Ratio, places: usize) -> String {
    signed(100.0 * ev.value(), places) + "%"
}

/// Formats an EV as a percentage of the stake.
pub(crate) fn share_of_stake(ev: Ratio, places: usize) -> String {
    percent(ev.value(), places)
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
    unsigned_zero(format!("{value:+.places$}"))
}

/// Formats a fraction as a percentage.
pub(crate) fn part(count: u64, of: u64, places: usize) -> String {
    percent(count as f64 / of.max(1) as f64, places)
}

/// Formats the fractions of wins, pushes and losses as percentages.
pub(crate) fn outcome_shares(counts: impl Into<OutcomeWeights>) -> [String; 3] {
    let counts = counts.into();
    [counts.wins, counts.pushes, counts.losses].map(|count| percent(count as f64 / counts.all() as f64, 4))
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
}
