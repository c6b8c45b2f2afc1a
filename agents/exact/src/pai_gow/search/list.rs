//! Lists of rules, and their losses.

use super::condition::Ranges;
use super::space::{NO_PLAY, ShapeSpace, Space};
use houseway_env::pai_gow::house_way::Shape;
use serde::{Deserialize, Serialize};

/// A rule: a play by its index in the vocabulary, and for each shape that it is for the ranges that must hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FoundRule {
    /// Index of the play.
    pub play: usize,
    /// The shapes, in order, with their ranges.
    pub cases: Vec<(Shape, Ranges)>,
}

impl FoundRule {
    /// A rule for hands of all shapes.
    pub fn for_all(play: usize) -> FoundRule {
        FoundRule { play, cases: Shape::ALL.map(|shape| (shape, Ranges::default())).into() }
    }

    /// The shapes with equal ranges together, in the order of their first shapes.
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

    /// Number of bounds, those of the play included.
    pub fn bounds(&self, space: &Space) -> usize {
        let groups = self.by_ranges();
        groups.iter().map(|group| group.1.bounds()).sum::<usize>() + space.bounds(self.play)
    }

    /// The ranges for a shape, if the rule is for it.
    pub fn ranges(&self, shape: Shape) -> Option<&Ranges> {
        self.cases.iter().find(|case| case.0 == shape).map(|case| &case.1)
    }
}

impl Space {
    /// Returns the sheet as a list: its rules are plays that cannot be changed, with conditions of their own.
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

/// Results of a list on one shape: the clause that sets each group, and its loss.
pub(super) struct ShapeState {
    /// By group: index of the clause, or the number of clauses if there is none.
    pub by: Vec<u8>,
    /// By group: its loss.
    pub loss: Vec<i64>,
    /// Their sum.
    pub total: i64,
}

/// Loss of a group without a rule: more than any setting can lose.
const UNSET: i64 = 1 << 45;

impl ShapeSpace {
    /// Evaluates the clauses of a list.
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

/// The clauses of a list for one shape, with the index of the rule of each.
pub(super) fn clauses(list: &[FoundRule], shape: Shape) -> (Vec<Clause>, Vec<usize>) {
    let rules = list.iter().enumerate();
    rules.filter_map(|(i, rule)| Some(((rule.play, rule.ranges(shape)?.clone()), i))).unzip()
}
