//! Looks up the set hand that a table makes for each class.

use super::super::classes::{hands, suited_settings};
use super::super::counted::PassOptions;
use super::super::multiset::FormKind;
use super::super::pieces::{Patterns, Piece};
use super::levels::{Levels, kinds};
use crate::pai_gow::{ClassTable, ClassTableError};
use houseway_env::cards::classes::Classes;
use houseway_env::pai_gow::{Hand, SetHand, Setting};
use rayon::prelude::*;

/// The set hands for all suitings of one multiset.
#[derive(Clone, Copy)]
pub(super) struct Made<'a> {
    /// The distinct set hands.
    pub sets: &'a [SetHand],
    /// The index into `sets` of the set hand that most suitings make.
    pub most: u8,
    /// The suitings that make another set hand, and the set hand's index into `sets`.
    pub others: &'a [(u16, u8)],
}

/// The set hands for all multisets. They are stored together, so that reading them in order misses few cache lines.
#[derive(Default)]
pub(super) struct AllMade {
    /// For each full hand's multiset, the ends of its ranges in the two lists below, and [`Made::most`].
    ends: Vec<(u32, u32, u8)>,
    sets: Vec<SetHand>,
    others: Vec<(u16, u8)>,
}

/// Returns the set hands for each full hand's multiset, in the order of [`Levels::hands`].
pub(super) fn made_by(
    counted: &PassOptions<'_>,
    pieces: &[Piece],
    patterns: &Patterns,
    levels: &Levels,
    table: &ClassTable,
) -> Result<AllMade, ClassTableError> {
    let of_piece = |piece: &Piece| {
        let multisets = piece.multisets(counted, patterns).into_iter();
        let (mut made, mut foul) = (vec![], None);
        for multiset in multisets {
            let mut sets = vec![];
            for (suiting, hand) in hands(&multiset) {
                let index = Classes::seven().index(hand);
                let setting = Setting::from_index(table.settings()[index].into())
                    .expect("settings are validated on construction");
                let suited = suited_settings(&multiset, suiting) >> setting.index() & 1 == 1;
                let form = multiset.form(if suited { FormKind::Suited } else { FormKind::Plain });
                if form.legal >> setting.index() & 1 == 0 {
                    foul = Some(foul.map_or(index, |first: usize| first.min(index)));
                }
                sets.push(form.sets[setting.index()]);
            }
            made.push((levels.hand(&kinds(&multiset)), sets));
        }
        (made, foul)
    };
    let of_pieces: Vec<_> = pieces.par_iter().map(of_piece).collect();
    if let Some(class) = of_pieces.iter().filter_map(|(_, foul)| *foul).min() {
        let hand = Hand::new(Classes::seven().hand(class)).expect("a class has seven cards");
        let setting =
            Setting::from_index(table.settings()[class].into()).expect("settings are validated on construction");
        return Err(ClassTableError::Foul { table: table.name().to_owned(), class, hand, setting });
    }
    let mut of_hands = vec![vec![]; levels.hands().len()];
    for (place, sets) in of_pieces.into_iter().flat_map(|(made, _)| made) {
        of_hands[place] = sets;
    }
    let mut all = AllMade::default();
    of_hands.iter().for_each(|sets| all.push(sets));
    Ok(all)
}

impl AllMade {
    /// Returns the set hands for a full hand's multiset.
    #[inline]
    pub(super) fn get(&self, hand: usize) -> Made<'_> {
        let (first_set, first_other, _) = hand.checked_sub(1).map_or((0, 0, 0), |before| self.ends[before]);
        let (last_set, last_other, most) = self.ends[hand];
        Made {
            sets: &self.sets[first_set as usize..last_set as usize],
            most,
            others: &self.others[first_other as usize..last_other as usize],
        }
    }

    /// Appends the set hands for the next multiset, which are given for all suitings in order.
    fn push(&mut self, of_suiting: &[SetHand]) {
        let (mut sets, mut suitings): (Vec<SetHand>, Vec<usize>) = (vec![], vec![]);
        let place = |&set: &SetHand| {
            let place = sets.iter().position(|&other| other == set).unwrap_or_else(|| {
                sets.push(set);
                suitings.push(0);
                sets.len() - 1
            });
            suitings[place] += 1;
            place as u8
        };
        let places: Vec<u8> = of_suiting.iter().map(place).collect();
        let most = (0..sets.len()).rev().max_by_key(|&set| suitings[set]).unwrap_or_default() as u8;
        let of_suiting = places.into_iter().enumerate().map(|(suiting, set)| (suiting as u16, set));
        self.sets.extend(sets);
        self.others.extend(of_suiting.filter(|&(_, set)| set != most));
        self.ends.push((self.sets.len() as u32, self.others.len() as u32, most));
    }
}

impl<'a> Made<'a> {
    /// Iterates over the indices of the set hands that the suitings make.
    pub(super) fn of_suitings(self) -> impl Iterator<Item = usize> + 'a {
        let mut others = self.others.iter().peekable();
        let set = move |suiting| others.next_if(|other| other.0 == suiting).map_or(self.most, |other| other.1);
        (0..).map(set).map(usize::from)
    }
}
