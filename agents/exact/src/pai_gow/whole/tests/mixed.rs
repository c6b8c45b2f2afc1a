//! Tests that compare mixed strategies with the pure strategies they consist of, and with a slow enumeration.

use super::super::*;
use crate::pai_gow::slow::ProfileCounts;
use crate::pai_gow::tests::{classes, game, rules};
use crate::pai_gow::{AnyLegal, BankerTable, MixedTable, count_against_mixed};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::gym::stream;
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};
use rand::RngExt;
use std::collections::HashMap;

/// The set hand, wins and losses for each setting, by hand.
type Counts = HashMap<Hand, [(SetHand, i64, i64); Setting::COUNT]>;

const PURE: usize = 3;

fn pure(game: &Game) -> [BankerTable; PURE] {
    [3, 5, 9].map(|seed| BankerTable::new(&AnyLegal::new(game, seed)))
}

/// Mixes pure strategies with weights that depend on the profile.
fn mixed(tables: &[BankerTable; PURE], weights: impl Fn(usize) -> [u16; PURE]) -> MixedTable {
    let sets = |profile: Profile| {
        let mut sets: Vec<(SetHand, u16)> = vec![];
        for (table, weight) in tables.iter().zip(weights(profile.index())) {
            match sets.iter_mut().find(|(set, _)| *set == table.set(profile)) {
                Some((_, sum)) => *sum += weight,
                None => sets.push((table.set(profile), weight)),
            }
        }
        sets
    };
    MixedTable::new("mixed", Profile::all().map(sets)).unwrap()
}

fn shard() -> Shard {
    Shard::new(11, 700).unwrap()
}

fn counts(pass: Pass<'_>) -> Counts {
    let of_class = |class: ClassCounts<i64>| {
        let of_setting = |i: usize| match class.legal >> i & 1 {
            1 => (class.sets[i], class.wins[i], class.losses[i]),
            _ => (class.sets[i], 0, 0),
        };
        (class.hand, std::array::from_fn(of_setting))
    };
    weighted_classes(&pass.without_dominated(), shard()).into_iter().map(of_class).collect()
}

/// Returns the weighted sum of the counts against the pure strategies, for settings that aren't dominated.
fn expected(game: &Game, side: Side, tables: &[BankerTable; PURE], weights: [i64; PURE]) -> Counts {
    let mut sums = Counts::new();
    for (table, weight) in tables.iter().zip(weights) {
        for class in classes(&Pass::new(game, side, table), shard()) {
            let sum = sums.entry(class.hand).or_insert_with(|| class.sets.map(|set| (set, 0, 0)));
            for setting in class.legal_settings() {
                let (own, i) = (class.sets[setting.index()], setting.index());
                let better = |other: SetHand, at: usize| other.dominates(own) || other == own && at < i;
                let worse = class.legal_settings().any(|it| better(class.sets[it.index()], it.index()));
                if !(dominance_holds(game) && worse) {
                    sum[i].1 += weight * i64::from(class.wins[i]);
                    sum[i].2 += weight * i64::from(class.losses[i]);
                }
            }
        }
    }
    sums
}

/// Asserts that the counts are equal. Dominated settings may be missing.
fn assert_equal(counts: &Counts, expected: &Counts) {
    assert_eq!(counts.len(), expected.len());
    for (hand, expected) in expected {
        for (count, expected) in counts[hand].iter().zip(expected) {
            let is_dominated = (expected.1, expected.2) == (0, 0);
            assert!(is_dominated || count == expected, "{hand}: {count:?}, not {expected:?}");
        }
    }
}

#[test]
fn a_mixture_has_the_mean_counts_of_its_parts() {
    for changes in [&[][..], &["copies=pushed", "bank-pushes=nine_high_front"]] {
        let game = Game::new(rules(changes));
        let tables = pure(&game);
        for (side, weights) in [(Side::Player, [1000, 3000, 96]), (Side::Banker, [64, 4000, 32])] {
            let mixed = mixed(&tables, |_| weights);
            let expected = expected(&game, side, &tables, weights.map(i64::from));
            assert_equal(&counts(Pass::against_mixed(&game, side, &mixed)), &expected);
        }
    }
}

