//! Command-line arguments for solver options, generated from the registry entries.

use crate::analysis::SOLVE_EXTENSIONS;
use crate::analysis::extension::ExtensionOption;
use crate::console::{CommandResult, Failure};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use houseway_env::registry;
use houseway_exact::registry::solvers;
use houseway_exact::solver::{OptionKind, OptionSpec, SolverEntry};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// A command that solvers can answer.
pub(super) trait SolverCommand: Clone + Send + Sync + 'static {
    /// The command's name.
    const NAME: &'static str;

    /// Returns the games that support the command.
    fn offers() -> Vec<SolverOffer>;
}

/// A game that supports a command.
pub(super) struct SolverOffer {
    pub(super) game: &'static str,
    /// A one-line description of the answer for help texts.
    pub(super) about: String,
    pub(super) options: Vec<ExtensionOption>,
}

/// The `houseway ev` command.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvCommand;

/// The `houseway solve` command.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolveCommand;

fn options(entry: &SolverEntry, used: fn(&OptionSpec) -> bool) -> Vec<ExtensionOption> {
    entry.options.iter().copied().filter(used).map(ExtensionOption::new).collect()
}

impl SolverCommand for EvCommand {
    const NAME: &'static str = "ev";

    fn offers() -> Vec<SolverOffer> {
        let offer = |entry: &SolverEntry| {
            let about = entry.hands?.to_owned();
            Some(SolverOffer { game: entry.game, about, options: options(entry, |spec| spec.in_value) })
        };
        solvers().into_iter().filter_map(offer).collect()
    }
}

impl SolverCommand for SolveCommand {
    const NAME: &'static str = "solve";

    fn offers() -> Vec<SolverOffer> {
        let offer = |entry: &SolverEntry| {
            let extension = SOLVE_EXTENSIONS.iter().find(|extension| extension.game == entry.game);
            let options =
                extension.map_or_else(|| options(entry, |spec| spec.in_solve), |extension| extension.options.to_vec());
            SolverOffer { game: entry.game, about: entry.about.to_owned(), options }
        };
        solvers().into_iter().map(offer).collect()
    }
}

/// The values of the solver options on a command line.
#[derive(Clone, Debug)]
pub(super) struct SolverOptions<C> {
    values: BTreeMap<&'static str, Vec<String>>,
    command: PhantomData<C>,
}

impl<C: SolverCommand> SolverOptions<C> {
    /// Returns the option values for a game, given its name or id.
    pub(super) fn for_game(&self, game: &str) -> CommandResult<&BTreeMap<&'static str, Vec<String>>> {
        let (name, offers) = (registry::find(game).map_err(Failure::usage)?.name, C::offers());
        let Some(offer) = offers.iter().find(|offer| offer.game == name) else {
            let known: Vec<&str> = offers.iter().map(|offer| offer.game).collect();
            return Err(Failure::usage(format!(
                "houseway {} does not support the game '{name}'; use -g {}",
                C::NAME,
                known.join(" or -g ")
            )));
        };
        let has = |offer: &SolverOffer, name: &str| offer.options.iter().any(|option| option.spec.name == name);
        let Some(foreign) = self.values.keys().find(|option| !has(offer, option)) else { return Ok(&self.values) };
        let theirs: Vec<&str> = offers.iter().filter(|other| has(other, foreign)).map(|other| other.game).collect();
        Err(Failure::usage(format!(
            "the option --{foreign} does not belong to the game {name}; remove it or use -g {}",
            theirs.join(" or -g ")
        )))
    }

    /// Returns the options that have a single value.
    pub(super) fn single_values(&self) -> BTreeMap<String, String> {
        let single = |(name, values): (&&str, &Vec<String>)| match &values[..] {
            [value] => Some(((*name).to_owned(), value.clone())),
            _ => None,
        };
        self.values.iter().filter_map(single).collect()
    }
}

