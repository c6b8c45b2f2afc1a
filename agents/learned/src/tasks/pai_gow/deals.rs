//! Deals with the rewards for all settings.

use crate::decisions::{CandidateBatch, DecisionTensors, Decisions};
use burn::prelude::*;
use houseway_env::cards::Pack;
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::money::Rate;
use houseway_env::pai_gow::observe::candidates::{CONTENDER, CONTEXT, LEGAL, ROW, write_rows};
use houseway_env::pai_gow::{
    BankerSet, CARDS, Candidates, Dealer, Dealt, Game, Hand, Outcome, ProfileStrategy, SetHand, Setting, settings_in,
};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::sync::Arc;

/// A source of hands with the rewards for their settings.
pub struct Deals {
    game: Arc<Game>,
    deal: Box<DealFn>,
    /// The amounts that a bet wins and loses if the bank learns, or `None` if the player does.
    bank: Option<[f64; 2]>,
}

type DealFn = dyn Fn(&Game, &mut Pcg64, &mut [BankerSet]) -> Hand + Send + Sync;

impl Deals {
    fn new<F>(game: Arc<Game>, bank: Option<[f64; 2]>, deal: F) -> Deals
    where
        F: Fn(&Game, &mut Pcg64, &mut [BankerSet]) -> Hand + Send + Sync + 'static,
    {
        Deals { game, deal: Box::new(deal), bank }
    }

    /// Creates deals for a player against a banker with this strategy for the game.
    pub fn player<B>(game: Arc<Game>, banker: Arc<B>) -> Deals
    where
        B: ProfileStrategy + Send + ?Sized + 'static,
    {
        Deals::new(game, None, move |game, rng, others| Dealer::new(game, &*banker).deal(rng, others).hand())
    }

    /// Creates deals for the bank against players. Each player hand is set by one of their strategies, drawn uniformly at
    /// random. The bank wins copies and pays a commission on each bet it wins.
    pub fn bank(game: Arc<Game>, players: Vec<Arc<dyn ProfileStrategy + Send>>, commission: Rate) -> Deals {
        Deals::new(game, Some([1.0 - commission.value(), 1.0]), move |_, rng, others| {
            let profiles = Profiles::get();
            deal_all(rng, others, |dealt, rng| {
                let player = &players[rng.random_range(0..players.len())];
                BankerSet::plain(player.set_profile(dealt.profile(profiles)))
            })
        })
    }

    /// Creates deals for one side against a mixed strategy of the other side, if both sides may set freely.
    pub fn self_play(game: Arc<Game>, seat: Seat, other: ProfileMixture) -> Deals {
        let [win, loss] = [Outcome::Win, Outcome::Loss].map(|outcome| game.payoff(outcome));
        let bank = (seat == Seat::Banker).then_some([-loss, win]);
        Deals::new(game, bank, move |game, rng, others| {
            let profiles = Profiles::get();
            deal_all(rng, others, |dealt, rng| {
                let set = other.draw(dealt.profile(profiles), rng);
                match seat {
                    Seat::Player => game.banker_set(dealt.hand(), set),
                    Seat::Banker => BankerSet::plain(set),
                }
            })
        })
    }

    /// Returns the game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Deals a hand to the agent and fills `others` with set hands for the other side. Each is dealt uniformly from the
    /// cards that are not in the agent's hand.
    pub fn deal(&self, rng: &mut Pcg64, others: &mut [BankerSet]) -> Hand {
        (self.deal)(&self.game, rng, others)
    }

    /// Returns each setting's mean reward against these hands, or NaN for fouls.
    pub fn rewards(&self, candidates: &Candidates, others: &[BankerSet]) -> [f32; Setting::COUNT] {
        match self.bank {
            None => candidates.mean_rewards(&self.game, others),
            Some(payoffs) => bank_rewards(&self.game, candidates, others, payoffs),
        }
    }
}

/// Deals a hand, and then others from the remaining cards, which are set by `set`.
fn deal_all(rng: &mut Pcg64, others: &mut [BankerSet], mut set: impl FnMut(Dealt, &mut Pcg64) -> BankerSet) -> Hand {
    let hand = Dealt::random(rng).hand();
    let mut pack = Pack::without(CARDS, hand.set());
    for other in others {
        if pack.left() < Hand::CARDS {
            pack.gather();
        }
        let dealt = Dealt::draw(&mut pack, rng).expect("seven cards are left");
        *other = set(dealt, rng);
    }
    hand
}

/// Returns the bank's mean reward for each setting against some players, given the amounts that a bet wins and loses.
/// The mean is NaN for fouls.
fn bank_rewards(
    game: &Game,
    candidates: &Candidates,
    players: &[BankerSet],
    [win, loss]: [f64; 2],
) -> [f32; Setting::COUNT] {
    let mut rewards = [f32::NAN; Setting::COUNT];
    for setting in settings_in(candidates.legal()) {
        let set = game.banker_set(candidates.hand(), candidates.set(setting));
        let (mut wins, mut losses) = (0u32, 0u32);
        for player in players {
            match game.settle(player.strengths(), set).outcome {
                Outcome::Loss => wins += 1,
                Outcome::Push => {}
                Outcome::Win => losses += 1,
            }
        }
        let total = f64::from(wins) * win - f64::from(losses) * loss;
        rewards[setting.index()] = (total / players.len() as f64) as f32;
    }
    rewards
}

