//! The terms of a bet beside the odds of its rows.

use super::{Bet, Paytable};
use serde::Deserialize;

crate::options! {
    /// The hand that a bet is on.
    pub enum HandOf {
        /// The player's own hand.
        Player,
        /// The dealer's hand.
        Dealer,
        /// The player's or the dealer's hand, whichever pays more.
        Either,
    }
}

/// The result of a hand that would be paid if the main bet had won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NeedsWin {
    /// The bet pushes.
    Push,
    /// The bet loses.
    Lose,
}

/// The terms of a bet beside the odds of its rows. The default is a bet on the player's own hand that is independent of
/// the main bet and pays its odds to one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BetTerms {
    /// The hand that the bet is on.
    pub on: HandOf,
    /// The result of a paid hand if the main bet doesn't win, or `None` if the main bet doesn't matter.
    pub needs_win: Option<NeedsWin>,
    /// `true` if the odds are for one, so that the stake isn't returned.
    pub for_one: bool,
    /// The number of cards that the bet is settled by, or `None` for all cards of the hand.
    pub cards: Option<u8>,
}

impl<B: Bet> Paytable<B> {
    /// Returns the keys of all terms that differ from their defaults.
    pub fn special_terms(&self) -> Vec<&'static str> {
        let BetTerms { on, needs_win, for_one, cards } = self.terms;
        let terms = [
            (on == HandOf::Dealer, "on = \"dealer\""),
            (on == HandOf::Either, "on = \"either\""),
            (needs_win.is_some(), "needs-win"),
            (for_one, "for-one"),
            (cards.is_some(), "cards"),
            (self.rows.iter().any(|row| !row.envy.is_zero()), "envy"),
            (self.rows.iter().any(|row| !row.meter.is_zero()), "meter"),
        ];
        terms.into_iter().filter(|(special, _)| *special).map(|(_, key)| key).collect()
    }
}
