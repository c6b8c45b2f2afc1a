//! The environment `PaiGowPoker-v0`, with one player and one step per episode.
//!
//! | | |
//! |---|---|
//! | kind | a contextual bandit: an episode is one decision |
//! | reset | deals seven cards each to player and banker; options: the stake and the side stake |
//! | observation | the player's hand in one of the encodings of [`observe`](super::observe) |
//! | action | the setting, `Discrete(21)` in the fixed order of [`Setting`]; fouls are masked |
//! | reward | the net result: stake times 0.95 (1 minus the commission), 0 or -1, plus the side stake times the paytable's odds or -1 |
//! | end | terminated after the step, never truncated |
//!
//! The banker follows a [`BankerStrategy`], usually a house way. Fourteen cards are dealt at the reset, so the rewards
//! of all settings are already known then. [`BankedGame::rewards`] computes them for training.
//!
//! Versions: v0, the first.

use super::house_way::{HouseWay, Way};
use super::observe::Observation;
use super::side_bet::paytable_bytes;
use super::{BankerSet, BankerStrategy, CARDS, Candidates, Dealt, Game, Hand, Outcome, SetHand, Setting, Settlement};
use super::{PayRow, Paytable, Rules, SideBet};
use crate::cards::Pack;
use crate::cards::profile::Profiles;
use crate::gym::{
    AnyEnv, CardEnv, CardGame, CounterfactualGame, EnvError, EnvSpec, Example, GameEntry, MakeError, Step,
    erase_counterfactual,
};
use crate::rank::JokerUse;
use crate::rules::{RuleSet, short_hash};
use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Versioned id of the environment.
pub const ID: &str = "PaiGowPoker-v0";

/// The environment. Its banker is of type `B`, which may be `dyn ProfileStrategy + Send`.
pub type PaiGowPoker<B> = CardEnv<BankedGame<B>>;

/// Reset options.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaiGowOptions {
    /// Stake on the hand, above 0 and at most 1e9; 1 by default.
    pub stake: f64,
    /// Stake on the side bet, from 0 to 1e9; 0 by default, which means no side bet.
    pub side_stake: f64,
}

impl Default for PaiGowOptions {
    fn default() -> PaiGowOptions {
        PaiGowOptions { stake: 1.0, side_stake: 0.0 }
    }
}

/// The game against a banker with a fixed strategy.
pub struct BankedGame<B: ?Sized> {
    game: Arc<Game>,
    banker: Arc<B>,
    profiles: &'static Profiles,
    paytable: Paytable,
    /// Side bet, compiled at the first reset with a side stake.
    side_bet: OnceLock<SideBet>,
    rules_hash: OnceLock<String>,
}

/// The dealt hands, and the player's setting once it is chosen.
#[derive(Clone)]
pub struct State {
    options: PaiGowOptions,
    player: Candidates,
    dealt: Dealt,
    banker: Dealt,
    setting: Option<Setting>,
}

impl State {
    /// Returns the player's hand and the strengths of its settings.
    pub const fn player(&self) -> &Candidates {
        &self.player
    }
}

/// A finished round, with the information that it reveals to the player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Player's hand.
    pub player: Hand,
    /// Player's setting.
    pub player_setting: Setting,
    /// Strengths of the player's setting.
    pub player_set: SetHand,
    /// Banker's hand.
    pub banker: Hand,
    /// Banker's setting.
    pub banker_setting: Setting,
    /// Strengths of the banker's setting.
    pub banker_set: SetHand,
    /// Comparison of the two set hands.
    pub settlement: Settlement,
    /// Row that pays the side bet; `None` if it lost or had no stake.
    pub side_bet: Option<PayRow>,
    /// Net result, including the side bet.
    pub reward: f64,
}

impl<B: BankerStrategy + ?Sized> BankedGame<B> {
    /// Creates a game against a banker whose strategy is for the same rules, with the side bet's default paytable.
    pub fn new(game: Arc<Game>, banker: Arc<B>) -> BankedGame<B> {
        BankedGame {
            game,
            banker,
            profiles: Profiles::get(),
            paytable: Paytable::default(),
            side_bet: OnceLock::new(),
            rules_hash: OnceLock::new(),
        }
    }

    /// Returns the same game with another paytable for the side bet.
    #[must_use]
    pub fn with_paytable(self, paytable: Paytable) -> BankedGame<B> {
        BankedGame { paytable, side_bet: OnceLock::new(), rules_hash: OnceLock::new(), ..self }
    }

