//! The inner loops, compiled for several vector instruction sets. The widest supported one is selected at run time.
//!
//! Each loop is plain Rust over rows with a fixed width, so the compiler can vectorize it. All versions are compiled
//! from the same source and return the same integers. Sums can wrap around. Sums over weighted hands are exact when
//! they are interpreted as unsigned integers.

/// All row widths are multiples of this number.
pub(super) const LANES: usize = 8;

/// An instruction set for the inner loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// The baseline of the compilation target.
    Portable,
    /// AVX2.
    Avx2,
    /// AVX-512 (F, BW, VL).
    Avx512,
}

impl Instructions {
    /// Returns the name of the instruction set.
    pub fn name(self) -> &'static str {
        match self {
            Instructions::Portable => "portable",
            Instructions::Avx2 => "AVX2",
            Instructions::Avx512 => "AVX-512",
        }
    }

    /// Returns the widest instruction set that this machine supports.
    pub fn detect() -> Instructions {
        [Instructions::Avx512, Instructions::Avx2]
            .into_iter()
            .find(|it| it.available())
            .unwrap_or(Instructions::Portable)
    }

    /// Returns `true` if this machine supports the instruction set.
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

/// Defines a function for each loop, which calls the version for the selected instruction set.
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
                    // SAFETY: `Kernels::new` checked that the machine supports these instructions.
                    #[cfg(target_arch = "x86_64")]
                    Instructions::Avx512 => unsafe { avx512::$name($($arg),*) },
                    // SAFETY: See above.
                    #[cfg(target_arch = "x86_64")]
                    Instructions::Avx2 => unsafe { avx2::$name($($arg),*) },
                    _ => $body($($arg),*),
                }
            })*
        }
    };
}

/// The inner loops for an instruction set that this machine supports.
#[derive(Clone, Copy)]
pub(super) struct Kernels(Instructions);

impl Kernels {
    pub(super) fn new(instructions: Instructions) -> Kernels {
        assert!(instructions.available(), "this machine does not support {instructions:?}");
        Kernels(instructions)
    }
}

dispatched! {
    /// Adds each element of `more` to the corresponding element of `sums`.
    fn add / add_loop(sums: &mut [i32], more: &[i32]);
    /// Writes the sum of the rows with the given indices to `sum`. The row width must be a multiple of [`LANES`].
    fn sum_rows / sum_rows_loop(rows: &[i32], places: &[u32], sum: &mut [i32]);
    /// Adds the rows with the given indices to `sum`. The row width must be a multiple of [`LANES`].
    fn add_rows / add_rows_loop(rows: &[i32], places: &[u32], sum: &mut [i32]);
    /// Adds `more` to each of the rows with the given indices. The row width must be a multiple of [`LANES`].
    fn add_to_rows / add_to_rows_loop(rows: &mut [i32], places: &[u32], more: &[i32]);
    /// Adds the lower halves of pairs to `first` and the upper halves to `second`, or subtracts them.
    fn add_wide / add_wide_loop(first: &mut [i32], second: &mut [i32], pairs: &[u64], subtract: bool);
    /// Does the same as [`Kernels::add_wide`] with pairs of unsigned 16-bit numbers.
    fn add_narrow / add_narrow_loop(first: &mut [i32], second: &mut [i32], pairs: &[u32], subtract: bool);
    /// Does the same as [`Kernels::add_wide`] with pairs of unsigned 8-bit numbers.
    fn add_bytes / add_bytes_loop(first: &mut [i32], second: &mut [i32], pairs: &[u16], subtract: bool);
    /// Puts the numbers of hands that win both and that lose both comparisons. The arguments are the numbers of hands
    /// below both limits, below the back limit and below the front limit, and the number of all hands.
    fn put_decided / put_decided_loop(put: &mut [[i32; 2]], both: &[i32], back: &[i32], front: &[i32], all: i32);
    /// Puts the numbers in `one` and the differences of `up_to` and `below`.
    fn put_copies / put_copies_loop(put: &mut [[i32; 2]], one: &[i32], up_to: &[i32], below: &[i32]);
    /// Replaces each set's row with the sum of the rows for all its subsets. A row's index is the bit mask of its set.
    fn subset_sums / subset_sums_loop(rows: &mut [i32], width: usize);
    /// Writes one dot product per set to `out`, multiplying the row for the set's complement by the set's weights.
    fn products / products_loop(rows: &[i32], weights: &[i32], width: usize, out: &mut [i32]);
    /// Returns the dot product of two slices. Their length must be a multiple of [`LANES`].
    fn product / product_loop(left: &[i32], right: &[i32]) -> i32;
}

#[inline(always)]
fn add_loop(sums: &mut [i32], more: &[i32]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum = sum.wrapping_add(*more);
    }
}

#[inline(always)]
fn sum_rows_loop(rows: &[i32], places: &[u32], sum: &mut [i32]) {
    sum.fill(0);
    add_rows_loop(rows, places, sum);
}

