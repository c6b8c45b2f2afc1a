//! Players that decide for a seat, and rounds played between them.

use super::{MAX_SEATS, Move, MoveError, Phase, SeatView, Table};
use crate::gym::{StreamSeed, stream};
use crate::money::{Chips, Rate, commission};
use crate::pai_gow::{Strategy, settings_in};
use rand::{Rng, RngExt};
use rand_pcg::Pcg64;
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

/// A rule that always passes the bank.
pub struct NeverBank;

impl BankRule for NeverBank {
    fn stake(&mut self, _: &SeatView<'_>) -> Option<Chips> {
        None
    }
}

/// A rule that takes the bank whenever possible and covers all bets, as far as the seat's funds allow.
pub struct AlwaysBank;

impl BankRule for AlwaysBank {
    fn stake(&mut self, view: &SeatView<'_>) -> Option<Chips> {
        Some(view.bets_against())
    }
}

/// A rule that takes the bank if no other seat was offered it before in the same round, and covers all bets as far as
/// the seat's funds allow.
pub struct BankInTurn;

impl BankRule for BankInTurn {
    fn stake(&mut self, view: &SeatView<'_>) -> Option<Chips> {
        (!(0..view.rules().seats.seats()).any(|seat| view.has_passed(seat))).then(|| view.bets_against())
    }
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

/// Plays a round. The seats that have to move are asked in order until the round is over, and their moves are stored in
/// `moves`. Seats without a player leave the round. Returns `false` if no seat is able to bet.
///
/// # Errors
/// Returns the error for the first move that is rejected. The round is left in the state before that move.
pub fn play_round(
    table: &mut Table,
    players: &mut Players,
    rng: &mut impl Rng,
    moves: &mut Vec<(usize, Move)>,
) -> Result<bool, MoveError> {
    moves.clear();
    if !table.begin() {
        return Ok(false);
    }
    while let Some(seat) = table.acting().first() {
        let decided = players[seat].as_mut().map_or(Move::Disconnect, |player| player.decide(&table.view(seat)));
        table.play(seat, decided, rng)?;
        moves.push((seat, decided));
    }
    Ok(true)
}
