//! The environment `AsianStud-v0`.
//!
//! | | |
//! |---|---|
//! | reset | deals five cards each to the dealer and the first player; options: ante, side stake, number of players |
//! | observation | the five cards of the player whose turn it is, in one of the encodings of [`Observation`] |
//! | action | 0 folds, 1 raises; both are always legal |
//! | reward | the player's net result, side bet included, in units of which the ante option counts |
//! | end | terminated after every player has decided, never truncated |
//!
//! With several players the agent decides for each in turn, seeing that player's cards alone; all are settled against the
//! same dealer's hand, and each step's reward is that player's. The dealer's hand is no part of any observation.
//!
//! The cards are dealt before the decision, so the rewards of both actions are settled then: [`AsianStud::rewards`] gives
//! them, for learners that are allowed to look.
//!
//! Versions: v0, the first.

use super::{FOLDED, Game, Hand, Observation, Paytable, Rules, SideBet, SideBetOnFold, UNIT, Value};
use crate::cards::{Card, Pack};
use crate::gym::{
    AnyEnv, BoxSpace, Counterfactual, DEFAULT_SEED, Discrete, Env, EnvConfig, EnvError, EnvSpec, MakeError, Step,
    StreamSeed, erase_counterfactual, stream,
};
use crate::rules::RuleSet;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::sync::Arc;

/// The action that loses the ante.
pub const FOLD: usize = 0;
/// The action that doubles the stake.
pub const RAISE: usize = 1;
/// Players for whom, with the dealer, the pack has cards.
pub const HIGHEST_PLAYERS: usize = 9;
/// The highest stake, so that rewards stay finite and exact enough.
const HIGHEST_STAKE: f64 = 1e9;

/// What a reset can choose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AsianStudOptions {
    /// Each player's ante, above 0 and at most 1e9. 1 by default.
    pub ante: f64,
    /// Each player's stake on the side bet, 0 to 1e9. 0 by default: no side bet.
    pub side_stake: f64,
    /// How many players there are, 1 to 9. 1 by default.
    pub players: usize,
}

impl Default for AsianStudOptions {
    fn default() -> AsianStudOptions {
        AsianStudOptions { ante: 1.0, side_stake: 0.0, players: 1 }
    }
}

/// What clones share: nothing of it changes in play.
struct Table {
    game: Game,
    side_bet: SideBet,
}

/// The environment.
#[derive(Clone)]
pub struct AsianStud {
    table: Arc<Table>,
    observation: Observation,
    rng: Option<Pcg64>,
    round: Option<Round>,
}

/// A round in progress.
#[derive(Clone, Copy)]
struct Round {
    options: AsianStudOptions,
    pack: Pack,
    dealer: Dealt,
    player: Dealt,
    /// The player whose turn it is, from 0.
    seat: usize,
    /// What the last player did, and what came of it.
    last: Option<(usize, f64)>,
}

/// Five cards and their value.
#[derive(Clone, Copy)]
struct Dealt {
    hand: Hand,
    value: Value,
}

impl Round {
    const fn is_over(&self) -> bool {
        self.seat + 1 == self.options.players && self.last.is_some()
    }
}

impl AsianStud {
    /// The versioned id.
    pub const ID: &'static str = "AsianStud-v0";

    /// The environment under these rules, with the default paytable for the side bet and the encoding
    /// [`Observation::Points`].
    pub fn new(rules: Rules) -> AsianStud {
        AsianStud::on(rules, Paytable::default(), Observation::default())
    }

    fn on(rules: Rules, paytable: Paytable, observation: Observation) -> AsianStud {
        let table = Table { game: Game::new(rules), side_bet: SideBet::new(paytable, &rules) };
        AsianStud { table: Arc::new(table), observation, rng: None, round: None }
    }

    /// The same with other observations.
    #[must_use]
    pub fn with_observation(mut self, observation: Observation) -> AsianStud {
        self.observation = observation;
        self
    }

