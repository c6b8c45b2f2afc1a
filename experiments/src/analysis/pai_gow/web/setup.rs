//! The rules and strategies given in a request.

use crate::serve::Request;
use houseway_env::pai_gow::house_way::{BUILT_IN, Way};
use houseway_env::pai_gow::{GAME, Game, Rules};
use houseway_exact::pai_gow::{WAY_PREFIX, load_ways};
use houseway_exact::solver::{Solver, SolverConfig, SolverError};

/// The prefix for query parameters that change a rule.
pub(super) const SET: &str = "set.";
/// The maximum number of rules that a request can change.
const MAX_SETS: usize = 64;

/// The rules and strategies to evaluate a hand with.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    /// The name of the strategy to compare with.
    pub(super) way: String,
    /// The name of the banker's strategy.
    pub(super) banker: String,
    /// The changes to rules, as `key=value`.
    pub(super) assignments: Vec<String>,
    /// Cards that are known to be out of play.
    pub(super) dead: String,
}

/// Checks that a house way is built in and returns its name. Other names are rejected, because requests must never read
/// files, and because enumerating a banker who sets at random takes seconds.
pub(super) fn way_name(name: &str) -> Result<&str, String> {
    let known = || BUILT_IN.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let shown = || name.chars().take(60).collect::<String>();
    if Way::is_built_in(name) {
        Ok(name)
    } else {
        Err(format!("there is no built-in house way \"{}\"; choose one of {}", shown(), known()))
    }
}

impl Setup {
    /// Reads the setup from a request.
    ///
    /// # Errors
    /// Returns an error if a strategy is unknown, or if too many rules are changed.
    pub(super) fn new(request: &Request) -> Result<Setup, String> {
        let sets = request.query.iter().filter(|(_, value)| !value.trim().is_empty());
        let sets = sets.filter_map(|(key, value)| Some(format!("{}={}", key.strip_prefix(SET)?, value.trim())));
        let assignments: Vec<String> = sets.collect();
        if assignments.len() > MAX_SETS {
            return Err(format!("more than {MAX_SETS} rules are changed"));
        }
        let banker = way_name(request.value("banker").unwrap_or(Way::DEFAULT))?;
        let way = way_name(request.value("way").unwrap_or(Way::DEFAULT))?;
        let dead = request.value("dead").unwrap_or_default().to_owned();
        Ok(Setup { way: way.to_owned(), banker: banker.to_owned(), assignments, dead })
    }

    /// Drops readings that don't belong to either strategy, such as readings left over from a previous choice.
    pub(super) fn without_foreign_readings(mut self) -> Setup {
        let ways: Vec<Way> = self.names().into_iter().filter_map(|name| Way::named(name).ok()).collect();
        self.assignments.retain(|assignment| match assignment.strip_prefix(WAY_PREFIX) {
            None => true,
            Some(reading) => {
                let name = reading.split('=').next().unwrap_or_default();
                ways.iter().flat_map(Way::readings).any(|reading| reading.name == name)
            }
        });
        self
    }

    fn names(&self) -> [&str; 2] {
        [&self.way, &self.banker]
    }

    /// Returns the house ways with their readings.
    ///
    /// # Errors
    /// Returns an error if a reading or an option is unknown.
    pub(super) fn ways(&self) -> Result<Vec<Way>, SolverError> {
        load_ways(&self.names(), &self.assignments)
    }

    /// Returns the game.
    ///
    /// # Errors
    /// Returns an error if a rule is unknown or invalid.
    pub(super) fn game(&self) -> Result<Game, String> {
        let mut of_game = self.assignments.iter().filter(|assignment| !assignment.starts_with(WAY_PREFIX));
        let rules = of_game.try_fold(Rules::default(), |rules, assignment| rules.with(assignment));
        rules.map(Game::new).map_err(|error| error.to_string())
    }

    /// Returns the solver.
    ///
    /// # Errors
    /// Returns an error if a rule or a strategy is invalid.
    pub(super) fn solver(&self, front: Option<&str>) -> Result<Box<dyn Solver>, SolverError> {
        let config = SolverConfig { assignments: self.assignments.clone(), ..SolverConfig::default() };
        let config = config.option("way", &self.way).option("banker", &self.banker).option("dead", &self.dead);
        let config = front.into_iter().fold(config, |config, front| config.option("front", front));
        houseway_exact::registry::find(GAME.name)?.solver(&config)
    }
}
