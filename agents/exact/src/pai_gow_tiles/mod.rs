//! Exact evaluation of Pai Gow with tiles, over all 736,281,000 deals of two hands.
//!
//! The two tiles of a kind are interchangeable, except for Gee Joon. This leaves 4,285 classes of hands. For every two
//! classes, [`Classes`] knows how many hands of one are possible beside a hand of the other, so each pass over all deals
//! compares all classes with each other.
//!
//! - [`PaiGowTiles`] is the game as an [`OneDecision`], with one situation for each class.
//! - [`PaiGowTiles::outcomes`] counts the outcomes of all settings of either side against the sets of the other side.
//! - [`TwoSided`] is the game in which both sides choose, for [`equilibrium`](crate::equilibrium).
//!
//! ```
//! use houseway_env::pai_gow_tiles::Rules;
//! use houseway_exact::one_decision::Enumerated;
//! use houseway_exact::pai_gow_tiles::PaiGowTiles;
//!
//! let game = Enumerated::new(PaiGowTiles::new(Rules::default()));
//! assert_eq!((game.hands(), game.deals()), (35_960, 736_281_000));
//! ```

mod answer;
mod audit;
mod search;
#[cfg(test)]
mod tests;
mod two_sided;

use crate::Ratio;
use crate::answer::{Answer, Section};
use crate::net::{MainBet, NetResults};
use crate::one_decision::{ActionName, Enumerated, OneDecision, Situation};
use crate::pai_gow::Side;
use crate::pai_gow::banking::{RESULTS, disjoint_pairs};
use crate::pai_gow::whole::DealCounts;
use crate::side_bet::{BetReturn, load};
use crate::solver::{
    Cancelled, Control, DeadCards, HousePlay, OptionKind, OptionSpec, SolverConfig, SolverEntry, SolverError, StakeUnit,
};
use answer::Played;
use houseway_env::gym::Encoding;
use houseway_env::pai_gow::Outcome;
use houseway_env::pai_gow_tiles::house_way::Way;
use houseway_env::pai_gow_tiles::{Bank, Copies, Game, Hand, Observation, Paytable, Rules, SetHand, Tile};
use houseway_env::rules::RuleSet;
use rayon::prelude::*;
use serde_json::{Map, Value};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
pub use two_sided::{Equilibrium, TwoSided};

/// The solver's registry entry. Dead tiles aren't supported, because options and errors for them are in terms of cards.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "pai-gow-tiles",
    about: "the EV of every setting of all hands, what house ways cost, and the price of every reading",
    unit: StakeUnit { name: "stake", percent: true },
    options: &[
        OptionSpec::of_solve(
            "player",
            OptionKind::Text("S"),
            "the player's strategy: a house way to examine, by name or file, or optimal [default: the way of the rules]",
        ),
        OptionSpec::of_both(
            "banker",
            OptionKind::Text("S"),
            "the house's strategy: a house way by name or file, or optimal against the player's [default: the way of the rules]",
        ),
    ],
    hands: Some("four tiles, as faces such as 6-4 or codes such as L10: every setting"),
    sample: None,
    side_bet: Some(side_bet),
    main_bet: Some(|config, control| Ok(PaiGowTiles::from_config(config)?.main_bet(control)?)),
    ways: Some(answer::answer),
    make: |config| Ok(Box::new(Enumerated::new(PaiGowTiles::from_config(config)?))),
};

/// Counts the hands that a paytable pays, hand by hand.
fn side_bet(paytable: Option<&str>, config: &SolverConfig, _: &Control<'_>) -> Result<BetReturn, SolverError> {
    let rules: Rules = config.rules()?;
    let able = ["on = \"dealer\"", "for-one", "envy", "meter"];
    let paytable: Paytable = load(paytable, &able, "the four tiles of one hand settle the bet, however they are set")?;
    let mut held = vec![0; paytable.rows().len()];
    for hand in Hand::all() {
        if let Some(row) = paytable.best_row(|row| row.pays(hand)) {
            held[row] += 1;
        }
    }
    let all_rules: Vec<&str> =
        [Rules::PARAMETERS, Rules::READINGS, Rules::VARIANTS].concat().iter().map(|it| it.name).collect();
    Ok(BetReturn::new(&paytable, &held, HANDS, &rules)?.without_rules(&all_rules))
}

