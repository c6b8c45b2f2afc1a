//! The sides of the table.

use houseway_env::pai_gow::Copies;

/// The side of the table whose hands are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The player's hands against a banker's strategy.
    Player,
    /// The banker's hands against a player's strategy.
    Banker,
}

/// The effect of a tied back or front for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The side loses the comparison.
    Lost,
    /// The side wins the comparison.
    Won,
    /// The comparison doesn't count, so the result depends only on the other half.
    Pushed,
}

impl Side {
    /// Returns the effect of copies for this side under a game's rules.
    pub const fn ties(self, copies: Copies) -> Ties {
        match (self, copies) {
            (_, Copies::Pushed) => Ties::Pushed,
            (Side::Player, Copies::Player) | (Side::Banker, Copies::Banker) => Ties::Won,
            (Side::Player, Copies::Banker) | (Side::Banker, Copies::Player) => Ties::Lost,
        }
    }
}
