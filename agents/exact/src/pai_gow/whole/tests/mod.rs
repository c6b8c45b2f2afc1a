//! Tests that compare the full game with the evaluator for single hands, and consistency checks.

mod known_card;
mod mixed;

use super::shard::Piece;
use super::sweep::CountBuffers;
use super::*;
use crate::pai_gow::tests::{any_legal, arbitrary, classes, compare_with_hand_engine, game};
use crate::pai_gow::{AnyLegal, BANKER_HANDS, BankerTable, HandEvaluator};
use houseway_env::pai_gow::{Game, Hand, ProfileTable, Rules};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Evaluates something in a shard, and returns the result and the number of hands. Progress must end with all of them.
pub(super) fn with_progress<T>(shard: Shard, evaluate: impl FnOnce(&Run<'_>) -> T) -> (T, u64) {
    let hands = Mutex::new((0, 0));
    let tell = |done: u64, all: u64| {
        let mut hands = hands.lock().unwrap();
        *hands = (hands.0.max(done), all);
    };
    let found = evaluate(&Run { shard, progress: Some(&tell), cancel: None });
    let (done, all) = *hands.lock().unwrap();
    assert!(done == all && all > 0);
    (found, all)
}

#[test]
fn classes_match_the_hand_evaluator() {
    for side in [Side::Player, Side::Banker] {
        let compared = compare_with_hand_engine(game(), any_legal(), side, Shard::new(7, 400).unwrap(), 53);
        assert!(compared > 100, "{compared}");
    }
}

#[test]
fn shards_add_up_and_report_progress() {
    let whole = Pass::new(game(), Side::Player, any_legal());
    let payoff = Payoff::player(&game().rules());
    assert_eq!((Shard::WHOLE.deals(), super::shard::pieces().len()), (8_250_459_031_214_400, Shard::MAX));
    let totals = |shard: Shard| {
        let plays = [Play::Profiles(any_legal()), Play::Best(payoff)];
        let (totals, hands) = with_progress(shard, |run| whole.totals(&plays, run).unwrap());
        assert_eq!([totals[0].all(); 2], [hands * BANKER_HANDS, shard.deals()]);
        totals
    };
    let [whole, first, second] = [(3, 300), (3, 600), (303, 600)].map(|(i, n)| totals(Shard::new(i, n).unwrap()));
    let both: Vec<DealCounts> = first.into_iter().zip(second).map(|(a, b)| a.plus(b)).collect();
    assert_eq!(whole, both);
    let [own, best] = [whole[0], whole[1]].map(|total| total.ev(payoff));
    assert!(best > own);
    assert!(Shard::new(3, 3).is_none());
}

#[test]
fn a_cancelled_run_returns_an_error() {
    let whole = Pass::new(game(), Side::Player, any_legal());
    let stop = AtomicBool::new(false);
    let tell = |_, _| stop.store(true, Ordering::Relaxed);
    let run = Run { progress: Some(&tell), cancel: Some(&stop), ..Run::default() };
    assert_eq!(whole.totals(&[Play::Profiles(any_legal())], &run), Err(Cancelled));
}

#[test]
fn a_strategy_only_needs_the_settings_that_it_plays() {
    let mut shards = (0..).map(|i| Shard::new(57 * i % 1_800, 1_800).unwrap());
    for changes in ["copies=banker", "copies=player", "copies=pushed", "bank-pushes=nine_high_front", "joker=wild"] {
        let game = Game::new(Rules::default().with(changes).unwrap());
        let [own, other] = [3, 4].map(|seed| BankerTable::new(&AnyLegal::new(&game, seed)));
        let simple = BankerTable::new(&ProfileTable::max_back(&game));
        for side in [Side::Player, Side::Banker] {
            let run = Run { shard: shards.next().unwrap(), ..Run::default() };
            for whole in [Pass::new(&game, side, &other), Pass::new(&game, side, &other).with_halves()] {
                let best = Play::Best(Payoff::player(&game.rules()));
                let [own, simple] = [&own, &simple].map(Play::Profiles);
                for plays in [vec![own], vec![simple], vec![best], vec![own, best], vec![simple, own, best]] {
                    let totals = whole.totals_of(&plays, &plays, &run).unwrap();
                    assert_eq!(totals, whole.totals(&plays, &run).unwrap(), "{changes} {side:?}");
                    assert!(totals.iter().all(|total| total.all() == run.shard.deals()));
                }
            }
        }
    }
}

#[test]
fn a_best_response_never_needs_dominated_settings() {
    let mut shards = (0..).map(|i| Shard::new(23 * i % 600, 600).unwrap());
    for changes in ["copies=banker", "copies=player", "copies=pushed", "joker=wild", "wheel-straight-flush=lowest"] {
        let game = Game::new(Rules::default().with(changes).unwrap());
        let other = BankerTable::new(&AnyLegal::new(&game, 5));
        for side in [Side::Player, Side::Banker] {
            let (payoff, shard) = (Payoff::player(&game.rules()), shards.next().unwrap());
            let bests = |whole: Pass<'_>| {
                let best = |class: &ClassCounts| class.gain(class.best(payoff), payoff);
                let classes = classes(&whole, shard);
                let bests = classes.iter().map(|class| (class.hand, best(class), class.legal.count_ones()));
                bests.collect::<Vec<(Hand, i64, u32)>>()
            };
            let [all, fewer] =
                [bests(Pass::new(&game, side, &other)), bests(Pass::new(&game, side, &other).without_dominated())];
            assert_eq!(all.len(), fewer.len());
            assert!(
                all.iter().zip(&fewer).all(|(all, fewer)| (all.0, all.1) == (fewer.0, fewer.1)),
                "{changes} {side:?}"
            );
            let settings = |bests: &[(Hand, i64, u32)]| bests.iter().map(|(.., settings)| settings).sum::<u32>();
            assert!(settings(&fewer) < settings(&all));
        }
    }
}

#[test]
fn open_classes_match_the_hand_evaluator() {
    let (game, table) = arbitrary(&["bank-pushes=ace_high_pai_gow"]);
    let (whole, counter) = (Pass::new(&game, Side::Player, &table), HandEvaluator::new(&game, &table));
    let count = |piece: &Piece, _: &_, buffers: &mut CountBuffers, (seen, compared): &mut (u64, usize)| {
        whole.count_open(piece, buffers, |hand, orbit, counts| {
            *seen += u64::from(orbit);
            if *seen % 53 == 0 {
                assert_eq!(counter.count_open(hand), counts, "{hand}");
                *compared += 1;
            }
        });
    };
    let run = Run { shard: Shard::new(7, 400).unwrap(), ..Run::default() };
    let (seen, compared) = whole.fold_pieces(&run, || (0, 0), count, |a, b| (a.0 + b.0, a.1 + b.1)).unwrap();
    assert!(compared > 100 && seen * BANKER_HANDS == run.shard.deals(), "{compared}");
    assert_eq!(whole.open_total(&run).unwrap().all(), run.shard.deals());
    let stop = AtomicBool::new(true);
    assert_eq!(whole.open_total(&Run { cancel: Some(&stop), ..run }), Err(Cancelled));
}
