//! Renders a house way in the style of a casino's sheet.

use crate::serve::escape;
use houseway_env::pai_gow::house_way::{HouseWay, Rule, Way};
use houseway_exact::format::grouped;
use std::fmt::Write;

/// Returns the sheet as HTML: the title, the source, the rules in order with the number of hands that each one sets,
/// and the readings.
pub(super) fn sheet_html(compiled: &HouseWay) -> String {
    let (way, survey) = (compiled.way(), compiled.survey());
    let mut html = format!(
        "<h2>{}</h2>\n<p class=\"quiet\">{}; {} rules</p>\n",
        escape(way.title()),
        escape(way.source()),
        way.active_rules().count()
    );
    let mut counts = survey.rules.iter();
    html += "<ol class=\"sheet\">\n";
    for rule in way.rules() {
        let active = way.is_active(rule);
        let hands =
            if active { counts.find(|known| known.name == rule.name).map_or(0, |known| known.hands) } else { 0 };
        html += &rule_html(rule, active, hands, survey.hands);
    }
    html + "</ol>\n" + &readings_html(way)
}

fn rule_html(rule: &Rule, active: bool, hands: u64, all: u64) -> String {
    let remark = match active {
        true => format!("{} hands, {:.4}%", grouped(hands), 100.0 * hands as f64 / all as f64),
        false => {
            let readings = rule.readings.iter().map(|(name, option)| format!("{name} is {option}"));
            format!("only if {}", readings.collect::<Vec<_>>().join(" and "))
        }
    };
    let class = if active { "" } else { " class=\"inactive\"" };
    format!(
        "<li{class}><strong>{}</strong><p>{}</p><p class=\"quiet\">{}</p></li>\n",
        escape(&rule.name),
        escape(&rule.text),
        escape(&remark)
    )
}

fn readings_html(way: &Way) -> String {
    if way.readings().is_empty() {
        return String::new();
    }
    let mut html = "<h3>Readings</h3>\n<p class=\"quiet\">These sentences in the source can be read in more than one way. The first \
                    option is used.</p>\n<dl class=\"readings\">\n"
        .to_owned();
    for reading in way.readings() {
        let _ = writeln!(
            html,
            "<dt>{}</dt><dd>{} <code>{}</code></dd>",
            escape(&reading.name),
            escape(&reading.text),
            escape(&reading.options.join(" | "))
        );
    }
    html + "</dl>\n"
}
