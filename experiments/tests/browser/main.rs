//! The web app in a browser: what a person sees and does, at the width of a phone and of a desk.
//!
//! Needs `chromium` and `chromedriver`; without them the tests say so and are skipped, unless `HOUSEWAY_BROWSER` is set. With
//! `HOUSEWAY_PICTURES=FOLDER` they write pictures of the pages into a folder.

mod driver;
#[path = "../web/mod.rs"]
mod web;

use driver::Browser;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use web::Server;

const HAND: &str = "/?hand=As+Kd+Jk+7c+7d+2h+3s";
/// Widths of a phone and of a desk, with heights and color schemes.
const VIEWS: [(u32, u32, &str); 4] =
    [(360, 740, "light"), (360, 740, "dark"), (1440, 900, "light"), (1440, 900, "dark")];

/// Controls without a name, contents wider than the window, texts with too little contrast, and tables out of reach of the
/// keyboard, as lines of text.
const PROBLEMS: &str = r#"
const problems = [];
const shown = (it) => it.checkVisibility({ visibilityProperty: true }) && it.getBoundingClientRect().width > 1;
for (const it of document.querySelectorAll("a, button, input, select, textarea, progress, summary, [role=region]")) {
  if (!shown(it)) continue;
  const by = (it.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.textContent || "").join("");
  const name = it.getAttribute("aria-label") || by || (it.labels && [...it.labels].map((label) => label.textContent).join("")) || it.textContent;
  if (!name.trim()) problems.push(`no name: ${it.outerHTML.slice(0, 100)}`);
  if (it.tabIndex > 0) problems.push(`an order of its own: ${it.outerHTML.slice(0, 100)}`);
}
if (document.querySelectorAll("h1").length !== 1 || !document.querySelector("main") || !document.documentElement.lang) problems.push("no outline");
const ids = [...document.querySelectorAll("[id]")].map((it) => it.id);
for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`two elements ${id}`);
for (const image of document.images) if (!image.alt) problems.push(`no alternative text: ${image.src}`);
if (document.documentElement.scrollWidth > innerWidth) problems.push(`wider than the window: ${document.documentElement.scrollWidth}`);
for (const it of document.querySelectorAll(".scroll, pre")) {
  if (it.scrollWidth > it.clientWidth && getComputedStyle(it).overflowX === "auto" && it.tabIndex < 0) problems.push(`not to be scrolled by keyboard: ${it.outerHTML.slice(0, 80)}`);
}
const rgb = (color) => color.match(/[\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (it) => {
  // A card is drawn on paper.
  if (it.closest(".face")) return [255, 255, 255];
  for (; it; it = it.parentElement) {
    const color = rgb(getComputedStyle(it).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
  }
  return [255, 255, 255];
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const it = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !shown(it) || ["SCRIPT", "NOSCRIPT", "OPTION", "OPTGROUP"].includes(it.tagName)) continue;
  const style = getComputedStyle(it), size = parseFloat(style.fontSize);
  const [a, b] = [light(rgb(it instanceof SVGElement ? style.fill : style.color)), light(ground(it))].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05), large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
  if (ratio < (large ? 3 : 4.5)) problems.push(`contrast ${ratio.toFixed(2)}: ${walker.currentNode.data.trim().slice(0, 40)}`);
}
return problems;
"#;

/// Starts a server and a browser, if there is one.
fn start() -> Option<(Server, Browser)> {
    Some((Server::start(&[]), Browser::start()?))
}

fn url(server: &Server, path: &str) -> String {
    format!("http://{}{path}", server.host())
}

/// Writes a picture, if the environment asks for pictures.
fn save_picture(browser: &Browser, name: &str) {
    let Some(folder) = std::env::var_os("HOUSEWAY_PICTURES") else { return };
    let path = Path::new(&folder).join(format!("{name}.png"));
    let mut decoder = Command::new("base64").arg("-d").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = decoder.stdin.take().unwrap();
    let picture = browser.picture();
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut input, picture.as_bytes()).unwrap());
    let decoded = decoder.wait_with_output().unwrap();
    writer.join().unwrap();
    std::fs::write(path, decoded.stdout).unwrap();
}

