//! Exact evaluation of Asian Stud. Every hand class is compared with every dealer hand.
//!
//! Suits don't matter in the main game, so a hand is a multiset of points. There are 2,708 classes with a joker and
//! 1,993 without. The dealer's hands are enumerated from the remaining cards, separately for each class.
//!
//! - [`AsianStud`] is the game as an [`OneDecision`], with one situation for each class of hands. It holds the dealer's hands
//!   against each class.
//! - [`poker_hands`] counts the poker hands for the side bet, and [`side_bet_ev`] computes the EV with a
//!   paytable.
//!
//! ```
//! use houseway_env::asian_stud::Rules;
//! use houseway_exact::asian_stud::AsianStud;
//! use houseway_exact::one_decision::Enumerated;
//!
//! let game = Enumerated::new(AsianStud::new(Rules::default()));
//! let always_raise = game.total(|_, _| houseway_env::asian_stud::RAISE);
//! assert!(game.optimal().ev() >= always_raise.ev());
//! ```

mod answer;
mod solver;
#[cfg(test)]
mod tests;

use crate::Ratio;
use crate::answer::Section;
use crate::format::grouped;
use crate::net::NetResults;
use crate::one_decision::{ActionName, Enumerated, OneDecision, Situation};
use crate::side_bet::{ev, hands_by_row};
use crate::solver::{DeadCards, SolverError, StakeUnit};
use houseway_env::asian_stud::{FOLD, FOLDED, Game, Hand, Observation, Paytable, Points, RAISE, Rules, UNIT, Value};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::gym::Encoding;
use houseway_env::money::Rate;
use houseway_env::rank::Category;
use houseway_env::rules::RuleSet;
use rayon::prelude::*;
pub use solver::SOLVER;
use std::sync::Arc;

/// The observation encoding that policies must use. It depends only on a hand's class, so one hand per class is enough.
const ENCODING: Observation = Observation::Points;

/// The game under a set of rules.
pub struct AsianStud {
    game: Game,
    /// The hand classes, sorted by their counts in descending order.
    classes: Arc<Vec<Class>>,
}

impl AsianStud {
    /// Creates the game and enumerates its hand classes. This takes about 0.1 s.
    pub fn new(rules: Rules) -> AsianStud {
        let game = Game::new(rules);
        let classes = Arc::new(classes(&game));
        AsianStud { game, classes }
    }

    /// Returns the game with another paytable for the side bet.
    #[must_use]
    pub fn with_paytable(self, paytable: Paytable) -> AsianStud {
        AsianStud { game: self.game.with_paytable(paytable), ..self }
    }

    /// Returns the game under other rules. The classes are enumerated again only if the joker has another reading.
    #[must_use]
    pub fn with_rules(&self, rules: Rules) -> AsianStud {
        let game = Game::new(rules).with_paytable(self.game.paytable().clone());
        let same = rules.joker == self.game.rules().joker;
        let classes = if same { self.classes.clone() } else { Arc::new(classes(&game)) };
        AsianStud { game, classes }
    }

    /// Returns the hand classes, in the order of the situations.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Returns the number of five-card hands, which is 2,869,685 with a joker.
    pub fn hands(&self) -> u64 {
        binomial(self.game.rules().joker.cards() as u64, 5)
    }

    /// Returns the number of dealer hands given the player's hand, which is 1,712,304 with a joker.
    pub fn dealer_hands(&self) -> u64 {
        binomial(self.game.rules().joker.cards() as u64 - 5, 5)
    }

    /// Returns the number of deals, counting the player's and the dealer's hand.
    pub fn deals(&self) -> u64 {
        self.hands() * self.dealer_hands()
    }

    /// Returns the class of a hand.
    fn class(&self, hand: Hand) -> Result<&Class, SolverError> {
        let counts = hand.counts();
        let place = self.classes.binary_search_by(|class| counts.cmp(&class.counts));
        let class = place.map(|place| &self.classes[place]);
        class.map_err(|_| {
            SolverError::invalid(
                "invalid hand: the pack has no joker under these rules; remove it, or use another reading of `joker`",
            )
        })
    }

