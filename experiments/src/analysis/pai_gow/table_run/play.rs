//! A table from its configuration: opened, played, verified.

use super::{
    BankPolicy, Kelly, Known, PlayerConfig, Policy, SeatedWays, TableConfig, TableWay, WhenProfitable, with_book,
};
use anyhow::Context;
use houseway_env::gym::{StreamSeed, stream};
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::{
    AlwaysBank, BankRule, BetSize, Books, HOUSE_SEAT, History, HistoryError, HistoryHead, HistoryWriter, MAX_SEATS,
    NeverBank, Player, Players, RandomPlayer, Regular, RoundRecord, SetRule, Setup, Table, play_round,
};
use houseway_env::pai_gow::{Game, Paytable};
use serde::Serialize;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A table with its players, ready for the first round.
pub struct OpenTable {
    /// The table.
    pub table: Table,
    players: Players,
    config: TableConfig,
}

/// What came of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    /// Rounds that were played.
    pub rounds: u64,
    /// [`Setup::hash`] of the table.
    pub setup: String,
    /// The players, by seat.
    pub seats: Vec<SeatPlayed>,
    /// What the house has received.
    pub books: Books,
}

/// What came of one player.
#[derive(Clone, Debug, Serialize)]
pub struct SeatPlayed {
    /// The seat.
    pub seat: usize,
    /// The name.
    pub name: String,
    /// Chips at the beginning.
    pub before: Chips,
    /// Chips at the end.
    pub after: Chips,
    /// Rounds in which the player had a hand.
    pub hands: u64,
    /// Rounds in which the player banked.
    pub banked: u64,
}

/// What does not change in play.
///
/// # Errors
/// If a way or paytable cannot be found, or the rules cannot be played by.
pub fn setup(config: &TableConfig) -> anyhow::Result<Arc<Setup>> {
    config.check().map_err(anyhow::Error::msg)?;
    let game = Arc::new(Game::new(config.game));
    let way = TableWay::load(&config.house_way, &game)?;
    let paytable = match &config.paytable {
        None => Paytable::default(),
        Some(name) => Paytable::load(name)?,
    };
    Ok(Arc::new(Setup::new(config.rules, game, way.shared(), paytable)?))
}

/// Opens a table. Counts that a player's rule needs are taken from the folder of counts, or made and kept there. `None` if
/// it was asked to stop.
///
/// # Errors
/// If something that the configuration names cannot be found, or the counts cannot be kept.
pub fn open(config: TableConfig, counts: &Path, stop: &AtomicBool) -> anyhow::Result<Option<OpenTable>> {
    let setup = setup(&config)?;
    let game = Arc::clone(setup.game());
    let mut names: Vec<&str> = vec![&config.house_way];
    names.extend(config.players.iter().flat_map(|player| [player.way.as_str(), player.as_banker()]));
    names.sort_unstable();
    names.dedup();
    let loaded = names.iter().map(|name| TableWay::load(name, &game).with_context(|| format!("the way '{name}'")));
    let ways = Ways(loaded.collect::<anyhow::Result<_>>()?);
    let Some(known) = known(&config, &ways, &game, counts, stop)? else { return Ok(None) };
    let table = Table::new(setup, &config.bankrolls()).map_err(anyhow::Error::msg)?;
    let mut players: Players = std::array::from_fn(|_| None);
    for (player, known) in config.players.iter().zip(known) {
        players[player.seat] = Some(seat_player(&config, player, &ways, known));
    }
    Ok(Some(OpenTable { table, players, config }))
}

/// The ways of a table.
struct Ways(Vec<TableWay>);

impl Ways {
    fn get(&self, name: &str) -> &TableWay {
        self.0.iter().find(|way| way.name() == name).expect("every way was loaded")
    }
}

