//! Browser tests for the web app, at the width of a phone and of a desktop screen.
//!
//! They require `chromium` and `chromedriver`. If these aren't installed, the tests print a message and are skipped,
//! unless `HOUSEWAY_BROWSER` is set. If `HOUSEWAY_PICTURES=FOLDER` is set, screenshots are written to that folder.

mod driver;
mod tables;
mod views;

use super::web::Server;
use driver::Browser;
use views::*;

const HAND: &str = "/?hand=As+Kd+Jk+7c+7d+2h+3s";
/// A hand whose second best setting is compared with the best one.
const WHY: &str = "/?hand=Ac+Ks+Kd+8h+8d+5s+5c&way=wong&front=8h+8d&dead=As+Ah";
/// The window sizes of a phone and a desktop computer.
const SIZES: [(u32, u32); 2] = [(360, 740), (1440, 900)];

/// Starts a server and a browser. Returns `None` if no browser is installed.
fn start() -> Option<(Server, Browser)> {
    Some((Server::start(&[]), Browser::start()?))
}

fn url(server: &Server, path: &str) -> String {
    format!("http://{}{path}", server.host())
}

#[test]
fn pages_fit_and_can_be_read_at_every_width() {
    let Some((server, browser)) = start() else { return };
    let pages = [
        ("start", "/"),
        ("analyse", HAND),
        ("why", WHY),
        ("holdem", "/analyze?game=ultimate-holdem&hand=Kh+8c&board=2c+8d+Qs"),
        ("holdem-start", "/analyze?game=ultimate-holdem"),
        ("face-up", "/analyze?game=face-up-pai-gow&hand=As+Kd+Jk+7c+7d+2h+3s"),
        ("asian-stud", "/analyze?game=asian-stud&hand=As+Kd+9c+2h+3s"),
        ("tiles", "/analyze?game=pai-gow-tiles&hand=6-6+6-3+5-2+2-2"),
        ("error", "/?hand=As"),
        ("ways", "/ways?way=foxwoods"),
        ("play-start", "/play"),
        ("results", "/results/"),
        ("report", "/results/quick/report.md"),
        ("curves", "/results/quick/train/curves"),
        ("plot", "/results/quick/train/curves/regret.svg?large=1"),
        ("folder", "/results/quick/"),
        ("rules", "/rules/pai-gow-poker"),
        ("help", "/help/"),
        ("chapter", "/help/reference/configuration.md"),
        ("drill-start", "/drill"),
        ("no-game", "/analyze"),
        ("no-page", "/no-such-page"),
    ];
    // Every game that can be analyzed is there.
    for entry in houseway_exact::registry::solvers().into_iter().filter(|entry| entry.hands.is_some()) {
        let path = format!("/analyze?game={}&hand=", entry.game);
        assert!(entry.game == "pai-gow-poker" || pages.iter().any(|(_, known)| known.starts_with(&path)), "{path}");
    }
    for (name, path) in pages {
        browser.open(&url(&server, path));
        check_views(&browser, name);
        if name == "analyse" {
            check_picture(&browser, "page-analyze", (1440, 900));
        }
    }
}

#[test]
fn results_are_filtered_and_reports_are_saved_as_one_file() {
    let Some((server, browser)) = start() else { return };
    browser.open(&url(&server, "/results/"));
    let shown = "return document.querySelectorAll('.gallery > li:not([hidden])').length";
    let all = browser.run(shown).as_u64().unwrap();
    browser.run(
        "const filter = document.getElementById('filter'); filter.value = 'audit trump'; filter.dispatchEvent(new Event('input'))",
    );
    assert!(all > 10 && browser.run(shown) == 1, "{all}");
    browser.open(&url(&server, "/results/audit/trump-plaza/report.md"));
    browser.run(
        "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return '#'; };
        document.querySelector('nav.links button').click()",
    );
    browser.wait_for("return window.saved");
    let saved = browser.run("return window.saved");
    let saved = saved.as_str().unwrap();
    assert!(saved.contains("src=\"data:image/png;base64,") && saved.contains("<style>"), "{}", &saved[..2_000]);
    assert!(!saved.contains("src=\"plots/") && !saved.contains("<script"));
}

