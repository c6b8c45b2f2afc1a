//! The line mode, which reads commands from standard input and writes events to standard output, one per line.

use super::{Command, Event, Phase, PlayedSession};
use crate::console::{CommandResult, input_lines, print};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use std::{io, thread};

/// The maximum time to wait for the coach before reading the next line.
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
    let lines = read_lines();
    let mut advised = None;
    loop {
        let place = (played.session.record.rounds, played.session.decisions.len());
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
            Ok(line) => line?,
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
