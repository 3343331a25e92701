//! Random polymorphic programs: what the checker accepts compiles without a warning of the C compilers, runs, and prints what
//! the generator computed. `EYEWALL_POLYMORPHIC_SEEDS=A..B` runs other seeds than the usual ones.

use eyewall_tests::builds::{sanitizer_report, under_sanitizers};
use eyewall_tests::parallel::{pieces, processors, range_of};
use eyewall_tests::polymorphic::{Program, generate};
use eyewall_tests::tools::{Job, difference, need, root};
use std::path::Path;

const SEEDS: std::ops::Range<u64> = 0..24;

/// What a warning about generated C may not be about: the program's own unused things.
const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-unused-parameter"];

/// The C of a unit has nothing that the C compilers warn about.
fn warnings(folder: &Path, unit: &str) -> Result<(), String> {
    let ran = Job::cyc().args(["check", "--emit=c", unit]).dir(folder).run();
    if ran.status != 0 {
        return Err(format!("`cyc check` rejects {unit}:\n{}", ran.err()));
    }
    std::fs::write(folder.join("emitted.c"), &ran.stdout).map_err(|e| e.to_string())?;
    for cc in ["gcc", "clang"] {
        let ran = Job::new(cc)
            .args(["-std=gnu11", "-fwrapv", "-fno-strict-aliasing", "-O2", "-c", "emitted.c", "-o", "/dev/null", "-I"])
            .arg(root().join("runtime/include"))
            .args(WARNINGS)
            .dir(folder)
            .run();
        if ran.status != 0 {
            return Err(format!("{cc} warns about {unit}:\n{}", ran.err()));
        }
    }
    Ok(())
}

fn check(program: &Program, folder: &Path) -> Result<(), String> {
    for (name, text) in &program.files {
        std::fs::write(folder.join(name), text).map_err(|e| e.to_string())?;
    }
    warnings(folder, "there.cyc")?;
    warnings(folder, "main.cyc")?;
    let sanitized = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let builds = [
        ("gcc", &["-O0"][..]),
        ("clang", &["-O2"]),
        ("gcc", &["-O2"]),
        ("gcc", &["-O2", "--no-elim"]),
        ("clang", &sanitized),
    ];
    for (cc, flags) in builds {
        let built = Job::cyc()
            .args(["build", "main.cyc", "there.cyc", "-o", "program"])
            .args(flags)
            .env("CC", cc)
            .dir(folder)
            .run();
        if built.status != 0 {
            return Err(format!("cyc build with {cc} {flags:?}:\n{}", built.err()));
        }
        let ran = under_sanitizers(Job::new(folder.join("program"))).run();
        if let Some(report) = sanitizer_report(&ran) {
            return Err(report);
        }
        if ran.status != 0 || ran.out() != program.out {
            let differs = difference(&program.out, &ran.out());
            return Err(format!("with {cc} {flags:?}, status {}:\n{differs}\n{}", ran.status, ran.err()));
        }
    }
    Ok(())
}

#[test]
fn random_polymorphic_programs() {
    need("gcc", "gcc").and(need("clang", "clang")).unwrap();
    let findings = pieces(range_of("EYEWALL_POLYMORPHIC_SEEDS", SEEDS), 1, processors(), |seeds| {
        let seed = seeds.start;
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let Err(why) = check(&generate(seed), scratch.path()) else { return vec![] };
        let kept = std::env::temp_dir().join(format!("cyc-polymorphic-{seed}"));
        let _ = std::fs::remove_dir_all(&kept);
        let _ = std::fs::rename(scratch.keep(), &kept);
        vec![format!("seed {seed}, kept in {}: {why}", kept.display())]
    });
    assert!(findings.is_empty(), "{} programs fail:\n{}", findings.len(), findings.join("\n"));
}
