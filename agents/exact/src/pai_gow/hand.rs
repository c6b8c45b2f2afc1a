//! Exact evaluation of the 21 settings of one hand against every hand that the banker can hold.
//!
//! The outcome of a banker hand without five cards of one suit depends only on its ranks. The first pass therefore
//! treats all banker hands as if there were no flushes: each of the 67,600 multisets of ranks has a weight, the number
//! of ways to pick its cards from the remaining deck. The weight is a product over ranks of C(4 - p, d), where the
//! player holds `p` cards of the rank and the banker `d`. The second pass corrects flushes: for every flush profile and
//! every suit whose cards of the profile are all in the deck, the hands with that flush are moved from the outcome of
//! their ranks to their true outcome. Their number is a product over the other cards of C(3 - p', o), where `p'` counts
//! the player's cards in the other three suits.
//!
//! Outcomes are collected in buckets, each for one of the player's backs or the gap between two of them, and likewise
//! for fronts. A two-dimensional prefix sum over the buckets gives the results of all settings at once. Banker hands
//! against which every bet pushes have a separate row that the prefix sum skips.

use super::side::{Side, Ties};
use super::{BANKER_HANDS, BankerTable};
use crate::Ratio;
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::profile::{FlushBlock, OFF_SUIT_STATES, Profiles, RANK_PROFILES, off_suit_place};
use houseway_env::cards::{Card, Suit};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use rayon::prelude::*;
use std::cmp::Reverse;

/// Outcome counts of one setting against all 53,524,680 banker hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SettingCounts {
    /// Number of banker hands that lose to this setting, because the player's back and front both win or because the
    /// rules award the bet to the player.
    pub wins: u64,
    /// Number of banker hands that push, because one half wins and the other loses or because the rules make the bet
    /// push.
    pub pushes: u64,
    /// Number of banker hands that win, because neither half beats them or because the rules award the bet to the
    /// banker.
    pub losses: u64,
    /// Number of banker hands with an equal front, excluding hands against which every bet pushes. They are also
    /// included in `wins`, `pushes` or `losses`, depending on the rules.
    pub copies_front: u64,
    /// Number of banker hands with an equal back, with the same conventions.
    pub copies_back: u64,
}

impl SettingCounts {
    /// Returns the player's total winnings in millionths of a stake: the numerator of the EV over 53,524,680 million.
    #[inline]
    pub fn gain_millionths(&self, commission: Rate) -> i64 {
        let kept = i64::from(Rate::WHOLE - commission.millionths());
        self.wins as i64 * kept - self.losses as i64 * i64::from(Rate::WHOLE)
    }

    /// Returns the total weight of the banker hands: their number, 53,524,680, or
    /// [`RANDOM_WEIGHT`](super::whole::RANDOM_WEIGHT) times as much against a banker who sets at random.
    pub const fn all(&self) -> u64 {
        self.wins + self.pushes + self.losses
    }

    /// Returns the sum of two counts.
    pub(super) const fn plus(self, more: SettingCounts) -> SettingCounts {
        SettingCounts {
            wins: self.wins + more.wins,
            pushes: self.pushes + more.pushes,
            losses: self.losses + more.losses,
            copies_front: self.copies_front + more.copies_front,
            copies_back: self.copies_back + more.copies_back,
        }
    }

    /// Returns the player's winnings in millionths of a stake. Unlike [`gain_millionths`](Self::gain_millionths), it
    /// supports any weight.
    fn gain(&self, commission: Rate) -> i128 {
        let kept = i128::from(Rate::WHOLE - commission.millionths());
        i128::from(self.wins) * kept - i128::from(self.losses) * i128::from(Rate::WHOLE)
    }

    /// Returns the player's EV per unit staked.
    pub fn ev(&self, commission: Rate) -> Ratio {
        Ratio::new(self.gain(commission), i128::from(self.all()) * i128::from(Rate::WHOLE))
    }
}

