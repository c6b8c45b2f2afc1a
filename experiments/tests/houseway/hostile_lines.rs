//! Command lines with hostile arguments, as an attacker might enter them. They must not cause a panic, abort, hang or
//! excessive memory use, and the message must say where the error is.
//!
//! The cases are generated from the description of the command line: every argument and option of every command is
//! wrong once in each of several ways.

use super::fuzz::{edited, rng};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

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
    fn damaged(&self, rng: &mut Pcg64) -> String {
        let (ending, bytes) = &self.valid[rng.random_range(0..self.valid.len())];
        let bytes = match rng.random_range(0..6) {
            0 => bytes[..rng.random_range(0..bytes.len())].to_vec(),
            1 => (0..rng.random_range(0..4_000)).map(|_| rng.random()).collect(),
            2 => bytes.repeat(200),
            3 => "[".repeat(rng.random_range(1..50_000)).into_bytes(),
            _ => edited(bytes, &PIECES, rng),
        };
        let path = self.folder.path().join(format!("{}.{ending}", rng.random::<u64>()));
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Returns an argument of a command in [`COMMANDS`].
    fn word(&self, word: &str) -> String {
        match word {
            "HAND" => HAND.to_owned(),
            "@" => self.path("thesis"),
            "^" => self.path("absent/file"),
            word => word.to_owned(),
        }
    }
}

/// Every command with the arguments that it requires, so that it is rejected or ends quickly. `@` stands for a folder
/// with unrelated files, `^` for a file in a folder that doesn't exist, and `~` for a session, which can be created.
const COMMANDS: &[&str] = &[
    "audit trump-plaza --against trump-plaza --out @",
    "bank trump-plaza:100 --hand HAND --seed 3",
    "bench quick --out @",
    "check trump-plaza --set way.NAME=no",
    "claim --stated 0.5 --out @",
    "compare trump-plaza mgm-style --out @",
    "completions bash",
    "dataset --out ^",
    "diff trump-plaza ^",
    "drill --hands 1 --session ~",
    "ev -g asian-stud HAND",
    "ev -g face-up-pai-gow HAND --dealer-hand HAND",
    "ev -g joker-seven HAND",
    "ev -g ultimate-holdem HAND --board 2h3h4h",
    "ev HAND --banker trump-plaza --dead 2c",
    "equilibrium --rounds 2 --out @",
    "games",
    "identify ^ --mistakes 0.01",
    "known-cards --cards 1 --out @",
    "monitor ^ --alarm-rate 0.05",
    "par --player trump-plaza --out @",
    "play --plain --session ~ --set commission=0.04",
    "play --verify ^",
    "play -g pai-gow-table --plain --session ~ --player 2=trump-plaza --option seat=1",
    "references NAME --check --results ^",
    "report @",
    "search --fix trump-plaza --out @",
    "search --length 4 --out @",
    "serve --port 0 --address 192.0.2.1",
    "set HAND --way trump-plaza",
    "show trump-plaza",
    "side-bet fortune-2",
    "solve --merge ^ ^",
    "solve --player trump-plaza --banker trump-plaza --out ^",
    "solve -g joker-seven --out ^",
    "stats @",
    "sweep ^ --out @",
    "table ^ --rounds 2 --history ^",
    "table --verify ^",
    "train quick --out @",
    "verify @",
];

/// The number of ways in which an argument is wrong.
const WAYS: usize = 8;

/// Returns a wrong value. The last two ways depend on the random number generator.
fn hostile(files: &Files, rng: &mut Pcg64, way: usize) -> String {
    match way {
        0 => String::new(),
        1 => "nope".to_owned(),
        2 => "-1".to_owned(),
        3 => "99999999999999999999999999".to_owned(),
        4 => "A".repeat(3_000),
        5 => "\u{1b}[2J\u{1b}]0;gone\u{7}".to_owned(),
        6 => files.damaged(rng),
        _ => WORDS[rng.random_range(0..WORDS.len())].to_owned(),
    }
}

