//! Opens and plays a table from its configuration, with the strategies of seats and banks, and decisions about banking that
//! are based on exact counts.

use super::{PlayerConfig, PlayerPolicy, TableRunConfig};
use crate::analysis::pai_gow::runner::with_progress;
use crate::console::StoreOptions;
use crate::report::{TextTable, wrapped_lines};
use anyhow::Context;
use houseway_env::gym::{StreamSeed, stream};
use houseway_env::money::{Chips, chips};
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::table::{
    BankPolicy, ChooseStake, HOUSE_SEAT, HistoryHeader, HistoryWriter, HouseHand, MAX_SEATS, Player, Players, Regular,
    RoundRecord, SeatView, SetRule, Setup, Table, play_round,
};
use houseway_env::pai_gow::{Game, Paytable, ProfileStrategy, ProfileTable, Rules};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::pai_gow::banking::{BankedBet, OutcomeWeights, kelly_stake, price_of_passing};
use houseway_exact::pai_gow::matchup::{SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{Payoff, Run};
use houseway_exact::pai_gow::{
    BankerTable, ClassTable, NamedStrategy, RANDOM, Tabulated, is_strategy_file, load_strategies, unknown_strategy,
};
use houseway_exact::solver::SolverError;
use houseway_exact::store::PassStore;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) struct OpenTable {
    pub(super) table: Table,
    /// The players by seat, except for agents.
    pub(super) players: Players,
    /// Each way's hash, by name.
    pub(super) ways: BTreeMap<String, String>,
    config: TableRunConfig,
}

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
    let setup = Setup::new(config.rules, Arc::clone(&game), way.way, paytable).map_err(anyhow::Error::msg)?;
    let mut named = vec![("house-way".to_owned(), config.house_way.as_str())];
    for player in &config.players {
        named.push((format!("seat {}: way", player.seat), &player.way));
        named.push((format!("seat {}: banker-way", player.seat), player.as_banker()));
    }
    let mut ways = SeatedWays::default();
    for (key, name) in named {
        let loaded = with_progress("setting all hands", stop, |run| seat_way(&mut ways, name, &game, run));
        loaded.with_context(|| place(&key, name))?;
    }
    let known = known(&config, &ways, &game, store, stop)?;
    let table = Table::new(Arc::new(setup), &config.bankrolls()).map_err(anyhow::Error::msg)?;
    let mut players = Players::default();
    for (player, known) in config.players.iter().zip(known) {
        players[player.seat] = seat_player(&config, player, &ways, known, &game)?;
    }
    let ways = ways.into_iter().map(|(name, way)| (name, way.hash().to_owned())).collect();
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
        let house = (HOUSE_SEAT, &ways[&config.house_way]);
        let seats: Vec<_> = others.map(|other| (other.seat, &ways[&other.way])).chain([house]).collect();
        let own = [&player.way, player.as_banker(), &config.house_way].map(|name| &ways[name]);
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
            let (way, banker, game) = (ways[way].clone(), ways[banker].clone(), Arc::clone(game));
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
         commissions\nhouse way: {}; rules of the table {}, of the game {}",
        config.house_way,
        config.rules.described(),
        config.game.described()
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

/// Simple ways for players who don't follow a house way.
pub const PLAIN_WAYS: [&str; 2] = ["highest-front", "lowest-front"];

/// A way that sets hands at a table, and its table for evaluations, whose hash is equal only for ways that set all hands
/// identically. Clones share both.
#[derive(Clone)]
pub struct TableWay {
    pub way: Arc<dyn ProfileStrategy + Send>,
    pub tabulated: Tabulated,
}

impl TableWay {
    /// Loads a house way by name or file, or one of the [`PLAIN_WAYS`]. These set either the highest legal front or the
    /// lowest front, which is the last setting in the fixed order and is never a foul.
    pub fn load(name: &str, game: &Game) -> Result<TableWay, WayError> {
        if is_strategy_file(name) {
            return Err(WayError::Invalid(format!(
                "{name} is a strategy file, which can only be used for seats; use a house way here"
            )));
        }
        match name {
            "highest-front" => Ok(TableWay::new(ProfileTable::max_front(game), name)),
            "lowest-front" => Ok(TableWay::new(ProfileTable::min_front(game), name)),
            RANDOM => Err(WayError::Invalid(
                "'random' cannot be used at a table; use a house way here. 'random' can be the banker of 'ev' and either \
                 side of 'solve', and policy = \"random\" makes all of a player's moves at random"
                    .to_owned(),
            )),
            _ => {
                let way = Way::load(name).map_err(|error| match error {
                    WayError::NotFound { name, known, reason } => {
                        WayError::NotFound { name, reason, known: format!("{known}, {}", PLAIN_WAYS.join(", ")) }
                    }
                    error => error,
                })?;
                let way = Arc::new(HouseWay::compile(way, game)?);
                Ok(TableWay { tabulated: Arc::clone(&way).into(), way })
            }
        }
    }

