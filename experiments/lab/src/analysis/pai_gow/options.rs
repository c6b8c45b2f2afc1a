//! The options that commands share: the game, and strategies by name or file, with readings selected by
//! `--set way.NAME=OPTION`.

use super::progress::with_progress;
use crate::console::{CommandResult, CommonOptions, Failure, GameOptions};
use crate::run::{load_config, stop_flag_with};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rules::RuleSet;
use houseway_exact::pai_gow::whole::Side;
use houseway_exact::pai_gow::{NamedStrategy, Tabulated, WAY_PREFIX, load_strategies, load_ways};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The name for the best response, which isn't a house way.
pub(super) const OPTIMAL: &str = "optimal";

impl CommonOptions {
    /// Limits the threads, and returns the game and a flag that is set by a signal to stop. `stopping` is printed then.
    pub(super) fn start(&self, stopping: &'static str) -> CommandResult<(Game, Arc<AtomicBool>)> {
        self.threads.start()?;
        Ok((self.game.pai_gow()?, stop_flag_with(stopping)?))
    }
}

impl GameOptions {
    /// Returns the rules for the single-player game. Assignments override the file, which overrides the defaults.
    pub fn pai_gow_rules(&self) -> CommandResult<Rules> {
        let rules = match &self.rules {
            Some(path) => load_config(path).map_err(Failure::usage)?,
            None => Rules::default(),
        };
        let mut settings = self.set.iter().filter(|setting| !setting.trim_start().starts_with(WAY_PREFIX));
        settings.try_fold(rules, |rules: Rules, setting| rules.with(setting)).map_err(Failure::usage)
    }

    pub fn pai_gow(&self) -> CommandResult<Game> {
        if self.game != "pai-gow-poker" {
            let solver = houseway_exact::registry::find(&self.game).map_err(Failure::usage)?;
            return Err(Failure::usage(format!(
                "this command does not support the game '{0}'; use -g pai-gow-poker, or houseway solve -g {0} for what its \
                 strategies win and lose",
                solver.game
            )));
        }
        Ok(Game::new(self.pai_gow_rules()?))
    }

    /// Loads house ways by name or file with the selected readings. Each reading must belong to at least one of them.
    pub fn ways<const N: usize>(&self, names: [&str; N]) -> CommandResult<[Way; N]> {
        let ways = load_ways(&names, &self.set)?;
        Ok(ways.try_into().expect("one way for each name"))
    }

    /// Loads strategies by name or file, using the selected readings for house ways. Each reading must belong to at
    /// least one of them.
    pub fn strategies(&self, names: &[&str], game: &Game) -> CommandResult<Vec<NamedStrategy>> {
        if names.contains(&OPTIMAL) {
            return Err(Failure::usage(
                "'optimal' is not a house way; houseway solve --player optimal evaluates best play, and with --strategy FILE \
                 writes it as a strategy table, which this command accepts",
            ));
        }
        load_strategies(names, &self.set, game).map_err(Failure::from)
    }

    /// Returns the files that a command with these house ways may read: the ways' files and the rules file.
    pub fn files<'a>(&self, ways: impl IntoIterator<Item = &'a str>) -> Vec<PathBuf> {
        ways.into_iter().map(PathBuf::from).chain(self.rules.clone()).collect()
    }
}

pub(super) fn sides() -> impl TypedValueParser<Value = Side> {
    let side = |name: String| if name == Side::Player.name() { Side::Player } else { Side::Banker };
    PossibleValuesParser::new([Side::Player.name(), Side::Banker.name()]).map(side)
}

/// Prepares strategies for exact evaluation, with a progress bar. There must be `N` of them.
pub(super) fn prepare<const N: usize>(
    strategies: &[NamedStrategy],
    game: &Game,
    stop: &AtomicBool,
) -> CommandResult<[Tabulated; N]> {
    let prepared = with_progress("setting all hands", stop, |run| NamedStrategy::prepare_all(strategies, game, run));
    Ok(prepared.map_err(Failure::work)?.try_into().unwrap_or_else(|_| unreachable!("there are as many strategies")))
}

/// Returns the arguments with which a command uses these rules and the selected options of these house ways.
pub(super) fn settings(rules: &Rules, ways: &[&Way]) -> String {
    let mut settings = rules.changes();
    for reading in ways.iter().flat_map(|way| way.readings()).filter(|reading| reading.chosen > 0) {
        settings.push(format!("{WAY_PREFIX}{}={}", reading.name, reading.options[reading.chosen]));
    }
    settings.dedup();
    settings.iter().map(|setting| format!(" --set {setting}")).collect()
}

/// Returns the unselected options of the game's readings, except for those that only affect the side bet, along with the
/// rules that they result in.
pub(super) fn other_readings(rules: &Rules) -> Vec<(&'static str, &'static str, Rules)> {
    let mut others = rules.with_each(Rules::READINGS);
    others.retain(|(name, _, other)| *name != "side-bet-best" && other != rules);
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        game: GameOptions,
    }

    fn parse(arguments: &[&str]) -> GameOptions {
        Line::try_parse_from(["houseway"].iter().chain(arguments)).unwrap().game
    }

    #[test]
    fn settings_override_the_file_and_the_file_overrides_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rules.toml");
        std::fs::write(&path, "commission = 0.04\nequal-setting = \"foul\"\n").unwrap();
        let file = path.to_str().unwrap();
        let game = parse(&["--rules", file, "--set", "commission=0.03", "--set", "way.straights=keep"]);
        let expected = Rules::default().with("commission=0.03").unwrap().with("equal-setting=foul").unwrap();
        assert_eq!(game.pai_gow_rules().unwrap(), expected);
        assert_eq!(game.game, "pai-gow-poker");
    }

    #[test]
    fn readings_have_a_name_and_an_option() {
        for assignment in ["way.straights", "way.=keep", "way.straights="] {
            let text = format!("{:?}", parse(&["--set", assignment]).ways(["trump-plaza"]).unwrap_err());
            assert!(text.contains("way.NAME=OPTION"), "{text}");
        }
    }
}
