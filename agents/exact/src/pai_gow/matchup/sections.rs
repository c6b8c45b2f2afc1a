//! Formats the outcomes for two strategies over all deals as text and a table.

use super::{BankedBy, PairTotals, Question};
use crate::answer::{Section, TextTable};
use crate::format::{grouped, percent};
use crate::pai_gow::whole::OutcomeWeights;
use std::collections::BTreeMap;

impl PairTotals {
    /// Returns the outcomes as a table. If they cover the full game, the EVs follow.
    pub fn section(&self) -> Section {
        let counts = &self.counts;
        let section = self.question.section();
        let section = match self.part {
            None => section,
            Some(part) => section
                .lines(format!("Shard {part} of the game: add all of them up with houseway solve --merge FILE...")),
        };
        let section = section.table(deals_table(counts, self.weight));
        if self.part.is_none() { section.lines(self.question.summary(counts)) } else { section }
    }
}

/// Returns a table with the number of deals for each outcome. If deals are weighted, the numbers are rounded to
/// integers.
fn deals_table(counts: &OutcomeWeights, weight: u64) -> TextTable {
    let all = counts.all();
    let mut table = TextTable::new(["", "deals", "fraction"]).right_from(1);
    for (name, count) in [
        ("player wins", counts.wins),
        ("push", counts.pushes),
        ("banker wins", counts.losses),
        ("equal fronts", counts.copies_front),
        ("equal backs", counts.copies_back),
        ("all deals", all),
    ] {
        let deals = (count + u128::from(weight) / 2) / u128::from(weight);
        let fraction = percent(count as f64 / all.max(1) as f64, 4);
        table = table.row([name, &grouped(deals as u64), &fraction]);
    }
    table
}

impl Question {
    /// Returns a section that describes the strategies and the rules.
    pub(super) fn section(&self) -> Section {
        let bank = match self.bank {
            BankedBy::House => "the house banks",
            BankedBy::Player => "a player banks",
        };
        // One percent is 10,000 millionths.
        let commission = f64::from(self.rules.commission.millionths()) / 10_000.0;
        let changes = self.rules.changes().into_iter().filter(|change| !change.starts_with("commission="));
        let changes: Vec<String> = changes.map(|change| format!("\n    {change}")).collect();
        Section::default().lines(format!(
            "player: {}\nbanker: {}\nrules {}: {bank}, {commission}% commission{}",
            side(&self.player, &self.player_readings),
            side(&self.banker, &self.banker_readings),
            self.rules_hash,
            changes.concat(),
        ))
    }

    /// Returns the EVs and the standard deviation as text.
    pub(super) fn summary(&self, counts: &OutcomeWeights) -> String {
        let (ev, banker_ev) = (counts.ev(self.payoff()), counts.other_side().ev(self.banker_payoff()));
        let deviation = counts.variance(self.payoff()).sqrt();
        format!(
            "player's EV         {:+.12} of the stake\n  exactly           {ev:?}\n\
             banker's EV         {:+.12} of the player's stake\n  exactly           {banker_ev:?}\n\
             edge                {} against the player\n\
             return to player    {}\n\
             standard deviation  {deviation:.6} of the stake",
            ev.value(),
            banker_ev.value(),
            percent(-ev.value(), 6),
            percent(1.0 + ev.value(), 6),
        )
    }
}

/// Returns a strategy's name and the options chosen for its readings.
fn side(name: &str, readings: &BTreeMap<String, String>) -> String {
    let readings: Vec<String> = readings.iter().map(|(reading, option)| format!("\n    {reading}={option}")).collect();
    format!("{name}{}", readings.concat())
}
