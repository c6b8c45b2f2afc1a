//! Compares the rows of the side bet with their definitions, written as slow and obvious code.

use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::gym::stream;
use houseway_env::pai_gow::{Dealt, Paytable, Rules, SideBet};
use rayon::prelude::*;
use std::collections::HashSet;

type Plain = (usize, usize);

/// The place of five cards, given by rank and suit, among the categories from no pair to five of a kind.
fn natural_category(cards: [Plain; 5]) -> usize {
    let mut counts = [0; 13];
    cards.iter().for_each(|&(rank, _)| counts[rank] += 1);
    let flush = cards.iter().all(|&(_, suit)| suit == cards[0].1);
    let run = |low: usize| (low..low + 5).all(|rank| counts[rank] == 1);
    let straight = (0..9).any(run) || [12, 0, 1, 2, 3].into_iter().all(|rank| counts[rank] == 1);
    let ranks_with = |cards: usize| counts.iter().filter(|&&count| count == cards).count();
    let [pairs, threes, fours, fives] = [2, 3, 4, 5].map(ranks_with);
    match (straight, flush) {
        _ if fives == 1 => 10,
        (true, true) => 8 + usize::from(run(8)),
        _ if fours == 1 => 7,
        _ if threes == 1 && pairs == 1 => 6,
        (_, true) => 5,
        (true, _) => 4,
        _ if threes == 1 => 3,
        _ => pairs,
    }
}

/// Returns the best category of five cards. The joker is any card if it is wild. Otherwise it is an ace, or any card if
/// that makes a straight or a flush.
fn category(five: CardSet, wild: bool) -> usize {
    let (mut cards, mut natural) = ([(0, 0); 5], 0);
    for (rank, suit) in five.iter().filter_map(|card| card.rank().zip(card.suit())) {
        cards[natural] = (rank.index(), suit.index());
        natural += 1;
    }
    if natural == 5 {
        return natural_category(cards);
    }
    let with = |joker: Plain| natural_category([cards[0], cards[1], cards[2], cards[3], joker]);
    // As an ace in a suit of its own, the joker makes no flush.
    let as_ace = with((12, 4));
    let stands = (0..13).flat_map(|rank| (0..4).map(move |suit| (rank, suit)));
    let free = stands.filter(|card| !cards[..4].contains(card)).map(with);
    let complete = |category: &usize| wild || [4, 5, 8, 9].contains(category);
    // A wild joker can also be a fifth card in a rank.
    let five_of_a_kind = wild && cards[..4].iter().all(|&(rank, _)| rank == cards[0].0);
    free.filter(complete).chain([as_ace, if five_of_a_kind { 10 } else { 0 }]).max().unwrap()
}

/// The names of the rows, each with its definition for a hand.
struct Slow {
    /// The category of every five cards, and whether the other two are a pair.
    fives: Vec<(usize, bool, bool)>,
    counts: [usize; 13],
    hand: CardSet,
    wild: bool,
}

impl Slow {
    fn new(hand: CardSet, wild: bool) -> Slow {
        let mut fives = vec![];
        for_each_subset(hand, 5, |five| {
            let others: Vec<Option<usize>> =
                hand.difference(five).iter().map(|card| card.rank().map(Rank::index)).collect();
            let pair = match others[..] {
                [None, Some(other)] | [Some(other), None] => wild || other == 12,
                _ => others[0] == others[1],
            };
            fives.push((category(five, wild), pair, five.contains(Card::JOKER)));
        });
        let mut counts = [0; 13];
        hand.iter().filter_map(Card::rank).for_each(|rank| counts[rank.index()] += 1);
        Slow { fives, counts, hand, wild }
    }

    fn best(&self) -> usize {
        self.fives.iter().map(|(category, ..)| *category).max().unwrap()
    }

