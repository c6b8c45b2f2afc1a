//! Rank and colour profiles: what a wager can depend on.
//!
//! Each rank has two black and two red cards. With the number of its cards given, the ways to take them by colour are the
//! coefficients of a polynomial in the black ones: 1; 2 + 2t; 1 + 4t + t^2; 2t + 2t^2; t^2. A pattern of ranks is the number
//! of ranks with no, one, ... four cards; its hands by colour are the product of these polynomials, times the ways to give
//! the numbers to the thirteen ranks.

use houseway_env::cards::combinations::binomial;
use houseway_env::joker_seven::{
    CARDS, Colour, JokerPair, NoPair, OneJoker, Rules, SpecificPair, ThreeOfAKind, TripsHoldAPair, TwoPairs, WagerKind,
};

/// Ways to take the cards of one rank, by their number and by how many of them are black.
const OF_A_RANK: [[u64; 3]; 5] = [[1, 0, 0], [2, 2, 0], [1, 4, 1], [0, 2, 2], [0, 0, 1]];
/// Ranks of the pack.
const RANKS: u8 = 13;

/// Hands with the same numbers of ranks, colours and jokers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// How many ranks have no, one, two, three, four cards.
    pub ranks: [u8; 5],
    /// Black cards.
    pub black: u8,
    /// Red cards.
    pub red: u8,
    /// Jokers.
    pub jokers: u8,
    /// How many hands there are.
    pub hands: u64,
}

/// All profiles that occur.
pub fn profiles() -> Vec<Profile> {
    let mut profiles = Vec::new();
    for jokers in 0..=2u8 {
        let natural = CARDS as u8 - jokers;
        for four in 0..=natural / 4 {
            for three in 0..=(natural - 4 * four) / 3 {
                for two in 0..=(natural - 4 * four - 3 * three) / 2 {
                    let one = natural - 4 * four - 3 * three - 2 * two;
                    let ranks = [RANKS - one - two - three - four, one, two, three, four];
                    add_colours(ranks, jokers, &mut profiles);
                }
            }
        }
    }
    profiles
}

/// Adds the profiles of a pattern of ranks, one for each number of black cards.
fn add_colours(ranks: [u8; 5], jokers: u8, to: &mut Vec<Profile>) {
    let (mut ways, mut left) = (binomial(2, jokers.into()), u64::from(RANKS));
    let mut by_black = [0; CARDS + 1];
    by_black[0] = 1;
    for (&number, of_a_rank) in ranks.iter().zip(&OF_A_RANK) {
        ways *= binomial(left, number.into());
        left -= u64::from(number);
        for _ in 0..number {
            by_black = multiplied(&by_black, of_a_rank);
        }
    }
    for (black, &coefficient) in (0..).zip(&by_black) {
        if coefficient > 0 {
            to.push(Profile { ranks, black, red: CARDS as u8 - jokers - black, jokers, hands: ways * coefficient });
        }
    }
}

fn multiplied(polynomial: &[u64; CARDS + 1], factor: &[u64; 3]) -> [u64; CARDS + 1] {
    let mut product = [0; CARDS + 1];
    for (i, a) in polynomial.iter().enumerate() {
        for (j, b) in factor.iter().enumerate().filter(|(j, b)| i + j <= CARDS && **b > 0) {
            product[i + j] += a * b;
        }
    }
    product
}

impl Profile {
    fn of_colour(&self, rules: &Rules, red: bool, holds: impl Fn(u8) -> bool) -> bool {
        match rules.colour {
            Colour::OneNamedColour => holds(if red { self.red } else { self.black }),
            Colour::EitherColour => holds(self.black) || holds(self.red),
        }
    }

    /// Whether a wager wins that names no rank; `red` says which colour it names if it names one.
    ///
    /// # Panics
    /// For [`WagerKind::SpecificPair`], which names a rank: see [`Profile::paired_ranks`].
    pub fn wins(&self, rules: &Rules, kind: WagerKind, red: bool) -> bool {
        let [_, one, two, three, four] = self.ranks;
        let joker_pair = u8::from(self.jokers == 2 && rules.joker_pair == JokerPair::Yes);
        let exactly = |number| self.of_colour(rules, red, |cards| cards == number);
        match kind {
            WagerKind::FourOrMoreOfAColour => self.of_colour(rules, red, |cards| cards >= 4),
            WagerKind::FourOfAColour => exactly(4),
            WagerKind::FiveOfAColour => exactly(5),
            WagerKind::SixOfAColour => exactly(6),
            WagerKind::SevenOfAColour => exactly(7),
            WagerKind::NoPair => {
                let none = match rules.no_pair {
                    NoPair::NoTwoOfARank => two + three + four == 0,
                    NoPair::NoRankExactlyTwice => two == 0,
                    NoPair::AnyJokerLoses => two + three + four + self.jokers == 0,
                };
                none && joker_pair == 0
            }
            WagerKind::TwoPairs => {
                let trips = if rules.trips_hold_a_pair == TripsHoldAPair::Yes { three } else { 0 };
                let pairs = two + trips + 2 * four + joker_pair;
                pairs == 2 || pairs > 2 && rules.two_pairs == TwoPairs::AtLeastTwo
            }
            WagerKind::ThreeOfAKind => match rules.three_of_a_kind {
                ThreeOfAKind::AtLeastThree => three + four > 0,
                ThreeOfAKind::ExactlyThree => three > 0,
                ThreeOfAKind::ExactlyThreeAlone => [two, three, four] == [0, 1, 0],
                // A rank with the most cards takes all jokers.
                ThreeOfAKind::JokerWild => {
                    let most = [one, two, three, four].iter().rposition(|&ranks| ranks > 0).map_or(0, |i| i as u8 + 1);
                    most + self.jokers >= 3
                }
            },
            WagerKind::OneJoker => self.jokers == 1 || self.jokers == 2 && rules.one_joker == OneJoker::AtLeastOne,
            WagerKind::TwoJokers => self.jokers == 2,
            WagerKind::SpecificPair => panic!("a specific pair names a rank"),
        }
    }

    /// For how many of the ranks the wager on their pair wins.
    pub fn paired_ranks(&self, rules: &Rules) -> u64 {
        let [_, _, two, three, four] = self.ranks.map(u64::from);
        match rules.specific_pair {
            SpecificPair::AtLeastTwo => two + three + four,
            SpecificPair::ExactlyTwo => two,
        }
    }
}
