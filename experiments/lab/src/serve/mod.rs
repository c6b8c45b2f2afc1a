//! A local web app with pages and a JSON API, served over HTTP/1.1. All static files are compiled into the program.
//!
//! [`serve`] accepts connections. [`App`] finds the [`Route`] of a request, which belongs to a [`WebSection`], to jobs, to
//! tables or to the reports in a results folder. Work that takes seconds runs as a job, which is started with POST,
//! observed with GET and canceled with DELETE. The book's chapter `reference/http-api.md` lists all requests, keys and
//! errors.
//!
//! # Security
//! - The server listens on a loopback address unless a different address is given.
//! - The host in a request must be an IP address, `localhost` or a name that the user allowed, so other names cannot be
//!   pointed at this server. Requests that change something must come from a page with the same origin.
//! - Requests are limited in size, duration and number. Jobs are limited in number and are canceled when nobody asks
//!   for them anymore. So is what the coach of a table computes.
//! - The paths in requests are never opened. Only files on a list are served, which is read at startup, and again when
//!   the list or learning curves are requested.
//! - Pages don't load anything from elsewhere and don't contain inline scripts or styles. This is enforced by a
//!   Content-Security-Policy.

mod curves;
mod help;
mod http;
mod index;
mod jobs;
mod results;
mod server;
mod tables;

pub use help::{HELP, chapter, set_book};
pub use http::*;
pub use jobs::*;
pub use results::*;
pub use server::*;
use tables::*;

use crate::play::Layout;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

const TURN: Duration = Duration::from_secs(60);
pub const GET: &[Method] = &[Method::Get];
pub const POST: &[Method] = &[Method::Post];

/// The routes that belong to no section.
const ROUTES: &[Route] = &[
    Route("/api/jobs/*", &[Method::Get, Method::Delete], &[], job),
    Route("/api/play", POST, TABLE, |request, services, _| services.tables.create(request, services.layouts)),
    Route("/api/play/*/coach", &[Method::Delete], &[], |_, services, id| services.tables.pause_coach(id)),
    Route("/api/play/*/rounds", GET, &[], |_, services, id| services.tables.rounds(id)),
    Route("/api/play/*", &[Method::Get, Method::Post, Method::Delete], &[], |request, services, id| {
        services.tables.respond(request, id)
    }),
    Route("/assets/*", GET, &[], |_, _, name| asset(name).ok_or_else(not_found)),
    Route("/help/*", GET, &[], |_, services, name| help::respond(name, services).ok_or_else(not_found)),
    Route("/results/*", GET, &[], |request, services, name| {
        services.results.respond(request, name, services).ok_or_else(not_found)
    }),
    Route("/rules/*", GET, &[], |_, services, name| rules_page(name, services).ok_or_else(not_found)),
    Route(PLAY, GET, &[], |_, services, _| Ok(play_page(services))),
];

/// An address with a `*` for any text, its methods, its parameters, and the function that responds. A parameter that ends
/// with a dot is a prefix. The API refuses all others, and pages ignore them unless they check them.
pub struct Route(pub &'static str, pub &'static [Method], pub &'static [&'static str], pub Respond);

/// Responds to a request. The last argument is the text in place of the `*`.
type Respond = fn(&Request, &Services, &str) -> Result<Response, Refused>;

impl Route {
    /// Returns the text in place of the `*` in a path with this address.
    fn rest<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.0.split_once('*') {
            Some((start, end)) => path.strip_prefix(start)?.strip_suffix(end),
            None => (path == self.0).then_some(""),
        }
    }
}

pub struct App {
    sections: &'static [WebSection],
    services: Services,
    names: Vec<String>,
}

impl App {
    /// Creates an app with the given sections and with tables for all games. The first section provides the start page.
    /// `names` are host names for [`check_origin`].
    pub fn new(
        sections: &'static [WebSection],
        layouts: &'static [Layout],
        results: Results,
        names: Vec<String>,
    ) -> App {
        let links = sections.iter().map(|section| (section.path, section.title));
        let help = help::has_book().then_some((HELP, "Help"));
        let navigation = links.chain([(PLAY, "Play"), (RESULTS, "Results")]).chain(help).collect();
        App { sections, services: Services::new(navigation, layouts, results), names }
    }

