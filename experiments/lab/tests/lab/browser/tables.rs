//! Tables, at which rounds are played with clicks, keys and drags.

use super::*;

/// Asks for advice before each decision. By default, the coach only judges decisions.
fn set_advice(browser: &Browser) {
    browser.run(
        "const mode = document.getElementById('mode'); mode.value = 'on'; mode.dispatchEvent(new Event('change'))",
    );
}

#[test]
fn a_bank_is_taken_and_cards_are_dragged_at_a_table_with_seats() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/play"));
    browser.run("document.getElementById('game').value = 'pai-gow-table'");
    browser.run("document.getElementById('more').open = true");
    browser.write("#seed", "4");
    browser.write("#limit", "600");
    browser.click("#open button.main");
    let offered = |line: &str| browser.wait_for(&format!("return document.querySelector(\"[data-line='{line}']\")"));
    browser.wait_for("return document.querySelector(\"[data-chip='25']\")");
    assert_eq!(browser.run("return document.querySelectorAll('#seats .seat').length"), 7);
    browser.click("[data-chip='25']");
    browser.click("[data-line='chip 25 bet']");
    offered("deal");
    browser.click("[data-line='deal']");
    offered("act 27");
    let text = browser.run("return document.getElementById('table').innerText");
    assert!(text.as_str().unwrap().contains("The bank is offered to you"), "{text}");
    check_views(&browser, "table-bank");
    set_advice(&browser);
    browser.press("5");
    // The banker shakes the dice. Until then, neither they nor the cards are shown.
    offered("shake");
    assert_eq!(browser.run("return document.querySelectorAll('#dice svg, #cards button').length"), 0);
    browser.press("s");
    browser.wait_for("return document.querySelectorAll('#back button').length === 7");
    assert_eq!(browser.run("return document.querySelectorAll('#dice svg').length"), 3);
    browser.wait_for("return /^\\d+ s left$/.test(document.getElementById('clock').textContent)");
    // Drag cards to the front and back again, with a mouse and by touch.
    for (width, kind) in [(1440, "mouse"), (360, "touch")] {
        browser.show_as(width, 900, "light");
        browser.run("document.getElementById('front').scrollIntoView()");
        let front = |count: u32| {
            browser.wait_for(&format!("return document.querySelectorAll('#front button').length === {count}"))
        };
        browser.drag("#back button[data-place='6']", "#front", kind);
        front(1);
        browser.drag("#back button[data-place='5']", "#front .zone-title", kind);
        front(2);
        browser.drag("#front button[data-place='6']", "#back .zone-title", kind);
        front(1);
        browser.click("#front button[data-place='5']");
        front(0);
    }
    browser.press("h");
    offered("confirm");
    browser.wait_for("return document.querySelector('#coach').textContent.includes('house ways, before commission')");
    check_views(&browser, "table-setting");
    browser.press("c");
    browser.wait_for("return /^(WIN|PUSH|LOSS|HAND)/.test(document.getElementById('headline').textContent)");
    browser.wait_for("return document.querySelector('#coach').textContent.includes('you: ')");
    // The fronts of the five players and of the bank are together, and so are the backs.
    assert_eq!(browser.run("return document.querySelectorAll('.duel:first-child .seat-hand').length"), 5);
    assert_eq!(browser.run("return document.querySelectorAll('.seat-hand').length"), 10);
    assert_eq!(browser.run("return document.querySelectorAll('.duels .verdict').length"), 10);
    check_views(&browser, "table-over");
}

