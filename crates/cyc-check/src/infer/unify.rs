//! Unification: making two types equal. Type-level integers and alias qualifiers are solved on the way; regions
//! become equal, which the region solver judges at the end of the function.

use super::Checker;
use crate::region::{Flow, RegionReason};
use cyc_base::Span;
use cyc_types::{Aqual, Arg, Args, Bound, FnTy, Part, PtrTy, QTy, Size, SizeOp, Ty, TyKind, TyVid};

impl Checker<'_> {
    /// Makes two types equal; false if they cannot be. Regions within them become equal too.
    pub fn unify(&mut self, a: Ty, b: Ty, span: Span) -> bool {
        self.equal_types(a, b, RegionReason::new(span, Flow::Within))
    }

    /// As [`Checker::unify`], with the reason that is told if the regions cannot be equal.
    pub(crate) fn equal_types(&mut self, a: Ty, b: Ty, why: RegionReason) -> bool {
        self.may_equal(a, b) && self.equate(a, b, why)
    }

    /// Could the two types be made equal, regions aside? Changes nothing.
    pub fn may_equal(&self, a: Ty, b: Ty) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return true;
        }
        let types = &self.unit.types;
        if types.subset_of(a).map(|(_, id)| id) != types.subset_of(b).map(|(_, id)| id)
            && ![a, b].iter().any(|ty| matches!(types.kind(*ty), TyKind::Error | TyKind::Infer(_)))
        {
            return false;
        }
        match (types.kind(a), types.kind(b)) {
            (TyKind::Error, _) | (_, TyKind::Error) => true,
            (TyKind::Infer(vid), _) => !self.occurs(*vid, b),
            (_, TyKind::Infer(vid)) => !self.occurs(*vid, a),
            (TyKind::Pointer(p), TyKind::Pointer(q)) => {
                (p.nullable, p.zeroterm) == (q.nullable, q.zeroterm)
                    && self.bounds_may_equal(p.bound, q.bound)
                    && self.aquals_may_equal(p.aqual, q.aqual)
                    && self.may_equal_qualified(p.to, q.to)
            }
            (TyKind::Array { elem: p, len: m, zeroterm: y }, TyKind::Array { elem: q, len: n, zeroterm: z }) => {
                m == n && y == z && self.may_equal_qualified(*p, *q)
            }
            (TyKind::OpenArray { elem: p, len: m }, TyKind::OpenArray { elem: q, len: n }) => {
                self.sizes_may_equal(*m, *n) && self.may_equal_qualified(*p, *q)
            }
            (TyKind::Tuple(ps), TyKind::Tuple(qs)) => {
                ps.len() == qs.len() && ps.iter().zip(qs.iter()).all(|(p, q)| self.may_equal_qualified(*p, *q))
            }
            (TyKind::Function(f), TyKind::Function(g)) => self.functions_may_equal(f, g),
            (TyKind::Aggr(x), TyKind::Aggr(y)) => {
                types.same_aggr_def(*x, *y) && self.args_may_equal(types.aggr_args(*x), types.aggr_args(*y))
            }
            (TyKind::Datatype(x), TyKind::Datatype(y)) => {
                types.same_datatype_def(*x, *y) && self.args_may_equal(types.datatype_args(*x), types.datatype_args(*y))
            }
            (TyKind::Variant(x, v), TyKind::Variant(y, w)) => {
                v == w
                    && types.same_datatype_def(*x, *y)
                    && self.args_may_equal(types.datatype_args(*x), types.datatype_args(*y))
            }
            (TyKind::Abstract(x, p), TyKind::Abstract(y, q)) => x == y && self.args_may_equal(*p, *q),
            (TyKind::Tag(m), TyKind::Tag(n)) => self.sizes_may_equal(*m, *n),
            (TyKind::Handle(_), TyKind::Handle(_)) => true,
            (TyKind::AqualHandle(p), TyKind::AqualHandle(q)) => self.aquals_may_equal(*p, *q),
            _ => false,
        }
    }

    fn may_equal_qualified(&self, a: QTy, b: QTy) -> bool {
        a.is_const == b.is_const && self.may_equal(a.ty, b.ty)
    }

    /// What they bind must agree in number and kind; bound variables then mean the same by their places.
    fn functions_may_equal(&self, f: &FnTy, g: &FnTy) -> bool {
        let kinds = |f: &FnTy| f.vars.iter().map(|v| (v.kind, v.bound)).collect::<Vec<_>>();
        kinds(f) == kinds(g)
            && f.params.len() == g.params.len()
            && (&f.varargs, &f.attrs) == (&g.varargs, &g.attrs)
            && (f.effect, &f.constraints) == (g.effect, &g.constraints)
            && self.may_equal(f.ret, g.ret)
            && f.params.iter().zip(&g.params).all(|(p, q)| self.may_equal(p.ty, q.ty))
    }

    fn args_may_equal(&self, a: Args, b: Args) -> bool {
        let (a, b) = (self.unit.types.args(a), self.unit.types.args(b));
        a.len() == b.len()
            && a.iter().zip(b).all(|pair| match pair {
                (Arg::Type(a), Arg::Type(b)) => self.may_equal(*a, *b),
                (Arg::Region(_), Arg::Region(_)) => true,
                (Arg::Size(a), Arg::Size(b)) => self.sizes_may_equal(*a, *b),
                (Arg::Aqual(a), Arg::Aqual(b)) => self.aquals_may_equal(*a, *b),
                _ => false,
            })
    }

    pub(crate) fn bounds_may_equal(&self, a: Bound, b: Bound) -> bool {
        match (bound_size(a), bound_size(b)) {
            (Some(a), Some(b)) => self.sizes_may_equal(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    pub(crate) fn sizes_may_equal(&self, a: Size, b: Size) -> bool {
        let (a, b) = (self.resolve_size_value(a), self.resolve_size_value(b));
        match (a, b) {
            (Size::Infer(_) | Size::Error, _) | (_, Size::Infer(_) | Size::Error) => true,
            (Size::SizeOf(a), Size::SizeOf(b)) => self.may_equal(a, b),
            // The type is not known yet.
            (Size::SizeOf(ty), Size::Const(_)) | (Size::Const(_), Size::SizeOf(ty)) => !self.unsolved(ty).is_empty(),
            (Size::Op(x), Size::Op(y)) if x != y => {
                match (self.unit.types.size_op_of(x), self.unit.types.size_op_of(y)) {
                    (SizeOp::Add(a, b), SizeOp::Add(c, d))
                    | (SizeOp::Sub(a, b), SizeOp::Sub(c, d))
                    | (SizeOp::Mul(a, b), SizeOp::Mul(c, d)) => {
                        self.sizes_may_equal(a, c) && self.sizes_may_equal(b, d)
                    }
                    _ => false,
                }
            }
            _ => a == b,
        }
    }

    pub(crate) fn aquals_may_equal(&self, a: Aqual, b: Aqual) -> bool {
        let (a, b) = (self.resolve_aqual_value(a), self.resolve_aqual_value(b));
        match (a, b) {
            (Aqual::Infer(_) | Aqual::Error, _) | (_, Aqual::Infer(_) | Aqual::Error) => true,
            (Aqual::Of(a), Aqual::Of(b)) => self.may_equal(a, b),
            _ => a == b,
        }
    }

    /// The size itself where it is a variable whose value is known.
    pub(crate) fn resolve_size_value(&self, mut size: Size) -> Size {
        while let Size::Infer(vid) = size {
            match self.func.infer.sizes.get(vid.0 as usize).and_then(|v| v.value) {
                Some(value) => size = value,
                None => return size,
            }
        }
        match size {
            Size::Op(id) => {
                let types = &self.unit.types;
                let part = |size| self.resolve_size_value(size);
                let known = types.size_op(match types.size_op_of(id) {
                    SizeOp::Add(a, b) => SizeOp::Add(part(a), part(b)),
                    SizeOp::Sub(a, b) => SizeOp::Sub(part(a), part(b)),
                    SizeOp::Mul(a, b) => SizeOp::Mul(part(a), part(b)),
                });
                // What is no size, as 2 - 3, equals nothing.
                if known == Size::Error { size } else { known }
            }
            // `sizeof` of a type that has been found in the meantime.
            Size::SizeOf(ty) => self.unit.types.size_of(self.known_parts(ty)),
            size => size,
        }
    }

    /// The qualifier itself where it is a variable whose value is known.
    pub(crate) fn resolve_aqual_value(&self, mut aqual: Aqual) -> Aqual {
        while let Aqual::Infer(vid) = aqual {
            match self.func.infer.aquals.get(vid.0 as usize).copied().flatten() {
                Some(value) => aqual = value,
                None => return aqual,
            }
        }
        match aqual {
            Aqual::Of(ty) => self.unit.types.aqual_of(self.resolve(ty)),
            aqual => aqual,
        }
    }

    /// Does the variable occur in the type?
    pub(super) fn occurs(&self, vid: TyVid, ty: Ty) -> bool {
        let ty = self.resolve(ty);
        self.unit.types.any_part(ty, &mut |part| match part {
            Part::Type(part) => match self.unit.types.kind(part) {
                TyKind::Infer(other) if *other == vid => true,
                TyKind::Infer(_) => {
                    let value = self.resolve(part);
                    value != part && self.occurs(vid, value)
                }
                _ => false,
            },
            _ => false,
        })
    }

    /// Makes types equal of which [`Checker::may_equal`] holds.
    pub(super) fn equate(&mut self, a: Ty, b: Ty, why: RegionReason) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return true;
        }
        match (self.unit.types.kind(a).clone(), self.unit.types.kind(b).clone()) {
            (TyKind::Infer(x), TyKind::Infer(y)) => {
                self.join(x, y);
                true
            }
            (TyKind::Infer(x), _) => self.bind(x, b, why, true),
            (_, TyKind::Infer(y)) => self.bind(y, a, why, true),
            (TyKind::Pointer(p), TyKind::Pointer(q)) => self.equate_pointers(p, q, why),
            (TyKind::Array { elem: p, .. }, TyKind::Array { elem: q, .. }) => self.equate(p.ty, q.ty, why),
            (TyKind::OpenArray { elem: p, len: m }, TyKind::OpenArray { elem: q, len: n }) => {
                self.equate_sizes(m, n, why) && self.equate(p.ty, q.ty, why)
            }
            (TyKind::Tuple(ps), TyKind::Tuple(qs)) => {
                ps.iter().zip(qs.iter()).all(|(p, q)| self.equate(p.ty, q.ty, why))
            }
            (TyKind::Function(f), TyKind::Function(g)) => {
                self.equate(f.ret, g.ret, why)
                    && f.params.iter().zip(&g.params).all(|(p, q)| self.equate(p.ty, q.ty, why))
            }
            (TyKind::Aggr(x), TyKind::Aggr(y)) => {
                self.equate_args(self.unit.types.aggr_args(x), self.unit.types.aggr_args(y), why)
            }
            (TyKind::Datatype(x), TyKind::Datatype(y)) | (TyKind::Variant(x, _), TyKind::Variant(y, _)) => {
                self.equate_args(self.unit.types.datatype_args(x), self.unit.types.datatype_args(y), why)
            }
            (TyKind::Abstract(_, p), TyKind::Abstract(_, q)) => self.equate_args(p, q, why),
            (TyKind::Tag(m), TyKind::Tag(n)) => self.equate_sizes(m, n, why),
            (TyKind::Handle(r), TyKind::Handle(s)) => {
                self.equal_region(r, s, why);
                true
            }
            (TyKind::AqualHandle(p), TyKind::AqualHandle(q)) => self.equate_aquals(p, q, why),
            _ => true,
        }
    }

    fn equate_pointers(&mut self, p: PtrTy, q: PtrTy, why: RegionReason) -> bool {
        let same = self.equate_bounds(p.bound, q.bound, why) && self.equate_aquals(p.aqual, q.aqual, why);
        self.equal_pointer_regions(p.aqual, p.region, q.region, why);
        same && self.equate(p.to.ty, q.to.ty, why)
    }

    pub(crate) fn equate_bounds(&mut self, a: Bound, b: Bound, why: RegionReason) -> bool {
        match (bound_size(a), bound_size(b)) {
            (Some(a), Some(b)) => self.equate_sizes(a, b, why),
            _ => true,
        }
    }

    pub(crate) fn equate_args(&mut self, a: Args, b: Args, why: RegionReason) -> bool {
        if a == b {
            return true;
        }
        let pairs: Vec<(Arg, Arg)> =
            self.unit.types.args(a).iter().copied().zip(self.unit.types.args(b).iter().copied()).collect();
        pairs.into_iter().all(|(a, b)| self.equate_arg(a, b, why))
    }

    /// Makes two arguments of one parameter equal: type arguments are invariant.
    pub(crate) fn equate_arg(&mut self, a: Arg, b: Arg, why: RegionReason) -> bool {
        match (a, b) {
            (Arg::Type(a), Arg::Type(b)) => self.may_equal(a, b) && self.equate(a, b, why),
            (Arg::Region(a), Arg::Region(b)) => {
                self.equal_region(a, b, why);
                true
            }
            (Arg::Size(a), Arg::Size(b)) => self.sizes_may_equal(a, b) && self.equate_sizes(a, b, why),
            (Arg::Aqual(a), Arg::Aqual(b)) => self.aquals_may_equal(a, b) && self.equate_aquals(a, b, why),
            _ => false,
        }
    }

    pub(crate) fn equate_sizes(&mut self, a: Size, b: Size, why: RegionReason) -> bool {
        let (a, b) = (self.resolve_size_value(a), self.resolve_size_value(b));
        match (a, b) {
            _ if a == b => true,
            (Size::Infer(vid), value) | (value, Size::Infer(vid)) => {
                if self.size_occurs(vid, value) {
                    return false;
                }
                let age = self.func.infer.sizes[vid.0 as usize].age;
                let tag = self.unit.types.intern(TyKind::Tag(value));
                if let Some(hidden) = self.escaping(tag, |h| age < h.born) {
                    self.report_escape(hidden, tag, why.span);
                    self.func.infer.sizes[vid.0 as usize].value = Some(Size::Error);
                    return true;
                }
                let value = if self.speaks_of_calls(tag, why.span) { Size::Error } else { value };
                self.func.infer.sizes[vid.0 as usize].value = Some(value);
                true
            }
            (Size::SizeOf(a), Size::SizeOf(b)) => self.equate(a, b, why),
            (Size::SizeOf(ty), Size::Const(n)) | (Size::Const(n), Size::SizeOf(ty))
                if !self.unsolved(ty).is_empty() =>
            {
                self.func.infer.promised.push((ty, n, why.span));
                true
            }
            (Size::Op(x), Size::Op(y)) => match (self.unit.types.size_op_of(x), self.unit.types.size_op_of(y)) {
                (SizeOp::Add(a, b), SizeOp::Add(c, d))
                | (SizeOp::Sub(a, b), SizeOp::Sub(c, d))
                | (SizeOp::Mul(a, b), SizeOp::Mul(c, d)) => {
                    self.equate_sizes(a, c, why) && self.equate_sizes(b, d, why)
                }
                _ => false,
            },
            _ => a == Size::Error || b == Size::Error,
        }
    }

    fn size_occurs(&self, vid: cyc_types::SizeVid, size: Size) -> bool {
        match self.resolve_size_value(size) {
            Size::Infer(other) => other == vid,
            Size::Op(id) => match self.unit.types.size_op_of(id) {
                SizeOp::Add(a, b) | SizeOp::Sub(a, b) | SizeOp::Mul(a, b) => {
                    self.size_occurs(vid, a) || self.size_occurs(vid, b)
                }
            },
            _ => false,
        }
    }

    pub(crate) fn equate_aquals(&mut self, a: Aqual, b: Aqual, why: RegionReason) -> bool {
        let (a, b) = (self.resolve_aqual_value(a), self.resolve_aqual_value(b));
        match (a, b) {
            _ if a == b => true,
            (Aqual::Infer(vid), value) | (value, Aqual::Infer(vid)) => {
                let handle = self.unit.types.intern(TyKind::AqualHandle(value));
                let value = if self.speaks_of_calls(handle, why.span) { Aqual::Error } else { value };
                self.func.infer.aquals[vid.0 as usize] = Some(value);
                true
            }
            (Aqual::Of(a), Aqual::Of(b)) => self.equate(a, b, why),
            _ => a == Aqual::Error || b == Aqual::Error,
        }
    }
}

/// The number of elements of a thin pointer as a type-level integer.
fn bound_size(bound: Bound) -> Option<Size> {
    match bound {
        Bound::Thin(n) => Some(Size::Const(n)),
        Bound::Sized(size) => Some(size),
        Bound::Fat => None,
    }
}
