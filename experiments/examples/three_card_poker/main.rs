//! Three Card Poker, an example of a game that is defined outside the crates. It supports all of `houseway`'s commands.
//!
//! ```sh
//! cargo run --release --example three_card_poker -- games three-card-poker
//! cargo run --release --example three_card_poker -- solve --game three-card-poker
//! ```

mod game;
mod solver;

use std::process::ExitCode;

fn main() -> ExitCode {
    houseway_env::registry::register(&game::GAME).expect("the name is free");
    houseway_exact::registry::register(&solver::SOLVER).expect("the game has one solver");
    houseway::cli::main(std::env::args_os())
}
