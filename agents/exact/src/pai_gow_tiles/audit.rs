//! Audits of house ways: the loss compared with the best response, by rule and by kind of hand.

use super::answer::table;
use super::two_sided::undominated;
use super::{DEALS, HANDS, PaiGowTiles, Strategy};
use crate::Ratio;
use crate::answer::{Answer, Axis, Bar, BarChart, Figure, Section};
use crate::format::{grouped, percent};
use crate::one_decision::OneDecision;
use crate::pai_gow::Side;
use crate::pai_gow::audit::{ChangeCounts, EvLoss};
use crate::pai_gow::whole::DealCounts;
use crate::solver::SolverError;
use houseway_env::pai_gow_tiles::house_way::{Choice, Rule, Way};
use houseway_env::pai_gow_tiles::{Hand, Rules};
use houseway_env::rules::RuleSet;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The number of kinds of hands in the JSON document, and in the table.
const LISTED: [usize; 2] = [50, 20];

/// A house way that one side plays.
pub(super) struct Audit<'a> {
    game: &'a PaiGowTiles,
    side: Side,
    way: &'a Way,
    /// The setting and the rule of each class.
    choices: Vec<Choice>,
    own: Strategy,
    best: Strategy,
    outcomes: Vec<[DealCounts; Hand::SETTINGS]>,
}

impl<'a> Audit<'a> {
    pub(super) fn new(game: &'a PaiGowTiles, way: &'a Way, side: Side, opponent: &Strategy) -> Audit<'a> {
        let outcomes = game.outcomes(side, opponent);
        let choices = game.classes.all().iter().map(|class| way.choose(&game.game, class.hand)).collect();
        Audit { game, side, way, choices, own: game.follow(way), best: game.best(side, &outcomes), outcomes }
    }

    /// Returns the gain from another setting of a class, in parts of the stake.
    fn gain(&self, class: usize, setting: usize) -> i64 {
        let gain = |setting: usize| self.game.gain(self.side, &self.outcomes[class][setting]);
        gain(setting) - gain(self.choices[class].setting)
    }

    /// Returns the loss of a hand of a class, in parts of the stake.
    pub(super) fn loss(&self, class: usize) -> i64 {
        self.gain(class, self.best.settings[class])
    }

    fn add(&self, sum: &mut EvLoss, class: usize) {
        let (hands, loss) = (self.game.classes.all()[class].hands, self.loss(class));
        let is_dominated = undominated(&self.game.sets[class])
            .all(|setting| self.game.sets[class][setting] != self.game.sets[class][self.choices[class].setting]);
        sum.hands += hands;
        sum.suboptimal += if loss > 0 { hands } else { 0 };
        sum.dominated += if is_dominated { hands } else { 0 };
        sum.lost += i128::from(loss) * i128::from(hands);
    }

    fn sum(&self, classes: impl Iterator<Item = usize>) -> EvLoss {
        let mut sum = EvLoss::default();
        classes.for_each(|class| self.add(&mut sum, class));
        sum
    }

    /// Returns the results of all rules.
    pub(super) fn rules(&self) -> Vec<Value> {
        let rule = |(index, rule): (usize, &Rule)| {
            let loss = self.sum((0..self.choices.len()).filter(|&class| self.choices[class].rule == index));
            let without = self.without(index).map(|change| change.json(self.game.ev_of(change.gain)));
            let mut json = loss.rule_json(HANDS, self.game.ev_of(loss.lost), without.ok_or(loss.hands));
            json["name"] = rule.name.clone().into();
            json["text"] = rule.text.clone().into();
            json
        };
        self.way.rules().enumerate().map(rule).collect()
    }

    /// Returns the change if a rule is removed, or `None` if some hands would have no rule.
    fn without(&self, rule: usize) -> Option<ChangeCounts> {
        let mut change = ChangeCounts::default();
        for (class, setting) in self.game.follow(&self.way.without(rule)?).settings.into_iter().enumerate() {
            let sets = &self.game.sets[class];
            if sets[setting] != sets[self.choices[class].setting] {
                change.add_hands(self.game.classes.all()[class].hands, self.gain(class, setting));
            }
        }
        Some(change)
    }

    /// Returns the hands that lose, by rule and by the points of the setting and of the best one. The greatest loss comes
    /// first.
    fn kinds(&self) -> Vec<Value> {
        let mut kinds: BTreeMap<(usize, String), (EvLoss, usize)> = BTreeMap::new();
        for class in (0..self.choices.len()).filter(|&class| self.loss(class) > 0) {
            let Choice { setting, rule } = self.choices[class];
            let [plays, best] = [setting, self.best.settings[class]].map(|setting| self.game.sets[class][setting]);
            let kind = kinds.entry((rule, format!("{plays} rather than {best}")));
            let (loss, worst) = kind.or_insert_with(|| (EvLoss::default(), class));
            self.add(loss, class);
            if self.loss(*worst) < self.loss(class) {
                *worst = class;
            }
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, (loss, _))| Reverse(loss.lost));
        let kind = |((rule, words), (loss, class)): ((usize, String), (EvLoss, usize))| {
            let mut json = json!({
                "class": words,
                "rule": self.way.rules().nth(rule).map(|rule| &rule.name),
                "hands": loss.hands.to_string(),
                "suboptimal_hands": loss.suboptimal.to_string(),
                "ev_lost": self.game.ev_of(loss.lost).value(),
            });
            let hand = self.game.classes.all()[class].hand;
            json["example"] = hand.to_string().into();
            for (name, setting) in [("plays", self.choices[class].setting), ("best", self.best.settings[class])] {
                let parts = self.game.gain(self.side, &self.outcomes[class][setting]);
                json[name] = self.game.game.faces(hand, setting)[0].clone().into();
                json[format!("{name}_setting")] = setting.into();
                json[format!("{name}_ev")] = self.game.hand_ev(parts).value().into();
            }
            json
        };
        kinds.into_iter().map(kind).collect()
    }

    /// Returns the number of deals with each of this side's outcomes, and its EV.
    fn totals(&self, strategy: &Strategy) -> (DealCounts, Ratio) {
        let counts = self.game.total(&self.outcomes, strategy);
        match self.side {
            Side::Player => (counts, self.game.ev(&counts)),
            Side::Banker => (counts.other_side(), -self.game.ev(&counts)),
        }
    }
}

