//! `cargo xtask setup`: installs the Debian packages that the tests need.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// The packages named in `.ci/packages`: one a line, `#` starts a comment.
fn wanted(root: &Path) -> Result<Vec<String>> {
    let path = root.join(".ci/packages");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let names = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    Ok(names.filter(|name| !name.is_empty()).map(str::to_string).collect())
}

fn installed(package: &str) -> bool {
    let query = Command::new("dpkg-query").args(["-W", "-f=${Status}", package]).stderr(Stdio::null()).output();
    query.is_ok_and(|o| o.stdout.ends_with(b" installed"))
}

/// Runs `apt-get` as root, through sudo where needed.
fn apt(args: &[&str]) -> Result<bool> {
    let id = Command::new("id").arg("-u").output().context("cannot run id")?;
    let root = id.stdout.trim_ascii() == b"0";
    let mut command = Command::new(if root { "apt-get" } else { "sudo" });
    if !root {
        command.args(["-n", "apt-get"]);
    }
    let status = command.args(args).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()).status();
    Ok(status.is_ok_and(|s| s.success()))
}

/// Installs what is missing.
///
/// # Errors
/// Says which command to run by hand where this one may not.
pub fn run(root: &Path) -> Result<()> {
    let missing: Vec<String> = wanted(root)?.into_iter().filter(|p| !installed(p)).collect();
    if missing.is_empty() {
        println!("setup: everything is installed");
        return Ok(());
    }
    println!("setup: installing {}", missing.join(" "));
    let names: Vec<&str> = missing.iter().map(String::as_str).collect();
    let install = [&["install", "-y", "-q", "--no-install-recommends"], names.as_slice()].concat();
    if apt(&install)? || apt(&["update", "-q"])? && apt(&install)? {
        return Ok(());
    }
    bail!("cannot install; as root: apt-get update && apt-get install {}", missing.join(" "))
}
