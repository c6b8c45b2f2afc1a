//! Turns the lists that a search finds into house ways with exact EVs.

use super::beam::{Found, Search};
use super::finish::PricedRule;
use super::list::FoundRule;
use super::loss;
use super::opponents::{OpponentSearch, OpponentState};
use super::problem::{Evs, Passes, Problem, mean};
use crate::pai_gow::BankerTable;
use crate::ratio::Ratio;
use crate::solver::SolverError;
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use std::ops::RangeInclusive;

/// The maximum difference between predicted and exact EVs. Some tolerance is needed because each profile's loss is
/// rounded.
const ROUNDING: f64 = 2e-9;

/// A list of rules found by a search.
pub struct FoundList {
    found: Found,
    /// The house way.
    pub way: HouseWay,
    /// The text of the house way.
    pub toml: String,
    /// The mean EV against all opponents.
    pub ev: Ratio,
    /// The EV of the best response minus the list's EV, for each opponent.
    pub regrets: Vec<Ratio>,
    /// The mean or the maximum of the regrets, depending on the problem's objective.
    pub regret: Ratio,
    /// A lower bound on the loss for any list with this length.
    pub bound: f64,
    /// The rules and their prices.
    pub priced: Vec<PricedRule>,
    /// The text and the gain of the best additional rule.
    pub next: Option<(String, f64)>,
}

impl FoundList {
    /// Writes a list as a house way and compiles it. The EV is only a placeholder until [`Problem::verify`] computes
    /// it.
    fn new(problem: &Problem, search: &Search<'_>, rules: &[FoundRule], bound: i64) -> Result<FoundList, SolverError> {
        let found = search.evaluate(rules.to_vec());
        let priced = search.priced(&found);
        let suffix = if problem.seat() == "player" { "" } else { "-banker" };
        let name = format!("found-{}{suffix}", found.rules.len());
        let rules: String = priced.iter().map(|rule| format!("\n{}", rule.toml)).collect();
        let toml = format!(
            "# A complete hand is a straight, a flush or better. Pairs add up with J = 11, Q = 12, K = 13, A = 14; the joker is an\n\
             # ace. Where a rule leaves a choice, the highest front is set; a hand that a rule cannot set goes to the next one.\n\n\
             name = \"{name}\"\ntitle = \"Best list of {} rules found\"\n\
             source = \"houseway search, as the {}, against {}\"\n{rules}",
            found.rules.len(),
            problem.seat(),
            problem.against(),
        );
        let way = Way::parse(&toml, &format!("{name}.toml")).map_err(SolverError::failed)?;
        let way = HouseWay::compile(way, &problem.game).map_err(SolverError::failed)?;
        let next = search.next_rule(&found).map(|(next, toml)| (text_of(&toml), loss(found.loss - next.loss)));
        let (ev, regrets, regret) = (Ratio::ZERO, Vec::new(), Ratio::ZERO);
        Ok(FoundList { way, toml, ev, regrets, regret, bound: loss(bound), priced, next, found })
    }

    /// Returns the number of rules.
    pub fn rules(&self) -> usize {
        self.found.rules.len()
    }

    /// Returns the number of bounds.
    pub fn bounds(&self) -> usize {
        self.way.way().bounds()
    }

    /// Returns the number of words in all rules.
    pub fn words(&self) -> usize {
        self.way.way().rules().iter().map(|rule| rule.words()).sum()
    }

    /// Returns the mean loss from removing a rule, or `None` for the last rule.
    pub fn without(&self, rule: usize) -> Option<f64> {
        self.priced[rule].without.map(loss)
    }
}

/// Returns the sentence of a rule given in the house way language.
fn text_of(toml: &str) -> String {
    let text = toml.lines().find_map(|line| line.strip_prefix("text = \"")?.strip_suffix('"'));
    text.unwrap_or_default().to_owned()
}

impl Problem {
    /// Returns the found lists as house ways. A longer list is included only if it loses less. [`Problem::verify`]
    /// fills in the EVs later.
    ///
    /// # Errors
    /// Returns an error if a list can't be compiled to a house way. This is a bug in the search.
    pub fn lists(
        &self,
        search: &OpponentSearch<'_>,
        state: &OpponentState,
        rules: &RangeInclusive<usize>,
    ) -> Result<Vec<FoundList>, SolverError> {
        let bounds = search.bounds(state, *rules.end());
        let mean = search.mean();
        let prices = Search::new(&mean, self.limits());
        let mut lists: Vec<FoundList> = Vec::new();
        let mut least = i64::MAX;
        for found in state.best.iter().flatten() {
            let loss = search.loss(found);
            if rules.contains(&found.len()) && loss < least {
                least = loss;
                lists.push(FoundList::new(self, &prices, found, bounds[found.len() - 1])?);
            }
        }
        Ok(lists)
    }

    /// Evaluates the found lists and then `others` over all deals. Each list is evaluated as the house way parsed from
    /// its own text.
    ///
    /// # Errors
    /// Returns an error if the evaluation is cancelled or if a predicted EV differs from the exact EV.
    pub fn verify(
        &self,
        search: &OpponentSearch<'_>,
        lists: &mut [FoundList],
        others: &[&BankerTable],
        passes: &impl Passes,
    ) -> Result<Evs, SolverError> {
        let own: Vec<BankerTable> = lists.iter().map(|list| BankerTable::new(&list.way)).collect();
        let tables: Vec<&BankerTable> = own.iter().chain(others.iter().copied()).collect();
        let evs = self.evaluate(&tables, passes)?;
        for (i, list) in lists.iter_mut().enumerate() {
            list.ev = mean(&evs.of[i]);
            list.regrets = evs.regrets(i);
            list.regret = self.regret(&list.regrets);
            for (predicted, exact) in search.losses(&list.found.rules).into_iter().zip(&list.regrets) {
                let (predicted, exact) = (loss(predicted), exact.value());
                if (predicted - exact).abs() > ROUNDING {
                    return Err(SolverError::Failed(format!(
                        "{}: the search predicts a loss of {predicted}, but it is {exact}; this is a bug",
                        list.way.name()
                    )));
                }
            }
        }
        Ok(evs)
    }
}
