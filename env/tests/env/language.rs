//! Checks the language of the whole workspace line by line: item summaries are noun phrases or start with a verb, and
//! comments, messages and pages use the usual terms.

use std::fs;
use std::path::{Path, PathBuf};

/// The words that an item summary must not begin with.
const CLAUSES: [&str; 6] = ["What", "How", "Whether", "Who", "Which", "Where"];

/// Phrases to avoid, each with a plainer alternative.
const PHRASES: &[(&str, &str)] = &[
    ("what it is worth", "EV"),
    ("the best answer", "best response"),
    ("the same chance", "uniformly at random, equal probability"),
    ("what came of", "results"),
    ("what comes of", "results"),
    ("is told", "configuration, receives"),
    ("are told", "configuration, receive"),
    ("go on with", "resume"),
    ("goes on with", "resumes"),
    ("going on with", "resuming"),
    ("make ready", "prepare, compile, precompute"),
    ("made ready", "prepared, compiled, precomputed"),
    ("makes ready", "prepares, compiles, precomputes"),
    ("makes rules ready", "compiles rules"),
    ("hang together", "are correlated"),
    ("hangs together", "is correlated"),
    ("hang on", "depend on"),
    ("hangs on", "depends on"),
    ("' is no", "invalid X: reason"),
    ("treats suits alike", "suit-isomorphic"),
    ("treat suits alike", "suit-isomorphic"),
    ("so many", "that many, the number of"),
    ("so much", "that much, the amount of"),
    ("he", "they"),
    ("his", "their"),
    ("him", "them"),
    ("himself", "themselves"),
    ("anew", "again"),
];

/// Prefixes of constants to avoid, each with the usual prefix.
const CONSTANTS: [(&str, &str); 4] = [("HIGHEST_", "MAX_"), ("MOST_", "MAX_"), ("LEAST_", "MIN_"), ("LOWEST_", "MIN_")];

#[test]
fn comments_messages_and_pages_are_in_plain_language() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let files = files(&workspace);
    assert!(files.len() > 500, "only {} files were found", files.len());
    for file in files {
        let text = fs::read_to_string(workspace.join(&file)).unwrap();
        for (line, finding) in findings(&text, file.extension().is_some_and(|extension| extension == "rs")) {
            found.push(format!("{}:{line}: {finding}", file.display()));
        }
    }
    assert!(found.is_empty(), "{} language violations:\n{}", found.len(), found.join("\n"));
}

#[test]
fn violations_are_found_where_they_are() {
    let rust = "/// What it does, and how.\n/// How lines go on.\nconst MOST_HANDS: u8 = 1;\nlet he = 2; // so many\n\
                print(\"the pass goes on with it\");\nlet his_is_told = `he`;\n";
    let lines: Vec<usize> = findings(rust, true).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [1, 3, 4, 4, 5]);
    let python = "\"\"\"Whether it works.\"\"\"\n_LEAST_RULES = 3\nmost = 4\nThis hangs on him.\n";
    let lines: Vec<usize> = findings(python, false).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [1, 2, 4, 4]);
}

/// Returns the violations in a text with their line numbers.
fn findings(text: &str, is_rust: bool) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut after_doc = false;
    for (line, number) in text.lines().zip(1..) {
        let trimmed = line.trim_start();
        let doc = match is_rust {
            true => trimmed.strip_prefix("///").or_else(|| trimmed.strip_prefix("//!")),
            false => trimmed.strip_prefix("\"\"\""),
        };
        let summary = doc.filter(|_| !(is_rust && after_doc)).unwrap_or_default().trim_start();
        if let Some(word) = CLAUSES.iter().find(|word| summary.split([' ', ',']).next() == Some(word)) {
            found.push((number, format!("a summary that begins with {word}: {trimmed}")));
        }
        after_doc = doc.is_some();
        // Code has none of the phrases, so only lines with a comment, a text or prose are read.
        if !is_rust || line.contains("//") || line.contains('"') || line.ends_with('\\') {
            for (phrase, instead) in PHRASES.iter().filter(|(phrase, _)| contains(line, phrase)) {
                found.push((number, format!("'{phrase}' (instead: {instead}): {trimmed}")));
            }
        }
        let names = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        for name in names.map(|name| name.trim_start_matches('_')) {
            for (start, instead) in CONSTANTS.iter().filter(|(start, _)| name.starts_with(start)) {
                found.push((number, format!("{start} (instead: {instead}): {trimmed}")));
            }
        }
    }
    found
}

/// Returns `true` if a text contains the words of a phrase in sequence.
fn contains(text: &str, phrase: &str) -> bool {
    let words = plain_words(text);
    let phrase: Vec<String> = phrase.split(' ').map(str::to_owned).collect();
    words.windows(phrase.len()).any(|window| window == phrase)
}

/// Returns the words of a text in lower case. Code in backticks and the ends of sentences separate phrases.
fn plain_words(text: &str) -> Vec<String> {
    let outside: Vec<&str> = text.split('`').step_by(2).collect();
    let text = outside.join(" . ").to_lowercase().replace(['.', ':', ';'], " . ").replace("' ", " ' ");
    let words = text.split(|c: char| !(c.is_alphanumeric() || ".'-_".contains(c)));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the files to check, relative to the workspace.
fn files(workspace: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(workspace.join(&folder)).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            let left_out = name.starts_with('.')
                || ["target", "results", "node_modules"].contains(&name.as_str())
                || path.ends_with(file!());
            if left_out {
            } else if entry.path().is_dir() {
                open.push(path);
            } else if ["rs", "py", "pyi", "md"].iter().any(|end| path.extension().is_some_and(|e| e == *end)) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
