//! `houseway set`: how a strategy sets a hand, with the rule that applies.

use super::runner::show;
use crate::console::{CommandResult, Failure, GameOptions, OutputOptions, input_lines, print};
use clap::Args;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Hand};
use houseway_exact::answer::{Answer, Section};
use houseway_exact::pai_gow::{Mixture, NamedStrategy};
use serde_json::json;

/// Set a hand with a house way, a trained agent or a strategy table, and show the rule that applies
///
/// A mixed strategy sets the hand in its most probable way. The probabilities of all its settings are shown too.
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
    pub(super) fn run(self) -> CommandResult {
        let game = self.game.pai_gow()?;
        let way = &self.game.strategies(&[&self.way], &game)?[0];
        if !self.stdin {
            let hand = self.hand.join(" ").parse().map_err(Failure::usage)?;
            return show(&answer(&game, way, hand), &self.output);
        }
        for (number, line) in input_lines().enumerate() {
            let line = line.map_err(Failure::usage)?;
            if line.trim().is_empty() {
                continue;
            }
            let hand: Hand = line.parse().map_err(|error| Failure::usage(format!("line {}: {error}", number + 1)))?;
            print(&format!("{}\n", answer(&game, way, hand).json))?;
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
    Answer::new(json, [Section::default().lines(format!("{lines}rules  {rules_hash}"))])
}