#[test]
fn a_hand_is_chosen_by_clicks_and_by_keys() {
    let Some((server, browser)) = start() else { return };
    for (width, height) in SIZES {
        browser.show_as(width, height, "light");
        choose_a_hand(&server, &browser);
    }
    // The deck is beside the settings only if they have room with all of their columns.
    browser.show_as(1200, 900, "light");
    browser.open(&url(&server, "/?hand=As+Kd+Jk+7c+7d+2h+3s"));
    browser.wait_for("return document.querySelector('.settings .mark')");
    let table = "document.querySelector('.settings .mark').closest('table')";
    assert_eq!(browser.run(&format!("return {table}.offsetWidth <= {table}.parentElement.clientWidth")), true);
}

#[test]
fn hands_of_other_games_are_chosen_from_a_deck() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/analyze?game=asian-stud"));
    for card in ["As", "Kd", "9c", "Jk", "3s"] {
        browser.click(&format!("button[data-card='{card}']"));
    }
    browser
        .wait_for("return location.search.includes('hand=As+Kd+9c+Jk+3s') && document.querySelector('article table')");
    // This game has no joker, and its actions are named as at the table.
    browser.open(&url(&server, "/analyze?game=ultimate-holdem&hand=Kh+8c&board=2c+8d+Qs"));
    assert_eq!(browser.run("return document.querySelectorAll('#deck [aria-pressed=true]').length"), 2);
    assert_eq!(browser.run("return document.querySelectorAll('#deck [data-card=Jk]').length"), 0);
    let text = browser.run("return document.querySelector('article').textContent");
    assert!(text.as_str().unwrap().contains("Play 2×") && !text.as_str().unwrap().contains("play2"), "{text}");
    // Each action has a bar for its EV and one for how often it wins.
    assert_eq!(browser.run("return document.querySelectorAll('article .settings .bar').length"), 4);
    // Two tiles may look alike. Both are chosen, and the second click on one of them takes it back.
    browser.open(&url(&server, "/analyze?game=pai-gow-tiles"));
    assert_eq!(browser.run("return document.querySelectorAll('#deck .pick').length"), 32);
    let twin = |number: u32| format!("button[data-card='6-6']:nth-of-type({number})");
    for tile in [&twin(1), &twin(2), &twin(2), &twin(2), "button[data-card='6-3']", "button[data-card='2-1']"] {
        browser.click(tile);
    }
    browser
        .wait_for("return location.search.includes('hand=6-6+6-6+6-3+2-1') && document.querySelector('article table')");
    let chosen = browser.run("return document.querySelectorAll('#deck [aria-pressed=true]').length");
    assert_eq!(chosen, 4);
}

fn choose_a_hand(server: &Server, browser: &Browser) {
    browser.open(&url(server, "/"));
    for card in ["As", "Kd", "Jk", "7c", "7d", "2h"] {
        browser.click(&format!("button[data-card='{card}']"));
    }
    assert_eq!(browser.run("return document.getElementById('deck-status').textContent"), "6 of 7 cards");
    // Choose the last card with the keyboard.
    browser.run("document.querySelector('button[data-card=\"3s\"]').focus()");
    browser.press(" ");
    browser.wait_for("return location.search && document.querySelector('.settings')");
    let address = browser.run("return location.search");
    assert_eq!(address, "?hand=As+Kd+Jk+7c+7d+2h+3s&way=trump-plaza&banker=trump-plaza");
    let best = browser.run("return document.querySelector('tr.best').innerText");
    assert!(best.as_str().unwrap().contains("+0.62777"), "{best}");
    // Selecting another house way updates the page and its address.
    browser
        .run("const way = document.getElementById('way'); way.value = 'wong'; way.dispatchEvent(new Event('change'))");
    browser.wait_for(
        "return location.search.includes('way=wong') && document.querySelector('.summary')?.innerText.includes('wong')",
    );
    // The first tab stop is the link that skips the navigation, and Enter submits the form.
    browser.run("document.activeElement.blur()");
    browser.press("\u{e004}");
    assert_eq!(browser.run("return document.activeElement.className"), "skip");
    // A jump within the page keeps what was typed.
    browser.run("document.getElementById('hand').value = 'As'");
    browser.press("\u{e007}");
    browser.wait_for(
        "return location.hash && new Promise((done) => setTimeout(() => done(document.getElementById('hand').value === 'As'), 200))",
    );
    browser.run("document.getElementById('hand').focus()");
    browser.press("\u{e007}");
    browser.wait_for("return document.querySelector('[role=alert]')");
}

