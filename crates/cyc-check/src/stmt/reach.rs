//! Can control reach the end of a statement? Decided from its form (core, section 9.5): constant
//! conditions are understood, calls of `noreturn` functions and `throw` end a path.

use crate::cx::Checker;
use crate::tast::*;

impl Checker<'_> {
    /// Can control reach the end of the statements?
    pub(crate) fn completes(&self, stmts: &[Stmt]) -> bool {
        let mut live = true;
        for stmt in stmts {
            live = (live || has_label(stmt)) && self.stmt_completes(stmt);
        }
        live
    }

    fn stmt_completes(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Let { init: e, .. } => !self.diverges(e),
            StmtKind::Local { init, .. } => !init.as_ref().is_some_and(|e| self.diverges(e)),
            StmtKind::Block(b) => self.completes(&b.stmts),
            StmtKind::Label(_) => true,
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Fallthru(_) => {
                false
            }
            StmtKind::If { cond, then, otherwise } => {
                let then = || self.completes(&then.stmts);
                let otherwise = || otherwise.as_ref().is_none_or(|b| self.completes(&b.stmts));
                match cond.as_int() {
                    Some(0) => otherwise(),
                    Some(_) => then(),
                    None => !self.diverges(cond) && (then() || otherwise()),
                }
            }
            StmtKind::While { cond, body } => !always(Some(cond)) || breaks(&body.stmts),
            StmtKind::DoWhile { body, cond } => {
                let again = self.completes(&body.stmts) || continues(&body.stmts);
                (again && !always(Some(cond))) || breaks(&body.stmts)
            }
            StmtKind::For { cond, body, .. } => !always(cond.as_ref()) || breaks(&body.stmts),
            StmtKind::Switch(switch) => self.switch_completes(switch),
            StmtKind::Region { body, .. } | StmtKind::Open { body, .. } => self.completes(&body.stmts),
            StmtKind::Try { body, handler } => self.completes(&body.stmts) || self.switch_completes(handler),
        }
    }

    fn switch_completes(&self, switch: &Switch) -> bool {
        let last = switch.clauses.last().is_some_and(|c| self.completes(&c.body.stmts));
        let leaves = switch.clauses.iter().any(|c| breaks(&c.body.stmts));
        last || leaves || (switch.otherwise == Otherwise::Nothing) || (switch.clauses.is_empty() && switch.on.is_some())
    }

    /// Does evaluating the expression never end normally?
    pub(crate) fn diverges(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Throw(_) => true,
            ExprKind::Assert(cond) => cond.as_int() == Some(0),
            ExprKind::Call { callee, args } => self.never_returns(callee) || args.iter().any(|a| self.diverges(a)),
            ExprKind::Coerce(_, e) | ExprKind::Unary(_, e) | ExprKind::Not(e) => self.diverges(e),
            ExprKind::Comma(a, b) => self.diverges(a) || self.diverges(b),
            ExprKind::Assign { value, .. } | ExprKind::AssignOp { value, .. } => self.diverges(value),
            ExprKind::Cond(c, a, b) => self.diverges(c) || (self.diverges(a) && self.diverges(b)),
            ExprKind::StmtExpr(block, e) => !self.completes(&block.stmts) || self.diverges(e),
            _ => false,
        }
    }

    fn never_returns(&self, callee: &Callee) -> bool {
        let ty = match callee {
            Callee::Direct(id, _) => self.unit.global(*id).qty.ty,
            Callee::Pointer(e) => match self.pointer_of(e.ty) {
                Some(p) => self.resolve(p.to.ty),
                None => return false,
            },
            Callee::Builtin(name) => return name.as_str() == "__builtin_trap",
        };
        self.unit.types.as_function(ty).is_some_and(|f| f.attrs.noreturn)
    }
}

/// No condition, or one that is a constant other than 0.
fn always(cond: Option<&Expr>) -> bool {
    cond.is_none_or(|e| e.as_int().is_some_and(|v| v != 0))
}

/// The blocks directly inside a statement; `None` for those whose `break` is their own.
fn inner_blocks(stmt: &Stmt, also_breakable: bool) -> Vec<&Block> {
    match &stmt.kind {
        StmtKind::Block(b) => vec![b],
        StmtKind::If { then, otherwise, .. } => std::iter::once(then).chain(otherwise).collect(),
        StmtKind::Try { body, handler } => {
            let clauses = handler.clauses.iter().map(|c| &c.body).filter(|_| also_breakable);
            std::iter::once(body).chain(clauses).collect()
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. }
            if also_breakable =>
        {
            vec![body]
        }
        StmtKind::Switch(s) if also_breakable => s.clauses.iter().map(|c| &c.body).collect(),
        _ => vec![],
    }
}

/// Is there a `break` that leaves the statement around these?
fn breaks(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|s| matches!(s.kind, StmtKind::Break) || inner_blocks(s, false).iter().any(|b| breaks(&b.stmts)))
}

/// Is there a `continue` of the loop around these?
fn continues(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|s| match &s.kind {
        StmtKind::Continue => true,
        StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => false,
        _ => inner_blocks(s, true).iter().any(|b| continues(&b.stmts)),
    })
}

fn has_label(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Label(_)) || inner_blocks(stmt, true).iter().any(|b| b.stmts.iter().any(has_label))
}
