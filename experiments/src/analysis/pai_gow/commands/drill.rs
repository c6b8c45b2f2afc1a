//! The command `houseway drill` deals hands for practice and judges the answers exactly.

use super::ways::compile;
use crate::analysis::pai_gow::drill::{Answer, DrillRecord, HandSource, Question, Score};
use crate::console::{CommandResult, Failure, ForceOptions, GameOptions, OrUsage, OutputOptions, print};
use crate::play::{data_folder, random_seed};
use crate::report::wrapped_lines;
use crate::run::{FileLock, Output, check_outputs, folder_of, make_folder, write_atomic};
use clap::Args;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Strategy};
use houseway_exact::pai_gow::BankerTable;
use serde_json::json;
use std::io::{self, BufRead};
use std::path::PathBuf;

/// Practice setting hands: those that house ways set wrong, and those that you got wrong before
///
/// Type the two cards to put in front, like "7c 7d", or their positions, like "4 5" for the fourth and fifth cards.
/// 'house', 'skip' and 'quit' are commands. Every answer is saved.
#[derive(Args)]
pub struct DrillArgs {
    /// The number of hands to play
    #[arg(long, value_name = "N", default_value_t = 20)]
    hands: usize,
    /// The house way to compare with, by name or file
    #[arg(long, default_value = Way::DEFAULT)]
    way: String,
    /// The banker's house way
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT)]
    banker: String,
    /// The seed for the hands in a new drill
    #[arg(long)]
    seed: Option<u64>,
    /// The drill file [default: one in the user's data folder]
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Start a new drill that replaces the saved one
    #[arg(long)]
    new: bool,
    /// Write all of the drill's answers as CSV at the end
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl DrillArgs {
    pub(super) fn run(self) -> CommandResult {
        let game = self.game.pai_gow()?;
        let [way, banker] = self.game.ways([&self.way, &self.banker])?;
        let (way, banker) = (compile(way, &game)?, compile(banker, &game)?);
        let path = match &self.session {
            Some(path) => path.clone(),
            None => data_folder()?.join("drill.json"),
        };
        make_folder(folder_of(&path))?;
        let outputs: Vec<Output> = self.export.iter().map(|export| Output::new("--export", export)).collect();
        check_outputs(&outputs, std::slice::from_ref(&path), self.force.force).or_usage()?;
        let _lock = FileLock::try_file(&path).or_usage()?;
        let mut record = self.record(&path, format!("{} {}", game.rules().hash(), banker.hash()))?;
        let table = BankerTable::new(&banker);
        let source = HandSource::new(&game, &table, record.seed).or_usage()?;
        let before = record.answers.len();
        self.ask(&game, &way, &source, &mut record, &path)?;
        self.score(&record.answers[before..], way.way().name())?;
        match &self.export {
            Some(export) => Ok(write_atomic(export, record.csv()?)?),
            None => Ok(()),
        }
    }

    fn record(&self, path: &std::path::Path, game: String) -> CommandResult<DrillRecord> {
        let saved = if self.new { None } else { DrillRecord::load(path).or_usage()? };
        let shown = path.display();
        match saved {
            None => Ok(DrillRecord::new(game, self.seed.unwrap_or_else(random_seed))),
            Some(record) if record.game != game => Err(Failure::usage(format!(
                "{shown} is a drill under other rules or against another banker; use the same ones, start a new drill \
                 with --new, or choose another file with --session"
            ))),
            Some(record) if self.seed.is_some_and(|seed| seed != record.seed) => Err(Failure::usage(format!(
                "{shown} is a drill with the seed {}; omit --seed, or start a new drill with --new",
                record.seed
            ))),
            Some(record) => Ok(record),
        }
    }

    /// Asks questions until there are enough answers or the input ends.
    fn ask(
        &self,
        game: &Game,
        way: &HouseWay,
        source: &HandSource<'_>,
        record: &mut DrillRecord,
        path: &std::path::Path,
    ) -> CommandResult {
        let mut lines = io::stdin().lock().lines();
        for number in 1..=self.hands {
            let question = Question::next(source, record).or_usage()?;
            self.write(
                json!({ "event": "hand", "number": number, "hand": question.hand.to_string(), "review": question.is_review }),
                format!("{number}/{}: {}{}", self.hands, question.hand, if question.is_review { " (again)" } else { "" }),
            )?;
            let setting = loop {
                let Some(line) = lines.next().transpose()? else { return Ok(()) };
                match line.trim().to_lowercase().as_str() {
                    "" => {}
                    "quit" | "q" => return Ok(()),
                    "skip" => break None,
                    "house" | "house way" => break Some(way.set(question.hand)),
                    text => match question.parse_front(game, text) {
                        Ok(setting) => break Some(setting),
                        Err(reason) => {
                            self.write(json!({ "event": "refused", "reason": reason }), format!("refused: {reason}"))?;
                        }
                    },
                }
            };
            match setting {
                Some(setting) => {
                    let answer = question.judge(way, setting);
                    self.show(way, &question, &answer)?;
                    record.add(answer);
                }
                None => record.postpone(&question.hand.to_string()),
            }
            record.save(path)?;
        }
        Ok(())
    }

    fn write(&self, event: serde_json::Value, text: String) -> CommandResult {
        if self.output.json { print(&format!("{event}\n")) } else { print(&wrapped_lines(&text)) }
    }

    fn show(&self, way: &HouseWay, question: &Question, answer: &Answer) -> CommandResult {
        let mut event = json!(answer);
        event["event"] = "answer".into();
        self.write(event, answer.sentences(way, question.hand).join("\n  "))
    }

    fn score(&self, answers: &[Answer], way: &str) -> CommandResult {
        let score = Score::new(answers);
        let mut event = json!(score);
        event["event"] = "score".into();
        self.write(event, score.text(way))
    }
}
