//! Errors and warnings of statements: E05xx.

use crate::stmt::jumps::Entered;
use cyc_base::{Diagnostic, Span, Symbol};
use cyc_syntax::ast::Ident;

fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, span, message)
}

pub fn no_target(span: Span, again: bool) -> Diagnostic {
    match again {
        true => error("E0500", span, "jump has no target: `continue` outside of a loop").here("no loop to continue"),
        false => {
            error("E0500", span, "jump has no target: `break` outside of a loop or `switch`").here("nothing to leave")
        }
    }
}

pub fn no_label(name: Ident, near: Option<Symbol>) -> Diagnostic {
    let diagnostic =
        error("E0501", name.span, format!("the function has no label `{}`", name.name)).here("no such label");
    match near {
        Some(near) => diagnostic.edit(name.span, near.as_str(), format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

pub fn duplicate_label(name: Ident, before: Span) -> Diagnostic {
    error("E0502", name.span, format!("the label `{}` is defined twice", name.name))
        .here("second definition")
        .label(before, "first definition")
}

pub fn goto_enters(name: Ident, label: Span, what: Entered, entered: Span) -> Diagnostic {
    let entered_text = match what {
        Entered::Declaration => "the jump would skip this declaration",
        Entered::TryBody => "the jump would enter this `try`",
        Entered::Region => "the jump would enter the region declared here",
        Entered::Handler => "the jump would enter the handlers of this `try`",
        Entered::Clause => "the jump would enter this clause",
        Entered::StmtExpr => "the jump would enter this statement expression",
    };
    error("E0503", name.span, "goto enters local scope or exception handler")
        .here(format!("jumps to `{}`", name.name))
        .label(label, "the label")
        .label(entered, entered_text)
}

pub fn return_with_value(span: Span, function: Symbol) -> Diagnostic {
    error("E0504", span, format!("`{function}` returns nothing, but this `return` has a value"))
        .here("a value is not expected")
        .help("declare the function with the value's type instead of `void`")
}

pub fn return_of_void(span: Span, function: Symbol) -> Diagnostic {
    Diagnostic::warning("W0504", span, format!("`{function}` returns nothing, and neither does this call"))
        .here("called, and then the function returns")
        .help("write the call as a statement of its own, followed by `return;`")
}

pub fn return_without_value(span: Span, function: Symbol, wanted: &str) -> Diagnostic {
    error("E0505", span, format!("`{function}` must return a `{wanted}`")).here("no value is returned here")
}

// ---------------------------------------------------------------- switch

pub fn cannot_switch(span: Span, found: &str) -> Diagnostic {
    error("E0510", span, format!("patterns cannot match a `{found}`")).here(format!("this is a `{found}`"))
}

pub fn c_switch_integral(span: Span, found: &str) -> Diagnostic {
    error("E0511", span, "`switch \"C\"` needs an integer").here(format!("this is a `{found}`"))
}

pub fn c_switch_constant(span: Span) -> Diagnostic {
    error("E0512", span, "`switch \"C\"` has constant cases only").here("not an integer constant")
}

pub fn not_exhaustive(span: Span, missing: &str) -> Diagnostic {
    error("E0513", span, format!("patterns may not be exhaustive. missing case for {missing}"))
        .here(format!("`{missing}` is matched by no clause"))
        .help("add the missing case, or a `default:` clause")
}

pub fn redundant(span: Span, before: Option<Span>, default: bool) -> Diagnostic {
    let diagnostic = error("E0514", span, "redundant pattern (check for misspelled constructors in earlier patterns)")
        .here(if default { "nothing is left for this `default`" } else { "never reached" });
    match before {
        Some(before) => diagnostic.label(before, "this clause matches it already"),
        None => diagnostic.note("the clauses before it, taken together, match everything that it matches"),
    }
}

pub fn falls_into_variables(span: Span, next: Span, empty: bool) -> Diagnostic {
    error("E0515", span, "switch clause may implicitly fallthru into one whose pattern binds variables")
        .here(if empty { "this clause is empty" } else { "the end of this clause can be reached" })
        .label(next, "the variables of this pattern would have no values")
        .help("end the clause with `break;`, or give the values: `fallthru(…);`")
}

pub fn empty_last_clause(span: Span) -> Diagnostic {
    error("E0516", span, "fallthru in a last case")
        .here("this clause is empty, and no clause follows")
        .help("write `break;`")
}

pub fn handler_falls(span: Span) -> Diagnostic {
    error("E0517", span, "switch clause may implicitly fallthru: the end of this handler can be reached")
        .here("this clause must end in a jump")
        .note("an implicit last clause throws the exception again")
        .help("write `break;` to leave the `try` statement")
}

pub fn guard_effect(span: Span) -> Diagnostic {
    error("E0518", span, "a guard must not have side effects")
        .here("a call, assignment or allocation")
        .help("compute the value before the `switch`, or test it in the clause")
}

pub fn fallthru_outside(span: Span) -> Diagnostic {
    error("E0519", span, "`fallthru` outside of a `switch`").here("no clause to leave")
}

pub fn fallthru_last(span: Span) -> Diagnostic {
    error("E0520", span, "fallthru in a last case").here("no clause follows").help("write `break;`")
}

pub fn fallthru_values(span: Span, next: Span, wanted: usize, found: usize) -> Diagnostic {
    let few = if found < wanted { "few" } else { "many" };
    error("E0521", span, format!("too {few} values for the variables of the next clause"))
        .here(format!("{found} given, {wanted} needed"))
        .label(next, "the clause that is fallen into")
}

pub fn may_fall_through(span: Span) -> Diagnostic {
    Diagnostic::warning("W0500", span, "switch clause may implicitly fallthru")
        .here("its end can be reached, and the next clause follows")
        .help("end it with `break;`, or with `fallthru;` if that is meant")
}
