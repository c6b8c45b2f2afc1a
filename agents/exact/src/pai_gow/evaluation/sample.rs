//! A fixed sample of hands with the exact EV of each setting.
//!
//! Only the hands are sampled. Their values are enumerated over all 53,524,680 banker hands, so means over the sample
//! have no error except from dealing the hands. Most of that error cancels out in the difference between two
//! strategies.

use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::hand::HandEvaluator;
use crate::pai_gow::outcomes::{BANKER_HANDS, Payoff};
use crate::pai_gow::policy::Situation;
use crate::solver::{Control, SampleConfig, SolverError};
use houseway_env::files;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Dealt, Game, Hand, Setting};
use houseway_env::rules::short_hash;
use houseway_env::seal::Seal;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io, process};

/// The gain stored for a foul in a sample file.
const FOUL: i64 = i64::MIN;
/// The seal for cached samples. It rejects files from other versions of the program, because those may produce
/// different values.
const SEAL: Seal = Seal::new("houseway-sample", 3).of_one_version();
/// The number of hands between two progress reports.
const CHUNK: usize = 500;
/// The gain of a stake, in millionths over all hands of the banker.
const STAKE: f64 = BANKER_HANDS as f64 * Rate::WHOLE as f64;

/// All parameters that determine the gains in a sample.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    rules: String,
    banker: String,
    size: usize,
    seed: u64,
}

/// A sample of hands with the gain from each setting.
pub(super) struct ExactSample {
    pub(super) hands: Vec<Hand>,
    pub(super) situations: Vec<Situation>,
}

impl ExactSample {
    /// Returns the configured sample against a banker with the hash `banker_hash`. If the `cache` folder contains the
    /// sample, it's read from there. Otherwise, it's computed and stored there.
    pub(super) fn new(
        config: SampleConfig,
        game: &Game,
        (banker, banker_hash): (&BankerTable, &str),
        cache: Option<&Path>,
        control: &Control<'_>,
    ) -> Result<ExactSample, SolverError> {
        let hands = deal(config);
        let SampleConfig { size, seed } = config;
        let about = About { rules: game.rules().hash(), banker: banker_hash.to_owned(), size, seed };
        // Other versions may produce different values, so they have files of their own.
        let key = short_hash([format!("{about:?} {}", env!("CARGO_PKG_VERSION")).as_bytes()]);
        let file = cache.map(|folder| folder.join(format!("sample-{key}.bin")));
        if let Some(file) = &file
            && let Some(gains) = read(file, &about)?
        {
            return Ok(ExactSample::with_gains(hands, &gains));
        }
        // Check this first, because the computation takes seconds.
        if let Some(folder) = cache {
            check_writable(folder).map_err(|error| {
                SolverError::Failed(format!(
                    "cannot write the sample's exact values to {}: {error}; make the folder writable, or use \
                     another one with --out",
                    folder.display()
                ))
            })?;
        }
        let gains = enumerate(&hands, game, banker, control)?;
        if let Some(file) = file {
            let written = write(&file, &to_bytes(&about, &gains));
            written.map_err(|error| SolverError::Failed(format!("cannot write {}: {error}", file.display())))?;
        }
        Ok(ExactSample::with_gains(hands, &gains))
    }

    fn with_gains(hands: Vec<Hand>, gains: &[[i64; Setting::COUNT]]) -> ExactSample {
        let situation = |gains: &[i64; Setting::COUNT]| {
            let mut situation = Situation { hands: 1, legal: 0, gains: [0; Setting::COUNT], best: i128::MIN };
            for (i, &gain) in gains.iter().enumerate().filter(|(_, gain)| **gain != FOUL) {
                situation.legal |= 1 << i;
                situation.gains[i] = gain;
                situation.best = situation.best.max(gain.into());
            }
            situation
        };
        ExactSample { hands, situations: gains.iter().map(situation).collect() }
    }

    /// Returns the EV of each hand's best setting, per unit staked.
    pub(super) fn best_evs(&self) -> impl ExactSizeIterator<Item = f64> + Clone {
        self.situations.iter().map(|situation| situation.best as f64 / STAKE)
    }

    /// Returns the EV that a setting of the i-th hand loses, in stakes. It's exactly 0 for an optimal setting.
    ///
    /// # Panics
    /// Panics if the setting is a foul.
    pub(super) fn regret(&self, i: usize, setting: Setting) -> f64 {
        let situation = &self.situations[i];
        assert!(situation.legal >> setting.index() & 1 == 1, "{} is set foul", self.hands[i]);
        situation.lost(setting) as f64 / STAKE
    }
}

fn deal(config: SampleConfig) -> Vec<Hand> {
    let mut rng = config.stream();
    (0..config.size).map(|_| Dealt::random(&mut rng).hand()).collect()
}

fn enumerate(
    hands: &[Hand],
    game: &Game,
    banker: &BankerTable,
    control: &Control<'_>,
) -> Result<Vec<[i64; Setting::COUNT]>, SolverError> {
    let counter = HandEvaluator::new(game, banker);
    let payoff = Payoff::player(game.rules().commission);
    let progress = control.stage("exact values", "hands");
    let mut gains = Vec::with_capacity(hands.len());
    for chunk in hands.chunks(CHUNK) {
        if control.is_cancelled() {
            return Err(SolverError::Cancelled);
        }
        let counts = counter.count_many(chunk);
        gains.extend(counts.iter().map(|hand| {
            let gain = |i: usize| {
                hand.settings()[i].map_or(FOUL, |setting| payoff.gain(setting.wins as i64, setting.losses as i64))
            };
            std::array::from_fn(gain)
        }));
        progress(gains.len() as u64, hands.len() as u64);
    }
    Ok(gains)
}

