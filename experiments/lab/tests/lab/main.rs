//! Tests for the commands that train nothing and for the web app, as a user runs them, in a single binary, so that it is
//! linked once and expensive computations are shared.

mod audit;
mod browser;
mod common;
mod dataset;
mod ended;
mod equilibrium;
#[cfg(unix)]
mod faults;
mod mixed;
mod outputs;
mod pai_gow;
mod play;
mod published;
#[cfg(unix)]
mod reference;
mod rules;
mod runs;
mod search;
mod serve;
mod side_bet;
mod small_games;
mod solve;
mod solve_files;
mod table;
#[cfg(unix)]
mod terminal;
mod ultimate_holdem;
mod web;
