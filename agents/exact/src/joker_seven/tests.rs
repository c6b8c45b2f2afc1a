//! Tests the closed form against enumeration and binomial coefficients.

use super::*;
use crate::Ratio;
use crate::format::percent;
use crate::registry::find;
use crate::solver::{Control, Entrant, EvaluatorConfig, Scope, SolverConfig};
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::{Card, Rank, Suit};
use houseway_env::gym::FnPolicy;
use houseway_env::joker_seven::{Game, Paytable, Rules, Wager, WagerKind};
use houseway_env::rules::{RuleReading, RuleSet};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

fn game(settings: &[String]) -> Game {
    let rules = settings.iter().fold(Rules::default(), |rules, setting| rules.with(setting).unwrap());
    Game::new(rules, Paytable::default())
}

fn wager(game: &Game, name: &str) -> Wager {
    Wager::all().find(|wager| wager.name(game.rules()) == name).unwrap()
}

#[test]
fn profiles_cover_every_hand() {
    assert_eq!(HANDS, 177_100_560);
    assert_eq!(profiles().iter().map(|profile| profile.hands).sum::<u64>(), HANDS);
    for jokers in 0..=2 {
        let hands: u64 = profiles().iter().filter(|p| u64::from(p.jokers) == jokers).map(|p| p.hands).sum();
        assert_eq!(hands, binomial(2, jokers) * binomial(52, 7 - jokers));
    }
}

#[test]
fn winners_are_binomial_coefficients() {
    let game = game(&[]);
    let outcomes = JointWins::by_profiles(&game);
    let winners = |name: &str| outcomes.winners(wager(&game, name));
    // Of the 54 cards, 26 are black and 28 aren't.
    for (name, number) in [("4-black", 4), ("5-red", 5), ("6-black", 6), ("7-red", 7)] {
        assert_eq!(winners(name), binomial(26, number) * binomial(28, 7 - number), "{name}");
    }
    assert_eq!(winners("4+-black"), (4..=7).map(|n| binomial(26, n) * binomial(28, 7 - n)).sum::<u64>());
    assert_eq!(winners("one-joker"), 2 * binomial(52, 6));
    assert_eq!(winners("two-jokers"), binomial(52, 5));
    // Seven ranks, or six ranks and a joker, in any of four suits each.
    assert_eq!(winners("no-pair"), binomial(13, 7) * 4u64.pow(7) + 2 * binomial(13, 6) * 4u64.pow(6));
    assert_eq!(winners("pair-A"), (2..=4).map(|n| binomial(4, n) * binomial(50, 7 - n)).sum::<u64>());
    assert_eq!(winners("pair-A"), winners("pair-2"));
}

#[test]
fn covariances_match_their_definition() {
    let game = game(&[]);
    let outcomes = JointWins::by_profiles(&game);
    let named = |name| wager(&game, name);
    for a in game.wagers() {
        for b in game.wagers() {
            assert_eq!(outcomes.covariance(a, b), outcomes.covariance(b, a));
        }
        // The variance of a bet that returns odds + 1 or nothing.
        let (p, odds) = (Ratio::new(outcomes.winners(a).into(), HANDS.into()).value(), f64::from(outcomes.odds(a)));
        let variance = (odds + 1.0).powi(2) * p * (1.0 - p);
        assert!((outcomes.covariance(a, a).value() - variance).abs() < 1e-9);
    }
    // Four or more is the disjoint union of exactly four, five, six and seven.
    for other in game.wagers() {
        let parts = ["4-black", "5-black", "6-black", "7-black"].map(named);
        let parts: u64 = parts.iter().map(|&part| outcomes.winners_of_both(part, other)).sum();
        assert_eq!(parts, outcomes.winners_of_both(named("4+-black"), other));
    }
    assert_eq!(outcomes.winners_of_both(named("one-joker"), named("two-jokers")), 0);
    // At least two cards from each of the two ranks.
    let both = (2..=4).flat_map(|a| (2..=4).map(move |b| (a, b))).filter(|(a, b)| a + b <= 7);
    let both: u64 = both.map(|(a, b)| binomial(4, a) * binomial(4, b) * binomial(46, 7 - a - b)).sum();
    assert_eq!(outcomes.winners_of_both(named("pair-A"), named("pair-2")), both);
}

