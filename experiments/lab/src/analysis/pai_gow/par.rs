//! `houseway par`: what a bet returns, how much it varies, and how far results may be from it, as a document to file.

mod sheet;

use super::runner::{SolverQuestion, WayConfig, other_readings, prepare, run, spec, with_progress};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, StoreOptions};
use crate::run::{Destination, RunKind, stop_flag_with, with_control};
use clap::Args;
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Paytable, Rules, SideBet};
use houseway_env::registry;
use houseway_env::rules::RuleReading;
use houseway_exact::Ratio;
use houseway_exact::net::{MainBet, NetResults};
use houseway_exact::pai_gow::matchup::{BankedBy, Pair, SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{OutcomeWeights, Payoff};
use houseway_exact::pai_gow::{NamedStrategy, Tabulated};
use houseway_exact::solver::{SolverConfig, SolverEntry, SolverError};
use houseway_exact::store::PassStore;
use serde::Serialize;
use serde_json::{Value, json};
use sheet::{Beside, Par, Reading};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The game whose passes over all deals are kept, and whose strategies are tables and agents as well.
const POKER: &str = "pai-gow-poker";

/// Describe the return of a bet of one unit: its distribution, its parts, and the bands of actual returns
///
/// Everything is exact, over all deals. The bands contain the average result of a number of rounds with a probability of
/// 95%. In other games than Pai Gow Poker, the strategies are those of 'houseway solve -g GAME'.
#[derive(Args)]
pub struct ParArgs {
    /// The player's strategy: the name or file of a house way, a strategy table, or a trained agent [default: trump-plaza,
    /// or that of 'houseway solve' for the game]
    #[arg(long, value_name = "WAY")]
    player: Option<String>,
    /// The banker's strategy, in the same form
    #[arg(long, value_name = "WAY")]
    banker: Option<String>,
    /// Also compute the EV under every other option of the rules' readings, which takes seconds for each
    #[arg(long)]
    readings: bool,
    /// Also describe a side bet of one unit beside the main bet, by the name or file of its paytable (Pai Gow Poker only)
    #[arg(long, value_name = "PAYTABLE")]
    side_bet: Option<String>,
    /// Settle each push by one more card for both sides, as in No Push Pai Gow. It needs house ways, takes minutes and leaves
    /// out best play (Pai Gow Poker only)
    #[arg(long, conflicts_with = "side_bet")]
    no_push: bool,
    /// The number of antes that are also staked on Trips (Ultimate Texas Hold'em only)
    #[arg(long, value_name = "N")]
    trips: Option<String>,
    /// The folder to write the report to [default: runs/par, or runs/par-GAME for games other than pai-gow-poker]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    common: CommonOptions,
}

#[derive(Serialize)]
struct ParConfig {
    readings: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    side_bet: Option<Paytable>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_push: bool,
    player: WayConfig,
    banker: WayConfig,
    rules: Rules,
}

impl ParArgs {
    pub fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let folder = self.out.clone().unwrap_or_else(|| self.common.game.folder("par"));
        let stop = stop_flag_with("stopping (press again to stop immediately)")?;
        let entry = houseway_exact::registry::find(&self.common.game.game)?;
        if let Some(option) = self.foreign_option(entry) {
            let message = format!("the option --{option} does not belong to the game {}; remove it", entry.game);
            return Err(Failure::usage(message));
        }
        match entry.game {
            POKER => self.of_poker(&folder, &stop),
            _ => self.of_other_game(entry, &folder, &stop),
        }
    }

    /// Returns an option that is given but doesn't belong to the game.
    fn foreign_option(&self, entry: &SolverEntry) -> Option<&'static str> {
        let given = [
            ("player", self.player.is_some()),
            ("banker", self.banker.is_some()),
            ("trips", self.trips.is_some()),
            ("no-push", self.no_push),
        ];
        let belongs = |name: &str| match entry.game {
            POKER => name != "trips",
            _ => entry.options.iter().any(|option| option.name == name),
        };
        given.into_iter().find(|(name, is_given)| *is_given && !belongs(name)).map(|(name, _)| name)
    }

    fn of_poker(&self, folder: &Path, stop: &AtomicBool) -> CommandResult {
        let game = self.common.game.pai_gow()?;
        let strategies = self.strategies(&game)?;
        let [player, banker] = prepare(&strategies, &game, stop)?;
        let (rules, readings, no_push) = (game.rules(), self.readings, self.no_push);
        let side_bet = self.side_bet.as_deref().map(Paytable::load).transpose().map_err(Failure::usage)?;
        let config = ParConfig {
            readings,
            side_bet: side_bet.clone(),
            no_push,
            player: (&player).into(),
            banker: (&banker).into(),
            rules,
        };
        let names = self.names();
        let inputs = self.common.game.files(names.into_iter().chain(self.side_bet.as_deref()));
        let to = Destination::new(folder, &inputs, self.force.force);
        let store = self.store.open()?;
        run(&spec(RunKind::Par, &config, rules.hash())?, &to, &self.common.output, |_| {
            let sides = [player, banker];
            let count = |game: &Game, pairs: &[[SideStrategy; 2]]| match no_push {
                true => pairs.iter().map(|pair| count_without_pushes(game, pair, stop)).collect(),
                false => count(game, pairs, &store, stop),
            };
            let [player, banker] = [&sides[0], &sides[1]].map(SideStrategy::from);
            let mut pairs = vec![[player, banker.clone()]];
            // Without pushes, the best response would have to be found without each of 82 pairs of cards.
            if !no_push {
                pairs.push([SideStrategy::Optimal, banker]);
            }
            let counts = count(&game, &pairs)?;
            let described = ["player", "banker"].into_iter().zip(strategies.iter().zip(&sides).map(described));
            let bet = bet_of(&rules, described.collect(), &counts);
            let mut par = Par::new(POKER, bet, json!(rules), rules.hash());
            par.no_push = no_push;
            if let Some(paytable) = side_bet {
                let pair = Pair::of_player(sides.map(|side| (&side).into()), &game, BankedBy::House)?;
                par.side_bet = Some(Beside::count(&pair, SideBet::new(paytable, &rules), stop)?);
            }
            if readings {
                for (reading, option, other) in other_readings(&rules) {
                    let game = Game::new(other);
                    let ev = match self.strategies(&game) {
                        Ok(strategies) => {
                            let [player, banker] = prepare(&strategies, &game, stop)?;
                            let counts = count(&game, &[[(&player).into(), (&banker).into()]])?;
                            Ok(counts[0].ev(Payoff::player(&game.rules())))
                        }
                        // A house way may foul under other rules.
                        Err(reason) => Err(reason.to_string()),
                    };
                    par.readings.push(Reading { reading, option, ev });
                }
            }
            Ok(par.answer())
        })
    }

    fn of_other_game(&self, entry: &SolverEntry, folder: &Path, stop: &AtomicBool) -> CommandResult {
        if self.side_bet.is_some() {
            let message = format!(
                "the option --side-bet does not belong to the game {}; remove it or use houseway side-bet -g {0}",
                entry.game
            );
            return Err(Failure::usage(message));
        }
        let given = [("player", &self.player), ("banker", &self.banker), ("trips", &self.trips)];
        let options: BTreeMap<String, String> =
            given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?))).collect();
        let config = self.common.game.solver_config(options.clone())?;
        // The solver checks the rules and the options before anything is written.
        let solver = entry.solver(&config)?;
        let Some(main_bet) = entry.main_bet else {
            let message = "every wager has an answer of its own; use houseway solve";
            return Err(Failure::usage(format!("houseway par does not support the game '{}': {message}", entry.game)));
        };
        let count = |config: &SolverConfig| with_control(stop, |control| main_bet(config, control));
        let (rules, rules_hash) = solver.rules();
        let readings = BTreeMap::from([("readings", self.readings)]);
        let question =
            SolverQuestion { game: entry.game, question: readings, strategies: &options, rules: rules.clone() };
        let inputs = self.common.game.files(self.names());
        let to = Destination::new(folder, &inputs, self.force.force);
        run(&question.spec(RunKind::Par, rules_hash.clone(), &[])?, &to, &self.common.output, |_| {
            let mut par = Par::new(entry.game, count(&config)?, rules, rules_hash);
            if self.readings {
                let readings = registry::find(entry.game).map_err(anyhow::Error::msg)?.rules.readings;
                for RuleReading { name: reading, options, .. } in readings {
                    for option in options.iter().filter(|option| par.rules[*reading] != **option) {
                        let other = config.clone().assign(&format!("{reading}={option}"));
                        let ev = match count(&other) {
                            Ok(other) => Ok(other.results.ev()),
                            Err(SolverError::Invalid(reason)) => Err(reason),
                            Err(error) => return Err(error.into()),
                        };
                        par.readings.push(Reading { reading, option, ev });
                    }
                }
            }
            Ok(par.answer())
        })
    }

    fn names(&self) -> [&str; 2] {
        [&self.player, &self.banker].map(|name| name.as_deref().unwrap_or(Way::DEFAULT))
    }

    fn strategies(&self, game: &Game) -> CommandResult<Vec<NamedStrategy>> {
        let strategies = self.common.game.strategies(&self.names(), game)?;
        strategies.iter().try_for_each(NamedStrategy::check_pure).map_err(Failure::usage)?;
        Ok(strategies)
    }
}

