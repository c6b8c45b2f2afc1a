//! The `houseway` command.

use std::process::ExitCode;

/// Training constantly allocates and frees tensors of several megabytes. The system allocator would return each of them
/// to the kernel and request it again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    houseway::cli::main(std::env::args_os())
}
