//! Pai Gow Poker, one player against the banker.
//!
//! Rules: `pai-gow-poker.md`, after two source texts. Player and banker get seven cards each from one deck of 53; each sets
//! his hand into a *back* of five cards and a *front* of two, the front not above the back; back is compared with back and
//! front with front, a copy goes to the banker. Both won pays even money less the commission, both lost loses the stake,
//! one each is a push.
//!
//! - [`Rules`]: commission and readings, plain data with a stable hash.
//! - [`Game`]: rules made ready for play: strengths, legality, settling.
//! - [`Hand`], [`Setting`], [`SetHand`]: seven cards; one of the 21 splits; the two strengths that a split makes.
//! - [`Strategy`]: anything that sets hands.
//! - [`house_way`]: house ways as data files, checked and compiled.

mod game;
mod hand;
pub mod house_way;
mod rules;
mod strategy;

pub use game::{Game, Outcome, Settlement};
pub use hand::{Hand, SetHand, Setting};
pub use rules::{EqualSetting, Rate, RateError, Rules, RulesError, SideBetBest};
pub use strategy::{ProfileStrategy, RandomLegal, Strategy};
