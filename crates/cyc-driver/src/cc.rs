//! The user's C compiler as preprocessor, back end and linker.

use crate::problem::Problem;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The command in `CC` (which may carry flags: `CC="ccache gcc"`), else `cc`. Where `CC` names this very program
/// (`make CC="cyc cc"` exports it to us), it is `cc` too: we must not be our own back end.
#[derive(Clone, Debug)]
pub struct CCompiler {
    pub path: PathBuf,
    pub leading: Vec<OsString>,
}

impl CCompiler {
    pub fn find() -> Result<CCompiler, Problem> {
        let words = std::env::var("CC").unwrap_or_default();
        let words: Vec<&str> = words.split_whitespace().collect();
        let named = match words.split_first() {
            Some((name, leading)) => CCompiler::named(name, leading)?,
            None => CCompiler::named("cc", &[])?,
        };
        // `make CC="cyc cc"` exports CC to its recipes: the compiler behind us is then not us.
        if named.is_ourselves() { CCompiler::named("cc", &[]) } else { Ok(named) }
    }

    fn named(name: &str, leading: &[&str]) -> Result<CCompiler, Problem> {
        let path = which::which(name).map_err(|_| Problem::no_c_compiler(name))?;
        Ok(CCompiler { path, leading: leading.iter().map(OsString::from).collect() })
    }

    fn is_ourselves(&self) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        std::env::current_exe().is_ok_and(|exe| real(&exe) == real(&self.path))
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.leading).stdin(Stdio::null());
        // Messages are parsed and compared: keep them in English.
        command.env("LC_ALL", "C");
        // A wrapper (`CC="ccache cyc cc"`) that comes back to us must not be asked again and again.
        command.env_remove("CC");
        command
    }

    /// Runs to the end and collects what was printed.
    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Result<Output, Problem> {
        let mut command = self.command();
        command.args(args).stdin(Stdio::inherit());
        command.output().map_err(|e| Problem::cannot_run(&self.path.to_string_lossy(), &e))
    }

    /// What tells this compiler from others and from its own updates, for cache keys.
    pub fn fingerprint(&self) -> String {
        let real = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let stamp = std::fs::metadata(&real)
            .and_then(|m| Ok((m.len(), m.modified()?)))
            .map(|(len, time)| format!("{len} {time:?}"))
            .unwrap_or_default();
        format!("{} {:?} {stamp}", real.display(), self.leading)
    }
}

/// The text of a process's error output.
pub fn stderr_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Is this one of the files that `cyc` itself compiles?
pub fn is_cyclone(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "cyc")
}
