//! Observation encodings.
//!
#![doc = include_str!("observations.md")]

use crate::gym::Encoding;
use crate::pai_gow::{BankerSet, Candidates, Hand, SetHand, Setting};

crate::named_enum! {
    /// An observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The indices of the player's cards and of the dealer's front and back.
        RawCards,
        /// The comparison of every setting with the dealer's.
        #[default]
        Comparisons,
    }
}

/// The information that a player sees.
pub(super) struct Seen<'a> {
    pub(super) player: &'a Candidates,
    pub(super) dealer: Hand,
    pub(super) setting: Setting,
    pub(super) set: SetHand,
    /// The dealer's set hand in the form used for comparisons.
    pub(super) compared: BankerSet,
}

impl Encoding for Observation {
    fn len(self) -> usize {
        match self {
            Observation::RawCards => 2 * Hand::CARDS,
            Observation::Comparisons => 3 * Setting::COUNT + 1,
        }
    }

    fn high(self) -> f32 {
        if self == Observation::RawCards { 52.0 } else { 1.0 }
    }
}

impl Observation {
    /// Writes an observation.
    pub(super) fn write(self, seen: &Seen<'_>, out: &mut [f32]) {
        match self {
            Observation::RawCards => {
                let (front, back) = (seen.setting.front(seen.dealer), seen.setting.back(seen.dealer));
                let cards = seen.player.hand().set().iter().chain(front.iter()).chain(back.iter());
                out.iter_mut().zip(cards).for_each(|(place, card)| *place = card.index() as f32);
            }
            Observation::Comparisons => {
                let flag = |is_set| f32::from(u8::from(is_set));
                for (row, setting) in out.as_chunks_mut::<3>().0.iter_mut().zip(Setting::all()) {
                    let own = seen.player.set(setting);
                    let [back, front] = [own.back > seen.set.back, own.front > seen.set.front];
                    *row = [seen.player.is_legal(setting), back, front].map(flag);
                }
                out[3 * Setting::COUNT] = flag(seen.compared.pushes());
            }
        }
    }
}
