//! Chooses axis ranges, ticks, and labels.

use houseway_exact::answer::Axis;
use houseway_exact::format::unsigned_zero;

/// The part of a logarithmic axis that leads from its lowest positive value to zero.
const ZERO_PART: f64 = 0.1;

/// Returns `true` if an axis can show a value. A logarithmic axis doesn't show negative numbers.
pub fn shows(axis: &Axis, value: f64) -> bool {
    value.is_finite() && (!axis.log || value >= 0.0)
}

/// Returns a scale that fits the values, or `None` if no value can be shown.
pub fn scale(axis: &Axis, values: impl Iterator<Item = f64>) -> Option<Scale> {
    let shown: Vec<f64> = values.filter(|&value| shows(axis, value)).collect();
    // Without a positive number, there is nothing to take the logarithm of.
    let log = axis.log && (shown.is_empty() || shown.iter().any(|&value| value > 0.0));
    if !log {
        return range(&Axis { log: false, from_zero: axis.log || axis.from_zero, ..axis.clone() }, &shown);
    }
    let logarithms: Vec<f64> = shown.iter().filter(|&&value| value > 0.0).map(|value| value.log10()).collect();
    let scale = range(axis, &logarithms)?;
    let has_zero = logarithms.len() < shown.len();
    let low = scale.low - if has_zero { (scale.high - scale.low) * ZERO_PART / (1.0 - ZERO_PART) } else { 0.0 };
    Some(Scale { low, has_zero, ..scale })
}

/// Returns a scale that fits numbers, which are logarithms if the axis is logarithmic.
fn range(axis: &Axis, values: &[f64]) -> Option<Scale> {
    let zero = (axis.from_zero && !axis.log).then_some(0.0);
    let all = || values.iter().copied().chain(zero);
    let (low, high) = (all().reduce(f64::min)?, all().reduce(f64::max)?);
    if values.is_empty() {
        return None;
    }
    let middle = if high > low {
        high - low
    } else if axis.log || high == 0.0 {
        1.0
    } else {
        high.abs()
    };
    let pad = middle * if high > low { 0.04 } else { 0.5 };
    let flat = low == high;
    let low = if zero == Some(low) { low } else { low - pad };
    let high = if zero == Some(high) && !flat { high } else { high + pad };
    Some(Scale { low, high, log: axis.log, has_zero: false, percent: axis.percent })
}

/// An axis with its range. On a logarithmic axis, both ends are stored as base-10 exponents. If it has a zero, that is
/// its lower end.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    high: f64,
    log: bool,
    has_zero: bool,
    percent: bool,
}

impl Scale {
    /// Returns the position of a value on the axis, from 0 to 1.
    pub fn place(&self, value: f64) -> f64 {
        if self.log && value <= 0.0 {
            return 0.0;
        }
        let value = if self.log { value.log10() } else { value };
        (value - self.low) / (self.high - self.low)
    }

    /// Returns about `count` round values and their labels.
    pub fn ticks(&self, count: f64) -> Vec<(f64, String)> {
        if !self.log {
            return self.linear_ticks(count);
        }
        if !self.has_zero {
            return self.log_ticks(count);
        }
        let positive = Scale { low: self.low + (self.high - self.low) * ZERO_PART, has_zero: false, ..*self };
        let zero = (0.0, number(0.0, 1.0, self.percent));
        std::iter::once(zero).chain(positive.log_ticks(count - 1.0)).collect()
    }

    fn linear_ticks(&self, count: f64) -> Vec<(f64, String)> {
        let step = round_step((self.high - self.low) / count.max(1.0));
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        let values = (first..=last).map(|tick| tick as f64 * step);
        values.map(|value| (value, number(value, step, self.percent))).collect()
    }

    fn log_ticks(&self, count: f64) -> Vec<(f64, String)> {
        let decades = self.high - self.low;
        let within: &[f64] = if decades * 3.0 <= count * 1.2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        // Labels of powers are short, so that an axis has room for twice as many before any of them are left out.
        let every = if decades <= 2.0 * count { 1 } else { (decades / count.max(1.0)).ceil() as i32 };
        let powers = self.low.floor() as i32..=self.high.ceil() as i32;
        let values = powers.filter(|power| power % every == 0);
        let values = values.flat_map(|power| within.iter().map(move |&factor| (factor, power)));
        let ticks = values.map(|(factor, power)| {
            let value = factor * 10f64.powi(power);
            (value, log_label(factor, power, value, self.percent))
        });
        let ticks: Vec<_> = ticks.filter(|(value, _)| (0.0..=1.0).contains(&self.place(*value))).collect();
        // A short axis may contain fewer than two of these values. Use evenly spaced ones instead.
        if ticks.len() >= 2 {
            return ticks;
        }
        let linear = Scale { low: 10f64.powf(self.low), high: 10f64.powf(self.high), log: false, ..*self };
        linear.linear_ticks(count)
    }
}

