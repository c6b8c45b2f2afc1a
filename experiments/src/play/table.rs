//! A session with its coach and its files.

use super::coach::{Coach, JudgedRound, advice, verdict};
use super::command::{CoachMode, Command, HELP, Line};
use super::event::Event;
use super::session::{Finished, Session};
use crate::run::{FileLock, cannot_write_by};
use houseway_env::gym::write_episodes;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Maximum time for which the end of a session waits for the coach.
const LAST_WAIT: Duration = Duration::from_secs(3);

/// Files of a session.
pub struct SessionFiles {
    /// Path of the saved session.
    pub(super) session: PathBuf,
    /// Lock that is held while the session is open.
    pub(super) _lock: FileLock,
    /// File to which finished rounds are appended, with its path.
    pub(super) history: Option<(PathBuf, File)>,
}

/// A session played by a person. It is saved after every relevant command, and every finished round is recorded and
/// judged.
pub struct PlayedSession {
    session: Session,
    coach: Option<Coach>,
    mode: CoachMode,
    /// None for a session that is not saved.
    files: Option<SessionFiles>,
}

impl PlayedSession {
    /// Opens a table. The open decision of a resumed session is evaluated again.
    pub fn new(session: Session, coach: Option<Coach>, mode: CoachMode, files: Option<SessionFiles>) -> PlayedSession {
        let mut played = PlayedSession { session, coach, mode, files };
        played.ask();
        played
    }

    /// Returns the session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the coach mode.
    pub fn mode(&self) -> CoachMode {
        self.mode
    }

    /// Executes a line.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn line(&mut self, line: &Line) -> io::Result<Vec<Event>> {
        match line {
            Line::Table(command) => match self.session.apply(command) {
                Ok(events) => {
                    let dealt = |event: &Event| matches!(event, Event::Dealt { .. } | Event::Result { .. });
                    if events.iter().any(dealt) {
                        self.keep()?;
                    }
                    Ok(events)
                }
                Err(reason) => Ok(vec![Event::Refused { reason }]),
            },
            Line::Coach(mode) => Ok(vec![self.switch(*mode)]),
            Line::Stats => Ok(self.stats()),
            Line::Help => Ok(HELP.iter().map(|&text| Event::Help { text: text.to_owned() }).collect()),
            Line::Quit => self.end(),
        }
    }

    /// Records a finished round, saves the session, and requests advice and judgement from the coach.
    fn keep(&mut self) -> io::Result<()> {
        let finished = self.session.take_finished();
        let history = self.files.as_mut().and_then(|files| files.history.as_mut());
        if let (Some(round), Some((path, file))) = (&finished, history) {
            let mut line = Vec::new();
            write_episodes(&mut line, std::slice::from_ref(&round.episode)).map_err(io::Error::other)?;
            let written = io::Write::write_all(file, &line).and_then(|()| file.sync_data());
            written.map_err(|error| cannot_write_by("--history", path, error))?;
        }
        self.save()?;
        if let (Some(coach), Some(round)) = (&mut self.coach, finished)
            && self.mode != CoachMode::Off
        {
            coach.judge(round);
        }
        self.ask();
        Ok(())
    }

    fn save(&self) -> io::Result<()> {
        let Some(SessionFiles { session: path, .. }) = &self.files else { return Ok(()) };
        self.session.record().save(path).map_err(|error| cannot_write_by("--session", path, error))
    }

    fn ask(&mut self) {
        if let Some(coach) = &mut self.coach
            && self.mode != CoachMode::Off
        {
            coach.ask_open(&self.session);
        }
    }

    fn switch(&mut self, mode: CoachMode) -> Event {
        if self.coach.is_none() {
            let text = "this game has no exact solver, so there is no coach".to_owned();
            return Event::Coach { text };
        }
        self.mode = mode;
        self.ask();
        Event::Coach { text: format!("coach {mode}") }
    }

    /// Plays the house's action, as the original game does for a player whose time is up.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn time_up(&mut self) -> io::Result<Vec<Event>> {
        let mut events = vec![Event::TimeUp];
        events.extend(self.line(&Line::Table(Command::House))?);
        if self.session.pending().is_some() {
            events.extend(self.line(&Line::Table(Command::Confirm))?);
        }
        Ok(events)
    }

    fn stats(&self) -> Vec<Event> {
        self.session.record().ledger.summary().into_iter().map(|text| Event::Stats { text }).collect()
    }

    /// Ends the session and saves it with any pending judgements.
    fn end(&mut self) -> io::Result<Vec<Event>> {
        let mut events = self.wait(LAST_WAIT)?;
        self.save()?;
        events.extend(self.stats());
        let record = self.session.record();
        events.push(Event::End { rounds: record.rounds, bankroll: self.session.bankroll() });
        Ok(events)
    }

    /// Returns the advice on the open decision, if it is available and the coach mode allows it now.
    pub fn advice(&self) -> Vec<String> {
        let values = self.coach.as_ref().filter(|_| self.mode == CoachMode::On);
        match values.and_then(|coach| coach.open_values(&self.session)) {
            Some(Ok(Some(decision))) => advice(&self.session, decision),
            Some(Ok(None)) => vec!["there are no exact values for this decision".to_owned()],
            Some(Err(error)) => vec![error.clone()],
            None => vec![],
        }
    }

    /// Returns `true` if the advice on the open decision is still being computed.
    pub fn is_computing(&self) -> bool {
        let coach = self.coach.as_ref().filter(|_| self.mode == CoachMode::On && self.session.view().is_some());
        coach.is_some_and(|coach| coach.open_values(&self.session).is_none())
    }

    /// Returns `true` if the coach is still judging a finished round.
    pub fn is_judging(&self) -> bool {
        self.coach.as_ref().is_some_and(Coach::is_judging)
    }

    /// Returns the judgements available so far.
    ///
    /// # Errors
    /// Returns an error if the session cannot be saved.
    pub fn poll(&mut self) -> io::Result<Vec<Event>> {
        let judged = self.coach.as_mut().map(Coach::poll).unwrap_or_default();
        self.enter(judged)
    }

    /// Waits for the coach if its mode allows advice now, and returns its judgements.
    ///
    /// # Errors
    /// Returns an error if the session cannot be saved.
    pub fn listen(&mut self, limit: Duration) -> io::Result<Vec<Event>> {
        let speaks = self.mode == CoachMode::On || self.coach.as_ref().is_some_and(Coach::is_judging);
        if speaks { self.wait(limit) } else { self.poll() }
    }

    /// Waits for all requested values, and returns the coach's judgements.
    fn wait(&mut self, limit: Duration) -> io::Result<Vec<Event>> {
        let judged = self.coach.as_mut().map(|coach| coach.wait(limit)).unwrap_or_default();
        self.enter(judged)
    }

    fn enter(&mut self, judged: Vec<JudgedRound>) -> io::Result<Vec<Event>> {
        let mut events = Vec::new();
        for JudgedRound { round, decisions } in &judged {
            match decisions {
                Ok(decisions) => {
                    let Finished { result, .. } = round;
                    self.session.ledger_mut().judge(*result, decisions);
                    events.extend(verdict(&self.session, round, decisions));
                }
                Err(reason) => events.push(Event::Coach { text: reason.clone() }),
            }
        }
        if !judged.is_empty() {
            self.save()?;
        }
        Ok(events)
    }
}
