//! The answer of `houseway bank` over all hands.

use super::decision::{Decision, SampledPrice};
use super::{BankArgs, Worth, payoff};
use crate::report::{TextTable, wrapped_lines};
use houseway_env::money::{Chips, Rate, chips};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::percent;
use houseway_exact::pai_gow::banking::kelly;
use serde_json::{Value, json};

impl BankArgs {
    pub(super) fn answer(&self, worth: &Worth) -> Answer {
        // A sample of whole stakes belongs to the exact bounds.
        let sampled = worth.sampled.as_ref().filter(|_| self.stake.is_none());
        let sample = sampled.map(|sample| (sample.deals(), sample.mean_by(&worth.bank)));
        // The EV of a partial stake, and its standard error.
        let exact = worth.single.as_ref().map(|single| (single.mean().value(), 0.0));
        let part =
            exact.or_else(|| worth.sampled.as_ref().map(|sampled| sampled.mean())).filter(|_| self.stake.is_some());
        let decision = Decision::new(worth.price, || {
            let (deals, (ev, error)) = sample?;
            Some(SampledPrice { price: ev - worth.pass.value(), error, deals, seconds: worth.seconds })
        });
        let growth = self.bankroll.and_then(|bankroll| match (&worth.single, &worth.sampled) {
            (Some(single), _) => Some((single.log_growth(bankroll), 0.0)),
            (None, Some(sampled)) => Some(sampled.log_growth(bankroll)),
            (None, None) => None,
        });
        let distribution = worth.single.as_ref().or(worth.sampled.as_ref().map(|sampled| &sampled.net));
        let deviation = distribution.map(|distribution| distribution.variance().sqrt());
        let all: Chips = worth.bets.iter().map(|bet| bet.bet).sum();
        let funds = self.stake.unwrap_or(all) + worth.rules.bank_collection.fee(all);
        let kelly_share = self.kelly_share(worth);
        let (rules_hash, bank_payoff) = (worth.rules.hash(), payoff(&worth.rules));

        let mut bets = Vec::new();
        let header = ["player's way", "bet", "bank wins", "push", "bank loses", "Kelly"];
        let mut table = TextTable::new(header).right_from(1);
        for (bet, counted) in self.bets.iter().zip(&worth.bets) {
            let (counts, kelly) = (counted.counts, kelly(counted.counts, bank_payoff));
            bets.push(json!({
                "way": bet.way,
                "bet": bet.chips,
                "wins": counts.wins.to_string(),
                "pushes": counts.pushes.to_string(),
                "losses": counts.losses.to_string(),
                "kelly": kelly.to_json(),
            }));
            let share = |count: u128| percent(count as f64 / counts.all() as f64, 4);
            table = table.row([
                bet.way.clone(),
                chips(bet.chips),
                share(counts.wins),
                share(counts.pushes),
                share(counts.losses),
                percent(kelly.value(), 3),
            ]);
        }
        let json = json!({
            "banker": self.banker,
            "beside": worth.beside.map(|bank| json!({ "banker": self.house, "ev": range_json(bank.bounds()) })),
            "bets": bets,
            "ev": range_json(worth.bank.bounds()),
            "stake": part.map(|(ev, error)| json!({
                "chips": self.stake, "ev": ev, "standard_error": error, "exact": worth.single.is_some(),
            })),
            "ev_before_commission": worth.bank.gross.to_json(),
            "standard_deviation": deviation,
            "funds": funds,
            "uncovered_bets": worth.uncovered.iter().map(|(reading, distribution)| json!({
                "option": reading, "ev": distribution.mean().value(), "standard_deviation": distribution.variance().sqrt(),
            })).collect::<Vec<_>>(),
            "share": self.share.zip(worth.shared).map(|(share, shared)| json!({
                "fraction": share,
                "ev_of_whole_bank": range_json(scaled(worth.bank.bounds(), share)),
                "ev_of_own_wins": range_json(shared.bounds()),
                "standard_deviation": deviation.map(|deviation| share.value() * deviation),
            })),
            "sampled": sample.map(|(deals, (ev, error))| {
                json!({ "deals": deals.to_string(), "seed": self.seed, "ev": ev, "standard_error": error })
            }),
            "pass": { "bet": worth.own.bet, "way": self.way, "banker": self.house, "ev": worth.pass.to_json() },
            "price_of_passing": range_json(worth.price),
            "take": Decision::by_bounds(worth.price),
            "decision": decision.json(),
            "bankroll": self.bankroll,
            "log_growth": growth.map(|(mean, error)| json!({ "mean": finite(mean), "standard_error": finite(error) })),
            "kelly_share": kelly_share,
            "rules": worth.rules,
            "rules_hash": rules_hash,
            "game_rules": worth.game_rules,
            "game_rules_hash": worth.game_rules.hash(),
        });

        let mut text = format!("bank by {}, all bets covered: EV {} chips", self.banker, range(worth.bank.bounds()));
        if let (Some((deals, (ev, error))), None) = (sample, worth.bank.exact()) {
            text += &format!("; {ev:+.4} ± {:.4} from {deals} deals", 1.96 * error);
        }
        if let Some(beside) = worth.beside {
            text += &format!("\nbank by {}, the house's way: EV {} chips", self.house, range(beside.bounds()));
        }
        if let (Some(stake), Some((ev, error))) = (self.stake, part) {
            let how =
                if error == 0.0 { "exact".to_owned() } else { format!("± {:.4}, {} deals", 1.96 * error, self.deals) };
            text += &format!("\nwith a stake of {}: EV {ev:+.4} chips, {how}", chips(stake));
        }
        let exactly = if worth.single.is_some() { "exact" } else { "sampled" };
        if let Some(deviation) = deviation {
            text += &format!(
                "\nstandard deviation of a round: {deviation:.4} chips, {exactly}; it takes funds of {} chips",
                chips(funds)
            );
        }
        for (reading, distribution) in &worth.uncovered {
            let (ev, deviation) = (distribution.mean().value(), distribution.variance().sqrt());
            text +=
                &format!("\nuncovered-bets={reading}: EV {ev:+.4} chips, standard deviation {deviation:.4}, {exactly}");
        }
        if let Some((share, shared)) = self.share.zip(worth.shared) {
            text += &format!(
                "\nyour share of {share}: EV {} chips if the whole bank pays the commission, {} if you pay it on your part",
                range(scaled(worth.bank.bounds(), share)),
                range(shared.bounds()),
            );
            if let Some(deviation) = deviation {
                text += &format!("; standard deviation {:.4}", share.value() * deviation);
            }
        }
        let (own, ev) = (chips(worth.own.bet), worth.pass.value());
        text += &format!("\npass, {own} by {} against {}: EV {ev:+.4} chips", self.way, self.house);
        text += &format!("\nprice of passing: {} chips: {}\n", range(worth.price), decision.text());
        if let Some(share) = kelly_share {
            text += &format!("Kelly fraction: {} of the bankroll for all bets together\n", percent(share, 3));
        }
        if let (Some((mean, error)), Some(bankroll)) = (growth, self.bankroll) {
            text += &format!("log growth of {} chips: {mean:+.6} ± {:.6} per round\n", chips(bankroll), 1.96 * error);
        }
        text += &format!("rules of the table {rules_hash}, of the game {}\n", worth.game_rules.hash());
        Answer::new(json, [Section::default().table(table).lines(wrapped_lines(&text))])
    }

