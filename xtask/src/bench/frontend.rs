//! `cargo xtask bench frontend`: lines a second through the front end, on one core, without the C compiler.
//!
//! The measuring program is `eyewall-frontend` of the package `eyewall-tests`, because it calls the compiler as a
//! library and this package must build without the compiler.

use crate::chores::cargo;
use anyhow::Result;
use std::path::Path;

pub fn run(root: &Path, args: &[String]) -> Result<()> {
    // Where the suites say which compiler they judge, theirs is measured.
    let profile = if std::env::var_os("EYEWALL_CYC").is_some() { "gate" } else { "release" };
    let mut command = vec!["run", "--profile", profile, "-q", "-p", "eyewall-tests", "--bin", "eyewall-frontend", "--"];
    command.extend(args.iter().map(String::as_str));
    cargo(root, &command, &[])
}
