//! `houseway compare`: round robins of strategies, typically house ways.
//!
//! Each strategy plays as player against every strategy as banker, and best responses are computed too. There is one pass
//! over all deals per banker and one per player.

use super::runner::{AskedWays, WayConfig, run, settings, spec, with_progress};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, StoreOptions};
use crate::run::{Destination, RunKind};
use clap::Args;
use houseway_env::pai_gow::house_way::{CASINOS, Way};
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rules::RuleSet;
use houseway_exact::pai_gow::matchup::{BankedBy, SideStrategy, pair_totals};
use houseway_exact::pai_gow::whole::Run;
use houseway_exact::pai_gow::{DEALS, NamedStrategy, Tabulated};
use houseway_exact::solver::{SolverError, WayAnswer, WayQuestion};
use houseway_exact::standings::{ComparedWay, PairResult, Standings, unique_names};
use houseway_exact::store::PassStore;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
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
    /// house ways, or all built-in ones in other games than pai-gow-poker]
    #[arg(value_name = "WAY")]
    ways: Vec<String>,
    /// The folder to write the report to [default: runs/compare, or runs/compare-GAME for games other than pai-gow-poker]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl CompareArgs {
    pub fn run(self) -> CommandResult {
        let folder = self.out.clone().unwrap_or_else(|| self.common.game.folder("compare"));
        if let Some(asked) = AskedWays::of(&self.common.game, BTreeMap::new())? {
            self.common.threads.start()?;
            let question = WayQuestion::Compare { ways: &self.ways };
            return asked.run(&question, &folder, self.force.force, &self.common.output);
        }
        let (game, stop) = self.common.start("stopping: finished passes are kept (press again to stop immediately)")?;
        let names: Vec<&str> = match self.ways.is_empty() {
            true => CASINOS.iter().map(|(name, _)| *name).collect(),
            false => self.ways.iter().map(String::as_str).collect(),
        };
        let strategies = self.common.game.strategies(&names, &game)?;
        let set = |run: &Run<'_>| NamedStrategy::prepare_all(&strategies, &game, run);
        let ways = with_progress("setting all hands", &stop, set).map_err(Failure::work)?;
        let rules = game.rules();
        let named = ways.iter().zip(unique_names(ways.iter().map(Tabulated::name)));
        let config = CompareConfig { rules, way: named.map(|(way, name)| WayConfig { name, ..way.into() }).collect() };
        let inputs = self.common.game.files(names);
        let to = Destination::new(&folder, &inputs, self.force.force);
        let store = self.store.open()?;
        run(&spec(RunKind::Compare, &config, rules.hash())?, &to, &self.common.output, |_| {
            let found = with_progress("comparing", &stop, |run| standings(&game, &ways, config.way, &store, run));
            let standings = found.map_err(Failure::from)?;
            let tables = vec![("pairs.csv", standings.rows())];
            Ok(WayAnswer { answer: standings.answer(), files: vec![], tables })
        })
    }
}

#[derive(Serialize)]
struct CompareConfig {
    rules: Rules,
    /// The strategies with unique names.
    way: Vec<WayConfig>,
}

fn standings(
    game: &Game,
    ways: &[Tabulated],
    named: Vec<WayConfig>,
    store: &PassStore,
    run: &Run<'_>,
) -> Result<Standings, SolverError> {
    let sides: Vec<SideStrategy> = ways.iter().map(SideStrategy::from).collect();
    let players: Vec<&SideStrategy> = sides.iter().chain([&SideStrategy::Optimal]).collect();
    let against = |banker: &SideStrategy| players.iter().map(|&player| [player.clone(), banker.clone()]).collect();
    let mut pairs: Vec<[SideStrategy; 2]> = sides.iter().flat_map(|banker| -> Vec<_> { against(banker) }).collect();
    pairs.extend(sides.iter().map(|player| [player.clone(), SideStrategy::Optimal]));
    let mut totals = pair_totals(store, game, &pairs, BankedBy::House, run)?;
    let best_banker = totals.split_off(ways.len() * players.len());
    let described = ways.iter().zip(named).map(|(way, WayConfig { name, hash, readings })| {
        let title = way.title().to_owned();
        ComparedWay { name, title, hash, readings }
    });
    let rule_lists: Vec<&Way> = ways.iter().filter_map(|way| Some(way.way()?.way())).collect();
    let results: Vec<PairResult> = totals.into_iter().map(PairResult::from).collect();
    Ok(Standings {
        splitting: "splitting seven cards into a hand of five and a hand of two",
        deals: DEALS,
        command: format!("houseway solve --player WAY --banker WAY{}", settings(&game.rules(), &rule_lists)),
        rules: json!(game.rules()),
        rules_hash: game.rules().hash(),
        described_rules: game.rules().described(),
        ways: described.collect(),
        columns: results.chunks(players.len()).map(<[PairResult]>::to_vec).collect(),
        best_banker: best_banker.into_iter().map(PairResult::from).collect(),
    })
}
