//! The environment `UltimateHoldem-v0`, with one player against the dealer and at most three steps per episode.
//!
#![doc = include_str!("environment.md")]

use super::game::ANTE;
use super::observe::Observation;
use super::{Action, BettingState, Deal, End, Game, Hole, Paytable, PreflopPlay, Rounding, Rules, Stage, TripsOnFold};
use crate::cards::CardSet;
use crate::gym::{
    CardEnv, CardGame, Comparison, EnvError, EnvSpec, Example, GameEntry, MakeError, Payout, PublicAction, PublicBet,
    PublicPart, PublicSeat, PublicTable, Step, from_json,
};
use crate::rank::{Category, FiveStrength};
use crate::rules::{RuleSet, RuleTable};
use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cmp::Ordering;

/// The environment's versioned id.
pub const ID: &str = "UltimateHoldem-v0";

/// The environment for a [`Game`].
pub type UltimateHoldem = CardEnv<Game>;

/// Reset options for the environment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct UltimateHoldemOptions {
    /// The ante, which must be above 0 and at most 1e9. The Blind always equals it. Defaults to 1.
    pub ante: f64,
    /// The stake on Trips, from 0 to 1e9. Defaults to 0, meaning no Trips bet.
    pub trips: f64,
    /// If `true`, a token of 1 is staked on the progressive. This requires a paytable. Defaults to `false`.
    pub progressive: bool,
}

impl Default for UltimateHoldemOptions {
    fn default() -> UltimateHoldemOptions {
        UltimateHoldemOptions { ante: 1.0, trips: 0.0, progressive: false }
    }
}

/// A hand in progress.
#[derive(Clone, Copy, Debug)]
pub struct State {
    options: UltimateHoldemOptions,
    deal: Deal,
    seat: BettingState,
}

impl State {
    /// Returns all cards, including those that the player doesn't see yet.
    pub fn deal(&self) -> &Deal {
        &self.deal
    }

    /// Returns the player's cards.
    #[inline]
    pub fn hole(&self) -> Hole {
        self.deal.hole()
    }

    /// Returns the board cards shown at this stage.
    #[inline]
    pub fn board(&self) -> CardSet {
        self.deal.board(self.stage().board_cards())
    }

    /// Returns the dealer's cards once the hand is over.
    fn dealer(&self) -> Option<Hole> {
        (self.stage() == Stage::Over).then(|| self.deal.dealer())
    }

    /// Returns the stage of the hand.
    #[inline]
    pub fn stage(&self) -> Stage {
        self.seat.stage
    }
}

impl Game {
    /// Returns a bet with the payouts that the rounding leaves of a paytable's.
    fn paid_by(&self, bet: PublicBet, table: &Paytable) -> PublicBet {
        let mut bet = bet.paid_by(table);
        if self.rules().rounding == Rounding::Down {
            for (pays, row) in bet.pays.iter_mut().zip(table.rows()).filter(|(_, row)| !row.odds.is_multiple(1)) {
                pays.odds = format!("{} to 1", row.odds.units(1));
            }
        }
        bet
    }

    /// For each action, returns the reward for ending the hand with it, indexed by [`Action::index`]. This includes
    /// actions that aren't legal at this stage. The reward is NaN for checking and for actions that the rules never
    /// allow. The rewards depend on the dealer's hidden cards and the complete board.
    pub fn rewards(&self, state: &State) -> [f32; Action::ALL.len()] {
        let mut rewards = [f32::NAN; Action::ALL.len()];
        for action in &Action::ALL[1..] {
            let mut seat = BettingState::default();
            let allowed =
                *action as usize <= Action::Play2 as usize || seat.is_legal(self.rules().preflop_play, *action);
            if allowed {
                seat.act(*action);
                rewards[action.index()] = self.net(&State { seat, ..*state }) as f32;
            }
        }
        rewards
    }

