//! The environment `PaiGowTable-v0`, a session of several rounds for up to six agents.
//!
#![doc = include_str!("environment.md")]

use super::{
    HOUSE_SEAT, HistoryHeader, ID, MAX_SEATS, Move, Phase, Players, RoundRecord, Setup, Table, TableAction, observe,
    player,
};
use crate::gym::entry::parse_options;
use crate::gym::{
    AgentSet, AgentStatus, BoxSpace, DEFAULT_SEED, Env, EnvError, EnvSpec, MultiEnv, Step, StreamSeed, stream,
};
use crate::money::Chips;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The maximum number of rounds in a session.
const MAX_ROUNDS: u32 = 1_000_000;
/// The default bankroll in minimum bets.
const DEFAULT_BETS: Chips = 100;

/// Reset options for the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TableOptions {
    /// The bankrolls of all seats, starting with seat 1. A bankroll of 0 leaves the seat empty. If the list is empty
    /// (the default), every seat gets a hundred minimum bets.
    pub bankrolls: Vec<Chips>,
    /// The number of rounds. Defaults to 10.
    pub rounds: u32,
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions { bankrolls: vec![], rounds: 10 }
    }
}

/// The multi-agent environment.
#[derive(Clone)]
pub struct PaiGowTable {
    setup: Arc<Setup>,
    residents: Players,
    rng: Option<Pcg64>,
    session: Option<Session>,
    rewards: Vec<f64>,
}

/// A session in progress.
#[derive(Clone)]
struct Session {
    table: Table,
    rounds: u32,
    over: bool,
    status: [AgentStatus; MAX_SEATS - 1],
    /// The header of the session's history, or `None` if the session continues the previous session's random stream.
    header: Option<HistoryHeader>,
    /// The table at the end of the last finished round.
    last: Option<Table>,
}

impl PaiGowTable {
    /// Creates the environment. Residents on the house's seat or on seats that the table doesn't have are ignored.
    pub fn new(setup: Arc<Setup>, residents: Players) -> PaiGowTable {
        let rewards = vec![0.0; setup.rules.seats.players()];
        PaiGowTable { setup, residents, rng: None, session: None, rewards }
    }

    /// Returns the seats that have no resident.
    pub fn agent_seats(&self) -> AgentSet {
        (HOUSE_SEAT + 1..self.setup.rules.seats.seats()).filter(|&seat| self.residents[seat].is_none()).collect()
    }

    /// Returns the last finished round with all its cards. It is also rendered while agents place their next bets.
    pub fn last_round(&self) -> Option<RoundRecord> {
        self.session.as_ref()?.last.as_ref().map(RoundRecord::new)
    }

    /// Returns the header of the session's history, if the last reset had a seed.
    pub fn history_header(&self) -> Option<&HistoryHeader> {
        self.session.as_ref()?.header.as_ref()
    }

    /// Returns the random stream at its current position, or `None` before the first reset.
    pub fn random_stream(&self) -> Option<&Pcg64> {
        self.rng.as_ref()
    }

    /// Starts a session that uses a stream from [`PaiGowTable::random_stream`].
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value. In that case, the environment is unchanged.
    pub fn reset_on(&mut self, stream: Pcg64, options: Option<&str>) -> Result<(), EnvError> {
        self.open(None, Some(stream), &parse_options(options)?)
    }

    /// Returns the setup.
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// Returns the table with all its cards, or `None` before the first reset.
    pub fn table(&self) -> Option<&Table> {
        self.session.as_ref().map(|session| &session.table)
    }

    fn bankrolls(&self, options: &TableOptions) -> Vec<Chips> {
        let rules = &self.setup.rules;
        let full = || vec![DEFAULT_BETS * rules.bet_minimum; rules.seats.players()];
        if options.bankrolls.is_empty() { full() } else { options.bankrolls.clone() }
    }

    fn check(&self, options: &TableOptions) -> Result<(), EnvError> {
        let bankrolls = self.bankrolls(options);
        let bad = |reason| EnvError::BadOption { option: "bankrolls", reason };
        self.setup.rules.check_bankrolls(&bankrolls).map_err(bad)?;
        let minimum = self.setup.rules.bet_minimum;
        let mut agents = self.agent_seats().iter();
        if !agents.any(|seat| bankrolls.get(seat - 1).is_some_and(|&bankroll| bankroll >= minimum)) {
            return Err(bad(format!("no agent can make the minimum bet, {minimum} chips")));
        }
        if !(1..=MAX_ROUNDS).contains(&options.rounds) {
            let reason = format!("invalid number of rounds {}: must be between 1 and {MAX_ROUNDS}", options.rounds);
            return Err(EnvError::BadOption { option: "rounds", reason });
        }
        Ok(())
    }

