//! Cleans up the lists that a search finds, prices each of their rules, and finds the best changes to a sheet.

use super::beam::{Found, Search};
use super::list::{FoundRule, Quantity, Range, ShapeState, clauses};
use super::sentence::{draft, name_of, rule_toml, value_of, word_count};
use super::vocabulary::Fit;
use houseway_env::pai_gow::house_way::Shape;
use rayon::prelude::*;

/// A rule in a found list, along with its prices. Losses use the same units as [`Space`](super::Space).
#[derive(Clone, Debug)]
pub struct PricedRule {
    /// The rule in the house way language.
    pub toml: String,
    /// The additional loss if the rule is removed. `None` for the last rule because it sets all remaining hands.
    pub without: Option<i64>,
    /// The cost of moving each of the rule's limits.
    pub limits: Vec<Limit>,
}

/// A limit in a rule, and what it costs to move it by one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The limit's name, such as "higher pair up to queens".
    pub name: String,
    /// The change in loss if the limit is one rank lower, or `None` if it can't be lower.
    pub lower: Option<i64>,
    /// The change in loss if the limit is one rank higher, or `None` if it can't be higher.
    pub higher: Option<i64>,
}

impl Search<'_> {
    /// Removes everything that makes no difference: shapes that a rule doesn't set, ineffective limits, and unnecessary
    /// words in plays.
    pub fn simplified(&self, found: &Found) -> Found {
        let best = (0..found.rules.len()).fold(found.clone(), |best, i| self.with_simpler_rule(best, i));
        self.evaluate(best.rules)
    }

    fn with_simpler_rule(&self, mut best: Found, i: usize) -> Found {
        if i + 1 < best.rules.len() {
            let mut cases = best.rules[i].cases.clone();
            cases.retain(|case| self.sets_some(&best.rules, i, case.0));
            best.rules[i].cases = cases;
            self.open_limits(&mut best, i);
        }
        for play in self.simpler_plays(best.rules[i].play) {
            let mut rules = best.rules.clone();
            rules[i].play = play;
            best = self.better(best, rules);
        }
        best
    }

    /// Returns the list with the given rules if it is no worse than `best`, and `best` otherwise.
    fn better(&self, best: Found, rules: Vec<FoundRule>) -> Found {
        let other = self.evaluate(rules);
        if other.objective <= best.objective { other } else { best }
    }

    fn open_limits(&self, best: &mut Found, i: usize) {
        for case in 0..best.rules[i].cases.len() {
            for place in (0..best.rules[i].cases[case].1.len()).rev() {
                let last = best.rules[i].cases[case].1[place].of.values() as u8 - 1;
                for open in [(true, false), (false, true)] {
                    let mut rules = best.rules.clone();
                    let ranges = &mut rules[i].cases[case].1;
                    let Some(range) = ranges.get_mut(place) else { continue };
                    range.low = if open.0 { 0 } else { range.low };
                    range.high = if open.1 { last } else { range.high };
                    ranges.retain(|range| range.bounds() > 0);
                    if rules != best.rules {
                        *best = self.better(best.clone(), rules);
                    }
                }
            }
        }
    }

    /// Returns each filter of a two-filter play as a play of its own. Such plays take fewer words.
    fn simpler_plays(&self, play: usize) -> Vec<usize> {
        let plays = self.space().plays();
        let (first, second) = plays[play].parts();
        let find = |wanted| plays.iter().position(|it| *it == wanted);
        if second.is_none() { Vec::new() } else { [find(first), second.and_then(find)].into_iter().flatten().collect() }
    }

    /// Evaluates a list on one shape. Also returns the rule index of each clause.
    pub(super) fn state(&self, rules: &[FoundRule], shape: Shape) -> (ShapeState, Vec<usize>) {
        let (clauses, numbers) = clauses(rules, shape);
        (self.space().shapes[shape as usize].state(&clauses), numbers)
    }

    /// Returns `true` if a rule sets any hand.
    pub fn is_reached(&self, rules: &[FoundRule], rule: usize) -> bool {
        rules[rule].cases.iter().any(|case| self.sets_some(rules, rule, case.0))
    }

    /// Returns `true` if a rule sets any hand with the given shape.
    fn sets_some(&self, rules: &[FoundRule], rule: usize, shape: Shape) -> bool {
        let (state, numbers) = self.state(rules, shape);
        state.by.iter().any(|&clause| numbers.get(usize::from(clause)) == Some(&rule))
    }

    /// Returns a list's rules in the house way language, along with their prices.
    pub fn priced(&self, found: &Found) -> Vec<PricedRule> {
        let rules = &found.rules;
        let price = |i: usize| {
            let without = (i + 1 < rules.len()).then(|| {
                let mut others = rules.clone();
                others.remove(i);
                self.evaluate(others).loss - found.loss
            });
            PricedRule { toml: self.toml(rules, i), without, limits: self.limits_of(found, i) }
        };
        (0..rules.len()).into_par_iter().map(price).collect()
    }

    fn limits_of(&self, found: &Found, i: usize) -> Vec<Limit> {
        let change = |rules: Vec<FoundRule>| self.evaluate(rules).loss - found.loss;
        let mut limits = Vec::new();
        for (shapes, ranges) in found.rules[i].by_ranges() {
            for (place, range) in ranges.iter().enumerate() {
                let moved = |range: Option<Range>| {
                    let mut rules = found.rules.clone();
                    for case in rules[i].cases.iter_mut().filter(|case| shapes.contains(&case.0)) {
                        case.1[place] = range?;
                    }
                    Some(change(rules))
                };
                let last = range.of.values() as u8 - 1;
                let quantity = match range.of {
                    Quantity::PairSum => "sum of the pairs",
                    of => name_of(of, &shapes),
                };
                let name = |word: &str, value| format!("{quantity} {word} {}", value_of(range.of, value));
                if range.low > 0 {
                    let higher = (range.low < range.high).then(|| Range { low: range.low + 1, ..*range });
                    let lower = Some(Range { low: range.low - 1, ..*range });
                    limits.push(Limit { name: name("from", range.low), lower: moved(lower), higher: moved(higher) });
                }
                if range.high < last {
                    let higher = Some(Range { high: range.high + 1, ..*range });
                    let lower = (range.low < range.high).then(|| Range { high: range.high - 1, ..*range });
                    limits.push(Limit { name: name("up to", range.high), lower: moved(lower), higher: moved(higher) });
                }
            }
        }
        let plays = self.space().plays();
        if let Some((name, steps)) = plays[found.rules[i].play].minimum_front() {
            let [lower, higher] = steps.map(|play| {
                let mut rules = found.rules.clone();
                rules[i].play = plays.iter().position(|it| Some(it) == play.as_ref())?;
                Some(change(rules))
            });
            limits.push(Limit { name: format!("front from {name}"), lower, higher });
        }
        limits
    }

    /// Returns the best list with one more rule, and the text of the new rule in the house way language.
    pub fn next_rule(&self, found: &Found) -> Option<(Found, String)> {
        let next = self.insert(&found.rules, 1).into_iter().next()?;
        let is_new = |&i: &usize| next.rules[..i] == found.rules[..i] && next.rules[i + 1..] == found.rules[i..];
        let at = (0..next.rules.len()).find(is_new)?;
        let next = self.with_simpler_rule(next, at);
        Some((next.clone(), self.toml(&next.rules, at)))
    }

    /// Returns `true` if a list's rules don't exceed the word limit.
    pub(super) fn is_short(&self, rules: &[FoundRule]) -> bool {
        let always = |i: usize| self.fits(rules, i).into_iter().flatten().all(|[first, _]| first == Fit::All);
        let words = |i: usize| self.words(&rules[i], i == 0, always(i));
        (0..rules.len()).map(words).sum::<usize>() <= self.limits.words * rules.len()
    }

    /// Returns the word count of a rule's draft, which is an upper bound for the final sentence, or zero for a rule
    /// from a sheet. `always` must be true if the play fits every hand that reaches the rule.
    pub(super) fn words(&self, rule: &FoundRule, is_first: bool, always: bool) -> usize {
        let play = self.space().plays().get(rule.play);
        play.map_or(0, |play| word_count(&draft(rule, play, is_first, always)))
    }

    /// Returns a rule's text in the house way language.
    ///
    /// # Panics
    /// Panics if the rule comes from a sheet, since sheet rules carry their own text.
    pub fn toml(&self, rules: &[FoundRule], i: usize) -> String {
        rule_toml(&rules[i], &self.space().plays()[rules[i].play], i + 1, &self.fits(rules, i))
    }
}

