//! Tests for house-way files. They check the meaning of the rule language, and that errors name the line and suggest a
//! fix.

use super::{GAME, front};
use houseway_env::pai_gow::house_way::{BUILT_IN, HouseWay, Part, Position, Shape, Way};
use houseway_env::pai_gow::{Hand, Strategy as _};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const HEAD: &str = "name = \"x\"\ntitle = \"x\"\nsource = \"x\"\n";
const REST: &str = "[[rule]]\nname = \"rest\"\ntext = \"x\"\nplay = {}\n";

fn rule(body: &str) -> String {
    format!("{HEAD}[[rule]]\nname = \"odd\"\ntext = \"x\"\n{body}\n{REST}")
}

/// Returns a house way with shape groups and a rule for the group `strong`.
fn grouped(groups: &str) -> String {
    let rule = "[[rule]]\nname = \"odd\"\nwhen = { shape = [\"strong\", \"two pairs\"] }\ntext = \"x\"\nplay = { back = \"one pair\" }";
    format!("{HEAD}[groups]\n{groups}\n{rule}\n{REST}")
}

#[test]
fn errors_name_the_line_and_a_remedy() {
    let cases = [
        (rule("when = { shape = \"two pair\" }\nplay = {}"), 7, "\"two pairs\""),
        (
            rule("when = { shape = [\"two pairs\", \"flush\"] }\nplay = {}"),
            7,
            "\"flush\": a shape only counts ranks; write back = \"flush\"",
        ),
        (rule("when = { high-pair = \"K-2\" }\nplay = {}"), 7, "lower one first"),
        (rule("when = { hi-pair = \"K\" }\nplay = {}"), 7, "unknown field `hi-pair`"),
        (rule("play = { front = \"pair\" }"), 7, "pair pair"),
        (rule("play = { back = \"completed\" }"), 7, "\"complete\""),
        (rule("play = { front-at-least = \"joker\" }"), 7, "expected its ranks"),
        (rule("play = []"), 7, "must have at least one play"),
        (rule("when = { except = {} }\nplay = {}"), 7, "excludes no hand or all of them"),
        (rule("when = { except = [] }\nplay = {}"), 7, "add a condition or remove it"),
        (rule("when = { except = { shape = \"pair\" } }\nplay = {}"), 7, "unknown shape \"pair\""),
        (rule("when = { except = [{ single = \"A\" }, {}] }\nplay = {}"), 7, "excludes no hand or all of them"),
        (rule("play = { except = {} }"), 7, "excludes no setting or all of them"),
        (rule("play = { except = { bak = \"flush\" } }"), 7, "unknown field `bak`"),
        (rule("play = { front-above = {} }"), 7, "whose fronts must be beaten"),
        (rule("play = { front-above = { back = \"strait\" } }"), 7, "unknown back \"strait\""),
        (rule("play = { back-high = \"ace\" }"), 7, "invalid ranks"),
        (rule("play = { back-high = \"K-J\" }"), 7, "lower one first"),
        (rule("play = { front-at-most = \"2\" }"), 7, "expected its ranks"),
        (rule("play = { front = \"third-single third-single\" }"), 7, "names one card twice"),
        (rule("play = { front = \"eighth-single pair\" }"), 7, "\"seventh-single\""),
        (rule("when = { pair-sum = \"3-9\" }\nplay = {}"), 7, "sums from 5 to 27"),
        (rule("when = { pair-sum = \"16-5\" }\nplay = {}"), 7, "lower one first"),
        (rule("when = { fourth-single = \"ace\" }\nplay = {}"), 7, "invalid ranks"),
        (rule("when = { shape = \"strong\" }\nplay = {}"), 7, "unknown shape \"strong\""),
        (grouped("strong = \"five aces\"\nweak = [\"no pair\", \"pair\"]"), 6, "unknown shape \"pair\""),
        (grouped("strong = \"five aces\"\nweak = \"no pair\""), 6, "unused group \"weak\""),
        (grouped("strong = \"five aces\"\nweak = \"strong\""), 6, "unknown shape \"strong\""),
        (grouped("strong = []"), 5, "empty group \"strong\""),
        (grouped("\"five aces\" = \"no pair\""), 5, "used by a shape"),
        (grouped("\"a b\" = \"no pair\""), 5, "contain only letters"),
        (grouped("weak = \"no pair\""), 8, "expected one of \"no pair\""),
        (rule("reading = { open = \"yes\" }\nplay = {}"), 7, "add [readings.open]"),
        (rule("prefer = \"middle\"\nplay = {}"), 7, "unknown variant `middle`"),
        (format!("{HEAD}{REST}{REST}"), 8, "duplicate rule name \"rest\""),
        (format!("{HEAD}[readings.r]\ntext = \"x\"\noptions = [\"one\"]\n{REST}"), 4, "at least two options"),
        (format!("{HEAD}[readings.r]\ntext = \"x\"\noptions = [\"a\", \"a\"]\n{REST}"), 6, "\"a\" is listed twice"),
        (format!("{HEAD}[[rule]\n"), 4, ""),
        (format!("{HEAD}[rule]\nname = \"a\"\n[rule]\n"), 6, "begin each rule with [[rule]]"),
        (format!("{HEAD}[readings]\n[readings]\n{REST}"), 5, "duplicate key"),
    ];
    for (text, line, part) in cases {
        let error = Way::parse(&text, "odd.toml").unwrap_err().to_string();
        assert!(error.starts_with(&format!("odd.toml, line {line}: ")) && error.contains(part), "{error}\n{text}");
    }
}

