//! The answer for the full game, which shows strategies against each other, what a house way costs, and the price of every
//! reading, and answers to questions about house ways.

use super::audit::Audit;
use super::{Class, DEALS, OPTIMAL, PaiGowTiles, Strategy, audit, search};
use crate::Ratio;
use crate::answer::{Answer, Section, TextTable};
use crate::checked::CheckedWay;
use crate::format::{grouped, percent};
use crate::one_decision::OneDecision;
use crate::pai_gow::Side;
use crate::pai_gow::whole::{DealCounts, OutcomeWeights};
use crate::solver::{Control, SolverConfig, SolverError, WayAnswer, WayQuestion};
use crate::standings::{ComparedWay, PairResult, Standings, unique_names};
use houseway_env::pai_gow::house_way::StyleWarning;
use houseway_env::pai_gow_tiles::house_way::{Rule, Way};
use houseway_env::pai_gow_tiles::{Bank, Hand, Rules};
use houseway_env::rules::RuleSet;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

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
            .text(banking(game)),
        Section::new("What the house way costs")
            .table(table(&rules, &["rule", "hands", "worse", "cost"]))
            .text("The hands on which it costs most:")
            .table(table(&lost[..SHOWN.min(lost.len())], &["hand", "hands", "rule", "cost"])),
        Section::new("Readings")
            .text(format!(
                "One rule changed at a time. Both sides play the house way of the rules, here {}, whatever strategies are \
                 given, or the player plays the optimum.",
                game.game.way().name()
            ))
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
    pub(super) counts: DealCounts,
    pub(super) optimal: Ratio,
}

pub(super) fn played(game: &PaiGowTiles) -> Played {
    let outcomes = game.outcomes(Side::Player, &game.banker);
    let best = game.best(Side::Player, &outcomes);
    let optimal = game.ev(&game.total(&outcomes, &best));
    let player = if game.player_is_optimal { best } else { game.follow(&game.way) };
    let counts = game.with_copies(game.total(&outcomes, &player), &player, &game.banker);
    Played { player, counts, optimal }
}

/// Returns the deals that were played, with the keys of all games in which two hands are set. The low half is the front.
fn played_json(game: &PaiGowTiles) -> Map<String, Value> {
    let Played { player, counts, optimal } = played(game);
    let ev = game.ev(&counts);
    let values = json!({
        "player": player.name,
        "banker": game.banker.name,
        "bank": game.game.rules().bank,
        "ev": ev.value(),
        "ev_exact": ev.to_json(),
        "banker_ev": -ev.value(),
        "banker_ev_exact": (-ev).to_json(),
        "optimal_ev": optimal.to_json(),
    });
    let mut json = counts.json();
    json.extend(values.as_object().cloned().unwrap_or_default());
    json
}

/// Returns a table with a column for each of the keys.
pub(super) fn table(rows: &[Value], keys: &[&str]) -> TextTable {
    let cell = |value: &Value| match value {
        Value::String(text) => text.parse().map_or_else(|_| text.clone(), grouped),
        Value::Number(number) => percent(number.as_f64().unwrap_or_default(), 5),
        ratio => percent(ratio["value"].as_f64().unwrap_or_default(), 5),
    };
    let word = |word: &str| if word == "ev" { "EV".to_owned() } else { word.to_owned() };
    let table = TextTable::new(keys.iter().map(|key| key.split('_').map(word).collect::<Vec<_>>().join(" ")));
    let is_right =
        |column: &usize| rows.first().is_some_and(|row| !cell(&row[keys[*column]]).contains(char::is_alphabetic));
    let table = (0..keys.len()).filter(is_right).fold(table, TextTable::right);
    rows.iter().fold(table, |table, row| table.row(keys.iter().map(|key| cell(&row[*key]))))
}

