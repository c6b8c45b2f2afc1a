//! Draws the hands on the table: the opponent's, the board and the player's own, each part with its rank and its result.

use super::App;
use super::draw::has_seats;
use houseway_env::gym::{Comparison, PublicPart, PublicSeat, PublicTable};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

/// The smallest width of the column of names, and the length of the longest name.
const NAMES: usize = 9;
const LONGEST: usize = 13;
/// The rows of pips in each half of a tile. The first is that of one pip.
const PIPS: [[&str; 3]; 6] = [
    ["   ", " ● ", "   "],
    ["●  ", "   ", "  ●"],
    ["●  ", " ● ", "  ●"],
    ["● ●", "   ", "● ●"],
    ["● ●", " ● ", "● ●"],
    ["● ●", "● ●", "● ●"],
];

/// Returns the numbers of pips on a tile, which is written as `6-3`. `None` for cards.
fn tile(card: &str) -> Option<[usize; 2]> {
    let (left, right) = card.split_once('-')?;
    let pips = |text: &str| text.parse().ok().filter(|pips| (1..=PIPS.len()).contains(pips));
    Some([pips(left)?, pips(right)?])
}

/// A hand with a name, in one of two sizes.
pub struct ShownHand {
    name: String,
    parts: Vec<PublicPart>,
    /// The columns of the names of all hands, and those that the screen has.
    columns: [usize; 2],
    /// `true` if the cards are drawn as boxes. Otherwise, each part is a line of text.
    is_large: bool,
}

impl ShownHand {
    fn new(name: &str, parts: Vec<PublicPart>) -> ShownHand {
        let short = name.split(' ').next().filter(|_| name.chars().count() > 8).unwrap_or(name);
        ShownHand { name: shortened(short), parts, columns: [0; 2], is_large: false }
    }

    pub fn height(&self) -> u16 {
        let rows = |part: &PublicPart| 1 + u16::from(self.is_wide(part));
        if self.is_large { self.large_height() } else { self.parts.iter().map(rows).sum() }
    }

    fn longest_part(&self) -> usize {
        self.parts.iter().map(|part| part.cards.chars().count()).max().unwrap_or(0)
    }

    /// Returns `true` if the caption doesn't fit beside the cards, so it's below them.
    fn is_wide(&self, part: &PublicPart) -> bool {
        let [names, columns] = self.columns;
        names + self.longest_part() + 2 + caption(part).chars().count() > columns
    }

    /// Returns the number of rows inside the borders of a card or tile.
    fn rows_inside(&self) -> u16 {
        let has_tiles = self.parts.iter().any(|part| part.cards.split(' ').any(|card| tile(card).is_some()));
        if has_tiles { 3 } else { 1 }
    }

    /// Returns the height with borders, and with a line for the ranks if they are known.
    fn large_height(&self) -> u16 {
        let has_captions = self.parts.iter().any(|part| !caption(part).is_empty());
        self.rows_inside() + 2 + u16::from(has_captions)
    }
}

/// Returns a name that fits into its column.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// Returns the hands to draw from top to bottom. The player's own hand is left out while cards are chosen from it, and the
/// hands of other players are shown at their seats.
pub fn hands(table: &PublicTable, is_choosing: bool, width: u16) -> Vec<ShownHand> {
    let is_at_seats = has_seats(table);
    let is_drawn = |seat: &&PublicSeat| !(is_at_seats && seat.is_hidden());
    let opponent = table.seats.iter().find(|seat| !seat.is_own && (seat.is_banker || !is_at_seats)).filter(is_drawn);
    let own = table.seats.iter().find(|seat| seat.is_own && !is_choosing).filter(is_drawn);
    let mut hands = Vec::new();
    hands.extend(opponent.map(|seat| ShownHand::new(&seat.name, seat.hand.clone())));
    hands.extend(
        table.board.iter().map(|part| ShownHand::new(part.name, vec![PublicPart { name: "", ..part.clone() }])),
    );
    hands.extend(own.map(|seat| ShownHand::new(&seat.name, seat.hand.clone())));
    hands.retain(|hand| hand.parts.iter().any(|part| !part.cards.is_empty()));
    let names = hands.iter().map(|hand| hand.name.chars().count() + 2).fold(NAMES, usize::max);
    hands.iter_mut().for_each(|hand| hand.columns = [names, width.into()]);
    hands
}

