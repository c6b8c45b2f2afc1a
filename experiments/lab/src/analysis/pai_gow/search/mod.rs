//! `houseway search`: short house ways, and the best changes to single rules of a sheet.

mod answer;

use super::runner::{AskedWays, WayConfig, run, sides, spec, unless_stopped, with_progress};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions};
use crate::run::{
    Destination, Output, ProgressBar, RESULTS, RunFolder, RunKind, RunSpec, check_outputs, json_text, make_folder,
    notice, read_state, remove, with_control, write_atomic,
};
use answer::{Findings, Known, changes_answer, file_of};
use clap::Args;
use houseway_env::pai_gow::house_way::{CASINOS, HouseWay, PUBLISHED, Way};
use houseway_env::pai_gow::{Game, Rules, Strategy};
use houseway_env::rules::RuleSet;
use houseway_env::seal::Seal;
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::search::{Objective, OpponentSearch, OpponentState, Problem, Word, loss, mean};
use houseway_exact::pai_gow::whole::{Cancelled, Pass, Play, Side};
use houseway_exact::pai_gow::{BankerTable, PowerRating, load_ways};
use houseway_exact::solver::{SolverEntry, WayAnswer, WayQuestion};
use serde::Serialize;
use serde_json::{Value, json};
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const STATE: &str = "search.json";
const SEAL: Seal = Seal::new("houseway-search", 4).of_one_version();
/// The beginning of the first line of a changed sheet with comments.
const KEPT_COMMENTS: &str = "# Changed by houseway search --fix; the following comments are those of ";
const MAX_RULES: usize = 40;
/// The maximum number of lists to keep for each length.
const MAX_WIDTH: usize = 64;

/// Search for short house ways: the best list of rules of each length, with its exact EV
///
/// Writes each list as a file that every command accepts as a house way, and a report with the rules as sentences, the
/// value of each rule, and the cost of moving its limits. With --fix, finds the best changes to single rules of a sheet
/// instead. With -g pai-gow-tiles, also fits a rating of halves, and only --length, --banker, --width, --out, --force,
/// rules, --threads and --json apply.
#[derive(Args)]
pub struct SearchArgs {
    /// The number of rules, or a range such as 4..12 [default: 3..24, or 4..8 for other games than pai-gow-poker]
    #[arg(long, value_name = "N", value_parser = parse_range)]
    length: Option<RangeInclusive<usize>>,
    /// The maximum number of bounds in all rules together, i.e. ends of ranges that exclude something and minimum
    /// fronts
    #[arg(long, value_name = "B")]
    bounds: Option<usize>,
    /// The side that the lists set for
    #[arg(long = "as", value_name = "SIDE", default_value = "player", value_parser = sides())]
    side: Side,
    /// The other side's house ways, by name or file, separated by commas
    #[arg(long, value_name = "WAY", visible_alias = "against", value_delimiter = ',', default_value = Way::DEFAULT)]
    banker: Vec<String>,
    /// The loss to minimize against several house ways, "mean" or "worst"
    #[arg(long, value_name = "OBJECTIVE", default_value_t = Objective::Mean, value_parser = parse_objective, conflicts_with = "fix")]
    objective: Objective,
    /// The maximum average number of words per rule
    #[arg(long, value_name = "N", default_value_t = 35, value_parser = clap::value_parser!(u8).range(10..))]
    max_words: u8,
    /// The words that rules may use in addition to shapes and ranks, separated by commas [default: all]
    #[arg(long, value_name = "WORD", value_delimiter = ',', value_parser = parse_word)]
    words: Vec<Word>,
    /// The number of lists to keep for each length; larger values find better lists but take longer
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = parse_width)]
    width: usize,
    /// Also evaluate the lists against other opponents, for the other side and under other rules, in one pass each
    #[arg(long)]
    robust: bool,
    /// Change single rules of this sheet instead, given as the name or file of a house way
    #[arg(long, value_name = "SHEET", conflicts_with_all = ["length", "robust"])]
    fix: Option<String>,
    /// The maximum number of changes with --fix, each of which replaces, adds, removes or moves a rule [default: 1]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=8))]
    change: Option<u8>,
    /// The folder to write the report to [default: runs/search/player or banker]; with --fix, the file to write the
    /// changed sheet to
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

fn parse_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|n| (1..=MAX_RULES).contains(n));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err(format!("expected a number of rules from 1 to {MAX_RULES}, or a range like 4..12")),
    }
}

fn parse_word(text: &str) -> Result<Word, String> {
    text.parse().map_err(|_| format!("expected one of {}", Word::NAMES.join(", ")))
}

