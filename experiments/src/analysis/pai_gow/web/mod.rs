//! The web app's pages for analyzing and practicing Pai Gow Poker hands and for reading and editing house ways.
//!
//! | request | answer |
//! |---|---|
//! | `GET /?hand=…` | the page for a hand, which works without scripts |
//! | `GET /ways`, `GET /ways?way=NAME` | a list of the built-in house ways, or a single one as a sheet with an editor |
//! | `GET /api/ev?hand=…` | the output of `houseway ev HAND --json`; `way`, `banker`, `front` and `dead` work like the
//! command's options |
//! | `GET /api/set?hand=…` | the output of `houseway set HAND --json`; `way` works like the command's option |
//! | `GET /api/ways` | the built-in house ways as `[{"name", "title", "source", "rules": n}]` |
//! | `GET /api/way?way=NAME` | a house way's TOML, as text |
//! | `POST /api/check` | the output of `houseway check --json` for the TOML in the body; errors also have the key
//! `line` |
//! | `POST /api/diff?from=NAME` | status 202 and a job; its result is the output of `houseway diff NAME FILE --json`
//! for the TOML in the body, and `banker` and `as` work like the command's options |
//! | `POST /api/drill` | the next hand of a drill as `{"record", "number", "hand", "review"}`; the body is the `record`
//! from the previous response, or empty for a new drill, whose hands depend on `seed` |
//! | `POST /api/drill/answer?hand=…&front=…` | the judgment as `{"record", "answer", "text", "score"}`, where `answer` and
//! `score` have the same keys as in `houseway drill --json`; `front` can also be `house` or `skip` |
//! | `POST /api/drill/csv` | all answers of the `record` in the body, as `houseway drill --export` writes them |
//!
//! All requests accept `set.KEY=VALUE`, which works like the option `--set KEY=VALUE`, except that `diff` doesn't
//! accept readings of house ways. House ways must be built in and are given by name. Files are never read, and `random`
//! isn't supported because it takes several seconds.

mod analyse;
mod answer;
mod drill;
mod form;
mod setup;
mod sheet;
mod ways;

use crate::serve::WebSection;

/// The web app's sections.
pub const SECTIONS: &[WebSection] = &[
    WebSection { path: "/", title: "Analyze", respond: analyse::respond },
    WebSection { path: "/ways", title: "House ways", respond: ways::respond },
    WebSection { path: "/drill", title: "Drill", respond: drill::respond },
];
