//! The page for practicing hands, and its API. The server doesn't keep drills. Every request contains the drill as JSON,
//! and the response returns it with the changes.

use super::form::way_options;
use super::setup::Setup;
use crate::analysis::pai_gow::drill::{DrillRecord, HandSource, Question, Score};
use crate::play::random_seed;
use crate::serve::{Method, Request, Response, Services};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Strategy};
use houseway_exact::pai_gow::BankerTable;
use serde_json::{Value, json};
use std::sync::Arc;

/// The maximum number of answers in a drill. Requests with longer drills could be too large.
const MAX_ANSWERS: usize = 500;

/// A drill with everything that its questions depend on.
struct Drill {
    game: Game,
    way: Arc<HouseWay>,
    banker: Arc<HouseWay>,
    record: DrillRecord,
}

/// Responds to a request. Returns `None` if its path belongs to another page.
pub(super) fn respond(request: &Request, services: &Services) -> Option<Response> {
    let json = |value: Value| Response::json(200, &value);
    let answer = match (request.method, request.path.as_str()) {
        (Method::Get, "/drill") => {
            return Some(services.page(200, "/drill", "Drill", &["cards.js", "download.js", "drill.js"], &page()));
        }
        (Method::Post, "/api/drill") => Drill::new(request).and_then(Drill::ask).map(json),
        (Method::Post, "/api/drill/answer") => Drill::new(request).and_then(|drill| drill.answer(request)).map(json),
        (Method::Post, "/api/drill/csv") => csv(request),
        _ => return None,
    };
    Some(answer.unwrap_or_else(|reason| Response::error(422, &reason)))
}

/// Parses the drill in the request body. Returns `None` if the body is empty.
fn record(request: &Request) -> Result<Option<DrillRecord>, String> {
    let text = std::str::from_utf8(&request.body).map_err(|_| "the drill is not valid UTF-8".to_owned())?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    DrillRecord::parse(text).map(Some).map_err(|reason| format!("invalid drill: {reason}"))
}

/// Returns all answers as CSV. This doesn't depend on the rules and house ways.
fn csv(request: &Request) -> Result<Response, String> {
    let record = record(request)?.ok_or("missing drill: the body must contain one")?;
    let csv = record.csv().map_err(|error| error.to_string())?;
    Ok(Response::new(200, "text/csv; charset=utf-8", csv))
}

impl Drill {
    /// Returns the drill in the request body, or a new one if the body is empty.
    fn new(request: &Request) -> Result<Drill, String> {
        let setup = Setup::new(request)?;
        let game = setup.game()?;
        let compile = |way: Way| HouseWay::shared(way, &game).map_err(|error| error.to_string());
        let ways = setup.ways().map_err(|error| error.to_string())?;
        let ways = ways.into_iter().map(compile).collect::<Result<Vec<_>, String>>()?;
        let [way, banker] = &ways[..] else { return Err("expected two house ways".to_owned()) };
        let (way, banker) = (Arc::clone(way), Arc::clone(banker));
        let id = format!("{} {}", game.rules().hash(), banker.hash());
        let Some(record) = record(request)? else {
            let seed = request.value("seed").map(|seed| seed.parse::<u64>()).transpose();
            let seed = seed.map_err(|_| "invalid seed: expected a number".to_owned())?.unwrap_or_else(random_seed);
            return Ok(Drill { game, way, banker, record: DrillRecord::new(id, seed) });
        };
        if record.game != id {
            let reason = "the drill has other rules or another banker; use the same ones, or start a new drill";
            return Err(reason.to_owned());
        }
        if record.answers.len() >= MAX_ANSWERS {
            return Err(format!("the drill is complete: download its {MAX_ANSWERS} answers and start a new drill"));
        }
        Ok(Drill { game, way, banker, record })
    }

    /// Calls `work` with the source of hands and the record.
    fn with_source<T>(
        &mut self,
        work: impl FnOnce(&HandSource<'_>, &mut DrillRecord) -> Result<T, String>,
    ) -> Result<T, String> {
        let table = BankerTable::new(&*self.banker);
        let source = HandSource::new(&self.game, &table, self.record.seed).map_err(|error| error.to_string())?;
        work(&source, &mut self.record)
    }

    fn ask(mut self) -> Result<Value, String> {
        let question = self.with_source(Question::next)?;
        Ok(json!({
            "record": self.record,
            "number": self.record.answers.len() + 1,
            "hand": question.hand.to_string(),
            "review": question.is_review,
        }))
    }

    /// Judges the front in a request, which can also be `house` or `skip`.
    fn answer(mut self, request: &Request) -> Result<Value, String> {
        let hand = request.value("hand").ok_or("missing hand")?;
        let front = request.value("front").ok_or("missing front")?;
        if front == "skip" {
            self.record.postpone(hand);
            return Ok(json!({ "record": self.record, "answer": Value::Null, "text": [], "score": self.score() }));
        }
        let mut question = self.with_source(|source, _| Question::again(source, hand))?;
        question.is_review = self.record.due().is_some_and(|review| review.hand == question.hand.to_string());
        let setting = match front {
            "house" => self.way.set(question.hand),
            front => question.parse_front(&self.game, front)?,
        };
        let answer = question.judge(&self.way, setting);
        let text = answer.sentences(&self.way, question.hand);
        self.record.add(answer.clone());
        Ok(json!({ "record": self.record, "answer": answer, "text": text, "score": self.score() }))
    }

    /// Returns the score for all answers in the drill, with its text.
    fn score(&self) -> Value {
        let score = Score::new(&self.record.answers);
        let mut json = json!(score);
        json["text"] = score.text(self.way.name()).into();
        json
    }
}

fn page() -> String {
    let ways = way_options(Way::DEFAULT);
    format!(
        "<h1>Drill</h1>\n\
         <p>Practice setting hands that house ways set wrong, and hands that you got wrong before.</p>\n\
         <noscript><p>This page requires JavaScript. Without it, run <code>houseway drill</code> in a terminal.</p></noscript>\n\
         <div id=\"drill\" hidden>\n<form id=\"start\" class=\"row\">\n\
         <div class=\"field\"><label for=\"way\">Compare with</label><select id=\"way\" name=\"way\">{ways}</select></div>\n\
         <div class=\"field\"><label for=\"banker\">The banker sets by</label><select id=\"banker\" name=\"banker\">{ways}</select></div>\n\
         <button type=\"submit\">Start a new drill</button></form>\n\
         <p id=\"message\" role=\"status\"></p>\n\
         <section id=\"table\" aria-labelledby=\"question\"><h2 id=\"question\">Hand</h2>\n\
         <div id=\"cards\" role=\"group\" aria-label=\"Your cards\"></div>\n\
         <div id=\"buttons\" role=\"group\" aria-label=\"Actions\"></div>\n</section>\n\
         <ul id=\"judgment\" aria-label=\"Judgment\" aria-live=\"polite\"></ul>\n\
         <section aria-labelledby=\"score-title\"><h2 id=\"score-title\">Score</h2>\n<p id=\"score\">No answers yet.</p>\n\
         <button type=\"button\" id=\"download\" hidden>Download all answers as CSV</button>\n\
         <p class=\"quiet\">This browser keeps the drill until you start a new one.</p></section>\n</div>\n"
    )
}
