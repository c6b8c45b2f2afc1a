//! Tests that compare pairs with single hands and with the pure strategies they consist of.

use super::*;
use crate::Ratio;
use crate::pai_gow::outcomes::RANDOM_WEIGHT;
use crate::pai_gow::tests::{classes, rules};
use crate::pai_gow::{BankerTable, ClassTable, HandCounts, HandEvaluator, MixedTable, count_against_mixed};
use houseway_env::cards::profile::Profile;
use houseway_env::pai_gow::Rules;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Compares a shard with the mean over each hand's legal settings, computed with the hand engine.
#[test]
fn a_shard_matches_the_hand_engine() {
    let game = Game::new(Rules::default());
    let way = HouseWay::shared(Way::named("foxwoods").unwrap(), &game).unwrap();
    let table = BankerTable::new(&*way);
    let run = Run { shard: Shard::new(7, 9_000).unwrap(), ..Run::default() };
    for side in [Side::Player, Side::Banker] {
        let sides = match side {
            Side::Player => [SideStrategy::Random, (&way).into()],
            Side::Banker => [(&way).into(), SideStrategy::Random],
        };
        let pair = Pair::new(sides, &game, BankedBy::House).unwrap();
        let mut expected = OutcomeWeights::default();
        let hands = classes(&pair.pass, run.shard);
        assert!(hands.len() > 100);
        for ClassCounts { hand, orbit, .. } in hands {
            let counts: HandCounts = HandEvaluator::new(&game, &table).count_for(side, hand);
            let legal: Vec<_> = counts.settings().iter().flatten().collect();
            let weight = u128::from(orbit) * u128::from(RANDOM_WEIGHT) / legal.len() as u128;
            for counts in legal {
                expected.wins += weight * u128::from(counts.wins);
                expected.pushes += weight * u128::from(counts.pushes);
                expected.losses += weight * u128::from(counts.losses);
                expected.copies_front += weight * u128::from(counts.copies_front);
                expected.copies_back += weight * u128::from(counts.copies_back);
            }
        }
        let expected = if side == Side::Player { expected } else { expected.other_side() };
        assert_eq!(pair.count(&run, &[]).unwrap(), expected);
    }
}

/// Mixes two house ways, with probability 1/4 for the first one.
fn quarter(tables: &[BankerTable; 2]) -> MixedTable {
    let [one, other] = tables;
    let sets = Profile::all().map(|profile| match (one.set(profile), other.set(profile)) {
        (one, other) if one == other => vec![(one, 4096)],
        (one, other) => vec![(one, 1024), (other, 3072)],
    });
    MixedTable::new("quarter", sets).unwrap()
}

/// Adds up weights after multiplying them by factors.
fn weighted_sum(parts: impl IntoIterator<Item = (u128, DealCounts)>) -> OutcomeWeights {
    let times = |factor, counts: DealCounts| OutcomeWeights::from(counts).times(factor);
    parts.into_iter().fold(OutcomeWeights::default(), |sum, (factor, counts)| sum.plus(times(factor, counts)))
}

#[test]
fn mixed_strategies_have_the_mean_outcomes_of_their_parts() {
    for changes in [&[][..], &["copies=pushed", "bank-pushes=nine_high_front"]] {
        let game = Game::new(rules(changes));
        let ways = ["foxwoods", "trump-plaza"].map(|way| HouseWay::shared(Way::named(way).unwrap(), &game).unwrap());
        let tables = ways.each_ref().map(|way| BankerTable::new(&**way));
        let table = Tabulated::from(ClassTable::from_strategy(&*ways[0]));
        let mixed = quarter(&tables);
        mixed.check_legal(&game).unwrap();
        let run = Run { shard: Shard::new(11, 3_000).unwrap(), ..Run::default() };
        // The player's outcomes for the first and the second way on each side.
        let pure = |side: Side| {
            let against = |other: &BankerTable| {
                let whole = Pass::new(&game, side, other).with_copies();
                let totals = whole.totals(&tables.each_ref().map(Play::Profiles), &run).unwrap();
                [totals[0], totals[1]]
            };
            let [first, second] = [against(&tables[0]), against(&tables[1])];
            match side {
                Side::Player => [[first[0], second[0]], [first[1], second[1]]],
                Side::Banker => [first, second].map(|row| row.map(DealCounts::other_side)),
            }
        };
        let [players, bankers] = [Side::Player, Side::Banker].map(pure);
        let (way, mixed) = (Tabulated::from(Arc::clone(&ways[0])), Tabulated::from(mixed));
        let parts = [1024, 3072];
        let count = |player: &Tabulated, banker: &Tabulated| {
            let pair = Pair::new([player.into(), banker.into()], &game, BankedBy::House).unwrap();
            let counts = pair.count(&run, &[]).unwrap();
            (pair.side(), counts)
        };
        let by_player = (0..2).map(|i| (parts[i], players[i][0]));
        assert_eq!(count(&mixed, &way), (Side::Player, weighted_sum(by_player)));
        let by_banker = (0..2).map(|i| (parts[i], bankers[0][i]));
        assert_eq!(count(&way, &mixed), (Side::Banker, weighted_sum(by_banker)));
        let by_banker = (0..2).map(|i| (parts[i], players[0][i]));
        assert_eq!(count(&table, &mixed), (Side::Player, weighted_sum(by_banker)));
        let by_player = (0..2).map(|i| (parts[i], bankers[i][0]));
        assert_eq!(count(&mixed, &table), (Side::Banker, weighted_sum(by_player)));
        let pairs = (0..4).map(|i| (parts[i / 2] * parts[i % 2], players[i / 2][i % 2]));
        assert_eq!(count(&mixed, &mixed), (Side::Player, weighted_sum(pairs)));
    }
}

