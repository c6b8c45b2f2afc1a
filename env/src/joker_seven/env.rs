//! The environment `JokerSeven-v0`, a bandit with correlated arms.
//!
#![doc = include_str!("environment.md")]
//!
#![doc = include_str!("observations.md")]

use super::{CARDS, CommonHand, Game, MAX_CHIPS, Paytable, Rules, Wager, WagerKind, Wins};
use crate::cards::{CardSet, Pack, Suit};
use crate::gym::{
    CardEnv, CardGame, Encoding, Env, EnvConfig, EnvError, EnvSpec, Example, GameEntry, MakeError, Payout,
    PublicAction, PublicBet, PublicPart, PublicSeat, PublicTable, Step, from_json,
};
use crate::rank::plural;
use crate::rules::{RuleSet, RuleTable};
use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The action that stops betting.
pub const DEAL: usize = Wager::COUNT;
/// The maximum number of players. Seven hands use 49 of the 54 cards.
pub const MAX_PLAYERS: usize = 7;
/// The number of cards in the pack.
const PACK: usize = 54;

/// The environment's versioned id.
pub const ID: &str = "JokerSeven-v0";

/// The environment for a [`Game`].
pub type JokerSeven = CardEnv<Game>;

/// Reset options for the environment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct JokerSevenOptions {
    /// The number of chips that each player has and may bet, from the minimum of a wager to 100. Defaults to that
    /// minimum.
    pub chips: Option<u32>,
    /// The value of a chip, which must be above 0 and at most 1e9. Defaults to 1.
    pub chip: f64,
    /// The number of players, from 1 to 7. Defaults to 1.
    pub players: usize,
}

impl Default for JokerSevenOptions {
    fn default() -> JokerSevenOptions {
        JokerSevenOptions { chips: None, chip: 1.0, players: 1 }
    }
}

/// A round in progress.
#[derive(Clone, Copy, Debug)]
pub struct State {
    chip: f64,
    chips: u32,
    players: usize,
    /// The index of the acting player, starting from 0.
    seat: usize,
    /// The number of chips the acting player has on each wager.
    pub stakes: [u8; Wager::COUNT],
    left: u32,
    pack: Pack,
    /// The cards that settle the acting player's wagers. They are face down until the round is over.
    pub cards: CardSet,
    wins: Wins,
    /// The last player's net result, once all players have bet.
    over: Option<f64>,
}

impl Game {
    /// Returns the acting player's reward for a single chip on each wager. The rewards depend on the face-down cards
    /// and are NaN for wagers that are not on the layout.
    pub fn rewards(&self, state: &State) -> [f64; Wager::COUNT] {
        let mut rewards = [f64::NAN; Wager::COUNT];
        for (reward, wager) in rewards.iter_mut().zip(Wager::all()) {
            *reward = self.net(wager, state.wins).map_or(f64::NAN, |net| state.chip * net as f64);
        }
        rewards
    }

    /// Returns the acting player's net result over all wagers, in chips.
    #[inline]
    fn net_of_stakes(&self, state: &State) -> i64 {
        let net = |(wager, &stake): (Wager, &u8)| match stake {
            0 => 0,
            _ => i64::from(stake) * self.net(wager, state.wins).unwrap_or(0),
        };
        Wager::all().zip(&state.stakes).map(net).sum()
    }

    /// Returns the number of chips that the acting player would add to a wager by choosing it now.
    #[inline]
    fn next_chips(&self, state: &State, wager: Wager) -> u32 {
        if state.stakes[wager.index()] == 0 { self.rules().minimum } else { 1 }
    }

    /// Returns `true` if chips can be put on a wager.
    #[inline]
    fn takes_chips(&self, state: &State, wager: Wager) -> bool {
        let placed = self.next_chips(state, wager);
        let stake = u32::from(state.stakes[wager.index()]);
        self.odds(wager).is_some() && stake + placed <= self.rules().maximum && placed <= state.left
    }

