//! Defines a search problem: the side to set hands for, the opponents, and the limits on the lists.

use super::choices::Choices;
use super::gains::{SettingGains, Slots};
use super::limits::Limits;
use super::opponents::Objective;
use super::space::Space;
use super::units;
use super::words::Word;
use crate::pai_gow::BankerTable;
use crate::pai_gow::whole::{Cancelled, Pass, Payoff, Play, Run, Side};
use crate::ratio::Ratio;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Strategy};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The price of a bound, as a fraction of the stake. It discourages limits that make almost no difference.
const BOUND_PRICE: f64 = 1e-6;
/// The number of single-shape insertions from which rules are built.
const SEEDS: usize = 60;
/// The number of insertions tried for each list.
const BRANCHES: usize = 10;
/// The maximum number of cases per rule.
const CASES: usize = 2;

/// A search problem.
pub struct Problem {
    /// The game.
    pub game: Game,
    /// The side whose hands the lists set. The house banks.
    pub side: Side,
    /// The other side's house ways.
    pub opponents: Vec<Arc<HouseWay>>,
    /// The objective if there are several opponents.
    pub objective: Objective,
    /// The maximum number of bounds in a list, or `None` for no limit.
    pub bounds: Option<usize>,
    /// The maximum mean number of words per rule.
    pub words_per_rule: usize,
    /// The words of the house way language that the rules may use.
    pub words: Vec<Word>,
    /// The number of lists to keep per number of rules.
    pub width: usize,
}

/// Runs a search's passes over all deals. This lets callers show a progress bar, for example, or interrupt a search.
pub trait Passes: Sync {
    /// Runs a pass.
    fn pass<T: Send>(&self, label: &str, count: impl FnOnce(&Run<'_>) -> T + Send) -> T;

    /// Returns the flag that cancels the search.
    fn cancel(&self) -> &AtomicBool;
}

/// The EVs of several strategies against each opponent.
pub struct Evs {
    /// The EV of the best response to each opponent.
    pub best: Vec<Ratio>,
    /// The EVs, indexed by strategy and opponent.
    pub of: Vec<Vec<Ratio>>,
}

impl Problem {
    /// Returns the payoff for the side.
    pub fn payoff(&self) -> Payoff {
        let commission = self.game.rules().commission;
        match self.side {
            Side::Player => Payoff::player(commission),
            Side::Banker => Payoff::house_bank(commission),
        }
    }

    /// Returns the name of the side.
    pub fn seat(&self) -> &'static str {
        match self.side {
            Side::Player => "player",
            Side::Banker => "banker",
        }
    }

    /// Returns the names of the opponents, followed by the objective if there are several.
    pub fn against(&self) -> String {
        let names: Vec<&str> = self.opponents.iter().map(|way| way.name()).collect();
        let objective = match self.objective {
            Objective::Mean => "mean",
            Objective::Worst => "greatest",
        };
        match &names[..] {
            [rest @ .., last] if !rest.is_empty() => {
                format!("{} and {last} ({objective} loss)", rest.join(", "))
            }
            _ => names.concat(),
        }
    }

    /// Returns the limits of the search.
    pub fn limits(&self) -> Limits {
        Limits {
            bounds: self.bounds.unwrap_or(usize::MAX),
            bound_price: units(BOUND_PRICE),
            words: self.words_per_rule,
            cases: CASES,
            width: self.width,
            seeds: SEEDS,
            branches: BRANCHES,
        }
    }

    /// Computes the losses of all plays against each opponent, with one pass per opponent. A sheet's rules are treated
    /// as additional plays.
    ///
    /// # Errors
    /// Returns an error if the computation is cancelled.
    pub fn spaces(&self, sheet: Option<&Way>, passes: &impl Passes) -> Result<Vec<Space>, Cancelled> {
        let slots = Slots::new(&self.game);
        let choices = Arc::new(Choices::new(&self.game, &slots, &self.words, sheet));
        let space = |opponent: &Arc<HouseWay>| {
            let whole = Pass::new(&self.game, self.side, &BankerTable::new(&**opponent));
            let label = format!("all settings against {}", opponent.name());
            let payoff = self.payoff();
            let gains = passes.pass(&label, |run| SettingGains::compute(&whole, payoff, &slots, run))?;
            Ok(Space::new(&choices, &slots, &gains))
        };
        self.opponents.iter().map(space).collect()
    }

    /// Evaluates strategies and the best response over all deals, with one pass per opponent.
    ///
    /// # Errors
    /// Returns an error if the evaluation is cancelled.
    pub fn evaluate(&self, tables: &[&BankerTable], passes: &impl Passes) -> Result<Evs, Cancelled> {
        let payoff = self.payoff();
        let tables_played = tables.iter().map(|&table| Play::Profiles(table));
        let plays: Vec<Play<'_>> = std::iter::once(Play::Best(payoff)).chain(tables_played).collect();
        let mut evs = Evs { best: Vec::new(), of: vec![Vec::new(); tables.len()] };
        for opponent in &self.opponents {
            let whole = Pass::new(&self.game, self.side, &BankerTable::new(&**opponent));
            let label = format!("evaluating against {}", opponent.name());
            let mut totals = passes.pass(&label, |run| whole.totals(&plays, run))?.into_iter();
            evs.best.push(totals.next().expect("the best response comes first").ev(payoff));
            evs.of.iter_mut().zip(totals).for_each(|(of, counts)| of.push(counts.ev(payoff)));
        }
        Ok(evs)
    }

    /// Returns the mean or the greatest regret, depending on the objective.
    pub fn regret(&self, regrets: &[Ratio]) -> Ratio {
        match self.objective {
            Objective::Mean => mean(regrets),
            Objective::Worst => regrets.iter().copied().max().unwrap_or(Ratio::ZERO),
        }
    }
}

impl Evs {
    /// Returns a strategy's regret against each opponent.
    pub fn regrets(&self, strategy: usize) -> Vec<Ratio> {
        self.best.iter().zip(&self.of[strategy]).map(|(&best, &ev)| best - ev).collect()
    }
}

/// Returns the mean of some ratios, or zero if there are none.
pub fn mean(values: &[Ratio]) -> Ratio {
    let sum = values.iter().fold(Ratio::ZERO, |sum, &value| sum + value);
    Ratio::new(sum.numerator(), sum.denominator() * values.len().max(1) as i128)
}
