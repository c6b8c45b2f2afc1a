//! Observers of an enumeration.

use crate::pai_gow::whole::ClassCounts;
use houseway_env::pai_gow::Setting;

/// An observer of all classes in a pass.
pub trait ClassSink: Sync {
    /// Receives the classes of one multiset of ranks with their chosen settings. Called from all threads.
    fn put(&self, classes: &[ClassCounts], settings: &[Setting]);
}
