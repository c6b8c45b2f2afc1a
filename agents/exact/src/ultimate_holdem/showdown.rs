//! A hand's results against all dealer hands, both as counts and as sums, and the EV of the Trips bet.

use super::board::BoardCounter;
use super::whole::{FLOPS, hole};
use super::{ANTE, DEALER_HANDS, DEALS, FullGame};
use crate::Ratio;
use crate::solver::{Cancelled, Control};
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::key::Key;
use houseway_env::cards::{Card, CardSet};
use houseway_env::rank::Category;
use houseway_env::ultimate_holdem::{End, Game, Hole, HoleCards, Rules};
use std::cmp::Ordering;

const fn end(winner: Ordering, qualified: bool) -> End {
    End { winner, qualified }
}

/// The results of a comparison, in the order of the counts in [`Ends`].
pub(super) const ENDS: [End; 6] = [
    end(Ordering::Greater, false),
    end(Ordering::Greater, true),
    end(Ordering::Equal, false),
    end(Ordering::Equal, true),
    end(Ordering::Less, false),
    end(Ordering::Less, true),
];

/// The number of dealer hands that lose to the player's hand, tie with it and beat it. In each case, the hands that don't
/// let the dealer qualify are counted first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ends(pub [i64; ENDS.len()]);

impl Ends {
    /// Returns the results of a hand that beats `wins` dealer hands and ties with `ties` of them. The dealer doesn't
    /// qualify with `unqualified` hands. `qualifies` says whether the player's own hand would qualify.
    #[inline]
    pub(super) fn of_ranked(wins: i64, ties: i64, unqualified: i64, qualifies: bool) -> Ends {
        let losses = DEALER_HANDS - wins - ties;
        if qualifies {
            Ends([unqualified, wins - unqualified, 0, ties, 0, losses])
        } else {
            let above = unqualified - wins - ties;
            Ends([wins, 0, ties, 0, above, losses - above])
        }
    }

    /// Adds one result.
    pub(super) fn count(&mut self, end: End) {
        let first = match end.winner {
            Ordering::Greater => 0,
            Ordering::Equal => 2,
            Ordering::Less => 4,
        };
        self.0[first + usize::from(end.qualified)] += 1;
    }
}

/// Sums over dealer hands that are enough to compute the EV for any size of Play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moments {
    /// The winnings from Ante, Blind, and Trips, in half antes.
    others: i64,
    /// The result of the Play per half ante: the hands that lose to the player's minus those that win.
    play: i64,
}

impl Moments {
    /// Returns the sum of the net results, in half antes, with a Play of `antes` antes.
    #[inline]
    pub(super) fn value(&self, antes: i64) -> i64 {
        self.others + ANTE * antes * self.play
    }
}

/// A game's rules as a payoff table, with every result indexed by the player's hand category.
pub(super) struct Pays {
    /// The payoffs for wins, ties, and losses, each without and with a qualified dealer, indexed by category.
    ends: [[Moments; ENDS.len()]; Category::ALL.len()],
    /// The winnings from folding for each category, in half antes.
    fold: [i64; Category::ALL.len()],
    /// The Trips bet, in antes.
    pub(super) trips: u16,
    /// `true` if the player wins without a comparison against a dealer who doesn't qualify.
    wins_unqualified: bool,
}

impl Pays {
    /// Creates the table for a game with a Trips bet of `stake` antes.
    pub(super) fn new(game: &Game, stake: u16) -> Pays {
        let trips = i64::from(stake);
        let of = |hand: Category, end: End| {
            let others = i64::from(game.ante_and_blind(end, hand)) + trips * i64::from(game.trips(hand));
            Moments { others, play: game.play(end).into() }
        };
        let ends = Category::ALL.map(|hand| ENDS.map(|end| of(hand, end)));
        let fold = Category::ALL.map(|hand| i64::from(Game::FOLD) + trips * i64::from(game.trips_after_fold(hand)));
        Pays { ends, fold, trips: stake, wins_unqualified: game.ante(end(Ordering::Less, false)) > 0 }
    }