    /// Returns the game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Returns the banker's strategy.
    pub fn banker(&self) -> &Arc<B> {
        &self.banker
    }

    /// Returns the side bet's paytable.
    pub fn paytable(&self) -> &Paytable {
        &self.paytable
    }

    /// Returns the reward of each setting, including the side bet, before or after the step; NaN for fouls. It depends
    /// on the banker's hidden cards.
    pub fn rewards(&self, state: &State) -> [f32; Setting::COUNT] {
        let rewards = state.player.rewards(&self.game, self.compared(state));
        let side = self.side_net(state);
        rewards.map(|reward| (f64::from(reward) * state.options.stake + side) as f32)
    }

    /// Returns the complete round once it is over.
    pub fn round(&self, state: &State) -> Option<Round> {
        let player_setting = state.setting?;
        let (player_set, banker) = (state.player.set(player_setting), state.banker.hand());
        let settlement = self.game.settle(player_set, self.compared(state));
        Some(Round {
            player: state.player.hand(),
            player_setting,
            player_set,
            banker,
            banker_setting: self.banker.set(banker),
            banker_set: self.banker_set(state),
            settlement,
            side_bet: self.side_bet(state).and_then(|side_bet| side_bet.row(state.dealt)),
            reward: self.net(state, settlement.outcome),
        })
    }

    #[inline]
    fn banker_set(&self, state: &State) -> SetHand {
        self.banker.set_banker(&self.game, state.banker.hand(), state.banker.profile(self.profiles))
    }

    /// Returns the banker's set hand, as compared with the player's.
    #[inline]
    fn compared(&self, state: &State) -> BankerSet {
        self.game.banker_set(state.banker.hand(), self.banker_set(state))
    }

    #[inline]
    fn net(&self, state: &State, outcome: Outcome) -> f64 {
        state.options.stake * self.game.payoff(outcome) + self.side_net(state)
    }

    /// Returns the side bet if it has a stake.
    #[inline]
    fn side_bet(&self, state: &State) -> Option<&SideBet> {
        let compile = || SideBet::new(self.paytable.clone(), self.game.rules().side_bet_best);
        (state.options.side_stake > 0.0).then(|| self.side_bet.get_or_init(compile))
    }

    #[inline]
    fn side_net(&self, state: &State) -> f64 {
        self.side_bet(state).map_or(0.0, |side_bet| state.options.side_stake * side_bet.net(state.dealt))
    }

    /// Returns the reason why a setting is illegal.
    fn refusal(&self, state: &State, setting: Setting) -> String {
        let (hand, set) = (state.player.hand(), state.player.set(setting));
        let back = self.game.ranking().describe(set.back);
        format!("{} in front is a foul above {} ({back})", setting.front(hand), setting.back(hand))
    }

    fn hash(&self) -> String {
        let [banker, paytable] = [self.banker.hash_bytes(), paytable_bytes(&self.paytable)];
        short_hash([self.game.rules().hash().as_bytes(), &banker, &paytable])
    }
}

impl<B: BankerStrategy + Send + ?Sized> CardGame for BankedGame<B> {
    type Options = PaiGowOptions;
    type State = State;
    type Encoding = Observation;

    fn spec(&self) -> EnvSpec {
        EnvSpec { id: ID, reward_range: (-1.0, self.game.payoff(Outcome::Win)), max_steps: 1 }
    }

    /// Returns a hash of the rules, the banker's strengths for every profile, and the paytable.
    fn rules_hash(&self) -> String {
        self.rules_hash.get_or_init(|| self.hash()).clone()
    }

    fn actions(&self) -> usize {
        Setting::COUNT
    }

    /// Returns `true`, because the observation is the dealt hand.
    fn observation_stays(&self) -> bool {
        true
    }

    #[inline]
    fn check(&self, options: &PaiGowOptions) -> Result<(), EnvError> {
        EnvError::check_stake("stake", options.stake)?;
        EnvError::check_side_stake("side-stake", options.side_stake)?;
        if options.side_stake > 0.0 && self.game.rules().joker == JokerUse::Wild {
            let reason =
                "the side bet's paytables are for a half-wild joker, but the rules have joker=wild; it must be 0";
            return Err(EnvError::BadOption { option: "side-stake", reason: reason.to_owned() });
        }
        Ok(())
    }

