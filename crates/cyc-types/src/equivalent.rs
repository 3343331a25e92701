//! When two declarations of the same thing agree.

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
                (p.nullable, p.bound, p.zeroterm) == (q.nullable, q.bound, q.zeroterm)
                    && same_region(p.region, q.region)
                    && self.same_place(p.to, q.to)
            }
            (TyKind::Array { elem: p, len: m, zeroterm: y }, TyKind::Array { elem: q, len: n, zeroterm: z }) => {
                y == z && (m == n || m.is_none() || n.is_none()) && self.same_place(*p, *q)
            }
            (TyKind::Tuple(p), TyKind::Tuple(q)) => {
                p.len() == q.len() && p.iter().zip(q.iter()).all(|(p, q)| self.same_place(*p, *q))
            }
            (TyKind::Function(f), TyKind::Function(g)) => {
                f.regions.len() == g.regions.len()
                    && f.varargs == g.varargs
                    && f.attrs == g.attrs
                    && f.params.len() == g.params.len()
                    && self.equivalent(f.ret, g.ret)
                    && f.params.iter().zip(&g.params).all(|(p, q)| self.equivalent(p.ty, q.ty))
            }
            _ => false,
        }
    }

    fn same_place(&self, a: QTy, b: QTy) -> bool {
        (a.is_const, a.is_volatile) == (b.is_const, b.is_volatile) && self.equivalent(a.ty, b.ty)
    }

    /// Are the function types equal but for their attributes?
    pub fn differ_in_attributes_only(&self, a: Ty, b: Ty) -> bool {
        let (Some(f), Some(g)) = (self.as_function(a), self.as_function(b)) else { return false };
        f.attrs != g.attrs
            && f.regions.len() == g.regions.len()
            && f.varargs == g.varargs
            && f.params.len() == g.params.len()
            && self.equivalent(f.ret, g.ret)
            && f.params.iter().zip(&g.params).all(|(p, q)| self.equivalent(p.ty, q.ty))
    }
}

fn same_region(a: Region, b: Region) -> bool {
    a == b || a == Region::Error || b == Region::Error
}
