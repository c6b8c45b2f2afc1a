//! Searches for the best changes to single rules in a sheet.

use super::beam::{Found, Search};
use super::list::FoundRule;
use rayon::prelude::*;

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