/// The observation encoding that policies must use. It depends only on a hand's class.
const ENCODING: Observation = Observation::Halves;

/// The strategy that responds optimally to the other side's.
const OPTIMAL: &str = "optimal";

/// The number of hands.
const HANDS: u64 = 35_960;
/// The number of hands that one side can have beside a hand of the other.
const HIDDEN: u64 = 20_475;
/// The number of deals.
const DEALS: u64 = HANDS * HIDDEN;

/// The number of hands that a side can have beside two other hands.
const HIDDEN_FROM_TWO: u64 = 10_626;

/// A class of hands with the same kinds of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// The [canonical](Hand::canonical) hand.
    pub hand: Hand,
    /// The number of hands.
    pub hands: u64,
}

/// All classes of hands, and the number of deals of every two of them.
#[derive(Debug)]
pub struct Classes {
    all: Vec<Class>,
    beside: Vec<u8>,
}

impl Classes {
    /// Returns the classes, which are enumerated once per process. This takes about 0.1 s.
    pub fn get() -> &'static Classes {
        static CLASSES: LazyLock<Classes> = LazyLock::new(Classes::new);
        &CLASSES
    }

    fn new() -> Classes {
        let mut hands: BTreeMap<Hand, u64> = BTreeMap::new();
        Hand::all().for_each(|hand| *hands.entry(hand.canonical()).or_default() += 1);
        let all: Vec<Class> = hands.into_iter().map(|(hand, hands)| Class { hand, hands }).collect();
        let held: Vec<_> = all.iter().map(|class| values(class.hand)).collect();
        let mut beside = vec![0; all.len() * all.len()];
        beside.chunks_mut(all.len()).zip(&held).for_each(|(row, own)| {
            let mut left = [2u8; NO_VALUE + 1];
            left[Tile::KINDS - 1..].fill(1);
            own.iter().filter(|(value, _)| *value != NO_VALUE).for_each(|&(value, tiles)| left[value] -= tiles);
            for (ways, other) in row.iter_mut().zip(&held) {
                // One of up to two tiles is chosen in as many ways, and both of two in one way.
                *ways = other.iter().map(|&(value, tiles)| left[value] >> (tiles - 1)).product();
            }
        });
        Classes { all, beside }
    }

    /// Returns the classes in the order of their hands.
    pub fn all(&self) -> &[Class] {
        &self.all
    }

    /// Returns the number of hands of each class that are possible beside a hand of the given class.
    pub fn beside(&self, class: usize) -> &[u8] {
        &self.beside[class * self.all.len()..][..self.all.len()]
    }

    /// Returns the index of a hand's class.
    pub fn find(&self, hand: Hand) -> usize {
        let found = self.all.binary_search_by_key(&hand.canonical(), |class| class.hand);
        found.expect("every hand has a class")
    }
}

/// A place beyond the [values](Tile::value) of tiles.
const NO_VALUE: usize = Tile::KINDS + 1;

/// Returns the values of a hand's tiles, each with the number of tiles that have it. Unused places have no value.
fn values(hand: Hand) -> [(usize, u8); Hand::TILES] {
    let mut values = [(NO_VALUE, 1); Hand::TILES];
    for (place, tile) in hand.tiles().into_iter().enumerate() {
        match place.checked_sub(1).filter(|&before| values[before].0 == tile.value()) {
            Some(before) => values[before].1 = 2,
            None => values[place].0 = tile.value(),
        }
    }
    values
}

