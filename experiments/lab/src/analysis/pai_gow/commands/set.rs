//! The command `houseway set` sets a hand by a strategy and shows the rule that applies.

use crate::console::{CommandResult, Failure, GameOptions, OutputOptions, input_lines, print, print_json};
use clap::Args;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Hand};
use houseway_exact::pai_gow::{Mixture, NamedStrategy};
use serde_json::{Value, json};

/// Set a hand with a house way, a trained agent or a strategy table, and show the rule that applies
///
/// A mixed strategy sets the hand in its most probable way. The probabilities of all its settings are shown too.
#[derive(Args)]
pub struct SetArgs {
    /// The seven cards, such as "As Kd Jk 7c 7d 2h 3s"
    #[arg(required_unless_present = "stdin", conflicts_with = "stdin")]
    hand: Option<String>,
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
        let hand: Option<Hand> = self.hand.as_ref().map(|text| text.parse().map_err(Failure::usage)).transpose()?;
        let Some(hand) = hand else { return set_lines(&game, way) };
        if self.output.json { print_json(&set_json(&game, way, hand)) } else { print(&words(&game, way, hand)) }
    }
}

/// Returns the answer in the format of `houseway set --json`.
pub(crate) fn set_json(game: &Game, way: &NamedStrategy, hand: Hand) -> Value {
    let setting = way.set(game, hand);
    let mut json = json!({
        "hand": hand.to_string(),
        "way": way.name(),
        "front": setting.front(hand).to_string(),
        "back": setting.back(hand).to_string(),
        "rule": way.rule(hand).map(|rule| &rule.name),
        "rules_hash": game.rules().hash(),
    });
    if let Some(mixture) = Mixture::new(game, way, hand) {
        json["probabilities"] = mixture.json();
    }
    json
}

fn set_lines(game: &Game, way: &NamedStrategy) -> CommandResult {
    for (number, line) in input_lines().enumerate() {
        let line = line.map_err(Failure::usage)?;
        if line.trim().is_empty() {
            continue;
        }
        let hand: Hand = line.parse().map_err(|error| Failure::usage(format!("line {}: {error}", number + 1)))?;
        print(&format!("{}\n", set_json(game, way, hand)))?;
    }
    Ok(())
}

fn words(game: &Game, way: &NamedStrategy, hand: Hand) -> String {
    let setting = way.set(game, hand);
    let made = game.set(hand, setting);
    let rule = match way.rule(hand) {
        Some(rule) => format!("rule   {} ({})\n       {}\n", rule.name, way.name(), rule.text),
        None => format!("way    {}, which has no rules\n", way.name()),
    };
    let mixture = Mixture::new(game, way, hand);
    let mixture = mixture.map_or_else(String::new, |mixture| format!("mixed  {} in front\n", mixture.words()));
    format!(
        "front  {:14}  {}\nback   {:14}  {}\n{rule}{mixture}rules  {}\n",
        setting.front(hand),
        made.front,
        setting.back(hand),
        game.ranking().describe(made.back),
        game.rules().hash(),
    )
}
