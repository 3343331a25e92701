//! Declarations: what a unit's names mean.

use crate::cx::Checker;
use crate::tast::{Stmt, TypedUnit};
use cyc_base::Diagnostics;
use cyc_syntax::ast;
use std::rc::Rc;

/// What declarations need to know about those before them.
#[derive(Default)]
pub(crate) struct DeclCx {}

impl Checker<'_> {
    pub(crate) fn check_items(&mut self, items: &[ast::Item]) {
        let _ = items;
    }

    /// A declaration in a function's body (not `let`, `region` or a static assertion), as the
    /// statements that bring its variables to life.
    pub fn check_local_decl(&mut self, specs: &ast::DeclSpecs, base: &Rc<ast::Type>, vars: &[ast::Declarator]) -> Vec<Stmt> {
        let _ = (specs, base, vars);
        vec![]
    }

    pub(crate) fn finish(self) -> (TypedUnit, Diagnostics) {
        (self.unit, self.diags)
    }
}
