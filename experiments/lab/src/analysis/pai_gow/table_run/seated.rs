//! The strategies of seats and banks, and decisions about banking that are based on exact counts.

use houseway_env::cards::profile::Profile;
use houseway_env::money::Chips;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::table::{HOUSE_SEAT, HouseHand, MAX_SEATS, SeatView};
use houseway_env::pai_gow::{
    Game, Hand, ProfileStrategy, ProfileTable, Rules, SetHand, Setting, Strategy, strategy_hash,
};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::banking::{BankedBet, OutcomeWeights, kelly, price_of_passing};
use houseway_exact::pai_gow::matchup::{SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{Payoff, Run};
use houseway_exact::pai_gow::{
    BankerTable, ClassTable, NamedStrategy, RANDOM, Tabulated, is_strategy_file, load_strategies, unknown_strategy,
};
use houseway_exact::solver::SolverError;
use houseway_exact::store::PassStore;
use std::sync::Arc;

/// Simple ways for players who don't follow a house way.
pub const PLAIN_WAYS: [&str; 2] = ["highest-front", "lowest-front"];

/// A way that sets hands at a table. Clones share it.
#[derive(Clone)]
pub struct TableWay {
    name: String,
    way: Arc<dyn ProfileStrategy + Send>,
    tabulated: Tabulated,
}

impl TableWay {
    /// Loads a house way by name or file, or one of the [`PLAIN_WAYS`]. These set either the highest legal front or the
    /// lowest front, which is the last setting in the fixed order and is never a foul.
    pub fn load(name: &str, game: &Game) -> Result<TableWay, WayError> {
        if is_strategy_file(name) {
            return Err(WayError::Invalid(format!(
                "{name} is a strategy file, which can only be used for seats; use a house way here"
            )));
        }
        let plain = |table: ProfileTable| TableWay::new(name, table, name);
        match name {
            "highest-front" => Ok(plain(ProfileTable::max_front(game))),
            "lowest-front" => Ok(plain(ProfileTable::min_front(game))),
            RANDOM => Err(WayError::Invalid(
                "'random' cannot be used at a table; use a house way here. 'random' can be the banker of 'ev' and either \
                 side of 'solve', and policy = \"random\" makes all of a player's moves at random"
                    .to_owned(),
            )),
            _ => {
                let way = Way::load(name).map_err(|error| match error {
                    WayError::NotFound { name, known, reason } => {
                        WayError::NotFound { name, reason, known: format!("{known}, {}", PLAIN_WAYS.join(", ")) }
                    }
                    error => error,
                })?;
                let way = Arc::new(HouseWay::compile(way, game)?);
                Ok(TableWay { name: name.to_owned(), tabulated: Arc::clone(&way).into(), way })
            }
        }
    }

    fn new(name: &str, table: ProfileTable, id: &str) -> TableWay {
        let tabulated = Tabulated::new(BankerTable::new(&table), id);
        TableWay { name: name.to_owned(), way: Arc::new(table), tabulated }
    }

    /// Creates a way from a table of all profiles, and derives its id from the contents.
    pub fn from_table(name: &str, table: ProfileTable) -> TableWay {
        let id = strategy_hash(&table);
        TableWay::new(name, table, &id)
    }

    /// Returns an identifier that is equal only for ways that set all hands identically.
    pub fn id(&self) -> &str {
        self.tabulated.hash()
    }

    pub fn shared(&self) -> Arc<dyn ProfileStrategy + Send> {
        Arc::clone(&self.way)
    }

    /// Returns the way as a lookup table for evaluation.
    pub fn tabulated(&self) -> Tabulated {
        self.tabulated.clone()
    }
}

impl Strategy for TableWay {
    fn name(&self) -> &str {
        &self.name
    }

    fn set(&self, hand: Hand) -> Setting {
        self.way.set(hand)
    }
}

impl ProfileStrategy for TableWay {
    fn set_profile(&self, profile: Profile) -> SetHand {
        self.way.set_profile(profile)
    }
}

/// The strategies of seats and banks as lookup tables, with the names that they were loaded by. Each is loaded only
/// once.
#[derive(Default)]
pub(crate) struct SeatedWays(Vec<(String, Tabulated)>);

impl SeatedWays {
    /// Loads a way like [`TableWay::load`], a strategy table, or a trained agent. A trained agent then sets all hands
    /// once, to fill a table.
    pub(crate) fn load(&mut self, name: &str, game: &Game, run: &Run<'_>) -> Result<(), SolverError> {
        if self.0.iter().any(|(known, _)| known == name) {
            return Ok(());
        }
        let strategy = if is_strategy_file(name) {
            let strategies = load_strategies(&[name], &[], game)?;
            let strategy = NamedStrategy::prepare_all(&strategies, game, run)?.remove(0);
            strategy.check_pure().map_err(SolverError::invalid)?;
            if strategy.profiles().is_none() {
                ClassTable::check_rules(game).map_err(SolverError::invalid)?;
            }
            strategy
        } else {
            let way = TableWay::load(name, game).map_err(|error| match error {
                error @ WayError::NotFound { .. } => unknown_strategy(error),
                error => SolverError::invalid(error),
            });
            way?.tabulated
        };
        self.0.push((name.to_owned(), strategy));
        Ok(())
    }

    /// Returns the strategy with this name, which must have been loaded.
    pub(crate) fn get(&self, name: &str) -> &Tabulated {
        &self.0.iter().find(|(known, _)| known == name).expect("all strategies are loaded").1
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(String, Tabulated)> {
        self.0.iter()
    }
}

/// The exact outcome counts that a player knows, for the player's own bank against every other seat's way and for the
/// house's bank against the player's way. All counts are from the bank's point of view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// This player's counts as the bank, against each seat's way.
    pub against: [Option<OutcomeWeights>; MAX_SEATS],
    /// The house's counts as the bank, against this player's way.
    pub own: OutcomeWeights,
    /// The rules of the game.
    pub rules: Rules,
}

impl Known {
    /// Returns the counts from the store. Pairs that aren't there are computed, which takes a few seconds for each.
    /// `seats` contains the ways for the other seats and the house.
    pub fn count(
        store: &PassStore,
        game: &Game,
        seats: &[(usize, &Tabulated)],
        [way, banker_way, house]: [&Tabulated; 3],
        run: &Run<'_>,
    ) -> Result<Known, SolverError> {
        let rules = game.rules();
        let against_house = [SideStrategy::from(way), house.into()];
        let against_player = seats.iter().map(|&(_, theirs)| [theirs.into(), banker_way.into()]);
        let pairs: Vec<_> = [against_house].into_iter().chain(against_player).collect();
        let counts = outcomes(store, game, &pairs, [Payoff::player(&rules); 2], run)?;
        let mut against = [None; MAX_SEATS];
        for (&(seat, _), counts) in seats.iter().zip(&counts[1..]) {
            against[seat] = Some(counts.other_side());
        }
        Ok(Known { against, own: counts[0].other_side(), rules })
    }

    /// Returns the bets against this player's bank, with their counts.
    fn bets(&self, view: &SeatView<'_>) -> Vec<BankedBet> {
        let house = match view.rules().house_hand_when_player_banks {
            HouseHand::Dealt => view.rules().house_bet,
            HouseHand::NotDealt => 0,
        };
        let bet = |seat: usize| if seat == HOUSE_SEAT { house } else { view.bet(seat) };
        let seats = (0..MAX_SEATS).filter(|&seat| seat != view.seat() && bet(seat) > 0);
        seats.filter_map(|seat| Some(BankedBet { bet: bet(seat), counts: self.against[seat]? })).collect()
    }

    /// Returns the stake of a player who takes the bank if covering all bets is certain to have a higher exact EV than
    /// the player's own bet against the house.
    pub fn profitable(&self, view: &SeatView<'_>) -> Option<Chips> {
        let own = BankedBet { bet: view.bet(view.seat()), counts: self.own };
        let price = price_of_passing(view.rules(), &self.rules, &self.bets(view), &own).0;
        (price > Ratio::ZERO).then(|| view.bets_against())
    }

    /// Returns the exact Kelly fraction of the bankroll as the stake against a single opponent.
    pub fn kelly(&self, view: &SeatView<'_>) -> Option<Chips> {
        let bets = self.bets(view);
        let [bet] = bets[..] else { return None };
        let share = kelly(bet.counts, Payoff::with_commission(view.rules().commission_on_one_bet()));
        let stake = (share.value() * view.bank_funds() as f64).floor() as Chips;
        (share > Ratio::ZERO).then(|| stake.min(bet.bet))
    }
}

pub(crate) fn default_way() -> String {
    Way::DEFAULT.to_owned()
}
