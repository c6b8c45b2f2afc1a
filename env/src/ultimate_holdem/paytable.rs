//! Paytables for the Blind, Trips and the progressive.

use crate::files::{self, NamedText};
use crate::paytable::{self, Bet};
use crate::rank::Category;

/// The names and contents of the bundled paytables. The Blind's paytables come first, followed by those for Trips, each
/// starting with the default.
pub const PAYTABLES: [NamedText; 5] = files::built_in!(
    "paytables/ultimate-holdem": "ultimate-blind",
    "ultimate-trips-30-8-7-4-3",
    "ultimate-trips-30-9-7-4-3",
    "ultimate-trips-30-8-6-5-3",
    "ultimate-trips-20-7-6-5-3",
);

/// A bet on the Blind, Trips or the progressive. Their paytables pay in half antes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableBet;

impl Bet for TableBet {
    type Hand = Category;
    const UNITS: u32 = 2;
    const PAYTABLES: &'static [NamedText] = &PAYTABLES;

    /// Returns `true` only for five aces, because they would need a joker.
    fn is_impossible(hand: Category) -> bool {
        hand == Category::FiveAces
    }
}

/// A row in a paytable.
pub type PayRow = paytable::PayRow<Category>;

/// A paytable for the Blind, Trips or the progressive.
pub type Paytable = paytable::Paytable<TableBet>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blind_pays_half_antes_on_a_flush() {
        let blind = Paytable::named("ultimate-blind").unwrap();
        assert_eq!((blind.units(Category::Flush), blind.units(Category::RoyalFlush)), (Some(3), Some(1_000)));
        assert_eq!((blind.units(Category::ThreeOfAKind), blind.units(Category::FiveAces)), (None, None));
    }
}
