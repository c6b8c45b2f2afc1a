//! Environments of all games behind one interface, so that the binding is written once.

use houseway_env::asian_stud::{self, AsianStud};
use houseway_env::gym::{self, Batch, BoxSpace, EnvError, EnvSpec, Step};
use houseway_env::joker_seven::{self, JokerSeven};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::{Game, PaiGowPoker, Paytable, Rules};
use houseway_env::registry;
use houseway_env::ultimate_holdem::{self, UltimateHoldem};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// [`gym::Env`] without its options' type: they come as JSON.
pub(crate) trait AnyEnv: Send {
    fn spec(&self) -> EnvSpec;
    fn rules_hash(&self) -> String;
    fn observation_space(&self) -> BoxSpace;
    fn observation_stays(&self) -> bool;
    fn actions(&self) -> usize;
    fn reset(&mut self, seed: Option<u64>, options: Option<&str>) -> Result<(), EnvError>;
    fn step(&mut self, action: usize) -> Result<Step, EnvError>;
    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError>;
    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError>;
    fn render(&self) -> String;
    fn boxed_clone(&self) -> Box<dyn AnyEnv>;
    fn vectorised(&self, lanes: usize, final_observations: bool) -> Result<Box<dyn AnyVecEnv>, EnvError>;
}

/// [`gym::VecEnv`] without its options' type.
pub(crate) trait AnyVecEnv: Send {
    fn reset(&mut self, seed: Option<u64>, options: Option<&str>) -> Result<(), EnvError>;
    fn step(&mut self, actions: &[usize]) -> Result<(), EnvError>;
    fn batch(&self) -> &Batch;
    fn render(&self, lane: usize) -> Option<String>;
}

fn options<O: serde::de::DeserializeOwned>(text: Option<&str>) -> Result<Option<O>, EnvError> {
    let parse = |text| {
        serde_json::from_str(text).map_err(|error| EnvError::BadOption { option: "options", reason: error.to_string() })
    };
    text.map(parse).transpose()
}

impl<E: gym::Env + 'static> AnyEnv for E {
    fn spec(&self) -> EnvSpec {
        gym::Env::spec(self)
    }

    fn rules_hash(&self) -> String {
        gym::Env::rules_hash(self)
    }

    fn observation_space(&self) -> BoxSpace {
        gym::Env::observation_space(self)
    }

    fn observation_stays(&self) -> bool {
        gym::Env::observation_stays(self)
    }

    fn actions(&self) -> usize {
        self.action_space().n()
    }

    fn reset(&mut self, seed: Option<u64>, text: Option<&str>) -> Result<(), EnvError> {
        gym::Env::reset(self, seed, options(text)?.as_ref())
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        gym::Env::step(self, action)
    }

    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        gym::Env::observe(self, out)
    }

    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        gym::Env::action_mask(self, out)
    }

    fn render(&self) -> String {
        gym::Env::render(self)
    }

    fn boxed_clone(&self) -> Box<dyn AnyEnv> {
        Box::new(self.clone())
    }

    fn vectorised(&self, lanes: usize, final_observations: bool) -> Result<Box<dyn AnyVecEnv>, EnvError> {
        let many = gym::VecEnv::new(self, lanes)?;
        Ok(Box::new(if final_observations { many } else { many.without_final_observations() }))
    }
}

impl<E: gym::Env + 'static> AnyVecEnv for gym::VecEnv<E> {
    fn reset(&mut self, seed: Option<u64>, text: Option<&str>) -> Result<(), EnvError> {
        gym::VecEnv::reset(self, seed, options(text)?.as_ref()).map(|_| ())
    }

    fn step(&mut self, actions: &[usize]) -> Result<(), EnvError> {
        gym::VecEnv::step(self, actions).map(|_| ())
    }

    fn batch(&self) -> &Batch {
        gym::VecEnv::batch(self)
    }

    fn render(&self, lane: usize) -> Option<String> {
        self.lanes().get(lane).map(gym::Env::render)
    }
}

/// The games that one agent can play, by name.
pub(crate) const SINGLE_AGENT: &[&str] =
    &["pai-gow-poker", "pai-gow-table", "ultimate-holdem", "joker-seven", "asian-stud"];

