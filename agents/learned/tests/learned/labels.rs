//! Exact labels for tests.

use houseway_env::gym::{EnvError, ExactValues, stream};
use houseway_env::pai_gow::observe::candidates::{LEN, ROW, write_rows};
use houseway_env::pai_gow::{Candidates, Dealt, Game, Hand, Setting, from_config};
use houseway_exact::pai_gow::{BankerTable, HandEvaluator};
use houseway_exact::registry;
use houseway_exact::solver::{Control, EvaluatorConfig, SolverConfig};
use houseway_learned::task::TrainingTask;
use std::sync::{Arc, LazyLock};

/// The exact EVs of all settings of some random hands.
struct SomeHands {
    game: Arc<Game>,
    hands: Vec<(Hand, [f32; Setting::COUNT])>,
}

impl SomeHands {
    fn new() -> SomeHands {
        let env = from_config("{}").unwrap();
        let (game, banker) = (env.game().game().clone(), BankerTable::new(&**env.game().banker()));
        let (evaluator, mut rng) = (HandEvaluator::new(&game, &banker), stream(6.into()));
        let hands: Vec<Hand> = (0..4_000).map(|_| Dealt::random(&mut rng).hand()).collect();
        let counts = evaluator.count_many(&hands);
        let evs = counts.iter().map(|counts| {
            let ev = |i| counts.ev(Setting::from_index(i).unwrap()).map_or(0.0, |ev| ev.value() as f32);
            std::array::from_fn(ev)
        });
        let hands = hands.iter().copied().zip(evs).collect();
        SomeHands { game, hands }
    }
}

impl ExactValues for SomeHands {
    fn encoding(&self) -> &str {
        "candidates"
    }

    fn shape(&self) -> [usize; 2] {
        [LEN, Setting::COUNT]
    }

    fn decisions(&self) -> usize {
        self.hands.len()
    }

    fn hands(&self, decision: usize) -> u64 {
        1 + decision as u64 % 3
    }

    fn write(
        &self,
        decision: usize,
        observation: &mut [f32],
        mask: &mut [bool],
        evs: &mut [f32],
    ) -> Result<(), EnvError> {
        let (hand, values) = &self.hands[decision];
        let candidates = Candidates::new(&self.game, *hand);
        let (rows, context) = observation.split_at_mut(Setting::COUNT * ROW);
        write_rows(&self.game, &candidates, (1 << Setting::COUNT) - 1, rows, context)?;
        mask.copy_from_slice(&std::array::from_fn::<bool, { Setting::COUNT }, _>(|i| candidates.legal() >> i & 1 == 1));
        evs.copy_from_slice(values);
        Ok(())
    }
}

/// Adds exact labels to a game's task, if there are any for its default rules.
pub(crate) fn task(game: &str, mut task: Box<dyn TrainingTask>) -> Box<dyn TrainingTask> {
    static HANDS: LazyLock<Arc<SomeHands>> = LazyLock::new(|| Arc::new(SomeHands::new()));
    let values: Arc<dyn ExactValues> = match game {
        "pai-gow-poker" => HANDS.clone(),
        "asian-stud" | "pai-gow-tiles" => {
            let solver = registry::find(game).unwrap().solver(&SolverConfig::default()).unwrap();
            let evaluator = solver.evaluator(&EvaluatorConfig::default(), &Control::default()).unwrap();
            evaluator.exact_values(&Control::default()).unwrap()
        }
        _ => return task,
    };
    task.set_exact_values(values);
    task
}
