//! Huge memory pages for the buffers of vector environments.
//!
//! A step with 4,096 lanes writes up to 24 MB of observations. With 4 kB pages, address translation takes a noticeable
//! share of the step.

/// Asks the operating system to back `values` with huge pages. This only helps before the values are first written, and
/// it does nothing on systems without huge pages.
#[cfg(target_os = "linux")]
pub(crate) fn advise(values: &[f32]) {
    /// The small page size. If pages are larger, the call fails on an unaligned address, which is harmless.
    const PAGE: usize = 4096;
    let begin = values.as_ptr() as usize;
    let (from, to) = (begin.next_multiple_of(PAGE), begin + size_of_val(values));
    if from < to {
        // SAFETY: The range lies within the slice, and this advice doesn't change the contents of memory.
        unsafe { libc::madvise(from as *mut libc::c_void, to - from, libc::MADV_HUGEPAGE) };
    }
}

/// Does nothing, because other systems choose page sizes themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn advise(_values: &[f32]) {}