/// The environment of this name or id, made as the JSON object `config` says.
///
/// # Errors
/// With a message: an unknown game, rule, house way or encoding.
pub(crate) fn make(id: &str, config: &str) -> Result<Box<dyn AnyEnv>, String> {
    match registry::find(id).map_err(|error| error.to_string())?.name {
        "pai-gow-poker" => pai_gow(config),
        "pai-gow-table" => Ok(Box::new(crate::table::one_seat(config)?)),
        "ultimate-holdem" => ultimate_holdem(config),
        "joker-seven" => joker_seven(config),
        "asian-stud" => asian_stud(config),
        other => Err(format!("the game '{other}' has no single-agent environment")),
    }
}

/// What an environment of Pai Gow Poker can be told.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct PaiGowConfig {
    rules: Rules,
    banker: String,
    readings: BTreeMap<String, String>,
    observation: Observation,
    paytable: Option<String>,
}

impl Default for PaiGowConfig {
    fn default() -> PaiGowConfig {
        PaiGowConfig {
            rules: Rules::default(),
            banker: "trump-plaza".to_owned(),
            readings: BTreeMap::new(),
            observation: Observation::default(),
            paytable: None,
        }
    }
}

fn pai_gow(config: &str) -> Result<Box<dyn AnyEnv>, String> {
    let config: PaiGowConfig = serde_json::from_str(config).map_err(|error| error.to_string())?;
    let mut way = Way::load(&config.banker).map_err(|error| error.to_string())?;
    for (reading, option) in &config.readings {
        way.choose(reading, option).map_err(|error| error.to_string())?;
    }
    let game = Game::new(config.rules);
    let way = HouseWay::compile(way, &game).map_err(|error| error.to_string())?;
    let env = PaiGowPoker::new(Arc::new(game), Arc::new(way)).with_observation(config.observation);
    Ok(match config.paytable {
        Some(name) => Box::new(env.with_paytable(Paytable::named(&name).map_err(|error| error.to_string())?)),
        None => Box::new(env),
    })
}

/// What an environment without an opponent's strategy can be told.
#[derive(Default, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    bound = "R: Default + serde::de::DeserializeOwned, O: Default + serde::de::DeserializeOwned"
)]
struct PlainConfig<R, O> {
    rules: R,
    observation: O,
    paytable: Option<String>,
}

fn joker_seven(config: &str) -> Result<Box<dyn AnyEnv>, String> {
    let PlainConfig::<joker_seven::Rules, joker_seven::Observation> { rules, observation, paytable } =
        serde_json::from_str(config).map_err(|error| error.to_string())?;
    let paytable = paytable.map_or_else(|| Ok(Default::default()), |name| joker_seven::Paytable::named(&name));
    let paytable = paytable.map_err(|error| error.to_string())?;
    let env = JokerSeven::new(rules, paytable).map_err(|error| error.to_string())?;
    Ok(Box::new(env.with_observation(observation)))
}

fn asian_stud(config: &str) -> Result<Box<dyn AnyEnv>, String> {
    let PlainConfig::<asian_stud::Rules, asian_stud::Observation> { rules, observation, paytable } =
        serde_json::from_str(config).map_err(|error| error.to_string())?;
    let env = AsianStud::new(rules).with_observation(observation);
    Ok(Box::new(match paytable {
        Some(name) => env.with_paytable(asian_stud::Paytable::named(&name).map_err(|error| error.to_string())?),
        None => env,
    }))
}

/// What an environment of Ultimate Texas Hold'em can be told.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct UltimateHoldemConfig {
    rules: ultimate_holdem::Rules,
    observation: ultimate_holdem::observe::Observation,
    progressive: Option<ultimate_holdem::Paytable>,
}

fn ultimate_holdem(config: &str) -> Result<Box<dyn AnyEnv>, String> {
    let config: UltimateHoldemConfig = serde_json::from_str(config).map_err(|error| error.to_string())?;
    let env = UltimateHoldem::new(Arc::new(ultimate_holdem::Game::new(config.rules)));
    let env = env.with_observation(config.observation);
    Ok(Box::new(match config.progressive {
        Some(paytable) => env.with_progressive(paytable),
        None => env,
    }))
}
