//! The full-screen mode, which shows the cards and is controlled with the keyboard and the mouse. It only redraws the
//! screen after a change and leaves all long computations to other threads, so it responds to keys immediately.

mod draw;
mod hands;
#[cfg(test)]
mod tests;

use super::{Button, CHIPS, Command, Event, Phase, PlayedSession, buttons, next_mode, spots};
use crate::console::{CommandResult, Failure, print};
use crate::run::{is_plain_locale, signal_status, spawn};
use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event as Input,
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use crossterm::{execute, terminal};
use ratatui::DefaultTerminal;
use ratatui::layout::{Position, Rect};
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{panic, thread};

/// The interval at which the coach and the clock are polled while no key is pressed.
const TICK: Duration = Duration::from_millis(50);

const GRACE: Duration = Duration::from_millis(800);

/// The exit status of a program whose terminal has been closed: 128 plus the number of the signal.
const HANG_UP: i32 = 128 + 1;

/// The maximum width and height of a terminal in cells. Every cell is stored, and no screen has more of them.
const MAX_SIZE: (u16, u16) = (2_000, 1_000);

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
pub fn play_screen(played: PlayedSession, stop: &Arc<AtomicBool>) -> CommandResult {
    end_without_terminal(Arc::clone(stop))?;
    let has_color = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut app = App::new(played, has_color);
    let pauses = pauses()?;
    let mut terminal = ratatui::try_init()?;
    keep_screen_of_other_threads();
    let ended = take_terminal().and_then(|()| run(&mut app, &mut terminal, stop, &pauses));
    if ended.is_err() && has_closed() {
        std::process::exit(HANG_UP);
    }
    let restored = give_back_terminal(&mut terminal);
    ended.and(restored)?;
    print(&format!("{}\n", app.message))
}

/// Prepares the terminal, which the shell has changed if it stopped the program.
fn take_terminal() -> io::Result<()> {
    // crossterm takes the terminal to be in raw mode until it's asked to end it.
    terminal::disable_raw_mode()?;
    terminal::enable_raw_mode()?;
    execute!(io::stdout(), terminal::EnterAlternateScreen, EnableMouseCapture)?;
    // Pasted text isn't played as keys. Old consoles of Windows refuse this.
    drop(execute!(io::stdout(), EnableBracketedPaste));
    Ok(())
}

fn give_back_terminal(terminal: &mut DefaultTerminal) -> io::Result<()> {
    drop(execute!(io::stdout(), DisableBracketedPaste));
    let mouse = execute!(io::stdout(), DisableMouseCapture);
    ratatui::try_restore()?;
    terminal.show_cursor()?;
    mouse
}

/// Returns two flags, one that is set when the program is asked to stop until the shell continues it, and one that is
/// set when it has been continued.
fn pauses() -> io::Result<[Arc<AtomicBool>; 2]> {
    let flags = <[Arc<AtomicBool>; 2]>::default();
    #[cfg(unix)]
    for (signal, flag) in [signal_hook::consts::SIGTSTP, signal_hook::consts::SIGCONT].into_iter().zip(&flags) {
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(flags)
}

/// Asks this program, and all that the shell started along with it, to stop, as Ctrl-Z does in other programs.
fn ask_to_stop() -> io::Result<()> {
    #[cfg(unix)]
    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
    Ok(())
}

/// Stops the program if it has been asked to, and takes the terminal again once it has been continued.
fn pause(app: &mut App, terminal: &mut DefaultTerminal, [stop, resume]: &[Arc<AtomicBool>; 2]) -> io::Result<()> {
    if stop.swap(false, Ordering::Relaxed) {
        give_back_terminal(terminal)?;
        // This signal isn't handled, so it stops the program, unless there is no shell that could continue it.
        #[cfg(unix)]
        signal_hook::low_level::raise(signal_hook::consts::SIGTTIN)?;
        resume.store(true, Ordering::Relaxed);
    }
    if resume.swap(false, Ordering::Relaxed) {
        take_terminal()?;
        terminal.resize(Rect::from((Position::ORIGIN, terminal.size()?)))?;
        app.is_dirty = true;
    }
    Ok(())
}

/// Restores the terminal only if the thread that draws it panics. The coach shows the reason on the screen if it does.
fn keep_screen_of_other_threads() {
    let (restore, drawing) = (panic::take_hook(), thread::current().id());
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == drawing {
            drop(execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture));
            restore(info);
        }
    }));
}

/// Returns `true` after an error if the terminal has been closed. Reading and writing already fail while the system closes
/// it, so this waits for the end of that, which is also when the signal comes.
fn has_closed() -> bool {
    let start = Instant::now();
    while io::stdout().is_terminal() {
        if start.elapsed() > GRACE {
            return false;
        }
        thread::sleep(TICK);
    }
    true
}

