//! Parts of pages.

use std::fmt::Write;

/// Returns a text with the characters that have a meaning in HTML escaped, for contents and quoted attributes.
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

/// Returns a page: its navigation, of which `current` is one path, and its contents. Scripts are names of assets.
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
         <a class=\"skip\" href=\"#main\">Skip to the contents</a>\n\
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
