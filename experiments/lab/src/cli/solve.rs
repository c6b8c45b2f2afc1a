//! The commands `houseway solve` and `houseway ev`, with options that are generated from the registry entries, and
//! `houseway side-bet`.

use crate::analysis::pai_gow::solve::{EnumerationOptions, MACHINE, machine};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, StoreOptions};
use crate::report::answer_text;
use crate::run::{Output, STOPPING, check_outputs, stop_flag_with, with_control, write_atomic};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use houseway_env::cards::Card;
use houseway_env::registry;
use houseway_exact::registry::{find, solvers};
use houseway_exact::side_bet::{BetStakes, MAX_PLAYERS, amount, side_bet_answer};
use houseway_exact::solver::{OptionKind, OptionSpec, SolverEntry};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

/// The game whose deals can be enumerated with further options.
const ENUMERATED: &str = "pai-gow-poker";

/// Solve an entire game exactly
#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    options: SolverOptions<true>,
    #[command(flatten)]
    enumeration: EnumerationOptions,
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
        if let Some(option) = self.enumeration.given().filter(|_| entry.game != ENUMERATED) {
            return Err(foreign_option(option, entry.game, ENUMERATED));
        }
        let config = self.common.game.solver_config(values.clone())?;
        let outputs = self.out.iter().map(|file| Output::new("--out", file));
        let outputs: Vec<Output> = outputs.chain(self.enumeration.outputs()).collect();
        let inputs = values.values().map(PathBuf::from).chain(self.common.game.rules.clone());
        let inputs: Vec<PathBuf> = inputs.chain(self.enumeration.merge.clone()).collect();
        let _outputs = check_outputs(&outputs, &inputs, self.force.force).map_err(Failure::usage)?;
        let begun = Instant::now();
        let answer = match entry.game {
            ENUMERATED => self.enumeration.solve(&config, &self.store)?,
            _ => {
                let (solver, stop) = (entry.solver(&config)?, stop_flag_with(STOPPING)?);
                with_control(&stop, |control| solver.solve(control))?
            }
        };
        if let Some(out) = &self.out {
            write_atomic(out, format!("{:#}\n", answer.json))?;
        }
        let (mut text, mut json) = (answer_text(&answer), answer.json);
        if entry.game == ENUMERATED && self.enumeration.merge.is_empty() {
            let (machine, remark) = machine(begun);
            json[MACHINE] = machine;
            text += &format!("\n{remark}\n");
        }
        self.common.output.print(&json, &text)
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

/// Joins two cards after `--front` as if they were quoted. Otherwise, the second one would belong to the hand.
pub fn join_front(arguments: &mut Vec<OsString>) {
    let is_card = |argument: &OsString| argument.to_str().is_some_and(|text| text.parse::<Card>().is_ok());
    let options = arguments.iter().take_while(|argument| *argument != "--");
    let Some(front) = options.enumerate().find(|(_, argument)| *argument == "--front").map(|(at, _)| at) else {
        return;
    };
    if arguments.get(front + 1..=front + 2).is_some_and(|cards| cards.iter().all(is_card)) {
        let second = arguments.remove(front + 2);
        arguments[front + 1].push(" ");
        arguments[front + 1].push(second);
    }
}

impl EvArgs {
    pub fn run(self) -> CommandResult {
        self.common.threads.start()?;
        self.options.for_game(&self.common.game.game)?;
        let config = self.common.game.solver_config(self.options.values.clone())?;
        let solver = find(&self.common.game.game).map_err(Failure::usage)?.solver(&config)?;
        let stop = stop_flag_with(STOPPING)?;
        let answer = with_control(&stop, |control| solver.value(&self.hand.join(" "), control))?;
        self.common.output.show(&answer)
    }
}

/// Returns the games that support `houseway solve` or `houseway ev`.
fn offers(solve: bool) -> Vec<&'static SolverEntry> {
    solvers().into_iter().filter(|entry| solve || entry.hands.is_some()).collect()
}

/// Returns the options of a game in `houseway solve` or `houseway ev`.
fn options_of(entry: &SolverEntry, solve: bool) -> impl Iterator<Item = OptionSpec> {
    entry.options.iter().copied().filter(move |spec| if solve { spec.in_solve } else { spec.in_value })
}

/// The values of the solver options on the command line of `houseway solve` or `houseway ev`.
#[derive(Clone, Debug)]
struct SolverOptions<const SOLVE: bool> {
    values: BTreeMap<String, String>,
}

