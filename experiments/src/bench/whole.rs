//! All agents measured on every hand, exactly, in one pass over the game.
//!
//! Learned agents and the power rating look at what the settings of a hand make and at the counts of its ranks and suits,
//! at nothing else. Most classes of one multiset of ranks are alike in that, so they are put together and set once: a
//! million times, not seven million times, for the same result. Networks are asked for the hands of one set of ranks at a
//! time, whatever the threads, so that a batch always holds the same hands and its floats are always the same.

use super::score::{Mean, Score, ShapeScore};
use houseway_env::cards::Suit;
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::pai_gow::{Candidates, Game, Hand, Setting, Strategy, settings_in};
use houseway_exact::pai_gow::whole::{Cancelled, Chooser, ClassCounts, DealCounts, Optimum, Payoff, Run, Whole};
use houseway_exact::pai_gow::{BANKER_HANDS, BankerTable};
use houseway_learned::decisions::CandidateBatch;
use houseway_learned::tasks::pai_gow::{Among, LearnedStrategy, encode};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// All hands.
pub(super) const HANDS: u64 = 154_143_080;
const SHAPES: usize = Shape::ALL.len();
/// A number that 1 to 21 divide, so that a mean over the legal settings of a hand is an integer.
const PARTS: u32 = 232_792_560;

/// What an agent does with all hands. Sums of `lost` and `agreeing` are in units of one over [`PARTS`].
#[derive(Clone, Default)]
pub(super) struct Tally {
    /// Deals won, lost and pushed; of the random agent none.
    pub(super) deals: DealCounts,
    /// What is given away, in millionths of a stake, over all hands and all hands of the banker, by shape.
    lost: [i128; SHAPES],
    /// Hands set as well as the optimum, by shape.
    agreeing: [u128; SHAPES],
}

impl Tally {
    fn plus(mut self, more: Tally) -> Tally {
        self.deals = self.deals.plus(more.deals);
        self.lost.iter_mut().zip(more.lost).for_each(|(sum, lost)| *sum += lost);
        self.agreeing.iter_mut().zip(more.agreeing).for_each(|(sum, hands)| *sum += hands);
        self
    }

    fn regret(&self, shape: usize) -> f64 {
        let stakes = f64::from(Rate::WHOLE) * BANKER_HANDS as f64 * HANDS as f64;
        self.lost[shape] as f64 / f64::from(PARTS) / stakes
    }

    fn agreement(&self, shapes: impl Iterator<Item = usize>, hands: u64) -> f64 {
        let agreeing: u128 = shapes.map(|shape| self.agreeing[shape]).sum();
        agreeing as f64 / f64::from(PARTS) / hands as f64
    }
}

/// An agent that looks at what the settings make.
pub(super) enum Agent<'a> {
    /// A network.
    Learned(&'a LearnedStrategy),
    /// Any other, asked hand by hand.
    Plain(&'a dyn Strategy),
}

impl Agent<'_> {
    pub(super) fn name(&self) -> &str {
        match self {
            Agent::Learned(learned) => Strategy::name(*learned),
            Agent::Plain(plain) => plain.name(),
        }
    }
}

/// Classes of one multiset of ranks that are alike to an [`Agent`].
struct Group {
    suits: [u32; 4],
    candidates: Candidates,
    shape: usize,
    hands: u64,
    wins: [u64; Setting::COUNT],
    losses: [u64; Setting::COUNT],
    /// Hands for which each setting is as good as the best.
    agreeing: [u64; Setting::COUNT],
    /// What the best settings of the hands gain together.
    best: i128,
}

/// What a thread has.
#[derive(Default)]
struct Sums {
    hands: [u64; SHAPES],
    random: Tally,
    house_way: Tally,
    optimum: Tally,
    agents: Vec<Tally>,
    /// Ranks of the hands in `groups`, as bits, and the joker.
    ranks: u64,
    groups: Vec<Group>,
}

/// Every agent on every hand.
pub(super) struct WholeScores {
    hands: [u64; SHAPES],
    pub(super) random: Tally,
    pub(super) house_way: Tally,
    pub(super) optimum: Tally,
    pub(super) agents: Vec<Tally>,
    /// Thread time that the agents took.
    pub(super) of_agents: Duration,
}

struct Scorer<'a> {
    game: &'a Game,
    house_way: &'a BankerTable,
    payoff: Payoff,
    agents: &'a [Agent<'a>],
    nanoseconds: AtomicU64,
}

