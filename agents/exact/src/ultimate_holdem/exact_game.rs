//! Ultimate Texas Hold'em with a fixed set of rules.

use super::{DecisionRule, FullGame, Optimum, Simple, Totals};
use crate::Ratio;
use crate::solver::{Control, DeadCards, SolverConfig, SolverError};
use houseway_env::cards::CardSet;
use houseway_env::ultimate_holdem::{Game, Rules};
use std::sync::OnceLock;

/// The player's strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedStrategy {
    /// The optimal strategy.
    Optimal,
    /// The published simple strategy.
    Simple,
}

/// The game and the options of its solver.
pub(super) struct ExactGame {
    pub(super) game: Game,
    /// The number of antes staked on Trips.
    pub(super) trips: u32,
    pub(super) player: NamedStrategy,
    pub(super) board: CardSet,
    pub(super) dead: DeadCards,
    /// The result of [`ExactGame::solved`], for later calls.
    solved: OnceLock<Solved>,
}

/// The results of a strategy over all deals.
pub(super) struct Solved {
    pub(super) totals: Totals,
    /// The EV of the optimum minus the strategy's EV.
    pub(super) regret: Ratio,
}

impl NamedStrategy {
    /// Returns the option's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            NamedStrategy::Optimal => "optimal",
            NamedStrategy::Simple => "simple",
        }
    }

    fn parse(name: &str) -> Result<NamedStrategy, SolverError> {
        let all = [NamedStrategy::Optimal, NamedStrategy::Simple];
        all.into_iter()
            .find(|player| player.name() == name)
            .ok_or_else(|| SolverError::Invalid(format!("invalid strategy '{name}': expected 'optimal' or 'simple'")))
    }
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules: Rules = config.rules()?;
        Ok(ExactGame {
            game: Game::new(rules),
            trips: config.integer("trips"),
            player: config.get("player").map_or(Ok(NamedStrategy::Optimal), NamedStrategy::parse)?,
            dead: DeadCards::from_config(config)?,
            board: config.get("board").unwrap_or_default().parse().map_err(SolverError::invalid)?,
            solved: OnceLock::new(),
        })
    }

    /// Enumerates all deals, unless an earlier call already has.
    pub(super) fn solved(&self, control: &Control<'_>) -> Result<&Solved, SolverError> {
        if let Some(solved) = self.solved.get() {
            return Ok(solved);
        }
        let optimum = self.totals(&Optimum, control)?;
        let best = optimum.ev;
        let totals = match self.player {
            NamedStrategy::Optimal => optimum,
            NamedStrategy::Simple => self.totals(&Simple::new(&self.game), control)?,
        };
        Ok(self.solved.get_or_init(|| Solved { regret: best - totals.ev, totals }))
    }

    fn totals(&self, strategy: &impl DecisionRule, control: &Control<'_>) -> Result<Totals, SolverError> {
        let progress = control.stage("enumerating", "boards");
        Ok(FullGame::new(&self.game, self.trips).count(strategy, Some(&progress), control.cancel)?)
    }
}