/// Draws as many hands as possible as cards, starting with the player's own, so that all of them fit.
pub fn fit(hands: &mut [ShownHand], area: Rect) {
    let mut left = area.height.saturating_sub(hands.iter().map(ShownHand::height).sum());
    for i in (0..hands.len()).rev() {
        let more = hands[i].large_height().saturating_sub(hands[i].height());
        let width = hands[i].columns[0] + usize::from(widths(hands).iter().sum::<u16>());
        if more <= left && width <= area.width.into() {
            hands[i].is_large = true;
            left -= more;
        }
    }
}

/// Returns the width of each part, so that the parts of all hands are below each other.
fn widths(hands: &[ShownHand]) -> Vec<u16> {
    let count = hands.iter().map(|hand| hand.parts.len()).max().unwrap_or(0);
    let width = |part: &PublicPart| {
        let inside = |card: &str| if tile(card).is_some() { 7 } else { card.len().max(2) };
        let cards = part.cards.split(' ').map(|card| inside(card) + 2).sum::<usize>();
        cards.max(caption(part).chars().count()) as u16 + 2
    };
    (0..count).map(|i| hands.iter().filter_map(|hand| hand.parts.get(i)).map(width).max().unwrap_or(0)).collect()
}

pub fn caption(part: &PublicPart) -> String {
    let result = part.result.map_or("", Comparison::words);
    let texts = [part.rank.as_str(), result].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
    let name = if part.name.is_empty() || texts.is_empty() { String::new() } else { format!("{}: ", part.name) };
    format!("{name}{}", texts.join(", "))
}

/// Returns a sign for the result of a part of a hand.
fn mark(part: &PublicPart) -> &'static str {
    match part.result {
        None => "",
        Some(Comparison::Wins | Comparison::CopyWins) => "+",
        Some(Comparison::Loses | Comparison::CopyLoses) => "-",
        Some(Comparison::Tie) => "=",
    }
}

impl App {
    /// Returns a card as it is shown. Cards that lie face down are shaded.
    pub fn card_text(&self, card: &str) -> String {
        if card == PublicPart::FACE_DOWN {
            return "░░".to_owned();
        }
        let suit = match card.chars().last() {
            _ if self.is_ascii || card.contains('-') => return card.to_owned(),
            Some('s') => '♠',
            Some('h') => '♥',
            Some('d') => '♦',
            Some('c') => '♣',
            _ => return card.to_owned(),
        };
        format!("{}{suit}", &card[..card.len() - 1])
    }

    pub fn card_style(&self, card: &str) -> Style {
        if card.ends_with(['h', 'd']) { self.color(Color::Red) } else { Style::new() }
    }

    fn result_style(&self, result: Option<Comparison>) -> Style {
        match result {
            Some(Comparison::Wins | Comparison::CopyWins) => self.color(Color::Green).patch(self.bold()),
            Some(Comparison::Loses | Comparison::CopyLoses) => self.color(Color::Red),
            _ => Style::new(),
        }
    }

    pub fn draw_hands(&self, frame: &mut Frame<'_>, area: Rect, hands: &[ShownHand]) {
        let widths = widths(hands);
        let mut y = area.y;
        for hand in hands {
            let place = Rect::new(area.x, y, area.width, hand.height()).intersection(area);
            let lines = if hand.is_large { self.boxes(hand, &widths) } else { self.lines(hand) };
            frame.render_widget(Paragraph::new(lines), place);
            y += hand.height();
        }
    }

    pub fn cards_text(&self, part: &PublicPart) -> String {
        part.cards.split(' ').map(|card| self.card_text(card)).collect::<Vec<_>>().join(" ")
    }

