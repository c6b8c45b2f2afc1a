//! A multiset of ranks of this side's hand: what its settings make, and what is to be counted for them.

use super::suitings::Pattern;
use super::{Counted, Side, Ties};
use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::pai_gow::{BankPushes, SetHand, Setting};

/// Hands of the other side that are to be counted. [`Ask::ANY`] is above every strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ask {
    /// Those with a back below the first and a front below the second number.
    Below { back: u16, front: u8 },
    /// Those with this back.
    Back(u16),
    /// Those with this front.
    Front(u8),
}

impl Ask {
    const ANY: Ask = Ask::Below { back: Ask::ANY_BACK, front: Ask::ANY_FRONT };
    const ANY_BACK: u16 = u16::MAX;
    pub(super) const ANY_FRONT: u8 = u8::MAX;
}

/// The counts that one setting needs, as places among the asks of its multiset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Back and front below: what this side beats, ties among it if they are won.
    pub both: u16,
    /// Back below, any front.
    pub back: u16,
    /// Front below, any back.
    pub front: u16,
    /// If nobody wins ties: with ties of back and front below, of the back alone, and of the front alone.
    pub with_ties: Option<[u16; 3]>,
    /// All hands that are compared at all, if these are not all hands.
    pub all: Option<u16>,
    /// Ties of the back; no place if copies are not counted.
    pub same_back: Option<u16>,
    /// Ties of the front; no place if copies are not counted.
    pub same_front: Option<u16>,
    /// Whether what is below includes ties, as it does if they are won.
    pub ties_are_below: bool,
}

/// Which of the two forms of a multiset's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormKind {
    /// No five cards of the back are of one suit.
    Plain,
    /// All five are.
    Suited,
}

impl FormKind {
    pub(super) const ALL: [FormKind; 2] = [FormKind::Plain, FormKind::Suited];
}

/// What the settings make if no five cards, or all five cards of the back, are of one suit.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    /// What each setting makes; meaningless where it is not in `possible`.
    pub sets: [SetHand; Setting::COUNT],
    /// Settings of this form that are no fouls.
    pub legal: u32,
    /// What each legal setting needs.
    pub needs: [Needs; Setting::COUNT],
}

/// A multiset of ranks.
pub(super) struct Multiset<'a> {
    pub pattern: &'a Pattern,
    pub joker: bool,
    /// Ranks held, lowest first.
    pub ranks: &'a [Rank],
    /// Place of the rank of each card in `ranks`, in the order in which a hand is shown; `None` for the joker.
    pub positions: [Option<u8>; 7],
    /// What is to be counted for the settings, each once.
    pub asks: Vec<Ask>,
    pub plain: Form,
    pub suited: Form,
}

/// What is to be counted for a setting, in the order of [`Needs`].
fn asks(whole: &Counted<'_>, set: SetHand) -> [Option<Ask>; 9] {
    let ties = whole.side.ties(whole.game.rules().copies);
    let below = |back_ties: bool, front_ties: bool| Ask::Below {
        back: set.back.index() as u16 + u16::from(back_ties),
        front: set.front.index() as u8 + u8::from(front_ties),
    };
    let won = ties == Ties::Won;
    let Ask::Below { back, front } = below(won, won) else { unreachable!("it is what is below") };
    let pushed = |ask: Ask| (ties == Ties::Pushed).then_some(ask);
    let copies = |ask: Ask| whole.copies.then_some(ask);
    // Hands against which every bet is a push are a banker's.
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
    pub(super) fn new(whole: &Counted<'_>, ranks: &'a [Rank], pattern: &'a Pattern, joker: bool) -> Multiset<'a> {
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

    /// The rank of the card at a position; the joker has none.
    fn rank(&self, position: usize) -> Option<Rank> {
        self.positions[position].map(|at| self.ranks[at as usize])
    }

    /// The cards at the positions other than `front`, natural ones of the suits that `suit` gives to their positions.
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

    fn make_settings(&mut self, whole: &Counted<'_>) {
        let ranking = whole.game.ranking();
        for setting in Setting::all() {
            let (a, b) = setting.positions();
            let front = ranking.two_of_ranks(self.rank(a), self.rank(b));
            // Dealt round the suits, no five of the cards are of one suit, nor four of them and the joker.
            let plain = ranking.five(self.back_cards((a, b), |i| Suit::ALL[(i - self.joker as usize) % 4]));
            self.plain.add(whole, setting, SetHand { back: plain, front });
            let suited = self.back_cards((a, b), |_| Suit::Spades);
            if suited.len() == 5 {
                self.suited.add(whole, setting, SetHand { back: ranking.five(suited), front });
            }
        }
    }

    fn make_asks(&mut self, whole: &Counted<'_>) {
        let sets = [&self.plain, &self.suited].into_iter().flat_map(Form::legal_sets);
        let mut all: Vec<Ask> = sets.flat_map(|(_, set)| asks(whole, set)).flatten().collect();
        all.sort_unstable();
        all.dedup();
        for form in [&mut self.plain, &mut self.suited] {
            for (setting, set) in form.legal_sets().collect::<Vec<_>>() {
                let place = |ask: Ask| all.binary_search(&ask).expect("all asks stand there") as u16;
                let [both, back, front, ties, back_ties, front_ties, all, same_back, same_front] =
                    asks(whole, set).map(|ask| ask.map(place));
                let [both, back, front] = [both, back, front].map(|place| place.expect("it is always asked for"));
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
    fn add(&mut self, whole: &Counted<'_>, setting: Setting, set: SetHand) {
        self.sets[setting.index()] = set;
        self.legal |= u32::from(whole.game.is_legal(set)) << setting.index();
    }

    /// Index and strengths of the legal settings.
    pub(super) fn legal_sets(&self) -> impl Iterator<Item = (usize, SetHand)> + '_ {
        (0..Setting::COUNT).filter(|i| self.legal >> i & 1 == 1).map(|i| (i, self.sets[i]))
    }
}
