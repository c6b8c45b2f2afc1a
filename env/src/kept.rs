//! A cache of recent results for the whole process.

use std::sync::{Arc, Mutex, PoisonError};

/// The last `N` results that were computed, with their keys. It can be a static variable.
pub struct Kept<K, V, const N: usize> {
    /// The results, oldest first.
    entries: Mutex<Vec<(K, Arc<V>)>>,
}

impl<K, V, const N: usize> Kept<K, V, N> {
    /// Creates an empty cache.
    pub const fn new() -> Kept<K, V, N> {
        Kept { entries: Mutex::new(Vec::new()) }
    }

    /// Returns the result whose key is wanted. If there is none, computes and keeps it, in place of the oldest one if
    /// the cache is full. Several threads may compute the same result at the same time.
    ///
    /// # Errors
    /// Returns an error if computing the result fails. Nothing is kept in this case.
    pub fn get<E>(
        &self,
        is_wanted: impl Fn(&K) -> bool,
        compute: impl FnOnce() -> Result<(K, V), E>,
    ) -> Result<Arc<V>, E> {
        let entries = || self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let found = entries().iter().find(|(key, _)| is_wanted(key)).map(|(_, value)| Arc::clone(value));
        if let Some(found) = found {
            return Ok(found);
        }
        // Don't hold the lock while computing, so that requests for other results don't have to wait.
        let (key, value) = compute()?;
        let value = Arc::new(value);
        let mut entries = entries();
        if entries.len() >= N {
            entries.remove(0);
        }
        entries.push((key, Arc::clone(&value)));
        Ok(value)
    }
}

impl<K, V, const N: usize> Default for Kept<K, V, N> {
    fn default() -> Kept<K, V, N> {
        Kept::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_results_are_kept() {
        let kept: Kept<u32, String, 2> = Kept::new();
        let get = |wanted: u32| kept.get(|&key| key == wanted, || Ok::<_, ()>((wanted, wanted.to_string()))).unwrap();
        let (one, two) = (get(1), get(2));
        assert_eq!((one.as_str(), two.as_str()), ("1", "2"));
        assert!(Arc::ptr_eq(&one, &get(1)) && Arc::ptr_eq(&two, &get(2)));
        get(3);
        assert!(!Arc::ptr_eq(&one, &get(1)), "the oldest result is replaced");
        assert!(!Arc::ptr_eq(&two, &get(2)));
    }

    #[test]
    fn errors_are_not_kept() {
        let kept: Kept<u32, u32, 2> = Kept::new();
        assert_eq!(kept.get(|_| true, || Err("failed")), Err("failed"));
        assert_eq!(kept.get(|_| true, || Ok::<_, &str>((1, 5))), Ok(Arc::new(5)));
        assert_eq!(kept.get(|&key| key == 1, || Err("unused")), Ok(Arc::new(5)));
    }
}
