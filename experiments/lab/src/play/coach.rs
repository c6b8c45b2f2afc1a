//! The coach, which computes exact advice and judgments on a separate thread.

use super::{Amount, Finished, Layout, Session, signed};
use crate::run::spawn;
use houseway_exact::answer::Answer;
use houseway_exact::solver::{Control, Decision, Solver, SolverConfig, SolverEntry};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A reference to a decision, consisting of the round number and the decision's number in that round.
type Place = (u64, usize);

/// The values of a decision, or `None` if the solver cannot evaluate it.
type Values = Result<Option<Decision>, String>;

/// The values of a decision, or the advice on a bank.
#[derive(Clone)]
struct Found {
    values: Values,
    /// The solver's answer, or the lines of the advice.
    answer: Value,
}

impl Found {
    /// Returns that there are no values. Without lines, the advice on a bank was asked for but not computed in time.
    fn nothing(is_offer: bool) -> Found {
        Found { values: Ok(None), answer: if is_offer { json!([]) } else { Value::Null } }
    }

    fn failed(reason: String) -> Found {
        Found { values: Err(reason), answer: Value::Null }
    }
}

/// The coach. Dropping it cancels any computation that is still running.
pub struct Coach {
    entry: &'static SolverEntry,
    config: SolverConfig,
    /// The thread that computes, or `None` while the coach pauses.
    worker: Option<Worker>,
    layout: Layout,
    /// The rules that differ from their defaults, as `key=value`.
    rules: Vec<String>,
    known: BTreeMap<Place, Asked>,
    waiting: Vec<Finished>,
}

enum Asked {
    Open(Value),
    Known(Found),
}

/// A thread that evaluates decisions. Dropping it cancels the computation.
struct Worker {
    requests: Option<Sender<(Place, Value)>>,
    found: Receiver<(Place, Found)>,
    cancel: Arc<AtomicBool>,
    /// The thread, or the reason why it wasn't started.
    thread: Result<JoinHandle<()>, String>,
}

impl Worker {
    fn start(entry: &'static SolverEntry, config: SolverConfig, layout: Layout) -> Worker {
        let (requests, asked) = channel::<(Place, Value)>();
        let (send, found) = channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancel);
        let work = move || {
            let solver = guarded(|| entry.solver(&config).map_err(|error| error.to_string()));
            let control = Control { progress: None, cancel: Some(&flag) };
            let mut counting = None;
            for (place, view) in asked {
                if flag.load(Ordering::Relaxed) {
                    return;
                }
                if let Some((advise, offer)) = layout.bank.zip(view.get("bank").cloned()) {
                    // The first counts take a while. The hand, whose values need the common threads, must not wait
                    // for them, so all offers share a thread of their own. It ends soon after the flag is set.
                    let pool = counting.get_or_insert_with(|| rayon::ThreadPoolBuilder::new().num_threads(1).build());
                    let (send, flag) = (send.clone(), Arc::clone(&flag));
                    let pool = match pool {
                        Ok(pool) => pool,
                        Err(error) => {
                            let _ = send.send((place, Found::failed(error.to_string())));
                            continue;
                        }
                    };
                    pool.spawn(move || {
                        let lines = guarded(|| advise(&offer, &flag)).unwrap_or_else(|reason| vec![reason]);
                        let _ = send.send((place, Found { values: Ok(None), answer: lines.into() }));
                    });
                    continue;
                }
                let evaluated = guarded(|| {
                    let solver = &**solver.as_ref().map_err(String::clone)?;
                    let values = solver.decision(&view, &control).map_err(|error| error.to_string())?;
                    let answer = match &values {
                        Some(decision) if layout.why.is_some() => answer(solver, &view, decision, &control),
                        _ => Value::Null,
                    };
                    Ok((values, answer))
                });
                let found = match evaluated {
                    Ok((values, answer)) => Found { values: Ok(values), answer },
                    Err(reason) => Found::failed(reason),
                };
                if send.send((place, found)).is_err() {
                    return;
                }
            }
        };
        let thread = spawn(work).map_err(|error| error.to_string());
        Worker { requests: Some(requests), found, cancel, thread }
    }

    /// Requests the values of a decision. If the thread has panicked, there won't be any.
    fn ask(&self, place: Place, view: &Value) -> Asked {
        if let Err(reason) = &self.thread {
            return Asked::Known(Found::failed(reason.clone()));
        }
        match self.requests.as_ref().map(|requests| requests.send((place, view.clone()))) {
            Some(Ok(())) => Asked::Open(view.clone()),
            _ => Asked::Known(Found::nothing(is_offer(view))),
        }
    }
}

