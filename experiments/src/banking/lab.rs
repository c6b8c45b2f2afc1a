//! Prepares an experiment: loads the players, who set hands by a house way, at random, or as learned, learns settings,
//! computes exact results, and trains the bankers. [`Exact`] has the exact EVs of banking and passing.

use super::exams::{Examination, Role, SettingExam};
use super::{BankingExperiment, LEARNED, RANDOM};
use crate::study::{AgentTraining, RunControl, Training, train_agent};
use anyhow::Context;
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::{HOUSE_SEAT, MAX_SEATS, SeatView};
use houseway_env::pai_gow::{BankedGame, Game, strategy_hash};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::Tabulated;
use houseway_exact::pai_gow::banking::{BankedBet, OutcomeWeights, bank_ev, player_ev};
use houseway_exact::pai_gow::matchup::{SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{Payoff, Run};
use houseway_exact::solver::PolicyScore;
use houseway_lab::analysis::pai_gow::runner::with_progress;
use houseway_lab::analysis::pai_gow::table_run::TableWay;
use houseway_lab::console::user_store;
use houseway_lab::run::{RunFolder, agent_name, notice};
use houseway_learned::Agent;
use houseway_learned::tasks::banking::{
    BankOffer, BankingTable, BankingTask, LearnedBanker, MAX_OTHERS, OfferFeatures, OtherBet, SeatStrategy,
};
use houseway_learned::tasks::pai_gow::{Among, LearnedStrategy, SettingTask};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub const RAW: &str = "raw bets";

pub struct BankingLab<'a> {
    pub experiment: &'a BankingExperiment,
    pub run: &'a RunFolder,
    pub table: Arc<BankingTable>,
    /// The population, in the same order as the table's strategies.
    pub members: Vec<Member>,
    /// The learned settings of each seed, by [`Role`].
    pub learned: Vec<[TableWay; 2]>,
    /// The exact EVs for a learner who uses house ways.
    pub exact: Exact,
    /// The exact EVs for a learner who uses the learned settings, for each seed.
    pub exact_learned: Vec<Exact>,
    /// The score of every strategy that sets hands in a role. The EV is exact, per chip over all deals. For the player,
    /// it is against the house. For the bank, it is the mean over the other players' strategies that were known before
    /// training. It is NaN for the bank's optimum, because that is only known for individual hands.
    pub settings: Vec<(Role, PolicyScore)>,
}

impl<'a> BankingLab<'a> {
    /// Loads the strategies, trains settings with each seed, and enumerates all deals between all strategies unless the
    /// results are cached.
    pub fn open(
        experiment: &'a BankingExperiment,
        run: &'a RunFolder,
        control: RunControl<'_>,
    ) -> anyhow::Result<BankingLab<'a>> {
        let game = Arc::new(Game::new(experiment.game));
        notice(&format!("enumerating the settings of {} hands", experiment.situations.hands));
        let exam = SettingExam::draw(experiment, &game)?;
        let learned = train_settings(experiment, run, &game, &exam, control)?;
        let (members, [own, banker, house]) = members(experiment, &game, &learned[0][Role::Player as usize])?;
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
        let counts = Counts::all(experiment, &members, &learned, &table, control.stop)?;
        let exact = |bank: &[OutcomeWeights], player: usize| Exact {
            table: Arc::clone(&table),
            against: bank[..table.others].to_vec(),
            own: counts.house[player],
            rival: counts.learned[0][player],
        };
        let own_exact = exact(&counts.bank, own);
        let first = members.len();
        let exact_learned = (0..learned.len()).map(|i| exact(&counts.learned[i], first + i)).collect();
        let settings = scores(experiment, &exam, &members, &learned, &table, &counts);
        Ok(BankingLab { experiment, run, table, members, learned, exact: own_exact, exact_learned, settings })
    }

    /// Trains bankers with each seed, resuming interrupted training runs. Those with raw features come last, if the
    /// experiment trains any.
    pub fn train(&self, examination: &Examination, control: RunControl<'_>) -> anyhow::Result<Vec<LearnedBanker>> {
        let mut bankers = self.train_with(OfferFeatures::Derived, examination, control)?;
        if self.experiment.raw_features {
            bankers.extend(self.train_with(OfferFeatures::Raw, examination, control)?);
        }
        Ok(bankers)
    }

    pub fn names(&self) -> impl Iterator<Item = String> {
        let seeds = &self.experiment.seeds;
        [LEARNED, RAW].into_iter().flat_map(|kind| seeds.iter().map(move |&seed| agent_name(kind, seed)))
    }

    fn train_with(
        &self,
        features: OfferFeatures,
        examination: &Examination,
        control: RunControl<'_>,
    ) -> anyhow::Result<Vec<LearnedBanker>> {
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
            let training = AgentTraining {
                name: agent_name(kind, seed),
                folder: format!("{kind}-seed-{seed}"),
                training: Training::Network(&self.experiment.train),
                seed,
            };
            let agent = train_agent(self.run, &training, &task, &mut measure, control)?;
            bankers.push(*agent.downcast().expect("agents of this task are bankers"));
        }
        Ok(bankers)
    }
}

