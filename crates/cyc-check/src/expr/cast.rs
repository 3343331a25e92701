//! Casts and compound literals (core, section 5.8).

use crate::coerce::{Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{Coercion, Expr, ExprKind};
use crate::types::Position;
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{Ty, TyKind};

impl Checker<'_> {
    /// `(T)e`: never more than a conversion can do, but without warnings.
    pub(crate) fn check_cast(&mut self, ty: &ast::Type, operand: &ast::Expr, span: Span) -> Expr {
        let to = self.resolve_type(ty, Position::Cast).ty;
        let want = if to == Ty::VOID || to == Ty::ERROR { Want::None } else { Want::Ty(to) };
        let value = self.check_expr(operand, want);
        if to == Ty::ERROR || value.is_error() {
            return Expr { ty: to, ..Expr::error(span) };
        }
        if matches!(self.kind_of(to), TyKind::Array { .. } | TyKind::Function(_)) {
            let shown = self.show(to);
            self.report(errors::expr::cast_to(ty.span, &shown));
            return Expr::error(span);
        }
        let mut cast = self.coerce(value, to, Why::Cast);
        if matches!(&cast.kind, ExprKind::Read(place) if self.bit_field(place).is_some()) {
            // A cast to its declared type makes a bit-field's value an ordinary one, with ordinary promotions.
            cast = cast.coerced(Coercion::Arith, to);
        }
        Expr { span, ..cast }
    }

    /// `(T){…}`: an object initialised as a variable of type `T`; a value, not a place.
    pub(crate) fn check_compound_literal(&mut self, ty: &ast::Type, items: &ast::InitList, span: Span) -> Expr {
        let to = self.resolve_type(ty, Position::Cast);
        let value = self.check_init_list(items, to);
        Expr { span, ..value }
    }
}
