//! The worked examples of the rules, and all hands under every house way.

use super::house_way::Way;
use super::*;
use crate::pai_gow::Outcome;
use crate::rules::RuleSet;

fn game(settings: &[&str]) -> Game {
    Game::new(settings.iter().fold(Rules::default(), |rules, setting| rules.with(setting).unwrap()))
}

fn tiles(text: &str) -> [Tile; 2] {
    // Two more tiles that are in no half below make a hand of them.
    let hand: Hand = format!("{text} {text}").parse().unwrap_or_else(|_| {
        let fill = ["3-3 3-3", "2-2 2-2", "5-5 5-5"].into_iter().find(|fill| !text.contains(&fill[..3])).unwrap();
        format!("{text} {fill}").parse().unwrap()
    });
    let mut left: Vec<Tile> = hand.tiles().to_vec();
    let mut take = |face: &str| left.remove(left.iter().position(|tile| tile.face() == face).unwrap());
    let (a, b) = text.split_once(' ').unwrap();
    [take(a), take(b)]
}

fn half(game: &Game, text: &str) -> Half {
    game.half(tiles(text))
}

/// Examples 1 to 4.
#[test]
fn halves_are_ordered() {
    let game = game(&[]);
    let order = [
        "4-2 2-1", "6-6 6-6", "1-1 1-1", "4-4 4-4", "3-1 3-1", "5-5 5-5", "3-3 3-3", "2-2 2-2", "6-5 6-5", "6-4 6-4",
        "6-1 6-1", "5-1 5-1", "6-3 5-4", "6-2 5-3", "5-2 4-3", "4-1 3-2", "6-6 6-3", "1-1 5-4", "6-6 4-4", "1-1 6-2",
        "6-6 6-1", "4-4 6-5",
    ];
    for pair in order.windows(2) {
        assert!(half(&game, pair[0]) > half(&game, pair[1]), "{pair:?}");
    }
    for (a, b) in [("6-6 6-3", "6-6 5-4"), ("6-6 4-4", "6-6 5-3"), ("6-5 6-3", "3-1 3-3"), ("6-2 4-1", "5-3 3-2")] {
        assert_eq!(half(&game, a), half(&game, b), "{a}, {b}");
    }
    for (text, points) in
        [("2-1 3-3", 9), ("2-1 6-1", 3), ("4-2 3-2", 8), ("4-2 6-6", 8), ("2-1 6-3", 5), ("6-5 6-3", 0), ("4-4 5-3", 6)]
    {
        assert_eq!(half(&game, text).points(), points, "{text}");
    }
    assert!(half(&game, "5-5 6-2") > half(&game, "6-4 5-3"));
    assert!(half(&game, "6-6 6-1").is_high_nine() && !half(&game, "4-4 6-5").is_high_nine());
    assert_eq!(half(&game, "2-1 3-3"), Half::lowest(game.rules(), 9, 1 << 5));
}

#[test]
fn readings_change_the_order() {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let compare = |settings: &[&str], a: &str, b: &str| {
        let game = game(settings);
        half(&game, a).cmp(&half(&game, b))
    };
    assert_eq!(compare(&[], "4-2 4-1", "2-1 4-1"), Equal);
    assert_eq!(compare(&["singles=six_above_fives"], "4-2 4-1", "2-1 4-1"), Greater);
    // Long tiles tie, and so do short and mixed ones, but not tiles of different groups.
    for (a, b, expected) in [
        ("5-5 5-1", "3-3 6-4", Equal),
        ("6-4 5-1", "6-5 4-1", Equal),
        ("6-3 4-1", "6-2 5-1", Less),
        ("5-4 5-3", "5-2 5-5", Less),
    ] {
        let plain = game(&[]);
        assert_eq!(half(&plain, a).points(), half(&plain, b).points(), "{a}, {b}");
        assert_ne!(half(&plain, a), half(&plain, b), "{a}, {b}");
        assert_eq!(compare(&["singles=groups"], a, b), expected, "{a}, {b}");
    }
    assert_eq!(compare(&["special=second_tile"], "6-6 4-4", "6-6 5-3"), Greater);
    assert_eq!(compare(&["special=second_tile"], "6-6 6-3", "6-6 5-4"), Equal);
    assert_eq!(compare(&["zero=ranked"], "3-1 3-3", "6-5 6-3"), Greater);
}

