//! Grades settings, for the player and for the bank, by their exact EVs on a set of seeded hands.

use super::config::BankingExperiment;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Dealt, Game, Hand, Setting, Strategy};
use houseway_exact::pai_gow::whole::{Payoff, Side};
use houseway_exact::pai_gow::{BANKER_HANDS, BankerTable, HandEvaluator};
use houseway_lab::analysis::pai_gow::table_run::TableWay;
use houseway_learned::NamedValues;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The lane of the stream that deals the hands.
const HANDS: u64 = 1;

/// The role in which a hand is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The player, against the house bank.
    Player,
    /// The bank, against the other players.
    Bank,
}

impl Role {
    pub const BOTH: [Role; 2] = [Role::Player, Role::Bank];

    /// Returns the name used in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Bank => "bank",
        }
    }
}

/// A strategy's score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettingScore {
    /// The role in which the hands are set.
    pub role: Role,
    /// The strategy's name.
    pub name: String,
    /// The exact EV per chip over all deals. For the player, it is against the house. For the bank, it is the mean over
    /// the other players' strategies that were known before training. `None` for the bank's optimum because that is
    /// only known for individual hands.
    pub ev: Option<f64>,
    /// The mean EV lost on the seeded hands compared with their best settings.
    pub regret: f64,
    /// The regret's 95% confidence interval. The only source of error is the choice of hands.
    pub regret_ci: [f64; 2],
    /// The fraction of hands that are set optimally.
    pub agreement: f64,
}

/// One EV per setting. `None` marks a foul.
type Values = [Option<f64>; Setting::COUNT];

/// A set of seeded hands, along with every setting's exact EV.
pub struct SettingExam {
    hands: Vec<Hand>,
    values: [Vec<Values>; 2],
}

impl SettingExam {
    /// Draws the hands and enumerates their settings. This takes several seconds.
    pub fn draw(experiment: &BankingExperiment, game: &Game) -> anyhow::Result<SettingExam> {
        let table = |name: &String| Ok(BankerTable::new(&TableWay::load(name, game)?));
        let house = table(&experiment.house_way)?;
        let players: Vec<BankerTable> = experiment.fixed().map(table).collect::<anyhow::Result<_>>()?;
        let config = experiment.situations;
        let mut rng = config.stream(HANDS);
        let deal = |_| Dealt::random(&mut rng).hand();
        let hands: Vec<Hand> = (0..config.hands).map(deal).collect();
        let bank = Payoff::player(experiment.rules.commission_on_one_bet());
        let as_player = ([&house].to_vec(), Side::Player, Payoff::player(game.rules().commission));
        let as_bank = (players.iter().collect(), Side::Banker, bank);
        let values = [as_player, as_bank].map(|(others, side, payoff)| {
            let counters: Vec<HandEvaluator<'_>> = others.iter().map(|other| HandEvaluator::new(game, other)).collect();
            hands.par_iter().map(|&hand| values(&counters, side, payoff, hand)).collect()
        });
        Ok(SettingExam { hands, values })
    }

    /// Returns the number of hands.
    pub fn hands(&self) -> usize {
        self.hands.len()
    }

    /// Returns a view of the hands in one role.
    pub fn role(&self, role: Role) -> RoleExam<'_> {
        RoleExam { exam: self, role }
    }
}

/// Returns the EVs averaged over the other side's strategies.
fn values(counters: &[HandEvaluator<'_>], side: Side, payoff: Payoff, hand: Hand) -> Values {
    let counted: Vec<_> = counters.iter().map(|counter| counter.count_for(side, hand)).collect();
    let one = 1.0 / (counters.len() as f64 * BANKER_HANDS as f64 * f64::from(Rate::WHOLE));
    std::array::from_fn(|i| {
        let setting = Setting::from_index(i)?;
        let gains = counted.iter().map(|counts| counts.get(setting));
        let gain =
            |counts: houseway_exact::pai_gow::whole::DealCounts| payoff.gain(counts.wins as i64, counts.losses as i64);
        Some(gains.map(|counts| counts.map(gain)).sum::<Option<i64>>()? as f64 * one)
    })
}

/// A view of the hands in one role.
#[derive(Clone, Copy)]
pub struct RoleExam<'a> {
    exam: &'a SettingExam,
    role: Role,
}

