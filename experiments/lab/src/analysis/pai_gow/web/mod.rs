//! The web app's pages for analyzing Pai Gow Poker hands and for reading and editing house ways.
//!
//! The page for a hand, `/?hand=…`, works without scripts. `/ways` lists the built-in house ways, and `/ways?way=NAME` is
//! a single one as a sheet with an editor. The requests of the API are listed in the book. House ways are built in and given
//! by name, or in the body of the request. Files are never read, and `random` isn't supported because it takes several
//! seconds.

mod analyse;
mod answer;
mod setup;
mod ways;

use crate::serve::WebSection;

pub use analyse::respond as analyze;

pub const HOUSE_WAYS: WebSection = WebSection { path: "/ways", title: "House ways", respond: ways::respond };
