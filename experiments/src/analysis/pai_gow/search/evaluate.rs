//! Exact EVs against all opponents of a question.

use super::Question;
use crate::analysis::pai_gow::progress::with_progress;
use houseway_env::pai_gow::Strategy;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::search::Objective;
use houseway_exact::pai_gow::whole::{BestResponse, Cancelled, Chooser, FullGame};
use std::sync::atomic::AtomicBool;

/// EVs of strategies against each opponent.
pub(super) struct Evs {
    /// EV of the best response by opponent.
    pub(super) best: Vec<Ratio>,
    /// EVs by strategy and opponent.
    pub(super) of: Vec<Vec<Ratio>>,
}

/// Evaluates strategies and the best response over all deals, in a pass for each opponent.
///
/// # Errors
/// If it was stopped.
pub(super) fn evaluate(question: &Question, tables: &[&BankerTable], stop: &AtomicBool) -> Result<Evs, Cancelled> {
    let payoff = question.seat.payoff(&question.game.rules());
    let best = BestResponse(payoff);
    let choosers: Vec<&dyn Chooser> =
        std::iter::once(&best as &dyn Chooser).chain(tables.iter().map(|&table| table as &dyn Chooser)).collect();
    let mut evs = Evs { best: Vec::new(), of: vec![Vec::new(); tables.len()] };
    for opponent in &question.opponents {
        let whole = FullGame::new(&question.game, question.seat.side(), &BankerTable::new(opponent));
        let label = format!("evaluating against {}", opponent.name());
        let mut totals = with_progress(&label, stop, |run| whole.totals(&choosers, run))?.into_iter();
        evs.best.push(totals.next().expect("the best response").ev(payoff));
        evs.of.iter_mut().zip(totals).for_each(|(of, counts)| of.push(counts.ev(payoff)));
    }
    Ok(evs)
}

impl Evs {
    /// Returns the regrets of a strategy by opponent.
    pub(super) fn regrets(&self, strategy: usize) -> Vec<Ratio> {
        self.best.iter().zip(&self.of[strategy]).map(|(&best, &ev)| best - ev).collect()
    }
}

impl Question {
    /// Returns the mean or the greatest of the regrets against the opponents.
    pub(super) fn regret(&self, regrets: &[Ratio]) -> Ratio {
        match self.objective {
            Objective::Mean => mean(regrets),
            Objective::Worst => regrets.iter().copied().max().unwrap_or(Ratio::ZERO),
        }
    }
}

/// Returns the mean of ratios; zero of none.
pub(super) fn mean(values: &[Ratio]) -> Ratio {
    let sum = values.iter().fold(Ratio::ZERO, |sum, &value| sum + value);
    Ratio::new(sum.numerator(), sum.denominator() * values.len().max(1) as i128)
}
