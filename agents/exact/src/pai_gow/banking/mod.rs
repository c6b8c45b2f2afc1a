//! The bank of a table, counted: what it is worth to take it, how to set as the banker, how much of a bankroll it bears.
//!
//! - [`PairBook`]: how all deals end between a bank and a player's way, counted once and kept.
//! - [`against_players`]: one bank against many players in one pass, among them one who sets by chance, which is a mixed
//!   strategy and exact all the same ([`Weights`]).
//! - [`Outcome`](houseway_env::pai_gow::Outcome)s are the player's in the game; here
//!   [`DealCounts`](crate::pai_gow::whole::DealCounts) are the *bank's* unless said otherwise.
//! - [`bank_ev`]: the EV of a bank for any bets against any mix of ways: linear in the bets, so exact, except for a
//!   commission on the net win of several bets, which is enclosed exactly and sampled by [`sample_bank`].
//! - [`player_ev`] and [`price_of_passing`]: what the bank is worth against playing one's own bet.
//! - [`MixedOptimum`]: the bank's best setting of every class of hands against a mix of ways, with its counts.
//! - [`joint_outcomes`]: two opponents of one banker's hand, whose results depend on each other: exactly, by inclusion and
//!   exclusion over the cards that their hands would share. [`Conditional`]: mean and variance of a whole table from it.
//! - [`HeldBank`]: all that a bank may bring with a hand that is known: exact against one or two opponents; against more the
//!   mean and variance are exact, and what may come is sampled.
//! - [`Distribution`]: what can come of a bank or a bet, expected log growth, the Kelly fraction; [`kelly`]: that of one
//!   opponent as an exact fraction.
//!
//! All of it takes the bank's stake to cover all bets; [`single_bet`] also does a stake that does not.

mod ev;
mod growth;
mod held;
mod joint;
mod optimum;
mod pairs;
mod players;
mod sample;

pub use ev::{BankEv, BankedBet, bank_ev, player_ev, price_of_passing};
pub use growth::{Distribution, kelly, single_bet};
pub use held::HeldBank;
pub use joint::{Conditional, Joint, OpponentBet, joint_outcomes};
pub use optimum::{MixedOptimum, best_setting};
pub use pairs::{Bank, PairBook, PairBookError, Seated};
pub use players::{Setter, Weights, against_players};
pub use sample::{SampledBank, sample_bank, sample_held};