/// Examples 5 to 8.
#[test]
fn wagers_are_settled() {
    let set = |game: &Game, low: &str, high: &str| SetHand { low: half(game, low), high: half(game, high) };
    let all = [
        (("5-5 6-1", "4-4 6-5"), ("6-4 6-1", "1-1 5-2"), Outcome::Push),
        (("6-5 6-3", "6-6 6-6"), ("3-1 3-3", "1-1 1-1"), Outcome::Push),
        (("3-1 6-5", "6-6 4-4"), ("3-1 6-5", "6-6 5-3"), Outcome::Loss),
        (("6-6 3-1", "1-1 6-3"), ("1-1 3-1", "4-4 6-5"), Outcome::Win),
    ];
    for ((low, high), (other_low, other_high), outcome) in all {
        let house = game(&[]);
        assert_eq!(house.outcome(set(&house, low, high), set(&house, other_low, other_high)), outcome, "{low}");
        // The same deal with the sides exchanged and the player as the bank.
        let player = game(&["bank=player"]);
        let mirrored = player.outcome(set(&player, other_low, other_high), set(&player, low, high));
        let expected = [Outcome::Loss, Outcome::Push, Outcome::Win][outcome as usize];
        assert_eq!(mirrored, expected, "{low}");
    }
    let push = game(&["copies=push"]);
    let copied = set(&push, "3-1 6-5", "6-6 4-4");
    assert_eq!(push.outcome(copied, copied), Outcome::Push);
    assert_eq!(push.outcome(copied, SetHand { low: Half::default(), ..copied }), Outcome::Push);
    let nets = |commission: &str| {
        let game = game(&[commission]);
        (Outcome::ALL.map(|outcome| game.net(outcome)), game.unit())
    };
    assert_eq!(nets("commission=five_percent"), ([19, 0, -20], 20));
    assert_eq!(nets("commission=prepaid"), ([20, 0, -21], 21));
    assert_eq!(nets("commission=rounded"), ([24, 0, -25], 25));
    assert_eq!(nets("commission=none"), ([1, 0, -1], 1));
}

/// Examples 9 to 19: the hand, the house way, the low and the high half, and the rule.
#[test]
fn house_ways_set_the_examples() {
    let all = [
        ("6-6 6-6 2-1 2-2", "traditional", "7 / pair", "only way"),
        ("6-6 6-6 6-3 6-5", "traditional", "3 / Wong", "split Teens or Days with 9-11"),
        ("1-1 1-1 4-4 5-2", "traditional", "high nine / Gong", "split Teens or Days"),
        ("4-2 2-1 3-3 4-1", "traditional", "8 / 9", "split Gee Joon"),
        ("4-2 2-1 3-3 4-1", "canberra", "1 / pair", "one pair"),
        ("4-4 4-4 6-5 6-3", "traditional", "7 / 9", "split eights"),
        ("6-1 6-1 5-5 6-5", "traditional", "1 / pair", "one pair"),
        ("6-1 6-1 5-5 6-5", "foxwoods", "7 / 8", "split sevens"),
        ("3-3 3-3 6-6 6-5", "traditional", "3 / pair", "one pair"),
        ("6-6 6-3 5-2 2-2", "traditional", "1 / Wong", "Wong before high nine"),
        ("6-6 6-3 5-2 2-2", "foxwoods", "3 / high nine", "high nine"),
        ("1-1 5-3 5-2 4-1", "traditional", "2 / Gong", "Gong before high nine with 5 and L8"),
        ("4-4 5-5 6-5 5-2", "traditional", "7 / 9", "8/8 or 7/9"),
        ("5-5 6-4 3-3 6-1", "traditional", "6 / 7", "two ways of 6/7"),
        ("6-6 1-1 4-1 4-2", "traditional", "7 / 8", "two ways of 7/8 with Teen and Day"),
        ("6-6 3-1 4-1 6-5", "traditional", "6 / 6", "best low"),
        ("6-6 3-1 4-1 6-5", "foxwoods", "5 / 7", "2 H4 5 11"),
        ("3-3 6-1 2-2 6-4", "traditional", "3 / 4", "best low"),
        ("5-2 5-1 6-4 6-5", "traditional", "7 / 7", "best low"),
    ];
    for (hand, way, points, rule) in all {
        let game = game(&[&format!("way={way}")]);
        let hand: Hand = hand.parse().unwrap();
        let choice = game.house_choice(hand);
        let found = (game.set(hand, choice.setting).to_string(), game.way().rule(choice).name.as_str());
        assert_eq!(found, (points.to_owned(), rule), "{hand} by {way}");
    }
    let halves = |hand: &str| {
        let game = game(&[]);
        let hand: Hand = hand.parse().unwrap();
        let [low, high] = game.ordered(hand, game.house_choice(hand).setting).map(|tiles| tiles.map(Tile::face));
        (low, high)
    };
    assert_eq!(halves("5-5 6-4 3-3 6-1"), (["3-3", "6-4"], ["5-5", "6-1"]));
    assert_eq!(halves("6-6 1-1 4-1 4-2"), (["1-1", "4-1"], ["6-6", "4-2"]));
    assert_eq!(halves("4-4 5-5 6-5 5-2"), (["5-5", "5-2"], ["4-4", "6-5"]));
    assert_eq!(halves("3-3 6-1 2-2 6-4"), (["3-3", "6-1"], ["2-2", "6-4"]));
    assert_eq!(halves("5-2 5-1 6-4 6-5"), (["6-4", "5-2"], ["6-5", "5-1"]));
}