#[test]
fn pages_fit_and_can_be_read_at_every_width() {
    let Some((server, browser)) = start() else { return };
    let pages = [
        ("start", "/"),
        ("analyse", HAND),
        ("error", "/?hand=As"),
        ("ways", "/ways?way=foxwoods"),
        ("play-start", "/play"),
        ("results", "/results/"),
        ("report", "/results/quick/report.md"),
    ];
    let mut problems = Vec::new();
    for (width, height, scheme) in VIEWS {
        browser.show_as(width, height, scheme);
        for (name, path) in pages {
            browser.open(&url(&server, path));
            let found = browser.run(PROBLEMS);
            let found = found.as_array().unwrap().iter().filter_map(Value::as_str);
            problems.extend(found.map(|problem| format!("{name} at {width}, {scheme}: {problem}")));
            save_picture(&browser, &format!("{name}-{width}-{scheme}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_hand_is_chosen_by_clicks_and_by_keys() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/"));
    for card in ["ace of spades", "king of diamonds", "joker", "7 of clubs", "7 of diamonds", "2 of hearts"] {
        browser.click(&format!("button[aria-label='{card}']"));
    }
    assert_eq!(browser.run("return document.getElementById('deck-status').textContent"), "6 of 7 cards");
    // The last one by keyboard.
    browser.run("document.querySelector(\"button[aria-label='3 of spades']\").focus()");
    browser.press(" ");
    browser.wait_for("return document.querySelector('.settings')");
    let address = browser.run("return location.search");
    assert_eq!(address, "?hand=As+Kd+Jk+7c+7d+2h+3s&way=trump-plaza&banker=trump-plaza");
    let best = browser.run("return document.querySelector('tr.best').innerText");
    assert!(best.as_str().unwrap().contains("+0.62777"), "{best}");
    // Another house way: the page follows, and the address has it.
    browser
        .run("const way = document.getElementById('way'); way.value = 'wong'; way.dispatchEvent(new Event('change'))");
    browser.wait_for(
        "return location.search.includes('way=wong') && document.querySelector('.summary')?.innerText.includes('wong')",
    );
    // The first Tab stop leads past the navigation, and Enter sends the form.
    browser.run("document.activeElement.blur()");
    browser.press("\u{e004}");
    assert_eq!(browser.run("return document.activeElement.className"), "skip");
    browser.run("const hand = document.getElementById('hand'); hand.value = 'As'; hand.focus()");
    browser.press("\u{e007}");
    browser.wait_for("return document.querySelector('[role=alert]')");
}

#[test]
fn a_house_way_is_edited_checked_and_compared() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/ways?way=mgm-style"));
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
    browser.click("#run");
    browser.wait_for("return document.getElementById('progress').value > 0");
    browser.click("#cancel");
    browser.wait_for("return document.getElementById('result').textContent.includes('cancelled')");
    browser.run("document.getElementById('opponent').value = 'mgm-style'");
    browser.click("#run");
    browser.wait_for("return document.getElementById('result').textContent.includes('No hand is set differently')");
}

#[test]
fn a_round_is_played_by_clicks_and_by_keys() {
    let Some((server, browser)) = start() else { return };
    browser.show_as(1440, 900, "light");
    browser.open(&url(&server, "/play"));
    browser.write("#seed", "7");
    browser.click("#open button");
    let offered = |line: &str| browser.wait_for(&format!("return document.querySelector(\"[data-line='{line}']\")"));
    offered("chip 25 bet");
    browser.click("[data-line='chip 25 bet']");
    offered("deal");
    browser.click("[data-line='deal']");
    browser.wait_for("return document.querySelectorAll('#cards button').length === 7");
    let mut problems = Vec::new();
    browser.wait_for("return document.querySelector('#coach').textContent.includes('best: ')");
    for (width, height, scheme) in VIEWS {
        browser.show_as(width, height, scheme);
        let found = browser.run(PROBLEMS);
        problems.extend(found.as_array().unwrap().iter().map(|problem| format!("{width}, {scheme}: {problem}")));
        save_picture(&browser, &format!("play-{width}-{scheme}"));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    browser.show_as(1440, 900, "light");
    // Two cards by keyboard, back again, then as the house does.
    browser.press("1");
    browser.wait_for("return document.querySelectorAll('#cards [aria-pressed=true]').length === 1");
    browser.press("u");
    browser.wait_for("return document.querySelectorAll('#cards [aria-pressed=true]').length === 0");
    browser.press("h");
    offered("confirm");
    browser.press("c");
    browser.wait_for("return document.getElementById('message').textContent.startsWith('Round 1: net ')");
    browser.wait_for("return document.querySelector('#coach').textContent.includes('you: ')");
    offered("rebet");
    browser.press("r");
    browser.wait_for("return document.getElementById('bets').textContent.includes('BET 25.00')");
    // A tab that is loaded again returns to its table.
    browser.open(&url(&server, "/play"));
    offered("deal");
    save_picture(&browser, "play-after-1440-light");
}
