//! A table for one human player, with guests on the other seats.
//!
//! By default, every guest bets a fixed amount and sets hands by their own house way. Some guests take the bank if they
//! are the first to be offered it in a round. The others always pass. The configuration key `players` chooses the guests
//! on individual seats. Its keys are the same as for the environment's residents, along with `bankroll` for the initial
//! chips, and `null` leaves a seat empty. If the player sits out a round, the guests play it among themselves.
//!
//! All rounds are dealt from one random stream, and the history is written by [`HistoryWriter`].

use super::config::load_guest_way;
use super::view::{public_bets, public_table};
use super::{
    BankPolicy, BetSize, HOUSE_SEAT, HistoryHeader, HistoryReader, HistoryWriter, MAX_SEATS, Move, Phase, Player,
    Players, Regular, RoundRecord, SeatView, SetRule, Setup, Table, TableAction,
};
use crate::gym::{EnvError, HistoryError, PublicBet, PublicTable, Rounds, Step, StreamSeed, Verified, stream};
use crate::money::Chips;
use crate::pai_gow::house_way::BUILT_IN;
use crate::pai_gow::{Setting, settings_in};
use crate::rules::short_hash;
use rand_pcg::Pcg64;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Arc;

/// A guest's default bankroll as a multiple of the minimum bet.
const BANKROLL: Chips = 500;
/// The default guests in clockwise order from the player's seat. Each has a house way, a bet as a multiple of the
/// minimum bet, and `true` if they take the bank when it is their turn.
const DEFAULTS: [(&str, Chips, bool); 5] = [
    ("foxwoods", 2, true),
    ("golden-nugget", 1, false),
    ("mgm-style", 5, true),
    ("claridge", 1, false),
    ("wong", 3, true),
];

/// A guest.
#[derive(Clone)]
pub(super) struct Guest {
    pub(super) player: Regular,
    /// The initial bankroll in chips, or `None` for 500 minimum bets.
    pub(super) bankroll: Option<Chips>,
    /// The name or path of the guest's house way, so that an exact solver can load it. `None` if the guest follows the
    /// table's house way.
    pub(super) source: Option<String>,
    /// A text that identifies a chosen guest in [`Rounds::rules_hash`].
    pub(super) id: String,
}

/// The guests chosen for individual seats, keyed by seat. A seat with `None` stays empty, and all seats that are not
/// listed have their default guests.
type Guests = BTreeMap<usize, Option<Guest>>;

/// Returns a text that describes the default guests and the chosen ones, for use in hashes.
fn guests_text(chosen: &Guests) -> String {
    let defaults = DEFAULTS.map(|(way, bets, banks)| {
        let text = BUILT_IN.iter().find(|(name, _)| *name == way).map_or("", |(_, text)| *text);
        format!("{way} {bets} {banks} {text}")
    });
    let guest = |(seat, guest): (&usize, &Option<Guest>)| {
        format!("{seat} {}", guest.as_ref().map_or("empty", |guest| &guest.id))
    };
    defaults.into_iter().chain(chosen.iter().map(guest)).collect::<Vec<_>>().join("\n")
}

/// A table for one human player, with guests on the other seats.
pub(super) struct SeatedRounds {
    setup: Arc<Setup>,
    guests: Guests,
    open: Option<Open>,
}

/// An open table.
struct Open {
    table: Table,
    /// The player's seat.
    seat: usize,
    /// The names or paths of the house ways that play the seats.
    sources: [String; MAX_SEATS],
    players: Players,
    rng: Pcg64,
    history: HistoryWriter<Vec<u8>>,
}

fn bad(option: &'static str, reason: String) -> EnvError {
    EnvError::BadOption { option, reason }
}

/// Converts an option to a whole number of chips.
fn chips_of(option: &'static str, value: &Value) -> Result<Chips, EnvError> {
    let whole = value.as_f64().filter(|chips| chips.fract() == 0.0 && chips.abs() < 1e15);
    whole.map(|chips| chips as Chips).ok_or_else(|| bad(option, format!("expected whole chips, found {value}")))
}

impl SeatedRounds {
    /// Creates a table that hasn't been opened yet.
    pub(super) fn new(setup: Arc<Setup>, guests: Guests) -> SeatedRounds {
        SeatedRounds { setup, guests, open: None }
    }

