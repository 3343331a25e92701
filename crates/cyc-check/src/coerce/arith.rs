//! Conversions between arithmetic types, and the warning where one may lose part of the value.

use super::{KindExt, Why, float_rank};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{BinOp, Coercion, Expr, ExprKind, UnOp};
use cyc_types::{Ty, TyKind, Types};

/// An integral type as width and sign: enumerations by their compatible integer, `_Bool` as one bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Num {
    pub bits: u32,
    pub signed: bool,
}

impl Num {
    pub fn of(types: &Types, ty: Ty) -> Option<Num> {
        Some(match types.kind(ty) {
            TyKind::Bool => Num { bits: 1, signed: false },
            TyKind::Int(int) => Num { bits: int.bits(), signed: int.signed() },
            TyKind::Enum(id) => {
                let int = types.enumeration(*id).underlying;
                Num { bits: int.bits(), signed: int.signed() }
            }
            _ => return None,
        })
    }

    /// The value as the type holds it: modulo 2 to the width (C's conversion; `_Bool` tests for 0).
    pub fn wrap(self, value: i128) -> i128 {
        match self.bits {
            1 => i128::from(value != 0),
            128 => value, // wider values cannot be told apart in 128 bits
            bits if self.signed => (value << (128 - bits)) >> (128 - bits),
            bits => value & ((1 << bits) - 1),
        }
    }

    fn holds(self, low: i128, high: i128) -> bool {
        self.wrap(low) == low && self.wrap(high) == high
    }

    /// All values, as an interval.
    fn range(self) -> (i128, i128) {
        match (self.bits, self.signed) {
            (128, _) => (i128::MIN, i128::MAX),
            (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            (bits, false) => (0, (1 << bits) - 1),
        }
    }
}

impl Checker<'_> {
    /// Between arithmetic types, enumerations and `_Bool`, as in C. Integer constants are folded.
    pub(crate) fn coerce_arith(&mut self, expr: Expr, from: Ty, to: Ty, why: Why) -> Expr {
        if !self.require_defined_enum(to, expr.span) {
            return Expr::error(expr.span);
        }
        if !matches!(why, Why::Cast | Why::Operand) {
            self.warn_narrowing(&expr, from, to);
        }
        match (expr.as_int(), Num::of(&self.unit.types, to)) {
            (Some(value), Some(num)) => Expr { kind: ExprKind::Int(num.wrap(value)), ty: to, span: expr.span },
            _ => expr.coerced(Coercion::Arith, to),
        }
    }

    /// Warns where an implicit conversion may change the value: to fewer bits, from floating to
    /// integer, to a floating type of less precision.
    fn warn_narrowing(&mut self, expr: &Expr, from: Ty, to: Ty) {
        let loses = match (self.unit.types.kind(from), self.unit.types.kind(to)) {
            (_, TyKind::Bool) => false,
            (TyKind::Float(a), TyKind::Float(b)) => float_rank(*a) > float_rank(*b) && !is_literal(expr),
            (f, t) if f.is_float() && t.is_integral() => true,
            (f, t) if f.is_integral() && t.is_integral() => self.loses_bits(expr, from, to),
            _ => false,
        };
        if loses {
            let (from, to) = (self.show(from), self.show(to));
            self.report(errors::coerce::narrowing(expr.span, &from, &to));
        }
    }

    fn loses_bits(&self, expr: &Expr, from: Ty, to: Ty) -> bool {
        let types = &self.unit.types;
        let (Some(a), Some(b)) = (Num::of(types, from), Num::of(types, to)) else { return false };
        if b.bits >= a.bits || is_count(types, expr) {
            return false;
        }
        let (low, high) = interval(types, expr);
        // A constant that keeps its bits, such as 0xff for a signed char, is meant.
        let same_bits = expr.as_int().is_some_and(|_| Num { bits: b.bits, signed: !b.signed }.holds(low, high));
        !b.holds(low, high) && !same_bits
    }
}

/// `numelts`, a size or a tag, stored in `int` by programs everywhere.
fn is_count(types: &Types, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Numelts(_) | ExprKind::SizeOf(_) => true,
        ExprKind::Coerce(Coercion::Retype, of) => matches!(types.kind(of.ty), TyKind::Tag(_)),
        _ => false,
    }
}

fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Float(_) | ExprKind::Int(_) => true,
        ExprKind::Unary(UnOp::Neg, e) => is_literal(e),
        _ => false,
    }
}

/// An interval that holds every value of an integral expression, found from its form alone.
fn interval(types: &Types, expr: &Expr) -> (i128, i128) {
    let all = Num::of(types, expr.ty).map_or((i128::MIN, i128::MAX), Num::range);
    match &expr.kind {
        ExprKind::Int(value) => (*value, *value),
        ExprKind::Coerce(Coercion::Arith, inner) => {
            let (low, high) = interval(types, inner);
            match Num::of(types, expr.ty) {
                Some(num) if Num::of(types, inner.ty).is_some() && num.holds(low, high) => (low, high),
                _ => all,
            }
        }
        ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::PtrCompare(..) => (0, 1),
        ExprKind::Binary(op, a, b) => match op {
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => (0, 1),
            BinOp::BitAnd => match (interval(types, a), interval(types, b)) {
                ((0.., high), (low, other)) | ((low, other), (0.., high)) => {
                    (0, if low >= 0 { high.min(other) } else { high })
                }
                _ => all,
            },
            BinOp::Rem => match (interval(types, a), b.as_int()) {
                ((low, high), Some(n)) if n > 0 => (low.max(-(n - 1)).min(0), high.min(n - 1).max(0)),
                _ => all,
            },
            BinOp::Shr => match (interval(types, a), b.as_int()) {
                ((low @ 0.., high), Some(n @ 0..=127)) => (low >> n, high >> n),
                _ => all,
            },
            BinOp::Div => match (interval(types, a), b.as_int()) {
                ((low, high), Some(n)) if n > 0 => (low / n, high / n),
                _ => all,
            },
            // Sums and differences of intervals that cannot wrap: `'0' + i % 10`.
            BinOp::Add | BinOp::Sub => {
                let ((a, b), (c, d)) = (interval(types, a), interval(types, b));
                let sum = if *op == BinOp::Add {
                    (a.checked_add(c), b.checked_add(d))
                } else {
                    (a.checked_sub(d), b.checked_sub(c))
                };
                match sum {
                    (Some(low), Some(high)) if low >= all.0 && high <= all.1 => (low, high),
                    _ => all,
                }
            }
            _ => all,
        },
        ExprKind::Cond(_, a, b) => {
            let ((a, b), (c, d)) = (interval(types, a), interval(types, b));
            (a.min(c), b.max(d))
        }
        ExprKind::Comma(_, e) | ExprKind::Assign { value: e, .. } => interval(types, e),
        _ => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_is_modulo_the_width() {
        assert_eq!(Num { bits: 8, signed: true }.wrap(200), -56);
        assert_eq!(Num { bits: 8, signed: false }.wrap(-1), 255);
        assert_eq!(Num { bits: 64, signed: false }.wrap(-1), u64::MAX as i128);
        assert_eq!(Num { bits: 1, signed: false }.wrap(256), 1);
    }
}
