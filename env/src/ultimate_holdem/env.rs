//! The environment `UltimateHoldem-v0`: one player against the dealer, at most three steps an episode.
//!
//! | | |
//! |---|---|
//! | reset | deals two cards to player and dealer and five to the board; options: ante, Trips stake, progressive token |
//! | observation | the player's cards and the board shown so far, in one of the encodings of [`observe`](super::observe) |
//! | action | `Discrete(6)`: 0 check, 1 fold, 2 play one ante, 3 two, 4 three, 5 four; the mask says which are possible |
//! | reward | 0 until the hand is over, then the net result of all wagers |
//! | end | terminated by a Play or a fold, never truncated |
//!
//! All cards are dealt at the reset, so what each way to end the hand earns is decided then:
//! [`UltimateHoldem::rewards`] gives them all, for learners that are allowed to look.
//!
//! Versions: v0, the first.

use super::observe::Observation;
use super::seat::no_such_action;
use super::{Action, Deal, Game, Hole, Paytable, Rules, Seat, Stage, TripsOnFold};
use crate::cards::CardSet;
use crate::gym::{
    AnyEnv, BoxSpace, DEFAULT_SEED, Discrete, Env, EnvError, EnvSpec, MakeError, Step, StreamSeed, erase, stream,
};
use crate::rank::Category;
use crate::rules::RuleSet;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The highest stake, so that rewards stay finite and exact enough.
const HIGHEST_STAKE: f64 = 1e9;

/// What a reset can choose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct UltimateHoldemOptions {
    /// The Ante, which the Blind equals; above 0 and at most 1e9. 1 by default.
    pub ante: f64,
    /// The stake on Trips, 0 to 1e9. 0 by default: no Trips bet.
    pub trips: f64,
    /// Whether a token of 1 is staked on the progressive, which needs a paytable; not by default.
    pub progressive: bool,
}

impl Default for UltimateHoldemOptions {
    fn default() -> UltimateHoldemOptions {
        UltimateHoldemOptions { ante: 1.0, trips: 0.0, progressive: false }
    }
}

/// The environment.
#[derive(Clone)]
pub struct UltimateHoldem {
    game: Arc<Game>,
    progressive: Option<Arc<Paytable>>,
    observation: Observation,
    rng: Option<Pcg64>,
    hand: Option<Hand>,
}

/// An episode.
#[derive(Clone, Copy)]
struct Hand {
    options: UltimateHoldemOptions,
    deal: Deal,
    seat: Seat,
}

/// A round that is over, with all that a player may see then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// The player's cards.
    pub hole: Hole,
    /// The dealer's cards.
    pub dealer: Hole,
    /// The board.
    pub board: CardSet,
    /// Categories of the player's and of the dealer's best five.
    pub categories: [Category; 2],
    /// Antes staked on Play; 0 after a fold.
    pub play: i32,
    /// The net result of all wagers.
    pub reward: f64,
}

impl UltimateHoldem {
    /// The versioned id.
    pub const ID: &'static str = "UltimateHoldem-v0";

    /// The environment of a game, with [`Observation::Features`] and without a progressive.
    pub fn new(game: Arc<Game>) -> UltimateHoldem {
        UltimateHoldem { game, progressive: None, observation: Observation::default(), rng: None, hand: None }
    }

    /// The same with other observations.
    #[must_use]
    pub fn with_observation(mut self, observation: Observation) -> UltimateHoldem {
        self.observation = observation;
        self
    }

