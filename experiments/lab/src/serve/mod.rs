//! A local web app with pages and a JSON API, served over HTTP/1.1. All static files are compiled into the program.
//!
//! [`serve`] accepts connections. [`App`] routes requests to [`WebSection`]s, to [`Jobs`], to tables and to the
//! reports in a results folder. Work that takes seconds runs as a job, which is started with POST, observed with GET
//! and canceled with DELETE.
//!
//! | request | response |
//! |---|---|
//! | `GET /api/jobs/ID` | Returns `{"job", "state": "running", "stage", "done", "total"}` while the job is running. Afterwards, the state is `"done"` with a `"result"`, or `"failed"` or `"cancelled"` with an `"error"`. |
//! | `DELETE /api/jobs/ID` | Cancels the job. The response is the same as for GET. |
//! | `POST /api/play?game=NAME` | Opens a table and returns its state with status 201. The parameters `seed`, `bankroll`, `clock` (seconds for a decision), `coach`, `set.KEY=VALUE`, `option.KEY=VALUE` and `player.SEAT=PLAYER` are optional. The last four are options of `houseway play`, but house ways must be built in. |
//! | `GET /api/play/ID` | Returns the state of the table, including anything that the coach has found in the meantime. |
//! | `POST /api/play/ID` | Executes the line in the body as `houseway play --plain` would. Returns the state and the resulting events. |
//! | `DELETE /api/play/ID` | Ends the session. |
//! | `DELETE /api/play/ID/coach` | Cancels what the coach computes, for a page that closes. The next request about the table starts it again, and ten seconds without a request have the same effect. |
//! | `GET /rules/GAME` | Returns the rules of a game in words as a page. |
//! | `GET /help/CHAPTER.md` | Returns a chapter of the book as a page, and the list of chapters without a name. |
//! | `GET /results/FOLDER/curves/data` | Returns the training runs in a folder as `{"metrics": [name], "trainings": [{"name", "step", "hands", "values", "running"}]}`. |
//!
//! The state of a table is an object with these keys:
//!
//! | key | value |
//! |---|---|
//! | `table`, `game`, `title`, `seed` | the ID of the table, the name and the title of the game, and the seed for the cards |
//! | `rounds`, `bankroll`, `phase` | the number of finished rounds, the player's chips, and `"betting"`, `"deciding"` or `"over"` |
//! | `chips`, `spots` | the chips, and the circles that they can be laid into before the deal as `[{"title", "option", "key"}]` |
//! | `refusal` | the reason why DEAL isn't offered although there are bets, or null |
//! | `cards`, `chosen`, `picks` | the player's cards, the positions of the chosen cards from 0, and whether actions are chosen by cards |
//! | `foul` | the reason why CONFIRM isn't offered for the chosen cards, or null |
//! | `felt` | what the player sees on the table: `{"notes", "dice", "seats", "board", "bets", "actions"}`, as described for `PublicTable` in `houseway-env` |
//! | `headline` | the result of the round in two words, or null |
//! | `state`, `remark` | the state of the round, if the game doesn't describe the table, and a remark about the hand, as text or null |
//! | `clock` | null, or the seconds for the open decision as `{"left", "limit"}` |
//! | `buttons` | the possible commands as `[{"label", "key", "line", "first"}]`, where `line` is the text to send |
//! | `coach`, `advice`, `waiting` | the mode of the coach, its advice on the open decision, and whether it is still computing |
//! | `summary`, `chart` | the results of the session in sentences, and the net result after each of the last rounds |
//! | `events` | what the request caused, as in `houseway play --json` |
//!
//! Errors have the form `{"error": "..."}`. The status is 400 (invalid request), 403 or 421 (another site or host),
//! 404, 405, 408 (too slow), 413 or 431 (too large), 422 (invalid input), 429 (too many jobs or requests) or 503 (too
//! many connections).
//!
//! # Security
//! - The server listens on a loopback address unless a different address is given.
//! - The host in a request must be an IP address, `localhost` or a name that the user allowed, so other names cannot be
//!   pointed at this server. Requests that change something must come from a page with the same origin.
//! - Requests are limited in size, duration and number. Jobs are limited in number and are canceled when nobody asks
//!   for them anymore. So is what the coach of a table computes.
//! - The paths in requests are never opened. The available results are listed at startup, and again when the list or
//!   learning curves are requested. Only files on this list are served.
//! - Pages don't load anything from elsewhere and don't contain inline scripts or styles. This is enforced by a
//!   Content-Security-Policy.

mod app;
mod curves;
mod help;
mod http;
mod index;
mod jobs;
mod results;
mod server;
mod tables;

pub use app::*;
pub use help::set_book;
pub use http::*;
pub use jobs::*;
pub use results::*;
pub use server::*;
pub use tables::*;
