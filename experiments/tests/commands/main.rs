//! Tests for the commands as a user runs them, in a single binary, so that it is linked once and expensive computations
//! are shared. The Python package is tested here too.

mod audit;
mod cli;
mod common;
mod dataset;
mod docs;
mod equilibrium;
mod mixed;
mod pai_gow;
mod play;
mod python;
mod runs;
mod saved_agents;
mod search;
mod self_play;
mod small_games;
mod solve;
mod solve_files;
mod strategies;
mod sweep;
mod table;
#[cfg(unix)]
mod terminal;
mod ultimate_holdem;
