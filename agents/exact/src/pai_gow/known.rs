//! Represents the cards known to a player: their own hand, plus dead cards that the banker can't hold.

use crate::solver::{DeadCards, SolverError};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::binomial;
use houseway_env::pai_gow::Hand;

/// A hand along with dead cards, which the other side can't hold.
///
/// Functions that evaluate a hand accept a [`Hand`] as well, which has no dead cards.
///
/// ```
/// use houseway_env::cards::CardSet;
/// use houseway_env::pai_gow::Hand;
/// use houseway_exact::pai_gow::KnownCards;
///
/// let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse()?;
/// let known = KnownCards::new(hand, "Qh 3c".parse::<CardSet>()?)?;
/// assert_eq!(known.other_hands(), 38_320_568);
/// assert!(KnownCards::new(hand, "Qh Kd".parse::<CardSet>()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownCards {
    hand: Hand,
    dead: DeadCards,
}

impl From<Hand> for KnownCards {
    fn from(hand: Hand) -> KnownCards {
        KnownCards { hand, dead: DeadCards::default() }
    }
}

impl KnownCards {
    /// Combines a hand with dead cards.
    ///
    /// # Errors
    /// Returns an error if a dead card is in the hand or isn't in the deck, or if fewer than seven other cards remain.
    pub fn new(hand: Hand, dead: impl Into<DeadCards>) -> Result<KnownCards, SolverError> {
        let dead = dead.into();
        dead.beside(hand.set(), CardSet::DECK_53, Hand::CARDS)?;
        Ok(KnownCards { hand, dead })
    }

    /// Returns the hand.
    pub const fn hand(self) -> Hand {
        self.hand
    }

    /// Returns the dead cards.
    pub const fn dead(self) -> DeadCards {
        self.dead
    }

    /// Returns all known cards, including the hand.
    pub const fn set(self) -> CardSet {
        self.hand.set().union(self.dead.cards())
    }

