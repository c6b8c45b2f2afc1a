//! The environment `PaiGowTiles-v0`.
//!
#![doc = include_str!("environment.md")]
//!
#![doc = include_str!("observations.md")]

use super::house_way::WAYS;
use super::{Bank, Game, Half, Hand, Rules, SetHand, Tile};
use crate::cards::Pack;
use crate::gym::{
    CardEnv, CardGame, Comparison, Encoding, Env, EnvConfig, EnvError, EnvSpec, Example, GameEntry, MakeError, Payout,
    PublicAction, PublicBet, PublicPart, PublicSeat, PublicTable, StakeOptions, Step, from_json,
};
use crate::pai_gow::Outcome;
use crate::rules::{RuleSet, RuleTable};
use rand::Rng;
use serde_json::{Value, json};

/// The environment's versioned id.
pub const ID: &str = "PaiGowTiles-v0";

/// The environment for a [`Game`].
pub type PaiGowTiles = CardEnv<Game>;

/// The dealt hands and, once chosen, the player's setting.
#[derive(Clone, Copy, Debug)]
pub struct State {
    options: StakeOptions,
    /// The player's hand.
    pub player: Hand,
    /// The house's hand, which is hidden until the player has acted.
    pub house: Hand,
    setting: Option<usize>,
}

impl Game {
    /// Returns the outcome of each of the player's settings.
    pub fn outcomes(&self, state: &State) -> [Outcome; Hand::SETTINGS] {
        let house = self.set(state.house, self.house_choice(state.house).setting);
        self.sets(state.player).map(|set| self.outcome(set, house))
    }

    fn reward(&self, state: &State, outcome: Outcome) -> f64 {
        state.options.stake * (self.net(outcome) as f64 / self.unit() as f64)
    }

    /// Returns a set hand as text, such as `low 6-5 6-3 (0), high 6-6 6-6 (pair), setting 0`.
    fn described(&self, hand: Hand, setting: usize) -> String {
        let ([low, high], set) = (self.faces(hand, setting), self.set(hand, setting));
        format!("low {low} ({}), high {high} ({}), setting {setting}", set.low, set.high)
    }

    /// Returns the low and the high half of a set hand as they are shown to the player.
    fn public_halves(&self, hand: Hand, setting: usize) -> Vec<PublicPart> {
        let ([low, high], set) = (self.faces(hand, setting), self.set(hand, setting));
        vec![PublicPart::new("low", low).ranked(words(set.low)), PublicPart::new("high", high).ranked(words(set.high))]
    }

    /// Returns a set hand as JSON.
    fn shown(&self, hand: Hand, setting: usize) -> Value {
        let ([low, high], set) = (self.faces(hand, setting), self.set(hand, setting));
        json!({ "low": low, "high": high, "points": set.to_string() })
    }
}

/// Returns the name of a half in words.
fn words(half: Half) -> String {
    match half.points() {
        points if half.is_high_nine() || points > 9 => half.to_string(),
        1 => "1 point".to_owned(),
        points => format!("{points} points"),
    }
}

impl CardGame for Game {
    type Options = StakeOptions;
    type State = State;
    type Encoding = Observation;
    const HAS_ACTION_REWARDS: bool = true;

    fn spec(&self) -> EnvSpec {
        EnvSpec { id: ID, reward_range: (-1.0, self.net(Outcome::Win) as f64 / self.unit() as f64), max_steps: 1 }
    }

    fn rules_hash(&self) -> String {
        self.rules().hash()
    }

    fn actions(&self) -> usize {
        Hand::SETTINGS
    }

    fn observation_stays(&self) -> bool {
        true
    }

    fn check(&self, options: &StakeOptions) -> Result<(), EnvError> {
        EnvError::check_stake("stake", options.stake)
    }

    #[inline]
    fn deal(&self, options: &StakeOptions, rng: &mut impl Rng) -> State {
        let drawn = Pack::new(Tile::COUNT).draw(rng).expect("there are eight tiles");
        let [p0, p1, p2, p3, h0, h1, h2, h3] = drawn.map(|piece| Tile::from_index(piece.index()));
        let (player, house) = (Hand::new([p0, p1, p2, p3]), Hand::new([h0, h1, h2, h3]));
        State { options: *options, player, house, setting: None }
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.setting.is_some()
    }

