//! Environments in the style of Gymnasium, independent of any game.
//!
//! - [`Env`]: `reset(seed, options)` and `step(action)`, with the observation and action mask written into the caller's
//!   slices, spaces, and a text rendering. Environments are cheap to clone. Invalid calls return typed errors
//!   ([`EnvError`]) and never panic.
//! - [`CardGame`]: a game as functions of plain state. [`CardEnv`]: the environment of any such game.
//! - [`VecEnv`]: many lanes of an environment, stepped at once into struct-of-arrays buffers ([`Batch`]). Each lane has
//!   its own random stream, so the same seed gives the same bytes for any number of threads.
//! - [`MultiEnv`]: turn-based games for several agents. [`Parallel`]: the same games with all agents stepped at once.
//!   [`check_multi_env`]: checks of their contract.
//! - [`Counterfactual`]: rewards of all actions on the same cards. [`Policy`]: batches of observations to actions.
//! - [`AnyEnv`], [`AnyVecEnv`]: an object-safe interface to the environments of all games, with options as JSON.
//! - [`Recorder`], [`Episode`], [`replay`]: recording and replay of episodes as JSON Lines.
//! - [`check_env`]: checks of the environment contract. [`playthrough`]: episodes as text for golden files.
//! - [`stream`]: the only place where seeds are turned into random streams.
//!
//! The terms are those of Gymnasium. An episode ends *terminated* (by the rules) or *truncated* (by a limit). A mask is
//! `true` for legal actions. `reset` with a seed sets the random stream, and a later one without a seed continues it.
//!
//! ```
//! use houseway_env::gym::Env;
//!
//! /// Plays one episode with the first legal action at every step; the sum of the rewards.
//! fn play<E: Env>(env: &mut E, seed: u64) -> Result<f64, houseway_env::gym::EnvError> {
//!     let mut observation = vec![0.0; env.observation_space().len()];
//!     let mut mask = vec![false; env.action_space().n()];
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

mod any;
mod card_game;
mod check;
mod check_multi;
mod config;
mod counterfactual;
mod entry;
mod env;
mod episode;
mod error;
mod lane_episode;
mod multi;
mod page;
mod playthrough;
mod policy;
mod space;
mod stream;
#[cfg(test)]
mod toy;
mod vec_env;
mod vec_state;

pub use any::{AnyEnv, AnyVecEnv, DynEnv, erase, erase_counterfactual};
pub use card_game::{CardEnv, CardGame, CounterfactualGame, Encoding};
pub use check::{CheckFailure, CheckReport, check_env};
pub use check_multi::check_multi_env;
pub use config::{EnvConfig, Example, MakeError};
pub use counterfactual::Counterfactual;
pub use entry::{Documentation, GameEntry};
pub use env::{Env, EnvSpec, Step};
pub use episode::{Episode, Recorder, ReplayError, read_episodes, replay, write_episodes};
pub use error::{EnvError, MAX_STAKE};
pub use multi::{AgentSet, AgentStatus, MultiEnv, Parallel};
pub use playthrough::playthrough;
pub use policy::Policy;
pub use space::{BoxSpace, Discrete};
pub use stream::{DEFAULT_SEED, StreamSeed, stream};
pub use vec_env::{Autoreset, Batch, VecEnv};
pub use vec_state::SavedLanes;