#[test]
#[ignore = "takes 2 min to evaluate all hands of a shard one by one, on either side and for either bank"]
fn best_responses_to_mixed_strategies_match_the_hand_engine() {
    let game = Game::new(Rules::default());
    let ways = ["foxwoods", "trump-plaza"].map(|way| HouseWay::shared(Way::named(way).unwrap(), &game).unwrap());
    let mixed = Tabulated::from(quarter(&ways.each_ref().map(|way| BankerTable::new(&**way))));
    for (side, bank) in
        [(Side::Player, BankedBy::House), (Side::Banker, BankedBy::House), (Side::Banker, BankedBy::Player)]
    {
        let sides = match side {
            Side::Player => [SideStrategy::Optimal, (&mixed).into()],
            Side::Banker => [(&mixed).into(), SideStrategy::Optimal],
        };
        let pair = Pair::new(sides, &game, bank).unwrap();
        assert_eq!((pair.weight(), pair.side()), (4096, side));
        let collect =
            |all: &mut Vec<_>, some: &[ClassCounts<i64>]| all.extend(some.iter().map(|it| (it.hand, it.orbit)));
        let runs = (5_211..5_411).map(|i| Run { shard: Shard::new(i, 20_000).unwrap(), ..Run::default() });
        let hands =
            |run: Run<'static>| (pair.pass.fold_weights(&run, Vec::new, collect, |a, b| [a, b].concat()).unwrap(), run);
        // The hand engine takes a tenth of a second for each hand.
        let found = runs.map(hands).filter(|(hands, _)| hands.len() > 10);
        let (hands, run) = found.min_by_key(|(hands, _)| hands.len()).unwrap();
        let payoff = bank.payoff_of(side, &game.rules());
        let mut gain = 0;
        for (hand, orbit) in hands {
            let counts = count_against_mixed(&game, side, mixed.mixed().unwrap(), hand);
            let gains = counts.settings().iter().flatten().map(|it| payoff.gain(it.wins as i64, it.losses as i64));
            gain += i128::from(orbit) * i128::from(gains.max().unwrap());
        }
        let counts = pair.count(&run, &[]).unwrap();
        let counts = if side == Side::Player { counts } else { counts.other_side() };
        let found = counts.wins as i128 * i128::from(payoff.win_millionths())
            - counts.losses as i128 * i128::from(payoff.loss_millionths());
        assert_eq!(found, gain, "{side:?} {bank:?}");
    }
    let random = Pair::new([SideStrategy::Random, (&mixed).into()], &game, BankedBy::House).err().unwrap();
    assert!(random.to_string().contains("use a pure strategy"), "{random}");
}