    /// Starts a session on the stream of a seed, on the given stream, or on the current one.
    fn open(&mut self, seed: Option<StreamSeed>, from: Option<Pcg64>, options: &TableOptions) -> Result<(), EnvError> {
        self.check(options)?;
        let bad = |reason| EnvError::BadOption { option: "bankrolls", reason };
        let mut table = Table::new(Arc::clone(&self.setup), &self.bankrolls(options)).map_err(bad)?;
        if let Some(new) = seed.map(stream).or(from) {
            self.rng = Some(new);
        }
        self.rng.get_or_insert_with(|| stream(DEFAULT_SEED.into()));
        let plays = |agent: usize| table.can_bet(agent + 1) && self.residents[agent + 1].is_none();
        let status =
            std::array::from_fn(|agent| if plays(agent) { AgentStatus::Active } else { AgentStatus::Terminated });
        let header = seed.map(|seed| HistoryHeader::new(&table, seed, serde_json::Value::Null));
        table.begin();
        self.rewards.fill(0.0);
        self.session = Some(Session { table, rounds: options.rounds, over: false, status, header, last: None });
        self.play_residents();
        Ok(())
    }

    fn session(&self, agent: usize) -> Result<&Session, EnvError> {
        let session = self.session.as_ref().ok_or(EnvError::NotReset)?;
        let agents = self.agents();
        if agent < agents { Ok(session) } else { Err(EnvError::NoAgent { agent, agents }) }
    }

    /// Converts an action to a move if it is legal.
    fn legal(&self, agent: usize, action: usize) -> Result<Move, EnvError> {
        let session = self.session(agent)?;
        if session.over {
            return Err(EnvError::EpisodeOver);
        }
        let illegal = |reason: String| EnvError::IllegalAction { action, reason };
        let seat = agent + 1;
        if !session.table.acting().contains(seat) || self.residents[seat].is_some() {
            return Err(illegal(format!("it is not the turn of agent {agent} on seat {seat}")));
        }
        session.table.move_of(seat, action).map_err(illegal)
    }

    /// Makes the residents' moves until it is an agent's turn or the session is over.
    fn play_residents(&mut self) {
        let (Some(session), Some(rng)) = (&mut self.session, &mut self.rng) else { return };
        while !session.over {
            session.table.ask_players(&mut self.residents, rng);
            if session.table.phase() != Phase::Over {
                break;
            }
            session.last = Some(session.table.clone());
            session.next_round(&mut self.rewards);
        }
    }
}

impl Session {
    /// Pays the rewards for a finished round, then starts the next round or ends the session.
    fn next_round(&mut self, rewards: &mut [f64]) {
        let table = &mut self.table;
        for (agent, reward) in rewards.iter_mut().enumerate() {
            *reward = table.seat(agent + 1).net() as f64;
            if !table.can_bet(agent + 1) {
                self.status[agent] = AgentStatus::Terminated;
            }
        }
        let last = table.rounds() >= self.rounds.into() || !self.status.contains(&AgentStatus::Active);
        if last || !table.begin() {
            self.over = true;
            for status in self.status.iter_mut().filter(|status| **status == AgentStatus::Active) {
                *status = AgentStatus::Truncated;
            }
        }
    }
}

impl MultiEnv for PaiGowTable {
    fn spec(&self) -> EnvSpec {
        let rules = &self.setup.rules;
        let (players, odds) = (self.agents(), self.setup.paytable.rows().iter().map(|row| row.odds.units(1)).max());
        let bets = rules.bet_maximum * players as Chips + rules.house_bet;
        let collection = self.setup.game.rules().collection;
        let fees = collection.fee(rules.bet_maximum).max(rules.bank_collection.fee(bets));
        let high = bets + rules.side_maximum * Chips::from(odds.unwrap_or(0));
        let rounds = TableOptions::default().rounds as usize;
        EnvSpec {
            id: ID,
            reward_range: (-(bets + rules.side_maximum + fees) as f64, high as f64),
            max_steps: rounds * players * (2 + rules.time_steps as usize),
        }
    }

    /// Returns a hash that covers the setup and the residents.
    fn rules_hash(&self) -> String {
        player::residents_hash(&self.setup, &self.residents)
    }

    fn agents(&self) -> usize {
        self.setup.rules.seats.players()
    }

    fn observation_space(&self) -> BoxSpace {
        BoxSpace { shape: vec![observe::LEN], low: 0.0, high: 1.0 }
    }

    fn actions(&self) -> usize {
        TableAction::COUNT
    }

    fn check_options(&self, options: Option<&str>) -> Result<(), EnvError> {
        self.check(&parse_options(options)?)
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: Option<&str>) -> Result<(), EnvError> {
        self.open(seed, None, &parse_options(options)?)
    }

    fn acting(&self) -> AgentSet {
        let session = self.session.as_ref().filter(|session| !session.over);
        let seats = session.map_or(AgentSet::EMPTY, |session| session.table.acting()).iter();
        seats.filter(|&seat| self.residents[seat].is_none()).map(|seat| seat - 1).collect()
    }

    fn status(&self, agent: usize) -> Result<AgentStatus, EnvError> {
        Ok(self.session(agent)?.status[agent])
    }

    fn rewards(&self) -> &[f64] {
        &self.rewards
    }