    /// Cancels jobs that nobody asks for anymore, and makes the decisions at tables whose time is up.
    pub fn tick(&self) {
        self.services.jobs.cancel_older_than(PATIENCE);
        self.services.tables.tick();
    }

    pub fn end(&self) {
        self.services.jobs.cancel_older_than(Duration::ZERO);
        self.services.tables.end();
    }

    pub fn respond(&self, request: &Request, address: SocketAddr) -> Response {
        let answer = check_origin(request, address, &self.names).and_then(|()| self.route(request));
        answer.unwrap_or_else(|Refused(status, reason)| self.refusal(request, status, &reason))
    }

    fn refusal(&self, request: &Request, status: u16, reason: &str) -> Response {
        if request.is_api() {
            return Response::error(status, reason);
        }
        let title = phrase(status);
        let contents = format!(
            "<h1>{title}</h1>\n{}<p>You can <a href=\"/\">analyze a hand</a>, <a href=\"{PLAY}\">play</a> or \
             <a href=\"{RESULTS}\">look at results</a>.</p>\n",
            error_html(reason)
        );
        self.services.page(status, "", title, &[], &contents)
    }

    fn route(&self, request: &Request) -> Result<Response, Refused> {
        // Addresses of folders end with a slash, and those of other pages don't.
        let bare = request.path.trim_end_matches('/');
        let folder = [RESULTS, HELP].into_iter().find(|folder| folder.trim_end_matches('/') == bare);
        let is_whole = bare.is_empty() || request.path.starts_with(RESULTS);
        let path = folder.unwrap_or(if is_whole { &request.path } else { bare });
        let of_sections = self.sections.iter().flat_map(|section| section.routes);
        // Only those of sections compute for long.
        let mut routes = ROUTES.iter().zip([false; ROUTES.len()]).chain(of_sections.map(|route| (route, true)));
        let found = routes.find_map(|(route, is_long)| Some((route, is_long, route.rest(path)?)));
        let (Route(_, methods, names, respond), is_long, rest) = found.ok_or_else(not_found)?;
        if !methods.contains(&request.method) {
            let allowed: Vec<&str> = methods.iter().map(|method| method.names()).collect();
            let allowed = allowed.join(", ");
            let refusal = self.refusal(request, 405, &format!("this address only supports {allowed}"));
            return Ok(refusal.with_header("Allow", allowed));
        }
        if request.is_api() {
            request.check_names(names).map_err(invalid)?;
        }
        let busy = || Refused(429, "the server is busy with other requests; try again soon".to_owned());
        let _turn = is_long.then(|| self.services.gate.enter(TURN).ok_or_else(busy)).transpose()?;
        respond(request, &self.services, rest)
    }
}

fn job(request: &Request, services: &Services, id: &str) -> Result<Response, Refused> {
    let jobs = &services.jobs;
    let found = if request.method == Method::Delete { jobs.cancel(id) } else { jobs.ask(id) };
    found.map(|job| Response::json(200, &job)).ok_or_else(|| Refused(404, "there is no such job".to_owned()))
}

fn not_found() -> Refused {
    Refused(404, "there is no such page".to_owned())
}

#[derive(Clone, Copy)]
pub struct WebSection {
    pub path: &'static str,
    pub title: &'static str,
    pub routes: &'static [Route],
}

pub struct Services {
    pub jobs: Jobs,
    pub navigation: Vec<(&'static str, &'static str)>,
    pub layouts: &'static [Layout],
    results: Results,
    tables: Tables,
    gate: Arc<Gate>,
}

/// Locks a mutex. A request that panicked doesn't end the others.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Services {
    fn new(navigation: Vec<(&'static str, &'static str)>, layouts: &'static [Layout], results: Results) -> Services {
        let threads = thread::available_parallelism().map_or(2, Into::into);
        let (jobs, tables, gate) = (Jobs::default(), Tables::default(), Arc::new(Gate::new(threads)));
        Services { jobs, navigation, layouts, results, tables, gate }
    }

    /// Returns a complete page with the given contents. `current` is the path of the main page to mark, and `scripts` are
    /// the names of the script assets to load.
    pub fn page(&self, status: u16, current: &str, title: &str, scripts: &[&str], contents: &str) -> Response {
        let mut links = String::new();
        for (path, title) in &self.navigation {
            let mark = if *path == current { " aria-current=\"page\"" } else { "" };
            links += &format!("<li><a href=\"{path}\"{mark}>{}</a></li>", escape(title));
        }
        let script = |name: &&str| format!("<script src=\"/assets/{name}\" defer></script>\n");
        let scripts: String = scripts.iter().map(script).collect();
        let html = format!(
            include_str!("assets/page.html"),
            title = escape(title),
            scripts = scripts,
            links = links,
            contents = contents
        );
        Response::new(status, "text/html; charset=utf-8", html.into_bytes())
    }
}

