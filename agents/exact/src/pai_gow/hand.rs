//! Exact evaluation of all 21 settings of a hand against every hand that the banker can hold.
//!
//! Unless a banker hand has five cards of one suit, its outcome only depends on its ranks. The first pass therefore
//! treats all banker hands as if there were no flushes. Each of the 67,600 multisets of ranks is weighted by the number
//! of ways to pick its cards from the remaining deck. This is a product over ranks of C(4 - p, d), where the player
//! holds `p` cards with the rank and the banker `d`.
//!
//! The second pass corrects flushes. It looks at every flush profile and every suit whose cards in the profile are all
//! in the deck, and moves the hands with that flush from the outcome for their ranks to their true outcome. The number
//! of these hands is a product over the other cards of C(3 - p', o), where `p'` counts the player's cards in the other
//! three suits. Dead cards count like the player's cards.
//!
//! Outcomes are collected in a two-dimensional array of buckets. There is a row for each of the player's backs and for
//! each gap between two of them, and likewise a column for each front and each gap. A two-dimensional prefix sum over
//! the buckets then gives the results for all settings at once. Banker hands against which every bet pushes have a
//! separate row that the prefix sum skips.

use super::banker::{BankerTable, without_suits};
use super::known::KnownCards;
use super::outcomes::{DealCounts, Payoff, Side, Ties};
use super::whole::{Limits, Terms, staircase, wins_and_losses};
use crate::Ratio;
use crate::solver::SolverError;
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::profile::{FlushBlock, OFF_SUIT_STATES, Profile, Profiles, RANK_PROFILES, off_suit_place};
use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use rayon::prelude::*;
use std::cmp::Reverse;

/// The outcome counts for every setting of a hand. Fouls have no counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandCounts {
    payoff: Payoff,
    counts: [Option<DealCounts>; Setting::COUNT],
}

impl HandCounts {
    pub(super) fn new(game: &Game, counts: [Option<DealCounts>; Setting::COUNT]) -> HandCounts {
        HandCounts { payoff: Payoff::player(&game.rules()), counts }
    }

    /// Returns the counts for a setting, or `None` if it is a foul.
    pub fn get(&self, setting: Setting) -> Option<DealCounts> {
        self.counts[setting.index()]
    }

    /// Returns the counts for all 21 settings in order, with `None` for fouls.
    pub fn settings(&self) -> &[Option<DealCounts>; Setting::COUNT] {
        &self.counts
    }

    /// Returns the player's EV per unit staked under the game's commission, or `None` if the setting is a foul.
    pub fn ev(&self, setting: Setting) -> Option<Ratio> {
        self.get(setting).map(|counts| counts.ev(self.payoff))
    }

    /// Returns the EVs of all 21 settings as floats, for printing and learning. Fouls have an EV of negative infinity.
    pub fn ev_values(&self) -> [f64; Setting::COUNT] {
        self.counts.map(|counts| {
            counts.map_or(f64::NEG_INFINITY, |counts| {
                let stakes = counts.all() as f64 * f64::from(Rate::WHOLE);
                counts.gain(self.payoff) as f64 / stakes - self.payoff.fee().value()
            })
        })
    }

    /// Returns the setting with the highest EV. Ties go to the lowest index.
    pub fn best(&self) -> Setting {
        let gain = |setting: Setting| self.get(setting).map(|counts| counts.gain(self.payoff));
        // Unlike `max_by_key`, `min_by_key` returns the first of several equal elements.
        Setting::all().min_by_key(|&setting| Reverse(gain(setting))).expect("there are 21 settings")
    }

    /// Returns a setting's regret in stakes, i.e. the EV of the best setting minus its own, or `None` if it is a foul.
    pub fn regret(&self, setting: Setting) -> Option<Ratio> {
        Some(self.ev(self.best())? - self.ev(setting)?)
    }
}

/// The numbers of opposing hands with a lower front or back than a setting has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LowerHalves {
    /// The number of hands with a lower front.
    pub front: u64,
    /// The number of hands with a lower back.
    pub back: u64,
}

/// An evaluator for hands against a fixed banker strategy, under a game's rules.
pub struct HandEvaluator<'a> {
    game: &'a Game,
    banker: &'a BankerTable,
    /// The banker's hands as they are compared under the game's rules, if they differ from the banker's table.
    compared: Option<BankerTable>,
}

