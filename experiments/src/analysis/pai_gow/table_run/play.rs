//! Opening and playing a table from its configuration.

use super::{
    BankPolicy, Kelly, Known, PlayerConfig, PlayerPolicy, SeatWay, SeatedWays, TableRunConfig, TableWay,
    WhenProfitable, with_book,
};
use crate::analysis::pai_gow::progress::with_progress;
use anyhow::Context;
use houseway_env::gym::{StreamSeed, stream};
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::{
    AlwaysBank, BankRule, BetSize, Books, HOUSE_SEAT, HistoryHead, HistoryWriter, MAX_SEATS, NeverBank, Player,
    Players, RandomPlayer, Regular, RoundRecord, SetRule, Setup, Table, play_round,
};
use houseway_env::pai_gow::{Game, Paytable};
use houseway_env::rules::RuleSet;
use houseway_exact::solver::SolverError;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Table with its players, ready for the first round.
pub struct OpenTable {
    /// The table.
    pub table: Table,
    /// Players by seat, without those on agents' seats.
    pub(super) players: Players,
    /// Hashes of the ways, by name.
    pub(super) ways: BTreeMap<String, String>,
    config: TableRunConfig,
}

/// Results of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    /// Number of rounds played.
    pub rounds: u64,
    /// [`Setup::hash`] of the table.
    pub setup: String,
    /// The house's way, as named in the configuration.
    pub house_way: String,
    /// Hash of the rules of the table.
    pub rules_hash: String,
    /// Hash of the rules of the game.
    pub game_rules_hash: String,
    /// Players by seat.
    pub seats: Vec<SeatPlayed>,
    /// Income of the house.
    pub books: Books,
}

/// Results of one player.
#[derive(Clone, Debug, Serialize)]
pub struct SeatPlayed {
    /// Seat.
    pub seat: usize,
    /// Name.
    pub name: String,
    /// Way as a player, as named in the configuration; `None` for a random player.
    pub way: Option<String>,
    /// Way as the banker.
    pub banker_way: Option<String>,
    /// Chips at the start.
    pub before: Chips,
    /// Chips at the end.
    pub after: Chips,
    /// Number of rounds in which the player had a hand.
    pub hands: u64,
    /// Number of rounds in which the player banked.
    pub banked: u64,
}

/// Returns the setup of a table, which is constant during play.
///
/// # Errors
/// Returns an error if a way or paytable cannot be found, or if the rules are invalid.
pub fn setup(config: &TableRunConfig) -> anyhow::Result<Arc<Setup>> {
    config.check().map_err(anyhow::Error::msg)?;
    let game = Arc::new(Game::new(config.game));
    let way = TableWay::load(&config.house_way, &game).with_context(|| place("house-way", &config.house_way))?;
    let paytable = match &config.paytable {
        None => Paytable::default(),
        Some(name) => Paytable::load(name)?,
    };
    Ok(Arc::new(Setup::new(config.rules, game, way.shared(), paytable)?))
}

/// Opens a table. Outcome counts needed by players are taken from the cache folder, or computed and saved there.
/// Returns `None` if it was stopped.
///
/// # Errors
/// Returns an error if something in the configuration cannot be found, or if the counts cannot be saved.
pub fn open(config: TableRunConfig, counts: &Path, stop: &AtomicBool) -> anyhow::Result<Option<OpenTable>> {
    let setup = setup(&config)?;
    let game = Arc::clone(setup.game());
    let mut named = vec![("house-way".to_owned(), config.house_way.as_str())];
    for player in &config.players {
        named.push((format!("seat {}: way", player.seat), &player.way));
        named.push((format!("seat {}: banker-way", player.seat), player.as_banker()));
    }
    named.sort_by_key(|(_, name)| *name);
    named.dedup_by_key(|(_, name)| *name);
    let mut ways = Ways(vec![]);
    for (key, name) in named {
        match with_progress("setting all hands", stop, |run| SeatWay::load(name, &game, run)) {
            Err(SolverError::Cancelled) => return Ok(None),
            way => ways.0.push(way.with_context(|| place(&key, name))?),
        }
    }
    let Some(known) = known(&config, &ways, &game, counts, stop)? else { return Ok(None) };
    let table = Table::new(setup, &config.bankrolls()).map_err(anyhow::Error::msg)?;
    let mut players: Players = std::array::from_fn(|_| None);
    for (player, known) in config.players.iter().zip(known) {
        players[player.seat] = seat_player(&config, player, &ways, known);
    }
    let ways = ways.0.iter().map(|way| (way.name().to_owned(), way.id().to_owned())).collect();
    Ok(Some(OpenTable { table, players, ways, config }))
}

/// Describes the location of a way in a configuration, for errors.
fn place(key: &str, name: &str) -> String {
    format!("{key} = \"{name}\"")
}

/// Strategies used at a table.
struct Ways(Vec<SeatWay>);

impl Ways {
    fn get(&self, name: &str) -> &SeatWay {
        self.0.iter().find(|way| way.name() == name).expect("all ways are loaded")
    }
}

/// Returns the exact counts needed by players, in the order of the players.
fn known(
    config: &TableRunConfig,
    ways: &Ways,
    game: &Game,
    counts: &Path,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Vec<Option<Known>>>> {
    if !config.players.iter().any(PlayerConfig::counts) {
        return Ok(Some(config.players.iter().map(|_| None).collect()));
    }
    let seated = SeatedWays::new(&ways.0);
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

fn seat_player(
    config: &TableRunConfig,
    player: &PlayerConfig,
    ways: &Ways,
    known: Option<Known>,
) -> Option<Box<dyn Player>> {
    match player.policy {
        PlayerPolicy::Agent => return None,
        // Lane 0 belongs to the table.
        PlayerPolicy::Random => {
            return Some(Box::new(RandomPlayer::new(StreamSeed { seed: config.seed, lane: player.seat as u64 })));
        }
        PlayerPolicy::Regular => {}
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
    Some(Box::new(Regular { name: player.title(), bet, side: player.side, bank, set }))
}

/// Plays the configured rounds. Each round is appended to the history, if there is one, and the table is passed to
/// `show` after it. Ends early if no player can bet any more, or if play is stopped. Agents leave in every round.
///
/// # Errors
/// Returns an error if the history cannot be written, or if `show` fails.
pub fn play(
    open: &mut OpenTable,
    history: Option<&mut dyn Write>,
    stop: &AtomicBool,
    mut show: impl FnMut(&Table) -> anyhow::Result<()>,
) -> anyhow::Result<Played> {
    let OpenTable { table, players, ways, config } = open;
    let seed = StreamSeed::from(config.seed);
    let head = HistoryHead::new(table, seed, serde_json::to_value(&*config)?);
    let head = HistoryHead { ways: ways.clone(), ..head };
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
            way: player.is_regular().then(|| player.way.clone()),
            banker_way: player.is_regular().then(|| player.as_banker().to_owned()),
            before: player.bankroll,
            after: table.seat(player.seat).bankroll,
            hands: hands[player.seat],
            banked: banked[player.seat],
        })
        .collect();
    seats.sort_by_key(|seat| seat.seat);
    Ok(Played {
        rounds,
        setup: table.setup().hash().to_owned(),
        house_way: config.house_way.clone(),
        rules_hash: config.rules.hash(),
        game_rules_hash: config.game.hash(),
        seats,
        books: table.books(),
    })
}
