//! The layouts of Pai Gow Poker for interactive play: against the banker, at a table with several seats, and against a
//! dealer whose hand is shown, with the wording of the sources.

use crate::play::{Layout, Pick, Seats};
use houseway_env::pai_gow::house_way::BUILT_IN;
use houseway_env::pai_gow::table::MAX_SEATS;
use houseway_env::pai_gow::{GAME, Setting, face_up, known_cards, table};
use serde_json::Value;

const FRONT: Pick = Pick {
    cards: 2,
    chosen: "front",
    others: "back",
    action: |places| Setting::from_positions(places[0], places[1]).index(),
    positions: |action| {
        Setting::from_index(action).map_or_else(Vec::new, |it| <[usize; 2]>::from(it.positions()).into())
    },
    foul: "a foul: the back does not outrank it",
    house: "HOUSE WAY",
};

pub const LAYOUT: Layout = Layout {
    bets: &[("stake", "BET"), ("side-stake", "JOKOLOR")],
    pick: Some(FRONT),
    remark,
    why: Some(why),
    ways: BUILT_IN,
    ..Layout::plain(GAME.name)
};

pub const KNOWN_CARDS: Layout = Layout { game: known_cards::GAME.name, solver: Some(GAME.name), ..LAYOUT };

pub const TABLE_LAYOUT: Layout = Layout {
    game: table::GAME.name,
    bets: &[("bet", "BET"), ("side", "JOKOLOR")],
    bank: Some(super::bank::advice),
    solver: Some(GAME.name),
    seats: Some(Seats {
        players: MAX_SEATS - 1,
        banks: &[("never", "always passes"), ("in-turn", "if offered first"), ("always", "whenever offered")],
    }),
    ..LAYOUT
};

pub const FACE_UP: Layout = Layout {
    bets: &[("stake", "BET")],
    pick: Some(FRONT),
    remark: dealer,
    ways: BUILT_IN,
    ..Layout::plain(face_up::GAME.name)
};

/// Compares how often each half of two settings is higher than the banker's.
fn why(answer: &Value, own: usize, best: usize) -> Option<String> {
    let [own, best] = [own, best].map(|setting| &answer["settings"][setting]);
    let share = |setting: &Value, key: &str| Some(format!("{:.1}%", 100.0 * share_of(setting, key)?));
    Some(format!(
        "why: your front is higher than the banker's in {} of all hands, and your back in {}; the best front in {}, and the \
         best back in {}",
        share(own, "lower_fronts")?,
        share(own, "lower_backs")?,
        share(best, "lower_fronts")?,
        share(best, "lower_backs")?,
    ))
}

/// Returns a count in the answer on a setting as a fraction of the banker's hands.
pub fn share_of(setting: &Value, key: &str) -> Option<f64> {
    let count = |key: &str| setting[key].as_str()?.parse::<f64>().ok();
    let all = count("wins")? + count("pushes")? + count("losses")?;
    (all > 0.0).then_some(count(key)? / all)
}

/// Returns a remark about a dealer's hand that decides all bets. The hand itself is shown with the cards.
fn dealer(view: &Value) -> Option<String> {
    (view["dealer"]["pushes"] == true).then(|| "The dealer has an ace-high pai gow: every bet pushes".to_owned())
}

/// Returns the result of the side bet, which is known as soon as the cards are dealt.
fn remark(view: &Value) -> Option<String> {
    view["side_stake"].as_f64().filter(|&stake| stake > 0.0)?;
    let row = view["side_bet"].as_object();
    let pays = row.and_then(|row| Some(format!("{} pays {} to 1", row["hand"].as_str()?, row["odds"].as_str()?)));
    Some(format!("JOKOLOR {}", pays.unwrap_or_else(|| "does not qualify for a payout".to_owned())))
}
