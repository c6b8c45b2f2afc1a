//! The sides of the table, the number of deals with each outcome, and what they pay.

use crate::Ratio;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Copies, Rules};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::ops::{Add, Mul, Sub};

/// The number of seven-card hands, C(53,7).
pub const HANDS: u64 = 154_143_080;

/// The number of hands that the banker can hold given the player's seven cards and no dead cards: C(46,7).
pub const BANKER_HANDS: u64 = 53_524_680;

/// The number of deals in the game.
pub const DEALS: u64 = HANDS * BANKER_HANDS;

/// The most that a decision can lose per unit staked, which is the difference between a win without commission and a
/// loss.
pub const MAX_LOSS: f64 = 2.0;

/// The weight of a deal if one side picks its setting uniformly at random.
///
/// A hand has between 1 and 21 legal settings. The weight is the least common multiple of these numbers, so the part
/// of each setting is an integer.
pub const RANDOM_WEIGHT: u32 = 232_792_560;

houseway_env::named_enum! {
    /// The side of the table whose hands are evaluated.
    pub enum Side: kebab_case {
        /// The player's hands against a banker's strategy.
        Player,
        /// The banker's hands against a player's strategy.
        Banker,
    }
}

/// The effect of a tied back or front for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The side loses the comparison.
    Lost,
    /// The side wins the comparison.
    Won,
    /// The comparison doesn't count, so the result depends only on the other half.
    Pushed,
}

impl Side {
    /// Returns the other side.
    pub const fn other(self) -> Side {
        match self {
            Side::Player => Side::Banker,
            Side::Banker => Side::Player,
        }
    }

    /// Returns the effect of copies for this side under a game's rules.
    pub const fn ties(self, copies: Copies) -> Ties {
        match (self, copies) {
            (_, Copies::Pushed) => Ties::Pushed,
            (Side::Player, Copies::Player) | (Side::Banker, Copies::Banker) => Ties::Won,
            (Side::Player, Copies::Banker) | (Side::Banker, Copies::Player) => Ties::Lost,
        }
    }
}

/// The amounts that a bet pays for a win and costs for a loss, in millionths of the stake, and the fee for each hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payoff {
    win: u32,
    loss: u32,
    /// The fee that is paid in addition, whatever the outcome. It is negative for the side that receives it.
    fee: Ratio,
}

impl Payoff {
    /// The payoff of an even bet without commission or fee.
    pub const EVEN: Payoff = Payoff { win: Rate::WHOLE, loss: Rate::WHOLE, fee: Ratio::ZERO };

    /// Returns the payoff for a player, who pays the commission on wins and the fee for each hand. A banking player who
    /// pays the commission on each winning bet, and the same fee, has the same payoff.
    pub fn player(rules: &Rules) -> Payoff {
        Payoff { fee: fee(rules), ..Payoff::with_commission(rules.commission_on_win()) }
    }

    /// Returns the payoff for a bet with a commission on wins and no fee.
    pub const fn with_commission(commission: Rate) -> Payoff {
        Payoff { win: Rate::WHOLE - commission.millionths(), ..Payoff::EVEN }
    }

    /// Returns the payoff for the house as the banker. Its wins are the player's losses, and vice versa.
    pub fn house_bank(rules: &Rules) -> Payoff {
        Payoff { loss: Rate::WHOLE - rules.commission_on_win().millionths(), fee: -fee(rules), ..Payoff::EVEN }
    }

    /// Returns the fee for each hand, per unit staked.
    pub const fn fee(self) -> Ratio {
        self.fee
    }

    /// Returns the net results of a win, a push and a loss as integers, and the number that stands for the stake.
    pub fn nets(self) -> ([i64; 3], i64) {
        let (fee, bet, whole) = (self.fee.numerator() as i64, self.fee.denominator() as i64, i64::from(Rate::WHOLE));
        let nets = [i64::from(self.win), 0, -i64::from(self.loss)].map(|net| net * bet - fee * whole);
        (nets, whole * bet)
    }

    /// Returns the amount received for a win before the fee, in millionths of the stake.
    pub const fn win_millionths(self) -> u32 {
        self.win
    }

    /// Returns the amount paid for a loss before the fee, in millionths of the stake.
    pub const fn loss_millionths(self) -> u32 {
        self.loss
    }

    /// Returns the total gain from the given numbers of wins and losses, in millionths of the stake. It leaves out the fee,
    /// which doesn't depend on the decisions.
    #[inline]
    pub const fn gain(self, wins: i64, losses: i64) -> i64 {
        wins * self.win as i64 - losses * self.loss as i64
    }
}

/// Returns the fee that a player pays for each hand, per unit staked.
fn fee(rules: &Rules) -> Ratio {
    let (fee, bet) = rules.collection.of_largest_bet();
    Ratio::new(fee.into(), bet.into())
}

/// The outcome counts for one side, over all deals or over all opposing hands that a hand can face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DealCounts<N = u64> {
    /// The number of deals in which this side wins both comparisons, or in which the rules award the bet to it.
    pub wins: N,
    /// The number of deals in which each side wins one comparison, or in which the bet pushes because of the rules.
    pub pushes: N,
    /// The number of deals in which this side loses both comparisons, or in which the rules award the bet to the other
    /// side.
    pub losses: N,
    /// The number of deals with equal fronts, excluding those in which every bet pushes. They are also included in
    /// `wins`, `pushes` or `losses`, depending on the rules. Always 0 unless copies are counted.
    pub copies_front: N,
    /// The number of deals with equal backs, counted in the same way.
    pub copies_back: N,
}

