//! Exact evaluation of Joker Seven over all 177,100,560 seven-card hands from the 54-card pack.
//!
//! - [`JointWins`] counts the hands in which each wager and each pair of wagers wins, which determines EVs and
//!   covariances. It has two independent implementations: a closed form over [`ColorProfile`]s
//!   ([`JointWins::by_profiles`], immediate) and an enumeration of every hand ([`JointWins::by_enumeration`], a few
//!   seconds).
//! - [`Frontier`] finds the spreads of a fixed stake with the minimum standard deviation for their EV.
//!
//! ```
//! use houseway_env::joker_seven::{Game, Paytable, Rules, Wager};
//! use houseway_exact::joker_seven::JointWins;
//!
//! let game = Game::new(Rules::default(), Paytable::default());
//! let outcomes = JointWins::by_profiles(&game);
//! let one_joker = Wager::from_index(13).unwrap();
//! // C(2,1) * C(52,6) of C(54,7) hands.
//! assert_eq!(outcomes.winners(one_joker), 2 * 20_358_520);
//! ```

mod answer;
mod solver;

use crate::Ratio;
use crate::net::NetResults;
use crate::solver::{Cancelled, Control};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::binomial;
use houseway_env::joker_seven::{
    CARDS, Colour, Game, JokerPair, NoPair, OneJoker, Rules, SpecificPair, ThreeOfAKind, TripsHoldAPair, TwoPairs,
    Wager, WagerKind, Wins,
};
use rayon::prelude::*;
pub use solver::SOLVER;
use std::collections::HashMap;

/// The tolerance within which marginal costs are considered equal.
const TOLERANCE: f64 = 1e-12;
/// The maximum number of moves. The gap bounds how far the result can be from the optimum.
const MOVES: usize = 2_000_000;

/// The ways to spread one unit over the kinds of wagers, all of which must be wagered, with the minimum standard deviation
/// for each EV.
///
/// A spread assigns a fraction to each kind of wager and divides it evenly over the spots of that kind, which is optimal
/// by symmetry and convexity. Given a price `t` for EV, the best spread minimizes `variance / 2 - t * EV`. As `t`
/// increases from 0, the spread moves along the efficient frontier from the minimum standard deviation to the wager with
/// the highest EV.
///
/// EVs and covariances are exact, and for an even spread over all spots of a kind. Spreads are floats, found by
/// repeatedly moving stake from the kind with the highest marginal cost to the kind with the lowest. The difference
/// between these costs gives a bound on the distance from the optimum. [`Spread::gap`] reports this bound.
pub struct Frontier {
    kinds: Vec<WagerKind>,
    spots: Vec<usize>,
    evs: Vec<f64>,
    covariances: Vec<Vec<f64>>,
}

/// One unit, divided among the kinds of wagers.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The fraction for each kind, which is spread evenly over its spots. The fractions add up to one.
    pub shares: Vec<(WagerKind, f64)>,
    /// The EV per unit.
    pub ev: f64,
    /// The standard deviation per unit.
    pub deviation: f64,
    /// An upper bound on how far `variance / 2 - t * ev` exceeds its minimum.
    pub gap: f64,
}

impl Frontier {
    /// Creates the frontier for a layout.
    pub fn new(outcomes: &JointWins) -> Frontier {
        let of = |kind| outcomes.wagers().filter(move |wager: &Wager| wager.kind() == kind).collect::<Vec<_>>();
        let groups: Vec<(WagerKind, Vec<Wager>)> =
            WagerKind::ALL.into_iter().map(|kind| (kind, of(kind))).filter(|(_, wagers)| !wagers.is_empty()).collect();
        let mean = |values: &mut dyn Iterator<Item = f64>, count: usize| values.sum::<f64>() / count as f64;
        let covariance = |a: &[Wager], b: &[Wager]| {
            let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
            mean(&mut pairs.map(|(a, b)| outcomes.covariance(a, b).value()), a.len() * b.len())
        };
        Frontier {
            kinds: groups.iter().map(|(kind, _)| *kind).collect(),
            spots: groups.iter().map(|(_, wagers)| wagers.len()).collect(),
            evs: groups
                .iter()
                .map(|(_, wagers)| mean(&mut wagers.iter().map(|&wager| outcomes.ev(wager).value()), wagers.len()))
                .collect(),
            covariances: groups.iter().map(|(_, a)| groups.iter().map(|(_, b)| covariance(a, b)).collect()).collect(),
        }
    }

