//! In-memory player sessions, called tables. Each browser tab has its own.
//!
//! The sessions aren't saved. A session ends when the player ends it, when the server stops, or, after five minutes
//! without a request, when another table needs its place. `houseway play` saves sessions instead.
//!
//! The server keeps track of the time for each decision. When the time is up, the server makes the decision even if the
//! page sends no requests. Lines that arrive too late are ignored.
//!
//! The coach stops computing when a page closes, which the page announces with `DELETE` on the table's `/coach`, or ten
//! seconds after the last request. The next request starts it again.

use super::{Method, PATIENCE, Refused, Request, Response, SET, Services, escape, html, invalid, lock};
use crate::play::{
    CHIPS, Coach, CoachMode, Command, EMPTY, Event, Layout, OtherPlayers, Phase, PlayRequest, PlayedSession, Seats,
    add_player, buttons, check_way, spots, ways,
};
use houseway_env::gym::GameEntry;
use houseway_env::registry::{self, games};
use houseway_exact::solver::SolverConfig;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

const MAX_TABLES: usize = 16;
/// The time that a table must go without a request before it can be closed to make room for another one.
const IDLE: Duration = Duration::from_secs(5 * 60);
const CHARTED: usize = 500;
const MAX_SECONDS: i64 = 3_600;
const MAX_LINE: usize = 200;
const MAX_BANKROLL: i64 = 1_000_000_000;
const OPTION: &str = "option.";
const PLAYER: &str = "player.";
/// The parameters of a new table.
pub const TABLE: &[&str] = &["game", "seed", "bankroll", "clock", "coach", "banker", SET, OPTION, PLAYER];

struct Table {
    played: PlayedSession,
    used: Instant,
    /// The events from decisions that were made because the time was up. The player hasn't seen them yet.
    late: Vec<Event>,
    chart: Vec<f64>,
}

#[derive(Default)]
pub struct Tables {
    open: Mutex<BTreeMap<String, Arc<Mutex<Table>>>>,
}

/// Closes the tables that have been idle the longest until there is room for one more. Most of them belong to closed pages.
fn make_room(open: &mut BTreeMap<String, Arc<Mutex<Table>>>) -> Result<(), Refused> {
    let idle = |table: &Mutex<Table>| match table.try_lock() {
        // A table that is locked is in use.
        Err(TryLockError::WouldBlock) => Duration::ZERO,
        Ok(table) => table.used.elapsed(),
        Err(TryLockError::Poisoned(table)) => table.into_inner().used.elapsed(),
    };
    while open.len() >= MAX_TABLES {
        match open.iter().map(|(id, table)| (idle(table), id.clone())).max() {
            Some((longest, id)) if longest >= IDLE => drop(open.remove(&id)),
            _ => {
                let minutes = IDLE.as_secs() / 60;
                return Err(Refused(429, format!("{MAX_TABLES} tables are in use; try again in {minutes} minutes")));
            }
        }
    }
    Ok(())
}

/// Returns the players on other seats, whose house ways must be built in.
fn other_players(request: &Request, layout: Layout) -> Result<OtherPlayers, Refused> {
    let mut players = OtherPlayers::new();
    for (seat, player) in request.prefixed(PLAYER) {
        add_player(&mut players, seat, player).map_err(invalid)?;
    }
    match layout.seats {
        Some(_) => ways(&players).try_for_each(|way| check_way(layout.ways, way)).map_err(invalid)?,
        None if players.is_empty() => {}
        None => return Err(invalid(format!("{} has no other seats to choose players for", layout.game))),
    }
    Ok(players)
}

