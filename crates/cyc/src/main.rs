//! The command `cyc`.

use std::process::ExitCode;

/// A compilation allocates millions of small nodes and frees them at its end.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    cyc::main(args)
}
