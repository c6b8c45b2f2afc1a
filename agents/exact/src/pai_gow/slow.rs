//! Reference implementation by brute-force enumeration of all 53,524,680 banker hands under any rules. The fast code is
//! tested against it.

use super::hand::{HandCounts, SettingCounts};
use super::side::Side;
use super::whole::RANDOM_WEIGHT;
use super::{BANKER_HANDS, BankerTable, ClassTable};
use houseway_env::cards::classes::Classes;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::cards::{Card, CardSet};
use houseway_env::pai_gow::{Game, Hand, Outcome, SetHand, Setting, Settlement, Strategy};
use rayon::prelude::*;

/// Sets every banker hand with the strategy and ranks its cards, without profiles, tables or weights. Takes about 15
/// seconds on one core.
pub fn count<S: Strategy + ?Sized>(game: &Game, strategy: &S, hand: Hand) -> HandCounts {
    count_with(game, Side::Player, hand, |banker| {
        let setting = strategy.set(banker);
        let mut front = setting.front(banker).iter();
        let (Some(a), Some(b)) = (front.next(), front.next()) else { unreachable!("a front consists of two cards") };
        SetHand { back: game.ranking().five(setting.back(banker)), front: game.ranking().two(a, b) }
    })
}

/// Evaluates like [`count`], for a hand of either side against a table of the other side, looked up by class. Takes
/// about ten seconds on one core.
pub fn count_by_class(game: &Game, side: Side, table: &ClassTable, hand: Hand) -> HandCounts {
    let classes = Classes::seven();
    let set = |(class, &setting): (usize, &u8)| {
        let hand = Hand::new(classes.hand(class)).expect("a class has seven cards");
        game.set(hand, Setting::from_index(setting.into()).expect("the table contains valid settings"))
    };
    let sets: Vec<SetHand> = table.settings().par_iter().enumerate().map(set).collect();
    count_with(game, side, hand, |other| sets[classes.index(other.set())])
}

/// Evaluates a hand against all hands of the other side, as set by `set`.
fn count_with(game: &Game, side: Side, hand: Hand, set: impl Fn(Hand) -> SetHand + Sync) -> HandCounts {
    let settings: Vec<SetHand> = game.settings(hand).map(|(_, set)| set).collect();
    let counts = over_all_hands(hand, [SettingCounts::default(); Setting::COUNT], |counts, cards| {
        let other = Hand::new(cards).expect("seven cards are dealt");
        let theirs = set(other);
        for (count, &own) in counts.iter_mut().zip(&settings) {
            count.add(settle(game, side, (hand, own), (other, theirs)), side, 1);
        }
    });
    let sum = |mut sum: [SettingCounts; Setting::COUNT], piece: [SettingCounts; Setting::COUNT]| {
        sum.iter_mut().zip(piece).for_each(|(sum, piece)| *sum = sum.plus(piece));
        sum
    };
    legal_ones(game, hand, counts.into_iter().fold([SettingCounts::default(); Setting::COUNT], sum))
}

/// Settles a hand of `side` against a hand of the other side.
fn settle(game: &Game, side: Side, (hand, own): (Hand, SetHand), (other, theirs): (Hand, SetHand)) -> Settlement {
    match side {
        Side::Player => game.settle(own, game.banker_set(other, theirs)),
        Side::Banker => game.settle(theirs, game.banker_set(hand, own)),
    }
}

/// Evaluates like [`count`], with each banker hand looked up by its profile. Takes a few seconds on one core.
pub fn count_by_profile(game: &Game, banker: &BankerTable, hand: Hand) -> HandCounts {
    ProfileCounts::enumerate(hand).count(game, Side::Player, banker)
}

/// The number of opposing hands of each profile, given the cards of one hand. The numbers are computed once by dealing
/// all hands and then shared by evaluations against many strategies.
pub struct ProfileCounts {
    hand: Hand,
    hands: Vec<u32>,
}

