//! The buffers that vectorized environments write to, and stores that bypass the caches.

use ndarray::{ArrayView1, ArrayView2};

/// The observations, masks and rewards of all lanes, stored contiguously by lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The current observations, with shape `[lanes, observation length]`. If an episode has just ended, this is the
    /// first observation of the next one with [`Autoreset::SameStep`](super::Autoreset::SameStep), and otherwise the last
    /// one of the old episode.
    pub observations: Vec<f32>,
    /// The legal actions for the current observations, with shape `[lanes, actions]`. All are `true` where an episode is
    /// over.
    pub masks: Vec<bool>,
    /// The rewards of the last step, with shape `[lanes]`. They are 0 after a reset.
    pub rewards: Vec<f32>,
    /// For each lane, `true` if the last step terminated the episode.
    pub terminated: Vec<bool>,
    /// For each lane, `true` if the last step truncated the episode.
    pub truncated: Vec<bool>,
    /// The final observations of the episodes that ended in the last step, with shape `[lanes, observation length]`.
    /// Lanes whose episode continues keep their old entries. Empty if final observations are disabled.
    pub final_observations: Vec<f32>,
}

impl Batch {
    /// Returns [`Batch::observations`] with shape `[lanes, observation length]`.
    pub fn observation_rows(&self) -> ArrayView2<'_, f32> {
        self.rows(&self.observations)
    }

    /// Returns [`Batch::masks`] with shape `[lanes, actions]`.
    pub fn mask_rows(&self) -> ArrayView2<'_, bool> {
        self.rows(&self.masks)
    }

    /// Returns [`Batch::final_observations`] with shape `[lanes, observation length]`, or `[lanes, 0]` if they are
    /// disabled.
    pub fn final_observation_rows(&self) -> ArrayView2<'_, f32> {
        self.rows(&self.final_observations)
    }

    /// Returns [`Batch::rewards`] with shape `[lanes]`, in the unit that the environment documents.
    pub fn reward_row(&self) -> ArrayView1<'_, f32> {
        ArrayView1::from(&self.rewards)
    }

    fn rows<'a, T>(&self, values: &'a [T]) -> ArrayView2<'a, T> {
        let lanes = self.rewards.len();
        let length = values.len() / lanes.max(1);
        ArrayView2::from_shape((lanes, length), values).expect("every lane has a row of the same length")
    }
}

/// Copies `from` to `to`, without keeping `to` in the caches.
///
/// # Panics
/// Panics if the lengths differ.
#[cfg(target_arch = "x86_64")]
pub(super) fn copy_uncached(from: &[f32], to: &mut [f32]) {
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
pub(super) fn copy_uncached(from: &[f32], to: &mut [f32]) {
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
            super::copy_uncached(&from, &mut to[offset..][..len]);
            prop_assert_eq!(&to[offset..][..len], from);
            prop_assert!(to[..offset].iter().chain(&to[offset + len..]).all(|&value| value == 0.0));
        }
    }
}
