//! Configurations that come with the program, one per game.

/// Name and text of each file in `experiments/configs/`, by the build script.
const CONFIGS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/configs.rs"));

/// The configuration that comes with a game, if there is one: the file with the game's name.
pub fn default_config(game: &str) -> Option<&'static str> {
    CONFIGS.iter().find(|(name, _)| *name == game).map(|(_, text)| *text)
}
