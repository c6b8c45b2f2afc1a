//! `houseway table`: tables run from a configuration, with a history that records every hand, and a way to verify it.
//!
//! - [`TableRunConfig`] is the configuration. [`TableWay`] is a way that can be used at a table, and `SeatedWays` are the
//!   strategies of all seats, of any kind.
//! - `open` opens a table with its players, and `play` plays it.
//! - [`Known`] decides about banking according to exact counts, which are passes over all deals.

mod play;

pub use play::{Known, PLAIN_WAYS, TableWay};
pub(crate) use play::{SeatedWays, seat_way};

use super::runner::unless_stopped;
use crate::console::{CommandResult, Failure, ForceOptions, OutputOptions, StoreOptions, print};
use crate::run::{Output, cannot_read, cannot_write_by, check_outputs, create_file, load_config, stop_flag_with};
use clap::Args;
use houseway_env::files;
use houseway_env::gym::{HistoryError, StreamSeed, Verified};
use houseway_env::money::{Chips, Rate};
use houseway_env::pai_gow::Rules;
use houseway_env::pai_gow::table::{BankPolicy, BetSize, HOUSE_SEAT, HistoryReader, Table, TableRules};
use houseway_exact::answer::{Answer, Section};
use play::{default_way, open, play};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Display;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

/// Run a table with the players given in a configuration, or verify a history
#[derive(Args)]
pub struct TableArgs {
    /// The configuration file, such as experiments/configs/table.toml
    #[arg(required_unless_present = "verify")]
    config: Option<PathBuf>,
    /// Write a history of all hands to a file, with a header, one line of JSON per round, and a footer
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    /// Replay a history instead and check every card, chip and move
    #[arg(long, value_name = "FILE", conflicts_with_all = ["config", "history", "rounds", "seed", "quiet", "force"])]
    verify: Option<PathBuf>,
    /// The number of rounds to play, overriding the configuration
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,
    /// The seed for the cards, overriding the configuration
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Only show the final result, without the individual rounds
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl TableArgs {
    pub fn run(self) -> CommandResult {
        match (&self.verify, &self.config) {
            (Some(path), _) => self.verify(path),
            (None, Some(path)) => self.play(path),
            (None, None) => Err(Failure::usage("expected a configuration, or a history with --verify")),
        }
    }

    /// Opens the table described by a history and replays every card, chip, and move. Agents' moves are taken from the
    /// history.
    fn verify(&self, path: &Path) -> CommandResult {
        let name = path.display();
        let unusable = |error: &dyn Display| Failure::usage(format!("{name} cannot be verified: {error}"));
        let differs = |error: HistoryError| Failure::work(format!("{name} does not match its replay: {error}"));
        let file = files::open(path).map_err(|error| cannot_read(path, error)).map_err(Failure::usage)?;
        let stop = stop_flag_with("stopping: finished counts are kept (press again to stop immediately)")?;
        let history = HistoryReader::read(BufReader::new(file)).map_err(|error| unusable(&error))?;
        let header = history.header.clone();
        if header.config["seat"].is_u64() {
            let reason = "is a history of houseway play; use houseway play -g pai-gow-table --verify";
            return Err(Failure::usage(format!("{name} {reason}")));
        }
        let config: TableRunConfig = serde_json::from_value(header.config)
            .map_err(|error| unusable(&format!("invalid configuration in the first line: {error}")))?;
        let expected_rounds = config.rounds;
        HistoryError::check("seed", &header.seed, &StreamSeed::from(config.seed)).map_err(differs)?;
        let open = unless_stopped(open(config, &self.store, &stop));
        let open = open.map_err(|error| unusable(&format!("{error:#}")))?;
        let mut open = open.ok_or_else(|| Failure::work("stopped"))?;
        // Histories written by other programs may not have any ways.
        if !header.ways.is_empty() {
            HistoryError::check("ways", &header.ways, &open.ways).map_err(differs)?;
        }
        let Verified { rounds, closed } = history.verify(&mut open.table, &mut open.players).map_err(differs)?;
        if rounds > expected_rounds {
            HistoryError::check("rounds", &rounds, &expected_rounds).map_err(differs)?;
        }
        if !closed {
            return Err(Failure::work(format!(
                "{name} is unfinished: it has no footer, probably because it was interrupted. Its {rounds} complete \
                 rounds match their replay, but later rounds may be missing, and no checksum confirms the names"
            )));
        }
        let setup = open.table.setup().hash();
        let json = json!({ "history": path, "rounds": rounds, "setup": setup, "verified": true });
        let noun = if rounds == 1 { "round" } else { "rounds" };
        let text = format!("{name}: {rounds} {noun} replayed, every card, chip and move as recorded");
        self.output.show(&Answer::new(json, [Section::default().lines(text)]))
    }

    fn play(&self, path: &Path) -> CommandResult {
        let mut config: TableRunConfig = load_config(path).map_err(Failure::usage)?;
        config.rounds = self.rounds.unwrap_or(config.rounds);
        config.seed = self.seed.unwrap_or(config.seed);
        config.check_played().map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        let outputs: Vec<Output> = self.history.iter().map(|history| Output::new("--history", history)).collect();
        let inputs: Vec<PathBuf> = config.files().map(PathBuf::from).chain([path.to_owned()]).collect();
        let _outputs = check_outputs(&outputs, &inputs, self.force.force).map_err(Failure::usage)?;
        let stop = stop_flag_with("stopping after this round (press again to stop immediately)")?;
        let stopped = || Failure::work("stopped before the first round");
        let mut open = unless_stopped(open(config, &self.store, &stop))
            .map_err(|error| Failure::usage(format!("{}: {error:#}", path.display())))?
            .ok_or_else(stopped)?;
        let is_shown = !self.quiet && !self.output.json;
        let show_round = |table: &Table| {
            if is_shown {
                print(&format!("{}\n\n", table.render()))?;
            }
            Ok(())
        };
        let played = match &self.history {
            None => play(&mut open, None, &stop, show_round)?,
            Some(history) => {
                let cannot_write = |error| Failure::from(cannot_write_by("--history", history, error));
                let mut file = create_file(history, self.force.force).map_err(cannot_write)?;
                let played = play(&mut open, Some((history.as_path(), &mut file as &mut dyn Write)), &stop, show_round);
                let played = played.map_err(|error| match error.downcast::<io::Error>() {
                    Ok(error) => cannot_write(error),
                    Err(error) => Failure::from(error),
                })?;
                file.sync_all().map_err(cannot_write)?;
                played
            }
        };
        self.output.show(&played)
    }
}

/// A table configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TableRunConfig {
    /// The seed for dice, cards, and random players. By default 0.
    #[serde(default)]
    pub seed: u64,
    /// The maximum number of rounds. By default 10. Play ends earlier if no player can make the minimum
    /// bet.
    #[serde(default = "default_rounds")]
    pub rounds: u64,
    /// The name or file of the house's way, by default `trump-plaza`.
    #[serde(default = "default_way")]
    pub house_way: String,
    /// The name or file of the side bet's paytable. By default, it is `fortune-2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paytable: Option<String>,
    /// The rules of the table.
    #[serde(default)]
    pub rules: TableRules,
    /// The rules of Pai Gow Poker.
    #[serde(default)]
    pub game: Rules,
    /// The players, each in a table `[[player]]`.
    #[serde(default, rename = "player")]
    pub players: Vec<PlayerConfig>,
}

