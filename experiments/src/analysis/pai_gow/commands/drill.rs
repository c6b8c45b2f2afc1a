//! `houseway drill`: hands for practice, with exact answers.

use super::ways::compile;
use crate::analysis::pai_gow::drill::{Answer, DrillRecord, HandSource, Score};
use crate::console::{CommandResult, Failure, ForceOptions, GameOptions, OrUsage, OutputOptions, print};
use crate::play::{data_folder, random_seed};
use crate::report::wrapped_lines;
use crate::run::{FileLock, Output, check_outputs, folder_of, make_folder, write_atomic};
use clap::Args;
use houseway_env::cards::CardSet;
use houseway_env::pai_gow::house_way::{HouseWay, Shape, Way};
use houseway_env::pai_gow::{Game, Hand, Setting, Strategy};
use houseway_exact::format::percent;
use houseway_exact::pai_gow::{BankerTable, HandCounts};
use serde_json::json;
use std::io::{self, BufRead};
use std::path::PathBuf;

/// Practise setting hands: those that house ways set wrong, and your own mistakes again
///
/// Type the two cards in front, like "7c 7d" or "4 5" for the fourth and the fifth card; 'house', 'skip' and 'quit' are
/// commands. Every answer is saved.
#[derive(Args)]
pub struct DrillArgs {
    /// Number of hands
    #[arg(long, value_name = "N", default_value_t = 20)]
    hands: usize,
    /// House way to compare with, by name or file
    #[arg(long, default_value = Way::DEFAULT)]
    way: String,
    /// House way of the banker
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT)]
    banker: String,
    /// Seed of the hands of a new drill
    #[arg(long)]
    seed: Option<u64>,
    /// Drill file [default: one in the user's data folder]
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Start a new drill in place of the saved one
    #[arg(long)]
    new: bool,
    /// Write all answers of the drill as CSV at the end
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// A hand to be set by the player.
struct Question {
    hand: Hand,
    counts: HandCounts,
    is_review: bool,
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
                "{shown} is a drill under other rules or against another banker; use the same, start a new one with \
                 --new, or name another file with --session"
            ))),
            Some(record) if self.seed.is_some_and(|seed| seed != record.seed) => Err(Failure::usage(format!(
                "{shown} is a drill with the seed {}; leave --seed out, or start a new one with --new",
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
            let question = next_question(source, record)?;
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
                    text => match parse_front(game, question.hand, text) {
                        Ok(setting) => break Some(setting),
                        Err(reason) => {
                            self.write(json!({ "event": "refused", "reason": reason }), format!("refused: {reason}"))?;
                        }
                    },
                }
            };
            match setting {
                Some(setting) => {
                    let answer = answer(way, &question, setting);
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
        let Answer { front, best_front, house_front, ev, best_ev, regret, house_regret, .. } = answer;
        let mut event = json!(answer);
        event["event"] = "answer".into();
        let own = match *regret == 0.0 {
            true => format!("right: {front} in front is the best, EV {ev:+.5}"),
            false => {
                format!("wrong: {front} in front, EV {ev:+.5}, costs {regret:.5}; best: {best_front}, EV {best_ev:+.5}")
            }
        };
        let cost = if *house_regret == 0.0 { "the best".to_owned() } else { format!("which costs {house_regret:.5}") };
        let rule = way.rule(question.hand);
        let text = format!(
            "{own}\n  {}: {house_front}, {cost}, by its rule \"{}\": {}",
            way.way().name(),
            rule.name,
            rule.text.split_whitespace().collect::<Vec<_>>().join(" ")
        );
        self.write(event, text)
    }

    fn score(&self, answers: &[Answer], way: &str) -> CommandResult {
        let score = Score::new(answers);
        let mut event = json!(score);
        event["event"] = "score".into();
        let Score { hands, best, house_best, regret, house_regret } = score;
        let text = format!(
            "{hands} hands: you found the best setting of {best} and gave away {} of a stake per hand;\n{way} finds {house_best} \
             and gives away {}, the optimum 0%",
            percent(regret, 3),
            percent(house_regret, 3),
        );
        self.write(event, text)
    }
}

/// Returns the hand that is due, or a new one.
fn next_question(source: &HandSource<'_>, record: &mut DrillRecord) -> CommandResult<Question> {
    if let Some(review) = record.due() {
        let hand: Hand = review.hand.parse().or_usage()?;
        return Ok(Question { hand, counts: source.count(hand), is_review: true });
    }
    let (hand, counts) = source.draw(record.drawn, &record.mistakes());
    record.drawn += 1;
    Ok(Question { hand, counts, is_review: false })
}

/// Parses a front, given as two cards or as the numbers of two cards of the hand.
fn parse_front(game: &Game, hand: Hand, text: &str) -> Result<Setting, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let places: Result<Vec<usize>, _> = words.iter().map(|word| word.parse::<usize>()).collect();
    let front: Result<CardSet, _> = text.parse();
    let setting = match (places.as_deref(), front) {
        (Ok(&[a, b]), _) if a != b && (1..=7).contains(&a) && (1..=7).contains(&b) => {
            Some(Setting::from_positions(a - 1, b - 1))
        }
        (_, Ok(front)) => Setting::with_front(hand, front),
        _ => None,
    };
    let setting =
        setting.ok_or_else(|| format!("'{text}' is not two cards of the hand: write them like {}", example(hand)))?;
    let made = game.set(hand, setting);
    match game.is_legal(made) {
        true => Ok(setting),
        false => Err(format!(
            "{} in front is a foul: the back, {}, does not outrank it",
            setting.front(hand),
            game.ranking().describe(made.back)
        )),
    }
}

fn example(hand: Hand) -> String {
    let cards = hand.cards();
    format!("\"{} {}\" or \"2 3\", quit, skip or house", cards[1], cards[2])
}

fn answer(way: &HouseWay, question: &Question, setting: Setting) -> Answer {
    let Question { hand, counts, is_review } = question;
    let (best, house) = (counts.best(), way.set(*hand));
    let ev = |setting| counts.ev(setting).map_or(f64::NAN, |ev| ev.value());
    let regret = |setting| counts.regret(setting).map_or(f64::NAN, |regret| regret.value());
    let front = |setting: Setting| setting.front(*hand).to_string();
    Answer {
        hand: hand.to_string(),
        shape: Shape::from_hand(*hand).name().to_owned(),
        is_review: *is_review,
        front: front(setting),
        best_front: front(best),
        house_front: front(house),
        house_rule: way.rule(*hand).name.clone(),
        ev: ev(setting),
        best_ev: ev(best),
        regret: regret(setting),
        house_regret: regret(house),
    }
}
