use super::super::tests::{SPECIAL, any_legal, arbitrary, game};
use super::super::{AnyLegal, count_against_random, slow};
use super::*;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::pai_gow::ProfileTable;
use houseway_env::pai_gow::{Outcome, ProfileStrategy, Strategy as _};
use proptest::prelude::*;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

#[test]
fn two_special_hands_match_enumeration_by_profile() {
    for hand in [SPECIAL[1], SPECIAL[7]] {
        let hand: Hand = hand.parse().unwrap();
        let (fast, slow) = (HandEvaluator::new(game(), any_legal()), slow::ProfileCounts::enumerate(hand));
        let counts = slow.count(game(), Side::Player, any_legal());
        assert_eq!(fast.count(hand), counts);
        assert_eq!(fast.count_with_lower(hand), (counts, slow.count_lower(game(), any_legal())));
    }
}

/// Settles each deal from the 11 cards that aren't dead, with every ordered pair of the cards that are left.
#[test]
fn pushes_settled_by_another_card_match_plain_enumeration() {
    let (hand, strategy): (Hand, _) = ("Ac Kd Qh 9s 9d 4c 2h".parse().unwrap(), ProfileTable::max_front(game()));
    let rest: CardSet = "Jk As Kc Ks Qd 9h 8s 8d 4s 4d 3c".parse().unwrap();
    let dead = CardSet::DECK_53.difference(hand.set()).difference(rest);
    let table = BankerTable::new(&strategy);
    let known = KnownCards::new(hand, dead).unwrap();
    let (fast, weight) = HandEvaluator::new(game(), &table).count_without_pushes(known).unwrap();
    let rank = |card: Card| card.rank().unwrap_or(Rank::Ace);
    for (setting, set) in game().settings(hand).filter(|&(_, set)| game().is_legal(set)) {
        let (mut wins, mut losses) = (0, 0);
        for_each_subset(rest, Hand::CARDS, |cards| {
            let banker = Hand::new(cards).unwrap();
            let left: Vec<Card> = rest.difference(cards).iter().collect();
            let outcome =
                game().settle(set, game().banker_set(banker, game().set(banker, strategy.set(banker)))).outcome;
            for (i, &own) in left.iter().enumerate() {
                for (_, &other) in left.iter().enumerate().filter(|&(j, _)| j != i) {
                    match outcome {
                        Outcome::Win => wins += 1,
                        Outcome::Push if rank(own) > rank(other) => wins += 1,
                        _ => losses += 1,
                    }
                }
            }
        });
        let counts = fast.get(setting).unwrap();
        assert_eq!((weight, counts.wins, counts.pushes, counts.losses), (12, wins, 0, losses), "{}", setting.index());
        assert_eq!(wins + losses, 12 * 330);
    }
    let too_many = KnownCards::new(hand, dead.union("Jk As Kc".parse().unwrap())).unwrap();
    let error = HandEvaluator::new(game(), &table).count_without_pushes(too_many).unwrap_err().to_string();
    assert!(error.contains("too few"), "{error}");
}

#[test]
#[ignore = "1 h 45 min; compares every special hand against three bankers with brute-force enumeration"]
fn special_hands_match_plain_enumeration() {
    let strategies: [&dyn ProfileStrategy; 3] =
        [&ProfileTable::max_front(game()), &ProfileTable::max_back(game()), &AnyLegal::new(game(), 7)];
    for strategy in strategies {
        let banker = BankerTable::new(strategy);
        for hand in SPECIAL {
            let hand: Hand = hand.parse().unwrap();
            let fast = HandEvaluator::new(game(), &banker).count(hand);
            assert_eq!(fast, slow::count(game(), strategy, hand), "{hand} against {}", banker.name());
        }
    }
}

#[test]
fn best_setting_and_regret() {
    let banker = BankerTable::new(&ProfileTable::max_front(game()));
    let hand: Hand = "As Ad Kh Kc Qs Qd 3c".parse().unwrap();
    let counts = HandEvaluator::new(game(), &banker).count(hand);
    let best = counts.best();
    assert_eq!(best.front(hand).to_string(), "As Ad");
    assert_eq!(counts.regret(best), Some(Ratio::ZERO));
    for setting in Setting::all() {
        match counts.ev(setting) {
            None => assert!(!game().is_legal(game().set(hand, setting)) && counts.regret(setting).is_none()),
            Some(ev) => {
                assert!(counts.regret(setting).unwrap() >= Ratio::ZERO);
                assert!((counts.ev_values()[setting.index()] - ev.value()).abs() < 1e-15);
                assert!(ev < counts.ev(best).unwrap() || setting >= best);
            }
        }
    }
}

