//! Players that decide for a seat, and rounds played between them.

use super::{MAX_SEATS, Move, MoveError, Phase, SeatView, Setup, Table};
use crate::gym::{StreamSeed, stream};
use crate::money::{Chips, Rate, commission};
use crate::pai_gow::{BankerStrategy, Hand, ProfileStrategy, Setting};
use crate::rules::short_hash;
use rand::{Rng, RngExt};
use rand_pcg::Pcg64;
use std::sync::Arc;

/// The size of a player's bets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetSize {
    /// A fixed amount, limited to the maximum bet and the bankroll.
    Chips(Chips),
    /// A fraction of the bankroll, clamped to the betting limits.
    Share(Rate),
}

impl BetSize {
    /// Returns the bet for a seat, or 0 if the size is 0 or the seat can't make the minimum bet.
    pub fn bet(self, view: &SeatView<'_>) -> Chips {
        let (rules, bankroll) = (view.rules(), view.bankroll(view.seat()));
        let wanted = match self {
            BetSize::Chips(0) | BetSize::Share(Rate::ZERO) => return 0,
            BetSize::Chips(chips) => chips,
            BetSize::Share(rate) => commission(rate, bankroll),
        };
        if bankroll < rules.bet_minimum {
            return 0;
        }
        wanted.clamp(rules.bet_minimum, rules.bet_maximum.min(bankroll))
    }
}

crate::named_enum! {
    /// A player's condition for taking the bank. The last two need [`Regular::exact`].
    #[derive(Default)]
    pub enum BankPolicy: kebab_case {
        /// Always passes the bank.
        #[default]
        Never,
        /// Takes the bank whenever it is offered, and covers all bets as far as the player's funds allow.
        Always,
        /// Takes the bank if no other seat was offered it before in the same round, and covers all bets as far as the
        /// player's funds allow.
        InTurn,
        /// Takes the bank if the EV of covering all bets is certainly higher than that of the player's own bet against the
        /// house. With several bets and a commission on the net win, the EV only has exact bounds, and the lower one counts.
        WhenProfitable,
        /// Stakes the amount with the highest expected log growth against a single opponent, which is the exact Kelly
        /// fraction if there is no fee and uncovered bets push. Passes against several.
        Kelly,
    }
}

impl BankPolicy {
    /// Returns `true` if the decision depends on exact values, which aren't known at the table.
    pub const fn is_exact(self) -> bool {
        matches!(self, BankPolicy::WhenProfitable | BankPolicy::Kelly)
    }
}

