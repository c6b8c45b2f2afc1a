//! The output of `houseway bank` over all hands.

use super::decision::{Decision, SampledPrice};
use super::{BankArgs, Worth, payoff};
use crate::report::{TextTable, terminal, wrapped_lines};
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::chips;
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::banking::kelly;
use serde_json::{Value, json};

impl BankArgs {
    /// Returns the log growth and its standard error, if a bankroll is given.
    fn growth(&self, worth: &Worth) -> Option<(f64, f64)> {
        let bankroll = self.bankroll?;
        match (&worth.single, &worth.sampled) {
            (Some(single), _) => Some((single.log_growth(bankroll), 0.0)),
            (None, Some(sampled)) => Some(sampled.log_growth(bankroll)),
            (None, None) => None,
        }
    }

    pub(super) fn json(&self, worth: &Worth) -> Value {
        let bank_payoff = payoff(&worth.rules);
        let range =
            |(low, high): (Ratio, Ratio)| json!({ "low": low.to_json(), "high": high.to_json(), "exact": low == high });
        let bets = self.bets.iter().zip(&worth.bets).map(|(bet, counted)| {
            json!({
                "way": bet.way,
                "bet": bet.chips,
                "wins": counted.counts.wins.to_string(),
                "pushes": counted.counts.pushes.to_string(),
                "losses": counted.counts.losses.to_string(),
                "kelly": kelly(counted.counts, bank_payoff).to_json(),
            })
        });
        let sampled = worth.sampled.as_ref().filter(|_| self.stake.is_none()).map(|sample| {
            let (ev, error) = sample.mean_by(&worth.bank);
            json!({ "deals": sample.deals().to_string(), "seed": self.seed, "ev": ev, "standard_error": error })
        });
        let growth =
            self.growth(worth).map(|(mean, error)| json!({ "mean": finite(mean), "standard_error": finite(error) }));
        json!({
            "banker": self.banker,
            "beside": worth.beside.map(|bank| json!({ "banker": self.house, "ev": range(bank.bounds()) })),
            "bets": bets.collect::<Vec<_>>(),
            "ev": range(worth.bank.bounds()),
            "stake": self.part(worth).map(|(ev, error)| json!({
                "chips": self.stake, "ev": ev, "standard_error": error, "exact": worth.single.is_some(),
            })),
            "ev_before_commission": worth.bank.gross.to_json(),
            "sampled": sampled,
            "pass": { "bet": worth.own.bet, "way": self.way, "banker": self.house, "ev": worth.pass.to_json() },
            "price_of_passing": range(worth.price),
            "take": Decision::by_bounds(worth.price),
            "decision": self.decision(worth).json(),
            "bankroll": self.bankroll,
            "log_growth": growth,
            "kelly_share": self.kelly_share(worth).filter(|share| share.is_finite()),
            "rules_hash": worth.rules.hash(),
            "game_rules_hash": worth.game_rules,
        })
    }

    /// Returns the EV of a partial stake and its standard error.
    fn part(&self, worth: &Worth) -> Option<(f64, f64)> {
        self.stake?;
        let exact = worth.single.as_ref().map(|single| (single.mean().value(), 0.0));
        exact.or_else(|| worth.sampled.as_ref().map(|sampled| sampled.mean()))
    }

    /// Returns the decision about banking.
    fn decision(&self, worth: &Worth) -> Decision {
        let sample = worth.sampled.as_ref().filter(|_| self.stake.is_none());
        Decision::new(worth.price, || {
            let sample = sample?;
            let (ev, error) = sample.mean_by(&worth.bank);
            Some(SampledPrice { price: ev - worth.pass.value(), error, deals: sample.deals(), seconds: worth.seconds })
        })
    }

    /// Returns the Kelly fraction of the bankroll for all bets together.
    fn kelly_share(&self, worth: &Worth) -> Option<f64> {
        if self.stake.is_some() {
            return None;
        }
        // Use the bets themselves as the bankroll, so that the multiple is the fraction of the bankroll.
        let stake: Chips = worth.bets.iter().map(|bet| bet.bet).sum();
        let distribution = worth.single.as_ref().or(worth.sampled.as_ref().map(|sampled| &sampled.net))?;
        Some(distribution.kelly_size(stake))
    }

    pub(super) fn text(&self, worth: &Worth) -> String {
        let mut table = TextTable::new(["player's way", "bet", "bank wins", "push", "bank loses", "Kelly"]);
        table = (1..6).fold(table, TextTable::right);
        for (bet, counted) in self.bets.iter().zip(&worth.bets) {
            let deals = counted.counts.all() as f64;
            let share = |count: u128| format!("{:.4}%", 100.0 * count as f64 / deals);
            let counts = counted.counts;
            let kelly = kelly(counts, payoff(&worth.rules)).value();
            let cells = [
                bet.way.clone(),
                chips(bet.chips),
                share(counts.wins),
                share(counts.pushes),
                share(counts.losses),
                format!("{:.3}%", 100.0 * kelly),
            ];
            table = table.row(cells.iter().map(String::as_str));
        }
        let range = |(low, high): (Ratio, Ratio)| match low == high {
            true => format!("{:+.4}", low.value()),
            false => format!("{:+.4} to {:+.4}", low.value(), high.value()),
        };
        let mut text = String::new();
        text += &format!("\nbank by {}, all bets covered: EV {} chips", self.banker, range(worth.bank.bounds()));
        if let Some(sampled) = worth.sampled.as_ref().filter(|_| worth.bank.exact().is_none() && self.stake.is_none()) {
            let (ev, error) = sampled.mean_by(&worth.bank);
            text += &format!("; {ev:+.4} ± {:.4} from {} deals", 1.96 * error, sampled.deals());
        }
        if let Some(beside) = worth.beside {
            text += &format!("\nbank by {}, the house's way: EV {} chips", self.house, range(beside.bounds()));
        }
        if let (Some(stake), Some((ev, error))) = (self.stake, self.part(worth)) {
            let how =
                if error == 0.0 { "exact".to_owned() } else { format!("± {:.4}, {} deals", 1.96 * error, self.deals) };
            text += &format!("\nwith a stake of {}: EV {ev:+.4} chips, {how}", chips(stake));
        }
        let own = worth.own.bet;
        text += &format!(
            "\npass, {} by {} against {}: EV {:+.4} chips",
            chips(own),
            self.way,
            self.house,
            worth.pass.value()
        );
        text += &format!("\nprice of passing: {} chips: {}\n", range(worth.price), self.decision(worth).text());
        if let Some(share) = self.kelly_share(worth).filter(|share| share.is_finite()) {
            text += &format!("Kelly fraction: {:.3}% of the bankroll for all bets together\n", 100.0 * share);
        }
        if let Some((mean, error)) = self.growth(worth) {
            let bankroll = chips(self.bankroll.unwrap_or_default());
            text += &format!("log growth of {bankroll} chips: {mean:+.6} ± {:.6} per round\n", 1.96 * error);
        }
        text += &format!("rules of the table {}, of the game {}\n", worth.rules.hash(), worth.game_rules);
        terminal(&table) + &wrapped_lines(&text)
    }
}

/// Returns `None` for infinity, which JSON can't represent.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
