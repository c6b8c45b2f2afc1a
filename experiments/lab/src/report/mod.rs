//! Reports for runs, with tables and figures, and answers formatted for the terminal.
//!
//! A [`Report`] is the stored form of an [`Answer`]: its Markdown is rebuilt from `report.toml`. In the terminal,
//! [`answer_text`] leaves out an answer's figures and details.
//!
//! ```
//! use houseway_exact::answer::Section;
//! use houseway_lab::report::{Report, TextTable, markdown};
//!
//! let table = TextTable::new(["agent", "EV"]).right(1).row(["house way", "-2.72%"]).row(["optimum", "-2.43%"]);
//! assert_eq!(markdown(&table), "| agent     |     EV |\n|:----------|-------:|\n| house way | -2.72% |\n| optimum   | -2.43% |\n");
//! let report = Report::new("Quick run", [Section::default().text("EVs per unit staked.").table(table)]);
//! assert!(report.markdown().contains("\n\n| agent "));
//! ```

mod text;

pub use houseway_exact::answer::TextTable;
pub use text::{and_list, answer_text, in_columns, markdown, terminal, wrapped, wrapped_lines};

use crate::plot::{Figure, read, save_figure};
use crate::run::{Provenance, RunFolder, cannot_read, read_inside, write_atomic};
use houseway_exact::answer::{Answer, Block, Section};
use serde::{Deserialize, Serialize};
use std::io;
use text::without_html;

const DATA: &str = "report.toml";
const TEXT: &str = "report.md";

/// A report with its figures. [`Report::save`] also writes the data, so that the text can be rebuilt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    title: String,
    #[serde(default)]
    parts: Vec<Part>,
    /// The figures to save in the run's plots folder.
    #[serde(skip)]
    figures: Vec<Figure>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Part {
    Heading(String),
    Text(String),
    Table(TextTable),
    Figure { name: String, alt: String },
    Code(String),
}

impl From<Answer> for Report {
    fn from(answer: Answer) -> Report {
        Report::new(answer.title, answer.sections)
    }
}

impl Report {
    /// Creates a report. Its figures are saved under their names in the run's plots folder.
    pub fn new(title: impl Into<String>, sections: impl IntoIterator<Item = Section>) -> Report {
        let (mut parts, mut figures) = (vec![], vec![]);
        for Section { heading, blocks, .. } in sections {
            parts.extend(heading.map(Part::Heading));
            for block in blocks {
                parts.push(match block {
                    Block::Text(text) => Part::Text(text),
                    Block::Lines(lines) => Part::Code(lines),
                    Block::Table(table) => Part::Table(table),
                    Block::Figure(figure) => {
                        let (name, alt) = (figure.name.clone(), figure.alt.clone());
                        figures.push(figure);
                        Part::Figure { name, alt }
                    }
                });
            }
        }
        Report { title: title.into(), parts, figures }
    }

    /// Returns the report as Markdown, without its provenance.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", without_html(&self.title));
        for part in &self.parts {
            text += "\n";
            text += &match part {
                Part::Heading(heading) => format!("## {}\n", without_html(heading)),
                Part::Text(paragraph) => format!("{}\n", without_html(paragraph.trim_end())),
                Part::Table(table) => markdown(table),
                Part::Figure { name, alt } => format!("![{}](plots/{name}.png)\n", without_html(alt)),
                Part::Code(lines) => format!("```text\n{}\n```\n", lines.trim_end()),
            };
        }
        text
    }

    /// Writes `report.md`, the report's data and the figures to the run's folder.
    pub fn save(&self, run: &RunFolder) -> io::Result<()> {
        self.figures.iter().try_for_each(|figure| save_figure(run, figure))?;
        write_atomic(&run.file(DATA), toml::to_string(self).map_err(io::Error::other)?)?;
        write_atomic(&run.file(TEXT), self.markdown() + &origin(&run.provenance))
    }

    pub fn read(run: &RunFolder) -> io::Result<Report> {
        let text = read_inside(run.working(), DATA)?;
        let wrong = |error| cannot_read(&run.file(DATA), io::Error::new(io::ErrorKind::InvalidData, error));
        toml::from_str(&text).map_err(wrong)
    }
}

/// Returns the final section with the provenance. The commit only appears in `provenance.json`, so that equal results
/// produce equal reports.
fn origin(provenance: &Provenance) -> String {
    let seeds: Vec<String> = provenance.seeds.iter().map(u64::to_string).collect();
    let Provenance { version, command, rules_hash, config_hash, .. } = provenance;
    let table = TextTable::new(["", ""])
        .row(["command", &format!("`{command}`")])
        .row(["configuration", &format!("[config.toml](config.toml), hash `{config_hash}`")])
        .row(["seeds", &seeds.join(", ")])
        .row(["rules", &format!("hash `{rules_hash}`")])
        .row(["version", &format!("houseway {version}; commit in [provenance.json](provenance.json)")]);
    format!("\n## Provenance\n\n{}", markdown(&table))
}

/// Redraws all plots of a run and rewrites its report from the data in its folder. Returns the names of the plots.
pub fn rebuild(run: &RunFolder) -> io::Result<Vec<String>> {
    let report = Report::read(run)?;
    let names = run.figures()?;
    for name in &names {
        let figure = read(&run.plots().join(format!("{name}.toml")))?;
        save_figure(run, &figure.named(name, ""))?;
    }
    report.save(run)?;
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, BarChart};

    #[test]
    fn a_complete_report() {
        let figure = Figure::new("EV", BarChart::new(Axis::new("EV"), Vec::new())).named("ev", "EV by agent");
        let agents = Section::new("Agents")
            .table(TextTable::new(["agent", "EV"]).right(1).row(["a|b", "-2.7%"]))
            .figure(figure)
            .lines("houseway bench quick");
        let summary = Section::default().text("Learned agents against the house way.\n");
        let answer = Answer::new(serde_json::Value::Null, [summary, agents.detail()]).titled("Quick run");
        let report = Report::from(answer);
        let provenance: Provenance = serde_json::from_value(serde_json::json!({
            "kind": "study",
            "format": 1,
            "version": "0.1.0",
            "commit": "0123",
            "command": "houseway bench quick",
            "seeds": [1, 2, 3],
            "rules_hash": "9adcfb12d8db2a82",
            "config_hash": "00ff",
        }))
        .unwrap();
        insta::assert_snapshot!(report.markdown() + &origin(&provenance));
        let text = toml::to_string(&report).unwrap();
        assert_eq!(toml::from_str::<Report>(&text).unwrap(), Report { figures: Vec::new(), ..report });
    }
}