/// Returns the player's outcomes for each pair of strategies.
fn count(
    game: &Game,
    pairs: &[[SideStrategy; 2]],
    store: &PassStore,
    stop: &AtomicBool,
) -> CommandResult<Vec<OutcomeWeights>> {
    let payoff = Payoff::player(&game.rules());
    Ok(with_progress("all deals", stop, |run| outcomes(store, game, pairs, [payoff; 2], run))?)
}

/// Returns the player's outcomes for a pair of strategies if each push is settled by another card.
fn count_without_pushes(game: &Game, pair: &[SideStrategy; 2], stop: &AtomicBool) -> CommandResult<OutcomeWeights> {
    let pair = Pair::new(pair.clone(), game, BankedBy::House)?.without_pushes()?;
    Ok(with_progress("all deals", stop, |run| pair.count(run, &[])).map_err(SolverError::from)?)
}

/// Returns the identity of a strategy, and its source if it is a house way.
fn described((named, prepared): (&NamedStrategy, &Tabulated)) -> Value {
    let mut json = json!(WayConfig::from(prepared));
    if let Some(way) = named.way() {
        json["source"] = way.way().source().into();
    }
    json
}

/// Returns the main bet, given the counts of the strategies and of the best response if it is known.
fn bet_of(rules: &Rules, strategies: Vec<(&'static str, Value)>, counts: &[OutcomeWeights]) -> MainBet {
    let payoff = Payoff::player(rules);
    let OutcomeWeights { wins, pushes, losses, .. } = counts[0];
    let ([win, push, loss], unit) = payoff.nets();
    let mut results = NetResults::new(unit);
    results.add(win, wins);
    results.add(push, pushes);
    results.add(loss, losses);
    let mut parts = counts[0].parts(Ratio::new(rules.commission_on_win().millionths().into(), Rate::WHOLE.into()));
    let copies = parts.split_off(2);
    parts.push(("collection", -payoff.fee()));
    parts.extend(copies);
    let optimal_ev = counts.get(1).map(|counts| counts.ev(payoff));
    MainBet { unit: "unit", optimal_ev, strategies, results, parts, seats_covariance: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a fee for each hand, a push loses it.
    #[test]
    fn a_push_is_a_push_if_every_hand_costs_a_fee() {
        let rules = Rules::default().with("commission=0").unwrap().with("collection=1/100").unwrap();
        let counts = OutcomeWeights { wins: 2_861, pushes: 4_148, losses: 2_991, ..OutcomeWeights::default() };
        let par = Par::new(POKER, bet_of(&rules, vec![], &[counts]), json!(rules), rules.hash());
        let json = par.answer().answer.json;
        let outcomes = json["outcomes"].as_array().unwrap().iter();
        let named: Vec<_> = outcomes.map(|it| (it["outcome"].as_str().unwrap(), it["net"].as_f64().unwrap())).collect();
        assert_eq!(named, [("win", 0.99), ("push", -0.01), ("loss", -1.01)]);
    }
}
