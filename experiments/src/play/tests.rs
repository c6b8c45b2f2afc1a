//! Tests of sessions through their public interface.

use super::record::Record;
use super::*;
use houseway_env::gym::{DynEnv, Env, GameEntry, replay};
use houseway_env::registry::{find, games};
use houseway_exact::solver::{Control, SolverConfig};
use std::time::Duration;

const LAYOUTS: &[Layout] = crate::analysis::LAYOUTS;

fn env(game: &GameEntry) -> DynEnv {
    DynEnv((game.make)("{}").unwrap())
}

fn session(game: &str, seed: u64) -> Session {
    let game = find(game).unwrap();
    let env = env(game);
    let record = Record::new(env.spec().id, env.rules_hash(), seed, Amount::whole(BANKROLL));
    Session::open(game, env, Layout::find(LAYOUTS, game), record).unwrap()
}

fn line(session: &mut Session, text: &str) -> Result<Vec<Event>, String> {
    match Line::parse(text, |name| session.is_action(name))? {
        Line::Table(command) => session.apply(&command),
        other => panic!("{other:?}"),
    }
}

/// Runs several lines and returns the last event.
fn lines(session: &mut Session, texts: &[&str]) -> Event {
    let last = texts.iter().map(|text| line(session, text).unwrap_or_else(|e| panic!("{text}: {e}")).pop().unwrap());
    last.last().unwrap()
}

#[test]
fn the_course_of_play_is_that_of_the_source() {
    let mut table = session("pai-gow-poker", 1);
    assert!(line(&mut table, "deal").unwrap_err().contains("no chip on BET"));
    lines(&mut table, &["chip 100", "clear", "chip 25", "chip 5 jokolor"]);
    let Event::Bets { bets, .. } = lines(&mut table, &["chip 25 BET"]) else { panic!("bets are placed") };
    assert_eq!(bets, [("BET".to_owned(), Amount::whole(50)), ("JOKOLOR".to_owned(), Amount::whole(5))]);
    let Event::Dealt { remark, actions, .. } = lines(&mut table, &["deal"]) else { panic!("cards are dealt") };
    assert!(remark.unwrap().starts_with("JOKOLOR") && actions.is_empty());
    assert!(line(&mut table, "chip 5").unwrap_err().contains("play the hand first"));
    assert!(line(&mut table, "confirm").unwrap_err().contains("choose 2 cards"));
    // Two cards form a choice, a third is refused, and UNDO puts both back.
    lines(&mut table, &["card 1", "card 7"]);
    assert!(line(&mut table, "card 3").unwrap_err().contains("2 cards are chosen already"));
    assert!(line(&mut table, "card 8").unwrap_err().contains("the cards are 1 to 7"));
    lines(&mut table, &["card 1", "card 1", "undo"]);
    assert_eq!(table.chosen(), [0; 0]);
    // Every foul is refused with its reason, and the house way is legal.
    for (a, b) in (0..7).flat_map(|a| (a + 1..7).map(move |b| (a, b))) {
        lines(&mut table, &[&format!("card {}", a + 1), &format!("card {}", b + 1)]);
        let legal = table.legal().contains(&table.pending().unwrap());
        assert_eq!(table.foul().is_none(), legal);
        if !legal {
            let reason = line(&mut table, "confirm").unwrap_err();
            assert!(reason.starts_with("CONFIRM is not offered:") && reason.contains("is a foul above"), "{reason}");
        }
        lines(&mut table, &["undo"]);
    }
    let Event::Choice { complete: true, foul: None, chosen, .. } = lines(&mut table, &["house way"]) else {
        panic!("the house way is legal")
    };
    assert_eq!(table.pending(), table.house_action());
    let by_name = chosen.replacen("front", "cards", 1);
    lines(&mut table, &["undo", &by_name]);
    assert_eq!(table.pending(), table.house_action());
    assert!(line(&mut table, "cards Jk2 As").unwrap_err().contains("jk2 is not in the hand"));
    let Event::Result { round: 1, net, bankroll, .. } = lines(&mut table, &["confirm"]) else { panic!("it is over") };
    assert_eq!(bankroll, Amount::whole(BANKROLL) + net);
    let outcome = table.outcome().unwrap();
    assert_eq!(Amount::from(outcome["net"].as_f64().unwrap()), net);
    let stakes = |event| match event {
        Event::Bets { bets, .. } => bets.into_iter().map(|(_, stake)| stake).collect::<Vec<_>>(),
        other => panic!("{other}"),
    };
    assert_eq!(stakes(lines(&mut table, &["rebet x2"])), [Amount::whole(100), Amount::whole(10)]);
    assert_eq!(stakes(lines(&mut table, &["rebet"])), [Amount::whole(50), Amount::whole(5)]);
    assert_eq!(stakes(lines(&mut table, &["new game"])), [Amount::ZERO; 2]);
}

