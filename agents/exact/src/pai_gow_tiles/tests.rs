//! Comparisons with slow counts over single hands, and properties of the whole game.

use super::*;
use crate::solver::{Control, SolverConfig, WayQuestion};
use houseway_env::gym::stream;
use houseway_env::rules::RuleSet;
use num_traits::{ToPrimitive, Zero as _};
use rand_pcg::rand_core::Rng;
use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

pub(super) fn rules(settings: &[&str]) -> Rules {
    settings.iter().fold(Rules::default(), |rules, setting| rules.with(setting).unwrap())
}

fn disjoint(a: Hand, b: Hand) -> bool {
    a.tiles().iter().all(|tile| !b.tiles().contains(tile))
}

/// Counts the player's outcomes of a setting against every single hand of the house, and the copies.
fn slow_counts(game: &Game, hand: Hand, setting: usize) -> DealCounts {
    let own = game.set(hand, setting);
    let mut counts = DealCounts::default();
    for other in Hand::all().filter(|&other| disjoint(hand, other)) {
        match slow_outcome(game, own, other) {
            Outcome::Win => counts.wins += 1,
            Outcome::Push => counts.pushes += 1,
            Outcome::Loss => counts.losses += 1,
        }
        let house = game.set(other, game.house_choice(other).setting);
        counts.copies_front += u64::from(own.low == house.low);
        counts.copies_back += u64::from(own.high == house.high);
    }
    counts
}

/// Returns the player's outcome against a hand that the house sets by its way.
fn slow_outcome(game: &Game, own: SetHand, other: Hand) -> Outcome {
    let house = game.set(other, game.house_choice(other).setting);
    let copy = match (game.rules().copies, game.rules().bank) {
        (Copies::Push, _) => 0,
        (Copies::Bank, Bank::House) => -1,
        (Copies::Bank, Bank::Player) => 1,
    };
    let won = |a, b| match Ord::cmp(&a, &b) {
        Ordering::Less => -1,
        Ordering::Equal => copy,
        Ordering::Greater => 1,
    };
    match (won(own.low, house.low), won(own.high, house.high)) {
        (1, 1) => Outcome::Win,
        (-1, -1) => Outcome::Loss,
        _ => Outcome::Push,
    }
}

#[test]
fn classes_cover_all_deals() {
    let classes = Classes::get();
    assert_eq!((classes.all().len(), classes.all().iter().map(|class| class.hands).sum()), (4_285, 35_960));
    let mut rng = stream(1.into());
    for _ in 0..20 {
        let class = rng.next_u64() as usize % classes.all().len();
        assert_eq!(classes.beside(class).iter().map(|&hands| u64::from(hands)).sum::<u64>(), 20_475);
        let mut beside = vec![0; classes.all().len()];
        let hand = classes.all()[class].hand;
        Hand::all().filter(|&other| disjoint(hand, other)).for_each(|other| beside[classes.find(other)] += 1);
        assert_eq!(classes.beside(class), beside);
    }
}

#[test]
fn outcomes_are_those_of_single_hands() {
    let mut rng = stream(2.into());
    let hands: Vec<Hand> = Hand::all().collect();
    for settings in [
        &[][..],
        &["bank=player", "way=foxwoods"],
        &["copies=push", "zero=ranked", "way=canberra"],
        &["singles=groups", "special=second_tile", "only-way=off"],
        &["singles=six_above_fives", "bank=player", "commission=prepaid"],
    ] {
        let game = PaiGowTiles::new(rules(settings));
        let outcomes = game.outcomes(Side::Player, &game.banker);
        for _ in 0..8 {
            let hand = hands[rng.next_u64() as usize % hands.len()];
            let class = game.classes.find(hand);
            let situation = game.situation(&hand.to_string(), DeadCards::default()).unwrap();
            for (setting, fast) in outcomes[class].into_iter().enumerate() {
                let counts = slow_counts(&game.game, hand, setting);
                // Copies are only counted for strategies.
                assert_eq!(fast, DealCounts { copies_front: 0, copies_back: 0, ..counts }, "{settings:?}: {hand}");
                let [win, loss] = [counts.wins, counts.losses].map(|count| count as i64);
                let paid = match game.game.rules().commission {
                    houseway_env::pai_gow_tiles::Commission::Prepaid => 20 * win - 21 * loss,
                    _ => 19 * win - 20 * loss,
                };
                assert_eq!(situation.rewards[setting], paid, "{settings:?}: {hand}");
            }
        }
    }
}

