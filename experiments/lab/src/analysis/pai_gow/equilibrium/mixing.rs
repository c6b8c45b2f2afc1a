//! Lists the hands that a mixed strategy sets in more than one way.

use crate::report::{TextTable, and_list};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::{Game, Hand, SetHand};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::audit::Group;
use houseway_exact::pai_gow::equilibrium::ProfileClasses;
use houseway_exact::pai_gow::{HANDS, MixedTable};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::HashMap;

/// The maximum number of groups.
const SHOWN: usize = 8;
/// The smallest probability of a second setting with which a profile counts as mixed, in percent. Smaller ones are mostly
/// left over from the rounding of what was played.
pub(super) const THRESHOLD: u32 = 1;

/// The extent to which a strategy mixes settings.
#[derive(Default)]
pub(super) struct Mixing {
    /// The profiles whose second setting has at least the threshold's probability.
    pub(super) mixed: MixedHands,
    /// The profiles that have more than one setting with any probability.
    pub(super) any: MixedHands,
    /// The fraction of hands that aren't set in their profile's most frequent way.
    pub(super) minority: f64,
    /// The groups of mixed hands, largest first.
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

    fn json(self) -> [(&'static str, String); 3] {
        [("profiles", self.profiles), ("classes", self.classes), ("hands", self.hands)]
            .map(|(key, count)| (key, count.to_string()))
    }
}

impl MixedGroup {
    /// Formats the probabilities of the example's settings.
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
        self.mixed.json().into_iter().for_each(|(key, count)| json[key] = count.into());
        json
    }
}

impl Mixing {
    /// Finds the mixed hands.
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

    /// Returns the counts and the largest groups as JSON.
    pub(super) fn json(&self) -> Value {
        let groups = self.groups.iter().take(SHOWN).map(MixedGroup::json).collect::<Vec<_>>();
        let mut json = json!({ "min_percent": THRESHOLD, "groups": groups, "any_weight": {} });
        self.mixed.json().into_iter().for_each(|(key, count)| json[key] = count.into());
        self.any.json().into_iter().for_each(|(key, count)| json["any_weight"][key] = count.into());
        json
    }

    /// Describes the mixed hands of the side with the given name.
    pub(super) fn text(&self, side: &str) -> String {
        let Some(first) = self.groups.first() else { return format!("The {side} doesn't mix any hand.") };
        let mut shapes: HashMap<&str, u64> = HashMap::new();
        self.groups.iter().for_each(|it| *shapes.entry(it.group.shape().name()).or_default() += it.mixed.hands);
        let mut shapes: Vec<(&str, u64)> = shapes.into_iter().collect();
        shapes.sort_by_key(|&(name, hands)| (Reverse(hands), name));
        let named = shapes
            .iter()
            .take(3)
            .map(|(name, hands)| format!("{name} ({})", percent(*hands as f64 / self.mixed.hands.max(1) as f64, 1)));
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

    /// Returns a table with the largest groups.
    pub(super) fn table(&self) -> TextTable {
        let table = TextTable::new(["hands", "mixed", "profiles", "example", "fronts"]).right(1).right(2);
        self.groups.iter().take(SHOWN).fold(table, |table, it| {
            table.row([
                it.group.to_string(),
                grouped(it.mixed.hands),
                grouped(it.mixed.profiles),
                it.example.to_string(),
                it.probabilities().replace('`', ""),
            ])
        })
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
pub(super) fn rows(game: &Game, table: &MixedTable) -> Vec<[String; 4]> {
    let mut profiles: Vec<Profile> = Profile::all().filter(|&profile| table.sets(profile).len() > 1).collect();
    profiles.sort_by_key(|&it| (Reverse(Profiles::get().hands(it) * u64::from(minority(table, it))), it.index()));
    let mut rows = vec![["hand", "hands", "front", "weight"].map(str::to_owned)];
    for profile in profiles {
        let hand = Hand::representative(profile);
        for &(set, weight) in table.sets(profile) {
            rows.push([
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
