//! The side bet: frequencies of the poker categories and the return of a paytable.

use crate::Ratio;
use houseway_env::asian_stud::{Hand, Paytable, PokerBet, Rules, SideBet};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::paytable::PaytableReturn;
use houseway_env::rank::Category;

/// Returns the number of hands in each category, weakest first, by enumeration (0.1 s).
pub fn poker_hands(rules: &Rules) -> [(Category, u64); Category::ALL.len()] {
    let side_bet = SideBet::new(Paytable::default(), rules);
    let deck = if rules.joker.cards() == 53 { CardSet::DECK_53 } else { CardSet::DECK_52 };
    let mut counts = Category::ALL.map(|category| (category, 0));
    for_each_subset(deck, Hand::CARDS, |cards| {
        let hand = Hand::new(cards).expect("five distinct cards of the pack");
        counts[side_bet.category(hand) as usize].1 += 1;
    });
    counts
}

/// Computes the return of a paytable from the counts of [`poker_hands`].
pub fn side_bet_return(paytable: &Paytable, counts: &[(Category, u64)]) -> PaytableReturn<PokerBet> {
    let hands = |category| counts.iter().filter(|(other, _)| *other == category).map(|(_, hands)| hands).sum();
    let rows: Vec<_> = paytable.rows().iter().map(|row| (*row, hands(row.hand))).collect();
    let all: u64 = counts.iter().map(|(_, hands)| hands).sum();
    let losing = all - rows.iter().map(|(_, hands)| hands).sum::<u64>();
    PaytableReturn { rows, losing }
}

/// Returns the player's EV per unit staked, if the bet is settled regardless of the player's action.
pub fn side_bet_ev(found: &PaytableReturn<PokerBet>) -> Ratio {
    Ratio::new(found.net().into(), found.hands().into())
}
