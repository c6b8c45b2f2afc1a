//! Draws the screen. Colors only highlight information that is also readable without them.

use super::hands::{ShownHand, fit, hands};
use super::{App, Page, Target};
use crate::play::{Amount, Button, CHIPS, Phase, Session, spots};
use crate::report::in_columns;
use crate::run::in_ascii;
use houseway_env::gym::{GameEntry, PublicTable};
use houseway_exact::answer::TextTable;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Borders, Clear, Paragraph, Wrap};
use std::ops::Range;

/// The smallest width and height in which everything is shown, without seats and with them.
pub const SMALLEST: [(u16, u16); 2] = [(60, 20), (80, 22)];
const MESSAGE: u16 = 2;
const CARD: (u16, u16) = (6, 4);

const KEYS: &[(&str, &str)] = &[
    ("1 to 5", "choose a chip"),
    ("letters", "lay the chip into the circle with that letter"),
    ("c", "CLEAR"),
    ("d", "DEAL"),
    ("1 to 7", "choose a card"),
    ("h", "HOUSE WAY"),
    ("u", "UNDO"),
    ("c", "CONFIRM"),
    ("n r x", "NEW GAME, REBET, REBET X2"),
    ("s", "SIT OUT, SHAKE"),
    ("Tab, arrows", "next button"),
    ("Enter, Space", "press it"),
    ("g", "rules and payouts"),
    ("t", "session results"),
    ("o", "coach: on, off, after the round"),
    ("v", "all it says"),
    ("q, Esc", "save and quit"),
    #[cfg(unix)]
    ("Ctrl-Z", "pause, back to the shell"),
];
const NOTES: &str = "At a table with seats, 1 passes the bank and 2 to 5 take it with a stake. In games where you \
                     don't choose cards, 1 to 9 play the first actions, and the arrows up and down go to the next row \
                     of buttons. You can also click chips, circles, buttons and cards. Bets are final after the deal. \
                     The signs + and - mark the fronts and backs that won and lost.";

