//! Expressions (core, section 5): one construct a file.

mod address;
mod aggregate;
mod alloc;
mod arith;
mod asm;
mod assign;
mod borrow;
mod builtin;
mod call;
mod cast;
mod choice;
mod compare;
mod deref;
mod guarded;
mod index;
mod instantiate;
mod literal;
mod member;
mod name;
mod open_struct;
mod overwrite;
mod package;
mod pointer;
mod query;
mod size;
mod tag;
mod throw;
pub(crate) mod vararg;

use crate::coerce::{KindExt, Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{Expr, ExprKind, Place, PlaceKind};
use cyc_base::Span;
use cyc_syntax::ast::{self, ExprKind as Ast};
use cyc_types::{Aqual, Bound, PtrTy, QTy, Ty, TyKind};

pub(crate) use arith::promoted as arith_promoted;
pub(crate) use instantiate::is_polymorphic;

impl Checker<'_> {
    /// The type and meaning of an expression as a value: arrays decay, functions become pointers.
    /// With an expected type the construct may use it; the result is not converted to it yet.
    pub fn check_expr(&mut self, e: &ast::Expr, want: Want) -> Expr {
        match &e.kind {
            Ast::Int { .. } | Ast::Float { .. } | Ast::Char { .. } | Ast::Str(_) | Ast::WideStr(_) | Ast::Null => {
                self.check_literal(e, want)
            }
            Ast::Name(_) | Ast::Deref(_) | Ast::Index(..) | Ast::Field { .. } => {
                let place = self.check_place(e);
                let value = self.read_place(place, e.span);
                let value = self.instantiate_value(value, want);
                self.untag(value, want)
            }
            Ast::Unary(op, operand) => self.check_unary(*op, operand, e.span),
            Ast::Binary(op, a, b) => self.check_binary(*op, a, b, e.span),
            Ast::And(a, b) => self.check_logical(true, a, b, e.span),
            Ast::Or(a, b) => self.check_logical(false, a, b, e.span),
            Ast::AddrOf(operand) => self.check_address_of(operand, e.span),
            Ast::Step { inc, prefix, expr } => self.check_step(*inc, *prefix, expr, e.span),
            Ast::Assign { op: None, lhs, rhs } => self.check_assign(lhs, rhs, e.span),
            Ast::Assign { op: Some(op), lhs, rhs } => self.check_assign_op(*op, lhs, rhs, e.span),
            Ast::Swap(a, b) => self.check_swap(a, b, e.span),
            Ast::Cond(cond, then, otherwise) => self.check_cond_expr(cond, then.as_deref(), otherwise, want, e.span),
            Ast::Comma(a, b) => self.check_comma(a, b, want, e.span),
            Ast::StmtExpr(block) => self.check_stmt_expr(block, want, e.span),
            Ast::Call(callee, args) => self.check_call(callee, args, want, e.span),
            Ast::Cast(ty, operand) => self.check_cast(ty, operand, e.span),
            Ast::CompoundLit(ty, items) => self.check_compound_literal(ty, items, e.span),
            Ast::StructVal { name, args, items } => self.check_struct_value(name, args, items, want, e.span),
            Ast::Tuple(parts) => self.check_tuple(parts, want, e.span),
            Ast::New(new) => self.check_new(new, want, e.span),
            Ast::Alloc(alloc) => self.check_alloc(alloc, want, e.span),
            Ast::SizeofExpr(operand) => self.check_sizeof_expr(operand, e.span),
            Ast::SizeofType(ty) => self.check_sizeof_type(ty, e.span),
            Ast::AlignofType(ty) => self.check_alignof(ty, e.span),
            Ast::Offsetof(ty, members) => self.check_offsetof(ty, members, e.span),
            Ast::Numelts(operand) => self.check_numelts(operand, e.span),
            Ast::Throw(operand) => self.check_throw(operand, want, e.span),
            Ast::Assert { kind, cond } => self.check_assert(*kind, cond, e.span),
            Ast::Asm(asm) => self.check_asm(asm),
            Ast::BuiltinWithTypes { name, types, exprs } => self.check_typed_builtin(*name, types, exprs, e.span),
            Ast::Pragma(_) => Expr { kind: ExprKind::Int(0), ty: Ty::INT, span: e.span },
            Ast::NoInst(inner) => self.check_uninstantiated(inner, want),
            Ast::Tagof(operand) => self.check_tagof(operand, e.span),
            Ast::Tagcheck(operand) => self.check_tagcheck(operand, e.span),
            Ast::Valueof(_) => {
                self.report(errors::poly::valueof_as_value(e.span));
                Expr::error(e.span)
            }
            Ast::Inst(inner, args) => self.check_instantiation(inner, args, e.span),
            Ast::Generic { .. } => {
                self.report(errors::only_in_c(e.span, "`_Generic`"));
                Expr::error(e.span)
            }
            Ast::Error => Expr::error(e.span),
        }
    }

    /// An expression checked with the type that is expected of it, and converted to it.
    pub fn check_rvalue_to(&mut self, e: &ast::Expr, to: Ty, why: Why) -> Expr {
        let expr = self.check_expr(e, Want::Ty(self.unit.types.without_subset(to)));
        self.coerce(expr, to, why)
    }

    /// A condition: any integer, enumeration or pointer.
    pub fn check_condition(&mut self, e: &ast::Expr) -> Expr {
        let expr = self.check_expr(e, Want::None);
        self.as_condition(expr)
    }

    pub(crate) fn as_condition(&mut self, expr: Expr) -> Expr {
        if self.kind_of(expr.ty).is_truth() {
            return expr;
        }
        let found = self.show(expr.ty);
        let float = self.kind_of(expr.ty).is_float();
        self.report(errors::expr::not_a_condition(expr.span, &found, float));
        Expr::error(expr.span)
    }

    /// What an expression denotes as a place. A value that is none becomes a [`PlaceKind::Temp`].
    pub fn check_place(&mut self, e: &ast::Expr) -> Place {
        match &e.kind {
            Ast::Name(name) => self.check_name(name),
            Ast::Deref(operand) => self.check_deref(operand, e.span),
            Ast::Index(base, index) => self.check_index(base, index, e.span),
            Ast::Field { expr, name, arrow } => self.check_member(expr, *name, *arrow, e.span),
            _ => {
                let value = self.check_expr(e, Want::None);
                temp_place(value)
            }
        }
    }

    /// A place that can be assigned or whose address can be taken; an error if the expression is a value only.
    pub fn check_lvalue(&mut self, e: &ast::Expr, what: &str) -> Place {
        let place = self.check_place(e);
        if is_temporary(&place) && !place.is_error() {
            self.report(errors::expr::not_an_lvalue(e.span, what));
            return Place::error(e.span);
        }
        place
    }

    /// The value that a place holds: arrays decay to pointers, functions to their address.
    pub fn read_place(&mut self, place: Place, span: Span) -> Expr {
        let place = match place.kind {
            PlaceKind::Temp(value) if !matches!(self.kind_of(value.ty), TyKind::Array { .. }) => return *value,
            kind => Place { kind, ..place },
        };
        let ty = self.resolve(place.qty.ty);
        if !self.require_defined_enum(ty, span) {
            return Expr::error(span);
        }
        match self.unit.types.kind(ty) {
            TyKind::Error => Expr::error(span),
            TyKind::Array { .. } | TyKind::OpenArray { .. } => self.decay(place, span),
            TyKind::Function(_) => match place.kind {
                PlaceKind::Deref(pointer) => *pointer,
                _ => Expr::error(span),
            },
            TyKind::Aggr(_) if !self.unit.types.is_complete(ty) => {
                let found = self.show(ty);
                self.report(errors::expr::abstract_pointer(span, &found));
                Expr::error(span)
            }
            _ => {
                if !self.check_union_read(&place) {
                    return Expr { kind: ExprKind::Error, ty, span };
                }
                self.require_place(&place);
                let ty = self.unit.types.without_subset(ty);
                Expr { ty, span, kind: ExprKind::Read(Box::new(place)) }
            }
        }
    }

    /// An array as a pointer to its first element.
    pub(crate) fn decay(&mut self, place: Place, span: Span) -> Expr {
        let (elem, bound, zeroterm) = match *self.kind_of(place.qty.ty) {
            TyKind::Array { elem, len, zeroterm } => (elem, len.map(Bound::Thin), zeroterm),
            TyKind::OpenArray { elem, len } => (elem, Some(Bound::sized(len)), false),
            _ => return Expr::error(span),
        };
        if self.reject_tagged_address(&place) || self.reject_misaligned(&place) {
            return Expr::error(span);
        }
        if !self.check_union_read(&place) {
            return Expr::error(span);
        }
        let Some(bound) = bound else {
            self.report(errors::expr::unknown_length(span));
            return Expr::error(span);
        };
        let region = self.region_of_place(&place);
        let to = QTy {
            is_const: elem.is_const || place.qty.is_const,
            is_volatile: elem.is_volatile || place.qty.is_volatile,
            ..elem
        };
        let ty =
            self.unit.types.pointer(PtrTy { to, nullable: false, bound, zeroterm, region, aqual: Aqual::Aliasable });
        Expr { kind: ExprKind::AddrOf(Box::new(place)), ty, span }
    }
}