    #[inline]
    fn check_action(&self, _: &State, action: usize) -> Result<(), String> {
        if action < Hand::SETTINGS { Ok(()) } else { Err("expected a setting from 0 to 2".to_owned()) }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: usize, _: &mut impl Rng) -> Step {
        state.setting = Some(action);
        Step { reward: self.reward(state, self.outcomes(state)[action]), terminated: true, truncated: false }
    }

    #[inline]
    fn observe(&self, encoding: Observation, state: &State, out: &mut [f32]) {
        encoding.write(state.player, self.sets(state.player), out);
    }

    fn action_rewards(&self, state: &State, out: &mut [f32]) {
        let outcomes = self.outcomes(state);
        out.iter_mut().zip(outcomes).for_each(|(out, outcome)| *out = self.reward(state, outcome) as f32);
    }

    fn outcome(&self, state: &State) -> Option<Value> {
        let setting = state.setting?;
        let outcome = self.outcomes(state)[setting];
        Some(json!({
            "player": self.shown(state.player, setting),
            "house": self.shown(state.house, self.house_choice(state.house).setting),
            "outcome": outcome,
            "net": self.reward(state, outcome),
        }))
    }

    fn house_action(&self, state: &State) -> Option<usize> {
        Some(self.house_choice(state.player).setting)
    }

    /// Returns the player's tiles and settings, the stake, and the side that banks.
    fn view(&self, state: &State) -> Option<Value> {
        let settings = (0..Hand::SETTINGS).map(|setting| self.shown(state.player, setting));
        Some(json!({
            "hand": state.player.to_string(),
            "settings": settings.collect::<Vec<_>>(),
            "stake": state.options.stake,
            "bank": self.rules().bank,
        }))
    }

    fn public_table(&self, state: &State) -> Option<PublicTable> {
        let State { player, house, .. } = *state;
        let is_own_bank = self.rules().bank == Bank::Player;
        let mut seats = [
            PublicSeat { is_banker: !is_own_bank, ..PublicSeat::banker("house") },
            PublicSeat { is_banker: is_own_bank, ..PublicSeat::own() },
        ];
        let mut bets = self.public_bets(&state.options);
        let mut actions = vec![];
        if let Some(setting) = state.setting {
            let theirs = self.house_choice(house).setting;
            let (mut own, mut others) = (self.public_halves(player, setting), self.public_halves(house, theirs));
            let [mine, their] = [self.set(player, setting), self.set(house, theirs)];
            let pairs = [(mine.low, their.low), (mine.high, their.high)];
            for ((part, other), (half, against)) in own.iter_mut().zip(&mut others).zip(pairs) {
                let result = Comparison::new(self.won(half, against), half == against);
                (part.result, other.result) = (Some(result), Some(result.reversed()));
            }
            let outcome = self.outcome(mine, their);
            (seats[0].hand, seats[1].hand) = (others, own);
            seats[1].outcome = Some(outcome.to_string());
            bets[0].net = Some(self.reward(state, outcome));
        } else {
            seats[0].hand = vec![PublicPart::hidden("tiles", Hand::TILES)];
            seats[1].hand = vec![PublicPart::new("tiles", player)];
            let described = |setting: usize| {
                let halves = self.public_halves(player, setting);
                halves.iter().map(|half| format!("{} {}: {}", half.name, half.cards, half.rank)).collect::<Vec<_>>()
            };
            let action = |action: usize| PublicAction { action, words: described(action).join(" · "), price: 0.0 };
            actions = (0..Hand::SETTINGS).map(action).collect();
        }
        Some(PublicTable { seats: seats.into(), bets, actions, ..PublicTable::default() })
    }

    fn public_bets(&self, options: &StakeOptions) -> Vec<PublicBet> {
        let odds = self.net(Outcome::Win) as f64 / self.unit() as f64;
        vec![PublicBet::placed("Stake", "stake", options.stake, Payout::only((odds * 1e4).round() / 1e4))]
    }

