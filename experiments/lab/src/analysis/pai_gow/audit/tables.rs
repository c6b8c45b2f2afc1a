//! Builds an audit's tables, both for reports and as CSV files that keep all integers.

use super::findings::{AuditFindings, RulePrice};
use crate::analysis::pai_gow::example::ExampleCells;
use crate::analysis::pai_gow::units::{change_per_thousand, part, per_thousand};
use crate::report::TextTable;
use crate::run::{RunFolder, make_folder, write_atomic};
use houseway_env::rank::TwoStrength;
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::audit::HalfCounts;
use std::io;

impl AuditFindings {
    /// Returns the rules with their frequencies, suboptimal and dominated hands and losses, sorted by loss in
    /// descending order. The terminal version omits rules without losses.
    pub(super) fn rules_table(&self, terminal: bool) -> TextTable {
        let header = ["rule", "fraction of deals", "suboptimal", "dominated", "lost per 1,000 games"];
        let mut table = (1..=4).fold(TextTable::new(header), TextTable::right);
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_by_key(|rule| std::cmp::Reverse(rule.loss.lost));
        for rule in rules.into_iter().filter(|rule| !terminal || rule.loss.lost > 0) {
            let loss = &rule.loss;
            table = table.row([
                rule.name.as_str(),
                &part(loss.hands, self.counts.hands, 4),
                &grouped(loss.suboptimal),
                &grouped(loss.dominated),
                &per_thousand(self.ev_of(loss.lost)),
            ]);
        }
        table
    }

    /// Returns the groups with the largest losses, each with an example.
    pub(super) fn classes_table(&self, most: usize) -> TextTable {
        let header =
            ["hands", "suboptimal", "lost per 1,000 games", "example", "plays in front", "EV", "best in front", "EV"];
        let mut table = [1, 2, 5, 7].into_iter().fold(TextTable::new(header), TextTable::right);
        for (group, loss) in self.costliest().take(most) {
            let Some(sample) = loss.worst.as_ref().map(ExampleCells::new) else { continue };
            table = table.row([
                group.group.to_string().as_str(),
                &format!("{} of {}", grouped(loss.suboptimal), grouped(loss.hands)),
                &per_thousand(self.ev_of(loss.lost)),
                &sample.hand,
                &sample.plays,
                &sample.evs[0],
                &sample.other,
                &sample.evs[1],
            ]);
        }
        table
    }

    /// Returns the same table with fewer columns, to fit into 80 characters.
    pub(super) fn classes_terminal(&self, most: usize) -> TextTable {
        let header = ["hands", "example", "plays", "best", "lost per 1,000 games"];
        let mut table = TextTable::new(header).right(4);
        for (group, loss) in self.costliest().take(most) {
            let Some(sample) = loss.worst.as_ref().map(ExampleCells::new) else { continue };
            let lost = per_thousand(self.ev_of(loss.lost));
            table = table.row([group.group.to_string().as_str(), &sample.hand, &sample.plays, &sample.other, &lost]);
        }
        table
    }

    /// Returns the groups with the most dominated settings, each with an example.
    pub(super) fn dominated_table(&self, most: usize) -> TextTable {
        let mut table = TextTable::new(["hands", "dominated", "example", "plays in front", "better in front"]).right(1);
        for (group, loss) in self.dominated().take(most) {
            let Some(sample) = loss.worst_dominated.as_ref().map(ExampleCells::new) else { continue };
            table = table.row([
                group.group.to_string().as_str(),
                &grouped(loss.dominated),
                &sample.hand,
                &sample.plays,
                &sample.other,
            ]);
        }
        table
    }

    /// Returns the effects of the way's other options, and of the game's if they were evaluated.
    pub(super) fn readings_table(&self) -> TextTable {
        let mut table = TextTable::new(["reading", "hands changed", "change per 1,000 games"]).right(1).right(2);
        for reading in &self.readings {
            let (hands, change) = match &reading.price {
                Ok(change) => (grouped(change.hands), change_per_thousand(self.ev_of(change.gain))),
                Err(_) => (String::new(), "not possible".to_owned()),
            };
            table = table.row([format!("{}={}", reading.name, reading.option).as_str(), &hands, &change]);
        }
        for reading in &self.game_readings {
            let change = match &reading.price {
                Ok(change) => change_per_thousand(*change),
                Err(_) => "not possible".to_owned(),
            };
            let name = format!("game: {}={}", reading.name, reading.option);
            table = table.row([name.as_str(), "", &change]);
        }
        table
    }