impl App {
    /// Draws the screen and records the clickable areas.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        self.is_dirty = false;
        self.targets.clear();
        let area = frame.area();
        let table = self.played.session.table();
        let (width, height) = SMALLEST[usize::from(has_seats(&table))];
        if area.width < width || area.height < height {
            let text = format!(
                "The window is too small. This game needs at least {width} columns and {height} rows. To play in a \
                 smaller one, press q and use --plain."
            );
            return frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        }
        let buttons = self.buttons();
        let headline = self.played.session.headline();
        let mut hands = hands(&table, self.picks_cards(), area.width);
        let least = hands.iter().map(ShownHand::height).sum::<u16>() + u16::from(headline.is_some());
        let fixed = Fixed::new(self, &table, &buttons, area, least);
        let room = area.height.saturating_sub(fixed.height() + u16::from(headline.is_some()));
        fit(&mut hands, Rect::new(0, 0, area.width, room));
        let of_hands = hands.iter().map(ShownHand::height).sum::<u16>();
        // A tall window has room for a larger result.
        let of_headline = match headline {
            None => 0,
            Some(_) if room >= of_hands + 2 => 3,
            Some(_) => 1,
        };
        let text = match self.played.session.foul() {
            Some(reason) => format!("CONFIRM is not offered: {reason}"),
            None => self.message.clone(),
        };
        let lengths = [1, fixed.bets, of_hands, fixed.cards, of_headline, fixed.state, fixed.buttons];
        // The message takes as many of the coach's rows as it needs. Nothing else moves when the message changes.
        let left = area.height.saturating_sub(lengths.iter().sum::<u16>() + 1);
        let of_message = wrapped_rows(std::slice::from_ref(&text), area.width).min(left);
        let [title, bets, hand, cards, result, state, row, coach, message, footer] =
            Layout::vertical(lengths.map(Constraint::Length).into_iter().chain([
                Constraint::Min(0),
                Constraint::Length(of_message),
                Constraint::Length(1),
            ]))
            .areas(area);
        self.draw_title(frame, title, &table);
        self.draw_bets(frame, bets, &table);
        self.draw_hands(frame, hand, &hands);
        self.draw_cards(frame, cards);
        // The cards are at the left of a wide window.
        let result = Rect { width: result.width.min(80), ..result };
        self.draw_headline(frame, result, headline.unwrap_or_default());
        self.draw_state(frame, state, &table);
        self.draw_buttons(frame, row, &buttons);
        self.draw_coach(frame, coach);
        frame.render_widget(Paragraph::new(text).style(self.bold()).wrap(Wrap { trim: true }), message);
        let keys = format!(" ? keys   g rules   t results   o coach: {}   q end ", self.played.mode);
        frame.render_widget(Paragraph::new(keys).style(Style::new().add_modifier(Modifier::REVERSED)), footer);
        self.draw_page(frame, area);
        if self.is_ascii {
            for cell in &mut frame.buffer_mut().content {
                let plain: String = cell.symbol().chars().map(in_ascii).collect();
                cell.set_symbol(&plain);
            }
        }
    }

    fn draw_headline(&self, frame: &mut Frame<'_>, area: Rect, text: String) {
        let color = match text.rsplit_once(' ') {
            Some((_, net)) if net.starts_with('-') => Color::Red,
            Some((_, net)) if net.starts_with('+') => Color::Green,
            _ => Color::Yellow,
        };
        let (word, net) = text.split_once(' ').unwrap_or((&text, ""));
        let spaced = word.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let style = self.color(color).patch(self.bold()).add_modifier(Modifier::REVERSED);
        let blank = usize::from(area.height / 2);
        let lines = (0..blank).map(|_| Line::from("")).chain([Line::from(format!("{spaced}   {net}"))]);
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).centered().style(style), area);
    }

    /// Draws the sentences about the round, and the seats if there are several.
    fn draw_state(&self, frame: &mut Frame<'_>, area: Rect, table: &PublicTable) {
        let mut seats: Vec<Line<'_>> = Vec::new();
        if has_seats(table) {
            seats.push(self.seat_heads());
            seats.extend(table.seats.iter().map(|seat| self.seat_line(seat)));
        }
        let [top, bottom] = Layout::vertical([Constraint::Min(0), Constraint::Length(seats.len() as u16)]).areas(area);
        frame.render_widget(Paragraph::new(self.state_text(table)).wrap(Wrap { trim: false }), top);
        frame.render_widget(Paragraph::new(seats), bottom);
    }

    /// Returns the sentences about the round. Without a description by the game, this is the state as text.
    pub fn state_text(&self, table: &PublicTable) -> String {
        let session = &self.played.session;
        match session.phase {
            Phase::Betting => betting_text(session),
            _ if !table.is_empty() => {
                let remark = session.remark().map(|remark| format!("{remark}."));
                table.notes.iter().cloned().chain(remark).collect::<Vec<_>>().join(" ")
            }
            _ => session.state().unwrap_or_default(),
        }
    }

    pub fn bold(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub fn color(&self, color: Color) -> Style {
        if self.has_color { Style::new().fg(color) } else { Style::new() }
    }

    fn draw_title(&self, frame: &mut Frame<'_>, area: Rect, table: &PublicTable) {
        let session = &self.played.session;
        let left = self.left.map_or(String::new(), |left| format!("{} s left   ", left.as_secs() + 1));
        // As at a seat, chips in bets aren't part of the bankroll until the round is over.
        let bets: f64 = table.bets.iter().map(|bet| bet.stake).sum();
        let open = if session.phase == Phase::Deciding { -bets } else { 0.0 };
        let right = format!(" {left}bankroll {} ", session.bankroll() + Amount::from(open));
        let [title, money] =
            Layout::horizontal([Constraint::Min(0), Constraint::Length(right.len() as u16)]).areas(area);
        let name = format!(" {}", session.game.title.split(',').next().unwrap_or_default());
        frame.render_widget(Paragraph::new(name).style(self.bold()), title);
        frame.render_widget(Paragraph::new(right).style(self.color(Color::Green).patch(self.bold())), money);
    }

    /// Draws the bets as circles, with what is paid or lost once the round is over. Before the deal, the chips are next to
    /// them.
    fn draw_bets(&mut self, frame: &mut Frame<'_>, area: Rect, table: &PublicTable) {
        let pieces = self.bet_pieces(table);
        let widths: Vec<Piece> = pieces.iter().map(|(text, _)| Piece::of(text)).collect();
        for ((text, target), place) in pieces.into_iter().zip(flow(&widths, 0, area)) {
            let Some(place) = place else { continue };
            let style = if text.starts_with(">[") { self.bold() } else { Style::new() };
            frame.render_widget(Paragraph::new(Span::styled(text, style)), place);
            self.targets.extend(target.map(|target| (place, target)));
        }
    }

    fn bet_pieces(&self, table: &PublicTable) -> Vec<(String, Option<Target>)> {
        let session = &self.played.session;
        let is_open = session.phase == Phase::Betting && !session.bets.is_empty();
        let mut pieces = Vec::new();
        if is_open {
            for (index, (chip, key)) in CHIPS.into_iter().zip(1..).enumerate() {
                let text = if chip == self.chip { format!(">[{key}: {chip}]<") } else { format!(" [{key}: {chip}] ") };
                pieces.push((text, Some(Target::Chip(index))));
            }
        }
        let spots = spots(session, self.chip);
        for bet in table.bets.iter().filter(|bet| bet.action.is_none() || bet.stake > 0.0) {
            let spot = session.bets.iter().position(|own| bet.option == Some(&*own.option) || own.title == bet.name);
            let key = spot.filter(|_| is_open).and_then(|spot| spots[spot].key);
            let key = key.map_or(String::new(), |key| format!("{key} "));
            let odds = match &bet.pays[..] {
                [payout] if is_open => format!(", {}", payout.odds),
                _ => String::new(),
            };
            let net = bet.net.map_or(String::new(), |net| format!(" {}", Amount::from(net).signed()));
            let name = if bet.group.is_empty() { bet.name.clone() } else { format!("{} {}", bet.group, bet.name) };
            let text = format!("({key}{name} {}{net}{odds})", Amount::from(bet.stake));
            pieces.push((text, spot.map(Target::Bet)));
        }
        pieces
    }

    fn draw_cards(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.played.session;
        for (place, card) in session.cards().iter().enumerate().filter(|_| area.height > 0) {
            let x = area.x + 1 + place as u16 * (CARD.0 + 1);
            let outer = Rect::new(x, area.y, CARD.0, CARD.1).intersection(area);
            let [boxed, number] = Layout::vertical([Constraint::Length(3), Constraint::Length(1)]).areas(outer);
            let is_chosen = session.chosen.contains(&place);
            let style = self.card_style(card);
            let style = if is_chosen { style.patch(self.bold()) } else { style };
            let borders = if is_chosen { BorderType::Double } else { BorderType::Plain };
            let block = Block::new().borders(Borders::ALL).border_type(borders);
            let text = format!(" {}", self.card_text(card));
            frame.render_widget(Paragraph::new(Line::styled(text, style)).block(block), boxed);
            let mark = if is_chosen { "FRONT".to_owned() } else { format!("  {}", place + 1) };
            frame.render_widget(Paragraph::new(mark), number);
            self.targets.push((outer, Target::Card(place)));
        }
    }

    fn draw_buttons(&mut self, frame: &mut Frame<'_>, area: Rect, buttons: &[Button]) {
        let pieces = self.button_pieces(buttons);
        let mut places = flow(&pieces, self.focus, area);
        self.button_area = area;
        if places.iter().any(Option::is_none) {
            // There are marks in the last column if there are more rows above or below.
            self.button_area.width -= 2;
            places = flow(&pieces, self.focus, self.button_area);
            for (place, y, mark) in [(places.first(), area.y, "▲"), (places.last(), area.bottom() - 1, "▼")] {
                if place.is_some_and(Option::is_none) {
                    frame.render_widget(Paragraph::new(mark), Rect::new(area.right() - 1, y, 1, 1));
                }
            }
        }
        for (index, place) in places.into_iter().enumerate() {
            let Some(place) = place else { continue };
            let style = if index == self.focus { self.bold() } else { Style::new() };
            let text = buttons[index].text(index == self.focus);
            let group = if pieces[index].starts_row { buttons[index].group } else { "" };
            let name = format!("{group:<0$}", usize::from(pieces[index].indent));
            let row = Line::from(vec![Span::from(name), Span::styled(text, style)]);
            frame.render_widget(Paragraph::new(row), place);
            self.targets.push((place, Target::Button(index)));
        }
    }

    /// Returns the button that is closest to the focused one in the row below, or above if `step` is -1. If there is
    /// only one row, this is the next button in it.
    pub fn in_next_row(&self, buttons: &[Button], step: i32) -> usize {
        let area = Rect { y: 0, height: u16::MAX, ..self.button_area };
        let pieces = self.button_pieces(buttons);
        let places: Vec<Rect> = flow(&pieces, 0, area).into_iter().flatten().collect();
        let (Some(here), Some(last)) = (places.get(self.focus), places.last()) else { return self.focus };
        let next = |at: u16, count: usize| (i32::from(at) + step).rem_euclid(count as i32);
        if last.y == 0 {
            return next(self.focus as u16, places.len()) as usize;
        }
        let row = next(here.y, usize::from(last.y) + 1);
        let in_row = (0..places.len()).filter(|&index| i32::from(places[index].y) == row);
        let start = |index: usize| places[index].x + pieces[index].indent;
        in_row.min_by_key(|&index| start(index).abs_diff(start(self.focus))).unwrap_or(self.focus)
    }

    /// Returns the sizes of the buttons. Those of each group begin in a new row, after the group's name.
    fn button_pieces(&self, buttons: &[Button]) -> Vec<Piece> {
        let indent = buttons.iter().map(|button| button.group.len() as u16).max().unwrap_or(0);
        let indent = if indent > 0 { indent + 1 } else { 0 };
        let mut group = buttons.first().map_or("", |button| button.group);
        let piece = |(index, button): (usize, &Button)| {
            let starts_row = index == 0 || button.group != group;
            group = button.group;
            let text = button.text(index == self.focus);
            let indent = if starts_row { indent } else { 0 };
            Piece { width: indent + text.chars().count() as u16, starts_row, indent }
        };
        buttons.iter().enumerate().map(piece).collect()
    }

    fn coach_lines(&self) -> Vec<String> {
        if self.played.is_computing() {
            vec!["computing the exact values ...".to_owned()]
        } else if self.played.session.phase == Phase::Deciding {
            self.played.advice()
        } else {
            self.verdicts.clone()
        }
    }

    fn draw_coach(&self, frame: &mut Frame<'_>, area: Rect) {
        let lines = self.coach_lines();
        let title = if wrapped_rows(&lines, area.width) >= area.height { " coach: v shows all " } else { " coach " };
        let lines: Vec<Line<'_>> = lines.into_iter().map(Line::from).collect();
        let block = Block::new().borders(Borders::TOP).title(title);
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }).block(block), area);
    }

    fn draw_page(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.played.session;
        // The clock in the first row goes on.
        let place = Rect { y: area.y + 1, height: area.height - 1, ..area };
        let [width, height] = [place.width - 2, place.height - 2];
        let (title, lines) = match self.page {
            None => {
                self.page_lines = [0; 2];
                return;
            }
            Some(Page::Keys) => (" keys ", key_lines(width)),
            Some(Page::Coach) => (" coach ", self.coach_lines()),
            Some(Page::Results) => (" session results ", session.record.ledger.summary()),
            Some(Page::Rules) => {
                (" rules and payouts ", [rules_lines(session.game, width), payout_lines(&session.table())].concat())
            }
        };
        let last = wrapped_rows(&lines, width).saturating_sub(height);
        let lines: Vec<Line<'_>> = lines.into_iter().map(Line::from).collect();
        self.page_lines = [last, height];
        self.scroll = self.scroll.min(last);
        let bottom = match last {
            0 => " any key closes this ",
            _ => " arrows, Page Up and Page Down scroll, other keys close ",
        };
        let block = Block::bordered().title(title).title_bottom(bottom);
        frame.render_widget(Clear, place);
        let page = Paragraph::new(lines).wrap(Wrap { trim: false }).scroll((self.scroll, 0)).block(block);
        frame.render_widget(page, place);
    }
}

