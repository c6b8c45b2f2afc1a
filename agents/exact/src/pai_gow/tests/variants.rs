//! Tests rule variants, alone and combined. The hand evaluator is compared with brute-force enumeration, the full game
//! with the hand evaluator, and results with published numbers.

use super::{arbitrary, compare_with_hand_engine, rules, trump_plaza};
use crate::Ratio;
use crate::pai_gow::banking::{BankedBet, player_ev};
use crate::pai_gow::whole::{DealCounts, Pass, Payoff, Play, Run, Shard, Side};
use crate::pai_gow::{AnyLegal, BankerTable, HandEvaluator, slow};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::{Game, Hand, ProfileTable, Rules};

/// The options of each variant that aren't the default.
const VARIANTS: [&[&str]; 4] = [
    &["copies=player", "copies=pushed"],
    &["bank-pushes=nine_high_front", "bank-pushes=queen_high_pai_gow"],
    &["wheel-straight=lowest"],
    &["joker=wild", "joker=face_card"],
];

/// Returns every variant on its own, and every pair of variants.
fn singles_and_pairs() -> Vec<Vec<&'static str>> {
    let mut sets = vec![];
    for (i, variant) in VARIANTS.iter().enumerate() {
        sets.extend(variant.iter().map(|&option| vec![option]));
        for other in &VARIANTS[i + 1..] {
            sets.extend(variant.iter().flat_map(|&first| other.iter().map(move |&second| vec![first, second])));
        }
    }
    sets
}

/// Returns every combination with one option from each variant, including the defaults.
fn all_together() -> Vec<Vec<&'static str>> {
    let mut sets = vec![vec![]];
    for variant in VARIANTS {
        let with = |set: &Vec<&'static str>| -> Vec<Vec<&'static str>> {
            let more = variant.iter().map(|&option| [&set[..], &[option]].concat());
            std::iter::once(set.clone()).chain(more).collect()
        };
        sets = sets.iter().flat_map(with).collect();
    }
    sets
}

fn hands(texts: &[&str]) -> Vec<Hand> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// The numbers of opposing hands with each profile, for several hands.
fn tallies(hands: &[Hand]) -> Vec<(Hand, slow::ProfileCounts)> {
    hands.iter().map(|&hand| (hand, slow::ProfileCounts::enumerate(hand))).collect()
}

/// Compares the hand evaluator with enumeration, for both sides.
fn compare_with_enumeration(game: &Game, table: &BankerTable, tallies: &[(Hand, slow::ProfileCounts)]) {
    let counter = HandEvaluator::new(game, table);
    for (hand, tally) in tallies {
        for side in Side::ALL {
            let expected = tally.count(game, side, table);
            assert_eq!(counter.count_for(side, *hand), expected, "{:?} {side:?} {hand}", game.rules().changes());
        }
    }
}

/// Hands that tell the variants apart. They include a nine-high front, a queen-high pai gow, wheels, and the joker with
/// singles, pairs, a flush or four of a kind.
const TELLING: [&str; 10] = [
    "Qh Jd 9c 8s 6h 4d 2c",
    "Jk Ks 9d 8c 6h 4d 2s",
    "As 2d 3h 4c 5s 9d 8c",
    "Jk 2d 3h 4c 5s Kd Kc",
    "Jk 7s 7h 7d 7c 3s 3h",
    "Jk As Qs 9s 5s 5d 4c",
    "Qs Js Ts 9s 7s 4d 2c",
    "As Ad Ah Ac Jk Kd Kc",
    "Qh Qd 9c 8s 6h 4d 2c",
    "7s 7d 5h 5c 4d 3s 2h",
];

#[test]
fn every_variant_and_pair_matches_enumeration_and_the_hand_evaluator() {
    let tallies = tallies(&hands(&TELLING[..2]));
    for (i, change) in singles_and_pairs().iter().enumerate() {
        let (game, table) = arbitrary(change);
        compare_with_enumeration(&game, &table, &tallies[i % 2..][..1]);
        // Use a different shard each time. Every shard has sets of seven ranks and sets with the joker.
        let compared = compare_sides_with_hand_engine(&game, &table, Shard::new(31 * i, 1_200).unwrap(), 151);
        assert!(compared > 20, "{change:?}: {compared}");
    }
}

