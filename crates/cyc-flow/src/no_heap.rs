//! Functions that promise not to touch the traced heap (`noheap`; docs/adr/005).
//!
//! No such function, nor anything that it calls, makes an object that a collector would have to find, or uses the handle of
//! the heap. A call is followed into functions of the unit; other functions, and pointers to functions, say `noheap` in their
//! types. A region that the function was given a handle of is its caller's business. Pointers at `` `H `` may be
//! followed: an ordinary thread that calls the function is known to the collector, and a thread that is not can have
//! none but to static data, because its argument is sendable, and all else comes from functions like this.

use crate::errors;
use crate::heap::is_heap_handle;
use crate::place::operand_type;
use cyc_base::{Diagnostic, Span};
use cyc_check::tast::{GlobalId, TypedUnit};
use cyc_mir::mir::{Body, Callee, Operand, Rvalue, StmtKind, Terminator};
use cyc_types::{Region, TyKind};
use std::collections::{HashMap, HashSet, VecDeque};

/// How a function comes to touch the heap.
pub(crate) enum Touch {
    Allocates,
    /// The caller chooses the qualifier of the object.
    MayAllocate,
    Handle,
    /// A function of another unit, or of C, that does not promise.
    Calls(String),
    CallsPointer,
}

/// An error for each function of the unit that promises more than it keeps.
pub fn no_heap(unit: &TypedUnit, bodies: &[Body]) -> Vec<Diagnostic> {
    let by_function: HashMap<GlobalId, &Body> = bodies.iter().map(|body| (body.global, body)).collect();
    let promising = bodies.iter().filter(|body| promises(unit, body.global));
    promising.filter_map(|body| check(unit, &by_function, body)).collect()
}

fn promises(unit: &TypedUnit, function: GlobalId) -> bool {
    unit.types.as_function(unit.global(function).qty.ty).is_some_and(|function| function.attrs.no_heap)
}

/// The nearest place where the function, or one that it calls, touches the heap.
fn check(unit: &TypedUnit, bodies: &HashMap<GlobalId, &Body>, body: &Body) -> Option<Diagnostic> {
    let name = |id: GlobalId| unit.global(id).name.to_string();
    let mut seen = HashSet::from([body.global]);
    let mut open = VecDeque::from([(body, vec![name(body.global)])]);
    while let Some((body, way)) = open.pop_front() {
        for stmt in body.blocks.iter().flat_map(|block| &block.stmts) {
            if let Some(touch) = touches(unit, bodies, body, &stmt.kind) {
                return Some(errors::touches_heap(stmt.span, &way, touch));
            }
            if let StmtKind::Call { callee: Callee::Direct(called, _), .. } = &stmt.kind
                && let Some(next) = bodies.get(called).filter(|_| !promises(unit, *called))
                && seen.insert(*called)
            {
                open.push_back((next, way.iter().cloned().chain([name(*called)]).collect()));
            }
        }
        if let Some(span) = returns_handle(unit, body) {
            return Some(errors::touches_heap(span, &way, Touch::Handle));
        }
    }
    None
}

/// What one instruction does by itself.
fn touches(unit: &TypedUnit, bodies: &HashMap<GlobalId, &Body>, body: &Body, kind: &StmtKind) -> Option<Touch> {
    let of_heap = |operand: &Operand| {
        let ty = operand_type(unit, body, operand);
        is_heap_handle(unit, operand) || matches!(unit.types.kind(ty), TyKind::Handle(Region::Heap))
    };
    match kind {
        StmtKind::Alloc(alloc) => match (&alloc.region, &alloc.owner) {
            (Some(region), _) => of_heap(region).then_some(Touch::Handle),
            (None, None) => Some(Touch::Allocates),
            // Unique and counted objects are not the collector's.
            (None, Some(owner)) => owner.as_int().is_none().then_some(Touch::MayAllocate),
        },
        StmtKind::Call { callee, args, .. } => {
            if args.iter().any(of_heap) {
                return Some(Touch::Handle);
            }
            match callee {
                Callee::Direct(called, _) if promises(unit, *called) || bodies.contains_key(called) => None,
                Callee::Direct(called, _) => Some(Touch::Calls(unit.global(*called).name.to_string())),
                Callee::Pointer(pointer) => {
                    let ty = unit.types.as_pointer(operand_type(unit, body, pointer)).map(|ptr| ptr.to.ty);
                    let promised = ty.and_then(|ty| unit.types.as_function(ty)).is_some_and(|f| f.attrs.no_heap);
                    (!promised).then_some(Touch::CallsPointer)
                }
                Callee::Builtin(_) => None,
            }
        }
        StmtKind::Assign(_, rvalue) => {
            let mut found = false;
            rvalue.for_each_operand(&mut |operand| found |= of_heap(operand));
            found |= matches!(rvalue, Rvalue::AddrOf(place, _) if is_heap_handle(unit, &Operand::Copy(place.clone())));
            found.then_some(Touch::Handle)
        }
        StmtKind::Swap(a, b) => {
            let handle = [a, b].map(|place| Operand::Copy(place.clone())).iter().any(of_heap);
            handle.then_some(Touch::Handle)
        }
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
        | StmtKind::Removed(..) => None,
    }
}

fn returns_handle(unit: &TypedUnit, body: &Body) -> Option<Span> {
    let returns = body.blocks.iter().filter(|block| match &block.term {
        Terminator::Return(Some(operand)) => is_heap_handle(unit, operand),
        Terminator::Return(None)
        | Terminator::Goto(_)
        | Terminator::If { .. }
        | Terminator::Switch { .. }
        | Terminator::Try { .. }
        | Terminator::Throw(_)
        | Terminator::Rethrow(_)
        | Terminator::MissingReturn
        | Terminator::Unreachable => false,
    });
    returns.map(|block| block.term_span).next()
}
