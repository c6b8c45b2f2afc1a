use super::*;
use crate::cards::combinations::for_each_subset;
use std::collections::HashMap;

fn strength(ranking: &Ranking, cards: &str) -> FiveStrength {
    ranking.five(cards.parse().unwrap())
}

/// Returns the number of five-card hands in each category, starting with high card.
fn counts(rules: FiveRules) -> [u32; Category::ALL.len()] {
    let ranking = Ranking::new(rules);
    let mut counts = [0; Category::ALL.len()];
    for_each_subset(CardSet::DECK_53, 5, |five| counts[ranking.category(ranking.five(five)) as usize] += 1);
    counts
}

#[test]
fn five_card_counts_match_published_numbers() {
    // There are C(53,5) = 2,869,685 hands. The counts with a half-wild joker are from Wizard of Odds, "Pai Gow Poker",
    // appendix. They cover categories that don't depend on a reading.
    let expected = [1_418_964, 1_215_024, 138_600, 63_360, 20_532, 7_804, 4_368, 828, 180, 24, 1];
    assert_eq!(counts(FiveRules::default()), expected);
}

#[test]
fn five_card_counts_with_a_wild_joker_match_published_numbers() {
    // The counts for 53 cards with one fully wild joker are from Wizard of Odds, "Probabilities in poker". A-2-3-4-5 is
    // the lowest straight there, which doesn't affect the category of any hand.
    let wheel = WheelStraight::Lowest;
    let rules = FiveRules { joker: JokerUse::Wild, wheel_straight: wheel, ..FiveRules::default() };
    let expected = [1_302_540, 1_268_088, 123_552, 137_280, 20_532, 7_804, 6_552, 3_120, 180, 24, 13];
    assert_eq!(counts(rules), expected);
}

#[test]
fn five_card_counts_with_a_joker_for_face_cards_match_an_independent_count() {
    // An independent script tries every card for the joker.
    let rules = FiveRules { joker: JokerUse::FaceCard, ..FiveRules::default() };
    let expected = [1_329_000, 1_265_820, 157_680, 81_408, 20_532, 7_804, 5_832, 1_401, 180, 24, 4];
    assert_eq!(counts(rules), expected);
}

/// A reference evaluation of five ranks, where two is 2 and ace is 14. Returns the category from 0 to 9 and the
/// tie-breaking values.
fn evaluate(mut ranks: [u8; 5], suited: bool, rules: FiveRules) -> (u8, Vec<u8>) {
    ranks.sort_unstable_by(|a, b| b.cmp(a));
    let count = |rank| ranks.iter().filter(|&&other| other == rank).count() as u8;
    let mut groups: Vec<(u8, u8)> = ranks.iter().map(|&rank| (count(rank), rank)).collect();
    groups.dedup();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let order = groups.iter().map(|&(_, rank)| rank).collect();
    let lowest = if suited {
        rules.wheel_straight_flush == WheelStraightFlush::Lowest
    } else {
        rules.wheel_straight == WheelStraight::Lowest
    };
    // Values are doubled so that A-2-3-4-5 fits between two other straights.
    let straight = match ranks {
        [14, 5, 4, 3, 2] => Some(if lowest { 10 } else { 27 }),
        [top, ..] => (0..5).all(|i| ranks[i as usize] + i == top).then_some(2 * top),
    };
    match (straight, &groups.iter().map(|&(n, _)| n).collect::<Vec<_>>()[..]) {
        (_, [5]) => (9, order),
        (Some(top), _) if suited => (8, vec![top]),
        (_, [4, 1]) => (7, order),
        (_, [3, 2]) => (6, order),
        _ if suited => (5, ranks.to_vec()),
        (Some(top), _) => (4, vec![top]),
        (_, [3, 1, 1]) => (3, order),
        (_, [2, 2, 1]) => (2, order),
        (_, [2, 1, 1, 1]) => (1, order),
        _ => (0, order),
    }
}

/// A reference evaluation that tries every card for the joker. A card that the hand already contains doesn't count
/// toward a flush.
fn evaluate_with_joker(five: CardSet, rules: FiveRules) -> (u8, Vec<u8>) {
    let natural: Vec<Card> = CardSet::DECK_52.intersection(five).iter().collect();
    let with = |joker: Option<Card>| {
        let cards: Vec<Card> = natural.iter().copied().chain(joker).collect();
        let suited = cards.iter().all(|card| card.suit() == cards[0].suit());
        let doubled = joker.is_some_and(|joker| five.contains(joker));
        let ranks: Vec<u8> = cards.iter().filter_map(|card| card.rank()).map(|rank| rank.index() as u8 + 2).collect();
        evaluate(ranks.try_into().unwrap(), suited && !doubled, rules)
    };
    if natural.len() == 5 {
        return with(None);
    }
    let (free, completed): (&[Rank], &[u8]) = match rules.joker {
        JokerUse::HalfWild => (&[Rank::Ace], &[4, 5, 8]),
        JokerUse::FaceCard => (&[Rank::Ace, Rank::King, Rank::Queen, Rank::Jack], &[4, 8]),
        JokerUse::Wild => (&Rank::ALL, &[]),
    };
    let tried = CardSet::DECK_52.iter().map(|card| (card.rank().unwrap(), with(Some(card))));
    let allowed = tried.filter(|(rank, (category, _))| free.contains(rank) || completed.contains(category));
    allowed.map(|(_, name)| name).max().unwrap()
}