    fn guests(&self, own: usize) -> Result<BTreeMap<usize, Guest>, EnvError> {
        if self.guests.contains_key(&own) {
            let reason = format!("seat {own} is your own, so no other player can sit there; choose another seat");
            return Err(bad("players", reason));
        }
        let rules = &self.setup.rules;
        let others = rules.seats.clockwise(own + 1).filter(|&seat| seat != HOUSE_SEAT && seat != own);
        let mut guests = BTreeMap::new();
        for (seat, (way, bets, banks)) in others.zip(DEFAULTS) {
            let guest = match self.guests.get(&seat) {
                Some(None) => continue,
                Some(Some(guest)) => guest.clone(),
                None => {
                    let bet = BetSize::Chips((bets * rules.bet_minimum).min(rules.bet_maximum));
                    let bank = if banks { BankPolicy::InTurn } else { BankPolicy::Never };
                    let set = load_guest_way(way, &self.setup.game);
                    let set = SetRule::Way(set.map_err(|error| bad("players", error.to_string()))?);
                    let player = Regular { name: way.to_owned(), bet, side: 0, bank, exact: None, set };
                    Guest { player, bankroll: None, source: Some(way.to_owned()), id: String::new() }
                }
            };
            guests.insert(seat, guest);
        }
        Ok(guests)
    }

    fn opened(&self) -> Result<&Open, EnvError> {
        self.open.as_ref().ok_or(EnvError::NotReset)
    }

    /// Returns the open table if the player has to make a decision.
    fn deciding(&self) -> Option<&Open> {
        self.open.as_ref().filter(|open| open.table.acting().contains(open.seat))
    }
}

impl Open {
    fn view(&self) -> SeatView<'_> {
        self.table.view(self.seat)
    }

    /// Plays the guests' moves until the player has to make a decision or the round is over.
    fn play_guests(&mut self) {
        self.table.ask_players(&mut self.players, &mut self.rng);
        if self.table.phase() == Phase::Over {
            self.history.write(&RoundRecord::new(&self.table)).expect("cannot fail in memory");
        }
    }

    /// Starts a round on a copy of the table. Returns the copy and the player's bet as a move. Players who sit out bet
    /// 0. If they don't have enough chips for the minimum bet, the table doesn't ask them for a move.
    fn begun(&self, bets: &Map<String, Value>) -> Result<(Table, Option<Move>), EnvError> {
        let amount = |name| bets.get(name).map_or(Ok(0), |value| chips_of(name, value));
        let (bet, side) = (amount("bet")?, amount("side")?);
        let mut table = self.table.clone();
        let (begins, least) = (table.begin(), table.rules().bet_minimum);
        let can_bet = begins && table.can_bet(self.seat);
        if (bet, side) == (0, 0) {
            if !(1..MAX_SEATS).any(|seat| seat != self.seat && begins && table.can_bet(seat)) {
                return Err(bad("bet", format!("no other seat has chips for the minimum bet of {least}")));
            }
            return Ok((table, can_bet.then_some(Move::Bet { bet, side })));
        }
        if !can_bet {
            let has = self.table.seat(self.seat).bankroll;
            return Err(bad("bet", format!("your {has} chips are less than the minimum bet of {least}")));
        }
        table.check(self.seat, Move::Bet { bet, side }).map_err(|error| bad("bet", error.to_string()))?;
        Ok((table, Some(Move::Bet { bet, side })))
    }

    /// Converts an action to a move.
    fn to_move(&self, action: usize) -> Result<Move, EnvError> {
        let illegal = |reason: String| EnvError::IllegalAction { action, reason };
        if !self.table.acting().contains(self.seat) {
            return Err(illegal("the round is over".to_owned()));
        }
        self.table.move_of(self.seat, action).map_err(illegal)
    }

    /// Returns the stake for an action that takes the bank.
    fn stake(&self, action: usize) -> Option<Chips> {
        match TableAction::from_index(action)?.to_move(&self.view()) {
            Move::Take { stake } => Some(stake),
            _ => None,
        }
    }

    /// Returns the actions that take the bank in ascending order. Each has a different stake.
    fn stakes(&self) -> Vec<usize> {
        let actions = (1..=4).map(|quarters| TableAction::Take(quarters).index());
        let mut actions: Vec<usize> = actions.filter(|&action| self.to_move(action).is_ok()).collect();
        actions.dedup_by_key(|action| self.stake(*action));
        actions
    }

    /// Returns the name of the house way that plays a seat.
    fn way_name(&self, seat: usize) -> &str {
        self.players[seat].as_ref().map_or(self.table.setup().way.name(), Player::name)
    }
}

