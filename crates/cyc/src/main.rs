//! The command `cyc`.
//!
//! Exit status: 0 done, 1 the program was rejected, 2 usage or environment; `cyc run` has the status
//! of the program it ran.

mod cli;
mod doc;
mod explain;
mod gdb;
mod profile;
mod project;
mod render;
mod run;

/// A compilation allocates millions of small nodes and frees them at its end.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use cyc_driver::Verdict;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    // gcc's command line is not ours to parse.
    if args.get(1).is_some_and(|a| a == "cc") {
        return status(cyc_driver::gcc_style::run(&args[2..], &render::Terminal::plain()));
    }
    cli::main(args)
}

fn status(verdict: Verdict) -> ExitCode {
    ExitCode::from(match verdict {
        Verdict::Done => 0,
        Verdict::Rejected => 1,
        Verdict::Environment => 2,
    })
}
