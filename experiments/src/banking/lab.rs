//! Prepares an experiment: loads the strategies, learns settings, computes exact results, and trains the bankers.
//! [`Exact`] has the exact EVs of banking and passing.

use super::config::{BankingExperiment, LEARNED, RANDOM};
use super::exams::{Examination, Role, SettingExam, SettingScore};
use super::population::{LearnedSetting, Member, members, train_settings};
use crate::study::{RunControl, train_agent};
use anyhow::Context;
use houseway_env::money::Chips;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::table::{HOUSE_SEAT, MAX_SEATS, SeatView};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::Tabulated;
use houseway_exact::pai_gow::banking::{BankedBet, OutcomeWeights, bank_ev, player_ev};
use houseway_exact::pai_gow::matchup::SideStrategy;
use houseway_exact::pai_gow::whole::Payoff;
use houseway_exact::solver::SolverError;
use houseway_lab::analysis::pai_gow::table_run::{CACHE, with_book};
use houseway_lab::run::{RunFolder, notice};
use houseway_learned::Agent;
use houseway_learned::tasks::banking::{
    BankOffer, BankingTable, BankingTask, LearnedBanker, MAX_OTHERS, OfferFeatures, OtherBet,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The name of the bankers with raw features in the results.
pub(super) const RAW: &str = "raw bets";

/// A prepared experiment.
pub struct BankingLab {
    /// The configuration.
    pub experiment: BankingExperiment,
    /// The run's folder.
    pub run: RunFolder,
    /// The table that bankers are trained for.
    pub table: Arc<BankingTable>,
    /// The population, in the same order as the table's strategies.
    pub members: Vec<Member>,
    /// The learned settings for each seed.
    pub learned: Vec<LearnedSetting>,
    /// The exact EVs for a learner who uses house ways.
    pub exact: Exact,
    /// The exact EVs for a learner who uses the learned settings, for each seed.
    pub exact_learned: Vec<Exact>,
    /// Every setting strategy's score.
    pub settings: Vec<SettingScore>,
}

impl BankingLab {
    /// Loads the strategies, trains settings with each seed, and enumerates all deals between all strategies unless the
    /// results are cached. Returns `None` if stopped.
    pub fn open(
        experiment: BankingExperiment,
        run: RunFolder,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<BankingLab>> {
        let game = Arc::new(Game::new(experiment.game));
        notice(&format!("enumerating the settings of {} hands", experiment.situations.hands));
        let exam = SettingExam::draw(&experiment, &game)?;
        let Some(learned) = train_settings(&experiment, &run, &game, &exam, stop)? else { return Ok(None) };
        let (members, [own, banker, house]) = members(&experiment, &game, &learned[0].player)?;
        let ids: Vec<&str> = members.iter().map(Member::id).collect();
        let hash =
            format!("{} {} {} {own} {banker} {house}", experiment.rules.hash(), game.rules().hash(), ids.join(" "));
        let table = Arc::new(BankingTable {
            rules: experiment.rules,
            game: Arc::clone(&game),
            ways: members.iter().map(Member::setter).collect(),
            others: experiment.others.len(),
            own,
            banker,
            house,
            hash,
        });
        notice("enumerating all deals between each bank and each strategy");
        let Some(counts) = Counts::all(&experiment, &members, &learned, &table, stop)? else { return Ok(None) };
        let exact = |bank: &[OutcomeWeights], player: usize| Exact {
            table: Arc::clone(&table),
            against: bank[..table.others].to_vec(),
            own: counts.house[player],
            rival: counts.learned[0][player],
        };
        let own_exact = exact(&counts.bank, own);
        let first = members.len();
        let exact_learned = (0..learned.len()).map(|i| exact(&counts.learned[i], first + i)).collect();
        let settings = scores(&experiment, &exam, &members, &learned, &table, &counts);
        Ok(Some(BankingLab { experiment, run, table, members, learned, exact: own_exact, exact_learned, settings }))
    }

    /// Trains the bankers with each seed, resuming interrupted training runs. Returns `None` if stopped.
    pub fn train(&self, examination: &Examination, stop: &AtomicBool) -> anyhow::Result<Option<Bankers>> {
        let Some(learned) = self.train_with(OfferFeatures::Derived, examination, stop)? else { return Ok(None) };
        let raw = match self.experiment.raw_features {
            true => self.train_with(OfferFeatures::Raw, examination, stop)?,
            false => Some(vec![]),
        };
        Ok(raw.map(|raw| Bankers { learned, raw }))
    }

    fn train_with(
        &self,
        features: OfferFeatures,
        examination: &Examination,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<Vec<LearnedBanker>>> {
        let task = BankingTask { table: Arc::clone(&self.table), features };
        let kind = match features {
            OfferFeatures::Derived => "banker",
            OfferFeatures::Raw => "raw-banker",
        };
        let mut measure = |agent: &dyn Agent| {
            let banker: &LearnedBanker = agent.downcast_ref().expect("agents of this task are bankers");
            let score = examination.score("", &examination.answers(banker));
            vec![("regret", score.regret), ("agreement", score.agreement)]
        };
        let mut bankers = vec![];
        for &seed in &self.experiment.seeds {
            let names = (format!("{kind}-seed-{seed}"), format!("{kind}, seed {seed}"));
            let training = (&self.experiment.train, seed);
            let trained =
                train_agent(&self.run, (&names.0, &names.1), training, &task, &mut measure, RunControl::new(stop))?;
            let Some(agent) = trained else { return Ok(None) };
            bankers.push(*agent.downcast().expect("agents of this task are bankers"));
        }
        Ok(Some(bankers))
    }
}

/// The bankers trained in an experiment, with one of each kind for each seed.
pub struct Bankers {
    /// The bankers that also play the sessions.
    pub learned: Vec<LearnedBanker>,
    /// The bankers with raw features, or nothing if the experiment doesn't train any.
    pub raw: Vec<LearnedBanker>,
}

impl Bankers {
    /// Returns all bankers with their names in the results.
    pub(super) fn named<'a>(&'a self, seeds: &'a [u64]) -> impl Iterator<Item = (String, &'a LearnedBanker)> {
        let kinds = [(LEARNED, &self.learned), (RAW, &self.raw)];
        kinds.into_iter().flat_map(|(kind, bankers)| {
            seeds.iter().zip(bankers).map(move |(seed, banker)| (format!("{kind}, seed {seed}"), banker))
        })
    }
}

/// The results of all deals between each bank and each player. The players are the members of the population, the
/// learned player for each seed, and the best response to the house. All results are from the bank's perspective.
struct Counts {
    /// The results with the house as the bank.
    house: Vec<OutcomeWeights>,
    /// The results with the learner as the bank, using a house way.
    bank: Vec<OutcomeWeights>,
    /// The results with each seed's learner as the bank, using its learned settings.
    learned: Vec<Vec<OutcomeWeights>>,
}

impl Counts {
    fn all(
        experiment: &BankingExperiment,
        members: &[Member],
        learned: &[LearnedSetting],
        table: &BankingTable,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<Counts>> {
        let seated: Vec<SideStrategy> = members
            .iter()
            .map(|member| match &member.way {
                Some(way) => SideStrategy::Given(way.tabulated()),
                None => SideStrategy::Random,
            })
            .collect();
        let banks: Vec<Tabulated> = learned.iter().map(|way| way.banker.tabulated()).collect();
        let players = learned.iter().map(|way| SideStrategy::Given(way.player.tabulated()));
        let with_best: Vec<SideStrategy> =
            seated.iter().cloned().chain(players).chain([SideStrategy::Optimal]).collect();
        let (all, payoff) = (&with_best[..with_best.len() - 1], Payoff::player(table.game.rules().commission));
        let house_way =
            |place: usize| seated[place].given().with_context(|| format!("a bank cannot use the strategy {RANDOM}"));
        let (house, bank) = (house_way(table.house)?, house_way(table.banker)?);
        debug_assert_eq!(experiment.others.len(), table.others);
        let counted = with_book(Path::new(CACHE), &table.game, stop, |book, run| {
            let mut count = || -> Result<Counts, SolverError> {
                Ok(Counts {
                    house: book.players(house, &with_best, payoff, run)?,
                    bank: book.players(bank, all, payoff, run)?,
                    learned: banks.iter().map(|bank| book.players(bank, all, payoff, run)).collect::<Result<_, _>>()?,
                })
            };
            count().ok()
        })?;
        Ok(counted)
    }
}

/// Returns the setting scores of the house ways, the learners and the optimum.
fn scores(
    experiment: &BankingExperiment,
    exam: &SettingExam,
    members: &[Member],
    learned: &[LearnedSetting],
    table: &BankingTable,
    counts: &Counts,
) -> Vec<SettingScore> {
    let payoff = Payoff::player(table.game.rules().commission);
    let as_player = |place: usize| Some(counts.house[place].other_side().ev(payoff).value());
    let fixed: Vec<usize> =
        (0..table.others).filter(|&i| experiment.fixed().any(|name| *name == members[i].name)).collect();
    let bank_payoff = Payoff::player(experiment.rules.commission_on_one_bet());
    let as_bank = |row: &[OutcomeWeights]| {
        let sum: f64 = fixed.iter().map(|&i| row[i].ev(bank_payoff).value()).sum();
        Some(sum / fixed.len() as f64)
    };
    let named = |i: usize| format!("learned, seed {}", experiment.seeds[i]);
    let (player, bank) = (exam.role(Role::Player), exam.role(Role::Bank));
    let way = |place: usize| members[place].way.as_ref().expect("the learner's own strategies are house ways");
    let mut scores = vec![player.score(&experiment.way, way(table.own), as_player(table.own))];
    for (i, setting) in learned.iter().enumerate() {
        scores.push(player.score(&named(i), &setting.player, as_player(members.len() + i)));
    }
    scores.push(player.optimum(as_player(members.len() + learned.len())));
    scores.push(bank.score(&experiment.banker_way, way(table.banker), as_bank(&counts.bank)));
    for (i, setting) in learned.iter().enumerate() {
        scores.push(bank.score(&named(i), &setting.banker, as_bank(&counts.learned[i])));
    }
    scores.push(bank.optimum(None));
    scores
}

/// The exact EVs of both answers.
#[derive(Clone)]
pub struct Exact {
    pub(super) table: Arc<BankingTable>,
    /// The learner's results when banking against each of the other players' strategies.
    pub against: Vec<OutcomeWeights>,
    /// The house bank's results against the learner.
    pub own: OutcomeWeights,
    /// A rival bank's results against the learner.
    pub rival: OutcomeWeights,
}

impl Exact {
    /// Returns two EVs in chips: for covering all bets, and for the player's own bet against the house.
    pub fn values(&self, situation: &BankOffer) -> (Ratio, Ratio) {
        let others = situation.others.iter().flatten();
        let bets: Vec<_> = others.map(|other| BankedBet { bet: other.bet, counts: self.against[other.way] }).collect();
        let bank = bank_ev(&self.table.rules, &bets).exact().expect("the commission is linear in the bets");
        let own = BankedBet { bet: situation.own, counts: self.own };
        (bank, player_ev(self.table.game.rules().commission, &own))
    }

    /// Returns `true` if banking has a higher EV than the player's own bet.
    pub fn takes(&self, situation: &BankOffer) -> bool {
        let (take, pass) = self.values(situation);
        take > pass
    }
}

/// Returns the situation as seen from a seat, given the strategies at the other seats.
pub(super) fn situation(view: &SeatView<'_>, ways: &[Option<usize>; MAX_SEATS], own: Chips) -> BankOffer {
    let mut others = [None; MAX_OTHERS];
    let seats = view.rules().seats;
    let clockwise = seats.clockwise(view.seat() + 1).filter(|&seat| seat != HOUSE_SEAT && seat != view.seat());
    for (other, seat) in others.iter_mut().zip(clockwise) {
        *other = ways[seat].filter(|_| view.bet(seat) > 0).map(|way| OtherBet { way, bet: view.bet(seat) });
    }
    BankOffer { own, funds: view.bank_funds(), others }
}
