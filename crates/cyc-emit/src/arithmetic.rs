//! Arithmetic, conversions and comparisons as C expressions.

use crate::Unit;
use crate::body::Function;
use crate::ctree::Expr;
use crate::literal;
use cyc_mir::types::{is_fat, same_in_c};
use cyc_mir::*;
use cyc_types::{Ty, TyKind};

impl Unit<'_> {
    /// The name in C of the integer type that a conversion from a floating number leads to; None: another conversion, which
    /// C defines.
    pub(crate) fn int_of_float(&self, from: Ty, to: Ty) -> Option<String> {
        let types = &self.unit.types;
        let floating = matches!(types.kind(from), TyKind::Float(_) | TyKind::Complex(_));
        let integer = matches!(types.kind(to), TyKind::Int(_) | TyKind::Enum(_));
        (floating && integer).then(|| self.types.text(types.int(literal::int_kind(types, to))).to_string())
    }
}

impl Function<'_, '_> {
    pub(crate) fn bits(&self, ty: Ty) -> u32 {
        use cyc_types::IntTy::*;
        match literal::int_kind(self.types(), ty) {
            Long | ULong | LongLong | ULongLong => 64,
            Int128 | UInt128 => 128,
            _ => 32,
        }
    }

    pub(crate) fn binary(&mut self, op: BinOp, a: &Operand, b: &Operand, at: Ty) -> Expr {
        let integer = self.is_integer(at);
        let sign = match op {
            BinOp::Div | BinOp::Rem if integer => return self.division(op, a, b, at),
            BinOp::Shl | BinOp::Shr => return self.shift(op, a, b, at),
            _ => op.text(),
        };
        let both = matches!((a, b), (Operand::Const(_), Operand::Const(_)));
        let mut side = |op: &Operand| match op {
            Operand::Const(_) if !both => self.relaxed(op),
            op => self.operand(op),
        };
        let (a, b) = (side(a), side(b));
        if op == BinOp::Sub && !self.reads.volatile && self.is_order(&a, &b) {
            // The difference could wrap for all that a C compiler knows: it would not see through a test of its sign.
            return Expr::binary("|", a, Expr::unary("-", b));
        }
        Expr::binary(sign, a, b)
    }

    /// Is `greater - less` the order of two integers, `(a > b) - (a < b)`?
    fn is_order(&self, greater: &Expr, less: &Expr) -> bool {
        let (Expr::Binary(">", a, b), Expr::Binary("<", c, d)) = (greater, less) else { return false };
        a == c && b == d && self.is_plain_integer(a) && self.is_plain_integer(b)
    }

    /// An integer in a local, or behind a pointer in one.
    fn is_plain_integer(&self, value: &Expr) -> bool {
        let ty = |local: &u32| self.body.locals[*local as usize].qty.ty;
        match value {
            Expr::Local(local) => self.is_integer(ty(local)),
            Expr::Unary("*", pointer) => match &**pointer {
                Expr::Local(local) => {
                    self.types().as_pointer(ty(local)).is_some_and(|pointer| self.is_integer(pointer.to.ty))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn shift(&mut self, op: BinOp, a: &Operand, b: &Operand, at: Ty) -> Expr {
        let bits = self.bits(at);
        let a = self.operand(a);
        let count = match b.as_int() {
            Some(count) => Expr::Number((count & (bits as i128 - 1)) as u64),
            None => Expr::binary("&", self.operand(b), Expr::Number(bits as u64 - 1)),
        };
        Expr::binary(if op == BinOp::Shl { "<<" } else { ">>" }, a, count)
    }

    /// Plain where the divisor is a constant that cannot trap; else a function of the run time's header.
    fn division(&mut self, op: BinOp, a: &Operand, b: &Operand, at: Ty) -> Expr {
        let safe = b.as_int().is_some_and(|b| b != 0 && b != -1);
        let (sign, word) = if op == BinOp::Div { ("/", "div") } else { ("%", "rem") };
        if safe {
            let both = matches!(a, Operand::Const(_));
            let (a, b) = if both { (self.operand(a), self.operand(b)) } else { (self.relaxed(a), self.relaxed(b)) };
            return Expr::binary(sign, a, b);
        }
        let (a, b) = (self.operand(a), self.operand(b));
        let signed = if self.is_signed(at) { "i" } else { "u" };
        let name = format!("cyc_{word}_{signed}{}", self.bits(at));
        Expr::Call(Box::new(Expr::name(name)), vec![a, b])
    }

    pub(crate) fn convert(&mut self, a: &Operand, from: Ty, to: Ty) -> Expr {
        let value = self.operand(a);
        match self.cx.int_of_float(from, to) {
            Some(text) => {
                let complex = matches!(self.types().kind(from), TyKind::Complex(_));
                let value = if complex { Expr::unary("__real__ ", value) } else { value };
                Expr::call("CYC_FLOAT_TO_INT", vec![Expr::name(text), value])
            }
            None => Expr::cast(self.cx.types.text(to), value),
        }
    }

    pub(crate) fn difference(&mut self, a: &Operand, b: &Operand, dst: Ty) -> Expr {
        let size = Expr::cast("long".into(), self.elem_size(a));
        let (a, b) = (self.address_number(a, "long"), self.address_number(b, "long"));
        let count = Expr::binary("/", Expr::binary("-", a, b), size);
        if dst == Ty::LONG { count } else { Expr::cast(self.cx.types.text(dst), count) }
    }

    pub(crate) fn compare(&mut self, op: BinOp, a: &Operand, b: &Operand) -> Expr {
        let null = |op: &Operand| matches!(op, Operand::Const(Const::Null(_) | Const::Zero(_)));
        match (op, null(a), null(b)) {
            (BinOp::Eq, false, true) => return self.non_null(a).negated(),
            (BinOp::Ne, false, true) => return self.non_null(a),
            (BinOp::Eq, true, false) => return self.non_null(b).negated(),
            (BinOp::Ne, true, false) => return self.non_null(b),
            _ => {}
        }
        let sign = match op {
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Gt => ">",
            BinOp::Le => "<=",
            _ => ">=",
        };
        let (ta, tb) = (self.ty_of(a), self.ty_of(b));
        let thin = !is_fat(self.types(), ta) && !is_fat(self.types(), tb);
        if thin && matches!(op, BinOp::Eq | BinOp::Ne) && same_in_c(self.types(), ta, tb) {
            let (a, b) = (self.operand(a), self.operand(b));
            return Expr::binary(sign, a, b);
        }
        // Objects of C are not ordered by pointers to them: addresses are compared as numbers.
        let (a, b) = (self.address_number(a, "unsigned long"), self.address_number(b, "unsigned long"));
        Expr::binary(sign, a, b)
    }
}
