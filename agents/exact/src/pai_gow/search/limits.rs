//! Defines the search options, and prices a list by its length.

use super::list::FoundRule;
use super::space::Space;
use houseway_env::pai_gow::house_way::Shape;

/// Options for a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of bounds in all rules together.
    pub bounds: usize,
    /// The price of a bound, in units of loss. Naming a shape costs a fifth as much.
    pub bound_price: i64,
    /// The maximum mean number of words per rule.
    pub words: usize,
    /// The maximum number of cases per rule. A case is a set of shapes that share the same ranges.
    pub cases: usize,
    /// The number of lists kept for each length.
    pub width: usize,
    /// The number of single-shape insertions from which new rules are built.
    pub seeds: usize,
    /// The number of lists created from each list by insertion.
    pub branches: usize,
}

impl Limits {
    /// Returns the price of naming a shape in a rule.
    pub(super) fn shape_price(&self) -> i64 {
        self.bound_price / 5
    }

    /// Returns the price of a list's bounds and shapes.
    pub(super) fn price_of(&self, list: &[FoundRule], space: &Space) -> i64 {
        let price = |rule: &FoundRule| {
            let named = if rule.cases.len() < Shape::ALL.len() { rule.cases.len() } else { 0 };
            self.bound_price * rule.bounds(space) as i64 + self.shape_price() * named as i64
        };
        list.iter().map(price).sum()
    }
}
