//! The generated chapters of the book's reference, which have to be those of the program.
//!
//! `HOUSEWAY_WRITE_REFERENCE=1 cargo test --release --workspace reference` writes them again after a change.

use super::docs;
use clap::{Arg, Command};
use houseway::banking::SituationsConfig;
use houseway_learned::methods::RegressionLoss;
use houseway_learned::schedule::RateSchedule;
use houseway_learned::{OptimizerConfig, tasks};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// If this is set, the chapters are written instead of compared.
const WRITE: &str = "HOUSEWAY_WRITE_REFERENCE";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Compares a chapter with the one in the book, or writes it.
fn check_chapter(name: &str, text: &str) {
    let path = root().join("experiments/book/src/reference").join(name);
    if std::env::var_os(WRITE).is_some() {
        fs::write(&path, text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let differs = text.lines().zip(written.lines()).find(|(now, before)| now != before);
    assert!(written == text, "{name} is out of date; write it again with {WRITE}=1. First difference: {differs:?}");
}

// The command line

#[test]
fn the_command_line_is_the_one_in_the_book() {
    let mut text = "# Command line\n\nThis chapter lists all commands and their options, as `houseway COMMAND --help` \
                    does. It is generated from the program.\n"
        .to_owned();
    let mut command = houseway::cli::command();
    command.build();
    add_command(&command, &mut text);
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        add_command(command, &mut text);
    }
    check_chapter("command-line.md", &text);
}

fn add_command(command: &Command, text: &mut String) {
    let about = command.get_long_about().or(command.get_about()).unwrap_or_default().to_string();
    let usage = command.clone().render_usage().to_string().replace("Usage: ", "");
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let _ = write!(text, "\n## {name}\n\n{}\n\n```text\n{}\n```\n\n", escaped(&about), usage.trim());
    let is_shown = |arg: &&Arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str());
    for arg in command.get_arguments().filter(is_shown) {
        let _ = writeln!(text, "- {}", item(arg));
    }
}

/// Returns the line of an argument or option: its names, its meaning, its values and its default.
fn item(arg: &Arg) -> String {
    let mut names: Vec<String> = arg.get_short().map(|short| format!("-{short}")).into_iter().collect();
    names.extend(arg.get_long().map(|long| format!("--{long}")));
    let takes_value = arg.get_action().takes_values();
    let values =
        arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let values = if values.is_empty() { arg.get_id().as_str().to_uppercase() } else { values };
    let number = arg.get_num_args().unwrap_or_default();
    let values = if number.min_values() == 0 && takes_value { format!("[{values}]") } else { values };
    let values = if number.max_values() > 1 { format!("{values}...") } else { values };
    let names = match (names.is_empty(), takes_value) {
        (true, _) => values,
        (false, true) => format!("{} {values}", names.join(", ")),
        (false, false) => names.join(", "),
    };
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut line =
        format!("`{names}`: {}", escaped(&help).replace("\n\n", ". ").replace(".. ", ". ").replace('\n', " "));
    let possible = arg.get_possible_values();
    if takes_value && !possible.is_empty() {
        let possible: Vec<String> = possible.iter().map(|value| format!("`{}`", value.get_name())).collect();
        let _ = write!(line, " (one of {})", possible.join(", "));
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| format!("`{}`", value.display())).collect();
    if takes_value && !defaults.is_empty() {
        let _ = write!(line, " [default: {}]", defaults.join(", "));
    }
    line
}

/// Returns the text with the characters that are markup in Markdown escaped, except in code.
fn escaped(text: &str) -> String {
    outside_code(text, |text| text.replace('<', "\\<").replace('*', "\\*").replace('_', "\\_"))
}

/// Changes a text except for its inline code.
fn outside_code(text: &str, change: impl Fn(&str) -> String) -> String {
    let parts = text.split('`').enumerate();
    let parts: Vec<String> = parts.map(|(i, part)| if i % 2 == 0 { change(part) } else { part.to_owned() }).collect();
    parts.join("`")
}

