//! Draws the screen. Colors only highlight information that is also readable without them.

use super::{App, Page, Target};
use crate::play::{Amount, Button, Phase, Session};
use crate::run::in_ascii;
use houseway_env::gym::PublicSeat;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Wrap};
use std::ops::Range;

const SMALLEST: (u16, u16) = (50, 18);
/// The number of lines for the sentences that describe a round at a table with several seats.
const NOTES: u16 = 2;
const CARD: (u16, u16) = (6, 4);

const HELP: &[&str] = &[
    "Tab, arrows   next button                Enter, Space   press it",
    "1 to 5        place a chip               b              next bet",
    "c             CLEAR                      d              DEAL",
    "1 to 7        choose a card              h              HOUSE WAY",
    "u             UNDO                       c              CONFIRM",
    "n r x         NEW GAME, REBET, REBET X2  s              SIT OUT",
    "o             coach: on, off, after the round",
    "t             session results            q, Esc         save and quit",
    "",
    "At a table with seats, 1 passes the bank and 2 to 5 take it with a stake.",
    "In games where you don't choose cards, 1 to 9 play the first actions. You",
    "can also click buttons, cards and bets. Bets are final after the deal.",
];

impl App {
    /// Draws the screen and records the clickable areas.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        self.is_dirty = false;
        self.targets.clear();
        let area = frame.area();
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            let (width, height) = SMALLEST;
            let text = format!("The window is too small. It must have at least {width} columns and {height} rows.");
            return frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        }
        let buttons = self.buttons();
        let [cards, state, rows] = self.heights();
        let parts = [1, 1, cards, state, rows].map(Constraint::Length);
        let [title, bets, cards, state, row, coach, message, footer] = Layout::vertical(parts.into_iter().chain([
            Constraint::Min(3),
            Constraint::Length(2),
            Constraint::Length(1),
        ]))
        .areas(area);
        self.draw_title(frame, title);
        self.draw_bets(frame, bets);
        self.draw_cards(frame, cards);
        self.draw_state(frame, state);
        self.draw_buttons(frame, row, &buttons);
        self.draw_coach(frame, coach);
        let text = match self.played.session.foul() {
            Some(reason) => format!("CONFIRM is not offered: {reason}"),
            None => self.message.clone(),
        };
        frame.render_widget(Paragraph::new(text).style(self.bold()).wrap(Wrap { trim: true }), message);
        let keys = format!(" ? help   t results   o coach: {}   b bet   q end ", self.played.mode);
        frame.render_widget(Paragraph::new(keys).style(Style::new().add_modifier(Modifier::REVERSED)), footer);
        self.draw_page(frame, area);
        if self.is_ascii {
            for cell in &mut frame.buffer_mut().content {
                let plain: String = cell.symbol().chars().map(in_ascii).collect();
                cell.set_symbol(&plain);
            }
        }
    }

    /// Returns the heights of the areas for the cards, the state and the buttons.
    fn heights(&self) -> [u16; 3] {
        let session = &self.played.session;
        let has_pick = session.pick().is_some();
        match session.public_table() {
            // When no cards can be chosen, the player's hand is shown at the seat instead.
            Some(table) => {
                let cards = if self.picks_cards() { CARD.1 } else { 0 };
                [
                    cards,
                    NOTES + table.seats.len() as u16,
                    if session.phase == Phase::Deciding && !has_pick { 3 } else { 2 },
                ]
            }
            None if has_pick => [CARD.1, 7, 2],
            None => [0, 8, 5],
        }
    }

    /// Draws the seats if the game has several, and the state as text otherwise.
    fn draw_state(&self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.played.session;
        let Some(table) = session.public_table() else {
            return frame.render_widget(Paragraph::new(state_text(session)).wrap(Wrap { trim: false }), area);
        };
        let remark = session.remark().map(|remark| format!("{remark}."));
        let notes = match session.phase {
            Phase::Betting => betting_text(session),
            _ => table.notes.into_iter().chain(remark).collect::<Vec<_>>().join(" "),
        };
        let [top, seats] = Layout::vertical([Constraint::Length(NOTES), Constraint::Min(0)]).areas(area);
        frame.render_widget(Paragraph::new(notes).wrap(Wrap { trim: true }), top);
        let line =
            |seat: &PublicSeat| Line::styled(seat_text(seat), if seat.is_own { self.bold() } else { Style::new() });
        frame.render_widget(Paragraph::new(table.seats.iter().map(line).collect::<Vec<_>>()), seats);
    }

    fn bold(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn color(&self, color: Color) -> Style {
        if self.has_color { Style::new().fg(color) } else { Style::new() }
    }

    fn draw_title(&self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.played.session;
        let left = self.left.map_or(String::new(), |left| format!("{} s left   ", left.as_secs() + 1));
        let right = format!(" {left}bankroll {} ", session.bankroll());
        let [title, money] =
            Layout::horizontal([Constraint::Min(0), Constraint::Length(right.len() as u16)]).areas(area);
        frame.render_widget(Paragraph::new(format!(" {}", session.game.title)).style(self.bold()), title);
        frame.render_widget(Paragraph::new(right).style(self.color(Color::Green).patch(self.bold())), money);
    }

    fn draw_bets(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.played.session;
        let selected = self.bet;
        let is_open = session.phase == Phase::Betting;
        let text = |(index, bet)| {
            let mark = if is_open && index == selected { ">" } else { " " };
            let bet: &crate::play::layout::Bet = bet;
            format!("{mark}({} {})", bet.title, session.shown_bets().get(&bet.option).copied().unwrap_or_default())
        };
        let texts: Vec<String> = session.bets.iter().enumerate().map(text).collect();
        let widths: Vec<u16> = texts.iter().map(|text| text.chars().count() as u16).collect();
        for (index, (text, place)) in texts.into_iter().zip(flow(&widths, selected, area)).enumerate() {
            let Some(place) = place else { continue };
            frame.render_widget(Paragraph::new(text), place);
            self.targets.push((place, Target::Bet(index)));
        }
    }

    fn draw_cards(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.played.session;
        let is_open = session.phase == Phase::Deciding;
        for (place, card) in session.cards().iter().enumerate().filter(|_| area.height > 0) {
            let x = area.x + 1 + place as u16 * (CARD.0 + 1);
            let outer = Rect::new(x, area.y, CARD.0, CARD.1).intersection(area);
            let [boxed, number] = Layout::vertical([Constraint::Length(3), Constraint::Length(1)]).areas(outer);
            let is_chosen = is_open && session.chosen.contains(&place);
            let is_red = card.ends_with(['h', 'd']);
            let style = if is_red { self.color(Color::Red) } else { Style::new() };
            let style = if is_chosen { style.patch(self.bold()) } else { style };
            let borders =
                if is_chosen { ratatui::widgets::BorderType::Double } else { ratatui::widgets::BorderType::Plain };
            let block = Block::new().borders(Borders::ALL).border_type(borders);
            frame.render_widget(Paragraph::new(Line::styled(format!(" {card}"), style)).block(block), boxed);
            let mark = match (is_open, is_chosen) {
                (true, true) => "FRONT".to_owned(),
                (true, false) => format!("  {}", place + 1),
                _ => String::new(),
            };
            frame.render_widget(Paragraph::new(mark), number);
            self.targets.push((outer, Target::Card(place)));
        }
    }

    fn draw_buttons(&mut self, frame: &mut Frame<'_>, area: Rect, buttons: &[Button]) {
        let texts: Vec<String> = buttons.iter().enumerate().map(|(i, button)| button.text(i == self.focus)).collect();
        let widths: Vec<u16> = texts.iter().map(|text| text.chars().count() as u16).collect();
        for (index, (text, place)) in texts.into_iter().zip(flow(&widths, self.focus, area)).enumerate() {
            let Some(place) = place else { continue };
            let style = if index == self.focus { self.bold() } else { Style::new() };
            frame.render_widget(Paragraph::new(Span::styled(text, style)), place);
            self.targets.push((place, Target::Button(index)));
        }
    }

    fn draw_coach(&self, frame: &mut Frame<'_>, area: Rect) {
        let advice = self.played.advice();
        let lines = if self.played.is_computing() {
            vec!["computing the exact values ...".to_owned()]
        } else if self.played.session.phase == Phase::Deciding {
            advice
        } else {
            self.verdicts.clone()
        };
        let lines: Vec<Line<'_>> = lines.into_iter().map(Line::from).collect();
        let block = Block::new().borders(Borders::TOP).title(" coach ");
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }).block(block), area);
    }

    fn draw_page(&self, frame: &mut Frame<'_>, area: Rect) {
        let (title, lines) = match self.page {
            None => return,
            Some(Page::Help) => (" keys ", HELP.iter().map(|&line| line.to_owned()).collect()),
            Some(Page::Results) => (" session results ", self.played.session.record.ledger.summary()),
        };
        let place = Rect::new(area.x + 1, area.y + 2, area.width - 2, area.height.min(16) - 2);
        let lines: Vec<Line<'_>> = lines.into_iter().map(Line::from).collect();
        let block = Block::bordered().title(title).title_bottom(" any key closes this ");
        frame.render_widget(Clear, place);
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }).block(block), place);
    }
}