    /// Iterates over the kinds and their numbers of spots.
    pub fn kinds(&self) -> impl Iterator<Item = (WagerKind, usize)> + '_ {
        self.kinds.iter().copied().zip(self.spots.iter().copied())
    }

    /// Returns the EV and standard deviation of a spread, whose fractions are in the order of [`Frontier::kinds`].
    pub fn measure(&self, shares: &[f64]) -> (f64, f64) {
        let ev = shares.iter().zip(&self.evs).map(|(share, ev)| share * ev).sum();
        let variance: f64 = shares.iter().zip(self.slopes(shares, 0.0)).map(|(share, slope)| share * slope).sum();
        (ev, variance.max(0.0).sqrt())
    }

    /// Returns the gradient of `variance / 2 - price * ev`.
    fn slopes(&self, shares: &[f64], price: f64) -> Vec<f64> {
        let with = |row: &Vec<f64>| row.iter().zip(shares).map(|(covariance, share)| covariance * share).sum::<f64>();
        self.covariances.iter().zip(&self.evs).map(|(row, ev)| with(row) - price * ev).collect()
    }

    /// Returns the best spread for a given price of EV, which must not be negative.
    pub fn spread(&self, price: f64) -> Spread {
        let count = self.kinds.len();
        let mut shares = vec![1.0 / count as f64; count];
        let mut gap = f64::INFINITY;
        for _ in 0..MOVES {
            let slopes = self.slopes(&shares, price);
            let Some(to) = (0..count).min_by(|&a, &b| slopes[a].total_cmp(&slopes[b])) else { break };
            let staked = (0..count).filter(|&kind| shares[kind] > 0.0);
            let Some(from) = staked.max_by(|&a, &b| slopes[a].total_cmp(&slopes[b])) else { break };
            gap = shares.iter().zip(&slopes).map(|(share, slope)| share * (slope - slopes[to])).sum();
            if slopes[from] - slopes[to] <= TOLERANCE * price.max(1.0) {
                break;
            }
            let row = &self.covariances;
            let curve = row[from][from] + row[to][to] - 2.0 * row[from][to];
            let step = if curve > 0.0 { (slopes[from] - slopes[to]) / curve } else { f64::INFINITY };
            let moved = step.min(shares[from]);
            // Set it to exactly zero if everything was moved, to avoid a rounding error.
            shares[from] = if moved == shares[from] { 0.0 } else { shares[from] - moved };
            shares[to] += moved;
        }
        let (ev, deviation) = self.measure(&shares);
        Spread { shares: self.kinds.iter().copied().zip(shares).collect(), ev, deviation, gap }
    }

    /// Returns points along the frontier, from the minimum standard deviation to the highest EV.
    pub fn points(&self) -> Vec<Spread> {
        let mut points: Vec<Spread> = vec![self.spread(0.0)];
        // Eight prices per decade, from a negligible weight on the EV to a dominant one.
        for step in 0..=48 {
            let point = self.spread(10f64.powf(f64::from(step) / 8.0 - 2.0));
            if points.last().is_none_or(|last| point.ev - last.ev > 1e-9) {
                points.push(point);
            }
        }
        points
    }
}

/// The number of cards in the pack.
const PACK: usize = 54;
/// The number of seven-card hands.
pub const HANDS: u64 = binomial(PACK as u64, CARDS as u64);

