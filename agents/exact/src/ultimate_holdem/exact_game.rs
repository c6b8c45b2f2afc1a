//! Ultimate Texas Hold'em under a set of rules.

use super::{Cancelled, Optimum, Simple, Strategy, Totals, Whole};
use crate::Ratio;
use crate::solver::{Control, SolverConfig, SolverError};
use houseway_env::cards::CardSet;
use houseway_env::ultimate_holdem::{Game, Rules};

/// A strategy of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Player {
    /// The optimal one.
    Optimal,
    /// The published simple one.
    Simple,
}

/// The game under its rules, with the options of its solver.
pub(super) struct ExactGame {
    pub(super) game: Game,
    /// Antes staked on Trips.
    pub(super) trips: u32,
    pub(super) player: Player,
    pub(super) board: CardSet,
}

/// Results of a strategy over all deals.
pub(super) struct Solved {
    pub(super) totals: Totals,
    /// EV of the optimum less that of the strategy.
    pub(super) regret: Ratio,
}

impl From<Cancelled> for SolverError {
    fn from(_: Cancelled) -> SolverError {
        SolverError::Cancelled
    }
}

impl Player {
    /// The name of the option.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Player::Optimal => "optimal",
            Player::Simple => "simple",
        }
    }

    fn parse(name: &str) -> Result<Player, SolverError> {
        let all = [Player::Optimal, Player::Simple];
        all.into_iter()
            .find(|player| player.name() == name)
            .ok_or_else(|| SolverError::Invalid(format!("there is no strategy '{name}'; choose 'optimal' or 'simple'")))
    }
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules: Rules = config.rules()?;
        Ok(ExactGame {
            game: Game::new(rules),
            trips: config.integer("trips"),
            player: config.get("player").map_or(Ok(Player::Optimal), Player::parse)?,
            board: config.get("board").unwrap_or_default().parse().map_err(SolverError::invalid)?,
        })
    }

    /// Enumerates all deals.
    pub(super) fn solved(&self, control: &Control<'_>) -> Result<Solved, SolverError> {
        let optimum = self.totals(&Optimum, control)?;
        let best = optimum.ev;
        let totals = match self.player {
            Player::Optimal => optimum,
            Player::Simple => self.totals(&Simple::new(&self.game), control)?,
        };
        Ok(Solved { regret: best - totals.ev, totals })
    }

    fn totals(&self, strategy: &impl Strategy, control: &Control<'_>) -> Result<Totals, SolverError> {
        let progress = control.stage("enumerating", "boards");
        Ok(Whole::new(&self.game, self.trips).count(strategy, Some(&progress), control.cancel)?)
    }
}
