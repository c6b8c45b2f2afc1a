//! Exams in seeded situations: answers to offers of the bank against the exact rule, settings of hands against the
//! optimum, and the growth of the bankroll against exact Kelly.

use super::lab::{BankingLab, Exact};
use super::{BankingExperiment, SituationsConfig};
use anyhow::bail;
use houseway_env::money::{Chips, Rate, commission};
use houseway_env::named_enum;
use houseway_env::pai_gow::table::{TableRules, UncoveredBets};
use houseway_env::pai_gow::{Dealt, Game, Hand, Setting, Strategy};
use houseway_exact::pai_gow::banking::{OutcomeWeights, kelly_stake};
use houseway_exact::pai_gow::whole::{DealCounts, Payoff, Side};
use houseway_exact::pai_gow::{BANKER_HANDS, BankerTable, HandEvaluator};
use houseway_exact::solver::{Cancelled, PolicyScore};
use houseway_lab::analysis::pai_gow::table_run::TableWay;
use houseway_learned::tasks::banking::{ANSWERS, BankOffer, BankingTable, LearnedBanker, Objective};
use rayon::prelude::*;
use serde_json::Map;
use std::sync::atomic::{AtomicBool, Ordering};

/// The lanes of the stream that draws the situations of the two kinds of exams, and the hands.
const SITUATIONS: u64 = 0;
const HANDS: u64 = 1;
const GROWTH_SITUATIONS: u64 = 2;

/// Returns the score of an agent, given its mean value and what each of its decisions loses. The only source of error is
/// the choice of situations or hands. A decision agrees if it loses nothing.
fn score(name: &str, value: f64, lost: &[f64]) -> PolicyScore {
    let n = lost.len() as f64;
    let regret = lost.iter().sum::<f64>() / n;
    let variance = lost.iter().map(|lost| (lost - regret).powi(2)).sum::<f64>() / n;
    let half = 1.96 * (variance / n).sqrt();
    PolicyScore {
        name: name.to_owned(),
        ev: value,
        regret,
        regret_ci: Some([(regret - half).max(0.0), regret + half]),
        agreement: lost.iter().filter(|&&lost| lost <= 0.0).count() as f64 / n,
        details: Map::new(),
    }
}

fn highest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

/// The maximum number of situations to draw for each one that is needed.
const DRAWN_PER_SITUATION: usize = 1_000;

/// A set of seeded situations, along with each answer's exact value.
pub struct Examination {
    /// The situations. The bank has the higher EV in one half, and the player's own bet has it in the other.
    pub situations: Vec<BankOffer>,
    /// The EVs of banking and of the player's own bet, per chip of all bets.
    pub values: Vec<(f64, f64)>,
    /// The number of situations drawn, including those left out.
    pub drawn: usize,
    pub drawn_take: usize,
}

