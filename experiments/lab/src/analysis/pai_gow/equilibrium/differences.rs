//! The hands that the equilibrium strategies mix, and those that they set differently from a house way and from the best
//! responses to it.

use super::answer::SIDE_NAMES;
use crate::analysis::pai_gow::diff::{group_ev, group_json, groups_table};
use crate::analysis::pai_gow::runner::with_progress;
use crate::analysis::pai_gow::units::{change, part, share_of_stake};
use crate::report::{TextTable, and_list};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::pai_gow::{Game, Hand, SetHand};
use houseway_exact::Ratio;
use houseway_exact::equilibrium::{PairEvs, SIDES};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::audit::{Difference, Group, differences};
use houseway_exact::pai_gow::equilibrium::ProfileClasses;
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::{Pass, Payoff, Play, Side};
use houseway_exact::pai_gow::{ClassTable, HANDS, MixedTable, Tabulated};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// The maximum number of hand groups in each table.
const SHOWN: usize = 8;

/// The hands that the equilibrium strategies set differently from a house way and from the best responses to it.
pub(super) struct Differences {
    pub(super) way: String,
    pub(super) hash: String,
    /// The comparisons of both sides with the house way. The equilibrium strategy comes first in all comparisons.
    pub(super) with_way: [Comparison; 2],
    /// The comparisons of both sides with the best response to the house way, which is also the opponent.
    pub(super) with_best: [Comparison; 2],
    /// The exact EVs of both tables against each other and against best responses, each for the player and the banker.
    /// `None` if the rules don't support tables as opponents.
    pub(super) tables: Option<PairEvs<Ratio>>,
}

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
            let [with_way, with_best] = pass(&way.pass(game, sides[side])?, way.name())?;
            if ClassTable::check_rules(game).is_err() {
                return anyhow::Ok((with_way, with_best, None));
            }
            let against_table = other.pass(game, sides[side])?;
            let [with_way, own_best] = pass(&against_table, other.name())?;
            Ok((with_way, with_best, Some(own_best.evs())))
        };
        let [(player_way, player_best, player_evs), (banker_way, banker_best, banker_evs)] = [of_side(0)?, of_side(1)?];
        let tables = player_evs.zip(banker_evs).map(|([player, player_best], [banker, banker_best])| PairEvs {
            own: [player, banker],
            best: [player_best, banker_best],
        });
        Ok(Differences {
            way: way.name().to_owned(),
            hash: way.hash().to_owned(),
            with_way: [player_way, banker_way],
            with_best: [player_best, banker_best],
            tables,
        })
    }

    pub(super) fn json(&self) -> Value {
        let mut json = json!({ "way": { "name": self.way, "hash": self.hash } });
        for side in SIDES {
            json[SIDE_NAMES[side]] = json!({
                "house_way": self.with_way[side].json("house_way"),
                "best_response": self.with_best[side].json("best_response"),
            });
        }
        json
    }

    pub(super) fn way_text(&self, side: usize) -> String {
        let (name, comparison) = (&self.way, &self.with_way[side]);
        let [own, other] = comparison.evs().map(|ev| share_of_stake(ev, 4));
        let head = format!("**As the {}, {}", SIDE_NAMES[side], comparison.changed(name));
        let Some(largest) = comparison.largest(name) else { return head };
        format!(
            "{head} Against {}, the EV is {own} of the stake with equilibrium play and {other} with {name}. {} {largest}",
            comparison.opponent,
            comparison.by_shape(),
        )
    }

    pub(super) fn best_text(&self, side: usize) -> String {
        let comparison = &self.with_best[side];
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

    fn largest(&self, other: &str) -> Option<String> {
        let (group, _, sample) = self.difference.groups.first()?;
        let [own, theirs] = [sample.plays, sample.other].map(|setting| setting.front(sample.hand));
        Some(format!(
            "The largest group is {group}: with `{}`, equilibrium play sets `{own}` in front and {other} sets `{theirs}`.",
            sample.hand,
        ))
    }
}

