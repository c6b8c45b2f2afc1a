//! The book, as pages under *Help*.

use super::{Response, Services, html};
use std::sync::OnceLock;

pub const HELP: &str = "/help/";
const CONTENTS: &str = "SUMMARY.md";

/// The paths of the book's chapters and pictures, relative to the book, and their contents.
pub type Book = &'static [(&'static str, &'static str)];

static BOOK: OnceLock<Book> = OnceLock::new();

/// Sets the book that is shown under *Help*. Without one, there is no such page.
pub fn set_book(book: Book) {
    BOOK.get_or_init(|| book);
}

pub fn has_book() -> bool {
    BOOK.get().is_some()
}

/// Returns the text of a chapter or picture, or `None` if the book has no such file.
pub fn chapter(name: &str) -> Option<&'static str> {
    BOOK.get()?.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Responds to a request for a chapter, for a picture, or for the list of chapters if the name is empty. Returns `None`
/// if the book has no such file.
pub fn respond(name: &str, services: &Services) -> Option<Response> {
    let name = if name.is_empty() { CONTENTS } else { name };
    let text = chapter(name)?;
    if name.ends_with(".svg") {
        return Some(Response::new(200, "image/svg+xml", text.as_bytes()));
    }
    // The parts of the book are headings of the same level as the title of this page, which has two addresses.
    let contents = || text.replace("\n# ", "\n## ").replacen("Summary", "Help", 1).replace("](", &format!("]({HELP}"));
    let text = if name == CONTENTS { &contents() } else { text };
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(name);
    let article = format!("<article>{}</article>\n", with_anchors(&html(text)));
    let contents = if name == CONTENTS {
        article
    } else {
        let back = "<nav aria-label=\"Book\"><a href=\"/help/\">All chapters</a></nav>\n";
        format!("{back}{article}{}", neighbors(name))
    };
    Some(services.page(200, HELP, title, &[], &contents))
}

/// Returns links to the chapters before and after one.
fn neighbors(name: &str) -> String {
    let chapters: Vec<(&str, &str)> = chapter(CONTENTS).unwrap_or_default().lines().filter_map(link).collect();
    let Some(place) = chapters.iter().position(|(_, path)| *path == name) else {
        return String::new();
    };
    let mut links = vec![];
    for (label, neighbor) in [("Previous", place.checked_sub(1)), ("Next", Some(place + 1))] {
        if let Some((title, path)) = neighbor.and_then(|neighbor| chapters.get(neighbor)) {
            links.push(format!("{label}: <a href=\"{HELP}{path}\">{title}</a>"));
        }
    }
    format!("<nav aria-label=\"Chapters\">{}</nav>\n", links.join(" · "))
}

/// Returns the title and the path in a line of the list of chapters.
fn link(line: &str) -> Option<(&str, &str)> {
    let (title, rest) = line.split_once('[')?.1.split_once("](")?;
    Some((title, rest.strip_suffix(')')?))
}

/// Gives all headings an ID that is made of their text, as on GitHub and in mdBook.
fn with_anchors(html: &str) -> String {
    let mut lines: Vec<String> = html.lines().map(str::to_owned).collect();
    for line in &mut lines {
        let Some(level) = ["1", "2", "3", "4"].into_iter().find(|level| line.starts_with(&format!("<h{level}>")))
        else {
            continue;
        };
        let (open, close) = (format!("<h{level}>"), format!("</h{level}>"));
        if let Some(heading) = line.strip_prefix(&open).and_then(|rest| rest.strip_suffix(&close)) {
            *line = format!("<h{level} id=\"{}\">{heading}{close}", anchor(heading));
        }
    }
    lines.join("\n")
}

