//! `houseway equilibrium`: optimal play against optimal play, and a comparison of methods for computing it.

mod answer;
mod differences;
mod rounds;
#[cfg(test)]
mod tests;

pub use super::runner::save_rows;
pub use answer::exact_keys;
pub use rounds::{FOLDER, History, Respond, Solving, averages, rounds, stored_rounds};

use super::runner::{WayConfig, prepare, rules_of, run, spec, unless_stopped};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions};
use crate::report::TextTable;
use crate::run::{Destination, ProgressBar, RunFolder, RunKind, RunSpec, STOPPING, stop_flag_with, with_control};
use clap::Args;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::Way;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::equilibrium::{Algorithm, Method};
use houseway_exact::pai_gow::equilibrium::Actions;
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::{ClassTable, NamedStrategy, Tabulated, WAY_PREFIX};
use houseway_exact::solver::{SolverEntry, WayAnswer};
use rounds::{chart_by_passes, chart_by_seconds, gap, gap_name, gap_title};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const ROUNDS: u32 = 40;
/// The default number of rounds in which both sides see suits.
const CLASS_ROUNDS: u32 = 10;

/// Compute an equilibrium between player and banker if both set freely, with exact bounds for its value
///
/// Computes a mixed strategy for each side in rounds, each of which evaluates all deals twice. The bounds are exact
/// because they come from best responses over all hands. An interrupted run is resumed after its last finished round.
/// To extend a finished run, use a larger --class-rounds together with --force. With a larger --rounds, the rounds that
/// see suits are played again. With --bank player, both sides pay the commission and there is no single value, so the
/// results are the exact gains of best responses (NashConv). With -g pai-gow-tiles, the value is a fraction, and only
/// rules, --threads and --json apply.
#[derive(Args)]
pub struct EquilibriumArgs {
    /// The number of rounds to play; more rounds bring the bounds closer together
    #[arg(long, value_name = "N", default_value_t = ROUNDS, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// The number of rounds after these, in which both sides also see the suits of hands for which they matter
    /// [default: 10, or 0 if the rules don't support strategy tables as opponents]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000))]
    class_rounds: Option<u32>,
    /// The party that banks, house or player; a player who banks pays the commission on every winning bet
    #[arg(long, value_name = "BANK", default_value = "house", value_parser = BankedBy::parse)]
    bank: BankedBy,
    /// The method for the rounds after the first ten: fictitious-play, linear-cfr, cfr-plus or predictive-cfr-plus;
    /// several methods, separated by commas, are compared by profile instead
    #[arg(long, value_name = "NAME", default_value = "linear-cfr", value_delimiter = ',',
          value_parser = Algorithm::parse)]
    method: Vec<Algorithm>,
    /// The house way, strategy table or trained agent that the report compares the equilibrium with, on both sides
    /// [default: trump-plaza]
    #[arg(long, value_name = "WAY")]
    way: Option<String>,
    /// The folder to write the report and the strategies to [default: runs/equilibrium, or
    /// runs/equilibrium-methods for a comparison]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl EquilibriumArgs {
    pub fn run(self) -> CommandResult {
        if let Some(twice) = self.method.iter().enumerate().find(|(i, method)| self.method[..*i].contains(method)) {
            return Err(Failure::usage(format!("--method: '{}' is listed twice", twice.1.name())));
        }
        let entry = houseway_exact::registry::find(&self.common.game.game)?;
        if entry.game != "pai-gow-poker" {
            return self.of_other_game(entry);
        }
        let (game, stop) = self.common.start("stopping: finished rounds are kept (press again to stop immediately)")?;
        match self.method[..] {
            [algorithm] => self.solve(game, algorithm, &stop),
            _ => self.compare(game, &stop),
        }
    }

    /// Solves a game that is small enough for an exact answer without rounds, strategy tables or a folder.
    fn of_other_game(&self, entry: &SolverEntry) -> CommandResult {
        let has_default_rounds = self.rounds == ROUNDS && self.class_rounds.is_none();
        let has_default_method = self.method == [Algorithm::default()] && self.bank == BankedBy::House;
        if !has_default_rounds || !has_default_method || self.way.is_some() || self.out.is_some() || self.force.force {
            let message =
                "only rules, --threads and --json apply to this game; all other options are for pai-gow-poker";
            return Err(Failure::usage(format!("{}: {message}", entry.game)));
        }
        self.common.threads.start()?;
        let solver = entry.solver(&self.common.game.solver_config(BTreeMap::new())?)?;
        let stop = stop_flag_with(STOPPING)?;
        match with_control(&stop, |control| solver.equilibrium(control))? {
            Some(answer) => self.common.output.show(&answer),
            None => Err(Failure::usage(format!("houseway equilibrium does not support the game '{}'", entry.game))),
        }
    }

    fn solve(&self, game: Game, algorithm: Algorithm, stop: &AtomicBool) -> CommandResult {
        let name = self.way.as_deref().unwrap_or(Way::DEFAULT);
        let strategies = self.common.game.strategies(&[name], &game)?;
        strategies.iter().try_for_each(NamedStrategy::check_pure).map_err(Failure::usage)?;
        if strategies.iter().any(|strategy| strategy.way().is_none()) {
            ClassTable::check_rules(&game).map_err(Failure::usage)?;
        }
        let [way] = prepare(&strategies, &game, stop)?;
        let method = Method { algorithm, ..Method::default() };
        let class_rounds = self.class_rounds(&game)?;
        let question = Question { game, bank: self.bank, rounds: self.rounds, class_rounds, method };
        let (out, inputs) = (self.out("runs/equilibrium"), self.common.game.files(vec![name]));
        let continues = |folder: &Path| question.continues(folder);
        let to = Destination { continues: &continues, ..Destination::new(&out, &inputs, self.force.force) };
        // The default house way with its default readings isn't part of the configuration.
        let has_readings = self.common.game.set.iter().any(|setting| setting.trim_start().starts_with(WAY_PREFIX));
        let other_way = Some(&way).filter(|_| name != Way::DEFAULT || has_readings);
        run(&question.spec(other_way)?, &to, &self.common.output, |run| resumable(question.answer(&way, run, stop)))
    }

    fn class_rounds(&self, game: &Game) -> Result<u32, Failure> {
        match (self.class_rounds, ClassTable::check_rules(game)) {
            (Some(rounds @ 1..), Err(error)) => {
                Err(Failure::usage(format!("--class-rounds {rounds}: {error}, or --class-rounds 0")))
            }
            (rounds, Ok(())) => Ok(rounds.unwrap_or(CLASS_ROUNDS)),
            (_, Err(_)) => Ok(0),
        }
    }

    fn compare(&self, game: Game, stop: &AtomicBool) -> CommandResult {
        if let Some(rounds) = self.class_rounds {
            return Err(Failure::usage(format!("--class-rounds {rounds}: methods are compared by profile; remove it")));
        }
        if let Some(way) = &self.way {
            return Err(Failure::usage(format!("--way {way}: methods aren't compared with a house way; remove it")));
        }
        let (rounds, bank, algorithms) = (self.rounds, self.bank, self.method.clone());
        let comparison = MethodComparison { rounds, bank, algorithms, method: Method::default(), game };
        let (out, inputs) = (self.out("runs/equilibrium-methods"), self.common.game.files(vec![]));
        let to = Destination::new(&out, &inputs, self.force.force);
        let spec = spec(RunKind::Equilibrium, &comparison, comparison.game.rules().hash())?;
        run(&spec, &to, &self.common.output, |run| resumable(comparison.answer(run, stop)))
    }

    fn out(&self, default: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| default.into())
    }
}