    /// The same game, not yet reset, with a progressive that pays by a table: for a token, what the row of the player's best
    /// five says, else it is lost. After a fold it goes the way of the Trips bet. The source names no table.
    #[must_use]
    pub fn with_progressive(self, paytable: Paytable) -> UltimateHoldem {
        UltimateHoldem { progressive: Some(Arc::new(paytable)), rng: None, hand: None, ..self }
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The encoding of observations.
    pub fn observation(&self) -> Observation {
        self.observation
    }

    /// The player's cards, once dealt.
    pub fn hole(&self) -> Option<Hole> {
        self.hand.as_ref().map(|hand| hand.deal.hole())
    }

    /// The board shown so far.
    pub fn board(&self) -> CardSet {
        self.hand.as_ref().map_or(CardSet::EMPTY, |hand| hand.deal.board(hand.seat.stage().board_cards()))
    }

    /// Where the hand stands, once dealt.
    pub fn stage(&self) -> Option<Stage> {
        self.hand.as_ref().map(|hand| hand.seat.stage())
    }

    /// What each action would earn if the hand ended with it, by [`Action::index`], whether it is possible now or not; NaN for
    /// checking and for what the rules never allow. This looks at the dealer's cards and the whole board: for learning from
    /// all actions, not for play.
    ///
    /// # Errors
    /// [`EnvError::NotReset`].
    pub fn rewards(&self) -> Result<[f32; Action::ALL.len()], EnvError> {
        let hand = self.hand.as_ref().ok_or(EnvError::NotReset)?;
        let mut rewards = [f32::NAN; Action::ALL.len()];
        for action in &Action::ALL[1..] {
            let preflop = self.game.rules().preflop_play;
            let start = Seat::default();
            let allowed = *action as usize <= Action::Play2 as usize || start.is_legal(preflop, *action);
            if allowed {
                let mut seat = start;
                seat.act(*action);
                rewards[action.index()] = self.net(&Hand { seat, ..*hand }) as f32;
            }
        }
        Ok(rewards)
    }

    /// All of the round, once it is over.
    pub fn round(&self) -> Option<Round> {
        let hand = self.hand.as_ref().filter(|hand| hand.seat.stage() == Stage::Over)?;
        let (hole, dealer, board) = (hand.deal.hole(), hand.deal.dealer(), hand.deal.board(5));
        let best = self.game.best();
        let categories = [hole, dealer].map(|hole| best.category(best.of(board.union(hole.set()))));
        Some(Round { hole, dealer, board, categories, play: hand.seat.play(), reward: self.net(hand) })
    }

    /// The net result of all wagers of a hand that is over.
    fn net(&self, hand: &Hand) -> f64 {
        let UltimateHoldemOptions { ante, trips, progressive } = hand.options;
        let mut net = ante * f64::from(hand.seat.net(&self.game, &hand.deal));
        if trips > 0.0 {
            net += trips * f64::from(hand.seat.trips(&self.game, &hand.deal));
        }
        if let Some(table) = self.progressive.as_ref().filter(|_| progressive) {
            let best = self.game.best();
            let category = best.category(best.of(hand.deal.board(5).union(hand.deal.hole().set())));
            let closed = hand.seat.folded() && self.game.rules().trips_on_fold == TripsOnFold::Lost;
            net += table.units(category).filter(|_| !closed).map_or(-2.0, f64::from);
        }
        net / 2.0
    }

    /// The action with this number, if it is legal now.
    fn legal(&self, action: usize) -> Result<Action, EnvError> {
        let hand = self.hand.as_ref().ok_or(EnvError::NotReset)?;
        let illegal = |reason| EnvError::IllegalAction { action, reason };
        match (hand.seat.stage(), Action::ALL.get(action)) {
            (Stage::Over, _) => Err(EnvError::EpisodeOver),
            (_, None) => Err(illegal(format!("there are actions 0 to {}", Action::ALL.len() - 1))),
            (_, Some(&action)) if hand.seat.is_legal(self.game.rules().preflop_play, action) => Ok(action),
            (stage, Some(&action)) => Err(illegal(no_such_action(action, stage))),
        }
    }
}

impl Env for UltimateHoldem {
    type Options = UltimateHoldemOptions;

    fn spec(&self) -> EnvSpec {
        let Rules { blind_table, .. } = self.game.rules();
        let highest = Category::ALL.into_iter().filter_map(|hand| blind_table.units(hand)).max().unwrap_or(0);
        EnvSpec { id: Self::ID, reward_range: (-6.0, 5.0 + f64::from(highest) / 2.0), max_steps: 3 }
    }