impl RoleExam<'_> {
    /// Scores a strategy. `ev` is its exact EV over all deals.
    pub fn score(&self, name: &str, strategy: &dyn Strategy, ev: Option<f64>) -> SettingScore {
        let settings = strategy.set_batch(&self.exam.hands);
        self.score_of(name, |i, values| values[settings[i].index()].expect("strategies do not foul"), ev)
    }

    /// Scores the strategy that chooses the best setting for each hand.
    pub fn optimum(&self, ev: Option<f64>) -> SettingScore {
        self.score_of("optimum", |_, values| best(values), ev)
    }

    fn score_of(&self, name: &str, value: impl Fn(usize, &Values) -> f64, ev: Option<f64>) -> SettingScore {
        let values = &self.exam.values[self.role as usize];
        let lost: Vec<f64> = values.iter().enumerate().map(|(i, all)| best(all) - value(i, all)).collect();
        let n = lost.len() as f64;
        let mean = lost.iter().sum::<f64>() / n;
        let squares = lost.iter().map(|lost| (lost - mean).powi(2)).sum::<f64>() / n;
        let half = 1.96 * (squares / n).sqrt();
        SettingScore {
            role: self.role,
            name: name.to_owned(),
            ev,
            regret: mean,
            regret_ci: [(mean - half).max(0.0), mean + half],
            agreement: lost.iter().filter(|&&lost| lost == 0.0).count() as f64 / n,
        }
    }

    /// Returns the metrics reported during training: the strategy's regret and how often it picks the best setting.
    pub fn measure(&self, strategy: &dyn Strategy) -> NamedValues {
        let score = self.score("", strategy, None);
        vec![("regret", score.regret), ("agreement", score.agreement)]
    }
}

fn best(values: &Values) -> f64 {
    values.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::default_config;
    use houseway_exact::pai_gow::banking::{OpponentBet, best_setting};

    #[test]
    fn the_best_value_as_the_bank_is_that_of_the_exact_answer_to_all_bets() {
        let mut experiment: BankingExperiment = toml::from_str(default_config("pai-gow-table").unwrap()).unwrap();
        experiment.others = ["highest-front", "lowest-front", "random"].map(str::to_owned).to_vec();
        experiment.house_way = "highest-front".to_owned();
        experiment.situations.hands = 12;
        let game = Game::new(experiment.game);
        let exam = SettingExam::draw(&experiment, &game).unwrap();
        let table = |name: &String| BankerTable::new(&TableWay::load(name, &game).unwrap());
        let ways: Vec<_> = experiment.fixed().map(table).collect();
        let bets: Vec<_> = ways.iter().map(|way| OpponentBet { bet: 1, way }).collect();
        assert_eq!((ways.len(), exam.hands()), (2, 12));
        for (&hand, values) in exam.hands.iter().zip(&exam.values[Role::Bank as usize]) {
            let (setting, ev) =
                best_setting(&game, hand, &bets, Payoff::player(experiment.rules.commission_on_one_bet()));
            assert!((best(values) - ev.value() / 2.0).abs() < 1e-12);
            assert!((values[setting.index()].unwrap() - best(values)).abs() < 1e-12);
        }
        let optimum = exam.role(Role::Bank).optimum(None);
        assert_eq!((optimum.regret, optimum.agreement), (0.0, 1.0));
        let low = exam.role(Role::Player).score("low", &TableWay::load("lowest-front", &game).unwrap(), Some(0.5));
        assert!(low.regret > 0.0 && low.agreement < 1.0 && low.ev == Some(0.5));
    }
}
