//! Flow-sensitive reasoning over MIR: definite initialisation, definite return, null facts, and the
//! elimination of checks that the facts prove needless.

mod bounds;
mod dataflow;
mod errors;
mod heap;
mod init;
mod no_heap;
mod null;
mod place;
mod report;
mod strict;
mod throws;

use cyc_base::{Diagnostic, Diagnostics, Span};
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::{Body, Check, CheckReason, Stmt, StmtKind};
use cyc_mir::verify::Stage;
use std::collections::BTreeSet;

pub use heap::needs_collector;
pub use no_heap::no_heap;
pub use report::{FunctionChecks, checks};
pub use strict::loses_alignment;

/// Looks at a body after a pass: [`cyc_mir::verify`] in debug builds, where users ask for it, and in tests.
pub type Watch<'a> = dyn FnMut(Stage, &Body) + 'a;

/// Reports what can go wrong on some path: uninitialised values, missing returns, checks that always
/// fail. Removes the `Uninit` instructions of variables that are always written before they are read.
/// After each pass that found no error, `watch` is shown what it made of the body.
pub fn analyse(unit: &TypedUnit, body: &mut Body, watch: &mut Watch) -> Diagnostics {
    let mut diagnostics = init::analyse(unit, body, watch);
    let is_sound = !diagnostics.has_errors();
    if is_sound {
        watch(Stage::Erased, body);
    }
    diagnostics.extend(null::definite_failures(unit, body));
    diagnostics.extend(null::prove(unit, body));
    diagnostics.extend(bounds::prove(unit, body));
    if is_sound {
        watch(Stage::Eliminated, body);
    }
    diagnostics
}

/// Replaces checks that always succeed by [`cyc_mir::mir::StmtKind::Removed`]. Warns of null checks that
/// remain although nobody wrote them, and reports what may leave a function that promises not to throw.
/// `watch` as in [`analyse`], which found no error.
pub fn eliminate(unit: &TypedUnit, body: &mut Body, watch: &mut Watch) -> Diagnostics {
    let mut warnings = null::eliminate(unit, body);
    watch(Stage::Eliminated, body);
    bounds::eliminate(unit, body);
    watch(Stage::Eliminated, body);
    unproved(body).chain(throws::check(unit, body)).for_each(|found| warnings.push(found));
    warnings
}

/// Makes each check that was removed an assertion: where one fails, the program ends and says that it should not have been
/// removed. (What `@assert_false` asks for is proved to be false.)
pub fn assert_removed(body: &mut Body) {
    for stmt in body.blocks.iter_mut().flat_map(|block| &mut block.stmts) {
        if let StmtKind::Removed(inner, _) = &stmt.kind
            && let StmtKind::Check(check) = &**inner
            && check.why != CheckReason::Disproof
        {
            stmt.kind = StmtKind::Check(Check { kind: check.kind.clone(), why: CheckReason::Removed });
        }
    }
}

/// Warnings for calls of which what the function requires is not proved, one for each call.
fn unproved(body: &Body) -> impl Iterator<Item = Diagnostic> {
    let left = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Check(check) if check.why == CheckReason::Precondition);
    let stmts = body.blocks.iter().flat_map(|block| &block.stmts);
    let spans: BTreeSet<_> = stmts.filter(|stmt| left(stmt)).map(|stmt| (stmt.span.lo, stmt.span.hi)).collect();
    spans.into_iter().map(|(lo, hi)| errors::precondition_not_proved(Span::new(lo, hi)))
}
