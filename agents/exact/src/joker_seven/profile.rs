//! Rank and color profiles, which determine the result of every wager.
//!
//! Each rank has two black and two red cards. For a given number of cards from one rank, the coefficients of a
//! polynomial in the number of black cards count the possible selections: 1; 2 + 2t; 1 + 4t + t^2; 2t + 2t^2; t^2. A
//! pattern says how many ranks have zero to four cards. To count its hands by color, multiply these polynomials and the
//! number of ways to assign the thirteen ranks.

use houseway_env::cards::combinations::binomial;
use houseway_env::joker_seven::{
    CARDS, Colour, JokerPair, NoPair, OneJoker, Rules, SpecificPair, ThreeOfAKind, TripsHoldAPair, TwoPairs, WagerKind,
};

/// The number of ways to choose cards from one rank, indexed by how many cards there are and how many of them are
/// black.
const OF_A_RANK: [[u64; 3]; 5] = [[1, 0, 0], [2, 2, 0], [1, 4, 1], [0, 2, 2], [0, 0, 1]];
/// The number of ranks in the pack.
const RANKS: u8 = 13;

/// A group of hands that agree in rank multiplicities, colors, and number of jokers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColorProfile {
    /// The number of ranks with zero, one, two, three, and four cards.
    pub ranks: [u8; 5],
    /// The number of black cards.
    pub black: u8,
    /// The number of red cards.
    pub red: u8,
    /// The number of jokers.
    pub jokers: u8,
    /// The number of hands.
    pub hands: u64,
}

/// Returns all possible profiles.
pub fn profiles() -> Vec<ColorProfile> {
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

/// Adds a rank pattern's profiles, one for each number of black cards.
fn add_colours(ranks: [u8; 5], jokers: u8, to: &mut Vec<ColorProfile>) {
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
            to.push(ColorProfile {
                ranks,
                black,
                red: CARDS as u8 - jokers - black,
                jokers,
                hands: ways * coefficient,
            });
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

impl ColorProfile {
    fn of_colour(&self, rules: &Rules, red: bool, holds: impl Fn(u8) -> bool) -> bool {
        match rules.colour {
            Colour::OneNamedColour => holds(if red { self.red } else { self.black }),
            Colour::EitherColour => holds(self.black) || holds(self.red),
        }
    }

    /// Returns `true` if a wager that names no rank wins. `red` is the wager's color, if any.
    ///
    /// # Panics
    /// Panics for [`WagerKind::SpecificPair`], which names a rank. Use [`ColorProfile::paired_ranks`] instead.
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
                // All jokers join the most frequent rank.
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

    /// Returns the number of ranks whose pair wager wins.
    pub fn paired_ranks(&self, rules: &Rules) -> u64 {
        let [_, _, two, three, four] = self.ranks.map(u64::from);
        match rules.specific_pair {
            SpecificPair::AtLeastTwo => two + three + four,
            SpecificPair::ExactlyTwo => two,
        }
    }
}
