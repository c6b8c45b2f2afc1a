//! `houseway diff`: the exact change in EV between two strategies, and the hands that they set differently.
//!
//! Other analyses list changed hands and examples in the same form.

use super::runner::{WayConfig, prepare, sides, with_progress};
use super::units::{change, change_per_thousand, part, share_of_stake};
use crate::console::{CommandResult, CommonOptions, Failure};
use crate::report::TextTable;
use clap::Args;
use houseway_env::pai_gow::{Game, Hand, Setting};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::grouped;
use houseway_exact::pai_gow::audit::{ChangeCounts, Group, Sample, differences, ev_of};
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::{Run, Side};
use houseway_exact::pai_gow::{HANDS, NamedStrategy, Tabulated};
use houseway_exact::solver::SolverError;
use houseway_exact::standings::unique_names;
use serde_json::{Value, json};

/// The maximum number of hand groups shown on the terminal.
const SHOWN: usize = 10;
/// The maximum number of hand groups in the JSON.
const LISTED: usize = 50;

/// Compare two house ways, strategy tables or trained agents: the exact change in EV, and the hands that are set
/// differently
///
/// To see the effect of a change, edit a line in a way's file and run this command, which takes seconds over all deals.
#[derive(Args)]
pub struct DiffArgs {
    /// The original strategy: the name or file of a house way, a strategy table, or a trained agent
    #[arg(value_name = "A")]
    from: String,
    /// The changed strategy, in the same form
    #[arg(value_name = "B")]
    to: String,
    /// The opponent's strategy [default: A]
    #[arg(long, value_name = "WAY", visible_alias = "against")]
    banker: Option<String>,
    /// The side that A and B set for
    #[arg(long = "as", value_name = "SIDE", default_value = "player", value_parser = sides())]
    side: Side,
    #[command(flatten)]
    common: CommonOptions,
}

impl DiffArgs {
    pub fn run(self) -> CommandResult {
        let (game, stop) = self.common.start("stopping (press again to stop immediately)")?;
        let names = [&*self.from, &*self.to, self.banker.as_ref().unwrap_or(&self.from)];
        let strategies = self.common.game.strategies(&names, &game)?;
        strategies.iter().try_for_each(NamedStrategy::check_pure).map_err(Failure::usage)?;
        let strategies = prepare(&strategies, &game, &stop)?;
        let comparison = Comparison { game, side: self.side, strategies };
        let answer = with_progress("counting", &stop, |run| comparison.answer(run))?;
        self.common.output.show(&answer)
    }
}

pub(super) struct Comparison {
    pub(super) game: Game,
    pub(super) side: Side,
    /// The original and the changed strategy, and their opponent.
    pub(super) strategies: [Tabulated; 3],
}

impl Comparison {
    pub(super) fn answer(&self, run: &Run<'_>) -> Result<Answer, SolverError> {
        let (game, side) = (&self.game, self.side);
        let payoff = BankedBy::House.payoff_of(side, &game.rules());
        let [from, to, opponent] = &self.strategies;
        let whole = opponent.pass(game, side).map_err(SolverError::invalid)?;
        let [found] = differences(&whole, from.play(), [to.play()], payoff, run)?;
        let [ev_from, ev_to] = [found.from, found.to].map(|counts| counts.ev(payoff));
        let ev_change = ev_to - ev_from;
        let rule = |strategy: &Tabulated, hand| strategy.way().map(|way| way.rule(hand).name.clone());
        let class_json = |group: &Changed| {
            let mut json = group_json(group, ["from", "to"]);
            json["from_rule"] = rule(from, group.2.hand).into();
            json["to_rule"] = rule(to, group.2.hand).into();
            json
        };
        let json = json!({
            "from": WayConfig::from(from),
            "to": WayConfig::from(to),
            "opponent": WayConfig::from(opponent),
            "as": side.name(),
            "rules": game.rules(),
            "rules_hash": game.rules().hash(),
            "ev_from": ev_from.value(),
            "ev_to": ev_to.value(),
            "ev_change": ev_change.value(),
            "ev_change_exact": ev_change.to_json(),
            "hands_changed": found.change.hands.to_string(),
            "better": found.change.better.to_string(),
            "worse": found.change.worse.to_string(),
            "classes": found.groups.iter().take(LISTED).map(class_json).collect::<Vec<_>>(),
        });
        let names = unique_names([from.name(), to.name()]);
        let section = Section::default().lines(format!(
            "{}, as the {}, against {}\nrules {}",
            names.join(" -> "),
            side.name(),
            opponent.name(),
            game.rules().described()
        ));
        let before = share_of_stake(ev_from, 6);
        if found.change.hands == 0 {
            let same = format!("No hand is set differently: the EV remains {before} of the stake.");
            return Ok(Answer::new(json, [section.text(same)]));
        }
        let summary = format!(
            "EV     {before} -> {} of the stake\n\
             change {}: {} units per 1,000 games of one unit\n\
             hands  {} set differently ({}): {} better, {} worse",
            share_of_stake(ev_to, 6),
            change(ev_change, 6),
            change_per_thousand(ev_change),
            grouped(found.change.hands),
            part(found.change.hands, HANDS, 4),
            grouped(found.change.better),
            grouped(found.change.worse),
        );
        let table = groups_table(["before", "after"], &found.groups).top(SHOWN);
        Ok(Answer::new(json, [section.lines(summary).table(table)]))
    }
}

/// A group of hands that two strategies set differently, with the effect on it and an example.
pub(super) type Changed = (Group, ChangeCounts, Sample);

/// Returns a group as JSON. The two names are those of the strategies in the keys of the example.
pub(super) fn group_json((group, change, sample): &Changed, names: [&str; 2]) -> Value {
    let mut json = json!({
        "class": group.to_string(),
        "hands": change.hands.to_string(),
        "better": change.better.to_string(),
        "worse": change.worse.to_string(),
        "ev_change": group_ev(change).value(),
    });
    add_example(&mut json, sample, names);
    json
}

/// Returns a table of groups, with one row for each of them. The two names are those of the strategies.
pub(super) fn groups_table([from, to]: [&str; 2], groups: &[Changed]) -> TextTable {
    let header = ["hands", "changed", "example", from, to, "change per 1,000 games"];
    let row = |(group, change, sample): &Changed| {
        let [hand, own, other] = example_cells(sample);
        [group.to_string(), grouped(change.hands), hand, own, other, change_per_thousand(group_ev(change))]
    };
    TextTable::new(header).right(1).right(5).rows(groups.iter().map(row))
}

/// Returns the effect on a group as a change in EV over all hands.
pub(super) fn group_ev(change: &ChangeCounts) -> Ratio {
    ev_of(change.gain, HANDS)
}

/// Returns an example hand, and the fronts of its two settings.
pub(super) fn example_cells(sample: &Sample) -> [String; 3] {
    [sample.hand.to_string(), front(sample.hand, sample.plays), front(sample.hand, sample.other)]
}

/// Adds an example hand and its two settings, which have these names, to an object.
pub(super) fn add_example(json: &mut Value, sample: &Sample, names: [&str; 2]) {
    json["example"] = sample.hand.to_string().into();
    let settings = [(sample.plays, sample.ev()), (sample.other, sample.other_ev())];
    for (name, (setting, ev)) in names.into_iter().zip(settings) {
        json[name] = front(sample.hand, setting).into();
        json[format!("{name}_setting")] = setting.index().into();
        json[format!("{name}_ev")] = ev.value().into();
    }
}

fn front(hand: Hand, setting: Setting) -> String {
    setting.front(hand).to_string()
}