#[test]
fn both_sides_count_the_same_deals() {
    for settings in [&[][..], &["bank=player"], &["copies=push", "zero=ranked"]] {
        let game = PaiGowTiles::new(rules(settings));
        let ways = game.ways();
        for (player, house) in [(&ways[0], &ways[1]), (&ways[2], &ways[0])] {
            let by_player = game.total(&game.outcomes(Side::Player, house), player);
            let by_house = game.total(&game.outcomes(Side::Banker, player), house);
            assert_eq!(by_player, by_house, "{settings:?}");
            assert_eq!(by_player.all(), 736_281_000);
        }
    }
}

/// The whole game of a house way against itself, on single hands. This takes about a minute.
#[test]
#[ignore = "slow"]
fn the_whole_game_is_that_of_single_hands() {
    let game = PaiGowTiles::new(Rules::default());
    let count = |hand: Hand| slow_counts(&game.game, hand, game.game.house_choice(hand).setting);
    let hands: Vec<Hand> = Hand::all().collect();
    let all = hands.par_iter().map(|&hand| count(hand)).reduce(DealCounts::default, DealCounts::plus);
    let fast = game.total(&game.outcomes(Side::Player, &game.banker), &game.banker);
    assert_eq!(all, game.with_copies(fast, &game.banker, &game.banker));
}

#[test]
fn the_equilibrium_is_exact() {
    let game = PaiGowTiles::new(Rules::default());
    let start = std::time::Instant::now();
    let equilibrium = TwoSided::solve(&game, &Control::default()).unwrap();
    let bounds = equilibrium.bounds;
    let best = |side| {
        let outcomes = game.outcomes(side, &game.banker);
        game.ev(&game.total(&outcomes, &game.best(side, &outcomes))).value()
    };
    let (worst, best) = (best(Side::Banker), best(Side::Player));
    println!("{:?}: {bounds:?} within {worst} and {best}", start.elapsed());
    assert!(bounds.lower <= bounds.upper && bounds.lower > worst && bounds.upper < best, "{bounds:?}");
    assert!(bounds.width() < 0.001, "{bounds:?}");
    // An independent program has found the same fraction from a linear program in floating point.
    assert_eq!(equilibrium.value.to_string(), "-16612395979/699466950000");
    let json = equilibrium.answer(Value::Null, String::new()).json;
    assert_eq!(json["value"]["upper"]["denominator"], "699466950000");
    assert_eq!([&json["mixed"]["player"]["classes"], &json["mixed"]["banker"]["classes"]], ["2", "2"]);
}

/// The bounds are those of an independent program that approximates the equilibrium in floating point.
#[test]
#[ignore = "takes a minute; solves the game in which both sides choose under other rules"]
fn equilibria_under_other_rules_are_exact() {
    for (change, lower, upper) in [
        ("zero=ranked", -0.022_749_771, -0.022_749_759),
        ("copies=push", -0.014_308_586, -0.014_308_563),
        ("commission=none", -0.009_408_571, -0.009_408_510),
        ("bank=player", f64::NEG_INFINITY, f64::INFINITY),
    ] {
        let game = PaiGowTiles::new(rules(&[change]));
        let equilibrium = TwoSided::solve(&game, &Control::default()).unwrap();
        let value = equilibrium.value.to_f64().unwrap();
        println!("{change}: {} = {value}", equilibrium.value);
        assert!((lower..=upper).contains(&value), "{change}: {value}");
    }
    let fair = PaiGowTiles::new(rules(&["copies=push", "commission=none"]));
    assert!(TwoSided::solve(&fair, &Control::default()).unwrap().value.is_zero());
}

