//! The command `houseway table` runs tables from a configuration and verifies histories.

use crate::analysis::pai_gow::table_run::{CACHE, OpenTable, Played, TableRunConfig, VerifyError, open, play, verify};
use crate::console::{CommandResult, Failure, ForceOptions, OutputOptions, print, print_json};
use crate::report::{TextTable, terminal, wrapped};
use crate::run::{Output, cannot_read, cannot_write_by, check_outputs, create_file, load_config, stop_flag_with};
use clap::Args;
use houseway_env::files;
use houseway_env::pai_gow::table::{Verified, chips};
use serde_json::json;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

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
    /// The folder where outcome counts are cached, for players whose banking depends on them
    #[arg(long, value_name = "DIR", default_value = CACHE)]
    counts: PathBuf,
    #[command(flatten)]
    output: OutputOptions,
}

impl TableArgs {
    pub(super) fn run(self) -> CommandResult {
        match (&self.verify, &self.config) {
            (Some(path), _) => self.verify(path),
            (None, Some(path)) => self.play(path),
            (None, None) => Err(Failure::usage("expected a configuration, or a history with --verify")),
        }
    }

    fn verify(&self, path: &Path) -> CommandResult {
        let file = files::open(path).map_err(|error| cannot_read(path, error)).map_err(Failure::usage)?;
        let name = path.display();
        let stop = stop_flag_with("stopping: finished counts are kept (press again to stop immediately)")?;
        let verified = verify(BufReader::new(file), &self.counts, &stop);
        let (Verified { rounds, closed }, setup) = verified.map_err(|error| match error {
            VerifyError::Differs(error) => Failure::work(format!("{name} does not match its replay: {error}")),
            VerifyError::Stopped => Failure::work("stopped"),
            error => Failure::usage(format!("{name} cannot be verified: {error}")),
        })?;
        if !closed {
            return Err(Failure::work(format!(
                "{name} is unfinished: it has no footer, probably because it was interrupted. Its {rounds} complete \
                 rounds match their replay, but later rounds may be missing, and no checksum confirms the names"
            )));
        }
        if self.output.json {
            return print_json(&json!({ "history": path, "rounds": rounds, "setup": setup, "verified": true }));
        }
        print(&format!("{name}: {rounds} rounds replayed, every card, chip and move as recorded\n"))
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
        let mut open = open(config, &self.counts, &stop)
            .map_err(|error| Failure::usage(format!("{}: {error:#}", path.display())))?
            .ok_or_else(stopped)?;
        let played = match &self.history {
            None => self.rounds(&mut open, None, &stop)?,
            Some(history) => {
                let cannot_write = |error| Failure::from(cannot_write_by("--history", history, error));
                let mut file = create_file(history, self.force.force).map_err(cannot_write)?;
                let played = self.rounds(&mut open, Some(&mut file), &stop);
                let played = played.map_err(|error| match error.downcast::<std::io::Error>() {
                    Ok(error) => cannot_write(error),
                    Err(error) => Failure::from(error),
                })?;
                file.sync_all().map_err(cannot_write)?;
                played
            }
        };
        self.answer(&played)
    }

    fn rounds(
        &self,
        open: &mut OpenTable,
        history: Option<&mut dyn std::io::Write>,
        stop: &AtomicBool,
    ) -> anyhow::Result<Played> {
        let shown = !self.quiet && !self.output.json;
        play(open, history, stop, |table| {
            if shown {
                print(&format!("{}\n\n", table.render()))?;
            }
            Ok(())
        })
    }

    fn answer(&self, played: &Played) -> CommandResult {
        if self.output.json {
            let mut document = serde_json::to_value(played).map_err(Failure::work)?;
            document["history"] = json!(self.history);
            return print_json(&document);
        }
        let header = ["seat", "player", "chips before", "after", "won", "hands", "banked"];
        let mut table = (2..header.len()).fold(TextTable::new(header), TextTable::right);
        for seat in &played.seats {
            table = table.row([
                seat.seat.to_string().as_str(),
                &seat.name,
                &chips(seat.before),
                &chips(seat.after),
                &chips(seat.after - seat.before),
                &seat.hands.to_string(),
                &seat.banked.to_string(),
            ]);
        }
        let books = played.books;
        let written = self.history.as_ref().map_or(String::new(), |path| format!("history: {}\n", path.display()));
        let rules = format!(
            "house way: {}; rules of the table {}, of the game {}\n",
            played.house_way, played.rules_hash, played.game_rules_hash
        );
        print(&format!(
            "{}\nrounds: {}; the house won {} on hands, {} on side bets and received {} in commissions\n{}{written}",
            terminal(&table),
            played.rounds,
            chips(books.hands),
            chips(books.side_bets),
            chips(books.commissions),
            wrapped(&rules)
        ))
    }
}
