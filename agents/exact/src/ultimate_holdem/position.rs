//! Decisions given two cards and the visible board.

use super::showdown::Pays;
use super::start::start_values;
use super::whole::{ProgressFn, preflop_plays};
use super::{ANTE, DEALER_HANDS, Ends, Moments};
use crate::Ratio;
use crate::solver::Cancelled;
use houseway_env::cards::key::Key;
use houseway_env::cards::{Card, CardError, CardSet};
use houseway_env::ultimate_holdem::{Game, Hole};
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;

/// Two cards and a board of zero, three or five cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    hole: Hole,
    board: CardSet,
}

/// An error in the cards of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The board contains a joker.
    #[error(transparent)]
    Card(#[from] CardError),
    /// No decision is made with this number of board cards.
    #[error("invalid board of {0} cards: expected none (before the flop), three or five")]
    Cards(usize),
    /// A card is both in the hand and on the board.
    #[error("{0} is in the hand and on the board")]
    Twice(Card),
}

/// The actions in a position with their exact EVs in antes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The stage: `start`, `flop` or `river`.
    pub stage: &'static str,
    /// Names and EVs of the actions in ascending order of their wager: `check` or `fold`, `play1`, `play2`, `play3`,
    /// `play4`.
    pub actions: Vec<(&'static str, Ratio)>,
}

impl Choice {
    /// Returns the best action. Ties go to the smaller wager.
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
    /// Creates a position.
    ///
    /// # Errors
    /// Returns an error if the board does not have zero, three or five cards, or if it contains a joker or a card of
    /// the hand.
    pub fn new(hole: Hole, board: CardSet) -> Result<Position, PositionError> {
        if let Some(card) = board.iter().find(|card| card.is_joker()) {
            return Err(CardError::NotInDeck { card }.into());
        }
        if let Some(card) = board.intersection(hole.set()).iter().next() {
            return Err(PositionError::Twice(card));
        }
        match board.len() {
            0 | 3 | 5 => Ok(Position { hole, board }),
            cards => Err(PositionError::Cards(cards)),
        }
    }

    /// Returns the two cards.
    pub fn hole(&self) -> Hole {
        self.hole
    }

    /// Returns the board.
    pub fn board(&self) -> CardSet {
        self.board
    }

    /// Returns the EVs of all actions, assuming optimal play afterwards. They include the result of a Trips bet of
    /// `trips` antes. Before the flop, this evaluates all deals of this kind of hand, which takes a second on one core.
    /// Later decisions take milliseconds.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if `cancel` became true before the end.
    pub fn choice(
        &self,
        game: &Game,
        trips: u32,
        progress: Option<ProgressFn<'_>>,
        cancel: Option<&AtomicBool>,
    ) -> Result<Choice, Cancelled> {
        let pays = Pays::new(game, trips);
        match self.board.len() {
            0 => {
                let values = start_values(game, &pays, self.hole, progress, cancel)?;
                let names = ["play3", "play4"];
                let plays = preflop_plays(game).iter().map(|&antes| antes as usize - 3);
                let plays = plays.map(|size| (names[size], values.plays[size]));
                Ok(Choice { stage: "start", actions: std::iter::once(("check", values.check)).chain(plays).collect() })
            }
            3 => {
                let [play, check] = self.flop(game, &pays);
                let ratio = |sum: i64| Ratio::new(sum.into(), 1_081 * i128::from(DEALER_HANDS * ANTE));
                Ok(Choice { stage: "flop", actions: vec![("check", ratio(check)), ("play2", ratio(play))] })
            }
            _ => {
                let (moments, fold) = river(game, &pays, self.hole, self.board);
                let ratio = |sum: i64| Ratio::new(sum.into(), (DEALER_HANDS * ANTE).into());
                Ok(Choice { stage: "river", actions: vec![("fold", ratio(fold)), ("play1", ratio(moments.value(1)))] })
            }
        }
    }

    /// Returns the sums over all boards for playing and for checking.
    fn flop(&self, game: &Game, pays: &Pays) -> [i64; 2] {
        let others: Vec<Card> = CardSet::DECK_52.difference(self.board).difference(self.hole.set()).iter().collect();
        let sums = (1..others.len()).into_par_iter().map(|a| {
            let mut sums = [0, 0];
            for b in 0..a {
                let board = self.board.with(others[a]).with(others[b]);
                let (moments, fold) = river(game, pays, self.hole, board);
                sums[0] += moments.value(2);
                sums[1] += moments.value(1).max(fold);
            }
            sums
        });
        sums.reduce(|| [0, 0], |a, b| [a[0] + b[0], a[1] + b[1]])
    }
}

/// Counts the results of a hand on a complete board against the 990 dealer hands.
pub(super) fn ends(game: &Game, hole: Hole, board: CardSet) -> Ends {
    let strength = |key, hole: CardSet| game.best().of_key(key, || board.union(hole));
    let on_board = Key::from_set(board);
    let mine = strength(on_board + Key::from_set(hole.set()), hole.set());
    let mut ends = Ends::default();
    let mut others = [Card::JOKER; 45];
    let left = CardSet::DECK_52.difference(board).difference(hole.set());
    others.iter_mut().zip(left.iter()).for_each(|(place, card)| *place = card);
    for (i, &high) in others.iter().enumerate() {
        let with_high = on_board + Key::from_card(high);
        for &low in &others[..i] {
            let dealer = strength(with_high + Key::from_card(low), CardSet::EMPTY.with(high).with(low));
            ends.count(game.end(mine, dealer));
        }
    }
    ends
}

/// Returns the winnings of a hand on a complete board and the sum for folding.
fn river(game: &Game, pays: &Pays, hole: Hole, board: CardSet) -> (Moments, i64) {
    let category = game.best().category(game.best().of(hole.set().union(board)));
    (pays.moments(category, &ends(game, hole, board)), pays.fold(category) * DEALER_HANDS)
}
