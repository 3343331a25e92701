//! Codes, pages and shown diagnostics agree.

use cyc_base::headers::{NAMES, NAMESPACES, TYPES};
use cyc_driver::doc::{Page as Header, scan};
use eyewall_tests::pages::{Page, pages};
use eyewall_tests::tools::{Job, crash_text, files_below, root};
use eyewall_tests::ui::all_shown;
use std::collections::BTreeSet;

/// The fewest distinct diagnostics that `tests/ui` has to show.
const DISTINCT: usize = 120;

/// Pages of codes that no program under `tests/ui` can provoke: they are about files, processes and the machine, and the
/// suite `bad_input` shows them. Such a page says so.
fn about_the_machine(page: &Page) -> bool {
    std::fs::read_to_string(&page.path)
        .is_ok_and(|text| text.contains("No program\nprovokes this.") || text.contains("No program provokes this."))
}

/// The codes that the compiler's source mentions as string literals.
fn codes_in_source() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for path in files_below(&root().join("crates"), ".rs") {
        let text = std::fs::read_to_string(&path).expect("sources are readable");
        for (at, _) in text.match_indices('"') {
            let rest = &text[at + 1..];
            let code: String = rest.chars().take(5).collect();
            let shaped =
                code.len() == 5 && code.starts_with(['E', 'W']) && code[1..].bytes().all(|b| b.is_ascii_digit());
            if shaped && rest[5..].starts_with('"') {
                codes.insert(code);
            }
        }
    }
    codes
}

fn missing(from: &BTreeSet<String>, wanted: &BTreeSet<String>) -> Vec<String> {
    wanted.difference(from).cloned().collect()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let pages: BTreeSet<String> = pages().unwrap().into_iter().map(|p| p.code).collect();
    let codes = codes_in_source();
    assert!(!codes.is_empty(), "no code found in crates/: has the form of the literals changed?");
    assert_eq!(missing(&pages, &codes), Vec::<String>::new(), "codes without a page in docs/errors");
    assert_eq!(missing(&codes, &pages), Vec::<String>::new(), "pages of codes that no source mentions");
}

#[test]
fn every_code_is_shown_and_has_a_page() {
    let all = pages().unwrap();
    let pages: BTreeSet<String> = all.iter().map(|p| p.code.clone()).collect();
    let shown: BTreeSet<String> = all_shown().unwrap().into_iter().map(|s| s.code).collect();
    assert_eq!(missing(&pages, &shown), Vec::<String>::new(), "shown in tests/ui, but without a page");
    let provokable = all.iter().filter(|p| !about_the_machine(p)).map(|p| p.code.clone()).collect();
    assert_eq!(missing(&shown, &provokable), Vec::<String>::new(), "pages of codes that no case of tests/ui shows");
}

#[test]
fn enough_distinct_diagnostics_are_shown() {
    let shown = all_shown().unwrap();
    println!("{} distinct diagnostics", shown.len());
    assert!(shown.len() >= DISTINCT, "tests/ui shows {} distinct diagnostics, fewer than {DISTINCT}", shown.len());
}

/// What is wrong with the programs of a page.
fn wrong_programs(page: &Page) -> Vec<String> {
    let mut wrong = vec![];
    let scratch = tempfile::tempdir().expect("a scratch directory");
    for block in page.blocks.iter().filter(|b| b.info.split_whitespace().next() == Some("cyc")) {
        let file = scratch.path().join("example.cyc");
        std::fs::write(&file, &block.text).expect("the scratch directory is writable");
        // As in tests/ui, the first line may ask for more arguments.
        let flags = block.text.lines().next().and_then(|line| line.strip_prefix("// flags:")).unwrap_or_default();
        let ran = Job::cyc().arg("check").args(flags.split_whitespace()).arg(&file).env("NO_COLOR", "1").run();
        let stderr = ran.err();
        let reported = stderr.contains(&format!("[{}]", page.code));
        let kind = block.info.split_whitespace().nth(1).unwrap_or_default();
        let good = match kind {
            "wrong" => ran.status == i32::from(page.code.starts_with('E')) && reported,
            "right" => ran.status == 0 && !reported,
            _ => false,
        };
        if !good || crash_text(&stderr).is_some() {
            let (line, status) = (block.line, ran.status);
            wrong.push(format!("{}:{line}: `cyc {kind}` got status {status}:\n{stderr}", page.path.display()));
        }
    }
    wrong
}