/// A sheet with some of its rules changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedSheet {
    /// The changed list.
    pub found: Found,
    /// The number of the sheet's rules that have been removed.
    pub removed: usize,
}

/// The number of insertions and moves to try after each removal.
const TRIED: usize = 3;
/// The number of changed sheets to keep per number of changes.
const KEPT: usize = 6;

impl Search<'_> {
    /// Returns the best sheets that can be made by changing one more rule of any given sheet, best first.
    pub fn change(&self, sheets: &[ChangedSheet]) -> Vec<ChangedSheet> {
        let mut all: Vec<ChangedSheet> = sheets.iter().flat_map(|sheet| self.changes_of(sheet)).collect();
        all.sort();
        all.dedup();
        all.truncate(KEPT);
        let mut all: Vec<ChangedSheet> = all.into_iter().map(|sheet| self.refit_added(sheet)).collect();
        all.sort();
        all.dedup();
        all
    }

    fn changes_of(&self, sheet: &ChangedSheet) -> Vec<ChangedSheet> {
        let ChangedSheet { found, removed } = sheet;
        let with = |found: Found, more: usize| ChangedSheet { found, removed: removed + more };
        let added = self.insert(&found.rules, TRIED).into_iter().map(|found| with(found, 0));
        let own: Vec<usize> = (0..found.rules.len()).filter(|&i| self.is_of_sheet(&found.rules[i])).collect();
        let changed: Vec<ChangedSheet> = own
            .into_par_iter()
            .flat_map_iter(|i| {
                let mut rules = found.rules.clone();
                rules.remove(i);
                let mut all = self.insert(&rules, TRIED);
                all.push(self.evaluate(rules));
                let moved = self.moves(found, i).into_iter().map(|found| with(found, 0));
                all.into_iter().map(|found| with(found, 1)).chain(moved)
            })
            .collect();
        self.trim_cache();
        added.chain(changed).collect()
    }

    /// Returns the best lists with a rule moved to another position where hands still reach it, best first.
    pub(super) fn moves(&self, found: &Found, rule: usize) -> Vec<Found> {
        let mut others = found.rules.clone();
        let moved = others.remove(rule);
        // Moving a rule only affects hands of its own shapes, and only if it passes another rule for one of them.
        let shapes = || moved.cases.iter().map(|case| case.0);
        let loss = |rules: &[FoundRule]| shapes().map(|shape| self.state(rules, shape).0.total).sum::<i64>();
        let before = loss(&found.rules);
        let matters = |passed: &FoundRule| shapes().any(|shape| passed.ranges(shape).is_some());
        let places = (0..rule).filter(|&at| matters(&others[at]));
        let places = places.chain((rule + 1..=others.len()).filter(|&at| matters(&others[at - 1])));
        let at = |at: usize| {
            let mut rules = others.clone();
            rules.insert(at, moved.clone());
            (self.found(found.loss + loss(&rules) - before, rules), at)
        };
        let mut all: Vec<(Found, usize)> = places.map(at).collect();
        all.sort();
        all.into_iter().filter(|(found, at)| self.is_reached(&found.rules, *at)).map(|it| it.0).take(TRIED).collect()
    }

    fn is_of_sheet(&self, rule: &FoundRule) -> bool {
        self.space().sheet_rule(rule.play).is_some()
    }

    /// Replaces each added rule with the best one until nothing improves.
    fn refit_added(&self, sheet: ChangedSheet) -> ChangedSheet {
        let mut best = sheet;
        loop {
            let before = best.found.objective;
            for i in 0..best.found.rules.len() {
                if self.is_of_sheet(&best.found.rules[i]) {
                    continue;
                }
                let mut rules = best.found.rules.clone();
                rules.remove(i);
                if let Some(found) = self.insert(&rules, 1).into_iter().next()
                    && found.objective < best.found.objective
                {
                    best.found = found;
                }
            }
            if best.found.objective >= before {
                return best;
            }
        }
    }
}
