//! Collects the queries that a multiset's settings make for each part, and lays out the results.

use super::super::multiset::{Ask, Form, FormKind, Multiset, Needs};
use super::width::Width;
use houseway_env::pai_gow::Setting;

/// A query, which several settings can share.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// This side beats every back below this strength.
    pub back: u16,
    /// This side beats every front below this strength.
    pub front: u8,
    /// This side's own back and front, if copies are counted.
    pub same: Option<(u16, u8)>,
}

/// A multiset's queries and the offsets of their results.
pub(super) struct Asked {
    /// The index of the multiset in [`Levels::hands`](super::levels::Levels::hands).
    pub hand: u32,
    /// The queries for each form.
    pub limits: [Vec<Limits>; 2],
    /// The offset of the values of each width, for each form.
    pub starts: [[usize; Width::COUNT]; 2],
}

/// Returns the distinct needs in a form, and the index into them for each setting.
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
        let Ask::Below { back, front } = ask(needs.both) else { unreachable!("`both` is an `Ask::Below` query") };
        let same = match (needs.same_back.map(ask), needs.same_front.map(ask)) {
            (Some(Ask::Back(back)), Some(Ask::Front(front))) => Some((back, front)),
            _ => None,
        };
        Limits { back, front, same }
    }

    /// Returns a multiset's limits for each form.
    pub(super) fn by_form(multiset: &Multiset<'_>) -> [Vec<Limits>; 2] {
        FormKind::ALL.map(|form| {
            let (needs, _) = different_needs(multiset.form(form));
            needs.into_iter().map(|needs| Limits::new(&multiset.asks, needs)).collect()
        })
    }
}
