//! An object-safe interface to all environments.

use super::{
    Autoreset, Batch, BoxSpace, Counterfactual, Discrete, Env, EnvError, EnvSpec, SavedLanes, Step, StreamSeed, VecEnv,
    from_json,
};
use rand_pcg::Pcg64;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// An [`Env`] with its options type erased, so that options are passed as JSON. Use [`erase`] to convert an
/// environment.
pub trait AnyEnv: Send {
    /// Returns the specification. See [`Env::spec`].
    fn spec(&self) -> EnvSpec;

    /// Returns the rules hash. See [`Env::rules_hash`].
    fn rules_hash(&self) -> String;

    /// Returns the observation space. See [`Env::observation_space`].
    fn observation_space(&self) -> BoxSpace;

    /// Returns `true` if steps never change the observation. See [`Env::observation_stays`].
    fn observation_stays(&self) -> bool;

    /// Returns the action space. See [`Env::action_space`].
    fn action_space(&self) -> Discrete;

    /// Returns the default reset options as a JSON object.
    fn default_options(&self) -> String;

    /// Checks the options of a reset. See [`Env::check_options`].
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if an option is invalid or the text is not a valid options object.
    fn check_options(&self, options: Option<&str>) -> Result<(), EnvError>;

    /// Starts an episode. See [`Env::reset_stream`].
    ///
    /// # Errors
    /// Returns an error only if [`AnyEnv::check_options`] does.
    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: Option<&str>) -> Result<(), EnvError>;

    /// Starts an episode. See [`Env::reset`].
    ///
    /// # Errors
    /// Returns an error only if [`AnyEnv::check_options`] does.
    fn reset(&mut self, seed: Option<u64>, options: Option<&str>) -> Result<(), EnvError> {
        self.reset_stream(seed.map(StreamSeed::from), options)
    }

    /// Checks an action. See [`Env::check_action`].
    ///
    /// # Errors
    /// Returns the error that [`AnyEnv::step`] would return.
    fn check_action(&self, action: usize) -> Result<(), EnvError>;

    /// Plays an action. See [`Env::step`].
    ///
    /// # Errors
    /// Returns an error if [`Env::step`] does.
    fn step(&mut self, action: usize) -> Result<Step, EnvError>;

    /// Writes the observation. See [`Env::observe`].
    ///
    /// # Errors
    /// Returns an error if [`Env::observe`] does.
    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError>;

    /// Writes the action mask. See [`Env::action_mask`].
    ///
    /// # Errors
    /// Returns an error if [`Env::action_mask`] does.
    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError>;

    /// Writes the rewards of all actions. See [`Counterfactual::action_rewards`].
    ///
    /// # Errors
    /// Returns [`EnvError::NoActionRewards`] if the game doesn't define them. Otherwise, returns any error from
    /// [`Counterfactual::action_rewards`].
    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError>;

    /// Returns `true` if [`AnyEnv::action_rewards`] is supported.
    fn has_action_rewards(&self) -> bool;

    /// Returns the random stream. See [`Env::random_stream`].
    fn random_stream(&self) -> Option<Pcg64>;

    /// Starts an episode on a given stream. See [`Env::reset_on`].
    ///
    /// # Errors
    /// Returns an error if [`Env::reset_on`] does.
    fn reset_on(&mut self, stream: Pcg64, options: Option<&str>) -> Result<(), EnvError>;

    /// Returns the outcome of a finished episode. See [`Env::outcome`].
    fn outcome(&self) -> Option<Value>;

    /// Returns the action of the house's strategy. See [`Env::house_action`].
    fn house_action(&self) -> Option<usize>;

    /// Returns everything the agent sees. See [`Env::view`].
    fn view(&self) -> Option<Value>;

    /// Returns the state as text. See [`Env::render`].
    fn render(&self) -> String;

    /// Returns a clone with the same state, whose random stream continues from the same position.
    fn boxed_clone(&self) -> Box<dyn AnyEnv>;

    /// Creates a vectorized environment with `lanes` clones of this environment and [`Autoreset::SameStep`]. See
    /// [`VecEnv::new`] and [`VecEnv::without_final_observations`].
    ///
    /// # Errors
    /// Returns an error if [`VecEnv::new`] does.
    fn vectorized(&self, lanes: usize, final_observations: bool) -> Result<Box<dyn AnyVecEnv>, EnvError>;

    /// Creates a vectorized environment with `lanes` clones of this environment and the given [`Autoreset`]. See
    /// [`VecEnv::with_autoreset`].
    ///
    /// # Errors
    /// Returns an error if [`VecEnv::new`] does.
    fn vectorized_with(&self, lanes: usize, autoreset: Autoreset) -> Result<Box<dyn AnyVecEnv>, EnvError>;
}