/// Every command that writes JSON has its keys in the generated chapter, or is explained where a chapter can't list them:
/// interactive commands write events, and those below train.
#[test]
fn all_documents_are_in_the_book() {
    let read = |name: &str| fs::read_to_string(root().join("experiments/book/src/reference").join(name)).unwrap();
    let (keys, explained) = (read("json-keys.md"), read("json.md"));
    let mut command = houseway::cli::command();
    command.build();
    let has_json = |command: &&Command| command.get_arguments().any(|argument| argument.get_id() == "json");
    let names: Vec<_> = command.get_subcommands().filter(has_json).map(Command::get_name).collect();
    assert!(names.len() >= 25, "{names:?}");
    for name in names {
        let is_listed = keys.contains(&format!("\n## houseway {name}"));
        assert!(is_listed || explained.contains(&format!("`houseway {name} ")), "{name} --json isn't in the book");
    }
    let place = tempfile::tempdir().unwrap();
    let tiny = "name = \"tiny\"\ngame = \"joker-seven\"\nseeds = [1]\n[train.small]\nmethod = \"all-action\"\nsteps = 2\n\
                batch = 64\nnetwork = { width = 4, layers = 1 }\n";
    let sweep = "name = \"tiny-sweep\"\nbase = \"tiny.toml\"\n[keys]\n\"train.small.learning-rate\" = [0.01]\n";
    fs::write(place.path().join("tiny.toml"), tiny).unwrap();
    fs::write(place.path().join("sweep.toml"), sweep).unwrap();
    for arguments in [["train", "tiny.toml"], ["sweep", "sweep.toml"]] {
        let mut houseway = std::process::Command::new(env!("CARGO_BIN_EXE_houseway"));
        let output = houseway.args(arguments).arg("--json").current_dir(place.path()).output().unwrap();
        let document: Map<String, Value> = serde_json::from_slice(&output.stdout).unwrap();
        for key in document.keys() {
            assert!(explained.contains(&format!("`{key}`")), "{key} of {arguments:?} isn't in the book");
        }
    }
}

// Environment variables

/// Returns the environment variables that a source file reads. Their names are literals in the line that reads them or in
/// the line before, or constants.
fn variables(source: &str, marker: &str) -> BTreeSet<String> {
    let is_name = |text: &&str| {
        text.len() >= 4
            && text.starts_with(|c: char| c.is_ascii_uppercase())
            && !text.contains(|c: char| !(c.is_ascii_uppercase() || c == '_'))
    };
    let mut names = BTreeSet::new();
    let lines: Vec<&str> = source.lines().collect();
    for (i, line) in lines.iter().enumerate().filter(|(_, line)| line.contains(marker)) {
        let before = lines[i.saturating_sub(1)];
        names.extend(
            [before, *line]
                .into_iter()
                .flat_map(|line| line.split('"').skip(1).step_by(2))
                .filter(is_name)
                .map(str::to_owned),
        );
        let constant = line.split_once(marker).and_then(|(_, rest)| Some(rest.split_once('(')?.1.split_once(')')?.0));
        if let Some((_, value)) = constant.and_then(|name| source.split_once(&format!("const {name}: &str = \""))) {
            names.extend(value.split('"').next().map(str::to_owned));
        }
    }
    names
}

#[test]
fn environment_variables_are_listed() {
    let page = docs::page("experiments/book/src/reference/environment-variables.md");
    let (mut rust, mut python) = (Vec::new(), Vec::new());
    ["env", "agents", "experiments"].into_iter().for_each(|folder| docs::add_files(folder, ".rs", &mut rust));
    docs::add_files("env/python", ".py", &mut python);
    let mut read = BTreeSet::new();
    for (files, marker) in [(rust, concat!("env::", "var")), (python, "os.environ")] {
        for name in files {
            read.append(&mut variables(&docs::page(&name), marker));
        }
    }
    // These are Cargo's and the system's.
    read.retain(|name| !name.starts_with("CARGO_") && !["OUT_DIR", "PATH"].contains(&name.as_str()));
    for known in ["HOUSEWAY_COUNTS", "RUST_MIN_STACK", "LC_CTYPE", "NO_COLOR", "HOUSEWAY_WRITE_TUTORIAL"] {
        assert!(read.contains(known), "{known} isn't found in the sources: {read:?}");
    }
    let missing: Vec<&String> = read.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
}

