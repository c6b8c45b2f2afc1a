//! Sides of the table.

use houseway_env::pai_gow::Copies;

/// The side of the table whose hands are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The player's hands against a banker's strategy.
    Player,
    /// The banker's hands against a player's strategy.
    Banker,
}

/// The effect on one side of a tie between backs or fronts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The comparison is lost.
    Lost,
    /// The comparison is won.
    Won,
    /// The comparison is void, so the other half decides.
    Pushed,
}

impl Side {
    /// Returns the effect of copies for this side under the rules of a game.
    pub const fn ties(self, copies: Copies) -> Ties {
        match (self, copies) {
            (_, Copies::Pushed) => Ties::Pushed,
            (Side::Player, Copies::Player) | (Side::Banker, Copies::Banker) => Ties::Won,
            (Side::Player, Copies::Banker) | (Side::Banker, Copies::Player) => Ties::Lost,
        }
    }
}
