//! The full game without some cards, which neither side can hold.
//!
//! The hands of a class are its canonical hand with the suits permuted. Dead cards distinguish the suits, so a class is
//! evaluated once for each way to permute the suits of the dead cards instead. As in [`known_card`](super::known_card),
//! dead cards are unavailable to the other side, like the hand's own cards. Ranks that only dead cards have would make
//! the corrections for flushes far more expensive, because these depend on the set of unavailable ranks in a suit. They
//! are therefore computed once for each of the dead cards' suits, from the flushes without these cards.

use super::classes::{ClassCounts, FormValues, ROWS, put_classes};
use super::flush::{Answers, corrected, sums};
use super::multiset::{FormKind, Multiset, Queries};
use super::opponent::Events;
use super::pass::{Pass, Run, Scratch, keep_played};
use super::plays::Play;
use super::shard::Piece;
use super::sweep::Tasks;
use crate::pai_gow::outcomes::DealCounts;
use crate::solver::Cancelled;
use houseway_env::cards::classes::suit_permutations;
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::pai_gow::Hand;

/// The number of permutations of the suits.
const PERMUTATIONS: u64 = 24;

/// The dead cards of one suit.
struct DeadSuit {
    /// A bit set of ranks.
    ranks: u16,
    /// The number of cards with each rank that are left in the other suits.
    left: [i32; Rank::ALL.len()],
    /// The other side's flushes without these cards, with and without the joker.
    events: [Events; 2],
}

/// Dead cards, prepared for evaluation.
struct Dead {
    joker: bool,
    /// The number of dead cards with each rank.
    counts: [u8; Rank::ALL.len()],
    /// The distinct sets of ranks in one suit.
    suits: Vec<DeadSuit>,
    /// The distinct orders of the suits, as indices, and the number of permutations with each of them.
    orders: Vec<([usize; 4], u64)>,
    /// The number of hands that the other side can hold.
    hands: u64,
}

impl Dead {
    fn new(cards: CardSet, events: [&Events; 2]) -> Dead {
        let ranks = Suit::ALL.map(|suit| {
            let of_suit = cards.iter().filter(|card| card.suit() == Some(suit)).filter_map(Card::rank);
            of_suit.fold(0u16, |ranks, rank| ranks | 1 << rank.index())
        });
        let counts = std::array::from_fn(|rank| ranks.iter().map(|ranks| (ranks >> rank & 1) as u8).sum());
        let mut distinct = ranks.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let mut orders: Vec<([usize; 4], u64)> = vec![];
        for order in suit_permutations() {
            let order = order.map(|suit| distinct.iter().position(|&it| it == ranks[suit]).expect("it has every suit"));
            match orders.iter_mut().find(|(other, _)| *other == order) {
                Some((_, ways)) => *ways += 1,
                None => orders.push((order, 1)),
            }
        }
        let suit = |ranks: u16| DeadSuit {
            ranks,
            left: std::array::from_fn(|rank| 3 + i32::from(ranks >> rank & 1) - i32::from(counts[rank])),
            events: events.map(|events| events.without(|event| event.mask() & usize::from(ranks) != 0)),
        };
        let suits = distinct.into_iter().map(suit).collect();
        let hands = binomial((CardSet::DECK_53.len() - Hand::CARDS - cards.len()) as u64, Hand::CARDS as u64);
        Dead { joker: cards.contains(Card::JOKER), counts, suits, orders, hands }
    }
}

