//! What the user asked for, independent of how it was spelled.

use crate::runtime::{MEMORY_PROFILE, NO_COLLECTOR};
pub use cyc_emit::Profile;
use std::path::PathBuf;

/// A form of the program to print instead of compiling it further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Emit {
    Tokens,
    Ast,
    Typed,
    Mir,
    C,
}

/// How far the front end goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// To the last error it could report.
    Check,
    /// To a form of the program, printed.
    Print(Emit),
    /// To C.
    C,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-I`, `-D`, `-U`, `-isystem` and other flags of the preprocessor, in order.
    pub cpp_flags: Vec<String>,
    /// Flags of the C compiler for compiling and linking alike: `-O2`, `-g`, `-fsanitize=address`, `-m64`.
    pub cc_flags: Vec<String>,
    /// `-L`, `-l` and other flags of the linker, after the objects.
    pub link_flags: Vec<String>,
    /// `--no-elim`: no check is eliminated.
    pub keep_checks: bool,
    /// `--assert-removed`: checks that are proved needless stay, as assertions about the compiler.
    pub assert_removed: bool,
    /// `--verify`: the verifier of MIR runs after each pass. In debug builds of the compiler it always does.
    pub verify: bool,
    /// Unsafe, `--nonullchecks`: no null check is made.
    pub no_null_checks: bool,
    /// Unsafe, `--noboundschecks`: no bounds check is made.
    pub no_bounds_checks: bool,
    /// `--report-checks`: the checks left in each function are printed.
    pub report_checks: bool,
    /// Fat pointers have three words (the C compiler is told by `-DCYC_FAT_WORDS=3` among its flags).
    pub wide_fat_pointers: bool,
    /// `asm` statements are accepted, with a warning.
    pub allow_asm: bool,
    /// `--gc=none`: no collector is linked, and what would need one is an error.
    pub no_collector: bool,
    /// `--memory-profile`: what the program tells a memory profile (the run time is told by a flag).
    pub profile: Profile,
    /// `-Wlose-unique`: unique and counted pointers that are lost are warned about.
    pub warn_leaks: bool,
    /// `--max-errors`: so many diagnostics of a unit are shown; 0: all.
    pub max_errors: Option<usize>,
    /// `-Woverride`: local declarations that hide others are warned about.
    pub warn_override: bool,
}

impl Options {
    /// These come after others: of what there is one of, what either asks for holds.
    pub fn after(&mut self, first: &Options) {
        self.cpp_flags.splice(0..0, first.cpp_flags.iter().cloned());
        self.cc_flags.splice(0..0, first.cc_flags.iter().cloned());
        self.link_flags.splice(0..0, first.link_flags.iter().cloned());
        self.keep_checks |= first.keep_checks;
        self.verify |= first.verify;
        self.assert_removed |= first.assert_removed;
        self.omit_checks(first.no_null_checks, first.no_bounds_checks);
        self.report_checks |= first.report_checks;
        self.wide_fat_pointers |= first.wide_fat_pointers;
        self.allow_asm |= first.allow_asm;
        self.no_collector |= first.no_collector;
        self.warn_leaks |= first.warn_leaks;
        self.warn_override |= first.warn_override;
        self.max_errors = self.max_errors.or(first.max_errors);
        if first.profile != Profile::Off {
            self.profile = first.profile;
        }
    }

    /// Leaves out null checks, bounds checks or both (unsafe).
    pub fn omit_checks(&mut self, null: bool, bounds: bool) {
        self.no_null_checks |= null;
        self.no_bounds_checks |= bounds;
    }

    /// Leaves the collector out. Only what the program can reach counts: functions have sections of their own.
    pub fn leave_out_collector(&mut self) {
        self.no_collector = true;
        self.cc_flags.extend([NO_COLLECTOR, "-ffunction-sections", "-fdata-sections"].map(String::from));
    }

    /// Lets the program tell a memory profile where it allocates.
    pub fn tell_memory_profile(&mut self) {
        self.profile = Profile::Program;
        self.cc_flags.push(MEMORY_PROFILE.into());
    }

    /// Is debugging information of types and variables asked for (`-g`, not the line tables of `-g1` alone)?
    pub fn debugs(&self) -> bool {
        let level = self.cc_flags.iter().rfind(|flag| flag.starts_with("-g"));
        level.is_some_and(|flag| !matches!(flag.as_str(), "-g0" | "-g1"))
    }

    /// With `-flto` objects hold machine code as well: without it they show neither the symbols that tell which modules of the
    /// library a program needs, nor the sections that are compared before linking. Goes before the user's flags.
    pub fn fat_objects(&self) -> Option<&'static str> {
        let last = self.cc_flags.iter().rfind(|flag| flag.starts_with("-flto") || *flag == "-fno-lto");
        last.filter(|flag| flag.starts_with("-flto")).map(|_| "-ffat-lto-objects")
    }

    /// Do the library's headers hold what is worth compiling with its callers? Not where each function of the unit must do
    /// without a collector, called or not.
    pub fn takes_bodies_from_headers(&self) -> bool {
        let level = self.cc_flags.iter().rfind(|flag| flag.starts_with("-O"));
        !self.no_collector && level.is_some_and(|flag| flag != "-O0")
    }

    /// Flags that change code generation and therefore the run time's object files.
    pub fn codegen_flags(&self) -> impl Iterator<Item = &String> {
        self.cc_flags.iter().filter(|f| f.starts_with("-f") || f.starts_with("-m") || f.starts_with("-DCYC_"))
    }
}

/// Where results go.
#[derive(Clone, Debug, Default)]
pub struct Output {
    pub path: Option<PathBuf>,
}
