//! The line mode, which reads commands from standard input and writes events to standard output, one per line.

use super::{Clock, Event, Line, Phase, PlayedSession};
use crate::console::{CommandResult, input_lines, print};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use std::{io, thread};

/// The maximum time to wait for the coach before reading the next line.
const COACH_WAIT: Duration = Duration::from_secs(60);

/// Plays a session until the player quits or the input ends.
pub fn play_plain(mut played: PlayedSession, json: bool, mut clock: Clock) -> CommandResult {
    let write = |events: &[Event]| -> CommandResult {
        events.iter().try_for_each(|event| match json {
            true => print(&format!("{}\n", serde_json::json!(event))),
            false => print(&format!("{event}\n")),
        })
    };
    write(&played.session.greeting())?;
    let lines = read_lines();
    let mut advised = None;
    loop {
        let place = (played.session.record.rounds, played.session.decisions.len());
        let verdicts = played.listen(COACH_WAIT)?;
        write(&verdicts)?;
        let key = (place, played.session.pending());
        if played.session.phase == Phase::Deciding && advised != Some(key) {
            advised = Some(key);
            let advice: Vec<Event> = played.advice().into_iter().map(|text| Event::Coach { text }).collect();
            write(&advice)?;
        }
        match next_line(&lines, clock.left(&played.session))? {
            Next::Line(text) if text.trim().is_empty() => {}
            Next::Line(text) => match Line::parse(&text, |name| played.session.is_action(name)) {
                Ok(Line::Quit) => break,
                Ok(line) => write(&played.line(&line)?)?,
                Err(reason) => write(&[Event::Refused { reason }])?,
            },
            Next::TimeUp => write(&played.time_up()?)?,
            Next::End => break,
        }
    }
    write(&played.line(&Line::Quit)?)
}

enum Next {
    Line(String),
    TimeUp,
    End,
}

/// Reads lines on a separate thread, so the clock can run while waiting for input.
fn read_lines() -> Receiver<io::Result<String>> {
    let (send, lines) = channel();
    thread::spawn(move || {
        for line in input_lines() {
            let failed = line.is_err();
            if send.send(line).is_err() || failed {
                return;
            }
        }
    });
    lines
}

/// Waits for the next line, but no longer than the time that is left, if it is limited.
fn next_line(lines: &Receiver<io::Result<String>>, left: Option<Duration>) -> io::Result<Next> {
    let line = match left {
        None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(limit) => lines.recv_timeout(limit),
    };
    match line {
        Ok(line) => Ok(Next::Line(line?)),
        Err(RecvTimeoutError::Timeout) => Ok(Next::TimeUp),
        Err(RecvTimeoutError::Disconnected) => Ok(Next::End),
    }
}