    /// Returns the categories of the player's and the dealer's best five cards once the hand is over.
    fn categories(&self, state: &State) -> Option<[Category; 2]> {
        let (holes, ranking) = ([state.hole(), state.dealer()?], self.on_board(state.board()));
        Some(holes.map(|hole| self.best().category(ranking.of(hole.set()))))
    }

    /// Returns the net result of all wagers once the hand is over.
    #[inline]
    fn net(&self, state: &State) -> f64 {
        let State { options: UltimateHoldemOptions { ante, trips, progressive }, deal, seat } = state;
        let mut net = ante * f64::from(seat.net(self, deal));
        if *trips > 0.0 {
            net += trips * f64::from(seat.trips(self, deal));
        }
        if let Some(table) = self.progressive().filter(|_| *progressive) {
            let category = self.best().category(self.on_board(deal.board(5)).of(deal.hole().set()));
            let closed = seat.folded && self.rules().trips_on_fold == TripsOnFold::Lost;
            net += table.units(category).filter(|_| !closed).map_or(-2.0, f64::from);
        }
        net / 2.0
    }

    /// Splits the result of a finished hand into those of the bets.
    fn settle(&self, state: &State, bets: &mut [PublicBet], [mine, theirs]: [FiveStrength; 2]) {
        let UltimateHoldemOptions { ante, trips, .. } = state.options;
        let (end, hand, folded) = (self.end(mine, theirs), self.best().category(mine), state.seat.folded);
        let units = |half_antes: i32| f64::from(half_antes) / 2.0;
        let on_ante = if folded { -1.0 } else { units(self.ante(end)) };
        let on_blind = if folded { -1.0 } else { units(self.blind(end, hand)) };
        let play = if folded { 0.0 } else { f64::from(self.play(end)) };
        let on_trips = units(if folded { self.trips_after_fold(hand) } else { self.trips(hand) });
        let on_token = self.progressive().map_or(0.0, |table| {
            let closed = folded && self.rules().trips_on_fold == TripsOnFold::Lost;
            table.units(hand).filter(|_| !closed).map_or(-1.0, |half_antes| f64::from(half_antes) / 2.0)
        });
        let play = play * bets[2].stake;
        let nets = [on_ante * ante, on_blind * ante, play, on_trips * trips, on_token];
        for (bet, net) in bets.iter_mut().zip(nets) {
            *bet = bet.clone().settled(net);
        }
    }

    fn actions_in_words(&self, state: &State) -> Vec<PublicAction> {
        let legal = |action: &Action| state.seat.is_legal(self.rules().preflop_play, *action);
        let words = |action: Action| {
            let antes = action.antes();
            let words = match action {
                Action::Check => "Check".to_owned(),
                Action::Fold => "Fold".to_owned(),
                _ => format!("Play {antes}×"),
            };
            PublicAction { action: action.index(), words, price: f64::from(antes) * state.options.ante }
        };
        Action::ALL.into_iter().filter(legal).map(words).collect()
    }
}

impl CardGame for Game {
    type Options = UltimateHoldemOptions;
    type State = State;
    type Encoding = Observation;

    fn spec(&self) -> EnvSpec {
        let Rules { blind_table, preflop_play, .. } = self.rules();
        let highest = Category::ALL.into_iter().filter_map(|hand| blind_table.units(hand)).max().unwrap_or(0);
        let play = if *preflop_play == PreflopPlay::Three { 3.0 } else { 4.0 };
        EnvSpec { id: ID, reward_range: (-2.0 - play, 1.0 + play + f64::from(highest) / 2.0), max_steps: 3 }
    }

    /// Returns a hash that covers the rules with their paytables and the progressive's paytable.
    fn rules_hash(&self) -> String {
        self.progressive().map_or_else(|| self.rules().hash(), |paytable| self.rules().hash_with(paytable))
    }

    fn actions(&self) -> usize {
        Action::ALL.len()
    }

