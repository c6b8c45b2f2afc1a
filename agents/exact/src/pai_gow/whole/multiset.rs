//! A multiset of ranks of this side's hand: what its settings make, and which sums over the other side's hands they need.

use super::suitings::Pattern;
use super::{Side, Whole};
use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::pai_gow::{SetHand, Setting};
use houseway_env::rank::TwoStrength;

/// The hands of the other side with a back below `back` and a front below `front`. [`Ask::ANY`] is above every strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ask {
    pub back: u16,
    pub front: u8,
}

impl Ask {
    const ANY: Ask = Ask { back: u16::MAX, front: u8::MAX };
}

/// The sums that one setting needs, as places among the asks of its multiset.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// Back and front below: what this side beats.
    pub both: u16,
    /// Back below, any front.
    pub back: u16,
    /// Front below, any back.
    pub front: u16,
    /// With the other end of an exact tie: the same, ties counted the other way.
    pub back_tied: u16,
    /// As [`Needs::back_tied`], for the front.
    pub front_tied: u16,
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
    /// Sums that the settings need, ascending, each once.
    pub asks: Vec<Ask>,
    pub plain: Form,
    pub suited: Form,
}

/// How strengths of settings become limits that lie strictly above what they beat.
#[derive(Clone, Copy)]
struct Limits {
    side: Side,
    copies: bool,
}

impl Limits {
    /// The limit for a comparison that `side` makes.
    fn of(self, strength: usize, tied: bool) -> usize {
        strength + usize::from((self.side == Side::Banker) != tied)
    }

    fn asks(self, set: SetHand) -> [Ask; 5] {
        let back = |tied| self.of(set.back.index(), tied) as u16;
        let front = |tied| self.of(set.front.index(), tied) as u8;
        let tied = self.copies;
        [
            Ask { back: back(false), front: front(false) },
            Ask { back: back(false), ..Ask::ANY },
            Ask { front: front(false), ..Ask::ANY },
            Ask { back: back(tied), ..Ask::ANY },
            Ask { front: front(tied), ..Ask::ANY },
        ]
    }
}

impl<'a> Multiset<'a> {
    pub(super) fn new(whole: &Whole<'_>, ranks: &'a [Rank], pattern: &'a Pattern, joker: bool) -> Multiset<'a> {
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
        multiset.make_asks(Limits { side: whole.side, copies: whole.copies });
        multiset
    }

    /// The rank of the card at a position, the joker's as an ace.
    fn rank(&self, position: usize) -> Rank {
        self.positions[position].map_or(Rank::Ace, |at| self.ranks[at as usize])
    }

    /// The cards at the positions other than `front`, natural ones of the suits that `suit` gives to their positions.
    fn back_cards(&self, front: (usize, usize), suit: impl Fn(usize) -> Suit) -> CardSet {
        let positions = (0..7).filter(|&i| i != front.0 && i != front.1);
        positions.map(|i| self.positions[i].map_or(Card::JOKER, |_| Card::new(self.rank(i), suit(i)))).collect()
    }

    fn make_settings(&mut self, whole: &Whole<'_>) {
        let ranking = whole.game.ranking();
        for setting in Setting::all() {
            let (a, b) = setting.positions();
            let front = TwoStrength::of_ranks(self.rank(a), self.rank(b));
            // Dealt round the suits, no five of the cards are of one suit, nor four of them and the joker.
            let plain = ranking.five(self.back_cards((a, b), |i| Suit::ALL[(i - self.joker as usize) % 4]));
            self.plain.add(whole, setting, SetHand { back: plain, front });
            let suited = self.back_cards((a, b), |_| Suit::Spades);
            if suited.len() == 5 {
                self.suited.add(whole, setting, SetHand { back: ranking.five(suited), front });
            }
        }
    }

    fn make_asks(&mut self, limits: Limits) {
        let mut asks: Vec<Ask> = [&self.plain, &self.suited]
            .into_iter()
            .flat_map(|form| form.legal_sets())
            .flat_map(|(_, set)| limits.asks(set))
            .collect();
        asks.sort_unstable();
        asks.dedup();
        for form in [&mut self.plain, &mut self.suited] {
            for (setting, set) in form.legal_sets().collect::<Vec<_>>() {
                let places = limits.asks(set).map(|ask| asks.partition_point(|&other| other < ask) as u16);
                let [both, back, front, back_tied, front_tied] = places;
                form.needs[setting] = Needs { both, back, front, back_tied, front_tied };
            }
        }
        self.asks = asks;
    }
}

impl Form {
    fn add(&mut self, whole: &Whole<'_>, setting: Setting, set: SetHand) {
        self.sets[setting.index()] = set;
        self.legal |= u32::from(whole.game.is_legal(set)) << setting.index();
    }

    /// Index and strengths of the legal settings.
    pub(super) fn legal_sets(&self) -> impl Iterator<Item = (usize, SetHand)> + '_ {
        (0..Setting::COUNT).filter(|i| self.legal >> i & 1 == 1).map(|i| (i, self.sets[i]))
    }
}
