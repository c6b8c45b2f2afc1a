//! Converts the results to JSON, in which exact integers are strings.

use super::findings::{AuditFindings, RuleFinding, RulePrice};
use crate::analysis::pai_gow::example::example_json;
use crate::analysis::pai_gow::seat::WaySide;
use houseway_env::rank::TwoStrength;
use houseway_exact::pai_gow::audit::{ChangeCounts, EvLoss, GroupOfRule, HalfCounts};
use serde_json::{Map, Value, json};

/// The maximum number of groups listed. `tables/classes.csv` has all of them.
pub(super) const LISTED: usize = 50;

impl AuditFindings {
    /// Returns the results in the format of `houseway audit --json`.
    pub fn json(&self) -> Value {
        let (counts, total) = (&self.counts, self.counts.total());
        let [player, banker] = match self.seat {
            WaySide::Player => [&self.way, &self.opponent],
            WaySide::Banker => [&self.opponent, &self.way],
        };
        json!({
            "way": self.way.name,
            "as": self.seat.name(),
            "player": player.name,
            "banker": banker.name,
            "player_hash": player.hash,
            "banker_hash": banker.hash,
            "player_readings": player.readings,
            "banker_readings": banker.readings,
            "rules_hash": self.rules_of_game.hash(),
            "hands": counts.hands.to_string(),
            "uncovered": "0",
            "fouls": "0",
            "deals": counts.way.all().to_string(),
            "wins": counts.way.wins.to_string(),
            "pushes": counts.way.pushes.to_string(),
            "losses": counts.way.losses.to_string(),
            "copies_front": counts.way.copies_front.to_string(),
            "copies_back": counts.way.copies_back.to_string(),
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
            "fronts": self.fronts_json(),
            "backs": self.backs_json(),
        })
    }

    /// Iterates over the groups with losses, from the largest loss to the smallest.
    pub(super) fn costliest(&self) -> impl Iterator<Item = &(GroupOfRule, EvLoss)> {
        self.counts.groups.iter().filter(|(_, loss)| loss.lost > 0)
    }

    /// Iterates over the groups with dominated settings, from the most hands to the fewest.
    pub(super) fn dominated(&self) -> impl Iterator<Item = &(GroupOfRule, EvLoss)> {
        let mut groups: Vec<_> = self.counts.groups.iter().filter(|(_, loss)| loss.dominated > 0).collect();
        groups.sort_by_key(|(_, loss)| std::cmp::Reverse(loss.dominated));
        groups.into_iter()
    }

    fn rule_json(&self, rule: &RuleFinding) -> Value {
        let lost = self.ev_of(rule.loss.lost);
        let without = match &rule.price {
            RulePrice::Needed(hands) => json!({ "uncovered": hands.to_string() }),
            RulePrice::Without(change) => self.change_json(change),
        };
        json!({
            "name": rule.name,
            "text": rule.text,
            "hands": rule.loss.hands.to_string(),
            "share": rule.loss.hands as f64 / self.counts.hands as f64,
            "suboptimal_hands": rule.loss.suboptimal.to_string(),
            "dominated": rule.loss.dominated.to_string(),
            "ev_lost": lost.value(),
            "ev_lost_exact": lost.to_json(),
            "without": without,
        })
    }

    fn change_json(&self, change: &ChangeCounts) -> Value {
        let ev = self.ev_of(change.gain);
        json!({
            "ev_change": ev.value(),
            "ev_change_exact": ev.to_json(),
            "hands_changed": change.hands.to_string(),
            "better": change.better.to_string(),
            "worse": change.worse.to_string(),
        })
    }

    fn class_json(&self, (group, loss): &(GroupOfRule, EvLoss)) -> Value {
        let mut json = self.group_json(group, loss);
        json.insert("ev_lost".to_owned(), self.ev_of(loss.lost).value().into());
        if let Some(it) = &loss.worst {
            json.extend(example_json(it.hand, [("plays", it.plays, it.ev()), ("best", it.other, it.other_ev())]));
        }
        json.into()
    }

    fn dominated_json(&self, (group, loss): &(GroupOfRule, EvLoss)) -> Value {
        let mut json = self.group_json(group, loss);
        json.insert("dominated".to_owned(), loss.dominated.to_string().into());
        if let Some(it) = &loss.worst_dominated {
            json.extend(example_json(it.hand, [("plays", it.plays, it.ev()), ("better", it.other, it.other_ev())]));
        }
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
        let of_way = self.readings.iter().map(|reading| {
            let mut json = match &reading.price {
                Ok(change) => self.change_json(change),
                Err(reason) => json!({ "ev_change": null, "reason": reason }),
            };
            json["of"] = "house-way".into();
            json["name"] = reading.name.clone().into();
            json["option"] = reading.option.clone().into();
            json["chosen"] = self.way.readings[&reading.name].clone().into();
            json
        });
        let of_game = self.game_readings.iter().map(|reading| {
            let mut json = match &reading.price {
                Ok(change) => json!({ "ev_change": change.value(), "ev_change_exact": change.to_json() }),
                Err(reason) => json!({ "ev_change": null, "reason": reason }),
            };
            json["of"] = "game".into();
            json["name"] = reading.name.clone().into();
            json["option"] = reading.option.clone().into();
            json
        });
        of_way.chain(of_game).collect()
    }

    fn fronts_json(&self) -> Vec<Value> {
        let fronts = self.counts.fronts.iter().enumerate().rev().filter(|(_, counts)| counts.hands > 0);
        fronts.map(|(i, counts)| half_json("front", TwoStrength::from_index(i).to_string(), counts)).collect()
    }

    fn backs_json(&self) -> Vec<Value> {
        let backs = self.backs_by_category().into_iter();
        backs.map(|(category, counts)| half_json("back", category.name().to_owned(), &counts)).collect()
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
