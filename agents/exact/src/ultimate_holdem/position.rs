//! Evaluates a player's decisions, given their two cards and the visible board.

use super::ANTE;
use super::showdown::{Pays, dealer_hands, river};
use super::start::{start_values, start_values_beside};
use super::whole::preflop_plays;
use crate::Ratio;
use crate::solver::{Cancelled, Control, DeadCards, SolverError};
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::{Card, CardError, CardSet};
use houseway_env::ultimate_holdem::{Game, Hole};
use rayon::prelude::*;

/// Two cards, a board of zero, three or five cards, and dead cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    hole: Hole,
    board: CardSet,
    dead: CardSet,
}

/// The error returned when the cards don't form a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The board contains a joker.
    #[error(transparent)]
    Card(#[from] CardError),
    /// There is no decision with this number of board cards.
    #[error("invalid board of {0} cards: expected none (before the flop), three or five")]
    Cards(usize),
    /// A card is both in the hand and on the board.
    #[error("{0} is in the hand and on the board")]
    Twice(Card),
}

/// The actions in a position, with their exact EVs in antes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The stage: `start`, `flop` or `river`.
    pub stage: &'static str,
    /// The names and EVs of the actions, in ascending order of their wager: `check` or `fold`, then `play1`, `play2`,
    /// `play3`, `play4`.
    pub actions: Vec<(&'static str, Ratio)>,
}

impl Choice {
    /// Returns the best action. The smaller wager wins ties.
    pub fn best(&self) -> (&'static str, Ratio) {
        let mut best = self.actions[0];
        for &action in &self.actions[1..] {
            if action.1 > best.1 {
                best = action;
            }
        }
        best
    }
}

impl Position {
    /// Creates a position without dead cards.
    ///
    /// # Errors
    /// Returns an error if the board doesn't have zero, three or five cards, or if it contains a joker or a card from
    /// the hand.
    pub fn new(hole: Hole, board: CardSet) -> Result<Position, PositionError> {
        if let Some(card) = board.iter().find(|card| card.is_joker()) {
            return Err(CardError::NotInDeck { card }.into());
        }
        if let Some(card) = board.intersection(hole.set()).iter().next() {
            return Err(PositionError::Twice(card));
        }
        match board.len() {
            0 | 3 | 5 => Ok(Position { hole, board, dead: CardSet::EMPTY }),
            cards => Err(PositionError::Cards(cards)),
        }
    }

    /// Returns the position with dead cards.
    ///
    /// # Errors
    /// Returns an error if a dead card is in the hand, on the board or not in the deck, or if too few cards remain for
    /// the board and the dealer.
    pub fn with_dead_cards(self, dead: DeadCards) -> Result<Position, SolverError> {
        let (known, hidden) = (self.hole.set().union(self.board), 7 - self.board.len());
        Ok(Position { dead: dead.beside(known, CardSet::DECK_52, hidden)?, ..self })
    }

    /// Returns the player's two cards.
    pub fn hole(&self) -> Hole {
        self.hole
    }

    /// Returns the board.
    pub fn board(&self) -> CardSet {
        self.board
    }

    /// Returns the EV of every action, assuming that all later decisions are optimal. EVs include the result of a Trips
    /// bet with `trips` antes. Before the flop, this takes about a second on one core, or up to ten seconds if there
    /// are dead cards. Later decisions take milliseconds.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if the evaluation was cancelled.
    pub fn choice(&self, game: &Game, trips: u32, control: &Control<'_>) -> Result<Choice, Cancelled> {
        let (pays, dealer_hands) = (Pays::new(game, trips), dealer_hands(self.dead));
        match self.board.len() {
            0 => {
                let values = if self.dead.is_empty() {
                    start_values(game, &pays, self.hole, control)?
                } else {
                    start_values_beside(game, &pays, self.hole, self.dead, control)?
                };
                let names = ["play3", "play4"];
                let plays = preflop_plays(game).iter().map(|&antes| antes as usize - 3);
                let plays = plays.map(|size| (names[size], values.plays[size]));
                Ok(Choice { stage: "start", actions: std::iter::once(("check", values.check)).chain(plays).collect() })
            }
            3 => {
                let [play, check] = self.flop(game, &pays);
                let boards = binomial(self.left().len() as u64, 2);
                let ratio = |sum: i64| Ratio::new(sum.into(), i128::from(boards) * i128::from(dealer_hands * ANTE));
                Ok(Choice { stage: "flop", actions: vec![("check", ratio(check)), ("play2", ratio(play))] })
            }
            _ => {
                let (moments, fold) = river(game, &pays, self.hole, self.board, self.dead);
                let ratio = |sum: i64| Ratio::new(sum.into(), (dealer_hands * ANTE).into());
                Ok(Choice { stage: "river", actions: vec![("fold", ratio(fold)), ("play1", ratio(moments.value(1)))] })
            }
        }
    }

    /// Returns the cards from which the rest of the board and the dealer's hand come.
    fn left(&self) -> CardSet {
        CardSet::DECK_52.difference(self.board).difference(self.hole.set()).difference(self.dead)
    }

    /// Returns the sums for playing and for checking over all boards.
    fn flop(&self, game: &Game, pays: &Pays) -> [i64; 2] {
        let others: Vec<Card> = self.left().iter().collect();
        let sums = (1..others.len()).into_par_iter().map(|a| {
            let mut sums = [0, 0];
            for b in 0..a {
                let board = self.board.with(others[a]).with(others[b]);
                let (moments, fold) = river(game, pays, self.hole, board, self.dead);
                sums[0] += moments.value(2);
                sums[1] += moments.value(1).max(fold);
            }
            sums
        });
        sums.reduce(|| [0, 0], |a, b| [a[0] + b[0], a[1] + b[1]])
    }
}
