//! When two declarations of the same thing agree.

use crate::kind::{Aqual, Arg, Args, Size, Var};
use crate::region::Region;
use crate::ty::*;
use crate::visit::Part;
use std::rc::Rc;

/// Numbers of variables that stand for a function's own while two types are compared; no body has as many.
const FIRST_MARK: u32 = 1 << 30;

fn bound(index: u32) -> Var {
    Var::Bound { depth: 0, index }
}

impl Types {
    /// Are the types equal, apart from names of bound regions, qualifiers of parameters, and array
    /// lengths that only one of them has?
    pub fn equivalent(&self, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (TyKind::Error, _) | (_, TyKind::Error) => true,
            (TyKind::Pointer(p), TyKind::Pointer(q)) => {
                (p.nullable, p.bound, p.zeroterm, p.aqual) == (q.nullable, q.bound, q.zeroterm, q.aqual)
                    && same_region(p.region, q.region)
                    && self.same_place(p.to, q.to)
            }
            (TyKind::Array { elem: p, len: m, zeroterm: y }, TyKind::Array { elem: q, len: n, zeroterm: z }) => {
                y == z && (m == n || m.is_none() || n.is_none()) && self.same_place(*p, *q)
            }
            (TyKind::OpenArray { elem: p, len: m }, TyKind::OpenArray { elem: q, len: n }) => {
                m == n && self.same_place(*p, *q)
            }
            (TyKind::Tuple(p), TyKind::Tuple(q)) => {
                p.len() == q.len() && p.iter().zip(q.iter()).all(|(p, q)| self.same_place(*p, *q))
            }
            (TyKind::Function(f), TyKind::Function(g)) => f.attrs == g.attrs && self.equal_but_for_attributes(f, g),
            (TyKind::Aggr(a), TyKind::Aggr(b)) => {
                self.same_aggr_def(*a, *b) && self.same_args(self.aggr_args(*a), self.aggr_args(*b))
            }
            (TyKind::Datatype(a), TyKind::Datatype(b)) => {
                self.same_datatype_def(*a, *b) && self.same_args(self.datatype_args(*a), self.datatype_args(*b))
            }
            (TyKind::Variant(a, v), TyKind::Variant(b, w)) => {
                v == w
                    && self.same_datatype_def(*a, *b)
                    && self.same_args(self.datatype_args(*a), self.datatype_args(*b))
            }
            (TyKind::Abstract(a, p), TyKind::Abstract(b, q)) => a == b && self.same_args(*p, *q),
            _ => false,
        }
    }

    fn same_place(&self, a: QTy, b: QTy) -> bool {
        (a.is_const, a.is_volatile) == (b.is_const, b.is_volatile) && self.equivalent(a.ty, b.ty)
    }

    /// Are the function types equal but for their attributes?
    pub fn differ_in_attributes_only(&self, a: Ty, b: Ty) -> bool {
        let (Some(f), Some(g)) = (self.as_function(a), self.as_function(b)) else { return false };
        f.attrs != g.attrs && self.equal_but_for_attributes(f, g)
    }

    fn equal_but_for_attributes(&self, f: &FnTy, g: &FnTy) -> bool {
        f.vars.len() == g.vars.len()
            && f.vars.iter().zip(&g.vars).all(|(v, w)| (v.kind, v.bound) == (w.kind, w.bound))
            && self.same_varargs(&f.varargs, &g.varargs)
            && (f.effect, &f.constraints) == (g.effect, &g.constraints)
            && f.params.len() == g.params.len()
            && self.equivalent(f.ret, g.ret)
            && f.params.iter().zip(&g.params).all(|(p, q)| self.equivalent(p.ty, q.ty))
    }

    /// A function's type with its variables in the order of another declaration of it, if they can be told apart by where
    /// they occur in parameters and result: the order of those that were not written follows from the rest.
    pub fn in_order_of(&self, ty: Ty, before: Ty) -> Option<Ty> {
        let (f, g) = (self.as_function(ty)?, self.as_function(before)?);
        let (of_f, of_g) = (self.occurring(f), self.occurring(g));
        if f.vars.len() != g.vars.len() || of_f.len() != of_g.len() {
            return None;
        }
        let mut place: Vec<Option<u32>> = vec![None; f.vars.len()];
        for (i, j) in of_f.into_iter().zip(of_g) {
            if *place[i as usize].get_or_insert(j) != j {
                return None;
            }
        }
        let place = place.into_iter().collect::<Option<Vec<u32>>>()?;
        let mut vars = f.vars.clone();
        for (var, at) in f.vars.iter().zip(&place) {
            vars[*at as usize] = *var;
        }
        let mut taken = place.clone();
        taken.sort_unstable();
        taken.dedup();
        if taken.len() != place.len() {
            return None;
        }
        let args: Vec<Arg> = f.vars.iter().zip(&place).map(|(v, at)| v.arg(bound(*at), self)).collect();
        let varargs = match f.varargs {
            Varargs::Typed { elem, inject } => {
                Varargs::Typed { elem: QTy { ty: self.substitute(elem.ty, &args), ..elem }, inject }
            }
            Varargs::None | Varargs::C => f.varargs.clone(),
        };
        Some(self.intern(TyKind::Function(Rc::new(FnTy {
            vars,
            ret: self.substitute(f.ret, &args),
            params: f.params.iter().map(|p| QTy { ty: self.substitute(p.ty, &args), ..*p }).collect(),
            varargs,
            effect: f.effect.map(|effect| self.substitute_region(effect, &args)),
            constraints: f.constraints.iter().map(|c| self.substitute_constraint(*c, &args)).collect(),
            attrs: f.attrs.clone(),
        }))))
    }

    /// The variables of a function in the order in which they occur in its parameters and its result.
    fn occurring(&self, f: &FnTy) -> Vec<u32> {
        let args: Vec<Arg> = f.vars.iter().zip(FIRST_MARK..).map(|(v, i)| v.arg(Var::Param(i), self)).collect();
        let mut found = vec![];
        let mut note = |var: Var| {
            if let Var::Param(i) = var
                && i >= FIRST_MARK
            {
                found.push(i - FIRST_MARK);
            }
            false
        };
        for ty in f.params.iter().map(|p| p.ty).chain([f.ret]) {
            self.any_part(self.substitute(ty, &args), &mut |part| match part {
                Part::Type(ty) => matches!(self.kind(ty), TyKind::Var(var) if note(*var)),
                Part::Region(region) => region.var().is_some_and(&mut note),
                Part::Size(Size::Var(var)) | Part::Aqual(Aqual::Var(var)) => note(var),
                Part::Size(_) | Part::Aqual(_) => false,
            });
        }
        found
    }

    fn same_varargs(&self, a: &Varargs, b: &Varargs) -> bool {
        match (a, b) {
            (Varargs::Typed { elem: p, inject: i }, Varargs::Typed { elem: q, inject: j }) => {
                i == j && self.same_place(*p, *q)
            }
            _ => a == b,
        }
    }

    /// Are the arguments equal, by the same measure?
    fn same_args(&self, a: Args, b: Args) -> bool {
        let (a, b) = (self.args(a), self.args(b));
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| match (a, b) {
                (Arg::Type(a), Arg::Type(b)) => self.equivalent(*a, *b),
                (Arg::Region(a), Arg::Region(b)) => same_region(*a, *b),
                _ => a == b,
            })
    }
}

fn same_region(a: Region, b: Region) -> bool {
    a == b || a == Region::Error || b == Region::Error
}
