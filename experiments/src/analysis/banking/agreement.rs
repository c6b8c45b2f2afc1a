<<<<<<< HEAD
//! Comparison of decisions with the exact rule on seeded situations.
=======
//! Comparison of answers with the exact rule, on seeded situations.
>>>>>>> main

use super::config::SituationsConfig;
use super::exact::Exact;
use houseway_env::gym::stream;
use houseway_learned::tasks::banking::{BankingTable, LearnedBanker, Objective, Situation};
use serde::{Deserialize, Serialize};

/// Seeded situations with the exact values of both decisions.
pub struct Examination {
<<<<<<< HEAD
    /// Situations; banking has the higher EV in half of them, the own bet in the other half.
=======
    /// The situations: in half of them the bank has the higher EV, in half the own bet.
>>>>>>> main
    pub situations: Vec<Situation>,
    /// EV of banking and of the own bet, per chip of all bets.
    pub values: Vec<(f64, f64)>,
<<<<<<< HEAD
    /// Total number of situations drawn.
    pub drawn: usize,
    /// Number of these in which banking had the higher EV.
    pub drawn_take: usize,
}

/// Score of an agent's decisions.
=======
    /// Number of situations drawn.
    pub drawn: usize,
    /// Number of those in which the bank had the higher EV.
    pub drawn_take: usize,
}

/// Score of an agent's answers.
>>>>>>> main
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerScore {
    /// Name of the agent.
    pub name: String,
    /// Mean EV of its decisions, per chip of all bets.
    pub ev: f64,
    /// Mean regret, per chip of all bets.
    pub regret: f64,
<<<<<<< HEAD
    /// 95% confidence interval of the regret; the only source of error is the sample of situations.
    pub regret_ci: Option<[f64; 2]>,
    /// Fraction of the situations in which it agrees with the exact rule.
=======
    /// 95% confidence interval of the regret; the only error is that of drawing the situations.
    pub regret_ci: Option<[f64; 2]>,
    /// Fraction of the situations answered like the exact rule.
>>>>>>> main
    pub agreement: f64,
}

impl Examination {
    /// Draws situations until there are enough of both kinds. The funds cover all bets.
    pub fn draw(config: SituationsConfig, table: &BankingTable, exact: &Exact) -> Examination {
        let each = config.number / 2;
        let mut rng = stream(config.seed.into());
        let mut kinds: [Vec<(Situation, (f64, f64))>; 2] = Default::default();
        let (mut drawn, mut drawn_take) = (0, 0);
        while kinds.iter().any(|kind| kind.len() < each) {
            let mut situation = Situation::draw(table, &mut rng);
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

<<<<<<< HEAD
    /// Returns the decisions of the exact rule by situation.
=======
    /// Answers of the exact rule: true where it takes the bank.
>>>>>>> main
    pub fn exact(&self) -> Vec<bool> {
        self.values.iter().map(|(take, pass)| take > pass).collect()
    }

<<<<<<< HEAD
    /// Returns the decisions of a learned banker that maximizes profit, by situation.
=======
    /// Answers of a learned banker for profit: true where it takes the bank.
>>>>>>> main
    pub fn answers(&self, banker: &LearnedBanker) -> Vec<bool> {
        let batches = self.situations.chunks(1_024);
        batches.flat_map(|batch| banker.answers(batch, Objective::Profit)).map(|answer| answer > 0).collect()
    }

<<<<<<< HEAD
    /// Scores an agent by its decisions to bank.
=======
    /// Scores an agent that takes the bank in these situations.
>>>>>>> main
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
