//! Arithmetic and logic (core, section 5.2): the usual conversions of C, constants folded.

use crate::coerce::{KindExt, Num, Want, Why, float_rank};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{BinOp, Expr, ExprKind, PlaceKind, UnOp};
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{FloatTy, IntTy, Ty, TyKind, Types};

impl Checker<'_> {
    /// `+ - ~` on numbers, promoted; `!` on any scalar.
    pub(crate) fn check_unary(&mut self, op: UnOp, operand: &ast::Expr, span: Span) -> Expr {
        let expr = self.check_expr(operand, Want::None);
        if op == UnOp::Not {
            let cond = self.as_condition(expr);
            if let Some(value) = cond.as_int() {
                return Expr { kind: ExprKind::Int(i128::from(value == 0)), ty: Ty::INT, span };
            }
            return Expr { kind: ExprKind::Not(Box::new(cond)), ty: Ty::INT, span };
        }
        let kind = self.kind_of(expr.ty);
        let fits = kind.is_integral() || (kind.is_float() && op != UnOp::BitNot);
        if expr.is_error() || !fits {
            return self.bad_operand(expr, op.text(), op == UnOp::BitNot);
        }
        let expr = self.promote(expr);
        let ty = expr.ty;
        if let (Some(value), Some(num)) = (expr.as_int(), Num::of(&self.unit.types, ty)) {
            let value = match op {
                UnOp::Neg => value.wrapping_neg(),
                UnOp::BitNot => !value,
                UnOp::Plus | UnOp::Not => value,
            };
            return Expr { kind: ExprKind::Int(num.wrap(value)), ty, span };
        }
        match op {
            UnOp::Plus => Expr { span, ..expr },
            _ => Expr { kind: ExprKind::Unary(op, Box::new(expr)), ty, span },
        }
    }

    /// A binary operator: arithmetic, or on pointers what their files say.
    pub(crate) fn check_binary(&mut self, op: BinOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let left = self.check_expr(a, Want::None);
        let right = self.check_expr(b, Want::None);
        self.binary(op, left, right, span)
    }

    pub(crate) fn binary(&mut self, op: BinOp, left: Expr, right: Expr, span: Span) -> Expr {
        if left.is_error() || right.is_error() {
            return Expr::error(span);
        }
        let pointers = (self.is_pointer(&left), self.is_pointer(&right));
        match op {
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
                self.compare(op, left, right, span)
            }
            BinOp::Add | BinOp::Sub if pointers.0 || pointers.1 => self.pointer_sum(op, left, right, span),
            _ => self.arithmetic(op, left, right, span),
        }
    }

    pub(crate) fn is_pointer(&self, expr: &Expr) -> bool {
        self.pointer_of(expr.ty).is_some()
    }

    fn arithmetic(&mut self, op: BinOp, left: Expr, right: Expr, span: Span) -> Expr {
        let integral = integral_only(op);
        for operand in [&left, &right] {
            let kind = self.kind_of(operand.ty);
            if !(kind.is_integral() || (kind.is_float() && !integral)) {
                let operand = Expr { kind: ExprKind::Error, ..*operand };
                return self.bad_operand(operand, op.text(), integral);
            }
        }
        let (left, right) = match op {
            BinOp::Shl | BinOp::Shr => (self.promote(left), self.promote(right)),
            _ => self.usual(left, right),
        };
        let ty = left.ty;
        if let Some(value) = self.fold(op, &left, &right) {
            return Expr { kind: ExprKind::Int(value), ty, span };
        }
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
    }

    /// The value of an operation on two constants; None where C leaves it undefined, for the run time to meet.
    pub(crate) fn fold(&self, op: BinOp, left: &Expr, right: &Expr) -> Option<i128> {
        let (a, b) = (left.as_int()?, right.as_int()?);
        let num = Num::of(&self.unit.types, left.ty)?;
        let shift = || u32::try_from(b).ok().filter(|n| *n < num.bits);
        let value = match op {
            BinOp::Mul => a.checked_mul(b)?,
            BinOp::Div if b != 0 => a.checked_div(b)?,
            BinOp::Rem if b != 0 => a.checked_rem(b)?,
            BinOp::Div | BinOp::Rem => return None,
            BinOp::Add => a.checked_add(b)?,
            BinOp::Sub => a.checked_sub(b)?,
            BinOp::Shl => num.wrap(a).checked_shl(shift()?)?,
            BinOp::Shr => a >> shift()?,
            BinOp::BitAnd => a & b,
            BinOp::BitXor => a ^ b,
            BinOp::BitOr => a | b,
            BinOp::Lt => return Some(i128::from(a < b)),
            BinOp::Gt => return Some(i128::from(a > b)),
            BinOp::Le => return Some(i128::from(a <= b)),
            BinOp::Ge => return Some(i128::from(a >= b)),
            BinOp::Eq => return Some(i128::from(a == b)),
            BinOp::Ne => return Some(i128::from(a != b)),
        };
        Some(num.wrap(value))
    }

    /// `&&` and `||`: both operands conditions, the result `int`.
    pub(crate) fn check_logical(&mut self, and: bool, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let left = self.check_condition(a);
        let right = self.check_condition(b);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if and { ExprKind::And(left, right) } else { ExprKind::Or(left, right) };
        Expr { kind, ty: Ty::INT, span }
    }

    /// The integer promotions: what is narrower than `int` becomes `int`, bit-fields by their width.
    pub(crate) fn promote(&mut self, expr: Expr) -> Expr {
        let ty = match self.width_of_value(&expr) {
            Some(width) if width < 32 => Ty::INT,
            _ => promoted(&self.unit.types, self.resolve(expr.ty)),
        };
        self.coerce(expr, ty, Why::Operand)
    }

    /// The width of the bit-field that a value was read from or stored in: it stays narrow through assignments, commas
    /// and arms, as gcc and clang have it.
    fn width_of_value(&self, expr: &Expr) -> Option<u32> {
        match &expr.kind {
            ExprKind::Read(place) | ExprKind::Assign { place, .. } | ExprKind::AssignOp { place, .. } => {
                self.bit_field(place)
            }
            ExprKind::Comma(_, last) => self.width_of_value(last),
            ExprKind::Cond(_, a, b) => Some(self.width_of_value(a)?.max(self.width_of_value(b)?)),
            _ => None,
        }
    }

    /// The width of the bit-field that a place is.
    pub(crate) fn bit_field(&self, place: &crate::tast::Place) -> Option<u32> {
        let PlaceKind::Field(aggregate, index) = &place.kind else { return None };
        let TyKind::Aggr(id) = self.kind_of(aggregate.qty.ty) else { return None };
        self.unit.types.fields(*id)?.get(*index as usize)?.bits
    }

    /// The usual arithmetic conversions: both operands of one type.
    pub(crate) fn usual(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        let (left, right) = match self.kind_of(left.ty).is_integral() && self.kind_of(right.ty).is_integral() {
            true => (self.promote(left), self.promote(right)),
            false => (left, right),
        };
        let ty = self.common_number(left.ty, right.ty);
        (self.coerce(left, ty, Why::Operand), self.coerce(right, ty, Why::Operand))
    }

    /// The type of an operation between two arithmetic types (C11, 6.3.1.8).
    pub(crate) fn common_number(&mut self, a: Ty, b: Ty) -> Ty {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let types = &mut self.unit.types;
        let float = |ty: Ty| match types.kind(ty) {
            TyKind::Float(f) | TyKind::Complex(f) => Some(*f),
            _ => None,
        };
        let complex = [a, b].iter().any(|ty| matches!(types.kind(*ty), TyKind::Complex(_)));
        match (float(a), float(b)) {
            (None, None) => common_int(types, promoted(types, a), promoted(types, b)),
            (x, y) => {
                let wider = [x, y].into_iter().flatten().max_by_key(|f| float_rank(*f)).unwrap_or(FloatTy::Double);
                types.intern(if complex { TyKind::Complex(wider) } else { TyKind::Float(wider) })
            }
        }
    }

    /// Reports that an operator has no meaning for an operand of this type.
    pub(crate) fn bad_operand(&mut self, operand: Expr, operator: &str, integral: bool) -> Expr {
        if operand.ty != Ty::ERROR {
            let found = self.show(operand.ty);
            let unknown = matches!(self.kind_of(operand.ty), TyKind::Infer(_));
            self.report(match (unknown, integral) {
                (true, _) => errors::expr::unknown_type(operand.span),
                (_, true) => errors::expr::not_integral(operand.span, operator, &found),
                _ => errors::expr::not_arithmetic(operand.span, operator, &found),
            });
        }
        Expr::error(operand.span)
    }
}

