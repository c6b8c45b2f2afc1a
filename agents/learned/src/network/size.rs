//! The sizes of networks.

use crate::limits::{MAX_LAYERS, MAX_WIDTH, check};
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The size of a [`Network`](super::Network), serialized as a table with `width` and `layers`, or as `"linear"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields, rename_all = "kebab-case")]
pub struct NetworkConfig {
    /// The number of units in each hidden layer.
    pub width: usize,
    /// The number of hidden layers.
    pub layers: usize,
}

/// The name of a linear model in configurations.
const LINEAR: &str = "linear";
/// The values that can be given in configurations.
const EXPECTED: &str = "\"linear\" or a table with width and layers";

impl NetworkConfig {
    /// A linear model, which has no hidden layers. With a squared error, it learns a least-squares fit.
    pub const LINEAR: NetworkConfig = NetworkConfig { width: 0, layers: 0 };

    /// Checks that both numbers are in range.
    pub(crate) fn check(self) -> Result<(), String> {
        if self == NetworkConfig::LINEAR {
            return Ok(());
        }
        check("network.width", self.width, [1, MAX_WIDTH])?;
        check("network.layers", self.layers, [1, MAX_LAYERS])
            .map_err(|error| if self.layers == 0 { format!("{error}; or use network = \"{LINEAR}\"") } else { error })
    }
}

impl Serialize for NetworkConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            NetworkConfig::LINEAR => serializer.serialize_str(LINEAR),
            // With `remote`, the derived functions are inherent and write and read tables.
            _ => NetworkConfig::serialize(self, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for NetworkConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NetworkConfig, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(name) if name == LINEAR => Ok(NetworkConfig::LINEAR),
            Value::String(name) => Err(D::Error::invalid_value(Unexpected::Str(&name), &EXPECTED)),
            table @ Value::Object(_) => NetworkConfig::deserialize(table).map_err(D::Error::custom),
            other => Err(D::Error::invalid_type(Unexpected::Other(&other.to_string()), &EXPECTED)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_linear_or_has_layers() {
        let read = |json: &str| serde_json::from_str::<NetworkConfig>(json).map_err(|error| error.to_string());
        let layers = NetworkConfig { width: 8, layers: 2 };
        for (config, json) in [(layers, r#"{"width":8,"layers":2}"#), (NetworkConfig::LINEAR, r#""linear""#)] {
            assert_eq!((read(json), serde_json::to_string(&config).unwrap()), (Ok(config), json.to_owned()));
            assert_eq!(config.check(), Ok(()));
        }
        assert!(read(r#""cubic""#).unwrap_err().contains(r#"expected "linear" or a table with width and layers"#));
        assert!(read(r#"{"width":8}"#).unwrap_err().contains("missing field `layers`"));
        let error = NetworkConfig { width: 8, layers: 0 }.check().unwrap_err();
        assert_eq!(error, r#"network.layers = 0: must be between 1 and 64; or use network = "linear""#);
        assert!(NetworkConfig { width: 0, layers: 2 }.check().unwrap_err().contains("network.width = 0"));
    }
}
