//! Large memory pages for buffers of many lanes.
//!
//! A step of 4,096 lanes writes 24 MB of observations. In pages of 4 kB, looking up their addresses takes a noticeable part
//! of the step.

/// Asks the operating system for large pages where the values lie. Effective only before the first write to them; without
/// support nothing changes.
#[cfg(target_os = "linux")]
pub(crate) fn advise(values: &[f32]) {
    /// Size of a small page. Where pages are larger, an unaligned address is refused, which does no harm.
    const PAGE: usize = 4096;
    let begin = values.as_ptr() as usize;
    let (from, to) = (begin.next_multiple_of(PAGE), begin + size_of_val(values));
    if from < to {
        // SAFETY: the range lies within the slice, and this advice changes no content of memory.
        unsafe { libc::madvise(from as *mut libc::c_void, to - from, libc::MADV_HUGEPAGE) };
    }
}

/// Does nothing: other systems choose the size of pages themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn advise(_values: &[f32]) {}
