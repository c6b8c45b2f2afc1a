//! The card of a data set, with the exact EVs of several policies.

use super::log::{DatasetRequest, LoggedDecisions};
use crate::report::Report;
use crate::run::{VERSION, command_line, commit};
use houseway_exact::answer::TextTable;
use houseway_exact::format::grouped;
use houseway_exact::registry;
use houseway_exact::solver::{Control, EvaluatorConfig, SampleConfig, Scope, SolverError};
use serde_json::{Value, json};

/// The name, type and meaning of each column.
pub const COLUMNS: [[&str; 3]; 10] = [
    ["episode", "uint64", "the episode, which is also the lane of the environment's random stream"],
    ["step", "int64", "the number of earlier decisions in the episode"],
    ["observation", "list of float", "the environment's observation"],
    ["mask", "list of boolean", "true for each legal action"],
    ["action", "int64", "the action that was played"],
    ["propensity", "double", "the probability with which the logging policy plays this action"],
    ["reward", "double", "the reward for this step"],
    [
        "evs",
        "list of double",
        "the exact EV of the round after each action if later play is optimal, or NaN if it's illegal",
    ],
    ["best", "int64", "the action with the highest EV, or the first of these"],
    ["house", "int64", "the action of the house's strategy, or null if there is none"],
];

/// The exact EV of a policy.
pub struct PolicyEv {
    /// The name of the policy.
    pub policy: String,
    /// The mean EV over the logged decisions.
    pub ev: f64,
}

impl LoggedDecisions<'_> {
    /// Returns the mean EVs of simple policies over the logged decisions. An estimate from the logged rewards should come
    /// close to them. Empty if an episode has several decisions, because the EVs assume that later play is optimal.
    pub fn policies(&self) -> Vec<PolicyEv> {
        let rows = &self.rows;
        if rows.step.iter().any(|&step| step > 0) {
            return vec![];
        }
        let actions = rows.evs.len() / rows.best.len();
        let mean = |ev: &dyn Fn(usize, &[f64]) -> f64| {
            rows.evs.chunks_exact(actions).enumerate().map(|(row, evs)| ev(row, evs)).sum::<f64>()
                / rows.best.len() as f64
        };
        let uniform = mean(&|_, evs| {
            let (sum, legal) =
                evs.iter().filter(|ev| !ev.is_nan()).fold((0.0, 0.0), |(sum, n), ev| (sum + ev, n + 1.0));
            sum / legal
        });
        let best = mean(&|row, evs| evs[rows.best[row] as usize]);
        let policy = |policy: &str, ev| PolicyEv { policy: policy.to_owned(), ev };
        let mut policies = vec![policy("uniformly random", uniform)];
        if let Some(name) = &self.house {
            let exploration = self.request.exploration;
            let house = mean(&|row, evs| evs[rows.house[row].expect("the house has a strategy") as usize]);
            policies.push(policy("logging policy", exploration * uniform + (1.0 - exploration) * house));
            policies.push(policy(name, house));
        }
        policies.push(policy("optimum", best));
        policies
    }

    /// Returns the data set's card as Markdown. `scope` defines the hands that the game's baselines are evaluated on. A
    /// sample is at most as large as the data set.
    pub fn card(&self, name: &str, scope: Scope, control: &Control<'_>) -> Result<String, SolverError> {
        let DatasetRequest { game, episodes, seed, exploration, .. } = self.request;
        let sample = registry::find(game.name)?.sample;
        let sample = sample.filter(|spec| spec.always || scope == Scope::Sample).map(|spec| SampleConfig {
            size: (*episodes as usize).clamp(SampleConfig::MIN_SIZE, spec.default_size),
            seed: SampleConfig::DEFAULT_SEED,
        });
        let truth = match &sample {
            Some(sample) => format!(
                "EVs on a sample of {} hands dealt once, each with its exact value; those in the whole game differ by the \
                 sample's error:",
                grouped(sample.size as u64)
            ),
            None => "EVs in the whole game, which estimates approach with more and more episodes:".to_owned(),
        };
        let evaluator = self.solver.evaluator(&EvaluatorConfig { sample, ..EvaluatorConfig::default() }, control)?;
        let evaluation = evaluator.evaluate(&[], scope, control)?;
        let logging = match &self.house {
            Some(house) => format!(
                "With a probability of {exploration}, the policy plays an action drawn uniformly at random from the legal \
                 ones. Otherwise, it follows {house}."
            ),
            None => "The policy plays an action drawn uniformly at random from the legal ones.".to_owned(),
        };
        let mut card = Report::new(format!("Data set {name}"))
            .text(format!(
                "{} decisions from {} episodes of {} (`{}`), logged with a known policy. {logging}",
                grouped(self.decisions() as u64),
                grouped(*episodes),
                game.title,
                self.env.spec().id
            ))
            .heading("Columns")
            .table(
                COLUMNS.iter().fold(TextTable::new(["column", "type", "meaning"]), |table, [name, kind, meaning]| {
                    table.row([&format!("`{name}`"), *kind, *meaning])
                }),
            )
            .heading("The truth");
        let policies = self.policies();
        if policies.is_empty() {
            card = card.text(
                "`evs` has the exact EVs of all actions if later play is optimal. An episode has several decisions, so the \
                 mean of these EVs over the logged decisions isn't the EV of a policy that plays badly later. The truth for \
                 complete policies is therefore only stated for the policies in the next table. The exact EV of the logging policy isn't computed.",
            );
        } else {
            let table =
                policies.iter().fold(TextTable::new(["policy", "EV"]).right(1), |table, PolicyEv { policy, ev }| {
                    table.row([policy.clone(), format!("{ev:+.8}")])
                });
            card = card
                .text("Exact EVs of a round for the logged decisions, the means of `evs` weighted by the policy:")
                .table(table);
        }
        card = card.text(truth).text(&evaluation.preface).table(evaluation.comparison).heading("Provenance").table(
            TextTable::new(["", ""])
                .row(["command", &format!("`{}`", command_line())])
                .row(["configuration", &format!("`{}`", self.config)])
                .row(["rules", &format!("hash `{}`", self.rules_hash)])
                .row(["environment", &format!("hash `{}`", self.env.rules_hash())])
                .row(["seed", &seed.to_string()])
                .row(["version", &format!("houseway {VERSION}, commit {}", commit().unwrap_or("unknown"))]),
        );
        Ok(card.markdown())
    }

    /// Returns a summary as JSON.
    pub fn json(&self) -> Value {
        let policies: Vec<Value> =
            self.policies().iter().map(|PolicyEv { policy, ev }| json!({ "policy": policy, "ev": ev })).collect();
        json!({
            "game": self.request.game.name,
            "rules_hash": self.rules_hash,
            "environment_hash": self.env.rules_hash(),
            "episodes": self.request.episodes,
            "decisions": self.decisions(),
            "policies": policies,
        })
    }
}
