//! What needs a collector (`--gc=none`): allocations at `` `H `` of objects that nobody gives back, and the handle of the heap, with
//! which others make them.

use crate::errors;
use cyc_base::{Diagnostic, Span};
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::{Base, Body, Operand, Place, StmtKind, Terminator};
use std::collections::BTreeSet;

/// An error for every place in the body that needs a collector.
pub fn needs_collector(unit: &TypedUnit, body: &Body) -> Vec<Diagnostic> {
    let mut found = vec![];
    let mut handles = BTreeSet::new();
    for stmt in body.blocks.iter().flat_map(|block| &block.stmts) {
        if let StmtKind::Alloc(alloc) = &stmt.kind
            && alloc.region.is_none()
        {
            match &alloc.owner {
                None => found.push(errors::needs_collector(stmt.span)),
                // Unique and counted objects are given back; a qualifier that the caller chooses may be another.
                Some(owner) if owner.as_int().is_none() => found.push(errors::may_need_collector(stmt.span)),
                Some(_) => {}
            }
        }
        let mut look = |operand: &Operand| {
            if is_heap_handle(unit, operand) {
                handles.insert((stmt.span.lo, stmt.span.hi));
            }
        };
        match &stmt.kind {
            StmtKind::Assign(_, rvalue) => rvalue.for_each_operand(&mut look),
            StmtKind::Call { args, .. } => args.iter().for_each(look),
            StmtKind::Alloc(alloc) => alloc.region.iter().for_each(look),
            StmtKind::Swap(a, b) => [a, b].map(|place| Operand::Copy(place.clone())).iter().for_each(look),
            StmtKind::Uninit(_)
            | StmtKind::Check(_)
            | StmtKind::SetTag(..)
            | StmtKind::Asm(_)
            | StmtKind::PushRegion { .. }
            | StmtKind::PopRegion(_)
            | StmtKind::OpenKey { .. }
            | StmtKind::CloseKey(_)
            | StmtKind::EndLoan(_)
            | StmtKind::Dead(_)
            | StmtKind::PopHandler(_)
            | StmtKind::Removed(..) => {}
        }
    }
    for block in &body.blocks {
        if let Terminator::Return(Some(operand)) = &block.term
            && is_heap_handle(unit, operand)
        {
            found.push(errors::heap_handle(body.span));
        }
    }
    found.extend(handles.into_iter().map(|(lo, hi)| errors::heap_handle(Span::new(lo, hi))));
    found
}

pub(crate) fn is_heap_handle(unit: &TypedUnit, operand: &Operand) -> bool {
    let Operand::Copy(Place { base: Base::Global(global), .. }) = operand else { return false };
    unit.global(*global).c_name.is_some_and(|name| name.as_str() == "cyc_rgn_heap_handle")
}
