//! Pai Gow Poker with a fixed set of rules.

use super::matchup::BankedBy;
use super::random::RANDOM;
use super::strategies::{NamedStrategy, WAY_PREFIX, load_strategies};
use super::tabulated::Tabulated;
use super::whole::Run;
use crate::Ratio;
use crate::solver::{Control, SolverConfig, SolverError};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Paytable, Rules, SideBet};
use std::sync::{Arc, OnceLock};

/// The game and the options of its solver.
pub(super) struct ExactGame {
    pub(super) game: Game,
    pub(super) config: SolverConfig,
    /// The EV of the side bet per unit staked, once it has been computed.
    side_bet: OnceLock<Ratio>,
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let assignments = config.assignments.iter().map(String::as_str);
        let rules: Rules = config.rules_with(assignments.filter(|text| !text.trim_start().starts_with(WAY_PREFIX)))?;
        Ok(ExactGame { game: Game::new(rules), config: config.clone(), side_bet: OnceLock::new() })
    }

    /// Returns the EV of the side bet with the default paytable before the deal, per unit staked.
    pub(super) fn side_bet_ev(&self) -> Ratio {
        *self.side_bet.get_or_init(|| {
            let found = SideBet::new(Paytable::default(), &self.game.rules()).exact_return();
            Ratio::new(found.net().into(), found.hands().into())
        })
    }

    /// Returns the name of the strategy that an option specifies.
    pub(super) fn strategy(&self, option: &str) -> &str {
        self.config.get(option).unwrap_or(Way::DEFAULT)
    }

    /// Returns the party that banks.
    pub(super) fn bank(&self) -> Result<BankedBy, SolverError> {
        self.config.get("bank").map_or(Ok(BankedBy::House), BankedBy::parse).map_err(SolverError::Invalid)
    }

    /// Returns the house way that an option names, using the readings from the configuration.
    pub(super) fn way(&self, option: &str) -> Result<Arc<HouseWay>, SolverError> {
        let name = self.strategy(option);
        let strategy = self.load(&[name])?.pop();
        strategy.and_then(|strategy| strategy.way().cloned()).ok_or_else(|| {
            SolverError::Invalid(format!(
                "invalid {option} '{name}': agents are trained and evaluated against a house way"
            ))
        })
    }

    /// Loads the strategy to compare with and prepares the banker's strategy. The banker's strategy is `None` if the
    /// banker sets at random.
    pub(super) fn way_and_banker(
        &self,
        control: &Control<'_>,
    ) -> Result<(NamedStrategy, Option<Tabulated>), SolverError> {
        let names = ["way", "banker"].map(|option| self.strategy(option));
        let named = if names[1] == RANDOM { &names[..1] } else { &names[..] };
        let mut strategies = self.load(named)?;
        let banker = self.prepare(&strategies[1..], control)?.pop();
        Ok((strategies.swap_remove(0), banker))
    }

    /// Loads strategies. House ways use the readings from the configuration.
    pub(super) fn load(&self, names: &[&str]) -> Result<Vec<NamedStrategy>, SolverError> {
        load_strategies(names, &self.config.assignments, &self.game)
    }

    /// Prepares strategies for exact evaluation.
    pub(super) fn prepare(
        &self,
        strategies: &[NamedStrategy],
        control: &Control<'_>,
    ) -> Result<Vec<Tabulated>, SolverError> {
        let progress = control.stage("setting all hands", "hands");
        let run = Run { progress: Some(&progress), cancel: control.cancel, ..Run::default() };
        Ok(NamedStrategy::prepare_all(strategies, &self.game, &run)?)
    }
}