    /// Returns the class of a hand, counting only dealer hands that contain no dead cards.
    fn class_beside(&self, hand: Hand, dead: DeadCards) -> Result<Class, SolverError> {
        let class = self.class(hand)?;
        let dead = dead.beside(hand.set(), deck(self.game.rules()), Hand::CARDS)?;
        if dead.is_empty() {
            return Ok(class.clone());
        }
        let (mut left, multisets) = multisets(self.game.rules());
        left.iter_mut().zip(class.counts).for_each(|(left, n)| *left -= usize::from(n));
        dead.iter().for_each(|card| left[Points::from_card(card).index()] -= 1);
        let held: Vec<Held> = multisets.iter().map(|counts| Held::new(counts, &self.game)).collect();
        Ok(Class { dealers: dealers(&left, &held), ..class.clone() })
    }

    /// Returns the result of raising with a hand in the class, summed over all dealer hands.
    fn raise_sum(&self, class: &Class) -> i64 {
        let net = |(dealer, &hands): (Value, &u64)| self.game.raised(class.value, dealer) * hands as i64;
        Value::all().zip(&class.dealers).map(net).sum()
    }

    /// Returns the situation of the hands in a class, with one of them as an example.
    fn of_class(&self, class: &Class, example: Hand) -> Situation {
        let mut rewards = vec![0; 2];
        rewards[FOLD] = FOLDED * class.dealer_hands() as i64;
        rewards[RAISE] = self.raise_sum(class);
        let mut observation = vec![0.0; ENCODING.len()];
        ENCODING.write(example, class.value, &mut observation);
        Situation {
            example: example.to_string(),
            group: class.value.to_string(),
            hands: class.hands,
            hidden: class.dealer_hands() * UNIT as u64,
            observation,
            rewards,
        }
    }

    /// Calls `visit` with each class and each value of the dealer's hand, whether the class raises, and the number of deals.
    fn for_each_deal(&self, raises: impl Fn(usize) -> bool, mut visit: impl FnMut(&Class, Value, bool, u128)) {
        for (index, class) in self.classes.iter().enumerate() {
            for (dealer, &hands) in Value::all().zip(&class.dealers) {
                visit(class, dealer, raises(index), u128::from(class.hands) * u128::from(hands));
            }
        }
    }

    /// Returns the net results of raising with the classes for which `raises` is true.
    fn net_results(&self, raises: impl Fn(usize) -> bool) -> NetResults {
        let mut results = NetResults::new(UNIT);
        self.for_each_deal(raises, |class, dealer, is_raised, deals| {
            results.add(if is_raised { self.game.raised(class.value, dealer) } else { FOLDED }, deals);
        });
        results
    }

    /// Returns the parts of the EV of raising with the classes for which `raises` is true, in antes: those of the ante and
    /// the raise before the commission, and the commission.
    fn ev_parts(&self, raises: impl Fn(usize) -> bool) -> Vec<(&'static str, Ratio)> {
        let without = Game::new(Rules { commission_rate: Rate::ZERO, ..*self.game.rules() });
        let (mut wagers, mut commission) = ([0_i128; 2], 0_i128);
        self.for_each_deal(raises, |class, dealer, is_raised, deals| {
            let [net, gross] = match is_raised {
                true => [&self.game, &without].map(|game| game.raised_parts(class.value, dealer)),
                false => [[FOLDED, 0]; 2],
            };
            for (sum, gross) in wagers.iter_mut().zip(gross) {
                *sum += i128::from(gross) * deals as i128;
            }
            commission += i128::from(net[0] + net[1] - gross[0] - gross[1]) * deals as i128;
        });
        let per_deal = |sum: i128| Ratio::new(sum, i128::from(self.deals()) * i128::from(UNIT));
        let [ante, raise] = wagers.map(per_deal);
        vec![("ante", ante), ("raise", raise), ("commission", per_deal(commission))]
    }
}

