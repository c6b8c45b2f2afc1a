//! The environment `PaiGowPoker-v0`: one player, one step an episode.
//!
//! | | |
//! |---|---|
//! | reset | deals seven cards each to player and banker; options: the stake and the side stake |
//! | observation | the player's hand in one of the encodings of [`observe`](super::observe) |
//! | action | the setting, `Discrete(21)` in the fixed order of [`Setting`]; fouls are masked |
//! | reward | the net result: stake times 0.95 (1 less the commission), 0 or -1, and side stake times the odds of the paytable or -1 |
//! | end | terminated after the step, never truncated |
//!
//! The banker sets by a [`ProfileStrategy`], a house way. Fourteen cards are dealt at the reset, so the reward of every
//! setting is decided then: [`PaiGowPoker::rewards`] gives them all, for learners that are allowed to look.
//!
//! Versions: v0, the first.

use super::house_way::{HouseWay, Way};
use super::observe::Observation;
use super::{CARDS, Candidates, Dealt, Game, Hand, Outcome, ProfileStrategy, SetHand, Setting, Settlement};
use super::{PayRow, Paytable, Rules, SideBet};
use crate::cards::Pack;
use crate::cards::profile::{PROFILES, Profile, Profiles};
use crate::gym::{
    AnyEnv, BoxSpace, Counterfactual, DEFAULT_SEED, Discrete, Env, EnvError, EnvSpec, MakeError, Step, StreamSeed,
    erase_counterfactual, stream,
};
use crate::rank::JokerUse;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

/// The highest stake, so that rewards stay finite and exact enough.
const HIGHEST_STAKE: f64 = 1e9;

/// What a reset can choose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaiGowOptions {
    /// The stake on the hand, above 0 and at most 1e9. 1 by default.
    pub stake: f64,
    /// The stake on the side bet, 0 to 1e9. 0 by default: no side bet.
    pub side_stake: f64,
}

impl Default for PaiGowOptions {
    fn default() -> PaiGowOptions {
        PaiGowOptions { stake: 1.0, side_stake: 0.0 }
    }
}

/// What clones share: nothing of it changes in play.
struct Table<B: ?Sized> {
    game: Arc<Game>,
    banker: Arc<B>,
    profiles: &'static Profiles,
    paytable: Paytable,
    /// Made ready by the first reset with a side stake.
    side_bet: OnceLock<SideBet>,
    rules_hash: OnceLock<String>,
}

/// The environment; its banker sets by `B`, which may be `dyn ProfileStrategy + Send`.
pub struct PaiGowPoker<B: ?Sized> {
    table: Arc<Table<B>>,
    observation: Observation,
    rng: Option<Pcg64>,
    deal: Option<Deal>,
}

/// An episode.
#[derive(Clone)]
struct Deal {
    options: PaiGowOptions,
    player: Candidates,
    dealt: Dealt,
    banker: Dealt,
    setting: Option<Setting>,
}

/// A round that was played, with all that a player may see then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// The player's hand.
    pub player: Hand,
    /// How the player set it.
    pub player_setting: Setting,
    /// What that made.
    pub player_set: SetHand,
    /// The banker's hand.
    pub banker: Hand,
    /// How the banker set it.
    pub banker_setting: Setting,
    /// What that made.
    pub banker_set: SetHand,
    /// The comparison.
    pub settlement: Settlement,
    /// The row that pays the side bet; none if it lost or nothing was staked on it.
    pub side_bet: Option<PayRow>,
    /// The net result, side bet included.
    pub reward: f64,
}

impl<B: ?Sized> Clone for PaiGowPoker<B> {
    fn clone(&self) -> Self {
        PaiGowPoker {
            table: Arc::clone(&self.table),
            observation: self.observation,
            rng: self.rng.clone(),
            deal: self.deal.clone(),
        }
    }
}

impl<B: ProfileStrategy + ?Sized> PaiGowPoker<B> {
    /// The versioned id.
    pub const ID: &'static str = "PaiGowPoker-v0";

    /// The environment of a game against a banker, who must be made for the same rules. Observations are
    /// [`Observation::Candidates`], the side bet's paytable is the default one.
    pub fn new(game: Arc<Game>, banker: Arc<B>) -> PaiGowPoker<B> {
        PaiGowPoker::on(game, banker, Paytable::default(), Observation::default())
    }

