//! Treats policies for the environment as strategies. They can be evaluated hand by hand or tabulated.
//!
//! A policy depends only on the set hands for the 21 settings, and on the numbers of cards by rank and by suit. Most
//! classes with the same multiset of ranks agree on these, so they form groups that are set only once. There are seven
//! million classes but only a million groups, and the result is the same. A policy is called for all groups with the
//! same set of ranks at a time, regardless of the number of threads. Batches therefore always contain the same hands,
//! and results are always the same.
//!
//! Agents that learn from exact EVs get the means over the hands of a group, which differ only slightly, because the
//! banker's flushes depend on the suits that each of them leaves.

use super::outcomes::{BANKER_HANDS, Payoff};
use super::table::ClassTable;
use super::whole::{ClassCounts, Pass, Run, visit_classes};
use crate::solver::Cancelled;
use houseway_env::cards::Suit;
use houseway_env::cards::classes::Classes;
use houseway_env::gym::{Choices, EnvError, ExactValues, Policy, Scores};
use houseway_env::money::Rate;
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::observe::candidates::{LEN, ROW, write_rows};
use houseway_env::pai_gow::{Candidates, Game, Hand, Setting, Strategy, settings_in};
use rayon::prelude::*;
use std::sync::Arc;

/// The observation encoding that policies must use. It's suit-isomorphic.
pub(super) const ENCODING: Observation = Observation::Candidates;
/// The number of hands per call to a policy. It's large enough for fast matrix products and small enough for the cache.
pub(super) const BATCH: usize = 1024;
/// A mask with all settings.
const ALL: u32 = (1 << Setting::COUNT) - 1;

/// The strategy that a policy plays.
pub(super) struct PolicyStrategy<'a> {
    game: &'a Game,
    policy: &'a dyn Policy,
}

/// Writes a hand's observation.
pub(super) fn write_observation(game: &Game, hand: &Candidates, observation: &mut [f32]) {
    let (rows, context) = observation.split_at_mut(Setting::COUNT * ROW);
    write_rows(game, hand, ALL, rows, context).expect("the observation has the length of its encoding");
}

/// The observations and action masks for some hands.
#[derive(PartialEq)]
pub(super) struct Observations {
    rows: Vec<f32>,
    masks: Vec<bool>,
}

impl Observations {
    /// Creates the observations for hands, given their candidates.
    pub(super) fn new<'c>(game: &Game, hands: impl ExactSizeIterator<Item = &'c Candidates>) -> Observations {
        let mut observations = Observations {
            rows: vec![0.0; hands.len() * LEN],
            masks: Vec::with_capacity(hands.len() * Setting::COUNT),
        };
        for (hand, row) in hands.zip(observations.rows.chunks_exact_mut(LEN)) {
            write_observation(game, hand, row);
            observations.masks.extend(Setting::all().map(|setting| hand.is_legal(setting)));
        }
        observations
    }

    /// Returns the settings that a policy chooses, and its scores.
    pub(super) fn scored_settings(&self, policy: &dyn Policy) -> (Vec<Setting>, Scores) {
        let Choices { actions, scores } = policy.choose(&self.rows, &self.masks);
        if let Scores::Values(scores) | Scores::Probabilities(scores) = &scores {
            assert_eq!(scores.len(), self.masks.len(), "{} must score every setting", policy.name());
        }
        assert_eq!(actions.len() * LEN, self.rows.len(), "{} must choose one action per hand", policy.name());
        let setting = |action| Setting::from_index(action).expect("a policy chooses one of the 21 settings");
        (actions.into_iter().map(setting).collect(), scores)
    }
}

