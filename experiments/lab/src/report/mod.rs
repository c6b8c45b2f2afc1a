//! Reports for runs, with tables and figures, and answers formatted for the terminal.
//!
//! ```
//! use houseway_lab::report::{Report, TextTable, markdown};
//!
//! let table = TextTable::new(["agent", "EV"]).right(1).row(["house way", "-2.72%"]).row(["optimum", "-2.43%"]);
//! assert_eq!(markdown(&table), "| agent     |     EV |\n|:----------|-------:|\n| house way | -2.72% |\n| optimum   | -2.43% |\n");
//! let report = Report::new("Quick run").text("EVs per unit staked.").table(table);
//! assert!(report.markdown().contains("\n\n| agent "));
//! ```

mod document;
mod table;
mod terminal;
mod words;
mod wrap;

pub use document::{Report, rebuild};
pub use houseway_exact::answer::TextTable;
pub use table::{markdown, terminal};
pub use terminal::answer_text;
pub use words::and_list;
pub use wrap::{wrapped, wrapped_lines};