#[test]
fn every_game_has_a_table_of_its_own() {
    let Some((server, browser)) = start() else { return };
    for game in houseway_env::registry::games() {
        browser.show_as(1440, 900, "light");
        browser.open(&url(&server, "/play"));
        browser.run(&format!(
            "const it = document.getElementById('game'); it.value = '{}'; \
             it.dispatchEvent(new Event('change', {{ bubbles: true }}))",
            game.name
        ));
        browser.run("document.getElementById('more').open = true");
        browser.write("#seed", "7");
        // The advice on the bank takes a pass over all deals.
        if game.name == "pai-gow-table" {
            browser.run("document.getElementById('mode').value = 'off'");
        }
        browser.click("#open button.main");
        browser.wait_for("return document.querySelector('#bets .spot')");
        if browser.run("return Boolean(document.querySelector('#chips button'))") == true {
            browser.click("[data-chip='25']");
            browser.click("#bets button.spot:enabled");
        }
        browser.wait_for("return document.querySelector(\"[data-line='deal']\")");
        save_picture(&browser, &format!("game-{}-bets", game.name));
        browser.press("d");
        if game.name == "joker-seven" {
            browser.wait_for("return document.querySelector('#buttons .hint')?.textContent === 'Choose a wager.'");
            assert_eq!(browser.run("return Boolean(document.activeElement.closest('.mat-spots'))"), true);
        }
        let over = "document.getElementById('headline').textContent";
        for step in 0.. {
            browser.wait_for(&format!(
                "return {over} || document.querySelector('#buttons button:not([data-line=deal]), .mat-spots button:enabled')"
            ));
            if browser.run(&format!("return {over}")) != "" {
                break;
            }
            assert!(step < 9, "{}", game.name);
            save_picture(&browser, &format!("game-{}-{step}", game.name));
            browser.run(
                "const find = (line) => document.querySelector(`[data-line='${line}']`); \
                 window.clicked = find('shake') || find('confirm') || find('house way') || document.querySelector('#buttons button.main') || \
                 document.querySelector('.mat-spots button:enabled') || document.querySelector('#buttons button'); clicked.click()",
            );
            browser.wait_for(&format!("return !clicked.isConnected || {over}"));
        }
        browser.wait_for("return document.getAnimations().every((it) => it.playState === 'finished')");
        check_views(&browser, &format!("game-{}-over", game.name));
        let faces = browser.run("return document.querySelectorAll('#hands .face:not(.back)').length");
        assert!(faces.as_u64().unwrap() >= 7, "{}: {faces}", game.name);
        // Every hand that Analyze knows has a link, with the cards of its last decision.
        browser.run("document.getElementById('rounds').open = true");
        browser.wait_for("return document.querySelector('#rounds li')");
        let link = browser.run("return document.querySelector('#rounds a')?.href ?? null");
        let is_linked = !["pai-gow-table", "pai-gow-known-cards", "joker-seven"].contains(&game.name);
        match link.as_str() {
            Some(link) => {
                browser.open(link);
                let rows = browser.run("return document.querySelectorAll('article table tr, .settings tr').length");
                assert!(rows.as_u64().unwrap() > 2, "{link}");
            }
            None => assert!(!is_linked, "{}", game.name),
        }
        browser.open(&url(&server, "/play"));
        browser.wait_for("return !document.getElementById('table').hidden");
        let rules = browser.run("return document.getElementById('rules').pathname");
        browser.open(&url(&server, rules.as_str().unwrap()));
        let text = browser.run("return document.querySelector('article').textContent");
        assert!(text.as_str().unwrap().contains("Rules"), "{text}");
        browser.run("sessionStorage.clear()");
    }
}

#[test]
fn one_click_opens_a_table_and_payouts_are_folded_after_a_round() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/play"));
    let cards = browser.run("return document.querySelectorAll('.pick-game button').length");
    assert_eq!(cards.as_u64().unwrap() as usize, houseway_env::registry::games().len());
    browser.click(".pick-game [data-game='asian-stud']");
    browser.wait_for("return document.getElementById('table-title').textContent === 'Asian Stud'");
    let open = || browser.run("return document.getElementById('payouts').open");
    assert_eq!(open(), true);
    browser.wait_for("return document.querySelector('#chips button')");
    assert_eq!(browser.run("return document.activeElement.closest('#bets') !== null"), true);
    browser.press("a");
    browser.wait_for("return document.querySelector(\"[data-line='deal']\")");
    browser.press("d");
    browser.wait_for("return document.querySelector(\"[data-line='act 0']\")");
    browser.press("1");
    browser.wait_for("return document.getElementById('headline').textContent");
    assert_eq!(open(), false);
}

