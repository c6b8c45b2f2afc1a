//! The exact evaluation of policies.

use super::evaluation::{
    Entrant, Evaluation, MeasuredBaselines, PolicyScore, REGRET_ERROR, SampleConfig, Scope, StakeUnit, check_encoding,
    comparison, ev_plot, stochastic_section,
};
use super::{Control, SolverError, invalid};
use crate::answer::Section;
use crate::format::grouped;
use houseway_env::gym::{ExactValues, Policy};
use serde_json::json;
use std::sync::Arc;

/// A solver that is ready to evaluate policies.
pub trait Evaluator: Send + Sync {
    /// Returns the name of the observation encoding that evaluated policies must read.
    fn encoding(&self) -> &'static str;

    /// Measures a policy during training. Returns the metrics reported during training: first `regret`, its standard error
    /// ([`REGRET_ERROR`]) if it is measured on a sample, and any other values that are cheap enough to compute every few
    /// seconds.
    ///
    /// # Errors
    /// Returns an error if the policy reads another encoding.
    fn measure(&self, policy: &dyn Policy) -> Result<Vec<(&'static str, f64)>, SolverError>;

    /// Measures the game's baselines on the same hands as [`Evaluator::measure`], for comparison with learning curves.
    ///
    /// # Errors
    /// Returns an error if the computation was canceled.
    fn measured_baselines(&self, control: &Control<'_>) -> Result<MeasuredBaselines, SolverError>;

    /// Evaluates policies, the game's baselines and the optimum in one pass.
    ///
    /// # Errors
    /// Returns an error if a policy reads another encoding, if the scope isn't supported, or if the computation was
    /// canceled.
    fn evaluate(
        &self,
        entrants: &[Entrant<'_>],
        scope: Scope,
        control: &Control<'_>,
    ) -> Result<Evaluation, SolverError>;

    /// Computes the exact EVs of all actions in all decisions, for agents that learn from them.
    ///
    /// # Errors
    /// Returns an error if the solver doesn't [provide](super::Solver::has_exact_values) these values or if the computation
    /// was canceled.
    fn exact_values(&self, _control: &Control<'_>) -> Result<Arc<dyn ExactValues>, SolverError> {
        Err(no_exact_values())
    }
}

/// The error of games whose solvers don't provide exact values.
fn no_exact_values() -> SolverError {
    SolverError::invalid("the game's solver doesn't provide exact labels; use a method with another kind of feedback")
}

/// A source of scores on a fixed set of hands, either all of them or one sample. Every type that implements this trait is
/// an [`Evaluator`].
pub trait Scorer: Send + Sync {
    /// Returns the names of the observation encodings that policies may read. Training uses the first.
    fn encodings(&self) -> Vec<&'static str>;

    /// Returns the unit used for EVs.
    fn unit(&self) -> StakeUnit;

    /// Returns the sample that replaces all hands, or `None` if scores are over all hands.
    fn sample(&self) -> Option<FixedSample> {
        None
    }

    /// Evaluates a policy that reads one of the encodings.
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
    fn sections(&self) -> Vec<Section> {
        vec![]
    }

    /// Returns the regret of the best strategy that sees hands only through the encoding, or `None` if it isn't computed.
    fn encoding_regret(&self) -> Option<f64> {
        None
    }

    /// Returns the exact EVs of all actions in all decisions, or `None` if they aren't
    /// [provided](super::Solver::has_exact_values).
    fn values(&self) -> Option<Arc<dyn ExactValues>> {
        None
    }
}

/// A sample that always replaces all hands.
#[derive(Clone, Copy, Debug)]
pub struct FixedSample {
    /// The plural of the sampled items.
    pub items: &'static str,
    /// The size and the seed.
    pub config: SampleConfig,
    /// The reason why there are too many items to evaluate them all.
    pub reason: &'static str,
}

/// Evaluates a policy after checking its encoding.
fn score(scorer: &impl Scorer, policy: &dyn Policy) -> Result<PolicyScore, SolverError> {
    check_encoding(policy, &scorer.encodings())?;
    scorer.policy_score(policy)
}

fn check_scope(sample: Option<FixedSample>, scope: Scope) -> Result<(), SolverError> {
    match (sample, scope) {
        (None, Scope::Whole) | (Some(_), Scope::Sample) => Ok(()),
        (None, Scope::Sample) => Err(SolverError::invalid(
            "this game is always evaluated on all hands; leave out --exact sample and the table [sample]",
        )),
        (Some(FixedSample { items, reason, .. }), Scope::Whole) => Err(invalid!(
            "there are too many {items} to evaluate them all, since {reason}; use --exact sample, or sample= in Python"
        )),
    }
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

impl<S: Scorer> Evaluator for S {
    fn encoding(&self) -> &'static str {
        self.encodings()[0]
    }

    fn measure(&self, policy: &dyn Policy) -> Result<Vec<(&'static str, f64)>, SolverError> {
        let score = score(self, policy)?;
        let error = score.regret_error().map(|error| (REGRET_ERROR, error));
        let values = [("regret", score.regret), ("ev", score.ev), ("agreement", score.agreement)];
        Ok(values.into_iter().chain(error).collect())
    }

    fn measured_baselines(&self, _: &Control<'_>) -> Result<MeasuredBaselines, SolverError> {
        let note = match self.sample() {
            None => "exact, over all hands".to_owned(),
            Some(FixedSample { items, config, .. }) => {
                format!("exact regret on the same {} {items} for all curves and lines", grouped(config.size as u64))
            }
        };
        Ok(MeasuredBaselines { note, scores: self.baselines() })
    }

    fn evaluate(&self, entrants: &[Entrant<'_>], scope: Scope, _: &Control<'_>) -> Result<Evaluation, SolverError> {
        let sample = self.sample();
        check_scope(sample, scope)?;
        let mut scores = self.baselines();
        for entrant in entrants {
            scores.push(score(self, entrant.policy)?);
        }
        scores.push(self.optimum());
        let note = match sample {
            None => "exact, over all hands".to_owned(),
            Some(sample) => sample.note(),
        };
        let mut details: serde_json::Map<_, _> =
            sample.iter().map(|sample| (sample.items.to_owned(), json!(sample.config.size))).collect();
        let mut sections: Vec<Section> =
            stochastic_section(&scores, |amount| self.unit().amount(amount)).into_iter().collect();
        if let Some(floor) = self.encoding_regret() {
            details.insert("encoding_regret".to_owned(), json!(floor));
            sections.push(encoding_section(self.encoding(), floor, self.unit()));
        }
        sections.extend(self.sections());
        Ok(Evaluation {
            scope,
            details,
            preface: self.preface(),
            comparison: comparison(&scores, self.unit()),
            plots: vec![ev_plot(&scores, self.unit(), &note)],
            sections,
            scores,
        })
    }

    fn exact_values(&self, _: &Control<'_>) -> Result<Arc<dyn ExactValues>, SolverError> {
        self.values().ok_or_else(no_exact_values)
    }
}

impl FixedSample {
    /// Returns a remark about the sample, such as `on 20,000 deals with seed 1`.
    pub fn note(self) -> String {
        format!("on {} {} with seed {}", grouped(self.config.size as u64), self.items, self.config.seed)
    }
}
