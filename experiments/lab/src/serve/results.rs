//! The reports, plots, data and learning curves in folders of results.
//!
//! The folders are listed at startup, and again when the list, a folder or learning curves are requested, since training
//! runs add files to it. Requests can only name files on this list, and folders that contain some.

use super::help::{self, HELP};
use super::index::{SCRIPTS, index};
use super::{Request, Response, Services, curves, error_html, escape, lock};
use crate::run::open_inside;
use houseway_env::files;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

pub const RESULTS: &str = "/results/";
/// The folder of the book's chapters, relative to the reference results, whose reports link to it.
const BOOK: &str = "../experiments/book/src/";
const MAX_DEPTH: usize = 5;
/// The maximum number of files to list, of which a run has about ten.
pub const MAX_FILES: usize = 20_000;
/// The extensions of reports, plots, and the data that reports link to, with their content types. Browsers show plain text
/// and JSON, and save other data.
const KINDS: [(&str, &str); 9] = [
    ("md", "text/html"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("csv", "text/csv; charset=utf-8"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("parquet", "application/vnd.apache.parquet"),
    ("safetensors", "application/octet-stream"),
    ("toml", "text/plain; charset=utf-8"),
];
/// The name of the metrics file. Every folder that contains one is a training run.
pub const METRICS: &str = "metrics.csv";
/// The suffix that turns a folder's path into the path for its learning curves.
pub const CURVES: &str = "/curves";
/// The training runs in one folder, keyed by name.
pub type Group = BTreeMap<String, PathBuf>;
/// The age at which the list is replaced by listing the folder again.
const FRESH: Duration = Duration::from_secs(1);
const MAX_FILE: u64 = 20_000_000;
/// The maximum size of a report in bytes and in lines, and its maximum number of characters that can begin or end
/// markup. Rendering takes time in proportion to their squares, and reports have a fifth of each. A larger one is sent as
/// plain text.
const MAX_REPORT: (usize, usize, usize) = (200_000, 2_000, 2_000);

#[derive(Debug)]
pub struct Results {
    /// The folders with the prefixes that the names of their files get. The empty prefix is the last one.
    folders: Vec<(String, PathBuf)>,
    list: Mutex<List>,
}

impl Results {
    /// Lists the reports, plots and training runs in folders, given with the prefixes of their names. Hidden files,
    /// links and files with unusual names are skipped.
    pub fn list(folders: Vec<(String, PathBuf)>) -> Results {
        let list = Mutex::new(List::read(&folders));
        Results { folders, list }
    }

    pub fn title(&self) -> String {
        let names: Vec<String> = self.folders.iter().rev().map(|(_, folder)| folder.display().to_string()).collect();
        names.join(" and ")
    }

    /// Opens a listed file. A file or folder may have been replaced by a link since it was listed.
    fn open(&self, name: &str) -> io::Result<File> {
        let found = self.folders.iter().find_map(|(prefix, folder)| Some((folder, name.strip_prefix(prefix)?)));
        let (folder, name) = found.ok_or(io::ErrorKind::NotFound)?;
        open_inside(folder, Path::new(name))
    }

    pub fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        files::read_opened(self.open(name)?, MAX_FILE)
    }

    fn renew(&self) {
        let mut list = lock(&self.list);
        if list.read.elapsed() > FRESH {
            *list = List::read(&self.folders);
        }
    }

    pub fn count(&self) -> usize {
        lock(&self.list).files.iter().filter(|name| name.ends_with(".md") || is_plot(name)).count()
    }

    /// Responds to a request for a file, for learning curves, or for the list if the name is empty. Returns `None` if
    /// the name isn't listed.
    pub fn respond(&self, request: &Request, name: &str, services: &Services) -> Option<Response> {
        if name.is_empty() {
            self.renew();
            return Some(services.page(200, RESULTS, "Results", SCRIPTS, &index(&lock(&self.list), self)));
        }
        if name.contains(CURVES) {
            self.renew();
        }
        let trainings = lock(&self.list).trainings_of(name);
        if let Some((folder, group, rest)) = trainings {
            let answer = curves::respond(&folder, &group, rest, services)?;
            let is_large = rest.ends_with(".svg") && request.value("large").is_some();
            return Some(if is_large { large(name, &format!("{RESULTS}{folder}{CURVES}"), services) } else { answer });
        }
        if !lock(&self.list).files.contains(name) {
            return self.folder_page(name.trim_end_matches('/'), services);
        }
        if is_plot(name) && request.value("large").is_some() {
            return Some(large(name, RESULTS, services));
        }
        Some(match (self.read(name), kind_of(name)?) {
            (Ok(bytes), "text/html") if is_large_report(&bytes) => Response::file("text/plain; charset=utf-8", bytes),
            (Ok(bytes), "text/html") => {
                self.renew();
                let report = html(&String::from_utf8_lossy(&bytes));
                let contents = format!(
                    "<nav class=\"links\" aria-label=\"Folder\"><a href=\"/results/\">All results</a></nav>\n<article>{}</article>\n",
                    link_plots(&lock(&self.list).without_dead_links(folder_of(name), &report))
                );
                services.page(200, RESULTS, name, &["dom.js", "report.js"], &contents)
            }
            (Ok(bytes), kind) if is_plot(name) => Response::file(kind, bytes),
            (Ok(bytes), kind) => Response::file(kind, bytes).named(name),
            (Err(error), _) => {
                let contents = error_html(&format!("{name} cannot be read: {error}"));
                services.page(404, RESULTS, name, &[], &contents)
            }
        })
    }

    /// Responds with the files and folders in a folder. Returns `None` if the list has none in it.
    fn folder_page(&self, name: &str, services: &Services) -> Option<Response> {
        self.renew();
        let entries = lock(&self.list).entries_of(name);
        if entries.is_empty() {
            return None;
        }
        let links = entries.iter().map(|entry| format!("<li><a href=\"{RESULTS}{name}/{entry}\">{entry}</a></li>\n"));
        let contents = format!(
            "<nav aria-label=\"Folder\"><a href=\"{RESULTS}\">All results</a></nav>\n<h1>{name}</h1>\n\
             <ul class=\"reports\">\n{}</ul>\n",
            links.collect::<String>()
        );
        Some(services.page(200, RESULTS, name, &[], &contents))
    }
}

pub fn is_large_report(bytes: &[u8]) -> bool {
    let (max_bytes, max_lines, max_marks) = MAX_REPORT;
    let count = |marks: &[u8]| bytes.iter().filter(|byte| marks.contains(byte)).count();
    bytes.len() > max_bytes || count(b"\n") > max_lines || count(b"[]*_`~<&$\\") > max_marks
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

/// Renders Markdown with tables. Comments on a line of their own are left out, other HTML in the source is shown as text,
/// and only links to web pages and files are kept.
pub fn html(text: &str) -> String {
    let is_comment = |line: &str| line.starts_with("<!--") && line.trim_end().ends_with("-->");
    let text: String = text.split_inclusive('\n').filter(|line| !is_comment(line)).collect();
    let rendered = markdown::to_html_with_options(&text, &markdown::Options::gfm());
    // Only MDX can have syntax errors, so this never fails.
    let html = rendered.unwrap_or_else(|error| format!("<pre>{}</pre>", escape(&error.to_string())));
    // Columns are aligned with the old `align` attribute, which the content security policy allows.
    let mut parts = html.split("<table>");
    let mut scrolled = parts.next().unwrap_or_default().to_owned();
    for (index, part) in parts.enumerate() {
        let name = format!("Table {}", index + 1);
        scrolled +=
            &format!("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\"><table>{part}");
    }
    // A cell without a text names no column.
    for align in ["", " align=\"left\"", " align=\"center\"", " align=\"right\""] {
        scrolled = scrolled.replace(&format!("<th{align}></th>"), &format!("<td{align}></td>"));
    }
    scrolled.replace("</table>", "</table></div>").replace("<pre>", "<pre tabindex=\"0\">")
}

/// Turns every plot in a report into a link to a larger version.
fn link_plots(html: &str) -> String {
    const IMAGE: &str = "<img src=\"";
    let mut parts = html.split(IMAGE);
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let source = part.split('"').next().unwrap_or_default();
        match part.split_once('>').filter(|_| is_plot(source) && !source.contains(':')) {
            Some((image, rest)) => {
                linked += &format!("<a class=\"plot\" href=\"{source}?large=1\">{IMAGE}{image}></a>{rest}");
            }
            None => linked = linked + IMAGE + part,
        }
    }
    linked
}

/// The reports, plots, data and training runs in a folder. Their names are relative paths with forward slashes.
#[derive(Debug)]
pub struct List {
    read: Instant,
    pub files: BTreeSet<String>,
    pub trainings: BTreeMap<String, Group>,
    /// The number of files beyond [`MAX_FILES`], which are left out.
    pub left_out: usize,
}

impl List {
    /// Lists folders. Hidden files, links and files with unusual names are skipped.
    pub fn read(folders: &[(String, PathBuf)]) -> List {
        let (files, trainings) = Default::default();
        let mut list = List { read: Instant::now(), files, trainings, left_out: 0 };
        for (prefix, folder) in folders {
            list.add(folder, prefix, 0);
        }
        list
    }

    fn add(&mut self, folder: &Path, prefix: &str, depth: usize) {
        let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let Ok(kind) = entry.file_type() else { continue };
            let Some(name) = entry.file_name().to_str().filter(|name| is_plain(name)).map(str::to_owned) else {
                continue;
            };
            if kind.is_file()
                && name == METRICS
                && let Some((group, name)) = prefix.trim_end_matches('/').rsplit_once('/')
            {
                self.trainings.entry(group.to_owned()).or_default().insert(name.to_owned(), folder.to_owned());
            }
            let name = format!("{prefix}{name}");
            if kind.is_dir() && depth < MAX_DEPTH {
                self.add(&entry.path(), &format!("{name}/"), depth + 1);
            } else if kind.is_file() && kind_of(&name).is_some() {
                match self.files.len() < MAX_FILES {
                    true => drop(self.files.insert(name)),
                    false => self.left_out += 1,
                }
            }
        }
    }

    /// Keeps the links of a report in a folder that lead to a listed file or folder. Links to a chapter of the book lead to
    /// its page under *Help*. Other links become plain text. They name strategies that are too large for a repository, for
    /// example.
    fn without_dead_links(&self, folder: &str, html: &str) -> String {
        const LINK: &str = "<a href=\"";
        let mut parts = html.split(LINK);
        let mut kept = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let target = part.split('"').next().unwrap_or_default();
            let path = resolved(folder, target.split(['#', '?']).next().unwrap_or_default());
            let chapter = path.strip_prefix(BOOK).filter(|chapter| help::chapter(chapter).is_some());
            if let Some(chapter) = chapter {
                let rest = part.split_once('"').map_or("", |(_, rest)| rest);
                let heading = target.find('#').map_or("", |at| &target[at..]);
                kept += &format!("{LINK}{HELP}{chapter}{heading}\"{rest}");
            } else if target.starts_with(['#', '/']) || target.contains(':') || self.has(&path) {
                kept = kept + LINK + part;
            } else {
                let text = part.split_once('>').map_or("", |(_, text)| text);
                kept += &text.replacen("</a>", "", 1);
            }
        }
        kept
    }

    fn has(&self, path: &str) -> bool {
        let folder = path.trim_end_matches('/');
        self.files.contains(path) || !self.entries_of(folder).is_empty() || self.trainings_of(path).is_some()
    }

    /// Returns the names of the files and folders directly in a folder. The names of folders end with a slash.
    fn entries_of(&self, folder: &str) -> BTreeSet<String> {
        let inside = self.files.iter().filter_map(|name| name.strip_prefix(folder)?.strip_prefix('/'));
        inside.map(|name| name.split_inclusive('/').next().unwrap_or_default().to_owned()).collect()
    }

    /// Returns the plots that have no report in their folder or, if it is named `plots`, in its parent folder. If a plot
    /// exists as PNG and SVG, only the SVG is returned.
    pub fn other_plots(&self) -> Vec<&str> {
        let reports = self.files.iter().filter(|name| name.ends_with(".md"));
        let reported: BTreeSet<&str> = reports.map(|name| folder_of(name)).collect();
        let has_report = |name: &str| {
            let folder = folder_of(name);
            let is_plots = folder.rsplit('/').next() == Some("plots");
            reported.contains(folder) || is_plots && reported.contains(folder_of(folder))
        };
        let has_svg =
            |name: &str| name.strip_suffix(".png").is_some_and(|stem| self.files.contains(&format!("{stem}.svg")));
        let plots = self.files.iter().map(String::as_str).filter(|name| is_plot(name));
        plots.filter(|name| !has_report(name) && !has_svg(name)).collect()
    }

    /// Finds the training runs whose learning curves are requested under a name. Returns their folder, the training
    /// runs and the rest of the name.
    pub fn trainings_of<'a>(&self, name: &'a str) -> Option<(String, Group, &'a str)> {
        self.trainings.iter().find_map(|(folder, group)| {
            let rest = name.strip_prefix(folder.as_str())?.strip_prefix(CURVES)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| (folder.clone(), group.clone(), rest))
        })
    }
}