fn default_rounds() -> u64 {
    10
}

/// A player's policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerPolicy {
    /// Bets, banks, and sets hands as specified by the other keys.
    #[default]
    Regular,
    /// Plays random legal actions, ignoring all other keys except the bankroll.
    Random,
    /// Plays moves that were chosen by another program and are only known from its history. Such a table can be
    /// verified, but not played.
    Agent,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlayerConfig {
    /// The seat, from 1 to 6, clockwise.
    pub seat: usize,
    /// The display name. Defaults to the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The initial bankroll in chips.
    pub bankroll: Chips,
    /// The way the player plays, by default `regular`.
    #[serde(default)]
    pub policy: PlayerPolicy,
    /// The bet in chips. Defaults to the minimum bet, unless `bet-share` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bet: Option<Chips>,
    /// The bet as a fraction of the bankroll, instead of `bet`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bet_share: Option<Rate>,
    /// The side bet in chips. Defaults to 0, meaning no side bet.
    #[serde(default)]
    pub side: Chips,
    /// The condition for taking the bank, by default `never`.
    #[serde(default)]
    pub bank: BankPolicy,
    /// The player's way. This can be the name or file of a house way, `highest-front`, `lowest-front`, a strategy table
    /// or a trained agent. Defaults to `trump-plaza`.
    #[serde(default = "default_way")]
    pub way: String,
    /// The player's way as the banker. Defaults to `way`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banker_way: Option<String>,
}

impl PlayerConfig {
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("seat {}", self.seat))
    }

    pub fn as_banker(&self) -> &str {
        self.banker_way.as_deref().unwrap_or(&self.way)
    }

    pub fn bet_size(&self, rules: &TableRules) -> Result<BetSize, String> {
        rules.bet_size(self.bet, self.bet_share, self.side, Some(self.bankroll))
    }

    /// Returns `true` if the player is controlled by the other configuration keys.
    pub fn is_regular(&self) -> bool {
        self.policy == PlayerPolicy::Regular
    }

    /// Returns `true` if the player's decisions require exact outcome counts.
    pub fn counts(&self) -> bool {
        self.is_regular() && self.bank.is_exact()
    }
}

