//! `cyc cc`: gcc's command line for a mix of `.c`, `.cyc` and `.o` files.
//!
//! Cyclone sources become objects; everything else, and every flag that is not ours to read, goes
//! to the C compiler as it stands and in its place.

use crate::cc::is_cyclone;
use crate::compile::{Session, Verdict};
use crate::options::Options;
use crate::problem::Problem;
use crate::report::Report;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How far compilation goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Preprocess,
    Assembly,
    Object,
    Program,
}

/// gcc's arguments, sorted by what they mean to us.
#[derive(Debug)]
struct Arguments {
    stage: Stage,
    out: Option<PathBuf>,
    /// Inputs and linker flags in their order (the order matters to the linker).
    inputs: Vec<String>,
    /// What `-x` said of inputs, by number.
    languages: BTreeMap<usize, String>,
    options: Options,
    /// `-M…` flags: dependencies are the preprocessor's work.
    dependencies: Vec<String>,
}

/// Flags whose value is the next argument.
const TAKES_VALUE: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-isystem",
    "-idirafter",
    "-iquote",
    "-include",
    "-imacros",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-L",
    "-l",
    "-x",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-T",
    "-u",
    "-z",
    "-MF",
    "-MT",
    "-MQ",
    "-arch",
    "-B",
    "--param",
];

fn sort(args: &[String]) -> Result<Arguments, Problem> {
    let mut sorted = Arguments {
        stage: Stage::Program,
        out: None,
        inputs: vec![],
        languages: BTreeMap::new(),
        options: Options::default(),
        dependencies: vec![],
    };
    let mut language = None;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let mut words = vec![arg.clone()];
        if TAKES_VALUE.contains(&arg.as_str()) {
            words.push(rest.next().ok_or_else(|| Problem::usage(format!("`{arg}` needs a value")))?.clone());
        }
        match arg.as_str() {
            "-o" => {
                let value = rest.next().ok_or_else(|| Problem::usage("`-o` needs a file name"))?;
                sorted.out = Some(value.into());
            }
            a if a.starts_with("-x") => {
                let name = words.get(1).map_or(&a[2..], String::as_str);
                language = (name != "none").then(|| name.to_owned());
            }
            "-c" => sorted.stage = Stage::Object,
            "-S" => sorted.stage = Stage::Assembly,
            "-E" => sorted.stage = Stage::Preprocess,
            "--no-elim" => sorted.options.keep_checks = true,
            "--assert-removed" => sorted.options.assert_removed = true,
            "--verify" => sorted.options.verify = true,
            "--nochecks" => sorted.options.omit_checks(true, true),
            "--nonullchecks" => sorted.options.omit_checks(true, false),
            "--memory-profile" => sorted.options.tell_memory_profile(),
            "--gc=none" => sorted.options.leave_out_collector(),
            "--gc=mark-sweep" => {}
            a if a.starts_with("--gc=") => return Err(Problem::usage("`--gc` is `mark-sweep` or `none`")),
            "-Wlose-unique" => sorted.options.warn_leaks = true,
            "-Woverride" => sorted.options.warn_override = true,
            "--allow-asm" => sorted.options.allow_asm = true,
            "--noboundschecks" => sorted.options.omit_checks(false, true),
            a if a.starts_with("-M") => sorted.dependencies.extend(words),
            a if ["-I", "-D", "-U", "-i", "-Xpreprocessor", "-Wp,"].iter().any(|p| a.starts_with(p)) => {
                sorted.options.cpp_flags.extend(words);
            }
            a if ["-L", "-l", "-Wl,", "-Xlinker", "-T", "-u", "-z"].iter().any(|p| a.starts_with(p)) => {
                sorted.inputs.extend(words)
            }
            a if a.starts_with('-') && a.len() > 1 => sorted.options.cc_flags.extend(words),
            _ => {
                let said = language.iter().filter(|_| !is_cyclone(Path::new(arg)));
                sorted.languages.extend(said.map(|language: &String| (sorted.inputs.len(), language.clone())));
                sorted.inputs.push(arg.clone());
            }
        }
    }
    Ok(sorted)
}

/// Flags for compiling and linking, without files.
///
/// # Errors
/// A flag lacks its value.
pub fn options(flags: &[String]) -> Result<Options, Problem> {
    let sorted = sort(flags)?;
    Ok(Options { link_flags: sorted.inputs, ..sorted.options })
}

fn is_source(input: &str) -> bool {
    !input.starts_with('-')
        && Path::new(input)
            .extension()
            .is_some_and(|e| ["cyc", "c", "i", "s", "S", "cc", "cpp", "cxx", "C"].iter().any(|known| e == *known))
}

/// Runs `cyc cc` with gcc's arguments.
pub fn run(args: &[String], report: &dyn Report) -> Verdict {
    let opened = sort(args).and_then(|sorted| {
        let options = sorted.options.clone();
        Ok((sorted, Session::open(options, report)?))
    });
    let (sorted, session) = match opened {
        Ok(opened) => opened,
        Err(problem) => {
            report.problem(&problem);
            return Verdict::Environment;
        }
    };
    let has_cyclone = sorted.inputs.iter().any(|i| !i.starts_with('-') && is_cyclone(Path::new(i)));
    // Questions such as `--version` or `-print-prog-name`, and pure C, are the C compiler's business,
    // except that programs link with our run time.
    if sorted.inputs.is_empty() || (!has_cyclone && sorted.stage != Stage::Program) {
        return pass_on(&session, args);
    }
    match sorted.stage {
        Stage::Program => program(&session, &sorted),
        stage => each(&session, &sorted, stage),
    }
}