/// A [`VecEnv`] with its environment type erased. It makes one dynamic call per batch instead of one per lane.
#[allow(clippy::len_without_is_empty)] // there is always at least one lane
pub trait AnyVecEnv: Send {
    /// Starts an episode in every lane. See [`VecEnv::reset`].
    ///
    /// # Errors
    /// Returns any error from [`VecEnv::reset`], or [`EnvError::BadOption`] if the text is not a valid options object.
    fn reset(&mut self, seed: Option<u64>, options: Option<&str>) -> Result<(), EnvError>;

    /// Starts an episode in the selected lanes. See [`VecEnv::reset_lanes`].
    ///
    /// # Errors
    /// Returns any error from [`VecEnv::reset_lanes`], or [`EnvError::BadOption`] if the text is not a valid options
    /// object.
    fn reset_lanes(&mut self, selected: &[bool], seed: Option<u64>, options: Option<&str>) -> Result<(), EnvError>;

    /// Plays one action in every lane. See [`VecEnv::step`].
    ///
    /// # Errors
    /// Returns an error if [`VecEnv::step`] does.
    fn step(&mut self, actions: &[usize]) -> Result<(), EnvError>;

    /// Exchanges the buffers. See [`VecEnv::swap_batch`].
    fn swap_batch(&mut self, other: &mut Batch);

    /// Returns [`Env::outcome`] for a lane, or `None` if the lane doesn't exist.
    fn outcome(&self, lane: usize) -> Option<Value>;

    /// Returns [`Env::house_action`] for a lane, or `None` if the lane doesn't exist.
    fn house_action(&self, lane: usize) -> Option<usize>;

    /// Returns a clone with its own state and buffers.
    fn boxed_clone(&self) -> Box<dyn AnyVecEnv>;

    /// Enables recording. See [`VecEnv::recording`].
    fn recording(self: Box<Self>) -> Box<dyn AnyVecEnv>;

    /// Stops caching observations. See [`VecEnv::bypass_caches`].
    fn bypass_caches(&mut self);

    /// Returns the state of all lanes as JSON. See [`VecEnv::save`].
    fn save(&self) -> Option<String>;

    /// Restores a saved state. See [`VecEnv::restore`].
    ///
    /// # Errors
    /// Returns any error from [`VecEnv::restore`], or [`EnvError::BadOption`] if the text is not a saved state.
    fn restore(&mut self, saved: &str) -> Result<(), EnvError>;

    /// Returns the batch of the last reset or step. See [`VecEnv::batch`].
    fn batch(&self) -> &Batch;

    /// Returns the number of lanes.
    fn len(&self) -> usize;

    /// Returns the number of entries in an observation.
    fn observation_len(&self) -> usize;

    /// Returns the number of entries in an action mask.
    fn actions(&self) -> usize;

    /// Writes the rewards of all actions in every lane. See [`VecEnv::action_rewards`].
    ///
    /// # Errors
    /// Returns [`EnvError::NoActionRewards`] if the game doesn't define them. Otherwise, returns any error from
    /// [`VecEnv::action_rewards`].
    fn action_rewards(&mut self, out: &mut [f32]) -> Result<(), EnvError>;

    /// Returns the rendering of a lane, or `None` if the lane doesn't exist.
    fn render(&self, lane: usize) -> Option<String>;
}

/// Converts an environment into an [`AnyEnv`].
pub fn erase<E: Env + 'static>(env: E) -> Box<dyn AnyEnv> {
    Box::new(Erased { env, action_rewards: None })
}

/// Converts an environment into an [`AnyEnv`] that supports [`AnyEnv::action_rewards`].
pub fn erase_counterfactual<E: Counterfactual + 'static>(env: E) -> Box<dyn AnyEnv> {
    Box::new(Erased { env, action_rewards: Some(E::action_rewards) })
}

