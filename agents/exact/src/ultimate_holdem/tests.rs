//! Tests the fast evaluation against the reference implementation and published numbers.

mod slow;

use super::board::{BoardCounter, pair};
use super::showdown::{Showdowns, categories, ends, trips_ev};
use super::strategy::{PolicyStrategy, StochasticPolicy};
use super::*;
use crate::Ratio;
use crate::registry::find;
use crate::solver::{Control, Entrant, EvaluatorConfig, SampleConfig, Scope, SolverConfig};
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::cards::{Card, CardSet};
use houseway_env::gym::{Choices, FnPolicy, Policy, Scores, stream};
use houseway_env::rank::Category;
use houseway_env::rules::{RuleReading, RuleSet};
use houseway_env::ultimate_holdem::observe::features;
use houseway_env::ultimate_holdem::{Deal, Game, Hole, Rules};
use proptest::prelude::{Just, ProptestConfig, Strategy as _, prop_assert_eq, proptest};
use std::sync::LazyLock;

static GAME: LazyLock<Game> = LazyLock::new(|| Game::new(Rules::default()));
/// The game in which both hole cards belong to a hand.
static BOTH: LazyLock<Game> = LazyLock::new(|| with("hole-cards=both"));
static RIVERS: LazyLock<BestRivers<'static>> =
    LazyLock::new(|| BestRivers::new(FullGame::new(&GAME, 0), &Control::default()).unwrap());
static OPTIMUM: LazyLock<Totals> = LazyLock::new(|| RIVERS.totals(&RIVERS.optimum, &Control::default()).unwrap());

fn with(assignment: &str) -> Game {
    Game::new(Rules::default().with(assignment).unwrap())
}

fn cards(indices: &[u8]) -> CardSet {
    indices.iter().filter_map(|&index| Card::from_index(index)).collect()
}

fn dealt(boards: usize) -> Vec<CardSet> {
    let mut rng = stream(1.into());
    (0..boards).map(|_| Deal::new(&mut rng).board(5)).collect()
}

fn percent(ratio: Ratio) -> f64 {
    100.0 * ratio.value()
}

#[test]
fn the_edge_matches_the_published_one() {
    // Wizard of Odds, "Ultimate Texas Hold'em": a house edge of 2.18497% of the ante, an element of risk of 0.53%, and
    // a standard deviation of 4.94. The published frequencies of the final actions are rounded, so they aren't
    // compared.
    let totals = &*OPTIMUM;
    assert!((percent(totals.edge()) - 2.18497).abs() < 5e-6, "{}", totals.edge().value());
    assert!((100.0 * totals.element_of_risk() - 0.53).abs() < 0.005, "{}", totals.element_of_risk());
    assert!((totals.variance.sqrt() - 4.94).abs() < 0.005, "{}", totals.variance.sqrt());
    assert_eq!((totals.ev, totals.played.iter().sum::<i128>()), (RIVERS.optimum.ev, DEALS));
    assert_eq!(DEALS, 27_813_810_024_000);
}

#[test]
fn the_starting_hands_that_play_match_the_published_ones() {
    let plays = |hand: &&HandTotals| hand.chosen == 4;
    assert_eq!(OPTIMUM.hands.iter().filter(plays).map(|hand| hand.combinations).sum::<i128>(), 500);
    for hand in &OPTIMUM.hands {
        let name = hand.hole.kind_name();
        // 33+, any ace, K2s+, K5o+, Q6s+, Q8o+, J8s+, JTo.
        assert_eq!(hand.chosen == 4, Simple::new(&GAME).start(hand.hole, &[(4, 0)], 0) == 4, "{name}");
        let best = hand.plays[0].1.max(hand.check);
        assert_eq!(hand.ev(), best, "{name}");
    }
}

#[test]
fn trips_edges_match_the_published_ones() {
    // Wizard of Odds, "Ultimate Texas Hold'em", section Trips.
    let hands = |category: Category| OPTIMUM.categories.iter().find(|(other, _)| *other == category).unwrap().1;
    assert_eq!([Category::RoyalFlush, Category::OnePair].map(hands), [4_324, 58_627_800]);
    let game = with("trips-table=ultimate-trips-20-7-6-5-3");
    let sum: i64 = OPTIMUM.categories.iter().map(|&(hand, hands)| i64::from(game.trips(hand)) * hands as i64).sum();
    assert!((-50.0 * sum as f64 / 133_784_560.0 - 6.1808).abs() < 5e-5);
    assert!((-percent(OPTIMUM.trips) - 3.4979).abs() < 5e-5);
    assert_eq!(OPTIMUM.categories, categories(GAME.rules()));
    assert_eq!(trips_ev(&GAME), OPTIMUM.trips);
}