    fn check_action(&self, agent: usize, action: usize) -> Result<(), EnvError> {
        self.legal(agent, action).map(|_| ())
    }

    fn step(&mut self, agent: usize, action: usize) -> Result<(), EnvError> {
        let done = self.legal(agent, action)?;
        let (Some(session), Some(rng)) = (&mut self.session, &mut self.rng) else { return Err(EnvError::NotReset) };
        self.rewards.fill(0.0);
        let played = session.table.play(agent + 1, done, rng);
        played.map_err(|error| EnvError::IllegalAction { action, reason: error.to_string() })?;
        self.play_residents();
        Ok(())
    }

    fn observe(&self, agent: usize, out: &mut [f32]) -> Result<(), EnvError> {
        let session = self.session(agent)?;
        EnvError::check_length("the observation", out.len(), observe::LEN)?;
        let played = session.table.rounds() - u64::from(!session.over);
        let left = 1.0 - played as f32 / session.rounds as f32;
        observe::write(&session.table.view(agent + 1), left, out);
        Ok(())
    }

    fn action_mask(&self, agent: usize, out: &mut [bool]) -> Result<(), EnvError> {
        let session = self.session(agent)?;
        EnvError::check_length("the action mask", out.len(), TableAction::COUNT)?;
        out.fill(false);
        let (seat, table) = (agent + 1, &session.table);
        if session.over || !table.acting().contains(seat) || self.residents[seat].is_some() {
            return Ok(());
        }
        let view = table.view(seat);
        let mut first = 0;
        if let (Phase::Setting, Some(dealt)) = (table.phase(), view.dealt()) {
            let legal = self.setup.game.legal_mask(dealt.hand());
            first = crate::pai_gow::Setting::COUNT;
            out[..first].iter_mut().enumerate().for_each(|(i, out)| *out = legal >> i & 1 == 1);
        }
        for (index, out) in out.iter_mut().enumerate().skip(first) {
            let action = TableAction::from_index(index);
            *out = action.is_some_and(|action| table.check(seat, action.to_move(&view)).is_ok());
        }
        Ok(())
    }

    fn render(&self) -> String {
        let Some(table) = self.table() else { return "no table yet".to_owned() };
        match self.session.as_ref().and_then(|session| session.last.as_ref()) {
            Some(last) if table.phase() == Phase::Betting => format!("{}\n\n{}", last.render(), table.render()),
            _ => table.render(),
        }
    }
}

/// The table as a single-agent environment. The agent plays on the only seat that has no resident. Observations, actions
/// and rewards are the same as for [`PaiGowTable`].
///
/// An episode terminates when the agent can no longer make the minimum bet and is truncated after the last round.
#[derive(Clone)]
pub(super) struct OneSeat {
    env: PaiGowTable,
    agent: usize,
}

impl OneSeat {
    pub(super) fn new(env: PaiGowTable) -> Result<OneSeat, String> {
        let seats: Vec<usize> = env.agent_seats().iter().collect();
        match seats[..] {
            [seat] => Ok(OneSeat { env, agent: seat - 1 }),
            _ => Err(format!("a single-agent environment needs exactly one seat without a resident, found {seats:?}")),
        }
    }
}

impl Env for OneSeat {
    fn spec(&self) -> EnvSpec {
        self.env.spec()
    }

    fn rules_hash(&self) -> String {
        self.env.rules_hash()
    }

    fn observation_space(&self) -> BoxSpace {
        self.env.observation_space()
    }

    fn actions(&self) -> usize {
        self.env.actions()
    }

    fn default_options(&self) -> String {
        serde_json::to_string(&TableOptions::default()).expect("options are plain data")
    }

    fn check_options(&self, options: Option<&str>) -> Result<(), EnvError> {
        self.env.check_options(options)
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: Option<&str>) -> Result<(), EnvError> {
        self.env.reset_stream(seed, options)
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.env.check_action(self.agent, action)
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        self.env.step(self.agent, action)?;
        let status = self.env.status(self.agent)?;
        let (terminated, truncated) = (status == AgentStatus::Terminated, status == AgentStatus::Truncated);
        Ok(Step { reward: self.env.rewards()[self.agent], terminated, truncated })
    }

    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        self.env.observe(self.agent, out)
    }

    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        self.env.action_mask(self.agent, out)
    }

    fn random_stream(&self) -> Option<Pcg64> {
        self.env.random_stream().cloned()
    }

    fn reset_on(&mut self, stream: Pcg64, options: Option<&str>) -> Result<(), EnvError> {
        self.env.reset_on(stream, options)
    }

    /// Returns the action for setting the hand the house way if it is legal. Otherwise, returns the first legal action.
    fn house_action(&self) -> Option<usize> {
        let is_legal = |&action: &usize| self.check_action(action).is_ok();
        std::iter::once(TableAction::HouseWay.index()).chain(0..TableAction::COUNT).find(is_legal)
    }

    fn render(&self) -> String {
        self.env.render()
    }

    fn boxed_clone(&self) -> Box<dyn Env> {
        Box::new(self.clone())
    }
}