    /// Returns a hand's winnings over the given dealer hands.
    #[inline]
    pub(super) fn moments(&self, hand: Category, ends: &Ends) -> Moments {
        let mut sum = Moments::default();
        for (of, n) in self.ends[hand as usize].iter().zip(ends.0) {
            sum.others += of.others * n;
            sum.play += of.play * n;
        }
        sum
    }

    /// Returns the number of dealer hands against which the round is won, tied and lost.
    #[inline]
    pub(super) fn settled(&self, ends: &Ends) -> [i64; 3] {
        let [wins, qualified_wins, ties, qualified_ties, losses, qualified_losses] = ends.0;
        match self.wins_unqualified {
            true => [wins + qualified_wins + ties + losses, qualified_ties, qualified_losses],
            false => [wins + qualified_wins, ties + qualified_ties, losses + qualified_losses],
        }
    }

    /// Returns the winnings from folding, in half antes.
    #[inline]
    pub(super) fn fold(&self, hand: Category) -> i64 {
        self.fold[hand as usize]
    }
}

/// Returns the number of dealer hands on a complete board. Without dead cards, this is 990.
pub(super) fn dealer_hands(dead: CardSet) -> i64 {
    binomial(45 - dead.len() as u64, 2) as i64
}

/// Counts a hand's results on a complete board against all dealer hands that contain no dead cards.
pub(super) fn ends(game: &Game, hole: Hole, board: CardSet, dead: CardSet) -> Ends {
    let ranking = game.on_board(board);
    let mine = ranking.of(hole.set());
    let mut ends = Ends::default();
    let mut others = [Card::JOKER; 45];
    let left = CardSet::DECK_52.difference(board).difference(hole.set()).difference(dead);
    others.iter_mut().zip(left.iter()).for_each(|(place, card)| *place = card);
    for (i, &high) in others[..left.len()].iter().enumerate() {
        for &low in &others[..i] {
            let key = Key::from_card(high) + Key::from_card(low);
            let dealer = ranking.of_key(key, || CardSet::EMPTY.with(high).with(low));
            ends.count(game.end(mine, dealer));
        }
    }
    ends
}

/// A hand's results on a complete board against all dealer hands that contain no dead cards.
pub(super) struct River {
    /// The number of dealer hands against which the round is won, tied and lost.
    pub(super) ends: [i64; 3],
    /// The winnings.
    pub(super) moments: Moments,
    /// The winnings from folding, in half antes.
    pub(super) fold: i64,
}

/// Returns a hand's results on a complete board.
pub(super) fn river(game: &Game, pays: &Pays, hole: Hole, board: CardSet, dead: CardSet) -> River {
    let category = game.best().category(game.on_board(board).of(hole.set()));
    let ends = ends(game, hole, board, dead);
    let moments = pays.moments(category, &ends);
    River { ends: pays.settled(&ends), moments, fold: pays.fold(category) * dealer_hands(dead) }
}

/// The number of deals of two hands and a complete board.
pub(super) const SHOWDOWNS: u64 = DEALS as u64 / FLOPS as u64;

/// All deals of two hands and a complete board, by the categories of the hands.
pub(super) struct Showdowns {
    /// The number of deals by the player's category and then the dealer's.
    pub(super) joint: [[u64; Category::ALL.len()]; Category::ALL.len()],
    /// The number of deals in which the player's hand wins, by its category.
    pub(super) wins: [u64; Category::ALL.len()],
    /// The number of deals in which the player's hand loses, by its category.
    pub(super) losses: [u64; Category::ALL.len()],
}

impl Showdowns {
    pub(super) const NONE: Showdowns = Showdowns {
        joint: [[0; Category::ALL.len()]; Category::ALL.len()],
        wins: [0; Category::ALL.len()],
        losses: [0; Category::ALL.len()],
    };

