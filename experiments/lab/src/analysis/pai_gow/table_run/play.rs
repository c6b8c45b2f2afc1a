//! Opens and plays a table from its configuration.

use super::seated::{Known, SeatedWays, TableWay};
use super::{PlayerConfig, PlayerPolicy, TableRunConfig};
use crate::analysis::pai_gow::progress::with_progress;
use crate::console::StoreOptions;
use crate::report::{TextTable, wrapped_lines};
use anyhow::Context;
use houseway_env::gym::{StreamSeed, stream};
use houseway_env::money::{Chips, chips};
use houseway_env::pai_gow::table::{
    BankPolicy, ChooseStake, HOUSE_SEAT, HistoryHeader, HistoryWriter, Player, Players, Regular, RoundRecord, SeatView,
    SetRule, Setup, Table, play_round,
};
use houseway_env::pai_gow::{Game, Paytable};
use houseway_env::rules::RuleSet;
use houseway_exact::answer::{Answer, Section};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A table and its players, ready for the first round.
pub(super) struct OpenTable {
    pub(super) table: Table,
    /// The players by seat, except for agents.
    pub(super) players: Players,
    /// Each way's hash, by name.
    pub(super) ways: BTreeMap<String, String>,
    config: TableRunConfig,
}

/// One player's results.
#[derive(Clone, Debug, Serialize)]
struct SeatPlayed {
    seat: usize,
    name: String,
    /// The player's way, as named in the configuration, or `None` for a random player.
    way: Option<String>,
    banker_way: Option<String>,
    before: Chips,
    after: Chips,
    /// The number of rounds that the player was dealt into.
    hands: u64,
    /// The number of rounds in which the player banked.
    banked: u64,
}

/// Opens a table. Outcome counts that players need are taken from the store, or computed and stored.
pub(super) fn open(config: TableRunConfig, store: &StoreOptions, stop: &AtomicBool) -> anyhow::Result<OpenTable> {
    config.check().map_err(anyhow::Error::msg)?;
    let game = Arc::new(Game::new(config.game));
    let place = |key: &str, name: &str| format!("{key} = \"{name}\"");
    let way = TableWay::load(&config.house_way, &game).with_context(|| place("house-way", &config.house_way))?;
    let paytable = match &config.paytable {
        None => Paytable::default(),
        Some(name) => Paytable::load(name)?,
    };
    let setup = Setup::new(config.rules, Arc::clone(&game), way.shared(), paytable).map_err(anyhow::Error::msg)?;
    let mut named = vec![("house-way".to_owned(), config.house_way.as_str())];
    for player in &config.players {
        named.push((format!("seat {}: way", player.seat), &player.way));
        named.push((format!("seat {}: banker-way", player.seat), player.as_banker()));
    }
    let mut ways = SeatedWays::default();
    for (key, name) in named {
        let loaded = with_progress("setting all hands", stop, |run| ways.load(name, &game, run));
        loaded.with_context(|| place(&key, name))?;
    }
    let known = known(&config, &ways, &game, store, stop)?;
    let table = Table::new(Arc::new(setup), &config.bankrolls()).map_err(anyhow::Error::msg)?;
    let mut players = Players::default();
    for (player, known) in config.players.iter().zip(known) {
        players[player.seat] = seat_player(&config, player, &ways, known, &game)?;
    }
    let ways = ways.iter().map(|(name, way)| (name.clone(), way.hash().to_owned())).collect();
    Ok(OpenTable { table, players, ways, config })
}

/// Returns the exact counts that each player needs, in the order of the players.
fn known(
    config: &TableRunConfig,
    ways: &SeatedWays,
    game: &Game,
    store: &StoreOptions,
    stop: &AtomicBool,
) -> anyhow::Result<Vec<Option<Known>>> {
    if !config.players.iter().any(PlayerConfig::counts) {
        return Ok(config.players.iter().map(|_| None).collect());
    }
    let store = store.open()?;
    let of_player = |player: &PlayerConfig| {
        if !player.counts() {
            return Ok(None);
        }
        let others = config.players.iter().filter(|other| other.seat != player.seat);
        let house = (HOUSE_SEAT, ways.get(&config.house_way));
        let seats: Vec<_> = others.map(|other| (other.seat, ways.get(&other.way))).chain([house]).collect();
        let own = [&player.way, player.as_banker(), &config.house_way].map(|name| ways.get(name));
        let known = with_progress("counting", stop, |run| Known::count(&store, game, &seats, own, run))?;
        Ok(Some(known))
    };
    config.players.iter().map(of_player).collect()
}

