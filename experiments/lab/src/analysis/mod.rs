//! Analyses of individual games.
//!
//! - `hand_page` is the page of the web app for a hand of any game.
//! - [`pai_gow`] audits and compares house ways, and solves the full game for any pair of strategies.

mod hand_page;
pub mod pai_gow;

use crate::play::Layout;
use crate::serve::{Request, Response, Services, WebSection};

/// The layouts of games that are played at a table.
pub const LAYOUTS: &[Layout] =
    &[pai_gow::play::LAYOUT, pai_gow::play::KNOWN_CARDS, pai_gow::play::TABLE_LAYOUT, pai_gow::play::FACE_UP];

const ANALYZE: WebSection = WebSection { path: "/", title: "Analyze", respond: analyze };

fn analyze(request: &Request, services: &Services) -> Option<Response> {
    hand_page::respond(request, services).or_else(|| pai_gow::web::analyze(request, services))
}

pub const WEB_SECTIONS: &[WebSection] = &[ANALYZE, pai_gow::web::HOUSE_WAYS, crate::drill::SECTION];