    /// Returns the reason why chips can't be put on a wager.
    fn refusal(&self, state: &State, wager: Wager) -> String {
        let (placed, maximum) = (self.next_chips(state, wager), self.rules().maximum);
        let (name, stake) = (wager.name(self.rules()), u32::from(state.stakes[wager.index()]));
        match self.odds(wager) {
            None => format!("{name} is not on the layout"),
            Some(_) if stake + placed > maximum => format!("{name} is at its maximum of {maximum}"),
            Some(_) => format!("{name} takes {placed} chips, but the player only has {}", state.left),
        }
    }

    /// Draws the cards that settle the next player's wagers, and computes which wagers win on them.
    #[inline]
    fn draw(&self, pack: &mut Pack, rng: &mut impl Rng) -> (CardSet, Wins) {
        let cards = pack.draw::<CARDS>(rng).map(CardSet::from_iter).expect("a pack has seven cards for each player");
        (cards, self.wins(cards))
    }
}

impl Wager {
    /// Returns the part of the layout and the words on it.
    fn spot(self, name: &str) -> (&'static str, String) {
        if let Some(rank) = self.rank() {
            return ("Pair of", plural(rank));
        }
        let group = match name.split_once('-') {
            Some((_, "black")) => "Black",
            Some((_, "red")) => "Red",
            Some((_, "either")) => "Either color",
            _ => "Hand",
        };
        let words = match self.kind() {
            WagerKind::FourOrMoreOfAColour => "4 or more".to_owned(),
            kind if group == "Hand" => kind.name().replace('-', " "),
            _ => name.split('-').next().unwrap_or(name).to_owned(),
        };
        (group, words)
    }
}

impl CardGame for Game {
    type Options = JokerSevenOptions;
    type State = State;
    type Encoding = Observation;
    const HAS_ACTION_REWARDS: bool = true;

    fn spec(&self) -> EnvSpec {
        let highest = self.wagers().filter_map(|wager| self.odds(wager)).max().unwrap_or(0);
        let minimum = f64::from(self.rules().minimum);
        let reward_range = (-minimum, minimum * f64::from(highest));
        EnvSpec { id: ID, reward_range, max_steps: MAX_PLAYERS * MAX_CHIPS as usize }
    }

    /// Returns a hash that covers the rules and the paytable.
    fn rules_hash(&self) -> String {
        self.rules().hash_with(&self.paytable().rows())
    }

    fn actions(&self) -> usize {
        Wager::COUNT + 1
    }

    fn default_options(&self) -> JokerSevenOptions {
        JokerSevenOptions { chips: Some(self.rules().minimum), ..JokerSevenOptions::default() }
    }

    #[inline]
    fn check(&self, options: &JokerSevenOptions) -> Result<(), EnvError> {
        let minimum = self.rules().minimum;
        EnvError::check_range("chips", options.chips.unwrap_or(minimum), minimum..=MAX_CHIPS)?;
        EnvError::check_stake("chip", options.chip)?;
        EnvError::check_range("players", options.players, 1..=MAX_PLAYERS)
    }

    #[inline]
    fn deal(&self, options: &JokerSevenOptions, rng: &mut impl Rng) -> State {
        let JokerSevenOptions { chips, chip, players } = *options;
        let chips = chips.unwrap_or(self.rules().minimum);
        let mut pack = Pack::new(PACK);
        let (cards, wins) = self.draw(&mut pack, rng);
        let stakes = [0; Wager::COUNT];
        State { chip, chips, players, seat: 0, stakes, left: chips, pack, cards, wins, over: None }
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.over.is_some()
    }

    #[inline]
    fn legal(&self, state: &State, mask: &mut [bool]) {
        for (legal, wager) in mask.iter_mut().zip(Wager::all()) {
            *legal = self.takes_chips(state, wager);
        }
        mask[DEAL] = state.left < state.chips;
    }