#[test]
fn options_are_checked() {
    let solver = |name: &str, value: &str| SOLVER.solver(&SolverConfig::default().option(name, value));
    for name in ["banker", "player"] {
        let error = solver(name, "nobody").err().unwrap().to_string();
        assert!(error.contains("traditional, foxwoods, canberra"), "{error}");
    }
    let value = |banker| {
        let answer = solver("banker", banker).unwrap().value("H2 9 L7 L4", &Control::default()).unwrap();
        answer.json["actions"].clone()
    };
    assert_ne!(value("traditional"), value("foxwoods"));
    assert_ne!(value("traditional"), value("optimal"));
}

/// The counts of these house ways against each other.
#[test]
fn the_answer_has_all_matchups_and_costs() {
    let solver = SOLVER.solver(&SolverConfig::default()).unwrap();
    let answer = solver.solve(&Control::default()).unwrap().json;
    let matchups = answer["matchups"].as_array().unwrap();
    let counts = |player: &str, house: &str| {
        let found = matchups.iter().find(|it| it["player"] == player && it["house"] == house).unwrap();
        ["wins", "pushes", "losses"].map(|key| found[key].as_str().unwrap().parse::<u64>().unwrap())
    };
    assert_eq!(matchups.len(), 35);
    assert_eq!(counts("traditional", "traditional"), [216_844_056, 295_633_548, 223_803_396]);
    assert_eq!(counts("optimal", "traditional"), [216_940_516, 300_956_548, 218_383_936]);
    assert_eq!(counts("foxwoods", "foxwoods"), [216_971_376, 295_341_208, 223_968_416]);
    assert_eq!(counts("canberra", "canberra"), [216_324_984, 296_626_624, 223_329_392]);
    assert_eq!(counts("traditional", "optimal"), [210_921_652, 302_060_860, 223_298_488]);
    // What the rules cost adds up to the difference to the optimum.
    let sum = |key: &str, part: &str| -> f64 {
        answer[key].as_array().unwrap().iter().map(|it| it[part].as_f64().unwrap()).sum()
    };
    let house = matchups.iter().find(|it| it["player"] == "traditional" && it["house"] == "traditional").unwrap();
    let lost = answer["optimal_ev"]["value"].as_f64().unwrap() - house["ev"]["value"].as_f64().unwrap();
    assert!((sum("rule_costs", "cost") - lost).abs() < 1e-12 && lost > 0.007, "{lost}");
    let readings = answer["readings"].as_array().unwrap();
    let ev = |rule: &str| readings.iter().find(|it| it["rule"] == rule).unwrap()["ev"]["value"].as_f64().unwrap();
    assert_eq!(ev("copies=bank"), house["ev"]["value"].as_f64().unwrap());
    assert!(ev("copies=push") > ev("copies=bank") && ev("commission=none") > ev("commission=prepaid"));
    assert_eq!([&answer["wins"], &answer["losses"], &answer["deals"]], ["216844056", "223803396", "736281000"]);
    assert!((answer["optimal_ev"]["value"].as_f64().unwrap() - answer["ev"].as_f64().unwrap() - lost).abs() < 1e-12);
}

/// The house's best response to the player's way isn't a strategy of its own.
#[test]
fn every_pair_has_one_matchup() {
    let config = SolverConfig::default().option("player", "foxwoods").option("banker", "optimal");
    let answer = SOLVER.solver(&config).unwrap().solve(&Control::default()).unwrap().json;
    let matchups = answer["matchups"].as_array().unwrap();
    let pairs: Vec<_> = matchups.iter().map(|it| (it["player"].as_str(), it["house"].as_str())).collect();
    let distinct: std::collections::BTreeSet<_> = pairs.iter().collect();
    assert!(distinct.len() == pairs.len() && pairs.contains(&(Some("foxwoods"), Some("optimal"))), "{pairs:?}");
}

