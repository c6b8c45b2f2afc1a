//! The commands `houseway solve` and `houseway ev`, with options that are generated from the registry entries, and
//! `houseway side-bet`.

use crate::analysis::{ExtendedAnswer, ExtensionOption, MACHINE, OptionValues, SOLVE_EXTENSIONS, SolveExtension};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, StoreOptions};
use crate::report::answer_text;
use crate::run::{Output, STOPPING, cannot_write_by, check_outputs, stop_flag_with, with_control, write_atomic};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use houseway_env::registry;
use houseway_exact::registry::{find, solvers};
use houseway_exact::side_bet::{BetStakes, MAX_SEATS, amount, side_bet_answer};
use houseway_exact::solver::{OptionKind, SolverEntry};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Solve an entire game exactly
#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    options: SolverOptions<true>,
    /// Also write the result to a file as JSON
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl SolveArgs {
    pub fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let values = self.options.for_game(&self.common.game.game)?;
        let entry = find(&self.common.game.game).map_err(Failure::usage)?;
        let config = self.common.game.solver_config(self.options.single_values())?;
        let extension = SOLVE_EXTENSIONS.iter().find(|extension| extension.game == entry.game);
        let (outputs, inputs) = self.files(extension, values);
        let _outputs = check_outputs(&outputs, &inputs, self.force.force).map_err(Failure::usage)?;
        let extended = match extension {
            Some(extension) => (extension.solve)(&config, values, &self.store)?,
            None => {
                let (solver, stop) = (entry.solver(&config)?, stop_flag_with(STOPPING)?);
                let answer = with_control(&stop, |control| solver.solve(control))?;
                ExtendedAnswer { answer, machine: None, spent: None }
            }
        };
        self.answer(extended)
    }

    /// Returns the files that the command writes and the files that it may read. The latter are the values of all other
    /// options.
    fn files(&self, extension: Option<&SolveExtension>, values: &OptionValues) -> (Vec<Output>, Vec<PathBuf>) {
        let mut outputs: Vec<Output> = self.out.iter().map(|file| Output::new("--out", file)).collect();
        let mut inputs: Vec<PathBuf> = self.common.game.rules.iter().cloned().collect();
        let options = extension.map_or(&[][..], |extension| extension.options);
        for (name, values) in values {
            let option = options.iter().find(|option| option.spec.name == *name);
            match option {
                Some(option) if option.is_output => {
                    outputs.extend(values.iter().map(|file| Output::new(format!("--{name}"), file)));
                    let beside = values.iter().filter_map(|file| Some(Path::new(file).with_extension(option.beside?)));
                    outputs.extend(beside.map(|file| Output::new(format!("--{name}"), file)));
                }
                Some(option) if option.is_continued => {
                    outputs.extend(values.iter().map(|file| Output::continued(format!("--{name}"), file)));
                }
                _ => inputs.extend(values.iter().map(PathBuf::from)),
            }
        }
        (outputs, inputs)
    }

    /// Writes and prints the answer, then removes the file that is no longer needed.
    fn answer(&self, ExtendedAnswer { answer, machine, spent }: ExtendedAnswer) -> CommandResult {
        if let Some(out) = &self.out {
            write_atomic(out, format!("{:#}\n", answer.json))?;
        }
        let (mut text, mut json) = (answer_text(&answer), answer.json);
        if let Some((machine, remark)) = machine {
            json[MACHINE] = machine;
            text += &format!("\n{remark}\n");
        }
        self.common.output.print(&json, &text)?;
        let Some((option, path)) = spent else { return Ok(()) };
        Ok(fs::remove_file(&path).map_err(|error| cannot_write_by(option, &path, error))?)
    }
}

/// Compute the exact EV of every decision with a hand
#[derive(Args)]
pub struct EvArgs {
    /// The player's cards, such as As Kd Jk 7c 7d 2h 3s, or Kh 8c in hold'em
    #[arg(required = true)]
    hand: Vec<String>,
    #[command(flatten)]
    options: SolverOptions<false>,
    #[command(flatten)]
    common: CommonOptions,
}

impl EvArgs {
    pub fn run(self) -> CommandResult {
        self.common.threads.start()?;
        self.options.for_game(&self.common.game.game)?;
        let config = self.common.game.solver_config(self.options.single_values())?;
        let solver = find(&self.common.game.game).map_err(Failure::usage)?.solver(&config)?;
        let stop = stop_flag_with(STOPPING)?;
        let answer = with_control(&stop, |control| solver.value(&self.hand.join(" "), control))?;
        self.common.output.show(&answer)
    }
}

struct SolverOffer {
    game: &'static str,
    /// A one-line description of the answer for help texts.
    about: &'static str,
    options: Vec<ExtensionOption>,
}

/// Returns the games that support `houseway solve` or `houseway ev`.
fn offers(solve: bool) -> Vec<SolverOffer> {
    let own_options = |entry: &SolverEntry| -> Vec<ExtensionOption> {
        let used = entry.options.iter().filter(|spec| if solve { spec.in_solve } else { spec.in_value });
        used.copied().map(ExtensionOption::new).collect()
    };
    let offer = |entry: &SolverEntry| {
        let about = if solve { entry.about } else { entry.hands? };
        let extension = SOLVE_EXTENSIONS.iter().find(|extension| solve && extension.game == entry.game);
        let options = extension.map_or_else(|| own_options(entry), |extension| extension.options.to_vec());
        Some(SolverOffer { game: entry.game, about, options })
    };
    solvers().into_iter().filter_map(offer).collect()
}