#[test]
fn the_programs_of_the_pages_are_judged_as_they_say() {
    let wrong: Vec<String> = pages().unwrap().iter().flat_map(wrong_programs).collect();
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn pages_have_the_form_and_explain_prints_them() {
    for page in pages().unwrap() {
        let path = page.path.display();
        assert!(page.title.starts_with(&format!("# {}: ", page.code)), "{path}: the first line is {:?}", page.title);
        let kinds = |kind: &str| page.blocks.iter().any(|b| b.info == format!("cyc {kind}"));
        let exempt = about_the_machine(&page);
        assert!(exempt || kinds("wrong") && kinds("right"), "{path} needs a wrong and a right program");
        let ran = Job::cyc().args(["explain", &page.code]).run();
        let text = std::fs::read_to_string(&page.path).unwrap();
        assert_eq!((ran.status, ran.out().trim()), (0, text.trim()), "cyc explain {}", page.code);
    }
}

/// What the library's header says.
fn header(name: &str) -> Header {
    let path = root().join("lib/include").join(name);
    scan(name, &std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// What the header says, and those of ours that it includes.
fn with_included(name: &str) -> Vec<Header> {
    let folder = root().join("lib/include");
    let text = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let included = text.lines().filter_map(|line| line.strip_prefix("#include <")?.strip_suffix('>'));
    let ours = included.filter(|included| folder.join(included).exists());
    std::iter::once(name).chain(ours).map(header).collect()
}

/// What `cyc check` says to these lines below `#include` of the header; None if it accepts them.
fn complaint(header: &str, lines: &str) -> Option<String> {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let file = scratch.path().join("hint.cyc");
    let using = if header == "core.h" { "using Core;" } else { "" };
    std::fs::write(&file, format!("#include <{header}>\n{using}\n{lines}")).expect("the scratch directory is writable");
    let ran = Job::cyc().arg("check").arg(&file).env("NO_COLOR", "1").run();
    (ran.status != 0).then(|| format!("{header}: {}", ran.err()))
}

#[test]
fn hints_name_headers_that_declare_what_they_say() {
    let mut wrong = vec![];
    for (name, names) in NAMES {
        let pages = with_included(name);
        let items = pages.iter().flat_map(|page| &page.groups).flat_map(|group| &group.items);
        let declared: BTreeSet<&str> = items.map(|item| item.name.as_str()).collect();
        // Macros may come from a header of C's that it includes.
        let others: Vec<&str> = names.iter().copied().filter(|name| !declared.contains(name)).collect();
        let defined = |name: &&str| format!("#ifndef {name}\n#error {name}\n#endif\n");
        if !others.is_empty() {
            wrong.extend(complaint(name, &others.iter().map(defined).collect::<String>()));
        }
    }
    for (name, types) in TYPES {
        wrong.extend(complaint(name, &types.iter().map(|ty| format!("{ty} *a_{ty};\n")).collect::<String>()));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn hints_know_every_namespace_of_the_library() {
    let folder = root().join("lib/include");
    let mut declared = BTreeSet::new();
    for path in files_below(&folder, ".h") {
        let name = path.strip_prefix(&folder).expect("found below it").to_string_lossy().into_owned();
        let groups = header(&name).groups;
        declared.extend(groups.into_iter().filter(|g| !g.namespace.is_empty()).map(|g| (g.namespace, name.clone())));
    }
    // It adds to the namespace of `core.h`.
    declared.remove(&("Core".into(), "drseq.h".into()));
    let known: BTreeSet<_> = NAMESPACES.iter().map(|(path, header)| (path.to_string(), header.to_string())).collect();
    assert_eq!(known, declared);
}