/// Returns up to eight rule sets that together use each option of every reading.
fn covering_rules() -> Vec<Vec<String>> {
    // "No pair" depends on how a pair of jokers is read, and "two pairs" depends on both that and trips, so all
    // combinations are needed.
    let indices = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]];
    let options = |i: usize| -> Vec<String> {
        let [joker_pair, two_pairs, trips] = indices[i];
        let choice = |RuleReading { name, options, .. }: &RuleReading| {
            let place = match *name {
                "joker-pair" => joker_pair,
                "two-pairs" => two_pairs,
                "trips-hold-a-pair" => trips,
                "no-pair" => i % 3,
                "three-of-a-kind" => i % 4,
                _ => i / 2 % 2,
            };
            format!("{name}={}", options[place])
        };
        Rules::READINGS.iter().map(choice).collect()
    };
    let rules: Vec<Vec<String>> = (0..8).map(options).collect();
    for RuleReading { name, options: all, .. } in Rules::READINGS {
        assert!(all.iter().all(|option| rules.iter().flatten().any(|setting| *setting == format!("{name}={option}"))));
    }
    for joker_pair in ["yes", "no"] {
        for no_pair in ["no_two_of_a_rank", "no_rank_exactly_twice", "any_joker_loses"] {
            let settings = [format!("joker-pair={joker_pair}"), format!("no-pair={no_pair}")];
            assert!(rules.iter().any(|rules| settings.iter().all(|setting| rules.contains(setting))), "{settings:?}");
        }
    }
    rules
}

#[test]
fn the_default_rules_match_enumeration() {
    let game = game(&[]);
    let is_stopped = AtomicBool::new(true);
    let stop = Control { cancel: Some(&is_stopped), ..Control::default() };
    assert!(JointWins::by_enumeration(&game, &stop).is_err());
    assert_eq!(JointWins::by_profiles(&game), JointWins::by_enumeration(&game, &Control::default()).unwrap());
}

#[test]
#[ignore = "takes 20 s to enumerate all 177,100,560 hands under eight rule sets that cover every option"]
fn every_reading_matches_enumeration() {
    for settings in covering_rules() {
        let game = game(&settings);
        assert_eq!(
            JointWins::by_profiles(&game),
            JointWins::by_enumeration(&game, &Control::default()).unwrap(),
            "{settings:?}"
        );
    }
}

/// Settles every wager for a hand of each profile.
#[test]
fn an_even_spread_has_the_net_results_of_its_wagers() {
    for settings in covering_rules() {
        let game = game(&settings);
        let wagers: Vec<Wager> = game.wagers().collect();
        let mut expected = NetResults::new(wagers.len() as i64);
        for profile in profiles() {
            let wins = game.wins(hand_of(&profile));
            let net = wagers.iter().map(|&wager| game.net(wager, wins).unwrap()).sum();
            expected.add(net, profile.hands.into());
        }
        assert_eq!(spread_evenly(&game), expected, "{settings:?}");
    }
}

/// Returns the first hand with a profile, rank by rank.
fn hand_of(profile: &ColorProfile) -> CardSet {
    fn fill(ranks: &[usize], black: usize, cards: CardSet) -> Option<CardSet> {
        let Some((&count, rest)) = ranks.split_first() else { return (black == 0).then_some(cards) };
        let rank = Rank::ALL[rest.len()];
        // Black suits come first, so the number of black cards of the rank determines its cards.
        (count.saturating_sub(2)..=count.min(2)).filter(|&of_rank| of_rank <= black).find_map(|of_rank| {
            let suits = [Suit::Spades, Suit::Clubs].into_iter().take(of_rank);
            let red = [Suit::Hearts, Suit::Diamonds].into_iter().take(count - of_rank);
            let cards = suits.chain(red).fold(cards, |cards, suit| cards.with(Card::new(rank, suit)));
            fill(rest, black - of_rank, cards)
        })
    }
    let counts = (0..).zip(profile.ranks).flat_map(|(count, ranks)| std::iter::repeat_n(count, ranks.into()));
    let jokers = ["", "Jk", "Jk Jk2"][usize::from(profile.jokers)].parse().unwrap();
    let hand = fill(&counts.collect::<Vec<usize>>(), profile.black.into(), jokers).unwrap();
    assert_eq!(hand.len(), CARDS);
    hand
}

/// The parts of the even spread are the EVs of its wagers, and its variance is that of all their covariances.
#[test]
fn an_even_spread_is_worth_its_wagers() {
    let main_bet = find("joker-seven").unwrap().main_bet.unwrap();
    let bet = main_bet(&SolverConfig::default(), &Control::default()).unwrap();
    let outcomes = JointWins::by_profiles(&game(&[]));
    let wagers: Vec<Wager> = outcomes.wagers().collect();
    let pairs = wagers.iter().flat_map(|&a| wagers.iter().map(move |&b| (a, b)));
    let variance: f64 = pairs.map(|(a, b)| outcomes.covariance(a, b).value()).sum::<f64>() / 28.0_f64.powi(2);
    assert!((bet.results.variance() - variance).abs() < 1e-9);
    assert_eq!((bet.results.deals(), bet.parts.len(), bet.parts[10].0), (HANDS.into(), 11, "specific-pair"));
    assert_eq!(bet.parts.iter().map(|&(_, part)| part).sum::<Ratio>(), bet.results.ev());
    assert_eq!(bet.parts[10].1, outcomes.ev(wager(&game(&[]), "pair-A")) * Ratio::new(13, 28));
}

