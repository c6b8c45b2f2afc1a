//! Tests of the crate through its public items, in a single binary, so that it is linked once.

mod api;
mod best_of_seven;
mod fuzz;
mod house_ways;
mod language;
mod page;
mod pages;
mod paytables;
mod playthroughs;
mod side_bet_rows;
