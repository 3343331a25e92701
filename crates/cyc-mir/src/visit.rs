//! Every local that instructions mention, to be read or replaced.

use crate::mir::*;

/// Calls `f` on each mention of a local in the block, its terminator included.
pub fn each_local(block: &mut Block, f: &mut dyn FnMut(&mut Local)) {
    for stmt in &mut block.stmts {
        each_local_of(&mut stmt.kind, f);
    }
    each_local_of_terminator(&mut block.term, f);
}

/// Calls `f` on each mention of a local in the terminator.
pub fn each_local_of_terminator(term: &mut Terminator, f: &mut dyn FnMut(&mut Local)) {
    match term {
        Terminator::If { cond: used, .. }
        | Terminator::Switch { on: used, .. }
        | Terminator::Throw(used)
        | Terminator::Rethrow(used)
        | Terminator::Return(Some(used)) => in_operand(used, f),
        Terminator::Goto(_)
        | Terminator::Try { .. }
        | Terminator::Return(None)
        | Terminator::MissingReturn
        | Terminator::Unreachable => {}
    }
}

/// Calls `f` on each mention of a local in the instruction.
pub fn each_local_of(kind: &mut StmtKind, f: &mut dyn FnMut(&mut Local)) {
    match kind {
        StmtKind::Assign(place, rvalue) => {
            in_rvalue(rvalue, f);
            each_local_of_place(place, f);
        }
        StmtKind::Uninit(local) => f(local),
        StmtKind::SetTag(place, _) | StmtKind::CloseKey(place) => each_local_of_place(place, f),
        StmtKind::PushRegion { handle, .. } => f(handle),
        StmtKind::OpenKey { key, handle } => {
            each_local_of_place(key, f);
            f(handle);
        }
        StmtKind::Check(check) => in_check(&mut check.kind, f),
        StmtKind::Call { dst, callee, args } => {
            if let Callee::Pointer(used) = callee {
                in_operand(used, f);
            }
            args.iter_mut().for_each(|used| in_operand(used, f));
            dst.iter_mut().for_each(|place| each_local_of_place(place, f));
        }
        StmtKind::Alloc(alloc) => {
            alloc.region.iter_mut().chain(&mut alloc.owner).for_each(|used| in_operand(used, f));
            alloc.count.iter_mut().for_each(|used| in_operand(used, f));
            each_local_of_place(&mut alloc.dst, f);
        }
        StmtKind::Swap(a, b) => {
            each_local_of_place(a, f);
            each_local_of_place(b, f);
        }
        StmtKind::Asm(asm) => {
            let asm = std::rc::Rc::make_mut(asm);
            asm.inputs.iter_mut().for_each(|(_, _, used)| in_operand(used, f));
            asm.outputs.iter_mut().for_each(|(_, _, place)| each_local_of_place(place, f));
        }
        StmtKind::Removed(inner, _) => each_local_of(inner, f),
        StmtKind::Dead(local) => f(local),
        StmtKind::PopHandler(_) | StmtKind::PopRegion(_) | StmtKind::EndLoan(_) => {}
    }
}

/// Calls `f` on each mention of a local in the place.
pub fn each_local_of_place(place: &mut Place, f: &mut dyn FnMut(&mut Local)) {
    if let Base::Local(local) = &mut place.base {
        f(local);
    }
    for proj in &mut place.proj {
        if let Proj::Deref(Some(index)) | Proj::Element(index) = proj {
            in_operand(index, f);
        }
    }
}

fn in_operand(operand: &mut Operand, f: &mut dyn FnMut(&mut Local)) {
    if let Operand::Copy(place) = operand {
        each_local_of_place(place, f);
    }
}

fn in_rvalue(rvalue: &mut Rvalue, f: &mut dyn FnMut(&mut Local)) {
    match rvalue {
        Rvalue::Use(a)
        | Rvalue::Move(a, _)
        | Rvalue::Unary(_, a, _)
        | Rvalue::Arith(a, _, _)
        | Rvalue::PtrToInt(a, _)
        | Rvalue::Retype(a, _)
        | Rvalue::Instantiate(a, _, _)
        | Rvalue::FatFromZeroterm(a, _)
        | Rvalue::FatToThin(a, _)
        | Rvalue::FatDropZero(a, _)
        | Rvalue::FatToBytes(a, _)
        | Rvalue::IsNonNull(a)
        | Rvalue::FatNumelts(a)
        | Rvalue::ZeroNumelts(a) => in_operand(a, f),
        Rvalue::Binary(_, a, b, _)
        | Rvalue::PtrDiff(a, b)
        | Rvalue::PtrCompare(_, a, b)
        | Rvalue::ThinAdd { ptr: a, index: b, .. }
        | Rvalue::FatAdd { ptr: a, index: b, .. }
        | Rvalue::FatMake { ptr: a, len: b, .. } => {
            in_operand(a, f);
            in_operand(b, f);
        }
        Rvalue::Aggregate(_, fields) => fields.iter_mut().for_each(|(_, op)| in_operand(op, f)),
        Rvalue::Array(_, elements) => elements.iter_mut().for_each(|op| in_operand(op, f)),
        Rvalue::AddrOf(place, _) | Rvalue::IsVariant(place, ..) | Rvalue::Tag(place) => each_local_of_place(place, f),
        Rvalue::Bytes(..) | Rvalue::Wides(..) => {}
    }
}

fn in_check(check: &mut CheckKind, f: &mut dyn FnMut(&mut Local)) {
    match check {
        CheckKind::NonNull(a) | CheckKind::Assert(a) | CheckKind::Member(a) | CheckKind::ZeroStep { ptr: a } => {
            in_operand(a, f)
        }
        CheckKind::Index { index, .. } => in_operand(index, f),
        CheckKind::FatOrNull { ptr, .. } | CheckKind::AtBase(ptr) => in_operand(ptr, f),
        CheckKind::FatBounds { ptr: a, index: b, .. }
        | CheckKind::ZeroScan { ptr: a, index: b }
        | CheckKind::ZeroLast { index: a, value: b, .. } => {
            in_operand(a, f);
            in_operand(b, f);
        }
        CheckKind::ZeroWrite { ptr, index, value } => {
            in_operand(ptr, f);
            in_operand(index, f);
            in_operand(value, f);
        }
        CheckKind::Match => {}
    }
}
