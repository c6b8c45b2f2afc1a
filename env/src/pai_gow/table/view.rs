//! The view of a table from one seat: its own cards and the public state.

use super::{Bank, Button, MAX_SEATS, Phase, Table, TableRules};
use crate::money::Chips;
use crate::pai_gow::{Dealt, Game};

/// The view of a table from one seat. It does not depend on other seats' cards or settings, nor on their bets in this
/// round until all bets are made.
#[derive(Clone, Copy)]
pub struct SeatView<'a> {
    table: &'a Table,
    seat: usize,
}

impl Table {
    /// Returns the view of a seat.
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn view(&self, seat: usize) -> SeatView<'_> {
        assert!(seat < MAX_SEATS, "there are seats 0 to 6, not {seat}");
        SeatView { table: self, seat }
    }
}

impl<'a> SeatView<'a> {
    /// Returns the viewing seat.
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

    /// Returns `true` if the seat has a move now.
    pub fn is_acting(&self) -> bool {
        self.table.acting().contains(self.seat)
    }

    /// Returns the seat's own hand once it is dealt.
    pub fn dealt(&self) -> Option<Dealt> {
        self.table.seat(self.seat).hand
    }

    /// Returns `true` if there is a player on the seat.
    pub fn is_taken(&self, seat: usize) -> bool {
        self.table.seat(seat).taken
    }

    fn is_sealed(&self, seat: usize) -> bool {
        seat != self.seat && self.phase() == Phase::Betting
    }

    /// Returns the chips of a seat that are not on the table; for other seats during betting, their chips before their
    /// bets.
    pub fn bankroll(&self, seat: usize) -> Chips {
        let of_seat = self.table.seat(seat);
        // After a round, the bankroll reveals the outcome of the hands, which is public by then.
        if self.is_sealed(seat) { of_seat.before } else { of_seat.bankroll }
    }

    /// Returns the bet of a seat against the bank; 0 for other seats during betting.
    pub fn bet(&self, seat: usize) -> Chips {
        if self.is_sealed(seat) { 0 } else { self.table.seat(seat).bet }
    }

    /// Returns the side bet of a seat; 0 for other seats during betting.
    pub fn side(&self, seat: usize) -> Chips {
        if self.is_sealed(seat) { 0 } else { self.table.seat(seat).side }
    }

    /// Returns the bank, which is the house until a player takes it.
    pub fn bank(&self) -> Bank {
        self.table.bank()
    }

    /// Returns `true` if a seat was offered the bank in this round and passed.
    pub fn has_passed(&self, seat: usize) -> bool {
        let asked_now = self.phase() == Phase::Banking && self.table.acting().contains(seat);
        self.table.was_offered(seat) && !asked_now && !self.bank().is_player(seat)
    }

    /// Returns the action button once the dice are thrown.
    pub fn button(&self) -> Option<Button> {
        self.table.button()
    }

    /// Returns `true` if the seat could take the bank if it were offered now; `false` during betting.
    pub fn can_bank(&self) -> bool {
        self.phase() == Phase::Banking && self.table.can_bank(self.seat)
    }

    /// Returns the sum of bets against the seat if it took the bank; 0 during betting.
    pub fn bets_against(&self) -> Chips {
        if self.phase() == Phase::Betting { 0 } else { self.table.bets_against(self.seat) }
    }

    /// Returns the maximum stake of the seat as a bank.
    pub fn bank_funds(&self) -> Chips {
        self.table.bank_funds(self.seat)
    }

    /// Returns the number of steps left to set the seat's hand.
    pub fn time_left(&self) -> u32 {
        self.rules().time_steps - self.table.seat(self.seat).waited.min(self.rules().time_steps)
    }
}
