//! The environment `PaiGowPoker-v0`, with one player and one step per episode.
//!
#![doc = include_str!("environment.md")]

use super::observe::Observation;
use super::side_bet::paytable_bytes;
use super::{BankerSet, BankerStrategy, CARDS, Candidates, Dealt, Game, Hand, Outcome, SetHand, Setting, Settlement};
use super::{PayRow, Paytable, SideBet};
use crate::cards::profile::Profiles;
use crate::cards::{CardSet, Pack};
use crate::gym::{CardEnv, CardGame, EnvError, EnvSpec, PublicBet, PublicTable, Step};
use crate::rules::short_hash;
use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};

/// The environment's versioned id.
pub const ID: &str = "PaiGowPoker-v0";

/// The environment. `B` is the type of the banker and may be `dyn ProfileStrategy + Send`.
pub type PaiGowPoker<B> = CardEnv<BankedGame<B>>;

/// Reset options for the environment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaiGowOptions {
    /// The stake on the hand, which must be above 0 and at most 1e9. Defaults to 1.
    pub stake: f64,
    /// The stake on the side bet, from 0 to 1e9. Defaults to 0, meaning no side bet.
    pub side_stake: f64,
    /// The player's hand, such as `As Kd Jk 7c 7d 2h 3s`. Defaults to a random hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
}

impl Default for PaiGowOptions {
    fn default() -> PaiGowOptions {
        PaiGowOptions { stake: 1.0, side_stake: 0.0, hand: None }
    }
}

/// The game against a banker that follows a fixed strategy.
pub struct BankedGame<B: ?Sized> {
    game: Arc<Game>,
    banker: Arc<B>,
    profiles: &'static Profiles,
    paytable: Paytable,
    /// The side bet. It is compiled when an episode with a side stake first needs it.
    side_bet: OnceLock<SideBet>,
    rules_hash: OnceLock<String>,
}

/// The dealt hands and, once chosen, the player's setting.
#[derive(Clone)]
pub struct State {
    pub(super) options: PaiGowOptions,
    /// The player's hand, along with the strengths of its settings.
    pub player: Candidates,
    dealt: Dealt,
    /// The banker's hand, which is hidden in this game.
    pub(crate) banker: Dealt,
    /// The cards outside both hands that the player knows. The set is empty unless the game reveals some cards.
    pub known_cards: CardSet,
    setting: Option<Setting>,
}

/// The settings and the result of a finished round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Round {
    pub(super) player_setting: Setting,
    pub(super) player_set: SetHand,
    banker_setting: Setting,
    pub(super) banker_set: SetHand,
    pub(super) settlement: Settlement,
    /// The row that pays the side bet, or `None` if the side bet lost or had no stake.
    side_bet: Option<PayRow>,
    /// The net result, including the side bet.
    pub(super) reward: f64,
}

impl<B: BankerStrategy + ?Sized> BankedGame<B> {
    /// Creates a game with the side bet's default paytable. The banker's strategy must be for the same rules.
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

    /// Returns the reward for each setting, including the side bet. The rewards are the same before and after the step.
    /// They depend on the banker's hidden cards and are NaN for fouls.
    pub fn rewards(&self, state: &State) -> [f32; Setting::COUNT] {
        let rewards = state.player.rewards(&self.game, self.compared(state));
        let side = self.side_net(state);
        rewards.map(|reward| (f64::from(reward) * state.options.stake + side) as f32)
    }

    /// Returns the complete round once it is over.
    pub(super) fn round(&self, state: &State) -> Option<Round> {
        let player_setting = state.setting?;
        let player_set = state.player.set(player_setting);
        let settlement = self.game.settle(player_set, self.compared(state));
        Some(Round {
            player_setting,
            player_set,
            banker_setting: self.banker.set(state.banker.hand()),
            banker_set: self.banker_set(state),
            settlement,
            side_bet: self.side_bet(state).and_then(|side_bet| side_bet.row(state.dealt)),
            reward: self.net(state, settlement.outcome),
        })
    }

