//! A body at given shapes: every type that mentions a variable of the function replaced. Checks and facts do not depend on
//! types of kind B, so that flow analysis sees the polymorphic body once, and the emitter makes the instances.

use crate::mir::*;
use cyc_types::{Arg, Args, DatatypeId, Fold, QTy, Ty, TyKind, Types, Var};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The body with `args[i]` for [`Var::Param`]`(i)`; variables without argument, and those of other kinds than types, stay.
pub fn instantiate(types: &Types, body: &Body, args: &[Arg]) -> Body {
    let mut body = body.clone();
    Instantiate { types, args, done: FxHashMap::default() }.body(&mut body);
    body
}

struct Instantiate<'a> {
    types: &'a Types,
    args: &'a [Arg],
    done: FxHashMap<Ty, Ty>,
}

/// Replaces the variables within one type.
struct Params<'a>(&'a [Arg]);

impl Fold for Params<'_> {
    fn ty(&mut self, types: &Types, ty: Ty) -> Option<Ty> {
        match types.kind(ty) {
            TyKind::Var(Var::Param(index)) => match self.0.get(*index as usize) {
                Some(Arg::Type(ty)) => Some(*ty),
                _ => Some(ty),
            },
            _ => None,
        }
    }
}

impl Instantiate<'_> {
    fn ty(&mut self, ty: &mut Ty) {
        let (types, args) = (self.types, self.args);
        let old = *ty;
        *ty = *self.done.entry(old).or_insert_with(|| types.fold(old, &mut Params(args)));
    }

    fn qty(&mut self, qty: &mut QTy) {
        self.ty(&mut qty.ty);
    }

    fn args(&mut self, args: &mut Args) {
        *args = self.types.fold_args(*args, &mut Params(self.args));
    }

    fn datatype(&mut self, id: &mut DatatypeId) {
        let args = self.types.fold_args(self.types.datatype_args(*id), &mut Params(self.args));
        *id = self.types.datatype_instance(*id, args);
    }

    fn body(&mut self, body: &mut Body) {
        self.ty(&mut body.ret);
        body.locals.iter_mut().for_each(|local| self.qty(&mut local.qty));
        for block in &mut body.blocks {
            block.stmts.iter_mut().for_each(|stmt| self.stmt(&mut stmt.kind));
            self.terminator(&mut block.term);
        }
    }

    fn place(&mut self, place: &mut Place) {
        for step in &mut place.proj {
            match step {
                Proj::Deref(Some(index)) | Proj::Element(index) => self.operand(index),
                Proj::Variant(id, _) => self.datatype(id),
                Proj::Deref(None) | Proj::Field(_) => {}
            }
        }
    }

    fn operand(&mut self, operand: &mut Operand) {
        let constant = match operand {
            Operand::Copy(place) => return self.place(place),
            Operand::Const(constant) => constant,
        };
        match constant {
            Const::Int(_, ty)
            | Const::Float(_, ty)
            | Const::Null(ty)
            | Const::Str(_, ty)
            | Const::WideStr(_, ty)
            | Const::SizeOf(ty)
            | Const::AlignOf(ty)
            | Const::Zero(ty) => self.ty(ty),
            Const::Function(_, args, ty) => {
                self.args(args);
                self.ty(ty);
            }
            Const::Global(place, ty) => {
                self.place(place);
                self.ty(ty);
            }
            Const::Variant(id, _, ty) => {
                self.datatype(id);
                self.ty(ty);
            }
        }
    }

    fn operands(&mut self, operands: &mut [Operand]) {
        operands.iter_mut().for_each(|operand| self.operand(operand));
    }

    fn rvalue(&mut self, value: &mut Rvalue) {
        match value {
            Rvalue::Use(a)
            | Rvalue::Move(a, _)
            | Rvalue::IsNonNull(a)
            | Rvalue::FatNumelts(a)
            | Rvalue::ZeroNumelts(a) => self.operand(a),
            Rvalue::Unary(_, a, ty)
            | Rvalue::PtrToInt(a, ty)
            | Rvalue::Retype(a, ty)
            | Rvalue::FatFromZeroterm(a, ty)
            | Rvalue::FatToThin(a, ty)
            | Rvalue::FatDropZero(a, ty)
            | Rvalue::FatToBytes(a, ty) => {
                self.operand(a);
                self.ty(ty);
            }
            Rvalue::Instantiate(a, args, ty) => {
                self.operand(a);
                self.args(args);
                self.ty(ty);
            }
            Rvalue::Arith(a, from, to) => {
                self.operand(a);
                self.ty(from);
                self.ty(to);
            }
            Rvalue::Binary(_, a, b, ty) | Rvalue::FatMake { ptr: a, len: b, ty } => {
                self.operand(a);
                self.operand(b);
                self.ty(ty);
            }
            Rvalue::PtrDiff(a, b)
            | Rvalue::PtrCompare(_, a, b)
            | Rvalue::ThinAdd { ptr: a, index: b, .. }
            | Rvalue::FatAdd { ptr: a, index: b, .. } => {
                self.operand(a);
                self.operand(b);
            }
            Rvalue::AddrOf(place, ty) => {
                self.place(place);
                self.ty(ty);
            }
            Rvalue::Aggregate(ty, fields) => {
                self.ty(ty);
                fields.iter_mut().for_each(|(_, value)| self.operand(value));
            }
            Rvalue::Array(ty, elements) => {
                self.ty(ty);
                self.operands(elements);
            }
            Rvalue::Bytes(ty, _) | Rvalue::Wides(ty, _) => self.ty(ty),
            Rvalue::Tag(place) => self.place(place),
            Rvalue::IsVariant(place, id, _) => {
                self.place(place);
                self.datatype(id);
            }
        }
    }

    fn stmt(&mut self, stmt: &mut StmtKind) {
        match stmt {
            StmtKind::Assign(place, value) => {
                self.place(place);
                self.rvalue(value);
            }
            StmtKind::Check(check) => self.check(&mut check.kind),
            StmtKind::SetTag(place, _) => self.place(place),
            StmtKind::Call { dst, callee, args } => {
                dst.iter_mut().for_each(|dst| self.place(dst));
                match callee {
                    Callee::Direct(_, args) => self.args(args),
                    Callee::Pointer(pointer) => self.operand(pointer),
                    Callee::Builtin(_) => {}
                }
                self.operands(args);
            }
            StmtKind::Alloc(alloc) => {
                self.place(&mut alloc.dst);
                self.qty(&mut alloc.elem);
                let used = alloc.region.iter_mut().chain(&mut alloc.owner).chain(&mut alloc.count);
                used.for_each(|operand| self.operand(operand));
            }
            StmtKind::Swap(a, b) => {
                self.place(a);
                self.place(b);
            }
            StmtKind::Asm(asm) => {
                let mut new: Asm = (**asm).clone();
                new.outputs.iter_mut().for_each(|(_, _, place)| self.place(place));
                new.inputs.iter_mut().for_each(|(_, _, operand)| self.operand(operand));
                *asm = Rc::new(new);
            }
            StmtKind::OpenKey { key, .. } | StmtKind::CloseKey(key) => self.place(key),
            StmtKind::Uninit(_)
            | StmtKind::PopHandler(_)
            | StmtKind::PushRegion { .. }
            | StmtKind::PopRegion(_)
            | StmtKind::EndLoan(_)
            | StmtKind::Dead(_)
            | StmtKind::Removed(..) => {}
        }
    }

    fn check(&mut self, check: &mut CheckKind) {
        match check {
            CheckKind::NonNull(a) | CheckKind::Assert(a) | CheckKind::Member(a) | CheckKind::ZeroStep { ptr: a } => {
                self.operand(a);
            }
            CheckKind::Index { index, .. } => self.operand(index),
            CheckKind::FatOrNull { ptr, .. } | CheckKind::AtBase(ptr) => self.operand(ptr),
            CheckKind::FatBounds { ptr, index, .. } | CheckKind::ZeroScan { ptr, index } => {
                self.operand(ptr);
                self.operand(index);
            }
            CheckKind::ZeroWrite { ptr, index, value } => {
                self.operand(ptr);
                self.operand(index);
                self.operand(value);
            }
            CheckKind::ZeroLast { index, value, .. } => {
                self.operand(index);
                self.operand(value);
            }
            CheckKind::Match => {}
        }
    }

    fn terminator(&mut self, term: &mut Terminator) {
        match term {
            Terminator::If { cond: operand, .. }
            | Terminator::Switch { on: operand, .. }
            | Terminator::Throw(operand)
            | Terminator::Rethrow(operand)
            | Terminator::Return(Some(operand)) => self.operand(operand),
            Terminator::Goto(_)
            | Terminator::Try { .. }
            | Terminator::Return(None)
            | Terminator::MissingReturn
            | Terminator::Unreachable => {}
        }
    }
}
