//! The presentation of a game. A [`Layout`] gives the bets titles and lets the player act by choosing cards.
//!
//! A game doesn't need a layout. Without one, its bets are the reset options that are decimal numbers, and its actions
//! have the names from its registry entry.

use houseway_env::gym::GameEntry;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Returns the reason why the second of two actions is better than the first one, given the solver's answer on the hand.
/// `None` if the answer doesn't have it.
pub type Why = fn(&Value, usize, usize) -> Option<String>;

/// Returns advice on an offered bank in sentences, or the reason why there is none. See [`Session::bank_offer`].
///
/// [`Session::bank_offer`]: super::Session::bank_offer
pub type AdviseBank = fn(&Value, &AtomicBool) -> Result<Vec<String>, String>;

#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub game: &'static str,
    /// The names of the reset options for the bets, with the titles to show.
    pub bets: &'static [(&'static str, &'static str)],
    /// The choice of cards that forms an action, or `None` if actions are chosen by name.
    pub pick: Option<Pick>,
    /// Returns a remark about a newly dealt hand, given the game's view.
    pub remark: fn(&Value) -> Option<String>,
    pub why: Option<Why>,
    pub bank: Option<AdviseBank>,
    /// The game whose solver evaluates the decisions, or `None` for the game's own solver. If the two games have
    /// different rules, the solver uses the default rules of its own game.
    pub solver: Option<&'static str>,
    pub seats: Option<Seats>,
    /// The built-in house ways that players on other seats and the solver's options `way` and `banker` accept, as their
    /// names and texts.
    pub ways: &'static [(&'static str, &'static str)],
}

#[derive(Clone, Copy, Debug)]
pub struct Seats {
    /// The number of seats for players, including the human player's. They are numbered from 1.
    pub players: usize,
    /// The values of the key `bank`, with a description of each.
    pub banks: &'static [(&'static str, &'static str)],
}

/// A choice of cards that forms an action. The action is played once it is confirmed.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    pub cards: usize,
    pub chosen: &'static str,
    pub others: &'static str,
    /// Returns the action for the cards at the given positions, which must be in ascending order.
    pub action: fn(&[usize]) -> usize,
    pub positions: fn(usize) -> Vec<usize>,
    /// A description of an illegal choice, for use after the chosen cards.
    pub foul: &'static str,
    pub house: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bet {
    pub option: String,
    pub title: String,
    /// `true` for main bets, which need a stake. Side bets are optional.
    pub is_main: bool,
}

impl Layout {
    /// Returns the layout for a game that doesn't define one.
    pub const fn plain(game: &'static str) -> Layout {
        Layout {
            game,
            bets: &[],
            pick: None,
            remark: |_| None,
            why: None,
            bank: None,
            solver: None,
            seats: None,
            ways: &[],
        }
    }

    pub fn find(layouts: &[Layout], game: &GameEntry) -> Layout {
        layouts.iter().find(|layout| layout.game == game.name).copied().unwrap_or(Layout::plain(game.name))
    }

    /// Returns the bets among the default reset options, starting with the main bets. Every option whose default is a
    /// decimal number is a bet.
    pub fn bets(&self, options: &Map<String, Value>) -> Vec<Bet> {
        let title = |option: &str| {
            let known = self.bets.iter().find(|(name, _)| *name == option);
            known.map_or_else(|| option.replace(['-', '_'], " ").to_uppercase(), |(_, title)| (*title).to_owned())
        };
        let bet = |(option, default): (&String, &Value)| {
            let default = default.as_number().filter(|number| number.is_f64())?.as_f64()?;
            Some(Bet { option: option.clone(), title: title(option), is_main: default > 0.0 })
        };
        let mut bets: Vec<Bet> = options.iter().filter_map(bet).collect();
        bets.sort_by_key(|bet| !bet.is_main);
        bets
    }
}

/// Checks that a request chooses one of these built-in house ways. Requests must not open files, and other strategies
/// take seconds.
pub fn check_way(ways: &[(&str, &str)], name: &str) -> Result<(), String> {
    let known: Vec<&str> = ways.iter().map(|(known, _)| *known).collect();
    let shown: String = name.chars().take(60).collect();
    match &known[..] {
        known if known.contains(&name) => Ok(()),
        [] => Err(format!("there is no built-in house way \"{shown}\"; this game has none")),
        known => Err(format!("there is no built-in house way \"{shown}\"; choose one of {}", known.join(", "))),
    }
}

