//! Builds by make and CMake, with `cyc cc` as their C compiler: `examples/make`, `examples/cmake`.

use eyewall_tests::tools::{Job, Ran, cyc, difference, need};
use std::path::Path;

/// The examples in a folder of their own.
fn examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch directory");
    let copy = Job::new("cp").arg("-r").args(["examples/make", "examples/cmake"]).arg(folder.path()).run();
    assert_eq!(copy.status, 0, "{}", copy.err());
    folder
}

fn sh(dir: &Path, script: &str) -> Ran {
    Job::new("sh").args(["-euc", script]).dir(dir).env("CYC", cyc()).run()
}

/// The program prints what Python's zlib computes.
#[track_caller]
fn check(dir: &Path, program: &str) {
    need("python3", "python3").unwrap();
    let script = "import sys, zlib\nfor f in sys.argv[1:]: print('%08x  %s' % (zlib.crc32(open(f, 'rb').read()), f))";
    let files = ["README.md", "Cargo.lock", "examples/data/menu.json.gz"];
    let expected = Job::new("python3").args(["-c", script]).args(files).run();
    let printed = Job::new(dir.join(program)).args(files).run();
    assert_eq!(difference(&expected.out(), &printed.out()), "", "{}", printed.err());
}

#[test]
fn make_builds_with_cyc_as_its_compiler() {
    need("make", "make").unwrap();
    let folder = examples();
    let dir = folder.path().join("make");
    let ran = sh(&dir, "make -j2 CC=\"$CYC cc\"");
    assert_eq!(ran.status, 0, "{}", ran.err());
    check(&dir, "crc");
    // Dependencies are known: a header that changes is one that is read.
    let ran = sh(&dir, "sleep 0.1; touch files.h; make CC=\"$CYC cc\" | grep -c -e ' -c '");
    assert_eq!(ran.out().trim(), "2", "{}", ran.err());
    let ran = sh(&dir, "make -q CC=\"$CYC cc\" && make -s clean && ls");
    assert_eq!(ran.out(), "Makefile\nREADME.md\ncrc.c\ncrc.h\nfiles.cyc\nfiles.h\nmain.cyc\n", "{}", ran.err());
}

#[test]
fn cmake_builds_with_cyc_as_its_compiler() {
    need("cmake", "cmake").unwrap();
    let folder = examples();
    let dir = folder.path().join("cmake");
    let ran = sh(&dir, "CC=\"$CYC cc\" cmake -S . -B build && cmake --build build -j2");
    assert_eq!(ran.status, 0, "{}{}", ran.out(), ran.err());
    check(&dir, "build/crc");
    let ran = sh(&dir, "sleep 0.1; touch ../make/files.h; cmake --build build | grep -c 'Building C object'");
    assert_eq!(ran.out().trim(), "2", "{}", ran.err());
}
