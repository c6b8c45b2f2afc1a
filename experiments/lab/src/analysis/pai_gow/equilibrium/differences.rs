//! Compares the equilibrium strategies with a house way, and with the best responses to it.

use crate::analysis::pai_gow::diff::{group_ev, group_json, groups_table};
use crate::analysis::pai_gow::progress::with_progress;
use crate::analysis::pai_gow::units::{change, part, share_of_stake};
use crate::report::{TextTable, and_list};
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::Shape;
use houseway_exact::Ratio;
use houseway_exact::equilibrium::SIDES;
use houseway_exact::pai_gow::audit::{Difference, differences};
use houseway_exact::pai_gow::equilibrium::PairEvs;
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::{Pass, Payoff, Play, Side};
use houseway_exact::pai_gow::{ClassTable, HANDS, Tabulated};
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

/// The maximum number of hand groups in each comparison.
const SHOWN: usize = 8;
pub(super) const SIDE_NAMES: [&str; 2] = ["player", "banker"];

/// The hands that the equilibrium strategies set differently from a house way and from the best responses to it.
pub(super) struct Differences {
    /// The house way's name.
    pub(super) way: String,
    /// The house way's hash.
    pub(super) hash: String,
    /// The comparisons for the player and the banker.
    pub(super) sides: [SideDifferences; 2],
    /// The exact EVs of both tables against each other and against best responses, each for the player and the banker.
    /// `None` if the rules don't support tables as opponents.
    pub(super) tables: Option<PairEvs>,
}

/// The comparisons for one side. In each of them, the equilibrium strategy comes first.
pub(super) struct SideDifferences {
    pub(super) way: Comparison,
    /// The comparison with the best response to the house way, which is also the opponent.
    pub(super) best: Comparison,
}

/// A comparison of the equilibrium strategy with another one.
pub(super) struct Comparison {
    /// The name of the opponent that both strategies are evaluated against.
    pub(super) opponent: String,
    pub(super) payoff: Payoff,
    pub(super) difference: Difference,
}

impl Differences {
    /// Compares the tables that the player and the banker play in an equilibrium with a house way, which plays on either
    /// side. Takes two passes over all deals for each side.
    pub(super) fn compute(
        game: &Game,
        bank: BankedBy,
        way: &Tabulated,
        tables: &[Tabulated; 2],
        stop: &AtomicBool,
    ) -> anyhow::Result<Differences> {
        let sides = [Side::Player, Side::Banker];
        let of_side = |side: usize| {
            let (own, other) = (&tables[side], &tables[1 - side]);
            let payoff = bank.payoff_of(sides[side], &game.rules());
            let label = |opponent: &str| format!("{} against {opponent}", SIDE_NAMES[side]);
            let pass = |whole: &Pass<'_>, opponent: &str| {
                let others = [way.play(), Play::Best(payoff)];
                let found =
                    with_progress(&label(opponent), stop, |run| differences(whole, own.play(), others, payoff, run))?;
                let opponent = opponent.to_owned();
                anyhow::Ok(found.map(|difference| Comparison { opponent: opponent.clone(), payoff, difference }))
            };
            let [way_there, best] = pass(&way.pass(game, sides[side])?, way.name())?;
            if ClassTable::check_rules(game).is_err() {
                return anyhow::Ok((SideDifferences { way: way_there, best }, None));
            }
            let against_table = other.pass(game, sides[side])?;
            let [way, own_best] = pass(&against_table, other.name())?;
            let evs = own_best.evs();
            Ok((SideDifferences { way, best }, Some(evs)))
        };
        let [(player, player_evs), (banker, banker_evs)] = [of_side(0)?, of_side(1)?];
        let tables = player_evs.zip(banker_evs).map(|([player, player_best], [banker, banker_best])| PairEvs {
            ev: [player, banker],
            best: [player_best, banker_best],
        });
        Ok(Differences { way: way.name().to_owned(), hash: way.hash().to_owned(), sides: [player, banker], tables })
    }

    pub(super) fn json(&self) -> Value {
        let mut json = Map::new();
        json.insert("way".to_owned(), json!({ "name": self.way, "hash": self.hash }));
        for side in SIDES {
            let SideDifferences { way, best } = &self.sides[side];
            let comparisons =
                json!({ "house_way": way.json("house_way"), "best_response": best.json("best_response") });
            json.insert(SIDE_NAMES[side].to_owned(), comparisons);
        }
        json.into()
    }

    /// Describes the difference between a side's equilibrium strategy and the house way.
    pub(super) fn way_text(&self, side: usize) -> String {
        let (name, comparison) = (&self.way, &self.sides[side].way);
        let [own, other] = comparison.evs().map(|ev| share_of_stake(ev, 4));
        let head = format!("**As the {}, {}", SIDE_NAMES[side], comparison.changed(name));
        let Some(largest) = comparison.largest(name) else { return head };
        format!(
            "{head} Against {}, the EV is {own} of the stake with equilibrium play and {other} with {name}. {} {largest}",
            comparison.opponent,
            comparison.by_shape(),
        )
    }

    /// Describes the difference between a side's equilibrium strategy and the best response to the house way.
    pub(super) fn best_text(&self, side: usize) -> String {
        let comparison = &self.sides[side].best;
        let name = format!("the best response to {}", self.way);
        let [own, other] = comparison.evs().map(|ev| share_of_stake(ev, 4));
        let head = format!("**As the {}, {}", SIDE_NAMES[side], comparison.changed(&name));
        let Some(largest) = comparison.largest("the best response") else { return head };
        format!(
            "{head} Against {}, the EV is {own} with equilibrium play and {other} with the best response, so {} is what an \
             equilibrium strategy loses by not exploiting the house way. {} {largest}",
            self.way,
            share_of_stake(comparison.change(), 4),
            comparison.by_shape(),
        )
    }
}

