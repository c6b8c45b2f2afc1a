//! The page of a table. Its script draws everything from the state of the table.

use super::html::escape;
use super::http::Response;
use super::section::Services;
use houseway_env::registry::games;
use std::fmt::Write;

/// Path of the page.
pub(super) const PLAY: &str = "/play";

/// Returns the page.
pub(super) fn play_page(services: &Services) -> Response {
    let mut options = String::new();
    for game in games() {
        let _ = write!(options, "<option value=\"{}\">{}</option>", game.name, escape(game.title));
    }
    let contents = format!(
        "<h1>Play</h1>\n<noscript><p>The table needs scripts. Without them: <code>houseway play</code> in a terminal, with \
         <code>--plain</code> line by line.</p></noscript>\n\
         <div id=\"play\" hidden>\n<form id=\"open\" class=\"row\">\n\
         <div class=\"field\"><label for=\"game\">Game</label><select id=\"game\" name=\"game\">{options}</select></div>\n\
         <div class=\"field\"><label for=\"seed\">Seed of the cards</label><input id=\"seed\" name=\"seed\" inputmode=\"numeric\" \
         placeholder=\"random\" autocomplete=\"off\"></div>\n\
         <button type=\"submit\" class=\"main\">Open a table</button></form>\n\
         <p id=\"message\" role=\"status\"></p>\n\
         <section id=\"table\" aria-labelledby=\"table-title\" hidden>\n\
         <h2 id=\"table-title\"></h2>\n<p id=\"money\"></p>\n\
         <div id=\"bets\" role=\"group\" aria-label=\"Bets\"></div>\n\
         <div id=\"cards\" role=\"group\" aria-label=\"Your cards\"></div>\n<p id=\"remark\"></p>\n\
         <div id=\"buttons\" role=\"group\" aria-label=\"Actions\"></div>\n\
         <pre id=\"state\" tabindex=\"0\" role=\"region\" aria-label=\"State of the table\"></pre>\n</section>\n\
         <div class=\"panels\">\n<section aria-labelledby=\"coach-title\"><h3 id=\"coach-title\">Coach</h3>\n\
         <label for=\"mode\">It speaks</label><select id=\"mode\"><option value=\"on\">before decisions and after the round</option>\
         <option value=\"after\">after the round</option><option value=\"off\">never</option></select>\n\
         <p id=\"thinking\" class=\"quiet\" role=\"status\" hidden>enumerating …</p><ul id=\"coach\" aria-live=\"polite\"></ul></section>\n\
         <section aria-labelledby=\"chart-title\"><h3 id=\"chart-title\">Session</h3>\n\
         <svg id=\"chart\" viewBox=\"0 0 320 100\" role=\"img\" aria-labelledby=\"chart-title\"></svg><ul id=\"summary\"></ul>\n\
         <p class=\"quiet\">The session ends with the server, or half an hour after the last action when its table is needed; \
         <code>houseway play</code> keeps one.</p></section>\n</div>\n</div>\n"
    );
    services.page(200, PLAY, "Play", &["play.js"], &contents)
}
