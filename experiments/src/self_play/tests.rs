//! Tests of configurations and results.

use super::{Learning, Played, SelfPlayExperiment, SelfPlayFindings, until_round};
use crate::study::default_config;
use houseway_exact::Ratio;
use houseway_exact::equilibrium::PairEvs;
use houseway_exact::pai_gow::equilibrium::Certificate;
use houseway_lab::report::{Report, answer_text};
use houseway_learned::task::Feedback;

fn committed() -> &'static str {
    default_config("self-play").unwrap()
}

fn experiment() -> SelfPlayExperiment {
    toml::from_str(committed()).unwrap()
}

#[test]
fn the_configuration_of_the_program_is_valid_and_complete() {
    let experiment = experiment();
    assert_eq!(experiment.check(), Ok(()));
    assert!(experiment.seeds.len() >= 3 && !experiment.train.is_empty());
    let complete = houseway_lab::run::config_text(&experiment).unwrap();
    assert_eq!(toml::from_str::<SelfPlayExperiment>(&complete).unwrap(), experiment);
    let names: Vec<String> = experiment.learners().map(|(name, ..)| name).collect();
    assert_eq!((names.len(), names[2].as_str()), (experiment.train.len() * 3, "all-action, seed 3"));
}

#[test]
fn mistakes_are_named() {
    for (from, to, part) in [
        ("rounds = 12", "rounds = 0", "rounds = 0: must be between 1 and 1000"),
        ("rounds = 12", "rounds = 12\nround = 3", "unknown field `round`"),
        ("seeds = [1, 2, 3]", "seeds = [1, 1]", "twice"),
        ("seeds = [1, 2, 3]", "seeds = []", "one seed"),
        ("commission = 0.05", "commission = 2.0", "commission"),
        ("kind = \"self-play\"", "kind = \"banking\"", "must be \"self-play\""),
        ("[train.all-action]", "[train.\"a/b\"]", "letters, digits"),
        ("steps = 1500", "steps = 1500\nrestarts = [700]", "train.all-action.restarts: every round restarts"),
        ("steps = 1500", "steps = 900000000", "train.all-action, in all rounds: steps = 10800000000"),
        ("steps = 1500", "stepps = 1500", "train.all-action: unknown key stepps"),
        ("value-weight = 0.003 } }", "value-weight = -1.0 } }", "train.all-action, in all rounds: method.loss.value"),
    ] {
        assert!(committed().contains(from), "{from}");
        let changed = committed().replacen(from, to, 1);
        let error = toml::from_str(&changed).map_err(|error| error.to_string());
        let error = error.and_then(|experiment: SelfPlayExperiment| experiment.check()).unwrap_err();
        assert!(error.contains(part), "{to}: {error}");
    }
    for method in ["policy-gradient", "distillation"] {
        let mut experiment = experiment();
        let overrides = serde_json::json!({ "method": method });
        let config = houseway_learned::tasks::configure("pai-gow-poker", overrides.as_object().unwrap()).unwrap();
        experiment.train.insert("other".to_owned(), config);
        match (method, experiment.check()) {
            ("distillation", checked) => assert_eq!(checked, Ok(())),
            (_, checked) => {
                let error = checked.unwrap_err();
                assert!(
                    error.contains("train.other.method: \"policy-gradient\" isn't supported in self-play"),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn the_schedule_of_a_round_continues_that_of_the_rounds_before() {
    let config = &experiment().train["all-action"];
    let [first, third] = [1, 3].map(|round| until_round(config, round));
    assert_eq!(first, *config);
    assert_eq!((third.steps, third.restarts.clone()), (4500, vec![1500, 3000]));
    for step in [0, 700, 1500] {
        assert_eq!(third.hash_at(step, 1, "a"), first.hash_at(step, 1, "a"));
    }
    assert_eq!(third.hash_at(3000, 1, "a"), until_round(config, 2).hash(1, "a"));
    // The first round doesn't continue any later ones.
    assert_ne!(first.hash_at(3000, 1, "a"), third.hash_at(3000, 1, "a"));
}

fn played(name: &str, bounds: [i128; 2], learning: Option<Learning>) -> Played {
    let ratio = |numerator| Ratio::new(numerator, 10_000);
    let [lower, upper] = bounds;
    let certificate = Certificate {
        evs: PairEvs { own: [ratio(-273), ratio(273)], best: [ratio(upper), ratio(-lower)] },
        profile_best: [ratio(upper), ratio(-lower)],
    };
    let values = [0.02, 0.004].map(|width| PairEvs { own: [-0.027, 0.027], best: [width - 0.03, 0.03] });
    Played { name: name.to_owned(), certificate, values: values.to_vec(), learning }
}

fn findings() -> SelfPlayFindings<'static> {
    let learned = |seed, bounds| {
        let regrets = vec![[0.003, 0.002], [0.001, 0.0005]];
        let learning = Learning { seed, feedback: Feedback::Redealing, hands: 1_234_567, regrets };
        played(&format!("all-action, seed {seed}"), bounds, Some(learning))
    };
    let learners = vec![learned(1, [-280, -271]), learned(2, [-276, -270])];
    let experiment = Box::leak(Box::new(experiment()));
    SelfPlayFindings { experiment, exact: played("exact responses", [-275, -272], None), learners }
}

#[test]
fn results_have_exact_bounds_and_the_regret_of_each_round() {
    let json = findings().json();
    assert_eq!((&json["scope"], &json["kind"]), (&"whole".into(), &"self-play".into()));
    let agents = json["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 3);
    assert_eq!((&agents[0]["lower"], &agents[0]["upper"]), (&(-0.028).into(), &(-0.0271).into()));
    assert_eq!(agents[0]["width_exact"]["numerator"], "9");
    // The banker's best response holds the player to -2.80%, and -2.73% is what the averages give.
    assert_eq!(agents[0]["player_exploitability_exact"]["numerator"], "7");
    assert_eq!(agents[0]["by_round"][1]["banker_regret"], 0.0005);
    assert_eq!((&agents[1]["seed"], &agents[1]["hands"]), (&2.into(), &1_234_567.into()));
    assert_eq!(agents[1]["feedback"], "re-dealing");
    assert!(agents[2].get("seed").is_none() && agents[2]["by_round"][1].get("player_regret").is_none());
    let rows = findings().rows();
    assert_eq!((rows.len(), rows[2][1].as_str(), rows[2][5].as_str()), (7, "2", "0.001"));
}

#[test]
fn the_report_compares_networks_with_exact_responses() {
    let report = Report::from(findings().answer()).markdown();
    assert!(
        report.contains("the best pair of networks' averages (all-action, seed 2) leaves a bracket of 6.00e-4 stakes")
    );
    assert!(report.contains("Exact responses reach 3.00e-4."), "{report}");
    assert!(report.contains("between -2.75000% and -2.72000% of the stake"), "{report}");
    let row = report.lines().find(|line| line.starts_with("| all-action, seed 1 ")).unwrap();
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    assert_eq!(cells[1..], ["1,234,567", "-2.8000%", "-2.7100%", "0.0900%", "0.0700%", "0.0200%"]);
    assert!(report.contains("bracket-by-rounds") && report.contains("regret-by-rounds"), "{report}");
    let text = answer_text(&findings().answer());
    assert!(text.contains("\nexact ") && text.contains("0.0300%"), "{text}");
}