fn to_bytes(about: &About, gains: &[[i64; Setting::COUNT]]) -> Vec<u8> {
    let body: Vec<u8> = gains.iter().flatten().flat_map(|gain| gain.to_le_bytes()).collect();
    SEAL.seal_bytes(about, &body)
}

fn parse(bytes: &[u8], about: &About) -> Option<Vec<[i64; Setting::COUNT]>> {
    let (found, body): (About, _) = SEAL.open_bytes(bytes).ok()?;
    if found != *about || body.len() != about.size * Setting::COUNT * 8 {
        return None;
    }
    let (numbers, _) = body.as_chunks::<8>();
    let (rows, _) = numbers.as_chunks::<{ Setting::COUNT }>();
    Some(rows.iter().map(|row| row.map(i64::from_le_bytes)).collect())
}

/// Reads a sample. Returns `None` if there is none.
///
/// # Errors
/// Returns an error if the file can't be read, or if it is damaged. A damaged file is renamed, so that the next call
/// computes the sample again.
fn read(file: &Path, about: &About) -> Result<Option<Vec<[i64; Setting::COUNT]>>, SolverError> {
    let failed = |error: io::Error| SolverError::Failed(format!("cannot read {}: {error}", file.display()));
    // The header takes less than a kilobyte.
    let limit = (about.size * Setting::COUNT * 8) as u64 + 1024;
    match files::read(file, limit) {
        Ok(bytes) => {
            if let Some(gains) = parse(&bytes, about) {
                return Ok(Some(gains));
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {}
        Err(error) => return Err(failed(error)),
    }
    let kept = files::keep_aside(file).map_err(failed)?;
    Err(SolverError::Failed(format!(
        "{} was damaged and is kept as {}; run the same command again to compute the sample's values",
        file.display(),
        kept.display()
    )))
}

/// Returns a part of a file name that no other process or thread uses.
fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Checks that a folder is writable by writing an empty file to it.
fn check_writable(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(format!(".writable-{}", unique()));
    fs::write(&probe, [])?;
    fs::remove_file(probe)
}

/// Writes to a temporary file next to the final one and renames it, so that nobody sees a partially written file.
fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{}", unique()));
    let temporary = PathBuf::from(name);
    let written = File::create_new(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, file)).inspect_err(|_| {
        // Only the first error is worth reporting.
        let _ = fs::remove_file(&temporary);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::{ProfileTable, Rules};

    #[test]
    fn a_sample_is_cached_and_a_torn_file_is_kept_aside() {
        let game = Game::new(Rules::default());
        let banker = BankerTable::new(&ProfileTable::max_front(&game));
        let folder = std::env::temp_dir().join(format!("houseway-sample-test-{}", process::id()));
        let config = SampleConfig { size: 100, seed: 5 };
        let get = || ExactSample::new(config, &game, (&banker, "way"), Some(&folder), &Control::default()).unwrap();
        let rows = |sample: &ExactSample| -> Vec<[i64; Setting::COUNT]> {
            let gain = |situation: &Situation, i: usize| match situation.legal >> i & 1 {
                1 => situation.gains[i],
                _ => FOUL,
            };
            sample.situations.iter().map(|situation| std::array::from_fn(|i| gain(situation, i))).collect()
        };
        let first = get();
        let file = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
        let refused = || {
            let cache = Some(&*folder);
            let refused = ExactSample::new(config, &game, (&banker, "way"), cache, &Control::default()).err().unwrap();
            assert!(refused.to_string().contains("was damaged and is kept as"), "{refused}");
        };
        refused();
        let mut kept = file.clone().into_os_string();
        kept.push(".kept");
        assert_eq!(fs::read(kept).unwrap(), bytes[..bytes.len() - 1]);
        assert_eq!(rows(&get()), rows(&first));
        assert_eq!(fs::read(&file).unwrap(), bytes);
        // Store another sample's file under this sample's name.
        let other = SampleConfig { size: 100, seed: 6 };
        let other = ExactSample::new(other, &game, (&banker, "way"), Some(&folder), &Control::default()).unwrap();
        let about = About { rules: game.rules().hash(), banker: "way".to_owned(), size: 100, seed: 6 };
        fs::write(&file, to_bytes(&about, &rows(&other))).unwrap();
        refused();
        assert_eq!(rows(&get()), rows(&first));
        assert_eq!(fs::read(&file).unwrap(), bytes);
        let about = About { seed: 5, ..about };
        for i in (0..8 * bytes.len()).step_by(61) {
            let mut changed = bytes.clone();
            changed[i / 8] ^= 1 << (i % 8);
            assert!(parse(&changed, &about).is_none_or(|gains| gains == rows(&first)), "bit {i}");
        }
        fs::remove_dir_all(&folder).unwrap();
        let counter = HandEvaluator::new(&game, &banker);
        for (i, &hand) in first.hands.iter().enumerate() {
            let counts = counter.count(hand);
            assert_eq!(first.regret(i, counts.best()), 0.0);
            for setting in Setting::all() {
                if let Some(regret) = counts.regret(setting) {
                    assert!((first.regret(i, setting) - regret.value()).abs() < 1e-12);
                }
            }
        }
    }
}
