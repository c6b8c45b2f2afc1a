//! Computes the EV of raising and, from it, optimal play.

use super::{Class, HandClasses};
use crate::Ratio;
use houseway_env::asian_stud::{FOLDED, Game, Rules, UNIT, Value};
use houseway_env::gym::PROBABILITY_UNIT;

/// The hand classes combined with a set of rules.
pub struct Solution<'a> {
    classes: &'a HandClasses,
    game: Game,
}

/// The results of a policy over all deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// The number of deals, counting the player's and the dealer's hand.
    pub deals: u64,
    /// The number of deals on which the player raises.
    pub raised: u64,
    /// The sum of the results, in units of 1/[`UNIT`] ante.
    net: i128,
    /// The sum of the squared results, in squared units.
    squares: i128,
}

/// The results for all hands with the same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueRow {
    /// The value of the hands.
    pub value: Value,
    /// The number of hands.
    pub hands: u64,
    /// The mean EV of raising, in antes.
    pub raise_ev: Ratio,
    /// The lowest and highest EV of raising among these hands.
    pub raise_ev_range: [Ratio; 2],
    /// The number of hands that the optimal policy folds.
    pub folded: u64,
}

impl<'a> Solution<'a> {
    /// Combines hand classes with rules.
    ///
    /// # Panics
    /// Panics if the classes are based on another reading of the joker.
    pub fn new(classes: &'a HandClasses, rules: Rules) -> Solution<'a> {
        assert_eq!(classes.joker(), rules.joker, "the classes are based on another reading of the joker");
        Solution { classes, game: Game::new(rules) }
    }

    /// Returns the game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the classes.
    pub const fn classes(&self) -> &'a HandClasses {
        self.classes
    }

    /// Returns the sum of the results of raising with a hand in the class over all dealer hands, and the sum of their
    /// squares.
    fn raise_sums(&self, class: &Class) -> [i128; 2] {
        let mut sums = [0; 2];
        for (dealer, &hands) in Value::all().zip(&class.dealers) {
            let net = i128::from(self.game.raised(class.value, dealer));
            sums[0] += net * i128::from(hands);
            sums[1] += net * net * i128::from(hands);
        }
        sums
    }

    /// Returns the EV of raising with a hand in the class, in antes.
    pub fn raise_ev(&self, class: &Class) -> Ratio {
        Ratio::new(self.raise_sums(class)[0], i128::from(class.dealer_hands()) * i128::from(UNIT))
    }

    /// Returns `true` if the optimal policy raises with hands in the class, i.e. if the EV of raising exceeds -1. Ties
    /// are folded.
    pub fn raises(&self, class: &Class) -> bool {
        self.gain_from_raising(class) > 0
    }

    /// Returns the result of raising minus that of folding, summed over all dealer hands.
    pub(super) fn gain_from_raising(&self, class: &Class) -> i128 {
        self.raise_sums(class)[0] - i128::from(FOLDED) * i128::from(class.dealer_hands())
    }

    /// Returns the results of a policy that raises with hands in the given classes and folds all others.
    pub fn total(&self, raises: impl Fn(&Class) -> bool) -> Total {
        let dealer_hands = i128::from(self.classes.dealer_hands());
        let folded = i128::from(FOLDED);
        let mut total = Total { deals: self.classes.deals(), raised: 0, net: 0, squares: 0 };
        for class in self.classes.all() {
            let raised = raises(class);
            let [net, squares] =
                if raised { self.raise_sums(class) } else { [folded * dealer_hands, folded * folded * dealer_hands] };
            total.net += net * i128::from(class.hands);
            total.squares += squares * i128::from(class.hands);
            total.raised += if raised { class.hands * self.classes.dealer_hands() } else { 0 };
        }
        total
    }

    /// Returns the EV of a stochastic policy, given the probability of raising with each class in units of 1 /
    /// [`PROBABILITY_UNIT`].
    pub fn stochastic_ev(&self, raises: &[u32]) -> Ratio {
        let folded = i128::from(FOLDED) * i128::from(self.classes.dealer_hands());
        let net = |(class, &raise): (&Class, &u32)| {
            let raised = self.raise_sums(class)[0] * i128::from(raise);
            i128::from(class.hands) * (raised + folded * i128::from(PROBABILITY_UNIT - raise))
        };
        let net: i128 = self.classes.all().iter().zip(raises).map(net).sum();
        Ratio::new(net, i128::from(self.classes.deals()) * i128::from(UNIT) * i128::from(PROBABILITY_UNIT))
    }

    /// Returns the results of the optimal policy.
    pub fn optimal(&self) -> Total {
        self.total(|class| self.raises(class))
    }

    /// Returns the results of always raising.
    pub fn always_raise(&self) -> Total {
        self.total(|_| true)
    }

    /// Returns the classes that the optimal policy folds, sorted by the EV of raising, lowest first.
    pub fn folded(&self) -> Vec<&'a Class> {
        let mut folded: Vec<&Class> = self.classes.all().iter().filter(|class| !self.raises(class)).collect();
        folded.sort_by_key(|class| self.raise_sums(class)[0]);
        folded
    }

    /// Returns the results for each hand value, starting with hands without a set. Values that don't occur are left
    /// out.
    pub fn values(&self) -> Vec<ValueRow> {
        Value::all().filter_map(|value| self.value(value)).collect()
    }

    fn value(&self, value: Value) -> Option<ValueRow> {
        let classes: Vec<&Class> = self.classes.all().iter().filter(|class| class.value == value).collect();
        let hands: u64 = classes.iter().map(|class| class.hands).sum();
        let net: i128 = classes.iter().map(|class| self.raise_sums(class)[0] * i128::from(class.hands)).sum();
        let evs = || classes.iter().map(|class| self.raise_ev(class));
        let folded = classes.iter().filter(|class| !self.raises(class)).map(|class| class.hands).sum();
        let deals = i128::from(hands) * i128::from(self.classes.dealer_hands());
        let raise_ev_range = [evs().min()?, evs().max()?];
        Some(ValueRow { value, hands, raise_ev: Ratio::new(net, deals * i128::from(UNIT)), raise_ev_range, folded })
    }
}

impl Total {
    /// Returns the EV, in antes.
    pub fn ev(&self) -> Ratio {
        Ratio::new(self.net, i128::from(self.deals) * i128::from(UNIT))
    }

    /// Returns the probability of raising.
    pub fn raise_probability(&self) -> Ratio {
        Ratio::new(self.raised.into(), self.deals.into())
    }

    /// Returns the mean of the total wager in antes, including both the ante and the raise.
    pub fn average_wager(&self) -> Ratio {
        Ratio::new(i128::from(self.deals) + i128::from(self.raised), self.deals.into())
    }

    /// Returns the EV per unit wagered, where both ante and raise count as wagers.
    pub fn ev_per_unit_staked(&self) -> Ratio {
        let staked = i128::from(self.deals) + i128::from(self.raised);
        Ratio::new(self.net, staked * i128::from(UNIT))
    }

    /// Returns the variance of the result, in squared antes.
    pub fn variance(&self) -> f64 {
        let unit = i128::from(UNIT);
        Ratio::new(self.squares, i128::from(self.deals) * unit * unit).value() - self.ev().value().powi(2)
    }
}
