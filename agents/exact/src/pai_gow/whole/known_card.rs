//! The full game for a player who knows one card that neither side holds, and the value of that card.
//!
//! The known card is unavailable to the banker, like the player's own cards. The queries for a hand therefore don't
//! change, only the number of ways to pick the banker's cards. If the player holds a card of the same rank, a single
//! sweep answers the queries for all these ranks. Each other rank takes a sweep of its own, and so does the joker.

use super::classes::{ClassCounts, FormValues, Values, replace_settings, suited_settings};
use super::flush::Answers;
use super::multiset::{FormKind, Multiset, Queries};
use super::pass::{Pass, Run, Scratch};
use super::shard::Piece;
use super::sweep::answers;
use crate::Ratio;
use crate::pai_gow::outcomes::{DealCounts, Payoff};
use crate::solver::Cancelled;
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::{Card, Rank, Suit};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Hand, Setting};

/// The number of hands that the banker can hold given the player's seven cards and one known card: C(45,7).
const HANDS_BESIDE_CARD: u64 = binomial(45, Hand::CARDS as u64);

/// The results for a class of hands and one known card, against the 45,379,620 hands that the banker can hold.
#[derive(Clone, Copy, Debug)]
pub struct KnownCardCounts<'c> {
    /// The class and its results without the known card.
    pub class: &'c ClassCounts,
    /// The known card if the player holds the class's canonical hand.
    pub card: Card,
    /// The number of banker hands that lose both comparisons. Only meaningful for the class's legal settings, like
    /// `losses`.
    pub wins: [u32; Setting::COUNT],
    /// The number of banker hands that win both comparisons.
    pub losses: [u32; Setting::COUNT],
}

impl KnownCardCounts<'_> {
    /// Returns a setting's total gain over all banker hands, in millionths of the stake.
    #[inline]
    pub fn gain(&self, setting: Setting, payoff: Payoff) -> i64 {
        payoff.gain(self.wins[setting.index()].into(), self.losses[setting.index()].into())
    }
}

/// A multiset's hands along with the rank of a known card.
struct Group<'m> {
    multiset: &'m Multiset<'m>,
    classes: &'m [ClassCounts],
    /// The rank and its index among the unavailable ranks, or `None` for the joker.
    card: Option<(Rank, usize)>,
    /// The number of unavailable cards for each rank.
    counts: Vec<u8>,
}

impl Pass<'_> {
    /// Visits each of a player's classes once per known card.
    pub(crate) fn fold_known_cards<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &KnownCardCounts<'_>) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        self.fold_pieces(
            run,
            init,
            |piece, _, scratch, result| self.count_known_cards(piece, scratch, |counts| visit(result, counts)),
            merge,
        )
    }

    fn count_known_cards(&self, piece: &Piece, scratch: &mut Scratch, mut visit: impl FnMut(&KnownCardCounts<'_>)) {
        let multisets = piece.with_asks(&self.options, &self.patterns);
        let banker = self.banker_part();
        let mut classes: Vec<Vec<ClassCounts>> = vec![];
        self.count_part(banker, piece, &multisets, scratch, &mut |of_multiset| classes.push(of_multiset.to_vec()));
        let counted: Vec<_> =
            multisets.iter().zip(&classes).map(|(multiset, classes)| (multiset, &classes[..])).collect();
        let mut count = |ranks: &[Rank], cards: &[Option<usize>]| {
            let of_multiset =
                |&(multiset, classes)| cards.iter().filter_map(move |&card| Group::new(multiset, classes, ranks, card));
            let groups: Vec<Group<'_>> = counted.iter().flat_map(of_multiset).collect();
            let queries: Vec<Queries<'_>> = groups.iter().map(|group| group.queries(ranks)).collect();
            let hands = banker.hands(piece.joker || cards == [None]);
            let answers = answers(self.options.kernels, hands, &queries, &mut scratch.counts);
            groups.iter().zip(&answers).for_each(|(group, answers)| group.visit(answers, &mut visit));
        };
        let held = piece.ranks.len();
        count(&piece.ranks, &(0..held).map(Some).collect::<Vec<_>>());
        for rank in Rank::ALL.into_iter().filter(|rank| !piece.ranks.contains(rank)) {
            count(&[&piece.ranks[..], &[rank]].concat(), &[Some(held)]);
        }
        if !piece.joker {
            count(&piece.ranks, &[None]);
        }
    }

    /// Computes the value of a known card over all hands in the run and all other cards. The whole game takes minutes.
    ///
    /// If several settings are equally good without the known card, the one with the lowest index is chosen. Leaving out
    /// dominated settings doesn't affect the value. If a dominated setting is as good as the one that dominates it, both
    /// have the same result against every banker hand, and hence with every known card.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics unless the player's hands are evaluated, against a pure strategy that only depends on profiles.
    pub fn known_card_values(&self, run: &Run<'_>) -> Result<KnownCardValues, Cancelled> {
        let payoff = Payoff::player(&self.game().rules());
        let visit = |values: &mut KnownCardValues, counts: &KnownCardCounts<'_>| values.add(counts, payoff);
        self.fold_known_cards(run, KnownCardValues::default, visit, KnownCardValues::plus)
    }
}

