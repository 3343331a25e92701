//! Values built in place: structs, tuples, arrays, comprehensions, and everything else that has a destination.

use super::Lower;
use crate::mir::*;
use cyc_base::Span;
use cyc_check::tast::{ArrayFor, Expr, ExprKind};
use cyc_types::{Ty, TyKind};

impl<'a> Lower<'a> {
    /// Evaluates `e` into `dst`. `fresh`: nothing can read `dst` before it is complete, so parts may be stored one
    /// by one. Reaching `dst` must not depend on anything that `e` may change.
    pub(super) fn into(&mut self, e: &Expr, dst: Place, fresh: bool) {
        self.store_at(e, dst, fresh, e.span);
    }

    /// The same, the store itself attributed to `span`.
    pub(super) fn store_at(&mut self, e: &Expr, dst: Place, fresh: bool, span: Span) {
        match &e.kind {
            ExprKind::Aggregate(_) | ExprKind::Array(_) | ExprKind::ArrayFor(_) | ExprKind::Variant { .. }
                if !fresh =>
            {
                let temp = self.temp(e.ty, span);
                self.store_at(e, Place::local(temp), true, span);
                self.assign(dst, Rvalue::Use(Operand::local(temp)), span);
            }
            ExprKind::Aggregate(fields) if self.is_tagged(e.ty) => {
                for (member, value) in fields {
                    self.member_into(e.ty, *member, value, dst.clone(), span);
                }
            }
            ExprKind::Aggregate(fields) => {
                for (index, value) in fields {
                    let part = dst.clone().then(Proj::Field(*index));
                    match self.packed(e.ty, *index) {
                        Some(packed) if !self.same_in_c(packed, value.ty) && self.types().shape(packed).is_some() => {
                            let value = self.operand(value);
                            self.assign(part, Rvalue::Retype(value, packed), span);
                        }
                        _ => self.into(value, part, true),
                    }
                }
            }
            ExprKind::Array(elements) => self.array_into(e.ty, elements, dst, span),
            ExprKind::ArrayFor(comprehension) => {
                self.comprehension(comprehension, span, |index| dst.clone().then(Proj::Element(index)))
            }
            ExprKind::StrArray(bytes) => {
                self.zero_rest(e.ty, bytes.len(), &dst, span);
                self.assign(dst, Rvalue::Bytes(e.ty, bytes.clone()), span);
            }
            ExprKind::WideStrArray(chars) => {
                self.zero_rest(e.ty, chars.len(), &dst, span);
                self.assign(dst, Rvalue::Wides(e.ty, chars.clone()), span);
            }
            ExprKind::Variant { args, .. } => {
                let evaluated: Vec<_> = args.iter().map(|arg| self.evaluate(arg)).collect();
                let mut fields: Vec<_> = evaluated
                    .into_iter()
                    .enumerate()
                    .rev()
                    .map(|(i, value)| (i as u32, self.protect(value, span)))
                    .collect();
                fields.reverse();
                self.assign(dst, Rvalue::Aggregate(e.ty, fields), span);
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.logical_into(e, dst),
            ExprKind::Cond(cond, a, b) => self.conditional_into(cond, a, b, dst, fresh),
            ExprKind::CondOrElse(a, b) => self.or_else_into(a, b, dst, fresh),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.store_at(second, dst, fresh, span);
            }
            ExprKind::StmtExpr(block, value) => {
                self.block(block);
                self.store_at(value, dst, fresh, span);
            }
            ExprKind::Call { .. } => self.call_expr(e, Some(dst)),
            ExprKind::New(new) if fresh => self.new_into(new, e.ty, dst, span),
            ExprKind::New(new) => {
                let temp = self.temp(e.ty, span);
                self.new_into(new, e.ty, Place::local(temp), span);
                self.assign(dst, Rvalue::Use(Operand::local(temp)), span);
            }
            ExprKind::Alloc(alloc) => self.alloc_into(alloc, e.ty, dst, span),
            _ => {
                let value = self.rvalue(e);
                self.assign(dst, value, span);
            }
        }
    }

