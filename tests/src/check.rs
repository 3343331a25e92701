//! `cyc check` within this process: a process for each of thousands of small programs would cost more than the checks.

use crate::tools::crash_text;
use cyc_driver::Verdict;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `cyc check` ended with and printed.
#[derive(Clone, Debug)]
pub struct Checked {
    pub status: i32,
    pub stderr: String,
}

/// Does what `cyc check ARGS` does, without colour.
///
/// # Errors
/// The check panicked, or spoke of an internal error; or the arguments ask for standard output.
pub fn check(args: &[&str]) -> Result<Checked, String> {
    let checked = catch_unwind(AssertUnwindSafe(|| cyc::check(args)))
        .map_err(|panic| format!("`cyc check` panicked: {}", crate::front_end::panic_text(panic.as_ref())))??;
    let stderr = checked.stderr;
    if let Some(sign) = crash_text(&stderr) {
        return Err(format!("`cyc check` crashed ({sign}):\n{stderr}"));
    }
    let status = match checked.verdict {
        Verdict::Done => 0,
        Verdict::Rejected => 1,
        Verdict::Environment => 2,
    };
    Ok(Checked { status, stderr })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tools::{Job, files_below, root};

    /// The same, to the byte, as the command prints.
    #[test]
    fn a_check_in_this_process_is_the_commands() {
        let all = files_below(&root().join("tests/ui"), ".cyc");
        let some: Vec<_> = all.iter().step_by(all.len() / 20).collect();
        assert!(some.len() >= 20);
        for format in ["human", "json"] {
            let format = format!("--message-format={format}");
            for path in &some {
                let path = path.to_str().expect("names are UTF-8");
                let ran = Job::cyc().args(["check", &format, path]).env("NO_COLOR", "1").run();
                let checked = check(&[&format, path]).expect("no panic");
                assert_eq!((checked.status, checked.stderr), (ran.status, ran.err()), "{path}");
            }
        }
    }

    #[test]
    fn what_would_print_elsewhere_is_refused() {
        for args in
            [&["--emit=c", "a.cyc"][..], &["--report-checks", "a.cyc"], &["a.cyc", "-o", "b"], &["--unknown"], &[]]
        {
            assert!(check(args).is_err(), "{args:?}");
        }
        assert_eq!(check(&["/no/such/file.cyc"]).expect("no panic").status, 2);
    }
}