/// Measures the house way, the agents, the optimum, and the mean over all legal settings.
pub(super) fn score(
    whole: &Whole<'_>,
    house_way: &BankerTable,
    agents: &[Agent<'_>],
    run: &Run<'_>,
) -> Result<WholeScores, Cancelled> {
    let payoff = Payoff::player(whole.game().rules().commission);
    let scorer = Scorer { game: whole.game(), house_way, payoff, agents, nanoseconds: AtomicU64::new(0) };
    let init = || Sums { agents: vec![Tally::default(); agents.len()], ..Sums::default() };
    let merge = |a, b| scorer.through(a).plus(scorer.through(b));
    let sums = scorer.through(whole.fold(run, init, |sums, classes| scorer.add(sums, classes), merge)?);
    let of_agents = Duration::from_nanos(scorer.nanoseconds.load(Ordering::Relaxed));
    let Sums { hands, random, house_way, optimum, agents, .. } = sums;
    Ok(WholeScores { hands, random, house_way, optimum, agents, of_agents })
}

impl Scorer<'_> {
    fn add(&self, sums: &mut Sums, classes: &[ClassCounts]) {
        let ranks = ranks_of(classes[0].hand);
        if ranks != sums.ranks {
            self.set_groups(sums);
            sums.ranks = ranks;
        }
        let shape = Shape::from_hand(classes[0].hand) as usize;
        let (house_way, optimum) = (self.house_way.choose(classes), Optimum(self.payoff).choose(classes));
        let first = sums.groups.len();
        for ((class, &house_way), &best) in classes.iter().zip(&house_way).zip(&optimum) {
            let hands = u64::from(class.orbit);
            let most = class.gain(best, self.payoff);
            sums.hands[shape] += hands;
            for (tally, setting) in [(&mut sums.house_way, house_way), (&mut sums.optimum, best)] {
                let lost = most - class.gain(setting, self.payoff);
                tally.deals.add(class, setting);
                tally.lost[shape] += i128::from(lost) * i128::from(hands) * i128::from(PARTS);
                tally.agreeing[shape] += if lost == 0 { u128::from(hands) * u128::from(PARTS) } else { 0 };
            }
            self.add_random(&mut sums.random, class, shape, most);
            self.add_to_group(sums, first, class, shape, most);
        }
    }

    /// Each legal setting with the same chance.
    fn add_random(&self, tally: &mut Tally, class: &ClassCounts, shape: usize, most: i64) {
        let weight = class.orbit * (PARTS / class.legal.count_ones());
        for setting in settings_in(class.legal) {
            let lost = most - class.gain(setting, self.payoff);
            tally.lost[shape] += i128::from(lost) * i128::from(weight);
            tally.agreeing[shape] += if lost == 0 { weight.into() } else { 0 };
        }
    }

    fn add_to_group(&self, sums: &mut Sums, first: usize, class: &ClassCounts, shape: usize, most: i64) {
        let suits = suits_of(class.hand);
        let alike = |group: &Group| {
            group.suits == suits && group.candidates.legal() == class.legal && *group.candidates.sets() == class.sets
        };
        let found = sums.groups[first..].iter().position(alike).map(|at| first + at);
        let at = found.unwrap_or_else(|| {
            sums.groups.push(Group::new(self.game, class, suits, shape));
            sums.groups.len() - 1
        });
        let (group, hands) = (&mut sums.groups[at], u64::from(class.orbit));
        group.hands += hands;
        group.best += i128::from(most) * i128::from(hands);
        for setting in settings_in(class.legal) {
            let i = setting.index();
            group.wins[i] += hands * u64::from(class.wins[i]);
            group.losses[i] += hands * u64::from(class.losses[i]);
            group.agreeing[i] += if class.gain(setting, self.payoff) == most { hands } else { 0 };
        }
    }

    /// Lets all agents set the hands that wait.
    fn set_groups(&self, sums: &mut Sums) {
        let groups = std::mem::take(&mut sums.groups);
        if groups.is_empty() {
            return;
        }
        let begun = Instant::now();
        let encoded = [Among::Contenders, Among::Legal].map(|among| self.encoded(&groups, among));
        for (agent, tally) in self.agents.iter().zip(&mut sums.agents) {
            let settings = match agent {
                Agent::Learned(learned) => learned.set_encoded(match (learned.among(), &encoded) {
                    (Among::Contenders, [Some(batch), _]) | (Among::Legal, [_, Some(batch)]) => batch,
                    _ => unreachable!("what an agent chooses among is encoded"),
                }),
                Agent::Plain(plain) => groups.iter().map(|group| plain.set(group.candidates.hand())).collect(),
            };
            groups.iter().zip(settings).for_each(|(group, setting)| self.add_setting(tally, group, setting));
        }
        self.nanoseconds.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }

    /// The hands as those networks see them that choose among these candidates, if there is one.
    fn encoded(&self, groups: &[Group], among: Among) -> Option<CandidateBatch> {
        let of = |agent: &Agent<'_>| matches!(agent, Agent::Learned(learned) if learned.among() == among);
        self.agents.iter().any(of).then(|| {
            let mut batch = CandidateBatch::default();
            for Group { candidates, .. } in groups {
                encode(&mut batch, self.game, candidates, among.select(candidates));
            }
            batch
        })
    }

    fn add_setting(&self, tally: &mut Tally, group: &Group, setting: Setting) {
        assert!(group.candidates.is_legal(setting), "{} is set foul", group.candidates.hand());
        let (i, shape) = (setting.index(), group.shape);
        let (wins, losses) = (group.wins[i], group.losses[i]);
        let pushes = group.hands * BANKER_HANDS - wins - losses;
        tally.deals = tally.deals.plus(DealCounts { wins, pushes, losses, ..DealCounts::default() });
        let gain = self.payoff.gain(wins as i64, losses as i64);
        tally.lost[shape] += (group.best - i128::from(gain)) * i128::from(PARTS);
        tally.agreeing[shape] += u128::from(group.agreeing[i]) * u128::from(PARTS);
    }

    /// Nothing waits any more.
    fn through(&self, mut sums: Sums) -> Sums {
        self.set_groups(&mut sums);
        sums
    }
}

