//! Card games as functions on plain state, and the environment that plays all of them.

use super::entry::parse_options;
use super::{BoxSpace, DEFAULT_SEED, Env, EnvError, EnvSpec, PublicBet, PublicTable, Step, StreamSeed, stream};
use rand::Rng;
use rand_pcg::Pcg64;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Debug;
use std::sync::Arc;

/// A set of observation encodings for a game, defined as an enum with one variant per encoding.
#[allow(clippy::len_without_is_empty)] // observations are never empty
pub trait Encoding: Copy + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Returns the number of entries in an observation.
    fn len(self) -> usize;

    /// Returns the upper bound for all entries. The lower bound is always 0.
    fn high(self) -> f32 {
        1.0
    }

    /// Returns the observation space.
    fn space(self) -> BoxSpace {
        BoxSpace { shape: vec![self.len()], low: 0.0, high: self.high() }
    }
}

/// The reset options of a game with a single bet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct StakeOptions {
    /// The stake, which must be above 0 and at most 1e9. Defaults to 1.
    pub stake: f64,
}

impl Default for StakeOptions {
    fn default() -> StakeOptions {
        StakeOptions { stake: 1.0 }
    }
}

/// A card game for a single agent, defined by functions on a plain state. [`CardEnv`] turns a game into an [`Env`]. It
/// takes care of seeds, episodes and errors, so these functions are only called in valid states.
///
/// The game value itself stores everything that is shared between episodes, e.g. rules, paytables, lookup tables and an
/// opponent's strategy.
pub trait CardGame: Send + Sync {
    /// The reset options. The default is the standard game.
    type Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// Everything that changes during an episode, including hidden cards.
    type State: Clone + Send;
    /// The observation encodings.
    type Encoding: Encoding;
    /// `true` if the game implements [`CardGame::action_rewards`].
    const HAS_ACTION_REWARDS: bool = false;

    /// Returns the specification. See [`Env::spec`].
    fn spec(&self) -> EnvSpec;

    /// Returns the reset options with every default that depends on the rules. See [`Env::default_options`].
    fn default_options(&self) -> Self::Options {
        Self::Options::default()
    }

    /// Returns the rules hash. See [`Env::rules_hash`]. It should be computed with
    /// [`RuleSet::hash_with`](crate::rules::RuleSet::hash_with).
    fn rules_hash(&self) -> String;

    /// Returns the number of actions.
    fn actions(&self) -> usize;

    /// Returns `true` if steps never change the observation. See [`Env::observation_stays`].
    fn observation_stays(&self) -> bool {
        false
    }

    /// Checks reset options.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if an option is invalid.
    fn check(&self, options: &Self::Options) -> Result<(), EnvError>;

    /// Deals a new episode. The options have already been checked.
    fn deal(&self, options: &Self::Options, rng: &mut impl Rng) -> Self::State;

    /// Returns `true` if the episode is over.
    fn is_over(&self, state: &Self::State) -> bool;

    /// Writes the mask of legal actions. This is only called during an episode, with a `mask` that has
    /// [`CardGame::actions`] entries. By default, all actions are legal.
    #[inline]
    fn legal(&self, _state: &Self::State, mask: &mut [bool]) {
        mask.fill(true);
    }

    /// Checks an action during an episode. `action` can be any number.
    ///
    /// # Errors
    /// Returns an error with a reason if the action is illegal.
    fn check_action(&self, state: &Self::State, action: usize) -> Result<(), String>;

    /// Plays a legal action.
    fn apply(&self, state: &mut Self::State, action: usize, rng: &mut impl Rng) -> Step;

    /// Writes the observation. `out` has [`Encoding::len`] entries.
    fn observe(&self, encoding: Self::Encoding, state: &Self::State, out: &mut [f32]);

