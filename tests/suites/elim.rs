//! Random programs of loops print the same, exceptions included, with and without the elimination of checks, and with those
//! that it removed as assertions.
//! `EYEWALL_ELIM_SEEDS=A..B` runs other seeds than the usual ones.

use cyc_base::SourceMap;
use cyc_mir::mir::{Fact, StmtKind};
use eyewall_tests::loops::program;
use eyewall_tests::parallel::{pieces, processors, range_of};
use eyewall_tests::tools::{Job, difference};
use std::path::Path;

/// The seeds of every run.
const SEEDS: std::ops::Range<u64> = 0..6;

fn run(source: &Path, flags: &[&str]) -> Result<String, String> {
    let program = source.with_extension(flags.first().map_or("elim", |flag| &flag[2..]));
    let built =
        Job::cyc().args(["build", "-O0"]).args(flags).args([source.as_os_str(), "-o".as_ref(), program.as_os_str()]);
    let built = built.run();
    if built.status != 0 {
        return Err(format!("cannot be built with {flags:?}:\n{}", built.err()));
    }
    let ran = Job::new(&program).seconds(60).run();
    Ok(format!("{}status {}\n", ran.out(), ran.status))
}

fn compare(folder: &Path, seed: u64) -> Result<(), String> {
    let source = folder.join(format!("loops{seed}.cyc"));
    std::fs::write(&source, program(seed)).map_err(|e| e.to_string())?;
    let without = run(&source, &["--no-elim"])?;
    for flags in [&[][..], &["--assert-removed"]] {
        let with = run(&source, flags)?;
        if with != without {
            return Err(format!(
                "with elimination {flags:?} it prints something else:\n{}",
                difference(&without, &with)
            ));
        }
    }
    Ok(())
}

#[test]
fn loops_print_the_same_without_elimination() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = pieces(range_of("EYEWALL_ELIM_SEEDS", SEEDS), 1, processors(), |seeds| {
        let wrong = compare(folder.path(), seeds.start).err();
        wrong.map(|why| format!("seed {}: {why}", seeds.start)).into_iter().collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The C of a program, the checks of which at `line` were removed, and stand as assertions.
fn wrongly_removed(text: &str) -> String {
    let (unit, _) = cyc_syntax::parse(text, &cyc_syntax::Options::default());
    let source = SourceMap::new("wrong.cyc", text.into());
    let (typed, found) = cyc_check::check(&unit, &source);
    assert!(!found.has_errors(), "{text}");
    let mut bodies = cyc_mir::lower(&typed);
    for body in &mut bodies {
        assert!(!cyc_flow::analyse(&typed, body, &mut |_, _| {}).has_errors(), "{text}");
        for stmt in body.blocks.iter_mut().flat_map(|block| &mut block.stmts) {
            if let StmtKind::Check(_) = stmt.kind {
                stmt.kind = StmtKind::Removed(Box::new(stmt.kind.clone()), Fact::InBounds);
            }
        }
        cyc_flow::assert_removed(body);
    }
    let layout = cyc_emit::Options {
        line_directives: true,
        no_null_checks: false,
        no_bounds_checks: false,
        gdb_script: None,
        profile: cyc_emit::Profile::Off,
    };
    cyc_emit::emit(&typed, &bodies, &source, &layout)
}

#[test]
fn a_check_that_is_removed_wrongly_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("wrong.c"), folder.path().join("wrong"));
    let text = "int at(int ?p, int i) { return p[i]; }\n\
                int main() { int a[3] = {1, 2, 3}; try at(a, 3); catch { default: return 0; } return 0; }\n";
    std::fs::write(&source, wrongly_removed(text)).unwrap();
    let built =
        Job::cyc().arg("build").args([source.as_os_str(), "-o".as_ref(), program.as_os_str()]).seconds(120).run();
    assert_eq!(built.status, 0, "{}", built.err());
    let ran = Job::new(&program).run();
    let said = "wrong.cyc:1: a check that was removed would have failed: internal error of the compiler\n";
    assert_eq!((ran.err().as_str(), ran.status == 0), (said, false), "not even the handler may go on");
}
