//! What one seat sees of a table: its own cards, and what everybody may see.

use super::{Bank, Button, MAX_SEATS, Phase, Table, TableRules};
use crate::money::Chips;
use crate::pai_gow::{Dealt, Game};

/// A table as one seat sees it. Nothing that it tells depends on another seat's cards or settings, nor on bets of this
/// round before all are made.
#[derive(Clone, Copy)]
pub struct SeatView<'a> {
    table: &'a Table,
    seat: usize,
}

impl Table {
    /// The table as a seat sees it.
    ///
    /// # Panics
    /// If the number is above 6.
    pub fn view(&self, seat: usize) -> SeatView<'_> {
        assert!(seat < MAX_SEATS, "there are seats 0 to 6, not {seat}");
        SeatView { table: self, seat }
    }
}

impl<'a> SeatView<'a> {
    /// The seat that looks.
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// The rules of the table.
    pub fn rules(&self) -> &'a TableRules {
        self.table.rules()
    }

    /// The game.
    pub fn game(&self) -> &'a Game {
        self.table.setup().game()
    }

    /// What the table waits for.
    pub fn phase(&self) -> Phase {
        self.table.phase()
    }

    /// Whether it waits for this seat.
    pub fn is_acting(&self) -> bool {
        self.table.acting().contains(self.seat)
    }

    /// The seat's own hand, once dealt.
    pub fn dealt(&self) -> Option<Dealt> {
        self.table.seat(self.seat).hand
    }

    /// Whether a player sits on a seat.
    pub fn is_taken(&self, seat: usize) -> bool {
        self.table.seat(seat).taken
    }

    fn is_sealed(&self, seat: usize) -> bool {
        seat != self.seat && self.phase() == Phase::Betting
    }

    /// Chips of a seat that are not on the table; of other seats, while bets are made, those before their bets.
    pub fn bankroll(&self, seat: usize) -> Chips {
        let of_seat = self.table.seat(seat);
        // Once a round is over, a bankroll tells how its hands compared, which is public; until then it tells nothing.
        if self.is_sealed(seat) { of_seat.before } else { of_seat.bankroll }
    }

    /// The bet of a seat against the bank; 0 for other seats while bets are made.
    pub fn bet(&self, seat: usize) -> Chips {
        if self.is_sealed(seat) { 0 } else { self.table.seat(seat).bet }
    }

    /// The side bet of a seat; 0 for other seats while bets are made.
    pub fn side(&self, seat: usize) -> Chips {
        if self.is_sealed(seat) { 0 } else { self.table.seat(seat).side }
    }

    /// Who banks; the house until a player takes the bank.
    pub fn bank(&self) -> Bank {
        self.table.bank()
    }

    /// Whether a seat was offered the bank in this round and passed.
    pub fn has_passed(&self, seat: usize) -> bool {
        let asked_now = self.phase() == Phase::Banking && self.table.acting().contains(seat);
        self.table.was_offered(seat) && !asked_now && !self.bank().is_player(seat)
    }

    /// Where the button is, once the dice are thrown.
    pub fn button(&self) -> Option<Button> {
        self.table.button()
    }

    /// Whether the seat could take the bank if it were offered now; `false` while bets are made.
    pub fn can_bank(&self) -> bool {
        self.phase() == Phase::Banking && self.table.can_bank(self.seat)
    }

    /// All bets that the seat would have against it as the banker; 0 while bets are made.
    pub fn bets_against(&self) -> Chips {
        if self.phase() == Phase::Betting { 0 } else { self.table.bets_against(self.seat) }
    }

    /// What the seat could stake on a bank.
    pub fn bank_funds(&self) -> Chips {
        self.table.bank_funds(self.seat)
    }

    /// Steps that the seat has left to set its hand.
    pub fn time_left(&self) -> u32 {
        self.rules().time_steps - self.table.seat(self.seat).waited.min(self.rules().time_steps)
    }
}
