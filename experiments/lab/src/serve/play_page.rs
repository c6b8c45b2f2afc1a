//! The page for playing. Its script draws everything from the state of the table.

use super::html::escape;
use super::http::Response;
use super::section::Services;
use crate::play::{EMPTY, Layout, Seats};
use houseway_env::registry::games;
use std::fmt::Write;

/// The path to the page.
pub(super) const PLAY: &str = "/play";

/// Returns the page with the list of games.
pub(super) fn play_page(services: &Services, layouts: &[Layout]) -> Response {
    let (mut options, mut seats) = (String::new(), String::new());
    for game in games() {
        let _ = write!(options, "<option value=\"{}\">{}</option>", game.name, escape(game.title));
        seats.extend(Layout::find(layouts, game).seats.map(|choice| seats_html(game.name, choice)));
    }
    let contents = format!(
        "<h1>Play</h1>\n<noscript><p>This page requires JavaScript. Without it, run <code>houseway play</code> in a \
         terminal. <code>--plain</code> reads and writes lines instead of drawing a screen.</p></noscript>\n\
         <div id=\"play\" hidden>\n<form id=\"open\" class=\"row\">\n\
         <div class=\"field\"><label for=\"game\">Game</label><select id=\"game\" name=\"game\">{options}</select></div>\n\
         <div class=\"field\"><label for=\"seed\">Seed for the cards</label><input id=\"seed\" name=\"seed\" inputmode=\"numeric\" \
         placeholder=\"random\" autocomplete=\"off\"></div>\n\
         <div class=\"field\"><label for=\"limit\">Seconds per decision</label><input id=\"limit\" name=\"clock\" \
         inputmode=\"numeric\" placeholder=\"no limit\" autocomplete=\"off\"></div>\n{seats}\
         <button type=\"submit\" class=\"main\">Open a table</button></form>\n\
         <p id=\"message\" role=\"status\"></p>\n\
         <section id=\"table\" aria-labelledby=\"table-title\" hidden>\n\
         <h2 id=\"table-title\"></h2>\n<p id=\"money\"></p>\n<p id=\"clock\" role=\"timer\" aria-label=\"Time left\" hidden></p>\n\
         <p id=\"notes\" aria-live=\"polite\"></p>\n<div id=\"dice\" role=\"img\" aria-label=\"Dice\"></div>\n\
         <div id=\"bets\" role=\"group\" aria-label=\"Bets\"></div>\n\
         <div id=\"cards\" role=\"group\" aria-label=\"Your cards\"></div>\n<p id=\"remark\"></p>\n\
         <div id=\"buttons\" role=\"group\" aria-label=\"Actions\"></div>\n\
         <pre id=\"state\" tabindex=\"0\" role=\"region\" aria-label=\"State of the table\"></pre>\n\
         <ul id=\"seats\" aria-label=\"Seats\" hidden></ul>\n</section>\n\
         <div class=\"panels\">\n<section aria-labelledby=\"coach-title\"><h2 id=\"coach-title\">Coach</h2>\n\
         <label for=\"mode\">Advice</label><select id=\"mode\"><option value=\"on\">before decisions and after the round</option>\
         <option value=\"after\">after the round</option><option value=\"off\">never</option></select>\n\
         <p id=\"thinking\" class=\"quiet\" role=\"status\" hidden>computing the exact values …</p><ul id=\"coach\" aria-live=\"polite\"></ul></section>\n\
         <section aria-labelledby=\"chart-title\"><h2 id=\"chart-title\">Session</h2>\n\
         <svg id=\"chart\" viewBox=\"0 0 320 100\" role=\"img\" aria-labelledby=\"chart-title\"></svg><ul id=\"summary\"></ul>\n\
         <p class=\"quiet\">The session ends when the server stops. After half an hour without a request, it may also end to make \
         room for another table. Use <code>houseway play</code> to save your session.</p></section>\n</div>\n</div>\n"
    );
    services.page(200, PLAY, "Play", &["cards.js", "play.js"], &contents)
}

/// Returns the fields for the players on other seats. Only the seat of the human player has a name. The script combines
/// the fields of each other seat into a single value.
fn seats_html(game: &str, Seats { players, ways, banks }: Seats) -> String {
    let option = |(value, text): (&str, &str)| format!("<option value=\"{value}\">{}</option>", escape(text));
    let choice = |id: String, label: &str, class: &str, options: &str| {
        format!(
            "<div class=\"field\"><label for=\"{id}\">{label}</label><select id=\"{id}\" class=\"{class}\">{options}</select></div>"
        )
    };
    let numbers: String = (1..=players).map(|seat| option((&seat.to_string(), &seat.to_string()))).collect();
    let ways: String = [("", "the usual player"), (EMPTY, "nobody")]
        .into_iter()
        .chain(ways.iter().map(|(name, _)| (*name, *name)))
        .map(option)
        .collect();
    let banks: String = banks.iter().copied().map(option).collect();
    let mut html = format!(
        "<fieldset class=\"seats\" data-game=\"{game}\" hidden disabled><legend>Seats</legend>\n\
         <div class=\"field\"><label for=\"own-seat\">Your seat</label><select id=\"own-seat\" name=\"option.seat\">{numbers}</select></div>\n\
         <details><summary>Other players</summary>\n"
    );
    for seat in 1..=players {
        let _ = writeln!(
            html,
            "<fieldset class=\"row seat-player\" data-seat=\"{seat}\"><legend>Seat {seat}</legend>{}\
             <div class=\"field\"><label for=\"bet-{seat}\">Bet</label><input id=\"bet-{seat}\" class=\"bet\" inputmode=\"numeric\" \
             placeholder=\"the minimum\" autocomplete=\"off\"></div>\
             <div class=\"field\"><label for=\"bankroll-{seat}\">Chips</label><input id=\"bankroll-{seat}\" class=\"bankroll\" \
             inputmode=\"numeric\" placeholder=\"500 minimum bets\" autocomplete=\"off\"></div>{}</fieldset>",
            choice(format!("way-{seat}"), "House way", "way", &ways),
            choice(format!("bank-{seat}"), "Takes the bank", "bank", &banks),
        );
    }
    html + "</details></fieldset>\n"
}