/// The total weight of each outcome for one side, over all deals.
///
/// A deal between pure strategies has weight 1. The weight is larger if a side mixes its settings, so that the part of
/// each setting is an integer: it is [`MixedTable::WHOLE`](super::MixedTable::WHOLE) for each mixed strategy, and
/// [`RANDOM_WEIGHT`] if one side picks its settings uniformly at random.
pub type OutcomeWeights = DealCounts<u128>;

impl<N> DealCounts<N>
where
    N: Copy + Add<Output = N> + Sub<Output = N> + Mul<Output = N> + Into<u128>,
{
    /// Creates the counts for `all` deals, of which the given ones are won and lost.
    pub(crate) fn new(all: N, [wins, losses]: [N; 2], [copies_front, copies_back]: [N; 2]) -> DealCounts<N> {
        DealCounts { wins, pushes: all - wins - losses, losses, copies_front, copies_back }
    }

    /// Returns the number of deals, which is 8,250,459,031,214,400 for the full game, or their total weight.
    pub fn all(self) -> N {
        self.wins + self.pushes + self.losses
    }

    /// Returns the counts by key for a JSON document, as text, because parsers may read large numbers as floats.
    pub fn json(self) -> Map<String, Value> {
        let texts = self.map(|count| count.into().to_string());
        let DealCounts { wins, pushes, losses, copies_front, copies_back } = texts;
        let counts = [
            ("wins", wins),
            ("pushes", pushes),
            ("losses", losses),
            ("copies_front", copies_front),
            ("copies_back", copies_back),
        ];
        counts.into_iter().map(|(key, count)| (key.to_owned(), count.into())).collect()
    }

    /// Returns the counts from the other side's perspective.
    #[must_use]
    pub fn other_side(self) -> DealCounts<N> {
        DealCounts { wins: self.losses, losses: self.wins, ..self }
    }

    pub(super) fn map<M>(self, mut change: impl FnMut(N) -> M) -> DealCounts<M> {
        DealCounts {
            wins: change(self.wins),
            pushes: change(self.pushes),
            losses: change(self.losses),
            copies_front: change(self.copies_front),
            copies_back: change(self.copies_back),
        }
    }

    /// Multiplies all counts by a number.
    #[must_use]
    pub(crate) fn times(self, factor: N) -> DealCounts<N> {
        self.map(|count| count * factor)
    }

    /// Adds two sets of counts.
    #[must_use]
    pub fn plus(self, more: DealCounts<N>) -> DealCounts<N> {
        DealCounts {
            wins: self.wins + more.wins,
            pushes: self.pushes + more.pushes,
            losses: self.losses + more.losses,
            copies_front: self.copies_front + more.copies_front,
            copies_back: self.copies_back + more.copies_back,
        }
    }

    /// Returns the total gain before fees, in millionths of the stake.
    pub(super) fn gain(self, payoff: Payoff) -> i128 {
        let amount = |count: N, millionths: u32| count.into() as i128 * i128::from(millionths);
        amount(self.wins, payoff.win) - amount(self.losses, payoff.loss)
    }

    /// Returns the EV per unit staked.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn ev(self, payoff: Payoff) -> Ratio {
        Ratio::new(self.gain(payoff), self.all().into() as i128 * i128::from(Rate::WHOLE)) - payoff.fee
    }

    /// Returns the parts of a player's EV per unit staked, which are the EV before the commission on wins and the
    /// commission, and the probabilities of copies.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn parts(self, commission: Ratio) -> Vec<(&'static str, Ratio)> {
        let DealCounts { wins, losses, copies_front, copies_back, .. } =
            self.map(|count| Ratio::new(count.into() as i128, self.all().into() as i128));
        vec![
            ("before_commission", wins - losses),
            ("commission", -(wins * commission)),
            ("copies_front", copies_front),
            ("copies_back", copies_back),
        ]
    }

    /// Returns the mean of the squared result per unit staked, before fees.
    pub(crate) fn mean_square(self, payoff: Payoff) -> Ratio {
        let square = |part: u32| i128::from(part) * i128::from(part);
        let of = |count: N, part: u32| count.into() as i128 * square(part);
        let sum = of(self.wins, payoff.win) + of(self.losses, payoff.loss);
        Ratio::new(sum, self.all().into() as i128 * square(Rate::WHOLE))
    }

    /// Returns the variance of the result per unit staked, which a fee for each hand doesn't change.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn variance(self, payoff: Payoff) -> f64 {
        self.mean_square(payoff).value() - (self.ev(payoff) + payoff.fee).value().powi(2)
    }
}

impl From<DealCounts> for OutcomeWeights {
    fn from(counts: DealCounts) -> OutcomeWeights {
        counts.map(u128::from)
    }
}

impl OutcomeWeights {
    /// Returns the weights as numbers of deals, or `None` if one of them doesn't fit in 64 bits.
    pub fn deals(self) -> Option<DealCounts> {
        let fits = u64::try_from(self.all()).is_ok();
        fits.then(|| self.map(|weight| weight as u64))
    }
}
