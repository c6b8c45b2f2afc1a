//! The coach, which computes exact advice and judgments on a separate thread.

use super::{Amount, Event, Finished, Session};
use crate::run::spawn;
use houseway_exact::solver::{Control, Decision, SolverConfig, SolverEntry};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A reference to a decision, consisting of the round number and the decision's number in that round.
type Place = (u64, usize);

/// The values of a decision, or `None` if the solver cannot evaluate it.
type Values = Result<Option<Decision>, String>;

/// The coach. Dropping it cancels any computation that is still running.
pub struct Coach {
    entry: &'static SolverEntry,
    config: SolverConfig,
    /// The thread that computes, or `None` while the coach pauses.
    worker: Option<Worker>,
    known: BTreeMap<Place, Asked>,
    waiting: Vec<Finished>,
}

enum Asked {
    Open(Value),
    Known(Values),
}

/// A thread that evaluates decisions. Dropping it cancels the computation.
struct Worker {
    requests: Option<Sender<(Place, Value)>>,
    values: Receiver<(Place, Values)>,
    cancel: Arc<AtomicBool>,
    /// The thread, or the reason why it wasn't started.
    thread: Result<JoinHandle<()>, String>,
}

impl Worker {
    fn start(entry: &'static SolverEntry, config: SolverConfig) -> Worker {
        let (requests, asked) = channel::<(Place, Value)>();
        let (send, values) = channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancel);
        let work = move || {
            let solver = entry.solver(&config).map_err(|error| error.to_string());
            let control = Control { progress: None, cancel: Some(&flag) };
            for (place, view) in asked {
                if flag.load(Ordering::Relaxed) {
                    return;
                }
                let solver = solver.as_ref().map_err(String::clone);
                let found = solver.and_then(|solver| solver.decision(&view, &control).map_err(|e| e.to_string()));
                if send.send((place, found)).is_err() {
                    return;
                }
            }
        };
        let thread = spawn(work).map_err(|error| error.to_string());
        Worker { requests: Some(requests), values, cancel, thread }
    }

    /// Requests the values of a decision. If the thread has panicked, there won't be any.
    fn ask(&self, place: Place, view: &Value) -> Asked {
        if let Err(reason) = &self.thread {
            return Asked::Known(Err(reason.clone()));
        }
        match self.requests.as_ref().map(|requests| requests.send((place, view.clone()))) {
            Some(Ok(())) => Asked::Open(view.clone()),
            _ => Asked::Known(Ok(None)),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
        self.requests = None;
        if let Ok(thread) = std::mem::replace(&mut self.thread, Err(String::new())) {
            // If the thread has panicked, the panic has already been reported.
            let _ = thread.join();
        }
    }
}

impl Coach {
    /// Starts a coach. The solver is created on the coach's own thread.
    pub fn start(entry: &'static SolverEntry, config: SolverConfig) -> Coach {
        let worker = Some(Worker::start(entry, config.clone()));
        Coach { entry, config, worker, known: BTreeMap::new(), waiting: vec![] }
    }

    /// Cancels the computation. The next call to any other method that computes or receives values continues it.
    pub fn pause(&mut self) {
        let received: Vec<_> = self.worker.iter().flat_map(|worker| worker.values.try_iter()).collect();
        self.known.extend(received.into_iter().map(|(place, values)| (place, Asked::Known(values))));
        self.worker = None;
    }

    /// Returns the thread that computes. After a pause, a new one starts with all open requests.
    fn worker(&mut self) -> &Worker {
        let entry = self.entry;
        let Coach { config, worker, known, .. } = self;
        worker.get_or_insert_with(|| {
            let worker = Worker::start(entry, config.clone());
            for (&place, asked) in known {
                if let Asked::Open(view) = asked {
                    worker.ask(place, view);
                }
            }
            worker
        })
    }

    pub fn is_computing(&self) -> bool {
        self.worker.is_some() && self.is_waiting()
    }

    fn is_waiting(&self) -> bool {
        self.known.values().any(|asked| matches!(asked, Asked::Open(_)))
    }

    /// Requests the values of a decision unless they have already been requested.
    fn ask(&mut self, place: Place, view: Option<&Value>) {
        if self.known.contains_key(&place) {
            return;
        }
        let asked = view.map_or(Asked::Known(Ok(None)), |view| self.worker().ask(place, view));
        self.known.insert(place, asked);
    }

