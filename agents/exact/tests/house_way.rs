//! The built-in house way, counted: hands of every rule against plain enumeration, and the whole game against what is
//! published.

use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, Rules};
use houseway_exact::pai_gow::whole::{Optimum, Payoff, Run, Side, Whole};
use houseway_exact::pai_gow::{BankerTable, HandCounter, slow};

fn trump_plaza(game: &Game) -> HouseWay {
    HouseWay::compile(Way::named("trump-plaza").unwrap(), game).unwrap()
}

/// `each` hands of each rule, spread over its profiles: these go from plain to flush, within that from no joker to joker.
fn stratified(way: &HouseWay, each: usize) -> Vec<Hand> {
    let mut by_rule: Vec<Vec<Profile>> = vec![vec![]; way.survey().rules.len()];
    Profile::all().for_each(|profile| by_rule[way.rule_index(profile)].push(profile));
    let hands = by_rule.iter().filter(|profiles| !profiles.is_empty()).flat_map(|profiles| {
        let last = profiles.len() - 1;
        (0..each).map(move |i| Profiles::get().representative(profiles[last * i / (each - 1).max(1)]))
    });
    hands.map(|cards| Hand::new(cards).unwrap()).collect()
}

#[test]
fn a_hand_of_some_rules_equals_enumeration_by_profile() {
    let game = Game::new(Rules::default());
    let way = trump_plaza(&game);
    let table = BankerTable::new(&way);
    let hands = stratified(&way, 1);
    assert!(hands.len() > 10, "{} rules", hands.len());
    for &hand in hands.iter().step_by(5) {
        assert_eq!(HandCounter::new(&game, &table).count(hand), slow::count_by_profile(&game, &table, hand), "{hand}");
    }
}

#[test]
#[ignore = "20 minutes; at least 100 hands, some of every rule, by the slow yardstick"]
fn hands_of_every_rule_equal_the_slow_yardstick() {
    let game = Game::new(Rules::default());
    let way = trump_plaza(&game);
    let table = BankerTable::new(&way);
    let hands = stratified(&way, 6);
    assert!(hands.len() >= 100, "{} hands", hands.len());
    for hand in hands {
        assert_eq!(HandCounter::new(&game, &table).count(hand), slow::count(&game, &way, hand), "{hand}");
    }
}

#[test]
#[ignore = "20 s; all deals of the house way against itself"]
fn the_house_way_against_itself_is_as_published() {
    let game = Game::new(Rules::default());
    let table = BankerTable::new(&trump_plaza(&game));
    let payoff = Payoff::player(game.rules().commission);
    let whole = Whole::new(&game, Side::Player, &table).with_copies();
    let totals = whole.totals(&[&table, &Optimum(payoff)], &Run::default()).unwrap();
    let [own, best] = [totals[0], totals[1]];
    assert_eq!(own.deals(), 8_250_459_031_214_400);
    // By simulation (Trump Plaza): 28.607%, 41.485% and 29.908%, house edge 2.7309% with a standard error of 0.0108%.
    let share = |deals: u64| 100.0 * deals as f64 / own.deals() as f64;
    for (deals, published) in [(own.wins, 28.607), (own.pushes, 41.485), (own.losses, 29.908)] {
        assert!((share(deals) - published).abs() < 0.02, "{} {published}", share(deals));
    }
    let edge = -100.0 * own.ev(payoff).value();
    assert!((edge - 2.7309).abs() < 2.0 * 0.0108, "{edge}");
    assert!(best.ev(payoff) > own.ev(payoff));
    // What these counts were when they first agreed from both sides of the table; a change of them must be meant.
    assert_eq!([own.wins, own.losses], [2_360_723_961_772_804, 2_467_480_314_035_240]);
    assert_eq!([own.copies_front, own.copies_back], [210_386_817_170_984, 3_125_887_353_888]);
}
