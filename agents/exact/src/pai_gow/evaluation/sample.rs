//! A fixed sample of hands with the exact EV of each setting.
//!
//! Only the hands are sampled. Their values are enumerated over all 53,524,680 banker hands, so means over the sample
//! have no error except from dealing the hands. Most of that error cancels out in the difference between two
//! strategies.

use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::hand::HandEvaluator;
use crate::pai_gow::outcomes::{BANKER_HANDS, Payoff};
use crate::pai_gow::policy::Situation;
use crate::solver::{Control, SampleConfig, SolverError};
use crate::store::PassStore;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Dealt, Game, Hand, Setting};
use serde_json::json;

/// The gain of a foul.
const FOUL: i64 = i64::MIN;
/// The number of hands between two progress reports.
const CHUNK: usize = 500;
/// The gain of a stake, in millionths over all hands of the banker.
const STAKE: f64 = BANKER_HANDS as f64 * Rate::WHOLE as f64;

/// A sample of hands with the gain from each setting.
pub(super) struct ExactSample {
    pub(super) hands: Vec<Hand>,
    pub(super) situations: Vec<Situation>,
    /// The fee for each hand, per unit staked.
    fee: f64,
}

impl ExactSample {
    /// Returns the configured sample against a banker with the hash `banker_hash`. Its values are taken from the store,
    /// or computed and stored there.
    pub(super) fn new(
        config: SampleConfig,
        game: &Game,
        (banker, banker_hash): (&BankerTable, &str),
        store: &PassStore,
        control: &Control<'_>,
    ) -> Result<ExactSample, SolverError> {
        let hands = deal(config);
        let SampleConfig { size, seed } = config;
        let question = json!({ "banker": banker_hash, "rules": game.rules().hash(), "seed": seed, "size": size });
        let stored = store.find(&question).filter(|gains: &Vec<_>| gains.len() == size);
        let gains = match stored {
            Some(gains) => gains,
            None => {
                let gains = enumerate(&hands, game, banker, control)?;
                store.put(&question, &gains);
                gains
            }
        };
        let fee = Payoff::player(&game.rules()).fee().value();
        Ok(ExactSample { fee, ..ExactSample::with_gains(hands, &gains) })
    }

    fn with_gains(hands: Vec<Hand>, gains: &[[i64; Setting::COUNT]]) -> ExactSample {
        let situation = |gains: &[i64; Setting::COUNT]| {
            let mut situation = Situation { hands: 1, legal: 0, gains: [0; Setting::COUNT], best: i128::MIN };
            for (i, &gain) in gains.iter().enumerate().filter(|(_, gain)| **gain != FOUL) {
                situation.legal |= 1 << i;
                situation.gains[i] = gain;
                situation.best = situation.best.max(gain.into());
            }
            situation
        };
        ExactSample { hands, situations: gains.iter().map(situation).collect(), fee: 0.0 }
    }

    /// Returns the EV of each hand's best setting, per unit staked.
    pub(super) fn best_evs(&self) -> impl ExactSizeIterator<Item = f64> + Clone {
        self.situations.iter().map(|situation| situation.best as f64 / STAKE - self.fee)
    }

    /// Returns the EV that a setting of the i-th hand loses, in stakes. It's exactly 0 for an optimal setting.
    pub(super) fn regret(&self, i: usize, setting: Setting) -> f64 {
        let situation = &self.situations[i];
        assert!(situation.legal >> setting.index() & 1 == 1, "{} is set foul", self.hands[i]);
        situation.lost(setting) as f64 / STAKE
    }
}

fn deal(config: SampleConfig) -> Vec<Hand> {
    let mut rng = config.stream();
    (0..config.size).map(|_| Dealt::random(&mut rng).hand()).collect()
}

fn enumerate(
    hands: &[Hand],
    game: &Game,
    banker: &BankerTable,
    control: &Control<'_>,
) -> Result<Vec<[i64; Setting::COUNT]>, SolverError> {
    let counter = HandEvaluator::new(game, banker);
    let payoff = Payoff::player(&game.rules());
    let progress = control.stage("exact values", "hands");
    let mut gains = Vec::with_capacity(hands.len());
    for chunk in hands.chunks(CHUNK) {
        if control.is_cancelled() {
            return Err(SolverError::Cancelled);
        }
        let counts = counter.count_many(chunk);
        gains.extend(counts.iter().map(|hand| {
            let gain = |i: usize| {
                hand.settings()[i].map_or(FOUL, |setting| payoff.gain(setting.wins as i64, setting.losses as i64))
            };
            std::array::from_fn(gain)
        }));
        progress(gains.len() as u64, hands.len() as u64);
    }
    Ok(gains)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::{ProfileTable, Rules};
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_sample_is_stored_and_has_the_values_of_single_hands() {
        let game = Game::new(Rules::default());
        let banker = BankerTable::new(&ProfileTable::max_front(&game));
        let folder = std::env::temp_dir().join(format!("houseway-sample-test-{}", std::process::id()));
        let store = PassStore::open(&folder, |_| {}).unwrap();
        let stop = AtomicBool::new(false);
        let control = Control { cancel: Some(&stop), ..Control::default() };
        let get = |seed| ExactSample::new(SampleConfig { size: 100, seed }, &game, (&banker, "way"), &store, &control);
        let rows = |sample: &ExactSample| -> Vec<(u32, [i64; Setting::COUNT])> {
            sample.situations.iter().map(|situation| (situation.legal, situation.gains)).collect()
        };
        let first = get(5).unwrap();
        // A stopped command still has the stored sample, but no other one.
        stop.store(true, Ordering::Relaxed);
        assert_eq!(rows(&get(5).unwrap()), rows(&first));
        assert!(matches!(get(6), Err(SolverError::Cancelled)));
        std::fs::remove_dir_all(&folder).unwrap();
        let counter = HandEvaluator::new(&game, &banker);
        for (i, &hand) in first.hands.iter().enumerate() {
            let counts = counter.count(hand);
            assert_eq!(first.regret(i, counts.best()), 0.0);
            for setting in Setting::all() {
                if let Some(regret) = counts.regret(setting) {
                    assert!((first.regret(i, setting) - regret.value()).abs() < 1e-12);
                }
            }
        }
    }
}
