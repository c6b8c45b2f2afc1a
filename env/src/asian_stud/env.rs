//! The environment `AsianStud-v0`.
//!
#![doc = include_str!("environment.md")]
//!
#![doc = include_str!("observations.md")]

use super::{FOLDED, Game, Hand, Paytable, Points, Rules, SideBetOnFold, UNIT, Value};
use crate::cards::{Card, CardSet, Pack};
use crate::gym::{
    CardEnv, CardGame, Comparison, Encoding, Env, EnvConfig, EnvError, EnvSpec, Example, GameEntry, MakeError, Payout,
    PublicAction, PublicBet, PublicPart, PublicSeat, PublicTable, Step, from_json,
};
use crate::rules::{RuleSet, RuleTable};
use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// The action that loses the ante.
pub const FOLD: usize = 0;
/// The action that doubles the stake.
pub const RAISE: usize = 1;
/// The maximum number of players. Nine players and the dealer use 50 cards.
pub const MAX_PLAYERS: usize = 9;

/// The environment's versioned id.
pub const ID: &str = "AsianStud-v0";

/// The environment for a [`Game`].
pub type AsianStud = CardEnv<Game>;

/// Reset options for the environment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AsianStudOptions {
    /// Each player's ante, which must be above 0 and at most 1e9. Defaults to 1.
    pub ante: f64,
    /// Each player's stake on the side bet, from 0 to 1e9. Defaults to 0, meaning no side bet.
    pub side_stake: f64,
    /// The number of players, from 1 to 9. Defaults to 1.
    pub players: usize,
}

impl Default for AsianStudOptions {
    fn default() -> AsianStudOptions {
        AsianStudOptions { ante: 1.0, side_stake: 0.0, players: 1 }
    }
}

/// A round in progress.
#[derive(Clone, Copy, Debug)]
pub struct State {
    options: AsianStudOptions,
    pack: Pack,
    /// Players don't see the dealer's cards until the round is over.
    dealer: Dealt,
    /// The acting player's cards, or the last player's cards once the round is over.
    player: Dealt,
    /// The index of the acting player, starting from 0.
    seat: usize,
    /// The last player's action and net result, once all players have decided.
    last: Option<(usize, f64)>,
}

impl State {
    /// Returns the cards of the player who has to act, or of the last player once the round is over.
    pub fn player(&self) -> Hand {
        self.player.hand
    }

    /// Returns the dealer's cards, which players don't see until the round is over.
    pub fn dealer(&self) -> Hand {
        self.dealer.hand
    }
}

/// A five-card hand and its value.
#[derive(Clone, Copy, Debug)]
struct Dealt {
    hand: Hand,
    value: Value,
}

impl Game {
    /// Returns the acting player's rewards for folding and for raising, including the side bet. They depend on the
    /// dealer's hidden cards.
    pub fn rewards(&self, state: &State) -> [f64; 2] {
        [FOLD, RAISE].map(|action| self.net(state, action))
    }

    #[inline]
    fn net(&self, state: &State, action: usize) -> f64 {
        let AsianStudOptions { ante, side_stake, .. } = state.options;
        let parts = if action == FOLD { FOLDED } else { self.raised(state.player.value, state.dealer.value) };
        let main = ante * (parts as f64 / UNIT as f64);
        if side_stake == 0.0 {
            return main;
        }
        let lost = action == FOLD && self.rules().side_bet_on_fold == SideBetOnFold::Lost;
        main + side_stake * if lost { -1.0 } else { self.side_net(state.player.hand) as f64 }
    }

    #[inline]
    fn dealt(&self, cards: [Card; 5]) -> Dealt {
        Dealt { hand: Hand::from_drawn(cards), value: self.value_of_cards(cards) }
    }

