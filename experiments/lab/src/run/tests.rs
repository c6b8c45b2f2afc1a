//! Tests of run folders.

use super::replace::MARK;
use super::*;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const CONFIG_TEXT: &str = "seed = 1\n";

fn spec(seed: u64) -> RunSpec {
    RunSpec {
        kind: RunKind::Study,
        config: CONFIG_TEXT.to_owned(),
        seeds: vec![seed],
        rules_hash: "9adcfb12d8db2a82".to_owned(),
        environment_hash: None,
        task_hash: None,
    }
}

fn start_with(path: &Path, seed: u64, force: bool) -> Result<RunFolder, StartError> {
    RunFolder::start(&spec(seed), &Destination::new(path, &[], force))
}

fn start(path: &Path, seed: u64) -> RunFolder {
    start_with(path, seed, false).unwrap()
}

fn refusal(path: &Path, seed: u64) -> String {
    start_with(path, seed, false).unwrap_err().to_string()
}

/// Starts a run and writes its results.
fn work(path: &Path, seed: u64, force: bool) -> RunFolder {
    let run = start_with(path, seed, force).unwrap();
    write_atomic(&run.file(RESULTS), format!("{seed}")).unwrap();
    run
}

fn results(path: &Path) -> String {
    fs::read_to_string(path.join(RESULTS)).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_interrupted_copy_of_a_folder_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let run = work(&path, 1, false);
    make_folder(&run.file("a/kept")).unwrap();
    write_atomic(&run.file("a/kept/one"), "1").unwrap();
    write_atomic(&run.file("a/kept/two"), "2").unwrap();
    run.finish().unwrap();
    let again = work(&path, 2, true);
    make_folder(&again.file("a/kept.copy")).unwrap();
    write_atomic(&again.file("a/kept.copy/one"), "torn").unwrap();
    again.carry_over("a/kept").unwrap();
    assert_eq!(
        (names(&again.file("a/kept")), names(&again.file("a"))),
        (vec!["one".into(), "two".into()], vec!["kept".into()])
    );
    assert_eq!(fs::read_to_string(again.file("a/kept/one")).unwrap(), "1");
    // What the run already has isn't replaced.
    write_atomic(&again.file("a/kept/one"), "3").unwrap();
    again.carry_over("a/kept").unwrap();
    assert_eq!(fs::read_to_string(again.file("a/kept/one")).unwrap(), "3");
}

#[test]
fn an_interrupted_run_is_resumed_and_another_one_is_not_replaced_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results/quick");
    let state = |seed| RunFolder::state(&path, &spec(seed)).unwrap();
    assert_eq!(state(1), RunState::Absent);
    drop(work(&path, 1, false));
    assert_eq!((state(1), state(2)), (RunState::Unfinished, RunState::Other));
    let run = start(&path, 1);
    assert_eq!((run.is_resumed, run.path()), (true, &*path));
    drop(run);
    let error = refusal(&path, 2);
    assert!(error.contains("unfinished run") && error.contains("--force") && error.contains("--out"), "{error}");
    assert_eq!(results(&path), "1");
}

#[test]
fn a_finished_run_stays_whole_until_the_next_one_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quick");
    work(&path, 1, false).finish().unwrap();
    assert_eq!(RunFolder::state(&path, &spec(1)).unwrap(), RunState::Finished);
    let whole = names(&path);
    // If the same run is started again, it works next to the old one and is found again.
    let again = work(&path, 1, false);
    write_atomic(&again.file(RESULTS), "again").unwrap();
    drop(again);
    assert_eq!((results(&path), names(&path)), ("1".to_owned(), whole.clone()));
    let again = start(&path, 1);
    assert!(again.is_resumed);
    again.finish().unwrap();
    assert_eq!((results(&path), names(&path)), ("again".to_owned(), whole));
    assert_eq!(names(folder.path()), ["quick"]);
    // A run that stops before its first result leaves nothing behind. If it is killed, its temporary files remain
    // until the next run ends.
    drop(start(&path, 1));
    assert_eq!(names(folder.path()), ["quick"]);
    fs::write(path.join(".provenance.json.houseway-Ab3dE9"), "").unwrap();
    let again = work(&path, 1, false);
    write_atomic(&again.file(RESULTS), "again").unwrap();
    fs::write(again.file(".report.md.houseway-Ab3dE9"), "").unwrap();
    again.finish().unwrap();
    assert!(names(&path).iter().all(|name| !name.starts_with('.')), "{:?}", names(&path));
    // A run with a different configuration requires confirmation.
    let error = refusal(&path, 2);
    assert!(error.contains("finished results") && error.contains("whose configuration differs"), "{error}");
    let changed = RunSpec { config: "seed = 2\n".to_owned(), ..spec(2) };
    let error = RunFolder::start(&changed, &Destination::new(&path, &[], false)).unwrap_err().to_string();
    assert!(error.contains("configuration differs (seed is 1 there, 2 here); choose"), "{error}");
    drop(work(&path, 2, true));
    assert_eq!(results(&path), "again");
    // Replacing its interrupted state does too.
    assert!(refusal(&path, 1).contains("interrupted run of another configuration"));
    work(&path, 2, true).finish().unwrap();
    assert_eq!(results(&path), "2");
    assert_eq!(names(folder.path()), ["quick"]);
}

