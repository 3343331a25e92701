//! `cyc gdb`: programs built with `-g` carry printers for Cyclone's values, and gdb runs what a program carries only when
//! it is told that the program can be trusted.

use crate::render::{Format, Terminal};
use crate::status;
use cyc_driver::{Problem, Report, Verdict};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Becomes gdb; the programs and other files among its arguments are trusted.
pub fn gdb(args: &[String]) -> ExitCode {
    let mut gdb = Command::new("gdb");
    for file in args.iter().filter_map(|arg| std::fs::canonicalize(arg).ok()).filter(|path| path.is_file()) {
        gdb.arg("-iex").arg(format!("add-auto-load-safe-path {}", file.display()));
    }
    let failed = gdb.args(args).exec();
    Terminal::new(Format::Human).problem(&Problem::cannot_run("gdb", &failed));
    status(Verdict::Environment)
}
