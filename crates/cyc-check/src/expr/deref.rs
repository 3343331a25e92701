//! Dereference and subscript (core, section 5.4).

use crate::coerce::{KindExt, Want};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{Coercion, Expr, ExprKind, Place, PlaceKind};
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{Bound, PtrTy, QTy, Ty, TyKind};

impl Checker<'_> {
    /// `*e`; `*(p + i)` is `p[i]`.
    pub(crate) fn check_deref(&mut self, operand: &ast::Expr, span: Span) -> Place {
        let pointer = self.check_expr(operand, Want::None);
        match pointer.kind {
            ExprKind::PtrAdd { ptr, index, negate: false } => {
                let base = match ptr.kind {
                    ExprKind::Coerce(Coercion::ThinToFat | Coercion::ZerotermToFat, thin) => *thin,
                    kind => Expr { kind, ..*ptr },
                };
                self.subscript(base, *index, span)
            }
            kind => self.deref(Expr { kind, ..pointer }, span, "*"),
        }
    }

    /// The object a pointer points to. `how` is the operator, for messages.
    pub(crate) fn deref(&mut self, pointer: Expr, span: Span, how: &str) -> Place {
        let Some(ptr) = self.pointer_operand(&pointer, how) else { return Place::error(span) };
        if matches!(pointer.kind, ExprKind::Null) {
            self.report(errors::expr::null_deref(pointer.span));
            return Place::error(span);
        }
        if ptr.bound == Bound::Thin(0) {
            self.report(errors::expr::out_of_bounds(pointer.span, 0, 0, None));
            return Place::error(span);
        }
        if let Bound::Sized(size) = self.resolve_bound(ptr).bound {
            let first = Expr { kind: ExprKind::Int(0), ty: Ty::INT, span };
            return self.sized_subscript(pointer, ptr, size, first, span);
        }
        Place { qty: ptr.to, span, kind: PlaceKind::Deref(Box::new(pointer)) }
    }

    /// The operand as a pointer to something that can be looked at.
    fn pointer_operand(&mut self, pointer: &Expr, how: &str) -> Option<PtrTy> {
        if pointer.is_error() {
            return None;
        }
        let Some(ptr) = self.pointer_in_use(pointer.ty) else {
            if matches!(self.kind_of(pointer.ty), TyKind::Infer(_)) {
                self.report(errors::expr::unknown_type(pointer.span));
            } else {
                let found = self.show(pointer.ty);
                self.report(errors::expr::not_a_pointer(pointer.span, how, &found));
            }
            return None;
        };
        let to = self.resolve(ptr.to.ty);
        let function = matches!(self.kind_of(to), TyKind::Function(_)) && how != "[]";
        match self.kind_of(to) {
            TyKind::Error => None,
            TyKind::Infer(_) => {
                self.report(errors::expr::unknown_type(pointer.span));
                None
            }
            _ if function || self.is_sized(to) => Some(ptr),
            // The fields of a struct that ends in a datatype can be reached, the whole is no value.
            TyKind::Aggr(_) if how != "[]" && self.has_open_end(to) => Some(ptr),
            _ => {
                let found = self.show(to);
                self.report(errors::expr::abstract_pointer(pointer.span, &found));
                None
            }
        }
    }

    /// `e[i]` on pointers, arrays and (with a constant) tuples.
    pub(crate) fn check_index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Place {
        let place = self.check_place(base);
        if place.is_error() {
            self.check_expr(index, Want::None);
            return Place::error(span);
        }
        match self.kind_of(place.qty.ty).clone() {
            TyKind::Tuple(parts) => self.component(place, &parts, index, span),
            TyKind::Array { elem, len, zeroterm: _ } => {
                let index = self.check_expr(index, Want::None);
                self.element(place, elem, len, index, span)
            }
            // (A pointer, or what decays to one whose bound a tag tells.)
            _ => {
                let base_span = base.span;
                let base = self.read_place(place, base_span);
                let index = self.check_expr(index, Want::None);
                self.subscript(base, index, span)
            }
        }
    }

    /// `a[i]` on an array.
    fn element(&mut self, array: Place, elem: QTy, len: Option<u64>, index: Expr, span: Span) -> Place {
        let Some(index) = self.index_operand(index) else { return Place::error(span) };
        let Some(len) = len else {
            self.report(errors::expr::unknown_length(array.span));
            return Place::error(span);
        };
        if let Some(i) = self.eval_int(&index)
            && !(0..i128::from(len)).contains(&i)
        {
            self.report(errors::expr::out_of_bounds(index.span, len, i, Some(array.span)));
            return Place::error(span);
        }
        let qty = QTy {
            is_const: elem.is_const || array.qty.is_const,
            is_volatile: elem.is_volatile || array.qty.is_volatile,
            ..elem
        };
        Place { qty, span, kind: PlaceKind::Element(Box::new(array), Box::new(index)) }
    }

    /// `p[i]` on a pointer.
    fn subscript(&mut self, base: Expr, index: Expr, span: Span) -> Place {
        let Some(ptr) = self.pointer_operand(&base, "[]") else { return Place::error(span) };
        let Some(index) = self.index_operand(index) else { return Place::error(span) };
        let ptr = self.resolve_bound(ptr);
        if let Bound::Sized(size) = ptr.bound {
            return self.sized_subscript(base, ptr, size, index, span);
        }
        if let (Bound::Thin(n), Some(i)) = (ptr.bound, self.eval_int(&index)) {
            let inside = i >= 0 && (ptr.zeroterm || i < i128::from(n));
            if !inside {
                self.report(errors::expr::out_of_bounds(index.span, n, i, Some(base.span)));
                return Place::error(span);
            }
        }
        Place { qty: ptr.to, span, kind: PlaceKind::Index(Box::new(base), Box::new(index)) }
    }

    /// A subscript: any integer.
    fn index_operand(&mut self, index: Expr) -> Option<Expr> {
        if index.is_error() {
            return None;
        }
        if !self.kind_of(index.ty).is_integral() {
            let found = self.show(index.ty);
            self.report(errors::expr::subscript_type(index.span, &found));
            return None;
        }
        Some(self.as_index(index))
    }

    /// `t[k]` on a tuple, `k` a constant expression.
    fn component(&mut self, tuple: Place, parts: &[QTy], index: &ast::Expr, span: Span) -> Place {
        if uses_layout(index) {
            self.report(errors::expr::tuple_index_layout(index.span));
            return Place::error(span);
        }
        let Some(k) = self.const_int(index) else {
            self.report(errors::expr::tuple_index(index.span));
            return Place::error(span);
        };
        let Some(part) = usize::try_from(k).ok().and_then(|k| parts.get(k)) else {
            self.report(errors::expr::tuple_range(index.span, k, parts.len()));
            return Place::error(span);
        };
        let qty = QTy { is_const: part.is_const || tuple.qty.is_const, ..*part };
        Place { qty, span, kind: PlaceKind::Component(Box::new(tuple), k as u32) }
    }

    /// The size and alignment of a type, its inference variables looked through.
    pub(crate) fn layout_of(&self, ty: Ty) -> Option<cyc_types::layout::Layout> {
        self.unit.types.layout(self.resolve(ty))
    }
}

/// Does a constant expression depend on sizes or offsets?
fn uses_layout(e: &ast::Expr) -> bool {
    use ast::ExprKind::*;
    match &e.kind {
        SizeofExpr(_) | SizeofType(_) | AlignofType(_) | Offsetof(..) => true,
        Unary(_, a) | Cast(_, a) => uses_layout(a),
        Binary(_, a, b) | Comma(a, b) | And(a, b) | Or(a, b) => uses_layout(a) || uses_layout(b),
        Cond(a, b, c) => uses_layout(a) || b.as_deref().is_some_and(uses_layout) || uses_layout(c),
        _ => false,
    }
}