    /// Returns the Kelly fraction of the bankroll for all bets together, if it is finite.
    fn kelly_share(&self, worth: &Worth) -> Option<f64> {
        let distribution = worth.single.as_ref().or(worth.sampled.as_ref().map(|sampled| &sampled.net));
        let distribution = distribution.filter(|_| self.stake.is_none())?;
        // Use the bets themselves as the bankroll, so that the multiple is the fraction of the bankroll.
        let stake: Chips = worth.bets.iter().map(|bet| bet.bet).sum();
        finite(distribution.kelly_size(stake))
    }
}

/// Returns the given fraction of both bounds.
fn scaled((low, high): (Ratio, Ratio), share: Rate) -> (Ratio, Ratio) {
    let part = |ev: Ratio| {
        Ratio::new(ev.numerator() * i128::from(share.millionths()), ev.denominator() * i128::from(Rate::WHOLE))
    };
    (part(low), part(high))
}

fn range_json((low, high): (Ratio, Ratio)) -> Value {
    json!({ "low": low.to_json(), "high": high.to_json(), "exact": low == high })
}

fn range((low, high): (Ratio, Ratio)) -> String {
    match low == high {
        true => format!("{:+.4}", low.value()),
        false => format!("{:+.4} to {:+.4}", low.value(), high.value()),
    }
}

/// Returns `None` for infinity, which JSON can't represent.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
