//! The exact solution of Three Card Poker. Every class of player hands is evaluated against all 18,424 dealer hands.

use crate::game::{Category, FOLD, GAME, Observation, PLAY, Rules, Strength, observation, strength};
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::{Card, CardSet, Rank};
use houseway_env::rules::RuleSet;
use houseway_exact::one_decision::{ActionName, Enumerated, OneDecision, Situation};
use houseway_exact::solver::{DeadCards, SolverEntry, SolverError, StakeUnit};
use std::sync::LazyLock;

/// The solver's registry entry.
pub(crate) static SOLVER: SolverEntry = SolverEntry {
    game: GAME.name,
    about: "the EV of playing with every hand, and the optimal strategy",
    unit: StakeUnit { name: "ante", percent: false },
    options: &[DeadCards::OPTION, DeadCards::UNKNOWN],
    hands: Some("three cards: folding and playing"),
    sample: None,
    side_bet: None,
    main_bet: None,
    ways: None,
    make: |config| Ok(Box::new(Enumerated::new(config.rules::<Rules>()?).with_dead_cards(config)?)),
};

/// All three-card hands with their strengths.
static HANDS: LazyLock<Vec<(CardSet, Strength)>> = LazyLock::new(|| {
    let mut hands = Vec::new();
    for_each_subset(CardSet::DECK_52, 3, |hand| hands.push((hand, strength(hand))));
    hands
});

impl OneDecision for Rules {
    fn unit(&self) -> StakeUnit {
        SOLVER.unit
    }

    fn actions(&self) -> &'static [ActionName] {
        const { &[ActionName { name: "fold", third_person: "folds" }, ActionName { name: "play", third_person: "plays" }] }
    }

    fn encoding(&self) -> &'static str {
        Observation::Ranks.name()
    }

    fn summary(&self) -> String {
        let Rules { straight_flush_bonus: a, three_of_a_kind_bonus: b, straight_bonus: c } = self;
        format!(
            "Three Card Poker with the ante bonus {a}-{b}-{c}, every hand of the player against every hand of the dealer."
        )
    }

    fn rules(&self) -> (serde_json::Value, String) {
        (serde_json::json!(self), self.hash())
    }

    fn situations(&self) -> Vec<Situation> {
        let classes = Classes::new(3);
        let hands = classes.iter().filter(|hand| !hand.contains(Card::JOKER));
        let mut hands: Vec<CardSet> = hands.collect();
        hands.sort_by_key(|&hand| std::cmp::Reverse(strength(hand)));
        hands.into_iter().map(|hand| self.against_all(hand, CardSet::EMPTY, orbit(hand).into())).collect()
    }

    fn situation(&self, hand: &str, dead: DeadCards) -> Result<Situation, SolverError> {
        let hand: CardSet = hand.parse().map_err(SolverError::invalid)?;
        match hand.len() == 3 && hand.difference(CardSet::DECK_52).is_empty() {
            true => Ok(self.against_all(hand, dead.beside(hand, CardSet::DECK_52, 3)?, 1)),
            false => Err(SolverError::Invalid(format!("invalid hand {hand}: expected three cards and no joker"))),
        }
    }
}

impl Rules {
    /// Evaluates a hand against all dealer hands that contain neither its cards nor dead cards. `hands` is the number
    /// of hands that it represents.
    fn against_all(&self, hand: CardSet, dead: CardSet, hands: u64) -> Situation {
        let (own, known) = (strength(hand), hand.union(dead));
        let dealers = HANDS.iter().filter(|(dealer, _)| dealer.intersection(known).is_empty());
        let results = dealers.map(|(_, dealer)| self.played(own, *dealer));
        let (hidden, played) = results.fold((0, 0), |(n, sum), result| (n + 1, sum + result));
        let mut rewards = vec![0; 2];
        (rewards[FOLD], rewards[PLAY]) = (-(hidden as i64), played);
        Situation {
            example: hand.to_string(),
            group: group(own),
            hands,
            hidden,
            observation: observation(hand),
            rewards,
        }
    }
}

/// Returns the hand's category, or its highest card if it has nothing better.
fn group((category, [highest, ..]): Strength) -> String {
    match (category, highest) {
        (Category::HighCard, Rank::Ace) => "ace high",
        (Category::HighCard, Rank::King) => "king high",
        (Category::HighCard, Rank::Queen) => "queen high",
        (Category::HighCard, _) => "jack high or lower",
        _ => category.name(),
    }
    .to_owned()
}
