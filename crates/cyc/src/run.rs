//! `cyc run`: build into a folder of its own, run, and end as the program ended.

use crate::profile::Picture;
use crate::{say, status};
use cyc_driver::{Problem, Report, Session, Verdict};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

pub fn run(session: &Session, files: &[PathBuf], args: &[String], profile: Option<&Path>) -> ExitCode {
    let picture = match profile.map(Picture::new).transpose() {
        Ok(picture) => picture,
        Err(problem) => {
            session.report.problem(&problem);
            return status(Verdict::Environment);
        }
    };
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
    start(&program, name.to_string_lossy().as_ref(), args, picture, session.report)
}

/// Runs a program to its end, whose status becomes ours; then draws its memory if a picture is wanted.
pub fn start(program: &Path, name: &str, args: &[String], picture: Option<Picture>, report: &dyn Report) -> ExitCode {
    let mut command = Command::new(program);
    command.arg0(name).args(args);
    if let Some(picture) = &picture {
        picture.tell(&mut command);
    }
    let code = match command.status() {
        Err(e) => {
            report.problem(&Problem::cannot_run(&program.to_string_lossy(), &e));
            return status(Verdict::Environment);
        }
        Ok(ended) => match (ended.code(), ended.signal()) {
            (Some(code), _) => code as u8,
            // As a shell reports it.
            (None, signal) => {
                let signal = signal.unwrap_or(0);
                say(&format!("the program was ended by signal {signal}{}", signal_name(signal)));
                (128 + signal) as u8
            }
        },
    };
    match picture.map_or(Ok(()), Picture::draw) {
        Ok(()) => ExitCode::from(code),
        Err(problem) => {
            report.problem(&problem);
            if code == 0 { status(Verdict::Environment) } else { ExitCode::from(code) }
        }
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