/// Returns `true` if there are other players, whose seats have a line each.
pub fn has_seats(table: &PublicTable) -> bool {
    table.seats.len() > 2
}

/// Returns the number of rows that lines take if they are wrapped between words.
fn wrapped_rows(lines: &[String], width: u16) -> u16 {
    let mut rows = 0;
    for line in lines {
        let mut column = 0;
        rows += 1;
        for word in line.split(' ').map(|word| word.chars().count() as u16) {
            let is_next = column > 0 && column + 1 + word > width;
            rows += u16::from(is_next);
            column = if is_next { word } else { column + word + u16::from(column > 0) };
        }
    }
    rows
}

/// The rows of the parts of the screen that don't depend on how large the hands are.
struct Fixed {
    bets: u16,
    cards: u16,
    state: u16,
    buttons: u16,
    coach: u16,
}

impl Fixed {
    /// `least` is the number of rows that the hands and the result take at least.
    fn new(app: &App, table: &PublicTable, buttons: &[Button], area: Rect, least: u16) -> Fixed {
        let rows = |pieces: &[Piece]| {
            let places = flow(pieces, 0, Rect { height: u16::MAX, y: 0, ..area });
            places.into_iter().flatten().map(|place| place.y + 1).max().unwrap_or(0)
        };
        let session = &app.played.session;
        let bets: Vec<Piece> = app.bet_pieces(table).iter().map(|(text, _)| Piece::of(text)).collect();
        let seats = if has_seats(table) { 1 + table.seats.len() as u16 } else { 0 };
        let usual = match session.phase {
            Phase::Betting => 1,
            _ if table.is_empty() => 7,
            _ => 1 + u16::from(seats > 0),
        };
        let state = wrapped_rows(&[app.state_text(table)], area.width).max(usual);
        let fixed = Fixed {
            bets: rows(&bets).min(if area.height >= 30 { 6 } else { 3 }),
            cards: if app.picks_cards() { CARD.1 } else { 0 },
            state: state + seats,
            buttons: 0,
            coach: 0,
        };
        let left = area.height.saturating_sub(fixed.height() + least);
        let coach = (1 + wrapped_rows(&app.coach_lines(), area.width)).max(3);
        // Rows of buttons that aren't shown are reached with the arrow keys, and the rest of the coach's lines with a key.
        let buttons = rows(&app.button_pieces(buttons)).min(left.saturating_sub(coach).max(5)).max(1);
        Fixed { buttons, coach: coach.min(left.saturating_sub(buttons)), ..fixed }
    }