    /// The same game with another paytable for the side bet, not yet reset.
    #[must_use]
    pub fn with_paytable(self, paytable: Paytable) -> AsianStud {
        AsianStud::on(*self.game().rules(), paytable, self.observation)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.table.game
    }

    /// The side bet.
    pub fn side_bet(&self) -> &SideBet {
        &self.table.side_bet
    }

    /// The encoding of observations.
    pub const fn observation(&self) -> Observation {
        self.observation
    }

    /// The cards of the player whose turn it is, once dealt; after the end those of the last player.
    pub fn player(&self) -> Option<Hand> {
        self.round.map(|round| round.player.hand)
    }

    /// The dealer's cards, once the round is over.
    pub fn dealer(&self) -> Option<Hand> {
        self.round.filter(Round::is_over).map(|round| round.dealer.hand)
    }

    /// What folding and raising bring the player whose turn it is, side bet included. This looks at the dealer's cards: for
    /// learning from all actions, not for play.
    ///
    /// # Errors
    /// [`EnvError::NotReset`].
    pub fn rewards(&self) -> Result<[f64; 2], EnvError> {
        let round = self.round.as_ref().ok_or(EnvError::NotReset)?;
        Ok([FOLD, RAISE].map(|action| self.net(round, action)))
    }

    #[inline]
    fn net(&self, round: &Round, action: usize) -> f64 {
        let AsianStudOptions { ante, side_stake, .. } = round.options;
        let Table { game, side_bet } = &*self.table;
        let parts = if action == FOLD { FOLDED } else { game.raised(round.player.value, round.dealer.value) };
        let main = ante * (parts as f64 / UNIT as f64);
        if side_stake == 0.0 {
            return main;
        }
        let lost = action == FOLD && game.rules().side_bet_on_fold == SideBetOnFold::Lost;
        main + side_stake * if lost { -1.0 } else { side_bet.net(round.player.hand) as f64 }
    }

    #[inline]
    fn dealt(&self, cards: [Card; 5]) -> Dealt {
        Dealt { hand: Hand::of_drawn(cards), value: self.table.game.value_of_cards(cards) }
    }

    fn in_play(&self) -> Result<&Round, EnvError> {
        match &self.round {
            None => Err(EnvError::NotReset),
            Some(round) if round.is_over() => Err(EnvError::EpisodeOver),
            Some(round) => Ok(round),
        }
    }
}

impl Env for AsianStud {
    type Options = AsianStudOptions;

    fn spec(&self) -> EnvSpec {
        EnvSpec { id: Self::ID, reward_range: (-2.0, self.table.game.highest()), max_steps: HIGHEST_PLAYERS }
    }

    /// Of the rules and of the paytable.
    fn rules_hash(&self) -> String {
        let paytable = serde_json::to_string(self.table.side_bet.paytable().rows()).expect("a paytable is plain data");
        let mut sha = Sha256::new_with_prefix(self.table.game.rules().hash());
        sha.update(paytable);
        sha.finalize()[..8].iter().fold(String::new(), |mut hash, byte| {
            let _ = write!(hash, "{byte:02x}");
            hash
        })
    }

    fn observation_space(&self) -> BoxSpace {
        self.observation.space()
    }

    fn action_space(&self) -> Discrete {
        Discrete(2)
    }

