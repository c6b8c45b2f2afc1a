//! A cache of outcome counts that is shared between commands.

use crate::analysis::pai_gow::progress::with_progress;
use crate::run::{FileLock, cannot_read, cannot_write_by, check_writable, read_own_text, write_atomic};
use houseway_env::pai_gow::Game;
use houseway_exact::pai_gow::banking::PairBook;
use houseway_exact::pai_gow::whole::Run;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The default cache folder.
pub const CACHE: &str = "results/.cache";

/// Calls a function with the counts cached in a folder, and saves new counts. Returns `None` if it is stopped.
pub fn with_book<T>(
    folder: &Path,
    game: &Game,
    stop: &AtomicBool,
    work: impl FnOnce(&mut PairBook<'_>, &Run<'_>) -> Option<T>,
) -> io::Result<Option<T>> {
    // Report an unusable folder before the computation starts.
    let usable = std::fs::create_dir_all(folder).and_then(|()| check_writable(folder));
    usable.map_err(|error| cannot_write_by("--counts", folder, error))?;
    let path: PathBuf = folder.join(format!("pairs-{}.json", game.rules().hash()));
    let mut book = read(&path, game)?;
    let known = book.len();
    let result = with_progress("counting", stop, |run| work(&mut book, run));
    if book.len() > known {
        // Another command may have saved pairs in the meantime.
        let _lock = FileLock::file(&path, true)?;
        book.add(read(&path, game)?);
        write_atomic(&path, book.to_json() + "\n")?;
    }
    Ok(result)
}

/// Reads a cache, which is empty if the file doesn't exist.
fn read<'a>(path: &Path, game: &'a Game) -> io::Result<PairBook<'a>> {
    if !path.exists() {
        return Ok(PairBook::new(game));
    }
    let wrong = |error| cannot_read(path, io::Error::new(io::ErrorKind::InvalidData, error));
    PairBook::from_json(game, &read_own_text(path)?).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;
    use houseway_env::seal::Seal;
    use serde_json::json;

    /// Returns a cache with one pair, as saved by the command that counted it.
    fn counted<'a>(game: &'a Game, player: &str) -> PairBook<'a> {
        let pair = json!({
            "bank": "a", "player": player, "wins": "8250459031214400", "pushes": "0", "losses": "0"
        });
        let document = json!({ "rules": game.rules().hash(), "pairs": [pair] });
        let text = Seal::new("houseway-pairs", 2).of_one_version().seal(&document).to_string();
        PairBook::from_json(game, &text).unwrap()
    }

    #[test]
    fn commands_that_share_a_cache_keep_each_others_pairs() {
        let (folder, game) = (tempfile::tempdir().unwrap(), Game::new(Rules::default()));
        let stop = AtomicBool::new(false);
        let outer = with_book(folder.path(), &game, &stop, |book, _| {
            book.add(counted(&game, "b"));
            // A second command starts and ends while the first one is counting.
            with_book(folder.path(), &game, &stop, |other, _| {
                assert_eq!(other.len(), 0);
                other.add(counted(&game, "c"));
                Some(())
            })
            .unwrap()
        });
        assert_eq!(outer.unwrap(), Some(()));
        let pairs = with_book(folder.path(), &game, &stop, |book, _| Some(book.len())).unwrap();
        assert_eq!(pairs, Some(2));
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, 1, "the lock file should have been removed");
    }
}