/// Far more than any file takes on a busy machine. It only tells slow files from those that would take for ever.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn files_of_any_size_are_refused_or_compiled_in_time() {
    let nested = |depth: usize| {
        let open = "front = \"single single\", front-above = { ".repeat(depth);
        format!("play = {{ {open}back = \"complete\"{} }}", " }".repeat(depth))
    };
    let list = |entry: &str, count: usize| vec![entry; count].join(", ");
    let rules = |count: usize| -> String {
        (0..count).map(|i| format!("[[rule]]\nname = \"r{i}\"\ntext = \"\"\nplay = {{}}\n")).collect()
    };
    let cases = [
        (format!("{HEAD}{}", rules(50_000)[..900_000].rsplit_once("[[rule]]").unwrap().0), 260, "maximum of 64"),
        (rule(&nested(20)), 7, "nested more than 8 deep"),
        (rule(&nested(3_000)), 7, ""),
        (rule(&format!("play.{}front = \"pair pair\"", "front-above.".repeat(50_000))), 1, "recursion limit"),
        (rule(&format!("play = [{}]", list("{}", 5_000))), 7, "more than 500 entries"),
        (rule(&format!("when = [{}]\nplay = {{}}", list("{ single = \"A\" }", 5_000))), 7, "more than 500 entries"),
        (rule(&format!("play = [{}]", list("{ except = [{ back = \"flush\" }] }", 300))), 7, "more than 500 plays"),
        (rule(&format!("play = {{ front = [{}] }}", list("\"pair pair\"", 5_000))), 7, "more than 500 entries"),
        (format!("{HEAD}{}", "#".repeat(1_000_000)), 4, "maximum of 1000000"),
        (format!("{HEAD}{}{REST}", list_of_readings(40)), 100, "maximum of 32"),
        (format!("{HEAD}[readings.r]\ntext = \"x\"\noptions = [{}]\n{REST}", list("\"a\"", 40)), 6, "maximum of 32"),
        (grouped(&(10..50).map(|i| format!("g{i} = \"no pair\"\n")).collect::<String>()), 37, "maximum of 32"),
    ];
    for (text, line, part) in cases {
        let begun = Instant::now();
        let error = Way::parse(&text, "odd.toml").unwrap_err().to_string();
        let start = &text[..text.len().min(300)];
        assert!(error.starts_with(&format!("odd.toml, line {line}: ")) && error.contains(part), "{error}\n{start}");
        assert!(begun.elapsed() < PATIENCE, "{:?} for {start}", begun.elapsed());
    }
    // The most expensive file within the limits compares fronts that never outrank the others.
    let play = "{ back-high = \"2-A\", front-above = { front = \"single single\", back-high = \"2-A\" }, \
                except = { front-above = { back-high = \"2-A\" } } }";
    let way = Way::parse(&rule(&format!("play = [{}]", list(play, 124))), "odd.toml").unwrap();
    let begun = Instant::now();
    let surveyed = way.survey(&GAME);
    println!("{:?}: {:?}", begun.elapsed(), surveyed.map(|survey| survey.rules));
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}

fn list_of_readings(count: usize) -> String {
    (0..count).map(|i| format!("[readings.r{i:02}]\ntext = \"x\"\noptions = [\"a\", \"b\"]\n")).collect()
}

