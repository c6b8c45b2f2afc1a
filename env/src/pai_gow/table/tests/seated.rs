//! Tests for the table with one human player and guests.

use crate::gym::{HistoryError, PublicTable, Rounds, Verified};
use crate::pai_gow::table::GAME as GAME_ENTRY;
use serde_json::{Map, Value, json};

fn opened(config: &str, seed: u64, options: &Value) -> Box<dyn Rounds> {
    let mut rounds = GAME_ENTRY.rounds(config).unwrap();
    rounds.open(seed, 5_000.0, options.as_object().unwrap()).unwrap();
    rounds
}

fn bets(bet: i64, side: i64) -> Map<String, Value> {
    json!({ "bet": bet as f64, "side": side as f64 }).as_object().unwrap().clone()
}

fn table(rounds: &dyn Rounds) -> PublicTable {
    rounds.public_table().unwrap()
}

/// Plays a round with the house way and returns the net result. If the bank is offered, `takes` decides whether to take
/// it with the highest stake or to pass.
fn play(rounds: &mut dyn Rounds, round: u64, takes: bool) -> f64 {
    rounds.begin(round, &bets(100, 5)).unwrap();
    let mut net = 0.0;
    for _ in 0..3 {
        let action = match rounds.house_action() {
            Some(action) => action,
            None => rounds.legal().into_iter().nth(if takes { 4 } else { 0 }).unwrap(),
        };
        let step = rounds.step(action).unwrap();
        net += step.reward;
        if step.is_last() {
            return net;
        }
    }
    panic!("a round has at most two decisions");
}

#[test]
fn all_seats_are_settled_and_only_then_shown() {
    let (mut banked, mut offered, mut others, mut house) = (0, 0, 0, 0);
    let mut rounds = opened("{}", 5, &json!({ "seat": 2 }));
    for round in 0..12 {
        rounds.begin(round, &bets(100, 5)).unwrap();
        let first = table(&*rounds);
        assert_eq!((first.seats.len(), first.seats[2].is_own, &*first.seats[2].name), (7, true, "you"));
        assert_eq!(first.seats[3].name, "foxwoods");
        if rounds.house_action().is_none() {
            offered += 1;
            assert!(first.notes[0].contains("offered to you") && first.dice.is_empty(), "{first:?}");
            assert!(rounds.view().is_none() && rounds.action_name(rounds.legal()[0]).unwrap() == "PASS");
            let stakes = rounds.legal().into_iter().skip(1).map(|action| rounds.action_name(action).unwrap());
            assert_eq!(stakes.collect::<Vec<_>>(), ["BANK 60", "BANK 120", "BANK 180", "BANK 240"]);
            rounds.step(*rounds.legal().last().unwrap()).unwrap();
        }
        let setting = table(&*rounds);
        assert_eq!(setting.dice.len(), 3);
        assert_eq!(setting.seats.iter().filter(|seat| seat.is_banker).count(), 1);
        assert_eq!(setting.seats.iter().filter(|seat| seat.has_button).count(), 1);
        for seat in &setting.seats {
            assert_eq!(seat.is_hidden(), !seat.is_own && !seat.hand.is_empty(), "{seat:?}");
            assert_eq!(seat.order.is_some(), !seat.is_banker && !seat.hand.is_empty(), "{seat:?}");
            assert!(!seat.has_button || seat.order == Some(1), "{seat:?}");
            assert!(seat.outcome.is_none() && seat.net.is_none());
        }
        let hidden = rounds.render();
        assert!(hidden.contains("cards face down") && !hidden.contains("front"), "{hidden}");
        let view = rounds.view().unwrap();
        if setting.seats[2].is_banker {
            banked += 1;
            assert_eq!((view["players"].as_array().unwrap().len(), rounds.main_stake()), (5, Some(240.0)));
        } else {
            assert!(view["banker"].is_string() && rounds.main_stake().is_none());
            house += usize::from(setting.seats[0].is_banker);
            others += usize::from(!setting.seats[0].is_banker);
        }
        let before = setting.seats[2].chips.unwrap();
        let step = rounds.step(rounds.house_action().unwrap()).unwrap();
        assert!(step.terminated && rounds.legal().is_empty());
        let over = table(&*rounds);
        for seat in over.seats.iter().filter(|seat| !seat.hand.is_empty()) {
            assert_eq!(seat.hand.iter().map(|part| part.name).collect::<Vec<_>>(), ["front", "back"]);
            assert_eq!(seat.outcome.is_some(), !seat.is_banker, "{seat:?}");
        }
        assert_eq!(over.seats[2].net, Some(step.reward as i64));
        let on_table = if setting.seats[2].is_banker { 245 } else { 105 };
        assert_eq!(over.seats[2].chips.unwrap(), before + on_table + step.reward as i64);
    }
    // The player takes the bank whenever it is offered, so the house never banks.
    assert!(banked > 2 && banked == offered && others > 2 && house == 0, "{banked} {others} {house}");
}