/// Returns the session that a request describes, without its seed, bankroll and time limit.
fn play_request(request: &Request, game: &'static GameEntry, layouts: &[Layout]) -> Result<PlayRequest, Refused> {
    let sets = request.prefixed(SET).map(|(key, value)| format!("{key}={value}"));
    let banker = request.value("banker").filter(|way| !way.is_empty());
    banker.map_or(Ok(()), |way| check_way(Layout::find(layouts, game).ways, way)).map_err(invalid)?;
    let option =
        |(key, value): (&str, &str)| (key.to_owned(), serde_json::from_str(value).unwrap_or_else(|_| value.into()));
    Ok(PlayRequest {
        rules: SolverConfig { assignments: sets.collect(), ..SolverConfig::default() },
        banker: banker.map(str::to_owned),
        options: request.prefixed(OPTION).map(option).collect(),
        players: other_players(request, Layout::find(layouts, game))?,
        ..PlayRequest::new(game)
    })
}

impl Tables {
    fn find(&self, id: &str) -> Result<Arc<Mutex<Table>>, Refused> {
        lock(&self.open).get(id).map(Arc::clone).ok_or_else(no_table)
    }

    pub fn respond(&self, request: &Request, id: &str) -> Result<Response, Refused> {
        if request.method == Method::Delete {
            let ended = lock(&self.open).remove(id);
            return ended.map(|_| Response::json(200, &json!({ "table": id, "ended": true }))).ok_or_else(no_table);
        }
        let table = self.find(id)?;
        let mut table = lock(&table);
        table.used = Instant::now();
        table.tick()?;
        let mut events = std::mem::take(&mut table.late);
        if request.method == Method::Post && events.is_empty() {
            events = table.line(&request.body)?;
        } else {
            events.extend(table.played.poll().map_err(broken)?);
        }
        Ok(Response::json(200, &table.state(id, &events)))
    }

    /// Responds with the last finished rounds.
    pub fn rounds(&self, id: &str) -> Result<Response, Refused> {
        let table = self.find(id)?;
        let mut table = lock(&table);
        table.used = Instant::now();
        Ok(Response::json(200, &json!({ "table": id, "rounds": table.played.rounds })))
    }

    /// Cancels what the coach of a table computes, for a page that is about to close. The next request about the table
    /// starts it again.
    pub fn pause_coach(&self, id: &str) -> Result<Response, Refused> {
        let table = self.find(id)?;
        lock(&table).played.coach.iter_mut().for_each(Coach::pause);
        Ok(Response::json(200, &json!({ "table": id, "paused": true })))
    }

    pub fn create(&self, request: &Request, layouts: &[Layout]) -> Result<Response, Refused> {
        let game = registry::find(request.value("game").unwrap_or(registry::games()[0].name)).map_err(invalid)?;
        let number = |name: &str| {
            let text = request.value(name);
            text.map(|text| text.parse::<i64>().map_err(|_| invalid(format!("invalid {name}: expected a number"))))
                .transpose()
        };
        let bankroll = number("bankroll")?;
        if bankroll.is_some_and(|chips| !(1..=MAX_BANKROLL).contains(&chips)) {
            return Err(invalid(format!("invalid bankroll: must be between 1 and {MAX_BANKROLL} chips")));
        }
        let seconds = number("clock")?;
        if seconds.is_some_and(|seconds| !(1..=MAX_SECONDS).contains(&seconds)) {
            return Err(invalid(format!("invalid clock: must be between 1 and {MAX_SECONDS} seconds")));
        }
        let usual = PlayRequest::new(game).coach;
        let coach = request.value("coach").map_or(Ok(usual), |mode| mode.parse::<CoachMode>()).map_err(invalid)?;
        let limit = seconds.map(|seconds| Duration::from_secs(seconds.unsigned_abs()));
        let seed = request.value("seed").map(str::parse).transpose();
        let seed = seed.map_err(|_| invalid("invalid seed: expected a number from 0 to 2^64 - 1".to_owned()))?;
        let play = PlayRequest { seed, bankroll, limit, coach, ..play_request(request, game, layouts)? };
        let played = play.open_unsaved(layouts).map_err(invalid)?;
        let events = played.session.greeting();
        let mut table = Table { played, used: Instant::now(), late: vec![], chart: vec![0.0] };
        let id = format!("{:016x}", RandomState::new().build_hasher().finish());
        let state = table.state(&id, &events);
        let mut open = lock(&self.open);
        make_room(&mut open)?;
        open.insert(id, Arc::new(Mutex::new(table)));
        Ok(Response::json(201, &state))
    }