impl<C: SolverCommand> FromArgMatches for SolverOptions<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SolverOptions<C>, clap::Error> {
        let mut values = BTreeMap::new();
        for option in merged(&C::offers()) {
            let name = option.option.spec.name;
            let given: Vec<String> = match option.option.spec.kind {
                OptionKind::Flag if matches.get_flag(name) => vec!["true".to_owned()],
                OptionKind::Flag => vec![],
                OptionKind::Integer(..) => {
                    matches.get_many::<u32>(name).into_iter().flatten().map(u32::to_string).collect()
                }
                _ => matches.get_many::<String>(name).into_iter().flatten().cloned().collect(),
            };
            if !given.is_empty() {
                values.insert(name, given);
            }
        }
        Ok(SolverOptions { values, command: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SolverOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<C: SolverCommand> Args for SolverOptions<C> {
    fn augment_args(command: Command) -> Command {
        let offers = C::offers();
        let games: Vec<String> = offers.iter().map(|offer| format!("  {}: {}", offer.game, offer.about)).collect();
        let arguments = merged(&offers).into_iter().map(MergedOption::argument);
        command.args(arguments).after_help(format!("Games:\n{}", games.join("\n")))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// An option that is shared by one or more games.
struct MergedOption {
    option: ExtensionOption,
    /// The help text for each game.
    help: Vec<(&'static str, &'static str)>,
}

/// Returns the options for all games. Options with the same name are merged.
fn merged(offers: &[SolverOffer]) -> Vec<MergedOption> {
    let mut merged: Vec<MergedOption> = Vec::new();
    for offer in offers {
        for &option in &offer.options {
            let help = (offer.game, option.spec.help);
            match merged.iter_mut().find(|other| other.option.spec.name == option.spec.name) {
                None => merged.push(MergedOption { option, help: vec![help] }),
                Some(other) => {
                    other.help.push(help);
                    if other.option.spec.kind != option.spec.kind {
                        // The solver checks the value.
                        other.option.spec.kind = OptionKind::Text("VALUE");
                    }
                }
            }
        }
    }
    merged
}

impl MergedOption {
    fn argument(self) -> Arg {
        let ExtensionOption { spec, many, conflicts, .. } = self.option;
        let mut help: Vec<(Vec<&str>, &str)> = Vec::new();
        for (game, text) in self.help {
            match help.iter_mut().find(|(_, known)| *known == text) {
                Some((games, _)) => games.push(game),
                None => help.push((vec![game], text)),
            }
        }
        let help: Vec<String> = help.iter().map(|(games, text)| format!("[{}] {text}", games.join(", "))).collect();
        let argument = Arg::new(spec.name).long(spec.name).help(help.join("; ")).conflicts_with_all(conflicts);
        let argument = if many { argument.num_args(1..) } else { argument };
        match spec.kind {
            OptionKind::Flag => argument.action(ArgAction::SetTrue),
            OptionKind::Text(name) => argument.value_name(name),
            OptionKind::Choice(values) => argument.value_parser(PossibleValuesParser::new(values)),
            OptionKind::Integer(name, min, max) => {
                argument.value_name(name).value_parser(value_parser!(u32).range(i64::from(min)..=i64::from(max)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line<C: SolverCommand> {
        #[arg(long, default_value = "pai-gow-poker")]
        game: String,
        #[arg(long)]
        rules: Option<String>,
        #[arg(long)]
        set: Vec<String>,
        #[command(flatten)]
        options: SolverOptions<C>,
    }

    fn values<C: SolverCommand>(arguments: &[&str]) -> Result<BTreeMap<String, String>, String> {
        let line =
            Line::<C>::try_parse_from(["houseway"].iter().chain(arguments)).map_err(|error| error.to_string())?;
        assert!(line.rules.is_none() && line.set.is_empty());
        line.options.for_game(&line.game).map_err(|failure| format!("{failure:?}"))?;
        Ok(line.options.single_values())
    }

    #[test]
    fn options_reach_their_game() {
        let found = values::<EvCommand>(&["--game", "ultimate-holdem", "--trips", "3", "--board", "2c 3c 4c"]).unwrap();
        assert_eq!((found["trips"].as_str(), found["board"].as_str(), found.len()), ("3", "2c 3c 4c", 2));
        assert_eq!(values::<SolveCommand>(&["--game", "JokerSeven-v0", "--enumerate"]).unwrap()["enumerate"], "true");
        assert!(values::<SolveCommand>(&["--bank", "player"]).is_ok());
    }

    #[test]
    fn games_and_options_that_do_not_fit_are_named() {
        for (arguments, part) in [
            (vec!["--board", "2c 3c 4c"], "--board does not belong to the game pai-gow-poker; remove it or use -g"),
            (vec!["--game", "baccarat"], "unknown game 'baccarat'"),
            (vec!["--game", "joker-seven"], "does not support the game 'joker-seven'"),
            (vec!["--game", "ultimate-holdem", "--trips", "1001"], "1001 is not in 0..=1000"),
        ] {
            let error = values::<EvCommand>(&arguments).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        let error = values::<SolveCommand>(&["--bank", "casino"]).unwrap_err();
        assert!(error.contains("house, player"), "{error}");
        let error = values::<SolveCommand>(&["--merge", "a", "b", "--player", "optimal"]).unwrap_err();
        assert!(error.contains("cannot be used with"), "{error}");
    }

    #[test]
    fn extensions_extend_solvers_and_keep_their_options() {
        for extension in SOLVE_EXTENSIONS {
            let entry = solvers().into_iter().find(|entry| entry.game == extension.game).unwrap();
            for spec in entry.options.iter().filter(|spec| spec.in_solve) {
                assert!(extension.options.iter().any(|option| option.spec.name == spec.name), "{}", spec.name);
            }
        }
    }
}