/// Counts the pairs of hands of two seats against a banker's hand by their outcomes, given all hands with their classes and
/// the outcome of a class.
fn seat_pairs(banker: Hand, hands: &[(Hand, usize)], outcome: impl Fn(usize) -> Outcome) -> [[i128; RESULTS]; RESULTS] {
    let held = banker.tiles().iter().fold(0_u32, |held, tile| held | 1 << tile.index());
    // The tiles that are left are numbered in ascending order.
    let number = |tile: Tile| tile.index() - (held & ((1 << tile.index()) - 1)).count_ones() as usize;
    disjoint_pairs(Tile::COUNT - Hand::TILES, Hand::TILES, |visit| {
        for &(hand, class) in hands {
            let tiles = hand.tiles();
            if tiles.iter().all(|tile| held >> tile.index() & 1 == 0) {
                visit(&tiles.map(number), [outcome(class) as usize; 2]);
            }
        }
    })
}

/// A setting for each class of hands.
#[derive(Clone, Debug, Default)]
pub struct Strategy {
    /// The name.
    pub name: String,
    /// The title.
    pub title: String,
    /// The setting of each class.
    pub settings: Vec<usize>,
}

/// The game under a set of rules, with the house's strategy.
pub struct PaiGowTiles {
    game: Game,
    classes: &'static Classes,
    /// The strengths of the settings of each class.
    sets: Vec<[SetHand; Hand::SETTINGS]>,
    banker: Strategy,
    /// The player's house way to examine.
    way: Arc<Way>,
    /// `true` if the player plays the best response instead of the way.
    player_is_optimal: bool,
}

impl PaiGowTiles {
    /// Creates the game. The house plays the way that the rules name.
    pub fn new(rules: Rules) -> PaiGowTiles {
        let (game, classes) = (Game::new(rules), Classes::get());
        let (way, banker) = (Arc::clone(game.way()), Strategy::default());
        let sets = classes.all().iter().map(|class| game.sets(class.hand)).collect();
        let unset = PaiGowTiles { game, classes, sets, banker, way, player_is_optimal: false };
        PaiGowTiles { banker: unset.follow(&unset.way), ..unset }
    }

    fn from_config(config: &SolverConfig) -> Result<PaiGowTiles, SolverError> {
        let load = |name: &str| Way::load(name).map_err(SolverError::invalid);
        let mut game = PaiGowTiles::new(config.rules()?);
        match config.get("player") {
            Some(OPTIMAL) if config.get("banker") == Some(OPTIMAL) => {
                let message = "both sides are optimal; use houseway equilibrium, or a house way for one of them";
                return Err(SolverError::Invalid(message.to_owned()));
            }
            Some(OPTIMAL) => game.player_is_optimal = true,
            Some(name) => game.way = Arc::new(load(name)?),
            None => {}
        }
        match config.get("banker") {
            Some(OPTIMAL) => {
                let outcomes = game.outcomes(Side::Banker, &game.follow(&game.way));
                game.banker = game.best(Side::Banker, &outcomes);
            }
            Some(name) => game.banker = game.follow(&load(name)?),
            None => {}
        }
        Ok(game)
    }

    /// Returns the strategy of a house way.
    pub fn follow(&self, way: &Way) -> Strategy {
        let setting = |class: &Class| way.choose(&self.game, class.hand).setting;
        let settings = self.classes.all().iter().map(setting).collect();
        Strategy { name: way.name().to_owned(), title: way.title().to_owned(), settings }
    }

    /// Returns the strategies of the built-in house ways.
    fn built_in(&self) -> Vec<Strategy> {
        Way::built_in().iter().map(|way| self.follow(way)).collect()
    }

    /// Returns the strategies of the built-in house ways, and of the examined one if it is another.
    fn ways(&self) -> Vec<Strategy> {
        let (mut ways, own) = (self.built_in(), self.follow(&self.way));
        if ways.iter().all(|way| way.settings != own.settings) {
            ways.push(own);
        }
        ways
    }

