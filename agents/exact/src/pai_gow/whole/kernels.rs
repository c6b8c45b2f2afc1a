//! The inner loops, compiled for several sets of vector instructions; the widest that the machine has is chosen at run time.
//!
//! Every loop is plain Rust over fixed-width rows, which the compiler turns into vector instructions; the copies differ in
//! the instructions that it may use, not in their text, so all give the same integers.

/// Off-suit places of a row: 91 pairs of ranks from 0, 13 ranks from 96, none at 109.
pub(super) const ROW: usize = 112;
/// Where the off-suit states of 0, 1 and 2 cards start in a row.
pub(super) const OFF_SUIT_START: [usize; 3] = [109, 96, 0];
/// Limits that [`Kernels::sums_below`] takes at once.
pub(super) const LIMITS: usize = 8;

/// One number for each off-suit state.
pub(super) type Row = [i16; ROW];

/// Which instructions the loops use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Whatever the compiler may assume of every machine.
    Portable,
    /// AVX2.
    Avx2,
    /// AVX-512 (F, BW, VL).
    Avx512,
}

impl Instructions {
    /// The widest that this machine has.
    pub fn detect() -> Instructions {
        [Instructions::Avx512, Instructions::Avx2]
            .into_iter()
            .find(|it| it.available())
            .unwrap_or(Instructions::Portable)
    }

