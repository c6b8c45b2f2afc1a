//! Tests the search on a small game. The gains come from one shard, and all other profiles have no losses.

use super::choices::{Grid, MAX_BOUNDS};
use super::results::Sheet;
use super::vocabulary::plays;
use super::*;
use crate::pai_gow::whole::{Pass, Payoff, Run, Shard, Side};
use crate::pai_gow::{BankerTable, HandEvaluator};
use crate::solver::Cancelled;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, Rules};
use proptest::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// The settings and gains for part of the game.
struct Fixture {
    game: Game,
    way: HouseWay,
    actions: Actions,
    gains: SettingGains,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let game = Game::new(Rules::default());
    let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
    let actions = Actions::with_dominated(&game);
    let whole = Pass::new(&game, Side::Player, &BankerTable::new(&way));
    let run = Run { shard: Shard::new(3, 40).unwrap(), ..Run::default() };
    let gains = SettingGains::compute(&whole, Payoff::player(&game.rules()), &actions, &run).unwrap();
    Fixture { game, way, actions, gains }
});

impl Fixture {
    fn space(&self) -> Space {
        let choices = Arc::new(Choices::new(&self.game, &self.actions, &Word::ALL, None, &Control::default()).unwrap());
        Space::new(&choices, &self.actions, &self.gains)
    }

    /// Computes a way's loss by definition, as the best gain minus the chosen setting's gain, summed over all profiles.
    fn loss(&self, way: &HouseWay) -> f64 {
        let loss = |profile: Profile| {
            let best = self.gains.of_actions[self.actions.range(profile)].iter().max().unwrap();
            let chosen = self.actions.index(profile, way.set_profile(profile)).unwrap();
            (best - self.gains.of_actions[chosen]) as f64
        };
        Profile::all().map(loss).sum::<f64>() / crate::pai_gow::BANKER_HANDS as f64
    }
}

fn limits() -> Limits {
    Limits { bounds: 40, bound_price: units(1e-8), words: 35, width: 1, seeds: 8, branches: 2 }
}

/// Returns the state after a search for lists of up to `max` rules.
fn searched(space: &Space, limits: Limits, max: usize) -> OpponentState {
    let mut state = OpponentState::default();
    let search = OpponentSearch::new(std::slice::from_ref(space), Objective::Mean, limits);
    search.run::<Cancelled>(&mut state, max, None, |_, _, _| Ok(())).unwrap();
    state
}

