//! Stores that bypass the caches.

/// Copies `from` to `to`, without keeping `to` in the caches.
///
/// # Panics
/// Panics if the lengths differ.
#[cfg(target_arch = "x86_64")]
pub(super) fn copy(from: &[f32], to: &mut [f32]) {
    use std::arch::x86_64::{_mm_loadu_ps, _mm_sfence, _mm_stream_ps};
    assert_eq!(from.len(), to.len(), "lengths must match");
    let head = to.as_ptr().align_offset(16).min(to.len());
    let (first, aligned) = to.split_at_mut(head);
    let (from_first, from) = from.split_at(head);
    first.copy_from_slice(from_first);
    let (mut to, mut from) = (aligned.chunks_exact_mut(4), from.chunks_exact(4));
    for (to, from) in to.by_ref().zip(from.by_ref()) {
        // SAFETY: Both chunks have four values, and `to` is aligned to 16 bytes. SSE is part of x86-64.
        unsafe { _mm_stream_ps(to.as_mut_ptr(), _mm_loadu_ps(from.as_ptr())) };
    }
    to.into_remainder().copy_from_slice(from.remainder());
    // SAFETY: SSE is part of x86-64.
    unsafe { _mm_sfence() };
}

/// Copies `from` to `to`.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn copy(from: &[f32], to: &mut [f32]) {
    to.copy_from_slice(from);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn only_the_row_is_written(len in 0_usize..70, offset in 0_usize..9, rest in 0_usize..9) {
            let from: Vec<f32> = (0..len).map(|value| value as f32 + 1.0).collect();
            let mut to = vec![0.0; offset + len + rest];
            super::copy(&from, &mut to[offset..][..len]);
            prop_assert_eq!(&to[offset..][..len], from);
            prop_assert!(to[..offset].iter().chain(&to[offset + len..]).all(|&value| value == 0.0));
        }
    }
}