    /// Of the rules with their paytables, and of the progressive's.
    fn rules_hash(&self) -> String {
        let rules = self.game.rules().hash();
        let Some(progressive) = &self.progressive else { return rules };
        let table = serde_json::to_string(&**progressive).expect("a paytable is plain data");
        let digest = Sha256::new_with_prefix(rules).chain_update(table).finalize();
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn observation_space(&self) -> BoxSpace {
        self.observation.space()
    }

    fn action_space(&self) -> Discrete {
        Discrete(Action::ALL.len())
    }

    fn check_options(&self, options: &UltimateHoldemOptions) -> Result<(), EnvError> {
        let UltimateHoldemOptions { ante, trips, progressive } = *options;
        if !(ante > 0.0 && ante <= HIGHEST_STAKE) {
            let reason = format!("{ante} is no ante; it must be above 0 and at most {HIGHEST_STAKE}");
            return Err(EnvError::BadOption { option: "ante", reason });
        }
        if !(0.0..=HIGHEST_STAKE).contains(&trips) {
            let reason = format!("{trips} is no stake on Trips; it must be 0 (no Trips bet) to {HIGHEST_STAKE}");
            return Err(EnvError::BadOption { option: "trips", reason });
        }
        if progressive && self.progressive.is_none() {
            let reason = "the progressive has no paytable here; give one to the environment".to_owned();
            return Err(EnvError::BadOption { option: "progressive", reason });
        }
        Ok(())
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &UltimateHoldemOptions) -> Result<(), EnvError> {
        self.check_options(options)?;
        if let Some(seed) = seed {
            self.rng = Some(stream(seed));
        }
        let rng = self.rng.get_or_insert_with(|| stream(DEFAULT_SEED.into()));
        self.hand = Some(Hand { options: *options, deal: Deal::new(rng), seat: Seat::default() });
        Ok(())
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.legal(action).map(|_| ())
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        let action = self.legal(action)?;
        let mut hand = self.hand.ok_or(EnvError::NotReset)?;
        hand.seat.act(action);
        self.hand = Some(hand);
        let terminated = hand.seat.stage() == Stage::Over;
        let reward = if terminated { self.net(&hand) } else { 0.0 };
        Ok(Step { reward, terminated, truncated: false })
    }

    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let hand = self.hand.as_ref().ok_or(EnvError::NotReset)?;
        let stage = hand.seat.stage();
        self.observation.write(&self.game, stage, hand.deal.hole(), hand.deal.board(3), self.board(), out)
    }

    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        let hand = self.hand.as_ref().ok_or(EnvError::NotReset)?;
        EnvError::check_length("the action mask", out.len(), Action::ALL.len())?;
        let preflop = self.game.rules().preflop_play;
        out.iter_mut().zip(Action::ALL).for_each(|(out, action)| *out = hand.seat.is_legal(preflop, action));
        Ok(())
    }

    fn render(&self) -> String {
        let Some(hand) = &self.hand else { return "no hand dealt yet".to_owned() };
        let UltimateHoldemOptions { ante, trips, progressive } = hand.options;
        let token = if progressive { ", progressive 1" } else { "" };
        let stakes = format!("stakes  ante {ante}, blind {ante}, trips {trips}{token}");
        let hole = hand.deal.hole();
        let Some(round) = self.round() else {
            let board = self.board();
            let board = if board.is_empty() { "face down".to_owned() } else { board.to_string() };
            let stage = hand.seat.stage().name();
            return format!("player  {hole}\nboard   {board}\ndealer  face down\nstage   {stage}\n{stakes}");
        };
        let [mine, dealers] = round.categories;
        let did = match round.play {
            0 => "fold".to_owned(),
            antes => format!("play of {}", f64::from(antes) * ante),
        };
        let qualified = if dealers >= Category::OnePair { "" } else { ", not qualified" };
        format!(
            "player  {hole} ({mine})\nboard   {}\ndealer  {} ({dealers}{qualified})\n{stakes}\nresult  {did}; net {}",
            round.board, round.dealer, round.reward
        )
    }
}

/// Configuration of the environment. Every key may be left out.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Config {
    rules: Rules,
    observation: Observation,
    progressive: Option<Paytable>,
}

