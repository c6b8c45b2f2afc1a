//! Opens sessions according to command-line options.

use super::{
    Amount, Coach, CoachMode, EMPTY, Layout, Ledger, OtherPlayers, PastRound, PlayedSession, Record, Session,
    SessionFiles, open_history,
};
use crate::console::{CommandResult, Failure};
use crate::run::{FileLock, folder_of, make_folder, make_room, prepare_file};
use houseway_env::gym::{GameEntry, Rounds};
use houseway_env::names;
use houseway_env::pai_gow::house_way::Way;
use houseway_exact::pai_gow::WAY_PREFIX;
use houseway_exact::registry;
use houseway_exact::solver::SolverConfig;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub const BANKROLL: i64 = 1_000;

#[derive(Clone, Debug)]
pub struct PlayRequest {
    pub game: &'static GameEntry,
    pub rules: SolverConfig,
    pub banker: Option<String>,
    pub options: BTreeMap<String, Value>,
    pub players: OtherPlayers,
    pub session: PathBuf,
    /// `true` to start a new session even if there is a saved one. The new session replaces the saved one.
    pub new: bool,
    pub seed: Option<u64>,
    /// The bankroll for a new session, in chips. Defaults to [`BANKROLL`].
    pub bankroll: Option<i64>,
    pub history: Option<PathBuf>,
    pub coach: CoachMode,
    pub limit: Option<Duration>,
}

impl PlayRequest {
    /// Returns a request for a new session with the default rules and options, which isn't saved.
    pub fn new(game: &'static GameEntry) -> PlayRequest {
        PlayRequest {
            game,
            rules: SolverConfig::default(),
            banker: None,
            options: BTreeMap::new(),
            players: OtherPlayers::new(),
            session: PathBuf::new(),
            new: false,
            seed: None,
            bankroll: None,
            history: None,
            coach: CoachMode::On,
            limit: None,
        }
    }

    pub fn rounds(&self, players: &OtherPlayers) -> CommandResult<Box<dyn Rounds>> {
        let GameEntry { name, seated, .. } = self.game;
        let mut config = env_config(self.game, &self.rules, self.banker.as_deref()).map_err(Failure::usage)?;
        if !players.is_empty() {
            if seated.is_none() {
                let others = houseway_env::registry::games().into_iter().filter(|game| game.seated.is_some());
                let others = others.map(|game| game.name).collect::<Vec<_>>().join(", ");
                let reason = format!("{name} has no other seats to choose players for; try {others}");
                return Err(Failure::usage(reason));
            }
            config["players"] = json!(players);
        }
        self.game.rounds(&config.to_string()).map_err(|error| Failure::usage(format!("{name}: {error}")))
    }

    /// Resumes the saved session, or opens a new one.
    pub fn open(&self, layouts: &[Layout]) -> CommandResult<PlayedSession> {
        let rounds = self.rounds(&self.players)?;
        let layout = Layout::find(layouts, self.game);
        if !folder_of(&self.session).exists() {
            // Check the options first, so that invalid ones don't leave an empty folder behind.
            Session::open(self.game, self.rounds(&self.players)?, layout, self.new_record(&*rounds))
                .map_err(Failure::usage)?;
        }
        let mut files = self.files()?;
        let saved = if self.new { None } else { Record::load(&self.session).map_err(Failure::usage)? };
        let (request, record) = match saved {
            Some(record) => (self.with_rules_of(&record), self.resumed(record)?),
            None => (self.clone(), self.new_record(&*rounds)),
        };
        let rounds = request.rounds_of(&record)?;
        let mut session = Session::open(self.game, rounds, layout, record).map_err(Failure::usage)?;
        if let Some(path) = &self.history {
            files.history = Some((path.clone(), open_history(path, &mut session).map_err(Failure::usage)?));
        }
        if self.new {
            make_room(&self.session, Record::load).map_err(Failure::usage)?;
        }
        Ok(request.played(session, layout, Some(files)))
    }

