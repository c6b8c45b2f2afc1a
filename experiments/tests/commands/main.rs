//! Tests of the commands from the user's perspective, in a single binary that is linked only once and shares expensive
//! computations. The Python package is tested alongside the commands.

mod audit;
mod cli;
mod common;
mod docs;
mod pai_gow;
mod play;
mod python;
mod runs;
mod search;
mod small_games;
mod solve;
mod solve_files;
mod strategies;
mod table;
#[cfg(unix)]
mod terminal;
mod ultimate_holdem;