    /// Returns the three cards that form a set and the other two. Without a set, returns all cards.
    fn public_hand(&self, hand: Hand) -> Vec<PublicPart> {
        let value = self.value(hand);
        let cards: Vec<Card> = hand.set().iter().collect();
        let pairs = (0..cards.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let jokers = if hand.set().contains(Card::JOKER) { self.rules().joker.choices() } else { &[0] };
        let found = pairs.into_iter().find_map(|(a, b)| {
            let two = [cards[a], cards[b]];
            jokers.iter().find(|&&joker| is_split(&cards, two, joker, value)).map(|_| two)
        });
        let Some(two) = found.filter(|_| value.is_set()) else {
            return vec![PublicPart::new("cards", hand).ranked("no set".to_owned())];
        };
        let two: CardSet = two.into_iter().collect();
        vec![PublicPart::new("set", hand.set().difference(two)), PublicPart::new("value", two).ranked(value.name())]
    }
}

/// Returns `true` if the hand has this value with the two cards outside the set and a joker worth `joker` points.
fn is_split(cards: &[Card], two: [Card; 2], joker: u8, value: Value) -> bool {
    let points = |card: &Card| match Points::from_card(*card) {
        Points::JOKER => joker,
        points => points.index() as u8 + 1,
    };
    let total = |cards: &mut dyn Iterator<Item = &Card>| cards.map(points).sum::<u8>();
    let pair = total(&mut two.iter());
    let three = total(&mut cards.iter().filter(|card| !two.contains(card)));
    three % 10 == 0 && (pair + 9) % 10 + 1 == value.index() as u8
}

impl CardGame for Game {
    type Options = AsianStudOptions;
    type State = State;
    type Encoding = Observation;
    const HAS_ACTION_REWARDS: bool = true;

    fn spec(&self) -> EnvSpec {
        EnvSpec { id: ID, reward_range: (-2.0, self.highest()), max_steps: MAX_PLAYERS }
    }

    /// Returns a hash that covers the rules and the paytable.
    fn rules_hash(&self) -> String {
        self.rules().hash_with(&self.paytable().rows())
    }

    fn actions(&self) -> usize {
        2
    }

    #[inline]
    fn check(&self, options: &AsianStudOptions) -> Result<(), EnvError> {
        EnvError::check_stake("ante", options.ante)?;
        EnvError::check_side_stake("side-stake", options.side_stake)?;
        EnvError::check_range("players", options.players, 1..=MAX_PLAYERS)
    }

    #[inline]
    fn deal(&self, options: &AsianStudOptions, rng: &mut impl Rng) -> State {
        let mut pack = Pack::new(self.rules().joker.cards());
        let cards: [Card; 10] = pack.draw(rng).expect("a pack has ten cards");
        let [d0, d1, d2, d3, d4, p0, p1, p2, p3, p4] = cards;
        let (dealer, player) = (self.dealt([d0, d1, d2, d3, d4]), self.dealt([p0, p1, p2, p3, p4]));
        State { options: *options, pack, dealer, player, seat: 0, last: None }
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.last.is_some()
    }

    #[inline]
    fn check_action(&self, _: &State, action: usize) -> Result<(), String> {
        if action <= RAISE { Ok(()) } else { Err(format!("expected {FOLD} to fold or {RAISE} to raise")) }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: usize, rng: &mut impl Rng) -> Step {
        let reward = self.net(state, action);
        if state.seat + 1 == state.options.players {
            state.last = Some((action, reward));
        } else {
            state.seat += 1;
            state.player = self.dealt(state.pack.draw(rng).expect("a pack has cards for all players"));
        }
        Step { reward, terminated: state.last.is_some(), truncated: false }
    }

    #[inline]
    fn observe(&self, encoding: Observation, state: &State, out: &mut [f32]) {
        encoding.write(state.player.hand, state.player.value, out);
    }

    fn outcome(&self, state: &State) -> Option<Json> {
        let (action, reward) = state.last?;
        let shown = |dealt: Dealt| json!({ "hand": dealt.hand.to_string(), "value": dealt.value.name() });
        Some(json!({
            "player": shown(state.player),
            "dealer": shown(state.dealer),
            "raised": action != FOLD,
            "net": reward,
        }))
    }

    /// Returns the acting player's cards and the stakes.
    fn view(&self, state: &State) -> Option<Json> {
        let AsianStudOptions { ante, side_stake, players } = state.options;
        Some(json!({
            "hand": state.player.hand.to_string(),
            "value": state.player.value.name(),
            "ante": ante,
            "side_stake": side_stake,
            "player": state.seat + 1,
            "players": players,
        }))
    }

