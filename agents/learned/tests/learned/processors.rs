//! Tests that training gives the same bytes on different processors.
//!
//! The exponential function and the logarithm belong to the C library, and other ones may round them differently.

use crate::cases::{Case, averaged, banking, case, optimizers, weights};
use crate::trees::{config, fit, parts};
use houseway_learned::methods::MethodConfig;
use houseway_learned::network::NetworkConfig;
use houseway_learned::tasks::banking::OfferFeatures;
use sha2::{Digest, Sha256};

/// Returns short training runs. Together, they contain all kinds of sums and products that the tensor library could
/// compute differently: more than 512 rows, inputs or outputs, single ones, and few of them. Most gradients are clipped.
fn runs() -> Vec<Case> {
    let sized = |mut case: Case, batch, width, layers| {
        (case.config.steps, case.config.batch, case.config.gradient_norm) = (6, batch, 0.1);
        case.config.network = NetworkConfig { width, layers };
        case.name = format!("{} {batch} {width} {layers}", case.name);
        case
    };
    let mut runs = vec![
        sized(averaged(), 3, 67, 3),
        sized(averaged(), 10, 530, 2),
        sized(averaged(), 300, 0, 0),
        sized(banking("banking", OfferFeatures::Derived), 300, 19, 2),
        sized(case("asian-stud policy-gradient"), 1_100, 72, 2),
        sized(case("asian-stud policy-gradient"), 4, 31, 3),
        sized(case("asian-stud all-action"), 600, 0, 0),
        sized(case("joker-seven ppo"), 600, 1, 2),
        sized(case("joker-seven ppo"), 3, 520, 1),
    ];
    runs.extend(MethodConfig::NAMES.iter().map(|method| sized(case(&format!("pai-gow-poker {method}")), 200, 71, 2)));
    runs.extend(optimizers().into_iter().map(|case| sized(case, 530, 65, 2)));
    runs
}

/// The first bytes of the SHA-256 hashes of the weights and the metrics. They were computed on a processor with AVX-512,
/// and again on an emulated one with AVX2 alone (`qemu-x86_64 -cpu Haswell`) and with other sizes of caches. So wherever
/// the test runs, it compares that processor with these. New hashes must be computed on both.
const HASHES: [&str; 23] = [
    "ad5f8268 averaged 3 67 3",
    "21d2a6c5 averaged 10 530 2",
    "5f7e8874 averaged 300 0 0",
    "f651eaaa banking 300 19 2",
    "4ab91507 asian-stud policy-gradient 1100 72 2",
    "443163dc asian-stud policy-gradient 4 31 3",
    "0f628c37 asian-stud all-action 600 0 0",
    "39de4196 joker-seven ppo 600 1 2",
    "8cce49bc joker-seven ppo 3 520 1",
    "aa7266ac pai-gow-poker all-action 200 71 2",
    "79035420 pai-gow-poker policy-gradient 200 71 2",
    "abfed1ea pai-gow-poker actor-critic 200 71 2",
    "307e145d pai-gow-poker ppo 200 71 2",
    "34b95dfa pai-gow-poker bandit-regression 200 71 2",
    "7f538c6c pai-gow-poker paired 200 71 2",
    "5ee76889 pai-gow-poker distillation 200 71 2",
    "33ebaaeb optimizer 0 530 65 2",
    "392a1564 optimizer 1 530 65 2",
    "b9e11b02 optimizer 2 530 65 2",
    "681bcef1 optimizer 3 530 65 2",
    "5d8b4594 optimizer 4 530 65 2",
    "0c388217 optimizer 5 530 65 2",
    "e404c4cf trees",
];

#[test]
fn trainings_are_the_same_on_all_processors_with_avx2() {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
        println!("skipped, because this processor has no AVX2");
        return;
    }
    let line = |name: &str, hash: Sha256| {
        let first: String = hash.finalize()[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{first} {name}")
    };
    let run = |case: Case| {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = folder.path().join("checkpoint");
        let trained = case.whole(&checkpoint);
        let metrics: Vec<_> = trained.state.history.iter().map(|row| &row.values).collect();
        let hash = Sha256::new().chain_update(weights(&checkpoint)).chain_update(format!("{metrics:?}"));
        line(&case.name, hash)
    };
    let mut found: Vec<String> = runs().into_iter().map(run).collect();
    let (trees, metrics) = fit(&config(), None, u64::MAX).unwrap();
    found.push(line("trees", Sha256::new().chain_update(parts(&trees).concat()).chain_update(format!("{metrics:?}"))));
    assert_eq!(found, HASHES);
}
