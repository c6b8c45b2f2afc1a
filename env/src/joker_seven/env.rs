//! The environment `JokerSeven-v0`: a bandit whose arms hang together.
//!
//! | | |
//! |---|---|
//! | reset | gives every player his chips; options: chips, value of a chip, number of players |
//! | observation | the player's stakes and, once the round is over, the cards; see [`Observation`] |
//! | actions 0 to 27 | put a chip on this [`Wager`]; the first chips on it are as many as its minimum |
//! | action 28, [`DEAL`] | stake no more; legal once a chip lies on the table |
//! | reward | the net result of the player's wagers with his last action, 0 before it |
//! | end | terminated when the last player has staked his last chip or no more, never truncated |
//!
//! With one chip, the default, an episode is one step: the choice of a wager. With several, a player spreads his stake.
//! With several players the agent stakes for each in turn; all are settled on one hand, or each on his own
//! **[reading: common-hand]**. A player's reward comes with his last action, the cards are seen when all have staked.
//!
//! Illegal are wagers that are not on the layout, that have their maximum, or for which too few chips are left.
//!
//! The cards are drawn at the reset, so the result of every wager is settled then: [`JokerSeven::rewards`] gives them, for
//! learners that are allowed to look.
//!
//! Versions: v0, the first.

use super::{CommonHand, Game, Observation, Paytable, Rules, Wager, Wins};
use crate::cards::{CardSet, Pack};
use crate::gym::{
    AnyEnv, BoxSpace, Counterfactual, DEFAULT_SEED, Discrete, Env, EnvConfig, EnvError, EnvSpec, MakeError, Step,
    StreamSeed, erase_counterfactual, stream,
};
use crate::rules::RuleSet;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::sync::Arc;

/// The action that stakes no more.
pub const DEAL: usize = Wager::COUNT;
/// Players for whom the pack has seven cards each.
pub const HIGHEST_PLAYERS: usize = 7;
/// The most chips that a player can have.
pub const HIGHEST_CHIPS: u32 = 100;
/// The highest value of a chip, so that rewards stay finite and exact enough.
const HIGHEST_CHIP: f64 = 1e9;
/// Cards of the pack.
const PACK: usize = 54;

/// What a reset can choose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct JokerSevenOptions {
    /// How many chips each player has to stake, from the minimum of a wager to 100. By default the minimum.
    pub chips: Option<u32>,
    /// What a chip is worth, above 0 and at most 1e9. 1 by default.
    pub chip: f64,
    /// How many players there are, 1 to 7. 1 by default.
    pub players: usize,
}

impl Default for JokerSevenOptions {
    fn default() -> JokerSevenOptions {
        JokerSevenOptions { chips: None, chip: 1.0, players: 1 }
    }
}

/// The environment.
#[derive(Clone)]
pub struct JokerSeven {
    game: Arc<Game>,
    observation: Observation,
    rng: Option<Pcg64>,
    round: Option<Round>,
}

/// A round in progress.
#[derive(Clone, Copy)]
struct Round {
    chip: f64,
    chips: u32,
    players: usize,
    /// The player whose turn it is, from 0.
    seat: usize,
    stakes: [u8; Wager::COUNT],
    left: u32,
    pack: Pack,
    cards: CardSet,
    wins: Wins,
    /// Net result of the last player, once all have staked.
    over: Option<f64>,
}

impl JokerSeven {
    /// The versioned id.
    pub const ID: &'static str = "JokerSeven-v0";

    /// The environment of a game; observations are [`Observation::Counts`].
    ///
    /// # Errors
    /// [`EnvError::BadOption`] if the minimum and the maximum of wagers make no sense, or nothing is on the layout.
    pub fn new(rules: Rules, paytable: Paytable) -> Result<JokerSeven, EnvError> {
        rules.check().map_err(|reason| EnvError::BadOption { option: "minimum", reason })?;
        let game = Game::new(rules, paytable);
        if game.wagers().next().is_none() {
            let reason = "no wager of it is on the layout; give it a row for one".to_owned();
            return Err(EnvError::BadOption { option: "paytable", reason });
        }
        Ok(JokerSeven { game: Arc::new(game), observation: Observation::default(), rng: None, round: None })
    }

