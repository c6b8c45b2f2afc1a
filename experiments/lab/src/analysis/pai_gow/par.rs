//! `houseway par`: what a bet returns, how much it varies, and how far results may be from it, as a document to file.

mod beside;

use super::options::{other_readings, prepare};
use super::progress::with_progress;
use super::runner::{SolverQuestion, WayConfig, run, spec};
use super::units::{change, share_of_stake};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, StoreOptions};
use crate::report::TextTable;
use crate::run::{Destination, RunKind, stop_flag_with, with_control};
use beside::Beside;
use clap::Args;
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Paytable, Rules, SideBet};
use houseway_env::registry;
use houseway_env::rules::RuleReading;
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::{grouped, percent};
use houseway_exact::net::{MainBet, NetResults};
use houseway_exact::pai_gow::matchup::{BankedBy, Pair, SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{DealCounts, OutcomeWeights, Payoff};
use houseway_exact::pai_gow::{DEALS, NamedStrategy, Tabulated};
use houseway_exact::solver::{SolverConfig, SolverEntry, SolverError, WayAnswer};
use houseway_exact::store::PassStore;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The numbers of rounds for which the bands of the return are computed.
const ROUNDS: [u32; 3] = [100, 1_000, 10_000];
/// The probability of a return within a band.
const CONFIDENCE: f64 = 0.95;
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
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let folder = self.out.clone().unwrap_or_else(|| self.common.game.folder("par"));
        let stop = stop_flag_with("stopping (press again to stop immediately)")?;
        let entry = houseway_exact::registry::find(&self.common.game.game)?;
        let of_poker = entry.game == POKER;
        let foreign = match &self.trips {
            Some(_) if of_poker => Some("trips"),
            _ if self.no_push && !of_poker => Some("no-push"),
            _ => None,
        };
        if let Some(option) = foreign {
            let message = format!("the option --{option} does not belong to the game {}; remove it", entry.game);
            return Err(Failure::usage(message));
        }
        if of_poker { self.of_poker(&folder, &stop) } else { self.of_other_game(entry, &folder, &stop) }
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
        if let Some(name) = options.keys().find(|name| entry.options.iter().all(|option| option.name != **name)) {
            let message = format!("the option --{name} does not belong to the game {}; remove it", entry.game);
            return Err(Failure::usage(message));
        }
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
    MainBet { optimal_ev, strategies, results, parts, seats_covariance: None }
}

/// The EV with another option of a reading, or the reason why a strategy can't be played with it.
struct Reading {
    reading: &'static str,
    option: &'static str,
    ev: Result<Ratio, String>,
}

/// A bet over all deals, and the effects of readings.
struct Par {
    game: &'static str,
    bet: MainBet,
    side_bet: Option<Beside>,
    no_push: bool,
    rules: Value,
    rules_hash: String,
    readings: Vec<Reading>,
}

/// Returns an outcome with its probability as JSON.
fn outcome_json(results: &NetResults, (net, deals): (Ratio, u128)) -> Value {
    json!({
        "outcome": outcome(net),
        "net": net.value(),
        "deals": deals.to_string(),
        "probability": results.probability(deals).to_json(),
    })
}

/// Returns the kind of outcome with a net result.
fn outcome(net: Ratio) -> &'static str {
    match net.cmp(&Ratio::ZERO) {
        Ordering::Greater => "win",
        Ordering::Equal => "push",
        Ordering::Less => "loss",
    }
}

impl Par {
    fn new(game: &'static str, bet: MainBet, rules: Value, rules_hash: String) -> Par {
        Par { game, bet, side_bet: None, no_push: false, rules, rules_hash, readings: vec![] }
    }

    /// Returns the tables as CSV files.
    fn tables(&self, bands: &[(u32, [f64; 2])]) -> Vec<(&'static str, Vec<Vec<String>>)> {
        let row = |cells: &[&dyn Display]| cells.iter().map(|cell| cell.to_string()).collect::<Vec<_>>();
        let mut outcomes = vec![row(&[&"outcome", &"net", &"deals"])];
        outcomes.extend(self.bet.results.iter().map(|(net, deals)| row(&[&outcome(net), &net.value(), &deals])));
        let mut averages = vec![row(&[&"rounds", &"low", &"high"])];
        averages.extend(bands.iter().map(|(rounds, [low, high])| row(&[rounds, low, high])));
        let mut parts = vec![row(&[&"part", &"value"])];
        parts.extend(self.bet.parts.iter().map(|(name, part)| row(&[name, &part.value()])));
        let mut rows = vec![row(&[&"hand", &"odds", &"wins", &"pushes", &"losses"])];
        for (hand, odds, DealCounts { wins, pushes, losses, .. }) in self.side_bet.iter().flat_map(Beside::named_rows) {
            let odds = odds.map_or_else(String::new, |odds| odds.to_string());
            rows.push(row(&[&hand, &odds, &wins, &pushes, &losses]));
        }
        let mut readings = vec![row(&[&"reading", &"option", &"ev", &"reason"])];
        readings.extend(self.readings.iter().map(|Reading { reading, option, ev }| match ev {
            Ok(ev) => row(&[reading, option, &ev.value(), &""]),
            Err(reason) => row(&[reading, option, &"", reason]),
        }));
        let tables = [
            ("outcomes.csv", outcomes),
            ("bands.csv", averages),
            ("parts.csv", parts),
            ("side-bet.csv", rows),
            ("readings.csv", readings),
        ];
        // Tables that only have a header are left out.
        tables.into_iter().filter(|(_, rows)| rows.len() > 1).collect()
    }

