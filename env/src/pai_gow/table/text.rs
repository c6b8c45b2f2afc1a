//! Renders a table as text, using at most 80 columns.

use super::{Bank, HOUSE_SEAT, Phase, Table};
use crate::money::Chips;
use std::fmt::Write as _;

/// Formats an amount of chips with thousands separators, as in 12,345.
pub fn chips(sum: Chips) -> String {
    let digits = sum.unsigned_abs().to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if sum < 0 { format!("-{text}") } else { text }
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
            Bank::Seat { seat, stake } => write!(text, "\nbank  seat {seat}, stake {}", chips(stake)),
            Bank::House if self.button().is_some() => write!(text, "\nbank  house"),
            Bank::House => Ok(()),
        }
        .expect("text can be written");
        if let Some(button) = self.button() {
            let [a, b, c] = button.dice.0;
            let throws = if button.throws > 1 { format!(" (throw {})", button.throws) } else { String::new() };
            write!(text, "; dice {a}+{b}+{c} = {}{throws}, button on seat {}", button.dice.total(), button.seat)
                .expect("text can be written");
        }
        if let Some(settled) = self.settled() {
            write!(text, "\nbank's result {}, its commission {}", chips(settled.bank_net), settled.bank_commission)
                .expect("text can be written");
        }
        text
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
        let hand = match (seat.hand, seat.chosen) {
            (None, _) => String::new(),
            (Some(dealt), None) => dealt.hand().to_string(),
            (Some(dealt), Some(chosen)) => {
                let hand = dealt.hand();
                let setting = chosen.setting.unwrap_or_else(|| self.setup().way().set(hand));
                format!("{} | {}", setting.front(hand), setting.back(hand))
            }
        };
        let result = self.settled().and_then(|settled| settled.bets[number]).map_or(String::new(), |result| {
            let covered =
                if result.covered < result.bet { format!(" of {}", chips(result.covered)) } else { String::new() };
            format!("{}{covered}", result.settlement.outcome)
        });
        let net = if self.phase() == Phase::Over && seat.taken { chips(seat.net()) } else { String::new() };
        format!("seat {number} {has:>13} {bets:>9}  {hand:<23} {result:<9} {net:>8}").trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_separators() {
        let texts = [0, 7, 999, 1_000, -1_234_567].map(chips);
        assert_eq!(texts, ["0", "7", "999", "1,000", "-1,234,567"]);
    }
}
