//! The options and the configuration of solvers, and their entries in the registry.

use super::{Control, Solver, SolverError, StakeUnit, invalid};
use crate::answer::Answer;
use crate::net::MainBet;
use crate::pai_gow::Side;
use crate::side_bet::BetReturn;
use houseway_env::cards::CardSet;
use houseway_env::gym::from_object;
use houseway_env::paytable::{Bet, Paytable};
use houseway_env::rules::RuleSet;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// An option that a solver takes. Command lines and forms are built from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name without dashes.
    pub name: &'static str,
    /// The kind of values that the option takes.
    pub kind: OptionKind,
    /// A description of what the option does, and its default.
    pub help: &'static str,
    /// `true` if [`Solver::solve`](super::Solver::solve) uses the option.
    pub in_solve: bool,
    /// `true` if [`Solver::value`](super::Solver::value) uses the option.
    pub in_value: bool,
}

impl OptionSpec {
    /// Creates an option for [`Solver::solve`](super::Solver::solve).
    pub const fn of_solve(name: &'static str, kind: OptionKind, help: &'static str) -> OptionSpec {
        OptionSpec { name, kind, help, in_solve: true, in_value: false }
    }

    /// Creates an option for [`Solver::value`](super::Solver::value).
    pub const fn of_value(name: &'static str, kind: OptionKind, help: &'static str) -> OptionSpec {
        OptionSpec { name, kind, help, in_solve: false, in_value: true }
    }

    /// Creates an option for both.
    pub const fn of_both(name: &'static str, kind: OptionKind, help: &'static str) -> OptionSpec {
        OptionSpec { name, kind, help, in_solve: true, in_value: true }
    }
}

/// The kind of values that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A flag that is `true` or `false`. The default is `false`.
    Flag,
    /// Any text, with a placeholder to show in help texts.
    Text(&'static str),
    /// An integer between two bounds, with a placeholder to show in help texts.
    Integer(&'static str, u32, u32),
    /// One of the given texts.
    Choice(&'static [&'static str]),
}

impl OptionKind {
    /// Returns a description of the valid values if the text isn't one of them.
    fn refuse(self, text: &str) -> Option<String> {
        match self {
            OptionKind::Text(_) => None,
            OptionKind::Flag => (!["true", "false"].contains(&text)).then(|| "expected true or false".to_owned()),
            OptionKind::Choice(values) => {
                (!values.contains(&text)).then(|| format!("expected {}", values.join(" or ")))
            }
            OptionKind::Integer(_, min, max) => match text.parse::<u32>() {
                Ok(number) if (min..=max).contains(&number) => None,
                _ => Some(format!("expected an integer from {min} to {max}")),
            },
        }
    }
}

/// The rules and options for a solver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolverConfig {
    /// The rules of the game. Missing rules have their default value.
    pub rules: Map<String, Value>,
    /// Changes to individual rules as `key=value`, which are applied after `rules`.
    pub assignments: Vec<String>,
    /// The values of the options by name. A flag has the value `true`.
    pub options: BTreeMap<String, String>,
}

impl SolverConfig {
    /// Adds a change to a rule.
    #[must_use]
    pub fn assign(mut self, assignment: &str) -> SolverConfig {
        self.assignments.push(assignment.to_owned());
        self
    }

    /// Sets the value of an option.
    #[must_use]
    pub fn option(mut self, name: &str, value: &str) -> SolverConfig {
        self.options.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Returns the rules of a game.
    ///
    /// # Errors
    /// Returns an error if there is no such rule, or if the rule has no such option.
    pub fn rules<R: RuleSet>(&self) -> Result<R, SolverError> {
        let rules = self.assignments.iter().try_fold(self.given_rules()?, |rules: R, it| rules.with(it));
        rules.map_err(SolverError::invalid)
    }

    /// Returns the rules of a game without the changes of [`SolverConfig::assignments`].
    ///
    /// # Errors
    /// Returns an error if there is no such rule, or if the rule has no such option.
    pub fn given_rules<R: RuleSet>(&self) -> Result<R, SolverError> {
        from_object(self.rules.clone()).map_err(|error| invalid!("invalid rules: {error}"))
    }

    /// Returns the value of an option.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    /// Returns the paytable that an option names, or the default paytable if the option isn't set. The value is the
    /// name of a built-in paytable or a file.
    ///
    /// # Errors
    /// Returns an error if there is no such paytable or if the file isn't a paytable.
    pub fn paytable<B: Bet>(&self, name: &str) -> Result<Paytable<B>, SolverError> {
        self.get(name).map_or_else(|| Ok(Paytable::default()), Paytable::load).map_err(SolverError::invalid)
    }

    /// Returns `true` if a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == Some("true")
    }