    /// Returns the number of hands that the other side can hold. With d dead cards, this is C(46 - d, 7).
    pub const fn other_hands(self) -> u64 {
        binomial((CardSet::DECK_53.len() - self.set().len()) as u64, Hand::CARDS as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::outcomes::DealCounts;
    use crate::pai_gow::{BankerTable, HandEvaluator};
    use crate::registry::find;
    use crate::solver::{Control, SolverConfig};
    use houseway_env::cards::Card;
    use houseway_env::gym::Env;
    use houseway_env::pai_gow::known_cards::{KnownCardsOptions, MAX_KNOWN_CARDS, from_config};
    use houseway_env::pai_gow::{Game, Outcome, ProfileTable, Rules, Setting};

    fn options(known_cards: usize) -> KnownCardsOptions {
        KnownCardsOptions { known_cards, ..KnownCardsOptions::default() }
    }

    /// The weighted sum of the differences between outcomes and their exact probabilities, with its variance.
    #[derive(Clone, Copy, Default)]
    struct Residuals {
        sum: f64,
        variance: f64,
        /// The sum's expected size if the probabilities were wrong by the weights.
        shift: f64,
    }

    impl Residuals {
        fn add(&mut self, weight: f64, happened: bool, probability: f64) {
            self.sum += weight * (f64::from(u8::from(happened)) - probability);
            self.variance += weight * weight * probability * (1.0 - probability);
            self.shift += weight * weight;
        }
    }

    /// The environment deals the banker's hands with the probabilities that the exact counts assume.
    ///
    /// For wins and losses, this compares outcomes with their probabilities given the known cards, once with equal
    /// weights and once weighted by how much the known cards change the probability. If the banker's hands didn't
    /// depend on the known cards, the second sum would be off by `shift`. All 16 statistics are approximately standard
    /// normal, so with a random seed, one of them would exceed 4 one time in 1,000. This seed is fixed.
    #[test]
    fn the_environment_deals_as_the_exact_counts_assume() {
        let mut env = from_config("{}").unwrap();
        let banked = env.game().clone();
        let banker = BankerTable::new(&**banked.banked.banker());
        let evaluator = HandEvaluator::new(banked.banked.game(), &banker);
        env.reset(Some(31), None).unwrap();
        for (known_cards, episodes) in [(7, 150), (21, 300), (35, 1_000), (38, 1_000)] {
            let mut residuals = [Residuals::default(); 4];
            for _ in 0..episodes {
                env.start(None, &options(known_cards)).unwrap();
                let state = env.state().unwrap();
                let hand = state.player.hand();
                let known = KnownCards::new(hand, state.known_cards).unwrap();
                let action = env.house_action().unwrap();
                let probabilities = |known: KnownCards| {
                    let counts = evaluator.count(known).get(Setting::from_index(action).unwrap()).unwrap();
                    [counts.wins, counts.losses].map(|count| count as f64 / known.other_hands() as f64)
                };
                let (given, prior) = (probabilities(known), probabilities(hand.into()));
                env.step(action).unwrap();
                let outcome: Outcome = env.outcome().unwrap()["outcome"].as_str().unwrap().parse().unwrap();
                for (i, expected) in [Outcome::Win, Outcome::Loss].into_iter().enumerate() {
                    residuals[i].add(1.0, outcome == expected, given[i]);
                    residuals[2 + i].add(given[i] - prior[i], outcome == expected, given[i]);
                }
            }
            for (i, Residuals { sum, variance, shift }) in residuals.into_iter().enumerate() {
                let deviation = variance.sqrt();
                assert!((sum / deviation).abs() < 4.0, "{known_cards} known cards: {sum} with {deviation}");
                assert!(i < 2 || known_cards < 35 || shift / deviation > 8.0, "the test should notice other hands");
            }
        }
    }

    #[test]
    fn all_known_cards_leave_one_hand_to_the_banker() {
        let mut env = from_config("{}").unwrap();
        let banked = env.game().clone();
        let banker = BankerTable::new(&**banked.banked.banker());
        let evaluator = HandEvaluator::new(banked.banked.game(), &banker);
        for seed in 0..200 {
            env.start(Some(seed), &options(MAX_KNOWN_CARDS)).unwrap();
            let state = env.state().unwrap();
            let known = KnownCards::new(state.player.hand(), state.known_cards).unwrap();
            assert_eq!(known.other_hands(), 1);
            let (counts, rewards) = (evaluator.count(known), env.game().banked.rewards(state));
            for setting in Setting::all() {
                let reward = Some(rewards[setting.index()]).filter(|reward| !reward.is_nan());
                assert_eq!(counts.ev(setting).map(|ev| ev.value() as f32), reward);
            }
        }
    }

    #[test]
    fn decisions_use_the_known_cards() {
        let solver = |dead: &str| {
            let config = SolverConfig::default().option("dead", dead);
            find("pai-gow-poker").unwrap().solver(&config).unwrap()
        };
        let mut env = from_config("{}").unwrap();
        env.start(Some(3), &options(14)).unwrap();
        let view = env.view().unwrap();
        let control = Control::default();
        let decision = solver("").decision(&view, &control).unwrap().unwrap();
        let answer =
            solver(view["known_cards"].as_str().unwrap()).value(view["hand"].as_str().unwrap(), &control).unwrap();
        for (ev, setting) in decision.evs.iter().zip(answer.json["settings"].as_array().unwrap()) {
            assert_eq!(*ev, setting["ev"].as_f64());
        }
        let mut other = view.clone();
        other["known_cards"] = view["hand"].clone();
        let error = solver("").decision(&other, &control).unwrap_err().to_string();
        assert!(error.contains("is in play"), "{error}");
    }

    /// Each banker hand lacks two unknown cards in the same number of ways, so the outcomes of every setting are the same
    /// on average. A player who sees the cards before choosing does at least
    /// as well.
    #[test]
    fn unknown_cards_change_no_average() {
        let game = Game::new(Rules::default());
        let banker = BankerTable::new(&ProfileTable::max_front(&game));
        let evaluator = HandEvaluator::new(&game, &banker);
        let hand: Hand = "9s 9d 4c 4d Kh 6c 3s".parse().unwrap();
        let counts = evaluator.count(hand);
        let unseen: Vec<Card> = CardSet::DECK_53.difference(hand.set()).iter().collect();
        let (mut sums, mut best) = ([DealCounts::default(); Setting::COUNT], 0.0);
        for (i, &first) in unseen.iter().enumerate() {
            for &second in &unseen[..i] {
                let dead = CardSet::EMPTY.with(first).with(second);
                let beside = evaluator.count(KnownCards::new(hand, dead).unwrap());
                for (sum, counts) in sums.iter_mut().zip(beside.settings()) {
                    *sum = sum.plus(counts.unwrap_or_default());
                }
                best += beside.ev(beside.best()).unwrap().value() / 1_035.0;
            }
        }
        for setting in Setting::all() {
            let expected = counts.get(setting).unwrap_or_default();
            assert_eq!(sums[setting.index()], expected.times(binomial(39, 2)), "{setting:?}");
        }
        assert!(best > counts.ev(counts.best()).unwrap().value() - 1e-9);
        let ev = |unknown: &str| {
            let config = SolverConfig::default().option("unknown", unknown);
            find("pai-gow-poker").unwrap().solver(&config)?.value("9s 9d 4c 4d Kh 6c 3s", &Control::default())
        };
        let [without, with] = ["0", "35"].map(|unknown| ev(unknown).unwrap().json);
        assert_eq!((&with["settings"], with["unknown"].as_u64()), (&without["settings"], Some(35)));
        assert!(ev("40").unwrap_err().to_string().contains("at most 39"));
    }
}