#[test]
fn a_house_way_is_edited_checked_and_compared() {
    let Some((server, browser)) = start() else { return };
    for (width, height) in SIZES {
        browser.show_as(width, height, "light");
        edit_a_house_way(&server, &browser);
    }
    let choose = |id: &str, value: &str| {
        browser.run(&format!(
            "const it = document.getElementById('{id}'); it.value = '{value}'; it.dispatchEvent(new Event('change'))"
        ));
    };
    let compute = || {
        browser.click("#run");
        browser.wait_for("return document.getElementById('result').textContent.includes('no hand is set differently')");
        browser.click("#price");
        browser.wait_for("return document.querySelector('#order .priced')");
    };
    choose("opponent", "mgm-style");
    compute();
    let result = || browser.run("return document.getElementById('result').textContent");
    assert!(result().as_str().unwrap().contains("As the player, against mgm-style: "), "{}", result());
    assert_eq!(problems(&browser), [""; 0]);
    // Another seat and another text make both out of date.
    choose("seat", "banker");
    assert_eq!(browser.run("return document.querySelectorAll('#order .priced').length"), 0);
    assert_eq!(result(), "");
    compute();
    browser.write("#text", "# changed\n");
    browser.wait_for("return !document.querySelector('#order .priced')");
    assert_eq!(result(), "");
    // Every house way has a draft of its own.
    browser.open(&url(&server, "/ways?way=wong"));
    browser.write("#text", "# another\n");
    browser.open(&url(&server, "/ways?way=mgm-style"));
    browser.wait_for("return document.getElementById('text').value.includes('# changed')");
    browser.run("sessionStorage.clear(); window.onbeforeunload = null");
}

fn edit_a_house_way(server: &Server, browser: &Browser) {
    browser.open(&url(server, "/ways?way=mgm-style"));
    let verdict = |text: &str| {
        browser.wait_for(&format!(
            "const it = document.getElementById('verdict').textContent; return it.includes('{text}') && it"
        ))
    };
    verdict("Complete and legal");
    browser.write("#text", "no-such-key = 1\n");
    browser.wait_for("return document.getElementById('text').getAttribute('aria-invalid') === 'true'");
    browser.click("#verdict button");
    let line = browser
        .run("const it = document.getElementById('text'); return it.value.slice(it.selectionStart, it.selectionEnd)");
    assert_eq!(line, "no-such-key = 1");
    browser.run("const it = document.getElementById('text'); it.value = it.value.replace('no-such-key = 1\\n', ''); it.dispatchEvent(new Event('input'))");
    verdict("Complete and legal");
    let saved = browser.download("#download", "my-way.toml");
    assert_eq!(browser.run("return document.getElementById('text').value"), saved);
    browser.click("#run");
    browser.wait_for("return document.getElementById('progress').value > 0");
    assert_eq!(browser.run("return document.getElementById('run').disabled"), true);
    assert_eq!(problems(browser), [""; 0]);
    browser.click("#cancel");
    browser.wait_for("return document.getElementById('result').textContent.includes('canceled')");
}