    #[inline]
    fn check_action(&self, state: &State, action: usize) -> Result<(), String> {
        match Wager::from_index(action) {
            Some(wager) if self.takes_chips(state, wager) => Ok(()),
            Some(wager) => Err(self.refusal(state, wager)),
            None if action != DEAL => Err(format!("expected wagers 0 to {} or {DEAL} to deal", DEAL - 1)),
            None if state.left == state.chips => Err("stake at least one chip first".to_owned()),
            None => Ok(()),
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: usize, rng: &mut impl Rng) -> Step {
        match Wager::from_index(action) {
            Some(wager) => {
                let placed = self.next_chips(state, wager);
                state.stakes[action] += placed as u8;
                state.left -= placed;
            }
            None => state.left = 0,
        }
        let mut reward = 0.0;
        if state.left == 0 {
            reward = state.chip * self.net_of_stakes(state) as f64;
            if state.seat + 1 == state.players {
                state.over = Some(reward);
            } else {
                (state.seat, state.stakes, state.left) = (state.seat + 1, [0; Wager::COUNT], state.chips);
                if self.rules().common_hand == CommonHand::OneHandPerPlayer {
                    (state.cards, state.wins) = self.draw(&mut state.pack, rng);
                }
            }
        }
        Step { reward, terminated: state.over.is_some(), truncated: false }
    }

    #[inline]
    fn observe(&self, encoding: Observation, state: &State, out: &mut [f32]) {
        let seen = if state.over.is_some() { state.cards } else { CardSet::EMPTY };
        encoding.write(&state.stakes, state.left, state.chips, seen, out);
    }

    fn outcome(&self, state: &State) -> Option<Value> {
        let net = state.over?;
        let wins = Wager::all().zip(&state.stakes).filter(|(wager, stake)| **stake > 0 && state.wins.contains(*wager));
        let wins: Vec<String> = wins.map(|(wager, _)| wager.name(self.rules())).collect();
        Some(json!({ "cards": state.cards.to_string(), "wagers_won": wins, "net": net }))
    }

    /// Returns how many chips the acting player has on each wager, in action order, and how many are left to bet.
    fn view(&self, state: &State) -> Option<Value> {
        Some(json!({
            "chip": state.chip,
            "stakes": state.stakes,
            "left": state.left,
            "player": state.seat + 1,
            "players": state.players,
        }))
    }

    fn public_table(&self, state: &State) -> Option<PublicTable> {
        let is_over = state.over.is_some();
        let left = state.chip * f64::from(state.left);
        let options = JokerSevenOptions { chip: state.chip, ..JokerSevenOptions::default() };
        let rewards = self.rewards(state);
        let settled = |mut bet: PublicBet| {
            if let Some(action) = bet.action {
                let chips = f64::from(state.stakes[action]);
                bet.stake = chips * state.chip;
                bet.net = (is_over && chips > 0.0).then(|| chips * rewards[action]);
            } else {
                bet.stake = left;
            }
            bet
        };
        let bets = self.public_bets(&options).into_iter().map(settled).collect();
        let cards = if is_over { PublicPart::new("cards", state.cards) } else { PublicPart::hidden("cards", CARDS) };
        let mut mask = vec![false; DEAL + 1];
        let mut actions = vec![];
        if !is_over {
            self.legal(state, &mut mask);
        }
        if mask[DEAL] {
            actions.push(PublicAction { action: DEAL, words: "Show the cards".to_owned(), price: 0.0 });
        }
        for (wager, _) in Wager::all().zip(&mask).filter(|(_, legal)| **legal) {
            let (group, name) = wager.spot(&wager.name(self.rules()));
            let words = if group == "Hand" { name } else { format!("{group} {name}") };
            let price = f64::from(self.next_chips(state, wager)) * state.chip;
            actions.push(PublicAction { action: wager.index(), words, price });
        }
        Some(PublicTable {
            seats: vec![PublicSeat::own()],
            board: vec![cards],
            bets,
            actions,
            ..PublicTable::default()
        })
    }

    fn public_bets(&self, options: &JokerSevenOptions) -> Vec<PublicBet> {
        let wager = |wager: Wager| {
            let (group, name) = wager.spot(&wager.name(self.rules()));
            let pays = self.odds(wager).map_or_else(Vec::new, Payout::only);
            PublicBet { name, group, action: Some(wager.index()), pays, ..PublicBet::default() }
        };
        let chip = PublicBet::placed("Chip", "chip", options.chip, vec![]);
        std::iter::once(chip).chain(self.wagers().map(wager)).collect()
    }

    fn render(&self, state: &State) -> String {
        let rules = self.rules();
        let staked = |(wager, &stake): (Wager, &u8)| {
            let result = match state.over {
                Some(_) if state.wins.contains(wager) => " wins",
                Some(_) => " loses",
                None => "",
            };
            (stake > 0).then(|| format!("{stake} on {}{result}", wager.name(rules)))
        };
        let stakes: Vec<String> = Wager::all().zip(&state.stakes).filter_map(staked).collect();
        let stakes = if stakes.is_empty() { "nothing".to_owned() } else { stakes.join(", ") };
        let player = match state.players {
            1 => String::new(),
            players => format!("player  {} of {players}\n", state.seat + 1),
        };
        match state.over {
            None => format!("{player}stakes  {stakes}; chips left: {}\ncards   seven, face down", state.left),
            Some(net) => format!("{player}stakes  {stakes}\ncards   {}\nresult  net {net}", state.cards),
        }
    }

    /// The results of individual chips add up, so the reward for placing chips is the result of their wager. The reward for
    /// dealing is 0.
    fn action_rewards(&self, state: &State, out: &mut [f32]) {
        for ((out, reward), wager) in out.iter_mut().zip(self.rewards(state)).zip(Wager::all()) {
            let chips = f64::from(self.next_chips(state, wager));
            *out = if reward.is_nan() { 0.0 } else { (reward * chips) as f32 };
        }
        out[DEAL] = 0.0;
    }
}

/// The number of entries that precede the cards.
const STAKES: usize = Wager::COUNT + 1;

crate::named_enum! {
    /// An observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The stakes, and a flag for each of the 54 cards.
        Cards,
        /// The stakes, and the number of cards for each color and rank.
        #[default]
        Counts,
    }
}