    fn on(game: Arc<Game>, banker: Arc<B>, paytable: Paytable, observation: Observation) -> PaiGowPoker<B> {
        let (side_bet, rules_hash) = (OnceLock::new(), OnceLock::new());
        let table = Arc::new(Table { game, banker, profiles: Profiles::get(), paytable, side_bet, rules_hash });
        PaiGowPoker { table, observation, rng: None, deal: None }
    }

    /// The same with other observations.
    #[must_use]
    pub fn with_observation(mut self, observation: Observation) -> PaiGowPoker<B> {
        self.observation = observation;
        self
    }

    /// The same game with another paytable for the side bet, not yet reset.
    #[must_use]
    pub fn with_paytable(self, paytable: Paytable) -> PaiGowPoker<B> {
        PaiGowPoker::on(Arc::clone(self.game()), Arc::clone(self.banker()), paytable, self.observation)
    }

    /// The paytable of the side bet.
    pub fn paytable(&self) -> &Paytable {
        &self.table.paytable
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.table.game
    }

    /// The banker's strategy.
    pub fn banker(&self) -> &Arc<B> {
        &self.table.banker
    }

    /// The encoding of observations.
    pub fn observation(&self) -> Observation {
        self.observation
    }

    /// The player's hand and what its settings make, once dealt.
    pub fn player(&self) -> Option<&Candidates> {
        self.deal.as_ref().map(|deal| &deal.player)
    }

    /// What each setting earns in this deal, side bet included, before or after the step; NaN for fouls. This looks at the banker's cards: for
    /// learning from all actions, not for play.
    ///
    /// # Errors
    /// [`EnvError::NotReset`].
    pub fn rewards(&self) -> Result<[f32; Setting::COUNT], EnvError> {
        let deal = self.deal.as_ref().ok_or(EnvError::NotReset)?;
        let rewards = deal.player.rewards(&self.table.game, self.compared(deal));
        let side = self.side_net(deal);
        Ok(rewards.map(|reward| (f64::from(reward) * deal.options.stake + side) as f32))
    }

    /// All of the round, once it was played.
    pub fn round(&self) -> Option<Round> {
        let deal = self.deal.as_ref()?;
        let player_setting = deal.setting?;
        let (player_set, banker) = (deal.player.set(player_setting), deal.banker.hand());
        let banker_set = self.banker_set(deal);
        let settlement = self.table.game.settle(player_set, self.compared(deal));
        Some(Round {
            player: deal.player.hand(),
            player_setting,
            player_set,
            banker,
            banker_setting: self.table.banker.set(banker),
            banker_set,
            settlement,
            side_bet: self.side_bet(deal).and_then(|side_bet| side_bet.row(deal.dealt)),
            reward: self.net(deal, settlement.outcome),
        })
    }

    #[inline]
    fn banker_set(&self, deal: &Deal) -> SetHand {
        self.table.banker.set_profile(deal.banker.profile(self.table.profiles))
    }

    /// What the player's hands are compared with.
    #[inline]
    fn compared(&self, deal: &Deal) -> SetHand {
        self.table.game.banker_set(deal.banker.hand(), self.banker_set(deal))
    }

    fn net(&self, deal: &Deal, outcome: Outcome) -> f64 {
        deal.options.stake * self.table.game.payoff(outcome) + self.side_net(deal)
    }

    /// The side bet, if something is staked on it.
    fn side_bet(&self, deal: &Deal) -> Option<&SideBet> {
        let ready = || SideBet::new(self.table.paytable.clone(), self.table.game.rules().side_bet_best);
        (deal.options.side_stake > 0.0).then(|| self.table.side_bet.get_or_init(ready))
    }

    fn side_net(&self, deal: &Deal) -> f64 {
        self.side_bet(deal).map_or(0.0, |side_bet| deal.options.side_stake * side_bet.net(deal.dealt))
    }

    fn in_play(&self) -> Result<&Deal, EnvError> {
        match &self.deal {
            None => Err(EnvError::NotReset),
            Some(deal) if deal.setting.is_some() => Err(EnvError::EpisodeOver),
            Some(deal) => Ok(deal),
        }
    }