impl TableRunConfig {
    /// Returns the names of the house ways and of the paytable, some of which may be files.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let of_players = self.players.iter().flat_map(|player| [&*player.way, player.as_banker()]);
        of_players.chain([&*self.house_way]).chain(self.paytable.as_deref())
    }

    /// Returns the bankrolls from seat 1 on, with 0 for empty seats.
    pub fn bankrolls(&self) -> Vec<Chips> {
        let mut bankrolls = vec![0; self.rules.seats.players()];
        for player in &self.players {
            bankrolls[player.seat - 1] = player.bankroll;
        }
        bankrolls
    }

    pub fn check(&self) -> Result<(), String> {
        self.rules.check()?;
        let seats = self.rules.seats.players();
        if self.players.is_empty() {
            return Err("no players; add a [[player]] with a seat and a bankroll".to_owned());
        }
        if self.rounds == 0 {
            return Err("rounds = 0: expected at least 1".to_owned());
        }
        for (i, player) in self.players.iter().enumerate() {
            let seat = player.seat;
            if seat == HOUSE_SEAT || seat > seats {
                return Err(format!("player {}: invalid seat {seat}: expected 1 to {seats}", i + 1));
            }
            if self.players[..i].iter().any(|other| other.seat == seat) {
                return Err(format!("two players have seat {seat}"));
            }
            if player.bankroll < self.rules.bet_minimum {
                let (has, lowest) = (player.bankroll, self.rules.bet_minimum);
                return Err(format!("seat {seat}: a bankroll of {has} is below the minimum bet, {lowest}"));
            }
            if let Some(other) = self.players[..i].iter().find(|other| other.title() == player.title()) {
                return Err(format!("seat {seat}: name = \"{}\" is used by seat {}", player.title(), other.seat));
            }
            player.bet_size(&self.rules).map_err(|problem| format!("seat {seat}: {problem}"))?;
            let stranger =
                self.players.iter().find(|other| other.policy != PlayerPolicy::Regular && other.seat != seat);
            if let (true, Some(stranger)) = (player.counts(), stranger) {
                return Err(format!(
                    "seat {seat} banks by exact counts, but the settings of seat {} cannot be enumerated; set bank = \
                     \"always\" or \"never\" for seat {seat}, or a way and policy = \"regular\" for seat {}",
                    stranger.seat, stranger.seat
                ));
            }
        }
        self.rules.check_bankrolls(&self.bankrolls())
    }

    /// Validates a configuration for play. Agents are not allowed in it, because their moves are only known from a
    /// history.
    pub fn check_played(&self) -> Result<(), String> {
        self.check()?;
        match self.players.iter().find(|player| player.policy == PlayerPolicy::Agent) {
            Some(agent) => Err(format!(
                "seat {}: policy = \"agent\" is only for histories from other programs; use regular or random",
                agent.seat
            )),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../../../../../configs/table.toml");

    #[test]
    fn the_example_is_valid_and_errors_are_specific() {
        let example: TableRunConfig = toml::from_str(EXAMPLE).unwrap();
        assert_eq!(example.check(), Ok(()));
        assert_eq!(toml::from_str::<TableRunConfig>(&toml::to_string(&example).unwrap()).unwrap(), example);
        let broken = |from: &str, to: &str| {
            assert!(EXAMPLE.contains(from), "{from}");
            match toml::from_str::<TableRunConfig>(&EXAMPLE.replacen(from, to, 1)) {
                Ok(config) => config.check().unwrap_err(),
                Err(error) => error.to_string(),
            }
        };
        for (from, to, part) in [
            ("seat = 1", "seat = 9", "expected 1 to"),
            ("seat = 2", "seat = 1", "two players have seat 1"),
            ("rounds = 20", "rounds = 0", "at least 1"),
            ("rounds = 20", "round = 20", "round"),
            ("bankroll = 2000", "bankroll = 1", "below the minimum bet"),
            ("bank = \"when-profitable\"", "bank = \"sometimes\"", "when-profitable"),
            ("bet = 100", "bet = 100\nbet-share = 0.1", "keep one of them"),
            ("bet = 100", "bet = 10", "seat 1: bet = 10: must be between 20 and 2000"),
            ("bet = 100", "bet = 2001", "seat 1: bet = 2001"),
            ("bet = 60", "bet = 2996", "seat 2: bet = 2996: must be between 20 and 2000"),
            (
                "bankroll = 3000",
                "bankroll = 64",
                "seat 2: bankroll = 64: must cover the bet of 60 and the side bet of 5",
            ),
            ("side = 5", "side = -5", "seat 2: side = -5: must be 0 (no side bet) or between 5 and 100"),
            ("side = 5", "side = 3", "seat 2: side = 3"),
            ("bet-share = 0.02", "bet-share = 0", "seat 6: bet-share = 0 never bets"),
            ("name = \"Cleo\"", "name = \"Ada\"", "seat 4: name = \"Ada\" is used by seat 1"),
            ("way = \"lowest-front\"", "policy = \"random\"", "cannot be enumerated"),
        ] {
            let error = broken(from, to);
            assert!(error.contains(part), "{to}: {error}");
        }
    }
}
