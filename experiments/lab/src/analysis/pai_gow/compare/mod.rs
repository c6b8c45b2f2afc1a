//! `houseway compare`: round robins of strategies, typically house ways.
//!
//! Each strategy plays as player against every strategy as banker, and best responses are computed too. There is one pass
//! over all deals per banker and one per player. Finished passes are cached in `counts/`, where the same version of the
//! program reuses them for the same question.

mod standings;

use super::options::prepare;
use super::progress::with_progress;
use super::runner::{WayConfig, run, save_rows, spec};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions};
use crate::run::{Destination, RESULTS, RunFolder, RunKind, RunSpec, make_folder, notice, read_state};
use clap::Args;
use houseway_env::pai_gow::house_way::CASINOS;
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::seal::Seal;
use houseway_exact::pai_gow::Tabulated;
use houseway_exact::pai_gow::matchup::{BankedBy, PairTotals, Question, SideStrategy};
use houseway_exact::pai_gow::whole::{OutcomeWeights, Payoff, Play, Side};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use standings::{ComparedWay, Standings};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Compare strategies: the exact house edge for each pair of player's and banker's ways
///
/// Also shows optimal play against each banker, the best banker against each player, and the best and worst ways for
/// the house. If two of the strategies are close to an equilibrium, such as those of houseway equilibrium, it shows
/// what all others lose compared with them. Takes two passes over all deals per way; finished passes are kept in the
/// folder and reused. Cells with mixed strategies have a `weight` in the JSON, and their counts are in units of one deal
/// divided by it.
#[derive(Args)]
pub struct CompareArgs {
    /// The names or files of house ways, strategy tables, mixed strategies and trained agents [default: the casinos'
    /// house ways]
    #[arg(value_name = "WAY")]
    ways: Vec<String>,
    /// The folder to write the report to
    #[arg(long, value_name = "DIR", default_value = "results/compare")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl CompareArgs {
    pub(super) fn run(self) -> CommandResult {
        let (game, stop) = self.common.start("stopping: finished passes are kept (press again to stop immediately)")?;
        let names: Vec<&str> = match self.ways.is_empty() {
            true => CASINOS.iter().map(|(name, _)| *name).collect(),
            false => self.ways.iter().map(String::as_str).collect(),
        };
        let strategies = self.common.game.strategies(&names, &game)?;
        let ways = prepare(&strategies, &game, &stop)?;
        let contest = Contest::new(ways, game);
        let inputs = self.common.game.files(names);
        let to = Destination::new(&self.out, &inputs, self.force.force);
        run(&contest.spec()?, &to, &self.common.output, |run, _| {
            let standings = Passes::new(&contest, run, &stop)?.standings()?;
            let answer = standings.answer();
            run.write_json(RESULTS, &answer.json)?;
            save_rows(run, "pairs.csv", &standings.rows())?;
            Ok(answer)
        })
    }
}

/// A set of strategies to compare with each other.
struct Contest {
    game: Game,
    ways: Vec<Tabulated>,
    /// The strategies' names in tables, made unique.
    names: Vec<String>,
}

/// The contest as stored in `config.toml`.
#[derive(Serialize)]
struct CompareConfig {
    rules: Rules,
    way: Vec<WayConfig>,
}

impl Contest {
    fn new(ways: Vec<Tabulated>, game: Game) -> Contest {
        let mut names: Vec<String> = Vec::new();
        for way in &ways {
            let name = way.name();
            let same = ways.iter().take(names.len()).filter(|other| other.name() == name).count();
            names.push(if same == 0 { name.to_owned() } else { format!("{name} ({})", same + 1) });
        }
        Contest { game, ways, names }
    }

    fn spec(&self) -> io::Result<RunSpec> {
        let named = self.ways.iter().zip(&self.names);
        let way = named.map(|(way, name)| WayConfig { name: name.clone(), ..WayConfig::from(way) }).collect();
        spec(RunKind::Compare, &CompareConfig { rules: self.game.rules(), way }, &self.game.rules())
    }
}

/// The folder for finished passes. A new run can keep using it, because every file identifies its own contents.
const FOLDER: &str = "counts";

/// The seal on a cache file.
const SEAL: Seal = Seal::new("houseway-compare-counts", 1);

/// The cached totals, each with a seal of its own.
#[derive(Serialize, Deserialize)]
struct Stored {
    answers: Vec<Map<String, Value>>,
}

/// The passes for one contest.
struct Passes<'a> {
    contest: &'a Contest,
    run: &'a RunFolder,
    stop: &'a AtomicBool,
}