    /// Returns the effect of removing each rule. The terminal version omits required rules.
    pub(super) fn prices_table(&self, terminal: bool) -> TextTable {
        let mut table =
            TextTable::new(["without the rule", "hands changed", "change per 1,000 games"]).right(1).right(2);
        for rule in &self.rules {
            let (hands, change) = match &rule.price {
                RulePrice::Needed(_) if terminal => continue,
                RulePrice::Needed(hands) => (format!("{} unset", grouped(*hands)), "needed".to_owned()),
                RulePrice::Without(change) => (grouped(change.hands), change_per_thousand(self.ev_of(change.gain))),
            };
            table = table.row([rule.name.as_str(), &hands, &change]);
        }
        table
    }

    /// Returns the results of the backs by category.
    pub(super) fn backs_table(&self) -> TextTable {
        let rows = self.backs_by_category().into_iter().map(|(category, counts)| (category.name().to_owned(), counts));
        self.halves_table("back", rows)
    }

    /// Returns the results of the most frequent fronts.
    pub(super) fn fronts_table(&self, most: usize) -> TextTable {
        let mut fronts: Vec<(usize, HalfCounts)> = self.counts.fronts.iter().copied().enumerate().collect();
        fronts.sort_by_key(|(i, counts)| (std::cmp::Reverse(counts.hands), *i));
        let rows = fronts.into_iter().take(most);
        self.halves_table("front", rows.map(|(i, counts)| (TwoStrength::from_index(i).to_string(), counts)))
    }

    fn halves_table(&self, half: &str, rows: impl Iterator<Item = (String, HalfCounts)>) -> TextTable {
        let mut table =
            (1..=4).fold(TextTable::new([half, "played", "beats", "copies", "is beaten"]), TextTable::right);
        for (name, counts) in rows {
            let share = |deals: u64| part(deals, counts.deals(), 3);
            table = table.row([
                name.as_str(),
                &percent(counts.hands as f64 / self.counts.hands as f64, 4),
                &share(counts.beats),
                &share(counts.copies),
                &share(counts.beaten()),
            ]);
        }
        table
    }

    /// Writes the integers for each group of hands, each front and each back.
    pub(super) fn save_tables(&self, run: &RunFolder) -> io::Result<()> {
        make_folder(&run.file("tables"))?;
        let save = |name: &str, rows: Vec<Vec<String>>| {
            let mut writer = csv::Writer::from_writer(Vec::new());
            rows.iter().try_for_each(|row| writer.write_record(row))?;
            let text = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
            write_atomic(&run.file("tables").join(name), text)
        };
        save("classes.csv", self.classes_rows())?;
        let fronts = (0..TwoStrength::COUNT).map(|i| TwoStrength::from_index(i).to_string());
        save("fronts.csv", half_rows("front", fronts.zip(&self.counts.fronts)))?;
        let backs = self.back_names.iter().map(|(_, name)| name.clone());
        save("backs.csv", half_rows("back", backs.zip(&self.counts.backs)))
    }

    fn classes_rows(&self) -> Vec<Vec<String>> {
        let header = "class,rule,hands,suboptimal_hands,dominated,lost_millionths,ev_lost,example,plays,best";
        let mut rows = vec![header.split(',').map(str::to_owned).collect()];
        for (group, loss) in &self.counts.groups {
            let sample = loss.worst.as_ref().map(ExampleCells::new);
            let [hand, plays, best] = sample.map_or_else(Default::default, |it| [it.hand, it.plays, it.other]);
            rows.push(vec![
                group.group.to_string(),
                self.rule_of(group).unwrap_or_default().to_owned(),
                loss.hands.to_string(),
                loss.suboptimal.to_string(),
                loss.dominated.to_string(),
                loss.lost.to_string(),
                self.ev_of(loss.lost).value().to_string(),
                hand,
                plays,
                best,
            ]);
        }
        rows
    }
}

/// Returns the halves that occur, from the highest to the lowest.
fn half_rows<'a>(
    half: &str,
    halves: impl DoubleEndedIterator<Item = (String, &'a HalfCounts)> + ExactSizeIterator,
) -> Vec<Vec<String>> {
    let mut rows = vec![[half, "hands", "beats", "copies", "beaten"].map(str::to_owned).to_vec()];
    for (name, counts) in halves.rev().filter(|(_, counts)| counts.hands > 0) {
        let integers = [counts.hands, counts.beats, counts.copies, counts.beaten()].map(|count| count.to_string());
        rows.push(std::iter::once(name).chain(integers).collect());
    }
    rows
}
