//! The distribution of a bet's net result over all deals, and the bands of its average over many rounds.

use crate::Ratio;
use serde_json::Value;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// The probability of an average outside of a band that is neglected in its computation.
const NEGLECTED: f64 = 1e-15;
/// The most steps between the lowest and the highest net result. More are rounded to this many.
const MAX_STEPS: i64 = 20_000;

/// The number of deals with each net result of one or several bets. A deal may also stand for a weight, or for one deal of
/// a sample.
///
/// ```
/// use houseway_exact::Ratio;
/// use houseway_exact::net::NetResults;
///
/// let mut red = NetResults::new(1);
/// red.add(1, 18);
/// red.add(-1, 20);
/// assert_eq!(red.ev(), Ratio::new(-1, 19));
/// let [low, high] = red.band(1_000, 0.95);
/// assert!(low < -0.11 && high > 0.0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetResults {
    parts: i64,
    deals: BTreeMap<i64, u128>,
}

impl NetResults {
    /// Creates an empty distribution. Net results are given in this many parts of the stake.
    pub const fn new(parts: i64) -> NetResults {
        NetResults { parts, deals: BTreeMap::new() }
    }

    /// Adds deals with a net result in parts of the stake.
    pub fn add(&mut self, net: i64, deals: u128) {
        if deals > 0 {
            *self.deals.entry(net).or_default() += deals;
        }
    }

    /// Iterates over the net results in parts of the stake and the numbers of deals, in ascending order of net results.
    pub fn results(&self) -> impl Iterator<Item = (i64, u128)> + '_ {
        self.deals.iter().map(|(&net, &deals)| (net, deals))
    }

    /// Iterates over the net results per unit staked and the numbers of deals, from the highest net result down.
    pub fn iter(&self) -> impl Iterator<Item = (Ratio, u128)> + '_ {
        self.deals.iter().rev().map(|(&net, &deals)| (Ratio::new(net.into(), self.parts.into()), deals))
    }

    /// Returns the number of deals.
    pub fn deals(&self) -> u128 {
        self.deals.values().sum()
    }

    /// Returns the probability of a number of deals.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn probability(&self, deals: u128) -> Ratio {
        Ratio::new(deals as i128, self.deals() as i128)
    }

    /// Returns the mean net result per unit staked.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn ev(&self) -> Ratio {
        let sum: i128 = self.deals.iter().map(|(&net, &deals)| i128::from(net) * deals as i128).sum();
        Ratio::new(sum, self.deals() as i128 * i128::from(self.parts))
    }

    /// Returns the probability of a positive net result.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn hit_frequency(&self) -> Ratio {
        self.probability(self.deals.range(1..).map(|(_, deals)| deals).sum())
    }

    /// Returns the variance of the net result per unit staked, computed from exact sums.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn variance(&self) -> f64 {
        // With a fee, the stake has many parts, and the squares of the nets only fit without their common divisor.
        let common = self.deals.keys().fold(self.parts, |common, net| gcd(common, net.abs()));
        let without = |net: i64| i128::from(net / common);
        let squares: i128 = self.deals.iter().map(|(&net, &deals)| without(net).pow(2) * deals as i128).sum();
        let mean_square = Ratio::new(squares, self.deals() as i128 * without(self.parts).pow(2));
        mean_square.value() - self.ev().value().powi(2)
    }

    /// Returns the skewness of the net result.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn skewness(&self) -> f64 {
        let mean = self.ev().value();
        let third = |(net, deals): (Ratio, u128)| (net.value() - mean).powi(3) * self.probability(deals).value();
        self.iter().map(third).sum::<f64>() / self.variance().powf(1.5)
    }

    /// Returns the expected log growth of a bankroll, which is given in parts of the stake. This is negative infinity if the
    /// entire bankroll can be lost.
    pub fn log_growth(&self, bankroll: f64) -> f64 {
        let growth = |(net, deals): (i64, u128)| {
            let factor = 1.0 + net as f64 / bankroll;
            if factor <= 0.0 { f64::NEG_INFINITY } else { deals as f64 * factor.ln() }
        };
        self.results().map(growth).sum::<f64>() / self.deals() as f64
    }

    /// Returns the Kelly size: the multiple of these bets that maximizes the expected log growth of a bankroll, which is
    /// given in parts of the stake. It's 0 if the EV isn't positive, and infinite if no result is a loss. Otherwise, it's
    /// found by bisection in 100 steps.
    pub fn kelly_size(&self, bankroll: i64) -> f64 {
        self.kelly_size_with(0.0, bankroll)
    }

    /// Like [`NetResults::kelly_size`], with an amount added to every result. This gives a sample the mean that it should
    /// have.
    pub(crate) fn kelly_size_with(&self, more: f64, bankroll: i64) -> f64 {
        let Some((&worst, _)) = self.deals.first_key_value() else { return 0.0 };
        let worst = worst as f64 + more;
        if self.ev().value() * self.parts as f64 + more <= 0.0 {
            return 0.0;
        }
        if worst >= 0.0 {
            return f64::INFINITY;
        }
        let slope = |size: f64| -> f64 {
            let part = |(net, deals): (i64, u128)| {
                let share = (net as f64 + more) / bankroll as f64;
                deals as f64 * share / (1.0 + size * share)
            };
            self.results().map(part).sum()
        };
        let (mut low, mut high) = (0.0, bankroll as f64 / -worst);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        }
        low
    }

    /// Returns the lowest and the highest average net result of a number of independent rounds that remain if each tail
    /// may have half of the probability outside of the confidence.
    ///
    /// The distribution of the sum is computed by a Fourier transform and not by a normal approximation. It is exact
    /// apart from floating-point errors, unless the net results have more than 20,000 steps between the lowest and the
    /// highest one, which are rounded.
    ///
    /// # Panics
    /// Panics if there are no deals or no rounds.
    pub fn band(&self, rounds: u32, confidence: f64) -> [f64; 2] {
        assert!(rounds > 0, "an average needs at least one round");
        let lattice = Lattice::new(self);
        let sums = Sums::new(&lattice, rounds);
        let tail = (1.0 - confidence) / 2.0;
        let low = sums.first(|below| below > tail);
        let high = sums.first(|below| below >= 1.0 - tail - 1e-12);
        // Rounded results may have a slightly different mean.
        let shift = if lattice.is_rounded { self.ev().value() - lattice.average(lattice.mean(), 1) } else { 0.0 };
        [low, high].map(|sum| lattice.average(sum as f64, rounds) + shift)
    }
}