    /// Deals a new episode in which the player knows some of the cards outside both hands. They are drawn after the
    /// hands, so their number doesn't affect which hands are dealt.
    #[inline]
    pub(crate) fn deal_with_known_cards(&self, options: &PaiGowOptions, known: usize, rng: &mut impl Rng) -> State {
        let mut pack = Pack::new(CARDS);
        let has_cards = "a pack has cards for two hands";
        let dealt = match options.hand {
            None => Dealt::draw(&mut pack, rng).expect(has_cards),
            Some(hand) => {
                pack = Pack::without(CARDS, hand.set());
                Dealt::from(hand)
            }
        };
        let banker = Dealt::draw(&mut pack, rng).expect(has_cards);
        let known_cards = (0..known).fold(CardSet::EMPTY, |known, _| {
            let [card] = pack.draw(rng).expect("the pack should have all known cards");
            known.with(card)
        });
        let player = Candidates::new(&self.game, dealt.hand());
        State { options: *options, player, dealt, banker, known_cards, setting: None }
    }

    /// Returns the strengths of the banker's setting.
    #[inline]
    pub(crate) fn banker_set(&self, state: &State) -> SetHand {
        self.banker.set_banker(&self.game, state.banker.hand(), state.banker.profile(self.profiles))
    }

    /// Returns the banker's set hand in the form that is compared with the player's.
    #[inline]
    fn compared(&self, state: &State) -> BankerSet {
        self.game.banker_set(state.banker.hand(), self.banker_set(state))
    }

    #[inline]
    fn net(&self, state: &State, outcome: Outcome) -> f64 {
        state.options.stake * self.game.payoff(outcome) + self.side_net(state)
    }

    /// Returns the side bet if there is a stake on it.
    #[inline]
    fn side_bet(&self, state: &State) -> Option<&SideBet> {
        let compile = || SideBet::new(self.paytable.clone(), &self.game.rules());
        (state.options.side_stake > 0.0).then(|| self.side_bet.get_or_init(compile))
    }

    #[inline]
    fn side_net(&self, state: &State) -> f64 {
        self.side_bet(state).map_or(0.0, |side_bet| state.options.side_stake * side_bet.net(state.dealt))
    }
}

impl<B: BankerStrategy + Send + ?Sized> CardGame for BankedGame<B> {
    type Options = PaiGowOptions;
    type State = State;
    type Encoding = Observation;
    const HAS_ACTION_REWARDS: bool = true;

    fn spec(&self) -> EnvSpec {
        let [lowest, highest] = [Outcome::Loss, Outcome::Win].map(|outcome| self.game.payoff(outcome));
        EnvSpec { id: ID, reward_range: (lowest, highest), max_steps: 1 }
    }

    /// Returns a hash that covers the rules, the banker's strengths for every profile, and the paytable.
    fn rules_hash(&self) -> String {
        let hash = || {
            let [banker, paytable] = [self.banker.hash_bytes(), paytable_bytes(&self.paytable)];
            short_hash([self.game.rules().hash().as_bytes(), &banker, &paytable])
        };
        self.rules_hash.get_or_init(hash).clone()
    }

    fn actions(&self) -> usize {
        Setting::COUNT
    }

    /// Returns `true`. The observation is the dealt hand, and that doesn't change.
    fn observation_stays(&self) -> bool {
        true
    }

    #[inline]
    fn check(&self, options: &PaiGowOptions) -> Result<(), EnvError> {
        EnvError::check_stake("stake", options.stake)?;
        EnvError::check_side_stake("side-stake", options.side_stake)
    }

