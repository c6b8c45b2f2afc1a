//! The page for analyzing a hand, and the corresponding API.

use super::answer::answer_html;
use super::form::form_html;
use super::setup::Setup;
use crate::analysis::pai_gow::commands::set::set_json;
use crate::report::answer_text;
use crate::serve::{Method, Request, Response, Services, escape};
use houseway_env::pai_gow::Hand;
use houseway_exact::answer::Answer;
use houseway_exact::pai_gow::load_strategies;
use houseway_exact::solver::Control;
use serde_json::Value;

/// Responds to a request. Returns `None` if its path belongs to another page.
pub(super) fn respond(request: &Request, services: &Services) -> Option<Response> {
    let answer = match (request.method, request.path.as_str()) {
        (Method::Get, "/") => return Some(page(request, services)),
        (Method::Get, "/api/ev") => Setup::new(request).and_then(|setup| ev(request, &setup)).map(|answer| answer.json),
        (Method::Get, "/api/set") => Setup::new(request).and_then(|setup| set(request, &setup)),
        _ => return None,
    };
    Some(match answer {
        Ok(json) => Response::json(200, &json),
        Err(reason) => Response::error(422, &reason),
    })
}

fn hand(request: &Request) -> Result<&str, String> {
    request.value("hand").ok_or_else(|| "missing hand: use e.g. hand=As Kd Jk 7c 7d 2h 3s".to_owned())
}

fn ev(request: &Request, setup: &Setup) -> Result<Answer, String> {
    let solver = setup.solver(request.value("front")).map_err(|error| error.to_string())?;
    solver.value(hand(request)?, &Control::default()).map_err(|error| error.to_string())
}

fn set(request: &Request, setup: &Setup) -> Result<Value, String> {
    let (game, hand): (_, Hand) = (setup.game()?, hand(request)?.parse().map_err(|error| format!("{error}"))?);
    let ways = load_strategies(&[&setup.way], &setup.assignments, &game).map_err(|error| error.to_string())?;
    Ok(set_json(&game, &ways[0], hand))
}

/// Returns the page with the form. If the request has a hand, the page also shows the answer or an error.
fn page(request: &Request, services: &Services) -> Response {
    let setup = Setup::new(request).map(Setup::without_foreign_readings);
    let answer = match (&setup, request.value("hand")) {
        (Err(reason), _) => Some(Err(reason.clone())),
        (Ok(_), None) => None,
        (Ok(setup), Some(_)) => Some(ev(request, setup).and_then(|answer| {
            let ways = setup.ways().map_err(|error| error.to_string())?;
            Ok(answer_html(&answer.json, &ways[0], &answer_text(&answer), &request.query_text))
        })),
    };
    let (status, answer) = match answer {
        None => (200, introduction()),
        Some(Ok(html)) => (200, html),
        Some(Err(reason)) => (422, format!("<p class=\"error\" role=\"alert\">{}</p>\n", escape(&reason))),
    };
    let contents = format!(
        "<h1>Analyze a hand</h1>\n{}<section id=\"answer\" aria-label=\"Answer\">\n{answer}</section>\n",
        form_html(request, setup.ok().as_ref())
    );
    services.page(status, "/", "Analyze", &["analyse.js"], &contents)
}

fn introduction() -> String {
    "<p>Choose seven cards to see the exact EV of every setting over all 53,524,680 banker hands, as in \
     <a href=\"/?hand=As+Kd+Jk+7c+7d+2h+3s\">this example</a>.</p>\n"
        .to_owned()
}