/// Describes a seat in a line that fits into 80 columns.
fn seat_text(seat: &PublicSeat) -> String {
    let own = if seat.is_own { ">" } else { " " };
    let marks = [(seat.is_banker, "BANK"), (seat.has_button, "BUTTON")];
    let marks: Vec<&str> = marks.into_iter().filter(|(has, _)| *has).map(|(_, mark)| mark).collect();
    let chips = seat.chips.map_or(String::new(), |chips| chips.to_string());
    let bets = match (seat.bet, seat.side) {
        (0, 0) => String::new(),
        (bet, 0) => bet.to_string(),
        (bet, side) => format!("{bet}+{side}"),
    };
    let hand = match &seat.hand[..] {
        [] if seat.has_cards => "face down".to_owned(),
        parts => parts.iter().map(|(_, cards)| cards.as_str()).collect::<Vec<_>>().join(" | "),
    };
    let outcome = seat.outcome.as_deref().and_then(|text| text.split(',').next()).unwrap_or_default();
    let net = seat.net.map_or(String::new(), |net| if net > 0 { format!("+{net}") } else { net.to_string() });
    let (number, name, marks) = (seat.seat, &seat.name, marks.join(" "));
    let text = format!("{own}{number} {name:<13.13} {marks:<11} {chips:>6} {bets:>6} {hand:<22} {outcome} {net}");
    text.trim_end().to_owned()
}

