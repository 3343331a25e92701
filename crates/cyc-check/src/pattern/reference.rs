//! Pointers and references in patterns (core, section 7.3): where a matched value lies decides whether a pointer to
//! it may be bound.

use super::Seen;
use crate::cx::Checker;
use crate::errors;
use crate::tast::PatternKind;
use cyc_base::Span;
use cyc_syntax::ast::{self, Ident};
use cyc_types::{AggrId, Aqual, Bound, Field, PtrTy, QTy, Region, Ty, TyKind};

/// A value that a pattern matches: its type, and where it lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub ty: Ty,
    is_const: bool,
    is_volatile: bool,
    /// It begins an element of a zero-terminated sequence.
    zeroterm: bool,
    lies: Lies,
}

#[derive(Clone, Copy, Debug)]
enum Lies {
    /// In no object that a `&` of the pattern leads to.
    Nowhere,
    /// Behind a pointer into this region.
    In(Region),
    /// Where no pointer may lead.
    Barred(Bar),
}

/// Why no pointer to a value may be bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bar {
    /// Inside a member of a tagged union: another member may be written.
    Member,
    BitField,
    /// Inside a packed struct: it may lie at any address.
    Packed,
    /// Inside an existential struct.
    Existential,
    /// Behind a pointer that may not be freely aliased.
    Unique,
}

impl Spot {
    pub const ERROR: Spot =
        Spot { ty: Ty::ERROR, is_const: false, is_volatile: false, zeroterm: false, lies: Lies::Nowhere };

    /// The whole scrutinee.
    pub fn outermost(ty: Ty) -> Spot {
        Spot { ty, ..Spot::ERROR }
    }

    /// The same place with its type resolved.
    pub fn typed(self, ty: Ty) -> Spot {
        Spot { ty, ..self }
    }

    /// A component of it.
    pub fn part(self, part: QTy) -> Spot {
        Spot {
            ty: part.ty,
            is_const: self.is_const || part.is_const,
            is_volatile: self.is_volatile || part.is_volatile,
            zeroterm: false,
            lies: self.lies,
        }
    }

    /// A field of it.
    pub fn field(self, field: &Field) -> Spot {
        let part = self.part(field.qty);
        if field.bits.is_some() { part.barred(Bar::BitField) } else { part }
    }

    pub fn barred(self, why: Bar) -> Spot {
        Spot { lies: Lies::Barred(why), ..self }
    }

    /// What the pointer that lies there points to.
    fn target(self, ptr: PtrTy) -> Spot {
        let lies = match (self.lies, ptr.aqual) {
            (Lies::Barred(Bar::Unique), _) => self.lies,
            (_, Aqual::Aliasable) => Lies::In(ptr.region),
            _ => Lies::Barred(Bar::Unique),
        };
        let to = ptr.to;
        Spot { ty: to.ty, is_const: to.is_const, is_volatile: to.is_volatile, zeroterm: ptr.zeroterm, lies }
    }

    /// The region of a pointer to it, if there may be one.
    pub fn address(self) -> Option<Region> {
        match self.lies {
            Lies::In(region) => Some(region),
            Lies::Nowhere | Lies::Barred(_) => None,
        }
    }
}

impl Checker<'_> {
    /// May the field of a packed struct lie where no pointer to its type may point?
    pub(super) fn may_misalign(&self, id: AggrId, field: &Field) -> bool {
        let packed = field.packed || self.unit.types.aggr(id).packed;
        packed && self.layout_of(field.qty.ty).is_none_or(|layout| layout.align > 1)
    }

    /// `&p`: not null, for a fat pointer an element in bounds, and the target matches.
    pub(super) fn pointer_pattern(
        &mut self,
        inner: &ast::Pattern,
        at: Spot,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        if let Some(ptr) = self.pointer_in_use(at.ty) {
            self.require_live(ptr.region, crate::region::Use::Access, span);
        }
        let target = match self.kind_of(at.ty) {
            TyKind::Pointer(p) if matches!(p.bound, Bound::Fat | Bound::Thin(1..)) => at.target(*p),
            TyKind::Error => Spot::ERROR,
            _ => {
                let found = self.show(at.ty);
                self.report(errors::pattern::mismatch(span, "`&`, which matches what a pointer points to,", &found));
                Spot::ERROR
            }
        };
        let inner = self.pattern(inner, target, seen);
        (inner.ty != Ty::ERROR).then(|| PatternKind::Pointer(Box::new(inner)))
    }

    /// `*x`, `*x as p`: `x` points to the matched place.
    pub(super) fn reference_pattern(
        &mut self,
        name: Ident,
        inner: Option<&ast::Pattern>,
        at: Spot,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        let held = match at.lies {
            _ if at.ty == Ty::ERROR => Spot::ERROR,
            Lies::In(region) => {
                let to = QTy { ty: at.ty, is_const: at.is_const, is_volatile: at.is_volatile };
                Spot::outermost(self.unit.types.pointer(PtrTy {
                    to,
                    nullable: false,
                    bound: Bound::Thin(1),
                    zeroterm: at.zeroterm,
                    region,
                    aqual: Aqual::Aliasable,
                }))
            }
            Lies::Nowhere => {
                self.report(errors::pattern::reference_to_nowhere(span));
                Spot::ERROR
            }
            Lies::Barred(Bar::Unique) => {
                self.report(errors::moves::reference_behind_restricted(span));
                Spot::ERROR
            }
            Lies::Barred(why) => {
                self.report(errors::pattern::barred_reference(span, why));
                Spot::ERROR
            }
        };
        let good = held.ty != Ty::ERROR;
        let local = self.bind_variable(name, held, seen);
        let inner = match inner {
            Some(inner) => self.pattern(inner, at, seen),
            None => crate::tast::Pattern { kind: PatternKind::Wild, ty: at.ty, span },
        };
        match local {
            Some(local) if good && inner.ty != Ty::ERROR => Some(PatternKind::Ref(local, Box::new(inner))),
            _ => None,
        }
    }

    /// An array beneath a `&`, bound by a variable: a pointer to its elements.
    pub(super) fn pointer_to_array(&mut self, at: Spot) -> Ty {
        let (elem, bound, zeroterm) = match *self.kind_of(at.ty) {
            TyKind::Array { elem, len: Some(len), zeroterm } => (elem, Bound::Thin(len), zeroterm),
            TyKind::OpenArray { elem, len } => (elem, Bound::sized(len), false),
            _ => return Ty::ERROR,
        };
        let Some(region) = at.address() else { return Ty::ERROR };
        self.unit.types.pointer(PtrTy {
            to: QTy { is_const: elem.is_const || at.is_const, is_volatile: elem.is_volatile || at.is_volatile, ..elem },
            nullable: false,
            bound,
            zeroterm,
            region,
            aqual: Aqual::Aliasable,
        })
    }
}
