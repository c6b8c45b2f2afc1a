//! Estimates a bank's results against several opponents by Monte Carlo sampling, with standard errors.

use super::ev::BankEv;
use super::growth::Distribution;
use super::joint::OpponentBet;
use crate::Ratio;
use houseway_env::cards::Pack;
use houseway_env::cards::profile::Profiles;
use houseway_env::gym::{StreamSeed, stream};
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::{Bank as TableBank, HOUSE_SEAT, MAX_SEATS, SetBet, TableRules, settle};
use houseway_env::pai_gow::{BankerSet, CARDS, Dealt, Game, Hand, SetHand};
use rand_pcg::Pcg64;
use rayon::prelude::*;

/// The number of deals per random stream. Fixing it makes results independent of the number of threads.
const CHUNK: u64 = 1 << 14;

/// A bank's results over random deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampledBank {
    /// The bank's winnings after commission.
    pub net: Distribution,
    /// The commission paid.
    pub commission: Distribution,
}

impl SampledBank {
    /// Returns the number of deals.
    pub fn deals(&self) -> u64 {
        self.net.weight()
    }

    /// Returns the mean of the bank's winnings and its standard error, in chips.
    pub fn mean(&self) -> (f64, f64) {
        with_error(&self.net)
    }

    /// Returns the EV and its standard error, computed as the exact mean before commission minus the sampled mean
    /// commission. This is far more precise than [`SampledBank::mean`].
    pub fn mean_by(&self, exact: &BankEv) -> (f64, f64) {
        if let Some(exact) = exact.exact() {
            return (exact.value(), 0.0);
        }
        let (mean, error) = with_error(&self.commission);
        (exact.gross.value() - mean, error)
    }

    /// Returns the expected log growth of a bankroll and its standard error. The growth is negative infinity if any
    /// deal lost the entire bankroll.
    pub fn log_growth(&self, bankroll: Chips) -> (f64, f64) {
        let mean = self.net.log_growth(bankroll);
        let square = |(chips, weight): (Chips, u64)| {
            weight as f64 * ((1.0 + chips as f64 / bankroll as f64).ln() - mean).powi(2)
        };
        let variance = self.net.results().map(square).sum::<f64>() / self.deals() as f64;
        (mean, (variance / self.deals() as f64).sqrt())
    }
}

fn with_error(distribution: &Distribution) -> (f64, f64) {
    let mean: Ratio = distribution.mean();
    (mean.value(), (distribution.variance() / distribution.weight() as f64).sqrt())
}

/// A bet against the bank, and a function that sets its hands.
pub struct SampledBet<'a> {
    /// The bet, in chips.
    pub bet: Chips,
    /// Sets a hand.
    pub set: Box<dyn Fn(Dealt) -> SetHand + Sync + 'a>,
}

impl<'a> From<&OpponentBet<'a>> for SampledBet<'a> {
    fn from(&OpponentBet { bet, way }: &OpponentBet<'a>) -> SampledBet<'a> {
        let profiles = Profiles::get();
        SampledBet { bet, set: Box::new(move |dealt| way.set(dealt.profile(profiles))) }
    }
}

/// Deals rounds to a bank and its opponents, and settles them with the table's own code. `banker` sets the bank's
/// hands. The button is assigned uniformly at random, but this matters only if the stake doesn't cover all bets.
/// Results depend only on the seed and not on the number of threads.
///
/// # Panics
/// Panics if there are no deals, no opponents or more than six opponents.
pub fn sample_bank(
    rules: &TableRules,
    game: &Game,
    banker: &(dyn Fn(Dealt) -> SetHand + Sync),
    stake: Chips,
    bets: &[SampledBet<'_>],
    deals: u64,
    seed: u64,
) -> SampledBank {
    let bank = |pack: &mut Pack, rng: &mut Pcg64| {
        let dealt = Dealt::draw(pack, rng).expect("a pack has enough cards for seven hands");
        game.banker_set(dealt.hand(), banker(dealt))
    };
    sample(rules, game, &Pack::new(CARDS), &bank, stake, bets, deals, seed)
}

/// Samples like [`sample_bank`], but for a banker with the given hand and set hand.
pub(crate) fn sample_held(
    rules: &TableRules,
    game: &Game,
    (hand, set): (Hand, SetHand),
    stake: Chips,
    bets: &[SampledBet<'_>],
    deals: u64,
    seed: u64,
) -> SampledBank {
    let set = game.banker_set(hand, set);
    sample(rules, game, &Pack::without(CARDS, hand.set()), &|_, _| set, stake, bets, deals, seed)
}

/// A function that deals the bank's hand from a pack and sets it.
type BankHand<'a> = dyn Fn(&mut Pack, &mut Pcg64) -> BankerSet + Sync + 'a;

#[allow(clippy::too_many_arguments)] // all of them describe a round
fn sample(
    rules: &TableRules,
    game: &Game,
    pack: &Pack,
    bank: &BankHand<'_>,
    stake: Chips,
    bets: &[SampledBet<'_>],
    deals: u64,
    seed: u64,
) -> SampledBank {
    assert!((1..MAX_SEATS).contains(&bets.len()), "a bank has one to six opponents, not {}", bets.len());
    assert!(deals > 0, "at least one deal is required");
    let rules = TableRules { seats: houseway_env::pai_gow::table::TableSize::SEVEN, ..*rules };
    let chunk = |chunk: u64| {
        let (mut rng, mut pack) = (stream(StreamSeed { seed, lane: chunk }), *pack);
        let mut sample = SampledBank { net: Distribution::default(), commission: Distribution::default() };
        for deal in 0..CHUNK.min(deals - chunk * CHUNK) {
            let button = 2 + (deal as usize) % bets.len();
            let (net, commission) = one_deal(&rules, game, (&mut pack, bank), stake, bets, button, &mut rng);
            sample.net.add(net, 1);
            sample.commission.add(commission, 1);
        }
        sample
    };
    let merge = |mut a: SampledBank, b: SampledBank| {
        b.net.results().for_each(|(chips, weight)| a.net.add(chips, weight));
        b.commission.results().for_each(|(chips, weight)| a.commission.add(chips, weight));
        a
    };
    let chunks = (0..deals.div_ceil(CHUNK)).into_par_iter().map(chunk);
    chunks.reduce_with(merge).expect("there is at least one chunk")
}

/// Plays one deal. The bank sits at seat 1, followed by its opponents. The house's seat comes last.
fn one_deal(
    rules: &TableRules,
    game: &Game,
    (pack, bank): (&mut Pack, &BankHand<'_>),
    stake: Chips,
    bets: &[SampledBet<'_>],
    button: usize,
    rng: &mut Pcg64,
) -> (Chips, Chips) {
    pack.gather();
    let bank = bank(pack, rng);
    let mut wagers = [None; MAX_SEATS];
    let seats = (2..MAX_SEATS).chain([HOUSE_SEAT]);
    for (seat, bet) in seats.zip(bets) {
        let dealt = Dealt::draw(pack, rng).expect("a pack has enough cards for seven hands");
        wagers[seat] = Some(SetBet { bet: bet.bet, set: (bet.set)(dealt) });
    }
    let settled = settle(rules, game, TableBank::Seat { seat: 1, stake }, bank, &wagers, button % MAX_SEATS);
    (settled.bank_net - settled.bank_commission, settled.bank_commission)
}
