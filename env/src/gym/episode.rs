//! Recording and replaying episodes in JSON Lines format, and playthroughs as text for golden files.
//!
//! Each line contains one episode, in the order in which they were played. An episode without a seed continues the
//! random stream of the previous episode, so replaying must start at the first line.

use super::{DEFAULT_SEED, Env, EnvError, Step, StreamSeed, stream};
use crate::names::without_place;
use crate::seal;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::{Debug, Write as _};
use std::io::{self, BufRead, Write};

/// The format version. It is incremented whenever the meaning of a line changes.
pub(super) const FORMAT: u32 = 1;
/// The relative tolerance when comparing rewards. The last digit of a number may change when it is written as text and
/// parsed again.
const PRECISION: f64 = 1e-12;

/// A recorded episode. It contains everything needed to replay the episode, and the rewards to compare with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Episode {
    /// The format version, currently 1.
    pub format: u32,
    /// The environment's id, such as `PaiGowPoker-v0`.
    pub env: String,
    /// The environment's [`Env::rules_hash`].
    #[serde(rename = "environment_hash", alias = "rules_hash")]
    pub rules_hash: String,
    /// The seed and lane passed to the reset, or `None` if the reset continued the stream.
    pub seed: Option<StreamSeed>,
    /// The reset options.
    pub options: Value,
    /// The actions, in the order in which they were played.
    pub actions: Vec<usize>,
    /// The reward for each action.
    pub rewards: Vec<f64>,
    /// `true` if the last step terminated the episode.
    pub terminated: bool,
    /// `true` if the last step truncated the episode. If both `terminated` and `truncated` are `false`, the episode is
    /// unfinished.
    pub truncated: bool,
}

impl Episode {
    /// Creates the recording of an environment that has just been reset with this seed and these options.
    pub fn new(env: &dyn Env, seed: Option<StreamSeed>, options: Value) -> Episode {
        Episode {
            format: FORMAT,
            env: env.spec().id.to_owned(),
            rules_hash: env.rules_hash(),
            seed,
            options,
            actions: vec![],
            rewards: vec![],
            terminated: false,
            truncated: false,
        }
    }

    /// Records an action and its result.
    pub fn push(&mut self, action: usize, step: Step) {
        self.actions.push(action);
        self.rewards.push(step.reward);
        (self.terminated, self.truncated) = (step.terminated, step.truncated);
    }

    /// Returns `true` if the episode is finished.
    pub fn is_over(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// An episode that is being played, as its start and the actions taken in it. Unlike an [`Episode`], it can't be
/// verified, but it doesn't depend on earlier episodes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SavedEpisode {
    /// The random stream before the reset, or `None` if the environment doesn't expose it.
    pub(super) start: Option<Pcg64>,
    options: Option<String>,
    pub(super) actions: Vec<u32>,
}

impl SavedEpisode {
    /// Records a reset. This must be called before the reset takes place, because it saves the position of the random
    /// stream.
    pub fn begin<E: Env + ?Sized>(&mut self, env: &E, seed: Option<StreamSeed>, options: Option<&str>) {
        self.start = seed.map(stream).or_else(|| env.random_stream());
        // This keeps the allocation of the last episode.
        match (&mut self.options, options) {
            (Some(last), Some(options)) => options.clone_into(last),
            (last, options) => *last = options.map(str::to_owned),
        }
        self.actions.clear();
    }

    /// Records an action.
    pub fn push(&mut self, action: usize) {
        self.actions.push(action as u32);
    }

