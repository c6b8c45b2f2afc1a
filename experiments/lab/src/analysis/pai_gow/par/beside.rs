//! A side bet beside the main bet in `houseway par`: their joint results over all deals.

use super::super::runner::with_progress;
use super::super::units::share_of_stake;
use super::sheet::outcome_json;
use crate::console::CommandResult;
use crate::report::TextTable;
use houseway_env::pai_gow::{PaidHand, SideBet};
use houseway_env::paytable::{Bet, Odds};
use houseway_exact::Ratio;
use houseway_exact::answer::Section;
use houseway_exact::format::percent;
use houseway_exact::net::NetResults;
use houseway_exact::pai_gow::matchup::Pair;
use houseway_exact::pai_gow::outcomes_by_row;
use houseway_exact::pai_gow::whole::DealCounts;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// A side bet of one unit beside the main bet.
pub(super) struct Beside {
    bet: SideBet,
    /// The main bet's outcomes for each row of the paytable, and at the end those of the hands that no row pays.
    rows: Vec<DealCounts>,
    results: NetResults,
    /// The results of both bets together.
    both: NetResults,
    /// The mean of the product of both bets' results.
    mean_product: Ratio,
}

impl Beside {
    pub(super) fn count(pair: &Pair<'_>, bet: SideBet, stop: &AtomicBool) -> CommandResult<Beside> {
        let rows = with_progress("all deals", stop, |run| outcomes_by_row(pair, &bet, run))?;
        let (main_nets, unit) = pair.payoff.nets();
        let parts = i64::from(PaidHand::UNITS);
        let odds = bet.paytable().rows().iter().map(|row| i64::from(row.odds.units(PaidHand::UNITS)));
        let side_nets: Vec<i64> = odds.chain([-parts]).collect();
        let mut results = NetResults::new(parts);
        let mut both = NetResults::new(parts * unit);
        let (mut product, mut deals) = (0_i128, 0_i128);
        for (counts, side_net) in rows.iter().zip(side_nets) {
            results.add(side_net, counts.all().into());
            for (main_net, count) in main_nets.into_iter().zip([counts.wins, counts.pushes, counts.losses]) {
                both.add(main_net * parts + side_net * unit, count.into());
                product += i128::from(main_net) * i128::from(side_net) * i128::from(count);
                deals += i128::from(count);
            }
        }
        let mean_product = Ratio::new(product, deals * i128::from(parts) * i128::from(unit));
        Ok(Beside { bet, rows, results, both, mean_product })
    }

    /// Returns the covariance with the main bet.
    fn covariance(&self, main: &NetResults) -> f64 {
        self.mean_product.value() - main.ev().value() * self.results.ev().value()
    }

    fn correlation(&self, main: &NetResults) -> f64 {
        self.covariance(main) / (main.variance() * self.results.variance()).sqrt()
    }

    /// Returns the rows with their names and their odds, if they have any.
    pub(super) fn named_rows(&self) -> impl Iterator<Item = (String, Option<Odds>, DealCounts)> + '_ {
        let names = self.bet.paytable().rows().iter().map(|row| (row.hand.to_string(), Some(row.odds)));
        let all = names.chain([("no row".to_owned(), None)]).zip(&self.rows);
        all.map(|((name, odds), counts)| (name, odds, *counts))
    }

    pub(super) fn json(&self, main: &NetResults) -> Value {
        let row = |(hand, odds, counts): (String, Option<Odds>, DealCounts)| {
            json!({
                "hand": hand,
                "odds": odds,
                "wins": counts.wins.to_string(),
                "pushes": counts.pushes.to_string(),
                "losses": counts.losses.to_string(),
            })
        };
        json!({
            "paytable": self.bet.paytable().name(),
            "ev": self.results.ev().value(),
            "ev_exact": self.results.ev().to_json(),
            "standard_deviation": self.results.variance().sqrt(),
            "covariance": self.covariance(main),
            "correlation": self.correlation(main),
            "rows": self.named_rows().map(row).collect::<Vec<_>>(),
            "both": {
                "ev": self.both.ev().value(),
                "ev_exact": self.both.ev().to_json(),
                "standard_deviation": self.both.variance().sqrt(),
                "outcomes": self.both.iter().map(|outcome| outcome_json(&self.both, outcome)).collect::<Vec<_>>(),
            },
        })
    }

    pub(super) fn section(&self, main: &NetResults) -> Section {
        let text = format!(
            "A side bet of one unit by `{}` has an EV of {} and a standard deviation of {:.4}. Its covariance with the main bet \
             is {:.6}, its correlation {:.4}. Both bets together have an EV of {:+.4} units and a standard deviation of {:.4}. \
             The table has the main bet's outcomes in percent of all deals.",
            self.bet.paytable().name(),
            share_of_stake(self.results.ev(), 4),
            self.results.variance().sqrt(),
            self.covariance(main),
            self.correlation(main),
            self.both.ev().value(),
            self.both.variance().sqrt(),
        );
        let mut table = TextTable::new(["hand", "odds", "win", "push", "loss"]).right_from(1);
        for (hand, odds, counts) in self.named_rows() {
            let share = |count: u64| percent(main.probability(count.into()).value(), 6);
            let odds = odds.map_or_else(|| "-1".to_owned(), |odds| odds.to_string());
            table = table.row([hand, odds, share(counts.wins), share(counts.pushes), share(counts.losses)]);
        }
        Section::new("Side bet").text(text).table(table)
    }
}
