//! A local web app: pages and a JSON API over HTTP/1.1, from files that are part of the program.
//!
//! [`Server`] accepts connections, [`App`] routes requests to [`WebSection`]s, to [`Jobs`] and to the reports of a results
//! folder. Work that takes seconds is a job: it is started with POST, observed with GET and cancelled with DELETE.
//!
//! | request | answer |
//! |---|---|
//! | `GET /api/jobs/ID` | `{"job", "state": "running", "stage", "done", "total"}`, and `"state": "done"` with `"result"`, or `"failed"` or `"cancelled"` with `"error"` |
//! | `DELETE /api/jobs/ID` | cancels the job; the answer is that of GET |
//!
//! | `POST /api/play?game=NAME` | status 201 and the state of a new table; `seed`, `bankroll` and `set.KEY=VALUE` are optional |
//! | `GET /api/play/ID` | the state of the table, with what the coach has found meanwhile |
//! | `POST /api/play/ID` | carries out the line in the body, one of `houseway play --plain`; the answer is the state with its events |
//! | `DELETE /api/play/ID` | ends the session |
//!
//! Errors are `{"error": "..."}` with status 400 (invalid request), 403 or 421 (another site or host), 404, 405, 408 (too
//! slow), 413 or 431 (too large), 422 (invalid input), 429 (too many jobs or requests) or 503 (too many connections).
//!
//! # Safety
//! - The address is a loopback address unless another one is given.
//! - The host of a request must be an IP address or `localhost`, so no other name can be made to point here, and a request
//!   that changes something must come from a page of the same origin.
//! - Requests are limited in size, time and number, jobs in number; a job is cancelled when nobody asks for it any more.
//! - No path of a request is opened: the results are listed at the start and served from that list.
//! - Pages load nothing from elsewhere and contain no script or style of their own (Content-Security-Policy).

mod app;
mod assets;
mod gate;
mod html;
mod http;
mod jobs;
mod origin;
mod play_page;
mod results;
mod section;
mod server;
mod tables;

pub use app::App;
pub use html::{escape, page};
pub use http::{Method, Request, Response};
pub use jobs::{JobProgress, Jobs};
pub use results::Results;
pub use section::{Services, WebSection};
pub use server::Server;
