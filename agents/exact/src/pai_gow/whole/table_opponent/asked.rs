//! Queries that the settings of a multiset make of each part, and the layout of the results.

use super::super::multiset::{Ask, Form, FormKind, Multiset, Needs};
use houseway_env::pai_gow::Setting;

/// The query of one or more settings.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Strength below which this side beats a back.
    pub back: u16,
    /// Strength below which this side beats a front.
    pub front: u8,
    /// This side's own back and front, if copies are counted.
    pub same: Option<(u16, u8)>,
}

/// The queries of a multiset and the offsets of the results.
pub(super) struct Asked {
    /// Index of the multiset among those of full hands.
    pub hand: u32,
    /// Queries by form.
    pub limits: [Vec<Limits>; 2],
    /// Offsets of the wide and the narrow values, indexed by form.
    pub starts: [[usize; 2]; 2],
}

/// Returns the distinct needs of a form and the index of each setting's needs.
pub(super) fn different_needs(form: &Form) -> (Vec<Needs>, [usize; Setting::COUNT]) {
    let (mut needs, mut places) = (vec![], [0; Setting::COUNT]);
    for (setting, _) in form.legal_sets() {
        let own = form.needs[setting];
        places[setting] = needs.iter().position(|&other| other == own).unwrap_or_else(|| {
            needs.push(own);
            needs.len() - 1
        });
    }
    (needs, places)
}

impl Limits {
    fn new(asks: &[Ask], needs: Needs) -> Limits {
        let ask = |place: u16| asks[usize::from(place)];
        let Ask::Below { back, front } = ask(needs.both) else { unreachable!("`both` is a query for hands below") };
        let same = match (needs.same_back.map(ask), needs.same_front.map(ask)) {
            (Some(Ask::Back(back)), Some(Ask::Front(front))) => Some((back, front)),
            _ => None,
        };
        Limits { back, front, same }
    }

    /// Returns the limits of a multiset by form.
    pub(super) fn by_form(multiset: &Multiset<'_>) -> [Vec<Limits>; 2] {
        FormKind::ALL.map(|form| {
            let (needs, _) = different_needs(multiset.form(form));
            needs.into_iter().map(|needs| Limits::new(&multiset.asks, needs)).collect()
        })
    }
}
