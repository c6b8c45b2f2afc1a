//! Tests for the reported metrics.

use crate::cases::case;
use houseway_learned::methods::MethodConfig;
use houseway_learned::{DealTotals, TrainConfig, explain_metric};

#[test]
fn metrics_are_means_over_the_steps_since_the_last_measurement() {
    for name in ["asian-stud policy-gradient", "asian-stud ppo", "ultimate-holdem all-action", "pai-gow-poker paired"] {
        let case = case(name);
        let history = |evaluate_every| {
            let config = TrainConfig { evaluate_every, ..case.config.clone() };
            case.run(&config, None, u64::MAX).unwrap().state.history
        };
        let (every, fourth) = (history(1), history(4));
        let names: Vec<&String> = fourth[1].values.iter().map(|(name, _)| name).collect();
        assert!(names.len() > 2 && names[0] == "loss", "{name}: {names:?}");
        for (i, interval) in every[1..].chunks(4).enumerate() {
            for (place, (metric, mean)) in fourth[i + 1].values.iter().enumerate() {
                let expected = interval.iter().map(|step| step.values[place].1).sum::<f64>() / 4.0;
                assert!((mean - expected).abs() <= 1e-12 * expected.abs(), "{name} {metric}: {mean} {expected}");
            }
        }
    }
}

#[test]
fn all_metrics_of_methods_are_explained() {
    let on_asian_stud = MethodConfig::NAMES.iter().map(|method| format!("asian-stud {method}"));
    for name in on_asian_stud.chain(["ultimate-holdem all-action".to_owned()]) {
        let case = case(&name);
        let history = case.run(&case.config, None, u64::MAX).unwrap().state.history;
        let reported = history.last().unwrap().values.iter().map(|(metric, _)| metric.as_str());
        let unexplained: Vec<&str> = reported.filter(|metric| explain_metric(metric).is_none()).collect();
        // The evaluator reports this one.
        assert_eq!(unexplained, ["measured"], "{name}");
    }
}

#[test]
fn deals_rewards_and_gradient_steps_are_counted() {
    let totals = |name: &str| {
        let case = case(name);
        let state = case.run(&case.config, None, u64::MAX).unwrap().state;
        let last = state.history.last().unwrap().progress;
        let DealTotals { seen, settled, rewards } = state.deals;
        assert_eq!([last.hands, last.settled, last.rewards, last.updates], [seen, settled, rewards, state.updates]);
        [seen, settled, rewards, state.updates]
    };
    // Eight steps of 64 hands.
    assert_eq!(totals("asian-stud policy-gradient"), [512, 512, 512, 8]);
    assert_eq!(totals("asian-stud ppo"), [512, 512, 512, 128]);
    assert_eq!(totals("asian-stud paired"), [512, 512, 1024, 8]);
    assert_eq!(totals("asian-stud all-action"), [512, 512, 1024, 8]);
    assert_eq!(totals("asian-stud distillation"), [512, 0, 1024, 8]);
    // Fourteen seatings of seven hands, and the rewards of all answers in each.
    let [seen, settled, rewards, _] = totals("banking");
    assert_eq!((seen, settled, rewards % settled), (512 * 7, 512 * 14, 0));
    // Hands with one candidate are dealt but not settled. Every candidate has a reward for each hand of the banker.
    let case = case("pai-gow-poker all-action");
    let samples = case.config.method.reward_samples();
    let mut source = case.task.reward_source(64, samples, 7).unwrap();
    let batches: Vec<_> = (0..8).map(|step| source(step).unwrap()).collect();
    let candidates: usize = batches.iter().flat_map(|batch| batch.examples(&[])[0].counts.clone()).sum();
    let seen: u64 = batches.iter().map(|batch| batch.deals().seen).sum();
    assert!(samples > 1 && seen > 512 && candidates > 1024);
    let samples = samples as u64;
    assert_eq!(totals("pai-gow-poker all-action"), [seen, 512 * samples, candidates as u64 * samples, 8]);
    // Each hand leads to up to three decisions.
    let [seen, settled, rewards, _] = totals("ultimate-holdem policy-gradient");
    assert!(seen == 512 && settled == 512 && (512..=3 * 512).contains(&rewards), "{rewards}");
}
