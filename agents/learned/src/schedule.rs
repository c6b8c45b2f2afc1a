//! The training schedule. It defines the number of steps, when decaying quantities restart, and how the learning rate
//! falls.

use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use std::ops::Range;

/// The learning rate over the course of a cycle, serialized as a table that contains the `name` of the curve and the
/// `warmup`.
///
/// In the first `warmup` steps, the learning rate rises linearly to the configured one. The curve covers the remaining
/// steps of the cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateSchedule {
    /// The curve after the warmup.
    #[serde(rename = "name")]
    pub curve: RateCurve,
    /// The number of steps in which the learning rate rises. It has to be lower than the number of steps until the next
    /// restart.
    #[serde(default)]
    pub warmup: u64,
}

/// The curve of a [`RateSchedule`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateCurve {
    /// Falls to zero along half a cosine. This is the default.
    #[default]
    HalfCosine,
    /// Falls linearly to zero.
    Linear,
    /// Stays the same.
    Constant,
}

impl RateSchedule {
    /// Returns `true` if this is the default, which isn't serialized, so that the hashes of older configurations stay
    /// the same.
    pub(crate) fn is_default(&self) -> bool {
        *self == RateSchedule::default()
    }

    /// Returns the learning rate of a step, as a fraction of the configured one.
    pub fn factor(self, Range { start, end }: Range<u64>, step: u64) -> f64 {
        let (done, warmup) = (step - start, self.warmup);
        if done < warmup {
            return (done + 1) as f64 / (warmup + 1) as f64;
        }
        let progress = (done - warmup) as f64 / (end - start - warmup) as f64;
        match self.curve {
            RateCurve::HalfCosine => (1.0 + (PI * progress).cos()) / 2.0,
            RateCurve::Linear => 1.0 - progress,
            RateCurve::Constant => 1.0,
        }
    }
}

/// A training schedule, divided into cycles. In each cycle, quantities such as the entropy bonus fall from their initial
/// values to zero, and the learning rate follows its [`RateSchedule`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The total number of steps.
    pub steps: u64,
    /// The first step of every cycle except the first one, in ascending order.
    pub restarts: Vec<u64>,
}

impl Schedule {
    /// Returns the cycle that contains a step.
    pub fn cycle(&self, step: u64) -> Range<u64> {
        let start = self.restarts.iter().rfind(|&&restart| restart <= step);
        let end = self.restarts.iter().find(|&&restart| restart > step);
        start.copied().unwrap_or(0)..end.copied().unwrap_or(self.steps)
    }

    /// Returns the fraction of the cycle completed before a step. It is 0 at a restart.
    pub fn progress(&self, step: u64) -> f64 {
        let Range { start, end } = self.cycle(step);
        (step - start) as f64 / (end - start) as f64
    }

    /// Returns the part of the schedule that determines the first `step` steps. Later cycles are removed.
    #[must_use]
    pub fn until(&self, step: u64) -> Schedule {
        let steps = self.cycle(step.saturating_sub(1)).end;
        Schedule { steps, restarts: self.restarts.iter().copied().filter(|&restart| restart < steps).collect() }
    }

    /// Returns the number of steps in the shortest cycle.
    pub fn shortest(&self) -> u64 {
        let ends = self.restarts.iter().chain([&self.steps]);
        let starts = [0].iter().chain(&self.restarts);
        ends.zip(starts).map(|(end, start)| end - start).min().expect("there is a cycle")
    }

    /// Returns `true` if a cycle ends at this step.
    pub fn ends_at(&self, step: u64) -> bool {
        step == self.steps || self.restarts.contains(&step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_in_cycles() {
        let schedule = Schedule { steps: 300, restarts: vec![100, 150] };
        let cycles = [0, 99, 100, 149, 150, 299].map(|step| schedule.cycle(step));
        assert_eq!(cycles, [0..100, 0..100, 100..150, 100..150, 150..300, 150..300]);
        assert_eq!([0, 50, 100, 125, 225].map(|step| schedule.progress(step)), [0.0, 0.5, 0.0, 0.5, 0.5]);
        assert_eq!(schedule.until(0), Schedule { steps: 100, restarts: vec![] });
        assert_eq!(schedule.until(100), Schedule { steps: 100, restarts: vec![] });
        assert_eq!(schedule.until(101), Schedule { steps: 150, restarts: vec![100] });
        assert_eq!(schedule.until(300), schedule);
        assert!(schedule.ends_at(150) && schedule.ends_at(300) && !schedule.ends_at(151));
    }

    #[test]
    fn the_learning_rate_follows_its_curve_in_each_cycle() {
        let schedule = Schedule { steps: 110, restarts: vec![10] };
        assert_eq!((schedule.shortest(), Schedule { steps: 15, ..schedule.clone() }.shortest()), (10, 5));
        let factors = |curve, warmup, steps: [u64; 4]| {
            steps.map(|step| RateSchedule { curve, warmup }.factor(schedule.cycle(step), step))
        };
        assert_eq!(
            factors(RateCurve::HalfCosine, 0, [0, 10, 60, 5]).map(|it| (it * 1e9).round()),
            [1e9, 1e9, 5e8, 5e8]
        );
        assert_eq!(factors(RateCurve::Linear, 0, [0, 5, 10, 85]), [1.0, 0.5, 1.0, 0.25]);
        assert_eq!(factors(RateCurve::Constant, 0, [0, 9, 10, 109]), [1.0; 4]);
        // The curve begins after the warmup, which is repeated after a restart.
        assert_eq!(factors(RateCurve::Linear, 4, [0, 3, 4, 7]), [0.2, 0.8, 1.0, 0.5]);
        assert_eq!(factors(RateCurve::Constant, 4, [10, 12, 13, 14]), [0.2, 0.6, 0.8, 1.0]);
        assert_eq!(
            factors(RateCurve::HalfCosine, 2, [0, 2, 10, 12]).map(|it| (it * 3.0).round()),
            [1.0, 3.0, 1.0, 3.0]
        );
    }
}
