//! A session together with its coach, its clock and its files, and the line mode, which reads commands from standard input
//! and writes events to standard output, one per line.

use super::{
    Amount, Coach, CoachMode, Command, Event, Finished, HELP, Made, PastRound, Phase, Session, advice, cost_text,
    read_history, verdict,
};
use crate::console::{CommandResult, InputLine, input_lines, print};
use crate::run::{FileLock, cannot_write_by, spawn};
use houseway_env::pai_gow::house_way::Way;
use houseway_exact::registry;
use serde::Serialize;
use serde_json::Value;
use std::fs::File;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{fmt, io};

const KEPT_ROUNDS: usize = 200;
const LAST_WAIT: Duration = Duration::from_secs(3);

pub struct SessionFiles {
    pub session: PathBuf,
    /// The lock that is held while the session is open, so that no other process can use the saved session.
    pub _lock: FileLock,
    /// The file that finished rounds are appended to, with its path.
    pub history: Option<(PathBuf, File)>,
}

/// A session with a human player. It is saved after every relevant command, and every finished round is recorded and
/// judged.
pub struct PlayedSession {
    pub session: Session,
    pub coach: Option<Coach>,
    pub mode: CoachMode,
    /// The time limit for a decision that the game can make without the player.
    pub limit: Option<Duration>,
    /// The open decision, as its round and its number in that round, and the time at which it must be made.
    pub deadline: Option<((u64, usize), Instant)>,
    pub files: Option<SessionFiles>,
    /// The name of the banker's house way, or `None` if it isn't built in or the rules aren't the default ones.
    pub house: Option<String>,
    /// The last finished rounds.
    pub rounds: Vec<PlayedRound>,
}

impl PlayedSession {
    pub fn execute(&mut self, command: &Command) -> io::Result<Vec<Event>> {
        match command {
            Command::Coach(mode) => Ok(vec![self.switch(*mode)]),
            Command::Stats => Ok(self.stats()),
            Command::Help => Ok(HELP.iter().map(|&text| Event::Help { text: text.to_owned() }).collect()),
            Command::Quit => self.end(),
            command => match self.session.apply(command) {
                Ok(events) => {
                    let dealt = |event: &Event| matches!(event, Event::Dealt { .. } | Event::Result { .. });
                    if events.iter().any(dealt) {
                        self.keep()?;
                    }
                    Ok(events)
                }
                Err(reason) => Ok(vec![Event::Refused { reason }]),
            },
        }
    }

    /// Saves the session, records a finished round and requests advice and judgment from the coach.
    fn keep(&mut self) -> io::Result<()> {
        let finished = self.session.finished.take();
        self.save()?;
        let lines = self.session.rounds.take_history();
        self.write_history(&lines)?;
        if let Some(round) = finished {
            self.rounds.push(PlayedRound::new(&self.session, &round, self.house.as_deref()));
            let over = self.rounds.len().saturating_sub(KEPT_ROUNDS);
            self.rounds.drain(..over);
            if let Some(coach) = self.coach.as_mut().filter(|_| self.mode != CoachMode::Off) {
                coach.judge(round);
            }
        }
        self.ask();
        Ok(())
    }

    /// Plays a finished round again, with the same judgment unless the coach is off.
    pub fn replay(&mut self, past: PastRound) -> io::Result<Vec<Event>> {
        let events = self.session.replay(past).map_err(io::Error::other)?;
        self.keep()?;
        Ok(events)
    }

    fn write_history(&mut self, lines: &[u8]) -> io::Result<()> {
        let Some((path, file)) = self.files.as_mut().and_then(|files| files.history.as_mut()) else { return Ok(()) };
        if lines.is_empty() {
            return Ok(());
        }
        let written = io::Write::write_all(file, lines).and_then(|()| file.sync_data());
        written.map_err(|error| cannot_write_by("--history", path, error))
    }

    fn save(&self) -> io::Result<()> {
        let Some(SessionFiles { session: path, .. }) = &self.files else { return Ok(()) };
        self.session.record.save(path)
    }

    pub fn ask(&mut self) {
        if let Some(coach) = &mut self.coach
            && self.mode != CoachMode::Off
        {
            coach.ask_open(&self.session);
        }
    }

    fn switch(&mut self, mode: CoachMode) -> Event {
        if self.coach.is_none() {
            let text = "there is no coach because this game has no exact solver".to_owned();
            return Event::Coach { text };
        }
        self.mode = mode;
        self.ask();
        Event::Coach { text: format!("coach {mode}") }
    }