#[test]
fn a_part_of_a_run_replaces_the_whole_only_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quick");
    work(&path, 1, false).finish().unwrap();
    let part =
        |force| RunFolder::start(&spec(1), &Destination { repeats: &|_| false, ..Destination::new(&path, &[], force) });
    let error = part(false).unwrap_err().to_string();
    assert!(error.contains("only a part") && error.contains("--force"), "{error}");
    let run = part(true).unwrap();
    assert!(!run.is_resumed);
    run.publish().unwrap();
    assert!(!path.join(MACHINE).exists() && !path.join(RESULTS).exists());
}

/// Returns the names and contents of all files in a folder and its subfolders.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let paths = paths(folder).unwrap().into_iter();
    paths.map(|path| (path.display().to_string(), fs::read_to_string(folder.join(path)).unwrap())).collect()
}

/// Adds notes of a user to a folder, some of which look like a run's files.
fn add_notes(folder: &Path, text: &str) -> [&'static str; 6] {
    let notes = ["notes.md", ".thesis.txtDRAFT1", "plots/notes.txt", "plots/mine.svg", "train/a-seed-1/n.txt", "my/n"];
    for note in notes {
        make_folder(folder.join(note).parent().unwrap()).unwrap();
        fs::write(folder.join(note), text).unwrap();
    }
    notes
}

#[test]
fn notes_anywhere_in_the_folder_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quick");
    let new = |seed| {
        let run = work(&path, seed, true);
        make_folder(&run.file("plots")).unwrap();
        make_folder(&run.training("a-seed-1")).unwrap();
        write_atomic(&run.file(&format!("plots/ev-{seed}.svg")), "drawn").unwrap();
        write_atomic(&run.training("a-seed-1").join("metrics.csv"), "").unwrap();
        run.finish().unwrap();
    };
    new(1);
    let notes = add_notes(&path, "mine");
    new(2);
    let found = contents(&path);
    assert!(notes.iter().all(|note| found[*note] == "mine"), "{found:?}");
    assert!(found.contains_key("plots/ev-2.svg") && !found.contains_key("plots/ev-1.svg"), "{found:?}");
    // A note with the name of an output and notes in the new run's folder are kept under another name.
    fs::write(path.join("plots/ev-3.svg"), "mine").unwrap();
    drop(work(&path, 3, true));
    fs::write(folder.path().join(".quick.new/notes.md"), "other").unwrap();
    new(3);
    let found = contents(&path);
    assert_eq!((&*found["plots/ev-3.svg"], &*found["plots/ev-3.svg.old"]), ("drawn", "mine"));
    assert_eq!((&*found["notes.md"], &*found["notes.md.old"]), ("other", "mine"));
    assert_eq!(names(folder.path()), ["quick"]);
    new(3);
    assert_eq!(contents(&path)["notes.md.old"], "mine");
    let verified = verify_run(&path).unwrap().unwrap();
    assert!(verified.is_whole() && verified.others.len() == notes.len() + 2, "{verified:?}");
}

#[test]
fn folders_that_only_have_the_name_of_a_runs_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quick");
    work(&path, 1, false).finish().unwrap();
    let [new, old] = ["new", "old"].map(|end| folder.path().join(format!(".quick.{end}")));
    for foreign in [&new, &old] {
        fs::create_dir(foreign).unwrap();
        fs::write(foreign.join("thesis.tex"), "years").unwrap();
    }
    for force in [false, true] {
        let error = start_with(&path, 1, force).unwrap_err().to_string();
        assert!(error.contains(".quick.new is not empty") && error.contains("move this one"), "{error}");
    }
    assert_eq!(names(&new), ["thesis.tex"]);
    fs::remove_dir_all(&new).unwrap();
    // A copy of the run isn't the rest of a replacement.
    for file in names(&path) {
        fs::copy(path.join(&file), old.join(&file)).unwrap();
    }
    let kept = contents(&old);
    work(&path, 1, false).finish().unwrap();
    assert_eq!(contents(&old), kept);
    // An unfinished run with notes isn't discarded.
    drop(work(&path, 1, false));
    fs::write(new.join("notes.md"), "mine").unwrap();
    let error = start_with(&path, 2, true).unwrap_err().to_string();
    assert!(error.contains(".quick.new/notes.md is not part of the run"), "{error}");
    fs::remove_file(new.join("notes.md")).unwrap();
    work(&path, 2, true).finish().unwrap();
    assert_eq!(names(folder.path()), [".quick.old", "quick"]);
}