    /// Returns the value of an integer option, or 0 if the option isn't set.
    pub fn integer(&self, name: &str) -> u32 {
        self.get(name).and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    /// Checks that the solver takes all of the options and that their values are valid.
    pub(crate) fn check(&self, game: &str, specs: &[OptionSpec]) -> Result<(), SolverError> {
        for (name, text) in &self.options {
            let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
                let known: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
                let known =
                    if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
                return Err(invalid!("the solver for {game} has no option '{name}'; {known}"));
            };
            if let Some(remedy) = spec.kind.refuse(text) {
                return Err(invalid!("invalid value '{text}' for the option {name}: {remedy}"));
            }
        }
        Ok(())
    }
}

/// Refuses `key=value` changes of rules that don't matter to a question, and readings of house ways if `way` is among them.
/// Rules from a file may contain them, because a file describes a game for all questions.
///
/// # Errors
/// Returns an error that names the first change of an unused rule.
pub fn refuse_rules(assignments: &[String], unused: &[&str]) -> Result<(), SolverError> {
    let is_unused = |assignment: &&String| {
        let key = assignment.split(['=', '.']).next().unwrap_or_default();
        unused.contains(&key.trim())
    };
    match assignments.iter().find(is_unused) {
        Some(assignment) => Err(invalid!("the rule {assignment} has no effect here; leave it out")),
        None => Ok(()),
    }
}

/// Cards that are known to be out of play, such as cards seen at other seats. They can't turn up in a hidden hand or
/// later on the board.
///
/// The number of unknown cards that are out of play as well only needs to fit the deck. They are a random part of the
/// unseen cards, so the hidden cards are still a random part of all unseen cards, and the values of decisions made without
/// seeing them are exactly the same on average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeadCards {
    cards: CardSet,
    unknown: usize,
}

impl From<CardSet> for DeadCards {
    fn from(cards: CardSet) -> DeadCards {
        DeadCards { cards, unknown: 0 }
    }
}

impl DeadCards {
    /// The option that solvers for games with hidden cards take.
    pub const OPTION: OptionSpec = OptionSpec::of_value(
        "dead",
        OptionKind::Text("CARDS"),
        "cards that are known to be out of play, such as cards seen at other seats, e.g. \"Qh 3c\"",
    );

    /// The option for the number of unknown cards, for the same solvers.
    pub const UNKNOWN: OptionSpec = OptionSpec::of_value(
        "unknown",
        OptionKind::Integer("K", 0, 52),
        "the number of other cards that are out of play without being seen; as each unseen card is equally likely to be one \
         of them, no value changes",
    );

    /// Returns the cards given by [`DeadCards::OPTION`] and [`DeadCards::UNKNOWN`], or no cards if these aren't set.
    ///
    /// # Errors
    /// Returns an error if the value contains an invalid card or a duplicate.
    pub fn from_config(config: &SolverConfig) -> Result<DeadCards, SolverError> {
        let cards = config.get(Self::OPTION.name).unwrap_or_default().parse();
        let cards = cards.map_err(|error| invalid!("invalid dead cards: {error}"))?;
        let unknown = config.get(Self::UNKNOWN.name).map_or(Ok(0), str::parse).map_err(SolverError::invalid)?;
        Ok(DeadCards { cards, unknown })
    }

    /// Returns the cards.
    pub const fn cards(self) -> CardSet {
        self.cards
    }

    /// Adds the cards to an answer under the key `dead`, unless there are none.
    pub fn name_in(self, answer: &mut Value) {
        if !self.cards.is_empty() {
            answer["dead"] = self.cards.to_string().into();
        }
        if self.unknown > 0 {
            answer["unknown"] = self.unknown.into();
        }
    }