// Closures that aren't inlined would be compiled without the vector instructions, so the loops avoid `for_each`.
#[inline(always)]
fn add_rows_loop(rows: &[i32], places: &[u32], sum: &mut [i32]) {
    let width = sum.len();
    let (wide, rest) = sum.as_chunks_mut::<{ 2 * LANES }>();
    let end = wide.len() * 2 * LANES;
    for (i, sum) in wide.iter_mut().enumerate() {
        *sum = add_columns(rows, places, width, i * 2 * LANES, *sum);
    }
    for sum in rest.as_chunks_mut::<LANES>().0 {
        *sum = add_columns(rows, places, width, end, *sum);
    }
}

#[inline(always)]
fn add_columns<const N: usize>(
    rows: &[i32],
    places: &[u32],
    width: usize,
    column: usize,
    mut sum: [i32; N],
) -> [i32; N] {
    for &place in places {
        let row: &[i32; N] = rows[place as usize * width + column..].first_chunk().expect("the slice has whole rows");
        for i in 0..N {
            sum[i] = sum[i].wrapping_add(row[i]);
        }
    }
    sum
}

#[inline(always)]
fn add_to_rows_loop(rows: &mut [i32], places: &[u32], more: &[i32]) {
    let more = more.as_chunks::<LANES>().0;
    for &place in places {
        let row = &mut rows[place as usize * more.len() * LANES..][..more.len() * LANES];
        for (sum, more) in row.as_chunks_mut::<LANES>().0.iter_mut().zip(more) {
            for i in 0..LANES {
                sum[i] = sum[i].wrapping_add(more[i]);
            }
        }
    }
}

#[inline(always)]
fn add_wide_loop(first: &mut [i32], second: &mut [i32], pairs: &[u64], subtract: bool) {
    add_pairs(first, second, pairs, subtract, |pair| [pair as i32, (pair >> 32) as i32]);
}

#[inline(always)]
fn add_narrow_loop(first: &mut [i32], second: &mut [i32], pairs: &[u32], subtract: bool) {
    add_pairs(first, second, pairs, subtract, |pair| [(pair & 0xffff) as i32, (pair >> 16) as i32]);
}

#[inline(always)]
fn add_bytes_loop(first: &mut [i32], second: &mut [i32], pairs: &[u16], subtract: bool) {
    add_pairs(first, second, pairs, subtract, |pair| [i32::from(pair & 0xff), i32::from(pair >> 8)]);
}

#[inline(always)]
fn add_pairs<T: Copy>(
    first: &mut [i32],
    second: &mut [i32],
    pairs: &[T],
    subtract: bool,
    split: impl Fn(T) -> [i32; 2],
) {
    // All bits of the mask are set to subtract, because `!x + 1` is `-x`.
    let (mask, carry) = if subtract { (-1, 1) } else { (0, 0) };
    for ((first, second), &pair) in first.iter_mut().zip(second).zip(pairs) {
        let [one, other] = split(pair).map(|number| (number ^ mask).wrapping_add(carry));
        (*first, *second) = (first.wrapping_add(one), second.wrapping_add(other));
    }
}

#[inline(always)]
fn put_decided_loop(put: &mut [[i32; 2]], both: &[i32], back: &[i32], front: &[i32], all: i32) {
    for (put, ((&both, back), front)) in put.iter_mut().zip(both.iter().zip(back).zip(front)) {
        *put = [both, all.wrapping_sub(*back).wrapping_sub(*front).wrapping_add(both)];
    }
}

#[inline(always)]
fn put_copies_loop(put: &mut [[i32; 2]], one: &[i32], up_to: &[i32], below: &[i32]) {
    for (put, ((&one, up_to), below)) in put.iter_mut().zip(one.iter().zip(up_to).zip(below)) {
        *put = [one, up_to.wrapping_sub(*below)];
    }
}

#[inline(always)]
fn subset_sums_loop(rows: &mut [i32], width: usize) {
    let mut half = width;
    while half < rows.len() {
        for pair in rows.chunks_exact_mut(2 * half) {
            let (without, with) = pair.split_at_mut(half);
            add_loop(with, without);
        }
        half *= 2;
    }
}

#[inline(always)]
fn product_loop(left: &[i32], right: &[i32]) -> i32 {
    let mut lanes = [0i32; LANES];
    for (left, right) in left.as_chunks::<LANES>().0.iter().zip(right.as_chunks::<LANES>().0) {
        for i in 0..LANES {
            lanes[i] = lanes[i].wrapping_add(left[i].wrapping_mul(right[i]));
        }
    }
    lanes.iter().fold(0, |sum: i32, &lane| sum.wrapping_add(lane))
}

