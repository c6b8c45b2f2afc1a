//! `houseway identify`: which of the known house ways set the hands of a log.
//!
//! Each combination of a way's readings is a candidate. A dealer sets a hand as the way says, except for mistakes with a
//! given probability, and all ways are equally probable before the first hand, as are the combinations of each. If one
//! candidate makes no mistakes, every hand that another sets differently is evidence against that one. How long it takes
//! to see such a hand follows from the exact frequency of hands on which the candidates differ.

use super::log::{Observed, read_log};
use super::runner::settings;
use super::units::part;
use crate::console::{CommandResult, CommonOptions, Failure};
use crate::report::{TextTable, and_list};
use crate::run::{ProgressBar, notice};
use clap::Args;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::house_way::{BUILT_IN, HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, SetHand};
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::{HANDS, WAY_PREFIX};
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;

const MAX_COMBINATIONS: usize = 4_096;
/// The maximum number of candidates for which the number of further hands is predicted. It sums over all sets of them.
const MAX_RIVALS: usize = 14;
/// The probability below which all further candidates together are left out: half of the 1% that the others may have if a
/// way counts as identified.
const UNLIKELY: f64 = 0.005;
/// The probability of a number of mistakes below which no candidate fits the log.
const MISFIT: f64 = 1e-4;
/// The number of candidates in the text.
const SHOWN: usize = 10;

/// Find the house way that sets the hands of a log
///
/// The log has one hand per line: its seven cards and the two in front, as in "As Kd Jk 7c 7d 2h 3s | 7c 7d", or a JSON
/// object with "hand" and "front" as written by `houseway set --stdin`. Results as in `houseway monitor` are ignored. All
/// built-in house ways with every combination of their readings are candidates. The answer has their probabilities, the
/// hands that decide between them, and the expected number of further hands until every listed rival has set one
/// differently. Before the first hand, all ways are equally probable, and so are the combinations of readings of each.
#[derive(Args)]
pub struct IdentifyArgs {
    /// The file with the hands
    log: PathBuf,
    /// Another candidate, given as a file; can be repeated
    #[arg(long, value_name = "FILE")]
    way: Vec<String>,
    /// The probability that a dealer makes a mistake on a hand
    #[arg(long, value_name = "P", default_value = "0.001", value_parser = parse_probability)]
    mistakes: f64,
    #[command(flatten)]
    common: CommonOptions,
}

pub(super) fn parse_probability(text: &str) -> Result<f64, String> {
    let probability = text.parse().ok().filter(|p| (1e-9..=0.5).contains(p));
    probability.ok_or_else(|| "expected a probability from 1e-9 to 0.5".to_owned())
}

/// A house way with selected options, and its agreement with the log.
struct Candidate {
    way: Way,
    /// The indices of the observed hands that it sets differently.
    differing: Vec<usize>,
    probability: f64,
}

/// The candidates that the log leaves, compiled.
struct Rivals {
    /// The indices of the candidates, starting with the most probable one. Candidates that set all hands alike are one.
    members: Vec<(usize, Vec<SetHand>)>,
    /// The numbers of hands by the set of rivals that set them differently from the first one.
    hands: BTreeMap<u32, u64>,
    /// For each rival, one of the hands that it sets differently from the first one.
    examples: Vec<Option<Hand>>,
    /// The probability of all other candidates.
    rest: f64,
}

