//! Constant expressions: their values, and what may initialise a global (core, section 12.1).

use crate::cx::Checker;
use crate::tast;
use cyc_syntax::ast;

impl Checker<'_> {
    /// The value of an integer constant expression; None when it is not one (nothing is reported).
    pub fn const_int(&mut self, e: &ast::Expr) -> Option<i128> {
        let _ = e;
        None
    }

    /// The value of a typed expression if it is an integer constant expression.
    pub fn eval_int(&self, e: &tast::Expr) -> Option<i128> {
        let _ = e;
        None
    }
}