/// The values of the solver options on the command line of `houseway solve` or `houseway ev`.
#[derive(Clone, Debug)]
struct SolverOptions<const SOLVE: bool> {
    values: OptionValues,
}

impl<const SOLVE: bool> SolverOptions<SOLVE> {
    /// Returns the option values for a game, given its name or id.
    pub fn for_game(&self, game: &str) -> CommandResult<&OptionValues> {
        let (name, offers) = (registry::find(game).map_err(Failure::usage)?.name, offers(SOLVE));
        let Some(offer) = offers.iter().find(|offer| offer.game == name) else {
            let known: Vec<&str> = offers.iter().map(|offer| offer.game).collect();
            return Err(Failure::usage(format!(
                "houseway {} does not support the game '{name}'; use -g {}",
                if SOLVE { "solve" } else { "ev" },
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

    pub fn single_values(&self) -> BTreeMap<String, String> {
        let single = |(name, values): (&&str, &Vec<String>)| match &values[..] {
            [value] => Some(((*name).to_owned(), value.clone())),
            _ => None,
        };
        self.values.iter().filter_map(single).collect()
    }
}

impl<const SOLVE: bool> FromArgMatches for SolverOptions<SOLVE> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SolverOptions<SOLVE>, clap::Error> {
        let mut values = BTreeMap::new();
        for option in merged(&offers(SOLVE)) {
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
        Ok(SolverOptions { values })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SolverOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<const SOLVE: bool> Args for SolverOptions<SOLVE> {
    fn augment_args(command: Command) -> Command {
        let offers = offers(SOLVE);
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

/// Compute the exact return of a side bet over all hands
#[derive(Args)]
pub struct SideBetArgs {
    /// The name or file of a paytable [default: the game's default paytable]
    paytable: Option<String>,
    /// The amount on the progressive meter, in units of the stake
    #[arg(long, value_name = "AMOUNT")]
    meter: Option<String>,
    /// The number of players at the table, whose hands pay envy bonuses to each other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SEATS)))]
    seats: u32,
    /// The player's strategy, for bets that also need the main bet to win
    #[arg(long, value_name = "S")]
    player: Option<String>,
    /// The banker's strategy, for bets that also need the main bet to win
    #[arg(long, value_name = "S")]
    banker: Option<String>,
    #[command(flatten)]
    common: CommonOptions,
}

impl SideBetArgs {
    pub fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let meter = self.meter.as_deref().map(amount).transpose().map_err(Failure::usage)?;
        let given = [("player", self.player), ("banker", self.banker)];
        let options: BTreeMap<String, String> =
            given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        let config = self.common.game.solver_config(options)?;
        let (game, paytable) = (&self.common.game.game, self.paytable.as_deref());
        let stakes = BetStakes { meter, seats: self.seats };
        let stop = stop_flag_with(STOPPING)?;
        let answer = with_control(&stop, |control| side_bet_answer(game, paytable, &config, stakes, control))?;
        self.common.output.show(&answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line<const SOLVE: bool> {
        #[arg(long, default_value = "pai-gow-poker")]
        game: String,
        #[arg(long)]
        rules: Option<String>,
        #[arg(long)]
        set: Vec<String>,
        #[command(flatten)]
        options: SolverOptions<SOLVE>,
    }

    fn values<const SOLVE: bool>(arguments: &[&str]) -> Result<BTreeMap<String, String>, String> {
        let line =
            Line::<SOLVE>::try_parse_from(["houseway"].iter().chain(arguments)).map_err(|error| error.to_string())?;
        assert!(line.rules.is_none() && line.set.is_empty());
        line.options.for_game(&line.game).map_err(|failure| format!("{failure:?}"))?;
        Ok(line.options.single_values())
    }

    #[test]
    fn options_reach_their_game() {
        let found = values::<false>(&["--game", "ultimate-holdem", "--trips", "3", "--board", "2c 3c 4c"]).unwrap();
        assert_eq!((found["trips"].as_str(), found["board"].as_str(), found.len()), ("3", "2c 3c 4c", 2));
        assert_eq!(values::<true>(&["--game", "JokerSeven-v0", "--enumerate"]).unwrap()["enumerate"], "true");
        assert!(values::<true>(&["--bank", "player"]).is_ok());
    }

    #[test]
    fn games_and_options_that_do_not_fit_are_named() {
        for (arguments, part) in [
            (vec!["--board", "2c 3c 4c"], "--board does not belong to the game pai-gow-poker; remove it or use -g"),
            (vec!["--game", "baccarat"], "unknown game 'baccarat'"),
            (vec!["--game", "joker-seven"], "does not support the game 'joker-seven'"),
            (vec!["--game", "ultimate-holdem", "--trips", "1001"], "1001 is not in 0..=1000"),
        ] {
            let error = values::<false>(&arguments).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        let error = values::<true>(&["--bank", "casino"]).unwrap_err();
        assert!(error.contains("house, player"), "{error}");
        let error = values::<true>(&["--merge", "a", "b", "--player", "optimal"]).unwrap_err();
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
