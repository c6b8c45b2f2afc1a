//! Tests for the screen layout at several sizes, and for keys and clicks.

use super::{App, Target};
use crate::play::{CoachMode, Phase, PlayRequest, Session};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
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
            session: folder.path().join("session.json"),
            seed: Some(7),
            coach,
            ..PlayRequest::new(houseway_env::registry::find(game).unwrap())
        };
        let app = App::new(request.open(crate::analysis::LAYOUTS).unwrap(), false);
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
        let place = self.app.targets.iter().find(|(_, other)| *other == target).expect("the target is on the screen").0;
        let kind = MouseEventKind::Down(MouseButton::Left);
        let (column, row) = (place.x + place.width / 2, place.y);
        self.app.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }).unwrap();
        self.draw()
    }

    fn session(&self) -> &Session {
        &self.app.played.session
    }
}

#[test]
fn a_round_is_played_with_the_keys_of_the_source() {
    let mut screen = Screen::new("pai-gow-poker", CoachMode::Off, (80, 24));
    let start = screen.draw();
    assert!(
        start.contains("bankroll 1000.00")
            && start.contains("(b BET 0.00, 0.95 to 1)")
            && start.contains("(j JOKOLOR 0.00)"),
        "{start}"
    );
    // DEAL is not offered until a bet is placed.
    assert!(start.contains("CLEAR") && !start.contains("[ d DEAL ]") && !start.contains("REBET"), "{start}");
    let bets = screen.keys("3jc3b2j");
    assert!(bets.contains("(b BET 25.00") && bets.contains("(j JOKOLOR 5.00)") && bets.contains("d DEAL"), "{bets}");
    let dealt = screen.keys("d");
    assert!(dealt.contains("h HOUSE WAY") && !dealt.contains("CONFIRM") && dealt.contains("JOKOLOR "), "{dealt}");
    // The banker's seven cards lie face down.
    assert_eq!((dealt.matches('┌').count(), dealt.matches("│░░│").count()), (14, 7), "{dealt}");
    // For a foul, the reason is shown instead of CONFIRM.
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
    assert!(over.contains("front: ") && over.contains("(BET 25.00 ") && over.contains("x REBET X2"), "{over}");
    let again = screen.keys("x");
    assert!(
        again.contains("(b BET 50.00") && again.contains("(j JOKOLOR 10.00)") && again.contains("[>d DEAL<]"),
        "{again}"
    );
    let help = screen.keys("?");
    assert!(help.contains("HOUSE WAY") && help.contains("any key closes this"), "{help}");
    let results = screen.keys("qt");
    assert!(!screen.app.has_ended && results.contains("rounds: 1; main bets 25.00"), "{results}");
    screen.keys("xq");
    assert!(screen.app.has_ended);
}

#[test]
fn tiles_are_drawn_with_pips_if_they_fit() {
    let mut screen = Screen::new("pai-gow-tiles", CoachMode::Off, (80, 24));
    let dealt = screen.keys("3ad");
    let tiles = screen.session().table().seats.iter().find(|seat| seat.is_own).unwrap().hand[0].cards.clone();
    let pips: usize = tiles.split([' ', '-']).map(|half| half.parse::<usize>().unwrap()).sum();
    assert_eq!(dealt.matches('●').count(), pips, "{dealt}");
    let mut small = Screen::new("pai-gow-tiles", CoachMode::Off, (50, 18));
    let dealt = small.keys("3ad");
    assert!(!dealt.contains('●') && dealt.contains(&tiles), "{dealt}");
}

#[test]
fn the_mouse_does_all_that_keys_do() {
    let mut screen = Screen::new("pai-gow-poker", CoachMode::Off, (100, 30));
    screen.click(Target::Chip(0));
    screen.click(Target::Bet(1));
    screen.click(Target::Chip(2));
    let bets = screen.click(Target::Bet(0));
    assert!(bets.contains("(b BET 25.00") && bets.contains("(j JOKOLOR 1.00)"), "{bets}");
    screen.keys("d");
    let chosen = screen.click(Target::Card(4));
    assert_eq!((&screen.session().chosen[..], chosen.matches("FRONT").count()), (&[4][..], 1));
    screen.click(Target::Card(4));
    assert_eq!(screen.session().chosen, [0; 0]);
    let house = screen.app.buttons().iter().position(|button| button.label == "HOUSE WAY").unwrap();
    screen.click(Target::Button(house));
    let confirm = screen.app.buttons().iter().position(|button| button.label == "CONFIRM").unwrap();
    screen.click(Target::Button(confirm));
    assert_eq!(screen.session().phase, Phase::Over);
}

