//! Configuration of solvers.

use super::error::SolverError;
use houseway_env::paytable::{Bet, Paytable};
use houseway_env::rules::RuleSet;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// An option of a solver, from which command lines and forms are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name, without dashes.
    pub name: &'static str,
    /// Placeholder for the value in help texts; `None` for a flag, whose value is `true`.
    pub value_name: Option<&'static str>,
    /// One sentence on its meaning and its default.
    pub help: &'static str,
    /// Whether [`Solver::solve`](super::Solver::solve) uses it.
    pub in_solve: bool,
    /// Whether [`Solver::value`](super::Solver::value) uses it.
    pub in_value: bool,
}

/// Rules and options of a solver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolverConfig {
    /// Rules of the game; missing ones have their default.
    pub rules: Map<String, Value>,
    /// Changes of single rules as `key=value`, applied after `rules`.
    pub assignments: Vec<String>,
    /// Values of options by name; `true` for a flag.
    pub options: BTreeMap<String, String>,
}

impl SolverConfig {
    /// The same with one more change of a rule.
    #[must_use]
    pub fn assign(mut self, assignment: &str) -> SolverConfig {
        self.assignments.push(assignment.to_owned());
        self
    }

    /// The same with the value of an option.
    #[must_use]
    pub fn option(mut self, name: &str, value: &str) -> SolverConfig {
        self.options.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The rules of a game.
    ///
    /// # Errors
    /// If there is no such rule, or no such option of it.
    pub fn rules<R: RuleSet>(&self) -> Result<R, SolverError> {
        self.rules_with(self.assignments.iter().map(String::as_str))
    }

    /// The rules of a game with these changes instead of [`SolverConfig::assignments`].
    ///
    /// # Errors
    /// If there is no such rule, or no such option of it.
    pub fn rules_with<'a, R: RuleSet>(&self, assignments: impl IntoIterator<Item = &'a str>) -> Result<R, SolverError> {
        let rules = serde_json::from_value(Value::Object(self.rules.clone()));
        let rules = rules.map_err(|error| SolverError::Invalid(format!("invalid rules: {error}")))?;
        assignments
            .into_iter()
            .try_fold(rules, |rules: R, assignment| rules.with(assignment))
            .map_err(SolverError::invalid)
    }

    /// The value of an option.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    /// The paytable that an option names: one of the crate or a file. The default one without the option.
    ///
    /// # Errors
    /// If there is no such paytable, or the file holds none.
    pub fn paytable<B: Bet>(&self, name: &str) -> Result<Paytable<B>, SolverError> {
        self.get(name).map_or_else(|| Ok(Paytable::default()), Paytable::load).map_err(SolverError::invalid)
    }

    /// Whether a flag is set.
    ///
    /// # Errors
    /// If its value is neither `true` nor `false`.
    pub fn flag(&self, name: &str) -> Result<bool, SolverError> {
        match self.get(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => {
                Err(SolverError::Invalid(format!("invalid value '{other}' of the flag {name}: write true or false")))
            }
        }
    }

    /// The value of an option that is an integer within bounds.
    ///
    /// # Errors
    /// If it is not.
    pub fn integer(&self, name: &str, bounds: std::ops::RangeInclusive<u32>, default: u32) -> Result<u32, SolverError> {
        let Some(text) = self.get(name) else { return Ok(default) };
        text.parse().ok().filter(|number| bounds.contains(number)).ok_or_else(|| {
            let (low, high) = (bounds.start(), bounds.end());
            SolverError::Invalid(format!(
                "invalid value '{text}' of the option {name}: write an integer from {low} to {high}"
            ))
        })
    }

    /// Checks that all options are among those of a solver.
    ///
    /// # Errors
    /// If one is not.
    pub(super) fn check(&self, game: &str, specs: &[OptionSpec]) -> Result<(), SolverError> {
        let unknown = self.options.keys().find(|name| specs.iter().all(|spec| spec.name != name.as_str()));
        let Some(name) = unknown else { return Ok(()) };
        let known: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
        let known = if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
        Err(SolverError::Invalid(format!("the solver of {game} has no option '{name}'; {known}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::asian_stud::Rules;

    #[test]
    fn rules_come_from_json_and_assignments() {
        let rules = serde_json::json!({ "commission-rate": 0.04, "joker": "ten" });
        let config = SolverConfig { rules: rules.as_object().unwrap().clone(), ..SolverConfig::default() };
        let expected = Rules::default().with("commission-rate=0.04").unwrap().with("joker=wild").unwrap();
        assert_eq!(config.assign("joker=wild").rules::<Rules>(), Ok(expected));
        let error = SolverConfig::default().assign("joker=two").rules::<Rules>().unwrap_err().to_string();
        assert!(error.contains("three_six_nine"), "{error}");
        let rules = serde_json::json!({ "comission": "none" }).as_object().unwrap().clone();
        let error = SolverConfig { rules, ..SolverConfig::default() }.rules::<Rules>().unwrap_err().to_string();
        assert!(error.contains("comission"), "{error}");
    }

    #[test]
    fn options_are_checked() {
        let config = SolverConfig::default().option("trips", "7").option("enumerate", "true");
        assert_eq!((config.integer("trips", 0..=9, 0), config.integer("other", 0..=9, 5)), (Ok(7), Ok(5)));
        assert!(config.integer("trips", 0..=6, 0).unwrap_err().to_string().contains("0 to 6"));
        assert_eq!((config.flag("enumerate"), config.flag("other")), (Ok(true), Ok(false)));
        assert!(config.flag("trips").is_err());
        let spec = OptionSpec { name: "trips", value_name: None, help: "", in_solve: true, in_value: false };
        let error = config.check("a-game", &[spec]).unwrap_err().to_string();
        assert!(error.contains("no option 'enumerate'; it has trips"), "{error}");
    }
}