#[test]
#[ignore = "takes 3 min to check all 36 combinations of variants on hands from across the profiles, for both sides"]
fn all_combinations_of_variants_match_enumeration() {
    let spread = Profile::all().step_by(11_003).map(|profile| Profiles::get().representative(profile));
    let spread = spread.map(|cards| Hand::new(cards).unwrap());
    let tallies = tallies(&spread.chain(hands(&TELLING)).collect::<Vec<_>>());
    for change in all_together() {
        let (game, table) = arbitrary(&change);
        compare_with_enumeration(&game, &table, &tallies);
    }
}

#[test]
#[ignore = "takes 10 min to compare the house way under each variant with brute-force enumeration"]
fn the_house_way_under_each_variant_matches_plain_enumeration() {
    for change in VARIANTS.concat() {
        let game = Game::new(rules(&[change]));
        let way = trump_plaza(&game);
        let table = BankerTable::new(&way);
        for hand in hands(&TELLING[..4]) {
            let fast = HandEvaluator::new(&game, &table).count(hand);
            assert_eq!(fast, slow::count(&game, &way, hand), "{change} {hand}");
        }
    }
}

/// Compares one in `every` classes in a shard with the hand evaluator, for each side, and returns the number of
/// comparisons.
fn compare_sides_with_hand_engine(game: &Game, table: &BankerTable, shard: Shard, every: usize) -> usize {
    Side::ALL.into_iter().map(|side| compare_with_hand_engine(game, table, side, shard, every)).sum()
}

#[test]
#[ignore = "takes 20 min to compare 1 in 1,501 classes with the hand evaluator, for all combinations and both sides"]
fn classes_of_the_full_game_match_the_hand_evaluator() {
    for change in all_together() {
        let (game, table) = arbitrary(&change);
        let compared = compare_sides_with_hand_engine(&game, &table, Shard::WHOLE, 1_501);
        assert!(compared > 8_000, "{compared}");
    }
}

/// Returns the player's outcome counts over all deals after evaluating them from both sides of the table.
fn from_both_sides(game: &Game, player: &BankerTable, banker: &BankerTable) -> DealCounts {
    let total = |side, own: &BankerTable, other: &BankerTable| {
        Pass::new(game, side, other).with_copies().totals(&[Play::Profiles(own)], &Run::default()).unwrap()[0]
    };
    let totals = total(Side::Player, player, banker);
    let from_banker = total(Side::Banker, banker, player).other_side();
    // When the banker is evaluated, hands that push belong to the evaluated side. When the player is evaluated, they
    // belong to the opponent.
    assert_eq!(totals, from_banker, "{:?}", game.rules().changes());
    assert_eq!(totals.all(), 8_250_459_031_214_400);
    totals
}

#[test]
#[ignore = "takes 9 min to evaluate all deals from both sides of the table, under the defaults and other rules"]
fn the_full_game_is_zero_sum() {
    let mixed = [
        vec!["copies=pushed", "bank-pushes=queen_high_pai_gow", "joker=wild", "wheel-straight=lowest"],
        vec!["copies=player", "bank-pushes=nine_high_front", "joker=wild", "wheel-straight-flush=lowest"],
    ];
    for change in singles_and_pairs().into_iter().filter(|set| set.len() == 1).chain(mixed).chain([vec![]]) {
        let game = Game::new(rules(&change));
        let player = BankerTable::new(&ProfileTable::max_front(&game));
        from_both_sides(&game, &player, &BankerTable::new(&AnyLegal::new(&game, 3)));
    }
}

/// Returns the fractions of deals won, pushed and lost against the house way, first by the house way itself and then by
/// the best response.
fn against_trump_plaza(change: &[&str]) -> [[f64; 3]; 2] {
    let game = Game::new(rules(change));
    let table = BankerTable::new(&trump_plaza(&game));
    let whole = Pass::new(&game, Side::Player, &table);
    let optimum = Play::Best(Payoff::player(&game.rules()));
    let totals = whole.totals(&[Play::Profiles(&table), optimum], &Run::default()).unwrap();
    let shares = |total: &DealCounts| [total.wins, total.pushes, total.losses].map(|n| n as f64 / total.all() as f64);
    [shares(&totals[0]), shares(&totals[1])]
}