    fn lines(&self, hand: &ShownHand) -> Vec<Line<'static>> {
        let (longest, names) = (hand.longest_part(), hand.columns[0]);
        let mut lines = Vec::new();
        for (i, part) in hand.parts.iter().enumerate() {
            let name = if i == 0 { format!(" {}", hand.name) } else { String::new() };
            let cards = format!("{name:<names$}{:<longest$}  ", self.cards_text(part));
            let caption = Span::styled(caption(part), self.result_style(part.result));
            if hand.is_wide(part) {
                lines.extend([Line::from(cards), Line::from(vec![" ".repeat(names).into(), caption])]);
            } else {
                lines.push(Line::from(vec![cards.into(), caption]));
            }
        }
        lines
    }

    /// Returns the rows inside the borders of a card or tile. As on real tiles, ones and fours are red.
    fn face(&self, card: &str) -> Vec<Line<'static>> {
        let Some(halves) = tile(card) else {
            let text = format!("{:<2}", self.card_text(card));
            return vec![Line::from(Span::styled(text, self.card_style(card)))];
        };
        let pip = if self.is_ascii { "o" } else { "●" };
        let half = |pips: usize, row: usize| {
            let style = if matches!(pips, 1 | 4) { self.color(Color::Red) } else { Style::new() };
            Span::styled(PIPS[pips - 1][row].replace('●', pip), style)
        };
        let row = |row| Line::from(vec![half(halves[0], row), "│".into(), half(halves[1], row)]);
        (0..3).map(row).collect()
    }

    fn boxes(&self, hand: &ShownHand, widths: &[u16]) -> Vec<Line<'static>> {
        let names = hand.columns[0];
        let name = |text: &str| Span::from(format!("{text:<names$}"));
        let inside = usize::from(hand.rows_inside());
        let (middle, bottom) = (inside / 2 + 1, inside + 1);
        let mut rows = vec![vec![name("")]; bottom + 1];
        rows[middle] = vec![name(&format!(" {}", hand.name)).style(self.bold())];
        let mut captions = vec![name("")];
        for (part, &width) in hand.parts.iter().zip(widths) {
            let mut used = 0;
            for card in part.cards.split(' ') {
                let face = self.face(card);
                let columns = face[0].width();
                let edge = "─".repeat(columns);
                rows[0].push(format!("┌{edge}┐").into());
                for (row, line) in rows[1..].iter_mut().zip(face) {
                    row.push("│".into());
                    row.extend(line.spans);
                    row.push("│".into());
                }
                rows[bottom].push(format!("└{edge}┘").into());
                used += columns + 2;
            }
            let rest = usize::from(width).saturating_sub(used);
            rows.iter_mut().for_each(|row| row.push(" ".repeat(rest).into()));
            let text = format!("{:<1$}", caption(part), usize::from(width));
            captions.push(Span::styled(text, self.result_style(part.result)));
        }
        rows.into_iter().chain([captions]).map(Line::from).collect()
    }

    /// Returns the heads of the numbers in [`App::seat_line`].
    pub fn seat_heads(&self) -> Line<'static> {
        Line::from(format!("{:29}{:>6} {:>6}", "", "chips", "bet"))
    }

    /// Describes a seat in a line that fits into 80 columns. The hands of the player and the opponent are drawn larger.
    pub fn seat_line(&self, seat: &PublicSeat) -> Line<'static> {
        let own = if seat.is_own { ">" } else { " " };
        let order = seat.order.filter(|_| !seat.has_button).map(|order| format!("#{order}"));
        let marks = [seat.is_banker.then(|| "BANK".to_owned()), seat.has_button.then(|| "#1 BUTTON".to_owned()), order];
        let marks: Vec<String> = marks.into_iter().flatten().collect();
        let chips = seat.chips.map_or(String::new(), |chips| chips.to_string());
        let bets = match (seat.bet, seat.side) {
            (0, 0) => String::new(),
            (bet, 0) => bet.to_string(),
            (bet, side) => format!("{bet}+{side}"),
        };
        let hand = match seat.is_hidden() {
            true => "face down".to_owned(),
            false => seat.hand.iter().map(|part| self.cards_text(part) + mark(part)).collect::<Vec<_>>().join(" | "),
        };
        let outcome = seat.outcome.as_deref().and_then(|text| text.split(',').next()).unwrap_or_default();
        let net = seat.net.map_or(String::new(), |net| if net > 0 { format!("+{net}") } else { net.to_string() });
        let (number, name, marks) = (seat.seat, shortened(&seat.name), marks.join(" "));
        let text =
            format!("{own}{number} {name:<LONGEST$} {marks:<11} {chips:>6} {bets:>6} {hand:<24} {outcome} {net}");
        Line::styled(text.trim_end().to_owned(), if seat.is_own { self.bold() } else { Style::new() })
    }
}
