//! Tests against brute-force enumeration and published numbers.

use super::*;
use crate::registry::find;
use crate::solver::{Control, Entrant, EvaluatorConfig, Scope, SolverConfig};
use houseway_env::asian_stud::{JokerPoints, Points};
use houseway_env::cards::Card;
use houseway_env::gym::FnPolicy;
use proptest::prelude::{Just, ProptestConfig, Strategy as _, prop_assert_eq, proptest};
use std::collections::HashMap;
use std::sync::LazyLock;

fn rules(settings: &[&str]) -> Rules {
    settings.iter().fold(Rules::default(), |rules, setting| rules.with(setting).unwrap())
}

fn with_joker(joker: JokerPoints) -> AsianStud {
    AsianStud::new(Rules { joker, ..Rules::default() })
}

/// Enumerates the dealer's hands next to the known cards, and counts how many have each value.
fn slow_dealers(game: &Game, known: CardSet) -> [u64; Value::COUNT] {
    let mut dealers = [0; Value::COUNT];
    let no_joker = game.rules().joker == JokerPoints::None;
    let deck = if no_joker { CardSet::DECK_52 } else { CardSet::DECK_53 };
    for_each_subset(deck.difference(known), 5, |dealer| {
        dealers[game.value(Hand::new(dealer).unwrap()).index()] += 1;
    });
    dealers
}

#[test]
fn classes_partition_all_hands() {
    for joker in JokerPoints::ALL {
        let stud = with_joker(joker);
        let classes = stud.classes();
        let (hands, dealer_hands) =
            if joker == JokerPoints::None { (2_598_960, 1_533_939) } else { (2_869_685, 1_712_304) };
        assert_eq!((stud.hands(), stud.dealer_hands()), (hands, dealer_hands));
        assert_eq!(classes.len(), if joker == JokerPoints::None { 1_993 } else { 2_708 });
        assert_eq!(classes.iter().map(|class| class.hands).sum::<u64>(), hands);
        for class in classes {
            assert_eq!(class.dealers.iter().sum::<u64>(), dealer_hands);
            assert_eq!(stud.class(class.example()), Ok(class));
            assert_eq!(stud.game.value(class.example()), class.value);
        }
    }
    assert!(with_joker(JokerPoints::None).class("Jk As Kd 2c 3d".parse().unwrap()).is_err());
}

#[test]
fn class_sizes_match_enumeration() {
    let stud = with_joker(JokerPoints::One);
    let mut hands: HashMap<[u8; Points::COUNT], u64> = HashMap::new();
    for_each_subset(CardSet::DECK_53, 5, |cards| *hands.entry(Hand::new(cards).unwrap().counts()).or_default() += 1);
    assert_eq!(hands.len(), stud.classes().len());
    assert!(stud.classes().iter().all(|class| hands[&class.counts] == class.hands));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn dealers_with_and_without_dead_cards_match_enumeration(
        joker in 0..JokerPoints::ALL.len(),
        cards in Just((0..53u8).collect::<Vec<_>>()).prop_shuffle(),
        dead in 0..=42usize,
    ) {
        static STUDS: LazyLock<Vec<AsianStud>> =
            LazyLock::new(|| JokerPoints::ALL.iter().map(|&joker| with_joker(joker)).collect());
        let (stud, joker) = (&STUDS[joker], JokerPoints::ALL[joker]);
        let pack = cards.iter().filter(|&&card| usize::from(card) < joker.cards());
        let pack: Vec<Card> = pack.filter_map(|&card| Card::from_index(card)).collect();
        let hand = Hand::new(pack[..5].iter().copied().collect()).unwrap();
        let dead: CardSet = pack[5..5 + dead].iter().copied().collect();
        prop_assert_eq!(stud.class(hand).unwrap().dealers, slow_dealers(&stud.game, hand.set()));
        let class = stud.class_beside(hand, dead.into()).unwrap();
        prop_assert_eq!(class.dealers, slow_dealers(&stud.game, hand.set().union(dead)));
        let net: i128 = Value::all().zip(class.dealers).map(|(dealer, n)| i128::from(stud.game.raised(class.value, dealer)) * i128::from(n)).sum();
        let all = houseway_env::cards::combinations::binomial((joker.cards() - 5 - dead.len()) as u64, 5);
        let situation = stud.situation(&hand.to_string(), dead.into()).unwrap();
        prop_assert_eq!(situation.ev(RAISE), Ratio::new(net, i128::from(all) * i128::from(UNIT)));
        prop_assert_eq!(situation.ev(FOLD), Ratio::new(-1, 1));
        prop_assert_eq!(situation.best() == RAISE, situation.ev(RAISE) > Ratio::new(-1, 1));
    }
}

