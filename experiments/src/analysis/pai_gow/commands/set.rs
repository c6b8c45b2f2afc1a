//! `houseway set`: the setting of a hand by a house way, and the rule that applies.

use super::ways::compile;
use crate::console::{CommandResult, Failure, GameOptions, OrUsage, OutputOptions, print, print_json};
use clap::Args;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Hand, Strategy};
use serde_json::{Value, json};
use std::io::{self, BufRead};

/// Set a hand by a house way, and show the rule that applies
#[derive(Args)]
pub struct SetArgs {
    /// Seven cards, such as "As Kd Jk 7c 7d 2h 3s"
    #[arg(required_unless_present = "stdin", conflicts_with = "stdin")]
    hand: Option<String>,
    /// House way, by name or file
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
        let [way] = self.game.ways([&self.way])?;
        let way = compile(way, &game)?;
        let Some(text) = &self.hand else { return set_lines(&way) };
        let hand: Hand = text.parse().or_usage()?;
        if self.output.json { print_json(&answer(&way, hand)) } else { print(&words(&game, &way, hand)) }
    }
}

fn answer(way: &HouseWay, hand: Hand) -> Value {
    let setting = way.set(hand);
    json!({
        "hand": hand.to_string(),
        "way": way.name(),
        "front": setting.front(hand).to_string(),
        "back": setting.back(hand).to_string(),
        "rule": way.rule(hand).name,
    })
}

fn set_lines(way: &HouseWay) -> CommandResult {
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let hand: Hand = line.parse().map_err(|error| Failure::usage(format!("line {}: {error}", number + 1)))?;
        print(&format!("{}\n", answer(way, hand)))?;
    }
    Ok(())
}

fn words(game: &Game, way: &HouseWay, hand: Hand) -> String {
    let (setting, rule) = (way.set(hand), way.rule(hand));
    let made = game.set(hand, setting);
    format!(
        "front  {:14}  {}\nback   {:14}  {}\nrule   {} ({})\n       {}\n",
        setting.front(hand),
        made.front,
        setting.back(hand),
        game.ranking().describe(made.back),
        rule.name,
        way.name(),
        rule.text,
    )
}
