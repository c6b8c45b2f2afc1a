//! Layout of Pai Gow Poker at the table, with the original game's wording.

use crate::play::{Layout, Pick};
use houseway_env::pai_gow::{GAME, Setting};
use serde_json::Value;

/// The layout, in which two cards are chosen for the front.
pub const LAYOUT: Layout = Layout {
    game: GAME.name,
    bets: &[("stake", "BET"), ("side-stake", "JOKOLOR")],
    pick: Some(Pick {
        cards: 2,
        chosen: "front",
        others: "back",
        action: |places| Setting::from_positions(places[0], places[1]).index(),
        positions: |action| {
            Setting::from_index(action).map_or_else(Vec::new, |it| <[usize; 2]>::from(it.positions()).into())
        },
        house: "HOUSE WAY",
    }),
    remark,
};

/// Returns the result of the side bet, which is known as soon as the cards are dealt.
fn remark(view: &Value) -> Option<String> {
    view["side_stake"].as_f64().filter(|&stake| stake > 0.0)?;
    let row = view["side_bet"].as_object();
    let pays = row.and_then(|row| Some(format!("{} pays {} to 1", row["hand"].as_str()?, row["odds"].as_str()?)));
    Some(format!("JOKOLOR {}", pays.unwrap_or_else(|| "does not qualify for a payout".to_owned())))
}
