//! Text files bundled with the crate, and functions for reading files chosen by the user.
//!
//! Files outside the crate are only read with [`open`], [`read`] and [`read_text`]. These functions reject anything
//! that isn't a regular file, so a named pipe or a device can neither block the program nor fill its memory.

use serde::Deserialize;
use std::fs::{self, File, FileType};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The maximum size in bytes of a text file that is read as a whole, such as a configuration, a rules file, a house way
/// or a paytable.
pub const MAX_TEXT: u64 = 1_000_000;

/// Opens a regular file for reading.
///
/// # Errors
/// Returns an error if the file cannot be opened or isn't a regular file. The message does not include the path.
pub fn open(path: &Path) -> io::Result<File> {
    // Opening a named pipe blocks, so check the file type first.
    check_regular(fs::metadata(path)?.file_type())?;
    let file = File::open(path)?;
    check_regular(file.metadata()?.file_type())?;
    Ok(file)
}

fn check_regular(kind: FileType) -> io::Result<()> {
    if kind.is_file() {
        return Ok(());
    }
    let remedy = if kind.is_dir() { "name a file in it" } else { "save its contents to a file first" };
    let text = format!("it is {}, not a regular file; {remedy}", kind_name(kind));
    Err(io::Error::new(io::ErrorKind::InvalidInput, text))
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// Returns an error if [`open`] fails or the file is larger than `limit`.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_opened(open(path)?, limit)
}

/// Reads a file that has already been opened, in the same way as [`read`].
///
/// # Errors
/// Returns an error if it isn't a regular file, or if it is larger than `limit`.
pub fn read_opened(file: File, limit: u64) -> io::Result<Vec<u8>> {
    check_regular(file.metadata()?.file_type())?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let text = format!("it is larger than the maximum of {limit} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

/// Reads a text file of at most `limit` bytes. For files written by a user, use [`MAX_TEXT`] as the limit.
///
/// # Errors
/// Returns an error if [`read`] fails or the file is not valid UTF-8. The message includes the line number.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    to_text(read(path, limit)?)
}

/// Returns the content of a text file.
///
/// # Errors
/// Returns an error with the line number if it is not valid UTF-8.
pub fn to_text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is not valid UTF-8"))
    })
}

/// Removes a file, if it exists.
///
/// # Errors
/// Returns an error if the file exists and can't be removed.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Replaces a file by one with other content, which is first written to `new`, a path in the same folder. Whatever
/// happens, the file has either content.
///
/// # Errors
/// Returns an error if the new file can't be written or renamed.
pub fn replace(path: &Path, new: &Path, content: &[u8]) -> io::Result<()> {
    remove(new)?;
    let mut file = File::create_new(new)?;
    file.write_all(content)?;
    file.sync_all()?;
    rename(new, path)
}

/// Renames a file or a folder. Its new name survives a crash of the system.
///
/// # Errors
/// Returns an error if it can't be renamed, or if the folder of the new name can't be written.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_folder(to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// Makes changes of the names in a folder durable. Systems other than Unix can't open a folder as a file.
///
/// # Errors
/// Returns an error if the folder can't be written.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Renames a file that was damaged or can't be used, so that a new file can take its name. Returns the new path.
///
/// # Errors
/// Returns an error if the file can't be renamed.
pub fn keep_aside(path: &Path) -> io::Result<PathBuf> {
    let name = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".kept".to_owned() } else { format!(".kept-{number}") });
        PathBuf::from(name)
    };
    let aside = (1..).map(name).find(|aside| fs::symlink_metadata(aside).is_err()).expect("a number is free");
    fs::rename(path, &aside)?;
    Ok(aside)
}

/// Describes the type of a file that isn't a regular file, for use in messages.
pub fn kind_name(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "a special file" }
}

/// The name and content of a text file.
pub type NamedText = (&'static str, &'static str);

/// Builds an array with the name and content of each listed file in a folder of `env/`. Names don't include the `.toml`
/// extension.
macro_rules! built_in {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder, "/", $name, ".toml")))),+]
    };
}
pub(crate) use built_in;

/// Returns the content of the file with the given name, or `None` if there is no such file.
pub fn text_of(files: &[NamedText], name: &str) -> Option<&'static str> {
    files.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Returns the names of all files.
pub const fn names<const N: usize>(files: &[NamedText; N]) -> [&'static str; N] {
    let (mut names, mut i) = ([""; N], 0);
    while i < N {
        names[i] = files[i].0;
        i += 1;
    }
    names
}

/// Returns the line number of a byte offset in a text, starting from 1.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// An exact number in a file, written as a number or as a string.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number, or a number in quotation marks such as \"0.05\"")]
pub(crate) enum NumberText {
    Number(f64),
    Text(String),
}

/// Reads a parsed number from files, and formats it for them and for debugging as it is displayed.
macro_rules! impl_number_text {
    ($number:ident) => {
        impl TryFrom<$crate::files::NumberText> for $number {
            type Error = $crate::names::InvalidText;

            fn try_from(text: $crate::files::NumberText) -> Result<$number, Self::Error> {
                match text {
                    // The shortest decimal that parses to the same value is the one that was written in the file.
                    $crate::files::NumberText::Number(number) => number.to_string().parse(),
                    $crate::files::NumberText::Text(text) => text.parse(),
                }
            }
        }

        impl From<$number> for String {
            fn from(number: $number) -> String {
                number.to_string()
            }
        }

        impl ::std::fmt::Debug for $number {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use impl_number_text;

#[cfg(test)]
mod tests {
    use super::*;

    fn message(path: &str) -> String {
        read_text(Path::new(path), MAX_TEXT).unwrap_err().to_string()
    }

    #[test]
    fn only_regular_files_are_read() {
        assert!(
            read_text(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"), MAX_TEXT)
                .unwrap()
                .contains("houseway-env")
        );
        assert!(message(env!("CARGO_MANIFEST_DIR")).contains("it is a folder"));
        if cfg!(target_os = "linux") {
            for endless in ["/dev/zero", "/dev/random", "/dev/null"] {
                assert!(message(endless).contains("it is a device"), "{endless}");
            }
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_named_pipe_without_a_writer_does_not_block() {
        let pipe = std::env::temp_dir().join(format!("houseway-pipe-{}", std::process::id()));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = read_text(&pipe, MAX_TEXT).unwrap_err().to_string();
        fs::remove_file(&pipe).unwrap();
        assert!(error.contains("it is a named pipe"), "{error}");
    }

    #[test]
    fn size_and_encoding_are_checked() {
        let path = std::env::temp_dir().join(format!("houseway-text-{}", std::process::id()));
        fs::write(&path, vec![b'a'; MAX_TEXT as usize + 1]).unwrap();
        let large = read_text(&path, MAX_TEXT).unwrap_err().to_string();
        let allowed = read(&path, MAX_TEXT + 1).unwrap().len() as u64;
        fs::write(&path, b"a = 1\nb = \xff\n").unwrap();
        let binary = read_text(&path, MAX_TEXT).unwrap_err().to_string();
        fs::remove_file(&path).unwrap();
        assert!(large.contains("maximum of 1000000 bytes"), "{large}");
        assert_eq!(allowed, MAX_TEXT + 1);
        assert!(binary.contains("line 2"), "{binary}");
    }
}
