//! The pages of all games in `env/docs/`, generated from the code.
//!
//! `HOUSEWAY_WRITE_PAGES=1 cargo test --release -p houseway-env --test pages` rewrites them.

use houseway_env::gym::GameEntry;
use houseway_env::registry::games;
use std::fs;
use std::path::{Path, PathBuf};

const WRITE: &str = "HOUSEWAY_WRITE_PAGES";

/// The files of a game whose documentation goes into its page, by the convention that all games have the same ones.
fn sources(game: &GameEntry) -> [(&'static str, Vec<String>); 3] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(game.folder);
    let read =
        |paths: &[PathBuf]| -> Vec<String> { paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect() };
    let files = |names: &[&str]| names.iter().map(|name| folder.join(name)).collect::<Vec<_>>();
    let encodings = game.encodings.iter().map(|name| folder.join(format!("observe/{}.rs", name.replace('-', "_"))));
    let observe: Vec<PathBuf> = files(&["observe.rs", "observe/mod.rs"]).into_iter().chain(encodings).collect();
    [
        ("Rules", read(&files(&["mod.rs"]))),
        ("Environment", read(&files(&["env.rs", "action.rs"]))),
        ("Observations", read(&observe)),
    ]
}

#[test]
fn pages_are_those_of_the_code() {
    for game in games() {
        let sources = sources(game);
        let documentation =
            sources.each_ref().map(|(heading, texts)| (*heading, texts.iter().map(String::as_str).collect()));
        let page = game.page(&documentation).unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/{}.md", game.name));
        if std::env::var_os(WRITE).is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, page).unwrap();
            continue;
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == page,
            "{} is stale; rewrite it with {WRITE}=1 cargo test --release -p houseway-env --test pages",
            path.display()
        );
    }
}

/// Documentation that no longer fits the code is found here, where the code can tell.
#[test]
fn documentation_fits_the_environments() {
    for game in games() {
        let [(_, rules), (_, environment), (_, observations)] = sources(game);
        assert!(!rules.is_empty() && !environment.is_empty() && !observations.is_empty(), "{}", game.name);
        let environment = environment.concat();
        let (_, version) = game.id.split_once("-v").unwrap();
        assert!(
            environment.contains(game.id) && environment.contains(&format!("//! Versions: v{version}")),
            "{}",
            game.name
        );
        for row in ["| reset |", "| observation |", "| reward |", "| end |"] {
            assert!(environment.contains(row), "{}: {row}", game.name);
        }
        let observations = observations.concat().replace(',', "");
        for encoding in game.encodings {
            let len = game.make_with_encoding("{}", encoding).unwrap().observation_space().len();
            let documented = [format!("`{encoding}` {len} numbers"), format!("..{len} |"), format!("= {len}")];
            let found = documented.iter().any(|text| observations.contains(text))
                && observations.contains(&format!("`{encoding}`"));
            assert!(found, "{}: the layout of {encoding} with {len} numbers is not documented", game.name);
        }
        for rule in game
            .parameter_docs
            .iter()
            .map(|rule| (rule.name, rule.doc))
            .chain(game.readings.iter().chain(game.variants).map(|rule| (rule.name, rule.doc)))
        {
            assert!(!rule.1.trim().is_empty(), "{}: {}", game.name, rule.0);
        }
    }
}