#[test]
fn rules_are_reordered_by_keys_and_by_dragging() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/ways?way=foxwoods"));
    let names = || browser.run("return [...document.querySelectorAll('#order .rule')].map((it) => it.textContent)");
    let in_text = || {
        browser.run("return [...document.getElementById('text').value.matchAll(/^name = \"(.*)\"$/gm)].slice(1).map((it) => it[1])")
    };
    browser.wait_for("return document.querySelector('#order span').textContent");
    let before: Vec<String> = serde_json::from_value(names()).unwrap();
    assert_eq!(before[..2], ["five aces, pair of kings", "five aces"]);
    // The sheet is beside the editor.
    let [sheet, editor] = [".sheet", "#text"]
        .map(|it| browser.run(&format!("return document.querySelector('{it}').getBoundingClientRect().left")));
    assert!(sheet.as_f64().unwrap() < editor.as_f64().unwrap());
    browser.run("document.querySelector('#order button').focus()");
    browser.press_with('\u{e00a}', '\u{e015}');
    browser.press_with('\u{e00a}', '\u{e015}');
    let mut after = before.clone();
    after[..3].rotate_left(1);
    assert_eq!(names(), serde_json::json!(after));
    assert_eq!(in_text(), serde_json::json!(after));
    assert_eq!(browser.run("return document.activeElement.textContent"), before[0].as_str());
    assert_eq!(
        browser.run("return document.getElementById('moved').textContent"),
        format!("{} is now rule 3", before[0]).as_str()
    );
    // The five aces take all hands of the rule that is below them now.
    browser.wait_for("return document.getElementById('verdict').textContent.includes('never reached')");
    browser.press_with('\u{e00a}', '\u{e013}');
    browser.press_with('\u{e00a}', '\u{e013}');
    assert_eq!(in_text(), serde_json::json!(before));
    // The arrows do the same. The focus stays on them until the rule has arrived at the end of the list.
    assert_eq!(browser.run("return document.querySelector('#order .up').disabled"), true);
    browser.click("#order li:nth-child(3) .up");
    let focused = || browser.run("return document.activeElement.getAttribute('aria-label')");
    assert_eq!(focused(), format!("Move up: {}", before[2]).as_str());
    browser.press(" ");
    assert_eq!(browser.run("return document.activeElement.textContent"), before[2].as_str());
    let mut after = before.clone();
    after[..3].rotate_right(1);
    assert_eq!(in_text(), serde_json::json!(after));
    browser.click("#order li:nth-child(1) .down");
    browser.press(" ");
    assert_eq!(in_text(), serde_json::json!(before));
    check_views(&browser, "ways-order");
    browser.show_as(1440, 900, "light");
    browser.drag("#order li:nth-child(4)", "#order li:nth-child(2)", "mouse");
    let mut after = before.clone();
    after[1..4].rotate_right(1);
    browser.wait_for(&format!(
        "return document.querySelector('#order li:nth-child(2) .rule').textContent === '{}'",
        after[1]
    ));
    assert_eq!(in_text(), serde_json::json!(after));
    // Moves can be undone.
    browser.run("document.getElementById('text').focus()");
    browser.press_with('\u{e009}', 'z');
    assert_eq!(in_text(), serde_json::json!(before));
    // Names can have either kind of quotes, and a comment.
    browser.run(
        "const it = document.getElementById('text'); \
         it.value = it.value.replace('name = \"five aces\"', \"name = 'five aces' # mine\"); it.dispatchEvent(new Event('input'))",
    );
    assert_eq!(names(), serde_json::json!(before));
    browser.run("sessionStorage.clear(); window.onbeforeunload = null");
}

#[test]
fn curves_are_drawn_again_while_a_training_runs() {
    let folder = tempfile::tempdir().unwrap();
    let training = folder.path().join("run/train/agent-seed-1");
    std::fs::create_dir_all(&training).unwrap();
    let rows = "step,hands,name,value\n0,0,regret,0.25\n250,1000,regret,0.01\n";
    std::fs::write(training.join("metrics.csv"), rows).unwrap();
    let _lock = houseway_lab::run::FileLock::folder(&folder.path().join("run"), false).unwrap();
    let server = Server::start(&["--results", folder.path().to_str().unwrap()]);
    let Some(browser) = Browser::start() else { return };
    browser.show_as(360, 740, "light");
    browser.open(&url(&server, "/results/"));
    browser.click("a[href='/results/run/train/curves']");
    browser.wait_for("return document.getElementById('live').textContent.includes('follow')");
    std::fs::write(training.join("metrics.csv"), format!("{rows}500,2000,loss,0.5\n500,2000,regret,0.005\n")).unwrap();
    browser.wait_for("return document.querySelector('#trainings tbody').innerText.includes('0.5%')");
    browser.wait_for(
        "return [...document.images].length === 2 && [...document.images].every((it) => it.naturalWidth > 0)",
    );
    // The linked plot is wider than the phone's screen.
    browser.click("#curves a");
    browser.wait_for("const it = document.querySelector('.large img'); return it && it.naturalWidth > 0");
    assert_eq!(
        browser.run("const it = document.querySelector('.large'); return it.scrollWidth > it.clientWidth"),
        true
    );
}