impl Rounds for SeatedRounds {
    fn id(&self) -> &'static str {
        super::ID
    }

    fn rules_hash(&self) -> String {
        short_hash([self.setup.hash().as_bytes(), guests_text(&self.guests).as_bytes()])
    }

    fn default_options(&self) -> Map<String, Value> {
        let rules = &self.setup.rules;
        let mut options = Map::new();
        options.insert("seat".to_owned(), 1.into());
        options.insert("bet".to_owned(), (rules.bet_minimum as f64).into());
        if rules.has_side_bet() {
            options.insert("side".to_owned(), 0.0.into());
        }
        options
    }

    fn max_loss(&self) -> f64 {
        1.0
    }

    fn open(&mut self, seed: u64, bankroll: f64, options: &Map<String, Value>) -> Result<(), EnvError> {
        let players = self.setup.rules.seats.players();
        if options.keys().any(|key| key != "seat") {
            return Err(bad("options", "the only option of this table is `seat`".to_owned()));
        }
        let seat = options.get("seat").map_or(Some(1), Value::as_u64).map_or(0, |seat| seat as usize);
        if !(1..=players).contains(&seat) {
            return Err(bad("seat", format!("must be between 1 and {players}; seat 0 belongs to the house")));
        }
        let guests = self.guests(seat)?;
        let mut bankrolls = vec![0; players];
        bankrolls[seat - 1] = chips_of("bankroll", &bankroll.into())?;
        let usual = BANKROLL * self.setup.rules.bet_minimum;
        let mut players = Players::default();
        let mut sources = std::array::from_fn(|_| self.setup.way.name().to_owned());
        for (seat, Guest { player, bankroll, source, .. }) in guests {
            bankrolls[seat - 1] = bankroll.unwrap_or(usual);
            sources[seat] = source.unwrap_or_else(|| sources[HOUSE_SEAT].clone());
            players[seat] = Some(Player::Regular(player));
        }
        let table = Table::new(Arc::clone(&self.setup), &bankrolls).map_err(|reason| bad("bankroll", reason))?;
        let header = HistoryHeader::new(&table, StreamSeed::from(seed), json!({ "seat": seat }));
        let history = HistoryWriter::new(vec![], &header).expect("cannot fail in memory");
        let rng = stream(seed.into());
        self.open = Some(Open { table, seat, sources, players, rng, history });
        Ok(())
    }

    fn is_continuous(&self) -> bool {
        true
    }

    fn check_bets(&self, bets: &Map<String, Value>) -> Result<(), EnvError> {
        self.opened()?.begun(bets).map(|_| ())
    }

    fn begin(&mut self, _: u64, bets: &Map<String, Value>) -> Result<(), EnvError> {
        let open = self.open.as_mut().ok_or(EnvError::NotReset)?;
        let (table, bet) = open.begun(bets)?;
        open.table = table;
        open.play_guests();
        if let Some(bet) = bet {
            open.table.play(open.seat, bet, &mut open.rng).map_err(|error| bad("bet", error.to_string()))?;
            open.play_guests();
        }
        Ok(())
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        let open = self.open.as_mut().ok_or(EnvError::NotReset)?;
        let done = open.to_move(action)?;
        let played = open.table.play(open.seat, done, &mut open.rng);
        played.map_err(|error| EnvError::IllegalAction { action, reason: error.to_string() })?;
        open.play_guests();
        let is_over = open.table.phase() == Phase::Over;
        let reward = if is_over { open.table.seat(open.seat).net() as f64 } else { 0.0 };
        Ok(Step { reward, terminated: is_over, truncated: false })
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.opened()?.to_move(action).map(|_| ())
    }

    /// Returns the legal settings when the player sets a hand. When the bank is offered to the player, returns the
    /// actions that pass it or take it with one of the possible stakes.
    fn legal(&self) -> Vec<usize> {
        let Some(open) = self.deciding() else { return vec![] };
        match (open.table.phase(), open.view().dealt()) {
            (Phase::Banking, _) => [vec![TableAction::Pass.index()], open.stakes()].concat(),
            (Phase::Setting, Some(dealt)) => {
                settings_in(self.setup.game.legal_mask(dealt.hand())).map(Setting::index).collect()
            }
            _ => vec![],
        }
    }

    fn action_name(&self, action: usize) -> Option<String> {
        let open = self.deciding().filter(|open| open.table.phase() == Phase::Banking)?;
        match TableAction::from_index(action)? {
            TableAction::Pass => Some("PASS".to_owned()),
            TableAction::Take(_) => Some(format!("BANK {}", open.stake(action)?)),
            _ => None,
        }
    }

    fn house_action(&self) -> Option<usize> {
        let Open { table, seat, .. } = self.deciding()?;
        let dealt = table.seat(*seat).hand?;
        Some(self.setup.way.set(dealt.hand()).index())
    }

    /// Returns the action that passes the bank, or the action that waits if the player has to set a hand. The house way
    /// sets the hand once the time is used up.
    fn late_action(&self) -> Option<usize> {
        let pass = self.deciding()?.table.phase() == Phase::Banking;
        Some(if pass { TableAction::Pass.index() } else { TableAction::Wait.index() })
    }

    /// Returns the hand, the side bet and the opponents. If the player banks, the opponents are all seats that have a
    /// bet. Otherwise, the banker is the only opponent.
    fn view(&self) -> Option<Value> {
        let open = self.open.as_ref()?;
        let (table, own) = (&open.table, open.table.seat(open.seat));
        let dealt = own.hand?;
        let row = self.setup.side_bet().row(dealt).filter(|_| own.side > 0);
        let mut view = json!({
            "hand": dealt.hand().to_string(),
            "side_stake": own.side,
            "side_bet": row.map(|row| json!({ "hand": row.hand.to_string(), "odds": row.odds.to_string() })),
        });
        if table.bank().is_player(open.seat) {
            let player = |seat: usize| json!({ "way": open.sources[seat], "bet": table.seat(seat).bet });
            view["players"] = table.against_bank().iter().map(player).collect();
            view["judged"] =
                "EVs are for your bank against all players' house ways, before commission, with every bet covered"
                    .into();
        } else {
            let banker = table.bank().seat();
            view["banker"] = open.sources[banker].as_str().into();
            let way = open.way_name(banker);
            view["judged"] = format!("EVs are for your bet against the banker's house way, {way}").into();
        }
        Some(view)
    }

    fn public_table(&self) -> Option<PublicTable> {
        let open = self.open.as_ref()?;
        Some(public_table(&open.table, open.seat, |seat| open.way_name(seat)))
    }

    fn public_bets(&self, bets: &Map<String, Value>) -> Vec<PublicBet> {
        let stake = |name| bets.get(name).and_then(Value::as_f64).unwrap_or(0.0);
        public_bets(&self.setup, stake("bet"), stake("side"))
    }

    /// Returns the sum of all bets against the player's bank.
    fn main_stake(&self) -> Option<f64> {
        let open = self.open.as_ref().filter(|open| open.table.bank().is_player(open.seat))?;
        Some(open.table.against_bank().iter().map(|seat| open.table.seat(seat).bet).sum::<Chips>() as f64)
    }

    fn render(&self) -> String {
        self.public_table().map_or_else(|| "no table yet".to_owned(), |table| super::view::text(&table))
    }

    fn take_history(&mut self) -> Vec<u8> {
        self.open.as_mut().map_or_else(Vec::new, |open| std::mem::take(open.history.get_mut()))
    }

    fn close_history(&self, _: &[u8]) -> Vec<u8> {
        let closed = self.open.as_ref().map(|open| open.history.clone().finish().expect("cannot fail in memory"));
        closed.unwrap_or_default()
    }

    fn verify(&mut self, history: &mut dyn BufRead) -> Result<Verified, HistoryError> {
        let reader = HistoryReader::read(history)?;
        let mut table =
            Table::new(Arc::clone(&self.setup), &reader.header.bankrolls).map_err(HistoryError::Unreadable)?;
        reader.verify(&mut table, &mut Players::default())
    }
}
