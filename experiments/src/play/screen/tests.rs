//! Tests of the layout at several sizes, of keys and of clicks.

use super::app::{App, Target};
use crate::play::clock::Clock;
use crate::play::command::CoachMode;
use crate::play::session::{Phase, Session};
use crate::play::start::PlayRequest;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use houseway_exact::solver::SolverConfig;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::time::{Duration, Instant};

struct Screen {
    app: App,
    terminal: Terminal<TestBackend>,
    _folder: tempfile::TempDir,
}

impl Screen {
    fn new(game: &str, coach: CoachMode, size: (u16, u16)) -> Screen {
        let folder = tempfile::tempdir().unwrap();
        let request = PlayRequest {
            game: houseway_env::registry::find(game).unwrap(),
            rules: SolverConfig::default(),
            banker: None,
            options: [].into(),
            session: folder.path().join("session.json"),
            new: false,
            seed: Some(7),
            bankroll: None,
            history: None,
            coach,
        };
        let app = App::new(request.open(crate::analysis::LAYOUTS).unwrap(), Clock::default(), false);
        let mut screen =
            Screen { app, terminal: Terminal::new(TestBackend::new(size.0, size.1)).unwrap(), _folder: folder };
        screen.draw();
        screen
    }

    fn draw(&mut self) -> String {
        self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let row = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
        buffer.content.chunks(width).map(|cells| row(cells).trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    fn press(&mut self, code: KeyCode) -> String {
        self.app.key(KeyEvent::new(code, KeyModifiers::NONE)).unwrap();
        self.draw()
    }

    fn keys(&mut self, keys: &str) -> String {
        keys.chars().for_each(|key| drop(self.press(KeyCode::Char(key))));
        self.draw()
    }

    fn click(&mut self, target: Target) -> String {
        let place = self.app.targets.iter().find(|(_, other)| *other == target).expect("it is on the screen").0;
        let kind = MouseEventKind::Down(MouseButton::Left);
        let (column, row) = (place.x + place.width / 2, place.y);
        self.app.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }).unwrap();
        self.draw()
    }

    fn session(&self) -> &Session {
        self.app.played.session()
    }
}

#[test]
fn a_round_is_played_with_the_keys_of_the_source() {
    let mut screen = Screen::new("pai-gow-poker", CoachMode::Off, (80, 24));
    let start = screen.draw();
    assert!(
        start.contains("bankroll 1000.00") && start.contains(">(BET 0.00)") && start.contains("(JOKOLOR 0.00)"),
        "{start}"
    );
    // DEAL is not offered until a bet is placed.
    assert!(start.contains("CLEAR") && !start.contains("[ d DEAL ]") && !start.contains("REBET"), "{start}");
    let bets = screen.keys("3b2");
    assert!(bets.contains("(BET 25.00)") && bets.contains(">(JOKOLOR 5.00)") && bets.contains("d DEAL"), "{bets}");
    let dealt = screen.keys("d");
    assert!(dealt.contains("h HOUSE WAY") && !dealt.contains("CONFIRM") && dealt.contains("JOKOLOR "), "{dealt}");
    assert_eq!(dealt.matches('┌').count(), 7, "{dealt}");
    // A foul shows its reason and offers no CONFIRM.
    let fouls: Vec<(usize, usize)> = (0..7).flat_map(|a| (a + 1..7).map(move |b| (a, b))).collect();
    let mut seen = 0;
    for (a, b) in fouls {
        let chosen = screen.keys(&format!("{}{}", a + 1, b + 1));
        assert_eq!(chosen.matches("FRONT").count(), 2, "{chosen}");
        let is_foul = screen.session().foul().is_some();
        seen += usize::from(is_foul);
        assert_eq!((chosen.contains("c CONFIRM"), chosen.contains("is not offered")), (!is_foul, is_foul), "{chosen}");
        screen.keys("u");
    }
    assert!(seen > 0, "some front is a foul");
    let chosen = screen.keys("h");
    assert!(chosen.contains("[>c CONFIRM<]"), "{chosen}");
    let over = screen.press(KeyCode::Enter);
    assert!(over.contains("banker  back") && over.contains("net ") && over.contains("x REBET X2"), "{over}");
    let again = screen.keys("x");
    assert!(
        again.contains("(BET 50.00)") && again.contains("(JOKOLOR 10.00)") && again.contains("[>d DEAL<]"),
        "{again}"
    );
    let help = screen.keys("?");
    assert!(help.contains("HOUSE WAY") && help.contains("any key closes this"), "{help}");
    let results = screen.keys("qt");
    assert!(!screen.app.has_ended && results.contains("1 rounds, 25.00 staked"), "{results}");
    screen.keys("xq");
    assert!(screen.app.has_ended);
}

