//! The commands about finished runs: `houseway report`, `houseway stats` and `houseway verify`.

use crate::console::{CommandResult, Failure, ForceOptions, OutputOptions};
use crate::plot::{self, Axis, Figure, LineChart, Series};
use crate::report::rebuild;
use crate::run::{Output, PROVENANCE, RunFolder, VerifiedRun, cannot_read, check_outputs, notice, verify_run};
use crate::stats::{Bootstrap, Comparison, Improvement, StatsTask, read_scores};
use clap::Args;
use houseway_exact::answer::{Answer, Section, TextTable};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Rebuild a run's plots and report from the data in its folder
#[derive(Args)]
pub struct ReportArgs {
    /// The run's folder, such as runs/quick
    run: PathBuf,
    #[command(flatten)]
    output: OutputOptions,
}

impl ReportArgs {
    pub fn run(self) -> CommandResult {
        let run = RunFolder::open(&self.run).map_err(Failure::usage)?;
        let plots = run.redraw(|| rebuild(&run))?;
        let report = run.file("report.md");
        let json = json!({ "run": self.run, "report": report, "plots": plots });
        self.output.print(&json, &format!("{}\nplots drawn: {}\n", report.display(), plots.len()))
    }
}

/// The minimum number of runs for a reliable interval.
const ENOUGH_RUNS: usize = 10;

const MAX_SAMPLES: u64 = 1_000_000;

/// Compare methods over all seeds of several runs using interquartile means, intervals and probabilities of improvement
///
/// The score of a trained agent is its regret in results.json, and a method is the name of a training run. The
/// statistics follow Agarwal et al. (NeurIPS 2021, arXiv:2108.13264): the interquartile mean with its 95% interval from
/// a bootstrap stratified by game, the probability that a run with one method has a lower regret than a run with
/// another, and the performance profile.
#[derive(Args)]
pub struct StatsArgs {
    /// The folders of evaluated runs, such as runs/quick; runs with the same game, rules, opponents and options form
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
    pub fn run(self) -> CommandResult {
        let file = |stem: &PathBuf, end| Output::new("--plot", stem.with_added_extension(end));
        let files = |stem| ["png", "svg", "csv", "toml"].map(|end| file(stem, end));
        let outputs: Vec<Output> = self.plot.iter().flat_map(files).collect();
        let _outputs = check_outputs(&outputs, &[], self.force.force).map_err(Failure::usage)?;
        let scores = read_scores(&self.runs).map_err(|error| Failure::usage(format!("{error:#}")))?;
        let bootstrap = Bootstrap { samples: self.samples as usize, seed: self.seed };
        let comparison = Comparison::new(&scores, bootstrap).map_err(Failure::usage)?;
        if let Some(few) =
            comparison.methods.iter().map(|method| method.runs()).min().filter(|&runs| runs < ENOUGH_RUNS)
        {
            notice(&format!(
                "a method has {few} runs; intervals of fewer than {ENOUGH_RUNS} runs are too narrow; add more seeds to \
                 the configuration"
            ));
        }
        if comparison.tasks.iter().any(|task| task.scope == "sample") {
            notice("these regrets come from samples; the intervals are about the seeds and don't contain that error");
        }
        if let Some(stem) = &self.plot {
            plot::save(&figure(&comparison), stem, "--plot")?;
        }
        self.output.show(&Answer::new(comparison.json(), [section(&comparison)]))
    }
}

fn interval(ci: Option<[f64; 2]>, write: impl Fn(f64) -> String) -> String {
    match ci {
        None => "one run".to_owned(),
        // A bootstrap knows no other runs than these, so its interval would be a single point.
        Some([low, high]) if low == high => "not estimable".to_owned(),
        Some([low, high]) => format!("{} to {}", write(low), write(high)),
    }
}

fn section(comparison: &Comparison) -> Section {
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
        "Regret per round, in units of each game's bet (its ante, if it has one), for {}. IQM is the interquartile mean over \
         seeds and games{}. Its interval comes from a bootstrap stratified by game.",
        names.join(", "),
        if tasks.len() > 1 { ", whose regrets are not normalized" } else { "" }
    );
    let mut section = Section::default().text(about).table(methods);
    if !comparison.improvements.is_empty() {
        let percent = |value: f64| format!("{:.1}%", 100.0 * value);
        let mut table = TextTable::new(["method", "has less regret than", "probability", "95% interval"]).right_from(2);
        for Improvement { method, over, probability, ci } in &comparison.improvements {
            table = table.row([method.clone(), over.clone(), percent(*probability), interval(*ci, percent)]);
        }
        section = section.table(table).text("Two runs with equal regret count as half.");
    }
    let mut intervals =
        comparison.methods.iter().map(|method| method.ci).chain(comparison.improvements.iter().map(|pair| pair.ci));
    if intervals.any(|ci| ci.is_some_and(|[low, high]| low == high)) {
        section = section.text("An interval is not estimable if all resamples of the runs give the same number.");
    }
    section
}

