//! Lists the files that the compiler carries with it (the run time's source, the library, the error
//! pages) so that `embedded.rs` can include them: an installed `cyc` needs nothing beside itself.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Folders of the repository that ship, and the endings of the files that do.
const SHIPPED: &[(&str, &[&str])] = &[
    ("runtime/include", &["h"]),
    ("runtime/src", &["c", "h", "inc"]),
    ("runtime/gdb", &["py"]),
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

/// Paths are relative to this package, here and in what is generated: a build folder that was copied together with
/// its sources embeds the copies.
fn main() {
    let root = Path::new("../..");
    let mut listing = String::from("pub const FILES: &[(&str, &[u8])] = &[\n");
    for (folder, endings) in SHIPPED {
        let folder = root.join(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        let mut found = vec![];
        files_below(&folder, endings, &mut found);
        found.sort();
        for path in found {
            let name = path.strip_prefix(root).expect("found below the root");
            let bytes = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../../{}\")", name.display());
            writeln!(listing, "    ({name:?}, include_bytes!({bytes})),").expect("writing to a string");
        }
    }
    listing.push_str("];\n");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("embedded_files.rs"), listing).expect("the build folder is writable");
}
