//! Games for a human player, who plays them round by round.

use super::episode::{Footer, without_footer};
use super::{
    Env, EnvError, Episode, HistoryError, PublicBet, PublicTable, Step, StreamSeed, read_episodes, replay,
    write_episodes,
};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::io::BufRead;

/// A game for a human player. Each round consists of bets, decisions and a net result.
///
/// [`Episodes`] implements this trait for every single-agent environment. A game with several seats has its own
/// implementation, which also plays the other seats. Their chips carry over from round to round.
pub trait Rounds: Send {
    /// Returns the environment id.
    fn id(&self) -> &'static str;

    /// Returns a hash of everything that affects the rounds, except for the seed, the bets and the actions.
    fn rules_hash(&self) -> String;

    /// Returns the options with their defaults. Decimal numbers are bets, and positive decimal numbers are main bets.
    fn default_options(&self) -> Map<String, Value>;

    /// Returns the maximum loss of a main bet, in units of the bet.
    fn max_loss(&self) -> f64;

    /// Opens the game with the given seed, bankroll and options. The bets are not part of these options. The bankroll
    /// only matters if the [rounds depend on earlier ones](Rounds::is_continuous). [`Episodes`] ignores it.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if an option is invalid, or if the game uses the bankroll and it's invalid.
    fn open(&mut self, seed: u64, bankroll: f64, options: &Map<String, Value>) -> Result<(), EnvError>;

    /// Returns `true` if rounds depend on earlier ones, as at a table with several seats. A saved session is then resumed
    /// by replaying all of its rounds. The player can sit out a round by starting it with bets of 0. Such a round is
    /// over immediately, and its net result is 0.
    fn is_continuous(&self) -> bool {
        false
    }

    /// Checks that [`Rounds::begin`] would currently accept the given bets.
    ///
    /// # Errors
    /// Returns the error that [`Rounds::begin`] would return.
    fn check_bets(&self, bets: &Map<String, Value>) -> Result<(), EnvError>;

    /// Starts a round with the given bets. Rounds are numbered from 0.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] if the game hasn't been opened, or [`EnvError::BadOption`] if a bet is invalid.
    /// The game is then unchanged.
    fn begin(&mut self, round: u64, bets: &Map<String, Value>) -> Result<(), EnvError>;

    /// Plays an action.
    ///
    /// # Errors
    /// Returns an error if [`Rounds::check_action`] does. The game is then unchanged.
    fn step(&mut self, action: usize) -> Result<Step, EnvError>;

    /// Checks that [`Rounds::step`] would currently accept an action.
    ///
    /// # Errors
    /// Returns the error that [`Rounds::step`] would return.
    fn check_action(&self, action: usize) -> Result<(), EnvError>;

    /// Returns the legal actions in ascending order.
    fn legal(&self) -> Vec<usize>;

    /// Returns the name of an action in the open decision. Returns `None` if the names don't depend on the state of the
    /// game.
    fn action_name(&self, _action: usize) -> Option<String> {
        None
    }

    /// Returns the action that the house's strategy would choose, or `None` if the strategy doesn't cover the open
    /// decision.
    fn house_action(&self) -> Option<usize>;

    /// Returns the action that is played for a player who runs out of time. Defaults to the house's action.
    fn late_action(&self) -> Option<usize> {
        self.house_action()
    }

    /// Returns everything that is relevant to the open decision as JSON, or `None` if the decision has no exact values.
    /// See [`Env::view`].
    fn view(&self) -> Option<Value>;

    /// Returns the table as the player sees it, or `None` if the game doesn't describe it.
    fn public_table(&self) -> Option<PublicTable> {
        None
    }

    /// Returns the bets before the deal, with the given stakes. Empty if the game doesn't describe them.
    fn public_bets(&self, _bets: &Map<String, Value>) -> Vec<PublicBet> {
        vec![]
    }

    /// Returns the outcome of a finished round. See [`Env::outcome`].
    fn outcome(&self) -> Option<Value> {
        None
    }

    /// Returns the amount that the round's EVs are relative to. `None` means the sum of the main bets.
    fn main_stake(&self) -> Option<f64> {
        None
    }

    /// Returns the state as text, without any hidden cards.
    fn render(&self) -> String;

    /// Returns the history lines since the last call, up to the last finished round.
    fn take_history(&mut self) -> Vec<u8>;

    /// Returns the line that closes a history, which consists of the given lines.
    fn close_history(&self, history: &[u8]) -> Vec<u8>;

    /// Removes the line written by [`Rounds::close_history`] from a history.
    fn without_end<'a>(&self, history: &'a [u8]) -> &'a [u8] {
        without_footer(history)
    }

    /// Replays a history and compares every result. The history of a table with several seats has the moves of all
    /// players, so every result is checked, but not who the other players are.
    ///
    /// # Errors
    /// Returns an error if the history cannot be read, or if it differs from the replay.
    fn verify(&mut self, history: &mut dyn BufRead) -> Result<Verified, HistoryError>;
}

/// The result of verifying a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The number of rounds. All of them replay as recorded.
    pub rounds: u64,
    /// True if the history has a footer and is therefore complete and unchanged. Otherwise, either the program was
    /// interrupted after the last round, or the end was removed.
    pub closed: bool,
}

