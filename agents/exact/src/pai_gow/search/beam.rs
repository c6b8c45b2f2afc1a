//! A beam search for rule lists. It grows lists by inserting the best rules, and refits every rule after each
//! insertion.

use super::choices::{Axis, Box3, Grid, MAX_BOUNDS};
use super::list::{self, Clause, FoundRule, Limits, Quantity, Range, Ranges, ShapeState, clauses};
use super::space::{NO_PLAY, ShapeSpace, Space};
use crate::solver::Cancelled;
use houseway_env::pai_gow::house_way::Shape;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A clause that can be inserted into the clauses for one shape.
#[derive(Clone, Debug)]
struct Insertion {
    /// The index at which the clause is inserted.
    place: usize,
    clause: Clause,
    /// The reduction in loss minus the price of the clause's bounds.
    value: i64,
}

/// The best ranges and their gain for each number of bounds.
type BestRanges = [Option<(i64, Ranges)>; MAX_BOUNDS + 1];

/// The state of one shape under some list.
struct View {
    state: ShapeState,
    clauses: usize,
    /// The best insertions, best first.
    insertions: Vec<Insertion>,
    /// The best ranges by play and place, computed on demand.
    best: Mutex<HashMap<(usize, usize), Arc<BestRanges>>>,
}

type Key = (Shape, Vec<Clause>);

/// A beam search over the plays of a [`Space`].
pub struct Search<'a> {
    space: &'a Space,
    pub(super) limits: Limits,
    views: Mutex<HashMap<Key, Arc<View>>>,
    cancel: Option<&'a AtomicBool>,
}

/// A list of rules with its objective.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Found {
    /// The loss plus the price of the bounds and shapes.
    pub objective: i64,
    /// The loss.
    pub loss: i64,
    /// The rules.
    pub rules: Vec<FoundRule>,
}

/// A rule under construction, extended one shape at a time.
#[derive(Clone, Debug, Default)]
struct Partial {
    value: i64,
    gain: i64,
    cases: Vec<(Shape, Ranges)>,
}

/// The number of insertions kept per shape.
const KEPT: usize = 24;
/// The maximum number of equivalent plays to try in place of a play. Equivalent plays have the same effect on one shape
/// and differ only on others. A play can have hundreds of them.
const SAME_PLAYS: usize = 16;
/// The maximum number of cases per rule. A case is a set of shapes that share the same ranges.
const CASES: usize = 2;
/// The maximum memory used for cached views, in bytes.
const VIEW_MEMORY: usize = 600 << 20;

