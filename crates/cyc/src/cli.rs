//! Subcommands and options.

use crate::render::{Format, Terminal};
use crate::{doc, explain, gdb, profile, project, run, status};
use clap::{Args, Parser, Subcommand, ValueEnum};
use cyc_driver::options::Profile;
use cyc_driver::{Emit, Options, Problem, Report, Session, Verdict};
use std::path::PathBuf;
use std::process::ExitCode;

/// Cyclone, the safe C: checks programs, compiles them through C, and runs them.
#[derive(Parser)]
#[command(name = "cyc", version, about, subcommand_required = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start a project: a folder with a `cyc.toml`, a program and a test
    New {
        /// The folder to make; its last part is the name of the project
        name: PathBuf,
    },
    /// Compile a program, or the project, and run it
    Run {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        project: Project,
        /// When the program ends, draw where its memory went: OUT.html, OUT.svg or OUT.json
        #[arg(long, value_name = "OUT")]
        memory_profile: Option<PathBuf>,
        /// Which program of the project
        #[arg(long, value_name = "NAME")]
        program: Option<String>,
        /// Source files (.cyc, .c, .o); none: the project that the current folder lies in
        files: Vec<PathBuf>,
        /// Arguments of the program, after `--`
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Build the project, compile and link a program, or compile objects with -c
    Build {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        project: Project,
        /// Source files (.cyc, .c, .o); none: the project that the current folder lies in
        files: Vec<PathBuf>,
        /// The file to make
        #[arg(short = 'o', value_name = "OUT")]
        out: Option<PathBuf>,
        /// Let the program draw where its memory went when it is run with CYC_MEMORY_PROFILE=OUT.html (.svg, .json)
        #[arg(long)]
        memory_profile: bool,
        /// Compile to an object file, do not link
        #[arg(short = 'c')]
        object: bool,
    },
    /// Build and run the tests of the project: the programs `tests/*.cyc`
    Test {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        project: Project,
        /// Draw where the memory of each test went: OUT-NAME.html, OUT-NAME.svg or OUT-NAME.json
        #[arg(long, value_name = "OUT")]
        memory_profile: Option<PathBuf>,
        /// Only the tests whose names contain this
        #[arg(default_value = "")]
        filter: String,
    },
    /// Check programs without compiling them
    Check {
        #[command(flatten)]
        common: Common,
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Where `--emit` prints to, instead of standard output
        #[arg(short = 'o', value_name = "OUT")]
        out: Option<PathBuf>,
    },
    /// Draw a memory profile, as a program wrote it
    Profile {
        /// The profile: JSON
        file: PathBuf,
        /// The picture: OUT.html or OUT.svg
        #[arg(short = 'o', value_name = "OUT")]
        out: PathBuf,
    },
    /// Make pages of documentation from the comments in headers
    Doc {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        project: Project,
        #[command(flatten)]
        doc: doc::Subjects,
    },
    /// Explain the code of an error or a warning
    Explain {
        /// For example E0412
        code: String,
    },
    /// Debug a program built with -g: gdb, told to trust the printers that the program carries
    Gdb {
        /// gdb's arguments; the program among them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Act as the C compiler for .c, .cyc and .o files, with gcc's flags: CC="cyc cc"
    #[command(name = "cc")]
    Cc {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Collector {
    MarkSweep,
    None,
}

#[derive(Clone, Copy, ValueEnum)]
enum EmitArg {
    Tokens,
    Ast,
    Typed,
    Mir,
    C,
}

/// What only the build of a project reads.
#[derive(Args)]
pub struct Project {
    /// How many compilers run at a time; as many as there are processors if it is not given
    #[arg(short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Where everything that is made goes, relative to the project
    #[arg(long, value_name = "DIR", default_value = "build")]
    pub build_dir: PathBuf,
}

#[derive(Args)]
pub struct Common {
    /// Print a form of the program instead of compiling it further
    #[arg(long, value_name = "FORM")]
    emit: Option<EmitArg>,
    /// How diagnostics are printed
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: Format,
    /// Show so many diagnostics of a file, errors first (50; 0: all; with JSON all)
    #[arg(long, value_name = "N")]
    max_errors: Option<usize>,
    /// Optimisation level of the C compiler
    #[arg(short = 'O', value_name = "LEVEL")]
    optimise: Option<String>,
    /// Debugging information
    #[arg(short = 'g')]
    debug: bool,
    /// Search headers in this folder
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,
    /// Search libraries in this folder
    #[arg(short = 'L', value_name = "DIR")]
    library_path: Vec<String>,
    /// Link with a library
    #[arg(short = 'l', value_name = "LIB")]
    library: Vec<String>,
    /// A `-f…` flag of the C compiler, such as -fsanitize=address
    #[arg(short = 'f', value_name = "FLAG", allow_hyphen_values = true)]
    flag: Vec<String>,
    /// A `-m…` flag of the C compiler
    #[arg(short = 'm', value_name = "FLAG")]
    machine: Vec<String>,
    /// A `-W…` flag of the C compiler; `-Wlose-unique` warns of unique and counted pointers that are lost, `-Woverride`
    /// of local declarations that hide others
    #[arg(short = 'W', value_name = "FLAG")]
    warn: Vec<String>,
    /// Keep every run-time check, even those proved needless
    #[arg(long)]
    no_elim: bool,
    /// Keep those proved needless as assertions about the compiler: the program ends where one fails
    #[arg(long)]
    assert_removed: bool,
    /// Let the compiler verify what each of its passes makes of the program
    #[arg(long)]
    verify: bool,
    /// Make no null checks and no bounds checks (unsafe)
    #[arg(long = "nochecks")]
    no_checks: bool,
    /// Make no null checks (unsafe)
    #[arg(long = "nonullchecks")]
    no_null_checks: bool,
    /// Make no bounds checks (unsafe)
    #[arg(long = "noboundschecks")]
    no_bounds_checks: bool,
    /// Print the checks left in each function, by source line
    #[arg(long)]
    report_checks: bool,
    /// Words of a fat pointer: 2, or 3 for objects of 2^31 elements and more (all objects of a program alike)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=3))]
    fat_words: Option<u8>,
    /// The collector of the heap; without one, what would need it is an error
    #[arg(long, value_name = "WHICH", default_value = "mark-sweep")]
    gc: Collector,
    /// Accept `asm` statements, which nothing checks
    #[arg(long)]
    allow_asm: bool,
}

impl Common {
    pub fn emit(&self) -> Option<Emit> {
        self.emit.map(|form| match form {
            EmitArg::Tokens => Emit::Tokens,
            EmitArg::Ast => Emit::Ast,
            EmitArg::Typed => Emit::Typed,
            EmitArg::Mir => Emit::Mir,
            EmitArg::C => Emit::C,
        })
    }

    pub fn message_format(&self) -> Format {
        self.message_format
    }

    /// The options for the driver; `default_level` where the user gave no `-O`.
    fn options(&self, default_level: &str) -> Options {
        let mut options = self.asked();
        // Line tables cost little and give backtraces their lines.
        options.cc_flags.splice(0..0, [format!("-O{default_level}"), "-g1".into()]);
        options
    }

    /// What was asked for, and nothing else.
    pub fn asked(&self) -> Options {
        let spell = |flag: &str, values: &[String]| values.iter().map(|v| format!("-{flag}{v}")).collect::<Vec<_>>();
        let mut cc_flags: Vec<String> = self.optimise.iter().map(|level| format!("-O{level}")).collect();
        cc_flags.extend(self.debug.then(|| "-g".into()));
        let own = |flag: &&String| [LEAK_WARNINGS, OVERRIDE_WARNINGS].contains(&flag.as_str());
        let c_warnings: Vec<String> = self.warn.iter().filter(|flag| !own(flag)).cloned().collect();
        cc_flags.extend([spell("f", &self.flag), spell("m", &self.machine), spell("W", &c_warnings)].concat());
        cc_flags.extend(self.fat_words.map(|words| format!("-DCYC_FAT_WORDS={words}")));
        let mut options = Options {
            cpp_flags: [spell("I", &self.include), spell("D", &self.define), spell("U", &self.undefine)].concat(),
            cc_flags,
            link_flags: [spell("L", &self.library_path), spell("l", &self.library)].concat(),
            keep_checks: self.no_elim,
            assert_removed: self.assert_removed,
            verify: self.verify,
            no_null_checks: self.no_checks || self.no_null_checks,
            no_bounds_checks: self.no_checks || self.no_bounds_checks,
            report_checks: self.report_checks,
            allow_asm: self.allow_asm,
            warn_leaks: self.warn.iter().any(|flag| flag == LEAK_WARNINGS),
            max_errors: self.max_errors.or((self.message_format == Format::Json).then_some(0)),
            warn_override: self.warn.iter().any(|flag| flag == OVERRIDE_WARNINGS),
            wide_fat_pointers: self.fat_words == Some(3),
            no_collector: false,
            profile: Profile::Off,
        };
        if self.gc == Collector::None {
            options.leave_out_collector();
        }
        options
    }
}

/// Ours, not the C compiler's.
const LEAK_WARNINGS: &str = "lose-unique";
const OVERRIDE_WARNINGS: &str = "override";

pub fn main(args: Vec<String>) -> ExitCode {
    let cli = Cli::try_parse_from(args).unwrap_or_else(|e| e.exit());
    match &cli.command {
        Command::Explain { code } => explain::explain(code),
        Command::Gdb { args } => gdb::gdb(args),
        Command::Cc { args } => status(cyc_driver::gcc_style::run(args, &Terminal::plain())),
        Command::Check { common, files, out } => {
            in_session(common, "0", false, |session| status(session.check(files, common.emit(), out.as_deref())))
        }
        Command::Doc { common, project, doc } => doc::doc(common, project, doc),
        Command::New { name } => project::create(name),
        Command::Profile { file, out } => profile::draw_file(file, out),
        Command::Test { common, project, memory_profile, filter } => {
            project::test(common, project, memory_profile.as_deref(), filter)
        }
        Command::Build { common, project, files, out, memory_profile, object } if files.is_empty() => {
            project::build(common, project, *memory_profile, out.is_some() || *object)
        }
        Command::Run { common, project, memory_profile, program, files, args } if files.is_empty() => {
            project::run(common, project, memory_profile.as_deref(), program.as_deref(), args)
        }
        Command::Build { common, files, out, memory_profile, object, .. } => {
            in_session(common, "0", *memory_profile, |session| {
                status(build(session, files, out.as_ref(), *object, common.emit()))
            })
        }
        Command::Run { common, memory_profile, files, args, .. } => {
            in_session(common, "2", memory_profile.is_some(), |session| match common.emit() {
                Some(form) => status(session.check(files, Some(form), None)),
                None => run::run(session, files, args, memory_profile.as_deref()),
            })
        }
    }
}

/// `profiled`: the program shall tell a memory profile where it allocates.
fn in_session(
    common: &Common,
    default_level: &str,
    profiled: bool,
    work: impl FnOnce(&Session) -> ExitCode,
) -> ExitCode {
    let mut options = common.options(default_level);
    if profiled {
        options.tell_memory_profile();
    }
    work_with(&Terminal::new(common.message_format), options, work, status)
}

/// Opens a session, works in it, and ends with the summary; `ended` makes a result of a session that cannot be opened.
fn work_with<T>(
    terminal: &Terminal,
    options: Options,
    work: impl FnOnce(&Session) -> T,
    ended: impl FnOnce(Verdict) -> T,
) -> T {
    let result = match Session::open(options, terminal) {
        Ok(session) => work(&session),
        Err(problem) => {
            terminal.problem(&problem);
            ended(Verdict::Environment)
        }
    };
    terminal.summary();
    result
}

/// How a check in this process ended.
pub struct Checked {
    pub verdict: Verdict,
    /// What `cyc check` prints to standard error.
    pub stderr: String,
}

/// What `cyc check ARGS` does, without a process of its own.
///
/// # Errors
/// The arguments are wrong, or ask for something on standard output.
pub fn check(args: &[&str]) -> Result<Checked, String> {
    let cli = Cli::try_parse_from(["cyc", "check"].iter().chain(args)).map_err(|e| e.to_string())?;
    let Command::Check { common, files, out: None } = &cli.command else {
        return Err(format!("`cyc check {}` writes a file", args.join(" ")));
    };
    if common.emit().is_some() || common.report_checks {
        return Err(format!("`cyc check {}` prints to standard output", args.join(" ")));
    }
    let terminal = Terminal::keeping(common.message_format);
    let check = |session: &Session| session.check(files, None, None);
    let verdict = work_with(&terminal, common.options("0"), check, |verdict| verdict);
    Ok(Checked { verdict, stderr: terminal.into_kept() })
}

fn build(session: &Session, files: &[PathBuf], out: Option<&PathBuf>, object: bool, emit: Option<Emit>) -> Verdict {
    if emit.is_some() {
        return session.check(files, emit, out.map(PathBuf::as_path));
    }
    if !object {
        return session.build(files, out.map_or("a.out".as_ref(), PathBuf::as_path));
    }
    if out.is_some() && files.len() > 1 {
        session.report.problem(&Problem::usage("`-o` names one file, but `-c` was given several sources"));
        return Verdict::Environment;
    }
    session.build_objects(files, out.map(PathBuf::as_path))
}
