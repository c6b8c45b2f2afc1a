//! Tests against a slow reference implementation and against published numbers.

mod house_way;
pub(crate) mod slow;
mod variants;

use super::whole::{ClassCounts, Pass, Run, Shard, Side};
use super::{BankerTable, HandEvaluator};
use houseway_env::pai_gow::{Game, Setting};

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