impl<'m> Group<'m> {
    /// Combines a multiset with a known card, which is given as the index of its rank in `ranks`, or `None` for the
    /// joker. These ranks start with the multiset's own. Returns `None` if the multiset contains all cards of the rank.
    fn new(
        multiset: &'m Multiset<'m>,
        classes: &'m [ClassCounts],
        ranks: &[Rank],
        card: Option<usize>,
    ) -> Option<Group<'m>> {
        let mut counts = multiset.pattern.counts.clone();
        counts.resize(ranks.len(), 0);
        if let Some(at) = card {
            counts[at] += 1;
            if counts[at] > Suit::ALL.len() as u8 {
                return None;
            }
        }
        Some(Group { multiset, classes, card: card.map(|at| (ranks[at], at)), counts })
    }

    fn queries<'q>(&'q self, ranks: &'q [Rank]) -> Queries<'q> {
        Queries { ranks, counts: &self.counts, asks: &self.multiset.asks }
    }

    /// Visits each class once for every suit that the known card can have.
    fn visit(&self, answers: &Answers, mut visit: impl FnMut(&KnownCardCounts<'_>)) {
        // Only the rows for wins and losses are needed.
        let values = |form| FormValues::new(self.multiset.form(form), 2, HANDS_BESIDE_CARD as i32, answers);
        let [plain, suited] = FormKind::ALL.map(values);
        for (class, suiting) in self.classes.iter().zip(&self.multiset.pattern.suitings) {
            let suited_settings = suited_settings(self.multiset, suiting);
            let mut visit_card = |card, masks: &[u8; 4]| {
                let mut values: Values = plain.values(masks);
                if suited_settings != 0 {
                    replace_settings(&mut values, &suited.values(masks), suited_settings);
                }
                let column = |row: usize| std::array::from_fn(|i| values[row][i] as u32);
                visit(&KnownCardCounts { class, card, wins: column(0), losses: column(1) });
            };
            let Some((rank, at)) = self.card else {
                visit_card(Card::JOKER, &suiting.masks);
                continue;
            };
            // In a canonical hand, spades come first.
            for (place, suit) in Suit::ALL.into_iter().rev().enumerate() {
                let mut masks = suiting.masks;
                if masks[place] >> at & 1 == 0 {
                    masks[place] |= 1 << at;
                    visit_card(Card::new(rank, suit), &masks);
                }
            }
        }
    }
}

/// Totals over pairs of a player's hand and a known card. Each pair stands for 45,379,620 deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownCardTotals {
    /// The number of pairs of a hand and a known card.
    pub pairs: u64,
    /// The number of pairs for which another setting is better than the best one without the known card.
    pub changed: u64,
    /// The outcome counts for the settings that are best without the known card. Copies aren't counted.
    pub without: DealCounts,
    /// The outcome counts for the best settings given the known card. Copies aren't counted.
    pub with: DealCounts,
}

/// The totals for each known card, up to its suit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownCardValues {
    ranks: [KnownCardTotals; Rank::ALL.len()],
    joker: KnownCardTotals,
}

impl KnownCardTotals {
    /// Adds two totals.
    #[must_use]
    pub fn plus(self, more: KnownCardTotals) -> KnownCardTotals {
        KnownCardTotals {
            pairs: self.pairs + more.pairs,
            changed: self.changed + more.changed,
            without: self.without.plus(more.without),
            with: self.with.plus(more.with),
        }
    }

    /// Returns the value of the known card, i.e. the difference between the EVs with and without it, per unit staked.
    ///
    /// # Panics
    /// Panics if there are no pairs.
    pub fn gain(&self, payoff: Payoff) -> Ratio {
        let gained = self.with.gain(payoff) - self.without.gain(payoff);
        Ratio::new(gained, i128::from(self.with.all()) * i128::from(Rate::WHOLE))
    }

    /// Returns the fraction of pairs for which another setting is better because of the known card.
    ///
    /// # Panics
    /// Panics if there are no pairs.
    pub fn changed_fraction(&self) -> Ratio {
        Ratio::new(self.changed.into(), self.pairs.into())
    }

    fn add(&mut self, counts: &KnownCardCounts<'_>, payoff: Payoff) {
        let without = counts.class.best(payoff);
        let best = counts.class.legal_settings().map(|setting| counts.gain(setting, payoff)).max();
        let best = best.expect("every hand has a legal setting");
        let is_best = |setting: Setting| counts.gain(setting, payoff) == best;
        let with = if is_best(without) {
            without
        } else {
            counts.class.legal_settings().find(|&setting| is_best(setting)).expect("one of the settings is the best")
        };
        let orbit = u64::from(counts.class.orbit);
        self.pairs += orbit;
        self.changed += if with == without { 0 } else { orbit };
        for (totals, setting) in [(&mut self.without, without), (&mut self.with, with)] {
            let ends = [counts.wins, counts.losses].map(|numbers| u64::from(numbers[setting.index()]));
            *totals = totals.plus(DealCounts::new(HANDS_BESIDE_CARD, ends, [0; 2]).times(orbit));
        }
    }
}

impl KnownCardValues {
    /// Returns the totals for all cards of a rank, or for the joker if there is no rank.
    pub fn of(&self, rank: Option<Rank>) -> &KnownCardTotals {
        rank.map_or(&self.joker, |rank| &self.ranks[rank.index()])
    }

    /// Returns the totals for all known cards together.
    pub fn all(&self) -> KnownCardTotals {
        self.ranks.iter().copied().fold(self.joker, KnownCardTotals::plus)
    }

    fn add(&mut self, counts: &KnownCardCounts<'_>, payoff: Payoff) {
        let totals = counts.card.rank().map_or(&mut self.joker, |rank| &mut self.ranks[rank.index()]);
        totals.add(counts, payoff);
    }

    fn plus(mut self, more: KnownCardValues) -> KnownCardValues {
        self.ranks.iter_mut().zip(more.ranks).for_each(|(totals, more)| *totals = totals.plus(more));
        self.joker = self.joker.plus(more.joker);
        self
    }
}
