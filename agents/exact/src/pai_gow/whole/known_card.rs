//! The full game for a player who knows one card that neither side holds.
//!
//! The known card is unavailable to the banker, like the player's own cards. The queries for a hand therefore don't
//! change, only the number of ways to pick the banker's cards. If the player holds a card of the same rank, a single
//! sweep answers the queries for all these ranks. Each other rank takes a sweep of its own, and so does the joker.

use super::answers::{Answers, answers};
use super::classes::{ClassCounts, FormValues, Values, replace_settings, suited_settings};
use super::counted::PassOptions;
use super::fold::{Fold, of_threads};
use super::kernels::{Instructions, Kernels};
use super::mixed_game::dominance_holds;
use super::multiset::{FormKind, Multiset, Queries};
use super::opponent::Opponent;
use super::payoff::Payoff;
use super::pieces::{Patterns, Piece};
use super::profiles::{ProfileScratch, count_by_profiles};
use super::run::Run;
use super::suitings::patterns;
use super::sweep::CountBuffers;
use super::weighted::WeightedTable;
use crate::pai_gow::{BankerTable, Side};
use crate::solver::Cancelled;
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::{Card, Rank, Suit};
use houseway_env::pai_gow::{Game, Hand, Setting};

/// The number of hands that the banker can hold given the player's seven cards and one known card: C(45,7).
pub(super) const HANDS_BESIDE_CARD: u64 = binomial(45, Hand::CARDS as u64);

/// An evaluator for all hands of a player who knows one card that neither side holds.
///
/// Dominated settings are left out unless some banker hands push every bet under the rules.
pub struct KnownCardGame<'a> {
    options: PassOptions<'a>,
    kernels: Kernels,
    banker: Opponent,
    patterns: Patterns,
}

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

/// Buffers that a thread reuses.
#[derive(Default)]
struct Scratch {
    profiles: ProfileScratch,
    counts: CountBuffers,
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

impl<'a> KnownCardGame<'a> {
    /// Prepares to evaluate a player's hands against a banker's strategy. This takes a fraction of a second.
    pub fn new(game: &'a Game, banker: &BankerTable) -> KnownCardGame<'a> {
        KnownCardGame {
            options: PassOptions { undominated: dominance_holds(game), ..PassOptions::new(game, Side::Player) },
            kernels: Kernels::new(Instructions::detect()),
            banker: Opponent::against(game, Side::Player, WeightedTable::pure(banker)),
            patterns: [patterns(false), patterns(true)],
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &'a Game {
        self.options.game
    }

    /// Visits each class in the shard once per known card, in no particular order. Classes are evaluated in parallel on
    /// the current thread pool.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn fold<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &KnownCardCounts<'_>) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let (fold, pieces) = Fold::new(run, &self.patterns);
        let count = |piece: &Piece, scratch: &mut Scratch, result: &mut A| {
            self.count_piece(piece, scratch, |counts| visit(result, counts));
        };
        let results = fold.add(&pieces, of_threads(init), count);
        fold.finish(results, merge)
    }

    fn count_piece(&self, piece: &Piece, scratch: &mut Scratch, mut visit: impl FnMut(&KnownCardCounts<'_>)) {
        let multisets = piece.with_asks(&self.options, &self.patterns);
        let hands = (self.banker.hands(piece.joker), self.banker.weight());
        let mut classes: Vec<Vec<ClassCounts>> = vec![];
        let (options, profiles) = ((&self.options, self.kernels), &mut scratch.profiles);
        count_by_profiles(options, hands, &multisets, profiles, |of_multiset| classes.push(of_multiset.to_vec()));
        let counted: Vec<_> =
            multisets.iter().zip(&classes).map(|(multiset, classes)| (multiset, &classes[..])).collect();
        let mut count = |ranks: &[Rank], cards: &[Option<usize>]| {
            let of_multiset =
                |&(multiset, classes)| cards.iter().filter_map(move |&card| Group::new(multiset, classes, ranks, card));
            let groups: Vec<Group<'_>> = counted.iter().flat_map(of_multiset).collect();
            let queries: Vec<Queries<'_>> = groups.iter().map(|group| group.queries(ranks)).collect();
            let hands = self.banker.hands(piece.joker || cards == [None]);
            let answers = answers(self.kernels, hands, &queries, &mut scratch.counts);
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