impl OneDecision for AsianStud {
    fn unit(&self) -> StakeUnit {
        SOLVER.unit
    }

    fn parts(&self) -> u64 {
        UNIT as u64
    }

    fn actions(&self) -> &'static [ActionName] {
        const { &[ActionName { name: "fold", third_person: "folds" }, ActionName { name: "raise", third_person: "raises" }] }
    }

    fn encoding(&self) -> &'static str {
        ENCODING.name()
    }

    fn summary(&self) -> String {
        let Rules { commission_rate, commission, .. } = self.game.rules();
        let reading = serde_json::to_value(commission).unwrap_or_default();
        format!(
            "Asian Stud, commission {commission_rate} of the winnings under the reading `{}`: five cards, then fold or raise.",
            reading.as_str().unwrap_or_default()
        )
    }

    fn rules(&self) -> (serde_json::Value, String) {
        (serde_json::json!(self.game.rules()), self.game.rules().hash())
    }

    fn situations(&self) -> Vec<Situation> {
        self.classes.iter().map(|class| self.of_class(class, class.example())).collect()
    }

    fn situation(&self, hand: &str, dead: DeadCards) -> Result<Situation, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        Ok(self.of_class(&self.class_beside(hand, dead)?, hand))
    }

    fn baselines(&self, situations: &[Situation]) -> Vec<(String, Vec<usize>)> {
        let with_set = self.classes.iter().map(with_set).collect();
        vec![("raise with a set".to_owned(), with_set), ("always raise".to_owned(), vec![RAISE; situations.len()])]
    }

    fn preface(&self, solver: &Enumerated<AsianStud>) -> String {
        format!(
            "{} Policies are evaluated exactly, on all {} classes of hands against every hand that the dealer can hold beside \
             them, {} deals in all.",
            self.summary(),
            solver.situations().len(),
            grouped(self.deals()),
        )
    }

    fn sections(&self, solver: &Enumerated<AsianStud>) -> Vec<Section> {
        answer::Parts::new(solver).sections()
    }
}

/// Returns the action of the strategy that raises with a set, and folds everything else.
fn with_set(class: &Class) -> usize {
    if class.value.is_set() { RAISE } else { FOLD }
}

/// Returns the pack, with the joker or without it.
fn deck(rules: &Rules) -> CardSet {
    if rules.joker.cards() == 53 { CardSet::DECK_53 } else { CardSet::DECK_52 }
}

/// Counts the hands in each category by enumeration, weakest category first. This takes about 0.1 s.
pub fn poker_hands(rules: &Rules) -> [(Category, u64); Category::ALL.len()] {
    let game = Game::new(*rules);
    let mut counts = Category::ALL.map(|category| (category, 0));
    for_each_subset(deck(rules), Hand::CARDS, |cards| {
        let hand = Hand::new(cards).expect("the subset has five distinct cards");
        counts[game.category(hand) as usize].1 += 1;
    });
    counts
}

/// Computes the player's EV per unit staked on the side bet from the counts returned by [`poker_hands`], assuming the
/// bet is settled no matter what the player does.
pub fn side_bet_ev(paytable: &Paytable, counts: &[(Category, u64)]) -> Ratio {
    let all = counts.iter().map(|(_, hands)| hands).sum();
    ev(paytable, &hands_by_row(paytable, counts), all)
}

/// The maximum number of cards with equal points. Sixteen cards are worth ten points.
const MAX_EQUAL: usize = 16;

/// The number of ways to choose up to five cards out of up to sixteen.
const WAYS: [[u64; 6]; MAX_EQUAL + 1] = {
    let mut ways = [[0; 6]; MAX_EQUAL + 1];
    let mut n = 0;
    while n <= MAX_EQUAL {
        let mut k = 0;
        while k < 6 {
            ways[n][k] = binomial(n as u64, k as u64);
            k += 1;
        }
        n += 1;
    }
    ways
};