/// Ends the program if it doesn't react to a signal. If the terminal has been closed, reading an event never returns. The
/// session has been saved after its last change.
fn end_without_terminal(stop: Arc<AtomicBool>) -> io::Result<()> {
    spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(TICK);
        }
        thread::sleep(GRACE);
        std::process::exit(signal_status().unwrap_or(1).into());
    })?;
    Ok(())
}

fn run(
    app: &mut App,
    terminal: &mut DefaultTerminal,
    stop: &AtomicBool,
    pauses: &[Arc<AtomicBool>; 2],
) -> io::Result<()> {
    while !app.has_ended {
        pause(app, terminal, pauses)?;
        if app.is_dirty {
            terminal.draw(|frame| app.draw(frame))?;
        }
        if event::poll(TICK)? {
            match event::read()? {
                Input::Key(key) if key.kind != KeyEventKind::Release => app.key(key)?,
                Input::Mouse(mouse) => app.mouse(mouse)?,
                Input::Resize(width, height) => {
                    check_size((width, height)).map_err(io::Error::other)?;
                    app.is_dirty = true;
                }
                _ => {}
            }
        }
        app.tick()?;
        if stop.load(Ordering::Relaxed) {
            app.execute(&Command::Quit)?;
        }
    }
    Ok(())
}

/// The number of lines by which the mouse wheel scrolls a page.
const WHEEL: i32 = 3;

/// The number of the coach's last lines that are kept until the next deal.
const KEPT: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Button(usize),
    Card(usize),
    Chip(usize),
    Bet(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    Keys,
    Results,
    Rules,
    Coach,
}

pub struct App {
    pub played: PlayedSession,
    pub left: Option<Duration>,
    pub chip: i64,
    pub focus: usize,
    pub page: Option<Page>,
    /// The first line of the page that is shown.
    pub scroll: u16,
    /// The largest value of `scroll` and the number of lines that fit, from when a page was last drawn.
    pub page_lines: [u16; 2],
    pub message: String,
    pub verdicts: Vec<String>,
    /// The clickable areas from when the screen was last drawn.
    pub targets: Vec<(Rect, Target)>,
    /// The area of the buttons from when the screen was last drawn.
    pub button_area: Rect,
    /// The phase and the number of buttons when the focus was last reset.
    focused: Option<(Phase, usize)>,
    pub is_dirty: bool,
    pub has_ended: bool,
    pub has_color: bool,
    pub is_ascii: bool,
}

impl App {
    pub fn new(played: PlayedSession, has_color: bool) -> App {
        let message = played.session.greeting().first().map(Event::to_string).unwrap_or_default();
        App {
            chip: played.session.first_chip(),
            played,
            left: None,
            focus: 0,
            page: None,
            scroll: 0,
            page_lines: [0; 2],
            message,
            verdicts: vec![],
            targets: vec![],
            button_area: Rect::default(),
            focused: None,
            is_dirty: true,
            has_ended: false,
            has_color,
            is_ascii: is_plain_locale(),
        }
    }

    /// Returns the buttons. Resets the focus if the phase or the number of buttons has changed.
    pub fn buttons(&mut self) -> Vec<Button> {
        let buttons = buttons(&self.played.session);
        let now = Some((self.played.session.phase, buttons.len()));
        if self.focused != now {
            self.focused = now;
            self.focus = buttons.iter().position(|button| button.is_first).unwrap_or_default();
        }
        buttons
    }

    fn execute(&mut self, command: &Command) -> io::Result<()> {
        let events = self.played.execute(command)?;
        if *command == Command::Quit {
            self.has_ended = true;
        }
        if matches!(command, Command::Deal | Command::SitOut) {
            self.verdicts.clear();
        }
        self.show(events);
        Ok(())
    }

    fn show(&mut self, events: Vec<Event>) {
        self.is_dirty = true;
        let late = if events.contains(&Event::TimeUp) { "Your time was up: the house played. " } else { "" };
        for event in events {
            match event {
                Event::Coach { text } => {
                    self.verdicts.push(text);
                    let over = self.verdicts.len().saturating_sub(KEPT);
                    self.verdicts.drain(..over);
                }
                // The table itself shows these.
                Event::Bets { .. } | Event::Dealt { .. } | Event::Choice { .. } => self.message.clear(),
                Event::Result { net, bankroll, .. } => {
                    self.message = format!("{late}net {}; bankroll {bankroll}", net.signed());
                }
                event => self.message = event.to_string(),
            }
        }
    }

    pub fn tick(&mut self) -> io::Result<()> {
        let was_computing = self.played.is_computing();
        let events = self.played.poll()?;
        if was_computing != self.played.is_computing() || !events.is_empty() {
            self.show(events);
        }
        let left = self.played.time_left();
        if left == Some(Duration::ZERO) {
            let events = self.played.time_up()?;
            self.show(events);
        }
        if left.map(|left| left.as_secs()) != self.left.map(|left| left.as_secs()) {
            (self.left, self.is_dirty) = (left, true);
        }
        Ok(())
    }

