//! Tables: sessions of players, in memory, one for each tab of a browser.
//!
//! A session is not saved: it ends with the server, when it is ended, or when its place is needed after half an hour without a
//! request. `houseway play` keeps a session.

use super::http::{Method, Refused, Request, Response};
use crate::play::{CoachMode, Event, Layout, Line, Phase, PlayRequest, PlayedSession, buttons};
use houseway_env::registry;
use houseway_exact::solver::SolverConfig;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Path of the tables.
pub(super) const TABLES: &str = "/api/play";
/// Maximum number of tables.
const MAX_TABLES: usize = 16;
/// Time without a request after which a table can be taken from its player.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// Number of rounds in the chart.
const CHARTED: usize = 500;
/// Maximum length of a line in bytes.
const MAX_LINE: usize = 200;
/// Largest bankroll in chips.
const MAX_BANKROLL: i64 = 1_000_000_000;
/// Start of the name of a value that changes a rule.
const SET: &str = "set.";

/// A table and its player.
struct Table {
    played: PlayedSession,
    used: Instant,
    /// Net result after each round, the last ones.
    chart: Vec<f64>,
}

/// The tables of a server.
pub(super) struct Tables {
    layouts: &'static [Layout],
    open: Mutex<BTreeMap<String, Arc<Mutex<Table>>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn invalid(reason: impl ToString) -> Refused {
    Refused(422, reason.to_string())
}

impl Tables {
    pub(super) fn new(layouts: &'static [Layout]) -> Tables {
        Tables { layouts, open: Mutex::default() }
    }

    /// Answers a request for the path after [`TABLES`].
    pub(super) fn respond(&self, request: &Request, path: &str) -> Result<Response, Refused> {
        let Some(id) = path.strip_prefix('/') else {
            return match request.method {
                Method::Post if path.is_empty() => self.create(request),
                _ => Err(Refused(405, "a table is opened with POST".to_owned())),
            };
        };
        if request.method == Method::Delete {
            let ended = lock(&self.open).remove(id);
            return ended.map(|_| Response::json(200, &json!({ "table": id, "ended": true }))).ok_or_else(no_table);
        }
        let table = lock(&self.open).get(id).map(Arc::clone).ok_or_else(no_table)?;
        let mut table = lock(&table);
        table.used = Instant::now();
        let events = match request.method {
            Method::Post => table.line(&request.body)?,
            _ => table.played.poll().map_err(|error| Refused(500, error.to_string()))?,
        };
        Ok(Response::json(200, &table.state(id, request, &events)))
    }

    fn create(&self, request: &Request) -> Result<Response, Refused> {
        self.make_room()?;
        let game = registry::find(request.value("game").unwrap_or(registry::games()[0].name)).map_err(invalid)?;
        let number = |name: &str| {
            let text = request.value(name);
            text.map(|text| text.parse::<i64>().map_err(|_| invalid(format!("invalid {name}: write a number"))))
                .transpose()
        };
        let bankroll = number("bankroll")?;
        if bankroll.is_some_and(|chips| !(1..=MAX_BANKROLL).contains(&chips)) {
            return Err(invalid(format!("invalid bankroll: write 1 to {MAX_BANKROLL} chips")));
        }
        let sets = request.query.iter().filter_map(|(key, value)| Some(format!("{}={value}", key.strip_prefix(SET)?)));
        let request_of_play = PlayRequest {
            game,
            rules: SolverConfig { assignments: sets.collect(), ..SolverConfig::default() },
            banker: None,
            options: BTreeMap::new(),
            session: PathBuf::new(),
            new: true,
            seed: number("seed")?.map(i64::unsigned_abs),
            bankroll,
            history: None,
            coach: CoachMode::On,
        };
        let played = request_of_play.open_unsaved(self.layouts).map_err(invalid)?;
        let events = played.session().greeting();
        let table = Table { played, used: Instant::now(), chart: vec![0.0] };
        let id = format!("{:016x}", RandomState::new().build_hasher().finish());
        let state = table.state(&id, request, &events);
        lock(&self.open).insert(id, Arc::new(Mutex::new(table)));
        Ok(Response::json(201, &state))
    }

    /// Ends the tables that nobody uses, if there are too many.
    fn make_room(&self) -> Result<(), Refused> {
        let mut open = lock(&self.open);
        if open.len() >= MAX_TABLES {
            // A table in use is locked.
            open.retain(|_, table| table.try_lock().map_or(true, |table| table.used.elapsed() < IDLE));
        }
        if open.len() >= MAX_TABLES {
            return Err(Refused(429, format!("{MAX_TABLES} tables are open already; end one of them, or wait")));
        }
        Ok(())
    }

    /// Ends all tables.
    pub(super) fn end(&self) {
        lock(&self.open).clear();
    }
}

fn no_table() -> Refused {
    Refused(404, "there is no such table: it has ended; open another one".to_owned())
}

impl Table {
    /// Carries out a line of text.
    fn line(&mut self, body: &[u8]) -> Result<Vec<Event>, Refused> {
        let text = std::str::from_utf8(body).ok().filter(|text| text.len() <= MAX_LINE);
        let text = text.ok_or_else(|| invalid(format!("a line is text of at most {MAX_LINE} bytes")))?;
        let rounds = self.played.session().record().rounds;
        let line = Line::parse(text, |name| self.played.session().is_action(name)).map_err(invalid)?;
        let events = self.played.line(&line).map_err(|error| Refused(500, error.to_string()))?;
        if self.played.session().record().rounds > rounds {
            self.chart.push(self.played.session().record().ledger.net.value());
            let over = self.chart.len().saturating_sub(CHARTED);
            self.chart.drain(..over);
        }
        Ok(events)
    }

    fn state(&self, id: &str, request: &Request, events: &[Event]) -> Value {
        let (played, session) = (&self.played, self.played.session());
        let bet = request.value("bet").and_then(|bet| bet.parse().ok()).unwrap_or_default();
        let bets = session
            .bets()
            .iter()
            .map(|bet| json!({ "title": bet.title, "stake": session.stake(bet), "is_main": bet.is_main }));
        let buttons = buttons(session, bet).into_iter().map(|button| {
            json!({ "label": button.label, "key": button.key, "line": button.line.to_string(), "first": button.is_first })
        });
        let phase = match session.phase() {
            Phase::Betting => "betting",
            Phase::Deciding => "deciding",
            Phase::Over => "over",
        };
        json!({
            "table": id,
            "game": session.game().name,
            "title": session.game().title,
            "seed": session.record().seed,
            "rounds": session.record().rounds,
            "bankroll": session.bankroll(),
            "phase": phase,
            "bets": bets.collect::<Vec<_>>(),
            "cards": session.cards(),
            "picks": session.pick().is_some(),
            "chosen": session.chosen(),
            "foul": session.foul(),
            "state": session.state(),
            "remark": session.remark(),
            "buttons": buttons.collect::<Vec<_>>(),
            "coach": played.mode(),
            "advice": played.advice(),
            "waiting": played.is_computing() || played.is_judging(),
            "summary": session.record().ledger.summary(),
            "chart": self.chart,
            "events": events,
        })
    }
}