/// The type of [`Counterfactual::action_rewards`] for an environment.
type ActionRewards<E> = fn(&E, &mut [f32]) -> Result<(), EnvError>;

struct Erased<E> {
    env: E,
    action_rewards: Option<ActionRewards<E>>,
}

struct ErasedLanes<E: Env> {
    lanes: VecEnv<E>,
    action_rewards: Option<ActionRewards<E>>,
}

/// Parses reset options, where `None` means the default options.
fn parse<O: DeserializeOwned + Default>(options: Option<&str>) -> Result<O, EnvError> {
    let Some(text) = options else { return Ok(O::default()) };
    from_json(text).map_err(|error| EnvError::BadOption { option: "options", reason: error.to_string() })
}

impl<E: Env + 'static> AnyEnv for Erased<E> {
    fn spec(&self) -> EnvSpec {
        self.env.spec()
    }

    fn rules_hash(&self) -> String {
        self.env.rules_hash()
    }

    fn observation_space(&self) -> BoxSpace {
        self.env.observation_space()
    }

    fn observation_stays(&self) -> bool {
        self.env.observation_stays()
    }

    fn action_space(&self) -> Discrete {
        self.env.action_space()
    }

    fn default_options(&self) -> String {
        serde_json::to_string(&E::Options::default()).expect("options are plain data")
    }

    fn check_options(&self, options: Option<&str>) -> Result<(), EnvError> {
        self.env.check_options(&parse(options)?)
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: Option<&str>) -> Result<(), EnvError> {
        self.env.reset_stream(seed, &parse(options)?)
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.env.check_action(action)
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        self.env.step(action)
    }

    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        self.env.observe(out)
    }

    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        self.env.action_mask(out)
    }

    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let action_rewards = self.action_rewards.ok_or(EnvError::NoActionRewards { env: self.env.spec().id })?;
        action_rewards(&self.env, out)
    }

    fn has_action_rewards(&self) -> bool {
        self.action_rewards.is_some()
    }

    fn random_stream(&self) -> Option<Pcg64> {
        self.env.random_stream()
    }

    fn reset_on(&mut self, stream: Pcg64, options: Option<&str>) -> Result<(), EnvError> {
        self.env.reset_on(stream, &parse(options)?)
    }

    fn outcome(&self) -> Option<Value> {
        self.env.outcome()
    }

    fn house_action(&self) -> Option<usize> {
        self.env.house_action()
    }

    fn view(&self) -> Option<Value> {
        self.env.view()
    }

    fn render(&self) -> String {
        self.env.render()
    }

    fn boxed_clone(&self) -> Box<dyn AnyEnv> {
        Box::new(Erased { env: self.env.clone(), action_rewards: self.action_rewards })
    }

    fn vectorized(&self, lanes: usize, final_observations: bool) -> Result<Box<dyn AnyVecEnv>, EnvError> {
        let lanes = VecEnv::new(&self.env, lanes)?;
        let lanes = if final_observations { lanes } else { lanes.without_final_observations() };
        Ok(Box::new(ErasedLanes { lanes, action_rewards: self.action_rewards }))
    }

    fn vectorized_with(&self, lanes: usize, autoreset: Autoreset) -> Result<Box<dyn AnyVecEnv>, EnvError> {
        let lanes = VecEnv::new(&self.env, lanes)?.with_autoreset(autoreset);
        Ok(Box::new(ErasedLanes { lanes, action_rewards: self.action_rewards }))
    }
}