    /// Resets an environment with the same configuration and plays the actions. Returns `true` if the episode is over.
    ///
    /// # Errors
    /// Returns [`EnvError::NoStream`] if the random stream is unknown, or the environment's error if it can't be reset or
    /// rejects an action.
    pub fn replay<E: Env + ?Sized>(&self, env: &mut E) -> Result<bool, EnvError> {
        let no_stream = || EnvError::NoStream { env: env.spec().id };
        let start = self.start.clone().ok_or_else(no_stream)?;
        env.reset_on(start, self.options.as_deref())?;
        let mut is_over = false;
        for &action in &self.actions {
            is_over = env.step(action as usize)?.is_last();
        }
        Ok(is_over)
    }
}

/// The reason why a history or a recording could not be verified.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// The text is not a history.
    #[error("{0}")]
    Unreadable(String),
    /// The history was played by other rules or against other opponents.
    #[error("the history is of other rules or opponents: expected the hash {expected}, found {found}")]
    OtherRules {
        /// The hash in the history.
        found: String,
        /// The hash of the game that replays it.
        expected: String,
    },
    /// The history does not match its replay.
    #[error("{0}")]
    Differs(String),
}

impl HistoryError {
    /// Checks that a property of a history is the expected one.
    ///
    /// # Errors
    /// Returns [`HistoryError::Differs`] if the two values differ.
    pub fn check<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Result<(), HistoryError> {
        if found == expected {
            return Ok(());
        }
        Err(HistoryError::Differs(format!("the history has {what} {found:?}, expected {expected:?}")))
    }
}

/// Writes episodes, one per line.
///
/// # Errors
/// Returns an error if the writer fails.
pub fn write_episodes<'a>(mut to: impl Write, episodes: impl IntoIterator<Item = &'a Episode>) -> io::Result<()> {
    for episode in episodes {
        serde_json::to_writer(&mut to, episode)?;
        to.write_all(b"\n")?;
    }
    to.flush()
}

/// Reads episodes, one per line. Empty lines are skipped.
///
/// # Errors
/// Returns an error if reading fails, or if a line is not a valid episode. The error contains the line number.
pub fn read_episodes(from: impl BufRead) -> Result<Vec<Episode>, HistoryError> {
    let mut episodes = Vec::new();
    for (i, line) in from.lines().enumerate() {
        let line = line.map_err(|error| HistoryError::Unreadable(error.to_string()))?;
        if !line.trim().is_empty() {
            let wrong = |error| {
                let expected = "expected one JSON object per line, each an episode or a round";
                HistoryError::Unreadable(format!("line {}: {}; {expected}", i + 1, without_place(&error)))
            };
            episodes.push(serde_json::from_str(&line).map_err(wrong)?);
        }
    }
    Ok(episodes)
}

/// Replays the episodes in order and checks that every step returns the recorded result. Rewards are compared with a
/// relative tolerance of 1e-12. Afterwards, the environment is in the state after the last step. If the first episode
/// has no seed, it uses [`DEFAULT_SEED`](super::DEFAULT_SEED).
///
/// # Errors
/// Returns an error for the first difference found.
pub fn replay(env: &mut dyn Env, episodes: &[Episode]) -> Result<(), HistoryError> {
    for (i, episode) in episodes.iter().enumerate() {
        let (found, expected) = (&episode.rules_hash, env.rules_hash());
        if episode.env == env.spec().id && *found != expected {
            return Err(HistoryError::OtherRules { found: found.clone(), expected });
        }
        let first = (i == 0).then(|| StreamSeed::from(DEFAULT_SEED));
        let replayed = replay_one(env, episode, episode.seed.or(first));
        replayed.map_err(|problem| HistoryError::Differs(format!("episode {}{problem}", i + 1)))?;
    }
    Ok(())
}

/// Returns how a step ends the episode, for use after its reward.
fn end(step: Step) -> &'static str {
    match (step.terminated, step.truncated) {
        (false, false) => "",
        (true, false) => ", terminated",
        (_, true) => ", truncated",
    }
}