    /// The same with other observations.
    #[must_use]
    pub fn with_observation(mut self, observation: Observation) -> JokerSeven {
        self.observation = observation;
        self
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The encoding of observations.
    pub const fn observation(&self) -> Observation {
        self.observation
    }

    /// The chips on each wager of the player whose turn it is.
    pub fn stakes(&self) -> Option<[u8; Wager::COUNT]> {
        self.round.map(|round| round.stakes)
    }

    /// The cards that settled the last player's wagers, once the round is over.
    pub fn cards(&self) -> Option<CardSet> {
        self.round.filter(|round| round.over.is_some()).map(|round| round.cards)
    }

    /// What a chip on each wager brings the player whose turn it is; NaN for wagers that are not on the layout. This looks
    /// at the cards: for learning from all actions, not for play.
    ///
    /// # Errors
    /// [`EnvError::NotReset`].
    pub fn rewards(&self) -> Result<[f64; Wager::COUNT], EnvError> {
        let round = self.round.as_ref().ok_or(EnvError::NotReset)?;
        let mut rewards = [f64::NAN; Wager::COUNT];
        for (reward, wager) in rewards.iter_mut().zip(Wager::all()) {
            *reward = self.game.net(wager, round.wins).map_or(f64::NAN, |net| round.chip * net as f64);
        }
        Ok(rewards)
    }

    /// What the stakes of a round win or lose, in chips.
    #[inline]
    fn net(&self, round: &Round) -> i64 {
        let net = |(wager, &stake): (Wager, &u8)| match stake {
            0 => 0,
            _ => i64::from(stake) * self.game.net(wager, round.wins).unwrap_or(0),
        };
        Wager::all().zip(&round.stakes).map(net).sum()
    }

    /// How many chips the action puts on its wager, or why it cannot.
    #[inline]
    fn placed(&self, round: &Round, wager: Wager) -> Result<u32, Refusal> {
        let Rules { minimum, maximum, .. } = *self.game.rules();
        let stake = u32::from(round.stakes[wager.index()]);
        let placed = if stake == 0 { minimum } else { 1 };
        match () {
            () if self.game.odds(wager).is_none() => Err(Refusal::NotOnLayout),
            () if stake + placed > maximum => Err(Refusal::AtMaximum(maximum)),
            () if placed > round.left => Err(Refusal::TooFewChips { left: round.left, placed }),
            () => Ok(placed),
        }
    }

    fn in_play(&self) -> Result<&Round, EnvError> {
        match &self.round {
            None => Err(EnvError::NotReset),
            Some(round) if round.over.is_some() => Err(EnvError::EpisodeOver),
            Some(round) => Ok(round),
        }
    }

    /// The round after a legal action.
    #[inline]
    fn played(&self, action: usize) -> Result<Round, EnvError> {
        let mut round = *self.in_play()?;
        let illegal = |reason| Err(EnvError::IllegalAction { action, reason });
        match Wager::from_index(action) {
            Some(wager) => match self.placed(&round, wager) {
                Ok(placed) => {
                    round.stakes[action] += placed as u8;
                    round.left -= placed;
                }
                Err(refusal) => return illegal(refusal.text(&wager.name(self.game.rules()))),
            },
            None if action != DEAL => return illegal(format!("there are wagers 0 to {} and {DEAL} to deal", DEAL - 1)),
            None if round.left == round.chips => return illegal("a chip must lie on the table first".to_owned()),
            None => round.left = 0,
        }
        Ok(round)
    }

    /// The cards for the player whose turn begins.
    #[inline]
    fn deal(&self, pack: &mut Pack, rng: &mut Pcg64) -> (CardSet, Wins) {
        let cards = pack.draw::<{ super::CARDS }>(rng).map(CardSet::from_iter).unwrap_or_default();
        (cards, self.game.wins(cards))
    }
}

/// Why a wager takes no chip.
enum Refusal {
    NotOnLayout,
    AtMaximum(u32),
    TooFewChips { left: u32, placed: u32 },
}

impl Refusal {
    fn text(&self, wager: &str) -> String {
        match self {
            Refusal::NotOnLayout => format!("{wager} is not on the layout"),
            Refusal::AtMaximum(maximum) => format!("{wager} has its maximum of {maximum}"),
            Refusal::TooFewChips { left, placed } => format!("{wager} takes {placed} chips and {left} are left"),
        }
    }
}

impl Env for JokerSeven {
    type Options = JokerSevenOptions;

