//! The current episode of a lane, stored as its start and all actions since then.

use super::{Env, StreamSeed, stream};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

/// The current episode of a lane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LaneEpisode<O> {
    /// The random stream before the reset, or `None` if the environment doesn't expose it.
    pub(super) start: Option<Pcg64>,
    pub(super) options: O,
    pub(super) actions: Vec<u32>,
}

impl<O: Clone> LaneEpisode<O> {
    /// Records a reset. This must be called before the reset takes place, because it saves the position of the random
    /// stream.
    pub(super) fn begin<E: Env<Options = O>>(&mut self, env: &E, seed: Option<StreamSeed>, options: &O) {
        self.start = seed.map(stream).or_else(|| env.random_stream());
        self.options.clone_from(options);
        self.actions.clear();
    }

    /// Records an action.
    pub(super) fn push(&mut self, action: usize) {
        self.actions.push(action as u32);
    }
}
