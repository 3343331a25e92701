//! `try` and `catch` (core, section 6.4).

use crate::cx::Checker;
use crate::stmt::jumps::Entered;
use crate::stmt::switch::Rules;
use crate::tast::{StmtKind, Switch};
use cyc_base::Span;
use cyc_syntax::ast;

impl Checker<'_> {
    /// `try S catch { clauses }`: clauses match ``datatype exn @`H``; what none matches goes on outwards.
    pub(super) fn check_try(&mut self, body: &ast::Stmt, clauses: &[ast::Clause], span: Span) -> StmtKind {
        let point = self.func.jumps.here();
        self.func.jumps.enter(Entered::TryBody, body.span);
        let body_out = self.check_sub_statement(body);
        self.func.jumps.leave(point);
        let exn = self.exception_type();
        let caught = self.temp_local("caught", exn.into(), span);
        self.func.jumps.enter(Entered::Handler, span);
        let clauses_out = self.check_clauses(clauses, exn, Rules::Catch);
        self.func.jumps.leave(point);
        let otherwise = self.check_coverage(&clauses_out, clauses, exn, Rules::Catch, span.lo, body.span);
        let handler = Box::new(Switch { on: None, caught: Some(caught), clauses: clauses_out, otherwise });
        StmtKind::Try { body: body_out, handler }
    }
}
