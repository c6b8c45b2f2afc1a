//! The page for analyzing a hand with its form, and the corresponding API.

use super::answer::answer_html;
use super::{OWN, Setup, TextError};
use crate::analysis::hand_page::{games_html, title};
use crate::analysis::pai_gow::set;
use crate::analysis::unused_rules;
use crate::report::answer_text;
use crate::serve::{Request, Response, SET, Services, escape};
use houseway_env::cards::CardSet;
use houseway_env::pai_gow::house_way::{BUILT_IN, CASINOS, Way};
use houseway_env::pai_gow::{GAME, Hand};
use houseway_exact::answer::Answer;
use houseway_exact::pai_gow::{KnownCards, NamedStrategy, hand_answer, setting_with_front};
use houseway_exact::solver::{DeadCards, SolverError, refuse_rules};

/// The parameters of `/api/ev`.
pub const EV: [&str; 7] = ["hand", "dead", "front", "way", "banker", "game", SET];
/// The parameters of `/api/set`.
pub const SETTING: [&str; 4] = ["hand", "way", "game", SET];

pub fn ev_json(request: &Request) -> Response {
    json(request, ev)
}

pub fn set_json(request: &Request) -> Response {
    json(request, set_answer)
}

fn json(request: &Request, answer: fn(&Request, &Setup) -> Result<Answer, TextError>) -> Response {
    match api_setup(request).and_then(|setup| answer(request, &setup)) {
        Ok(answer) => Response::json(200, &answer.json),
        Err(error) => error.response(Setup::names_own(request)),
    }
}

fn api_setup(request: &Request) -> Result<Setup, TextError> {
    if let Some(game) = request.value("game").filter(|&game| game != GAME.name) {
        return Err(format!("these addresses are for {}, not for '{game}'", GAME.name).into());
    }
    Setup::with_own(request)
}

fn hand(request: &Request) -> Result<Hand, TextError> {
    let hand = request.value("hand").ok_or_else(|| "missing hand: use e.g. hand=As Kd Jk 7c 7d 2h 3s".to_owned())?;
    Ok(hand.parse().map_err(SolverError::invalid)?)
}

fn ev(request: &Request, setup: &Setup) -> Result<Answer, TextError> {
    refuse_rules(&setup.assignments, &unused_rules("ev", GAME.name))?;
    let (game, hand) = (setup.game()?, hand(request)?);
    let dead = request.value("dead").unwrap_or_default().parse::<CardSet>();
    let dead = dead.map_err(|error| format!("invalid dead cards: {error}"))?;
    let known = KnownCards::new(hand, DeadCards::from(dead))?;
    let front = request.value("front").map(|front| setting_with_front(hand, front)).transpose()?;
    let [way, banker] = setup.strategies(&game)?;
    Ok(hand_answer(&game, known, &NamedStrategy::Exact(way), Some(&banker), front, false)?)
}

fn set_answer(request: &Request, setup: &Setup) -> Result<Answer, TextError> {
    refuse_rules(&setup.assignments, &unused_rules("set", GAME.name))?;
    let (game, hand) = (setup.game()?, hand(request)?);
    let [way, _] = setup.strategies(&game)?;
    Ok(set::answer(&game, &NamedStrategy::Exact(way), hand))
}

/// Returns the page with the form. If the request has a hand, the page also shows the answer or an error. A POST
/// request contains the text of a house way in its body.
pub fn page(request: &Request, services: &Services) -> Response {
    let setup = Setup::with_own(request).map(Setup::without_foreign_readings);
    let example = request.value("hand").is_none().then(|| request.with("hand", EXAMPLE));
    let asked = example.as_ref().unwrap_or(request);
    let answer = setup.clone().and_then(|setup| {
        let answer = ev(asked, &setup)?;
        let ways = setup.ways()?;
        // Dead cards block hands of the banker. What this changes is shown by the EVs without them.
        let has_dead = asked.value("dead").is_some_and(|dead| !dead.trim().is_empty());
        let without = has_dead.then(|| ev(&asked.with("dead", ""), &setup)).transpose()?.map(|answer| answer.json);
        let text = answer_text(&answer);
        Ok(answer_html(asked, &setup.game()?, &answer.json, without.as_ref(), &ways[0], &text))
    });
    let (status, answer) = match answer {
        Ok(html) => (200, html),
        Err(error) => (422, error_html(&error)),
    };
    let form = form_html(request, setup.ok().as_ref());
    let games = games_html(GAME.name);
    let introduction = if example.is_some() && status == 200 { INTRODUCTION } else { "" };
    // The page is shown from its top, where the answer or the error must be.
    let contents = format!(
        "{games}<h1>Analyze a hand</h1>\n{introduction}<div class=\"analysis asked\">\
         <section id=\"answer\" aria-label=\"Answer\">\n{answer}</section>\n{form}</div>"
    );
    let title = title(GAME.name, request.value("hand").unwrap_or_default().trim());
    services.page(status, "/", &title, &["dom.js", "analyse.js", "own-way.js"], &contents)
}