#[test]
fn best_play_has_an_edge_as_the_bank() {
    let config = SolverConfig::default().assign("bank=player");
    let answer = SOLVER.solver(&config).unwrap().solve(&Control::default()).unwrap().json;
    let matchups = answer["matchups"].as_array().unwrap();
    let best = matchups.iter().find(|it| it["player"] == "optimal" && it["house"] == "traditional").unwrap();
    assert_eq!([&best["wins"], &best["losses"]], ["222653940", "210272680"]);
    assert_eq!([&best["ev"]["numerator"], &best["ev"]["denominator"]], ["1248563", "736281000"]);
}

/// Without commission, and if nobody wins copies, both sides are equal.
#[test]
fn the_sides_are_equal_without_commission_and_copies() {
    let game = PaiGowTiles::new(rules(&["copies=push", "commission=none"]));
    let counts = game.total(&game.outcomes(Side::Player, &game.banker), &game.banker);
    assert_eq!(counts.wins, counts.losses);
}

#[test]
fn hands_are_drawn_for_practice() {
    let solver = SOLVER.solver(&SolverConfig::default()).unwrap();
    let practice = solver.practice().unwrap();
    let exercises = practice.exercises(&|_| true, &mut stream(3.into()), &Control::default()).unwrap();
    assert!(exercises.iter().any(|exercise| exercise.regret > 0.0));
    let decision = practice.decide("1-1 4-4 6-3 4-1", &Control::default()).unwrap();
    let house = decision.house.clone().unwrap();
    assert_eq!((house.strategy.as_str(), house.rule.unwrap().0.as_str()), ("traditional", "Gong"));
    assert!(decision.regret(house.action).unwrap() > 0.2);
}

fn ask(question: &WayQuestion<'_>) -> serde_json::Value {
    SOLVER.ways.unwrap()(&SolverConfig::default(), question, &Control::default()).unwrap().answer.json
}

