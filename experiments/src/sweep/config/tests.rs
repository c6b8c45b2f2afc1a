use super::*;

const BASE: &str = "[base]\nseeds = [4, 5]\n[base.train.a]\nmethod = \"all-action\"\n[base.train.b]\n";

fn parse(head: &str, keys: &str) -> anyhow::Result<SweepConfig> {
    SweepConfig::parse(&format!("name = \"s\"\n{head}\n{BASE}[keys]\n{keys}"), Path::new("."))
}

#[test]
fn only_the_trainings_that_change_are_kept() {
    let names = |head: &str, keys: &str| {
        let config = parse(head, keys).unwrap();
        assert_eq!(SweepConfig::parse(&config.to_toml().unwrap(), Path::new("/")).unwrap(), config);
        trainings(&config.base).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names("", "train.a.steps = [1, 2]"), ["a"]);
    assert_eq!(names("", "\"train.a.steps\" = [1, 2]\ntrain.b.batch = [8]"), ["a", "b"]);
    assert_eq!(names("", "rules.commission = [0.0, 0.05]"), ["a", "b"]);
    assert_eq!(names("train = [\"b\"]", "rules.commission = [0.0, 0.05]"), ["b"]);
    assert_eq!(parse("", "train.a.steps = [1]").unwrap().seeds, [4, 5]);
    let trees = format!("{BASE}[base.trees.c]\nstages = 2\n");
    let with_trees = |head: &str, keys: &str| {
        let config =
            SweepConfig::parse(&format!("name = \"s\"\n{head}\n{trees}[keys]\n{keys}"), Path::new(".")).unwrap();
        trainings(&config.base).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(with_trees("", "train.a.steps = [1, 2]"), ["a"]);
    assert_eq!(with_trees("", "trees.c.depth = [4, 6]"), ["c"]);
    assert_eq!(with_trees("", "rules.commission = [0.0, 0.05]"), ["a", "b", "c"]);
    assert_eq!(with_trees("train = [\"b\", \"c\"]", "rules.commission = [0.0, 0.05]"), ["b", "c"]);
    let random = parse("seeds = [7]\nrandom = { samples = 3, seed = 2 }", "train.a.steps = { uniform = [1, 9] }");
    assert_eq!(random.unwrap().seeds, [7]);
    let without = BASE.replace("seeds = [4, 5]\n", "");
    let text = format!("name = \"s\"\nseeds = [7]\n{without}[keys]\ntrain.a.steps = [1]");
    assert_eq!(SweepConfig::parse(&text, Path::new(".")).unwrap().base["seeds"], json!([7]));
}

#[test]
fn mistakes_are_named() {
    for (head, keys, part) in [
        ("", "train.c.steps = [1]", "keys.train.c.steps: the experiment has no training configuration \"c\""),
        ("", "train = [1]", "keys.train: the experiment has no training configuration \"\"; expected one of a, b"),
        ("", "trees.c.depth = [1]", "keys.trees.c.depth: the experiment has no training configuration \"c\""),
        ("", "seeds = [1]", "keys.seeds: can't be changed by a sweep; use the key seeds of the sweep"),
        ("", "", "keys: name at least one key"),
        ("", "train.a.steps = []", "keys.train.a.steps: expected a list"),
        ("", "train.a.steps = 3", "keys.train.a.steps: expected a list"),
        ("", "train.a.steps = [3, 3]", "keys.train.a.steps: 3 is listed twice"),
        ("", "train.a.steps = { uniform = [1, 9] }", "keys.train.a.steps: a range needs a table [random]"),
        ("random = { samples = 0 }", "train.a.steps = [1]", "random.samples = 0"),
        ("random = { samples = 10001 }", "train.a.steps = [1]", "must be between 1 and 10000"),
        ("random = { sample = 3 }", "train.a.steps = [1]", "unknown field `sample`"),
        ("seed = [1]", "train.a.steps = [1]", "unknown field `seed`"),
        ("seeds = []", "train.a.steps = [1]", "at least one seed"),
        ("train = [\"c\"]", "train.a.steps = [1]", "train: the experiment has no training configuration \"c\""),
    ] {
        let error = format!("{:#}", parse(head, keys).unwrap_err());
        assert!(error.contains(part), "{head} {keys}: {error}");
    }
    let error = |base: &str| {
        let text = format!("name = \"s\"\nbase = {base}\n[keys]\ntrain.a.steps = [1]");
        format!("{:#}", SweepConfig::parse(&text, Path::new("absent")).unwrap_err())
    };
    assert!(error("\"x.toml\"").contains("base: cannot read absent/x.toml"), "{}", error("\"x.toml\""));
    assert!(error("3").contains("base: expected a file"));
    assert!(error("{ kind = \"banking\" }").contains("base: only ordinary experiments"));
}

fn keys(text: &str) -> BTreeMap<String, Domain> {
    let table: toml::Table = toml::from_str(text).unwrap();
    let Value::Object(table) = serde_json::to_value(table).unwrap() else { unreachable!("a table is an object") };
    Domain::collect(&table).unwrap()
}

#[test]
fn a_grid_has_every_combination() {
    let keys = keys("train.a.rate = [0.1, 0.01]\ntrain.a.network.width = [8, 16, 32]");
    let points = points(&keys, None).unwrap();
    let names: Vec<&str> = points.iter().map(|point| point.name.as_str()).collect();
    assert_eq!(names[..3], ["width-8-rate-0.1", "width-8-rate-0.01", "width-16-rate-0.1"]);
    assert_eq!((points.len(), names[5]), (6, "width-32-rate-0.01"));
    assert_eq!(varied(&points), ["train.a.network.width", "train.a.rate"]);
    let labels = labels(keys.keys());
    assert_eq!(described(&points[0].set, &labels), "width=8, rate=0.1");
}

#[test]
fn samples_are_in_range_and_stay_when_more_are_drawn() {
    let keys = keys(
        "rate = { log-uniform = [1e-4, 1e-1] }\nema = { uniform = [0.0, 0.5] }\nwidth = { uniform = [1, 3] }\n\
         batch = { log-uniform = [1, 4] }\nmethod = [\"x\", \"y\"]",
    );
    let draw = |samples, seed| points(&keys, Some(Random { samples, seed })).unwrap();
    let many = draw(4000, 1);
    assert_eq!(draw(10, 1), many[..10]);
    assert_ne!(draw(10, 2), many[..10]);
    let of = |key: &str| many.iter().map(|point| point.set[key].as_f64().unwrap()).collect::<Vec<_>>();
    let share = |key: &str, below: f64| of(key).iter().filter(|&&x| x < below).count() as f64 / many.len() as f64;
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.03, "{found} {expected}");
    assert!(of("rate").iter().all(|rate| (1e-4..=1e-1).contains(rate) && rounded(*rate) == *rate));
    near(share("rate", 1e-3), 1.0 / 3.0);
    near(share("ema", 0.25), 0.5);
    for width in [1.0, 2.0] {
        near(share("width", width + 0.5), width / 3.0);
    }
    // The intervals [1, 2), [2, 3), [3, 4) and [4, 5) have these logarithmic widths.
    near(share("batch", 1.5), 2f64.ln() / 5f64.ln());
    near(share("batch", 3.5), 4f64.ln() / 5f64.ln());
    assert!(many.iter().all(|point| point.set["width"].is_i64() && houseway_env::names::check(&point.name).is_ok()));
}