impl IdentifyArgs {
    pub fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let game = self.common.game.pai_gow()?;
        if let Some(reading) = self.common.game.set.iter().find(|it| it.trim_start().starts_with(WAY_PREFIX)) {
            let error = format!("--set {reading}: every option of every reading is a candidate; leave it out");
            return Err(Failure::usage(error));
        }
        let observed = read_log(&self.log, &game).map_err(Failure::usage)?;
        if let Some(Observed { line, hand, setting, .. }) = observed.iter().find(|it| !game.is_legal(it.made)) {
            let (path, front) = (self.log.display(), setting.front(*hand));
            let error = format!(
                "{path}, line {line}: {front} in front of {hand} is a foul, which no house way sets; remove it"
            );
            return Err(Failure::usage(error));
        }
        let (mut ways, incomplete): (Vec<Way>, Vec<Way>) = BUILT_IN
            .par_iter()
            .filter_map(|(name, _)| Way::named(name).ok())
            .partition(|way| HouseWay::compile(way.clone(), &game).is_ok());
        if !incomplete.is_empty() {
            let names: Vec<String> = incomplete.iter().map(|way| way.name().to_owned()).collect();
            notice(&format!("left out, because some hands have no rule under these rules: {}", and_list(&names)));
        }
        for file in &self.way {
            let way = Way::load(file).map_err(Failure::usage)?;
            let is_same = |known: &&Way| known.rules() == way.rules() && known.readings() == way.readings();
            if let Some(known) = ways.iter().find(is_same) {
                let error = format!("--way {file}: it is {}, which is a candidate already; leave it out", known.name());
                return Err(Failure::usage(error));
            }
            ways.push(way);
        }
        let candidates = candidates(&ways, &observed, self.mistakes, &game).map_err(Failure::usage)?;
        let rivals = Rivals::new(&candidates, &game).map_err(Failure::usage)?;
        self.common.output.show(&answer(&candidates, &rivals, &observed, self.mistakes, &game))
    }
}

fn combinations(way: &Way) -> Result<Vec<Way>, String> {
    let mut ways = vec![way.clone()];
    for reading in way.readings() {
        let mut extended = Vec::new();
        for way in &ways {
            for option in &reading.options {
                let mut other = way.clone();
                other.choose(&reading.name, option).map_err(|error| error.to_string())?;
                extended.push(other);
            }
        }
        ways = extended;
        if ways.len() > MAX_COMBINATIONS {
            return Err(format!("{}: more than {MAX_COMBINATIONS} combinations of readings", way.name()));
        }
    }
    Ok(ways)
}

/// Returns all candidates, starting with the most probable one.
fn candidates(ways: &[Way], observed: &[Observed], mistakes: f64, game: &Game) -> Result<Vec<Candidate>, String> {
    let mut candidates = Vec::new();
    let profiles: Vec<Profile> = observed.iter().map(|it| Profiles::get().of(it.hand.set())).collect();
    let bar = ProgressBar::new("setting the hands", "house ways");
    for (done, way) in (0..).zip(ways) {
        bar.update(done, ways.len() as u64);
        let combinations = combinations(way)?;
        let prior = 1.0 / combinations.len() as f64;
        for way in combinations {
            let differs = |&i: &usize| way.set_profile(game, profiles[i]) != observed[i].made;
            let differing: Vec<usize> = (0..observed.len()).into_par_iter().filter(differs).collect();
            let agreeing = observed.len() - differing.len();
            let probability =
                prior.ln() + differing.len() as f64 * mistakes.ln() + agreeing as f64 * (-mistakes).ln_1p();
            candidates.push(Candidate { way, differing, probability });
        }
    }
    // The probabilities are logarithms up to here, because those of long logs are too small for floating point.
    let largest = candidates.iter().map(|candidate| candidate.probability).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = candidates.iter().map(|candidate| (candidate.probability - largest).exp()).sum();
    for candidate in &mut candidates {
        candidate.probability = (candidate.probability - largest).exp() / sum;
    }
    candidates.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    Ok(candidates)
}

impl Rivals {
    fn new(candidates: &[Candidate], game: &Game) -> Result<Rivals, String> {
        let mut members: Vec<(usize, Vec<SetHand>)> = Vec::new();
        let mut rest = 1.0;
        for (i, candidate) in candidates.iter().enumerate() {
            if rest < UNLIKELY || members.len() > MAX_RIVALS {
                break;
            }
            rest -= candidate.probability;
            let way = HouseWay::compile(candidate.way.clone(), game).map_err(|error| error.to_string())?;
            let made: Vec<SetHand> = Profile::all().map(|profile| way.set_profile(profile)).collect();
            if members.iter().all(|(_, other)| *other != made) {
                members.push((i, made));
            }
        }
        let rivals = members.len() - 1;
        let mut hands = BTreeMap::new();
        let mut examples = vec![None; rivals];
        for profile in Profile::all() {
            let made = |member: usize| members[member].1[profile.index()];
            let mut differing = 0u32;
            for rival in (0..rivals).filter(|&rival| made(rival + 1) != made(0)) {
                differing |= 1 << rival;
                examples[rival].get_or_insert(Hand::representative(profile));
            }
            *hands.entry(differing).or_insert(0) += Profiles::get().hands(profile);
        }
        Ok(Rivals { members, hands, examples, rest })
    }

