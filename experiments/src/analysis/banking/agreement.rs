//! Comparison of answers with the exact rule in seeded situations.

use super::config::SituationsConfig;
use super::exact::Exact;
use houseway_env::gym::stream;
use houseway_learned::tasks::banking::{BankOffer, BankingTable, LearnedBanker, Objective};
use serde::{Deserialize, Serialize};

/// Seeded situations with the exact values of both answers.
pub struct Examination {
    /// The situations. The bank has the higher EV in half of them, and the player's own bet in the other half.
    pub situations: Vec<BankOffer>,
    /// EVs of the bank and of the player's own bet, per chip of all bets.
    pub values: Vec<(f64, f64)>,
    /// Number of situations drawn.
    pub drawn: usize,
    /// Number of drawn situations in which the bank had the higher EV.
    pub drawn_take: usize,
}

/// Score of an agent's answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerScore {
    /// Name of the agent.
    pub name: String,
    /// Mean EV of the agent's answers, per chip of all bets.
    pub ev: f64,
    /// Mean EV of the best answers minus that of the agent's answers, per chip of all bets.
    pub regret: f64,
    /// 95% confidence interval of the regret, whose only error is the sampling of situations.
    pub regret_ci: Option<[f64; 2]>,
    /// Fraction of situations in which the answer agrees with the exact rule.
    pub agreement: f64,
}

impl Examination {
    /// Draws situations until there are enough of both kinds. The funds cover all bets.
    pub fn draw(config: SituationsConfig, table: &BankingTable, exact: &Exact) -> Examination {
        let each = config.number / 2;
        let mut rng = stream(config.seed.into());
        let mut kinds: [Vec<(BankOffer, (f64, f64))>; 2] = Default::default();
        let (mut drawn, mut drawn_take) = (0, 0);
        while kinds.iter().any(|kind| kind.len() < each) {
            let mut situation = BankOffer::draw(table, &mut rng);
            situation.funds = situation.funds.max(situation.money());
            let (take, pass) = exact.values(&situation);
            let better = (take - pass).value();
            if better.abs() < config.margin * situation.against() as f64 {
                continue;
            }
            (drawn, drawn_take) = (drawn + 1, drawn_take + usize::from(better > 0.0));
            let kind = &mut kinds[usize::from(better > 0.0)];
            if kind.len() < each {
                let money = situation.money() as f64;
                kind.push((situation, (take.value() / money, pass.value() / money)));
            }
        }
        let (situations, values) = kinds.into_iter().flatten().unzip();
        Examination { situations, values, drawn, drawn_take }
    }

    /// Returns the answers of the exact rule, which are true where it takes the bank.
    pub fn exact(&self) -> Vec<bool> {
        self.values.iter().map(|(take, pass)| take > pass).collect()
    }

    /// Returns the answers of a learned banker for profit, which are true where it takes the bank.
    pub fn answers(&self, banker: &LearnedBanker) -> Vec<bool> {
        let batches = self.situations.chunks(1_024);
        batches.flat_map(|batch| banker.answers(batch, Objective::Profit)).map(|answer| answer > 0).collect()
    }

    /// Scores an agent that takes the bank in the situations marked true.
    pub fn score(&self, name: &str, takes: &[bool]) -> AnswerScore {
        let n = takes.len() as f64;
        let (mut ev, mut regret, mut squares, mut agree) = (0.0, 0.0, 0.0, 0);
        for (&(take, pass), &takes) in self.values.iter().zip(takes) {
            let (own, lost) = if takes { (take, (pass - take).max(0.0)) } else { (pass, (take - pass).max(0.0)) };
            (ev, regret, squares) = (ev + own, regret + lost, squares + lost * lost);
            agree += usize::from((take > pass) == takes);
        }
        let mean = regret / n;
        let half = 1.96 * ((squares / n - mean * mean).max(0.0) / n).sqrt();
        AnswerScore {
            name: name.to_owned(),
            ev: ev / n,
            regret: mean,
            regret_ci: Some([(mean - half).max(0.0), mean + half]),
            agreement: agree as f64 / n,
        }
    }
}
