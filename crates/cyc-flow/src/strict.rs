//! Alignments that are stricter than what the run time gives each object: which objects can have them.

use crate::errors;
use cyc_base::Diagnostic;
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::{Body, StmtKind};

/// An error for every allocation that could not keep its type's alignment: what is given back one by one, by its first byte, out of a
/// region or with a count before it.
pub fn loses_alignment(unit: &TypedUnit, body: &Body) -> Vec<Diagnostic> {
    let mut found = vec![];
    for stmt in body.blocks.iter().flat_map(|block| &block.stmts) {
        if let StmtKind::Alloc(alloc) = &stmt.kind
            && alloc.owner.is_some()
            && !alloc.is_unique_of_heap()
            && let Some(alignment) = unit.types.strict_alignment(alloc.elem.ty)
        {
            found.push(errors::loses_alignment(stmt.span, alignment));
        }
    }
    found
}
