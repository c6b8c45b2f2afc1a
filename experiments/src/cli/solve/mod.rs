//! `houseway solve`: a whole game, counted. A file for each game that can answer, a line in [`OFFERS`].

mod pai_gow;

use super::{GameOptions, Offer, OrUsage, Outcome, OutputOptions, ThreadOptions, offers};
use crate::run::{prepare_file, write_atomic};
use crate::solve::{Bank, Part};
use clap::Args;
use std::path::PathBuf;

/// What each game answers.
const OFFERS: &[Offer<Solve>] = &[Offer {
    game: "pai-gow-poker",
    options: &["--player", "--banker", "--bank", "--shard", "--merge", "--resume", "--table", "--strategy"],
    run: pai_gow::run,
}];

/// Count all deals of a game
///
/// Pai Gow Poker: all 8,250,459,031,214,400 deals for a pair of strategies. A strategy is the name or file of a house way,
/// the file of a strategy table (see --strategy), or 'optimal': the best answer to the other side.
#[derive(Args)]
pub(super) struct Solve {
    /// Pai Gow Poker: how the player sets, a house way by name or file, a strategy table, or 'optimal' [default: trump-plaza]
    #[arg(long, value_name = "S")]
    player: Option<String>,
    /// Pai Gow Poker: how the banker sets, a house way by name or file, a strategy table, or 'optimal' [default: trump-plaza]
    #[arg(long, value_name = "S")]
    banker: Option<String>,
    /// Pai Gow Poker: who banks; with 'player', the bank pays the commission on every bet that it wins [default: house]
    #[arg(long, value_enum)]
    bank: Option<Bank>,
    /// Pai Gow Poker: count shard i of n alone, numbered from 1; --merge adds them up
    #[arg(long, value_name = "i/n")]
    shard: Option<Part>,
    /// Pai Gow Poker: add up the results of all shards instead of counting
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["player", "banker", "bank", "shard", "game", "rules", "set", "resume", "table", "strategy"])]
    merge: Vec<PathBuf>,
    /// Pai Gow Poker: keep what is counted in a file; a count that was cut off goes on from there, and the file is removed
    /// once there is a result
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "strategy"])]
    resume: Option<PathBuf>,
    /// Pai Gow Poker: write all 6,972,147 classes of hands, with wins and losses of all settings, as a Parquet file: the
    /// player's hands, or the banker's if he is the optimal one
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Pai Gow Poker: write how that side sets each class as a strategy table (safetensors, 7 MB), which --player and
    /// --banker take
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    strategy: Option<PathBuf>,
    /// Write the result as JSON into a file as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Solve {
    pub(super) fn run(self) -> Outcome {
        self.threads.start()?;
        let given = [
            ("--player", self.player.is_some()),
            ("--banker", self.banker.is_some()),
            ("--bank", self.bank.is_some()),
            ("--shard", self.shard.is_some()),
            ("--merge", !self.merge.is_empty()),
            ("--resume", self.resume.is_some()),
            ("--table", self.table.is_some()),
            ("--strategy", self.strategy.is_some()),
        ];
        let answer = offers::find("solve", OFFERS, &self.game.game, &given)?;
        for file in [&self.out, &self.resume, &self.table, &self.strategy].into_iter().flatten() {
            prepare_file(file).or_usage()?;
        }
        answer(&self)
    }

    /// Writes the result into the file that was asked for.
    fn write(&self, document: &serde_json::Value) -> Outcome {
        match &self.out {
            Some(out) => Ok(write_atomic(out, format!("{document:#}\n"))?),
            None => Ok(()),
        }
    }
}
