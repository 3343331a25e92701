//! The compiler builtins of C that are safe for every argument.

use crate::coerce::{Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{Callee, Expr, ExprKind};
use crate::types::Position;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident};
use cyc_types::{IntTy, Ty, TyKind};
use std::rc::Rc;

/// Parameters and result of a builtin.
fn signature(name: &str) -> Option<(&'static [Ty], Ty)> {
    const SHORT: Ty = Ty::USHORT;
    Some(match name.strip_prefix("__builtin_")? {
        "expect" => (&[Ty::LONG, Ty::LONG], Ty::LONG),
        "bswap16" => (&[SHORT], SHORT),
        "bswap32" => (&[Ty::UINT], Ty::UINT),
        "bswap64" => (&[Ty::ULONG], Ty::ULONG),
        "popcount" | "parity" => (&[Ty::UINT], Ty::INT),
        "popcountl" | "parityl" => (&[Ty::ULONG], Ty::INT),
        "popcountll" | "parityll" => (&[Ty::ULONGLONG], Ty::INT),
        "huge_val" | "inf" => (&[], Ty::DOUBLE),
        "huge_valf" | "inff" => (&[], Ty::FLOAT),
        "huge_vall" | "infl" => (&[], Ty::LONGDOUBLE),
        "fabs" | "sqrt" | "floor" | "ceil" | "trunc" | "round" => (&[Ty::DOUBLE], Ty::DOUBLE),
        "isnan" | "isinf" | "isfinite" | "signbit" | "isnormal" | "isinf_sign" => (&[Ty::DOUBLE], Ty::INT),
        "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered" => {
            (&[Ty::DOUBLE, Ty::DOUBLE], Ty::INT)
        }
        "fpclassify" => (&[Ty::INT, Ty::INT, Ty::INT, Ty::INT, Ty::INT, Ty::DOUBLE], Ty::INT),
        "trap" => (&[], Ty::VOID),
        _ => return None,
    })
}

impl Checker<'_> {
    /// A call of a builtin. `__builtin_nan("")` takes a literal; the others numbers.
    pub(crate) fn check_builtin(&mut self, name: Symbol, args: &[ast::Expr], at: Span, span: Span) -> Expr {
        let text = name.as_str();
        if let "__builtin_nan" | "__builtin_nanf" | "__builtin_nanl" = text {
            return self.check_nan(name, args, span);
        }
        if text == "__builtin_constant_p" && args.len() == 1 {
            let value = self.check_expr(&args[0], Want::None);
            let known = self.eval_int(&value).is_some();
            return Expr { kind: ExprKind::Int(i128::from(known)), ty: Ty::INT, span };
        }
        let Some((params, ret)) = signature(text) else {
            self.report(errors::expr::unsafe_builtin(at, name));
            return self.check_args_anyway(args, span);
        };
        if params.len() != args.len() {
            let named = Some((name, at));
            self.report(match args.len() < params.len() {
                true => errors::expr::too_few_arguments(span, named, params.len(), args.len(), ""),
                false => errors::expr::too_many_arguments(span, named, params.len(), args.len(), ""),
            });
            return self.check_args_anyway(args, span);
        }
        let typed: Vec<Expr> = args.iter().zip(params).map(|(a, p)| self.check_rvalue_to(a, *p, Why::Cast)).collect();
        if typed.iter().any(Expr::is_error) {
            return Expr::error(span);
        }
        Expr { kind: ExprKind::Call { callee: Callee::Builtin(name), args: typed }, ty: ret, span }
    }

    fn check_nan(&mut self, name: Symbol, args: &[ast::Expr], span: Span) -> Expr {
        let ty = match name.as_str() {
            "__builtin_nanf" => Ty::FLOAT,
            "__builtin_nanl" => Ty::LONGDOUBLE,
            _ => Ty::DOUBLE,
        };
        let [arg @ ast::Expr { kind: ast::ExprKind::Str(_), .. }] = args else {
            self.report(errors::expr::unsafe_builtin(span, name));
            return self.check_args_anyway(args, span);
        };
        let text = self.check_expr(arg, Want::None);
        Expr { kind: ExprKind::Call { callee: Callee::Builtin(name), args: vec![text] }, ty, span }
    }

    /// Builtins whose operands are types.
    pub(crate) fn check_typed_builtin(
        &mut self,
        name: Ident,
        types: &[Rc<ast::Type>],
        _exprs: &[ast::Expr],
        span: Span,
    ) -> Expr {
        if let ("__builtin_types_compatible_p", [a, b]) = (name.name.as_str(), types) {
            let (a, b) = (self.resolve_type(a, Position::Cast).ty, self.resolve_type(b, Position::Cast).ty);
            let same = self.resolve(a) == self.resolve(b);
            return Expr { kind: ExprKind::Int(i128::from(same)), ty: Ty::INT, span };
        }
        self.report(errors::expr::unsafe_builtin(name.span, name.name));
        Expr::error(span)
    }

    /// `wchar_t` and its like, for formats.
    pub(crate) fn is_wide_char(&self, ty: Ty) -> bool {
        matches!(self.kind_of(ty), TyKind::Int(IntTy::Int))
    }
}
