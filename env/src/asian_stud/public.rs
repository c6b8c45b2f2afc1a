//! The view of a player at a table of Asian Stud.

use super::{AsianStudOptions, FOLD, Game, Hand, Points, RAISE, State, UNIT, Value};
use crate::cards::{Card, CardSet};
use crate::gym::{Comparison, Payout, PublicAction, PublicBet, PublicPart, PublicSeat, PublicTable};

impl Game {
    pub(super) fn bets(&self, options: &AsianStudOptions, raise: f64) -> Vec<PublicBet> {
        let AsianStudOptions { ante, side_stake, .. } = *options;
        let raise = PublicBet { name: "Raise".to_owned(), stake: raise, ..PublicBet::default() };
        vec![
            PublicBet::placed("Ante", "ante", ante, vec![]),
            raise,
            PublicBet::placed("Side bet", "side-stake", side_stake, Payout::rows(self.side_bet().paytable())),
        ]
    }

    /// Returns the three cards that form a set and the other two. Without a set, returns all cards.
    fn public_hand(&self, hand: Hand) -> Vec<PublicPart> {
        let value = self.value(hand);
        let cards: Vec<Card> = hand.set().iter().collect();
        let pairs = (0..cards.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let jokers = if hand.set().contains(Card::JOKER) { self.rules().joker.choices() } else { &[0] };
        let found = pairs.into_iter().find_map(|(a, b)| {
            let two = [cards[a], cards[b]];
            jokers.iter().find(|&&joker| is_split(&cards, two, joker, value)).map(|_| two)
        });
        let Some(two) = found.filter(|_| value.is_set()) else {
            return vec![PublicPart::new("cards", hand).ranked("no set".to_owned())];
        };
        let two: CardSet = two.into_iter().collect();
        vec![
            PublicPart::new("set", hand.set().difference(two)),
            PublicPart::new("value", two).ranked(value.to_string()),
        ]
    }

    pub(super) fn table(&self, state: &State) -> PublicTable {
        let (options, ante) = (&state.options, state.options.ante);
        let mut own = self.public_hand(state.player());
        let mut dealers = vec![PublicPart::hidden("cards", Hand::CARDS)];
        let (mut bets, mut outcome, mut actions, mut notes) = (self.bets(options, 0.0), None, vec![], vec![]);
        if let Some((action, net)) = state.last {
            dealers = self.public_hand(state.dealer());
            let [mine, theirs] = [state.player(), state.dealer()].map(|hand| self.value(hand));
            let mut nets = [-1.0, 0.0].map(|part| part * ante);
            if action == FOLD {
                outcome = Some("fold".to_owned());
            } else {
                bets[1].stake = ante;
                nets = self.raised_parts(mine, theirs).map(|part| ante * part as f64 / UNIT as f64);
                if theirs.is_set() {
                    let result = Comparison::new(mine.cmp(&theirs), false);
                    own.iter_mut().rev().take(1).for_each(|part| part.result = Some(result));
                    dealers.iter_mut().rev().take(1).for_each(|part| part.result = Some(result.reversed()));
                } else {
                    notes.push("The dealer has no set: the ante wins, and the raise is returned.".to_owned());
                }
            }
            let nets = [nets[0], nets[1], net - nets[0] - nets[1]];
            bets = bets.into_iter().zip(nets).map(|(bet, net)| bet.settled(net)).collect();
        } else {
            let named = |action, words: &str, price| PublicAction { action, words: words.to_owned(), price };
            actions = vec![named(FOLD, "Fold", 0.0), named(RAISE, "Raise", ante)];
        }
        let name = if options.players == 1 { "you".to_owned() } else { format!("player {}", state.seat + 1) };
        let dealer = PublicSeat { hand: dealers, ..PublicSeat::banker("dealer") };
        let own = PublicSeat { name, hand: own, outcome, ..PublicSeat::own() };
        PublicTable { notes, seats: vec![dealer, own], bets, actions, ..PublicTable::default() }
    }
}

/// Returns `true` if the hand has this value with the two cards outside the set and a joker worth `joker` points.
fn is_split(cards: &[Card], two: [Card; 2], joker: u8, value: Value) -> bool {
    let points = |card: &Card| match Points::from_card(*card) {
        Points::JOKER => joker,
        points => points.index() as u8 + 1,
    };
    let total = |cards: &mut dyn Iterator<Item = &Card>| cards.map(points).sum::<u8>();
    let pair = total(&mut two.iter());
    let three = total(&mut cards.iter().filter(|card| !two.contains(card)));
    three % 10 == 0 && (pair + 9) % 10 + 1 == value.index() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asian_stud::{JokerPoints, Rules};
    use crate::cards::Pack;

    #[test]
    fn sets_are_found_for_every_joker() {
        let mut rng = crate::gym::stream(9.into());
        for joker in JokerPoints::ALL {
            let game = Game::new(Rules { joker, ..Rules::default() });
            for _ in 0..2_000 {
                let hand = Hand::from_drawn(Pack::new(joker.cards()).draw(&mut rng).unwrap());
                let (parts, value) = (game.public_hand(hand), game.value(hand));
                assert_eq!(parts.len() == 2, value.is_set(), "{hand}");
                assert_eq!(parts.last().unwrap().rank, value.to_string());
                let cards = parts.iter().flat_map(|part| part.cards.split(' ')).count();
                assert_eq!(cards, Hand::CARDS);
            }
        }
    }
}