    /// Returns a section with the meaning of every rule.
    fn rules_section(&self) -> Section {
        let one_line = |doc: &str| doc.split_whitespace().collect::<Vec<_>>().join(" ");
        // The meanings are too long for a column of a table.
        let mut section = Section::new("Rules").detail();
        let rules = registry::find(self.game).expect("the game has a solver").rules;
        for rule in rules.parameters.iter().chain(rules.readings).chain(rules.variants) {
            let value = &self.rules[rule.name];
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let option = rule.options.iter().position(|option| *option == value);
            let meaning = option.and_then(|option| rule.option_docs.get(option)).unwrap_or(&rule.doc);
            section = section.text(format!("`{} = {value}`: {}", rule.name, one_line(meaning)));
        }
        section
    }

    /// Returns the volatility index: the half width of the 95% interval of the normal approximation for a single round. That
    /// for n rounds is narrower by the square root of n.
    fn volatility_index(&self) -> f64 {
        1.96 * self.bet.results.variance().sqrt()
    }

    /// Returns the number of times that each deal of the full game is counted.
    fn weight(&self) -> u128 {
        self.bet.results.deals() / u128::from(DEALS)
    }

    /// Returns the covariance and the correlation of two seats, which have the same variance.
    fn seats(&self) -> Option<(Ratio, f64)> {
        self.bet.seats_covariance.map(|covariance| (covariance, covariance.value() / self.bet.results.variance()))
    }

    /// Returns the results as JSON, with the lowest and the highest average result of each number of rounds.
    fn json(&self, bands: &[(u32, [f64; 2])]) -> Value {
        let MainBet { results, optimal_ev, strategies, parts, .. } = &self.bet;
        let reading = |it: &Reading| {
            let ev = it.ev.as_ref().ok().map(|ev| ev.value());
            json!({ "name": it.reading, "option": it.option, "ev": ev, "reason": it.ev.as_ref().err() })
        };
        let parts = |part: fn(Ratio) -> Value| -> Map<String, Value> {
            parts.iter().map(|&(name, ratio)| (name.to_owned(), part(ratio))).collect()
        };
        let band = |(rounds, [low, high]): &(u32, [f64; 2])| json!({ "rounds": rounds, "low": low, "high": high });
        let mut json = json!({
            "game": self.game,
            "rules": self.rules,
            "rules_hash": self.rules_hash,
            "outcomes": results.iter().map(|outcome| outcome_json(results, outcome)).collect::<Vec<_>>(),
            "ev": results.ev().value(),
            "ev_exact": results.ev().to_json(),
            "standard_deviation": results.variance().sqrt(),
            "volatility_index": self.volatility_index(),
            "skew": results.skewness(),
            "hit_frequency": results.hit_frequency().value(),
            "parts": parts(|part| part.value().into()),
            "parts_exact": parts(Ratio::to_json),
            "bands": bands.iter().map(band).collect::<Vec<_>>(),
            "optimal_ev": optimal_ev.map(Ratio::value),
            "seats": self.seats().map(|(covariance, correlation)| {
                json!({ "covariance": covariance.to_json(), "correlation": correlation })
            }),
            "readings": self.readings.iter().map(reading).collect::<Vec<_>>(),
            "side_bet": self.side_bet.as_ref().map(|beside| beside.json(results)),
        });
        if self.no_push {
            json["no_push"] = true.into();
            json["weight"] = self.weight().to_string().into();
        }
        for (side, strategy) in strategies {
            json[side] = strategy.clone();
        }
        json
    }

    /// Returns who plays by which strategy, such as "optimal as the player".
    fn players(&self) -> String {
        let name = |strategy: &Value| strategy["name"].as_str().or(strategy.as_str()).unwrap_or_default().to_owned();
        let strategies = self.bet.strategies.iter();
        let players: Vec<String> = strategies.map(|(side, it)| format!("{} as the {side}", name(it))).collect();
        players.join(", against ")
    }

