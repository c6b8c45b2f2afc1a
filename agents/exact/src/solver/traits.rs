//! The interface of solvers: what they compute, how a computation is watched and canceled, and the data frames with their
//! inputs.

use super::{Evaluator, EvaluatorConfig};
use crate::answer::{Answer, Cells, Column, Frame};
use houseway_env::cards::{Card, CardSet};
use rand_pcg::Pcg64;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// A source of exact values for a game with fixed rules and options.
pub trait Solver: Send + Sync {
    /// Returns all rules of the game that are in force, and their hash.
    fn rules(&self) -> (Value, String);

    /// Solves the full game.
    ///
    /// # Errors
    /// Returns an error if the computation was canceled or an option is invalid.
    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError>;

    /// Solves the game in which both sides choose. Returns `None` if the solver doesn't support this.
    ///
    /// # Errors
    /// Returns an error if the computation was canceled.
    fn equilibrium(&self, _control: &Control<'_>) -> Result<Option<Answer>, SolverError> {
        Ok(None)
    }

    /// Returns the exact EVs for every decision with a hand. The hand is given as text.
    ///
    /// # Errors
    /// Returns an error if the hand is invalid, if the game has no decision with a hand (see
    /// [`SolverEntry::hands`](super::SolverEntry::hands)), or if the computation was canceled.
    fn value(&self, hand: &str, control: &Control<'_>) -> Result<Answer, SolverError>;

    /// Returns the exact EV of each action in a decision. The decision is given as the environment's
    /// [view](houseway_env::gym::Env::view). Returns `None` if the decision isn't supported. The view of a finished
    /// episode is read as the last decision with the cards that it shows, although no action is legal anymore.
    ///
    /// # Errors
    /// Returns an error if the view isn't from this game or if the computation was canceled.
    fn decision(&self, _view: &Value, _control: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        Ok(None)
    }

    /// Returns the source of decisions to practice, or `None` if the game has no decisions that depend on cards and
    /// that common strategies get wrong.
    fn practice(&self) -> Option<&dyn Practice> {
        None
    }

    /// Prepares the exact evaluation of policies.
    ///
    /// # Errors
    /// Returns an error if the configuration is invalid or if the computation was canceled.
    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError>;

    /// Returns `true` if its evaluators provide [`Evaluator::exact_values`].
    fn has_exact_values(&self) -> bool {
        false
    }

    /// Returns `true` if its evaluators can compute the [exploitability](EvaluatorConfig::exploitability) of policies.
    /// This requires an opponent who acts.
    fn has_exploitability(&self) -> bool {
        false
    }

    /// Returns the data frames that the solver can compute.
    fn frames(&self) -> &'static [FrameSpec] {
        &[]
    }

    /// Computes one of the [`Solver::frames`]. `compute_frame` has already checked the inputs.
    ///
    /// # Errors
    /// Returns an error if an input is invalid or the computation was canceled.
    fn frame(&self, name: &str, _inputs: &Inputs, _control: &Control<'_>) -> Result<Frame, SolverError> {
        Err(invalid!("there is no frame '{name}'"))
    }
}

impl dyn Solver + '_ {
    /// Computes the data frame with the given name.
    ///
    /// # Errors
    /// Returns an error if there is no such frame, if an input is unknown, missing or invalid, or if the computation
    /// was canceled.
    pub fn compute_frame(&self, name: &str, inputs: &Inputs, control: &Control<'_>) -> Result<Frame, SolverError> {
        let specs = self.frames();
        let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
            let known: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(invalid!("there is no frame '{name}'; this solver has {known}"));
        };
        spec.check(inputs)?;
        self.frame(name, inputs, control)
    }
}

/// The error returned by a computation that was canceled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the evaluation was canceled")]
pub struct Cancelled;

/// The reason why a solver has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The rules, options or hands are invalid. The message names the valid values.
    #[error("{0}")]
    Invalid(String),
    /// The computation failed.
    #[error("{0}")]
    Failed(String),
    /// The computation was canceled.
    #[error("the computation was canceled")]
    Cancelled,
}

