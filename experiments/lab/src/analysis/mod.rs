//! Analyses of individual games.
//!
//! - `hand_page` is the page of the web app for a hand of any game.
//! - `unused` lists the rules that can't change what a command computes.
//! - [`pai_gow`] audits and compares house ways, and solves the full game for any pair of strategies.

mod hand_page;
pub mod pai_gow;
mod unused;

use crate::play::Layout;
use crate::serve::{GET, Method, Route, WebSection};
use houseway_env::registry;
pub use unused::{refuse_unused_rules, unused_rules};

/// The layouts of games that are played at a table.
pub const LAYOUTS: &[Layout] =
    &[pai_gow::play::LAYOUT, pai_gow::play::KNOWN_CARDS, pai_gow::play::TABLE_LAYOUT, pai_gow::play::FACE_UP];

const BOTH: &[Method] = &[Method::Get, Method::Post];

const ANALYZE: WebSection = WebSection {
    path: "/",
    title: "Analyze",
    routes: &[
        Route("/", BOTH, &[], |request, services, _| {
            // The page is about the game that comes first unless it is asked for another one.
            let is_other = request.value("game").is_some_and(|name| name != registry::games()[0].name);
            Ok(if is_other { hand_page::page(request, services) } else { pai_gow::web::page(request, services) })
        }),
        Route(hand_page::PATH, GET, &[], |request, services, _| Ok(hand_page::page(request, services))),
        Route("/api/ev", BOTH, &pai_gow::web::EV, |request, _, _| Ok(pai_gow::web::ev_json(request))),
        Route("/api/set", BOTH, &pai_gow::web::SETTING, |request, _, _| Ok(pai_gow::web::set_json(request))),
    ],
};

pub const WEB_SECTIONS: &[WebSection] = &[ANALYZE, pai_gow::web::HOUSE_WAYS, crate::drill::SECTION];
