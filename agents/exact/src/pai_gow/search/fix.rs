//! Changes of single rules of a sheet.

use super::beam::{Found, Search};
use super::list::FoundRule;
use rayon::prelude::*;

/// A sheet with some rules changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedSheet {
    /// The list.
    pub found: Found,
    /// Number of rules of the sheet that are left out.
    pub removed: usize,
}

/// Number of insertions tried after each removal.
const TRIED: usize = 3;
/// Number of changed sheets that are kept for each number of changes.
const KEPT: usize = 6;

impl Search<'_> {
    /// Returns the best sheets with one more change than each of the given ones, best first.
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
        let replaced: Vec<ChangedSheet> = own
            .into_par_iter()
            .flat_map_iter(|i| {
                let mut rules = found.rules.clone();
                rules.remove(i);
                let mut all = self.insert(&rules, TRIED);
                all.push(self.evaluate(rules));
                all.into_iter().map(|found| with(found, 1))
            })
            .collect();
        self.trim_cache();
        added.chain(replaced).collect()
    }

    fn is_of_sheet(&self, rule: &FoundRule) -> bool {
        self.space().sheet_rule(rule.play).is_some()
    }

    /// Replaces each added rule by the best one until nothing improves.
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
