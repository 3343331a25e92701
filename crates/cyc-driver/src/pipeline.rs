//! The front end as one function from preprocessed text to C: no files, no processes.

use crate::beside_syntax;
use crate::embedded;
use crate::options::{Emit, Goal, Options};
use cyc_base::{Diagnostics, SourceMap};
use cyc_mir::verify::{Stage, verify};

/// What the front end makes of a unit.
pub struct Compiled {
    pub source: SourceMap,
    pub diagnostics: Diagnostics,
    /// The C text; None if there were errors or something else was asked for.
    pub c: Option<String>,
    /// The form that `--emit` asked for.
    pub printed: Option<String>,
    /// What `--report-checks` asked for.
    pub checks: Option<String>,
    /// A mistake of this compiler that the verifier found; then there is no C.
    pub bug: Option<String>,
}

/// Compiles the preprocessed text of one unit. Every pass runs as far as the errors of the passes
/// before it leave sense: type errors are reported beside syntax errors, flow errors only in
/// programs that are well-typed.
///
/// Recurses over the syntax tree: call it through [`with_deep_stack`] on text from outside.
pub fn compile(name: &str, text: String, options: &Options, goal: Goal) -> Compiled {
    let emit = if let Goal::Print(form) = goal { Some(form) } else { None };
    let source = SourceMap::new(name, text);
    let mut out =
        Compiled { source, diagnostics: Diagnostics::default(), c: None, printed: None, checks: None, bug: None };
    if emit == Some(Emit::Tokens) {
        let (tokens, diagnostics) = cyc_syntax::lex(out.source.text());
        out.printed = Some(print_tokens(&tokens, &out.source));
        out.diagnostics = diagnostics;
        return out;
    }
    let (unit, diagnostics) = cyc_syntax::parse(out.source.text(), &cyc_syntax::Options::default());
    out.diagnostics = diagnostics;
    if emit == Some(Emit::Ast) {
        out.printed = Some(cyc_syntax::print::unit(&unit));
        return out;
    }
    let rules = cyc_check::Options {
        allow_asm: options.allow_asm,
        wide_fat_pointers: options.wide_fat_pointers,
        warn_leaks: options.warn_leaks,
        warn_override: options.warn_override,
    };
    let (typed, diagnostics) = cyc_check::check_with(&unit, &out.source, &rules);
    if out.diagnostics.has_errors() {
        let shown = beside_syntax::independent(out.source.text(), &unit, &out.diagnostics, diagnostics);
        shown.into_iter().for_each(|error| out.diagnostics.push(error));
        return out;
    }
    out.diagnostics.extend(diagnostics);
    if emit == Some(Emit::Typed) {
        out.printed = Some(cyc_check::print(&typed));
    }
    if out.diagnostics.has_errors() {
        return out;
    }
    let mut bodies = cyc_mir::lower(&typed);
    let mut verifier = Verifier { typed: &typed, wanted: options.verify || cfg!(debug_assertions), found: None };
    for body in &mut bodies {
        out.diagnostics.extend(reason(&typed, body, options, &mut verifier));
    }
    out.bug = verifier.found;
    cyc_flow::no_heap(&typed, &bodies).into_iter().for_each(|error| out.diagnostics.push(error));
    if emit == Some(Emit::Mir) {
        out.printed = Some(cyc_mir::print(&typed, &bodies));
    }
    if out.diagnostics.has_errors() {
        return out;
    }
    if out.bug.is_some() {
        return out;
    }
    if options.report_checks {
        out.checks = Some(report_checks(&typed, &bodies, &out.source));
    }
    if !matches!(goal, Goal::C | Goal::Print(Emit::C)) {
        return out;
    }
    if options.assert_removed {
        bodies.iter_mut().for_each(cyc_flow::assert_removed);
    }
    let layout = cyc_emit::Options {
        line_directives: emit.is_none(),
        no_null_checks: options.no_null_checks,
        no_bounds_checks: options.no_bounds_checks,
        gdb_script: options.debugs().then(embedded::gdb_script).flatten(),
        profile: options.profile,
    };
    let c = cyc_emit::emit(&typed, &bodies, &out.source, &layout);
    if emit == Some(Emit::C) {
        out.printed = Some(c);
    } else {
        out.c = Some(c);
    }
    out
}