/// Raises one class and folds all others, against every hand that the dealer can hold.
#[test]
fn the_parts_of_a_raise_match_enumeration() {
    for settings in [&[][..], &["commission=ante", "odds-on=both", "no-set-against-set=both_returned"]] {
        let game = AsianStud::new(rules(settings));
        let hand: Hand = "9s Ad Th 5c 5d".parse().unwrap();
        let class = game.class(hand).unwrap();
        // The commission is 5% of what a wager wins.
        let is_taxed = [true, settings.is_empty()];
        let (mut wagers, mut all) = ([0_i128; 2], 0_i128);
        for_each_subset(deck(game.game.rules()).difference(hand.set()), 5, |dealer| {
            let dealer = game.game.value(Hand::new(dealer).unwrap());
            let parts = game.game.raised_parts(class.value, dealer);
            for ((sum, net), is_taxed) in wagers.iter_mut().zip(parts.map(i128::from)).zip(is_taxed) {
                *sum += if is_taxed && net > 0 { net / 19 * 20 } else { net };
            }
            all += i128::from(game.game.raised(class.value, dealer));
        });
        let (deals, hands) = (i128::from(game.deals()), i128::from(class.hands));
        let others = -i128::from(UNIT) * (deals - hands * i128::from(class.dealer_hands()));
        let ratio = |sum: i128| Ratio::new(sum, deals * i128::from(UNIT));
        let parts = game.ev_parts(|index| &game.classes()[index] == class);
        let commission = ratio((all - wagers[0] - wagers[1]) * hands);
        let expected = [("ante", ratio(wagers[0] * hands + others)), ("raise", ratio(wagers[1] * hands))];
        assert_eq!(parts, [&expected[..], &[("commission", commission)][..]].concat(), "{settings:?}");
        assert!(commission < Ratio::ZERO);
    }
}

#[test]
#[ignore = "takes 2 min to enumerate the dealer's hands for every class under every reading of the joker"]
fn dealers_of_every_class_match_enumeration() {
    use rayon::prelude::*;
    for joker in JokerPoints::ALL {
        let stud = with_joker(joker);
        stud.classes().par_iter().for_each(|class| {
            assert_eq!(class.dealers, slow_dealers(&stud.game, class.example().set()), "{joker:?} {}", class.example());
        });
    }
}

#[test]
fn totals_match_sums_over_classes_under_every_reading() {
    for (reading, option, rules) in Rules::default().with_each(Rules::READINGS) {
        let solver = Enumerated::new(AsianStud::new(rules));
        let (stud, game) = (solver.game(), Game::new(rules));
        let (optimal, always) = (solver.optimal(), solver.total(|_, _| RAISE));
        assert!(optimal.ev() >= always.ev(), "{reading}={option}");
        assert_eq!(always.hands[RAISE], stud.hands());
        // Add up the better action for each class, using fractions.
        let better = |class: &Class| {
            let net = Value::all().zip(&class.dealers);
            let net = net.map(|(dealer, &n)| i128::from(game.raised(class.value, dealer)) * i128::from(n));
            let folded = -i128::from(UNIT) * i128::from(stud.dealer_hands());
            net.sum::<i128>().max(folded) * i128::from(class.hands)
        };
        let sum: i128 = stud.classes().iter().map(better).sum();
        assert_eq!(optimal.ev(), Ratio::new(sum, i128::from(stud.deals()) * i128::from(UNIT)));
        assert_eq!(solver.deals(), stud.deals());
        let values = answer::values(&solver);
        assert_eq!(values.iter().map(|row| row.hands).sum::<u64>(), stud.hands());
        assert_eq!(values.iter().map(|row| row.folded).sum::<u64>(), optimal.hands[FOLD]);
        assert!(
            values.iter().all(|row| row.raise_ev_range[0] <= row.raise_ev && row.raise_ev <= row.raise_ev_range[1])
        );
    }
}

#[test]
fn poker_hands_match_published_counts() {
    let counts = |settings: &[&str]| poker_hands(&rules(settings)).map(|(_, hands)| hands);
    // 52 cards, from high card to royal flush. There are no five aces.
    assert_eq!(counts(&["joker=none"]), [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4, 0]);
    // One fully wild joker, with the frequencies found in any poker reference: 13 five of a kind (twelve of which count
    // as four of a kind here), 204 straight and royal flushes, 3,120 four of a kind, 6,552 full houses, 7,804 flushes,
    // 20,532 straights, 137,280 three of a kind, 123,552 two pairs, 1,268,088 pairs, 1,302,540 high cards.
    assert_eq!(
        counts(&["joker-semiwild=wild"]),
        [1_302_540, 1_268_088, 123_552, 137_280, 20_532, 7_804, 6_552, 3_120 + 12, 204 - 24, 24, 1]
    );
    // A semi-wild joker, from Wizard of Odds, "Pai Gow Poker", appendix.
    assert_eq!(counts(&[]), [1_418_964, 1_215_024, 138_600, 63_360, 20_532, 7_804, 4_368, 828, 180, 24, 1]);
}

