//! Decides whether to bank, based on exact counts.

use super::SeatWay;
use houseway_env::money::Chips;
use houseway_env::money::Rate;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::table::{BankRule, HOUSE_SEAT, HouseHand, MAX_SEATS, SeatView, TableRules};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::Tabulated;
use houseway_exact::pai_gow::banking::{BankedBet, OutcomeWeights, kelly, price_of_passing};
use houseway_exact::pai_gow::matchup::{SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{Payoff, Run};
use houseway_exact::solver::SolverError;
use houseway_exact::store::PassStore;

/// The exact outcome counts that a player knows, for the player's own bank against every other seat's way and for the
/// house's bank against the player's way. All counts are from the bank's point of view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// This player's counts as the bank, against each seat's way.
    pub against: [Option<OutcomeWeights>; MAX_SEATS],
    /// The house's counts as the bank, against this player's way.
    pub own: OutcomeWeights,
    /// The commission paid by players.
    pub commission: Rate,
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
        let commission = game.rules().commission;
        let against_house = [SideStrategy::from(way), house.into()];
        let against_player = seats.iter().map(|&(_, theirs)| [theirs.into(), banker_way.into()]);
        let pairs: Vec<_> = [against_house].into_iter().chain(against_player).collect();
        let counts = outcomes(store, game, &pairs, [Payoff::player(commission); 2], run)?;
        let mut against = [None; MAX_SEATS];
        for (&(seat, _), counts) in seats.iter().zip(&counts[1..]) {
            against[seat] = Some(counts.other_side());
        }
        Ok(Known { against, own: counts[0].other_side(), commission })
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

    /// Returns `true` if covering all bets is certain to have a higher EV than the player's own bet.
    pub fn is_profitable(&self, rules: &TableRules, against: &[BankedBet], own: Chips) -> bool {
        let own = BankedBet { bet: own, counts: self.own };
        price_of_passing(rules, self.commission, against, &own).0 > Ratio::ZERO
    }
}

/// Takes the bank if covering all bets has a higher exact EV than the player's own bet against the house.
pub struct WhenProfitable(pub Known);

impl BankRule for WhenProfitable {
    fn stake(&mut self, view: &SeatView<'_>) -> Option<Chips> {
        let profitable = self.0.is_profitable(view.rules(), &self.0.bets(view), view.bet(view.seat()));
        profitable.then(|| view.bets_against())
    }
}

/// Stakes the exact Kelly fraction of the bankroll against a single opponent.
pub struct Kelly(pub Known);

impl BankRule for Kelly {
    fn stake(&mut self, view: &SeatView<'_>) -> Option<Chips> {
        let bets = self.0.bets(view);
        let [bet] = bets[..] else { return None };
        let share = kelly(bet.counts, Payoff::player(view.rules().commission_on_one_bet()));
        let stake = (share.value() * view.bank_funds() as f64).floor() as Chips;
        (share > Ratio::ZERO).then(|| stake.min(bet.bet))
    }
}

/// The compiled ways for all seats. Each way is compiled only once.
pub(crate) struct SeatedWays(Vec<(String, Tabulated)>);

impl SeatedWays {
    pub(crate) fn new<'w>(ways: impl IntoIterator<Item = &'w SeatWay>) -> SeatedWays {
        let mut seated: Vec<(String, Tabulated)> = vec![];
        for way in ways {
            if seated.iter().all(|(name, _)| name != way.name()) {
                seated.push((way.name().to_owned(), way.tabulated()));
            }
        }
        SeatedWays(seated)
    }

    /// Returns the way with this name, which must exist.
    pub(crate) fn get(&self, name: &str) -> &Tabulated {
        &self.0.iter().find(|(known, _)| known == name).expect("all ways are compiled").1
    }
}