impl Encoding for Observation {
    fn len(self) -> usize {
        match self {
            Observation::Cards => STAKES + 54,
            Observation::Counts => STAKES + 3 + 13,
        }
    }
}

impl Observation {
    /// Writes the observation for the chips on each wager, the chips left and the cards. The numbers of chips are
    /// divided by `chips`. The set of cards may be empty.
    ///
    /// # Panics
    /// Panics unless `out` has [`Encoding::len`] entries.
    #[inline]
    pub fn write(self, stakes: &[u8; Wager::COUNT], left: u32, chips: u32, cards: CardSet, out: &mut [f32]) {
        assert_eq!(out.len(), self.len(), "the length of the observation");
        let (staked, dealt) = out.split_at_mut(STAKES);
        let share = 1.0 / chips as f32;
        staked.iter_mut().zip(stakes).for_each(|(place, &stake)| *place = f32::from(stake) * share);
        staked[Wager::COUNT] = left as f32 * share;
        dealt.fill(0.0);
        match self {
            Observation::Cards => cards.iter().for_each(|card| dealt[card.index()] = 1.0),
            Observation::Counts => {
                for card in cards.iter() {
                    match card.suit() {
                        Some(Suit::Clubs | Suit::Spades) => dealt[0] += 1.0 / 7.0,
                        Some(_) => dealt[1] += 1.0 / 7.0,
                        None => dealt[2] += 1.0 / 7.0,
                    }
                    if let Some(rank) = card.rank() {
                        dealt[3 + rank.index()] += 0.25;
                    }
                }
                // The sum of seven sevenths may round to slightly more than one.
                dealt[..3].iter_mut().for_each(|share| *share = share.min(1.0));
            }
        }
    }
}