/// The number of ways to choose cards from one rank, indexed by how many cards there are and how many of them are
/// black.
const OF_A_RANK: [[u64; 3]; 5] = [[1, 0, 0], [2, 2, 0], [1, 4, 1], [0, 2, 2], [0, 0, 1]];
/// The number of ranks in the pack.
const RANKS: u8 = 13;

/// A group of hands that agree in rank multiplicities, colors, and number of jokers. They determine the result of every
/// wager.
///
/// Each rank has two black and two red cards. For a given number of cards from one rank, the coefficients of a polynomial
/// in the number of black cards count the possible selections: 1; 2 + 2t; 1 + 4t + t^2; 2t + 2t^2; t^2. A pattern says how
/// many ranks have zero to four cards. To count its hands by color, multiply these polynomials and the number of ways to
/// assign the thirteen ranks.
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

    /// Returns `true` if a wager that names no rank wins.
    fn wins_unnamed(&self, rules: &Rules, wager: Wager) -> bool {
        // Wagers 5 to 9 are bets on red.
        self.wins(rules, wager.kind(), (5..10).contains(&wager.index()))
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

/// Win counts for every pair of wagers: how many hands both of them win. The diagonal holds the number of hands in
/// which a single wager wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointWins {
    odds: [Option<u32>; Wager::COUNT],
    both: [[u64; Wager::COUNT]; Wager::COUNT],
}

impl JointWins {
    fn empty(game: &Game) -> JointWins {
        let mut odds = [None; Wager::COUNT];
        game.wagers().for_each(|wager| odds[wager.index()] = game.odds(wager));
        JointWins { odds, both: [[0; Wager::COUNT]; Wager::COUNT] }
    }

    /// Computes the counts in closed form from rank and color profiles.
    pub fn by_profiles(game: &Game) -> JointWins {
        let mut outcomes = JointWins::empty(game);
        let profiles = profiles();
        for a in game.wagers() {
            for b in game.wagers() {
                let hands: u64 = profiles.iter().map(|profile| profile.hands * share(profile, game, a, b)).sum();
                // This counts every choice of ranks for the pairs. By symmetry, all choices are equally frequent.
                outcomes.both[a.index()][b.index()] = hands / ways(a, b);
            }
        }
        outcomes
    }

    /// Computes the counts by settling all 177,100,560 hands with the game's rules.
    ///
    /// # Errors
    /// Returns an error if the computation was canceled.
    pub fn by_enumeration(game: &Game, control: &Control<'_>) -> Result<JointWins, Cancelled> {
        let mut outcomes = JointWins::empty(game);
        let firsts: Vec<(usize, usize)> = (0..PACK).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let tally = firsts
            .into_par_iter()
            .try_fold(Tally::new, |mut tally, (a, b)| {
                control.check()?;
                count_below(game, 1 << a | 1 << b, b, CARDS - 2, &mut tally);
                Ok(tally)
            })
            .try_reduce(Tally::new, |mut tally, more| {
                more.into_iter().for_each(|(wins, hands)| *tally.entry(wins).or_default() += hands);
                Ok(tally)
            })?;
        for (wins, hands) in tally {
            for a in bits(wins) {
                for b in bits(wins) {
                    outcomes.both[a][b] += u64::from(hands);
                }
            }
        }
        Ok(outcomes)
    }

    /// Returns `true` if a wager is on the layout.
    pub const fn is_offered(&self, wager: Wager) -> bool {
        self.odds[wager.index()].is_some()
    }

