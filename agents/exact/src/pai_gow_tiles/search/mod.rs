//! Short house ways for the player: lists of rules of each length, and a rating of halves.
//!
//! Both are fitted to the exact losses of all classes of hands. A loss is relative to a hand's best setting, and summed over
//! deals in parts of the stake.

mod lists;
#[cfg(test)]
mod tests;

use super::PaiGowTiles;
use super::answer::table;
use super::two_sided::undominated;
use crate::Ratio;
use crate::answer::{Answer, Section};
use crate::one_decision::OneDecision;
use crate::pai_gow::Side;
use crate::solver::{Control, SolverError, WayAnswer};
use houseway_env::pai_gow_tiles::Half;
use houseway_env::pai_gow_tiles::house_way::Way;
use lists::Rule;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// A setting.
struct Play {
    /// The indices of the floors of the low and the high half.
    halves: [usize; 2],
    points: u8,
    loss: i64,
}

/// The choices that house ways make.
pub(super) struct Problem<'a> {
    game: &'a PaiGowTiles,
    /// The [floors](Half::floor) of all halves, from the worst to the best.
    halves: Vec<Half>,
    /// The settings that no other one dominates, of each class that has several, from the best high half to the best low
    /// half. A list of rules always chooses one of these.
    hands: Vec<Vec<Play>>,
    /// All settings of each class.
    settings: Vec<[Play; 3]>,
    /// The EV of the best response.
    optimal: Ratio,
}

impl<'a> Problem<'a> {
    pub(super) fn new(game: &'a PaiGowTiles) -> Problem<'a> {
        let outcomes = game.outcomes(Side::Player, &game.banker);
        let optimal = game.ev(&game.total(&outcomes, &game.best(Side::Player, &outcomes)));
        let sets = game.sets.iter().flatten();
        let halves: BTreeSet<Half> = sets.flat_map(|set| [set.low.floor(), set.high.floor()]).collect();
        let halves: Vec<Half> = halves.into_iter().collect();
        let rank = |half: Half| halves.binary_search(&half.floor()).expect("all halves are listed");
        let (mut hands, mut settings) = (vec![], vec![]);
        for ((class, sets), counts) in game.classes.all().iter().zip(&game.sets).zip(&outcomes) {
            let nets = counts.each_ref().map(|counts| game.net(counts));
            let best = nets.into_iter().max().unwrap_or(0);
            let mut kept: Vec<usize> = undominated(sets).collect();
            kept.sort_by_key(|&setting| sets[setting].low);
            let play = |setting: usize| {
                let set = sets[setting];
                Play {
                    halves: [rank(set.low), rank(set.high)],
                    points: set.low.points() + set.high.points(),
                    loss: (best - nets[setting]) * class.hands as i64,
                }
            };
            hands.push(kept.into_iter().map(play).collect());
            settings.push([0, 1, 2].map(play));
        }
        hands.retain(|hand: &Vec<Play>| hand.len() > 1);
        Problem { game, halves, hands, settings, optimal }
    }

    /// Returns the loss of a house way.
    fn loss_of(&self, way: &Way) -> i64 {
        let settings = self.game.follow(way).settings;
        self.settings.iter().zip(settings).map(|(plays, setting)| plays[setting].loss).sum()
    }

    fn word(&self, half: usize) -> String {
        self.halves[half].word(self.game.game.rules())
    }

    /// Returns a half in words, such as `9 with H8`.
    fn half(&self, half: usize) -> String {
        self.word(half).replace("pair:", "pair of ").replace(':', " with ")
    }

    fn corner(&self, [low, high]: [usize; 2]) -> String {
        match (low, high) {
            (0, _) => format!("{} or better high", self.half(high)),
            (_, 0) => format!("{} or better low", self.half(low)),
            _ => format!("{} or better low and {} or better high", self.half(low), self.half(high)),
        }
    }

    fn sentence(&self, rule: &Rule) -> String {
        let best = if rule.low { "best low half" } else { "best high half" };
        let Some(keep) = rule.keep else {
            return format!(
                "All other hands: the {}{best}.",
                if rule.points { "most points in total, then the " } else { "" }
            );
        };
        let unless =
            rule.unless.map_or(String::new(), |unless| format!(", unless {} is possible", self.corner(unless)));
        match keep {
            [0, 0] => format!("Any hand: the {best}{unless}."),
            _ => format!("If settings have {}: of these, the {best}{unless}.", self.corner(keep)),
        }
    }

    /// Returns a list of rules as a house way.
    fn list_file(&self, name: &str, list: &[Rule]) -> String {
        let mut text = head(name, &format!("The best list of at most {} rules that was found", list.len()));
        for (place, rule) in list.iter().enumerate() {
            let filter = |[low, high]: [usize; 2]| format!("[\"{}/{}+\"]", self.word(low), self.word(high));
            let _ = write!(text, "\n[[rule]]\nname = \"rule {}\"\ntext = \"{}\"\n", place + 1, self.sentence(rule));
            for (key, corner) in [("keep", rule.keep), ("impossible", rule.unless)] {
                let _ = corner.map(|corner| writeln!(text, "{key} = {}", filter(corner)));
            }
            text += if rule.points { "keep = [\"most-points\"]\n" } else { "" };
            let _ = writeln!(text, "prefer = \"{}\"", if rule.low { "low" } else { "high" });
        }
        text
    }

    /// Returns a rating as a house way.
    fn rating_file(&self, name: &str, [low, high]: &[Vec<i64>; 2]) -> String {
        let mut text = head(name, "The rating of halves that was found") + "rating = [\n";
        for (half, (low, high)) in low.iter().zip(high).enumerate() {
            let _ = writeln!(text, "    {{ half = \"{}\", low = {low}, high = {high} }},", self.word(half));
        }
        text += "]\n\n[[rule]]\nname = \"rating\"\ntext = \"The halves with the most value together.\"\nprefer = \"rating\"\n";
        text
    }

    /// Returns the value of a house way as JSON.
    fn value(&self, way: &Way) -> Value {
        let (loss, house) = (self.loss_of(way), self.loss_of(&self.game.way));
        let regret = self.game.ev_of(loss);
        let ev = self.optimal - regret;
        json!({
            "name": way.name(),
            "rules": way.rules().len(),
            "ev": ev.value(),
            "ev_exact": ev.to_json(),
            "regret": regret.value(),
            "regret_exact": regret.to_json(),
            "gap_closed": 1.0 - loss as f64 / house as f64,
        })
    }

    /// Returns the JSON of a house way and its file. The loss is that of the file.
    fn found(&self, name: &str, toml: &str, list: &[Rule]) -> Value {
        let way = Way::load(toml).expect("the search writes valid house ways");
        let mut json = self.value(&way);
        let per_rule = |place: usize| {
            let others: Vec<Rule> =
                list.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, rule)| *rule).collect();
            let without = (place + 1 < list.len()).then(|| self.optimal - self.game.ev_of(self.total(&others)));
            json!({ "name": format!("rule {}", place + 1), "ev_without": without.map(Ratio::value) })
        };
        json["proven_gap"] = Value::Null;
        json["file"] = format!("ways/{name}.toml").into();
        json["sheet"] = way.rules().map(|rule| rule.text.as_str()).collect();
        json["per_rule"] = (0..list.len()).map(per_rule).collect();
        json
    }
}

