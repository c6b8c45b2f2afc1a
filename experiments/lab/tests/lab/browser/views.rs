//! Views of a page: its problems in each of them, and pictures of it.

use super::super::common::root;
use super::driver::Browser;
use std::path::Path;
use std::process::{Command, Stdio};

/// The window sizes with both color schemes. Every other one covers all sizes and both schemes.
const VIEWS: [(u32, u32, &str); 6] = [
    (360, 740, "light"),
    (360, 740, "dark"),
    (768, 1024, "dark"),
    (768, 1024, "light"),
    (1440, 900, "light"),
    (1440, 900, "dark"),
];

/// A script that returns the text that can be read on the page, without drawings.
const TEXT: &str = r#"
const words = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const it = walker.currentNode.parentElement, word = walker.currentNode.data.trim();
  if (word && !it.closest("svg, select, .spoken") && it.checkVisibility()) words.push(word);
}
return words.join("\n");
"#;

/// A script that returns a list of problems on the page, such as controls without a name, contents that are wider than
/// the window, text with too little contrast, and tables that can't be scrolled with the keyboard.
const PROBLEMS: &str = r#"
const problems = [];
const shown = (it) => it.checkVisibility({ visibilityProperty: true }) && it.getBoundingClientRect().width > 1;
for (const it of document.querySelectorAll("a, button, input, select, textarea, progress, summary, [role=region]")) {
  if (!shown(it)) continue;
  const by = (it.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.textContent || "").join("");
  const name = it.getAttribute("aria-label") || by || (it.labels && [...it.labels].map((label) => label.textContent).join("")) || it.textContent || [...it.querySelectorAll("img")].map((image) => image.alt).join("");
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

/// The source code of axe-core.
const AXE: &str = include_str!("axe/axe.min.js");

/// A script that runs axe-core, with a rule that isn't among its defaults: what a control is called contains what it shows.
const RUN_AXE: &str = r#"
const rules = { "label-content-name-mismatch": { enabled: true } };
return axe.run(document, { rules, resultTypes: ["violations"] }).then((found) =>
  found.violations.map((it) => `${it.id}: ${it.help}: ${it.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ")}`));
"#;

/// Returns the problems on the current page.
pub(super) fn problems(browser: &Browser) -> Vec<String> {
    // A page keeps it in all views.
    if browser.run("return typeof axe") == "undefined" {
        browser.run(AXE);
    }
    let found = [browser.run(PROBLEMS), browser.run(RUN_AXE)];
    found.iter().flat_map(|list| list.as_array().unwrap()).map(|problem| problem.as_str().unwrap().to_owned()).collect()
}

/// Saves a screenshot if `HOUSEWAY_PICTURES` is set.
pub(super) fn save_picture(browser: &Browser, name: &str) {
    let Some(folder) = std::env::var_os("HOUSEWAY_PICTURES") else { return };
    let path = Path::new(&folder).join(format!("{name}.png"));
    let mut decoder = Command::new("base64").arg("-d").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = decoder.stdin.take().unwrap();
    let picture = browser.picture("png");
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut input, picture.as_bytes()).unwrap());
    let decoded = decoder.wait_with_output().unwrap();
    writer.join().unwrap();
    std::fs::write(path, decoded.stdout).unwrap();
}

/// Checks that a picture in the book was taken of a page with the same text, or takes it if `HOUSEWAY_WRITE_PICTURES` is
/// set. Pixels depend on the browser and its fonts, so the picture has the text of the page as its description.
pub(super) fn check_picture(browser: &Browser, name: &str, (width, height): (u32, u32)) {
    browser.show_as(width, height, "light");
    browser.run("document.activeElement.blur(); scrollTo(0, 0)");
    let text = browser.run(TEXT);
    let text = text.as_str().unwrap().replace('&', "&amp;").replace('<', "&lt;");
    let described = format!("<desc>{text}</desc>");
    let path = root().join(format!("experiments/book/src/pictures/{name}.svg"));
    if std::env::var_os("HOUSEWAY_WRITE_PICTURES").is_some() {
        let size = format!("width=\"{width}\" height=\"{height}\"");
        let data = browser.picture("webp");
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {size} viewBox=\"0 0 {width} {height}\">\n{described}\n\
             <image {size} href=\"data:image/webp;base64,{data}\"/>\n\
             <rect {size} fill=\"none\" stroke=\"#8a8f8b\" stroke-width=\"2\"/>\n</svg>\n"
        );
        std::fs::write(path, svg).unwrap();
    } else {
        let known = std::fs::read_to_string(path).unwrap();
        assert!(
            known.contains(&described),
            "{name}.svg is out of date: write it with HOUSEWAY_WRITE_PICTURES=1\n{text}"
        );
    }
}

/// Checks the current page in every other view, or in all of them if `HOUSEWAY_PICTURES` is set, and saves a screenshot of
/// each. The length of its name decides which half that is, so that pages differ.
pub(super) fn check_views(browser: &Browser, name: &str) {
    let is_checked = |index: usize| index % 2 == name.len() % 2 || std::env::var_os("HOUSEWAY_PICTURES").is_some();
    let mut all_found = Vec::new();
    for (index, (width, height, scheme)) in VIEWS.into_iter().enumerate() {
        if !is_checked(index) {
            continue;
        }
        browser.show_as(width, height, scheme);
        let found = problems(browser).into_iter();
        all_found.extend(found.map(|problem| format!("{name} at {width}, {scheme}: {problem}")));
        save_picture(browser, &format!("{name}-{width}-{scheme}"));
    }
    assert!(all_found.is_empty(), "{}", all_found.join("\n"));
}