#[test]
fn a_point_that_is_drawn_twice_is_trained_once() {
    let keys = keys("width = [8, 16]");
    assert_eq!(points(&keys, Some(Random { samples: 50, seed: 1 })).unwrap().len(), 2);
}

#[test]
fn names_are_valid_and_distinct() {
    let long = "x".repeat(80);
    let keys = keys(&format!("a.method = [\"{long}\", {{ name = \"b c\" }}, {{ name = \"b=c\" }}, -3, true]"));
    let points = points(&keys, None).unwrap();
    let names: BTreeSet<&str> = points.iter().map(|point| point.name.as_str()).collect();
    assert_eq!(names.len(), 5);
    for name in names {
        assert!(name.len() <= MAX_POINT_NAME && houseway_env::names::check(name).is_ok(), "{name}");
    }
    assert_eq!((points[3].name.as_str(), points[4].name.as_str()), ("method--3", "method-true"));
}

#[test]
fn labels_are_the_shortest_unique_endings() {
    let keys = ["train.a.steps", "train.b.steps", "train.a.network.width", "rules.commission"].map(str::to_owned);
    let labels = labels(keys.iter());
    assert_eq!(labels["train.a.steps"], "a.steps");
    assert_eq!((labels["train.a.network.width"], labels["rules.commission"]), ("width", "commission"));
}

#[test]
fn ranges_and_sizes_are_checked() {
    for (text, part) in [
        ("a = { uniform = [2, 1] }", "keys.a: uniform: expected two numbers"),
        ("a.b = { log-uniform = [0, 1] }", "keys.a.b: log-uniform: expected two positive numbers"),
        ("a = { log-uniform = 3 }", "log-uniform: expected two positive numbers"),
        ("a = {}", "keys.a: expected a list of values"),
        ("\"a.b\" = [1]\n[a]\nb = [2]", "keys.a.b: given twice"),
    ] {
        let table: toml::Table = toml::from_str(text).unwrap();
        let table = serde_json::to_value(table).unwrap();
        let error = Domain::collect(table.as_object().unwrap()).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
    let list = (0..101).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
    let error = points(&keys(&format!("a = [{list}]\nb = [{list}]")), None).unwrap_err();
    assert!(error.contains("more than 10000 points"), "{error}");
}

/// The parameters of two studies are among the combinations that their tuning tries.
#[test]
fn the_parameters_of_the_tuned_studies_were_drawn() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    for tuning in ["methods-tuning.toml", "feedback-tuning.toml"] {
        let tuning = SweepConfig::read(&configs.join(tuning)).unwrap();
        let drawn = points(&tuning.keys, tuning.random).unwrap();
        let base = Value::Object(tuning.base.clone());
        let of_study = |key: &str| base.pointer(&format!("/{}", key.replace('.', "/"))).unwrap();
        for training in trainings(&tuning.base) {
            let keys = || tuning.keys.keys().filter(|key| concerns(key, training) && !key.ends_with(".steps"));
            let is_of_study = |point: &Point| keys().all(|key| point.set[key] == *of_study(key));
            assert!(keys().count() > 0 && drawn.iter().any(is_of_study), "{training}");
        }
    }
}
