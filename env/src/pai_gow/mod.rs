//! Pai Gow Poker for one player against the banker.
//!
//! Player and banker are dealt seven cards each from one deck of 53. Each sets their hand into a *back* of five cards and a
//! *front* of two, which may not rank above the back. Back is compared with back and front with front; a copy goes to the
//! banker. A player who wins both is paid even money less the commission, one who loses both loses the stake, and one of each
//! is a push. Other rules of casinos (commission, copies, the joker, pushing hands of the banker) are variants of the
//! [`Rules`].
//!
//! - [`Rules`]: commission, readings and variants, plain data with a stable hash.
//! - [`Game`]: rules compiled for play: strengths, legality, settlement.
//! - [`Hand`], [`Setting`], [`SetHand`]: seven cards; one of the 21 splits; the strengths of back and front.
//!   [`BankerSet`]: the strengths of the banker, as bets are compared with them.
//! - [`Strategy`]: a function from hands to settings. [`ProfileTable`]: a strategy as a table.
//! - [`house_way`]: house ways as data files, checked and compiled.
//! - [`Candidates`]: the 21 settings of a hand, with the legal and the undominated ones.
//! - [`SideBet`]: the side bet on the seven cards, with its [`Paytable`]s.
//! - [`PaiGowPoker`]: the environment `PaiGowPoker-v0` of a [`BankedGame`]. [`observe`]: its observation encodings.
//! - [`table`]: tables of two to seven seats with bankrolls and player banking.
//! - [`Dealt`], [`Dealer`]: uniform deals and rewards of all settings at millions per second, for training.

mod candidates;
mod deal;
mod env;
mod game;
mod hand;
pub mod house_way;
pub mod observe;
mod profile_table;
mod rules;
mod side_bet;
mod strategy;
pub mod table;

pub use candidates::{Candidates, settings_in};
pub use deal::{BANKERS, CARDS, Dealer, Dealt, HANDS};
pub use env::{BankedGame, GAME, ID, PaiGowOptions, PaiGowPoker, Round, State, from_config, from_config_against};
pub use game::{Game, Outcome, Settlement};
pub use hand::{BankerSet, Hand, SetHand, Setting};
pub use profile_table::ProfileTable;
pub use rules::{BankPushes, Copies, EqualSetting, Rules, SideBetBest};
pub use side_bet::{Jokolor, PAYTABLES, PayRow, Paytable, SideBet, SideBetReturn};
pub use strategy::{BankerStrategy, ProfileStrategy, RandomLegal, Strategy, strategy_hash};
