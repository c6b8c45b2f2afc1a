//! A toy game with six ranks and two suits. Both sides get four cards and set three in the back and one in front.

use super::super::{HandGame, UNITS, maximize};
use crate::Ratio;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use std::convert::Infallible;

const RANKS: u8 = 6;
const SUITS: u8 = 2;
const HAND: u32 = 4;
const CARDS: u32 = (RANKS * SUITS) as u32;
/// The number of deals, which is C(12,4) times C(8,4).
const DEALS: i64 = 495 * 70;
/// The first side's payoffs for winning neither, one or both comparisons, in units of 1/20 of the stake.
const PAYOFFS: [i64; 3] = [-20, 0, 19];
/// The second side's payoffs for the same outcomes if it pays a commission as well.
const COMMISSION_PAYOFFS: [i64; 3] = [19, 0, -20];
const STAKE: i64 = 20;

/// A back's category and ranks, and a front's rank.
type Set = ([u8; 4], u8);

/// The toy game. Ties go to the second side.
pub(super) struct Toy {
    starts: Vec<u32>,
    probabilities: Vec<f64>,
    /// The gain of each of the first side's actions against each of the second side's actions, over all deals of their
    /// hands.
    gains: Vec<Vec<i64>>,
    /// The second side's gains, in the same order.
    second_gains: Vec<Vec<i64>>,
}

fn back(cards: &[(u8, u8)]) -> [u8; 4] {
    let mut ranks: Vec<u8> = cards.iter().map(|card| card.0).collect();
    ranks.sort_unstable_by(|a, b| b.cmp(a));
    let is_flush = cards.iter().all(|card| card.1 == cards[0].1);
    let (category, ranks) = match ranks[..] {
        [a, _, b] if is_flush => (2, [a, ranks[1], b]),
        [a, b, c] if a == b => (1, [a, c, 0]),
        [a, b, c] if b == c => (1, [b, a, 0]),
        [a, b, c] => (0, [a, b, c]),
        _ => unreachable!("a back has three cards"),
    };
    [category, ranks[0], ranks[1], ranks[2]]
}

fn cards(hand: u32) -> Vec<(u8, u8)> {
    (0..CARDS as u8).filter(|card| hand >> card & 1 == 1).map(|card| (card / SUITS, card % SUITS)).collect()
}

/// Returns the hand with its suits swapped.
fn other_suits(hand: u32) -> u32 {
    (hand & 0x555) << 1 | hand >> 1 & 0x555
}

fn undominated_sets(hand: u32) -> Vec<Set> {
    let cards = cards(hand);
    let set = |front: usize| {
        let rest: Vec<(u8, u8)> = (0..cards.len()).filter(|&i| i != front).map(|i| cards[i]).collect();
        (back(&rest), cards[front].0)
    };
    let mut sets: Vec<Set> = (0..cards.len()).map(set).collect();
    sets.dedup();
    let all = sets.clone();
    sets.retain(|own| !all.iter().any(|set| set != own && set.0 >= own.0 && set.1 >= own.1));
    sets
}

/// Returns the number of comparisons that the first side wins.
fn wins(own: Set, other: Set) -> usize {
    usize::from(own.0 > other.0) + usize::from(own.1 > other.1)
}

fn hands() -> Vec<u32> {
    (0..1 << CARDS).filter(|hand: &u32| hand.count_ones() == HAND).collect()
}

impl Toy {
    pub(super) fn new() -> Toy {
        Toy::with_payoffs(PAYOFFS.map(|gain| -gain))
    }

    /// Creates the game in which both sides pay a commission, so that it isn't zero-sum.
    pub(super) fn with_two_commissions() -> Toy {
        Toy::with_payoffs(COMMISSION_PAYOFFS)
    }

