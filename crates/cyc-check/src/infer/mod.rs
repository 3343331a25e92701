//! Local type inference (core, section 10.1): unification variables for types, solved left to right
//! by their first use, and put into the typed tree at the end of the function.

mod subst;

use crate::cx::Checker;
use crate::region::{Flow, RegionReason};
use cyc_base::Span;
use cyc_types::{
    Aqual, AqualVid, Arg, Args, FnTy, Kind, PtrTy, QTy, Region, ScopeId, Size, SizeVid, Ty, TyKind, TyParam, TyVid,
};
use std::rc::Rc;

/// The type variables of one function.
#[derive(Default, Debug)]
pub struct InferTable {
    vars: Vec<TyVar>,
    /// Values of type-level integers and of alias qualifiers, once known.
    sizes: Vec<Option<Size>>,
    aquals: Vec<Option<Aqual>>,
}

#[derive(Clone, Copy, Debug)]
struct TyVar {
    /// What it stands for, once known; never contains the variable itself.
    value: Option<Ty>,
    /// The block it was made in: regions within its value live at least that long.
    scope: ScopeId,
}

impl Checker<'_> {
    /// Something to be found by its first use, for each variable.
    pub fn fresh_args(&mut self, vars: &[TyParam], span: Span) -> Vec<Arg> {
        vars.iter().map(|var| self.fresh_arg(var.kind, span)).collect()
    }

    fn fresh_arg(&mut self, kind: Kind, span: Span) -> Arg {
        match kind {
            Kind::B | Kind::M | Kind::A => Arg::Type(self.fresh_ty(span)),
            Kind::E => Arg::Region(self.fresh_region(span)),
            Kind::I => {
                self.func.infer.sizes.push(None);
                Arg::Size(Size::Infer(SizeVid(self.func.infer.sizes.len() as u32 - 1)))
            }
            Kind::Q => {
                self.func.infer.aquals.push(None);
                Arg::Aqual(Aqual::Infer(AqualVid(self.func.infer.aquals.len() as u32 - 1)))
            }
        }
    }

    /// A type to be found by its first use.
    pub fn fresh_ty(&mut self, _span: Span) -> Ty {
        let scope = self.func.current;
        let vars = &mut self.func.infer.vars;
        vars.push(TyVar { value: None, scope });
        let vid = TyVid(vars.len() as u32 - 1);
        self.unit.types.intern(TyKind::Infer(vid))
    }

    /// The type itself where it is a variable whose value is known; components are left as they are.
    pub fn resolve(&self, mut ty: Ty) -> Ty {
        while let TyKind::Infer(vid) = self.unit.types.kind(ty) {
            match self.func.infer.vars.get(vid.0 as usize).and_then(|v| v.value) {
                Some(value) => ty = value,
                None => break,
            }
        }
        ty
    }

    /// The kind of a type, variables looked through.
    pub fn kind_of(&self, ty: Ty) -> &TyKind {
        self.unit.types.kind(self.resolve(ty))
    }

    /// The type as a pointer, variables looked through.
    pub fn pointer_of(&self, ty: Ty) -> Option<PtrTy> {
        self.unit.types.as_pointer(self.resolve(ty))
    }

    /// Makes two types equal, or says that they cannot be. Regions within them become equal too.
    pub fn unify(&mut self, a: Ty, b: Ty, span: Span) -> bool {
        if !self.may_equal(a, b) {
            return false;
        }
        self.equate(a, b, RegionReason::new(span, Flow::Within))
    }

    /// Could the two types be made equal, regions aside? Changes nothing.
    pub fn may_equal(&self, a: Ty, b: Ty) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return true;
        }
        match (self.unit.types.kind(a), self.unit.types.kind(b)) {
            (TyKind::Error, _) | (_, TyKind::Error) => true,
            (TyKind::Infer(vid), _) => !self.occurs(*vid, b),
            (_, TyKind::Infer(vid)) => !self.occurs(*vid, a),
            (TyKind::Pointer(p), TyKind::Pointer(q)) => {
                (p.nullable, p.bound, p.zeroterm, p.aqual) == (q.nullable, q.bound, q.zeroterm, q.aqual)
                    && self.may_equal_qualified(p.to, q.to)
            }
            (TyKind::Array { elem: p, len: m, zeroterm: y }, TyKind::Array { elem: q, len: n, zeroterm: z }) => {
                m == n && y == z && self.may_equal_qualified(*p, *q)
            }
            (TyKind::Tuple(ps), TyKind::Tuple(qs)) => {
                ps.len() == qs.len() && ps.iter().zip(qs.iter()).all(|(p, q)| self.may_equal_qualified(*p, *q))
            }
            (TyKind::Function(f), TyKind::Function(g)) => {
                f.vars.len() == g.vars.len()
                    && f.params.len() == g.params.len()
                    && (&f.varargs, &f.attrs) == (&g.varargs, &g.attrs)
                    && self.may_equal(f.ret, g.ret)
                    && f.params.iter().zip(&g.params).all(|(p, q)| self.may_equal(p.ty, q.ty))
            }
            _ => false,
        }
    }

    fn may_equal_qualified(&self, a: QTy, b: QTy) -> bool {
        a.is_const == b.is_const && self.may_equal(a.ty, b.ty)
    }

    /// Does the variable occur in the type?
    fn occurs(&self, vid: TyVid, ty: Ty) -> bool {
        match self.kind_of(ty) {
            TyKind::Infer(other) => *other == vid,
            TyKind::Pointer(p) => self.occurs(vid, p.to.ty),
            TyKind::Array { elem, .. } => self.occurs(vid, elem.ty),
            TyKind::Tuple(parts) => parts.iter().any(|p| self.occurs(vid, p.ty)),
            TyKind::Function(f) => self.occurs(vid, f.ret) || f.params.iter().any(|p| self.occurs(vid, p.ty)),
            _ => false,
        }
    }

    /// Makes types equal of which [`Checker::may_equal`] holds.
    fn equate(&mut self, a: Ty, b: Ty, why: RegionReason) -> bool {
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
            (TyKind::Pointer(p), TyKind::Pointer(q)) => {
                self.same_region(p.region, q.region, why);
                self.equate(p.to.ty, q.to.ty, why)
            }
            (TyKind::Array { elem: p, .. }, TyKind::Array { elem: q, .. }) => self.equate(p.ty, q.ty, why),
            (TyKind::Tuple(ps), TyKind::Tuple(qs)) => {
                ps.iter().zip(qs.iter()).all(|(p, q)| self.equate(p.ty, q.ty, why))
            }
            (TyKind::Function(f), TyKind::Function(g)) => {
                self.equate(f.ret, g.ret, why)
                    && f.params.iter().zip(&g.params).all(|(p, q)| self.equate(p.ty, q.ty, why))
            }
            _ => true,
        }
    }

    /// Makes two variables one, which lives as long as the longer lived of the two.
    fn join(&mut self, a: TyVid, b: TyVid) {
        if a == b {
            return;
        }
        let depth = |v: TyVid| self.func.scope(self.func.infer.vars[v.0 as usize].scope).depth;
        let (inner, outer) = if depth(a) < depth(b) { (b, a) } else { (a, b) };
        let outer = self.unit.types.intern(TyKind::Infer(outer));
        self.func.infer.vars[inner.0 as usize].value = Some(outer);
    }

    /// Gives a variable its value. The value's regions become regions of the variable's block: the
    /// outermost ones take what flows in (`within` false), the others must be equal.
    fn bind(&mut self, vid: TyVid, value: Ty, why: RegionReason, within: bool) -> bool {
        if self.occurs(vid, value) {
            return false;
        }
        let var = self.func.infer.vars[vid.0 as usize];
        let here = std::mem::replace(&mut self.func.current, var.scope);
        let made = if within {
            // One level further out makes the regions of `value` inner ones, which must be equal.
            let cell = self.unit.types.pointer(PtrTy {
                to: value.into(),
                nullable: true,
                bound: cyc_types::Bound::Thin(1),
                zeroterm: false,
                region: Region::Heap,
                aqual: cyc_types::Aqual::Aliasable,
            });
            let cell = self.relocate(cell, why);
            self.unit.types.as_pointer(cell).map_or(value, |p| p.to.ty)
        } else {
            self.settle(value, why)
        };
        self.func.current = here;
        self.func.infer.vars[vid.0 as usize].value = Some(made);
        true
    }

    /// A type for a variable of the current block that receives a value of type `ty`: its outermost
    /// pointers get regions of their own, so that later assignments can add to them.
    pub fn settle(&mut self, ty: Ty, why: RegionReason) -> Ty {
        let ty = self.resolve(ty);
        match self.unit.types.kind(ty).clone() {
            TyKind::Pointer(mut ptr) if matches!(ptr.region, Region::Heap | Region::Param(_)) => {
                let region = self.fresh_region(why.span);
                self.outlives(ptr.region, region, why);
                let moved = self.relocate(ty, why);
                if let Some(p) = self.unit.types.as_pointer(moved) {
                    ptr.to = p.to;
                }
                ptr.region = region;
                self.unit.types.pointer(ptr)
            }
            TyKind::Tuple(parts) => {
                let parts: Rc<[QTy]> = parts.iter().map(|p| QTy { ty: self.settle(p.ty, why), ..*p }).collect();
                self.unit.types.intern(TyKind::Tuple(parts))
            }
            _ => self.relocate(ty, why),
        }
    }

    /// A value of type `from` flows where a type `to` is expected, one of them a variable as yet:
    /// the first use fixes it. None: neither is a variable.
    pub fn solve_by_use(&mut self, from: Ty, to: Ty, why: RegionReason) -> Option<bool> {
        let (from, to) = (self.resolve(from), self.resolve(to));
        match (self.unit.types.kind(from), self.unit.types.kind(to)) {
            (TyKind::Infer(a), TyKind::Infer(b)) => {
                let (a, b) = (*a, *b);
                self.join(a, b);
                Some(true)
            }
            (_, TyKind::Infer(vid)) => {
                let vid = *vid;
                Some(self.bind(vid, from, why, false))
            }
            (TyKind::Infer(vid), _) => {
                let vid = *vid;
                Some(self.bind(vid, to, why, true))
            }
            _ => None,
        }
    }

    /// The type with every variable replaced by its value; unsolved ones become `int`.
    pub(crate) fn final_args(&mut self, args: Args) -> Args {
        if args == Args::NONE {
            return args;
        }
        let list = self.unit.types.args(args).to_vec();
        let list = list.into_iter().map(|arg| match arg {
            Arg::Type(ty) => Arg::Type(self.final_type(ty)),
            other => other,
        });
        let list = list.collect();
        self.unit.types.intern_args(list)
    }

    pub(crate) fn final_type(&mut self, ty: Ty) -> Ty {
        let ty = self.resolve(ty);
        match self.unit.types.kind(ty).clone() {
            TyKind::Infer(_) => Ty::INT,
            TyKind::Pointer(mut ptr) => {
                ptr.to.ty = self.final_type(ptr.to.ty);
                self.unit.types.pointer(ptr)
            }
            TyKind::Array { mut elem, len, zeroterm } => {
                elem.ty = self.final_type(elem.ty);
                self.unit.types.intern(TyKind::Array { elem, len, zeroterm })
            }
            TyKind::Tuple(parts) => {
                let parts = parts.iter().map(|p| QTy { ty: self.final_type(p.ty), ..*p }).collect();
                self.unit.types.intern(TyKind::Tuple(parts))
            }
            TyKind::Function(function) => {
                let mut new: FnTy = (*function).clone();
                new.ret = self.final_type(new.ret);
                for param in &mut new.params {
                    param.ty = self.final_type(param.ty);
                }
                self.unit.types.intern(TyKind::Function(new.into()))
            }
            _ => ty,
        }
    }

    /// Puts the values of the function's type variables into its locals and its body.
    pub(crate) fn finish_inference(&mut self, body: &mut crate::tast::Block) {
        if self.func.infer.vars.is_empty() {
            return;
        }
        let mut locals = std::mem::take(&mut self.func.locals);
        for local in &mut locals {
            local.qty.ty = self.final_type(local.qty.ty);
        }
        self.func.locals = locals;
        subst::block(self, body);
    }
}
