//! The state of the player's wagers during a hand.

use super::{Deal, Game, PreflopPlay};

crate::named_enum! {
    /// A stage of a hand.
    #[derive(PartialOrd, Ord)]
    pub enum Stage: kebab_case {
        /// The player has two cards, and there is no board.
        Start,
        /// Three board cards are shown.
        Flop,
        /// All five board cards are shown.
        River,
        /// The hand is over.
        Over,
    }
}

impl Stage {
    /// Returns the number of board cards that the player sees. All five are shown when the hand is over.
    pub const fn board_cards(self) -> usize {
        match self {
            Stage::Start => 0,
            Stage::Flop => 3,
            Stage::River | Stage::Over => 5,
        }
    }
}

crate::named_enum! {
    /// An action of the player. The order determines the indices.
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
    /// Returns the index of the action.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the number of antes that the action stakes on Play, or 0 for checking and folding.
    const fn antes(self) -> u8 {
        match self {
            Action::Check | Action::Fold => 0,
            _ => self as u8 - 1,
        }
    }
}

/// The state of the player's wagers in a hand, without any cards.
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

    /// Returns `true` if an action is legal at this stage.
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

    /// Performs a legal action.
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
            Stage::Start => "before the flop, the player can check or play as many antes as the rules allow",
            Stage::Flop => "on the flop, the player can check or play two antes",
            _ => "on the river, the player can fold or play one ante",
        };
        format!("{} is not possible: {reason}", action.name())
    }

    /// Returns the combined net result of the Ante, the Blind and Play once the hand is over, in half antes.
    #[inline]
    pub fn net(&self, game: &Game, deal: &Deal) -> i32 {
        if self.folded {
            return Game::FOLD;
        }
        let board = deal.board(5);
        let [mine, dealers] = [deal.hole(), deal.dealer()].map(|hole| game.best().of(board.union(hole.set())));
        game.showdown(game.end(mine, dealers), game.best().category(mine), self.play())
    }

    /// Returns the net result of a Trips bet of one ante once the hand is over, in half antes.
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
                // The Play wager is won, returned or lost in full.
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
