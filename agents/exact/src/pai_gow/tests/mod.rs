//! Tests against a slow reference implementation and against published numbers.

mod house_way;
pub(crate) mod slow;
mod variants;
