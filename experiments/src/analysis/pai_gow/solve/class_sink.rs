//! Observers of an enumeration.

use houseway_env::pai_gow::Setting;
use houseway_exact::pai_gow::whole::ClassCounts;

/// Something that wants to see every class that is counted, besides the sums.
pub trait ClassSink: Sync {
    /// The classes of one multiset of ranks with the settings that were chosen for them. Called from all threads.
    fn put(&self, classes: &[ClassCounts], settings: &[Setting]);
}
