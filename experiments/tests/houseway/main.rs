//! Tests for the commands that train and for the program as a whole, in a single binary, so that it is linked once and
//! expensive computations are shared. The Python package and the documentation are tested here too.

#[path = "../../lab/tests/lab/ended.rs"]
mod ended;
#[path = "../../examples/three_card_poker/game.rs"]
mod game;
#[path = "../../../env/tests/env/page.rs"]
mod page;
#[path = "../../examples/three_card_poker/solver.rs"]
mod solver;

mod cli;
mod common;
mod docs;
mod fuzz;
mod fuzz_targets;
mod hostile_lines;
mod no_solver;
mod pai_gow;
mod python;
mod reference;
mod runs;
mod saved_agents;
mod self_play;
mod small_games;
mod strategies;
mod sweep;
mod tutorial;
mod ultimate_holdem;
