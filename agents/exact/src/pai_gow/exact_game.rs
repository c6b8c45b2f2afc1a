//! Pai Gow Poker under a set of rules.

use super::RANDOM;
use super::matchup::BankedBy;
use crate::solver::{SolverConfig, SolverError};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules};

/// Start of an assignment that chooses an option in a house way.
pub const WAY_PREFIX: &str = "way.";

/// The game under its rules, with the options of its solver.
pub(super) struct ExactGame {
    pub(super) game: Game,
    config: SolverConfig,
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let assignments = config.assignments.iter().map(String::as_str);
        let rules: Rules = config.rules_with(assignments.filter(|text| !text.trim_start().starts_with(WAY_PREFIX)))?;
        Ok(ExactGame { game: Game::new(rules), config: config.clone() })
    }

    /// Returns the name of the house way, or of another strategy, that an option holds.
    pub(super) fn strategy(&self, option: &str) -> &str {
        self.config.get(option).unwrap_or(Way::DEFAULT)
    }

    /// Returns the party that banks.
    pub(super) fn bank(&self) -> Result<BankedBy, SolverError> {
        self.config.get("bank").map_or(Ok(BankedBy::House), BankedBy::parse).map_err(SolverError::Invalid)
    }

    /// Returns the house ways that options name, compiled with the readings of the configuration.
    pub(super) fn ways<const N: usize>(&self, options: [&str; N]) -> Result<[HouseWay; N], SolverError> {
        let ways = self.compile(&options.map(|option| self.strategy(option)))?;
        Ok(ways.try_into().unwrap_or_else(|_| unreachable!("there is one house way for each name")))
    }

    /// House ways by name or file, compiled with the readings of the configuration.
    pub(super) fn compile(&self, names: &[&str]) -> Result<Vec<HouseWay>, SolverError> {
        let ways = load_ways(names, &self.config.assignments)?;
        ways.into_iter().map(|way| HouseWay::compile(way, &self.game).map_err(SolverError::invalid)).collect()
    }
}

/// House ways by name or file, with the options that assignments like `way.straights=keep` choose; other assignments are
/// ignored. A reading must belong to at least one of the house ways.
///
/// # Errors
/// If there is no such house way, it is invalid, or none has such a reading or option.
pub fn load_ways(names: &[&str], assignments: &[String]) -> Result<Vec<Way>, SolverError> {
    let load = |name: &&str| match *name {
        RANDOM => Err(SolverError::invalid(
            "'random' picks a legal setting uniformly at random and has no rules: name a house way here; 'random' can be \
             the banker of 'ev' and either side of 'solve'",
        )),
        name => Way::load(name).map_err(SolverError::invalid),
    };
    let ways = names.iter().map(load);
    let mut ways = ways.collect::<Result<Vec<Way>, SolverError>>()?;
    for (reading, option) in way_readings(assignments)? {
        let has = |way: &Way| way.readings().iter().any(|known| known.name == reading);
        if !ways.iter().any(has) {
            // The error of the first way lists its readings.
            let first = ways.first_mut().ok_or_else(|| {
                SolverError::Invalid(format!(
                    "'{WAY_PREFIX}{reading}={option}' applies to a house way, but none is used"
                ))
            })?;
            first.choose(reading, option).map_err(SolverError::invalid)?;
        }
        for way in ways.iter_mut().filter(|way| has(way)) {
            way.choose(reading, option).map_err(SolverError::invalid)?;
        }
    }
    Ok(ways)
}

/// Returns the readings of house ways among assignments, as name and option.
///
/// # Errors
/// If one has no name or no option.
fn way_readings(assignments: &[String]) -> Result<Vec<(&str, &str)>, SolverError> {
    let readings = assignments.iter().filter_map(|text| text.trim_start().strip_prefix(WAY_PREFIX));
    readings.map(way_reading).collect()
}

fn way_reading(reading: &str) -> Result<(&str, &str), SolverError> {
    match reading.split_once('=').map(|(name, option)| (name.trim(), option.trim())) {
        Some((name, option)) if !name.is_empty() && !option.is_empty() => Ok((name, option)),
        _ => Err(SolverError::Invalid(format!(
            "invalid reading of a house way '{WAY_PREFIX}{reading}': write {WAY_PREFIX}NAME=OPTION"
        ))),
    }
}
