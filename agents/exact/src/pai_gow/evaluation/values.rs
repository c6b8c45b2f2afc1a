//! The exact EVs of all settings of all hands, for agents that learn from them.
//!
//! Hands that look the same to every policy form a group, as in the evaluation. The EVs of a group are means over its
//! hands, which differ only slightly, because the banker's flushes depend on the suits that each of them leaves.

use crate::pai_gow::labels::{SettingValues, ValuedHand};
use crate::pai_gow::outcomes::{BANKER_HANDS, Payoff};
use crate::pai_gow::policy::EqualClasses;
use crate::pai_gow::whole::{Cancelled, ClassCounts, Pass, Run};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Game, Setting, settings_in};
use std::sync::Arc;

/// A group whose classes are still being added.
struct OpenGroup {
    classes: EqualClasses,
    hands: u32,
    gains: [i128; Setting::COUNT],
}

/// Evaluates all settings in one pass over all deals. There are about a million groups, which occupy 100 MB.
///
/// # Errors
/// Returns an error if the run was cancelled.
pub(super) fn setting_values(whole: &Pass<'_>, run: &Run<'_>) -> Result<SettingValues, Cancelled> {
    let (game, payoff) = (whole.game(), Payoff::player(whole.game().rules().commission));
    let visit = |groups: &mut Vec<ValuedHand>, classes: &[ClassCounts]| {
        let mut open: Vec<OpenGroup> = vec![];
        for class in classes {
            let at = open.iter().position(|group| group.classes.contains(class)).unwrap_or_else(|| {
                open.push(OpenGroup { classes: EqualClasses::new(game, class), hands: 0, gains: [0; Setting::COUNT] });
                open.len() - 1
            });
            open[at].add(class, payoff);
        }
        groups.extend(open.iter().map(OpenGroup::close));
    };
    let merge = |a: Vec<ValuedHand>, b: Vec<ValuedHand>| a.into_iter().chain(b).collect();
    let mut groups: Vec<ValuedHand> = whole.fold(run, Vec::new, visit, merge)?;
    // The threads return their groups in no particular order.
    groups.sort_unstable_by_key(|group| group.hand.set().bits());
    Ok(SettingValues { game: Arc::new(Game::new(game.rules())), rows: groups })
}

impl OpenGroup {
    fn add(&mut self, class: &ClassCounts, payoff: Payoff) {
        self.hands += class.orbit;
        for setting in settings_in(class.legal) {
            self.gains[setting.index()] += i128::from(class.orbit) * i128::from(class.gain(setting, payoff));
        }
    }

    fn close(&self) -> ValuedHand {
        let stakes = f64::from(Rate::WHOLE) * BANKER_HANDS as f64 * f64::from(self.hands);
        ValuedHand {
            hand: self.classes.candidates.hand(),
            hands: self.hands,
            settings: self.classes.candidates.legal(),
            evs: self.gains.map(|gain| (gain as f64 / stakes) as f32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::outcomes::HANDS;
    use crate::pai_gow::policy::write_observation;
    use crate::pai_gow::whole::{Shard, Side};
    use crate::pai_gow::{BankerTable, HandEvaluator};
    use houseway_env::cards::classes::Classes;
    use houseway_env::gym::ExactValues;
    use houseway_env::pai_gow::house_way::{HouseWay, Way};
    use houseway_env::pai_gow::observe::candidates::LEN;
    use houseway_env::pai_gow::{Candidates, Hand};
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