#[inline(always)]
fn products_loop(rows: &[i32], weights: &[i32], width: usize, out: &mut [i32]) {
    let rows = rows.rchunks_exact(width).zip(weights.chunks_exact(width));
    for ((row, weights), out) in rows.zip(out) {
        *out = product_loop(row, weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn pairs_and_rows_are_added_up() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(2);
        let numbers = |rng: &mut rand_pcg::Pcg64| -> Vec<i32> { (0..40).map(|_| rng.random_range(0..256)).collect() };
        let [a, b, c, d] = [(); 4].map(|()| numbers(&mut rng));
        let all = [Instructions::Portable, Instructions::Avx2, Instructions::Avx512];
        for kernels in all.into_iter().filter(|it| it.available()).map(Kernels::new) {
            for (subtract, sign) in [(false, 1), (true, -1)] {
                // The lengths aren't multiples of vectors.
                for len in [1, 13, 21] {
                    let pairs = |bits: u32| (0..40).map(|i| c[i] as u64 | (d[i] as u64) << bits).collect::<Vec<_>>();
                    let added = |(sums, more): (&[i32], &[i32])| (0..len).map(|i| sums[i] + sign * more[i]).collect();
                    let expected: [Vec<i32>; 2] = [(&a[..], &c[..]), (&b[..], &d[..])].map(added);
                    let mut sums = [(); 3].map(|()| [a[..len].to_vec(), b[..len].to_vec()]);
                    let [[first, second], [third, fourth], [fifth, sixth]] = &mut sums;
                    kernels.add_wide(first, second, &pairs(32), subtract);
                    let narrow: Vec<u32> = pairs(16).into_iter().map(|pair| pair as u32).collect();
                    kernels.add_narrow(third, fourth, &narrow, subtract);
                    let bytes: Vec<u16> = pairs(8).into_iter().map(|pair| pair as u16).collect();
                    kernels.add_bytes(fifth, sixth, &bytes, subtract);
                    assert_eq!(sums, [(); 3].map(|()| expected.clone()), "{:?}", kernels.0);
                }
            }
            let (mut decided, mut copies) = ([[0; 2]; 40], [[0; 2]; 40]);
            kernels.put_decided(&mut decided, &a, &b, &c, 1000);
            kernels.put_copies(&mut copies, &a, &b, &c);
            assert!(
                (0..40).all(|i| decided[i] == [a[i], 1000 - b[i] - c[i] + a[i]] && copies[i] == [a[i], b[i] - c[i]])
            );
            let (mut rows, mut sum) = (a.clone(), b[..LANES].to_vec());
            kernels.add_to_rows(&mut rows, &[0, 3], &b[..LANES]);
            kernels.add_rows(&a, &[1, 4, 1], &mut sum);
            for i in 0..LANES {
                let added = [0, 1, 2, 3, 4].map(|row| rows[row * LANES + i] - a[row * LANES + i]);
                assert_eq!(added, [b[i], 0, 0, b[i], 0]);
                assert_eq!(sum[i], b[i] + 2 * a[LANES + i] + a[4 * LANES + i]);
            }
        }
    }

    #[test]
    fn all_instruction_sets_agree() {
        const WIDTH: usize = 3 * LANES;
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        let mut numbers = || -> Vec<i32> { (0..32 * WIDTH).map(|_| rng.random_range(-900..900)).collect() };
        let (rows, more) = (numbers(), numbers());
        let run = |instructions| {
            let kernels = Kernels::new(instructions);
            let mut subsets = rows.clone();
            kernels.subset_sums(&mut subsets, WIDTH);
            let mut sums = subsets.clone();
            kernels.add(&mut sums, &more);
            let mut products = vec![7; 32];
            kernels.products(&subsets, &more, WIDTH, &mut products);
            let mut some_rows = vec![7; WIDTH];
            kernels.sum_rows(&rows, &[3, 9, 9, 30], &mut some_rows);
            (kernels.product(&rows, &more), products, subsets, sums, some_rows)
        };
        let (product, products, subsets, sums, some_rows) = run(Instructions::Portable);
        assert_eq!(product, rows.iter().zip(&more).map(|(a, b)| a * b).sum::<i32>());
        for set in 0..32usize {
            let within = (0..32).filter(|other| other & !set == 0);
            assert_eq!(subsets[set * WIDTH + 5], within.map(|other| rows[other * WIDTH + 5]).sum::<i32>());
            let [row, weights] = [&subsets[(31 - set) * WIDTH..], &more[set * WIDTH..]];
            assert_eq!(products[set], (0..WIDTH).map(|i| row[i] * weights[i]).sum::<i32>());
        }
        for (i, &sum) in some_rows.iter().enumerate() {
            assert_eq!(sum, [3, 9, 9, 30].map(|row| rows[row * WIDTH + i]).iter().sum::<i32>());
        }
        assert!((0..sums.len()).all(|i| sums[i] == subsets[i] + more[i]));
        for instructions in [Instructions::Avx2, Instructions::Avx512] {
            if instructions.available() {
                let expected = (product, products.clone(), subsets.clone(), sums.clone(), some_rows.clone());
                assert_eq!(run(instructions), expected, "{instructions:?}");
            }
        }
    }
}