/// What the players who count know, in the order of the players.
fn known(
    config: &TableConfig,
    ways: &Ways,
    game: &Game,
    counts: &Path,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Vec<Option<Known>>>> {
    if !config.players.iter().any(PlayerConfig::counts) {
        return Ok(Some(config.players.iter().map(|_| None).collect()));
    }
    let seated = SeatedWays::of(&ways.0);
    let known = with_book(counts, game, stop, |book, run| {
        let of_player = |player: &PlayerConfig| {
            if !player.counts() {
                return Some(None);
            }
            let others = config.players.iter().filter(|other| other.seat != player.seat);
            let house = (HOUSE_SEAT, seated.get(&config.house_way));
            let seats: Vec<_> =
                others.map(|other| (other.seat, seated.get(&other.way))).chain(std::iter::once(house)).collect();
            let own = [&player.way, player.as_banker(), &config.house_way].map(|name| seated.get(name));
            Known::count(book, &seats, own, run).ok().map(Some)
        };
        config.players.iter().map(of_player).collect()
    });
    Ok(known?)
}

fn seat_player(config: &TableConfig, player: &PlayerConfig, ways: &Ways, known: Option<Known>) -> Box<dyn Player> {
    if player.policy == Policy::Random {
        // Lane 0 is the table's.
        return Box::new(RandomPlayer::new(StreamSeed { seed: config.seed, lane: player.seat as u64 }));
    }
    let bank: Box<dyn BankRule> = match (player.bank, known) {
        (BankPolicy::Always, _) => Box::new(AlwaysBank),
        (BankPolicy::WhenProfitable, Some(known)) => Box::new(WhenProfitable(known)),
        (BankPolicy::Kelly, Some(known)) => Box::new(Kelly(known)),
        _ => Box::new(NeverBank),
    };
    let strategy = |name: &str| Arc::new(ways.get(name).clone());
    let set = match [player.way.as_str(), player.as_banker()] {
        [way, banker] if way == config.house_way && banker == config.house_way => SetRule::HouseWay,
        [way, banker] => SetRule::Strategy { player: strategy(way), banker: strategy(banker) },
    };
    let bet = player.bet_share.map(BetSize::Share);
    let bet = bet.unwrap_or(BetSize::Chips(player.bet.unwrap_or(config.rules.bet_minimum)));
    Box::new(Regular { name: player.title(), bet, side: player.side, bank, set })
}

/// Plays the rounds of the configuration, writes them into a history if there is one, and shows the table after each. It
/// ends early if nobody can bet any more, or it is asked to stop.
///
/// # Errors
/// If the history cannot be written, or `show` fails.
pub fn play(
    open: &mut OpenTable,
    history: Option<&mut dyn Write>,
    stop: &AtomicBool,
    mut show: impl FnMut(&Table) -> anyhow::Result<()>,
) -> anyhow::Result<Played> {
    let OpenTable { table, players, config } = open;
    let seed = StreamSeed::from(config.seed);
    let head = HistoryHead::new(table, seed, serde_json::to_value(&*config)?);
    let mut writer = history.map(|to| HistoryWriter::new(to, &head)).transpose()?;
    let (mut rng, mut moves) = (stream(seed), vec![]);
    let (mut hands, mut banked) = ([0; MAX_SEATS], [0; MAX_SEATS]);
    let mut rounds = 0;
    while rounds < config.rounds && !stop.load(Ordering::Relaxed) && play_round(table, players, &mut rng, &mut moves)? {
        rounds += 1;
        (0..MAX_SEATS).for_each(|seat| hands[seat] += u64::from(table.seat(seat).hand.is_some()));
        banked[table.bank().seat()] += u64::from(table.settled().is_some());
        if let Some(writer) = &mut writer {
            writer.write(&RoundRecord::new(table, &moves))?;
        }
        show(table)?;
    }
    writer.map(HistoryWriter::finish).transpose()?;
    let mut seats: Vec<SeatPlayed> = config
        .players
        .iter()
        .map(|player| SeatPlayed {
            seat: player.seat,
            name: player.title(),
            before: player.bankroll,
            after: table.seat(player.seat).bankroll,
            hands: hands[player.seat],
            banked: banked[player.seat],
        })
        .collect();
    seats.sort_by_key(|seat| seat.seat);
    Ok(Played { rounds, setup: table.setup().hash().to_owned(), seats, books: table.books() })
}

/// Plays a history again from its head and compares every card and chip; gives the number of its rounds and the hash of the
/// table's setup.
///
/// # Errors
/// If it is no history, or did not happen so.
pub fn verify(history: impl BufRead) -> Result<(u64, String), VerifyError> {
    let history = History::read(history).map_err(VerifyError::NoHistory)?;
    let config: TableConfig = serde_json::from_value(history.head().config.clone())
        .map_err(|error| VerifyError::NoTable(anyhow::anyhow!("the configuration in its first line: {error}")))?;
    let setup = setup(&config).map_err(VerifyError::NoTable)?;
    let table = Table::new(setup, &config.bankrolls());
    let mut table = table.map_err(|error| VerifyError::NoTable(anyhow::Error::msg(error)))?;
    let rounds = history.verify(&mut table).map_err(VerifyError::Differs)?;
    Ok((rounds, table.setup().hash().to_owned()))
}

/// Why a history is not verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It is none.
    #[error("{0}")]
    NoHistory(HistoryError),
    /// Its table cannot be opened.
    #[error("{0:#}")]
    NoTable(anyhow::Error),
    /// It did not happen so.
    #[error("{0}")]
    Differs(HistoryError),
}