fn integer(value: &serde_json::Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn hands_are_set_with_the_ev_of_single_hands() {
    let game = PaiGowTiles::new(Rules::default());
    for text in ["6-6 6-3 5-2 2-2", "1-1 4-4 6-3 4-1", "6-6 6-6 2-1 2-2", "4-1 3-2 6-6 1-1"] {
        let hand: Hand = text.parse().unwrap();
        let evs = [0, 1, 2].map(|setting| game.ev(&slow_counts(&game.game, hand, setting)));
        let json = ask(&WayQuestion::Set { hand: text, way: Some("jb-player") });
        let best = evs.into_iter().max().unwrap();
        assert_eq!(json["best"]["ev_exact"], best.to_json(), "{text}");
        for (row, way) in json["ways"].as_array().unwrap().iter().zip(Way::built_in()) {
            let choice = way.choose(&game.game, hand);
            let [front, back] = game.game.faces(hand, choice.setting);
            assert_eq!([&row["way"], &row["front"], &row["back"]], [way.name(), &front, &back], "{text}");
            assert_eq!(row["ev_exact"], evs[choice.setting].to_json(), "{text}");
            assert_eq!(row["regret"], (best - evs[choice.setting]).value(), "{text}");
        }
        assert_eq!([&json["way"], &json["banker"]], ["jb-player", "traditional"]);
    }
}

#[test]
fn rules_are_counted_over_all_hands() {
    let game = Game::new(Rules::default());
    for way in Way::built_in() {
        let mut counts = vec![0; way.rules().len()];
        Hand::all().for_each(|hand| counts[way.choose(&game, hand).rule] += 1);
        let json = ask(&WayQuestion::Check { way: way.name() });
        let found: Vec<u64> = json["rules"].as_array().unwrap().iter().map(|rule| integer(&rule["hands"])).collect();
        assert_eq!((found, &json["hands"], &json["uncovered"]), (counts, &"35960".into(), &"0".into()));
    }
    // Two pairs are the only way, so their rule is never needed.
    let warnings = &ask(&WayQuestion::Check { way: "traditional" })["warnings"];
    assert_eq!((&warnings[0]["rule"], &warnings[0]["line"]), (&"two pairs".into(), &11.into()));
    assert!(warnings[1].is_null());
}

/// Losses add up, removed rules change as much as the changed house way, and each side's EV is that of the whole game.
#[test]
fn audits_agree_with_the_whole_game() {
    let game = PaiGowTiles::new(Rules::default());
    let [own, other] = ["foxwoods", "canberra"].map(|name| Way::load(name).unwrap());
    for side in [Side::Player, Side::Banker] {
        let sign = if side == Side::Player { 1 } else { -1 };
        let outcomes = game.outcomes(side, &game.follow(&other));
        let ev_of = |strategy: &Strategy| {
            let ev = game.ev(&game.total(&outcomes, strategy));
            Ratio::new(sign * ev.numerator(), ev.denominator())
        };
        let (ev, best) = (ev_of(&game.follow(&own)), ev_of(&game.best(side, &outcomes)));
        let opponent = Some("canberra");
        let json = ask(&WayQuestion::Audit { way: "foxwoods", side, opponent, game_readings: true });
        assert_eq!([&json["ev_exact"], &json["optimal_ev_exact"]], [&ev.to_json(), &best.to_json()]);
        assert_eq!((&json["as"], &json["dominated"]), (&side.name().into(), &"0".into()));
        let rules = json["rules"].as_array().unwrap();
        let sum = |key: &str| rules.iter().map(|rule| integer(&rule[key])).sum::<u64>();
        assert_eq!((sum("hands"), sum("suboptimal_hands")), (35_960, integer(&json["suboptimal_hands"])));
        let lost: f64 = rules.iter().map(|rule| rule["ev_lost"].as_f64().unwrap()).sum();
        assert!((lost - (best - ev).value()).abs() < 1e-12);
        for (index, rule) in rules.iter().enumerate() {
            let without = own.without(index).map(|way| (ev_of(&game.follow(&way)) - ev).to_json());
            assert_eq!(rule["without"].get("ev_change_exact").cloned(), without, "{}", rule["name"]);
        }
        let kinds = json["classes"].as_array().unwrap();
        let hands: u64 = kinds.iter().map(|kind| integer(&kind["hands"])).sum();
        assert!(
            kinds.len() == 50 && hands < integer(&json["suboptimal_hands"]) && kinds[0]["plays"] != kinds[0]["best"]
        );
        // Copies are the bank's, so it loses what the player gains if they push.
        let readings = json["readings"].as_array().unwrap();
        let push = readings.iter().find(|it| it["option"] == "push").unwrap()["ev_change"].as_f64().unwrap();
        assert!(push * f64::from(sign as i32) > 0.005 && readings.len() == 10, "{readings:?}");
    }
}

#[test]
fn comparisons_are_those_of_the_whole_game() {
    let ways = ["wizard-basic", "jb-player", "wizard-basic"].map(str::to_owned);
    let json = ask(&WayQuestion::Compare { ways: &ways });
    assert_eq!(json["ways"], serde_json::json!(["wizard-basic", "jb-player", "wizard-basic (2)"]));
    let config = SolverConfig::default().option("player", "jb-player").option("banker", "wizard-basic");
    let solved = SOLVER.solver(&config).unwrap().solve(&Control::default()).unwrap().json;
    assert_eq!(json["ev"][1][0], solved["ev"]);
    assert_eq!(json["optimal_player"][0], solved["optimal_ev"]["value"]);
    let found = json["outcomes"].as_array().unwrap();
    let pair = found.iter().find(|it| it["player"] == "jb-player" && it["banker"] == "wizard-basic").unwrap();
    for key in ["wins", "pushes", "losses", "copies_front", "copies_back", "ev_exact"] {
        assert_eq!(pair[key], solved[key], "{key}");
    }
    assert_eq!(ask(&WayQuestion::Compare { ways: &[] })["ways"].as_array().unwrap().len(), 5);
}

/// The strategies lose less than the house way, as published: 1.98% against a house way that isn't named.
#[test]
fn published_strategies_close_a_part_of_the_gap() {
    let game = PaiGowTiles::new(Rules::default());
    let outcomes = game.outcomes(Side::Player, &game.banker);
    let edge = |way: &str| -game.ev(&game.total(&outcomes, &game.follow(&Way::load(way).unwrap()))).value();
    assert_eq!(format!("{:.6} {:.6}", edge("wizard-basic"), edge("jb-player")), "0.020229 0.019405");
}

/// Two seats of one banker's hand are compared with an enumeration of all pairs of hands, and their covariance over all hands
/// with a sample.
#[test]
fn seats_against_one_hand_match_enumeration_and_a_sample() {
    let game = PaiGowTiles::new(Rules::default());
    let settle = |own: Hand, house: Hand| {
        slow_outcome(&game.game, game.game.set(own, game.game.house_choice(own).setting), house)
    };
    let hands: Vec<(Hand, usize)> = Hand::all().map(|hand| (hand, game.classes.find(hand))).collect();
    let banker: Hand = "6-6 5-5 6-3 4-1".parse().unwrap();
    let outcomes: Vec<Outcome> = game.classes.all().iter().map(|class| settle(class.hand, banker)).collect();
    let bits = |hand: Hand| hand.tiles().iter().fold(0_u32, |bits, tile| bits | 1 << tile.index());
    let beside: Vec<(u32, usize)> = hands
        .iter()
        .filter(|&&(hand, _)| disjoint(hand, banker))
        .map(|&(hand, class)| (bits(hand), outcomes[class] as usize))
        .collect();
    let mut slow = [[0; RESULTS]; RESULTS];
    for &(first, a) in &beside {
        for &(_, b) in beside.iter().filter(|(second, _)| first & second == 0) {
            slow[a][b] += 1;
        }
    }
    assert_eq!(seat_pairs(banker, &hands, |class| outcomes[class]), slow);
    assert_eq!(slow.iter().flatten().sum::<i128>(), i128::from(HIDDEN * HIDDEN_FROM_TWO));

    let (mut rng, unit, deals) = (stream(7.into()), game.game.unit() as f64, 40_000);
    let mut tiles: Vec<Tile> = (0..Tile::COUNT).map(Tile::from_index).collect();
    let products: Vec<f64> = (0..deals)
        .map(|_| {
            for i in 0..3 * Hand::TILES {
                tiles.swap(i, i + rng.next_u64() as usize % (Tile::COUNT - i));
            }
            let hand = |i: usize| Hand::new(std::array::from_fn(|tile| tiles[Hand::TILES * i + tile]));
            let net = |seat| game.game.net(settle(hand(seat), hand(0))) as f64 / unit;
            net(1) * net(2)
        })
        .collect();
    let mean = products.iter().sum::<f64>() / deals as f64;
    let variance = products.iter().map(|product| (product - mean).powi(2)).sum::<f64>() / deals as f64;
    let is_stopped = AtomicBool::new(true);
    let stop = Control { cancel: Some(&is_stopped), ..Control::default() };
    assert!(game.main_bet(&stop).is_err());
    let bet = game.main_bet(&Control::default()).unwrap();
    let (ev, covariance) = (bet.results.ev().value(), bet.seats_covariance.unwrap().value());
    assert!((covariance + ev * ev - mean).abs() < 4.5 * (variance / deals as f64).sqrt(), "{covariance} {mean}");
    assert!(covariance > 0.0);
}
