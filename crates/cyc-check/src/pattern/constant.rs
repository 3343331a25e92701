//! Constants in patterns (core, sections 7.1 and 7.6).

use crate::coerce::{KindExt, Num, Want};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{Expr, ExprKind, PatternKind, UnOp};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast;
use cyc_types::{Ty, TyKind};

impl Checker<'_> {
    /// An integer, character, floating or null constant.
    pub(super) fn constant_pattern(&mut self, e: &ast::Expr, ty: Ty) -> Option<PatternKind> {
        let value = self.check_expr(e, Want::None);
        if value.is_error() || ty == Ty::ERROR {
            return None;
        }
        if matches!(value.kind, ExprKind::Null) {
            return self.null_pattern(ty, e.span);
        }
        let known = self.eval_int(&value);
        let kind = self.kind_of(ty);
        if kind.is_float() {
            let text = known.map(|i| format!("{i}.0")).or_else(|| float_text(&value));
            if text.is_none() {
                self.report(errors::pattern::not_constant(e.span));
            }
            return text.map(|t| PatternKind::Float(Symbol::new(&t)));
        }
        let null = matches!(kind, TyKind::Pointer(_)) && known == Some(0);
        if !kind.is_integral() && !null {
            let (found, wanted) = (self.show(value.ty), self.show(ty));
            self.report(errors::pattern::mismatch(e.span, &format!("a constant of type {found}"), &wanted));
            return None;
        }
        let Some(known) = known else {
            self.report(match self.kind_of(value.ty).is_float() {
                true => errors::pattern::mismatch(e.span, "a floating constant", &self.show(ty)),
                false => errors::pattern::not_constant(e.span),
            });
            return None;
        };
        match Num::of(&self.unit.types, ty) {
            None => self.null_pattern(ty, e.span),
            Some(num) if num.wrap(known) == known => Some(PatternKind::Int(known)),
            // The same bits under another sign are meant: `case -1:` for an unsigned scrutinee.
            Some(num) if (Num { signed: !num.signed, ..num }).wrap(known) == known => {
                Some(PatternKind::Int(num.wrap(known)))
            }
            Some(_) => {
                let wanted = self.show(ty);
                self.report(errors::pattern::out_of_range(e.span, known, &wanted));
                None
            }
        }
    }

    pub(super) fn null_pattern(&mut self, ty: Ty, span: Span) -> Option<PatternKind> {
        match self.kind_of(ty) {
            TyKind::Pointer(p) if p.nullable => Some(PatternKind::Null),
            TyKind::Error => None,
            TyKind::Pointer(_) => {
                let found = self.show(ty);
                self.report(errors::pattern::null_for_nonnull(span, &found));
                None
            }
            _ => {
                let found = self.show(ty);
                self.report(errors::pattern::mismatch(span, "NULL", &found));
                None
            }
        }
    }
}

/// A floating constant's text.
fn float_text(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Float(text) => Some(text.as_str().into()),
        ExprKind::Unary(UnOp::Neg, inner) => float_text(inner).map(|t| format!("-{t}")),
        _ => None,
    }
}
