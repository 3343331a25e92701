//! Which locals must live in memory across a non-local jump.

use crate::live::{Asking, Live};
use crate::mir::*;

/// Marks the locals that a `try` body assigns and that are alive when its handler starts. An
/// address that is taken keeps a local alive everywhere.
pub(super) fn mark_survivors(body: &mut Body) {
    if body.handlers.is_empty() {
        return;
    }
    let live = Live::new(body, Asking::Uses, |_| true);
    let mut survivors = vec![false; body.locals.len()];
    for block in &body.blocks {
        let mut handler = block.handler;
        while let Some(id) = handler {
            let catch = body.handlers[id.0 as usize].catch;
            for stmt in &block.stmts {
                for_each_written(&stmt.kind, &mut |local| {
                    let taken = body.locals[local.0 as usize].address_taken;
                    if taken || live.at_entry(catch, local) {
                        survivors[local.0 as usize] = true;
                    }
                });
            }
            handler = body.handlers[id.0 as usize].outer;
        }
    }
    for (decl, survives) in body.locals.iter_mut().zip(survivors) {
        decl.survives_throw = survives || decl.address_taken;
    }
}

fn for_each_written(stmt: &StmtKind, f: &mut impl FnMut(Local)) {
    let mut place = |place: &Place| {
        if let Some(local) = place.within_local() {
            f(local);
        }
    };
    match stmt {
        StmtKind::Assign(p, _) | StmtKind::SetTag(p, _) | StmtKind::Call { dst: Some(p), .. } => place(p),
        StmtKind::Alloc(alloc) => place(&alloc.dst),
        StmtKind::Swap(a, b) => {
            place(a);
            place(b);
        }
        StmtKind::Asm(asm) => asm.outputs.iter().for_each(|(_, _, p)| place(p)),
        StmtKind::Uninit(local)
        | StmtKind::PushRegion { handle: local, .. }
        | StmtKind::OpenKey { handle: local, .. } => f(*local),
        StmtKind::Call { dst: None, .. }
        | StmtKind::Check(_)
        | StmtKind::PopHandler(_)
        | StmtKind::PopRegion(_)
        | StmtKind::CloseKey(_)
        | StmtKind::EndLoan(_)
        | StmtKind::Dead(_)
        | StmtKind::Removed(..) => {}
    }
}