/// A mixed strategy over profiles, from which set hands are drawn.
pub struct ProfileMixture {
    /// The index of each profile's first set hand, followed by the total number of set hands.
    starts: Vec<u32>,
    /// Each set hand, with the sum of the weights up to it within its profile.
    sets: Vec<(SetHand, u32)>,
}

impl ProfileMixture {
    /// Creates a strategy from the weighted set hands for each profile. Set hands with weight 0 are left out.
    ///
    /// # Panics
    /// Panics if the number of profiles is wrong, or if a profile has no set hand.
    pub fn new<S>(profiles: impl IntoIterator<Item = S>) -> ProfileMixture
    where
        S: IntoIterator<Item = (SetHand, u32)>,
    {
        let mut mixture = ProfileMixture { starts: vec![0], sets: vec![] };
        for sets in profiles {
            let (first, mut sum) = (mixture.sets.len(), 0);
            for (set, weight) in sets.into_iter().filter(|&(_, weight)| weight > 0) {
                sum += weight;
                mixture.sets.push((set, sum));
            }
            assert!(mixture.sets.len() > first, "every profile has a set hand with a positive weight");
            mixture.starts.push(mixture.sets.len() as u32);
        }
        assert_eq!(mixture.starts.len(), PROFILES + 1, "every profile has a strategy");
        mixture
    }

    /// Draws a set hand for a profile.
    fn draw(&self, profile: Profile, rng: &mut Pcg64) -> SetHand {
        let sets = &self.sets[self.starts[profile.index()] as usize..self.starts[profile.index() + 1] as usize];
        let [.., (_, all)] = sets else { unreachable!("every profile has a set hand") };
        let drawn = rng.random_range(0..*all);
        sets[sets.partition_point(|&(_, sum)| sum <= drawn)].0
    }
}

/// A side of the table in self-play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// The player.
    Player,
    /// The banker, which is the house. It wins what the player loses and pays what the player wins, less the
    /// commission.
    Banker,
}

houseway_env::named_enum! {
    /// The set of settings that an agent chooses from.
    #[derive(Default)]
    pub enum Among: kebab_case {
        /// The contenders. These are the legal settings that no other legal setting beats in one half while at least
        /// matching them in the other.
        #[default]
        Contenders,
        /// All legal settings.
        Legal,
    }
}

impl Among {
    /// The key for this option in weight file metadata.
    pub(super) const KEY: &str = "among";

    /// Returns the candidate settings of a hand as bits 0 to 20. There is always at least one.
    pub fn select(self, candidates: &Candidates) -> u32 {
        match self {
            Among::Contenders => candidates.contenders(),
            Among::Legal => candidates.legal(),
        }
    }

    /// Returns the index of the row feature that is 1 for candidates.
    const fn flag(self) -> usize {
        match self {
            Among::Contenders => CONTENDER,
            Among::Legal => LEGAL,
        }
    }
}

/// Appends a hand to a batch. Bits 0 to 20 of `among` select its candidate settings.
///
/// # Panics
/// Panics if there are no candidates.
pub fn encode(batch: &mut CandidateBatch, game: &Game, hand: &Candidates, among: u32) {
    let count = among.count_ones() as usize;
    assert!(count > 0, "a hand has a candidate");
    let (rows, contexts) = (batch.rows.len(), batch.context.len());
    batch.rows.resize(rows + count * ROW, 0.0);
    batch.context.resize(contexts + CONTEXT, 0.0);
    write_rows(game, hand, among, &mut batch.rows[rows..], &mut batch.context[contexts..])
        .expect("there is room for the rows");
    batch.actions.extend(settings_in(among).map(Setting::index));
    batch.counts.push(count);
}

/// Hands decoded from observations in the `candidates` encoding.
pub(super) struct HandDecisions {
    pub(super) batch: CandidateBatch,
    /// The first row of each decision.
    first_rows: Vec<usize>,
    among: Among,
}

impl HandDecisions {
    pub(super) fn new(among: Among) -> HandDecisions {
        HandDecisions { batch: CandidateBatch::default(), first_rows: vec![], among }
    }

    /// Appends a hand with the candidates allowed by the mask. If the mask excludes all candidates, every setting it
    /// allows becomes a candidate.
    pub(super) fn add(&mut self, observation: &[f32], mask: &[bool]) {
        let (rows, context) = observation.split_at(Setting::COUNT * ROW);
        let legal = rows.chunks_exact(ROW).enumerate().filter(|(setting, _)| mask[*setting]);
        let candidate = |row: &[f32]| row[self.among.flag()] == 1.0;
        let all = !legal.clone().any(|(_, row)| candidate(row));
        let first = self.batch.actions.len();
        for (setting, row) in legal.filter(|(_, row)| all || candidate(row)) {
            self.batch.actions.push(setting);
            self.batch.rows.extend_from_slice(row);
        }
        self.batch.context.extend_from_slice(context);
        self.batch.counts.push(self.batch.actions.len() - first);
        self.first_rows.push(first);
    }