fn figure(comparison: &Comparison) -> Figure {
    let x = Axis::new("regret of a round, in units of the game's bet").log();
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

/// Compare the files of runs with the checksums in their manifests
///
/// Every finished run lists the SHA-256 of its files in manifest.json. This shows accidents, such as damaged disks,
/// incomplete copies and careless edits. It can't prove who wrote the files, because anyone can write a new manifest. Runs
/// of earlier versions have no manifest. Weights, checkpoints, strategies and second copies of plots and metrics, which
/// published runs may lack, are omitted and not missing.
#[derive(Args)]
pub struct VerifyArgs {
    /// A run's folder, such as runs/quick, or a folder that contains runs
    folder: PathBuf,
    #[command(flatten)]
    output: OutputOptions,
}

impl VerifyArgs {
    pub fn run(self) -> CommandResult {
        let mut runs = vec![];
        find_runs(&self.folder, &mut runs).map_err(Failure::usage)?;
        if runs.is_empty() {
            let folder = self.folder.display();
            return Err(Failure::usage(format!("{folder} contains no runs: there is no {PROVENANCE}")));
        }
        let (mut documents, mut text, mut verified, mut failed) = (vec![], String::new(), 0, 0);
        for run in &runs {
            let result = verify_run(run);
            let has_manifest = !matches!(&result, Ok(None));
            let is_whole = matches!(&result, Ok(Some(found)) if found.is_whole());
            verified += usize::from(is_whole);
            failed += usize::from(has_manifest && !is_whole);
            text += &format!("{}: {}", run.display(), described(&result));
            let error = result.as_ref().err().map(io::Error::to_string);
            let mut document = json!(result.unwrap_or_default().unwrap_or_default());
            document["run"] = json!(run);
            document["manifest"] = has_manifest.into();
            if let Some(error) = error {
                document["error"] = error.into();
            }
            documents.push(document);
        }
        let is_verified = failed == 0 && verified > 0;
        self.output.print(&json!({ "verified": is_verified, "runs": documents }), &text)?;
        match (failed, verified) {
            (0, 0) => Err(Failure::work(
                "nothing could be verified, because the runs have no manifest; run them again to get one",
            )),
            (0, _) => Ok(()),
            _ => Err(Failure::work(format!("{failed} of {} runs differ from their manifests", runs.len()))),
        }
    }
}

/// Describes what was found in a run, in one line and a line for each file that differs.
fn described(result: &io::Result<Option<VerifiedRun>>) -> String {
    let found = match result {
        Err(error) => return format!("{error}\n"),
        Ok(None) => return "no manifest; it was written by an earlier version or isn't finished\n".to_owned(),
        Ok(Some(found)) => found,
    };
    let mut text = format!("{} files are as recorded", found.verified);
    for (files, what) in [
        (&found.changed, "changed"),
        (&found.missing, "missing"),
        (&found.omitted, "omitted"),
        (&found.others, "not part of the run"),
    ] {
        if !files.is_empty() {
            text += &format!(", {} {what}", files.len());
        }
    }
    text.push('\n');
    for (files, what) in
        [(&found.changed, "changed"), (&found.missing, "missing"), (&found.others, "not part of the run")]
    {
        files.iter().for_each(|file| text += &format!("  {what}: {file}\n"));
    }
    text
}

/// Adds the sorted folders of runs in a folder, which may be one itself. Links and the hidden folders of unfinished runs
/// are left out.
fn find_runs(folder: &Path, runs: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.join(PROVENANCE).exists() {
        runs.push(folder.to_owned());
    }
    let failed = |error| cannot_read(folder, error);
    let mut folders = vec![];
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if entry.file_type().map_err(failed)?.is_dir() && !is_hidden {
            folders.push(entry.path());
        }
    }
    folders.sort();
    folders.iter().try_for_each(|folder| find_runs(folder, runs))
}
