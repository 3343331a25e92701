//! `asm` (core, section 5.17): nothing in it can be checked, so it is rejected.

use crate::cx::Checker;
use crate::errors;
use crate::tast::Expr;
use cyc_syntax::ast;

impl Checker<'_> {
    pub(crate) fn check_asm(&mut self, asm: &ast::Asm) -> Expr {
        self.report(errors::expr::asm(asm.span));
        Expr::error(asm.span)
    }
}