#[test]
fn passing_leaves_the_bank_to_the_house_or_a_guest() {
    let mut rounds = opened("{}", 3, &json!({}));
    let (mut house, mut guests) = (0, 0);
    for round in 0..40 {
        play(&mut *rounds, round, false);
        let banker = table(&*rounds).seats.into_iter().find(|seat| seat.is_banker).unwrap();
        assert!(!banker.is_own);
        house += usize::from(banker.seat == 0);
        guests += usize::from(banker.seat > 0);
    }
    // Three of the five guests take the bank when it is their turn.
    assert!(house > 5 && guests > 5, "{house} {guests}");
}

#[test]
fn late_decisions_pass_the_bank_and_are_set_by_the_house_way() {
    let mut rounds = opened("{}", 1, &json!({ "seat": 6 }));
    for round in 0..8 {
        rounds.begin(round, &bets(20, 0)).unwrap();
        while !rounds.legal().is_empty() {
            let late = rounds.late_action().unwrap();
            rounds.step(late).unwrap();
        }
        let over = table(&*rounds);
        assert!(!over.seats[6].is_banker && over.notes.last().unwrap().contains("time was up"), "{over:?}");
    }
    let history = String::from_utf8(rounds.take_history()).unwrap();
    assert_eq!(history.matches("\"by\":\"time-out\"").count(), 8);
}

#[test]
fn the_history_is_that_of_the_table() {
    let mut rounds = opened("{}", 7, &json!({}));
    let nets: f64 = (0..30).map(|round| play(&mut *rounds, round, round % 2 == 0)).sum();
    assert_eq!(table(&*rounds).seats[1].chips, Some(5_000 + nets as i64));
    let mut lines = rounds.take_history();
    assert!(rounds.take_history().is_empty());
    assert_eq!(rounds.without_end(&lines), lines);
    let open = lines.clone();
    lines.extend(rounds.close_history(&[]));
    assert_eq!(rounds.without_end(&lines), open);
    assert_eq!(rounds.verify(&mut &lines[..]), Ok(Verified { rounds: 30, closed: true }));
    let text = String::from_utf8(lines).unwrap();
    let fault = rounds.verify(&mut text.replacen("\"side\":5", "\"side\":6", 1).as_bytes());
    assert!(matches!(&fault, Err(HistoryError::Differs(reason)) if reason.contains("round 1")), "{fault:?}");
    assert!(matches!(rounds.verify(&mut &b"{}\n"[..]), Err(HistoryError::Unreadable(_))));
}