#[test]
fn a_replacement_that_was_cut_off_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quick");
    let prepare = || {
        let _ = fs::remove_dir_all(&path);
        work(&path, 1, false).finish().unwrap();
        add_notes(&path, "mine");
        let run = work(&path, 2, true);
        (run.working().to_owned(), run.file(PROVENANCE))
    };
    let whole = {
        prepare();
        work(&path, 2, true).finish().unwrap();
        contents(&path).into_keys().collect::<Vec<_>>()
    };
    // The run is interrupted between the two renames, after both, and while the old run is removed.
    for step in 0..3 {
        let (new, provenance) = prepare();
        let machine = fs::read_to_string(path.join(MACHINE)).unwrap();
        fs::write(new.join(MANIFEST), manifest_text(&new, (MACHINE, &machine)).unwrap()).unwrap();
        fs::write(new.join(MACHINE), machine).unwrap();
        let mark: String =
            Sha256::digest(fs::read(provenance).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
        fs::write(path.join(MARK), mark).unwrap();
        fs::rename(&path, new.join(".replaced")).unwrap();
        if step > 0 {
            fs::rename(&new, &path).unwrap();
        }
        if step > 1 {
            fs::rename(path.join(".replaced/notes.md"), path.join("notes.md")).unwrap();
            fs::remove_file(path.join(".replaced").join(RESULTS)).unwrap();
        }
        RunFolder::open(&path).map(drop).or_else(|_| start_with(&path, 2, false).map(drop)).unwrap();
        assert_eq!(results(&path), "2");
        assert_eq!(contents(&path).into_keys().collect::<Vec<_>>(), whole, "step {step}");
        assert_eq!(names(folder.path()), ["quick"]);
    }
}

#[test]
fn unrelated_folders_and_files_are_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let thesis = folder.path().join("thesis");
    fs::create_dir(&thesis).unwrap();
    fs::write(thesis.join("thesis.tex"), "years").unwrap();
    for force in [false, true] {
        let error = start_with(&thesis, 1, force).unwrap_err().to_string();
        assert!(error.contains("not empty") && error.contains("--out"), "{error}");
    }
    assert_eq!(names(&thesis), ["thesis.tex"]);
    let config = folder.path().join("mine");
    fs::create_dir(&config).unwrap();
    fs::write(config.join(CONFIG), "mine").unwrap();
    assert!(refusal(&config, 1).contains("not the folder of a run"));
    let error = RunFolder::open(&thesis).unwrap_err().to_string();
    assert!(error.contains("not the folder of a run"), "{error}");
    let path = folder.path().join("run");
    work(&path, 1, false).finish().unwrap();
    fs::write(path.join("notes.txt"), "mine").unwrap();
    work(&path, 2, true).finish().unwrap();
    assert_eq!(fs::read_to_string(path.join("notes.txt")).unwrap(), "mine");
}

#[test]
fn a_folder_keeps_to_one_kind_of_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    work(&path, 1, false).finish().unwrap();
    let audit = RunSpec { kind: RunKind::Audit, ..spec(1) };
    for force in [false, true] {
        let to = Destination::new(&path, &[], force);
        let error = RunFolder::start(&audit, &to).unwrap_err().to_string();
        assert!(error.contains("contains a study") && error.contains("--out"), "{error}");
    }
}

#[test]
fn a_second_run_in_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let first = work(&path, 1, false);
    assert!(refusal(&path, 1).contains("in use by another houseway"));
    assert!(RunFolder::open(&path).unwrap_err().to_string().contains("in use"));
    let finished = first.finish().unwrap();
    assert!(refusal(&path, 1).contains("in use"));
    drop(finished);
    start(&path, 1);
}

#[test]
fn inputs_inside_the_folder_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    work(&path, 1, false).finish().unwrap();
    let begin = |spec: &RunSpec, input: PathBuf| {
        let to = Destination::new(&path, std::slice::from_ref(&input), true);
        RunFolder::start(spec, &to).map(|_| ())
    };
    // The run's own unchanged configuration is allowed.
    begin(&spec(1), path.join(CONFIG)).unwrap();
    fs::write(path.join("mine.toml"), "").unwrap();
    begin(&spec(1), path.join("mine.toml")).unwrap();
    for (spec, input) in [(spec(1), RESULTS), (RunSpec { config: "seed = 2\n".to_owned(), ..spec(1) }, CONFIG)] {
        let error = begin(&spec, path.join(input)).unwrap_err().to_string();
        assert!(error.contains(input) && error.contains("copy it elsewhere"), "{error}");
    }
}

#[test]
fn time_and_machine_are_stored_separately() {
    let folder = tempfile::tempdir().unwrap();
    let run = start(&folder.path().join("run"), 1).finish().unwrap();
    let machine: Machine = serde_json::from_slice(&fs::read(run.file(MACHINE)).unwrap()).unwrap();
    let text = fs::read_to_string(run.file(PROVENANCE)).unwrap();
    assert!(!text.contains(&machine.date[..10]) && !text.contains(&machine.cpu) && text.contains("9adcfb12d8db2a82"));
}
