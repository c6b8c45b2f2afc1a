//! An audit as JSON and as tables of integers. Exact integers are strings.

use super::{Findings, RuleFinding};
use crate::analysis::pai_gow::diff::{example_cells, example_json};
use crate::analysis::pai_gow::runner::WayConfig;
use houseway_env::rank::{Category, FiveStrength, TwoStrength};
use houseway_exact::pai_gow::audit::{EvLoss, GroupOfRule, HalfCounts};
use houseway_exact::pai_gow::whole::Side;
use serde_json::{Map, Value, json};

/// The maximum number of groups listed. `tables/classes.csv` has all of them.
const LISTED: usize = 50;

impl Findings<'_> {
    /// Returns the results in the format of `houseway audit --json`.
    pub(super) fn json(&self) -> Value {
        let (counts, total) = (&self.counts, self.counts.total());
        let way = WayConfig::from(&self.question.way);
        let opponent = WayConfig::from(&*self.question.opponent);
        let [player, banker] = match self.question.side {
            Side::Player => [&way, &opponent],
            Side::Banker => [&opponent, &way],
        };
        let fronts = counts.fronts.iter().enumerate().rev().filter(|(_, counts)| counts.hands > 0);
        let fronts = fronts.map(|(i, counts)| half_json("front", TwoStrength::from_index(i).to_string(), counts));
        let backs = self.backs_by_category().into_iter();
        let backs = backs.map(|(category, counts)| half_json("back", category.name().to_owned(), &counts));
        let mut json = json!({
            "way": way.name,
            "as": self.question.side.name(),
            "player": player.name,
            "banker": banker.name,
            "player_hash": player.hash,
            "banker_hash": banker.hash,
            "player_readings": player.readings,
            "banker_readings": banker.readings,
            "rules_hash": self.question.game.rules().hash(),
            "hands": counts.hands.to_string(),
            "uncovered": "0",
            "fouls": "0",
            "deals": counts.way.all().to_string(),
            "ev": self.ev().value(),
            "ev_exact": self.ev().to_json(),
            "optimal_ev": self.optimal_ev().value(),
            "optimal_ev_exact": self.optimal_ev().to_json(),
            "regret": self.regret().value(),
            "regret_exact": self.regret().to_json(),
            "suboptimal_hands": total.suboptimal.to_string(),
            "dominated": total.dominated.to_string(),
            "rules": self.rules.iter().map(|rule| self.rule_json(rule)).collect::<Vec<_>>(),
            "classes": self.costliest().take(LISTED).map(|group| self.class_json(group)).collect::<Vec<_>>(),
            "dominated_classes": self.dominated().take(LISTED).map(|group| self.dominated_json(group)).collect::<Vec<_>>(),
            "readings": self.readings_json(),
            "fronts": fronts.collect::<Vec<_>>(),
            "backs": backs.collect::<Vec<_>>(),
        });
        json.as_object_mut().expect("an object").extend(counts.way.json());
        json
    }

    fn rule_json(&self, rule: &RuleFinding) -> Value {
        let without = rule.without.map(|change| change.json(self.ev_of(change.gain)));
        let mut json = rule.loss.rule_json(self.counts.hands, self.ev_of(rule.loss.lost), without);
        json["name"] = rule.name.clone().into();
        json["text"] = rule.text.clone().into();
        json
    }

    fn class_json(&self, (group, loss): &(GroupOfRule, EvLoss)) -> Value {
        let mut json = self.group_json(group, loss);
        json.insert("ev_lost".to_owned(), self.ev_of(loss.lost).value().into());
        json.extend(loss.worst.iter().flat_map(|sample| example_json(sample, ["plays", "best"])));
        json.into()
    }

    fn dominated_json(&self, (group, loss): &(GroupOfRule, EvLoss)) -> Value {
        let mut json = self.group_json(group, loss);
        json.insert("dominated".to_owned(), loss.dominated.to_string().into());
        json.extend(loss.worst_dominated.iter().flat_map(|sample| example_json(sample, ["plays", "better"])));
        json.into()
    }

    fn group_json(&self, group: &GroupOfRule, loss: &EvLoss) -> Map<String, Value> {
        let values: [(&str, Value); 4] = [
            ("class", group.group.to_string().into()),
            ("rule", self.rule_of(group).into()),
            ("hands", loss.hands.to_string().into()),
            ("suboptimal_hands", loss.suboptimal.to_string().into()),
        ];
        values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn readings_json(&self) -> Vec<Value> {
        let chosen = self.question.way.readings();
        let mut readings = Vec::new();
        for reading in &self.readings {
            let mut json = match &reading.price {
                Ok((_, Some(change))) => change.json(self.ev_of(change.gain)),
                Ok((change, None)) => json!({ "ev_change": change.value(), "ev_change_exact": change.to_json() }),
                Err(reason) => json!({ "ev_change": null, "reason": reason }),
            };
            json["of"] = if reading.is_of_game { "game" } else { "house-way" }.into();
            json["name"] = reading.name.clone().into();
            json["option"] = reading.option.clone().into();
            if !reading.is_of_game {
                json["chosen"] = chosen[&reading.name].clone().into();
            }
            readings.push(json);
        }
        readings
    }

    /// Returns the results of the way's backs by category, from the highest to the lowest.
    pub(super) fn backs_by_category(&self) -> Vec<(Category, HalfCounts)> {
        let ranking = self.question.game.ranking();
        let of = |category: Category| {
            let backs = self.counts.backs.iter().enumerate();
            let backs = backs.filter(|(i, _)| ranking.category(FiveStrength::from_index(*i)) == category);
            backs.fold(HalfCounts::default(), |sum, (_, back)| sum.plus(back))
        };
        let all = Category::ALL.into_iter().rev().map(|category| (category, of(category)));
        all.filter(|(_, counts)| counts.hands > 0).collect()
    }

    /// Returns the tables of integers for each group of hands, each front and each back, with their file names.
    pub(super) fn tables(&self) -> [(&'static str, Vec<Vec<String>>); 3] {
        let ranking = self.question.game.ranking();
        let fronts = (0..TwoStrength::COUNT).map(|i| TwoStrength::from_index(i).to_string());
        let backs = (0..self.counts.backs.len()).map(|i| ranking.describe(FiveStrength::from_index(i)));
        [
            ("classes.csv", self.classes_rows()),
            ("fronts.csv", half_rows("front", fronts.zip(&self.counts.fronts))),
            ("backs.csv", half_rows("back", backs.zip(&self.counts.backs))),
        ]
    }

    fn classes_rows(&self) -> Vec<Vec<String>> {
        let header = "class,rule,hands,suboptimal_hands,dominated,lost_millionths,ev_lost,example,plays,best";
        let mut rows = vec![header.split(',').map(str::to_owned).collect()];
        for (group, loss) in &self.counts.groups {
            let mut row = vec![
                group.group.to_string(),
                self.rule_of(group).unwrap_or_default().to_owned(),
                loss.hands.to_string(),
                loss.suboptimal.to_string(),
                loss.dominated.to_string(),
                loss.lost.to_string(),
                self.ev_of(loss.lost).value().to_string(),
            ];
            row.extend(loss.worst.as_ref().map(example_cells).unwrap_or_default());
            rows.push(row);
        }
        rows
    }
}

/// Returns how often a half is formed, and the number of deals in which it beats, copies, and loses to the other side's
/// half.
fn half_json(key: &str, name: String, counts: &HalfCounts) -> Value {
    let mut json = json!({
        "hands": counts.hands.to_string(),
        "beats": counts.beats.to_string(),
        "copies": counts.copies.to_string(),
        "beaten": counts.beaten().to_string(),
    });
    json[key] = name.into();
    json
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