/// The C compiler takes over.
fn pass_on(session: &Session, args: &[String]) -> Verdict {
    match session.cc.command().args(args).status() {
        Ok(status) if status.success() => Verdict::Done,
        Ok(_) => Verdict::Rejected,
        Err(e) => {
            session.report.problem(&Problem::cannot_run(&session.cc.path.to_string_lossy(), &e));
            Verdict::Environment
        }
    }
}

/// `-c`, `-S`, `-E`: one output for each source.
fn each(session: &Session, sorted: &Arguments, stage: Stage) -> Verdict {
    let sources: Vec<&String> = sorted.inputs.iter().filter(|i| is_source(i)).collect();
    if sorted.out.is_some() && sources.len() > 1 {
        session.report.problem(&Problem::usage("`-o` names one file, but there are several sources"));
        return Verdict::Environment;
    }
    let mut verdict = Verdict::Done;
    for source in sources {
        let source = Path::new(source);
        let (kind, ending) = if stage == Stage::Assembly { ("-S", "s") } else { ("-c", "o") };
        let target = sorted
            .out
            .clone()
            .unwrap_or_else(|| PathBuf::from(source.file_name().unwrap_or_default()).with_extension(ending));
        let done = match stage {
            Stage::Preprocess => preprocess_only(session, sorted, source),
            _ => session.publish_object(source, &target, kind, &dependency_flags(sorted, source, &target)),
        };
        verdict = done.err().unwrap_or(verdict);
    }
    verdict
}

/// gcc derives the rule's target and the dependency file from the output's name; our preprocessor run
/// has another output, so both are said explicitly.
fn dependency_flags(sorted: &Arguments, source: &Path, target: &Path) -> Vec<String> {
    let mut flags = sorted.dependencies.clone();
    let wanted = flags.iter().any(|f| f == "-MD" || f == "-MMD");
    if wanted && is_cyclone(source) {
        if !flags.iter().any(|f| f == "-MF") {
            flags.extend(["-MF".into(), target.with_extension("d").to_string_lossy().into_owned()]);
        }
        if !flags.iter().any(|f| f == "-MT" || f == "-MQ") {
            flags.extend(["-MT".into(), target.to_string_lossy().into_owned()]);
        }
    }
    flags
}

/// `-E` on a Cyclone file: our headers first, otherwise the C compiler's own work.
fn preprocess_only(session: &Session, sorted: &Arguments, source: &Path) -> Result<(), Verdict> {
    let mut args: Vec<String> = ["-E", "-x", "c", "-D__CYCLONE__=1"].map(String::from).into();
    args.extend(sorted.options.cpp_flags.iter().cloned());
    args.extend(sorted.dependencies.iter().cloned());
    args.extend(["-isystem".into(), session.home.library_headers().to_string_lossy().into_owned()]);
    args.push(source.to_string_lossy().into_owned());
    if let Some(out) = &sorted.out {
        args.extend(["-o".into(), out.to_string_lossy().into_owned()]);
    }
    match session.cc.command().args(&args).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Verdict::Rejected),
        Err(e) => {
            session.report.problem(&Problem::cannot_run(&session.cc.path.to_string_lossy(), &e));
            Err(Verdict::Environment)
        }
    }
}

/// Compiles the sources to temporary objects and links everything in the given order.
fn program(session: &Session, sorted: &Arguments) -> Verdict {
    let folder = match tempfile::Builder::new().prefix("cyc-").tempdir() {
        Ok(folder) => folder,
        Err(e) => {
            session.report.problem(&Problem::cannot_write(&std::env::temp_dir(), &e));
            return Verdict::Environment;
        }
    };
    let mut linked = vec![];
    for (i, input) in sorted.inputs.iter().enumerate() {
        let language = sorted.languages.get(&i);
        if language.is_none() && !is_source(input) {
            linked.push(input.clone());
            continue;
        }
        let object = folder.path().join(format!("{i}.o"));
        let said = language.into_iter().flat_map(|language| ["-x".to_owned(), language.clone()]);
        let flags: Vec<String> = sorted.dependencies.iter().cloned().chain(said).collect();
        if let Err(verdict) = session.object(Path::new(input), &object, "-c", &flags) {
            return verdict;
        }
        linked.push(object.to_string_lossy().into_owned());
    }
    let target = sorted.out.clone().unwrap_or_else(|| PathBuf::from("a.out"));
    session.link(&linked, &target).err().unwrap_or(Verdict::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_sorted_and_values_stay_with_their_flags() {
        let args: Vec<String> =
            ["-O2", "-I", "inc", "-DX=1", "a.cyc", "b.c", "-lm", "-o", "prog", "-MD", "-fPIC"].map(String::from).into();
        let sorted = sort(&args).unwrap();
        assert_eq!(sorted.inputs, ["a.cyc", "b.c", "-lm"]);
        assert_eq!(sorted.options.cpp_flags, ["-I", "inc", "-DX=1"]);
        assert_eq!(sorted.options.cc_flags, ["-O2", "-fPIC"]);
        assert_eq!(sorted.out, Some("prog".into()));
        assert_eq!(sorted.dependencies, ["-MD"]);
        assert!(sort(&["-o".into()]).is_err());
        let args: Vec<String> = ["-x", "c", "-", "a.cyc", "-x", "none", "b.o", "-xc++", "c"].map(String::from).into();
        let sorted = sort(&args).unwrap();
        assert_eq!(sorted.inputs, ["-", "a.cyc", "b.o", "c"]);
        assert_eq!(sorted.languages, [(0, "c".to_string()), (3, "c++".to_string())].into());
        assert!(sorted.options.cc_flags.is_empty());
    }
}
