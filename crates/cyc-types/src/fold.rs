//! One walk over types for everything that replaces parts of them.

use crate::kind::{Aqual, Arg, Args, Constraint, Size, SizeOp};
use crate::region::Region;
use crate::ty::*;
use std::rc::Rc;

/// Replaces parts of types. Each method may answer for a leaf; whatever it leaves alone is walked through.
pub trait Fold {
    /// A replacement for the whole type; None: walk through it.
    fn ty(&mut self, _types: &Types, _ty: Ty) -> Option<Ty> {
        None
    }
    /// A replacement for one atom.
    fn region(&mut self, _types: &Types, atom: Region) -> Region {
        atom
    }
    fn size(&mut self, _types: &Types, size: Size) -> Size {
        size
    }
    fn aqual(&mut self, _types: &Types, aqual: Aqual) -> Aqual {
        aqual
    }
    /// Called when the walk enters a function type, and when it leaves it.
    fn enter(&mut self) {}
    fn leave(&mut self) {}
}

impl Types {
    pub fn fold(&self, ty: Ty, with: &mut dyn Fold) -> Ty {
        if let Some(new) = with.ty(self, ty) {
            return new;
        }
        let new = match self.kind(ty) {
            TyKind::Pointer(ptr) => TyKind::Pointer(self.fold_pointer(*ptr, with)),
            TyKind::Array { elem, len, zeroterm } => {
                TyKind::Array { elem: self.fold_place(*elem, with), len: *len, zeroterm: *zeroterm }
            }
            // Of constant length too it stays one: all instances of the struct around are laid out alike.
            TyKind::OpenArray { elem, len } => {
                TyKind::OpenArray { elem: self.fold_place(*elem, with), len: self.fold_size(*len, with) }
            }
            TyKind::Tuple(parts) => TyKind::Tuple(parts.iter().map(|p| self.fold_place(*p, with)).collect()),
            TyKind::Aggr(id) => {
                let args = self.fold_args(self.aggr_args(*id), with);
                TyKind::Aggr(self.aggr_instance(*id, args))
            }
            TyKind::Datatype(id) => {
                let args = self.fold_args(self.datatype_args(*id), with);
                TyKind::Datatype(self.datatype_instance(*id, args))
            }
            TyKind::Variant(id, variant) => {
                let args = self.fold_args(self.datatype_args(*id), with);
                TyKind::Variant(self.datatype_instance(*id, args), *variant)
            }
            TyKind::Abstract(id, args) => TyKind::Abstract(*id, self.fold_args(*args, with)),
            TyKind::Function(function) => TyKind::Function(Rc::new(self.fold_function(function, with))),
            TyKind::Tag(size) => TyKind::Tag(self.fold_size(*size, with)),
            TyKind::Handle(region) => TyKind::Handle(self.fold_region(*region, with)),
            TyKind::AqualHandle(aqual) => TyKind::AqualHandle(self.fold_aqual(*aqual, with)),
            TyKind::Void
            | TyKind::Bool
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Complex(_)
            | TyKind::VaList
            | TyKind::Enum(_)
            | TyKind::Var(_)
            | TyKind::Infer(_)
            | TyKind::Error => return ty,
        };
        if new == *self.kind(ty) {
            return ty;
        }
        self.subset_again(ty, self.intern(new))
    }

    fn fold_place(&self, place: QTy, with: &mut dyn Fold) -> QTy {
        QTy { ty: self.fold(place.ty, with), ..place }
    }

    pub fn fold_pointer(&self, ptr: PtrTy, with: &mut dyn Fold) -> PtrTy {
        let bound = match ptr.bound {
            Bound::Sized(size) => Bound::sized(self.fold_size(size, with)),
            bound => bound,
        };
        PtrTy {
            to: self.fold_place(ptr.to, with),
            bound,
            region: self.fold_region(ptr.region, with),
            aqual: self.fold_aqual(ptr.aqual, with),
            ..ptr
        }
    }

    /// The function type with its components replaced; what it binds stays bound.
    fn fold_function(&self, function: &FnTy, with: &mut dyn Fold) -> FnTy {
        with.enter();
        let new = FnTy {
            vars: function.vars.clone(),
            ret: self.fold(function.ret, with),
            params: function.params.iter().map(|p| self.fold_place(*p, with)).collect(),
            varargs: match &function.varargs {
                Varargs::Typed { elem, inject } => {
                    Varargs::Typed { elem: self.fold_place(*elem, with), inject: *inject }
                }
                plain => plain.clone(),
            },
            effect: function.effect.map(|e| self.fold_region(e, with)),
            constraints: function.constraints.iter().map(|c| self.fold_constraint(*c, with)).collect(),
            attrs: function.attrs.clone(),
        };
        with.leave();
        new
    }

    pub fn fold_constraint(&self, constraint: Constraint, with: &mut dyn Fold) -> Constraint {
        match constraint {
            Constraint::Outlives(a, b) => Constraint::Outlives(self.fold_region(a, with), self.fold_region(b, with)),
            Constraint::Disjoint(a, b) => Constraint::Disjoint(self.fold_region(a, with), self.fold_region(b, with)),
            Constraint::Single(a) => Constraint::Single(self.fold_region(a, with)),
            Constraint::Bound { bound, of } => {
                Constraint::Bound { bound: self.fold_aqual(bound, with), of: self.fold_aqual(of, with) }
            }
        }
    }

    pub fn fold_args(&self, args: Args, with: &mut dyn Fold) -> Args {
        if args == Args::NONE {
            return args;
        }
        let new = self.args(args).iter().map(|arg| self.fold_arg(*arg, with)).collect();
        self.intern_args(new)
    }

    pub fn fold_arg(&self, arg: Arg, with: &mut dyn Fold) -> Arg {
        match arg {
            Arg::Type(ty) => Arg::Type(self.fold(ty, with)),
            Arg::Region(region) => Arg::Region(self.fold_region(region, with)),
            Arg::Size(size) => Arg::Size(self.fold_size(size, with)),
            Arg::Aqual(aqual) => Arg::Aqual(self.fold_aqual(aqual, with)),
        }
    }

    pub fn fold_region(&self, region: Region, with: &mut dyn Fold) -> Region {
        match region {
            Region::Set(_) => {
                let parts: Vec<Region> = self.atoms(region).into_iter().map(|a| self.fold_region(a, with)).collect();
                self.effect(parts)
            }
            Region::App(id, args) => {
                let args = self.fold_args(args, with);
                with.region(self, Region::App(id, args))
            }
            Region::Of(ty) => self.regions_of(self.fold(ty, with)),
            atom => with.region(self, atom),
        }
    }

    pub fn fold_size(&self, size: Size, with: &mut dyn Fold) -> Size {
        match size {
            Size::Op(id) => {
                let new = match self.size_op_of(id) {
                    SizeOp::Add(a, b) => SizeOp::Add(self.fold_size(a, with), self.fold_size(b, with)),
                    SizeOp::Sub(a, b) => SizeOp::Sub(self.fold_size(a, with), self.fold_size(b, with)),
                    SizeOp::Mul(a, b) => SizeOp::Mul(self.fold_size(a, with), self.fold_size(b, with)),
                };
                self.size_op(new)
            }
            Size::SizeOf(ty) => self.size_of(self.fold(ty, with)),
            leaf => with.size(self, leaf),
        }
    }

    pub fn fold_aqual(&self, aqual: Aqual, with: &mut dyn Fold) -> Aqual {
        match aqual {
            Aqual::Of(ty) => self.aqual_of(self.fold(ty, with)),
            leaf => with.aqual(self, leaf),
        }
    }
}
