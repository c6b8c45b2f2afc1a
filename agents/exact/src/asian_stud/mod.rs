//! Exact evaluation of Asian Stud. Every hand class is compared with every dealer hand.
//!
//! Suits don't matter in the main game, so a hand is a multiset of points. There are 2,708 classes with a joker and
//! 1,993 without. The dealer's hands are enumerated from the remaining cards, separately for each class.
//!
//! - [`HandClasses`] holds the hand classes under one reading of the joker, and the dealer's hands against each class.
//! - [`AsianStud`] is the game as an [`OneDecision`], with one situation for each class.
//! - [`poker_hands`] counts the poker hands for the side bet, and [`side_bet_return`] computes the return of a
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
mod classes;
mod solver;
#[cfg(test)]
mod tests;

pub use classes::{Class, HandClasses};
pub use solver::SOLVER;

use crate::Ratio;
use crate::answer::Section;
use crate::format::grouped;
use crate::one_decision::{ActionName, Enumerated, OneDecision, Situation};
use crate::solver::{DeadCards, SolverError, StakeUnit};
use houseway_env::asian_stud::{
    FOLD, FOLDED, Game, Hand, Observation, Paytable, PokerBet, RAISE, Rules, SideBet, UNIT, Value,
};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::gym::Encoding;
use houseway_env::paytable::PaytableReturn;
use houseway_env::rank::Category;
use houseway_env::rules::RuleSet;
use std::sync::Arc;

/// The observation encoding that policies must use. It depends only on a hand's class, so one hand per class is enough.
const ENCODING: Observation = Observation::Points;

/// The game under a set of rules.
pub struct AsianStud {
    game: Game,
    classes: Arc<HandClasses>,
    /// The paytable of the side bet.
    paytable: Paytable,
}

impl AsianStud {
    /// Creates the game and enumerates its hand classes. This takes about 0.1 s.
    pub fn new(rules: Rules) -> AsianStud {
        let classes = Arc::new(HandClasses::new(rules.joker));
        AsianStud { game: Game::new(rules), classes, paytable: Paytable::default() }
    }

    /// Returns the game with another paytable for the side bet.
    #[must_use]
    pub fn with_paytable(self, paytable: Paytable) -> AsianStud {
        AsianStud { paytable, ..self }
    }

    /// Returns the game under other rules. The classes are enumerated again only if the joker has another reading.
    #[must_use]
    pub fn with_rules(&self, rules: Rules) -> AsianStud {
        let same = rules.joker == self.classes.joker();
        let classes = if same { self.classes.clone() } else { Arc::new(HandClasses::new(rules.joker)) };
        AsianStud { game: Game::new(rules), classes, paytable: self.paytable.clone() }
    }

    /// Returns the hand classes, in the order of the situations.
    pub fn classes(&self) -> &HandClasses {
        &self.classes
    }

    /// Returns the class of a hand.
    ///
    /// # Errors
    /// Returns an error if the hand holds a joker but the pack has none.
    fn class(&self, hand: Hand) -> Result<&Class, SolverError> {
        self.classes.find(hand).ok_or_else(|| {
            SolverError::invalid(
                "invalid hand: the pack has no joker under these rules; remove it, or use another reading of `joker`",
            )
        })
    }

    /// Returns the class of a hand, counting only dealer hands that contain no dead cards.
    ///
    /// # Errors
    /// Returns an error if the hand holds a joker and the pack has none, or if a dead card is invalid.
    fn class_beside(&self, hand: Hand, dead: DeadCards) -> Result<Class, SolverError> {
        let class = self.class(hand)?;
        let deck = if self.game.rules().joker.cards() == 53 { CardSet::DECK_53 } else { CardSet::DECK_52 };
        let dead = dead.beside(hand.set(), deck, Hand::CARDS)?;
        Ok(if dead.is_empty() { class.clone() } else { self.classes.beside(class, dead) })
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
        let written = ENCODING.write(example, class.value, &mut observation);
        written.expect("the observation has the length of its encoding");
        Situation {
            example: example.to_string(),
            group: class.value.to_string(),
            hands: class.hands,
            hidden: class.dealer_hands() * UNIT as u64,
            observation,
            rewards,
        }
    }

    /// Returns the mean squared result of raising with the classes for which `raises` is true, in squared antes.
    fn mean_square(&self, raises: impl Fn(usize) -> bool) -> Ratio {
        let mut squares = 0;
        for (index, class) in self.classes.all().iter().enumerate() {
            let square = |(dealer, &hands): (Value, &u64)| {
                let net = if raises(index) { self.game.raised(class.value, dealer) } else { FOLDED };
                i128::from(net) * i128::from(net) * i128::from(hands)
            };
            squares += Value::all().zip(&class.dealers).map(square).sum::<i128>() * i128::from(class.hands);
        }
        let unit = i128::from(UNIT);
        Ratio::new(squares, i128::from(self.classes.deals()) * unit * unit)
    }
}

impl OneDecision for AsianStud {
    fn unit(&self) -> StakeUnit {
        SOLVER.unit
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
        self.classes.all().iter().map(|class| self.of_class(class, class.example())).collect()
    }

    fn situation(&self, hand: &str, dead: DeadCards) -> Result<Situation, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        Ok(self.of_class(&self.class_beside(hand, dead)?, hand))
    }

    fn baselines(&self, situations: &[Situation]) -> Vec<(String, Vec<usize>)> {
        let with_set = self.classes.all().iter().map(with_set).collect();
        vec![("raise with a set".to_owned(), with_set), ("always raise".to_owned(), vec![RAISE; situations.len()])]
    }

    fn preface(&self, solver: &Enumerated<AsianStud>) -> String {
        format!(
            "{} Policies are evaluated exactly, on all {} classes of hands against every hand that the dealer can hold beside \
             them, {} deals in all.",
            self.summary(),
            solver.situations().len(),
            grouped(self.classes.deals()),
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

/// Counts the hands in each category by enumeration, weakest category first. This takes about 0.1 s.
pub fn poker_hands(rules: &Rules) -> [(Category, u64); Category::ALL.len()] {
    let side_bet = SideBet::new(Paytable::default(), rules);
    let deck = if rules.joker.cards() == 53 { CardSet::DECK_53 } else { CardSet::DECK_52 };
    let mut counts = Category::ALL.map(|category| (category, 0));
    for_each_subset(deck, Hand::CARDS, |cards| {
        let hand = Hand::new(cards).expect("the subset has five distinct cards");
        counts[side_bet.category(hand) as usize].1 += 1;
    });
    counts
}

/// Computes a paytable's return from the counts returned by [`poker_hands`].
pub fn side_bet_return(paytable: &Paytable, counts: &[(Category, u64)]) -> PaytableReturn<PokerBet> {
    let hands = |category| counts.iter().filter(|(other, _)| *other == category).map(|(_, hands)| hands).sum();
    let rows: Vec<_> = paytable.rows().iter().map(|row| (*row, hands(row.hand))).collect();
    let all: u64 = counts.iter().map(|(_, hands)| hands).sum();
    let losing = all - rows.iter().map(|(_, hands)| hands).sum::<u64>();
    PaytableReturn { rows, losing }
}

/// Returns the player's EV per unit staked, assuming the bet is settled no matter what the player does.
pub fn side_bet_ev(found: &PaytableReturn<PokerBet>) -> Ratio {
    Ratio::new(found.net().into(), found.hands().into())
}