/// The rounds of a single-agent environment. Each round is an episode. Round *n* is dealt on lane *n* of the seed, so
/// its cards don't depend on earlier actions.
pub struct Episodes {
    env: Box<dyn Env>,
    /// The episodes that aren't in the history taken so far.
    played: Vec<Episode>,
    /// The seed, or `None` if the game hasn't been opened.
    seed: Option<u64>,
    options: Map<String, Value>,
}

impl Episodes {
    /// Wraps an environment.
    pub fn new(env: Box<dyn Env>) -> Episodes {
        Episodes { env, played: vec![], seed: None, options: Map::new() }
    }

    /// Returns the reset options for a round with the given bets.
    fn options(&self, bets: &Map<String, Value>) -> Value {
        let mut options = self.options.clone();
        options.extend(bets.clone());
        options.into()
    }
}

impl Rounds for Episodes {
    fn id(&self) -> &'static str {
        self.env.spec().id
    }

    fn rules_hash(&self) -> String {
        self.env.rules_hash()
    }

    fn default_options(&self) -> Map<String, Value> {
        serde_json::from_str(&self.env.default_options()).unwrap_or_default()
    }

    fn max_loss(&self) -> f64 {
        (-self.env.spec().reward_range.0).max(1.0)
    }

    fn open(&mut self, seed: u64, _: f64, options: &Map<String, Value>) -> Result<(), EnvError> {
        self.env.check_options(Some(&Value::from(options.clone()).to_string()))?;
        (self.seed, self.options) = (Some(seed), options.clone());
        Ok(())
    }

    fn check_bets(&self, bets: &Map<String, Value>) -> Result<(), EnvError> {
        self.seed.ok_or(EnvError::NotReset)?;
        self.env.check_options(Some(&self.options(bets).to_string()))
    }

    fn begin(&mut self, round: u64, bets: &Map<String, Value>) -> Result<(), EnvError> {
        let seed = StreamSeed { seed: self.seed.ok_or(EnvError::NotReset)?, lane: round };
        let options = self.options(bets);
        self.env.reset_stream(Some(seed), Some(&options.to_string()))?;
        self.played.push(Episode::new(&*self.env, Some(seed), options));
        Ok(())
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        let episode = self.played.last_mut().ok_or(EnvError::NotReset)?;
        let step = self.env.step(action)?;
        episode.push(action, step);
        Ok(step)
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.env.check_action(action)
    }

    fn legal(&self) -> Vec<usize> {
        let mut mask = vec![false; self.env.actions()];
        let known = self.env.action_mask(&mut mask).is_ok();
        (0..mask.len()).filter(|&action| known && mask[action]).collect()
    }

    fn house_action(&self) -> Option<usize> {
        self.env.house_action()
    }

    fn view(&self) -> Option<Value> {
        self.env.view()
    }

    fn public_table(&self) -> Option<PublicTable> {
        self.env.public_table()
    }

    fn public_bets(&self, bets: &Map<String, Value>) -> Vec<PublicBet> {
        self.env.public_bets(&self.options(bets).to_string())
    }

    fn outcome(&self) -> Option<Value> {
        self.env.outcome()
    }

    fn render(&self) -> String {
        self.env.render()
    }

    fn take_history(&mut self) -> Vec<u8> {
        let (open, mut lines) = (self.played.pop_if(|episode| !episode.is_over()), vec![]);
        let finished = self.played.iter().filter(|episode| episode.is_over());
        write_episodes(&mut lines, finished).expect("cannot fail in memory");
        self.played = open.into_iter().collect();
        lines
    }

    /// Returns the footer.
    fn close_history(&self, history: &[u8]) -> Vec<u8> {
        let rounds = history.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let footer = Footer::new(rounds, &Sha256::new_with_prefix(history));
        format!("{}\n", serde_json::json!(footer)).into_bytes()
    }

    fn verify(&mut self, history: &mut dyn BufRead) -> Result<Verified, HistoryError> {
        let mut text = vec![];
        history.read_to_end(&mut text).map_err(|error| HistoryError::Unreadable(error.to_string()))?;
        let lines = self.without_end(&text);
        // The last line is incomplete if the program was interrupted while writing it.
        let complete = &lines[..lines.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)];
        if complete.is_empty() && lines.len() == text.len() {
            return Err(HistoryError::Unreadable("the history is empty: expected one line for each round".to_owned()));
        }
        let episodes = read_episodes(complete)?;
        replay(&mut *self.env, &episodes)?;
        let closed = lines.len() < text.len();
        if closed && text[lines.len()..] != self.close_history(lines) {
            let text = "the footer does not match; rounds were added, removed or changed after the history was closed";
            return Err(HistoryError::Differs(text.to_owned()));
        }
        Ok(Verified { rounds: episodes.len() as u64, closed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::tests::walk;

    #[test]
    fn rounds_begin_after_the_game_was_opened() {
        let (mut rounds, bets) = (Episodes::new(Box::new(walk())), Map::new());
        assert_eq!(rounds.check_bets(&bets), Err(EnvError::NotReset));
        assert_eq!(rounds.begin(0, &bets), Err(EnvError::NotReset));
        rounds.open(1, 100.0, &Map::new()).unwrap();
        assert_eq!((rounds.check_bets(&bets), rounds.begin(0, &bets)), (Ok(()), Ok(())));
    }
}
