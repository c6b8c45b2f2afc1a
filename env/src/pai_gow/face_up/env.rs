//! The environment `FaceUpPaiGow-v0`, with one player and one step per episode.
//!
#![doc = include_str!("environment.md")]
//!
#![doc = include_str!("observations.md")]

use super::Rules;
use crate::gym::{
    CardEnv, CardGame, Encoding, Env, EnvError, EnvSpec, Example, GameEntry, MakeError, PublicBet, PublicTable,
    StakeOptions, from_json,
};
use crate::pai_gow::house_way::{self, HouseWay, Way};
use crate::pai_gow::{
    BankedGame, BankerSet, BankerStrategy, Candidates, Game, Hand, PaiGowOptions, SetHand, Setting, State, load_way,
    play_as_banked,
};
use crate::rules::{RuleSet, RuleTable, short_hash};
use rand::Rng;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The environment's versioned id.
pub const ID: &str = "FaceUpPaiGow-v0";

/// The environment. `B` is the type of the dealer's strategy.
pub type FaceUpPaiGow<B> = CardEnv<FaceUpGame<B>>;

/// The game against a dealer that follows a fixed strategy. It is Pai Gow Poker with the banker's hand shown.
pub struct FaceUpGame<B: ?Sized> {
    rules: Rules,
    banked: BankedGame<B>,
    rules_hash: OnceLock<String>,
}

impl<B: BankerStrategy + ?Sized> FaceUpGame<B> {
    /// Creates a game. `dealer` creates the dealer's strategy for the underlying game of Pai Gow Poker.
    ///
    /// # Errors
    /// Returns an error if `dealer` does.
    pub fn new<E>(rules: Rules, dealer: impl FnOnce(&Game) -> Result<Arc<B>, E>) -> Result<FaceUpGame<B>, E> {
        let game = Game::new(rules.pai_gow());
        let dealer = dealer(&game)?;
        Ok(FaceUpGame { rules, banked: BankedGame::new(Arc::new(game), dealer), rules_hash: OnceLock::new() })
    }

    /// Returns the rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the underlying game of Pai Gow Poker. It determines how hands are set and compared.
    pub fn game(&self) -> &Arc<Game> {
        self.banked.game()
    }

    /// Returns the dealer's strategy.
    pub fn dealer(&self) -> &Arc<B> {
        self.banked.banker()
    }

    fn seen<'a>(&self, state: &'a State) -> Seen<'a> {
        let dealer = state.banker.hand();
        let set = self.banked.banker_set(state);
        let compared = self.game().banker_set(dealer, set);
        Seen { player: &state.player, dealer, setting: self.dealer().set(dealer), set, compared }
    }

    /// Returns the dealer's hand and setting, and whether every bet pushes.
    fn dealer_json(&self, state: &State) -> Value {
        let Seen { dealer, setting, compared, .. } = self.seen(state);
        json!({
            "hand": dealer.to_string(),
            "front": setting.front(dealer).to_string(),
            "back": setting.back(dealer).to_string(),
            "pushes": compared.pushes(),
        })
    }
}

impl<B: BankerStrategy + Send + ?Sized> CardGame for FaceUpGame<B> {
    type Options = StakeOptions;
    type Encoding = Observation;
    const HAS_ACTION_REWARDS: bool = true;

    play_as_banked!();

    fn spec(&self) -> EnvSpec {
        EnvSpec { id: ID, reward_range: (-1.0, 1.0), max_steps: 1 }
    }

    /// Returns a hash that covers the rules and the dealer's strengths for every profile.
    fn rules_hash(&self) -> String {
        let hash = || short_hash([self.rules.hash().as_bytes(), &self.dealer().hash_bytes()]);
        self.rules_hash.get_or_init(hash).clone()
    }

    fn check(&self, options: &StakeOptions) -> Result<(), EnvError> {
        EnvError::check_stake("stake", options.stake)
    }

    fn deal(&self, options: &StakeOptions, rng: &mut impl Rng) -> State {
        self.banked.deal(&PaiGowOptions { stake: options.stake, ..PaiGowOptions::default() }, rng)
    }

    fn observe(&self, encoding: Observation, state: &State, out: &mut [f32]) {
        encoding.write(&self.seen(state), out);
    }

