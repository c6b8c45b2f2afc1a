use super::*;
use crate::gym::tests::{Walk, walk};
use crate::gym::{Step, stream};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_sound_environment_passes() {
    let report = check_env(&walk(), &[r#"{"start": 2}"#]).unwrap();
    assert_eq!(report.episodes, 2 * 20 * 3);
    assert!(report.legal > 1_000 && report.illegal > 1_000, "{report:?}");
}

/// One way to violate the contract.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Mask,
    Reward,
    Bounds,
    Seed,
    Reseed,
    Length,
    AfterEnd,
    Shared,
    TooLong,
    DefaultSeed,
    Stays,
    ActionRewards,
    NoNumbers,
}

/// The random walk with one contract violation.
#[derive(Clone)]
struct Broken {
    walk: Walk,
    fault: Fault,
    seed: Option<StreamSeed>,
    shared: Arc<AtomicUsize>,
}

impl Env for Broken {
    fn spec(&self) -> EnvSpec {
        EnvSpec { max_steps: if self.fault == Fault::TooLong { 1 } else { 10 }, ..self.walk.spec() }
    }
    fn rules_hash(&self) -> String {
        self.walk.rules_hash()
    }
    fn observation_space(&self) -> BoxSpace {
        let high = if self.fault == Fault::Bounds { 0.5 } else { 1.0 };
        BoxSpace { high, ..self.walk.observation_space() }
    }
    fn observation_stays(&self) -> bool {
        self.fault == Fault::Stays
    }
    fn actions(&self) -> usize {
        self.walk.actions()
    }
    fn default_options(&self) -> String {
        self.walk.default_options()
    }
    fn check_options(&self, options: Option<&str>) -> Result<(), EnvError> {
        self.walk.check_options(options)
    }
    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: Option<&str>) -> Result<(), EnvError> {
        self.seed = seed.or(self.seed);
        let seed = match self.fault {
            Fault::Seed => Some(StreamSeed::from(3)),
            Fault::Reseed => self.seed,
            Fault::DefaultSeed => {
                self.seed.or(Some(StreamSeed::from(5))).filter(|_| seed.is_some() || self.seed.is_none())
            }
            _ => seed,
        };
        self.walk.reset_stream(seed, options)
    }
    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        self.walk.check_action(action)
    }
    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        let result = self.walk.step(action);
        self.shared.fetch_add(1, Ordering::Relaxed);
        match self.fault {
            Fault::Reward => result.map(|step| Step { reward: 2.0, ..step }),
            Fault::AfterEnd if result == Err(EnvError::EpisodeOver) => {
                Ok(Step { reward: 0.0, terminated: true, truncated: false })
            }
            _ => result,
        }
    }
    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        if self.fault == Fault::Length && out.len() == 4 {
            return Ok(());
        }
        self.walk.observe(out)?;
        let steps = self.shared.load(Ordering::Relaxed);
        if self.fault == Fault::Shared && steps > 100 {
            out[0] = (steps % 100) as f32 / 100.0;
        }
        Ok(())
    }
    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        self.walk.action_mask(out)?;
        if self.fault == Fault::Mask && out.contains(&true) {
            out[0] = true;
        }
        Ok(())
    }
    fn has_action_rewards(&self) -> bool {
        true
    }
    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError> {
        self.walk.action_rewards(out)?;
        match self.fault {
            Fault::ActionRewards => out.fill(0.5),
            Fault::NoNumbers => out[0] = f32::NAN,
            _ => {}
        }
        Ok(())
    }
    fn render(&self) -> String {
        self.walk.render()
    }
    fn boxed_clone(&self) -> Box<dyn Env> {
        Box::new(self.clone())
    }
}

