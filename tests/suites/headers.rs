//! Every header of C11 and POSIX, alone in `extern "C include"`, passes `cyc check`: the system's own is found, and
//! what cannot be read as Cyclone is passed over.

use eyewall_tests::tools::{Job, need, root};

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

/// What is a macro in a typed header may be an enumerator, or a function, in the system's.
#[test]
fn a_typed_header_and_c_text_with_the_systems_do_not_disturb_each_other() {
    let folder = tempfile::tempdir().expect("a scratch directory");
    let typed = |header: &&str| root().join(format!("lib/include/{header}.h")).exists();
    let headers: Vec<&str> = HEADERS.lines().filter(typed).collect();
    assert!(headers.len() > 60, "{headers:?}");
    for (i, header) in headers.iter().enumerate() {
        let text = format!(
            "#include <{header}.h>\nextern \"C include\" {{\n#include <{header}.h>\n}}\nint main() {{ return 0; }}\n"
        );
        let file = format!("{i}.cyc");
        std::fs::write(folder.path().join(&file), text).expect("the scratch directory is writable");
        let ran = Job::cyc().args(["check", &file]).dir(folder.path()).env("NO_COLOR", "1").run();
        assert!(ran.status == 0 && ran.err().is_empty(), "<{header}.h>: status {}\n{}", ran.status, ran.err());
    }
    // Afterwards the typed header's macros are there again.
    const PROGRAM: &str = "#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
extern \"C include\" {
#include <string.h>
#include <sys/socket.h>
static int flag(void) { char from[4] = \"abc\", to[4]; memcpy(to, from, 4); return to[0] == 'a' ? MSG_PEEK : 0; }
} export { flag }
int main() {
  char to[4] @nozeroterm = {for i < 4 : 'x'};
  memcpy(to, \"abc\", 3);
  printf(\"%d %c%c\\n\", flag() + MSG_PEEK, (int)to[0], (int)to[3]);
  return SHUT_RD;
}
";
    std::fs::write(folder.path().join("a.cyc"), PROGRAM).expect("the scratch directory is writable");
    for cc in ["gcc", "clang"] {
        let ran = Job::cyc().args(["run", "a.cyc"]).dir(folder.path()).env("CC", cc).run();
        assert_eq!((ran.status, ran.out().as_str()), (0, "4 ax\n"), "{cc}:\n{}", ran.err());
    }
}