/// Returns the change in EV with every other option of the rules' readings. Both sides keep their house ways.
fn readings(audit: &Audit<'_>, opponent: &Way, ev: Ratio) -> Vec<Value> {
    let (rules, mut changes) = (audit.game.game.rules(), vec![]);
    for (name, option, changed) in rules.with_each(Rules::READINGS) {
        if changed == *rules {
            continue;
        }
        let game = PaiGowTiles::new(changed);
        let other = Audit::new(&game, audit.way, audit.side, &game.follow(opponent));
        let change = other.totals(&other.own).1 - ev;
        changes.push(json!({
            "of": "game",
            "name": name,
            "option": option,
            "ev_change": change.value(),
            "ev_change_exact": change.to_json(),
        }));
    }
    changes
}

/// Audits a house way of one side against a house way of the other.
pub(super) fn answer(
    game: &PaiGowTiles,
    [way, opponent]: [&Way; 2],
    side: Side,
    game_readings: bool,
) -> Result<Answer, SolverError> {
    let other = game.follow(opponent);
    let audit = Audit::new(game, way, side, &other);
    let mut json = audit.json(&other);
    if game_readings {
        let ev = audit.totals(&audit.own).1;
        json["readings"] = readings(&audit, opponent, ev).into();
    }
    let sections = audit.sections(&json, opponent);
    let title = format!("Audit of a house way: {}, as the {}", way.title(), side.name());
    Ok(Answer::new(json, sections).titled(title))
}

/// Returns the rows of a table in a JSON document.
fn rows(json: &Value) -> &[Value] {
    json.as_array().map_or(&[], Vec::as_slice)
}

