//! The view of a player at a table of Pai Gow with tiles.

use super::{Bank, Game, Half, Hand, State, TilesOptions};
use crate::gym::{Comparison, Payout, PublicAction, PublicBet, PublicPart, PublicSeat, PublicTable};
use crate::pai_gow::Outcome;

/// Returns the name of a half in words.
fn words(half: Half) -> String {
    match half.points() {
        points if half.is_high_nine() || points > 9 => half.to_string(),
        1 => "1 point".to_owned(),
        points => format!("{points} points"),
    }
}

impl Game {
    pub(super) fn bets(&self, options: &TilesOptions) -> Vec<PublicBet> {
        let odds = self.net(Outcome::Win) as f64 / self.unit() as f64;
        vec![PublicBet::placed("Stake", "stake", options.stake, Payout::only((odds * 1e4).round() / 1e4))]
    }

    /// Returns the low and the high half of a set hand.
    fn halves(&self, hand: Hand, setting: usize) -> Vec<PublicPart> {
        let ([low, high], set) = (self.faces(hand, setting), self.set(hand, setting));
        vec![PublicPart::new("low", low).ranked(words(set.low)), PublicPart::new("high", high).ranked(words(set.high))]
    }

    pub(super) fn table(&self, state: &State) -> PublicTable {
        let (player, house) = (state.player(), state.house());
        let is_own_bank = self.rules().bank == Bank::Player;
        let mut seats = [
            PublicSeat { name: "house".to_owned(), is_banker: !is_own_bank, ..PublicSeat::default() },
            PublicSeat {
                seat: 1,
                name: "you".to_owned(),
                is_own: true,
                is_banker: is_own_bank,
                ..PublicSeat::default()
            },
        ];
        let mut bets = self.bets(state.options());
        let mut actions = vec![];
        if let Some(setting) = state.setting() {
            let theirs = self.house_choice(house).setting;
            let (mut own, mut others) = (self.halves(player, setting), self.halves(house, theirs));
            let [mine, their] = [self.set(player, setting), self.set(house, theirs)];
            let pairs = [(mine.low, their.low), (mine.high, their.high)];
            for ((part, other), (half, against)) in own.iter_mut().zip(&mut others).zip(pairs) {
                let result = Comparison::new(self.won(half, against), half == against);
                (part.result, other.result) = (Some(result), Some(result.reversed()));
            }
            let outcome = self.outcome(mine, their);
            (seats[0].hand, seats[1].hand) = (others, own);
            seats[1].outcome = Some(outcome.to_string());
            bets[0].net = Some(self.reward(state, outcome));
        } else {
            seats[0].hand = vec![PublicPart::hidden("tiles", Hand::TILES)];
            seats[1].hand = vec![PublicPart::new("tiles", player)];
            let described = |setting: usize| {
                let halves = self.halves(player, setting);
                halves.iter().map(|half| format!("{} {}: {}", half.name, half.cards, half.rank)).collect::<Vec<_>>()
            };
            let action = |action: usize| PublicAction { action, words: described(action).join(" · "), price: 0.0 };
            actions = (0..Hand::SETTINGS).map(action).collect();
        }
        PublicTable { seats: seats.into(), bets, actions, ..PublicTable::default() }
    }
}