    /// Iterates over the wagers on the layout.
    pub fn wagers(&self) -> impl Iterator<Item = Wager> + Clone + '_ {
        Wager::all().filter(|wager| self.is_offered(*wager))
    }

    /// Returns the odds to one for a wager, or 0 if it isn't on the layout.
    pub fn odds(&self, wager: Wager) -> u32 {
        self.odds[wager.index()].unwrap_or(0)
    }

    /// Returns the number of hands in which a wager wins.
    pub const fn winners(&self, wager: Wager) -> u64 {
        self.both[wager.index()][wager.index()]
    }

    /// Returns the number of hands in which both wagers win.
    pub const fn winners_of_both(&self, a: Wager, b: Wager) -> u64 {
        self.both[a.index()][b.index()]
    }

    /// Returns the EV of a wager with a stake of one unit.
    pub fn ev(&self, wager: Wager) -> Ratio {
        let returned = i128::from(self.winners(wager)) * (i128::from(self.odds(wager)) + 1);
        Ratio::new(returned - i128::from(HANDS), HANDS.into())
    }

    /// Returns the covariance of two wagers with one unit on each, or the variance if both are the same wager.
    pub fn covariance(&self, a: Wager, b: Wager) -> Ratio {
        // A wager returns odds + 1 or nothing, and its cost is constant.
        let returned = |wager| i128::from(self.odds(wager)) + 1;
        let hands = i128::from(HANDS);
        let both = i128::from(self.winners_of_both(a, b)) * hands;
        let apart = i128::from(self.winners(a)) * i128::from(self.winners(b));
        Ratio::new(returned(a) * returned(b) * (both - apart), hands * hands)
    }
}

/// Returns the net results of a unit that is spread evenly over all wagers on the layout, in parts for one wager.
fn spread_evenly(game: &Game) -> NetResults {
    // All pairs have the same odds, so their number is enough.
    let (pairs, others): (Vec<Wager>, Vec<Wager>) =
        game.wagers().partition(|wager| wager.kind() == WagerKind::SpecificPair);
    let returned = |wager: &Wager| i64::from(game.odds(*wager).unwrap_or_default()) + 1;
    let of_a_pair = pairs.first().map_or(0, returned);
    let parts = (pairs.len() + others.len()) as i64;
    let mut results = NetResults::new(parts);
    for profile in profiles() {
        let won = others.iter().filter(|&&wager| profile.wins_unnamed(game.rules(), wager));
        let won: i64 = won.map(returned).sum();
        let won_pairs = profile.paired_ranks(game.rules()) as i64 * of_a_pair;
        results.add(won + won_pairs - parts, profile.hands.into());
    }
    results
}

/// Returns the number of ways to choose ranks for two wagers so that both win on a profile.
fn share(profile: &ColorProfile, game: &Game, a: Wager, b: Wager) -> u64 {
    let rules = game.rules();
    let pair = |wager: Wager| wager.kind() == WagerKind::SpecificPair;
    let wins = |wager: Wager| pair(wager) || profile.wins_unnamed(rules, wager);
    let ranks = profile.paired_ranks(rules);
    match (wins(a) && wins(b), pair(a), pair(b)) {
        (false, ..) => 0,
        (true, false, false) => 1,
        (true, true, true) if a != b => ranks * ranks.saturating_sub(1),
        (true, ..) => ranks,
    }
}

/// Returns the number of ways to choose ranks for two wagers.
fn ways(a: Wager, b: Wager) -> u64 {
    match [a, b].map(|wager| wager.kind() == WagerKind::SpecificPair) {
        [false, false] => 1,
        [true, true] if a != b => u64::from(RANKS) * (u64::from(RANKS) - 1),
        _ => RANKS.into(),
    }
}

/// Iterates over the indices of the set bits.
fn bits(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        bits &= bits.checked_sub(1)?;
        Some(place)
    })
}

/// The frequency of each set of winning wagers.
type Tally = HashMap<u32, u32>;

/// Settles all hands that add `left` cards with indices less than `below` to the given cards.
fn count_below(game: &Game, cards: u64, below: usize, left: usize, tally: &mut Tally) {
    for next in left - 1..below {
        let cards = cards | 1 << next;
        if left == 1 {
            let wins: Wins = game.wins(CardSet::from_bits(cards));
            *tally.entry(wins.bits()).or_default() += 1;
        } else {
            count_below(game, cards, next, left - 1, tally);
        }
    }
}

#[cfg(test)]
mod tests;
