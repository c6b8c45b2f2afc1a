//! The reports, plots and learning curves in a results folder.
//!
//! The folder is listed at startup, and again when the list or learning curves are requested, since training runs add
//! files to it. Requests can only name files on this list.

use super::curves;
use super::html::escape;
use super::http::{Request, Response};
use super::listing::{CURVES, List, MAX_FILES, RESULTS, folder_of, kind_of};
use super::section::Services;
use crate::run::open_inside;
use houseway_env::files;
use houseway_exact::format::grouped;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The age at which the list is replaced by listing the folder again.
const FRESH: Duration = Duration::from_secs(1);
/// The maximum size of a file in bytes.
const MAX_FILE: u64 = 20_000_000;
/// The maximum size of a report in bytes and in lines. Rendering takes time in proportion to its square, and reports are
/// a tenth as large. A larger one is sent as plain text.
const MAX_REPORT: (usize, usize) = (400_000, 2_000);

/// The contents of a results folder.
#[derive(Debug)]
pub struct Results {
    folder: PathBuf,
    list: Mutex<(Instant, List)>,
}

impl Results {
    /// Lists the reports, plots and training runs in a folder. Hidden files, links and files with unusual names are
    /// skipped.
    pub fn list(folder: &Path) -> Results {
        Results { folder: folder.to_owned(), list: Mutex::new((Instant::now(), List::read(folder))) }
    }

    fn known(&self) -> MutexGuard<'_, (Instant, List)> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists the folder again if the list is out of date.
    fn renew(&self) {
        let mut known = self.known();
        if known.0.elapsed() > FRESH {
            *known = (Instant::now(), List::read(&self.folder));
        }
    }

    /// Returns the number of reports and plots.
    pub fn len(&self) -> usize {
        self.known().1.files.len()
    }

    /// Returns `true` if there are no reports or plots.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Responds to a request for a file, for learning curves, or for the list if the name is empty. Returns `None` if
    /// the name isn't listed.
    pub(super) fn respond(&self, request: &Request, name: &str, services: &Services) -> Option<Response> {
        if name.is_empty() {
            self.renew();
            return Some(services.page(200, RESULTS, "Results", &[], &index(&self.known().1, &self.folder)));
        }
        if name.contains(CURVES) {
            self.renew();
        }
        let trainings = self.known().1.trainings_of(name);
        if let Some((folder, group, rest)) = trainings {
            let answer = curves::respond(&folder, &group, rest, services)?;
            let is_large = rest.ends_with(".svg") && request.value("large").is_some();
            return Some(if is_large { large(name, &format!("{RESULTS}{folder}{CURVES}"), services) } else { answer });
        }
        self.known().1.files.get(name)?;
        let kind = kind_of(name)?;
        if kind != "text/html" && request.value("large").is_some() {
            return Some(large(name, RESULTS, services));
        }
        // A file or folder may have been replaced by a link since it was listed.
        let bytes = open_inside(&self.folder, Path::new(name)).and_then(|file| files::read_opened(file, MAX_FILE));
        Some(match (bytes, kind) {
            (Ok(bytes), "text/html") if is_large_report(&bytes) => Response::file("text/plain; charset=utf-8", bytes),
            (Ok(bytes), "text/html") => {
                let contents = format!(
                    "<nav aria-label=\"Folder\"><a href=\"/results/\">All results</a></nav>\n<article>{}</article>\n",
                    html(&String::from_utf8_lossy(&bytes))
                );
                services.page(200, RESULTS, name, &[], &contents)
            }
            (Ok(bytes), kind) => Response::file(kind, bytes),
            (Err(error), _) => {
                let reason = escape(&format!("{name} cannot be read: {error}"));
                let contents = format!("<p class=\"error\" role=\"alert\">{reason}</p>\n");
                services.page(404, RESULTS, name, &[], &contents)
            }
        })
    }
}

fn is_large_report(bytes: &[u8]) -> bool {
    let (max_bytes, max_lines) = MAX_REPORT;
    bytes.len() > max_bytes || bytes.iter().filter(|&&byte| byte == b'\n').count() > max_lines
}

/// Returns a page that shows a plot in a larger size. On a phone, it can be scrolled in both directions.
fn large(name: &str, back: &str, services: &Services) -> Response {
    let contents = format!(
        "<nav aria-label=\"Folder\"><a href=\"{back}\">Back</a></nav>\n<h1>{name}</h1>\n\
         <div class=\"scroll large\" tabindex=\"0\" role=\"region\" aria-label=\"Plot\"><img src=\"/results/{name}\" \
         alt=\"{name}\"></div>\n"
    );
    services.page(200, RESULTS, name, &[], &contents)
}

