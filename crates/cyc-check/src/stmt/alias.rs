//! ``let alias<`r> T x = e;``, and ``alias<`r> T x`` within patterns (memory, sections 5.1 and 5.2).
//!
//! The judgement: `e` is a place that holds a pointer; if it must not be copied, a unique path. Until the end of the block
//! `x` has the pointer as one that may be copied, into the fresh region `` `r ``, which nothing outside of the scope can be.
//! The type of the target stays what it is, except *deeply*: where the target type has a `const` field, a unique pointer
//! may be seen as one into `` `r `` as well, if `e` is itself unique and the field is reached through unique pointers only.
//! Flow analysis gives the pointer back to `e` at the end of the scope. In a pattern `e` is the component that is matched.

use crate::cx::Checker;
use crate::errors;
use crate::expr::is_temporary;
use crate::region::{Flow, RegionReason, ScopeKind, Use};
use crate::stmt::jumps::Entered;
use crate::stmt::stmt;
use crate::tast::{Block, Coercion, Expr, ExprKind, LocalId, Pattern, PatternKind, Place, Stmt, StmtKind};
use crate::types::Position;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident};
use cyc_types::{AggrId, Aqual, Bound, PtrTy, QTy, Region, Ty, TyKind};

/// The written parts of an alias.
pub(crate) struct Alias<'a> {
    pub var: &'a ast::TypeVar,
    pub ty: &'a ast::Type,
    pub name: Ident,
}

/// What an alias is of.
#[derive(Clone, Copy)]
pub(crate) struct Deep {
    pub region: Region,
    /// What is borrowed is the only pointer to its object.
    pub unique: bool,
    pub span: Span,
}

/// How far the comparison of two types has come.
#[derive(Default)]
pub(crate) struct Trail {
    seen: Vec<(Ty, QTy)>,
    /// The innermost field that does not fit.
    pub blame: Option<Blame>,
}

/// A field by which one type cannot be seen as another.
pub(crate) struct Blame {
    pub field: Span,
    pub why: Misfit,
}

pub(crate) enum Misfit {
    /// It would be a pointer that may be copied, and can be written.
    NotConst,
    /// What lies behind this pointer, of the shown type, others can reach.
    NotUnique(String),
    /// Another type.
    Differs,
}

/// Types that grow with every step are given up here.
const DEEPEST: usize = 64;