// The keys of configurations

/// A struct or enum in the source code whose fields or variants are keys of a configuration.
struct Section {
    heading: &'static str,
    file: &'static str,
    name: &'static str,
    /// The defaults of the keys as a table, with one table for each variant of an enum.
    defaults: Vec<Value>,
}

/// A key or a variant in the source code.
struct Item {
    name: String,
    /// The type of a key in Rust. Empty for a variant.
    kind: String,
    about: String,
    is_optional: bool,
    /// The keys of a variant.
    keys: Vec<Item>,
}

fn section(heading: &'static str, file: &'static str, name: &'static str) -> Section {
    Section { heading, file, name, defaults: vec![] }
}

impl Section {
    fn with(self, defaults: impl Serialize) -> Section {
        Section { defaults: vec![serde_json::to_value(defaults).unwrap()], ..self }
    }
}

/// Returns the section on the reset options of a game's environment.
fn reset_options(heading: &'static str, game: &str, file: &'static str, name: &'static str) -> Section {
    let env = (houseway_env::registry::find(game).unwrap().make)("{}").unwrap();
    let defaults: Value = serde_json::from_str(&env.default_options()).unwrap();
    section(heading, file, name).with(defaults)
}

/// Returns the section of a training method, with the defaults of Pai Gow Poker.
fn method(name: &'static str, file: &'static str, parameters: &'static str) -> Section {
    let training = json!({ "method": name });
    section(name, file, parameters).with(tasks::configure(GAME, training.as_object().unwrap()).unwrap().method)
}

/// The game whose training defaults are listed.
const GAME: &str = "pai-gow-poker";

fn sections() -> Vec<Section> {
    const REGRESSION: &str = "agents/learned/src/methods/regression.rs";
    const SCHEDULE: &str = "agents/learned/src/schedule.rs";
    const BANKING: &str = "experiments/src/banking/mod.rs";
    const TABLE: &str = "experiments/lab/src/analysis/pai_gow/table_run/mod.rs";
    let training = tasks::configure(GAME, &Map::new()).unwrap();
    let trees = tasks::configure_trees(GAME, Map::new()).unwrap();
    let network = training.network;
    let focused: RegressionLoss = serde_json::from_value(json!({ "name": "focused", "value-weight": 0 })).unwrap();
    let mut focused = serde_json::to_value(focused).unwrap();
    // This key is required, so it has no default.
    focused.as_object_mut().unwrap().remove("value-weight");
    let optimizers = ["adam", "adamw", "sgd", "rmsprop"].map(|name| {
        let optimizer: OptimizerConfig = serde_json::from_value(json!({ "name": name })).unwrap();
        serde_json::to_value(optimizer).unwrap()
    });
    vec![
        section("Experiment", "experiments/src/study/experiment.rs", "Experiment"),
        section("Training", "agents/learned/src/config.rs", "TrainConfig").with(training),
        section("Network", "agents/learned/src/network/size.rs", "NetworkConfig").with(network),
        Section {
            defaults: optimizers.into(),
            ..section("Optimizer", "agents/learned/src/optimizer.rs", "OptimizerConfig")
        },
        section("Schedule", SCHEDULE, "RateSchedule").with(RateSchedule::default()),
        section("Curve", SCHEDULE, "RateCurve"),
        method("all-action", "agents/learned/src/methods/all_action.rs", "AllAction"),
        method("policy-gradient", "agents/learned/src/methods/policy_gradient.rs", "PolicyGradient"),
        method("actor-critic", "agents/learned/src/methods/actor_critic.rs", "ActorCritic"),
        method("ppo", "agents/learned/src/methods/ppo.rs", "Ppo"),
        method("bandit-regression", REGRESSION, "BanditRegression"),
        method("paired", "agents/learned/src/methods/paired.rs", "Paired"),
        method("distillation", "agents/learned/src/methods/distillation.rs", "Distillation"),
        Section { defaults: vec![focused], ..section("Loss", REGRESSION, "RegressionLoss") },
        section("Exploration", REGRESSION, "Exploration"),
        section("Thinning", "agents/learned/src/methods/distillation.rs", "Thinning"),
        section("Trees", "agents/learned/src/trees.rs", "TreesConfig").with(trees),
        section("Trained agent", "experiments/src/study/experiment.rs", "SavedAgent"),
        section("Sweep", "experiments/src/sweep/config.rs", "Keys"),
        section("Random search", "experiments/src/sweep/config.rs", "Random"),
        section("Self-play", "experiments/src/self_play/mod.rs", "SelfPlayExperiment"),
        section("Banking", BANKING, "BankingExperiment"),
        section("Situations", BANKING, "SituationsConfig").with(SituationsConfig::default()),
        section("Sessions", BANKING, "SessionConfig"),
        section("Table", TABLE, "TableRunConfig"),
        section("Player", TABLE, "PlayerConfig"),
        section("Player policy", TABLE, "PlayerPolicy"),
        section("Bank policy", "env/src/pai_gow/table/player.rs", "BankPolicy"),
        reset_options("Reset options of Pai Gow Poker", "pai-gow-poker", "env/src/pai_gow/env.rs", "PaiGowOptions"),
        reset_options(
            "Reset options with known cards",
            "pai-gow-known-cards",
            "env/src/pai_gow/known_cards/env.rs",
            "KnownCardsOptions",
        ),
        reset_options("Reset options of the table", "pai-gow-table", "env/src/pai_gow/table/env.rs", "TableOptions"),
        // Face Up Pai Gow Poker has the same options.
        reset_options(
            "Reset options of tiles and face up",
            "pai-gow-tiles",
            "env/src/gym/card_game.rs",
            "StakeOptions",
        ),
        reset_options(
            "Reset options of Ultimate Hold'em",
            "ultimate-holdem",
            "env/src/ultimate_holdem/env.rs",
            "UltimateHoldemOptions",
        ),
        reset_options("Reset options of Asian Stud", "asian-stud", "env/src/asian_stud/env.rs", "AsianStudOptions"),
        reset_options("Reset options of Joker Seven", "joker-seven", "env/src/joker_seven/env.rs", "JokerSevenOptions"),
    ]
}