impl Group {
    fn new(game: &Game, class: &ClassCounts, suits: [u32; 4], shape: usize) -> Group {
        let candidates = Candidates::new(game, class.hand);
        debug_assert_eq!(*candidates.sets(), class.sets);
        Group {
            suits,
            candidates,
            shape,
            hands: 0,
            wins: [0; Setting::COUNT],
            losses: [0; Setting::COUNT],
            agreeing: [0; Setting::COUNT],
            best: 0,
        }
    }
}

impl Sums {
    fn plus(self, more: Sums) -> Sums {
        let agents = self.agents.into_iter().zip(more.agents).map(|(a, b)| a.plus(b)).collect();
        Sums {
            hands: std::array::from_fn(|shape| self.hands[shape] + more.hands[shape]),
            random: self.random.plus(more.random),
            house_way: self.house_way.plus(more.house_way),
            optimum: self.optimum.plus(more.optimum),
            agents,
            ranks: 0,
            groups: vec![],
        }
    }
}

/// The ranks held, each as its lowest bit, and the joker.
fn ranks_of(hand: Hand) -> u64 {
    hand.set().iter().fold(0, |ranks, card| ranks | 1 << card.rank().map_or(card.index(), |rank| 4 * rank.index()))
}

/// Natural cards of each suit, most first, as encodings count them.
fn suits_of(hand: Hand) -> [u32; 4] {
    // A card's bit is that of four times its rank and its suit.
    const CLUBS: u64 = 0x1_1111_1111_1111;
    let mut suits = Suit::ALL.map(|suit| (hand.set().bits() & CLUBS << suit.index()).count_ones());
    suits.sort_unstable_by(|a, b| b.cmp(a));
    suits
}

