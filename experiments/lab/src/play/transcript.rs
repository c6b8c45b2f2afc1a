//! A session's history file.

use super::session::Session;
use crate::run::{cannot_write_by, write_atomic};
use houseway_env::files;
use std::fs::File;
use std::io;
use std::path::Path;

/// The maximum size of an existing history, in bytes.
const MAX_HISTORY: u64 = 1 << 30;

/// Opens a session's history. In most games, finished rounds are appended to the file. If rounds depend on earlier
/// ones, the file has to contain this session from the start and nothing else, so any missing rounds are added first.
///
/// # Errors
/// Returns an error if the file cannot be read or written, or if it belongs to another session.
pub(super) fn open_history(path: &Path, session: &mut Session) -> io::Result<File> {
    if session.is_continuous() {
        let lines = session.take_history();
        let known = if path.try_exists()? { files::read(path, MAX_HISTORY)? } else { vec![] };
        if !lines.starts_with(session.without_end(&known)) {
            let text = format!("{} belongs to another session; choose another file with --history", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        write_atomic(path, &lines)?;
    }
    let file = File::options().append(true).create(true).open(path);
    file.map_err(|error| io::Error::new(error.kind(), cannot_write_by("--history", path, error)))
}
