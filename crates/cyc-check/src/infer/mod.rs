//! Local type inference (core, section 10.1): unification variables for types, solved left to right
//! by their first use, and put into the typed tree at the end of the function.

mod subst;
mod unify;

use crate::coerce::Instantiated;
use crate::cx::Checker;
use crate::errors;
use crate::region::RegionReason;
use crate::visit::Rewriter;
use cyc_base::Span;
use cyc_types::{
    Aqual, AqualVid, Arg, Args, Fold, Kind, PtrTy, QTy, Region, ScopeId, Size, SizeVid, Ty, TyKind, TyParam, TyVid,
    Types,
};
use std::rc::Rc;

/// The type variables of one function.
#[derive(Default, Debug)]
pub struct InferTable {
    vars: Vec<TyVar>,
    /// Values of type-level integers and of alias qualifiers, once known.
    sizes: Vec<SizeVar>,
    aquals: Vec<Option<Aqual>>,
    /// Flows of pointers whose qualifier was not known.
    open_flows: Vec<OpenFlow>,
    /// Types whose size was said to be a number of bytes before they were known.
    promised: Vec<(Ty, u64, Span)>,
}

/// A flow between two regions that must be exact if the qualifier forbids copies.
#[derive(Clone, Copy, Debug)]
struct OpenFlow {
    aqual: Aqual,
    from: Region,
    to: Region,
    /// Whatever it is but `ALIASABLE`.
    exact: bool,
    why: RegionReason,
}

#[derive(Clone, Copy, Debug)]
struct SizeVar {
    value: Option<Size>,
    /// As that of types.
    age: u32,
}

#[derive(Clone, Copy, Debug)]
struct TyVar {
    /// Its value must be of this kind or below.
    kind: Kind,
    /// When it, or the oldest variable whose value mentions it, was made: hidden types that are younger may not
    /// occur in its value.
    age: u32,
    /// What it stands for, once known; never contains the variable itself.
    value: Option<Ty>,
    /// The block it was made in: regions within its value live at least that long.
    scope: ScopeId,
}

impl InferTable {
    /// The type itself where it is a variable whose value is known; components are left as they are.
    pub fn resolve(&self, types: &Types, mut ty: Ty) -> Ty {
        while let TyKind::Infer(vid) = types.kind(ty) {
            match self.vars.get(vid.0 as usize).and_then(|v| v.value) {
                Some(value) => ty = value,
                None => break,
            }
        }
        ty
    }

    /// The kind that is asked of a variable's value.
    pub fn kind(&self, vid: TyVid) -> Kind {
        self.vars.get(vid.0 as usize).map_or(Kind::A, |v| v.kind)
    }

    /// The age that the next variable will have.
    pub fn age(&self) -> u32 {
        (self.vars.len() + self.sizes.len()) as u32
    }

    /// Gives a variable a type without any part that is still unknown.
    pub fn settle_on(&mut self, vid: TyVid, ty: Ty) {
        self.vars[vid.0 as usize].value = Some(ty);
    }

    /// Makes a variable as old as another one.
    fn grow_old(&mut self, vid: TyVid, age: u32) {
        if let Some(var) = self.vars.get_mut(vid.0 as usize) {
            var.age = var.age.min(age);
        }
    }

    /// Asks for a kind in addition.
    pub fn narrow(&mut self, vid: TyVid, kind: Kind) {
        if let Some(var) = self.vars.get_mut(vid.0 as usize) {
            var.kind = var.kind.min(kind);
        }
    }
}