/// Creates a [`SolverError::Invalid`] with a formatted message.
macro_rules! invalid {
    ($($text:tt)*) => { $crate::solver::SolverError::Invalid(format!($($text)*)) };
}
pub(crate) use invalid;

impl From<Cancelled> for SolverError {
    fn from(_: Cancelled) -> SolverError {
        SolverError::Cancelled
    }
}

impl SolverError {
    /// Creates a [`SolverError::Invalid`] from an error's message.
    pub fn invalid(error: impl std::fmt::Display) -> SolverError {
        SolverError::Invalid(error.to_string())
    }

    /// Creates a [`SolverError::Failed`] from an error's message.
    pub fn failed(error: impl std::fmt::Display) -> SolverError {
        SolverError::Failed(error.to_string())
    }
}

/// Reports a computation's progress and allows it to be canceled.
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    /// The progress callback. It's called occasionally, from any thread.
    pub progress: Option<&'a (dyn Fn(&Progress<'_>) + Sync)>,
    /// A flag that other threads can set to stop the computation. It is checked regularly.
    pub cancel: Option<&'a AtomicBool>,
}

/// The progress of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The stage of the computation.
    pub stage: &'a str,
    /// The plural of the items that are counted.
    pub items: &'static str,
    /// The number of items that are done.
    pub done: u64,
    /// The total number of items.
    pub total: u64,
}

impl Control<'_> {
    /// Returns `true` if the computation should stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Returns an error if the computation should stop.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if the computation was canceled.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Returns a function that reports the progress of a stage.
    pub fn stage<'s>(&'s self, stage: &'s str, items: &'static str) -> impl Fn(u64, u64) + Sync + 's {
        move |done, total| {
            if let Some(progress) = self.progress {
                progress(&Progress { stage, items, done, total });
            }
        }
    }
}

/// The exact EV of each action in a decision, along with the house's own choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The EV of the entire round after each of the environment's actions, in units of the main stake. Later play is
    /// assumed to be optimal, and side bets are excluded. `None` for actions that are illegal in the decision.
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

    /// Returns the EV of an action in the unit of the game's [`SolverEntry`](super::SolverEntry), or `None` if it's illegal.
    pub fn ev(&self, action: usize) -> Option<f64> {
        self.evs.get(action).copied().flatten()
    }

    /// Returns the EV of the best action minus the EV of the given one, or `None` if it's illegal.
    pub fn regret(&self, action: usize) -> Option<f64> {
        Some(self.ev(self.best())? - self.ev(action)?)
    }
}

/// Reads a text from an environment's view.
pub(crate) fn text_of<'a>(view: &'a Value, key: &str) -> Result<&'a str, SolverError> {
    view[key].as_str().ok_or_else(|| invalid!("invalid view: expected a string for '{key}'"))
}

/// Reads a number from an environment's view.
pub(crate) fn number_of(view: &Value, key: &str) -> Result<f64, SolverError> {
    view[key].as_f64().ok_or_else(|| invalid!("invalid view: expected a number for '{key}'"))
}

/// A decision to practice, along with what it costs those who play by common strategies.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// The position as text. It starts with the player's cards. Anything else that the player sees follows after a
    /// comma.
    pub position: String,
    /// The group that the hand belongs to, as in [`Decision::group`].
    pub group: String,
    /// The mean regret of common strategies.
    pub regret: f64,
}

/// A source of decisions that common strategies get wrong.
pub trait Practice {
    /// Draws random deals and returns the decisions in them whose group is asked for, with the probability that they come
    /// up in a game. Choosing one with a probability proportional to its regret therefore weights decisions by
    /// probability times regret. There may be none if the group is rare.
    ///
    /// # Errors
    /// Returns an error if a strategy doesn't work under the rules, or if the computation was canceled.
    fn exercises(
        &self,
        is_asked: IsAsked<'_>,
        rng: &mut Pcg64,
        control: &Control<'_>,
    ) -> Result<Vec<Exercise>, SolverError>;

