//! The library's modules, `lib/src/*.cyc`: each is compiled when the first program needs it, and kept in the cache.
//!
//! Which modules a program needs is seen from the symbols that its objects leave open. A module with a namespace has
//! its name, but for the case of letters; the symbol tells the namespace. Of the few modules without one, those
//! are taken that mention the symbol.

use crate::cc::CCompiler;
use crate::compile::Session;
use crate::options::{Options, Profile};
use crate::problem::Problem;
use crate::report::Report;
use crate::runtime::{Home, MEMORY_PROFILE};
use crate::{cache, embedded, interface, parallel};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The modules whose names are at top level, with their text.
static AT_TOP_LEVEL: LazyLock<Vec<(&str, Cow<str>)>> = LazyLock::new(|| {
    let modules = embedded::FILES.iter().filter_map(|(path, bytes)| {
        let module = path.strip_prefix("lib/src/")?.strip_suffix(".cyc")?;
        Some((module, String::from_utf8_lossy(bytes)))
    });
    modules.filter(|(_, text)| !text.lines().any(|line| line.starts_with("namespace "))).collect()
});
/// The run time itself raises its exceptions: it is in every archive ([`Home::archive`]).
pub(crate) const ALWAYS: &str = "core";

fn source(module: &str) -> Option<&'static [u8]> {
    let path = format!("lib/src/{module}.cyc");
    embedded::FILES.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
}

/// The Cyclone name in a symbol: `Cyc_NAME`, or that of a variant of `exn`, `_cycX3exn9List$$Nth`, where lengths go before
/// the words and more may follow.
fn name_in(symbol: &str) -> Option<&str> {
    let Some(variant) = symbol.strip_prefix("_cycX") else { return symbol.strip_prefix("Cyc_") };
    let word = |text: &'_ str| -> Option<(usize, usize)> {
        let digits = text.find(|c: char| !c.is_ascii_digit())?;
        Some((digits, digits + text[..digits].parse::<usize>().ok()?))
    };
    let (_, end) = word(variant)?;
    let rest = variant.get(end..)?;
    let (start, end) = word(rest)?;
    rest.get(start..end)
}

/// The modules that may define a symbol.
fn owners(symbol: &str) -> Vec<String> {
    let Some(name) = name_in(symbol) else { return vec![] };
    if let Some((namespace, _)) = name.split_once("$$") {
        let module = namespace.to_lowercase();
        return if source(&module).is_some() { vec![module] } else { vec![] };
    }
    let name = name.split('$').next().unwrap_or_default();
    let mentions = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    let modules = AT_TOP_LEVEL.iter().filter(|(_, text)| mentions(text));
    modules.map(|(module, _)| module.to_string()).collect()
}

/// The objects of the modules that the files behind `inputs` need, and of those that these need.
///
/// # Errors
/// A module does not compile, or the cache cannot be written.
pub(crate) fn needed(session: &Session, inputs: &[&Path]) -> Result<Vec<PathBuf>, Problem> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut objects: Vec<PathBuf> = vec![];
    loop {
        let all: Vec<&Path> = inputs.iter().copied().chain(objects.iter().map(PathBuf::as_path)).collect();
        let wanted: BTreeSet<String> = interface::open_symbols(&all).iter().flat_map(|s| owners(s)).collect();
        let new: Vec<String> = wanted.difference(&names).cloned().collect();
        if new.is_empty() {
            return Ok(objects);
        }
        let compiled = parallel::map(&new, |_, module| object(session, module));
        objects.extend(compiled.into_iter().collect::<Result<Vec<_>, _>>()?);
        names.extend(new);
    }
}

/// The object of a module, compiled if this compiler and these flags are new.
fn object(session: &Session, module: &str) -> Result<PathBuf, Problem> {
    let Session { home, cc, options, .. } = session;
    let flags: Vec<&str> = options.codegen_flags().map(String::as_str).collect();
    let wide = if options.wide_fat_pointers { "wide" } else { "" };
    let key = cache::key(&[&home.root.to_string_lossy(), &cc.fingerprint(), &flags.join("\0"), wide]);
    let name = format!("{module}.o");
    let folder = cache::entry(&format!("module-{module}-{key}"), |place| {
        session
            .report
            .progress(&format!("compiling the library's module `{module}` (once for this compiler and these flags)"));
        compile(home, cc, options, &home.root.join(format!("lib/src/{module}.cyc")), &place.join(&name))
    })?;
    Ok(folder.join(name))
}

/// Compiles a module of the library to an object file.
pub(crate) fn compile(
    home: &Home,
    cc: &CCompiler,
    options: &Options,
    file: &Path,
    object: &Path,
) -> Result<(), Problem> {
    /// A module that does not compile is a defect of the installation.
    struct Collect(std::sync::Mutex<String>);
    impl Report for Collect {
        fn diagnostics(&self, source: &cyc_base::SourceMap, list: &[cyc_base::Diagnostic], _: usize) {
            let mut text = self.0.lock().unwrap_or_else(|p| p.into_inner());
            for d in list.iter().filter(|d| d.is_error()) {
                let place = source.locate(d.span());
                text.push_str(&format!("{}:{}: {}\n", source.files[place.file].name, place.line, d.message));
            }
        }
        fn problem(&self, problem: &Problem) {
            self.0.lock().unwrap_or_else(|p| p.into_inner()).push_str(&problem.message);
        }
        fn progress(&self, _: &str) {}
    }
    let mut flags: Vec<String> = options.codegen_flags().cloned().collect();
    // Under a sanitizer nobody asks for speed, and compiling takes several times as long.
    let sanitized = flags.iter().any(|flag| flag.starts_with("-fsanitize="));
    flags.extend([if sanitized { "-O1" } else { "-O2" }.into(), "-g1".into()]);
    let profile = match flags.iter().any(|flag| flag == MEMORY_PROFILE) {
        true => Profile::Library,
        false => Profile::Off,
    };
    let options =
        Options { profile, cc_flags: flags, wide_fat_pointers: options.wide_fat_pointers, ..Options::default() };
    let report = Collect(std::sync::Mutex::default());
    let session = Session { home: home.clone(), cc: cc.clone(), options, report: &report };
    let result = session.object(file, object, "-c", &[]);
    let said = report.0.lock().unwrap_or_else(|p| p.into_inner()).clone();
    result.map_err(|_| Problem::c_compiler_failed(&file.to_string_lossy(), &said))
}

#[cfg(test)]
mod tests {
    use super::owners;

    #[test]
    fn symbols_tell_their_modules() {
        assert_eq!(owners("Cyc_List$$map$4$8"), ["list"]);
        assert_eq!(owners("_cycX3exn9List$$Nth"), ["list"]);
        assert_eq!(owners("_cycX3exn13FileOpenError_434702aa"), ["stdio"]);
        assert_eq!(owners("Cyc_Nowhere$$f"), [""; 0]);
        assert_eq!(owners("strlen"), [""; 0]);
    }
}
