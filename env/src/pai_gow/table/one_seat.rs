//! `PaiGowTable-v0` for a single agent, with [residents](super::Resident) on all other seats.

use super::{AgentSeatError, PaiGowTable, TableAction, TableOptions};
use crate::gym::{AgentStatus, BoxSpace, Discrete, Env, EnvError, EnvSpec, MultiEnv, Step, StreamSeed};
use rand_pcg::Pcg64;

/// The table as a single-agent environment. Observations, actions and rewards are the same as for [`PaiGowTable`].
///
/// An episode terminates when the agent can no longer make the minimum bet and is truncated after the last round.
#[derive(Clone)]
pub struct OneSeat {
    env: PaiGowTable,
    agent: usize,
}

impl OneSeat {
    /// Creates the environment. The agent plays on the only seat that has no resident.
    ///
    /// # Errors
    /// Returns an error if there isn't exactly one such seat.
    pub fn new(env: PaiGowTable) -> Result<OneSeat, AgentSeatError> {
        let seats: Vec<usize> = env.agent_seats().iter().collect();
        match seats[..] {
            [seat] => Ok(OneSeat { env, agent: seat - 1 }),
            _ => Err(AgentSeatError { seats }),
        }
    }

    /// Returns the environment for the whole table.
    pub fn table(&self) -> &PaiGowTable {
        &self.env
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

    fn action_space(&self) -> Discrete {
        self.env.action_space()
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