#[test]
fn invalid_calls_change_nothing() {
    let mut closed = GAME_ENTRY.rounds("{}").unwrap();
    assert!(closed.begin(0, &bets(20, 0)).is_err() && closed.step(21).is_err() && closed.legal().is_empty());
    for (options, part) in [
        (json!({ "seat": 0 }), "between 1 and 6"),
        (json!({ "seat": "x" }), "between 1 and 6"),
        (json!({ "chair": 1 }), "seat"),
    ] {
        let error = closed.open(1, 100.0, options.as_object().unwrap()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    for (players, part) in [
        (r#"{"0": {}}"#, "players: invalid seat 0: must be between 1 and 6"),
        (r#"{"2": {"way": "nobody"}}"#, "players: seat 2: unknown house way \"nobody\""),
        (r#"{"2": {"bet": 5}}"#, "players: seat 2: bet = 5: must be between 20 and 2000"),
        (r#"{"2": {"bank": "sometimes"}}"#, "in-turn"),
        (r#"{"2": {"chips": 5}}"#, "unknown field `chips`"),
        (r#"{"2": {"bankroll": "x"}}"#, "players: seat 2: "),
        (r#"{"2": {"bankroll": -1}}"#, "players: seat 2: invalid bankroll -1: must be between 0"),
        (r#"{"2": {"bankroll": 50, "bet": 60}}"#, "bankroll = 50: must cover the bet of 60 and the side bet of 0"),
        (r#"{"2": {"bankroll": 9223372036854775807}}"#, "invalid bankroll"),
        (r#"{"x": {}}"#, "players: "),
        ("7", "players: "),
    ] {
        let error = GAME_ENTRY.rounds(&format!(r#"{{"players": {players}}}"#)).err().unwrap().to_string();
        assert!(error.contains(part), "{error}");
    }
    let mut own = GAME_ENTRY.rounds(r#"{"players": {"2": {}}}"#).unwrap();
    let error = own.open(1, 100.0, json!({ "seat": 2 }).as_object().unwrap()).unwrap_err().to_string();
    assert!(error.contains("seat 2 is your own"), "{error}");
    let mut rounds = opened("{}", 1, &json!({}));
    for (bets, part) in [
        (bets(5, 0), "20 to 2000"),
        (bets(20, 1), "5 to 100"),
        (bets(2_000, 0), ""),
        (json!({ "bet": 20.5 }).as_object().unwrap().clone(), "whole chips"),
    ] {
        match rounds.begin(0, &bets) {
            Err(error) => assert!(error.to_string().contains(part), "{error}"),
            Ok(()) => assert!(part.is_empty(), "{bets:?}"),
        }
    }
    for action in [22 + 1_000, 28, 29] {
        assert!(rounds.step(action).is_err());
    }
    let mut poor = GAME_ENTRY.rounds("{}").unwrap();
    poor.open(1, 19.0, &Map::new()).unwrap();
    assert!(poor.begin(0, &bets(20, 0)).unwrap_err().to_string().contains("less than the minimum bet"));
    let two = opened(r#"{"rules": {"seats": 2}}"#, 1, &json!({}));
    assert_eq!(table(&*two).seats.len(), 2);
}

#[test]
fn guests_are_chosen_by_seat() {
    let config = r#"{"players": {
        "2": {"way": "balance-of-power", "bet": 300, "bank": "always"}, "3": null, "5": {"side": 5, "bet-share": "0.01"}
    }}"#;
    let mut rounds = opened(config, 5, &json!({}));
    let names: Vec<String> = table(&*rounds).seats.into_iter().map(|seat| seat.name).collect();
    // The other seats have the guests that they have by default.
    assert_eq!(names, ["house", "you", "balance-of-power", "empty", "mgm-style", "trump-plaza", "wong"]);
    let mut bankers = [0; 7];
    for round in 0..12 {
        play(&mut *rounds, round, false);
        let seats = table(&*rounds).seats;
        bankers[seats.iter().find(|seat| seat.is_banker).unwrap().seat] += 1;
        assert!(seats[3].hand.is_empty() && (seats[2].is_banker || seats[2].bet == 300));
        assert!(seats[5].side == 5 && (90..=110).contains(&seats[5].bet), "{:?}", seats[5]);
    }
    // A guest who always banks does so unless another one gets the first offer.
    assert!(bankers[2] > 6 && bankers[0] == 0, "{bankers:?}");
    let hash = |config: &str| GAME_ENTRY.rounds(config).unwrap().rules_hash();
    let different = ["{}", config, r#"{"players": {"3": null}}"#, r#"{"players": {"3": {}}}"#].map(hash);
    assert!((1..4).all(|i| !different[..i].contains(&different[i])), "{different:?}");
    assert_eq!(different[0], hash(r#"{"players": {}}"#));
    let mut lines = rounds.take_history();
    lines.extend(rounds.close_history(&[]));
    assert_eq!(GAME_ENTRY.rounds(config).unwrap().verify(&mut &lines[..]), Ok(Verified { rounds: 12, closed: true }));
}

#[test]
fn guests_may_follow_a_house_way_from_a_file() {
    let folder = std::env::temp_dir().join(format!("houseway-guests-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("mine.toml");
    let text = crate::pai_gow::house_way::Way::text("wong").unwrap().replacen("name = \"wong\"", "name = \"mine\"", 1);
    std::fs::write(&path, &text).unwrap();
    let config = json!({ "players": { "2": { "way": path, "bank": "always" } } }).to_string();
    let mut rounds = opened(&config, 5, &json!({}));
    assert_eq!(table(&*rounds).seats[2].name, "mine");
    // The solver that judges a hand loads the banker's house way by its path.
    let sources: Vec<String> = (0..8)
        .filter_map(|round| {
            rounds.begin(round, &bets(100, 0)).unwrap();
            if rounds.house_action().is_none() {
                rounds.step(rounds.legal()[0]).unwrap();
            }
            let view = rounds.view().unwrap();
            rounds.step(rounds.house_action().unwrap()).unwrap();
            table(&*rounds).seats[2].is_banker.then(|| view["banker"].as_str().unwrap().to_owned())
        })
        .collect();
    assert!(!sources.is_empty() && sources.iter().all(|source| *source == path.display().to_string()), "{sources:?}");
    let hash = GAME_ENTRY.rounds(&config).unwrap().rules_hash();
    std::fs::write(&path, text.replacen("title = \"", "title = \"Another ", 1)).unwrap();
    assert_ne!(GAME_ENTRY.rounds(&config).unwrap().rules_hash(), hash);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_round_is_sat_out_and_the_next_one_played() {
    let mut rounds = opened("{}", 5, &json!({ "seat": 2 }));
    assert!(rounds.is_continuous());
    let before = table(&*rounds).seats[2].chips;
    for round in 0..8 {
        rounds.check_bets(&bets(0, 0)).unwrap();
        rounds.begin(round, &bets(0, 0)).unwrap();
        assert!(rounds.legal().is_empty() && rounds.view().is_none() && rounds.step(0).is_err());
        let over = table(&*rounds);
        let own = &over.seats[2];
        assert_eq!((own.bet, own.hand.len(), own.is_banker, own.net), (0, 0, false, Some(0)));
        assert_eq!((own.chips, own.outcome.as_deref()), (before, Some("sits out")));
        assert_eq!(over.notes[0], "You sit out this round.");
        assert!(rounds.render().contains("seat 2 you, 5,000 chips, sits out, net 0"), "{}", rounds.render());
        // The other seats are dealt and settled.
        assert!(
            over.seats.iter().filter(|seat| !seat.hand.is_empty()).count() >= 5 && over.dice.len() == 3,
            "{over:?}"
        );
    }
    play(&mut *rounds, 8, true);
    assert_eq!(table(&*rounds).seats[2].hand.len(), 2);
    // A side bet needs a bet.
    let error = rounds.check_bets(&bets(0, 5)).unwrap_err().to_string();
    assert!(error.contains("side bet without a bet"), "{error}");
    let mut lines = rounds.take_history();
    lines.extend(rounds.close_history(&[]));
    assert_eq!(rounds.verify(&mut &lines[..]), Ok(Verified { rounds: 9, closed: true }));

    // A person who cannot bet may watch, but not alone.
    let mut poor = GAME_ENTRY.rounds("{}").unwrap();
    poor.open(1, 19.0, &Map::new()).unwrap();
    poor.begin(0, &Map::new()).unwrap();
    assert_eq!(table(&*poor).seats[1].outcome.as_deref(), Some("sits out"));
    assert_eq!(String::from_utf8(poor.take_history()).unwrap().matches("\"round\":").count(), 1);
    let mut alone = opened(r#"{"rules": {"seats": 2}}"#, 1, &json!({}));
    let error = alone.begin(0, &bets(0, 0)).unwrap_err().to_string();
    assert!(error.contains("no other seat has chips"), "{error}");
}

#[test]
fn the_rules_and_the_cards_of_the_default_table_stay() {
    let mut rounds = opened("{}", 7, &json!({}));
    for round in 0..5 {
        play(&mut *rounds, round, round % 2 == 0);
    }
    assert_eq!(rounds.rules_hash(), "bc8b7e346572f109");
    assert_eq!(crate::rules::short_hash([&rounds.take_history()[..]]), "a9c99657ee33d3d3");
}

#[test]
fn guests_start_with_the_chosen_bankroll() {
    let rounds = opened(r#"{"players": {"2": {"way": "wong", "bankroll": 90}, "3": {}}}"#, 1, &json!({}));
    let chips: Vec<_> = table(&*rounds).seats.iter().map(|seat| seat.chips).collect();
    // Without the key, a guest has 500 minimum bets.
    assert_eq!(chips[2..], [Some(90), Some(10_000), Some(10_000), Some(10_000), Some(10_000)]);
    let hash =
        |players: &str| GAME_ENTRY.rounds(&format!(r#"{{"players": {{"2": {players}}}}}"#)).unwrap().rules_hash();
    assert_ne!(hash(r#"{"bankroll": 90}"#), hash("{}"));
}