    fn spec(&self) -> EnvSpec {
        let highest = self.game.wagers().filter_map(|wager| self.game.odds(wager)).max().unwrap_or(0);
        let minimum = f64::from(self.game.rules().minimum);
        let range = (-minimum, minimum * f64::from(highest));
        EnvSpec { id: Self::ID, reward_range: range, max_steps: HIGHEST_PLAYERS * HIGHEST_CHIPS as usize }
    }

    /// Of the rules and of the paytable.
    fn rules_hash(&self) -> String {
        let paytable = serde_json::to_string(self.game.paytable().rows()).expect("a paytable is plain data");
        let mut sha = Sha256::new_with_prefix(self.game.rules().hash());
        sha.update(paytable);
        sha.finalize()[..8].iter().fold(String::new(), |mut hash, byte| {
            let _ = write!(hash, "{byte:02x}");
            hash
        })
    }

    fn observation_space(&self) -> BoxSpace {
        self.observation.space()
    }

    fn action_space(&self) -> Discrete {
        Discrete(Wager::COUNT + 1)
    }

    fn check_options(&self, options: &JokerSevenOptions) -> Result<(), EnvError> {
        let JokerSevenOptions { chips, chip, players } = *options;
        let refuse = |option, reason| Err(EnvError::BadOption { option, reason });
        let minimum = self.game.rules().minimum;
        if let Some(chips) = chips
            && !(minimum..=HIGHEST_CHIPS).contains(&chips)
        {
            let reason = format!("{chips} chips cannot be staked; choose {minimum} to {HIGHEST_CHIPS}");
            return refuse("chips", reason);
        }
        if !(chip > 0.0 && chip <= HIGHEST_CHIP) {
            let reason = format!("{chip} is no value of a chip; it must be above 0 and at most {HIGHEST_CHIP}");
            return refuse("chip", reason);
        }
        if !(1..=HIGHEST_PLAYERS).contains(&players) {
            return refuse("players", format!("{players} players cannot play; choose 1 to {HIGHEST_PLAYERS}"));
        }
        Ok(())
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &JokerSevenOptions) -> Result<(), EnvError> {
        self.check_options(options)?;
        let JokerSevenOptions { chips, chip, players } = *options;
        let chips = chips.unwrap_or(self.game.rules().minimum);
        let mut rng = match seed {
            Some(seed) => stream(seed),
            None => self.rng.take().unwrap_or_else(|| stream(DEFAULT_SEED.into())),
        };
        let mut pack = Pack::new(PACK);
        let (cards, wins) = self.deal(&mut pack, &mut rng);
        let stakes = [0; Wager::COUNT];
        self.round = Some(Round { chip, chips, players, seat: 0, stakes, left: chips, pack, cards, wins, over: None });
        self.rng = Some(rng);
        Ok(())
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.played(action).map(|_| ())
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        let mut round = self.played(action)?;
        let mut reward = 0.0;
        if round.left == 0 {
            reward = round.chip * self.net(&round) as f64;
            if round.seat + 1 == round.players {
                round.over = Some(reward);
            } else {
                (round.seat, round.stakes, round.left) = (round.seat + 1, [0; Wager::COUNT], round.chips);
                if self.game.rules().common_hand == CommonHand::OneHandPerPlayer
                    && let Some(mut rng) = self.rng.take()
                {
                    (round.cards, round.wins) = self.deal(&mut round.pack, &mut rng);
                    self.rng = Some(rng);
                }
            }
        }
        self.round = Some(round);
        Ok(Step { reward, terminated: round.over.is_some(), truncated: false })
    }

    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let round = self.round.as_ref().ok_or(EnvError::NotReset)?;
        let seen = if round.over.is_some() { round.cards } else { CardSet::EMPTY };
        self.observation.write(&round.stakes, round.left, round.chips, seen, out)
    }

    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        let round = self.round.as_ref().ok_or(EnvError::NotReset)?;
        EnvError::check_length("the action mask", out.len(), Wager::COUNT + 1)?;
        let playing = round.over.is_none();
        for (legal, wager) in out.iter_mut().zip(Wager::all()) {
            *legal = playing && self.placed(round, wager).is_ok();
        }
        out[DEAL] = playing && round.left < round.chips;
        Ok(())
    }

    fn render(&self) -> String {
        let Some(round) = &self.round else { return "no round begun yet".to_owned() };
        let rules = self.game.rules();
        let staked = |(wager, &stake): (Wager, &u8)| {
            let result = match round.over {
                Some(_) if round.wins.contains(wager) => " wins",
                Some(_) => " loses",
                None => "",
            };
            (stake > 0).then(|| format!("{stake} on {}{result}", wager.name(rules)))
        };
        let stakes: Vec<String> = Wager::all().zip(&round.stakes).filter_map(staked).collect();
        let stakes = if stakes.is_empty() { "nothing".to_owned() } else { stakes.join(", ") };
        let text =
            format!("player  {} of {}, {} chips left\nstakes  {stakes}\n", round.seat + 1, round.players, round.left);
        match round.over {
            None => text + "cards   seven, face down",
            Some(net) => text + &format!("cards   {}\nresult  net {net}", round.cards),
        }
    }
}

