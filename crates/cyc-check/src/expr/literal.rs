//! Literals (core, section 1.5), typed as on LP64.

use crate::coerce::Want;
use crate::cx::Checker;
use crate::tast::{Expr, ExprKind};
use cyc_syntax::ast::{self, ExprKind as Ast, FloatWidth, IntSuffix};
use cyc_types::{Aqual, Bound, FloatTy, IntTy, PtrTy, QTy, Region, Ty, TyKind};

impl Checker<'_> {
    /// A literal has its own type; only `NULL` takes the expected one.
    pub(crate) fn check_literal(&mut self, e: &ast::Expr, want: Want) -> Expr {
        let span = e.span;
        match &e.kind {
            Ast::Int { value, suffix } => {
                let ty = self.unit.types.int(int_literal_type(*value, *suffix));
                Expr { kind: ExprKind::Int(i128::from(*value)), ty, span }
            }
            Ast::Float { text, width } => {
                let ty = self.unit.types.intern(TyKind::Float(float_type(*width)));
                Expr { kind: ExprKind::Float(*text), ty, span }
            }
            Ast::Char { value, wide: true } => {
                Expr { kind: ExprKind::Int(i128::from(*value as i32)), ty: Ty::INT, span }
            }
            // Type `char`, which is signed.
            Ast::Char { value, wide: false } => {
                Expr { kind: ExprKind::Int(i128::from(*value as u8 as i8)), ty: Ty::CHAR, span }
            }
            Ast::Str(bytes) => {
                let ty = self.string_type(Ty::CHAR, bytes.len());
                Expr { kind: ExprKind::Str(bytes.as_slice().into()), ty, span }
            }
            Ast::WideStr(chars) => {
                let ty = self.string_type(Ty::INT, chars.len());
                Expr { kind: ExprKind::WideStr(chars.as_slice().into()), ty, span }
            }
            _ => self.check_null(want, e),
        }
    }

    /// `NULL`: a value of the pointer type that is expected, else of one to be inferred.
    fn check_null(&mut self, want: Want, e: &ast::Expr) -> Expr {
        let wanted = want.ty().and_then(|ty| self.pointer_of(ty).filter(|p| p.nullable).map(|_| self.resolve(ty)));
        let ty = match wanted {
            Some(ty) => ty,
            None => {
                let open = want.ty().is_none_or(|ty| matches!(self.kind_of(ty), TyKind::Infer(_)));
                // Whatever was expected, it is no nullable pointer: the conversion will say so.
                let to = if open { self.fresh_ty(e.span) } else { Ty::VOID };
                let aqual = if open && self.func.inside { self.fresh_aqual() } else { Aqual::Aliasable };
                let region = self.fresh_region(e.span);
                self.unit.types.pointer(PtrTy {
                    to: to.into(),
                    nullable: true,
                    bound: Bound::Thin(1),
                    zeroterm: false,
                    region,
                    aqual,
                })
            }
        };
        Expr { kind: ExprKind::Null, ty, span: e.span }
    }

    /// `const char @{n}@zeroterm` in the heap, `n` with the terminator.
    fn string_type(&mut self, elem: Ty, len: usize) -> Ty {
        self.unit.types.pointer(PtrTy {
            to: QTy { ty: elem, is_const: true, is_volatile: false },
            nullable: false,
            bound: Bound::Thin(len as u64 + 1),
            zeroterm: true,
            region: Region::Heap,
            aqual: Aqual::Aliasable,
        })
    }
}

pub(crate) fn float_type(width: FloatWidth) -> FloatTy {
    match width {
        FloatWidth::Float => FloatTy::Float,
        FloatWidth::Double => FloatTy::Double,
        FloatWidth::LongDouble => FloatTy::LongDouble,
        FloatWidth::Float128 => FloatTy::Float128,
    }
}

/// The first type that holds the value and fits base and suffix (C11, 6.4.4.1).
fn int_literal_type(value: u64, suffix: IntSuffix) -> IntTy {
    use IntTy::*;
    let candidates: &[IntTy] = match (suffix.longs, suffix.unsigned) {
        (0, false) => &[Int, UInt, Long, ULong],
        (0, true) => &[UInt, ULong],
        (1, false) => &[Long, ULong],
        (1, true) => &[ULong],
        (_, false) => &[LongLong, ULongLong],
        (_, true) => &[ULongLong],
    };
    let fits = |int: IntTy| (int.signed() || suffix.unsigned || !suffix.decimal) && int.holds(i128::from(value));
    // A decimal literal beyond `long` has no signed type; gcc takes the unsigned one as well.
    candidates.iter().copied().find(|int| fits(*int)).unwrap_or(candidates[candidates.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_literals_take_the_first_type_that_holds_them() {
        let plain = IntSuffix { decimal: true, ..IntSuffix::default() };
        let hex = IntSuffix::default();
        assert_eq!(int_literal_type(1, plain), IntTy::Int);
        assert_eq!(int_literal_type(0x8000_0000, plain), IntTy::Long);
        assert_eq!(int_literal_type(0x8000_0000, hex), IntTy::UInt);
        assert_eq!(int_literal_type(u64::MAX, hex), IntTy::ULong);
        assert_eq!(int_literal_type(u64::MAX, plain), IntTy::ULong);
        assert_eq!(int_literal_type(1, IntSuffix { longs: 2, ..plain }), IntTy::LongLong);
        assert_eq!(int_literal_type(1, IntSuffix { longs: 1, unsigned: true, decimal: true }), IntTy::ULong);
    }
}