impl<'a> HandEvaluator<'a> {
    /// Creates an evaluator. The computation happens in [`count`](Self::count).
    pub fn new(game: &'a Game, banker: &'a BankerTable) -> HandEvaluator<'a> {
        HandEvaluator { game, banker, compared: banker.compared(game) }
    }

    /// Evaluates all settings of a player's hand on the current thread.
    pub fn count(&self, hand: impl Into<KnownCards>) -> HandCounts {
        self.count_for(Side::Player, hand)
    }

    /// Evaluates all settings of a hand for either side on the current thread. The table is the other side's strategy.
    ///
    /// Wins and losses are from the perspective of the side that holds the hand. EVs are for a player, or for a banking
    /// player who pays the commission on each winning bet.
    pub fn count_for(&self, side: Side, hand: impl Into<KnownCards>) -> HandCounts {
        let known = hand.into();
        count_settings(self.game, side, known, |sets| self.buckets(side, known, sets))
    }

    /// Evaluates a player's hand as [`count`](Self::count) does, and also compares each half with the banker's halves.
    /// Fouls have no numbers.
    pub(crate) fn count_with_lower(
        &self,
        hand: impl Into<KnownCards>,
    ) -> (HandCounts, [Option<LowerHalves>; Setting::COUNT]) {
        let known = hand.into();
        let ties = Side::Player.ties(self.game.rules().copies);
        let read = |buckets: &Buckets, set| (buckets.counts(set, ties), buckets.lower(set));
        let settings = read_settings(self.game, known, |sets| self.buckets(Side::Player, known, sets), read);
        let counts = settings.map(|setting| setting.map(|(counts, _)| counts));
        (HandCounts::new(self.game, counts), settings.map(|setting| setting.map(|(_, lower)| lower)))
    }

    /// Evaluates a player's hand if each push is settled by one more card for both sides, from the cards that neither holds.
    /// The joker is an ace, and equal ranks go to the banker. Also returns the weight of a banker hand, which is the number
    /// of ordered pairs of such cards.
    ///
    /// # Errors
    /// Returns an error if fewer than two cards are left.
    pub(crate) fn count_without_pushes(&self, hand: impl Into<KnownCards>) -> Result<(HandCounts, u64), SolverError> {
        let known = hand.into();
        known.dead().beside(known.hand().set(), CardSet::DECK_53, Hand::CARDS + 2)?;
        let rest: Vec<Card> = CardSet::DECK_53.difference(known.set()).iter().collect();
        let left = rest.len() as u64 - Hand::CARDS as u64;
        let rank = |card: Card| card.rank().unwrap_or(Rank::Ace);
        // The two cards are equally likely to be in either order, so ties alone make a difference. Their number is the sum
        // of the pushes that leave the same two cards of a rank, over all such pairs of cards.
        let mut ties = [0; Setting::COUNT];
        for (i, &first) in rest.iter().enumerate() {
            for &second in rest[..i].iter().filter(|&&second| rank(second) == rank(first)) {
                let dead = known.dead().cards().with(first).with(second);
                let counts = self.count(KnownCards::new(known.hand(), dead)?);
                let pushes = counts.settings().iter().map(|counts| counts.map_or(0, |counts| counts.pushes));
                ties.iter_mut().zip(pushes).for_each(|(ties, pushes)| *ties += pushes);
            }
        }
        let weight = left * (left - 1);
        let counts = self.count(known);
        let settled = counts.settings().iter().zip(ties).map(|(counts, ties)| {
            let counts = (*counts)?;
            let (half, all) = (counts.pushes * (weight / 2), counts.times(weight));
            Some(DealCounts { wins: all.wins + half - ties, pushes: 0, losses: all.losses + half + ties, ..all })
        });
        let settled: Vec<Option<DealCounts>> = settled.collect();
        Ok((HandCounts::new(self.game, settled.try_into().expect("there are 21 settings")), weight))
    }

    /// Evaluates a hand for a player who sees the banker's set hand before setting their own. Copies go to the banker
    /// regardless of the rules.
    pub(crate) fn count_open(&self, hand: impl Into<KnownCards>) -> DealCounts {
        let known = hand.into();
        let legal = self.game.settings(known.hand()).map(|(_, set)| set).filter(|&set| self.game.is_legal(set));
        let stairs = staircase(legal);
        let buckets = self.buckets(Side::Player, known, &stairs);
        let sum =
            |terms: Terms| terms.into_iter().map(|(sign, limits)| sign * buckets.below(limits)).sum::<i64>() as u64;
        DealCounts::new(known.other_hands(), wins_and_losses(&stairs).map(sum), [0; 2])
    }

    /// Counts the opposing hands between the given set hands.
    fn buckets(&self, side: Side, known: KnownCards, sets: &[SetHand]) -> Buckets {
        let mut buckets = Buckets::new(self.game, sets, known.other_hands());
        let left = Left::new(known);
        let others = self.compared.as_ref().filter(|_| side == Side::Player).unwrap_or(self.banker);
        left.visit_ranks(|start, high, low| {
            for (&set, &low) in others.ranks()[start..].iter().zip(low) {
                buckets.add(set, high * low);
            }
        });
        let (flushes, without_suits) = others.flushes();
        left.visit_flushes(|start, ways| {
            let start = start - RANK_PROFILES;
            for ((&set, &before), &ways) in flushes[start..].iter().zip(&without_suits[start..]).zip(ways) {
                buckets.add(set, ways);
                buckets.add(before, -ways);
            }
        });
        buckets.sum_up();
        buckets
    }

    /// Evaluates many hands in parallel on the current thread pool. Results are in the order of the hands and take
    /// about 1 kB each.
    pub fn count_many(&self, hands: &[impl Into<KnownCards> + Copy + Sync]) -> Vec<HandCounts> {
        hands.par_iter().map(|&hand| self.count(hand)).collect()
    }
}