fn anchor(heading: &str) -> String {
    // Code is marked by tags, and some characters are written as entities. Neither is part of an anchor.
    let (mut anchor, mut end) = (String::new(), None);
    for character in heading.to_lowercase().chars() {
        match character {
            _ if end == Some(character) => end = None,
            _ if end.is_some() => {}
            '<' => end = Some('>'),
            '&' => end = Some(';'),
            ' ' => anchor.push('-'),
            _ if character.is_alphanumeric() || "-_".contains(character) => anchor.push(character),
            _ => {}
        }
    }
    anchor
}

/// A book for tests.
#[cfg(test)]
pub const SHORT: Book = &[
    ("SUMMARY.md", "# Summary\n\n[Houseway](index.md)\n\n# Start\n\n- [Run it](how-to/run.md)\n"),
    ("how-to/run.md", "# Run <it>\n\n## `--out` & files\n\n![a](../a.svg)\n"),
    ("a.svg", "<svg/>"),
];

#[cfg(test)]
mod tests {
    use super::super::Results;
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    #[test]
    fn chapters_and_pictures_are_shown_and_nothing_else() {
        set_book(SHORT);
        let services = Services::new(vec![], &[], Results::list(vec![]));
        let page = |name: &str| String::from_utf8(respond(name, &services).unwrap().body.to_vec()).unwrap();
        let contents = page("");
        assert!(contents.contains("<h1 id=\"help\">Help</h1>"), "{contents}");
        assert!(contents.contains("<h2 id=\"start\">Start</h2>"), "{contents}");
        assert!(contents.contains("<a href=\"/help/how-to/run.md\">"), "{contents}");
        let chapter = page("how-to/run.md");
        assert!(chapter.contains("<title>Run &lt;it&gt; · Houseway</title>"), "{chapter}");
        assert!(chapter.contains("<h1 id=\"run-it\">Run &lt;it&gt;</h1>"), "{chapter}");
        assert!(chapter.contains("Previous: <a href=\"/help/index.md\">Houseway</a></nav>"), "{chapter}");
        assert!(chapter.contains("<img src=\"../a.svg\" alt=\"a\" />"), "{chapter}");
        assert_eq!(page("a.svg"), "<svg/>");
        assert!(respond("how-to", &services).is_none() && respond("../Cargo.toml", &services).is_none());
    }

    #[test]
    fn headings_have_the_anchors_of_the_book() {
        let html = with_anchors(&html("# Solve a game\n\n## `--out` & files\n\ntext\n"));
        assert!(html.contains("<h1 id=\"solve-a-game\">Solve a game</h1>"), "{html}");
        assert!(html.contains("<h2 id=\"--out--files\"><code>--out</code> &amp; files</h2>"), "{html}");
    }

    /// Returns the paths of all Markdown files in a folder.
    fn chapters(folder: &Path) -> Vec<PathBuf> {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        paths
            .flat_map(|path| if path.is_dir() { chapters(&path) } else { vec![path] })
            .filter(|path| path.extension().is_some_and(|it| it == "md"))
            .collect()
    }

    #[test]
    fn styles_of_elements_do_not_apply_to_headings() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let texts = ["experiments/book/src", "env/docs"].iter().flat_map(|folder| chapters(&root.join(folder)));
        let texts: String = texts.map(|path| fs::read_to_string(path).unwrap()).collect();
        let headings =
            texts.lines().filter(|line| line.starts_with('#')).map(|line| anchor(line.trim_start_matches('#').trim()));
        let headings: BTreeSet<String> = headings.collect();
        assert!(headings.contains("table") && headings.len() > 100, "{headings:?}");
        let style = include_str!("assets/style.css");
        let is_word = |it: char| it.is_ascii_alphanumeric() || it == '-';
        for (at, _) in style.match_indices('#') {
            let id = style[at + 1..].split(|it| !is_word(it)).next().unwrap();
            // A selector like `section#table` is for the pages that have such a section.
            let is_scoped = style[..at].ends_with(is_word);
            assert!(is_scoped || !headings.contains(id), "#{id} also applies to the heading '{id}' of a chapter");
        }
    }
}
