//! Strategies tabulated over all hand classes, such as a computed best response, and strategies in any of the forms in
//! which they are evaluated exactly.

use super::banker::BankerTable;
use super::mixed::MixedTable;
use super::outcomes::Side;
use super::whole::{Pass, Play};
use crate::solver::{SolverError, invalid};
use houseway_env::cards::classes::{Classes, canonical, suit_order};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::cards::{Card, CardSet, Suit};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{BankPushes, BankerStrategy, Copies, Dealt, Game, Hand, Rules, SetHand, Setting, Strategy};
use houseway_env::rules::short_hash;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

/// A setting for each of the 6,972,147 hand classes, indexed like [`Classes::seven`]. It occupies 7 MB.
#[derive(Clone, PartialEq, Eq)]
pub struct ClassTable {
    name: String,
    settings: Vec<u8>,
}

/// Returns the first setting of a hand that makes the given set hand, which must be possible.
pub(super) fn setting_that_makes(game: &Game, hand: Hand, chosen: SetHand) -> Setting {
    let found = game.settings(hand).find(|&(_, set)| set == chosen);
    found.expect("hands with the same profile have the same set hands").0
}

/// Returns the canonical hand of a class.
pub(super) fn canonical_hand(class: usize) -> Hand {
    Hand::new(Classes::seven().hand(class)).expect("a class has seven cards")
}

impl ClassTable {
    /// Creates a table from settings for the canonical hands, in the order of [`Classes::seven`].
    ///
    /// # Errors
    /// Returns an error if the number of settings differs from the number of classes, or if a setting is greater than
    /// 20. Fouls aren't checked.
    pub fn new(name: &str, settings: Vec<u8>) -> Result<ClassTable, SolverError> {
        if settings.len() != Classes::seven().len() {
            return Err(invalid!(
                "expected 6972147 settings, one for each class of hands, but the table has {}",
                settings.len()
            ));
        }
        match settings.iter().position(|&setting| usize::from(setting) >= Setting::COUNT) {
            Some(class) => Err(invalid!("invalid setting {} for class {class}: expected 0 to 20", settings[class])),
            None => Ok(ClassTable { name: name.to_owned(), settings }),
        }
    }

    /// Creates a table from settings for the canonical hands, which `fill` stores by class, and also returns the result of
    /// `fill`. It can store them from several threads.
    pub(super) fn fill<T, E>(
        name: &str,
        fill: impl FnOnce(&(dyn Fn(usize, Setting) + Sync)) -> Result<T, E>,
    ) -> Result<(T, ClassTable), E> {
        let settings: Vec<AtomicU8> = (0..Classes::seven().len()).map(|_| AtomicU8::new(u8::MAX)).collect();
        let result = fill(&|class, setting| settings[class].store(setting.index() as u8, Ordering::Relaxed))?;
        let settings = settings.into_iter().map(AtomicU8::into_inner).collect();
        Ok((result, ClassTable::new(name, settings).expect("every class has a setting")))
    }

    /// Tabulates a suit-isomorphic strategy by asking for its settings of the canonical hands, in one batch.
    ///
    /// # Panics
    /// Panics if the strategy doesn't return one setting per hand.
    pub fn from_strategy(strategy: &dyn Strategy) -> ClassTable {
        let hands: Vec<Hand> = (0..Classes::seven().len()).map(canonical_hand).collect();
        let settings = strategy.set_batch(&hands).into_iter().map(|setting| setting.index() as u8);
        let table = ClassTable::new(strategy.name(), settings.collect());
        table.unwrap_or_else(|error| panic!("{} does not return one setting per hand: {error}", strategy.name()))
    }

    /// Checks that a table can be the opponent under a game's rules.
    ///
    /// # Errors
    /// Returns an error if copies push, or if every bet pushes against some banker hands. Tables don't support these
    /// rules.
    pub fn check_rules(game: &Game) -> Result<(), SolverError> {
        let rule = match game.rules() {
            Rules { copies: Copies::Pushed, .. } => "copies=pushed",
            Rules { bank_pushes: BankPushes::None, .. } => return Ok(()),
            _ => "bank-pushes",
        };
        Err(invalid!(
            "a class table cannot be the opponent under {rule}; use a house way, or the default for this rule"
        ))
    }

    /// Checks that the table doesn't foul with any class. This is meant for tables from external sources.
    ///
    /// # Errors
    /// Returns an error that names the first class that fouls.
    pub fn check_legal(&self, game: &Game) -> Result<(), SolverError> {
        let foul = |class: usize| {
            let set = game.set(canonical_hand(class), self.setting(class));
            (!game.is_legal(set)).then(|| self.foul(class))
        };
        (0..Classes::seven().len()).into_par_iter().with_min_len(4096).find_map_first(foul).map_or(Ok(()), Err)
    }

    /// Returns the error of a class that fouls.
    pub(super) fn foul(&self, class: usize) -> SolverError {
        let hand = canonical_hand(class);
        invalid!(
            "{} fouls with {hand} (class {class}) by setting {} in front; use a setting that is legal under the rules of \
             this evaluation",
            self.name,
            self.setting(class).front(hand)
        )
    }

