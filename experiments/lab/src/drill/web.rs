//! The page for practicing decisions, and its API, which the book's chapter `reference/http-api.md` describes. The server
//! doesn't keep drills. Every request contains the drill as JSON, and the response returns it with the changes. House
//! ways must be built in.

use super::{DrillRecord, DrillRequest, DrillSource, Question, Score, games};
use crate::play::{Layout, check_way, random_seed};
use crate::serve::{GET, POST, Refused, Request, Response, Route, SET, Services, WebSection, escape, invalid};
use houseway_env::registry;
use houseway_exact::solver::SolverConfig;
use serde_json::{Value, json};

pub const SECTION: WebSection = WebSection {
    path: PATH,
    title: "Drill",
    routes: &[
        Route(PATH, GET, &[], |_, services, _| {
            let contents = page(services.layouts);
            Ok(services.page(200, PATH, "Drill", &["dom.js", "cards.js", "drill.js"], &contents))
        }),
        Route("/api/drill", POST, SETUP, |request, services, _| respond(request, services, Drill::ask)),
        Route("/api/drill/answer", POST, ANSWER, |request, services, _| {
            respond(request, services, |drill| drill.answer(request))
        }),
        Route("/api/drill/csv", POST, SETUP, |request, _, _| csv(request).map_err(invalid)),
    ],
};

/// The parameters of a drill, and of an answer.
const SETUP: &[&str] = &["game", "way", "banker", "topic", "seed", SET];
const ANSWER: &[&str] = &["hand", "action", "game", "way", "banker", "topic", "seed", SET];
const PATH: &str = "/drill";
/// The maximum number of answers in a drill. Requests with longer drills could be too large.
const MAX_ANSWERS: usize = 500;

struct Drill {
    source: DrillSource,
    record: DrillRecord,
}

/// Responds with what a step of the drill in a request returns.
fn respond(
    request: &Request,
    services: &Services,
    step: impl FnOnce(Drill) -> Result<Value, String>,
) -> Result<Response, Refused> {
    let json = Drill::new(request, services.layouts).and_then(step).map_err(invalid)?;
    Ok(Response::json(200, &json))
}

/// Parses the drill in the request body. Returns `None` if the body is empty.
fn record(request: &Request) -> Result<Option<DrillRecord>, String> {
    let text = std::str::from_utf8(&request.body).map_err(|_| "the drill is not valid UTF-8".to_owned())?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    DrillRecord::parse(text).map(Some).map_err(|reason| format!("invalid drill: {reason}"))
}

/// Returns all answers as CSV. This doesn't depend on the game and its rules.
fn csv(request: &Request) -> Result<Response, String> {
    let record = record(request)?.ok_or("missing drill: the body must contain one")?;
    let csv = record.csv().map_err(|error| error.to_string())?;
    Ok(Response::new(200, "text/csv; charset=utf-8", csv))
}

fn source(request: &Request, layouts: &[Layout]) -> Result<DrillSource, String> {
    let game = request.value("game").unwrap_or(registry::games()[0].name);
    let game = registry::find(game).map_err(|error| error.to_string())?;
    let layout = Layout::find(layouts, game);
    let rules = SolverConfig { assignments: request.assignments()?, ..SolverConfig::default() };
    let [way, banker] = ["way", "banker"].map(|option| request.value(option).map(str::to_owned));
    way.iter().chain(&banker).try_for_each(|way| check_way(layout.ways, way))?;
    let topic = request.value("topic").map(str::trim).filter(|topic| !topic.is_empty()).map(str::to_owned);
    DrillRequest { game, rules, way, banker, topic }.source(layouts)
}