    pub fn ask_open(&mut self, session: &Session) {
        if let Some(view) = session.view() {
            self.ask(open_place(session), Some(&view));
        }
    }

    /// Queues a finished round. It is judged as soon as its decisions have been evaluated.
    pub fn judge(&mut self, round: Finished) {
        for (index, made) in round.decisions.iter().enumerate() {
            self.ask((round.round, index), made.view.as_ref());
        }
        self.waiting.push(round);
    }

    pub fn open_values(&self, session: &Session) -> Option<&Values> {
        self.values(open_place(session))
    }

    fn values(&self, place: Place) -> Option<&Values> {
        match self.known.get(&place)? {
            Asked::Known(values) => Some(values),
            Asked::Open(_) => None,
        }
    }

    pub fn is_judging(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Waits until all requested values are available or the time limit expires. Returns the rounds that can now be
    /// judged, each with the values of its decisions or the reason why there are none.
    pub fn wait(&mut self, limit: Duration) -> Vec<Result<Finished, String>> {
        let end = Instant::now() + limit;
        while self.is_waiting() {
            match self.worker().values.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok((place, values)) => drop(self.known.insert(place, Asked::Known(values))),
                Err(_) => break,
            }
        }
        let mut judged = Vec::new();
        for round in std::mem::take(&mut self.waiting) {
            let number = round.round;
            let is_open = |index| matches!(self.known.get(&(number, index)), Some(Asked::Open(_)));
            if (0..round.decisions.len()).any(is_open) {
                self.waiting.push(round);
                continue;
            }
            judged.push(self.judged(round));
            self.known.retain(|&(other, _), _| other > number);
        }
        judged
    }

    /// Adds their values to the decisions in a round, or returns the reason why there are none.
    fn judged(&self, mut round: Finished) -> Result<Finished, String> {
        for (index, made) in round.decisions.iter_mut().enumerate().filter(|(_, made)| made.view.is_some()) {
            let values = self.values((round.round, index)).cloned().unwrap_or(Ok(None))?;
            made.values = Some(values.ok_or("there are no exact values for one of the decisions in this round")?);
        }
        match round.decisions.iter().any(|made| made.values.is_some()) {
            true => Ok(round),
            false => Err("there are no exact values for the decisions in this round".to_owned()),
        }
    }
}

fn open_place(session: &Session) -> Place {
    (session.record.rounds + 1, session.decisions.len())
}

pub fn ev_text(ev: f64) -> String {
    format!("{ev:+.5}")
}

fn house_text(session: &Session, view: Option<&Value>, decision: &Decision) -> Option<String> {
    let house = decision.house.as_ref()?;
    let rule = house.rule.as_ref().map_or(String::new(), |(name, text)| format!(", by its rule \"{name}\": {text}"));
    let ev = ev_text(decision.ev(house.action)?);
    Some(format!("house way ({}): {}, EV {ev}{rule}", house.strategy, session.name_in(view, house.action)))
}

fn basis(view: Option<&Value>) -> Option<String> {
    view?["judged"].as_str().map(str::to_owned)
}

pub fn advice(session: &Session, decision: &Decision) -> Vec<String> {
    let view = session.view();
    let name = |action: usize| session.name_in(view.as_ref(), action);
    let mut lines = Vec::new();
    if session.pick().is_some() {
        let best = decision.best();
        lines.push(format!("best: {}, EV {}", name(best), ev_text(decision.ev(best).unwrap_or(0.0))));
    } else {
        let mut actions: Vec<(usize, f64)> =
            decision.evs.iter().enumerate().filter_map(|(action, ev)| Some((action, (*ev)?))).collect();
        actions.sort_by(|a, b| b.1.total_cmp(&a.1));
        let shown = actions.iter().take(4).map(|&(action, ev)| format!("{} EV {}", name(action), ev_text(ev)));
        lines.push(shown.collect::<Vec<_>>().join(", "));
    }
    lines.extend(house_text(session, view.as_ref(), decision));
    lines.extend(basis(view.as_ref()));
    if let Some((action, regret)) = session.pending().and_then(|action| Some((action, decision.regret(action)?))) {
        let ev = ev_text(decision.ev(action).unwrap_or(0.0));
        lines.push(format!("your choice: {}, EV {ev}, costs {regret:.5} of the stake", name(action)));
    }
    lines
}