/// Outcome counts of every setting of a hand, or `None` for fouls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandCounts {
    commission: Rate,
    counts: [Option<SettingCounts>; Setting::COUNT],
}

impl HandCounts {
    pub(super) fn new(commission: Rate, counts: [Option<SettingCounts>; Setting::COUNT]) -> HandCounts {
        HandCounts { commission, counts }
    }

    /// Returns the counts of a setting, or `None` if it is a foul.
    pub fn get(&self, setting: Setting) -> Option<SettingCounts> {
        self.counts[setting.index()]
    }

    /// Returns the counts of the 21 settings in order, `None` for fouls.
    pub fn settings(&self) -> &[Option<SettingCounts>; Setting::COUNT] {
        &self.counts
    }

    /// Returns the player's EV per unit staked under the game's commission, or `None` if the setting is a foul.
    pub fn ev(&self, setting: Setting) -> Option<Ratio> {
        self.get(setting).map(|counts| counts.ev(self.commission))
    }

    /// Returns the EVs of the 21 settings as floats, for printing and learning. Fouls have negative infinity.
    pub fn ev_values(&self) -> [f64; Setting::COUNT] {
        self.counts.map(|counts| {
            counts.map_or(f64::NEG_INFINITY, |counts| {
                counts.gain(self.commission) as f64 / (counts.all() as f64 * f64::from(Rate::WHOLE))
            })
        })
    }

    /// Returns the setting with the highest EV. Ties go to the lowest index.
    pub fn best(&self) -> Setting {
        let gain = |setting: Setting| self.get(setting).map(|counts| counts.gain(self.commission));
        // `min_by_key` returns the first of equal elements.
        Setting::all().min_by_key(|&setting| Reverse(gain(setting))).expect("there are 21 settings")
    }

    /// Returns the regret of a setting (EV of the best setting minus its own), or `None` if it is a foul.
    pub fn regret(&self, setting: Setting) -> Option<Ratio> {
        Some(self.ev(self.best())? - self.ev(setting)?)
    }
}

/// Exact evaluator of hands against one banker strategy under the rules of one game.
pub struct HandEvaluator<'a> {
    game: &'a Game,
    banker: &'a BankerTable,
    /// The opponent's hands as compared under the game's rules, if they differ from the banker's table.
    compared: Option<BankerTable>,
}

impl<'a> HandEvaluator<'a> {
    /// Creates an evaluator. The computation happens in [`count`](Self::count).
    pub fn new(game: &'a Game, banker: &'a BankerTable) -> HandEvaluator<'a> {
        HandEvaluator { game, banker, compared: banker.compared(game) }
    }

    /// Returns the game.
    pub fn game(&self) -> &'a Game {
        self.game
    }

    /// Returns the banker's strategy.
    pub fn banker(&self) -> &'a BankerTable {
        self.banker
    }

    /// Evaluates all settings of a player's hand on the current thread.
    pub fn count(&self, hand: Hand) -> HandCounts {
        self.count_for(Side::Player, hand)
    }

    /// Evaluates all settings of a hand of either side on the current thread. The table is the strategy of the other
    /// side.
    ///
    /// Wins and losses are those of the side that holds the hand. EVs are those of a player, or of a banking player who
    /// pays the commission on each bet won.
    pub fn count_for(&self, side: Side, hand: Hand) -> HandCounts {
        let settings: [SetHand; Setting::COUNT] = {
            let mut settings = self.game.settings(hand).map(|(_, set)| set);
            std::array::from_fn(|_| settings.next().expect("there are 21 settings"))
        };
        let legal = settings.map(|set| self.game.is_legal(set));
        let contenders = settings.iter().zip(legal).filter(|&(_, legal)| legal).map(|(&set, _)| set);
        let mut buckets = Buckets::new(self.game.ranking().strengths(), contenders);
        let left = Left::by(hand);
        let others = self.compared.as_ref().filter(|_| side == Side::Player).unwrap_or(self.banker);
        buckets.add_by_ranks(&left, others);
        buckets.correct_flushes(&left, others);
        buckets.sum_up();
        let ties = side.ties(self.game.rules().copies);
        let counts = |set: SetHand| {
            if side == Side::Banker && self.game.banker_set(hand, set).pushes() {
                return SettingCounts { pushes: BANKER_HANDS, ..SettingCounts::default() };
            }
            buckets.counts(set, ties)
        };
        let counts = std::array::from_fn(|i| legal[i].then(|| counts(settings[i])));
        HandCounts::new(self.game.rules().commission, counts)
    }

    /// Evaluates many hands in parallel on the current thread pool, in order (about 1 kB per result).
    pub fn count_many(&self, hands: &[Hand]) -> Vec<HandCounts> {
        hands.par_iter().map(|&hand| self.count(hand)).collect()
    }
}

