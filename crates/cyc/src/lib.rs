//! The command `cyc` as a library, so that tests can check many programs in one process.
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

pub use cli::{Checked, check};

use cyc_driver::Verdict;
use std::io::Write;
use std::process::ExitCode;

/// The command itself.
pub fn main(args: Vec<String>) -> ExitCode {
    // gcc's command line is not ours to parse.
    if args.get(1).is_some_and(|a| a == "cc") {
        return status(cyc_driver::gcc_style::run(&args[2..], &render::Terminal::plain()));
    }
    cli::main(args)
}

/// A line of standard error. That nobody reads it (`| head`) is no mistake.
fn say(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

fn status(verdict: Verdict) -> ExitCode {
    ExitCode::from(match verdict {
        Verdict::Done => 0,
        Verdict::Rejected => 1,
        Verdict::Environment => 2,
    })
}
