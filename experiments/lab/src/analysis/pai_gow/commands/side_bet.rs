//! The command `houseway side-bet` computes the exact return of a side bet paytable.

use crate::console::{CommandResult, Failure, GameOptions, OutputOptions, print, print_json};
use crate::report::{TextTable, terminal};
use clap::Args;
use houseway_env::pai_gow::{Paytable, SideBet};
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
        let side_bet = SideBet::new(paytable, &rules);
        let (paytable, found) = (side_bet.paytable(), side_bet.exact_return());
        if self.output.json {
            let rows = found.rows.iter().map(|(row, hands)| {
                json!({ "hand": row.hand.to_string(), "odds": row.odds.value(), "hands": hands.to_string() })
            });
            return print_json(&json!({
                "paytable": paytable.name(),
                "rows": rows.collect::<Vec<_>>(),
                "losing": found.losing.to_string(),
                "hands": found.hands().to_string(),
                "net": found.net().to_string(),
                "ev": -found.edge(),
                "rules_hash": rules.hash(),
            }));
        }
        let all = found.hands() as f64;
        let mut table = TextTable::new(["hand", "odds", "hands", "probability", "EV"]).right_from(1);
        for (row, hands) in &found.rows {
            let probability = *hands as f64 / all;
            table = table.row([
                row.hand.to_string().as_str(),
                &format!("{} to 1", row.odds),
                &grouped(*hands),
                &percent(probability, 5),
                &percent(probability * row.odds.value(), 4),
            ]);
        }
        let lost = found.losing as f64 / all;
        let losing = [grouped(found.losing), percent(lost, 5), percent(-lost, 4)];
        table = table.row(["all others", "", &losing[0], &losing[1], &losing[2]]);
        print(&format!(
            "{} ({})\n\n{}\nEV {} of the stake, exact; rules {}\n",
            paytable.title(),
            paytable.name(),
            terminal(&table),
            percent(-found.edge(), 4),
            rules.hash()
        ))
    }
}
