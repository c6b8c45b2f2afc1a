//! The exact EVs of settings, for agents that learn from them.
//!
//! Hands that look the same to every policy form a group, as in the evaluation. The EVs of a group are means over its
//! hands, which differ only slightly, because the banker's flushes depend on the suits that each of them leaves.

use super::outcomes::{BANKER_HANDS, Payoff};
use super::policy::{ENCODING, Group, write_observation};
use super::whole::{ClassCounts, Pass, Run};
use crate::solver::Cancelled;
use houseway_env::gym::{EnvError, ExactValues};
use houseway_env::money::Rate;
use houseway_env::pai_gow::observe::candidates::LEN;
use houseway_env::pai_gow::{Candidates, Game, Hand, Setting};
use std::sync::Arc;

/// The EVs of settings for hands that each stand for several others.
pub struct SettingValues {
    pub(super) game: Arc<Game>,
    pub(super) rows: Vec<ValuedHand>,
}

/// A hand and its EVs.
pub(super) struct ValuedHand {
    pub(super) hand: Hand,
    /// The number of hands that it stands for.
    pub(super) hands: u32,
    /// The settings that have an EV, as bits 0 to 20.
    pub(super) settings: u32,
    /// The EV of each of these settings, and 0 for all others.
    pub(super) evs: [f32; Setting::COUNT],
}

/// Evaluates all settings of all hands in one pass over all deals. There are about a million groups, which occupy 100 MB.
pub(super) fn setting_values(whole: &Pass<'_>, run: &Run<'_>) -> Result<SettingValues, Cancelled> {
    let (game, payoff) = (whole.game(), Payoff::player(&whole.game().rules()));
    let visit = |rows: &mut Vec<ValuedHand>, classes: &[ClassCounts]| {
        let mut groups = vec![];
        for class in classes {
            let place = Group::place(&mut groups, 0, game, class);
            groups[place].add(class, payoff);
        }
        rows.extend(groups.iter().map(|group| ValuedHand::new(group, payoff)));
    };
    let merge = |a: Vec<ValuedHand>, b: Vec<ValuedHand>| a.into_iter().chain(b).collect();
    let mut rows: Vec<ValuedHand> = whole.fold(run, Vec::new, visit, merge)?;
    // The threads return their groups in no particular order.
    rows.sort_unstable_by_key(|row| row.hand.set().bits());
    Ok(SettingValues { game: Arc::new(Game::new(game.rules())), rows })
}

impl ValuedHand {
    fn new(group: &Group, payoff: Payoff) -> ValuedHand {
        let situation = &group.situation;
        let stakes = f64::from(Rate::WHOLE) * BANKER_HANDS as f64 * situation.hands as f64;
        ValuedHand {
            hand: group.candidates.hand(),
            hands: situation.hands as u32,
            settings: situation.legal,
            evs: situation.gains.map(|gain| (gain as f64 / stakes - payoff.fee().value()) as f32),
        }
    }
}

impl ExactValues for SettingValues {
    fn encoding(&self) -> &str {
        ENCODING.name()
    }

    fn shape(&self) -> [usize; 2] {
        [LEN, Setting::COUNT]
    }

    fn decisions(&self) -> usize {
        self.rows.len()
    }

    fn hands(&self, decision: usize) -> u64 {
        self.rows[decision].hands.into()
    }

