//! A table of exact values, for games with few enough observations to store them all.

use houseway_env::gym::{EnvError, ExactValues};

/// Decisions with their observations and the EVs of all actions, every one of which is legal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueTable {
    encoding: &'static str,
    rows: Vec<ValueRow>,
}

/// A decision.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueRow {
    /// The number of hands that lead to the decision.
    pub hands: u64,
    /// The observation.
    pub observation: Vec<f32>,
    /// The EV of each action, per unit staked.
    pub evs: Vec<f32>,
}

impl ValueTable {
    /// Creates a table of decisions whose observations have the given encoding.
    ///
    /// # Panics
    /// Panics if there are no rows.
    pub fn new(encoding: &'static str, rows: Vec<ValueRow>) -> ValueTable {
        assert!(!rows.is_empty(), "a game has a decision");
        ValueTable { encoding, rows }
    }
}

impl ExactValues for ValueTable {
    fn encoding(&self) -> &str {
        self.encoding
    }

    fn shape(&self) -> [usize; 2] {
        [self.rows[0].observation.len(), self.rows[0].evs.len()]
    }

    fn decisions(&self) -> usize {
        self.rows.len()
    }

    fn hands(&self, decision: usize) -> u64 {
        self.rows[decision].hands
    }

    fn write(
        &self,
        decision: usize,
        observation: &mut [f32],
        mask: &mut [bool],
        evs: &mut [f32],
    ) -> Result<(), EnvError> {
        let row = &self.rows[decision];
        EnvError::check_length("the observation", observation.len(), row.observation.len())?;
        EnvError::check_length("the action mask", mask.len(), row.evs.len())?;
        EnvError::check_length("the EVs", evs.len(), row.evs.len())?;
        observation.copy_from_slice(&row.observation);
        mask.fill(true);
        evs.copy_from_slice(&row.evs);
        Ok(())
    }
}