#[test]
fn every_fault_is_found() {
    let faults = [
        (Fault::Mask, "rejected"),
        (Fault::Reward, "rewards [2.0] are outside"),
        (Fault::Bounds, "outside its space"),
        (Fault::Seed, "restarts the stream"),
        (Fault::Reseed, "default seed"),
        (Fault::Length, "wrong length"),
        (Fault::AfterEnd, "after the end"),
        (Fault::Shared, "does not"),
        (Fault::TooLong, "longer than max_steps"),
        (Fault::DefaultSeed, "default seed"),
        (Fault::Stays, "should stay unchanged"),
        (Fault::ActionRewards, "exceed its reward"),
        (Fault::NoNumbers, "aren't finite"),
    ];
    for (fault, words) in faults {
        let broken = Broken { walk: walk(), fault, seed: None, shared: Arc::default() };
        let failure = check_env(&broken, &[]).expect_err(words).to_string();
        assert!(failure.starts_with("Walk-v0: ") && failure.contains(words), "expected '{words}': {failure}");
    }
}

mod pennies {
    use super::*;
    /// One way to violate the contract.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Fault {
        None,
        Leak,
        Mask,
        Reward,
        Seed,
        Ends,
        Ghost,
    }

    /// Matching pennies, played five times. Actions 0 and 1 show a side of the penny, and action 2 is always illegal.
    /// Agent 0 wins if the sides match. Both agents also see a random coin, which is tossed again for each round.
    #[derive(Clone)]
    struct Pennies {
        fault: Fault,
        rng: Option<Pcg64>,
        shown: [Option<usize>; 2],
        coin: bool,
        left: Option<usize>,
        rewards: [f64; 2],
    }

    fn pennies(fault: Fault) -> Pennies {
        Pennies { fault, rng: None, shown: [None; 2], coin: false, left: None, rewards: [0.0; 2] }
    }

    impl Pennies {
        fn known(&self, agent: usize) -> Result<usize, EnvError> {
            let left = self.left.ok_or(EnvError::NotReset)?;
            let ghost = self.fault == Fault::Ghost && agent == 2;
            if agent < 2 || ghost { Ok(left) } else { Err(EnvError::NoAgent { agent, agents: 2 }) }
        }
    }

    impl MultiEnv for Pennies {
        fn spec(&self) -> EnvSpec {
            EnvSpec { id: "Pennies-v0", reward_range: (-1.0, 1.0), max_steps: 10 }
        }
        fn rules_hash(&self) -> String {
            "pennies".to_owned()
        }
        fn agents(&self) -> usize {
            2
        }
        fn observation_space(&self) -> BoxSpace {
            BoxSpace { shape: vec![2], low: 0.0, high: 1.0 }
        }
        fn actions(&self) -> usize {
            3
        }
        fn check_options(&self, _: Option<&str>) -> Result<(), EnvError> {
            Ok(())
        }
        fn reset_stream(&mut self, seed: Option<StreamSeed>, _: Option<&str>) -> Result<(), EnvError> {
            let seed = if self.fault == Fault::Seed { Some(StreamSeed::from(1)) } else { seed };
            if seed.is_some() || self.rng.is_none() {
                self.rng = Some(stream(seed.unwrap_or_default()));
            }
            (self.shown, self.left, self.rewards) = ([None; 2], Some(5), [0.0; 2]);
            self.coin = self.rng.as_mut().is_some_and(|rng| rng.random_range(0..2) == 1);
            Ok(())
        }
        fn acting(&self) -> AgentSet {
            let asked = |agent: usize| u64::from(self.shown[agent].is_none()) << agent;
            AgentSet(if self.left.unwrap_or(0) == 0 { 0 } else { asked(0) | asked(1) })
        }
        fn status(&self, agent: usize) -> Result<AgentStatus, EnvError> {
            let over = self.known(agent)? == 0 && self.fault != Fault::Ends;
            Ok(if over { AgentStatus::Terminated } else { AgentStatus::Active })
        }
        fn rewards(&self) -> &[f64] {
            &self.rewards
        }
        fn check_action(&self, agent: usize, action: usize) -> Result<(), EnvError> {
            let illegal = |reason: &str| Err(EnvError::IllegalAction { action, reason: reason.to_owned() });
            match (self.known(agent)?, action) {
                (0, _) => Err(EnvError::EpisodeOver),
                _ if !self.acting().contains(agent) => illegal("not asked"),
                (_, 0 | 1) => Ok(()),
                _ => illegal("there are two sides"),
            }
        }
        fn step(&mut self, agent: usize, action: usize) -> Result<(), EnvError> {
            self.check_action(agent, action)?;
            self.shown[agent] = Some(action);
            self.rewards = [0.0; 2];
            if let [Some(a), Some(b)] = self.shown {
                let won = if a == b { 1.0 } else { -1.0 };
                self.rewards = if self.fault == Fault::Reward { [2.0, -2.0] } else { [won, -won] };
                (self.shown, self.left) = ([None; 2], self.left.map(|left| left - 1));
                self.coin = self.rng.as_mut().is_some_and(|rng| rng.random_range(0..2) == 1);
            }
            Ok(())
        }
        fn observe(&self, agent: usize, out: &mut [f32]) -> Result<(), EnvError> {
            let left = self.known(agent)?;
            EnvError::check_length("the observation", out.len(), 2)?;
            let seen = self.fault == Fault::Leak && self.shown.iter().any(Option::is_some);
            out.copy_from_slice(&[f32::from(u8::from(self.coin ^ seen)), left as f32 / 5.0]);
            Ok(())
        }
        fn action_mask(&self, agent: usize, out: &mut [bool]) -> Result<(), EnvError> {
            self.known(agent)?;
            EnvError::check_length("the action mask", out.len(), 3)?;
            let wrong = self.fault == Fault::Mask;
            out.iter_mut().enumerate().for_each(|(action, out)| {
                *out = self.check_action(agent, action).is_ok() || wrong && self.acting().contains(agent);
            });
            Ok(())
        }
        fn render(&self) -> String {
            format!("{} games left", self.left.unwrap_or(0))
        }
    }

    #[test]
    fn a_sound_environment_passes_and_every_fault_is_found() {
        let report = check_multi_env(&pennies(Fault::None), &[]).unwrap();
        assert_eq!(report.episodes, 20);
        assert!(report.legal > 300 && report.illegal > 1_000, "{report:?}");
        for (fault, words) in [
            (Fault::Leak, "sees what agent 0 did"),
            (Fault::Mask, "was rejected"),
            (Fault::Reward, "outside -1 to 1"),
            (Fault::Seed, "restarts the stream"),
            (Fault::Ends, "after the end"),
            (Fault::Ghost, "nonexistent agent"),
        ] {
            let failure = check_multi_env(&pennies(fault), &[]).expect_err(words).to_string();
            assert!(failure.starts_with("Pennies-v0: ") && failure.contains(words), "{fault:?}: {failure}");
        }
    }

    #[test]
    fn all_at_once_is_turn_by_turn() {
        let (mut together, mut turns) = (pennies(Fault::None), pennies(Fault::None));
        let mut rewards = [0.0; 2];
        assert_eq!(together.step_all(&[0, 0], &mut rewards), Err(EnvError::NotReset));
        let mut rounds = 0;
        for episode in 0..20 {
            let seed = (episode == 0).then(|| StreamSeed::from(9));
            together.reset_stream(seed, None).unwrap();
            turns.reset_stream(seed, None).unwrap();
            while !turns.acting().is_empty() {
                assert!(together.step_all(&[0, 9], &mut rewards).is_err());
                assert!(together.step_all(&[0], &mut rewards).is_err());
                let actions = [rounds / 3 % 2, rounds / 2 % 2];
                let mut sums = [0.0; 2];
                for (agent, &action) in actions.iter().enumerate() {
                    turns.step(agent, action).unwrap();
                    sums.iter_mut().zip(turns.rewards()).for_each(|(sum, reward)| *sum += reward);
                }
                together.step_all(&actions, &mut rewards).unwrap();
                assert_eq!(rewards, sums);
                rounds += 1;
            }
            assert_eq!(together.step_all(&[0, 0], &mut rewards), Err(EnvError::EpisodeOver));
        }
        assert!(rounds > 20);
    }
}
