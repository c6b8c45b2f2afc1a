//! Loads strategies by name or from a file.
//!
//! A name refers to a built-in house way. A file contains a house way or a strategy in a registered [`StrategyFormat`],
//! such as a trained agent. A [`NamedStrategy`] can set hands. To be evaluated exactly, it has to be [`Tabulated`], which
//! takes a while for an agent. A [`SideStrategy`] can also be the best response to the other side, or random.

use super::outcomes::Payoff;
use super::policy::{PolicyStrategy, tabulate};
use super::table::Tabulated;
use super::whole::{Play, Run};
use crate::solver::{Cancelled, SolverError, invalid};
use houseway_env::gym::Policy;
use houseway_env::pai_gow::house_way::{HouseWay, RuleSurvey, Way, WayError};
use houseway_env::pai_gow::{Game, Hand, Setting, Strategy};
use houseway_env::rules::RuleSet;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

/// The name of the best response to the other side.
pub const OPTIMAL: &str = "optimal";

/// The name of the strategy that picks a legal setting uniformly at random.
pub const RANDOM: &str = "random";

/// The prefix of assignments that choose an option in a house way.
pub const WAY_PREFIX: &str = "way.";

/// Returns the rules with all assignments applied that aren't those of house ways.
///
/// # Errors
/// Returns an error if a rule or option is unknown.
pub fn with_assignments<R: RuleSet>(rules: R, assignments: &[String]) -> Result<R, SolverError> {
    let mut of_rules = assignments.iter().filter(|text| !text.trim_start().starts_with(WAY_PREFIX));
    of_rules.try_fold(rules, |rules: R, assignment| rules.with(assignment)).map_err(|error| {
        let is_unknown = error.0.contains("unknown field") && !error.0.contains("did you mean");
        let hint = if is_unknown { "; a reading of a house way is written way.NAME=OPTION" } else { "" };
        invalid!("{error}{hint}")
    })
}

/// A file format for strategies.
#[derive(Clone, Copy, Debug)]
pub struct StrategyFormat {
    /// A short description of the files, for use in messages.
    pub about: &'static str,
    /// Returns `true` if a file or folder has this format, even if it's damaged.
    pub is_one: fn(&Path) -> bool,
    /// Reads such a file for a game. The error names the file and suggests a fix.
    pub read: fn(&Path, &Game) -> Result<NamedStrategy, String>,
}

/// The formats registered by downstream crates.
static FORMATS: RwLock<Vec<&'static StrategyFormat>> = RwLock::new(Vec::new());

/// Registers a format for the rest of the process, unless it's already registered. Formats are tried in the order in
/// which they were registered.
pub fn register_strategy_format(format: &'static StrategyFormat) {
    let mut formats = FORMATS.write().unwrap_or_else(PoisonError::into_inner);
    if !formats.iter().any(|known| std::ptr::eq(*known, format)) {
        formats.push(format);
    }
}

fn formats() -> Vec<&'static StrategyFormat> {
    FORMATS.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Returns the format of a file, or `None` if the name is a house way or the file has no registered format.
fn format_of(name: &str) -> Option<&'static StrategyFormat> {
    if Way::is_built_in(name) {
        return None;
    }
    formats().into_iter().find(|format| (format.is_one)(Path::new(name)))
}

/// A strategy specified by name or file.
#[derive(Clone)]
pub enum NamedStrategy {
    /// A strategy that is ready for exact evaluation.
    Exact(Tabulated),
    /// A policy for the environment that reads the `candidates` encoding, such as a trained agent.
    Policy(Arc<dyn Policy + Send>),
}

impl NamedStrategy {
    /// Returns the strategy's name.
    pub fn name(&self) -> &str {
        match self {
            NamedStrategy::Exact(strategy) => strategy.name(),
            NamedStrategy::Policy(policy) => policy.name(),
        }
    }

    /// Returns the strategy if it's ready for exact evaluation.
    pub fn exact(&self) -> Option<&Tabulated> {
        if let NamedStrategy::Exact(strategy) = self { Some(strategy) } else { None }
    }

    /// Returns the house way, or `None` for any other strategy.
    pub fn way(&self) -> Option<&Arc<HouseWay>> {
        self.exact()?.way()
    }

