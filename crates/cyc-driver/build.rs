//! Lists the files that the compiler carries with it (the run time's source, the library, the error
//! pages) so that `embedded.rs` can include them: an installed `cyc` needs nothing beside itself.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Folders of the repository that ship, and the endings of the files that do.
const SHIPPED: &[(&str, &[&str])] = &[
    ("runtime/include", &["h"]),
    ("runtime/src", &["c", "h", "inc"]),
    ("lib", &["h", "cyc", "c"]),
    ("docs/errors", &["md"]),
];

fn files_below(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            files_below(&path, endings, found);
        } else if path.extension().is_some_and(|ending| endings.iter().any(|e| ending == *e)) {
            found.push(path);
        }
    }
}

fn main() {
    // At run time: a build folder that was copied has the script of another checkout.
    let crate_folder = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let root = Path::new(&crate_folder).join("../..").canonicalize().expect("the repository's root");
    let mut listing = String::from("pub const FILES: &[(&str, &[u8])] = &[\n");
    for (folder, endings) in SHIPPED {
        let folder = root.join(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        let mut found = vec![];
        files_below(&folder, endings, &mut found);
        found.sort();
        for path in found {
            let name = path.strip_prefix(&root).expect("found below the root");
            writeln!(listing, "    ({:?}, include_bytes!({:?})),", name, path).expect("writing to a string");
        }
    }
    listing.push_str("];\n");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("embedded_files.rs"), listing).expect("the build folder is writable");
}