    /// Returns the setting for the canonical hand of a class.
    pub(super) fn setting(&self, class: usize) -> Setting {
        Setting::from_index(self.settings[class].into()).expect("settings are validated on construction")
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the index of each class's setting, in the order of [`Classes::seven`].
    pub fn settings(&self) -> &[u8] {
        &self.settings
    }
}

impl Strategy for ClassTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn set(&self, hand: Hand) -> Setting {
        let class = Classes::seven().index(hand.set());
        let setting = self.setting(class);
        let canonical = Hand::new(canonical(hand.set())).expect("the canonical hand has seven cards");
        // Translate from the canonical hand, in which spades take the place of this hand's first suit in canonical
        // order, and so on.
        let suits = suit_order(hand.set());
        let own = |card: Card| match (card.rank(), card.suit()) {
            (Some(rank), Some(suit)) => Card::new(rank, suits[Suit::Spades.index() - suit.index()]),
            _ => card,
        };
        let front: CardSet = setting.front(canonical).iter().map(own).collect();
        Setting::with_front(hand, front).expect("the front is part of the hand")
    }
}

impl BankerStrategy for ClassTable {
    fn set_banker(&self, game: &Game, hand: Hand, _: Profile) -> SetHand {
        game.set(hand, self.set(hand))
    }

    fn hash_bytes(&self) -> Vec<u8> {
        self.settings.clone()
    }
}

/// A strategy with its table. It can play either side, and passes can evaluate hands against it. Clones share the table.
#[derive(Clone)]
pub struct Tabulated {
    table: Table,
    way: Option<Arc<HouseWay>>,
    hash: Arc<OnceLock<String>>,
}

#[derive(Clone)]
enum Table {
    /// A pure strategy that only depends on profiles, like every house way.
    Profiles(Arc<BankerTable>),
    /// Any other suit-isomorphic strategy.
    Classes(Arc<ClassTable>),
    /// A mixed strategy.
    Mixed(Arc<MixedTable>),
}

impl From<Arc<HouseWay>> for Tabulated {
    fn from(way: Arc<HouseWay>) -> Tabulated {
        Tabulated { table: Table::Profiles(BankerTable::shared(&way)), way: Some(way), hash: Arc::default() }
    }
}

impl From<ClassTable> for Tabulated {
    fn from(table: ClassTable) -> Tabulated {
        Arc::new(table).into()
    }
}

impl From<Arc<ClassTable>> for Tabulated {
    fn from(table: Arc<ClassTable>) -> Tabulated {
        Tabulated { table: Table::Classes(table), way: None, hash: Arc::default() }
    }
}

impl From<MixedTable> for Tabulated {
    fn from(table: MixedTable) -> Tabulated {
        Tabulated { table: Table::Mixed(Arc::new(table)), way: None, hash: Arc::default() }
    }
}

impl Tabulated {
    /// Creates a strategy that only depends on profiles. `id` is its hash, or another identifier that only strategies
    /// with identical settings share.
    pub fn new(table: BankerTable, id: &str) -> Tabulated {
        let hash = Arc::new(OnceLock::from(id.to_owned()));
        Tabulated { table: Table::Profiles(Arc::new(table)), way: None, hash }
    }

    /// Returns the strategy's name.
    pub fn name(&self) -> &str {
        match &self.table {
            Table::Profiles(table) => table.name(),
            Table::Classes(table) => table.name(),
            Table::Mixed(table) => table.name(),
        }
    }

    /// Returns a house way's title, or any other strategy's name.
    pub fn title(&self) -> &str {
        self.way().map_or(self.name(), |way| way.way().title())
    }

