//! The web app's pages for analyzing Pai Gow Poker hands and for reading and editing house ways.
//!
//! | request | answer |
//! |---|---|
//! | `GET /?hand=…`, `POST /?hand=…` | the page for a hand, which works without scripts |
//! | `GET /ways`, `GET /ways?way=NAME` | a list of the built-in house ways, or a single one as a sheet with an editor |
//! | `GET /api/ev?hand=…` | the output of `houseway ev HAND --json`; `way`, `banker`, `front` and `dead` work like the
//! command's options |
//! | `GET /api/set?hand=…` | the output of `houseway set HAND --json`; `way` works like the command's option |
//! | `POST /api/ev?hand=…`, `POST /api/set?hand=…` | the same; `way=my-way` and `banker=my-way` stand for the house way
//! whose TOML is in the body, and errors also have the key `line` |
//! | `GET /api/ways` | the built-in house ways as `[{"name", "title", "source", "rules": n}]` |
//! | `GET /api/way?way=NAME` | a house way's TOML, as text |
//! | `POST /api/check` | the output of `houseway check --json` for the TOML in the body; errors also have the key
//! `line` |
//! | `POST /api/diff?from=NAME` | status 202 and a job; its result is the output of `houseway diff NAME FILE --json`
//! for the TOML in the body, and `banker` and `as` work like the command's options |
//!
//! All requests accept `set.KEY=VALUE`, which works like the option `--set KEY=VALUE`, except that `diff` doesn't
//! accept readings of house ways. House ways are built in and given by name, or in the body of the request. Files are
//! never read, and `random` isn't supported because it takes several seconds.

mod analyse;
mod answer;
mod form;
mod setup;
mod sheet;
mod ways;

use crate::serve::WebSection;

pub use analyse::respond as analyze;

pub const HOUSE_WAYS: WebSection = WebSection { path: "/ways", title: "House ways", respond: ways::respond };
