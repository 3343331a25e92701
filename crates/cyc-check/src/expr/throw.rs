//! `throw` and `assert` (core, sections 5.13 and 3.18).

use crate::coerce::{Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{Expr, ExprKind};
use cyc_base::Span;
use cyc_syntax::ast::{self, AssertKind};
use cyc_types::{Aqual, Bound, PtrTy, Region, Ty, TyKind};

impl Checker<'_> {
    /// ``datatype exn @`H``
    pub(crate) fn exception_type(&mut self) -> Ty {
        self.unit.types.pointer(PtrTy {
            to: Ty::EXN_SUM.into(),
            nullable: false,
            bound: Bound::Thin(1),
            zeroterm: false,
            region: Region::Heap,
            aqual: Aqual::Aliasable,
        })
    }

    /// `throw e`: has whatever type is expected.
    pub(crate) fn check_throw(&mut self, operand: &ast::Expr, want: Want, span: Span) -> Expr {
        let exn = self.exception_type();
        let value = self.check_expr(operand, Want::Ty(exn));
        if value.is_error() {
            return Expr::error(span);
        }
        // What a function that never returns stands for.
        let any = matches!(self.kind_of(value.ty), TyKind::Infer(_));
        let thrown = any || self.pointer_of(value.ty).is_some_and(
            |p| matches!(self.kind_of(p.to.ty), TyKind::Datatype(d) | TyKind::Variant(d, _) if *d == cyc_types::EXN),
        );
        if !thrown {
            let found = self.show(value.ty);
            let variant = matches!(self.kind_of(value.ty), TyKind::Variant(d, _) if *d == cyc_types::EXN);
            self.report(errors::expr::not_an_exception(value.span, &found, variant));
            return Expr::error(span);
        }
        let value = self.coerce(value, exn, Why::Throw);
        let ty = want.ty().filter(|ty| !matches!(self.kind_of(*ty), TyKind::Infer(_))).unwrap_or(Ty::VOID);
        Expr { kind: ExprKind::Throw(Box::new(value)), ty, span }
    }

    /// `assert(e)`: checked at run time; `@assert(e)`, `@assert_false(e)`: proved. Type `int`.
    pub(crate) fn check_assert(&mut self, kind: AssertKind, cond: &ast::Expr, span: Span) -> Expr {
        let cond = self.check_condition(cond);
        if cond.is_error() {
            return Expr::error(span);
        }
        let cond = Box::new(cond);
        let kind = match kind {
            AssertKind::Dynamic => ExprKind::Assert(cond),
            AssertKind::Static => ExprKind::StaticAssert(cond, true),
            AssertKind::StaticFalse => ExprKind::StaticAssert(cond, false),
        };
        Expr { kind, ty: Ty::INT, span }
    }
}