    /// Returns the number of hands that a rival sets differently from the first candidate.
    fn differing(&self, rival: usize) -> u64 {
        self.hands.iter().filter(|(set, _)| *set >> rival & 1 == 1).map(|(_, hands)| hands).sum()
    }

    /// Returns the expected number of hands until every rival has set one of them differently from the first candidate.
    /// The probability of a hand that none of a set of rivals sets differently follows for all sets at once. Returns `None`
    /// if other candidates are too probable to leave them out.
    fn expected_hands(&self) -> Option<f64> {
        if self.rest >= UNLIKELY {
            return None;
        }
        let rivals = self.members.len() - 1;
        let mut within = vec![0u64; 1 << rivals];
        for (&set, &hands) in &self.hands {
            within[set as usize] = hands;
        }
        for rival in 0..rivals {
            for set in (0..within.len()).filter(|set| set >> rival & 1 == 1) {
                within[set] += within[set ^ 1 << rival];
            }
        }
        // The maximum of waiting times by inclusion and exclusion over their minima.
        let all = within.len() - 1;
        let mut expected = 0.0;
        for set in 1..within.len() {
            let waiting = HANDS as f64 / (HANDS - within[all ^ set]) as f64;
            expected += if set.count_ones() % 2 == 1 { waiting } else { -waiting };
        }
        Some(expected)
    }
}

/// Returns `true` if the probability of at least this number of mistakes in a log is below [`MISFIT`].
fn is_excess(mistakes: usize, hands: usize, probability: f64) -> bool {
    // The probability of each number of mistakes is that of one less times a ratio, which falls.
    let odds = probability / (1.0 - probability);
    let ratio = |less: usize| (hands - less) as f64 / (less + 1) as f64 * odds;
    let logarithm = hands as f64 * (-probability).ln_1p() + (0..mistakes).map(|less| ratio(less).ln()).sum::<f64>();
    // Above the mean, a geometric series bounds the probabilities of this number and of all larger ones.
    ratio(mistakes) < 1.0 && logarithm - (1.0 - ratio(mistakes)).ln() < MISFIT.ln()
}

