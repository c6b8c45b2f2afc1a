//! The page for reading, editing, checking, and comparing house ways, and the corresponding API.

use super::analyse::way_options;
use super::{OWN, Setup, TextError, way_in_body, way_name};
use crate::analysis::pai_gow::check;
use crate::analysis::pai_gow::diff::Comparison;
use crate::serve::{GET, HELP, POST, Request, Response, Route, SET, Services, chapter, escape, invalid};
use houseway_env::pai_gow::house_way::{BUILT_IN, HouseWay, Rule, Way};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::format::grouped;
use houseway_exact::pai_gow::audit::{Prices, audit, ev_of};
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::{Run, Side};
use houseway_exact::pai_gow::{Tabulated, WAY_PREFIX};
use houseway_exact::solver::{Control, SolverError};
use serde_json::{Value, json};
use std::sync::Arc;

/// The parameters of a comparison.
const COMPARISON: &[&str] = &["from", "as", "banker", SET];

pub(super) const ROUTES: &[Route] = &[
    Route("/ways", GET, &[], |request, services, _| Ok(page(request, services))),
    Route("/api/ways", GET, &[], |_, _, _| Ok(Response::json(200, &list()))),
    Route("/api/way", GET, &["way"], |request, _, _| {
        let name = way_name(request.value("way").unwrap_or(Way::DEFAULT)).map_err(invalid)?;
        Ok(Response::new(200, "text/plain; charset=utf-8", way_text(name).into_bytes()))
    }),
    Route("/api/check", POST, &[SET], |request, _, _| {
        Ok(checked(request).map_or_else(|error| error.response(true), |json| Response::json(200, &json)))
    }),
    Route("/api/diff", POST, COMPARISON, |request, services, _| Ok(started(request, services, difference))),
    Route("/api/prices", POST, COMPARISON, |request, services, _| Ok(started(request, services, prices))),
];

