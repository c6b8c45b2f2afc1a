//! Sums over the other side's hands by ranks alone, as if there were no flushes.
//!
//! A rank profile weighs the product over ranks of the ways to pick its cards from those that this side's multiset left.
//! The weights of multisets on the same ranks share their first factors. As the profiles stand in the order of their backs,
//! the sums for all limits come from one pass: between two limits on the back, the weights with a front below each limit on
//! the front are added up.

use super::kernels::{Kernels, LIMITS};
use super::multiset::{Ask, Multiset};
use super::opponent::Outcomes;
use houseway_env::cards::Rank;

/// Weights of the rank profiles for one multiset after another on the same ranks.
#[derive(Default)]
pub(super) struct Weights {
    /// Product of the factors of the ranks that are not held and of the first 0, 1, ... of those that are.
    products: Vec<Vec<u16>>,
    /// The counts of the ranks held that the products are for.
    counts: Vec<u8>,
}

impl Weights {
    /// Makes ready for multisets on these ranks.
    pub(super) fn start(&mut self, kernels: Kernels, outcomes: &Outcomes, ranks: &[Rank]) {
        let profiles = outcomes.fronts.len();
        self.products.resize_with(ranks.len() + 1, Vec::new);
        self.products.iter_mut().for_each(|product| product.resize(profiles, 0));
        self.counts.clear();
        let mut product = vec![1u16; profiles];
        for &rank in Rank::ALL.iter().filter(|rank| !ranks.contains(rank)) {
            let before = std::mem::take(&mut self.products[0]);
            self.products[0] = std::mem::replace(&mut product, before);
            kernels.multiply(&self.products[0], outcomes.factors(rank.index(), 0), &mut product);
        }
        self.products[0] = product;
    }

    /// The weights for this multiset.
    pub(super) fn of(&mut self, kernels: Kernels, outcomes: &Outcomes, multiset: &Multiset<'_>) -> &[u16] {
        let counts = &multiset.pattern.counts;
        let same = self.counts.iter().zip(counts).take_while(|(before, now)| before == now).count();
        for at in same..counts.len() {
            let (before, after) = self.products.split_at_mut(at + 1);
            let factors = outcomes.factors(multiset.ranks[at].index(), counts[at].into());
            kernels.multiply(&before[at], factors, &mut after[0]);
        }
        self.counts.clone_from(counts);
        &self.products[counts.len()]
    }
}

/// The sum of the weights for each ask.
pub(super) fn sums(kernels: Kernels, outcomes: &Outcomes, weights: &[u16], asks: &[Ask]) -> Vec<i32> {
    let mut fronts: Vec<u8> = asks.iter().map(|ask| ask.front).collect();
    fronts.sort_unstable();
    fronts.dedup();
    let mut groups: Vec<([u8; LIMITS], [u32; LIMITS])> = fronts
        .chunks(LIMITS)
        .map(|chunk| (std::array::from_fn(|i| chunk.get(i).copied().unwrap_or(0)), [0; LIMITS]))
        .collect();
    let mut done = 0;
    let mut results = Vec::with_capacity(asks.len());
    for ask in asks {
        let end = outcomes.ranks_below(ask.back.into());
        if end > done {
            for (limits, sums) in &mut groups {
                kernels.sums_below(&weights[done..end], &outcomes.fronts[done..end], limits, sums);
            }
            done = end;
        }
        let at = fronts.partition_point(|&front| front < ask.front);
        results.push(groups[at / LIMITS].1[at % LIMITS] as i32);
    }
    results
}