    /// Writes the rewards for all actions given the cards that were dealt. `out` has [`CardGame::actions`] entries. See
    /// [`Env::action_rewards`]. If the episode is over, these are the rewards for its last decision. This is only called
    /// if [`CardGame::HAS_ACTION_REWARDS`] is `true`.
    fn action_rewards(&self, _state: &Self::State, out: &mut [f32]) {
        out.fill(0.0);
    }

    /// Returns the outcome of a finished episode. See [`Env::outcome`].
    fn outcome(&self, _state: &Self::State) -> Option<Value> {
        None
    }

    /// Returns the action that the house's strategy chooses during an episode. See [`Env::house_action`].
    fn house_action(&self, _state: &Self::State) -> Option<usize> {
        None
    }

    /// Returns everything the agent sees. See [`Env::view`].
    fn view(&self, _state: &Self::State) -> Option<Value> {
        None
    }

    /// Returns the table as the player sees it. See [`Env::public_table`].
    fn public_table(&self, _state: &Self::State) -> Option<PublicTable> {
        None
    }

    /// Returns the bets before the deal. See [`Env::public_bets`].
    fn public_bets(&self, _options: &Self::Options) -> Vec<PublicBet> {
        vec![]
    }

    /// Returns the state as text. See [`Env::render`].
    fn render(&self, state: &Self::State) -> String;
}

/// An environment that plays a single-agent card game.
pub struct CardEnv<G: CardGame> {
    game: Arc<G>,
    encoding: G::Encoding,
    episode: Option<Episode<G::State>>,
    /// The options of the last reset, as text and parsed. Vector environments pass the same text for every episode.
    options: Option<(String, G::Options)>,
}

/// The current state of an episode and the random stream that all further cards are drawn from.
#[derive(Clone)]
struct Episode<S> {
    rng: Pcg64,
    state: S,
}

impl<G: CardGame> Clone for CardEnv<G> {
    fn clone(&self) -> CardEnv<G> {
        CardEnv {
            game: Arc::clone(&self.game),
            encoding: self.encoding,
            episode: self.episode.clone(),
            options: self.options.clone(),
        }
    }
}

impl<G: CardGame> CardEnv<G> {
    /// Creates an environment with the default observation encoding. It must be reset before use.
    pub fn new(game: impl Into<Arc<G>>) -> CardEnv<G> {
        CardEnv { game: game.into(), encoding: G::Encoding::default(), episode: None, options: None }
    }

    /// Selects an observation encoding.
    #[must_use]
    pub fn with_encoding(mut self, encoding: G::Encoding) -> CardEnv<G> {
        self.encoding = encoding;
        self
    }

    /// Returns the game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Returns the selected observation encoding.
    pub fn encoding(&self) -> G::Encoding {
        self.encoding
    }

    /// Returns the current state, including hidden cards.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] before the first reset.
    #[inline]
    pub fn state(&self) -> Result<&G::State, EnvError> {
        match &self.episode {
            Some(episode) => Ok(&episode.state),
            None => Err(EnvError::NotReset),
        }
    }

    /// Starts an episode with typed options. See [`Env::reset`].
    ///
    /// # Errors
    /// Returns an error if [`CardGame::check`] does.
    pub fn start(&mut self, seed: Option<u64>, options: &G::Options) -> Result<(), EnvError> {
        self.deal(seed.map(|seed| stream(seed.into())), options)
    }

    /// Deals an episode on a stream, or on the current one.
    fn deal(&mut self, stream: Option<Pcg64>, options: &G::Options) -> Result<(), EnvError> {
        self.game.check(options)?;
        match &mut self.episode {
            Some(Episode { rng, state }) => {
                if let Some(stream) = stream {
                    *rng = stream;
                }
                *state = self.game.deal(options, rng);
            }
            None => {
                let mut rng = stream.unwrap_or_else(|| super::stream(DEFAULT_SEED.into()));
                let state = self.game.deal(options, &mut rng);
                self.episode = Some(Episode { rng, state });
            }
        }
        Ok(())
    }