impl WholeScores {
    /// The score of an agent; all of it is exact.
    pub(super) fn of(&self, name: &str, tally: &Tally, optimum_ev: f64) -> Score {
        let regret = |tally: &Tally| (0..SHAPES).map(|shape| tally.regret(shape)).sum::<f64>();
        let own = regret(tally);
        let shapes = Shape::ALL.into_iter().filter(|&shape| self.hands[shape as usize] > 0).map(|shape| ShapeScore {
            shape: shape.name().to_owned(),
            hands: self.hands[shape as usize] as usize,
            regret: tally.regret(shape as usize),
            agreement: tally.agreement(std::iter::once(shape as usize), self.hands[shape as usize]),
        });
        let ev = optimum_ev - own;
        let over = regret(&self.house_way) - own;
        Score {
            name: name.to_owned(),
            ev,
            ev_ci: [ev, ev],
            regret: own,
            regret_ci: None,
            over_house_way: Mean { value: over, low: over, high: over },
            agreement: tally.agreement(0..SHAPES, self.hands.iter().sum()),
            shapes: shapes.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;
    use houseway_env::pai_gow::house_way::{HouseWay, Way};
    use houseway_env::pai_gow::observe::candidates::{CONTEXT, ROW};
    use houseway_exact::pai_gow::PowerRating;
    use houseway_exact::pai_gow::whole::{OfStrategy, Shard, Side};
    use houseway_learned::network::{Network, NetworkConfig, Weights, training_device};
    use std::sync::Arc;

    const SEED: u64 = 3;

    fn network(game: &Arc<Game>, among: Among) -> LearnedStrategy {
        let config = NetworkConfig { width: 16, layers: 2 };
        let network = Network::with_context(config, ROW, CONTEXT, 1, &mut Weights::new(SEED, &training_device()));
        LearnedStrategy::new("network", game, &network, among)
    }

    #[test]
    fn hands_put_together_are_the_hands_one_by_one() {
        let game = Arc::new(Game::new(Rules::default()));
        let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
        let table = BankerTable::new(&way);
        let whole = Whole::new(&game, Side::Player, &table);
        let power = PowerRating::new(&game, &table);
        let [contenders, legal] = [Among::Contenders, Among::Legal].map(|among| network(&game, among));
        let agents = [Agent::Learned(&contenders), Agent::Learned(&legal), Agent::Plain(&power)];
        // Ranks with and without the joker.
        for shard in [7, 500] {
            let run = Run { shard: Shard::new(shard, 700).unwrap(), ..Run::default() };
            let scores = score(&whole, &table, &agents, &run).unwrap();
            let optimum = Optimum(Payoff::player(game.rules().commission));
            let (contenders, legal, power) = (OfStrategy(&contenders), OfStrategy(&legal), OfStrategy(&power));
            let choosers: [&dyn Chooser; 5] = [&table, &optimum, &contenders, &legal, &power];
            let totals = whole.totals(&choosers, &run).unwrap();
            assert!(totals[0].deals() > 0);
            let own = [&scores.house_way, &scores.optimum].into_iter().chain(&scores.agents);
            let gain = |deals: &DealCounts| {
                optimum.0.gain(deals.wins as i64, 0) as i128 + i128::from(optimum.0.gain(0, deals.losses as i64))
            };
            for (tally, total) in own.zip(&totals) {
                assert_eq!(tally.deals, *total);
                let lost: i128 = tally.lost.iter().sum();
                assert_eq!(lost, (gain(&totals[1]) - gain(total)) * i128::from(PARTS));
            }
            let hands: u64 = scores.hands.iter().sum();
            assert_eq!(hands * BANKER_HANDS, totals[0].deals());
            assert_eq!(scores.optimum.agreeing.iter().sum::<u128>(), u128::from(hands) * u128::from(PARTS));
            // No agent is worse than nothing, and none is as good as the optimum.
            let lost = |tally: &Tally| tally.lost.iter().sum::<i128>();
            assert!(
                scores.agents.iter().all(|tally| lost(tally) > 0) && lost(&scores.random) > lost(&scores.house_way)
            );
        }
    }

    #[test]
    fn alike_hands_look_alike_to_a_network() {
        let game = Game::new(Rules::default());
        let table = BankerTable::new(&houseway_env::pai_gow::ProfileTable::highest_front(&game));
        let whole = Whole::new(&game, Side::Player, &table);
        let run = Run { shard: Shard::new(11, 900).unwrap(), ..Run::default() };
        let seen = |hand: Hand| {
            let (mut batch, candidates) = (CandidateBatch::default(), Candidates::new(&game, hand));
            encode(&mut batch, &game, &candidates, candidates.legal());
            batch
        };
        let visit = |checked: &mut usize, classes: &[ClassCounts]| {
            for class in classes {
                let candidates = Candidates::new(&game, class.hand);
                assert_eq!((*candidates.sets(), candidates.legal()), (class.sets, class.legal), "{}", class.hand);
                let alike = |other: &&ClassCounts| {
                    (other.legal, other.sets, suits_of(other.hand)) == (class.legal, class.sets, suits_of(class.hand))
                };
                let first = classes.iter().find(alike).expect("it is like itself");
                assert!(seen(first.hand) == seen(class.hand), "{} and {}", first.hand, class.hand);
                *checked += 1;
            }
        };
        assert!(whole.fold(&run, || 0, visit, |a, b| a + b).unwrap() > 1000);
    }
}