#[test]
fn every_hand_is_set_by_every_house_way() {
    let all: Vec<Hand> = Hand::all().collect();
    assert_eq!(all.len(), 35_960);
    let game = game(&[]);
    for way in Way::built_in() {
        let mut used = vec![0; way.rules().len()];
        for &hand in &all {
            let (choice, sets) = (way.choose(&game, hand), game.sets(hand));
            assert!(choice.setting < Hand::SETTINGS);
            used[choice.rule] += 1;
            // Tiles of a kind are interchangeable.
            assert_eq!(way.choose(&game, hand.canonical()), choice, "{hand}");
            assert_eq!(game.sets(hand.canonical()), sets, "{hand}");
            assert_eq!(hand.to_string().parse::<Hand>().unwrap().canonical(), hand.canonical());
            let best = |set: &SetHand| sets.iter().all(|other| other.low <= set.low && other.high <= set.high);
            if let Some(set) = sets.iter().find(|set| best(set)) {
                assert_eq!(sets[choice.setting], *set, "{hand}");
            }
        }
        // Two pairs are the only way, unless that rule is off.
        for (rule, used) in way.rules().zip(used) {
            assert!(used > 0 || rule.name == "two pairs", "{}: {}", way.name(), rule.name);
        }
    }
}

#[test]
fn halves_have_ranks_as_lower_bounds() {
    let game = Game::new(Rules::default());
    let bounded = |keep: &str, hand: &str| {
        let rules = format!(
            "[[rule]]\nname = \"bounded\"\ntext = \"t\"\nkeep = [\"{keep}\"]\nprefer = \"high\"\n\
             [[rule]]\nname = \"other\"\ntext = \"t\"\nprefer = \"low\"\n"
        );
        let way = Way::load(&format!("name = \"a\"\ntitle = \"b\"\nsource = \"c\"\n{rules}")).unwrap();
        let choice = way.choose(&game, hand.parse().unwrap());
        way.rule(choice).name == "bounded"
    };
    // H10 L7 / H8 11: the halves are 7 with H10 and 9 with H8.
    let hand = "4-4 5-5 6-5 5-2";
    for (keep, allowed) in [
        ("7:H10/9+", true),
        ("7:H4/9+", false),
        ("7/9:H8+", true),
        ("7/9:L2+", false),
        ("7:L10/9:H4+", true),
        ("*/gong+", false),
    ] {
        assert_eq!(bounded(keep, hand), allowed, "{keep}");
    }
    // The halves are 1 with 11 and the pair of H7.
    for (keep, allowed) in [("*/pair:H7+", true), ("*/pair:L6+", true), ("*/pair:L10+", false), ("1:11/pair+", true)] {
        assert_eq!(bounded(keep, "6-1 6-1 5-5 6-5"), allowed, "{keep}");
    }
    // The halves are 1 with 11 and the pair of L8. Several tiles stand for the weakest of them.
    for (keep, allowed) in [("*/pair:L8+", true), ("*/pair:H8+", false), ("*/pair:8+", true), ("*/pair:L8,H8+", true)] {
        assert_eq!(bounded(keep, "6-2 5-3 5-5 6-5"), allowed, "{keep}");
    }
}