    fn public_table(&self, state: &State) -> Option<PublicTable> {
        let (options, ante) = (&state.options, state.options.ante);
        let mut own = self.public_hand(state.player.hand);
        let mut dealers = vec![PublicPart::hidden("cards", Hand::CARDS)];
        let (mut bets, mut outcome, mut actions, mut notes) = (self.public_bets(options), None, vec![], vec![]);
        if let Some((action, net)) = state.last {
            dealers = self.public_hand(state.dealer.hand);
            let [mine, theirs] = [state.player.hand, state.dealer.hand].map(|hand| self.value(hand));
            let mut nets = [-1.0, 0.0].map(|part| part * ante);
            if action == FOLD {
                outcome = Some("fold".to_owned());
            } else {
                bets[1].stake = ante;
                nets = self.raised_parts(mine, theirs).map(|part| ante * part as f64 / UNIT as f64);
                if theirs.is_set() {
                    let result = Comparison::new(mine.cmp(&theirs), false);
                    own.iter_mut().rev().take(1).for_each(|part| part.result = Some(result));
                    dealers.iter_mut().rev().take(1).for_each(|part| part.result = Some(result.reversed()));
                } else {
                    notes.push("The dealer has no set: the ante wins, and the raise is returned.".to_owned());
                }
            }
            let nets = [nets[0], nets[1], net - nets[0] - nets[1]];
            bets = bets.into_iter().zip(nets).map(|(bet, net)| bet.settled(net)).collect();
        } else {
            let named = |action, words: &str, price| PublicAction { action, words: words.to_owned(), price };
            actions = vec![named(FOLD, "Fold", 0.0), named(RAISE, "Raise", ante)];
        }
        let name = if options.players == 1 { "you".to_owned() } else { format!("player {}", state.seat + 1) };
        let dealer = PublicSeat { hand: dealers, ..PublicSeat::banker("dealer") };
        let own = PublicSeat { name, hand: own, outcome, ..PublicSeat::own() };
        Some(PublicTable { notes, seats: vec![dealer, own], bets, actions, ..PublicTable::default() })
    }

    fn public_bets(&self, options: &AsianStudOptions) -> Vec<PublicBet> {
        let AsianStudOptions { ante, side_stake, .. } = *options;
        let values: Vec<Value> = Value::all().collect();
        // The values of dealer and player in an example of each result.
        let results = [
            ("higher by 1 to 3", 1, 2),
            ("higher by 4 to 6", 1, 5),
            ("higher by 7 to 9", 1, 8),
            ("dealer without a set", Value::NO_SET.index(), 1),
        ];
        let [of_ante, of_raise] = [0, 1].map(|part| {
            let won = |dealer: usize, player: usize| self.raised_parts(values[player], values[dealer])[part];
            let payouts = results.map(|(result, dealer, player)| (result, won(dealer, player) as f64 / UNIT as f64));
            Payout::by_result(payouts)
        });
        vec![
            PublicBet::placed("Ante", "ante", ante, of_ante),
            PublicBet { name: "Raise".to_owned(), pays: of_raise, ..PublicBet::default() },
            PublicBet::placed("Side bet", "side-stake", side_stake, vec![]).paid_by(self.paytable()),
        ]
    }

    fn render(&self, state: &State) -> String {
        let AsianStudOptions { ante, side_stake, players } = state.options;
        let shown = |dealt: Dealt| format!("{} ({})", dealt.hand, dealt.value);
        let seat = if players == 1 { String::new() } else { format!("{} of {players}: ", state.seat + 1) };
        let text = format!("player  {seat}{}\n", shown(state.player));
        let Some((action, reward)) = state.last else {
            return text + &format!("dealer  five cards, face down\nstake   ante {ante}, side bet {side_stake}");
        };
        let side = match self.category(state.player.hand) {
            category if side_stake > 0.0 => format!("side    {category}\n"),
            _ => String::new(),
        };
        let did = if action == FOLD { "folded" } else { "raised" };
        text + &format!("dealer  {}\n{side}result  {did}; net {reward}", shown(state.dealer))
    }

    fn action_rewards(&self, state: &State, out: &mut [f32]) {
        out.iter_mut().zip(self.rewards(state)).for_each(|(out, reward)| *out = reward as f32);
    }
}

crate::named_enum! {
    /// An observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The indices of the five cards.
        RawCards,
        /// The number of cards for each point value, and the hand's value.
        #[default]
        Points,
    }
}

