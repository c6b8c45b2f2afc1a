//! Environments in the style of Gymnasium, independent of any game.
//!
//! - [`Env`] is the trait for single-agent environments, with `reset(seed, options)` and `step(action)`. Observations
//!   and action masks are written to slices provided by the caller, and options are JSON. The rewards for all actions on
//!   the same cards are optional. Environments are cheap to clone, and invalid calls return an [`EnvError`] instead of
//!   panicking.
//! - [`CardGame`] describes a game by functions on a plain state, and [`CardEnv`] is the environment for any such game.
//! - [`VecEnv`] steps many lanes of an environment at once and stores the results in struct-of-arrays buffers
//!   ([`Batch`]), which are also views of `ndarray`. Each lane has its own random stream, so results don't depend on the
//!   number of threads.
//! - [`MultiEnv`] is the trait for turn-based games with several agents, whose contract [`check_multi_env`] checks.
//! - A [`Policy`] maps batches of observations to actions, such as an [`FnPolicy`], which is given by a function.
//!   [`ExactValues`] are the exact EVs of all actions from a solver.
//! - [`Episode`] and [`replay`] record episodes in JSON Lines format and replay them.
//! - [`Rounds`] is the trait for games as a person plays them, on one of several seats or alone. [`Episodes`]
//!   implements it for single-agent environments.
//! - [`check_env`] checks the contract of an environment, and [`playthrough`] writes episodes as text for golden files.
//! - [`stream`] and [`stream_in`] are the only functions that turn seeds into random streams. Evaluation samples have a
//!   domain of their own.
//!
//! The terminology follows Gymnasium. An episode is *terminated* if it ends by the rules, and *truncated* if it reaches
//! a limit. Masks are `true` for legal actions. A `reset` with a seed selects a random stream, and subsequent resets
//! without a seed continue it.
//!
//! ```
//! use houseway_env::gym::Env;
//!
//! /// Plays one episode with the first legal action in every step and returns the total reward.
//! fn play(env: &mut dyn Env, seed: u64) -> Result<f64, houseway_env::gym::EnvError> {
//!     let mut observation = vec![0.0; env.observation_space().len()];
//!     let mut mask = vec![false; env.actions()];
//!     env.reset(Some(seed), None)?;
//!     let mut total = 0.0;
//!     loop {
//!         env.observe(&mut observation)?;
//!         env.action_mask(&mut mask)?;
//!         let step = env.step(mask.iter().position(|&legal| legal).unwrap_or(0))?;
//!         total += step.reward;
//!         if step.is_last() {
//!             return Ok(total);
//!         }
//!     }
//! }
//! ```

mod batch;
mod card_game;
mod check;
pub(crate) mod entry;
mod env;
pub(crate) mod episode;
mod multi;
mod policy;
mod public;
mod rounds;
mod stream;
#[cfg(test)]
mod tests;
mod vec_env;

pub use batch::Batch;
pub use card_game::{CardEnv, CardGame, Encoding, StakeOptions};
pub use check::{CheckReport, check_env, check_multi_env};
pub(crate) use entry::pages;
pub use entry::{EnvConfig, Example, GameEntry, MakeError, Seated, from_json, from_object};
pub use env::{BoxSpace, Env, EnvError, EnvSpec, MAX_STAKE, Step};
pub use episode::{Episode, HistoryError, SavedEpisode, playthrough, read_episodes, replay, write_episodes};
pub use multi::{AgentSet, AgentStatus, MultiEnv};
pub use policy::{Choices, ExactValues, FnPolicy, PROBABILITY_UNIT, Policy, Scores, exact_probabilities};
pub use public::{Comparison, Payout, PublicAction, PublicBet, PublicPart, PublicSeat, PublicTable};
pub use rounds::{Episodes, Rounds, Verified};
pub use stream::{DEFAULT_SEED, EVALUATION, StreamSeed, stream, stream_in};
pub use vec_env::{Autoreset, VecEnv};
