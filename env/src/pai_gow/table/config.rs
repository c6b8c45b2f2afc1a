//! Table configurations in JSON, and the game's entry in the registry.

use super::env::OneSeat;
use super::seated::{Guest, SeatedRounds};
use super::{BankPolicy, PaiGowTable, Player, Players, Regular, SetRule, Setup, TableAction, TableRules};
use crate::gym::{Env, Example, GameEntry, MakeError, Rounds, Seated, from_json};
use crate::money::{Chips, Rate};
use crate::names;
use crate::pai_gow::house_way::{HouseWay, InterpretedWay, Way};
use crate::pai_gow::{Game, Paytable, ProfileStrategy, Rules};
use crate::rules::RuleTable;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The configuration of a table. All keys are optional.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TableConfig {
    rules: TableRules,
    game: Rules,
    /// The house way, given as a name, a path or text.
    house_way: String,
    /// The side bet's paytable.
    paytable: Paytable,
    /// The residents, keyed by seat.
    players: BTreeMap<usize, SeatConfig>,
}

impl Default for TableConfig {
    fn default() -> TableConfig {
        let (rules, game, paytable) = (TableRules::default(), Rules::default(), Paytable::default());
        TableConfig { rules, game, house_way: Way::DEFAULT.to_owned(), paytable, players: BTreeMap::new() }
    }
}

/// The configuration of a player on one seat, with the same keys as in the command line's table files. All keys are
/// optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct SeatConfig {
    /// The initial bankroll in chips. Only guests have one. Residents start with the bankrolls in the reset options.
    bankroll: Option<Chips>,
    /// The bet in chips. If neither this nor `bet_share` is given, the player bets the minimum.
    bet: Option<Chips>,
    /// The bet as a fraction of the bankroll.
    #[serde(alias = "bet_share")]
    bet_share: Option<Rate>,
    /// The side bet in chips.
    side: Chips,
    bank: BankPolicy,
    /// The player's house way. Defaults to the table's.
    way: Option<String>,
}

type SharedWay = Arc<dyn ProfileStrategy + Send>;

fn load_way(name: &str, game: &Arc<Game>) -> Result<SharedWay, MakeError> {
    Ok(HouseWay::shared(Way::load(name)?, game)?)
}

/// Loads a guest's house way. Under the default rules, built-in house ways are not compiled, because a guest only sets
/// a few hands.
pub(super) fn load_guest_way(name: &str, game: &Arc<Game>) -> Result<SharedWay, MakeError> {
    match InterpretedWay::new(name, game) {
        Some(way) => Ok(Arc::new(way)),
        None => load_way(name, game),
    }
}

impl SeatConfig {
    /// Creates the player. If it has its own house way, `load` loads it.
    fn player(
        &self,
        setup: &Setup,
        load: fn(&str, &Arc<Game>) -> Result<SharedWay, MakeError>,
    ) -> Result<Regular, MakeError> {
        let bet = setup.rules.bet_size(self.bet, self.bet_share, self.side, self.bankroll)?;
        if self.bank.is_exact() {
            let reason = "needs exact values, which environments don't have; use never, always or in-turn";
            return Err(format!("bank = {}: {reason}", self.bank).into());
        }
        let way = self.way.as_deref().map(|name| load(name, &setup.game)).transpose()?;
        let name = way.as_ref().unwrap_or(&setup.way).name().to_owned();
        let set = way.map_or(SetRule::HouseWay, SetRule::Way);
        Ok(Regular { name, bet, side: self.side, bank: self.bank, exact: None, set })
    }

    fn resident(&self, setup: &Setup) -> Result<Regular, MakeError> {
        match self.bankroll {
            Some(_) => {
                Err("unknown field `bankroll`; the reset option `bankrolls` has the bankrolls of all seats".into())
            }
            None => self.player(setup, load_way),
        }
    }

    fn guest(&self, setup: &Setup) -> Result<Guest, MakeError> {
        setup.rules.check_bankrolls(&[self.bankroll.unwrap_or(0)])?;
        let text = self.way.as_deref().map_or_else(|| Ok(String::new()), Way::text)?;
        let player = self.player(setup, load_guest_way)?;
        let mut id = format!("{:?} {} {} ", player.bet, player.side, player.bank);
        id.extend(self.bankroll.map(|bankroll| format!("{bankroll} chips ")));
        id += &format!("{} {text}", self.way.is_some());
        Ok(Guest { player, bankroll: self.bankroll, source: self.way.clone(), id })
    }
}

/// Creates the environment from a configuration. This is a JSON object with the keys `rules`, `game` (the rules of the
/// game), `house_way` (given as a name, a path or text), `paytable` (for the side bet) and `players` (the residents, by
/// seat). Agents play on all seats that have no resident.
///
/// # Errors
/// Returns an error if a key or value is invalid, or if a house way, the paytable or a seat does not exist.
pub fn from_config(config: &str) -> Result<PaiGowTable, MakeError> {
    from_json::<TableConfig>(config)?.env()
}