/// Returns the name of an action in the words of the tables, such as `Play 4×` for `play4`.
pub fn action_words(name: &str) -> String {
    let (word, times) = name.split_at(name.trim_end_matches(|it: char| it.is_ascii_digit()).len());
    let mut words = word.replace(['-', '_'], " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if times.is_empty() { words } else { format!("{words} {times}×") }
}

/// Returns a name without the marks that people leave out.
pub fn plain(name: &str) -> String {
    name.to_lowercase().replace(['-', '_', ' '], "").replace('×', "x")
}

/// Returns `true` if a text names what is shown in some words. Remarks in parentheses or after a colon can be left out,
/// and so can all parts but the first.
pub fn is_named(words: &str, text: &str) -> bool {
    let shown = words.split('(').next().unwrap_or_default().split(['·', '/']);
    let parts: Vec<&str> = shown.map(|part| part.split(':').next().unwrap_or_default()).collect();
    [words, &parts.concat(), parts[0]].iter().any(|words| plain(words) == plain(text))
}

pub const EMPTY: &str = "empty";
/// The key for the player's house way. It can be left out if the house way comes first.
const WAY: &str = "way";

/// The configuration of the players on other seats, keyed by seat. Empty seats are `null`.
pub type OtherPlayers = BTreeMap<usize, Value>;

/// Adds the player on a seat to `players`. The text consists of a house way and any other keys, as in
/// `wong,bet=100,bank=always`. Without a house way, the player follows the table's. The word `empty` leaves the seat
/// empty.
pub fn add_player(players: &mut OtherPlayers, seat: &str, text: &str) -> Result<(), String> {
    let number: usize = seat.trim().parse().map_err(|_| format!("invalid seat '{seat}': expected a number"))?;
    if players.contains_key(&number) {
        return Err(format!("seat {number} already has a player"));
    }
    players.insert(number, if text.trim() == EMPTY { Value::Null } else { player(number, text)?.into() });
    Ok(())
}

fn player(seat: usize, text: &str) -> Result<Map<String, Value>, String> {
    let mut player = Map::new();
    for (index, part) in text.split(',').map(str::trim).filter(|part| !part.is_empty()).enumerate() {
        let (key, value) = match part.split_once('=') {
            Some((key, value)) => (key.trim(), value.trim()),
            None if index == 0 => (WAY, part),
            None => return Err(format!("invalid key '{part}' for seat {seat}: expected key=value, such as bet=100")),
        };
        let value = value.parse::<i64>().map_or_else(|_| value.into(), Value::from);
        if player.insert(key.to_owned(), value).is_some() {
            return Err(format!("the key {key} is given twice for seat {seat}"));
        }
    }
    Ok(player)
}

pub fn ways(players: &OtherPlayers) -> impl Iterator<Item = &str> {
    players.values().filter_map(|player| player[WAY].as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::registry::games;
    use serde_json::json;

    #[test]
    fn the_bets_of_every_game_are_found() {
        let bets = |game: &GameEntry| {
            let options = game.rounds("{}").unwrap().default_options();
            let bets = Layout::plain(game.name).bets(&options).into_iter();
            bets.map(|bet| format!("{}{}", bet.title, if bet.is_main { "" } else { "?" })).collect::<Vec<_>>().join(" ")
        };
        let found: Vec<String> = games().into_iter().map(bets).collect();
        assert_eq!(
            found,
            [
                "STAKE SIDE STAKE?",
                "BET SIDE?",
                "ANTE TRIPS?",
                "CHIP",
                "ANTE SIDE STAKE?",
                "STAKE",
                "STAKE SIDE STAKE?",
                "STAKE"
            ]
        );
    }

    fn parse(seat: &str, text: &str) -> Result<Value, String> {
        let mut players = OtherPlayers::from([(6, Value::Null)]);
        add_player(&mut players, seat, text)?;
        players.remove(&6);
        Ok(players.into_values().next().unwrap())
    }

    #[test]
    fn players_are_a_house_way_and_keys() {
        for (text, player) in [
            ("wong", json!({ "way": "wong" })),
            ("wong, bet=100, bank=always", json!({ "way": "wong", "bet": 100, "bank": "always" })),
            ("bet-share=0.05,side=5", json!({ "bet-share": "0.05", "side": 5 })),
            ("way=./empty", json!({ "way": "./empty" })),
            ("", json!({})),
            (" empty ", Value::Null),
        ] {
            assert_eq!(parse("2", text), Ok(player), "{text}");
        }
        for (seat, text, part) in [
            ("x", "wong", "invalid seat 'x'"),
            ("-1", "wong", "invalid seat '-1'"),
            ("6", "wong", "seat 6 already has a player"),
            ("2", "wong,foxwoods", "invalid key 'foxwoods' for seat 2"),
            ("2", "wong,way=foxwoods", "the key way is given twice for seat 2"),
        ] {
            let error = parse(seat, text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        let players = OtherPlayers::from([(1, json!({ "way": "wong" })), (2, Value::Null), (3, json!({ "way": "x" }))]);
        assert_eq!(ways(&players).collect::<Vec<_>>(), ["wong", "x"]);
    }
}