/// Evaluates all settings of a hand on `side` against a strategy that sets a hand in several ways. `others` returns a
/// profile's set hands with their weights, which add up to `whole`. All counts are in units of its inverse.
pub(super) fn count_weighted<S>(
    game: &Game,
    side: Side,
    known: KnownCards,
    whole: u32,
    others: impl Fn(Profile) -> S,
) -> HandCounts
where
    S: IntoIterator<Item = (SetHand, i64)>,
{
    let add = |buckets: &mut Buckets, profile, hands| {
        let compared = |set| match side {
            Side::Player => game.banker_set(Hand::representative(profile), set).strengths(),
            Side::Banker => set,
        };
        others(profile).into_iter().for_each(|(set, weight)| buckets.add(compared(set), hands * weight));
    };
    count_settings(game, side, known, |sets| {
        let mut buckets = Buckets::new(game, sets, known.other_hands() * u64::from(whole));
        let left = Left::new(known);
        left.visit_ranks(|start, high, low| {
            for (i, &low) in (start..).zip(low) {
                add(&mut buckets, Profile::from_index(i), high * low);
            }
        });
        left.visit_flushes(|start, ways| {
            for (i, &ways) in (start..).zip(ways) {
                let flush = Profile::from_index(i);
                add(&mut buckets, flush, ways);
                add(&mut buckets, without_suits(flush), -ways);
            }
        });
        buckets.sum_up();
        buckets
    })
}

/// Evaluates all settings of a hand on `side`. `buckets` counts the opposing hands between the legal set hands.
fn count_settings(
    game: &Game,
    side: Side,
    known: KnownCards,
    buckets: impl FnOnce(&[SetHand]) -> Buckets,
) -> HandCounts {
    let ties = side.ties(game.rules().copies);
    let counts = read_settings(game, known, buckets, |buckets, set| {
        if side == Side::Banker && game.banker_set(known.hand(), set).pushes() {
            return DealCounts { pushes: buckets.all, ..DealCounts::default() };
        }
        buckets.counts(set, ties)
    });
    HandCounts::new(game, counts)
}

/// Counts the opposing hands and reads a value for every legal setting.
fn read_settings<T>(
    game: &Game,
    known: KnownCards,
    buckets: impl FnOnce(&[SetHand]) -> Buckets,
    read: impl Fn(&Buckets, SetHand) -> T,
) -> [Option<T>; Setting::COUNT] {
    let settings = game.settings(known.hand()).map(|(_, set)| game.is_legal(set).then_some(set));
    let settings: Vec<Option<SetHand>> = settings.collect();
    let buckets = buckets(&settings.iter().copied().flatten().collect::<Vec<_>>());
    std::array::from_fn(|i| settings[i].map(|set| read(&buckets, set)))
}

/// The deck that remains without the known cards.
struct Left {
    joker: bool,
    /// The number of known cards with each rank.
    ranks: [u8; 13],
    /// A bit set of the known ranks in each suit.
    suits: [u16; 4],
}

impl Left {
    fn new(known: KnownCards) -> Left {
        let mut left = Left { joker: !known.set().contains(Card::JOKER), ranks: [0; 13], suits: [0; 4] };
        for card in known.set().iter() {
            if let (Some(rank), Some(suit)) = (card.rank(), card.suit()) {
                left.ranks[rank.index()] += 1;
                left.suits[suit.index()] |= 1 << rank.index();
            }
        }
        left
    }

