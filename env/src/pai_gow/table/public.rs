//! The table as seen by the player at one seat, as data and in words.

use super::{Bank, HOUSE_SEAT, Phase, SetBy, Table, chips};
use crate::gym::{PublicSeat, PublicTable};
use std::fmt::Write;

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
    PublicTable { notes: notes(table, own, name), dice, seats: seats.collect() }
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
        has_cards: seat.hand.is_some(),
        hand: if is_over || number == own { hand(table, number) } else { vec![] },
        outcome: outcome(table, number),
        net: net.filter(|_| table.rounds() > 0),
    }
}

/// Returns the front and back of a hand, or its seven cards if it hasn't been set.
fn hand(table: &Table, number: usize) -> Vec<(&'static str, String)> {
    let seat = table.seat(number);
    let Some(hand) = seat.hand.map(|dealt| dealt.hand()) else { return vec![] };
    match seat.chosen {
        None => vec![("cards", hand.to_string())],
        Some(chosen) => {
            let setting = chosen.setting.unwrap_or_else(|| table.setup().way().set(hand));
            vec![("front", setting.front(hand).to_string()), ("back", setting.back(hand).to_string())]
        }
    }
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
    let mut text = result.settlement.outcome.to_string();
    match (result.settlement.copy_front, result.settlement.copy_back) {
        (true, true) => text += ", both copied",
        (true, false) => text += ", front copied",
        (false, true) => text += ", back copied",
        (false, false) => {}
    }
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
            paid => format!(", less {} commission", chips(paid)),
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
        if seat.has_cards && seat.hand.is_empty() {
            add("cards face down".to_owned());
        }
        seat.hand.iter().for_each(|(part, cards)| add(format!("{part} {cards}")));
        seat.outcome.iter().for_each(|outcome| add(outcome.clone()));
        seat.net.into_iter().for_each(|net| add(format!("net {}", chips(net))));
    }
    text.trim_start().to_owned()
}
