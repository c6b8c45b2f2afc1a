//! Counts the joint results when two opponents face the same banker hand.
//!
//! The opponents' hands come from the same 46 cards, so their results are correlated. Pairs of disjoint hands are
//! counted by inclusion and exclusion, as the sum of (-1)^|S| a(S) b(S) over all sets S of at most seven cards. Here,
//! a(S) and b(S) are how many of the first and second opponent's hands contain S. The numbers for a set follow from
//! the numbers for the sets with one more card. This takes one pass over 53,524,680 hands and some small tables,
//! instead of an enumeration of 8.23 * 10^14 pairs.

use crate::Ratio;
use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::hand::HandEvaluator;
use crate::pai_gow::outcomes::{BANKER_HANDS, Side};
use crate::solver::Cancelled;
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::cards::{Card, CardSet};
use houseway_env::money::Chips;
use houseway_env::pai_gow::{BankerSet, Game, Hand, Outcome, SetHand, Setting};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of possible results: the bank wins, a push, or the bank loses.
pub(crate) const RESULTS: usize = 3;
/// The number of cards that the banker doesn't hold, out of 53.
const LEFT: usize = 46;

/// The frequency of each pair of results for one banker hand, over all pairs of hands that the two opponents can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The counts, indexed by the first and then the second opponent's result: 0 if the bank wins, 1 for a push and 2
    /// if it loses.
    pub counts: [[u64; RESULTS]; RESULTS],
}

impl Joint {
    /// Returns the number of pairs, which is 53,524,680 times the 15,380,937 hands from the remaining 39 cards.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// Returns the first opponent's counts for each result.
    pub fn first(&self) -> [u64; RESULTS] {
        self.counts.map(|row| row.iter().sum())
    }

    /// Returns the second opponent's counts for each result.
    pub fn second(&self) -> [u64; RESULTS] {
        std::array::from_fn(|result| self.counts.iter().map(|row| row[result]).sum())
    }

    /// Returns the counts with the two opponents swapped.
    pub fn turned(&self) -> Joint {
        Joint { counts: std::array::from_fn(|first| self.counts.map(|row| row[first])) }
    }

    /// Returns the covariance of the bank's winnings from two bets with one chip each.
    pub fn covariance(&self) -> Ratio {
        let gain = [1i128, 0, -1];
        let pairs = i128::from(self.pairs());
        let of = |counts: [u64; RESULTS]| {
            gain.iter().zip(counts).map(|(gain, count)| gain * i128::from(count)).sum::<i128>()
        };
        let cells = self.counts.iter().zip(gain).map(|(row, gain)| gain * of(*row));
        let product = Ratio::new(cells.sum(), pairs);
        let (first, second) = (Ratio::new(of(self.first()), pairs), Ratio::new(of(self.second()), pairs));
        product - first * second
    }
}

/// Returns the summands C(c, i) that make up a subset's array index. The set with elements c1 < c2 < ... has the index
/// `C(c1,1)+C(c2,2)+...`.
fn places(cards: usize) -> Vec<[u32; 8]> {
    (0..=cards).map(|c| std::array::from_fn(|i| binomial(c as u64, i as u64) as u32)).collect()
}

/// The number of hands with each result that contain a set, indexed by set. All sets have the same size.
type Holding = Vec<[u32; RESULTS]>;

/// Counts the pairs of disjoint hands, each with `hand` out of `cards` cards, by their two results. `each_hand` must
/// enumerate every hand as ascending card numbers that start at 0, with its results for both opponents. The cards can be
/// tiles as well.
pub(crate) fn disjoint_pairs(
    cards: usize,
    hand: usize,
    mut each_hand: impl FnMut(&mut dyn FnMut(&[usize], [usize; 2])),
) -> [[i128; RESULTS]; RESULTS] {
    let place = places(cards);
    let mut pairs = [[0i128; RESULTS]; RESULTS];
    let sign = |size: usize| if size.is_multiple_of(2) { 1 } else { -1 };
    let sets = binomial(cards as u64, hand as u64 - 1) as usize;
    let mut holding: [Holding; 2] = std::array::from_fn(|_| vec![[0; RESULTS]; sets]);
    each_hand(&mut |held: &[usize], results: [usize; 2]| {
        pairs[results[0]][results[1]] += sign(hand);
        for_each_smaller(&place, held, |at| {
            for (holding, result) in holding.iter_mut().zip(results) {
                holding[at][result] += 1;
            }
        });
    });
    for size in (0..hand).rev() {
        for (first, second) in holding[0].iter().zip(&holding[1]) {
            for (row, &x) in pairs.iter_mut().zip(first) {
                row.iter_mut().zip(second).for_each(|(cell, &y)| *cell += sign(size) * i128::from(x) * i128::from(y));
            }
        }
        if size > 0 {
            holding = holding.map(|holding| smaller(&place, cards, hand, size, &holding));
        }
    }
    pairs
}

