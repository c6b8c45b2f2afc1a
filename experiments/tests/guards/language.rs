//! Checks on the language in comments, messages and pages: item summaries are noun phrases or start with a verb, and
//! they use the usual terms.

use crate::lexer::{Kind, lex};
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

/// Returns all language violations in the workspace's Rust, Python and Markdown files. Results and this guard are
/// exempt.
pub(crate) fn findings(workspace: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for file in files(workspace) {
        let text = std::fs::read_to_string(workspace.join(&file)).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        found.extend(file_findings(&file, &text));
    }
    found
}

/// Returns the violations in one file.
pub(crate) fn file_findings(file: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |line: usize, rule: &str, text: &str| {
        found.push(format!("{}:{line}: {rule}: {text}", file.display()));
    };
    let rust = file.extension().is_some_and(|extension| extension == "rs");
    for (text, line) in if rust { rust_summaries(text) } else { docstrings(text) } {
        if let Some(word) = CLAUSES.iter().find(|word| text.split([' ', ',']).next() == Some(word)) {
            add(line, &format!("a summary that begins with {word}"), &text);
        }
    }
    let lines = if rust { rust_prose(text) } else { text.lines().map(str::to_owned).zip(1..).collect() };
    for (text, line) in lines {
        for (phrase, instead) in PHRASES.iter().filter(|(phrase, _)| contains(&text, phrase)) {
            add(line, &format!("'{phrase}' (instead: {instead})"), text.trim());
        }
    }
    for (name, line) in if rust { rust_names(text) } else { python_constants(text) } {
        for (start, instead) in CONSTANTS.iter().filter(|(start, _)| name.starts_with(start)) {
            add(line, &format!("{start} (instead: {instead})"), &name);
        }
    }
    found
}

/// Returns the identifiers in a Rust file.
fn rust_names(text: &str) -> Vec<(String, usize)> {
    let names = lex(text).tokens.into_iter().filter(|token| token.kind == Kind::Ident);
    names.map(|token| (token.text, token.line)).collect()
}

/// Returns the names that a Python file assigns to at the start of a line, without leading underscores.
fn python_constants(text: &str) -> Vec<(String, usize)> {
    let name = |line: &str| line.split([' ', ':', '=']).next().unwrap_or_default().trim_start_matches('_').to_owned();
    let assigned = text.lines().zip(1..).filter(|(line, _)| line.contains('=') && !line.starts_with([' ', '#']));
    assigned.map(|(line, number)| (name(line), number)).collect()
}

/// Returns the first line of each doc comment.
fn rust_summaries(text: &str) -> Vec<(String, usize)> {
    let docs: Vec<_> = lex(text).comments.into_iter().filter(|comment| comment.doc).collect();
    let first = |at: usize| at == 0 || docs[at - 1].line + 1 != docs[at].line;
    (0..docs.len()).filter(|&at| first(at)).map(|at| (docs[at].text.clone(), docs[at].line)).collect()
}

/// Returns the first line of each Python docstring.
fn docstrings(text: &str) -> Vec<(String, usize)> {
    let lines = text.lines().zip(1..);
    lines.filter_map(|(text, line)| Some((text.trim().strip_prefix("\"\"\"")?.to_owned(), line))).collect()
}

/// Returns the comments, and the string literals with at least two words.
fn rust_prose(text: &str) -> Vec<(String, usize)> {
    let lexed = lex(text);
    let literals = lexed.tokens.into_iter().filter(|token| token.kind == Kind::Text && token.text.contains(' '));
    let comments = lexed.comments.into_iter().map(|comment| (comment.text, comment.line));
    comments.chain(literals.map(|token| (token.text, token.line))).collect()
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
    let words = text.split(|c: char| !(c.is_alphanumeric() || ".'-".contains(c)));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the files to check, relative to the workspace.
fn files(workspace: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        let entries =
            std::fs::read_dir(workspace.join(&folder)).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            let left_out =
                name.starts_with('.') || ["target", "results", "guards", "node_modules"].contains(&name.as_str());
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
