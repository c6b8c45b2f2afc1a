//! A fixed sample of hands with the exact EV of each setting.
//!
//! Only the hands are sampled. Their values are enumerated over all 53,524,680 banker hands, so means over the sample
//! have no error except from dealing the hands. Most of that error cancels out in the difference between two
//! strategies.

use super::score::gap_class;
use super::scored::GroupGains;
use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::hand::HandEvaluator;
use crate::pai_gow::outcomes::{BANKER_HANDS, Payoff};
use crate::solver::{Control, SampleConfig, SolverError};
use crate::store::PassStore;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Dealt, Game, Hand, Setting, settings_in};
use serde_json::json;

/// The gain of a foul.
const FOUL: i64 = i64::MIN;
/// The number of hands between two progress reports.
const CHUNK: usize = 500;

/// A sample of hands with the gain from each setting.
pub(super) struct ExactSample {
    hands: Vec<Hand>,
    /// The class of each hand's gap.
    gaps: Vec<usize>,
    /// The exact EVs in units of 1 / (53,524,680 * 1,000,000) stakes, or [`FOUL`] for fouls.
    gains: Vec<[i64; Setting::COUNT]>,
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
        let legal = |gains: &[i64; Setting::COUNT]| gap_class(gains.iter().copied().filter(|&gain| gain != FOUL), 1);
        Ok(ExactSample { hands, gaps: gains.iter().map(legal).collect(), gains })
    }

    /// Returns the hands.
    pub(super) fn hands(&self) -> &[Hand] {
        &self.hands
    }

    /// Returns the class of each hand's gap.
    pub(super) fn gaps(&self) -> &[usize] {
        &self.gaps
    }

    /// Returns the EV of each hand's best setting, per unit staked.
    pub(super) fn best_evs(&self) -> impl ExactSizeIterator<Item = f64> + Clone {
        let best = |gains: &[i64; Setting::COUNT]| *gains.iter().max().expect("there are 21 settings");
        self.gains.iter().map(move |gains| best(gains) as f64 / (BANKER_HANDS as f64 * f64::from(Rate::WHOLE)))
    }

    /// Returns the gains from the settings of the i-th hand.
    pub(super) fn gains_of(&self, i: usize) -> GroupGains {
        let (mut legal, mut gains) = (0, [0; Setting::COUNT]);
        for (setting, &gain) in self.gains[i].iter().enumerate().filter(|(_, gain)| **gain != FOUL) {
            legal |= 1 << setting;
            gains[setting] = gain;
        }
        let best = settings_in(legal).map(|setting| gains[setting.index()]).max().expect("a setting is legal");
        GroupGains { gains, legal, best: best.into(), hands: 1 }
    }

    /// Returns the EV that a setting of the i-th hand loses, in stakes. It's exactly 0 for an optimal setting.
    ///
    /// # Panics
    /// Panics if the setting is a foul.
    pub(super) fn regret(&self, i: usize, setting: Setting) -> f64 {
        let gains = &self.gains[i];
        assert!(gains[setting.index()] != FOUL, "{} is set foul", self.hands[i]);
        let lost = gains.iter().max().expect("there are 21 settings") - gains[setting.index()];
        lost as f64 / (BANKER_HANDS as f64 * f64::from(Rate::WHOLE))
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
    let payoff = Payoff::player(game.rules().commission);
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
        let first = get(5).unwrap();
        // A stopped command still has the stored sample, but no other one.
        stop.store(true, Ordering::Relaxed);
        assert_eq!(get(5).unwrap().gains, first.gains);
        assert!(matches!(get(6), Err(SolverError::Cancelled)));
        std::fs::remove_dir_all(&folder).unwrap();
        let counter = HandEvaluator::new(&game, &banker);
        for (i, &hand) in first.hands().iter().enumerate() {
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
