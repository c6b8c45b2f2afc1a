//! Tests of the house way of Trump Plaza against its sheet, properties of all house ways, and errors in house-way
//! files.

use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::cards::{Card, CardSet, Suit};
use houseway_env::pai_gow::house_way::{BUILT_IN, HouseWay, Part, Position, Shape, Way};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, Rules, SetHand, Strategy as _};
use houseway_env::rules::{RuleReading, RuleSet};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static GAME: LazyLock<Game> = LazyLock::new(|| Game::new(Rules::default()));
static TRUMP_PLAZA: LazyLock<HouseWay> =
    LazyLock::new(|| HouseWay::compile(Way::named("trump-plaza").unwrap(), &GAME).unwrap());

/// All built-in house ways.
static ALL: LazyLock<Vec<HouseWay>> = LazyLock::new(|| {
    BUILT_IN.iter().map(|(name, _)| HouseWay::compile(Way::named(name).unwrap(), &GAME).unwrap()).collect()
});

fn with_reading(reading: &str, option: &str) -> HouseWay {
    let mut way = Way::named("trump-plaza").unwrap();
    way.choose(reading, option).unwrap();
    HouseWay::compile(way, &GAME).unwrap()
}

fn front(way: &HouseWay, hand: &str) -> String {
    let hand: Hand = hand.parse().unwrap();
    way.set(hand).front(hand).to_string()
}

#[test]
fn built_in_ways_set_every_hand_legally() {
    for (name, _) in BUILT_IN {
        let survey = Way::named(name).unwrap().survey(&GAME).unwrap();
        assert_eq!((survey.hands, survey.uncovered, survey.fouls), (154_143_080, 0, 0), "{name}");
        assert_eq!(survey.rules.iter().map(|rule| rule.hands).sum::<u64>(), survey.hands);
    }
}

#[test]
fn built_in_ways_set_every_hand_legally_under_every_variant() {
    // Without equal settings, which this reading makes fouls, some hands match no rule of the sheet.
    for RuleReading { name: reading, options, .. } in
        Rules::READINGS.iter().filter(|reading| reading.name != "equal-setting")
    {
        for option in &options[1..] {
            let game = Game::new(Rules::default().with(&format!("{reading}={option}")).unwrap());
            for (name, _) in BUILT_IN {
                let survey = Way::named(name).unwrap().survey(&game).unwrap();
                let expected = (154_143_080, 0, 0);
                assert_eq!((survey.hands, survey.uncovered, survey.fouls), expected, "{name}, {reading}={option}");
            }
        }
    }
}

/// Rules of the sheet about the joker as an ace, applied to a joker that is any card.
#[test]
fn a_wild_joker_counts_as_the_most_frequent_rank() {
    let game = Game::new(Rules::default().with("joker=wild").unwrap());
    let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
    for (hand, in_front, rule) in [
        ("Jk 9s 9d 9h 9c 3s 2d", "Jk 9s", "five aces"),
        ("Jk 4s 4d 4h Kc Qs 2d", "Kc Qs", "four of a kind, 2s to 6s"),
        ("Jk 9s 9d 5h 5c Ks 2d", "5h 5c", "full house"),
        ("Jk 9s 9d Kh Jc 4s 2d", "Kh Jc", "three of a kind"),
        ("Jk As Kd 9h 7c 4s 2d", "Kd 9h", "one pair"),
        ("Jk Ks Qd Jh 9c 4s 2d", "4s 2d", "one pair, complete hand kept"),
    ] {
        let hand: Hand = hand.parse().unwrap();
        assert_eq!((way.set(hand).front(hand).to_string(), way.rule(hand).name.as_str()), (in_front.to_owned(), rule));
    }
}

/// Number of hands by the top card of the front where it is not a pair, from 3 to 8 high, as published for the house
/// way of Trump Plaza.
#[test]
fn fronts_match_published_counts() {
    let mut by_top_card = BTreeMap::new();
    for profile in Profile::all() {
        let front = TRUMP_PLAZA.set_profile(profile).front;
        if !front.is_pair() {
            *by_top_card.entry(front.ranks().0.to_string()).or_insert(0) += Profiles::get().hands(profile);
        }
    }
    let expected = [("3", 221_460), ("4", 392_144), ("5", 517_204), ("6", 613_620), ("7", 918_000), ("8", 1_758_344)];
    for (top, hands) in expected {
        assert_eq!(by_top_card[top], hands, "{top}-high fronts");
    }
    // Probability of a nine-high front, published as 0.025007 from a simulation of the house way of Trump Plaza for the
    // side bet "Tiger 9" (sonofdave.com, a copy of Wizard of Odds, "Commission Free Pai Gow Poker"). The published
    // frequencies of the main bet deviate by up to 0.00003.
    let nine_high = f64::from(by_top_card["9"] as u32) / 154_143_080.0;
    assert!((nine_high - 0.025_007).abs() < 1e-5, "{nine_high}");
}

