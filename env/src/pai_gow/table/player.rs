//! Players that decide for a seat, and rounds played between them.

use super::{HOUSE_SEAT, MAX_SEATS, Move, MoveError, Phase, SeatView, Setup, Table};
use crate::gym::{StreamSeed, stream};
use crate::money::{Chips, Rate, commission};
use crate::pai_gow::house_way::{BUILT_IN, HouseWay, InterpretedWay, Way, WayError};
use crate::pai_gow::{BankerStrategy, Game, ProfileStrategy, Strategy, settings_in};
use crate::rules::short_hash;
use rand::{Rng, RngExt};
use rand_pcg::Pcg64;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A player that makes the decisions for a seat, based on what the seat can see.
pub trait Player: Send {
    /// Returns a short name.
    fn name(&self) -> &str;

    /// Chooses a move. This is only called when the seat has to move.
    fn decide(&mut self, view: &SeatView<'_>) -> Move;
}

/// The size of a player's bets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetSize {
    /// A fixed amount, limited to the maximum bet and the bankroll.
    Chips(Chips),
    /// A fraction of the bankroll, clamped to the betting limits.
    Share(Rate),
}

impl BetSize {
    /// Returns the bet for a seat, or 0 if the seat can't make the minimum bet.
    pub fn bet(self, view: &SeatView<'_>) -> Chips {
        let (rules, bankroll) = (view.rules(), view.bankroll(view.seat()));
        let wanted = match self {
            BetSize::Chips(chips) => chips,
            BetSize::Share(rate) => commission(rate, bankroll),
        };
        if bankroll < rules.bet_minimum || wanted == 0 {
            return 0;
        }
        wanted.clamp(rules.bet_minimum, rules.bet_maximum.min(bankroll))
    }
}

/// A rule that decides whether to take the bank.
pub trait BankRule: Send {
    /// Returns the stake, or `None` to pass. If the stake exceeds the seat's funds, the seat stakes all of its funds.
    /// If it is below the minimum, the seat passes.
    fn stake(&mut self, view: &SeatView<'_>) -> Option<Chips>;
}

impl<F: FnMut(&SeatView<'_>) -> Option<Chips> + Send> BankRule for F {
    fn stake(&mut self, view: &SeatView<'_>) -> Option<Chips> {
        self(view)
    }
}

/// The way a player sets hands.
#[derive(Clone)]
pub enum SetRule {
    /// Sets hands according to the table's house way.
    HouseWay,
    /// Sets hands with one strategy against the bank and another as the bank.
    Strategy {
        /// The strategy for playing against the bank.
        player: Arc<dyn Strategy + Send>,
        /// The strategy for playing as the bank.
        banker: Arc<dyn Strategy + Send>,
    },
}

/// A player with fixed rules for betting, banking and setting.
pub struct Regular {
    /// The player's name.
    pub name: String,
    /// The size of the bet.
    pub bet: BetSize,
    /// The side bet, limited to the maximum and to what is left of the bankroll after the bet.
    pub side: Chips,
    /// The rule for taking the bank.
    pub bank: Box<dyn BankRule>,
    /// The rule for setting hands.
    pub set: SetRule,
}

impl Player for Regular {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(&mut self, view: &SeatView<'_>) -> Move {
        match view.phase() {
            Phase::Betting => {
                let (rules, bet) = (view.rules(), self.bet.bet(view));
                let side = self.side.min(rules.side_maximum).min(view.bankroll(view.seat()) - bet);
                Move::Bet { bet, side: if bet > 0 && side >= rules.side_minimum { side } else { 0 } }
            }
            Phase::Banking => match self.bank.stake(view).map(|stake| stake.min(view.bank_funds())) {
                Some(stake) if stake >= view.rules().bank_minimum => Move::Take { stake },
                _ => Move::Pass,
            },
            Phase::Setting | Phase::Over => match (&self.set, view.dealt()) {
                (SetRule::Strategy { player, banker }, Some(dealt)) => {
                    let strategy = if view.bank().seat() == view.seat() { banker } else { player };
                    Move::Set(strategy.set(dealt.hand()).index())
                }
                _ => Move::HouseWay,
            },
        }
    }
}

/// A player that makes random legal moves.
pub struct RandomPlayer {
    rng: Pcg64,
}

impl RandomPlayer {
    /// Creates a player that has its own random stream.
    pub fn new(seed: StreamSeed) -> RandomPlayer {
        RandomPlayer { rng: stream(seed) }
    }

