//! Mutilated programs never crash the front end. `EYEWALL_MUTATE_CASES=A..B` runs other cases than the usual ones.

use eyewall_tests::parallel::{pieces, processors, range_of};
use eyewall_tests::tools::{Job, files_below, root};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The cases of every run.
const CASES: std::ops::Range<u64> = 0..60_000;
/// Cases of one process: a process that dies takes no more than these with it.
const CHUNK: u64 = 1_000;
/// Accepted mutants that the C compiler is shown.
const SHOWN_TO_CC: usize = 200;

/// Preprocesses every program of the tree, rejected ones too, into `folder`.
fn preprocess(folder: &Path) -> usize {
    let places = ["examples", "tests/run", "tests/ui"];
    let programs: Vec<PathBuf> = places.iter().flat_map(|p| files_below(&root().join(p), ".cyc")).collect();
    let include = root().join("lib/include");
    let written = each(&programs, |number, program| {
        let ran = Job::new("cc").args(["-E", "-xc", "-D__CYCLONE__", "-I"]).arg(&include).arg(program).run();
        (ran.status == 0).then(|| {
            std::fs::write(folder.join(format!("{number:04}.i")), &ran.stdout).expect("the scratch folder is writable");
        })
    });
    written.len()
}

/// What `work` finds of each file and its number, on all processors.
fn each<T: Send>(files: &[PathBuf], work: impl Fn(usize, &Path) -> Option<T> + Sync) -> Vec<T> {
    pieces(0..files.len() as u64, 1, processors(), |numbers| {
        numbers.filter_map(|number| work(number as usize, &files[number as usize])).collect()
    })
}

/// Runs one chunk; what it found.
fn judge(corpus: &Path, kept: &Path, cases: Range<u64>) -> Option<String> {
    let worker = env!("CARGO_BIN_EXE_eyewall-mutate");
    let job = || Job::new(worker).arg(corpus).arg(format!("{}..{}", cases.start, cases.end)).seconds(900);
    let ran = job().arg("--keep").arg(kept).run();
    match ran.status {
        0 => None,
        1 => Some(ran.out()),
        // The process died: the last case it announces is the one.
        status => {
            let traced = job().arg("--trace").run().err();
            let last = traced.lines().rev().find(|l| l.starts_with("case ")).unwrap_or("no case");
            Some(format!("{last}: the process died with {status}: {}", ran.err().lines().last().unwrap_or_default()))
        }
    }
}

/// The front end has [`eyewall_tests::front_end::judge`]'s patience with it, of which it takes a small part. Where some analysis
/// takes the square of the lines it needs minutes.
#[test]
fn a_function_may_be_long() {
    let text = eyewall_tests::generate::one_function(12_000);
    let fate = cyc_driver::pipeline::with_deep_stack(|| eyewall_tests::front_end::judge(text));
    assert!(matches!(fate, Ok(eyewall_tests::front_end::Fate::Compiled(_))), "{:?}", fate.err());
}

#[test]
fn mutilated_programs_do_not_crash_the_front_end() {
    let scratch = tempfile::tempdir().unwrap();
    let (corpus, kept) = (scratch.path().join("corpus"), scratch.path().join("kept"));
    std::fs::create_dir_all(&corpus).unwrap();
    std::fs::create_dir_all(&kept).unwrap();
    assert!(preprocess(&corpus) >= 20, "too few programs to mutilate");
    let cases = range_of("EYEWALL_MUTATE_CASES", CASES);
    let end = cases.end;
    let findings = pieces(cases, CHUNK, processors(), |chunk| {
        if chunk.start.is_multiple_of(20_000) {
            let _ = writeln!(std::io::stderr(), "mutate: case {} of {end}", chunk.start);
        }
        judge(&corpus, &kept, chunk).into_iter().collect()
    });
    assert!(findings.is_empty(), "{} chunks with findings:\n{}", findings.len(), findings.join("\n"));
    the_c_compiler_accepts(&kept);
}

/// The C compiler must never be the one to object.
fn the_c_compiler_accepts(kept: &Path) {
    let files = files_below(kept, ".c");
    assert!(files.len() >= 10, "only {} mutants were accepted and kept: the property says nothing", files.len());
    let include = root().join("runtime/include");
    let shown = &files[..files.len().min(SHOWN_TO_CC)];
    let objections = each(shown, |_, file| {
        let flags = ["-std=gnu11", "-fwrapv", "-fno-strict-aliasing", "-w", "-fsyntax-only", "-I"];
        let ran = Job::new("cc").args(flags).arg(&include).arg(file).run();
        let why = ran.err().lines().find(|l| l.contains("error")).unwrap_or("?").to_string();
        (ran.status != 0).then(|| format!("{}: {why}", file.display()))
    });
    assert!(objections.is_empty(), "the C compiler objects to our output:\n{}", objections.join("\n"));
}