    /// Counts the outcomes of every setting that a side can choose, for each class, against the other side's strategy.
    /// The outcomes are the player's for both sides.
    ///
    /// # Panics
    /// Panics if the strategy has a setting above 2.
    pub fn outcomes(&self, side: Side, other: &Strategy) -> Vec<[DealCounts; Hand::SETTINGS]> {
        let others = self.thresholds(side.other(), other);
        (0..self.sets.len()).into_par_iter().map(|class| self.against(side, class, &others)).collect()
    }

    /// Returns the low and the high halves of all classes as thresholds.
    fn thresholds(&self, side: Side, strategy: &Strategy) -> [Vec<i16>; 2] {
        let sets = self.sets.iter().zip(&strategy.settings).map(|(sets, &setting)| sets[setting]);
        sets.map(|set| <(i16, i16)>::from(self.threshold(side, set))).collect::<(Vec<_>, Vec<_>)>().into()
    }

    /// Returns the two halves as numbers that are never equal for two sides, unless copies are pushes.
    fn threshold(&self, side: Side, SetHand { low, high }: SetHand) -> [i16; 2] {
        let Rules { bank, copies, .. } = self.game.rules();
        let wins_copies = *copies == Copies::Bank && (side == Side::Player) == (*bank == Bank::Player);
        [low, high].map(|half| 2 * half.number() as i16 + i16::from(wins_copies))
    }

    /// Counts the outcomes of the settings of a class.
    fn against(&self, side: Side, class: usize, [lows, highs]: &[Vec<i16>; 2]) -> [DealCounts; Hand::SETTINGS] {
        self.sets[class].map(|set| {
            let [own_low, own_high] = self.threshold(side, set);
            // Without branches and in 16 bits, which suffice for all hands of the other side, the processor compares
            // several hands at once.
            let (mut won, mut lost) = (0_i16, 0_i16);
            for ((&low, &high), &hands) in lows.iter().zip(highs).zip(self.classes.beside(class)) {
                won += i16::from(hands) * i16::from((own_low > low) & (own_high > high));
                lost += i16::from(hands) * i16::from((own_low < low) & (own_high < high));
            }
            let ends = if side == Side::Player { [won, lost] } else { [lost, won] };
            DealCounts::new(HIDDEN, ends.map(|hands| hands as u64), [0; 2])
        })
    }

    /// Returns the player's net result in parts of the stake.
    fn net(&self, counts: &DealCounts) -> i64 {
        let hands = [counts.wins, counts.pushes, counts.losses].into_iter();
        hands.zip(Outcome::ALL).map(|(hands, outcome)| hands as i64 * self.game.net(outcome)).sum()
    }

    /// Returns a side's best response, given the outcomes of its settings. The first of equal settings is chosen.
    pub fn best(&self, side: Side, outcomes: &[[DealCounts; Hand::SETTINGS]]) -> Strategy {
        let best = |counts: &[DealCounts; Hand::SETTINGS]| {
            (0..Hand::SETTINGS).rev().max_by_key(|&setting| self.gain(side, &counts[setting])).unwrap_or(0)
        };
        let settings = outcomes.iter().map(best).collect();
        Strategy { name: OPTIMAL.to_owned(), title: OPTIMAL.to_owned(), settings }
    }

    /// Returns a side's net result in parts of the stake.
    fn gain(&self, side: Side, counts: &DealCounts) -> i64 {
        if side == Side::Player { self.net(counts) } else { -self.net(counts) }
    }

    /// Returns the hash of a strategy under the rules.
    fn hash(&self, strategy: &Strategy) -> String {
        self.game.rules().hash_with(&strategy.settings)
    }

    /// Returns the EV of a single hand from its net result in parts of the stake.
    fn hand_ev(&self, parts: i64) -> Ratio {
        Ratio::new(parts.into(), i128::from(HIDDEN) * i128::from(self.game.unit()))
    }

    /// Returns the EV of a net result over all deals, in parts of the stake.
    fn ev_of(&self, parts: impl Into<i128>) -> Ratio {
        Ratio::new(parts.into(), i128::from(DEALS) * i128::from(self.game.unit()))
    }

