//! Tests for `houseway play` in an emulated terminal with 80 columns and 24 rows.

use super::common::{program, refused};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

struct Terminal {
    pair: portable_pty::PtyPair,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    input: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    raw: Vec<u8>,
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn cells(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

impl Terminal {
    fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Terminal {
        let mut command = CommandBuilder::new(program());
        command.arg("play");
        command.args(arguments);
        Terminal::run(command, variables)
    }

    fn run(mut command: CommandBuilder, variables: &[(&str, &str)]) -> Terminal {
        let pair = native_pty_system().openpty(size(80, 24)).unwrap();
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        variables.iter().for_each(|(name, value)| command.env(name, value));
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let input = pair.master.take_writer().unwrap();
        let (send, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                if send.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { pair, child, input, output, screen: vt100::Parser::new(cells(24), cells(80), 0), raw: vec![] }
    }

    fn write(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    /// Waits until the screen has been drawn completely.
    fn settle(&mut self) {
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(400)) {
            self.screen.process(&bytes);
            self.raw.extend(bytes);
        }
    }

    /// Waits until a text appears on the screen and returns the elapsed time.
    fn wait_for(&mut self, text: &str) -> Duration {
        let start = Instant::now();
        while !self.screen.screen().contents().contains(text) {
            match self.output.recv_timeout(Duration::from_secs(30)) {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("'{text}' does not appear:\n{}", self.screen.screen().contents())
                }
            }
        }
        start.elapsed()
    }
}

/// The width and height of a cell in a picture.
const CELL: (u16, u16) = (9, 18);

/// Converts a terminal color to CSS. Pictures have a dark background.
fn color(color: vt100::Color, default: &str) -> String {
    const NAMED: [&str; 8] = ["#1b1d1e", "#ff8a80", "#8fd694", "#ffd479", "#8ab4f8", "#d7a6f5", "#80deea", "#eceff1"];
    match color {
        vt100::Color::Default => default.to_owned(),
        vt100::Color::Idx(index) => NAMED[usize::from(index % 8)].to_owned(),
        vt100::Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
    }
}

/// Draws a screen as SVG. Adjacent cells with the same style share a text element.
fn picture(screen: &vt100::Screen) -> String {
    let (rows, columns): (u16, u16) = (24, 80);
    let look = |row: u16, column: u16| {
        let cell = screen.cell(row, column).unwrap();
        let (ink, ground) = (color(cell.fgcolor(), "#eceff1"), color(cell.bgcolor(), "#1b1d1e"));
        let (ink, ground) = if cell.inverse() { (ground, ink) } else { (ink, ground) };
        (ink, ground, cell.bold())
    };
    let (width, height) = (columns * CELL.0 + 20, rows * CELL.1 + 20);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-size=\"15\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\">\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" \
         fill=\"#1b1d1e\"/>\n"
    );
    for row in 0..rows {
        let mut column = 0;
        while column < columns {
            let (start, (ink, ground, bold)) = (column, look(row, column));
            let mut text = String::new();
            while column < columns && look(row, column) == (ink.clone(), ground.clone(), bold) {
                let cell = screen.cell(row, column).unwrap();
                text += if cell.has_contents() { cell.contents() } else { " " };
                column += 1;
            }
            let (x, y, length) = (10 + start * CELL.0, 10 + row * CELL.1, (column - start) * CELL.0);
            if ground != "#1b1d1e" {
                svg += &format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{length}\" height=\"{}\" fill=\"{ground}\"/>\n",
                    CELL.1
                );
            }
            if !text.trim().is_empty() {
                let text = text.replace('&', "&amp;").replace('<', "&lt;");
                let weight = if bold { " font-weight=\"700\"" } else { "" };
                svg += &format!(
                    "<text x=\"{x}\" y=\"{}\" textLength=\"{length}\" xml:space=\"preserve\" fill=\"{ink}\"{weight}>{text}</text>\n",
                    y + 14
                );
            }
        }
    }
    svg + "</svg>\n"
}

/// Checks that a picture in the book shows the screen, or writes it if `HOUSEWAY_WRITE_PICTURES` is set.
fn check_picture(terminal: &mut Terminal, name: &str) {
    terminal.settle();
    let drawn = picture(terminal.screen.screen());
    assert!(drawn.contains("bankroll") && drawn.ends_with("</svg>\n"), "{drawn}");
    let path = super::common::root().join(format!("experiments/book/src/pictures/{name}.svg"));
    if std::env::var_os("HOUSEWAY_WRITE_PICTURES").is_some() {
        std::fs::write(path, drawn).unwrap();
    } else {
        let known = std::fs::read_to_string(path).unwrap();
        assert!(known == drawn, "{name}.svg is out of date: look at it, and write it with HOUSEWAY_WRITE_PICTURES=1");
    }
}