/// Returns the keys above the rules of a house way.
fn head(name: &str, title: &str) -> String {
    format!("name = \"{name}\"\ntitle = \"{title}\"\nsource = \"houseway search -g pai-gow-tiles\"\n")
}

/// Searches for lists with these numbers of rules and for a rating.
pub(super) fn search(
    game: &PaiGowTiles,
    lengths: &RangeInclusive<usize>,
    width: usize,
    control: &Control<'_>,
) -> Result<WayAnswer, SolverError> {
    let problem = Problem::new(game);
    let lists = problem.lists(*lengths.end(), width, control)?;
    let (mut files, mut ways) = (vec![], vec![]);
    let mut keep = |name: String, toml: String, list: &[Rule]| {
        let found = problem.found(&name, &toml, list);
        files.push((format!("ways/{name}.toml"), toml));
        found
    };
    for list in lists.iter().filter(|list| lengths.contains(&list.len())) {
        let name = format!("tiles-{}", list.len());
        let toml = problem.list_file(&name, list);
        ways.push(keep(name, toml, list));
    }
    let toml = problem.rating_file("tiles-rating", &problem.rating(control)?);
    let rating = keep("tiles-rating".to_owned(), toml, &[]);
    let reference: Vec<Value> = Way::built_in().iter().map(|way| problem.value(way)).collect();
    let (rules, rules_hash) = OneDecision::rules(game);
    let mut rows: Vec<Value> = ways.iter().chain([&rating]).chain(&reference).cloned().collect();
    // The table shows other numbers as percentages.
    rows.iter_mut().for_each(|row| row["rules"] = row["rules"].to_string().into());
    let json = json!({
        "as": "player",
        "banker": game.banker.name,
        "rules": rules,
        "rules_hash": rules_hash,
        "ways": ways,
        "rating": rating,
        "reference": reference,
    });
    let summary = format!(
        "House ways for the player against {}. The last column is the share of the gap between {} and optimal play that each \
         closes. All values are exact; better lists may exist. Rules {}.",
        game.banker.name,
        game.way.name(),
        game.described_rules()
    );
    let summary =
        Section::default().text(summary).table(table(&rows, &["name", "rules", "ev", "regret", "gap_closed"]));
    let sheet = |way: &Value| {
        let lines = way["sheet"].as_array().into_iter().flatten().filter_map(Value::as_str).enumerate();
        let section = Section::new(way["name"].as_str().unwrap_or_default());
        lines.fold(section, |section, (place, line)| section.text(format!("{}. {line}", place + 1)))
    };
    let sheets: Vec<Section> = ways.iter().map(sheet).collect();
    let answer = Answer::new(json, std::iter::once(summary).chain(sheets))
        .titled("The best short house ways of Pai Gow with tiles");
    Ok(WayAnswer { answer, files, tables: vec![] })
}