    /// Returns the number of rows, with those of the title, the message and the keys.
    fn height(&self) -> u16 {
        1 + self.bets + self.cards + self.state + self.buttons + self.coach + MESSAGE + 1
    }
}

/// Returns the keys in columns, one or two of them depending on the width, and what else there is to know about them.
fn key_lines(width: u16) -> Vec<String> {
    let half = usize::from(width / 2);
    let mut lines: Vec<String> = Vec::new();
    for (key, words) in KEYS {
        let text = format!("{key:<13}{words}");
        let is_short = text.chars().count() < half;
        match lines.last_mut().filter(|line| is_short && line.chars().count() < half) {
            Some(line) => *line = format!("{line:<half$}{text}"),
            None => lines.push(text),
        }
    }
    lines.extend([String::new(), NOTES.to_owned()]);
    lines
}

/// Returns the rules of a game in words, with every paragraph on a line of its own, and tables in the given width.
fn rules_lines(game: &GameEntry, width: u16) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    let mut table: Option<TextTable> = None;
    let rules = game.rules_text();
    for line in rules.lines().filter(|line| !line.starts_with("|---")).chain([""]) {
        let text = line.trim_start_matches('#').trim().replace('*', "");
        if let Some(row) = text.strip_prefix('|') {
            let cells = row.trim_end_matches('|').split('|').map(str::trim);
            table = Some(match table {
                None => TextTable::new(cells),
                Some(table) => table.row(cells),
            });
            continue;
        }
        if let Some(table) = table.take() {
            lines.extend(in_columns(&table, width).lines().map(str::to_owned));
            is_open = false;
        }
        let is_step = line.split_once(". ").is_some_and(|(number, _)| number.parse::<u8>().is_ok());
        let stands_alone = line.is_empty() || line.starts_with(['#', '-']) || is_step;
        match lines.last_mut().filter(|_| is_open && !stands_alone) {
            Some(last) => *last += &format!(" {text}"),
            None => lines.push(text),
        }
        is_open = !line.is_empty() && !line.starts_with('#');
    }
    lines.pop();
    lines
}

