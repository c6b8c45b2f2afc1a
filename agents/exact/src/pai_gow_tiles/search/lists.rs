//! Lists of rules, found by removing and inserting rules, and ratings of halves, fitted by exact coordinate descent.
//!
//! A rule has two corners, each a low and a high half: settings that are at least as good as the first in both halves are
//! kept, and the rule doesn't apply if a setting is at least as good as the second. For a given rest of the list, the best
//! corner of all is found at once from the sums over the rectangles of corners for which a hand is set in the same way.

use super::{Play, Problem};
use crate::solver::{Cancelled, Control};
use houseway_env::gym::{StreamSeed, stream};
use rand_pcg::rand_core::Rng;
use rayon::prelude::*;

/// The number of attempts to improve a list.
const ATTEMPTS: u64 = 150;
/// The number of rules that an attempt removes at most.
const REMOVED: u64 = 3;
/// The number of best places from which an insertion chooses.
const PLACES: u64 = 6;

/// A low and a high half, as indices.
type Corner = [usize; 2];

/// A rule of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// The settings to keep. `None` for the last rule.
    pub(super) keep: Option<Corner>,
    /// The rule doesn't apply if a setting like this is possible.
    pub(super) unless: Option<Corner>,
    /// `true` to choose the best low half, otherwise the best high half.
    pub(super) low: bool,
    /// `true` if only the settings with the most points are kept. Only the last rule may do this.
    pub(super) points: bool,
}

/// Returns the first and the last setting that is at least as good as a corner, if there is one.
fn passing(hand: &[Play], corner: Corner) -> Option<(usize, usize)> {
    let first = hand.iter().position(|play| play.halves[0] >= corner[0])?;
    let last = hand.iter().rposition(|play| play.halves[1] >= corner[1])?;
    (first <= last).then_some((first, last))
}

impl Rule {
    /// Returns the loss of the setting that the rule chooses, or `None` if it doesn't apply.
    fn loss(&self, hand: &[Play]) -> Option<i64> {
        if self.unless.is_some_and(|corner| passing(hand, corner).is_some()) {
            return None;
        }
        let (mut first, mut last) = passing(hand, self.keep.unwrap_or_default())?;
        if self.points {
            let most = hand.iter().map(|play| play.points).max()?;
            first = hand.iter().position(|play| play.points == most)?;
            last = hand.iter().rposition(|play| play.points == most)?;
        }
        Some(hand[if self.low { last } else { first }].loss)
    }
}

fn loss(list: &[Rule], hand: &[Play]) -> i64 {
    list.iter().find_map(|rule| rule.loss(hand)).unwrap_or(0)
}

/// A hand that reaches a place in a list, and its loss by the rules after that place.
type Reaching<'a> = (&'a [Play], i64);