impl Encoding for Observation {
    fn len(self) -> usize {
        match self {
            Observation::RawCards => Hand::CARDS,
            Observation::Points => Points::COUNT + Value::COUNT,
        }
    }

    fn high(self) -> f32 {
        if self == Observation::RawCards { 52.0 } else { 1.0 }
    }
}

impl Observation {
    /// Writes the observation of a hand, given its value.
    ///
    /// # Panics
    /// Panics unless `out` has [`Encoding::len`] entries.
    #[inline]
    pub fn write(self, hand: Hand, value: Value, out: &mut [f32]) {
        assert_eq!(out.len(), self.len(), "the length of the observation");
        match self {
            Observation::RawCards => {
                out.iter_mut().zip(hand.set().iter()).for_each(|(place, card)| *place = card.index() as f32);
            }
            Observation::Points => write_points(&hand.counts(), value, out),
        }
    }
}

/// Writes the `points` encoding for a multiset of points.
#[inline]
fn write_points(counts: &[u8; Points::COUNT], value: Value, out: &mut [f32]) {
    // For 0 to 5, multiplying by 0.2 rounds to the same result as dividing by 5, and it is faster.
    const SHARE: f32 = 1.0 / Hand::CARDS as f32;
    let (points, values) = out.split_at_mut(Points::COUNT);
    for (i, (place, &count)) in points.iter_mut().zip(counts).enumerate() {
        *place = f32::from(count) * if i == Points::JOKER.index() { 1.0 } else { SHARE };
    }
    values.fill(0.0);
    values[value.index()] = 1.0;
}

