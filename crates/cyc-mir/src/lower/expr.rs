//! Expressions: as an operand, as the right side of an assignment, for their effect only.

use super::Lower;
use crate::mir::*;
use crate::types::{int_shape, same_in_c};
use cyc_base::Span;
use cyc_check::tast::{self, Callee as TCallee, Coercion, Expr, ExprKind};
use cyc_types::{Ty, TyKind, Types};

/// `value` as a value of an integer type, wrapping.
pub(crate) fn wrap_int(types: &Types, value: i128, ty: Ty) -> Option<i128> {
    if ty == Ty::BOOL {
        return Some((value != 0) as i128);
    }
    let (bits, signed) = int_shape(types, ty)?;
    if bits == 128 {
        return (signed || value >= 0).then_some(value);
    }
    let low = value & ((1i128 << bits) - 1);
    Some(if signed && low >> (bits - 1) != 0 { low - (1i128 << bits) } else { low })
}

impl<'a> Lower<'a> {
    /// The value of an expression, without any work left to do for it.
    pub(super) fn operand(&mut self, e: &Expr) -> Operand {
        match &e.kind {
            ExprKind::Int(value) => Operand::int(*value, e.ty),
            ExprKind::Float(digits) => Operand::Const(Const::Float(*digits, e.ty)),
            ExprKind::Null => Operand::Const(Const::Null(e.ty)),
            ExprKind::Str(bytes) => Operand::Const(Const::Str(bytes.clone(), e.ty)),
            ExprKind::WideStr(chars) => Operand::Const(Const::WideStr(chars.clone(), e.ty)),
            ExprKind::Zero => Operand::Const(Const::Zero(e.ty)),
            ExprKind::FunctionAddr(function, args) => Operand::Const(Const::Function(*function, *args, e.ty)),
            ExprKind::SizeOf(ty) => Operand::Const(Const::SizeOf(*ty)),
            ExprKind::AlignOf(ty) => Operand::Const(Const::AlignOf(*ty)),
            ExprKind::Read(place) => self.read(place),
            ExprKind::Move(place, transfer) => {
                let value = self.move_out(place, *transfer, e.span);
                self.in_temp(value, e.ty, e.span)
            }
            ExprKind::AddrOf(place) => self.address_of(place, e.ty, e.span),
            ExprKind::Coerce(coercion, inner) => self.coerce(*coercion, inner, e.ty, e.span),
            ExprKind::Assign { place, value } => self.assignment(place, value, e.span),
            ExprKind::AssignOp { op, place, value, at, post } => {
                self.assign_op(*op, place, value, *at, *post, true, e.span)
            }
            ExprKind::PtrStep { place, index, negate, post } => {
                self.pointer_step(place, index, *negate, *post, true, e.span)
            }
            ExprKind::Swap(a, b) => {
                self.swap(a, b, e.span);
                self.unit_value(e.ty)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.operand(second)
            }
            ExprKind::StmtExpr(block, value) => {
                self.block(block);
                self.operand(value)
            }
            ExprKind::Throw(exception) => {
                let exception = self.operand(exception);
                self.terminate(Terminator::Throw(exception), e.span);
                self.unit_value(e.ty)
            }
            ExprKind::Assert(cond) => {
                self.assertion(cond, CheckReason::Assertion, e.span);
                match self.types().kind(e.ty) {
                    TyKind::Int(_) => Operand::int(1, e.ty),
                    _ => self.unit_value(e.ty),
                }
            }
            ExprKind::StaticAssert(cond, wanted) => {
                let why = if *wanted { CheckReason::Proof } else { CheckReason::Disproof };
                self.assertion(cond, why, e.span);
                Operand::int(1, Ty::INT)
            }
            ExprKind::Unary(tast::UnOp::Plus, inner) => self.operand(inner),
            ExprKind::Unary(op @ (tast::UnOp::Neg | tast::UnOp::BitNot), inner) => self.unary(*op, inner, e.ty, e.span),
            ExprKind::Call { callee: TCallee::Builtin(_) | TCallee::Direct(..) | TCallee::Pointer(_), .. }
                if e.ty == Ty::VOID =>
            {
                self.call_expr(e, None);
                self.unit_value(e.ty)
            }
            ExprKind::Asm(asm) => {
                self.asm(asm, e.span);
                self.unit_value(e.ty)
            }
            ExprKind::Tagcheck(union, member) => {
                let union = self.place(union);
                let is = self.is_member(union, *member, e.span);
                self.in_temp(is, e.ty, e.span)
            }
            ExprKind::Tagof(inner) => {
                let value = self.operand(inner);
                let object = self.as_place(value, inner.ty, e.span).then(Proj::Deref(None));
                self.in_temp(Rvalue::Tag(object), e.ty, e.span)
            }
            ExprKind::Numelts(inner) => self.numelts(inner, e.ty, e.span),
            ExprKind::Cond(..) | ExprKind::CondOrElse(..) if e.ty == Ty::VOID => {
                self.effect(e);
                self.unit_value(e.ty)
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Not(_)
            | ExprKind::PtrAdd { .. }
            | ExprKind::PtrDiff(..)
            | ExprKind::Counted(..)
            | ExprKind::PtrCompare(..) => {
                let value = self.rvalue(e);
                self.in_temp(value, e.ty, e.span)
            }
            ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Cond(..)
            | ExprKind::CondOrElse(..)
            | ExprKind::Call { .. }
            | ExprKind::Aggregate(_)
            | ExprKind::Array(_)
            | ExprKind::ArrayFor(_)
            | ExprKind::StrArray(_)
            | ExprKind::WideStrArray(_)
            | ExprKind::Variant { .. }
            | ExprKind::New(_)
            | ExprKind::Alloc(_) => {
                let temp = self.temp(e.ty, e.span);
                self.into(e, Place::local(temp), true);
                Operand::local(temp)
            }
            ExprKind::Error => self.unit_value(e.ty),
        }
    }

    /// Checks a condition; `a && b` in two steps, so that each is known by itself afterwards.
    pub(super) fn assertion(&mut self, cond: &Expr, why: CheckReason, span: Span) {
        match &cond.kind {
            ExprKind::And(a, b) if why != CheckReason::Disproof => {
                self.assertion(a, why, span);
                self.assertion(b, why, span);
            }
            _ => {
                let cond = self.truth(cond);
                self.check(CheckKind::Assert(cond), why, span);
            }
        }
    }

    /// A value nobody looks at: of type void, or in unreachable code.
    pub(super) fn unit_value(&self, ty: Ty) -> Operand {
        Operand::Const(Const::Zero(ty))
    }

    /// The value held by a place. A volatile one is read here, exactly once.
    fn read(&mut self, place: &tast::Place) -> Operand {
        let volatile = place.qty.is_volatile;
        let (ty, span) = (place.qty.ty, place.span);
        let place = self.place(place);
        if volatile {
            return self.in_temp(Rvalue::Use(Operand::Copy(place)), ty, span);
        }
        Operand::Copy(place)
    }

    fn unary(&mut self, op: tast::UnOp, inner: &Expr, ty: Ty, span: Span) -> Operand {
        let value = self.operand(inner);
        let op = if op == tast::UnOp::Neg { UnOp::Neg } else { UnOp::BitNot };
        if let Some(v) = value.as_int() {
            let folded = if op == UnOp::Neg { v.checked_neg() } else { Some(!v) };
            if let Some(folded) = folded.and_then(|v| wrap_int(self.types(), v, ty)) {
                return Operand::int(folded, ty);
            }
        }
        self.in_temp(Rvalue::Unary(op, value, ty), ty, span)
    }

    /// Two operands, left before right.
    pub(super) fn pair(&mut self, a: &Expr, b: &Expr) -> (Operand, Operand) {
        let left = self.evaluate(a);
        let right = self.operand(b);
        (self.protect(left, a.span), right)
    }

    /// The value of an expression as the right side of an assignment, so that operators need no temporary.
    pub(super) fn rvalue(&mut self, e: &Expr) -> Rvalue {
        match &e.kind {
            ExprKind::Binary(op, a, b) => {
                let at = a.ty;
                let (left, right) = self.pair(a, b);
                self.binary(*op, left, right, b, at)
            }
            ExprKind::Not(inner) | ExprKind::Unary(tast::UnOp::Not, inner) => {
                let truth = self.truth(inner);
                Rvalue::Unary(UnOp::Not, truth, Ty::INT)
            }
            ExprKind::PtrAdd { ptr, index, negate } => {
                let fat = crate::types::is_fat(self.types(), ptr.ty);
                let (ptr, index) = self.pair(ptr, index);
                if fat {
                    Rvalue::FatAdd { ptr, index, negate: *negate }
                } else {
                    Rvalue::ThinAdd { ptr, index, negate: *negate }
                }
            }
            ExprKind::PtrDiff(a, b) => {
                let (a, b) = self.pair(a, b);
                Rvalue::PtrDiff(a, b)
            }
            ExprKind::Counted(a, b) => {
                let (ptr, len) = self.pair(a, b);
                Rvalue::FatMake { ptr, len, ty: e.ty }
            }
            ExprKind::PtrCompare(op, a, b) => {
                let (a, b) = self.pair(a, b);
                Rvalue::PtrCompare(*op, a, b)
            }
            ExprKind::Coerce(coercion, inner) => self.coerce_rvalue(*coercion, inner, e.ty, e.span),
            ExprKind::Move(place, transfer) => self.move_out(place, *transfer, e.span),
            ExprKind::AddrOf(place) => {
                let span = place.span;
                let place = self.place(place);
                self.rvalue_address(place, e.ty, span)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.rvalue(second)
            }
            _ => Rvalue::Use(self.operand(e)),
        }
    }

    /// A scalar's truth as an integer operand: integers as they are, pointers compared with null.
    pub(super) fn truth(&mut self, e: &Expr) -> Operand {
        let is_pointer = self.pointer(e.ty).is_some();
        let operand = self.operand(e);
        if is_pointer { self.in_temp(Rvalue::IsNonNull(operand), Ty::INT, e.span) } else { operand }
    }

    /// Evaluates for the effects only.
    pub(super) fn effect(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::AssignOp { op, place, value, at, post } => {
                self.assign_op(*op, place, value, *at, *post, false, e.span);
            }
            ExprKind::PtrStep { place, index, negate, post } => {
                self.pointer_step(place, index, *negate, *post, false, e.span);
            }
            ExprKind::Call { .. } => self.call_expr(e, None),
            ExprKind::Coerce(Coercion::ToVoid | Coercion::Arith | Coercion::Retype, inner) => self.effect(inner),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::StmtExpr(block, value) => {
                self.block(block);
                self.effect(value);
            }
            ExprKind::Cond(cond, a, b) => {
                let (then, otherwise, join) = (self.new_block(), self.new_block(), self.new_block());
                self.cond(cond, then, otherwise);
                self.start(then);
                self.effect(a);
                self.goto(join, a.span);
                self.start(otherwise);
                self.effect(b);
                self.flow_into(join, b.span);
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let (more, join) = (self.new_block(), self.new_block());
                let and = matches!(e.kind, ExprKind::And(..));
                if and {
                    self.cond(a, more, join)
                } else {
                    self.cond(a, join, more)
                }
                self.start(more);
                self.effect(b);
                self.flow_into(join, e.span);
            }
            ExprKind::Binary(_, a, b) | ExprKind::PtrCompare(_, a, b) | ExprKind::PtrDiff(a, b) => {
                self.effect(a);
                self.effect(b);
            }
            _ => {
                self.operand(e);
            }
        }
    }

    /// Is a conversion between the two types nothing at run time and in C?
    pub(super) fn same_in_c(&self, a: Ty, b: Ty) -> bool {
        same_in_c(self.types(), a, b)
    }
}
