//! The page for analyzing a hand of any game whose solver evaluates hands.
//!
//! | request | answer |
//! |---|---|
//! | `GET /analyze?game=NAME&hand=…` | the exact EVs of a hand, as `houseway ev -g NAME HAND` prints them; cards, numbers and rules work like the command's options, and strategies are the default ones |

use crate::drill;
use crate::play::action_words;
use crate::report::Report;
use crate::serve::{Request, Response, SET, Services, error_html, escape, html};
use houseway_env::registry;
use houseway_exact::registry::solvers;
use houseway_exact::solver::{Control, OptionKind, OptionSpec, Solver, SolverConfig, SolverEntry};
use serde_json::Value;

pub const PATH: &str = "/analyze";
/// The width of a bar.
const WIDTH: f64 = 120.0;

pub fn page(request: &Request, services: &Services) -> Response {
    let name = request.value("game").unwrap_or_default();
    let Some(entry) = solvers().into_iter().find(|entry| entry.game == name && entry.hands.is_some()) else {
        let known: Vec<&str> = solvers().into_iter().filter(|entry| entry.hands.is_some()).map(|it| it.game).collect();
        let text = match name {
            "" => "choose a game".to_owned(),
            _ => format!("there are no hands to analyze in the game '{name}'; choose one of {}", known.join(", ")),
        };
        let contents = format!("{}<h1>Analyze a hand</h1>\n{}", games_html(""), error_html(&text));
        return services.page(404, "/", "Analyze", &[], &contents);
    };
    let hand = request.value("hand").unwrap_or_default().trim();
    let found = solver(request, entry).and_then(|solver| match hand {
        "" => Ok(
            "<div><h1>Analyze a hand</h1>\n<p>Choose a hand to see what every decision with it is worth.</p></div>\n"
                .to_owned(),
        ),
        hand => Ok(format!("<article>{}</article>\n", answer(&*solver, entry, hand)?)),
    });
    let (status, answer) = match found {
        Ok(answer) => (200, answer),
        Err(reason) => (422, format!("<div><h1>Analyze a hand</h1>\n{}</div>\n", error_html(&reason))),
    };
    let form = form(request, entry);
    let title = title(entry.game, hand);
    let contents = format!("{}<div class=\"analysis asked\">{answer}{form}</div>", games_html(entry.game));
    services.page(status, "/", &title, &["dom.js", "cards.js", "analyse.js"], &contents)
}

/// Returns the names of the games as links to their pages, with a mark for the current one.
pub fn games_html(current: &str) -> String {
    let mut html = "<nav class=\"games\" aria-label=\"Games\"><ul>".to_owned();
    for entry in solvers().into_iter().filter(|entry| entry.hands.is_some()) {
        // The game that comes first has a page with a deck of its own.
        let is_first = entry.game == registry::games()[0].name;
        let path = if is_first { "/".to_owned() } else { format!("{PATH}?game={}", entry.game) };
        let mark = if entry.game == current { " aria-current=\"page\"" } else { "" };
        html += &format!("<li><a href=\"{path}\"{mark}>{}</a></li>", escape(short_title(entry.game)));
    }
    html + "</ul></nav>\n"
}

/// Returns the title of the page for a hand of a game, or of the page without one.
pub fn title(game: &str, hand: &str) -> String {
    if hand.is_empty() { "Analyze".to_owned() } else { format!("{hand}, {}", short_title(game)) }
}

fn short_title(game: &str) -> &'static str {
    let title = registry::find(game).map_or("", |game| game.title);
    title.split(',').next().unwrap_or_default()
}

/// Returns the options of a hand that a request can choose. Requests must not read files, which strategies can be.
fn options(entry: &SolverEntry) -> impl Iterator<Item = &'static OptionSpec> {
    let is_offered = |spec: &&OptionSpec| matches!(spec.kind, OptionKind::Text("CARDS") | OptionKind::Integer(..));
    entry.options.iter().filter(|spec| spec.in_value).filter(is_offered)
}

/// Creates the solver with the options and rules of a request. Without the check of their names, a link with another one
/// would be answered by the default rules.
fn solver(request: &Request, entry: &SolverEntry) -> Result<Box<dyn Solver>, String> {
    let known: Vec<&str> = ["game", "hand", SET].into_iter().chain(options(entry).map(|spec| spec.name)).collect();
    let others = format!("strategies can't be chosen here; houseway ev -g {} takes them", entry.game);
    request.check_names(&known).map_err(|error| format!("{error}; {others}"))?;
    let mut config = SolverConfig { assignments: request.assignments()?, ..SolverConfig::default() };
    for spec in options(entry) {
        let Some(value) = request.value(spec.name).map(str::trim).filter(|value| !value.is_empty()) else { continue };
        config = config.option(spec.name, value);
    }
    entry.solver(&config).map_err(|error| error.to_string())
}

fn answer(solver: &dyn Solver, entry: &SolverEntry, hand: &str) -> Result<String, String> {
    let answer = solver.value(hand, &Control::default()).map_err(|error| error.to_string())?;
    let titled = format!("</h1>\n{}", actions_html(&answer.json));
    let html = html(&Report::new(hand, answer.sections).markdown()).replacen("</h1>\n", &titled, 1);
    let is_drilled = drill::games().any(|other| other.game == entry.game);
    let drill = format!("<p><a href=\"/drill?game={}\">Drill hands of this game</a></p>\n", entry.game);
    Ok(with_labels(entry, html) + if is_drilled { &drill } else { "" })
}