#[test]
fn the_keys_of_configurations_are_those_in_the_book() {
    let mut text =
        "# Configurations\n\nThis chapter lists the keys of all TOML files that configure `train`, `bench`, \
                    `sweep` and `table`, and the reset options of all environments. It is generated from the program. \
                    The rules of a game and the options of its environment are on its [page](../games/index.md); in a \
                    file, they stand in the table `rules` and beside the other keys, such as `banker` and `paytable`. \
                    `houseway show keys -g asian-stud` prints the configuration of a game with the defaults of most \
                    keys. Those of trainings, methods and trees below are Pai Gow Poker's. If a key has no default and \
                    isn't required, its meaning says what happens without it.\n\n\
                    A training also accepts `note`, a sentence that its report shows, and `feedback`, the name of what \
                    its method learns from, which is only checked. Beside `game`, `options` is a table with the \
                    environment's reset options, which are listed at the end of this chapter, in the games whose \
                    evaluation depends on them: Joker Seven, Pai Gow Poker with known cards, and the table. \
                    Pai Gow Poker's `among` is `\"contenders\"`, the default, or \
                    `\"legal\"`: the settings that agents choose among.\n"
            .to_owned();
    let sections = sections();
    for section in &sections {
        let _ = write!(text, "\n## {}\n\n", section.heading);
        let mut items = read_items(section.file, section.name);
        // An experiment's agents are tables, notes are keys of these, and its other keys are those of the game.
        items.retain(|item| !["notes", "task"].contains(&item.name.as_str()));
        if let Some(item) = items.iter_mut().find(|item| item.name == "saved") {
            item.name = "agents".to_owned();
        }
        assert!(!items.is_empty(), "{} has no keys", section.name);
        add_items(&items, &section.defaults, &sections, "", &mut text);
    }
    check_chapter("configuration.md", &text);
    let mut keys = BTreeSet::new();
    for file in fs::read_dir(root().join("experiments/configs")).unwrap() {
        let config: toml::Table = toml::from_str(&fs::read_to_string(file.unwrap().path()).unwrap()).unwrap();
        add_keys(&config.into(), &mut keys);
    }
    let games = docs::page("env/docs/pai-gow-poker.md") + &docs::page("env/docs/pai-gow-table.md");
    keys.retain(|key| !text.contains(&format!("`{key}`")) && !games.contains(&format!("`{key}`")));
    assert!(keys.is_empty(), "not in the chapter: {keys:?}");
}

