//! Pai Gow Poker in the web app: a hand analysed, and house ways read and edited.
//!
//! | request | answer |
//! |---|---|
//! | `GET /?hand=…` | the page of a hand, which works without scripts |
//! | `GET /ways`, `GET /ways?way=NAME` | the built-in house ways; one of them as a sheet, with an editor |
//! | `GET /api/ev?hand=…` | the document of `houseway ev HAND --json`; `way`, `banker` and `front` are those of the command |
//! | `GET /api/set?hand=…` | the document of `houseway set HAND --json`, with `way` |
//! | `GET /api/ways` | `[{"name", "title", "source", "rules": n}]`, the built-in house ways |
//! | `GET /api/way?way=NAME` | the TOML of one, as text |
//! | `POST /api/check` | the document of `houseway check --json` for the TOML in the body; an error has the key `line` as well |
//! | `POST /api/diff?from=NAME` | status 202 and a job whose result is the document of `houseway diff NAME FILE --json` for the TOML in the body; `banker` and `as` are those of the command |
//!
//! In each of them `set.KEY=VALUE` is the option `--set KEY=VALUE` of the command, except that `diff` takes no readings of
//! house ways. House ways are those built in, by name: files are not read, and `random`, which
//! takes seconds, is not answered.

mod analyse;
mod answer;
mod form;
mod setup;
mod sheet;
mod ways;

use crate::serve::WebSection;

/// The parts of the web app.
pub const SECTIONS: &[WebSection] = &[
    WebSection { path: "/", title: "Analyse", respond: analyse::respond },
    WebSection { path: "/ways", title: "House ways", respond: ways::respond },
];
