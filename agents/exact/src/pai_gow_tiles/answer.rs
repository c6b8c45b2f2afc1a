//! The answer for the full game: strategies against each other, what a house way costs, and the price of every reading.

use super::audit::Audit;
use super::ways::standings;
use super::{Class, Counts, PaiGowTiles, Strategy};
use crate::Ratio;
use crate::answer::{Section, TextTable};
use crate::format::{grouped, percent};
use crate::pai_gow::Side;
use crate::pai_gow::whole::OutcomeWeights;
use crate::solver::{Control, SolverError};
use crate::standings::PairResult;
use houseway_env::pai_gow::Outcome;
use houseway_env::pai_gow_tiles::{Bank, Rules};
use houseway_env::rules::RuleSet;
use serde_json::{Map, Value, json};

/// The number of hands to list where a house way loses most.
const SHOWN: usize = 10;

/// Returns the JSON keys and the sections of the solved game.
pub(super) fn solved(
    game: &PaiGowTiles,
    control: &Control<'_>,
) -> Result<(Map<String, Value>, Vec<Section>), SolverError> {
    let (matchups, readings) = (matchups(game), readings(game.game.rules()));
    let [rules, lost] = costs(game);
    let sections = vec![
        Section::new("Strategies against each other")
            .table(table(&matchups, &["player", "house", "wins", "pushes", "losses", "ev"]))
            .text(banking(game.game.rules())),
        Section::new("What the house way costs")
            .table(table(&rules, &["rule", "hands", "worse", "cost"]))
            .table(table(&lost[..SHOWN.min(lost.len())], &["hand", "hands", "rule", "cost"])),
        Section::new("Readings")
            .text("One rule changed at a time. Both sides play the house way of the rules, or the player plays the optimum.")
            .table(table(&readings, &["rule", "ev", "optimal"])),
    ];
    control.check()?;
    let mut json = played_json(game);
    let details = json!({ "matchups": matchups, "rule_costs": rules, "lost_hands": lost, "readings": readings });
    json.extend(details.as_object().cloned().unwrap_or_default());
    Ok((json, sections))
}

/// The player's strategy and its deals against the house's, with the EV of the best response.
pub(super) struct Played {
    pub(super) player: Strategy,
    pub(super) counts: Counts,
    pub(super) optimal: Ratio,
}

pub(super) fn played(game: &PaiGowTiles) -> Played {
    let outcomes = game.outcomes(Side::Player, &game.banker);
    let best = game.best(Side::Player, &outcomes);
    let optimal = game.ev(&game.total(&outcomes, &best));
    let player = if game.player_is_optimal { best } else { game.follow(&game.way) };
    let counts = game.total(&outcomes, &player);
    Played { player, counts, optimal }
}

/// Returns the deals that were played, with the keys of all games in which two hands are set. The low half is the front.
fn played_json(game: &PaiGowTiles) -> Map<String, Value> {
    let Played { player, counts, optimal } = played(game);
    let [copies_front, copies_back] = game.copies(&player, &game.banker).map(|deals| deals.to_string());
    let [wins, pushes, losses] = Outcome::ALL.map(|outcome| counts[outcome as usize].to_string());
    let ev = game.ev(&counts);
    let json = json!({
        "player": player.name,
        "banker": game.banker.name,
        "bank": game.game.rules().bank,
        "wins": wins,
        "pushes": pushes,
        "losses": losses,
        "copies_front": copies_front,
        "copies_back": copies_back,
        "ev": ev.value(),
        "ev_exact": ev.to_json(),
        "banker_ev": -ev.value(),
        "banker_ev_exact": (-ev).to_json(),
        "optimal_ev": optimal.to_json(),
    });
    json.as_object().cloned().unwrap_or_default()
}

