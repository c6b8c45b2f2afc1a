//! Collects the rank multisets that this side's hands can have, along with the set hands they make and the queries that
//! evaluate those.

use super::counted::PassOptions;
use super::suitings::Pattern;
use crate::pai_gow::{Side, Ties};
use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::pai_gow::{BankPushes, SetHand, Setting};

/// A query for the number of opposing hands with a certain property. The limits in [`Ask::ANY`] exceed every strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ask {
    /// The hands whose back and front are both below these strengths.
    Below { back: u16, front: u8 },
    /// The hands with this back.
    Back(u16),
    /// The hands with this front.
    Front(u8),
}

impl Ask {
    const ANY: Ask = Ask::Below { back: Ask::ANY_BACK, front: Ask::ANY_FRONT };
    const ANY_BACK: u16 = u16::MAX;
    pub(super) const ANY_FRONT: u8 = u8::MAX;
}

/// The queries for one setting, as indices into its multiset's queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// The hands with a lower back and a lower front, which lose to this side.
    pub both: u16,
    /// The hands with a lower back and any front.
    pub back: u16,
    /// The hands with a lower front and any back.
    pub front: u16,
    /// The same three queries with equal backs and fronts included, if ties push.
    pub with_ties: Option<[u16; 3]>,
    /// All hands that are compared with this side's hand. `None` if every hand is compared.
    pub all: Option<u16>,
    /// The hands with an equal back, if copies are counted.
    pub same_back: Option<u16>,
    /// The hands with an equal front, if copies are counted.
    pub same_front: Option<u16>,
    /// `true` if "lower" includes ties because this side wins them.
    pub ties_are_below: bool,
}

/// A condition on the suits in a setting's back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormKind {
    /// The cards in the back don't all have the same suit.
    Plain,
    /// All five cards in the back have the same suit, apart from the joker.
    Suited,
}

impl FormKind {
    pub(super) const ALL: [FormKind; 2] = [FormKind::Plain, FormKind::Suited];
}

/// The set hands for all settings under one suit condition.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    /// The set hand for each setting. Meaningless for settings that aren't in `legal`.
    pub sets: [SetHand; Setting::COUNT],
    /// A bit mask of the settings that are legal in this form.
    pub legal: u32,
    /// The queries for each legal setting. Meaningless unless they have been made.
    pub needs: [Needs; Setting::COUNT],
}

/// Queries about the opposing hands that are possible if certain cards are unavailable.
#[derive(Clone, Copy)]
pub(super) struct Queries<'a> {
    /// The ranks of the unavailable cards other than the joker, in any order.
    pub ranks: &'a [Rank],
    /// The number of unavailable cards for each of these ranks.
    pub counts: &'a [u8],
    pub asks: &'a [Ask],
}

/// A multiset of ranks.
pub(super) struct Multiset<'a> {
    pub pattern: &'a Pattern,
    pub joker: bool,
    /// The distinct ranks, in ascending order.
    pub ranks: &'a [Rank],
    /// Each card's index in `ranks`, in display order. `None` for the joker.
    pub positions: [Option<u8>; 7],
    /// The distinct queries for all settings. Empty unless they have been made.
    pub asks: Vec<Ask>,
    pub plain: Form,
    pub suited: Form,
}

