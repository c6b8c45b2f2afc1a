//! Command lines with hostile arguments, as an attacker might enter them. They must not cause a panic, abort, hang or
//! excessive memory use, and the message must say where the error is.
//!
//! Each case is a command line with one argument that must be rejected, and others that may be. The arguments are drawn
//! from lists of hostile words, and from valid files of every format with spans replaced.

use super::fuzz::{edited, rng};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::fs;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The number of command lines to test normally, ten of each form, and in the long proof.
const CASES: [usize; 2] = [520, 4_000];
/// The maximum time in processor seconds, and in wall-clock seconds for busy machines.
const MAX_SECONDS: (f64, f64) = (5.0, 60.0);
/// The maximum memory use, in bytes.
const MAX_MEMORY: u64 = 1_000_000_000;

const HAND: &str = "As Kd Jk 7c 7d 2h 3s";

/// Words that aren't valid as an option, name or number.
const WORDS: [&str; 18] = [
    "",
    " ",
    "nope",
    "-1",
    "../../etc/passwd",
    "/dev/zero",
    "/dev/random",
    "/",
    "99999999999999999999999999",
    "1e400",
    "nan",
    "\u{1b}[2J\u{1b}]0;gone\u{7}",
    "<script>alert(1)</script>",
    "a|b|c",
    "As Kd Jk 7c 7d 2h 3s 4c",
    "'; rm -rf / #",
    "\u{202e}esrever",
    "🂡🂡🂡🂡🂡🂡🂡",
];

/// The pieces that spans of files are replaced with.
const PIECES: [&str; 16] = [
    "",
    "\n",
    "\"",
    "[",
    "]]",
    "{",
    "=",
    "-1",
    "1e999",
    "99999999999999999999",
    "nan",
    "\u{0}",
    "\u{1b}[2J",
    "name",
    "x",
    "\u{ff}",
];

/// The files that a case can refer to.
struct Files {
    folder: tempfile::TempDir,
    /// Valid files with their file extensions.
    valid: Vec<(&'static str, Vec<u8>)>,
}

impl Files {
    fn new() -> Files {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let read = |path: &str| fs::read(root.join(path)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("thesis")).unwrap();
        fs::write(folder.path().join("thesis/chapter.tex"), "years of work").unwrap();
        let header = "{\"__metadata__\":{\"format\":\"houseway-strategy-1\",\"game\":\"pai-gow-poker\",\"name\":\"x\"},\
                      \"settings\":{\"dtype\":\"U8\",\"shape\":[64],\"data_offsets\":[0,64]}}";
        let strategy = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[20; 64]].concat();
        let shard = "{\"player\": \"trump-plaza\", \"banker\": \"trump-plaza\", \"bank\": \"house\", \"deals\": \"9\", \
                     \"wins\": \"0\", \"pushes\": \"0\", \"losses\": \"9\", \"shard\": \"1/3\"}";
        let valid = vec![
            ("toml", read("env/house-ways/trump-plaza.toml")),
            ("toml", read("env/house-ways/mgm-style.toml")),
            ("toml", read("env/paytables/pai-gow-poker/fortune-2.toml")),
            ("toml", read("experiments/configs/table.toml")),
            ("toml", read("experiments/configs/pai-gow-poker.toml")),
            ("toml", read("experiments/configs/pai-gow-table.toml")),
            ("toml", b"commission = 0.04\ncopies = \"player\"\n".to_vec()),
            ("safetensors", strategy),
            ("json", shard.as_bytes().to_vec()),
            ("jsonl", b"{\"format\": \"houseway-table-1\", \"seed\": \"1\"}\n{\"round\": 1}\n".to_vec()),
        ];
        Files { folder, valid }
    }

    /// Creates a file from random bytes, or from a valid file by replacing, truncating or repeating spans.
    fn damaged(&self, rng: &mut Pcg64, case: usize) -> String {
        let (ending, bytes) = &self.valid[rng.random_range(0..self.valid.len())];
        let bytes = match rng.random_range(0..6) {
            0 => bytes[..rng.random_range(0..bytes.len())].to_vec(),
            1 => (0..rng.random_range(0..4_000)).map(|_| rng.random()).collect(),
            2 => bytes.repeat(200),
            3 => "[".repeat(rng.random_range(1..50_000)).into_bytes(),
            _ => edited(bytes, &PIECES, rng),
        };
        let path = self.folder.path().join(format!("case-{case}-{}.{ending}", rng.random_range(0..1_000_000)));
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }
}