    #[inline]
    fn deal(&self, options: &PaiGowOptions, rng: &mut impl Rng) -> State {
        let mut pack = Pack::new(CARDS);
        let [dealt, banker] = [(); 2].map(|()| Dealt::draw(&mut pack, rng).expect("a pack has cards for two hands"));
        State { options: *options, player: Candidates::new(&self.game, dealt.hand()), dealt, banker, setting: None }
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.setting.is_some()
    }

    #[inline]
    fn legal(&self, state: &State, mask: &mut [bool]) {
        let legal = state.player.legal();
        mask.iter_mut().enumerate().for_each(|(i, out)| *out = legal >> i & 1 == 1);
    }

    #[inline]
    fn check_action(&self, state: &State, action: usize) -> Result<(), String> {
        match Setting::from_index(action) {
            None => Err(format!("expected settings 0 to {}", Setting::COUNT - 1)),
            Some(setting) if state.player.is_legal(setting) => Ok(()),
            Some(setting) => Err(self.refusal(state, setting)),
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: usize, _: &mut impl Rng) -> Step {
        let setting = Setting::from_index(action).expect("a legal action is a setting");
        let settlement = self.game.settle(state.player.set(setting), self.compared(state));
        state.setting = Some(setting);
        Step { reward: self.net(state, settlement.outcome), terminated: true, truncated: false }
    }

    #[inline]
    fn observe(&self, encoding: Observation, state: &State, out: &mut [f32]) -> Result<(), EnvError> {
        encoding.write(&self.game, &state.player, out)
    }

    fn outcome(&self, state: &State) -> Option<Value> {
        let round = self.round(state)?;
        let side = |hand: Hand, setting: Setting| {
            json!({
                "hand": hand.to_string(),
                "front": setting.front(hand).to_string(),
                "back": setting.back(hand).to_string(),
                "setting": setting.index(),
            })
        };
        let mut banker = side(round.banker, round.banker_setting);
        banker["strategy"] = self.banker.name().into();
        banker["rule"] = self.banker.rule_name(round.banker).into();
        Some(json!({
            "player": side(round.player, round.player_setting),
            "banker": banker,
            "outcome": round.settlement.outcome.to_string(),
            "copy_front": round.settlement.copy_front,
            "copy_back": round.settlement.copy_back,
            "side_bet": round.side_bet.map(|row| row.hand.to_string()),
            "net": round.reward,
        }))
    }

    /// Returns the setting of the banker's strategy.
    fn house_action(&self, state: &State) -> Option<usize> {
        Some(self.banker.set(state.player.hand()).index())
    }

    /// Returns the hand, the stakes, and the row that pays the side bet, which is known once the cards are dealt.
    fn view(&self, state: &State) -> Option<Value> {
        let row = |row: PayRow| json!({ "hand": row.hand.to_string(), "odds": row.odds.to_string() });
        Some(json!({
            "hand": state.player.hand().to_string(),
            "stake": state.options.stake,
            "side_stake": state.options.side_stake,
            "side_bet": self.side_bet(state).and_then(|bet| bet.row(state.dealt)).map(row),
        }))
    }

    fn render(&self, state: &State) -> String {
        let Some(round) = self.round(state) else {
            let PaiGowOptions { stake, side_stake } = state.options;
            let hand = state.player.hand();
            return format!("player  {hand}\nbanker  seven cards, face down\nstake   {stake}, side bet {side_stake}");
        };
        let ranking = self.game.ranking();
        let side = |name: &str, hand: Hand, setting: Setting, set: SetHand| {
            let (back, words) = (setting.back(hand), ranking.describe(set.back));
            format!("{name}  back {back} ({words}), front {} (setting {})\n", setting.front(hand), setting.index())
        };
        let mut text = side("player", round.player, round.player_setting, round.player_set);
        text += &side("banker", round.banker, round.banker_setting, round.banker_set);
        if state.options.side_stake > 0.0 {
            let row = |row: PayRow| format!("{}, {} to 1", row.hand, row.odds);
            text += &format!("side    {}\n", round.side_bet.map_or("lost".to_owned(), row));
        }
        text + &describe(round.settlement, round.reward)
    }
}

/// Fouls have no reward and are written as 0.
impl<B: BankerStrategy + Send + ?Sized> CounterfactualGame for BankedGame<B> {
    fn action_rewards(&self, state: &State, out: &mut [f32]) {
        let written = |reward: f32| if reward.is_nan() { 0.0 } else { reward };
        out.iter_mut().zip(self.rewards(state)).for_each(|(out, reward)| *out = written(reward));
    }
}

/// Returns the settlement and the net result in words.
fn describe(settlement: Settlement, reward: f64) -> String {
    let outcome = settlement.outcome;
    let why = match (settlement.copy_back, settlement.copy_front) {
        _ if settlement.bank_pushes => ", whatever the player holds",
        (false, false) => "",
        (true, false) => ", back copied",
        (false, true) => ", front copied",
        (true, true) => ", back and front copied",
    };
    format!("result  {outcome}{why}; net {reward}")
}

/// Registry entry of the game.
pub const GAME: GameEntry = GameEntry {
    name: "pai-gow-poker",
    id: ID,
    folder: "pai_gow",
    title: "Pai Gow Poker, one player against the banker",
    source: "rules of play of an online casino: Pai Gow Poker with the Jokolor side bet",
    parameter_docs: Rules::PARAMETERS,
    readings: Rules::READINGS,
    variants: Rules::VARIANTS,
    default_rules: Rules::defaults,
    data: &[
        ("house ways", super::house_way::BUILT_IN),
        ("paytables", &super::PAYTABLES),
        ("pages", super::house_way::PAGES),
    ],
    encodings: &Observation::NAMES,
    action_names: || Setting::all().map(Setting::meaning).collect(),
    documentation: &[
        ("Rules", &[include_str!("mod.rs")]),
        ("Environment", &[include_str!("env.rs")]),
        (
            "Observations",
            &[
                include_str!("observe/mod.rs"),
                include_str!("observe/raw_cards.rs"),
                include_str!("observe/ranks_and_suits.rs"),
                include_str!("observe/candidates.rs"),
            ],
        ),
    ],
    examples: &[
        Example { name: "side-bet", config: "{}", options: &[r#"{"stake": 25, "side-stake": 5}"#] },
        Example {
            name: "other-rules",
            config: r#"{"rules": {"commission": "0.04", "copies": "player", "bank-pushes": "nine_high_front"}, "banker": "foxwoods", "paytable": "example-three-pairs"}"#,
            options: &[r#"{"stake": 20, "side-stake": 5}"#],
        },
    ],
    make,
};

/// Configuration of the environment. All keys are optional.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Config {
    rules: Rules,
    /// Banker's house way; Trump Plaza's by default.
    banker: Option<String>,
    readings: BTreeMap<String, String>,
    observation: Observation,
    paytable: Paytable,
}

impl Config {
    fn env<B: BankerStrategy + Send>(self, game: Game, banker: Arc<B>) -> PaiGowPoker<B> {
        let game = BankedGame::new(Arc::new(game), banker).with_paytable(self.paytable);
        PaiGowPoker::new(game).with_encoding(self.observation)
    }
}

/// Creates the environment from a configuration: a JSON object with `rules`, `banker` (name, path or text of a house
/// way), `readings` of that house way, `observation` and the side bet's `paytable`.
///
/// # Errors
/// Returns an error if a key or value is invalid, or if there is no such house way, reading or paytable.
pub fn from_config(config: &str) -> Result<PaiGowPoker<HouseWay>, MakeError> {
    let config: Config = serde_json::from_str(config)?;
    let banker = config.banker.as_deref().unwrap_or("trump-plaza");
    let mut way = match banker.contains('\n') {
        true => Way::parse(banker, "banker")?,
        false => Way::load(banker)?,
    };
    for (reading, option) in &config.readings {
        way.choose(reading, option)?;
    }
    let game = Game::new(config.rules);
    let way = HouseWay::shared(way, &game)?;
    Ok(config.env(game, way))
}

/// Creates the environment from a configuration without `banker` and `readings`, against the banker that the function
/// `banker` returns for its rules.
///
/// # Errors
/// Returns the errors of [`from_config`] and of `banker`.
pub fn from_config_against<B: BankerStrategy + Send>(
    config: &str,
    banker: impl FnOnce(&Game) -> Result<Arc<B>, MakeError>,
) -> Result<PaiGowPoker<B>, MakeError> {
    let config: Config = serde_json::from_str(config)?;
    if config.banker.is_some() || !config.readings.is_empty() {
        return Err("this banker is not a house way; leave out the readings".into());
    }
    let game = Game::new(config.rules);
    let banker = banker(&game)?;
    Ok(config.env(game, banker))
}

/// Creates the environment from a configuration, see [`from_config`].
fn make(config: &str) -> Result<Box<dyn AnyEnv>, MakeError> {
    Ok(erase_counterfactual(from_config(config)?))
}

#[cfg(test)]
mod tests;
