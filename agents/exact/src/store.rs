//! A store of the results of finished passes.
//!
//! An entry is a sealed file that is named by the hash of its question, so that every command finds the passes of all
//! others. Nothing depends on the store: an entry that is missing, damaged or foreign is computed again, and the folder
//! can be deleted at any time.

use houseway_env::files;
use houseway_env::rules::short_hash;
use houseway_env::seal::Seal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The seal of the entries. Other versions of the program may produce different results.
const SEAL: Seal = Seal::new("houseway-pass", 1).of_one_version();
/// The part of the entries' names after the hash. All other files in the folder belong to the user.
const ENDING: &str = ".pass";
/// The maximum size of all entries together, in bytes. A single one, such as the exact values of a large sample, can have
/// this size too.
const MAX_BYTES: u64 = 256 << 20;

/// A folder of results by question. Without a folder, it finds nothing and keeps nothing.
#[derive(Clone, Debug, Default)]
pub struct PassStore {
    folder: Option<PathBuf>,
    warn: Option<fn(&str)>,
}

impl PassStore {
    /// Opens a folder, which is created if necessary. If its entries are too large together, the oldest ones are
    /// removed. `warn` receives a message for each entry that can't be used or written.
    ///
    /// # Errors
    /// Returns an error if the folder can't be created or isn't writable.
    pub fn open(folder: &Path, warn: fn(&str)) -> io::Result<PassStore> {
        fs::create_dir_all(folder)?;
        let probe = folder.join(format!("{ENDING}.{}", unique()));
        fs::write(&probe, [])?;
        fs::remove_file(probe)?;
        remove_oldest(folder, MAX_BYTES)?;
        Ok(PassStore { folder: Some(folder.to_owned()), warn: Some(warn) })
    }

    /// Returns the result that was stored for a question.
    pub fn find<T: DeserializeOwned>(&self, question: &Value) -> Option<T> {
        let path = self.path(question)?;
        let reason = match files::read(&path, MAX_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => error.to_string(),
            Ok(bytes) => match parse(&bytes, question) {
                Ok(result) => return Some(result),
                Err(reason) => reason,
            },
        };
        self.warn(&format!("ignoring {}: {reason}; its result is computed again", path.display()));
        None
    }

    /// Stores a result. The question has to contain everything that determines it, except for the program's version.
    pub fn put(&self, question: &Value, result: &impl Serialize) {
        let Some(path) = self.path(question) else { return };
        let body = serde_json::to_vec(result).expect("results are plain data");
        if let Err(error) = write(&path, &SEAL.seal_bytes(question, &body)) {
            self.warn(&format!("cannot keep {}: {error}", path.display()));
        }
    }

    fn path(&self, question: &Value) -> Option<PathBuf> {
        let version = env!("CARGO_PKG_VERSION");
        let name = || short_hash([format!("{version} {question}").as_bytes()]);
        self.folder.as_ref().map(|folder| folder.join(name() + ENDING))
    }

    fn warn(&self, message: &str) {
        self.warn.inspect(|warn| warn(message));
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8], question: &Value) -> Result<T, String> {
    let (found, body): (Value, &[u8]) = SEAL.open_bytes(bytes).map_err(|error| error.to_string())?;
    if found != *question {
        return Err("it answers another question".to_owned());
    }
    serde_json::from_slice(body).map_err(|error| error.to_string())
}

/// Returns a part of a file name that no other process or thread uses.
fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Writes to a temporary file next to the final one and renames it, so that nobody sees a partially written file.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}", unique()));
    let temporary = PathBuf::from(name);
    files::replace(path, &temporary, bytes).inspect_err(|_| {
        // Only the first error is worth reporting.
        let _ = fs::remove_file(&temporary);
    })
}

/// Returns `true` for the name of an entry, finished or not.
fn is_entry(name: &str) -> bool {
    let Some((hash, rest)) = name.split_once(ENDING) else { return false };
    let is_unfinished =
        || rest.strip_prefix('.').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'-'));
    hash.bytes().all(|byte| byte.is_ascii_hexdigit()) && (rest.is_empty() || is_unfinished())
}

/// Removes the oldest entries, including unfinished ones of killed processes, until the others have at most `limit`
/// bytes.
fn remove_oldest(folder: &Path, limit: u64) -> io::Result<()> {
    let entry = |entry: DirEntry| {
        let found = entry.metadata().ok().filter(|found| found.is_file())?;
        entry.file_name().to_str().filter(|name| is_entry(name))?;
        Some((found.modified().unwrap_or(SystemTime::UNIX_EPOCH), found.len(), entry.path()))
    };
    let mut entries: Vec<_> = fs::read_dir(folder)?.filter_map(|found| entry(found.ok()?)).collect();
    entries.sort();
    let mut bytes: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, size, path) in entries {
        if bytes <= limit {
            break;
        }
        // Another process may have removed it.
        let _ = fs::remove_file(path);
        bytes -= size;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs::File;

    /// Returns an empty folder for a test, and a store in it.
    fn store(name: &str) -> (PathBuf, PassStore) {
        let folder = std::env::temp_dir().join(format!("houseway-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        let store = PassStore::open(&folder, |_| {}).unwrap();
        (folder, store)
    }

    #[test]
    fn a_result_is_found_unless_its_entry_was_changed() {
        let (folder, store) = store("store-test");
        let question = json!({ "rules": "a", "player": "b" });
        let other = json!({ "rules": "a", "player": "c" });
        assert_eq!(store.find::<[u128; 2]>(&question), None);
        let result = [1u128 << 100, 2];
        store.put(&question, &result);
        store.put(&other, &[3u128, 4]);
        assert_eq!((store.find(&question), store.find(&other)), (Some(result), Some([3, 4])));
        assert_eq!(store.find::<String>(&question), None, "another kind of result");
        let path = store.path(&question).unwrap();
        let bytes = fs::read(&path).unwrap();
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(parse::<[u128; 2]>(&changed, &question).is_err(), "bit {bit}");
        }
        for changed in [&bytes[..bytes.len() - 1], &fs::read(store.path(&other).unwrap()).unwrap(), b"", b"{}\n"] {
            fs::write(&path, changed).unwrap();
            assert_eq!(store.find::<[u128; 2]>(&question), None);
        }
        store.put(&question, &result);
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "no temporary files are left");
        assert_eq!(PassStore::default().find::<[u128; 2]>(&question), None);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_oldest_entries_make_room_and_other_files_stay() {
        let (folder, _) = store("store-limit-test");
        for (age, name) in
            ["0.pass", "a.pass.1-0", "b.pass", "notes.txt", "db.password", "c.passport"].into_iter().enumerate()
        {
            let file = File::create_new(folder.join(name)).unwrap();
            file.set_len(100).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(age as u64)).unwrap();
        }
        remove_oldest(&folder, 150).unwrap();
        let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        assert_eq!(names, ["b.pass", "c.passport", "db.password", "notes.txt"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