#[test]
fn a_person_plays_a_round() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.json");
    let arguments = ["--session", file.to_str().unwrap(), "--seed", "7"];
    let mut terminal = Terminal::start(&arguments, &[]);
    terminal.wait_for("bankroll 1000.00");
    terminal.wait_for("(b BET 0.00");
    // Pasted text isn't played.
    terminal.write("\u{1b}[200~3bd\u{1b}[201~3b");
    terminal.wait_for("(b BET 25.00");
    terminal.write("d");
    terminal.wait_for("HOUSE WAY");
    terminal.write("h");
    terminal.wait_for("[>c CONFIRM<]");
    assert_eq!(terminal.screen.screen().contents().matches("FRONT").count(), 2);
    // Red cards are shown in red.
    assert!(String::from_utf8_lossy(&terminal.raw).contains("\u{1b}[38;5;1;"));
    // Resize the window until it is too small, and then back.
    terminal.pair.master.resize(size(40, 10)).unwrap();
    terminal.screen.screen_mut().set_size(cells(10), cells(40));
    terminal.wait_for("too small");
    terminal.pair.master.resize(size(80, 24)).unwrap();
    terminal.screen.screen_mut().set_size(cells(24), cells(80));
    terminal.wait_for("[>c CONFIRM<]");
    terminal.write("\r");
    terminal.wait_for("front: ");
    terminal.wait_for("you: front");
    check_picture(&mut terminal, "play");
    terminal.write("q");
    assert!(terminal.child.wait().unwrap().success());
    let saved: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((saved["rounds"].as_u64(), saved["ledger"]["judged"].as_u64()), (Some(1), Some(1)));
    // Starting again continues the session, this time without colors and with a click on DEAL.
    let mut terminal = Terminal::start(&arguments[..2], &[("NO_COLOR", "1")]);
    terminal.wait_for("REBET");
    terminal.write("r");
    terminal.wait_for("[>d DEAL<]");
    let screen = terminal.screen.screen().contents();
    let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains("DEAL<]")).unwrap();
    let column = line.find("DEAL").unwrap();
    terminal.write(&format!("\u{1b}[<0;{};{}M", column + 1, row + 1));
    terminal.wait_for("HOUSE WAY");
    assert!(!String::from_utf8_lossy(&terminal.raw).contains("\u{1b}[38;5;"), "NO_COLOR is set");
    terminal.write("\u{3}");
    assert!(terminal.child.wait().unwrap().success());
}

#[test]
fn a_person_banks_at_a_table_with_seats() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.json");
    let arguments = ["-g", "pai-gow-table", "--session", file.to_str().unwrap(), "--seed", "4", "--coach", "on"];
    let mut terminal = Terminal::start(&arguments, &[]);
    terminal.wait_for(">1 you");
    terminal.write("3bbd");
    terminal.wait_for("The bank is offered to you");
    terminal.wait_for("[ 5 BANK 240 ]");
    terminal.write("5");
    terminal.wait_for("[>s SHAKE THE DICE<]");
    terminal.write("s");
    terminal.wait_for("You bank with 240 chips.");
    terminal.wait_for("HOUSE WAY");
    terminal.write("h");
    terminal.wait_for("[>c CONFIRM<]");
    terminal.wait_for("best: front ");
    assert_eq!(terminal.screen.screen().contents().matches("face down").count(), 5);
    check_picture(&mut terminal, "table");
    terminal.write("\r");
    terminal.wait_for("; bankroll ");
    terminal.write("v");
    terminal.wait_for("EVs are for your bank");
    terminal.write("v");
    terminal.wait_for("REBET");
    assert!(!terminal.screen.screen().contents().contains("face down"));
    assert!(terminal.screen.screen().contents().lines().all(|line| line.chars().count() <= 80));
    terminal.write("q");
    assert!(terminal.child.wait().unwrap().success());
}

