//! A fixed, seeded sample of hands with the exact value of each setting: common hands for all agents, counted once.
//!
//! The hands are a sample, their values are not: every value is counted against all 53,524,680 banker hands. So the only
//! error of a mean over the sample is that of dealing, and in the difference of two agents most of it cancels.

use super::config::SampleConfig;
use crate::run::{make_folder, write_atomic};
use houseway_env::gym::stream;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Dealt, Game, Hand, Setting, Strategy};
use houseway_exact::pai_gow::{BANKER_HANDS, BankerTable, HandCounter};
use houseway_learned::Named;
use indicatif::{ProgressBar, ProgressStyle};
use sha2::{Digest, Sha256};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// In the file of a sample: a foul.
const FOUL: i64 = i64::MIN;
/// Raised whenever the file or the dealing changes.
const FORMAT: &str = "houseway-sample-1";
/// Hands counted between two steps of the progress bar.
const CHUNK: usize = 500;

/// Hands and what each of their settings wins.
pub struct ExactSample {
    hands: Vec<Hand>,
    /// Exact EVs in units of 1 / (53,524,680 * 1,000,000) stakes; [`FOUL`] for fouls.
    gains: Vec<[i64; Setting::COUNT]>,
}

impl ExactSample {
    /// The sample of a configuration: from `cache` if it was counted before, else counted and kept there.
    ///
    /// # Errors
    /// If the cache cannot be written, or it was asked to stop.
    pub fn get(
        config: SampleConfig,
        game: &Game,
        banker: &BankerTable,
        way_hash: &str,
        cache: &Path,
        stop: &AtomicBool,
    ) -> io::Result<ExactSample> {
        let hands = deal(config);
        let name = format!("{FORMAT} {} {way_hash} {} {}", game.rules().hash(), config.hands, config.seed);
        let key: String = Sha256::digest(&name)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let file = cache.join(format!("sample-{key}.bin"));
        // A file that is torn or of another sample is counted again.
        if let Some(gains) = std::fs::read(&file).ok().and_then(|bytes| read(&bytes, config.hands)) {
            return Ok(ExactSample { hands, gains });
        }
        let stopped = || {
            io::Error::new(io::ErrorKind::Interrupted, "stopped while the sample was counted; nothing is kept of it")
        };
        let gains = count(&hands, game, banker, stop).ok_or_else(stopped)?;
        make_folder(cache)?;
        write_atomic(&file, bytes_of(&gains))?;
        Ok(ExactSample { hands, gains })
    }

    /// The hands.
    pub fn hands(&self) -> &[Hand] {
        &self.hands
    }

    /// EV of a setting of the i-th hand, in stakes.
    ///
    /// # Panics
    /// If the setting is a foul.
    pub fn ev(&self, i: usize, setting: Setting) -> f64 {
        let gain = self.gains[i][setting.index()];
        assert!(gain != FOUL, "{} is set foul", self.hands[i]);
        value(gain)
    }

    /// EV of the best setting of the i-th hand, in stakes.
    pub fn best_ev(&self, i: usize) -> f64 {
        value(self.gains[i].into_iter().max().expect("there are 21 settings"))
    }

    /// What a setting of the i-th hand gives away, in stakes; exactly 0 for a best one.
    ///
    /// # Panics
    /// If the setting is a foul.
    pub fn regret(&self, i: usize, setting: Setting) -> f64 {
        let gains = &self.gains[i];
        assert!(gains[setting.index()] != FOUL, "{} is set foul", self.hands[i]);
        value(gains.iter().max().expect("there are 21 settings") - gains[setting.index()])
    }

    /// The best setting of the i-th hand, the lowest of equal ones.
    pub fn best(&self, i: usize) -> Setting {
        let best = Setting::all().min_by_key(|setting| std::cmp::Reverse(self.gains[i][setting.index()]));
        best.expect("there are 21 settings")
    }
}

fn value(gain: i64) -> f64 {
    gain as f64 / (BANKER_HANDS as f64 * f64::from(Rate::WHOLE))
}

fn deal(config: SampleConfig) -> Vec<Hand> {
    let mut rng = stream(config.seed.into());
    (0..config.hands).map(|_| Dealt::random(&mut rng).hand()).collect()
}

/// Nothing if it was asked to stop.
fn count(hands: &[Hand], game: &Game, banker: &BankerTable, stop: &AtomicBool) -> Option<Vec<[i64; Setting::COUNT]>> {
    let counter = HandCounter::new(game, banker);
    let commission = game.rules().commission;
    let style = ProgressStyle::with_template("exact values {bar:30} {pos}/{len} hands, {eta} left");
    let bar = ProgressBar::new(hands.len() as u64).with_style(style.expect("the template is sound"));
    let mut gains = Vec::with_capacity(hands.len());
    for chunk in hands.chunks(CHUNK) {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let counts = counter.count_many(chunk);
        gains.extend(counts.iter().map(|hand| {
            let gain = |i: usize| hand.settings()[i].map_or(FOUL, |setting| setting.gain_millionths(commission));
            std::array::from_fn(gain)
        }));
        bar.inc(chunk.len() as u64);
    }
    bar.finish_and_clear();
    Some(gains)
}

fn bytes_of(gains: &[[i64; Setting::COUNT]]) -> Vec<u8> {
    let body: Vec<u8> = gains.iter().flatten().flat_map(|gain| gain.to_le_bytes()).collect();
    [Sha256::digest(&body).as_slice(), &body].concat()
}

fn read(bytes: &[u8], hands: usize) -> Option<Vec<[i64; Setting::COUNT]>> {
    let (hash, body) = bytes.split_at_checked(32)?;
    if Sha256::digest(body).as_slice() != hash || body.len() != hands * Setting::COUNT * 8 {
        return None;
    }
    let (numbers, _) = body.as_chunks::<8>();
    let (rows, _) = numbers.as_chunks::<{ Setting::COUNT }>();
    Some(rows.iter().map(|row| row.map(i64::from_le_bytes)).collect())
}

impl ExactSample {
    /// The mean regret of a strategy on the sample, and its agreement with the optimum.
    pub fn measure(&self, strategy: &dyn Strategy) -> Named {
        let settings = strategy.set_batch(&self.hands);
        let regrets: Vec<f64> = settings.iter().enumerate().map(|(i, &setting)| self.regret(i, setting)).collect();
        let hands = regrets.len() as f64;
        let agreeing = regrets.iter().filter(|&&regret| regret == 0.0).count();
        vec![("regret", regrets.iter().sum::<f64>() / hands), ("agreement", agreeing as f64 / hands)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::ProfileTable;
    use houseway_env::pai_gow::Rules;

    #[test]
    fn a_sample_is_counted_once_and_again_if_its_file_is_torn() {
        let game = Game::new(Rules::default());
        let banker = BankerTable::new(&ProfileTable::highest_front(&game));
        let folder = tempfile::tempdir().unwrap();
        let config = SampleConfig { hands: 100, seed: 5 };
        let get = || ExactSample::get(config, &game, &banker, "way", folder.path(), &AtomicBool::new(false)).unwrap();
        let first = get();
        let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(get().gains, first.gains);
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
        for i in 0..100 {
            let counts = HandCounter::new(&game, &banker).count(first.hands()[i]);
            assert_eq!((first.best(i), first.regret(i, first.best(i))), (counts.best(), 0.0));
            assert!((first.ev(i, first.best(i)) - counts.ev(counts.best()).unwrap().value()).abs() < 1e-12);
            assert_eq!(first.best_ev(i), first.ev(i, first.best(i)));
        }
    }
}
