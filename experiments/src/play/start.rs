//! Opening of a session from command-line options.

use super::amount::Amount;
use super::coach::Coach;
use super::command::CoachMode;
use super::layout::Layout;
use super::record::Record;
use super::session::Session;
use super::table::{PlayedSession, SessionFiles};
use crate::console::{CommandResult, Failure, OrUsage};
use crate::run::{FileLock, cannot_write_by, folder_of, make_folder, prepare_file};
use houseway_env::gym::{DynEnv, Env, GameEntry};
use houseway_exact::registry;
use houseway_exact::solver::SolverConfig;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

/// Prefix of an assignment that sets an option of a house way.
const WAY_PREFIX: &str = "way.";
/// Default bankroll of a new session, in chips.
pub const BANKROLL: i64 = 1_000;

/// Description of the session to open.
#[derive(Clone, Debug)]
pub struct PlayRequest {
    /// The game.
    pub game: &'static GameEntry,
    /// Rules and assignments.
    pub rules: SolverConfig,
    /// The banker's strategy, or `None` for the game's default.
    pub banker: Option<String>,
    /// Reset options other than bets, for a new session.
    pub options: BTreeMap<String, Value>,
    /// Path of the session file.
    pub session: PathBuf,
    /// True to start a new session in place of a saved one.
    pub new: bool,
    /// Seed of a new session.
    pub seed: Option<u64>,
    /// Bankroll of a new session, in chips.
    pub bankroll: Option<i64>,
    /// File to which finished rounds are appended.
    pub history: Option<PathBuf>,
    /// When the coach gives advice.
    pub coach: CoachMode,
}

/// Returns the user's data folder for sessions.
///
/// # Errors
/// Returns an error if the user has no data folder.
pub fn data_folder() -> CommandResult<PathBuf> {
    let folder = dirs::data_dir().map(|folder| folder.join("houseway"));
    folder.ok_or_else(|| Failure::usage("there is no user data folder; name a file with --session"))
}

impl PlayRequest {
    /// Creates the environment.
    ///
    /// # Errors
    /// Returns an error if a rule or the strategy does not exist.
    pub fn env(&self) -> CommandResult<DynEnv> {
        let env = (self.game.make)(&self.config()?.to_string());
        env.map(DynEnv).map_err(|error| Failure::usage(format!("{}: {error}", self.game.name)))
    }

    /// Returns the configuration of the environment.
    fn config(&self) -> CommandResult<Value> {
        let mut rules = self.rules.rules.clone();
        let mut readings = Map::new();
        let defaults = (self.game.default_rules)();
        for assignment in &self.rules.assignments {
            let pair = assignment.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            let (key, value) =
                pair.ok_or_else(|| Failure::usage(format!("invalid rule '{assignment}': write key=value")))?;
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
        if let Some(banker) = &self.banker {
            config["banker"] = banker.as_str().into();
        }
        Ok(config)
    }

    /// Opens the session.
    ///
    /// # Errors
    /// Returns an error if an option is invalid, the session is in use or cannot be resumed, or a file cannot be
    /// written.
    pub fn open(&self, layouts: &[Layout]) -> CommandResult<PlayedSession> {
        let env = self.env()?;
        let files = self.files()?;
        let saved = if self.new { None } else { Record::load(&self.session).or_usage()? };
        let record = match saved {
            Some(record) => self.resumed(record)?,
            None => self.new_record(&env),
        };
        let session = Session::open(self.game, env, Layout::find(layouts, self.game), record).or_usage()?;
        Ok(PlayedSession::new(session, self.start_coach(), self.coach, Some(files)))
    }

    /// Opens a new session that is not saved; no file is read or written.
    ///
    /// # Errors
    /// If an option is invalid.
    pub fn open_unsaved(&self, layouts: &[Layout]) -> CommandResult<PlayedSession> {
        let env = self.env()?;
        let record = self.new_record(&env);
        let session = Session::open(self.game, env, Layout::find(layouts, self.game), record).or_usage()?;
        Ok(PlayedSession::new(session, self.start_coach(), self.coach, None))
    }

    fn new_record(&self, env: &DynEnv) -> Record {
        let seed = self.seed.unwrap_or_else(random_seed);
        let bankroll = Amount::whole(self.bankroll.unwrap_or(BANKROLL));
        let mut record = Record::new(env.spec().id, env.rules_hash(), seed, bankroll);
        record.options.clone_from(&self.options);
        record
    }

    /// Checks that the given options match those of the saved session.
    fn resumed(&self, record: Record) -> CommandResult<Record> {
        let differs = |what: &str, saved: String| {
            let path = self.session.display();
            Failure::usage(format!(
                "{path} is a session with {what} {saved}; leave the option out to resume it, start a new one with --new, \
                 or name another file with --session"
            ))
        };
        if self.seed.is_some_and(|seed| seed != record.seed) {
            return Err(differs("the seed", record.seed.to_string()));
        }
        if !self.options.is_empty() && self.options != record.options {
            return Err(differs("the options", json!(record.options).to_string()));
        }
        match self.bankroll {
            Some(_) => Err(differs("a bankroll of", record.bankroll.to_string())),
            None => Ok(record),
        }
    }

    /// Locks the session and opens the history.
    fn files(&self) -> CommandResult<SessionFiles> {
        make_folder(folder_of(&self.session))?;
        prepare_file("--session", &self.session).or_usage()?;
        let lock = FileLock::try_file(&self.session).map_err(|error| match error.kind() {
            std::io::ErrorKind::ResourceBusy => Failure::usage(format!(
                "{} is in use by another houseway; end it, or name another file with --session",
                self.session.display()
            )),
            _ => Failure::from(error),
        })?;
        let append = |path: &PathBuf| match File::options().append(true).create(true).open(path) {
            Ok(file) => Ok((path.clone(), file)),
            Err(error) => Err(Failure::usage(cannot_write_by("--history", path, error))),
        };
        let history = self.history.as_ref().map(append).transpose()?;
        Ok(SessionFiles { session: self.session.clone(), _lock: lock, history })
    }

    /// Starts the coach if the game has a solver.
    fn start_coach(&self) -> Option<Coach> {
        let entry = registry::find(self.game.name).ok()?;
        let mut config = self.rules.clone();
        for option in ["way", "banker"] {
            let has = entry.options.iter().any(|spec| spec.name == option);
            if let Some(banker) = self.banker.as_ref().filter(|_| has) {
                config = config.option(option, banker);
            }
        }
        Some(Coach::start(entry, config))
    }
}

/// Returns an unpredictable seed that is short enough to be typed again.
pub fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// Returns the session file: the given one, or the default file of the game.
///
/// # Errors
/// Returns an error if the user has no data folder.
pub fn session_file(given: Option<&Path>, game: &GameEntry) -> CommandResult<PathBuf> {
    match given {
        Some(path) => Ok(path.to_owned()),
        None => Ok(data_folder()?.join(format!("play-{}.json", game.name))),
    }
}