/// At least one hand for every row of the sheet, in order, with the front that the sheet prescribes.
#[test]
fn every_row_of_the_sheet() {
    let rows = [
        ("As Ad Ah Ac Jk Ks Kd", "Ks Kd", "five aces, pair of kings"),
        ("As Ad Ah Ac Jk Qs Qd", "Jk As", "five aces"),
        ("As Ad Ah Ac Jk 3s 2d", "Jk As", "five aces"),
        ("9s 9d 9h 9c 4s 4d Ah", "4s 4d", "four of a kind, pair beside"),
        ("9s 9d 9h 9c 4s 4d 4h", "4s 4h", "four of a kind, pair beside"),
        ("As Ad Ah Jk Ks Kd Qh", "Ks Kd", "four of a kind, pair beside"),
        ("6s 6d 6h 6c As Kd Qh", "As Kd", "four of a kind, 2s to 6s"),
        ("Ts Td Th Tc Ks 9d 8h", "Ks 9d", "four of a kind, 7s to 10s"),
        ("Ts Td Th Tc Qs 9d 8h", "Ts Th", "four of a kind, 7s to 10s"),
        ("Js Jd Jh Jc As 9d 8h", "As 9d", "four of a kind, jacks to kings"),
        ("Js Jd Jh Jc Ks 9d 8h", "Js Jh", "four of a kind, jacks to kings"),
        ("As Ad Ah Ac Ks 9d 8h", "As Ah", "four aces"),
        ("9s 9d 9h 5s 5d 5h Kc", "9s 9h", "two threes of a kind"),
        ("9s 9d 9h 5s 5d 3h 3c", "5s 5d", "full house and a pair"),
        ("9s 9d 9h 2s 2d Ah Kc", "Ah Kc", "full house, twos with ace-king"),
        ("9s 9d 9h 2s 2d Ah Qc", "2s 2d", "full house"),
        ("9s 9d 9h 3s 3d Ah Kc", "3s 3d", "full house"),
        ("Ks Kd 9h 9s 3d 3h Ac", "Ks Kd", "three pairs"),
        ("6s 6d 3h 3s Kd 9h 8c", "Kd 9h", "two pairs kept, king or ace"),
        ("Ts Td 3h 3s Jk 9h 8c", "Jk 9h", "two pairs kept, king or ace"),
        ("Ts Td 3h 3s Qd 9h 8c", "3s 3h", "two pairs split"),
        ("Ks Kd 3h 3s Ad 9h 8c", "Ad 9h", "two pairs kept, ace"),
        ("Ts Td 9h 9s Ad 8h 3c", "Ad 8h", "two pairs kept, ace"),
        ("Ks Kd 3h 3s Qd 9h 8c", "3s 3h", "two pairs split"),
        ("Ts Td 9h 9s Kd 8h 3c", "9s 9h", "two pairs split"),
        ("Ks Kd 9h 9s Ad 8h 3c", "9s 9h", "two pairs split"),
        ("As Ad 3h 3s Kd 9h 8c", "3s 3h", "two pairs split"),
        ("9s 9d 9h 8c 7d 6s 5h", "9s 9h", "three of a kind, complete hand behind a pair"),
        ("Ts 9d 9h 9c 8d 7s 6h", "9h 9d", "three of a kind, complete hand behind a pair"),
        ("As Ad Jk 5h 4c 3d 9s", "As 9s", "three of a kind, complete hand kept"),
        ("As Ad Ah Kc 9d 8s 3h", "As Kc", "three aces"),
        ("9s 9d 9h Kc 8d 4s 3h", "Kc 8d", "three of a kind"),
        ("9s 9d Kh Qd Js Tc 3h", "9s 3h", "one pair, complete hand kept"),
        ("9s 9d Kh Qd Js Tc Ah", "9s 9d", "one pair, complete hand behind it"),
        ("9s 9d 8h 7d 6s 5c Ah", "Ah 9s", "one pair, complete hand kept"),
        ("Ks 9d 8h 7d 6s 5c 4h", "Ks 9d", "complete hand"),
        ("Ks Qs 9s 8s 7s 6d 5d", "Ks Qs", "complete hand"),
        ("9s 9d Kh Qd 7s 5c 3h", "Kh Qd", "one pair"),
        ("Ks Qd 9s 8d 7h 4c 2d", "Qd 9s", "no pair"),
    ];
    let mut seen = Vec::new();
    for (hand, expected, rule) in rows {
        let parsed: Hand = hand.parse().unwrap();
        assert_eq!(
            (TRUMP_PLAZA.rule(parsed).name.as_str(), front(&TRUMP_PLAZA, hand).as_str()),
            (rule, expected),
            "{hand}"
        );
        seen.push(rule);
    }
    for rule in &TRUMP_PLAZA.survey().rules {
        assert!(seen.contains(&rule.name.as_str()), "no example of the rule \"{}\"", rule.name);
    }
}

