//! ``let alias<`r> T x = e;`` (memory, sections 5.1 and 5.2).
//!
//! The judgement: `e` is a place that holds a pointer; if it must not be copied, a unique path. Until the end of the block
//! `x` has the pointer as one that may be copied, into the fresh region `` `r ``, which nothing outside of the scope can be.
//! The type of the target stays what it is, except *deeply*: where the target type has a `const` field, a unique pointer
//! may be seen as one into `` `r `` as well, if `e` is itself unique and the field is reached through unique pointers only.
//! Flow analysis gives the pointer back to `e` at the end of the scope.

use crate::cx::Checker;
use crate::errors;
use crate::expr::is_temporary;
use crate::region::{Flow, RegionReason, ScopeKind, Use};
use crate::stmt::jumps::Entered;
use crate::stmt::stmt;
use crate::tast::{Block, Coercion, Expr, ExprKind, Pattern, PatternKind, Place, Stmt, StmtKind};
use crate::types::Position;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident};
use cyc_types::{Aqual, Bound, PtrTy, QTy, Region, Ty, TyKind};

/// The written parts of an alias.
pub(crate) struct Alias<'a> {
    pub var: &'a ast::TypeVar,
    pub ty: &'a ast::Type,
    pub name: Ident,
}

impl Checker<'_> {
    /// The declaration, with the statements that follow it in its block.
    pub(crate) fn check_alias_let(&mut self, alias: Alias, init: &ast::Expr, span: Span, rest: &[ast::Stmt]) -> Stmt {
        let place = self.check_place(init);
        let source = self.alias_source(&place, init.span);
        let name = Symbol::new(alias.var.name.as_str().trim_start_matches('`'));
        let outer = self.enter_region(ScopeKind::Alias, Some(name), span);
        let region = Region::Scope(self.func.current);
        let qty = self.resolve_type(alias.ty, Position::Local);
        let target = self.alias_target(alias.ty, qty.ty, region);
        let local = self.declare_local(alias.name, qty);
        let mut stmts = vec![];
        if let (Some(from), Some(to)) = (source, target)
            && self.aliases(from, to, region, &place, init.span)
        {
            if from.nullable && !to.nullable {
                stmts.push(self.not_null(&place, from, init.span));
            }
            let ty = place.qty.ty;
            let pattern = Pattern { kind: PatternKind::Alias(local), ty, span: init.span };
            let init = Expr { kind: ExprKind::Read(Box::new(place)), ty, span: init.span };
            stmts.push(stmt(StmtKind::Let { pattern, init, refutable: false }, span));
        }
        let mut body = self.region_body(rest, Entered::Declaration, outer, span);
        stmts.append(&mut body.stmts);
        stmt(StmtKind::Block(Block { stmts, ..body }), span)
    }

    /// The pointer that is borrowed; None: an error was reported.
    fn alias_source(&mut self, place: &Place, span: Span) -> Option<PtrTy> {
        if place.is_error() {
            return None;
        }
        let shown = self.show(place.qty.ty);
        let Some(ptr) = self.pointer_of(place.qty.ty) else {
            self.report(errors::moves::alias_of_no_pointer(span, &shown));
            return None;
        };
        if is_temporary(place) {
            self.report(errors::moves::alias_of_value(span, &shown));
            return None;
        }
        self.require_live(ptr.region, Use::Access, span);
        Some(ptr)
    }

    /// The type that is written: a pointer that may be copied, into the alias's region.
    fn alias_target(&mut self, written: &ast::Type, ty: Ty, region: Region) -> Option<PtrTy> {
        let ty = self.resolve(ty);
        if ty == Ty::ERROR {
            return None;
        }
        match self.pointer_of(ty) {
            Some(ptr) if ptr.region == region && self.resolve_aqual_value(ptr.aqual) == Aqual::Aliasable => Some(ptr),
            _ => {
                let shown = self.show(ty);
                self.report(errors::moves::alias_type(written.span, &shown));
                None
            }
        }
    }

    /// Reports an error unless a pointer `from` may be seen as a `to`.
    fn aliases(&mut self, from: PtrTy, to: PtrTy, region: Region, place: &Place, span: Span) -> bool {
        let shapes =
            from.zeroterm == to.zeroterm && bounds_fit(from.bound, to.bound) && (to.to.is_const || !from.to.is_const);
        let unique = self.unit.types.is_unique_pointer(self.resolve(place.qty.ty), &self.func.params);
        let fits = shapes && self.deep_alias(from.to.ty, to.to.ty, region, unique, span, &mut vec![]);
        if !fits {
            let (found, wanted) = (self.show(place.qty.ty), self.show(self.unit.types.pointer(to)));
            self.report(errors::moves::alias_mismatch(span, &found, &wanted, unique));
        }
        fits
    }

    /// The deep alias rule for the targets. `seen`: assumed while it is being shown.
    pub(crate) fn deep_alias(
        &mut self,
        from: Ty,
        to: Ty,
        region: Region,
        unique: bool,
        span: Span,
        seen: &mut Vec<(Ty, Ty)>,
    ) -> bool {
        let (from, to) = (self.resolve(from), self.resolve(to));
        if seen.contains(&(from, to)) {
            return true;
        }
        if self.may_equal(from, to) {
            return self.unify(from, to, span);
        }
        let (TyKind::Aggr(a), TyKind::Aggr(b)) = (self.kind_of(from).clone(), self.kind_of(to).clone()) else {
            return false;
        };
        let plain = |cx: &Self, id| {
            let aggr = cx.unit.types.aggr(id);
            !aggr.is_union && !aggr.packed && aggr.align.is_none() && aggr.exists.is_empty()
        };
        let (Some(source), Some(target)) = (self.unit.types.fields(a), self.unit.types.fields(b)) else { return false };
        let (source, target) = (source.to_vec(), target.to_vec());
        if !plain(self, a) || !plain(self, b) || source.len() != target.len() {
            return false;
        }
        seen.push((from, to));
        source.iter().zip(&target).all(|(s, t)| {
            s.bits == t.bits
                && s.align == t.align
                && s.packed == t.packed
                && (t.qty.is_const || !s.qty.is_const)
                && self.deep_field(s.qty, t.qty, region, unique, span, seen)
        })
    }

    fn deep_field(
        &mut self,
        s: QTy,
        t: QTy,
        region: Region,
        unique: bool,
        span: Span,
        seen: &mut Vec<(Ty, Ty)>,
    ) -> bool {
        let (Some(p), Some(q)) = (self.pointer_of(s.ty), self.pointer_of(t.ty)) else {
            return self.may_equal(s.ty, t.ty) && self.unify(s.ty, t.ty, span);
        };
        let (from, to) = (self.resolve_aqual_value(p.aqual), self.resolve_aqual_value(q.aqual));
        let deep = t.is_const && unique && from == Aqual::Unique && to == Aqual::Aliasable;
        if !deep {
            return self.may_equal(s.ty, t.ty) && self.unify(s.ty, t.ty, span);
        }
        let shapes = p.bound == q.bound
            && p.zeroterm == q.zeroterm
            && (q.nullable || !p.nullable)
            && (q.to.is_const || !p.to.is_const);
        if !shapes {
            return false;
        }
        self.require_live(p.region, Use::Access, span);
        self.same_region(q.region, region, RegionReason::new(span, Flow::Within));
        self.deep_alias(p.to.ty, q.to.ty, region, unique, span, seen)
    }

    /// The check that a pointer to be seen as one that is never null is not.
    fn not_null(&mut self, place: &Place, from: PtrTy, span: Span) -> Stmt {
        let read = Expr { kind: ExprKind::Read(Box::new(place.clone())), ty: place.qty.ty, span };
        let to = self.unit.types.pointer(PtrTy { nullable: false, ..from });
        let how = if from.bound == Bound::Fat { Coercion::FatNotNull } else { Coercion::NotNull };
        stmt(StmtKind::Expr(read.coerced(how, to)), span)
    }
}

fn bounds_fit(from: Bound, to: Bound) -> bool {
    match (from, to) {
        (Bound::Thin(n), Bound::Thin(m)) => n >= m,
        _ => from == to,
    }
}
