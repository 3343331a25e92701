//! What can go wrong outside of the program being compiled: files, processes, the machine.

use std::io;
use std::path::Path;

/// A problem of the environment; the command exits with status 2. (A program that is rejected has
/// [`cyc_base::Diagnostic`]s instead, and status 1.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub code: &'static str,
    pub message: String,
    pub notes: Vec<String>,
    pub help: Option<String>,
}

impl Problem {
    fn new(code: &'static str, message: String) -> Problem {
        Problem { code, message, notes: vec![], help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    fn note(mut self, note: impl Into<String>) -> Problem {
        self.notes.push(note.into());
        self
    }

    pub fn cannot_read(path: &Path, error: &io::Error) -> Problem {
        let problem = Problem::new("E0090", format!("cannot read `{}`: {}", path.display(), reason(error)));
        match error.kind() {
            io::ErrorKind::NotFound => problem.help("check the path; it is relative to the current folder"),
            io::ErrorKind::IsADirectory => problem.help("name a source file inside the folder"),
            _ => problem,
        }
    }

    pub fn cannot_write(path: &Path, error: &io::Error) -> Problem {
        Problem::new("E0091", format!("cannot write `{}`: {}", path.display(), reason(error)))
            .note("nothing was left half-written")
    }

    pub fn no_c_compiler(name: &str) -> Problem {
        Problem::new("E0092", format!("no C compiler: `{name}` was not found"))
            .note("cyc translates to C and needs gcc 12 or clang 14, or newer")
            .help("install gcc or clang, or name the compiler in the environment variable CC")
    }

    pub fn cannot_run(command: &str, error: &io::Error) -> Problem {
        Problem::new("E0093", format!("cannot run `{command}`: {}", reason(error)))
    }

    /// The C compiler rejected C that we generated: our mistake, never the user's. But a flag that it does not know is theirs.
    pub fn backend_failed(cc: &Path, status: &str, kept: &Path, output: &str) -> Problem {
        const UNKNOWN: [&str; 3] = ["unrecognized command-line option", "unknown argument: ", "unsupported option "];
        if let Some(line) = output.lines().find(|line| UNKNOWN.iter().any(|words| line.contains(words))) {
            return Problem::usage("neither cyc nor the C compiler knows a flag").note(line);
        }
        Problem::new("E0094", "the C compiler failed on the code that cyc generated".into())
            .note(format!("`{}` ended with {status}", cc.display()))
            .note(first_lines(output, 6))
            .note(format!("the generated C was kept as `{}`", kept.display()))
            .help("if the machine is in order (disk, memory), this is a defect of cyc: please report it")
    }

    /// The verifier refused what we made of a program: our mistake, never the user's.
    pub fn verifier(file: &Path, found: &str) -> Problem {
        Problem::new(
            "E0078",
            format!("this is a bug in cyc: its verifier refused what it made of `{}`", file.display()),
        )
        .note(found)
        .help("please report it, with the program; nothing was compiled")
    }

    pub fn link_failed(output: &str) -> Problem {
        Problem::new("E0095", "linking failed".into()).note(first_lines(output, 12))
    }

    /// The code of what needs a collector, told by the front end or by the linker.
    pub const NEEDS_COLLECTOR: &str = "E0715";

    /// Functions of the library, and where they allocate.
    pub fn needs_collector(users: &[(String, String)]) -> Problem {
        const MOST: usize = 12;
        let problem = Problem::new(
            Problem::NEEDS_COLLECTOR,
            "the program needs a collector, and `--gc=none` leaves it out".into(),
        );
        let shown = users.iter().take(MOST);
        let problem = shown.fold(problem, |p, (function, place)| {
            let name = readable(function);
            let name = name.split('$').next().unwrap_or_default(); // without its shapes
            p.note(format!("`{name}` allocates on the heap ({place})"))
        });
        let problem = match users.len().saturating_sub(MOST) {
            0 => problem,
            more => problem.note(format!("and {more} more")),
        };
        problem.help("use the forms of these functions that take the handle of a region")
    }

    /// Separately compiled units disagree about something that they share.
    pub fn types_differ(name: &str, sides: [(&str, &str); 2]) -> Problem {
        let shown = readable(name);
        let problem = Problem::new("E0760", format!("`{shown}` has different types in two units"));
        let problem = sides.iter().fold(problem, |p, (unit, ty)| p.note(format!("in `{unit}`: `{ty}`")));
        problem.help("declare it in one header, which both units include; compile both again")
    }

    pub fn definitions_differ(name: &str, one: &str, other: &str) -> Problem {
        let shown = match name.strip_prefix("the length of ") {
            Some(symbol) => format!("the length of `{}` is", readable(symbol)),
            None => format!("`{name}` is defined"),
        };
        Problem::new("E0761", format!("{shown} differently in two units that share it"))
            .note(format!("in `{one}` and in `{other}`"))
            .help("define it in one header, which both units include; compile both again")
    }

    /// `way`: the function that another thread runs, what it mentions, and so on to what it must not touch.
    pub fn thread_touches(place: &str, way: &[&str], touched: &str, is_code: bool) -> Problem {
        let root = way.first().copied().unwrap_or_default();
        let what = match is_code {
            true => format!("`{touched}`, which is not made for several threads"),
            false => format!("the variable `{touched}`, as other threads may"),
        };
        Problem::new("E0767", format!("`{root}` runs in another thread, and may touch {what}"))
            .note(format!("given to another thread at {place}"))
            .note(format!("`{}` mentions `{touched}`", way.join("` mentions `")))
            .help("make the variable `const`, or one for each thread (`__thread`), or pass it in, behind a `Thread::Mutex`")
    }

    pub fn fat_words_differ(one: &str, words: &str, other: &str, others: &str) -> Problem {
        Problem::new("E0762", "the units have fat pointers of different sizes".into())
            .note(format!("`{one}` was compiled with {words} words, `{other}` with {others}"))
            .help("compile all units with the same `--fat-words`")
    }

    /// A file the C compiler was given as it stands (`.c`) did not compile.
    pub fn c_compiler_failed(input: &str, output: &str) -> Problem {
        Problem::new("E0096", format!("the C compiler rejected `{input}`")).note(first_lines(output, 40))
    }

    pub fn preprocessor_failed(input: &Path, output: &str) -> Problem {
        Problem::new("E0097", format!("the preprocessor failed on `{}`", input.display())).note(first_lines(output, 12))
    }

    pub fn too_large(path: &Path) -> Problem {
        Problem::new("E0098", format!("`{}` is larger than 2 GiB after preprocessing", path.display()))
            .help("split the file")
    }

    pub fn no_project(folder: &Path) -> Problem {
        Problem::new("E0085", format!("no `cyc.toml` in `{}` or above it, and no files were given", folder.display()))
            .help("name source files, or start a project with `cyc new NAME`")
    }

    pub fn nothing_to_build(manifest: &str) -> Problem {
        Problem::new("E0085", format!("the project of this `{manifest}` has no sources"))
            .help("put them into the folder `src`, or say where they are: `sources = [\"…\"]` in `[build]`")
    }

    pub fn no_program(wanted: Option<&str>, names: &[&str]) -> Problem {
        let problem = match wanted {
            Some(name) => Problem::new("E0085", format!("the project has no program `{name}`")),
            None if names.is_empty() => Problem::new("E0085", "the project has no program".into()),
            None => Problem::new("E0085", "the project has several programs".into()),
        };
        match names {
            [] => problem.help("write `src/main.cyc`, or name the file with `main` in a table `[[program]]`"),
            names => problem.help(format!("choose one with `--program`: `{}`", names.join("`, `"))),
        }
    }

    pub fn no_pkg_config(tool: &str, error: &io::Error) -> Problem {
        Problem::new(
            "E0086",
            format!("cannot run `{tool}`, which knows the libraries of `cyc.toml`: {}", reason(error)),
        )
        .help("install it (on Debian: `apt-get install pkg-config`), or name another one in PKG_CONFIG")
    }

    pub fn no_library(names: &str, output: &str) -> Problem {
        Problem::new("E0086", format!("pkg-config does not find `{names}`"))
            .note(first_lines(output, 6))
            .help("install the library's development package, or mend `pkg-config` in `cyc.toml`")
    }

    pub fn unfit_name(name: &str, names: &str) -> Problem {
        Problem::new("E0087", format!("`{name}` cannot be the name of a project")).help(names)
    }

    pub fn project_exists(path: &Path) -> Problem {
        Problem::new("E0087", format!("`{}` is there already", path.display()))
            .note("nothing was changed")
            .help("choose another name, or write a `cyc.toml` there yourself")
    }

    pub fn unknown_picture(path: &Path) -> Problem {
        Problem::new("E0079", format!("a memory profile cannot become `{}`", path.display()))
            .help("let the name end in `.html`, `.svg` or `.json`")
    }

    pub fn no_profile(out: &Path) -> Problem {
        Problem::new("E0079", format!("the program left no memory profile: `{}` was not written", out.display()))
            .note("it is written when `main` returns, or the program calls `exit`")
            .note("not when the program is killed or aborted, calls `_exit`, or becomes another program by `exec`")
    }

    pub fn not_a_profile(path: &Path, why: &str) -> Problem {
        Problem::new("E0079", format!("`{}` is not a memory profile: {why}", path.display()))
            .help("programs that are built with `--memory-profile` write one when CYC_MEMORY_PROFILE names a file")
    }

    pub fn usage(message: impl Into<String>) -> Problem {
        Problem::new("E0099", message.into()).help("`cyc help` lists commands and options")
    }
}

/// A symbol as the program writes the name.
fn readable(symbol: &str) -> String {
    symbol.strip_prefix("Cyc_").unwrap_or(symbol).replace("$$", "::")
}

/// The operating system's words without the number that Rust appends.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

fn first_lines(text: &str, count: usize) -> String {
    let mut lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).take(count + 1).collect();
    if lines.len() > count {
        lines[count] = "…";
    }
    if lines.is_empty() { "it printed nothing".into() } else { lines.join("\n") }
}