    /// Makes all decisions whose time is up, and pauses the coaches of tables whose pages have gone away.
    pub fn tick(&self) {
        let timed: Vec<Arc<Mutex<Table>>> = lock(&self.open).values().map(Arc::clone).collect();
        for table in timed {
            // If the table is in use, the request that uses it also checks the clock.
            if let Ok(mut table) = table.try_lock() {
                // Errors are reported in the response to the next request.
                let _ = table.tick();
                if table.used.elapsed() > PATIENCE {
                    table.played.coach.iter_mut().filter(|coach| coach.is_computing()).for_each(Coach::pause);
                }
            }
        }
    }

    pub fn end(&self) {
        lock(&self.open).clear();
    }
}

fn broken(error: std::io::Error) -> Refused {
    Refused(500, error.to_string())
}

fn no_table() -> Refused {
    Refused(404, "there is no such table; it may have been closed".to_owned())
}

impl Table {
    fn line(&mut self, body: &[u8]) -> Result<Vec<Event>, Refused> {
        let text = std::str::from_utf8(body).ok().filter(|text| text.len() <= MAX_LINE);
        let text = text.ok_or_else(|| invalid(format!("invalid line: must be text of at most {MAX_LINE} bytes")))?;
        let command = Command::parse(text, |name| self.played.session.is_action(name)).map_err(invalid)?;
        let rounds = self.played.session.record.rounds;
        let events = self.played.execute(&command).map_err(broken)?;
        self.extend_chart(rounds);
        Ok(events)
    }

    fn tick(&mut self) -> Result<(), Refused> {
        if self.played.time_left() == Some(Duration::ZERO) {
            let rounds = self.played.session.record.rounds;
            self.late.extend(self.played.time_up().map_err(broken)?);
            self.extend_chart(rounds);
        }
        Ok(())
    }

    /// Adds the last round to the chart if the number of finished rounds is greater than `rounds`.
    fn extend_chart(&mut self, rounds: u64) {
        if self.played.session.record.rounds > rounds {
            self.chart.push(self.played.session.record.ledger.net.value());
            let over = self.chart.len().saturating_sub(CHARTED);
            self.chart.drain(..over);
        }
    }

    fn state(&mut self, id: &str, events: &[Event]) -> Value {
        let left = self.played.time_left();
        let clock = left
            .zip(self.played.limit)
            .map(|(left, limit)| json!({ "left": left.as_secs_f64(), "limit": limit.as_secs_f64() }));
        let (played, session) = (&self.played, &self.played.session);
        let table = session.table();
        let buttons = buttons(session).into_iter().map(|button| {
            json!({ "label": button.label, "key": button.key, "line": button.command.to_string(), "first": button.is_first })
        });
        let spots = spots(session, CHIPS[0]);
        let spots = spots
            .into_iter()
            .zip(&session.bets)
            .map(|(spot, bet)| json!({ "title": bet.title, "option": bet.option, "key": spot.key }));
        let has_stake = session.bets.iter().any(|bet| session.stake(bet).value() > 0.0);
        let phase = match session.phase {
            Phase::Betting => "betting",
            Phase::Deciding => "deciding",
            Phase::Over => "over",
        };
        json!({
            "table": id,
            "game": session.game.name,
            "title": session.game.title,
            "seed": session.record.seed,
            "rounds": session.record.rounds,
            "bankroll": session.bankroll(),
            "phase": phase,
            "chips": CHIPS,
            "chip": session.first_chip(),
            "spots": spots.collect::<Vec<_>>(),
            "felt": table,
            "headline": session.headline(),
            "cards": session.cards(),
            "picks": session.pick().is_some(),
            "chosen": session.chosen,
            "foul": session.foul(),
            "state": session.state().filter(|_| table.is_empty()),
            "refusal": session.deal_refusal().filter(|_| has_stake),
            "clock": clock,
            "remark": session.remark(),
            "buttons": buttons.collect::<Vec<_>>(),
            "coach": played.mode,
            "advice": played.advice(),
            "waiting": played.is_computing() || played.is_judging(),
            "summary": session.record.ledger.summary(),
            "chart": self.chart,
            "events": events,
        })
    }
}