    /// Adds the number of deals with equal low halves, which are the fronts, and with equal high halves.
    fn with_copies(&self, counts: DealCounts, player: &Strategy, house: &Strategy) -> DealCounts {
        let [lows, highs] = self.thresholds(Side::Player, house);
        let of_class = |(class, &setting): (usize, &usize)| {
            let [own_low, own_high] = self.threshold(Side::Player, self.sets[class][setting]);
            let mut copies = [0_u16; 2];
            for ((&low, &high), &hands) in lows.iter().zip(&highs).zip(self.classes.beside(class)) {
                copies[0] += u16::from(hands) * u16::from(own_low == low);
                copies[1] += u16::from(hands) * u16::from(own_high == high);
            }
            copies.map(|hands| self.classes.all()[class].hands * u64::from(hands))
        };
        let all = player.settings.par_iter().enumerate().map(of_class);
        let [copies_front, copies_back] = all.reduce(|| [0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
        DealCounts { copies_front, copies_back, ..counts }
    }

    /// Returns the number of deals with each outcome if a side plays a strategy, given the outcomes of its settings.
    ///
    /// # Panics
    /// Panics if the strategy has a setting above 2.
    pub fn total(&self, outcomes: &[[DealCounts; Hand::SETTINGS]], strategy: &Strategy) -> DealCounts {
        let classes = self.classes.all().iter().zip(outcomes).zip(&strategy.settings);
        let counts = classes.map(|((class, counts), &setting)| counts[setting].times(class.hands));
        counts.fold(DealCounts::default(), DealCounts::plus)
    }

    /// Returns the player's EV per unit staked.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn ev(&self, counts: &DealCounts) -> Ratio {
        Ratio::new(self.net(counts).into(), i128::from(counts.all()) * i128::from(self.game.unit()))
    }

    fn main_bet(&self, control: &Control<'_>) -> Result<MainBet, Cancelled> {
        let Played { player, counts, optimal } = answer::played(self);
        let seats_covariance = Some(self.seats_covariance(&player, control)?);
        let mut results = NetResults::new(self.game.unit());
        for (outcome, deals) in Outcome::ALL.into_iter().zip([counts.wins, counts.pushes, counts.losses]) {
            results.add(self.game.net(outcome), deals.into());
        }
        let unit = self.game.unit();
        let commission = Ratio::new((unit - self.game.net(Outcome::Win)).into(), unit.into());
        let parts = counts.parts(commission);
        let strategies = vec![("player", player.name.into()), ("banker", self.banker.name.clone().into())];
        Ok(MainBet { unit: "unit", results, optimal_ev: Some(optimal), strategies, parts, seats_covariance })
    }

    /// Returns the covariance of the net results of two seats that both play a strategy against the same banker's hand.
    fn seats_covariance(&self, player: &Strategy, control: &Control<'_>) -> Result<Ratio, Cancelled> {
        let hands: Vec<(Hand, usize)> = Hand::all().map(|hand| (hand, self.classes.find(hand))).collect();
        let [own, house] =
            [(Side::Player, player), (Side::Banker, &self.banker)].map(|(side, it)| self.thresholds(side, it));
        let outcome =
            |player: usize, banker: usize| match [0, 1].map(|half| own[half][player].cmp(&house[half][banker])) {
                [Ordering::Greater, Ordering::Greater] => Outcome::Win,
                [Ordering::Less, Ordering::Less] => Outcome::Loss,
                _ => Outcome::Push,
            };
        let nets = Outcome::ALL.map(|outcome| i128::from(self.game.net(outcome)));
        let products = |(banker, class): (usize, &Class)| -> Result<i128, Cancelled> {
            control.check()?;
            let pairs = seat_pairs(class.hand, &hands, |player| outcome(player, banker));
            let of_row = |row: &[i128; RESULTS]| row.iter().zip(nets).map(|(count, net)| count * net).sum::<i128>();
            let sum: i128 = pairs.iter().zip(nets).map(|(row, net)| net * of_row(row)).sum();
            Ok(sum * i128::from(class.hands))
        };
        let sums = self.classes.all().par_iter().enumerate().map(products);
        let sum = sums.try_reduce(|| 0, |a, b| Ok(a + b))?;
        let unit = i128::from(self.game.unit());
        let mean = self.ev(&self.total(&self.outcomes(Side::Player, &self.banker), player));
        Ok(Ratio::new(sum, i128::from(DEALS * HIDDEN_FROM_TWO) * unit * unit) - mean * mean)
    }

    /// Returns the situation of a class, with one of its hands as an example.
    fn situation_of(&self, class: usize, example: Hand, others: &[Vec<i16>; 2]) -> Situation {
        let mut observation = vec![0.0; ENCODING.len()];
        ENCODING.write(example, self.sets[class], &mut observation);
        Situation {
            example: example.to_string(),
            group: self.way.rule(self.way.choose(&self.game, example)).name.clone(),
            hands: self.classes.all()[class].hands,
            hidden: HIDDEN * self.game.unit() as u64,
            observation,
            rewards: self.against(Side::Player, class, others).iter().map(|counts| self.net(counts)).collect(),
        }
    }
}

impl OneDecision for PaiGowTiles {
    fn unit(&self) -> StakeUnit {
        SOLVER.unit
    }

