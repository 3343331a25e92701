//! When two declarations of the same thing agree.

use crate::kind::{Arg, Args};
use crate::region::Region;
use crate::ty::*;

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
