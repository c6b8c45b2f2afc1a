//! Pai Gow Poker, one player against the banker.
//!
//! Player and banker get seven cards each from one deck of 53; each sets the hand into a *back* of five cards and a *front* of
//! two, the front not above the back; back is compared with back and front with front, a copy goes to the banker. Winning both
//! pays even money less the commission, losing both loses the stake, one each is a push. Rules that differ elsewhere
//! (commission, copies, the joker, hands of the banker that push) are variants of the [`Rules`].
//!
//! - [`Rules`]: commission, readings and variants, plain data with a stable hash.
//! - [`Game`]: rules compiled for play: strengths, legality, settling.
//! - [`Hand`], [`Setting`], [`SetHand`]: seven cards; one of the 21 splits; the two strengths that a split makes.
//! - [`Strategy`]: functions from hands to settings.
//! - [`house_way`]: house ways as data files, checked and compiled. [`ProfileTable`]: any strategy as a table.
//! - [`Candidates`]: the 21 settings of one hand, and its contenders.
//! - [`SideBet`]: the side bet on the seven cards; [`Paytable`]s as data.
//! - [`PaiGowPoker`]: the environment `PaiGowPoker-v0` of a [`BankedGame`]. [`observe`]: its observation encodings.
//! - [`table`]: two to seven seats, bankrolls and players who bank.
//! - [`Dealt`], [`Dealer`]: uniform deals and rewards of all settings at millions a second, for training.

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
pub use env::{BankedGame, GAME, ID, PaiGowOptions, PaiGowPoker, Round, State, from_config};
pub use game::{Game, Outcome, Settlement};
pub use hand::{Hand, SetHand, Setting};
pub use profile_table::ProfileTable;
pub use rules::{BankPushes, Copies, EqualSetting, Rules, SideBetBest};
pub use side_bet::{Jokolor, PAYTABLES, PayRow, Paytable, SideBet, SideBetReturn};
pub use strategy::{ProfileStrategy, RandomLegal, Strategy, strategy_hash};