#[test]
#[ignore = "takes a minute; evaluates the game with both hole cards over all deals"]
fn both_hole_cards_are_counted_over_all_deals() {
    let found = FullGame::new(&BOTH, 0).count(&Optimum, &Control::default()).unwrap();
    assert_eq!(found.categories, categories(BOTH.rules()));
    assert_eq!(found.categories.iter().map(|(_, hands)| hands).sum::<u64>(), 1_326 * binomial(50, 5));
    assert_eq!(found.trips, trips_ev(&BOTH));
}

#[test]
fn the_simple_strategy_has_about_the_published_edge() {
    let (rivers, simple) = (&*RIVERS, Simple::new(&GAME));
    let before = rivers.before(&simple);
    let loss = |boards| rivers.river_loss(&simple, &before, &boards, "", &Control::default()).unwrap();
    let all = loss(Boards::all());
    // The published edge has two decimal places (2.43%).
    let edge = -percent(before.ev - all.mean);
    assert!((edge - 2.43).abs() < 0.05, "{edge}");
    let sample = loss(Boards::sample(dealt(2_000)));
    assert!((sample.mean - all.mean).value().abs() < 1.5 * sample.half_width && sample.half_width < 3e-4);
    assert!((sample.agreement - all.agreement).abs() < 0.01 && all.agreement < 0.99 && all.half_width == 0.0);
    let best =
        rivers.river_loss(&Optimum, &rivers.optimum, &Boards::sample(dealt(9)), "", &Control::default()).unwrap();
    assert_eq!((best.mean, best.agreement), (Ratio::ZERO, 1.0));
}

#[test]
#[ignore = "takes 40 s; evaluates the optimum and the simple strategy at once and decision by decision, on all boards"]
fn losses_add_up_to_those_of_whole_strategies() {
    let (rivers, simple, whole) = (&*RIVERS, Simple::new(&GAME), FullGame::new(&GAME, 0));
    let (before, optimum) = (rivers.before(&simple), &rivers.optimum);
    assert_eq!(optimum.ev, whole.count(&Optimum, &Control::default()).unwrap().ev);
    let loss = rivers.river_loss(&simple, &before, &Boards::all(), "", &Control::default()).unwrap();
    assert_eq!(before.ev - loss.mean, whole.count(&simple, &Control::default()).unwrap().ev);
}

#[test]
fn preflop_positions_match_the_totals() {
    for (hole, best) in [("Kh 8c", "play4"), ("7d 6d", "check"), ("3s 3c", "play4")] {
        let position = Position::new(hole.parse().unwrap(), CardSet::EMPTY).unwrap();
        let choice = position.choice_with_shares(&GAME, 0, &Control::default()).unwrap();
        let hand = &OPTIMUM.hands[position.hole().kind()];
        assert_eq!(choice.actions, [("check", hand.check), ("play4", hand.plays[0].1)], "{hole}");
        for all in choice.shares.iter() {
            assert_eq!(all.iter().copied().sum::<Ratio>(), Ratio::new(1, 1));
        }
        let [check, play] = [0, 1].map(|action: usize| choice.shares[action].map(percent));
        if hole == "Kh 8c" {
            // An independent sample of deals: the hand wins 54.4% and loses 42.4%, if it is never folded.
            assert!((play[0] - 54.4).abs() < 0.05 && (play[2] - 42.4).abs() < 0.05 && play[3] == 0.0, "{play:?}");
            assert!(check[0] < play[0] && check[3] > 4.0 && check[2] + check[3] > play[2], "{check:?}");
        }
        assert_eq!(choice.best().0, best, "{hole}");
    }
    let stop = std::sync::atomic::AtomicBool::new(true);
    let position = Position::new("Kh 8c".parse().unwrap(), CardSet::EMPTY).unwrap();
    assert_eq!(position.choice(&GAME, 0, &Control { cancel: Some(&stop), ..Control::default() }), Err(Cancelled));
}

