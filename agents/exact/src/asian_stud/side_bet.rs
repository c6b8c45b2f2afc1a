//! The side bet: how many hands are what in poker.

use houseway_env::asian_stud::{Hand, PayRow, Paytable, Rules, SideBet};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::rank::Category;

/// What a paytable returns over all hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideBetReturn {
    /// Each row with the number of hands that it pays.
    pub rows: Vec<(PayRow, u64)>,
    /// All hands.
    pub hands: u64,
}

impl SideBetReturn {
    /// The player's result over all hands for a stake of one each.
    pub fn net(&self) -> i64 {
        let paid: u64 = self.rows.iter().map(|(_, hands)| hands).sum();
        let won: u64 = self.rows.iter().map(|(row, hands)| u64::from(row.odds.units(1)) * hands).sum();
        won as i64 - (self.hands - paid) as i64
    }

    /// The player's expectation per unit staked, if the bet is settled whatever he does.
    pub fn ev(&self) -> crate::Ratio {
        crate::Ratio::new(self.net().into(), self.hands.into())
    }
}

/// How many of the hands of the pack are of each category, weakest first, by counting them all (a tenth of a second).
pub fn poker_hands(rules: &Rules) -> [(Category, u64); Category::ALL.len()] {
    let side_bet = SideBet::new(Paytable::default(), rules);
    let deck = if rules.joker.cards() == 53 { CardSet::DECK_53 } else { CardSet::DECK_52 };
    let mut counts = Category::ALL.map(|category| (category, 0));
    for_each_subset(deck, Hand::CARDS, |cards| {
        let hand = Hand::new(cards).expect("five cards of the pack are a hand");
        counts[side_bet.category(hand) as usize].1 += 1;
    });
    counts
}

/// What a paytable returns, from the counts of [`poker_hands`].
pub fn side_bet_return(paytable: &Paytable, counts: &[(Category, u64)], rules: &Rules) -> SideBetReturn {
    let hands = |category| counts.iter().filter(|(other, _)| *other == category).map(|(_, hands)| hands).sum();
    let rows = paytable.rows().iter().map(|row| (*row, hands(row.hand))).collect();
    SideBetReturn { rows, hands: binomial(rules.joker.cards() as u64, 5) }
}
