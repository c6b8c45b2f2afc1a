//! An answer for people to read, 80 columns wide.

use super::{Answer, Bank};
use crate::report::{Table, terminal};
use houseway_exact::Ratio;
use houseway_exact::format::{grouped, percent};

impl Answer {
    /// The answer as text: a table of the deals, and what they mean if they are the whole game.
    pub fn text(&self) -> String {
        let title = self.title();
        match self.part {
            None => format!("{title}\n\n{}\n{}", terminal(&self.table()), self.values()),
            Some(part) => format!(
                "{title}\nShard {part} of the game: add all of them up with houseway solve --merge FILE...\n\n{}",
                terminal(&self.table())
            ),
        }
    }

    fn title(&self) -> String {
        let question = &self.question;
        let bank = match question.bank {
            Bank::House => "the house banks",
            Bank::Player => "a player banks",
        };
        // Ten thousand millionths are a percent.
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

    fn table(&self) -> Table {
        let counts = &self.counts;
        let deals = counts.deals();
        let mut table = Table::new(["", "deals", "share"]).right(1).right(2);
        for (name, count) in [
            ("player wins", counts.wins),
            ("push", counts.pushes),
            ("banker wins", counts.losses),
            ("fronts tie", counts.copies_front),
            ("backs tie", counts.copies_back),
            ("all deals", deals),
        ] {
            let share = percent(count as f64 / deals.max(1) as f64, 4);
            table = table.row([name, &grouped(count), &share]);
        }
        table
    }

    fn values(&self) -> String {
        let (ev, banker_ev) = (self.ev(), self.banker_ev());
        let deviation = self.counts.variance(self.payoff()).sqrt();
        format!(
            "player's EV         {ev:+.12} of the stake\n  exactly           {ev:?}\n\
             banker's EV         {banker_ev:+.12} of the player's stake\n  exactly           {banker_ev:?}\n\
             edge                {} against the player\n\
             return to player    {}\n\
             standard deviation  {deviation:.6} of the stake\n",
            percent(-ev.value(), 6),
            percent(1.0 + ev.value(), 6),
            ev = Signed(ev),
            banker_ev = Signed(banker_ev),
        )
    }
}

/// A fraction whose decimal form obeys `+`.
struct Signed(Ratio);

impl std::fmt::Display for Signed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0.value(), f)
    }
}

impl std::fmt::Debug for Signed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(&self.0, f)
    }
}

/// A strategy's name, with the options chosen in it.
fn side(name: &str, readings: &std::collections::BTreeMap<String, String>) -> String {
    let readings: Vec<String> = readings.iter().map(|(reading, option)| format!("\n    {reading}={option}")).collect();
    format!("{name}{}", readings.concat())
}
