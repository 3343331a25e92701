//! `let` (core, sections 6.1 and 10.1).

use crate::coerce::{Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::pattern::exhaust;
use crate::stmt::stmt;
use crate::tast::{PatternKind, Stmt, StmtKind};
use cyc_base::Span;
use cyc_syntax::ast::{self, Ident};
use cyc_types::{QTy, Ty};

impl Checker<'_> {
    /// `let p = e;`: each variable of the pattern has the type of its part of the value. A pattern
    /// that may fail is a warning, and raises `Match_Exception` when it does.
    pub(crate) fn check_let(&mut self, pattern: &ast::Pattern, init: &ast::Expr, span: Span) -> Vec<Stmt> {
        let value = self.check_expr(init, Want::None);
        if value.ty == Ty::VOID {
            self.report(errors::coerce::void_value(value.span));
            let _ = self.check_pattern(pattern, Ty::ERROR);
            return vec![];
        }
        let why = Why::Value.flow(value.span);
        let ty = self.settle(value.ty, why);
        let value = self.coerce(value, ty, Why::Value);
        let pattern = self.check_pattern(pattern, ty);
        match pattern.kind {
            PatternKind::Bind(local) => {
                let bound = self.func.local(local).qty.ty;
                let value = self.coerce(value, bound, Why::Value);
                vec![stmt(StmtKind::Local { local, init: Some(value), zero_last: false }, span)]
            }
            PatternKind::Wild => vec![stmt(StmtKind::Expr(value), span)],
            _ => {
                let missing = exhaust::missing(self, ty, &[&pattern]);
                if let Some(missing) = &missing
                    && !value.is_error()
                {
                    self.report(errors::pattern::let_may_fail(pattern.span, missing));
                }
                vec![stmt(StmtKind::Let { pattern, init: value, refutable: missing.is_some() }, span)]
            }
        }
    }

    /// `let a, b;`: types found by the first use.
    pub(crate) fn check_let_vars(&mut self, names: &[Ident], span: Span) -> Vec<Stmt> {
        let mut out = vec![];
        for name in names {
            let ty = self.fresh_ty(name.span);
            let local = self.declare_local(*name, QTy::from(ty));
            out.push(stmt(StmtKind::Local { local, init: None, zero_last: false }, span));
        }
        out
    }
}