/// A class of hands that differ only in their suits, or in which tens and court cards they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The number of cards worth 1, 2, ... 10 points, followed by the number of jokers.
    pub counts: [u8; Points::COUNT],
    /// The value of the hands.
    pub value: Value,
    /// The number of hands in the class.
    pub hands: u64,
    /// The number of dealer hands with each value, given a hand in the class. The first entry counts hands without a
    /// set.
    pub dealers: [u64; Value::COUNT],
}

impl Class {
    /// Returns the total number of dealer hands, given a hand in the class.
    pub fn dealer_hands(&self) -> u64 {
        self.dealers.iter().sum()
    }

    /// Returns an example hand, made up of the first cards by rank and suit that have the required points.
    pub fn example(&self) -> Hand {
        let deck = CardSet::DECK_53;
        let of = |index: usize| deck.iter().filter(move |&card| Points::from_card(card).index() == index);
        let cards = self.counts.iter().enumerate().flat_map(|(index, &n)| of(index).take(n.into()));
        Hand::new(cards.collect()).expect("a class has five cards")
    }
}

/// The point values in a dealer's hand, stored as (point index, card count) pairs.
struct Held {
    kinds: Vec<(usize, usize)>,
    value: Value,
}

/// Enumerates the classes and the dealer's hands against each of them.
fn classes(game: &Game) -> Vec<Class> {
    let (cards, multisets) = multisets(game.rules());
    let held: Vec<Held> = multisets.iter().map(|counts| Held::new(counts, game)).collect();
    let class = |counts: &[u8; Points::COUNT]| {
        let hands = counts.iter().zip(cards).map(|(&n, cards)| WAYS[cards][usize::from(n)]).product();
        let left = std::array::from_fn(|index| cards[index] - usize::from(counts[index]));
        Class { counts: *counts, value: game.value_of_counts(counts), hands, dealers: dealers(&left, &held) }
    };
    multisets.par_iter().map(class).collect()
}

/// Returns the number of cards with each number of points, and all multisets of five of them in descending
/// lexicographic order.
fn multisets(rules: &Rules) -> ([usize; Points::COUNT], Vec<[u8; Points::COUNT]>) {
    let cards = std::array::from_fn(|index| Points::from_index(index).cards(rules.joker.cards()));
    let mut multisets = Vec::new();
    add_multisets(&cards, 0, 5, &mut [0; Points::COUNT], &mut multisets);
    (cards, multisets)
}

/// Adds all multisets with `left` more cards whose point index is at least `index`, in descending lexicographic order.
fn add_multisets(
    cards: &[usize; Points::COUNT],
    index: usize,
    left: usize,
    counts: &mut [u8; Points::COUNT],
    to: &mut Vec<[u8; Points::COUNT]>,
) {
    if index == Points::COUNT {
        if left == 0 {
            to.push(*counts);
        }
        return;
    }
    for n in (0..=left.min(cards[index])).rev() {
        counts[index] = n as u8;
        add_multisets(cards, index + 1, left - n, counts, to);
    }
    counts[index] = 0;
}

impl Held {
    fn new(counts: &[u8; Points::COUNT], game: &Game) -> Held {
        let kinds = counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(index, &n)| (index, n.into()));
        Held { kinds: kinds.collect(), value: game.value_of_counts(counts) }
    }
}

/// Returns the number of hands with each value among the remaining cards.
fn dealers(left: &[usize; Points::COUNT], held: &[Held]) -> [u64; Value::COUNT] {
    let mut dealers = [0; Value::COUNT];
    for hand in held {
        dealers[hand.value.index()] += hand.kinds.iter().map(|&(index, n)| WAYS[left[index]][n]).product::<u64>();
    }
    dealers
}