    /// Returns a phrase to append to a sentence, such as ` with the dead cards Qh 3c`. Empty if there are no dead
    /// cards.
    pub fn in_words(self) -> String {
        let dead = if self.cards.is_empty() { String::new() } else { format!(" with the dead cards {}", self.cards) };
        match self.unknown {
            0 => dead,
            unknown => format!("{dead}, on average over {unknown} unknown dead cards, which changes no value"),
        }
    }

    /// Returns the cards after checking them against the cards that are known to be in play.
    ///
    /// # Errors
    /// Returns an error if a dead card isn't in the deck, if it is among the `known` cards, or if fewer than `hidden`
    /// cards remain in the deck.
    pub fn beside(self, known: CardSet, deck: CardSet, hidden: usize) -> Result<CardSet, SolverError> {
        let DeadCards { cards: dead, unknown } = self;
        if let Some(card) = dead.difference(deck).iter().next() {
            return Err(invalid!("invalid dead cards: {card} is not in the deck of this game"));
        }
        if let Some(card) = dead.intersection(known).iter().next() {
            return Err(invalid!("invalid dead cards: {card} is in play, as one of the cards {known}"));
        }
        let max = deck.difference(known).len().saturating_sub(hidden);
        if dead.len() + unknown > max {
            return Err(invalid!(
                "invalid dead cards: {} cards leave too few for the {hidden} hidden cards; must be at most {max}",
                dead.len() + unknown
            ));
        }
        Ok(dead)
    }
}

/// A solver's entry in the registry.
#[derive(Clone, Copy, Debug)]
pub struct SolverEntry {
    /// The name of the game in [`houseway_env::registry`].
    pub game: &'static str,
    /// A description of what [`Solver::solve`] computes, for help texts.
    pub about: &'static str,
    /// The unit used for EVs.
    pub unit: StakeUnit,
    /// The options that the solver takes.
    pub options: &'static [OptionSpec],
    /// A description of the hands that [`Solver::value`] accepts, for help texts. `None` if the game has no decision
    /// that depends on a hand.
    pub hands: Option<&'static str>,
    /// The sample that evaluations can use in place of all hands, if the solver supports one.
    pub sample: Option<SampleSpec>,
    /// Counts the hands that a paytable of the game's side bet pays. `None` if the game has no side bet.
    pub side_bet: Option<SideBetFn>,
    /// Counts the deals with each net result of the main bet. `None` if the game has no main bet, or if its net results
    /// aren't counted here.
    pub main_bet: Option<MainBetFn>,
    /// Answers questions about house ways. `None` if the solver can't.
    pub ways: Option<WaysFn>,
    /// Creates the solver.
    ///
    /// # Errors
    /// Returns an error if a rule or option is invalid.
    pub make: fn(&SolverConfig) -> Result<Box<dyn Solver>, SolverError>,
}

/// Evaluates a paytable, which is given by name or file, under the rules and options of a configuration.
pub type SideBetFn = fn(Option<&str>, &SolverConfig, &Control<'_>) -> Result<BetReturn, SolverError>;

/// Counts the net results of the main bet for the strategies in the options of a configuration.
pub type MainBetFn = fn(&SolverConfig, &Control<'_>) -> Result<MainBet, SolverError>;

/// Answers a question about house ways under the rules of a configuration. The opponents are those in its options.
pub type WaysFn = fn(&SolverConfig, &WayQuestion<'_>, &Control<'_>) -> Result<WayAnswer, SolverError>;

/// A question about house ways, which are given by name or file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum WayQuestion<'a> {
    /// Asks for a hand's setting by all built-in house ways, and by the given one or else that of the rules.
    Set {
        /// The hand as text.
        hand: &'a str,
        /// The house way.
        way: Option<&'a str>,
    },
    /// Asks for the number of hands of each rule.
    Check {
        /// The house way.
        way: &'a str,
    },
    /// Asks for the loss of a house way.
    Audit {
        /// The house way.
        way: &'a str,
        /// The side that plays it.
        side: Side,
        /// The opponent's house way, or `None` for the same one.
        opponent: Option<&'a str>,
        /// `true` to also evaluate the readings of the rules.
        game_readings: bool,
    },
    /// Asks for the results of house ways against each other.
    Compare {
        /// The house ways, or none for all built-in ones.
        ways: &'a [String],
    },
    /// Asks for the best house ways with these numbers of rules. A larger width is slower and finds better ones.
    Search {
        /// The numbers of rules.
        length: RangeInclusive<usize>,
        /// The number of house ways to keep.
        width: usize,
    },
}

impl WayQuestion<'_> {
    /// Returns the names or files of the house ways.
    pub fn ways(&self) -> Vec<&str> {
        match self {
            WayQuestion::Set { way, .. } => way.iter().copied().collect(),
            WayQuestion::Check { way } => vec![way],
            WayQuestion::Audit { way, opponent, .. } => std::iter::once(*way).chain(*opponent).collect(),
            WayQuestion::Compare { ways } => ways.iter().map(String::as_str).collect(),
            WayQuestion::Search { .. } => vec![],
        }
    }
}

