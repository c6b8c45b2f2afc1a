use super::*;

crate::named_enum! {
    /// The hands in a game with three ranks.
    #[derive(PartialOrd, Ord)]
    enum Rank: kebab_case { Low, Middle, High }
}

/// A bet that pays in half units and never on the lowest hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Halves;

const GOOD: &str = "name = 'good'\ntitle = 'x'\nsource = 'x'\n[[row]]\nhand = 'high'\nodds = 2\n";

impl Bet for Halves {
    type Hand = Rank;
    const UNITS: u32 = 2;
    const PAYTABLES: &'static [NamedText] =
        &[("good", GOOD), ("both", "name = 'both'\nrow = [{hand = 'middle', odds = 1.5}, {hand = 'high', odds = 4}]")];

    fn is_impossible(hand: Rank, _: &BetTerms) -> bool {
        hand == Rank::Low
    }
}

/// A bet that pays in whole units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Whole;

impl Bet for Whole {
    type Hand = Rank;
    const PAYTABLES: &'static [NamedText] = &[("good", GOOD)];
}

fn problem<B: Bet>(text: &str) -> String {
    text.parse::<Paytable<B>>().unwrap_err().to_string()
}

#[test]
fn tables_are_loaded_by_name_and_by_path() {
    let both: Paytable<Halves> = Paytable::load("both").unwrap();
    assert_eq!((both.units(Rank::Middle), both.units(Rank::High), both.units(Rank::Low)), (Some(3), Some(8), None));
    assert_eq!(both.odds(Rank::Middle).unwrap().to_string(), "1.5");
    assert_eq!(Paytable::<Halves>::default().name(), "good");
    assert_eq!(Paytable::load_bet(GOOD).unwrap(), Paytable::<Halves>::default());
    let folder = std::env::temp_dir();
    for name in ["houseway-paytable-test.toml", "houseway-paytable-test"] {
        let path = folder.join(name);
        std::fs::write(&path, GOOD.replace("odds = 2", "odds = '5/2'")).unwrap();
        let read: Paytable<Halves> = Paytable::load(path.to_str().unwrap()).unwrap();
        assert_eq!((read.name(), read.units(Rank::High)), ("good", Some(5)));
        std::fs::remove_file(path).unwrap();
    }
    let path = folder.join("houseway-paytable-hostile.toml");
    std::fs::write(&path, GOOD.replace("'good'", "'../good'")).unwrap();
    let error = Paytable::<Halves>::load(path.to_str().unwrap()).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(error.contains("hostile.toml: line 1: invalid name"), "{error}");
    for (name, parts) in [("rich", ["'rich'", "good, both"]), ("no/such/file.toml", ["no/such/file.toml", "os error"])]
    {
        let error = Paytable::<Halves>::load(name).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
}

#[test]
fn invalid_tables_are_refused_with_line_and_remedy() {
    let good = GOOD;
    let cases = [
        (good.replace("'high'", "'hihg'"), "line 5", "middle"),
        (good.replace("odds", "odd"), "line 6", "expected one of `hand`, `odds`, `envy`, `meter`"),
        (good.replacen("odds = ", "meter = \"100%\"\nodds = ", 1), "line 6", "expected a part of it from 0 to 1"),
        (good.replace("odds = 2", "odds = -2"), "line 6", "0 to 1000000"),
        (good.replace("odds = 2", "odds = 2000000"), "line 6", "0 to 1000000"),
        (good.replace("odds = 2", "odds = 1.25"), "line 6", "multiples of 1/2"),
        (good.replace("'high'", "'low'"), "line 5", "impossible"),
        (good.replace("title", "titel"), "line 2", "titel"),
        (good.to_owned() + "[[row]]\nhand = 'high'\nodds = 3\n", "line 8", "remove one of them"),
        ("name = 'x'\ntitle = 'x'\nsource = 'x'\nrow = []\n".to_owned(), "line 4", "at least one [[row]]"),
    ];
    for (text, line, part) in cases {
        let error = problem::<Halves>(&text);
        assert!(error.contains(line) && error.contains(part), "expected {line}, {part}: {error}");
    }
    let error = problem::<Whole>(&good.replace("odds = 2", "odds = 1.5"));
    assert!(error.contains("line 6") && error.contains("whole numbers"), "{error}");
}

#[test]
fn rules_write_tables_in_full_and_read_names_too() {
    let both: Paytable<Halves> = Paytable::load("both").unwrap();
    let json = serde_json::to_string(&both).unwrap();
    assert_eq!(json, r#"{"name":"both","row":[{"hand":"high","odds":4.0},{"hand":"middle","odds":1.5}]}"#);
    assert_eq!(serde_json::from_str::<Paytable<Halves>>(&json).unwrap(), both);
    assert_eq!(serde_json::from_str::<Paytable<Halves>>("\"both\"").unwrap(), both);
    assert_ne!(serde_json::from_str::<Paytable<Halves>>(&json.replace("1.5", "2")).unwrap(), both);
    let error = serde_json::from_str::<Paytable<Halves>>(&json.replace("middle", "low")).unwrap_err().to_string();
    assert!(error.contains("row 2") && error.contains("impossible"), "{error}");
    // When serialized without their paytable, rows store whole odds as integers.
    let rows = serde_json::to_string(both.rows()).unwrap();
    assert_eq!(rows, r#"[{"hand":"middle","odds":1.5},{"hand":"high","odds":4}]"#);
}