    fn check_options(&self, options: &AsianStudOptions) -> Result<(), EnvError> {
        let AsianStudOptions { ante, side_stake, players } = *options;
        let refuse = |option, reason| Err(EnvError::BadOption { option, reason });
        if !(ante > 0.0 && ante <= HIGHEST_STAKE) {
            return refuse("ante", format!("{ante} is no ante; it must be above 0 and at most {HIGHEST_STAKE}"));
        }
        if !(0.0..=HIGHEST_STAKE).contains(&side_stake) {
            let reason = format!("{side_stake} is no side stake; it must be 0 (no side bet) to {HIGHEST_STAKE}");
            return refuse("side-stake", reason);
        }
        if !(1..=HIGHEST_PLAYERS).contains(&players) {
            return refuse("players", format!("{players} players cannot be dealt to; choose 1 to {HIGHEST_PLAYERS}"));
        }
        Ok(())
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &AsianStudOptions) -> Result<(), EnvError> {
        self.check_options(options)?;
        if let Some(seed) = seed {
            self.rng = Some(stream(seed));
        }
        let rng = self.rng.get_or_insert_with(|| stream(DEFAULT_SEED.into()));
        let mut pack = Pack::new(self.table.game.rules().joker.cards());
        if let Some([d0, d1, d2, d3, d4, p0, p1, p2, p3, p4]) = pack.draw(rng) {
            let (dealer, player) = (self.dealt([d0, d1, d2, d3, d4]), self.dealt([p0, p1, p2, p3, p4]));
            self.round = Some(Round { options: *options, pack, dealer, player, seat: 0, last: None });
        }
        Ok(())
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.in_play()?;
        if self.action_space().contains(action) {
            return Ok(());
        }
        Err(EnvError::IllegalAction { action, reason: format!("there are {FOLD} to fold and {RAISE} to raise") })
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        self.check_action(action)?;
        let mut round = *self.in_play()?;
        let reward = self.net(&round, action);
        round.last = Some((action, reward));
        if !round.is_over()
            && let Some(rng) = &mut self.rng
            && let Some(cards) = round.pack.draw(rng)
        {
            round.seat += 1;
            round.player = self.dealt(cards);
            // A new player's turn, who has done nothing yet.
            round.last = None;
        }
        let terminated = round.is_over();
        self.round = Some(round);
        Ok(Step { reward, terminated, truncated: false })
    }

    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let player = self.round.as_ref().ok_or(EnvError::NotReset)?.player;
        self.observation.write(player.hand, player.value, out)
    }

    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        let round = self.round.as_ref().ok_or(EnvError::NotReset)?;
        EnvError::check_length("the action mask", out.len(), 2)?;
        out.fill(!round.is_over());
        Ok(())
    }

    fn render(&self) -> String {
        let Some(round) = &self.round else { return "no hand dealt yet".to_owned() };
        let AsianStudOptions { ante, side_stake, players } = round.options;
        let shown = |dealt: Dealt| format!("{} ({})", dealt.hand, dealt.value);
        let text = format!("player  {} of {players}: {}\n", round.seat + 1, shown(round.player));
        let Some((action, reward)) = round.last else {
            return text + &format!("dealer  five cards, face down\nstake   ante {ante}, side bet {side_stake}");
        };
        let side = match self.table.side_bet.category(round.player.hand) {
            category if side_stake > 0.0 => format!("side    {category}\n"),
            _ => String::new(),
        };
        let did = if action == FOLD { "folded" } else { "raised" };
        text + &format!("dealer  {}\n{side}result  {did}; net {reward}", shown(round.dealer))
    }
}

impl Counterfactual for AsianStud {
    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let rewards = self.rewards()?;
        EnvError::check_length("the rewards", out.len(), rewards.len())?;
        out.iter_mut().zip(rewards).for_each(|(out, reward)| *out = reward as f32);
        Ok(())
    }
}