    fn add(mut self, other: Showdowns) -> Showdowns {
        let counts = self.joint.iter_mut().flatten().chain(&mut self.wins).chain(&mut self.losses);
        let others = other.joint.iter().flatten().chain(&other.wins).chain(&other.losses);
        counts.zip(others).for_each(|(count, more)| *count += more);
        self
    }

    /// Adds all deals with a board that represents `weight` boards.
    pub(super) fn add_board(&mut self, game: &Game, counter: &mut BoardCounter<'_>, board: CardSet, weight: u64) {
        // The number of hands in each category, in total and with each card.
        let mut hands = [0_u64; Category::ALL.len()];
        let mut with = [[0_u64; 52]; Category::ALL.len()];
        counter.count(board, |counted| {
            let category = game.best().category(counted.strength) as usize;
            let Ends([wins, qualified_wins, .., losses, qualified_losses]) = counted.ends;
            self.wins[category] += weight * (wins + qualified_wins) as u64;
            self.losses[category] += weight * (losses + qualified_losses) as u64;
            hands[category] += 1;
            hole(counted.pair).set().iter().for_each(|card| with[category][card.index()] += 1);
        });
        for (player, own) in with.iter().enumerate() {
            for (dealer, others) in with.iter().enumerate() {
                // Pairs of hands with a common card are impossible. A hand shares both cards with itself.
                let shared: u64 = own.iter().zip(others).map(|(a, b)| a * b).sum();
                let itself = if player == dealer { hands[player] } else { 0 };
                self.joint[player][dealer] += weight * (hands[player] * hands[dealer] + itself - shared);
            }
        }
    }
}

impl FullGame<'_> {
    /// Counts all deals of two hands and a board, using the current thread pool.
    pub(super) fn showdowns(&self, control: &Control<'_>) -> Result<Showdowns, Cancelled> {
        let add = |showdowns: &mut Showdowns, counter: &mut BoardCounter<'_>, board, weight: i64| {
            showdowns.add_board(self.game, counter, board, weight as u64);
        };
        self.over_boards("counting showdowns", control, || Showdowns::NONE, add, Showdowns::add)
    }
}

/// Returns the number of hands in each category: of seven cards or, if both hole cards belong to a hand, of two cards and a
/// board. [`FullGame`](super::FullGame) finds the same numbers.
pub(super) fn categories(rules: &Rules) -> [(Category, u64); 10] {
    match rules.hole_cards {
        HoleCards::Any => SEVEN_CARD_CATEGORIES,
        HoleCards::Both => TWO_CARD_CATEGORIES,
    }
}

const TWO_CARD_CATEGORIES: [(Category, u64); 10] = [
    (Category::HighCard, 536_479_440),
    (Category::OnePair, 1_357_655_832),
    (Category::TwoPairs, 578_732_040),
    (Category::ThreeOfAKind, 174_387_528),
    (Category::Straight, 79_953_072),
    (Category::Flush, 41_883_800),
    (Category::FullHouse, 35_914_320),
    (Category::FourOfAKind, 4_047_264),
    (Category::StraightFlush, 379_224),
    (Category::RoyalFlush, 43_240),
];

const SEVEN_CARD_CATEGORIES: [(Category, u64); 10] = [
    (Category::HighCard, 23_294_460),
    (Category::OnePair, 58_627_800),
    (Category::TwoPairs, 31_433_400),
    (Category::ThreeOfAKind, 6_461_620),
    (Category::Straight, 6_180_020),
    (Category::Flush, 4_047_644),
    (Category::FullHouse, 3_473_184),
    (Category::FourOfAKind, 224_848),
    (Category::StraightFlush, 37_260),
    (Category::RoyalFlush, 4_324),
];

/// Returns the EV of the Trips bet per unit staked, if it is settled no matter what the player does.
pub(super) fn trips_ev(game: &Game) -> Ratio {
    let categories = categories(game.rules());
    let net = categories.map(|(hand, hands)| i128::from(game.trips(hand)) * i128::from(hands));
    let hands: u64 = categories.iter().map(|(_, hands)| hands).sum();
    Ratio::new(net.iter().sum(), i128::from(hands) * i128::from(ANTE))
}