/// Checks that the gains agree with the hand engine for profiles that contain a single hand up to suits.
#[test]
fn gains_match_the_hand_engine() {
    let Fixture { game, way, actions, gains } = &*FIXTURE;
    let table = BankerTable::new(way);
    let evaluator = HandEvaluator::new(game, &table);
    let payoff = Payoff::player(&game.rules());
    // These profiles contain a single hand up to suits, with seven cards of one suit or six and the joker.
    let alone = |profile: &Profile| {
        let cards = Profiles::get().representative(*profile);
        let suits: std::collections::HashSet<_> = cards.iter().filter_map(|card| card.suit()).collect();
        suits.len() == 1 && gains.of_actions[actions.range(*profile)].iter().any(|&gain| gain != 0)
    };
    let mut checked = 0;
    for profile in Profile::all().filter(alone).take(40) {
        let hand = Hand::representative(profile);
        let counts = evaluator.count(hand);
        for action in actions.range(profile) {
            let (setting, _) = game.settings(hand).find(|&(_, set)| set == actions.all()[action]).unwrap();
            let outcome = counts.get(setting).unwrap();
            let gain = payoff.gain(outcome.wins as i64, outcome.losses as i64);
            assert_eq!(gains.of_actions[action], 4 * gain);
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn found_lists_are_complete_house_ways_with_the_predicted_loss() {
    let space = FIXTURE.space();
    let search = Search::new(&space, limits());
    let state = searched(&space, limits(), 4);
    let mut before = i64::MAX;
    let bounds = space.bounds_by_rules(4);
    for (level, bound) in state.levels.iter().zip(&bounds) {
        let found = search.simplified(&level[0]);
        assert!(found.objective <= level[0].objective && found.loss <= before && *bound <= found.loss + space.floor());
        before = found.loss;
        let rules: String = search.priced(&found).iter().map(|rule| rule.toml.clone()).collect();
        let text = format!("name = \"found\"\ntitle = \"\"\nsource = \"\"\n{rules}");
        let way = Way::parse(&text, "found.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
        let bounds: usize = found.rules.iter().map(|rule| rule.bounds(&space)).sum();
        assert_eq!(way.bounds(), bounds, "{text}");
        assert!(way.style_warnings().is_empty(), "{text}");
        let way = HouseWay::compile(way, &FIXTURE.game).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let exact = FIXTURE.loss(&way);
        // Each profile is rounded to one unit.
        assert!((found.loss as f64 - exact).abs() < 300_000.0, "{} {exact}\n{text}", found.loss);
    }
    assert!(state.levels[3][0].loss * 4 < state.levels[0][0].loss);
    assert!(space.floor() <= before);
}

#[test]
fn a_search_continues_where_it_was_interrupted() {
    let spaces = [FIXTURE.space()];
    let search = OpponentSearch::new(&spaces, Objective::Mean, limits());
    let mut state = OpponentState::default();
    let mut interruptions = 0;
    while search.run(&mut state, 3, None, |_, _, _| Err(Cancelled)).is_err() {
        state = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
        interruptions += 1;
    }
    assert!(interruptions > 2, "{interruptions}");
    assert_eq!(state, searched(&spaces[0], limits(), 3));
}

#[test]
fn a_cancelled_search_keeps_only_whole_steps() {
    let spaces = [FIXTURE.space()];
    let is_stopped = AtomicBool::new(true);
    let stop = Control { cancel: Some(&is_stopped), ..Control::default() };
    assert!(Choices::new(&FIXTURE.game, &FIXTURE.actions, &Word::ALL, None, &stop).is_err());
    let cancel = AtomicBool::new(false);
    let mut state = OpponentState::default();
    let search = OpponentSearch::new(&spaces, Objective::Mean, limits());
    let step = |_: &OpponentState, _, _| {
        cancel.store(true, Ordering::Relaxed);
        Ok::<(), Cancelled>(())
    };
    assert!(search.run(&mut state, 3, Some(&cancel), step).is_err());
    assert_eq!((state.steps, state.levels.len()), (1, 2));
    search.run::<Cancelled>(&mut state, 3, None, |_, _, _| Ok(())).unwrap();
    assert_eq!(state, searched(&spaces[0], limits(), 3));
}

#[test]
fn a_limit_of_bounds_holds() {
    let space = FIXTURE.space();
    for most in [0, 3] {
        let state = searched(&space, Limits { bounds: most, ..limits() }, 3);
        for found in state.levels.iter().flatten() {
            assert!(found.rules.iter().map(|rule| rule.bounds(&space)).sum::<usize>() <= most);
        }
    }
}

#[test]
fn a_sheet_has_its_own_loss_and_gains_by_changes() {
    let search = Search::new(&SHEET, limits());
    let found = search.evaluate(SHEET.sheet());
    assert!((found.loss as f64 - FIXTURE.loss(&FIXTURE.way)).abs() < 300_000.0);
    let sheets = vec![ChangedSheet { found: found.clone(), removed: 0 }];
    let once = search.change(&sheets);
    let twice = search.change(&once);
    assert!(twice[0].found.loss < once[0].found.loss && once[0].found.loss < found.loss);
    let own =
        |sheet: &ChangedSheet| sheet.found.rules.iter().filter(|rule| SHEET.sheet_rule(rule.play).is_some()).count();
    for (sheets, changes) in [(&once, 1), (&twice, 2)] {
        for sheet in sheets {
            assert!(own(sheet) + sheet.removed == found.rules.len() && sheet.removed <= changes);
            assert!(sheet.found.rules.len() - own(sheet) <= changes);
        }
    }
}

/// Returns a short list with rules from Trump Plaza's sheet. It sets all hands.
fn sheet_rules(space: &Space, chosen: &[usize]) -> Vec<FoundRule> {
    let sheet = space.sheet();
    let any = space.plays().iter().position(|play| play.toml() == "{}").unwrap();
    chosen.iter().map(|&i| sheet[i % sheet.len()].clone()).chain([FoundRule::for_all(any)]).collect()
}

static SHEET: LazyLock<Space> = LazyLock::new(|| {
    let Fixture { game, way, actions, gains } = &*FIXTURE;
    Space::new(
        &Arc::new(Choices::new(game, actions, &Word::ALL, Some(way.way()), &Control::default()).unwrap()),
        actions,
        gains,
    )
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Compares the best moves of every rule on a small sheet with an enumeration of all positions.
    #[test]
    fn moves_are_the_best(chosen in proptest::sample::subsequence((0..24).collect::<Vec<usize>>(), 2..6).prop_shuffle()) {
        let search = Search::new(&SHEET, limits());
        let list = search.evaluate(sheet_rules(&SHEET, &chosen));
        for rule in 0..list.rules.len() {
            let mut others = list.rules.clone();
            let moved = others.remove(rule);
            let expected: Vec<Found> = (0..=others.len())
                .filter_map(|at| {
                    let mut rules = others.clone();
                    rules.insert(at, moved.clone());
                    (rules != list.rules && search.is_reached(&rules, at)).then(|| search.evaluate(rules))
                })
                .collect();
            let found = search.moves(&list, rule);
            prop_assert!(found.iter().all(|found| expected.contains(found)));
            // Positions that change nothing need not be tried.
            let best = |all: &[Found]| all.iter().map(|it| it.objective).min().filter(|&it| it < list.objective);
            prop_assert_eq!(best(&found), best(&expected));
        }
    }
}

/// Checks that a misplaced rule is moved back, and that no other single change gains as much.
#[test]
fn a_misplaced_rule_is_moved() {
    let search = Search::new(&SHEET, Limits { bounds: 0, ..limits() });
    let sheet = SHEET.sheet();
    let misplaced = |i: usize| {
        let mut rules = sheet.clone();
        rules[..=i].rotate_right(1);
        search.evaluate(rules)
    };
    let moved_gain = |i: usize| {
        let wrong = misplaced(i);
        wrong.loss - search.moves(&wrong, 0).first().map_or(wrong.loss, |found| found.loss)
    };
    let gains: Vec<i64> = (1..sheet.len() - 1).map(moved_gain).collect();
    assert!(gains.iter().any(|&gain| gain > units(1e-5)), "{gains:?}");
    // The original position is among the positions that are tried.
    let i = 1 + (0..gains.len()).max_by_key(|&i| gains[i]).unwrap();
    let wrong = misplaced(i);
    let changed = search.change(&[ChangedSheet { found: wrong.clone(), removed: 0 }]);
    assert!(search.moves(&wrong, 0)[0].loss <= search.evaluate(sheet.clone()).loss);
    assert!(changed[0].found.loss <= search.moves(&wrong, 0)[0].loss);
}

/// Checks that a changed sheet written to a file sets every hand like the changed list, and that each kind of change is
/// recognized.
#[test]
fn changed_sheets_are_written_as_they_are() {
    let search = Search::new(&SHEET, limits());
    let text = Way::text("trump-plaza").unwrap();
    let sheet = Sheet::new(FIXTURE.way.way(), &text).unwrap();
    let list = search.evaluate(SHEET.sheet());
    let mut moves = 0;
    for rule in (0..list.rules.len() - 1).step_by(3) {
        // Try two moves and another change to each of them.
        let Some(found) = search.moves(&list, rule).into_iter().next() else { continue };
        let other = search.moves(&found, 7).into_iter().next();
        let mut without = found.rules.clone();
        without.remove(12);
        let added = search.insert(&without, 1).into_iter().next();
        for found in [Some(found), other, added].into_iter().flatten() {
            let changed =
                sheet.write(&FIXTURE.game, &search, &ChangedSheet { found: found.clone(), removed: 0 }, 2).unwrap();
            let exact = FIXTURE.loss(&changed.way);
            assert!((found.loss as f64 - exact).abs() < 300_000.0, "{} {exact}\n{}", found.loss, changed.toml);
            // The sheet isn't the published one any more.
            let own = [changed.way.way().title(), changed.way.way().source()];
            assert!(own.iter().all(|text| text.starts_with("Changed by houseway search from: ")), "{own:?}");
            let moved = changed.steps.iter().filter(|change| change.kind == ChangeKind::Move);
            assert!(changed.steps.iter().all(|change| change.rule.is_some() && change.text != Some(String::new())));
            assert!(
                changed.steps.iter().all(|change| change.ev_change.abs() < 0.5),
                "all hands have a rule when it is undone"
            );
            moves += moved.count();
        }
    }
    assert!(moves > 3, "{moves}");
}

#[test]
fn words_that_are_not_allowed_are_not_used() {
    assert!(plays(&[]).iter().all(|play| play.words().is_empty() && play.bounds() == 0));
    for word in Word::ALL {
        let others: Vec<Word> = Word::ALL.into_iter().filter(|&other| other != word).collect();
        assert!(plays(&others).iter().all(|play| !play.words().contains(&word)));
    }
}

proptest! {
    /// Compares the best boxes with an enumeration of all boxes.
    #[test]
    fn boxes_are_the_best(
        gains in proptest::collection::vec(-20i64..20, 60),
        max in 0..=MAX_BOUNDS,
    ) {
        let sizes = [5, 4, 3];
        let mut grid = Grid::new(sizes);
        let cells: Vec<[u8; 3]> =
            (0..5).flat_map(|a| (0..4).flat_map(move |b| (0..3).map(move |c| [a, b, c]))).collect();
        cells.iter().zip(&gains).for_each(|(&cell, &gain)| grid.add(cell, gain));
        let best = grid.best(max);
        let sum_in = |found: [(u8, u8); 3]| -> i64 {
            let inside = |cell: &[u8; 3]| found.iter().zip(cell).all(|((low, high), value)| (low..=high).contains(&value));
            cells.iter().zip(&gains).filter(|(cell, _)| inside(cell)).map(|(_, gain)| gain).sum()
        };
        let mut expected = [i64::MIN; MAX_BOUNDS + 1];
        let ranges = |size: u8| (0..size).flat_map(move |low| (low..size).map(move |high| (low, high)));
        for a in ranges(5) {
            for b in ranges(4) {
                for c in ranges(3) {
                    let ends = [(a, 5), (b, 4), (c, 3)].map(|((low, high), size)| usize::from(low > 0) + usize::from(high + 1 < size));
                    let bounds: usize = ends.iter().sum();
                    if bounds <= max {
                        expected[bounds] = expected[bounds].max(sum_in([a, b, c]));
                    }
                }
            }
        }
        let mut least = 0;
        for (best, expected) in best.into_iter().zip(expected) {
            prop_assert_eq!(best.map(|it| it.0), Some(expected).filter(|&gain| gain > least));
            least = least.max(expected);
            if let Some((gain, found)) = best {
                prop_assert_eq!(gain, sum_in(found));
            }
        }
    }
}