/// The game's entry in the registry.
pub const GAME: GameEntry = GameEntry {
    name: "joker-seven",
    id: ID,
    folder: "joker_seven",
    title: "Joker Seven, wagers on seven cards",
    source: "rules for playing Joker Seven; New Jersey Administrative Code 13:47-20.26",
    rules: RuleTable::of::<Rules>(),
    data: &[("paytables", &super::PAYTABLES)],
    encodings: &Observation::NAMES,
    action_names: || {
        let rules = Rules::default();
        Wager::all().map(|wager| wager.name(&rules)).chain(["stop staking".to_owned()]).collect()
    },
    documentation: crate::gym::pages!(),
    examples: &[
        Example {
            name: "chips",
            config: "{}",
            options: &[r#"{"chips": 10, "chip": 5}"#, r#"{"chips": 4, "players": 7}"#],
        },
        Example {
            name: "hand-per-player",
            config: r#"{"rules": {"common-hand": "one_hand_per_player", "minimum": 2, "colour": "either_colour", "joker-pair": "no", "no-pair": "no_rank_exactly_twice", "three-of-a-kind": "joker_wild", "two-pairs": "exactly_two", "trips-hold-a-pair": "no", "one-joker": "at_least_one", "specific-pair": "exactly_two"}, "paytable": "new-jersey"}"#,
            options: &[r#"{"chips": 3, "players": 3}"#, r#"{"chips": 10, "chip": 5}"#],
        },
    ],
    make,
    seated: None,
};

/// Creates the environment from an [`EnvConfig`] in JSON.
fn make(config: &str) -> Result<Box<dyn Env>, MakeError> {
    let EnvConfig { rules, observation, paytable }: EnvConfig<Rules, Observation, Paytable> = from_json(config)?;
    let game = Game::try_new(rules, paytable)?;
    Ok(Box::new(JokerSeven::new(game).with_encoding(observation)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::Env;

    fn env(settings: &[&str]) -> JokerSeven {
        let rules = settings.iter().fold(Rules::default(), |rules, setting| rules.with(setting).unwrap());
        JokerSeven::new(Game::try_new(rules, Paytable::default()).unwrap())
    }

    /// Resets an environment and returns its state and rewards.
    fn look(env: &JokerSeven) -> (State, [f64; Wager::COUNT]) {
        let state = *env.state().unwrap();
        (state, env.game().rewards(&state))
    }

    #[test]
    fn a_chip_wins_what_its_wager_pays() {
        let mut env = env(&[]);
        for seed in 0..200 {
            env.start(Some(seed), &JokerSevenOptions { chip: 5.0, ..Default::default() }).unwrap();
            let (state, rewards) = look(&env);
            let wins = env.game().wins(state.cards);
            for wager in Wager::all() {
                let mut env = env.clone();
                let step = env.step(wager.index()).unwrap();
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
        env.start(Some(4), &JokerSevenOptions { chips: Some(9), ..Default::default() }).unwrap();
        let (_, rewards) = look(&env);
        let error = env.step(DEAL).unwrap_err().to_string();
        assert!(error.contains("stake at least one chip"), "{error}");
        for action in [0, 0, 13, 27] {
            assert_eq!(env.step(action).unwrap(), Step { reward: 0.0, terminated: false, truncated: false });
        }
        let error = env.step(0).unwrap_err().to_string();
        assert!(error.contains("4+-black is at its maximum of 3"), "{error}");
        assert_eq!(env.step(13).unwrap().reward, 0.0);
        let error = env.step(5).unwrap_err().to_string();
        assert!(error.contains("4+-red takes 2 chips, but the player only has 1"), "{error}");
        let error = env.step(29).unwrap_err().to_string();
        assert!(error.contains("wagers 0 to 27 or 28 to deal"), "{error}");
        let step = env.step(DEAL).unwrap();
        let expected = 3.0 * rewards[0] + 3.0 * rewards[13] + 2.0 * rewards[27];
        assert_eq!((step.reward, step.terminated), (expected, true));
    }

    #[test]
    fn rewards_of_chips_add_up() {
        let mut env = env(&["minimum=2", "maximum=9", "colour=either_colour"]);
        for seed in 0..50 {
            env.start(Some(seed), &JokerSevenOptions { chips: Some(10), chip: 2.5, players: 1 }).unwrap();
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
        let options = JokerSevenOptions { players: MAX_PLAYERS, ..Default::default() };
        for (setting, shared) in
            [("common-hand=one_hand_for_the_table", true), ("common-hand=one_hand_per_player", false)]
        {
            let mut env = env(&[setting]);
            let mut same = 0;
            for seed in 0..50 {
                env.start(Some(seed), &options).unwrap();
                let mut seen = vec![];
                for seat in 0..MAX_PLAYERS {
                    let (_, rewards) = look(&env);
                    let step = env.step(seat).unwrap();
                    assert_eq!((step.reward, step.terminated), (rewards[seat], seat + 1 == MAX_PLAYERS));
                    seen.push(rewards);
                }
                same += usize::from(seen.iter().all(|rewards| *rewards == seen[0]));
            }
            assert_eq!(same, if shared { 50 } else { 0 });
        }
    }

    #[test]
    fn wagers_off_the_layout_are_masked() {
        let mut env = env(&["colour=either_colour"]);
        env.reset(Some(1), None).unwrap();
        let mut mask = [true; Wager::COUNT + 1];
        env.action_mask(&mut mask).unwrap();
        let illegal: Vec<usize> = (0..mask.len()).filter(|&action| !mask[action]).collect();
        assert_eq!(illegal, [5, 6, 7, 8, 9, DEAL]);
        assert!(env.step(5).unwrap_err().to_string().contains("is not on the layout"));
        assert!(look(&env).1[5].is_nan());
    }

    #[test]
    fn the_minimum_is_at_least_one_chip() {
        let rules = Rules { minimum: 0, ..Rules::default() };
        let error = Game::try_new(rules, Paytable::default()).err();
        assert!(matches!(error, Some(EnvError::BadOption { option: "minimum", .. })));
        let mut env = env(&["minimum=3"]);
        // By default, a player has enough chips for one wager.
        env.reset(Some(1), None).unwrap();
        assert!(env.step(0).unwrap().terminated);
        assert_eq!(env.state().unwrap().stakes[0], 3);
    }

    #[test]
    fn the_layouts_are_those_described() {
        let cards: CardSet = "Jk2 As Ah 2c 2d 2h 9d".parse().unwrap();
        let mut stakes = [0; Wager::COUNT];
        (stakes[3], stakes[27]) = (2, 1);
        let mut flags = [f32::NAN; 83];
        Observation::Cards.write(&stakes, 1, 4, cards, &mut flags);
        assert_eq!((flags[3], flags[27], flags[28]), (0.5, 0.25, 0.25));
        let dealt: Vec<usize> = (29..83).filter(|&i| flags[i] == 1.0).map(|i| i - 29).collect();
        assert_eq!(dealt, [0, 1, 2, 29, 50, 51, 53]);
        let mut counts = [f32::NAN; 45];
        Observation::Counts.write(&stakes, 1, 4, cards, &mut counts);
        assert_eq!((counts[..29].to_vec(), counts[32], counts[44]), (flags[..29].to_vec(), 0.75, 0.5));
        assert!((counts[29] - 2.0 / 7.0).abs() < 1e-6 && (counts[30] - 4.0 / 7.0).abs() < 1e-6);
        Observation::Counts.write(&stakes, 1, 4, CardSet::EMPTY, &mut counts);
        assert!(counts[29..].iter().all(|&x| x == 0.0));
    }
}
