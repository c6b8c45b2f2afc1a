//! Ultimate Texas Hold'em under a set of rules.

use super::{DecisionRule, FullGame, Optimum, Simple, Totals};
use crate::Ratio;
use crate::solver::{Control, SolverConfig, SolverError};
use houseway_env::cards::CardSet;
use houseway_env::ultimate_holdem::{Game, Rules};

/// The player's strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedStrategy {
    /// The optimal strategy.
    Optimal,
    /// The published simple strategy.
    Simple,
}

/// The game under its rules, with the options of its solver.
pub(super) struct ExactGame {
    pub(super) game: Game,
    /// Number of antes staked on Trips.
    pub(super) trips: u32,
    pub(super) player: NamedStrategy,
    pub(super) board: CardSet,
}

/// Results of a strategy over all deals.
pub(super) struct Solved {
    pub(super) totals: Totals,
    /// EV of the optimum minus that of the strategy.
    pub(super) regret: Ratio,
}

impl NamedStrategy {
    /// Returns the name of the option.
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
            .ok_or_else(|| SolverError::Invalid(format!("there is no strategy '{name}'; choose 'optimal' or 'simple'")))
    }
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules: Rules = config.rules()?;
        Ok(ExactGame {
            game: Game::new(rules),
            trips: config.integer("trips"),
            player: config.get("player").map_or(Ok(NamedStrategy::Optimal), NamedStrategy::parse)?,
            board: config.get("board").unwrap_or_default().parse().map_err(SolverError::invalid)?,
        })
    }

    /// Enumerates all deals.
    pub(super) fn solved(&self, control: &Control<'_>) -> Result<Solved, SolverError> {
        let optimum = self.totals(&Optimum, control)?;
        let best = optimum.ev;
        let totals = match self.player {
            NamedStrategy::Optimal => optimum,
            NamedStrategy::Simple => self.totals(&Simple::new(&self.game), control)?,
        };
        Ok(Solved { regret: best - totals.ev, totals })
    }

    fn totals(&self, strategy: &impl DecisionRule, control: &Control<'_>) -> Result<Totals, SolverError> {
        let progress = control.stage("enumerating", "boards");
        Ok(FullGame::new(&self.game, self.trips).count(strategy, Some(&progress), control.cancel)?)
    }
}