#[test]
fn the_ends_of_the_frontier_are_correct() {
    let game = game(&[]);
    let outcomes = JointWins::by_profiles(&game);
    let frontier = Frontier::new(&outcomes);
    let points = frontier.points();
    let best = game.wagers().map(|wager| outcomes.ev(wager).value()).fold(f64::MIN, f64::max);
    let last = points.last().unwrap();
    assert!((last.ev - best).abs() < 1e-9, "{last:?}");
    for pair in points.windows(2) {
        assert!(pair[0].ev < pair[1].ev && pair[0].deviation <= pair[1].deviation + 1e-12);
    }
    for point in &points {
        assert!((point.shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(point.gap.abs() < 1e-8, "{point:?}");
    }
    let solver = find("joker-seven").unwrap().solver(&SolverConfig::default()).unwrap();
    let shown = format!("{:?}", solver.solve(&Control::default()).unwrap().sections);
    for end in [&points[0], last] {
        let cells = [percent(end.ev, 3), format!("{:.4}", end.deviation)];
        assert!(shown.contains(&format!("{:?}, {:?}", cells[0], cells[1])), "{cells:?}");
    }
}

proptest! {
    #[test]
    fn no_spread_beats_the_frontier(weights in prop::collection::vec(0.0f64..1.0, 11)) {
        let outcomes = JointWins::by_profiles(&game(&[]));
        let frontier = Frontier::new(&outcomes);
        let total: f64 = weights.iter().sum();
        prop_assume!(total > 0.1);
        let shares: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let (ev, deviation) = frontier.measure(&shares);
        for price in [0.0, 1.0, 30.0] {
            let best = frontier.spread(price);
            let cost = |ev: f64, deviation: f64| deviation * deviation / 2.0 - price * ev;
            prop_assert!(cost(best.ev, best.deviation) <= cost(ev, deviation) + best.gap.abs() + 1e-9);
        }
    }
}

#[test]
fn spreads_match_the_stakes_on_single_spots() {
    // Compare the measure with its definition in terms of stakes on single spots.
    let game = game(&[]);
    let outcomes = JointWins::by_profiles(&game);
    let frontier = Frontier::new(&outcomes);
    let stakes: Vec<(Wager, f64)> = game
        .wagers()
        .map(|wager| {
            let spots = frontier.kinds().find(|(kind, _)| *kind == wager.kind()).unwrap().1;
            (wager, 1.0 / 11.0 / spots as f64)
        })
        .collect();
    let ev: f64 = stakes.iter().map(|(wager, stake)| stake * outcomes.ev(*wager).value()).sum();
    let pairs = stakes.iter().flat_map(|a| stakes.iter().map(move |b| (a, b)));
    let variance: f64 = pairs.map(|((a, x), (b, y))| x * y * outcomes.covariance(*a, *b).value()).sum();
    let measured = frontier.measure(&[1.0 / 11.0; 11]);
    assert!((measured.0 - ev).abs() < 1e-12 && (measured.1 - variance.sqrt()).abs() < 1e-12);
    assert_eq!(frontier.kinds().map(|(_, spots)| spots).collect::<Vec<_>>(), [2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 13]);
    assert_eq!(frontier.kinds().next().unwrap().0, WagerKind::FourOrMoreOfAColour);
}

#[test]
fn policies_are_evaluated_by_their_stakes() {
    let solver = find("joker-seven").unwrap().solver(&SolverConfig::default()).unwrap();
    let control = Control::default();
    let reset_options = serde_json::json!({ "chips": 3 }).as_object().unwrap().clone();
    let config = EvaluatorConfig { reset_options, ..EvaluatorConfig::default() };
    let evaluator = solver.evaluator(&config, &control).unwrap();
    // It keeps staking on the first wager while it's legal.
    let first = FnPolicy::new("first legal", "counts", |_, masks| vec![masks.iter().position(|&legal| legal).unwrap()]);
    let entrants = [Entrant { policy: &first, in_detail: true }];
    let evaluation = evaluator.evaluate(&entrants, Scope::Whole, &control).unwrap();
    let plays: Vec<&str> = evaluation.scores.iter().map(|score| score.details["plays"].as_str().unwrap()).collect();
    assert_eq!(plays, ["1 on any of 28 wagers", "1 on 4+-black", "3 on 4+-black", "1 on two-pairs"]);
    let solved = solver.solve(&control).unwrap().json;
    let ev = |name: &str| solved["wagers"][name]["ev"].as_f64().unwrap();
    assert_eq!((evaluation.scores[2].ev, evaluation.scores[3].ev), (3.0 * ev("4+-black"), ev("two-pairs")));
    let reset_options = serde_json::json!({ "chips": 0 }).as_object().unwrap().clone();
    let none = FnPolicy::new("none", "counts", |_, _| Vec::<usize>::new());
    let refused = evaluator.evaluate(&[Entrant { policy: &none, in_detail: true }], Scope::Whole, &control);
    assert!(refused.err().unwrap().to_string().contains("did not choose a legal action"));
    let bad = EvaluatorConfig { reset_options, ..config };
    assert!(solver.evaluator(&bad, &control).err().unwrap().to_string().contains("chips"));
    assert!(solver.value("As", &control).is_err());
}