/// Explains how a stopped run is resumed.
fn resumable<A>(answer: anyhow::Result<A>) -> anyhow::Result<A> {
    let stopped = || Failure::work("stopped; run the same command again to resume after the last finished round");
    Ok(unless_stopped(answer)?.ok_or_else(stopped)?)
}

#[derive(Serialize)]
pub struct Question {
    /// The number of rounds in which both sides only see profiles. Each round evaluates both sides.
    pub rounds: u32,
    /// The number of rounds after these, in which both sides see the suits of hands for which they matter. Must be 0
    /// unless the rules support tables over classes.
    #[serde(skip_serializing_if = "is_zero")]
    pub class_rounds: u32,
    #[serde(skip_serializing_if = "is_house")]
    pub bank: BankedBy,
    pub method: Method,
    #[serde(serialize_with = "rules_of")]
    pub game: Game,
}

#[derive(Serialize)]
struct EquilibriumConfig<'a> {
    #[serde(flatten)]
    question: &'a Question,
    #[serde(skip_serializing_if = "Option::is_none")]
    way: Option<WayConfig>,
}

fn is_zero(rounds: &u32) -> bool {
    *rounds == 0
}

/// Returns `true` for the default bank, which configurations leave out.
fn is_house(bank: &BankedBy) -> bool {
    *bank == BankedBy::House
}