    /// Checks that the strategy is pure, for uses that need a single setting for every hand.
    ///
    /// # Errors
    /// Returns an error if it's a mixed strategy.
    pub fn check_pure(&self) -> Result<(), SolverError> {
        self.exact().map_or(Ok(()), Tabulated::check_pure)
    }

    /// Sets a hand. For a mixed strategy, this is the most probable setting, or the first one of them.
    pub fn set(&self, game: &Game, hand: Hand) -> Setting {
        match self {
            NamedStrategy::Exact(strategy) => strategy.set(game, hand),
            NamedStrategy::Policy(policy) => PolicyStrategy::new(game, &**policy).set(hand),
        }
    }

    /// Returns the rule that sets a hand, or `None` if the strategy has no rules.
    pub fn rule(&self, hand: Hand) -> Option<&RuleSurvey> {
        self.way().map(|way| way.rule(hand))
    }

    /// Prepares strategies for exact evaluation. Policies are called to set every hand class, and duplicates only once.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    pub fn prepare_all(strategies: &[NamedStrategy], game: &Game, run: &Run<'_>) -> Result<Vec<Tabulated>, Cancelled> {
        let mut prepared: Vec<Tabulated> = Vec::with_capacity(strategies.len());
        for (i, strategy) in strategies.iter().enumerate() {
            let known = |policy| {
                let same =
                    |other: &NamedStrategy| matches!(other, NamedStrategy::Policy(it) if Arc::ptr_eq(it, policy));
                strategies[..i].iter().position(same)
            };
            prepared.push(match strategy {
                NamedStrategy::Exact(strategy) => strategy.clone(),
                NamedStrategy::Policy(policy) => match known(policy) {
                    Some(same) => prepared[same].clone(),
                    None => tabulate(game, &**policy, run)?.into(),
                },
            });
        }
        Ok(prepared)
    }
}

impl fmt::Debug for NamedStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NamedStrategy").field(&self.name()).finish()
    }
}

/// The strategy of one side of a pair.
#[derive(Clone)]
pub enum SideStrategy {
    /// A given strategy.
    Given(Tabulated),
    /// The best response to the other side.
    Optimal,
    /// A legal setting, picked uniformly at random.
    Random,
}

impl From<&Tabulated> for SideStrategy {
    fn from(strategy: &Tabulated) -> SideStrategy {
        SideStrategy::Given(strategy.clone())
    }
}

impl From<&Arc<HouseWay>> for SideStrategy {
    fn from(way: &Arc<HouseWay>) -> SideStrategy {
        SideStrategy::Given(Arc::clone(way).into())
    }
}

impl SideStrategy {
    /// Loads both sides' strategies like [`load_strategies`], except for the names [`OPTIMAL`] and [`RANDOM`], and
    /// prepares them.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`load_strategies`], or if the run was canceled.
    pub fn load(
        names: [&str; 2],
        assignments: &[String],
        game: &Game,
        run: &Run<'_>,
    ) -> Result<[SideStrategy; 2], SolverError> {
        let given: Vec<&str> = names.into_iter().filter(|&name| name != OPTIMAL && name != RANDOM).collect();
        let loaded = load_strategies(&given, assignments, game)?;
        let mut prepared = NamedStrategy::prepare_all(&loaded, game, run)?.into_iter();
        Ok(names.map(|name| match name {
            OPTIMAL => SideStrategy::Optimal,
            RANDOM => SideStrategy::Random,
            _ => SideStrategy::Given(prepared.next().expect("there is a strategy for each other name")),
        }))
    }

    /// Returns the strategy if it's given.
    pub fn given(&self) -> Option<&Tabulated> {
        if let SideStrategy::Given(strategy) = self { Some(strategy) } else { None }
    }

    /// Returns the strategy's name.
    pub fn name(&self) -> &str {
        match self {
            SideStrategy::Given(strategy) => strategy.name(),
            SideStrategy::Optimal => OPTIMAL,
            SideStrategy::Random => RANDOM,
        }
    }

