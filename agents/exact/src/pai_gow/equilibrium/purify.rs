//! Pure strategies over classes that imitate mixed strategies.

use super::ProfileClasses;
use crate::pai_gow::{ClassTable, MixedTable};
use houseway_env::cards::classes::Classes;
use houseway_env::cards::profile::{PROFILES, Profile};
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering};

/// Returns a table in which the classes with the same profile take turns, so that each set hand is played with the same
/// frequency as in the mixed strategy, up to the size of a class. The choice depends on suits, which opponents can't
/// see.
pub fn purify(game: &Game, classes: &ProfileClasses, mixed: &MixedTable, name: &str) -> ClassTable {
    let sets = |profile, sets: &mut Vec<_>| {
        sets.extend(mixed.sets(profile).iter().map(|&(set, weight)| (set, u32::from(weight))));
    };
    pure_table(game, classes, name, |class, all| sets(classes.profile(class), all))
}

/// Returns a table in which the classes with the same profile take turns. `mixture` adds the set hands that a class
/// plays to an empty list, with weights that have the same total for all classes.
pub(super) fn pure_table(
    game: &Game,
    classes: &ProfileClasses,
    name: &str,
    mixture: impl Fn(u32, &mut Vec<(SetHand, u32)>) + Sync,
) -> ClassTable {
    let settings: Vec<AtomicU8> = (0..Classes::seven().len()).map(|_| AtomicU8::new(u8::MAX)).collect();
    let set_profile = |turns: &mut Turns, i: usize| {
        turns.lags.clear();
        for &class in classes.members(Profile::from_index(i)) {
            turns.sets.clear();
            mixture(class, &mut turns.sets);
            let chosen = turns.next(classes.hands(class));
            let hand = Hand::new(Classes::seven().hand(class as usize)).expect("a class has seven cards");
            settings[class as usize].store(first_setting(game, hand, chosen).index() as u8, Ordering::Relaxed);
        }
    };
    (0..PROFILES).into_par_iter().with_min_len(256).for_each_init(Turns::default, set_profile);
    let settings = settings.into_iter().map(AtomicU8::into_inner).collect();
    ClassTable::new(name, settings).expect("every class has a setting")
}

/// The state while the classes of a profile take turns.
#[derive(Default)]
struct Turns {
    /// The weighted set hands of the current class.
    sets: Vec<(SetHand, u32)>,
    /// The number of hands, times their weights, by which each set hand has been played too rarely.
    lags: Vec<(SetHand, i64)>,
}

impl Turns {
    /// Returns the set hand for a class with the given number of hands.
    fn next(&mut self, hands: u32) -> SetHand {
        let Turns { sets, lags } = self;
        // Most profiles are set in a single way. Such a set hand never lags.
        if let [(only, _)] = sets[..]
            && lags.iter().all(|&(other, _)| other == only)
        {
            return only;
        }
        let place = |lags: &mut Vec<(SetHand, i64)>, set: SetHand| {
            lags.iter().position(|&(other, _)| other == set).unwrap_or_else(|| {
                lags.push((set, 0));
                lags.len() - 1
            })
        };
        let places: Vec<usize> = sets.iter().map(|&(set, _)| place(lags, set)).collect();
        let hands = i64::from(hands);
        places.iter().zip(sets.iter()).for_each(|(&at, &(_, weight))| lags[at].1 += hands * i64::from(weight));
        let most = places.iter().copied().rev().max_by_key(|&at| lags[at].1).expect("a class has a set hand");
        lags[most].1 -= hands * sets.iter().map(|&(_, weight)| i64::from(weight)).sum::<i64>();
        lags[most].0
    }
}

fn first_setting(game: &Game, hand: Hand, chosen: SetHand) -> Setting {
    let found = game.settings(hand).find(|&(_, set)| set == chosen);
    found.expect("hands with the same profile have the same set hands").0
}