fn replay_one(env: &mut dyn Env, episode: &Episode, seed: Option<StreamSeed>) -> Result<(), String> {
    let same = |what, found: &str, expected: String| match found == expected {
        true => Ok(()),
        false => Err(format!(": expected {what} {expected}, found {found}")),
    };
    same("format", &episode.format.to_string(), FORMAT.to_string())?;
    same("environment", &episode.env, env.spec().id.to_owned())?;
    same("number of rewards", &episode.rewards.len().to_string(), episode.actions.len().to_string())?;
    let reset = env.reset_stream(seed, Some(&episode.options.to_string()));
    reset.map_err(|error| format!(", step 0: {error}"))?;
    for (i, (&action, &reward)) in episode.actions.iter().zip(&episode.rewards).enumerate() {
        let step = i + 1;
        let now = env.step(action).map_err(|error| format!(", step {step}: {error}"))?;
        let last = step == episode.actions.len();
        let recorded = Step { reward, terminated: last && episode.terminated, truncated: last && episode.truncated };
        let (close, ends) =
            ((now.reward - reward).abs() <= PRECISION * reward.abs().max(1.0), [recorded, now].map(end));
        if !close || ends[0] != ends[1] {
            let ends = if ends[0] == ends[1] { [""; 2] } else { ends };
            let told = format!("recorded reward {reward}{}, but replayed reward {}{}", ends[0], now.reward, ends[1]);
            return Err(format!(", step {step}: {told}"));
        }
    }
    Ok(())
}

/// The first few characters of a footer.
pub(crate) const FOOTER: &[u8] = b"{\"end\"";

/// The last line of a complete history, `{"end": {"rounds": …, "sha256": "…"}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) enum Footer {
    End {
        /// The number of rounds.
        rounds: u64,
        /// The SHA-256 of all lines before the footer, in hexadecimal.
        sha256: String,
    },
}

impl Footer {
    /// Creates the footer for a number of rounds after the lines that have been hashed.
    pub(crate) fn new(rounds: u64, lines: &Sha256) -> Footer {
        Footer::End { rounds, sha256: hex(lines) }
    }
}

pub(crate) fn hex(digest: &Sha256) -> String {
    seal::hex(&digest.clone().finalize())
}

/// Returns a history without its footer, if any.
pub(crate) fn without_footer(history: &[u8]) -> &[u8] {
    let body = history.strip_suffix(b"\n").unwrap_or(history);
    let last = body.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if history[last..].starts_with(FOOTER) { &history[..last] } else { history }
}

/// The maximum number of steps per episode.
const PLAYTHROUGH_STEPS: usize = 12;

/// Plays two episodes of up to twelve steps for each seed and writes everything that is visible. The text starts with
/// the specification. For every state, it contains the rendering, the nonzero observation entries, the legal actions,
/// the rewards for all actions (if the game defines them), and the chosen action with its result.
///
/// Actions are chosen based on the mask and the step number only. A changed line therefore means that the meaning of a
/// seed, rule or encoding has changed.
///
/// # Errors
/// Returns [`EnvError::BadOption`] if an option is invalid, or another error if the environment violates the
/// [`Env`] contract.
pub fn playthrough(env: &dyn Env, options: &str, seeds: &[u64]) -> Result<String, EnvError> {
    let mut env = env.boxed_clone();
    let (spec, space) = (env.spec(), env.observation_space());
    let mut text = format!(
        "env {}\nrules hash {}\nreward range {:?}\nmax steps {}\nactions {}\nobservation {:?} low {} high {}\noptions {options}\n",
        spec.id,
        env.rules_hash(),
        spec.reward_range,
        spec.max_steps,
        env.actions(),
        space.shape,
        space.low,
        space.high,
    );
    for &seed in seeds {
        for (episode, reset) in [Some(seed), None].into_iter().enumerate() {
            env.reset(reset, Some(options))?;
            let reset = reset.map_or("none".to_owned(), |seed| seed.to_string());
            let _ = writeln!(text, "\n## reset({reset}), episode {}", episode + 1);
            let mut legal = write_state(env.as_ref(), &mut text)?;
            for step in 0..PLAYTHROUGH_STEPS {
                if legal.is_empty() {
                    break;
                }
                let action = legal[(seed as usize * 7 + episode + step * 5) % legal.len()];
                let result = env.step(action)?;
                let _ = writeln!(text, "step({action}): reward {}{}", result.reward, end(result));
                legal = write_state(env.as_ref(), &mut text)?;
            }
        }
    }
    Ok(text)
}