fn error_html(TextError { line, message }: &TextError) -> String {
    let (mark, place) = match line {
        Some(line) => (format!(" data-line=\"{line}\""), format!("Line {line} of your house way: ")),
        None => (String::new(), String::new()),
    };
    format!("<p class=\"error\" role=\"alert\"{mark}>{place}{}</p>\n", escape(message))
}

/// The hand that is shown until another one is chosen.
const EXAMPLE: &str = "As Kd Jk 7c 7d 2h 3s";

const INTRODUCTION: &str = "<p>Houseway computes what every way to set a hand is worth, exactly, over all 53,524,680 banker hands. This hand is \
     an example; <a href=\"#analyse\">choose your own seven cards</a>.</p>\n";

/// Returns the form, with an editor for a house way of the user's own. Its text isn't part of the form, because an address
/// can't hold it.
fn form_html(request: &Request, setup: Option<&Setup>) -> String {
    let cards = |name: &str| escape(request.value(name).unwrap_or_default());
    let [ways, bankers] = ["way", "banker"].map(|side| {
        let chosen = request.value(side).unwrap_or(Way::DEFAULT);
        let own = format!("<option value=\"{OWN}\"{}>my own</option>", selected(chosen == OWN));
        format!("{}<optgroup label=\"Your own\">{own}</optgroup>", way_options(chosen))
    });
    format!(
        include_str!("../../../serve/assets/analyse.html"),
        hand = cards("hand"),
        dead = cards("dead"),
        ways = ways,
        bankers = bankers,
        rules = rules_html(request, setup),
    )
}

pub(super) fn way_options(chosen: &str) -> String {
    let mut html = String::new();
    let (casinos, others) = BUILT_IN.split_at(CASINOS.len());
    for (label, files) in [("Casinos", casinos), ("Strategies", others)] {
        html += &format!("<optgroup label=\"{label}\">");
        for (name, _) in files {
            html += &format!("<option{}>{name}</option>", selected(*name == chosen));
        }
        html += "</optgroup>";
    }
    html
}

fn selected(is_selected: bool) -> &'static str {
    if is_selected { " selected" } else { "" }
}

fn rules_html(request: &Request, setup: Option<&Setup>) -> String {
    let (mut fields, mut changed) = (String::new(), 0);
    let mut choice = |name: &str, text: &str, about: &str, options: &[&str]| {
        let key = format!("{SET}{name}");
        let chosen = request.value(&key).filter(|&chosen| chosen != options[0]).unwrap_or_default();
        changed += usize::from(!chosen.is_empty());
        let id = key.replace('.', "-");
        fields += &format!(
            "<div class=\"field\"><label for=\"{id}\">{}</label><p class=\"quiet\" id=\"{id}-about\">{}</p>\
             <select id=\"{id}\" name=\"{key}\" aria-describedby=\"{id}-about\">",
            escape(text),
            escape(about.trim())
        );
        for (i, option) in options.iter().enumerate() {
            let value = if i == 0 { "" } else { option };
            fields += &format!(
                "<option value=\"{}\"{}>{}</option>",
                escape(value),
                selected(*option == chosen),
                escape(&option.replace('_', " "))
            );
        }
        fields += "</select></div>\n";
    };
    let unused = unused_rules("ev", GAME.name);
    for rule in GAME.choices().filter(|rule| !unused.contains(&rule.name)) {
        let doc = rule.doc.replace('\n', "");
        let first_sentence = doc.split_once(". ").map_or(&*doc, |(first, _)| first);
        choice(rule.name, &rule.name.replace('-', " "), first_sentence.trim_end_matches('.'), rule.options);
    }
    let mut seen: Vec<String> = Vec::new();
    for way in setup.and_then(|setup| setup.ways().ok()).unwrap_or_default() {
        for reading in way.readings().iter().filter(|reading| !seen.contains(&reading.name)) {
            let options: Vec<&str> = reading.options.iter().map(String::as_str).collect();
            let about = format!("A reading of {}", way.name());
            choice(&format!("way.{}", reading.name), &reading.text, &about, &options);
        }
        seen.extend(way.readings().iter().map(|reading| reading.name.clone()));
    }
    for (name, default) in GAME.parameters() {
        let (key, default) = (format!("{SET}{name}"), default.to_string());
        let (value, id) = (request.value(&key).unwrap_or_default(), key.replace('.', "-"));
        changed += usize::from(!value.is_empty());
        fields += &format!(
            "<div class=\"field\"><label for=\"{id}\">{}</label><input id=\"{id}\" name=\"{key}\" value=\"{}\" \
             placeholder=\"{}\" inputmode=\"decimal\" autocomplete=\"off\"></div>\n",
            name.replace('-', " "),
            escape(value),
            escape(default.trim_matches('"'))
        );
    }
    let open = if changed > 0 { " open" } else { "" };
    format!(
        "<details class=\"wide\"{open}><summary>Rules and readings</summary><div class=\"fields\">\n{fields}</div></details>\n"
    )
}
