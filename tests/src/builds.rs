//! The ways a program is built in the suites: two C compilers, two levels of optimisation, two sanitizers; a third for threads.

use crate::tools::{Job, Ran, crash_text, header, need};
use std::path::Path;

/// One way to build: which C compiler, which flags.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    pub name: &'static str,
    pub cc: &'static str,
    pub flags: &'static [&'static str],
    /// Left to `cargo xtask nightly`: among the others there is one with this compiler, this level or this sanitizer.
    pub nightly: bool,
}

const SANITIZERS: &[&str] = &["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

pub const BUILDS: &[Build] = &[
    Build { name: "gcc -O0", cc: "gcc", flags: &["-O0"], nightly: true },
    Build { name: "gcc -O2", cc: "gcc", flags: &["-O2"], nightly: false },
    // No check may be removed that is needed: those removed are made, and end the program where one fails.
    Build { name: "clang -O0 --assert-removed", cc: "clang", flags: &["-O0", "--assert-removed"], nightly: false },
    Build { name: "clang -O2", cc: "clang", flags: &["-O2"], nightly: true },
    Build { name: "gcc sanitizers", cc: "gcc", flags: SANITIZERS, nightly: false },
    Build { name: "clang sanitizers", cc: "clang", flags: SANITIZERS, nightly: true },
];

const THREAD_SANITIZER: &[&str] = &["-O1", "-g", "-fsanitize=thread"];

/// For programs with threads, which say so at their heads (`// threads`), besides the others.
pub const THREAD_BUILDS: &[Build] = &[
    Build { name: "gcc thread sanitizer", cc: "gcc", flags: THREAD_SANITIZER, nightly: false },
    Build { name: "clang thread sanitizer", cc: "clang", flags: THREAD_SANITIZER, nightly: true },
];

/// The further ways to build a program, by its text.
pub fn further_builds(text: &str) -> &'static [Build] {
    if header(text, "threads").is_some() { THREAD_BUILDS } else { &[] }
}

/// With this in its environment a program collects at each allocation, overwrites what it frees, and uses no page of a region
/// twice.
pub const HOSTILE: (&str, &str) = ("CYC_HOSTILE", "1");

impl Build {
    /// Does the program have a heap of its own that is worth a run under [`HOSTILE`]? Optimised code hides pointers best.
    pub fn has_hostile_heap(&self) -> bool {
        self.flags.contains(&"-O2")
    }

    /// The runs that a program of this build is to pass, each with how its failures are introduced: as it is, and under
    /// [`HOSTILE`] where that is worth it.
    pub fn runs(&self, job: &Job) -> Vec<(&'static str, Ran)> {
        let mut runs = vec![("", under_sanitizers(job.clone()).run())];
        if self.has_hostile_heap() {
            runs.push(("with CYC_HOSTILE=1: ", job.clone().env(HOSTILE.0, HOSTILE.1).run()));
        }
        runs
    }

    /// Builds `source` into `out`; `more` goes to `cyc build` as it is.
    ///
    /// # Errors
    /// What `cyc build` printed when it failed, or which tool is missing.
    pub fn build(&self, source: &Path, out: &Path, more: &[String]) -> Result<(), String> {
        need(self.cc, self.cc)?;
        let ran = Job::cyc()
            .arg("build")
            .args(self.flags)
            .args(more)
            .args([source.as_os_str(), "-o".as_ref(), out.as_os_str()])
            .env("CC", self.cc)
            .dir(source.parent().unwrap_or(Path::new("/")))
            .seconds(120)
            .run();
        match ran.status {
            0 if crash_text(&ran.err()).is_none() => Ok(()),
            status => Err(format!("cyc build ({}) ended with status {status}:\n{}{}", self.name, ran.out(), ran.err())),
        }
    }
}

/// A job for a program built under sanitizers (harmless for others). Objects of the heap are not freed there, so leaks
/// are no finding.
pub fn under_sanitizers(job: Job) -> Job {
    job.env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1:abort_on_error=0:exitcode=99")
        .env("UBSAN_OPTIONS", "print_stacktrace=1:exitcode=99")
        .env("TSAN_OPTIONS", "exitcode=99")
}

/// What a sanitizer reported, if it did.
pub fn sanitizer_report(ran: &Ran) -> Option<String> {
    let text = ran.err();
    let signs =
        ["AddressSanitizer", "runtime error:", "UndefinedBehaviorSanitizer", "LeakSanitizer", "ThreadSanitizer"];
    let found = signs.iter().any(|s| text.contains(s));
    found.then(|| format!("a sanitizer reports:\n{}", text.chars().take(4000).collect::<String>()))
}
