//! Pai Gow Poker for one player against the banker.
//!
//! Player and banker are dealt seven cards each from one 53-card deck. Each of them sets their hand into a *back* of
//! five cards and a *front* of two, which may not rank above the back. Backs are compared with each other, and so are
//! fronts; a copy goes to the banker. A player who wins both is paid even money less the commission, a player who loses
//! both loses the stake, and one of each is a push. Other casino rules (commission, copies, the joker, pushing hands of
//! the banker) are variants of the [`Rules`].
//!
//! - [`Rules`]: commission, readings and variants, as plain data with a stable hash.
//! - [`Game`]: rules compiled for play, with hand strengths, legality and settlement.
//! - [`Hand`], [`Setting`], [`SetHand`]: seven cards; one of their 21 splits; the strengths of back and front.
//!   [`BankerSet`]: the banker's strengths, as compared with bets.
//! - [`Strategy`]: a function from hands to settings. [`ProfileTable`]: a strategy as a table.
//! - [`house_way`]: house ways as data files, validated and compiled.
//! - [`Candidates`]: the 21 settings of a hand, and which of them are legal or undominated.
//! - [`SideBet`]: the side bet on the seven cards, with its [`Paytable`]s.
//! - [`PaiGowPoker`]: the environment `PaiGowPoker-v0` of a [`BankedGame`]. [`observe`]: its observation encodings.
//! - [`table`]: tables of two to seven seats with bankrolls and player banking.
//! - [`Dealt`], [`Dealer`]: uniformly random deals with the rewards of all settings, millions per second, for training.

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
