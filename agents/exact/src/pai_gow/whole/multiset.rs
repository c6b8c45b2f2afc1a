//! Multisets of ranks of this side's hand, with the set hands of their settings and the required queries.

use super::counted::PassOptions;
use super::suitings::Pattern;
use crate::pai_gow::{Side, Ties};
use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::pai_gow::{BankPushes, SetHand, Setting};

/// A query for the number of the other side's hands with a property. [`Ask::ANY`] exceeds every strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ask {
    /// Hands whose back and front are both below these strengths.
    Below { back: u16, front: u8 },
    /// Hands with this back.
    Back(u16),
    /// Hands with this front.
    Front(u8),
}

impl Ask {
    const ANY: Ask = Ask::Below { back: Ask::ANY_BACK, front: Ask::ANY_FRONT };
    const ANY_BACK: u16 = u16::MAX;
    pub(super) const ANY_FRONT: u8 = u8::MAX;
}

/// The queries of one setting, as indices into the queries of its multiset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Hands with a lower back and front, which this side beats (including ties if it wins them).
    pub both: u16,
    /// Hands with a lower back and any front.
    pub back: u16,
    /// Hands with a lower front and any back.
    pub front: u16,
    /// If ties push, the same three queries with equal backs and fronts included.
    pub with_ties: Option<[u16; 3]>,
    /// All hands that are compared, if some hands are not.
    pub all: Option<u16>,
    /// Hands with an equal back, if copies are counted.
    pub same_back: Option<u16>,
    /// Hands with an equal front, if copies are counted.
    pub same_front: Option<u16>,
    /// `true` if "lower" includes ties, that is, whether this side wins them.
    pub ties_are_below: bool,
}

/// A suit condition on the back of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormKind {
    /// The back is not five cards of one suit.
    Plain,
    /// All five cards of the back are of one suit.
    Suited,
}

impl FormKind {
    pub(super) const ALL: [FormKind; 2] = [FormKind::Plain, FormKind::Suited];
}

/// Set hands of the settings under one suit condition.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    /// Set hand of each setting, meaningless for settings not in `legal`.
    pub sets: [SetHand; Setting::COUNT],
    /// Bit mask of the legal settings of this form.
    pub legal: u32,
    /// Queries of each legal setting.
    pub needs: [Needs; Setting::COUNT],
}

/// A multiset of ranks.
pub(super) struct Multiset<'a> {
    pub pattern: &'a Pattern,
    pub joker: bool,
    /// Ranks held, in ascending order.
    pub ranks: &'a [Rank],
    /// Index in `ranks` of each card in display order, or `None` for the joker.
    pub positions: [Option<u8>; 7],
    /// Distinct queries of all settings.
    pub asks: Vec<Ask>,
    pub plain: Form,
    pub suited: Form,
}

/// Returns the queries of a setting, in the order of [`Needs`].
fn asks(whole: &PassOptions<'_>, set: SetHand) -> [Option<Ask>; 9] {
    let ties = whole.side.ties(whole.game.rules().copies);
    let below = |back_ties: bool, front_ties: bool| Ask::Below {
        back: set.back.index() as u16 + u16::from(back_ties),
        front: set.front.index() as u8 + u8::from(front_ties),
    };
    let won = ties == Ties::Won;
    let Ask::Below { back, front } = below(won, won) else { unreachable!("`below` returns `Ask::Below`") };
    let pushed = |ask: Ask| (ties == Ties::Pushed).then_some(ask);
    let copies = |ask: Ask| whole.copies.then_some(ask);
    // Only banker hands can make every bet push.
    let some_push = whole.side == Side::Player && whole.game.rules().bank_pushes != BankPushes::None;
    [
        Some(Ask::Below { back, front }),
        Some(Ask::Below { back, front: Ask::ANY_FRONT }),
        Some(Ask::Below { back: Ask::ANY_BACK, front }),
        pushed(below(true, true)),
        pushed(below(true, false)),
        pushed(below(false, true)),
        some_push.then_some(Ask::ANY),
        copies(Ask::Back(set.back.index() as u16)),
        copies(Ask::Front(set.front.index() as u8)),
    ]
}