    /// Returns the time left for the open decision, or `None` if its time isn't limited. The clock starts when this is
    /// first called for a decision.
    pub fn time_left(&mut self) -> Option<Duration> {
        let limit = self.limit.filter(|_| self.session.late_action().is_some())?;
        let place = (self.session.record.rounds, self.session.decisions.len());
        let end = match self.deadline {
            Some((open, end)) if open == place => end,
            _ => Instant::now() + limit,
        };
        self.deadline = Some((place, end));
        Some(end.saturating_duration_since(Instant::now()))
    }

    /// Makes the open decision without the player because the time is up. Like the original game, this plays the
    /// house's action, or passes if there is none.
    pub fn time_up(&mut self) -> io::Result<Vec<Event>> {
        let mut events = vec![Event::TimeUp];
        match self.session.time_up() {
            Ok(played) => {
                events.extend(played);
                self.keep()?;
            }
            Err(reason) => events.push(Event::Refused { reason }),
        }
        Ok(events)
    }

    fn stats(&self) -> Vec<Event> {
        self.session.record.ledger.summary().into_iter().map(|text| Event::Stats { text }).collect()
    }

    /// Ends the session and saves it, after waiting for pending judgments.
    fn end(&mut self) -> io::Result<Vec<Event>> {
        let mut events = self.wait(LAST_WAIT)?;
        self.save()?;
        if let Some((path, _)) = self.files.as_ref().and_then(|files| files.history.as_ref()) {
            let lines = self.session.rounds.close_history(&read_history(path)?);
            self.write_history(&lines)?;
        }
        events.extend(self.stats());
        let record = &self.session.record;
        events.push(Event::End { rounds: record.rounds, bankroll: self.session.bankroll() });
        Ok(events)
    }

    /// Returns the advice on the open decision. Empty if it isn't available yet or if the coach is not in mode
    /// [`On`](CoachMode::On).
    pub fn advice(&self) -> Vec<String> {
        let speaks = self.mode == CoachMode::On && !self.session.has_cup();
        let values = self.coach.as_ref().filter(|_| speaks);
        match values.and_then(|coach| coach.open_values(&self.session)) {
            Some(Ok(Some(decision))) => advice(&self.session, decision),
            Some(Ok(None)) if self.session.view().is_none() => {
                self.coach.as_ref().map(|coach| coach.open_advice(&self.session)).unwrap_or_default()
            }
            Some(Ok(None)) => vec!["there are no exact values for this decision".to_owned()],
            Some(Err(error)) => vec![error.clone()],
            None => vec![],
        }
    }

    pub fn is_computing(&self) -> bool {
        let coach = self.coach.as_ref().filter(|_| self.mode == CoachMode::On && self.session.question().is_some());
        coach.is_some_and(|coach| coach.open_values(&self.session).is_none())
    }

    pub fn is_judging(&self) -> bool {
        self.coach.as_ref().is_some_and(Coach::is_judging)
    }

    /// Returns any new judgments without waiting.
    pub fn poll(&mut self) -> io::Result<Vec<Event>> {
        self.wait(Duration::ZERO)
    }

    /// Returns any new judgments. Waits for the coach if advice or a judgment is due.
    pub fn listen(&mut self, limit: Duration) -> io::Result<Vec<Event>> {
        let speaks = self.mode == CoachMode::On || self.is_judging();
        self.wait(if speaks { limit } else { Duration::ZERO })
    }

