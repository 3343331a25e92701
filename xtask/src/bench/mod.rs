//! Benchmarks: `cargo xtask bench <name>`. Each builds what it needs, prints
//! tables, and leaves JSON and SVG in `bench/results/`.

pub mod alloc;
pub mod comparison;
pub mod core;
pub mod frontend;
pub mod gc;
pub mod heap;
pub mod httpd;
pub mod latency;
pub mod lib;
pub mod lowfat;
pub mod measure;
pub mod memory;
pub mod pool;
pub mod quick;
pub mod svg;
pub mod table;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The root of the repository.
pub fn root() -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(manifest.parent().context("xtask lies in the root of the repository")?.to_path_buf())
}

/// Runs `make -C dir args…` quietly; what it printed is in the error.
pub fn make(dir: &Path, args: &[&str]) -> Result<()> {
    let output = Command::new("make").arg("-s").arg("-C").arg(dir).args(args).output().context("cannot run make")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "make -C {} {} failed:\n{said}", dir.display(), args.join(" "));
    Ok(())
}

/// Runs a compiler quietly; what it said is in the error.
pub fn build(what: &mut Command) -> Result<()> {
    let output = what.output().with_context(|| format!("cannot run {:?}", what.get_program()))?;
    ensure!(output.status.success(), "{what:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Builds liblowfat; the directory that holds `liblowfat.so` and `liblowfat.a`.
pub fn build_liblowfat() -> Result<PathBuf> {
    let source = root()?.join("runtime/lowfat");
    let build = root()?.join("target/bench/lowfat-library");
    make(&source, &["-j2", &format!("B={}", build.display())])?;
    Ok(build)
}

/// The compiler that EYEWALL_CYC names, as in the suites, else one built for this as it is released.
pub fn cyc(root: &Path) -> Result<PathBuf> {
    if let Some(cyc) = std::env::var_os("EYEWALL_CYC") {
        return Ok(cyc.into());
    }
    crate::chores::cargo(root, &["build", "--release", "-q", "-p", "cyc"], &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/cyc"))
}

/// A line of progress on standard error: rewritten in place on a terminal, and silent
/// elsewhere.
pub struct Progress {
    done: usize,
    of: usize,
    shown: bool,
}

impl Progress {
    pub fn new(of: usize) -> Self {
        Progress { done: 0, of, shown: std::io::stderr().is_terminal() }
    }

    /// Announces the next step.
    pub fn step(&mut self, what: &str) {
        self.done += 1;
        if self.shown {
            eprint!("\r\x1b[K[{}/{}] {what}", self.done, self.of);
            let _ = std::io::stderr().flush();
        }
    }

    /// Clears the line.
    pub fn end(&mut self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allocator_programs_print_what_they_should() {
        make(&root().unwrap().join("bench/alloc"), &["check"]).unwrap();
    }

    /// One test, since both build liblowfat.
    #[test]
    fn the_applications_of_liblowfat_work() {
        let library = format!("LOWFAT_BUILD={}", build_liblowfat().unwrap().display());
        for folder in ["examples/lowfat", "bench/lowfat"] {
            make(&root().unwrap().join(folder), &["check", &library]).unwrap();
        }
    }
}