/// The deck that remains after the player's hand is dealt.
struct Left {
    joker: bool,
    /// Number of the player's cards of each rank.
    ranks: [u8; 13],
    /// Bit set of the player's ranks in each suit.
    suits: [u16; 4],
}

impl Left {
    fn by(hand: Hand) -> Left {
        let mut left = Left { joker: !hand.set().contains(Card::JOKER), ranks: [0; 13], suits: [0; 4] };
        for card in hand.set().iter() {
            if let (Some(rank), Some(suit)) = (card.rank(), card.suit()) {
                left.ranks[rank.index()] += 1;
                left.suits[suit.index()] |= 1 << rank.index();
            }
        }
        left
    }

    /// Returns the number of ways to pick `counts` cards of consecutive ranks, starting at `first`.
    #[inline]
    fn ways(&self, first: usize, counts: &[u8]) -> i64 {
        let ways = counts.iter().zip(&self.ranks[first..]);
        ways.map(|(&n, &held)| WAYS[4 - held as usize][n as usize]).product()
    }

    /// Returns the number of ways to pick each multiset of up to two cards outside `suit`, by size and index.
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
}

/// Binomial coefficients up to C(4, 4).
const WAYS: [[i64; 5]; 5] = {
    let mut ways = [[0; 5]; 5];
    let mut i = 0;
    while i < 25 {
        ways[i / 5][i % 5] = binomial(i as u64 / 5, i as u64 % 5) as i64;
        i += 1;
    }
    ways
};

/// Maximum number of buckets per dimension: 21 thresholds and the gaps around them.
const SIDE: usize = 2 * Setting::COUNT + 1;

/// Histogram of banker hands by bucket of back and front. Bucket 2i + 1 is the i-th threshold and bucket 2i is the gap
/// below it.
struct Buckets {
    /// Row index of each back, multiplied by [`SIDE`].
    row: Vec<u16>,
    /// Column index of each front.
    column: Vec<u16>,
    hands: [i64; (SIDE + 1) * SIDE],
}

