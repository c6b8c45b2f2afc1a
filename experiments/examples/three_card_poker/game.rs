//! Three Card Poker.
//!
#![doc = include_str!("rules.md")]

use houseway_env::cards::{Card, CardSet, Pack, Rank};
use houseway_env::gym::{
    CardEnv, CardGame, Encoding, Env, EnvConfig, EnvError, EnvSpec, Example, GameEntry, MakeError, Step, from_json,
};

use houseway_env::rules::{RuleSet, RuleTable};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// The game's registry entry.
pub(crate) static GAME: GameEntry = GameEntry {
    name: "three-card-poker",
    id: "ThreeCardPoker-v0",
    folder: "three_card_poker",
    title: "Three Card Poker, ante and play against the dealer",
    source: "wizardofodds.com/games/three-card-poker",
    rules: RuleTable::of::<Rules>(),
    data: &[],
    encodings: &Observation::NAMES,
    action_names: || ["fold", "play"].map(str::to_owned).to_vec(),
    documentation: &[("Rules", include_str!("rules.md"))],
    examples: &[Example {
        name: "low-bonus",
        config: r#"{"rules": {"straight-flush-bonus": 3, "three-of-a-kind-bonus": 2}}"#,
        options: &[r#"{"ante": 25}"#],
    }],
    make,
    seated: None,
};

/// The indices of the actions.
pub(crate) const FOLD: usize = 0;
pub(crate) const PLAY: usize = 1;

houseway_env::rules! {
    /// The rules of Three Card Poker.
    #[derive(Copy)]
    pub(crate) struct Rules {
        /// The bonus for a straight flush, to 1.
        parameter straight_flush_bonus: u8 = 5;
        /// The bonus for three of a kind, to 1.
        parameter three_of_a_kind_bonus: u8 = 4;
        /// The bonus for a straight, to 1.
        parameter straight_bonus: u8 = 1;
    }
}

/// The categories of hands, from the lowest to the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Category {
    HighCard,
    Pair,
    Flush,
    Straight,
    ThreeOfAKind,
    StraightFlush,
}

impl Category {
    /// Returns the category's name.
    pub(crate) const fn name(self) -> &'static str {
        ["high card", "pair", "flush", "straight", "three of a kind", "straight flush"][self as usize]
    }
}

/// A hand's strength: its category, followed by its ranks in order of significance.
pub(crate) type Strength = (Category, [Rank; 3]);

/// The lowest hand that qualifies the dealer.
const QUALIFIES: Strength = (Category::HighCard, [Rank::Queen, Rank::Three, Rank::Two]);

/// Returns the strength of three cards without a joker.
pub(crate) fn strength(hand: CardSet) -> Strength {
    let mut cards = hand.iter().filter_map(|card| card.rank().zip(card.suit()));
    let [(a, first), (b, second), (c, third)] = std::array::from_fn(|_| cards.next().expect("a hand has three cards"));
    let flush = first == second && second == third;
    let wheel = (a, b, c) == (Rank::Ace, Rank::Three, Rank::Two);
    let straight = wheel || a.index() == b.index() + 1 && b.index() == c.index() + 1;
    let category = match (straight, flush) {
        (true, true) => Category::StraightFlush,
        (true, false) => Category::Straight,
        (false, true) => Category::Flush,
        (false, false) if a == c => Category::ThreeOfAKind,
        (false, false) if a == b || b == c => Category::Pair,
        (false, false) => Category::HighCard,
    };
    (category, if wheel || b == c { [b, c, a] } else { [a, b, c] })
}

impl Rules {
    /// Returns the result of playing in antes, including the bonus.
    pub(crate) fn played(&self, player: Strength, dealer: Strength) -> i64 {
        let bonus = match player.0 {
            Category::StraightFlush => self.straight_flush_bonus,
            Category::ThreeOfAKind => self.three_of_a_kind_bonus,
            Category::Straight => self.straight_bonus,
            _ => 0,
        };
        let duel = if dealer < QUALIFIES { 1 } else { 2 * player.cmp(&dealer) as i64 };
        duel + i64::from(bonus)
    }
}

