//! The best box of ranges for the gains of cells: an exact search by sums over all boxes in up to three quantities.

/// Maximum number of bounds of a rule.
pub(super) const MAX_BOUNDS: usize = 4;

/// Gains on a grid of up to three axes; an unused axis has size 1.
pub(super) struct Grid {
    sizes: [usize; 3],
    /// Sums below, one row more on each axis.
    sums: Vec<i64>,
}

/// A box: inclusive ranges on the three axes.
pub(super) type Box3 = [(u8, u8); 3];

/// The best box for each number of bounds.
pub(super) type Best = [Option<(i64, Box3)>; MAX_BOUNDS + 1];

impl Grid {
    /// An empty grid.
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

    /// Sum of the positive gains: no box has more.
    pub(super) fn potential(&self) -> i64 {
        self.sums.iter().filter(|&&gain| gain > 0).sum()
    }

    /// Turns gains into sums below. Call it once, after all gains are added.
    fn accumulate(&mut self) {
        let [a, b, c] = self.sizes;
        let mut along = |step: fn(&Grid, usize, usize, usize) -> usize| {
            for x in 0..=a {
                for y in 0..=b {
                    for z in 0..=c {
                        let (here, before) = (self.at(x, y, z), step(self, x, y, z));
                        if before != usize::MAX {
                            self.sums[here] += self.sums[before];
                        }
                    }
                }
            }
        };
        along(|grid, x, y, z| if x > 0 { grid.at(x - 1, y, z) } else { usize::MAX });
        along(|grid, x, y, z| if y > 0 { grid.at(x, y - 1, z) } else { usize::MAX });
        along(|grid, x, y, z| if z > 0 { grid.at(x, y, z - 1) } else { usize::MAX });
    }

    /// Returns the box with the greatest gain for each number of bounds from 0 to `most`.
    pub(super) fn best(mut self, most: usize) -> Best {
        self.accumulate();
        let mut best: Best = [None; MAX_BOUNDS + 1];
        let [a, b, _] = self.sizes;
        for (low_a, high_a, bounds_a) in ranges(a) {
            for (low_b, high_b, bounds_b) in ranges(b) {
                let used = bounds_a + bounds_b;
                if used <= most {
                    let planes = [
                        self.at(high_a + 1, high_b + 1, 0),
                        self.at(low_a, high_b + 1, 0),
                        self.at(high_a + 1, low_b, 0),
                        self.at(low_a, low_b, 0),
                    ];
                    let sides = [(low_a as u8, high_a as u8), (low_b as u8, high_b as u8)];
                    self.best_on_last(planes, [used, most], sides, &mut best);
                }
            }
        }
        best
    }

    fn best_on_last(&self, planes: [usize; 4], [used, most]: [usize; 2], [a, b]: [(u8, u8); 2], best: &mut Best) {
        let size = self.sizes[2];
        let below = |z: usize| {
            let [all, a, b, both] = planes.map(|plane| self.sums[plane + z]);
            all - a - b + both
        };
        let mut put = |bounds: usize, gain: i64, low: usize, high: usize| {
            let bounds = used + bounds;
            if bounds <= most && best[bounds].is_none_or(|known| gain > known.0) {
                best[bounds] = Some((gain, [a, b, (low as u8, high as u8)]));
            }
        };
        let all = below(size);
        put(0, all, 0, size - 1);
        if used < most {
            let mut lowest = (i64::MAX, 0);
            for z in 1..size {
                let sum = below(z);
                // Everything below z, everything from z on, and from the lowest sum so far to z.
                put(1, sum, 0, z - 1);
                put(1, all - sum, z, size - 1);
                if lowest.0 != i64::MAX {
                    put(2, sum - lowest.0, lowest.1, z - 1);
                }
                if sum < lowest.0 {
                    lowest = (sum, z);
                }
            }
        }
    }
}

/// All ranges of an axis with their number of bounds.
fn ranges(size: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..size).flat_map(move |low| {
        (low..size).map(move |high| (low, high, usize::from(low > 0) + usize::from(high + 1 < size)))
    })
}