    fn write(
        &self,
        decision: usize,
        observation: &mut [f32],
        mask: &mut [bool],
        evs: &mut [f32],
    ) -> Result<(), EnvError> {
        EnvError::check_length("the observation", observation.len(), LEN)?;
        EnvError::check_length("the action mask", mask.len(), Setting::COUNT)?;
        EnvError::check_length("the EVs", evs.len(), Setting::COUNT)?;
        let row = &self.rows[decision];
        write_observation(&self.game, &Candidates::new(&self.game, row.hand), observation);
        mask.iter_mut().enumerate().for_each(|(i, legal)| *legal = row.settings >> i & 1 == 1);
        evs.copy_from_slice(&row.evs);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::outcomes::HANDS;
    use crate::pai_gow::whole::{Shard, Side};
    use crate::pai_gow::{BankerTable, HandEvaluator};
    use houseway_env::cards::classes::Classes;
    use houseway_env::pai_gow::house_way::{HouseWay, Way};
    use houseway_env::pai_gow::{ProfileTable, Rules};
    use std::collections::HashMap;

    /// Compares the values of some hands with those of a brute-force mean over the classes that look like them.
    #[test]
    fn values_are_means_over_hands_that_look_the_same() {
        let game = Game::new(Rules::default());
        let table = BankerTable::new(&HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap());
        let evaluator = HandEvaluator::new(&game, &table);
        let whole = Pass::new(&game, Side::Player, &table);
        let run = Run { shard: Shard::new(7, 3000).unwrap(), ..Run::default() };
        let values = setting_values(&whole, &run).unwrap();
        let write = |decision| {
            let (mut observation, mut mask, mut evs) = (vec![9.0; LEN], [false; 21], [9.0; 21]);
            values.write(decision, &mut observation, &mut mask, &mut evs).unwrap();
            (observation.iter().map(|x| x.to_bits()).collect::<Vec<u32>>(), mask, evs)
        };
        let mut of_looks = HashMap::new();
        for decision in 0..values.decisions() {
            assert_eq!(of_looks.insert(write(decision).0, decision), None);
        }
        let (mut sums, mut hands) = (vec![[0.0; 21]; values.decisions()], vec![0; values.decisions()]);
        let visit = |seen: &mut Vec<(Hand, u32)>, classes: &[ClassCounts]| {
            seen.extend(classes.iter().map(|class| (class.hand, class.orbit)));
        };
        let merge = |a: Vec<_>, b: Vec<_>| [a, b].concat();
        for (hand, orbit) in whole.fold(&run, Vec::new, visit, merge).unwrap() {
            let mut observation = vec![0.0; LEN];
            write_observation(&game, &Candidates::new(&game, hand), &mut observation);
            let looks: Vec<u32> = observation.iter().map(|x| x.to_bits()).collect();
            let (decision, counts) = (of_looks[&looks], evaluator.count(hand));
            hands[decision] += u64::from(orbit);
            for setting in Setting::all() {
                let ev = counts.ev(setting).map_or(0.0, |ev| ev.value());
                sums[decision][setting.index()] += f64::from(orbit) * ev;
            }
        }
        assert!(values.decisions() > 100 && hands.iter().max() > Some(&1_000));
        for (decision, sums) in sums.iter().enumerate() {
            let ((_, mask, evs), hands) = (write(decision), hands[decision]);
            assert_eq!(values.hands(decision), hands);
            for i in 0..21 {
                assert!((f64::from(evs[i]) - sums[i] / hands as f64).abs() < 1e-6);
                assert!(mask[i] || evs[i] == 0.0);
            }
        }
        assert!(values.write(0, &mut [0.0; 3], &mut [false; 21], &mut [0.0; 21]).is_err());
    }

    #[test]
    fn the_number_of_threads_does_not_change_the_order() {
        let game = Game::new(Rules::default());
        let table = BankerTable::new(&ProfileTable::max_front(&game));
        let run = Run { shard: Shard::new(11, 900).unwrap(), ..Run::default() };
        let compute = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let whole = Pass::new(&game, Side::Player, &table);
            let values = pool.install(|| setting_values(&whole, &run)).unwrap();
            values.rows.iter().map(|group| (group.hand, group.hands)).collect::<Vec<_>>()
        };
        assert_eq!(compute(1), compute(3));
    }

    #[test]
    #[ignore = "takes 1 min to enumerate all hands"]
    fn every_hand_is_in_a_group() {
        let game = Game::new(Rules::default());
        let table = BankerTable::new(&ProfileTable::max_front(&game));
        let values = setting_values(&Pass::new(&game, Side::Player, &table), &Run::default()).unwrap();
        assert_eq!((0..values.decisions()).map(|decision| values.hands(decision)).sum::<u64>(), HANDS);
        assert!(values.decisions() < Classes::seven().len() / 5);
    }
}
