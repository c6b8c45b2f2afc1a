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
use crate::run::signal_status;
use app::App;
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind};
use crossterm::execute;
use ratatui::DefaultTerminal;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The interval at which the coach and the clock are polled while no key is pressed.
const TICK: Duration = Duration::from_millis(50);

/// The time for ending the session after a signal.
const GRACE: Duration = Duration::from_millis(800);

/// Returns `true` if colors are allowed, i.e. if the `NO_COLOR` environment variable is unset or empty.
fn has_color() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The maximum width and height of a terminal in cells. Every cell is stored, and no screen has more of them.
const MAX_SIZE: (u16, u16) = (2_000, 1_000);

/// Checks that the program is running in a terminal of a reasonable size.
pub fn check_terminal() -> CommandResult {
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return Err(Failure::usage("not running in a terminal; use --plain to read and write lines instead"));
    }
    check_size(crossterm::terminal::size()?).map_err(Failure::usage)
}

fn check_size((width, height): (u16, u16)) -> Result<(), String> {
    let (max_columns, max_rows) = MAX_SIZE;
    if width > max_columns || height > max_rows {
        return Err(format!(
            "the terminal has {width} columns and {height} rows, and at most {max_columns} and {max_rows} can be drawn; \
             make it smaller, or use --plain"
        ));
    }
    Ok(())
}

/// Plays a session in full-screen mode until the player ends it or `stop` becomes true. The terminal is restored even
/// if there is an error.
pub fn play_screen(played: PlayedSession, clock: Clock, stop: &Arc<AtomicBool>) -> CommandResult {
    end_without_terminal(Arc::clone(stop));
    let mut app = App::new(played, clock, has_color());
    let mut terminal = ratatui::try_init()?;
    let ended = execute!(io::stdout(), EnableMouseCapture).and_then(|()| run(&mut app, &mut terminal, stop));
    let mouse = execute!(io::stdout(), DisableMouseCapture);
    ratatui::try_restore()?;
    ended.and(mouse)?;
    print(&format!("{}\n", app.message))
}

/// Ends the program if it doesn't react to a signal. If the terminal has been closed, reading an event never returns. The
/// session has been saved after its last change.
fn end_without_terminal(stop: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(TICK);
        }
        std::thread::sleep(GRACE);
        std::process::exit(signal_status().unwrap_or(1).into());
    });
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
                Event::Resize(width, height) => {
                    check_size((width, height)).map_err(io::Error::other)?;
                    app.is_dirty = true;
                }
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