/// Calls `visit` with the index of each set that results from removing one card.
#[inline]
fn for_each_smaller(place: &[[u32; 8]], set: &[usize], mut visit: impl FnMut(usize)) {
    // Cards below the removed one keep their column, and cards above it move one column to the left.
    let mut at: u32 = set.iter().enumerate().skip(1).map(|(i, &card)| place[card][i]).sum();
    for (i, &card) in set.iter().enumerate() {
        visit(at as usize);
        if let Some(&next) = set.get(i + 1) {
            at = at + place[card][i + 1] - place[next][i + 1];
        }
    }
}

/// Computes how many hands contain each set with `size` - 1 cards, given the numbers for sets with `size` cards. A hand
/// with `hand` cards that contains the smaller set is reached once for each of its other cards.
fn smaller(place: &[[u32; 8]], cards: usize, hand: usize, size: usize, holding: &Holding) -> Holding {
    let mut sums = vec![[0u32; RESULTS]; binomial(cards as u64, size as u64 - 1) as usize];
    let mut set: Vec<usize> = (0..size).collect();
    for held in holding {
        for_each_smaller(place, &set, |at| sums[at].iter_mut().zip(held).for_each(|(sum, held)| *sum += held));
        next_set(&mut set, cards);
    }
    sums.iter_mut().flatten().for_each(|sum| *sum /= (hand - size + 1) as u32);
    sums
}

/// Advances to the next set in index order.
fn next_set(set: &mut [usize], cards: usize) {
    for i in 0..set.len() {
        let limit = set.get(i + 1).copied().unwrap_or(cards);
        if set[i] + 1 < limit {
            set[i] += 1;
            (0..i).for_each(|j| set[j] = j);
            return;
        }
    }
}

/// Returns an opponent's result for every profile against a banker's set hand.
fn results(game: &Game, banker: BankerSet, way: &BankerTable) -> Vec<u8> {
    let result = |profile| match game.settle(way.set(profile), banker).outcome {
        Outcome::Loss => 0,
        Outcome::Push => 1,
        Outcome::Win => 2,
    };
    (0..PROFILES).map(|i| result(Profile::from_index(i))).collect()
}

/// Computes the exact joint results for two opponents of a banker with the given hand and set hand. This takes a few
/// seconds on one core and needs 250 MB of memory.
///
/// # Errors
/// Returns an error if the flag `cancel` was set.
pub fn joint_outcomes(
    game: &Game,
    hand: Hand,
    set: SetHand,
    ways: [&BankerTable; 2],
    cancel: Option<&AtomicBool>,
) -> Result<Joint, Cancelled> {
    let is_cancelled = || cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    let profiles = Profiles::get();
    let compared = game.banker_set(hand, set);
    let results = ways.map(|way| results(game, compared, way));
    let left = CardSet::DECK_53.difference(hand.set());
    let mut number = [0usize; Card::JOKER.index() + 1];
    left.iter().enumerate().for_each(|(i, card)| number[card.index()] = i);
    let pairs = disjoint_pairs(LEFT, Hand::CARDS, |visit| {
        for_each_subset(left, Hand::CARDS, |cards| {
            if is_cancelled() {
                return;
            }
            let profile = profiles.of(cards).index();
            let mut numbers = [0; Hand::CARDS];
            numbers.iter_mut().zip(cards.iter()).for_each(|(place, card)| *place = number[card.index()]);
            numbers.sort_unstable();
            visit(&numbers, [results[0][profile].into(), results[1][profile].into()]);
        });
    });
    if is_cancelled() {
        return Err(Cancelled);
    }
    Ok(Joint { counts: pairs.map(|row| row.map(|count| u64::try_from(count).expect("counts are not negative"))) })
}

/// A bet against the bank and the strategy of its seat.
#[derive(Clone, Copy)]
pub struct OpponentBet<'a> {
    /// The bet, in chips.
    pub bet: Chips,
    /// The seat's strategy.
    pub way: &'a BankerTable,
}

/// The results of each opponent at a table and the joint results for all pairs. Seats with the same way share their
/// results.
pub(super) struct Joints {
    /// The index of the first bet that uses the same way as each bet.
    way: Vec<usize>,
    known: BTreeMap<(usize, usize), Joint>,
    /// The counts for each result of a bet, over all 53,524,680 hands.
    pub(super) alone: Vec<[u64; RESULTS]>,
}

