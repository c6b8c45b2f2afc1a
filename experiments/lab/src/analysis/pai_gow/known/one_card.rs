//! Presents the exact value of a single known card.

use crate::report::{Report, TextTable};
use houseway_env::cards::Rank;
use houseway_exact::Ratio;
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::whole::{DealCounts, KnownCardTotals, KnownCardValues, Payoff};
use serde_json::{Value, json};

/// The exact value of a single known card, over all hands and known cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneCard {
    /// The totals for each known card.
    pub values: KnownCardValues,
    /// The player's payoff.
    pub payoff: Payoff,
}

/// Returns the ranks from ace to two, followed by `None` for the joker.
fn cards() -> impl Iterator<Item = Option<Rank>> {
    Rank::ALL.into_iter().rev().map(Some).chain([None])
}

fn name(card: Option<Rank>) -> String {
    card.map_or("joker".to_owned(), |rank| rank.to_string())
}

/// Returns a card in words, with its article.
fn in_words(card: Option<Rank>) -> String {
    match card {
        Some(rank @ (Rank::Ace | Rank::Eight)) => format!("an {}", rank.name()),
        Some(rank) => format!("a {}", rank.name()),
        None => "the joker".to_owned(),
    }
}

fn deals_json(deals: DealCounts) -> Value {
    let DealCounts { wins, pushes, losses, .. } = deals;
    json!({ "wins": wins.to_string(), "pushes": pushes.to_string(), "losses": losses.to_string() })
}

impl OneCard {
    /// Returns the totals for all known cards, and for each of them, as JSON.
    pub(super) fn json(&self) -> Value {
        let of_card = |card| {
            let mut totals = self.totals_json(self.values.of(card));
            totals["card"] = name(card).into();
            totals
        };
        let mut all = self.totals_json(&self.values.all());
        all["cards"] = cards().map(of_card).collect();
        all
    }

    fn totals_json(&self, totals: &KnownCardTotals) -> Value {
        json!({
            "pairs": totals.pairs.to_string(),
            "changed": totals.changed.to_string(),
            "gain": totals.gain(self.payoff).to_json(),
            "with": deals_json(totals.with),
            "without": deals_json(totals.without),
        })
    }

    fn table(&self) -> TextTable {
        let row = |name: String, totals: &KnownCardTotals| {
            [
                name,
                percent(totals.without.ev(self.payoff).value(), 4),
                percent(totals.with.ev(self.payoff).value(), 4),
                percent(totals.gain(self.payoff).value(), 5),
                percent(totals.changed_fraction().value(), 3),
            ]
        };
        let header =
            ["known card", "EV if it is ignored", "EV if it is used", "gain, of the stake", "best setting changes"];
        let table = cards()
            .fold(TextTable::new(header).right_from(1), |table, card| table.row(row(name(card), self.values.of(card))));
        table.row(row("any".to_owned(), &self.values.all()))
    }

    /// Returns the EV of best play without known cards. What is dealt to other seats doesn't affect it.
    pub(super) fn best_ev(&self) -> Ratio {
        self.values.all().without.ev(self.payoff)
    }

    /// Describes the scope of the computation.
    pub(super) fn scope(&self) -> String {
        let all = self.values.all();
        format!(
            "The value of a single known card is exact. It is computed over all {} pairs of a hand and a known card, \
             i.e. over {} deals.",
            grouped(all.pairs),
            grouped(all.with.all())
        )
    }

    /// Adds a section with the value of each card to a report.
    pub(super) fn add_to(&self, report: Report) -> Report {
        let gain = |card: &Option<Rank>| self.values.of(*card).gain(self.payoff);
        let most = cards().max_by_key(gain).map_or(String::new(), in_words);
        let least = cards().min_by_key(gain).map_or(String::new(), in_words);
        report
            .heading("One known card")
            .text(format!(
                "The EV per unit staked if a random card is known, both for the setting that is best without it and for \
                 the best setting given this card. The most valuable card to know is {most}, and the least valuable one \
                 is {least}."
            ))
            .table(self.table())
    }
}
