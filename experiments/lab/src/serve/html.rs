//! HTML helpers that are shared by all pages.

use std::fmt::Write;

/// Escapes the characters that have a special meaning in HTML. The result can be used as content or in a quoted
/// attribute.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            other => escaped.push(other),
        }
    }
    escaped
}

/// Returns a complete page with the given contents.
///
/// `navigation` lists the paths and titles of all main pages, and `current` is the path to mark as the current one.
/// `scripts` are the names of the script assets to load.
pub fn page(navigation: &[(&str, &str)], current: &str, title: &str, scripts: &[&str], contents: &str) -> String {
    let mut links = String::new();
    for (path, title) in navigation {
        let mark = if *path == current { " aria-current=\"page\"" } else { "" };
        let _ = write!(links, "<li><a href=\"{path}\"{mark}>{}</a></li>", escape(title));
    }
    let scripts: String =
        scripts.iter().map(|name| format!("<script src=\"/assets/{name}\" defer></script>\n")).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} · Houseway</title>\n\
         <link rel=\"icon\" href=\"/assets/icon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"/assets/style.css\">\n{scripts}</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to content</a>\n\
         <header><a class=\"brand\" href=\"/\">Houseway</a><nav aria-label=\"Pages\"><ul>{links}</ul></nav></header>\n\
         <main id=\"main\">\n{contents}</main>\n</body>\n</html>\n",
        title = escape(title),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_markup() {
        assert_eq!(escape("<a href='x'>\"&\""), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;");
        let html = page(&[("/", "A & B")], "/", "</title>", &["a.js"], "");
        assert!(
            html.contains("<title>&lt;/title&gt; ·") && html.contains("aria-current=\"page\">A &amp; B<"),
            "{html}"
        );
    }
}
