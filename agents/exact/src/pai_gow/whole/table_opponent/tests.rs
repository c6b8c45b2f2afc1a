//! Counting against tables, compared with plain enumeration, with the engine for profiles, and with itself.

use super::super::classes::put_classes;
use super::super::tests::{any_legal, game};
use super::super::{ClassCounts, DealCounts, OfStrategy, Optimum, Payoff, Run, Shard, Side, Whole};
use super::*;
use crate::pai_gow::{BankerTable, HandCounter, slow};
use houseway_env::cards::classes::Classes;
use houseway_env::pai_gow::{Game, Hand, Strategy};
use std::sync::LazyLock;
use std::sync::atomic::AtomicU8;

/// A table of what `choose` makes of each class, counts left out, by its index.
fn table(name: &str, choose: impl Fn(&ClassCounts, usize) -> Setting + Sync) -> ClassTable {
    let whole = Whole::new(game(), Side::Player, any_legal());
    let settings: Vec<AtomicU8> = (0..Classes::seven().len()).map(|_| AtomicU8::new(u8::MAX)).collect();
    pieces().par_iter().for_each(|piece| {
        let mut classes = vec![];
        for multiset in &piece.multisets(&whole.counted, &whole.patterns) {
            put_classes(multiset, |_, _| Default::default(), &mut classes);
        }
        for class in &classes {
            let index = Classes::seven().index(class.hand.set());
            settings[index].store(choose(class, index).index() as u8, Ordering::Relaxed);
        }
    });
    ClassTable::new(name, settings.into_iter().map(AtomicU8::into_inner).collect()).unwrap()
}

/// Mixes the bits of a number (the finaliser of SplitMix64).
fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// An arbitrary legal setting of each class: nothing that counting could lean on holds for it but legality.
fn arbitrary() -> &'static ClassTable {
    static TABLE: LazyLock<ClassTable> = LazyLock::new(|| {
        table("arbitrary", |class, index| {
            let number = mix(index as u64 + 0x9e37_79b9) % u64::from(class.legal.count_ones());
            class.legal_settings().nth(number as usize).unwrap()
        })
    });
    &TABLE
}

/// The table of a strategy that looks at profiles alone.
fn of_profiles(banker: &BankerTable) -> ClassTable {
    use houseway_env::cards::profile::Profiles;
    table(banker.name(), |class, _| {
        class.setting_that_makes(banker.set(Profiles::get().of(class.hand.set()))).unwrap()
    })
}

/// All classes of a shard, in the order of their hands.
fn classes(whole: &Whole<'_>, shard: Shard) -> Vec<ClassCounts> {
    let run = Run { shard, ..Run::default() };
    let join = |mut a: Vec<ClassCounts>, b| {
        a.extend(b);
        a
    };
    let mut all = whole.fold(&run, Vec::new, |all, some| all.extend_from_slice(some), join).unwrap();
    all.sort_by_key(|class| class.hand.set());
    all
}

/// The same settings have the same counts; counts of fouls mean nothing.
fn assert_same(own: &ClassCounts, expected: &ClassCounts) {
    assert_eq!((own.hand, own.orbit, own.legal, own.sets), (expected.hand, expected.orbit, expected.legal, expected.sets));
    for setting in Setting::all() {
        assert_eq!(own.get(setting), expected.get(setting), "{} {setting:?}", own.hand);
    }
}

#[test]
fn a_table_of_profiles_counts_as_the_profiles() {
    let table = of_profiles(any_legal());
    let shard = Shard::new(11, 900).unwrap();
    for side in [Side::Player, Side::Banker] {
        let by_table = classes(&Whole::against_table(game(), side, &table).unwrap().with_copies(), shard);
        let by_profile = classes(&Whole::new(game(), side, any_legal()).with_copies(), shard);
        assert!(by_table.len() == by_profile.len() && by_table.len() > 1_000, "{}", by_table.len());
        by_table.iter().zip(&by_profile).for_each(|(own, expected)| assert_same(own, expected));
    }
}