impl Comparison {
    /// Returns the EVs of the equilibrium strategy and of the other one.
    fn evs(&self) -> [Ratio; 2] {
        [self.difference.from, self.difference.to].map(|counts| counts.ev(self.payoff))
    }

    /// Returns the other strategy's EV minus that of the equilibrium strategy.
    fn change(&self) -> Ratio {
        let [own, other] = self.evs();
        other - own
    }

    /// Returns a table with the largest groups of hands. `other` is the other strategy's name.
    pub(super) fn table(&self, other: &str) -> TextTable {
        let groups = &self.difference.groups;
        groups_table(["equilibrium", other], &groups[..groups.len().min(SHOWN)])
    }

    fn json(&self, other: &str) -> Value {
        let [own, other_ev] = self.evs();
        let groups = self.difference.groups.iter().take(SHOWN);
        json!({
            "opponent": self.opponent,
            "hands_changed": self.difference.change.hands.to_string(),
            "ev": own.value(),
            "other_ev": other_ev.value(),
            "ev_change": self.change().value(),
            "ev_change_exact": self.change().to_json(),
            "classes": groups.map(|group| group_json(group, ["equilibrium", other])).collect::<Vec<_>>(),
        })
    }

    /// Begins a sentence after the side's name.
    fn changed(&self, other: &str) -> String {
        match self.difference.change.hands {
            0 => format!("equilibrium play sets every hand like {other}.**"),
            hands => {
                format!("equilibrium play sets {} of all hands differently from {other}.**", part(hands, HANDS, 2))
            }
        }
    }

    /// Names the shapes with the largest effects.
    fn by_shape(&self) -> String {
        let of_shape = |shape: Shape| {
            let groups = self.difference.groups.iter().filter(|(group, ..)| group.shape() == shape);
            (shape, groups.fold(Ratio::ZERO, |sum, (_, change, _)| sum + group_ev(change)))
        };
        let mut shapes: Vec<(Shape, Ratio)> = Shape::ALL.into_iter().map(of_shape).collect();
        shapes.retain(|(_, ev)| *ev != Ratio::ZERO);
        shapes.sort_by_key(|&(_, ev)| Reverse(ev.max(-ev)));
        let named = shapes.iter().take(3).map(|(shape, ev)| format!("{} for {}", change(*ev, 4), shape.name()));
        let named: Vec<String> = named.collect();
        match named.len() {
            0 => "The EV is the same for hands of every shape.".to_owned(),
            1 => format!("The whole change of {} is due to {}.", change(self.change(), 4), shapes[0].0.name()),
            _ => format!("The change of {} is mainly {}.", change(self.change(), 4), and_list(&named)),
        }
    }

    /// Describes the largest group of hands, or returns `None` if there is none.
    fn largest(&self, other: &str) -> Option<String> {
        let (group, _, sample) = self.difference.groups.first()?;
        let [own, theirs] = [sample.plays, sample.other].map(|setting| setting.front(sample.hand));
        Some(format!(
            "The largest group is {group}: with `{}`, equilibrium play sets `{own}` in front and {other} sets `{theirs}`.",
            sample.hand,
        ))
    }
}
