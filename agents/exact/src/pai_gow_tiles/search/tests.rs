//! Found house ways, evaluated by other means.

use super::*;
use crate::pai_gow_tiles::SOLVER;
use crate::pai_gow_tiles::tests::rules;
use crate::solver::{SolverConfig, WayQuestion};

fn game(changes: &[&str]) -> PaiGowTiles {
    PaiGowTiles::new(rules(changes))
}

/// The files lose what the search believes, under all orders of halves.
#[test]
fn files_lose_what_the_search_predicts() {
    for changes in [&[][..], &["singles=groups", "zero=ranked"], &["special=second_tile", "copies=push"]] {
        let game = game(changes);
        let problem = Problem::new(&game);
        let lists = problem.lists(3, 2, &Control::default()).unwrap();
        assert_eq!(lists.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 3]);
        for list in lists {
            let way = Way::load(&problem.list_file("list", &list)).unwrap();
            assert_eq!(problem.loss_of(&way), problem.total(&list), "{changes:?}: {list:?}");
        }
    }
}

/// A rule's best corner is the best of all corners, each of which is tried.
#[test]
fn corners_are_the_best_of_all() {
    let game = game(&[]);
    let mut problem = Problem::new(&game);
    problem.hands = problem.hands.into_iter().step_by(50).collect();
    let last = Rule { keep: None, unless: None, low: true, points: false };
    let mut list = vec![last];
    problem.insert(&mut list, 0);
    let best = problem.refit(&mut list);
    let changed = |change: &dyn Fn(&mut Rule)| {
        let mut list = list.clone();
        change(&mut list[0]);
        problem.total(&list)
    };
    assert_eq!(best, changed(&|_| ()));
    for corner in (0..problem.halves.len()).flat_map(|low| (0..problem.halves.len()).map(move |high| [low, high])) {
        assert!(best <= changed(&|rule| rule.keep = Some(corner)), "{corner:?}");
        assert!(best <= changed(&|rule| rule.unless = Some(corner)), "{corner:?}");
    }
}

#[test]
fn the_rating_closes_most_of_the_gap() {
    let game = game(&[]);
    let problem = Problem::new(&game);
    let values = problem.rating(&Control::default()).unwrap();
    let way = Way::load(&problem.rating_file("rating", &values)).unwrap();
    assert_eq!(problem.loss_of(&way), problem.rated(&values));
    assert_eq!(problem.loss_of(&game.way), 110_221_940);
    assert!(problem.rated(&values) * 100 <= 110_221_940 * 6, "{}", problem.rated(&values));
}

/// The solver finds the reported values for the files.
#[test]
fn files_have_the_reported_values() {
    let found = search(&game(&[]), &(2..=3), 1, &Control::default()).unwrap();
    let json = &found.answer.json;
    let ways = json["ways"].as_array().unwrap();
    assert_eq!(found.files.len(), 3);
    for (way, (path, toml)) in ways.iter().chain([&json["rating"]]).zip(&found.files) {
        assert_eq!(way["file"], *path);
        let solver = SOLVER.solver(&SolverConfig::default().option("player", toml)).unwrap();
        let solved = solver.solve(&Control::default()).unwrap().json;
        assert_eq!(way["ev_exact"], solved["ev_exact"], "{path}");
        let optimal = solved["optimal_ev"]["value"].as_f64().unwrap();
        assert!((optimal - solved["ev"].as_f64().unwrap() - way["regret"].as_f64().unwrap()).abs() < 1e-12, "{path}");
    }
    let question = WayQuestion::Search { length: 2..=3, width: 1 };
    let again = SOLVER.ways.unwrap()(&SolverConfig::default(), &question, &Control::default()).unwrap();
    assert!(again.files == found.files && again.answer.json == *json);
}

/// The bar for short lists against the traditional house way.
#[test]
#[ignore = "takes a minute; the list of eight rules closes 80% of the gap"]
fn eight_rules_close_most_of_the_gap() {
    let game = game(&[]);
    let problem = Problem::new(&game);
    let list = problem.lists(8, 4, &Control::default()).unwrap().pop().unwrap();
    let loss = problem.loss_of(&Way::load(&problem.list_file("list", &list)).unwrap());
    assert!(list.len() == 8 && loss * 5 <= 110_221_940);
}
