//! `let` (core, sections 6.1 and 10.1).

use crate::coerce::{KindExt, Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::pattern::exhaust;
use crate::region::ScopeKind;
use crate::scope::Tag;
use crate::stmt::jumps::Entered;
use crate::stmt::stmt;
use crate::tast::{Block, Coercion, Expr, ExprKind, PatternKind, Stmt, StmtKind};
use cyc_base::Span;
use cyc_syntax::ast::{self, Ident, PatternKind as Ast};
use cyc_types::{QTy, Ty, TyKind};

impl Checker<'_> {
    /// `let p = e;`: each variable of the pattern has the type of its part of the value. A pattern
    /// that may fail is a warning, and raises `Match_Exception` when it does.
    pub(crate) fn check_let(&mut self, pattern: &ast::Pattern, init: &ast::Expr, span: Span) -> Vec<Stmt> {
        let value = self.let_value(init);
        self.let_pattern(pattern, value, span)
    }

    /// `let p = e;` where the pattern unpacks hidden types or borrows, with the statements that follow it in its block: these
    /// are a scope of their own, and the variables may hide those before. What is older, and could live on when a jump
    /// leads back to the pattern, is outside of it.
    pub(crate) fn check_unpacking_let(
        &mut self,
        pattern: &ast::Pattern,
        init: &ast::Expr,
        span: Span,
        rest: &[ast::Stmt],
    ) -> Stmt {
        let mut value = self.let_value(init);
        if let Ast::Tag(..) = pattern.kind
            && self.kind_of(value.ty).is_integral()
        {
            value = self.as_count(value);
        }
        let outer = self.enter_region(ScopeKind::Block, None, span);
        self.enter_aliases(pattern);
        let mut stmts = self.let_pattern(pattern, value, span);
        let mut body = self.region_body(rest, Entered::Declaration, outer, span);
        stmts.append(&mut body.stmts);
        stmt(StmtKind::Block(Block { stmts, ..body }), span)
    }

    /// Does the pattern bind type variables, or regions of aliases?
    pub(crate) fn unpacks(&mut self, pattern: &ast::Pattern) -> bool {
        match &pattern.kind {
            Ast::Tag(..) | Ast::Alias { .. } => true,
            Ast::Call(name, ..) if self.hides_types(name) => true,
            Ast::Struct { name, args, .. }
                if !args.is_empty() || name.as_ref().is_some_and(|name| self.hides_types(name)) =>
            {
                true
            }
            _ => pattern.parts().any(|part| self.unpacks(part)),
        }
    }

    /// Does the name mean an existential struct?
    fn hides_types(&self, name: &ast::Name) -> bool {
        let exists = |id| !self.unit.types.aggr(id).exists.is_empty();
        match (self.peek_tag(name), self.peek_typedef(name)) {
            (Some(Tag::Aggr(id)), _) => exists(id),
            (_, Some(id)) => matches!(self.kind_of(self.names.typedef(id).qty.ty), TyKind::Aggr(id) if exists(*id)),
            _ => false,
        }
    }

    /// The value that a `let` takes apart.
    fn let_value(&mut self, init: &ast::Expr) -> Expr {
        let value = self.check_expr(init, Want::None);
        if value.ty == Ty::VOID {
            self.report(errors::coerce::void_value(value.span));
            return Expr::error(value.span);
        }
        value
    }

    fn let_pattern(&mut self, pattern: &ast::Pattern, value: Expr, span: Span) -> Vec<Stmt> {
        let ty = value.ty;
        let pattern = self.check_pattern(pattern, ty);
        if value.is_error() {
            return vec![];
        }
        match pattern.kind {
            // The variable takes the value only for its scope.
            PatternKind::Bind(_) if matches!(value.kind, ExprKind::Read(_)) && self.carries_restricted(ty) => {
                vec![stmt(StmtKind::Let { pattern, init: value, refutable: false }, span)]
            }
            PatternKind::Bind(local) => {
                let bound = self.func.local(local).qty.ty;
                let value = match self.kind_of(bound) {
                    // A new tag: nothing is known of its integer but that it is this value.
                    TyKind::Tag(_) => value.coerced(Coercion::Retype, bound),
                    _ => self.coerce(value, bound, Why::Value),
                };
                vec![stmt(StmtKind::Local { local, init: Some(value), zero_last: false, names_itself: false }, span)]
            }
            PatternKind::Wild => vec![stmt(StmtKind::Expr(value), span)],
            _ => {
                let missing = exhaust::missing(self, ty, &[&pattern]);
                if let Some(missing) = &missing {
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
            out.push(stmt(StmtKind::Local { local, init: None, zero_last: false, names_itself: false }, span));
        }
        out
    }
}
