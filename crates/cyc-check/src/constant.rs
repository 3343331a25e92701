//! Constant expressions: their values, and what may initialise a global (core, section 12.1).

use crate::coerce::Want;
use crate::cx::Checker;
use crate::errors;
use crate::tast::{BinOp, Coercion, Expr, ExprKind, Place, PlaceKind, UnOp};
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{FloatTy, IntTy, Ty, TyKind};

impl Checker<'_> {
    /// The value of an integer constant expression; None when it is not one (only mistakes within
    /// the expression are reported).
    pub fn const_int(&mut self, e: &ast::Expr) -> Option<i128> {
        // Most lengths are plain literals.
        match &e.kind {
            ast::ExprKind::Int { value, .. } if *value <= i32::MAX as u64 => return Some(i128::from(*value)),
            _ => {}
        }
        let typed = self.check_expr(e, Want::None);
        self.eval_int(&typed)
    }

    /// The integer type that represents values of an integral type; `_Bool` as `unsigned char`.
    fn representation(&self, ty: Ty) -> Option<IntTy> {
        match self.unit.types.kind(self.resolve(ty)) {
            TyKind::Int(int) => Some(*int),
            TyKind::Bool => Some(IntTy::UChar),
            TyKind::Enum(id) => Some(self.unit.types.enumeration(*id).underlying),
            _ => None,
        }
    }

    /// The value of a typed expression if it is an integer constant expression. Arithmetic wraps;
    /// division by zero and shifts beyond the width have no value.
    pub fn eval_int(&self, e: &Expr) -> Option<i128> {
        let value = match &e.kind {
            ExprKind::Int(value) => *value,
            ExprKind::Unary(op, inner) => {
                let value = self.eval_int(inner)?;
                match op {
                    UnOp::Neg => value.wrapping_neg(),
                    UnOp::Plus => value,
                    UnOp::BitNot => !value,
                    UnOp::Not => i128::from(value == 0),
                }
            }
            ExprKind::Not(inner) => i128::from(self.eval_int(inner)? == 0),
            ExprKind::And(a, b) => match self.eval_int(a)? {
                0 => 0,
                _ => i128::from(self.eval_int(b)? != 0),
            },
            ExprKind::Or(a, b) => match self.eval_int(a)? {
                0 => i128::from(self.eval_int(b)? != 0),
                _ => 1,
            },
            ExprKind::Cond(cond, then, otherwise) => match self.eval_int(cond)? {
                0 => self.eval_int(otherwise)?,
                _ => self.eval_int(then)?,
            },
            ExprKind::CondOrElse(a, b) => match self.eval_int(a)? {
                0 => self.eval_int(b)?,
                value => value,
            },
            ExprKind::Binary(op, a, b) => self.eval_binary(*op, a, b)?,
            ExprKind::Coerce(Coercion::Arith, inner) => match &inner.kind {
                ExprKind::Float(text) => return self.eval_float(text.as_str(), inner.ty, e.ty),
                _ => self.eval_int(inner)?,
            },
            // What does not fit stays as far outside as it is.
            ExprKind::Coerce(Coercion::Index, inner) => return self.eval_int(inner),
            _ => return None,
        };
        if self.resolve(e.ty) == Ty::BOOL {
            return Some(i128::from(value != 0));
        }
        Some(self.representation(e.ty)?.wrap(value))
    }

    /// A floating literal in decimal as an integer: towards zero, the nearest value if it is outside of the type. None: the digits
    /// do not tell, because the type of the literal holds more of them than a `double`.
    fn eval_float(&self, text: &str, from: Ty, to: Ty) -> Option<i128> {
        let digits = text.trim_end_matches(['f', 'F', 'l', 'L']);
        let value: f64 = match self.unit.types.kind(self.resolve(from)) {
            TyKind::Float(FloatTy::Float) => digits.parse::<f32>().ok()?.into(),
            TyKind::Float(FloatTy::Double) => digits.parse().ok()?,
            // Fifteen digits tell doubles apart.
            _ => digits.parse().ok().filter(|value: &f64| digits.len() <= 15 && value.abs() < 1e15)?,
        };
        if self.resolve(to) == Ty::BOOL {
            return Some(i128::from(value != 0.0));
        }
        let int = self.representation(to)?;
        let (least, greatest) = match (int.signed(), int.bits()) {
            (true, bits) => (i128::MIN >> (128 - bits), i128::MAX >> (128 - bits)),
            // Beyond what is computed with here.
            (false, 128) if value >= i128::MAX as f64 => return None,
            (false, 128) => (0, i128::MAX),
            (false, bits) => (0, (1 << bits) - 1),
        };
        Some((value as i128).clamp(least, greatest))
    }

    fn eval_binary(&self, op: BinOp, a: &Expr, b: &Expr) -> Option<i128> {
        let (x, y) = (self.eval_int(a)?, self.eval_int(b)?);
        let bits = i128::from(self.representation(a.ty)?.bits());
        Some(match op {
            BinOp::Mul => x.wrapping_mul(y),
            BinOp::Div => x.checked_div(y)?,
            BinOp::Rem => x.checked_rem(y)?,
            BinOp::Add => x.wrapping_add(y),
            BinOp::Sub => x.wrapping_sub(y),
            BinOp::Shl if (0..bits).contains(&y) => x.checked_shl(y as u32)?,
            BinOp::Shr if (0..bits).contains(&y) => x.checked_shr(y as u32)?,
            BinOp::Shl | BinOp::Shr => return None,
            BinOp::Lt => i128::from(x < y),
            BinOp::Gt => i128::from(x > y),
            BinOp::Le => i128::from(x <= y),
            BinOp::Ge => i128::from(x >= y),
            BinOp::Eq => i128::from(x == y),
            BinOp::Ne => i128::from(x != y),
            BinOp::BitAnd => x & y,
            BinOp::BitXor => x ^ y,
            BinOp::BitOr => x | y,
        })
    }

    /// Reports the first part of a global's initialiser that is not constant.
    pub(crate) fn require_constant(&mut self, e: &Expr) {
        if let Err((span, what)) = self.constant(e) {
            self.report(errors::decl::not_constant(span, what));
        }
    }

    /// Can the value be computed before the program runs? Otherwise: which part not, and why.
    fn constant(&self, e: &Expr) -> Result<(), (Span, &'static str)> {
        let no = |what| Err((e.span, what));
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Null
            | ExprKind::Str(_)
            | ExprKind::WideStr(_)
            | ExprKind::StrArray(_)
            | ExprKind::WideStrArray(_)
            | ExprKind::FunctionAddr(..)
            | ExprKind::Zero
            | ExprKind::Error => Ok(()),
            ExprKind::AddrOf(place) => self.constant_address(place),
            ExprKind::Unary(_, a) | ExprKind::Not(a) => self.constant_number(a),
            ExprKind::Binary(op, a, b) => {
                self.constant_number(a)?;
                self.constant_number(b)?;
                let integral = self.representation(e.ty).is_some() && self.representation(a.ty).is_some();
                if integral && self.eval_binary(*op, a, b).is_none() {
                    return no("this has no value: division by zero, or a shift beyond the width");
                }
                Ok(())
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::CondOrElse(a, b) => {
                self.constant_number(a)?;
                self.constant_number(b)
            }
            ExprKind::Cond(cond, a, b) => match self.eval_int(cond) {
                None => Err((cond.span, "this condition is not a constant integer expression")),
                Some(_) => {
                    self.constant(a)?;
                    self.constant(b)
                }
            },
            ExprKind::Coerce(how, inner) => self.constant_coercion(*how, inner, e),
            ExprKind::Aggregate(fields) => fields.iter().try_for_each(|(_, value)| self.constant(value)),
            ExprKind::Array(elements) => elements.iter().try_for_each(|value| self.constant(value)),
            ExprKind::ArrayFor(array) => array.body.iter().try_for_each(|value| self.constant(value)),
            ExprKind::Variant { args, .. } => args.iter().try_for_each(|value| self.constant(value)),
            ExprKind::Read(_) => no("the value of a variable is not constant"),
            ExprKind::Call { .. } => no("a call is not constant"),
            ExprKind::New(_) | ExprKind::Alloc(_) => no("an allocation is not constant"),
            ExprKind::PtrAdd { .. } | ExprKind::PtrDiff(..) | ExprKind::PtrCompare(..) => {
                no("arithmetic on pointers is not constant")
            }
            _ => no("not a constant expression"),
        }
    }

    /// An operand of arithmetic: a number, not an address.
    fn constant_number(&self, e: &Expr) -> Result<(), (Span, &'static str)> {
        self.constant(e)?;
        match self.unit.types.kind(self.resolve(e.ty)) {
            TyKind::Pointer(_) if !matches!(e.kind, ExprKind::Null) => {
                Err((e.span, "a test of an address is not constant"))
            }
            _ => Ok(()),
        }
    }

    fn constant_coercion(&self, how: Coercion, inner: &Expr, whole: &Expr) -> Result<(), (Span, &'static str)> {
        self.constant(inner)?;
        match how {
            Coercion::Arith | Coercion::Retype | Coercion::ThinToFat => Ok(()),
            // The length of a literal is known.
            Coercion::ZerotermToFat if is_literal(inner) => Ok(()),
            Coercion::PtrToInt if self.layout(whole.ty).is_some_and(|l| l.size == 8) => Ok(()),
            Coercion::PtrToInt => Err((whole.span, "an address as a number this short is not constant")),
            _ => Err((whole.span, "this conversion is checked when the program runs")),
        }
    }

    /// The address of a global, or of a part of one.
    fn constant_address(&self, place: &Place) -> Result<(), (Span, &'static str)> {
        match &place.kind {
            PlaceKind::Global(id) if self.unit.global(*id).thread_local => {
                Err((place.span, "each thread has another address for this variable"))
            }
            PlaceKind::Global(_) => Ok(()),
            PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) => self.constant_address(inner),
            PlaceKind::Element(array, index) => {
                let len = match self.unit.types.kind(array.qty.ty) {
                    TyKind::Array { len: Some(len), .. } => i128::from(*len),
                    _ => 0,
                };
                match self.eval_int(index) {
                    Some(i) if (0..len).contains(&i) => self.constant_address(array),
                    Some(_) => Err((index.span, "this element is outside the array")),
                    None => Err((index.span, "not a constant integer expression")),
                }
            }
            _ => Err((place.span, "not the address of a global variable")),
        }
    }
}

fn is_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Str(_) | ExprKind::WideStr(_) => true,
        ExprKind::Coerce(Coercion::Retype, inner) => is_literal(inner),
        _ => false,
    }
}