#[derive(Clone)]
pub struct Member {
    pub name: String,
    /// The strategy, or `None` for legal settings chosen uniformly at random.
    pub way: Option<TableWay>,
}

impl Member {
    pub fn load(name: &str, game: &Game) -> anyhow::Result<Member> {
        let way = match name {
            RANDOM => None,
            _ => Some(TableWay::load(name, game).with_context(|| format!("strategy '{name}'"))?),
        };
        Ok(Member { name: name.to_owned(), way })
    }

    pub fn setter(&self) -> SeatStrategy {
        self.way.as_ref().map_or(SeatStrategy::Random, |way| SeatStrategy::Way(Arc::clone(&way.way)))
    }

    /// Returns an identifier that is equal only for equal strategies.
    pub fn id(&self) -> &str {
        self.way.as_ref().map_or(RANDOM, |way| way.tabulated.hash())
    }
}

/// Returns the population in the order of the experiment, followed by the learner's and the house's strategies that
/// aren't already in it. Also returns the indices of the learner's two strategies and the house's strategy.
pub fn members(
    experiment: &BankingExperiment,
    game: &Game,
    learned: &TableWay,
) -> anyhow::Result<(Vec<Member>, [usize; 3])> {
    let mut members = vec![];
    for name in &experiment.others {
        members.push(match name.as_str() {
            LEARNED => Member { name: name.clone(), way: Some(learned.clone()) },
            _ => Member::load(name, game)?,
        });
    }
    let mut places = [0; 3];
    for (place, name) in places.iter_mut().zip([&experiment.way, &experiment.banker_way, &experiment.house_way]) {
        *place = match members.iter().position(|member| member.name == *name) {
            Some(place) => place,
            None => {
                members.push(Member::load(name, game)?);
                members.len() - 1
            }
        };
    }
    Ok((members, places))
}

fn strategy(agent: &dyn Agent) -> &LearnedStrategy {
    agent.downcast_ref().expect("agents that set hands are strategies")
}

pub fn setting_folder(role: Role, seed: u64) -> String {
    format!("setting-{}-seed-{seed}", role.name())
}

/// Trains settings with each seed and in each role, resuming interrupted training runs.
fn train_settings(
    experiment: &BankingExperiment,
    run: &RunFolder,
    game: &Arc<Game>,
    exam: &SettingExam,
    control: RunControl<'_>,
) -> anyhow::Result<Vec<[TableWay; 2]>> {
    let house = TableWay::load(&experiment.house_way, game)?;
    let players: Vec<TableWay> = experiment.fixed().map(|name| TableWay::load(name, game)).collect::<Result<_, _>>()?;
    let ids: Vec<&str> = players.iter().map(|way| way.tabulated.hash()).collect();
    let players = players.iter().map(|way| Arc::clone(&way.way)).collect();
    let (commission, among) = (experiment.rules.commission_on_one_bet(), Among::default());
    let player = SettingTask::player(BankedGame::new(Arc::clone(game), house.way), among);
    let bank = SettingTask::bank(Arc::clone(game), players, commission, among, &ids.join(" "));
    let train = |role: Role, task: &SettingTask, seed: u64| -> anyhow::Result<TableWay> {
        let mut measure = |agent: &dyn Agent| {
            let score = exam.score(role, "", strategy(agent), f64::NAN);
            vec![("regret", score.regret), ("agreement", score.agreement)]
        };
        let training = AgentTraining {
            name: agent_name(&format!("setting as {}", role.name()), seed),
            folder: setting_folder(role, seed),
            training: Training::Network(&experiment.setting),
            seed,
        };
        let agent = train_agent(run, &training, task, &mut measure, control)?;
        let table = strategy(&*agent).profile_table(LEARNED);
        let hash = strategy_hash(&table);
        Ok(TableWay::new(table, &hash))
    };
    let learned = |&seed: &u64| Ok([train(Role::Player, &player, seed)?, train(Role::Bank, &bank, seed)?]);
    experiment.seeds.iter().map(learned).collect()
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
        learned: &[[TableWay; 2]],
        table: &BankingTable,
        stop: &AtomicBool,
    ) -> anyhow::Result<Counts> {
        let seated: Vec<SideStrategy> = members
            .iter()
            .map(|member| match &member.way {
                Some(way) => SideStrategy::Given(way.tabulated.clone()),
                None => SideStrategy::Random,
            })
            .collect();
        let banks: Vec<Tabulated> = learned.iter().map(|[_, bank]| bank.tabulated.clone()).collect();
        let players = learned.iter().map(|[player, _]| SideStrategy::Given(player.tabulated.clone()));
        let with_best: Vec<SideStrategy> =
            seated.iter().cloned().chain(players).chain([SideStrategy::Optimal]).collect();
        let (all, payoff) = (&with_best[..with_best.len() - 1], Payoff::player(&table.game.rules()));
        let house_way =
            |place: usize| seated[place].given().with_context(|| format!("a bank cannot use the strategy {RANDOM}"));
        let (house, bank) = (house_way(table.house)?, house_way(table.banker)?);
        debug_assert_eq!(experiment.others.len(), table.others);
        let store = user_store();
        let count = |bank: &Tabulated, players: &[SideStrategy]| -> anyhow::Result<Vec<OutcomeWeights>> {
            let pairs: Vec<_> = players.iter().map(|player| [player.clone(), bank.into()]).collect();
            let count = |run: &Run<'_>| outcomes(&store, &table.game, &pairs, [payoff; 2], run);
            Ok(with_progress("counting", stop, count)?.into_iter().map(OutcomeWeights::other_side).collect())
        };
        Ok(Counts {
            house: count(house, &with_best)?,
            bank: count(bank, all)?,
            learned: banks.iter().map(|bank| count(bank, all)).collect::<Result<_, _>>()?,
        })
    }
}

