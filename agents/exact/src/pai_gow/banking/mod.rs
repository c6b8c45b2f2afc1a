//! Exact evaluation of banking: its EV, the banker's optimal settings, and the bankroll it requires.
//!
//! - [`outcomes`](super::matchup::outcomes) evaluates banks against players over all deals. A player can set at random.
//!   Even then, the results are exact, in the form of [`OutcomeWeights`].
//! - An [`Outcome`](houseway_env::pai_gow::Outcome) in `houseway-env` is the player's. In this module,
//!   [`DealCounts`](crate::pai_gow::whole::DealCounts) are the *bank's* unless stated otherwise.
//! - [`bank_ev`] computes a bank's EV for any bets against any mix of ways. It's linear in the bets and therefore
//!   exact, except for a commission on the net win from several bets. In that case, [`bank_ev`] gives exact bounds, and
//!   [`sample_bank`] can estimate the EV.
//! - [`player_ev`] and [`price_of_passing`] compare the EV of banking with a bet against another bank.
//! - [`MixedOptimum`] finds the bank's best setting for every hand class against a mix of ways.
//! - [`joint_outcomes`] computes the exact joint results for two opponents against the same banker hand, by inclusion
//!   and exclusion over shared cards.
//! - [`HeldBank`] evaluates a bank whose hand is known. Against one or two opponents, all results are exact. Against
//!   more, the mean and variance are still exact, but the distribution is sampled.
//! - [`single_bet`] gives the results of a bank with one opponent as [`NetResults`](crate::net::NetResults), and [`kelly`]
//!   computes the exact Kelly fraction. [`kelly_stake`] is the stake that makes a bankroll grow most.
//!
//! The bank's stake is assumed to cover all bets, except in [`single_bet`].

mod ev;
mod held;
mod joint;
mod optimum;

pub use super::outcomes::OutcomeWeights;
pub use ev::{BankEv, BankedBet, bank_ev, kelly, kelly_stake, player_ev, price_of_passing, single_bet};
pub use held::{HeldBank, SampledBank, SampledBet, sample_bank};
pub use joint::{Joint, OpponentBet, joint_outcomes};
pub(crate) use joint::{RESULTS, disjoint_pairs};
pub(super) use optimum::setting_gains;
pub use optimum::{MixedOptimum, best_setting};
