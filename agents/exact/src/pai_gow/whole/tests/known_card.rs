//! Tests that compare hands with a known card with the evaluator for single hands, and consistency checks.

use super::super::*;
use super::with_progress;
use crate::Ratio;
use crate::pai_gow::tests::{any_legal, arbitrary, game};
use crate::pai_gow::{BankerTable, HandEvaluator, KnownCards};
use houseway_env::cards::{CardSet, Rank};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, Setting};
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rules that differ in ties and pushes, each with a banker who sets in an arbitrary way.
static BANKERS: LazyLock<[(Game, BankerTable); 2]> =
    LazyLock::new(|| [&[][..], &["copies=pushed", "bank-pushes=nine_high_front"]].map(arbitrary));

fn shard(index: usize, of: usize) -> Run<'static> {
    Run { shard: Shard::new(index, of).unwrap(), ..Run::default() }
}

fn known_card_pass<'a>(game: &'a Game, banker: &BankerTable) -> Pass<'a> {
    Pass::new(game, Side::Player, banker).without_dominated()
}

/// Compares every `every`-th pair of a class and a known card with the evaluator for single hands.
fn compare_with_hand_evaluator((game, banker): &(Game, BankerTable), run: &Run<'_>, every: usize) {
    let (whole, evaluator) = (known_card_pass(game, banker), HandEvaluator::new(game, banker));
    let payoff = Payoff::player(&game.rules());
    let visit = |seen: &mut usize, counts: &KnownCardCounts<'_>| {
        *seen += 1;
        if *seen % every != 1 {
            return;
        }
        let (hand, card) = (counts.class.hand, counts.card);
        let expected = evaluator.count(KnownCards::new(hand, CardSet::EMPTY.with(card)).unwrap());
        for setting in counts.class.legal_settings() {
            let (i, expected) = (setting.index(), expected.get(setting).unwrap());
            let found = (counts.wins[i].into(), counts.losses[i].into());
            assert_eq!(found, (expected.wins, expected.losses), "{hand}, {card} and {setting:?}");
        }
        // Leaving out settings doesn't affect the gain of the best one, either with or without the known card.
        let best = counts.class.legal_settings().map(|setting| counts.gain(setting, payoff)).max().unwrap();
        let gain = |setting: Setting| expected.get(setting).unwrap().gain(payoff) as i64;
        assert_eq!(best, gain(expected.best()), "{hand} and {card}");
        let without = evaluator.count(hand).best();
        assert_eq!(counts.gain(counts.class.best(payoff), payoff), gain(without), "{hand} and {card}");
    };
    let seen = whole.fold_known_cards(run, || 0, visit, |a, b| a + b).unwrap();
    assert!(seen > 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn known_cards_match_the_hand_evaluator(rules in 0..2usize, piece in 0..Shard::MAX, every in 150..250usize) {
        compare_with_hand_evaluator(&BANKERS[rules], &shard(piece, Shard::MAX), every);
    }
}

#[test]
fn known_cards_leave_the_counts_unchanged_on_average() {
    // Each banker hand lacks 39 of the 46 cards that the player doesn't hold.
    const LACKING: u64 = 46 - Hand::CARDS as u64;
    let whole = known_card_pass(game(), any_legal());
    type Sums = HashMap<Hand, (CardSet, ClassCounts, [[u64; 2]; Setting::COUNT])>;
    let visit = |sums: &mut Sums, counts: &KnownCardCounts<'_>| {
        let hand = counts.class.hand;
        let start = || (CardSet::EMPTY, counts.class.clone(), Default::default());
        let (cards, _, sums) = sums.entry(hand).or_insert_with(start);
        assert!(!cards.union(hand.set()).contains(counts.card), "{hand} and {}", counts.card);
        cards.insert(counts.card);
        for (i, [wins, losses]) in sums.iter_mut().enumerate() {
            *wins += u64::from(counts.wins[i]);
            *losses += u64::from(counts.losses[i]);
        }
    };
    // A thread visits all known cards of a hand, so the results of two threads have no hand in common.
    let sums =
        whole.fold_known_cards(&shard(9, 900), Sums::new, visit, |a, b| a.into_iter().chain(b).collect()).unwrap();
    assert!(sums.len() > 1000, "{}", sums.len());
    for (hand, (cards, class, sums)) in sums {
        assert_eq!(cards.union(hand.set()), CardSet::DECK_53, "{hand}");
        for i in class.legal_settings().map(Setting::index) {
            assert_eq!(sums[i], [class.wins[i], class.losses[i]].map(|hands| LACKING * u64::from(hands)), "{hand}");
        }
    }
}

#[test]
fn totals_are_consistent() {
    let (whole, without) = (known_card_pass(game(), any_legal()), Pass::new(game(), Side::Player, any_legal()));
    let payoff = Payoff::player(&game().rules());
    let run = shard(9, 900);
    let (values, hands) = with_progress(run.shard, |run| whole.known_card_values(run).unwrap());
    assert_consistent(&values, without.totals(&[Play::Best(payoff)], &run).unwrap()[0], hands);
    let all = values.all();
    assert!(all.gain(payoff) > Ratio::ZERO && (1..all.pairs).contains(&all.changed));
    let [first, second] = [9, 909].map(|index| whole.known_card_values(&shard(index, 1800)).unwrap().all());
    assert_eq!(first.plus(second), all);
    let stop = AtomicBool::new(false);
    let tell = |_, _| stop.store(true, Ordering::Relaxed);
    assert_eq!(whole.known_card_values(&Run { progress: Some(&tell), cancel: Some(&stop), ..run }), Err(Cancelled));
}

/// Asserts that the totals over all known cards agree with the totals without a known card.
fn assert_consistent(values: &KnownCardValues, without: DealCounts, hands: u64) {
    let all = values.all();
    assert_eq!((all.pairs, all.with.all()), (46 * hands, 46 * hands * 45_379_620));
    assert_eq!([all.without.wins, all.without.losses], [without.wins, without.losses].map(|deals| 39 * deals));
    let cards = Rank::ALL.map(Some).into_iter().chain([None]);
    assert_eq!(cards.map(|rank| values.of(rank).pairs).sum::<u64>(), all.pairs);
}

#[test]
#[ignore = "takes 3 min; evaluates all 7,090,581,680 pairs of a hand and a known card"]
fn a_known_card_of_the_full_game_gains_little() {
    let way = HouseWay::compile(Way::named(Way::DEFAULT).unwrap(), game()).unwrap();
    let banker = BankerTable::new(&way);
    let payoff = Payoff::player(&game().rules());
    let values = known_card_pass(game(), &banker).known_card_values(&Run::default()).unwrap();
    let without = Pass::new(game(), Side::Player, &banker).totals(&[Play::Best(payoff)], &Run::default()).unwrap()[0];
    assert_consistent(&values, without, 154_143_080);
    let all = values.all();
    assert_eq!((all.pairs, all.changed), (7_090_581_680, 118_654_336));
    // 0.0031% of the stake. The sampled gain in the report on known cards was 0.0032%.
    assert_eq!(all.gain(payoff), Ratio::new(7_210_219_057_417, 229_834_215_869_544_000));
    let gain = |rank: &Option<Rank>| values.of(*rank).gain(payoff);
    let cards = || Rank::ALL.map(Some).into_iter().chain([None]);
    assert_eq!((cards().max_by_key(gain), cards().min_by_key(gain)), (Some(Some(Rank::Ace)), Some(Some(Rank::Six))));
}
