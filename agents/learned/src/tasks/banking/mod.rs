//! Decisions about banking: when to take the bank, how much to stake, and how much to bet.
//!
//! A [`BankOffer`] contains everything a seat sees when it is offered the bank, namely its own bet and chips and every
//! other player's bet and known strategy. The network reads one row per answer and learns two values, the profit and
//! the log growth of the chips, by regression on the [`rewards`] of all answers. A [`LearnedBanker`] chooses answers by
//! either value (see [`Objective`]) and picks the bet whose best answer is worth the most. Setting hands as the bank is
//! a separate task, [`SettingTask::bank`](super::pai_gow::SettingTask::bank).

mod banker;
mod features;
mod rewards;

pub use banker::{BankingTask, LearnedBanker, Objective, defaults};
pub use features::OfferFeatures;
pub use rewards::rewards;

use houseway_env::cards::profile::Profile;
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::{MAX_SEATS, TableRules};
use houseway_env::pai_gow::{Dealt, Game, ProfileStrategy, SetHand};
use rand::{Rng, RngExt};
use std::sync::Arc;

/// The maximum number of players who can bet against a player's bank.
pub const MAX_OTHERS: usize = MAX_SEATS - 2;
/// The maximum number of strategies in a population.
pub const MAX_WAYS: usize = 16;
/// The number of possible answers to an offer of the bank. A seat can pass, take the bank with the minimum stake, or
/// take it with a stake that covers a sixteenth, an eighth, a quarter, half or all of the bets against it.
pub const ANSWERS: usize = 7;
/// The answer that covers all bets.
pub const TAKE_ALL: usize = ANSWERS - 1;

/// The answer that takes the bank with the minimum stake.
const LOWEST: usize = 1;

/// The strategy used by a seat.
#[derive(Clone)]
pub enum SeatStrategy {
    /// A house way, or another strategy that depends only on profiles.
    Way(Arc<dyn ProfileStrategy + Send>),
    /// A strategy that chooses legal settings uniformly at random.
    Random,
}

impl SeatStrategy {
    /// Sets a hand. Only the random strategy uses `rng`.
    fn set(&self, game: &Game, dealt: Dealt, profile: Profile, rng: &mut impl Rng) -> SetHand {
        match self {
            SeatStrategy::Way(way) => way.set_profile(profile),
            SeatStrategy::Random => game.set(dealt.hand(), game.random_setting(dealt.hand(), rng)),
        }
    }
}

/// A table where players can bank, along with the population that plays there.
pub struct BankingTable {
    /// The table's rules.
    pub rules: TableRules,
    /// The game.
    pub game: Arc<Game>,
    /// The population's strategies, at most [`MAX_WAYS`].
    pub ways: Vec<SeatStrategy>,
    /// The number of strategies that other players use. These come first in [`BankingTable::ways`].
    pub others: usize,
    /// The index of the strategy the learner uses against a bank.
    pub own: usize,
    /// The index of the strategy the learner uses as the bank.
    pub banker: usize,
    /// The index of the house's strategy.
    pub house: usize,
    /// A hash of the rules and the population.
    pub hash: String,
}

/// Another player's bet and known strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherBet {
    /// The index of the player's strategy.
    pub way: usize,
    /// The bet, in chips.
    pub bet: Chips,
}

/// The information available to a seat that is offered the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankOffer {
    /// The seat's own bet.
    pub own: Chips,
    /// All of the seat's chips, including its own bet.
    pub funds: Chips,
    /// The other players' bets in clockwise order, or `None` for seats without a bet.
    pub others: [Option<OtherBet>; MAX_OTHERS],
}

impl BankOffer {
    /// Draws a random situation with a random number of other players, random strategies and bets drawn by
    /// [`draw_bet`]. The funds are log-uniform between about 0.7 and 64 times the sum of all bets.
    pub fn draw(table: &BankingTable, rng: &mut impl Rng) -> BankOffer {
        let most = MAX_OTHERS.min(table.rules.seats.players() - 1);
        let count = rng.random_range(1..=most);
        let mut others = [None; MAX_OTHERS];
        for other in &mut others[..count] {
            *other = Some(OtherBet { way: rng.random_range(0..table.others), bet: draw_bet(&table.rules, rng) });
        }
        let own = draw_bet(&table.rules, rng);
        let mut situation = BankOffer { own, funds: 0, others };
        let factor = 2f64.powf(rng.random_range(-0.5..6.0));
        situation.funds = ((situation.money() as f64 * factor) as Chips).max(own).max(table.rules.bank_minimum);
        situation
    }

    /// Returns the sum of the other players' bets.
    pub fn against(&self) -> Chips {
        self.others.iter().flatten().map(|other| other.bet).sum()
    }

