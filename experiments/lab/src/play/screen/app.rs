//! The state of the screen and the handlers for keys and clicks.

use crate::play::buttons::{Button, buttons, next_mode};
use crate::play::clock::Clock;
use crate::play::command::{Command, Line};
use crate::play::event::Event;
use crate::play::session::Phase;
use crate::play::table::PlayedSession;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use std::io;
use std::time::Duration;

/// The maximum number of remarks from the coach to keep.
const KEPT: usize = 8;

/// A clickable part of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The button with this index.
    Button(usize),
    /// The card at this position.
    Card(usize),
    /// The bet with this index.
    Bet(usize),
}

/// A page that covers the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    Help,
    Results,
}

/// The screen of a session.
pub(super) struct App {
    pub(super) played: PlayedSession,
    pub(super) clock: Clock,
    /// The time left for the open decision, as shown on the screen.
    pub(super) left: Option<Duration>,
    /// The index of the bet that chips are placed on.
    pub(super) bet: usize,
    /// The index of the focused button.
    pub(super) focus: usize,
    pub(super) page: Option<Page>,
    pub(super) message: String,
    pub(super) verdicts: Vec<String>,
    /// The clickable areas from when the screen was last drawn.
    pub(super) targets: Vec<(Rect, Target)>,
    /// The phase and the number of buttons when the focus was last reset.
    focused: Option<(Phase, usize)>,
    /// `true` if anything has changed since the screen was last drawn.
    pub(super) is_dirty: bool,
    pub(super) has_ended: bool,
    pub(super) has_color: bool,
}

impl App {
    pub(super) fn new(played: PlayedSession, clock: Clock, has_color: bool) -> App {
        let message = played.session().greeting().first().map(Event::to_string).unwrap_or_default();
        App {
            played,
            clock,
            left: None,
            bet: 0,
            focus: 0,
            page: None,
            message,
            verdicts: vec![],
            targets: vec![],
            focused: None,
            is_dirty: true,
            has_ended: false,
            has_color,
        }
    }

    /// Returns the buttons. Resets the focus if the phase or the number of buttons has changed.
    pub(super) fn buttons(&mut self) -> Vec<Button> {
        let buttons = buttons(self.played.session(), self.bet);
        let now = Some((self.played.session().phase(), buttons.len()));
        if self.focused != now {
            self.focused = now;
            self.focus = buttons.iter().position(|button| button.is_first).unwrap_or_default();
        }
        buttons
    }

    /// Executes a line.
    fn line(&mut self, line: &Line) -> io::Result<()> {
        let events = self.played.line(line)?;
        if *line == Line::Quit {
            self.has_ended = true;
        }
        if matches!(line, Line::Table(Command::Deal | Command::SitOut)) {
            self.verdicts.clear();
        }
        self.show(events);
        Ok(())
    }

    /// Ends the session.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.line(&Line::Quit)
    }

    fn show(&mut self, events: Vec<Event>) {
        self.is_dirty = true;
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
                    self.message = format!("net {}; bankroll {bankroll}", net.signed());
                }
                event => self.message = event.to_string(),
            }
        }
    }

    /// Receives results from the coach and updates the clock.
    pub(super) fn tick(&mut self) -> io::Result<()> {
        let was_computing = self.played.is_computing();
        let events = self.played.poll()?;
        if was_computing != self.played.is_computing() || !events.is_empty() {
            self.show(events);
        }
        let left = self.clock.left(self.played.session());
        if left == Some(Duration::ZERO) {
            let events = self.played.time_up()?;
            self.show(events);
        }
        if left.map(|left| left.as_secs()) != self.left.map(|left| left.as_secs()) {
            (self.left, self.is_dirty) = (left, true);
        }
        Ok(())
    }

    /// Handles a key.
    pub(super) fn key(&mut self, key: KeyEvent) -> io::Result<()> {
        self.is_dirty = true;
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let code = match key.code {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        if is_control {
            return if code == KeyCode::Char('c') { self.line(&Line::Quit) } else { Ok(()) };
        }
        if self.page.is_some() {
            // Any key closes the page.
            self.page = None;
            return Ok(());
        }
        let buttons = self.buttons();
        let count = buttons.len().max(1);
        match code {
            KeyCode::Tab | KeyCode::Right | KeyCode::Down => self.focus = (self.focus + 1) % count,
            KeyCode::BackTab | KeyCode::Left | KeyCode::Up => self.focus = (self.focus + count - 1) % count,
            KeyCode::Enter | KeyCode::Char(' ') => return self.press(self.focus, &buttons),
            KeyCode::Char('?') => self.page = Some(Page::Help),
            KeyCode::Char('t') => self.page = Some(Page::Results),
            KeyCode::Char('o') => return self.line(&next_mode(self.played.mode())),
            KeyCode::Char('q') | KeyCode::Esc => return self.line(&Line::Quit),
            KeyCode::Char('b') if self.played.session().phase() == Phase::Betting => self.next_bet(),
            KeyCode::Char(digit @ '1'..='9') if self.picks_cards() => {
                let place = digit as usize - '1' as usize;
                return self.line(&Line::Table(Command::Card(place)));
            }
            KeyCode::Char(letter) => {
                if let Some(index) = buttons.iter().position(|button| button.key == Some(letter)) {
                    return self.press(index, &buttons);
                }
                self.message = format!("{letter} does nothing here; press ? to list the keys");
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn picks_cards(&self) -> bool {
        let session = self.played.session();
        session.phase() == Phase::Deciding && session.pick().is_some()
    }

    fn next_bet(&mut self) {
        self.bet = (self.bet + 1) % self.played.session().bets().len().max(1);
    }

    fn press(&mut self, index: usize, buttons: &[Button]) -> io::Result<()> {
        let Some(button) = buttons.get(index) else { return Ok(()) };
        self.focus = index;
        self.line(&button.line.clone())
    }

    /// Handles a mouse event. Clicks press buttons, choose cards and select bets.
    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> io::Result<()> {
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return Ok(());
        }
        self.is_dirty = true;
        if self.page.take().is_some() {
            return Ok(());
        }
        let at = Position::new(mouse.column, mouse.row);
        match self.targets.iter().find(|(place, _)| place.contains(at)).map(|&(_, target)| target) {
            Some(Target::Button(index)) => {
                let buttons = self.buttons();
                self.press(index, &buttons)
            }
            Some(Target::Card(place)) if self.picks_cards() => self.line(&Line::Table(Command::Card(place))),
            Some(Target::Bet(bet)) => {
                self.bet = bet;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