#[test]
#[ignore = "takes 30 s to compare the two commission-free games with published numbers"]
fn commission_free_games_match_published_numbers() {
    // "Commission Free Pai Gow Poker" (sonofdave.com, a copy of Wizard of Odds). By simulation, with both sides
    // following the Trump Plaza house way, the edge is 2.5096%.
    let [own, _] = against_trump_plaza(&["commission=0", "bank-pushes=nine_high_front"]);
    for (share, published) in own.into_iter().zip([0.273_726, 0.427_453, 0.298_822]) {
        assert!((share - published).abs() < 0.000_05, "{share} {published}");
    }
    assert!((own[2] - own[0] - 0.025_096).abs() < 0.000_05);
    // "EZ Pai Gow Poker (with Partially Wild Joker)" (daikenfudousan.com, a copy of Wizard of Odds), with an edge of
    // 2.47%. The page doesn't say which house way or player's strategy it uses. Its frequencies lie between those of
    // the two players here.
    let [own, best] = against_trump_plaza(&["commission=0", "bank-pushes=queen_high_pai_gow"]);
    for (i, published) in [0.274_597, 0.426_112, 0.299_291].into_iter().enumerate() {
        let between = own[i].min(best[i])..own[i].max(best[i]);
        assert!(between.contains(&published), "{published} {between:?}");
    }
}

/// Wizard of Odds states 1.30% for a game without commission, in which the player never banks. Hustler Casino reports a
/// fee of 1 on bets of 10 to 100, which adds 10% to 1% of the bet, whatever the player holds.
#[test]
fn a_fee_for_each_hand_changes_the_ev_but_no_decision() {
    let counts: DealCounts = DealCounts { wins: 28_613, pushes: 41_480, losses: 29_907, ..DealCounts::default() };
    let [free, largest, smallest] = [vec![], vec!["collection=1/100"], vec!["collection=1/10"]]
        .map(|fee| rules(&[&["commission=0"], &fee[..]].concat()));
    let ev = |rules| counts.ev(Payoff::player(rules));
    assert_eq!(ev(&free), Ratio::new(-1_294, 100_000));
    assert_eq!([&largest, &smallest].map(ev), [Ratio::new(-2_294, 100_000), Ratio::new(-11_294, 100_000)]);
    // The house receives the fee.
    assert_eq!(counts.other_side().ev(Payoff::house_bank(&largest)), -ev(&largest));
    for rules in [&largest, &smallest] {
        let [payoff, before] = [rules, &free].map(Payoff::player);
        assert_eq!(counts.variance(payoff), counts.variance(before));
        assert_eq!(payoff.gain(5, 3), before.gain(5, 3));
        let ([win, push, loss], unit) = payoff.nets();
        let total = win * 28_613 + push * 41_480 + loss * 29_907;
        assert_eq!(Ratio::new(total.into(), i128::from(unit) * 100_000), ev(rules));
    }
}

/// A win of 50 chips pays 3 chips of commission at a table, and one of 20 chips pays 1.
#[test]
fn a_commission_rounded_to_a_chip_is_that_of_a_table() {
    let counts: DealCounts = DealCounts { wins: 28_613, pushes: 41_480, losses: 29_907, ..DealCounts::default() };
    for (bet, win) in [("none", 950_000), ("20", 950_000), ("25", 960_000), ("50", 940_000)] {
        let rules = rules(&[&format!("commission-bet={bet}")]);
        let payoff = Payoff::player(&rules);
        assert_eq!((payoff.win_millionths(), payoff.loss_millionths()), (win, 1_000_000), "{bet}");
        let Ok(chips) = bet.parse() else { continue };
        let at_table = player_ev(&Rules::default(), &BankedBet { bet: chips, counts: counts.other_side().into() });
        assert_eq!(counts.ev(payoff), Ratio::new(at_table.numerator(), at_table.denominator() * i128::from(chips)));
        assert_eq!(counts.other_side().ev(Payoff::house_bank(&rules)), -counts.ev(payoff));
    }
}
