//! Configurations of environments as JSON.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The reason why no environment can be made from a configuration.
pub type MakeError = Box<dyn std::error::Error + Send + Sync>;

/// Configuration of an environment that needs rules, an observation encoding and a paytable. Every key may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, bound = "R: Default + DeserializeOwned, O: Default + DeserializeOwned")]
pub struct EnvConfig<R, O> {
    /// Rules; missing ones have their default.
    pub rules: R,
    /// Observation encoding.
    pub observation: O,
    /// Name of the paytable; the default one if missing.
    pub paytable: Option<String>,
}

impl<R, O> EnvConfig<R, O>
where
    R: Default + DeserializeOwned,
    O: Default + DeserializeOwned,
{
    /// Parses a JSON object.
    ///
    /// # Errors
    /// If the text is not such an object; the message names the key.
    pub fn parse(config: &str) -> Result<EnvConfig<R, O>, MakeError> {
        Ok(serde_json::from_str(config)?)
    }
}
