//! `houseway side-bet`: the exact return of a side bet paytable.

use super::runner::show;
use crate::console::{CommandResult, Failure, GameOptions, OutputOptions};
use crate::report::TextTable;
use clap::Args;
use houseway_env::pai_gow::{Paytable, Rules, SideBet};
use houseway_env::rules::RuleSet;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::{grouped, percent};
use serde_json::json;

/// Compute the exact return of the side bet over all 154,143,080 hands
#[derive(Args)]
pub struct SideBetArgs {
    /// The name or file of a paytable [default: the first one listed by houseway games]
    paytable: Option<String>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl SideBetArgs {
    pub(super) fn run(self) -> CommandResult {
        let rules = self.game.pai_gow()?.rules();
        let paytable =
            self.paytable.as_deref().map(Paytable::load).transpose().map_err(Failure::usage)?.unwrap_or_default();
        show(&answer(&SideBet::new(paytable, &rules), &rules), &self.output)
    }
}

fn answer(side_bet: &SideBet, rules: &Rules) -> Answer {
    let (paytable, found, rules_hash) = (side_bet.paytable(), side_bet.exact_return(), rules.hash());
    let rows = found.rows.iter().map(
        |(row, hands)| json!({ "hand": row.hand.to_string(), "odds": row.odds.value(), "hands": hands.to_string() }),
    );
    let json = json!({
        "paytable": paytable.name(),
        "rows": rows.collect::<Vec<_>>(),
        "losing": found.losing.to_string(),
        "hands": found.hands().to_string(),
        "net": found.net().to_string(),
        "ev": -found.edge(),
        "rules": rules,
        "rules_hash": rules_hash,
    });
    let all = found.hands() as f64;
    let mut table = TextTable::new(["hand", "odds", "hands", "probability", "EV"]).right_from(1);
    for (row, hands) in &found.rows {
        let probability = *hands as f64 / all;
        table = table.row([
            row.hand.to_string(),
            format!("{} to 1", row.odds),
            grouped(*hands),
            percent(probability, 5),
            percent(probability * row.odds.value(), 4),
        ]);
    }
    let lost = found.losing as f64 / all;
    let losing = ["all others".to_owned(), String::new(), grouped(found.losing), percent(lost, 5), percent(-lost, 4)];
    let ev = percent(-found.edge(), 4);
    let section = Section::default()
        .text(format!("{} ({})", paytable.title(), paytable.name()))
        .table(table.row(losing))
        .text(format!("EV {ev} of the stake, exact; rules {rules_hash}"));
    Answer::new(json, [section])
}
