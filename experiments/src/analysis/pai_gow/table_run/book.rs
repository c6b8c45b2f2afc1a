//! Cache of outcome counts between commands.

use crate::analysis::pai_gow::progress::with_progress;
use crate::run::{cannot_read, cannot_write_by, check_writable, write_atomic};
use houseway_env::pai_gow::Game;
use houseway_exact::pai_gow::banking::PairBook;
use houseway_exact::pai_gow::whole::Run;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Default folder of the cache.
pub const CACHE: &str = "results/.cache";

/// Calls a function with the cache of counts in a folder, and saves new counts. Returns `None` if it was asked to stop.
///
/// # Errors
/// If the cache cannot be read or written.
pub fn with_book<T>(
    folder: &Path,
    game: &Game,
    stop: &AtomicBool,
    work: impl FnOnce(&mut PairBook<'_>, &Run<'_>) -> Option<T>,
) -> io::Result<Option<T>> {
    // An unusable folder shows before the work.
    let usable = std::fs::create_dir_all(folder).and_then(|()| check_writable(folder));
    usable.map_err(|error| cannot_write_by("--counts", folder, error))?;
    let path: PathBuf = folder.join(format!("pairs-{}.json", game.rules().hash()));
    let mut book = match path.exists() {
        true => {
            let text = std::fs::read_to_string(&path).map_err(|error| cannot_read(&path, error))?;
            let wrong = |error| cannot_read(&path, io::Error::new(io::ErrorKind::InvalidData, error));
            PairBook::from_json(game, &text).map_err(wrong)?
        }
        false => PairBook::new(game),
    };
    let known = book.len();
    let result = with_progress("counting", stop, |run| work(&mut book, run));
    if book.len() > known {
        write_atomic(&path, book.to_json() + "\n")?;
    }
    Ok(result)
}
