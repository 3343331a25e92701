//! `?:`, the comma operator and statement expressions (core, sections 4.2 and 5.14).

use crate::coerce::{KindExt, Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{self, Expr, ExprKind, Place, PlaceKind};
use cyc_base::Span;
use cyc_syntax::ast::{self, StmtKind};
use cyc_types::{Bound, PtrTy, QTy, Ty, TyKind};

impl Checker<'_> {
    /// `c ? a : b`: the arms take the expected type, else one common to both. GNU's `a ?: b` evaluates `a` once.
    pub(crate) fn check_cond_expr(
        &mut self,
        cond: &ast::Expr,
        then: Option<&ast::Expr>,
        otherwise: &ast::Expr,
        want: Want,
        span: Span,
    ) -> Expr {
        let Some(then) = then else { return self.check_or_else(cond, otherwise, want, span) };
        let cond = self.check_condition(cond);
        // Arithmetic arms are converted to their common type first, as in C.
        let want = match want {
            Want::Ty(ty) if self.kind_of(ty).is_arithmetic() => Want::None,
            want => want,
        };
        let then = self.check_expr(then, want);
        let otherwise = self.check_expr(otherwise, want);
        let (then, otherwise) = self.join_arms(then, otherwise, want, span);
        if then.is_error() || otherwise.is_error() {
            return Expr::error(span);
        }
        let ty = then.ty;
        Expr { kind: ExprKind::Cond(Box::new(cond), Box::new(then), Box::new(otherwise)), ty, span }
    }

    fn check_or_else(&mut self, a: &ast::Expr, b: &ast::Expr, want: Want, span: Span) -> Expr {
        let first = self.check_condition(a);
        let second = self.check_expr(b, want);
        let (tested, found) = (first.clone(), first.ty);
        let (first, second) = self.join_arms(first, second, Want::None, span);
        if first.is_error() || second.is_error() {
            return Expr::error(span);
        }
        let numbers = self.kind_of(found).is_arithmetic() && self.kind_of(first.ty).is_arithmetic();
        if self.resolve(first.ty) != self.resolve(found) && !numbers {
            return self.tested_and_converted(tested, second, span);
        }
        let ty = first.ty;
        Expr { kind: ExprKind::CondOrElse(Box::new(first), Box::new(second)), ty, span }
    }

    /// `a ?: b` where the value is `a` converted, while `a` itself is tested: it is kept for that.
    fn tested_and_converted(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let (ty, at) = (a.ty, a.span);
        let kept = self.temp_local("tested", QTy::from(ty), at);
        let place = Place { kind: PlaceKind::Local(kept), qty: ty.into(), span: at };
        let read = Expr { kind: ExprKind::Read(Box::new(place.clone())), ty, span: at };
        let kept = Expr { kind: ExprKind::Assign { place: Box::new(place), value: Box::new(a) }, ty, span: at };
        let first = self.coerce(read.clone(), b.ty, Why::Value);
        let kind = ExprKind::Cond(Box::new(read), Box::new(first), Box::new(b.clone()));
        let chosen = Expr { kind, ty: b.ty, span };
        Expr { kind: ExprKind::Comma(Box::new(kept), Box::new(chosen)), ty: b.ty, span }
    }

    /// Both arms converted to one type.
    fn join_arms(&mut self, a: Expr, b: Expr, want: Want, span: Span) -> (Expr, Expr) {
        if matches!(a.kind, ExprKind::Throw(_)) {
            let ty = b.ty;
            return (Expr { ty, ..a }, b);
        }
        if matches!(b.kind, ExprKind::Throw(_)) {
            let ty = a.ty;
            return (a, Expr { ty, ..b });
        }
        if a.is_error() || b.is_error() {
            return (a, b);
        }
        if let Want::Ty(ty) = want
            && !matches!(self.kind_of(ty), TyKind::Infer(_) | TyKind::Datatype(_) | TyKind::Void)
        {
            return (self.coerce(a, ty, Why::Arm), self.coerce(b, ty, Why::Arm));
        }
        let (p, q) = (self.kind_of(a.ty).clone(), self.kind_of(b.ty).clone());
        match (&p, &q) {
            (x, y) if x.is_arithmetic() && y.is_arithmetic() => {
                // Of one enumeration: the promotion of C would not change the value, and forget what it is.
                let stays = !x.is_integral() || matches!(x, TyKind::Enum(_));
                match self.resolve(a.ty) == self.resolve(b.ty) && stays {
                    true => (a, b),
                    false => self.usual(a, b),
                }
            }
            (TyKind::Void, TyKind::Void) => (a, b),
            (TyKind::Pointer(p), TyKind::Pointer(q)) => self.join_pointers(a, *p, b, *q, span),
            (TyKind::Pointer(p), _) if b.as_int() == Some(0) => self.join_null(a, *p, b, true),
            (_, TyKind::Pointer(q)) if a.as_int() == Some(0) => self.join_null(b, *q, a, false),
            _ if self.may_equal(a.ty, b.ty) => {
                let ty = a.ty;
                let b = self.coerce(b, ty, Why::Arm);
                (a, b)
            }
            _ => self.arms_disagree(a, b, span),
        }
    }

    fn arms_disagree(&mut self, a: Expr, b: Expr, span: Span) -> (Expr, Expr) {
        let (x, y) = (self.show(a.ty), self.show(b.ty));
        self.report(errors::expr::arms(span, (a.span, &x), (b.span, &y)));
        (Expr::error(span), Expr::error(span))
    }

    /// A pointer and a literal 0.
    fn join_null(&mut self, pointer: Expr, p: PtrTy, zero: Expr, first: bool) -> (Expr, Expr) {
        let ty = self.unit.types.pointer(PtrTy { nullable: true, ..p });
        let pointer = self.coerce(pointer, ty, Why::Arm);
        let zero = self.coerce(zero, ty, Why::Arm);
        if first { (pointer, zero) } else { (zero, pointer) }
    }

    /// Two pointers without an expected type: what both can be used as.
    fn join_pointers(&mut self, a: Expr, p: PtrTy, b: Expr, q: PtrTy, span: Span) -> (Expr, Expr) {
        let null = (matches!(a.kind, ExprKind::Null), matches!(b.kind, ExprKind::Null));
        let base = match null {
            (true, _) => q,
            (_, true) => p,
            _ if self.may_equal(p.to.ty, q.to.ty) => {
                self.unify(p.to.ty, q.to.ty, span);
                p
            }
            _ => {
                let why = Why::Arm.flow(span);
                if self.kind_of(q.to.ty) == &TyKind::Void || self.is_subtype(p.to, q.to, why) {
                    q
                } else if self.kind_of(p.to.ty) == &TyKind::Void || self.is_subtype(q.to, p.to, why) {
                    p
                } else if let Some(datatype) = self.common_datatype(p.to.ty, q.to.ty) {
                    PtrTy { to: QTy { ty: datatype, ..p.to }, ..p }
                } else {
                    return self.arms_disagree(a, b, span);
                }
            }
        };
        let bound = match (null, p.bound, q.bound) {
            ((true, _) | (_, true), ..) => base.bound,
            (_, Bound::Thin(n), Bound::Thin(m)) => Bound::Thin(n.min(m)),
            _ => Bound::Fat,
        };
        let any_null = null.0 || null.1;
        let common = PtrTy {
            to: QTy { is_const: base.to.is_const || (!any_null && (p.to.is_const || q.to.is_const)), ..base.to },
            nullable: p.nullable || q.nullable,
            bound,
            zeroterm: if any_null { base.zeroterm } else { p.zeroterm && q.zeroterm },
            region: self.fresh_region(span),
            aqual: base.aqual,
        };
        let ty = self.unit.types.pointer(common);
        (self.coerce(a, ty, Why::Arm), self.coerce(b, ty, Why::Arm))
    }

    /// The datatype that both are, or variants of.
    fn common_datatype(&self, a: Ty, b: Ty) -> Option<Ty> {
        let whole = |ty| match self.kind_of(ty) {
            TyKind::Datatype(id) | TyKind::Variant(id, _) => Some(self.unit.types.intern(TyKind::Datatype(*id))),
            _ => None,
        };
        let (a, b) = (whole(a)?, whole(b)?);
        self.may_equal(a, b).then_some(a)
    }

    /// `a, b`: the value of `b`.
    pub(crate) fn check_comma(&mut self, a: &ast::Expr, b: &ast::Expr, want: Want, span: Span) -> Expr {
        let first = self.check_expr(a, Want::None);
        let second = self.check_expr(b, want);
        let ty = second.ty;
        Expr { kind: ExprKind::Comma(Box::new(first), Box::new(second)), ty, span }
    }

    /// `({ items e; })`: the value of the last expression; pointers to its locals may not leave it.
    pub(crate) fn check_stmt_expr(&mut self, block: &ast::Block, want: Want, span: Span) -> Expr {
        if !self.func.inside {
            self.report(errors::expr::stmt_expr_outside(span));
            return Expr::error(span);
        }
        let Some((last, items)) = block.items.split_last() else {
            self.report(errors::expr::stmt_expr_end(span));
            return Expr::error(span);
        };
        let StmtKind::Expr(last) = &last.kind else {
            let at = last.span;
            self.check_block(block);
            self.report(errors::expr::stmt_expr_end(at));
            return Expr::error(span);
        };
        let region = items.iter().find(|s| matches!(&s.kind, StmtKind::Decl(ast::Decl::Region { .. })));
        if let Some(region) = region {
            self.report(errors::effect::region_misplaced(region.span));
            return Expr::error(span);
        }
        let scope = self.push_scope(block.span);
        let chain = self.func.jumps.here();
        let stmts = self.check_stmts(items);
        let mut value = self.check_expr(last, want);
        if let Want::Ty(ty) = want
            && !value.is_error()
            && matches!(self.kind_of(ty), TyKind::Pointer(_))
        {
            value = self.coerce(value, ty, Why::Value);
        }
        self.func.jumps.leave(chain);
        self.pop_scope();
        if value.is_error() {
            return Expr::error(span);
        }
        let why = Why::Value.flow(value.span);
        let ty = self.resolve(value.ty);
        let outside = self.relocate(ty, why);
        if outside != ty {
            value = value.coerced(tast::Coercion::Retype, outside);
        }
        let ty = if outside == Ty::ERROR { Ty::ERROR } else { outside };
        let block = tast::Block { scope: Some(scope), stmts, span: block.span };
        Expr { kind: ExprKind::StmtExpr(block, Box::new(value)), ty, span }
    }
}
