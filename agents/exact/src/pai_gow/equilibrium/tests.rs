use super::profile_game::ActionSums;
use super::*;
use crate::equilibrium::{HandGame, Method, Position, Solver, UNITS};
use crate::pai_gow::matchup::BankedBy;
use crate::pai_gow::whole::{DealCounts, FullGame, MixedGame, Payoff, Run, Shard, Side};
use crate::pai_gow::{AnyLegal, BankerTable, MixedTable};
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::gym::ExactValues;
use houseway_env::pai_gow::{Game, Hand, Rules, SetHand, Setting, Strategy};

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
    let game = std::sync::Arc::new(Game::new(Rules::default()));
    let actions = Actions::new(&game);
    let share = |profile: Profile| Profiles::get().hands(profile) as f64 / 154_143_080.0;
    // The EV of a profile's i-th action is 0.1 less i hundredths, with a total weight of 6.
    let sums: Vec<f64> = Profile::all()
        .flat_map(|profile| {
            let sum = move |i: usize| (0.1 - 0.01 * i as f64) * share(profile) * 6.0;
            (0..actions.range(profile).len()).map(sum)
        })
        .collect();
    let position = Position { round: 3, side: 1, other: &[], sums: &sums, weight: 6 };
    let labels = ResponseLabels::new(&game, &actions, &position);
    assert_eq!(labels.decisions(), PROFILES);
    assert_eq!((0..PROFILES).map(|profile| labels.hands(profile)).sum::<u64>(), 154_143_080);
    let [length, settings] = labels.shape();
    let (mut observation, mut mask, mut evs) = (vec![0.0; length], vec![false; settings], vec![0.0; settings]);
    for profile in Profile::all().step_by(997) {
        labels.write(profile.index(), &mut observation, &mut mask, &mut evs).unwrap();
        let hand = Hand::new(Profiles::get().representative(profile)).unwrap();
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
    let game = Game::new(Rules::default());
    let actions = Actions::new(&game);
    for profile in Profile::all().step_by(1_009) {
        let hand = Hand::new(Profiles::get().representative(profile)).unwrap();
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
    let game = Game::new(Rules::default());
    let actions = Actions::new(&game);
    let mixed = mixed(&game, &actions);
    let table = purify(&game, &mixed, "pure");
    table.check_legal(&game).unwrap();
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
    let game = Game::new(changes.iter().fold(Rules::default(), |rules, change| rules.with(change).unwrap()));
    let actions = Actions::new(&game);
    let table = BankerTable::new(&AnyLegal::new(&game, 4));
    let run = Run { shard: Shard::new(5, 900).unwrap(), ..Run::default() };
    for side in [Side::Player, Side::Banker] {
        let payoff = Payoff::player(game.rules().commission);
        let sums = ActionSums::new(&actions);
        let mixed = MixedGame::new(&game, side, &MixedTable::from(&table));
        let visit = |(): &mut (), classes: &[_]| classes.iter().for_each(|class| sums.add(&actions, class));
        mixed.fold(&run, || (), visit, |(), ()| ()).unwrap();
        let whole = FullGame::new(&game, side, &table);
        let visit = |expected: &mut Vec<i128>, classes: &[crate::pai_gow::whole::ClassCounts]| {
            for class in classes {
                for action in actions.range(Profiles::get().of(class.hand.set())) {
                    let setting = class.setting_that_makes(actions.all()[action]).unwrap();
                    expected[action] += i128::from(class.orbit) * i128::from(class.gain(setting, payoff));
                }
            }
        };
        let none = || vec![0; actions.all().len()];
        let merge = |a: Vec<i128>, b: Vec<i128>| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
        let expected = whole.fold(&run, none, visit, merge).unwrap();
        assert!(expected.iter().filter(|&&gain| gain != 0).count() > 100);
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
    let certificate =
        Certificate::compute(&game, &actions, BankedBy::House, [&player, &banker], &Run::default()).unwrap();
    let (ev, bounds, by_profile) = (certificate.ev[0], certificate.bounds(), certificate.profile_bounds());
    assert!(bounds.lower <= by_profile.lower && by_profile.lower <= ev);
    assert!(ev <= by_profile.upper && by_profile.upper <= bounds.upper);
    assert_eq!((certificate.ev[1], certificate.nash_conv()), (-ev, bounds.width()));
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
    let table = BankerTable::new(&LastAction(&game, &actions));
    for bank in [BankedBy::House, BankedBy::Player] {
        let certificate = Certificate::compute(&game, &actions, bank, [&mixed, &mixed], &Run::default()).unwrap();
        let payoffs = [Payoff::player(game.rules().commission), bank.payoff(&game.rules())];
        for (i, side) in [Side::Player, Side::Banker].into_iter().enumerate() {
            let best = crate::pai_gow::whole::BestResponse(payoffs[i]);
            let totals: Vec<DealCounts> =
                FullGame::new(&game, side, &table).totals(&[&table, &best], &Run::default()).unwrap();
            assert_eq!([certificate.ev[i], certificate.best[i]], [totals[0].ev(payoffs[i]), totals[1].ev(payoffs[i])]);
        }
    }
    let certificate =
        Certificate::compute(&game, &actions, BankedBy::House, [&mixed, &mixed], &Run::default()).unwrap();
    let values = ProfileGame::new(&game, &actions, BankedBy::House, Run::default()).values(0, &units).unwrap();
    let own: f64 = values.iter().zip(&units).map(|(value, &units)| value * f64::from(units) / 64.0).sum();
    assert!((own - certificate.ev[0].value()).abs() < 1e-12);
}

/// A strategy that plays the last action for each profile.
struct LastAction<'a>(&'a Game, &'a Actions);

impl Strategy for LastAction<'_> {
    fn name(&self) -> &str {
        "last"
    }

    fn set(&self, hand: Hand) -> Setting {
        let action = self.1.range(Profiles::get().of(hand.set())).end - 1;
        self.0.settings(hand).find(|&(_, set)| set == self.1.all()[action]).unwrap().0
    }
}

impl houseway_env::pai_gow::ProfileStrategy for LastAction<'_> {
    fn set_profile(&self, profile: Profile) -> SetHand {
        self.1.all()[self.1.range(profile).end - 1]
    }
}