/// The answer to a question about house ways.
#[derive(Debug)]
pub struct WayAnswer {
    /// The answer.
    pub answer: Answer,
    /// The path of each file in the run's folder, and its text.
    pub files: Vec<(String, String)>,
    /// The name of each table of integers, and its rows. The first row is the header.
    pub tables: Vec<(&'static str, Vec<Vec<String>>)>,
}

impl From<Answer> for WayAnswer {
    fn from(answer: Answer) -> WayAnswer {
        WayAnswer { answer, files: vec![], tables: vec![] }
    }
}

/// A sample of hands or boards whose exact values are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleSpec {
    /// The plural of the sampled items.
    pub items: &'static str,
    /// The default size.
    pub default_size: usize,
    /// `true` if there are too many rounds to evaluate them all, so that evaluations always use the sample.
    pub always: bool,
}

impl SolverEntry {
    /// Creates a solver with the given rules and options.
    ///
    /// # Errors
    /// Returns an error if a rule or option is invalid.
    pub fn solver(&self, config: &SolverConfig) -> Result<Box<dyn Solver>, SolverError> {
        config.check(self.game, self.options)?;
        (self.make)(config)
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
        assert_eq!((config.integer("trips"), config.integer("other")), (7, 0));
        assert!(config.flag("enumerate") && !config.flag("other"));
        let spec = |name, kind| OptionSpec::of_solve(name, kind, "");
        let flag = spec("enumerate", OptionKind::Flag);
        assert_eq!(config.check("a-game", &[spec("trips", OptionKind::Integer("N", 0, 9)), flag]), Ok(()));
        for (specs, part) in [
            (vec![spec("trips", OptionKind::Integer("N", 0, 6)), flag], "from 0 to 6"),
            (vec![spec("trips", OptionKind::Choice(&["3", "4"])), flag], "expected 3 or 4"),
            (vec![spec("trips", OptionKind::Flag), flag], "expected true or false"),
            (vec![spec("trips", OptionKind::Text("N"))], "no option 'enumerate'; it has trips"),
        ] {
            let error = config.check("a-game", &specs).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn dead_cards_are_checked() {
        let config = |text: &str| SolverConfig::default().option("dead", text);
        let check = |text: &str| {
            let known: CardSet = "As Kd Jk".parse().unwrap();
            DeadCards::from_config(&config(text))?.beside(known, CardSet::DECK_53, 47)
        };
        assert_eq!(DeadCards::from_config(&SolverConfig::default()), Ok(DeadCards::default()));
        assert_eq!(check(""), Ok(CardSet::EMPTY));
        assert_eq!(check("3c Qh").unwrap().to_string(), "Qh 3c");
        let mut answer = serde_json::json!({});
        DeadCards::default().name_in(&mut answer);
        assert_eq!((answer.to_string().as_str(), DeadCards::default().in_words().as_str()), ("{}", ""));
        DeadCards::from_config(&config("3c Qh")).unwrap().name_in(&mut answer);
        assert_eq!(answer["dead"], "Qh 3c");
        for (text, part) in [
            ("Qh Qh", "invalid dead cards: Qh occurs twice"),
            ("Qh 1x", "invalid dead cards: invalid card '1x' at character 4"),
            ("Jk2", "Jk2 is not in the deck of this game"),
            ("Qh Kd", "Kd is in play, as one of the cards Jk As Kd"),
            ("Qh Qs Qd Qc", "4 cards leave too few for the 47 hidden cards; must be at most 3"),
        ] {
            let error = check(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
