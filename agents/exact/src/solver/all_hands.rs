//! Adapts games whose policies are always evaluated on all hands to the evaluator interface.

use super::control::Control;
use super::error::SolverError;
use super::evaluation::{
    Entrant, Evaluation, MeasuredBaselines, PolicyScore, Scope, StakeUnit, check_encoding, check_whole, comparison,
    ev_plot,
};
use super::stochastic::stochastic_section;
use super::traits::{Evaluator, no_exact_values};
use crate::answer::Section;
use houseway_env::gym::{ExactValues, Policy};
use serde_json::json;
use std::sync::Arc;

/// The remark on the accuracy of all results.
const EXACT: &str = "exact, over all hands";

/// An evaluator that doesn't use samples. Every type that implements this trait is an [`Evaluator`].
pub trait AllHands: Send + Sync {
    /// Returns the name of the observation encoding that evaluated policies must read.
    fn encoding(&self) -> &'static str;

    /// Returns the unit used for EVs.
    fn unit(&self) -> StakeUnit;

    /// Evaluates a policy that reads this encoding.
    ///
    /// # Errors
    /// Returns an error if the policy doesn't choose a legal action for every hand.
    fn policy_score(&self, policy: &dyn Policy) -> Result<PolicyScore, SolverError>;

    /// Returns the scores of the baselines, without the optimum.
    fn baselines(&self) -> Vec<PolicyScore>;

    /// Returns the score of the optimum.
    fn optimum(&self) -> PolicyScore;

    /// Returns a summary of the game, its rules and the evaluation method.
    fn preface(&self) -> String;

    /// Returns the report sections about the solved game.
    fn sections(&self) -> Vec<Section>;

    /// Returns the regret of the best strategy that sees hands only through this encoding, or `None` if it isn't computed.
    ///
    /// # Errors
    /// Returns an error if an observation can't be written.
    fn encoding_regret(&self) -> Result<Option<f64>, SolverError> {
        Ok(None)
    }

    /// Returns the exact EVs of all actions in all decisions.
    ///
    /// # Errors
    /// Returns an error if the solver doesn't [provide](super::Solver::has_exact_values) them.
    fn values(&self) -> Result<Arc<dyn ExactValues>, SolverError> {
        Err(no_exact_values())
    }
}

/// Evaluates a policy after checking its encoding.
fn score(evaluator: &impl AllHands, policy: &dyn Policy) -> Result<PolicyScore, SolverError> {
    check_encoding(policy, &[AllHands::encoding(evaluator)])?;
    evaluator.policy_score(policy)
}

fn encoding_section(encoding: &str, floor: f64, unit: StakeUnit) -> Section {
    let text = match floor {
        0.0 => format!("Agents see the encoding `{encoding}`, and the optimal strategy can be expressed in it."),
        _ => format!(
            "Some hands look alike in the encoding `{encoding}` although their best actions differ. The best strategy that \
             treats them alike has a regret of {floor:.7} {}s.",
            unit.name
        ),
    };
    Section::new("Limit of the encoding").text(text)
}

impl<E: AllHands> Evaluator for E {
    fn encoding(&self) -> &'static str {
        AllHands::encoding(self)
    }

    fn measure(&self, policy: &dyn Policy) -> Result<Vec<(&'static str, f64)>, SolverError> {
        let score = score(self, policy)?;
        Ok(vec![("regret", score.regret), ("ev", score.ev), ("agreement", score.agreement)])
    }

    fn measured_baselines(&self, _: &Control<'_>) -> Result<MeasuredBaselines, SolverError> {
        Ok(MeasuredBaselines { note: EXACT.to_owned(), scores: self.baselines() })
    }

    fn evaluate(&self, entrants: &[Entrant<'_>], scope: Scope, _: &Control<'_>) -> Result<Evaluation, SolverError> {
        check_whole(scope)?;
        let mut scores = self.baselines();
        for entrant in entrants {
            scores.push(score(self, entrant.policy)?);
        }
        scores.push(self.optimum());
        let stochastic = stochastic_section(&scores, |amount| format!("{amount:.6}"));
        let floor = self.encoding_regret()?;
        let section = floor.map(|floor| encoding_section(AllHands::encoding(self), floor, self.unit()));
        Ok(Evaluation {
            scope,
            details: floor.map(|floor| ("encoding_regret".to_owned(), json!(floor))).into_iter().collect(),
            preface: self.preface(),
            comparison: comparison(&scores, self.unit()),
            plots: vec![ev_plot(&scores, self.unit(), EXACT)],
            sections: stochastic.into_iter().chain(section).chain(self.sections()).collect(),
            scores,
        })
    }

    fn exact_values(&self, _: &Control<'_>) -> Result<Arc<dyn ExactValues>, SolverError> {
        self.values()
    }
}
