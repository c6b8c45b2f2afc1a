//! The web app's pages for analyzing Pai Gow Poker hands and for reading and editing house ways.
//!
//! The page for a hand, `/?hand=…`, works without scripts. `/ways` lists the built-in house ways, and `/ways?way=NAME` is
//! a single one as a sheet with an editor. The requests of the API are listed in the book. House ways are built in and given
//! by name, or in the body of the request. Files are never read, and `random` isn't supported because it takes several
//! seconds.

mod analyse;
mod answer;
mod ways;

pub use analyse::{EV, SETTING, ev_json, page, set_json};

use crate::play::check_way;
use crate::run::plain_words;
use crate::serve::{Request, Response, WebSection};
use houseway_env::pai_gow::house_way::{BUILT_IN, HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::pai_gow::{Tabulated, WAY_PREFIX, choose_readings};
use houseway_exact::solver::SolverError;
use serde_json::json;
use std::cell::LazyCell;

pub const HOUSE_WAYS: WebSection = WebSection { path: "/ways", title: "House ways", routes: ways::ROUTES };

/// The name that stands for a house way of the user's own, and the name of an edited copy.
const OWN: &str = "my-way";

#[derive(Clone, Debug)]
struct Setup {
    /// The name of the strategy to compare with.
    way: String,
    banker: String,
    /// The house way from the request's body, if [`OWN`] is one of the names.
    own: Option<Way>,
    /// The changes to rules, as `key=value`.
    assignments: Vec<String>,
}

/// An error in a request, with the line number if it is in the text of a house way.
#[derive(Clone, Debug)]
struct TextError {
    /// The line number, starting at 1.
    line: Option<usize>,
    message: String,
}

impl From<WayError> for TextError {
    fn from(error: WayError) -> TextError {
        match error {
            WayError::Line { line, message, .. } => TextError { line: Some(line), ..message.into() },
            error => error.to_string().into(),
        }
    }
}

impl From<SolverError> for TextError {
    fn from(error: SolverError) -> TextError {
        error.to_string().into()
    }
}

impl From<String> for TextError {
    fn from(message: String) -> TextError {
        TextError { line: None, message: plain_words(&message) }
    }
}

impl TextError {
    /// Returns the response of the API. It has the key `line` if a house way was in the request.
    fn response(&self, has_text: bool) -> Response {
        let mut json = json!({ "error": self.message });
        if has_text {
            json["line"] = self.line.into();
        }
        Response::json(422, &json)
    }
}

/// Checks that a house way is built in and returns its name. Other names are rejected, because requests must never read
/// files, and because enumerating a banker who sets at random takes seconds.
fn way_name(name: &str) -> Result<&str, String> {
    check_way(BUILT_IN, name).map(|()| name)
}

fn way_in_body(request: &Request) -> Result<Way, TextError> {
    let text = std::str::from_utf8(&request.body).map_err(|_| "the house way is not valid UTF-8".to_owned())?;
    Ok(Way::parse(text, &format!("{OWN}.toml"))?)
}

impl Setup {
    /// Reads the setup from a request. The name [`OWN`] stands for the house way in the body.
    fn with_own(request: &Request) -> Result<Setup, TextError> {
        if !Setup::names_own(request) {
            return Ok(Setup::new(request, None)?);
        }
        if request.body.is_empty() {
            let reason =
                format!("{OWN} stands for a house way of your own, which is not part of the address; send its TOML");
            return Err(reason.into());
        }
        Ok(Setup::new(request, Some(way_in_body(request)?))?)
    }

    fn names_own(request: &Request) -> bool {
        ["way", "banker"].iter().any(|side| request.value(side) == Some(OWN))
    }

    /// Reads the setup from a request. Strategies must be built in, unless there is an `own` one.
    fn new(request: &Request, own: Option<Way>) -> Result<Setup, String> {
        let assignments = request.assignments()?;
        let name = |side: &str| match request.value(side).unwrap_or(Way::DEFAULT) {
            OWN if own.is_some() => Ok(OWN.to_owned()),
            name => way_name(name).map(str::to_owned),
        };
        let (way, banker) = (name("way")?, name("banker")?);
        Ok(Setup { way, banker, own, assignments })
    }

    /// Drops readings of other built-in house ways than the two strategies, such as readings left over from a previous
    /// choice.
    fn without_foreign_readings(mut self) -> Setup {
        let ways = self.plain_ways().unwrap_or_default();
        let is_in = |ways: &[Way], name: &str| ways.iter().flat_map(Way::readings).any(|reading| reading.name == name);
        let built_in =
            LazyCell::new(|| BUILT_IN.iter().filter_map(|(name, _)| Way::named(name).ok()).collect::<Vec<_>>());
        self.assignments.retain(|assignment| match assignment.strip_prefix(WAY_PREFIX) {
            None => true,
            Some(reading) => {
                let name = reading.split('=').next().unwrap_or_default();
                is_in(&ways, name) || !is_in(&built_in, name)
            }
        });
        self
    }

    fn plain_ways(&self) -> Result<Vec<Way>, WayError> {
        let way = |name: &&String| self.own.clone().filter(|_| *name == OWN).map_or_else(|| Way::named(name), Ok);
        [&self.way, &self.banker].iter().map(way).collect()
    }

    /// Returns the strategy to compare with and the banker's strategy, with their readings.
    fn ways(&self) -> Result<Vec<Way>, TextError> {
        let mut ways = self.plain_ways()?;
        choose_readings(&mut ways, &self.assignments)?;
        Ok(ways)
    }

    fn strategies(&self, game: &Game) -> Result<[Tabulated; 2], TextError> {
        let compile = |way: Way| Ok::<_, TextError>(Tabulated::from(HouseWay::shared(way, game)?));
        let compiled = self.ways()?.into_iter().map(compile).collect::<Result<Vec<_>, _>>()?;
        compiled.try_into().map_err(|_| "expected two house ways".to_owned().into())
    }

    fn game(&self) -> Result<Game, String> {
        let mut of_game = self.assignments.iter().filter(|assignment| !assignment.starts_with(WAY_PREFIX));
        let rules = of_game.try_fold(Rules::default(), |rules, assignment| rules.with(assignment));
        rules.map(Game::new).map_err(|error| error.to_string())
    }
}
