//! Counting by plain enumeration of all 53,524,680 banker hands: slow, obvious, and the yardstick of everything fast.

use super::hand::{HandCounts, SettingCounts};
use super::whole::Side;
use super::{BANKER_HANDS, BankerTable, ClassTable};
use houseway_env::cards::classes::Classes;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::profile::Profiles;
use houseway_env::cards::{Card, CardSet};
use houseway_env::pai_gow::{Game, Hand, Outcome, SetHand, Setting, Strategy};
use houseway_env::rank::TwoStrength;
use rayon::prelude::*;

/// Counts every banker hand by setting it with the strategy and ranking its cards: no profile, no table, no weight. About
/// a quarter of a minute of one core.
pub fn count<S: Strategy + ?Sized>(game: &Game, strategy: &S, hand: Hand) -> HandCounts {
    count_with(game, Side::Player, hand, |banker| {
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
    count_with(game, Side::Player, hand, |cards| banker.set(profiles.of(cards)))
}

/// As [`count`], for a hand of either side against hands of the other side that a table sets, each looked up by its class:
/// about ten seconds of one core.
pub fn count_by_class(game: &Game, side: Side, table: &ClassTable, hand: Hand) -> HandCounts {
    let classes = Classes::seven();
    let set = |(class, &setting): (usize, &u8)| {
        let hand = Hand::new(classes.hand(class)).expect("a class is of seven cards");
        game.set(hand, Setting::from_index(setting.into()).expect("a table holds settings"))
    };
    let sets: Vec<SetHand> = table.settings().par_iter().enumerate().map(set).collect();
    count_with(game, side, hand, |cards| sets[classes.index(cards)])
}

/// Counts all hands of the other side, set by `set`.
fn count_with(game: &Game, side: Side, hand: Hand, set: impl Fn(CardSet) -> SetHand + Sync) -> HandCounts {
    let settings: Vec<SetHand> = game.settings(hand).map(|(_, set)| set).collect();
    let deck: Vec<Card> = CardSet::DECK_53.difference(hand.set()).iter().collect();
    // One piece of work for each highest card of the other side's hand.
    let pieces = (0..=deck.len() - Hand::CARDS).into_par_iter().map(|first| {
        let mut counts = [SettingCounts::default(); Setting::COUNT];
        let rest: CardSet = deck[first + 1..].iter().copied().collect();
        for_each_subset(rest, Hand::CARDS - 1, |others| {
            let other = set(others.with(deck[first]));
            for (count, &own) in counts.iter_mut().zip(&settings) {
                count.add(side, own, other);
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
    fn add(&mut self, side: Side, own: SetHand, other: SetHand) {
        let settlement = match side {
            Side::Player => Game::settle(own, other),
            Side::Banker => Game::settle(other, own),
        };
        match (settlement.outcome, side) {
            (Outcome::Win, Side::Player) | (Outcome::Loss, Side::Banker) => self.wins += 1,
            (Outcome::Loss, Side::Player) | (Outcome::Win, Side::Banker) => self.losses += 1,
            (Outcome::Push, _) => self.pushes += 1,
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
