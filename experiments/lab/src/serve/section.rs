//! The sections of the web app and the services that they share.

use super::html::page;
use super::http::{Request, Response};
use super::jobs::Jobs;
use crate::play::Layout;

/// A section of the web app, which consists of pages and their API.
#[derive(Clone, Copy)]
pub struct WebSection {
    /// The path of the section's first page.
    pub path: &'static str,
    /// The title in the navigation.
    pub title: &'static str,
    /// Responds to a request. Returns `None` if the request belongs to another section.
    pub respond: fn(&Request, &Services) -> Option<Response>,
}

/// The services that all sections share.
pub struct Services {
    pub jobs: Jobs,
    navigation: Vec<(&'static str, &'static str)>,
    layouts: &'static [Layout],
}

impl Services {
    /// Creates the services. `navigation` lists the paths and titles of the main pages.
    pub(super) fn new(navigation: Vec<(&'static str, &'static str)>, layouts: &'static [Layout]) -> Services {
        Services { jobs: Jobs::default(), navigation, layouts }
    }

    /// Returns the layouts of the games.
    pub fn layouts(&self) -> &'static [Layout] {
        self.layouts
    }

    /// Returns a response with a page. See [`page`] for the parameters.
    pub fn page(&self, status: u16, current: &str, title: &str, scripts: &[&str], contents: &str) -> Response {
        Response::html(status, page(&self.navigation, current, title, scripts, contents))
    }
}