    /// Returns the number of ways to pick cards with consecutive ranks from `first`, given the number of cards with
    /// each.
    #[inline]
    fn ways(&self, first: usize, counts: &[u8]) -> i64 {
        let ways = counts.iter().zip(&self.ranks[first..]);
        ways.map(|(&n, &held)| WAYS[4 - held as usize][n as usize]).product()
    }

    /// Returns the number of ways to pick each multiset of up to two cards outside `suit`, indexed by size and place.
    fn off_suit_ways(&self, suit: Suit) -> [[i64; OFF_SUIT_STATES[2]]; 3] {
        let left = |rank: usize| 3 + (self.suits[suit.index()] >> rank & 1) as usize - self.ranks[rank] as usize;
        let mut ways = [[0; OFF_SUIT_STATES[2]]; 3];
        ways[0][0] = 1;
        for high in 0..13 {
            ways[1][off_suit_place(1, high, 0)] = left(high) as i64;
            for low in 0..high {
                ways[2][off_suit_place(2, high, low)] = (left(high) * left(low)) as i64;
            }
            ways[2][off_suit_place(2, high, high)] = WAYS[left(high)][2];
        }
        ways
    }

    /// Visits every opposing hand by its ranks, ignoring flushes. The visitor gets the index of a block's first profile
    /// and the number of ways to pick the block's high cards and each profile's low cards.
    #[inline]
    fn visit_ranks(&self, mut visit: impl FnMut(usize, i64, &[i64])) {
        for joker in [false, true] {
            if joker && !self.joker {
                continue;
            }
            let (start, index) = Profiles::get().rank_index(joker);
            let mut low_ways: [Vec<i64>; Hand::CARDS + 1] = Default::default();
            for block in &index.blocks {
                let high = self.ways(7, &block.high);
                if high == 0 {
                    continue;
                }
                let low = &mut low_ways[block.high.iter().sum::<u8>() as usize];
                if low.is_empty() {
                    low.extend(block.low.iter().map(|counts| self.ways(0, counts)));
                }
                visit(start + block.start, high, low);
            }
        }
    }

    /// Visits every opposing hand with five or more cards of a suit. The visitor gets the index of a block's first
    /// profile and the number of hands with each of its profiles.
    #[inline]
    fn visit_flushes(&self, mut visit: impl FnMut(usize, &[i64])) {
        let by_suit = Suit::ALL.map(|suit| self.off_suit_ways(suit));
        // The total number of ways for each set of suits in which a flush is possible, indexed by the set.
        let mut ways = [[[0; OFF_SUIT_STATES[2]]; 3]; 16];
        for (suits, ways) in ways.iter_mut().enumerate() {
            for (_, of_suit) in by_suit.iter().enumerate().filter(|&(suit, _)| suits >> suit & 1 == 1) {
                ways.iter_mut().flatten().zip(of_suit.iter().flatten()).for_each(|(sum, add)| *sum += add);
            }
        }
        for &FlushBlock { start, mask, joker, off_suit } in &Profiles::get().flush_blocks {
            let suits = (0..4).filter(|&suit| self.suits[suit] & mask == 0).fold(0, |suits, suit| suits | 1 << suit);
            if suits == 0 || joker && !self.joker {
                continue;
            }
            visit(start, &ways[suits][off_suit][..OFF_SUIT_STATES[off_suit]]);
        }
    }
}

/// The binomial coefficients up to C(4, 4). `WAYS[n][k]` is the number of ways to pick `k` out of `n` cards.
pub(super) const WAYS: [[i64; 5]; 5] = {
    let mut ways = [[0; 5]; 5];
    let mut i = 0;
    while i < 25 {
        ways[i / 5][i % 5] = binomial(i as u64 / 5, i as u64 % 5) as i64;
        i += 1;
    }
    ways
};

/// The maximum number of buckets per dimension, which is enough for 21 thresholds and the gaps around them.
const SIDE: usize = 2 * Setting::COUNT + 1;

/// A histogram of the banker hands by back and front. In each dimension, bucket 2i + 1 is the i-th threshold and bucket
/// 2i is the gap below it.
struct Buckets {
    /// The row index for each back, multiplied by [`SIDE`].
    row: Vec<u16>,
    /// The column index for each front.
    column: Vec<u16>,
    hands: [i64; (SIDE + 1) * SIDE],
    /// The total number of banker hands.
    all: u64,
}

