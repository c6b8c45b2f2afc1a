//! Pai Gow Poker: all deals of the game for a pair of strategies.

use super::Solve;
use crate::analysis::pai_gow::solve::{
    Answer, Bank, ClassSink, ClassesWriter, Pair, Part, Pass, Question, ResumeError, StrategySink, count_resumable,
    merge,
};
use crate::console::{Failure, OrUsage, Outcome, print, print_json};
use crate::run::{ProgressBar, cannot_read, cannot_write_by, peak_memory, stop_flag_with};
use houseway_env::pai_gow::house_way::Way;
use houseway_exact::pai_gow::whole::{DealCounts, Instructions, Run, Shard};
use serde_json::{Value, json};
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
    solve.answer(&answer, Some(begun))?;
    match &solve.resume {
        Some(done) => fs::remove_file(done).map_err(|error| cannot_write_by("--resume", done, error).into()),
        None => Ok(()),
    }
}

impl Solve {
    fn sides(&self) -> [&str; 2] {
        [&self.player, &self.banker].map(|side| side.as_deref().unwrap_or(Way::DEFAULT))
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
        let [player, banker] = self.game.strategies(self.sides(), &game)?;
        let pair = match (player.given(), banker.given()) {
            (Some(player), Some(banker)) => Pair::Given { player, banker },
            (None, Some(banker)) => Pair::OptimalPlayer { banker },
            (Some(player), None) => Pair::OptimalBanker { player },
            (None, None) => {
                return Err(Failure::usage(
                    "both sides are optimal, but an optimum answers a strategy: name one of the two with --player or \
                     --banker",
                ));
            }
        };
        let pass = pair.pass(&game, self.bank()).or_usage()?;
        let question = Question::new(pair, &game, self.bank());
        let counts = self.count(&pass, &question)?;
        Ok(Answer { question, part: self.shard, counts })
    }

    fn count(&self, pass: &Pass<'_>, question: &Question) -> Outcome<DealCounts> {
        let stop = stop_flag_with(match self.resume {
            Some(_) => "stopping: the same command goes on from here (once more stops at once)",
            None => "stopping: nothing is written (once more stops at once)",
        })?;
        let bar = ProgressBar::new("counting", "hands");
        let tell = |done, all| bar.update(done, all);
        if let Some(path) = &self.resume {
            let counts =
                count_resumable(pass, question, self.shard, path, &tell, &stop).map_err(|error| match error {
                    ResumeError::Io(error) => Failure::work(error),
                    error => Failure::usage(error),
                })?;
            let stopped = || Failure::work(format!("stopped; the same command goes on with {}", path.display()));
            return counts.ok_or_else(stopped);
        }
        let shard = self.shard.map_or(Shard::WHOLE, Part::shard);
        let run = Run { shard, progress: Some(&tell), cancel: Some(&stop) };
        let strategy = self.strategy.as_ref().map(|_| StrategySink::default());
        let classes = self.table.as_ref().map(|path| ClassesWriter::new(pass, path, &stop));
        let classes = classes.transpose().map_err(Failure::work)?;
        let strategy_sink = strategy.iter().map(|sink| sink as &dyn ClassSink);
        let sinks: Vec<&dyn ClassSink> =
            strategy_sink.chain(classes.iter().map(|sink| sink as &dyn ClassSink)).collect();
        let counts =
            pass.count(&run, &sinks).map_err(|stopped| match classes.as_ref().and_then(ClassesWriter::failure) {
                Some(failure) => Failure::work(failure),
                None => Failure::work(stopped),
            })?;
        drop(bar);
        if let (Some(path), Some(sink)) = (&self.strategy, strategy) {
            sink.table(pass).save(path, pass.side(), question)?;
        }
        if let Some(classes) = classes {
            let bar = ProgressBar::new("writing", "hands");
            let tell = |done, all| bar.update(done, all);
            classes.write(pass, question, self.shard, &tell).map_err(Failure::work)?;
        }
        Ok(counts)
    }

    fn answer(&self, answer: &Answer, begun: Option<Instant>) -> Outcome {
        let document = answer.json();
        self.write(&document)?;
        let machine = begun.map(Machine::since);
        if self.output.json {
            let mut document = document;
            if let Some(machine) = machine {
                document["machine"] = machine.json();
            }
            return print_json(&document);
        }
        print(&answer.text())?;
        machine.map_or(Ok(()), |machine| print(&machine.text()))
    }
}

/// How a count went on this machine.
struct Machine {
    seconds: f64,
    threads: usize,
    instructions: &'static str,
    peak_memory: Option<u64>,
}

impl Machine {
    fn since(begun: Instant) -> Machine {
        Machine {
            seconds: begun.elapsed().as_secs_f64(),
            threads: rayon::current_num_threads(),
            instructions: Instructions::detect().name(),
            peak_memory: peak_memory(),
        }
    }

    fn json(&self) -> Value {
        let Machine { seconds, threads, instructions, peak_memory } = self;
        json!({ "instructions": instructions, "threads": threads, "seconds": seconds, "peak_memory": peak_memory })
    }

    fn text(&self) -> String {
        let Machine { seconds, threads, instructions, peak_memory } = self;
        let memory =
            peak_memory.map_or(String::new(), |bytes| format!(", peak memory: {} MB", bytes.div_ceil(1_000_000)));
        format!("\ncounted in {seconds:.1} s, threads: {threads}, instructions: {instructions}{memory}\n")
    }
}