fn answer(candidates: &[Candidate], rivals: &Rivals, observed: &[Observed], mistakes: f64, game: &Game) -> Answer {
    let rules = game.rules();
    let nearest = candidates.iter().map(|candidate| candidate.differing.len()).min().unwrap_or_default();
    let fits = !is_excess(nearest, observed.len(), mistakes);
    let name = |candidate: &Candidate| format!("{}{}", candidate.way.argument(), settings(&rules, &[&candidate.way]));
    let shown = |i: usize| {
        let Observed { hand, setting, .. } = &observed[i];
        format!("{hand} | {}", setting.front(*hand))
    };
    let entry = |candidate: &Candidate| {
        json!({
            "name": candidate.way.name(),
            "readings": candidate.way.chosen_options(),
            "probability": candidate.probability,
            "differing": candidate.differing.len(),
            "first_differing": candidate.differing.first().map(|&i| shown(i)),
        })
    };
    let others = rivals.members[1..].iter().zip(&rivals.examples).enumerate();
    let others: Vec<(&Candidate, u64, Option<String>)> = others
        .map(|(rival, ((i, _), example))| {
            (&candidates[*i], rivals.differing(rival), example.map(|hand| hand.to_string()))
        })
        .collect();
    let rival = |(candidate, hands, example): &(&Candidate, u64, Option<String>)| {
        json!({
            "name": candidate.way.name(),
            "readings": candidate.way.chosen_options(),
            "hands": hands.to_string(),
            "example": example,
        })
    };
    let json = json!({
        "hands": observed.len(),
        "ways": candidates.iter().map(entry).collect::<Vec<_>>(),
        "rivals": others.iter().map(rival).collect::<Vec<_>>(),
        "expected_hands_to_99": rivals.expected_hands(),
        "fits": fits,
        "rules": rules,
        "rules_hash": rules.hash(),
    });

    let header = ["house way", "probability", "set differently", "for example"];
    let mut table = TextTable::new(header).right(1).right(2).top(SHOWN);
    for candidate in candidates {
        let first = candidate.differing.first().map(|&i| shown(i)).unwrap_or_default();
        let count = format!("{} of {}", candidate.differing.len(), observed.len());
        table = table.row([name(candidate), percent(candidate.probability, 4), count, first]);
    }
    let likely = Section::new("House ways").table(table);
    // If even the nearest way differs too often for mistakes, the probabilities only say which one is nearest.
    if !fits {
        let text = format!(
            "No known house way sets these hands: the nearest one differs on {nearest} of {}, and {:.1} mistakes are \
             expected. Give the sheet with --way, or a higher --mistakes.",
            observed.len(),
            observed.len() as f64 * mistakes
        );
        return Answer::new(json, [likely.text(text)]);
    }
    if others.is_empty() {
        let text = "The log leaves one way of setting hands with a probability of at least 99%.";
        return Answer::new(json, [likely, Section::default().text(text)]);
    }
    let mut table = TextTable::new(["rival", "hands set differently", "share", "for example"]).right(1).right(2);
    for (candidate, hands, example) in others {
        table = table.row([name(candidate), grouped(hands), part(hands, HANDS, 4), example.unwrap_or_default()]);
    }
    let text = match rivals.expected_hands() {
        Some(hands) => format!(
            "If {} sets the hands, every listed rival has set one differently after {hands:.0} further hands on average. With \
             many mistakes, one such hand proves little.",
            name(&candidates[0]),
        ),
        None => format!(
            "These are the most probable rivals. Others have {} together, so a longer log is needed to predict how many \
             further hands it takes to tell all of them apart.",
            percent(rivals.rest, 1)
        ),
    };
    Answer::new(json, [likely, Section::new("Rivals").table(table).text(text)])
}

#[cfg(test)]
mod tests {
    use super::super::log::parse_line;
    use super::*;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::{Dealt, Rules, Setting};

    /// Returns hands as they are set by a way.
    fn log(way: &Way, count: usize, game: &Game, seed: u64) -> Vec<Observed> {
        let compiled = HouseWay::shared(way.clone(), game).unwrap();
        let mut rng = stream(seed.into());
        let hands = std::iter::repeat_with(|| Dealt::random(&mut rng).hand()).take(count);
        let line =
            |hand: Hand| format!("{hand} | {}", houseway_env::pai_gow::Strategy::set(&*compiled, hand).front(hand));
        hands.map(|hand| parse_line(&line(hand), game).unwrap()).collect()
    }

    #[test]
    fn a_way_is_identified_from_its_hands() {
        let game = Game::new(Rules::default());
        let ways: Vec<Way> = BUILT_IN.iter().map(|(name, _)| Way::named(name).unwrap()).collect();
        for (name, seed) in [("foxwoods", 1), ("wong", 2)] {
            let observed = log(&Way::named(name).unwrap(), 3_000, &game, seed);
            let candidates = candidates(&ways, &observed, 1e-3, &game).unwrap();
            assert_eq!((candidates[0].way.name(), candidates[0].differing.len()), (name, 0));
            let sum: f64 = candidates.iter().map(|candidate| candidate.probability).sum();
            let of_way = candidates.iter().filter(|candidate| candidate.way.name() == name);
            assert!((sum - 1.0).abs() < 1e-9 && of_way.map(|it| it.probability).sum::<f64>() > 0.999);
        }
    }

