//! Implementation of `houseway stats`.

use crate::console::{CommandResult, Failure, ForceOptions, OrUsage, OutputOptions, print, print_json};
use crate::plot::{self, Axis, Figure, LineChart, Series};
use crate::report::{terminal, wrapped};
use crate::run::{Output, check_outputs, notice};
use crate::stats::{Bootstrap, Comparison, Improvement, RunScores, StatsTask};
use clap::Args;
use houseway_exact::answer::TextTable;
use std::path::PathBuf;

/// The minimum number of runs for a reliable interval.
const ENOUGH_RUNS: usize = 10;

/// The maximum number of bootstrap resamples.
const MAX_SAMPLES: u64 = 1_000_000;

/// Compare methods over all seeds of several runs using interquartile means, intervals and probabilities of improvement
///
/// The score of a trained agent is its regret in results.json, and a method is the name of a training run. The
/// statistics follow Agarwal et al. (NeurIPS 2021, arXiv:2108.13264): the interquartile mean with its 95% interval from
/// a bootstrap stratified by game, the probability that a run with one method has a lower regret than a run with
/// another, and the performance profile.
///
/// JSON: {"metric": "regret", "tasks": [{"game", "environment_hash", "options"}], "methods": [{"name", "runs", "iqm", "ci": [low, high]
/// or null, "mean", "min", "max", "scores": a row for each run and a column for each task, "profile", "profile_ci"}],
/// "improvements": [{"method", "over", "probability", "ci"}], "profile_regrets", "score_dict"}. "score_dict" contains the
/// negated regrets of all methods, in the format that the Python package rliable reads.
#[derive(Args)]
pub struct StatsArgs {
    /// The folders of evaluated runs, such as results/quick; runs with the same game, rules, opponents and options form
    /// one task
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The number of bootstrap resamples
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(100..=MAX_SAMPLES))]
    samples: u64,
    /// The seed for the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Draw the performance profile as STEM.png and STEM.svg, with its data in STEM.csv and STEM.toml
    #[arg(long, value_name = "STEM")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl StatsArgs {
    pub(super) fn run(self) -> CommandResult {
        let file = |stem: &PathBuf, end: &str| Output::new("--plot", format!("{}.{end}", stem.display()));
        let files = |stem| ["png", "svg", "csv", "toml"].map(|end| file(stem, end));
        let outputs: Vec<Output> = self.plot.iter().flat_map(files).collect();
        let _outputs = check_outputs(&outputs, &[], self.force.force).or_usage()?;
        let scores = RunScores::read(&self.runs).map_err(|error| Failure::usage(format!("{error:#}")))?;
        let bootstrap = Bootstrap { samples: self.samples as usize, seed: self.seed };
        let comparison = Comparison::new(&scores, bootstrap).or_usage()?;
        if let Some(few) =
            comparison.methods.iter().map(|method| method.runs()).min().filter(|&runs| runs < ENOUGH_RUNS)
        {
            notice(&format!(
                "a method has {few} runs; intervals of fewer than {ENOUGH_RUNS} runs are too narrow; add more seeds to \
                 the configuration"
            ));
        }
        if let Some(stem) = &self.plot {
            plot::save(&figure(&comparison), stem)?;
        }
        if self.output.json {
            return print_json(&comparison.json());
        }
        print(&text(&comparison))
    }
}

fn interval(ci: Option<[f64; 2]>, write: impl Fn(f64) -> String) -> String {
    ci.map_or("one run".to_owned(), |[low, high]| format!("{} to {}", write(low), write(high)))
}

fn text(comparison: &Comparison) -> String {
    let regret = |value: f64| format!("{value:.7}");
    let mut methods =
        TextTable::new(["method", "runs", "regret, IQM", "95% interval", "lowest", "highest"]).right_from(1);
    for method in &comparison.methods {
        let [low, high] = method.range();
        let ci = interval(method.ci, regret);
        methods = methods.row([
            method.name.clone(),
            method.runs().to_string(),
            regret(method.iqm),
            ci,
            regret(low),
            regret(high),
        ]);
    }
    let tasks = &comparison.tasks;
    let name = |task: &StatsTask| match tasks.iter().filter(|other| other.game == task.game).count() {
        1 => task.game.clone(),
        _ => task.to_string(),
    };
    let names: Vec<String> = tasks.iter().map(name).collect();
    let about = format!(
        "Regret per round, in units of the stake, for {}. IQM is the interquartile mean over seeds and games. Its interval \
         comes from a bootstrap stratified by game.",
        names.join(", ")
    );
    let mut text = format!("{}\n{}", wrapped(&about), terminal(&methods));
    if !comparison.improvements.is_empty() {
        let percent = |value: f64| format!("{:.1}%", 100.0 * value);
        let mut table = TextTable::new(["method", "has less regret than", "probability", "95% interval"]).right_from(2);
        for Improvement { method, over, probability, ci } in &comparison.improvements {
            table = table.row([method.clone(), over.clone(), percent(*probability), interval(*ci, percent)]);
        }
        text += &format!("\n{}", terminal(&table));
    }
    text
}

/// Creates a figure with the performance profiles of all methods.
fn figure(comparison: &Comparison) -> Figure {
    let x = Axis::new("regret of a round, in units of the stake").log();
    let mut chart = LineChart::new(x, Axis::new("fraction of the runs with at most this regret").from_zero());
    for method in &comparison.methods {
        let points = comparison.regrets.iter().copied().zip(method.profile.iter().copied()).collect();
        let band = method.profile_ci.iter().flatten().map(|[low, high]| (*low, *high)).collect();
        chart = chart.with(Series::new(&method.name, points).band(band));
    }
    let runs = comparison.methods.iter().map(|method| method.runs()).min().unwrap_or(0);
    Figure::new("Performance profile", chart)
        .note(format!("at least {runs} runs per method and game; band: 95% intervals"))
}