    /// The setting of a legal action.
    fn legal(&self, action: usize) -> Result<(&Deal, Setting), EnvError> {
        let deal = self.in_play()?;
        let illegal = |reason| EnvError::IllegalAction { action, reason };
        let setting = Setting::from_index(action)
            .ok_or_else(|| illegal(format!("there are settings 0 to {}", Setting::COUNT - 1)))?;
        if deal.player.is_legal(setting) {
            return Ok((deal, setting));
        }
        let (hand, set) = (deal.player.hand(), deal.player.set(setting));
        let back = self.table.game.ranking().describe(set.back);
        Err(illegal(format!("{} in front is a foul above {} ({back})", setting.front(hand), setting.back(hand))))
    }

    fn hash(&self) -> String {
        let mut sha = Sha256::new_with_prefix(self.table.game.rules().hash());
        for profile in (0..PROFILES).map(Profile::from_index) {
            let set = self.table.banker.set_profile(profile);
            sha.update((set.back.index() as u32 * 128 + set.front.index() as u32).to_le_bytes());
        }
        for row in self.table.paytable.rows() {
            sha.update([row.hand as u8]);
            sha.update(row.odds.units(1).to_le_bytes());
        }
        sha.finalize()[..8].iter().fold(String::new(), |mut hash, byte| {
            let _ = write!(hash, "{byte:02x}");
            hash
        })
    }
}

impl<B: ProfileStrategy + Send + ?Sized> Env for PaiGowPoker<B> {
    type Options = PaiGowOptions;

    fn spec(&self) -> EnvSpec {
        EnvSpec { id: Self::ID, reward_range: (-1.0, self.table.game.payoff(Outcome::Win)), max_steps: 1 }
    }

    /// Of the rules, of what the banker makes of every profile, and of the paytable.
    fn rules_hash(&self) -> String {
        self.table.rules_hash.get_or_init(|| self.hash()).clone()
    }

    fn observation_space(&self) -> BoxSpace {
        self.observation.space()
    }

    /// The hand that was dealt is all that is seen.
    fn observation_stays(&self) -> bool {
        true
    }

    fn action_space(&self) -> Discrete {
        Discrete(Setting::COUNT)
    }

    fn check_options(&self, options: &PaiGowOptions) -> Result<(), EnvError> {
        let PaiGowOptions { stake, side_stake } = *options;
        if !(stake > 0.0 && stake <= HIGHEST_STAKE) {
            let reason = format!("{stake} is no stake; it must be above 0 and at most {HIGHEST_STAKE}");
            return Err(EnvError::BadOption { option: "stake", reason });
        }
        if !(0.0..=HIGHEST_STAKE).contains(&side_stake) {
            let reason = format!("{side_stake} is no side stake; it must be 0 (no side bet) to {HIGHEST_STAKE}");
            return Err(EnvError::BadOption { option: "side-stake", reason });
        }
        if side_stake > 0.0 && self.table.game.rules().joker == JokerUse::Wild {
            let reason =
                "the side bet's paytables are for a half-wild joker, and the rules say joker=wild; it must be 0";
            return Err(EnvError::BadOption { option: "side-stake", reason: reason.to_owned() });
        }
        Ok(())
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &PaiGowOptions) -> Result<(), EnvError> {
        self.check_options(options)?;
        if let Some(seed) = seed {
            self.rng = Some(stream(seed));
        }
        let rng = self.rng.get_or_insert_with(|| stream(DEFAULT_SEED.into()));
        let mut pack = Pack::new(CARDS);
        if let (Some(dealt), Some(banker)) = (Dealt::draw(&mut pack, rng), Dealt::draw(&mut pack, rng)) {
            let player = Candidates::of(&self.table.game, dealt.hand());
            self.deal = Some(Deal { options: *options, player, dealt, banker, setting: None });
        }
        Ok(())
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.legal(action).map(|_| ())
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        let (deal, setting) = self.legal(action)?;
        let settlement = self.table.game.settle(deal.player.set(setting), self.compared(deal));
        let reward = self.net(deal, settlement.outcome);
        if let Some(deal) = &mut self.deal {
            deal.setting = Some(setting);
        }
        Ok(Step { reward, terminated: true, truncated: false })
    }

    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let deal = self.deal.as_ref().ok_or(EnvError::NotReset)?;
        self.observation.write(&self.table.game, &deal.player, out)
    }

    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        let deal = self.deal.as_ref().ok_or(EnvError::NotReset)?;
        EnvError::check_length("the action mask", out.len(), Setting::COUNT)?;
        let legal = if deal.setting.is_none() { deal.player.legal() } else { 0 };
        out.iter_mut().enumerate().for_each(|(i, out)| *out = legal >> i & 1 == 1);
        Ok(())
    }

    fn render(&self) -> String {
        let Some(deal) = &self.deal else { return "no hand dealt yet".to_owned() };
        let Some(round) = self.round() else {
            let PaiGowOptions { stake, side_stake } = deal.options;
            let hand = deal.player.hand();
            return format!("player  {hand}\nbanker  seven cards, face down\nstake   {stake}, side bet {side_stake}");
        };
        let ranking = self.table.game.ranking();
        let side = |name: &str, hand: Hand, setting: Setting, set: SetHand| {
            let (back, words) = (setting.back(hand), ranking.describe(set.back));
            format!("{name}  back {back} ({words}), front {} (setting {})\n", setting.front(hand), setting.index())
        };
        let mut text = side("player", round.player, round.player_setting, round.player_set);
        text += &side("banker", round.banker, round.banker_setting, round.banker_set);
        if deal.options.side_stake > 0.0 {
            let row = |row: PayRow| format!("{}, {} to 1", row.hand, row.odds);
            text += &format!("side    {}\n", round.side_bet.map_or("lost".to_owned(), row));
        }
        text + &describe(round.settlement, round.reward)
    }
}