#[test]
fn a_drill_is_answered_and_continues_after_reloading() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/drill"));
    browser.click("#start button");
    let cards = |count: u32| {
        browser.wait_for(&format!("return document.querySelectorAll('#cards button').length === {count}"));
    };
    cards(7);
    browser.press("1");
    browser.press("2");
    // The hand is a random one, and these cards in front may be a foul.
    browser.wait_for(
        "return document.querySelector('#buttons [data-key=c]') || document.body.innerText.includes('CONFIRM is not offered')",
    );
    browser.press("u");
    browser.wait_for("return !document.querySelector('#cards [aria-pressed=true]')");
    check_views(&browser, "drill");
    browser.press("h");
    browser.wait_for("return document.querySelectorAll('#judgment li').length >= 2");
    browser.wait_for("return document.getElementById('score').textContent.startsWith('1 hand: ')");
    assert_eq!(browser.run("return document.querySelectorAll('#cards .own').length"), 2);
    check_views(&browser, "drill-answer");
    let days = browser.run("return document.querySelector('#days tbody').textContent");
    assert!(days.as_str().unwrap().contains(" of 1"), "{days}");
    let topics = browser.run("return [...document.getElementById('topic').options].map((it) => it.value)");
    assert_eq!(topics[3], "two pairs");
    let csv = browser.download("#download", "drill.csv");
    assert!(csv.starts_with("hand,group,is_review,action,") && csv.lines().count() == 2, "{csv}");
    // A drill can be limited to a topic and freed again.
    let topic = || browser.run("return document.getElementById('topic').value");
    browser.click("#topics td button");
    browser.wait_for("return document.querySelector('#topics p button')");
    assert_eq!(topic(), browser.run("return document.querySelector('#topics tbody th').textContent"));
    browser.click("#topics p button");
    browser.wait_for("return !document.querySelector('#topics p button')");
    assert_eq!(topic(), "");
    browser.run("document.getElementById('setup').open = true; document.getElementById('topic').value = 'one pair'");
    browser.click("#continue");
    browser
        .wait_for("return document.querySelector('#topics p:has(button)')?.textContent.startsWith('Only one pair.')");
    assert_eq!(browser.run("return document.getElementById('question').textContent"), "Hand 2");
    browser.click("#topics p button");
    browser.wait_for("return !document.querySelector('#topics p button')");
    cards(7);
    let hand = || {
        browser.run("return [...document.querySelectorAll('#cards button .spoken')].map((it) => it.textContent).join()")
    };
    let second = hand();
    browser.open(&url(&server, "/drill"));
    cards(7);
    assert_eq!(hand(), second);
    assert_eq!(browser.run("return document.getElementById('question').textContent"), "Hand 2");
    // The drill may have been resumed in another tab.
    browser.run(
        "localStorage.setItem('drill', JSON.stringify({ ...JSON.parse(localStorage.getItem('drill')), number: 5 })); \
         dispatchEvent(new StorageEvent('storage', { key: 'drill' }))",
    );
    assert_eq!(browser.run("return document.getElementById('question').textContent"), "Hand 5");
    // It may also be resumed there while the answer of this tab is judged.
    browser.run(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true })); \
         localStorage.setItem('drill', JSON.stringify({ ...JSON.parse(localStorage.getItem('drill')), number: 6 }))",
    );
    browser.wait_for("return document.getElementById('message').textContent.includes('resumed in another tab')");
    assert_eq!(browser.run("return document.getElementById('question').textContent"), "Hand 6");
    assert_eq!(browser.run("return JSON.parse(localStorage.getItem('drill')).number"), 6);
}