/// Returns the folder of a file or folder. Empty for names at the top level.
pub fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Resolves a relative link in a folder. The path begins with `..` if it leads out of the results.
fn resolved(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns `true` if a name consists of ASCII letters, digits and `._-` and isn't hidden. Such a name can be part of a
/// URL without escaping.
pub fn is_plain(name: &str) -> bool {
    !name.starts_with('.') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// Returns the content type for the name of a report, a plot or data, or `None` for other names.
pub fn kind_of(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    KINDS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

fn is_plot(name: &str) -> bool {
    kind_of(name).is_some_and(|kind| kind.starts_with("image/"))
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
        for name in [
            "run/report.md",
            "run/plots/a.svg",
            "run/plots/a.png",
            "run/plots/a.csv",
            "run/.hidden.md",
            "odd name.md",
            "run/x.sh",
        ] {
            fs::write(root.join(name), "x").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/hostname", root.join("link.md")).unwrap();
        let folders = |root: &Path| vec![(String::new(), root.to_owned())];
        let results = Results::list(folders(root));
        let known = lock(&results.list);
        let names: Vec<&str> = known.files.iter().map(String::as_str).collect();
        assert_eq!(names, ["run/plots/a.csv", "run/plots/a.png", "run/plots/a.svg", "run/report.md"]);
        assert_eq!(known.entries_of("run").into_iter().collect::<Vec<_>>(), ["plots/", "report.md"]);
        assert!(known.entries_of("ru").is_empty() && known.entries_of("").is_empty());
        let index = index(&known, &results);
        assert!(
            index.contains("<a href=\"/results/run/report.md\">run</a></h3>\n<p class=\"quiet\">run</p>"),
            "{index}"
        );
        assert!(!index.contains("Other plots") && !index.contains("not shown"), "{index}");
        assert!(!is_large_report(b"# A report\n") && !is_large_report(&[b'a'; 200_000]));
        // Lists of unfinished links and emphasis take time in proportion to their square, too.
        for text in [vec![b'\n'; 2_001], vec![b'a'; 200_001], vec![b'['; 2_001], b"*a_ ".repeat(1_001)] {
            assert!(is_large_report(&text));
        }
        drop(known);
        // Plots without a report are listed by name.
        fs::remove_file(root.join("run/report.md")).unwrap();
        fs::write(root.join("b.png"), "x").unwrap();
        let list = List::read(&folders(root));
        assert_eq!(list.other_plots(), ["b.png", "run/plots/a.svg"]);
        let index = super::index(&list, &results);
        assert!(
            index.contains("<a href=\"/results/run/plots/a.svg?large=1\">run/plots/a.svg</a>")
                && !index.contains("a.png"),
            "{index}"
        );
        assert!(Results::list(folders(&root.join("absent"))).count() == 0);
        // Files of a second folder have its prefix.
        let both = Results::list(vec![("runs/".to_owned(), root.join("run")), (String::new(), root.to_owned())]);
        assert!(lock(&both.list).files.contains("runs/plots/a.png") && both.open("runs/plots/a.png").is_ok());
        assert!(both.open("run/plots/a.png").is_ok() && both.open("runs/b.png").is_err());
    }

    #[test]
    fn links_lead_to_files_chapters_and_the_web() {
        help::set_book(help::SHORT);
        let files = ["a/report.md", "a/b/data.csv", "c.md"].map(str::to_owned).into();
        let list = List { read: Instant::now(), files, trainings: BTreeMap::new(), left_out: 0 };
        let kept = |target: &str| list.without_dead_links("a", &html(&format!("x [y `z`]({target}) w")));
        let text = "y <code>z</code>";
        for target in ["b/data.csv", "../c.md#part", "b/", "b", "report.md", "#part", "https://example.org/"] {
            assert_eq!(kept(target), format!("<p>x <a href=\"{target}\">{text}</a> w</p>"));
        }
        for target in ["b/strategy.parquet", "c.md", "../../c.md", "../../experiments/book/src/none.md"] {
            assert_eq!(kept(target), format!("<p>x {text} w</p>"), "{target}");
        }
        let chapter = kept("../../experiments/book/src/how-to/run.md#files");
        assert_eq!(chapter, format!("<p>x <a href=\"/help/how-to/run.md#files\">{text}</a> w</p>"));
    }

    #[test]
    fn markdown_cannot_bring_scripts() {
        let html = link_plots(&html(
            "# A <script>alert(1)</script>\n\n[x](javascript:alert(1)) ![a](plots/a.svg)\n\n| a |\n|--:|\n| 1 |\n",
        ));
        assert!(!html.contains("<script") && !html.contains("javascript:"), "{html}");
        assert!(
            html.contains("<a class=\"plot\" href=\"plots/a.svg?large=1\"><img src=\"plots/a.svg\" alt=\"a\" /></a>")
                && html.contains("<td align=\"right\">1</td>"),
            "{html}"
        );
    }
}
