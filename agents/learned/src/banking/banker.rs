//! A trained network as a banker.

use super::rows::{CONTEXT, row_len, write_context, write_row};
use super::situation::{ANSWERS, BankingTable, Situation, TAKE_ALL};
use crate::candidates::CandidateTensors;
use crate::network::Scorer;
use burn::module::Module;
use burn::prelude::*;
use houseway_env::money::Chips;
use std::sync::Arc;

/// What a banker wants most of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Expected profit. It covers all bets or passes.
    Profit,
    /// Expected profit. It chooses among the stakes.
    Stake,
    /// Expected logarithm of the growth of its chips. It chooses among the stakes.
    Growth,
}

/// Answers as the network values highest.
pub struct LearnedBanker {
    table: Arc<BankingTable>,
    network: Scorer,
    device: Device,
}

/// The rows of situations, one for each answer, on a device.
pub(super) fn tensors(table: &BankingTable, situations: &[Situation], device: &Device) -> CandidateTensors {
    let mut rows = Vec::with_capacity(situations.len() * ANSWERS * row_len(table));
    let mut context = Vec::with_capacity(situations.len() * CONTEXT);
    for situation in situations {
        write_context(situation, &mut context);
        (0..ANSWERS).for_each(|answer| write_row(table, situation, answer, &mut rows));
    }
    CandidateTensors::new(&rows, &context, &vec![ANSWERS; situations.len()], device)
}

impl LearnedBanker {
    /// A banker by this network.
    pub fn new(table: Arc<BankingTable>, network: &Scorer) -> LearnedBanker {
        LearnedBanker { table, network: network.valid(), device: Device::flex() }
    }

    /// What it learned under.
    pub fn table(&self) -> &BankingTable {
        &self.table
    }

    /// The values of all answers: profit in chips, and growth as a logarithm.
    ///
    /// # Panics
    /// If there is no situation.
    pub fn values(&self, situations: &[Situation]) -> Vec<[[f64; 2]; ANSWERS]> {
        let out = self.network.forward(&tensors(&self.table, situations, &self.device));
        let out = out.into_data().try_to_vec::<f32>().expect("values are floats");
        let of = |(situation, out): (&Situation, &[f32])| {
            let (money, funds) = (situation.money() as f64, situation.funds as f64);
            std::array::from_fn(|answer| {
                [f64::from(out[2 * answer]) * money, f64::from(out[2 * answer + 1]) * money / funds]
            })
        };
        situations.iter().zip(out.chunks_exact(2 * ANSWERS)).map(of).collect()
    }

    /// The answers, 0 to pass, the lowest of equal ones.
    pub fn answers(&self, situations: &[Situation], objective: Objective) -> Vec<usize> {
        self.values(situations).iter().map(|values| best(values, objective).0).collect()
    }

    /// The stake with which it takes the bank, or `None` to pass.
    pub fn stake(&self, situation: &Situation, objective: Objective) -> Option<Chips> {
        let answer = self.answers(std::slice::from_ref(situation), objective)[0];
        (answer > 0).then(|| situation.stake(&self.table.rules, answer))
    }

    /// The bet, among these, with which the best answer to the situation is worth most; the first of equal ones.
    ///
    /// # Panics
    /// If there is none.
    pub fn bet(&self, situation: &Situation, bets: &[Chips], objective: Objective) -> Chips {
        let situations: Vec<Situation> = bets.iter().map(|&own| Situation { own, ..*situation }).collect();
        let values = self.values(&situations);
        let values = bets.iter().zip(&values).map(|(&bet, values)| (bet, best(values, objective).1));
        values.reduce(|best, next| if next.1 > best.1 { next } else { best }).expect("there is a bet").0
    }
}

/// The best answer and its value.
fn best(values: &[[f64; 2]; ANSWERS], objective: Objective) -> (usize, f64) {
    let answers: &[usize] = match objective {
        Objective::Profit => &[0, TAKE_ALL],
        Objective::Stake | Objective::Growth => &[0, 1, 2, 3, 4, 5, TAKE_ALL],
    };
    let value = |answer: usize| values[answer][usize::from(objective == Objective::Growth)];
    let best = answers.iter().copied().reduce(|best, next| if value(next) > value(best) { next } else { best });
    let best = best.expect("there are answers");
    (best, value(best))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_answer_is_the_first_of_the_best() {
        let mut values = [[0.0; 2]; ANSWERS];
        assert_eq!(best(&values, Objective::Growth), (0, 0.0));
        values[2] = [5.0, 0.5];
        values[3] = [4.0, 0.5];
        assert_eq!(best(&values, Objective::Growth), (2, 0.5));
        // Parts of a bank are not for profit, if stakes are not to be chosen.
        assert_eq!(best(&values, Objective::Profit), (0, 0.0));
        assert_eq!(best(&values, Objective::Stake), (2, 5.0));
        values[TAKE_ALL][0] = 1.0;
        assert_eq!(best(&values, Objective::Profit), (TAKE_ALL, 1.0));
    }
}