houseway_env::named_enum! {
    /// The observation encodings.
    #[derive(Default)]
    pub(crate) enum Observation: kebab_case {
        /// Four one-hot blocks. The first 6 numbers indicate the hand's category, from high card to straight flush.
        /// Then there are 13 numbers for each card, which indicate its rank, from 2 to ace. The cards are in order of
        /// significance, so a pair comes before the third card.
        #[default]
        Ranks,
    }
}

impl Encoding for Observation {
    fn len(self) -> usize {
        6 + 3 * Rank::ALL.len()
    }
}

/// Returns a hand's observation.
pub(crate) fn observation(hand: CardSet) -> Vec<f32> {
    let (category, ranks) = strength(hand);
    let mut places = vec![0.0; Observation::Ranks.len()];
    places[category as usize] = 1.0;
    for (card, rank) in ranks.into_iter().enumerate() {
        places[6 + card * Rank::ALL.len() + rank.index()] = 1.0;
    }
    places
}

/// The reset options.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Options {
    /// The ante, above 0 and at most 1e9.
    pub ante: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { ante: 1.0 }
    }
}

/// The state of a round. `last` is the action that was played, if there has been one.
#[derive(Clone)]
pub(crate) struct Round {
    ante: f64,
    player: CardSet,
    dealer: CardSet,
    last: Option<usize>,
}

impl CardGame for Rules {
    type Options = Options;
    type State = Round;
    type Encoding = Observation;
    const HAS_ACTION_REWARDS: bool = true;

    fn spec(&self) -> EnvSpec {
        let bonus = self.straight_flush_bonus.max(self.three_of_a_kind_bonus).max(self.straight_bonus);
        EnvSpec { id: GAME.id, reward_range: (-2.0, 2.0 + f64::from(bonus)), max_steps: 1 }
    }

    fn rules_hash(&self) -> String {
        self.hash()
    }

    fn actions(&self) -> usize {
        2
    }

    fn check(&self, options: &Options) -> Result<(), EnvError> {
        EnvError::check_stake("ante", options.ante)
    }

    fn deal(&self, options: &Options, rng: &mut impl Rng) -> Round {
        let cards: [Card; 6] = Pack::new(52).draw(rng).expect("a pack has six cards");
        let (player, dealer) = cards.split_at(3);
        let [player, dealer] = [player, dealer].map(|cards| cards.iter().copied().collect());
        Round { ante: options.ante, player, dealer, last: None }
    }

    fn is_over(&self, round: &Round) -> bool {
        round.last.is_some()
    }

    fn check_action(&self, _: &Round, action: usize) -> Result<(), String> {
        if action <= PLAY { Ok(()) } else { Err(format!("expected {FOLD} to fold or {PLAY} to play")) }
    }

    fn apply(&self, round: &mut Round, action: usize, _: &mut impl Rng) -> Step {
        round.last = Some(action);
        Step { reward: self.net(round, action), terminated: true, truncated: false }
    }

    fn observe(&self, _: Observation, round: &Round, out: &mut [f32]) {
        out.copy_from_slice(&observation(round.player));
    }

    fn render(&self, round: &Round) -> String {
        let shown = |hand| format!("{hand} ({})", strength(hand).0.name());
        let text = format!("player  {}\n", shown(round.player));
        match round.last {
            None => text + &format!("dealer  three cards, face down\nante    {}", round.ante),
            Some(action) => {
                let did = if action == FOLD { "folded" } else { "played" };
                text + &format!("dealer  {}\nresult  {did}; net {}", shown(round.dealer), self.net(round, action))
            }
        }
    }

    fn action_rewards(&self, round: &Round, out: &mut [f32]) {
        out.iter_mut().enumerate().for_each(|(action, out)| *out = self.net(round, action) as f32);
    }
}

impl Rules {
    /// Returns the net result of an action, in the same unit as the ante.
    fn net(&self, round: &Round, action: usize) -> f64 {
        let antes = if action == FOLD { -1 } else { self.played(strength(round.player), strength(round.dealer)) };
        round.ante * antes as f64
    }
}

fn make(config: &str) -> Result<Box<dyn Env>, MakeError> {
    let EnvConfig { rules, observation, paytable: () }: EnvConfig<Rules, Observation, ()> = from_json(config)?;
    Ok(Box::new(CardEnv::new(rules).with_encoding(observation)))
}
