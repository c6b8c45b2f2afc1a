//! Tests of the crate through its public items, in a single binary, so that it is linked once.

mod toy;
