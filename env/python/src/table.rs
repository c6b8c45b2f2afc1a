//! The table with player banking: for several agents, turn by turn and all at once, and for one agent.

use super::value_error;
use houseway_env::gym::{AgentStatus, BoxSpace, EnvError, MultiEnv, Parallel};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::{BetSize, OneSeat, PaiGowTable, Resident, Residents, Setup, TableOptions, TableRules};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Game, Paytable, ProfileStrategy, Rules};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What a table can be told.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TableConfig {
    rules: TableRules,
    game: Rules,
    house_way: String,
    paytable: Option<String>,
    /// Seats that the environment plays.
    players: BTreeMap<usize, PlayerConfig>,
}

impl Default for TableConfig {
    fn default() -> TableConfig {
        TableConfig {
            rules: TableRules::default(),
            game: Rules::default(),
            house_way: "trump-plaza".to_owned(),
            paytable: None,
            players: BTreeMap::new(),
        }
    }
}

/// When a player takes the bank.
#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum BankPolicy {
    #[default]
    Never,
    Always,
}

/// A player of the environment's own, by the keys of the command line's tables.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct PlayerConfig {
    bet: Option<Chips>,
    #[serde(alias = "bet_share")]
    bet_share: Option<Rate>,
    side: Chips,
    bank: BankPolicy,
    way: Option<String>,
}

fn load_way(name: &str, game: &Game) -> Result<Arc<dyn ProfileStrategy + Send>, String> {
    let way = Way::load(name).map_err(|error| error.to_string())?;
    Ok(Arc::new(HouseWay::compile(way, game).map_err(|error| error.to_string())?))
}

impl PlayerConfig {
    fn resident(&self, rules: &TableRules, game: &Game) -> Result<Resident, String> {
        let bet = match (self.bet, self.bet_share) {
            (Some(_), Some(_)) => return Err("both bet and bet-share are given; keep one of them".to_owned()),
            (None, Some(share)) => BetSize::Share(share),
            (bet, None) => BetSize::Chips(bet.unwrap_or(rules.bet_minimum)),
        };
        let way = self.way.as_deref().map(|name| load_way(name, game)).transpose()?;
        Ok(Resident { bet, side: self.side, banks: self.bank == BankPolicy::Always, way })
    }
}

impl TableConfig {
    fn parse(config: &str) -> Result<TableConfig, String> {
        serde_json::from_str(config).map_err(|error| error.to_string())
    }

    fn env(&self) -> Result<PaiGowTable, String> {
        let game = Arc::new(Game::new(self.game));
        let way = load_way(&self.house_way, &game)?;
        let paytable = self.paytable.as_deref().map_or_else(|| Ok(Paytable::default()), Paytable::named);
        let paytable = paytable.map_err(|error| error.to_string())?;
        let mut residents = Residents::default();
        for (&seat, player) in &self.players {
            let players = self.rules.seats.players();
            if !(1..=players).contains(&seat) {
                return Err(format!("players: there is no seat {seat} for players; write 1 to {players}"));
            }
            let resident = player.resident(&self.rules, &game);
            residents[seat] = Some(resident.map_err(|error| format!("players: seat {seat}: {error}"))?);
        }
        let setup = Setup::new(self.rules, game, way, paytable).map_err(|error| error.to_string())?;
        Ok(PaiGowTable::new(Arc::new(setup)).with_residents(residents).keeping_rounds())
    }
}

/// The table for one agent: seats that `players` does not name bet the minimum, never bank and set the house way.
///
/// # Errors
/// With a message: an unknown rule, house way, paytable or seat.
pub(crate) fn one_seat(config: &str) -> Result<OneSeat, String> {
    let mut settings: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(config).map_err(|error| error.to_string())?;
    let seat = settings.remove("seat").map(serde_json::from_value::<usize>).transpose();
    let seat = seat.map_err(|error| format!("seat: {error}"))?.unwrap_or(1);
    let mut table: TableConfig = serde_json::from_value(settings.into()).map_err(|error| error.to_string())?;
    let players = table.rules.seats.players();
    if !(1..=players).contains(&seat) {
        return Err(format!("seat: there is no seat {seat} for players; write 1 to {players}"));
    }
    for other in (1..=players).filter(|&other| other != seat) {
        table.players.entry(other).or_default();
    }
    OneSeat::new(table.env()?).map_err(|error| error.to_string())
}

/// The table for several agents; the wrappers for PettingZoo are in `houseway.pettingzoo`. Agents are named by their seats.
#[pyclass(module = "houseway._core")]
pub(crate) struct Table {
    inner: Mutex<Parallel<PaiGowTable>>,
    seats: Vec<usize>,
    actions: usize,
    mask: Vec<bool>,
}

