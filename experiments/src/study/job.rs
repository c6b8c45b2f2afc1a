//! A study as a command: its configuration, its folder and its messages.

use super::experiment::Experiment;
use super::limits::check_size;
use super::run::{Ending, Study};
use crate::console::{CommandResult, Failure, OrUsage, print, print_json};
use crate::report::terminal;
use crate::run::{Destination, RESULTS, RunFolder, RunSpec, Started, cannot_read, stop_flag};
use houseway_env::registry;
use houseway_exact::solver::Scope;
use houseway_learned::TrainConfig;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Name of the configuration that comes with a game.
pub const DEFAULT_CONFIG: &str = "quick";

/// The goal of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Trained agents.
    Train,
    /// Trained agents, their evaluation and the report; on all hands if no scope is given.
    Bench(Option<Scope>),
}

/// A kind of study with a configuration of its own, which names it by the key `kind`.
pub struct StudyKind {
    /// The kind.
    pub name: &'static str,
    /// The game whose studies are of this kind.
    pub game: &'static str,
    /// Runs a job.
    pub run: fn(&Job) -> CommandResult,
}

/// A study to be run.
pub struct Job {
    /// The configuration: a file, or [`DEFAULT_CONFIG`] for the one that comes with the game.
    pub config: String,
    /// The game, if it is given besides the configuration.
    pub game: Option<String>,
    /// The run's folder, if it is not the default one.
    pub out: Option<PathBuf>,
    /// True to replace results of another configuration in that folder.
    pub force: bool,
    /// True for answers as JSON.
    pub json: bool,
    /// The goal.
    pub goal: Goal,
}

impl Job {
    /// Runs the study of a game.
    ///
    /// # Errors
    /// If the configuration is invalid, or a training, an evaluation or a file fails.
    pub fn run(&self) -> CommandResult {
        let game = self.game.as_deref();
        let experiment = match self.file()? {
            Some(text) => Experiment::parse(&text, game),
            None => Experiment::for_game(game.unwrap_or(registry::games()[0].name)),
        };
        let study = experiment.and_then(Study::open).map_err(|error| self.invalid(format!("{error:#}")))?;
        let scope = match self.goal {
            Goal::Train => None,
            Goal::Bench(scope) => Some(study.check_scope(scope).or_usage()?),
        };
        let experiment = study.experiment();
        let trainings = experiment.train.iter().map(|(name, config)| (format!("train.{name}"), config));
        self.check_size(&trainings.collect::<Vec<_>>(), experiment.seeds.len())?;
        let continues = |folder: &Path| study.check_continues(folder);
        let run = self.folder(&experiment.name, &study.spec()?, &experiment.strings(), &continues)?;
        match study.run(&run, scope, &*stop_flag()?)? {
            Ending::Stopped => Err(stopped(&run)),
            Ending::Trained => self.trained(experiment.game, run),
            Ending::Evaluated(results) => self.answer(run, &results.json, &terminal(&results.comparison)),
        }
    }

    /// Returns true if the job is of this kind.
    pub fn is_of(&self, kind: &StudyKind) -> bool {
        let text = std::fs::read_to_string(&self.config).unwrap_or_default();
        let named = text.parse::<toml::Table>().ok().and_then(|table| Some(table.get("kind")?.as_str()? == kind.name));
        let game = self.game.as_deref().and_then(|game| registry::find(game).ok());
        named.unwrap_or(game.is_some_and(|game| game.name == kind.game))
    }

    /// The text of the configuration; `None` for the one that comes with the game.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn file(&self) -> CommandResult<Option<String>> {
        let path = match self.config.as_str() {
            DEFAULT_CONFIG => return Ok(None),
            path => Path::new(path),
        };
        std::fs::read_to_string(path).map(Some).map_err(|error| cannot_read(path, error)).or_usage()
    }

    /// A failure that names the configuration.
    pub fn invalid(&self, reason: impl std::fmt::Display) -> Failure {
        Failure::usage(format!("{}: {reason}", self.config))
    }

    /// Checks the size of a study, and announces one that is out of the ordinary.
    ///
    /// # Errors
    /// If there are too many seeds, or a training needs more memory than the machine has.
    pub fn check_size(&self, trainings: &[(String, &TrainConfig)], seeds: usize) -> CommandResult {
        if let Some(estimate) = check_size(trainings, seeds).map_err(|error| self.invalid(error))? {
            eprintln!("{estimate}");
        }
        Ok(())
    }

    /// The run's folder, started or resumed. `named` are the house ways and paytables that the configuration names; some of
    /// them may be files. `continues` checks that the study continues the work in the folder of another configuration.
    ///
    /// # Errors
    /// If the folder holds something else, is in use, or cannot be written.
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
            eprintln!("resuming the run in {}", run.working().display());
        }
        Ok(run)
    }

    /// Returns true if the results of this job cover those in the folder of a finished run.
    fn repeats(&self, folder: &Path) -> bool {
        match self.goal {
            Goal::Train => false,
            Goal::Bench(Some(scope @ Scope::Sample)) => {
                let text = std::fs::read_to_string(folder.join(RESULTS)).unwrap_or_default();
                serde_json::from_str::<Value>(&text).is_ok_and(|results| results["scope"] == json!(scope))
            }
            Goal::Bench(_) => true,
        }
    }

    /// Reports the end of the trainings, when nothing more was asked for.
    ///
    /// # Errors
    /// If the answer cannot be written.
    pub fn trained(&self, game: &str, run: RunFolder) -> CommandResult {
        let run = run.publish()?;
        let folder = run.path();
        if self.json {
            return print_json(&json!({ "run": folder, "trained": true }));
        }
        let game = if self.game.is_some() { format!("-g {game} ") } else { String::new() };
        let (config, folder) = (&self.config, folder.display());
        print(&format!("trained; houseway bench {game}{config} --out {folder} evaluates the agents\n"))
    }

    /// Finishes a run and reports its results.
    ///
    /// # Errors
    /// If the answer cannot be written, or the run cannot take its folder.
    pub fn answer(&self, run: RunFolder, results: &Value, text: &str) -> CommandResult {
        let run = run.finish()?;
        if self.json {
            return print_json(results);
        }
        let (report, numbers) = (run.file("report.md"), run.file(RESULTS));
        print(&format!("{text}\nreport:  {}\nnumbers: {}\n", report.display(), numbers.display()))
    }
}

/// The failure of a run that was stopped before its end.
pub fn stopped(run: &RunFolder) -> Failure {
    let folder = run.working().display();
    Failure::work(format!("stopped; the same command resumes from the last step, kept in {folder}"))
}