fn payout_lines(table: &PublicTable) -> Vec<String> {
    let mut lines = Vec::new();
    for bet in table.bets.iter().filter(|bet| !bet.pays.is_empty() && bet.action.is_none()) {
        lines.push(String::new());
        match &bet.pays[..] {
            [payout] if payout.hand.is_empty() => lines.push(format!("{} pays {}", bet.name, payout.odds)),
            pays => {
                let longest = pays.iter().map(|payout| payout.hand.chars().count()).max().unwrap_or(0);
                lines.push(format!("{} pays", bet.name));
                lines.extend(pays.iter().map(|payout| format!("  {:<longest$}  {}", payout.hand, payout.odds)));
            }
        }
    }
    lines
}

/// Returns the text shown during betting. If DEAL isn't offered although there are bets, this is the reason.
fn betting_text(session: &Session) -> String {
    if session.bets.is_empty() {
        return "Press DEAL to begin a round.".to_owned();
    }
    let refusal = session.deal_refusal().filter(|_| session.bets.iter().any(|bet| session.stake(bet) > Amount::ZERO));
    refusal.map_or_else(
        || "Choose a chip and lay it into a circle. Then press DEAL.".to_owned(),
        |reason| format!("DEAL is not offered: {reason}."),
    )
}

impl Button {
    /// Returns the button's text. The focused button is recognizable even without colors.
    pub fn text(&self, has_focus: bool) -> String {
        // A name that begins with a digit isn't part of the key.
        let is_number = self.label.starts_with(|letter: char| letter.is_ascii_digit());
        let key = self.key.map_or(String::new(), |key| format!("{key}{} ", if is_number { ":" } else { "" }));
        if has_focus { format!("[>{key}{}<]", self.label) } else { format!("[ {key}{} ]", self.label) }
    }
}

