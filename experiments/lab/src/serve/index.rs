//! The index of results: every report with its title, its main sentence and its first plot.

use super::{CURVES, List, MAX_FILES, RESULTS, Results, curves, escape, folder_of, is_large_report, kind_of};
use houseway_exact::format::grouped;
use markdown::ParseOptions;
use markdown::mdast::Node;
use serde_json::Value;
use std::collections::BTreeMap;
use toml::Table;

pub const SCRIPTS: &[&str] = &["results.js"];

/// Entry of a report in the index.
#[derive(Default)]
struct Head {
    title: Option<String>,
    /// The first paragraph in bold type before the first section, which states the result, or else the first paragraph.
    sentence: String,
    plot: Option<(String, String)>,
}

impl Head {
    fn of(report: &str) -> Head {
        let text = report.split("\n## ").next().unwrap_or_default();
        // Only MDX can have syntax errors, so this never fails.
        let tree = markdown::to_mdast(text, &ParseOptions::gfm()).ok();
        let (mut title, mut first, mut bold) = (None, None, None);
        for node in tree.iter().flat_map(|root| root.children().into_iter().flatten()) {
            match node {
                Node::Heading(heading) if heading.depth == 1 => {
                    title = title.or_else(|| Some(node.to_string())).filter(|title| !title.is_empty());
                }
                Node::Paragraph(paragraph) if matches!(paragraph.children[..], [Node::Image(_)]) => {}
                Node::Paragraph(paragraph) => {
                    let is_bold = matches!(paragraph.children.first(), Some(Node::Strong(_)));
                    let place = if is_bold { &mut bold } else { &mut first };
                    place.get_or_insert_with(|| node.to_string());
                }
                _ => {}
            }
        }
        let mut images = report.split("![").skip(1).filter_map(|image| image.split(')').next()?.split_once("]("));
        let plot = images.find(|(_, path)| kind_of(path) == Some("image/png"));
        let plot = plot.map(|(text, path)| (text.to_owned(), path.to_owned()));
        Head { title, sentence: bold.or(first).unwrap_or_default(), plot }
    }
}

/// The headings of the index, with the kinds of runs under each. The first one is for the reader's own runs beside the
/// reference results, and the last one for all other kinds.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Your own runs", &[]),
    ("Learning agents", &["study", "sweep"]),
    ("House ways", &["audit", "claim", "compare", "search"]),
    ("Equilibria", &["equilibrium"]),
    ("Other reports", &[]),
];

fn group_of(results: &Results, folder: &str) -> usize {
    let kind = json_value(results, folder, "provenance.json", "kind").unwrap_or_default();
    GROUPS.iter().position(|(_, kinds)| kinds.contains(&&*kind)).unwrap_or(GROUPS.len() - 1)
}

/// Returns a text in a JSON file of a run.
fn json_value(results: &Results, folder: &str, file: &str, key: &str) -> Option<String> {
    let bytes = results.read(&format!("{folder}/{file}")).ok()?;
    serde_json::from_slice::<Value>(&bytes).ok()?[key].as_str().map(escape)
}

/// Returns what the manifest says that a folder supports.
fn claim(manifest: &Table, folder: &str) -> Option<String> {
    let entries = manifest.get("folder")?.as_array()?;
    let entry = entries.iter().find(|entry| entry.get("name").and_then(toml::Value::as_str) == Some(folder))?;
    Some(escape(entry.get("claim")?.as_str()?))
}