    /// The type of a field in memory, if the struct hides types: they are words there.
    fn packed(&self, ty: Ty, index: u32) -> Option<Ty> {
        let TyKind::Aggr(id) = self.types().kind(ty) else { return None };
        if self.types().aggr(*id).exists.is_empty() {
            return None;
        }
        Some(self.types().fields(self.types().packed_aggr(*id))?[index as usize].qty.ty)
    }

    /// Does an initialiser of `given` elements leave out some of the array? Makes all of them zero then.
    fn zero_rest(&mut self, ty: Ty, given: usize, dst: &Place, span: Span) {
        if self.array_len(ty).is_some_and(|len| len > given as u64) {
            self.assign(dst.clone(), Rvalue::Use(Operand::Const(Const::Zero(ty))), span);
        }
    }

    fn array_len(&self, ty: Ty) -> Option<u64> {
        let TyKind::Array { len, .. } = *self.types().kind(ty) else { return None };
        len
    }

    /// `{a, b, c}`: one instruction when all elements are constants, unless a table of the whole array, which that
    /// takes, would be mostly zeros.
    fn array_into(&mut self, ty: Ty, elements: &[Expr], dst: Place, span: Span) {
        let constants: Option<Vec<Operand>> = elements.iter().map(|e| self.scalar_constant(e)).collect();
        let dense = self.array_len(ty).is_none_or(|len| len / 2 <= elements.len() as u64);
        if let Some(constants) = constants.filter(|c| dense && !c.is_empty()) {
            return self.assign(dst, Rvalue::Array(ty, constants), span);
        }
        self.zero_rest(ty, elements.len(), &dst, span);
        for (i, element) in elements.iter().enumerate() {
            self.into(element, dst.clone().then(Proj::Element(Operand::int(i as i128, Ty::INT))), true);
        }
    }

    /// A number that needs no instruction.
    fn scalar_constant(&mut self, e: &Expr) -> Option<Operand> {
        match &e.kind {
            ExprKind::Int(value) => Some(Operand::int(*value, e.ty)),
            ExprKind::Float(digits) => Some(Operand::Const(Const::Float(*digits, e.ty))),
            _ => None,
        }
    }

    /// The loop of a comprehension; `element` makes the place of an element from its index.
    pub(super) fn comprehension(&mut self, c: &ArrayFor, span: Span, element: impl Fn(Operand) -> Place) {
        let count = self.operand(&c.count);
        let count = self.in_temp(Rvalue::Use(count), c.count.ty, span);
        self.comprehension_with(c, count, span, element);
    }

    /// The same with the count evaluated before.
    pub(super) fn comprehension_with(
        &mut self,
        c: &ArrayFor,
        count: Operand,
        span: Span,
        element: impl Fn(Operand) -> Place,
    ) {
        let ty = c.count.ty;
        let var_ty = self.function.locals[c.var.0 as usize].qty.ty;
        let index = self.temp(ty, span);
        self.assign(Place::local(index), Rvalue::Use(Operand::int(0, ty)), span);
        let (head, body, done) = (self.new_block(), self.new_block(), self.new_block());
        self.flow_into(head, span);
        let more = Rvalue::Binary(BinOp::Lt, Operand::local(index), count.clone(), ty);
        let more = self.in_temp(more, Ty::INT, span);
        self.terminate(Terminator::If { cond: more, then: body, otherwise: done }, span);
        self.start(body);
        let dst = element(Operand::local(index));
        match &c.body {
            Some(value) => {
                let var = self.arith(Operand::local(index), ty, var_ty);
                self.assign(Place::local(Local(c.var.0)), var, span);
                self.into(value, dst, true);
            }
            None if c.zero => {
                self.assign(dst, Rvalue::Use(Operand::Const(Const::Zero(c.elem.ty))), span);
            }
            None => {}
        }
        let next = Rvalue::Binary(BinOp::Add, Operand::local(index), Operand::int(1, ty), ty);
        self.assign(Place::local(index), next, span);
        self.goto(head, span);
        self.start(done);
        if c.zeroterm {
            self.assign(element(count), Rvalue::Use(Operand::Const(Const::Zero(c.elem.ty))), span);
        }
    }
}