impl Question {
    /// Returns the spec of the run. `way` is the house way that the report compares with, unless it is the default.
    fn spec(&self, way: Option<&Tabulated>) -> io::Result<RunSpec> {
        let config = EquilibriumConfig { question: self, way: way.map(WayConfig::from) };
        spec(RunKind::Equilibrium, &config, self.game.rules().hash())
    }

    fn continues(&self, folder: &Path) -> Result<(), String> {
        match stored_rounds(&folder.join(FOLDER), self) {
            Some(_) => Ok(()),
            None => Err("; only a larger number of rounds can continue it".to_owned()),
        }
    }
}

/// The reason why predictive CFR+ can fall back.
const PREDICTIONS: &str = " This method plays as if the regrets of the last round occurred once more. As long as this \
    prediction is right, the sums of regrets shrink. Where they are small, the last round alone decides which settings are \
    played, and the mixtures change abruptly. This instability is known (Farina et al., *Regret Matching+: (In)Stability \
    and Fast Convergence in Games*, 2023).";

/// Returns the largest increase of a gap, as two rounds with their gaps. Returns `None` if it never grows to twice its
/// size.
fn setback(gaps: &[f64]) -> Option<[(usize, f64); 2]> {
    let rounds = || gaps.iter().copied().enumerate().map(|(i, gap)| (i + 1, gap));
    let before = |round: usize| rounds().take(round).min_by(|a, b| a.1.total_cmp(&b.1));
    let increases = rounds().filter_map(|(round, gap)| Some([before(round)?, (round, gap)]));
    let largest = increases.max_by(|a, b| (a[1].1 / a[0].1).total_cmp(&(b[1].1 / b[0].1)))?;
    (largest[1].1 >= 2.0 * largest[0].1).then_some(largest)
}

/// A comparison of methods on the same game. All of them start with the same rounds of fictitious play.
#[derive(Serialize)]
struct MethodComparison {
    rounds: u32,
    #[serde(skip_serializing_if = "is_house")]
    bank: BankedBy,
    /// The algorithms for the rounds after the common ones.
    #[serde(rename = "methods")]
    algorithms: Vec<Algorithm>,
    /// The settings that all methods share.
    method: Method,
    #[serde(serialize_with = "rules_of")]
    game: Game,
}

impl MethodComparison {
    fn question(&self, algorithm: Algorithm, rounds: u32) -> Question {
        let method = Method { algorithm, ..self.method };
        Question { game: Game::new(self.game.rules()), bank: self.bank, rounds, class_rounds: 0, method }
    }

    /// Plays all rounds of each method and writes the results to a run's folder. Finished rounds are kept if the run is
    /// stopped.
    fn answer(&self, run: &RunFolder, stop: &AtomicBool) -> anyhow::Result<WayAnswer> {
        let actions = Actions::new(&self.game);
        let bar = ProgressBar::new("fictitious play", "hands");
        let play = |question: &Question, name: &str, start| {
            let folder = run.file(FOLDER).join(name);
            rounds(question, &actions, &folder, start, &Solving { bar: &bar, stop }, &mut |_| Ok(None))
        };
        let common = self.method.fictitious_rounds.min(self.rounds);
        let start = play(&self.question(Algorithm::FictitiousPlay, common), "start", None)?;
        let mut played = vec![];
        for &algorithm in &self.algorithms {
            bar.label(algorithm.label());
            let (history, _) = play(&self.question(algorithm, self.rounds), algorithm.name(), Some(&start))?;
            played.push((algorithm, history));
        }
        drop(bar);
        let tables = vec![("methods.csv", self.rows(&played))];
        Ok(WayAnswer { answer: self.answer_of(&played), files: vec![], tables })
    }

