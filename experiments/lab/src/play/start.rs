//! Opens sessions according to command-line options.

use super::{
    Amount, Coach, CoachMode, Layout, OtherPlayers, PlayedSession, Record, Session, SessionFiles, open_history,
};
use crate::console::{CommandResult, Failure, OrUsage};
use crate::run::{FileLock, folder_of, make_folder, prepare_file};
use houseway_env::gym::{GameEntry, Rounds};
use houseway_exact::registry;
use houseway_exact::solver::{SolverConfig, SolverEntry};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

/// The prefix for assignments that set an option of the house way.
const WAY_PREFIX: &str = "way.";
/// The default bankroll for a new session, in chips.
pub const BANKROLL: i64 = 1_000;

/// A request to open a session.
#[derive(Clone, Debug)]
pub struct PlayRequest {
    pub game: &'static GameEntry,
    /// The rules and the assignments that change them.
    pub rules: SolverConfig,
    /// The banker's strategy, or `None` for the game's default.
    pub banker: Option<String>,
    /// The reset options for a new session, except for the bets.
    pub options: BTreeMap<String, Value>,
    /// The players on other seats of a new session, in a game with several seats.
    pub players: OtherPlayers,
    /// The path to the session file.
    pub session: PathBuf,
    /// `true` to start a new session even if there is a saved one. The new session replaces the saved one.
    pub new: bool,
    /// The seed for a new session. Defaults to a random seed.
    pub seed: Option<u64>,
    /// The bankroll for a new session, in chips. Defaults to [`BANKROLL`].
    pub bankroll: Option<i64>,
    /// The file that finished rounds are appended to.
    pub history: Option<PathBuf>,
    /// The coach mode to start with.
    pub coach: CoachMode,
}

/// Returns the folder in the user's data directory where sessions are saved by default.
pub fn data_folder() -> CommandResult<PathBuf> {
    let folder = dirs::data_dir().map(|folder| folder.join("houseway"));
    folder.ok_or_else(|| Failure::usage("no user data directory found; use --session to choose a file"))
}

impl PlayRequest {
    /// Creates the game.
    pub fn rounds(&self) -> CommandResult<Box<dyn Rounds>> {
        self.rounds_with(&self.players)
    }

    /// Creates the game with the given players on other seats.
    fn rounds_with(&self, players: &OtherPlayers) -> CommandResult<Box<dyn Rounds>> {
        let rounds = self.game.rounds(&self.config(players)?.to_string());
        rounds.map_err(|error| Failure::usage(format!("{}: {error}", self.game.name)))
    }

    /// Returns the game's configuration, with the rules, readings, banker and players.
    fn config(&self, players: &OtherPlayers) -> CommandResult<Value> {
        let mut config = env_config(self.game, &self.rules, self.banker.as_deref())?;
        if !players.is_empty() {
            if self.game.seated.is_none() {
                let seated = houseway_env::registry::games().into_iter().filter(|game| game.seated.is_some());
                let names = seated.map(|game| game.name).collect::<Vec<_>>().join(", ");
                let reason = format!("{} has no other seats to choose players for; try {names}", self.game.name);
                return Err(Failure::usage(reason));
            }
            config["players"] = json!(players);
        }
        Ok(config)
    }

    /// Resumes the saved session, or opens a new one.
    pub fn open(&self, layouts: &[Layout]) -> CommandResult<PlayedSession> {
        let rounds = self.rounds()?;
        let layout = Layout::find(layouts, self.game);
        if !folder_of(&self.session).exists() {
            // Check the options first, so that invalid ones don't leave an empty folder behind.
            Session::open(self.game, self.rounds()?, layout, self.new_record(&*rounds)).or_usage()?;
        }
        let mut files = self.files()?;
        let saved = if self.new { None } else { Record::load(&self.session).or_usage()? };
        let record = match saved {
            Some(record) => self.resumed(record)?,
            None => self.new_record(&*rounds),
        };
        let rounds = if record.players == self.players { rounds } else { self.rounds_with(&record.players)? };
        let mut session = Session::open(self.game, rounds, layout, record).or_usage()?;
        if let Some(path) = &self.history {
            files.history = Some((path.clone(), open_history(path, &mut session).or_usage()?));
        }
        Ok(PlayedSession::new(session, self.start_coach(layout), self.coach, Some(files)))
    }

    /// Opens a new session that isn't saved. This doesn't read or write any files.
    pub fn open_unsaved(&self, layouts: &[Layout]) -> CommandResult<PlayedSession> {
        let rounds = self.rounds()?;
        let (record, layout) = (self.new_record(&*rounds), Layout::find(layouts, self.game));
        let session = Session::open(self.game, rounds, layout, record).or_usage()?;
        Ok(PlayedSession::new(session, self.start_coach(layout), self.coach, None))
    }

    fn new_record(&self, rounds: &dyn Rounds) -> Record {
        let seed = self.seed.unwrap_or_else(random_seed);
        let bankroll = Amount::whole(self.bankroll.unwrap_or(BANKROLL));
        let mut record = Record::new(rounds.id(), rounds.rules_hash(), seed, bankroll);
        record.options.clone_from(&self.options);
        record.players.clone_from(&self.players);
        record
    }

