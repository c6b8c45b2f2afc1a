//! Pai Gow Poker: all deals of the game for a pair of strategies.

use super::Solve;
use crate::cli::ways::{DEFAULT_WAY, compile};
use crate::cli::{Failure, OrUsage, Outcome, print, print_json};
use crate::run::{cannot_read, stop_flag_with};
use crate::solve::{Answer, Bank, Bar, OPTIMAL, Pair, Part, Question, instructions_name, merge};
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_exact::pai_gow::whole::{Instructions, Run};
use serde_json::json;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// Counts all deals for the pair of strategies, or adds up the shards of such a count.
pub(super) fn run(solve: &Solve) -> Outcome {
    if !solve.merge.is_empty() {
        return solve.answer(&solve.merged()?, None);
    }
    let begun = Instant::now();
    let answer = solve.counted()?;
    solve.answer(&answer, Some(begun))
}

impl Solve {
    fn sides(&self) -> [&str; 2] {
        [&self.player, &self.banker].map(|side| side.as_deref().unwrap_or(DEFAULT_WAY))
    }

    fn bank(&self) -> Bank {
        self.bank.unwrap_or(Bank::House)
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
            [banker] if self.sides()[0] == OPTIMAL => Pair::OptimalPlayer { banker },
            [player] => Pair::OptimalBanker { player },
            _ => unreachable!("one side at least is a house way"),
        };
        let stop = stop_flag_with("stopping: nothing is written (once more stops at once)")?;
        let bar = Bar::new("counting");
        let tell = |done, all| bar.tell(done, all);
        let shard = self.shard.map_or_else(|| Run::default().shard, Part::shard);
        let run = Run { shard, progress: Some(&tell), cancel: Some(&stop) };
        let counts = pair.count(&game, self.bank(), &run).map_err(Failure::work)?;
        Ok(Answer { question: Question::new(pair, &game, self.bank()), part: self.shard, counts })
    }

    /// The house ways of the sides that are not optimal, the player's first.
    fn ways(&self, game: &Game) -> Outcome<Vec<HouseWay>> {
        let named: Vec<&str> = self.sides().into_iter().filter(|&name| name != OPTIMAL).collect();
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
        self.write(&document)?;
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