    fn parts(&self) -> u64 {
        self.game.unit() as u64
    }

    fn actions(&self) -> &'static [ActionName] {
        const {
            &[
                ActionName { name: "best with second", third_person: "second" },
                ActionName { name: "best with third", third_person: "third" },
                ActionName { name: "best with fourth", third_person: "fourth" },
            ]
        }
    }

    fn label(&self, hand: &str, action: usize) -> String {
        let Ok(hand) = hand.parse() else { return self.actions()[action].name.to_owned() };
        format!("{} ({})", self.game.faces(hand, action).join(" / "), self.game.set(hand, action))
    }

    fn encoding(&self) -> &'static str {
        ENCODING.name()
    }

    fn summary(&self) -> String {
        format!("Pai Gow with tiles against the house, which plays {}.", self.banker.name)
    }

    fn banker(&self) -> Option<&str> {
        Some(&self.banker.name)
    }

    fn rules(&self) -> (Value, String) {
        (serde_json::json!(self.game.rules()), self.game.rules().hash())
    }

    fn described_rules(&self) -> String {
        self.game.rules().described()
    }

    fn situations(&self) -> Vec<Situation> {
        let others = self.thresholds(Side::Banker, &self.banker);
        let all = self.classes.all().par_iter().enumerate();
        all.map(|(index, class)| self.situation_of(index, class.hand, &others)).collect()
    }

    fn situation(&self, hand: &str, _: DeadCards) -> Result<Situation, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        Ok(self.situation_of(self.classes.find(hand), hand, &self.thresholds(Side::Banker, &self.banker)))
    }

    fn house(&self, hand: &str) -> Option<HousePlay> {
        let choice = self.way.choose(&self.game, hand.parse().ok()?);
        let rule = self.way.rule(choice);
        let rule = Some((rule.name.clone(), rule.text.clone()));
        Some(HousePlay { action: choice.setting, strategy: self.way.name().to_owned(), rule })
    }

    fn baselines(&self, _: &[Situation]) -> Vec<(String, Vec<usize>)> {
        self.ways().into_iter().map(|way| (way.name, way.settings)).collect()
    }

    fn solved(
        &self,
        _: &Enumerated<PaiGowTiles>,
        control: &Control<'_>,
    ) -> Result<(Map<String, Value>, Vec<Section>), SolverError> {
        answer::solved(self, control)
    }

    fn equilibrium(&self, control: &Control<'_>) -> Result<Option<Answer>, SolverError> {
        let (rules, rules_hash) = OneDecision::rules(self);
        Ok(Some(TwoSided::solve(self, control)?.answer(rules, rules_hash)))
    }
}
