use super::games::ActionSums;
use super::*;
use crate::equilibrium::{HandGame, Method, Position, Solver, UNITS};
use crate::pai_gow::matchup::BankedBy;
use crate::pai_gow::outcomes::DEALS;
use crate::pai_gow::tests::{classes, rules};
use crate::pai_gow::whole::{Pass, Payoff, Play, Run, Shard, Side};
use crate::pai_gow::{AnyLegal, BankerTable, ClassTable, MixedTable};
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::gym::ExactValues;
use houseway_env::pai_gow::{Game, Hand, Rules, SetHand, Setting, Strategy};
use std::sync::{Arc, LazyLock};

/// The game, its actions, all classes by profile, and a mixed strategy with its pure table.
struct Fixture {
    game: Arc<Game>,
    actions: Actions,
    classes: ProfileClasses,
    mixed: MixedTable,
    pure: ClassTable,
}

impl Fixture {
    fn get() -> &'static Fixture {
        static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
            let game = Arc::new(Game::new(Rules::default()));
            let (actions, classes) = (Actions::new(&game), ProfileClasses::new());
            let mixed = mixed(&game, &actions);
            let pure = purify(&game, &classes, &mixed, "pure");
            Fixture { game, actions, classes, mixed, pure }
        });
        &FIXTURE
    }
}

fn mixed(game: &Game, actions: &Actions) -> MixedTable {
    let weights = |profile: Profile| {
        let range = actions.range(profile);
        let last = range.len() - 1;
        range.enumerate().map(move |(i, _)| if i == last { 4096 - 100 * i as u16 } else { 100 })
    };
    let weights: Vec<u16> = Profile::all().flat_map(weights).collect();
    let table = actions.mixed("mixed", &weights, 1).unwrap();
    table.check_legal(game).unwrap();
    table
}

#[test]
fn labels_are_the_values_of_the_actions() {
    let Fixture { game, actions, .. } = Fixture::get();
    let share = |profile: Profile| Profiles::get().hands(profile) as f64 / 154_143_080.0;
    // The EV of a profile's i-th action is 0.1 less i hundredths, with a total weight of 6.
    let sums: Vec<f64> = Profile::all()
        .flat_map(|profile| {
            let sum = move |i: usize| (0.1 - 0.01 * i as f64) * share(profile) * 6.0;
            (0..actions.range(profile).len()).map(sum)
        })
        .collect();
    let position = Position { round: 3, side: 1, other: &[], sums: &sums, weight: 6 };
    let labels = response_values(game, actions, &position);
    assert_eq!(labels.decisions(), PROFILES);
    assert_eq!((0..PROFILES).map(|profile| labels.hands(profile)).sum::<u64>(), 154_143_080);
    let [length, settings] = labels.shape();
    let (mut observation, mut mask, mut evs) = (vec![0.0; length], vec![false; settings], vec![0.0; settings]);
    for profile in Profile::all().step_by(997) {
        labels.write(profile.index(), &mut observation, &mut mask, &mut evs).unwrap();
        let hand = Hand::representative(profile);
        let mut labelled = 0;
        for (setting, set) in game.settings(hand) {
            let action = actions.index(profile, set).map(|action| action - actions.range(profile).start);
            let expected = action.map_or(0.0, |action| 0.1 - 0.01 * action as f32);
            assert_eq!(mask[setting.index()], action.is_some(), "{hand}");
            assert!((evs[setting.index()] - expected).abs() < 1e-5, "{hand}");
            labelled |= action.map_or(0, |action| 1u64 << action);
        }
        assert_eq!(labelled.count_ones() as usize, actions.range(profile).len());
    }
    assert!(labels.write(0, &mut observation[1..], &mut mask, &mut evs).is_err());
}

#[test]
fn actions_are_the_settings_that_no_other_one_dominates() {
    let Fixture { game, actions, .. } = Fixture::get();
    for profile in Profile::all().step_by(1_009) {
        let hand = Hand::representative(profile);
        let legal: Vec<SetHand> = game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set)).collect();
        let own = &actions.all()[actions.range(profile)];
        for (i, set) in own.iter().enumerate() {
            assert!(legal.contains(set) && !own[..i].contains(set) && !legal.iter().any(|other| other.dominates(*set)));
        }
        assert!(legal.iter().all(|set| own.iter().any(|other| other == set || other.dominates(*set))));
    }
    // With this rule, the banker may prefer a dominated setting.
    let pushes = Actions::new(&Game::new(Rules::default().with("bank-pushes=nine_high_front").unwrap()));
    assert!(pushes.all().len() > actions.all().len());
}

