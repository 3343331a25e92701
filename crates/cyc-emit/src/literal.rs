//! Literals of C.

use crate::ctree::Expr;
use cyc_types::{FloatTy, IntTy, Ty, TyKind, Types};
use std::fmt::Write;

/// A string literal with exactly these bytes (and C's terminator).
pub(crate) fn string(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for &b in bytes {
        match b {
            b'\\' => out.push_str("\\\\"),
            b'"' => out.push_str("\\\""),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            // `??` would start a trigraph.
            b'?' => out.push_str("\\?"),
            0x20..=0x7e => out.push(b as char),
            _ => {
                let _ = write!(out, "\\{b:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// A wide string literal: each character its own piece, since hexadecimal escapes have no end.
pub(crate) fn wide(chars: &[u32]) -> String {
    if chars.is_empty() {
        return "L\"\"".into();
    }
    let mut out = String::new();
    for c in chars {
        let _ = write!(out, "{}L\"\\x{c:x}\"", if out.is_empty() { "" } else { " " });
    }
    out
}

pub(crate) fn int_kind(types: &Types, ty: Ty) -> IntTy {
    match types.kind(ty) {
        TyKind::Int(int) => *int,
        TyKind::Enum(id) => types.enumeration(*id).underlying,
        _ => IntTy::Int,
    }
}

/// An integer constant of the type. `exact`: with a suffix, so that the literal by itself has the type
/// (after promotion).
pub(crate) fn int(types: &Types, value: i128, ty: Ty, exact: bool) -> Expr {
    let kind = int_kind(types, ty);
    let small = (0..=i32::MAX as i128).contains(&value);
    let suffix = match kind {
        _ if small && !exact => "",
        IntTy::UInt => "u",
        IntTy::Long => "l",
        IntTy::ULong => "ul",
        IntTy::LongLong => "ll",
        IntTy::ULongLong => "ull",
        IntTy::Int128 | IntTy::UInt128 => return int128(value, kind),
        IntTy::Char | IntTy::SChar | IntTy::UChar | IntTy::Short | IntTy::UShort | IntTy::Int => "",
    };
    if value == i32::MIN as i128 && kind == IntTy::Int {
        return Expr::binary("-", Expr::Negative("-2147483647".into()), Expr::name("1"));
    }
    if value == i64::MIN as i128 {
        return Expr::binary("-", Expr::Negative(format!("-9223372036854775807{suffix}").into()), Expr::name("1"));
    }
    if suffix.is_empty() && value >= 0 {
        return Expr::Number(value as u64);
    }
    let text = format!("{value}{suffix}");
    if value < 0 { Expr::Negative(text.into()) } else { Expr::Atom(text.into()) }
}

fn int128(value: i128, kind: IntTy) -> Expr {
    let ty = if kind == IntTy::Int128 { "__int128" } else { "unsigned __int128" };
    let (high, low) = ((value >> 64) as u64, value as u64);
    if high == 0 {
        return Expr::cast(ty.into(), Expr::name(format!("{low}ul")));
    }
    // Built from unsigned halves, so that no step overflows.
    let high = Expr::cast("unsigned __int128".into(), Expr::name(format!("{high}ul")));
    let whole = Expr::binary("|", Expr::binary("<<", high, Expr::name("64")), Expr::name(format!("{low}ul")));
    Expr::cast(ty.into(), whole)
}

/// A floating constant from its digits, with or without a suffix.
pub(crate) fn float(types: &Types, digits: &str, ty: Ty) -> Expr {
    let (kind, complex) = match types.kind(ty) {
        TyKind::Float(kind) => (*kind, false),
        TyKind::Complex(kind) => (*kind, true),
        _ => (FloatTy::Double, false),
    };
    let hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    let marked = digits.contains(if hexadecimal { &['p', 'P'][..] } else { &['.', 'e', 'E'][..] });
    // A hexadecimal number without exponent ends in a digit, whatever it looks like.
    let plain = if hexadecimal && !marked { digits } else { digits.trim_end_matches(['f', 'F', 'l', 'L']) };
    let mut text = plain.to_owned();
    if !marked {
        text.push_str(if hexadecimal { "p0" } else { ".0" });
    }
    text.push_str(match kind {
        FloatTy::Float => "f",
        FloatTy::Double => "",
        FloatTy::LongDouble => "L",
        FloatTy::Float128 => "q",
    });
    if complex {
        return Expr::name(format!("({text} + 0.0i)"));
    }
    if text.starts_with('-') { Expr::Negative(text.into()) } else { Expr::Atom(text.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_survive_c() {
        assert_eq!(string(b"a\"b\\\n\0\x01??="), r#""a\"b\\\n\000\001\?\?=""#);
        assert_eq!(wide(&[65, 0x1F600]), r#"L"\x41" L"\x1f600""#);
    }
}