#[test]
fn changes_add_up_to_a_complete_evaluation() {
    let tables = pure(game());
    let from = mixed(&tables, |_| [4096, 0, 0]);
    let few = mixed(&tables, |profile| if profile % 50 == 0 { [64, 64, 3968] } else { [4096, 0, 0] });
    // There are too many changes here for a single table with 32-bit counts.
    let all = mixed(&tables, |_| [0, 4096, 0]);
    for side in [Side::Player, Side::Banker] {
        let before = counts(Pass::against_mixed(game(), side, &from));
        for to in [&few, &all] {
            let after = counts(Pass::against_mixed(game(), side, to));
            let changes = counts(Pass::of_changes(game(), side, [&from, to], usize::MAX).unwrap());
            for (hand, after) in &after {
                for (i, &(set, wins, losses)) in after.iter().enumerate() {
                    let (before, change) = (before[hand][i], changes[hand][i]);
                    assert_eq!((set, wins, losses), (set, before.1 + change.1, before.2 + change.2), "{hand}");
                }
            }
        }
    }
    let fine = mixed(&tables, |_| [4095, 1, 0]);
    assert!(Pass::of_changes(game(), Side::Player, [&from, &fine], usize::MAX).is_none());
    assert!(Pass::of_changes(game(), Side::Player, [&from, &few], 1).is_some());
    assert!(Pass::of_changes(game(), Side::Player, [&from, &all], 1).is_none());
}

/// Returns a strategy that mixes up to four random legal set hands for every profile, with random weights.
fn any_mixture(game: &Game, seed: u64) -> MixedTable {
    let mut rng = stream(seed.into());
    let sets = |profile: Profile| {
        let hand = Hand::representative(profile);
        let mut sets: Vec<SetHand> =
            game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set)).collect();
        let mut seen = vec![];
        sets.retain(|set| !seen.contains(set) && (seen.push(*set), true).1);
        let mut left = MixedTable::WHOLE as u16;
        let mut weights = vec![];
        while weights.len() < 3 && sets.len() > 1 && left > 0 && rng.random_bool(0.6) {
            let weight = rng.random_range(0..=left);
            weights.push((sets.swap_remove(rng.random_range(0..sets.len())), weight));
            left -= weight;
        }
        weights.push((sets[rng.random_range(0..sets.len())], left));
        weights
    };
    MixedTable::new("any", Profile::all().map(sets)).unwrap()
}

/// Returns every class in a shard, sorted by hand.
fn weighted_classes(game: &Pass<'_>, shard: Shard) -> Vec<ClassCounts<i64>> {
    let visit = |all: &mut Vec<ClassCounts<i64>>, classes: &[ClassCounts<i64>]| all.extend_from_slice(classes);
    let run = Run { shard, ..Run::default() };
    let mut classes = game.fold_weights(&run, Vec::new, visit, |a, b| [a, b].concat()).unwrap();
    classes.sort_by_key(|class| class.hand.set().bits());
    classes
}

