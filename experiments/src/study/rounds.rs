//! Evaluates agents by playing rounds. Games without a solver are scored this way.

use houseway_env::gym::{GameEntry, Policy, VecEnv};
use houseway_exact::answer::TextTable;
use houseway_exact::solver::{
    Control, Entrant, Evaluation, Evaluator, MeasuredBaselines, PolicyScore, SampleConfig, SampleSpec, Scope,
    SolverError, StakeUnit, check_encoding, ev_plot,
};
use houseway_learned::tasks::EnvTask;
use rand::{Rng, RngExt};
use serde_json::{Map, Value, json};

pub(super) const UNIT: StakeUnit = StakeUnit { name: "reward unit", percent: false };

pub(super) const SAMPLE: SampleSpec = SampleSpec { items: "rounds", default_size: 200_000, always: true };

/// The number of rounds per measurement during training.
const MEASURED: usize = 5_000;

/// The number of lanes that play rounds in parallel.
const LANES: usize = 500;

/// An evaluator that plays rounds in the environment. All policies play with the same seed.
pub(super) struct PlayedRounds {
    entry: &'static GameEntry,
    config: String,
    actions: usize,
    encoding: &'static str,
    sample: SampleConfig,
}

/// Chooses an action for each lane, given all observations and masks of legal actions.
type Choose<'a> = dyn FnMut(&[f32], &[bool]) -> Vec<usize> + 'a;

impl PlayedRounds {
    /// Creates an evaluator from a configuration with the keys of [`EnvTask::make`].
    pub(super) fn new(
        entry: &'static GameEntry,
        config: &Map<String, Value>,
        sample: Option<SampleConfig>,
    ) -> Result<PlayedRounds, SolverError> {
        let config = Value::Object(config.clone()).to_string();
        let task = EnvTask::make(entry, &config).map_err(SolverError::invalid)?;
        let encoding = entry.encodings.iter().copied().find(|&name| name == task.encoding).unwrap_or_default();
        let default = SampleConfig { size: SAMPLE.default_size, seed: SampleConfig::DEFAULT_SEED };
        let actions = task.env.actions();
        Ok(PlayedRounds { entry, config, actions, encoding, sample: sample.unwrap_or(default) })
    }

    /// Plays at least the given number of rounds, with the same number in each lane. Returns the sum of the rewards in
    /// each round.
    fn play(&self, rounds: usize, choose: &mut Choose<'_>) -> Result<Vec<f64>, SolverError> {
        let per_lane = rounds.div_ceil(LANES);
        let task = EnvTask::make(self.entry, &self.config).map_err(SolverError::invalid)?;
        let mut lanes = VecEnv::new(&*task.env, LANES).map_err(SolverError::failed)?;
        // The seed is drawn from the sample's stream, because lanes with the sample's own seed could be used in training.
        lanes.reset(Some(self.sample.stream().next_u64()), task.options.as_deref()).map_err(SolverError::failed)?;
        let (mut results, mut sums, mut played) = (Vec::with_capacity(per_lane * LANES), [0.0; LANES], [0; LANES]);
        while played.iter().any(|&played| played < per_lane) {
            let actions = choose(&lanes.batch().observations, &lanes.batch().masks);
            lanes.step(&actions).map_err(SolverError::failed)?;
            let batch = lanes.batch();
            for lane in 0..LANES {
                sums[lane] += f64::from(batch.rewards[lane]);
                if batch.terminated[lane] || batch.truncated[lane] {
                    let result = std::mem::take(&mut sums[lane]);
                    played[lane] += 1;
                    if played[lane] <= per_lane {
                        results.push(result);
                    }
                }
            }
        }
        Ok(results)
    }

    fn play_policy(&self, policy: &dyn Policy, rounds: usize) -> Result<Vec<f64>, SolverError> {
        check_encoding(policy, &[self.encoding])?;
        self.play(rounds, &mut |observations, masks| policy.choose(observations, masks).actions)
    }

    fn random(&self, rounds: usize) -> Result<PolicyScore, SolverError> {
        let mut rng = self.sample.stream();
        let mut choose = |mask: &[bool]| {
            let legal: Vec<usize> = (0..self.actions).filter(|&action| mask[action]).collect();
            legal[rng.random_range(0..legal.len())]
        };
        let results = self.play(rounds, &mut |_, masks| masks.chunks(self.actions).map(&mut choose).collect())?;
        Ok(score("random", &results))
    }
}

fn score(name: &str, results: &[f64]) -> PolicyScore {
    let rounds = results.len() as f64;
    let mean = results.iter().sum::<f64>() / rounds;
    let variance = results.iter().map(|result| (result - mean).powi(2)).sum::<f64>() / (rounds - 1.0);
    PolicyScore {
        name: name.to_owned(),
        ev: mean,
        regret: f64::NAN,
        regret_ci: None,
        agreement: f64::NAN,
        details: Map::from_iter([("standard_error".to_owned(), json!((variance / rounds).sqrt()))]),
    }
}

impl Evaluator for PlayedRounds {
    fn encoding(&self) -> &'static str {
        self.encoding
    }

    fn measure(&self, policy: &dyn Policy) -> Result<Vec<(&'static str, f64)>, SolverError> {
        let results = self.play_policy(policy, MEASURED)?;
        Ok(vec![("ev", results.iter().sum::<f64>() / results.len() as f64)])
    }

    fn measured_baselines(&self, _: &Control<'_>) -> Result<MeasuredBaselines, SolverError> {
        let note = format!("mean of {MEASURED} rounds");
        Ok(MeasuredBaselines { note, scores: vec![self.random(MEASURED)?] })
    }

    fn evaluate(&self, entrants: &[Entrant<'_>], _: Scope, control: &Control<'_>) -> Result<Evaluation, SolverError> {
        let mut scores = vec![self.random(self.sample.size)?];
        for entrant in entrants {
            if control.is_cancelled() {
                return Err(SolverError::Cancelled);
            }
            scores.push(score(entrant.policy.name(), &self.play_policy(entrant.policy, self.sample.size)?));
        }
        let SampleConfig { size, seed } = self.sample;
        let rounds = size.div_ceil(LANES) * LANES;
        let note = format!("mean of {rounds} rounds per agent, seed {seed}, with 95% confidence intervals");
        let error = |score: &PolicyScore| score.details["standard_error"].as_f64().unwrap_or(f64::NAN);
        let cells = |it: &PolicyScore| [it.name.clone(), format!("{:+.5}", it.ev), format!("{:.5}", error(it))];
        Ok(Evaluation {
            scope: Scope::Sample,
            details: Map::from_iter([("rounds".to_owned(), json!(rounds)), ("seed".to_owned(), json!(seed))]),
            preface: format!(
                "{}. This game has no solver: EVs are means over {rounds} rounds of each agent, dealt from seed {seed}, and \
                 regret is unknown. EVs are mean rewards per round, in units of the task's stakes (`{}`).",
                self.entry.title, self.config
            ),
            comparison: TextTable::new(["agent", "EV", "standard error"]).right_from(1).rows(scores.iter().map(cells)),
            plots: vec![ev_plot(&scores, UNIT, &note)],
            sections: vec![],
            scores,
        })
    }
}