    #[inline]
    fn check(&self, options: &UltimateHoldemOptions) -> Result<(), EnvError> {
        EnvError::check_stake("ante", options.ante)?;
        EnvError::check_side_stake("trips", options.trips)?;
        if options.progressive && self.progressive().is_none() {
            let reason = "the environment has no paytable for the progressive".to_owned();
            return Err(EnvError::BadOption { option: "progressive", reason });
        }
        Ok(())
    }

    #[inline]
    fn deal(&self, options: &UltimateHoldemOptions, rng: &mut impl Rng) -> State {
        State { options: *options, deal: Deal::new(rng), seat: BettingState::default() }
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.stage() == Stage::Over
    }

    #[inline]
    fn legal(&self, state: &State, mask: &mut [bool]) {
        let preflop = self.rules().preflop_play;
        mask.iter_mut().zip(Action::ALL).for_each(|(legal, action)| *legal = state.seat.is_legal(preflop, action));
    }

    #[inline]
    fn check_action(&self, state: &State, action: usize) -> Result<(), String> {
        match Action::ALL.get(action) {
            None => Err(format!("expected an action from 0 to {}", Action::ALL.len() - 1)),
            Some(&action) if state.seat.is_legal(self.rules().preflop_play, action) => Ok(()),
            Some(&action) => Err(state.seat.refusal(action)),
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: usize, _: &mut impl Rng) -> Step {
        state.seat.act(Action::ALL[action]);
        let terminated = self.is_over(state);
        Step { reward: if terminated { self.net(state) } else { 0.0 }, terminated, truncated: false }
    }

    #[inline]
    fn observe(&self, encoding: Observation, state: &State, out: &mut [f32]) {
        encoding.write(self, state.stage(), state.hole(), state.deal.board(3), state.board(), out);
    }

    fn outcome(&self, state: &State) -> Option<Value> {
        let [player, dealer] = self.categories(state)?;
        Some(json!({
            "player": { "hand": state.hole().to_string(), "category": player.name() },
            "dealer": { "hand": state.dealer()?.to_string(), "category": dealer.name() },
            "board": state.board().to_string(),
            "play": state.seat.play,
            "net": self.net(state),
        }))
    }

    fn view(&self, state: &State) -> Option<Value> {
        let UltimateHoldemOptions { ante, trips, progressive } = state.options;
        Some(json!({
            "hand": state.hole().to_string(),
            "board": state.board().to_string(),
            "stage": state.stage().name(),
            "ante": ante,
            "trips": trips,
            "progressive": progressive,
        }))
    }

    fn public_table(&self, state: &State) -> Option<PublicTable> {
        let (options, stage) = (&state.options, state.stage());
        let shown = state.board();
        let mut cards: Vec<String> = shown.iter().map(|card| card.to_string()).collect();
        cards.resize(5, PublicPart::FACE_DOWN.to_owned());
        let mut table = PublicTable {
            seats: vec![PublicSeat::banker("dealer"), PublicSeat::own()],
            board: vec![PublicPart::new("board", cards.join(" "))],
            bets: self.public_bets(options),
            ..PublicTable::default()
        };
        table.bets[2].stake = f64::from(state.seat.play) * options.ante;
        let words = |strength: FiveStrength| self.best().ranking().words(strength);
        let best = |hole: Hole| match shown.len() {
            5 => self.on_board(shown).of(hole.set()),
            _ => self.best().ranking().best(shown.union(hole.set())),
        };
        let mut own = PublicPart::new("hand", state.hole());
        if !shown.is_empty() {
            own.rank = words(best(state.hole()));
        }
        let mut dealers = PublicPart::hidden("hand", 2);
        if let Some(dealer) = state.dealer() {
            let [mine, theirs] = [state.hole(), dealer].map(best);
            dealers = PublicPart::new("hand", dealer).ranked(words(theirs));
            let end = self.end(mine, theirs);
            if !end.qualified {
                table.notes.push("The dealer doesn't qualify.".to_owned());
            }
            if state.seat.folded {
                table.seats[1].outcome = Some("fold".to_owned());
            } else {
                let result = Comparison::new(end.winner, false);
                (own, dealers) = (own.compared(result), dealers.compared(result.reversed()));
            }
            self.settle(state, &mut table.bets, [mine, theirs]);
        } else {
            table.actions = self.actions_in_words(state);
        }
        (table.seats[0].hand, table.seats[1].hand) = (vec![dealers], vec![own]);
        debug_assert!(stage.board_cards() == shown.len());
        Some(table)
    }

    fn public_bets(&self, options: &UltimateHoldemOptions) -> Vec<PublicBet> {
        let UltimateHoldemOptions { ante, trips, progressive } = *options;
        let ends = [("win, dealer qualified", true), ("win, dealer not qualified", false)];
        let ends = ends.map(|(result, qualified)| (result, End { winner: Ordering::Greater, qualified }));
        let of_ante = ends.map(|(result, end)| (result, f64::from(self.ante(end)) / f64::from(ANTE)));
        let of_play = ends.map(|(result, end)| (result, f64::from(self.play(end))));
        let mut bets = vec![
            PublicBet::placed("Ante", "ante", ante, Payout::by_result(of_ante)),
            self.paid_by(
                PublicBet { name: "Blind".to_owned(), stake: ante, ..PublicBet::default() },
                &self.rules().blind_table,
            ),
            PublicBet { name: "Play".to_owned(), pays: Payout::by_result(of_play), ..PublicBet::default() },
            self.paid_by(PublicBet::placed("Trips", "trips", trips, vec![]), &self.rules().trips_table),
        ];
        bets.extend(self.progressive().map(|table| {
            let stake = f64::from(u8::from(progressive));
            PublicBet { name: "Progressive".to_owned(), stake, ..PublicBet::default() }.paid_by(table)
        }));
        bets
    }

    fn render(&self, state: &State) -> String {
        let UltimateHoldemOptions { ante, trips, progressive } = state.options;
        let token = if progressive { ", progressive 1" } else { "" };
        let stakes = format!("stakes  ante {ante}, blind {ante}, trips {trips}{token}");
        let (hole, board) = (state.hole(), state.board());
        let Some((dealer, [mine, dealers])) = state.dealer().zip(self.categories(state)) else {
            let board = if board.is_empty() { "face down".to_owned() } else { board.to_string() };
            let stage = state.stage().name();
            return format!("player  {hole}\nboard   {board}\ndealer  face down\nstage   {stage}\n{stakes}");
        };
        let did = match state.seat.play {
            0 => "fold".to_owned(),
            antes => format!("play of {}", f64::from(antes) * ante),
        };
        let qualified = if dealers >= Category::OnePair { "" } else { ", not qualified" };
        format!(
            "player  {hole} ({mine})\nboard   {board}\ndealer  {dealer} ({dealers}{qualified})\n{stakes}\n\
             result  {did}; net {}",
            self.net(state)
        )
    }
}

/// The game's entry in the registry.
pub const GAME: GameEntry = GameEntry {
    name: "ultimate-holdem",
    id: ID,
    folder: "ultimate_holdem",
    title: "Ultimate Texas Hold'em, one player against the dealer",
    source: "rules of play of an online casino: Ultimate Texas Hold'em, its lost digits restored from the published game",
    rules: RuleTable::of::<Rules>(),
    data: &[("paytables", &super::PAYTABLES), ("side bets", &super::SPECIAL_PAYTABLES)],
    encodings: &Observation::NAMES,
    action_names: || Action::ALL.iter().map(|action| action.name().to_owned()).collect(),
    documentation: crate::gym::pages!(),
    examples: &[
        Example { name: "trips", config: "{}", options: &[r#"{"ante": 25, "trips": 5}"#] },
        Example { name: "three-antes", config: r#"{"rules": {"preflop-play": "three"}}"#, options: &["{}"] },
        Example {
            name: "progressive",
            config: r#"{"rules": {"preflop-play": "three_or_four", "dealer-unqualified": "casino_holdem", "trips-on-fold": "lost"}, "progressive": "ultimate-trips-20-7-6-5-3"}"#,
            options: &[r#"{"ante": 10, "trips": 5, "progressive": true}"#],
        },
    ],
    make: |config| Ok(Box::new(from_config(config)?)),
    seated: None,
};

/// The configuration of the environment. All keys are optional.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Config {
    rules: Rules,
    observation: Observation,
    progressive: Option<Paytable>,
}

/// Creates the environment from a configuration. This is a JSON object with the keys `rules`, `observation` and
/// `progressive` (a paytable).
///
/// # Errors
/// Returns an error if a key or value is invalid, or if the paytable does not exist.
pub fn from_config(config: &str) -> Result<UltimateHoldem, MakeError> {
    let Config { rules, observation, progressive } = from_json(config)?;
    let game = Game::new(rules);
    let game = match progressive {
        Some(paytable) => game.with_progressive(paytable),
        None => game,
    };
    Ok(UltimateHoldem::new(game).with_encoding(observation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::Env;

    fn game(settings: &[&str]) -> Game {
        Game::new(settings.iter().fold(Rules::default(), |rules, setting| rules.with(setting).unwrap()))
    }

    fn env(settings: &[&str]) -> UltimateHoldem {
        UltimateHoldem::new(game(settings))
    }

    fn end(env: &UltimateHoldem, actions: &[Action]) -> (UltimateHoldem, f64) {
        let mut env = env.clone();
        let steps: Vec<Step> = actions.iter().map(|action| env.step(action.index()).unwrap()).collect();
        let (last, others) = steps.split_last().unwrap();
        assert!(last.terminated && others.iter().all(|step| !step.terminated && step.reward == 0.0));
        (env, last.reward)
    }

    #[test]
    fn rewards_are_those_of_the_rules() {
        use Action::{Check, Fold, Play1, Play2, Play4};
        let mut env = env(&[]);
        let options = UltimateHoldemOptions { ante: 10.0, trips: 5.0, progressive: false };
        for seed in 0..300 {
            env.start(Some(seed), &options).unwrap();
            let rewards = env.game().rewards(env.state().unwrap());
            let hidden = env.state().unwrap().deal().dealer();
            let plays: [(&[Action], i32); 4] =
                [(&[Play4], 4), (&[Check, Play2], 2), (&[Check, Check, Play1], 1), (&[Check, Check, Fold], 0)];
            for (actions, play) in plays {
                let (over, reward) = end(&env, actions);
                let (game, state) = (env.game(), over.state().unwrap());
                let index = actions[actions.len() - 1].index();
                assert_eq!((rewards[index], state.seat.play, game.net(state)), (reward as f32, play, reward));
                assert_eq!(state.dealer(), Some(hidden));
                let holes = [state.hole(), hidden];
                let [mine, dealers] = holes.map(|hole| game.best().ranking().best(state.board().union(hole.set())));
                let main = match play {
                    0 => Game::FOLD,
                    _ => game.showdown(game.end(mine, dealers), game.best().category(mine), play),
                };
                let trips = game.trips(game.best().category(mine));
                assert_eq!(reward, 5.0 * f64::from(main) + 2.5 * f64::from(trips), "seed {seed}");
            }
            assert!(rewards[0].is_nan() && rewards[Action::Play3.index()].is_nan());
        }
    }

    #[test]
    fn a_fold_may_close_trips_and_the_progressive() {
        let table = Paytable::load("ultimate-trips-30-8-7-4-3").unwrap();
        let options = UltimateHoldemOptions { ante: 1.0, trips: 1.0, progressive: true };
        let (settled, lost) = (game(&[]), game(&["trips-on-fold=lost"]));
        assert!(settled.check(&options).unwrap_err().to_string().contains("no paytable"));
        let plain = settled.rules_hash();
        let mut envs = [settled, lost].map(|game| UltimateHoldem::new(game.with_progressive(table.clone())));
        assert_ne!(envs[0].rules_hash(), plain);
        let mut paid = 0;
        for seed in 0..200 {
            let fold = [Action::Check, Action::Check, Action::Fold];
            let [settled, lost] = envs.each_mut().map(|env| {
                env.start(Some(seed), &options).unwrap();
                end(env, &fold).1
            });
            assert_eq!(lost, -4.0);
            // With the same paytable for both bets, either both lose, or they win twice the odds.
            paid += i32::from(settled > -4.0);
            assert!(settled == -4.0 || settled >= 4.0, "{settled}");
        }
        assert!(paid > 0);
    }

    #[test]
    fn the_readings_decide_what_can_be_played_at_the_start() {
        for (reading, plays) in [("four", [false, true]), ("three", [true, false]), ("three_or_four", [true, true])] {
            let mut env = env(&[&format!("preflop-play={reading}")]);
            env.reset(Some(1), None).unwrap();
            let mut mask = [false; 6];
            env.action_mask(&mut mask).unwrap();
            assert_eq!(mask, [true, false, false, false, plays[0], plays[1]], "{reading}");
            let range = if plays[1] { (-6.0, 505.0) } else { (-5.0, 504.0) };
            assert_eq!(env.spec().reward_range, range, "{reading}");
            env.step(Action::Check.index()).unwrap();
            env.action_mask(&mut mask).unwrap();
            assert_eq!(mask, [true, false, false, true, false, false]);
            env.step(Action::Check.index()).unwrap();
            env.action_mask(&mut mask).unwrap();
            assert_eq!(mask, [false, true, true, false, false, false]);
        }
    }

    #[test]
    fn payouts_are_those_that_rounding_leaves() {
        for (rounding, flush) in [("exact", "1.5 to 1"), ("down", "1 to 1")] {
            let game = game(&[&format!("rounding={rounding}")]);
            let bets = game.public_bets(&UltimateHoldemOptions::default());
            let blind = bets.iter().find(|bet| bet.name == "Blind").unwrap();
            assert_eq!(blind.pays.iter().find(|pays| pays.hand == "flush").unwrap().odds, flush);
        }
    }

    #[test]
    fn ante_and_play_pay_by_the_dealers_qualification() {
        let pays = |reading: &str, bet: usize| {
            let game = game(&[&format!("dealer-unqualified={reading}")]);
            let bet = &game.public_bets(&UltimateHoldemOptions::default())[bet];
            bet.pays.iter().map(|payout| (payout.hand.clone(), payout.odds.clone())).collect::<Vec<_>>()
        };
        let text = |hand: &str, odds: &str| (hand.to_owned(), odds.to_owned());
        let pushes = [text("win, dealer qualified", "1 to 1"), text("win, dealer not qualified", "push")];
        let always = vec![text("", "1 to 1")];
        assert_eq!([pays("ante_pushes", 0), pays("ante_pushes", 2)], [pushes.to_vec(), always.clone()]);
        assert_eq!(pays("ante_lost_if_dealer_wins", 0), pushes);
        assert_eq!(pays("no_qualification", 0), always);
        // Nothing but the Ante wins against a dealer who doesn't qualify.
        assert_eq!([pays("casino_holdem", 0), pays("casino_holdem", 2)], [always, pushes.to_vec()]);
    }

    #[test]
    fn invalid_stakes_are_refused() {
        let env = env(&[]);
        for (ante, trips, part) in [(0.0, 0.0, "greater than 0"), (f64::NAN, 0.0, "ante"), (1.0, -1.0, "no side bet")] {
            let options = UltimateHoldemOptions { ante, trips, progressive: false };
            assert!(env.game().check(&options).unwrap_err().to_string().contains(part));
        }
    }
}