/// Makes the environment from a configuration: a JSON object with `rules`, `observation` and `progressive`, a paytable.
///
/// # Errors
/// If a key or a value is invalid, or there is no such paytable.
pub fn make(config: &str) -> Result<Box<dyn AnyEnv>, MakeError> {
    let Config { rules, observation, progressive } = serde_json::from_str(config)?;
    let env = UltimateHoldem::new(Arc::new(Game::new(rules))).with_observation(observation);
    Ok(erase(match progressive {
        Some(paytable) => env.with_progressive(paytable),
        None => env,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(settings: &[&str]) -> UltimateHoldem {
        let rules = settings.iter().fold(Rules::default(), |rules, setting| rules.with(setting).unwrap());
        UltimateHoldem::new(Arc::new(Game::new(rules)))
    }

    fn end(env: &UltimateHoldem, actions: &[Action]) -> (UltimateHoldem, f64) {
        let mut env = env.clone();
        let steps: Vec<Step> = actions.iter().map(|action| env.step(action.index()).unwrap()).collect();
        let (last, others) = steps.split_last().unwrap();
        assert!(last.terminated && others.iter().all(|step| !step.terminated && step.reward == 0.0));
        (env, last.reward)
    }

    #[test]
    fn rewards_are_those_of_the_rules() {
        use Action::{Check, Fold, Play1, Play2, Play4};
        let mut env = env(&[]);
        let options = UltimateHoldemOptions { ante: 10.0, trips: 5.0, progressive: false };
        for seed in 0..300 {
            env.reset(Some(seed), Some(&options)).unwrap();
            let rewards = env.rewards().unwrap();
            let plays: [(&[Action], i32); 4] =
                [(&[Play4], 4), (&[Check, Play2], 2), (&[Check, Check, Play1], 1), (&[Check, Check, Fold], 0)];
            for (actions, play) in plays {
                let (over, reward) = end(&env, actions);
                let round = over.round().unwrap();
                let index = actions[actions.len() - 1].index();
                assert_eq!((rewards[index], round.play, round.reward), (reward as f32, play, reward));
                let game = env.game();
                let [mine, dealers] =
                    [round.hole, round.dealer].map(|hole| game.best().ranking().best(round.board.union(hole.set())));
                let main = match play {
                    0 => Game::FOLD,
                    _ => game.showdown(game.end(mine, dealers), game.best().category(mine), play),
                };
                let trips = game.trips(game.best().category(mine));
                assert_eq!(reward, 5.0 * f64::from(main) + 2.5 * f64::from(trips), "seed {seed}");
            }
            assert!(rewards[0].is_nan() && rewards[Action::Play3.index()].is_nan());
        }
    }

    #[test]
    fn a_fold_may_close_trips_and_the_progressive() {
        let table = Paytable::named("ultimate-trips-30-8-7-4-3").unwrap();
        let options = UltimateHoldemOptions { ante: 1.0, trips: 1.0, progressive: true };
        let (settled, lost) = (env(&[]), env(&["trips-on-fold=lost"]));
        assert!(settled.check_options(&options).unwrap_err().to_string().contains("no paytable"));
        let plain = settled.rules_hash();
        let mut envs = [settled, lost].map(|env| env.with_progressive(table.clone()));
        assert_ne!(envs[0].rules_hash(), plain);
        let mut paid = 0;
        for seed in 0..200 {
            let fold = [Action::Check, Action::Check, Action::Fold];
            let [settled, lost] = envs.each_mut().map(|env| {
                env.reset(Some(seed), Some(&options)).unwrap();
                end(env, &fold).1
            });
            assert_eq!(lost, -4.0);
            // The same table for both bets: together they are lost, or win twice its odds.
            paid += i32::from(settled > -4.0);
            assert!(settled == -4.0 || settled >= 4.0, "{settled}");
        }
        assert!(paid > 0);
    }

    #[test]
    fn the_readings_decide_what_can_be_played_at_the_start() {
        for (reading, plays) in [("four", [false, true]), ("three", [true, false]), ("three_or_four", [true, true])] {
            let mut env = env(&[&format!("preflop-play={reading}")]);
            env.reset(Some(1), None).unwrap();
            let mut mask = [false; 6];
            env.action_mask(&mut mask).unwrap();
            assert_eq!(mask, [true, false, false, false, plays[0], plays[1]], "{reading}");
            env.step(Action::Check.index()).unwrap();
            env.action_mask(&mut mask).unwrap();
            assert_eq!(mask, [true, false, false, true, false, false]);
            env.step(Action::Check.index()).unwrap();
            env.action_mask(&mut mask).unwrap();
            assert_eq!(mask, [false, true, true, false, false, false]);
        }
    }

    #[test]
    fn bad_stakes_are_refused() {
        let env = env(&[]);
        for (ante, trips, part) in [(0.0, 0.0, "above 0"), (f64::NAN, 0.0, "ante"), (1.0, -1.0, "no Trips bet")] {
            let options = UltimateHoldemOptions { ante, trips, progressive: false };
            assert!(env.check_options(&options).unwrap_err().to_string().contains(part));
        }
    }
}
