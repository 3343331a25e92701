//! `asm` (core, section 5.17): nothing in it can be checked, so it is rejected unless the user says otherwise.

use crate::coerce::{KindExt, Want};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{self, Expr, ExprKind};
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{Bound, Ty, TyKind};

impl Checker<'_> {
    /// GNU's `asm` with operands: outputs are places, inputs values, all of one register.
    pub(crate) fn check_asm(&mut self, asm: &ast::Asm) -> Expr {
        let span = asm.span;
        if !self.options.allow_asm {
            self.report(errors::expr::asm(span));
            return Expr::error(span);
        }
        if asm.is_goto {
            self.report(errors::expr::asm_goto(span));
            return Expr::error(span);
        }
        self.report(errors::expr::asm_unchecked(span));
        let mut good = true;
        let mut outputs = vec![];
        for operand in &asm.outputs {
            let place =
                self.check_lvalue(&operand.expr, "an output of `asm` must be the place of a variable or object");
            good &= !place.is_error() && self.writable(&place, false) && self.asm_operand(place.qty.ty, place.span);
            outputs.push((operand.name.map(|n| n.name), operand.constraint.clone(), place));
        }
        let mut inputs = vec![];
        for operand in &asm.inputs {
            let value = self.check_expr(&operand.expr, Want::None);
            good &= !value.is_error() && self.asm_operand(value.ty, value.span);
            inputs.push((operand.name.map(|n| n.name), operand.constraint.clone(), value));
        }
        if !good {
            return Expr::error(span);
        }
        let (volatile, template, clobbers) = (asm.volatile, asm.template.clone(), asm.clobbers.clone());
        let asm = tast::Asm { volatile, template, outputs, inputs, clobbers };
        Expr { kind: ExprKind::Asm(Box::new(asm)), ty: Ty::VOID, span }
    }

    fn asm_operand(&mut self, ty: Ty, span: Span) -> bool {
        let fits = match self.kind_of(ty) {
            TyKind::Pointer(p) => p.bound != Bound::Fat,
            kind => kind.is_arithmetic(),
        };
        if !fits {
            let found = self.show(ty);
            self.report(errors::expr::asm_operand(span, &found));
        }
        fits
    }
}
