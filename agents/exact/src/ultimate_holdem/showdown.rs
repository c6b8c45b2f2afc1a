//! Represents a hand's results against all dealer hands, both as counts and as moments.

use super::{ANTE, DEALER_HANDS};
use houseway_env::rank::Category;
use houseway_env::ultimate_holdem::{End, Game, Winner};
use std::ops::{Add, AddAssign};

/// The number of dealer hands with each result. The first element of each pair counts the hands that don't let the
/// dealer qualify.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// The number of dealer hands that lose to the player's hand.
    pub wins: [i64; 2],
    /// The number of dealer hands that tie with the player's hand.
    pub ties: [i64; 2],
    /// The number of dealer hands that beat the player's hand.
    pub losses: [i64; 2],
}

impl Ends {
    /// Returns the results of a hand that beats `wins` dealer hands and ties with `ties` of them. The dealer doesn't
    /// qualify with `unqualified` hands. `qualifies` says whether the player's own hand would qualify.
    #[inline]
    pub(super) fn of_ranked(wins: i64, ties: i64, unqualified: i64, qualifies: bool) -> Ends {
        let losses = DEALER_HANDS - wins - ties;
        if qualifies {
            Ends { wins: [unqualified, wins - unqualified], ties: [0, ties], losses: [0, losses] }
        } else {
            let above = unqualified - wins - ties;
            Ends { wins: [wins, 0], ties: [ties, 0], losses: [above, losses - above] }
        }
    }

    /// Adds one result.
    pub fn count(&mut self, end: End) {
        let counts = match end.higher {
            Winner::Player => &mut self.wins,
            Winner::Neither => &mut self.ties,
            Winner::Dealer => &mut self.losses,
        };
        counts[usize::from(end.qualified)] += 1;
    }
}

/// Sums over dealer hands. They are enough to compute the EV and second moment for any size of Play. The summands are
/// the winnings from Ante, Blind, and Trips (a, in half antes), the sign of the Play result (d, which is 1, 0, or -1),
/// and their products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    a: i64,
    d: i64,
    aa: i64,
    ad: i64,
    dd: i64,
}

impl Moments {
    fn single(a: i64, d: i64) -> Moments {
        Moments { a, d, aa: a * a, ad: a * d, dd: d * d }
    }

    fn times(self, n: i64) -> Moments {
        Moments { a: self.a * n, d: self.d * n, aa: self.aa * n, ad: self.ad * n, dd: self.dd * n }
    }

    /// Returns the sum of the net results, in half antes, with a Play of `play` antes.
    #[inline]
    pub fn value(&self, play: i64) -> i64 {
        self.a + ANTE * play * self.d
    }

    /// Returns the sum of the squared net results, in squared half antes, with a Play of `play` antes.
    #[inline]
    pub fn squares(&self, play: i64) -> i64 {
        let play = ANTE * play;
        self.aa + 2 * play * self.ad + play * play * self.dd
    }
}

impl Add for Moments {
    type Output = Moments;

    #[inline]
    fn add(self, other: Moments) -> Moments {
        Moments {
            a: self.a + other.a,
            d: self.d + other.d,
            aa: self.aa + other.aa,
            ad: self.ad + other.ad,
            dd: self.dd + other.dd,
        }
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Moments) {
        *self = *self + other;
    }
}

/// A game's rules as a payoff table, with every result indexed by the player's hand category.
pub(super) struct Pays {
    /// The payoffs for wins, ties, and losses, each without and with a qualified dealer, indexed by category.
    ends: [[Moments; 6]; Category::ALL.len()],
    /// The winnings from folding for each category, in half antes.
    fold: [i64; Category::ALL.len()],
    trips: u32,
}

impl Pays {
    /// Creates the table for a game with a Trips bet of `stake` antes.
    pub(super) fn new(game: &Game, stake: u32) -> Pays {
        let trips = i64::from(stake);
        let of = |hand: Category, higher, qualified| {
            let end = End { higher, qualified };
            let a = i64::from(game.ante_and_blind(end, hand)) + trips * i64::from(game.trips(hand));
            Moments::single(a, game.play(end).into())
        };
        let ends = Category::ALL.map(|hand| {
            let pair = |side| [of(hand, side, false), of(hand, side, true)];
            let [[a, b], [c, d], [e, f]] = [Winner::Player, Winner::Neither, Winner::Dealer].map(pair);
            [a, b, c, d, e, f]
        });
        let fold = Category::ALL.map(|hand| i64::from(Game::FOLD) + trips * i64::from(game.trips_after_fold(hand)));
        Pays { ends, fold, trips: stake }
    }

    /// Returns a hand's winnings over the given dealer hands.
    #[inline]
    pub(super) fn moments(&self, hand: Category, ends: &Ends) -> Moments {
        let of = &self.ends[hand as usize];
        let counts = [ends.wins[0], ends.wins[1], ends.ties[0], ends.ties[1], ends.losses[0], ends.losses[1]];
        let mut sum = Moments::default();
        for (of, n) in of.iter().zip(counts) {
            sum += of.times(n);
        }
        sum
    }

    /// Returns the Trips bet, in antes.
    pub(super) fn trips(&self) -> u32 {
        self.trips
    }

    /// Returns the winnings from folding, in half antes.
    #[inline]
    pub(super) fn fold(&self, hand: Category) -> i64 {
        self.fold[hand as usize]
    }
}