    /// Opens a new session that isn't saved. This doesn't read or write any files.
    pub fn open_unsaved(&self, layouts: &[Layout]) -> CommandResult<PlayedSession> {
        let rounds = self.rounds(&self.players)?;
        let (record, layout) = (self.new_record(&*rounds), Layout::find(layouts, self.game));
        let session = Session::open(self.game, rounds, layout, record).map_err(Failure::usage)?;
        Ok(self.played(session, layout, None))
    }

    /// Opens a copy of the saved session as it was before the finished rounds that it still has, and returns it together
    /// with these rounds. It isn't saved.
    pub fn open_review(&self, layouts: &[Layout]) -> CommandResult<(PlayedSession, Vec<PastRound>)> {
        let mut record = Record::load(&self.session).map_err(Failure::usage)?.unwrap_or_default();
        let past = std::mem::take(&mut record.past);
        if past.is_empty() {
            let path = self.session.display();
            return Err(Failure::usage(format!("{path} has no finished rounds; choose another file with --session")));
        }
        record.rounds = record.rounds.saturating_sub(past.len() as u64);
        (record.ledger, record.open) = (Ledger::default(), None);
        // The advice on a bank takes a minute and has no cost.
        let layout = Layout { bank: None, ..Layout::find(layouts, self.game) };
        let request = self.with_rules_of(&record);
        let open = |record: Record| {
            Session::open(self.game, request.rounds_of(&record)?, layout, record).map_err(Failure::usage)
        };
        // The ledger covers all rounds, and the net of those that are left is only known once they have been replayed.
        let mut replayed = open(record.clone())?;
        for round in past.clone() {
            replayed.replay(round).map_err(Failure::work)?;
        }
        record.bankroll += replayed.record.ledger.net.times(-1);
        Ok((request.played(open(record)?, layout, None), past))
    }

    /// Starts the coach, which begins with the open decision of a resumed session.
    fn played(&self, session: Session, layout: Layout, files: Option<SessionFiles>) -> PlayedSession {
        let (coach, mode, limit) = (self.start_coach(layout), self.coach, self.limit);
        let house = self.banker.as_deref().unwrap_or(Way::DEFAULT);
        let is_usual = self.rules.rules.is_empty() && self.rules.assignments.is_empty() && Way::is_built_in(house);
        let house = is_usual.then(|| house.to_owned());
        let mut played = PlayedSession { session, coach, mode, limit, deadline: None, files, house, rounds: vec![] };
        played.ask();
        played
    }

    fn new_record(&self, rounds: &dyn Rounds) -> Record {
        let seed = self.seed.unwrap_or_else(random_seed);
        let bankroll = Amount::whole(self.bankroll.unwrap_or(BANKROLL));
        let mut record = Record::new(self.game.id, rounds.rules_hash(), seed, bankroll);
        record.options.clone_from(&self.options);
        record.players.clone_from(&self.players);
        record.rules = Some(self.rule_options());
        record
    }

    /// Returns the options that change the rules or the banker, as on the command line.
    fn rule_options(&self) -> Vec<String> {
        let of_file = self.rules.rules.iter().map(|(key, value)| format!("--set {key}={}", value_text(value)));
        let set = self.rules.assignments.iter().map(|assignment| format!("--set {assignment}"));
        of_file.chain(set).chain(self.banker.iter().map(|way| format!("--banker {way}"))).collect()
    }

    /// Returns this request with the rules and the banker of a saved session, unless it has any itself.
    fn with_rules_of(&self, record: &Record) -> PlayRequest {
        let mut request = self.clone();
        if self.rule_options().is_empty() {
            for option in record.rules.iter().flatten() {
                match option.split_once(' ') {
                    Some(("--banker", way)) => request.banker = Some(way.to_owned()),
                    Some((_, assignment)) => request.rules.assignments.push(assignment.to_owned()),
                    None => {}
                }
            }
        }
        request
    }

    /// Returns the failure to resume a session that was saved with something else.
    fn differs(&self, saved: &str, fix: &str) -> Failure {
        let path = self.session.display();
        Failure::usage(format!(
            "{path} was saved with {saved}; {fix} to resume that session, use --new to start a new one, or choose another \
             file with --session"
        ))
    }

