//! Tests for the public interface of sessions.

use super::{Record, *};
use houseway_env::gym::{GameEntry, HistoryError, Rounds, Verified};
use houseway_env::registry::{find, games};
use houseway_exact::solver::{Control, SolverConfig};
use std::sync::atomic::Ordering;
use std::time::Duration;

const LAYOUTS: &[Layout] = crate::analysis::LAYOUTS;

fn rounds(game: &GameEntry) -> Box<dyn Rounds> {
    game.rounds("{}").unwrap()
}

fn session(game: &str, seed: u64) -> Session {
    let game = find(game).unwrap();
    let rounds = rounds(game);
    let record = Record::new(game.id, rounds.rules_hash(), seed, Amount::whole(BANKROLL));
    Session::open(game, rounds, Layout::find(LAYOUTS, game), record).unwrap()
}

fn line(session: &mut Session, text: &str) -> Result<Vec<Event>, String> {
    session.apply(&Command::parse(text, |name| session.is_action(name))?)
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
    // After two cards, a third one is refused, and UNDO puts both back.
    lines(&mut table, &["card 1", "card 7"]);
    assert!(line(&mut table, "card 3").unwrap_err().contains("2 cards are already chosen"));
    assert!(line(&mut table, "card 8").unwrap_err().contains("the cards are 1 to 7"));
    lines(&mut table, &["card 1", "card 1", "undo"]);
    assert_eq!(table.chosen, [0; 0]);
    // Fouls are refused with a reason. The house way is legal.
    for (a, b) in (0..7).flat_map(|a| (a + 1..7).map(move |b| (a, b))) {
        lines(&mut table, &[&format!("card {}", a + 1), &format!("card {}", b + 1)]);
        let legal = table.legal().contains(&table.pending().unwrap());
        assert_eq!(table.foul().is_none(), legal);
        if !legal {
            let reason = line(&mut table, "confirm").unwrap_err();
            assert!(reason.starts_with("confirm is not possible:") && reason.contains("is a foul above"), "{reason}");
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
    let by_place: Vec<String> = table.chosen.iter().map(|place| (place + 1).to_string()).collect();
    lines(&mut table, &["undo", &format!("cards {}", by_place.join(" "))]);
    assert_eq!(table.pending(), table.house_action());
    assert!(line(&mut table, "cards 1 8").unwrap_err().contains("8 is not in the hand"));
    assert!(line(&mut table, "cards Jk2 As").unwrap_err().contains("jk2 is not in the hand"));
    let Event::Result { round: 1, net, bankroll, .. } = lines(&mut table, &["confirm"]) else { panic!("it is over") };
    assert_eq!(bankroll, Amount::whole(BANKROLL) + net);
    let outcome = table.rounds.outcome().unwrap();
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
        let mut history = table.rounds.take_history();
        let mut bankroll = Amount::whole(BANKROLL);
        for round in 0..3 {
            if !table.bets.is_empty() {
                lines(&mut table, &[if round == 0 { "chip 25" } else { "rebet" }]);
            }
            lines(&mut table, &["deal"]);
            for step in 0.. {
                let legal = table.legal();
                let action = legal[(7 * round + step) % legal.len()];
                // Resuming the session from its record leads to the same state.
                let record = table.record.clone();
                let other = Session::open(game, rounds(game), Layout::find(LAYOUTS, game), record.clone()).unwrap();
                assert_eq!((other.state(), other.bankroll()), (table.state(), table.bankroll()), "{}", game.name);
                assert_eq!((other.legal(), other.record), (table.legal(), record));
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
                if table.phase == Phase::Over {
                    break;
                }
            }
            let finished = table.finished.take().unwrap();
            bankroll += finished.net;
            assert_eq!((table.bankroll(), finished.round), (bankroll, round as u64 + 1));
            history.extend(table.rounds.take_history());
        }
        assert!(table.finished.take().is_none());
        // If rounds depend on earlier ones, the resumed session has the same history.
        if table.rounds.is_continuous() {
            let record = table.record.clone();
            let mut other = Session::open(game, rounds(game), Layout::find(LAYOUTS, game), record).unwrap();
            assert_eq!(other.rounds.take_history(), history);
            assert_eq!(
                other.rounds.without_end(&[&history[..], &other.rounds.close_history(&history)].concat()),
                history
            );
        }
        let torn = [&history[..], b"{"].concat();
        for open in [&history, &torn] {
            let unfinished = Verified { rounds: 3, closed: false };
            assert_eq!(rounds(game).verify(&mut &open[..]), Ok(unfinished), "{}", game.name);
        }
        history.extend(table.rounds.close_history(&history));
        let closed = Verified { rounds: 3, closed: true };
        assert_eq!(rounds(game).verify(&mut &history[..]), Ok(closed), "{}", game.name);
        let lines: Vec<&[u8]> = history.split_inclusive(|&byte| byte == b'\n').collect();
        let [.., first, second, third, end] = lines[..] else { panic!("there are three rounds") };
        let head = lines[..lines.len() - 4].concat();
        for edited in [
            vec![first, second, end],
            vec![first, third, end],
            vec![first, second, second, third, end],
            vec![first, third, second, end],
            vec![first, second, third, end, first, second, third, end],
            vec![first, second, third, end, &[b'['; 200_000]],
            vec![first, second, third, &end[..end.len() - 2]],
            vec![],
        ] {
            let edited = [&head[..], &edited.concat()].concat();
            let verified = rounds(game).verify(&mut &edited[..]);
            assert!(!verified.is_ok_and(|verified| verified.closed), "{}: {}", game.name, edited.len());
        }
        let text = String::from_utf8(history).unwrap();
        let digit = text.rfind("\"actions\":[").map_or_else(|| text.rfind("\"net\":").unwrap() + 6, |at| at + 11);
        let changed = format!("{}7{}", &text[..digit], &text[digit..]);
        let fault = rounds(game).verify(&mut changed.as_bytes());
        assert!(matches!(fault, Err(HistoryError::Differs(_))), "{}: {fault:?}", game.name);
        assert_eq!(table.record.ledger.net + Amount::whole(BANKROLL), table.bankroll());
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
    // An ante can lose up to six times its stake, and 1000 / 6 = 166.
    lines(&mut table, &["chip 100", "chip 25"]);
    let error = line(&mut table, "chip 100").unwrap_err();
    assert!(error.contains("can lose up to 1350.00") && error.contains("bankroll is 1000.00"), "{error}");
    assert!(line(&mut table, "chip 7").unwrap_err().contains("no chip of 7"));
    assert!(line(&mut table, "chip 5 jokolor").unwrap_err().contains("the bets are: ANTE, TRIPS"));
    assert!(line(&mut table, "rebet").unwrap_err().contains("no earlier bets"));
    assert!(line(&mut table, "flod").unwrap_err().contains("unknown command 'flod'"));
    assert!(line(&mut table, "fold").unwrap_err().contains("have not been dealt"));
    lines(&mut table, &["deal"]);
    for text in ["fold", "act fold"] {
        assert!(line(&mut table, text).unwrap_err().contains("invalid action 'fold'; choose from check, play4"));
    }
    assert!(line(&mut table, "card 1").unwrap_err().contains("no cards are chosen"));
    lines(&mut table, &["check", "check", "fold"]);
    assert_eq!(table.bankroll(), Amount::whole(BANKROLL - 250));
    table.record.bankroll = Amount::ZERO;
    let error = line(&mut table, "chip 1").unwrap_err();
    assert!(error.contains("no chips left") && error.contains("--new --bankroll N"), "{error}");
}

#[test]
fn actions_are_accepted_as_they_are_shown() {
    for (game, shown) in [
        ("ultimate-holdem", &["play 4×", "Play 4x", "play4", "CHECK"][..]),
        ("joker-seven", &["two pairs", "Black 4 or more"]),
        ("pai-gow-tiles", &["best with second"]),
    ] {
        for text in shown {
            let mut table = session(game, 3);
            lines(&mut table, &["chip 5", "deal", text]);
            assert_eq!(table.decisions.len(), 1, "{game}: {text}");
        }
    }
    // Each setting of tiles, as the coach shows it and without remarks.
    let mut table = session("pai-gow-tiles", 3);
    lines(&mut table, &["chip 5", "deal"]);
    for action in table.legal() {
        let words = table.names()[action].clone();
        let (low, high) = words.split_once(" · ").unwrap();
        let [low, high] = [low, high].map(|part| part.split_once(':').unwrap().0);
        for text in [&*words, low, &format!("{low} {high}")] {
            assert_eq!(table.find_action(text), Some(action), "{text}");
        }
    }
    // A bank that isn't offered is refused with the stakes that are.
    let mut table = session("pai-gow-table", 4);
    assert!(line(&mut table, "bank 60").unwrap_err().contains("have not been dealt"));
    lines(&mut table, &["chip 25", "deal"]);
    let error = line(&mut table, "bank 1").unwrap_err();
    assert!(error.contains("invalid action 'bank 1'; choose from PASS, BANK 60, BANK 120"), "{error}");
    lines(&mut table, &["bank 60"]);
    // A net result at the end of the state isn't told twice.
    let told = |state: &str, net: f64| {
        let (net, bankroll) = (Amount::from(net), Amount::ZERO);
        Event::Result { round: 1, state: state.to_owned(), net, bankroll }.to_string()
    };
    assert_eq!(told("result push\nnet 0", 0.0), "result of round 1: result push; net +0.00; bankroll 0.00");
    let rounded = told("result win\nnet 481.91999999999996", 481.92);
    assert_eq!(rounded, "result of round 1: result win; net +481.92; bankroll 0.00");
    assert_eq!(told("seat 6 net\nnet 4", 5.0), "result of round 1: seat 6 net; net 4; net +5.00; bankroll 0.00");
}

#[test]
fn the_coach_has_the_values_of_the_solver() {
    let solver = |game| houseway_exact::registry::find(game).unwrap();
    let mut table = session("pai-gow-poker", 2);
    lines(&mut table, &["chip 100", "deal", "card 6", "card 7"]);
    let entry = solver("pai-gow-poker");
    let hand = table.cards().join(" ");
    let answer = entry.solver(&SolverConfig::default()).unwrap().value(&hand, &Control::default()).unwrap().json;
    let mut coach = Coach::start(entry, SolverConfig::default(), table.layout, vec![]);
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
    coach.judge(table.finished.take().unwrap());
    let judged = coach.wait(Duration::from_secs(60));
    let [Ok(round)] = &judged[..] else { panic!("one round is judged") };
    assert_eq!((round.decisions[0].action, round.decisions[0].values.as_ref()), (action, Some(&decision)));
    let (best, regret) = (decision.best(), decision.regret(action).unwrap());
    let told: Vec<String> = verdict(&table, round).iter().map(ToString::to_string).collect();
    assert!(regret > 0.0 && told[0].ends_with(&format!("it cost {}", cost_text(100.0 * regret))), "{told:?}");
    let higher = |setting: usize, key: &str| {
        let count = |key: &str| answer["settings"][setting][key].as_str().unwrap().parse::<f64>().unwrap();
        format!("{:.1}%", 100.0 * count(key) / 53_524_680.0)
    };
    for part in [(action, "lower_fronts"), (action, "lower_backs"), (best, "lower_fronts"), (best, "lower_backs")] {
        assert!(told[1].contains("why: ") && told[1].contains(&higher(part.0, part.1)), "{told:?} {part:?}");
    }
    table.record.ledger.judge(round);
    let ledger = &table.record.ledger;
    assert_eq!(ledger.given_away, 100.0 * decision.regret(action).unwrap());
    assert!((ledger.cards - ledger.given_away + ledger.luck() - round.net.value()).abs() < 1e-9);
}

#[test]
fn advice_on_a_bank_that_comes_too_late_is_mentioned() {
    let never: AdviseBank = |_, stop| {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Err("stopped".to_owned())
    };
    let told = |bank| {
        let mut table = session("pai-gow-table", 4);
        let layout = Layout { bank, ..table.layout };
        let entry = houseway_exact::registry::find(layout.solver.unwrap()).unwrap();
        let mut coach = Coach::start(entry, SolverConfig::default(), layout, vec![]);
        lines(&mut table, &["chip 25", "deal"]);
        assert!(table.bank_offer().is_some());
        coach.ask_open(&table);
        lines(&mut table, &["pass", "house way", "confirm"]);
        coach.judge(table.finished.take().unwrap());
        let judged = coach.wait(Duration::from_secs(60));
        verdict(&table, judged[0].as_ref().unwrap())
    };
    let late = told(Some(never));
    assert_eq!(
        late[0].to_lowercase(),
        "you: pass; not judged, because you decided before the ev of the bank was computed"
    );
    assert!(late[1].starts_with("you: front "), "{late:?}");
    // Without advice on banks, there is nothing to say about one.
    let without = told(None);
    assert!(without[0].starts_with("you: front "), "{without:?}");
}

#[test]
fn the_coach_uses_the_words_and_the_money_of_the_table() {
    let (mut solved, mut coached) = (0, 0);
    for game in games() {
        let mut table = session(game.name, 5);
        let Ok(entry) = houseway_exact::registry::find(table.layout.solver.unwrap_or(game.name)) else { continue };
        solved += 1;
        let mut coach = Coach::start(entry, SolverConfig::default(), Layout { bank: None, ..table.layout }, vec![]);
        let (mut told, mut turns) = (Vec::new(), 0);
        lines(&mut table, &["chip 25", "deal"]);
        while table.phase == Phase::Deciding {
            turns += 1;
            coach.ask_open(&table);
            coach.wait(Duration::from_secs(60));
            if let Some(Ok(Some(decision))) = coach.open_values(&table) {
                told.extend(advice(&table, decision));
            }
            let first = format!("act {}", table.legal()[0]);
            let is_pick = table.pick().is_some();
            let plays = if is_pick { vec!["house way", "confirm"] } else { vec![&*first] };
            lines(&mut table, &plays);
        }
        coach.judge(table.finished.take().unwrap());
        for round in coach.wait(Duration::from_secs(60)).into_iter().flatten() {
            told.extend(verdict(&table, &round).iter().map(ToString::to_string));
            // The offer of a bank has no EVs.
            if game.name == "pai-gow-table" {
                continue;
            }
            assert_eq!(round.decisions.len(), turns, "{}", game.name);
            for made in &round.decisions {
                let values = made.values.as_ref().unwrap();
                assert!(values.regret(made.action).unwrap() >= 0.0 && values.ev(values.best()).unwrap().abs() < 6.0);
            }
        }
        coached += usize::from(!told.is_empty());
        for text in told {
            // The text of a rule is a quotation.
            let text = text.split(", by its rule").next().unwrap();
            let mut words = text.split([' ', ':', ',', ';', '(', ')']);
            let raw = words.find(|word| table.actions.iter().any(|name| name == word));
            assert_eq!(raw, None, "{}: {text}", game.name);
            // Amounts have two decimal places, or more if these don't tell them apart.
            let evs = text.split("EV ").skip(1).filter(|rest| rest.starts_with(['+', '-']));
            for ev in evs.map(|rest| rest.split([',', ';']).next().unwrap()) {
                assert!(
                    ev.split_once('.').is_some_and(|(_, places)| (2..=4).contains(&places.len())),
                    "{}: {text}",
                    game.name
                );
            }
        }
    }
    assert!(solved >= 8 && coached == solved, "{coached} of {solved}");
}

#[test]
fn a_round_is_sat_out_without_touching_the_results() {
    let mut table = session("pai-gow-table", 4);
    lines(&mut table, &["chip 25", "chip 5 jokolor"]);
    // Chips on the table are taken back.
    let Event::Result { round: 1, net: Amount::ZERO, bankroll, state } = lines(&mut table, &["sit out"]) else {
        panic!("the round is over")
    };
    assert_eq!((bankroll, table.phase, table.cards().len()), (Amount::whole(BANKROLL), Phase::Over, 0));
    assert!(state.contains("You sit out this round.") && table.finished.take().is_none(), "{state}");
    assert!(table.record.bets.is_empty() && line(&mut table, "rebet").unwrap_err().contains("no earlier bets"));
    // Several rounds can be sat out in a row, and the next one is played as usual.
    lines(&mut table, &["sit-out", "chip 25", "deal"]);
    assert!(line(&mut table, "sit out").unwrap_err().contains("play the hand first"));
    if table.pick().is_none() {
        lines(&mut table, &["pass"]);
    }
    lines(&mut table, &["house", "confirm"]);
    let played = table.finished.take().unwrap();
    assert_eq!((played.round, table.record.rounds, table.record.ledger.rounds), (3, 3, 1));
    assert_eq!(table.record.last_bets["bet"], Amount::whole(25));
    lines(&mut table, &["sit out"]);
    let Event::Bets { bets, .. } = lines(&mut table, &["rebet"]) else { panic!("bets are placed") };
    assert_eq!(bets[0].1, Amount::whole(25));
    // A resumed session has the same seats and the same history.
    let mut history = table.rounds.take_history();
    let mut other = Session::open(table.game, rounds(table.game), Layout::plain("x"), table.record.clone()).unwrap();
    assert_eq!((other.table().seats, other.bankroll()), (table.table().seats, table.bankroll()));
    assert_eq!(other.rounds.take_history(), history);
    history.extend(table.rounds.close_history(&history));
    let verified = rounds(table.game).verify(&mut &history[..]);
    assert_eq!(verified, Ok(Verified { rounds: 4, closed: true }));
    // Other games have nobody who could play the round.
    let mut alone = session("pai-gow-poker", 4);
    assert!(line(&mut alone, "sit out").unwrap_err().contains("cannot be sat out"));
    assert_eq!(buttons(&alone).iter().filter(|button| button.label == "SIT OUT").count(), 0);
}

/// A push of the main bet beside a side bet, and a win that doesn't make up for a side bet that loses.
#[test]
fn the_headline_says_so_if_side_bets_outweigh_the_main_bet() {
    let played = |seed: u64, jokolor: &str| {
        let mut table = session("pai-gow-poker", seed);
        lines(&mut table, &["chip 25", jokolor, "deal", "house way", "confirm"]);
        (table.headline().unwrap(), table.net())
    };
    let (mut pushes, mut wins) = (0, 0);
    for seed in 0..40 {
        let (headline, net) = played(seed, "chip 100 jokolor");
        match headline.split(' ').collect::<Vec<_>>()[..] {
            ["PUSH"] => assert_eq!(net, Amount::ZERO),
            ["HAND", "PUSHED,", "NET", shown] => {
                // The net result is that of the side bet, which pays at least 1 to 1.
                assert_eq!(net.signed().trim_end_matches(".00"), shown);
                assert!(net == Amount::whole(-100) || net >= Amount::whole(100), "{headline}");
                pushes += 1;
            }
            ["HAND", "WON,", "NET", shown] => {
                assert!(net < Amount::ZERO && shown.starts_with('-'), "{headline}");
                wins += 1;
            }
            ["WIN", shown] => assert!(net > Amount::ZERO && shown.starts_with('+'), "{headline}"),
            ["LOSS", shown] => assert!(net < Amount::ZERO && shown.starts_with('-'), "{headline}"),
            ["HAND", "LOST,", "NET", _] => assert!(net > Amount::ZERO, "{headline}"),
            _ => panic!("{headline}"),
        }
    }
    assert!(pushes > 5 && wins > 5, "{pushes} pushes, {wins} wins");
    // Without a word of the game, it is that of the main bets.
    let raised = |seed: u64| {
        let mut table = session("asian-stud", seed);
        lines(&mut table, &["chip 25", "chip 5 side stake", "deal", "act 1"]);
        (table.headline().unwrap(), table.net())
    };
    let pushes = (0..60).map(raised).filter(|(_, net)| *net == Amount::whole(-5)).collect::<Vec<_>>();
    assert!(!pushes.is_empty() && pushes.iter().all(|(headline, _)| headline == "HAND PUSHED, NET -5"), "{pushes:?}");
}

#[test]
fn the_first_chip_is_enough_for_the_main_bet() {
    for game in games() {
        let mut table = session(game.name, 1);
        if !table.bets.is_empty() {
            let chip = table.first_chip();
            lines(&mut table, &[&format!("chip {chip}")]);
            assert_eq!(table.deal_refusal(), None, "{}", game.name);
        }
    }
    assert_eq!(["pai-gow-poker", "pai-gow-table"].map(|game| session(game, 1).first_chip()), [5, 25]);
}

#[test]
fn a_review_starts_with_the_bankroll_before_the_first_round_that_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.json");
    let mut table = session("pai-gow-poker", 3);
    lines(&mut table, &["chip 100", "deal", "house way", "confirm"]);
    let before = table.record.bankroll;
    lines(&mut table, &["rebet", "deal", "house way", "confirm"]);
    let mut record = table.record.clone();
    assert!(before != Amount::whole(BANKROLL) && before != record.bankroll);
    record.past.remove(0);
    record.save(&path).unwrap();
    let game = find("pai-gow-poker").unwrap();
    let request = PlayRequest { session: path, coach: CoachMode::Off, ..PlayRequest::new(game) };
    let (review, past) = request.open_review(LAYOUTS).ok().unwrap();
    let record = &review.session.record;
    assert_eq!((past.len(), record.rounds, record.bankroll), (1, 1, before));
    // Another game is named, whatever it says about the players.
    let mut record = record.clone();
    record.players.insert(2, serde_json::json!({ "way": "wong" }));
    (record.env, record.past) = (find("pai-gow-table").unwrap().id.to_owned(), past.clone());
    record.save(&request.session).unwrap();
    let error = request.open_review(LAYOUTS).err().unwrap().to_string();
    assert!(error.contains("a different game, pai-gow-table; use -g pai-gow-table to resume"), "{error}");
    // A session keeps a bounded number of rounds.
    table.record.past = vec![past[0].clone(); MAX_PAST];
    lines(&mut table, &["rebet", "deal", "house way", "confirm"]);
    assert_eq!(table.record.past.len(), MAX_PAST);
}
