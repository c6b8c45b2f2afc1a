//! Table configurations in JSON.

use super::{
    BetSize, Guest, Guests, OneSeat, PaiGowTable, Resident, ResidentBank, Residents, SeatedRounds, Setup, TableAction,
    TableRules, player,
};
use crate::gym::{Env, Example, GameEntry, MakeError, Rounds, from_json};
use crate::money::{Chips, Rate};
use crate::pai_gow::house_way::{HouseWay, Way};
use crate::pai_gow::{Game, Paytable, ProfileStrategy, Rules};
use crate::rules::RuleSet;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The configuration of a table. All keys are optional.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TableConfig {
    /// The table rules.
    pub rules: TableRules,
    /// The game's rules.
    pub game: Rules,
    /// The house way, given as a name, a path or text.
    pub house_way: String,
    /// The side bet's paytable.
    pub paytable: Paytable,
    /// The residents, keyed by seat.
    pub players: BTreeMap<usize, ResidentConfig>,
}

impl Default for TableConfig {
    fn default() -> TableConfig {
        TableConfig {
            rules: TableRules::default(),
            game: Rules::default(),
            house_way: "trump-plaza".to_owned(),
            paytable: Paytable::default(),
            players: BTreeMap::new(),
        }
    }
}

/// The configuration of a [`Resident`], with the same keys as in the command line's table files. All keys are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResidentConfig {
    /// The bet in chips. If neither this nor `bet_share` is given, the resident bets the minimum.
    pub bet: Option<Chips>,
    /// The bet as a fraction of the bankroll.
    #[serde(alias = "bet_share")]
    pub bet_share: Option<Rate>,
    /// The side bet in chips.
    pub side: Chips,
    /// The banking behavior.
    pub bank: ResidentBank,
    /// The resident's house way. Defaults to the table's.
    pub way: Option<String>,
}

fn load_way(name: &str, game: &Game) -> Result<Arc<dyn ProfileStrategy + Send>, MakeError> {
    Ok(HouseWay::shared(Way::load(name)?, game)?)
}

impl ResidentConfig {
    /// Creates the resident. If it has its own house way, `load` loads it.
    fn resident(
        &self,
        rules: &TableRules,
        load: impl Fn(&str) -> Result<Arc<dyn ProfileStrategy + Send>, MakeError>,
    ) -> Result<Resident, MakeError> {
        let bet = match (self.bet, self.bet_share) {
            (Some(_), Some(_)) => return Err("expected either bet or bet-share, not both".into()),
            (None, Some(share)) => BetSize::Share(share),
            (bet, None) => BetSize::Chips(bet.unwrap_or(rules.bet_minimum)),
        };
        rules.check_wagers(self.bet, self.side)?;
        let way = self.way.as_deref().map(load).transpose()?;
        Ok(Resident { bet, side: self.side, bank: self.bank, way })
    }

    fn guest(&self, setup: &Setup, bankroll: Option<Chips>) -> Result<Guest, MakeError> {
        let load = |name: &str| Ok(player::load_guest_way(name, setup.game())?);
        let text = self.way.as_deref().map_or_else(|| Ok(String::new()), Way::text)?;
        let resident = self.resident(setup.rules(), load)?;
        if let Some(bankroll) = bankroll {
            setup.rules().check_bankrolls(&[bankroll])?;
            let (bet, side) = (self.bet.unwrap_or(setup.rules().bet_minimum), self.side);
            if bet + side > bankroll {
                return Err(
                    format!("bankroll = {bankroll}: must cover the bet of {bet} and the side bet of {side}").into()
                );
            }
        }
        Ok(Guest { resident, bankroll, source: self.way.clone(), text })
    }
}

/// The configuration of a guest at a table with one human player: a resident's keys and a bankroll.
#[derive(Clone, Debug, Default)]
struct GuestConfig {
    /// The initial bankroll in chips, or `None` for the default.
    bankroll: Option<Chips>,
    resident: ResidentConfig,
}

impl GuestConfig {
    /// Parses the configuration of a guest. Serde can't flatten a struct that denies unknown keys.
    fn parse(mut keys: Map<String, Value>) -> Result<GuestConfig, serde_json::Error> {
        let bankroll = keys.remove("bankroll").map(serde_json::from_value).transpose()?;
        Ok(GuestConfig { bankroll, resident: serde_json::from_value(keys.into())? })
    }
}

impl TableConfig {
    /// Parses a JSON object.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid configuration. The message names the offending key.
    pub fn parse(config: &str) -> Result<TableConfig, MakeError> {
        from_json(config)
    }

    /// Creates the rules, the house way and the paytable.
    ///
    /// # Errors
    /// Returns an error if the house way or the paytable is unknown, or the rules contradict one another.
    pub fn setup(&self) -> Result<Arc<Setup>, MakeError> {
        self.rules.check()?;
        let game = Arc::new(Game::new(self.game));
        let way = load_way(&self.house_way, &game)?;
        Ok(Arc::new(Setup::new(self.rules, game, way, self.paytable.clone())?))
    }