    /// Returns the sum of all bets. Learned values are in this unit.
    pub fn money(&self) -> Chips {
        self.own + self.against()
    }

    /// Returns the stake for an answer that takes the bank. It is at least the minimum stake allowed by the rules and
    /// at most the seat's funds.
    pub fn stake(&self, rules: &TableRules, answer: usize) -> Chips {
        let parts = 1 << (TAKE_ALL - answer);
        let part = if answer == LOWEST { 0 } else { (self.against() + parts - 1) / parts };
        part.max(rules.bank_minimum).min(self.funds)
    }
}

/// Draws a bet within the limits. It is a log-uniform multiple of the minimum bet.
pub fn draw_bet(rules: &TableRules, rng: &mut impl Rng) -> Chips {
    let most = (rules.bet_maximum / rules.bet_minimum) as f64;
    let times = ((most + 1.0).ln() * rng.random::<f64>()).exp().floor().clamp(1.0, most);
    rules.bet_minimum * times as Chips
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::{ProfileTable, Rules, settings_in};
    use std::sync::LazyLock;

    /// Returns a table with one strategy and random settings.
    pub(in crate::tasks::banking) fn table() -> &'static BankingTable {
        static TABLE: LazyLock<BankingTable> = LazyLock::new(|| {
            let game = Arc::new(Game::new(Rules::default()));
            let way: Arc<dyn ProfileStrategy + Send> = Arc::new(ProfileTable::max_front(&game));
            BankingTable {
                rules: TableRules::default(),
                game,
                ways: vec![SeatStrategy::Way(way), SeatStrategy::Random],
                others: 2,
                own: 0,
                banker: 0,
                house: 0,
                hash: "test".to_owned(),
            }
        });
        &TABLE
    }

    #[test]
    fn situations_are_within_the_limits() {
        let (table, mut rng) = (table(), stream(1.into()));
        let mut counts = [0; MAX_OTHERS + 1];
        for _ in 0..5_000 {
            let situation = BankOffer::draw(table, &mut rng);
            let bets = situation.others.iter().flatten().map(|other| other.bet).chain([situation.own]);
            assert!(bets.into_iter().all(|bet| (20..=2_000).contains(&bet) && bet % 20 == 0));
            assert!(situation.funds >= situation.own);
            assert!((1..ANSWERS).all(|answer| (20..=situation.funds).contains(&situation.stake(&table.rules, answer))));
            counts[situation.others.iter().flatten().count()] += 1;
        }
        assert!(counts[0] == 0 && counts[1..].iter().all(|&count| count > 800), "{counts:?}");
    }

    #[test]
    fn stakes_are_parts_of_the_bets() {
        let rules = TableRules::default();
        let other = Some(OtherBet { way: 0, bet: 1_000 });
        let situation = BankOffer { own: 20, funds: 700, others: [other, other, None, None, None] };
        let stakes = |situation: BankOffer| [1, 2, 3, 4, 5, 6].map(|answer| situation.stake(&rules, answer));
        assert_eq!(stakes(situation), [20, 125, 250, 500, 700, 700]);
        let small = BankOffer { others: [Some(OtherBet { way: 0, bet: 100 }), None, None, None, None], ..situation };
        assert_eq!(stakes(small), [20, 20, 20, 25, 50, 100]);
    }

    #[test]
    fn random_settings_are_uniform() {
        let (game, mut rng) = (Game::new(Rules::default()), stream(4.into()));
        let dealt = Dealt::from("As Kd Jk 7c 7d 2h 3s".parse::<houseway_env::pai_gow::Hand>().unwrap());
        let profile = dealt.profile(houseway_env::cards::profile::Profiles::get());
        let legal: Vec<SetHand> =
            settings_in(game.legal_mask(dealt.hand())).map(|setting| game.set(dealt.hand(), setting)).collect();
        let draws = 40_000;
        let mut counts = vec![0u32; legal.len()];
        for _ in 0..draws {
            let set = SeatStrategy::Random.set(&game, dealt, profile, &mut rng);
            counts[legal.iter().position(|&other| other == set).expect("it is legal")] += 1;
        }
        // Settings of equal strength are all counted as the first one.
        for (i, &count) in counts.iter().enumerate() {
            let same = legal.iter().filter(|&&set| set == legal[i]).count() as f64;
            let first = legal.iter().position(|&set| set == legal[i]) == Some(i);
            let p = if first { same / legal.len() as f64 } else { 0.0 };
            let mean = f64::from(draws) * p;
            assert!((f64::from(count) - mean).abs() <= 4.5 * (mean * (1.0 - p)).sqrt(), "{i}: {count} {mean}");
        }
    }
}