impl Pass<'_> {
    /// Returns the outcome counts of a strategy over all deals without the dead cards.
    pub(crate) fn total_without(
        &self,
        cards: CardSet,
        play: &Play<'_>,
        run: &Run<'_>,
    ) -> Result<DealCounts, Cancelled> {
        let part = self.pure_part();
        let dead = Dead::new(cards, [false, true].map(|joker| &part.hands(joker).events));
        let count = |piece: &Piece, _: &_, scratch: &mut Scratch, total: &mut DealCounts| {
            self.count_without(&dead, play, piece, scratch, |classes, ways| {
                for (class, setting) in classes.iter().zip(play.choose(classes)) {
                    let counts = class.counts(setting, dead.hands);
                    *total = total.plus(counts.times(u64::from(class.orbit) * ways));
                }
            });
        };
        let total = self.fold_pieces(run, DealCounts::default, count, DealCounts::plus)?;
        // A hand is the image of its class's canonical hand under 24 / orbit permutations.
        Ok(total.map(|deals| deals / PERMUTATIONS))
    }

    /// Visits the classes for each of a piece's multisets, once for each order of the dead cards' suits.
    fn count_without(
        &self,
        dead: &Dead,
        play: &Play<'_>,
        piece: &Piece,
        scratch: &mut Scratch,
        mut visit: impl FnMut(&[ClassCounts], u64),
    ) {
        if piece.joker && dead.joker {
            return;
        }
        let joker = piece.joker || dead.joker;
        let part = self.pure_part();
        let held = piece.ranks.iter().copied();
        let beside = Rank::ALL.into_iter().filter(|rank| dead.counts[rank.index()] > 0 && !piece.ranks.contains(rank));
        let all_ranks: Vec<Rank> = held.chain(beside).collect();
        let unavailable = |multiset: &Multiset<'_>| -> Vec<u8> {
            let held = multiset.pattern.counts.iter().copied().chain(std::iter::repeat(0));
            all_ranks.iter().zip(held).map(|(rank, held)| held + dead.counts[rank.index()]).collect()
        };
        let mut counted: Vec<(Multiset<'_>, Vec<u8>)> = vec![];
        for mut multiset in piece.multisets(&self.options, &self.patterns) {
            let counts = unavailable(&multiset);
            if counts.iter().all(|&count| usize::from(count) <= Suit::ALL.len()) {
                if let Play::Profiles(_) | Play::Best(_) = play {
                    keep_played(&mut multiset, self.options.game, &[*play]);
                }
                counted.push((multiset.with_asks(&self.options), counts));
            }
        }
        if counted.is_empty() {
            return;
        }
        let queries = |ranks: usize| -> Vec<Queries<'_>> {
            let of = counted.iter().map(|(multiset, counts)| (&counts[..ranks], &multiset.asks));
            of.map(|(counts, asks)| Queries { ranks: &all_ranks[..ranks], counts, asks }).collect()
        };
        let [groups, held_groups] = [all_ranks.len(), piece.ranks.len()].map(queries);
        let tasks = Tasks::new(&groups);
        let base = sums(self.options.kernels, &part.hands(joker).ranks, &groups, &tasks, &mut scratch.counts);
        let answers = |DeadSuit { left, events, .. }: &DeadSuit| {
            let (base, events) = (base.clone(), &events[usize::from(joker)]);
            corrected(self.options.kernels, base, events, left, &held_groups, &tasks, &mut scratch.counts)
        };
        let by_suit: Vec<Vec<Answers>> = dead.suits.iter().map(answers).collect();
        // The dead ranks of each suit that this side also holds, as indices into the held ranks.
        let mask = |suit: &DeadSuit| {
            let dead = piece.ranks.iter().enumerate().filter(|(_, rank)| suit.ranks >> rank.index() & 1 == 1);
            dead.fold(0, |mask, (at, _)| mask | 1 << at)
        };
        let masks: Vec<u8> = dead.suits.iter().map(mask).collect();
        let mut classes = vec![];
        for (i, (multiset, _)) in counted.iter().enumerate() {
            let values = |answers: &Answers| {
                FormKind::ALL.map(|form| FormValues::new(multiset.form(form), ROWS - 2, dead.hands as i32, answers))
            };
            let forms: Vec<[FormValues; 2]> = by_suit.iter().map(|answers| values(&answers[i])).collect();
            for &(order, ways) in &dead.orders {
                let dead_masks = order.map(|suit| masks[suit]);
                let suitings = &multiset.pattern.suitings;
                let both = |suiting: usize| -> [u8; 4] {
                    std::array::from_fn(|place| suitings[suiting].masks[place] | dead_masks[place])
                };
                let mut all = vec![];
                put_classes(
                    &self.options,
                    multiset,
                    |form, suiting| FormValues::sum(order.map(|suit| &forms[suit][form as usize]), &both(suiting)),
                    &mut all,
                );
                let is_possible = |masks: &[u8; 4]| masks.iter().zip(dead_masks).all(|(held, dead)| held & dead == 0);
                let possible = all.into_iter().zip(suitings).filter(|(_, suiting)| is_possible(&suiting.masks));
                classes.clear();
                classes.extend(possible.map(|(class, _)| class));
                visit(&classes, ways);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::tests::{any_legal, game};
    use crate::pai_gow::whole::{Payoff, Side};
    use crate::pai_gow::{HandEvaluator, KnownCards};
    use houseway_env::cards::combinations::for_each_subset;
    use houseway_env::cards::profile::Profiles;
    use houseway_env::pai_gow::Setting;

    /// Evaluates every hand from a small deck by itself, and compares the sums.
    fn assert_equals_hands(deck: &str) {
        let deck: CardSet = deck.parse().unwrap();
        let dead = CardSet::DECK_53.difference(deck);
        let (game, way, payoff) = (game(), any_legal(), Payoff::player(&game().rules()));
        let evaluator = HandEvaluator::new(game, way);
        let mut expected = [DealCounts::default(); 2];
        for_each_subset(deck, Hand::CARDS, |cards| {
            let hand = Hand::new(cards).unwrap();
            let counts = evaluator.count(KnownCards::new(hand, dead).unwrap());
            let set = way.set(Profiles::get().of(cards));
            let own = Setting::all().find(|&setting| game.set(hand, setting) == set).unwrap();
            for (total, setting) in expected.iter_mut().zip([own, counts.best()]) {
                *total = total.plus(counts.get(setting).unwrap());
            }
        });
        let total = |side, play: &Play<'_>| {
            Pass::new(game, side, way).with_copies().total_without(dead, play, &Run::default()).unwrap()
        };
        let own = Play::Profiles(way);
        assert_eq!(total(Side::Player, &own), expected[0]);
        assert_eq!(expected[0].all(), binomial(deck.len() as u64, 7) * binomial(deck.len() as u64 - 7, 7));
        // The other side's hands lead to the same deals.
        assert_eq!(total(Side::Banker, &own).other_side(), expected[0]);
        let best = total(Side::Player, &Play::Best(payoff));
        assert_eq!((best.wins, best.losses), (expected[1].wins, expected[1].losses));
    }

    #[test]
    fn small_decks_match_the_evaluation_of_each_hand() {
        assert_equals_hands("Js 9s 7s 6s 5s 3s Th 9h 6h 5h 3h 9d 7d 5d 7c 6c");
        assert_equals_hands("Jk As Ks 9s 7s 5s 2s Ah 9h 7h Ad 9d 5d 2d 2c");
    }

    /// The known cards of a player add up to the same totals: in a quarter of the pairs of a hand and a card of the rank,
    /// the card has a given suit.
    #[test]
    #[ignore = "takes 3 min; evaluates the full game with one dead card, in two ways"]
    fn one_dead_card_matches_the_totals_over_known_cards() {
        let (game, way, payoff) = (game(), any_legal(), Payoff::player(&game().rules()));
        let pass = Pass::new(game, Side::Player, way).without_dominated();
        let values = pass.known_card_values(&Run::default()).unwrap();
        let dead: CardSet = "9h".parse().unwrap();
        let best = pass.total_without(dead, &Play::Best(payoff), &Run::default()).unwrap();
        let known = values.of(Some(Rank::Nine)).with;
        assert_eq!(
            [known.wins, known.pushes, known.losses],
            [best.wins, best.pushes, best.losses].map(|deals| 4 * deals)
        );
    }
}