#[test]
fn halves_are_rated() {
    let rating = r#"rating = [
        { half = "1", low = 30, high = 0 }, { half = "7:H10", low = 30, high = 15 }, { half = "9:L10", low = 20, high = 40 },
        { half = "wong:L2", low = 0, high = 50 }, { half = "pair:H7", low = 99, high = 51 },
    ]"#;
    let rules = "[[rule]]\nname = \"rated\"\ntext = \"t\"\nprefer = \"rating\"\n";
    let way = Way::load(&format!("name = \"a\"\ntitle = \"b\"\nsource = \"c\"\n{rating}\n{rules}")).unwrap();
    let game = Game::new(Rules::default());
    for (hand, points) in [
        // 1 and the pair of H7 have 81, 7 / 8 have 45.
        ("6-1 6-1 5-5 6-5", "1 / pair"),
        // The low 7 and the 9 have 70, two 8s have 45.
        ("4-4 5-5 6-5 5-2", "7 / 9"),
        // The low 3 and the high nine have 70, 1 and the Wong 80.
        ("6-6 6-3 5-2 2-2", "1 / Wong"),
        // 0 / 0 is worth nothing, 2 / 8 has 45.
        ("2-2 3-1 3-3 5-1", "2 / 8"),
    ] {
        let hand: Hand = hand.parse().unwrap();
        assert_eq!(game.set(hand, way.choose(&game, hand).setting).to_string(), points, "{hand}");
    }
    let exchanged = r#"rating = [{ half = "9:H8", low = 90, high = 45 }, { half = "5", low = 40, high = 0 }]"#;
    let error = Way::load(&format!("name = \"a\"\ntitle = \"b\"\nsource = \"c\"\n{exchanged}\n{rules}")).unwrap_err();
    assert!(error.to_string().contains("line 4") && error.to_string().contains("number 2 isn't better"), "{error}");
    // Every half is written as the bound that it is.
    let sets = Hand::all().flat_map(|hand| game.sets(hand));
    let halves: std::collections::BTreeSet<Half> = sets.flat_map(|set| [set.low, set.high]).collect();
    for half in halves {
        let word = half.floor().word(game.rules());
        let last = format!("rating = [{{ half = \"{word}\", low = 1, high = 0 }}]\n{rules}");
        assert!(
            half == half.floor() && Way::load(&format!("name = \"a\"\ntitle = \"b\"\nsource = \"c\"\n{last}")).is_ok()
        );
    }
}

#[test]
fn invalid_house_ways_are_refused() {
    let file = |rules: &str| format!("name = \"a\"\ntitle = \"b\"\nsource = \"c\"\n{rules}");
    let last = "[[rule]]\nname = \"z\"\ntext = \"t\"\nprefer = \"low\"\n";
    assert!(Way::load(&file(last)).is_ok());
    for (rule, line, part) in [
        ("keep = [\"7-9\"]", 7, "invalid filter \"7-9\""),
        ("keeps = [\"7/9\"]", 7, "keeps"),
        ("twice = \"7/13\"", 7, "numbers, gong"),
        ("possible = [\"3:H6/*\"]", 7, "3:H6/*+"),
        ("provided = \"3:H9/*+\"", 7, "invalid filter \"3:H9/*+\""),
        ("hand = [\"H9\"]", 7, "invalid tile \"H9\""),
        ("reading = \"other\"", 7, "only-way"),
        ("prefer = \"middle\"", 7, "low-points"),
        ("prefer = \"rating\"", 4, "needs a list of halves"),
    ] {
        let text = file(&format!("[[rule]]\nname = \"y\"\ntext = \"t\"\n{rule}\n{last}"));
        let error = Way::load(&text).unwrap_err().to_string();
        assert!(error.contains(part) && error.contains(&format!("text, line {line}")), "{rule}: {error}");
    }
    let error = Way::load(&file("[[rule]]\nname = \"y\"\ntext = \"t\"\nkeep = [\"split\"]\n")).unwrap_err();
    assert!(error.to_string().contains("the last rule must apply to all hands"), "{error}");
    let error = Way::load(&file(&format!("{last}{last}"))).unwrap_err().to_string();
    assert!(error.contains("line 8") && error.contains("already taken"), "{error}");
    let error = Way::load("nowhere").unwrap_err().to_string();
    assert!(error.contains("traditional, foxwoods, canberra"), "{error}");
}

#[test]
fn hands_are_parsed() {
    let hand: Hand = "9 H2 6-6 Gee".parse().unwrap();
    assert_eq!(hand.to_string(), "6-6 6-6 6-3 4-2");
    assert_eq!("9 h2 6-6 gee".parse(), Ok(hand));
    assert_eq!("9 9 Gee Gee".parse::<Hand>().unwrap().to_string(), "6-3 5-4 4-2 2-1");
    for (text, part) in [
        ("6-6 6-6 6-6 1-1", "6-6 occurs too often: there are only 2"),
        ("6-3 6-3 1-1 1-1", "6-3 occurs too often: there are only 1"),
        ("6-6 1-1 1-1", "a hand has 4 tiles, found 3"),
        ("6-6 1-1 1-1 As", "invalid tile 'As'"),
    ] {
        let error = text.parse::<Hand>().unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
