//! Finds the box of ranges with the best total gain over cells. The search is exact and covers all boxes in up to three
//! quantities, using prefix sums.

/// The maximum number of bounds in a rule.
pub(super) const MAX_BOUNDS: usize = 4;

/// A grid of gains with up to three axes. An unused axis has size 1.
pub(super) struct Grid {
    sizes: [usize; 3],
    /// The gains, which [`accumulate`](Grid::accumulate) replaces with prefix sums. Each axis has one extra row.
    sums: Vec<i64>,
}

/// A box, given as an inclusive range for each axis.
pub(super) type Box3 = [(u8, u8); 3];

/// The best box for each number of bounds, if it beats every box with fewer bounds.
pub(super) type Best = [Option<(i64, Box3)>; MAX_BOUNDS + 1];

/// An inclusive range on one axis and its number of bounds.
#[derive(Clone, Copy)]
struct AxisRange {
    low: usize,
    high: usize,
    bounds: usize,
}

impl Grid {
    /// Creates a grid without gains.
    pub(super) fn new(sizes: [usize; 3]) -> Grid {
        Grid { sizes, sums: vec![0; sizes.iter().map(|size| size + 1).product()] }
    }

    fn at(&self, a: usize, b: usize, c: usize) -> usize {
        (a * (self.sizes[1] + 1) + b) * (self.sizes[2] + 1) + c
    }

    /// Adds a gain to a cell.
    pub(super) fn add(&mut self, cell: [u8; 3], gain: i64) {
        let place = self.at(cell[0] as usize + 1, cell[1] as usize + 1, cell[2] as usize + 1);
        self.sums[place] += gain;
    }

    /// Returns the sum of all positive gains. No box can gain more than this.
    pub(super) fn potential(&self) -> i64 {
        self.sums.iter().filter(|&&gain| gain > 0).sum()
    }

    /// Returns a copy that contains only the positive gains.
    fn positive(&self) -> Grid {
        Grid { sizes: self.sizes, sums: self.sums.iter().map(|&gain| gain.max(0)).collect() }
    }

    /// Replaces the gains with prefix sums. Must be called once, after all gains have been added.
    fn accumulate(&mut self) {
        let [a, b, c] = self.sizes;
        for x in 1..=a {
            for y in 1..=b {
                let [here, left, up, both] =
                    [(x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1)].map(|(x, y)| self.at(x, y, 0));
                let mut row = 0;
                for z in 1..=c {
                    row += self.sums[here + z];
                    self.sums[here + z] = row + self.sums[left + z] + self.sums[up + z] - self.sums[both + z];
                }
            }
        }
    }

    /// Returns the sum over the cells within `a` and `b` on the first two axes and below `c` on the last axis.
    fn below(&self, a: AxisRange, b: AxisRange, c: usize) -> i64 {
        let sum = |a: usize, b: usize| self.sums[self.at(a, b, c)];
        sum(a.high + 1, b.high + 1) - sum(a.low, b.high + 1) - sum(a.high + 1, b.low) + sum(a.low, b.low)
    }

    /// Returns the best box with a positive gain for each number of bounds from 0 to `max`.
    pub(super) fn best(mut self, max: usize) -> Best {
        let mut positive = self.positive();
        positive.accumulate();
        self.accumulate();
        let mut best = BestBoxes::default();
        let [by_bounds_a, by_bounds_b] = [self.sizes[0], self.sizes[1]].map(ranges_by_bounds);
        // Try boxes with fewer bounds first. Such boxes cover more cells, so their gains rule out most of the rest.
        for used in 0..=max {
            for (bounds_a, ranges_a) in by_bounds_a.iter().enumerate().take(used + 1) {
                let Some(ranges_b) = by_bounds_b.get(used - bounds_a) else { continue };
                for &a in ranges_a {
                    for &b in ranges_b {
                        if positive.below(a, b, self.sizes[2]) > best.least[used] {
                            self.best_on_last(a, b, max, &mut best);
                        }
                    }
                }
            }
        }
        best.finish()
    }

    fn best_on_last(&self, a: AxisRange, b: AxisRange, max: usize, best: &mut BestBoxes) {
        let size = self.sizes[2];
        let used = a.bounds + b.bounds;
        let planes = [(a.high + 1, b.high + 1), (a.low, b.high + 1), (a.high + 1, b.low), (a.low, b.low)]
            .map(|(a, b)| &self.sums[self.at(a, b, 0)..][..=size]);
        let below = |z: usize| planes[0][z] - planes[1][z] - planes[2][z] + planes[3][z];
        let sides = [(a.low as u8, a.high as u8), (b.low as u8, b.high as u8)];
        let mut put = |bounds: usize, gain: i64, low: usize, high: usize| {
            if used + bounds <= max {
                best.put(used + bounds, gain, [sides[0], sides[1], (low as u8, high as u8)]);
            }
        };
        let all = below(size);
        put(0, all, 0, size - 1);
        let mut lowest = None;
        for z in 1..size {
            let sum = below(z);
            // Try everything below z, everything from z on, and the range from the lowest prefix sum to z.
            put(1, sum, 0, z - 1);
            put(1, all - sum, z, size - 1);
            if let Some((least, from)) = lowest {
                put(2, sum - least, from, z - 1);
            }
            if lowest.is_none_or(|(least, _)| sum < least) {
                lowest = Some((sum, z));
            }
        }
    }
}

/// The best boxes found during a search.
#[derive(Default)]
struct BestBoxes {
    best: Best,
    /// The best gain with at most this many bounds, or zero.
    least: [i64; MAX_BOUNDS + 1],
}

impl BestBoxes {
    fn put(&mut self, bounds: usize, gain: i64, found: Box3) {
        if gain > self.least[bounds] {
            self.best[bounds] = Some((gain, found));
            self.least[bounds..].iter_mut().for_each(|least| *least = gain.max(*least));
        }
    }

    /// Drops boxes whose gain doesn't exceed the gain of a box with fewer bounds. Such a box may have been found later.
    fn finish(mut self) -> Best {
        let mut least = 0;
        for best in &mut self.best {
            *best = best.filter(|best| best.0 > least);
            least = best.map_or(least, |best| best.0);
        }
        self.best
    }
}

/// Returns all ranges on an axis, grouped by their number of bounds.
fn ranges_by_bounds(size: usize) -> [Vec<AxisRange>; 3] {
    let mut all: [Vec<AxisRange>; 3] = Default::default();
    for low in 0..size {
        for high in low..size {
            let bounds = usize::from(low > 0) + usize::from(high + 1 < size);
            all[bounds].push(AxisRange { low, high, bounds });
        }
    }
    all
}