    #[test]
    fn more_mistakes_than_expected_are_an_excess() {
        // The probabilities of 3 and 4 or more mistakes in 100 hands, by summing the binomial distribution.
        let at_least = |count: i32| {
            let choose = |k: i32| (0..k).map(|i| f64::from(100 - i) / f64::from(i + 1)).product::<f64>();
            (count..=100).map(|k| choose(k) * 0.001_f64.powi(k) * 0.999_f64.powi(100 - k)).sum::<f64>()
        };
        assert!(at_least(3) > MISFIT && !is_excess(3, 100, 0.001));
        assert!(at_least(4) < MISFIT && is_excess(4, 100, 0.001));
        assert!(!is_excess(0, 3_000, 0.001) && !is_excess(1_000, 1_000_000, 0.001) && is_excess(2_726, 3_000, 0.001));
    }

    #[test]
    fn hands_of_no_known_way_are_told_apart() {
        let game = Game::new(Rules::default());
        let ways: Vec<Way> = BUILT_IN.iter().map(|(name, _)| Way::named(name).unwrap()).collect();
        let known = log(&ways[0], 200, &game, 1);
        // Sets the two lowest cards in front, except where that is a foul.
        let lowest: Vec<Observed> = known
            .iter()
            .filter_map(|it| {
                let setting = Setting::all().filter(|&setting| game.is_legal(game.set(it.hand, setting))).last()?;
                parse_line(&format!("{} | {}", it.hand, setting.front(it.hand)), &game).ok()
            })
            .collect();
        for (observed, fits) in [(known, true), (lowest, false)] {
            let candidates = candidates(&ways, &observed, 1e-3, &game).unwrap();
            let rivals = Rivals::new(&candidates, &game).unwrap();
            let answer = answer(&candidates, &rivals, &observed, 1e-3, &game);
            assert_eq!(answer.json["fits"], fits);
            assert_eq!(format!("{answer:?}").contains("No known house way sets these hands"), !fits);
        }
    }

    /// The prediction is exact, so the mean of simulated waiting times must be within its standard errors.
    #[test]
    fn the_expected_number_of_hands_is_met() {
        let game = Game::new(Rules::default());
        let names = ["trump-plaza", "claridge", "foxwoods", "golden-nugget", "mgm-style"];
        let candidates: Vec<Candidate> = names
            .iter()
            .map(|name| Candidate { way: Way::named(name).unwrap(), differing: vec![], probability: 0.2 })
            .collect();
        let rivals = Rivals::new(&candidates, &game).unwrap();
        assert_eq!(rivals.members.len(), names.len());
        let profiles = Profiles::get();
        let mut rng = stream(3.into());
        let (runs, all) = (2_000, (1u32 << (names.len() - 1)) - 1);
        let mut lengths = Vec::new();
        for _ in 0..runs {
            let (mut seen, mut length) = (0u32, 0u32);
            while seen != all {
                let profile = Dealt::random(&mut rng).profile(profiles).index();
                let first = rivals.members[0].1[profile];
                let rivals = rivals.members[1..].iter().enumerate();
                seen |= rivals.map(|(i, (_, made))| u32::from(made[profile] != first) << i).sum::<u32>();
                length += 1;
            }
            lengths.push(f64::from(length));
        }
        let mean = lengths.iter().sum::<f64>() / f64::from(runs);
        let square = lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / f64::from(runs);
        let error = (square / f64::from(runs)).sqrt();
        let expected = rivals.expected_hands().unwrap();
        assert!((mean - expected).abs() < 4.0 * error, "{mean} {expected}");
        // Without the rivals of a short log, the number would be too small.
        let ways: Vec<Way> = BUILT_IN.iter().map(|(name, _)| Way::named(name).unwrap()).collect();
        let observed = log(&ways[0], 5, &game, 1);
        let candidates = super::candidates(&ways, &observed, 1e-3, &game).unwrap();
        let rivals = Rivals::new(&candidates, &game).unwrap();
        assert!(rivals.expected_hands().is_none() && rivals.rest > UNLIKELY, "{}", rivals.rest);
    }
}
