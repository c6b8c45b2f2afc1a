//! A seat's view of the table, limited to its own cards and the public state.

use super::{Bank, Button, HOUSE_SEAT, MAX_SEATS, Move, Phase, SetBy, Settled, Setup, Table, TableRules};
use crate::gym::{PublicBet, PublicPart, PublicSeat, PublicTable};
use crate::money::{Chips, Collection, chips};
use crate::pai_gow::{Dealt, Game, Hand};
use std::fmt::Write as _;

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
        &self.table.setup().game
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
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn is_taken(&self, seat: usize) -> bool {
        self.table.seat(seat).taken
    }

    fn is_sealed(&self, seat: usize) -> bool {
        seat != self.seat && self.phase() == Phase::Betting
    }

    /// Returns a seat's chips that are not on the table. For other seats during betting, returns their chips before
    /// they bet.
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn bankroll(&self, seat: usize) -> Chips {
        let of_seat = self.table.seat(seat);
        // After a round, the bankroll reveals the outcome of the hands, which is public by that time.
        if self.is_sealed(seat) { of_seat.before } else { of_seat.bankroll }
    }

    /// Returns a seat's bet against the bank. The bets of other seats read 0 during betting.
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn bet(&self, seat: usize) -> Chips {
        let bet = self.table.seat(seat).bet;
        if self.is_sealed(seat) { 0 } else { bet }
    }

    /// Returns a seat's side bet. The side bets of other seats read 0 during betting.
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn side(&self, seat: usize) -> Chips {
        let side = self.table.seat(seat).side;
        if self.is_sealed(seat) { 0 } else { side }
    }

    /// Returns the bank. The house holds it until a player takes it.
    pub fn bank(&self) -> Bank {
        self.table.bank()
    }

    /// Returns `true` if a seat was offered the bank in this round and passed.
    pub fn has_passed(&self, seat: usize) -> bool {
        let asked_now = self.phase() == Phase::Banking && self.table.acting().contains(seat);
        self.table.asked.contains(seat) && !asked_now && !self.bank().is_player(seat)
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

    /// Returns the move that takes the bank with a stake, limited to the seat's funds, if the rules allow it. Otherwise,
    /// or without a stake, returns the move that passes the bank.
    pub fn take(&self, stake: Option<Chips>) -> Move {
        match stake.map(|stake| stake.min(self.bank_funds())) {
            Some(stake) if stake >= self.rules().bank_minimum => Move::Take { stake },
            _ => Move::Pass,
        }
    }

    /// Returns the number of steps that are left to set the seat's hand.
    pub fn time_left(&self) -> u32 {
        self.rules().time_steps - self.table.seat(self.seat).waited.min(self.rules().time_steps)
    }
}

/// Returns what the player on a seat can see of the table. `name` returns the names of the other players.
pub(super) fn public_table<'a>(table: &Table, own: usize, name: impl Fn(usize) -> &'a str) -> PublicTable {
    let name = |seat: usize| match seat {
        HOUSE_SEAT => "house".to_owned(),
        seat if seat == own => "you".to_owned(),
        seat => name(seat).to_owned(),
    };
    let taken = |&seat: &usize| seat == HOUSE_SEAT || table.seat(seat).taken;
    let seats = (0..table.rules().seats.seats())
        .map(|seat| if taken(&seat) { public_seat(table, seat, own, name(seat)) } else { empty_seat(seat) });
    let dice = table.button().map_or_else(Vec::new, |button| button.dice.0.to_vec());
    let seats = seats.collect();
    PublicTable { notes: notes(table, own, name), dice, seats, bets: bets(table, own), ..PublicTable::default() }
}

/// Returns the bets of a player with the given stakes. There is no side bet if the rules don't offer one.
pub(super) fn public_bets(setup: &Setup, bet: f64, side: f64) -> Vec<PublicBet> {
    let mut bets = vec![PublicBet::placed("Bet", "bet", bet, setup.game.public_odds())];
    if setup.rules.has_side_bet() {
        bets.push(PublicBet::placed("Side bet", "side", side, vec![]).paid_by(setup.side_bet().paytable()));
    }
    bets
}

/// Returns the bets of a seat. If it has the bank, its stake comes first.
fn bets(table: &Table, own: usize) -> Vec<PublicBet> {
    let seat = table.seat(own);
    let settled = table.settled();
    let mut bets = public_bets(table.setup(), seat.bet as f64, seat.side as f64);
    let main = match table.bank() {
        Bank::Seat { seat, stake } if seat == own => {
            let bank = PublicBet { name: "Bank".to_owned(), stake: stake as f64, ..PublicBet::default() };
            bets.insert(0, bank);
            settled.map(|settled| settled.bank_net - settled.bank_commission)
        }
        _ => settled.and_then(|settled| settled.bets[own]).map(|result| result.net - result.commission),
    };
    if settled.is_some() {
        bets[0].net = main.map(|net| net as f64);
        if let Some(side) = bets.iter_mut().find(|bet| bet.option == Some("side") && bet.stake > 0.0) {
            side.net = Some(seat.side_net as f64);
        }
    }
    bets
}

