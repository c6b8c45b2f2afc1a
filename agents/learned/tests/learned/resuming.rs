//! Tests that training is reproducible and resumes byte for byte.

use crate::cases::{Case, averaged, cases, optimizers, weights};
use burn::module::Module;
use houseway_learned::checkpoint::TrainState;
use houseway_learned::methods::ActorCritic;
use houseway_learned::network::Networks;
use houseway_learned::{MetricSink, TrainConfig, TrainingProgress, train};
use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Returns the weights and the state after the whole training of every case.
fn whole_trainings() -> Vec<(Vec<u8>, TrainState)> {
    let train = |case: Case| {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = folder.path().join("checkpoint");
        let trained = case.whole(&checkpoint);
        assert!(trained.finished, "{}", case.name);
        (weights(&checkpoint), trained.state)
    };
    cases().into_iter().map(train).collect()
}

fn values(state: &TrainState) -> Vec<Vec<(String, f64)>> {
    state.history.iter().map(|row| row.values.clone()).collect()
}

#[test]
fn neither_an_interruption_nor_the_number_of_threads_changes_a_byte() {
    let whole = on_threads(3, whole_trainings);
    on_threads(1, || {
        for (case, (straight, whole)) in cases().into_iter().zip(whole) {
            let folder = tempfile::tempdir().unwrap();
            let broken = folder.path().join("broken");
            let half = case.run(&case.config, Some(&broken), 4).unwrap();
            assert_eq!((half.finished, half.state.step), (false, 4));
            let rest = case.whole(&broken);
            assert!(rest.finished && rest.state.deals == whole.deals && rest.state.updates == whole.updates);
            let cause = || {
                let uninterrupted = folder.path().join("uninterrupted");
                case.whole(&uninterrupted);
                let same = weights(&uninterrupted) == weights(&broken);
                if same { "the number of threads" } else { "the interruption" }
            };
            assert!(weights(&broken) == straight, "{}: {} changed the weights", case.name, cause());
            assert_eq!(values(&rest.state), values(&whole), "{}", case.name);
            let other = TrainConfig { learning_rate: 0.1, ..case.config.clone() };
            let error = case.run(&other, Some(&broken), u64::MAX).err().unwrap().to_string();
            assert!(error.contains("belongs to another training"), "{error}");
        }
    });
}

#[test]
fn a_resumed_training_keeps_the_time_of_its_checkpoint() {
    /// Takes a while to store the metrics of the given step, and sets the flag after that.
    struct Slow<'a>(u64, &'a AtomicBool);

    const PAUSE: Duration = Duration::from_millis(500);

    impl MetricSink for Slow<'_> {
        fn scalars(&mut self, progress: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
            if progress.step == self.0 {
                thread::sleep(PAUSE);
                self.1.store(true, Ordering::Relaxed);
            }
            Ok(())
        }
    }

    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let (case, stop) = (averaged(), AtomicBool::new(false));
    // The time passes between the measurement and the checkpoint.
    let sink = &mut Slow(4, &stop);
    let half = train(&case.config, 7, &*case.task, &mut |_| vec![], sink, Some(&checkpoint), &stop).unwrap();
    assert!(!half.finished);
    let history = case.whole(&checkpoint).state.history;
    let seconds: Vec<f64> = history.iter().map(|row| row.progress.seconds).collect();
    let stopped = history.iter().position(|row| row.progress.step == 4).unwrap();
    assert_eq!(history[stopped].progress, half.state.history[stopped].progress);
    assert!(seconds[stopped + 1] - seconds[stopped] > PAUSE.as_secs_f64(), "{seconds:?}");
    assert!(seconds.is_sorted(), "{seconds:?}");
}

#[test]
fn a_finished_training_continues_at_a_restart() {
    let [all_action, gradient] = ["all-action", "policy-gradient"].map(|method| format!("asian-stud {method}"));
    for mut case in cases().into_iter().filter(|case| [&all_action, &gradient].contains(&&case.name)) {
        let folder = tempfile::tempdir().unwrap();
        let [straight, continued] = ["straight", "continued"].map(|name| folder.path().join(name));
        case.whole(&continued);
        let short = case.config.clone();
        // Without a restart, adding steps changes the schedule from the first step on.
        case.config.steps = 13;
        let error = case.run(&case.config, Some(&continued), u64::MAX).err().unwrap().to_string();
        assert!(error.contains("belongs to another training"), "{error}");
        case.config.restarts = vec![short.steps];
        let rest = case.whole(&continued);
        assert!(rest.finished && rest.state.step == 13, "{}", case.name);
        let whole = case.whole(&straight);
        assert_eq!(weights(&continued), weights(&straight), "{}", case.name);
        assert_eq!(values(&rest.state), values(&whole.state), "{}", case.name);
        // A run cannot go back to fewer steps.
        let error = case.run(&short, Some(&continued), u64::MAX).err().unwrap().to_string();
        assert!(error.contains("belongs to another training"), "{error}");
    }
}

#[test]
fn an_agent_plays_with_the_average_of_its_weights() {
    let folder = tempfile::tempdir().unwrap();
    let case = averaged();
    let checkpoint = folder.path().join("averaged");
    let averaged = case.whole(&checkpoint);
    let plain = case.run(&TrainConfig { ema: 0.0, ..case.config.clone() }, None, u64::MAX).unwrap();
    let written = |networks: &Networks, name: &str| {
        let file = folder.path().join(name);
        networks.clone().save_file(&file).unwrap();
        fs::read(file).unwrap()
    };
    // Averaging must not change the weights themselves.
    assert_eq!(written(&plain.networks, "plain.bpk"), fs::read(checkpoint.join("model.bpk")).unwrap());
    assert_eq!(written(&averaged.networks, "average.bpk"), fs::read(checkpoint.join("average.bpk")).unwrap());
    assert_ne!(written(&plain.networks, "plain.bpk"), written(&averaged.networks, "average.bpk"));
    fs::remove_file(checkpoint.join("average.bpk")).unwrap();
    let error = case.run(&case.config, Some(&checkpoint), u64::MAX).err().unwrap().to_string();
    assert!(error.contains("is torn: average.bpk"), "{error}");
}

#[test]
fn a_critic_is_in_checkpoints_but_not_in_agents() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let case = optimizers().pop().unwrap();
    let trained = case.whole(&checkpoint);
    assert!(trained.networks.critic.is_none());
    let [model, average] = ["model.bpk", "average.bpk"].map(|name| fs::read(checkpoint.join(name)).unwrap());
    let mentions = |file: &[u8]| String::from_utf8_lossy(file).contains("critic");
    assert!(mentions(&model) && !mentions(&average));
    // The learning rate of the critic changes its weights in the first step, and therefore the actor's in the second.
    let weights = |steps, rate| {
        let method = ActorCritic { critic_rate: rate, ..ActorCritic::default() }.into();
        let config = TrainConfig { steps, method, ema: 0.0, ..case.config.clone() };
        let (networks, file) =
            (case.run(&config, None, u64::MAX).unwrap().networks, folder.path().join(format!("{steps}-{rate}.bpk")));
        networks.save_file(&file).unwrap();
        fs::read(file).unwrap()
    };
    assert_eq!(weights(1, 0.1), weights(1, 10.0));
    assert_ne!(weights(2, 0.1), weights(2, 10.0));
}