    /// Creates a way from a table of all profiles. `id` is its hash, or another identifier of its settings.
    pub fn new(table: ProfileTable, id: &str) -> TableWay {
        TableWay { tabulated: Tabulated::new(BankerTable::new(&table), id), way: Arc::new(table) }
    }
}

/// The strategies of seats and banks as lookup tables, by the names that they were loaded by.
pub(crate) type SeatedWays = BTreeMap<String, Tabulated>;

/// Adds a strategy unless it is there: a way like those of [`TableWay::load`], a strategy table, or a trained agent, which
/// sets all hands once to fill a table.
pub(crate) fn seat_way(ways: &mut SeatedWays, name: &str, game: &Game, run: &Run<'_>) -> Result<(), SolverError> {
    if ways.contains_key(name) {
        return Ok(());
    }
    let strategy = if is_strategy_file(name) {
        let strategies = load_strategies(&[name], &[], game)?;
        let strategy = NamedStrategy::prepare_all(&strategies, game, run)?.remove(0);
        strategy.check_pure()?;
        if strategy.profiles().is_none() {
            ClassTable::check_rules(game).map_err(SolverError::invalid)?;
        }
        strategy
    } else {
        let way = TableWay::load(name, game).map_err(|error| match error {
            error @ WayError::NotFound { .. } => unknown_strategy(error),
            error => SolverError::invalid(error),
        });
        way?.tabulated
    };
    ways.insert(name.to_owned(), strategy);
    Ok(())
}

/// The exact outcome counts that a player knows, for the player's own bank against every other seat's way and for the
/// house's bank against the player's way. All counts are from the bank's point of view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// This player's counts as the bank, against each seat's way.
    pub against: [Option<OutcomeWeights>; MAX_SEATS],
    /// The house's counts as the bank, against this player's way.
    pub own: OutcomeWeights,
    pub rules: Rules,
}

impl Known {
    /// Returns the counts from the store. Pairs that aren't there are computed, which takes a few seconds for each.
    /// `seats` contains the ways for the other seats and the house.
    pub fn count(
        store: &PassStore,
        game: &Game,
        seats: &[(usize, &Tabulated)],
        [way, banker_way, house]: [&Tabulated; 3],
        run: &Run<'_>,
    ) -> Result<Known, SolverError> {
        let rules = game.rules();
        let against_house = [SideStrategy::from(way), house.into()];
        let against_player = seats.iter().map(|&(_, theirs)| [theirs.into(), banker_way.into()]);
        let pairs: Vec<_> = [against_house].into_iter().chain(against_player).collect();
        let counts = outcomes(store, game, &pairs, [Payoff::player(&rules); 2], run)?;
        let mut against = [None; MAX_SEATS];
        for (&(seat, _), counts) in seats.iter().zip(&counts[1..]) {
            against[seat] = Some(counts.other_side());
        }
        Ok(Known { against, own: counts[0].other_side(), rules })
    }

    /// Returns the bets against this player's bank, with their counts.
    fn bets(&self, view: &SeatView<'_>) -> Vec<BankedBet> {
        let house = match view.rules().house_hand_when_player_banks {
            HouseHand::Dealt => view.rules().house_bet,
            HouseHand::NotDealt => 0,
        };
        let bet = |seat: usize| if seat == HOUSE_SEAT { house } else { view.bet(seat) };
        let seats = (0..MAX_SEATS).filter(|&seat| seat != view.seat() && bet(seat) > 0);
        seats.filter_map(|seat| Some(BankedBet { bet: bet(seat), counts: self.against[seat]? })).collect()
    }

    /// Returns the stake of a player who takes the bank if covering all bets is certain to have a higher exact EV than
    /// the player's own bet against the house.
    pub fn profitable(&self, view: &SeatView<'_>) -> Option<Chips> {
        let own = BankedBet { bet: view.bet(view.seat()), counts: self.own };
        let price = price_of_passing(view.rules(), &self.rules, &self.bets(view), &own).0;
        (price > Ratio::ZERO).then(|| view.bets_against())
    }

    /// Returns the stake against a single opponent that makes the bankroll grow most.
    pub fn kelly(&self, view: &SeatView<'_>) -> Option<Chips> {
        let bets = self.bets(view);
        let [bet] = bets[..] else { return None };
        kelly_stake(view.rules(), bet.bet, bet.counts, view.bank_funds())
    }
}

pub(crate) fn default_way() -> String {
    Way::DEFAULT.to_owned()
}