    fn outcome(&self, state: &State) -> Option<Value> {
        let banked = self.banked.outcome(state)?;
        let mut dealer = self.dealer_json(state);
        dealer["strategy"] = banked["banker"]["strategy"].clone();
        dealer["rule"] = banked["banker"]["rule"].clone();
        Some(json!({
            "player": banked["player"],
            "dealer": dealer,
            "outcome": banked["outcome"],
            "copy_front": banked["copy_front"],
            "copy_back": banked["copy_back"],
            "net": banked["net"],
        }))
    }

    /// Returns the player's hand, the dealer's hand with its setting, and the stake.
    fn view(&self, state: &State) -> Option<Value> {
        let banked = self.banked.view(state)?;
        Some(json!({ "hand": banked["hand"], "dealer": self.dealer_json(state), "stake": banked["stake"] }))
    }

    fn public_table(&self, state: &State) -> Option<PublicTable> {
        let mut table = self.banked.table(state, "dealer", true);
        table.bets.truncate(1);
        Some(table)
    }

    fn public_bets(&self, options: &StakeOptions) -> Vec<PublicBet> {
        let mut bets = self.banked.bets(&PaiGowOptions { stake: options.stake, ..PaiGowOptions::default() });
        bets.truncate(1);
        bets
    }

    fn render(&self, state: &State) -> String {
        if self.is_over(state) {
            return self.banked.render(state).replace("banker  ", "dealer  ");
        }
        let Seen { player, dealer, setting, set, compared } = self.seen(state);
        let (front, back) = (setting.front(dealer), setting.back(dealer));
        let words = self.game().ranking().describe(set.back);
        let pushes = if compared.pushes() { "; every bet pushes" } else { "" };
        let stake = state.options.stake;
        format!("player  {}\ndealer  back {back} ({words}), front {front}{pushes}\nstake   {stake}", player.hand())
    }

    /// The reward for a foul is written as 0.
    fn action_rewards(&self, state: &State, out: &mut [f32]) {
        self.banked.action_rewards(state, out);
    }
}

crate::named_enum! {
    /// An observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The indices of the player's cards and of the dealer's front and back.
        RawCards,
        /// The comparison of every setting with the dealer's.
        #[default]
        Comparisons,
    }
}

/// The information that a player sees.
struct Seen<'a> {
    player: &'a Candidates,
    dealer: Hand,
    setting: Setting,
    set: SetHand,
    /// The dealer's set hand in the form used for comparisons.
    compared: BankerSet,
}

impl Encoding for Observation {
    fn len(self) -> usize {
        match self {
            Observation::RawCards => 2 * Hand::CARDS,
            Observation::Comparisons => 3 * Setting::COUNT + 1,
        }
    }

    fn high(self) -> f32 {
        if self == Observation::RawCards { 52.0 } else { 1.0 }
    }
}

impl Observation {
    /// Writes an observation.
    fn write(self, seen: &Seen<'_>, out: &mut [f32]) {
        match self {
            Observation::RawCards => {
                let (front, back) = (seen.setting.front(seen.dealer), seen.setting.back(seen.dealer));
                let cards = seen.player.hand().set().iter().chain(front.iter()).chain(back.iter());
                out.iter_mut().zip(cards).for_each(|(place, card)| *place = card.index() as f32);
            }
            Observation::Comparisons => {
                let flag = |is_set| f32::from(u8::from(is_set));
                for (row, setting) in out.as_chunks_mut::<3>().0.iter_mut().zip(Setting::all()) {
                    let own = seen.player.set(setting);
                    let [back, front] = [own.back > seen.set.back, own.front > seen.set.front];
                    *row = [seen.player.is_legal(setting), back, front].map(flag);
                }
                out[3 * Setting::COUNT] = flag(seen.compared.pushes());
            }
        }
    }
}