/// The settlement and the net result in words.
fn describe(settlement: Settlement, reward: f64) -> String {
    let outcome = match settlement.outcome {
        Outcome::Win => "win",
        Outcome::Push => "push",
        Outcome::Loss => "loss",
    };
    let why = match (settlement.copy_back, settlement.copy_front) {
        _ if settlement.bank_pushes => ", whatever the player holds",
        (false, false) => "",
        (true, false) => ", back copied",
        (false, true) => ", front copied",
        (true, true) => ", back and front copied",
    };
    format!("result  {outcome}{why}; net {reward}")
}

/// Fouls, which no reward is defined for, get 0.
impl<B: ProfileStrategy + Send + ?Sized> Counterfactual for PaiGowPoker<B> {
    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let rewards = self.rewards()?;
        EnvError::check_length("the rewards", out.len(), rewards.len())?;
        out.iter_mut().zip(rewards).for_each(|(out, reward)| *out = if reward.is_nan() { 0.0 } else { reward });
        Ok(())
    }
}

/// Configuration of the environment. Every key may be left out.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Config {
    rules: Rules,
    banker: String,
    readings: BTreeMap<String, String>,
    observation: Observation,
    paytable: Option<String>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            rules: Rules::default(),
            banker: "trump-plaza".to_owned(),
            readings: BTreeMap::new(),
            observation: Observation::default(),
            paytable: None,
        }
    }
}

/// Makes the environment from a configuration: a JSON object with `rules`, `banker` (name, path or text of a house way),
/// `readings` of that house way, `observation` and `paytable` of the side bet.
///
/// # Errors
/// If a key or a value is invalid, or there is no such house way, reading or paytable.
pub fn make(config: &str) -> Result<Box<dyn AnyEnv>, MakeError> {
    let config: Config = serde_json::from_str(config)?;
    let mut way = Way::load(&config.banker)?;
    for (reading, option) in &config.readings {
        way.choose(reading, option)?;
    }
    let game = Game::new(config.rules);
    let way = HouseWay::compile(way, &game)?;
    let env = PaiGowPoker::new(Arc::new(game), Arc::new(way)).with_observation(config.observation);
    Ok(erase_counterfactual(match config.paytable {
        Some(name) => env.with_paytable(Paytable::load(&name)?),
        None => env,
    }))
}

#[cfg(test)]
mod tests;
