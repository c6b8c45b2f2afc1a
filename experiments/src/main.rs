//! The command `houseway`.

use std::process::ExitCode;

/// Tensors of several megabytes are allocated and freed constantly, and the system allocator returns each to the kernel
/// and requests it again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    houseway::cli::main(std::env::args_os())
}
