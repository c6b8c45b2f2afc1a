//! Checks that the generated pages in `env/docs/` are up to date for all games.
//!
//! Run `HOUSEWAY_WRITE_PAGES=1 cargo test --release -p houseway-env pages` to regenerate them.

use crate::page::page;
use houseway_env::gym::GameEntry;
use houseway_env::registry::games;
use std::fs;
use std::path::Path;

const WRITE: &str = "HOUSEWAY_WRITE_PAGES";

#[test]
fn pages_are_those_of_the_code() {
    for game in games() {
        let page = page(game);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/{}.md", game.name));
        if std::env::var_os(WRITE).is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, page).unwrap();
            continue;
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == page,
            "{} is stale; rewrite it with {WRITE}=1 cargo test --release -p houseway-env pages",
            path.display()
        );
    }
}

/// Detects documentation that no longer matches the code, as far as this can be checked.
#[test]
fn documentation_fits_the_environments() {
    for game in games() {
        let [("Rules", _), ("Environment", environment), ("Observations", observations)] = game.documentation else {
            panic!("{}: the page of a game has three parts", game.name);
        };
        let (_, version) = game.id.split_once("-v").unwrap();
        assert!(environment.contains(&format!("\nVersions: v{version}")), "{}", game.name);
        let bandit = environment.contains("| kind | a contextual bandit") || environment.contains("| kind | a bandit");
        assert_eq!(bandit, is_contextual_bandit(game), "{}", game.name);
        for row in ["| kind |", "| reset |", "| observation |", "| reward |", "| end |"] {
            assert!(environment.contains(row), "{}: {row}", game.name);
        }
        let names = (game.action_names)();
        assert_eq!(names.len(), (game.make)("{}").unwrap().actions(), "{}", game.name);
        let mut different = names.clone();
        different.sort_unstable();
        different.dedup();
        assert!(
            different.len() == names.len() && names.iter().all(|name| !name.is_empty()),
            "{}: {names:?}",
            game.name
        );
        let observations = observations.replace(',', "");
        for encoding in game.encodings {
            let len = game.make_with_encoding("{}", encoding).unwrap().observation_space().len();
            let documented = [
                format!("`{encoding}` consists of {len} numbers"),
                format!("..{len} |"),
                format!("\n| {} |", len - 1),
                format!("= {len}"),
            ];
            let found = documented.iter().any(|text| observations.contains(text))
                && observations.contains(&format!("`{encoding}`"));
            assert!(found, "{}: the layout of {encoding} with {len} numbers is not documented", game.name);
        }
        for rule in [game.rules.parameters, game.rules.readings, game.rules.variants].concat() {
            assert!(!rule.doc.trim().is_empty(), "{}: {}", game.name, rule.name);
        }
    }
}

/// Returns `true` if every episode is a single decision under the default rules and options.
fn is_contextual_bandit(game: &GameEntry) -> bool {
    let mut env = (game.make)("{}").unwrap();
    env.reset(None, None).unwrap();
    let mut mask = vec![false; env.actions()];
    env.action_mask(&mut mask).unwrap();
    let mut legal = (0..mask.len()).filter(|&action| mask[action]);
    legal.all(|action| env.boxed_clone().step(action).unwrap().is_last())
}
