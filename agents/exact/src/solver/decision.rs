//! A decision during play, with the exact EV of each action.

use super::error::SolverError;
use serde_json::Value;

/// The exact EV of each action in a decision, along with the house's own choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The EV of the entire round after each of the environment's actions, in units of the main stake. Later play is
    /// assumed to be optimal, and side bets are excluded. `None` for illegal actions.
    pub evs: Vec<Option<f64>>,
    /// The choice of the house's strategy, if the game has one.
    pub house: Option<HousePlay>,
    /// The group that the hand belongs to, such as `two pairs`.
    pub group: String,
    /// The exact EV that the side bets of the round had before the deal, in chips. 0 without side bets.
    pub side_ev: f64,
}

/// An action chosen by the house's strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HousePlay {
    /// The action.
    pub action: usize,
    /// The name of the strategy.
    pub strategy: String,
    /// The name and text of the rule that applies, if the strategy has rules.
    pub rule: Option<(String, String)>,
}

impl Decision {
    /// Returns the action with the highest EV. The lowest index wins ties.
    ///
    /// # Panics
    /// Panics if no action is legal.
    pub fn best(&self) -> usize {
        let legal = (0..self.evs.len()).rev().filter(|&action| self.evs[action].is_some());
        legal
            .max_by(|&a, &b| self.evs[a].partial_cmp(&self.evs[b]).expect("EVs are finite"))
            .expect("an action is legal")
    }

    /// Returns the EV of an action, or `None` if it's illegal.
    pub fn ev(&self, action: usize) -> Option<f64> {
        self.evs.get(action).copied().flatten()
    }

    /// Returns the EV of the best action minus the EV of the given one, or `None` if it's illegal.
    pub fn regret(&self, action: usize) -> Option<f64> {
        Some(self.ev(self.best())? - self.ev(action)?)
    }
}

/// Reads a text from an environment's view.
///
/// # Errors
/// Returns an error if the view has no such text.
pub(crate) fn text_of<'a>(view: &'a Value, key: &str) -> Result<&'a str, SolverError> {
    view[key].as_str().ok_or_else(|| SolverError::Invalid(format!("invalid view: expected a string for '{key}'")))
}

/// Reads a number from an environment's view.
///
/// # Errors
/// Returns an error if the view has no such number.
pub(crate) fn number_of(view: &Value, key: &str) -> Result<f64, SolverError> {
    view[key].as_f64().ok_or_else(|| SolverError::Invalid(format!("invalid view: expected a number for '{key}'")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_actions_is_the_best() {
        let decision = Decision {
            evs: vec![None, Some(-0.5), Some(0.25), Some(0.25)],
            house: None,
            group: String::new(),
            side_ev: 0.0,
        };
        assert_eq!(decision.best(), 2);
        assert_eq!((decision.regret(1), decision.regret(3), decision.regret(0)), (Some(0.75), Some(0.0), None));
        assert_eq!(decision.ev(9), None);
    }
}