    /// Returns the decision in a position. [`Decision::house`] is the choice of the strategy to compare with.
    ///
    /// # Errors
    /// Returns an error if the position is invalid, or if the computation was canceled.
    fn decide(&self, position: &str, control: &Control<'_>) -> Result<Decision, SolverError>;

    /// Returns the topics that a drill can be about. These are groups of decisions, or the first word of several groups.
    fn topics(&self) -> &'static [&'static str] {
        &[]
    }

    /// Describes what the player sees beside their own cards, which follow the first comma of a position. `None` if that is
    /// nothing.
    fn beside(&self, position: &str) -> Option<String> {
        position.split_once(", ").map(|(_, beside)| beside.to_owned())
    }

    /// Describes what an action does in a position, or returns `None` if its name says that in every position.
    fn label(&self, _position: &str, _action: usize) -> Option<String> {
        None
    }
}

/// Returns `true` if decisions of a group are asked for.
pub type IsAsked<'a> = &'a dyn Fn(&str) -> bool;

/// The number of random deals in a batch of exercises.
pub(crate) const BATCH: usize = 96;
/// The maximum number of deals that are drawn for a batch if few of them are asked for.
const MAX_DEALS: usize = 100_000;

/// Draws deals until there are enough for a batch of exercises, leaving out those that aren't asked for. Exact values take
/// far longer than a deal, so rare topics are found as fast as others.
pub(crate) fn draw_deals<T>(count: usize, draw: impl FnMut() -> T, is_asked: impl Fn(&T) -> bool) -> Vec<T> {
    std::iter::repeat_with(draw).take(MAX_DEALS).filter(is_asked).take(count).collect()
}

impl Exercise {
    /// Returns the player's cards in a position.
    pub fn cards(position: &str) -> impl Iterator<Item = &str> {
        position.split(',').next().unwrap_or_default().split_whitespace()
    }
}

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
                return Err(invalid!("unknown input '{name}' for the frame '{}'; it has {known}", self.name));
            }
        }
        match self.inputs.iter().find(|input| !input.optional && !inputs.0.contains_key(input.name)) {
            Some(missing) => {
                Err(invalid!("the frame '{}' needs the input '{}': {}", self.name, missing.name, missing.about))
            }
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
        self.0.get(name).ok_or_else(|| invalid!("the input '{name}' is missing"))
    }

    /// Returns the sets of cards that are given as rows of card numbers. The number of cards per row must be one of
    /// `widths`, and the cards in a row must be distinct.
    ///
    /// # Errors
    /// Returns an error if the input is missing or if its rows aren't such sets.
    pub fn cards(&self, name: &str, widths: &[usize]) -> Result<Vec<CardSet>, SolverError> {
        let expected = || {
            let widths: Vec<String> = widths.iter().map(usize::to_string).collect();
            widths.join(" or ")
        };
        let Column { cells, width } = self.get(name)?;
        let cells: Vec<u8> = match cells {
            Cells::U8(cells) => cells.clone(),
            // Numbers that are too large are refused below, like those between the last card and the largest byte.
            Cells::I64(cells) => cells.iter().map(|&number| u8::try_from(number).unwrap_or(u8::MAX)).collect(),
            _ => return Err(invalid!("{name} must be rows of card numbers from 0 to 53")),
        };
        let width = width.unwrap_or(1);
        if !widths.contains(&width) {
            return Err(invalid!("{name} must have {} cards per row, not {width}", expected()));
        }
        if width == 0 {
            return Ok(Vec::new());
        }
        let set = |(row, numbers): (usize, &[u8])| {
            let mut set = CardSet::default();
            let distinct = numbers.iter().all(|&n| Card::from_index(n).is_some_and(|card| set.insert(card)));
            let set = distinct.then_some(set);
            set.ok_or_else(|| invalid!("row {row} of {name} has a duplicate card or an invalid number (0 to 53)"))
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
            _ => Err(invalid!("the input '{name}' must be a column of booleans")),
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
            Some(_) => Err(invalid!("the input '{name}' must be a single integer")),
        }
    }
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
