//! Command failures.

use crate::run::{StartError, notice};
use houseway_exact::solver::SolverError;
use std::fmt;
use std::io;
use std::process::ExitCode;

/// The exit status for invalid usage or input.
const USAGE: u8 = 2;
/// The exit status for failed work.
const WORK: u8 = 1;

pub type CommandResult<T = ()> = Result<T, Failure>;

/// The maximum number of characters in a message. Longer messages are cut off, because an error may quote an entire
/// file.
const MAX_MESSAGE: usize = 2_000;

/// An error that ends a command without an answer.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    status: u8,
    message: String,
}

impl Failure {
    /// Creates a failure caused by invalid usage or input, with exit status 2.
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure { status: USAGE, message: message.to_string() }
    }

    /// Creates a failure of the work itself, with exit status 1.
    pub fn work(message: impl fmt::Display) -> Failure {
        Failure { status: WORK, message: message.to_string() }
    }

    /// Creates a silent failure with exit status 0, used when the reader of standard output has gone away.
    pub(super) fn no_reader() -> Failure {
        Failure { status: 0, message: String::new() }
    }

    /// Writes the message to standard error, as a line of JSON if requested, and returns the exit status.
    pub fn report(self, json: bool) -> ExitCode {
        let mut message = self.message.trim_end().to_owned();
        if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
            message.truncate(end);
            message += " ...";
        }
        match json {
            _ if self.status == 0 => {}
            true => notice(&serde_json::json!({ "error": message }).to_string()),
            false => notice(&format!("error: {message}")),
        }
        ExitCode::from(self.status)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::work(error)
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Failure {
        match error {
            StartError::Refused(text) => Failure::usage(text),
            StartError::Io(error) => Failure::work(error),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        error.downcast().unwrap_or_else(|error| Failure::work(format!("{error:#}")))
    }
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Failure {
        match error {
            SolverError::Invalid(text) => Failure::usage(text),
            error => Failure::work(error),
        }
    }
}

/// Converts errors about user input to usage failures.
pub trait OrUsage<T> {
    /// Returns the contained value, converting an error to a [`Failure::usage`].
    fn or_usage(self) -> CommandResult<T>;
}

impl<T, E: fmt::Display> OrUsage<T> for Result<T, E> {
    fn or_usage(self) -> CommandResult<T> {
        self.map_err(Failure::usage)
    }
}
