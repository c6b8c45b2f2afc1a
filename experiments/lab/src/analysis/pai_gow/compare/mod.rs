//! `houseway compare`: round robins of strategies, typically house ways.
//!
//! Each strategy plays as player against every strategy as banker, and best responses are computed too. There is one pass
//! over all deals per banker and one per player.

mod standings;

use super::options::prepare;
use super::progress::with_progress;
use super::runner::{WayConfig, run, save_rows, spec};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, StoreOptions};
use crate::run::{Destination, RESULTS, RunKind, RunSpec};
use clap::Args;
use houseway_env::pai_gow::house_way::CASINOS;
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::pai_gow::Tabulated;
use houseway_exact::pai_gow::matchup::{BankedBy, PairTotals, SideStrategy, pair_totals};
use houseway_exact::pai_gow::whole::Run;
use houseway_exact::solver::SolverError;
use houseway_exact::store::PassStore;
use serde::Serialize;
use standings::{ComparedWay, Standings};
use std::io;
use std::path::PathBuf;

/// Compare strategies: the exact house edge for each pair of player's and banker's ways
///
/// Also shows optimal play against each banker, the best banker against each player, and the best and worst ways for
/// the house. If two of the strategies are close to an equilibrium, such as those of houseway equilibrium, it shows
/// what all others lose compared with them. Takes two passes over all deals per way; finished passes are kept and reused.
/// Cells with mixed strategies have a `weight` in the JSON, and their counts are in units of one deal divided by it.
#[derive(Args)]
pub struct CompareArgs {
    /// The names or files of house ways, strategy tables, mixed strategies and trained agents [default: the casinos'
    /// house ways]
    #[arg(value_name = "WAY")]
    ways: Vec<String>,
    /// The folder to write the report to
    #[arg(long, value_name = "DIR", default_value = "runs/compare")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    store: StoreOptions,
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
        let store = self.store.open()?;
        run(&contest.spec()?, &to, &self.common.output, |run| {
            let standings = with_progress("comparing", &stop, |run| contest.standings(&store, run));
            let standings = standings.map_err(Failure::from)?;
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

    /// Evaluates all pairs, and the best responses to all strategies.
    fn standings(&self, store: &PassStore, run: &Run<'_>) -> Result<Standings, SolverError> {
        let ways: Vec<SideStrategy> = self.ways.iter().map(SideStrategy::from).collect();
        let players: Vec<&SideStrategy> = ways.iter().chain([&SideStrategy::Optimal]).collect();
        let against = |banker: &SideStrategy| players.iter().map(|&player| [player.clone(), banker.clone()]).collect();
        let mut pairs: Vec<[SideStrategy; 2]> = ways.iter().flat_map(|banker| -> Vec<_> { against(banker) }).collect();
        pairs.extend(ways.iter().map(|player| [player.clone(), SideStrategy::Optimal]));
        let mut totals = pair_totals(store, &self.game, &pairs, BankedBy::House, run)?;
        let best_banker = totals.split_off(ways.len() * players.len());
        let described = self.ways.iter().zip(&self.names).map(|(way, name)| ComparedWay {
            name: name.clone(),
            title: way.title().to_owned(),
            hash: way.hash().to_owned(),
            readings: way.readings(),
        });
        Ok(Standings {
            rules: self.game.rules(),
            ways: described.collect(),
            columns: totals.chunks(players.len()).map(<[PairTotals]>::to_vec).collect(),
            best_banker,
        })
    }
}
