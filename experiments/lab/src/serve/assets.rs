//! The web app's static files, which are compiled into the program.

use super::http::Response;

/// The name, content type and text of each file.
const ASSETS: &[(&str, &str, &str)] = &[
    ("style.css", "text/css; charset=utf-8", include_str!("assets/style.css")),
    ("icon.svg", "image/svg+xml", include_str!("assets/icon.svg")),
    ("analyse.js", "text/javascript; charset=utf-8", include_str!("assets/analyse.js")),
    ("cards.js", "text/javascript; charset=utf-8", include_str!("assets/cards.js")),
    ("download.js", "text/javascript; charset=utf-8", include_str!("assets/download.js")),
    ("drill.js", "text/javascript; charset=utf-8", include_str!("assets/drill.js")),
    ("own-way.js", "text/javascript; charset=utf-8", include_str!("assets/own-way.js")),
    ("play.js", "text/javascript; charset=utf-8", include_str!("assets/play.js")),
    ("curves.js", "text/javascript; charset=utf-8", include_str!("assets/curves.js")),
    ("ways.js", "text/javascript; charset=utf-8", include_str!("assets/ways.js")),
];

/// Returns the file with the given name, if there is one.
pub(super) fn asset(name: &str) -> Option<Response> {
    let (_, kind, text) = ASSETS.iter().find(|(known, ..)| *known == name)?;
    Some(Response::new(200, kind, text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_together_are_small() {
        let size: usize = ASSETS.iter().map(|(.., text)| text.len()).sum();
        assert!(size < 300_000, "{size} bytes");
        assert!(asset("style.css").is_some() && asset("../style.css").is_none());
    }
}