#[test]
fn every_game_is_played_saved_resumed_and_replayed() {
    for game in games() {
        let mut table = session(game.name, 7);
        let mut episodes = Vec::new();
        let mut bankroll = Amount::whole(BANKROLL);
        for round in 0..3 {
            if !table.bets().is_empty() {
                lines(&mut table, &[if round == 0 { "chip 5" } else { "rebet" }]);
            }
            lines(&mut table, &["deal"]);
            for step in 0.. {
                let legal = table.legal();
                let action = legal[(7 * round + step) % legal.len()];
                // A session resumed from its record is in the same state.
                let record = table.record().clone();
                let other = Session::open(game, env(game), Layout::find(LAYOUTS, game), record.clone()).unwrap();
                assert_eq!((other.state(), other.bankroll()), (table.state(), table.bankroll()), "{}", game.name);
                assert_eq!((other.legal(), other.record()), (table.legal(), &record));
                let command = match table.pick() {
                    None => Command::Act(action.to_string()),
                    Some(pick) => {
                        let cards = table.cards();
                        Command::Choose((pick.positions)(action).into_iter().map(|at| cards[at].clone()).collect())
                    }
                };
                table.apply(&command).unwrap();
                if table.pending().is_some() {
                    lines(&mut table, &["confirm"]);
                }
                if table.phase() == Phase::Over {
                    break;
                }
            }
            let finished = table.take_finished().unwrap();
            bankroll += finished.result.net;
            assert_eq!((table.bankroll(), finished.round), (bankroll, round as u64 + 1));
            episodes.push(finished.episode);
        }
        assert!(table.take_finished().is_none());
        replay(&mut env(game), &episodes).unwrap();
        episodes[2].rewards[0] += 0.5;
        assert!(replay(&mut env(game), &episodes).is_err());
        assert_eq!(table.record().ledger.net, table.bankroll() - Amount::whole(BANKROLL));
    }
}

#[test]
fn the_same_seed_deals_the_same_cards_whatever_is_played() {
    let deal = |seed: u64, commands: &[&str]| {
        let mut table = session("pai-gow-poker", seed);
        lines(&mut table, &["chip 5", "deal"]);
        lines(&mut table, commands);
        lines(&mut table, &["confirm", "rebet", "deal"]);
        table.cards()
    };
    assert_eq!(deal(3, &["house"]), deal(3, &["card 6", "card 7"]));
    assert_ne!(deal(3, &["house"]), deal(4, &["house"]));
}

#[test]
fn bets_are_limited_by_the_bankroll() {
    let mut table = session("ultimate-holdem", 1);
    // An ante can lose up to six times its stake: 1000 / 6 is 166.
    lines(&mut table, &["chip 100", "chip 25"]);
    let error = line(&mut table, "chip 100").unwrap_err();
    assert!(error.contains("can lose up to 1350.00") && error.contains("bankroll is 1000.00"), "{error}");
    assert!(line(&mut table, "chip 7").unwrap_err().contains("no chip of 7"));
    assert!(line(&mut table, "chip 5 jokolor").unwrap_err().contains("the bets are: ANTE, TRIPS"));
    assert!(line(&mut table, "rebet").unwrap_err().contains("no earlier bets"));
    assert!(line(&mut table, "fold").unwrap_err().contains("no command 'fold' now"));
    lines(&mut table, &["deal"]);
    assert!(line(&mut table, "act fold").unwrap_err().contains("there is no action 'fold' now; choose check, play4"));
    assert!(line(&mut table, "card 1").unwrap_err().contains("no cards are chosen"));
    lines(&mut table, &["check", "check", "fold"]);
    assert_eq!(table.bankroll(), Amount::whole(BANKROLL - 250));
}