    /// Deals an episode with options as text, which is only parsed if it differs from that of the last reset.
    fn deal_with(&mut self, stream: Option<Pcg64>, options: Option<&str>) -> Result<(), EnvError> {
        let Some(text) = options else { return self.deal(stream, &G::Options::default()) };
        let (text, options) = match self.options.take() {
            Some(last) if last.0 == text => last,
            _ => (text.to_owned(), parse_options(Some(text))?),
        };
        let dealt = self.deal(stream, &options);
        self.options = Some((text, options));
        dealt
    }

    #[inline]
    fn check(&self, state: &G::State, action: usize) -> Result<(), EnvError> {
        if self.game.is_over(state) {
            return Err(EnvError::EpisodeOver);
        }
        self.game.check_action(state, action).map_err(|reason| EnvError::IllegalAction { action, reason })
    }
}

impl<G: CardGame + 'static> Env for CardEnv<G> {
    fn spec(&self) -> EnvSpec {
        self.game.spec()
    }

    fn rules_hash(&self) -> String {
        self.game.rules_hash()
    }

    fn observation_space(&self) -> BoxSpace {
        self.encoding.space()
    }

    fn observation_stays(&self) -> bool {
        self.game.observation_stays()
    }

    fn actions(&self) -> usize {
        self.game.actions()
    }

    fn default_options(&self) -> String {
        serde_json::to_string(&self.game.default_options()).expect("options are plain data")
    }

    fn check_options(&self, options: Option<&str>) -> Result<(), EnvError> {
        self.game.check(&parse_options(options)?)
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: Option<&str>) -> Result<(), EnvError> {
        self.deal_with(seed.map(stream), options)
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.check(self.state()?, action)
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        self.check(self.state()?, action)?;
        match &mut self.episode {
            Some(Episode { rng, state }) => Ok(self.game.apply(state, action, rng)),
            None => Err(EnvError::NotReset),
        }
    }

    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let state = self.state()?;
        EnvError::check_length("the observation", out.len(), self.encoding.len())?;
        self.game.observe(self.encoding, state, out);
        Ok(())
    }

    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        let state = self.state()?;
        EnvError::check_length("the action mask", out.len(), self.game.actions())?;
        if self.game.is_over(state) {
            out.fill(false);
        } else {
            self.game.legal(state, out);
        }
        Ok(())
    }

    fn has_action_rewards(&self) -> bool {
        G::HAS_ACTION_REWARDS
    }

    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError> {
        if !G::HAS_ACTION_REWARDS {
            return Err(EnvError::NoActionRewards { env: self.spec().id });
        }
        let state = self.state()?;
        EnvError::check_length("the rewards", out.len(), self.game.actions())?;
        self.game.action_rewards(state, out);
        Ok(())
    }

    fn random_stream(&self) -> Option<Pcg64> {
        self.episode.as_ref().map(|episode| episode.rng.clone())
    }

    fn reset_on(&mut self, stream: Pcg64, options: Option<&str>) -> Result<(), EnvError> {
        self.deal_with(Some(stream), options)
    }

    fn outcome(&self) -> Option<Value> {
        let state = self.state().ok().filter(|state| self.game.is_over(state))?;
        self.game.outcome(state)
    }

    fn house_action(&self) -> Option<usize> {
        let state = self.state().ok().filter(|state| !self.game.is_over(state))?;
        self.game.house_action(state)
    }

    fn view(&self) -> Option<Value> {
        self.game.view(self.state().ok()?)
    }

    fn public_table(&self) -> Option<PublicTable> {
        self.game.public_table(self.state().ok()?)
    }

    fn public_bets(&self, options: &str) -> Vec<PublicBet> {
        parse_options(Some(options)).map_or_else(|_| vec![], |options| self.game.public_bets(&options))
    }

    fn render(&self) -> String {
        self.state().map_or_else(|_| "not reset yet".to_owned(), |state| self.game.render(state))
    }

    fn boxed_clone(&self) -> Box<dyn Env> {
        Box::new(self.clone())
    }
}
