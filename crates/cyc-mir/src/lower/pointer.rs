//! Coercions (core, section 4.1), steps of pointers, `numelts`.

use super::Lower;
use super::expr::wrap_int;
use crate::mir::*;
use cyc_base::Span;
use cyc_check::tast::{self, Coercion, Expr, ExprKind};
use cyc_types::{Aqual, Args, Bound, Kind, PtrTy, Ty, TyKind, Var};

/// The subscript that is outside of every object from wherever a fat pointer has got to, and the step that leads out of it: the
/// position of one has 32 bits (or 64), so it counts in these too.
const OUTSIDE: i128 = i64::MIN as i128 + (1 << 31);

impl<'a> Lower<'a> {
    pub(super) fn coerce(&mut self, coercion: Coercion, inner: &Expr, to: Ty, span: Span) -> Operand {
        let value = self.coerce_rvalue(coercion, inner, to, span);
        self.settled(value, to, span)
    }

    /// The converted value; [`Rvalue::Use`] when there is nothing to do but the checks.
    pub(super) fn coerce_rvalue(&mut self, coercion: Coercion, inner: &Expr, to: Ty, span: Span) -> Rvalue {
        if coercion == Coercion::ToVoid {
            self.effect(inner);
            return Rvalue::Use(self.unit_value(to));
        }
        let from = inner.ty;
        // The address of a global under another type stays a constant.
        let value = self.operand(inner);
        match coercion {
            Coercion::ToVoid => unreachable!("handled above"),
            Coercion::Arith => self.arith(value, from, to),
            Coercion::Index => Rvalue::Use(self.index_of_64_bits(value, from, to, span)),
            Coercion::PtrToInt => Rvalue::PtrToInt(value, to),
            Coercion::NotNull => {
                if !never_null(&value) {
                    self.check(CheckKind::NonNull(value.clone()), CheckReason::Coercion, span);
                }
                self.retype(value, from, to)
            }
            Coercion::FatNotNull => {
                self.check(CheckKind::NonNull(value.clone()), CheckReason::Coercion, span);
                self.retype(value, from, to)
            }
            Coercion::Retype => self.retype(value, from, to),
            Coercion::Subset(id) => Rvalue::Use(self.in_subset(value, from, id, span)),
            Coercion::Instantiate(args) => match value {
                Operand::Const(Const::Function(function, Args::NONE, _)) => {
                    Rvalue::Use(Operand::Const(Const::Function(function, args, to)))
                }
                value => Rvalue::Instantiate(value, args, to),
            },
            Coercion::ThinToFat => {
                if let Operand::Const(Const::Null(_)) = value {
                    return Rvalue::Use(Operand::Const(Const::Null(to)));
                }
                let len = match self.pointer(from).map(|ptr| ptr.bound) {
                    Some(Bound::Thin(len)) => len,
                    // No length that is known here: nothing is within it.
                    Some(Bound::Sized(_) | Bound::Fat) | None => 0,
                };
                Rvalue::FatMake { ptr: value, len: Operand::int(len as i128, Ty::ULONG), ty: to }
            }
            Coercion::ZerotermToFat => Rvalue::FatFromZeroterm(value, to),
            Coercion::FatToThin => self.fat_to_thin(value, from, to, span),
            Coercion::FatDropZero => Rvalue::FatDropZero(value, to),
            Coercion::FatToBytes => Rvalue::FatToBytes(value, to),
        }
    }

    fn retype(&mut self, value: Operand, from: Ty, to: Ty) -> Rvalue {
        match value {
            Operand::Const(Const::Null(_)) => Rvalue::Use(Operand::Const(Const::Null(to))),
            Operand::Const(Const::Str(bytes, ty)) if self.same_in_c(ty, to) => {
                Rvalue::Use(Operand::Const(Const::Str(bytes, to)))
            }
            Operand::Const(Const::Global(place, _)) => Rvalue::Use(Operand::Const(Const::Global(place, to))),
            value if self.same_in_c(from, to) => Rvalue::Use(value),
            value => Rvalue::Retype(value, to),
        }
    }

    pub(super) fn arith(&mut self, value: Operand, from: Ty, to: Ty) -> Rvalue {
        if from == to {
            return Rvalue::Use(value);
        }
        match value.as_int().and_then(|v| wrap_int(self.types(), v, to)) {
            Some(folded) => Rvalue::Use(Operand::int(folded, to)),
            None => Rvalue::Arith(value, from, to),
        }
    }

    /// A subscript, step or count of 128 bits in the 64 of `to`. What does not fit becomes [`OUTSIDE`], or as a count the
    /// greatest number.
    fn index_of_64_bits(&mut self, value: Operand, from: Ty, to: Ty, span: Span) -> Operand {
        let outside = if to == Ty::LONG { OUTSIDE } else { u64::MAX.into() };
        if let Some(value) = value.as_int() {
            let fits = wrap_int(self.types(), value, to) == Some(value);
            return Operand::int(if fits { value } else { outside }, to);
        }
        let value = self.in_temp(Rvalue::Use(value), from, span);
        let low = self.in_temp(Rvalue::Arith(value.clone(), from, to), to, span);
        let back = self.in_temp(Rvalue::Arith(low.clone(), to, from), from, span);
        let lost = self.in_temp(Rvalue::Binary(BinOp::Ne, value, back, from), Ty::INT, span);
        let lost = self.in_temp(Rvalue::Arith(lost, Ty::INT, to), to, span);
        // All bits, or none.
        let keep = self.in_temp(Rvalue::Binary(BinOp::Sub, lost.clone(), Operand::int(1, to), to), to, span);
        let low = self.in_temp(Rvalue::Binary(BinOp::BitAnd, low, keep, to), to, span);
        let outside = self.in_temp(Rvalue::Binary(BinOp::Mul, lost, Operand::int(outside, to), to), to, span);
        self.in_temp(Rvalue::Binary(BinOp::BitOr, low, outside, to), to, span)
    }