    /// Returns a sentence with the source of each house way.
    fn sources(&self) -> String {
        let sources =
            self.bet.strategies.iter().filter_map(|(_, it)| {
                Some(format!(" Source of {}: {}.", it["name"].as_str()?, it["source"].as_str()?))
            });
        let mut sources: Vec<String> = sources.collect();
        sources.dedup();
        sources.concat()
    }

    fn answer(&self) -> WayAnswer {
        let results = &self.bet.results;
        let ev = results.ev();
        let bands = ROUNDS.map(|rounds| (rounds, results.band(rounds, CONFIDENCE)));
        let mut outcomes = TextTable::new(["outcome", "net result", "deals", "probability"]).right_from(1);
        for (net, deals) in results.iter() {
            let probability = percent(results.probability(deals).value(), 4);
            outcomes = outcomes.row([outcome(net).to_owned(), units(net), grouped_wide(deals), probability]);
        }
        let seats = self.seats().map_or(String::new(), |(covariance, correlation)| {
            let covariance = covariance.value();
            format!(
                " Two seats against the same hand have a covariance of {covariance:.6} and a correlation of {correlation:.4}."
            )
        });
        let mut explained = format!(
            "A bet of one unit has an EV of {}, a standard deviation of {:.4} and a skewness of {:.4}. It wins in {} of deals.",
            share_of_stake(ev, 4),
            results.variance().sqrt(),
            results.skewness(),
            percent(results.hit_frequency().value(), 4),
        );
        if let Some(optimal_ev) = self.bet.optimal_ev {
            let against = if self.bet.strategies.len() > 1 { " against the same opponent" } else { "" };
            explained += &format!(" Best play{against} has an EV of {}.", share_of_stake(optimal_ev, 4));
        }
        if self.no_push {
            explained += &format!(
                " Pushes are settled by one more card for each side, so every deal is counted {} times, once for each pair of \
                 further cards.",
                grouped_wide(self.weight())
            );
        }
        let first = Section::default()
            .text(explained)
            .table(outcomes)
            .text(format!(
                "The volatility index is {:.4}, which is 1.96 standard deviations. Divided by the square root of a large \
                 number of rounds, it is about half the width of the 95% band.{seats}",
                self.volatility_index()
            ))
            .text(format!("{}; rules {}.{}", self.players(), self.rules_hash, self.sources()));
        let mut table = TextTable::new(["rounds", "lowest", "highest"]).right_from(0);
        for (rounds, [low, high]) in bands {
            table = table.row([grouped(rounds.into()), percent(low, 3), percent(high, 3)]);
        }
        let average = Section::new("Average result of a number of rounds")
            .text(format!(
                "With a probability of {} or more, the average is within these limits.",
                percent(CONFIDENCE, 0)
            ))
            .table(table);
        let mut sections = vec![first];
        let mut table = TextTable::new(["part", "of the stake or of all deals"]).right(1);
        for (name, part) in &self.bet.parts {
            table = table.row([name.replace(['_', '-'], " "), percent(part.value(), 4)]);
        }
        sections.push(Section::new("Parts").table(table));
        sections.push(average);
        sections.extend(self.side_bet.as_ref().map(|beside| beside.section(results)));
        if !self.readings.is_empty() {
            let mut table = TextTable::new(["reading", "option", "EV", "change"]).right_from(2);
            for Reading { reading, option, ev: other } in &self.readings {
                let [with, effect] = match other {
                    Ok(other) => [share_of_stake(*other, 4), change(*other - ev, 4)],
                    Err(reason) => ["not playable".to_owned(), reason.clone()],
                };
                table = table.row([*reading, *option, &with, &effect]);
            }
            let text = "Each row uses another option for one reading of the rules.";
            sections.push(Section::new("Readings").text(text).table(table));
        }
        sections.push(self.rules_section());
        let title = registry::find(self.game).map_or(self.game, |game| game.title);
        let answer = Answer::new(self.json(&bands), sections).titled(format!("Return of a bet: {title}"));
        WayAnswer { answer, files: vec![], tables: self.tables(&bands) }
    }
}

/// Formats a net result in units: as a decimal if that is exact within six places, and otherwise as a fraction.
fn units(net: Ratio) -> String {
    match net.denominator() {
        _ if net == Ratio::ZERO => "0".to_owned(),
        denominator if 1_000_000 % denominator == 0 => format!("{:+}", net.value()),
        denominator => format!("{:+}/{denominator}", net.numerator()),
    }
}

/// Formats a number of deals, which fits 64 bits unless a side mixes its settings.
fn grouped_wide(deals: u128) -> String {
    u64::try_from(deals).map_or_else(|_| deals.to_string(), grouped)
}