    /// Returns the strategy as the evaluated side plays it, with the payoff for a best response.
    pub(super) fn play(&self, payoff: Payoff) -> Play<'_> {
        match self {
            SideStrategy::Given(strategy) => strategy.play(),
            SideStrategy::Optimal => Play::Best(payoff),
            SideStrategy::Random => Play::Random,
        }
    }

    /// Returns `true` if the strategy has no single setting for a hand.
    pub fn is_mixed(&self) -> bool {
        match self {
            SideStrategy::Given(strategy) => strategy.mixed().is_some(),
            SideStrategy::Optimal => false,
            SideStrategy::Random => true,
        }
    }
}

/// Loads strategies by name or file. House ways use the options chosen by assignments such as `way.straights=keep`, and
/// all other assignments are ignored. At least one of the house ways must have the reading.
///
/// # Errors
/// Returns an error if a strategy doesn't exist, is invalid or is for another game, or if an assignment names a reading
/// or option that none of the house ways has.
pub fn load_strategies(names: &[&str], assignments: &[String], game: &Game) -> Result<Vec<NamedStrategy>, SolverError> {
    let mut loaded: Vec<Option<NamedStrategy>> = Vec::with_capacity(names.len());
    for (i, name) in names.iter().enumerate() {
        let known = names[..i].iter().position(|other| other == name).and_then(|same| loaded[same].clone());
        loaded.push(match known {
            Some(strategy) => Some(strategy),
            None => {
                let read = format_of(name).map(|format| (format.read)(Path::new(name), game));
                read.transpose().map_err(SolverError::Invalid)?
            }
        });
    }
    let of_ways: Vec<&str> = names.iter().zip(&loaded).filter(|(_, it)| it.is_none()).map(|(name, _)| *name).collect();
    let mut ways = ways_with(&of_ways, assignments, unknown_strategy)?.into_iter();
    let strategy = |loaded: Option<NamedStrategy>| match loaded {
        Some(strategy) => Ok(strategy),
        None => {
            let way = ways.next().expect("there is a house way for each other name");
            let way = HouseWay::shared(way, game).map_err(SolverError::invalid)?;
            Ok(NamedStrategy::Exact(way.into()))
        }
    };
    loaded.into_iter().map(strategy).collect()
}

/// Returns `true` if a file or folder has a registered format, even if it's damaged.
pub fn is_strategy_file(name: &str) -> bool {
    format_of(name).is_some()
}

/// Returns the error for an unknown strategy. It extends the error for an unknown house way by listing the registered
/// formats.
pub fn unknown_strategy(error: WayError) -> SolverError {
    let formats: String = formats().iter().map(|format| format!(", or {}", format.about)).collect();
    invalid!("{error}{formats}")
}

/// Loads house ways by name or file. Assignments choose their options, as in [`load_strategies`].
///
/// # Errors
/// Returns an error if a house way doesn't exist or is invalid, or if none has such a reading or option.
pub fn load_ways(names: &[&str], assignments: &[String]) -> Result<Vec<Way>, SolverError> {
    ways_with(names, assignments, SolverError::invalid)
}

/// Loads house ways. `unknown` converts the error for a house way that doesn't exist.
fn ways_with(
    names: &[&str],
    assignments: &[String],
    unknown: impl Fn(WayError) -> SolverError,
) -> Result<Vec<Way>, SolverError> {
    let load = |name: &&str| match *name {
        RANDOM => Err(SolverError::invalid(
            "'random' picks a legal setting uniformly at random and has no rules; use a house way here ('random' can \
             be the banker in 'ev' and either side in 'solve')",
        )),
        name => Way::load(name).map_err(|error| match error {
            error @ WayError::NotFound { .. } => unknown(error),
            error => match format_of(name) {
                Some(format) => {
                    invalid!("{name} is {}, which has no rules or readings; use a house way here", format.about)
                }
                None => SolverError::invalid(error),
            },
        }),
    };
    let mut ways = names.iter().map(load).collect::<Result<Vec<Way>, SolverError>>()?;
    choose_readings(&mut ways, assignments)?;
    Ok(ways)
}

