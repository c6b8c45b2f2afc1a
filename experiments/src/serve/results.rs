//! Reports and plots of a results folder.
//!
//! The files are listed once. A request names one of the list; its path is never opened.

use super::html::escape;
use super::http::Response;
use super::section::Services;
use houseway_env::files;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Path of the list.
pub(super) const RESULTS: &str = "/results/";
/// Maximum depth of the folders that are listed.
const MAX_DEPTH: usize = 5;
/// Maximum number of files that are listed.
const MAX_FILES: usize = 5_000;
/// Maximum size of a file in bytes.
const MAX_FILE: u64 = 20_000_000;
/// Endings of files that are served, and their kinds.
const KINDS: [(&str, &str); 3] = [("md", "text/html"), ("png", "image/png"), ("svg", "image/svg+xml")];

/// The reports and plots of a folder by their names: paths in the folder with slashes.
#[derive(Debug, Default)]
pub struct Results {
    folder: PathBuf,
    files: BTreeMap<String, PathBuf>,
}

impl Results {
    /// Lists the reports and plots of a folder; hidden files, links and files with unusual names are left out.
    pub fn list(folder: &Path) -> Results {
        let mut results = Results { folder: folder.to_owned(), files: BTreeMap::new() };
        results.add(folder, "", 0);
        results
    }

    fn add(&mut self, folder: &Path, prefix: &str, depth: usize) {
        let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let Ok(kind) = entry.file_type() else { continue };
            let Some(name) = entry.file_name().to_str().filter(|name| is_plain(name)).map(str::to_owned) else {
                continue;
            };
            let name = format!("{prefix}{name}");
            if kind.is_dir() && depth < MAX_DEPTH {
                self.add(&entry.path(), &format!("{name}/"), depth + 1);
            } else if kind.is_file() && kind_of(&name).is_some() && self.files.len() < MAX_FILES {
                self.files.insert(name, entry.path());
            }
        }
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns `true` if there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Answers a request for the list, if the name is empty, or for a file; none if it is not in the list.
    pub(super) fn respond(&self, name: &str, services: &Services) -> Option<Response> {
        if name.is_empty() {
            return Some(services.page(200, RESULTS, "Results", &[], &self.index()));
        }
        let path = self.files.get(name)?;
        let read = files::read(path, MAX_FILE).map_err(|error| format!("{name} cannot be read: {error}"));
        Some(match (read, kind_of(name)?) {
            (Ok(bytes), "text/html") => {
                let contents = format!(
                    "<nav aria-label=\"Folder\"><a href=\"/results/\">All results</a></nav>\n<article>{}</article>\n",
                    html(&String::from_utf8_lossy(&bytes))
                );
                services.page(200, RESULTS, name, &[], &contents)
            }
            (Ok(bytes), kind) => Response::file(kind, bytes),
            (Err(reason), _) => {
                let contents = format!("<p class=\"error\" role=\"alert\">{}</p>\n", escape(&reason));
                services.page(404, RESULTS, name, &[], &contents)
            }
        })
    }

    /// Returns the reports as a list with the plots of each.
    fn index(&self) -> String {
        let mut html = "<h1>Results</h1>\n".to_owned();
        let folder = escape(&self.folder.display().to_string());
        let reports: Vec<&String> = self.files.keys().filter(|name| name.ends_with(".md")).collect();
        if reports.is_empty() {
            let _ = write!(
                html,
                "<p>There is no report in the folder {folder}. Every study and analysis with <code>--out</code> writes one.</p>"
            );
        } else {
            let _ = write!(html, "<p>{} reports in the folder {folder}.</p>\n<ul class=\"reports\">\n", reports.len());
        }
        for name in &reports {
            let own = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            let shown = if own.is_empty() || !name.ends_with("/report.md") { name.as_str() } else { own };
            let plots = format!("{own}/plots/");
            let plots = self.files.keys().filter(|file| file.starts_with(&plots) && file.ends_with(".svg")).count();
            let plots = if plots == 0 { String::new() } else { format!(" <span class=\"quiet\">{plots} plots</span>") };
            let _ = writeln!(html, "<li><a href=\"/results/{name}\">{shown}</a>{plots}</li>");
        }
        if reports.is_empty() { html } else { html + "</ul>\n" }
    }
}

/// Returns `true` for a name of letters, digits and `._-` that is not hidden, which needs no escape in a path.
fn is_plain(name: &str) -> bool {
    !name.starts_with('.') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

fn kind_of(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    KINDS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

/// Renders Markdown with tables. HTML in it is text, and links lead to web pages and files only.
fn html(text: &str) -> String {
    let rendered = markdown::to_html_with_options(text, &markdown::Options::gfm());
    // Markdown in which nothing is an error has none.
    let html = rendered.unwrap_or_else(|error| format!("<pre>{}</pre>", escape(&error.to_string())));
    // The alignment of columns is an attribute of old, which a style sheet does not forbid.
    html.replace("<table>", "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>")
        .replace("</table>", "</table></div>")
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let names: Vec<&str> = results.files.keys().map(String::as_str).collect();
        assert_eq!(names, ["run/plots/a.png", "run/plots/a.svg", "run/report.md"]);
        let index = results.index();
        assert!(
            index.contains("<a href=\"/results/run/report.md\">run</a> <span class=\"quiet\">1 plots</span>"),
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
        assert!(html.contains("src=\"plots/a.svg\"") && html.contains("<td align=\"right\">1</td>"), "{html}");
    }
}