/// Returns command lines. Each one has a single argument that is wrong, or a flag that doesn't belong there. Of the
/// ways in which an argument is wrong, every `every`-th is taken.
fn command_lines(files: &Files, seed: u64, every: usize) -> Vec<Vec<String>> {
    let program = houseway::cli::command();
    for command in program.get_subcommands() {
        let name = command.get_name();
        assert!(COMMANDS.iter().any(|line| line.split(' ').next() == Some(name)), "there are no cases for {name}");
    }
    let mut rng = rng(seed);
    let mut lines = Vec::new();
    for line in COMMANDS {
        let words: Vec<String> = line.split(' ').map(|word| files.word(word)).collect();
        let parsed =
            program.clone().try_get_matches_from(["houseway"].into_iter().chain(words.iter().map(String::as_str)));
        assert!(parsed.is_ok(), "{line}: {parsed:?}");
        let own = lines.len();
        for place in (1..words.len()).filter(|&place| !words[place].starts_with('-')) {
            // Almost every text is a good name for a new file.
            if words[place - 1] == "--out" {
                continue;
            }
            // A value can be wrong as a whole or after its key.
            let key = words[place].find(['=', ':']).map(|end| &words[place][..=end]);
            for kept in [""].into_iter().chain(key) {
                for way in (place % every..WAYS).step_by(every) {
                    let mut wrong = words.clone();
                    wrong[place] = kept.to_owned() + &hostile(files, &mut rng, way);
                    lines.push(wrong);
                }
            }
        }
        let command = program.find_subcommand(&words[0]).expect("the command exists");
        for (number, argument) in command.get_arguments().enumerate() {
            let Some(name) = argument.get_long().map(|name| format!("--{name}")) else { continue };
            if ["--help", "--force", "--out"].contains(&&*name) || words.contains(&name) {
                continue;
            }
            let has_value = argument.get_action().takes_values();
            for way in (number % every..WAYS).step_by(every).take(if has_value { WAYS } else { 1 }) {
                let option = match has_value {
                    true => format!("{name}={}", hostile(files, &mut rng, way)),
                    false => name.clone(),
                };
                lines.push([&words[..], &[option]].concat());
            }
        }
        let has_json = command.get_arguments().any(|argument| argument.get_long() == Some("json"));
        for (number, line) in lines.iter_mut().enumerate().skip(own) {
            if has_json && rng.random_range(0..4) == 0 && !line.contains(&"--json".to_owned()) {
                line.push("--json".to_owned());
            }
            for word in line.iter_mut().filter(|word| *word == "~") {
                *word = files.path(&format!("sessions/{seed}-{number}.json"));
            }
        }
    }
    lines
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
        .env("HOUSEWAY_COUNTS", "")
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
    let mut options = arguments.iter().take_while(|argument| *argument != "--");
    if options.any(|option| matches!(option.split('=').next(), Some("--json" | "--stdin"))) {
        let document: Result<serde_json::Value, _> = serde_json::from_str(message);
        return match document.is_ok_and(|it| it["error"].as_str().is_some_and(|text| text.len() > 10)) {
            true => None,
            false => told(),
        };
    }
    // The message must contain part of the input, or the name of an option.
    let shown = houseway_env::names::escaped(&errors).replace("\\\"", "\"");
    let names = |argument: &String| {
        let (option, value) = argument.split_once('=').unwrap_or((argument, argument));
        let mut words = value.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() > 1);
        shown.contains(argument)
            || option.starts_with('-') && shown.contains(option)
            || words.any(|word| shown.contains(&word[..word.len().min(20)]))
            || if value.is_empty() { shown.contains("''") || shown.contains("\"\"") } else { shown.contains(value) }
    };
    // Arguments that only consist of control characters aren't shown.
    let positional =
        ["<", "hand", "card", "unexpected argument", "a value is required"].iter().any(|word| shown.contains(word));
    if errors.matches("error:").count() != 1 || !(arguments[1..].iter().any(names) || positional) {
        return told();
    }
    None
}

#[test]
fn arguments() {
    reject([1], 5);
}

#[test]
#[ignore = "takes 5 min to run tens of thousands of command lines"]
fn many_arguments() {
    reject(2..14, 1);
}

/// Runs the command lines of these seeds and asserts that they are rejected with a proper message.
fn reject(seeds: impl IntoIterator<Item = u64>, every: usize) {
    let files = Files::new();
    let lines: Vec<Vec<String>> = seeds.into_iter().flat_map(|seed| command_lines(&files, seed, every)).collect();
    let (next, folder) = (AtomicUsize::new(0), files.folder.path());
    let work = || {
        let mut problems = Vec::new();
        while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(problem) = problem(line, folder) {
                let shown: Vec<String> = line.iter().map(|it| it.chars().take(80).collect()).collect();
                problems.push(format!("{shown:?}: {}", problem.chars().take(800).collect::<String>()));
            }
        }
        problems
    };
    let problems: Vec<String> = thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), lines.len(), problems.join("\n"));
    let work: PathBuf = folder.join("thesis/chapter.tex");
    assert_eq!(fs::read_to_string(work).unwrap(), "years of work");
    assert!(!folder.join("absent").exists());
}