#[test]
fn all_hands_match_a_simple_evaluator() {
    // Hands with the same ranks have equal strengths if both or neither are suited, so testing one of them is enough.
    let rank_index = [RankIndex::new(5), RankIndex::new(4)];
    let mut hands = HashMap::new();
    for_each_subset(CardSet::DECK_53, 5, |five| {
        let key = Key::from_set(five);
        let index = rank_index[usize::from(key.has_joker())].index(key);
        hands.entry((key.has_joker(), key.flush_suit().is_some(), index)).or_insert(five);
    });
    for joker in JokerUse::ALL {
        for lowest in [[false, false], [true, false], [false, true], [true, true]] {
            let rules = FiveRules {
                joker,
                wheel_straight: if lowest[0] { WheelStraight::Lowest } else { WheelStraight::Second },
                wheel_straight_flush: if lowest[1] { WheelStraightFlush::Lowest } else { WheelStraightFlush::Second },
                joker_in_flush: JokerInFlush::HighestMissing,
            };
            let ranking = Ranking::new(rules);
            let mut by_strength = vec![None; ranking.strengths()];
            for &five in hands.values() {
                let name = evaluate_with_joker(five, rules);
                let known = by_strength[ranking.five(five).index()].get_or_insert_with(|| name.clone());
                assert_eq!(*known, name, "{five}");
            }
            assert!(by_strength.iter().all(Option::is_some) && by_strength.is_sorted(), "{rules:?}");
            assert!(by_strength.windows(2).all(|pair| pair[0] != pair[1]), "{rules:?}");
        }
    }
}

#[test]
fn hands_are_described() {
    let ranking = Ranking::new(FiveRules::default());
    for (cards, words) in [
        ("As Jk Ks 9s 5s", "flush A K Q 9 5"),
        ("As 2d 3d Jk 5d", "straight 5 high"),
        ("As Ks Qs Js Jk", "royal flush"),
        ("As Ah Ad Ac Jk", "five aces"),
    ] {
        assert_eq!(ranking.describe(strength(&ranking, cards)), words, "{cards}");
    }
}

#[test]
fn order_ranks_identify_every_strength() {
    let default = FiveRules::default();
    for rules in [
        default,
        FiveRules { wheel_straight_flush: WheelStraightFlush::Lowest, ..default },
        FiveRules { wheel_straight: WheelStraight::Lowest, ..default },
        FiveRules { joker: JokerUse::Wild, ..default },
    ] {
        let ranking = Ranking::new(rules);
        let names = (0..ranking.strengths()).map(|i| {
            let strength = FiveStrength::from_index(i);
            assert!(ranking.strengths_of(ranking.category(strength)).contains(&i));
            (ranking.category(strength), ranking.order_ranks(strength))
        });
        assert_eq!(names.collect::<std::collections::HashSet<_>>().len(), ranking.strengths());
        let counts = Category::ALL.map(|category| ranking.strengths_of(category).len());
        assert_eq!(counts.iter().sum::<usize>(), ranking.strengths());
        assert_eq!(counts[Category::Straight as usize..][..2], [10, 1_277]);
    }
    let ranks = |cards| {
        let ranking = Ranking::new(FiveRules::default());
        let ranks = ranking.order_ranks(strength(&ranking, cards)).into_iter().flatten();
        ranks.map(|rank| rank.to_string()).collect::<String>()
    };
    assert_eq!(["7s 7d 7c Jk Kd", "7s 7d Jk Kd 2c", "5s 4s 3s 2s As"].map(ranks), ["7AK", "7AK2", "5"]);
}

#[test]
fn the_joker_in_front_is_an_ace_or_any_card() {
    let [half, face, wild] = [JokerUse::HalfWild, JokerUse::FaceCard, JokerUse::Wild]
        .map(|joker| Ranking::new(FiveRules { joker, ..FiveRules::default() }));
    let [ace, jack, ten, two]: [Card; 4] = ["As", "Jh", "Td", "2c"].map(|card| card.parse().unwrap());
    assert_eq!([ace, jack, ten].map(|card| face.two(Card::JOKER, card).to_string()), ["AA", "JJ", "AT"]);
    for ranking in [&half, &face, &wild] {
        assert_eq!(ranking.two(Card::JOKER, ace), TwoStrength::MAX);
        assert_eq!(ranking.two(ace, two).to_string(), "A2");
    }
    assert_eq!(half.two(two, Card::JOKER).to_string(), "A2");
    assert_eq!([wild.two(two, Card::JOKER), wild.two(Card::JOKER, two)].map(|two| two.to_string()), ["22", "22"]);
}

