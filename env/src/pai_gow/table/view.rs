//! A seat's view of the table, limited to its own cards and the public state.

use super::{Bank, Button, MAX_SEATS, Phase, Table, TableRules};
use crate::money::Chips;
use crate::pai_gow::{Dealt, Game};

/// A seat's view of the table. It does not depend on the cards or settings of other seats. It depends on their bets
/// only once all bets for the round have been placed.
#[derive(Clone, Copy)]
pub struct SeatView<'a> {
    table: &'a Table,
    seat: usize,
}

impl Table {
    /// Returns a seat's view of the table.
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn view(&self, seat: usize) -> SeatView<'_> {
        assert!(seat < MAX_SEATS, "seat {seat} is out of range, expected 0 to 6");
        SeatView { table: self, seat }
    }
}

impl<'a> SeatView<'a> {
    /// Returns the seat that this view belongs to.
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// Returns the table rules.
    pub fn rules(&self) -> &'a TableRules {
        self.table.rules()
    }

    /// Returns the game.
    pub fn game(&self) -> &'a Game {
        self.table.setup().game()
    }

    /// Returns the phase of the round.
    pub fn phase(&self) -> Phase {
        self.table.phase()
    }

    /// Returns `true` if the seat has to move.
    pub fn is_acting(&self) -> bool {
        self.table.acting().contains(self.seat)
    }

    /// Returns the seat's own hand, once it has been dealt.
    pub fn dealt(&self) -> Option<Dealt> {
        self.table.seat(self.seat).hand
    }

    /// Returns `true` if a player sits on the seat.
    pub fn is_taken(&self, seat: usize) -> bool {
        self.table.seat(seat).taken
    }

    fn is_sealed(&self, seat: usize) -> bool {
        seat != self.seat && self.phase() == Phase::Betting
    }

    /// Returns a seat's chips that are not on the table. For other seats during betting, returns their chips before
    /// they bet.
    pub fn bankroll(&self, seat: usize) -> Chips {
        let of_seat = self.table.seat(seat);
        // After a round, the bankroll reveals the outcome of the hands, which is public by that time.
        if self.is_sealed(seat) { of_seat.before } else { of_seat.bankroll }
    }

    /// Returns a seat's bet against the bank. The bets of other seats read 0 during betting.
    pub fn bet(&self, seat: usize) -> Chips {
        if self.is_sealed(seat) { 0 } else { self.table.seat(seat).bet }
    }

    /// Returns a seat's side bet. The side bets of other seats read 0 during betting.
    pub fn side(&self, seat: usize) -> Chips {
        if self.is_sealed(seat) { 0 } else { self.table.seat(seat).side }
    }

    /// Returns the bank. The house holds it until a player takes it.
    pub fn bank(&self) -> Bank {
        self.table.bank()
    }

    /// Returns `true` if a seat was offered the bank in this round and passed.
    pub fn has_passed(&self, seat: usize) -> bool {
        let asked_now = self.phase() == Phase::Banking && self.table.acting().contains(seat);
        self.table.was_offered(seat) && !asked_now && !self.bank().is_player(seat)
    }

    /// Returns the action button, once the dice have been thrown.
    pub fn button(&self) -> Option<Button> {
        self.table.button()
    }

    /// Returns `true` if the seat could take the bank if it were offered at this point. This is always `false` during
    /// betting.
    pub fn can_bank(&self) -> bool {
        self.phase() == Phase::Banking && self.table.can_bank(self.seat)
    }

    /// Returns the sum of the bets that there would be against the seat if it took the bank. This is always 0 during
    /// betting, because the bets of other seats are hidden.
    pub fn bets_against(&self) -> Chips {
        if self.phase() == Phase::Betting { 0 } else { self.table.bets_against(self.seat) }
    }

    /// Returns the seat's maximum stake as the bank.
    pub fn bank_funds(&self) -> Chips {
        self.table.bank_funds(self.seat)
    }

    /// Returns the number of steps that are left to set the seat's hand.
    pub fn time_left(&self) -> u32 {
        self.rules().time_steps - self.table.seat(self.seat).waited.min(self.rules().time_steps)
    }
}
