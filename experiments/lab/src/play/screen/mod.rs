//! The full-screen mode, which shows the cards and is controlled with the keyboard and the mouse. It only redraws the
//! screen after a change and leaves all long computations to other threads, so it responds to keys immediately.

mod app;
mod buttons;
mod draw;
#[cfg(test)]
mod tests;

use super::clock::Clock;
use super::table::PlayedSession;
use crate::console::{CommandResult, Failure, print};
use app::App;
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind};
use crossterm::execute;
use ratatui::DefaultTerminal;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The interval at which the coach and the clock are polled while no key is pressed.
const TICK: Duration = Duration::from_millis(50);

/// Returns `true` if colors are allowed, i.e. if the `NO_COLOR` environment variable is unset or empty.
fn has_color() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Checks that the program is running in a terminal.
///
/// # Errors
/// Returns an error if standard input or standard output is not a terminal.
pub fn check_terminal() -> CommandResult {
    match io::stdin().is_terminal() && io::stdout().is_terminal() {
        true => Ok(()),
        false => Err(Failure::usage("not running in a terminal; use --plain to read and write lines instead")),
    }
}

/// Plays a session in full-screen mode until the player ends it or `stop` becomes true. The terminal is restored even
/// if there is an error.
///
/// # Errors
/// Returns an error if writing to the terminal or a file fails.
pub fn play_screen(played: PlayedSession, clock: Clock, stop: &AtomicBool) -> CommandResult {
    let mut app = App::new(played, clock, has_color());
    let mut terminal = ratatui::try_init()?;
    let ended = execute!(io::stdout(), EnableMouseCapture).and_then(|()| run(&mut app, &mut terminal, stop));
    let mouse = execute!(io::stdout(), DisableMouseCapture);
    ratatui::try_restore()?;
    ended.and(mouse)?;
    print(&format!("{}\n", app.message))
}

fn run(app: &mut App, terminal: &mut DefaultTerminal, stop: &AtomicBool) -> io::Result<()> {
    while !app.has_ended {
        if app.is_dirty {
            terminal.draw(|frame| app.draw(frame))?;
        }
        if event::poll(TICK)? {
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => app.key(key)?,
                Event::Mouse(mouse) => app.mouse(mouse)?,
                Event::Resize(..) => app.is_dirty = true,
                _ => {}
            }
        }
        app.tick()?;
        if stop.load(Ordering::Relaxed) {
            app.end()?;
        }
    }
    Ok(())
}
