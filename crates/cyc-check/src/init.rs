//! Initialisers: brace lists, designators, strings to arrays, comprehensions (core, sections 5.9 and 5.10).

use crate::cx::Checker;
use crate::tast::{Expr, ExprKind};
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{QTy, Ty};

impl Checker<'_> {
    /// The value that an initialiser gives to an object of type `to`. For an array without length
    /// the result's type has the length that the initialiser gives.
    pub fn check_init(&mut self, init: &ast::Init, to: QTy) -> Expr {
        let _ = (init, to);
        Expr { kind: ExprKind::Error, ty: Ty::ERROR, span: Span::NONE }
    }

    /// `{…}` as the value of an object of type `to`: also compound literals and struct values.
    pub fn check_init_list(&mut self, list: &ast::InitList, to: QTy) -> Expr {
        let _ = to;
        Expr { kind: ExprKind::Error, ty: Ty::ERROR, span: list.span }
    }
}
