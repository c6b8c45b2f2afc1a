//! The view of a player at a table: cards, bets with their payouts, actions in words, and the winners of comparisons.

use crate::paytable::{Bet, Paytable};
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt::Display;

/// A table, as seen by one player.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PublicTable {
    /// Sentences that describe the round.
    pub notes: Vec<String>,
    /// The dice, or empty if they haven't been thrown yet.
    pub dice: Vec<u8>,
    /// The seats in clockwise order, or the opponent's seat followed by the player's.
    pub seats: Vec<PublicSeat>,
    /// The cards that belong to no seat.
    pub board: Vec<PublicPart>,
    /// The player's bets.
    pub bets: Vec<PublicBet>,
    /// The legal actions in words. Empty if they are choices of cards or need no other words than their names.
    pub actions: Vec<PublicAction>,
}

impl PublicTable {
    /// Returns `true` if the game describes nothing on the table, only its rounds as text.
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty() && self.board.is_empty()
    }
}

/// A seat, as seen by the player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PublicSeat {
    /// The seat number.
    pub seat: usize,
    /// The name of the person or strategy that plays the seat.
    pub name: String,
    /// `true` if this is the player's own seat.
    pub is_own: bool,
    /// `true` if the seat has the bank.
    pub is_banker: bool,
    /// `true` if the seat has the action button.
    pub has_button: bool,
    /// The place of the seat's hand in the order of comparison with the banker's, from 1, once the dice have been
    /// thrown.
    pub order: Option<usize>,
    /// The seat's chips, not counting the bets on the table. `None` for the house.
    pub chips: Option<i64>,
    /// The bet, or 0 if there is none.
    pub bet: i64,
    /// The side bet, or 0 if there is none.
    pub side: i64,
    /// The parts of the hand. Empty if the seat has no cards.
    pub hand: Vec<PublicPart>,
    /// The outcome of the bet, with remarks about copies and coverage.
    pub outcome: Option<String>,
    /// The net result, once the round is over.
    pub net: Option<i64>,
}

impl PublicSeat {
    /// Creates the seat of an opponent who has the bank, without a hand.
    pub fn banker(name: &str) -> PublicSeat {
        PublicSeat { name: name.to_owned(), is_banker: true, ..PublicSeat::default() }
    }

    /// Creates the player's own seat opposite a single opponent, without a hand.
    pub fn own() -> PublicSeat {
        PublicSeat { seat: 1, name: "you".to_owned(), is_own: true, ..PublicSeat::default() }
    }

    /// Returns `true` if the seat has cards and the player can't see them.
    pub fn is_hidden(&self) -> bool {
        self.hand.iter().any(PublicPart::is_hidden)
    }
}

/// A part of a hand, or the cards on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PublicPart {
    /// The name of the part, such as `front`.
    pub name: &'static str,
    /// The cards, separated by spaces. Cards that lie face down are written as [`PublicPart::FACE_DOWN`].
    pub cards: String,
    /// The rank of the cards in words, or empty if it isn't known.
    pub rank: String,
    /// The result of the comparison with the other side, once there is one.
    pub result: Option<Comparison>,
}

impl PublicPart {
    /// The text for a card that lies face down.
    pub const FACE_DOWN: &'static str = "??";

    /// Creates a part whose rank isn't known or doesn't matter.
    pub fn new(name: &'static str, cards: impl Display) -> PublicPart {
        PublicPart { name, cards: cards.to_string(), rank: String::new(), result: None }
    }

    /// Creates a part of cards that lie face down.
    pub fn hidden(name: &'static str, count: usize) -> PublicPart {
        PublicPart::new(name, [PublicPart::FACE_DOWN].repeat(count).join(" "))
    }

    /// Adds the rank in words.
    #[must_use]
    pub fn ranked(self, rank: String) -> PublicPart {
        PublicPart { rank, ..self }
    }

    /// Adds the result of the comparison with the other side.
    #[must_use]
    pub fn compared(self, result: Comparison) -> PublicPart {
        PublicPart { result: Some(result), ..self }
    }

    /// Returns `true` if a card lies face down.
    pub fn is_hidden(&self) -> bool {
        self.cards.split(' ').any(|card| card == PublicPart::FACE_DOWN)
    }
}

crate::named_enum! {
    /// The result of comparing a part of a hand with that of the other side.
    pub enum Comparison: kebab_case {
        /// This side wins.
        Wins,
        /// This side loses.
        Loses,
        /// Both sides are equal, and this one wins.
        CopyWins,
        /// Both sides are equal, and this one loses.
        CopyLoses,
        /// Both sides are equal, and nobody wins.
        Tie,
    }
}

