//! Stands in for `coerce`, `infer`, `expr` and `stmt` until they are wired in: then delete this file
//! and the two lines of lib.rs that mention it.

use crate::cx::{Checker, FnCx};
use crate::tast;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast;
use cyc_types::{Ty, TyKind};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    None,
    Ty(Ty),
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    Init(Symbol, Span),
    Component,
}
impl tast::Expr {
    pub fn error(span: Span) -> tast::Expr {
        tast::Expr { kind: tast::ExprKind::Error, ty: Ty::ERROR, span }
    }
    pub fn is_error(&self) -> bool {
        self.ty == Ty::ERROR
    }
    pub fn as_int(&self) -> Option<i128> {
        match self.kind {
            tast::ExprKind::Int(n) => Some(n),
            _ => None,
        }
    }
}
impl FnCx {
    pub(crate) fn label_names(&self) -> Vec<Symbol> {
        vec![]
    }
}
impl Checker<'_> {
    pub fn resolve(&self, ty: Ty) -> Ty {
        ty
    }
    pub fn fresh_ty(&mut self, _: Span) -> Ty {
        Ty::INT
    }
    pub fn unify(&mut self, a: Ty, b: Ty, _: Span) -> bool {
        a == b
    }
    pub fn coerce(&mut self, e: tast::Expr, _: Ty, _: Why) -> tast::Expr {
        e
    }
    pub fn check_expr(&mut self, e: &ast::Expr, _: Want) -> tast::Expr {
        match e.kind {
            ast::ExprKind::Int { value, .. } => {
                tast::Expr { kind: tast::ExprKind::Int(value.into()), ty: Ty::INT, span: e.span }
            }
            _ => tast::Expr::error(e.span),
        }
    }
    pub fn check_rvalue_to(&mut self, e: &ast::Expr, _: Ty, _: Why) -> tast::Expr {
        self.check_expr(e, Want::None)
    }
    pub fn check_function_body(&mut self, block: &ast::Block) -> tast::Block {
        tast::Block { scope: Some(self.func.current), stmts: vec![], span: block.span }
    }
    pub(crate) fn finish_inference(&mut self, _: &mut tast::Block) {}
    pub(crate) fn type_of_operand(&mut self, e: &ast::Expr) -> cyc_types::QTy {
        let ty = self.check_expr(e, Want::None).ty;
        let _ = TyKind::Void;
        ty.into()
    }
}