    fn holds(&self, row: &str) -> bool {
        let joker = self.hand.contains(Card::JOKER);
        let royal_and = |ranks: [usize; 2]| {
            self.fives.iter().any(|five| five.0 == 9)
                && Suit::ALL.into_iter().any(|suit| self.hand.ranks_in(suit) == 1 << ranks[0] | 1 << ranks[1])
        };
        let pai_gow = |high: usize| {
            let highest = if joker { 12 } else { self.counts.iter().rposition(|&count| count > 0).unwrap() };
            self.best() == 0 && highest == high
        };
        let pairs = |size: fn(usize) -> bool| {
            let mut counts = self.counts;
            counts[12] += usize::from(joker);
            counts.into_iter().filter(|&count| size(count)).count() == 3
        };
        // Three of a kind, a full house and so on contain pairs as well.
        let ranks_in_pairs = |joker: bool| {
            let mut counts = self.counts;
            match counts.iter().position(|&count| count == 1).filter(|_| self.wild) {
                Some(single) => counts[single] += usize::from(joker),
                None => counts[12] += usize::from(joker),
            }
            counts.into_iter().filter(|&count| count >= 2).count()
        };
        match row {
            "holding-one-pair" => return ranks_in_pairs(joker) >= 1,
            "holding-two-pairs" => return ranks_in_pairs(joker) >= 2,
            "natural-one-pair" => return ranks_in_pairs(false) >= 1,
            "natural-two-pairs" => return ranks_in_pairs(false) >= 2,
            _ => {}
        }
        let place = |name: &str| CATEGORIES.into_iter().position(|category| category == name);
        if let Some(place) = row.strip_suffix("-plus-a-pair").and_then(place) {
            return self.fives.iter().any(|five| is(five.0, place) && five.1);
        }
        if let Some(place) = row.strip_prefix("natural-").and_then(place) {
            return self.fives.iter().any(|five| is(five.0, place) && !five.2);
        }
        if let Some(high) = row.strip_suffix("-high-pai-gow") {
            return pai_gow(Rank::ALL.into_iter().position(|rank| rank.name() == high).unwrap());
        }
        if let Some(place) = row.strip_prefix("holding-").and_then(place) {
            return self.fives.iter().any(|five| is(five.0, place));
        }
        match row {
            "pai-gow" | "high-card" => self.best() == 0,
            "ace-high-pai-gow-with-joker" => self.best() == 0 && joker,
            "exactly-flush" => self.best() == 5,
            "at-least-flush" => self.best() >= 5,
            "two-pairs" => self.best() == 2,
            "one-pair" => self.best() == 1,
            "three-pairs" => pairs(|count| count == 2),
            "holding-three-pairs" => pairs(|count| count >= 2),
            "exactly-three-pairs" => self.best() == 2 && pairs(|count| count == 2),
            "natural-royal-flush-plus-a-pair-of-aces" => !joker && self.best() == 9 && self.counts[12] == 3,
            "royal-flush-with-suited-ace-king" => royal_and([12, 11]),
            "royal-flush-with-suited-king-queen" => royal_and([11, 10]),
            "five-of-a-kind" => self.best() == 10,
            _ => unreachable!("{row}"),
        }
    }
}

/// Returns `true` if a hand of a category is also one of another: a royal flush is a straight flush, which is a flush and a
/// straight, and four of a kind and a full house have three cards in a rank.
fn is(category: usize, other: usize) -> bool {
    let also: &[usize] = match category {
        10 => &[7, 3],
        9 => &[8, 5, 4],
        8 => &[5, 4],
        6 | 7 => &[3],
        _ => &[],
    };
    category == other || also.contains(&other)
}

/// The categories of five cards in order. The last one is five of a kind if the joker is wild.
const CATEGORIES: [&str; 11] = [
    "high-card",
    "one-pair",
    "two-pairs",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "royal-flush",
    "five-aces",
];

