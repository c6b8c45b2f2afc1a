//! Answers to questions about house ways.

use super::answer::table;
use super::{HIDDEN, PaiGowTiles, Strategy, audit, search};
use crate::answer::{Answer, Section};
use crate::checked::CheckedWay;
use crate::format::percent;
use crate::one_decision::OneDecision;
use crate::pai_gow::Side;
use crate::pai_gow::whole::OutcomeWeights;
use crate::solver::{Control, SolverConfig, SolverError, WayAnswer, WayQuestion};
use crate::standings::{ComparedWay, PairResult, Standings, Subject, unique_names};
use houseway_env::pai_gow::Outcome;
use houseway_env::pai_gow::house_way::StyleWarning;
use houseway_env::pai_gow_tiles::Hand;
use houseway_env::pai_gow_tiles::house_way::{Rule, Way};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    let lines = format!(
        "front  {:14}  {}\nback   {:14}  {}\nrule   {} ({})\n       {}\nEV     {}\nbest   {}, which gains {}\nrules  {rules_hash}",
        own["front"].as_str().unwrap_or_default(),
        made.low,
        own["back"].as_str().unwrap_or_default(),
        made.high,
        way.rule(choice).name,
        way.name(),
        way.rule(choice).text,
        percent(situation.ev(choice.setting).value(), 4),
        game.label(&hand.to_string(), situation.best()),
        percent((optimal - situation.ev(choice.setting)).value(), 4),
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
        rules_hash: OneDecision::rules(game).1,
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
        let counts = game.total(outcomes, own);
        let ev = game.ev(&counts);
        let [wins, pushes, losses] = Outcome::ALL.map(|outcome| counts[outcome as usize].into());
        let [copies_front, copies_back] = game.copies(player, banker).map(u128::from);
        let counts = OutcomeWeights { wins, pushes, losses, copies_front, copies_back };
        PairResult { counts, weight: 1, ev }
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
    let described = ways.iter().zip(names).map(|(way, name)| ComparedWay {
        name,
        title: way.title.clone(),
        hash: game.hash(way),
        readings: BTreeMap::new(),
    });
    Standings {
        subject: Subject {
            splitting: "splitting four tiles into a low and a high half",
            deals: game.hands() * HIDDEN,
            command: "houseway solve -g pai-gow-tiles --player WAY --banker WAY",
        },
        rules,
        rules_hash,
        ways: described.collect(),
        columns: ways.iter().map(column).collect(),
        best_banker: ways.iter().map(best_banker).collect(),
    }
}

fn compared(standings: &Standings) -> WayAnswer {
    let tables = vec![("pairs.csv", standings.rows())];
    WayAnswer { answer: standings.answer(), files: vec![], tables }
}
