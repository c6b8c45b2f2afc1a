//! All settings of a hand as an answer.

use super::side::Side;
use super::whole::RANDOM_WEIGHT;
use super::{BankerTable, HandCounts, HandEvaluator, RANDOM, count_against_random};
use crate::answer::{Answer, Section, TextTable};
use crate::format::percent;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Hand, Setting, Strategy};
use serde_json::{Value, json};

/// Returns the settings of a hand against a banker with a house way, or else one who sets at random, beside the choice
/// of a house way.
pub(super) fn hand_answer(game: &Game, hand: Hand, way: &HouseWay, banker: Option<&HouseWay>) -> Answer {
    let counts = match banker {
        Some(banker) => HandEvaluator::new(game, &BankerTable::new(banker)).count(hand),
        None => count_against_random(game, Side::Player, hand),
    };
    let settings: Vec<Value> = Setting::all().map(|setting| setting_json(hand, &counts, setting)).collect();
    let mut json = json!({
        "hand": hand.to_string(),
        "way": way.name(),
        "banker": banker.map_or(RANDOM, Strategy::name),
        "rules_hash": game.rules().hash(),
        "settings": settings,
        "best": counts.best().index(),
        "house_way": way.set(hand).index(),
        "rule": way.rule(hand).name,
    });
    if banker.is_none() {
        json["weight"] = RANDOM_WEIGHT.to_string().into();
    }
    let chosen = way.set(hand);
    let fouls = Setting::all().filter(|&setting| counts.get(setting).is_none()).count();
    let regret = counts.regret(chosen).map_or(0.0, |regret| regret.value());
    let section = Section::default()
        .text(match banker {
            Some(banker) => format!("{hand}, against a banker who sets by {}", banker.name()),
            None => format!("{hand}, against a banker who picks a legal setting uniformly at random"),
        })
        .table(table(game, hand, &counts, chosen))
        .lines(format!(
            "{fouls} of 21 settings are fouls.\nway: {} plays {} in front, by its rule \"{}\",\n     and loses {regret:.5} \
             of the stake.",
            way.name(),
            chosen.front(hand),
            way.rule(hand).name,
        ));
    Answer { json, sections: vec![section] }
}

fn setting_json(hand: Hand, counts: &HandCounts, setting: Setting) -> Value {
    let of_setting = counts.get(setting);
    let text = |count: Option<u64>| count.map(|count| count.to_string());
    json!({
        "front": setting.front(hand).to_string(),
        "back": setting.back(hand).to_string(),
        "foul": of_setting.is_none(),
        "wins": text(of_setting.map(|counts| counts.wins)),
        "pushes": text(of_setting.map(|counts| counts.pushes)),
        "losses": text(of_setting.map(|counts| counts.losses)),
        "copies_front": text(of_setting.map(|counts| counts.copies_front)),
        "copies_back": text(of_setting.map(|counts| counts.copies_back)),
        "ev": counts.ev(setting).map(|ev| ev.value()),
    })
}

/// Returns the legal settings, the best one first.
fn table(game: &Game, hand: Hand, counts: &HandCounts, chosen: Setting) -> TextTable {
    let (best, values) = (counts.best(), counts.ev_values());
    let mut legal: Vec<Setting> = Setting::all().filter(|&setting| counts.get(setting).is_some()).collect();
    legal.sort_by(|a, b| values[b.index()].total_cmp(&values[a.index()]));
    let header = ["front", "back", "back is", "win", "lose", "EV", ""];
    let mut table = [3, 4, 5].into_iter().fold(TextTable::new(header), TextTable::right);
    for setting in legal {
        let Some(of_setting) = counts.get(setting) else { continue };
        let fraction = |count: u64| percent(count as f64 / of_setting.all() as f64, 3);
        let marks = match (setting == best, setting == chosen) {
            (true, true) => "best, way",
            (true, false) => "best",
            (false, true) => "way",
            _ => "",
        };
        table = table.row([
            setting.front(hand).to_string().as_str(),
            &setting.back(hand).to_string(),
            game.ranking().category(game.set(hand, setting).back).name(),
            &fraction(of_setting.wins),
            &fraction(of_setting.losses),
            &format!("{:+.5}", values[setting.index()]),
            marks,
        ]);
    }
    table
}