    fn with_payoffs(second: [i64; 3]) -> Toy {
        let hands = hands();
        let mut classes: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &hand in &hands {
            classes.entry(hand.min(other_suits(hand))).or_default().push(hand);
        }
        let classes: Vec<(u32, Vec<u32>)> = classes.into_iter().collect();
        let sets: Vec<Vec<Set>> = classes.iter().map(|&(hand, _)| undominated_sets(hand)).collect();
        let mut starts = vec![0];
        for sets in &sets {
            starts.push(starts.last().unwrap() + sets.len() as u32);
        }
        let probabilities = classes.iter().map(|(_, hands)| hands.len() as f64 / 495.0).collect();
        let actions: Vec<(usize, Set)> =
            sets.iter().enumerate().flat_map(|(class, sets)| sets.iter().map(move |&set| (class, set))).collect();
        let deals = |own: usize, other: usize| {
            let pairs = classes[own].1.iter().flat_map(|a| classes[other].1.iter().map(move |b| a & b));
            pairs.filter(|&shared| shared == 0).count() as i64
        };
        let deals: Vec<Vec<i64>> =
            (0..classes.len()).map(|own| (0..classes.len()).map(|other| deals(own, other)).collect()).collect();
        let gains = |payoffs: [i64; 3]| {
            let gain = |own: &(usize, Set), other: &(usize, Set)| deals[own.0][other.0] * payoffs[wins(own.1, other.1)];
            actions.iter().map(|own| actions.iter().map(|other| gain(own, other)).collect()).collect()
        };
        Toy { starts, probabilities, gains: gains(PAYOFFS), second_gains: gains(second) }
    }

    /// Returns how many payoff units all stakes add up to over all deals.
    pub(super) fn unit(&self) -> i64 {
        DEALS * STAKE
    }

    /// Returns the gain of each of a side's actions against the other side's weighted actions.
    fn gains(&self, side: usize, weights: &[i64]) -> Vec<i64> {
        let gain = |own: usize, other: usize| match side {
            0 => self.gains[own][other],
            _ => self.second_gains[other][own],
        };
        let sum = |own| weights.iter().enumerate().map(|(other, weight)| gain(own, other) * weight).sum();
        (0..weights.len()).map(sum).collect()
    }

    /// Returns the gain of a side's best response.
    pub(super) fn best_response(&self, side: usize, other: &[u16]) -> i128 {
        let weights: Vec<i64> = other.iter().map(|&weight| weight.into()).collect();
        let gains = self.gains(side, &weights);
        let best = |set: &[u32]| gains[set[0] as usize..set[1] as usize].iter().copied().max().unwrap();
        self.starts.windows(2).map(|set| i128::from(best(set))).sum()
    }

    /// Returns both sides' gains from the weighted actions, and from the best responses to them, by enumerating all
    /// deals of the game with two commissions. Best responses are in units of the other side's weights only.
    pub(super) fn enumerate(&self, weights: [&[u32]; 2]) -> ([i128; 2], [i128; 2]) {
        let hands = hands();
        let mut firsts: Vec<u32> = hands.iter().map(|&hand| hand.min(other_suits(hand))).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let actions = |hand: u32| {
            let class = firsts.binary_search(&hand.min(other_suits(hand))).unwrap();
            (self.starts[class] as usize..).zip(undominated_sets(hand.min(other_suits(hand))))
        };
        let mut own = [0; 2];
        let mut gains = [vec![0i128; weights[0].len()], vec![0i128; weights[1].len()]];
        for (&a, &b) in hands.iter().flat_map(|a| hands.iter().map(move |b| (a, b))).filter(|(a, b)| *a & *b == 0) {
            for (first, set) in actions(a) {
                for (second, other) in actions(b) {
                    let [x, y] = [weights[0][first], weights[1][second]].map(i128::from);
                    let won = wins(set, other);
                    let [gain, lost] = [PAYOFFS, COMMISSION_PAYOFFS].map(|payoffs| i128::from(payoffs[won]));
                    own = [own[0] + x * y * gain, own[1] + x * y * lost];
                    gains[0][first] += y * gain;
                    gains[1][second] += x * lost;
                }
            }
        }
        let best = |gains: &Vec<i128>| -> i128 {
            let set = |set: &[u32]| *gains[set[0] as usize..set[1] as usize].iter().max().unwrap();
            self.starts.windows(2).map(set).sum()
        };
        (own, gains.each_ref().map(best))
    }

    fn actions(&self) -> Vec<Vec<usize>> {
        self.starts.windows(2).map(|set| (set[0] as usize..set[1] as usize).collect()).collect()
    }