/// Checks that plays nested within other plays behave as defined at any depth.
#[test]
fn nested_plays_hold_by_definition() {
    let play = "{ front-above = { front = \"single single\", front-above = { back = \"complete\" } } }";
    let way = Way::parse(&rule(&format!("play = {play}")), "nested.toml").unwrap();
    let way = HouseWay::compile(way, &GAME).unwrap();
    // No back is complete, so the inner play allows all fronts that are two singles. The outer play then allows the
    // fronts above ace-king.
    for (hand, front, rule) in [("As Kd 9s 9d 7d 7h 3s", "7h 7d", "odd"), ("As Kd Qh 9c 7d 7h 3s", "As Kd", "rest")] {
        let hand: Hand = hand.parse().unwrap();
        assert_eq!((way.set(hand).front(hand).to_string().as_str(), way.rule(hand).name.as_str()), (front, rule));
    }
}

/// Each hand comes with the front that its play chooses, or with the rule `rest` if no setting fits.
#[test]
fn sums_positions_and_limits_hold_by_definition() {
    for (when, play, rows) in [
        (
            "shape = [\"two pairs\", \"three pairs\"], pair-sum = \"5-12, 27\"",
            "front = \"low-pair low-pair\"",
            &[
                ("8s 8d 4h 4s Kd Qh 2c", "4s 4h"),
                ("9s 9d 4h 4s Kd Qh 2c", "rest"),
                ("As Jk Kh Ks 9d 5h 2c", "Ks Kh"),
                // The pairs are the highest and the lowest of three, 9 and 3.
                ("9s 9d 8h 8s 3d 3h 2c", "3h 3d"),
                ("9s 9d 8h 8s 4d 4h 2c", "rest"),
            ][..],
        ),
        (
            "shape = \"one pair\", third-single = \"9\", fourth-single = \"2-5\", fifth-single = \"3-A\"",
            "front = \"second-single fifth-single\"",
            &[
                ("As Kd 9h 7s 7d 5h 3c", "Kd 3c"),
                ("As Kd 9h 7s 7d 5h 2c", "rest"),
                ("As Kd 9h 7s 7d 6h 3c", "rest"),
                ("As Kd Th 7s 7d 5h 3c", "rest"),
                // The joker is an ace, so it is the first single.
                ("Jk Kd 9h 7s 7d 5h 3c", "Kd 3c"),
            ],
        ),
        // A part with a position works in either order, and so does a single together with any other.
        (
            "shape = \"three of a kind\"",
            "front = \"second-single trips\"",
            &[("As Ad Ah Kc 9d 8s 3h", "As 9d"), ("9s 9d 9h Kc Qd 8s 3h", "Qd 9s")],
        ),
        (
            "shape = \"one pair\", single = \"A\"",
            "front = \"fourth-single single\"",
            &[("As Kd 9h 7s 7d 5h 3c", "As 5h")],
        ),
        // The limits are king-high or lower, ace-jack or lower, and a pair of sixes or lower.
        (
            "shape = \"one pair\"",
            "front-at-most = \"K\"",
            &[("As Kd Qh 7s 7d 5h 3c", "Kd Qh"), ("Qs 9d 8h 7s 7d 5h 3c", "Qs 9d")],
        ),
        (
            "shape = \"one pair\"",
            "front-at-most = \"A J\"",
            &[("As Kd Qh 7s 7d 5h 3c", "As 5h"), ("As Jd Th 7s 7d 5h 3c", "As Jd")],
        ),
        (
            "shape = \"two pairs\"",
            "front-at-least = \"A\", front-at-most = \"6 6\"",
            &[("9s 9d 7h 7s Ad Qh 2c", "Ad Qh"), ("9s 9d 6h 6s Ad Qh 2c", "6s 6h"), ("9s 9d 7h 7s Kd Qh 2c", "rest")],
        ),
    ] {
        let way = Way::parse(&rule(&format!("when = {{ {when} }}\nplay = {{ {play} }}")), "defined.toml").unwrap();
        let way = HouseWay::compile(way, &GAME).unwrap();
        for &(hand, expected) in rows {
            let parsed: Hand = hand.parse().unwrap();
            let rule = way.rule(parsed).name.as_str();
            let found = if rule == "rest" { rule.to_owned() } else { front(&way, hand) };
            assert_eq!(found, expected, "{when}, {play}: {hand}");
        }
    }
}