impl<'a> PolicyStrategy<'a> {
    pub(super) fn new(game: &'a Game, policy: &'a dyn Policy) -> PolicyStrategy<'a> {
        PolicyStrategy { game, policy }
    }

    fn set_chunk(&self, hands: &[Hand]) -> Vec<Setting> {
        let candidates: Vec<Candidates> = hands.iter().map(|&hand| Candidates::new(self.game, hand)).collect();
        Observations::new(self.game, candidates.iter()).scored_settings(self.policy).0
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

/// Hands that look alike to policies, with the gains from their settings in millionths of a stake, summed over these hands
/// and all hands of the banker.
pub(super) struct Situation {
    pub(super) hands: u64,
    /// The legal settings, as bits.
    pub(super) legal: u32,
    /// The total gain from each legal setting.
    pub(super) gains: [i64; Setting::COUNT],
    /// The total gain if each hand is set in its best way.
    pub(super) best: i128,
}

impl Situation {
    /// Returns the total gain that a setting loses.
    pub(super) fn lost(&self, setting: Setting) -> i128 {
        self.best - i128::from(self.gains[setting.index()])
    }
}

/// Classes with the same multiset of ranks that look the same to every policy.
pub(super) struct Group {
    suits: [u32; 4],
    pub(super) candidates: Candidates,
    pub(super) situation: Situation,
    pub(super) wins: [u64; Setting::COUNT],
    pub(super) losses: [u64; Setting::COUNT],
    /// The number of hands for which each setting is as good as the best one.
    pub(super) agreeing: [u64; Setting::COUNT],
}

impl Group {
    /// Returns the place of a class's group among those from `first`, which have the same multiset of ranks. If there is
    /// none, adds a group without hands.
    pub(super) fn place(groups: &mut Vec<Group>, first: usize, game: &Game, class: &ClassCounts) -> usize {
        let suits = suits_of(class.hand);
        let is_same = |group: &Group| {
            group.situation.legal == class.legal && *group.candidates.sets() == class.sets && group.suits == suits
        };
        if let Some(place) = groups[first..].iter().position(is_same) {
            return first + place;
        }
        let candidates = Candidates::new(game, class.hand);
        debug_assert_eq!(*candidates.sets(), class.sets);
        let none = [0; Setting::COUNT];
        let situation = Situation { hands: 0, legal: candidates.legal(), gains: [0; Setting::COUNT], best: 0 };
        groups.push(Group { suits, candidates, situation, wins: none, losses: none, agreeing: none });
        groups.len() - 1
    }

    /// Adds the hands of a class.
    pub(super) fn add(&mut self, class: &ClassCounts, payoff: Payoff) {
        let hands = u64::from(class.orbit);
        let most = class.gain(class.best(payoff), payoff);
        self.situation.hands += hands;
        self.situation.best += i128::from(most) * i128::from(hands);
        for setting in settings_in(class.legal) {
            let (i, gain) = (setting.index(), class.gain(setting, payoff));
            self.situation.gains[i] += hands as i64 * gain;
            self.wins[i] += hands * u64::from(class.wins[i]);
            self.losses[i] += hands * u64::from(class.losses[i]);
            self.agreeing[i] += if gain == most { hands } else { 0 };
        }
    }
}

/// Returns the number of natural cards in each suit in descending order, as in the encodings.
pub(super) fn suits_of(hand: Hand) -> [u32; 4] {
    // A card's bit is four times its rank plus its suit.
    const CLUBS: u64 = 0x1_1111_1111_1111;
    let mut suits = Suit::ALL.map(|suit| (hand.set().bits() & CLUBS << suit.index()).count_ones());
    suits.sort_unstable_by(|a, b| b.cmp(a));
    suits
}

/// Tabulates a policy over all hand classes.
pub(super) fn tabulate(game: &Game, policy: &dyn Policy, run: &Run<'_>) -> Result<ClassTable, Cancelled> {
    let ((), table) = ClassTable::fill(policy.name(), |put| {
        visit_classes(game, run, |multisets| {
            let (mut groups, mut places) = (vec![], vec![]);
            for multiset in multisets {
                let first = groups.len();
                for class in multiset {
                    let place = Group::place(&mut groups, first, game, class);
                    places.push((Classes::seven().index(class.hand.set()), place));
                }
            }
            let chosen =
                Observations::new(game, groups.iter().map(|group| &group.candidates)).scored_settings(policy).0;
            for (class, place) in places {
                let (setting, candidates) = (chosen[place], &groups[place].candidates);
                assert!(candidates.is_legal(setting), "{} fouls with {}", policy.name(), candidates.hand());
                put(class, setting);
            }
        })
    })?;
    Ok(table)
}

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
    use crate::pai_gow::tests::{classes, trump_plaza};
    use crate::pai_gow::whole::{Shard, Side};
    use crate::pai_gow::{BankerTable, HandEvaluator};
    use houseway_env::cards::classes::Classes;
    use houseway_env::pai_gow::{ProfileTable, Rules};
    use std::collections::HashMap;

    /// Compares the values of some hands with those of a brute-force mean over the classes that look like them.
    #[test]
    fn values_are_means_over_hands_that_look_the_same() {
        let game = Game::new(Rules::default());
        let table = BankerTable::new(&trump_plaza(&game));
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
        for ClassCounts { hand, orbit, .. } in classes(&whole, run.shard) {
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
