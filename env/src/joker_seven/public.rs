//! The view of a player at a table of Joker Seven.

use super::{CARDS, DEAL, Game, JokerSevenOptions, State, Wager, WagerKind};
use crate::gym::{CardGame, Payout, PublicAction, PublicBet, PublicPart, PublicSeat, PublicTable};
use crate::rank::plural;

impl Wager {
    /// Returns the part of the layout and the words on it.
    fn spot(self, name: &str) -> (&'static str, String) {
        if let Some(rank) = self.rank() {
            return ("Pair of", plural(rank));
        }
        let group = match name.split_once('-') {
            Some((_, "black")) => "Black",
            Some((_, "red")) => "Red",
            Some((_, "either")) => "Either color",
            _ => "Hand",
        };
        let words = match self.kind() {
            WagerKind::FourOrMoreOfAColour => "4 or more".to_owned(),
            kind if group == "Hand" => kind.name().replace('-', " "),
            _ => name.split('-').next().unwrap_or(name).to_owned(),
        };
        (group, words)
    }
}

impl Game {
    /// Returns the value of a chip and the wagers on the layout, without stakes on them.
    pub(super) fn bets(&self, options: &JokerSevenOptions) -> Vec<PublicBet> {
        let wager = |wager: Wager| {
            let (group, name) = wager.spot(&wager.name(self.rules()));
            let pays = self.odds(wager).map_or_else(Vec::new, Payout::only);
            PublicBet { name, group, action: Some(wager.index()), pays, ..PublicBet::default() }
        };
        let chip = PublicBet::placed("Chip", "chip", options.chip, vec![]);
        std::iter::once(chip).chain(self.wagers().map(wager)).collect()
    }

    pub(super) fn table(&self, state: &State) -> PublicTable {
        let is_over = state.over.is_some();
        let options = JokerSevenOptions { chip: state.chip, ..JokerSevenOptions::default() };
        let rewards = self.rewards(state);
        let settled = |mut bet: PublicBet| {
            if let Some(action) = bet.action {
                let chips = f64::from(state.stakes[action]);
                bet.stake = chips * state.chip;
                bet.net = (is_over && chips > 0.0).then(|| chips * rewards[action]);
            }
            bet
        };
        let bets = self.bets(&options).into_iter().map(settled).collect();
        let cards = if is_over { PublicPart::new("cards", state.cards) } else { PublicPart::hidden("cards", CARDS) };
        let mut mask = vec![false; DEAL + 1];
        let mut actions = vec![];
        if !is_over {
            CardGame::legal(self, state, &mut mask);
        }
        if mask[DEAL] {
            actions.push(PublicAction { action: DEAL, words: "Show the cards".to_owned(), price: 0.0 });
        }
        for (wager, _) in Wager::all().zip(&mask).filter(|(_, legal)| **legal) {
            let (group, name) = wager.spot(&wager.name(self.rules()));
            let words = if group == "Hand" { name } else { format!("{group} {name}") };
            let price = f64::from(self.next_chips(state, wager)) * state.chip;
            actions.push(PublicAction { action: wager.index(), words, price });
        }
        PublicTable { seats: vec![PublicSeat::own()], board: vec![cards], bets, actions, ..PublicTable::default() }
    }
}
