//! Replacing the region variables that a function type binds.

use crate::region::Region;
use crate::ty::*;
use std::rc::Rc;

impl Types {
    /// The component `ty` of a function type, its bound region `i` replaced by `regions[i]`.
    pub fn substitute(&mut self, ty: Ty, regions: &[Region]) -> Ty {
        self.substitute_at(ty, regions, 0)
    }

    fn substitute_at(&mut self, ty: Ty, regions: &[Region], depth: u32) -> Ty {
        match self.kind(ty) {
            TyKind::Pointer(ptr) => {
                let mut ptr = *ptr;
                match ptr.region {
                    Region::Bound { depth: d, index } if d == depth => {
                        ptr.region = regions.get(index as usize).copied().unwrap_or(Region::Error);
                    }
                    _ => {}
                }
                ptr.to.ty = self.substitute_at(ptr.to.ty, regions, depth);
                self.pointer(ptr)
            }
            TyKind::Array { elem, len, zeroterm } => {
                let (mut elem, len, zeroterm) = (*elem, *len, *zeroterm);
                let old = elem.ty;
                elem.ty = self.substitute_at(old, regions, depth);
                if elem.ty == old { ty } else { self.intern(TyKind::Array { elem, len, zeroterm }) }
            }
            TyKind::Tuple(parts) => {
                let parts = parts.clone();
                let new = parts.iter().map(|p| QTy { ty: self.substitute_at(p.ty, regions, depth), ..*p }).collect();
                self.intern(TyKind::Tuple(new))
            }
            TyKind::Function(function) => {
                let mut new = FnTy::clone(function);
                new.ret = self.substitute_at(new.ret, regions, depth + 1);
                for param in &mut new.params {
                    param.ty = self.substitute_at(param.ty, regions, depth + 1);
                }
                self.intern(TyKind::Function(Rc::new(new)))
            }
            _ => ty,
        }
    }
}