/// Formats a tick of a logarithmic axis, which is a digit times a power of ten. Small numbers are written like `1e-6`.
fn log_label(digit: f64, power: i32, value: f64, percent: bool) -> String {
    let (shown, unit) = if percent { (power + 2, "%") } else { (power, "") };
    if shown < -3 { format!("{digit}e{shown}{unit}") } else { number(value, 10f64.powi(power), percent) }
}

fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step * 0.999_999);
    factor.unwrap_or(10.0) * power
}

/// Formats a value with a precision suited to steps of the given size, abbreviating thousands and millions.
pub fn number(value: f64, step: f64, percent: bool) -> String {
    let (value, step, unit) = match (percent, value.abs()) {
        (true, _) => (value * 100.0, step * 100.0, "%"),
        (_, size) if size >= 1e9 => (value / 1e9, step / 1e9, "G"),
        (_, size) if size >= 1e6 => (value / 1e6, step / 1e6, "M"),
        (_, size) if size >= 1e4 => (value / 1e3, step / 1e3, "k"),
        _ => (value, step, ""),
    };
    let places = (-step.log10() - 1e-9).ceil().max(0.0) as usize;
    // Use a minus sign instead of a hyphen.
    unsigned_zero(format!("{value:.places$}{unit}")).replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(axis: &Axis, values: &[f64], count: f64) -> Vec<String> {
        let axis_scale = scale(axis, values.iter().copied()).unwrap();
        axis_scale.ticks(count).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn an_axis_of_nothing_but_zero_has_ticks() {
        let axis = Axis::new("ruined").percent().from_zero();
        let ticks = scale(&axis, [0.0, 0.0].into_iter()).unwrap().ticks(5.0);
        assert!(ticks.len() >= 2 && ticks[0] == (0.0, "0%".to_owned()), "{ticks:?}");
    }

    #[test]
    fn ticks_are_round_and_distinct() {
        let axis = Axis::new("");
        assert_eq!(words(&axis, &[0.0, 9.7], 5.0), ["0", "5", "10"]);
        assert_eq!(words(&axis.clone().percent(), &[-0.031, 0.001], 4.0), ["−3%", "−2%", "−1%", "0%"]);
        assert_eq!(words(&axis.clone().percent(), &[0.0241, 0.0248], 4.0), ["2.42%", "2.44%", "2.46%", "2.48%"]);
        assert_eq!(words(&axis, &[0.0, 2.1e6], 4.0), ["0", "1M", "2M"]);
    }

    #[test]
    fn logarithmic_ticks_fit_any_span() {
        let axis = Axis::new("").log();
        assert_eq!(words(&axis, &[1e3, 1e6], 5.0), ["1000", "10k", "100k", "1M"]);
        assert_eq!(words(&axis.clone().percent(), &[0.0003, 0.01], 6.0), ["0.05%", "0.1%", "0.2%", "0.5%", "1%"]);
        let small = words(&axis, &[8e-8, 0.3], 6.0);
        assert_eq!(small, ["1e-7", "1e-6", "1e-5", "1e-4", "0.001", "0.01", "0.1"]);
        let percent = words(&axis.clone().percent(), &[4e-7, 0.02], 6.0);
        assert_eq!(percent, ["1e-4%", "0.001%", "0.01%", "0.1%", "1%"]);
        assert_eq!(words(&axis, &[1e-5, 3e-5], 6.0), ["1e-5", "2e-5"]);
        assert!(words(&axis, &[3.1, 3.4], 5.0).len() >= 2);
        let many = words(&axis, &[1e-9, 1e9], 6.0);
        assert!((4..=7).contains(&many.len()), "{many:?}");
    }

    #[test]
    fn a_logarithmic_axis_ends_at_zero_if_it_has_to_show_one() {
        let axis = Axis::new("").log();
        assert_eq!(words(&axis, &[0.0, 1e3, 1e6], 6.0), ["0", "1000", "10k", "100k", "1M"]);
        assert_eq!(words(&axis.clone().percent(), &[0.01, 0.0, 1.0], 4.0), ["0%", "1%", "10%", "100%"]);
        let scale = scale(&axis, [0.0, 1e3, 1e6].into_iter()).unwrap();
        assert_eq!([0.0, -1.0].map(|value| scale.place(value)), [0.0, 0.0]);
        // There is a gap between zero and the lowest positive number.
        assert!(scale.place(1e3) > 0.1 && scale.place(1e6) < 1.0);
        // If there are only zeros, the axis is linear.
        assert_eq!(words(&axis, &[0.0, 0.0], 3.0)[0], "0.0");
    }

    #[test]
    fn invalid_values_are_omitted() {
        let axis = Axis::new("").log();
        assert!(scale(&axis, [-1.0, f64::NAN, f64::INFINITY].into_iter()).is_none());
        for value in [0.0, -3.0, 1e-300, 1e300] {
            let ticks = scale(&Axis::new(""), [value].into_iter()).unwrap().ticks(5.0);
            assert!((2..20).contains(&ticks.len()), "{value} {ticks:?}");
        }
    }
}
