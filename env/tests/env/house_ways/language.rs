//! Compares the page about the rule language with the parser. The page must document every word that the parser
//! accepts, and every example must compile and set hands.

use houseway_env::pai_gow::house_way::{Part, Position, Shape, Way};
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rank::Category;
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../house-ways/LANGUAGE.md");

const READING: &str = "text = \"x\"\noptions = [\"yes\", \"no\"]\n";
const REST: &str = "[[rule]]\nname = \"rest\"\ntext = \"x\"\nplay = {}\n";
/// Rules that use the group defined in the example.
const GROUPED: &str = "[[rule]]\nname = \"one\"\ntext = \"x\"\nwhen = { shape = \"strong\" }\nplay = {}\n\
                       [[rule]]\nname = \"rest\"\ntext = \"x\"\nplay = {}\n";

/// Returns the cells of all tables on the page with this number of columns, excluding headers.
fn rows(columns: usize) -> Vec<Vec<&'static str>> {
    let cells = |line: &'static str| -> Vec<&'static str> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
    };
    let rows = PAGE.lines().filter(|line| line.starts_with("| ")).map(cells);
    rows.filter(|row| row.len() == columns && row[1] != "word").collect()
}

/// Returns the words that the page lists for a place.
fn words_of(place: &str, columns: usize) -> BTreeSet<String> {
    rows(columns).into_iter().filter(|row| row[0] == place).map(|row| row[1].to_owned()).collect()
}

fn head(reading: &str) -> String {
    format!("name = \"x\"\ntitle = \"x\"\nsource = \"x\"\n[readings.choice]\n{reading}")
}

fn rule(when: &str, play: &str) -> String {
    format!(
        "{}[[rule]]\nname = \"shown\"\ntext = \"x\"\nwhen = {{ {when} }}\nplay = {{ {play} }}\n{REST}",
        head(READING)
    )
}

/// Wraps the example for a place in a complete house way.
fn around(place: &str, word: &str, example: &str) -> String {
    let or = |key: &str, text: &str| if word == key { String::new() } else { format!("{key} = {text}\n") };
    let play = |prefix: &str| format!("{prefix}{}{}play = {{}}\n", or("name", "\"x\""), or("text", "\"x\""));
    match place {
        "file" => {
            let keys: String = ["name", "title", "source"].map(|key| or(key, "\"x\"")).concat();
            let rest = match word {
                "rule" => "",
                "groups" => GROUPED,
                _ => REST,
            };
            format!("{keys}{example}\n{rest}")
        }
        "reading" => {
            let kept = READING.lines().filter(|line| !line.starts_with(word)).map(|line| format!("{line}\n"));
            format!("{}{REST}", head(&format!("{}{example}\n", kept.collect::<String>())))
        }
        "rule" if word == "play" => format!("{}[[rule]]\nname = \"x\"\ntext = \"x\"\n{example}\n", head(READING)),
        "rule" => format!(
            "{}{}{example}\n{}",
            head(READING),
            play("[[rule]]\n"),
            match word {
                // Other examples leave no hands for a later rule.
                "when" => REST,
                _ => "",
            }
        ),
        "when" => rule(example, ""),
        "play" => rule("", example),
        other => panic!("unknown place on the page: \"{other}\""),
    }
}

/// Compiles a house way and surveys it. The survey rejects rules that set no hand.
fn survey(game: &Game, text: &str) {
    let way = Way::parse(text, "LANGUAGE.md").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let survey = way.survey(game).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!((survey.uncovered, survey.fouls), (0, 0), "{text}");
}

/// Returns the words that the parser suggests when it finds an unknown one.
fn known(text: &str) -> BTreeSet<String> {
    let error = Way::parse(text, "odd.toml").unwrap_err().to_string();
    let expected = error.split_once("expected").unwrap_or_else(|| panic!("{error}")).1;
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_page_documents_exactly_the_words_of_the_parser() {
    let odd = "odd = 1";
    let places = [
        ("file", format!("{odd}\n{}{REST}", head(READING))),
        ("reading", format!("{}{odd}\n{REST}", head(READING))),
        ("rule", format!("{}{REST}{odd}\n", head(READING))),
        ("when", rule(odd, "")),
        ("play", rule("", odd)),
        // Nested places accept the same words.
        ("when", rule(&format!("except = {{ {odd} }}"), "")),
        ("play", rule(&format!("possible = {{ {odd} }}"), "")),
        ("play", rule("", &format!("except = {{ {odd} }}"))),
        ("play", rule("", &format!("front-above = {{ {odd} }}"))),
    ];
    for (place, text) in places {
        assert_eq!(words_of(place, 4), known(&text), "words of {place}");
    }
    let set = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<BTreeSet<String>>();
    assert_eq!(words_of("shape", 3), set(&Shape::ALL.map(Shape::name)));
    assert_eq!(words_of("part", 3), set(&Part::NAMES));
    assert_eq!(words_of("position", 3), set(&Position::NAMES));
    assert_eq!(words_of("back", 3), set(&[&Category::ALL.map(Category::name)[..], &["complete"]].concat()));
    assert_eq!(words_of("prefer", 3), known(&format!("{}{REST}prefer = \"odd\"\n", head(READING))));
}

#[test]
fn every_example_on_the_page_sets_hands() {
    let game = Game::new(Rules::default());
    for row in rows(4) {
        let [place, word, _, example] = row[..] else { unreachable!() };
        assert!(
            example.contains(&format!("{word} = ")) || place == "file",
            "the example of {word} does not use it: {example}"
        );
        survey(&game, &around(place, word, example));
    }
    let part_of = |shape: &str| match shape {
        "aces" => "five aces",
        "quads" => "four of a kind",
        "trips" | "second-trips" => "two threes of a kind",
        "middle-pair" => "three pairs",
        "high-pair" | "low-pair" => "two pairs",
        _ => "one pair",
    };
    for row in rows(3) {
        let [kind, word, _] = row[..] else { unreachable!() };
        survey(
            &game,
            &match kind {
                "shape" => rule(&format!("shape = \"{word}\""), ""),
                "part" => rule(
                    &format!("shape = \"{}\"", part_of(word)),
                    &format!("front = [\"{word} {word}\", \"{word} single\"]"),
                ),
                "position" if word == "first-single" => rule("", "front = \"first-single seventh-single\""),
                "position" => rule("shape = \"no pair\"", &format!("front = \"first-single {word}\"")),
                "back" => rule("", &format!("back = \"{word}\"")),
                "prefer" => format!("{}{REST}prefer = \"{word}\"\n", head(READING)),
                other => panic!("unknown kind on the page: \"{other}\""),
            },
        );
    }
}

#[test]
fn the_file_on_the_page_is_a_house_way() {
    let blocks: Vec<&str> = PAGE.split("```toml\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    assert!(!blocks.is_empty());
    let game = Game::new(Rules::default());
    blocks.into_iter().for_each(|block| survey(&game, block));
}
