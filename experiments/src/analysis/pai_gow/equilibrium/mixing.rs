//! Lists the hands that a mixed strategy sets in more than one way.

use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::{Game, Hand, SetHand};
use houseway_exact::pai_gow::MixedTable;

/// The number of hands, C(53, 7).
const HANDS: f64 = 154_143_080.0;

/// The extent to which a strategy mixes settings.
pub(super) struct Mixing {
    /// The number of profiles that are set in more than one way.
    pub(super) profiles: usize,
    /// The fraction of all hands that have one of these profiles.
    pub(super) hands: f64,
    /// The fraction of hands that aren't set in their profile's most frequent way.
    pub(super) minority: f64,
}

impl Mixing {
    pub(super) fn new(table: &MixedTable) -> Mixing {
        let mut mixing = Mixing { profiles: 0, hands: 0.0, minority: 0.0 };
        for profile in Profile::all() {
            let (sets, share) = (table.sets(profile), Profiles::get().hands(profile) as f64 / HANDS);
            let most = sets.iter().map(|&(_, weight)| weight).max().unwrap_or_default();
            mixing.minority += share * (1.0 - f64::from(most) / f64::from(MixedTable::WHOLE));
            if sets.len() > 1 {
                mixing.profiles += 1;
                mixing.hands += share;
            }
        }
        mixing
    }
}

/// Returns a table with the profiles that mix. Each row has a hand with the profile, the number of such hands, a front
/// and its probability in units of 1/4096.
pub(super) fn rows(game: &Game, table: &MixedTable) -> Vec<[String; 4]> {
    let mut rows = vec![["hand", "hands", "front", "weight"].map(str::to_owned)];
    for profile in Profile::all().filter(|&profile| table.sets(profile).len() > 1) {
        let hand = Hand::new(Profiles::get().representative(profile)).expect("a profile has seven cards");
        for &(set, weight) in table.sets(profile) {
            rows.push([
                hand.to_string(),
                Profiles::get().hands(profile).to_string(),
                front(game, hand, set),
                weight.to_string(),
            ]);
        }
    }
    rows
}

fn front(game: &Game, hand: Hand, chosen: SetHand) -> String {
    let setting = game.settings(hand).find(|&(_, set)| set == chosen);
    setting.map_or_else(String::new, |(setting, _)| setting.front(hand).to_string())
}