/// Adds the keys of a configuration. Rules and options are on the pages of games, and some tables have names for keys.
fn add_keys(value: &toml::Value, keys: &mut BTreeSet<String>) {
    let toml::Value::Table(table) = value else {
        return value.as_array().into_iter().flatten().for_each(|item| add_keys(item, keys));
    };
    for (key, value) in table {
        keys.insert(key.clone());
        match (key.as_str(), value) {
            ("rules" | "options" | "keys", _) => {}
            ("train" | "trees" | "agents", toml::Value::Table(named)) if named.values().all(toml::Value::is_table) => {
                named.values().for_each(|training| add_keys(training, keys));
            }
            _ => add_keys(value, keys),
        }
    }
}

/// Reads the public fields of a struct or the variants of an enum, with their documentation.
fn read_items(file: &str, name: &str) -> Vec<Item> {
    let source = fs::read_to_string(root().join(file)).unwrap();
    // Enums that are declared by a macro are indented, and have the case of their names after a colon.
    let heads = ["struct", "enum"].iter().flat_map(|kind| [" {", ": "].map(|end| format!("{kind} {name}{end}")));
    let start = heads.into_iter().find_map(|head| source.find(&head));
    let start = start.unwrap_or_else(|| panic!("{file} has no {name}"));
    let line = &source[source[..start].rfind('\n').map_or(0, |end| end + 1)..];
    let indent = line.len() - line.trim_start().len();
    let body = line.split_once('\n').unwrap().1;
    let body = body.split(&format!("\n{}}}", " ".repeat(indent))).next().unwrap();
    let above = source[..start].trim_end_matches("pub ").lines().rev();
    let attributes: Vec<&str> = above.take_while(|line| line.starts_with("#[")).collect();
    let has = |attribute: &str| attributes.iter().any(|line| line.contains(attribute));
    let lowercase = has("rename_all = \"lowercase\"");
    // All keys that aren't read by serde have a default.
    let all_optional = has("serde(default") || !has("Deserialize");
    let (mut items, mut about, mut renamed): (Vec<Item>, Vec<&str>, Option<&str>) = Default::default();
    let mut is_optional = false;
    for line in body.lines() {
        let depth = line.len() - line.trim_start().len();
        let line = line.trim();
        if let Some(text) = line.strip_prefix("///") {
            about.push(text.trim());
        } else if let Some(attribute) = line.strip_prefix("#[") {
            let after = attribute.split_once("rename = \"").map(|(_, after)| after);
            renamed = after.and_then(|after| after.split('"').next()).or(renamed);
            is_optional |= attribute.starts_with("serde(default");
        } else if line.starts_with(|c: char| c.is_alphabetic()) {
            let text = std::mem::take(&mut about).join(" ").replace("  ", " ");
            let about = outside_code(&without_code_links(&text), without_links);
            let line = line.trim_start_matches("pub ").trim_end_matches([',', '{', ' ']);
            let (name, kind) = line.split_once(": ").unwrap_or((line, ""));
            let name = match renamed.take() {
                Some(name) => name.to_owned(),
                None if lowercase && kind.is_empty() => name.to_lowercase(),
                None => kebab(name),
            };
            assert!(!about.is_empty(), "{file}: {name} has no documentation");
            let is_optional = std::mem::take(&mut is_optional) || all_optional || kind.starts_with("Option<");
            let item = Item { name, kind: kind.to_owned(), about, is_optional, keys: vec![] };
            match items.last_mut().filter(|_| depth > indent + 4) {
                Some(variant) => variant.keys.push(item),
                None => items.push(item),
            }
        }
    }
    items
}