impl Checker<'_> {
    /// Something to be found by its first use, for each variable.
    pub fn fresh_args(&mut self, vars: &[TyParam], span: Span) -> Vec<Arg> {
        vars.iter().map(|var| self.fresh_arg(*var, span)).collect()
    }

    pub(crate) fn fresh_arg(&mut self, var: TyParam, span: Span) -> Arg {
        let arg = self.unknown_arg(var, span);
        if matches!(arg, Arg::Type(_) | Arg::Aqual(_)) && var.bound != Aqual::Restricted {
            self.func.alias_bounds.push(Instantiated { param: var, arg, span, datatype: false });
        }
        arg
    }

    fn unknown_arg(&mut self, var: TyParam, span: Span) -> Arg {
        match var.kind {
            Kind::B | Kind::M | Kind::A => Arg::Type(self.fresh_ty_of(var.kind)),
            Kind::E => Arg::Region(self.fresh_region(span)),
            Kind::I => Arg::Size(self.fresh_size()),
            Kind::Q => Arg::Aqual(self.fresh_aqual()),
        }
    }

    /// A type to be found by its first use.
    pub fn fresh_ty(&mut self, _span: Span) -> Ty {
        self.fresh_ty_of(Kind::A)
    }

    /// A type of that kind, to be found by its first use.
    pub(crate) fn fresh_ty_of(&mut self, kind: Kind) -> Ty {
        let scope = self.func.current;
        let age = self.func.infer.age();
        let vars = &mut self.func.infer.vars;
        vars.push(TyVar { value: None, scope, kind, age });
        let vid = TyVid(vars.len() as u32 - 1);
        self.unit.types.intern(TyKind::Infer(vid))
    }

    /// A type-level integer, to be found by its first use.
    pub(crate) fn fresh_size(&mut self) -> Size {
        let age = self.func.infer.age();
        self.func.infer.sizes.push(SizeVar { value: None, age });
        Size::Infer(SizeVid(self.func.infer.sizes.len() as u32 - 1))
    }

    /// An alias qualifier, to be found by its first use.
    pub(crate) fn fresh_aqual(&mut self) -> Aqual {
        self.func.infer.aquals.push(None);
        Aqual::Infer(AqualVid(self.func.infer.aquals.len() as u32 - 1))
    }

    /// The type itself where it is a variable whose value is known, and a pointer with its alias qualifier if that is
    /// known; components are left as they are.
    pub fn resolve(&self, ty: Ty) -> Ty {
        let ty = self.func.infer.resolve(&self.unit.types, ty);
        match self.unit.types.kind(ty) {
            TyKind::Pointer(ptr) if matches!(ptr.aqual, Aqual::Infer(_)) => {
                self.unit.types.pointer(PtrTy { aqual: self.resolve_aqual_value(ptr.aqual), ..*ptr })
            }
            _ => ty,
        }
    }

    /// The kind of a type, variables looked through.
    pub fn kind_of(&self, ty: Ty) -> &TyKind {
        self.unit.types.kind(self.resolve(ty))
    }

    /// The type as a pointer, variables looked through.
    pub fn pointer_of(&self, ty: Ty) -> Option<PtrTy> {
        let ptr = self.unit.types.as_pointer(self.resolve(ty))?;
        Some(PtrTy { aqual: self.resolve_aqual_value(ptr.aqual), ..ptr })
    }

    /// As [`Checker::pointer_of`], where the alias qualifier decides what may be done: one that nothing has told yet is
    /// `ALIASABLE`.
    pub(crate) fn pointer_in_use(&mut self, ty: Ty) -> Option<PtrTy> {
        let ptr = self.pointer_of(ty)?;
        if let Aqual::Infer(vid) = ptr.aqual {
            self.func.infer.aquals[vid.0 as usize] = Some(Aqual::Aliasable);
            return Some(PtrTy { aqual: Aqual::Aliasable, ..ptr });
        }
        Some(ptr)
    }

    /// A pointer with this qualifier flows from one region to another: into that very region if it can free its object,
    /// which may be known only at the end of the function.
    pub(crate) fn pointer_flow(&mut self, aqual: Aqual, from: Region, to: Region, why: RegionReason) {
        match self.resolve_aqual_value(aqual) {
            aqual if self.frees(aqual) => self.freed_from(from, to, why),
            aqual => {
                self.outlives(from, to, why);
                if matches!(aqual, Aqual::Infer(_)) {
                    self.func.infer.open_flows.push(OpenFlow { aqual, from, to, exact: false, why });
                }
            }
        }
    }

    /// Two pointers with this qualifier are the same: so are their regions, exactly if they may not be copied.
    pub(crate) fn equal_pointer_regions(&mut self, aqual: Aqual, a: Region, b: Region, why: RegionReason) {
        match self.resolve_aqual_value(aqual) {
            Aqual::Aliasable => self.same_region(a, b, why),
            aqual @ Aqual::Infer(_) => {
                self.same_region(a, b, why);
                self.func.infer.open_flows.push(OpenFlow { aqual, from: a, to: b, exact: true, why });
            }
            _ => self.equal_region(a, b, why),
        }
    }

    /// The flows of pointers that turned out not to be copied.
    fn close_flows(&mut self) {
        for OpenFlow { aqual, from, to, exact, why } in std::mem::take(&mut self.func.infer.open_flows) {
            match self.resolve_aqual_value(aqual) {
                Aqual::Infer(_) | Aqual::Aliasable => {}
                _ if exact => self.equal_region(from, to, why),
                aqual if self.frees(aqual) => self.freed_from(from, to, why),
                _ => {}
            }
        }
    }

    /// Makes two variables one, which lives as long as the longer lived of the two.
    pub(super) fn join(&mut self, a: TyVid, b: TyVid) {
        if a == b {
            return;
        }
        let depth = |v: TyVid| self.func.scope(self.func.infer.vars[v.0 as usize].scope).depth;
        let (inner, outer) = if depth(a) < depth(b) { (b, a) } else { (a, b) };
        let (kind, age) = (self.func.infer.kind(inner), self.func.infer.vars[inner.0 as usize].age);
        self.func.infer.narrow(outer, kind);
        self.func.infer.grow_old(outer, age);
        let outer = self.unit.types.intern(TyKind::Infer(outer));
        self.func.infer.vars[inner.0 as usize].value = Some(outer);
    }

    /// Gives a variable its value. The value's regions become regions of the variable's block: the
    /// outermost ones take what flows in (`within` false), the others must be equal.
    pub(super) fn bind(&mut self, vid: TyVid, value: Ty, why: RegionReason, within: bool) -> bool {
        if self.occurs(vid, value) {
            return false;
        }
        let var = self.func.infer.vars[vid.0 as usize];
        let have = self.type_kind(value);
        if !have.fits(var.kind) {
            let shown = self.show(value);
            self.report(errors::poly::inferred_of_wrong_kind(why.span, &shown, have, var.kind));
            self.func.infer.vars[vid.0 as usize].value = Some(Ty::ERROR);
            return true;
        }
        if let Some(hidden) = self.escaping(value, |h| var.age < h.born) {
            self.report_escape(hidden, value, why.span);
            self.func.infer.vars[vid.0 as usize].value = Some(Ty::ERROR);
            return true;
        }
        if self.speaks_of_calls(value, why.span) {
            self.func.infer.vars[vid.0 as usize].value = Some(Ty::ERROR);
            return true;
        }
        for inner in self.unsolved(value) {
            self.func.infer.grow_old(inner, var.age);
        }
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

    /// Does the type mention what a function type around it binds? Each call chooses that anew, so that nothing can be
    /// inferred to be it; reported.
    pub(super) fn speaks_of_calls(&mut self, ty: Ty, span: Span) -> bool {
        let found = self.unit.types.mentions_bound(self.known_parts(ty));
        if found {
            let shown = self.show(ty);
            self.report(errors::poly::chosen_by_calls(span, &shown));
        }
        found
    }

    /// The variables in a type whose values are not known yet.
    pub(super) fn unsolved(&self, ty: Ty) -> Vec<TyVid> {
        let mut found = vec![];
        self.unit.types.any_part(ty, &mut |part| {
            if let cyc_types::Part::Type(part) = part
                && matches!(self.unit.types.kind(part), TyKind::Infer(_))
            {
                match *self.kind_of(part) {
                    TyKind::Infer(vid) => found.push(vid),
                    _ => found.extend(self.unsolved(self.resolve(part))),
                }
            }
            false
        });
        found
    }

    /// A type for a variable of the current block that receives a value of type `ty`: its outermost
    /// pointers get regions of their own, so that later assignments can add to them.
    pub fn settle(&mut self, ty: Ty, why: RegionReason) -> Ty {
        let ty = self.resolve(ty);
        match self.unit.types.kind(ty).clone() {
            // What can be freed stays in exactly the region that it is in.
            TyKind::Pointer(ptr) if self.frees(ptr.aqual) => ty,
            TyKind::Pointer(mut ptr) if matches!(ptr.region, Region::Heap | Region::Param(_)) => {
                let region = self.fresh_region(why.span);
                self.pointer_flow(ptr.aqual, ptr.region, region, why);
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

    /// The type with every variable replaced by its value; unsolved ones become `int`, 1 and `ALIASABLE`.
    pub(crate) fn final_type(&self, ty: Ty) -> Ty {
        self.unit.types.fold(ty, &mut Final(&self.func.infer))
    }

    /// The type with the values of variables that are known; others stay.
    pub(crate) fn known_parts(&self, ty: Ty) -> Ty {
        self.unit.types.fold(ty, &mut Known(self))
    }

    /// As [`Checker::final_type`], for a list of arguments.
    pub(crate) fn final_args(&self, args: Args) -> Args {
        self.unit.types.fold_args(args, &mut Final(&self.func.infer))
    }

    /// Puts the values of type variables into an expression outside of functions.
    pub(crate) fn finish_expr(&mut self, e: &mut crate::tast::Expr) {
        subst::Values(self).expr(e);
    }

    /// Puts the values of the function's type variables into its locals and its body.
    pub(crate) fn finish_inference(&mut self, body: &mut crate::tast::Block) {
        self.close_flows();
        for (ty, bytes, span) in std::mem::take(&mut self.func.infer.promised) {
            let found = self.final_type(ty);
            if self.layout(found).is_none_or(|layout| layout.size != bytes) {
                let shown = self.show(found);
                self.report(errors::poly::not_the_size(span, bytes, &shown));
            }
        }
        let InferTable { vars, sizes, aquals, .. } = &self.func.infer;
        if vars.is_empty() && sizes.is_empty() && aquals.is_empty() {
            return;
        }
        let mut locals = std::mem::take(&mut self.func.locals);
        for local in &mut locals {
            local.qty.ty = self.final_type(local.qty.ty);
        }
        self.func.locals = locals;
        subst::Values(self).block(body);
        let mut nested = std::mem::take(&mut self.func.nested.functions);
        for inner in &mut nested {
            inner.ret = self.final_type(inner.ret);
            subst::Values(self).block(&mut inner.body);
        }
        self.func.nested.functions = nested;
    }
}

/// Replaces variables by their values, where they are known.
struct Known<'a, 'b>(&'a Checker<'b>);

impl Fold for Known<'_, '_> {
    fn ty(&mut self, types: &Types, ty: Ty) -> Option<Ty> {
        let value = self.0.resolve(ty);
        (value != ty).then(|| types.fold(value, self))
    }

    fn size(&mut self, _: &Types, size: Size) -> Size {
        self.0.resolve_size_value(size)
    }

    fn aqual(&mut self, _: &Types, aqual: Aqual) -> Aqual {
        self.0.resolve_aqual_value(aqual)
    }
}

/// Replaces variables by their values; unsolved ones become `int`, 1 and `ALIASABLE`.
struct Final<'a>(&'a InferTable);

impl Fold for Final<'_> {
    fn ty(&mut self, types: &Types, ty: Ty) -> Option<Ty> {
        let TyKind::Infer(vid) = types.kind(ty) else { return None };
        match self.0.vars.get(vid.0 as usize).and_then(|v| v.value) {
            Some(value) => Some(types.fold(value, self)),
            None => Some(Ty::INT),
        }
    }

    fn size(&mut self, types: &Types, size: Size) -> Size {
        let Size::Infer(vid) = size else { return size };
        match self.0.sizes.get(vid.0 as usize).and_then(|v| v.value) {
            Some(value) => types.fold_size(value, self),
            None => Size::Const(1),
        }
    }

    fn aqual(&mut self, types: &Types, aqual: Aqual) -> Aqual {
        let Aqual::Infer(vid) = aqual else { return aqual };
        match self.0.aquals.get(vid.0 as usize).copied().flatten() {
            Some(value) => types.fold_aqual(value, self),
            None => Aqual::Aliasable,
        }
    }
}