fn parse_objective(text: &str) -> Result<Objective, String> {
    text.parse().map_err(|_| format!("expected one of {}", Objective::NAMES.join(", ")))
}

fn parse_width(text: &str) -> Result<usize, String> {
    let width = text.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
    width.ok_or_else(|| format!("expected a number from 1 to {MAX_WIDTH}"))
}

impl SearchArgs {
    pub fn run(self) -> CommandResult {
        // Clap doesn't check this if an option excludes --fix.
        if self.change.is_some() && self.fix.is_none() {
            return Err(Failure::usage("--change limits the changes to a sheet; name the sheet with --fix"));
        }
        let entry = houseway_exact::registry::find(&self.common.game.game)?;
        if entry.game != "pai-gow-poker" {
            return self.of_other_game(entry);
        }
        let (game, stop) = self.common.start("stopping: finished steps are kept (press again to stop immediately)")?;
        let names: Vec<&str> = self.banker.iter().chain(&self.fix).map(String::as_str).collect();
        let ways = load_ways(&names, &self.common.game.set)?;
        let ways = ways.into_iter().map(|way| HouseWay::compile(way, &game).map_err(Failure::usage));
        let mut ways: Vec<HouseWay> = ways.collect::<Result<_, _>>()?;
        let sheet = self.fix.as_ref().and_then(|_| ways.pop());
        let question = Question {
            problem: Problem {
                side: self.side,
                opponents: ways.into_iter().map(Arc::new).collect(),
                objective: self.objective,
                bounds: self.bounds,
                words_per_rule: self.max_words.into(),
                words: if self.words.is_empty() { Word::ALL.to_vec() } else { self.words.clone() },
                width: self.width,
                game,
            },
            rules: self.length.clone().unwrap_or(3..=24),
            robust: self.robust,
        };
        let inputs = self.common.game.files(names);
        if let (Some(sheet), Some(name)) = (sheet, &self.fix) {
            return self.fix(&question, &sheet, &Way::text(name).map_err(Failure::usage)?, &inputs, &stop);
        }
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from("runs/search").join(self.side.name()));
        let to = Destination::new(&folder, &inputs, self.force.force);
        run(&question.spec()?, &to, &self.common.output, |run| question.answer(run, &folder, &stop))
    }

    /// Searches in a game that is small enough for its solver to do all the work at once.
    fn of_other_game(&self, entry: &SolverEntry) -> CommandResult {
        let has_default_limits = self.bounds.is_none() && self.words.is_empty() && self.max_words == 35;
        let has_default_problem = self.side == Side::Player && self.objective == Objective::Mean;
        if !has_default_limits || !has_default_problem || self.robust || self.fix.is_some() {
            let message = "only --length, --banker, --width, --out, --force, rules, --threads and --json apply to this game; \
                           all other options are for pai-gow-poker";
            return Err(Failure::usage(format!("{}: {message}", entry.game)));
        }
        self.common.threads.start()?;
        let banker = self.banker.join(",");
        let options = (banker != Way::DEFAULT).then(|| ("banker".to_owned(), banker));
        let Some(asked) = AskedWays::of(&self.common.game, options.into_iter().collect())? else {
            return Err(Failure::usage(format!("houseway search does not support the game '{}'", entry.game)));
        };
        let question = WayQuestion::Search { length: self.length.clone().unwrap_or(4..=8), width: self.width };
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from("runs/search").join(entry.game));
        asked.run(&question, &folder, self.force.force, &self.common.output)
    }

    fn fix(
        &self,
        question: &Question,
        sheet: &HouseWay,
        text: &str,
        inputs: &[PathBuf],
        stop: &AtomicBool,
    ) -> CommandResult {
        let outputs: Vec<Output> = self.out.iter().map(|path| Output::new("--out", path)).collect();
        let _outputs = check_outputs(&outputs, inputs, self.force.force).map_err(Failure::usage)?;
        let begin = |number| notice(&format!("changes of {number} of {} rules", sheet.survey().rules.len()));
        let changes = self.change.unwrap_or(1).into();
        let found = with_control(stop, |control| question.problem.fix(sheet, text, changes, control, begin));
        let changes = unless_stopped(found.map_err(Into::into))?.ok_or_else(|| Failure::work("stopped"))?;
        if let (Some(path), Some(way)) = (&self.out, changes.ways.last()) {
            // Its comments are kept, and may be about what has changed.
            let is_noted = !way.toml.starts_with('#') || way.toml.starts_with(KEPT_COMMENTS);
            let note = if is_noted { String::new() } else { format!("{KEPT_COMMENTS}{}.\n", sheet.name()) };
            write_atomic(path, note + &way.toml)?;
        }
        self.common.output.show(&changes_answer(question, sheet.name(), &changes, self.out.as_deref()))
    }
}