/// Returns the list of reports, followed by the plots and training runs that have no report.
pub fn index(list: &List, results: &Results) -> String {
    let mut html = "<h1>Results</h1>\n".to_owned();
    if list.left_out > 0 {
        html += &format!(
            "<p class=\"error\" role=\"alert\">{} more files are not shown, because there are more than {MAX_FILES}. Serve a \
             folder inside this one with <code>--results</code> to see them.</p>\n",
            grouped(list.left_out as u64)
        );
    }
    let names = list.files.iter().filter(|name| name.ends_with(".md"));
    // The report of a run links to the model cards in it.
    let (runs, others): (Vec<&String>, Vec<&String>) = names.partition(|name| name.ends_with("/report.md"));
    let is_inside = |name: &str| runs.iter().any(|run| name.starts_with(&format!("{}/", folder_of(run))));
    let folder = escape(&results.title());
    match runs.len() {
        0 => {
            html += &format!(
                "<p>There are no reports in {folder}. Run a study or an analysis with <code>--out</code> to write one.</p>\n"
            );
        }
        count => {
            html += &format!(
                "<p>{count} {} in {folder}.</p>\n<p class=\"row\"><span class=\"field\"><label for=\"filter\">Show only</label>\
                 <input type=\"search\" id=\"filter\" placeholder=\"equilibrium banker\" autocomplete=\"off\"></span> \
                 <span id=\"shown\" class=\"quiet\" role=\"status\"></span></p>\n",
                if count == 1 { "report" } else { "reports" }
            );
            let manifest = results.read("manifest.toml").unwrap_or_default();
            let manifest: Table = toml::from_slice(&manifest).unwrap_or_default();
            let mut groups: BTreeMap<usize, String> = BTreeMap::new();
            for name in &runs {
                // The reader's own runs come before the reference results.
                let is_own = !manifest.is_empty() && claim(&manifest, folder_of(name)).is_none();
                let group = if is_own { 0 } else { group_of(results, folder_of(name)) };
                *groups.entry(group).or_default() += &report(list, results, &manifest, name);
            }
            for (group, reports) in groups {
                let title = GROUPS[group].0;
                html += &format!(
                    "<section class=\"group\"><h2>{title}</h2>\n<ul class=\"gallery\">{reports}</ul></section>\n"
                );
            }
        }
    }
    let alone = others.into_iter().filter(|name| !is_inside(name));
    html += &section("Other pages", alone.map(|name| format!("<a href=\"{RESULTS}{name}\">{name}</a>")));
    let plots = list.other_plots().into_iter();
    html += &section("Other plots", plots.map(|name| format!("<a href=\"{RESULTS}{name}?large=1\">{name}</a>")));
    let trainings = list.trainings.keys().filter(|folder| !is_inside(folder));
    let links = trainings.map(|folder| format!("{} {folder}", curves_link(list, folder)));
    html + &section("Training runs without a report", links)
}

/// Returns a heading and a list of links, or nothing if there are none.
fn section(title: &str, links: impl Iterator<Item = String>) -> String {
    let items: String = links.map(|link| format!("<li>{link}</li>\n")).collect();
    match items.is_empty() {
        true => items,
        false => format!("<h2>{title}</h2>\n<ul class=\"reports\">\n{items}</ul>\n"),
    }
}

fn curves_link(list: &List, folder: &str) -> String {
    let group = &list.trainings[folder];
    let state = if curves::is_running(group) { ", running" } else { "" };
    format!(
        "<a href=\"{RESULTS}{folder}{CURVES}\">learning curves</a> <span>training runs: {}{state}</span>",
        group.len()
    )
}

fn report(list: &List, results: &Results, manifest: &Table, name: &str) -> String {
    let folder = folder_of(name);
    let text = results.read(name).unwrap_or_default();
    // Parsing takes time in proportion to the square of the size.
    let head = if is_large_report(&text) { Head::default() } else { Head::of(&String::from_utf8_lossy(&text)) };
    let value = |file: &str, key: &str| json_value(results, folder, file, key);
    let plot = head.plot.map(|(text, path)| (text, format!("{folder}/{path}")));
    let picture = match plot.filter(|(_, path)| list.files.contains(path)) {
        Some((text, path)) => format!(
            "<img src=\"{RESULTS}{path}\" alt=\"{}\" loading=\"lazy\" width=\"240\" height=\"160\">",
            escape(&text)
        ),
        None => "<span class=\"no-plot\" aria-hidden=\"true\"></span>".to_owned(),
    };
    let date = value("machine.json", "date").map(|date| date.chars().take(10).collect());
    let mut facts: Vec<String> = [value("provenance.json", "kind"), date].into_iter().flatten().collect();
    facts.push(folder.to_owned());
    let inside = list.trainings.keys().filter(|training| training.starts_with(&format!("{folder}/")));
    facts.extend(inside.map(|training| curves_link(list, training)));
    let claim = claim(manifest, folder).map(|claim| format!("<p class=\"claim\">{claim}</p>\n")).unwrap_or_default();
    format!(
        "<li>{picture}<div><h3><a href=\"{RESULTS}{name}\">{}</a></h3>\n<p class=\"quiet\">{}</p>\n{claim}<p>{}</p></div></li>\n",
        escape(head.title.as_deref().unwrap_or(folder)),
        facts.join(" · "),
        escape(&head.sentence),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_report_has_its_title_and_its_result() {
        let head = Head::of(
            "# A *way*\n\nAn introduction.\n\n[x](x.md) ![p](plots/p.png)\n\n**It loses [1%](x.md).** More.\n\n## B\n\n**No.**\n",
        );
        assert_eq!((head.title.as_deref(), head.sentence.as_str()), (Some("A way"), "It loses 1%. More."));
        assert_eq!(head.plot, Some(("p".to_owned(), "plots/p.png".to_owned())));
        let head = Head::of("| a |\n|---|\n\nText <script>.\n");
        assert_eq!((head.title, head.sentence.as_str()), (None, "Text <script>."));
        assert_eq!((Head::of("").sentence.as_str(), Head::of("# \n\nText.\n").title), ("", None));
    }
}
