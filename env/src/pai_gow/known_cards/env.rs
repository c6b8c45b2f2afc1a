//! The environment `PaiGowKnownCards-v0`, with one player and one step per episode.
//!
#![doc = include_str!("environment.md")]
//!
#![doc = include_str!("observations.md")]

use crate::cards::CardSet;
use crate::gym::{
    CardEnv, CardGame, Encoding, EnvError, EnvSpec, Example, GameEntry, MakeError, PublicBet, PublicPart, PublicTable,
};
use crate::pai_gow::house_way::HouseWay;
use crate::pai_gow::observe::Observation as HandObservation;
use crate::pai_gow::{
    BankedGame, BankerStrategy, CARDS, Candidates, Config, Game, Hand, PaiGowOptions, State, play_as_banked,
};
use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The environment's versioned id.
pub const ID: &str = "PaiGowKnownCards-v0";

/// The maximum number of known cards. With this many, the player knows every card that neither side holds.
pub const MAX_KNOWN_CARDS: usize = CARDS - 2 * Hand::CARDS;

/// The maximum number of known cards per line of a rendering.
const CARDS_PER_LINE: usize = 20;

/// The environment. `B` is the type of the banker.
pub type KnownCardsPaiGow<B> = CardEnv<KnownCardsGame<B>>;

/// Reset options for the environment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct KnownCardsOptions {
    /// The stake on the hand, which must be above 0 and at most 1e9. Defaults to 1.
    pub stake: f64,
    /// The stake on the side bet, from 0 to 1e9. Defaults to 0, meaning no side bet.
    pub side_stake: f64,
    /// The number of known cards, from 0 to 39 ([`MAX_KNOWN_CARDS`]). Defaults to 7, the size of one other player's hand.
    pub known_cards: usize,
}

impl Default for KnownCardsOptions {
    fn default() -> KnownCardsOptions {
        let PaiGowOptions { stake, side_stake, .. } = PaiGowOptions::default();
        KnownCardsOptions { stake, side_stake, known_cards: Hand::CARDS }
    }
}

impl KnownCardsOptions {
    /// Returns the options for the game without known cards.
    fn stakes(&self) -> PaiGowOptions {
        PaiGowOptions { stake: self.stake, side_stake: self.side_stake, hand: None }
    }
}

/// The game against a banker that follows a fixed strategy. It is a [`BankedGame`] in which the player sees cards that
/// neither side holds.
pub struct KnownCardsGame<B: ?Sized> {
    /// The game without the known cards.
    pub banked: BankedGame<B>,
}

impl<B: BankerStrategy + Send + ?Sized> CardGame for KnownCardsGame<B> {
    type Options = KnownCardsOptions;
    type Encoding = Observation;
    const HAS_ACTION_REWARDS: bool = true;

    play_as_banked!();

    fn spec(&self) -> EnvSpec {
        EnvSpec { id: ID, ..self.banked.spec() }
    }

    /// Returns the hash of the game without known cards. The number of known cards is an option.
    fn rules_hash(&self) -> String {
        self.banked.rules_hash()
    }

    fn check(&self, options: &KnownCardsOptions) -> Result<(), EnvError> {
        EnvError::check_range("known-cards", options.known_cards, 0..=MAX_KNOWN_CARDS)?;
        self.banked.check(&options.stakes())
    }

    fn deal(&self, options: &KnownCardsOptions, rng: &mut impl Rng) -> State {
        self.banked.deal_with_known_cards(&options.stakes(), options.known_cards, rng)
    }

    fn observe(&self, encoding: Observation, state: &State, out: &mut [f32]) {
        encoding.write(self.banked.game(), &state.player, state.known_cards, out);
    }

    fn outcome(&self, state: &State) -> Option<Value> {
        self.banked.outcome(state)
    }

    /// Returns the view of the game without known cards, with the known cards added.
    fn view(&self, state: &State) -> Option<Value> {
        let mut view = self.banked.view(state)?;
        view["known_cards"] = state.known_cards.to_string().into();
        Some(view)
    }

    fn public_table(&self, state: &State) -> Option<PublicTable> {
        let board = vec![PublicPart::new("known cards", state.known_cards)];
        Some(PublicTable { board, ..self.banked.table(state, "banker", false) })
    }

    fn public_bets(&self, options: &KnownCardsOptions) -> Vec<PublicBet> {
        self.banked.bets(&options.stakes())
    }

    fn render(&self, state: &State) -> String {
        let text = self.banked.render(state);
        let (player, others) = text.split_once('\n').unwrap_or((&text, ""));
        format!("{player}\n{}{others}", known_lines(state.known_cards))
    }

    /// The rewards for fouls are undefined and written as 0.
    fn action_rewards(&self, state: &State, out: &mut [f32]) {
        self.banked.action_rewards(state, out);
    }
}

/// Returns the lines of text that list the known cards.
fn known_lines(known: CardSet) -> String {
    if known.is_empty() {
        return "known   no cards\n".to_owned();
    }
    let cards: Vec<String> = known.iter().map(|card| card.to_string()).collect();
    let lines = cards.chunks(CARDS_PER_LINE).enumerate();
    lines.map(|(i, cards)| format!("{:8}{}\n", if i == 0 { "known" } else { "" }, cards.join(" "))).collect()
}

/// An observation encoding. It consists of an encoding of the player's hand, followed by a flag for each card that says
/// whether it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Observation(pub HandObservation);

impl Encoding for Observation {
    fn len(self) -> usize {
        self.0.len() + CARDS
    }

    fn high(self) -> f32 {
        self.0.high()
    }
}

impl Observation {
    /// Writes the observation of a hand and the known cards. `out` must have [`Encoding::len`] entries.
    pub fn write(self, game: &Game, hand: &Candidates, known: CardSet, out: &mut [f32]) {
        let (own, flags) = out.split_at_mut(self.0.len());
        self.0.write(game, hand, own);
        flags.fill(0.0);
        known.iter().for_each(|card| flags[card.index()] = 1.0);
    }
}

/// The game's entry in the registry.
pub const GAME: GameEntry = GameEntry {
    name: "pai-gow-known-cards",
    id: ID,
    folder: "pai_gow/known_cards",
    title: "Pai Gow Poker with known cards, one player against the banker",
    documentation: crate::gym::pages!(),
    examples: &[
        Example { name: "three-hands", config: "{}", options: &[r#"{"known-cards": 21}"#] },
        Example {
            name: "every-card",
            config: r#"{"rules": {"commission": "0.04"}, "banker": "foxwoods", "observation": "raw-cards"}"#,
            options: &[r#"{"stake": 20, "side-stake": 5, "known-cards": 39}"#],
        },
        Example { name: "no-card", config: r#"{"observation": "raw-cards"}"#, options: &[r#"{"known-cards": 0}"#] },
    ],
    make: |config| Ok(Box::new(from_config(config)?)),
    ..crate::pai_gow::GAME
};

/// Creates the environment from a configuration. Its keys are the same as for
/// [`pai_gow::from_config`](crate::pai_gow::from_config).
///
/// # Errors
/// Returns an error if a key or value is invalid, or if the house way, a reading or the paytable does not exist.
pub fn from_config(config: &str) -> Result<KnownCardsPaiGow<HouseWay>, MakeError> {
    let (banked, encoding) = Config::game(config)?;
    Ok(KnownCardsPaiGow::new(KnownCardsGame { banked }).with_encoding(encoding))
}

#[cfg(test)]
mod tests;