impl Joints {
    /// Evaluates all bets and all distinct pairs of them.
    pub(super) fn evaluate(game: &Game, hand: Hand, setting: Setting, bets: &[OpponentBet<'_>]) -> Joints {
        assert!(!bets.is_empty(), "a bank requires at least one bet");
        let first = |bet: &OpponentBet<'_>| bets.iter().position(|other| std::ptr::eq(other.way, bet.way));
        let way: Vec<usize> = bets.iter().map(|bet| first(bet).expect("the bet matches itself")).collect();
        let pairs = (0..bets.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let mut known = BTreeMap::new();
        for (i, j) in pairs {
            let pair = (way[i].min(way[j]), way[i].max(way[j]));
            known.entry(pair).or_insert_with(|| {
                let ways = [bets[pair.0].way, bets[pair.1].way];
                joint_outcomes(game, hand, game.set(hand, setting), ways, None).expect("nothing cancels it")
            });
        }
        let alone = bets.iter().map(|bet| {
            let counts = HandEvaluator::new(game, bet.way).count_for(Side::Banker, hand).get(setting);
            let counts = counts.expect("the bank's setting is legal");
            [counts.wins, counts.pushes, counts.losses]
        });
        Joints { way, known, alone: alone.collect() }
    }

    /// Returns the joint results for two bets.
    pub(super) fn pair(&self, i: usize, j: usize) -> Joint {
        let (first, second) = (self.way[i], self.way[j]);
        let joint = self.known[&(first.min(second), first.max(second))];
        if first <= second { joint } else { joint.turned() }
    }

    /// Returns the mean and variance of the bank's winnings from the entire table, before commission. Both are exact for any
    /// number of opponents, because a variance depends only on pairs.
    pub(super) fn moments(&self, bets: &[OpponentBet<'_>]) -> [Ratio; 2] {
        let (mut mean, mut variance) = (Ratio::ZERO, Ratio::ZERO);
        for i in 0..bets.len() {
            let alone = self.alone[i];
            mean = mean + Ratio::new(gain(alone) * i128::from(bets[i].bet), BANKER_HANDS.into());
            for j in 0..bets.len() {
                let weight = Ratio::new(i128::from(bets[i].bet) * i128::from(bets[j].bet), 1);
                let covariance = if i == j { own_variance(alone) } else { self.pair(i, j).covariance() };
                variance = variance + covariance * weight;
            }
        }
        [mean, variance]
    }
}

fn gain(counts: [u64; RESULTS]) -> i128 {
    i128::from(counts[0]) - i128::from(counts[2])
}

/// Returns the variance of the bank's winnings from a bet of one chip, given the result counts over all hands.
fn own_variance(counts: [u64; RESULTS]) -> Ratio {
    let (decided, hands) = (i128::from(counts[0] + counts[2]), i128::from(BANKER_HANDS));
    Ratio::new(decided * hands - gain(counts).pow(2), hands * hands)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::AnyLegal;
    use houseway_env::pai_gow::Rules;

    /// Returns all subsets with the given size, in ascending order.
    fn subsets(cards: usize, size: usize) -> Vec<Vec<usize>> {
        let all = (0..1usize << cards).filter(|mask| mask.count_ones() as usize == size);
        all.map(|mask| (0..cards).filter(|card| mask >> card & 1 == 1).collect()).collect()
    }

    #[test]
    fn pairs_of_small_hands_match_enumeration() {
        for (cards, size) in [(4, 2), (7, 3), (9, 2), (10, 4), (9, 5), (5, 3)] {
            let hands = subsets(cards, size);
            // Use arbitrary results without any simple structure.
            let result =
                |hand: &[usize], salt: usize| hand.iter().fold(salt, |sum, card| sum * 7 + card * card) % 5 % 3;
            let fast = disjoint_pairs(cards, size, |visit| {
                hands.iter().for_each(|hand| visit(hand, [result(hand, 1), result(hand, 2)]));
            });
            let mut slow = [[0; 3]; 3];
            for first in &hands {
                for second in hands.iter().filter(|second| second.iter().all(|card| !first.contains(card))) {
                    slow[result(first, 1)][result(second, 2)] += 1;
                }
            }
            assert_eq!(fast, slow, "{size} of {cards}");
        }
    }

    #[test]
    fn smaller_sets_have_correct_indices() {
        let place = places(9);
        let (mut set, sets) = (vec![0, 1, 2, 3], binomial(9, 4) as usize);
        for at in 0..sets {
            assert_eq!(set.iter().enumerate().map(|(i, &card)| place[card][i + 1] as usize).sum::<usize>(), at);
            let mut seen = vec![];
            for_each_smaller(&place, &set, |at| seen.push(at));
            for (i, &at) in seen.iter().enumerate() {
                let left: Vec<usize> = set.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &card)| card).collect();
                let expected: u32 = left.iter().enumerate().map(|(j, &card)| place[card][j + 1]).sum();
                assert_eq!(at, expected as usize);
            }
            next_set(&mut set, 9);
        }
    }

    #[test]
    fn a_single_opponent_matches_the_hand_evaluator() {
        let game = Game::new(Rules::default());
        let way = BankerTable::new(&AnyLegal::new(&game, 3));
        let hand: Hand = "Qs Qd 9c 8d 5h 4c 2s".parse().unwrap();
        let setting = Setting::from_index(20).unwrap();
        let bets = [OpponentBet { bet: 100, way: &way }];
        let joints = Joints::evaluate(&game, hand, setting, &bets);
        let expected = HandEvaluator::new(&game, &way).count_for(Side::Banker, hand).get(setting).unwrap();
        assert_eq!(joints.alone[0], [expected.wins, expected.pushes, expected.losses]);
        let gain = i128::from(expected.wins) - i128::from(expected.losses);
        assert_eq!(joints.moments(&bets)[0], Ratio::new(100 * gain, BANKER_HANDS.into()));
    }
}
