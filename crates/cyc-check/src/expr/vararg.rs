//! Typed variable arguments (core, section 11.1): `... T xs` and `... inject datatype D @ xs`.
//!
//! The caller builds an array of the extra arguments in its own block and hands on a fat pointer to it; the callee
//! sees that pointer in its own region, so it cannot keep it.

use crate::coerce::{KindExt, Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::expr::temp_place;
use crate::tast::{Expr, ExprKind, NewInit};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast;
use cyc_types::{Aqual, Bound, DatatypeId, FnTy, PtrTy, QTy, Region, Ty, TyKind};

/// What the extra arguments of a call are.
pub(super) struct Extra {
    /// The type of an element at this call.
    pub elem: QTy,
    pub inject: bool,
    /// The region that they are borrowed into, if they are.
    pub lent: Option<Region>,
}

impl Checker<'_> {
    /// The extra arguments of a call as one: a fat pointer to an array of them, empty without any. The
    /// first extra argument has the index `typed.len()`.
    pub(super) fn check_typed_varargs(
        &mut self,
        function: &FnTy,
        Extra { elem, inject, lent }: Extra,
        args: &[ast::Expr],
        typed: &mut Vec<Expr>,
        name: Option<Symbol>,
        span: Span,
    ) {
        let first = typed.len();
        let values: Vec<Expr> = match self.injected_datatype(elem.ty).filter(|_| inject) {
            Some(datatype) => {
                let given = args[first..].iter().map(|arg| self.check_extra_argument(arg, Want::None, lent));
                let given: Vec<Expr> = given.collect();
                if let Some((kind, format, checked)) = function.attrs.format
                    && checked > 0
                {
                    self.check_injected_format(kind, format, args, typed, &given);
                }
                given.into_iter().map(|value| self.inject(value, datatype, elem.ty)).collect()
            }
            None => {
                let each = args[first..].iter().enumerate();
                each.map(|(i, arg)| {
                    let value = self.check_extra_argument(arg, Want::Ty(elem.ty), lent);
                    self.coerce(value, elem.ty, Why::Argument((first + i) as u32 + 1, name))
                })
                .collect()
            }
        };
        let region = Region::Scope(self.func.current);
        let fat = self.unit.types.pointer(vararg_pointer(elem, region));
        typed.push(match values.is_empty() {
            true => Expr { kind: ExprKind::Null, ty: fat, span },
            false if values.iter().any(Expr::is_error) => Expr::error(span),
            false => self.array_argument(elem, values, fat, region, span),
        });
    }

    /// A fat pointer to an array of `values` in a temporary of the current block.
    fn array_argument(&mut self, elem: QTy, values: Vec<Expr>, fat: Ty, region: Region, span: Span) -> Expr {
        let len = values.len() as u64;
        let array = self.unit.types.intern(TyKind::Array { elem, len: Some(len), zeroterm: false });
        let place = temp_place(Expr { kind: ExprKind::Array(values), ty: array, span });
        let thin = PtrTy { nullable: false, bound: Bound::Thin(len), ..vararg_pointer(elem, region) };
        let thin = self.unit.types.pointer(thin);
        let address = Expr { kind: ExprKind::AddrOf(Box::new(place)), ty: thin, span };
        self.coerce(address, fat, Why::Value)
    }

    /// The datatype that injected arguments are wrapped in.
    pub(crate) fn injected_datatype(&self, elem: Ty) -> Option<DatatypeId> {
        let target = self.pointer_of(elem).map(|p| self.resolve(p.to.ty))?;
        match self.kind_of(target) {
            TyKind::Datatype(datatype) => Some(*datatype),
            _ => None,
        }
    }

    /// The value wrapped in a variant with exactly one component: the first whose component has the value's own type,
    /// else its type after the default promotions, else the first that the value converts to. (A pointer does not
    /// convert to an integer here.)
    fn inject(&mut self, value: Expr, datatype: DatatypeId, elem: Ty) -> Expr {
        if value.is_error() {
            return value;
        }
        let fields: Vec<(u32, Ty)> = (0..self.unit.types.datatype(datatype).variants.len() as u32)
            .filter_map(|index| match self.unit.types.variant_fields(datatype, index)? {
                [field] => Some((index, field.ty)),
                _ => None,
            })
            .collect();
        let own = self.resolve(value.ty);
        let promoted = self.default_promoted(own);
        let exact = |ty: Ty| fields.iter().find(|(_, field)| !self.is_open(ty) && self.may_equal(ty, *field));
        let found = exact(own)
            .or_else(|| exact(promoted))
            .or_else(|| fields.iter().find(|(_, field)| self.injects(&value, promoted, *field)));
        let span = value.span;
        let Some(&(variant, field)) = found else {
            let (datatype, found) = (self.unit.types.datatype(datatype).name, self.show(own));
            self.report(errors::expr::cannot_inject(span, datatype, &found));
            return Expr::error(span);
        };
        let value = self.coerce(value, field, Why::Component);
        if value.is_error() {
            return Expr::error(span);
        }
        let ty = self.unit.types.intern(TyKind::Variant(datatype, variant));
        let wrapper = Expr { kind: ExprKind::Variant { datatype, variant, args: vec![value] }, ty, span };
        if self.pointer_of(elem).is_some_and(|to| to.region == Region::Heap) {
            // The callee may keep them.
            let object = self.allocated(ty.into(), Bound::Thin(1), false, NewInit::Value(wrapper), span);
            return self.coerce(object, elem, Why::Value);
        }
        let region = Region::Scope(self.func.current);
        let pointer = PtrTy {
            to: ty.into(),
            nullable: false,
            bound: Bound::Thin(1),
            zeroterm: false,
            region,
            aqual: Aqual::Aliasable,
        };
        let pointer = self.unit.types.pointer(pointer);
        let address = Expr { kind: ExprKind::AddrOf(Box::new(temp_place(wrapper))), ty: pointer, span };
        self.coerce(address, elem, Why::Value)
    }

    /// Is nothing known about the type yet?
    fn is_open(&self, ty: Ty) -> bool {
        matches!(self.kind_of(ty), TyKind::Infer(_))
    }

    /// A variant of a datatype, and the datatype.
    pub(crate) fn is_variant_of(&self, variant: Ty, datatype: Ty) -> bool {
        match (self.kind_of(variant), self.kind_of(datatype)) {
            (TyKind::Variant(d, _), TyKind::Datatype(_)) => {
                self.may_equal(self.unit.types.intern(TyKind::Datatype(*d)), datatype)
            }
            _ => false,
        }
    }

    /// Does a value convert to a component? `from` is its type after the default promotions.
    fn injects(&self, value: &Expr, from: Ty, to: Ty) -> bool {
        match (self.kind_of(from), self.kind_of(to)) {
            (_, TyKind::Pointer(q)) if matches!(value.kind, ExprKind::Null) => q.nullable,
            (f, t) if f.is_arithmetic() && t.is_arithmetic() => true,
            (TyKind::Pointer(p), TyKind::Pointer(q)) => {
                (self.may_equal(p.to.ty, q.to.ty) || self.is_variant_of(p.to.ty, q.to.ty))
                    && (q.to.is_const || !p.to.is_const)
                    && (p.zeroterm || !q.zeroterm)
                    && self.aquals_may_equal(p.aqual, q.aqual)
            }
            _ => false,
        }
    }
}

/// The pointer that a callee sees.
pub(crate) fn vararg_pointer(elem: QTy, region: Region) -> PtrTy {
    PtrTy { to: elem, nullable: true, bound: Bound::Fat, zeroterm: false, region, aqual: Aqual::Aliasable }
}
