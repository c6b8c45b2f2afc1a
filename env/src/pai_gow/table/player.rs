//! Who decides for a seat: players for tables without learning, and one round of them.

use super::{MAX_SEATS, Move, MoveError, Phase, SeatView, Table};
use crate::gym::{StreamSeed, stream};
use crate::money::Chips;
use crate::money::Rate;
use crate::pai_gow::{Strategy, settings_in};
use rand::{Rng, RngExt};
use rand_pcg::Pcg64;
use std::sync::Arc;

/// Decides for a seat, from what the seat sees.
pub trait Player: Send {
    /// A short name.
    fn name(&self) -> &str;

    /// The move of a seat that is asked for one.
    fn decide(&mut self, view: &SeatView<'_>) -> Move;
}

/// How much a player bets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetSize {
    /// Always the same; the highest that the limits and the bankroll allow, if that is less.
    Chips(Chips),
    /// A share of the bankroll, brought within the limits.
    Share(Rate),
}

impl BetSize {
    /// The bet of a seat; 0 if it has not the lowest one.
    pub fn of(self, view: &SeatView<'_>) -> Chips {
        let (rules, bankroll) = (view.rules(), view.bankroll(view.seat()));
        let wanted = match self {
            BetSize::Chips(chips) => chips,
            BetSize::Share(rate) => crate::money::commission(rate, bankroll),
        };
        if bankroll < rules.bet_minimum || wanted == 0 {
            return 0;
        }
        wanted.clamp(rules.bet_minimum, rules.bet_maximum.min(bankroll))
    }
}

/// Decides whether a seat that is offered the bank takes it, and with what stake.
pub trait BankRule: Send {
    /// The stake, or `None` to pass. A stake above the seat's funds is cut down to them, and one below the lowest passes.
    fn stake(&mut self, view: &SeatView<'_>) -> Option<Chips>;
}

/// Passes the bank.
pub struct NeverBank;

impl BankRule for NeverBank {
    fn stake(&mut self, _: &SeatView<'_>) -> Option<Chips> {
        None
    }
}

/// Takes the bank whenever it can, and covers all bets as far as its funds go.
pub struct AlwaysBank;

impl BankRule for AlwaysBank {
    fn stake(&mut self, view: &SeatView<'_>) -> Option<Chips> {
        Some(view.bets_against())
    }
}

impl<F: FnMut(&SeatView<'_>) -> Option<Chips> + Send> BankRule for F {
    fn stake(&mut self, view: &SeatView<'_>) -> Option<Chips> {
        self(view)
    }
}

/// How a player sets.
#[derive(Clone)]
pub enum SetRule {
    /// The house way of the table, by its button.
    HouseWay,
    /// One strategy against a bank, and one as the bank.
    Strategy {
        /// Against a bank.
        player: Arc<dyn Strategy + Send>,
        /// As the bank.
        banker: Arc<dyn Strategy + Send>,
    },
}

/// A player with a fixed way to bet, to bank and to set.
pub struct Regular {
    /// The name.
    pub name: String,
    /// The bet.
    pub bet: BetSize,
    /// The side bet; cut down to the limits and what the bet leaves of the bankroll.
    pub side: Chips,
    /// When to bank.
    pub bank: Box<dyn BankRule>,
    /// How to set.
    pub set: SetRule,
}

impl Player for Regular {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(&mut self, view: &SeatView<'_>) -> Move {
        match view.phase() {
            Phase::Betting => {
                let (rules, bet) = (view.rules(), self.bet.of(view));
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

/// Does anything that is legal, by a random stream of its own.
pub struct RandomPlayer {
    rng: Pcg64,
}

impl RandomPlayer {
    /// A player whose choices come from this stream.
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

/// The players of a table, by seat; none where nobody sits.
pub type Players = [Option<Box<dyn Player>>; MAX_SEATS];

/// Plays one round: begins it, and asks the seats that the table waits for, lowest first, until it is over. Every move is
/// put into `moves`. A seat without a player is gone. `false` if nobody can bet any more.
///
/// # Errors
/// The first move that the table refuses; the round stands where it was.
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