pub const PLAY: &str = "/play";

pub fn play_page(services: &Services) -> Response {
    let (mut cards, mut options, mut seats) = (String::new(), String::new(), String::new());
    for game in games() {
        let (name, about) = game.title.split_once(", ").unwrap_or((game.title, ""));
        cards += &format!(
            "<li><button type=\"button\" data-game=\"{}\"><b>{}</b> <span>{}</span></button></li>\n",
            game.name,
            escape(name),
            escape(about)
        );
        options += &format!("<option value=\"{}\">{}</option>", game.name, escape(name));
        let layout = Layout::find(services.layouts, game);
        seats.extend(layout.seats.map(|choice| seats_html(layout, choice)));
    }
    let contents = format!(include_str!("assets/play.html"), games = cards, options = options, seats = seats);
    services.page(200, PLAY, "Play", &["dom.js", "cards.js", "felt.js", "play.js"], &contents)
}

/// Returns the rules of a game in words as a page, or `None` if there is no such game.
pub fn rules_page(name: &str, services: &Services) -> Option<Response> {
    let game = games().into_iter().find(|game| game.name == name)?;
    let back = format!("<p><a href=\"{PLAY}\">Back to the table</a></p>");
    let contents = format!("<article>{back}{}</article>\n", html(&game.rules_text()));
    Some(services.page(200, PLAY, game.title, &[], &contents))
}

/// Returns the fields for the players on other seats. Only the seat of the human player has a name. The script combines
/// the fields of each other seat into a single value.
fn seats_html(Layout { game, ways, .. }: Layout, Seats { players, banks }: Seats) -> String {
    let option = |(value, text): (&str, &str)| format!("<option value=\"{value}\">{}</option>", escape(text));
    let numbers: String = (1..=players).map(|seat| option((&seat.to_string(), &seat.to_string()))).collect();
    let ways: String = [("", "the usual player"), (EMPTY, "nobody")]
        .into_iter()
        .chain(ways.iter().map(|(name, _)| (*name, *name)))
        .map(option)
        .collect();
    let banks: String = banks.iter().copied().map(option).collect();
    let mut others = String::new();
    for seat in 1..=players {
        others += &format!(include_str!("assets/seat.html"), seat = seat, ways = ways, banks = banks);
    }
    format!(include_str!("assets/seats.html"), game = game, numbers = numbers, others = others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_that_is_idle_the_longest_makes_room() {
        let tables = Tables::default();
        let game = registry::games()[0];
        for number in 0..MAX_TABLES {
            let played = PlayRequest::new(game).open_unsaved(&[]).unwrap();
            let table = Table { played, used: Instant::now(), late: vec![], chart: vec![] };
            lock(&tables.open).insert(number.to_string(), Arc::new(Mutex::new(table)));
        }
        assert_eq!(make_room(&mut lock(&tables.open)).unwrap_err().0, 429);
        for (number, minutes) in [("3", 6), ("12", 8), ("5", 7), ("9", 4)] {
            let ago = Instant::now().checked_sub(Duration::from_secs(60 * minutes));
            lock(&lock(&tables.open)[number]).used = ago.expect("the clock has run for some minutes");
        }
        let mut open = lock(&tables.open);
        make_room(&mut open).unwrap();
        assert!(open.len() == MAX_TABLES - 1 && !open.contains_key("12"));
    }
}