/// The offset of the row for hands against which every bet pushes, just past the rows for all backs.
const PUSHES: u16 = (SIDE * SIDE) as u16;

/// Maps each of `len` strengths to the index of its bucket, multiplied by `step`.
fn bucket_places(len: usize, mut thresholds: Vec<usize>, step: usize) -> Vec<u16> {
    thresholds.sort_unstable();
    thresholds.dedup();
    let mut places = Vec::with_capacity(len);
    for (i, &threshold) in thresholds.iter().enumerate() {
        places.resize(threshold, (2 * i * step) as u16);
        places.push(((2 * i + 1) * step) as u16);
    }
    places.resize(len, (2 * thresholds.len() * step) as u16);
    places
}

impl Buckets {
    fn new(game: &Game, settings: &[SetHand], all: u64) -> Buckets {
        let backs = settings.iter().map(|set| set.back.index()).collect();
        let fronts = settings.iter().map(|set| set.front.index()).collect();
        let row = bucket_places(game.ranking().strengths(), backs, SIDE);
        Buckets { row, column: bucket_places(128, fronts, 1), hands: [0; (SIDE + 1) * SIDE], all }
    }

    #[inline]
    fn place(&self, set: SetHand) -> usize {
        // The back of `BankerSet::PUSHES` is greater than every strength.
        let row = self.row.get(set.back.index()).copied().unwrap_or(PUSHES);
        usize::from(row) + usize::from(self.column[set.front.index()])
    }

    #[inline]
    fn add(&mut self, set: SetHand, hands: i64) {
        let place = self.place(set);
        self.hands[place] += hands;
    }

    /// Replaces each bucket with its two-dimensional prefix sum.
    fn sum_up(&mut self) {
        let (hands, pushes) = self.hands.split_at_mut(SIDE * SIDE);
        for row in hands.chunks_exact_mut(SIDE) {
            let mut sum = 0;
            for hands in row {
                sum += *hands;
                *hands = sum;
            }
        }
        for i in SIDE..hands.len() {
            hands[i] += hands[i - SIDE];
        }
        debug_assert_eq!(hands[hands.len() - 1] + pushes.iter().sum::<i64>(), self.all as i64);
    }

    /// Returns the number of hands below the limits, which must be among the thresholds or exceed every strength.
    fn below(&self, Limits { back, front }: Limits) -> i64 {
        let last = SIDE - 1;
        // Thresholds are odd buckets, so a bucket below always exists.
        let row = self.row.get(usize::from(back)).map_or(last, |&row| usize::from(row) / SIDE - 1);
        let column = self.column.get(usize::from(front)).map_or(last, |&column| usize::from(column) - 1);
        self.hands[row * SIDE + column]
    }

    /// Reads the hands with lower halves than a setting's from the prefix sums. The thresholds must have been built from
    /// this setting, among others.
    fn lower(&self, set: SetHand) -> LowerHalves {
        let Limits { back, front } = set.into();
        let count = |limits| self.below(limits) as u64;
        LowerHalves { front: count(Limits { front, ..Limits::ANY }), back: count(Limits { back, ..Limits::ANY }) }
    }

    /// Reads a setting's counts from the prefix sums. The thresholds must have been built from this setting, among
    /// others.
    fn counts(&self, set: SetHand, ties: Ties) -> DealCounts {
        let last = SIDE - 1;
        let (row, column) = (self.place(set) / SIDE, self.place(set) % SIDE);
        let up_to = |row: usize, column: usize| self.hands[row * SIDE + column] as u64;
        // Thresholds are odd buckets, so a bucket below always exists.
        let below = (row - 1, column - 1);
        let outside = |row, column| up_to(last, last) + up_to(row, column) - up_to(row, last) - up_to(last, column);
        let ends = match ties {
            Ties::Lost => [up_to(below.0, below.1), outside(below.0, below.1)],
            Ties::Won => [up_to(row, column), outside(row, column)],
            Ties::Pushed => {
                let tied = up_to(row, column) + up_to(below.0, below.1) - up_to(row, below.1) - up_to(below.0, column);
                [up_to(row, column) - tied, outside(below.0, below.1) - tied]
            }
        };
        let copies_front = up_to(last, column) - up_to(last, column - 1);
        let copies_back = up_to(row, last) - up_to(row - 1, last);
        DealCounts::new(self.all, ends, [copies_front, copies_back])
    }
}

#[cfg(test)]
mod tests;
