//! Exact evaluation of Joker Seven over all 177,100,560 seven-card hands from the 54-card pack.
//!
//! - [`JointWins`] counts the hands in which each wager and each pair of wagers wins, which determines EVs and
//!   covariances. It has two independent implementations: a closed form over [`ColorProfile`]s
//!   ([`JointWins::by_profiles`], immediate) and an enumeration of every hand ([`JointWins::by_enumeration`], a few
//!   seconds).
//! - [`Frontier`] finds the spreads of a fixed stake with the minimum standard deviation for their EV.
//!
//! ```
//! use houseway_env::joker_seven::{Game, Paytable, Rules, Wager};
//! use houseway_exact::joker_seven::JointWins;
//!
//! let game = Game::new(Rules::default(), Paytable::default());
//! let outcomes = JointWins::by_profiles(&game);
//! let one_joker = Wager::from_index(13).unwrap();
//! // C(2,1) * C(52,6) of C(54,7) hands.
//! assert_eq!(outcomes.winners(one_joker), 2 * 20_358_520);
//! ```

mod answer;
mod solver;
#[cfg(test)]
mod tests;
mod wins;

use houseway_env::joker_seven::{Wager, WagerKind};
pub use solver::SOLVER;
pub use wins::{ColorProfile, HANDS, JointWins, profiles};

/// The tolerance within which marginal costs are considered equal.
const TOLERANCE: f64 = 1e-12;
/// The maximum number of moves. The gap bounds how far the result can be from the optimum.
const MOVES: usize = 2_000_000;

/// The ways to spread one unit over the kinds of wagers, all of which must be wagered, with the minimum standard deviation
/// for each EV.
///
/// A spread assigns a fraction to each kind of wager and divides it evenly over the spots of that kind, which is optimal
/// by symmetry and convexity. Given a price `t` for EV, the best spread minimizes `variance / 2 - t * EV`. As `t`
/// increases from 0, the spread moves along the efficient frontier from the minimum standard deviation to the wager with
/// the highest EV.
///
/// EVs and covariances are exact, and for an even spread over all spots of a kind. Spreads are floats, found by
/// repeatedly moving stake from the kind with the highest marginal cost to the kind with the lowest. The difference
/// between these costs gives a bound on the distance from the optimum. [`Spread::gap`] reports this bound.
pub struct Frontier {
    kinds: Vec<WagerKind>,
    spots: Vec<usize>,
    evs: Vec<f64>,
    covariances: Vec<Vec<f64>>,
}

/// One unit, divided among the kinds of wagers.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The fraction for each kind, which is spread evenly over its spots. The fractions add up to one.
    pub shares: Vec<(WagerKind, f64)>,
    /// The EV per unit.
    pub ev: f64,
    /// The standard deviation per unit.
    pub deviation: f64,
    /// An upper bound on how far `variance / 2 - t * ev` exceeds its minimum.
    pub gap: f64,
}

impl Frontier {
    /// Creates the frontier for a layout.
    pub fn new(outcomes: &JointWins) -> Frontier {
        let of = |kind| outcomes.wagers().filter(move |wager: &Wager| wager.kind() == kind).collect::<Vec<_>>();
        let groups: Vec<(WagerKind, Vec<Wager>)> =
            WagerKind::ALL.into_iter().map(|kind| (kind, of(kind))).filter(|(_, wagers)| !wagers.is_empty()).collect();
        let mean = |values: &mut dyn Iterator<Item = f64>, count: usize| values.sum::<f64>() / count as f64;
        let covariance = |a: &[Wager], b: &[Wager]| {
            let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
            mean(&mut pairs.map(|(a, b)| outcomes.covariance(a, b).value()), a.len() * b.len())
        };
        Frontier {
            kinds: groups.iter().map(|(kind, _)| *kind).collect(),
            spots: groups.iter().map(|(_, wagers)| wagers.len()).collect(),
            evs: groups
                .iter()
                .map(|(_, wagers)| mean(&mut wagers.iter().map(|&wager| outcomes.ev(wager).value()), wagers.len()))
                .collect(),
            covariances: groups.iter().map(|(_, a)| groups.iter().map(|(_, b)| covariance(a, b)).collect()).collect(),
        }
    }

    /// Iterates over the kinds and their numbers of spots.
    pub fn kinds(&self) -> impl Iterator<Item = (WagerKind, usize)> + '_ {
        self.kinds.iter().copied().zip(self.spots.iter().copied())
    }

    /// Returns the EV and standard deviation of a spread, whose fractions are in the order of [`Frontier::kinds`].
    pub fn measure(&self, shares: &[f64]) -> (f64, f64) {
        let ev = shares.iter().zip(&self.evs).map(|(share, ev)| share * ev).sum();
        let variance: f64 = shares.iter().zip(self.slopes(shares, 0.0)).map(|(share, slope)| share * slope).sum();
        (ev, variance.max(0.0).sqrt())
    }

    /// Returns the gradient of `variance / 2 - price * ev`.
    fn slopes(&self, shares: &[f64], price: f64) -> Vec<f64> {
        let with = |row: &Vec<f64>| row.iter().zip(shares).map(|(covariance, share)| covariance * share).sum::<f64>();
        self.covariances.iter().zip(&self.evs).map(|(row, ev)| with(row) - price * ev).collect()
    }

    /// Returns the best spread for a given price of EV, which must not be negative.
    pub fn spread(&self, price: f64) -> Spread {
        let count = self.kinds.len();
        let mut shares = vec![1.0 / count as f64; count];
        let mut gap = f64::INFINITY;
        for _ in 0..MOVES {
            let slopes = self.slopes(&shares, price);
            let Some(to) = (0..count).min_by(|&a, &b| slopes[a].total_cmp(&slopes[b])) else { break };
            let staked = (0..count).filter(|&kind| shares[kind] > 0.0);
            let Some(from) = staked.max_by(|&a, &b| slopes[a].total_cmp(&slopes[b])) else { break };
            gap = shares.iter().zip(&slopes).map(|(share, slope)| share * (slope - slopes[to])).sum();
            if slopes[from] - slopes[to] <= TOLERANCE * price.max(1.0) {
                break;
            }
            let row = &self.covariances;
            let curve = row[from][from] + row[to][to] - 2.0 * row[from][to];
            let step = if curve > 0.0 { (slopes[from] - slopes[to]) / curve } else { f64::INFINITY };
            let moved = step.min(shares[from]);
            // Set it to exactly zero if everything was moved, to avoid a rounding error.
            shares[from] = if moved == shares[from] { 0.0 } else { shares[from] - moved };
            shares[to] += moved;
        }
        let (ev, deviation) = self.measure(&shares);
        Spread { shares: self.kinds.iter().copied().zip(shares).collect(), ev, deviation, gap }
    }

    /// Returns points along the frontier, from the minimum standard deviation to the highest EV.
    pub fn points(&self) -> Vec<Spread> {
        let mut points: Vec<Spread> = vec![self.spread(0.0)];
        // Eight prices per decade, from a negligible weight on the EV to a dominant one.
        for step in 0..=48 {
            let point = self.spread(10f64.powf(f64::from(step) / 8.0 - 2.0));
            if points.last().is_none_or(|last| point.ev - last.ev > 1e-9) {
                points.push(point);
            }
        }
        points
    }
}