/// The question that a search answers: a problem, and the range of lists to return.
struct Question {
    problem: Problem,
    rules: RangeInclusive<usize>,
    /// `true` if the lists are also evaluated against other opponents, for the other side, and under other rules.
    robust: bool,
}

#[derive(Serialize)]
struct SearchConfig {
    side: &'static str,
    rules: [usize; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<usize>,
    words_per_rule: usize,
    words: Vec<Word>,
    width: usize,
    robust: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    objective: Option<Objective>,
    game: Rules,
    opponent: Vec<WayConfig>,
}

impl Question {
    fn opponents(&self) -> Vec<WayConfig> {
        self.problem.opponents.iter().map(|way| WayConfig::from(&**way)).collect()
    }

    fn spec(&self) -> io::Result<RunSpec> {
        let problem = &self.problem;
        let config = SearchConfig {
            side: problem.side.name(),
            rules: [*self.rules.start(), *self.rules.end()],
            bounds: problem.bounds,
            words_per_rule: problem.words_per_rule,
            words: problem.words.clone(),
            width: problem.width,
            robust: self.robust,
            objective: (problem.opponents.len() > 1).then_some(problem.objective),
            game: problem.game.rules(),
            opponent: self.opponents(),
        };
        spec(RunKind::Search, &config, problem.game.rules().hash())
    }

    /// Runs the search, evaluates the resulting lists over all deals, and writes them to the run's folder, which will be
    /// `folder`. Finished steps are kept if it is stopped.
    fn answer(&self, run: &RunFolder, folder: &Path, stop: &AtomicBool) -> anyhow::Result<WayAnswer> {
        let problem = &self.problem;
        let spaces = with_control(stop, |control| problem.spaces(None, control))?;
        let search = OpponentSearch::new(&spaces, problem.objective, problem.limits());
        let state = self.find(&search, run, stop)?;
        let findings = self.verify(&search, &state, stop)?;
        make_folder(&run.file("ways"))?;
        for list in &findings.lists {
            write_atomic(&run.file(&file_of(list)), &list.toml)?;
        }
        // The results in the folder name files relative to it.
        let results = json_text(&findings.json(Path::new("")))?;
        write_atomic(&run.file(RESULTS), &results)?;
        // A finished search has nothing left to resume. A search for lists with a single rule has no steps and never
        // wrote a state.
        remove(&run.file(STATE))?;
        Ok(WayAnswer { files: vec![(RESULTS.to_owned(), results)], ..findings.answer(folder).into() })
    }

    fn find(&self, search: &OpponentSearch<'_>, run: &RunFolder, stop: &AtomicBool) -> anyhow::Result<OpponentState> {
        let stored = read_state(run.working(), STATE, |bytes| {
            let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
            SEAL.open(text).map_err(|error| error.to_string())
        })?;
        let mut state: OpponentState = stored.unwrap_or_default();
        if state.steps > 0 {
            notice("resuming the search");
        }
        let bar = ProgressBar::new("searching", "steps");
        let step = |state: &OpponentState, done: usize, steps: usize| -> anyhow::Result<()> {
            bar.update(done as u64, steps as u64);
            Ok(run.write_json(STATE, &SEAL.seal(state))?)
        };
        search.run(&mut state, *self.rules.end(), Some(stop), step)?;
        Ok(state)
    }

    /// Evaluates the resulting lists over all deals, after compiling them from their files.
    fn verify(
        &self,
        search: &OpponentSearch<'_>,
        state: &OpponentState,
        stop: &AtomicBool,
    ) -> anyhow::Result<Findings<'_>> {
        let problem = &self.problem;
        let mut lists = problem.lists(search, state, &self.rules)?;
        let baselines = self.baselines()?;
        let tables: Vec<&BankerTable> = baselines.iter().map(|(.., table)| table).collect();
        let evs = with_control(stop, |control| problem.verify(search, &mut lists, &tables, control))?;
        let known = |(i, (name, way, _)): (usize, (String, Option<HouseWay>, BankerTable))| Known {
            name,
            rules: way.as_ref().map(|way| way.survey().rules.len()),
            bounds: way.map(|way| way.way().bounds()),
            ev: mean(&evs.of[i]),
            regret: problem.regret(&evs.regrets(i)),
        };
        let known = (lists.len()..).zip(baselines).map(known).collect();
        let ways: Vec<&HouseWay> = lists.iter().map(|list| &list.way).collect();
        let robust = if self.robust { Some(examine(self, &ways, stop)?) } else { None };
        Ok(Findings { question: self, best: mean(&evs.best), floor: loss(search.floor()), known, lists, robust })
    }