#[test]
fn sessions_of_other_rules_are_refused() {
    let record = session("pai-gow-poker", 1).record().clone();
    let game = find("pai-gow-poker").unwrap();
    let other = DynEnv((game.make)(r#"{"rules": {"commission": "0.04"}}"#).unwrap());
    let error = Session::open(game, other, Layout::plain(game.name), record.clone()).err().unwrap();
    assert!(error.contains("different rules") && error.contains("--new"), "{error}");
    let game = find("asian-stud").unwrap();
    assert!(
        Session::open(game, env(game), Layout::plain(game.name), record).err().unwrap().contains("a different game")
    );
}

#[test]
fn the_coach_has_the_values_of_the_solver() {
    let solver = |game| houseway_exact::registry::find(game).unwrap();
    let mut table = session("pai-gow-poker", 2);
    lines(&mut table, &["chip 100", "deal", "card 6", "card 7"]);
    let entry = solver("pai-gow-poker");
    let hand = table.cards().join(" ");
    let answer = entry.solver(&SolverConfig::default()).unwrap().value(&hand, &Control::default()).unwrap().json;
    let mut coach = Coach::start(entry, SolverConfig::default());
    coach.ask_open(&table);
    assert!(coach.wait(Duration::from_secs(60)).is_empty());
    let decision = coach.open_values(&table).unwrap().clone().unwrap().unwrap();
    for (ev, setting) in decision.evs.iter().zip(answer["settings"].as_array().unwrap()) {
        assert_eq!(*ev, setting["ev"].as_f64());
    }
    assert_eq!(decision.best() as u64, answer["best"]);
    assert_eq!(decision.house.as_ref().unwrap().action as u64, answer["house_way"]);
    assert_eq!(decision.house.as_ref().unwrap().rule.as_ref().unwrap().0, answer["rule"]);
    let action = table.pending().unwrap();
    lines(&mut table, &["confirm"]);
    coach.judge(table.take_finished().unwrap());
    let judged = coach.wait(Duration::from_secs(60));
    let [JudgedRound { round, decisions: Ok(decisions) }] = &judged[..] else { panic!("one round is judged") };
    assert_eq!((decisions[0].action, &decisions[0].decision), (action, &decision));
    table.ledger_mut().judge(round.result, decisions);
    let ledger = &table.record().ledger;
    assert_eq!(ledger.given_away, 100.0 * decision.regret(action).unwrap());
    assert!((ledger.cards - ledger.given_away + ledger.luck() - round.result.net.value()).abs() < 1e-9);
}

#[test]
fn every_decision_of_the_other_games_is_evaluated() {
    for (game, plays) in [
        ("ultimate-holdem", vec!["check", "check", "play1"]),
        ("asian-stud", vec!["raise"]),
        ("joker-seven", vec!["act 0"]),
    ] {
        let mut table = session(game, 5);
        lines(&mut table, &["chip 5", "deal"]);
        lines(&mut table, &plays);
        let mut coach = Coach::start(houseway_exact::registry::find(game).unwrap(), SolverConfig::default());
        coach.judge(table.take_finished().unwrap());
        let judged = coach.wait(Duration::from_secs(60));
        let decisions = judged[0].decisions.as_ref().unwrap();
        assert_eq!(decisions.len(), plays.len());
        for Judged { decision, action } in decisions {
            assert!(decision.regret(*action).unwrap() >= 0.0 && decision.ev(decision.best()).unwrap().abs() < 6.0);
        }
    }
}
