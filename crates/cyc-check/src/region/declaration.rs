//! `region h;`, `` region<`r> h; `` and `region h = open(k);` (memory, sections 2.2, 2.10 and 8.3). What follows one in its
//! block is inside of it.

use super::{Flow, RegionReason, ScopeKind, Use};
use crate::cx::{Checker, ScopeInfo};
use crate::errors;
use crate::stmt::jumps::Entered;
use crate::tast::{Block, Expr, ExprKind, GlobalId, LocalId, Place, PlaceKind, Stmt, StmtKind};
use crate::types::Position;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident, TypeVar};
use cyc_types::{Aqual, Arg, Bound, PtrTy, QTy, Region, ScopeId, Ty, TyKind};

/// The struct that stands for a dynamic region, behind keys.
pub(crate) const DYNAMIC_REGION: &str = "Core::DynamicRegion";

/// Structs that no program may define: it could make keys, or the right to make regions, out of nothing.
pub(crate) const OF_THE_RUN_TIME: [&str; 2] = [DYNAMIC_REGION, "Core::DynamicRegionGen"];

impl Checker<'_> {
    /// `region h;` with the statements that follow it in its block.
    pub(crate) fn check_region(
        &mut self,
        var: Option<&TypeVar>,
        handle: Ident,
        span: Span,
        rest: &[ast::Stmt],
    ) -> Stmt {
        let name = match var {
            Some(var) if matches!(var.name.as_str(), "`H" | "`C" | "`U" | "`RC") => {
                self.report(errors::types::reserved_region(var.span, var.name));
                handle.name
            }
            Some(var) => Symbol::new(var.name.as_str().trim_start_matches('`')),
            None => handle.name,
        };
        let outer = self.enter_region(ScopeKind::Lexical, Some(name), span);
        let handle = self.declare_handle(handle, Region::Scope(self.func.current));
        let body = self.region_body(rest, Entered::Region, outer, span);
        Stmt { kind: StmtKind::Region { handle, body }, span }
    }

    /// `region h = open(k);` with the statements that follow it in its block.
    pub(crate) fn check_open(&mut self, handle: Ident, key: &ast::Expr, span: Span, rest: &[ast::Stmt]) -> Stmt {
        let place = self.key_place(key);
        let region = self.key_region(&place);
        let outer = self.enter_region(ScopeKind::Open(region), None, span);
        let handle = self.declare_handle(handle, region);
        let body = self.region_body(rest, Entered::Region, outer, span);
        Stmt { kind: StmtKind::Open { handle, key: place, body }, span }
    }

    /// The place of a key, which may be cast to the type that it has.
    fn key_place(&mut self, key: &ast::Expr) -> Place {
        let ast::ExprKind::Cast(ty, operand) = &key.kind else { return self.check_place(key) };
        let place = self.key_place(operand);
        let to = self.resolve_type(ty, Position::Cast).ty;
        let (from, key_type) = (self.pointer_of(place.qty.ty), self.pointer_of(to));
        let same = match (from, key_type) {
            (Some(p), Some(q)) => {
                p.bound == q.bound
                    && self.unify(p.to.ty, q.to.ty, key.span)
                    && self.equate_aquals(p.aqual, q.aqual, RegionReason::new(key.span, Flow::Within))
            }
            _ => matches!(self.kind_of(to), TyKind::Infer(_)) && self.unify(place.qty.ty, to, key.span),
        };
        if !place.is_error() && !same {
            let (found, wanted) = (self.show(place.qty.ty), self.show(to));
            self.report(errors::effect::key_cast(key.span, &found, &wanted));
            return Place::error(key.span);
        }
        match (from, key_type) {
            // Its region by the name that the cast gives it: they were made equal.
            (Some(p), Some(q)) => {
                let ty = self.unit.types.pointer(PtrTy { to: QTy { ty: q.to.ty, ..p.to }, ..p });
                Place { qty: QTy { ty, ..place.qty }, ..place }
            }
            _ => place,
        }
    }

    /// The scope begins; the names of the block stay one name space. The scope around it is returned.
    pub(crate) fn enter_region(&mut self, kind: ScopeKind, name: Option<Symbol>, span: Span) -> ScopeId {
        let outer = self.func.current;
        let around = self.func.scope(outer);
        let id = ScopeId(self.func.scopes.len() as u32);
        let span = Span::new(span.lo, around.span.hi.max(span.hi));
        let scope = ScopeInfo { parent: Some(outer), depth: around.depth + 1, name, span, kind };
        self.func.scopes.push(scope);
        self.func.current = id;
        outer
    }

    fn declare_handle(&mut self, name: Ident, region: Region) -> LocalId {
        let ty = match region {
            Region::Error => cyc_types::Ty::ERROR,
            region => self.unit.types.intern(TyKind::Handle(region)),
        };
        self.declare_local(name, QTy { ty, is_const: true, is_volatile: false })
    }

    /// The rest of the block, within the scope that was entered.
    pub(crate) fn region_body(&mut self, rest: &[ast::Stmt], what: Entered, outer: ScopeId, span: Span) -> Block {
        let scope = self.func.current;
        let point = self.func.jumps.here();
        self.func.jumps.enter(what, span);
        let stmts = self.check_stmts(rest);
        self.func.jumps.leave(point);
        self.func.current = outer;
        Block { scope: Some(scope), stmts, span: self.func.scope(scope).span }
    }

    /// The type as that of a key, with the region that it opens.
    fn as_key(&mut self, ty: Ty) -> Option<(PtrTy, Region)> {
        let ptr = self.pointer_in_use(ty)?;
        let TyKind::Aggr(id) = *self.kind_of(ptr.to.ty) else { return None };
        let aggr = self.unit.types.aggr(id);
        match self.unit.types.args(self.unit.types.aggr_args(id)) {
            [Arg::Region(region)] if aggr.name.as_str() == DYNAMIC_REGION && aggr.fields.is_none() => {
                Some((ptr, *region))
            }
            _ => None,
        }
    }

    /// Warns where a key is freed as if it were an object: its region stays, and nobody can open it any more.
    pub(crate) fn warn_of_discarded_key(&mut self, function: GlobalId, args: &[Expr]) {
        let name = self.unit.global(function).c_name;
        let frees = name.is_some_and(|name| matches!(name.as_str(), "cyc_ufree" | "cyc_rc_drop"));
        if frees
            && let [key] = args
            && self.as_key(key.ty).is_some()
        {
            self.report(errors::effect::key_discarded(key.span));
        }
    }

    /// The region that a key opens; an error if the place holds no key that can be opened.
    fn key_region(&mut self, key: &Place) -> Region {
        if key.is_error() {
            return Region::Error;
        }
        let shown = self.show(key.qty.ty);
        // The run time knows a key by one address.
        let Some((ptr, region)) = self.as_key(key.qty.ty).filter(|(ptr, _)| ptr.bound != Bound::Fat) else {
            self.report(errors::effect::not_a_key(key.span, &shown));
            return Region::Error;
        };
        if ptr.aqual == Aqual::Aliasable {
            self.report(errors::effect::key_aliasable(key.span, &shown));
            return Region::Error;
        }
        if matches!(key.kind, PlaceKind::Temp(_)) {
            self.report(errors::effect::key_not_a_place(key.span));
            return Region::Error;
        }
        let region = self.named(region);
        if matches!(region, Region::Infer(_)) || self.is_unknown_name(region) {
            self.report(errors::effect::key_unknown(key.span));
            return Region::Error;
        }
        self.require_live(ptr.region, Use::Key, key.span);
        region
    }

    /// A handle in an allocation: the region, which must be live; None: an error was reported.
    pub(crate) fn check_handle(&mut self, handle: &ast::Expr) -> Option<(Box<Expr>, Region)> {
        let value = self.check_expr(handle, crate::coerce::Want::None);
        if value.is_error() {
            return None;
        }
        let TyKind::Handle(region) = *self.kind_of(value.ty) else {
            let found = self.show(value.ty);
            self.report(errors::effect::not_a_handle(value.span, &found));
            return None;
        };
        self.require_live(region, Use::Allocation, value.span);
        Some((Box::new(value), region))
    }

    /// An allocation, in the region of the handle if one was written.
    pub(crate) fn placed(&mut self, mut object: Expr, handle: Option<(Box<Expr>, Region)>) -> Expr {
        let Some((handle, region)) = handle else { return object };
        match &mut object.kind {
            ExprKind::New(new) => new.region = Some(handle),
            ExprKind::Alloc(alloc) => alloc.region = Some(handle),
            _ => return object,
        }
        if let Some(ptr) = self.unit.types.as_pointer(object.ty) {
            object.ty = self.unit.types.pointer(cyc_types::PtrTy { region, ..ptr });
        }
        object
    }
}