/// Returns a setting's queries, in the order of the fields in [`Needs`].
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
        multiset
    }

    /// Returns the queries for all settings. The multiset's own cards are unavailable.
    pub(super) fn queries(&self) -> Queries<'_> {
        Queries { ranks: self.ranks, counts: &self.pattern.counts, asks: &self.asks }
    }

    /// Returns the rank of the card at a position, or `None` for the joker.
    fn rank(&self, position: usize) -> Option<Rank> {
        self.positions[position].map(|at| self.ranks[at as usize])
    }

    /// Returns the cards that aren't at the `front` positions. `suit` maps a natural card's position to its suit.
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
            // Suits are assigned in rotation, so neither five natural cards nor four and the joker share a suit.
            let plain = ranking.five(self.back_cards((a, b), |i| Suit::ALL[(i - self.joker as usize) % 4]));
            self.plain.add(whole, setting, SetHand { back: plain, front });
            let suited = self.back_cards((a, b), |_| Suit::Spades);
            if suited.len() == 5 {
                self.suited.add(whole, setting, SetHand { back: ranking.five(suited), front });
            }
        }
        if whole.undominated {
            // This is also correct for hands with a flush, because a flush only makes the dominating back stronger.
            self.plain.drop_dominated();
            self.suited.drop_dominated_by(&self.plain);
        }
    }

    /// Makes all settings illegal except those that make one of the given set hands.
    pub(super) fn keep(&mut self, sets: &[SetHand]) {
        self.plain.keep(sets);
        self.suited.keep(sets);
    }

    /// Makes the queries for all settings.
    pub(super) fn with_asks(mut self, whole: &PassOptions<'_>) -> Self {
        let sets = [&self.plain, &self.suited].into_iter().flat_map(Form::legal_sets);
        let mut all: Vec<Ask> = sets.flat_map(|(_, set)| asks(whole, set)).flatten().collect();
        all.sort_unstable();
        all.dedup();
        for form in [&mut self.plain, &mut self.suited] {
            for (setting, set) in form.legal_sets().collect::<Vec<_>>() {
                let place = |ask: Ask| all.binary_search(&ask).expect("all queries are collected first") as u16;
                let [both, back, front, ties, back_ties, front_ties, all, same_back, same_front] =
                    asks(whole, set).map(|ask| ask.map(place));
                let [both, back, front] = [both, back, front].map(|place| place.expect("these are always requested"));
                let with_ties = ties.zip(back_ties).zip(front_ties).map(|((a, b), c)| [a, b, c]);
                let ties_are_below = whole.side.ties(whole.game.rules().copies) == Ties::Won;
                form.needs[setting] =
                    Needs { both, back, front, with_ties, all, same_back, same_front, ties_are_below };
            }
        }
        self.asks = all;
        self
    }
}

impl Form {
    fn add(&mut self, whole: &PassOptions<'_>, setting: Setting, set: SetHand) {
        self.sets[setting.index()] = set;
        self.legal |= u32::from(whole.game.is_legal(set)) << setting.index();
    }

    /// Makes a setting illegal if another one dominates it, or if an earlier one makes the same set hand.
    fn drop_dominated(&mut self) {
        let better = |i: usize, j: usize| {
            let (own, other) = (self.sets[i], self.sets[j]);
            other.dominates(own) || other == own && j < i
        };
        let dropped = |&(i, _): &(usize, SetHand)| self.legal_sets().any(|(j, _)| better(i, j));
        let dropped = self.legal_sets().filter(dropped).fold(0, |dropped, (i, _)| dropped | 1 << i);
        self.legal &= !dropped;
    }

    /// Makes a setting illegal unless it makes one of the given set hands.
    fn keep(&mut self, sets: &[SetHand]) {
        let kept = self.legal_sets().filter(|(_, set)| sets.contains(set)).fold(0, |kept, (i, _)| kept | 1 << i);
        self.legal = kept;
    }

    /// Makes a setting illegal if a setting in another form dominates it.
    fn drop_dominated_by(&mut self, other: &Form) {
        let dropped = |own: SetHand| other.legal_sets().any(|(_, other)| other.dominates(own));
        let dropped = self.legal_sets().filter(|&(_, own)| dropped(own)).fold(0, |dropped, (i, _)| dropped | 1 << i);
        self.legal &= !dropped;
    }

    /// Iterates over the indices and set hands of the legal settings.
    pub(super) fn legal_sets(&self) -> impl Iterator<Item = (usize, SetHand)> + '_ {
        (0..Setting::COUNT).filter(|i| self.legal >> i & 1 == 1).map(|i| (i, self.sets[i]))
    }
}
