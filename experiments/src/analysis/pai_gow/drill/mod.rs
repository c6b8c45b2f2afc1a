//! Drill: hands that house ways misplay, repeated at growing intervals until they are set correctly.

mod hands;
mod record;

pub use hands::HandSource;
pub use record::{Answer, DrillRecord, Score};