/// Runs a part of the coach's work. A panic becomes an error, because nobody else would answer the request.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        let reason = text.unwrap_or("no reason was given");
        Err(format!("the coach has failed at this decision ({reason}); report it with the seed and the round"))
    })
}

/// Returns the solver's answer on the hand in a view. It doesn't know everything that can be in a view, so an answer with
/// other EVs than the decision's is dropped.
pub fn answer(solver: &dyn Solver, view: &Value, decision: &Decision, control: &Control<'_>) -> Value {
    let hand = view["hand"].as_str().unwrap_or_default();
    let Ok(Answer { json, .. }) = solver.value(hand, control) else { return Value::Null };
    let evs = json["settings"].as_array().into_iter().flatten().map(|setting| setting["ev"].as_f64());
    if evs.eq(decision.evs.iter().copied()) { json } else { Value::Null }
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
    pub fn start(entry: &'static SolverEntry, config: SolverConfig, layout: Layout, rules: Vec<String>) -> Coach {
        let worker = Some(Worker::start(entry, config.clone(), layout));
        Coach { entry, config, layout, rules, worker, known: BTreeMap::new(), waiting: vec![] }
    }

    fn keep(&mut self, (place, found): (Place, Found)) {
        self.known.insert(place, Asked::Known(found));
    }

    /// Cancels the computation. The next call to any other method that computes or receives values continues it.
    pub fn pause(&mut self) {
        let received: Vec<_> = self.worker.iter().flat_map(|worker| worker.found.try_iter()).collect();
        received.into_iter().for_each(|found| self.keep(found));
        self.worker = None;
    }

    /// Returns the thread that computes. After a pause, a new one starts with all open requests.
    fn worker(&mut self) -> &Worker {
        let Coach { entry, config, layout, worker, known, .. } = self;
        worker.get_or_insert_with(|| {
            let worker = Worker::start(entry, config.clone(), *layout);
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
        // Nobody waits for the advice on a bank that has been taken or passed. It may still come in time for the judgment.
        for asked in self.known.values_mut().filter(|asked| matches!(asked, Asked::Open(view) if is_offer(view))) {
            *asked = Asked::Known(Found::nothing(true));
        }
        let mut view = view.filter(|view| self.layout.bank.is_some() || !is_offer(view)).cloned();
        if let Some(view) = view.as_mut().filter(|view| is_offer(view)) {
            view["bank"]["set"] = self.rules.clone().into();
        }
        let asked = view.map_or(Asked::Known(Found::nothing(false)), |view| self.worker().ask(place, &view));
        self.known.insert(place, asked);
    }

    pub fn ask_open(&mut self, session: &Session) {
        if let Some(view) = session.question() {
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

    /// Returns the advice on the bank that is offered.
    pub fn open_advice(&self, session: &Session) -> Vec<String> {
        match self.known.get(&open_place(session)) {
            Some(Asked::Known(found)) => lines_of(&found.answer),
            _ => vec![],
        }
    }

    fn values(&self, place: Place) -> Option<&Values> {
        match self.known.get(&place)? {
            Asked::Known(found) => Some(&found.values),
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
            match self.worker().found.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(found) => self.keep(found),
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
            let is_offer = made.view.as_ref().is_some_and(is_offer);
            let known = match self.known.get(&(round.round, index)) {
                Some(Asked::Known(found)) => found.clone(),
                _ => Found::nothing(is_offer),
            };
            let values = known.values?;
            made.answer = known.answer;
            // The advice on a bank has no value for each action.
            if !is_offer {
                made.values = Some(values.ok_or("there are no exact values for one of the decisions in this round")?);
            }
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

/// The number of decimal places of EVs, unless more are needed to tell them apart.
const PLACES: usize = 2;

/// Returns an EV in chips of the table.
fn ev_text(stake: Amount, ev: f64) -> String {
    ev_with(stake, ev, PLACES)
}

fn ev_with(stake: Amount, ev: f64, places: usize) -> String {
    format!("EV {}", signed(stake.value() * ev, places))
}

/// Returns the number of decimal places that tell the best action from the second one.
fn places(stake: Amount, actions: &[(usize, f64)]) -> usize {
    let [(_, best), (_, second), ..] = *actions else { return PLACES };
    let differs = |&places: &usize| ev_with(stake, best, places) != ev_with(stake, second, places);
    (PLACES..=2 * PLACES).find(differs).unwrap_or(PLACES)
}

/// Returns a cost with the decimal places of EVs, or with two significant digits if it is less than a tenth of a chip.
pub fn cost_text(chips: f64) -> String {
    let rounded: f64 = format!("{chips:.1e}").parse().unwrap_or(chips);
    if rounded < 0.1 { rounded.to_string() } else { format!("{chips:.PLACES$}") }
}

fn is_offer(view: &Value) -> bool {
    view["bank"].is_object()
}

/// Returns the sentences of the advice on a bank.
fn lines_of(answer: &Value) -> Vec<String> {
    answer.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn house_text(names: &[String], stake: Amount, decision: &Decision) -> Option<String> {
    let house = decision.house.as_ref()?;
    let rule = house.rule.as_ref().map_or(String::new(), |(name, text)| format!(", by its rule \"{name}\": {text}"));
    let ev = ev_text(stake, decision.ev(house.action)?);
    Some(format!("house way ({}): {}, {ev}{rule}", house.strategy, names[house.action]))
}

fn basis(view: Option<&Value>) -> Option<String> {
    view?["judged"].as_str().map(str::to_owned)
}

pub fn advice(session: &Session, decision: &Decision) -> Vec<String> {
    let (view, names, stake) = (session.view(), session.names(), session.main_stake());
    let mut lines = Vec::new();
    if session.pick().is_some() {
        let best = decision.best();
        lines.push(format!("best: {}, {}", names[best], ev_text(stake, decision.ev(best).unwrap_or(0.0))));
    } else {
        let mut actions: Vec<(usize, f64)> =
            decision.evs.iter().enumerate().filter_map(|(action, ev)| Some((action, (*ev)?))).collect();
        actions.sort_by(|a, b| b.1.total_cmp(&a.1));
        let places = places(stake, &actions);
        let shown = |&(action, ev): &(usize, f64)| format!("{}, {}", names[action], ev_with(stake, ev, places));
        let shown: Vec<String> = actions.iter().take(4).map(shown).collect();
        lines.push(format!("best: {}", shown.join("; ")));
    }
    lines.extend(house_text(&names, stake, decision));
    lines.extend(basis(view.as_ref()));
    if let Some((action, regret)) = session.pending().and_then(|action| Some((action, decision.regret(action)?))) {
        let ev = ev_text(stake, decision.ev(action).unwrap_or(0.0));
        let cost =
            if regret == 0.0 { "the best".to_owned() } else { format!("costs {}", cost_text(stake.value() * regret)) };
        lines.push(format!("your choice: {}, {ev}, {cost}", names[action]));
    }
    lines
}

/// Returns the judgment on a finished round. The line for each decision is followed by the reason if another action would
/// have been better, and by a line for the house way, if the game has one.
pub fn verdict(session: &Session, round: &Finished) -> Vec<String> {
    let mut lines = Vec::new();
    for made in &round.decisions {
        let (action, names) = (made.action, &made.names);
        let Some(decision) = &made.values else {
            if made.view.as_ref().is_some_and(is_offer) && !made.answer.is_null() {
                let told = lines_of(&made.answer);
                let late = if told.is_empty() {
                    "; not judged, because you decided before the EV of the bank was computed"
                } else {
                    ""
                };
                lines.push(format!("you: {}{late}", names[action]));
                lines.extend(told);
            }
            continue;
        };
        let (best, regret) = (decision.best(), decision.regret(action).unwrap_or(0.0));
        let ev = ev_text(round.stake, decision.ev(action).unwrap_or(0.0));
        // A round with several decisions has a stage for each.
        let stage = made.view.as_ref().and_then(|view| view["stage"].as_str());
        let you = stage.map_or_else(|| "you".to_owned(), |stage| format!("you ({stage})"));
        if regret == 0.0 {
            lines.push(format!("{you}: {}, {ev}, the best play", names[action]));
        } else {
            let cost = cost_text(round.stake.value() * regret);
            let best_ev = ev_text(round.stake, decision.ev(best).unwrap_or(0.0));
            lines.push(format!("{you}: {}, {ev}; best: {}, {best_ev}; it cost {cost}", names[action], names[best]));
            lines.extend(session.layout.why.and_then(|why| why(&made.answer, action, best)));
        }
        lines.extend(house_text(names, round.stake, decision));
        lines.extend(basis(made.view.as_ref()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_exact::solver::{Evaluator, EvaluatorConfig, SolverError, StakeUnit};
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    /// A solver that is never ready.
    static BROKEN: SolverEntry = SolverEntry { game: "broken", make: |_| panic!("no table"), ..ENTRY };

    /// The number of computations that have started, and the number that were canceled.
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    static CANCELLED: AtomicUsize = AtomicUsize::new(0);

    const ENTRY: SolverEntry = SolverEntry {
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
    fn costs_have_the_decimals_of_evs_or_two_significant_digits() {
        for (cost, text) in [
            (1.161_437, "1.16"),
            (6.29, "6.29"),
            (0.046_46, "0.046"),
            (0.003_412, "0.0034"),
            (0.0996, "0.10"),
            (0.996, "1.00"),
            (1_234.0, "1234.00"),
            (0.0, "0"),
        ] {
            assert_eq!(cost_text(cost), text);
        }
    }

    #[test]
    fn evs_have_the_decimals_that_tell_the_best_from_the_second() {
        let stake = Amount::whole(5);
        for (evs, best) in [
            ([-0.996, -1.0], "EV -4.98"),
            ([-0.9996, -1.0], "EV -4.998"),
            ([-0.999_999_9, -1.0], "EV -5.00"),
            ([-0.000_1, -1.0], "EV +0.00"),
        ] {
            let actions: Vec<(usize, f64)> = evs.into_iter().enumerate().collect();
            assert_eq!(ev_with(stake, evs[0], places(stake, &actions)), best);
        }
    }

    #[test]
    fn a_pause_cancels_and_the_next_poll_starts_again() {
        static ENDLESS: SolverEntry = ENTRY;
        let mut coach = Coach::start(&ENDLESS, SolverConfig::default(), Layout::plain("endless"), vec![]);
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

    #[test]
    fn a_panic_is_an_answer() {
        let bank: super::super::AdviseBank = |_, _| panic!("no {}", "bank");
        let layout = Layout { bank: Some(bank), ..Layout::plain("broken") };
        let mut coach = Coach::start(&BROKEN, SolverConfig::default(), layout, vec![]);
        let offer = serde_json::json!({ "bank": {} });
        for (place, view) in [((1, 0), &Value::Null), ((1, 1), &Value::Null), ((1, 2), &offer)] {
            coach.ask(place, Some(view));
        }
        coach.wait(Duration::from_secs(60));
        for place in [(1, 0), (1, 1)] {
            let Some(Err(reason)) = coach.values(place) else { panic!("{place:?} has no answer") };
            assert!(reason.starts_with("the coach has failed at this decision (no table); report it"), "{reason}");
        }
        let Some(Asked::Known(advice)) = coach.known.get(&(1, 2)) else { panic!("no advice") };
        assert!(lines_of(&advice.answer)[0].contains("(no bank)"));
        assert!(!coach.is_computing());
    }
}