#[test]
fn the_return_of_a_paytable_adds_up_its_rows() {
    let rules = rules(&[]);
    let counts = poker_hands(&rules);
    let game = Game::new(rules).with_paytable(Paytable::load("example-pair").unwrap());
    let mut net = 0;
    for_each_subset(CardSet::DECK_53, 5, |cards| net += game.side_net(Hand::new(cards).unwrap()));
    assert_eq!(side_bet_ev(game.paytable(), &counts), Ratio::new(net.into(), 2_869_685));
}

#[test]
fn policies_are_evaluated_beside_the_baselines() {
    let solver = find("asian-stud").unwrap().solver(&SolverConfig::default().assign("commission=none")).unwrap();
    let control = Control::default();
    let evaluator = solver.evaluator(&EvaluatorConfig::default(), &control).unwrap();
    let raise = FnPolicy::new("always the same", evaluator.encoding(), |_, masks| vec![RAISE; masks.len() / 2]);
    let entrants = [Entrant { policy: &raise, in_detail: true }];
    let evaluation = evaluator.evaluate(&entrants, Scope::Whole, &control).unwrap();
    let names: Vec<&str> = evaluation.scores.iter().map(|score| score.name.as_str()).collect();
    assert_eq!(names, ["random", "raise with a set", "always raise", "always the same", "optimum"]);
    let [_, _, always, policy, optimum] = &evaluation.scores[..] else { panic!("five scores") };
    assert_eq!((policy.ev, policy.regret, policy.agreement), (always.ev, always.regret, always.agreement));
    let solved = solver.solve(&control).unwrap().json;
    assert_eq!(
        (optimum.ev, always.ev),
        (solved["ev"]["value"].as_f64().unwrap(), solved["always_raise"]["value"].as_f64().unwrap())
    );
    assert!(optimum.regret == 0.0 && optimum.agreement == 1.0 && policy.regret > 0.0);
}

#[test]
fn labels_add_up_to_the_optimum() {
    let (control, config) = (Control::default(), EvaluatorConfig::default());
    let solver = find("asian-stud").unwrap().solver(&SolverConfig::default()).unwrap();
    let evaluator = solver.evaluator(&config, &control).unwrap();
    let optimum = evaluator.evaluate(&[], Scope::Whole, &control).unwrap().scores.pop().unwrap().ev;
    let values = evaluator.exact_values(&control).unwrap();
    assert!(solver.has_exact_values() && values.encoding() == evaluator.encoding());
    let mut observation = vec![0.0; Encoding::len(Observation::Points)];
    let (mut mask, mut evs, mut sum, mut hands) = ([false; 2], [0.0; 2], 0.0, 0);
    for decision in 0..values.decisions() {
        values.write(decision, &mut observation, &mut mask, &mut evs).unwrap();
        assert!(mask == [true; 2] && evs[FOLD] == -1.0);
        sum += f64::from(evs[0].max(evs[1])) * values.hands(decision) as f64;
        hands += values.hands(decision);
    }
    assert!((sum / hands as f64 - optimum).abs() < 1e-6, "{} {optimum}", sum / hands as f64);
    // Not every solver provides labels.
    let solver = find("joker-seven").unwrap().solver(&SolverConfig::default()).unwrap();
    assert!(!solver.has_exact_values());
    let error = solver.evaluator(&config, &control).unwrap().exact_values(&control).err().unwrap().to_string();
    assert!(error.contains("doesn't provide exact labels"), "{error}");
}

#[test]
fn the_verdict_on_always_raising_follows_the_rules() {
    let verdict = |settings: &[&str]| {
        let solver = Enumerated::new(AsianStud::new(rules(settings)));
        format!("{:?}", answer::Parts::new(&solver).sections())
    };
    let default = verdict(&[]);
    for part in ["all of them without a set", "a commission on the ante won", "Every hand with a set raises."] {
        assert!(default.contains(part), "{part}");
    }
    // Wild jokers make sets so common that even hands with a set of value 1 are folded.
    let wild = verdict(&["joker=wild", "commission=none"]);
    assert!(wild.contains("6,784 of them with a set") && !wild.contains("a commission on the ante"), "{wild}");
    assert!(!wild.contains("Every hand with a set raises") && !wild.contains("(published)"));
    let free = verdict(&["no-set-against-set=both_returned"]);
    assert!(free.contains("the optimal strategy always raises") && !free.contains("Whether to fold"), "{free}");
    let lost = verdict(&["side-bet-on-fold=lost"]);
    assert!(default.contains("per unit staked") && !lost.contains("per unit staked"), "{lost}");
    assert!(lost.contains("an EV that depends on which hands are folded"), "{lost}");
}
