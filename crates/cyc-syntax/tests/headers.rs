//! What `cc -E` gives for each header of C11 and POSIX is read without error, alone, in C mode and
//! inside `extern "C include"`. `lang-c`, another parser, says how many declarations there are.

mod common;

use common::{c, cyclone, errors};
use cyc_syntax::ast::{Item, ItemKind};
use std::io::Write;
use std::process::{Command, Stdio};

/// The headers, one a line.
const HEADERS: &str = include_str!("../../../tests/headers.txt");

/// Headers of POSIX that libc6-dev of Debian 12 does not have.
const ABSENT: &[&str] = &["ndbm", "stropts", "trace"];

/// The preprocessed text, or `None` without such a header.
fn preprocess(header: &str, flags: &[&str]) -> Option<String> {
    let mut cc = Command::new("cc");
    cc.args(flags).args(["-E", "-x", "c", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = cc.spawn().expect("a C compiler `cc`");
    let source = format!("#include <{header}.h>\n");
    child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    output.status.success().then(|| String::from_utf8(output.stdout).expect("headers are UTF-8"))
}

const FLAGS: &[&[&str]] = &[&["-std=c11"], &["-std=gnu11", "-D_GNU_SOURCE"]];

fn all() -> impl Iterator<Item = (&'static str, String)> {
    FLAGS.iter().flat_map(|flags| {
        HEADERS.lines().filter(|line| !line.starts_with('#')).map(move |header| {
            let text = preprocess(header, flags).unwrap_or_else(|| panic!("<{header}.h> with {flags:?}"));
            (header, text)
        })
    })
}

#[test]
fn every_header_alone() {
    for (header, text) in all() {
        let (_, diags) = c(&text);
        assert!(diags.is_empty(), "<{header}.h>: {:?}", diags.iter().next());
    }
}

#[test]
fn every_header_in_a_c_block() {
    for (header, text) in all() {
        let text = format!("extern \"C include\" {{\n{text}\n}} export {{ * }}\nint after;\n");
        let (unit, diags) = cyclone(&text);
        assert_eq!(errors(&text, &diags), Vec::<String>::new(), "<{header}.h>");
        let [Item { kind: ItemKind::ExternCInclude(block), .. }, _] = unit.items.as_slice() else {
            panic!("<{header}.h>: {} items", unit.items.len());
        };
        let inside = &text[block.c_text.lo as usize..block.c_text.hi as usize];
        assert!(inside.starts_with("\n#") && inside.ends_with('\n'));
    }
}

#[test]
fn absent_headers_are_absent() {
    for header in ABSENT {
        assert_eq!(preprocess(header, FLAGS[1]), None, "<{header}.h> exists: move it to the list of tested headers");
    }
}

/// The oracle knows fewer extensions than we do; where it can read a header, both see as many declarations.
#[test]
fn as_many_declarations_as_lang_c_sees() {
    let config = lang_c::driver::Config::with_gcc();
    let mut compared = 0;
    for (header, text) in all() {
        let Ok(oracle) = lang_c::driver::parse_preprocessed(&config, text.clone()) else { continue };
        assert_eq!(c(&text).0.items.len(), oracle.unit.0.len(), "<{header}.h>");
        compared += 1;
    }
    assert!(compared > 50, "the oracle reads only {compared} headers");
}