#[test]
fn readings_change_the_hands_they_name() {
    let way = with_reading("pair-with-complete-hand", "break");
    assert_eq!(front(&way, "9s 9d 8h 7d 6s 5c Ah"), "Ah 8h");
    let way = with_reading("trips-complete-without-pair", "three_of_a_kind");
    assert_eq!(front(&TRUMP_PLAZA, "As Ad Jk Kh Qc Js 3d"), "As 3d");
    assert_eq!(front(&way, "As Ad Jk Kh Qc Js 3d"), "Jk Kh");
    let way = with_reading("quads-with-pair", "split_rule");
    assert_eq!(front(&way, "As Ad Ah Jk Ks Kd Qh"), "Jk As");
    assert_eq!(front(&way, "9s 9d 9h 9c 4s 4d Ah"), "4s 4d");
}

#[test]
fn four_aces_of_a_suit_leave_a_royal_flush() {
    // Three aces, the joker and K-Q-J of an ace's suit: with either pair of aces in front, the back counts as its best
    // hand.
    let hand: Hand = "As Ad Ah Jk Ks Qs Js".parse().unwrap();
    let setting = TRUMP_PLAZA.set(hand);
    assert_eq!(setting.front(hand).to_string(), "Ah Ad");
    assert_eq!(GAME.ranking().describe(GAME.set(hand, setting).back), "royal flush");
}

fn hands() -> impl Strategy<Value = Hand> {
    // Half of the hands favor one suit, so that flushes are frequent.
    let cards = |from: Vec<u8>| proptest::sample::subsequence(from, 7);
    let suited: Vec<u8> = (0..53).filter(|card| card % 4 == 1 || *card >= 40).collect();
    prop_oneof![cards((0..53).collect()), cards(suited)]
        .prop_map(|indices| Hand::new(indices.into_iter().map(|i| Card::from_index(i).unwrap()).collect()).unwrap())
}

fn check_one_hand(way: &HouseWay, hand: Hand) -> SetHand {
    let setting = way.set(hand);
    let made = GAME.set(hand, setting);
    assert_eq!(made, way.set_profile(Profiles::get().of(hand.set())), "{hand}");
    assert!(GAME.is_legal(made), "{hand}");
    made
}

proptest! {
    #[test]
    fn the_tables_hold_for_every_suiting(hand in hands()) {
        for way in ALL.iter() {
            check_one_hand(way, hand);
        }
    }

    #[test]
    fn the_lowest_index_is_chosen_among_equal_settings(hand in hands()) {
        prop_assume!(!Profiles::get().of(hand.set()).is_flush());
        for way in ALL.iter() {
            let made = check_one_hand(way, hand);
            let first = GAME.settings(hand).find(|(_, other)| *other == made).unwrap().0;
            prop_assert_eq!(way.set(hand), first);
        }
    }

    /// The set hand does not change under permutations of suits.
    #[test]
    fn house_ways_are_suit_isomorphic(hand in hands(), suits in Just([0u8, 1, 2, 3]).prop_shuffle()) {
        let swap = |card: Card| match (card.rank(), card.suit()) {
            (Some(rank), Some(suit)) => Card::new(rank, Suit::ALL[usize::from(suits[suit.index()])]),
            _ => card,
        };
        let other = Hand::new(hand.set().iter().map(swap).collect()).unwrap();
        for way in ALL.iter() {
            prop_assert_eq!(GAME.set(hand, way.set(hand)), GAME.set(other, way.set(other)), "{} {}", hand, other);
        }
    }
}

