//! `@subset(T x | e)` (core, section 3.18).
//!
//! The judgement: `T` is a number or a pointer that may be copied; `e` is a condition without effects over `x`, constants
//! and globals. Equal conditions on equal types are one type. A conversion to the type proves `e` or checks it; the one
//! way for memory to hold such a value is to have been given one, so that it is always initialised.

use super::Position;
use crate::coerce::KindExt;
use crate::cx::{Checker, FnCx};
use crate::errors;
use crate::expr::place_local;
use crate::tast::operands::Way;
use crate::tast::{Block, Coercion, Expr, ExprKind, LocalId, Place, Stmt, StmtKind, Subset};
use crate::template::mentioned;
use crate::visit::Rewriter;
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{Aqual, SubsetId, Ty, TyKind};

/// The condition over the first local, without places in the source.
struct Normal(LocalId);

impl Rewriter for Normal {
    fn local(&mut self, local: &mut LocalId) {
        if *local == self.0 {
            *local = LocalId(0);
        }
    }

    fn place(&mut self, _: Way, p: &mut Place, _: Span) {
        p.span = Span::NONE;
        self.parts_of_place(p);
    }

    fn expr(&mut self, e: &mut Expr) {
        e.span = Span::NONE;
        self.parts_of_expr(e);
    }
}

impl Checker<'_> {
    pub(super) fn resolve_subset(&mut self, subset: &ast::Subset, at: Position) -> Ty {
        let qty = self.resolve_at(&subset.ty, at, false);
        let base = self.resolve(qty.ty);
        let fits = match self.unit.types.kind(base) {
            TyKind::Error => return Ty::ERROR,
            TyKind::Pointer(ptr) => ptr.aqual == Aqual::Aliasable,
            kind => kind.is_arithmetic(),
        };
        if !fits {
            let found = self.show(base);
            self.report(errors::types::subset_of_another(subset.ty.span, &found));
            return Ty::ERROR;
        }
        let Some(condition) = self.subset_condition(subset, base) else { return Ty::ERROR };
        let key = format!("{condition:?}");
        let known = self.unit.subsets.iter().position(|known| known.key == key);
        let id = known.unwrap_or_else(|| {
            self.unit.subsets.push(Subset { condition, key });
            self.unit.subsets.len() - 1
        });
        let written = self.source.text().get(subset.cond.span.lo as usize..subset.cond.span.hi as usize);
        let text = format!(
            "@subset({} | {})",
            self.unit.types.declaration(base.into(), subset.name.name.as_str(), &cyc_types::print::Plain),
            written.unwrap_or("…").split_whitespace().collect::<Vec<_>>().join(" ")
        );
        self.unit.types.subset(base, SubsetId(id as u32), &text)
    }

    /// The condition; its variable is the first local.
    fn subset_condition(&mut self, subset: &ast::Subset, base: Ty) -> Option<Expr> {
        let inside = self.func.inside;
        let outer =
            (!inside).then(|| std::mem::replace(&mut self.func, FnCx::new(subset.name.name, true, subset.cond.span)));
        self.names.push();
        let variable = self.declare_local(subset.name, base.into());
        let condition = self.contract_condition(&subset.cond);
        self.names.pop();
        let mut block = Block::default();
        if let Some(cond) = condition {
            block.stmts.push(Stmt { span: cond.span, kind: StmtKind::Expr(cond) });
        }
        if let Some(outer) = outer {
            self.finish_inference(&mut block);
            self.func = outer;
        }
        let StmtKind::Expr(mut condition) = block.stmts.pop()?.kind else { return None };
        if let Some(other) = mentioned(&condition).into_iter().find(|local| *local != variable) {
            let name = self.func.local(other).name;
            self.report(errors::types::subset_of_locals(subset.cond.span, name));
            return None;
        }
        Normal(variable).expr(&mut condition);
        Some(condition)
    }

    /// A value as one of a subset of its type: of a constant the condition is computed here. A constant that is not in it
    /// fails its check when control comes there; an initialiser of a global variable has no such time.
    pub(crate) fn coerce_to_subset(&mut self, value: Expr, id: SubsetId, to: Ty) -> Expr {
        if value.is_error() {
            return Expr { ty: to, ..value };
        }
        if matches!(value.kind, ExprKind::Int(_)) {
            struct Known<'a>(&'a Expr);
            impl Rewriter for Known<'_> {
                fn expr(&mut self, e: &mut Expr) {
                    match place_local(e) {
                        Some(LocalId(0)) => *e = self.0.clone(),
                        _ => self.parts_of_expr(e),
                    }
                }
            }
            let mut condition = self.unit.subsets[id.0 as usize].condition.clone();
            Known(&value).expr(&mut condition);
            match self.eval_int(&condition) {
                Some(0) if self.func.inside => {
                    let wanted = self.show(to);
                    self.report(errors::coerce::never_in_subset(value.span, &wanted));
                }
                Some(0) => {
                    let wanted = self.show(to);
                    self.report(errors::coerce::not_in_subset(value.span, &wanted));
                    return Expr { ty: Ty::ERROR, ..value };
                }
                Some(_) => return Expr { ty: to, ..value },
                None => {}
            }
        }
        value.coerced(Coercion::Subset(id), to)
    }
}
