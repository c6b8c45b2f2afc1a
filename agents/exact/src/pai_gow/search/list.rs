//! Represents rule lists and evaluates how much each one loses.

use super::condition::Ranges;
use super::space::{NO_PLAY, ShapeSpace, Space};
use houseway_env::pai_gow::house_way::Shape;
use serde::{Deserialize, Serialize};

/// A rule in a list. It applies a play to hands with certain shapes, provided that they are within the ranges for their
/// shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FoundRule {
    /// The index of the play in the vocabulary.
    pub play: usize,
    /// The shapes in order, with their ranges.
    pub cases: Vec<(Shape, Ranges)>,
}

impl FoundRule {
    /// Creates a rule for hands of all shapes.
    pub fn for_all(play: usize) -> FoundRule {
        FoundRule { play, cases: Shape::ALL.map(|shape| (shape, Ranges::default())).into() }
    }

    /// Groups the shapes that have equal ranges, in the order of each group's first shape.
    pub fn by_ranges(&self) -> Vec<(Vec<Shape>, &Ranges)> {
        let mut groups: Vec<(Vec<Shape>, &Ranges)> = Vec::new();
        for (shape, ranges) in &self.cases {
            match groups.iter_mut().find(|group| group.1 == ranges) {
                Some(group) => group.0.push(*shape),
                None => groups.push((vec![*shape], ranges)),
            }
        }
        groups
    }

    /// Returns the total number of bounds, counting those built into the play.
    pub fn bounds(&self, space: &Space) -> usize {
        let groups = self.by_ranges();
        groups.iter().map(|group| group.1.bounds()).sum::<usize>() + space.bounds(self.play)
    }

    /// Returns the ranges for a shape, or `None` if the rule doesn't apply to it.
    pub fn ranges(&self, shape: Shape) -> Option<&Ranges> {
        self.cases.iter().find(|case| case.0 == shape).map(|case| &case.1)
    }
}

impl Space {
    /// Returns the sheet as a list. Each sheet rule is a fixed play that already includes its own conditions.
    pub fn sheet(&self) -> Vec<FoundRule> {
        let rule = |play: usize| {
            let fits = |shape: &Shape| !self.shapes[*shape as usize].losses[play].is_empty();
            let cases = Shape::ALL.into_iter().filter(fits).map(|shape| (shape, Ranges::default()));
            FoundRule { play, cases: cases.collect() }
        };
        (0..self.choices.sheet.len()).map(|i| rule(self.plays().len() + i)).collect()
    }
}

/// The part of a rule that matters for one shape.
pub(super) type Clause = (usize, Ranges);

/// The result of evaluating a list on one shape.
pub(super) struct ShapeState {
    /// The index of the clause that sets each group, or the number of clauses if none of them does.
    pub by: Vec<u8>,
    /// Each group's loss.
    pub loss: Vec<i64>,
    /// The total loss.
    pub total: i64,
}

/// The loss for a group that no rule sets, chosen to exceed the loss from any setting.
const UNSET: i64 = 1 << 45;

impl ShapeSpace {
    /// Evaluates a list's clauses.
    pub(super) fn state(&self, clauses: &[Clause]) -> ShapeState {
        let len = self.groups.count();
        let mut state = ShapeState { by: vec![clauses.len() as u8; len], loss: vec![UNSET; len], total: 0 };
        for (number, (play, ranges)) in clauses.iter().enumerate() {
            let losses = self.losses(*play);
            let within = self.groups.within(ranges);
            if losses.is_empty() {
                continue;
            }
            for i in 0..len {
                if usize::from(state.by[i]) == clauses.len()
                    && losses[i] != NO_PLAY
                    && within[self.groups.cell[i] as usize]
                {
                    (state.by[i], state.loss[i]) = (number as u8, losses[i]);
                }
            }
        }
        state.total = state.loss.iter().sum();
        state
    }
}

/// Returns a list's clauses for one shape, and the rule index of each clause.
pub(super) fn clauses(list: &[FoundRule], shape: Shape) -> (Vec<Clause>, Vec<usize>) {
    let rules = list.iter().enumerate();
    rules.filter_map(|(i, rule)| Some(((rule.play, rule.ranges(shape)?.clone()), i))).unzip()
}