/// Asserts that a profile's sums are those of its classes, in all hands of a shard.
fn assert_profiles_add_up(game: &Pass<'_>, shard: Shard) {
    let profiles = Profiles::get();
    let run = Run { shard, ..Run::default() };
    let visit = |all: &mut Vec<ProfileSums>, profile: &ProfileSums| all.push(profile.clone());
    let sums = game.fold_profiles(&run, Vec::new, visit, |a, b| [a, b].concat()).unwrap();
    let mut of_profile: HashMap<Profile, Vec<ClassCounts<i64>>> = HashMap::new();
    for class in weighted_classes(game, shard) {
        of_profile.entry(profiles.of(class.hand.set())).or_default().push(class);
    }
    assert_eq!(sums.len(), of_profile.len());
    for found in sums {
        let profile = profiles.of(found.hand.set());
        let classes = &of_profile[&profile];
        assert_eq!(u64::from(found.hands), profiles.hands(profile));
        for setting in Setting::all().map(Setting::index).filter(|i| found.legal >> i & 1 == 1) {
            let set = found.sets[setting];
            let sum = |results: fn(&ClassCounts<i64>) -> &[i64; Setting::COUNT]| -> i64 {
                let result = |class: &ClassCounts<i64>| results(class)[class.setting_that_makes(set).unwrap().index()];
                classes.iter().map(|class| i64::from(class.orbit) * result(class)).sum()
            };
            assert_eq!(found.wins[setting], sum(|class| &class.wins), "{} {set:?}", found.hand);
            assert_eq!(found.losses[setting], sum(|class| &class.losses), "{} {set:?}", found.hand);
        }
        assert!(classes.iter().all(|class| class.legal == found.legal));
    }
}

#[test]
fn changed_profiles_add_up() {
    let tables = pure(game());
    let from = mixed(&tables, |_| [4096, 0, 0]);
    let few = mixed(&tables, |profile| if profile % 50 == 0 { [64, 64, 3968] } else { [4096, 0, 0] });
    for side in [Side::Player, Side::Banker] {
        let changes = Pass::of_changes(game(), side, [&from, &few], 1).unwrap().without_dominated();
        assert_profiles_add_up(&changes, shard());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]

    #[test]
    fn any_mixture_matches_a_slow_enumeration(
        seed: u64,
        banker: bool,
        place in 0usize..4,
        shard in 0usize..4_000,
        class: proptest::sample::Index,
    ) {
        let change = ["copies=banker", "copies=banker", "copies=pushed", "bank-pushes=nine_high_front"][place];
        let (game, side) = (Game::new(rules(&[change])), if banker { Side::Banker } else { Side::Player });
        let (mixture, shard) = (any_mixture(&game, seed), Shard::new(shard, 4_000).unwrap());
        mixture.check_legal(&game).unwrap();
        let undominated = Pass::against_mixed(&game, side, &mixture).without_dominated();
        assert_profiles_add_up(&undominated, shard);
        let plain = weighted_classes(&undominated, shard);
        let complete = weighted_classes(&Pass::against_mixed(&game, side, &mixture).with_copies(), shard);
        prop_assert_eq!(plain.len(), complete.len());
        let place = class.index(complete.len());
        let (plain, complete) = (&plain[place], &complete[place]);
        let slow = ProfileCounts::enumerate(complete.hand).count_mixed(&game, side, &mixture);
        prop_assert_eq!(&count_against_mixed(&game, side, &mixture, complete.hand), &slow);
        for setting in Setting::all() {
            let i = setting.index();
            let is_legal = complete.legal >> i & 1 == 1;
            let counted = is_legal.then(|| {
                let [wins, losses] = [complete.wins[i], complete.losses[i]].map(|count| count as u64);
                let [copies_front, copies_back] =
                    [complete.copies_front[i], complete.copies_back[i]].map(|count| count as u64);
                let pushes = crate::pai_gow::BANKER_HANDS * u64::from(MixedTable::WHOLE) - wins - losses;
                DealCounts { wins, pushes, losses, copies_front, copies_back }
            });
            prop_assert_eq!(counted, slow.get(setting), "{} {:?}", complete.hand, setting);
            if plain.legal >> i & 1 == 1 {
                prop_assert_eq!((plain.wins[i], plain.losses[i]), (complete.wins[i], complete.losses[i]));
            }
        }
        // Without copies, only dominated settings may be missing.
        let payoff = Payoff::player(&game.rules());
        let best = slow.settings().iter().flatten().map(|it| payoff.gain(it.wins as i64, it.losses as i64)).max();
        prop_assert_eq!(Some(plain.gain(plain.best(payoff), payoff)), best);
    }
}
