//! Counts how often each poker category occurs in the side bet, and computes a paytable's return.

use crate::Ratio;
use houseway_env::asian_stud::{Hand, Paytable, PokerBet, Rules, SideBet};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::paytable::PaytableReturn;
use houseway_env::rank::Category;

/// Counts the hands in each category by enumeration, weakest category first. This takes about 0.1 s.
pub fn poker_hands(rules: &Rules) -> [(Category, u64); Category::ALL.len()] {
    let side_bet = SideBet::new(Paytable::default(), rules);
    let deck = if rules.joker.cards() == 53 { CardSet::DECK_53 } else { CardSet::DECK_52 };
    let mut counts = Category::ALL.map(|category| (category, 0));
    for_each_subset(deck, Hand::CARDS, |cards| {
        let hand = Hand::new(cards).expect("the subset has five distinct cards");
        counts[side_bet.category(hand) as usize].1 += 1;
    });
    counts
}

/// Computes a paytable's return from the counts returned by [`poker_hands`].
pub fn side_bet_return(paytable: &Paytable, counts: &[(Category, u64)]) -> PaytableReturn<PokerBet> {
    let hands = |category| counts.iter().filter(|(other, _)| *other == category).map(|(_, hands)| hands).sum();
    let rows: Vec<_> = paytable.rows().iter().map(|row| (*row, hands(row.hand))).collect();
    let all: u64 = counts.iter().map(|(_, hands)| hands).sum();
    let losing = all - rows.iter().map(|(_, hands)| hands).sum::<u64>();
    PaytableReturn { rows, losing }
}

/// Returns the player's EV per unit staked, assuming the bet is settled no matter what the player does.
pub fn side_bet_ev(found: &PaytableReturn<PokerBet>) -> Ratio {
    Ratio::new(found.net().into(), found.hands().into())
}
