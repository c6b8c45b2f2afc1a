//! Describes the data frames that a solver can compute, and reads their inputs.

use super::SolverError;
use crate::answer::{Cells, Column};
use houseway_env::cards::{Card, CardSet};
use std::collections::BTreeMap;

/// A description of a data frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameSpec {
    /// The name.
    pub name: &'static str,
    /// A description of the rows and columns.
    pub about: &'static str,
    /// The frame's inputs.
    pub inputs: &'static [InputSpec],
}

/// A description of an input to a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputSpec {
    /// The name.
    pub name: &'static str,
    /// A description of the values.
    pub about: &'static str,
    /// `true` if the input can be omitted.
    pub optional: bool,
}

/// A frame's input columns, keyed by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs(pub BTreeMap<String, Column>);

impl FrameSpec {
    /// Checks that all inputs are known and that no required input is missing.
    pub(super) fn check(&self, inputs: &Inputs) -> Result<(), SolverError> {
        let known = || self.inputs.iter().map(|input| input.name).collect::<Vec<_>>().join(", ");
        for name in inputs.0.keys() {
            if self.inputs.iter().all(|input| input.name != name) {
                let known = if self.inputs.is_empty() { "none".to_owned() } else { known() };
                return Err(SolverError::Invalid(format!(
                    "unknown input '{name}' for the frame '{}'; it has {known}",
                    self.name
                )));
            }
        }
        match self.inputs.iter().find(|input| !input.optional && !inputs.0.contains_key(input.name)) {
            Some(missing) => Err(SolverError::Invalid(format!(
                "the frame '{}' needs the input '{}': {}",
                self.name, missing.name, missing.about
            ))),
            None => Ok(()),
        }
    }
}

impl Inputs {
    /// Adds an input.
    #[must_use]
    pub fn with(mut self, name: &str, width: Option<usize>, cells: impl Into<Cells>) -> Inputs {
        self.0.insert(name.to_owned(), Column { cells: cells.into(), width });
        self
    }

    fn get(&self, name: &str) -> Result<&Column, SolverError> {
        self.0.get(name).ok_or_else(|| SolverError::Invalid(format!("the input '{name}' is missing")))
    }

    /// Returns the sets of cards that are given as rows of card numbers. The number of cards per row must be one of
    /// `widths`, and the cards in a row must be distinct.
    ///
    /// # Errors
    /// Returns an error if the input is missing or if its rows aren't such sets.
    pub fn cards(&self, name: &str, widths: &[usize]) -> Result<Vec<CardSet>, SolverError> {
        let (Column { cells: Cells::U8(cells), width }, expected) = (self.get(name)?, || {
            let widths: Vec<String> = widths.iter().map(usize::to_string).collect();
            widths.join(" or ")
        }) else {
            return Err(SolverError::Invalid(format!("{name} must be rows of card numbers from 0 to 53")));
        };
        let width = width.unwrap_or(1);
        if !widths.contains(&width) {
            return Err(SolverError::Invalid(format!("{name} must have {} cards per row, not {width}", expected())));
        }
        if width == 0 {
            return Ok(Vec::new());
        }
        let set = |(row, numbers): (usize, &[u8])| {
            let mut set = CardSet::default();
            let distinct = numbers.iter().all(|&n| Card::from_index(n).is_some_and(|card| set.insert(card)));
            let invalid = || {
                SolverError::Invalid(format!("row {row} of {name} has a duplicate card or an invalid number (0 to 53)"))
            };
            if distinct { Ok(set) } else { Err(invalid()) }
        };
        cells.chunks(width).enumerate().map(set).collect()
    }

    /// Returns one boolean per row.
    ///
    /// # Errors
    /// Returns an error if the input is missing or has another type.
    pub fn flags(&self, name: &str) -> Result<&[bool], SolverError> {
        match self.get(name)? {
            Column { cells: Cells::Bool(cells), width: None } => Ok(cells),
            _ => Err(SolverError::Invalid(format!("the input '{name}' must be a column of booleans"))),
        }
    }

    /// Returns a single integer, or `None` if the input is missing.
    ///
    /// # Errors
    /// Returns an error if the input isn't a single integer.
    pub fn integer(&self, name: &str) -> Result<Option<i64>, SolverError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Column { cells: Cells::I64(cells), width: None }) if cells.len() == 1 => Ok(Some(cells[0])),
            Some(_) => Err(SolverError::Invalid(format!("the input '{name}' must be a single integer"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: FrameSpec = FrameSpec {
        name: "hands",
        about: "hands",
        inputs: &[
            InputSpec { name: "cards", about: "the hands", optional: false },
            InputSpec { name: "seed", about: "the seed", optional: true },
        ],
    };

    #[test]
    fn inputs_are_checked() {
        let cards = Inputs::default().with("cards", Some(2), vec![0u8, 1, 2, 3]);
        assert_eq!(SPEC.check(&cards), Ok(()));
        let message = |inputs: &Inputs| SPEC.check(inputs).unwrap_err().to_string();
        assert!(message(&Inputs::default()).contains("needs the input 'cards'"));
        assert!(message(&cards.clone().with("card", None, vec![1i64])).contains("it has cards, seed"));
        assert_eq!(cards.cards("cards", &[2]).unwrap().len(), 2);
        let error = cards.cards("cards", &[5, 7]).unwrap_err().to_string();
        assert!(error.contains("cards must have 5 or 7 cards per row, not 2"), "{error}");
        for row in [[0u8, 0], [0, 54]] {
            let error = Inputs::default().with("cards", Some(2), row.to_vec()).cards("cards", &[2]).unwrap_err();
            assert!(error.to_string().contains("row 0 of cards"), "{error}");
        }
        assert!(cards.flags("cards").is_err() && cards.integer("cards").is_err());
        assert_eq!(cards.integer("seed"), Ok(None));
        assert_eq!(cards.with("seed", None, vec![7i64]).integer("seed"), Ok(Some(7)));
    }
}