/// The smallest probability of a second setting with which a profile counts as mixed, in percent. Smaller ones are mostly
/// left over from the rounding of what was played.
pub(super) const THRESHOLD: u32 = 1;

#[derive(Default)]
pub(super) struct Mixing {
    /// The profiles whose second setting has at least the threshold's probability.
    pub(super) mixed: MixedHands,
    /// The profiles that have more than one setting with any probability.
    pub(super) any: MixedHands,
    /// The fraction of hands that aren't set in their profile's most frequent way.
    pub(super) minority: f64,
    pub(super) groups: Vec<MixedGroup>,
}

/// A number of profiles, and the classes and hands that have one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MixedHands {
    pub(super) profiles: u64,
    pub(super) classes: u64,
    pub(super) hands: u64,
}

pub(super) struct MixedGroup {
    pub(super) group: Group,
    pub(super) mixed: MixedHands,
    /// A hand with the profile that sets the most hands in another way than its most probable one.
    pub(super) example: Hand,
    /// The fronts of the example's settings with their weights, in units of 1/4096, largest first. Settings below the
    /// threshold are left out.
    pub(super) fronts: Vec<(String, u16)>,
}

impl MixedHands {
    fn add(&mut self, more: MixedHands) {
        self.profiles += more.profiles;
        self.classes += more.classes;
        self.hands += more.hands;
    }

    pub(super) fn fraction(self) -> f64 {
        self.hands as f64 / HANDS as f64
    }

    fn add_to(self, json: &mut Value) {
        for (key, count) in [("profiles", self.profiles), ("classes", self.classes), ("hands", self.hands)] {
            json[key] = count.to_string().into();
        }
    }
}

impl MixedGroup {
    fn probabilities(&self) -> String {
        let front = |(front, weight): &(String, u16)| format!("`{front}` {}", percent(probability(*weight), 0));
        self.fronts.iter().map(front).collect::<Vec<_>>().join(", ")
    }

    fn json(&self) -> Value {
        let front = |(front, weight): &(String, u16)| json!({ "front": front, "weight": weight });
        let mut json = json!({
            "class": self.group.to_string(),
            "example": self.example.to_string(),
            "settings": self.fronts.iter().map(front).collect::<Vec<_>>(),
        });
        self.mixed.add_to(&mut json);
        json
    }
}

impl Mixing {
    pub(super) fn new(game: &Game, table: &MixedTable, classes: &ProfileClasses) -> Mixing {
        let mut mixing = Mixing::default();
        // For each group, the number of hands and the profile with the most hands that are set otherwise.
        let mut groups: HashMap<Group, (MixedHands, (u64, Reverse<usize>))> = HashMap::new();
        for profile in Profile::all() {
            let of_profile = MixedHands {
                profiles: 1,
                classes: classes.classes(profile) as u64,
                hands: Profiles::get().hands(profile),
            };
            let minority = minority(table, profile);
            mixing.minority += of_profile.fraction() * probability(minority);
            if minority > 0 {
                mixing.any.add(of_profile);
            }
            if is_mixed(table, profile) {
                mixing.mixed.add(of_profile);
                let (mixed, most) = groups.entry(Group::new(game, Hand::representative(profile))).or_default();
                mixed.add(of_profile);
                *most = (*most).max((of_profile.hands * u64::from(minority), Reverse(profile.index())));
            }
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(group, (mixed, _))| (Reverse(mixed.hands), *group));
        let group = |(group, (mixed, (_, Reverse(index)))): (Group, (MixedHands, (u64, Reverse<usize>)))| {
            let profile = Profile::from_index(index);
            let mut fronts: Vec<(String, u16)> = table
                .sets(profile)
                .iter()
                .filter(|&&(_, weight)| reaches_threshold(weight))
                .map(|&(set, weight)| (front(game, Hand::representative(profile), set), weight))
                .collect();
            fronts.sort_by_key(|&(_, weight)| Reverse(weight));
            MixedGroup { group, mixed, example: Hand::representative(profile), fronts }
        };
        Mixing { groups: groups.into_iter().map(group).collect(), ..mixing }
    }

