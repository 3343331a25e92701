//! The files that the compiler carries with it: run time, library, error pages.

include!(concat!(env!("OUT_DIR"), "/embedded_files.rs"));

/// Files below a folder of the repository, with their paths from the repository's root.
pub fn below(folder: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> + '_ {
    FILES.iter().copied().filter(move |(path, _)| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
}

/// The page that explains a diagnostic's code, as Markdown.
pub fn error_page(code: &str) -> Option<&'static str> {
    let path = format!("docs/errors/{code}.md");
    let (_, bytes) = FILES.iter().find(|(name, _)| *name == path)?;
    std::str::from_utf8(bytes).ok()
}

/// The codes that have a page.
pub fn error_codes() -> impl Iterator<Item = &'static str> {
    below("docs/errors").filter_map(|(path, _)| {
        let code = path.strip_prefix("docs/errors/")?.strip_suffix(".md")?;
        code.starts_with(['E', 'W']).then_some(code)
    })
}

/// What teaches gdb the types of Cyclone.
pub fn gdb_script() -> Option<&'static str> {
    let (_, bytes) = FILES.iter().find(|(name, _)| *name == "runtime/gdb/cyclone.py")?;
    std::str::from_utf8(bytes).ok()
}