/// Returns the text that describes the state of the round, including the remark about the hand.
fn state_text(session: &Session) -> String {
    match session.state() {
        Some(state) => match session.remark() {
            Some(remark) => format!("{state}\n{remark}"),
            None => state,
        },
        None if session.bets.is_empty() => "Press DEAL to begin a round.".to_owned(),
        None => betting_text(session),
    }
}

/// Returns the text shown during betting. If DEAL isn't offered although there are bets, this is the reason.
fn betting_text(session: &Session) -> String {
    let refusal = session.deal_refusal().filter(|_| session.bets.iter().any(|bet| session.stake(bet) > Amount::ZERO));
    refusal.map_or_else(
        || "Place your chips and press DEAL.".to_owned(),
        |reason| format!("DEAL is not offered: {reason}."),
    )
}

impl Button {
    /// Returns the button's text. The focused button is recognizable even without colors.
    pub fn text(&self, has_focus: bool) -> String {
        let key = self.key.map_or(String::new(), |key| format!("{key} "));
        if has_focus { format!("[>{key}{}<]", self.label) } else { format!("[ {key}{} ]", self.label) }
    }
}

/// Arranges texts in rows, separated by spaces, and returns their positions.
///
/// If the rows don't fit into the area, they are scrolled to the focused text. Texts in hidden rows have no position.
pub fn flow(widths: &[u16], focus: usize, area: Rect) -> Vec<Option<Rect>> {
    let (mut row, mut column) = (0u16, 0u16);
    let mut places = Vec::with_capacity(widths.len());
    for &width in widths {
        if column > 0 && column + width > area.width {
            (row, column) = (row + 1, 0);
        }
        places.push((row, column));
        column += width + 1;
    }
    let focus_row = places.get(focus).map_or(0, |place| place.0);
    let first = (focus_row + 1).saturating_sub(area.height);
    let shown: Range<u16> = first..first + area.height;
    let place = |(&(row, column), &width): (&(u16, u16), &u16)| {
        let width = width.min(area.width.saturating_sub(column));
        shown.contains(&row).then(|| Rect::new(area.x + column, area.y + row - first, width, 1))
    };
    places.iter().zip(widths).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_flow_in_rows_and_scroll_to_the_focus() {
        let area = Rect::new(2, 5, 10, 2);
        let widths = [4, 4, 4, 4, 4, 20];
        let rows = |focus| {
            let places = flow(&widths, focus, area).into_iter();
            places.map(|place| place.map(|place| (place.x, place.y, place.width))).collect::<Vec<_>>()
        };
        let top = [Some((2, 5, 4)), Some((7, 5, 4)), Some((2, 6, 4)), Some((7, 6, 4)), None, None];
        assert_eq!(rows(0), top);
        assert_eq!(rows(3), top);
        assert_eq!(rows(4), [None, None, Some((2, 5, 4)), Some((7, 5, 4)), Some((2, 6, 4)), None]);
        assert_eq!(rows(5), [None, None, None, None, Some((2, 5, 4)), Some((2, 6, 10))]);
    }
}
