//! Flags of installed libraries, by `pkg-config`.

use super::table::Text;
use crate::cc::stderr_text;
use crate::problem::Problem;
use std::process::Command;

/// The flags for compiling with, and linking, these libraries. `PKG_CONFIG` names another command.
///
/// # Errors
/// `pkg-config` is not installed, or does not know one of them.
pub fn flags(libraries: &[Text]) -> Result<Vec<String>, Problem> {
    if libraries.is_empty() {
        return Ok(vec![]);
    }
    let tool = std::env::var("PKG_CONFIG").ok().filter(|tool| !tool.is_empty()).unwrap_or("pkg-config".into());
    let names: Vec<&str> = libraries.iter().map(|library| library.value.as_str()).collect();
    let mut command = Command::new(&tool);
    command.args(["--cflags", "--libs", "--"]).args(&names).env("LC_ALL", "C");
    let output = command.output().map_err(|e| Problem::no_pkg_config(&tool, &e))?;
    if !output.status.success() {
        return Err(Problem::no_library(&names.join("`, `"), &stderr_text(&output)));
    }
    Ok(words(&String::from_utf8_lossy(&output.stdout)))
}

/// Words as a shell splits them: a backslash takes the next character as it is.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![];
    let mut word = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => word.extend(chars.next()),
            c if c.is_whitespace() => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            c => word.push(c),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_are_a_shell_s() {
        assert_eq!(super::words("-I/a\\ b  -lz\n"), ["-I/a b", "-lz"]);
    }
}
