//! `houseway play` in a terminal of 80 columns and 24 rows: what a person would see.

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
        let pair = native_pty_system().openpty(size(80, 24)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_houseway"));
        command.arg("play");
        command.args(arguments);
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

    /// Waits until the screen shows a text, and returns the time that it took.
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

#[test]
fn a_person_plays_a_round() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.json");
    let arguments = ["--session", file.to_str().unwrap(), "--seed", "7"];
    let mut terminal = Terminal::start(&arguments, &[]);
    terminal.wait_for("bankroll 1000.00");
    terminal.wait_for(">(BET 0.00)");
    terminal.write("3");
    terminal.wait_for("(BET 25.00)");
    terminal.write("d");
    terminal.wait_for("HOUSE WAY");
    terminal.write("h");
    terminal.wait_for("[>c CONFIRM<]");
    assert_eq!(terminal.screen.screen().contents().matches("FRONT").count(), 2);
    // Colours are used for the red cards.
    assert!(String::from_utf8_lossy(&terminal.raw).contains("\u{1b}[38;5;1;"));
    // A narrower window, and back.
    terminal.pair.master.resize(size(40, 10)).unwrap();
    terminal.screen.screen_mut().set_size(cells(10), cells(40));
    terminal.wait_for("too small");
    terminal.pair.master.resize(size(80, 24)).unwrap();
    terminal.screen.screen_mut().set_size(cells(24), cells(80));
    terminal.wait_for("[>c CONFIRM<]");
    terminal.write("\r");
    terminal.wait_for("banker  back");
    terminal.wait_for("you: front");
    terminal.write("q");
    assert!(terminal.child.wait().unwrap().success());
    let saved: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((saved["rounds"].as_u64(), saved["ledger"]["judged"].as_u64()), (Some(1), Some(1)));
    // The next session goes on, here without colours and with a click on DEAL.
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
fn keys_are_answered_while_the_coach_computes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.json");
    let arguments = ["-g", "ultimate-holdem", "--coach", "on", "--seed", "3", "--session", file.to_str().unwrap()];
    let mut terminal = Terminal::start(&arguments, &[]);
    terminal.wait_for(">(ANTE 0.00)");
    terminal.write("1d");
    terminal.wait_for("computing the exact values");
    terminal.write("?");
    let needed = terminal.wait_for("any key closes this");
    println!("a key was answered within {needed:?}");
    // Other tests use the processor at the same time; the figure is in the output.
    assert!(needed < Duration::from_secs(1), "{needed:?}");
    terminal.write("q");
    terminal.wait_for("play4 EV");
    terminal.write("q");
    assert!(terminal.child.wait().unwrap().success());
}

#[test]
fn without_a_terminal_the_line_mode_is_named() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_houseway")).arg("play").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--plain"));
}