/// Makes the environment from a configuration, an [`EnvConfig`] as JSON.
///
/// # Errors
/// If a key or a value is invalid, or there is no such paytable.
pub fn make(config: &str) -> Result<Box<dyn AnyEnv>, MakeError> {
    let EnvConfig { rules, observation, paytable } = EnvConfig::parse(config)?;
    let env = AsianStud::new(rules).with_observation(observation);
    Ok(erase_counterfactual(match paytable {
        Some(name) => env.with_paytable(Paytable::load(&name)?),
        None => env,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reward_is_that_of_the_settlement() {
        let options = AsianStudOptions { ante: 20.0, side_stake: 5.0, players: 1 };
        let mut env = AsianStud::new(Rules::default().with("side-bet-on-fold=lost").unwrap());
        for seed in 0..500 {
            env.reset(Some(seed), Some(&options)).unwrap();
            assert_eq!(env.dealer(), None);
            let (player, rewards) = (env.player().unwrap(), env.rewards().unwrap());
            let mut written = [f32::NAN; 2];
            env.action_rewards(&mut written).unwrap();
            assert_eq!(written, rewards.map(|reward| reward as f32));
            for action in [FOLD, RAISE] {
                let mut env = env.clone();
                let step = env.step(action).unwrap();
                let dealer = env.dealer().unwrap();
                assert!(player.set().intersection(dealer.set()).is_empty());
                let game = env.game();
                let main = match action {
                    FOLD => -20.0,
                    _ => 20.0 * game.raised(game.value(player), game.value(dealer)) as f64 / UNIT as f64,
                };
                let side = if action == FOLD { -5.0 } else { 5.0 * env.side_bet().net(player) as f64 };
                assert_eq!((step.reward, rewards[action], step.terminated), (main + side, main + side, true));
                assert!(env.render().ends_with(&format!("net {}", step.reward)), "{}", env.render());
            }
        }
    }

    #[test]
    fn players_share_the_dealer_and_no_card() {
        let options = AsianStudOptions { players: HIGHEST_PLAYERS, ..AsianStudOptions::default() };
        for rules in [Rules::default(), Rules::default().with("joker=none").unwrap()] {
            let mut env = AsianStud::new(rules);
            for seed in 0..100 {
                env.reset(Some(seed), Some(&options)).unwrap();
                let (mut hands, mut rewards) = (vec![], vec![]);
                for seat in 0..HIGHEST_PLAYERS {
                    hands.push(env.player().unwrap());
                    let step = env.step(RAISE).unwrap();
                    rewards.push(step.reward);
                    assert_eq!(step.terminated, seat + 1 == HIGHEST_PLAYERS);
                }
                let (dealer, game) = (env.dealer().unwrap(), env.game());
                for (&hand, &reward) in hands.iter().zip(&rewards) {
                    let net = game.raised(game.value(hand), game.value(dealer));
                    assert_eq!(reward, net as f64 / UNIT as f64);
                }
                let cards = hands.iter().fold(dealer.set(), |cards, hand| cards.union(hand.set()));
                assert_eq!(cards.len(), 5 * (HIGHEST_PLAYERS + 1));
            }
        }
    }

    #[test]
    fn senseless_options_are_refused() {
        let mut env = AsianStud::new(Rules::default());
        let good = AsianStudOptions::default();
        for ante in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e10] {
            let error = env.reset(Some(1), Some(&AsianStudOptions { ante, ..good })).unwrap_err();
            assert!(matches!(error, EnvError::BadOption { option: "ante", .. }));
        }
        for side_stake in [-1.0, f64::NAN, 1e10] {
            let error = env.reset(Some(1), Some(&AsianStudOptions { side_stake, ..good })).unwrap_err();
            assert!(matches!(error, EnvError::BadOption { option: "side-stake", .. }));
        }
        for players in [0, 10] {
            let error = env.reset(Some(1), Some(&AsianStudOptions { players, ..good })).unwrap_err();
            assert!(matches!(error, EnvError::BadOption { option: "players", .. }));
        }
        assert!(env.player().is_none());
    }

    #[test]
    fn the_hash_follows_rules_and_paytable() {
        let env = AsianStud::new(Rules::default());
        let none = AsianStud::new(Rules::default().with("commission=none").unwrap());
        let pair = env.clone().with_paytable(Paytable::named("example-pair").unwrap());
        let hashes = [&env, &none, &pair].map(|env| env.rules_hash());
        assert!(hashes[0] != hashes[1] && hashes[0] != hashes[2] && hashes[0].len() == 16);
    }
}