    pub(super) fn json(&self) -> Value {
        let groups = self.groups.iter().take(SHOWN).map(MixedGroup::json).collect::<Vec<_>>();
        let mut json = json!({ "min_percent": THRESHOLD, "groups": groups, "any_weight": {} });
        self.mixed.add_to(&mut json);
        self.any.add_to(&mut json["any_weight"]);
        json
    }

    pub(super) fn text(&self, side: &str) -> String {
        let Some(first) = self.groups.first() else { return format!("The {side} doesn't mix any hand.") };
        let mut shapes: HashMap<&str, u64> = HashMap::new();
        self.groups.iter().for_each(|it| *shapes.entry(it.group.shape().name()).or_default() += it.mixed.hands);
        let mut shapes: Vec<(&str, u64)> = shapes.into_iter().collect();
        shapes.sort_by_key(|&(name, hands)| (Reverse(hands), name));
        let shapes = shapes.iter().take(3);
        let named = shapes.map(|&(name, hands)| format!("{name} ({})", part(hands, self.mixed.hands, 1)));
        format!(
            "**The {side} mixes {} of all hands.** By shape, they are {}. The largest group is {}: `{}` is set with the fronts \
             {}.",
            percent(self.mixed.fraction(), 2),
            and_list(&named.collect::<Vec<_>>()),
            first.group,
            first.example,
            first.probabilities(),
        )
    }

    pub(super) fn table(&self) -> TextTable {
        let row = |it: &MixedGroup| {
            let fronts = it.probabilities().replace('`', "");
            [it.group.to_string(), grouped(it.mixed.hands), grouped(it.mixed.profiles), it.example.to_string(), fronts]
        };
        let header = ["hands", "mixed", "profiles", "example", "fronts"];
        TextTable::new(header).right(1).right(2).rows(self.groups.iter().take(SHOWN).map(row))
    }
}

fn probability(weight: u16) -> f64 {
    f64::from(weight) / f64::from(MixedTable::WHOLE)
}

fn reaches_threshold(weight: u16) -> bool {
    100 * u32::from(weight) >= THRESHOLD * MixedTable::WHOLE
}

/// Returns `true` if at least two settings reach the threshold.
fn is_mixed(table: &MixedTable, profile: Profile) -> bool {
    table.sets(profile).iter().filter(|&&(_, weight)| reaches_threshold(weight)).count() > 1
}

/// Returns the weight of all settings but the most frequent one.
fn minority(table: &MixedTable, profile: Profile) -> u16 {
    let most = table.sets(profile).iter().map(|&(_, weight)| weight).max().unwrap_or_default();
    MixedTable::WHOLE as u16 - most
}

/// Returns a table with the profiles that have more than one setting, sorted by the number of hands that aren't set in
/// the most frequent way. Each row has a hand with the profile, the number of such hands, a front and its probability in
/// units of 1/4096.
pub(super) fn rows(game: &Game, table: &MixedTable) -> Vec<Vec<String>> {
    let mut profiles: Vec<Profile> = Profile::all().filter(|&profile| table.sets(profile).len() > 1).collect();
    profiles.sort_by_key(|&it| (Reverse(Profiles::get().hands(it) * u64::from(minority(table, it))), it.index()));
    let mut rows = vec![["hand", "hands", "front", "weight"].map(str::to_owned).to_vec()];
    for profile in profiles {
        let hand = Hand::representative(profile);
        for &(set, weight) in table.sets(profile) {
            rows.push(vec![
                hand.to_string(),
                Profiles::get().hands(profile).to_string(),
                front(game, hand, set),
                weight.to_string(),
            ]);
        }
    }
    rows
}

fn front(game: &Game, hand: Hand, chosen: SetHand) -> String {
    let setting = game.settings(hand).find(|&(_, set)| set == chosen);
    setting.map_or_else(String::new, |(setting, _)| setting.front(hand).to_string())
}
