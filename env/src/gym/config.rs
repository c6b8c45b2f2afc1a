//! Configurations of environments as JSON.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The reason why no environment can be made from a configuration.
pub type MakeError = Box<dyn std::error::Error + Send + Sync>;

/// Configuration of an environment that needs rules, an observation encoding and a paytable. Every key may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    bound = "R: Default + DeserializeOwned, O: Default + DeserializeOwned, P: Default + DeserializeOwned"
)]
pub struct EnvConfig<R, O, P> {
    /// Rules; missing ones have their default.
    pub rules: R,
    /// Observation encoding.
    pub observation: O,
    /// Paytable.
    pub paytable: P,
}

/// A configuration of a game that differs from its defaults: other rules, several players, side bets. Checks, golden
/// playthroughs and pages go through the examples of every game.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Name among the examples of the game.
    pub name: &'static str,
    /// The configuration.
    pub config: &'static str,
    /// Options of the resets, at least one, each a JSON object.
    pub options: &'static [&'static str],
}
