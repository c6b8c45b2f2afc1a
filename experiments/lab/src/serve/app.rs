//! Routes each request to the part of the app that responds to it.

use super::assets::asset;
use super::gate::Gate;
use super::html::escape;
use super::http::{Method, Refused, Request, Response};
use super::listing::RESULTS;
use super::origin;
use super::play_page::{PLAY, play_page};
use super::results::Results;
use super::section::{Services, WebSection};
use super::tables::{TABLES, Tables};
use crate::play::Layout;
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

/// The maximum time that a request waits for its turn.
const TURN: Duration = Duration::from_secs(60);
/// The start of the path for requests about jobs.
const JOBS: &str = "/api/jobs/";

/// The web app.
pub struct App {
    sections: &'static [WebSection],
    services: Services,
    results: Results,
    tables: Tables,
    gate: Gate,
}

impl App {
    /// Creates an app with the given sections and with tables for all games. The first section provides the start page.
    pub fn new(sections: &'static [WebSection], layouts: &'static [Layout], results: Results) -> App {
        let links = sections.iter().map(|section| (section.path, section.title));
        let navigation = links.chain([(PLAY, "Play"), (RESULTS, "Results")]).collect();
        let threads = thread::available_parallelism().map_or(2, Into::into);
        let (services, tables) = (Services::new(navigation, layouts), Tables::new(layouts));
        App { sections, services, results, tables, gate: Gate::new(threads) }
    }

    /// Cancels jobs that nobody asks for anymore, and makes the decisions at tables whose time is up.
    pub(super) fn tick(&self) {
        self.services.jobs.cancel_forgotten();
        self.tables.tick();
    }

    /// Cancels all jobs and ends all sessions.
    pub(super) fn end(&self) {
        self.services.jobs.cancel_all();
        self.tables.end();
    }

    /// Responds to a request that was sent to the given address.
    pub(super) fn respond(&self, request: &Request, address: SocketAddr) -> Response {
        let answer = origin::check(request, address).and_then(|()| self.route(request));
        answer.unwrap_or_else(|Refused(status, reason)| self.refusal(request, status, &reason))
    }

    fn refusal(&self, request: &Request, status: u16, reason: &str) -> Response {
        if request.is_api() {
            return Response::error(status, reason);
        }
        let contents = format!("<h1>{status}</h1>\n<p class=\"error\" role=\"alert\">{}</p>\n", escape(reason));
        self.services.page(status, "", "Error", &[], &contents)
    }

    fn route(&self, request: &Request) -> Result<Response, Refused> {
        let path = request.path.as_str();
        if let Some(id) = path.strip_prefix(JOBS) {
            return self.job(request.method, id);
        }
        if let (Method::Get, Some(name)) = (request.method, path.strip_prefix("/assets/")) {
            return asset(name).ok_or_else(not_found);
        }
        if let (Method::Get, Some(name)) = (request.method, path.strip_prefix(RESULTS)) {
            return self.results.respond(request, name, &self.services).ok_or_else(not_found);
        }
        if (request.method, path) == (Method::Get, PLAY) {
            return Ok(play_page(&self.services, self.tables.layouts()));
        }
        if let Some(path) = path.strip_prefix(TABLES) {
            return self.tables.respond(request, path);
        }
        let busy = || Refused(429, "the server is busy with other requests; try again soon".to_owned());
        let _turn = self.gate.enter(TURN).ok_or_else(busy)?;
        self.sections.iter().find_map(|section| (section.respond)(request, &self.services)).ok_or_else(not_found)
    }

    fn job(&self, method: Method, id: &str) -> Result<Response, Refused> {
        let found = match method {
            Method::Get => self.services.jobs.ask(id),
            Method::Delete => self.services.jobs.cancel(id),
            Method::Post => {
                return Err(Refused(405, "jobs only support GET and DELETE".to_owned()));
            }
        };
        found.map(|job| Response::json(200, &job)).ok_or_else(|| Refused(404, "there is no such job".to_owned()))
    }
}

fn not_found() -> Refused {
    Refused(404, "there is no such page".to_owned())
}
