//! Statements (core, section 6): one construct a file.

pub(crate) mod alias;
mod binding;
mod guard;
pub mod jumps;
mod reach;
mod switch;
mod try_catch;

use crate::coerce::{Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::stmt::jumps::{Entered, Target};
use crate::tast::{self, Block, Stmt, StmtKind};
use cyc_base::Span;
use cyc_syntax::ast::{self, Decl, StmtKind as Ast};
use cyc_types::{ScopeId, Ty};

impl Checker<'_> {
    /// A function's body, in the function's own scope. At its end jumps are resolved.
    pub fn check_function_body(&mut self, block: &ast::Block) -> Block {
        let stmts = self.check_stmts(&block.items);
        self.finish_jumps();
        Block { scope: Some(ScopeId(0)), stmts, span: block.span }
    }

    /// `{ items }`, a scope and a region of its own.
    pub(crate) fn check_block(&mut self, block: &ast::Block) -> Block {
        self.check_labelled_block(block, None)
    }

    fn check_labelled_block(&mut self, block: &ast::Block, label: Option<ast::Ident>) -> Block {
        let scope = self.push_labelled_scope(label, block.span);
        let point = self.func.jumps.here();
        let stmts = self.check_stmts(&block.items);
        self.func.jumps.leave(point);
        self.pop_scope();
        Block { scope: Some(scope), stmts, span: block.span }
    }

    pub(crate) fn check_stmts(&mut self, items: &[ast::Stmt]) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            let item = self.past_labels(item, &mut out);
            if let Ast::Decl(Decl::Region { var, name, open, span }) = &item.kind {
                let rest = &items[i + 1..];
                out.push(match open {
                    None => self.check_region(var.as_ref(), *name, *span, rest),
                    Some(key) => self.check_open(*name, key, *span, rest),
                });
                return out;
            }
            if let Ast::Decl(Decl::Let { pattern, init, span }) = &item.kind
                && let ast::PatternKind::Alias { var, ty, name } = &pattern.kind
            {
                let alias = alias::Alias { var, ty, name: *name };
                out.push(self.check_alias_let(alias, init, *span, &items[i + 1..]));
                break;
            }
            if let Ast::Decl(Decl::Let { pattern, init, span }) = &item.kind
                && self.unpacks(pattern)
            {
                out.push(self.check_unpacking_let(pattern, init, *span, &items[i + 1..]));
                return out;
            }
            self.check_stmt(item, &mut out);
        }
        out
    }

    /// The declaration behind labels, which are appended to `out`; any other statement as it is.
    fn past_labels<'s>(&mut self, mut stmt: &'s ast::Stmt, out: &mut Vec<Stmt>) -> &'s ast::Stmt {
        let mut labels = vec![];
        let mut at = stmt;
        while let Ast::Label(name, inner) = &at.kind {
            labels.push(*name);
            at = inner;
        }
        if matches!(at.kind, Ast::Decl(_)) {
            for name in labels {
                let kind = self.check_label(name);
                out.push(Stmt { kind, span: name.span });
            }
            stmt = at;
        }
        stmt
    }

    /// A statement that is the body of another one, as a block.
    fn check_sub_statement(&mut self, stmt: &ast::Stmt) -> Block {
        match &stmt.kind {
            Ast::Block(block) => self.check_block(block),
            _ => {
                let mut stmts = vec![];
                self.check_stmt(stmt, &mut stmts);
                Block { scope: None, stmts, span: stmt.span }
            }
        }
    }

    fn check_loop_body(&mut self, stmt: &ast::Stmt) -> Block {
        self.func.jumps.targets.push(Target::Loop);
        let body = self.check_sub_statement(stmt);
        self.func.jumps.targets.pop();
        body
    }

    /// One statement; a declaration of several variables makes several.
    fn check_stmt(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let kind = match &stmt.kind {
            Ast::Empty => return,
            Ast::Expr(e) => StmtKind::Expr(self.check_expr(e, Want::None)),
            Ast::Decl(decl) => return self.check_decl_stmt(decl, span, out),
            Ast::NestedFunction(function) => {
                return self.check_nested_function(function);
            }
            Ast::Block(block) => StmtKind::Block(self.check_block(block)),
            Ast::Label(name, inner) => {
                let kind = self.check_label(*name);
                out.push(Stmt { kind, span: name.span });
                match &inner.kind {
                    Ast::Block(block) => StmtKind::Block(self.check_labelled_block(block, Some(*name))),
                    _ => return self.check_stmt(inner, out),
                }
            }
            Ast::If { cond, then, otherwise } => {
                let cond = self.check_condition(cond);
                let then = self.check_sub_statement(then);
                let otherwise = otherwise.as_ref().map(|s| self.check_sub_statement(s));
                StmtKind::If { cond, then, otherwise }
            }
            Ast::While { cond, body } => {
                let cond = self.check_condition(cond);
                StmtKind::While { cond, body: self.check_loop_body(body) }
            }
            Ast::DoWhile { body, cond } => {
                let body = self.check_loop_body(body);
                StmtKind::DoWhile { body, cond: self.check_condition(cond) }
            }
            Ast::For { init, cond, step, body } => {
                self.check_for(init.as_deref(), cond.as_ref(), step.as_ref(), body, span)
            }
            Ast::Switch { on, c_rules, clauses } => self.check_switch(on, *c_rules, clauses, span),
            Ast::CSwitch { .. } | Ast::CCase { .. } => {
                // Only in C code, whose bodies are not checked.
                self.report(errors::only_in_c(span, "a `case` within another statement"));
                return;
            }
            Ast::Try { body, clauses } => self.check_try(body, clauses, span),
            Ast::Goto(name) => self.check_goto(*name),
            Ast::Continue => self.check_break(span, true),
            Ast::Break => self.check_break(span, false),
            Ast::Return(value) => self.check_return(value.as_ref(), span),
            Ast::Fallthru(values) => self.check_fallthru(values, span),
        };
        out.push(Stmt { kind, span });
    }

    fn check_decl_stmt(&mut self, decl: &Decl, span: Span, out: &mut Vec<Stmt>) {
        match decl {
            Decl::Vars { specs, base, vars } => {
                let stmts = self.check_local_decl(specs, base, vars);
                if !vars.is_empty() && stmts.iter().any(|s| matches!(s.kind, StmtKind::Local { .. })) {
                    self.func.jumps.enter(Entered::Declaration, span);
                }
                out.extend(stmts);
            }
            Decl::Let { pattern, init, span } => {
                out.extend(self.check_let(pattern, init, *span));
                self.func.jumps.enter(Entered::Declaration, *span);
            }
            Decl::LetVars { names, span } => {
                out.extend(self.check_let_vars(names, *span));
                self.func.jumps.enter(Entered::Declaration, *span);
            }
            // Where it is not one of the statements of a block there is nothing that could be inside of it.
            Decl::Region { span, .. } => self.report(errors::effect::region_misplaced(*span)),
            Decl::StaticAssert { cond, message, .. } => self.check_static_assert(cond, message.as_deref()),
        }
    }

    /// `for (init; cond; step) body`: a block of its own that begins with the initialiser.
    fn check_for(
        &mut self,
        init: Option<&ast::Stmt>,
        cond: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
    ) -> StmtKind {
        let scope = self.push_scope(span);
        let point = self.func.jumps.here();
        let mut stmts = vec![];
        if let Some(init) = init {
            self.check_stmt(init, &mut stmts);
        }
        let cond = cond.map(|e| self.check_condition(e));
        // The step is read before the body, as it stands in the source: inference goes in textual order.
        let step = step.map(|e| self.check_expr(e, Want::None));
        let body = self.check_loop_body(body);
        stmts.push(Stmt { kind: StmtKind::For { cond, step, body }, span });
        self.func.jumps.leave(point);
        self.pop_scope();
        StmtKind::Block(Block { scope: Some(scope), stmts, span })
    }

    /// `return e;`: the value is converted to the result type.
    fn check_return(&mut self, value: Option<&ast::Expr>, span: Span) -> StmtKind {
        let ret = self.func.ret;
        let name = self.func.name;
        match value {
            None if ret == Ty::VOID || ret == Ty::ERROR => StmtKind::Return(None),
            None => {
                let wanted = self.show(ret);
                self.report(errors::stmt::return_without_value(span, name, &wanted));
                StmtKind::Return(None)
            }
            Some(value) if ret == Ty::VOID => {
                let found = self.check_expr(value, Want::None);
                if self.resolve(found.ty) == Ty::VOID && !found.is_error() {
                    self.report(errors::stmt::return_of_void(value.span, name));
                    let (first, then) = (stmt(StmtKind::Expr(found), value.span), stmt(StmtKind::Return(None), span));
                    return StmtKind::Block(Block { scope: None, stmts: vec![first, then], span });
                }
                if !found.is_error() {
                    self.report(errors::stmt::return_with_value(value.span, name));
                }
                StmtKind::Return(None)
            }
            Some(value) => StmtKind::Return(Some(self.check_rvalue_to(value, ret, Why::Return))),
        }
    }

    /// Enters again a scope that was left, to check more of it.
    fn reenter_scope(&mut self, scope: ScopeId) {
        self.func.current = scope;
        self.names.push();
    }
}

/// A statement made by the checker.
pub(crate) fn stmt(kind: StmtKind, span: Span) -> tast::Stmt {
    tast::Stmt { kind, span }
}