/// Returns the list of reports with the number of plots in each, followed by the other plots and the training runs.
fn index(list: &List, folder: &Path) -> String {
    let mut html = "<h1>Results</h1>\n".to_owned();
    let folder = escape(&folder.display().to_string());
    let reports: Vec<&String> = list.files.keys().filter(|name| name.ends_with(".md")).collect();
    if list.left_out > 0 {
        let _ = writeln!(
            html,
            "<p class=\"error\" role=\"alert\">{} more files are not shown, because there are more than {MAX_FILES}. Serve a \
             folder inside this one with <code>--results</code> to see them.</p>",
            grouped(list.left_out as u64)
        );
    }
    if reports.is_empty() {
        let _ = write!(
            html,
            "<p>There are no reports in {folder}. Run a study or an analysis with <code>--out</code> to write one.</p>"
        );
    } else {
        let _ = write!(html, "<p>{} reports in {folder}.</p>\n<ul class=\"reports\">\n", reports.len());
    }
    for name in &reports {
        let own = folder_of(name);
        let shown = if own.is_empty() || !name.ends_with("/report.md") { name.as_str() } else { own };
        let plots = format!("{own}/plots/");
        let plots = list.files.keys().filter(|file| file.starts_with(&plots) && file.ends_with(".svg")).count();
        let plots = if plots == 0 { String::new() } else { format!(" <span class=\"quiet\">plots: {plots}</span>") };
        let _ = writeln!(html, "<li><a href=\"/results/{name}\">{shown}</a>{plots}</li>");
    }
    html += if reports.is_empty() { "" } else { "</ul>\n" };
    let others = list.other_plots();
    if !others.is_empty() {
        let links = others.iter().map(|name| format!("<li><a href=\"/results/{name}?large=1\">{name}</a></li>\n"));
        let _ = write!(html, "<h2>Other plots</h2>\n<ul class=\"reports\">\n{}</ul>\n", links.collect::<String>());
    }
    if list.trainings.is_empty() {
        return html;
    }
    html += "<h2>Learning curves</h2>\n<ul class=\"reports\">\n";
    for (folder, group) in &list.trainings {
        let state = if curves::is_running(group) { ", running" } else { "" };
        let _ = writeln!(
            html,
            "<li><a href=\"/results/{folder}{CURVES}\">{folder}</a> <span class=\"quiet\">training runs: {}{state}</span></li>",
            group.len()
        );
    }
    html + "</ul>\n"
}

/// Renders Markdown with tables. HTML in the source is shown as text, and only links to web pages and files are kept.
fn html(text: &str) -> String {
    let rendered = markdown::to_html_with_options(text, &markdown::Options::gfm());
    // Only MDX can have syntax errors, so this never fails.
    let html = rendered.unwrap_or_else(|error| format!("<pre>{}</pre>", escape(&error.to_string())));
    let html = link_plots(&html);
    // Columns are aligned with the old `align` attribute, which the content security policy allows.
    let mut parts = html.split("<table>");
    let mut scrolled = parts.next().unwrap_or_default().to_owned();
    for (index, part) in parts.enumerate() {
        let name = format!("Table {}", index + 1);
        let _ = write!(
            scrolled,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\"><table>{part}"
        );
    }
    scrolled.replace("</table>", "</table></div>")
}

/// Turns every plot in a report into a link to a larger version.
fn link_plots(html: &str) -> String {
    const IMAGE: &str = "<img src=\"";
    let mut parts = html.split(IMAGE);
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let source = part.split('"').next().unwrap_or_default();
        match part.split_once('>').filter(|_| kind_of(source).is_some() && !source.contains(':')) {
            Some((image, rest)) => {
                let _ = write!(linked, "<a class=\"plot\" href=\"{source}?large=1\">{IMAGE}{image}></a>{rest}");
            }
            None => linked = linked + IMAGE + part,
        }
    }
    linked
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn reports_and_plots_are_listed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("run/plots")).unwrap();
        for name in
            ["run/report.md", "run/plots/a.svg", "run/plots/a.png", "run/plots/a.csv", "run/.hidden.md", "odd name.md"]
        {
            fs::write(root.join(name), "x").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/hostname", root.join("link.md")).unwrap();
        let results = Results::list(root);
        let known = results.known();
        let names: Vec<&str> = known.1.files.keys().map(String::as_str).collect();
        assert_eq!(names, ["run/plots/a.png", "run/plots/a.svg", "run/report.md"]);
        let index = index(&known.1, root);
        assert!(
            index.contains("<a href=\"/results/run/report.md\">run</a> <span class=\"quiet\">plots: 1</span>"),
            "{index}"
        );
        assert!(!index.contains("Other plots") && !index.contains("not shown"), "{index}");
        assert!(
            !is_large_report(b"# A report\n") && is_large_report(&[b'\n'; 2_001]) && is_large_report(&[b'a'; 400_001])
        );
        drop(known);
        // Plots without a report are listed by name.
        fs::remove_file(root.join("run/report.md")).unwrap();
        fs::write(root.join("b.png"), "x").unwrap();
        let list = List::read(root);
        assert_eq!(list.other_plots(), ["b.png", "run/plots/a.svg"]);
        let index = super::index(&list, root);
        assert!(
            index.contains("<a href=\"/results/run/plots/a.svg?large=1\">run/plots/a.svg</a>")
                && !index.contains("a.png"),
            "{index}"
        );
        assert!(Results::list(&root.join("absent")).is_empty());
    }

    #[test]
    fn markdown_cannot_bring_scripts() {
        let html = html(
            "# A <script>alert(1)</script>\n\n[x](javascript:alert(1)) ![a](plots/a.svg)\n\n| a |\n|--:|\n| 1 |\n",
        );
        assert!(!html.contains("<script") && !html.contains("javascript:"), "{html}");
        assert!(
            html.contains("<a class=\"plot\" href=\"plots/a.svg?large=1\"><img src=\"plots/a.svg\" alt=\"a\" /></a>")
                && html.contains("<td align=\"right\">1</td>"),
            "{html}"
        );
    }
}
