//! `sizeof`, `_Alignof`, `offsetof`, `numelts` (core, section 5.12): all of type `unsigned long`.

use crate::cx::Checker;
use crate::errors;
use crate::tast::{Expr, ExprKind, PlaceKind};
use crate::types::Position;
use cyc_base::Span;
use cyc_syntax::ast::{self, Member};
use cyc_types::{Bound, PtrTy, QTy, Ty, TyKind};

fn size(value: u64, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(i128::from(value)), ty: Ty::ULONG, span }
}

impl Checker<'_> {
    pub(crate) fn check_sizeof_type(&mut self, ty: &ast::Type, span: Span) -> Expr {
        let found = self.resolve_type(ty, Position::Cast).ty;
        self.size_of(found, ty.span, span)
    }

    /// `sizeof e`: the operand is not evaluated, and arrays stay arrays.
    pub(crate) fn check_sizeof_expr(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        if let ast::ExprKind::Str(bytes) = &operand.kind {
            return size(bytes.len() as u64 + 1, span);
        }
        let ty = self.type_of_operand(operand).ty;
        self.size_of(ty, operand.span, span)
    }

    fn size_of(&mut self, ty: Ty, at: Span, span: Span) -> Expr {
        match self.layout_of(ty) {
            Some(layout) => size(layout.size, span),
            None if self.depends_on_variable(ty) => Expr { kind: ExprKind::SizeOf(ty), ty: Ty::ULONG, span },
            None => self.no_size(ty, at),
        }
    }

    /// Is the size one that each instance knows? Variables of kind B have a size, whatever they stand for.
    fn depends_on_variable(&self, ty: Ty) -> bool {
        !matches!(self.kind_of(ty), TyKind::Infer(_) | TyKind::Error) && self.is_sized(ty)
    }

    fn no_size(&mut self, ty: Ty, at: Span) -> Expr {
        if self.resolve(ty) != Ty::ERROR {
            let shown = self.show(ty);
            self.report(errors::expr::unknown_size(at, &shown));
        }
        Expr::error(at)
    }

    /// The type of an operand that is not evaluated; arrays stay arrays.
    pub fn type_of_operand(&mut self, operand: &ast::Expr) -> QTy {
        let place = self.check_place(operand);
        if self.bit_field(&place).is_some() {
            self.report(errors::expr::bit_field_size(operand.span));
            return Ty::ERROR.into();
        }
        if let (ast::ExprKind::Name(_), PlaceKind::Temp(value)) = (&operand.kind, &place.kind)
            && let ExprKind::FunctionAddr(id, _) = value.kind
        {
            return self.unit.global(id).qty;
        }
        QTy { ty: self.resolve(place.qty.ty), ..place.qty }
    }

    pub(crate) fn check_alignof(&mut self, ty: &ast::Type, span: Span) -> Expr {
        let found = self.resolve_type(ty, Position::Cast).ty;
        match self.layout_of(found) {
            Some(layout) => size(layout.align, span),
            None if self.depends_on_variable(found) => Expr { kind: ExprKind::AlignOf(found), ty: Ty::ULONG, span },
            None => self.no_size(found, ty.span),
        }
    }

    /// `offsetof(S, a.b.0)`: fields, tuple components, elements with constant index.
    pub(crate) fn check_offsetof(&mut self, ty: &ast::Type, members: &[Member], span: Span) -> Expr {
        let mut at = self.resolve_type(ty, Position::Cast).ty;
        let mut offset = 0;
        for member in members {
            if at == Ty::ERROR {
                return Expr::error(span);
            }
            let Some((inside, next)) = self.offset_of_member(at, member) else { return Expr::error(span) };
            offset += inside;
            at = self.resolve(next);
        }
        size(offset, span)
    }

    fn offset_of_member(&mut self, at: Ty, member: &Member) -> Option<(u64, Ty)> {
        let kind = self.kind_of(at).clone();
        let shown = self.show(at);
        let problem = match (member, kind) {
            (Member::Field(name), TyKind::Aggr(id)) => match self.field_path(id, name.name) {
                Some(path) => {
                    let mut offset = 0;
                    let mut ty = at;
                    for (aggr, index) in path {
                        ty = self.unit.types.fields(aggr)?[index as usize].qty.ty;
                        let Some(inside) = self.unit.types.field_offset(aggr, index) else {
                            self.report(errors::expr::bit_field_address(name.span));
                            return None;
                        };
                        offset += inside;
                    }
                    return Some((offset, ty));
                }
                None => errors::expr::bad_offset(name.span, &shown),
            },
            (Member::Component(k, at_span), TyKind::Tuple(parts)) => match parts.get(*k as usize) {
                Some(part) => return Some((self.unit.types.tuple_layout(&parts)?.offsets[*k as usize].0, part.ty)),
                None => errors::expr::tuple_range(*at_span, i128::from(*k), parts.len()),
            },
            (Member::Index(e), TyKind::Array { elem, .. }) => {
                let stride = self.layout_of(elem.ty)?.size;
                match self.const_int(e).and_then(|i| u64::try_from(i).ok()) {
                    Some(i) => return Some((i * stride, elem.ty)),
                    None => errors::expr::bad_offset(e.span, &shown),
                }
            }
            (Member::Field(name), _) => errors::expr::bad_offset(name.span, &shown),
            (Member::Component(_, at_span), _) => errors::expr::bad_offset(*at_span, &shown),
            (Member::Index(e), _) => errors::expr::bad_offset(e.span, &shown),
        };
        self.report(problem);
        None
    }

    /// `numelts(e)`: of an array its length, of a pointer what its sort says.
    pub(crate) fn check_numelts(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let place = self.check_place(operand);
        if place.is_error() {
            return Expr::error(span);
        }
        if let TyKind::Array { len: Some(len), .. } = *self.kind_of(place.qty.ty)
            && matches!(place.kind, PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Field(..))
        {
            return size(len, span);
        }
        if let ast::ExprKind::Str(bytes) = &operand.kind {
            return size(bytes.len() as u64 + 1, span);
        }
        let value = self.read_place(place, operand.span);
        if value.is_error() {
            return Expr::error(span);
        }
        if self.pointer_of(value.ty).is_some_and(|p| p.zeroterm && p.bound != cyc_types::Bound::Fat) {
            // The elements are counted.
            self.require_access(&value);
        }
        if self.pointer_of(value.ty).is_none() {
            let found = self.show(value.ty);
            let unknown = matches!(self.kind_of(value.ty), TyKind::Infer(_));
            self.report(match unknown {
                true => errors::expr::unknown_type(value.span),
                false => errors::expr::numelts_operand(value.span, &found),
            });
            return Expr::error(span);
        }
        match self.pointer_of(value.ty).map(|ptr| self.resolve_bound(ptr)) {
            Some(PtrTy { bound: Bound::Sized(size), nullable, zeroterm: false, .. }) => {
                self.sized_numelts(value, size, nullable, span)
            }
            _ => Expr { kind: ExprKind::Numelts(Box::new(value)), ty: Ty::ULONG, span },
        }
    }
}
