//! Problem of a search: the side to set for, its opponents, and the limits of the lists.

use super::choices::Choices;
use super::gains::{SettingGains, Slots};
use super::limits::Limits;
use super::opponents::Objective;
use super::space::Space;
use super::units;
use super::words::Word;
use crate::pai_gow::BankerTable;
use crate::pai_gow::whole::{BestResponse, Cancelled, Chooser, FullGame, Payoff, Run, Side};
use crate::ratio::Ratio;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Strategy};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Price of a bound as a fraction of the stake, so that a limit that changes next to nothing is left out.
const BOUND_PRICE: f64 = 1e-6;
/// Number of insertions into single shapes from which rules are built.
const SEEDS: usize = 60;
/// Number of insertions that are tried for each list.
const BRANCHES: usize = 10;
/// Maximum number of cases of a rule.
const CASES: usize = 2;

/// Problem of a search: the side to set for, its opponents, and the limits of the lists.
pub struct Problem {
    /// The game.
    pub game: Game,
    /// Side that the lists set for; the house banks.
    pub side: Side,
    /// House ways of the other side.
    pub opponents: Vec<Arc<HouseWay>>,
    /// The objective against several opponents.
    pub objective: Objective,
    /// Maximum number of bounds of a list; `None` for any.
    pub bounds: Option<usize>,
    /// Maximum mean number of words of a rule.
    pub words_per_rule: usize,
    /// Words of the language that the rules may use.
    pub words: Vec<Word>,
    /// Number of lists that are kept for each number of rules.
    pub width: usize,
}

/// The way a search runs its passes over all deals, such as with a progress bar or so that a program can interrupt them.
pub trait Passes: Sync {
    /// Makes a pass.
    fn pass<T: Send>(&self, label: &str, count: impl FnOnce(&Run<'_>) -> T + Send) -> T;

    /// Flag that stops the search.
    fn cancel(&self) -> &AtomicBool;
}

/// EVs of strategies against each opponent.
pub struct Evs {
    /// EV of the best response by opponent.
    pub best: Vec<Ratio>,
    /// EVs by strategy and opponent.
    pub of: Vec<Vec<Ratio>>,
}

impl Problem {
    /// Returns the payoff of the side.
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

    /// Returns the names of the opponents, with the objective if there are several.
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

    /// Computes what every play loses against each opponent, in a pass for each; the rules of a sheet are further plays.
    ///
    /// # Errors
    /// If it was cancelled.
    pub fn spaces(&self, sheet: Option<&Way>, passes: &impl Passes) -> Result<Vec<Space>, Cancelled> {
        let slots = Slots::new(&self.game);
        let choices = Arc::new(Choices::new(&self.game, &slots, &self.words, sheet));
        let space = |opponent: &Arc<HouseWay>| {
            let whole = FullGame::new(&self.game, self.side, &BankerTable::new(&**opponent));
            let label = format!("all settings against {}", opponent.name());
            let payoff = self.payoff();
            let gains = passes.pass(&label, |run| SettingGains::compute(&whole, payoff, &slots, run))?;
            Ok(Space::new(&choices, &slots, &gains))
        };
        self.opponents.iter().map(space).collect()
    }

    /// Evaluates strategies and the best response over all deals, in a pass for each opponent.
    ///
    /// # Errors
    /// If it was cancelled.
    pub fn evaluate(&self, tables: &[&BankerTable], passes: &impl Passes) -> Result<Evs, Cancelled> {
        let payoff = self.payoff();
        let best = BestResponse(payoff);
        let choosers: Vec<&dyn Chooser> =
            std::iter::once(&best as &dyn Chooser).chain(tables.iter().map(|&table| table as &dyn Chooser)).collect();
        let mut evs = Evs { best: Vec::new(), of: vec![Vec::new(); tables.len()] };
        for opponent in &self.opponents {
            let whole = FullGame::new(&self.game, self.side, &BankerTable::new(&**opponent));
            let label = format!("evaluating against {}", opponent.name());
            let mut totals = passes.pass(&label, |run| whole.totals(&choosers, run))?.into_iter();
            evs.best.push(totals.next().expect("the best response").ev(payoff));
            evs.of.iter_mut().zip(totals).for_each(|(of, counts)| of.push(counts.ev(payoff)));
        }
        Ok(evs)
    }

    /// Returns the mean or the greatest of the regrets against the opponents.
    pub fn regret(&self, regrets: &[Ratio]) -> Ratio {
        match self.objective {
            Objective::Mean => mean(regrets),
            Objective::Worst => regrets.iter().copied().max().unwrap_or(Ratio::ZERO),
        }
    }
}

impl Evs {
    /// Returns the regrets of a strategy by opponent.
    pub fn regrets(&self, strategy: usize) -> Vec<Ratio> {
        self.best.iter().zip(&self.of[strategy]).map(|(&best, &ev)| best - ev).collect()
    }
}

/// Returns the mean of ratios; zero of none.
pub fn mean(values: &[Ratio]) -> Ratio {
    let sum = values.iter().fold(Ratio::ZERO, |sum, &value| sum + value);
    Ratio::new(sum.numerator(), sum.denominator() * values.len().max(1) as i128)
}
