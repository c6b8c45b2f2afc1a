//! Tests against a slow reference implementation and against published numbers.

mod house_way;
pub(crate) mod slow;
mod variants;

use super::whole::{ClassCounts, Pass, Run, Shard, Side};
use super::{AnyLegal, BankerTable, HandEvaluator};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules, Setting};
use std::sync::LazyLock;

/// Hands that cover special cases, such as every use of the joker, flushes, straight flushes, wheels and many equal
/// ranks.
pub(super) const SPECIAL: [&str; 14] = [
    "As Ad Ah Ac Jk Kd Kc",
    "Jk As Ks Qs Js Td 9d",
    "As 2s 3s 4s 5s 6s 7s",
    "Jk 2s 3s 4s 5s 6d 7h",
    "As Ks 9s 7s 5s 3s 2s",
    "Jk Ks 9s 7s 5d 3d 2d",
    "Ah Kd Qh 9c 7d 5h 3s",
    "2s 2h 2d 2c 3s 3h 3d",
    "Jk As Ad Ah Ks Qs Js",
    "Kh Kd Qh Qd Jh Jd Ts",
    "Jk Kh Kd Qh Qd Jh Jd",
    "Ac 2d 3h 4s 5c 5d 5h",
    "7s 6s 5s 4h 3h 2h Jk",
    "Ts Td 8s 7s 6s 5s 2h",
];

/// Returns the game with the default rules.
pub(super) fn game() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| Game::new(Rules::default()));
    &GAME
}

/// Returns a table of arbitrary settings under the default rules.
pub(super) fn any_legal() -> &'static BankerTable {
    static TABLE: LazyLock<BankerTable> = LazyLock::new(|| BankerTable::new(&AnyLegal::new(game(), 7)));
    &TABLE
}

/// Returns the default rules with these changes.
pub(super) fn rules(changes: &[&str]) -> Rules {
    changes.iter().fold(Rules::default(), |rules, change| rules.with(change).unwrap())
}

/// Returns a game and the other side's table. It plays arbitrary settings, which split pairs in queen-high hands, break up
/// straights, and use the joker in ways that no house way does.
pub(super) fn arbitrary(changes: &[&str]) -> (Game, BankerTable) {
    let game = Game::new(rules(changes));
    let table = BankerTable::new(&AnyLegal::new(&game, 7));
    (game, table)
}

pub(super) fn trump_plaza(game: &Game) -> HouseWay {
    HouseWay::compile(Way::named("trump-plaza").unwrap(), game).unwrap()
}

/// Returns all classes in a shard, sorted by hand.
pub(super) fn classes(pass: &Pass<'_>, shard: Shard) -> Vec<ClassCounts> {
    let run = Run { shard, ..Run::default() };
    let visit = |all: &mut Vec<ClassCounts>, some: &[ClassCounts]| all.extend_from_slice(some);
    let mut all = pass.fold(&run, Vec::new, visit, |a, b| [a, b].concat()).unwrap();
    all.sort_by_key(|class| class.hand.set());
    all
}

/// Compares every `every`-th class in a shard with the evaluator for single hands. Returns the number of comparisons.
pub(super) fn compare_with_hand_engine(
    game: &Game,
    table: &BankerTable,
    side: Side,
    shard: Shard,
    every: usize,
) -> usize {
    let whole = Pass::new(game, side, table).with_copies();
    let counter = HandEvaluator::new(game, table);
    let visit = |(seen, compared): &mut (usize, usize), classes: &[ClassCounts]| {
        for class in classes {
            *seen += 1;
            if *seen % every == 0 {
                let expected = counter.count_for(side, class.hand);
                for setting in Setting::all() {
                    let (found, rules) = (class.get(setting), game.rules().changes());
                    assert_eq!(found, expected.get(setting), "{rules:?} {side:?} {} {setting:?}", class.hand);
                }
                *compared += 1;
            }
        }
    };
    let run = Run { shard, ..Run::default() };
    whole.fold(&run, || (0, 0), visit, |a, b| (a.0 + b.0, a.1 + b.1)).unwrap().1
}
