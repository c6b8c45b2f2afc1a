//! Pure strategies over classes that imitate mixed strategies over profiles.

use crate::pai_gow::{ClassTable, MixedTable};
use houseway_env::cards::classes::Classes;
use houseway_env::cards::profile::{PROFILES, Profiles};
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};

/// Returns a table in which the classes with the same profile take turns, so that each set hand is played with the same
/// frequency as in the mixed strategy, up to the size of a class. The choice depends on suits, which opponents can't
/// see.
pub fn purify(game: &Game, mixed: &MixedTable, name: &str) -> ClassTable {
    let (classes, profiles) = (Classes::seven(), Profiles::get());
    let mut lags: Vec<Vec<i64>> = (0..PROFILES).map(|_| vec![]).collect();
    let mut setting = |class: usize| {
        let hand = Hand::new(classes.hand(class)).expect("a class has seven cards");
        let profile = profiles.of(hand.set());
        let (sets, hands) = (mixed.sets(profile), i64::from(hands_of_class(hand)));
        let lags = &mut lags[profile.index()];
        lags.resize(sets.len(), 0);
        lags.iter_mut().zip(sets).for_each(|(lag, &(_, weight))| *lag += hands * i64::from(weight));
        let most = (0..sets.len()).rev().max_by_key(|&i| lags[i]).expect("a profile has a setting");
        lags[most] -= hands * i64::from(MixedTable::WHOLE);
        first_setting(game, hand, sets[most].0).index() as u8
    };
    let settings = (0..classes.len()).map(&mut setting).collect();
    ClassTable::new(name, settings).expect("every class has a setting")
}

/// Returns the number of hands that only differ by a permutation of suits, including this one.
fn hands_of_class(hand: Hand) -> u32 {
    let mut ranks = [0u16; 4];
    for card in hand.set().iter() {
        if let (Some(rank), Some(suit)) = (card.rank(), card.suit()) {
            ranks[suit.index()] |= 1 << rank.index();
        }
    }
    ranks.sort_unstable();
    let same = ranks.chunk_by(|a, b| a == b).map(|equal| (1..=equal.len() as u32).product::<u32>());
    24 / same.product::<u32>()
}

fn first_setting(game: &Game, hand: Hand, chosen: SetHand) -> Setting {
    let found = game.settings(hand).find(|&(_, set)| set == chosen);
    found.expect("hands with the same profile have the same set hands").0
}