const ROWS: [&str; 16] = [
    "pai-gow",
    "high-card",
    "nine-high-pai-gow",
    "ten-high-pai-gow",
    "jack-high-pai-gow",
    "queen-high-pai-gow",
    "king-high-pai-gow",
    "ace-high-pai-gow",
    "exactly-flush",
    "at-least-flush",
    "two-pairs",
    "one-pair",
    "natural-royal-flush-plus-a-pair-of-aces",
    "royal-flush-with-suited-ace-king",
    "royal-flush-with-suited-king-queen",
    "five-of-a-kind",
];
/// With a wild joker, three pairs with the joker are no other hand, and a hand with the joker has at least a pair.
const HALF_WILD_ROWS: [&str; 4] =
    ["three-pairs", "holding-three-pairs", "exactly-three-pairs", "ace-high-pai-gow-with-joker"];

fn bets(wild: bool) -> Vec<(String, SideBet)> {
    let rules = if wild { Rules::default().with("joker=wild").unwrap() } else { Rules::default() };
    let more: &[&str] = if wild { &[] } else { &HALF_WILD_ROWS };
    // Five of a kind needs the joker, and nearly all hands contain five cards without a pair.
    let natural = CATEGORIES[1..10].iter().map(|category| format!("natural-{category}"));
    let holding = CATEGORIES.iter().map(|category| format!("holding-{category}"));
    let with_pair = CATEGORIES[1..].iter().map(|category| format!("{category}-plus-a-pair"));
    let bet = |row: String| {
        let table: Paytable = format!("name = 'one'\nrow = [{{ hand = '{row}', odds = 1 }}]").parse().unwrap();
        (row, SideBet::new(table, &rules))
    };
    ROWS.iter()
        .chain(more)
        .map(|row| (*row).to_owned())
        .chain(natural)
        .chain(holding)
        .chain(with_pair)
        .map(bet)
        .collect()
}

#[test]
fn rows_are_as_defined_on_random_hands() {
    let mut rng = stream(40.into());
    let special = [
        "As Ks Qs Js Ts Ah Kh",
        "As Ks Qs Jk Ts Kh Qh",
        "As Ks Qs Js Ts Ah Ad",
        "As Ks Qs Js Ts Jk Ad",
        "9s 8s 7s 6s 5s Jk Ah",
        "9h 8d 7c 6s 4h 3d 2c",
        "Jk Ks Kh Kd Kc 2s 2h",
        "Jk As Ah Ad Ac 2s 2h",
    ];
    let special = special.map(|hand| hand.parse::<CardSet>().unwrap());
    let random = (0..4_000).map(|_| Dealt::random(&mut rng).hand().set());
    let hands: Vec<CardSet> = random.chain(special).collect();
    for wild in [false, true] {
        let bets = bets(wild);
        let mut found = HashSet::new();
        for &hand in &hands {
            let slow = Slow::new(hand, wild);
            for (row, bet) in &bets {
                let holds = slow.holds(row);
                assert_eq!(bet.row_index(hand).is_some(), holds, "{row}, {hand}, wild {wild}");
                found.extend(holds.then_some(row.clone()));
            }
        }
        assert_eq!(found.len(), bets.len(), "every row is held, wild {wild}");
    }
}

#[test]
#[ignore = "takes 7 min on two cores; counts every row over all hands by its definition"]
fn rows_are_as_defined_on_all_hands() {
    let classes = Classes::seven();
    for wild in [false, true] {
        let bets = bets(wild);
        let zero = || vec![0; bets.len()];
        let counts = (0..classes.len()).into_par_iter().fold(zero, |mut counts, index| {
            let hand = classes.hand(index);
            let slow = Slow::new(hand, wild);
            for ((row, _), count) in bets.iter().zip(&mut counts) {
                *count += if slow.holds(row) { u64::from(orbit(hand)) } else { 0 };
            }
            counts
        });
        let counts = counts.reduce(zero, |a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect());
        for ((row, bet), count) in bets.iter().zip(counts) {
            assert_eq!(bet.hands_by_row(|_| None)[0], count, "{row}, wild {wild}");
        }
    }
}
