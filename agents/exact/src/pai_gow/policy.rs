//! Treats policies for the environment as strategies. They can be evaluated hand by hand or tabulated.
//!
//! A policy depends only on the set hands for the 21 settings, and on the numbers of cards by rank and by suit. Most
//! classes with the same multiset of ranks agree on these, so they form groups that are set only once. There are seven
//! million classes but only a million groups, and the result is the same. A policy is called for all groups with the
//! same set of ranks at a time, regardless of the number of threads. Batches therefore always contain the same hands,
//! and results are always the same.

use super::outcomes::Payoff;
use super::table::ClassTable;
use super::whole::{ClassCounts, Run, visit_classes};
use crate::solver::Cancelled;
use houseway_env::cards::Suit;
use houseway_env::cards::classes::Classes;
use houseway_env::gym::{Choices, Policy, Scores};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::observe::candidates::{LEN, ROW, write_rows};
use houseway_env::pai_gow::{Candidates, Game, Hand, Setting, Strategy, settings_in};
use rayon::prelude::*;

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

    /// Returns the settings that a policy chooses.
    pub(super) fn settings(&self, policy: &dyn Policy) -> Vec<Setting> {
        self.chosen(policy, policy.choose(&self.rows, &self.masks))
    }

    /// Returns the settings that a policy chooses, and its scores.
    pub(super) fn scored_settings(&self, policy: &dyn Policy) -> (Vec<Setting>, Scores) {
        let Choices { actions, scores } = policy.choose_with_scores(&self.rows, &self.masks);
        if let Scores::Values(scores) | Scores::Probabilities(scores) = &scores {
            assert_eq!(scores.len(), self.masks.len(), "{} must score every setting", policy.name());
        }
        (self.chosen(policy, actions), scores)
    }

    fn chosen(&self, policy: &dyn Policy, actions: Vec<usize>) -> Vec<Setting> {
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
    ClassTable::fill(policy.name(), |put| {
        visit_classes(game, run, |multisets| {
            let (mut groups, mut places) = (vec![], vec![]);
            for multiset in multisets {
                let first = groups.len();
                for class in multiset {
                    let place = Group::place(&mut groups, first, game, class);
                    places.push((Classes::seven().index(class.hand.set()), place));
                }
            }
            let chosen = Observations::new(game, groups.iter().map(|group| &group.candidates)).settings(policy);
            for (class, place) in places {
                let (setting, candidates) = (chosen[place], &groups[place].candidates);
                assert!(candidates.is_legal(setting), "{} fouls with {}", policy.name(), candidates.hand());
                put(class, setting);
            }
        })
    })
}
