//! Allocation (core, section 5.11).

use super::Lower;
use crate::mir::*;
use cyc_base::Span;
use cyc_check::tast::{self, Coercion, Expr, ExprKind, New, NewInit};
use cyc_types::{Aqual, Ty};

impl<'a> Lower<'a> {
    /// `new e`: the object is allocated first and built in place; nobody sees it before it is complete.
    pub(super) fn new_into(&mut self, new: &New, ty: Ty, dst: Place, span: Span) {
        let region = self.handle(new.region.as_deref());
        let owner = self.owner(ty, new.aqual.as_deref());
        let allocate = |this: &mut Self, dst, count, zero| {
            let (region, owner) = (region.clone(), owner.clone());
            this.push(StmtKind::Alloc(Alloc { dst, elem: new.elem, region, owner, count, zero }), span);
        };
        let pointer = self.temp(ty, span);
        let pointer = Place::local(pointer);
        match &new.init {
            // A constant variant has one object, made before the program runs; only who may give it back needs his own.
            NewInit::Value(Expr { kind: ExprKind::Variant { datatype, variant, args }, .. })
                if args.is_empty() && self.pointer(ty).is_some_and(|p| p.aqual == Aqual::Aliasable) =>
            {
                let object = Operand::Const(Const::Variant(*datatype, *variant, ty));
                return self.assign(dst, Rvalue::Use(object), span);
            }
            NewInit::Value(value) => {
                allocate(self, pointer.clone(), None, false);
                let object = pointer.clone().then(Proj::Deref(None));
                self.into(value, object, !self.fills_pointers(value));
            }
            NewInit::Array(elements) => {
                let count = Operand::int(elements.len() as i128, Ty::ULONG);
                allocate(self, pointer.clone(), Some(count), false);
                for (i, element) in elements.iter().enumerate() {
                    let index = (i != 0).then(|| Operand::int(i as i128, Ty::INT));
                    self.into(element, pointer.clone().then(Proj::Deref(index)), true);
                }
            }
            NewInit::For(comprehension) => {
                let count = self.operand(&comprehension.count);
                let count = self.in_temp(Rvalue::Use(count), comprehension.count.ty, span);
                let total = if comprehension.zeroterm { self.one_more(count.clone(), span) } else { count.clone() };
                let zero = comprehension.body.as_ref().map_or(comprehension.zero, is_zero);
                allocate(self, pointer.clone(), Some(total), zero);
                if !zero && (comprehension.body.is_some() || comprehension.zeroterm) {
                    let element = |index| pointer.clone().then(Proj::Deref(Some(index)));
                    self.comprehension_with(comprehension, count, span, element);
                }
            }
        }
        self.assign(dst, Rvalue::Use(Operand::Copy(pointer)), span);
    }

    /// Does the value fill an array of pointers, or the like, within a larger object? Flow analysis follows no elements: it
    /// would take such an array of a fresh object for uninitialised, where that of a variable with its initialiser is not.
    fn fills_pointers(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Aggregate(fields) => fields.iter().any(|(_, field)| self.fills_pointers(field)),
            ExprKind::Array(_) | ExprKind::ArrayFor(_) => !self.types().bits_only(value.ty),
            _ => false,
        }
    }

    pub(super) fn alloc_into(&mut self, alloc: &tast::Alloc, ty: Ty, dst: Place, span: Span) {
        let region = self.handle(alloc.region.as_deref());
        let owner = self.owner(ty, alloc.aqual.as_deref());
        let count = alloc.count.as_ref().map(|count| {
            let count = self.operand(count);
            if alloc.zeroterm { self.one_more(count, span) } else { count }
        });
        let pointer = Place::local(self.temp(ty, span));
        let zero = alloc.zero || alloc.zeroterm;
        let made = Alloc { dst: pointer.clone(), elem: alloc.elem, region, owner, count, zero };
        self.push(StmtKind::Alloc(made), span);
        self.assign(dst, Rvalue::Use(Operand::Copy(pointer)), span);
    }

    /// The qualifier of an allocation of type `ty`, by the type where that says it.
    fn owner(&mut self, ty: Ty, handle: Option<&tast::Expr>) -> Option<Operand> {
        let written = self.handle(handle);
        match self.pointer(ty).map(|ptr| ptr.aqual) {
            Some(Aqual::Unique) => Some(Operand::int(1, Ty::LONG)),
            Some(Aqual::Refcnt) => Some(Operand::int(2, Ty::LONG)),
            Some(Aqual::Var(_) | Aqual::Of(_)) => written,
            _ => None,
        }
    }

    /// The handle of an allocation, evaluated before what is allocated; None: the heap's.
    fn handle(&mut self, handle: Option<&tast::Expr>) -> Option<Operand> {
        let handle = handle?;
        let value = self.operand(handle);
        // What is evaluated next could change the variable that holds the handle.
        match &value {
            Operand::Copy(place) if !place.as_local().is_some_and(|local| self.is_temp(local)) => {
                Some(self.in_temp(Rvalue::Use(value), handle.ty, handle.span))
            }
            Operand::Copy(_) | Operand::Const(_) => Some(value),
        }
    }

    /// `count + 1` for the final zero; the greatest count stays, and then no memory is large enough.
    fn one_more(&mut self, count: Operand, span: Span) -> Operand {
        if let Some(n) = count.as_int() {
            return Operand::int(n + 1, Ty::ULONG);
        }
        let greatest = Operand::int(u64::MAX as i128, Ty::ULONG);
        let less = self.in_temp(Rvalue::Binary(BinOp::Ne, count.clone(), greatest, Ty::ULONG), Ty::INT, span);
        let less = self.in_temp(Rvalue::Arith(less, Ty::INT, Ty::ULONG), Ty::ULONG, span);
        self.in_temp(Rvalue::Binary(BinOp::Add, count, less, Ty::ULONG), Ty::ULONG, span)
    }
}

/// Is it a constant whose bits are all zero? Memory comes with zeros from the system, so an array of them needs no loop.
fn is_zero(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(0) | ExprKind::Null => true,
        ExprKind::Coerce(Coercion::Retype, inner) => is_zero(inner),
        _ => false,
    }
}
