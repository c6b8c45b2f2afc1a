//! Lets observers follow an enumeration class by class.

use crate::pai_gow::whole::ClassCounts;
use houseway_env::pai_gow::Setting;

/// An observer that receives every class in a pass.
pub trait ClassSink: Sync {
    /// Receives all classes with the same multiset of ranks, and the setting chosen for each. This is called from all
    /// threads.
    fn put(&self, classes: &[ClassCounts], settings: &[Setting]);
}