/// Row offset of hands against which every bet pushes, after all backs.
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
    fn new(strengths: usize, settings: impl Iterator<Item = SetHand> + Clone) -> Buckets {
        let backs = settings.clone().map(|set| set.back.index()).collect();
        let fronts = settings.map(|set| set.front.index()).collect();
        let row = bucket_places(strengths, backs, SIDE);
        Buckets { row, column: bucket_places(128, fronts, 1), hands: [0; (SIDE + 1) * SIDE] }
    }

    #[inline]
    fn place(&self, set: SetHand) -> usize {
        // The back of `BankerSet::PUSHES` is greater than every strength.
        let row = self.row.get(set.back.index()).copied().unwrap_or(PUSHES);
        usize::from(row) + usize::from(self.column[set.front.index()])
    }

    /// Adds every banker hand to the bucket of its ranks, ignoring flushes.
    fn add_by_ranks(&mut self, left: &Left, banker: &BankerTable) {
        for joker in [false, true] {
            if joker && !left.joker {
                continue;
            }
            let (start, index) = Profiles::get().rank_index(joker);
            let mut low_ways: [Vec<i64>; Hand::CARDS + 1] = Default::default();
            for block in index.blocks() {
                let high = left.ways(7, &block.high);
                if high == 0 {
                    continue;
                }
                let low = &mut low_ways[block.high.iter().sum::<u8>() as usize];
                if low.is_empty() {
                    low.extend(block.low.iter().map(|counts| left.ways(0, counts)));
                }
                let sets = &banker.ranks()[start + block.start..][..low.len()];
                for (&set, &low) in sets.iter().zip(low.iter()) {
                    let place = self.place(set);
                    self.hands[place] += high * low;
                }
            }
        }
    }

    /// Moves banker hands with five cards of a suit to their true bucket.
    fn correct_flushes(&mut self, left: &Left, banker: &BankerTable) {
        let by_suit = Suit::ALL.map(|suit| left.off_suit_ways(suit));
        // The sum of the ways over each set of suits in which the flush is possible, indexed by set.
        let mut ways = [[[0; OFF_SUIT_STATES[2]]; 3]; 16];
        for (suits, ways) in ways.iter_mut().enumerate() {
            for (_, of_suit) in by_suit.iter().enumerate().filter(|&(suit, _)| suits >> suit & 1 == 1) {
                ways.iter_mut().flatten().zip(of_suit.iter().flatten()).for_each(|(sum, add)| *sum += add);
            }
        }
        let (flushes, without_suits) = banker.flushes();
        for &FlushBlock { start, mask, joker, off_suit } in Profiles::get().flush_blocks() {
            let suits = (0..4).filter(|&suit| left.suits[suit] & mask == 0).fold(0, |suits, suit| suits | 1 << suit);
            if suits == 0 || joker && !left.joker {
                continue;
            }
            let ways = &ways[suits][off_suit][..OFF_SUIT_STATES[off_suit]];
            let start = start - RANK_PROFILES;
            for ((&set, &before), &ways) in flushes[start..].iter().zip(&without_suits[start..]).zip(ways) {
                let (to, from) = (self.place(set), self.place(before));
                self.hands[to] += ways;
                self.hands[from] -= ways;
            }
        }
    }

    /// Replaces each bucket by its two-dimensional prefix sum.
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
        debug_assert_eq!(hands[hands.len() - 1] + pushes.iter().sum::<i64>(), BANKER_HANDS as i64);
    }

    /// Reads the counts of one setting from the prefix sums. The setting must be one of those that defined the
    /// thresholds.
    fn counts(&self, set: SetHand, ties: Ties) -> SettingCounts {
        let last = SIDE - 1;
        let (row, column) = (self.place(set) / SIDE, self.place(set) % SIDE);
        let up_to = |row: usize, column: usize| self.hands[row * SIDE + column] as u64;
        // Thresholds are odd buckets, so a bucket below always exists.
        let below = (row - 1, column - 1);
        let outside = |row, column| up_to(last, last) + up_to(row, column) - up_to(row, last) - up_to(last, column);
        let (wins, losses) = match ties {
            Ties::Lost => (up_to(below.0, below.1), outside(below.0, below.1)),
            Ties::Won => (up_to(row, column), outside(row, column)),
            Ties::Pushed => {
                let tied = up_to(row, column) + up_to(below.0, below.1) - up_to(row, below.1) - up_to(below.0, column);
                (up_to(row, column) - tied, outside(below.0, below.1) - tied)
            }
        };
        SettingCounts {
            wins,
            losses,
            pushes: BANKER_HANDS - wins - losses,
            copies_front: up_to(last, column) - up_to(last, column - 1),
            copies_back: up_to(row, last) - up_to(row - 1, last),
        }
    }
}

#[cfg(test)]
mod tests;
