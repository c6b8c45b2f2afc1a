//! Ultimate Texas Hold'em: the exact value of Play and of the other decision, before the flop, on it or on the river.

use super::Ev;
use crate::console::{Failure, OrUsage, Outcome, print, print_json};
use crate::report::{Table, terminal};
use crate::run::ProgressBar;
use crate::run::stop_flag_with;
use houseway_env::cards::CardSet;
use houseway_env::rules::RuleSet;
use houseway_env::ultimate_holdem::{Game, Hole, Rules};
use houseway_exact::Ratio;
use houseway_exact::ultimate_holdem::{Choice, Position};
use serde_json::{Map, Value, json};

/// Counts both decisions of a position.
pub(super) fn run(ev: &Ev) -> Outcome {
    let rules: Rules = ev.game.rules()?;
    let hole: Hole = ev.hand.parse().or_usage()?;
    let board: CardSet = ev.board.as_deref().unwrap_or_default().parse().or_usage()?;
    let position = Position::new(hole, board).or_usage()?;
    let trips = ev.trips.unwrap_or(0);
    let stop = stop_flag_with("stopping: there is no answer yet (once more stops at once)")?;
    let bar = ProgressBar::new("counting", "boards");
    let game = Game::new(rules);
    let choice = position.choice(&game, trips, Some(&|done, all| bar.update(done, all)), Some(&stop));
    drop(bar);
    let choice = choice.map_err(Failure::work)?;
    let hash = game.rules().hash();
    if ev.output.json {
        print_json(&json_of(&position, &choice, trips, &hash))
    } else {
        print(&text_of(&position, &choice))
    }
}

fn json_of(position: &Position, choice: &Choice, trips: u32, rules_hash: &str) -> Value {
    let values = |value: fn(Ratio) -> Value| -> Map<String, Value> {
        choice.actions.iter().map(|&(name, ratio)| (name.to_owned(), value(ratio))).collect()
    };
    json!({
        "hand": position.hole().to_string(),
        "board": position.board().to_string(),
        "stage": choice.stage,
        "trips": trips,
        "rules_hash": rules_hash,
        "actions": values(|ratio| ratio.value().into()),
        "exact": values(|ratio| json!([ratio.numerator().to_string(), ratio.denominator().to_string()])),
        "best": choice.best().0,
    })
}

fn text_of(position: &Position, choice: &Choice) -> String {
    let (best, value) = choice.best();
    let mut actions = choice.actions.clone();
    actions.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
    let mut table = Table::new(["decision", "EV in antes", "gives away", ""]).right(1).right(2);
    for (name, ev) in actions {
        let regret = (value - ev).value();
        let mark = if name == best { "best" } else { "" };
        table = table.row([name, &format!("{:+.6}", ev.value()), &format!("{regret:.6}"), mark]);
    }
    let board = if position.board().is_empty() { "no board".to_owned() } else { position.board().to_string() };
    format!("{} on {board}, the rest played in the best way\n\n{}\n", position.hole(), terminal(&table))
}
