//! What the settings of a multiset ask of each part, and where the answers stand.

use super::super::multiset::{Ask, Form, FormKind, Multiset, Needs};
use houseway_env::pai_gow::Setting;

/// What one or more settings ask for.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// This side beats backs below this.
    pub back: u16,
    /// This side beats fronts below this.
    pub front: u8,
    /// The back and the front of its own, if copies are counted.
    pub same: Option<(u16, u8)>,
}

/// What a multiset asks for, and where the answers start.
pub(super) struct Asked {
    /// Place of the multiset among those of hands.
    pub hand: u32,
    /// By form.
    pub limits: [Vec<Limits>; 2],
    /// By form: where its wide and its narrow numbers start.
    pub starts: [[usize; 2]; 2],
}

/// The different needs of the settings of a form, and the place among them of each setting's.
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
        let Ask::Below { back, front } = ask(needs.both) else { unreachable!("a hand beats what is below it") };
        let same = match (needs.same_back.map(ask), needs.same_front.map(ask)) {
            (Some(Ask::Back(back)), Some(Ask::Front(front))) => Some((back, front)),
            _ => None,
        };
        Limits { back, front, same }
    }

    /// Those of a multiset, by form.
    pub(super) fn of(multiset: &Multiset<'_>) -> [Vec<Limits>; 2] {
        FormKind::ALL.map(|form| {
            let (needs, _) = different_needs(multiset.form(form));
            needs.into_iter().map(|needs| Limits::new(&multiset.asks, needs)).collect()
        })
    }
}
