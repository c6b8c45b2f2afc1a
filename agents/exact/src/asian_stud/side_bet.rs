//! Side bet: number of hands in each poker category, and the return of a paytable.

use houseway_env::asian_stud::{Hand, PayRow, Paytable, Rules, SideBet};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::rank::Category;

/// Return of a paytable over all hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideBetReturn {
    /// Rows with the number of hands that they pay.
    pub rows: Vec<(PayRow, u64)>,
    /// Total number of hands.
    pub hands: u64,
}

impl SideBetReturn {
    /// Returns the player's net result over all hands, for a stake of one each.
    pub fn net(&self) -> i64 {
        let paid: u64 = self.rows.iter().map(|(_, hands)| hands).sum();
        let won: u64 = self.rows.iter().map(|(row, hands)| u64::from(row.odds.units(1)) * hands).sum();
        won as i64 - (self.hands - paid) as i64
    }

    /// Returns the player's EV per unit staked, if the bet is settled regardless of the player's action.
    pub fn ev(&self) -> crate::Ratio {
        crate::Ratio::new(self.net().into(), self.hands.into())
    }
}

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
pub fn side_bet_return(paytable: &Paytable, counts: &[(Category, u64)], rules: &Rules) -> SideBetReturn {
    let hands = |category| counts.iter().filter(|(other, _)| *other == category).map(|(_, hands)| hands).sum();
    let rows = paytable.rows().iter().map(|row| (*row, hands(row.hand))).collect();
    SideBetReturn { rows, hands: binomial(rules.joker.cards() as u64, 5) }
}
