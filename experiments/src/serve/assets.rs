//! Files of the web app, which are part of the program.

use super::http::Response;

/// Names, kinds and texts of the files.
const ASSETS: &[(&str, &str, &str)] = &[
    ("style.css", "text/css; charset=utf-8", include_str!("assets/style.css")),
    ("icon.svg", "image/svg+xml", include_str!("assets/icon.svg")),
    ("analyse.js", "text/javascript; charset=utf-8", include_str!("assets/analyse.js")),
    ("play.js", "text/javascript; charset=utf-8", include_str!("assets/play.js")),
    ("ways.js", "text/javascript; charset=utf-8", include_str!("assets/ways.js")),
];

/// Returns a file by name.
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