#[test]
fn the_house_way_sets_the_hand_when_the_time_is_up() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/play"));
    browser.run("document.getElementById('game').value = 'pai-gow-table'");
    browser.run("document.getElementById('more').open = true");
    browser.write("#seed", "4");
    browser.write("#limit", "2");
    browser.click("#open button.main");
    browser.wait_for("return document.querySelector(\"[data-chip='25']\")");
    browser.click("[data-chip='25']");
    browser.click("[data-line='chip 25 bet']");
    browser.wait_for("return document.querySelector(\"[data-line='deal']\")");
    browser.click("[data-line='deal']");
    // The last seconds are dark on yellow.
    let clock = "const clock = document.querySelector('#clock.short'); return clock && getComputedStyle(clock).color";
    assert_eq!(browser.wait_for(clock), "rgb(28, 31, 29)");
    browser.wait_for("return document.getElementById('message').textContent.startsWith('Your time was up.')");
    let notes = browser.run("return document.getElementById('notes').textContent");
    assert!(notes.as_str().unwrap().contains("the house way set your hand"), "{notes}");
}

#[test]
fn buttons_stay_in_place_while_the_coach_computes() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/play"));
    browser.run("document.getElementById('game').value = 'ultimate-holdem'");
    browser.run("document.getElementById('more').open = true");
    browser.write("#seed", "3");
    browser.click("#open button.main");
    browser.wait_for("return document.querySelector('#chips button')");
    browser.press("1");
    browser.press("a");
    browser.wait_for("return document.querySelector(\"[data-line='deal']\")");
    browser.press("d");
    browser.wait_for("return document.querySelector(\"[data-line^='act']\")");
    set_advice(&browser);
    // A click is only one if the same element is pressed and released.
    browser.run("document.querySelector(\"[data-line^='act']\").isPressed = true");
    browser.wait_for("return document.querySelector('#coach').textContent.includes('EV')");
    assert_eq!(browser.run("return document.querySelector(\"[data-line^='act']\").isPressed"), true);
}

#[test]
#[ignore = "takes 1 min to click two hundred times"]
fn two_hundred_clicks_while_the_coach_computes_are_all_executed() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/play"));
    browser.click(".pick-game [data-game='ultimate-holdem']");
    browser.wait_for("return document.querySelector('#chips button')");
    browser.press("1");
    let mut while_computing = 0;
    for round in 0..40 {
        let first = if round == 0 { "#bets button.spot:enabled" } else { "[data-line='rebet']" };
        let steps = [
            (first, "return document.querySelector(\"[data-line='deal']\")"),
            ("[data-line='deal']", "return document.querySelector(\"[data-line='act 0']\")"),
            ("[data-line='act 0']", "return document.querySelectorAll('#hands .face:not(.back)').length === 5"),
            ("[data-line='act 0']", "return document.querySelector(\"[data-line='act 1']\")"),
            ("[data-line='act 1']", "return document.querySelector(\"[data-line='rebet']\")"),
        ];
        for (selector, next) in steps {
            let is_computing = browser.run("return !document.getElementById('thinking').hidden") == true;
            while_computing += usize::from(is_computing);
            browser.hold(selector);
            // A lost click would leave the table as it is.
            browser.wait_for(next);
        }
    }
    assert!(while_computing > 0, "{while_computing}");
}

#[test]
fn a_round_is_played_by_clicks_and_by_keys() {
    let Some((server, browser)) = start() else { return };
    for size in SIZES {
        play_a_round(&server, &browser, size);
    }
}

