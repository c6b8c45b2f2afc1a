//! Ratings of halves, fitted by exact coordinate descent.

use super::{Play, Problem};
use crate::solver::{Cancelled, Control};
use houseway_env::gym::stream;
use rand_pcg::rand_core::Rng;

/// The number of times that every value is fitted.
const SWEEPS: u64 = 300;
/// The values of two neighboring halves differ by this at the beginning.
const STEP: i64 = 1_000;

/// The values of all halves as low and as high halves.
type Values = [Vec<i64>; 2];

/// Orders settings as a rating does: the greater sum first, then the better low half.
fn key(values: &Values, play: &Play) -> (i64, [usize; 2]) {
    (values[0][play.halves[0]] + values[1][play.halves[1]], play.halves)
}

impl Problem<'_> {
    pub(super) fn rating(&self, control: &Control<'_>) -> Result<Values, Cancelled> {
        let progress = control.stage("fitting the rating", "sweeps");
        let start: Vec<i64> = (0..self.halves.len() as i64).map(|half| half * STEP).collect();
        let mut values = [start.clone(), start];
        let mut best = (self.rated(&values), values.clone());
        let mut rng = stream(0.into());
        for sweep in 0..SWEEPS {
            control.check()?;
            progress(sweep, SWEEPS);
            for place in [0, 1] {
                (0..self.halves.len()).for_each(|half| self.fit_value(&mut values, place, half, &mut rng));
            }
            let loss = self.rated(&values);
            if loss < best.0 {
                best = (loss, values.clone());
            }
        }
        Ok(best.1)
    }

    /// Returns the loss of a rating.
    pub(super) fn rated(&self, values: &Values) -> i64 {
        let chosen = |hand: &[Play; 3]| hand.iter().max_by_key(|play| key(values, play)).map_or(0, |play| play.loss);
        self.settings.iter().map(chosen).sum()
    }

    /// Gives a half the best value in one place. Between equally good ranges of values, chance decides, which lets the
    /// descent leave plateaus.
    fn fit_value(&self, values: &mut Values, place: usize, half: usize, rng: &mut impl Rng) {
        // The settings with the half win a hand once its value reaches a limit. The loss then changes.
        let mut changes: Vec<(i64, i64)> = vec![];
        values[place][half] = 0;
        for hand in self.settings.iter().filter(|hand| hand.iter().any(|play| play.halves[place] == half)) {
            let best = |is_own: bool| {
                let plays = hand.iter().filter(|play| (play.halves[place] == half) == is_own);
                plays.max_by_key(|play| key(values, play))
            };
            let (Some(own), Some(other)) = (best(true), best(false)) else { continue };
            let ((own_sum, own_halves), (other_sum, other_halves)) = (key(values, own), key(values, other));
            let limit = other_sum - own_sum + i64::from(own_halves < other_halves);
            changes.push((limit, own.loss - other.loss));
        }
        changes.sort_unstable();
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return };
        let (mut from, end, mut loss) = (first.0 - STEP, last.0 + STEP, 0);
        let (mut least, mut ties) = (i64::MAX, 0);
        for (limit, change) in changes.into_iter().chain([(end, 0)]) {
            if limit > from {
                ties = if loss < least { 1 } else { ties + u64::from(loss == least) };
                if loss < least || loss == least && rng.next_u64().is_multiple_of(ties) {
                    (least, values[place][half]) = (loss, from + (limit - from) / 2);
                }
            }
            (from, loss) = (limit, loss + change);
        }
    }
}
