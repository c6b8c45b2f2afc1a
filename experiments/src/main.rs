//! The command `houseway`.

fn main() {}