fn play_a_round(server: &Server, browser: &Browser, (width, height): (u32, u32)) {
    browser.show_as(width, height, "light");
    browser.open(&url(server, "/play"));
    browser.run("document.getElementById('more').open = true");
    browser.write("#seed", "7");
    browser.click("#open button.main");
    let offered = |line: &str| browser.wait_for(&format!("return document.querySelector(\"[data-line='{line}']\")"));
    // A chip is chosen first and then laid into a circle, also after CLEAR.
    browser.wait_for("return document.querySelector(\"[data-chip='25']\")");
    assert_eq!(browser.run("return document.querySelectorAll(\"[data-line='clear']\").length"), 0);
    browser.click("[data-chip='25']");
    browser.click("[data-line='chip 25 jokolor']");
    offered("clear");
    browser.click("[data-line='clear']");
    browser.click("[data-line='chip 25 bet']");
    offered("deal");
    browser.click("[data-line='deal']");
    browser.wait_for("return document.querySelectorAll('#cards button').length === 7");
    assert_eq!(browser.run("return document.querySelectorAll('#hands .back').length"), 7);
    set_advice(browser);
    browser.wait_for("return document.querySelector('#coach').textContent.includes('best: ')");
    if (width, height) == SIZES[0] {
        check_views(browser, "play");
        browser.show_as(width, height, "light");
    }
    // Choose a card with the keyboard, undo that, and then choose like the house.
    browser.press("1");
    browser.wait_for("return document.querySelectorAll('#cards [aria-pressed=true]').length === 1");
    browser.press("u");
    browser.wait_for("return document.querySelectorAll('#cards [aria-pressed=true]').length === 0");
    browser.press("h");
    offered("confirm");
    browser.press("c");
    browser.wait_for("return /^(WIN|PUSH|LOSS|HAND)/.test(document.getElementById('headline').textContent)");
    // Each part of the hand is above or below the same part of the banker's, with its rank and who won.
    let duels = browser.run("return [...document.querySelectorAll('.duel')].map((it) => it.querySelector('h3').textContent + it.querySelectorAll('.verdict').length + it.querySelectorAll('.face').length).join()");
    assert_eq!(duels, "Front24,Back210");
    browser.wait_for("return document.querySelector('#coach').textContent.includes('you: ')");
    if (width, height) == SIZES[0] {
        // The result is in sight, although the button that has the focus is far below.
        let top = browser.run("return document.querySelector('.duel').getBoundingClientRect().top").as_f64().unwrap();
        assert!((0.0..f64::from(height) / 3.0).contains(&top), "{top}");
        check_views(browser, "play-over");
        check_picture(browser, "page-play", (1100, 800));
        browser.show_as(width, height, "light");
    }
    offered("rebet");
    browser.press("r");
    browser.wait_for("return document.querySelector('#bets .has-chips .spot-stake')?.textContent === '25'");
    // After reloading the page, the same table is shown.
    browser.open(&url(server, "/play"));
    offered("deal");
    save_picture(browser, &format!("play-after-{width}-light"));
    // A new session has the bankroll of the first one and no finished rounds.
    browser.click("#again");
    browser.wait_for("return document.getElementById('money').textContent === 'Bankroll 1000.00 · round 1'");
    assert_eq!(browser.run("return document.getElementById('played').hidden"), true);
    // A table that another page has closed says so at the next click.
    browser.run("return fetch(`/api/play/${sessionStorage.getItem('table')}`, { method: 'DELETE' }).then(() => true)");
    browser.run("document.querySelector('#bets button, #buttons button').click()");
    browser.wait_for(
        "return document.getElementById('message').textContent === 'Your last session has ended. Choose a table.'",
    );
    assert_eq!(
        browser.run("return [document.getElementById('table').hidden, document.getElementById('setup').open]"),
        serde_json::json!([true, true])
    );
    // The next course starts without a table.
    browser.run("sessionStorage.clear()");
}