    fn answer_of(&self, played: &[(Algorithm, History)]) -> Answer {
        let curves: Vec<(&str, &History)> =
            played.iter().map(|(algorithm, history)| (algorithm.label(), history)).collect();
        let title = gap_title(self.bank);
        let introduction = Section::default().detail().text(format!(
            "Each method computes strategies for the player and the banker in rounds of two passes over all deals. All of them \
             begin with the same {} rounds of fictitious play. A strategy and its best response look only at profiles, so that \
             the figures compare the methods and not the value of suits.",
            self.method.fictitious_rounds,
        ));
        let last = |history: &History| history.values.last().map_or(f64::NAN, |&values| gap(values, self.bank));
        let ends = curves.iter().map(|&(label, history)| (label, last(history)));
        let (best, width) =
            ends.min_by(|a, b| a.1.total_cmp(&b.1)).expect("the command line requires at least one method");
        let by_passes = chart_by_passes(self.bank, &curves, None)
            .named("methods-by-passes", format!("{title} by the number of passes"));
        let by_seconds = chart_by_seconds(self.bank, &curves, None)
            .named("methods-by-seconds", format!("{title} by processor seconds"));
        let summary = Section::default()
            .text(format!("**After all rounds, {best} has the smallest {}: {width:.2e} stakes.**", gap_name(self.bank)))
            .table(self.table(&curves))
            .text(self.setbacks_text(played))
            .figure(by_passes)
            .figure(by_seconds);
        let passes = Section::default().detail().text(
            "A round has the same two passes with every method, so that the number of passes is a measure that doesn't depend on \
             the machine. The numbers after each round are in [tables/methods.csv](tables/methods.csv).",
        );
        let mut methods = vec![];
        for (algorithm, history) in played {
            methods.push(json!({ "name": algorithm.name(), "by_round": history.gaps(self.bank) }));
        }
        let json = json!({
            "rules": self.game.rules(),
            "rules_hash": self.game.rules().hash(),
            "bank": self.bank,
            "rounds": self.rounds,
            "measure": gap_name(self.bank),
            "method": self.method,
            "methods": methods,
        });
        Answer::new(json, [introduction, summary, passes]).titled("Methods for computing an equilibrium")
    }

    fn setbacks_text(&self, played: &[(Algorithm, History)]) -> String {
        let name = gap_name(self.bank);
        let mut setbacks = vec![];
        for (algorithm, history) in played {
            let Some([(low_round, low), (high_round, high)]) = setback(&history.gaps(self.bank)) else { continue };
            let reason = if *algorithm == Algorithm::PredictiveCfrPlus { PREDICTIONS } else { "" };
            setbacks.push(format!(
                "With {}, the {name} grows from {low:.2e} after round {low_round} to {high:.2e} after round {high_round}.{reason}",
                algorithm.label(),
            ));
        }
        match setbacks.is_empty() {
            true => format!("No method's {name} grows to twice its size from one round to a later one."),
            false => setbacks.join(" "),
        }
    }

    /// Returns a table with the gap after every fifth round and after the last one. If there are many rounds, it has
    /// fewer of them, to fit on a terminal.
    fn table(&self, curves: &[(&str, &History)]) -> TextTable {
        let rounds = self.rounds as usize;
        let every = 5 * rounds.div_ceil(25).max(1);
        let shown: Vec<usize> = (1..=rounds).filter(|&round| round % every == 0 || round == rounds).collect();
        let header = shown.iter().map(|round| format!("round {round}"));
        let row = |(label, history): &(&str, &History)| -> Vec<String> {
            let gaps = history.gaps(self.bank);
            let cells = shown.iter().map(|round| format!("{:.2e}", gaps[round - 1]));
            [(*label).to_owned()].into_iter().chain(cells).collect()
        };
        TextTable::new(["method".to_owned()].into_iter().chain(header)).right_from(1).rows(curves.iter().map(row))
    }

    fn rows(&self, played: &[(Algorithm, History)]) -> Vec<Vec<String>> {
        let mut rows = vec![["method", "round", "passes", gap_name(self.bank)].map(str::to_owned).to_vec()];
        for (algorithm, history) in played {
            for (i, gap) in history.gaps(self.bank).into_iter().enumerate() {
                let (round, passes) = (i + 1, 2 * (i + 1));
                rows.push(vec![algorithm.name().to_owned(), round.to_string(), passes.to_string(), gap.to_string()]);
            }
        }
        rows
    }
}