/// Returns the deals of all strategies against each other. The optimum is the best response of one side.
fn matchups(game: &PaiGowTiles) -> Vec<Value> {
    let mut ways = game.ways();
    // Best responses are compared in any case.
    if game.banker.name != OPTIMAL && ways.iter().all(|way| way.settings != game.banker.settings) {
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
    let changes = [Rules::READINGS, Rules::VARIANTS].into_iter().flat_map(|choices| rules.with_each(choices));
    let row = |(name, option, changed)| {
        let [ev, optimal] = evs(changed).map(Ratio::to_json);
        json!({ "rule": format!("{name}={option}"), "ev": ev, "optimal": optimal })
    };
    changes.map(row).collect()
}

/// Describes what banking is worth.
fn banking(game: &PaiGowTiles) -> String {
    let (rules, way) = (game.game.rules(), game.game.way().name());
    let evs = |bank| evs(Rules { bank, ..*rules }).map(Ratio::value);
    let ([house, best], [banked, best_banked]) = (evs(Bank::House), evs(Bank::Player));
    let [house, best, half, banked, best_banked] =
        [house, best, banked / 2.0, banked, best_banked].map(|ev| percent(ev, 4));
    format!(
        "If the house banks and plays the house way of the rules, {way}, the player has an EV of {house} by the same way and \
         {best} optimally. A player who banks has {banked} and {best_banked}. A player who banks together with the house, so that \
         the hand is set by the house way, has half of {banked}, which is {half}."
    )
}

pub(super) fn answer(
    config: &SolverConfig,
    question: &WayQuestion<'_>,
    control: &Control<'_>,
) -> Result<WayAnswer, SolverError> {
    let game = PaiGowTiles::from_config(config)?;
    let load = |way: &str| Way::load(way).map_err(SolverError::invalid);
    match question {
        WayQuestion::Set { hand, way } => {
            let way = way.map_or_else(|| Ok(Arc::clone(&game.way)), |way| load(way).map(Arc::new))?;
            Ok(set(&game, hand.parse().map_err(SolverError::invalid)?, &way).into())
        }
        WayQuestion::Check { way } => Ok(check(&game, &load(way)?).into()),
        WayQuestion::Audit { way, side, opponent, game_readings } => {
            let (way, opponent) = (load(way)?, load(opponent.unwrap_or(way))?);
            Ok(audit::answer(&game, [&way, &opponent], *side, *game_readings)?.into())
        }
        WayQuestion::Compare { ways: [] } => Ok(compared(&standings(&game, game.built_in()))),
        WayQuestion::Compare { ways } => {
            let ways: Vec<Way> = ways.iter().map(|way| load(way)).collect::<Result<_, _>>()?;
            Ok(compared(&standings(&game, ways.iter().map(|way| game.follow(way)).collect())))
        }
        WayQuestion::Search { length, width } => search::search(&game, length, *width, control),
    }
}

/// Returns how house ways set a hand, and what they lose against the house. The low half is the front.
fn set(game: &PaiGowTiles, hand: Hand, way: &Way) -> Answer {
    let others = game.thresholds(Side::Banker, &game.banker);
    let situation = game.situation_of(game.classes.find(hand), hand, &others);
    let optimal = situation.ev(situation.best());
    let set = |setting: usize| {
        let ([front, back], ev) = (game.game.faces(hand, setting), situation.ev(setting));
        json!({ "front": front, "back": back, "ev": ev.value(), "ev_exact": ev.to_json() })
    };
    let by_way = |way: &Way| {
        let choice = way.choose(&game.game, hand);
        let mut json = set(choice.setting);
        json["way"] = way.name().into();
        json["rule"] = way.rule(choice).name.clone().into();
        json["regret"] = (optimal - situation.ev(choice.setting)).value().into();
        json
    };
    let mut ways: Vec<Value> = Way::built_in().iter().map(by_way).collect();
    let own = by_way(way);
    if !ways.contains(&own) {
        ways.push(own.clone());
    }
    let (rules, rules_hash) = OneDecision::rules(game);
    let choice = way.choose(&game.game, hand);
    let made = game.game.set(hand, choice.setting);
    let gain = optimal - situation.ev(choice.setting);
    let best = match gain == Ratio::ZERO {
        true => "this setting".to_owned(),
        false => {
            let label = game.label(&hand.to_string(), situation.best());
            format!("{label}, which gains {}", percent(gain.value(), 4))
        }
    };
    let lines = format!(
        "front  {:14}  {}\nback   {:14}  {}\nrule   {} ({})\n       {}\nEV     {}\nbest   {best}\nrules  {}",
        own["front"].as_str().unwrap_or_default(),
        made.low,
        own["back"].as_str().unwrap_or_default(),
        made.high,
        way.rule(choice).name,
        way.name(),
        way.rule(choice).text,
        percent(situation.ev(choice.setting).value(), 4),
        game.game.rules().described(),
    );
    let columns = ["way", "front", "back", "rule", "ev", "regret"];
    let section = Section::default().lines(lines).table(table(&ways, &columns));
    let mut json = own;
    json["hand"] = hand.to_string().into();
    json["banker"] = game.banker.name.clone().into();
    json["best"] = set(situation.best());
    json["ways"] = ways.into();
    json["rules"] = rules;
    json["rules_hash"] = rules_hash.into();
    Answer::new(json, [section])
}

/// Counts the hands of each rule. A house way that loads sets all hands, and no setting is a foul.
fn check(game: &PaiGowTiles, way: &Way) -> Answer {
    let (mut hands, mut is_used) = (vec![0; way.rules().len()], vec![false; way.rules().len()]);
    for class in game.classes.all() {
        let choice = way.choose_with(&game.game, class.hand, |rule| is_used[rule] = true);
        hands[choice.rule] += class.hands;
    }
    let idle = way.rules().zip(is_used).filter(|(_, is_used)| !is_used);
    let warning = |rule: &Rule| StyleWarning {
        rule: Some(rule.name.clone()),
        line: rule.line,
        message: "has no effect".to_owned(),
    };
    let checked = CheckedWay {
        name: way.name().to_owned(),
        title: way.title().to_owned(),
        source: way.source().to_owned(),
        rules_hash: OneDecision::rules(game).1,
        rules_in_force: game.game.rules().described(),
        hands: hands.iter().sum(),
        rules: way.rules().map(|rule| rule.name.clone()).zip(hands).collect(),
        warnings: idle.map(|(rule, _)| warning(rule)).collect(),
        ..CheckedWay::default()
    };
    checked.answer()
}

/// Plays every strategy against every other one, and the best responses.
pub(super) fn standings(game: &PaiGowTiles, ways: Vec<Strategy>) -> Standings {
    let names = unique_names(ways.iter().map(|way| way.name.as_str()));
    let result = |player: &Strategy, banker: &Strategy, outcomes: &[_], own: &Strategy| {
        let counts = game.with_copies(game.total(outcomes, own), player, banker);
        PairResult { counts: counts.into(), weight: 1, ev: game.ev(&counts) }
    };
    let column = |banker: &Strategy| {
        let outcomes = game.outcomes(Side::Player, banker);
        let players = ways.iter().cloned().chain([game.best(Side::Player, &outcomes)]);
        players.map(|player| result(&player, banker, &outcomes, &player)).collect()
    };
    let best_banker = |player: &Strategy| {
        let outcomes = game.outcomes(Side::Banker, player);
        let banker = game.best(Side::Banker, &outcomes);
        result(player, &banker, &outcomes, &banker)
    };
    let (rules, rules_hash) = OneDecision::rules(game);
    let settings: String = game.game.rules().changes().iter().map(|rule| format!(" --set {rule}")).collect();
    let bank = match game.game.rules().bank {
        Bank::House => "",
        Bank::Player => ". The player banks, so *banker* stands for the house",
    };
    let described = ways.iter().zip(names).map(|(way, name)| ComparedWay {
        name,
        title: way.title.clone(),
        hash: game.hash(way),
        readings: BTreeMap::new(),
    });
    Standings {
        splitting: "splitting four tiles into a low and a high half",
        deals: DEALS,
        command: format!("houseway solve -g pai-gow-tiles --player WAY --banker WAY{settings}"),
        rules,
        rules_hash,
        described_rules: game.described_rules() + bank,
        ways: described.collect(),
        columns: ways.iter().map(column).collect(),
        best_banker: ways.iter().map(best_banker).collect(),
    }
}

fn compared(standings: &Standings) -> WayAnswer {
    let tables = vec![("pairs.csv", standings.rows())];
    WayAnswer { answer: standings.answer(), files: vec![], tables }
}