#[test]
fn the_mouse_does_all_that_keys_do() {
    let mut screen = Screen::new("pai-gow-poker", CoachMode::Off, (100, 30));
    screen.click(Target::Bet(1));
    screen.click(Target::Button(0));
    screen.click(Target::Bet(0));
    let bets = screen.click(Target::Button(2));
    assert!(bets.contains(">(BET 25.00)") && bets.contains("(JOKOLOR 1.00)"), "{bets}");
    screen.keys("d");
    let chosen = screen.click(Target::Card(4));
    assert_eq!((screen.session().chosen(), chosen.matches("FRONT").count()), (&[4][..], 1));
    screen.click(Target::Card(4));
    assert_eq!(screen.session().chosen(), [0; 0]);
    let house = screen.app.buttons().iter().position(|button| button.label == "HOUSE WAY").unwrap();
    screen.click(Target::Button(house));
    let confirm = screen.app.buttons().iter().position(|button| button.label == "CONFIRM").unwrap();
    screen.click(Target::Button(confirm));
    assert_eq!(screen.session().phase(), Phase::Over);
}

#[test]
fn every_game_fits_every_size() {
    for game in houseway_env::registry::games() {
        for size in [(50, 18), (80, 24), (132, 50), (200, 60)] {
            let mut screen = Screen::new(game.name, CoachMode::Off, size);
            if !screen.session().bets().is_empty() {
                screen.keys("1");
            }
            let dealt = screen.keys("d");
            let session = screen.session();
            assert_eq!(session.phase(), Phase::Deciding, "{} at {size:?}: {dealt}", game.name);
            assert!(dealt.contains("bankroll") && dealt.contains("? help"), "{dealt}");
            // All buttons can be reached even if they do not all fit.
            for _ in 0..screen.app.buttons().len() {
                let (focus, shown) = (screen.app.focus, screen.draw());
                let text = screen.app.buttons()[focus].text(true);
                let start: String = text.chars().take(size.0.into()).collect();
                assert!(shown.contains(&start), "{} at {size:?}: {text} in\n{shown}", game.name);
                screen.press(KeyCode::Tab);
            }
        }
        let small = Screen::new(game.name, CoachMode::Off, (30, 10)).draw();
        assert!(small.contains("too small"), "{small}");
    }
}

#[test]
fn a_key_is_answered_while_the_coach_computes() {
    let mut screen = Screen::new("ultimate-holdem", CoachMode::On, (80, 24));
    let dealt = screen.keys("1d");
    assert!(dealt.contains("computing the exact values"), "{dealt}");
    let start = Instant::now();
    let page = screen.keys("?");
    let needed = start.elapsed();
    assert!(page.contains("any key closes this") && needed < Duration::from_millis(50), "{needed:?}");
    screen.keys("x");
    let end = Instant::now() + Duration::from_secs(60);
    while screen.app.played.is_computing() && Instant::now() < end {
        screen.app.tick().unwrap();
    }
    let advice = screen.draw();
    assert!(advice.contains("check EV") && advice.contains("play4 EV"), "{advice}");
}

#[test]
fn the_clock_plays_as_the_house() {
    let mut screen = Screen::new("pai-gow-poker", CoachMode::Off, (80, 24));
    screen.app.clock = Clock::new(Some(Duration::from_millis(20)));
    screen.keys("1d");
    screen.app.tick().unwrap();
    assert!(screen.draw().contains("s left"));
    std::thread::sleep(Duration::from_millis(30));
    screen.app.tick().unwrap();
    assert_eq!(screen.session().phase(), Phase::Over);
}

#[test]
fn without_a_solver_there_is_no_coach() {
    let mut screen = Screen::new("pai-gow-table", CoachMode::On, (80, 24));
    screen.keys("d");
    let text = screen.keys("o");
    assert!(text.contains("coach: on") && screen.app.verdicts.join(" ").contains("no exact solver"), "{text}");
}