#[test]
fn every_game_fits_every_size() {
    for game in houseway_env::registry::games() {
        for size in [(50, 18), (80, 24), (132, 50), (200, 60)] {
            let mut screen = Screen::new(game.name, CoachMode::Off, size);
            if !screen.session().bets.is_empty() {
                screen.keys("3");
                screen.click(Target::Bet(0));
            }
            let dealt = screen.keys("d");
            let session = screen.session();
            assert_eq!(session.phase, Phase::Deciding, "{} at {size:?}: {dealt}", game.name);
            assert!(dealt.contains("bankroll") && dealt.contains("? keys"), "{dealt}");
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
    let dealt = screen.keys("1ad");
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
    assert!(advice.contains("best: Check, EV ") && advice.contains("; Play 4×, EV "), "{advice}");
}

/// Waits until the coach has judged all finished rounds.
fn judged(screen: &mut Screen) -> String {
    let end = Instant::now() + Duration::from_secs(60);
    while screen.app.played.is_judging() && Instant::now() < end {
        screen.app.tick().unwrap();
    }
    screen.draw()
}

#[test]
fn every_verdict_is_shown() {
    let mut screen = Screen::new("ultimate-holdem", CoachMode::After, (80, 24));
    screen.keys("3ad11");
    let play = screen.app.buttons().iter().find(|button| button.label.starts_with("Play")).unwrap().key.unwrap();
    screen.keys(&play.to_string());
    let verdicts = judged(&mut screen);
    assert!(verdicts.contains("you (start): Check, ") && verdicts.contains("you (flop): Check, "), "{verdicts}");
    assert!(verdicts.contains("you (river): Play ") && verdicts.contains(" coach ──"), "{verdicts}");
    // If there are more lines than rows, the rest is on a page.
    screen.app.verdicts.extend((1..=19).map(|line| format!("line {line}")));
    let box_only = screen.draw();
    assert!(box_only.contains("coach: v shows all") && !box_only.contains("line 19"), "{box_only}");
    let page = screen.keys("v");
    assert!(page.contains("line 9") && page.contains("arrows scroll"), "{page}");
    (0..9).for_each(|_| drop(screen.press(KeyCode::Down)));
    assert!(screen.draw().contains("line 19"), "{}", screen.draw());
}

#[test]
fn free_rows_show_more_buttons() {
    let mut screen = Screen::new("joker-seven", CoachMode::After, (80, 24));
    let wagers = screen.keys("3id");
    assert!(wagers.contains("Pair of [ aces 10:1 ]") && wagers.contains("[ twos 10:1 ]"), "{wagers}");
    assert!(wagers.contains("[ 5: 7 40:1 ]") && wagers.contains("[ 7 40:1 ]"), "{wagers}");
}

#[test]
fn the_clock_plays_as_the_house() {
    let mut screen = Screen::new("pai-gow-poker", CoachMode::Off, (80, 24));
    screen.app.played.limit = Some(Duration::from_millis(20));
    screen.keys("1bd");
    screen.app.tick().unwrap();
    assert!(screen.draw().contains("s left"));
    std::thread::sleep(Duration::from_millis(30));
    screen.app.tick().unwrap();
    assert_eq!(screen.session().phase, Phase::Over);
    assert!(screen.draw().contains("Your time was up: the house played. net "));
}

/// Proceeds to setting the hand. If the bank is offered, presses the given key and returns `true`.
fn to_setting(screen: &mut Screen, answer: &str) -> bool {
    let is_offered = screen.session().pick().is_none();
    if is_offered {
        let cup = screen.keys(answer);
        let shakes = screen.session().has_cup();
        assert_eq!(cup.contains("[>s SHAKE THE DICE<]"), shakes, "{cup}");
        if shakes {
            assert!(!cup.contains("Dice ") && !cup.contains("BUTTON"), "{cup}");
            screen.keys("s");
        }
    }
    is_offered
}

#[test]
fn a_table_with_seats_is_played_with_the_bank() {
    let mut screen = Screen::new("pai-gow-table", CoachMode::Off, (80, 24));
    let start = screen.keys("3b2j");
    assert!(start.contains(">1 you") && start.contains(" 0 house") && start.contains("(b BET 25.00"), "{start}");
    let (mut banks, mut rounds) = (0, 0);
    while banks < 2 {
        let dealt = screen.keys("d");
        if screen.session().pick().is_none() {
            assert!(dealt.contains("The bank is offered to you") && dealt.contains("[>1 PASS<]"), "{dealt}");
            assert!(dealt.contains("[ 5 BANK 240 ]") && !dealt.contains("Dice"), "{dealt}");
        }
        let banked = to_setting(&mut screen, "5");
        let setting = screen.draw();
        assert!(setting.contains("Dice ") && setting.contains("face down") && setting.contains("BUTTON"), "{setting}");
        assert_eq!(setting.matches('┌').count(), 7, "{setting}");
        assert_eq!(setting.contains("You bank with 240 chips."), banked, "{setting}");
        let chosen = screen.keys("h");
        assert!(chosen.contains("[>c CONFIRM<]") && chosen.matches("FRONT").count() == 2, "{chosen}");
        screen.keys("u12u");
        assert_eq!(screen.session().chosen, [0; 0]);
        let over = screen.keys("hc");
        assert!(over.contains("; bankroll ") && !over.contains("face down") && over.contains(" | "), "{over}");
        assert!(over.lines().all(|line| line.chars().count() <= 80), "{over}");
        // Every seat with a bet shows its result.
        let seats = over.lines().filter(|line| line.contains(" | ")).count();
        assert_eq!(seats, if over.contains("house         BANK") { 7 } else { 6 }, "{over}");
        (banks, rounds) = (banks + usize::from(banked), rounds + 1);
        screen.keys("r");
        assert!(rounds < 20, "the bank is offered in turn");
    }
    assert!(rounds > banks, "others bank too");
}

#[test]
fn a_round_is_sat_out_with_a_key() {
    let mut screen = Screen::new("pai-gow-table", CoachMode::After, (80, 24));
    let start = screen.keys("3b");
    assert!(start.contains("[ s SIT OUT ]") && start.contains("(b BET 25.00"), "{start}");
    let over = screen.keys("s");
    assert!(over.contains("You sit out this round.") && over.contains("net +0.00; bankroll 1000.00"), "{over}");
    let own = over.lines().find(|line| line.starts_with(">1 you")).unwrap();
    assert!(own.ends_with("sits out 0") && over.contains("(BET 0.00)"), "{over}");
    assert!(over.contains("[>n NEW GAME<]") && !over.contains("REBET"), "{over}");
    assert!(over.lines().all(|line| line.chars().count() <= 80), "{over}");
    screen.app.tick().unwrap();
    assert!(screen.app.verdicts.is_empty(), "{:?}", screen.app.verdicts);
    assert!(screen.keys("sn3bd").contains("HOUSE WAY") || screen.session().pick().is_none());
}

#[test]
fn the_coach_judges_a_bank_against_all_players() {
    let mut screen = Screen::new("pai-gow-table", CoachMode::On, (80, 30));
    screen.keys("3b");
    let mut banked = false;
    while !banked {
        screen.keys("d");
        banked = to_setting(&mut screen, "5");
        let end = Instant::now() + Duration::from_secs(60);
        while screen.app.played.is_computing() && Instant::now() < end {
            screen.app.tick().unwrap();
        }
        let advice = screen.app.played.advice().join("\n");
        assert!(advice.contains("best: front") && advice.contains("house way (trump-plaza)"), "{advice}");
        let basis = if banked {
            "against all players' house ways, before commission"
        } else {
            "against the banker's house way"
        };
        assert!(advice.contains(basis), "{advice}");
        screen.keys("hcr");
    }
    judged(&mut screen);
    let ledger = &screen.session().record.ledger;
    assert_eq!(ledger.judged, ledger.rounds);
    assert!(screen.app.verdicts.join(" ").contains("EVs are for your bank"), "{:?}", screen.app.verdicts);
}

#[test]
fn without_a_solver_there_is_no_coach() {
    static OWN: houseway_env::gym::GameEntry =
        houseway_env::gym::GameEntry { name: "unsolved", id: "Unsolved-v0", ..houseway_env::joker_seven::GAME };
    houseway_env::registry::register(&OWN).unwrap();
    let mut screen = Screen::new("unsolved", CoachMode::On, (80, 24));
    let text = screen.keys("1ido");
    assert!(text.contains("coach: on") && screen.app.verdicts.join(" ").contains("no exact solver"), "{text}");
}