    fn fat_to_thin(&mut self, value: Operand, from: Ty, to: Ty, span: Span) -> Rvalue {
        let target = self.pointer(to);
        let count = match target.map(|ptr| ptr.bound) {
            Some(Bound::Thin(count)) => count,
            // The checker has written the check of the bounds.
            Some(Bound::Sized(_)) => 0,
            _ => 1,
        };
        let value = Operand::Copy(self.fat_once(value, from, span));
        if self.pointer(from).is_some_and(|ptr| self.keeps_start(ptr)) {
            self.check(CheckKind::AtBase(value.clone()), CheckReason::Coercion, span);
        }
        if target.is_some_and(|ptr| !ptr.nullable) {
            // In bounds implies not null; a failing coercion of null reports null.
            let zero = Operand::int(0, Ty::INT);
            let kind = match count {
                0 => CheckKind::NonNull(value.clone()),
                count => CheckKind::FatBounds { ptr: value.clone(), index: zero, count },
            };
            self.check(kind, CheckReason::Coercion, span);
        } else if count > 0 {
            self.check(CheckKind::FatOrNull { ptr: value.clone(), count }, CheckReason::Coercion, span);
        }
        Rvalue::FatToThin(value, to)
    }

    /// Must a thin pointer made of this one lead to the start of its object? The count lies before it; and of elements
    /// without known size no other can be found.
    fn keeps_start(&self, ptr: PtrTy) -> bool {
        let counted = !matches!(ptr.aqual, Aqual::Aliasable | Aqual::Restricted | Aqual::Unique);
        let any_object = match self.types().kind(ptr.to.ty) {
            TyKind::Var(Var::Param(index)) => {
                self.body.vars.get(*index as usize).is_some_and(|var| var.kind == Kind::A)
            }
            _ => !self.types().is_complete(ptr.to.ty),
        };
        counted || any_object
    }

    /// `p += i`, `p -= i`, `p++`, `--p`.
    pub(super) fn pointer_step(
        &mut self,
        place: &tast::Place,
        index: &Expr,
        negate: bool,
        post: bool,
        wanted: bool,
        span: Span,
    ) -> Operand {
        let ty = place.qty.ty;
        let Some(ptr) = self.pointer(ty) else { unreachable!("the checker steps pointers only") };
        let index = self.evaluate(index);
        let (place, guard) = self.guarded_place(place);
        let index = self.protect(index, span);
        let now = Operand::Copy(place.clone());
        let old = if post && wanted { Some(self.in_temp(Rvalue::Use(now.clone()), ty, span)) } else { None };
        let moved = if ptr.bound == Bound::Fat {
            Rvalue::FatAdd { ptr: now.clone(), index, negate }
        } else {
            if ptr.nullable {
                self.check(CheckKind::NonNull(now.clone()), CheckReason::Deref, span);
            }
            let check = if index.as_int() == Some(1) && !negate {
                CheckKind::ZeroStep { ptr: now.clone() }
            } else {
                CheckKind::ZeroScan { ptr: now.clone(), index: index.clone() }
            };
            self.check(check, CheckReason::ZeroTermination, span);
            Rvalue::ThinAdd { ptr: now.clone(), index, negate }
        };
        let moved = self.in_subsets(moved, ty, span);
        if matches!(guard, super::place::Guard::None) {
            self.assign(place, moved, span);
        } else {
            let moved = self.in_temp(moved, ty, span);
            self.check_write(guard, &moved, span);
            self.assign(place, Rvalue::Use(moved), span);
        }
        old.unwrap_or(now)
    }

    pub(super) fn numelts(&mut self, inner: &Expr, ty: Ty, span: Span) -> Operand {
        let Some(ptr) = self.pointer(inner.ty) else { unreachable!("numelts of a pointer") };
        let count = |this: &mut Self, value: Rvalue| {
            let count = this.in_temp(value, Ty::ULONG, span);
            let count = this.arith(count, Ty::ULONG, ty);
            this.settled(count, ty, span)
        };
        match ptr.bound {
            Bound::Fat => {
                let value = self.operand(inner);
                count(self, Rvalue::FatNumelts(value))
            }
            Bound::Thin(_) | Bound::Sized(_) if ptr.zeroterm => {
                let value = self.operand(inner);
                count(self, Rvalue::ZeroNumelts(value))
            }
            Bound::Thin(n) => {
                if let (false, ExprKind::AddrOf(place)) = (ptr.nullable, &inner.kind)
                    && matches!(place.kind, tast::PlaceKind::Local(_) | tast::PlaceKind::Global(_))
                {
                    return Operand::int(n as i128, ty);
                }
                let value = self.operand(inner);
                if !ptr.nullable {
                    return Operand::int(n as i128, ty);
                }
                let present = self.in_temp(Rvalue::IsNonNull(value), Ty::INT, span);
                let present = self.in_temp(Rvalue::Arith(present, Ty::INT, Ty::ULONG), Ty::ULONG, span);
                let n = Operand::int(n as i128, Ty::ULONG);
                count(self, Rvalue::Binary(BinOp::Mul, present, n, Ty::ULONG))
            }
            // No length that is known here.
            Bound::Sized(_) => Operand::int(0, ty),
        }
    }
}

fn never_null(value: &Operand) -> bool {
    matches!(value, Operand::Const(Const::Str(..) | Const::WideStr(..) | Const::Function(..) | Const::Global(..)))
}
