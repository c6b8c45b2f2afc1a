//! Exact evaluation of banking: its EV, the banker's optimal settings and the bankroll that it requires.
//!
//! - [`PairBook`]: outcome counts over all deals between a bank and a player's way, computed once and cached.
//! - [`against_players`]: one bank against many players in one pass. One of them may set at random, a mixed strategy
//!   with exact results nonetheless ([`OutcomeWeights`]).
//! - [`Outcome`](houseway_env::pai_gow::Outcome)s in `houseway-env` are the player's. In this module,
//!   [`DealCounts`](crate::pai_gow::whole::DealCounts) are the *bank's* unless stated otherwise.
//! - [`bank_ev`]: the EV of a bank for any bets against any mix of ways. It is linear in the bets and therefore exact,
//!   except for a commission on the net win of several bets, which has exact bounds and can be sampled with
//!   [`sample_bank`].
//! - [`player_ev`] and [`price_of_passing`]: the EV of banking compared with a bet against another bank.
//! - [`MixedOptimum`]: the bank's best setting of every class of hands against a mix of ways.
//! - [`joint_outcomes`]: exact joint results of two opponents against the same banker's hand, by inclusion and
//!   exclusion over shared cards. [`Conditional`]: the mean and variance for an entire table, derived from them.
//! - [`HeldBank`]: results of a bank with a known hand. They are exact against one or two opponents. Against more, the
//!   mean and variance are exact and the distribution is sampled.
//! - [`Distribution`]: the distribution of a bank's or a bet's result, its expected log growth and Kelly size.
//!   [`kelly`]: the exact Kelly fraction against one opponent.
//!
//! The bank's stake is assumed to cover all bets, except in [`single_bet`].

mod ev;
mod growth;
mod held;
mod joint;
mod optimum;
mod pairs;
mod players;
mod sample;
mod seated;

pub use super::whole::OutcomeWeights;
pub use ev::{BankEv, BankedBet, bank_ev, player_ev, price_of_passing};
pub use growth::{Distribution, kelly, single_bet};
pub use held::HeldBank;
pub use joint::{Conditional, Joint, OpponentBet, joint_outcomes};
pub use optimum::{MixedOptimum, best_setting};
pub use pairs::{BankStrategy, PairBook, PairBookError};
pub use players::{PlayerStrategy, against_players};
pub use sample::{SampledBank, sample_bank, sample_held};
pub use seated::{CountError, Seated, SeatedTable, SetsDealt};