    fn below(&mut self, low: Chips, high: Chips) -> Chips {
        if high <= low { low } else { self.rng.random_range(low..=high) }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> &str {
        "random"
    }

    fn decide(&mut self, view: &SeatView<'_>) -> Move {
        let (rules, has) = (view.rules(), view.bankroll(view.seat()));
        match view.phase() {
            Phase::Betting if self.rng.random_range(0..8) == 0 => Move::Bet { bet: 0, side: 0 },
            Phase::Betting => {
                let bet = self.below(rules.bet_minimum, rules.bet_maximum.min(has));
                let most = rules.side_maximum.min(has - bet);
                let with_side = most >= rules.side_minimum && self.rng.random_range(0..2) == 0;
                Move::Bet { bet, side: if with_side { self.below(rules.side_minimum, most) } else { 0 } }
            }
            Phase::Banking if self.rng.random_range(0..2) == 0 => Move::Pass,
            Phase::Banking => {
                let most = view.bank_funds().min(view.bets_against()).max(rules.bank_minimum);
                Move::Take { stake: self.below(rules.bank_minimum, most) }
            }
            Phase::Setting | Phase::Over => match (self.rng.random_range(0..16), view.dealt()) {
                (0, _) => Move::Wait,
                (1, _) => Move::Disconnect,
                (2, _) | (_, None) => Move::HouseWay,
                (_, Some(dealt)) => {
                    let legal = view.game().legal_mask(dealt.hand());
                    let which = self.rng.random_range(0..legal.count_ones() as usize);
                    settings_in(legal).nth(which).map_or(Move::HouseWay, |setting| Move::Set(setting.index()))
                }
            },
        }
    }
}

/// The players indexed by seat. Empty seats have `None`.
pub type Players = [Option<Box<dyn Player>>; MAX_SEATS];

/// Plays a round. The seats that have to move are asked in order until the round is over. Seats without a player leave
/// the round. Returns `false` if no seat is able to bet.
///
/// # Errors
/// Returns the error for the first move that is rejected. The round is left in the state before that move.
pub fn play_round(table: &mut Table, players: &mut Players, rng: &mut impl Rng) -> Result<bool, MoveError> {
    if !table.begin() {
        return Ok(false);
    }
    while let Some(seat) = table.acting().first() {
        let decided = players[seat].as_mut().map_or(Move::Disconnect, |player| player.decide(&table.view(seat)));
        table.play(seat, decided, rng)?;
    }
    Ok(true)
}

crate::named_enum! {
    /// The fixed rules for taking the bank.
    #[derive(Default)]
    pub enum ResidentBank: kebab_case {
        /// Always passes the bank.
        #[default]
        Never,
        /// Takes the bank whenever it is offered, and covers all bets as far as the resident's funds allow.
        Always,
        /// Takes the bank if no other seat was offered it before in the same round, and covers all bets as far as the
        /// resident's funds allow.
        InTurn,
    }
}

impl BankRule for ResidentBank {
    fn stake(&mut self, view: &SeatView<'_>) -> Option<Chips> {
        let takes = match self {
            ResidentBank::Never => false,
            ResidentBank::Always => true,
            ResidentBank::InTurn => !(0..view.rules().seats.seats()).any(|seat| view.has_passed(seat)),
        };
        takes.then(|| view.bets_against())
    }
}

impl ResidentBank {
    /// Returns the behavior as it is written in hashes.
    const fn hashed(self) -> &'static str {
        match self {
            ResidentBank::Never => "false",
            ResidentBank::Always => "true",
            ResidentBank::InTurn => "in-turn",
        }
    }
}

/// A player that belongs to the environment and follows fixed rules for betting, banking and setting. Cloning is cheap,
/// because clones share the house way.
#[derive(Clone)]
pub struct Resident {
    /// The size of the bet.
    pub bet: BetSize,
    /// The side bet, limited to the maximum and to what is left of the bankroll after the bet.
    pub side: Chips,
    /// The banking behavior.
    pub bank: ResidentBank,
    /// The strategy for setting hands. It must be compiled for the same game. `None` means the table's house way.
    pub way: Option<Arc<dyn ProfileStrategy + Send>>,
}

/// The residents indexed by seat. Agents' seats and empty seats have `None`.
pub type Residents = [Option<Resident>; MAX_SEATS];

impl Resident {
    /// Returns a player that follows the resident's rules.
    pub(super) fn player(&self, name: &str) -> Regular {
        let set = self.way.as_ref().map_or(SetRule::HouseWay, |way| {
            let way = Arc::clone(way) as Arc<dyn Strategy + Send>;
            SetRule::Strategy { player: Arc::clone(&way), banker: way }
        });
        Regular { name: name.to_owned(), bet: self.bet, side: self.side, bank: Box::new(self.bank), set }
    }

