//! Spreading a fixed stake over the wagers: the least deviation for every expectation.
//!
//! The stake is one unit in all, none of which can be kept back. A spread is the share of each kind of wager; within a kind
//! it lies evenly on all its spots, which by symmetry and convexity no other spread of the same shares improves. For a
//! price `t` of expectation the best spread makes `variance / 2 - t * expectation` least; from `t = 0`, the least deviation
//! that a whole unit can have, to a large `t`, the wager of the highest expectation, it runs along the frontier.
//!
//! Expectations and covariances are exact; the spreads are floats, found by moving stakes from the kind that costs most at
//! the margin to the one that costs least. The difference of these two bounds how far a spread is from the best one
//! ([`Spread::gap`]).

use super::Outcomes;
use houseway_env::joker_seven::{Wager, WagerKind};

/// Marginal costs closer than this count as equal.
const TOLERANCE: f64 = 1e-12;
/// Moves of stakes after which a spread is left as it is; its gap says how good that is.
const MOVES: usize = 2_000_000;

/// The kinds of wagers on the layout, with the expectation and the covariances of an even spread over each one's spots.
pub struct Frontier {
    kinds: Vec<WagerKind>,
    spots: Vec<usize>,
    evs: Vec<f64>,
    covariances: Vec<Vec<f64>>,
}

/// A way to spread one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Share of each kind, spread evenly over its spots; they add up to one.
    pub shares: Vec<(WagerKind, f64)>,
    /// The expectation per unit.
    pub ev: f64,
    /// The standard deviation per unit.
    pub deviation: f64,
    /// The most by which `variance / 2 - t * ev` lies above its least value.
    pub gap: f64,
}

impl Frontier {
    /// The kinds of wagers of a layout.
    pub fn new(outcomes: &Outcomes) -> Frontier {
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

    /// The kinds, and on how many spots each is spread.
    pub fn kinds(&self) -> impl Iterator<Item = (WagerKind, usize)> + '_ {
        self.kinds.iter().copied().zip(self.spots.iter().copied())
    }

    /// The expectation and the standard deviation of a spread given by its shares, in the order of [`Frontier::kinds`].
    pub fn measure(&self, shares: &[f64]) -> (f64, f64) {
        let ev = shares.iter().zip(&self.evs).map(|(share, ev)| share * ev).sum();
        let variance: f64 = shares.iter().zip(self.slopes(shares, 0.0)).map(|(share, slope)| share * slope).sum();
        (ev, variance.max(0.0).sqrt())
    }

    /// What a little more on each kind adds to `variance / 2 - price * ev`.
    fn slopes(&self, shares: &[f64], price: f64) -> Vec<f64> {
        let with = |row: &Vec<f64>| row.iter().zip(shares).map(|(covariance, share)| covariance * share).sum::<f64>();
        self.covariances.iter().zip(&self.evs).map(|(row, ev)| with(row) - price * ev).collect()
    }

    /// The best spread at a price of expectation, 0 or above.
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
            // All of it, and not all but a rounding error.
            shares[from] = if moved == shares[from] { 0.0 } else { shares[from] - moved };
            shares[to] += moved;
        }
        let (ev, deviation) = self.measure(&shares);
        Spread { shares: self.kinds.iter().copied().zip(shares).collect(), ev, deviation, gap }
    }

    /// Points of the frontier, from the least deviation to the highest expectation.
    pub fn points(&self) -> Vec<Spread> {
        let mut points: Vec<Spread> = vec![self.spread(0.0)];
        // Eight prices to every tenfold, from where expectation hardly counts to where nothing else does.
        for step in 0..=48 {
            let point = self.spread(10f64.powf(f64::from(step) / 8.0 - 2.0));
            if points.last().is_none_or(|last| point.ev - last.ev > 1e-9) {
                points.push(point);
            }
        }
        points
    }
}