/// Returns a table with a column for each of the keys.
pub(super) fn table(rows: &[Value], keys: &[&str]) -> TextTable {
    let cell = |value: &Value| match value {
        Value::String(text) => text.parse().map_or_else(|_| text.clone(), grouped),
        Value::Number(number) => percent(number.as_f64().unwrap_or_default(), 5),
        ratio => percent(ratio["value"].as_f64().unwrap_or_default(), 5),
    };
    let table = TextTable::new(keys.iter().map(|key| key.replace('_', " ")));
    let is_right =
        |column: &usize| rows.first().is_some_and(|row| !cell(&row[keys[*column]]).contains(char::is_alphabetic));
    let table = (0..keys.len()).filter(is_right).fold(table, TextTable::right);
    rows.iter().fold(table, |table, row| table.row(keys.iter().map(|key| cell(&row[*key]))))
}

/// Returns the deals of all strategies against each other. The optimum is the best response of one side.
fn matchups(game: &PaiGowTiles) -> Vec<Value> {
    let mut ways = game.ways();
    if ways.iter().all(|way| way.settings != game.banker.settings) {
        ways.push(game.banker.clone());
    }
    let standings = standings(game, ways);
    let row = |(player, banker, result): (&str, &str, &PairResult)| {
        let OutcomeWeights { wins, pushes, losses, .. } = result.counts;
        let [wins, pushes, losses] = [wins, pushes, losses].map(|deals| deals.to_string());
        let ev = result.ev.to_json();
        json!({ "player": player, "house": banker, "wins": wins, "pushes": pushes, "losses": losses, "ev": ev })
    };
    standings.results().map(row).collect()
}

/// Returns what the rules of the player's house way cost over all hands, and the hands for which it isn't optimal, the
/// worst one first.
fn costs(game: &PaiGowTiles) -> [Vec<Value>; 2] {
    let audit = Audit::new(game, &game.way, Side::Player, &game.banker);
    let rule = |it: Value| json!({ "rule": it["name"], "hands": it["hands"], "worse": it["suboptimal_hands"], "cost": it["ev_lost"] });
    let mut lost: Vec<usize> = (0..game.classes.all().len()).filter(|&class| audit.loss(class) > 0).collect();
    lost.sort_by_key(|&class| -audit.loss(class));
    let hand = |class: usize| {
        let Class { hand, hands } = game.classes.all()[class];
        let rule = &game.way.rule(game.way.choose(&game.game, hand)).name;
        let cost = game.hand_ev(audit.loss(class)).value();
        json!({ "hand": hand.to_string(), "hands": hands.to_string(), "rule": rule, "cost": cost })
    };
    [audit.rules().into_iter().map(rule).collect(), lost.into_iter().map(hand).collect()]
}

/// Returns the player's EV by the house way of the rules, which the house also plays, and optimally.
fn evs(rules: Rules) -> [Ratio; 2] {
    let game = PaiGowTiles::new(rules);
    let outcomes = game.outcomes(Side::Player, &game.banker);
    [&game.banker, &game.best(Side::Player, &outcomes)].map(|strategy| game.ev(&game.total(&outcomes, strategy)))
}

fn readings(rules: &Rules) -> Vec<Value> {
    let all = Rules::READINGS.iter().chain(Rules::VARIANTS);
    let changes = all.flat_map(|rule| rule.options.iter().map(move |option| format!("{}={option}", rule.name)));
    let row = |change: String| {
        let [ev, optimal] = evs(rules.with(&change).expect("every option of a reading is valid")).map(Ratio::to_json);
        json!({ "rule": change, "ev": ev, "optimal": optimal })
    };
    changes.map(row).collect()
}

/// Describes what banking is worth.
fn banking(rules: &Rules) -> String {
    let evs = |bank| evs(Rules { bank, ..*rules }).map(|ev| percent(ev.value(), 4));
    let ([house, best], [banked, best_banked]) = (evs(Bank::House), evs(Bank::Player));
    format!(
        "If the house banks and plays the house way of the rules, the player has an EV of {house} by the same way and {best} \
         optimally. A player who banks has {banked} and {best_banked}. A player who banks together with the house, so that \
         the hand is set by the house way, has half of {banked}."
    )
}