impl Comparison {
    /// Creates a comparison from the winner, where `Greater` is this side, and from whether both sides are equal.
    pub const fn new(winner: Ordering, is_copy: bool) -> Comparison {
        match (winner, is_copy) {
            (Ordering::Greater, false) => Comparison::Wins,
            (Ordering::Less, false) => Comparison::Loses,
            (Ordering::Greater, true) => Comparison::CopyWins,
            (Ordering::Less, true) => Comparison::CopyLoses,
            (Ordering::Equal, _) => Comparison::Tie,
        }
    }

    /// Returns the same comparison from the other side.
    #[must_use]
    pub const fn reversed(self) -> Comparison {
        match self {
            Comparison::Wins => Comparison::Loses,
            Comparison::Loses => Comparison::Wins,
            Comparison::CopyWins => Comparison::CopyLoses,
            Comparison::CopyLoses => Comparison::CopyWins,
            Comparison::Tie => Comparison::Tie,
        }
    }

    /// Returns the result in words.
    pub const fn words(self) -> &'static str {
        match self {
            Comparison::Wins => "wins",
            Comparison::Loses => "loses",
            Comparison::CopyWins => "copy, wins",
            Comparison::CopyLoses => "copy, loses",
            Comparison::Tie => "tie",
        }
    }
}

/// A bet of the player.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PublicBet {
    /// The name of the bet.
    pub name: String,
    /// The part of the layout that the bet belongs to, or empty if there is only one.
    pub group: &'static str,
    /// The reset option for the stake, if it is placed before the deal.
    pub option: Option<&'static str>,
    /// The action that places chips on the bet, if it is placed after the deal.
    pub action: Option<usize>,
    /// The stake. 0 means that there is no bet.
    pub stake: f64,
    /// The payouts. Empty if it depends on other bets.
    pub pays: Vec<Payout>,
    /// The title of the paytable with the payouts, or empty if they are part of the rules.
    pub paytable: String,
    /// The net result, once the round is over.
    pub net: Option<f64>,
}

impl PublicBet {
    /// Creates a bet that is placed before the deal with a reset option.
    pub fn placed(name: &str, option: &'static str, stake: f64, pays: Vec<Payout>) -> PublicBet {
        PublicBet { name: name.to_owned(), option: Some(option), stake, pays, ..PublicBet::default() }
    }

    /// Pays according to a paytable.
    #[must_use]
    pub fn paid_by<B: Bet>(self, paytable: &Paytable<B>) -> PublicBet {
        PublicBet { pays: Payout::rows(paytable), paytable: paytable.title().to_owned(), ..self }
    }

    /// Settles the bet, unless there is no stake on it.
    #[must_use]
    pub fn settled(self, net: f64) -> PublicBet {
        PublicBet { net: (self.stake > 0.0).then_some(net), ..self }
    }
}

/// A payout of a bet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Payout {
    /// The hand or the result that is paid, or empty if the bet pays the same on every win.
    pub hand: String,
    /// The amount won per unit staked after any commission, such as `3 to 1`.
    pub odds: String,
}

impl Payout {
    /// Returns the single payout of a bet that pays the same on every win.
    pub fn only(odds: impl Display) -> Vec<Payout> {
        vec![Payout { hand: String::new(), odds: format!("{odds} to 1") }]
    }

    /// Returns the payouts of a bet by result, each with the amount won per unit staked. If all results pay the
    /// same, there is a single payout.
    pub fn by_result<'a>(results: impl IntoIterator<Item = (&'a str, f64)>) -> Vec<Payout> {
        let payout = |(result, won): (&str, f64)| Payout::new(result, won, won == 0.0);
        let payouts: Vec<Payout> = results.into_iter().map(payout).collect();
        match &payouts[..] {
            [first, rest @ ..] if rest.iter().all(|other| other.odds == first.odds) => {
                vec![Payout { hand: String::new(), ..first.clone() }]
            }
            _ => payouts,
        }
    }

    /// Returns the rows of a paytable, best hand first.
    fn rows<B: Bet>(paytable: &Paytable<B>) -> Vec<Payout> {
        paytable.rows().iter().map(|row| Payout::new(row.hand, row.odds, row.odds.is_zero())).collect()
    }

    fn new(hand: impl Display, odds: impl Display, is_zero: bool) -> Payout {
        let odds = if is_zero { "push".to_owned() } else { format!("{odds} to 1") };
        Payout { hand: hand.to_string(), odds }
    }
}

