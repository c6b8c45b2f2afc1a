//! Reads and writes configurations as TOML, with every default written out.

use super::{cannot_read, read_text};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::Path;

/// Reads a configuration. The type should use `#[serde(default, deny_unknown_fields)]` so that unknown keys are
/// rejected.
///
/// # Errors
/// Returns an error naming the file, the line and the key if the file can't be read or is invalid.
pub fn load_config<C: DeserializeOwned>(path: &Path) -> io::Result<C> {
    let text = read_text(path)?;
    let wrong = |error: toml::de::Error| cannot_read(path, io::Error::new(io::ErrorKind::InvalidData, error));
    toml::from_str(&text).map_err(wrong)
}

/// Serializes a configuration as TOML with all fields.
///
/// # Errors
/// Returns an error if the configuration can't be represented in TOML.
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