#[test]
fn a_pure_table_plays_each_setting_as_often_as_the_mixed_strategy() {
    let Fixture { game, mixed, pure: table, .. } = Fixture::get();
    table.check_legal(game).unwrap();
    let mut hands: Vec<Vec<(SetHand, i64)>> = vec![vec![]; PROFILES];
    let classes = Classes::seven();
    for (class, &setting) in table.settings().iter().enumerate() {
        let hand = Hand::new(classes.hand(class)).unwrap();
        let set = game.set(hand, Setting::from_index(setting.into()).unwrap());
        // Looking up a hand's class takes longer than the rest.
        if class % 64 == 0 {
            assert_eq!(game.set(hand, table.set(hand)), set);
        }
        let counts = &mut hands[Profiles::get().of(hand.set()).index()];
        let orbit = i64::from(orbit(hand.set()));
        match counts.iter_mut().find(|(other, _)| *other == set) {
            Some((_, sum)) => *sum += orbit,
            None => counts.push((set, orbit)),
        }
    }
    for profile in Profile::all() {
        let counts = &hands[profile.index()];
        let all: i64 = counts.iter().map(|(_, hands)| hands).sum();
        assert_eq!(all as u64, Profiles::get().hands(profile));
        for &(set, weight) in mixed.sets(profile) {
            let played = counts.iter().find(|(other, _)| *other == set).map_or(0, |(_, hands)| *hands);
            let target = all as f64 * f64::from(weight) / 4096.0;
            assert!((played as f64 - target).abs() <= 24.0 * mixed.sets(profile).len() as f64, "{played} {target}");
        }
    }
}

/// Splits every seventh profile.
fn some_sets(actions: &Actions, classes: &ProfileClasses) -> InformationSets {
    let split: Vec<bool> = (0..PROFILES).map(|i| i % 7 == 3).collect();
    InformationSets::new(actions, classes, &split)
}

