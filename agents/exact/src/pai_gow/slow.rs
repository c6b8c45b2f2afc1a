//! Counting by plain enumeration of all 53,524,680 banker hands: slow, obvious, and the yardstick of everything fast.

use super::hand::{HandCounts, SettingCounts};
use super::{BANKER_HANDS, BankerTable};
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::profile::Profiles;
use houseway_env::cards::{Card, CardSet};
use houseway_env::pai_gow::{Game, Hand, Outcome, SetHand, Setting, Strategy};
use houseway_env::rank::TwoStrength;
use rayon::prelude::*;

/// Counts every banker hand by setting it with the strategy and ranking its cards: no profile, no table, no weight. About
/// a quarter of a minute of one core.
pub fn count<S: Strategy + ?Sized>(game: &Game, strategy: &S, hand: Hand) -> HandCounts {
    count_with(game, hand, |banker| {
        let banker = Hand::new(banker).expect("seven cards are dealt");
        let setting = strategy.set(banker);
        let mut front = setting.front(banker).iter();
        let (Some(a), Some(b)) = (front.next(), front.next()) else { unreachable!("a front has two cards") };
        SetHand { back: game.ranking().five(setting.back(banker)), front: TwoStrength::of(a, b) }
    })
}

/// As [`count`], but looking each banker hand up by its profile: some seconds of one core.
pub fn count_by_profile(game: &Game, banker: &BankerTable, hand: Hand) -> HandCounts {
    let profiles = Profiles::get();
    count_with(game, hand, |cards| banker.set(profiles.of(cards)))
}

/// Counts all banker hands, set by `set`.
fn count_with(game: &Game, hand: Hand, set: impl Fn(CardSet) -> SetHand + Sync) -> HandCounts {
    let settings: Vec<SetHand> = game.settings(hand).map(|(_, set)| set).collect();
    let deck: Vec<Card> = CardSet::DECK_53.difference(hand.set()).iter().collect();
    // One piece of work for each highest card of the banker's hand.
    let pieces = (0..=deck.len() - Hand::CARDS).into_par_iter().map(|first| {
        let mut counts = [SettingCounts::default(); Setting::COUNT];
        let rest: CardSet = deck[first + 1..].iter().copied().collect();
        for_each_subset(rest, Hand::CARDS - 1, |others| {
            let banker = set(others.with(deck[first]));
            for (count, &player) in counts.iter_mut().zip(&settings) {
                count.add(player, banker);
            }
        });
        counts
    });
    let counts = pieces.reduce(Default::default, |mut sum, piece| {
        sum.iter_mut().zip(&piece).for_each(|(sum, piece)| sum.merge(piece));
        sum
    });
    assert!(counts.iter().all(|count| count.wins + count.pushes + count.losses == BANKER_HANDS));
    let legal = game.legal_mask(hand);
    let counts = std::array::from_fn(|i| (legal >> i & 1 == 1).then_some(counts[i]));
    HandCounts::new(game.rules().commission, counts)
}

impl SettingCounts {
    fn add(&mut self, player: SetHand, banker: SetHand) {
        let settlement = Game::settle(player, banker);
        match settlement.outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Push => self.pushes += 1,
            Outcome::Loss => self.losses += 1,
        }
        self.copies_back += u64::from(settlement.copy_back);
        self.copies_front += u64::from(settlement.copy_front);
    }

    fn merge(&mut self, other: &SettingCounts) {
        self.wins += other.wins;
        self.pushes += other.pushes;
        self.losses += other.losses;
        self.copies_front += other.copies_front;
        self.copies_back += other.copies_back;
    }
}
