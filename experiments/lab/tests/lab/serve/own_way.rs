//! House ways of the user's own, which are sent with a request.

use super::HAND;
use crate::web::{Server, encoded};
use houseway_env::pai_gow::house_way::Way;

fn own(name: &str) -> String {
    Way::text(name).unwrap().replacen(&format!("name = \"{name}\""), "name = \"mine\"", 1)
}

#[test]
fn a_house_way_of_ones_own_is_used_on_either_side() {
    let server = Server::start(&[]);
    let hand = encoded(HAND);
    let expected = server.get(&format!("/api/ev?hand={hand}&way=wong&banker=foxwoods")).json();
    for (query, text, key) in
        [("way=my-way&banker=foxwoods", "wong", "way"), ("way=wong&banker=my-way", "foxwoods", "banker")]
    {
        let answer = server.post(&format!("/api/ev?hand={hand}&{query}"), &own(text));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let mut json = answer.json();
        assert_eq!(json[key], "mine");
        json[key] = text.into();
        assert_eq!(json, expected, "{query}");
    }
    let both = server.post(&format!("/api/ev?hand={hand}&way=my-way&banker=my-way&dead=Qh"), &own("wong")).json();
    assert_eq!((&both["way"], &both["banker"], &both["dead"]), (&"mine".into(), &"mine".into(), &"Qh".into()));
    let set = server.post(&format!("/api/set?hand={hand}&way=my-way"), &own("wong")).json();
    let named = server.get(&format!("/api/set?hand={hand}&way=wong")).json();
    assert_eq!((&set["front"], &set["rule"]), (&named["front"], &named["rule"]));
    let page = server.post(&format!("/?hand={hand}&way=my-way"), &own("wong")).text();
    assert!(
        page.contains("<dt>mine</dt>") && page.contains("data-post=\"/api/ev?") && !page.contains("href=\"/api/ev"),
        "{page}"
    );
}

#[test]
fn invalid_house_ways_are_refused_at_the_line_and_names_are_never_paths() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, own("wong")).unwrap();
    let server = Server::start(&[]);
    let (hand, file) = (encoded(HAND), file.to_str().unwrap());
    let text = own("wong");
    for (query, body, line, part) in [
        ("way=my-way", format!("nonsense\n{text}"), Some(1), ""),
        ("banker=my-way", format!("{text}\n[[rule]]\nnonsense = 1\n"), Some(text.lines().count() + 3), "nonsense"),
        ("way=my-way", String::new(), None, "not part of the address"),
        ("way=my-way", file.to_owned(), Some(1), ""),
        ("way=my-way&banker=mine", text.clone(), None, "there is no built-in house way"),
        (&*format!("way={file}"), text.clone(), None, "there is no built-in house way"),
        ("way=my-way&set.way.nothing=x", text.clone(), None, "nothing"),
    ] {
        let refused = server.post(&format!("/api/ev?hand={hand}&{query}"), &body);
        assert_eq!(refused.status, 422, "{query}: {}", refused.text());
        let json = refused.json();
        assert_eq!(json["line"].as_u64(), line.map(|line| line as u64), "{query}: {json}");
        assert!(json["error"].as_str().unwrap().contains(part), "{query}: {json}");
    }
    let page = server.get(&format!("/?hand={hand}&way=my-way"));
    assert!(page.status == 422 && page.text().contains("not part of the address"), "{}", page.text());
    assert!(page.text().contains("<option value=\"my-way\" selected>"), "{}", page.text());
    assert_eq!(server.post(&format!("/api/ev?hand={hand}&way=my-way"), &"#".repeat(300_000)).status, 413);
    // Drills and comparisons with built-in house ways don't take one.
    assert_eq!(server.post("/api/drill?way=my-way", "").status, 422);
}
