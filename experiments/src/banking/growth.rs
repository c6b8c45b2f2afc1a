//! Compares answers by their exact expected log growth against one opponent.

use super::exact::Exact;
use super::lab::{Bankers, BankingLab};
use houseway_env::money::Rate;
use houseway_env::money::{Chips, commission};
use houseway_env::pai_gow::table::{TableRules, UncoveredBets};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::banking::{OutcomeWeights, kelly};
use houseway_exact::pai_gow::whole::Payoff;
use houseway_learned::tasks::banking::{ANSWERS, BankOffer, Objective};
use serde::{Deserialize, Serialize};

/// The lane of the stream that draws these situations.
const SITUATIONS: u64 = 2;

/// The bankroll growth that an agent achieves with its answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrowthScore {
    /// The agent's name.
    pub name: String,
    /// The mean expected log growth of the bankroll per round.
    pub growth: f64,
    /// The mean growth lost compared with the best answers, or a negative number if some other stake beats all of them.
    pub regret: f64,
    /// The regret's 95% confidence interval. The only source of error is the choice of situations.
    pub regret_ci: [f64; 2],
    /// The fraction of situations in which the agent's answer grows the bankroll at least as much as the highest-valued
    /// answer.
    pub agreement: f64,
}

/// A set of seeded situations with one opponent, and the growth that each answer achieves.
pub struct GrowthExam {
    situations: Vec<BankOffer>,
    values: Vec<[f64; ANSWERS]>,
}

/// Returns the expected log growth for a bet that wins or loses the given numbers of chips.
fn log_growth(funds: Chips, weights: &OutcomeWeights, win: Chips, loss: Chips) -> f64 {
    let log = |chips: Chips| (1.0 + chips as f64 / funds as f64).ln();
    (weights.wins as f64 * log(win) + weights.losses as f64 * log(-loss)) / weights.all() as f64
}

/// Returns the expected log growth for a bank with a positive stake against one bet. The weights are from the bank's
/// perspective.
fn bank_growth(
    rules: &TableRules,
    rate: Rate,
    funds: Chips,
    bet: Chips,
    stake: Chips,
    weights: &OutcomeWeights,
) -> f64 {
    let covered = bet.min(stake);
    let won = match rules.uncovered_bets {
        UncoveredBets::Push => covered,
        UncoveredBets::Lose => bet,
    };
    log_growth(funds, weights, won - commission(rate, won), covered)
}

impl GrowthExam {
    /// Draws as many situations as there are of each kind in the comparison with the exact rule.
    pub fn draw(lab: &BankingLab) -> GrowthExam {
        let config = lab.experiment.situations;
        let mut rng = config.stream(SITUATIONS);
        let (mut situations, mut values) = (vec![], vec![]);
        while situations.len() < config.number / 2 {
            let mut situation = BankOffer::draw(&lab.table, &mut rng);
            situation.others[1..].fill(None);
            // Ensure that a single bet can't take the entire bankroll.
            situation.funds = situation.funds.max(2 * situation.money());
            values.push(std::array::from_fn(|answer| match answer {
                0 => pass(lab, &lab.exact, &situation),
                _ => bank(lab, &situation, situation.stake(&lab.table.rules, answer)),
            }));
            situations.push(situation);
        }
        GrowthExam { situations, values }
    }

    /// Returns the number of situations.
    pub fn situations(&self) -> usize {
        self.situations.len()
    }

    /// Returns the scores for the best answers, never banking, exact Kelly and the learned bankers.
    pub fn scores(&self, lab: &BankingLab, bankers: &Bankers) -> Vec<GrowthScore> {
        let best = self.values.iter().map(best).collect();
        let payoff = Payoff::player(lab.experiment.rules.commission_on_one_bet());
        let by_kelly = |situation: &BankOffer| {
            let opponent = situation.others[0].expect("there is one opponent");
            let share = kelly(lab.exact.against[opponent.way], payoff);
            let stake = ((share.value() * situation.funds as f64).floor() as Chips).min(opponent.bet);
            match share > Ratio::ZERO && stake >= lab.table.rules.bank_minimum {
                true => bank(lab, situation, stake),
                false => pass(lab, &lab.exact, situation),
            }
        };
        let mut scores = vec![
            self.score("best answer", best),
            self.score("never bank", self.values.iter().map(|values| values[0]).collect()),
            self.score("exact Kelly", self.situations.iter().map(by_kelly).collect()),
        ];
        for (name, banker) in bankers.named(&lab.experiment.seeds) {
            let batches = self.situations.chunks(1_024);
            let answers = batches.flat_map(|batch| banker.answers(batch, Objective::Growth));
            let values = answers.zip(&self.values).map(|(answer, values)| values[answer]).collect();
            scores.push(self.score(&name, values));
        }
        scores
    }

    fn score(&self, name: &str, growth: Vec<f64>) -> GrowthScore {
        let n = growth.len() as f64;
        let lost: Vec<f64> = self.values.iter().zip(&growth).map(|(values, own)| best(values) - own).collect();
        let regret = lost.iter().sum::<f64>() / n;
        let variance = lost.iter().map(|lost| (lost - regret).powi(2)).sum::<f64>() / n;
        let half = 1.96 * (variance / n).sqrt();
        GrowthScore {
            name: name.to_owned(),
            growth: growth.iter().sum::<f64>() / n,
            regret,
            regret_ci: [regret - half, regret + half],
            agreement: lost.iter().filter(|&&lost| lost <= 0.0).count() as f64 / n,
        }
    }
}

fn best(values: &[f64; ANSWERS]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn pass(lab: &BankingLab, exact: &Exact, situation: &BankOffer) -> f64 {
    let own = situation.own;
    let win = own - commission(lab.table.game.rules().commission, own);
    log_growth(situation.funds, &exact.own.other_side(), win, own)
}

fn bank(lab: &BankingLab, situation: &BankOffer, stake: Chips) -> f64 {
    let opponent = situation.others[0].expect("there is one opponent");
    let (rules, rate) = (&lab.table.rules, lab.experiment.rules.commission_on_one_bet());
    bank_growth(rules, rate, situation.funds, opponent.bet, stake, &lab.exact.against[opponent.way])
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_exact::pai_gow::banking::single_bet;
    use houseway_exact::pai_gow::whole::DealCounts;

    #[test]
    fn growth_is_that_of_the_exact_distribution() {
        let counts: DealCounts = DealCounts { wins: 36, pushes: 34, losses: 30, ..DealCounts::default() };
        let rules = TableRules::default();
        for stake in [20, 60, 100] {
            let exact = single_bet(&rules, 100, stake, &counts).log_growth(1_000);
            let found = bank_growth(&rules, rules.bank_commission, 1_000, 100, stake, &counts.into());
            assert!((found - exact).abs() < 1e-15, "{found} {exact}");
        }
    }
}
