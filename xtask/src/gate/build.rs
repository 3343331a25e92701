//! The command and all suites, built by one cargo.

use super::run::Job;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Optimised a little, with all assertions: `Cargo.toml` says why.
const PROFILE: &str = "gate";

pub struct Built {
    /// The command that the suites judge.
    pub cyc: PathBuf,
    suites: Vec<Suite>,
}

struct Suite {
    name: String,
    program: PathBuf,
    /// Its package's, where cargo runs it, too.
    folder: PathBuf,
}

/// # Errors
/// What cargo cannot build.
pub fn build(root: &Path) -> Result<Built> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--workspace", "--lib", "--bins", "--tests", "--profile", PROFILE])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    ensure!(output.status.success(), "cargo cannot build the suites");
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let made: Vec<Value> = messages.filter(|m| m["executable"].is_string()).collect();
    let is_test = |message: &&Value| message["profile"]["test"] == true;
    let suites: Vec<Suite> = made.iter().filter(is_test).map(Suite::of).collect::<Result<_>>()?;
    let cyc = made.iter().find(|m| !is_test(m) && m["target"]["name"] == "cyc").context("cargo made no `cyc`")?;
    ensure!(!suites.is_empty(), "cargo made no suites");
    let built = Built { cyc: root.join("target/gate-cyc/cyc"), suites };
    built.judge(&path(&cyc["executable"])?)?;
    Ok(built)
}

fn path(value: &Value) -> Result<PathBuf> {
    Ok(value.as_str().context("cargo's messages name files")?.into())
}

impl Suite {
    fn of(message: &Value) -> Result<Suite> {
        let folder = path(&message["manifest_path"])?.parent().context("a manifest lies in a folder")?.to_path_buf();
        let package = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let target = message["target"]["name"].as_str().context("a target has a name")?;
        let name = match (package.as_str(), message["target"]["kind"][0].as_str()) {
            ("tests", Some("test")) => target.to_string(),
            (_, Some("test")) => format!("{package} {target}"),
            (_, kind) => format!("{package} {}", kind.unwrap_or_default()),
        };
        Ok(Suite { name, program: path(&message["executable"])?, folder })
    }
}

impl Built {
    /// Lets the suites judge a copy of this command: cargo may link its own anew while they run.
    pub fn judge(&self, cyc: &Path) -> Result<()> {
        let folder = self.cyc.parent().context("the copy lies in a folder")?;
        fs::create_dir_all(folder)?;
        fs::copy(cyc, &self.cyc).with_context(|| format!("cannot copy {}", cyc.display()))?;
        Ok(())
    }

    /// A job for each suite. Each has one thread: as many suites as there are processors run at a time.
    pub fn jobs(&self, args: &[&str], environment: &[(&str, &str)]) -> Vec<Job> {
        let job = |suite: &Suite| {
            let job = Job::chore(&suite.name, &suite.folder, &suite.program, &["--test-threads=1"]).args(args);
            let job = environment.iter().fold(job, |job, (name, value)| job.env(name, value));
            job.counting()
                .env("EYEWALL_CYC", &self.cyc)
                .env("EYEWALL_JOBS", "1")
                .env("CARGO_MANIFEST_DIR", &suite.folder)
        };
        self.suites.iter().map(job).collect()
    }
}