impl<'a> Passes<'a> {
    fn new(contest: &'a Contest, run: &'a RunFolder, stop: &'a AtomicBool) -> io::Result<Passes<'a>> {
        run.carry_over(FOLDER)?;
        make_folder(&run.file(FOLDER))?;
        Ok(Passes { contest, run, stop })
    }

    /// Computes the missing passes.
    fn standings(&self) -> anyhow::Result<Standings> {
        let Contest { game, ways, names } = self.contest;
        let described = ways.iter().zip(names).map(|(way, name)| ComparedWay {
            name: name.clone(),
            title: way.title().to_owned(),
            hash: way.hash().to_owned(),
            readings: way.readings(),
        });
        Ok(Standings {
            rules: game.rules(),
            ways: described.collect(),
            columns: (0..ways.len()).map(|banker| self.against_banker(banker)).collect::<Result<_, _>>()?,
            best_banker: (0..ways.len()).map(|player| self.against_player(player)).collect::<Result<_, _>>()?,
        })
    }

    /// Evaluates all players' ways against a banker, and the best response last.
    fn against_banker(&self, banker: usize) -> anyhow::Result<Vec<PairTotals>> {
        let Contest { game, names, ways } = self.contest;
        let way = &ways[banker];
        let players = ways.iter().map(SideStrategy::from).chain([SideStrategy::Optimal]);
        let pairs: Vec<[SideStrategy; 2]> = players.map(|player| [player, way.into()]).collect();
        let optimum = Play::Best(Payoff::player(game.rules().commission));
        let players: Vec<Play<'_>> = ways.iter().map(Tabulated::play).chain([optimum]).collect();
        let label = format!("banker {} ({} of {})", names[banker], banker + 1, 2 * ways.len());
        self.pass(&file_of("banker", way), &label, &pairs, |missing| {
            let banker = way.pass(game, Side::Player).map_err(Failure::usage)?.with_copies();
            let players: Vec<Play<'_>> = missing.iter().map(|&i| players[i]).collect();
            let totals = with_progress(&label, self.stop, |run| banker.weights(&players, run))?;
            let weight = |player: Play<'_>| u64::from(banker.weight()) * u64::from(player.weight());
            Ok(players.into_iter().map(weight).zip(totals).collect())
        })
    }

    /// Evaluates the banker's best response to a player's way.
    fn against_player(&self, player: usize) -> anyhow::Result<PairTotals> {
        let Contest { game, names, ways } = self.contest;
        let way = &ways[player];
        let pair = [way.into(), SideStrategy::Optimal];
        let label = format!("player {} ({} of {})", names[player], ways.len() + player + 1, 2 * ways.len());
        let answers = self.pass(&file_of("player", way), &label, &[pair], |_| {
            let player = way.pass(game, Side::Banker).map_err(Failure::usage)?.with_copies();
            let optimum = Play::Best(BankedBy::House.payoff(&game.rules()));
            let totals = with_progress(&label, self.stop, |run| player.weights(&[optimum], run))?;
            let weight = u64::from(player.weight());
            Ok(totals.into_iter().map(|counts| (weight, counts.other_side())).collect())
        })?;
        Ok(answers.into_iter().next().expect("there is one pair"))
    }

    /// Returns the totals for the given pairs, taking them from the file where possible. Calls `count` with the indices
    /// of the missing ones, and gets the weight of a deal and the outcomes for each.
    fn pass(
        &self,
        file: &str,
        label: &str,
        pairs: &[[SideStrategy; 2]],
        count: impl FnOnce(&[usize]) -> anyhow::Result<Vec<(u64, OutcomeWeights)>>,
    ) -> anyhow::Result<Vec<PairTotals>> {
        let questions: Vec<Question> =
            pairs.iter().map(|pair| Question::new(pair, &self.contest.game, BankedBy::House)).collect();
        let mut known = self.kept(file)?;
        let has = |known: &[PairTotals], question: &Question| known.iter().any(|answer| answer.question == *question);
        let missing: Vec<usize> = (0..questions.len()).filter(|&i| !has(&known, &questions[i])).collect();
        if !missing.is_empty() {
            known.extend(missing.iter().zip(count(&missing)?).map(|(&i, (weight, counts))| PairTotals {
                question: questions[i].clone(),
                part: None,
                weight,
                counts,
            }));
            self.keep(file, &known)?;
        } else {
            notice(&format!("{label}: cached"));
        }
        let find = |question: &Question| known.iter().find(|answer| answer.question == *question).cloned();
        Ok(questions.iter().map(|question| find(question).expect("all pairs are known")).collect())
    }

    /// Returns the totals in a cache file. There are none if the file is missing. If it was damaged or is of another
    /// version, it is kept under another name.
    fn kept(&self, file: &str) -> io::Result<Vec<PairTotals>> {
        let answers = read_state(self.run.working(), file, |bytes| {
            let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
            let stored: Stored = SEAL.open(text).map_err(|error| error.to_string())?;
            stored
                .answers
                .into_iter()
                .map(PairTotals::open)
                .collect::<Result<Vec<_>, _>>()
                .map_err(|error| error.to_string())
        })?;
        Ok(answers.into_iter().flatten().filter(|answer| answer.part.is_none()).collect())
    }

    fn keep(&self, file: &str, answers: &[PairTotals]) -> io::Result<()> {
        let answers: Vec<Value> = answers.iter().map(PairTotals::sealed).collect();
        self.run.write_json(file, &SEAL.seal(&json!({ "answers": answers })))
    }
}

/// Returns the cache file of the pass against the given way on this side.
fn file_of(seat: &str, way: &Tabulated) -> String {
    format!("{FOLDER}/{seat}-{}.json", way.hash())
}
