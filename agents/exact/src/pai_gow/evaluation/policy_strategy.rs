//! A policy of the environment as a strategy.

use houseway_env::gym::Policy;
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::observe::candidates::{LEN, ROW, write_rows};
use houseway_env::pai_gow::{Candidates, Game, Hand, Setting, Strategy};
use rayon::prelude::*;

/// Encoding of the policies, which is suit-isomorphic.
pub(super) const ENCODING: Observation = Observation::Candidates;
/// Hands per call of a policy: enough rows for fast matrix products, few enough to stay in the cache.
const BATCH: usize = 1024;
/// All settings as bits.
const ALL: u32 = (1 << Setting::COUNT) - 1;

/// The strategy of a policy.
pub(super) struct PolicyStrategy<'a> {
    game: &'a Game,
    policy: &'a dyn Policy,
}

/// Observations and action masks of hands.
#[derive(PartialEq)]
pub(super) struct Observations {
    rows: Vec<f32>,
    masks: Vec<bool>,
}

impl Observations {
    /// Returns the observations of hands by their candidates.
    pub(super) fn new<'c>(game: &Game, hands: impl ExactSizeIterator<Item = &'c Candidates>) -> Observations {
        let mut observations = Observations {
            rows: vec![0.0; hands.len() * LEN],
            masks: Vec::with_capacity(hands.len() * Setting::COUNT),
        };
        for (hand, row) in hands.zip(observations.rows.chunks_exact_mut(LEN)) {
            let (rows, context) = row.split_at_mut(Setting::COUNT * ROW);
            write_rows(game, hand, ALL, rows, context).expect("the observation has the length of its encoding");
            observations.masks.extend(Setting::all().map(|setting| hand.is_legal(setting)));
        }
        observations
    }

    /// Returns the settings that a policy chooses.
    ///
    /// # Panics
    /// If it does not choose one setting per hand.
    pub(super) fn settings(&self, policy: &dyn Policy) -> Vec<Setting> {
        let actions = policy.choose(&self.rows, &self.masks);
        assert_eq!(actions.len() * LEN, self.rows.len(), "{} must choose one action per hand", policy.name());
        let setting = |action| Setting::from_index(action).expect("a policy chooses one of the 21 settings");
        actions.into_iter().map(setting).collect()
    }
}

impl<'a> PolicyStrategy<'a> {
    pub(super) fn new(game: &'a Game, policy: &'a dyn Policy) -> PolicyStrategy<'a> {
        PolicyStrategy { game, policy }
    }

    fn set_chunk(&self, hands: &[Hand]) -> Vec<Setting> {
        let candidates: Vec<Candidates> = hands.iter().map(|&hand| Candidates::new(self.game, hand)).collect();
        Observations::new(self.game, candidates.iter()).settings(self.policy)
    }
}

impl Strategy for PolicyStrategy<'_> {
    fn name(&self) -> &str {
        self.policy.name()
    }

    fn set(&self, hand: Hand) -> Setting {
        self.set_chunk(&[hand])[0]
    }

    fn set_batch(&self, hands: &[Hand]) -> Vec<Setting> {
        hands.par_chunks(BATCH).flat_map_iter(|hands| self.set_chunk(hands)).collect()
    }
}