    fn wait(&mut self, limit: Duration) -> io::Result<Vec<Event>> {
        let judged = self.coach.as_mut().map(|coach| coach.wait(limit)).unwrap_or_default();
        let mut events = Vec::new();
        for round in &judged {
            match round {
                Ok(round) => {
                    self.session.record.ledger.judge(round);
                    let verdict = verdict(&self.session, round);
                    if let Some(played) = self.rounds.iter_mut().find(|played| played.round == round.round) {
                        played.cost = Some(round.cost());
                        played.verdict.clone_from(&verdict);
                    }
                    events.extend(verdict.into_iter().map(|text| Event::Coach { text }));
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

/// A finished round, with what its decisions cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayedRound {
    pub round: u64,
    /// The hands, settings and bets at the end, as text.
    pub state: String,
    pub net: Amount,
    /// The regret of the decisions in chips, or `None` if they haven't been judged.
    pub cost: Option<f64>,
    pub verdict: Vec<String>,
    /// The query of the page that analyzes the hand with the chosen setting, or `None` if the game has no such page.
    pub analysis: Option<String>,
}

impl PlayedRound {
    /// Records a round against the given house way. Without one, the round has no page that analyzes it.
    pub fn new(session: &Session, finished: &Finished, house: Option<&str>) -> PlayedRound {
        PlayedRound {
            round: finished.round,
            state: session.rounds.render(),
            net: finished.net,
            cost: None,
            verdict: vec![],
            analysis: finished.decisions.iter().rev().find_map(|made| analysis(session, made, house?)),
        }
    }
}

/// Returns the query of the page that analyzes a hand. The page knows hands of the player, in Pai Gow Poker against any
/// built-in house way and in the other games against the default one.
fn analysis(session: &Session, made: &Made, house: &str) -> Option<String> {
    let view = made.view.as_ref()?;
    let hand = view["hand"].as_str()?;
    let banker = view["banker"].as_str().unwrap_or(house);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let query = if session.layout.why.is_some() {
        let front = made.names[made.action].strip_prefix("front ")?;
        let is_own_bank = view["players"].is_array();
        (Way::is_built_in(banker) && !is_own_bank)
            .then(|| format!("hand={hand}&front={front}&dead={}&banker={banker}", text(&view["known_cards"])))
    } else {
        let is_known = registry::find(session.game.name).is_ok_and(|entry| entry.hands.is_some());
        let cards = [("board", text(&view["board"])), ("dealer-hand", text(&view["dealer"]["hand"]))];
        let cards = cards.into_iter().filter(|(_, cards)| !cards.is_empty());
        let cards: String = cards.map(|(option, cards)| format!("&{option}={cards}")).collect();
        (is_known && banker == Way::DEFAULT).then(|| format!("game={}&hand={hand}{cards}", session.game.name))
    };
    Some(query?.replace(' ', "+"))
}

impl fmt::Display for PlayedRound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cost = self.cost.map_or("not judged".to_owned(), |cost| format!("cost {}", cost_text(cost)));
        write!(f, "round {}: net {}, {cost}", self.round, self.net.signed())?;
        let lines = self.state.lines().chain(self.verdict.iter().map(String::as_str));
        lines.into_iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

const COACH_WAIT: Duration = Duration::from_secs(60);

/// Plays a session until the player quits or the input ends.
pub fn play_plain(mut played: PlayedSession, json: bool) -> CommandResult {
    let write = |events: &[Event]| -> CommandResult {
        events.iter().try_for_each(|event| match json {
            true => print(&format!("{}\n", serde_json::json!(event))),
            false => print(&format!("{event}\n")),
        })
    };
    write(&played.session.greeting())?;
    let lines = read_lines()?;
    let mut advised = None;
    loop {
        let place = (played.session.record.rounds, played.session.decisions.len());
        if played.is_computing() && played.session.bank_offer().is_some() {
            let text = "computing the EV of the bank, which takes up to a minute at first ...".to_owned();
            write(&[Event::Coach { text }])?;
        }
        write(&played.listen(COACH_WAIT)?)?;
        let key = (place, played.session.pending());
        if played.session.phase == Phase::Deciding && advised != Some(key) {
            advised = Some(key);
            let advice: Vec<Event> = played.advice().into_iter().map(|text| Event::Coach { text }).collect();
            write(&advice)?;
        }
        let line = match played.time_left() {
            None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(left) => lines.recv_timeout(left),
        };
        let text = match line {
            Ok(line) => match line? {
                Ok(text) => text,
                Err(reason) => {
                    write(&[Event::Refused { reason }])?;
                    continue;
                }
            },
            Err(RecvTimeoutError::Timeout) => {
                write(&played.time_up()?)?;
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if text.trim().is_empty() {
            continue;
        }
        match Command::parse(&text, |name| played.session.is_action(name)) {
            Ok(Command::Quit) => break,
            Ok(command) => write(&played.execute(&command)?)?,
            Err(reason) => write(&[Event::Refused { reason }])?,
        }
    }
    write(&played.execute(&Command::Quit)?)
}

/// Reads lines on a separate thread, so the clock can run while waiting for input.
fn read_lines() -> io::Result<Receiver<io::Result<InputLine>>> {
    let (send, lines) = channel();
    spawn(move || {
        for line in input_lines() {
            let failed = line.is_err();
            if send.send(line).is_err() || failed {
                return;
            }
        }
    })?;
    Ok(lines)
}