/// The result of a chip is that of its wager, and staking no more adds nothing: results of chips add up.
impl Counterfactual for JokerSeven {
    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let (rewards, round) = (self.rewards()?, self.round.as_ref().ok_or(EnvError::NotReset)?);
        EnvError::check_length("the rewards", out.len(), Wager::COUNT + 1)?;
        let minimum = self.game.rules().minimum;
        for ((out, reward), stake) in out.iter_mut().zip(rewards).zip(round.stakes) {
            // The first chips on a wager are as many as its minimum.
            let chips = if stake == 0 { f64::from(minimum) } else { 1.0 };
            *out = if reward.is_nan() { 0.0 } else { (reward * chips) as f32 };
        }
        out[DEAL] = 0.0;
        Ok(())
    }
}

/// Makes the environment from a configuration, an [`EnvConfig`] as JSON.
///
/// # Errors
/// If a key or a value is invalid, or there is no such paytable.
pub fn make(config: &str) -> Result<Box<dyn AnyEnv>, MakeError> {
    let EnvConfig { rules, observation, paytable } = EnvConfig::parse(config)?;
    let paytable = paytable.map_or_else(|| Ok(Paytable::default()), |name| Paytable::load(&name))?;
    Ok(erase_counterfactual(JokerSeven::new(rules, paytable)?.with_observation(observation)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(settings: &[&str]) -> JokerSeven {
        let rules = settings.iter().fold(Rules::default(), |rules, setting| rules.with(setting).unwrap());
        JokerSeven::new(rules, Paytable::default()).unwrap()
    }

    #[test]
    fn a_chip_wins_what_its_wager_pays() {
        let mut env = env(&[]);
        for seed in 0..200 {
            env.reset(Some(seed), Some(&JokerSevenOptions { chip: 5.0, ..Default::default() })).unwrap();
            assert_eq!(env.cards(), None);
            let rewards = env.rewards().unwrap();
            for wager in Wager::all() {
                let mut env = env.clone();
                let step = env.step(wager.index()).unwrap();
                let wins = env.game().wins(env.cards().unwrap());
                let odds = f64::from(env.game().odds(wager).unwrap());
                let net = if wins.contains(wager) { 5.0 * odds } else { -5.0 };
                assert_eq!((step.reward, rewards[wager.index()], step.terminated), (net, net, true));
                assert!(env.render().ends_with(&format!("net {net}")), "{}", env.render());
            }
        }
    }

    #[test]
    fn stakes_are_spread_and_added() {
        let mut env = env(&["minimum=2", "maximum=3"]);
        env.reset(Some(4), Some(&JokerSevenOptions { chips: Some(9), ..Default::default() })).unwrap();
        let rewards = env.rewards().unwrap();
        let error = env.step(DEAL).unwrap_err().to_string();
        assert!(error.contains("a chip must lie on the table"), "{error}");
        for action in [0, 0, 13, 27] {
            assert_eq!(env.step(action).unwrap(), Step { reward: 0.0, terminated: false, truncated: false });
        }
        let error = env.step(0).unwrap_err().to_string();
        assert!(error.contains("4+-black has its maximum of 3"), "{error}");
        assert_eq!(env.step(13).unwrap().reward, 0.0);
        let error = env.step(5).unwrap_err().to_string();
        assert!(error.contains("4+-red takes 2 chips and 1 are left"), "{error}");
        let error = env.step(29).unwrap_err().to_string();
        assert!(error.contains("wagers 0 to 27 and 28 to deal"), "{error}");
        let step = env.step(DEAL).unwrap();
        let expected = 3.0 * rewards[0] + 3.0 * rewards[13] + 2.0 * rewards[27];
        assert_eq!((step.reward, step.terminated), (expected, true));
    }

    #[test]
    fn rewards_of_chips_add_up() {
        let mut env = env(&["minimum=2", "maximum=9", "colour=either_colour"]);
        for seed in 0..50 {
            env.reset(Some(seed), Some(&JokerSevenOptions { chips: Some(10), chip: 2.5, players: 1 })).unwrap();
            let (mut sum, mut rewards) = (0.0, [f32::NAN; Wager::COUNT + 1]);
            for action in [0, 0, 13, 27, 0, 13, DEAL] {
                env.action_rewards(&mut rewards).unwrap();
                assert!(rewards.iter().all(|reward| reward.is_finite()));
                sum += f64::from(rewards[action]);
                let step = env.step(action).unwrap();
                assert_eq!(step.reward, if action == DEAL { sum } else { 0.0 });
            }
            assert!(env.action_rewards(&mut rewards[1..]).is_err());
        }
    }

    #[test]
    fn players_share_the_hand_or_not() {
        let options = JokerSevenOptions { players: HIGHEST_PLAYERS, ..Default::default() };
        for (setting, shared) in
            [("common-hand=one_hand_for_the_table", true), ("common-hand=one_hand_per_player", false)]
        {
            let mut env = env(&[setting]);
            let mut same = 0;
            for seed in 0..50 {
                env.reset(Some(seed), Some(&options)).unwrap();
                let mut seen = vec![];
                for seat in 0..HIGHEST_PLAYERS {
                    let rewards = env.rewards().unwrap();
                    let step = env.step(seat).unwrap();
                    assert_eq!((step.reward, step.terminated), (rewards[seat], seat + 1 == HIGHEST_PLAYERS));
                    seen.push(rewards);
                }
                same += usize::from(seen.iter().all(|rewards| *rewards == seen[0]));
            }
            assert_eq!(same, if shared { 50 } else { 0 });
        }
    }

    #[test]
    fn what_is_not_on_the_layout_is_masked() {
        let mut env = env(&["colour=either_colour"]);
        env.reset(Some(1), None).unwrap();
        let mut mask = [true; Wager::COUNT + 1];
        env.action_mask(&mut mask).unwrap();
        let illegal: Vec<usize> = (0..mask.len()).filter(|&action| !mask[action]).collect();
        assert_eq!(illegal, [5, 6, 7, 8, 9, DEAL]);
        assert!(env.step(5).unwrap_err().to_string().contains("is not on the layout"));
        assert!(env.rewards().unwrap()[5].is_nan());
    }

    #[test]
    fn senseless_options_are_refused() {
        let rules = Rules { minimum: 0, ..Rules::default() };
        assert!(matches!(
            JokerSeven::new(rules, Paytable::default()),
            Err(EnvError::BadOption { option: "minimum", .. })
        ));
        let mut env = env(&["minimum=3"]);
        let good = JokerSevenOptions::default();
        for chips in [0, 2, 101] {
            let error = env.reset(Some(1), Some(&JokerSevenOptions { chips: Some(chips), ..good })).unwrap_err();
            assert!(matches!(error, EnvError::BadOption { option: "chips", .. }));
        }
        for chip in [0.0, f64::NAN, 1e10] {
            let error = env.reset(Some(1), Some(&JokerSevenOptions { chip, ..good })).unwrap_err();
            assert!(matches!(error, EnvError::BadOption { option: "chip", .. }));
        }
        for players in [0, 8] {
            let error = env.reset(Some(1), Some(&JokerSevenOptions { players, ..good })).unwrap_err();
            assert!(matches!(error, EnvError::BadOption { option: "players", .. }));
        }
        assert!(env.stakes().is_none());
        // By default a player has the chips of one wager.
        env.reset(Some(1), None).unwrap();
        assert!(env.step(0).unwrap().terminated);
        assert_eq!(env.stakes().unwrap()[0], 3);
    }
}
