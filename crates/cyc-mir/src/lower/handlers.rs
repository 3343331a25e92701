//! Which locals must live in memory across a non-local jump.

use crate::mir::*;

/// Marks the locals that a `try` body assigns and that are alive when its handler starts. An
/// address that is taken keeps a local alive everywhere.
pub(super) fn mark_survivors(body: &mut Body) {
    if body.handlers.is_empty() {
        return;
    }
    let live = live_at_start(body);
    let mut survivors = vec![false; body.locals.len()];
    for block in &body.blocks {
        let mut handler = block.handler;
        while let Some(id) = handler {
            let entry = &live[body.handlers[id.0 as usize].catch.0 as usize];
            for stmt in &block.stmts {
                for_each_written(&stmt.kind, &mut |local| {
                    let taken = body.locals[local.0 as usize].address_taken;
                    if taken || entry.contains(local) {
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

#[derive(Clone, PartialEq)]
struct Set(Vec<u64>);

impl Set {
    fn contains(&self, local: Local) -> bool {
        self.0[local.0 as usize / 64] >> (local.0 % 64) & 1 != 0
    }
    fn insert(&mut self, local: Local) {
        self.0[local.0 as usize / 64] |= 1 << (local.0 % 64);
    }
    fn remove(&mut self, local: Local) {
        self.0[local.0 as usize / 64] &= !(1 << (local.0 % 64));
    }
    /// True if something was added.
    fn union(&mut self, other: &Set) -> bool {
        let mut grew = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            grew |= *b & !*a != 0;
            *a |= b;
        }
        grew
    }
}

/// The locals alive at the start of each block, by the usual backward iteration; a block in a `try` body may go to
/// the handler at any point.
fn live_at_start(body: &Body) -> Vec<Set> {
    let empty = Set(vec![0; body.locals.len().div_ceil(64)]);
    let mut live = vec![empty.clone(); body.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (i, block) in body.blocks.iter().enumerate().rev() {
            let mut now = empty.clone();
            for next in block.term.successors() {
                now.union(&live[next.0 as usize]);
            }
            if let Terminator::Try { handler, .. } = block.term {
                now.union(&live[body.handlers[handler.0 as usize].catch.0 as usize]);
            }
            for_each_read_by_term(&block.term, &mut |local| now.insert(local));
            for stmt in block.stmts.iter().rev() {
                if let StmtKind::Assign(place, _) | StmtKind::Call { dst: Some(place), .. } = &stmt.kind
                    && let Some(local) = place.as_local()
                {
                    now.remove(local);
                }
                for_each_read(&stmt.kind, &mut |local| now.insert(local));
            }
            if let Some(handler) = block.handler {
                let catch = live[body.handlers[handler.0 as usize].catch.0 as usize].clone();
                now.union(&catch);
            }
            changed |= live[i].union(&now);
        }
    }
    live
}

fn place_reads(place: &Place, f: &mut impl FnMut(Local)) {
    if let Base::Local(local) = place.base {
        f(local);
    }
    steps_read(place, f);
}

fn steps_read(place: &Place, f: &mut impl FnMut(Local)) {
    for step in &place.proj {
        if let Proj::Deref(Some(index)) | Proj::Element(index) = step {
            operand_reads(index, f);
        }
    }
}

/// A written place reads the pointers and indices on the way, and keeps the rest of a local it is a part of.
fn target_reads(place: &Place, f: &mut impl FnMut(Local)) {
    if place.as_local().is_none() {
        place_reads(place, f);
    }
}

fn operand_reads(operand: &Operand, f: &mut impl FnMut(Local)) {
    if let Operand::Copy(place) = operand {
        place_reads(place, f);
    }
}

fn for_each_read_by_term(term: &Terminator, f: &mut impl FnMut(Local)) {
    match term {
        Terminator::If { cond: op, .. }
        | Terminator::Switch { on: op, .. }
        | Terminator::Throw(op)
        | Terminator::Rethrow(op)
        | Terminator::Return(Some(op)) => operand_reads(op, f),
        Terminator::Goto(_)
        | Terminator::Try { .. }
        | Terminator::Return(None)
        | Terminator::MissingReturn
        | Terminator::Unreachable => {}
    }
}

fn for_each_read(stmt: &StmtKind, f: &mut impl FnMut(Local)) {
    match stmt {
        StmtKind::Assign(place, value) => {
            target_reads(place, f);
            value.for_each_operand(&mut |op| operand_reads(op, f));
            if let Rvalue::AddrOf(place, _) | Rvalue::IsVariant(place, ..) | Rvalue::Tag(place) = value {
                place_reads(place, f);
            }
        }
        StmtKind::SetTag(place, _) => target_reads(place, f),
        StmtKind::Uninit(_)
        | StmtKind::PopHandler(_)
        | StmtKind::PushRegion { .. }
        | StmtKind::PopRegion(_)
        | StmtKind::EndLoan(_)
        | StmtKind::Dead(_) => {}
        StmtKind::OpenKey { key, .. } | StmtKind::CloseKey(key) => place_reads(key, f),
        StmtKind::Check(check) => check.kind.for_each_operand(&mut |op| operand_reads(op, f)),
        StmtKind::Call { dst, callee, args } => {
            if let Some(dst) = dst {
                target_reads(dst, f);
            }
            if let Callee::Pointer(op) = callee {
                operand_reads(op, f);
            }
            args.iter().for_each(|op| operand_reads(op, f));
        }
        StmtKind::Alloc(alloc) => {
            target_reads(&alloc.dst, f);
            alloc.count.iter().chain(&alloc.region).chain(&alloc.owner).for_each(|op| operand_reads(op, f));
        }
        StmtKind::Swap(a, b) => {
            place_reads(a, f);
            place_reads(b, f);
        }
        StmtKind::Asm(asm) => {
            asm.outputs.iter().for_each(|(_, _, place)| place_reads(place, f));
            asm.inputs.iter().for_each(|(_, _, op)| operand_reads(op, f));
        }
        StmtKind::Removed(..) => {}
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