impl TableConfig {
    fn setup(&self) -> Result<Arc<Setup>, MakeError> {
        self.rules.check()?;
        let game = Arc::new(Game::new(self.game));
        let way = load_way(&self.house_way, &game)?;
        Ok(Arc::new(Setup::new(self.rules, game, way, self.paytable.clone())?))
    }

    fn env(&self) -> Result<PaiGowTable, MakeError> {
        let setup = self.setup()?;
        let mut residents = Players::default();
        for (&seat, player) in &self.players {
            self.check_seat("players", seat)?;
            let resident = player.resident(&setup).map_err(|error| in_seat(seat, &*error))?;
            residents[seat] = Some(Player::Regular(resident));
        }
        Ok(PaiGowTable::new(setup, residents))
    }

    fn check_seat(&self, key: &str, seat: usize) -> Result<(), MakeError> {
        let players = self.rules.seats.players();
        if (1..=players).contains(&seat) {
            return Ok(());
        }
        Err(format!("{key}: invalid seat {seat}: must be between 1 and {players}").into())
    }
}

/// The game's entry in the registry.
pub const GAME: GameEntry = GameEntry {
    name: "pai-gow-table",
    id: super::ID,
    folder: "pai_gow/table",
    title: "Pai Gow Poker at a table of two to seven seats, with player banking",
    source: "rules of play of an online casino: Pai Gow Poker with player banking",
    rules: RuleTable::of::<TableRules>(),
    data: &[("house ways", crate::pai_gow::house_way::BUILT_IN), ("paytables", crate::pai_gow::PAYTABLES)],
    encodings: &[],
    action_names: || (0..TableAction::COUNT).filter_map(TableAction::from_index).map(TableAction::meaning).collect(),
    documentation: crate::gym::pages!(),
    examples: &[
        Example { name: "short-sessions", config: "{}", options: &[r#"{"bankrolls": [100, 0, 3000], "rounds": 6}"#] },
        Example {
            name: "banking-residents",
            config: r#"{"seat": 3, "rules": {"seats": 4, "time-steps": 2, "uncovered-bets": "lose", "commission-on-banker": "per_bet", "button-without-hand": "roll_again", "house-hand-when-player-banks": "dealt"}, "players": {"1": {"bet": 40, "bank": "always"}, "2": {"bet-share": "0.1", "side": 5}}}"#,
            options: &[r#"{"bankrolls": [500, 300, 400], "rounds": 5}"#],
        },
    ],
    make,
    seated: Some(Seated { game: "pai-gow-poker", make: make_rounds }),
};

/// Returns a configuration without one of its keys, and the value of that key.
fn without<T: for<'de> Deserialize<'de>>(config: &str, key: &str) -> Result<(TableConfig, Option<T>), MakeError> {
    let mut settings: Map<String, Value> = serde_json::from_str(config)?;
    let value = settings.remove(key).map(serde_json::from_value).transpose();
    let value = value.map_err(|error| format!("{key}: {}", names::plain(&error.to_string())))?;
    Ok((from_json(&Value::from(settings).to_string())?, value))
}

/// Creates the environment for a single agent from a configuration. The additional key `seat` selects the
/// agent's seat and defaults to 1. Seats that aren't listed in `players` get a resident with default settings. This
/// resident bets the minimum, never banks and follows the house way.
fn make(config: &str) -> Result<Box<dyn Env>, MakeError> {
    let (mut table, seat) = without(config, "seat")?;
    let seat = seat.unwrap_or(1);
    table.check_seat("seat", seat)?;
    if table.players.contains_key(&seat) {
        return Err(
            format!("players: seat {seat} is the agent's, so nobody else plays it; choose another with seat").into()
        );
    }
    for other in (1..=table.rules.seats.players()).filter(|&other| other != seat) {
        table.players.entry(other).or_default();
    }
    Ok(Box::new(OneSeat::new(table.env()?)?))
}

fn in_seat(seat: usize, error: &dyn std::fmt::Display) -> MakeError {
    format!("players: seat {seat}: {error}").into()
}

/// Creates a table for one human player from a configuration. The key `players` chooses the guests on
/// individual seats, and `null` leaves a seat empty.
fn make_rounds(config: &str) -> Result<Box<dyn Rounds>, MakeError> {
    let (table, players) = without::<BTreeMap<usize, Value>>(config, "players")?;
    let setup = table.setup()?;
    let mut guests = BTreeMap::new();
    for (seat, player) in players.unwrap_or_default() {
        table.check_seat("players", seat)?;
        let player: Option<SeatConfig> =
            serde_json::from_value(player).map_err(|error| in_seat(seat, &names::plain(&error.to_string())))?;
        let guest = player.map(|player| player.guest(&setup)).transpose();
        guests.insert(seat, guest.map_err(|error| in_seat(seat, &*error))?);
    }
    Ok(Box::new(SeatedRounds::new(setup, guests)))
}