/// Starts a job that compares the way in a request's body with another one.
fn started(
    request: &Request,
    services: &Services,
    job: fn(Comparison, &Control<'_>) -> Result<Value, SolverError>,
) -> Response {
    match compared(request) {
        Ok(comparison) => match services.jobs.start(move |control| job(comparison, control)) {
            Ok(job) => Response::json(202, &job),
            Err(reason) => Response::error(429, &reason),
        },
        Err(error) => error.response(true),
    }
}

fn list() -> Value {
    let ways = BUILT_IN.iter().filter_map(|(name, _)| Way::named(name).ok());
    let entry = |way: Way| json!({ "name": way.name(), "title": way.title(), "source": way.source(), "rules": way.active_rules().count() });
    ways.map(entry).collect()
}

fn way_text(name: &str) -> String {
    Way::text(name).unwrap_or_default()
}

fn checked(request: &Request) -> Result<Value, TextError> {
    let game = Setup::new(request, None)?.game()?;
    let way = way_in_body(request)?;
    let survey = way.survey(&game)?;
    let gaps = way.gaps(&game)?;
    Ok(check::answer(&way, &game, &survey, &gaps).json)
}

fn compared(request: &Request) -> Result<Comparison, TextError> {
    let setup = Setup::new(request, None)?;
    if setup.assignments.iter().any(|assignment| assignment.starts_with(WAY_PREFIX)) {
        let message = "readings cannot be chosen here; the first option of each reading is used".to_owned();
        return Err(message.into());
    }
    let game = setup.game()?;
    let from = way_name(request.value("from").unwrap_or(Way::DEFAULT))?;
    let banker = way_name(request.value("banker").unwrap_or(from))?;
    let side = match request.value("as").unwrap_or("player") {
        "player" => Side::Player,
        "banker" => Side::Banker,
        _ => return Err("invalid side: expected as=player or as=banker".to_owned().into()),
    };
    let exact = |way: Way| -> Result<Tabulated, TextError> { Ok(HouseWay::shared(way, &game)?.into()) };
    let to = Arc::new(HouseWay::compile(way_in_body(request)?, &game)?).into();
    let strategies = [exact(Way::named(from)?)?, to, exact(Way::named(banker)?)?];
    Ok(Comparison { game, side, strategies })
}

fn difference(comparison: Comparison, control: &Control<'_>) -> Result<Value, SolverError> {
    Ok(Run::with(control, "comparing", |run| comparison.answer(run))?.json)
}

/// Prices each rule of the changed way: the EV that its hands lose, and the change in EV without it.
fn prices(comparison: Comparison, control: &Control<'_>) -> Result<Value, SolverError> {
    let Comparison { game, side, strategies: [_, to, opponent] } = comparison;
    let way = to.way().ok_or_else(|| SolverError::invalid("only a house way has rules"))?;
    let whole = opponent.pass(&game, side)?.with_copies();
    let prices = Prices::new(way, &game);
    let payoff = BankedBy::House.payoff_of(side, &game.rules());
    let alternatives = Some(&prices.alternatives);
    let counts = Run::with(control, "pricing the rules", |run| audit(&whole, to.play(), alternatives, payoff, run))?;
    let rules = &way.survey().rules;
    let mut priced = vec![];
    for ((rule, loss), price) in rules.iter().zip(counts.by_rule(rules.len())).zip(&prices.rules) {
        let without = price.map(|alternative| {
            let change = counts.alternatives[alternative];
            change.json(ev_of(change.gain, counts.hands))
        });
        let mut json = loss.rule_json(counts.hands, ev_of(loss.lost, counts.hands), without);
        json["name"] = rule.name.clone().into();
        priced.push(json);
    }
    Ok(json!({ "rules": priced }))
}

fn page(request: &Request, services: &Services) -> Response {
    let name = request.value("way").unwrap_or(Way::DEFAULT);
    let compiled = way_name(name).and_then(|name| {
        let way = Way::named(name).map_err(|error| error.to_string())?;
        HouseWay::shared(way, &Game::new(Rules::default())).map_err(|error| error.to_string())
    });
    let mut contents = "<h1>House ways</h1>\n".to_owned();
    contents += &format!(
        "<form action=\"/ways\" method=\"get\" class=\"row\"><div class=\"field\"><label for=\"way\">House way</label>\
         <select id=\"way\" name=\"way\">{}</select></div><button type=\"submit\">Show</button></form>\n",
        way_options(name)
    );
    match compiled {
        Ok(compiled) => {
            let (sheet, editor) = (sheet_html(&compiled), editor_html(name));
            contents += &format!("<div class=\"bench\"><div>{sheet}</div>\n{editor}</div>\n");
            services.page(200, "/ways", compiled.way().title(), &["dom.js", "own-way.js", "ways.js"], &contents)
        }
        Err(reason) => {
            contents += &format!("<p class=\"error\" role=\"alert\">{}</p>\n", escape(&reason));
            services.page(422, "/ways", "House ways", &[], &contents)
        }
    }
}

/// Returns the editor, which starts with a renamed copy of a house way.
fn editor_html(name: &str) -> String {
    let copy = way_text(name).replacen(&format!("name = \"{name}\""), &format!("name = \"{OWN}\""), 1);
    format!(
        include_str!("../../../serve/assets/editor.html"),
        name = name,
        own = OWN,
        language = language_html(),
        text = escape(&copy),
        opponents = way_options(name),
    )
}

/// Says where the language of house ways is described.
fn language_html() -> String {
    const CHAPTER: &str = "reference/house-way-language.md";
    match chapter(CHAPTER) {
        Some(_) => format!("<a href=\"{HELP}{CHAPTER}\" target=\"_blank\">All shapes, conditions and words</a>"),
        None => "<code>houseway show language</code> prints all shapes, conditions and words.".to_owned(),
    }
}

/// Returns the sheet as HTML: the title, the source, the rules in order with the number of hands that each one sets,
/// and the readings.
fn sheet_html(compiled: &HouseWay) -> String {
    let (way, survey) = (compiled.way(), compiled.survey());
    let mut html = format!(
        "<h2>{}</h2>\n<p class=\"quiet\">{}; {} rules</p>\n",
        escape(way.title()),
        escape(way.source()),
        way.active_rules().count()
    );
    let mut counts = survey.rules.iter();
    html += "<ol class=\"sheet\">\n";
    for rule in way.rules() {
        let active = way.is_active(rule);
        let hands =
            if active { counts.find(|known| known.name == rule.name).map_or(0, |known| known.hands) } else { 0 };
        html += &rule_html(rule, active, hands, survey.hands);
    }
    html + "</ol>\n" + &readings_html(way)
}

fn rule_html(rule: &Rule, active: bool, hands: u64, all: u64) -> String {
    let remark = match active {
        true => format!("{} hands, {:.4}%", grouped(hands), 100.0 * hands as f64 / all as f64),
        false => {
            let readings = rule.readings.iter().map(|(name, option)| format!("{name} is {option}"));
            format!("only if {}", readings.collect::<Vec<_>>().join(" and "))
        }
    };
    let class = if active { "" } else { " class=\"inactive\"" };
    format!(
        "<li{class}><strong>{}</strong><p>{}</p><p class=\"quiet\">{}</p></li>\n",
        escape(&rule.name),
        escape(&rule.text),
        escape(&remark)
    )
}

fn readings_html(way: &Way) -> String {
    if way.readings().is_empty() {
        return String::new();
    }
    let mut html = "<h3>Readings</h3>\n<p class=\"quiet\">These sentences in the source can be read in more than one way. The first \
                    option is used.</p>\n<dl class=\"readings\">\n"
        .to_owned();
    for reading in way.readings() {
        html += &format!(
            "<dt>{}</dt><dd>{} <code>{}</code></dd>\n",
            escape(&reading.name),
            escape(&reading.text),
            escape(&reading.options.join(" | "))
        );
    }
    html + "</dl>\n"
}
