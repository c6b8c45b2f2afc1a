//! The command `houseway`.

use std::process::ExitCode;

/// Tensors come and go by the megabyte; the system's allocator hands each back to the kernel and asks for it again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    houseway::cli::main(std::env::args_os())
}
