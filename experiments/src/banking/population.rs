//! Assembles an experiment's players. They set hands by a house way, at random, or as learned.

use super::config::{BankingExperiment, LEARNED, RANDOM};
use super::exams::{Role, SettingExam};
use crate::study::{RunControl, train_agent};
use anyhow::Context;
use houseway_env::pai_gow::{BankedGame, Game};
use houseway_lab::analysis::pai_gow::table_run::TableWay;
use houseway_lab::run::RunFolder;
use houseway_learned::Agent;
use houseway_learned::tasks::banking::SeatStrategy;
use houseway_learned::tasks::pai_gow::{Among, BankDeals, LearnedStrategy, SettingTask};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The settings learned with one seed.
#[derive(Clone)]
pub struct LearnedSetting {
    /// The settings used against a bank.
    pub player: TableWay,
    /// The settings used as the bank.
    pub banker: TableWay,
}

/// A strategy in the population.
#[derive(Clone)]
pub struct Member {
    /// The strategy's name.
    pub name: String,
    /// The strategy, or `None` for legal settings chosen uniformly at random.
    pub way: Option<TableWay>,
}

impl Member {
    /// Loads a house way or a simple strategy.
    pub fn load(name: &str, game: &Game) -> anyhow::Result<Member> {
        let way = match name {
            RANDOM => None,
            _ => Some(TableWay::load(name, game).with_context(|| format!("strategy '{name}'"))?),
        };
        Ok(Member { name: name.to_owned(), way })
    }

    /// Converts the strategy to the form used for training bankers.
    pub fn setter(&self) -> SeatStrategy {
        self.way.as_ref().map_or(SeatStrategy::Random, |way| SeatStrategy::Way(way.shared()))
    }

    /// Returns an identifier that is equal only for equal strategies.
    pub fn id(&self) -> &str {
        self.way.as_ref().map_or(RANDOM, TableWay::id)
    }
}

/// Returns the population in the order of the experiment, followed by the learner's and the house's strategies that
/// aren't already in it. Also returns the indices of the learner's two strategies and the house's strategy.
pub(super) fn members(
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

/// Returns a trained agent as a strategy.
fn strategy(agent: &dyn Agent) -> &LearnedStrategy {
    agent.downcast_ref().expect("agents that set hands are strategies")
}

/// Returns the name of the training folder of an agent that sets hands.
pub(super) fn setting_folder(role: Role, seed: u64) -> String {
    format!("setting-{}-seed-{seed}", role.name())
}

/// Trains settings with each seed, as the player and as the bank, resuming interrupted training runs. Returns `None` if
/// stopped.
pub(super) fn train_settings(
    experiment: &BankingExperiment,
    run: &RunFolder,
    game: &Arc<Game>,
    exam: &SettingExam,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Vec<LearnedSetting>>> {
    let house = TableWay::load(&experiment.house_way, game)?;
    let players: Vec<TableWay> = experiment.fixed().map(|name| TableWay::load(name, game)).collect::<Result<_, _>>()?;
    let ids: Vec<&str> = players.iter().map(TableWay::id).collect();
    let deals = BankDeals {
        game: Arc::clone(game),
        players: players.iter().map(TableWay::shared).collect(),
        commission: experiment.rules.commission_on_one_bet(),
    };
    let among = Among::default();
    let player = SettingTask::player(BankedGame::new(Arc::clone(game), house.shared()), among);
    let bank = SettingTask::bank(deals, among, &ids.join(" "));
    let mut learned = vec![];
    for &seed in &experiment.seeds {
        let mut ways = vec![];
        for role in Role::BOTH {
            let folder = setting_folder(role, seed);
            let name = format!("setting as {}, seed {seed}", role.name());
            let exam = exam.role(role);
            let mut measure = |agent: &dyn Agent| exam.measure(strategy(agent));
            let task = match role {
                Role::Player => &player,
                Role::Bank => &bank,
            };
            let training = (&experiment.setting, seed);
            let trained = train_agent(run, (&folder, &name), training, task, &mut measure, RunControl::new(stop))?;
            let Some(agent) = trained else { return Ok(None) };
            ways.push(TableWay::from_table(LEARNED, strategy(&*agent).profile_table(LEARNED)));
        }
        let [player, banker] = <[TableWay; 2]>::try_from(ways).ok().expect("there are two roles");
        learned.push(LearnedSetting { player, banker });
    }
    Ok(Some(learned))
}