fn empty_seat(seat: usize) -> PublicSeat {
    PublicSeat { seat, name: "empty".to_owned(), ..PublicSeat::default() }
}

fn public_seat(table: &Table, number: usize, own: usize, name: String) -> PublicSeat {
    let (seat, is_over) = (table.seat(number), table.phase() == Phase::Over);
    let is_house = number == HOUSE_SEAT;
    let banks = table.button().is_some() && table.bank().seat() == number || table.bank().is_player(number);
    let settled = table.settled();
    let net = match is_house {
        false => is_over.then(|| seat.net()),
        true if banks => settled.map(|settled| settled.bank_net),
        true => settled.and_then(|settled| settled.bets[HOUSE_SEAT]).map(|result| result.net),
    };
    PublicSeat {
        seat: number,
        name,
        is_own: number == own,
        is_banker: banks,
        has_button: table.button().is_some_and(|button| button.seat == number),
        chips: (!is_house).then_some(seat.bankroll),
        bet: seat.bet,
        side: seat.side,
        order: order(table, number),
        hand: public_hand(table, number, own),
        outcome: outcome(table, number),
        net: net.filter(|_| table.rounds() > 0),
    }
}

/// Returns the place of a seat in the order in which hands are compared with the banker's, clockwise from the button.
fn order(table: &Table, number: usize) -> Option<usize> {
    let (button, against) = (table.button()?, table.against_bank());
    let mut compared = table.rules().seats.clockwise(button.seat).filter(|&seat| against.contains(seat));
    compared.position(|seat| seat == number).map(|place| place + 1)
}

/// Returns the front and back of a hand, or its seven cards if it hasn't been set.
fn hand(table: &Table, number: usize) -> Vec<PublicPart> {
    match (table.set_hand(number), table.seat(number).hand) {
        (Some((hand, setting)), _) => table.setup().game.public_halves(hand, setting),
        (None, Some(dealt)) => vec![PublicPart::new("cards", dealt.hand())],
        (None, None) => vec![],
    }
}

/// Returns a hand as the player on the seat `own` sees it. After the round, players' hands are compared with the
/// banker's, and the banker's hand with that of the player's own seat.
fn public_hand(table: &Table, number: usize, own: usize) -> Vec<PublicPart> {
    if table.phase() != Phase::Over && number != own {
        let cards = table.seat(number).hand.map(|_| PublicPart::hidden("cards", Hand::CARDS));
        return cards.into_iter().collect();
    }
    let mut halves = hand(table, number);
    let is_banker = number == table.bank().seat();
    let player = if is_banker { own } else { number };
    if table.settled().is_some_and(|settled| settled.bets[player].is_some()) {
        let game = &table.setup().game;
        game.compare_halves(&mut halves, table.made(player), table.banker_set(), is_banker);
    }
    halves
}

/// Returns `true` if all bets for the round have been placed and a player has none.
fn sits_out(table: &Table, number: usize) -> bool {
    let seat = table.seat(number);
    let is_placed = table.rounds() > 0 && table.phase() != Phase::Betting;
    is_placed && seat.taken && seat.bet == 0 && seat.hand.is_none()
}

fn outcome(table: &Table, number: usize) -> Option<String> {
    if sits_out(table, number) {
        return Some("sits out".to_owned());
    }
    let result = table.settled()?.bets[number]?;
    let settlement = result.settlement;
    let mut text = format!("{}{}", settlement.outcome, settlement.remark());
    if result.covered < result.bet {
        let _ = write!(text, ", {} covered", chips(result.covered));
    }
    Some(text)
}

/// Returns sentences that describe the round.
fn notes(table: &Table, own: usize, name: impl Fn(usize) -> String) -> Vec<String> {
    let mut notes = Vec::new();
    let mut say = |text: String| notes.push(text);
    if sits_out(table, own) {
        say("You sit out this round.".to_owned());
    }
    match table.bank() {
        Bank::House if table.phase() == Phase::Banking && table.acting().contains(own) => say(format!(
            "The bank is offered to you. The bets against it add up to {} chips.",
            chips(table.bets_against(own))
        )),
        Bank::House if table.button().is_some() => say("The house banks.".to_owned()),
        Bank::Seat { seat, stake } if seat == own => say(format!("You bank with {} chips.", chips(stake))),
        Bank::Seat { seat, stake } => say(format!("{} in seat {seat} banks with {} chips.", name(seat), chips(stake))),
        Bank::House => {}
    }
    if let Some(button) = table.button() {
        let [a, b, c] = button.dice.0;
        let to = if button.seat == own { "you".to_owned() } else { format!("seat {}", button.seat) };
        say(format!("Dice {a}+{b}+{c} = {}: the action button goes to {to}.", button.dice.total()));
    }
    if let Some(settled) = table.settled() {
        let commission = match settled.bank_commission {
            0 => String::new(),
            paid => format!(", less {} {}", chips(paid), table.bank_fee()),
        };
        say(match settled.bank_net {
            0 => "The bank breaks even.".to_owned(),
            net @ 1.. => format!("The bank wins {}{commission}.", chips(net)),
            net => format!("The bank loses {}.", chips(-net)),
        });
    }
    if table.seat(own).chosen.is_some_and(|chosen| chosen.by == SetBy::TimeOut) {
        say("Your time was up, and the house way set your hand.".to_owned());
    }
    notes
}

