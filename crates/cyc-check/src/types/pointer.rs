//! Pointer types (core, sections 3.3, 3.4 and 3.6).

use super::Position;
use crate::cx::Checker;
use crate::errors;
use cyc_base::Span;
use cyc_syntax::ast::{self, AqualConst, TypeKind};
use cyc_types::{Aqual, Bound, PtrTy, Region, Size, Ty, TyKind};

impl Checker<'_> {
    /// One pointer constructor: nullability, bound, zero-termination, region; what is not written
    /// has the default of the position.
    pub(super) fn resolve_pointer(&mut self, ptr: &ast::Pointer, at: Position) -> Ty {
        let to = self.resolve_at(&ptr.to, at, false);
        let tempest = self.decls.tempest && ptr.head == ast::PtrHead::Star;
        let fat = ptr.fat.unwrap_or(tempest && ptr.bound.is_none() && self.has_size_sometime(to.ty));
        let bound = match &ptr.bound {
            _ if fat => Bound::Fat,
            None => Bound::Thin(1),
            Some(e) => self.pointer_bound(e, at),
        };
        let short = ptr.region.as_ref().and_then(|region| short_qualifier(region));
        let region = match &ptr.region {
            _ if short.is_some() => Region::Heap,
            None => self.default_region(at, ptr.span),
            Some(region) => self.resolve_region(region, at),
        };
        let aqual = self.pointer_qualifier(ptr, short, at);
        if fat && !self.has_size_sometime(to.ty) && !self.is_any_object(to.ty) {
            self.report(errors::types::fat_pointer_to_unsized(ptr.span, &self.show_q(to)));
            return Ty::ERROR;
        }
        let zeroterm = ptr.zeroterm.unwrap_or_else(|| self.unit.types.is_char(to.ty));
        if zeroterm && !self.unit.types.can_zeroterm(self.resolve(to.ty)) {
            self.report(errors::types::cannot_zeroterm(ptr.span, &self.show_q(to)));
            return Ty::ERROR;
        }
        self.unit.types.pointer(PtrTy { to, nullable: ptr.nullable.unwrap_or(true), bound, zeroterm, region, aqual })
    }

    /// Can the type's size be known, now or once it is defined?
    fn has_size_sometime(&self, ty: Ty) -> bool {
        match self.unit.types.kind(ty) {
            TyKind::Void | TyKind::Function(_) | TyKind::Datatype(_) => false,
            TyKind::Var(_) | TyKind::Abstract(..) => self.is_sized(ty),
            _ => true,
        }
    }

    /// Is the type a variable of kind A? A fat pointer to it is passed on only: nothing moves it, and none is made thin but at
    /// the start of its object.
    fn is_any_object(&self, ty: Ty) -> bool {
        matches!(self.unit.types.kind(ty), TyKind::Var(_))
    }

    fn pointer_bound(&mut self, e: &ast::Expr, at: Position) -> Bound {
        if self.is_size(e) {
            return match self.size_expr(e, at) {
                Size::Error => Bound::Thin(1),
                size => Bound::sized(size),
            };
        }
        match self.const_int(e) {
            Some(n) if n >= 0 => Bound::Thin(n.min(i128::from(u64::MAX)) as u64),
            Some(n) => {
                self.report(errors::types::pointer_bound_negative(e.span, n));
                Bound::Thin(1)
            }
            None => {
                self.report(errors::types::pointer_bound_not_constant(e.span));
                Bound::Thin(1)
            }
        }
    }

    /// What an omitted region means at a position (core, section 10.3).
    pub(super) fn default_region(&mut self, at: Position, span: Span) -> Region {
        match at {
            Position::Param => self.binders.fresh_region(),
            Position::Result | Position::Field | Position::Global | Position::Typedef => Region::Heap,
            Position::Local | Position::Cast => self.fresh_region(span),
        }
    }

    /// Is the kind written at a region variable that of a region? (`E`, or `R`, `UR`, `TR` in older programs.)
    pub(super) fn region_kind(&mut self, var: &ast::TypeVar) -> bool {
        if var.alias.is_some_and(|alias| alias != AqualConst::Aliasable) {
            self.report(errors::poly::bound_of_region(var.span, var.name));
            return false;
        }
        match var.kind.map(|k| k.name.as_str()) {
            None | Some("E") => true,
            Some("R" | "UR" | "TR") => self.written_kind(var).is_some(),
            Some(_) => {
                self.report(errors::types::kind_is_not_region(var.span, var.name));
                false
            }
        }
    }

    /// Is an alias qualifier that is not written there to be inferred? Those within a function type are not: who borrows an
    /// argument has to know that its parameter may be copied.
    fn infers_qualifiers(&self, at: Position) -> bool {
        let open = self.func.inside && !self.binders.aliased && !self.binders.in_function();
        open && matches!(at, Position::Local | Position::Cast)
    }

    /// The alias qualifier of a pointer: written, or short for one in the heap (memory, sections 2.7 and 3.5).
    fn pointer_qualifier(&mut self, ptr: &ast::Pointer, short: Option<Aqual>, at: Position) -> Aqual {
        let written = ptr.aqual.as_ref().map(|aqual| (self.resolve_aqual(aqual, at), aqual.span));
        if ptr.autoreleased {
            if short.is_some() || written.is_some_and(|(aqual, _)| aqual != Aqual::Aliasable) {
                self.report(errors::moves::autoreleased_is_aliasable(ptr.span));
            }
            return Aqual::Autoreleased;
        }
        match (short, written) {
            // Memory, section 2.7.
            (None, None) if self.infers_qualifiers(at) => self.fresh_aqual(),
            (None, None) => Aqual::Aliasable,
            (None, Some((aqual, _))) => aqual,
            (Some(short), Some((aqual, span))) if aqual != short => {
                self.report(errors::moves::overridden_qualifier(span));
                short
            }
            (Some(short), _) => short,
        }
    }
}

/// `` `U `` and `` `RC `` in the place of a region: in the heap, unique or counted.
fn short_qualifier(region: &ast::Type) -> Option<Aqual> {
    let TypeKind::Var(var) = &region.kind else { return None };
    match var.name.as_str() {
        "`U" => Some(Aqual::Unique),
        "`RC" => Some(Aqual::Refcnt),
        _ => None,
    }
}
