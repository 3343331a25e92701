//! `cyc explain CODE`.

use crate::say;
use cyc_driver::embedded;
use std::io::Write;
use std::process::ExitCode;

pub fn explain(code: &str) -> ExitCode {
    let wanted = code.to_uppercase();
    if let Some(page) = embedded::error_page(&wanted) {
        // A closed pipe (`| head`) is not an error worth a word.
        let _ = std::io::stdout().write_all(page.as_bytes());
        return ExitCode::SUCCESS;
    }
    let known: Vec<&str> = embedded::error_codes().collect();
    say(&format!("error: no diagnostic has the code `{code}`"));
    match nearest(&wanted, &known) {
        Some(near) => say(&format!("help: did you mean `{near}`?")),
        None => say("help: codes look like E0412 (errors) and W0401 (warnings)"),
    }
    ExitCode::from(2)
}

/// The known code that differs in one character.
fn nearest<'a>(code: &str, known: &[&'a str]) -> Option<&'a str> {
    let distance = |other: &str| code.bytes().zip(other.bytes()).filter(|(a, b)| a != b).count();
    known.iter().copied().find(|k| k.len() == code.len() && distance(k) == 1)
}