impl<E: Env + 'static> AnyVecEnv for ErasedLanes<E> {
    fn reset(&mut self, seed: Option<u64>, options: Option<&str>) -> Result<(), EnvError> {
        self.lanes.reset(seed, Some(&parse(options)?)).map(|_| ())
    }

    fn reset_lanes(&mut self, selected: &[bool], seed: Option<u64>, options: Option<&str>) -> Result<(), EnvError> {
        let options = options.map(|text| parse(Some(text))).transpose()?;
        self.lanes.reset_lanes(selected, seed, options.as_ref()).map(|_| ())
    }

    fn step(&mut self, actions: &[usize]) -> Result<(), EnvError> {
        self.lanes.step(actions).map(|_| ())
    }

    fn swap_batch(&mut self, other: &mut Batch) {
        self.lanes.swap_batch(other);
    }

    fn outcome(&self, lane: usize) -> Option<Value> {
        self.lanes.lanes().get(lane).and_then(Env::outcome)
    }

    fn house_action(&self, lane: usize) -> Option<usize> {
        self.lanes.lanes().get(lane).and_then(Env::house_action)
    }

    fn boxed_clone(&self) -> Box<dyn AnyVecEnv> {
        Box::new(ErasedLanes { lanes: self.lanes.clone(), action_rewards: self.action_rewards })
    }

    fn recording(self: Box<Self>) -> Box<dyn AnyVecEnv> {
        Box::new(ErasedLanes { lanes: self.lanes.recording(), action_rewards: self.action_rewards })
    }

    fn bypass_caches(&mut self) {
        self.lanes.bypass_caches();
    }

    fn save(&self) -> Option<String> {
        self.lanes.save().map(|saved| serde_json::to_string(&saved).expect("the state is plain data"))
    }

    fn restore(&mut self, saved: &str) -> Result<(), EnvError> {
        let saved: SavedLanes<E::Options> = serde_json::from_str(saved)
            .map_err(|error| EnvError::BadOption { option: "state", reason: error.to_string() })?;
        self.lanes.restore(&saved)
    }

    fn batch(&self) -> &Batch {
        self.lanes.batch()
    }

    fn len(&self) -> usize {
        self.lanes.len()
    }

    fn observation_len(&self) -> usize {
        self.lanes.observation_len()
    }

    fn actions(&self) -> usize {
        self.lanes.actions()
    }

    fn action_rewards(&mut self, out: &mut [f32]) -> Result<(), EnvError> {
        let env = self.lanes.lanes()[0].spec().id;
        let action_rewards = self.action_rewards.ok_or(EnvError::NoActionRewards { env })?;
        self.lanes.for_each_row(out, action_rewards)
    }

    fn render(&self, lane: usize) -> Option<String> {
        self.lanes.lanes().get(lane).map(Env::render)
    }
}

/// A wrapper that implements [`Env`] for an [`AnyEnv`], with JSON values as options. It's meant for generic code that
/// isn't performance-critical, such as [`check_env`](super::check_env) and [`Recorder`](super::Recorder).
pub struct DynEnv(pub Box<dyn AnyEnv>);

impl Clone for DynEnv {
    fn clone(&self) -> DynEnv {
        DynEnv(self.0.boxed_clone())
    }
}

/// Converts options from JSON to text. `null` means the default options.
fn text(options: &Value) -> Option<String> {
    (!options.is_null()).then(|| options.to_string())
}

impl Env for DynEnv {
    type Options = Value;

    fn spec(&self) -> EnvSpec {
        self.0.spec()
    }

    fn rules_hash(&self) -> String {
        self.0.rules_hash()
    }

    fn observation_space(&self) -> BoxSpace {
        self.0.observation_space()
    }

    fn observation_stays(&self) -> bool {
        self.0.observation_stays()
    }

    fn action_space(&self) -> Discrete {
        self.0.action_space()
    }

    fn check_options(&self, options: &Value) -> Result<(), EnvError> {
        self.0.check_options(text(options).as_deref())
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &Value) -> Result<(), EnvError> {
        self.0.reset_stream(seed, text(options).as_deref())
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.0.check_action(action)
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        self.0.step(action)
    }

    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        self.0.observe(out)
    }

    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        self.0.action_mask(out)
    }

    fn random_stream(&self) -> Option<Pcg64> {
        self.0.random_stream()
    }

    fn reset_on(&mut self, stream: Pcg64, options: &Value) -> Result<(), EnvError> {
        self.0.reset_on(stream, text(options).as_deref())
    }

    fn outcome(&self) -> Option<Value> {
        self.0.outcome()
    }

    fn house_action(&self) -> Option<usize> {
        self.0.house_action()
    }

    fn view(&self) -> Option<Value> {
        self.0.view()
    }

    fn render(&self) -> String {
        self.0.render()
    }
}

#[cfg(test)]
mod tests;