/// Unlike the survey, which covers profiles, this test covers the hands themselves (about ten seconds).
#[test]
fn every_hand_is_set_legally() {
    let mut hands = 0u64;
    for_each_subset(CardSet::DECK_53, 7, |cards| {
        check_one_hand(&TRUMP_PLAZA, Hand::new(cards).unwrap());
        hands += 1;
    });
    assert_eq!(hands, 154_143_080);
}

#[test]
#[ignore = "1 min; every hand under all other house ways"]
fn every_hand_is_set_legally_by_all() {
    for_each_subset(CardSet::DECK_53, 7, |cards| {
        for way in &ALL[1..] {
            check_one_hand(way, Hand::new(cards).unwrap());
        }
    });
}

const HEAD: &str = "name = \"x\"\ntitle = \"x\"\nsource = \"x\"\n";
const REST: &str = "[[rule]]\nname = \"rest\"\ntext = \"x\"\nplay = {}\n";

fn rule(body: &str) -> String {
    format!("{HEAD}[[rule]]\nname = \"odd\"\ntext = \"x\"\n{body}\n{REST}")
}

/// Returns a house way with groups of shapes and a rule for `strong`.
fn grouped(groups: &str) -> String {
    let rule = "[[rule]]\nname = \"odd\"\nwhen = { shape = [\"strong\", \"two pairs\"] }\ntext = \"x\"\nplay = { back = \"one pair\" }";
    format!("{HEAD}[groups]\n{groups}\n{rule}\n{REST}")
}

#[test]
fn errors_name_the_line_and_a_remedy() {
    let cases = [
        (rule("when = { shape = \"two pair\" }\nplay = {}"), 7, "\"two pairs\""),
        (rule("when = { shape = [\"two pairs\", \"flush\"] }\nplay = {}"), 7, "unknown shape \"flush\""),
        (rule("when = { high-pair = \"K-2\" }\nplay = {}"), 7, "lower one first"),
        (rule("when = { hi-pair = \"K\" }\nplay = {}"), 7, "unknown field `hi-pair`"),
        (rule("play = { front = \"pair\" }"), 7, "pair pair"),
        (rule("play = { back = \"completed\" }"), 7, "\"complete\""),
        (rule("play = { front-at-least = \"joker\" }"), 7, "expected its ranks"),
        (rule("play = []"), 7, "has no play"),
        (rule("when = { except = {} }\nplay = {}"), 7, "excludes no hand or all of them"),
        (rule("when = { except = [] }\nplay = {}"), 7, "add a condition, or remove it"),
        (rule("when = { except = { shape = \"pair\" } }\nplay = {}"), 7, "unknown shape \"pair\""),
        (rule("when = { except = [{ single = \"A\" }, {}] }\nplay = {}"), 7, "excludes no hand or all of them"),
        (rule("play = { except = {} }"), 7, "excludes no setting or all of them"),
        (rule("play = { except = { bak = \"flush\" } }"), 7, "unknown field `bak`"),
        (rule("play = { front-above = {} }"), 7, "whose fronts it must beat"),
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
        (grouped("strong = \"five aces\"\nweak = \"no pair\""), 6, "no rule uses the group \"weak\""),
        (grouped("strong = \"five aces\"\nweak = \"strong\""), 6, "unknown shape \"strong\""),
        (grouped("strong = []"), 5, "\"strong\" is empty"),
        (grouped("\"five aces\" = \"no pair\""), 5, "that of a shape"),
        (grouped("\"a b\" = \"no pair\""), 5, "use only letters"),
        (grouped("weak = \"no pair\""), 8, "expected one of \"no pair\""),
        (rule("reading = { open = \"yes\" }\nplay = {}"), 7, "add [readings.open]"),
        (rule("prefer = \"middle\"\nplay = {}"), 7, "unknown variant `middle`"),
        (format!("{HEAD}{REST}{REST}"), 8, "duplicate rule name \"rest\""),
        (format!("{HEAD}[readings.r]\ntext = \"x\"\noptions = [\"one\"]\n{REST}"), 4, "at least two options"),
        (format!("{HEAD}[[rule]\n"), 4, ""),
    ];
    for (text, line, part) in cases {
        let error = Way::parse(&text, "odd.toml").unwrap_err().to_string();
        assert!(error.starts_with(&format!("odd.toml, line {line}: ")) && error.contains(part), "{error}\n{text}");
    }
}

