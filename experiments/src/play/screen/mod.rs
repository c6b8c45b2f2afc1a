//! The full-screen mode: the same session with keys, mouse and cards. It draws only what has changed, and computes nothing
//! itself, so that a key is answered at once.

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

/// Time between looks at the coach and the clock while no key is pressed.
const TICK: Duration = Duration::from_millis(50);

/// Returns `true` if colours are allowed: the variable `NO_COLOR` is not set, or empty.
fn has_color() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Checks that the program runs in a terminal.
///
/// # Errors
/// If it does not.
pub fn check_terminal() -> CommandResult {
    match io::stdin().is_terminal() && io::stdout().is_terminal() {
        true => Ok(()),
        false => Err(Failure::usage("the table needs a terminal; with --plain it reads and writes lines")),
    }
}

/// Plays a session on the whole terminal until it is ended or `stop` becomes true. The terminal is restored whatever happens.
///
/// # Errors
/// If the terminal or a file cannot be written.
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
