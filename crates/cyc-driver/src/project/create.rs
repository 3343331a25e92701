//! `cyc new`: a project that builds, runs and has a test.

use super::manifest::FILE;
use crate::problem::Problem;
use std::path::Path;

const MAIN: &str = r#"#include <stdio.h>
#include "greeting.h"

int main(int argc, char ??argv) {
  if (argc < 2)
    greet(stdout, "world");
  for (int i = 1; i < argc; i++) greet(stdout, argv[i]);
  return 0;
}
"#;

const GREETING_H: &str = r#"#ifndef GREETING_H
#define GREETING_H

#include <stdio.h>

// Greets `name`, on a line of its own.
void greet(FILE @out, const char ?name);

#endif
"#;

const GREETING: &str = r#"#include "greeting.h"

void greet(FILE @out, const char ?name) { fprintf(out, "Hello, %s!\n", name); }
"#;

const TEST: &str =
    "// A test is a program that ends with status 0 and prints what stands in the file beside it, if there is one.
#include \"../src/greeting.h\"

int main() {
  greet(stdout, \"Ada\");
  greet(stdout, \"Grace\");
  return 0;
}
";

const TEST_OUT: &str = "Hello, Ada!\nHello, Grace!\n";

/// Makes the folder `path` with a project of that name in it.
///
/// # Errors
/// The name is unfit, something is there already, or the folder cannot be written. Nothing is overwritten.
pub fn create(path: &Path) -> Result<(), Problem> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if !super::is_name(name) {
        return Err(Problem::unfit_name(&path.to_string_lossy(), super::NAMES));
    }
    if path.symlink_metadata().is_ok() {
        return Err(Problem::project_exists(path));
    }
    let failed = |e: std::io::Error| Problem::cannot_write(path, &e);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = tempfile::Builder::new().prefix(".cyc-").tempdir_in(parent).map_err(failed)?;
    let files = [
        (FILE, format!("[project]\nname = \"{name}\"\nversion = \"0.1.0\"\n")),
        (".gitignore", "/build/\n".to_string()),
        ("src/main.cyc", MAIN.to_string()),
        ("src/greeting.h", GREETING_H.to_string()),
        ("src/greeting.cyc", GREETING.to_string()),
        ("tests/greeting.cyc", TEST.to_string()),
        ("tests/greeting.out", TEST_OUT.to_string()),
    ];
    let made = folder.path().join(name);
    for (file, text) in files {
        let place = made.join(file);
        std::fs::create_dir_all(place.parent().unwrap_or(&made)).map_err(failed)?;
        std::fs::write(&place, text).map_err(failed)?;
    }
    std::fs::rename(&made, path).map_err(failed)
}
