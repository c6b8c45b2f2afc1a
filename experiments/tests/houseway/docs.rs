//! Tests for the commands, snippets, links and paths in the documentation.
//!
//! The commands of the README are run as they are written. On all other pages, those that take only seconds are run
//! unchanged, and Pai Gow Poker is solved for one of 9000 shards, which loads the same rules and strategies. Of all other
//! commands (`audit`, `compare`, `identify`, `monitor`, `claim`, `bank`, `train`, `bench`, and solving other games), the
//! options are parsed, and a long test begins each of them.

use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The pages that are tested, besides those in [`FOLDERS`].
const PAGES: [&str; 9] = [
    "README.md",
    "CONTRIBUTING.md",
    "results/README.md",
    "env/house-ways/LANGUAGE.md",
    "env/house-ways/tiles/LANGUAGE.md",
    "env/python/README.md",
    "experiments/verify/README.md",
    "notebooks/README.md",
    "experiments/examples/three_card_poker/README.md",
];
/// The folders whose pages are tested.
const FOLDERS: [&str; 2] = ["env/docs", BOOK];
const BOOK: &str = "experiments/book/src";
/// The chapters that are generated from descriptions of options and functions. Their commands have no arguments, and the
/// folders in them are those that commands create.
const GENERATED: [&str; 2] =
    ["experiments/book/src/reference/command-line.md", "experiments/book/src/reference/python.md"];
/// The placeholders for names and files in the documentation, with values to replace them by.
const STAND_INS: [(&str, &str); 12] = [
    ("HAND", "\"As Kd Jk 7c 7d 2h 3s\""),
    ("FILE", "my-way.toml"),
    ("NAME", "mgm-style"),
    ("-g pai-gow-tiles WAY", "-g pai-gow-tiles foxwoods"),
    ("WAY", "mgm-style"),
    ("A B", "mgm-style foxwoods"),
    ("CONFIG", "table.toml"),
    ("RUN", "results/quick"),
    ("FOLDER", "results"),
    ("experiments/configs/", ""),
    ("configs/", ""),
    ("results/equilibrium/", concat!(env!("CARGO_MANIFEST_DIR"), "/../results/equilibrium/")),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

pub(crate) fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// Returns the names of all tested pages.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = PAGES.map(str::to_owned).into();
    FOLDERS.iter().for_each(|folder| add_files(folder, ".md", &mut pages));
    pages
}

/// Adds the names of the files in a folder and its folders that end like this.
pub(crate) fn add_files(folder: &str, end: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap().map(Result::unwrap) {
        let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            if !name.ends_with("/target") {
                add_files(&name, end, files);
            }
        } else if name.ends_with(end) {
            files.push(name);
        }
    }
}

/// Returns a page's command lines, which are lines of code blocks and inline code that start with `houseway`.
fn commands(page: &str) -> Vec<String> {
    let (mut found, mut in_block) = (Vec::new(), false);
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            found.extend(line.trim().strip_prefix("$ ").or(Some(line.trim())).map(str::to_owned));
        } else {
            found.extend(inline_code(line).map(str::to_owned));
        }
    }
    // Lines with an ellipsis or a bracketed placeholder can't be run.
    found.retain(|line| line.starts_with("houseway ") && !line.contains(['…', '[', '<']) && !line.contains("my-game"));
    found.iter().map(|line| line.split(" # ").next().unwrap_or(line).trim().to_owned()).collect()
}

/// Splits a command line into words.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' | '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("there is a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Splits a command line into its words and the file that it redirects its output to.
fn redirected(line: &str) -> (Vec<String>, Option<&str>) {
    match line.split_once(" > ") {
        Some((command, file)) => (words(command), Some(file.trim())),
        None => (words(line), None),
    }
}

/// Returns the inline code of a line.
fn inline_code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Returns additional arguments that make a command finish within seconds.
fn made_quick(words: &[String]) -> &'static [&'static str] {
    let of_game = words.iter().position(|word| word == "-g").map(|at| words[at + 1].as_str());
    let has = |option: &str| words.iter().any(|word| word == option);
    match (words[1].as_str(), of_game) {
        _ if words.len() == 2 && words[1] != "games" => &["--help"],
        ("ev", Some("ultimate-holdem")) if !has("--board") => &["--help"],
        ("ev" | "set" | "check" | "games" | "completions" | "show", _) => &[],
        ("report" | "side-bet" | "stats" | "verify", _) => &[],
        ("audit" | "compare" | "par", Some("pai-gow-tiles")) => &[],
        ("solve", None) if ["--shard", "--merge", "--strategy", "--no-push"].into_iter().any(has) => &["--help"],
        ("solve", None) => &["--shard", "5/9000"],
        ("solve", Some("joker-seven" | "asian-stud" | "pai-gow-tiles")) => &[],
        _ => &["--help"],
    }
}