/// The game's registry entry.
pub const GAME: GameEntry = GameEntry {
    name: "face-up-pai-gow",
    id: ID,
    folder: "pai_gow/face_up",
    title: "Face Up Pai Gow Poker, one player against a dealer whose hand is shown",
    source: "M. Shackleford, wizardofodds.com/games/face-up-pai-gow-poker",
    rules: RuleTable::of::<Rules>(),
    data: &[("house ways", house_way::BUILT_IN), ("side bets", crate::pai_gow::ALL_PAYTABLES)],
    encodings: &Observation::NAMES,
    action_names: || Setting::all().map(Setting::meaning).collect(),
    documentation: crate::gym::pages!(),
    examples: &[
        Example { name: "stake", config: "{}", options: &[r#"{"stake": 25}"#] },
        Example {
            name: "other-rules",
            config: r#"{"rules": {"dealer-pushes": "none", "joker-in-flush": "ace"}, "dealer": "foxwoods"}"#,
            options: &[r#"{"stake": 20}"#],
        },
    ],
    make,
    seated: None,
};

/// The environment's configuration. All keys are optional.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Config {
    rules: Rules,
    /// The dealer's house way. Defaults to Trump Plaza's.
    dealer: Option<String>,
    readings: BTreeMap<String, String>,
    observation: Observation,
}

/// Creates the environment from its configuration. This is a JSON object with the keys `rules`, `dealer` (the name,
/// path or text of a house way), `readings` (for that house way) and `observation`.
fn make(config: &str) -> Result<Box<dyn Env>, MakeError> {
    let config: Config = from_json(config)?;
    let way = load_way(config.dealer.as_deref().unwrap_or(Way::DEFAULT), &config.readings)?;
    let game: FaceUpGame<HouseWay> = FaceUpGame::new(config.rules, |game| HouseWay::shared(way, game))?;
    Ok(Box::new(FaceUpPaiGow::new(game).with_encoding(config.observation)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::{Outcome, ProfileTable};
    use std::convert::Infallible;

    fn env(rules: Rules) -> FaceUpPaiGow<ProfileTable> {
        let dealer = |game: &Game| Ok::<_, Infallible>(Arc::new(ProfileTable::max_front(game)));
        FaceUpPaiGow::new(FaceUpGame::new(rules, dealer).unwrap())
    }

    #[test]
    fn observations_decide_the_reward_of_every_setting() {
        let (mut env, mut pushed) = (env(Rules::default()), 0);
        let mut out = vec![f32::NAN; Observation::Comparisons.len()];
        for seed in 0..300 {
            env.start(Some(seed), &StakeOptions { stake: 10.0 }).unwrap();
            env.observe(&mut out).unwrap();
            let pushes = out[63] == 1.0;
            pushed += u32::from(pushes);
            assert_eq!(env.render().contains("every bet pushes"), pushes);
            for setting in Setting::all() {
                let [legal, back, front] = [0, 1, 2].map(|i| out[3 * setting.index() + i] == 1.0);
                let mut env = env.clone();
                let expected = match (back, front) {
                    _ if pushes => 0.0,
                    (true, true) => 10.0,
                    (false, false) => -10.0,
                    _ => 0.0,
                };
                match env.step(setting.index()) {
                    Ok(step) => assert!(legal && step.terminated && step.reward == expected, "{}", env.render()),
                    Err(error) => assert!(!legal && matches!(error, EnvError::IllegalAction { .. })),
                }
            }
        }
        assert!((5..60).contains(&pushed), "{pushed} of 300");
    }

    #[test]
    fn the_dealer_is_shown_before_the_player_sets() {
        let mut env = env(Rules::default()).with_encoding(Observation::RawCards);
        for seed in 0..50 {
            env.reset(Some(seed), None).unwrap();
            let view = env.view().unwrap();
            let mut out = vec![f32::NAN; 14];
            env.observe(&mut out).unwrap();
            let cards = [&view["hand"], &view["dealer"]["front"], &view["dealer"]["back"]];
            let cards = cards.map(|text| text.as_str().unwrap()).join(" ");
            let numbers: Vec<f32> =
                cards.split(' ').map(|card| card.parse::<crate::cards::Card>().unwrap().index() as f32).collect();
            assert_eq!(out, numbers);
            let action = env.house_action().unwrap();
            env.step(action).unwrap();
            let outcome = env.outcome().unwrap();
            assert_eq!(outcome["dealer"]["hand"], view["dealer"]["hand"]);
            assert!(Outcome::ALL.iter().any(|known| outcome["outcome"] == known.to_string()));
            assert!(env.render().contains("dealer  back ") && !env.render().contains("banker"));
        }
    }
}