    /// Removes the last hand, which has only one candidate, and returns that candidate.
    fn remove_last(&mut self) -> usize {
        self.batch.rows.truncate(self.batch.rows.len() - ROW);
        self.batch.context.truncate(self.batch.context.len() - CONTEXT);
        self.batch.counts.pop();
        self.first_rows.pop();
        self.batch.actions.pop().expect("the hand has a candidate")
    }
}

impl Decisions for HandDecisions {
    fn clear(&mut self) {
        self.batch.clear();
        self.first_rows.clear();
    }

    fn len(&self) -> usize {
        self.batch.counts.len()
    }

    fn push(&mut self, observation: &[f32], mask: &[bool]) -> Option<usize> {
        self.add(observation, mask);
        (self.batch.counts.last() == Some(&1)).then(|| self.remove_last())
    }

    fn tensors(&self, first: usize, device: &Device) -> DecisionTensors {
        self.batch.tensors(first, device)
    }

    fn select(&self, decisions: &[usize], device: &Device) -> DecisionTensors {
        self.batch.select(decisions).tensors(0, device)
    }

    fn action(&self, decision: usize, place: usize) -> usize {
        self.batch.actions[self.first_rows[decision] + place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::{ProfileTable, Rules};
    use houseway_exact::pai_gow::whole::{DealCounts, Side};
    use houseway_exact::pai_gow::{BankerTable, HandEvaluator};

    #[test]
    fn rewards_come_near_the_exact_values_of_the_bank() {
        let game = Arc::new(Game::new(Rules::default()));
        let way: Arc<dyn ProfileStrategy + Send> = Arc::new(ProfileTable::max_front(&game));
        let commission = "0.05".parse().unwrap();
        let deals = Deals::bank(Arc::clone(&game), vec![Arc::clone(&way)], commission);
        let table = BankerTable::new(&*way);
        let counter = HandEvaluator::new(&game, &table);
        let (mut rng, mut others) = (stream(2.into()), vec![BankerSet::default(); 40_000]);
        for _ in 0..3 {
            let hand = deals.deal(&mut rng, &mut others);
            let rewards = deals.rewards(&Candidates::new(&game, hand), &others);
            let counts = counter.count_for(Side::Banker, hand);
            for setting in Setting::all() {
                let (found, exact) = (rewards[setting.index()], counts.ev(setting));
                assert_eq!(found.is_nan(), exact.is_none());
                // Six hands from one shuffle vary no more than independent hands do.
                assert!(exact.is_none_or(|exact| (f64::from(found) - exact.value()).abs() < 4.5 / 200.0), "{hand}");
            }
        }
    }

    #[test]
    fn rewards_in_self_play_come_near_the_exact_values_against_the_mixture() {
        let game = Arc::new(Game::new(Rules::default()));
        let ways = [ProfileTable::max_front(&game), ProfileTable::max_back(&game)];
        let sets = |profile| [(ways[0].set_profile(profile), 3), (ways[1].set_profile(profile), 1)];
        let (mut rng, mut others) = (stream(4.into()), vec![BankerSet::default(); 40_000]);
        for (seat, side) in [(Seat::Player, Side::Player), (Seat::Banker, Side::Banker)] {
            let other = ProfileMixture::new(Profile::all().map(sets));
            let deals = Deals::self_play(Arc::clone(&game), seat, other);
            let hand = deals.deal(&mut rng, &mut others);
            let rewards = deals.rewards(&Candidates::new(&game, hand), &others);
            let exact =
                ways.each_ref().map(|way| HandEvaluator::new(&game, &BankerTable::new(way)).count_for(side, hand));
            for setting in Setting::all() {
                let counts = exact.each_ref().map(|counts| counts.get(setting));
                let [Some(first), Some(second)] = counts else {
                    assert!(rewards[setting.index()].is_nan());
                    continue;
                };
                // The commission is on the player's wins, so the banker pays less for its losses.
                let [win, loss] = if seat == Seat::Player { [0.95, 1.0] } else { [1.0, 0.95] };
                let ev = |counts: DealCounts| (win * counts.wins as f64 - loss * counts.losses as f64) / 53_524_680.0;
                let expected = 0.75 * ev(first) + 0.25 * ev(second);
                assert!((f64::from(rewards[setting.index()]) - expected).abs() < 4.5 / 200.0, "{hand} {seat:?}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "every profile has a set hand")]
    fn a_mixture_without_a_set_hand_is_refused() {
        ProfileMixture::new(Profile::all().map(|_| [(SetHand::default(), 0)]));
    }
}