    pub fn key(&mut self, key: KeyEvent) -> io::Result<()> {
        self.is_dirty = true;
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let code = match key.code {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        if is_control {
            return match code {
                KeyCode::Char('c') => self.execute(&Command::Quit),
                KeyCode::Char('z') => ask_to_stop(),
                _ => Ok(()),
            };
        }
        if self.page.is_some() {
            let [last, lines] = self.page_lines.map(i32::from);
            match code {
                _ if last == 0 => self.page = None,
                KeyCode::Down => self.scroll_by(1),
                KeyCode::Up => self.scroll_by(-1),
                KeyCode::PageDown => self.scroll_by(lines),
                KeyCode::PageUp => self.scroll_by(-lines),
                KeyCode::End => self.scroll_by(last),
                KeyCode::Home => self.scroll_by(-last),
                // Any other key closes the page.
                _ => (self.page, self.scroll) = (None, 0),
            }
            return Ok(());
        }
        let buttons = self.buttons();
        let count = buttons.len().max(1);
        match code {
            KeyCode::Tab | KeyCode::Right => self.focus = (self.focus + 1) % count,
            KeyCode::BackTab | KeyCode::Left => self.focus = (self.focus + count - 1) % count,
            KeyCode::Down => self.focus = self.in_next_row(&buttons, 1),
            KeyCode::Up => self.focus = self.in_next_row(&buttons, -1),
            KeyCode::Enter | KeyCode::Char(' ') => return self.press(self.focus, &buttons),
            KeyCode::Char('?') => self.page = Some(Page::Keys),
            KeyCode::Char('g') => self.page = Some(Page::Rules),
            KeyCode::Char('v') => self.page = Some(Page::Coach),
            KeyCode::Char('t') => self.page = Some(Page::Results),
            KeyCode::Char('o') => return self.execute(&next_mode(self.played.mode)),
            KeyCode::Char('q') | KeyCode::Esc => return self.execute(&Command::Quit),
            KeyCode::Char(digit @ '1'..='5') if self.lays_chips() => self.chip = CHIPS[digit as usize - '1' as usize],
            KeyCode::Char(digit @ '1'..='9') if self.picks_cards() => {
                let place = digit as usize - '1' as usize;
                return self.execute(&Command::Card(place));
            }
            KeyCode::Char(letter) => {
                if let Some(index) = buttons.iter().position(|button| button.key == Some(letter)) {
                    return self.press(index, &buttons);
                }
                let spots = if self.lays_chips() { spots(&self.played.session, self.chip) } else { vec![] };
                if let Some(spot) = spots.iter().find(|spot| spot.key == Some(letter)) {
                    return self.execute(&spot.command);
                }
                self.message = format!("{letter} does nothing here; press ? to list the keys");
            }
            _ => {}
        }
        Ok(())
    }

    /// Scrolls the page by a number of lines, but not beyond its ends.
    fn scroll_by(&mut self, lines: i32) {
        self.scroll = (i32::from(self.scroll) + lines).clamp(0, self.page_lines[0].into()) as u16;
        self.is_dirty = true;
    }

    pub fn picks_cards(&self) -> bool {
        let session = &self.played.session;
        session.phase == Phase::Deciding && session.pick().is_some()
    }

    fn lays_chips(&self) -> bool {
        self.played.session.phase == Phase::Betting && !self.played.session.bets.is_empty()
    }

    fn press(&mut self, index: usize, buttons: &[Button]) -> io::Result<()> {
        let Some(button) = buttons.get(index) else { return Ok(()) };
        self.focus = index;
        self.execute(&button.command.clone())
    }

    pub fn mouse(&mut self, mouse: MouseEvent) -> io::Result<()> {
        match mouse.kind {
            MouseEventKind::ScrollDown => self.scroll_by(WHEEL),
            MouseEventKind::ScrollUp => self.scroll_by(-WHEEL),
            _ => {}
        }
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return Ok(());
        }
        self.is_dirty = true;
        if self.page.take().is_some() {
            self.scroll = 0;
            return Ok(());
        }
        let at = Position::new(mouse.column, mouse.row);
        match self.targets.iter().find(|(place, _)| place.contains(at)).map(|&(_, target)| target) {
            Some(Target::Button(index)) => {
                let buttons = self.buttons();
                self.press(index, &buttons)
            }
            Some(Target::Card(place)) if self.picks_cards() => self.execute(&Command::Card(place)),
            Some(Target::Chip(index)) => {
                self.chip = CHIPS[index];
                Ok(())
            }
            Some(Target::Bet(index)) if self.lays_chips() => {
                let spots = spots(&self.played.session, self.chip);
                self.execute(&spots[index].command)
            }
            _ => Ok(()),
        }
    }
}
