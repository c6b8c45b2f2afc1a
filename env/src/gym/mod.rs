//! Environments in the style of Gymnasium, independent of any game.
//!
//! - [`Env`]: `reset(seed, options)`, `step(action)`, an observation and an action mask written into the caller's slices,
//!   spaces, a text rendering. Cheap to clone; bad calls are typed errors ([`EnvError`]), never panics.
//! - [`CardGame`]: rules as functions of plain state; [`CardEnv`]: the environment of any such game.
//! - [`VecEnv`]: many lanes of an environment stepped at once into struct-of-arrays buffers ([`Batch`]), with one random
//!   stream a lane: the same seed gives the same bytes for any number of threads.
//! - [`MultiEnv`]: games for several agents, turn by turn; [`Parallel`]: the same, all at once;
//!   [`check_multi_env`]: checks of all that they promise.
//! - [`Counterfactual`]: rewards of all actions on the same cards. [`Policy`]: batches of observations to actions.
//! - [`AnyEnv`], [`AnyVecEnv`]: environments of any game behind one object-safe interface, with options as JSON.
//! - [`Recorder`], [`Episode`], [`replay`]: episodes as JSON Lines, and their replay.
//! - [`check_env`]: checks of all that an environment promises. [`playthrough`]: episodes as text for golden files.
//! - [`stream`]: seeds become random streams here and nowhere else.
//!
//! Terms are those of Gymnasium: an episode ends *terminated* (by the rules) or *truncated* (by a limit), a mask is true
//! where an action is legal, `reset` with a seed sets the random stream and a later one without a seed continues it.
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
