//! `houseway play`: any game at a table in the terminal.

use crate::analysis::LAYOUTS;
use crate::console::{CommandResult, Failure, GameOptions, OrUsage, OutputOptions, ThreadOptions, print, print_json};
use crate::play::{BANKROLL, Clock, CoachMode, PlayRequest, check_terminal, play_plain, play_screen, session_file};
use crate::run::{cannot_read, stop_flag_with};
use clap::Args;
use houseway_env::gym::{DynEnv, read_episodes, replay};
use houseway_env::{files, registry};
use serde_json::{Value, json};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Play a game at a table, with an exact coach
///
/// The session is saved after every deal and every action, and resumed the next time.
#[derive(Args)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    game: GameOptions,
    /// Read commands from standard input and write one line per event (for pipes and screen readers; 'help' lists them)
    #[arg(long)]
    plain: bool,
    /// When the exact coach gives advice: on (before decisions too), off, after (the round)
    #[arg(long, value_name = "WHEN", default_value_t = CoachMode::default())]
    coach: CoachMode,
    /// Seed of the cards of a new session; the same seed deals the same cards
    #[arg(long)]
    seed: Option<u64>,
    /// Start a new session in place of the saved one
    #[arg(long)]
    new: bool,
    /// Bankroll of a new session in chips
    #[arg(long, value_name = "CHIPS", value_parser = clap::value_parser!(i64).range(1..=1_000_000_000),
          help = format!("Bankroll of a new session in chips [default: {BANKROLL}]"))]
    bankroll: Option<i64>,
    /// Session file [default: one per game in the user's data folder]
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Append finished rounds to a file, one line of JSON each
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Replay a history instead, and check every result
    #[arg(long, value_name = "FILE", conflicts_with_all = ["history", "session", "new", "plain"])]
    verify: Option<PathBuf>,
    /// The banker's strategy, where a game has one: a house way by name or file
    #[arg(long, value_name = "WAY")]
    banker: Option<String>,
    /// A reset option that is not a bet, such as chips=5 in a new session
    #[arg(long, value_name = "KEY=VALUE", value_parser = option_pair)]
    option: Vec<(String, Value)>,
    /// Time limit for a decision in seconds, after which the house plays
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    clock: Option<u64>,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

fn option_pair(text: &str) -> Result<(String, Value), String> {
    let (key, value) = text.split_once('=').ok_or_else(|| format!("invalid option '{text}': write key=value"))?;
    Ok((key.to_owned(), serde_json::from_str(value).unwrap_or_else(|_| value.into())))
}

impl PlayArgs {
    pub(super) fn run(self) -> CommandResult {
        self.threads.start()?;
        let game = registry::find(&self.game.game).or_usage()?;
        let request = PlayRequest {
            game,
            rules: self.game.solver_config([].into())?,
            banker: self.banker.clone(),
            options: self.option.iter().cloned().collect(),
            // A replay does not need a session.
            session: if self.verify.is_some() { PathBuf::new() } else { session_file(self.session.as_deref(), game)? },
            new: self.new,
            seed: self.seed,
            bankroll: self.bankroll,
            history: self.history.clone(),
            coach: self.coach,
        };
        if let Some(path) = &self.verify {
            return self.verify(path, request.env()?);
        }
        let clock = Clock::new(self.clock.map(Duration::from_secs));
        if self.plain || self.output.json {
            return play_plain(request.open(LAYOUTS)?, self.output.json, clock);
        }
        check_terminal()?;
        let stop = stop_flag_with("ending the session (press again to stop immediately)")?;
        play_screen(request.open(LAYOUTS)?, clock, &stop)
    }

    fn verify(&self, path: &Path, mut env: DynEnv) -> CommandResult {
        let file = files::open(path).map_err(|error| cannot_read(path, error)).or_usage()?;
        let name = path.display();
        let episodes =
            read_episodes::<Value>(BufReader::new(file)).map_err(|error| format!("{name}: {error}")).or_usage()?;
        replay(&mut env, &episodes)
            .map_err(|error| Failure::work(format!("{name} does not match its replay: {error}")))?;
        let rounds = episodes.len();
        if self.output.json {
            return print_json(&json!({ "history": path, "rounds": rounds, "verified": true }));
        }
        print(&format!("{name}: {rounds} rounds replayed, every result as recorded\n"))
    }
}
