//! `houseway table`: tables run from a configuration, with a history that records every hand, and a way to verify it.
//!
//! - [`TableRunConfig`] is the configuration. [`TableWay`] is a way that can be used at a table, and `SeatedWays` are the
//!   strategies of all seats, of any kind.
//! - `open` opens a table with its players, and `play` plays it.
//! - [`Known`] decides about banking according to exact counts, which are passes over all deals.

mod config;
mod play;

pub use config::{PlayerConfig, PlayerPolicy, TableRunConfig};
pub use play::{Known, PLAIN_WAYS, TableWay};
pub(crate) use play::{SeatedWays, seat_way};

use super::runner::unless_stopped;
use crate::console::{CommandResult, Failure, ForceOptions, OutputOptions, StoreOptions, print};
use crate::run::{Output, cannot_read, cannot_write_by, check_outputs, create_file, load_config, stop_flag_with};
use clap::Args;
use houseway_env::files;
use houseway_env::gym::{HistoryError, StreamSeed, Verified};
use houseway_env::pai_gow::table::{HistoryReader, Table};
use houseway_exact::answer::{Answer, Section};
use play::{open, play};
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["config", "history", "rounds", "seed"])]
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