    /// Returns the baselines: published house ways, published strategies, and the power rating, which isn't a house way.
    fn baselines(&self) -> anyhow::Result<Vec<(String, Option<HouseWay>, BankerTable)>> {
        let game = &self.problem.game;
        let mut all = Vec::new();
        for (name, _) in PUBLISHED {
            // Some sheets don't set all hands in every variant.
            if let Ok(way) = HouseWay::compile(Way::named(name)?, game) {
                let table = BankerTable::new(&way);
                all.push(((*name).to_owned(), Some(way), table));
            }
        }
        let rating = PowerRating::new(game, &BankerTable::new(&*self.problem.opponents[0]));
        all.push((rating.name().to_owned(), None, BankerTable::new(&rating)));
        Ok(all)
    }
}

pub(super) struct Robustness {
    /// The situations with the regret of each list, or `None` if the list doesn't set all hands in the situation.
    pub(super) situations: Vec<(String, Vec<Option<f64>>)>,
}

/// Evaluates the lists against other opponents, for the other side and under other rules, in one pass over all deals each.
fn examine(question: &Question, lists: &[&HouseWay], stop: &AtomicBool) -> Result<Robustness, Cancelled> {
    let (side, rules) = (question.problem.side, question.problem.game.rules());
    let own = question.problem.opponents[0].way();
    let mut situations = vec![];
    let mut add = |name: String, side: Side, rules: Rules, opponent: &Way| -> Result<(), Cancelled> {
        let game = Game::new(rules);
        let Ok(opponent) = HouseWay::compile(opponent.clone(), &game) else { return Ok(()) };
        let table = |list: &&HouseWay| Some(BankerTable::new(&HouseWay::compile(list.way().clone(), &game).ok()?));
        let tables: Vec<Option<BankerTable>> = lists.iter().map(table).collect();
        let payoff = BankedBy::House.payoff_of(side, &rules);
        let plays: Vec<Play<'_>> =
            [Play::Best(payoff)].into_iter().chain(tables.iter().flatten().map(Play::Profiles)).collect();
        let pass = Pass::new(&game, side, &BankerTable::new(&opponent));
        let totals = with_progress(&name, stop, |run| pass.totals(&plays, run))?;
        let mut evs = totals.into_iter().map(|counts| counts.ev(payoff));
        let best = evs.next().expect("the best response");
        let regret = |table: &Option<BankerTable>| table.as_ref().and_then(|_| Some((best - evs.next()?).value()));
        situations.push((name, tables.iter().map(regret).collect()));
        Ok(())
    };
    let against = |side: Side, name: &str| format!("as the {} against {name}", side.name());
    for (casino, _) in CASINOS {
        add(against(side, casino), side, rules, &Way::named(casino).expect("a built-in way"))?;
    }
    add(against(side.other(), own.name()), side.other(), rules, own)?;
    let options = Rules::VARIANTS.iter().flat_map(|it| it.options.iter().map(|option| format!("{}={option}", it.name)));
    for assignment in options.chain(["commission=0".to_owned()]) {
        let Ok(other) = rules.with(&assignment) else { continue };
        if other != rules {
            add(format!("{} with {assignment}", against(side, own.name())), side, other, own)?;
        }
    }
    Ok(Robustness { situations })
}

impl Robustness {
    /// Returns a list's mean and maximum regret, or `None` if it doesn't set all hands in some situation.
    pub(super) fn mean_and_worst(&self, list: usize) -> Option<(f64, f64)> {
        let regrets = self.situations.iter().map(|(_, regrets)| regrets[list]).collect::<Option<Vec<f64>>>()?;
        let mean = regrets.iter().sum::<f64>() / regrets.len() as f64;
        Some((mean, regrets.into_iter().fold(0.0, f64::max)))
    }

    pub(super) fn best(&self, lists: usize) -> Option<usize> {
        let worst = |&list: &usize| self.mean_and_worst(list).map_or(f64::INFINITY, |it| it.1);
        (0..lists).min_by(|a, b| worst(a).total_cmp(&worst(b))).filter(|list| worst(list).is_finite())
    }

    pub(super) fn json(&self, names: &[&str]) -> Value {
        let row = |(name, regrets): &(String, Vec<_>)| json!({ "situation": name, "regrets": regrets });
        let summary = |list: usize| {
            let values = self.mean_and_worst(list);
            json!({ "list": names[list], "mean": values.map(|it| it.0), "worst": values.map(|it| it.1) })
        };
        json!({
            "situations": self.situations.iter().map(row).collect::<Vec<_>>(),
            "lists": (0..names.len()).map(summary).collect::<Vec<_>>(),
            "best_everywhere": self.best(names.len()).map(|list| names[list]),
        })
    }
}