#[test]
fn information_sets_divide_the_hands_of_split_profiles() {
    let Fixture { actions, classes, .. } = Fixture::get();
    let sets = some_sets(actions, classes);
    assert!((sets.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let parents = sets.parents();
    let mut members = vec![0; parents.len()];
    for class in 0..Classes::seven().len() {
        let (profile, first) = sets.of_class(class);
        if class % 64 == 0 {
            assert_eq!(profile, Profiles::get().of(Classes::seven().hand(class)));
        }
        let set = sets.starts().binary_search(&(first as u32)).unwrap();
        assert_eq!(parents[set] as usize, profile.index());
        assert_eq!((sets.starts()[set + 1] - sets.starts()[set]) as usize, actions.range(profile).len());
        members[set] += 1;
    }
    let in_split = |set: usize| parents[set] % 7 == 3;
    assert!(members.iter().enumerate().all(|(set, &classes)| classes == 1 || classes > 1 && !in_split(set)));
    assert_eq!(parents.iter().collect::<std::collections::BTreeSet<_>>().len(), PROFILES);
}

#[test]
fn classes_take_turns_within_their_information_sets() {
    let Fixture { game, actions, classes, mixed, pure } = Fixture::get();
    let sets = some_sets(actions, classes);
    // Each information set plays two of its actions, in different proportions.
    let mut units = vec![0u8; *sets.starts().last().unwrap() as usize];
    for (set, range) in sets.starts().windows(2).enumerate() {
        let actions = range[0] as usize..range[1] as usize;
        units[actions.start + set % actions.len()] += (set % 64) as u8;
        units[actions.end - 1] += UNITS - (set % 64) as u8;
    }
    let table = sets.table(game, (actions, classes), "turns", &units);
    table.check_legal(game).unwrap();
    let (mut played, mut targets) = (vec![0i64; actions.all().len()], vec![0i64; actions.all().len()]);
    for (class, &setting) in table.settings().iter().enumerate() {
        let (profile, first) = sets.of_class(class);
        // All classes would take four times as long.
        if profile.index() % 4 != 2 {
            continue;
        }
        let hand = Hand::new(Classes::seven().hand(class)).unwrap();
        let (range, orbit) = (actions.range(profile), i64::from(orbit(hand.set())));
        let set = game.set(hand, Setting::from_index(setting.into()).unwrap());
        let action = actions.index(profile, set).unwrap();
        assert!(units[first + action - range.start] > 0, "{hand} plays an action of another class");
        played[action] += orbit * i64::from(UNITS);
        range.clone().zip(&units[first..]).for_each(|(action, &units)| targets[action] += orbit * i64::from(units));
    }
    for profile in Profile::all().filter(|profile| profile.index() % 4 == 2 && profile.index() % 7 != 3) {
        for action in actions.range(profile) {
            assert!((played[action] - targets[action]).abs() <= 2 * 24 * i64::from(UNITS), "{profile:?}");
        }
    }
    // Without splits, the table is that of the mixed strategy.
    let whole = InformationSets::new(actions, classes, &vec![false; PROFILES]);
    let of_actions = |profile: Profile| actions.all()[actions.range(profile)].iter().map(move |set| (profile, *set));
    let weight = |(profile, set): (Profile, SetHand)| {
        mixed.sets(profile).iter().find(|(other, _)| *other == set).map_or(0, |&(_, weight)| weight)
    };
    let weights: Vec<u16> = Profile::all().flat_map(of_actions).map(weight).collect();
    assert!(whole.table(game, (actions, classes), "pure", &weights) == *pure);
}

/// Returns the gains of all actions in a shard, hand by hand, given the place of the first action of each hand.
fn gains_of_classes(
    pass: &Pass<'_>,
    shard: Shard,
    payoff: Payoff,
    actions: &Actions,
    first: impl Fn(Hand) -> usize,
    places: usize,
) -> Vec<i128> {
    let mut gains = vec![0; places];
    for class in classes(pass, shard) {
        let range = actions.range(Profiles::get().of(class.hand.set()));
        for (place, set) in (first(class.hand)..).zip(&actions.all()[range]) {
            let setting = class.setting_that_makes(*set).unwrap();
            gains[place] += i128::from(class.orbit) * i128::from(class.gain(setting, payoff));
        }
    }
    assert!(gains.iter().filter(|&&gain| gain != 0).count() > 100);
    gains
}

#[test]
fn values_of_information_sets_are_those_of_their_classes() {
    let Fixture { game, actions, classes, .. } = Fixture::get();
    let sets = [some_sets(actions, classes), InformationSets::new(actions, classes, &vec![false; PROFILES])];
    let run = Run { shard: Shard::new(77, 2_000).unwrap(), ..Run::default() };
    let mut class_game = ClassGame::new(game, (actions, classes), &sets, BankedBy::House, run).unwrap();
    for (side, payoff) in [Payoff::player(&game.rules()), Payoff::house_bank(&game.rules())].into_iter().enumerate() {
        let mut units = vec![0; *sets[1 - side].starts().last().unwrap() as usize];
        sets[1 - side].starts().windows(2).for_each(|set| units[set[0] as usize] = UNITS);
        let values = class_game.values(side, &units).unwrap();
        // The first action of every profile is a pure strategy, which the faster engine evaluates with all settings.
        let table = BankerTable::from_fn("first", |profile| actions.all()[actions.range(profile).start]);
        let whole = Pass::new(game, Side::ALL[side], &table);
        let first = |hand: Hand| sets[side].of_class(Classes::seven().index(hand.set())).1;
        let expected = gains_of_classes(&whole, run.shard, payoff, actions, first, values.len());
        for (value, expected) in values.into_iter().zip(expected) {
            assert!((value - expected as f64 / 1e6 / DEALS as f64).abs() < 1e-18);
        }
    }
    let pushed = Game::new(Rules::default().with("copies=pushed").unwrap());
    assert!(ClassGame::new(&pushed, (actions, classes), &sets, BankedBy::House, run).is_err());
}

#[test]
fn sums_of_profiles_are_those_of_their_classes() {
    assert_sums_of_profiles(&[]);
}

#[test]
fn sums_of_profiles_are_those_of_their_classes_under_other_rules() {
    assert_sums_of_profiles(&["commission=0", "copies=pushed", "joker=wild", "equal-setting=foul"]);
    assert_sums_of_profiles(&["copies=player", "wheel-straight=lowest", "bank-pushes=queen_high_pai_gow"]);
}

fn assert_sums_of_profiles(changes: &[&str]) {
    let game = Game::new(rules(changes));
    let actions = Actions::new(&game);
    let table = BankerTable::new(&AnyLegal::new(&game, 4));
    let run = Run { shard: Shard::new(5, 900).unwrap(), ..Run::default() };
    for side in [Side::Player, Side::Banker] {
        let payoff = Payoff::player(&game.rules());
        let sums = ActionSums::new(actions.all().len());
        let mixed = Pass::against_mixed(&game, side, &MixedTable::from(&table));
        let visit = |(): &mut (), classes: &[_]| classes.iter().for_each(|class| sums.add(&actions, class));
        mixed.fold_weights(&run, || (), visit, |(), ()| ()).unwrap();
        let whole = Pass::new(&game, side, &table);
        let first = |hand: Hand| actions.range(Profiles::get().of(hand.set())).start;
        let expected = gains_of_classes(&whole, run.shard, payoff, &actions, first, actions.all().len());
        for (action, expected) in expected.into_iter().enumerate() {
            assert_eq!(sums.gain(action, payoff), 4096 * expected);
        }
    }
}

#[test]
#[ignore = "takes 3 min to play three rounds and to evaluate all deals from both sides"]
fn rounds_narrow_the_bounds_of_the_game() {
    let game = Game::new(Rules::default());
    let actions = Actions::new(&game);
    let mut solver = Solver::new(ProfileGame::new(&game, &actions, BankedBy::House, Run::default()), Method::default());
    let widths: Vec<f64> = (0..3).map(|_| solver.round().unwrap().bounds().width()).collect();
    assert!(widths[2] < widths[0] && widths[2] < 0.05, "{widths:?}");
    let average = |side| actions.mixed("average", &solver.state().average(side, actions.starts(), 4096), 1).unwrap();
    let [player, banker] = [average(0), average(1)];
    let (certificate, _) =
        Certificate::compute(&game, &actions, BankedBy::House, [&player, &banker], &Run::default()).unwrap();
    let (ev, bounds, by_profile) = (certificate.evs.own[0], certificate.evs.bounds(), certificate.profile_bounds());
    assert!(bounds.lower <= by_profile.lower && by_profile.lower <= ev);
    assert!(ev <= by_profile.upper && by_profile.upper <= bounds.upper);
    assert_eq!((certificate.evs.own[1], certificate.evs.nash_conv()), (-ev, bounds.width()));
    assert!((bounds.width().value() - widths[2]).abs() < 1e-4, "{certificate:?} {widths:?}");
}

#[test]
#[ignore = "takes 3 min to evaluate all deals against a pure strategy and its mixed form, for either bank"]
fn a_pure_strategy_has_the_values_of_a_table() {
    let game = Game::new(Rules::default());
    let actions = Actions::new(&game);
    let mut units = vec![0; actions.all().len()];
    Profile::all().for_each(|profile| units[actions.range(profile).end - 1] = UNITS);
    let weights: Vec<u16> = units.iter().map(|&units| units.into()).collect();
    let mixed = actions.mixed("last", &weights, 64).unwrap();
    let table = BankerTable::from_fn("last", |profile| actions.all()[actions.range(profile).end - 1]);
    for bank in [BankedBy::House, BankedBy::Player] {
        let (certificate, _) = Certificate::compute(&game, &actions, bank, [&mixed, &mixed], &Run::default()).unwrap();
        let payoffs = [Payoff::player(&game.rules()), bank.payoff(&game.rules())];
        // A table over classes with the same settings is evaluated by another engine.
        let classes = purify(&game, &ProfileClasses::new(), &mixed, "last");
        for (i, side) in Side::ALL.into_iter().enumerate() {
            for (whole, own) in [
                (Pass::new(&game, side, &table), Play::Profiles(&table)),
                (Pass::against_table(&game, side, &classes).unwrap(), Play::Classes(&classes)),
            ] {
                let totals = whole.totals(&[own, Play::Best(payoffs[i])], &Run::default()).unwrap();
                let found = totals.iter().map(|counts| counts.ev(payoffs[i])).collect::<Vec<_>>();
                assert_eq!(found, [certificate.evs.own[i], certificate.evs.best[i]]);
            }
        }
    }
    let (certificate, _) =
        Certificate::compute(&game, &actions, BankedBy::House, [&mixed, &mixed], &Run::default()).unwrap();
    let values = ProfileGame::new(&game, &actions, BankedBy::House, Run::default()).values(0, &units).unwrap();
    let own: f64 = values.iter().zip(&units).map(|(value, &units)| value * f64::from(units) / 64.0).sum();
    assert!((own - certificate.evs.own[0].value()).abs() < 1e-12);
}
