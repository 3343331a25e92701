//! The crates depend on each other in one direction only, and only the driver and the binaries touch the machine.

use eyewall_tests::tools::{files_below, root};
use std::process::Command;

/// Each crate may depend on those to its left.
const ORDER: &[&str] =
    &["cyc-base", "cyc-syntax", "cyc-types", "cyc-check", "cyc-mir", "cyc-flow", "cyc-emit", "cyc-driver", "cyc"];

/// The crates that compute: text in, values out.
const PURE: &[&str] = &["cyc-base", "cyc-syntax", "cyc-types", "cyc-check", "cyc-mir", "cyc-flow", "cyc-emit"];

/// What computing crates may not name.
const MACHINE: &[&str] =
    &["std::fs", "std::process", "std::env", "std::net", "std::io::std", "std::time", "println!", "env!(\"HOME"];

fn metadata() -> serde_json::Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--no-deps"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

#[test]
fn arrows_run_one_way() {
    let metadata = metadata();
    let rank = |name: &str| ORDER.iter().position(|o| *o == name);
    let mut seen = vec![];
    let mut back = vec![];
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        let Some(here) = rank(name) else { continue };
        seen.push(name.to_string());
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let on = dependency["name"].as_str().expect("a name");
            if rank(on).is_some_and(|there| there >= here) {
                back.push(format!("{name} -> {on}"));
            }
        }
    }
    assert_eq!(back, Vec::<String>::new(), "these arrows run back");
    assert_eq!(seen.len(), ORDER.len(), "the crates of the pipeline are {ORDER:?}, found {seen:?}");
}

#[test]
fn every_compiler_crate_has_its_place() {
    for package in metadata()["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        let placed = ORDER.contains(&name) || !name.starts_with("cyc");
        assert!(placed, "{name} has no place in the order of the pipeline: give it one in tests/suites/arrows.rs");
    }
}

#[test]
fn computing_crates_do_not_touch_the_machine() {
    let mut found = vec![];
    for name in PURE {
        for path in files_below(&root().join("crates").join(name).join("src"), ".rs") {
            // `tests.rs` is a test module kept in its own file.
            if path.file_name().is_some_and(|n| n == "tests.rs") || path.components().any(|c| c.as_os_str() == "tests")
            {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("sources are readable");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (number, line) in code.lines().enumerate() {
                let line = line.split("//").next().unwrap_or_default();
                if let Some(word) = MACHINE.iter().find(|w| line.contains(**w)) {
                    found.push(format!("{}:{}: {word}", path.display(), number + 1));
                }
            }
        }
    }
    assert_eq!(found, Vec::<String>::new(), "only cyc-driver and the binaries touch files, processes, environment");
}