#[test]
fn variants_change_the_order_they_name() {
    let lowest = Ranking::new(FiveRules { wheel_straight: WheelStraight::Lowest, ..FiveRules::default() });
    assert!(strength(&lowest, "As 2s 3s 4s 5d") < strength(&lowest, "6s 5s 4s 3s 2d"));
    assert!(strength(&lowest, "As 2s 3s 4s 5s") > strength(&lowest, "Ks Qs Js Ts 9s"));
    // With 2-3-4-5, the joker becomes a six if that makes a higher straight.
    assert_eq!(lowest.describe(strength(&lowest, "Jk 2s 3s 4s 5d")), "straight 6 high");
    let wild = Ranking::new(FiveRules { joker: JokerUse::Wild, ..FiveRules::default() });
    for (cards, words) in [
        ("Jk As Ad Ah Ac", "five aces"),
        ("Jk Ks Kd Kh Kc", "five of a kind K"),
        ("Jk Ks Kd Kh Ac", "four of a kind K A"),
        ("Jk Ks Kd 2h 2c", "full house K 2"),
        ("Jk Ks Kd 3h 2c", "three of a kind K 3 2"),
        ("Jk Ks 9d 3h 2c", "one pair K 9 3 2"),
        ("Jk Ks 9s 3s 2s", "flush A K 9 3 2"),
        ("Jk Ks Qs Js 9s", "straight flush K high"),
    ] {
        assert_eq!(wild.describe(strength(&wild, cards)), words, "{cards}");
    }
    assert!(strength(&wild, "Jk 2s 2d 2h 2c") > strength(&wild, "As Ks Qs Js Ts"));
    let face = Ranking::new(FiveRules { joker: JokerUse::FaceCard, ..FiveRules::default() });
    for (cards, words) in [
        ("Jk Ks Kd Kh Kc", "five of a kind K"),
        ("Jk Ks Kd 2h 2c", "full house K 2"),
        ("Jk Ts Td 2h 2c", "two pairs T 2 A"),
        ("Jk Js 9d 3h 2c", "one pair J 9 3 2"),
        ("Jk Ts 9d 3h 2c", "high card A T 9 3 2"),
        ("Jk 8s 7d 5h 4c", "straight 8 high"),
        ("Jk 9s 7s 3s 2s", "flush A 9 7 3 2"),
        ("Jk As Ks Qs 2s", "flush A K Q J 2"),
    ] {
        assert_eq!(face.describe(strength(&face, cards)), words, "{cards}");
    }
}

#[test]
fn readings_change_the_order_they_name() {
    let lowest = FiveRules { wheel_straight_flush: WheelStraightFlush::Lowest, ..FiveRules::default() };
    let lowest = Ranking::new(lowest);
    assert!(strength(&lowest, "As 2s 3s 4s 5s") < strength(&lowest, "6s 5s 4s 3s 2s"));
    assert!(strength(&lowest, "As 2s 3s 4s 5d") > strength(&lowest, "Ks Qs Js Ts 9d"));
    // The joker would only be an ace if that beat the lowest straight flush, which never happens.
    assert_eq!(lowest.category(strength(&lowest, "Jk 2s 3s 4s 5s")), Category::StraightFlush);
    let ace = Ranking::new(FiveRules { joker_in_flush: JokerInFlush::Ace, ..FiveRules::default() });
    assert!(strength(&ace, "As Jk Ks 9s 5s") > strength(&ace, "As Ks Qs Js 9s"));
    assert_eq!(ace.describe(strength(&ace, "As Jk Ks 9s 5s")), "flush A A K 9 5");
}

#[test]
fn every_set_of_rules_has_a_shared_ranking_of_its_own() {
    let mut places = Vec::new();
    for joker in JokerUse::ALL {
        for wheel_straight in WheelStraight::ALL {
            for wheel_straight_flush in WheelStraightFlush::ALL {
                for joker_in_flush in JokerInFlush::ALL {
                    let rules = FiveRules { joker, wheel_straight, wheel_straight_flush, joker_in_flush };
                    let (shared, own) = (Ranking::shared(rules), Ranking::new(rules));
                    assert!(shared.orders == own.orders && shared.plain == own.plain && shared.suited == own.suited);
                    assert!(std::ptr::eq(shared, Ranking::shared(rules)));
                    places.push(rules.index());
                }
            }
        }
    }
    places.sort_unstable();
    assert!(places.into_iter().eq(0..FiveRules::COUNT));
}