    /// Returns the hash of the settings, which is computed on first use.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| match (&self.way, &self.table) {
            (_, Table::Classes(table)) => short_hash([table.settings()]),
            (_, Table::Mixed(table)) => table.hash(),
            (Some(way), _) => way.hash(),
            (None, Table::Profiles(_)) => unreachable!("a table over profiles is created with its hash"),
        })
    }

    /// Returns the house way, or `None` for any other strategy.
    pub fn way(&self) -> Option<&Arc<HouseWay>> {
        self.way.as_ref()
    }

    /// Returns the options chosen for the house way's readings.
    pub fn readings(&self) -> BTreeMap<String, String> {
        self.way().map(|way| way.way().chosen_options()).unwrap_or_default()
    }

    /// Returns the table over profiles of a pure strategy that only depends on them.
    pub fn profiles(&self) -> Option<&BankerTable> {
        if let Table::Profiles(table) = &self.table { Some(table) } else { None }
    }

    /// Returns the table of a mixed strategy.
    pub fn mixed(&self) -> Option<&MixedTable> {
        if let Table::Mixed(table) = &self.table { Some(table) } else { None }
    }

    /// Checks that the strategy is pure, for uses that need a single setting for every hand.
    ///
    /// # Errors
    /// Returns an error if it's a mixed strategy.
    pub fn check_pure(&self) -> Result<(), SolverError> {
        let Some(table) = self.mixed() else { return Ok(()) };
        Err(invalid!(
            "'{}' is a mixed strategy, which is not supported here because it has no single setting for a hand; use a pure \
             strategy, such as the strategy table (.safetensors) that 'houseway equilibrium' writes beside it",
            table.name()
        ))
    }

    /// Returns the strategy as the evaluated side plays it.
    pub fn play(&self) -> Play<'_> {
        match &self.table {
            Table::Profiles(table) => Play::Profiles(table),
            Table::Classes(table) => Play::Classes(table),
            Table::Mixed(table) => Play::Mixed(table),
        }
    }

    /// Prepares the evaluation of all hands on `side` against this strategy.
    ///
    /// # Errors
    /// Returns an error if the strategy is a table that fouls under the game's rules, or if these rules don't support
    /// tables.
    pub fn pass<'g>(&self, game: &'g Game, side: Side) -> Result<Pass<'g>, SolverError> {
        match &self.table {
            Table::Profiles(table) => Ok(Pass::new(game, side, table)),
            Table::Classes(table) => Pass::against_table(game, side, table),
            Table::Mixed(table) => Ok(Pass::against_mixed(game, side, table)),
        }
    }

    /// Returns a number that is higher if a pass against this strategy takes longer.
    pub(super) fn cost(&self) -> u8 {
        match &self.table {
            Table::Profiles(_) => 0,
            Table::Mixed(_) => 1,
            Table::Classes(_) => 2,
        }
    }

    /// Sets a hand. For a mixed strategy, this is the most probable setting, or the first one of them.
    pub fn set(&self, game: &Game, hand: Hand) -> Setting {
        match (&self.table, &self.way) {
            (_, Some(way)) => way.set(hand),
            (Table::Classes(table), _) => table.set(hand),
            (Table::Mixed(table), _) => table.most_probable(game, hand),
            (Table::Profiles(table), _) => setting_that_makes(game, hand, table.set(Profiles::get().of(hand.set()))),
        }
    }

    /// Sets a dealt hand in a simulation.
    ///
    /// # Panics
    /// Panics if the strategy is mixed.
    pub fn set_dealt(&self, game: &Game, dealt: Dealt) -> SetHand {
        match &self.table {
            Table::Profiles(table) => table.set(dealt.profile(Profiles::get())),
            Table::Classes(table) => game.set(dealt.hand(), table.set(dealt.hand())),
            Table::Mixed(_) => panic!("'{}' has no single setting for a hand", self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::tests::{any_legal, game};
    use crate::pai_gow::whole::Run;
    use crate::pai_gow::{AnyLegal, BankerTable};
    use houseway_env::pai_gow::ProfileTable;

    #[test]
    fn invalid_settings_are_rejected() {
        let error = ClassTable::new("short", vec![0; 5]).err().unwrap();
        assert!(error.to_string().ends_with("the table has 5"), "{error}");
        let mut settings = vec![0; Classes::seven().len()];
        settings[17] = 21;
        let error = ClassTable::new("bad", settings).err().unwrap();
        assert!(error.to_string().starts_with("invalid setting 21 for class 17"), "{error}");
    }

    #[test]
    fn a_table_sets_all_hands_of_a_class_the_same_way() {
        let (game, classes) = (game(), Classes::seven());
        let strategy = AnyLegal::new(game, 5);
        // Every 997th class follows the strategy, and all other classes have a placeholder.
        let chosen = |class: usize| {
            let hand = Hand::new(classes.hand(class)).unwrap();
            if class.is_multiple_of(997) { strategy.set(hand).index() as u8 } else { 20 }
        };
        let table = ClassTable::new("any", (0..classes.len()).map(chosen).collect()).unwrap();
        for class in (0..classes.len()).step_by(997) {
            let canonical = Hand::new(classes.hand(class)).unwrap();
            for turn in 0..4 {
                let turned = canonical.set().iter().map(|card| match (card.rank(), card.suit()) {
                    (Some(rank), Some(suit)) => Card::new(rank, Suit::ALL[(suit.index() + turn) % 4]),
                    _ => card,
                });
                let hand = Hand::new(turned.collect()).unwrap();
                let (own, expected) = (table.set(hand), strategy.set(canonical));
                assert_eq!(game.set(hand, own), game.set(canonical, expected), "{hand}");
            }
        }
    }

    #[test]
    #[ignore = "takes 30 s to tabulate a strategy over all classes"]
    fn a_tabulated_strategy_equals_the_original() {
        let game = game();
        let whole = Pass::new(game, Side::Player, any_legal());
        let strategy = ProfileTable::max_front(game);
        let table = BankerTable::new(&strategy);
        let made = whole.tabulate("copy", Play::Profiles(&table), &Run::default()).unwrap();
        for (class, &setting) in made.settings().iter().enumerate() {
            let hand = Hand::new(Classes::seven().hand(class)).unwrap();
            let setting = Setting::from_index(setting.into()).unwrap();
            assert_eq!(game.set(hand, setting), game.set(hand, strategy.set(hand)), "{hand}");
        }
    }
}