/// Chooses options of house ways. Assignments are used as in [`load_strategies`].
///
/// # Errors
/// Returns an error if none of the house ways has such a reading or option.
pub fn choose_readings(ways: &mut [Way], assignments: &[String]) -> Result<(), SolverError> {
    let given = assignments.iter().filter_map(|text| text.trim_start().strip_prefix(WAY_PREFIX));
    for (reading, option) in given.map(way_reading).collect::<Result<Vec<_>, SolverError>>()? {
        let has = |way: &Way| way.readings().iter().any(|known| known.name == reading);
        if !ways.iter().any(has) {
            // The error from the first way lists its readings.
            let first = ways
                .first_mut()
                .ok_or_else(|| invalid!("'{WAY_PREFIX}{reading}={option}' applies to a house way, but none is used"))?;
            first.choose(reading, option).map_err(SolverError::invalid)?;
        }
        for way in ways.iter_mut().filter(|way| has(way)) {
            way.choose(reading, option).map_err(SolverError::invalid)?;
        }
    }
    Ok(())
}

/// Parses an assignment to a house way's reading, given without the prefix, as its name and option.
fn way_reading(reading: &str) -> Result<(&str, &str), SolverError> {
    match reading.split_once('=').map(|(name, option)| (name.trim(), option.trim())) {
        Some((name, option)) if !name.is_empty() && !option.is_empty() => Ok((name, option)),
        _ => Err(invalid!("invalid house way reading '{WAY_PREFIX}{reading}': expected {WAY_PREFIX}NAME=OPTION")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::gym::FnPolicy;
    use houseway_env::pai_gow::Rules;
    use houseway_env::pai_gow::observe::candidates::LEN;
    use std::sync::atomic::AtomicBool;

    /// Returns a policy that picks the last legal setting.
    fn last() -> impl Policy + Send {
        FnPolicy::new("last", "candidates", |observations, masks| {
            assert_eq!(observations.len() / LEN, masks.len() / Setting::COUNT);
            let last = |mask: &[bool]| mask.iter().rposition(|&legal| legal).unwrap();
            masks.chunks_exact(Setting::COUNT).map(last).collect::<Vec<usize>>()
        })
    }

    static FORMAT: StrategyFormat = StrategyFormat {
        about: "a file that ends in .last",
        is_one: |path| path.extension().is_some_and(|ending| ending == "last"),
        read: |path, _| match path.to_string_lossy().starts_with("bad") {
            true => Err("bad.last is damaged; write it again".to_owned()),
            false => Ok(NamedStrategy::Policy(Arc::new(last()))),
        },
    };

    #[test]
    fn files_of_registered_formats_are_strategies() {
        register_strategy_format(&FORMAT);
        register_strategy_format(&FORMAT);
        let game = Game::new(Rules::default());
        let load = |names: &[&str], assignments: &[String]| load_strategies(names, assignments, &game);
        let names = ["a.last", "foxwoods", "a.last"];
        let strategies = load(&names, &[]).unwrap();
        assert_eq!(strategies.iter().map(NamedStrategy::name).collect::<Vec<_>>(), ["last", "foxwoods", "last"]);
        let (NamedStrategy::Policy(one), NamedStrategy::Policy(other)) = (&strategies[0], &strategies[2]) else {
            panic!("they are policies");
        };
        assert!(Arc::ptr_eq(one, other));
        let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse().unwrap();
        let mask = game.legal_mask(hand);
        assert_eq!(strategies[0].set(&game, hand).index() as u32, mask.ilog2());
        assert!(strategies[0].rule(hand).is_none() && strategies[1].rule(hand).is_some());
        for (name, assignments, parts) in [
            ("bad.last", vec![], vec!["bad.last is damaged; write it again"]),
            ("absent", vec![], vec!["\"absent\"", "trump-plaza", "or a file that ends in .last"]),
            ("random", vec![], vec!["'random' picks"]),
            ("a.last", vec!["way.straights=keep".to_owned()], vec!["applies to a house way, but none is used"]),
        ] {
            let error = load(&[name], &assignments).unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
        let cancel = AtomicBool::new(true);
        let run = Run { cancel: Some(&cancel), ..Run::default() };
        assert!(NamedStrategy::prepare_all(&strategies[..1], &game, &run).is_err());
        assert!(NamedStrategy::prepare_all(&strategies[1..2], &game, &run).is_ok());
    }
}