    /// Checks that the requested options match the saved session.
    fn resumed(&self, record: Record) -> CommandResult<Record> {
        let differs = |what: &str, saved: String| {
            let path = self.session.display();
            Failure::usage(format!(
                "{path} was saved with {what} {saved}; omit the option to resume that session, use --new to start a new \
                 one, or choose another file with --session"
            ))
        };
        if self.seed.is_some_and(|seed| seed != record.seed) {
            return Err(differs("the seed", record.seed.to_string()));
        }
        if !self.options.is_empty() && self.options != record.options {
            return Err(differs("the options", json!(record.options).to_string()));
        }
        if !self.players.is_empty() && self.players != record.players {
            return Err(differs("the players", json!(record.players).to_string()));
        }
        match self.bankroll {
            Some(_) => Err(differs("a bankroll of", record.bankroll.to_string())),
            None => Ok(record),
        }
    }

    /// Creates the session file's folder if necessary, and locks the session.
    fn files(&self) -> CommandResult<SessionFiles> {
        make_folder(folder_of(&self.session))?;
        prepare_file("--session", &self.session).or_usage()?;
        let lock = FileLock::file(&self.session, false).map_err(|error| match error.kind() {
            std::io::ErrorKind::ResourceBusy => Failure::usage(format!(
                "{} is in use by another houseway process; end it or choose another file with --session",
                self.session.display()
            )),
            _ => Failure::from(error),
        })?;
        Ok(SessionFiles { session: self.session.clone(), _lock: lock, history: None })
    }

    /// Starts the coach if there is a solver for the game's decisions.
    fn start_coach(&self, layout: Layout) -> Option<Coach> {
        let entry = registry::find(layout.solver.unwrap_or(self.game.name)).ok()?;
        // The solver of another game only understands this game's rules if both games have the same ones.
        let solved = houseway_env::registry::find(entry.game).ok()?;
        let same_rules = (solved.default_rules)() == (self.game.default_rules)();
        let mut config = if same_rules { self.rules.clone() } else { SolverConfig::default() };
        for option in ["way", "banker"] {
            let has = entry.options.iter().any(|spec| spec.name == option);
            if let Some(banker) = self.banker.as_ref().filter(|_| has) {
                config = config.option(option, banker);
            }
        }
        Some(Coach::start(entry, config))
    }
}

/// Returns the configuration of a game's environment, with the rules, readings and banker.
pub fn env_config(game: &GameEntry, solver: &SolverConfig, banker: Option<&str>) -> CommandResult<Value> {
    let mut rules = solver.rules.clone();
    let mut readings = Map::new();
    let defaults = (game.default_rules)();
    for assignment in &solver.assignments {
        let pair = assignment.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
        let (key, value) =
            pair.ok_or_else(|| Failure::usage(format!("invalid rule '{assignment}': expected key=value")))?;
        match (key.strip_prefix(WAY_PREFIX), value.parse::<i64>()) {
            (Some(reading), _) => drop(readings.insert(reading.to_owned(), value.into())),
            (None, Ok(number)) if defaults.get(key).is_some_and(Value::is_i64) => {
                rules.insert(key.to_owned(), number.into());
            }
            _ => drop(rules.insert(key.to_owned(), value.into())),
        }
    }
    let mut config = json!({ "rules": rules });
    if !readings.is_empty() {
        config["readings"] = readings.into();
    }
    if let Some(banker) = banker {
        config["banker"] = banker.into();
    }
    Ok(config)
}

/// Adds the names of strategies to a solver's configuration.
pub fn with_strategies(
    entry: &SolverEntry,
    rules: &SolverConfig,
    strategies: &[(&'static str, Option<&str>)],
) -> Result<SolverConfig, String> {
    let mut config = rules.clone();
    for (option, value) in strategies {
        let Some(value) = value else { continue };
        if entry.options.iter().all(|spec| spec.name != *option) {
            return Err(format!("{} has no house ways; omit the option {option}", entry.game));
        }
        config = config.option(option, value);
    }
    Ok(config)
}

/// Returns the hash of a game's rules and of the banker's strategy.
pub fn rules_hash(game: &GameEntry, rules: &SolverConfig, banker: Option<&str>) -> Result<String, String> {
    let config = env_config(game, rules, banker).map_err(|failure| failure.to_string())?;
    let rounds = game.rounds(&config.to_string()).map_err(|error| format!("{}: {error}", game.name))?;
    Ok(rounds.rules_hash())
}

/// Returns a random seed that is short enough to retype.
pub fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// Returns the given session file, or the game's default file.
pub fn session_file(given: Option<&Path>, game: &GameEntry) -> CommandResult<PathBuf> {
    match given {
        Some(path) => Ok(path.to_owned()),
        None => Ok(data_folder()?.join(format!("play-{}.json", game.name))),
    }
}
