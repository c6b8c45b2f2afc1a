//! Compares answers with the exact rule in seeded situations.

use super::config::SituationsConfig;
use super::exact::Exact;
use houseway_learned::tasks::banking::{BankOffer, BankingTable, LearnedBanker, Objective};
use serde::{Deserialize, Serialize};

/// The lane of the stream that draws the situations.
const SITUATIONS: u64 = 0;

/// A set of seeded situations, along with each answer's exact value.
pub struct Examination {
    /// The situations. The bank has the higher EV in one half, and the player's own bet has it in the other.
    pub situations: Vec<BankOffer>,
    /// The EVs of banking and of the player's own bet, per chip of all bets.
    pub values: Vec<(f64, f64)>,
    /// The number of situations drawn, including those left out.
    pub drawn: usize,
    /// The number of drawn situations that favored banking.
    pub drawn_take: usize,
}

/// An agent's score for its answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerScore {
    /// The agent's name.
    pub name: String,
    /// The agent's mean EV, per chip of all bets.
    pub ev: f64,
    /// The mean EV lost compared with the best answers, per chip of all bets.
    pub regret: f64,
    /// The regret's 95% confidence interval. The only source of error is the choice of situations.
    pub regret_ci: Option<[f64; 2]>,
    /// The fraction of answers that agree with the exact rule.
    pub agreement: f64,
}

impl Examination {
    /// Draws situations until there are enough of both kinds. The funds always cover all bets.
    pub fn draw(config: SituationsConfig, table: &BankingTable, exact: &Exact) -> Examination {
        let each = config.number / 2;
        let mut rng = config.stream(SITUATIONS);
        let mut kinds: [Vec<(BankOffer, (f64, f64))>; 2] = Default::default();
        let (mut drawn, mut drawn_take) = (0, 0);
        while kinds.iter().any(|kind| kind.len() < each) {
            let mut situation = BankOffer::draw(table, &mut rng);
            situation.funds = situation.funds.max(situation.money());
            let (take, pass) = exact.values(&situation);
            let better = (take - pass).value();
            (drawn, drawn_take) = (drawn + 1, drawn_take + usize::from(better > 0.0));
            if better.abs() < config.margin * situation.against() as f64 {
                continue;
            }
            let kind = &mut kinds[usize::from(better > 0.0)];
            if kind.len() < each {
                let money = situation.money() as f64;
                kind.push((situation, (take.value() / money, pass.value() / money)));
            }
        }
        let (situations, values) = kinds.into_iter().flatten().unzip();
        Examination { situations, values, drawn, drawn_take }
    }

    /// Returns the exact rule's answers, where `true` means to take the bank.
    pub fn exact(&self) -> Vec<bool> {
        self.values.iter().map(|(take, pass)| take > pass).collect()
    }

    /// Returns a learned banker's answers when maximizing profit, where `true` means to take the bank.
    pub fn answers(&self, banker: &LearnedBanker) -> Vec<bool> {
        let batches = self.situations.chunks(1_024);
        batches.flat_map(|batch| banker.answers(batch, Objective::Profit)).map(|answer| answer > 0).collect()
    }

    /// Scores an agent that takes the bank in the situations marked `true`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::table::{CommissionOnBanker, TableRules};
    use houseway_env::pai_gow::{Game, ProfileTable, Rules};
    use houseway_exact::pai_gow::banking::OutcomeWeights;
    use houseway_learned::tasks::banking::SeatStrategy;
    use std::sync::Arc;

    /// Returns the exact EVs at a table with two kinds of players, of whom one usually wins against the bank.
    fn exact() -> Exact {
        let game = Arc::new(Game::new(Rules::default()));
        let way = SeatStrategy::Way(Arc::new(ProfileTable::max_front(&game)));
        let table = BankingTable {
            rules: TableRules { commission_on_banker: CommissionOnBanker::PerBet, ..TableRules::default() },
            game,
            ways: vec![way, SeatStrategy::Random],
            others: 2,
            own: 0,
            banker: 0,
            house: 0,
            hash: "test".to_owned(),
        };
        let weights = |wins, losses| OutcomeWeights {
            wins,
            pushes: 100 - wins - losses,
            losses,
            copies_front: 0,
            copies_back: 0,
        };
        let (even, weak) = (weights(30, 30), weights(25, 35));
        Exact { table: Arc::new(table), against: vec![weak, weights(34, 30)], own: even, rival: even }
    }

    #[test]
    fn the_drawn_situations_include_those_within_the_margin() {
        let exact = exact();
        let config = SituationsConfig { number: 200, margin: 0.009, ..SituationsConfig::default() };
        let found = Examination::draw(config, &exact.table, &exact);
        let (mut rng, mut takes, mut left_out) = (config.stream(SITUATIONS), 0, 0);
        for _ in 0..found.drawn {
            let mut situation = BankOffer::draw(&exact.table, &mut rng);
            situation.funds = situation.funds.max(situation.money());
            let (take, pass) = exact.values(&situation);
            takes += usize::from(take > pass);
            left_out += usize::from((take - pass).value().abs() < config.margin * situation.against() as f64);
        }
        assert_eq!((found.drawn_take, found.situations.len()), (takes, 200));
        assert!(left_out > 0 && found.drawn > 200, "{left_out} of {}", found.drawn);
        assert!(found.values.iter().filter(|(take, pass)| take > pass).count() == 100);
    }
}
