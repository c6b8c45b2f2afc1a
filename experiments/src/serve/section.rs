//! Parts of the web app, and the services that they use.

use super::html::page;
use super::http::{Request, Response};
use super::jobs::Jobs;

/// A part of the web app: pages and their API.
#[derive(Clone, Copy)]
pub struct WebSection {
    /// Path of its first page.
    pub path: &'static str,
    /// Title in the navigation.
    pub title: &'static str,
    /// Answers a request; none if it belongs to another part.
    pub respond: fn(&Request, &Services) -> Option<Response>,
}

/// Services for the parts of the web app.
pub struct Services {
    /// The jobs.
    pub jobs: Jobs,
    navigation: Vec<(&'static str, &'static str)>,
}

impl Services {
    /// Returns services for pages with these paths and titles.
    pub(super) fn new(navigation: Vec<(&'static str, &'static str)>) -> Services {
        Services { jobs: Jobs::default(), navigation }
    }

    /// Returns a page.
    pub fn page(&self, status: u16, current: &str, title: &str, scripts: &[&str], contents: &str) -> Response {
        Response::html(status, page(&self.navigation, current, title, scripts, contents))
    }
}