/// The games without a test of their own. These are also their pictures in the book.
#[test]
fn the_other_games_are_shown_at_a_decision_with_advice() {
    let games: [(&str, &[(&str, &str)]); 6] = [
        ("asian-stud", &[("3ad", "EV ")]),
        ("joker-seven", &[("3id", "EV ")]),
        ("ultimate-holdem", &[("3ad", "Check"), ("1", "Play 2×, EV ")]),
        ("face-up-pai-gow", &[("3bd", "HOUSE WAY"), ("h", "best: ")]),
        ("pai-gow-tiles", &[("3ad", "EV ")]),
        ("pai-gow-known-cards", &[("3bd", "known   "), ("h", "best: ")]),
    ];
    assert_eq!(games.len() + 2, houseway_env::registry::games().len());
    for (game, steps) in games {
        let folder = tempfile::tempdir().unwrap();
        let session = folder.path().join("session.json");
        let arguments = ["-g", game, "--session", session.to_str().unwrap(), "--seed", "7", "--coach", "on"];
        let mut terminal = Terminal::start(&arguments, &[]);
        terminal.wait_for("bankroll 1000.00");
        for (keys, text) in steps {
            terminal.write(keys);
            terminal.wait_for(text);
        }
        check_picture(&mut terminal, game);
        terminal.write("\u{3}");
        assert!(terminal.child.wait().unwrap().success());
    }
}

/// Returns `true` if the terminal is as a shell leaves it.
#[cfg(unix)]
fn is_plain(screen: &vt100::Screen) -> bool {
    let has_mouse = screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
    !(screen.alternate_screen() || has_mouse || screen.bracketed_paste() || screen.hide_cursor())
}

#[cfg(unix)]
#[test]
fn a_stopped_program_gives_the_terminal_back_and_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new("sh");
    // A shell with job control.
    command.args(["-c", "set -m; \"$@\"; echo paused; read line; fg", "sh"]);
    command.arg(program());
    command.args(["play", "--coach", "off", "--session"]);
    command.arg(folder.path().join("session.json"));
    let mut terminal = Terminal::run(command, &[]);
    terminal.wait_for("(b BET 0.00");
    assert!(!is_plain(terminal.screen.screen()));
    terminal.write("\u{1a}");
    terminal.wait_for("paused");
    assert!(is_plain(terminal.screen.screen()), "{}", terminal.screen.screen().contents());
    terminal.write("\n");
    terminal.wait_for("(b BET 0.00");
    terminal.write("3b");
    terminal.wait_for("(b BET 25.00");
    assert!(terminal.screen.screen().alternate_screen() && terminal.screen.screen().bracketed_paste());
    terminal.write("q");
    assert!(terminal.child.wait().unwrap().success());
    terminal.settle();
    assert!(is_plain(terminal.screen.screen()));
}

#[test]
fn without_a_terminal_the_line_mode_is_named() {
    refused(&[(&["play"], "--plain")]);
}

#[test]
fn a_closed_terminal_ends_the_program_and_keeps_the_round() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.json");
    let arguments = ["--coach", "off", "--seed", "3", "--session", file.to_str().unwrap()];
    let mut terminal = Terminal::start(&arguments, &[]);
    terminal.wait_for("(b BET 0.00");
    terminal.write("1bd");
    terminal.wait_for("HOUSE WAY");
    // Close every handle of the terminal. The thread that reads from it ends at the next output.
    let Terminal { pair, mut child, mut input, output, .. } = terminal;
    drop(output);
    input.write_all(b"?").unwrap();
    thread::sleep(Duration::from_millis(500));
    drop((input, pair));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("the program still runs without its terminal");
        }
        thread::sleep(Duration::from_millis(50));
    };
    const HANG_UP: u32 = 128 + 1;
    assert_eq!(status.exit_code(), HANG_UP);
    let session: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert!(session["open"].is_object(), "{session}");
}

#[test]
fn a_terminal_that_only_shows_lines_or_ascii_gets_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.json");
    let arguments = ["--session", file.to_str().unwrap(), "--seed", "7"];
    let mut lines = Terminal::start(&arguments, &[("TERM", "dumb")]);
    lines.wait_for("bets: BET 0.00, JOKOLOR 0.00; bankroll 1000.00");
    lines.write("quit\n");
    lines.wait_for("; saved");
    lines.child.wait().unwrap();
    assert!(!lines.raw.contains(&0x1b), "{}", String::from_utf8_lossy(&lines.raw));
    let mut plain = Terminal::start(&arguments[..2], &[("LC_ALL", "C")]);
    plain.wait_for("(b BET 0.00");
    plain.write("3bd");
    plain.wait_for("|##|");
    let screen = plain.screen.screen().contents();
    assert!(screen.is_ascii(), "{screen}");
}
