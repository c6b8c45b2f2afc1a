//! Environment configurations as JSON.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The reason why an environment cannot be created from a configuration.
pub type MakeError = Box<dyn std::error::Error + Send + Sync>;

/// Configuration of an environment with rules, an observation encoding and a paytable. All keys are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    bound = "R: Default + DeserializeOwned, O: Default + DeserializeOwned, P: Default + DeserializeOwned"
)]
pub struct EnvConfig<R, O, P> {
    /// Rules, with missing rules at their default.
    pub rules: R,
    /// Observation encoding.
    pub observation: O,
    /// Paytable.
    pub paytable: P,
}

/// An example configuration with non-default settings, such as other rules, several players or side bets. Contract
/// checks, golden playthroughs and pages cover the examples of every game.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Name, unique among the game's examples.
    pub name: &'static str,
    /// Configuration as a JSON object.
    pub config: &'static str,
    /// Reset options, each a JSON object; at least one.
    pub options: &'static [&'static str],
}
