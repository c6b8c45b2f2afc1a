//! Runs the bodies of the fuzz targets on a limited number of generated inputs, which are valid files with spans
//! replaced.

use super::fuzz_targets as targets;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::fs;
use std::path::Path;

/// Returns a test's random number generator.
pub(crate) fn rng(seed: u64) -> Pcg64 {
    houseway_env::gym::stream(seed.into())
}

/// Returns the bytes with one to three spans replaced by pieces.
pub(crate) fn edited(bytes: &[u8], pieces: &[&str], rng: &mut Pcg64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..rng.random_range(1..=3) {
        let start = rng.random_range(0..=bytes.len());
        let end = (start + rng.random_range(0..20)).min(bytes.len());
        bytes.splice(start..end, pieces[rng.random_range(0..pieces.len())].bytes());
    }
    bytes
}

fn edited_text(text: &str, pieces: &[&str], rng: &mut Pcg64) -> String {
    String::from_utf8_lossy(&edited(text.as_bytes(), pieces, rng)).into_owned()
}

#[test]
fn config() {
    const WORDS: [&str; 14] = [
        "",
        "\n",
        "0",
        "-1",
        "1e400",
        "nan",
        "[",
        "\"",
        "seeds = [1]\n",
        "steps = 5\n",
        "[rules]\n",
        "[train.x]\n",
        "method = \"all-action\"\n",
        "sample = { hands = 9 }\n",
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let files: Vec<String> = files.collect();
    let mut rng = rng(1);
    for _ in 0..2_000 {
        let text = &files[rng.random_range(0..files.len())];
        targets::config(&edited_text(text, &WORDS, &mut rng));
    }
}

#[test]
fn history() {
    const WORDS: [&str; 10] = ["", "\n", ",", "nan", "-1", "1e999", "\"", "loss", "step,hands,name,value\n", "\u{0}"];
    let metrics = "step,hands,name,value\n0,0,regret,0.5\n10,640,loss,1.25\n10,640,regret,0.25\n";
    let timing = "step,seconds\n0,0.1\n10,2.5\n";
    let mut rng = rng(2);
    targets::history(metrics.as_bytes(), timing.as_bytes());
    for _ in 0..500 {
        let metrics = edited(metrics.as_bytes(), &WORDS, &mut rng);
        targets::history(&metrics, &edited(timing.as_bytes(), &WORDS, &mut rng));
        targets::history(&metrics, timing.as_bytes());
    }
}

#[test]
fn checkpoint() {
    const WORDS: [&str; 8] = ["", "{", "\"", "9999999999999999999", "-1", "null", "\u{0}\u{0}\u{0}", "\u{7f}"];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    assert_eq!(targets::FuzzTraining::new().run(&path), Ok(2));
    let read = |name: &str| fs::read(path.join(name)).unwrap();
    let (state, model, optimizer) =
        (fs::read_to_string(path.join("state.json")).unwrap(), read("model.bpk"), read("optimizer.bpk"));
    targets::checkpoint(&state, &model, &optimizer, false);
    let mut rng = rng(3);
    for case in 0..300 {
        match case % 3 {
            0 => targets::checkpoint(&edited_text(&state, &WORDS, &mut rng), &model, &optimizer, case % 2 == 0),
            1 => targets::checkpoint(&state, &edited(&model, &WORDS, &mut rng), &optimizer, case % 2 == 0),
            _ => targets::checkpoint(&state, &model, &edited(&optimizer, &WORDS, &mut rng), case % 2 == 0),
        }
    }
}
