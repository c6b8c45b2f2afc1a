//! The command `houseway drill` asks for decisions for practice and judges the answers exactly.

use crate::analysis::LAYOUTS;
use crate::console::{CommandResult, Failure, ForceOptions, GameOptions, OrUsage, OutputOptions, input_lines, print};
use crate::drill::{Answer, DrillRecord, DrillRequest, DrillSource, Question, Score};
use crate::play::{data_folder, random_seed};
use crate::report::wrapped_lines;
use crate::run::{FileLock, Output, check_outputs, folder_of, make_folder, write_atomic};
use clap::Args;
use houseway_env::registry;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Practice decisions: those that common strategies get wrong, and those that you got wrong before
///
/// Type the name of an action. If a hand is set, type the two cards to put in front, like "7c 7d", or their positions,
/// like "4 5" for the fourth and fifth cards. 'house', 'skip' and 'quit' are commands. Every answer is saved.
#[derive(Args)]
pub struct DrillArgs {
    /// The number of hands to play
    #[arg(long, value_name = "N", default_value_t = 20)]
    hands: usize,
    /// The house way to compare with, by name or file, in games with house ways
    #[arg(long)]
    way: Option<String>,
    /// The banker's house way, in games with house ways
    #[arg(long, value_name = "WAY")]
    banker: Option<String>,
    /// The seed for the hands in a new drill
    #[arg(long)]
    seed: Option<u64>,
    /// The drill file [default: one per game in the user's data folder]
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
        let game = registry::find(&self.game.game).or_usage()?;
        let rules = self.game.solver_config([].into())?;
        let request = DrillRequest { game, rules, way: self.way.clone(), banker: self.banker.clone() };
        let source = request.source(LAYOUTS).or_usage()?;
        let path = match &self.session {
            Some(path) => path.clone(),
            None => data_folder()?.join(format!("drill-{}.json", game.name)),
        };
        make_folder(folder_of(&path))?;
        let outputs: Vec<Output> = self.export.iter().map(|export| Output::new("--export", export)).collect();
        let _outputs = check_outputs(&outputs, std::slice::from_ref(&path), self.force.force).or_usage()?;
        let _lock = FileLock::file(&path, false).or_usage()?;
        let mut record = self.record(&path, source.id())?;
        let before = record.answers.len();
        let strategy = self.ask(&source, &mut record, &path)?;
        self.score(&record.answers[before..], strategy.as_deref())?;
        match &self.export {
            Some(export) => Ok(write_atomic(export, record.csv()?)?),
            None => Ok(()),
        }
    }

    fn record(&self, path: &Path, game: &str) -> CommandResult<DrillRecord> {
        let saved = if self.new { None } else { DrillRecord::load(path).or_usage()? };
        let shown = path.display();
        match saved {
            None => Ok(DrillRecord::new(game.to_owned(), self.seed.unwrap_or_else(random_seed))),
            Some(record) if record.game != game => Err(Failure::usage(format!(
                "{shown} is a drill of another game, under other rules or against another banker; use the same ones, start \
                 a new drill with --new, or choose another file with --session"
            ))),
            Some(record) if self.seed.is_some_and(|seed| seed != record.seed) => Err(Failure::usage(format!(
                "{shown} is a drill with the seed {}; omit --seed, or start a new drill with --new",
                record.seed
            ))),
            Some(record) => Ok(record),
        }
    }

    /// Asks questions until there are enough answers or the input ends. Returns the name of the strategy that the
    /// answers are compared with.
    fn ask(&self, source: &DrillSource, record: &mut DrillRecord, path: &Path) -> CommandResult<Option<String>> {
        let mut lines = input_lines();
        let mut strategy = None;
        for number in 1..=self.hands {
            let question = Question::next(source, record).or_usage()?;
            strategy = question.strategy().map(str::to_owned);
            self.write_question(number, &question)?;
            let action = loop {
                let Some(line) = lines.next().transpose()? else { return Ok(strategy) };
                match line.trim().to_lowercase().as_str() {
                    "" => {}
                    "quit" | "q" => return Ok(strategy),
                    "skip" => break None,
                    "house" | "house way" if question.house_action().is_some() => break question.house_action(),
                    text => match question.parse_action(text) {
                        Ok(action) => break Some(action),
                        Err(reason) => {
                            self.write(
                                &json!({ "event": "refused", "reason": reason }),
                                &format!("refused: {reason}"),
                            )?;
                        }
                    },
                }
            };
            match action {
                Some(action) => {
                    let answer = question.judge(action);
                    self.show(&question, &answer)?;
                    record.add(answer);
                }
                None => record.postpone(&question.position),
            }
            record.save(path)?;
        }
        Ok(strategy)
    }

    fn write(&self, event: &Value, text: &str) -> CommandResult {
        if self.output.json { print(&format!("{event}\n")) } else { print(&wrapped_lines(text)) }
    }

    fn write_question(&self, number: usize, question: &Question<'_>) -> CommandResult {
        let (hand, review, actions) = (&question.position, question.is_review, question.action_names());
        let again = if review { " (again)" } else { "" };
        let choices = if actions.is_empty() { String::new() } else { format!(": {}", actions.join(", ")) };
        self.write(
            &json!({ "event": "hand", "number": number, "hand": hand, "review": review, "actions": actions }),
            &format!("{number}/{}: {hand}{again}{choices}", self.hands),
        )
    }

    fn show(&self, question: &Question<'_>, answer: &Answer) -> CommandResult {
        let mut event = json!(answer);
        event["event"] = "answer".into();
        self.write(&event, &question.sentences(answer).join("\n  "))
    }

    fn score(&self, answers: &[Answer], strategy: Option<&str>) -> CommandResult {
        let score = Score::new(answers);
        let mut event = json!(score);
        event["event"] = "score".into();
        self.write(&event, &score.text(strategy))
    }
}