impl Audit<'_> {
    /// Returns the document with the keys of all audits of house ways.
    fn json(&self, other: &Strategy) -> Value {
        let (game, own) = (self.game, &self.own);
        let total = self.sum(0..self.choices.len());
        let ((counts, ev), (_, optimal)) = (self.totals(own), self.totals(&self.best));
        let [player, banker] = if self.side == Side::Player { [own, other] } else { [other, own] };
        let (game_rules, rules_hash) = OneDecision::rules(game);
        let kinds = self.kinds();
        let mut json = json!({
            "way": own.name,
            "as": self.side,
            "player": player.name,
            "banker": banker.name,
            "player_hash": game.hash(player),
            "banker_hash": game.hash(banker),
            "game_rules": game_rules,
            "rules_hash": rules_hash,
            "hands": total.hands.to_string(),
            "uncovered": "0",
            "fouls": "0",
            "deals": DEALS.to_string(),
            "ev": ev.value(),
            "ev_exact": ev.to_json(),
            "optimal_ev": optimal.value(),
            "optimal_ev_exact": optimal.to_json(),
            "regret": (optimal - ev).value(),
            "regret_exact": (optimal - ev).to_json(),
            "suboptimal_hands": total.suboptimal.to_string(),
            "dominated": total.dominated.to_string(),
            "rules": self.rules(),
            "classes": kinds[..LISTED[0].min(kinds.len())],
            "readings": [],
        });
        json.as_object_mut().expect("an object").extend(game.with_copies(counts, player, banker).json());
        json
    }

    /// Returns the sections about the results in the document.
    fn sections(&self, json: &Value, opponent: &Way) -> Vec<Section> {
        let total = self.sum(0..self.choices.len());
        let verdict = format!(
            "**The rules of {} (source: {}) lose {} of the stake** as the {} against {}, compared with optimal play. {} of \
             the {} hands have a better setting, and for {} of them another setting is better in one half and at least as good in the \
             other. Rules {}.",
            self.way.title(),
            self.way.source(),
            percent(json["regret"].as_f64().unwrap_or_default(), 5),
            self.side.name(),
            opponent.title(),
            grouped(total.suboptimal),
            grouped(total.hands),
            grouped(total.dominated),
            self.game.described_rules(),
        );
        let outcomes = [("these rules", &self.own), ("optimal play", &self.best)].map(|(name, strategy)| {
            let (counts, ev) = self.totals(strategy);
            let mut row = counts.json();
            row.insert("strategy".to_owned(), name.into());
            row.insert("ev".to_owned(), ev.to_json());
            Value::Object(row)
        });
        let (rules, kinds, readings) = (rows(&json["rules"]), rows(&json["classes"]), rows(&json["readings"]));
        let kinds = &kinds[..LISTED[1].min(kinds.len())];
        let mut sections = vec![
            Section::default().text(verdict).table(table(&outcomes, &["strategy", "wins", "pushes", "losses", "ev"])),
            Section::new("EV lost by rule")
                .text("Each hand is set by the last rule that applies to it. The losses add up to the loss above.")
                .figure(figure(rules))
                .table(table(rules, &["name", "hands", "suboptimal_hands", "dominated", "ev_lost"])),
            Section::new("Hands with the greatest losses")
                .text("The points of the setting and of the best one, and both low halves of the hand that loses most.")
                .table(table(kinds, &["class", "rule", "hands", "example", "plays", "best", "ev_lost"])),
            Section::new("Rules that can be removed")
                .text("The change if a rule is removed, so that its hands fall through to later ones.")
                .table(table(&removals(rules), &["without the rule", "hands_changed", "better", "worse", "ev_change"])),
        ];
        if !readings.is_empty() {
            let table = table(readings, &["name", "option", "ev_change"]);
            sections.push(Section::new("Effects of readings").table(table));
        }
        sections
    }
}

/// Returns the changes without each rule that can be removed, the greatest gain first.
fn removals(rules: &[Value]) -> Vec<Value> {
    let removable = rules.iter().filter(|rule| rule["without"]["uncovered"].is_null());
    let mut removals: Vec<Value> = removable
        .map(|rule| {
            let mut row = rule["without"].clone();
            row["without the rule"] = rule["name"].clone();
            row
        })
        .collect();
    let change = |row: &Value| row["ev_change"].as_f64().unwrap_or_default();
    removals.sort_by(|a, b| change(b).total_cmp(&change(a)));
    removals
}

/// Draws what the costly rules lose, the greatest loss first.
fn figure(rules: &[Value]) -> Figure {
    let lost = |rule: &Value| rule["ev_lost"].as_f64().unwrap_or_default();
    let mut costly: Vec<&Value> = rules.iter().filter(|rule| lost(rule) > 0.0).collect();
    costly.sort_by(|a, b| lost(b).total_cmp(&lost(a)));
    let names = costly.iter().map(|rule| rule["name"].as_str().unwrap_or_default().to_owned()).collect();
    let bars = costly.iter().map(|rule| Bar::from(lost(rule))).collect();
    let chart = BarChart::new(Axis::new("EV lost, in percent of the stake").percent(), names).with("loss", bars);
    Figure::new("EV lost by rule", chart.places(4))
        .note("Exact, over all deals.")
        .named("lost-by-rule", "EV lost by rule, in percent of the stake")
}
