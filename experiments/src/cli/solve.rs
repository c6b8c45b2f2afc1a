//! `houseway solve`: all deals of the game for a pair of strategies.

use super::ways::{DEFAULT_WAY, compile};
use super::{Failure, GameOptions, OrUsage, Outcome, OutputOptions, ThreadOptions, print, print_json};
use crate::run::{cannot_read, check_writable, make_folder, stop_flag_with, write_atomic};
use crate::solve::{Answer, Bank, Bar, OPTIMAL, Pair, Part, Question, instructions_name, merge};
use clap::Args;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_exact::pai_gow::whole::{Instructions, Run};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Count all 8,250,459,031,214,400 deals for a pair of strategies
///
/// A strategy is the name or file of a house way, or 'optimal': the best answer to the other side. Tables of other
/// strategies cannot be read yet.
#[derive(Args)]
pub(super) struct Solve {
    /// How the player sets: a house way by name or file, or 'optimal'
    #[arg(long, value_name = "S", default_value = DEFAULT_WAY)]
    player: String,
    /// How the banker sets: a house way by name or file, or 'optimal'
    #[arg(long, value_name = "S", default_value = DEFAULT_WAY)]
    banker: String,
    /// Who banks: with 'player', the bank pays the commission on every bet that it wins
    #[arg(long, value_enum, default_value_t = Bank::House)]
    bank: Bank,
    /// Count shard i of n alone, numbered from 1; --merge adds them up
    #[arg(long, value_name = "i/n")]
    shard: Option<Part>,
    /// Add up the results of all shards instead of counting
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
        if let Some(out) = &self.out {
            let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            make_folder(folder).or_usage()?;
            check_writable(folder).or_usage()?;
        }
        if !self.merge.is_empty() {
            return self.answer(&self.merged()?, None);
        }
        let begun = Instant::now();
        let answer = self.counted()?;
        self.answer(&answer, Some(begun))
    }

    fn merged(&self) -> Outcome<Answer> {
        let read = |path: &PathBuf| {
            let name = path.display().to_string();
            let text = fs::read_to_string(path).map_err(|error| cannot_read(path, error)).or_usage()?;
            let answer = Answer::parse(&text).map_err(|error| Failure::usage(format!("cannot read {name}: {error}")));
            Ok((name, answer?))
        };
        let parts: Vec<(String, Answer)> = self.merge.iter().map(read).collect::<Outcome<_>>()?;
        merge(&parts).or_usage()
    }

    fn counted(&self) -> Outcome<Answer> {
        let game = self.game.pai_gow()?;
        let ways = self.ways(&game)?;
        let pair = match &ways[..] {
            [player, banker] => Pair::Ways { player, banker },
            [banker] if self.player == OPTIMAL => Pair::OptimalPlayer { banker },
            [player] => Pair::OptimalBanker { player },
            _ => unreachable!("one side at least is a house way"),
        };
        let stop = stop_flag_with("stopping: nothing is written (once more stops at once)")?;
        let bar = Bar::new("counting");
        let tell = |done, all| bar.tell(done, all);
        let shard = self.shard.map_or_else(|| Run::default().shard, Part::shard);
        let run = Run { shard, progress: Some(&tell), cancel: Some(&stop) };
        let counts = pair.count(&game, self.bank, &run).map_err(Failure::work)?;
        Ok(Answer { question: Question::new(pair, &game, self.bank), part: self.shard, counts })
    }

    /// The house ways of the sides that are not optimal, the player's first.
    fn ways(&self, game: &Game) -> Outcome<Vec<HouseWay>> {
        let names: Vec<&str> = [&self.player, &self.banker].into_iter().map(String::as_str).collect();
        let named: Vec<&str> = names.into_iter().filter(|&name| name != OPTIMAL).collect();
        for name in &named {
            Way::load(name).map_err(|error| Failure::usage(format!("{error}; {STRATEGIES}")))?;
        }
        let ways: Vec<Way> = match named[..] {
            [player, banker] => self.game.ways([player, banker])?.into(),
            [one] => self.game.ways([one])?.into(),
            _ => {
                return Err(Failure::usage(
                    "both sides are optimal, but an optimum answers a strategy: name one of the two with --player or \
                     --banker",
                ));
            }
        };
        ways.into_iter().map(|way| compile(way, game)).collect()
    }

    fn answer(&self, answer: &Answer, begun: Option<Instant>) -> Outcome {
        let document = answer.json();
        if let Some(out) = &self.out {
            write_atomic(out, format!("{document:#}\n"))?;
        }
        let seconds = begun.map(|begun| begun.elapsed().as_secs_f64());
        let (instructions, threads) = (instructions_name(Instructions::detect()), rayon::current_num_threads());
        if self.output.json {
            let mut document = document;
            if let Some(seconds) = seconds {
                document["machine"] = json!({ "instructions": instructions, "threads": threads, "seconds": seconds });
            }
            return print_json(&document);
        }
        print(&answer.text())?;
        match seconds {
            Some(seconds) => {
                print(&format!("\ncounted in {seconds:.1} s, threads: {threads}, instructions: {instructions}\n"))
            }
            None => Ok(()),
        }
    }
}

/// What a side can be.
const STRATEGIES: &str = "a side is the name or file of a house way, or 'optimal'; tables of other strategies cannot be \
                          read yet";