/// The type after the integer promotions.
pub(crate) fn promoted(types: &Types, ty: Ty) -> Ty {
    match types.kind(ty) {
        TyKind::Bool => Ty::INT,
        TyKind::Int(int) if int.bits() < 32 => Ty::INT,
        TyKind::Enum(id) => match types.enumeration(*id).underlying {
            IntTy::UInt => Ty::UINT,
            IntTy::Long => Ty::LONG,
            IntTy::ULong => Ty::ULONG,
            _ => Ty::INT,
        },
        _ => ty,
    }
}

/// The common type of two promoted integer types.
fn common_int(types: &mut Types, a: Ty, b: Ty) -> Ty {
    let (TyKind::Int(x), TyKind::Int(y)) = (types.kind(a), types.kind(b)) else { return a };
    let (x, y) = (*x, *y);
    let (low, high) = if rank(x) <= rank(y) { (x, y) } else { (y, x) };
    let common = match (low.signed(), high.signed()) {
        (l, h) if l == h => high,
        (true, false) => high,
        // Unsigned of lower rank against signed of higher: signed if it holds every value.
        _ if high.bits() > low.bits() => high,
        _ => unsigned(high),
    };
    // Equal rank, different sign: unsigned.
    let common = if rank(x) == rank(y) && x != y { unsigned(common) } else { common };
    types.int(common)
}

fn rank(int: IntTy) -> u8 {
    match int {
        IntTy::Char | IntTy::SChar | IntTy::UChar => 0,
        IntTy::Short | IntTy::UShort => 1,
        IntTy::Int | IntTy::UInt => 2,
        IntTy::Long | IntTy::ULong => 3,
        IntTy::LongLong | IntTy::ULongLong => 4,
        IntTy::Int128 | IntTy::UInt128 => 5,
    }
}

fn unsigned(int: IntTy) -> IntTy {
    match int {
        IntTy::Char | IntTy::SChar => IntTy::UChar,
        IntTy::Short => IntTy::UShort,
        IntTy::Int => IntTy::UInt,
        IntTy::Long => IntTy::ULong,
        IntTy::LongLong => IntTy::ULongLong,
        IntTy::Int128 => IntTy::UInt128,
        other => other,
    }
}

pub(crate) fn integral_only(op: BinOp) -> bool {
    matches!(op, BinOp::Rem | BinOp::Shl | BinOp::Shr | BinOp::BitAnd | BinOp::BitXor | BinOp::BitOr)
}
