//! The training schedule. It defines the number of steps and when decaying quantities restart.

use std::ops::Range;

/// A training schedule, divided into cycles. In each cycle, the learning rate and other quantities fall from their
/// initial values to zero.
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
}