#[test]
fn stored_and_new_pairs_equal_separate_passes() {
    let game = Game::new(Rules::default());
    let ways = ["foxwoods", "trump-plaza"].map(|way| HouseWay::shared(Way::named(way).unwrap(), &game).unwrap());
    let mixed = Tabulated::from(quarter(&ways.each_ref().map(|way| BankerTable::new(&**way))));
    let [one, other] = ways.each_ref().map(SideStrategy::from);
    let (mixed, optimal, random) = (SideStrategy::from(&mixed), SideStrategy::Optimal, SideStrategy::Random);
    let pairs = [
        [&one, &other],
        [&optimal, &other],
        [&one, &mixed],
        [&random, &other],
        [&one, &optimal],
        [&optimal, &other],
        [&mixed, &other],
    ];
    let pairs = pairs.map(|pair| pair.map(SideStrategy::clone));
    let folder = std::env::temp_dir().join(format!("houseway-pairs-test-{}", std::process::id()));
    let store = PassStore::open(&folder, |_| {}).unwrap();
    let payoffs = BankedBy::House.payoffs(&game.rules());
    let run = Run { shard: Shard::new(5, 6_000).unwrap(), ..Run::default() };
    let expected =
        |pair: &[SideStrategy; 2]| Pair::new(pair.clone(), &game, BankedBy::House).unwrap().count(&run, &[]).unwrap();
    let expected: Vec<OutcomeWeights> = pairs.iter().map(expected).collect();
    assert_eq!(outcomes(&store, &game, &pairs[1..3], payoffs, &run).unwrap(), expected[1..3]);
    assert_eq!(outcomes(&store, &game, &pairs, payoffs, &run).unwrap(), expected);
    // All of them are stored, so that a canceled run still has results.
    let cancel = AtomicBool::new(true);
    let cancelled = Run { cancel: Some(&cancel), ..run };
    assert_eq!(outcomes(&store, &game, &pairs, payoffs, &cancelled).unwrap(), expected);
    // Other payoffs and shards are other questions, except for pairs without a best response.
    let ask = |payoffs, run| outcomes(&store, &game, &pairs[..1], payoffs, run);
    assert_eq!(ask([Payoff::EVEN; 2], &cancelled).unwrap(), expected[..1]);
    assert!(outcomes(&store, &game, &pairs, [Payoff::EVEN; 2], &cancelled).is_err());
    let whole = Run { shard: Shard::WHOLE, ..cancelled };
    assert!(ask(payoffs, &whole).is_err());
    // Even with a valid seal, totals must be complete.
    let question = entry_of(&pairs[0], &game, payoffs, run.shard);
    for change in [|it: &mut OutcomeWeights| it.wins += 1, |it: &mut OutcomeWeights| it.losses = u128::MAX] {
        let mut counts = expected[0];
        change(&mut counts);
        store.put(&question, &counts);
        assert!(ask(payoffs, &cancelled).is_err());
        assert_eq!(ask(payoffs, &run).unwrap(), expected[..1]);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_14_pairs_of_equal_cards_stand_for_all_82() {
    let mut all = 0;
    for (cards, ways) in equal_cards() {
        let ranks: Vec<_> = cards.iter().map(|card| card.rank().unwrap_or(Rank::Ace)).collect();
        assert_eq!((ranks.len(), ranks[0]), (2, ranks[1]));
        all += ways;
    }
    assert_eq!((equal_cards().len(), all), (14, 13 * 6 + 4));
}

#[test]
fn no_push_games_refuse_what_they_do_not_settle() {
    let pair = |sides: [&str; 2], rules: &str| {
        let game = Game::new(Rules::default().with(rules).unwrap());
        let sides = SideStrategy::load(sides, &[], &game, &Run::default()).unwrap();
        Pair::new(sides, &game, BankedBy::House).unwrap().without_pushes().map(|pair| pair.question.no_push)
    };
    assert!(pair(["trump-plaza"; 2], "commission=0").unwrap());
    for (sides, rules, part) in [
        (["optimal", "trump-plaza"], "commission=0", "not 'optimal' against 'trump-plaza'"),
        (["random", "trump-plaza"], "commission=0", "between house ways"),
        (["trump-plaza"; 2], "bank-pushes=nine_high_front", "leave out the rule 'bank-pushes'"),
    ] {
        let error = pair(sides, rules).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// The value is that of an independent computation. Wizard of Odds, "No Push Pai Gow", has 3.898% from a simulation.
#[test]
#[ignore = "takes 20 min; enumerates all deals without each of 14 pairs of cards"]
fn no_push_pai_gow_has_the_exact_edge() {
    let game = Game::new(Rules::default().with("commission=0").unwrap());
    let sides = SideStrategy::load(["trump-plaza"; 2], &[], &game, &Run::default()).unwrap();
    let pair = Pair::new(sides, &game, BankedBy::House).unwrap().without_pushes().unwrap();
    let totals = PairTotals::new(pair.question.clone(), None, pair.count(&Run::default(), &[]).unwrap());
    assert_eq!((totals.weight, totals.counts.pushes), (1_482, 0));
    assert_eq!(totals.ev(), Ratio::new(-57_525_532_829_019_769, 1_528_397_535_532_467_600));
    assert_eq!(totals.banker_ev(), -totals.ev());
}
