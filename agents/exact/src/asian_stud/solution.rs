//! EV of raising, and optimal play.

use super::{Class, HandClasses};
use crate::Ratio;
use houseway_env::asian_stud::{FOLDED, Game, Rules, UNIT, Value};

/// Classes of hands under a set of rules.
pub struct Solution<'a> {
    classes: &'a HandClasses,
    game: Game,
}

/// Results of a policy over all deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// Number of deals of a player's and a dealer's hand.
    pub deals: u64,
    /// Number of deals in which the player raises.
    pub raised: u64,
    /// Sum of the results, in units of 1/[`UNIT`] ante.
    net: i128,
    /// Sum of the squared results.
    squares: i128,
}

/// Results for all hands of one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueRow {
    /// Value of the hands.
    pub value: Value,
    /// Number of hands.
    pub hands: u64,
    /// Mean EV of raising, in antes.
    pub raise_ev: Ratio,
    /// Lowest and highest EV of raising among these hands.
    pub raise_ev_range: [Ratio; 2],
    /// Number of hands that the optimal policy folds.
    pub folded: u64,
}

impl<'a> Solution<'a> {
    /// Creates a solution from classes and rules.
    ///
    /// # Panics
    /// Panics if the classes belong to another reading of the joker.
    pub fn new(classes: &'a HandClasses, rules: Rules) -> Solution<'a> {
        assert_eq!(classes.joker(), rules.joker, "the classes belong to another reading of the joker");
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

    /// Returns the sum of the results of raising a hand of a class over the dealer's hands, and the sum of their
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

    /// Returns the EV of raising a hand of a class, in antes.
    pub fn raise_ev(&self, class: &Class) -> Ratio {
        Ratio::new(self.raise_sums(class)[0], i128::from(self.classes.dealer_hands()) * i128::from(UNIT))
    }

    /// Returns `true` if the optimal policy raises a hand of a class, that is, if the EV of raising exceeds -1. Ties
    /// are folded.
    pub fn raises(&self, class: &Class) -> bool {
        self.raise_sums(class)[0] > i128::from(FOLDED) * i128::from(self.classes.dealer_hands())
    }

    /// Returns the results of a policy that raises the given classes and folds the others.
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

    /// Returns the results of the optimal policy.
    pub fn optimal(&self) -> Total {
        self.total(|class| self.raises(class))
    }

    /// Returns the results of raising every hand.
    pub fn always_raise(&self) -> Total {
        self.total(|_| true)
    }

    /// Returns the classes that the optimal policy folds, by increasing EV of raising.
    pub fn folded(&self) -> Vec<&'a Class> {
        let mut folded: Vec<&Class> = self.classes.all().iter().filter(|class| !self.raises(class)).collect();
        folded.sort_by_key(|class| self.raise_sums(class)[0]);
        folded
    }

    /// Returns the results by value of the hand, starting with hands without a set. Values that do not occur are
    /// omitted.
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

    /// Returns the mean total wager (ante and raises), in antes.
    pub fn average_wager(&self) -> Ratio {
        Ratio::new(i128::from(self.deals) + i128::from(self.raised), self.deals.into())
    }

    /// Returns the EV per unit wagered, counting both ante and raise.
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
