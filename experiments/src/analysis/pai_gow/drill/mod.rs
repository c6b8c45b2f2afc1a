//! Drill: hands on which house ways go wrong, repeated at growing intervals until they are set right.

mod hands;
mod record;

pub use hands::HandSource;
pub use record::{Answer, DrillRecord, Score};