/// Returns the judgment on a finished round. The line for each decision is followed by one for the house way, if the
/// game has one.
pub fn verdict(session: &Session, round: &Finished) -> Vec<Event> {
    let mut lines = Vec::new();
    for made in &round.decisions {
        let (Some(decision), action) = (&made.values, made.action) else { continue };
        let name = |action: usize| session.name_in(made.view.as_ref(), action);
        let (best, regret) = (decision.best(), decision.regret(action).unwrap_or(0.0));
        let ev = ev_text(decision.ev(action).unwrap_or(0.0));
        lines.push(if regret == 0.0 {
            format!("you: {}, EV {ev}, the best play", name(action))
        } else {
            let cost = Amount::from(round.stake.value() * regret);
            let best = format!("{}, EV {}", name(best), ev_text(decision.ev(best).unwrap_or(0.0)));
            format!("you: {}, EV {ev}; best: {best}; it cost {regret:.5} of the stake, {cost}", name(action))
        });
        lines.extend(house_text(session, made.view.as_ref(), decision));
        lines.extend(basis(made.view.as_ref()));
    }
    lines.into_iter().map(|text| Event::Coach { text }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_exact::answer::Answer;
    use houseway_exact::solver::{Evaluator, EvaluatorConfig, Solver, SolverError, StakeUnit};
    use std::sync::atomic::AtomicUsize;

    /// The number of computations that have started, and the number that were canceled.
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    static CANCELLED: AtomicUsize = AtomicUsize::new(0);

    static ENTRY: SolverEntry = SolverEntry {
        game: "endless",
        about: "nothing",
        unit: StakeUnit { name: "stake", percent: false },
        options: &[],
        hands: None,
        sample: None,
        side_bet: None,
        main_bet: None,
        ways: None,
        make: |_| Ok(Box::new(Endless)),
    };

    /// A solver whose first computation runs until it is canceled.
    struct Endless;

    impl Solver for Endless {
        fn rules(&self) -> (Value, String) {
            (Value::Null, String::new())
        }

        fn solve(&self, _: &Control<'_>) -> Result<Answer, SolverError> {
            Err(SolverError::invalid("not tested"))
        }

        fn value(&self, _: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
            Err(SolverError::invalid("not tested"))
        }

        fn decision(&self, _: &Value, control: &Control<'_>) -> Result<Option<Decision>, SolverError> {
            if STARTED.fetch_add(1, Ordering::SeqCst) == 0 {
                while !control.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                    thread::sleep(Duration::from_millis(1));
                }
                CANCELLED.fetch_add(1, Ordering::SeqCst);
                return Err(SolverError::Cancelled);
            }
            Ok(None)
        }

        fn evaluator(&self, _: &EvaluatorConfig, _: &Control<'_>) -> Result<Box<dyn Evaluator + '_>, SolverError> {
            Err(SolverError::invalid("not tested"))
        }
    }

    #[test]
    fn a_pause_cancels_and_the_next_poll_starts_again() {
        let mut coach = Coach::start(&ENTRY, SolverConfig::default());
        for place in [(1, 0), (1, 1)] {
            coach.ask(place, Some(&Value::Null));
        }
        while STARTED.load(Ordering::SeqCst) == 0 {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(coach.is_computing());
        coach.pause();
        // The second decision is still waiting behind the first one, so nothing else has been computed.
        assert_eq!((STARTED.load(Ordering::SeqCst), CANCELLED.load(Ordering::SeqCst)), (1, 1));
        assert!(!coach.is_computing() && coach.values((1, 0)).is_none());
        coach.wait(Duration::ZERO);
        assert!(coach.is_computing() || coach.values((1, 1)).is_some());
        coach.wait(Duration::from_secs(60));
        assert_eq!((coach.values((1, 0)), coach.values((1, 1))), (Some(&Ok(None)), Some(&Ok(None))));
        assert_eq!((STARTED.load(Ordering::SeqCst), CANCELLED.load(Ordering::SeqCst)), (3, 1));
    }
}