    #[inline]
    fn deal(&self, options: &PaiGowOptions, rng: &mut impl Rng) -> State {
        self.deal_with_known_cards(options, 0, rng)
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
            Some(setting) => Err(self.game.foul(state.player.hand(), setting)),
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
    fn observe(&self, encoding: Observation, state: &State, out: &mut [f32]) {
        encoding.write(&self.game, &state.player, out);
    }

    fn outcome(&self, state: &State) -> Option<Value> {
        let (round, player, banker) = (self.round(state)?, state.player.hand(), state.banker.hand());
        let side = |hand: Hand, setting: Setting| {
            json!({
                "hand": hand.to_string(),
                "front": setting.front(hand).to_string(),
                "back": setting.back(hand).to_string(),
                "setting": setting.index(),
            })
        };
        let mut banker_side = side(banker, round.banker_setting);
        banker_side["strategy"] = self.banker.name().into();
        banker_side["rule"] = self.banker.rule_name(banker).into();
        Some(json!({
            "player": side(player, round.player_setting),
            "banker": banker_side,
            "outcome": round.settlement.outcome.to_string(),
            "copy_front": round.settlement.copy_front,
            "copy_back": round.settlement.copy_back,
            "side_bet": round.side_bet.map(|row| row.hand.to_string()),
            "net": round.reward,
        }))
    }

    /// Returns the setting that the banker's strategy would choose.
    fn house_action(&self, state: &State) -> Option<usize> {
        Some(self.banker.set(state.player.hand()).index())
    }

    /// Returns the hand, the stakes, and the row that pays the side bet. The row is known as soon as the cards are
    /// dealt.
    fn view(&self, state: &State) -> Option<Value> {
        let row = |row: PayRow| json!({ "hand": row.hand.to_string(), "odds": row.odds.to_string() });
        Some(json!({
            "hand": state.player.hand().to_string(),
            "stake": state.options.stake,
            "side_stake": state.options.side_stake,
            "side_bet": self.side_bet(state).and_then(|bet| bet.row(state.dealt)).map(row),
        }))
    }

    fn public_table(&self, state: &State) -> Option<PublicTable> {
        Some(self.table(state, "banker", false))
    }

    fn public_bets(&self, options: &PaiGowOptions) -> Vec<PublicBet> {
        self.bets(options)
    }

    fn render(&self, state: &State) -> String {
        let hand = state.player.hand();
        let Some(round) = self.round(state) else {
            let PaiGowOptions { stake, side_stake, .. } = state.options;
            return format!("player  {hand}\nbanker  seven cards, face down\nstake   {stake}, side bet {side_stake}");
        };
        let ranking = self.game.ranking();
        let side = |name: &str, hand: Hand, setting: Setting, set: SetHand| {
            let (back, words) = (setting.back(hand), ranking.describe(set.back));
            format!("{name}  back {back} ({words}), front {} (setting {})\n", setting.front(hand), setting.index())
        };
        let mut text = side("player", hand, round.player_setting, round.player_set);
        text += &side("banker", state.banker.hand(), round.banker_setting, round.banker_set);
        if state.options.side_stake > 0.0 {
            let row = |row: PayRow| format!("{}, {} to 1", row.hand, row.odds);
            text += &format!("side    {}\n", round.side_bet.map_or("lost".to_owned(), row));
        }
        let settlement = round.settlement;
        text + &format!("result  {}{}; net {}", settlement.outcome, settlement.remark(), round.reward)
    }

    /// The rewards for fouls are undefined and written as 0.
    fn action_rewards(&self, state: &State, out: &mut [f32]) {
        let written = |reward: f32| if reward.is_nan() { 0.0 } else { reward };
        out.iter_mut().zip(self.rewards(state)).for_each(|(out, reward)| *out = written(reward));
    }
}

/// Implements the parts of [`CardGame`] that are the same for all games based on a [`BankedGame`]. The game must store
/// it in the field `banked`.
macro_rules! play_as_banked {
    () => {
        type State = $crate::pai_gow::State;

        fn actions(&self) -> usize {
            self.banked.actions()
        }

        fn observation_stays(&self) -> bool {
            self.banked.observation_stays()
        }

        fn is_over(&self, state: &Self::State) -> bool {
            self.banked.is_over(state)
        }

        fn legal(&self, state: &Self::State, mask: &mut [bool]) {
            self.banked.legal(state, mask);
        }

        fn check_action(&self, state: &Self::State, action: usize) -> Result<(), String> {
            self.banked.check_action(state, action)
        }

        fn apply(&self, state: &mut Self::State, action: usize, rng: &mut impl ::rand::Rng) -> $crate::gym::Step {
            self.banked.apply(state, action, rng)
        }

        fn house_action(&self, state: &Self::State) -> Option<usize> {
            self.banked.house_action(state)
        }
    };
}
pub(crate) use play_as_banked;

#[cfg(test)]
mod tests;
