//! `cyc run`: build into a folder of its own, run, and end as the program ended.

use crate::status;
use cyc_driver::{Problem, Report, Session, Verdict};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

pub fn run(session: &Session, files: &[PathBuf], args: &[String]) -> ExitCode {
    let folder = match tempfile::Builder::new().prefix("cyc-run-").tempdir() {
        Ok(folder) => folder,
        Err(e) => {
            session.report.problem(&Problem::cannot_write(&std::env::temp_dir(), &e));
            return status(Verdict::Environment);
        }
    };
    let name = files.first().and_then(|f| f.file_stem()).unwrap_or_default();
    let program = folder.path().join(name);
    let verdict = session.build(files, &program);
    if verdict != Verdict::Done {
        return status(verdict);
    }
    start(&program, name.to_string_lossy().as_ref(), args, session.report)
}

/// Runs a program to its end, whose status becomes ours.
pub fn start(program: &Path, name: &str, args: &[String], report: &dyn Report) -> ExitCode {
    match Command::new(program).arg0(name).args(args).status() {
        Err(e) => {
            report.problem(&Problem::cannot_run(&program.to_string_lossy(), &e));
            status(Verdict::Environment)
        }
        Ok(ended) => match (ended.code(), ended.signal()) {
            (Some(code), _) => ExitCode::from(code as u8),
            // As a shell reports it.
            (None, signal) => {
                let signal = signal.unwrap_or(0);
                eprintln!("the program was ended by signal {signal}{}", signal_name(signal));
                ExitCode::from((128 + signal) as u8)
            }
        },
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        2 => " (interrupted)",
        6 => " (aborted)",
        8 => " (arithmetic: division by zero)",
        9 => " (killed)",
        11 => " (segmentation fault: stack overflow, or code that is not checked)",
        13 => " (broken pipe)",
        15 => " (terminated)",
        _ => "",
    }
}