impl<'a> Multiset<'a> {
    pub(super) fn new(whole: &PassOptions<'_>, ranks: &'a [Rank], pattern: &'a Pattern, joker: bool) -> Multiset<'a> {
        let mut positions = [None; 7];
        let held = (0..ranks.len()).rev().flat_map(|at| std::iter::repeat_n(at as u8, pattern.counts[at].into()));
        positions[joker as usize..].iter_mut().zip(held).for_each(|(position, at)| *position = Some(at));
        let mut multiset = Multiset {
            pattern,
            joker,
            ranks,
            positions,
            asks: vec![],
            plain: Form::default(),
            suited: Form::default(),
        };
        multiset.make_settings(whole);
        multiset.make_asks(whole);
        multiset
    }

    /// Returns the rank of the card at a position, or `None` for the joker.
    fn rank(&self, position: usize) -> Option<Rank> {
        self.positions[position].map(|at| self.ranks[at as usize])
    }

    /// Returns the cards outside the positions `front`. `suit` gives the suits of natural cards.
    fn back_cards(&self, front: (usize, usize), suit: impl Fn(usize) -> Suit) -> CardSet {
        let positions = (0..7).filter(|&i| i != front.0 && i != front.1);
        positions.map(|i| self.rank(i).map_or(Card::JOKER, |rank| Card::new(rank, suit(i)))).collect()
    }

    pub(super) fn form(&self, kind: FormKind) -> &Form {
        match kind {
            FormKind::Plain => &self.plain,
            FormKind::Suited => &self.suited,
        }
    }

    fn make_settings(&mut self, whole: &PassOptions<'_>) {
        let ranking = whole.game.ranking();
        for setting in Setting::all() {
            let (a, b) = setting.positions();
            let front = ranking.two_of_ranks(self.rank(a), self.rank(b));
            // With suits assigned in rotation, no five cards (and no four cards with the joker) share a suit.
            let plain = ranking.five(self.back_cards((a, b), |i| Suit::ALL[(i - self.joker as usize) % 4]));
            self.plain.add(whole, setting, SetHand { back: plain, front });
            let suited = self.back_cards((a, b), |_| Suit::Spades);
            if suited.len() == 5 {
                self.suited.add(whole, setting, SetHand { back: ranking.five(suited), front });
            }
        }
    }

    fn make_asks(&mut self, whole: &PassOptions<'_>) {
        let sets = [&self.plain, &self.suited].into_iter().flat_map(Form::legal_sets);
        let mut all: Vec<Ask> = sets.flat_map(|(_, set)| asks(whole, set)).flatten().collect();
        all.sort_unstable();
        all.dedup();
        for form in [&mut self.plain, &mut self.suited] {
            for (setting, set) in form.legal_sets().collect::<Vec<_>>() {
                let place = |ask: Ask| all.binary_search(&ask).expect("all queries are collected first") as u16;
                let [both, back, front, ties, back_ties, front_ties, all, same_back, same_front] =
                    asks(whole, set).map(|ask| ask.map(place));
                let [both, back, front] = [both, back, front].map(|place| place.expect("always requested"));
                let with_ties = ties.zip(back_ties).zip(front_ties).map(|((a, b), c)| [a, b, c]);
                let ties_are_below = whole.side.ties(whole.game.rules().copies) == Ties::Won;
                form.needs[setting] =
                    Needs { both, back, front, with_ties, all, same_back, same_front, ties_are_below };
            }
        }
        self.asks = all;
    }
}

impl Form {
    fn add(&mut self, whole: &PassOptions<'_>, setting: Setting, set: SetHand) {
        self.sets[setting.index()] = set;
        self.legal |= u32::from(whole.game.is_legal(set)) << setting.index();
    }

    /// Iterates over the indices and strengths of the legal settings.
    pub(super) fn legal_sets(&self) -> impl Iterator<Item = (usize, SetHand)> + '_ {
        (0..Setting::COUNT).filter(|i| self.legal >> i & 1 == 1).map(|i| (i, self.sets[i]))
    }
}