    /// Whether this machine has them.
    pub fn available(self) -> bool {
        match self {
            Instructions::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// Makes, for each loop, a function that runs the copy for the chosen instructions.
macro_rules! dispatched {
    ($($(#[$doc:meta])* fn $name:ident / $body:ident($($arg:ident: $type:ty),*) $(-> $out:ty)?;)*) => {
        #[cfg(target_arch = "x86_64")]
        mod avx2 {
            use super::*;
            $(#[target_feature(enable = "avx2")]
            pub(super) fn $name($($arg: $type),*) $(-> $out)? { $body($($arg),*) })*
        }
        #[cfg(target_arch = "x86_64")]
        mod avx512 {
            use super::*;
            $(#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
            pub(super) fn $name($($arg: $type),*) $(-> $out)? { $body($($arg),*) })*
        }
        impl Kernels {
            $($(#[$doc])* #[inline]
            pub(super) fn $name(self, $($arg: $type),*) $(-> $out)? {
                match self.0 {
                    // SAFETY: `Kernels::new` has seen that the machine has these instructions.
                    #[cfg(target_arch = "x86_64")]
                    Instructions::Avx512 => unsafe { avx512::$name($($arg),*) },
                    // SAFETY: as above.
                    #[cfg(target_arch = "x86_64")]
                    Instructions::Avx2 => unsafe { avx2::$name($($arg),*) },
                    _ => $body($($arg),*),
                }
            })*
        }
    };
}

/// The loops, for instructions that this machine has.
#[derive(Clone, Copy)]
pub(super) struct Kernels(Instructions);

impl Kernels {
    /// # Panics
    /// If the machine lacks the instructions.
    pub(super) fn new(instructions: Instructions) -> Kernels {
        assert!(instructions.available(), "this machine has no {instructions:?}");
        Kernels(instructions)
    }

    pub(super) fn instructions(self) -> Instructions {
        self.0
    }
}

dispatched! {
    /// For each limit, adds to `sums` the weights of the places whose front is below it.
    fn sums_below / sums_below_loop(weights: &[u16], fronts: &[u8], limits: &[u8; LIMITS], sums: &mut [u32; LIMITS]);
    /// Multiplies each weight by a factor: `out = weights * factors`.
    fn multiply / multiply_loop(weights: &[u16], factors: &[u8], out: &mut [u16]);
    /// Adds rows to rows.
    fn add_rows / add_rows_loop(sums: &mut [Row], rows: &[Row]);
    /// Replaces the row of each set by the sum over its subsets; the index of a row is its set, in bits.
    fn subset_sums / subset_sums_loop(rows: &mut [Row]);
    /// For each set `m`: the product of the row of the complement of `m` with the weights of `m`, added to `out[m]`.
    fn products / products_loop(rows: &[Row], weights: &[Row], out: &mut [i32]);
}

/// Places taken at once by [`sums_below_loop`].
const STEP: usize = 16;

#[inline(always)]
fn sums_below_loop(weights: &[u16], fronts: &[u8], limits: &[u8; LIMITS], sums: &mut [u32; LIMITS]) {
    let mut lanes = [[0u32; STEP]; LIMITS];
    let (weights, last_weights) = weights.as_chunks::<STEP>();
    let (fronts, last_fronts) = fronts.as_chunks::<STEP>();
    for (weights, fronts) in weights.iter().zip(fronts) {
        let weights = weights.map(u32::from);
        let fronts = fronts.map(u32::from);
        for (lanes, &limit) in lanes.iter_mut().zip(limits) {
            for i in 0..STEP {
                lanes[i] += if fronts[i] < u32::from(limit) { weights[i] } else { 0 };
            }
        }
    }
    for ((sum, lanes), &limit) in sums.iter_mut().zip(&lanes).zip(limits) {
        *sum += lanes.iter().sum::<u32>();
        for (&weight, &front) in last_weights.iter().zip(last_fronts) {
            *sum += if front < limit { u32::from(weight) } else { 0 };
        }
    }
}

#[inline(always)]
fn multiply_loop(weights: &[u16], factors: &[u8], out: &mut [u16]) {
    for ((out, &weight), &factor) in out.iter_mut().zip(weights).zip(factors) {
        *out = weight * u16::from(factor);
    }
}

#[inline(always)]
fn add_row(sum: &mut Row, row: &Row) {
    for (sum, &row) in sum.iter_mut().zip(row) {
        *sum += row;
    }
}

#[inline(always)]
fn add_rows_loop(sums: &mut [Row], rows: &[Row]) {
    for (sum, row) in sums.iter_mut().zip(rows) {
        add_row(sum, row);
    }
}

#[inline(always)]
fn subset_sums_loop(rows: &mut [Row]) {
    let mut half = 1;
    while half < rows.len() {
        for pair in rows.chunks_exact_mut(2 * half) {
            let (without, with) = pair.split_at_mut(half);
            with.iter_mut().zip(without).for_each(|(with, without)| add_row(with, without));
        }
        half *= 2;
    }
}

#[inline(always)]
fn products_loop(rows: &[Row], weights: &[Row], out: &mut [i32]) {
    for ((row, weights), out) in rows.iter().rev().zip(weights).zip(out) {
        *out += row.iter().zip(weights).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn all_instructions_give_the_same_integers() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        let rows: Vec<Row> = (0..32).map(|_| std::array::from_fn(|_| rng.random_range(-90..90))).collect();
        let weights: Vec<u16> = (0..1003).map(|_| rng.random_range(0..16_385)).collect();
        let fronts: Vec<u8> = (0..1003).map(|_| rng.random_range(0..91)).collect();
        let limits = [0, 1, 17, 45, 60, 90, 91, 255];
        let run = |instructions| {
            let kernels = Kernels::new(instructions);
            let (mut sums, mut product) = ([5; LIMITS], vec![0; 1003]);
            kernels.sums_below(&weights, &fronts, &limits, &mut sums);
            kernels.multiply(&weights[..50], &[3; 50], &mut product[..50]);
            let mut subsets = rows.clone();
            kernels.subset_sums(&mut subsets);
            kernels.add_rows(&mut subsets, &rows);
            let mut out = vec![7; 32];
            kernels.products(&subsets, &rows, &mut out);
            (sums, product, subsets, out)
        };
        let (sums, product, subsets, out) = run(Instructions::Portable);
        for (&limit, &sum) in limits.iter().zip(&sums) {
            let below = weights.iter().zip(&fronts).filter(|&(_, &front)| front < limit);
            assert_eq!(sum, 5 + below.map(|(&weight, _)| u32::from(weight)).sum::<u32>());
        }
        assert_eq!(product[49], weights[49].wrapping_mul(3));
        let within = |set: usize| (0..32).filter(move |other| other & !set == 0);
        for set in 0..32 {
            let column: i16 = within(set).map(|other| rows[other][5]).sum();
            assert_eq!(subsets[set][5], column + rows[set][5]);
            let other = &subsets[31 - set];
            assert_eq!(out[set], 7 + (0..ROW).map(|o| i32::from(other[o]) * i32::from(rows[set][o])).sum::<i32>());
        }
        for instructions in [Instructions::Avx2, Instructions::Avx512] {
            if instructions.available() {
                assert_eq!(
                    run(instructions),
                    (sums, product.clone(), subsets.clone(), out.clone()),
                    "{instructions:?}"
                );
            }
        }
    }
}