    fn resumed(&self, record: Record) -> CommandResult<Record> {
        let differs = |saved: String| Err(self.differs(&saved, "omit the option"));
        if self.seed.is_some_and(|seed| seed != record.seed) {
            return differs(format!("the seed {}", record.seed));
        }
        if !self.options.is_empty() && self.options != record.options {
            let option = |(key, value): (&String, &Value)| format!("--option {key}={}", value_text(value));
            let saved: Vec<String> = record.options.iter().map(option).collect();
            return differs(if saved.is_empty() { "no --option".to_owned() } else { saved.join(" ") });
        }
        if !self.players.is_empty() && self.players != record.players {
            let player = |(seat, player): (&usize, &Value)| format!("--player {seat}={}", player_text(player));
            let saved: Vec<String> = record.players.iter().map(player).collect();
            return differs(if saved.is_empty() { "the usual players".to_owned() } else { saved.join(" ") });
        }
        match self.bankroll {
            Some(_) => differs(format!("a bankroll of {}", record.bankroll)),
            None => Ok(record),
        }
    }

    /// Returns the game of a saved session, which must be this game with these rules.
    fn rounds_of(&self, record: &Record) -> CommandResult<Box<dyn Rounds>> {
        if record.env != self.game.id {
            let name = houseway_env::registry::find(&record.env).map_or(&*record.env, |game| game.name);
            return Err(self.differs(&format!("a different game, {name}"), &format!("use -g {name}")));
        }
        let rounds = self.rounds(&record.players)?;
        // If the options are the same but not the rules, a file has changed, or the program.
        match &record.rules {
            Some(saved) if rounds.rules_hash() != record.rules_hash && *saved != self.rule_options() => {
                let saved = if saved.is_empty() { "the default rules".to_owned() } else { saved.join(" ") };
                Err(self.differs(&saved, "omit other rules"))
            }
            _ => Ok(rounds),
        }
    }

    /// Creates the session file's folder if necessary, and locks the session.
    fn files(&self) -> CommandResult<SessionFiles> {
        make_folder(folder_of(&self.session))?;
        prepare_file("--session", &self.session).map_err(Failure::usage)?;
        let lock = FileLock::file("--session", &self.session, false).map_err(|error| match error.kind() {
            std::io::ErrorKind::ResourceBusy => Failure::usage(error),
            _ => Failure::from(error),
        })?;
        Ok(SessionFiles { session: self.session.clone(), _lock: lock, history: None })
    }

    fn start_coach(&self, layout: Layout) -> Option<Coach> {
        let entry = registry::find(layout.solver.unwrap_or(self.game.name)).ok()?;
        // The solver of another game only understands this game's rules if both games have the same ones.
        let solved = houseway_env::registry::find(entry.game).ok()?;
        let defaults = (solved.rules.defaults)();
        let mut config = if defaults == (self.game.rules.defaults)() {
            self.rules.clone()
        } else {
            // At a table, the assignments are divided between the table and the game.
            let mut config = SolverConfig::default();
            let of_game = |it: &&String| it.split_once('=').is_some_and(|(key, _)| defaults.contains_key(key.trim()));
            config.assignments = self.rules.assignments.iter().filter(of_game).cloned().collect();
            config
        };
        for option in ["way", "banker", "dealer"] {
            let has = entry.options.iter().any(|spec| spec.name == option);
            if let Some(banker) = self.banker.as_ref().filter(|_| has) {
                config = config.option(option, banker);
            }
        }
        // The command `bank` doesn't read files with rules.
        let layout = if self.rules.rules.is_empty() { layout } else { Layout { bank: None, ..layout } };
        Some(Coach::start(entry, config, layout, self.rules.assignments.clone()))
    }
}

