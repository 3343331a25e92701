//! The folder where the compiler keeps what it would otherwise make again: its own headers and
//! sources unpacked, and the run time compiled.
//!
//! Every entry is made in a temporary folder beside its place and renamed into it, so a reader sees
//! all of an entry or nothing, whoever is interrupted and however many build at once. An entry's
//! name is a hash of everything it is made from; entries are never changed.

use crate::problem::Problem;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// `CYC_CACHE_DIR`, else the user's cache folder, else the system's folder for temporary files.
pub fn root() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    from("CYC_CACHE_DIR")
        .or_else(|| from("XDG_CACHE_HOME").map(|d| d.join("cyc")))
        .or_else(|| from("HOME").map(|d| d.join(".cache/cyc")))
        .unwrap_or_else(|| std::env::temp_dir().join("cyc-cache"))
}

/// A hash of text that stays the same from run to run.
pub fn key(parts: &[&str]) -> String {
    let mut hasher = std::hash::DefaultHasher::new();
    parts.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The folder `name` of the cache, filled by `fill` if it does not exist yet.
pub fn entry(name: &str, fill: impl FnOnce(&Path) -> Result<(), Problem>) -> Result<PathBuf, Problem> {
    let root = root();
    let place = root.join(name);
    if place.is_dir() {
        return Ok(place);
    }
    let failed = |e: std::io::Error| Problem::cannot_write(&place, &e);
    std::fs::create_dir_all(&root).map_err(failed)?;
    let temporary = tempfile::Builder::new().prefix(".making-").tempdir_in(&root).map_err(failed)?;
    fill(temporary.path())?;
    match std::fs::rename(temporary.path(), &place) {
        Ok(()) => {
            // The folder has moved: there is nothing left to remove.
            let _ = temporary.keep();
            Ok(place)
        }
        // Somebody else was faster; what they made is the same.
        Err(_) if place.is_dir() => Ok(place),
        Err(e) => Err(failed(e)),
    }
}