#[test]
#[ignore = "takes 5 min to evaluate every starting hand on its own, under the default rules and under other rules"]
fn every_preflop_position_matches_the_totals() {
    let other =
        Game::new(Rules::default().with("trips-on-fold=lost").unwrap().with("preflop-play=three_or_four").unwrap());
    for (game, trips) in [(&*GAME, 0), (&other, 2)] {
        let totals = FullGame::new(game, trips).count(&Optimum, &Control::default()).unwrap();
        for hand in &totals.hands {
            let position = Position::new(hand.hole, CardSet::EMPTY).unwrap();
            let mut expected = vec![hand.check];
            expected.extend(hand.plays.iter().map(|&(_, value)| value));
            let choice = position.choice(game, trips, &Control::default()).unwrap();
            assert_eq!(choice.actions.iter().map(|&(_, value)| value).collect::<Vec<_>>(), expected, "{}", hand.hole);
        }
    }
}

#[test]
fn invalid_positions_are_rejected() {
    let hole: Hole = "Kh 8c".parse().unwrap();
    for (board, part) in [("2c 3c", "2 cards"), ("Kh 3c 4d", "Kh is in the hand"), ("Jk 3c 4d", "not in the deck")] {
        let error = Position::new(hole, board.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn flops_match_plain_enumeration() {
    for (hole, flop) in [("Kh 8c", "8d 5s 2h"), ("7h 6h", "Ah 9h 9c")] {
        let (hole, flop): (Hole, CardSet) = (hole.parse().unwrap(), flop.parse().unwrap());
        let choice = Position::new(hole, flop).unwrap().choice(&GAME, 0, &Control::default()).unwrap();
        assert_eq!(choice.actions, slow_actions(&GAME, hole, flop, CardSet::EMPTY));
    }
}

/// Returns the actions of a position with dead cards by plain enumeration.
fn slow_actions(game: &Game, hole: Hole, board: CardSet, dead: CardSet) -> Vec<(&'static str, Ratio)> {
    let (left, dealers) = (50 - board.len() as u64 - dead.len() as u64, binomial(45 - dead.len() as u64, 2));
    let (names, sums, boards) = match board.len() {
        0 => {
            let [_, play4, check] = slow::start(game, hole, dead);
            (["check", "play4"], [check, play4], binomial(left, 3) * binomial(left - 3, 2))
        }
        3 => {
            let [play, check] = slow::flop(game, hole, board, dead);
            (["check", "play2"], [check, play], binomial(left, 2))
        }
        _ => {
            let [play] = slow::plays(game, hole, board, dead, [1]);
            (["fold", "play1"], [i64::from(Game::FOLD) * dealers as i64, play], 1)
        }
    };
    let deals = i128::from(boards * dealers) * i128::from(ANTE);
    names.into_iter().zip(sums.map(|sum| Ratio::new(sum.into(), deals))).collect()
}

#[test]
#[ignore = "20 s; evaluates all boards of two starting hands with the dead cards left out"]
fn boards_evaluated_one_by_one_match_those_of_a_kind_of_hand() {
    for hole in ["Kh 8c", "7d 6d"] {
        let hole: Hole = hole.parse().unwrap();
        let pays = super::showdown::Pays::new(&GAME, 0);
        let all =
            super::position::start_values_beside::<0>(&GAME, &pays, hole, CardSet::EMPTY, &Control::default()).unwrap();
        let hand = &OPTIMUM.hands[hole.kind()];
        let deals = i128::from(binomial(50, 5)) * i128::from(DEALER_HANDS * ANTE);
        let [check, _, play] = all.map(|sums| i128::from(sums.value));
        let evs = (Ratio::new(check, deals * 10), Ratio::new(play, deals));
        assert_eq!(evs, (hand.check, hand.plays[0].1), "{hole}");
    }
}

#[test]
fn a_trips_bet_lost_by_a_fold_keeps_hands_in_play() {
    let lost = with("trips-on-fold=lost");
    // With three of a kind on the board, Trips pays 3 to 1, but it pays nothing after a fold.
    let position = Position::new("3d 2c".parse().unwrap(), "Ks Kh Kd Qc 9s".parse().unwrap()).unwrap();
    let best = |game, trips| position.choice(game, trips, &Control::default()).unwrap().best().0;
    assert_eq!([best(&GAME, 5), best(&lost, 0), best(&lost, 5)], ["fold", "fold", "play1"]);
}

#[test]
#[ignore = "takes 1 min to compare the optimum with the simple strategy under every reading"]
fn every_reading_can_be_evaluated() {
    for RuleReading { name: reading, options, .. } in Rules::READINGS {
        for option in &options[1..] {
            let game = with(&format!("{reading}={option}"));
            let whole = FullGame::new(&game, 0);
            let optimum = whole.count(&Optimum, &Control::default()).unwrap();
            let simple = whole.count(&Simple::new(&game), &Control::default()).unwrap();
            println!("{reading}={option}: edge {:.5}%", percent(optimum.edge()));
            assert!(optimum.ev > simple.ev, "{reading}={option}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn boards_match_plain_enumeration(seven in Just((0..52u8).collect::<Vec<_>>()).prop_shuffle(), twin in 0..4u8) {
        // Make half of the boards contain a pair or three cards of one suit, which are the most error-prone cases.
        let mut seven = seven[..7].to_vec();
        let other = seven[0] / 4 * 4 + twin;
        if !seven.contains(&other) {
            seven[1] = other;
        }
        let board = cards(&seven[..5]);
        let hole = Hole::new(cards(&seven[5..])).unwrap();
        for game in [&*GAME, &*BOTH] {
            let expected = slow::ends(game, hole, board, CardSet::EMPTY);
            prop_assert_eq!(ends(game, hole, board, CardSet::EMPTY), expected);
            let wanted = pair(seven[5].min(seven[6]), seven[5].max(seven[6]));
            let mut found = Vec::new();
            BoardCounter::new(game).count(board, |counted| {
                let ends = counted.ends;
                assert_eq!(ends.0.iter().sum::<i64>(), DEALER_HANDS);
                if counted.pair == wanted {
                    found.push((ends, counted.strength));
                }
            });
            prop_assert_eq!(found, vec![(expected, slow::best(game, hole.set(), board))]);
        }
    }

    #[test]
    fn showdowns_on_a_board_match_plain_enumeration(
        board in proptest::sample::subsequence((0..52u8).collect::<Vec<_>>(), 5),
    ) {
        let board = cards(&board);
        let mut found = Showdowns::NONE;
        found.add_board(&GAME, &mut BoardCounter::new(&GAME), board, 1);
        let mut expected = Showdowns::NONE;
        let left = CardSet::DECK_52.difference(board);
        let strength = |hole: CardSet| GAME.best().of(board.union(hole));
        for_each_subset(left, 2, |player| {
            let own = strength(player);
            let category = GAME.best().category(own) as usize;
            for_each_subset(left.difference(player), 2, |dealer| {
                let other = strength(dealer);
                expected.joint[category][GAME.best().category(other) as usize] += 1;
                expected.wins[category] += u64::from(own > other);
                expected.losses[category] += u64::from(own < other);
            });
        });
        prop_assert_eq!((found.joint, found.wins, found.losses), (expected.joint, expected.wins, expected.losses));
    }

    #[test]
    fn dead_cards_match_plain_enumeration(
        deck in Just((0..52u8).collect::<Vec<_>>()).prop_shuffle(),
        stage in 0..3usize,
        left in 0..5usize,
    ) {
        // Before the flop, 7 to 11 cards remain.
        let (board, dead) = ([0, 3, 5][stage], [43 - left, 43 - 3 * left, 43 - 9 * left][stage]);
        let (hole, board) = (Hole::new(cards(&deck[..2])).unwrap(), cards(&deck[2..2 + board]));
        let dead = cards(&deck[2 + board.len()..2 + board.len() + dead]);
        let position = Position::new(hole, board).unwrap().with_dead_cards(dead.into()).unwrap();
        let both = position.choice(&BOTH, 0, &Control::default()).unwrap();
        prop_assert_eq!(&both.actions, &slow_actions(&BOTH, hole, board, dead));
        let choice = position.choice_with_shares(&GAME, 0, &Control::default()).unwrap();
        prop_assert_eq!(&choice.actions, &position.choice(&GAME, 0, &Control::default()).unwrap().actions);
        prop_assert_eq!(&choice.actions, &slow_actions(&GAME, hole, board, dead));
        // The shares of playing now, and on the flop of playing one ante later unless folding is better.
        let left = CardSet::DECK_52.difference(hole.set()).difference(board).difference(dead);
        let (mut now, mut later, mut deals) = ([0; 3], [0; 4], 0);
        for_each_subset(left, 5 - board.len(), |more| {
            let ends = slow::ends(&GAME, hole, board.union(more), dead);
            let counts = [0, 2, 4].map(|first| ends.0[first] + ends.0[first + 1]);
            let all: i64 = counts.iter().sum();
            let [play] = slow::plays(&GAME, hole, board.union(more), dead, [1]);
            let after = if i64::from(Game::FOLD) * all >= play { [0, 0, 0, all] } else { [counts[0], counts[1], counts[2], 0] };
            (0..3).for_each(|end| now[end] += counts[end]);
            (0..4).for_each(|end| later[end] += after[end]);
            deals += all;
        });
        let share = |count: i64| Ratio::new(count.into(), deals.into());
        let [win, tie, lose] = now.map(share);
        prop_assert_eq!(choice.shares[1], [win, tie, lose, Ratio::ZERO]);
        if board.len() == 3 {
            prop_assert_eq!(choice.shares[0], later.map(share));
        }
    }

    #[test]
    fn rivers_follow_the_rules(seven in Just((0..52u8).collect::<Vec<_>>()).prop_shuffle(), reading in 0..4usize) {
        static GAMES: LazyLock<Vec<Game>> = LazyLock::new(|| Rules::READINGS[1].options.iter().map(|o| with(&format!("dealer-unqualified={o}"))).collect());
        let game = &GAMES[reading];
        let (hole, board) = (Hole::new(cards(&seven[5..7])).unwrap(), cards(&seven[..5]));
        let choice = Position::new(hole, board).unwrap().choice_with_shares(game, 0, &Control::default()).unwrap();
        let [win, tie, lose] = slow::signs(game, hole, board).map(|count| Ratio::new(count.into(), 990));
        prop_assert_eq!(choice.shares[1], [win, tie, lose, Ratio::ZERO]);
        prop_assert_eq!(choice.actions[1].1, Ratio::new(slow::plays(game, hole, board, CardSet::EMPTY, [1])[0].into(), 990 * 2));
        prop_assert_eq!(choice.actions[0].1, Ratio::new(-2, 1));
    }
}

/// Returns a policy that plays with any pair or better that includes a hole card, judging by the features.
fn pairs() -> impl Policy {
    FnPolicy::new("pairs", "features", |observations, masks| {
        let choose = |(row, mask): (&[f32], &[bool])| {
            let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
            // Choose between the smallest and the largest wager. Feature 83 is set for such a pair.
            if row[83] == 1.0 { legal[legal.len() - 1] } else { legal[0] }
        };
        observations.chunks_exact(features::LEN).zip(masks.chunks_exact(6)).map(choose).collect::<Vec<usize>>()
    })
}

/// The same strategy, judging by the cards.
struct PairsByCards;

impl DecisionRule for PairsByCards {
    type Board = CardSet;

    fn board(&self, board: CardSet) -> CardSet {
        board
    }

    fn start(&self, hole: Hole, _: &[(i64, i128)], _: i128) -> i64 {
        let [high, low] = hole.ranks();
        if high == low { 4 } else { 0 }
    }

    fn flop(&self, hole: Hole, board: &CardSet, _: i64, _: i64) -> bool {
        let [high, low] = hole.ranks();
        high == low || board.iter().any(|card| card.rank() == Some(high) || card.rank() == Some(low))
    }

    fn river(&self, hole: Hole, board: &CardSet, play: i64, fold: i64) -> bool {
        self.flop(hole, board, play, fold)
    }
}

#[test]
fn a_policy_is_evaluated_as_the_strategy_that_it_plays() {
    let solver = find("ultimate-holdem").unwrap().solver(&SolverConfig::default()).unwrap();
    let control = Control::default();
    let sample = SampleConfig { size: 100, seed: 7 };
    let config = EvaluatorConfig { sample: Some(sample), ..EvaluatorConfig::default() };
    let evaluator = solver.evaluator(&config, &control).unwrap();
    let policy = pairs();
    let entrants = [Entrant { policy: &policy, in_detail: true }];
    let evaluation = evaluator.evaluate(&entrants, Scope::Sample, &control).unwrap();
    let rivers = &*RIVERS;
    let before = rivers.before(&PairsByCards);
    let mut rng = sample.stream();
    let boards = (0..100).map(|_| houseway_env::ultimate_holdem::Deal::new(&mut rng).board(5));
    let loss = rivers.river_loss(&PairsByCards, &before, &Boards::sample(boards), "", &Control::default()).unwrap();
    let [simple, pairs, best] = &evaluation.scores[..] else { panic!("expected three scores") };
    let regret = (OPTIMUM.ev - before.ev).value() + loss.mean.value();
    assert_eq!((pairs.regret, pairs.agreement), (regret, loss.agreement));
    assert_eq!(pairs.details["plays_at_start"], 78.0 / 1_326.0);
    assert_eq!((best.regret, best.ev, best.agreement), (0.0, OPTIMUM.ev.value(), 1.0));
    assert!(simple.regret < 0.01 && pairs.regret > 0.02 && pairs.regret_ci.unwrap()[0] < regret);
    // The sample has fewer boards than training would use.
    assert_eq!(evaluator.measure(&policy).unwrap()[0], ("regret", regret));
    assert_eq!(evaluation.json("ultimate-holdem")["boards"], 100);
    let small = Some(SampleConfig { size: 99, seed: 7 });
    assert!(solver.evaluator(&EvaluatorConfig { sample: small, ..config }, &control).is_err());
}

/// Returns a policy that plays the largest wager with a fixed probability at the start, on the flop and on the river,
/// no matter which cards it has.
fn blind(probabilities: [f32; 3]) -> impl Policy {
    FnPolicy::new("blind", "features", move |observations, masks| {
        let (mut actions, mut rows) = (vec![], vec![]);
        for (observation, mask) in observations.chunks_exact(features::LEN).zip(masks.chunks_exact(6)) {
            let plays = (0..3).map(|stage| probabilities[stage] * observation[stage]).sum();
            let legal: Vec<usize> = (0..6).filter(|&action| mask[action]).collect();
            let (least, most) = (legal[0], legal[legal.len() - 1]);
            let mut row = [0.0; 6];
            (row[least], row[most]) = (1.0 - plays, plays);
            actions.push(if plays > 0.5 { most } else { least });
            rows.extend(row);
        }
        Choices { actions, scores: Scores::Probabilities(rows) }
    })
}

#[test]
fn a_stochastic_policy_is_worth_the_mean_of_the_policies_that_it_mixes() {
    let (rivers, optimum) = (&*RIVERS, &RIVERS.optimum);
    let boards = Boards::sample(dealt(20));
    let stochastic = |probabilities| {
        let policy = blind(probabilities);
        let policy = StochasticPolicy::new(&GAME, &policy).unwrap().unwrap();
        rivers.stochastic_regret(&policy, &boards, &Control::default()).unwrap()
    };
    let greedy = |pure| {
        let policy = blind(pure);
        let strategy = PolicyStrategy::new(&GAME, &policy).unwrap();
        let before = rivers.before(&strategy);
        let loss = rivers.river_loss(&strategy, &before, &boards, "", &Control::default()).unwrap();
        ((optimum.ev - before.ev).value() + loss.mean.value(), loss.half_width)
    };
    // If all decisions are independent of the cards, the EV is linear in the probability of each way to play: right at
    // the start, on the flop, on the river, or never.
    let probabilities = [0.25f32, 0.5, 0.75];
    let (mut mean, mut waits) = (0.0, 1.0);
    for stage in 0..=3 {
        let pure: [f32; 3] = std::array::from_fn(|other| if other == stage { 1.0 } else { 0.0 });
        let (regret, half_width) = greedy(pure);
        if stage >= 2 {
            let found = stochastic(pure);
            assert!((found[0] - regret).abs() < 1e-12 && (found[1] - half_width).abs() < 1e-12, "{pure:?}");
        }
        let plays = probabilities.get(stage).map_or(1.0, |&plays| f64::from(plays));
        mean += waits * plays * regret;
        waits *= 1.0 - plays;
    }
    assert!((stochastic(probabilities)[0] - mean).abs() < 1e-12);
    let policy = pairs();
    let nothing = StochasticPolicy::new(&GAME, &policy).unwrap();
    assert!(nothing.is_none(), "a policy without probabilities isn't stochastic");
}