    /// Chooses the resident's move.
    pub(super) fn decide(&self, view: &SeatView<'_>) -> Move {
        self.player("").decide(view)
    }
}

/// The error returned when a single-agent environment doesn't have exactly one seat for an agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a single-agent environment needs exactly one seat without a resident, found {seats:?}")]
pub struct AgentSeatError {
    /// The seats that have no resident.
    pub seats: Vec<usize>,
}

/// Returns the hash of a setup, combined with its residents if there are any.
pub(super) fn residents_hash(setup: &Setup, residents: &Residents) -> String {
    if residents.iter().all(Option::is_none) {
        return setup.hash().to_owned();
    }
    let mut bytes = setup.hash().as_bytes().to_vec();
    for (seat, resident) in residents.iter().enumerate() {
        let Some(Resident { bet, side, bank, way }) = resident else { continue };
        bytes.extend(format!("{seat} {bet:?} {side} {} {}", bank.hashed(), way.is_some()).into_bytes());
        bytes.extend(way.iter().flat_map(|way| way.hash_bytes()));
    }
    short_hash([&bytes[..]])
}

/// A guest's default bankroll as a multiple of the minimum bet.
pub(super) const BANKROLL: Chips = 500;
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
pub struct Guest {
    /// The rules that the guest follows.
    pub resident: Resident,
    /// The initial bankroll in chips, or `None` for 500 minimum bets.
    pub bankroll: Option<Chips>,
    /// The name or path of the guest's house way, so that an exact solver can load it. `None` if the guest follows the
    /// table's house way.
    pub source: Option<String>,
    /// The text of the guest's house way. It identifies the house way in
    /// [`Rounds::rules_hash`](crate::gym::Rounds::rules_hash).
    pub text: String,
}

/// The guests chosen for individual seats, keyed by seat. A seat with `None` stays empty, and all seats that are not
/// listed have their default guests.
pub type Guests = BTreeMap<usize, Option<Guest>>;

/// Loads a guest's house way. Under the default rules, built-in house ways are not compiled, because a guest only sets
/// a few hands.
pub(super) fn load_guest_way(name: &str, game: &Arc<Game>) -> Result<Arc<dyn ProfileStrategy + Send>, WayError> {
    match InterpretedWay::new(name, game) {
        Some(way) => Ok(Arc::new(way)),
        None => Ok(HouseWay::shared(Way::load(name)?, game)?),
    }
}

/// Returns the guests for a player on the given seat, keyed by seat. The text of their house ways is only filled in for
/// chosen guests.
pub(super) fn seat_guests(setup: &Setup, chosen: &Guests, own: usize) -> Result<BTreeMap<usize, Guest>, WayError> {
    let rules = setup.rules();
    let others = rules.seats.clockwise(own + 1).filter(|&seat| seat != HOUSE_SEAT && seat != own);
    let mut guests = BTreeMap::new();
    for (seat, (way, bets, banks)) in others.zip(DEFAULTS) {
        let guest = match chosen.get(&seat) {
            Some(None) => continue,
            Some(Some(guest)) => guest.clone(),
            None => {
                let bet = BetSize::Chips((bets * rules.bet_minimum).min(rules.bet_maximum));
                let bank = if banks { ResidentBank::InTurn } else { ResidentBank::Never };
                let resident = Resident { bet, side: 0, bank, way: Some(load_guest_way(way, setup.game())?) };
                Guest { resident, bankroll: None, source: Some(way.to_owned()), text: String::new() }
            }
        };
        guests.insert(seat, guest);
    }
    Ok(guests)
}

/// Returns a text that identifies the default guests and the chosen ones, for use in hashes.
pub(super) fn guests_text(chosen: &Guests) -> String {
    let defaults = DEFAULTS.map(|(way, bets, banks)| {
        let text = BUILT_IN.iter().find(|(name, _)| *name == way).map_or("", |(_, text)| *text);
        format!("{way} {bets} {banks} {text}")
    });
    let guest = |(seat, guest): (&usize, &Option<Guest>)| match guest {
        Some(Guest { resident: Resident { bet, side, bank, .. }, bankroll, source, text }) => {
            let bankroll = bankroll.map_or_else(String::new, |chips| format!("{chips} chips "));
            format!("{seat} {bet:?} {side} {bank} {bankroll}{} {text}", source.is_some())
        }
        None => format!("{seat} empty"),
    };
    defaults.into_iter().chain(chosen.iter().map(guest)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::{
        HistoryReader, HistoryWriter, OneSeat, PaiGowTable, Players, RoundRecord, Table, TableOptions, TableRules,
        Verified, play_round,
    };
    use super::*;
    use crate::gym::{Env, MultiEnv, stream};
    use crate::pai_gow::{Game, Paytable, ProfileTable, Rules};
    use rand::RngExt;

    fn setup() -> Arc<Setup> {
        let game = Arc::new(Game::new(Rules::default()));
        let way = Arc::new(ProfileTable::max_front(&game));
        Arc::new(Setup::new(TableRules::default(), game, way, Paytable::default()).unwrap())
    }

    fn residents(seats: &[usize]) -> Residents {
        let game = Game::new(Rules::default());
        let way: Arc<dyn ProfileStrategy + Send> = Arc::new(ProfileTable::min_front(&game));
        std::array::from_fn(|seat| {
            seats.contains(&seat).then(|| Resident {
                bet: BetSize::Chips(20 * seat as Chips),
                side: if seat == 4 { 5 } else { 0 },
                bank: if seat.is_multiple_of(2) { ResidentBank::Always } else { ResidentBank::Never },
                way: (seat > 3).then(|| Arc::clone(&way)),
            })
        })
    }

    const BANKROLLS: [Chips; 6] = [900, 2_000, 3_000, 1_500, 0, 800];

    /// Returns the action that bets the minimum, passes the bank, or sets the hand the house way.
    fn plain(phase: super::super::Phase) -> usize {
        match phase {
            super::super::Phase::Betting => 29,
            super::super::Phase::Banking => 23,
            _ => 21,
        }
    }

    #[test]
    fn residents_play_like_players_with_the_same_rules() {
        let (setup, agents) = (setup(), [3, 6]);
        let mut env = PaiGowTable::new(Arc::clone(&setup)).with_residents(residents(&[1, 2, 4])).keeping_rounds();
        let options = TableOptions { bankrolls: BANKROLLS.to_vec(), rounds: 60 };
        env.start(Some(11), &options).unwrap();
        assert!(env.last_round().is_none() && env.status(0) != env.status(2));

        let mut table = Table::new(setup, &BANKROLLS).unwrap();
        let mut players: Players = std::array::from_fn(|seat| {
            let resident = residents(&[1, 2, 4])[seat].take();
            let plain = || Resident { bet: BetSize::Chips(20), side: 0, bank: ResidentBank::Never, way: None };
            let resident = resident.or_else(|| agents.contains(&seat).then(plain))?;
            Some(Box::new(Seated(resident)) as Box<dyn Player>)
        });
        let (mut rng, mut banked) = (stream(11.into()), 0);
        for _ in 0..60 {
            assert!(play_round(&mut table, &mut players, &mut rng).unwrap());
            let played = RoundRecord::new(&table);
            while env.last_round().is_none_or(|round| round.round < played.round) {
                let phase = env.table().unwrap().phase();
                env.step(env.selection().unwrap(), plain(phase)).unwrap();
            }
            assert_eq!(env.last_round().unwrap(), played);
            banked += usize::from(played.banker == 2 || played.banker == 4);
        }
        assert!(env.acting().is_empty() && banked > 20);
    }

    struct Seated(Resident);

    impl Player for Seated {
        fn name(&self) -> &str {
            "seated"
        }
        fn decide(&mut self, view: &SeatView<'_>) -> Move {
            self.0.decide(view)
        }
    }

    #[test]
    fn kept_rounds_are_a_verifiable_history() {
        let setup = setup();
        let mut env = PaiGowTable::new(Arc::clone(&setup)).with_residents(residents(&[1, 4])).keeping_rounds();
        assert!(env.history_header().is_none());
        env.reset(None, None).unwrap();
        assert!(env.history_header().is_none(), "it continues a stream without a name");
        let options = TableOptions { bankrolls: BANKROLLS.to_vec(), rounds: 200 };
        env.start(Some(5), &options).unwrap();
        let mut writer = HistoryWriter::new(vec![], env.history_header().unwrap()).unwrap();
        let (mut rng, mut mask, mut written) = (stream(6.into()), [false; 53], 0);
        while let Some(agent) = env.selection() {
            env.action_mask(agent, &mut mask).unwrap();
            let legal: Vec<usize> = (0..53).filter(|&action| mask[action]).collect();
            env.step(agent, legal[rng.random_range(0..legal.len())]).unwrap();
            if let Some(round) = env.last_round().filter(|round| round.round > written) {
                writer.write(&round).unwrap();
                written = round.round;
            }
        }
        let lines = writer.finish().unwrap();
        let mut table = Table::new(setup, &BANKROLLS).unwrap();
        let verified = HistoryReader::read(&lines[..]).unwrap().verify(&mut table, &mut Players::default()).unwrap();
        assert_eq!(verified, Verified { rounds: written, closed: true });
        assert!(written > 10);
    }

    #[test]
    fn one_seat_has_the_observations_and_rewards_of_the_table() {
        let table = PaiGowTable::new(setup()).with_residents(residents(&[1, 2, 4, 5, 6]));
        let (mut one, mut all) = (OneSeat::new(table.clone()).unwrap(), table);
        let options = TableOptions { bankrolls: vec![500; 6], rounds: 40 };
        one.reset(Some(3), Some(&serde_json::to_string(&options).unwrap())).unwrap();
        all.start(Some(3), &options).unwrap();
        let (mut total, mut steps) = (0.0, 0);
        loop {
            assert_eq!(all.selection(), Some(2));
            let [mut seen, mut other] = [[0.0; super::super::observe::LEN]; 2];
            one.observe(&mut seen).unwrap();
            all.observe(2, &mut other).unwrap();
            assert_eq!(seen, other);
            let action = plain(all.table().unwrap().phase());
            let step = one.step(action).unwrap();
            all.step(2, action).unwrap();
            assert_eq!(step.reward, all.rewards()[2]);
            (total, steps) = (total + step.reward, steps + 1);
            if step.is_last() {
                break;
            }
        }
        assert!(steps > 80 && total == (all.table().unwrap().seat(3).bankroll - 500) as f64);
        let two = PaiGowTable::new(setup()).with_residents(residents(&[1, 2, 5, 6]));
        assert_eq!(OneSeat::new(two).err(), Some(AgentSeatError { seats: vec![3, 4] }));
    }

    #[test]
    fn the_hash_names_the_residents() {
        let plain = PaiGowTable::new(setup());
        let hashes = [residents(&[]), residents(&[1]), residents(&[2]), residents(&[4])]
            .map(|residents| plain.clone().with_residents(residents).rules_hash());
        assert_eq!(hashes[0], plain.setup().hash());
        assert!((1..4).all(|i| !hashes[..i].contains(&hashes[i])), "{hashes:?}");
    }

    #[test]
    fn a_session_needs_an_agent() {
        let mut env = PaiGowTable::new(setup()).with_residents(residents(&[1, 2]));
        let options = TableOptions { bankrolls: vec![100, 100], rounds: 1 };
        let error = env.start(None, &options).unwrap_err().to_string();
        assert!(error.contains("no agent can make the minimum bet"), "{error}");
    }
}
