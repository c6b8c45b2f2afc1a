//! What raising is worth.

use super::{Class, Classes};
use crate::Ratio;
use houseway_env::asian_stud::{FOLDED, Game, Rules, UNIT, Value};

/// The classes under a set of rules.
pub struct Solution<'a> {
    classes: &'a Classes,
    game: Game,
}

/// What a policy brings over all deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// Deals of a player's and a dealer's hand.
    pub deals: u64,
    /// Deals in which the player raises.
    pub raised: u64,
    /// Sum of the results, in parts of [`UNIT`] to the ante.
    net: i128,
    /// Sum of their squares.
    squares: i128,
}

/// The hands of one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueRow {
    /// The value.
    pub value: Value,
    /// Hands that have it.
    pub hands: u64,
    /// What raising is worth on average, in antes.
    pub raise_ev: Ratio,
    /// What it is worth with the hands for which it is worth least and most.
    pub raise_ev_range: [Ratio; 2],
    /// Hands that fold by the optimal policy.
    pub folded: u64,
}

impl<'a> Solution<'a> {
    /// The classes under these rules.
    ///
    /// # Panics
    /// If the classes are those of another reading of the joker.
    pub fn new(classes: &'a Classes, rules: Rules) -> Solution<'a> {
        assert_eq!(classes.joker(), rules.joker, "the classes are those of another reading of the joker");
        Solution { classes, game: Game::new(rules) }
    }

    /// The game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The classes.
    pub const fn classes(&self) -> &'a Classes {
        self.classes
    }

    /// Sum of the results of raising a hand of a class over the dealer's hands, and of their squares.
    fn raise_sums(&self, class: &Class) -> [i128; 2] {
        let mut sums = [0; 2];
        for (dealer, &hands) in Value::all().zip(&class.dealers) {
            let net = i128::from(self.game.raised(class.value, dealer));
            sums[0] += net * i128::from(hands);
            sums[1] += net * net * i128::from(hands);
        }
        sums
    }

    /// What raising a hand of a class is worth, in antes.
    pub fn raise_ev(&self, class: &Class) -> Ratio {
        Ratio::new(self.raise_sums(class)[0], i128::from(self.classes.dealer_hands()) * i128::from(UNIT))
    }

    /// Whether the optimal policy raises a hand of a class: if that is worth more than -1; ties fold.
    pub fn raises(&self, class: &Class) -> bool {
        self.raise_sums(class)[0] > i128::from(FOLDED) * i128::from(self.classes.dealer_hands())
    }

    /// What a policy brings that raises these classes and folds the others.
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

    /// What the optimal policy brings.
    pub fn optimal(&self) -> Total {
        self.total(|class| self.raises(class))
    }

    /// What raising every hand brings.
    pub fn always_raise(&self) -> Total {
        self.total(|_| true)
    }

    /// The classes that the optimal policy folds, the one nearest to raising last.
    pub fn folded(&self) -> Vec<&'a Class> {
        let mut folded: Vec<&Class> = self.classes.all().iter().filter(|class| !self.raises(class)).collect();
        folded.sort_by_key(|class| self.raise_sums(class)[0]);
        folded
    }

    /// The hands by value, those without a set first; values that no hand has are left out.
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
    /// The expectation, in antes.
    pub fn ev(&self) -> Ratio {
        Ratio::new(self.net, i128::from(self.deals) * i128::from(UNIT))
    }

    /// How often the policy raises.
    pub fn raise_probability(&self) -> Ratio {
        Ratio::new(self.raised.into(), self.deals.into())
    }

    /// The average of what is staked, in antes: the ante, and the raise where there is one.
    pub fn average_wager(&self) -> Ratio {
        Ratio::new(i128::from(self.deals) + i128::from(self.raised), self.deals.into())
    }

    /// The expectation per unit staked, ante and raise alike; the house's edge by this measure is minus this.
    pub fn ev_per_unit_staked(&self) -> Ratio {
        let staked = i128::from(self.deals) + i128::from(self.raised);
        Ratio::new(self.net, staked * i128::from(UNIT))
    }

    /// The variance of the result, in squared antes.
    pub fn variance(&self) -> f64 {
        let unit = i128::from(UNIT);
        Ratio::new(self.squares, i128::from(self.deals) * unit * unit).value() - self.ev().value().powi(2)
    }
}