/// Makes the files that commands of the documentation read.
fn prepare(folder: &Path) {
    let way = page("env/house-ways/mgm-style.toml").replacen("\"mgm-style\"", "\"my-way\"", 1);
    fs::write(folder.join("my-way.toml"), way).unwrap();
    for config in fs::read_dir(root().join("experiments/configs")).unwrap().map(Result::unwrap) {
        fs::copy(config.path(), folder.join(config.file_name())).unwrap();
    }
    fs::copy(folder.join("joker-seven.toml"), folder.join("my-experiment.toml")).unwrap();
    for study in ["results/quick", "results/methods"] {
        let mut files = Vec::new();
        add_files(study, "", &mut files);
        for file in files {
            fs::create_dir_all(folder.join(&file).parent().unwrap()).unwrap();
            fs::copy(root().join(&file), folder.join(&file)).unwrap();
        }
    }
    let hands = "As Kd Qh Jc 9s 3d 2h | Kd Qh\nJk 7c 7d 5s 5h 2c 2d | 7c 7d\n".repeat(20);
    fs::write(folder.join("hands.txt"), hands).unwrap();
}

/// Returns a command of the program in a folder, in which it also keeps its passes.
fn program(words: &[String], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houseway"));
    command.args(&words[1..]).current_dir(folder).env("HOUSEWAY_COUNTS", folder.join("counts")).stdin(Stdio::null());
    command
}