#[derive(Clone, Copy)]
pub struct Piece {
    width: u16,
    starts_row: bool,
    /// The columns at the start of the text that belong to a heading.
    indent: u16,
}

impl Piece {
    fn of(text: &str) -> Piece {
        Piece { width: text.chars().count() as u16, starts_row: false, indent: 0 }
    }
}

/// Arranges texts in rows, separated by spaces, and returns their positions. All rows begin at the indent of the first.
///
/// If the rows don't fit into the area, they are scrolled to the focused text. Texts in hidden rows have no position.
pub fn flow(pieces: &[Piece], focus: usize, area: Rect) -> Vec<Option<Rect>> {
    let (mut row, mut column) = (0u16, 0u16);
    let margin = pieces.first().map_or(0, |piece| piece.indent);
    let mut places = Vec::with_capacity(pieces.len());
    for piece in pieces {
        if column > 0 && (piece.starts_row || column + piece.width > area.width) {
            (row, column) = (row + 1, margin - piece.indent);
        }
        places.push((row, column));
        column += piece.width + 1;
    }
    let focus_row = places.get(focus).map_or(0, |place| place.0);
    let first = (focus_row + 1).saturating_sub(area.height);
    let shown: Range<u16> = first..first.saturating_add(area.height);
    let place = |(&(row, column), piece): (&(u16, u16), &Piece)| {
        let width = piece.width.min(area.width.saturating_sub(column));
        shown.contains(&row).then(|| Rect::new(area.x + column, area.y + row - first, width, 1))
    };
    places.iter().zip(pieces).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_flow_in_rows_and_scroll_to_the_focus() {
        let area = Rect::new(2, 5, 10, 2);
        let widths = [4, 4, 4, 4, 4, 20].map(|width| Piece { width, starts_row: false, indent: 0 });
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