#[test]
fn a_drill_of_another_game_is_answered_with_its_actions() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/drill"));
    browser.run(
        "const it = document.getElementById('game'); it.value = 'ultimate-holdem'; \
         it.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    assert_eq!(browser.run("return document.querySelector('fieldset.ways').hidden"), true);
    browser.click("#start button");
    browser.wait_for("return document.querySelectorAll('#cards .playing').length === 2");
    assert!(browser.run("return document.getElementById('rest').textContent").as_str().unwrap().starts_with("board "));
    check_views(&browser, "drill-holdem");
    browser.press("1");
    browser.wait_for("return document.querySelectorAll('#judgment li').length >= 2");
    browser.wait_for("return document.getElementById('score').textContent.startsWith('1 hand: ')");
    // The form shows the drill that is kept, except if a link asks for another one.
    let form = || browser.run("return ['game', 'topic'].map((id) => document.getElementById(id).value)");
    browser.open(&url(&server, "/drill"));
    browser.wait_for("return !document.getElementById('drill').hidden");
    assert_eq!(form(), serde_json::json!(["ultimate-holdem", ""]));
    for (asked, message) in [
        ("game=nosuch", "There is no drill of the game \"nosuch\"."),
        ("game=pai-gow-tiles&topic=flush", "There is no topic \"flush\" in this game."),
    ] {
        browser.open(&url(&server, &format!("/drill?{asked}")));
        browser.wait_for(&format!("return document.getElementById('message').textContent === '{message}'"));
    }
    browser.open(&url(&server, "/drill?topic=two+pairs"));
    browser.wait_for("return document.getElementById('setup').open");
    assert_eq!(form(), serde_json::json!(["pai-gow-poker", "two pairs"]));
}

#[test]
fn hands_are_analyzed_with_a_house_way_of_ones_own() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/?hand=As+Kd+Jk+7c+7d+2h+3s&way=my-way&banker=foxwoods"));
    let alert = "document.querySelector('#answer [role=alert]')?.textContent";
    browser.wait_for(&format!("return {alert}?.startsWith('There is no house way of your own')"));
    let write = |text: &str| {
        browser.run(&format!(
            "const it = document.getElementById('own-text'); it.value = {}; it.dispatchEvent(new Event('input'))",
            serde_json::to_string(text).unwrap()
        ));
        browser.click("#analyse button.main");
    };
    let text = houseway_env::pai_gow::house_way::Way::text("wong").unwrap();
    write(&format!("nonsense\n{text}"));
    browser.wait_for(&format!("return {alert}?.startsWith('Line 1 of your house way: ')"));
    check_views(&browser, "analyse-own-error");
    browser.show_as(1440, 900, "light");
    write(&text);
    let marked = "document.querySelector('#answer .mark.house')";
    browser.wait_for(&format!("return Boolean({marked})"));
    assert_eq!(
        browser.run("return document.querySelector('#answer dl.summary dt:nth-of-type(2)').textContent"),
        "wong"
    );
    check_views(&browser, "analyse-own");
    browser.show_as(1440, 900, "light");
    // The tab keeps the house way when the page is opened again, and the address still names it.
    assert!(browser.run("return location.search").as_str().unwrap().contains("way=my-way"));
    browser.run("location.reload()");
    browser.wait_for(&format!("return document.readyState === 'complete' && Boolean({marked})"));
    // A link can carry it to another tab.
    browser.run("sessionStorage.clear()");
    let code = browser.run(&format!(
        "return btoa({}).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')",
        serde_json::to_string(&text.replace(|it: char| !it.is_ascii(), "")).unwrap()
    ));
    browser.open(&url(&server, "/ways"));
    browser.open(&url(&server, &format!("/?hand=As+Kd+Jk+7c+7d+2h+3s&banker=my-way#way={}", code.as_str().unwrap())));
    browser.wait_for(&format!("return Boolean({marked})"));
    assert_eq!(browser.run("return location.hash"), "");
    assert!(browser.run("return document.getElementById('settings').textContent").as_str().unwrap().contains("wong"));
    // The tab that shows the question already takes the house way from the link as well.
    browser.run("sessionStorage.clear()");
    browser.run(&format!("location.hash = 'way={}'", code.as_str().unwrap()));
    browser.wait_for(&format!("return location.hash === '' && Boolean({marked})"));
    // The editor passes its copy on.
    browser.open(&url(&server, "/ways?way=foxwoods"));
    browser.wait_for("return document.getElementById('verdict').textContent.startsWith('Complete')");
    browser.click("#use");
    browser.wait_for("return location.pathname === '/' && document.readyState === 'complete'");
    assert_eq!(browser.run("return document.getElementById('own').hidden"), false);
    assert!(
        browser.run("return document.getElementById('own-text').value").as_str().unwrap().contains("name = \"my-way\"")
    );
    browser.run("sessionStorage.clear()");
}