impl FromIterator<(i64, u128)> for NetResults {
    /// Collects net results in stakes or chips, each with its number of deals.
    fn from_iter<T: IntoIterator<Item = (i64, u128)>>(results: T) -> NetResults {
        let mut all = NetResults::new(1);
        results.into_iter().for_each(|(net, deals)| all.add(net, deals));
        all
    }
}

/// The main bet of a game between two strategies.
#[derive(Clone, Debug)]
pub struct MainBet {
    /// The unit of the results: `unit` if there is one bet, with how it is spread, or `ante` if a round has several bets.
    pub unit: &'static str,
    /// The net results of the player, in units.
    pub results: NetResults,
    /// The EV of the best play against the same opponent, or `None` if that would take too long to compute.
    pub optimal_ev: Option<Ratio>,
    /// The strategies by the side that plays them, such as `player`.
    pub strategies: Vec<(&'static str, Value)>,
    /// The parts of the EV in units, such as the commission, followed by the probabilities of events that explain it,
    /// such as copies. Each has its name.
    pub parts: Vec<(&'static str, Ratio)>,
    /// The covariance of the net results of two seats against the same hand of the opponent, or `None` if that would take too
    /// long to compute.
    pub seats_covariance: Option<Ratio>,
}

/// Net results as multiples of a step above the lowest one, with their probabilities.
struct Lattice {
    /// The lowest net result, in parts of the stake like the step.
    lowest: i64,
    step: i64,
    parts: i64,
    is_rounded: bool,
    points: Vec<(i64, f64)>,
}

impl Lattice {
    fn new(results: &NetResults) -> Lattice {
        let lowest = *results.deals.keys().next().expect("there is a deal");
        let highest = *results.deals.keys().next_back().expect("there is a deal");
        let exact = results.deals.keys().fold(0, |step, net| gcd(step, net - lowest)).max(1);
        let step = exact.max((highest - lowest) / MAX_STEPS);
        let point =
            |(net, &deals): (&i64, &u128)| (((net - lowest) + step / 2) / step, results.probability(deals).value());
        let points = results.deals.iter().map(point).collect();
        Lattice { lowest, step, parts: results.parts, is_rounded: step > exact, points }
    }

    /// Returns the average net result of rounds whose steps have the given sum. It is rounded once, in the division.
    fn average(&self, steps: f64, rounds: u32) -> f64 {
        let rounds = f64::from(rounds);
        (self.lowest as f64 * rounds + steps * self.step as f64) / (self.parts as f64 * rounds)
    }

    fn mean(&self) -> f64 {
        self.points.iter().map(|&(steps, p)| steps as f64 * p).sum()
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        self.points.iter().map(|&(steps, p)| (steps as f64 - mean).powi(2) * p).sum()
    }
}

/// The distribution of the sum of several rounds within a window of `length` sums that starts at `start`.
struct Sums {
    start: i64,
    length: i64,
    /// The Fourier coefficients that aren't negligible, with their frequencies.
    coefficients: Vec<(i64, [f64; 2])>,
}

impl Sums {
    fn new(lattice: &Lattice, rounds: u32) -> Sums {
        let highest = lattice.points.last().map_or(0, |&(steps, _)| steps);
        let (mean, variance) = (lattice.mean() * f64::from(rounds), lattice.variance() * f64::from(rounds));
        // Bernstein's inequality: the sum is at most this far from its mean, except with a negligible probability.
        let log = -NEGLECTED.ln();
        let jump = log * highest as f64 / 3.0;
        let reach = (jump + (jump * jump + 2.0 * log * variance).sqrt()).ceil() as i64 + 1;
        let start = (mean as i64 - reach).max(0);
        let end = (mean as i64 + reach).min(highest * i64::from(rounds));
        let length = end - start + 1;
        let turn = |frequency: i64, steps: i64| {
            // The product is reduced before it becomes an angle, which keeps the angle precise.
            let angle = TAU * ((frequency * steps) % length) as f64 / length as f64;
            [angle.cos(), angle.sin()]
        };
        let coefficient = |frequency: i64| {
            let mut of_round = [0.0; 2];
            for &(steps, p) in &lattice.points {
                let [re, im] = turn(frequency, steps);
                of_round = [of_round[0] + p * re, of_round[1] + p * im];
            }
            let [re, im] = of_round;
            let size = (re * re + im * im).powf(f64::from(rounds) / 2.0);
            (size > NEGLECTED / length as f64).then(|| {
                let sum = times(power(of_round, rounds), turn(frequency, -start));
                (frequency, sum)
            })
        };
        Sums { start, length, coefficients: (0..length).filter_map(coefficient).collect() }
    }

    /// Returns the probability of a sum in the window up to and including a place.
    fn below(&self, place: i64) -> f64 {
        let length = self.length as f64;
        let term = |&(frequency, [re, im]): &(i64, [f64; 2])| {
            if frequency == 0 {
                return (place + 1) as f64 * re;
            }
            // The sum of the turns by -2 pi frequency / length for all places is a geometric series.
            let half = TAU / 2.0 * frequency as f64 / length;
            let angle = half * place as f64;
            (re * angle.cos() + im * angle.sin()) * (half * (place + 1) as f64).sin() / half.sin()
        };
        self.coefficients.iter().map(term).sum::<f64>() / length
    }

    /// Returns the first sum up to which the probability satisfies a condition.
    fn first(&self, is_enough: impl Fn(f64) -> bool) -> i64 {
        let (mut low, mut high) = (0, self.length - 1);
        while low < high {
            let middle = (low + high) / 2;
            match is_enough(self.below(middle)) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        self.start + low
    }
}

/// Returns the greatest common divisor of two numbers that aren't negative.
fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn times([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a * c - b * d, a * d + b * c]
}

fn power(base: [f64; 2], exponent: u32) -> [f64; 2] {
    let (mut result, mut square, mut left) = ([1.0, 0.0], base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        left /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn results(parts: i64, rows: &[(i64, u128)]) -> NetResults {
        let mut results = NetResults::new(parts);
        rows.iter().for_each(|&(net, deals)| results.add(net, deals));
        results
    }

    #[test]
    fn a_small_fee_does_not_change_the_variance() {
        let deals = [2_360_723_961_772_804, 3_422_254_755_406_356, 2_467_480_314_035_240];
        let with_fee = |fee: i64| {
            let parts = 1_000_000_000_000;
            let nets = [950_000_000_000, 0, -parts].map(|net| net - fee);
            results(parts, &[(nets[0], deals[0]), (nets[1], deals[1]), (nets[2], deals[2])]).variance()
        };
        let without = results(100, &[(95, deals[0]), (0, deals[1]), (-100, deals[2])]).variance();
        assert!([0, 1_000_000].into_iter().all(|fee| (with_fee(fee) - without).abs() < 1e-12));
    }

    /// The band from the probabilities of all sums, which are added round by round.
    fn slow_band(results: &NetResults, rounds: u32) -> [f64; 2] {
        let mut sums = BTreeMap::from([(0, 1.0)]);
        for _ in 0..rounds {
            let mut next = BTreeMap::new();
            for (sum, p) in &sums {
                for (net, deals) in &results.deals {
                    *next.entry(sum + net).or_insert(0.0) += p * results.probability(*deals).value();
                }
            }
            sums = next;
        }
        let average = |sum: i64| sum as f64 / (results.parts as f64 * f64::from(rounds));
        let first = |is_enough: &dyn Fn(f64) -> bool| {
            let mut below = 0.0;
            let found = sums.iter().find(|(_, p)| {
                below += *p;
                is_enough(below)
            });
            average(*found.unwrap().0)
        };
        [first(&|below| below > 0.025), first(&|below| below >= 0.975 - 1e-12)]
    }

    #[test]
    fn bands_are_those_of_all_sums() {
        let even = results(1, &[(1, 18), (-1, 20)]);
        let poker = results(20, &[(19, 2_861), (0, 4_148), (-20, 2_991)]);
        let jackpot = results(2, &[(1_000, 1), (40, 60), (2, 4_000), (-2, 5_000), (-4, 939)]);
        for results in [&even, &poker, &jackpot] {
            for rounds in [1, 2, 5, 40] {
                assert_eq!(results.band(rounds, 0.95), slow_band(results, rounds), "{rounds}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "at least one round")]
    fn no_rounds_have_no_band() {
        results(1, &[(1, 18), (-1, 20)]).band(0, 0.95);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn bands_of_any_bet_are_those_of_all_sums(
            rows in prop::collection::vec((-30i64..300, 1u128..1_000), 2..6),
            rounds in 1u32..24,
        ) {
            let results = results(7, &rows);
            prop_assert_eq!(results.band(rounds, 0.95), slow_band(&results, rounds));
        }
    }

    /// A commission with six decimal places has two million steps, which are rounded.
    #[test]
    fn rounded_results_keep_their_mean() {
        let odd = results(1_000_000, &[(966_667, 2_861), (0, 4_148), (-1_000_000, 2_991)]);
        let near = results(10_000, &[(9_667, 2_861), (0, 4_148), (-10_000, 2_991)]);
        let shift = odd.ev().value() - near.ev().value();
        for rounds in [100, 1_000] {
            let (odd, near) = (odd.band(rounds, 0.95), near.band(rounds, 0.95));
            assert!(odd.iter().zip(near).all(|(a, b)| (a - b - shift).abs() < 2e-4 / f64::from(rounds).sqrt()));
        }
    }

    #[test]
    fn bands_of_many_rounds_come_near_the_normal_distribution() {
        let poker = results(20, &[(19, 2_861), (0, 4_148), (-20, 2_991)]);
        for rounds in [1_000, 10_000] {
            let half = 1.959_964 * poker.variance().sqrt() / f64::from(rounds).sqrt();
            let [low, high] = poker.band(rounds, 0.95);
            let mean = poker.ev().value();
            assert!((low - (mean - half)).abs() < 0.02 * half && (high - (mean + half)).abs() < 0.02 * half);
        }
    }

    #[test]
    fn moments_are_those_of_the_deals() {
        let die = results(1, &[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]);
        assert_eq!((die.ev(), die.hit_frequency(), die.deals()), (Ratio::new(7, 2), Ratio::new(1, 1), 6));
        assert!((die.variance() - 35.0 / 12.0).abs() < 1e-12 && die.skewness().abs() < 1e-12);
        let bet = results(1, &[(9, 1), (-1, 9)]);
        // The skewness of a Bernoulli variable is (1 - 2p) / sqrt(p (1 - p)).
        assert!((bet.skewness() - 0.8 / 0.09f64.sqrt()).abs() < 1e-12);
    }
}
