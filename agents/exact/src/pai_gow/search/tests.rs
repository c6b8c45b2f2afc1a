//! The search on a small game: gains of a shard, whose other profiles lose nothing anywhere.

use super::boxes::{Grid, MAX_BOUNDS};
use super::vocabulary::plays;
use super::*;
use crate::pai_gow::whole::{FullGame, Payoff, Run, Shard, Side};
use crate::pai_gow::{BankerTable, HandEvaluator};
use crate::solver::Cancelled;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, Rules};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

/// Settings and gains of a part of the game.
struct Fixture {
    game: Game,
    way: HouseWay,
    slots: Slots,
    gains: SettingGains,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let game = Game::new(Rules::default());
    let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
    let slots = Slots::new(&game);
    let whole = FullGame::new(&game, Side::Player, &BankerTable::new(&way));
    let run = Run { shard: Shard::new(3, 40).unwrap(), ..Run::default() };
    let gains = SettingGains::compute(&whole, Payoff::player(game.rules().commission), &slots, &run).unwrap();
    Fixture { game, way, slots, gains }
});

impl Fixture {
    fn space(&self) -> Space {
        let choices = Arc::new(Choices::new(&self.game, &self.slots, &Word::ALL, None));
        Space::new(&choices, &self.slots, &self.gains)
    }

    /// The loss of a way by its definition: for every profile, the best gain less that of its setting.
    fn loss(&self, way: &HouseWay) -> f64 {
        let loss = |profile: Profile| {
            let gain = |set| self.gains.get(profile, self.slots.slot(profile, set));
            let best = self.slots.get(profile).iter().map(|&(_, set)| gain(set)).max().unwrap();
            (best - gain(way.set_profile(profile))) as f64
        };
        Profile::all().map(loss).sum::<f64>() / crate::pai_gow::BANKER_HANDS as f64
    }
}

fn limits() -> Limits {
    Limits { bounds: 40, bound_price: units(1e-8), words: 35, cases: 2, width: 1, seeds: 8, branches: 2 }
}

/// The gains of a profile without a flush are those of its hands by the hand engine.
#[test]
fn gains_match_the_hand_engine() {
    let Fixture { game, way, slots, gains } = &*FIXTURE;
    let table = BankerTable::new(way);
    let evaluator = HandEvaluator::new(game, &table);
    let payoff = Payoff::player(game.rules().commission);
    // Profiles of one hand alone, up to suits: seven cards of one suit, or six and the joker.
    let alone = |profile: &Profile| {
        let cards = Profiles::get().representative(*profile);
        let suits: std::collections::HashSet<_> = cards.iter().filter_map(|card| card.suit()).collect();
        profile.is_flush()
            && suits.len() == 1
            && slots.get(*profile).iter().any(|&(slot, _)| gains.get(*profile, slot) != 0)
    };
    let mut checked = 0;
    for profile in Profile::all().filter(alone).take(40) {
        let hand = Hand::new(Profiles::get().representative(profile)).unwrap();
        let counts = evaluator.count(hand);
        for &(slot, _) in slots.get(profile) {
            let outcome = counts.settings()[slot.index()].unwrap();
            let gain = payoff.gain(outcome.wins as i64, outcome.losses as i64);
            assert_eq!(gains.get(profile, slot), 4 * gain);
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn found_lists_are_complete_house_ways_with_the_predicted_loss() {
    let space = FIXTURE.space();
    let search = Search::new(&space, limits());
    let mut state = SearchState::default();
    search.run::<Cancelled>(&mut state, 4, None, |_, _, _| Ok(())).unwrap();
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
    let space = FIXTURE.space();
    let search = Search::new(&space, limits());
    let mut whole = SearchState::default();
    search.run::<Cancelled>(&mut whole, 3, None, |_, _, _| Ok(())).unwrap();
    let mut state = SearchState::default();
    let mut interruptions = 0;
    while Search::new(&space, limits()).run(&mut state, 3, None, |_, _, _| Err(Cancelled)).is_err() {
        state = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
        interruptions += 1;
    }
    assert!(interruptions > 2, "{interruptions}");
    assert_eq!(state, whole);
}

#[test]
fn a_limit_of_bounds_holds() {
    let space = FIXTURE.space();
    for most in [0, 3] {
        let search = Search::new(&space, Limits { bounds: most, ..limits() });
        let mut state = SearchState::default();
        search.run::<Cancelled>(&mut state, 3, None, |_, _, _| Ok(())).unwrap();
        for found in state.levels.iter().flatten() {
            assert!(found.rules.iter().map(|rule| rule.bounds(&space)).sum::<usize>() <= most);
        }
    }
}

#[test]
fn a_sheet_has_its_own_loss_and_gains_by_changes() {
    let Fixture { game, way, slots, gains } = &*FIXTURE;
    let choices = Arc::new(Choices::new(game, slots, &Word::ALL, Some(way.way())));
    let space = Space::new(&choices, slots, gains);
    let rules = space.sheet();
    let search = Search::new(&space, limits());
    let found = search.evaluate(rules);
    assert!((found.loss as f64 - FIXTURE.loss(&FIXTURE.way)).abs() < 300_000.0);
    let sheets = vec![ChangedSheet { found: found.clone(), removed: 0 }];
    let once = search.change(&sheets);
    let twice = search.change(&once);
    assert!(twice[0].found.loss < once[0].found.loss && once[0].found.loss < found.loss);
    let own =
        |sheet: &ChangedSheet| sheet.found.rules.iter().filter(|rule| space.sheet_rule(rule.play).is_some()).count();
    for (sheets, changes) in [(&once, 1), (&twice, 2)] {
        for sheet in sheets {
            assert!(own(sheet) + sheet.removed == found.rules.len() && sheet.removed <= changes);
            assert!(sheet.found.rules.len() - own(sheet) <= changes);
        }
    }
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
    /// The best boxes against an enumeration of all boxes.
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
        let mut expected = [i64::MIN; MAX_BOUNDS + 1];
        let ranges = |size: u8| (0..size).flat_map(move |low| (low..size).map(move |high| (low, high)));
        for a in ranges(5) {
            for b in ranges(4) {
                for c in ranges(3) {
                    let ends = [(a, 5), (b, 4), (c, 3)].map(|((low, high), size)| usize::from(low > 0) + usize::from(high + 1 < size));
                    let bounds: usize = ends.iter().sum();
                    let inside = |cell: &[u8; 3]| {
                        [a, b, c].iter().zip(cell).all(|((low, high), value)| (low..=high).contains(&value))
                    };
                    let gain = cells.iter().zip(&gains).filter(|(cell, _)| inside(cell)).map(|(_, gain)| gain).sum();
                    if bounds <= max {
                        expected[bounds] = expected[bounds].max(gain);
                    }
                }
            }
        }
        let mut least = 0;
        for (best, expected) in best.into_iter().zip(expected) {
            prop_assert_eq!(best.map(|it| it.0), Some(expected).filter(|&gain| gain > least));
            least = least.max(expected);
            if let Some((gain, found)) = best {
                let inside = |cell: &[u8; 3]| found.iter().zip(cell).all(|((low, high), value)| (low..=high).contains(&value));
                let sum: i64 = cells.iter().zip(&gains).filter(|(cell, _)| inside(cell)).map(|(_, gain)| gain).sum();
                prop_assert_eq!(gain, sum);
            }
        }
    }
}
