//! Every header of C11 and POSIX, alone in `extern "C include"`, passes `cyc check`: the system's own is found, and
//! what cannot be read as Cyclone is passed over.

use eyewall_tests::tools::{Job, need};

/// One a line.
const HEADERS: &str = include_str!("../headers.txt");

#[test]
fn every_header_alone_in_c_text() {
    need("cc", "gcc").unwrap();
    let folder = tempfile::tempdir().expect("a scratch directory");
    let headers: Vec<&str> = HEADERS.lines().filter(|line| !line.starts_with('#')).collect();
    let mut bad = vec![];
    for (i, header) in headers.iter().enumerate() {
        let file = format!("{i}.cyc");
        let text =
            format!("extern \"C include\" {{\n#include <{header}.h>\n}} export {{ * }}\nint main() {{ return 0; }}\n");
        std::fs::write(folder.path().join(&file), text).expect("the scratch directory is writable");
        let ran = Job::cyc().args(["check", &file]).dir(folder.path()).env("NO_COLOR", "1").run();
        if ran.status != 0 || !ran.err().is_empty() {
            bad.push(format!("<{header}.h>: status {}\n{}", ran.status, ran.err()));
        }
    }
    assert!(headers.len() >= 80 && bad.is_empty(), "{} of {} headers:\n{}", bad.len(), headers.len(), bad.join("\n"));
}

/// What the system's headers declare is there: types, constants, macros and exported functions.
#[test]
fn c_text_finds_the_systems_headers_beside_the_typed_ones() {
    const PROGRAM: &str = "#include <stdio.h>
#include <stdlib.h>
extern \"C include\" {
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#ifndef _STDLIB_H
#error the typed header was found
#endif
static int half(int n) { return div(n, 2).quot; }
} export { half, getppid }
#include <time.h>
int main() { printf(\"%d %d\\n\", half(9), getppid() > 0); return EXIT_SUCCESS; }
";
    let folder = tempfile::tempdir().expect("a scratch directory");
    std::fs::write(folder.path().join("a.cyc"), PROGRAM).expect("the scratch directory is writable");
    for cc in ["gcc", "clang"] {
        let ran = Job::cyc().args(["run", "a.cyc"]).dir(folder.path()).env("CC", cc).run();
        assert_eq!((ran.status, ran.out().as_str()), (0, "4 1\n"), "{cc}:\n{}", ran.err());
    }
}