/// Runs a command in a folder. Returns the error text if it fails.
fn run(words: &[String], added: &[&str], file: Option<&str>, folder: &Path) -> Result<(), String> {
    let output = program(words, folder).args(added).output().unwrap();
    if let Some(file) = file {
        fs::write(folder.join(file), &output.stdout).unwrap();
    }
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{words:?} {added:?}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Returns the commands of all written pages, each once. Those that compute published figures quickly are left out, because
/// a test of `houseway-lab` runs them.
fn written_commands() -> BTreeSet<String> {
    let written = pages().into_iter().filter(|name| !GENERATED.contains(&name.as_str()));
    let mut lines: BTreeSet<String> = written.flat_map(|name| commands(&page(&name))).collect();
    let published: toml::Table = page("experiments/book/published.toml").parse().unwrap();
    for figure in published["figure"].as_array().unwrap() {
        if figure.get("slow").is_none() {
            lines.remove(&format!("houseway {}", figure["command"].as_str().unwrap()));
        }
    }
    let of_pages = lines.into_iter().filter(|line| words(line).len() > 1);
    of_pages.map(|line| STAND_INS.iter().fold(line, |line, (word, text)| line.replace(word, text))).collect()
}

#[test]
fn every_command_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let lines = written_commands();
    let (mut ran, mut refused) = (0, Vec::new());
    for line in &lines {
        let (words, file) = redirected(line);
        let added = made_quick(&words);
        ran += usize::from(!added.contains(&"--help"));
        refused.extend(run(&words, added, file, folder.path()).err());
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(lines.len() >= 100 && ran >= 50, "{ran} of {lines:?}");
}

/// The commands that [`every_command_is_accepted`] doesn't run begin their work and are interrupted after a while, which
/// the program answers with status 130.
#[cfg(unix)]
#[test]
#[ignore = "takes 15 min to begin the commands of the documentation that take longer than seconds"]
fn every_long_command_begins() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let mut lines = written_commands();
    // This command would write into the repository, and a name alone isn't a command if it lacks its arguments.
    lines.retain(|line| !line.starts_with("houseway references") && line != "houseway diff --json");
    // The parts that are merged, and the history that is verified.
    for part in ["1", "2"] {
        let shard = format!("houseway solve --shard {part}/2 --out part-{part}.json");
        run(&words(&shard), &[], None, folder.path()).unwrap();
    }
    run(&words("houseway table table.toml --history rounds.jsonl"), &[], None, folder.path()).unwrap();
    let mut failed = Vec::new();
    for line in lines.iter().filter(|line| !line.contains("--shard") && !line.contains("--history")) {
        let (words, _) = redirected(line);
        if !made_quick(&words).contains(&"--help") {
            continue;
        }
        let mut limited = Command::new("timeout");
        limited.args(["--signal=INT", "--kill-after=60", "--preserve-status", "10", env!("CARGO_BIN_EXE_houseway")]);
        limited.args(&words[1..]).current_dir(folder.path()).env("HOUSEWAY_COUNTS", "").stdin(Stdio::null());
        let output = limited.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        let is_name = words.len() == 2 && error.contains("required arguments");
        if !matches!(output.status.code(), Some(0 | 130)) && !is_name {
            failed.push(format!("{line}: {:?} {error}", output.status));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Starts the server at a free port, waits for its address, and stops it.
fn serves(words: &[String], folder: &Path) {
    let mut server = program(words, folder).args(["--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(address.contains("http://127.0.0.1:"), "{address}");
}

/// A newcomer can run every command of the first page in the order in which they stand there.
#[test]
fn the_commands_of_the_first_page_run_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let lines = commands(&page("README.md"));
    assert!(lines.len() >= 8, "{lines:?}");
    for line in &lines {
        let (words, file) = redirected(line);
        match words[1].as_str() {
            // The server runs until it is stopped.
            "serve" => serves(&words, folder.path()),
            // Without a terminal, a table needs `--plain`. It ends with its input.
            "play" => run(&words, &["--plain", "--session", "session"], file, folder.path()).unwrap(),
            _ => run(&words, &[], file, folder.path()).unwrap(),
        }
    }
    assert!(folder.path().join("my-audit/report.md").exists());
}

#[test]
fn the_first_page_is_short_and_has_the_numbers_of_the_report() {
    let (readme, report) = (page("README.md"), page("results/quick/report.md"));
    assert!(readme.split_whitespace().count() <= 900, "README.md is longer than 900 words");
    let is_row = |line: &&str| line.starts_with("| ") && line.contains("% |");
    let rows: Vec<&str> = readme.lines().filter(is_row).collect();
    assert!(rows.len() >= 8, "{rows:?}");
    for row in rows {
        assert!(report.lines().any(|line| line == row), "not in results/quick/report.md: {row}");
    }
}

/// The rule shown in the book is part of a valid house way.
#[test]
fn the_rule_of_the_tutorial_is_a_rule() {
    let tutorial = page("experiments/book/src/tutorials/audit-a-sheet.md");
    let (_, after) = tutorial.split_once("```toml\n").unwrap();
    let (rule, _) = after.split_once("```").unwrap();
    let head = "name = \"shown\"\ntitle = \"x\"\nsource = \"x\"\n";
    let rest = "[[rule]]\nname = \"rest\"\ntext = \"x\"\nplay = {}\n";
    let way = Way::parse(&format!("{head}{rule}{rest}"), "the tutorial").unwrap();
    let way = HouseWay::compile(way, &Game::new(Rules::default())).unwrap();
    assert!(way.survey().rules[0].hands > 100_000);
}

/// Returns the text of a page. An `{{#include FILE:3:}}` of the book is replaced with the whole file.
fn with_includes(name: &str) -> String {
    let folder = root().join(name).parent().unwrap().to_owned();
    let mut text = String::new();
    for line in page(name).lines() {
        match line.strip_prefix("{{#include ") {
            Some(include) => {
                let file = include.trim_end_matches("}}").split(':').next().unwrap();
                text += &fs::read_to_string(folder.join(file)).unwrap_or_else(|_| panic!("{name}: no file {file}"));
            }
            None => text += line,
        }
        text.push('\n');
    }
    text
}

/// Returns the lines of a page outside of code blocks.
fn prose(text: &str) -> Vec<&str> {
    let (mut lines, mut in_block) = (Vec::new(), false);
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        in_block ^= is_fence;
        if !in_block && !is_fence {
            lines.push(line);
        }
    }
    lines
}

/// Returns the targets of a page's relative links and images.
fn links(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose(text) {
        // Every second part is inline code.
        let outside: String = line.split('`').step_by(2).collect();
        for after in outside.split("](").skip(1) {
            let target = after.split(')').next().unwrap();
            if !target.starts_with("http://") && !target.starts_with("https://") {
                targets.push(target.to_owned());
            }
        }
    }
    targets
}

/// Returns the anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for heading in prose(text).into_iter().filter(|line| line.starts_with('#')) {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        anchors.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    anchors
}

/// Checks a link of a page. Links of the book stay inside of it, because nothing else is there once it is built.
fn check_link(name: &str, target: &str) -> Result<(), String> {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let own = root().join(name);
    let path = if file.is_empty() { own.clone() } else { own.parent().unwrap().join(file) };
    let path = path.canonicalize().map_err(|_| format!("{name}: dead link {target}"))?;
    let root = root().canonicalize().unwrap();
    let linked = path.strip_prefix(&root).map_err(|_| format!("{name}: link {target} leaves the repository"))?;
    if name.starts_with(BOOK) && !linked.starts_with(BOOK) {
        return Err(format!("{name}: link {target} leaves the book"));
    }
    if anchor.is_empty() || anchors(&with_includes(linked.to_str().unwrap())).contains(anchor) {
        return Ok(());
    }
    Err(format!("{name}: link {target} to a heading that doesn't exist"))
}

#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    let mut pages = pages();
    add_files("results", "report.md", &mut pages);
    assert!(pages.len() > 80, "only {} pages were found", pages.len());
    for name in pages {
        let targets = links(&with_includes(&name));
        dead.extend(targets.iter().filter_map(|target| check_link(&name, target).err()));
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn every_chapter_is_in_the_contents() {
    let summary = links(&page(&format!("{BOOK}/SUMMARY.md")));
    for name in pages() {
        if let Some(chapter) = name.strip_prefix(BOOK) {
            let chapter = chapter.trim_start_matches('/');
            assert!(chapter == "SUMMARY.md" || summary.iter().any(|link| link == chapter), "{chapter}");
        }
    }
}

/// Returns `true` if inline code is the path of a file or a folder, without placeholders.
fn is_path(code: &str) -> bool {
    const STARTS: [&str; 7] = ["env/", "agents/", "experiments/", "results/", "notebooks/", ".ci/", ".github/"];
    const PLACEHOLDERS: [&str; 4] = ["NAME", "my-game", "my_game", "FOLDER"];
    STARTS.iter().any(|start| code.starts_with(start))
        && code.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
        && !PLACEHOLDERS.iter().any(|placeholder| code.contains(placeholder))
}

#[test]
fn named_paths_exist() {
    let mut missing = Vec::new();
    for name in pages().into_iter().filter(|name| !GENERATED.contains(&name.as_str())) {
        let text = page(&name);
        for code in prose(&text).into_iter().flat_map(inline_code) {
            if is_path(code) && !root().join(code).exists() {
                missing.push(format!("{name}: {code}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// On the page of claims, the name of a test is followed by its file.
#[test]
fn tests_named_as_evidence_exist() {
    let text = page(&format!("{BOOK}/results/claims.md"));
    let code: Vec<&str> = prose(&text).into_iter().flat_map(inline_code).collect();
    let is_test = |code: &str| {
        code.contains('_') && code.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit())
    };
    let mut tests = 0;
    for pair in code.windows(2).filter(|pair| is_test(pair[0])) {
        let [name, file] = pair else { unreachable!("windows have two parts") };
        assert!(file.ends_with(".rs"), "{name} is followed by {file} instead of its file");
        assert!(page(file).contains(&format!("fn {name}(")), "{file} has no test {name}");
        tests += 1;
    }
    assert!(tests >= 12, "{tests}");
}

/// Each source is cited by its key, and nothing is cited that isn't a source. Other tests check that links lead somewhere.
#[test]
fn sources_are_cited_by_key() {
    let bibliography = page(&format!("{BOOK}/bibliography.md"));
    let keys: BTreeSet<&str> = bibliography.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert!(keys.len() >= 30, "{keys:?}");
    let mut cited = BTreeSet::new();
    for name in pages().into_iter().filter(|name| name.starts_with(BOOK)) {
        for target in links(&page(&name)) {
            let Some((file, key)) = target.split_once('#') else { continue };
            if file.ends_with("bibliography.md") || (file.is_empty() && name.ends_with("bibliography.md")) {
                assert!(key == "sources-of-the-rules" || keys.contains(key), "{name}: {target} isn't a source");
                cited.insert(key.to_owned());
            }
        }
    }
    let unused: Vec<_> = keys.iter().filter(|key| !cited.contains(**key)).collect();
    assert!(unused.is_empty(), "no chapter cites {unused:?}");
}

#[test]
fn the_bibliography_has_all_house_ways() {
    let bibliography = page(&format!("{BOOK}/bibliography.md"));
    for folder in ["env/house-ways", "env/house-ways/tiles"] {
        for path in fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let listed = if folder.ends_with("tiles") { format!("| `{name}` (tiles) |") } else { format!("`{name}`") };
            let is_way = path.extension().is_some_and(|extension| extension == "toml");
            assert!(!is_way || bibliography.contains(&listed), "{}", path.display());
        }
    }
}
