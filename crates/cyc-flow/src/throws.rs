//! Functions that promise not to throw (core, sections 3.14 and 8.3).
//!
//! No instruction that may raise an exception is reached where no handler of the function is active, and no handler lets
//! one go on outwards. Checks that were proved are no such instructions.

use crate::dataflow::{may_throw, reached};
use crate::errors;
use cyc_base::{Diagnostic, Span};
use cyc_check::tast::{CLOSURE, TypedUnit};
use cyc_mir::mir::{Block, Body, Callee, StmtKind, Terminator};

/// The first place from which an exception may leave a function that says it throws none.
pub(crate) fn check(unit: &TypedUnit, body: &Body) -> Option<Diagnostic> {
    let promises = |ty| unit.types.as_function(ty).is_some_and(|function| function.attrs.no_throw);
    if !promises(unit.global(body.global).qty.ty) {
        return None;
    }
    let silent = |kind: &StmtKind| match kind {
        StmtKind::Call { callee: Callee::Direct(global, _), .. } => promises(unit.global(*global).qty.ty),
        StmtKind::Call { callee: Callee::Pointer(pointer), .. } => {
            let ty = crate::place::operand_type(unit, body, pointer);
            unit.types.as_pointer(ty).is_some_and(|ptr| promises(ptr.to.ty))
        }
        // Of these only making a closure allocates.
        StmtKind::Call { callee: Callee::Builtin(name), .. } => name.as_str() != CLOSURE,
        StmtKind::Assign(..)
        | StmtKind::Uninit(_)
        | StmtKind::Check(_)
        | StmtKind::Alloc(_)
        | StmtKind::Swap(..)
        | StmtKind::SetTag(..)
        | StmtKind::Asm(_)
        | StmtKind::PushRegion { .. }
        | StmtKind::PopRegion(_)
        | StmtKind::OpenKey { .. }
        | StmtKind::CloseKey(_)
        | StmtKind::EndLoan(_)
        | StmtKind::Dead(_)
        | StmtKind::PopHandler(_)
        | StmtKind::Removed(..) => !may_throw(kind),
    };
    let leaves = |block: &Block| -> Option<(Span, bool)> {
        if block.handler.is_some() {
            return None;
        }
        let raised = block.stmts.iter().find(|stmt| !silent(&stmt.kind));
        match (raised, &block.term) {
            (Some(stmt), _) => Some((stmt.span, matches!(stmt.kind, StmtKind::Call { .. }))),
            (None, Terminator::Throw(_) | Terminator::Rethrow(_)) => Some((block.term_span, false)),
            (
                None,
                Terminator::Goto(_)
                | Terminator::If { .. }
                | Terminator::Switch { .. }
                | Terminator::Try { .. }
                | Terminator::Return(_)
                | Terminator::MissingReturn
                | Terminator::Unreachable,
            ) => None,
        }
    };
    let (span, is_call) = reachable(body).into_iter().find_map(|at| leaves(&body.blocks[at]))?;
    Some(errors::throws_after_all(span, is_call, unit.global(body.global).name.as_str()))
}

/// The blocks that control may come to, exceptions included, in the order of their numbers.
fn reachable(body: &Body) -> Vec<usize> {
    let mut seen = vec![false; body.blocks.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        open.extend(reached(body, &body.blocks[at].term).iter().map(|to| to.0 as usize));
    }
    (0..seen.len()).filter(|at| seen[*at]).collect()
}