impl Checker<'_> {
    /// The declaration, with the statements that follow it in its block.
    pub(crate) fn check_alias_let(&mut self, alias: Alias, init: &ast::Expr, span: Span, rest: &[ast::Stmt]) -> Stmt {
        let place = self.check_place(init);
        let source = self.alias_source(&place, init.span);
        let name = Symbol::new(alias.var.name.as_str().trim_start_matches('`'));
        let outer = self.enter_region(ScopeKind::Alias, Some(name), span);
        let region = Region::Scope(self.func.current);
        let qty = self.alias_type(alias.ty);
        let target = self.alias_target(alias.ty, qty.ty, region);
        let local = self.declare_local(alias.name, qty);
        let mut stmts = vec![];
        if let (Some(from), Some(to)) = (source, target)
            && self.aliases((place.qty.ty, from), to, region, init.span)
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

    /// Enters the regions of a pattern's aliases, the last of them innermost: all of them end with the scope of its
    /// variables.
    pub(crate) fn enter_aliases(&mut self, pattern: &ast::Pattern) {
        match &pattern.kind {
            ast::PatternKind::Alias { var, .. } => {
                let name = Symbol::new(var.name.as_str().trim_start_matches('`'));
                self.enter_region(ScopeKind::Alias, Some(name), pattern.span);
            }
            _ => pattern.parts().for_each(|part| self.enter_aliases(part)),
        }
    }

    /// An alias of the component that a pattern matches, of type `from`, in the region that was entered for it.
    pub(crate) fn alias_pattern(&mut self, alias: Alias, from: Ty, span: Span) -> Option<LocalId> {
        let name = Symbol::new(alias.var.name.as_str().trim_start_matches('`'));
        let current = self.func.current;
        let found = self.func.scopes_around(current).find(|scope| self.func.scope(*scope).name == Some(name));
        let region = Region::Scope(found.unwrap_or(current));
        let qty = self.alias_type(alias.ty);
        let target = self.alias_target(alias.ty, qty.ty, region);
        let local = self.declare_local(alias.name, qty);
        let shown = self.show(from);
        let (from_ptr, to) = match (self.pointer_in_use(from), target) {
            (Some(from), Some(to)) => (from, to),
            (None, Some(_)) if self.resolve(from) != Ty::ERROR => {
                self.report(errors::moves::alias_of_no_pointer(span, &shown));
                return None;
            }
            _ => return None,
        };
        self.require_live(from_ptr.region, Use::Access, span);
        if from_ptr.nullable && !to.nullable {
            let wanted = self.show(self.unit.types.pointer(to));
            self.report(errors::moves::alias_may_be_null(span, &shown, &wanted));
            return None;
        }
        self.aliases((from, from_ptr), to, region, span).then_some(local)
    }

    /// The pointer that is borrowed; None: an error was reported.
    fn alias_source(&mut self, place: &Place, span: Span) -> Option<PtrTy> {
        if place.is_error() {
            return None;
        }
        let shown = self.show(place.qty.ty);
        let Some(ptr) = self.pointer_in_use(place.qty.ty) else {
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

    /// The written type: its pointers may be copied unless they say otherwise.
    fn alias_type(&mut self, written: &ast::Type) -> QTy {
        let outer = std::mem::replace(&mut self.binders.aliased, true);
        let qty = self.resolve_type(written, Position::Local);
        self.binders.aliased = outer;
        qty
    }

    /// The type that is written: a pointer that may be copied, into the alias's region.
    fn alias_target(&mut self, written: &ast::Type, ty: Ty, region: Region) -> Option<PtrTy> {
        let ty = self.resolve(ty);
        if ty == Ty::ERROR {
            return None;
        }
        match self.pointer_in_use(ty) {
            Some(ptr) if ptr.region == region && ptr.aqual == Aqual::Aliasable => Some(ptr),
            _ => {
                let shown = self.show(ty);
                self.report(errors::moves::alias_type(written.span, &shown));
                None
            }
        }
    }

    /// Reports an error unless a pointer `from`, of type `ty`, may be seen as a `to`.
    fn aliases(&mut self, (ty, from): (Ty, PtrTy), to: PtrTy, region: Region, span: Span) -> bool {
        let shapes =
            from.zeroterm == to.zeroterm && bounds_fit(from.bound, to.bound) && (to.to.is_const || !from.to.is_const);
        let unique = self.is_unique_pointer(ty);
        let mut trail = Trail::default();
        let fits = shapes && self.deep_alias(from.to, to.to, Deep { region, unique, span }, &mut trail);
        if !fits {
            let (found, wanted) = (self.show(ty), self.show(self.unit.types.pointer(to)));
            self.report(errors::moves::alias_mismatch(span, &found, &wanted, unique, trail.blame));
        }
        fits
    }

    /// The deep alias rule (memory, section 5.2): may an `s`, reached from what is borrowed by unique pointers and fields,
    /// be seen as a `t` while it is borrowed?
    pub(crate) fn deep_alias(&mut self, s: QTy, t: QTy, deep: Deep, trail: &mut Trail) -> bool {
        let (from, to) = (self.resolve(s.ty), self.resolve(t.ty));
        if s.is_const && !t.is_const {
            return false;
        }
        if self.may_equal(from, to) {
            return self.unify(from, to, deep.span);
        }
        match (self.kind_of(from).clone(), self.kind_of(to).clone()) {
            (TyKind::Pointer(p), TyKind::Pointer(q)) => t.is_const && self.deep_pointer(p, q, deep, trail),
            (TyKind::Aggr(a), TyKind::Aggr(b)) => {
                let step = (from, QTy { ty: to, ..t });
                trail.seen.contains(&step) || {
                    trail.seen.push(step);
                    trail.seen.len() <= DEEPEST && self.deep_fields(a, b, t.is_const, deep, trail)
                }
            }
            _ => false,
        }
    }

    /// Structs whose fields correspond; `is_const`: nothing is written through the target.
    fn deep_fields(&mut self, a: AggrId, b: AggrId, is_const: bool, deep: Deep, trail: &mut Trail) -> bool {
        let plain = |cx: &Self, id| {
            let aggr = cx.unit.types.aggr(id);
            !aggr.is_union && !aggr.packed && aggr.align.is_none() && aggr.exists.is_empty()
        };
        let (Some(source), Some(target)) = (self.unit.types.fields(a), self.unit.types.fields(b)) else { return false };
        let (source, target) = (source.to_vec(), target.to_vec());
        plain(self, a)
            && plain(self, b)
            && source.len() == target.len()
            && source.iter().zip(&target).all(|(s, t)| {
                let to = QTy { is_const: t.qty.is_const || is_const, ..t.qty };
                let fits = (s.bits, s.align, s.packed) == (t.bits, t.align, t.packed)
                    && self.deep_alias(s.qty, to, deep, trail);
                if !fits && trail.blame.is_none() {
                    trail.blame = Some(self.misfit((s.qty.ty, s.span), (to, t.span)));
                }
                fits
            })
    }

    /// Why a field of what is borrowed cannot be seen as the one that stands in its place.
    fn misfit(&self, (from, at): (Ty, Span), (to, field): (QTy, Span)) -> Blame {
        match (self.pointer_of(from), self.pointer_of(to.ty)) {
            (Some(p), Some(_)) if self.resolve_aqual_value(p.aqual) != Aqual::Unique => {
                Blame { field: at, why: Misfit::NotUnique(self.show(from)) }
            }
            (Some(_), Some(q)) if !to.is_const && self.resolve_aqual_value(q.aqual) == Aqual::Aliasable => {
                Blame { field, why: Misfit::NotConst }
            }
            _ => Blame { field, why: Misfit::Differs },
        }
    }

    /// A unique pointer in a `const` position, seen as one that may be copied, into the alias's region.
    fn deep_pointer(&mut self, p: PtrTy, q: PtrTy, deep: Deep, trail: &mut Trail) -> bool {
        let (from, to) = (self.resolve_aqual_value(p.aqual), self.resolve_aqual_value(q.aqual));
        let fits = deep.unique
            && (from, to) == (Aqual::Unique, Aqual::Aliasable)
            && p.bound == q.bound
            && p.zeroterm == q.zeroterm
            && (q.nullable || !p.nullable)
            && (q.to.is_const || !p.to.is_const);
        if !fits {
            return false;
        }
        self.require_live(p.region, Use::Access, deep.span);
        self.same_region(q.region, deep.region, RegionReason::new(deep.span, Flow::Within));
        self.deep_alias(p.to, q.to, deep, trail)
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
