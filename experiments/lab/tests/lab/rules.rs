//! A test that every exact figure depends on each rule that it is printed under.

use super::common::houseway;
use houseway_env::registry;
use serde_json::Value;
use std::collections::BTreeMap;

/// An exact figure, given by command lines of one game.
struct Figure {
    game: &'static str,
    /// They begin with the one that tells most rules apart, or with the fastest.
    lines: &'static [&'static [&'static str]],
    /// The rules that the figure doesn't depend on, which are those about something else.
    ignores: &'static [&'static str],
}

const FIGURES: &[Figure] = &[
    Figure {
        game: "pai-gow-poker",
        lines: &[
            &["ev", "Jk As Qs 9s 4s Ad Kh"],
            &["ev", "Jk As 2s 3s 4s 5s 9s"],
            &["ev", "As Ad 2c 3d 4h 5c Jk"],
            &["ev", "As Kd Jk 7c 7d 2h 3s"],
        ],
        ignores: &["side-bet-best"],
    },
    Figure {
        game: "pai-gow-poker",
        lines: &[&["solve", "--no-cache", "--shard", "7/900"]],
        // A shard has counts, which are the same for any payoff.
        ignores: &["collection", "commission", "commission-bet", "side-bet-best"],
    },
    // The side bet only depends on the categories of the player's hand, which none of these rules changes.
    Figure {
        game: "pai-gow-poker",
        lines: &[&["side-bet"]],
        ignores: &[
            "bank-pushes",
            "collection",
            "commission",
            "commission-bet",
            "copies",
            "equal-setting",
            "joker-in-flush",
            "wheel-straight",
            "wheel-straight-flush",
        ],
    },
    Figure {
        game: "ultimate-holdem",
        lines: &[
            &["ev", "9s 9d", "--board", "9h Kc 7c 7d 2h", "--trips", "1"],
            &["ev", "9s 8s", "--board", "Ks 5s 3s 7d 2h", "--trips", "1"],
            &["ev", "As 2d"],
        ],
        // Only one paytable of the Blind bet exists.
        ignores: &["blind-table"],
    },
    Figure {
        game: "joker-seven",
        lines: &[&["solve"]],
        // A wager's return is the same for any stake and for any number of players.
        ignores: &["common-hand", "maximum", "minimum"],
    },
    Figure { game: "asian-stud", lines: &[&["solve"]], ignores: &[] },
    Figure { game: "pai-gow-tiles", lines: &[&["solve"]], ignores: &[] },
    Figure {
        game: "face-up-pai-gow",
        lines: &[
            &["ev", "Jk As Qs 9s 4s Ad Kh"],
            &["ev", "Jk As 2s 3s 4s 5s 9s"],
            &["ev", "As Ad 2c 3d 4h 5c Jk"],
            &["ev", "As Kd Jk 7c 7d 2h 3s"],
        ],
        ignores: &[],
    },
];

/// The games without a figure of their own: their commands print those of Pai Gow Poker.
const WITHOUT: [&str; 2] = ["pai-gow-known-cards", "pai-gow-table"];

/// Returns the figure that a command prints, without the names of the rules, or `None` if the command refuses the rules.
fn printed(figure: &Figure, line: &[&str], sets: &[String]) -> Option<Value> {
    let sets = sets.iter().flat_map(|set| ["--set", set]);
    let answer = houseway(&[line, &["-g", figure.game, "--json"]].concat().into_iter().chain(sets).collect::<Vec<_>>());
    let mut answer: Value = serde_json::from_slice(&answer.get_output().stdout).ok()?;
    let fields = answer.as_object_mut()?;
    fields.retain(|key, _| !["by_reading", "machine", "rules", "rules_hash", "seal"].contains(&key.as_str()));
    Some(answer)
}

/// Returns all values of a rule other than the default as `key=value`. Rules that are numbers have one other value.
fn changes(figure: &Figure) -> Vec<(String, String)> {
    let game = registry::find(figure.game).unwrap();
    let options = game.rules.readings.iter().chain(game.rules.variants).flat_map(|rule| {
        rule.options[1..].iter().map(|option| (rule.name.to_owned(), format!("{}={option}", rule.name)))
    });
    let numbers = game.parameters().into_iter().map(|(name, value)| {
        let other = match value {
            Value::Number(number) if number.is_u64() => "2",
            Value::Number(_) => "0.04",
            _ if name == "collection" => "1/40",
            _ => "50",
        };
        let set = format!("{name}={other}");
        (name, set)
    });
    options.chain(numbers).collect()
}

#[test]
fn every_game_has_a_figure() {
    for game in registry::games() {
        let figures = FIGURES.iter().filter(|figure| figure.game == game.name).count();
        assert_eq!(figures == 0, WITHOUT.contains(&game.name), "{}", game.name);
    }
}

/// Returns whether any command of a figure prints something else under changed rules.
fn differs(figure: &Figure, defaults: &[Option<Value>], sets: &[String]) -> bool {
    figure.lines.iter().zip(defaults).any(|(line, default)| printed(figure, line, sets) != *default)
}

#[test]
fn every_figure_depends_on_each_rule() {
    for figure in FIGURES {
        let defaults: Vec<Option<Value>> = figure.lines.iter().map(|line| printed(figure, line, &[])).collect();
        assert!(defaults.iter().all(Option::is_some), "{}: {:?}", figure.game, figure.lines);
        let mut ignored: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (rule, set) in changes(figure) {
            if figure.ignores.contains(&&*rule) {
                ignored.entry(rule).or_default().push(set);
                continue;
            }
            let sets = [set];
            assert!(differs(figure, &defaults, &sets), "{} {:?} with {sets:?}", figure.game, figure.lines[0]);
        }
        // All of them change at once. Each value of a rule has its turn.
        let turns = ignored.values().map(Vec::len).max().unwrap_or_default();
        for turn in 0..turns {
            let sets: Vec<String> = ignored.values().map(|values| values[turn % values.len()].clone()).collect();
            assert!(!differs(figure, &defaults, &sets), "{} {:?} with {sets:?}", figure.game, figure.lines[0]);
        }
    }
}
