//! Lists the configurations and the chapters of the book that come with the program, and records the commit from which
//! it is built.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// Folders and files that the program is built from, relative to the root of the repository.
const SOURCES: [&str; 13] = [
    "env/src",
    "env/docs",
    "env/house-ways",
    "env/paytables",
    "agents/exact/src",
    "agents/learned/src",
    "experiments/lab/src",
    "experiments/src",
    "experiments/book/src",
    "experiments/configs",
    "experiments/build.rs",
    "CONTRIBUTING.md",
    "Cargo.lock",
];

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    list_configs(&folder.join("configs"))?;
    list_book(&folder.join("book/src"))?;
    record_commit(&folder.join(".."));
    Ok(())
}

fn list_configs(folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths: Vec<_> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let entries = paths.iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        format!("({name:?}, include_str!({path:?})),\n")
    });
    let list: String = entries.collect();
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("configs.rs"), format!("[\n{list}]\n"))
}

/// Writes the book as a list of paths and contents, in which the files that a chapter includes are already inserted.
fn list_book(folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths = vec![];
    add_files(folder, &mut paths)?;
    paths.sort();
    let mut list = String::new();
    for path in paths {
        let name = path.strip_prefix(folder).expect("it is inside").to_string_lossy().replace('\\', "/");
        let mut text = String::new();
        for line in fs::read_to_string(&path)?.lines() {
            match line.strip_prefix("{{#include ").and_then(|include| include.split_once(':')) {
                Some((file, _)) => text += &included(&path.with_file_name(file))?,
                None => text += line,
            }
            text.push('\n');
        }
        list += &format!("({name:?}, {text:?}),\n");
    }
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("book.rs"), format!("&[\n{list}]\n"))
}

fn add_files(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            add_files(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

/// Returns an included page without its title, which is the chapter's. A published crate only contains its own files.
fn included(path: &Path) -> io::Result<String> {
    if !path.exists() {
        return Ok("This chapter is part of the repository.".to_owned());
    }
    println!("cargo::rerun-if-changed={}", path.display());
    let text = fs::read_to_string(path)?;
    Ok(text.split_once('\n').map_or("", |(_, rest)| rest).trim().to_owned())
}

/// Sets `HOUSEWAY_COMMIT` for the compiler. Without git or outside a repository there is no commit.
fn record_commit(root: &Path) {
    let is_root = |top: String| Path::new(&top).canonicalize().ok() == root.canonicalize().ok();
    if !git(root, &["rev-parse", "--show-toplevel"]).is_some_and(is_root) {
        return;
    }
    let Some(commit) = git(root, &["rev-parse", "HEAD"]) else { return };
    let reference = git(root, &["symbolic-ref", "-q", "HEAD"]);
    // Every way to move the head: a checkout, a commit, a packed reference.
    let names = ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(reference.as_deref());
    let of_git = names.filter_map(|name| git(root, &["rev-parse", "--git-path", name])).map(|path| root.join(path));
    let watched = of_git.chain(SOURCES.map(|source| root.join(source)));
    // A missing file would count as changed at every build.
    for path in watched.filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let unchanged = git(root, &[&["diff", "--quiet", "HEAD", "--"], &SOURCES[..]].concat()).is_some();
    println!("cargo::rustc-env=HOUSEWAY_COMMIT={commit}{}", if unchanged { "" } else { "-modified" });
}

/// The output of a git command, `None` if it fails.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