/// What flow analysis finds in a function; checks that it proves needless are removed.
fn reason(
    typed: &cyc_check::tast::TypedUnit,
    body: &mut cyc_mir::Body,
    options: &Options,
    verifier: &mut Verifier,
) -> Diagnostics {
    verifier.look(Stage::Lowered, body);
    let mut found = cyc_flow::analyse(typed, body, &mut |stage, body| verifier.look(stage, body));
    cyc_flow::loses_alignment(typed, body).into_iter().for_each(|error| found.push(error));
    if options.no_collector {
        cyc_flow::needs_collector(typed, body).into_iter().for_each(|error| found.push(error));
    }
    if !options.keep_checks {
        let is_sound = !found.has_errors();
        let mut watch = |stage, body: &cyc_mir::Body| {
            if is_sound {
                verifier.look(stage, body);
            }
        };
        found.extend(cyc_flow::eliminate(typed, body, &mut watch));
    }
    found
}

/// Runs [`cyc_mir::verify`] where it is wanted, until it finds something.
struct Verifier<'a> {
    typed: &'a cyc_check::tast::TypedUnit,
    wanted: bool,
    found: Option<String>,
}

impl Verifier<'_> {
    fn look(&mut self, stage: Stage, body: &cyc_mir::Body) {
        if self.wanted && self.found.is_none() {
            self.found = verify(self.typed, body, stage).err().map(|failure| failure.to_string());
        }
    }
}

/// For each function its checks, and by source line those left.
fn report_checks(typed: &cyc_check::tast::TypedUnit, bodies: &[cyc_mir::Body], source: &SourceMap) -> String {
    let mut out = String::new();
    for function in bodies.iter().filter_map(|body| cyc_flow::checks(typed, body)) {
        let cyc_flow::FunctionChecks { function, left, removed, before_loop } = function;
        out.push_str(&format!("{function}: checks left: {}, removed: {removed}", left.len()));
        if before_loop > 0 {
            out.push_str(&format!(", tested before their loop: {before_loop}"));
        }
        out.push('\n');
        let mut lines = std::collections::BTreeMap::new();
        for (span, kind) in left {
            let (file, line) = source.file_line(span.lo);
            *lines.entry((file, line, kind)).or_insert(0) += 1;
        }
        for ((file, line, kind), count) in lines {
            out.push_str(&format!("  {}:{line}: {kind}", source.files[file].name));
            out.push_str(&if count > 1 { format!(" ({count})\n") } else { "\n".to_string() });
        }
    }
    out
}

/// One token a line: place, kind, text.
fn print_tokens(tokens: &[cyc_syntax::Token], source: &SourceMap) -> String {
    let mut out = String::new();
    for token in tokens {
        let (file, line) = source.file_line(token.span.lo);
        let text = &source.text()[token.span.lo as usize..token.span.hi as usize];
        out.push_str(&format!("{}:{line}: {:?} {text:?}\n", source.files[file].name, token.kind));
    }
    out
}

/// Runs `work` on a thread whose stack suits the deepest tree that the parser lets through.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    const DEEP: usize = 1 << 30;
    const MODEST: usize = 1 << 26;
    std::thread::scope(|scope| {
        // Where address space is short (`ulimit -v`) a smaller stack must do.
        let mut work = Some(work);
        for size in [DEEP, MODEST] {
            let slot = std::sync::Mutex::new(work.take());
            let taken = std::sync::Arc::new(slot);
            let theirs = taken.clone();
            let spawned = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, move || {
                let work = theirs.lock().unwrap_or_else(|p| p.into_inner()).take();
                work.map(|work| work())
            });
            match spawned {
                Ok(handle) => match handle.join() {
                    Ok(Some(value)) => return value,
                    Ok(None) => unreachable!("the work was put into the slot before the thread started"),
                    Err(panic) => std::panic::resume_unwind(panic),
                },
                Err(_) => work = taken.lock().unwrap_or_else(|p| p.into_inner()).take(),
            }
        }
        work.take().map(|work| work()).unwrap_or_else(|| unreachable!("work comes back when no thread could start"))
    })
}