/// The game's entry in the registry.
pub const GAME: GameEntry = GameEntry {
    name: "asian-stud",
    id: ID,
    folder: "asian_stud",
    title: "Asian Stud, five cards in three and two against the dealer",
    source: "a text on Asian Stud, its lost paragraph restored from wizardofodds.com/games/asian-stud",
    rules: RuleTable::of::<Rules>(),
    data: &[("paytables", &super::PAYTABLES)],
    encodings: &Observation::NAMES,
    action_names: || ["fold", "raise"].map(str::to_owned).to_vec(),
    documentation: crate::gym::pages!(),
    examples: &[
        Example {
            name: "players",
            config: "{}",
            options: &[r#"{"players": 9}"#, r#"{"ante": 25, "side-stake": 5, "players": 1}"#],
        },
        Example {
            name: "wild-joker",
            config: r#"{"rules": {"joker": "wild", "joker-semiwild": "wild", "side-bet-on-fold": "lost"}, "paytable": "example-pair"}"#,
            options: &[r#"{"ante": 20, "side-stake": 5, "players": 2}"#],
        },
        Example {
            name: "other-readings",
            config: r#"{"rules": {"joker": "three_six_nine", "no-set-against-set": "both_returned", "odds-on": "both", "commission": "both_except_dealer_no_set", "commission-rate": "0.04"}}"#,
            options: &[r#"{"players": 4}"#],
        },
        Example { name: "no-joker", config: r#"{"rules": {"joker": "none"}}"#, options: &["{}"] },
    ],
    make,
    seated: None,
};

/// Creates the environment from an [`EnvConfig`] in JSON.
fn make(config: &str) -> Result<Box<dyn Env>, MakeError> {
    let EnvConfig { rules, observation, paytable }: EnvConfig<Rules, Observation, Paytable> = from_json(config)?;
    let game = Game::new(rules).with_paytable(paytable);
    Ok(Box::new(AsianStud::new(game).with_encoding(observation)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asian_stud::JokerPoints;
    use crate::gym::Env;

    #[test]
    fn the_raise_pays_by_the_difference() {
        let odds = |rule: &str, bet: usize| {
            let game = Game::new(Rules::default().with(rule).unwrap());
            let bet = &game.public_bets(&AsianStudOptions::default())[bet];
            bet.pays.iter().map(|payout| payout.odds.clone()).collect::<Vec<_>>()
        };
        assert_eq!(odds("commission=none", 0), ["1 to 1"]);
        assert_eq!(odds("commission=none", 1), ["1 to 1", "2 to 1", "3 to 1", "push"]);
        assert_eq!(odds("commission=both", 1), ["0.95 to 1", "1.9 to 1", "2.85 to 1", "push"]);
        assert_eq!(odds("commission=both_except_dealer_no_set", 0), ["0.95 to 1", "0.95 to 1", "0.95 to 1", "1 to 1"]);
    }

    #[test]
    fn the_reward_is_that_of_the_settlement() {
        let options = AsianStudOptions { ante: 20.0, side_stake: 5.0, players: 1 };
        let mut env = AsianStud::new(Game::new(Rules::default().with("side-bet-on-fold=lost").unwrap()));
        for seed in 0..500 {
            env.start(Some(seed), &options).unwrap();
            let game = env.game();
            let state = env.state().unwrap();
            let (player, dealer, rewards) = (state.player(), state.dealer(), game.rewards(state));
            assert!(player.set().intersection(dealer.set()).is_empty());
            let mut written = [f32::NAN; 2];
            env.action_rewards(&mut written).unwrap();
            assert_eq!(written, rewards.map(|reward| reward as f32));
            for action in [FOLD, RAISE] {
                let mut env = env.clone();
                let step = env.step(action).unwrap();
                let main = match action {
                    FOLD => -20.0,
                    _ => 20.0 * game.raised(game.value(player), game.value(dealer)) as f64 / UNIT as f64,
                };
                let side = if action == FOLD { -5.0 } else { 5.0 * game.side_net(player) as f64 };
                assert_eq!((step.reward, rewards[action], step.terminated), (main + side, main + side, true));
                assert!(env.render().ends_with(&format!("net {}", step.reward)), "{}", env.render());
            }
        }
    }

    #[test]
    fn players_share_the_dealer_and_no_card() {
        let options = AsianStudOptions { players: MAX_PLAYERS, ..AsianStudOptions::default() };
        for rules in [Rules::default(), Rules::default().with("joker=none").unwrap()] {
            let mut env = AsianStud::new(Game::new(rules));
            for seed in 0..100 {
                env.start(Some(seed), &options).unwrap();
                let dealer = env.state().unwrap().dealer();
                let mut cards = dealer.set();
                for seat in 0..MAX_PLAYERS {
                    let hand = env.state().unwrap().player();
                    cards = cards.union(hand.set());
                    let step = env.step(RAISE).unwrap();
                    let net = env.game().raised(env.game().value(hand), env.game().value(dealer));
                    assert_eq!((step.reward, step.terminated), (net as f64 / UNIT as f64, seat + 1 == MAX_PLAYERS));
                }
                assert_eq!(cards.len(), 5 * (MAX_PLAYERS + 1));
            }
        }
    }

    #[test]
    fn sets_are_found_for_every_joker() {
        let mut rng = crate::gym::stream(9.into());
        for joker in JokerPoints::ALL {
            let game = Game::new(Rules { joker, ..Rules::default() });
            for _ in 0..2_000 {
                let hand = Hand::from_drawn(Pack::new(joker.cards()).draw(&mut rng).unwrap());
                let (parts, value) = (game.public_hand(hand), game.value(hand));
                assert_eq!(parts.len() == 2, value.is_set(), "{hand}");
                let rank = if value.is_set() { value.name() } else { "no set".to_owned() };
                assert_eq!(parts.last().unwrap().rank, rank);
                let cards = parts.iter().flat_map(|part| part.cards.split(' ')).count();
                assert_eq!(cards, Hand::CARDS);
            }
        }
    }

    #[test]
    fn shares_are_quotients() {
        for count in 0..=5 {
            let (mut out, mut counts) = ([f32::NAN; 22], [0; Points::COUNT]);
            counts[3] = count;
            write_points(&counts, Value::NO_SET, &mut out);
            assert_eq!(out[3], f32::from(count) / 5.0);
        }
    }

    #[test]
    fn the_layouts_are_those_described() {
        let hand: Hand = "Jk As Th Td 3c".parse().unwrap();
        let mut raw = [f32::NAN; 5];
        Observation::RawCards.write(hand, Value::NO_SET, &mut raw);
        assert_eq!(raw, [52.0, 51.0, 34.0, 33.0, 4.0]);
        let mut points = [f32::NAN; 22];
        Observation::Points.write(hand, Value::all().nth(5).unwrap(), &mut points);
        let mut expected = [0.0; 22];
        (expected[0], expected[2], expected[9], expected[10], expected[16]) = (0.2, 0.2, 0.4, 1.0, 1.0);
        assert_eq!(points, expected);
    }
}
