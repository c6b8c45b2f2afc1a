//! A sequential test of a mean, which may be looked at after every observation.

/// The number of rates at which each direction is bet on.
const RATES: i32 = 12;
/// The fortune at which a gambler stops, so that it stays finite.
const LARGEST: f64 = 1e300;

/// A test of whether independent values between two limits have a given mean.
///
/// A gambler with one unit bets on every value at terms that are fair if the mean is right: at rate r, the fortune is
/// multiplied by 1 + r(x - mean). The evidence is the average fortune over several rates in both directions. While the
/// mean is right, its expected value stays 1, so by Ville's inequality the probability that it *ever* reaches 1/p is at
/// most p.
pub struct MeanTest {
    mean: f64,
    rates: Vec<f64>,
    fortunes: Vec<f64>,
}

impl MeanTest {
    /// Creates a test for values from `low` to `high`, which contain the mean.
    pub fn new(mean: f64, [low, high]: [f64; 2]) -> MeanTest {
        let rates = (1..=RATES).flat_map(|halvings| {
            let part = 0.5f64.powi(halvings);
            [part / (mean - low), -part / (high - mean)]
        });
        let rates: Vec<f64> = rates.collect();
        MeanTest { mean, fortunes: vec![1.0; rates.len()], rates }
    }

    /// Adds a value. The weight, from 0 to 1, may depend on everything that is known before the value.
    pub fn observe(&mut self, value: f64, weight: f64) {
        for (fortune, rate) in self.fortunes.iter_mut().zip(&self.rates) {
            *fortune = (*fortune * (1.0 + weight * rate * (value - self.mean))).min(LARGEST);
        }
    }

    pub fn evidence(&self) -> f64 {
        self.fortunes.iter().sum::<f64>() / self.fortunes.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values with their probabilities, which have a mean of 0.2.
    const VALUES: [(f64, f64); 3] = [(1.0, 0.35), (0.0, 0.5), (-1.0, 0.15)];

    /// Adds up all sequences of values: the expected evidence, and the probability that it ever reached a limit.
    fn all_sequences(mean: f64, left: u32, path: &[f64], limit: f64) -> [f64; 2] {
        let mut test = MeanTest::new(mean, [-1.0, 1.0]);
        let mut reached = 0.0f64;
        for value in path {
            // A weight that depends on earlier values keeps the game fair.
            test.observe(*value, if reached < 1.0 { 1.0 } else { 0.5 });
            reached = reached.max(test.evidence());
        }
        if left == 0 {
            return [test.evidence(), f64::from(u8::from(reached >= limit))];
        }
        VALUES.iter().fold([0.0; 2], |sum, (value, p)| {
            let more = all_sequences(mean, left - 1, &[path, &[*value]].concat(), limit);
            [sum[0] + p * more[0], sum[1] + p * more[1]]
        })
    }

    #[test]
    fn the_expected_evidence_against_the_right_mean_is_one() {
        for rounds in [1, 4, 8] {
            let [expected, alarms] = all_sequences(0.2, rounds, &[], 1.3);
            assert!((expected - 1.0).abs() < 1e-12 && alarms <= 1.0 / 1.3, "{rounds}: {expected} {alarms}");
        }
        assert!(all_sequences(-0.2, 8, &[], 1.3)[0] > 1.05);
        let mut test = MeanTest::new(-0.9, [-1.0, 1.0]);
        (0..10_000).for_each(|_| test.observe(1.0, 1.0));
        assert!(test.evidence() > 1e298 && test.evidence().is_finite());
    }
}