fn seat_player(
    config: &TableRunConfig,
    player: &PlayerConfig,
    ways: &SeatedWays,
    known: Option<Known>,
    game: &Arc<Game>,
) -> anyhow::Result<Option<Player>> {
    match player.policy {
        PlayerPolicy::Agent => return Ok(None),
        // Lane 0 belongs to the table.
        PlayerPolicy::Random => {
            return Ok(Some(Player::random(StreamSeed { seed: config.seed, lane: player.seat as u64 })));
        }
        PlayerPolicy::Regular => {}
    }
    let bank = player.bank;
    let stake = move |known: &Known, view: &SeatView<'_>| match bank {
        BankPolicy::Kelly => known.kelly(view),
        _ => known.profitable(view),
    };
    let exact = known.map(|known| Arc::new(move |view: &SeatView<'_>| stake(&known, view)) as ChooseStake);
    let set = match [player.way.as_str(), player.as_banker()] {
        [way, banker] if way == config.house_way && banker == config.house_way => SetRule::HouseWay,
        [way, banker] => {
            let (way, banker, game) = (ways.get(way).clone(), ways.get(banker).clone(), Arc::clone(game));
            SetRule::Function(Arc::new(move |hand, banks| if banks { &banker } else { &way }.set(&game, hand)))
        }
    };
    let bet = player.bet_size(&config.rules).map_err(anyhow::Error::msg)?;
    let (name, side) = (player.title(), player.side);
    Ok(Some(Player::Regular(Regular { name, bet, side, bank, exact, set })))
}

/// Plays the configured number of rounds and returns the results. After each round, appends it to the history, if there
/// is one, and calls `show` with the table. Ends early if no player can bet anymore, or if play is stopped. Agents sit out
/// every round.
pub(super) fn play(
    open: &mut OpenTable,
    history: Option<(&Path, &mut dyn Write)>,
    stop: &AtomicBool,
    mut show: impl FnMut(&Table) -> anyhow::Result<()>,
) -> anyhow::Result<Answer> {
    let OpenTable { table, players, ways, config } = open;
    let seed = StreamSeed::from(config.seed);
    let header = HistoryHeader::new(table, seed, serde_json::to_value(&*config)?);
    let header = HistoryHeader { ways: ways.clone(), ..header };
    let (path, to) = history.unzip();
    let mut writer = to.map(|to| HistoryWriter::new(to, &header)).transpose()?;
    let mut rng = stream(seed);
    let seat_played = |player: &PlayerConfig| SeatPlayed {
        seat: player.seat,
        name: player.title(),
        way: player.is_regular().then(|| player.way.clone()),
        banker_way: player.is_regular().then(|| player.as_banker().to_owned()),
        before: player.bankroll,
        after: player.bankroll,
        hands: 0,
        banked: 0,
    };
    let mut seats: Vec<SeatPlayed> = config.players.iter().map(seat_played).collect();
    seats.sort_by_key(|played| played.seat);
    let mut rounds = 0;
    while rounds < config.rounds && !stop.load(Ordering::Relaxed) && play_round(table, players, &mut rng)? {
        rounds += 1;
        for played in &mut seats {
            let seat = table.seat(played.seat);
            played.after = seat.bankroll;
            played.hands += u64::from(seat.hand.is_some());
            played.banked += u64::from(table.settled().is_some() && table.bank().is_player(played.seat));
        }
        if let Some(writer) = &mut writer {
            writer.write(&RoundRecord::new(table))?;
        }
        show(table)?;
    }
    writer.map(HistoryWriter::finish).transpose()?;

    let (books, rules, game_rules) = (table.books(), config.rules.hash(), config.game.hash());
    let header = ["seat", "player", "chips before", "after", "won", "hands", "banked"];
    let mut results = TextTable::new(header).right_from(2);
    for seat in &seats {
        let amounts = [seat.before, seat.after, seat.after - seat.before].map(chips);
        let counts = [seat.hands, seat.banked].map(|count| count.to_string());
        results = results.row([seat.seat.to_string(), seat.name.clone()].into_iter().chain(amounts).chain(counts));
    }
    let [hands, side_bets, commissions] = [books.hands, books.side_bets, books.commissions].map(chips);
    let mut text = format!(
        "rounds: {rounds}; the house won {hands} on hands, {side_bets} on side bets and received {commissions} in \
         commissions\nhouse way: {}; rules of the table {rules}, of the game {game_rules}",
        config.house_way
    );
    text.extend(path.map(|path| format!("\nhistory: {}", path.display())));
    let json = json!({
        "rounds": rounds,
        "setup": table.setup().hash(),
        "house_way": config.house_way,
        "rules": config.rules,
        "rules_hash": rules,
        "game_rules": config.game,
        "game_rules_hash": game_rules,
        "seats": seats,
        "books": books,
        "history": path,
    });
    Ok(Answer::new(json, [Section::default().table(results).lines(wrapped_lines(&text))]))
}
