//! Options of a search, and the price of a list's length.

use super::list::FoundRule;
use super::space::Space;
use houseway_env::pai_gow::house_way::Shape;

/// Options of the search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of bounds of all rules together.
    pub bounds: usize,
    /// Price of a bound, in units of loss; a shape that a rule names has a fifth of it.
    pub bound_price: i64,
    /// Maximum mean number of words of a rule.
    pub words: usize,
    /// Maximum number of cases of a rule: sets of shapes with ranges of their own.
    pub cases: usize,
    /// Number of lists that are kept for each length.
    pub width: usize,
    /// Number of insertions of single shapes from which the rules to insert are built.
    pub seeds: usize,
    /// Number of lists that are made from each list by insertion.
    pub branches: usize,
}

impl Limits {
    /// Price of a shape that a rule names.
    pub(super) fn shape_price(&self) -> i64 {
        self.bound_price / 5
    }

    /// Price of the bounds and shapes of a list.
    pub(super) fn price_of(&self, list: &[FoundRule], space: &Space) -> i64 {
        let price = |rule: &FoundRule| {
            let named = if rule.cases.len() < Shape::ALL.len() { rule.cases.len() } else { 0 };
            self.bound_price * rule.bounds(space) as i64 + self.shape_price() * named as i64
        };
        list.iter().map(price).sum()
    }
}