/// Returns a hostile word or file.
fn hostile(files: &Files, rng: &mut Pcg64, case: usize) -> String {
    match rng.random_range(0..3) {
        0 => files.damaged(rng, case),
        1 => "A".repeat(rng.random_range(1..3_000)),
        _ => WORDS[rng.random_range(0..WORDS.len())].to_owned(),
    }
}

/// Command lines that must be rejected. `?` stands for a hostile argument, `!` for one that is certainly invalid, `@`
/// for a folder with unrelated files, and `^` for a file in a folder that doesn't exist.
const COMMANDS: [&str; 48] = [
    "set ?",
    "set HAND --way ?",
    "set HAND --way trump-plaza --set !",
    "set HAND --rules ?",
    "check ?",
    "check trump-plaza --set way.?",
    "ev ?",
    "ev HAND --way ?",
    "ev HAND --banker ? --rules ?",
    "ev HAND -g ?",
    "ev HAND --dead ?",
    "ev -g ultimate-holdem ? --board !",
    "ev -g asian-stud ?",
    "ev -g face-up-pai-gow HAND --dealer-hand ?",
    "ev -g joker-seven ?",
    "solve --player ? --out ^",
    "solve --banker ! --player ?",
    "solve --merge ? ?",
    "solve --resume ? --player !",
    "solve --shard ?",
    "solve -g joker-seven --rules ? --out ^",
    "solve -g ? --set ?",
    "audit ? --out @",
    "audit trump-plaza --against !",
    "diff ? !",
    "compare ? ! --out @",
    "claim --stated ? --out @",
    "claim --way !",
    "search --rules ? --out @",
    "search --words ? --out @",
    "search --fix ! --out @",
    "equilibrium --rounds ? --out @",
    "known-cards --cards ! --banker ? --out @",
    "bank ? --own !",
    "bank trump-plaza:! --own ?",
    "bank trump-plaza:100 --hand !",
    "table ? --rounds 2 --history ^",
    "table --verify ?",
    "play --plain --session ? --set !",
    "play -g pai-gow-table --plain --session ^ --option seat=!",
    "play -g pai-gow-table --plain --session ^ --player !",
    "play -g pai-gow-table --plain --session ^ --player 2=!",
    "play -g pai-gow-table --plain --session ^ --player 2=?",
    "play -g pai-gow-table --verify ?",
    "play --verify ?",
    "train ? --out @",
    "bench ? --out @",
    "serve --port ! --address ?",
];
/// Command lines for the other commands, in the same notation.
const OTHERS: [&str; 4] = ["games !", "completions ?", "report ?", "report @"];

/// Returns a case's arguments.
fn arguments(files: &Files, rng: &mut Pcg64, case: usize) -> Vec<String> {
    let all = COMMANDS.len() + OTHERS.len();
    let template = COMMANDS.iter().chain(&OTHERS).nth(case % all).expect("the index is in range");
    let mut arguments: Vec<String> = template
        .split(' ')
        .map(|word| match word {
            "?" => hostile(files, rng, case),
            "!" => WORDS[rng.random_range(0..WORDS.len())].to_owned(),
            "@" => files.path("thesis"),
            "^" => files.path("absent/file"),
            "HAND" => HAND.to_owned(),
            word => word.replace('?', &hostile(files, rng, case)).replace('!', "nope"),
        })
        .collect();
    if rng.random_range(0..4) == 0 {
        arguments.push("--json".to_owned());
    }
    arguments
}

/// Returns the processor seconds and peak memory of a process, if the system reports them.
fn usage(process: u32) -> Option<(f64, u64)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some((ticks / 100.0, peak.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024))
}