/// Describes a table in words. The first line contains the notes, and each seat has a line of its own.
pub(super) fn text(table: &PublicTable) -> String {
    let mut text = table.notes.join(" ");
    for seat in &table.seats {
        let _ = write!(text, "\nseat {} {}", seat.seat, seat.name);
        let mut add = |part: String| text += &format!(", {part}");
        let marks = [(seat.is_banker, "the banker"), (seat.has_button, "action button")];
        marks.into_iter().filter(|(has, _)| *has).for_each(|(_, mark)| add(mark.to_owned()));
        seat.chips.into_iter().for_each(|sum| add(format!("{} chips", chips(sum))));
        if seat.bet > 0 {
            add(format!("bet {}", chips(seat.bet)));
        }
        if seat.side > 0 {
            add(format!("side bet {}", chips(seat.side)));
        }
        match seat.is_hidden() {
            true => add("cards face down".to_owned()),
            false => seat.hand.iter().for_each(|part| add(format!("{} {}", part.name, part.cards))),
        }
        seat.outcome.iter().for_each(|outcome| add(outcome.clone()));
        seat.net.into_iter().for_each(|net| add(format!("net {}", chips(net))));
    }
    text.trim_start().to_owned()
}

impl Table {
    /// Returns a text that shows the table with all its cards. This is meant for spectators, not for agents.
    pub fn render(&self) -> String {
        let mut text = self.head();
        for number in 0..self.rules().seats.seats() {
            text += &format!("\n{}", self.seat_line(number));
        }
        text
    }

    fn head(&self) -> String {
        let waits = || self.acting().iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(", ");
        let phase = match self.phase() {
            Phase::Betting => format!("betting, seats {}", waits()),
            Phase::Banking => format!("the bank is offered to seat {}", waits()),
            Phase::Setting => format!("setting, seats {}", waits()),
            Phase::Over if self.rounds() == 0 => "not begun".to_owned(),
            Phase::Over => "over".to_owned(),
        };
        let mut text = format!("round {}: {phase}", self.rounds());
        match self.bank() {
            Bank::Seat { seat, stake } => text += &format!("\nbank  seat {seat}, stake {}", chips(stake)),
            Bank::House if self.button().is_some() => text += "\nbank  house",
            Bank::House => {}
        }
        if let Some(button) = self.button() {
            let [a, b, c] = button.dice.0;
            let throws = if button.throws > 1 { format!(" (throw {})", button.throws) } else { String::new() };
            let total = button.dice.total();
            text += &format!("; dice {a}+{b}+{c} = {total}{throws}, button on seat {}", button.seat);
        }
        if let Some(Settled { bank_net, bank_commission, .. }) = self.settled() {
            text += &format!("\nbank's result {}, its {} {bank_commission}", chips(*bank_net), self.bank_fee());
        }
        text
    }

    /// Returns what the bank's fee is called. Rooms with a collection don't charge a commission.
    fn bank_fee(&self) -> &'static str {
        if self.rules().bank_collection == Collection::NONE { "commission" } else { "fee" }
    }

    fn seat_line(&self, number: usize) -> String {
        let seat = self.seat(number);
        if number != HOUSE_SEAT && !seat.taken {
            return format!("seat {number}  empty");
        }
        let has = if number == HOUSE_SEAT { "house".to_owned() } else { chips(seat.bankroll) };
        let bets = match (seat.bet, seat.side) {
            (bet, 0) => chips(bet),
            (bet, side) => format!("{}+{}", chips(bet), chips(side)),
        };
        let hand = hand(self, number).into_iter().map(|part| part.cards).collect::<Vec<_>>().join(" | ");
        let result = self.settled().and_then(|settled| settled.bets[number]).map_or(String::new(), |result| {
            let covered =
                if result.covered < result.bet { format!(" of {}", chips(result.covered)) } else { String::new() };
            format!("{}{covered}", result.settlement.outcome)
        });
        let net = if self.phase() == Phase::Over && seat.taken { chips(seat.net()) } else { String::new() };
        format!("seat {number} {has:>13} {bets:>9}  {hand:<23} {result:<9} {net:>8}").trim_end().to_owned()
    }
}
