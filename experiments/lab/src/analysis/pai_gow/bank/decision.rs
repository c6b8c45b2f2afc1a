//! Decides whether to bank, based on the price of passing, and estimates how long a decision takes.

use houseway_exact::Ratio;
use serde_json::{Value, json};

/// The number of standard errors from zero at which a sampled price is decisive. If the true price is zero, one sample
/// in 370 makes the wrong decision.
const ERRORS: f64 = 3.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SampledPrice {
    /// The mean price, in chips.
    pub(super) price: f64,
    /// The standard error of the mean.
    pub(super) error: f64,
    pub(super) deals: u64,
    /// The time it took to sample, in seconds.
    pub(super) seconds: f64,
}

impl SampledPrice {
    fn errors(&self) -> f64 {
        self.price.abs() / self.error
    }

    /// Returns the number of deals after which the sampled price would be decisive.
    fn deals_to_decide(&self) -> f64 {
        (self.deals as f64 * (ERRORS / self.errors()).powi(2)).ceil()
    }
}

/// A decision about banking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Decision {
    /// The exact bounds are decisive.
    Bounds {
        /// If true, banking has the higher EV.
        take: bool,
    },
    /// The bounds aren't decisive, but the sample may be.
    Sample(SampledPrice),
    /// There is neither a decisive bound nor a sample.
    None,
}

impl Decision {
    /// Decides by the bounds on the price of passing if they are decisive, and otherwise by a sample, if there is one.
    pub(super) fn new(bounds: (Ratio, Ratio), sample: impl FnOnce() -> Option<SampledPrice>) -> Decision {
        match Decision::by_bounds(bounds) {
            Some(take) => Decision::Bounds { take },
            None => sample().map_or(Decision::None, Decision::Sample),
        }
    }

    /// Returns `true` if banking is certain to have the higher EV, `false` if it is certain not to, and `None` if the
    /// bounds aren't decisive.
    pub(super) fn by_bounds((low, high): (Ratio, Ratio)) -> Option<bool> {
        if low > Ratio::ZERO { Some(true) } else { (high <= Ratio::ZERO).then_some(false) }
    }

    fn take(&self) -> Option<bool> {
        match self {
            Decision::Bounds { take } => Some(*take),
            Decision::Sample(sample) if sample.errors() >= ERRORS => Some(sample.price > 0.0),
            Decision::Sample(_) | Decision::None => None,
        }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            Decision::Bounds { take } => json!({ "by": "bounds", "take": take }),
            Decision::Sample(sample) => json!({
                "by": "sample",
                "take": self.take(),
                "price": sample.price,
                "standard_error": sample.error,
                "deals_to_decide": finite(sample.deals_to_decide()),
            }),
            Decision::None => json!({ "by": null, "take": null }),
        }
    }

    pub(super) fn text(&self) -> String {
        let verdict = |take| if take { "bank" } else { "pass" };
        match self {
            Decision::Bounds { take } => verdict(*take).to_owned(),
            Decision::None => "undecided by the bounds".to_owned(),
            Decision::Sample(sample) => {
                let SampledPrice { price, error, deals, seconds } = *sample;
                let sampled =
                    format!("undecided by the bounds\nby the sample: {price:+.4} ± {:.4} chips: ", 1.96 * error);
                let needed = sample.deals_to_decide();
                let cost = seconds * needed / deals as f64;
                sampled
                    + &match self.take() {
                        Some(take) => format!("{} ({:.1} standard errors)", verdict(take), sample.errors()),
                        None if needed.is_finite() => format!(
                            "undecided; to decide such a price takes about --deals {needed} ({} here)",
                            duration(cost)
                        ),
                        None => "undecided; the two are equal in this sample".to_owned(),
                    }
            }
        }
    }
}

/// Formats a duration in a suitable unit.
fn duration(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..6_000.0 => format!("{:.0} min", seconds / 60.0),
        ..200_000.0 => format!("{:.0} h", seconds / 3_600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_decide_before_samples_and_samples_name_their_cost() {
        let decide = |low, high, price, error| {
            let sample = || Some(SampledPrice { price, error, deals: 10_000, seconds: 2.0 });
            Decision::new((Ratio::new(low, 10), Ratio::new(high, 10)), sample)
        };
        for (low, high, take) in [(1, 5, true), (-5, 0, false), (-5, -1, false)] {
            assert_eq!(decide(low, high, 9.0, 1.0), Decision::Bounds { take });
        }
        let clear = decide(-5, 20, 0.4, 0.1);
        assert!(clear.text().ends_with("by the sample: +0.4000 ± 0.1960 chips: bank (4.0 standard errors)"));
        assert_eq!((clear.json()["take"].as_bool(), clear.json()["by"].as_str()), (Some(true), Some("sample")));
        assert_eq!(decide(-5, 20, -0.4, 0.1).json()["take"].as_bool(), Some(false));
        // A price that is a third of the required distance from zero takes nine times as many deals.
        let close = decide(-5, 20, 0.1, 0.1);
        assert!(close.text().ends_with("undecided; to decide such a price takes about --deals 90000 (18 s here)"));
        assert_eq!((close.json()["take"].as_bool(), close.json()["deals_to_decide"].as_f64()), (None, Some(90_000.0)));
        assert!(decide(-5, 20, 0.0, 0.1).text().contains("equal in this sample"));
        assert_eq!(Decision::new((Ratio::new(-1, 1), Ratio::new(1, 1)), || None), Decision::None);
        assert_eq!([3.0, 150.0, 7_200.0, 900_000.0].map(duration), ["3 s", "2 min", "2 h", "10 days"]);
    }
}
