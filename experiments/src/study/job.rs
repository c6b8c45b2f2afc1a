//! A study run as a command-line job, with its configuration, folder, and messages.

use super::experiment::Experiment;
use super::run::{Ending, Study};
use super::train::RunControl;
use houseway_env::registry;
use houseway_exact::solver::Scope;
use houseway_lab::console::{CommandResult, Failure, print, print_json};
use houseway_lab::report::terminal;
use houseway_lab::run::{
    Destination, RESULTS, RunFolder, RunSpec, Started, notice, read_inside, read_text, stop_flag, total_memory,
};
use houseway_learned::{Cost, TrainConfig};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The name that selects a game's bundled configuration.
pub const DEFAULT_CONFIG: &str = "quick";

/// A job's goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Train the agents.
    Train,
    /// Train and evaluate the agents and write the report. If there is no scope, agents are evaluated on all hands.
    Bench(Option<Scope>),
}

/// A kind of study with its own configuration format, identified by the key `kind`.
pub struct StudyKind {
    /// The kind's name, as written in the key `kind`.
    pub name: &'static str,
    /// The game that uses this kind of study if its configuration doesn't have the key `kind`, if there is one.
    pub game: Option<&'static str>,
    pub run: fn(&Job) -> CommandResult,
}

/// A study to run.
pub struct Job {
    /// The path to a configuration, or [`DEFAULT_CONFIG`] for the game's bundled one.
    pub config: String,
    /// The game, if it is given separately from the configuration.
    pub game: Option<String>,
    /// The run's folder, if it differs from the default.
    pub out: Option<PathBuf>,
    /// `true` to replace results from a different configuration in that folder.
    pub force: bool,
    /// `true` to print answers as JSON.
    pub json: bool,
    /// The goal of the job.
    pub goal: Goal,
}

impl Job {
    /// Runs a game's study.
    pub fn run(&self) -> CommandResult {
        let game = self.game.as_deref();
        let experiment = match self.file()? {
            Some(text) => Experiment::parse(&text, game),
            None => Experiment::for_game(game.unwrap_or(registry::games()[0].name)),
        };
        let study = experiment.and_then(Study::open).map_err(|error| self.invalid(format!("{error:#}")))?;
        let scope = match self.goal {
            Goal::Train => None,
            Goal::Bench(scope) => Some(study.base().check_scope(scope).map_err(Failure::usage)?),
        };
        let experiment = study.experiment();
        let trainings = experiment.train.iter().map(|(name, config)| (format!("train.{name}"), config));
        self.check_size(&trainings.collect::<Vec<_>>(), experiment.seeds.len())?;
        let continues = |folder: &Path| study.check_continues(folder);
        let run = self.folder(&experiment.name, &study.spec()?, &experiment.strings(), &continues)?;
        match study.run(&run, scope, RunControl::new(&*stop_flag()?))? {
            Ending::Stopped => Err(stopped(&run)),
            Ending::Trained => self.trained(experiment.game, run),
            Ending::Evaluated(results) => self.answer(run, &results.json, &terminal(&results.comparison)),
        }
    }

    /// Returns `true` if the job is of this kind.
    pub fn is_of(&self, kind: &StudyKind) -> bool {
        let text = read_text(Path::new(&self.config)).unwrap_or_default();
        let named = text.parse::<toml::Table>().ok().and_then(|table| Some(table.get("kind")?.as_str()? == kind.name));
        let game = self.game.as_deref().and_then(|game| registry::find(game).ok());
        named.unwrap_or(game.is_some_and(|game| Some(game.name) == kind.game))
    }

    /// Returns the text of the configuration, or `None` if it is the bundled one.
    pub fn file(&self) -> CommandResult<Option<String>> {
        let path = match self.config.as_str() {
            DEFAULT_CONFIG => return Ok(None),
            path => Path::new(path),
        };
        read_text(path).map(Some).map_err(Failure::usage)
    }

    /// Returns a failure that names the configuration.
    pub fn invalid(&self, reason: impl std::fmt::Display) -> Failure {
        Failure::usage(format!("{}: {reason}", self.config))
    }

    /// Checks the size of a study and prints a notice if it is unusually large.
    pub fn check_size(&self, trainings: &[(String, &TrainConfig)], seeds: usize) -> CommandResult {
        if let Some(estimate) = check_size(trainings, seeds, 1).map_err(|error| self.invalid(error))? {
            notice(&estimate.to_string());
        }
        Ok(())
    }

    /// Starts the run in its folder or resumes it. `named` lists the house ways and paytables named in the
    /// configuration, some of which may be files. `continues` checks that the study continues the work in a folder with
    /// a different configuration.
    pub fn folder(
        &self,
        name: &str,
        spec: &RunSpec,
        named: &[&str],
        continues: &dyn Fn(&Path) -> Result<(), String>,
    ) -> CommandResult<RunFolder> {
        let default = Path::new("results").join(name);
        let inputs: Vec<PathBuf> = named.iter().copied().chain([&*self.config]).map(PathBuf::from).collect();
        let path = self.out.as_deref().unwrap_or(&default);
        let repeats = |folder: &Path| self.repeats(folder);
        let to = Destination { repeats: &repeats, continues, ..Destination::new(path, &inputs, self.force) };
        let (run, started) = RunFolder::start(spec, &to)?;
        if started == Started::Resumed {
            notice(&format!("resuming the run in {}", run.working().display()));
        }
        Ok(run)
    }

    /// Returns `true` if this job's results cover those of the finished run in a folder and may therefore replace them.
    fn repeats(&self, folder: &Path) -> bool {
        match self.goal {
            Goal::Train => false,
            Goal::Bench(Some(scope @ Scope::Sample)) => {
                let text = read_inside(folder, RESULTS).unwrap_or_default();
                serde_json::from_str::<Value>(&text).is_ok_and(|results| results["scope"] == json!(scope))
            }
            Goal::Bench(_) => true,
        }
    }

