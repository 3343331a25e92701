//! Walking over the parts of a type without changing them.

use crate::kind::{Aqual, Arg, Args, Constraint, Size, SizeOp};
use crate::region::Region;
use crate::ty::*;

/// What a walk meets. Types are met before their components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Type(Ty),
    /// One atom of a region annotation or effect.
    Region(Region),
    Size(Size),
    Aqual(Aqual),
}

/// The question a walk asks of each part.
type Question<'a> = &'a mut dyn FnMut(Part) -> bool;

impl Types {
    /// Is the answer yes for some part of the type, itself included? The walk ends at the first yes; it does not look
    /// into definitions of structs and datatypes, only at their arguments.
    pub fn any_part(&self, ty: Ty, ask: Question) -> bool {
        if ask(Part::Type(ty)) {
            return true;
        }
        match self.kind(ty) {
            TyKind::Pointer(ptr) => {
                self.any_part(ptr.to.ty, ask)
                    || matches!(ptr.bound, Bound::Sized(size) if self.any_size(size, ask))
                    || self.any_region(ptr.region, ask)
                    || self.any_aqual(ptr.aqual, ask)
            }
            TyKind::Array { elem, .. } => self.any_part(elem.ty, ask),
            TyKind::OpenArray { elem, len } => self.any_part(elem.ty, ask) || self.any_size(*len, ask),
            TyKind::Tuple(parts) => parts.iter().any(|p| self.any_part(p.ty, ask)),
            TyKind::Aggr(id) => self.any_arg(self.aggr_args(*id), ask),
            TyKind::Datatype(id) | TyKind::Variant(id, _) => self.any_arg(self.datatype_args(*id), ask),
            TyKind::Abstract(_, args) => self.any_arg(*args, ask),
            TyKind::Function(function) => self.any_in_function(function, ask),
            TyKind::Tag(size) => self.any_size(*size, ask),
            TyKind::Handle(region) => self.any_region(*region, ask),
            TyKind::AqualHandle(aqual) => self.any_aqual(*aqual, ask),
            TyKind::Void
            | TyKind::Bool
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Complex(_)
            | TyKind::VaList
            | TyKind::Enum(_)
            | TyKind::Var(_)
            | TyKind::Infer(_)
            | TyKind::Error => false,
        }
    }

    fn any_in_function(&self, function: &FnTy, ask: Question) -> bool {
        self.any_part(function.ret, ask)
            || function.params.iter().any(|p| self.any_part(p.ty, ask))
            || matches!(&function.varargs, Varargs::Typed { elem, .. } if self.any_part(elem.ty, ask))
            || function.effect.is_some_and(|e| self.any_region(e, ask))
            || function.constraints.iter().any(|c| match *c {
                Constraint::Outlives(a, b) | Constraint::Disjoint(a, b) => {
                    self.any_region(a, ask) || self.any_region(b, ask)
                }
                Constraint::Single(a) => self.any_region(a, ask),
                Constraint::Bound { bound, of } => self.any_aqual(bound, ask) || self.any_aqual(of, ask),
            })
    }

    /// As [`Types::any_part`], for a list of arguments.
    pub fn any_arg(&self, args: Args, ask: Question) -> bool {
        self.args(args).iter().any(|arg| match *arg {
            Arg::Type(ty) => self.any_part(ty, ask),
            Arg::Region(region) => self.any_region(region, ask),
            Arg::Size(size) => self.any_size(size, ask),
            Arg::Aqual(aqual) => self.any_aqual(aqual, ask),
        })
    }

    fn any_region(&self, region: Region, ask: Question) -> bool {
        match region {
            Region::Set(_) => self.atoms(region).into_iter().any(|atom| self.any_region(atom, ask)),
            Region::App(_, args) => ask(Part::Region(region)) || self.any_arg(args, ask),
            Region::Of(ty) => self.any_part(ty, ask),
            atom => ask(Part::Region(atom)),
        }
    }

    fn any_size(&self, size: Size, ask: Question) -> bool {
        match size {
            Size::Op(id) => match self.size_op_of(id) {
                SizeOp::Add(a, b) | SizeOp::Sub(a, b) | SizeOp::Mul(a, b) => {
                    self.any_size(a, ask) || self.any_size(b, ask)
                }
            },
            Size::SizeOf(ty) => self.any_part(ty, ask),
            leaf => ask(Part::Size(leaf)),
        }
    }

    fn any_aqual(&self, aqual: Aqual, ask: Question) -> bool {
        match aqual {
            Aqual::Of(ty) => self.any_part(ty, ask),
            leaf => ask(Part::Aqual(leaf)),
        }
    }
}