impl<const SOLVE: bool> SolverOptions<SOLVE> {
    /// Returns the option values for a game, given its name or id.
    pub fn for_game(&self, game: &str) -> CommandResult<&BTreeMap<String, String>> {
        let (name, offers) = (registry::find(game).map_err(Failure::usage)?.name, offers(SOLVE));
        let Some(offer) = offers.iter().find(|offer| offer.game == name) else {
            let known: Vec<&str> = offers.iter().map(|offer| offer.game).collect();
            return Err(Failure::usage(format!(
                "houseway {} does not support the game '{name}'; use -g {}",
                if SOLVE { "solve" } else { "ev" },
                known.join(" or -g ")
            )));
        };
        let has = |offer: &SolverEntry, name: &str| options_of(offer, SOLVE).any(|option| option.name == name);
        let Some(foreign) = self.values.keys().find(|option| !has(offer, option)) else { return Ok(&self.values) };
        let theirs: Vec<&str> = offers.iter().filter(|other| has(other, foreign)).map(|other| other.game).collect();
        Err(foreign_option(foreign, name, &theirs.join(" or -g ")))
    }
}

fn foreign_option(option: &str, game: &str, theirs: &str) -> Failure {
    Failure::usage(format!("the option --{option} does not belong to the game {game}; remove it or use -g {theirs}"))
}

impl<const SOLVE: bool> FromArgMatches for SolverOptions<SOLVE> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SolverOptions<SOLVE>, clap::Error> {
        let value = |OptionSpec { name, kind, .. }: OptionSpec| match kind {
            OptionKind::Flag => matches.get_flag(name).then(|| "true".to_owned()),
            OptionKind::Integer(..) => matches.get_one::<u32>(name).map(u32::to_string),
            _ => matches.get_one::<String>(name).cloned(),
        };
        let options = merged(SOLVE).into_iter().map(|option| option.spec);
        let values = options.filter_map(|spec| Some((spec.name.to_owned(), value(spec)?))).collect();
        Ok(SolverOptions { values })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SolverOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<const SOLVE: bool> Args for SolverOptions<SOLVE> {
    fn augment_args(command: Command) -> Command {
        let about = |entry: &SolverEntry| if SOLVE { entry.about } else { entry.hands.unwrap_or_default() };
        let games = offers(SOLVE).into_iter().map(|entry| format!("  {}: {}", entry.game, about(entry)));
        let games: Vec<String> = games.collect();
        let arguments = merged(SOLVE).into_iter().map(MergedOption::argument);
        command.args(arguments).after_help(format!("Games:\n{}", games.join("\n")))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// An option that is shared by one or more games.
struct MergedOption {
    spec: OptionSpec,
    help: Vec<(&'static str, &'static str)>,
}

/// Returns the options for all games. Options with the same name are merged.
fn merged(solve: bool) -> Vec<MergedOption> {
    let mut merged: Vec<MergedOption> = Vec::new();
    for offer in offers(solve) {
        for spec in options_of(offer, solve) {
            let help = (offer.game, spec.help);
            match merged.iter_mut().find(|other| other.spec.name == spec.name) {
                None => merged.push(MergedOption { spec, help: vec![help] }),
                Some(other) => {
                    other.help.push(help);
                    if other.spec.kind != spec.kind {
                        // The solver checks the value.
                        other.spec.kind = OptionKind::Text("VALUE");
                    }
                }
            }
        }
    }
    merged
}

impl MergedOption {
    fn argument(self) -> Arg {
        let mut help: Vec<(Vec<&str>, &str)> = Vec::new();
        for (game, text) in self.help {
            match help.iter_mut().find(|(_, known)| *known == text) {
                Some((games, _)) => games.push(game),
                None => help.push((vec![game], text)),
            }
        }
        let help: Vec<String> = help.iter().map(|(games, text)| format!("[{}] {text}", games.join(", "))).collect();
        let argument = Arg::new(self.spec.name).long(self.spec.name).help(help.join("; "));
        match self.spec.kind {
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
    /// The name of a paytable, which 'houseway games' lists by game, or a file [default: the game's default paytable]
    paytable: Option<String>,
    /// The amount on the progressive meter, in units of the stake
    #[arg(long, value_name = "AMOUNT")]
    meter: Option<String>,
    /// The number of players at the table, whose hands pay envy bonuses to each other
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = value_parser!(u32).range(1..=i64::from(MAX_PLAYERS)))]
    seats: u32,
    /// The player's strategy in the main bet, for bets that need it to win
    #[arg(long, value_name = "S")]
    player: Option<String>,
    /// The banker's strategy, for bets that need the main bet to win or that are on the dealer's front
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

    #[derive(Parser)]
    struct SolveLine {
        #[command(flatten)]
        _arguments: SolveArgs,
    }

    fn values<const SOLVE: bool>(arguments: &[&str]) -> Result<BTreeMap<String, String>, String> {
        let line =
            Line::<SOLVE>::try_parse_from(["houseway"].iter().chain(arguments)).map_err(|error| error.to_string())?;
        assert!(line.rules.is_none() && line.set.is_empty());
        line.options.for_game(&line.game).map_err(|failure| format!("{failure:?}"))?;
        Ok(line.options.values)
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
        let line = ["houseway", "--merge", "a", "b", "--player", "optimal"];
        let error = SolveLine::try_parse_from(line).err().unwrap().to_string();
        assert!(error.contains("cannot be used with"), "{error}");
    }
}