/// Returns a value as it is written on the command line.
fn value_text(value: &Value) -> String {
    let word = value.as_str().filter(|text| !text.contains(char::is_whitespace));
    word.map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the player on a seat as [`add_player`] parses it.
///
/// [`add_player`]: super::add_player
fn player_text(player: &Value) -> String {
    let Some(player) = player.as_object() else { return EMPTY.to_owned() };
    let key = |(key, value): (&String, &Value)| format!("{key}={}", value_text(value));
    player.iter().map(key).collect::<Vec<_>>().join(",")
}

/// Returns the key for the banker's strategy in the configurations of a game's environment and solver. At a table, it is
/// the house's way, which other players follow as well unless they have one of their own.
fn banker_key(game: &GameEntry) -> Result<&'static str, String> {
    let name = game.name;
    if (game.rules.defaults)().contains_key("way") {
        return Err(format!("the house's way in {name} is a rule; use --set way=NAME instead of the option banker"));
    }
    if game.seated.is_some() {
        return Ok("house_way");
    }
    let Ok(entry) = registry::find(name) else { return Ok("banker") };
    let has = |key: &&str| entry.options.iter().any(|spec| spec.name == *key);
    let key = ["banker", "dealer"].into_iter().find(has);
    key.ok_or_else(|| format!("{name} has no house ways; omit the option banker"))
}

/// Returns the configuration of a game's environment, with the rules, readings and banker.
pub fn env_config(game: &GameEntry, solver: &SolverConfig, banker: Option<&str>) -> Result<Value, String> {
    let mut rules = solver.rules.clone();
    let mut readings = Map::new();
    let defaults = (game.rules.defaults)();
    let game_defaults =
        game.seated.map(|seated| houseway_env::registry::find(seated.game).map(|it| (it.rules.defaults)()));
    let game_defaults = game_defaults.transpose().map_err(|error| error.to_string())?.unwrap_or_default();
    let mut game_rules = Map::new();
    for assignment in &solver.assignments {
        let Some((key, value)) = assignment.split_once('=').map(|(key, value)| (key.trim(), value.trim())) else {
            return Err(format!("invalid rule '{assignment}': expected key=value"));
        };
        match (key.strip_prefix(WAY_PREFIX), value.parse::<i64>()) {
            (Some(reading), _) => drop(readings.insert(reading.to_owned(), value.into())),
            (None, Ok(number)) if defaults.get(key).is_some_and(Value::is_i64) => {
                rules.insert(key.to_owned(), number.into());
            }
            _ if game_defaults.contains_key(key) => drop(game_rules.insert(key.to_owned(), value.into())),
            _ if !game_defaults.is_empty() && !defaults.contains_key(key) => {
                let known = game_defaults.keys().chain(defaults.keys()).map(String::as_str);
                return Err(format!("unknown rule '{key}'; {}", names::expected(key, known)));
            }
            _ => drop(rules.insert(key.to_owned(), value.into())),
        }
    }
    let mut config = json!({ "rules": rules });
    if !game_rules.is_empty() {
        config["game"] = game_rules.into();
    }
    if !readings.is_empty() {
        config["readings"] = readings.into();
    }
    if let Some(banker) = banker {
        config[banker_key(game)?] = banker.into();
    }
    Ok(config)
}

/// Returns the configuration of a game's solver, with the rules, the house way to compare with and the banker's strategy.
pub fn with_strategies(
    game: &GameEntry,
    rules: &SolverConfig,
    way: Option<&str>,
    banker: Option<&str>,
) -> Result<SolverConfig, String> {
    let mut config = rules.clone();
    if let Some(way) = way {
        let entry = registry::find(game.name).map_err(|error| error.to_string())?;
        if (game.rules.defaults)().contains_key("way") {
            return Err(format!("{} is compared with the house's way, which is a rule; use --set way=NAME", game.name));
        }
        if entry.options.iter().all(|spec| spec.name != "way") {
            return Err(format!("{} has no house ways to compare with; omit the option way", game.name));
        }
        config = config.option("way", way);
    }
    match banker {
        Some(banker) => Ok(config.option(banker_key(game)?, banker)),
        None => Ok(config),
    }
}

/// Returns a random seed that is short enough to retype.
pub fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// Returns the given session file, or the default one for a kind of session with a game, in the user's data folder.
pub fn session_file(given: Option<&Path>, kind: &str, game: &GameEntry) -> CommandResult<PathBuf> {
    if let Some(path) = given {
        return Ok(path.to_owned());
    }
    let data = dirs::data_dir().ok_or("no user data directory found; use --session to choose a file");
    Ok(data.map_err(Failure::usage)?.join("houseway").join(format!("{kind}-{}.json", game.name)))
}
