//! A test that every exact figure depends on each rule that it is printed under.

use super::common::houseway;
use houseway_env::registry;
use predicates::prelude::predicate;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// An exact figure, given by command lines of one game.
struct Figure {
    game: &'static str,
    /// They begin with the one that tells most rules apart, or with the fastest.
    lines: &'static [&'static [&'static str]],
    /// The rules that the figure doesn't depend on, so that the commands refuse them.
    refuses: &'static [&'static str],
    /// Other rules that the figure doesn't depend on.
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
        refuses: &["side-bet-best"],
        ignores: &[],
    },
    Figure {
        game: "pai-gow-poker",
        lines: &[&["solve", "--no-cache", "--shard", "7/9880"]],
        refuses: &["side-bet-best"],
        // A shard has counts, which are the same for any payoff.
        ignores: &["collection", "commission", "commission-bet"],
    },
    // The side bet only depends on the categories of the player's hand, which none of these rules changes.
    Figure {
        game: "pai-gow-poker",
        lines: &[&["side-bet"]],
        refuses: &[
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
        ignores: &[],
    },
    Figure {
        game: "ultimate-holdem",
        lines: &[
            &["ev", "9s 9d", "--board", "9h Kc 7c 7d 2h", "--trips", "1"],
            &["ev", "9s 8s", "--board", "Ks 5s 3s 7d 2h", "--trips", "1"],
            &["ev", "As 2d"],
        ],
        refuses: &[],
        // Only one paytable of the Blind bet exists.
        ignores: &["blind-table"],
    },
    Figure {
        game: "joker-seven",
        lines: &[&["solve"]],
        // A wager's return is the same for any stake and for any number of players.
        refuses: &["common-hand", "maximum", "minimum"],
        ignores: &[],
    },
    Figure { game: "asian-stud", lines: &[&["solve"]], refuses: &[], ignores: &[] },
    Figure { game: "pai-gow-tiles", lines: &[&["solve"]], refuses: &[], ignores: &[] },
    Figure {
        game: "face-up-pai-gow",
        lines: &[
            &["ev", "Jk As Qs 9s 4s Ad Kh"],
            &["ev", "Jk As 2s 3s 4s 5s 9s"],
            &["ev", "As Ad 2c 3d 4h 5c Jk"],
            &["ev", "As Kd Jk 7c 7d 2h 3s"],
        ],
        refuses: &[],
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

/// Asserts that a command refuses a change of a rule on the command line, but not in a file.
fn assert_refused(game: &str, line: &[&str], set: &str) {
    let line = [line, &["-g", game]].concat();
    let message = format!("the rule {set} has no effect here; leave it out");
    houseway(&[&line[..], &["--set", set]].concat()).code(2).stderr(predicate::str::contains(message));
}

#[test]
fn rules_without_effect_are_refused() {
    let bets =
        ["bank-pushes=eight_high_front", "collection=1/40", "commission=0.04", "commission-bet=50", "copies=pushed"];
    let hand = "As Kd Jk 7c 7d 2h 3s";
    for (game, line, sets) in [
        ("pai-gow-poker", &["check", "trump-plaza"][..], &bets[..]),
        ("pai-gow-poker", &["set", hand], &bets),
        ("pai-gow-poker", &["identify", "hands.txt"], &bets),
        ("pai-gow-poker", &["audit", "trump-plaza"], &["side-bet-best=best_rank"]),
        ("joker-seven", &["par"], &["minimum=2"]),
        ("pai-gow-poker", &["side-bet"], &["way.quads-with-pair=keep"]),
        ("pai-gow-tiles", &["audit", "traditional"], &["way=canberra"]),
        ("pai-gow-tiles", &["check", "traditional"], &["way=canberra", "bank=player"]),
        ("pai-gow-tiles", &["compare"], &["way=canberra"]),
        ("pai-gow-tiles", &["equilibrium"], &["way=canberra", "fox-last=off", "only-way=off"]),
        ("pai-gow-tiles", &["side-bet"], &["commission=none", "way=canberra"]),
        ("PaiGowTiles-v0", &["side-bet"], &["zero=ranked"]),
        ("asian-stud", &["side-bet"], &["odds-on=both", "commission=none", "commission-rate=0.04"]),
        ("ultimate-holdem", &["side-bet"], &["preflop-play=three", "rounding=down"]),
        ("ultimate-holdem", &["side-bet", "holdem-bonus"], &["hole-cards=both"]),
        ("face-up-pai-gow", &["side-bet"], &["dealer-pushes=none", "equal-setting=foul"]),
    ] {
        sets.iter().for_each(|set| assert_refused(game, line, set));
    }
    // A file describes a game for all commands.
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("rules.toml");
    // The dealer's house way can't set all hands by this rule, but the bet isn't on how they are set.
    fs::write(&rules, "equal-setting = \"foul\"\n").unwrap();
    for game in ["pai-gow-poker", "face-up-pai-gow"] {
        houseway(&["side-bet", "-g", game, "--rules", rules.to_str().unwrap()]).success();
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
            if figure.refuses.contains(&&*rule) {
                assert_refused(figure.game, figure.lines[0], &set);
                continue;
            }
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