#[test]
fn files_of_any_size_are_refused_at_once_or_compiled_in_seconds() {
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
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?} for {start}", begun.elapsed());
    }
    // The costliest file within the limits: nothing but fronts that are never above the others.
    let play = "{ back-high = \"2-A\", front-above = { front = \"single single\", back-high = \"2-A\" }, \
                except = { front-above = { back-high = \"2-A\" } } }";
    let way = Way::parse(&rule(&format!("play = [{}]", list(play, 124))), "odd.toml").unwrap();
    let begun = Instant::now();
    let surveyed = way.survey(&GAME);
    println!("{:?}: {:?}", begun.elapsed(), surveyed.map(|survey| survey.rules));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

fn list_of_readings(count: usize) -> String {
    (0..count).map(|i| format!("[readings.r{i:02}]\ntext = \"x\"\noptions = [\"a\", \"b\"]\n")).collect()
}

/// Conditions on one play through another hold as their definition says, however deep they are nested.
#[test]
fn nested_plays_hold_by_definition() {
    let play = "{ front-above = { front = \"single single\", front-above = { back = \"complete\" } } }";
    let way = Way::parse(&rule(&format!("play = {play}")), "nested.toml").unwrap();
    let way = HouseWay::compile(way, &GAME).unwrap();
    // No back is complete, so the inner play allows all fronts of singles, and the outer one those above ace-king.
    for (hand, front, rule) in [("As Kd 9s 9d 7d 7h 3s", "7h 7d", "odd"), ("As Kd Qh 9c 7d 7h 3s", "As Kd", "rest")] {
        let hand: Hand = hand.parse().unwrap();
        assert_eq!((way.set(hand).front(hand).to_string().as_str(), way.rule(hand).name.as_str()), (front, rule));
    }
}

/// Fronts that a play with `when` and `play` chooses, or the rule `rest` if it fits none.
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
                // The highest and the lowest of three pairs: 9 and 3.
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
                // The joker is an ace, here the first single.
                ("Jk Kd 9h 7s 7d 5h 3c", "Kd 3c"),
            ],
        ),
        // A part with a position, in any order, and a single with any other.
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
        // King-high or lower, ace-jack or lower, a pair of sixes or lower.
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
        ("\"../../etc/passwd\"", "use only letters"),
        ("\"/tmp/x\"", "use only letters"),
        ("\"a b\"", "use only letters"),
        ("\"x\\n\"", "use only letters"),
        ("\"\\u001b[2J\"", "use only letters"),
        ("\"<script>\"", "use only letters"),
        ("\"a|b\"", "use only letters"),
        ("\"\"", "use only letters"),
        ("\".\"", "use only letters"),
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
    // The same rules under the same name are the built-in way, whatever the comments say.
    let (name, text) = BUILT_IN[0];
    assert_eq!(Way::parse(&format!("# a copy\n{text}"), "copy.toml").unwrap().name(), name);
}

#[test]
fn rules_without_effect_are_rejected() {
    let survey =
        |text: String| Way::parse(&text, "odd.toml").unwrap().survey(&GAME).map(|_| ()).unwrap_err().to_string();
    let error = survey(format!("{}[[rule]]\nname = \"late\"\ntext = \"x\"\nplay = {{}}\n", rule("play = {}")));
    assert!(error.contains("line 8") && error.contains("\"rest\" is never reached"), "{error}");
    let error = survey(rule("when = { shape = \"one pair\" }\nplay = { front = \"low-pair low-pair\" }"));
    assert!(error.contains("line 4") && error.contains("\"odd\" never applies"), "{error}");
}

#[test]
fn hands_without_a_rule_are_counted_and_rejected() {
    let text =
        format!("{HEAD}[[rule]]\nname = \"pair\"\ntext = \"x\"\nwhen = {{ shape = \"one pair\" }}\nplay = {{}}\n");
    let way = Way::parse(&text, "odd.toml").unwrap();
    let survey = way.survey(&GAME).unwrap();
    assert_eq!(survey.uncovered + survey.rules[0].hands, 154_143_080);
    let error = HouseWay::compile(way, &GAME).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains(&survey.uncovered.to_string()) && error.contains("add a rule"), "{error}");
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
    // A key that occurs twice would be rejected.
    (prop_oneof![front, mixed, least, back], proptest::option::of(other)).prop_map(|(word, other)| {
        let words: Vec<String> = std::iter::once(word).chain(other).collect();
        format!("{{ {} }}", words.join(", "))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Every play of every file is legal.
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
