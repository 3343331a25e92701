//! The machine around a project: libraries, terminals, folders that cannot be written, tools that read what is written.

use crate::scratch::{Scratch, expect, set};
use eyewall_tests::tools::need;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const ZLIB: &str =
    "[project]\nname = \"sum\"\n\n[build]\npkg-config = [\"zlib\"]\nflags = [\"-DTEXT=\\\"eyewall\\\"\", \"-Wall\"]\n";
const SUM: &str = "#include <stdio.h>
extern \"C include\" {
#include <zlib.h>
} export { adler32; }
int main() {
  printf(\"%lx\\n\", adler32(1, NULL, 0));
  return 0;
}
";

#[test]
fn libraries_that_pkg_config_knows() {
    need("pkg-config", "pkg-config").unwrap();
    let c = "#include <zlib.h>\nunsigned long version(void) { return zlibVersion()[0] != 0 ? crc32(0, (const Bytef *)TEXT, 7) : 0; }\n";
    let main = "#include <stdio.h>\nextern \"C\" unsigned long version(void);\nint main() { printf(\"%lx\\n\", version()); return 0; }\n";
    let s = Scratch::new(&[("cyc.toml", ZLIB), ("src/main.cyc", main), ("src/version.c", c)]);
    let ran = s.cyc(&["run"]).run();
    assert_eq!(ran.status, 0, "{} (apt-get install zlib1g-dev)", ran.err());
    let expected = s.sh("printf eyewall | gzip -c | tail -c8 | od -An -tx4 -N4").run().out();
    assert_eq!(ran.out().trim(), expected.trim().trim_start_matches('0'));
    expect(&s.cyc(&["build"]).env("PKG_CONFIG", "/no/such/tool").run(), 2, &["E0086", "/no/such/tool"]);
    // Cyclone calls the library by itself, too.
    s.remove("src/version.c");
    s.write("src/main.cyc", SUM);
    let ran = s.cyc(&["run"]).run();
    assert_eq!((ran.status, ran.out().as_str()), (0, "1\n"), "{}", ran.err());
}

#[test]
fn c_tools_are_told_the_commands() {
    let s = Scratch::new(&[
        ("cyc.toml", "[project]\nname = \"a\"\n[build]\nflags = [\"-DVALUE=3\"]\ninclude = [\"my include\"]\n"),
        ("src/main.cyc", "extern \"C\" int value(void);\nint main() { return value() - 3; }\n"),
        ("src/value.c", "#include <value.h>\nint value(void) { return VALUE; }\n"),
        ("my include/value.h", "int value(void);\n"),
    ]);
    expect(&s.cyc(&["run"]).run(), 0, &[]);
    let commands: serde_json::Value = serde_json::from_str(&s.read("build/compile_commands.json")).unwrap();
    assert_eq!(commands.as_array().map(Vec::len), Some(1), "{commands}");
    assert_eq!(commands[0]["file"], "src/value.c");
    // The command does what it says: it makes the object.
    s.remove("build/obj/src/value.c.o");
    let words: Vec<String> = serde_json::from_value(commands[0]["arguments"].clone()).unwrap();
    let folder = commands[0]["directory"].as_str().unwrap();
    let ran = eyewall_tests::tools::Job::new(&words[0]).args(&words[1..]).dir(folder).run();
    expect(&ran, 0, &[]);
    assert!(s.path().join("build/obj/src/value.c.o").exists());
}

/// util-linux's `script` lends a terminal.
#[test]
fn progress_is_shown_on_a_terminal_and_nowhere_else() {
    need("script", "bsdutils").unwrap();
    let s = Scratch::new(&[("cyc.toml", "[project]\nname = \"a\"\n"), ("src/main.cyc", "int main() { return 0; }\n")]);
    let ran = s.sh("script -qec \"$CYC build\" /dev/null").run();
    for words in ["compiling src/main.cyc (1 of 1)", "linking build/bin/a"] {
        assert!(ran.out().contains(words), "{words:?} is not in:\n{}", ran.out());
    }
    assert_eq!(s.sh("script -qec \"$CYC build\" /dev/null").run().out(), "", "there was nothing to do");
    s.touch("src/main.cyc");
    let ran = s.cyc(&["build"]).run();
    assert_eq!((ran.out(), ran.err()), (String::new(), String::new()));
}

#[test]
fn folders_that_cannot_be_written() {
    let files = [("cyc.toml", "[project]\nname = \"a\"\n"), ("src/main.cyc", "int main() { return 0; }\n")];
    let s = Scratch::new(&files);
    s.write("build", "a file where the folder should be\n");
    expect(&s.cyc(&["build"]).run(), 2, &["E0091", "build"]);
    assert_eq!(s.read("build"), "a file where the folder should be\n");
    expect(&s.cyc(&["build", "--build-dir", "/proc/nowhere"]).run(), 2, &["E0091", "/proc/nowhere"]);
    // The superuser writes everywhere, unless it gives that right up.
    let s = Scratch::new(&files);
    fs::set_permissions(s.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let ran = match fs::write(s.path().join("probe"), "") {
        Err(_) => s.cyc(&["build"]).run(),
        Ok(()) => s.sh("exec setpriv --bounding-set=-dac_override \"$CYC\" build").run(),
    };
    expect(&ran, 2, &["E0091", "build"]);
    fs::set_permissions(s.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn everything_that_is_made_goes_to_one_folder() {
    let s = Scratch::new(&[
        ("cyc.toml", "[project]\nname = \"a\"\n[build]\nsources = [\"src/*.cyc\", \"../nowhere/*.c\"]\n"),
        ("src/main.cyc", "int main() { return 0; }\n"),
    ]);
    // A pattern that leads out of the project and matches nothing is an error like any other.
    expect(&s.cyc(&["build"]).run(), 2, &["E0084", "../nowhere/*.c"]);
    s.write("cyc.toml", "[project]\nname = \"a\"\n");
    expect(&s.cyc(&["build", "--build-dir", "out/debug"]).run(), 0, &[]);
    let mut names: Vec<_> = fs::read_dir(s.path()).unwrap().flatten().map(|e| e.file_name()).collect();
    names.sort();
    assert_eq!(names, ["cyc.toml", "out", "src"]);
    assert!(s.path().join("out/debug/bin/a").exists());
    // Sources within the folder of what is made are none.
    s.write("build/x.cyc", "int main() { return 1; }\n");
    s.write("cyc.toml", "[project]\nname = \"a\"\n[build]\nsources = [\"**/*.cyc\"]\n");
    assert_eq!(s.build(), set(&["bin/a", "obj/src/main.cyc.o"]));
}