    /// Reports that training has finished, for jobs that don't evaluate the agents.
    pub fn trained(&self, game: &str, run: RunFolder) -> CommandResult {
        let run = run.publish()?;
        let folder = run.path();
        if self.json {
            return print_json(&json!({ "run": folder, "trained": true }));
        }
        let game = if self.game.is_some() { format!("-g {game} ") } else { String::new() };
        let (config, folder) = (&self.config, folder.display());
        print(&format!("trained; run houseway bench {game}{config} --out {folder} to evaluate the agents\n"))
    }

    /// Finishes a run and prints its results.
    pub fn answer(&self, run: RunFolder, results: &Value, text: &str) -> CommandResult {
        let run = run.finish()?;
        if self.json {
            return print_json(results);
        }
        let (report, numbers) = (run.file("report.md"), run.file(RESULTS));
        print(&format!("{text}\nreport:  {}\nnumbers: {}\n", report.display(), numbers.display()))
    }
}

/// Returns the failure for a run that was stopped before its end.
pub fn stopped(run: &RunFolder) -> Failure {
    let folder = run.working().display();
    Failure::work(format!("stopped; run the same command to resume from the last step, saved in {folder}"))
}

/// The maximum number of seeds in a study.
pub const MAX_SEEDS: usize = 1_000;

/// The memory in bytes above which a notice is printed.
const MUCH_MEMORY: f64 = 2e9;
/// The processor time in seconds above which a notice is printed.
const MUCH_TIME: f64 = 4.0 * 3600.0;

/// Checks the size of a study, given its named training configurations, the number of seeds for each, and the number of
/// agents that are trained at the same time. Returns an estimate of the required time and memory if they are unusually
/// large.
pub fn check_size(trainings: &[(String, &TrainConfig)], seeds: usize, jobs: usize) -> Result<Option<String>, String> {
    check_size_with(trainings, seeds, jobs, total_memory().map(|bytes| bytes as f64))
}

fn check_size_with(
    trainings: &[(String, &TrainConfig)],
    seeds: usize,
    jobs: usize,
    memory: Option<f64>,
) -> Result<Option<String>, String> {
    if seeds > MAX_SEEDS {
        return Err(format!("seeds: {seeds} seeds; must be at most {MAX_SEEDS}"));
    }
    let mut all = Cost::default();
    for (name, config) in trainings {
        let cost = config.cost();
        let needed = cost.memory * jobs as f64;
        if let Some(memory) = memory.filter(|&memory| needed > memory) {
            let (times, remedy) = match jobs {
                1 => (String::new(), "reduce them"),
                jobs => (format!(", {jobs} at a time,"), "reduce them or choose fewer with --jobs"),
            };
            return Err(format!(
                "{name}: network.width = {}, network.layers = {} and batch = {}{times} need about {} of memory, but \
                 this machine has {}; {remedy}",
                config.network.width,
                config.network.layers,
                config.batch,
                gigabytes(needed),
                gigabytes(memory)
            ));
        }
        all.memory = all.memory.max(needed);
        all.seconds += cost.seconds * seeds as f64;
    }
    let much = all.memory > MUCH_MEMORY || all.seconds > MUCH_TIME;
    Ok(much.then(|| {
        let (memory, time) = (gigabytes(all.memory), duration(all.seconds));
        format!("this study will take roughly {memory} of memory and {time} on one processor core")
    }))
}

fn gigabytes(bytes: f64) -> String {
    format!("{:.1} GB", bytes / 1e9)
}

fn duration(seconds: f64) -> String {
    let hours = seconds / 3600.0;
    if hours < 48.0 { format!("{hours:.1} hours") } else { format!("{:.0} days", hours / 24.0) }
}

/// The name and text of each file in `experiments/configs/`, generated by the build script.
const CONFIGS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/configs.rs"));

/// Returns the bundled configuration for a game, or `None` if there is no file with the game's name.
pub fn default_config(game: &str) -> Option<&'static str> {
    CONFIGS.iter().find(|(name, _)| *name == game).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_learned::limits::{MAX_BATCH, MAX_STEPS, MAX_WIDTH};
    use houseway_learned::methods::AllAction;

    #[test]
    fn large_studies_are_announced_and_impossible_ones_refused() {
        let small = TrainConfig::new(AllAction::default());
        let check_jobs = |config: &TrainConfig, seeds, jobs| {
            check_size_with(&[("train.a".to_owned(), config)], seeds, jobs, Some(16e9))
        };
        let check = |config: &TrainConfig, seeds| check_jobs(config, seeds, 1);
        assert_eq!(check(&small, 3), Ok(None));
        assert!(check(&small, 1001).unwrap_err().contains("at most 1000"));
        let endless = TrainConfig { steps: MAX_STEPS, ..small.clone() };
        assert!(check(&endless, 1).unwrap().unwrap().contains("days on one processor core"));
        let mut wide = TrainConfig { batch: MAX_BATCH, ..small };
        wide.network.width = MAX_WIDTH;
        let error = check(&wide, 1).unwrap_err();
        assert!(error.starts_with("train.a: network.width = 8192") && error.contains("16.0 GB"), "{error}");
        let small = TrainConfig::new(AllAction::default());
        assert_eq!(check_jobs(&small, 3, 4), Ok(None));
        let error = check_jobs(&small, 3, 1_000_000).unwrap_err();
        assert!(error.contains("1000000 at a time") && error.contains("--jobs"), "{error}");
    }
}
