//! The hand of one player in play, and several of them on one board.

use super::{Deal, Game, PreflopPlay};
use crate::gym::EnvError;
use std::sync::Arc;

crate::named_enum! {
    /// Stage of a hand.
    #[derive(PartialOrd, Ord)]
    pub enum Stage: kebab_case {
        /// Two cards, no board.
        Start,
        /// Three board cards.
        Flop,
        /// The whole board.
        River,
        /// Decided.
        Over,
    }
}

impl Stage {
    /// Number of board cards that the player sees; all when the hand is over.
    pub const fn board_cards(self) -> usize {
        match self {
            Stage::Start => 0,
            Stage::Flop => 3,
            Stage::River | Stage::Over => 5,
        }
    }
}

crate::named_enum! {
    /// Action of a player. Its number is its place here.
    pub enum Action: kebab_case {
        /// Waits for more cards.
        Check,
        /// Gives Ante and Blind up.
        Fold,
        /// Plays one ante.
        Play1,
        /// Plays two antes.
        Play2,
        /// Plays three antes.
        Play3,
        /// Plays four antes.
        Play4,
    }
}

impl Action {
    /// The number.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Antes staked on Play.
    const fn antes(self) -> u8 {
        match self {
            Action::Check | Action::Fold => 0,
            _ => self as u8 - 1,
        }
    }
}

/// The state of one player's hand, cards aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    stage: Stage,
    play: u8,
    folded: bool,
}

impl Default for Seat {
    fn default() -> Seat {
        Seat { stage: Stage::Start, play: 0, folded: false }
    }
}

impl Seat {
    /// Where the hand stands.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Antes staked on Play.
    pub fn play(&self) -> i32 {
        self.play.into()
    }

    /// Whether the player folded.
    pub fn folded(&self) -> bool {
        self.folded
    }

    /// Whether an action is legal now.
    #[inline]
    pub fn is_legal(&self, preflop: PreflopPlay, action: Action) -> bool {
        match (self.stage, action) {
            (Stage::Start | Stage::Flop, Action::Check) | (Stage::Flop, Action::Play2) => true,
            (Stage::Start, Action::Play3) => preflop != PreflopPlay::Four,
            (Stage::Start, Action::Play4) => preflop != PreflopPlay::Three,
            (Stage::River, Action::Fold | Action::Play1) => true,
            _ => false,
        }
    }

    /// Does a legal action.
    pub(super) fn act(&mut self, action: Action) {
        self.play = action.antes();
        self.folded = action == Action::Fold;
        self.stage = match (action, self.stage) {
            (Action::Check, Stage::Start) => Stage::Flop,
            (Action::Check, _) => Stage::River,
            _ => Stage::Over,
        };
    }

    /// What Ante, Blind and Play win together in half antes, once the hand is over.
    pub fn net(&self, game: &Game, deal: &Deal, seat: usize) -> i32 {
        if self.folded {
            return Game::FOLD;
        }
        let board = deal.board(5);
        let [mine, dealers] = [deal.hole(seat), deal.dealer()].map(|hole| game.best().of(board.union(hole.set())));
        game.showdown(game.end(mine, dealers), game.best().category(mine), self.play())
    }

    /// What a Trips bet of one ante wins in half antes, once the hand is over.
    pub fn trips(&self, game: &Game, deal: &Deal, seat: usize) -> i32 {
        let hand = game.best().category(game.best().of(deal.board(5).union(deal.hole(seat).set())));
        if self.folded { game.trips_after_fold(hand) } else { game.trips(hand) }
    }
}

/// Several players on one board, each against the same dealer's hand and for himself.
#[derive(Clone)]
pub struct Table {
    game: Arc<Game>,
    deal: Deal,
    seats: Vec<Seat>,
}

impl Table {
    /// A round that was dealt.
    pub fn new(game: Arc<Game>, deal: Deal) -> Table {
        Table { game, seats: vec![Seat::default(); deal.seats()], deal }
    }