    /// Creates the environment. Agents play on all seats that have no resident.
    ///
    /// # Errors
    /// Returns an error if a house way, paytable or seat does not exist, or if the rules contradict each other.
    pub fn env(&self) -> Result<PaiGowTable, MakeError> {
        let setup = self.setup()?;
        let mut residents = Residents::default();
        for (&seat, player) in &self.players {
            self.check_seat(seat)?;
            let resident = player.resident(&self.rules, |name| load_way(name, setup.game()));
            residents[seat] = Some(resident.map_err(|error| in_seat(seat, &*error))?);
        }
        Ok(PaiGowTable::new(setup).with_residents(residents).keeping_rounds())
    }

    fn check_seat(&self, seat: usize) -> Result<(), MakeError> {
        let players = self.rules.seats.players();
        if (1..=players).contains(&seat) {
            return Ok(());
        }
        Err(format!("players: invalid seat {seat}: must be between 1 and {players}").into())
    }

    /// Creates the environment for a single agent on `seat`. Seats that aren't listed in `players` get a resident with
    /// default settings. This resident bets the minimum, never banks and follows the house way.
    ///
    /// # Errors
    /// Returns any error from [`TableConfig::env`], or an error if the seat is invalid or has a resident.
    pub fn one_seat(mut self, seat: usize) -> Result<OneSeat, MakeError> {
        let players = self.rules.seats.players();
        if !(1..=players).contains(&seat) {
            return Err(format!("seat: invalid seat {seat}: must be between 1 and {players}").into());
        }
        for other in (1..=players).filter(|&other| other != seat) {
            self.players.entry(other).or_default();
        }
        Ok(OneSeat::new(self.env()?)?)
    }
}

/// The game's entry in the registry.
pub const GAME: GameEntry = GameEntry {
    name: "pai-gow-table",
    id: super::ID,
    folder: "pai_gow/table",
    title: "Pai Gow Poker at a table of two to seven seats, with player banking",
    source: "rules of play of an online casino: Pai Gow Poker with player banking",
    parameter_docs: TableRules::PARAMETERS,
    readings: TableRules::READINGS,
    variants: &[],
    default_rules: TableRules::defaults,
    rules_hash: TableRules::hash_of,
    data: &[("house ways", crate::pai_gow::house_way::BUILT_IN), ("paytables", &crate::pai_gow::PAYTABLES)],
    encodings: &[],
    action_names: || (0..TableAction::COUNT).filter_map(TableAction::from_index).map(TableAction::meaning).collect(),
    documentation: &[
        ("Rules", &[include_str!("mod.rs")]),
        ("Environment", &[include_str!("env.rs"), include_str!("action.rs")]),
        ("Observations", &[include_str!("observe.rs")]),
    ],
    examples: &[
        Example { name: "short-sessions", config: "{}", options: &[r#"{"bankrolls": [100, 0, 3000], "rounds": 6}"#] },
        Example {
            name: "banking-residents",
            config: r#"{"seat": 3, "rules": {"seats": 4}, "players": {"1": {"bet": 40, "bank": "always"}, "2": {"bet-share": "0.1", "side": 5}}}"#,
            options: &[r#"{"bankrolls": [500, 300, 400], "rounds": 5}"#],
        },
    ],
    make,
    seated: Some(make_rounds),
};

/// Creates the single-agent environment from a [`TableConfig`] in JSON. The additional key `seat` selects the agent's
/// seat and defaults to 1.
fn make(config: &str) -> Result<Box<dyn Env>, MakeError> {
    let mut settings: Map<String, Value> = serde_json::from_str(config)?;
    let seat = settings.remove("seat").map(serde_json::from_value).transpose();
    let seat = seat.map_err(|error| format!("seat: {error}"))?.unwrap_or(1);
    let table = TableConfig::parse(&Value::from(settings).to_string())?;
    Ok(Box::new(table.one_seat(seat)?))
}

fn in_seat(seat: usize, error: &dyn std::fmt::Display) -> MakeError {
    format!("players: seat {seat}: {error}").into()
}

/// Creates a table for one human player from a [`TableConfig`] in JSON. The key `players` chooses the guests on
/// individual seats, and `null` leaves a seat empty.
fn make_rounds(config: &str) -> Result<Box<dyn Rounds>, MakeError> {
    let mut settings: Map<String, Value> = serde_json::from_str(config)?;
    let players = settings.remove("players").map(serde_json::from_value).transpose();
    let players: BTreeMap<usize, Option<Map<String, Value>>> =
        players.map_err(|error| format!("players: {error}"))?.unwrap_or_default();
    let table = TableConfig::parse(&Value::from(settings).to_string())?;
    let setup = table.setup()?;
    let mut guests = Guests::new();
    for (seat, player) in players {
        table.check_seat(seat)?;
        let guest = player.map(|keys| {
            let GuestConfig { bankroll, resident } = GuestConfig::parse(keys)?;
            resident.guest(&setup, bankroll)
        });
        guests.insert(seat, guest.transpose().map_err(|error| in_seat(seat, &*error))?);
    }
    Ok(Box::new(SeatedRounds::new(setup, guests)))
}