/// Runs a command line to completion, killing it if it exceeds the limits. Returns its status, standard output and
/// standard error.
fn run(arguments: &[String], folder: &Path) -> Result<(Option<i32>, String, String), String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_houseway"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    fn read(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<String> {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    }
    let (printed, errors) = (read(child.stdout.take().unwrap()), read(child.stderr.take().unwrap()));
    let begun = Instant::now();
    let mut problem = None;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        let (seconds, memory) = usage(child.id()).unwrap_or_default();
        if seconds > MAX_SECONDS.0 || begun.elapsed().as_secs_f64() > MAX_SECONDS.1 {
            problem = Some(format!("takes {seconds:.1} processor seconds, {:?}", begun.elapsed()));
        } else if memory > MAX_MEMORY {
            problem = Some(format!("takes {memory} bytes of memory"));
        }
        if problem.is_some() {
            child.kill().unwrap();
            break child.wait().unwrap();
        }
        thread::sleep(Duration::from_millis(3));
    };
    let (printed, errors) = (printed.join().unwrap(), errors.join().unwrap());
    problem.map_or(Ok((status.code(), printed, errors)), Err)
}

/// Returns a description of what is wrong with a command's outcome, or `None` if nothing is.
fn problem(arguments: &[String], folder: &Path) -> Option<String> {
    let (status, printed, errors) = match run(arguments, folder) {
        Ok(ended) => ended,
        Err(problem) => return Some(problem),
    };
    // A damaged file can still be valid, and a word can be a valid prefix.
    if status == Some(0) {
        return errors.contains("panicked").then_some(errors);
    }
    let told = || Some(format!("status {status:?}, standard output {printed:?}, standard error {errors:?}"));
    if !matches!(status, Some(1 | 2))
        || ["panicked", "overflow", "RUST_BACKTRACE"].iter().any(|word| errors.contains(word))
    {
        return told();
    }
    let is_control = |c: char| c != '\n' && c != '\t' && !houseway_env::names::is_printable(c);
    let message = errors.lines().last().unwrap_or_default();
    if errors.chars().any(is_control) || errors.len() > 6_000 || message.len() < 10 {
        return told();
    }
    if arguments.iter().any(|argument| argument == "--json") {
        let document: Result<serde_json::Value, _> = serde_json::from_str(message);
        return match document.is_ok_and(|it| it["error"].as_str().is_some_and(|text| text.len() > 10)) {
            true => None,
            false => told(),
        };
    }
    // The message must contain part of the input, or the name of an option.
    let shown = houseway_env::names::escaped(&errors).replace("\\\"", "\"");
    let names = |argument: &String| {
        let words = argument.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() > 1);
        argument.starts_with('-') && shown.contains(argument.as_str())
            || words.into_iter().any(|word| shown.contains(&word[..word.len().min(20)]))
            || shown.contains(argument.as_str())
    };
    // Arguments that only consist of control characters aren't shown.
    let positional = ["<", "hand", "card", "unexpected argument"].iter().any(|word| shown.contains(word));
    if errors.matches("error:").count() != 1 || !(arguments[1..].iter().any(names) || positional) {
        return told();
    }
    None
}

#[test]
fn commands() {
    reject(0..CASES[0]);
}

#[test]
#[ignore = "takes 1 min to run thousands of command lines"]
fn many_commands() {
    reject(CASES[0]..CASES[1]);
}

/// Runs the command lines with these numbers and asserts that they are rejected with a proper message.
fn reject(cases: Range<usize>) {
    let files = Files::new();
    let (next, folder) = (AtomicUsize::new(cases.start), files.folder.path());
    let work = || {
        let mut problems = Vec::new();
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases.end {
                return problems;
            }
            let arguments = arguments(&files, &mut rng(1_000 + case as u64), case);
            if let Some(problem) = problem(&arguments, folder) {
                let shown: Vec<String> = arguments.iter().map(|it| it.chars().take(80).collect()).collect();
                problems.push(format!("case {case}: {shown:?}: {}", problem.chars().take(800).collect::<String>()));
            }
        }
    };
    let problems: Vec<String> = thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(problems.is_empty(), "{} of {cases:?}:\n{}", problems.len(), problems.join("\n"));
    let work: PathBuf = folder.join("thesis/chapter.tex");
    assert_eq!(fs::read_to_string(work).unwrap(), "years of work");
    assert!(!folder.join("absent").exists());
}
