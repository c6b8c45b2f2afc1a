//! Experiments on Ultimate Texas Hold'em.

use super::{ExperimentOptions, stopped};
use crate::bench::Exact;
use crate::cli::{Failure, OrUsage, Outcome, print, print_json};
use crate::run::{Provenance, RunFolder, Started, config_text, load_config, stop_flag};
use crate::ultimate_holdem::{Experiment, Lab, RESULTS, whole};
use houseway_env::ultimate_holdem::Game;
use serde_json::json;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Its name in the registry.
pub(super) const GAME: &str = "ultimate-holdem";

/// Trains the agents of a configuration.
pub(super) fn train(options: &ExperimentOptions) -> Outcome {
    with_lab(options, |lab, stop| {
        if lab.train(stop)?.is_none() {
            return Err(stopped(lab.run().path()));
        }
        if options.output.json {
            return print_json(&json!({ "run": lab.run().path(), "trained": true }));
        }
        let folder = lab.run().path().display();
        print(&format!("trained; houseway bench -g {GAME} {} --out {folder} measures the agents\n", options.config))
    })
}

/// Trains what is not trained yet, and measures all agents.
pub(super) fn bench(options: &ExperimentOptions, exact: Exact) -> Outcome {
    with_lab(options, |lab, stop| {
        let Some(agents) = lab.train(stop)? else { return Err(stopped(lab.run().path())) };
        let results = lab.score(&agents, exact == Exact::Whole, stop)?;
        results.save(lab)?;
        if options.output.json {
            return print_json(&serde_json::to_value(&results).map_err(Failure::work)?);
        }
        let (report, numbers) = (lab.run().file("report.md"), lab.run().file(RESULTS));
        print(&format!("{}\nreport:  {}\nnumbers: {}\n", results.terminal(), report.display(), numbers.display()))
    })
}

fn with_lab(options: &ExperimentOptions, work: impl FnOnce(&Lab<'_>, &AtomicBool) -> Outcome) -> Outcome {
    options.threads.start()?;
    let experiment: Experiment = load_config(Path::new(&options.config)).or_usage()?;
    experiment.check().map_err(|text| Failure::usage(format!("{}: {text}", options.config)))?;
    let config = config_text(&experiment)?;
    let provenance = Provenance::new(&config, experiment.seeds.clone(), experiment.rules_hash());
    let default = Path::new("results").join(&experiment.name);
    let (run, started) = RunFolder::start(options.out.as_deref().unwrap_or(&default), provenance, &config)?;
    if started == Started::Resumed {
        eprintln!("going on with the run in {}", run.path().display());
    }
    let stop = stop_flag()?;
    let game = Game::new(experiment.rules.clone());
    let whole = whole(&game);
    let lab = Lab::open(experiment, run, &game, &whole, &stop)?;
    work(&lab, &stop)
}