    fn render(&self, state: &State) -> String {
        let bank = if self.rules().bank == Bank::Player { "player" } else { "house" };
        let Some(setting) = state.setting else {
            let settings: Vec<String> =
                (0..Hand::SETTINGS).map(|it| format!("\n        {}", self.described(state.player, it))).collect();
            let (hand, stake) = (state.player, state.options.stake);
            return format!("player  {hand}{}\nhouse   face down\nstake   {stake}, bank {bank}", settings.concat());
        };
        let choice = self.house_choice(state.house);
        let outcome = self.outcomes(state)[setting];
        format!(
            "player  {}\nhouse   {}, by the rule {}\nresult  {outcome}; net {}",
            self.described(state.player, setting),
            self.described(state.house, choice.setting),
            self.way().rule(choice).name,
            self.reward(state, outcome)
        )
    }
}

crate::named_enum! {
    /// An observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The indices of the four tiles.
        RawTiles,
        /// The number of tiles of each kind.
        Counts,
        /// The number of tiles of each kind, and the strengths of both halves in each setting.
        #[default]
        Halves,
    }
}

/// The number of entries in the `counts` encoding.
const COUNTS: usize = 17;

impl Encoding for Observation {
    fn len(self) -> usize {
        match self {
            Observation::RawTiles => Hand::TILES,
            Observation::Counts => COUNTS,
            Observation::Halves => COUNTS + 4 * Hand::SETTINGS,
        }
    }

    fn high(self) -> f32 {
        if self == Observation::RawTiles { 31.0 } else { 1.0 }
    }
}

impl Observation {
    /// Writes the observation of a hand, given the strengths of its settings.
    ///
    /// # Panics
    /// Panics unless `out` has [`Encoding::len`] entries.
    #[inline]
    pub fn write(self, hand: Hand, sets: [SetHand; Hand::SETTINGS], out: &mut [f32]) {
        assert_eq!(out.len(), self.len(), "the length of the observation");
        if self == Observation::RawTiles {
            out.iter_mut().zip(hand.tiles()).for_each(|(place, tile)| *place = tile.index() as f32);
            return;
        }
        out[..COUNTS].fill(0.0);
        for tile in hand.tiles() {
            out[tile.value()] += if tile.value() < COUNTS - 2 { 0.5 } else { 1.0 };
        }
        if self == Observation::Halves {
            for (row, set) in out[COUNTS..].chunks_exact_mut(4).zip(sets) {
                let numbers = |half: Half| [f32::from(half.points()) / 12.0, f32::from(half.place()) / 32.0];
                row[..2].copy_from_slice(&numbers(set.low));
                row[2..].copy_from_slice(&numbers(set.high));
            }
        }
    }
}

/// The game's entry in the registry.
pub const GAME: GameEntry = GameEntry {
    name: "pai-gow-tiles",
    id: ID,
    folder: "pai_gow_tiles",
    title: "Pai Gow with tiles, four tiles in two halves against the bank",
    source: "rules of casinos and regulators, which the page lists",
    rules: RuleTable::of::<Rules>(),
    data: &[("house ways", &WAYS), ("side bets", &super::PAYTABLES)],
    encodings: &Observation::NAMES,
    action_names: || ["best with second", "best with third", "best with fourth"].map(str::to_owned).to_vec(),
    documentation: crate::gym::pages!(),
    examples: &[
        Example {
            name: "player-banks",
            config: r#"{"rules": {"bank": "player", "way": "foxwoods"}}"#,
            options: &["{}", r#"{"stake": 25}"#],
        },
        Example {
            name: "other-readings",
            config: r#"{"rules": {"singles": "groups", "special": "second_tile", "zero": "ranked", "copies": "push", "commission": "prepaid", "only-way": "off", "way": "canberra"}}"#,
            options: &[r#"{"stake": 21}"#],
        },
    ],
    make,
    seated: None,
};

/// Creates the environment from an [`EnvConfig`] in JSON.
fn make(config: &str) -> Result<Box<dyn Env>, MakeError> {
    let EnvConfig { rules, observation, paytable: () }: EnvConfig<Rules, Observation, ()> = from_json(config)?;
    Ok(Box::new(PaiGowTiles::new(Game::new(rules)).with_encoding(observation)))
}
