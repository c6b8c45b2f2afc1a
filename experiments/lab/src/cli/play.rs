//! Implementation of `houseway play` for playing any game in the terminal.

use crate::analysis::LAYOUTS;
use crate::console::{CommandResult, Failure, GameOptions, OrUsage, OutputOptions, ThreadOptions, print, print_json};
use crate::play::{
    BANKROLL, Clock, CoachMode, MAX_HISTORY, OtherPlayers, PlayRequest, add_player, check_terminal, play_plain,
    play_screen, session_file,
};
use crate::run::{cannot_read, stop_flag_with};
use clap::Args;
use houseway_env::gym::{HistoryFault, Rounds};
use houseway_env::{files, registry};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Play a game at a table with an exact coach
///
/// The session is saved after every deal and every action, and it is resumed the next time.
#[derive(Args)]
pub struct PlayArgs {
    #[command(flatten)]
    game: GameOptions,
    /// Read commands from standard input and write one line per event (for pipes and screen readers; type 'help' for a
    /// list)
    #[arg(long)]
    plain: bool,
    /// When the coach gives advice: on (including before decisions), off, or after (the round)
    #[arg(long, value_name = "WHEN", default_value_t = CoachMode::default())]
    coach: CoachMode,
    /// The seed for the cards in a new session; the same seed always deals the same cards
    #[arg(long)]
    seed: Option<u64>,
    /// Start a new session, replacing the saved one
    #[arg(long)]
    new: bool,
    /// The bankroll for a new session in chips
    #[arg(long, value_name = "CHIPS", value_parser = clap::value_parser!(i64).range(1..=1_000_000_000),
          help = format!("The bankroll for a new session in chips [default: {BANKROLL}]"))]
    bankroll: Option<i64>,
    /// The session file [default: one per game in the user's data folder]
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Append finished rounds to a file, as one line of JSON each
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Replay a history instead and check every result
    #[arg(long, value_name = "FILE", conflicts_with_all = ["history", "session", "new", "plain"])]
    verify: Option<PathBuf>,
    /// The banker's strategy in games that have one, as the name or file of a house way
    #[arg(long, value_name = "WAY")]
    banker: Option<String>,
    /// A reset option that is not a bet, such as chips=5 in a new session
    #[arg(long, value_name = "KEY=VALUE", value_parser = option_pair)]
    option: Vec<(String, Value)>,
    /// The player on another seat of a table in a new session: a house way with optional keys, such as
    /// 2=wong,bet=100,bank=always, or 3=empty
    ///
    /// The keys are bet, bet-share, side, bank (never, always or in-turn) and bankroll (the initial chips, by default 500
    /// minimum bets). Without a house way, the player follows the table's. All seats that aren't chosen keep their usual
    /// players.
    #[arg(long, value_name = "SEAT=PLAYER", value_parser = player_pair)]
    player: Vec<(String, String)>,
    /// The time limit for a decision in seconds, after which the house plays
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    clock: Option<u64>,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

fn option_pair(text: &str) -> Result<(String, Value), String> {
    let (key, value) = text.split_once('=').ok_or_else(|| format!("invalid option '{text}': expected key=value"))?;
    Ok((key.to_owned(), serde_json::from_str(value).unwrap_or_else(|_| value.into())))
}

fn player_pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').ok_or_else(|| format!("invalid player '{text}': expected seat=player"))?;
    Ok((pair.0.to_owned(), pair.1.to_owned()))
}

impl PlayArgs {
    pub(super) fn run(self) -> CommandResult {
        self.threads.start()?;
        let mut players = OtherPlayers::new();
        for (seat, player) in &self.player {
            add_player(&mut players, seat, player).map_err(|error| Failure::usage(format!("--player: {error}")))?;
        }
        let game = registry::find(&self.game.game).or_usage()?;
        let request = PlayRequest {
            game,
            rules: self.game.solver_config([].into())?,
            banker: self.banker.clone(),
            options: self.option.iter().cloned().collect(),
            players,
            // A replay doesn't need a session.
            session: if self.verify.is_some() { PathBuf::new() } else { session_file(self.session.as_deref(), game)? },
            new: self.new,
            seed: self.seed,
            bankroll: self.bankroll,
            history: self.history.clone(),
            coach: self.coach,
        };
        if let Some(path) = &self.verify {
            return self.verify(path, &mut *request.rounds()?);
        }
        let clock = Clock::new(self.clock.map(Duration::from_secs));
        if self.plain || self.output.json {
            return play_plain(request.open(LAYOUTS)?, self.output.json, clock);
        }
        check_terminal()?;
        let stop = stop_flag_with("ending the session (press again to stop immediately)")?;
        play_screen(request.open(LAYOUTS)?, clock, &stop)
    }

    fn verify(&self, path: &Path, game: &mut dyn Rounds) -> CommandResult {
        let history = files::read(path, MAX_HISTORY).map_err(|error| cannot_read(path, error)).or_usage()?;
        let name = path.display();
        let rounds = game.verify(&mut &history[..]).map_err(|fault| match fault {
            HistoryFault::Unreadable(reason) => Failure::usage(format!("{name}: {reason}")),
            HistoryFault::Differs(reason) => Failure::work(format!("{name} does not match its replay: {reason}")),
            HistoryFault::Unfinished(_) => Failure::work(format!("{name} is unfinished: {fault}")),
        })?;
        if self.output.json {
            return print_json(&json!({ "history": path, "rounds": rounds, "verified": true }));
        }
        print(&format!("{name}: {rounds} rounds replayed, every result as recorded\n"))
    }
}