    /// The cards.
    pub fn deal(&self) -> &Deal {
        &self.deal
    }

    /// The seats, in order.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// Does an action at a seat.
    ///
    /// # Errors
    /// [`EnvError::EpisodeOver`] if its hand is over, [`EnvError::IllegalAction`] if there is no such seat or the action is
    /// not legal there now.
    pub fn act(&mut self, seat: usize, action: Action) -> Result<(), EnvError> {
        let illegal = |reason| EnvError::IllegalAction { action: action.index(), reason };
        let preflop = self.game.rules().preflop_play;
        let seats = self.seats.len();
        let seat = self.seats.get_mut(seat).ok_or_else(|| illegal(format!("there are {seats} seats, from 0")))?;
        match seat.stage {
            Stage::Over => Err(EnvError::EpisodeOver),
            _ if seat.is_legal(preflop, action) => {
                seat.act(action);
                Ok(())
            }
            stage => Err(illegal(no_such_action(action, stage))),
        }
    }

    /// What each seat's Ante, Blind and Play win, in half antes; none for hands that are not over.
    pub fn nets(&self) -> Vec<Option<i32>> {
        let net = |(i, seat): (usize, &Seat)| (seat.stage == Stage::Over).then(|| seat.net(&self.game, &self.deal, i));
        self.seats.iter().enumerate().map(net).collect()
    }
}

/// Why an action is not legal.
pub(super) fn no_such_action(action: Action, stage: Stage) -> String {
    let reason = match stage {
        Stage::Start => "before the flop a player checks, or plays what the rules allow",
        Stage::Flop => "on the flop a player checks or plays two antes",
        _ => "on the river a player folds or plays one ante",
    };
    format!("{} is not possible: {reason}", action.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;
    use crate::ultimate_holdem::{Rules, SEATS};

    #[test]
    fn seats_of_a_table_are_settled_one_by_one() {
        let game = Arc::new(Game::new(Rules::default()));
        let mut rng = stream(3.into());
        let plans: [&[Action]; SEATS] = [
            &[Action::Play4],
            &[Action::Check, Action::Play2],
            &[Action::Check, Action::Check, Action::Play1],
            &[Action::Check, Action::Check, Action::Fold],
            &[Action::Check],
            &[],
        ];
        for _ in 0..500 {
            let deal = Deal::new(&mut rng, SEATS);
            let mut table = Table::new(Arc::clone(&game), deal);
            for (seat, plan) in plans.iter().enumerate() {
                plan.iter().for_each(|&action| table.act(seat, action).unwrap());
            }
            let nets = table.nets();
            assert_eq!((nets[3], nets[4], nets[5]), (Some(Game::FOLD), None, None));
            for seat in 0..3 {
                // Ante and Blind do not depend on the play; the play is won, returned or lost in whole.
                let play = [4, 2, 1][seat];
                let [more, less] = [play, 0].map(|play| {
                    let mut seat_alone = Seat { stage: Stage::Over, play, folded: false };
                    seat_alone.stage = Stage::Over;
                    seat_alone.net(&game, &deal, seat)
                });
                assert_eq!(nets[seat], Some(more));
                assert!([-2, 0, 2].contains(&((more - less) / i32::from(play))) && less >= -4);
            }
        }
    }

    #[test]
    fn illegal_actions_are_refused() {
        let game = Arc::new(Game::new(Rules::default()));
        let mut table = Table::new(Arc::clone(&game), Deal::new(&mut stream(3.into()), 2));
        for action in [Action::Fold, Action::Play1, Action::Play2, Action::Play3] {
            let error = table.act(0, action).unwrap_err().to_string();
            assert!(error.contains(action.name()), "{error}");
        }
        table.act(0, Action::Play4).unwrap();
        assert_eq!(table.act(0, Action::Check), Err(EnvError::EpisodeOver));
        assert!(table.act(2, Action::Check).unwrap_err().to_string().contains("2 seats"));
    }
}