/// Two aces with the joker are a pair of aces on some sheets, and three aces on others.
#[test]
fn a_rule_can_tell_the_joker_from_an_ace() {
    let aces = "when = { shape = \"three of a kind\", trips = \"A\", joker = true }\nplay = { front = \"trips single\"";
    let with = |play: &str| HouseWay::compile(Way::parse(&rule(play), "joker.toml").unwrap(), &GAME).unwrap();
    let split = with(&format!("{aces} }}"));
    let [in_front, in_back] = ["front", "back"].map(|half| with(&format!("{aces}, joker = \"{half}\" }}")));
    let straight = with("play = { back = \"straight\", joker = \"back\" }");
    for (way, hand, cards, rule) in [
        (&split, "As Ad Jk 9c 7d 4h 3s", "Jk 9c", "odd"),
        (&split, "As Ad Ac 9c 7d 4h 3s", "As 9c", "rest"),
        (&in_front, "As Ad Jk 9c 7d 4h 3s", "Jk 9c", "odd"),
        (&in_back, "As Ad Jk 9c 7d 4h 3s", "As 9c", "odd"),
        (&straight, "Ks Jk Qd Jc Th 8h 2s", "Ks 2s", "odd"),
        (&straight, "As Kd Qd Jc Th 8h 2s", "Kd Qd", "rest"),
    ] {
        let rule_name = way.rule_name(hand.parse().unwrap());
        assert_eq!((front(way, hand).as_str(), rule_name), (cards, Some(rule)), "{hand}");
    }
}

#[test]
fn a_group_is_the_list_of_its_shapes() {
    let with = |text: &str| HouseWay::compile(Way::parse(text, "groups.toml").unwrap(), &GAME).unwrap();
    let named = with(&grouped("strong = [\"four of a kind\", \"five aces\"]"));
    let listed = grouped("strong = \"five aces\"").replacen("\"strong\", ", "\"four of a kind\", \"five aces\", ", 1);
    let listed = with(&listed.replacen("[groups]\nstrong = \"five aces\"\n", "", 1));
    assert_eq!(named.hash(), listed.hash());
    assert_eq!(named.survey(), listed.survey());
}

#[test]
fn names_lead_nowhere_and_control_nothing() {
    let named = |name: &str| format!("name = {name}\ntitle = \"x\"\nsource = \"x\"\n{REST}");
    for (name, part) in [
        ("\"../../etc/passwd\"", "contain only letters"),
        ("\"/tmp/x\"", "contain only letters"),
        ("\"a b\"", "contain only letters"),
        ("\"x\\n\"", "contain only letters"),
        ("\"\\u001b[2J\"", "contain only letters"),
        ("\"<script>\"", "contain only letters"),
        ("\"a|b\"", "contain only letters"),
        ("\"\"", "contain only letters"),
        ("\".\"", "contain only letters"),
        ("\"optimal\"", "reserved"),
        ("\"Random\"", "reserved"),
        ("\"foxwoods\"", "built-in"),
    ] {
        let error = Way::parse(&named(name), "odd.toml").unwrap_err().to_string();
        assert!(error.starts_with("odd.toml, line 1: ") && error.contains(part), "{error}");
        assert!(!error.contains('\u{1b}') && !error.contains('\n'), "{error:?}");
    }
    let error = Way::parse(&named(&format!("\"{}\"", "a".repeat(65))), "odd.toml").unwrap_err().to_string();
    assert!(error.contains("65 characters"), "{error}");
    for (key, line) in [("title", 2), ("source", 3)] {
        let text = format!("{HEAD}{REST}").replacen(&format!("{key} = \"x\""), &format!("{key} = \"\\u009b2J\""), 1);
        let error = Way::parse(&text, "odd.toml").unwrap_err().to_string();
        assert!(error.starts_with(&format!("odd.toml, line {line}: ")) && error.contains("control"), "{error}");
    }
    // A house way with the rules and the name of a built-in one is equal to it, no matter what its comments are.
    let (name, text) = BUILT_IN[0];
    assert_eq!(Way::parse(&format!("# a copy\n{text}"), "copy.toml").unwrap().name(), name);
}