/// Writes the current state and returns the legal actions.
fn write_state(env: &dyn Env, text: &mut String) -> Result<Vec<usize>, EnvError> {
    let mut observation = vec![0.0; env.observation_space().len()];
    let mut mask = vec![false; env.actions()];
    env.observe(&mut observation)?;
    env.action_mask(&mut mask)?;
    let entries = observation.iter().enumerate().filter(|(_, entry)| **entry != 0.0);
    let entries: Vec<String> = entries.map(|(place, entry)| format!("{place}:{entry}")).collect();
    let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
    let _ = writeln!(text, "{}\nobservation {}\nlegal {legal:?}", env.render(), entries.join(" "));
    if env.has_action_rewards() && !legal.is_empty() {
        let mut rewards = vec![0.0; mask.len()];
        env.action_rewards(&mut rewards)?;
        let rewards: Vec<String> = legal.iter().map(|&action| rewards[action].to_string()).collect();
        let _ = writeln!(text, "rewards {}", rewards.join(" "));
    }
    Ok(legal)
}

#[cfg(test)]
mod tests {
    use super::super::tests::walk;
    use super::*;
    use serde_json::json;

    /// Returns a few recorded walks, the last of which is unfinished.
    fn recorded() -> Vec<Episode> {
        let (mut env, mut episodes) = (walk(), vec![]);
        for (seed, start) in [(None, 0), (None, 2), (Some(7), 1), (None, 3), (None, 0)] {
            let (seed, options) = (seed.map(StreamSeed::from), json!({ "start": start }));
            env.reset_stream(seed, Some(&options.to_string())).unwrap();
            let mut episode = Episode::new(&env, seed, options);
            let mut mask = [false; 3];
            for _ in 0..(episodes.len() + 1) * 3 {
                env.action_mask(&mut mask).unwrap();
                let Some(action) = mask.iter().rposition(|&legal| legal) else { break };
                episode.push(action, env.step(action).unwrap());
            }
            episodes.push(episode);
        }
        episodes
    }

    #[test]
    fn episodes_round_trip_and_replay() {
        let episodes = recorded();
        let mut text = Vec::new();
        write_episodes(&mut text, &episodes).unwrap();
        let read = read_episodes(&text[..]).unwrap();
        assert_eq!(read, episodes);
        replay(&mut walk(), &read).unwrap();
    }

    #[test]
    fn what_differs_is_named() {
        let changed = |change: fn(&mut Vec<Episode>)| {
            let mut episodes = recorded();
            change(&mut episodes);
            replay(&mut walk(), &episodes).unwrap_err().to_string()
        };
        assert!(changed(|e| e[1].rewards[0] += 0.5).starts_with("episode 2, step 1: recorded reward "));
        assert!(changed(|e| e[0].rules_hash.clear()).contains("other rules"));
        assert!(changed(|e| e[0].env.push('!')).contains("Walk-v0!"));
        assert!(changed(|e| e[2].actions[1] = 9).contains("episode 3, step 2: action 9 is illegal"));
        assert!(changed(|e| e[2].options["start"] = 9.into()).contains("episode 3, step 0: invalid option start"));
        let ended = changed(|e| e[4].terminated ^= true);
        assert!(ended.starts_with("episode 5, step ") && ended.contains(", terminated"), "{ended}");
        assert!(changed(|e| e[3].rewards.clear()).contains("number of rewards"));
        assert!(changed(|e| e[0].format = 2).contains("format"));
    }

    #[test]
    fn bad_lines_are_named() {
        let mut text = Vec::new();
        write_episodes(&mut text, &recorded()[..1]).unwrap();
        text.extend_from_slice(b"\n{\"env\": 3}\n");
        let error = read_episodes(&text[..]).unwrap_err().to_string();
        assert!(error.starts_with("line 3:"), "{error}");
    }
}