impl ProfileCounts {
    /// Deals all hands from the remaining deck, which takes about a second on one core.
    pub fn enumerate(hand: Hand) -> ProfileCounts {
        let profiles = Profiles::get();
        let pieces = over_all_hands(hand, vec![0u32; PROFILES], |hands, cards| hands[profiles.of(cards).index()] += 1);
        let sum = |mut sum: Vec<u32>, piece: Vec<u32>| {
            sum.iter_mut().zip(&piece).for_each(|(sum, piece)| *sum += piece);
            sum
        };
        ProfileCounts { hand, hands: pieces.into_iter().reduce(sum).expect("at least one chunk") }
    }

    /// Evaluates all settings of the hand, held by `side`, against the table of the other side. Each profile is settled
    /// separately by the rules of the game.
    pub fn count(&self, game: &Game, side: Side, other: &BankerTable) -> HandCounts {
        self.count_with(game, side, |profile, _| vec![(other.set(profile), 1)])
    }

    /// Evaluates like [`count`](Self::count), with every legal setting of the other side equally likely. Counts are in
    /// units of 1 / [`RANDOM_WEIGHT`].
    pub fn count_random(&self, game: &Game, side: Side) -> HandCounts {
        self.count_with(game, side, |_, hand| {
            let sets: Vec<SetHand> =
                game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set)).collect();
            let weight = u64::from(RANDOM_WEIGHT) / sets.len() as u64;
            sets.into_iter().map(|set| (set, weight)).collect()
        })
    }

    /// Evaluates the hand against the weighted set hands of each profile.
    fn count_with(&self, game: &Game, side: Side, sets: impl Fn(Profile, Hand) -> Vec<(SetHand, u64)>) -> HandCounts {
        let settings: Vec<SetHand> = game.settings(self.hand).map(|(_, set)| set).collect();
        let mut counts = [SettingCounts::default(); Setting::COUNT];
        for (profile, &hands) in Profile::all().zip(&self.hands).filter(|&(_, &hands)| hands > 0) {
            let representative = Hand::new(Profiles::get().representative(profile)).expect("a profile has seven cards");
            for (theirs, weight) in sets(profile, representative) {
                for (count, &own) in counts.iter_mut().zip(&settings) {
                    let settlement = settle(game, side, (self.hand, own), (representative, theirs));
                    count.add(settlement, side, u64::from(hands) * weight);
                }
            }
        }
        legal_ones(game, self.hand, counts)
    }
}

/// Calls `visit` with the cards of every hand that the other side can hold, in parallel. Each chunk of work starts from
/// `empty`.
fn over_all_hands<T: Clone + Send + Sync>(hand: Hand, empty: T, visit: impl Fn(&mut T, CardSet) + Sync) -> Vec<T> {
    let deck: Vec<Card> = CardSet::DECK_53.difference(hand.set()).iter().collect();
    // One chunk for each highest card of the other hand.
    let pieces = (0..=deck.len() - Hand::CARDS).into_par_iter().map(|first| {
        let mut piece = empty.clone();
        let rest: CardSet = deck[first + 1..].iter().copied().collect();
        for_each_subset(rest, Hand::CARDS - 1, |others| visit(&mut piece, others.with(deck[first])));
        piece
    });
    pieces.collect()
}

fn legal_ones(game: &Game, hand: Hand, counts: [SettingCounts; Setting::COUNT]) -> HandCounts {
    assert!(counts.iter().all(|count| count.all() == counts[0].all() && count.all().is_multiple_of(BANKER_HANDS)));
    let legal = game.legal_mask(hand);
    let counts = std::array::from_fn(|i| (legal >> i & 1 == 1).then_some(counts[i]));
    HandCounts::new(game.rules().commission, counts)
}

impl SettingCounts {
    /// Adds `hands` opposing hands with the given settlement. Its outcome is the player's.
    fn add(&mut self, settlement: Settlement, side: Side, hands: u64) {
        match (settlement.outcome, side) {
            (Outcome::Push, _) => self.pushes += hands,
            (Outcome::Win, Side::Player) | (Outcome::Loss, Side::Banker) => self.wins += hands,
            (Outcome::Loss, Side::Player) | (Outcome::Win, Side::Banker) => self.losses += hands,
        }
        self.copies_back += hands * u64::from(settlement.copy_back);
        self.copies_front += hands * u64::from(settlement.copy_front);
    }
}