/// Escapes the characters that have a special meaning in HTML. The result can be used as content or in a quoted
/// attribute.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            other => escaped.push(other),
        }
    }
    escaped
}

pub fn error_html(reason: &str) -> String {
    format!("<p class=\"error\" role=\"alert\">{}</p>\n", escape(reason))
}

const ASSETS: &[(&str, &str, &str)] = &[
    ("style.css", "text/css; charset=utf-8", include_str!("assets/style.css")),
    ("icon.svg", "image/svg+xml", include_str!("assets/icon.svg")),
    ("analyse.js", "text/javascript; charset=utf-8", include_str!("assets/analyse.js")),
    ("cards.js", "text/javascript; charset=utf-8", include_str!("assets/cards.js")),
    ("dom.js", "text/javascript; charset=utf-8", include_str!("assets/dom.js")),
    ("drill.js", "text/javascript; charset=utf-8", include_str!("assets/drill.js")),
    ("felt.js", "text/javascript; charset=utf-8", include_str!("assets/felt.js")),
    ("own-way.js", "text/javascript; charset=utf-8", include_str!("assets/own-way.js")),
    ("play.js", "text/javascript; charset=utf-8", include_str!("assets/play.js")),
    ("report.js", "text/javascript; charset=utf-8", include_str!("assets/report.js")),
    ("results.js", "text/javascript; charset=utf-8", include_str!("assets/results.js")),
    ("curves.js", "text/javascript; charset=utf-8", include_str!("assets/curves.js")),
    ("ways.js", "text/javascript; charset=utf-8", include_str!("assets/ways.js")),
];

pub fn asset(name: &str) -> Option<Response> {
    let (_, kind, text) = ASSETS.iter().find(|(known, ..)| *known == name)?;
    Some(Response::new(200, kind, text.as_bytes()))
}

/// A gate that lets a limited number of threads through at a time.
pub struct Gate {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A permit to be inside. Dropping it lets the next thread through.
pub struct Permit(Arc<Gate>);

impl Gate {
    pub fn new(permits: usize) -> Gate {
        Gate { free: Mutex::new(permits), freed: Condvar::new() }
    }

    /// Waits for a permit. Returns `None` if none becomes available within the time limit.
    pub fn enter(self: &Arc<Gate>, limit: Duration) -> Option<Permit> {
        let waited = self.freed.wait_timeout_while(lock(&self.free), limit, |free| *free == 0);
        let (mut free, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *free == 0 {
            return None;
        }
        *free -= 1;
        Some(Permit(Arc::clone(self)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *lock(&self.0.free) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_markup() {
        assert_eq!(escape("<a href='x'>\"&\""), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;");
        let services = Services::new(vec![("/", "A & B")], &[], Results::list(vec![]));
        let page = services.page(200, "/", "</title>", &["a.js"], "");
        let html = String::from_utf8_lossy(&page.body);
        assert!(
            html.contains("<title>&lt;/title&gt; ·") && html.contains("aria-current=\"page\">A &amp; B<"),
            "{html}"
        );
    }

    #[test]
    fn all_files_together_are_small() {
        let size: usize = ASSETS.iter().map(|(.., text)| text.len()).sum();
        assert!(size < 300_000, "{size} bytes");
        assert!(asset("style.css").is_some() && asset("../style.css").is_none());
    }

    #[test]
    fn permits_are_returned() {
        let (gate, short) = (Arc::new(Gate::new(2)), Duration::from_millis(5));
        let first = gate.enter(short).unwrap();
        let _second = gate.enter(short).unwrap();
        assert!(gate.enter(short).is_none());
        drop(first);
        assert!(gate.enter(short).is_some());
    }
}
