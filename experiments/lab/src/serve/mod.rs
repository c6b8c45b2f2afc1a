//! A local web app with pages and a JSON API, served over HTTP/1.1. All static files are compiled into the program.
//!
//! [`serve`] accepts connections. [`App`] routes requests to [`WebSection`]s, to [`Jobs`], to tables and to the
//! reports in a results folder. Work that takes seconds runs as a job, which is started with POST, observed with GET
//! and canceled with DELETE. The book's chapter `reference/http-api.md` lists all requests, keys and errors.
//!
//! # Security
//! - The server listens on a loopback address unless a different address is given.
//! - The host in a request must be an IP address, `localhost` or a name that the user allowed, so other names cannot be
//!   pointed at this server. Requests that change something must come from a page with the same origin.
//! - Requests are limited in size, duration and number. Jobs are limited in number and are canceled when nobody asks
//!   for them anymore. So is what the coach of a table computes.
//! - The paths in requests are never opened. Only files on a list are served, which is read at startup, and again when
//!   the list or learning curves are requested.
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
pub use help::{HELP, chapter, set_book};
pub use http::*;
pub use jobs::*;
pub use results::*;
pub use server::*;
pub use tables::*;
