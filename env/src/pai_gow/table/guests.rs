//! The guests at a table with one human player.

use super::{BetSize, HOUSE_SEAT, Resident, ResidentBank, Setup};
use crate::money::Chips;
use crate::pai_gow::house_way::{BUILT_IN, HouseWay, InterpretedWay, Way, WayError};
use crate::pai_gow::{Game, ProfileStrategy};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A guest's default bankroll as a multiple of the minimum bet.
const BANKROLL: Chips = 500;
/// The default guests in clockwise order from the player's seat. Each has a house way, a bet as a multiple of the
/// minimum bet, and `true` if they take the bank when it is their turn.
const DEFAULTS: [(&str, Chips, bool); 5] = [
    ("foxwoods", 2, true),
    ("golden-nugget", 1, false),
    ("mgm-style", 5, true),
    ("claridge", 1, false),
    ("wong", 3, true),
];

/// A guest.
#[derive(Clone)]
pub struct Guest {
    /// The rules that the guest follows.
    pub resident: Resident,
    /// The initial bankroll in chips, or `None` for 500 minimum bets.
    pub bankroll: Option<Chips>,
    /// The name or path of the guest's house way, so that an exact solver can load it. `None` if the guest follows the
    /// table's house way.
    pub source: Option<String>,
    /// The text of the guest's house way. It identifies the house way in
    /// [`Rounds::rules_hash`](crate::gym::Rounds::rules_hash).
    pub text: String,
}

/// A guest on a seat.
pub(super) struct Seated {
    pub(super) seat: usize,
    pub(super) resident: Resident,
    /// The initial bankroll in chips.
    pub(super) bankroll: Chips,
    /// See [`Guest::source`].
    pub(super) source: Option<String>,
}

/// The guests chosen for individual seats, keyed by seat. A seat with `None` stays empty, and all seats that are not
/// listed have their default guests.
pub type Guests = BTreeMap<usize, Option<Guest>>;

/// Loads a guest's house way. Under the default rules, built-in house ways are not compiled, because a guest only sets
/// a few hands.
pub(super) fn load_way(name: &str, game: &Arc<Game>) -> Result<Arc<dyn ProfileStrategy + Send>, WayError> {
    match InterpretedWay::new(name, game) {
        Some(way) => Ok(Arc::new(way)),
        None => Ok(HouseWay::shared(Way::load(name)?, game)?),
    }
}

/// Returns the guests for a player on the given seat.
pub(super) fn seat_guests(setup: &Setup, chosen: &Guests, own: usize) -> Result<Vec<Seated>, WayError> {
    let rules = setup.rules();
    let others = rules.seats.clockwise(own + 1).filter(|&seat| seat != HOUSE_SEAT && seat != own);
    let (usual, mut seated) = (BANKROLL * rules.bet_minimum, Vec::new());
    for (seat, (way, bets, banks)) in others.zip(DEFAULTS) {
        match chosen.get(&seat) {
            Some(None) => {}
            Some(Some(Guest { resident, bankroll, source, .. })) => {
                let bankroll = bankroll.unwrap_or(usual);
                seated.push(Seated { seat, resident: resident.clone(), bankroll, source: source.clone() });
            }
            None => {
                let bet = BetSize::Chips((bets * rules.bet_minimum).min(rules.bet_maximum));
                let bank = if banks { ResidentBank::InTurn } else { ResidentBank::Never };
                let resident = Resident { bet, side: 0, bank, way: Some(load_way(way, setup.game())?) };
                seated.push(Seated { seat, resident, bankroll: usual, source: Some(way.to_owned()) });
            }
        }
    }
    Ok(seated)
}

/// Returns a text that identifies the default guests and the chosen ones, for use in hashes.
pub(super) fn hashed(chosen: &Guests) -> String {
    let defaults = DEFAULTS.map(|(way, bets, banks)| {
        let text = BUILT_IN.iter().find(|(name, _)| *name == way).map_or("", |(_, text)| *text);
        format!("{way} {bets} {banks} {text}")
    });
    let guest = |(seat, guest): (&usize, &Option<Guest>)| match guest {
        Some(Guest { resident: Resident { bet, side, bank, .. }, bankroll, source, text }) => {
            let bankroll = bankroll.map_or_else(String::new, |chips| format!("{chips} chips "));
            format!("{seat} {bet:?} {side} {bank} {bankroll}{} {text}", source.is_some())
        }
        None => format!("{seat} empty"),
    };
    defaults.into_iter().chain(chosen.iter().map(guest)).collect::<Vec<_>>().join("\n")
}
