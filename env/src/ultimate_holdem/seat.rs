//! The state of one player's hand.

use super::{Deal, Game, PreflopPlay};

crate::named_enum! {
    /// Stage of a hand.
    #[derive(PartialOrd, Ord)]
    pub enum Stage: kebab_case {
        /// Two cards and no board.
        Start,
        /// Three board cards.
        Flop,
        /// All five board cards.
        River,
        /// The hand is decided.
        Over,
    }
}

impl Stage {
    /// Returns the number of board cards that the player sees; all five when the hand is over.
    pub const fn board_cards(self) -> usize {
        match self {
            Stage::Start => 0,
            Stage::Flop => 3,
            Stage::River | Stage::Over => 5,
        }
    }
}

crate::named_enum! {
    /// Action of a player, numbered in this order.
    pub enum Action: kebab_case {
        /// Checks.
        Check,
        /// Folds and loses Ante and Blind.
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
    /// Returns the number of the action.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the number of antes staked on Play.
    const fn antes(self) -> u8 {
        match self {
            Action::Check | Action::Fold => 0,
            _ => self as u8 - 1,
        }
    }
}

/// The state of a player's hand without its cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BettingState {
    stage: Stage,
    play: u8,
    folded: bool,
}

impl Default for BettingState {
    fn default() -> BettingState {
        BettingState { stage: Stage::Start, play: 0, folded: false }
    }
}

impl BettingState {
    /// Returns the stage of the hand.
    #[inline]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns the number of antes staked on Play.
    #[inline]
    pub fn play(&self) -> i32 {
        self.play.into()
    }

    /// Returns `true` if the player folded.
    #[inline]
    pub fn folded(&self) -> bool {
        self.folded
    }

    /// Returns `true` if an action is legal now.
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

    /// Plays a legal action.
    #[inline]
    pub(super) fn act(&mut self, action: Action) {
        self.play = action.antes();
        self.folded = action == Action::Fold;
        self.stage = match (action, self.stage) {
            (Action::Check, Stage::Start) => Stage::Flop,
            (Action::Check, _) => Stage::River,
            _ => Stage::Over,
        };
    }

    /// Returns the reason why an action is illegal.
    pub(super) fn refusal(&self, action: Action) -> String {
        let reason = match self.stage {
            Stage::Start => "before the flop a player checks, or plays what the rules allow",
            Stage::Flop => "on the flop a player checks or plays two antes",
            _ => "on the river a player folds or plays one ante",
        };
        format!("{} is not possible: {reason}", action.name())
    }

    /// Returns the combined net result of Ante, Blind and Play in half antes, once the hand is over.
    #[inline]
    pub fn net(&self, game: &Game, deal: &Deal) -> i32 {
        if self.folded {
            return Game::FOLD;
        }
        let board = deal.board(5);
        let [mine, dealers] = [deal.hole(), deal.dealer()].map(|hole| game.best().of(board.union(hole.set())));
        game.showdown(game.end(mine, dealers), game.best().category(mine), self.play())
    }

    /// Returns the net result of a Trips bet of one ante in half antes, once the hand is over.
    #[inline]
    pub fn trips(&self, game: &Game, deal: &Deal) -> i32 {
        let hand = game.best().category(game.best().of(deal.board(5).union(deal.hole().set())));
        if self.folded { game.trips_after_fold(hand) } else { game.trips(hand) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;
    use crate::ultimate_holdem::Rules;

    #[test]
    fn ante_and_blind_do_not_depend_on_the_play() {
        let (game, mut rng) = (Game::new(Rules::default()), stream(3.into()));
        let plans: [&[Action]; 3] =
            [&[Action::Play4], &[Action::Check, Action::Play2], &[Action::Check, Action::Check, Action::Play1]];
        for _ in 0..500 {
            let deal = Deal::new(&mut rng);
            for plan in plans {
                let mut seat = BettingState::default();
                for &action in plan {
                    assert!(seat.is_legal(PreflopPlay::Four, action) && seat.stage() != Stage::Over);
                    seat.act(action);
                }
                let play = seat.play();
                let [more, less] = [seat, BettingState { play: 0, ..seat }].map(|seat| seat.net(&game, &deal));
                // Play is entirely won, returned or lost.
                assert!([-2, 0, 2].contains(&((more - less) / play)) && less >= -4);
            }
            let folded = BettingState { stage: Stage::Over, play: 0, folded: true };
            assert_eq!(folded.net(&game, &deal), Game::FOLD);
        }
    }

    #[test]
    fn illegal_actions_are_named() {
        let seat = BettingState::default();
        for action in [Action::Fold, Action::Play1, Action::Play2, Action::Play3] {
            assert!(!seat.is_legal(PreflopPlay::Four, action) && seat.refusal(action).contains(action.name()));
        }
    }
}
