//! Pai Gow Poker with one player against the banker.
//!
#![doc = include_str!("rules.md")]
//!
//! - [`Rules`] has a field for the commission and for each reading and variant. It is plain data with a stable hash.
//! - [`Game`] is the compiled form of the rules. It determines hand strengths, legality and settlement.
//! - [`Hand`] consists of seven cards, [`Setting`] is one of their 21 splits, and [`SetHand`] contains the strengths of
//!   the back and the front. [`BankerSet`] is a banker's set hand as it compares with bets.
//! - [`Strategy`] is a function from hands to settings. [`ProfileTable`] stores a strategy as a table.
//! - [`house_way`] reads house ways from data files, then validates and compiles them.
//! - [`Candidates`] contains the 21 settings of a hand and determines which of them are legal or undominated.
//! - [`SideBet`] is the side bet on the seven cards, and [`Paytable`] is one of its paytables.
//! - [`PaiGowPoker`] is the environment `PaiGowPoker-v0`, which plays a [`BankedGame`]. [`observe`] contains its
//!   observation encodings.
//! - [`face_up`] is Face Up Pai Gow Poker, in which the banker's hand is shown first.
//! - [`known_cards`] is the game in which the player knows some of the cards that neither side holds.
//! - [`table`] is the game for two to seven seats with bankrolls and player banking.
//! - [`Dealt`] and [`Dealer`] deal millions of uniformly random rounds per second, with the rewards for all settings.
//!   They are meant for training.

mod candidates;
mod deal;
mod entry;
mod env;
pub mod face_up;
mod game;
mod hand;
pub mod house_way;
pub mod known_cards;
pub mod observe;
mod paid_hand;
mod public;
mod rules;
mod side_bet;
mod strategy;
pub mod table;

pub use candidates::{Candidates, settings_in};
pub use deal::{CARDS, Dealer, Dealt, HANDS};
pub(crate) use entry::{Config, load_way};
pub use entry::{GAME, from_config, game_against};
pub(crate) use env::play_as_banked;
pub use env::{BankedGame, ID, PaiGowOptions, PaiGowPoker, State};
pub use game::{Game, Outcome, Settlement};
pub use hand::{BankerSet, Hand, RankSplit, SetHand, Setting};
pub use paid_hand::PaidHand;
pub use rules::{BankPushes, Copies, EqualSetting, Rules, SideBetBest};
pub use side_bet::{ALL_PAYTABLES, PAYTABLES, PayRow, Paytable, SPECIAL_PAYTABLES, SideBet};
pub use strategy::{BankerStrategy, ProfileStrategy, ProfileTable, RandomLegal, Strategy, strategy_hash};