fn scores(
    experiment: &BankingExperiment,
    exam: &SettingExam,
    members: &[Member],
    learned: &[[TableWay; 2]],
    table: &BankingTable,
    counts: &Counts,
) -> Vec<(Role, PolicyScore)> {
    let payoff = Payoff::player(&table.game.rules());
    let as_player = |place: usize| counts.house[place].other_side().ev(payoff).value();
    let fixed: Vec<usize> =
        (0..table.others).filter(|&i| experiment.fixed().any(|name| *name == members[i].name)).collect();
    let bank_payoff = Payoff::with_commission(experiment.rules.commission_on_one_bet());
    let as_bank = |row: &[OutcomeWeights]| {
        let sum: f64 = fixed.iter().map(|&i| row[i].ev(bank_payoff).value()).sum();
        sum / fixed.len() as f64
    };
    let way = |place: usize| members[place].way.as_ref().expect("the learner's own strategies are house ways");
    let seeds = || experiment.seeds.iter().zip(learned).enumerate();
    let mut scores = vec![];
    let mut add = |role: Role, name: &str, way: &TableWay, ev: f64| {
        scores.push((role, exam.score(role, name, &*way.way, ev)));
    };
    add(Role::Player, &experiment.way, way(table.own), as_player(table.own));
    for (i, (&seed, [player, _])) in seeds() {
        add(Role::Player, &agent_name(LEARNED, seed), player, as_player(members.len() + i));
    }
    add(Role::Bank, &experiment.banker_way, way(table.banker), as_bank(&counts.bank));
    for (i, (&seed, [_, bank])) in seeds() {
        add(Role::Bank, &agent_name(LEARNED, seed), bank, as_bank(&counts.learned[i]));
    }
    let best = as_player(members.len() + learned.len());
    scores.insert(learned.len() + 1, (Role::Player, exam.optimum(Role::Player, best)));
    scores.push((Role::Bank, exam.optimum(Role::Bank, f64::NAN)));
    scores
}

#[derive(Clone)]
pub struct Exact {
    pub table: Arc<BankingTable>,
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
        (bank, player_ev(&self.table.game.rules(), &own))
    }

    pub fn takes(&self, situation: &BankOffer) -> bool {
        let (take, pass) = self.values(situation);
        take > pass
    }
}

/// Returns the situation as seen from a seat, given the strategies at the other seats.
pub fn situation(view: &SeatView<'_>, ways: &[Option<usize>; MAX_SEATS], own: Chips) -> BankOffer {
    let mut others = [None; MAX_OTHERS];
    let seats = view.rules().seats;
    let clockwise = seats.clockwise(view.seat() + 1).filter(|&seat| seat != HOUSE_SEAT && seat != view.seat());
    for (other, seat) in others.iter_mut().zip(clockwise) {
        *other = ways[seat].filter(|_| view.bet(seat) > 0).map(|way| OtherBet { way, bet: view.bet(seat) });
    }
    BankOffer { own, funds: view.bank_funds(), others }
}
