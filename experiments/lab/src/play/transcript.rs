//! A session's history file.

use super::session::Session;
use crate::run::{cannot_read, cannot_write_by, write_atomic};
use houseway_env::files;
use houseway_env::gym::read_episodes;
use std::fs::File;
use std::io;
use std::path::Path;

/// The maximum size of a history, in bytes.
pub const MAX_HISTORY: u64 = 1 << 30;

/// Opens a session's history. Finished rounds are appended to the file, which must be a history of the same game and
/// rules or empty. If rounds depend on earlier ones, it has to contain this session from the start and nothing else, so
/// any missing rounds are added first.
pub(super) fn open_history(path: &Path, session: &mut Session) -> io::Result<File> {
    let refused = |reason: &str| {
        let text = format!("{} {reason}; choose another file with --history", path.display());
        io::Error::new(io::ErrorKind::InvalidData, text)
    };
    let known = read_history(path)?;
    let body = session.without_end(&known);
    let mut lines = session.take_history();
    if session.is_continuous() {
        if !lines.starts_with(body) {
            return Err(refused("belongs to another session"));
        }
    } else {
        let record = session.record();
        let episodes = read_episodes(body).map_err(|_| refused("is not a history"))?;
        if episodes.iter().any(|episode| episode.env != record.env || episode.rules_hash != record.rules_hash) {
            return Err(refused("belongs to another game or to other rules"));
        }
        let is_closed = body.len() < known.len();
        let is_torn = !body.is_empty() && !body.ends_with(b"\n");
        if is_torn || is_closed && known[body.len()..] != session.close_history(body) {
            return Err(refused("was damaged or changed, as houseway play --verify shows"));
        }
        lines = [body, &lines].concat();
    }
    if lines != known || !path.exists() {
        write_atomic(path, &lines)?;
    }
    let file = File::options().append(true).open(path);
    file.map_err(|error| cannot_write_by("--history", path, error))
}

/// Reads a history, which is empty if the file doesn't exist.
pub(super) fn read_history(path: &Path) -> io::Result<Vec<u8>> {
    match files::read(path, MAX_HISTORY) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(vec![]),
        read => read.map_err(|error| cannot_read(path, error)),
    }
}