impl Drill {
    fn new(request: &Request, layouts: &[Layout]) -> Result<Drill, String> {
        let source = source(request, layouts)?;
        let Some(record) = record(request)? else {
            let seed = request.value("seed").map(|seed| seed.parse::<u64>()).transpose();
            let seed = seed
                .map_err(|_| "invalid seed: expected a number from 0 to 2^64 - 1".to_owned())?
                .unwrap_or_else(random_seed);
            let record = DrillRecord::new(source.id.clone(), seed);
            return Ok(Drill { source, record });
        };
        if record.game != source.id {
            let reason =
                "the drill has another game, other rules or another banker; use the same ones, or start a new drill";
            return Err(reason.to_owned());
        }
        if record.answers.len() >= MAX_ANSWERS {
            return Err(format!("the drill is complete: download its {MAX_ANSWERS} answers and start a new drill"));
        }
        Ok(Drill { source, record })
    }

    fn ask(mut self) -> Result<Value, String> {
        let question = Question::next(&self.source, &mut self.record)?;
        Ok(json!({
            "number": self.record.answers.len() + 1,
            "hand": question.position,
            "cards": question.cards(),
            "rest": question.beside(),
            "picks": self.source.layout.pick.map_or(0, |pick| pick.cards),
            "fouls": question.fouls().into_iter().map(|(places, reason)| json!({ "places": places, "reason": reason }))
                .collect::<Vec<_>>(),
            "actions": question.action_names(),
            "labels": question.labels(),
            "strategy": question.strategy(),
            "review": question.is_review,
            "record": self.record,
        }))
    }

    /// Judges the action in a request, which can also be `house` or `skip`.
    fn answer(mut self, request: &Request) -> Result<Value, String> {
        let hand = request.value("hand").ok_or("missing hand")?;
        let action = request.value("action").ok_or("missing action")?;
        if action == "skip" {
            self.record.postpone(hand);
            let score = score(&self.record, None);
            return Ok(json!({ "record": self.record, "answer": Value::Null, "text": [], "score": score }));
        }
        let is_review = self.record.due(|_| true).is_some_and(|review| review.hand == hand);
        let question = Question::again(&self.source, hand, is_review)?;
        let action = match (action, question.house_action()) {
            ("house", Some(action)) => action,
            (text, _) => question.parse_action(text)?,
        };
        let answer = question.judge(action);
        let text = question.sentences(&answer);
        self.record.add(answer.clone());
        let score = score(&self.record, question.strategy());
        Ok(json!({ "record": self.record, "answer": answer, "text": text, "score": score }))
    }
}

fn score(record: &DrillRecord, strategy: Option<&str>) -> Value {
    let score = Score::new(&record.answers);
    let mut json = json!(score);
    json["text"] = score.text(strategy).into();
    json
}

fn page(layouts: &[Layout]) -> String {
    let (mut options, mut fields) = (String::new(), String::new());
    for entry in games() {
        let Ok(game) = registry::find(entry.game) else { continue };
        let name = game.title.split(',').next().unwrap_or_default();
        let layout = Layout::find(layouts, game);
        // In games without topics, they become known with the answers.
        let solver = entry.solver(&SolverConfig::default());
        let topics = solver.iter().filter_map(|solver| solver.practice()).flat_map(|it| it.topics().to_vec());
        let topics = topics.collect::<Vec<_>>().join("|");
        options += &format!("<option value=\"{}\" data-topics=\"{topics}\">{}</option>", game.name, escape(name));
        // The script shows the house ways of the chosen game.
        if !layout.ways.is_empty() {
            let ways: String = layout.ways.iter().map(|(way, _)| format!("<option>{way}</option>")).collect();
            let is_compared = entry.options.iter().any(|spec| spec.name == "way");
            let selects =
                [("way", "Compare with"), ("banker", "The banker sets by")].into_iter().skip(usize::from(!is_compared));
            let selects = selects.map(|(name, label)| {
                format!(
                    include_str!("../serve/assets/drill-way.html"),
                    game = game.name,
                    name = name,
                    label = label,
                    ways = ways
                )
            });
            let selects: String = selects.collect();
            fields += &format!(include_str!("../serve/assets/drill-ways.html"), game = game.name, selects = selects);
        }
    }
    format!(include_str!("../serve/assets/drill.html"), options = options, fields = fields)
}
