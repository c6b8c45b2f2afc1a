//! Environment configurations in JSON.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The error returned if an environment can't be created from a configuration.
pub type MakeError = Box<dyn std::error::Error + Send + Sync>;

/// The configuration of an environment that has rules, observation encodings and a paytable. All keys are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    bound = "R: Default + DeserializeOwned, O: Default + DeserializeOwned, P: Default + DeserializeOwned"
)]
pub struct EnvConfig<R, O, P> {
    /// The rules. Rules that aren't listed keep their defaults.
    pub rules: R,
    /// The observation encoding.
    pub observation: O,
    /// The paytable.
    pub paytable: P,
}

/// An example configuration with settings that differ from the defaults, such as other rules, several players or side
/// bets. The examples of all games are used by contract checks, golden playthroughs and documentation pages.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The example's name. It must be unique within the game.
    pub name: &'static str,
    /// The configuration as a JSON object.
    pub config: &'static str,
    /// The reset options to try, each as a JSON object. There is at least one.
    pub options: &'static [&'static str],
}