impl<'a> Search<'a> {
    /// Creates a search.
    pub fn new(space: &'a Space, limits: Limits) -> Search<'a> {
        Search { space, limits, views: Mutex::new(HashMap::new()), cancel: None }
    }

    /// Sets a flag that cancels the search. Once it is set, insertions return nothing.
    pub fn with_cancel(self, cancel: Option<&'a AtomicBool>) -> Search<'a> {
        Search { cancel, ..self }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Returns the plays and their losses.
    pub fn space(&self) -> &'a Space {
        self.space
    }

    fn view(&self, shape: Shape, clauses: &[Clause]) -> Arc<View> {
        let key = (shape, clauses.to_vec());
        if let Some(view) = self.views.lock().expect("not poisoned").get(&key) {
            return view.clone();
        }
        let view = Arc::new(self.new_view(shape, clauses));
        let mut views = self.views.lock().expect("not poisoned");
        views.insert(key, view.clone());
        view
    }

    fn new_view(&self, shape: Shape, clauses: &[Clause]) -> View {
        let own = &self.space.shapes[shape as usize];
        let state = own.state(clauses);
        let mut view = View { state, clauses: clauses.len(), insertions: Vec::new(), best: Mutex::default() };
        let mut insertions: Vec<Insertion> = Vec::new();
        for play in 0..self.space.plays().len() {
            if own.losses[play].is_empty() {
                continue;
            }
            for (place, gains) in self.gains(own, &view, play) {
                let least = if insertions.len() < KEPT { 0 } else { insertions[KEPT - 1].value };
                let bounds = self.space.bounds(play);
                let price = self.limits.bound_price;
                if potential(&gains) - price * bounds as i64 <= least {
                    continue;
                }
                let best = Arc::new(self.best_ranges(own, &gains, bounds));
                for (gain, ranges) in best.iter().flatten() {
                    let value = gain - price * (bounds + list::bounds(ranges)) as i64;
                    if value > 0 {
                        insertions.push(Insertion { place, clause: (play, ranges.clone()), value });
                    }
                }
                insertions
                    .sort_by(|a, b| b.value.cmp(&a.value).then(a.clause.cmp(&b.clause)).then(a.place.cmp(&b.place)));
                insertions.truncate(KEPT);
                view.best.get_mut().expect("not poisoned").insert((play, place), best);
            }
        }
        view.insertions = insertions;
        view
    }

    /// Returns the gains from inserting a play at each place where they differ. A gain is the reduction in loss for one
    /// cell if the play is inserted for all of the cell's hands.
    fn gains(&self, own: &ShapeSpace, view: &View, play: usize) -> Vec<(usize, Vec<i64>)> {
        let losses = own.losses(play);
        let cells = own.groups.cells.len();
        // A clause that is inserted at a place takes over the hands that this place or later ones set. So the gains are
        // first collected by the clause that sets a hand, and then added up from the last place to the first.
        let mut by_clause = vec![0i64; (view.clauses + 1) * cells];
        for i in 0..losses.len() {
            if losses[i] != NO_PLAY {
                let row = usize::from(view.state.by[i]);
                by_clause[row * cells + own.groups.cell[i] as usize] += view.state.loss[i] - losses[i];
            }
        }
        let mut all = Vec::new();
        let mut gains = vec![0i64; cells];
        for place in (0..=view.clauses).rev() {
            let row = &by_clause[place * cells..][..cells];
            if row.iter().any(|&gain| gain != 0) {
                gains.iter_mut().zip(row).for_each(|(sum, gain)| *sum += gain);
                all.push((place, gains.clone()));
            }
        }
        all
    }

    /// Returns the best ranges for the given gains by cell, for a play that already has `bounds` bounds.
    fn best_ranges(&self, own: &ShapeSpace, gains: &[i64], bounds: usize) -> BestRanges {
        let quantities = Quantity::of_shape(own.groups.shape);
        let mut best: BestRanges = std::array::from_fn(|_| None);
        for axes in triples(&own.groups.axes) {
            let mut grid = Grid::new(axes.map(|axis| axis.map_or(1, |axis| axis.size)));
            for (cell, &gain) in own.groups.cells.iter().zip(gains) {
                if gain != 0 {
                    grid.add(axes.map(|axis| axis.map_or(0, |axis| cell[axis.quantity] - axis.low)), gain);
                }
            }
            if grid.potential() <= best[0].as_ref().map_or(0, |known| known.0) {
                continue;
            }
            for (known, found) in best.iter_mut().zip(grid.best(MAX_BOUNDS - bounds)) {
                let Some((gain, found)) = found else { continue };
                if known.as_ref().is_none_or(|known| gain > known.0) {
                    *known = Some((gain, ranges(quantities, axes, found)));
                }
            }
        }
        best
    }

    /// Returns the best ranges for a play at a place in a shape's clauses, or `None` if the play fits no hand of the
    /// shape.
    fn best_at(&self, shape: Shape, view: &View, play: usize, place: usize) -> Option<Arc<BestRanges>> {
        let own = &self.space.shapes[shape as usize];
        let play = own.same_as[play];
        if own.losses[play].is_empty() {
            return None;
        }
        if let Some(best) = view.best.lock().expect("not poisoned").get(&(play, place)) {
            return Some(best.clone());
        }
        let bounds = self.space.bounds(play);
        // A place without gains of its own has the same gains as the next place.
        let all = self.gains(own, view, play);
        let gains = all.iter().filter(|it| it.0 >= place).min_by_key(|it| it.0);
        let best = match gains {
            Some((_, gains)) if potential(gains) > 0 => self.best_ranges(own, gains, bounds),
            _ => std::array::from_fn(|_| None),
        };
        let best = Arc::new(best);
        view.best.lock().expect("not poisoned").insert((play, place), best.clone());
        Some(best)
    }

    fn views(&self, list: &[FoundRule]) -> Vec<(Arc<View>, Vec<usize>)> {
        let view = |shape: Shape| {
            let (clauses, rules) = clauses(list, shape);
            (self.view(shape, &clauses), rules)
        };
        Shape::ALL.into_par_iter().map(view).collect()
    }

    /// Evaluates a list.
    pub fn evaluate(&self, rules: Vec<FoundRule>) -> Found {
        let loss = Shape::ALL.into_iter().map(|shape| {
            let (clauses, _) = clauses(&rules, shape);
            let known =
                self.views.lock().expect("not poisoned").get(&(shape, clauses.clone())).map(|view| view.state.total);
            known.unwrap_or_else(|| self.space.shapes[shape as usize].state(&clauses).total)
        });
        self.found(loss.sum(), rules)
    }

    pub(super) fn found(&self, loss: i64, rules: Vec<FoundRule>) -> Found {
        Found { objective: loss + self.limits.price_of(&rules, self.space), loss, rules }
    }

    /// Returns the best lists that can be made by inserting one rule, best first.
    pub fn insert(&self, list: &[FoundRule], most: usize) -> Vec<Found> {
        if self.is_cancelled() {
            return Vec::new();
        }
        let views = self.views(list);
        let total: i64 = views.iter().map(|(view, _)| view.state.total).sum();
        let mut seeds: Vec<(Shape, &Insertion)> = Shape::ALL
            .into_iter()
            .zip(&views)
            .flat_map(|(shape, (view, _))| view.insertions.iter().map(move |insertion| (shape, insertion)))
            .collect();
        seeds.sort_by(|a, b| b.1.value.cmp(&a.1.value).then(a.1.clause.cmp(&b.1.clause)));
        seeds.truncate(self.limits.seeds);
        let mut tries: Vec<(usize, usize)> = Vec::new();
        for (shape, insertion) in seeds {
            let rules = &views[shape as usize].1;
            // The rule can go anywhere between its neighbors for this shape.
            let first = if insertion.place == 0 { 0 } else { rules[insertion.place - 1] + 1 };
            let last = if insertion.place == rules.len() { list.len() } else { rules[insertion.place] };
            for play in self.same_plays(shape, insertion.clause.0) {
                tries.extend([(play, first), (play, last)]);
            }
        }
        tries.sort_unstable();
        tries.dedup();
        let used: usize = list.iter().map(|rule| rule.bounds(self.space)).sum();
        let left = self.limits.bounds.saturating_sub(used);
        let words: usize = list.iter().map(|rule| self.words(rule, false, false)).sum();
        let words = (self.limits.words * (list.len() + 1)).saturating_sub(words);
        let attempt = |&(play, at): &(usize, usize)| {
            let budget = left.min(MAX_BOUNDS).checked_sub(self.space.bounds(play))?;
            // If a rule is too long, try it with fewer cases.
            let (gain, rule) = (1..=CASES).rev().find_map(|max| {
                let (gain, cases) = self.best_cases(&views, play, at, budget, max);
                let rule = FoundRule { play, cases };
                (gain > 0 && self.words(&rule, false, false) <= words).then_some((gain, rule))
            })?;
            let mut rules = list.to_vec();
            rules.insert(at, rule);
            Some(self.found(total - gain, rules))
        };
        let mut found: Vec<Found> = tries.par_iter().filter_map(attempt).collect();
        found.sort();
        found.dedup_by(|a, b| a.rules == b.rules);
        found.truncate(most);
        found
    }

    /// Returns the gain and cases of the best rule that uses a play and is inserted before rule `at`. The cases have at
    /// most `budget` bounds in total and at most `max` different sets of shapes.
    fn best_cases(
        &self,
        views: &[(Arc<View>, Vec<usize>)],
        play: usize,
        at: usize,
        budget: usize,
        max: usize,
    ) -> (i64, Vec<(Shape, Ranges)>) {
        let (price, shape_price) = (self.limits.bound_price, self.limits.shape_price());
        // This is a knapsack over the shapes: each can be left out, or added with its best ranges for a number of
        // bounds. The states are the number of bounds, the number of cases with ranges, and whether there are shapes
        // without ranges, which form one case.
        let mut best: Vec<Option<Partial>> = vec![None; (budget + 1) * (max + 1) * 2];
        let state = |bounds: usize, ranged: usize, open: usize| (bounds * (max + 1) + ranged) * 2 + open;
        best[0] = Some(Partial::default());
        for shape in Shape::ALL {
            let (view, rules) = &views[shape as usize];
            let place = rules.iter().filter(|&&rule| rule < at).count();
            let Some(options) = self.best_at(shape, view, play, place) else { continue };
            let mut next = best.clone();
            for bounds in 0..=budget {
                for (ranged, open) in (0..=max).flat_map(|ranged| [(ranged, 0), (ranged, 1)]) {
                    let Some(known) = &best[state(bounds, ranged, open)] else { continue };
                    for (gain, ranges) in options.iter().flatten() {
                        let more = list::bounds(ranges);
                        let (ranged, open) = if more > 0 { (ranged + 1, open) } else { (ranged, 1) };
                        if bounds + more > budget || ranged + open > max {
                            continue;
                        }
                        let value = known.value + gain - price * more as i64 - shape_price;
                        let next = &mut next[state(bounds + more, ranged, open)];
                        if next.as_ref().is_none_or(|next| value > next.value) {
                            let mut cases = known.cases.clone();
                            cases.push((shape, ranges.clone()));
                            *next = Some(Partial { value, gain: known.gain + gain, cases });
                        }
                    }
                }
            }
            best = next;
        }
        let best = best.into_iter().flatten().max_by_key(|it| it.value);
        best.map_or((0, Vec::new()), |best| (best.gain, best.cases))
    }

    /// Returns plays that do the same thing on a shape.
    fn same_plays(&self, shape: Shape, play: usize) -> Vec<usize> {
        let same_as = &self.space.shapes[shape as usize].same_as;
        let all = (0..self.space.plays().len()).filter(|&other| same_as[other] == same_as[play]);
        all.take(SAME_PLAYS).collect()
    }

    /// Removes each rule in turn and inserts the best replacement until nothing improves.
    pub fn refit(&self, mut found: Found) -> Found {
        loop {
            let before = found.objective;
            for i in (0..found.rules.len() - 1).rev() {
                let mut without = found.rules.clone();
                without.remove(i);
                if let Some(best) = self.insert(&without, 1).into_iter().next()
                    && best.objective < found.objective
                {
                    found = best;
                }
            }
            if found.objective >= before {
                return found;
            }
        }
    }

    pub(super) fn trim_cache(&self) {
        let mut views = self.views.lock().expect("not poisoned");
        let bytes: usize = views.values().map(|view| view.state.by.len() * 9).sum();
        if bytes > VIEW_MEMORY {
            views.clear();
        }
    }

    /// Returns the number of steps of a search for lists of up to `most` rules.
    pub(super) fn steps(most: usize) -> usize {
        let ups = most.saturating_sub(1);
        ups + ups.saturating_sub(1)
    }

    /// Continues a search for lists of up to `most` rules after some steps. The first steps build longer lists by inserting
    /// rules, and later ones improve shorter lists by removing rules from longer ones. `levels` holds the lists kept for
    /// each number of rules, starting at one, with the best list first.
    pub(super) fn step(&self, levels: &mut Vec<Vec<Found>>, steps: usize, most: usize) -> Result<(), Cancelled> {
        self.trim_cache();
        let ups = most - 1;
        let (n, level) = if steps < ups {
            (steps + 1, self.grow(&levels[steps]))
        } else {
            // On the way down, shorter lists benefit from the longer ones.
            let n = 2 * ups - 1 - steps;
            let shorter: Vec<Found> = levels[n + 1].par_iter().flat_map_iter(|it| self.shorten(it)).collect();
            (n, self.keep([shorter, levels[n].clone()].concat()))
        };
        // The result of a canceled step is incomplete.
        if self.is_cancelled() {
            return Err(Cancelled);
        }
        if n < levels.len() {
            levels[n] = level;
        } else {
            levels.push(level);
        }
        Ok(())
    }

    /// Returns the best lists with a single rule. That rule must set every hand.
    pub(super) fn single_rules(&self) -> Vec<Found> {
        let plays = (0..self.space.plays().len()).filter(|&play| self.space.is_universal(play));
        let mut first: Vec<Found> = plays.map(|play| self.evaluate(vec![FoundRule::for_all(play)])).collect();
        first.sort();
        first.truncate(self.limits.width);
        first
    }

    fn grow(&self, before: &[Found]) -> Vec<Found> {
        let all: Vec<Found> =
            before.par_iter().flat_map_iter(|found| self.insert(&found.rules, self.limits.branches)).collect();
        self.keep(all)
    }

    fn keep(&self, mut all: Vec<Found>) -> Vec<Found> {
        all.sort();
        all.dedup_by(|a, b| a.rules == b.rules);
        all.truncate(2 * self.limits.width);
        let mut all: Vec<Found> = all.into_par_iter().map(|found| self.refit(found)).collect();
        all.sort();
        all.dedup_by(|a, b| a.rules == b.rules || a.objective == b.objective);
        all.truncate(self.limits.width);
        all
    }

    fn shorten(&self, found: &Found) -> Vec<Found> {
        let without = |i: usize| {
            let mut rules = found.rules.clone();
            rules.remove(i);
            self.evaluate(rules)
        };
        let mut all: Vec<Found> = (0..found.rules.len() - 1).map(without).collect();
        all.sort();
        all.truncate(3);
        all
    }
}

/// Returns the sum of all positive gains. No choice of ranges can gain more than this.
fn potential(gains: &[i64]) -> i64 {
    gains.iter().filter(|&&gain| gain > 0).sum()
}

/// Returns all combinations of three axes, or all axes if there are at most three.
fn triples(axes: &[Axis]) -> Vec<[Option<Axis>; 3]> {
    if axes.len() <= 3 {
        return vec![std::array::from_fn(|i| axes.get(i).copied())];
    }
    let mut all = Vec::new();
    for (i, &a) in axes.iter().enumerate() {
        for (j, &b) in axes.iter().enumerate().skip(i + 1) {
            all.extend(axes[j + 1..].iter().map(|&c| [Some(a), Some(b), Some(c)]));
        }
    }
    all
}

/// Converts a box to ranges. Bounds that exclude no hand of the shape are dropped.
fn ranges(quantities: &[Quantity], axes: [Option<Axis>; 3], found: Box3) -> Ranges {
    let range = |(axis, (low, high)): (Option<Axis>, (u8, u8))| {
        let axis = axis?;
        let of = quantities[axis.quantity];
        let low = if low == 0 { 0 } else { axis.low + low };
        let high = if usize::from(high) + 1 == axis.size { of.values() as u8 - 1 } else { axis.low + high };
        Some(Range { of, low, high })
    };
    let mut ranges: Vec<Range> = axes.into_iter().zip(found).filter_map(range).filter(|it| it.bounds() > 0).collect();
    ranges.sort();
    ranges
}