/// Returns a bar that starts in the middle and points left for a loss. An EV of `most` or more has the full length. Screen
/// readers skip it, since the number next to it says the same.
pub fn ev_bar(ev: f64, most: f64) -> String {
    let (middle, length) = (WIDTH / 2.0, ((ev.abs() / most).min(1.0) * WIDTH / 2.0).max(0.5));
    let (class, x) = if ev < 0.0 { ("loss", middle - length) } else { ("win", middle) };
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 {WIDTH} 10\" width=\"{WIDTH}\" height=\"10\" aria-hidden=\"true\">\
         <rect class=\"{class}\" x=\"{x:.1}\" y=\"1\" width=\"{length:.1}\" height=\"8\"/>\
         <line x1=\"{middle}\" x2=\"{middle}\" y1=\"0\" y2=\"10\"/></svg>"
    )
}

/// Returns a bar with the shares of wins, pushes and losses, whose sum is 1.
pub fn share_bar(shares: [f64; 3]) -> String {
    let mut x = 0.0;
    let part = |(class, share): (&str, f64)| {
        let (from, width) = (x, share * WIDTH);
        x += width;
        format!("<rect class=\"{class}\" x=\"{from:.1}\" y=\"1\" width=\"{width:.1}\" height=\"8\"/>")
    };
    let parts: String = ["win", "push", "loss"].into_iter().zip(shares).map(part).collect();
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 {WIDTH} 10\" width=\"{WIDTH}\" height=\"10\" aria-hidden=\"true\">{parts}</svg>"
    )
}

/// Returns a table of the actions in an answer, best first, with bars for their EVs and shares. It is empty for an answer
/// without shares.
fn actions_html(json: &Value) -> String {
    let share = |name: &str, end: &str| json["shares"][name][end].as_f64();
    let evs = json["actions"].as_object().into_iter().flatten();
    let with_shares = evs.filter_map(|(name, ev)| {
        let (win, tie) = share(name, "win").zip(share(name, "tie"))?;
        Some((name, ev.as_f64()?, [win, tie, 1.0 - win - tie]))
    });
    let mut actions: Vec<_> = with_shares.collect();
    if actions.is_empty() {
        return String::new();
    }
    actions.sort_by(|(_, a, _), (_, b, _)| b.total_cmp(a));
    let most = actions.iter().map(|(_, ev, _)| ev.abs()).fold(1.0, f64::max);
    let mut html =
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Actions\"><table class=\"settings\">\n\
                    <thead><tr><th scope=\"col\">Action</th><th scope=\"col\" colspan=\"2\">EV</th>\
                    <th scope=\"col\">Win · tie · loss</th></tr></thead>\n<tbody>\n"
            .to_owned();
    for (name, ev, shares) in actions {
        let class = if json["best"] == **name { " class=\"best\"" } else { "" };
        html += &format!(
            "<tr{class}><th scope=\"row\">{}</th><td class=\"number\">{ev:+.5}</td><td>{}</td><td>{}</td></tr>\n",
            escape(&action_words(name)),
            ev_bar(ev, most),
            share_bar(shares)
        );
    }
    html + "</tbody></table></div>\n"
}

/// Names the actions in the tables of an answer as the tables at which they are played do.
fn with_labels(entry: &SolverEntry, html: String) -> String {
    let names = registry::find(entry.game).map(|game| (game.action_names)()).unwrap_or_default();
    names
        .iter()
        .fold(html, |html, name| html.replace(&format!(">{name}</td>"), &format!(">{}</td>", action_words(name))))
}

/// Returns the place for a deck of cards or tiles, which a script fills. `entry.hands` begins with the number of them.
fn deck_html(entry: &SolverEntry) -> String {
    let (pieces, kind) = match entry.hands.and_then(|hands| hands.split(' ').next()) {
        Some("two") => (2, ""),
        Some("four") => (4, " data-tiles"),
        Some("five") => (5, " data-joker"),
        Some("seven") => (7, " data-joker"),
        _ => return String::new(),
    };
    format!("<div id=\"deck\" data-pieces=\"{pieces}\"{kind} hidden></div>\n")
}

fn form(request: &Request, entry: &SolverEntry) -> String {
    let value = |name: &str| escape(request.value(name).unwrap_or_default());
    let mut fields = deck_html(entry);
    // The rules of a link also hold for the next hand, unless their field is emptied.
    for (name, value) in request.prefixed(SET) {
        let (name, value) = (escape(name), escape(value));
        fields += &format!(
            "<div class=\"field\"><label for=\"set-{name}\">{name}</label>\
             <input id=\"set-{name}\" name=\"{SET}{name}\" value=\"{value}\" autocomplete=\"off\"></div>\n"
        );
    }
    for spec in options(entry) {
        fields += &format!(
            "<div class=\"field\"><label for=\"{name}\">{label}</label>\
             <input id=\"{name}\" name=\"{name}\" value=\"{value}\" autocomplete=\"off\"><p class=\"quiet\">{help}</p></div>\n",
            name = spec.name,
            label = spec.name.replace('-', " "),
            value = value(spec.name),
            help = escape(spec.help.split(';').next().unwrap_or_default()),
        );
    }
    format!(
        include_str!("../serve/assets/hand.html"),
        path = PATH,
        game = entry.game,
        hand = value("hand"),
        help = escape(entry.hands.unwrap_or_default()),
        fields = fields,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_drawn() {
        assert!(ev_bar(-0.5, 1.0).contains("class=\"loss\" x=\"30.0\" y=\"1\" width=\"30.0\""));
        assert!(ev_bar(3.0, 3.0).contains("class=\"win\" x=\"60.0\" y=\"1\" width=\"60.0\""));
        assert!(share_bar([0.5, 0.25, 0.25]).contains("class=\"loss\" x=\"90.0\" y=\"1\" width=\"30.0\""));
    }
}