impl Place {
    pub fn error(span: Span) -> Place {
        Place { kind: PlaceKind::Temp(Box::new(Expr::error(span))), qty: Ty::ERROR.into(), span }
    }

    pub fn is_error(&self) -> bool {
        self.qty.ty == Ty::ERROR
    }
}

/// A value held in a temporary of its own.
pub(crate) fn temp_place(value: Expr) -> Place {
    Place { qty: value.ty.into(), span: value.span, kind: PlaceKind::Temp(Box::new(value)) }
}

/// Is the place a temporary or a part of one?
pub(crate) fn is_temporary(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Temp(_) => true,
        PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) | PlaceKind::Element(inner, _) => {
            is_temporary(inner)
        }
        PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Deref(_) | PlaceKind::Index(..) => false,
    }
}

/// The local whose value the expression reads.
pub(crate) fn place_local(e: &Expr) -> Option<crate::tast::LocalId> {
    match &e.kind {
        ExprKind::Read(place) => match place.kind {
            PlaceKind::Local(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// The variable whose place this is, for messages.
pub(crate) fn place_name(cx: &Checker, place: &Place) -> Option<cyc_base::Symbol> {
    match &place.kind {
        PlaceKind::Local(id) => Some(cx.func.local(*id).name),
        PlaceKind::Global(id) => Some(cx.unit.global(*id).name),
        _ => None,
    }
}