#[test]
fn rules_without_effect_are_rejected() {
    let survey =
        |text: String| Way::parse(&text, "odd.toml").unwrap().survey(&GAME).map(|_| ()).unwrap_err().to_string();
    let error = survey(format!("{}[[rule]]\nname = \"late\"\ntext = \"x\"\nplay = {{}}\n", rule("play = {}")));
    assert!(error.contains("line 8") && error.contains("\"rest\" is never reached"), "{error}");
    assert!(error.contains("(\"odd\"); move it up or remove it"), "{error}");
    let error = survey(rule("when = { shape = \"one pair\" }\nplay = { front = \"low-pair low-pair\" }"));
    assert!(error.contains("line 4") && error.contains("\"odd\" never applies"), "{error}");
    let error = survey(rule("when = { shape = \"no pair\", pair = \"2\" }\nplay = {}"));
    assert!(error.contains("line 4") && error.contains("\"odd\" contradicts itself"), "{error}");
    // The last rule is only shadowed with the default option.
    let open = "[readings.r]\ntext = \"x\"\noptions = [\"all\", \"some\"]\n";
    let error = survey(rule("reading = { r = \"all\" }\nplay = {}").replacen(HEAD, &format!("{HEAD}{open}"), 1));
    assert!(error.contains("\"rest\" is never reached with r = all") && error.contains("give it a reading"), "{error}");
}

#[test]
fn hands_without_a_rule_are_counted_and_rejected() {
    let text =
        format!("{HEAD}[[rule]]\nname = \"pair\"\ntext = \"x\"\nwhen = {{ shape = \"one pair\" }}\nplay = {{}}\n");
    let way = Way::parse(&text, "odd.toml").unwrap();
    let survey = way.survey(&GAME).unwrap();
    assert_eq!(survey.uncovered + survey.rules[0].hands, 154_143_080);
    let mut shapes: Vec<Shape> = survey.uncovered_examples.iter().map(|&hand| Shape::from_hand(hand)).collect();
    shapes.sort_unstable();
    let others: Vec<Shape> = Shape::ALL.into_iter().filter(|&shape| shape != Shape::OnePair).collect();
    assert_eq!(shapes, others);
    let error = HouseWay::compile(way, &GAME).map(|_| ()).unwrap_err().to_string();
    let count = houseway_env::money::grouped(survey.uncovered);
    assert!(error.contains(&format!("no rule for {count} of 154,143,080 hands")), "{error}");
}

#[test]
fn unknown_ways_and_readings_are_rejected() {
    let error = Way::load("no-such-way").unwrap_err().to_string();
    assert!(error.contains("trump-plaza"), "{error}");
    let mut way = Way::named("trump-plaza").unwrap();
    assert!(way.choose("quads", "x").unwrap_err().to_string().contains("quads-with-pair"));
    assert!(way.choose("quads-with-pair", "x").unwrap_err().to_string().contains("split_rule"));
}

fn random_play() -> impl Strategy<Value = String> {
    let part = || proptest::sample::select(Part::ALL.map(Part::name).to_vec());
    let front = (part(), part()).prop_map(|(a, b)| format!("front = \"{a} {b}\""));
    let position = proptest::sample::select(Position::NAMES.to_vec());
    let mixed = (part(), position).prop_map(|(a, b)| format!("front = [\"{a} {b}\", \"{b} single\"]"));
    let least = proptest::sample::select(vec![
        "front-at-least = \"9\"",
        "front-at-least = \"Q Q\"",
        "front-at-most = \"A J\"",
        "front-at-least = \"K\", front-at-most = \"9 9\"",
    ]);
    let back = proptest::sample::select(vec!["back = \"complete\"", "back = [\"one pair\", \"full house\"]"]);
    let other = proptest::sample::select(vec![
        "front-above = { back = \"complete\" }",
        "front-above = { front = \"single single\", except = { back-high = \"2-9\" } }",
        "back-high = \"9-A\"",
        "except = { back = \"flush\" }",
        "except = [{ front-at-least = \"A\" }, { back-high = \"K\" }]",
    ]);
    let [least, back, other] = [least, back, other].map(|words| words.prop_map(str::to_owned));
    // The parser would reject a duplicate key.
    (prop_oneof![front, mixed, least, back], proptest::option::of(other)).prop_map(|(word, other)| {
        let words: Vec<String> = std::iter::once(word).chain(other).collect();
        format!("{{ {} }}", words.join(", "))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Checks that every play in every file is legal.
    #[test]
    fn no_file_can_foul(shape in proptest::sample::select(Shape::ALL.map(Shape::name).to_vec()),
                        plays in proptest::collection::vec(random_play(), 1..4),
                        prefer in proptest::sample::select(vec!["front", "back"])) {
        let body = format!("when = {{ shape = \"{shape}\" }}\nplay = [{}]\nprefer = \"{prefer}\"", plays.join(", "));
        let way = Way::parse(&rule(&body), "random.toml").unwrap();
        if let Ok(survey) = way.survey(&GAME) {
            prop_assert_eq!((survey.hands, survey.uncovered, survey.fouls), (154_143_080, 0, 0));
        }
    }
}