impl Examination {
    /// Draws situations until there are enough of both kinds. The funds always cover all bets.
    ///
    /// # Errors
    /// Returns an error if one of the kinds is too rare, or [`Cancelled`] if stopped.
    pub fn draw(
        config: SituationsConfig,
        table: &BankingTable,
        exact: &Exact,
        stop: &AtomicBool,
    ) -> anyhow::Result<Examination> {
        let each = config.number / 2;
        let mut rng = config.stream(SITUATIONS);
        let mut kinds: [Vec<(BankOffer, (f64, f64))>; 2] = Default::default();
        let (mut drawn, mut drawn_take) = (0, 0);
        while kinds.iter().any(|kind| kind.len() < each) {
            if stop.load(Ordering::Relaxed) {
                return Err(Cancelled.into());
            }
            if drawn == DRAWN_PER_SITUATION * config.number {
                let [pass, take] = kinds.map(|kind| kind.len());
                bail!(
                    "situations: of {drawn} situations, {take} favor the bank and {pass} the player's own bet by the margin of \
                     {}, and {each} of each are needed; lower margin, or use another banker-way",
                    config.margin
                );
            }
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
        Ok(Examination { situations, values, drawn, drawn_take })
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

    /// Scores an agent that takes the bank in the situations marked `true`. Its EV is per chip of all bets.
    pub fn score(&self, name: &str, takes: &[bool]) -> PolicyScore {
        let (mut ev, mut lost) = (0.0, vec![]);
        for (&(take, pass), &takes) in self.values.iter().zip(takes) {
            let own = if takes { take } else { pass };
            ev += own;
            lost.push(take.max(pass) - own);
        }
        score(name, ev / lost.len() as f64, &lost)
    }
}

named_enum! {
    pub enum Role: kebab_case {
        /// The player, against the house bank.
        Player,
        /// The bank, against the other players.
        Bank,
    }
}

/// One EV per setting. `None` marks a foul.
type Values = [Option<f64>; Setting::COUNT];

pub struct SettingExam {
    hands: Vec<Hand>,
    values: [Vec<Values>; 2],
}

impl SettingExam {
    /// Draws the hands and enumerates their settings. This takes several seconds.
    pub fn draw(experiment: &BankingExperiment, game: &Game) -> anyhow::Result<SettingExam> {
        let table = |name: &String| Ok(BankerTable::new(&*TableWay::load(name, game)?.way));
        let house = table(&experiment.house_way)?;
        let players: Vec<BankerTable> = experiment.fixed().map(table).collect::<anyhow::Result<_>>()?;
        let config = experiment.situations;
        let mut rng = config.stream(HANDS);
        let deal = |_| Dealt::random(&mut rng).hand();
        let hands: Vec<Hand> = (0..config.hands).map(deal).collect();
        let bank = Payoff::with_commission(experiment.rules.commission_on_one_bet());
        let as_player = ([&house].to_vec(), Side::Player, Payoff::player(&game.rules()));
        let as_bank = (players.iter().collect(), Side::Banker, bank);
        let values = [as_player, as_bank].map(|(others, side, payoff)| {
            let counters: Vec<HandEvaluator<'_>> = others.iter().map(|other| HandEvaluator::new(game, other)).collect();
            hands.par_iter().map(|&hand| values(&counters, side, payoff, hand)).collect()
        });
        Ok(SettingExam { hands, values })
    }

    /// Scores a strategy in a role. `ev` is its exact EV over all deals.
    pub fn score(&self, role: Role, name: &str, strategy: &dyn Strategy, ev: f64) -> PolicyScore {
        let settings = strategy.set_batch(&self.hands);
        let value = |i: usize, values: &Values| values[settings[i].index()].expect("strategies do not foul");
        score(name, ev, &self.lost(role, value))
    }

    pub fn optimum(&self, role: Role, ev: f64) -> PolicyScore {
        score("optimum", ev, &self.lost(role, |_, values| best(values)))
    }

    fn lost(&self, role: Role, value: impl Fn(usize, &Values) -> f64) -> Vec<f64> {
        let values = &self.values[role as usize];
        values.iter().enumerate().map(|(i, all)| best(all) - value(i, all)).collect()
    }
}

fn values(counters: &[HandEvaluator<'_>], side: Side, payoff: Payoff, hand: Hand) -> Values {
    let counted: Vec<_> = counters.iter().map(|counter| counter.count_for(side, hand)).collect();
    let one = 1.0 / (counters.len() as f64 * BANKER_HANDS as f64 * f64::from(Rate::WHOLE));
    std::array::from_fn(|i| {
        let setting = Setting::from_index(i)?;
        let gains = counted.iter().map(|counts| counts.get(setting));
        let gain = |counts: DealCounts| payoff.gain(counts.wins as i64, counts.losses as i64);
        Some(gains.map(|counts| counts.map(gain)).sum::<Option<i64>>()? as f64 * one)
    })
}

fn best(values: &Values) -> f64 {
    highest(values.iter().flatten().copied())
}

/// A set of seeded situations with one opponent, and the growth that each answer achieves.
pub struct GrowthExam {
    pub situations: Vec<BankOffer>,
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
    pub fn draw(lab: &BankingLab<'_>) -> GrowthExam {
        let config = lab.experiment.situations;
        let mut rng = config.stream(GROWTH_SITUATIONS);
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

    /// Returns the scores for the best answers, never banking, exact Kelly and the learned bankers. Their values are the
    /// mean growth. The regret is negative if some other stake beats all answers.
    pub fn scores(&self, lab: &BankingLab<'_>, bankers: &[LearnedBanker]) -> Vec<PolicyScore> {
        let best = self.values.iter().map(|values| highest(values.iter().copied())).collect();
        let rules = &lab.table.rules;
        let by_kelly = |situation: &BankOffer| {
            let opponent = situation.others[0].expect("there is one opponent");
            let stake = kelly_stake(rules, opponent.bet, lab.exact.against[opponent.way], situation.funds);
            match stake.filter(|stake| *stake >= rules.bank_minimum) {
                Some(stake) => bank(lab, situation, stake),
                None => pass(lab, &lab.exact, situation),
            }
        };
        let mut scores = vec![
            self.score("best answer", best),
            self.score("never bank", self.values.iter().map(|values| values[0]).collect()),
            self.score("exact Kelly", self.situations.iter().map(by_kelly).collect()),
        ];
        for (name, banker) in lab.names().zip(bankers) {
            let batches = self.situations.chunks(1_024);
            let answers = batches.flat_map(|batch| banker.answers(batch, Objective::Growth));
            let values = answers.zip(&self.values).map(|(answer, values)| values[answer]).collect();
            scores.push(self.score(&name, values));
        }
        scores
    }

    fn score(&self, name: &str, growth: Vec<f64>) -> PolicyScore {
        let pairs = self.values.iter().zip(&growth);
        let lost: Vec<f64> = pairs.map(|(values, own)| highest(values.iter().copied()) - own).collect();
        score(name, growth.iter().sum::<f64>() / growth.len() as f64, &lost)
    }
}

fn pass(lab: &BankingLab<'_>, exact: &Exact, situation: &BankOffer) -> f64 {
    let own = situation.own;
    let win = own - commission(lab.table.game.rules().commission, own);
    log_growth(situation.funds, &exact.own.other_side(), win, own)
}

fn bank(lab: &BankingLab<'_>, situation: &BankOffer, stake: Chips) -> f64 {
    let opponent = situation.others[0].expect("there is one opponent");
    let (rules, rate) = (&lab.table.rules, lab.experiment.rules.commission_on_one_bet());
    bank_growth(rules, rate, situation.funds, opponent.bet, stake, &lab.exact.against[opponent.way])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::default_config;
    use houseway_env::pai_gow::table::{CommissionOnBanker, TableRules};
    use houseway_env::pai_gow::{Game, ProfileTable, Rules};
    use houseway_exact::pai_gow::banking::{OpponentBet, OutcomeWeights, best_setting, single_bet};
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
        let found = Examination::draw(config, &exact.table, &exact, &AtomicBool::new(false)).unwrap();
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
        let none = SituationsConfig { number: 2, margin: 10.0, ..config };
        let error = Examination::draw(none, &exact.table, &exact, &AtomicBool::new(false)).err().unwrap().to_string();
        assert!(error.contains("of 2000 situations, 0 favor the bank and 0 the player's own bet"), "{error}");
    }

    #[test]
    fn the_best_value_as_the_bank_is_that_of_the_exact_answer_to_all_bets() {
        let mut experiment: BankingExperiment = toml::from_str(default_config("pai-gow-table").unwrap()).unwrap();
        experiment.others = ["highest-front", "lowest-front", "random"].map(str::to_owned).to_vec();
        experiment.house_way = "highest-front".to_owned();
        experiment.situations.hands = 12;
        let game = Game::new(experiment.game);
        let exam = SettingExam::draw(&experiment, &game).unwrap();
        let table = |name: &String| BankerTable::new(&*TableWay::load(name, &game).unwrap().way);
        let ways: Vec<_> = experiment.fixed().map(table).collect();
        let bets: Vec<_> = ways.iter().map(|way| OpponentBet { bet: 1, way }).collect();
        assert_eq!((ways.len(), exam.hands.len()), (2, 12));
        for (&hand, values) in exam.hands.iter().zip(&exam.values[Role::Bank as usize]) {
            let (setting, ev) =
                best_setting(&game, hand, &bets, Payoff::with_commission(experiment.rules.commission_on_one_bet()));
            assert!((best(values) - ev.value() / 2.0).abs() < 1e-12);
            assert!((values[setting.index()].unwrap() - best(values)).abs() < 1e-12);
        }
        let optimum = exam.optimum(Role::Bank, f64::NAN);
        assert_eq!((optimum.regret, optimum.agreement), (0.0, 1.0));
        let low = exam.score(Role::Player, "low", &*TableWay::load("lowest-front", &game).unwrap().way, 0.5);
        assert!(low.regret > 0.0 && low.agreement < 1.0 && low.ev == 0.5);
    }

    #[test]
    fn growth_is_that_of_the_exact_distribution() {
        let counts: DealCounts = DealCounts { wins: 36, pushes: 34, losses: 30, ..DealCounts::default() };
        let rules = TableRules::default();
        for stake in [20, 60, 100] {
            let exact = single_bet(&rules, 100, stake, counts).log_growth(1_000.0);
            let found = bank_growth(&rules, rules.bank_commission, 1_000, 100, stake, &counts.into());
            assert!((found - exact).abs() < 1e-15, "{found} {exact}");
        }
    }
}