/// An action in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublicAction {
    /// The action.
    pub action: usize,
    /// The words, such as `Play 4×`.
    pub words: String,
    /// The chips that the action puts on the table.
    pub price: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::{GameEntry, Rounds};
    use crate::registry::games;
    use serde_json::{Map, Value};

    fn bets_of(rounds: &dyn Rounds) -> Map<String, Value> {
        let stakes = rounds.default_options().into_iter().filter(|(_, value)| value.is_f64());
        stakes.enumerate().map(|(i, (option, _))| (option, (20.0 + 10.0 * i as f64).into())).collect()
    }

    /// Plays rounds with varying actions. Calls `check` with the table before each action and at the end, and with the
    /// reward of a finished round.
    fn play(game: &GameEntry, config: &str, check: impl Fn(&PublicTable, Option<f64>)) {
        let mut rounds = game.rounds(config).unwrap();
        rounds.open(7, 100_000.0, &Map::new()).unwrap();
        let bets = bets_of(&*rounds);
        for round in 0..60 {
            let placed = rounds.public_bets(&bets);
            assert!(placed.iter().filter(|bet| bet.option.is_some()).all(|bet| bet.stake > 0.0), "{placed:?}");
            rounds.begin(round, &bets).unwrap();
            let mut reward = 0.0;
            for step in 0.. {
                let legal = rounds.legal();
                let Some(&action) = legal.get((step + round as usize) % legal.len().max(1)) else { break };
                let table = rounds.public_table().unwrap();
                check(&table, None);
                assert!(table.actions.iter().all(|it| legal.contains(&it.action)), "{}: {table:?}", game.name);
                assert!(table.actions.is_empty() || table.actions.len() == legal.len(), "{}: {table:?}", game.name);
                reward += rounds.step(action).unwrap().reward;
            }
            check(&rounds.public_table().unwrap(), Some(reward));
        }
    }

    #[test]
    fn the_bets_add_up_to_the_reward_and_cards_are_hidden_until_then() {
        for game in games() {
            // The examples of a table with seats are for its environment.
            let examples = game.examples.iter().filter(|_| game.seated.is_none()).map(|example| example.config);
            for config in std::iter::once("{}").chain(examples) {
                play(game, config, |table, reward| {
                    let is_hidden =
                        table.seats.iter().any(PublicSeat::is_hidden) || table.board.iter().any(PublicPart::is_hidden);
                    let has_cards = table.seats.iter().any(|seat| !seat.hand.is_empty()) || !table.board.is_empty();
                    let sum: f64 = table.bets.iter().filter_map(|bet| bet.net).sum();
                    match reward {
                        None => {
                            let is_shown = game.name == "face-up-pai-gow" || !has_cards;
                            assert!(is_hidden != is_shown && sum == 0.0, "{}: {table:?}", game.name);
                        }
                        Some(reward) => {
                            let is_sum = (sum - reward).abs() < 1e-9;
                            assert!(is_sum && !is_hidden, "{} {config}: {reward} {table:?}", game.name);
                        }
                    }
                });
            }
        }
    }

    #[test]
    fn both_sides_agree_on_who_won() {
        for game in games().into_iter().filter(|game| game.seated.is_none()) {
            play(game, "{}", |table, reward| {
                let sides = table.seats.iter().map(|seat| seat.hand.iter().rev().map(|part| part.result));
                let sides: Vec<Vec<Option<Comparison>>> = sides.map(Iterator::collect).collect();
                let [other, own] = &sides[..] else { return };
                let pairs: Vec<_> = other.iter().zip(own).collect();
                for (other, own) in &pairs {
                    assert_eq!(other.map(Comparison::reversed), **own, "{}: {table:?}", game.name);
                }
                // Won, lost and copied halves decide the bet.
                let score = |result: &Option<Comparison>| match result {
                    Some(Comparison::Wins | Comparison::CopyWins) => 1,
                    Some(Comparison::Loses | Comparison::CopyLoses) => -1,
                    _ => 0,
                };
                let sum: i32 = pairs.iter().map(|(_, own)| score(own)).sum();
                if let (Some(outcome), Some(_)) = (table.seats[1].outcome.as_deref(), reward)
                    && pairs.iter().all(|(_, own)| own.is_some())
                {
                    let expected = ["loss", "push", "win"][(sum.signum() + 1) as usize];
                    assert!(outcome.starts_with(expected), "{}: {table:?}", game.name);
                }
            });
        }
    }
}