/// Converts the name of a field or a variant to the name in a configuration.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for (index, character) in name.chars().enumerate() {
        if character.is_uppercase() && index > 0 {
            kebab.push('-');
        }
        kebab.push(if character == '_' { '-' } else { character.to_ascii_lowercase() });
    }
    kebab
}

/// Replaces links whose label is code with the code.
fn without_code_links(text: &str) -> String {
    let mut parts = text.split("`](");
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        plain = plain + "`" + part.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain.replace("[`", "`").replace("`]", "`")
}

/// Removes the targets of the links in a documentation comment, which only exist in the documentation of the code.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let (label, after) = after.split_once(']').unwrap();
        plain += before;
        plain += label;
        rest = after.strip_prefix('(').and_then(|target| target.split_once(')')).map_or(after, |(_, rest)| rest);
    }
    plain + rest
}

/// Returns the type of a key in words, with a link if it is a section of its own.
fn type_name(kind: &str, sections: &[Section]) -> String {
    let inner = |start: &str| kind.strip_prefix(start).and_then(|rest| rest.strip_suffix('>'));
    if let Some(inner) = inner("Option<") {
        return type_name(inner, sections);
    }
    if let Some(inner) = inner("Vec<") {
        return format!("list of {}", type_name(inner, sections));
    }
    if let Some(inner) = inner("BTreeMap<String, ") {
        return format!("table of {} by name", type_name(inner, sections));
    }
    let section = sections.iter().find(|section| section.name == kind);
    match (kind, section) {
        (_, Some(section)) => {
            let anchor = section.heading.to_lowercase().replace(' ', "-");
            format!("[{}](#{anchor})", section.heading.to_lowercase())
        }
        ("SampleConfig", _) => "table".to_owned(),
        ("MethodConfig", _) => "the name of a method, or a table with its `name` and its keys".to_owned(),
        ("Value" | "Map<String, Value>", _) => "table".to_owned(),
        ("u32" | "u64" | "usize", _) => "integer".to_owned(),
        ("f32" | "f64", _) => "number".to_owned(),
        ("bool", _) => "boolean".to_owned(),
        ("String" | "&'static str" | "PathBuf", _) => "string".to_owned(),
        // These are explained beside their key.
        ("Chips" | "CurveAxis" | "Hand" | "Rate" | "Rules" | "TableRules", _) => kebab(kind).replace('-', " "),
        _ => panic!("{kind} has no section and no name"),
    }
}

/// Returns a default value as it is written in a configuration. A table without a name is described key by key.
fn default_text(value: &Value) -> Option<String> {
    match value {
        Value::Object(table) => {
            let name = table.get("name")?;
            // A method has a section with the defaults of its keys.
            if table.len() == 1 || table.values().any(Value::is_object) {
                return Some(name.to_string());
            }
            let keys = table.iter().filter_map(|(key, value)| Some(format!("{key} = {}", default_text(value)?)));
            Some(format!("{{ {} }}", keys.collect::<Vec<_>>().join(", ")))
        }
        // Some keys have single precision.
        Value::Number(number) => match number.as_f64().map(|number| number as f32) {
            Some(single) if number.to_string().len() > 12 => Some(single.to_string()),
            _ => Some(number.to_string()),
        },
        _ => Some(value.to_string()),
    }
}

fn add_items(items: &[Item], defaults: &[Value], sections: &[Section], indent: &str, text: &mut String) {
    for item in items {
        let Item { name, kind, about, is_optional, keys } = item;
        let own: Vec<Value> = defaults.iter().filter(|value| value["name"] == **name).cloned().collect();
        match kind.is_empty() {
            true => drop(writeln!(text, "{indent}- `\"{name}\"`: {about}")),
            false => {
                let default = match defaults.iter().find_map(|value| value.get(name)) {
                    None if !is_optional => ", required".to_owned(),
                    None => String::new(),
                    Some(value) => default_text(value).map_or_else(String::new, |text| format!(", default `{text}`")),
                };
                let _ = writeln!(text, "{indent}- `{name}` ({}{default}): {about}", type_name(kind, sections));
            }
        }
        add_items(keys, &own, sections, "  ", text);
    }
}
