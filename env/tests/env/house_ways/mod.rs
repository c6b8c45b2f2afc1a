//! Tests for house ways. The built-in ones are compared with their sheets, all of them are checked for general
//! properties, and files are checked against the rule language.

mod files;
mod language;
mod properties;
mod readings;
mod sheets;
mod trump_plaza;

use houseway_env::pai_gow::house_way::{BUILT_IN, HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, Rules, Strategy as _};
use std::sync::LazyLock;

static GAME: LazyLock<Game> = LazyLock::new(|| Game::new(Rules::default()));
static TRUMP_PLAZA: LazyLock<HouseWay> = LazyLock::new(|| way("trump-plaza", &[]));

/// All built-in house ways.
static ALL: LazyLock<Vec<HouseWay>> = LazyLock::new(|| BUILT_IN.iter().map(|(name, _)| way(name, &[])).collect());

fn way(name: &str, readings: &[(&str, &str)]) -> HouseWay {
    let mut way = Way::named(name).unwrap();
    readings.iter().for_each(|(reading, option)| way.choose(reading, option).unwrap());
    HouseWay::compile(way, &GAME).unwrap()
}

/// Returns the cards in front, such as "Ks 9d".
fn front(way: &HouseWay, hand: &str) -> String {
    let hand: Hand = hand.parse().unwrap();
    way.set(hand).front(hand).to_string()
}

/// Returns the ranks in front, such as "K9" or "TT".
fn front_ranks(way: &HouseWay, hand: &str) -> String {
    let hand: Hand = hand.parse().unwrap();
    GAME.set(hand, way.set(hand)).front.to_string()
}
