//! Outcomes of all deals for a pair of strategies, as text and a table.

use super::{BankedBy, PairTotals};
use crate::answer::{Section, TextTable};
use crate::format::{grouped, percent};
use std::collections::BTreeMap;

impl PairTotals {
    /// The outcomes as a table, and the EVs if they are those of the whole game.
    pub fn section(&self) -> Section {
        let section = Section::default().lines(self.title());
        let section = match self.part {
            None => section,
            Some(part) => section
                .lines(format!("Shard {part} of the game: add all of them up with houseway solve --merge FILE...")),
        };
        let section = section.table(self.table());
        if self.part.is_none() { section.lines(self.values()) } else { section }
    }

    fn title(&self) -> String {
        let question = &self.question;
        let bank = match question.bank {
            BankedBy::House => "the house banks",
            BankedBy::Player => "a player banks",
        };
        // A percent has ten thousand millionths.
        let commission = f64::from(question.rules.commission.millionths()) / 10_000.0;
        let changes = question.rules.changes().into_iter().filter(|change| !change.starts_with("commission="));
        let changes: Vec<String> = changes.map(|change| format!("\n    {change}")).collect();
        format!(
            "player: {}\nbanker: {}\nrules {}: {bank}, {commission}% commission{}",
            side(&question.player, &question.player_readings),
            side(&question.banker, &question.banker_readings),
            question.rules_hash,
            changes.concat(),
        )
    }

    fn table(&self) -> TextTable {
        let counts = &self.counts;
        let deals = counts.deals();
        let mut table = TextTable::new(["", "deals", "fraction"]).right_from(1);
        for (name, count) in [
            ("player wins", counts.wins),
            ("push", counts.pushes),
            ("banker wins", counts.losses),
            ("equal fronts", counts.copies_front),
            ("equal backs", counts.copies_back),
            ("all deals", deals),
        ] {
            let fraction = percent(count as f64 / deals.max(1) as f64, 4);
            table = table.row([name, &grouped(count), &fraction]);
        }
        table
    }

    fn values(&self) -> String {
        let (ev, banker_ev) = (self.ev(), self.banker_ev());
        let deviation = self.counts.variance(self.payoff()).sqrt();
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

/// A strategy's name, with the options chosen in it.
fn side(name: &str, readings: &BTreeMap<String, String>) -> String {
    let readings: Vec<String> = readings.iter().map(|(reading, option)| format!("\n    {reading}={option}")).collect();
    format!("{name}{}", readings.concat())
}
