//! Reads and writes configurations as TOML, with every default written out.

use super::{cannot_read, read_text};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::Path;

/// Reads a configuration. The type should use `#[serde(default, deny_unknown_fields)]` so that unknown keys are
/// rejected.
pub fn load_config<C: DeserializeOwned>(path: &Path) -> io::Result<C> {
    let text = read_text(path)?;
    let wrong = |error: toml::de::Error| cannot_read(path, io::Error::new(io::ErrorKind::InvalidData, error));
    parse_config(&text).map_err(wrong)
}

/// Parses a configuration. Numbers must be finite and there are no dates, because configurations are handed on as JSON,
/// which has neither.
pub fn parse_config<C: DeserializeOwned>(text: &str) -> Result<C, toml::de::Error> {
    match foreign("", &toml::Value::Table(toml::from_str(text)?)) {
        Some(reason) => Err(serde::de::Error::custom(reason)),
        None => toml::from_str(text),
    }
}

/// Returns the first value that JSON doesn't have, with the reason.
fn foreign(path: &str, value: &toml::Value) -> Option<String> {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        toml::Value::Float(number) if !number.is_finite() => {
            Some(format!("{path} = {number}: must be a finite number"))
        }
        toml::Value::Datetime(date) => Some(format!("{path} = {date}: must be a number or a text in quotation marks")),
        toml::Value::Table(table) => table.iter().find_map(|(key, value)| foreign(&below(key), value)),
        toml::Value::Array(values) => values.iter().find_map(|value| foreign(path, value)),
        _ => None,
    }
}

/// Serializes a configuration as TOML with all fields.
pub fn config_text(config: &impl Serialize) -> io::Result<String> {
    toml::to_string_pretty(config).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Config {
        seed: u64,
        rate: f64,
    }

    impl Default for Config {
        fn default() -> Config {
            Config { seed: 1, rate: 3e-4 }
        }
    }

    #[test]
    fn numbers_are_finite() {
        let error = |text: &str| parse_config::<toml::Table>(text).unwrap_err().to_string();
        assert!(
            error("[a]\nb = [1.0, nan]").contains("a.b = NaN: must be a finite number"),
            "{}",
            error("[a]\nb = [1.0, nan]")
        );
        assert!(error("x = [{ y = -inf }]").contains("x.y = -inf: must be a finite number"));
        assert!(error("x = 1979-05-27").contains("x = 1979-05-27: must be a number or a text"));
        assert!(parse_config::<toml::Table>("x = 1e300").is_ok());
    }

    #[test]
    fn defaults_are_written_out_and_typos_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("quick.toml");
        std::fs::write(&path, "seed = 7\n").unwrap();
        let config: Config = load_config(&path).unwrap();
        assert_eq!(config, Config { seed: 7, rate: 3e-4 });
        assert_eq!(config_text(&config).unwrap(), "seed = 7\nrate = 0.0003\n");
        std::fs::write(&path, "seed = 7\nsede = 8\n").unwrap();
        let error = load_config::<Config>(&path).unwrap_err().to_string();
        assert!(error.contains("quick.toml") && error.contains("line 2") && error.contains("sede"), "{error}");
    }
}
