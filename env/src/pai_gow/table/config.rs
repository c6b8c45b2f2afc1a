//! Table configurations as JSON.

use super::{BetSize, OneSeat, PaiGowTable, Resident, Residents, Setup, TableAction, TableRules};
use crate::gym::{AnyEnv, Example, GameEntry, MakeError, erase};
use crate::money::{Chips, Rate};
use crate::pai_gow::house_way::{HouseWay, Way};
use crate::pai_gow::{Game, Paytable, ProfileStrategy, Rules};
use crate::rules::RuleSet;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Configuration of the table. All keys are optional.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TableConfig {
    /// Rules of the table.
    pub rules: TableRules,
    /// Rules of the game.
    pub game: Rules,
    /// House way, as a name, path or text.
    pub house_way: String,
    /// Paytable of the side bet.
    pub paytable: Paytable,
    /// Residents, keyed by seat.
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

/// Banking behaviour of a resident.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResidentBank {
    /// Always passes the bank.
    #[default]
    Never,
    /// Takes the bank whenever it is offered.
    Always,
}

/// Configuration of a [`Resident`], with the same keys as the tables on the command line. All keys are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResidentConfig {
    /// Bet in chips; the minimum if neither this nor `bet_share` is given.
    pub bet: Option<Chips>,
    /// Bet as a fraction of the bankroll.
    #[serde(alias = "bet_share")]
    pub bet_share: Option<Rate>,
    /// Side bet in chips.
    pub side: Chips,
    /// Banking behaviour.
    pub bank: ResidentBank,
    /// House way of the resident; that of the table by default.
    pub way: Option<String>,
}

fn load_way(name: &str, game: &Game) -> Result<Arc<dyn ProfileStrategy + Send>, MakeError> {
    Ok(HouseWay::shared(Way::load(name)?, game)?)
}

impl ResidentConfig {
    fn resident(&self, rules: &TableRules, game: &Game) -> Result<Resident, MakeError> {
        let bet = match (self.bet, self.bet_share) {
            (Some(_), Some(_)) => return Err("both bet and bet-share are given; keep one of them".into()),
            (None, Some(share)) => BetSize::Share(share),
            (bet, None) => BetSize::Chips(bet.unwrap_or(rules.bet_minimum)),
        };
        rules.check_wagers(self.bet, self.side)?;
        let way = self.way.as_deref().map(|name| load_way(name, game)).transpose()?;
        Ok(Resident { bet, side: self.side, banks: self.bank == ResidentBank::Always, way })
    }
}

impl TableConfig {
    /// Parses a JSON object.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid configuration. The message names the key.
    pub fn parse(config: &str) -> Result<TableConfig, MakeError> {
        Ok(serde_json::from_str(config)?)
    }

    /// Creates the environment for agents on all seats without a resident.
    ///
    /// # Errors
    /// Returns an error if a house way, paytable or seat is unknown, or the rules contradict one another.
    pub fn env(&self) -> Result<PaiGowTable, MakeError> {
        self.rules.check()?;
        let game = Arc::new(Game::new(self.game));
        let way = load_way(&self.house_way, &game)?;
        let mut residents = Residents::default();
        for (&seat, player) in &self.players {
            let players = self.rules.seats.players();
            if !(1..=players).contains(&seat) {
                return Err(format!("players: there is no seat {seat} for players; write 1 to {players}").into());
            }
            let resident = player.resident(&self.rules, &game);
            residents[seat] = Some(resident.map_err(|error| format!("players: seat {seat}: {error}"))?);
        }
        let setup = Setup::new(self.rules, game, way, self.paytable.clone())?;
        Ok(PaiGowTable::new(Arc::new(setup)).with_residents(residents).keeping_rounds())
    }

    /// Creates the environment for a single agent on `seat`. Seats not listed in `players` have a resident with all
    /// defaults, who bets the minimum, never banks and follows the house way.
    ///
    /// # Errors
    /// Returns the errors of [`TableConfig::env`], or an error if the seat is invalid or has a resident.
    pub fn one_seat(mut self, seat: usize) -> Result<OneSeat, MakeError> {
        let players = self.rules.seats.players();
        if !(1..=players).contains(&seat) {
            return Err(format!("seat: there is no seat {seat} for players; write 1 to {players}").into());
        }
        for other in (1..=players).filter(|&other| other != seat) {
            self.players.entry(other).or_default();
        }
        Ok(OneSeat::new(self.env()?)?)
    }
}

/// Registry entry of the game.
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
};

/// Creates the single-agent environment from a configuration: a [`TableConfig`] as JSON, and `seat`, which is 1 by
/// default.
fn make(config: &str) -> Result<Box<dyn AnyEnv>, MakeError> {
    let mut settings: Map<String, Value> = serde_json::from_str(config)?;
    let seat = settings.remove("seat").map(serde_json::from_value).transpose();
    let seat = seat.map_err(|error| format!("seat: {error}"))?.unwrap_or(1);
    let table: TableConfig = serde_json::from_value(settings.into())?;
    Ok(erase(table.one_seat(seat)?))
}
