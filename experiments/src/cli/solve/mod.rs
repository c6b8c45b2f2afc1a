//! `houseway solve`: a whole game, counted. A file for each game that can answer, a line in [`OFFERS`].

mod asian_stud;
mod joker_seven;
mod pai_gow;
mod ultimate_holdem;

use crate::analysis::pai_gow::solve::{Bank, Part};
use crate::cli::offers::{self, Offer};
use crate::console::{GameOptions, OrUsage, Outcome, OutputOptions, ThreadOptions};
use crate::run::{prepare_file, write_atomic};
use clap::Args;
use houseway_env::paytable::{Bet, Paytable};
use std::path::PathBuf;

/// What each game answers.
const OFFERS: &[Offer<Solve>] = &[
    Offer {
        game: "pai-gow-poker",
        options: &["--player", "--banker", "--bank", "--shard", "--merge", "--resume", "--table", "--strategy"],
        run: pai_gow::run,
    },
    Offer { game: "ultimate-holdem", options: &["--player", "--trips"], run: ultimate_holdem::run },
    Offer { game: "joker-seven", options: &["--paytable", "--enumerate"], run: joker_seven::run },
    Offer { game: "asian-stud", options: &["--paytable"], run: asian_stud::run },
];

/// Count all deals of a game
///
/// Pai Gow Poker: all 8,250,459,031,214,400 deals for a pair of strategies. A strategy is the name or file of a house way,
/// the file of a strategy table (see --strategy), or 'optimal': the best answer to the other side.
///
/// Ultimate Texas Hold'em: all 27,813,810,024,000 deals for the optimal strategy or the published simple one.
///
/// Joker Seven: every wager on all 177,100,560 hands. Asian Stud: what raising is worth with every hand.
#[derive(Args)]
pub(super) struct Solve {
    /// How the player plays. Pai Gow Poker: a house way by name or file, a strategy table, or 'optimal' [default:
    /// trump-plaza]; Ultimate Texas Hold'em: 'optimal' or 'simple' [default: optimal]
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
    /// Ultimate Texas Hold'em: antes staked on Trips, 0 to 1000; matters if a fold loses them [default: 0]
    #[arg(long, value_name = "ANTES", value_parser = clap::value_parser!(u32).range(..=1000))]
    trips: Option<u32>,
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
    /// Joker Seven, Asian Stud: the paytable of the wagers or of the side bet, by name or file
    #[arg(long, value_name = "NAME")]
    paytable: Option<String>,
    /// Joker Seven: ask the rules about every single hand as well, and compare
    #[arg(long)]
    enumerate: bool,
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
            ("--trips", self.trips.is_some()),
            ("--merge", !self.merge.is_empty()),
            ("--resume", self.resume.is_some()),
            ("--table", self.table.is_some()),
            ("--strategy", self.strategy.is_some()),
            ("--paytable", self.paytable.is_some()),
            ("--enumerate", self.enumerate),
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

/// The paytable with this name or path, or the default one.
fn paytable<B: Bet>(name: Option<&str>) -> Outcome<Paytable<B>> {
    name.map_or_else(|| Ok(Paytable::default()), |name| Paytable::load(name).or_usage())
}