/// A function that decides whether to take the bank. It returns the stake, or `None` to pass.
pub type ChooseStake = Arc<dyn Fn(&SeatView<'_>) -> Option<Chips> + Send + Sync>;

/// The way a player sets hands.
#[derive(Clone)]
pub enum SetRule {
    /// The table's house way.
    HouseWay,
    /// Another house way. It must be compiled for the same game.
    Way(Arc<dyn ProfileStrategy + Send>),
    /// A function of the hand, and of `true` if the player is the bank.
    Function(Arc<dyn Fn(Hand, bool) -> Setting + Send + Sync>),
}

/// A player with fixed rules for betting, banking and setting. Clones share their strategies.
#[derive(Clone)]
pub struct Regular {
    /// The player's name.
    pub name: String,
    /// The size of the bet.
    pub bet: BetSize,
    /// The side bet, limited to the maximum and to what is left of the bankroll after the bet.
    pub side: Chips,
    /// The condition for taking the bank.
    pub bank: BankPolicy,
    /// The function that evaluates an exact condition. Without it, such a player never banks.
    pub exact: Option<ChooseStake>,
    /// The way of setting hands.
    pub set: SetRule,
}

impl Regular {
    /// Returns the stake, or `None` to pass. If the stake exceeds the seat's funds, the seat stakes all of its funds. If
    /// it is below the minimum, the seat passes.
    fn stake(&self, view: &SeatView<'_>) -> Option<Chips> {
        let takes = match self.bank {
            BankPolicy::Never => false,
            BankPolicy::Always => true,
            BankPolicy::InTurn => !(0..view.rules().seats.seats()).any(|seat| view.has_passed(seat)),
            BankPolicy::WhenProfitable | BankPolicy::Kelly => return self.exact.as_ref()?(view),
        };
        takes.then(|| view.bets_against())
    }

    /// Chooses a move. This is only called when the seat has to move.
    pub fn decide(&self, view: &SeatView<'_>) -> Move {
        match view.phase() {
            Phase::Betting => {
                let (rules, bet) = (view.rules(), self.bet.bet(view));
                let side = self.side.min(rules.side_maximum).min(view.bankroll(view.seat()) - bet);
                Move::Bet { bet, side: if bet > 0 && side >= rules.side_minimum { side } else { 0 } }
            }
            Phase::Banking => view.take(self.stake(view)),
            Phase::Setting | Phase::Over => match (&self.set, view.dealt()) {
                (SetRule::Way(way), Some(dealt)) => Move::Set(way.set(dealt.hand()).index()),
                (SetRule::Function(set), Some(dealt)) => {
                    Move::Set(set(dealt.hand(), view.bank().seat() == view.seat()).index())
                }
                _ => Move::HouseWay,
            },
        }
    }
}

/// A player that makes the decisions for a seat, based on what the seat can see.
#[derive(Clone)]
pub enum Player {
    /// A player with fixed rules.
    Regular(Regular),
    /// A player that makes random legal moves, drawn from its own random stream.
    Random(Pcg64),
}

/// The players indexed by seat. Agents' seats and empty seats have `None`.
pub type Players = [Option<Player>; MAX_SEATS];

impl Player {
    /// Creates a player that makes random legal moves.
    pub fn random(seed: StreamSeed) -> Player {
        Player::Random(stream(seed))
    }

    /// Returns a short name.
    pub fn name(&self) -> &str {
        match self {
            Player::Regular(regular) => &regular.name,
            Player::Random(_) => "random",
        }
    }

    /// Chooses a move. This is only called when the seat has to move.
    pub fn decide(&mut self, view: &SeatView<'_>) -> Move {
        match self {
            Player::Regular(regular) => regular.decide(view),
            Player::Random(rng) => random_move(rng, view),
        }
    }
}

fn random_move(rng: &mut Pcg64, view: &SeatView<'_>) -> Move {
    let (rules, has) = (view.rules(), view.bankroll(view.seat()));
    let below = |rng: &mut Pcg64, low, high| if high <= low { low } else { rng.random_range(low..=high) };
    match view.phase() {
        Phase::Betting if rng.random_range(0..8) == 0 => Move::Bet { bet: 0, side: 0 },
        Phase::Betting => {
            let bet = below(rng, rules.bet_minimum, rules.bet_maximum.min(has));
            let most = rules.side_maximum.min(has - bet);
            let with_side = most >= rules.side_minimum && rng.random_range(0..2) == 0;
            Move::Bet { bet, side: if with_side { below(rng, rules.side_minimum, most) } else { 0 } }
        }
        Phase::Banking if rng.random_range(0..2) == 0 => Move::Pass,
        Phase::Banking => {
            let most = view.bank_funds().min(view.bets_against()).max(rules.bank_minimum);
            Move::Take { stake: below(rng, rules.bank_minimum, most) }
        }
        Phase::Setting | Phase::Over => match (rng.random_range(0..16), view.dealt()) {
            (0, _) => Move::Wait,
            (1, _) => Move::Disconnect,
            (2, _) | (_, None) => Move::HouseWay,
            (_, Some(dealt)) => Move::Set(view.game().random_setting(dealt.hand(), rng).index()),
        },
    }
}

impl Table {
    /// Asks the seats that have to move in order, until `decide` returns `None` or the round is over.
    ///
    /// # Errors
    /// Returns the error for the first move that is rejected. The round is left in the state before that move.
    pub fn ask(
        &mut self,
        rng: &mut impl Rng,
        mut decide: impl FnMut(&SeatView<'_>) -> Option<Move>,
    ) -> Result<(), MoveError> {
        while let Some(seat) = self.acting().first() {
            let Some(done) = decide(&self.view(seat)) else { break };
            self.play(seat, done, rng)?;
        }
        Ok(())
    }

    /// Plays the players' moves until a seat without a player has to move or the round is over. A player whose move is
    /// rejected leaves the round. This happens if a house way that was compiled for a different game fouls.
    pub(super) fn ask_players(&mut self, players: &mut Players, rng: &mut impl Rng) {
        while self.ask(rng, |view| Some(players[view.seat()].as_mut()?.decide(view))).is_err() {
            let seat = self.acting().first().expect("the seat whose move was rejected has to move");
            self.play(seat, Move::Disconnect, rng).expect("a seat may always leave");
        }
    }
}

/// Plays a round. Seats without a player leave the round. Returns `false` if no seat is able to bet.
///
/// # Errors
/// Returns the error for the first move that is rejected. The round is left in the state before that move.
pub fn play_round(table: &mut Table, players: &mut Players, rng: &mut impl Rng) -> Result<bool, MoveError> {
    if !table.begin() {
        return Ok(false);
    }
    let leave = || Some(Move::Disconnect);
    table.ask(rng, |view| players[view.seat()].as_mut().map_or_else(leave, |player| Some(player.decide(view))))?;
    Ok(true)
}

/// Returns the hash of a setup, combined with the players that belong to the environment, if there are any. Functions
/// are only known by the names of their players.
pub(super) fn residents_hash(setup: &Setup, residents: &Players) -> String {
    if residents.iter().all(Option::is_none) {
        return setup.hash().to_owned();
    }
    let mut bytes = setup.hash().as_bytes().to_vec();
    for (seat, player) in residents.iter().enumerate() {
        let Some(player) = player else { continue };
        let Player::Regular(Regular { name, bet, side, bank, set, .. }) = player else {
            bytes.extend(format!("{seat} random").into_bytes());
            continue;
        };
        let bank = match bank {
            BankPolicy::Never => "false",
            BankPolicy::Always => "true",
            bank => bank.name(),
        };
        bytes.extend(format!("{seat} {bet:?} {side} {bank} {}", !matches!(set, SetRule::HouseWay)).into_bytes());
        match set {
            SetRule::HouseWay => {}
            SetRule::Way(way) => bytes.extend(way.hash_bytes()),
            SetRule::Function(_) => bytes.extend(name.as_bytes()),
        }
    }
    short_hash([&bytes[..]])
}

#[cfg(test)]
mod tests {
    use super::super::env::OneSeat;
    use super::super::tests::setup;
    use super::super::{HistoryReader, HistoryWriter, PaiGowTable, RoundRecord, TableOptions, TableRules};
    use super::*;
    use crate::gym::{Env, MultiEnv, Verified, stream};
    use crate::pai_gow::{Game, ProfileTable, Rules};
    use rand::RngExt;

    fn player(bet: Chips, side: Chips, bank: BankPolicy, set: SetRule) -> Option<Player> {
        let bet = BetSize::Chips(bet);
        Some(Player::Regular(Regular { name: "resident".to_owned(), bet, side, bank, exact: None, set }))
    }

    fn residents(seats: &[usize]) -> Players {
        let game = Game::new(Rules::default());
        let way: Arc<dyn ProfileStrategy + Send> = Arc::new(ProfileTable::min_front(&game));
        std::array::from_fn(|seat| {
            let bank = if seat.is_multiple_of(2) { BankPolicy::Always } else { BankPolicy::Never };
            let set = if seat > 3 { SetRule::Way(Arc::clone(&way)) } else { SetRule::HouseWay };
            let side = if seat == 4 { 5 } else { 0 };
            player(20 * seat as Chips, side, bank, set).filter(|_| seats.contains(&seat))
        })
    }

    const BANKROLLS: [Chips; 6] = [900, 2_000, 3_000, 1_500, 0, 800];

    fn options(bankrolls: &[Chips], rounds: u32) -> String {
        serde_json::to_string(&TableOptions { bankrolls: bankrolls.to_vec(), rounds }).unwrap()
    }

    #[test]
    fn bets_are_clamped_to_the_limits() {
        let table = Table::new(setup(TableRules::default()), &[2_000, 19, 100_000]).unwrap();
        let share = |text: &str| BetSize::Share(text.parse().unwrap());
        for (seat, size, bet) in [
            (1, share("0.02"), 40),
            (1, share("0.000001"), 20),
            (1, share("0"), 0),
            (1, BetSize::Chips(0), 0),
            (1, BetSize::Chips(5), 20),
            (1, BetSize::Chips(5_000), 2_000),
            (2, share("0.5"), 0),
            (3, share("0.5"), 2_000),
        ] {
            assert_eq!(size.bet(&table.view(seat)), bet, "{size:?} on seat {seat}");
        }
    }

    /// Returns the action that bets the minimum, passes the bank, or sets the hand the house way.
    fn plain(phase: Phase) -> usize {
        match phase {
            Phase::Betting => 29,
            Phase::Banking => 23,
            _ => 21,
        }
    }

    #[test]
    fn residents_play_like_players_with_the_same_rules() {
        let (setup, agents) = (setup(TableRules::default()), [3, 6]);
        let mut env = PaiGowTable::new(Arc::clone(&setup), residents(&[1, 2, 4]));
        env.reset(Some(11), Some(&options(&BANKROLLS, 60))).unwrap();
        assert!(env.last_round().is_none() && env.status(0) != env.status(2));

        let mut table = Table::new(setup, &BANKROLLS).unwrap();
        let mut players = residents(&[1, 2, 4]);
        for seat in agents {
            players[seat] = player(20, 0, BankPolicy::Never, SetRule::HouseWay);
        }
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

    #[test]
    fn kept_rounds_are_a_verifiable_history() {
        let setup = setup(TableRules::default());
        let mut env = PaiGowTable::new(Arc::clone(&setup), residents(&[1, 4]));
        assert!(env.history_header().is_none());
        env.reset(None, None).unwrap();
        assert!(env.history_header().is_none(), "it continues a stream without a name");
        env.reset(Some(5), Some(&options(&BANKROLLS, 200))).unwrap();
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
        let table = PaiGowTable::new(setup(TableRules::default()), residents(&[1, 2, 4, 5, 6]));
        let (mut one, mut all) = (OneSeat::new(table.clone()).unwrap(), table);
        let options = options(&[500; 6], 40);
        one.reset(Some(3), Some(&options)).unwrap();
        all.reset(Some(3), Some(&options)).unwrap();
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
        let two = PaiGowTable::new(setup(TableRules::default()), residents(&[1, 2, 5, 6]));
        let error = OneSeat::new(two).err().unwrap();
        assert!(error.ends_with("exactly one seat without a resident, found [3, 4]"), "{error}");
    }

    #[test]
    fn the_hash_names_the_residents() {
        let setup = setup(TableRules::default());
        let hashes = [&[][..], &[1], &[2], &[4]]
            .map(|seats| PaiGowTable::new(Arc::clone(&setup), residents(seats)).rules_hash());
        assert_eq!(hashes[0], setup.hash());
        assert!((1..4).all(|i| !hashes[..i].contains(&hashes[i])), "{hashes:?}");
    }

    #[test]
    fn a_session_needs_an_agent() {
        let mut env = PaiGowTable::new(setup(TableRules::default()), residents(&[1, 2]));
        let error = env.reset(None, Some(&options(&[100, 100], 1))).unwrap_err().to_string();
        assert!(error.contains("no agent can make the minimum bet"), "{error}");
    }
}
