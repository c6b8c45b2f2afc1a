//! Tests for the screen layout at several sizes, and for keys and clicks.

use super::draw::{SMALLEST, has_seats};
use super::hands::caption;
use super::{App, Page, Target};
use crate::play::{CoachMode, Phase, PlayRequest, Session};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use houseway_env::gym::PublicPart;
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

    fn wheel(&mut self, kind: MouseEventKind) -> String {
        self.app.mouse(MouseEvent { kind, column: 0, row: 0, modifiers: KeyModifiers::NONE }).unwrap();
        self.draw()
    }

    /// Returns the words on the screen, without the borders of cards.
    fn words(&mut self) -> String {
        let text = self.draw().replace(|c: char| ('\u{2500}'..='\u{257f}').contains(&c), " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
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
    // The chips in the bets, 25 and 5, are on the table.
    assert!(dealt.contains("bankroll 970.00"), "{dealt}");
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
    // Here, there is only room for the player's own.
    let mut small = Screen::new("pai-gow-tiles", CoachMode::Off, SMALLEST[0]);
    let over = small.keys("3ad1");
    let [house, own] = [0, 1].map(|seat| small.session().table().seats[seat].hand[0].cards.clone());
    assert!(over.contains('●') && over.contains(&house) && !over.contains(&own), "{over}");
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

fn smallest(game: &str) -> (u16, u16) {
    let screen = Screen::new(game, CoachMode::Off, (80, 24));
    SMALLEST[usize::from(has_seats(&screen.session().table()))]
}

/// Checks that all cards, results and sentences are on the screen. Tiles with pips aren't read.
fn check_all_is_shown(screen: &mut Screen) {
    let (shown, words, table) = (screen.draw(), screen.words(), screen.session().table());
    assert!(words.contains(&screen.app.state_text(&table)) && words.contains(&screen.app.message), "{shown}");
    assert!(shown.contains("coach: off   q end"), "{shown}");
    let boards = table.board.iter().map(|part| (part.name.split(' ').next().unwrap(), vec![part.clone()], true));
    let seats = table.seats.iter().map(|seat| {
        let is_drawn = (seat.is_own && !screen.app.picks_cards()) || seat.is_banker || !has_seats(&table);
        (&*seat.name, seat.hand.clone(), is_drawn)
    });
    for (name, parts, is_drawn) in seats.chain(boards).filter(|_| !shown.contains('●')) {
        let cards: Vec<String> = parts.iter().map(|part| screen.app.cards_text(part)).collect();
        let is_hidden = parts.iter().any(PublicPart::is_hidden) && has_seats(&table);
        assert!(is_hidden || cards.iter().all(|cards| words.contains(cards)), "{cards:?} in\n{shown}");
        for (part, cards) in parts.iter().zip(&cards).filter(|_| is_drawn && !is_hidden) {
            let named = format!("{name} {cards}");
            let is_first = part == &parts[0] && !(name == "you" && screen.app.picks_cards());
            assert!(words.contains(&caption(part)) && (!is_first || words.contains(&named)), "{named} in\n{shown}");
        }
    }
    for seat in table.seats.iter().filter(|_| has_seats(&table)) {
        let start = format!("{}{} {}", if seat.is_own { ">" } else { " " }, seat.seat, seat.name);
        let line = shown.lines().find(|line| line.starts_with(&start)).unwrap();
        let outcome = seat.outcome.as_deref().and_then(|text| text.split(',').next()).unwrap_or_default();
        let net = seat.net.map_or(String::new(), |net| if net > 0 { format!("+{net}") } else { net.to_string() });
        assert!(line.ends_with(format!("{outcome} {net}").trim()), "{line}");
    }
}

#[test]
fn nothing_is_cut_in_the_smallest_window() {
    for game in houseway_env::registry::games() {
        let mut screen = Screen::new(game.name, CoachMode::Off, smallest(game.name));
        assert!(screen.words().contains("seed 7"), "{}", screen.draw());
        for round in 0..12 {
            screen.keys("3");
            (0..screen.session().bets.len()).for_each(|bet| drop(screen.click(Target::Bet(bet))));
            check_all_is_shown(&mut screen);
            screen.keys("d");
            while screen.session().phase == Phase::Deciding {
                check_all_is_shown(&mut screen);
                if screen.app.picks_cards() {
                    screen.keys("h");
                    check_all_is_shown(&mut screen);
                    screen.keys("c");
                    continue;
                }
                screen.app.focus = round % screen.app.buttons().len();
                screen.press(KeyCode::Enter);
            }
            check_all_is_shown(&mut screen);
            screen.keys("n");
        }
    }
}

#[test]
fn every_game_fits_every_size() {
    for game in houseway_env::registry::games() {
        for size in [smallest(game.name), (80, 24), (132, 50), (200, 60)] {
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
    assert!(page.contains("line 9") && page.contains("Page Down scroll"), "{page}");
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
fn arrows_go_to_other_rows_of_buttons() {
    let mut screen = Screen::new("joker-seven", CoachMode::Off, SMALLEST[0]);
    let top = screen.keys("3id");
    assert!(!top.contains('▲') && top.contains('▼') && !top.contains("twos"), "{top}");
    (0..7).for_each(|_| drop(screen.press(KeyCode::Down)));
    assert!(screen.draw().contains("Pair of [>aces 10:1<]"), "{}", screen.draw());
    screen.press(KeyCode::Right);
    assert!(screen.press(KeyCode::Down).contains("[>tens 10:1<]"), "{}", screen.draw());
    screen.app.focus = 0;
    let bottom = screen.press(KeyCode::Up);
    assert!(bottom.contains('▲') && !bottom.contains('▼') && bottom.contains("twos"), "{bottom}");
    assert!(screen.press(KeyCode::Down).contains("[>1: 4 or more"), "{}", screen.draw());
    // In a single row, they go to the next button.
    let mut row = Screen::new("ultimate-holdem", CoachMode::Off, SMALLEST[0]);
    row.keys("3ad");
    row.press(KeyCode::Down);
    assert_eq!(row.app.focus, 1);
    row.press(KeyCode::Up);
    assert_eq!(row.app.focus, 0);
}

#[test]
fn pages_are_wrapped_and_scrolled() {
    let mut screen = Screen::new("asian-stud", CoachMode::Off, SMALLEST[0]);
    let top = screen.keys("g");
    // Nothing of the table is left beside the page.
    assert!(top.lines().skip(1).all(|line| line.starts_with(['┌', '│', '└'])), "{top}");
    let down = screen.press(KeyCode::PageDown);
    assert!(screen.app.page == Some(Page::Rules) && screen.app.scroll == 17, "{down}");
    assert_eq!(screen.press(KeyCode::PageUp), top);
    let end = screen.press(KeyCode::End);
    assert!(end.contains("three of a kind  4 to 1"), "{end}");
    assert_eq!(screen.press(KeyCode::PageDown), end);
    assert_eq!(screen.press(KeyCode::Home), top);
    screen.wheel(MouseEventKind::ScrollDown);
    assert_eq!(screen.app.scroll, 3);
    assert_eq!(screen.wheel(MouseEventKind::ScrollUp), top);
    let text = (0..60).map(|_| screen.press(KeyCode::Down)).collect::<String>();
    assert!(text.contains("higher value, by 4 to 6") && !text.contains('|'), "{text}");
    screen.keys("x");
    screen.wheel(MouseEventKind::ScrollDown);
    assert_eq!((screen.app.page, screen.app.scroll), (None, 0));
    // A bet that pays the same on every win has no list.
    let mut poker = Screen::new("pai-gow-poker", CoachMode::Off, (132, 90));
    let payouts = poker.keys("g");
    let rows = payouts.lines().filter(|line| line.starts_with("│  ") && line.contains(" to 1"));
    let starts: Vec<_> = rows.map(|line| line.trim_end_matches(['│', ' ']).rfind("  ")).collect();
    assert!(payouts.contains("│BET pays 0.95 to 1 "), "{payouts}");
    assert!(starts.len() == 11 && starts.iter().all(|start| *start == starts[0]), "{payouts}");
    // Steps of a round begin on lines of their own, but not numbers within sentences.
    let mut table = Screen::new("pai-gow-table", CoachMode::Off, (132, 60));
    assert!(table.keys("g").contains("│2. The bank is offered"), "{}", table.draw());
    let mut tiles = Screen::new("pai-gow-tiles", CoachMode::Off, (132, 60));
    assert!(tiles.keys("g").contains("2001 no. 173), rules of"), "{}", tiles.draw());
}

#[test]
fn keys_are_beside_their_words() {
    for (size, line) in [
        ((60, 20), "│c            CLEAR           d            DEAL"),
        ((80, 24), "│n r x        NEW GAME, REBET, REBET X2 s "),
    ] {
        let mut screen = Screen::new("pai-gow-poker", CoachMode::Off, size);
        let page = screen.keys("?");
        assert!(page.contains(line), "{page}");
    }
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
            // The side bet would give away cards that lie face down.
            assert_eq!(screen.session().remark(), None);
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
            assert_eq!(screen.session().remark(), None);
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
