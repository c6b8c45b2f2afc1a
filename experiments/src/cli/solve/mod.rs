//! `houseway solve`: a whole game, counted. A file for each game that can answer, a line in [`OFFERS`].

mod pai_gow;

use super::{GameOptions, Offer, OrUsage, Outcome, OutputOptions, ThreadOptions, offers};
use crate::run::{check_writable, make_folder, write_atomic};
use crate::solve::{Bank, Part};
use clap::Args;
use std::path::{Path, PathBuf};

/// What each game answers.
const OFFERS: &[Offer<Solve>] = &[Offer {
    game: "pai-gow-poker",
    options: &["--player", "--banker", "--bank", "--shard", "--merge"],
    run: pai_gow::run,
}];

/// Count all deals of a game
///
/// Pai Gow Poker: all 8,250,459,031,214,400 deals for a pair of strategies. A strategy is the name or file of a house way,
/// or 'optimal': the best answer to the other side. Tables of other strategies cannot be read yet.
#[derive(Args)]
pub(super) struct Solve {
    /// Pai Gow Poker: how the player sets, a house way by name or file, or 'optimal' [default: trump-plaza]
    #[arg(long, value_name = "S")]
    player: Option<String>,
    /// Pai Gow Poker: how the banker sets, a house way by name or file, or 'optimal' [default: trump-plaza]
    #[arg(long, value_name = "S")]
    banker: Option<String>,
    /// Pai Gow Poker: who banks; with 'player', the bank pays the commission on every bet that it wins [default: house]
    #[arg(long, value_enum)]
    bank: Option<Bank>,
    /// Pai Gow Poker: count shard i of n alone, numbered from 1; --merge adds them up
    #[arg(long, value_name = "i/n")]
    shard: Option<Part>,
    /// Pai Gow Poker: add up the results of all shards instead of counting
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["player", "banker", "bank", "shard", "game", "rules", "set"])]
    merge: Vec<PathBuf>,
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
        ];
        let answer = offers::find("solve", OFFERS, &self.game.game, &given)?;
        if let Some(out) = &self.out {
            let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            make_folder(folder).or_usage()?;
            check_writable(folder).or_usage()?;
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
