//! The players on other seats, as they are written on the command line and in requests.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The word for an empty seat.
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

/// Returns the names of the house ways that the players follow.
pub fn ways(players: &OtherPlayers) -> impl Iterator<Item = &str> {
    players.values().filter_map(|player| player[WAY].as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
