//! The EVs of stochastic policies.
//!
//! The score of a policy that computes probabilities is that of its greedy choices. The EV of choosing at random with
//! these probabilities is reported beside it.

use super::error::SolverError;
use super::evaluation::PolicyScore;
use crate::answer::{Section, TextTable};
use houseway_env::gym::{Choices, Policy, Scores, exact_probabilities};
use serde_json::{Value, json};

/// The key of a stochastic policy's EV and regret in the details of a score.
pub const STOCHASTIC: &str = "stochastic";

/// A policy's choices for some decisions.
pub struct WeighedChoices {
    /// The greedy choices.
    pub actions: Vec<usize>,
    /// The probabilities of all actions in each decision, in units of 1 /
    /// [`PROBABILITY_UNIT`](houseway_env::gym::PROBABILITY_UNIT). `None` if the policy isn't stochastic.
    pub weights: Option<Vec<Vec<u32>>>,
}

/// Returns a policy's choices for decisions with `actions` actions.
///
/// # Errors
/// Returns an error if the policy doesn't choose a legal action for every decision, or if its probabilities are invalid.
pub fn weighed_choices(
    policy: &dyn Policy,
    observations: &[f32],
    masks: &[bool],
    actions: usize,
) -> Result<WeighedChoices, SolverError> {
    let Choices { actions: chosen, scores } = policy.choose_with_scores(observations, masks);
    let is_legal = |(mask, &action): (&[bool], &usize)| mask.get(action) == Some(&true);
    if chosen.len() * actions != masks.len() || !masks.chunks_exact(actions).zip(&chosen).all(is_legal) {
        return Err(SolverError::Failed(format!(
            "the policy {} did not choose a legal action for every decision",
            policy.name()
        )));
    }
    let Scores::Probabilities(rows) = scores else {
        return Ok(WeighedChoices { actions: chosen, weights: None });
    };
    if rows.len() != masks.len() {
        return Err(SolverError::Failed(format!("the policy {} has too few probabilities", policy.name())));
    }
    let rows = rows.chunks_exact(actions).zip(masks.chunks_exact(actions));
    let weights = rows.map(|(row, mask)| exact_probabilities(row, mask)).collect::<Result<_, _>>();
    let weights = weights.map_err(|error| SolverError::Failed(format!("the policy {}: {error}", policy.name())))?;
    Ok(WeighedChoices { actions: chosen, weights: Some(weights) })
}

impl PolicyScore {
    /// Adds the EV of the stochastic policy to the score of its greedy choices.
    pub fn with_stochastic_ev(mut self, ev: Option<f64>) -> PolicyScore {
        let optimum = self.ev + self.regret;
        self.details.extend(ev.map(|ev| (STOCHASTIC.to_owned(), json!({ "ev": ev, "regret": optimum - ev }))));
        self
    }
}

/// Returns the report section that compares greedy and stochastic play, or `None` if no policy is stochastic. Amounts
/// are formatted by `format`.
pub fn stochastic_section<'a>(
    scores: impl IntoIterator<Item = &'a PolicyScore>,
    format: impl Fn(f64) -> String,
) -> Option<Section> {
    let regret = |score: &PolicyScore| score.details.get(STOCHASTIC)?.get("regret").and_then(Value::as_f64);
    let mut rows = scores.into_iter().filter_map(|score| Some((score, regret(score)?))).peekable();
    rows.peek()?;
    let table = TextTable::new(["agent", "greedy regret", "stochastic regret"]).right_from(1);
    let table = rows
        .fold(table, |table, (score, regret)| table.row([score.name.clone(), format(score.regret), format(regret)]));
    let text = "Some agents learn the probabilities of actions. All other results are those of their greedy policies, \
                which always take the most probable action. The stochastic policy takes every action with its probability, \
                without the exploration used in training. Its EV is linear in the probabilities, so it is exact, apart \
                from rounding each probability to a multiple of 1/1,048,576.";
    Some(Section::new("Greedy and stochastic play").text(text).table(table))
}