impl Table {
    fn inner(&mut self) -> &mut Parallel<PaiGowTable> {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn env(&mut self) -> &PaiGowTable {
        self.inner().env()
    }

    /// The agent of a seat; one that there is not for the seat of the house.
    fn agent(seat: usize) -> usize {
        seat.wrapping_sub(1)
    }

    fn write_mask(&mut self, seat: usize) -> Result<(), EnvError> {
        let Table { inner, mask, .. } = self;
        let env = inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        match env.env().action_mask(Table::agent(seat), mask) {
            Err(EnvError::NotReset) => mask.fill(false),
            other => other?,
        }
        Ok(())
    }
}

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, config: &str) -> PyResult<Table> {
        let env = py.detach(|| TableConfig::parse(config)?.env()).map_err(value_error)?;
        let (seats, actions) = (env.agent_seats().iter().collect(), env.action_space().n());
        Ok(Table { inner: Mutex::new(Parallel::new(env)), seats, actions, mask: vec![false; actions] })
    }

    /// The seats of agents, lowest first.
    #[getter]
    fn seats(&self) -> Vec<usize> {
        self.seats.clone()
    }

    /// `(id, lowest reward, highest reward, most steps)`.
    #[getter]
    fn spec(&mut self) -> (&'static str, f64, f64, usize) {
        let spec = self.env().spec();
        (spec.id, spec.reward_range.0, spec.reward_range.1, spec.max_steps)
    }

    #[getter]
    fn rules_hash(&mut self) -> String {
        self.env().rules_hash()
    }

    /// `(shape, low, high)`.
    #[getter]
    fn observation_space(&mut self) -> (Vec<usize>, f32, f32) {
        let BoxSpace { shape, low, high } = self.env().observation_space();
        (shape, low, high)
    }

    #[getter]
    fn actions(&self) -> usize {
        self.actions
    }

    #[pyo3(signature = (seed=None, options=None))]
    fn reset(&mut self, seed: Option<u64>, options: Option<&str>) -> PyResult<()> {
        let options: TableOptions =
            options.map(serde_json::from_str).transpose().map_err(value_error)?.unwrap_or_default();
        self.inner().reset_stream(seed.map(Into::into), &options).map_err(value_error)
    }

    /// The seats of agents that are asked now, lowest first.
    fn acting(&mut self) -> Vec<usize> {
        self.env().acting().iter().map(|agent| agent + 1).collect()
    }

    /// `(terminated, truncated)` by agent.
    fn status(&mut self) -> PyResult<Vec<(bool, bool)>> {
        let seats = self.seats.clone();
        let of_seat = |seat| self.env().status(Table::agent(seat));
        let status = seats.into_iter().map(of_seat).collect::<Result<Vec<_>, _>>().map_err(value_error)?;
        Ok(status.iter().map(|&s| (s == AgentStatus::Terminated, s == AgentStatus::Truncated)).collect())
    }

    /// Chips of each agent's seat that are not on the table.
    fn bankrolls(&mut self) -> Vec<Chips> {
        let seats = self.seats.clone();
        let table = self.env().table();
        seats.into_iter().map(|seat| table.map_or(0, |table| table.seat(seat).bankroll)).collect()
    }

    /// Plays one action; what each agent received.
    fn step(&mut self, seat: usize, action: i64) -> PyResult<Vec<f64>> {
        let action = usize::try_from(action).unwrap_or(usize::MAX);
        let played = self.inner().env_mut().step(Table::agent(seat), action);
        played.map_err(|error| value_error(format!("seat_{seat}: {error}")))?;
        let rewards = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).env().rewards();
        Ok(self.seats.iter().map(|&seat| rewards[seat - 1]).collect())
    }

    /// Plays one action of every agent that is asked, by seat; others are passed over. What each agent received.
    fn step_all(&mut self, actions: BTreeMap<usize, i64>) -> PyResult<Vec<f64>> {
        let mut by_agent = vec![usize::MAX; self.env().agents()];
        for seat in self.acting() {
            let action = actions
                .get(&seat)
                .ok_or_else(|| value_error(format!("seat_{seat} is asked for an action, and there is none for it")))?;
            by_agent[seat - 1] = usize::try_from(*action).unwrap_or(usize::MAX);
            let checked = self.env().check_action(seat - 1, by_agent[seat - 1]);
            checked.map_err(|error| value_error(format!("seat_{seat}: {error}")))?;
        }
        let parallel = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let rewards = parallel.step(&by_agent).map_err(value_error)?;
        Ok(self.seats.iter().map(|&seat| rewards[seat - 1]).collect())
    }

    /// `{"observation", "action_mask"}` of a seat, new arrays.
    fn observe<'py>(&mut self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyDict>> {
        let env = self.env();
        let observation = PyArray1::<f32>::zeros(py, env.observation_space().len(), false);
        // SAFETY: the array is new, contiguous, and nobody else has it yet.
        let out = unsafe { observation.as_slice_mut()? };
        env.observe(Table::agent(seat), out).map_err(value_error)?;
        self.write_mask(seat).map_err(value_error)?;
        let seen = PyDict::new(py);
        seen.set_item(pyo3::intern!(py, "observation"), observation)?;
        let mask = PyArray1::from_iter(py, self.mask.iter().map(|&legal| i8::from(legal)));
        seen.set_item(pyo3::intern!(py, "action_mask"), mask)?;
        Ok(seen)
    }

    /// What a seat can do now, as booleans; nothing before the first reset.
    fn action_masks<'py>(&mut self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.write_mask(seat).map_err(value_error)?;
        Ok(PyArray1::from_slice(py, &self.mask))
    }

    fn render(&mut self) -> String {
        self.env().render()
    }

    /// The last round that is over, as a line of a history.
    fn last_round(&mut self) -> PyResult<Option<String>> {
        let round = self.env().last_round();
        round.map(|round| serde_json::to_string(&round)).transpose().map_err(value_error)
    }

    /// The head of a history; none if the session was begun without a seed.
    fn history_head(&mut self) -> PyResult<Option<String>> {
        self.env().history_head().map(serde_json::to_string).transpose().map_err(value_error)
    }
}
