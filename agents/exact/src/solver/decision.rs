//! A decision in play with the exact EVs of its actions.

use super::error::SolverError;
use serde_json::Value;

/// Exact EVs of the actions of a decision, and the play of the house's strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// EV of the entire round after each action of the environment, in units of the main stake and with optimal play
    /// afterwards, or `None` for illegal actions. Side bets are excluded.
    pub evs: Vec<Option<f64>>,
    /// The play of the house's strategy, if the game has one.
    pub house: Option<HousePlay>,
    /// Group of hands to which this hand belongs, such as `two pairs`.
    pub group: String,
}

/// The play of the house's strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HousePlay {
    /// The action.
    pub action: usize,
    /// Name of the strategy.
    pub strategy: String,
    /// Name and text of the applied rule, if the strategy has rules.
    pub rule: Option<(String, String)>,
}

impl Decision {
    /// Returns the action with the highest EV. Ties go to the lowest index.
    ///
    /// # Panics
    /// Panics if no action is legal.
    pub fn best(&self) -> usize {
        let legal = (0..self.evs.len()).rev().filter(|&action| self.evs[action].is_some());
        legal
            .max_by(|&a, &b| self.evs[a].partial_cmp(&self.evs[b]).expect("EVs are finite"))
            .expect("an action is legal")
    }

    /// Returns the EV of an action, or `None` if it is illegal.
    pub fn ev(&self, action: usize) -> Option<f64> {
        self.evs.get(action).copied().flatten()
    }

    /// Returns the EV of the best action minus that of the given action, or `None` if it is illegal.
    pub fn regret(&self, action: usize) -> Option<f64> {
        Some(self.ev(self.best())? - self.ev(action)?)
    }
}

/// Returns a text from a view of the environment.
///
/// # Errors
/// Returns an error if the view has no such text.
pub(crate) fn text_of<'a>(view: &'a Value, key: &str) -> Result<&'a str, SolverError> {
    view[key].as_str().ok_or_else(|| SolverError::Invalid(format!("the view of the game has no text '{key}'")))
}

/// Returns a number from a view of the environment.
///
/// # Errors
/// Returns an error if the view has no such number.
pub(crate) fn number_of(view: &Value, key: &str) -> Result<f64, SolverError> {
    view[key].as_f64().ok_or_else(|| SolverError::Invalid(format!("the view of the game has no number '{key}'")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_actions_is_the_best() {
        let decision =
            Decision { evs: vec![None, Some(-0.5), Some(0.25), Some(0.25)], house: None, group: String::new() };
        assert_eq!(decision.best(), 2);
        assert_eq!((decision.regret(1), decision.regret(3), decision.regret(0)), (Some(0.75), Some(0.0), None));
        assert_eq!(decision.ev(9), None);
    }
}