#[test]
fn many_hands_are_evaluated_in_order() {
    let hands: Vec<Hand> = SPECIAL.map(|hand| hand.parse().unwrap()).to_vec();
    let counter = HandEvaluator::new(game(), any_legal());
    let alone: Vec<HandCounts> = hands.iter().map(|&hand| counter.count(hand)).collect();
    assert_eq!(counter.count_many(&hands), alone);
}

/// Dead cards that leave 7 to 24 cards to the other side.
const MANY: RangeInclusive<usize> = 27..=39;

/// Returns a hand with some number of dead cards.
fn known(dead: RangeInclusive<usize>) -> impl proptest::strategy::Strategy<Value = KnownCards> {
    let cards = Just((0..53u8).collect::<Vec<_>>()).prop_shuffle();
    (cards, dead).prop_map(|(cards, dead)| {
        let set = |cards: &[u8]| -> CardSet { cards.iter().filter_map(|&index| Card::from_index(index)).collect() };
        KnownCards::new(Hand::new(set(&cards[..7])).unwrap(), set(&cards[7..7 + dead])).unwrap()
    })
}

#[test]
fn seven_dead_cards_match_enumeration_by_profile() {
    let hand = "As Kd Jk 7c 7d 2h 3s".parse().unwrap();
    let known = KnownCards::new(hand, "Ad Kc 7s 7h 9d Td 2c".parse::<CardSet>().unwrap()).unwrap();
    let fast = HandEvaluator::new(game(), any_legal()).count(known);
    assert_eq!(fast, slow::ProfileCounts::enumerate(known).count(game(), Side::Player, any_legal()));
    assert!(fast.settings().iter().flatten().all(|counts| counts.all() == 15_380_937));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    #[test]
    fn dead_cards_match_plain_enumeration(known in known(MANY), rules in 0..5usize) {
        static GAMES: LazyLock<[(Game, BankerTable); 5]> = LazyLock::new(|| {
            ["copies=banker", "copies=pushed", "bank-pushes=nine_high_front", "joker=wild", "joker=face_card"]
                .map(|change| arbitrary(&[change]))
        });
        let (game, table) = &GAMES[rules];
        let evaluator = HandEvaluator::new(game, table);
        prop_assert_eq!(evaluator.count(known), slow::count(game, &AnyLegal::new(game, 7), known));
        let by_profile = slow::ProfileCounts::enumerate(known);
        for side in [Side::Player, Side::Banker] {
            prop_assert_eq!(evaluator.count_for(side, known), by_profile.count(game, side, table));
        }
    }

    #[test]
    fn open_bankers_match_plain_enumeration(known in known(MANY), pushes in 0..2usize) {
        static GAMES: LazyLock<[(Game, BankerTable); 2]> = LazyLock::new(|| {
            ["bank-pushes=none", "bank-pushes=ace_high_pai_gow"].map(|change| arbitrary(&[change]))
        });
        let (game, table) = &GAMES[pushes];
        let slow = slow::count_open(game, &AnyLegal::new(game, 7), known);
        prop_assert_eq!(HandEvaluator::new(game, table).count_open(known), slow);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2, ..ProptestConfig::default() })]

    #[test]
    fn dead_cards_match_plain_enumeration_against_random(known in known(MANY)) {
        let by_profile = slow::ProfileCounts::enumerate(known);
        for side in [Side::Player, Side::Banker] {
            let counts = count_against_random(game(), side, known);
            prop_assert_eq!(counts, by_profile.count_random(game(), side));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, ..ProptestConfig::default() })]

    #[test]
    fn random_hands_match_enumeration_by_profile(known in known(0..=0)) {
        let fast = HandEvaluator::new(game(), any_legal()).count(known);
        prop_assert_eq!(fast, slow::ProfileCounts::enumerate(known).count(game(), Side::Player, any_legal()));
    }
}
