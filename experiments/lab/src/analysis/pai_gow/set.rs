//! `houseway set`: how a strategy sets a hand, with the rule that applies.

use super::runner::AskedWays;
use crate::console::{CommandResult, Failure, GameOptions, OutputOptions, input_lines, print};
use clap::Args;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Hand};
use houseway_env::rules::RuleSet;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::pai_gow::{Mixture, NamedStrategy};
use houseway_exact::solver::{SolverError, WayQuestion};
use serde_json::json;
use std::collections::BTreeMap;

/// Set a hand with a house way, a trained agent or a strategy table, and show the rule that applies
///
/// A mixed strategy sets the hand in its most probable way. The probabilities of all its settings are shown too. With -g
/// pai-gow-tiles, the hand is four tiles, and the EVs of the settings by all house ways and of the best one are shown.
#[derive(Args)]
pub struct SetArgs {
    /// The seven cards, such as As Kd Jk 7c 7d 2h 3s
    #[arg(required_unless_present = "stdin", conflicts_with = "stdin")]
    hand: Vec<String>,
    /// The name or file of a house way, a strategy table, a mixed strategy, or a trained agent
    #[arg(long, default_value = Way::DEFAULT)]
    way: String,
    /// Read hands from standard input, one per line, and write one line of JSON for each
    #[arg(long)]
    stdin: bool,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl SetArgs {
    pub fn run(self) -> CommandResult {
        if let Some(asked) = AskedWays::of(&self.game, BTreeMap::new())? {
            let way = Some(self.way.as_str()).filter(|way| *way != Way::DEFAULT);
            return self.show_hands(|hand| Ok(asked.ask(&WayQuestion::Set { hand, way })?.answer));
        }
        let game = self.game.pai_gow()?;
        let way = &self.game.strategies(&[&self.way], &game)?[0];
        self.show_hands(|hand| Ok(answer(&game, way, hand.parse().map_err(SolverError::invalid)?)))
    }

    fn show_hands(&self, answer: impl Fn(&str) -> Result<Answer, SolverError>) -> CommandResult {
        if !self.stdin {
            return self.output.show(&answer(&self.hand.join(" "))?);
        }
        for (number, line) in input_lines().enumerate() {
            let line = line?.map_err(|reason| Failure::usage(format!("standard input: {reason}")))?;
            if line.trim().is_empty() {
                continue;
            }
            let answer = answer(&line).map_err(|error| Failure::usage(format!("line {}: {error}", number + 1)))?;
            print(&format!("{}\n", answer.json))?;
        }
        Ok(())
    }
}

pub(super) fn answer(game: &Game, way: &NamedStrategy, hand: Hand) -> Answer {
    let (setting, rule, rules_hash) = (way.set(game, hand), way.rule(hand), game.rules().hash());
    let [front, back] = [setting.front(hand).to_string(), setting.back(hand).to_string()];
    let made = game.set(hand, setting);
    let mut json = json!({
        "hand": hand.to_string(),
        "way": way.name(),
        "front": front,
        "back": back,
        "rule": rule.map(|rule| &rule.name),
        "rules": game.rules(),
        "rules_hash": rules_hash,
    });
    let mut lines =
        format!("front  {front:14}  {}\nback   {back:14}  {}\n", made.front, game.ranking().describe(made.back));
    lines += &match rule {
        Some(rule) => format!("rule   {} ({})\n       {}\n", rule.name, way.name(), rule.text),
        None => format!("way    {}, which has no rules\n", way.name()),
    };
    if let Some(mixture) = Mixture::new(game, way, hand) {
        lines += &format!("mixed  {} in front\n", mixture.words());
        json["probabilities"] = mixture.json();
    }
    Answer::new(json, [Section::default().lines(format!("{lines}rules  {}", game.rules().described()))])
}