#[test]
fn an_analyzed_hand_is_played_and_its_rounds_are_listed() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, &format!("{HAND}&banker=wong")));
    browser.click("a[href^='/play?']");
    browser.wait_for("return document.querySelector('#chips button')");
    assert_eq!(browser.run("return location.pathname + location.search"), "/play");
    browser.press("3");
    browser.press("b");
    for round in 1..=2 {
        browser.wait_for("return document.querySelector(\"[data-line='deal']\")");
        browser.press("d");
        browser.wait_for("return document.querySelectorAll('#back button').length === 7");
        let cards =
            browser.run("return [...document.querySelectorAll('#back .spoken')].map((it) => it.textContent).join()");
        let expected = "joker,ace of spades,king of diamonds,7 of diamonds,7 of clubs,3 of spades,2 of hearts";
        assert_eq!(cards, expected);
        let notes = browser.run("return document.getElementById('notes').textContent");
        assert_eq!(notes, "Your hand is chosen, and only the banker's is dealt.");
        let front = if round == 1 { "67" } else { "45" };
        browser.press(front);
        browser.wait_for("return document.querySelector(\"[data-line='confirm']\")");
        browser.press("c");
        browser.wait_for("return document.querySelector('#coach').textContent.includes('you: ')");
        if round == 1 {
            // Reloading the page keeps the verdict on the round.
            let verdict = browser.run("return document.getElementById('coach').textContent");
            browser.open(&url(&server, "/play"));
            browser.wait_for("return document.querySelector('#coach')?.textContent");
            assert_eq!(browser.run("return document.getElementById('coach').textContent"), verdict);
        }
        browser.press("r");
    }
    browser.click("#rounds summary");
    browser.wait_for("return document.querySelectorAll('#rounds li details').length === 2");
    let titles = browser.run("return [...document.querySelectorAll('#rounds li > details > summary')].map((it) => it.textContent).join('; ')");
    let titles = titles.as_str().unwrap();
    let [second, first] = titles.split("; ").collect::<Vec<_>>()[..] else { panic!("{titles}") };
    assert!(first.starts_with("Round 1: ") && first.contains(", cost "), "{titles}");
    assert!(second.starts_with("Round 2: ") && second.ends_with(", best play"), "{titles}");
    let hands = browser.run("return document.querySelector('#rounds pre').textContent");
    assert!(hands.as_str().unwrap().contains("front") && !hands.as_str().unwrap().contains("setting"), "{hands}");
    browser.click("#rounds li:nth-child(2) details summary");
    check_views(&browser, "rounds");
    browser.show_as(1440, 900, "light");
    browser.click("#rounds li:nth-child(2) a");
    browser.wait_for("return document.querySelector('.why')?.textContent.includes('Chosen')");
    browser.run("sessionStorage.clear()");
}

#[test]
fn the_other_seats_are_chosen() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/play"));
    let choose = |id: &str, value: &str| {
        browser.run(&format!(
            "const it = document.getElementById('{id}'); it.value = '{value}'; it.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ));
    };
    browser.run("document.getElementById('more').open = true");
    assert_eq!(browser.run("return document.querySelector('fieldset.seats').hidden"), true);
    choose("game", "pai-gow-table");
    choose("own-seat", "3");
    browser.run("document.querySelector('fieldset.seats details').open = true");
    assert_eq!(browser.run("return document.querySelector('[data-seat=\"3\"]').hidden"), true);
    choose("way-1", "empty");
    choose("way-2", "balance-of-power");
    choose("bank-2", "always");
    check_views(&browser, "play-seats");
    browser.show_as(1440, 900, "light");
    browser.click("#open button.main");
    browser.wait_for("return document.querySelectorAll('#seats .seat').length === 7");
    let names =
        browser.run("return [...document.querySelectorAll('#seats .seat-name b')].map((it) => it.textContent).join()");
    let names = names.as_str().unwrap().to_owned();
    assert!(names.contains("empty,balance-of-power,you") && names.contains("foxwoods"), "{names}");
    browser.press("s");
    browser.wait_for("return document.getElementById('notes').textContent.startsWith('You sit out this round.')");
}
