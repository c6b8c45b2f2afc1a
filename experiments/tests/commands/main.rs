//! The commands as their users see them, in one binary: it is linked once, shares what takes long to compute, and the
//! Python package is tested beside the others.

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
