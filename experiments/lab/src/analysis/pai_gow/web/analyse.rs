//! The page for analyzing a hand, and the corresponding API.

use super::answer::answer_html;
use super::form::form_html;
use super::setup::{Setup, TextError};
use crate::analysis::hand_page::games_html;
use crate::analysis::pai_gow::set;
use crate::report::answer_text;
use crate::serve::{Method, Request, Response, Services, escape};
use houseway_env::cards::CardSet;
use houseway_env::pai_gow::{GAME, Hand};
use houseway_exact::answer::Answer;
use houseway_exact::pai_gow::{KnownCards, NamedStrategy, hand_answer, setting_with_front};
use houseway_exact::solver::{DeadCards, SolverError};

/// Responds to a request. Returns `None` if its path belongs to another page.
pub fn respond(request: &Request, services: &Services) -> Option<Response> {
    let answer = match (request.method, request.path.as_str()) {
        (Method::Get | Method::Post, "/") => return Some(page(request, services)),
        (Method::Get | Method::Post, "/api/ev") => {
            Setup::with_own(request).and_then(|setup| ev(request, &setup)).map(|answer| answer.json)
        }
        (Method::Get | Method::Post, "/api/set") => {
            Setup::with_own(request).and_then(|setup| set_answer(request, &setup)).map(|answer| answer.json)
        }
        _ => return None,
    };
    Some(match answer {
        Ok(json) => Response::json(200, &json),
        Err(error) => error.response(Setup::names_own(request)),
    })
}

fn hand(request: &Request) -> Result<Hand, TextError> {
    let hand = request.value("hand").ok_or_else(|| "missing hand: use e.g. hand=As Kd Jk 7c 7d 2h 3s".to_owned())?;
    Ok(hand.parse().map_err(SolverError::invalid)?)
}

fn ev(request: &Request, setup: &Setup) -> Result<Answer, TextError> {
    let (game, hand) = (setup.game()?, hand(request)?);
    let dead: CardSet = setup.dead.parse().map_err(|error| format!("invalid dead cards: {error}"))?;
    let known = KnownCards::new(hand, DeadCards::from(dead))?;
    let front = request.value("front").map(|front| setting_with_front(hand, front)).transpose()?;
    let [way, banker] = setup.strategies(&game)?;
    Ok(hand_answer(&game, known, &NamedStrategy::Exact(way), Some(&banker), front))
}

fn set_answer(request: &Request, setup: &Setup) -> Result<Answer, TextError> {
    let (game, hand) = (setup.game()?, hand(request)?);
    let [way, _] = setup.strategies(&game)?;
    Ok(set::answer(&game, &NamedStrategy::Exact(way), hand))
}

/// Returns the page with the form. If the request has a hand, the page also shows the answer or an error. A POST
/// request contains the text of a house way in its body.
fn page(request: &Request, services: &Services) -> Response {
    let setup = Setup::with_own(request).map(Setup::without_foreign_readings);
    let answer = match (&setup, request.value("hand")) {
        (Err(error), _) => Some(Err(error.clone())),
        (Ok(_), None) => None,
        (Ok(setup), Some(_)) => Some(ev(request, setup).and_then(|answer| {
            let ways = setup.ways()?;
            Ok(answer_html(request, &setup.game()?, &answer.json, &ways[0], &answer_text(&answer)))
        })),
    };
    let is_asked = answer.is_some();
    let (status, answer) = match answer {
        None => (200, introduction()),
        Some(Ok(html)) => (200, html),
        Some(Err(error)) => (422, error_html(&error)),
    };
    let answer = format!("<section id=\"answer\" aria-label=\"Answer\">\n{answer}</section>\n");
    let form = form_html(request, setup.ok().as_ref());
    // The page is shown from its top, where the answer or the error must be.
    let (first, second) = if is_asked { (answer, form) } else { (form, answer) };
    let class = if is_asked { "analysis asked" } else { "analysis" };
    let games = games_html(GAME.name);
    let contents = format!("{games}<h1>Analyze a hand</h1>\n<div class=\"{class}\">{first}{second}</div>");
    services.page(status, "/", "Analyze", &["analyse.js", "own-way.js"], &contents)
}

fn error_html(TextError { line, message }: &TextError) -> String {
    let (mark, place) = match line {
        Some(line) => (format!(" data-line=\"{line}\""), format!("Line {line} of your house way: ")),
        None => (String::new(), String::new()),
    };
    format!("<p class=\"error\" role=\"alert\"{mark}>{place}{}</p>\n", escape(message))
}

fn introduction() -> String {
    "<p>Choose seven cards to see the exact EV of every setting over all 53,524,680 banker hands, as in \
     <a href=\"/?hand=As+Kd+Jk+7c+7d+2h+3s\">this example</a>.</p>\n"
        .to_owned()
}