impl Problem<'_> {
    /// Returns the loss of a list.
    pub(super) fn total(&self, list: &[Rule]) -> i64 {
        self.hands.iter().map(|hand| loss(list, hand)).sum()
    }

    /// Returns the best list found of each length, from several independent searches.
    pub(super) fn lists(
        &self,
        longest: usize,
        width: usize,
        control: &Control<'_>,
    ) -> Result<Vec<Vec<Rule>>, Cancelled> {
        let all: Result<Vec<Vec<Vec<Rule>>>, Cancelled> =
            (0..width as u64).into_par_iter().map(|lane| self.one_search(longest, lane, control)).collect();
        let all = all?;
        let best = |length: usize| all.iter().map(|lists| &lists[length]).min_by_key(|list| self.total(list)).cloned();
        Ok((0..longest).filter_map(best).collect())
    }

    /// Returns a list of each length. A list begins as the one before with one more rule, and some of its rules are then
    /// removed and others inserted, again and again.
    fn one_search(&self, longest: usize, lane: u64, control: &Control<'_>) -> Result<Vec<Vec<Rule>>, Cancelled> {
        let progress = control.stage("searching", "lengths");
        let mut rng = stream(StreamSeed { seed: 0, lane });
        let mut list = vec![Rule { keep: None, unless: None, low: lane.is_multiple_of(2), points: lane % 4 > 1 }];
        let mut lists = vec![list.clone()];
        while list.len() < longest {
            if lane == 0 {
                progress(list.len() as u64, longest as u64);
            }
            self.insert(&mut list, 0);
            let mut best = self.refit(&mut list);
            let (mut current, mut at) = (list.clone(), best);
            for _ in 0..ATTEMPTS {
                control.check()?;
                let mut other = current.clone();
                for _ in 0..(1 + rng.next_u64() % REMOVED).min(list.len() as u64 - 1) {
                    other.remove(rng.next_u64() as usize % (other.len() - 1));
                }
                while other.len() < list.len() {
                    let place = if other.len() + 1 == list.len() { 0 } else { rng.next_u64() % PLACES };
                    self.insert(&mut other, place as usize);
                }
                let total = self.refit(&mut other);
                // Sometimes a slightly worse list leads to a better one.
                if total < at || rng.next_u64().is_multiple_of(20) && total < best + best / 10 {
                    (current, at) = (other, total);
                }
                if at < best {
                    (list, best) = (current.clone(), at);
                }
            }
            lists.push(list.clone());
        }
        Ok(lists)
    }

    /// Inserts the best rule at the best place, or at the one that is as many places worse.
    pub(super) fn insert(&self, list: &mut Vec<Rule>, skipped: usize) {
        let at = |place: usize| {
            let (change, rule) = self.best_rule(&self.reaching(&list[..place], &list[place..]), None);
            (change, place, rule)
        };
        let mut found: Vec<(i64, usize, Rule)> = (0..list.len()).map(at).collect();
        found.sort_by_key(|(change, place, _)| (*change, *place));
        let (_, place, rule) = found[skipped.min(found.len() - 1)];
        list.insert(place, rule);
    }

    /// Replaces rules by better ones until there are none, and returns the list's loss.
    pub(super) fn refit(&self, list: &mut [Rule]) -> i64 {
        let mut total = self.total(list);
        loop {
            let before = total;
            for place in 0..list.len() - 1 {
                let reaching = self.reaching(&list[..place], &list[place + 1..]);
                let own: i64 = reaching.iter().filter_map(|(hand, rest)| Some(list[place].loss(hand)? - rest)).sum();
                let (change, rule) = self.best_rule(&reaching, Some(list[place]));
                if change < own {
                    (list[place], total) = (rule, total + change - own);
                }
            }
            if total == before {
                return total;
            }
        }
    }

    fn reaching(&self, before: &[Rule], after: &[Rule]) -> Vec<Reaching<'_>> {
        let reaches = |hand: &&Vec<Play>| before.iter().all(|rule| rule.loss(hand).is_none());
        self.hands.iter().filter(reaches).map(|hand| (&hand[..], loss(after, hand))).collect()
    }

    /// Returns the best rule found for the hands that reach its place, and how it changes their loss.
    fn best_rule(&self, reaching: &[Reaching<'_>], own: Option<Rule>) -> (i64, Rule) {
        let starts = [None, own.and_then(|rule| rule.unless)].into_iter().take(1 + usize::from(own.is_some()));
        let starts = starts.flat_map(|unless| [false, true].map(|low| Rule { keep: None, unless, low, points: false }));
        let fitted = starts.map(|rule| self.fit(reaching, rule)).min_by_key(|(change, _)| *change);
        fitted.expect("there are several starts")
    }

    /// Fits the corners of a rule in turns until neither gets better.
    fn fit(&self, reaching: &[Reaching<'_>], mut rule: Rule) -> (i64, Rule) {
        let mut least = 0;
        loop {
            let open: Vec<Reaching<'_>> =
                reaching.iter().copied().filter(|(hand, _)| Rule { keep: None, ..rule }.loss(hand).is_some()).collect();
            let (change, keep) = self
                .best_corner(&open, |(hand, rest), first, last| hand[if rule.low { last } else { first }].loss - rest);
            if change >= least {
                // A rule that has never been better keeps nothing.
                rule.keep = rule.keep.or(Some([self.halves.len() - 1; 2]));
                return (least, rule);
            }
            (least, rule.keep) = (change, Some(keep));
            let bare = Rule { unless: None, ..rule };
            let changed: Vec<Reaching<'_>> =
                reaching.iter().filter_map(|&(hand, rest)| Some((hand, bare.loss(hand)? - rest))).collect();
            let all: i64 = changed.iter().map(|(_, change)| change).sum();
            let (saved, unless) = self.best_corner(&changed, |(_, change), _, _| -change);
            if all + saved >= least {
                return (least, rule);
            }
            (least, rule.unless) = (all + saved, (saved < 0).then_some(unless));
        }
    }

    /// Returns the corner with the least sum, and the sum. A hand adds a number that depends on the first and the last of
    /// its settings that are at least as good as the corner, if there are any.
    fn best_corner(&self, hands: &[Reaching<'_>], number: impl Fn(Reaching<'_>, usize, usize) -> i64) -> (i64, Corner) {
        let width = self.halves.len() + 1;
        // The differences between neighboring corners, in both directions.
        let mut sums = vec![0; width * width];
        for &(hand, rest) in hands {
            for first in 0..hand.len() {
                let low = first.checked_sub(1).map_or(0, |before| hand[before].halves[0] + 1);
                for last in first..hand.len() {
                    let high = hand.get(last + 1).map_or(0, |next| next.halves[1] + 1);
                    let [low_end, high_end] = [hand[first].halves[0] + 1, hand[last].halves[1] + 1];
                    let number = number((hand, rest), first, last);
                    sums[low * width + high] += number;
                    sums[low_end * width + high] -= number;
                    sums[low * width + high_end] -= number;
                    sums[low_end * width + high_end] += number;
                }
            }
        }
        let mut best = (i64::MAX, [0, 0]);
        for low in 0..self.halves.len() {
            let mut row = 0;
            for high in 0..self.halves.len() {
                row += sums[low * width + high];
                let above = if low > 0 { sums[(low - 1) * width + high] } else { 0 };
                sums[low * width + high] = row + above;
                if row + above < best.0 {
                    best = (row + above, [low, high]);
                }
            }
        }
        best
    }
}

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