    /// Computes the value of the game over all deals by linear programming, in units of 1/20 of the stake.
    pub(super) fn value(&self) -> Ratio {
        let mut first = self.actions();
        let mut second = self.actions();
        let of_first = |own: usize, other: usize| self.gains[own][other];
        let of_second = |own: usize, other: usize| -self.gains[other][own];
        while drop_dominated(&mut first, &second, &of_first) | drop_dominated(&mut second, &first, &of_second) {}
        // The last action in each of the first side's classes gets the probability that the other actions leave. Each
        // of the second side's classes has a variable for the first side's gain, shifted to be nonnegative.
        let variables: Vec<(usize, usize, usize)> = (0..first.len())
            .flat_map(|class| {
                let (&last, others) = first[class].split_last().unwrap();
                others.iter().map(move |&action| (class, action, last))
            })
            .collect();
        let constant = |other: usize| -> i64 { first.iter().map(|set| self.gains[*set.last().unwrap()][other]).sum() };
        let change = |&(_, action, last): &(usize, usize, usize), other: usize| {
            i128::from(self.gains[action][other] - self.gains[last][other])
        };
        let undecided: Vec<&Vec<usize>> = second.iter().filter(|set| set.len() > 1).collect();
        let columns = variables.len() + undecided.len();
        let mut objective = vec![0; columns];
        let mut fixed = 0;
        for &other in second.iter().filter(|set| set.len() == 1).map(|set| &set[0]) {
            fixed += i128::from(constant(other));
            variables.iter().zip(&mut objective).for_each(|(variable, sum)| *sum += change(variable, other));
        }
        let mut limits: Vec<(Vec<i128>, i128)> = vec![];
        for (i, set) in undecided.iter().enumerate() {
            let least = |other: usize| -> i64 {
                first.iter().map(|own| own.iter().map(|&own| self.gains[own][other]).min().unwrap()).sum()
            };
            let shift = set.iter().map(|&other| -least(other)).max().unwrap().max(0);
            fixed -= i128::from(shift);
            objective[variables.len() + i] = 1;
            for &other in *set {
                let mut row: Vec<i128> = variables.iter().map(|variable| -change(variable, other)).collect();
                row.resize(columns, 0);
                row[variables.len() + i] = 1;
                limits.push((row, i128::from(constant(other) + shift)));
            }
        }
        for class in (0..first.len()).filter(|&class| first[class].len() > 1) {
            let mut row: Vec<i128> = variables.iter().map(|variable| i128::from(variable.0 == class)).collect();
            row.resize(columns, 0);
            limits.push((row, 1));
        }
        let numbers = |list: &[i128]| list.iter().map(|&number| BigRational::from_integer(number.into())).collect();
        let (rows, limits): (Vec<Vec<i128>>, Vec<i128>) = limits.into_iter().unzip();
        let objective: Vec<BigRational> = numbers(&objective);
        let rows = rows.iter().map(|row| numbers(row)).collect();
        let solution = maximize(objective.clone(), rows, numbers(&limits)).unwrap().solution;
        let gain: BigRational = objective.iter().zip(&solution).map(|(gain, value)| gain * value).sum();
        Ratio::new(gain.numer().to_i128().unwrap(), gain.denom().to_i128().unwrap()) + Ratio::new(fixed, 1)
    }
}

/// Drops actions if another one in the same class is at least as good whatever each of the other side's classes plays.
fn drop_dominated(own: &mut [Vec<usize>], other: &[Vec<usize>], gain: &dyn Fn(usize, usize) -> i64) -> bool {
    let mut dropped = false;
    for set in own {
        for action in set.clone() {
            let worst = |better: usize| -> i64 {
                other.iter().map(|set| set.iter().map(|&it| gain(better, it) - gain(action, it)).min().unwrap()).sum()
            };
            if set.iter().any(|&better| better != action && worst(better) >= 0) {
                set.retain(|&it| it != action);
                dropped = true;
            }
        }
    }
    dropped
}

impl HandGame for Toy {
    type Error = Infallible;

    fn starts(&self, _: usize) -> &[u32] {
        &self.starts
    }

    fn probabilities(&self, _: usize) -> &[f64] {
        &self.probabilities
    }

    fn values(&mut self, side: usize, other: &[u8]) -> Result<Vec<f64>, Infallible> {
        let weights: Vec<i64> = other.iter().map(|&units| units.into()).collect();
        let whole = (self.unit() * i64::from(UNITS)) as f64;
        Ok(self.gains(side, &weights).into_iter().map(|gain| gain as f64 / whole).collect())
    }
}
