//! Tests that agents play and are written to files.

use crate::cases::cases;
use houseway_env::gym::stream;
use houseway_env::pai_gow::{Dealt, Game, Hand, Rules, Strategy};
use houseway_learned::methods::MethodConfig;
use houseway_learned::network::WeightsError;
use houseway_learned::tasks::pai_gow::{Among, LearnedStrategy};
use std::fs;
use std::sync::Arc;

#[test]
fn agents_choose_legal_actions_and_are_read_from_their_weights() {
    let folder = tempfile::tempdir().unwrap();
    let game = Arc::new(Game::new(Rules::default()));
    let mut rng = stream(5.into());
    let hands: Vec<Hand> = (0..500).map(|_| Dealt::random(&mut rng).hand()).collect();
    let mut among = vec![];
    for case in cases() {
        let networks = case.run(&case.config, None, u64::MAX).unwrap().networks;
        let (agent, file) = (case.agent(&networks), folder.path().join("weights.safetensors"));
        assert_eq!(agent.name(), "agent");
        let metadata = case.task.metadata();
        let metadata = metadata.iter().map(|(key, value)| (*key, value.as_str()));
        let metadata: Vec<(&str, &str)> = metadata.chain([("seed", "7")]).collect();
        networks.save_weights(&file, &metadata).unwrap();
        let bytes = fs::read(&file).unwrap();
        assert!(String::from_utf8_lossy(&bytes[8..bytes.len().min(1000)]).contains("\"seed\":\"7\""));
        networks.save_weights(&file, &metadata).unwrap();
        assert_eq!(fs::read(&file).unwrap(), bytes);
        // Who may read other new files may read the weights.
        let other = folder.path().join("other");
        fs::write(&other, "").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions(), fs::metadata(&other).unwrap().permissions());
        let read = LearnedStrategy::from_weights("agent", &game, &bytes);
        match agent.downcast_ref::<LearnedStrategy>() {
            Some(trained) => {
                let read = read.unwrap();
                assert_eq!(read.set_batch(&hands), trained.set_batch(&hands), "{}", case.name);
                assert_eq!(read.among, trained.among);
                among.push(read.among);
                let cut = LearnedStrategy::from_weights("agent", &game, &bytes[..bytes.len() - 4]).err();
                assert!(matches!(cut, Some(WeightsError::Damaged(_))), "{cut:?}");
            }
            None => assert!(matches!(read.err(), Some(WeightsError::Other(_))), "{}", case.name),
        }
        let Ok(mut episodes) = case.task.episodes(50) else { continue };
        episodes.lanes.reset(Some(3), episodes.options.as_deref()).unwrap();
        for _ in 0..10 {
            let batch = episodes.lanes.batch();
            let actions = agent.choose(&batch.observations, &batch.masks).actions;
            episodes.lanes.step(&actions).unwrap();
        }
    }
    assert_eq!(among[0], Among::Legal);
    assert_eq!(among[1..], vec![Among::Contenders; 2 + MethodConfig::NAMES.len()]);
}
